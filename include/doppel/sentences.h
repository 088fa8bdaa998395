/*
 * doppel/sentences.h - align the sentences of document pairs: the last stage.
 *
 * A bead is a run of sentences of the left document beside a run of the right one that are
 * translations of each other: 1-1, 1-2, 2-1 ..., or one sentence without counterpart, 1-0 and
 * 0-1.
 *
 *     dpl_collection *left = NULL, *right = NULL;
 *     DPL_TRY(dpl_collection_open(&left, ctx, "de.dpl", err));
 *     DPL_TRY(dpl_collection_open(&right, ctx, "en.dpl", err));
 *     dpl_doc_pair pairs[] = {{0, 0}, {1, 4}};
 *     dpl_sentences_input in = DPL_INIT(dpl_sentences_input, .left = left, .right = right,
 *                                       .pairs = pairs, .n_pairs = 2);
 *     dpl_sentences *s = NULL;
 *     dpl_aligned_docs docs;
 *     dpl_status st = dpl_sentences_open(&s, ctx, &in, NULL, err);
 *     while (st == DPL_OK && (st = dpl_sentences_next(s, &docs, err)) == DPL_OK)
 *         for (size_t i = 0; i < docs.n_beads; i++)
 *             if (docs.beads[i].verdict == DPL_VERDICT_KEPT)
 *                 printf("%u %u\n", docs.beads[i].left, docs.beads[i].right);
 *     dpl_sentences_close(s);
 */
#ifndef DOPPEL_SENTENCES_H
#define DOPPEL_SENTENCES_H

#include "doppel/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- beads -------------------------------------------------------------------------- */

/* What the filter decides about a bead: the first reason that applies. */
typedef enum dpl_verdict {
    DPL_VERDICT_KEPT = 0,
    DPL_VERDICT_ALONE,     /* a side is empty: no counterpart */
    DPL_VERDICT_SHORT,     /* a side has too few words */
    DPL_VERDICT_IDENTICAL, /* both sides have the same words in the same order */
    DPL_VERDICT_LENGTH,    /* the ratio of the lengths is far from the mean */
    DPL_VERDICT_WORDS,     /* the mutual information of the aligned words is too low */
    DPL_VERDICT_LANGUAGE,  /* a side is clearly in another language than its document */
    DPL_VERDICT_OUTSIDE,   /* outside of the parts of both documents that match; mining only */
    DPL_VERDICT_REPEATED,  /* the same sentence pair occurs elsewhere; only with `unique` */
    DPL_VERDICT_FREQUENT,  /* it occurs in many document pairs; only with `drop_frequent` */
    DPL_VERDICT_SCORE,     /* the score is too low */
    DPL_N_VERDICTS
} dpl_verdict;

enum {
    DPL_MOST_VERDICTS = 16, /* room in arrays by verdict: DPL_N_VERDICTS may grow up to it */
    DPL_MAX_SIDE = 8        /* most units on a side of a bead */
};

/* "kept", "alone", ...; NULL when out of range. */
DPL_API const char *dpl_verdict_name(dpl_verdict verdict);

/* Units [left, left + n_left) of one document beside [right, right + n_right) of another. An
 * empty side has the position at which its counterpart would be. Layout fixed. */
typedef struct dpl_bead {
    uint32_t left, n_left;
    uint32_t right, n_right;
    float score; /* in [0, 1]: estimated probability that the sides are complete translations of
                    each other, from words, lengths, type of the bead, and how well the document
                    pair aligns as a whole; 0 when a side is empty */
    dpl_verdict verdict;
} dpl_bead;

/* Document numbers in the left and the right collection. Layout fixed. */
typedef struct dpl_doc_pair {
    uint32_t left, right;
} dpl_doc_pair;

/* A document pair and its beads: every unit of both documents is in exactly one of them.
 * Layout fixed. */
typedef struct dpl_aligned_docs {
    size_t pair; /* number in the pairs given */
    dpl_doc_pair docs;
    /* Units are sentences, or with one_per_line paragraphs: unit i of a side begins with
     * sentence units[side][i]; one more than n_units. [0] is left, [1] right. */
    const uint32_t *units[2];
    uint32_t n_units[2];
    const dpl_bead *beads; /* in the order of the left text; ties: of the right text */
    size_t n_beads;
} dpl_aligned_docs;

/* Text of the document from sentence `first` on, n sentences, without the white space around
 * it; it may contain line ends. Borrowed until the collection is closed. */
DPL_API dpl_str dpl_sentences_text(const dpl_collection *c, uint32_t doc, uint32_t first,
                                   uint32_t n);
/* Likewise the heading of the section that the sentence is in; empty: it is before the first
 * one. */
DPL_API dpl_str dpl_sentences_heading(const dpl_collection *c, uint32_t doc, uint32_t sentence);

/* ---- alignment ---------------------------------------------------------------------- */

