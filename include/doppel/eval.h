/*
 * doppel/eval.h - measure document pairs, clusters, aligned sentences, word links and
 * translations against a gold standard.
 *
 *     dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
 *     dpl_eval_pairs_input in = DPL_INIT(dpl_eval_pairs_input, .gold_path = "gold.tsv",
 *                                        .found_path = "pairs.tsv");
 *     DPL_TRY(dpl_eval_pairs_run(&e, ctx, &in, err));
 *     printf("precision %.4f, recall %.4f\n", e.precision, e.recall);
 */
#ifndef DOPPEL_EVAL_H
#define DOPPEL_EVAL_H

#include "doppel/sentences.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- document pairs ----------------------------------------------------------------- */

/* Layout fixed. */
typedef struct dpl_id_pair {
    dpl_str left, right;
} dpl_id_pair;

/* Interchangeable ids. Layout fixed. */
typedef struct dpl_id_group {
    const dpl_str *ids;
    size_t n;
} dpl_id_group;

/* Gold and found are each a file, or an array when the path is NULL. A file has a pair on each
 * line: left id <TAB> right id, more columns are ignored, compressed or not; a header line with
 * the names left_id and right_id is skipped. Left comes first everywhere: (a, b) is not (b, a),
 * and a left id differs from the same text as a right id. Borrowed during the call. */
typedef struct dpl_eval_pairs_input {
    size_t size;
    const char *gold_path, *found_path;
    const dpl_id_pair *gold, *found;
    size_t n_gold, n_found;
    /* Groups of interchangeable ids: files with a group on each line, tabs between, and arrays.
     * Groups that share an id are one. Pairs that become the same by replacing ids within their
     * groups are one pair, in gold and in found: a gold pair is matched once, however many
     * variants of it were found, and these count as one found pair. */
    const char *const *dup_paths;
    size_t n_dup_paths;
    const dpl_id_group *dups;
    size_t n_dups;
} dpl_eval_pairs_input;

typedef struct dpl_eval_pairs {
    size_t size;
    uint64_t n_gold, n_found; /* distinct pairs */
    uint64_t n_matching;      /* found and gold */
    uint64_t n_touching;      /* found, not gold, but one of its ids is in gold */
    uint64_t n_other;         /* found, and neither id is in gold */
    double precision;         /* matching / (matching + touching), as in the mining paper */
    double recall;            /* matching / gold */
    double f1;
    double strict_precision; /* matching / found: for gold that is complete */
    double strict_f1;        /* of recall and that */
    char mismatch[800]; /* no id of found is in gold: one line that says so, with the likely
                           reason; else empty */
} dpl_eval_pairs;

/* Shares of nothing are 0. A line without a tab, or with an empty id, is DPL_E_FORMAT; an empty
 * id in an array is DPL_E_USAGE. Time and memory are linear in the number of distinct pairs and
 * ids; more than the context's memory is DPL_E_LIMIT. */
DPL_API dpl_status dpl_eval_pairs_run(dpl_eval_pairs *out, dpl_ctx *ctx,
                                      const dpl_eval_pairs_input *input, dpl_error *err);

/* ---- clusters of documents ----------------------------------------------------------- */

/* Gold and found are each a file, or an array when the path is NULL. A file has a document on
 * each line: id <TAB> cluster, more columns are ignored, compressed or not; a header line with
 * the names id and cluster is skipped. In an array, left is the id and right the cluster.
 * Borrowed during the call. */
typedef struct dpl_eval_clusters_input {
    size_t size;
    const char *gold_path, *found_path;
    const dpl_id_pair *gold, *found;
    size_t n_gold, n_found;
} dpl_eval_clusters_input;

/* The documents are those of gold. */
typedef struct dpl_eval_clusters {
    size_t size;
    uint64_t n_docs;
    uint64_t n_gold, n_found; /* clusters with more than one of these documents */
    uint64_t n_missing;       /* documents that are not in found: clusters of their own there */
    uint64_t n_other;         /* rows of found that are not in gold, and are ignored */
    uint64_t n_gold_pairs, n_found_pairs; /* pairs of documents that are in one cluster */
    uint64_t n_matching;                  /* pairs that are so in both */
    double precision;                     /* matching / found pairs */
    double recall;                        /* matching / gold pairs */
    double f1;
    double rand_index; /* adjusted for chance (Hubert and Arabie 1985): 1: the same clusters */
} dpl_eval_clusters;

/* Shares of nothing are 0. A line without a tab, or with an empty id or cluster, and an id in
 * two clusters are DPL_E_FORMAT, in an array DPL_E_USAGE. */
DPL_API dpl_status dpl_eval_clusters_run(dpl_eval_clusters *out, dpl_ctx *ctx,
                                         const dpl_eval_clusters_input *input, dpl_error *err);

/* ---- aligned sentences -------------------------------------------------------------- */

/* Sums over all documents. */
typedef struct dpl_eval_sentences {
    size_t size;
    uint64_t n_gold, n_found; /* distinct beads, sentences without counterpart among them */
    uint64_t n_right;         /* found and gold: the same sentences on both sides */
    uint64_t n_near;          /* found, and links two sentences that are linked in gold */
    uint64_t n_gold_both;     /* gold beads with both sides; of these: */
    uint64_t n_gold_right;    /* found, too */
    uint64_t n_gold_near;     /* link two sentences that are linked in a found bead */
    double precision;         /* strict: right / found */
    double recall;            /* gold right / gold with both sides */
    double f1;
    double lax_precision; /* near / found */
    double lax_recall;    /* gold near / gold with both sides */
    double lax_f1;
} dpl_eval_sentences;

/* found[i] against gold[i], two files of one document pair, measured as vecalign's scorer does.
 * A file has beads, `[1,2]:[3]:0.5` on a line, sentences from 0, ignoring what follows the
 * second colon; or it is a ladder, `left <TAB> right` on a line, more columns are ignored:
 * where one bead ends and the next begins. Its first line decides which. A bead that is there
 * twice counts once. Lines that cannot be read, and ladders that fall, are DPL_E_FORMAT with
 * file and line; documents that do not fit into the context's memory are DPL_E_LIMIT. */
DPL_API dpl_status dpl_eval_sentences_run(dpl_eval_sentences *out, dpl_ctx *ctx,
                                          const char *const *gold, const char *const *found,
                                          size_t n_files, dpl_error *err);

/* ---- word alignments ---------------------------------------------------------------- */

typedef enum dpl_links_format {
    DPL_LINKS_AUTO = 0, /* detected from the lines */
    DPL_LINKS_PHARAOH,  /* a row on a line, `i-j` sure and `i?j` or `ipj` possible links; only
                           the last tab-separated column is read, so that the text may precede
                           it */
    DPL_LINKS_NAACL     /* `row left right [S|P] [confidence]` on a line, all from 1, as in the
                           shared tasks of 2003 and 2005; link 0 is a word without counterpart */
} dpl_links_format;

/* Zero in a field means its default. */
typedef struct dpl_eval_words_options {
    size_t size;
    dpl_links_format gold_format, found_format;
    unsigned gold_first, found_first; /* PHARAOH: number of the first word: 0 or 1; default 0 */
    bool turned;                      /* left and right are exchanged in found */
} dpl_eval_words_options;

/* Sums over all rows. */
typedef struct dpl_eval_words {
    size_t size;
    uint64_t n_rows;
    uint64_t n_sure, n_possible; /* gold links; every sure link is possible, too */
    uint64_t n_found, n_found_sure, n_found_possible;
    double precision; /* found and possible / found */
    double recall;    /* found and sure / sure */
    double f1;
    double aer; /* alignment error rate: 1 - (found sure + found possible) / (found + sure) */
} dpl_eval_words;

/* Files with different numbers of rows (PHARAOH), rows that gold does not have (NAACL), links
 * that cannot be read: DPL_E_FORMAT with file and line. A link that is there twice counts once.
 */
DPL_API dpl_status dpl_eval_words_run(dpl_eval_words *out, dpl_ctx *ctx, const char *gold,
                                      const char *found, const dpl_eval_words_options *options,
                                      dpl_error *err);

/* ---- translations -------------------------------------------------------------------- */

/* Translations and their references, as files or as arrays when translation_path is NULL. A
 * file has a sentence on each line, compressed or not; all have the same number of lines.
 * Borrowed during the call. */
typedef struct dpl_bleu_input {
    size_t size; /* DPL_INIT */
    const char *translation_path;
    const char *const *reference_paths;
    const dpl_str *translations;      /* n_rows */
    const dpl_str *const *references; /* for each of n_references an array of n_rows */
    size_t n_references;              /* files or arrays; at least 1 */
    size_t n_rows;                    /* of arrays */
} dpl_bleu_input;

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_eval_bleu_options {
    size_t size;
    bool lowercase;    /* ignore the case of letters */
    bool pretokenized; /* words are separated by white space; default: the 13a rules of
                             mteval and sacrebleu */
} dpl_eval_bleu_options;

/* Sums over all sentences. [n] is of n-grams of n + 1 words. */
typedef struct dpl_eval_bleu {
    size_t size;
    uint64_t n_rows;
    uint64_t n_words;           /* of the translations */
    uint64_t n_reference_words; /* of the references, those nearest in length */
    uint64_t n_ngrams[4];       /* of the translations */
    uint64_t n_matching[4];     /* of these, in a reference, too */
    double precision[4]; /* matching / n-grams; where none match 1 / (2^k n-grams), the k-th
                            such length */
    double brevity;      /* penalty of short translations, 0 to 1 */
    double bleu;         /* 0 to 100 */
} dpl_eval_bleu;

/* BLEU of the whole corpus, with the score of sacrebleu's defaults. Files of different lengths
 * are DPL_E_FORMAT. */
DPL_API dpl_status dpl_eval_bleu_run(dpl_eval_bleu *out, dpl_ctx *ctx,
                                     const dpl_bleu_input *input,
                                     const dpl_eval_bleu_options *options, dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