/* What is aligned. All of it is borrowed until the alignment is closed. */
typedef struct dpl_sentences_input {
    size_t size;
    const dpl_collection *left, *right;
    const dpl_doc_pair *pairs;
    size_t n_pairs;
    const dpl_lexicon *lexicon; /* NULL: starts from similar words, numbers and lengths */
    bool are_candidates;        /* pairs may be no translations: words count without a trial */
    const dpl_doc_pair *learn;  /* the sample is drawn from these; NULL: from the pairs */
    size_t n_learn;
} dpl_sentences_input;

/* Evidence that beads are found by, in addition to the bead types. */
typedef enum dpl_evidence {
    DPL_EVIDENCE_ALL = 0, /* lengths, punctuation and words */
    DPL_EVIDENCE_SHAPE,   /* lengths and punctuation */
    DPL_EVIDENCE_LENGTHS  /* lengths alone, as Gale and Church do */
} dpl_evidence;

/* Zero in a field means its default. */
typedef struct dpl_sentences_options {
    size_t size;
    unsigned max_side; /* most units on a side of a bead, 1 to DPL_MAX_SIDE; default 4. Both
                          sides together have at most one more, or two and two */
    bool one_per_line; /* units are paragraphs: the text was split before */
    bool unordered;    /* comparable texts: 1-1 beads in any order, of sentences that are each
                          other's best match by a lead */
    double lead; /* unordered: lowest difference between the log-likelihoods of the best and the
                    second best match; default 3; negative: none */
    /* Lengths, bead types and words are estimated from a sample first, in two rounds. */
    bool no_learning; /* do not learn words: the lexicon was trained on these documents */
    unsigned sample;  /* units of the sample; default 6000, without a lexicon 12,000 */
    /* The filter. */
    bool no_filter;     /* keep all beads with both sides */
    unsigned min_words; /* lowest number of words of a side; default 1 */
    /* Highest ratio of characters, relative to the mean ratio; default 3. */
    double length_ratio;
    double min_ratio; /* lowest mutual information of the aligned words, as a share of the
                         expected one; default 1/3; negative: none */
    bool no_lang_check;
    /* Equal sentence pairs. With one of these, all document pairs are aligned before the first
     * one is returned, in temporary files where they do not fit into memory. */
    bool unique;        /* keep each once: the one with the best score, or the first of these */
    bool drop_frequent; /* drop pairs that occur in at least 5 document pairs and in 10 % of
                           them, such as menus */
    const char *temp;   /* folder for temporary files; default /tmp */
    double threshold;   /* the filter: lowest score; default 0.02; negative: none */
    dpl_evidence evidence;
    /* The filter as the paper has it (Uszkoreit et al. 2010, section 2.3): mutual information
     * of the left words' counterparts, without smoothing and without dropping weak links,
     * against its expectation for the left side; identical sides and other languages are
     * dropped. Lengths are not checked, nor the score unless a threshold is given. */
    bool paper_filter;
} dpl_sentences_options;

typedef struct dpl_sentences_summary {
    size_t size;
    size_t n_pairs;
    uint64_t n_units[2];
    uint64_t n_beads;
    uint64_t n_verdicts[DPL_MOST_VERDICTS];
    uint64_t n_kinds[DPL_MAX_SIDE + 1][DPL_MAX_SIDE + 1]; /* by units left and right */
    double length_ratio; /* right characters for one left character: the mean */
    uint64_t n_links;    /* term pairs from the lexicon and the spelling ... */
    uint64_t n_learnt;   /* ... and after learning */
    double learn_seconds, seconds;
} dpl_sentences_summary;

/* An alignment in progress. Owned; several of them may run on one context at a time. */
typedef struct dpl_sentences dpl_sentences;

/* Learns from a sample of the pairs, on all threads. The result depends neither on the number
 * of threads nor on the instruction set, but on all pairs together. A document number out of
 * range is DPL_E_USAGE; documents too long for the context's memory are DPL_E_LIMIT, here or in
 * next. */
DPL_API dpl_status dpl_sentences_open(dpl_sentences **out, dpl_ctx *ctx,
                                      const dpl_sentences_input *input,
                                      const dpl_sentences_options *options, dpl_error *err);
/* The next document pair, in the order of the pairs; DPL_END behind the last one. Borrowed
 * until the next call. Aligns some pairs ahead, on all threads. */
DPL_API dpl_status dpl_sentences_next(dpl_sentences *sentences, dpl_aligned_docs *out,
                                      dpl_error *err);
DPL_API void dpl_sentences_close(dpl_sentences *sentences);

/* Called on the caller's thread, in the order of the pairs; anything but DPL_OK ends the call
 * with it. docs is valid during the call. */
typedef dpl_status dpl_aligned_docs_fn(void *user, const dpl_aligned_docs *docs,
                                       dpl_error *err);

/* The same in one call: open, hand all pairs to take, close. A little faster, because taking
 * and aligning overlap. summary may be NULL. */
DPL_API dpl_status dpl_sentences_align(dpl_sentences_summary *summary, dpl_ctx *ctx,
                                       const dpl_sentences_input *input,
                                       const dpl_sentences_options *options,
                                       dpl_aligned_docs_fn *take, void *user, dpl_error *err);

/* ---- document pairs from a file ----------------------------------------------------- */

/* Pairs of ids, as dpl_pairs are written: left_id <TAB> right_id, more columns are ignored; a
 * first line with these two names is a header and skipped. Free them with dpl_doc_pairs_free. A
 * line without two ids, or with an id that its collection does not have, is DPL_E_FORMAT with
 * file and line; when n_skipped is not NULL, such lines are counted there instead. */
DPL_API dpl_status dpl_doc_pairs_read(dpl_doc_pair **out, size_t *n_pairs, dpl_ctx *ctx,
                                      const char *path, const dpl_collection *left,
                                      const dpl_collection *right, uint64_t *n_skipped,
                                      dpl_error *err);
DPL_API void dpl_doc_pairs_free(dpl_ctx *ctx, dpl_doc_pair *pairs, size_t n_pairs);

/* ---- writing beads ------------------------------------------------------------------ */

/* More may follow: dpl_beads_format_info lists them. */
typedef enum dpl_beads_format {
    DPL_BEADS_TSV = 0, /* left_id right_id left_sentence right_sentence score, tabs between */
    DPL_BEADS_JSONL,   /* one object per bead: the same, and the numbers of the sentences */
    DPL_BEADS_MOSES,   /* two files: line i of one is the translation of line i of the other */
    DPL_BEADS_TMX,     /* translation memory, 1.4b */
    DPL_BEADS_LADDER,  /* as hunalign writes it: where each bead begins, left and right, and its
                          score; the last line is where both documents end. With one_per_line,
                          empty lines get a line of their own */
    DPL_BEADS_VECALIGN, /* as vecalign writes it: [3,4]:[5]:cost, the cost being 1 - score */
    DPL_BEADS_XLIFF,    /* XLIFF 1.2: a file element for each document pair */
    DPL_BEADS_HTML,     /* a bilingual book: a page with all sentences side by side */
    DPL_BEADS_EPUB      /* the same for e-book readers, EPUB 3 */
} dpl_beads_format;

/* What a format can do. Static. */
typedef struct dpl_beads_format_info {
    const char *name;    /* "tsv" */
    const char *about;   /* one line */
    bool has_verdicts;   /* may contain beads that were not kept, with their verdicts */
    bool has_two_files;  /* one for each side, named by language */
    bool is_per_pair;    /* a file holds one document pair, and all of its beads */
    bool needs_ordering; /* beads must not cross: not with unordered */
    bool is_corpus; /* for training and translators: by default without repeated sentence pairs
                       and those below a score of 0.5 */
} dpl_beads_format_info;

/* NULL when out of range. */
DPL_API const dpl_beads_format_info *dpl_beads_format_info_of(dpl_beads_format format);

/* Zero in a field means its default. Strings are copied. */
typedef struct dpl_beads_options {
    size_t size;
    dpl_beads_format to;
    bool all;             /* formats with verdicts: write beads that were not kept, too */
    bool one_per_line;    /* as in dpl_sentences_options; units are numbered by their line */
    bool folder;          /* formats per pair: path is a folder, made when it is missing, with a
                                file for each document pair and index.tsv: left_id, right_id and
                                file name, tabs between */
    const char *langs[2]; /* two files: their endings, must be given. TMX and others: languages;
                             default: each document's own */
    /* Takes the text, instead of files; side is 1 for the right one of two files. */
    void (*put)(void *user, int side, const char *data, size_t n);
    void *user;
    bool with_langs;   /* TSV: two more columns at the end, the languages of left and right;
                          JSONL: left_lang and right_lang */
    bool keep_repeats; /* corpora: write repeated sentence pairs; default: only the first */
    double threshold;  /* lowest score of a bead that is written; default: 0.5 for corpora, else
                          0. Negative: 0 */
} dpl_beads_options;

/* Writes the beads of document pairs: those that were kept, or of formats per pair all. A
 * sentence is one line, as in dpl_bitext_row: control characters become blanks. Owned. */
typedef struct dpl_beads_writer dpl_beads_writer;

/* To path, or two files path.LANG and path.LANG, or a folder; files appear when they are
 * complete. With options->put path is not used. */
DPL_API dpl_status dpl_beads_open(dpl_beads_writer **out, dpl_ctx *ctx, const char *path,
                                  const dpl_collection *left, const dpl_collection *right,
                                  const dpl_beads_options *options, dpl_error *err);
/* A dpl_aligned_docs_fn; writer is a dpl_beads_writer. A second document pair in a file of a
 * format per pair, and beads that cross in a ladder, are DPL_E_USAGE. */
DPL_API dpl_status dpl_beads_write(void *writer, const dpl_aligned_docs *docs, dpl_error *err);
/* Completes the files; *n_rows is how many beads they hold and may be NULL. */
DPL_API dpl_status dpl_beads_finish(uint64_t *n_rows, dpl_beads_writer *writer, dpl_error *err);
/* Without a finish before it, nothing is left of the files, but for those in a folder that were
 * complete. */
DPL_API void dpl_beads_close(dpl_beads_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
