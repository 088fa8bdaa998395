/*
 * doppel/sentences.h - the last stage: the sentences of document pairs become beads.
 *
 * A bead is a run of sentences on the left beside a run on the right that say the same: 1-1,
 * 1-2, 2-1 ..., or one without counterpart, 1-0 and 0-1.
 *
 *     static dpl_status print(void *user, const dpl_aligned_docs *docs, dpl_error *err)
 *     {
 *         for (size_t i = 0; i < docs->n_beads; i++)
 *             if (docs->beads[i].verdict == DPL_VERDICT_KEPT) ...
 *     }
 *
 *     DPL_TRY(dpl_sentences_align(NULL, ctx, left, right, pairs, n_pairs, lexicon, NULL, print,
 *                                 NULL, err));
 */
#ifndef DOPPEL_SENTENCES_H
#define DOPPEL_SENTENCES_H

#include "doppel/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the filter says of a bead; the first reason that holds. */
typedef enum dpl_verdict {
    DPL_VERDICT_KEPT = 0,
    DPL_VERDICT_ALONE,     /* a side is empty */
    DPL_VERDICT_SHORT,     /* a side has too few words */
    DPL_VERDICT_IDENTICAL, /* both sides have the same words in the same order */
    DPL_VERDICT_LENGTH,    /* one side is much longer than the other one is worth */
    DPL_VERDICT_WORDS,     /* too few words stand for each other */
    DPL_VERDICT_LANGUAGE,  /* a side is clearly in another language than its document */
    DPL_N_VERDICTS
} dpl_verdict;

/* "kept", "alone", ...; NULL when out of range. */
DPL_API const char *dpl_verdict_name(dpl_verdict verdict);

/* Units [left, left + n_left) of one document beside [right, right + n_right) of another. One
 * of the runs may be empty; then it stands where it would come. */
typedef struct dpl_bead {
    uint32_t left, n_left;
    uint32_t right, n_right;
    float score; /* in [0, 1]: how likely words and lengths come from a translation rather than
                    from two sentences that have nothing to do with each other, if both are
                    equally likely beforehand; 0 when a side is empty */
    dpl_verdict verdict;
} dpl_bead;

typedef struct dpl_doc_pair {
    uint32_t left, right; /* documents of the two collections */
} dpl_doc_pair;

/* A document pair and its beads: every unit of both documents is in exactly one of them. Valid
 * during the callback. */
typedef struct dpl_aligned_docs {
    size_t pair; /* number in the pairs given */
    dpl_doc_pair docs;
    /* Units are sentences, or with is_one_per_line paragraphs: unit i of a side begins with
     * sentence units[side][i]; one more than n_units. [0] is left, [1] right. */
    const uint32_t *units[2];
    uint32_t n_units[2];
    const dpl_bead *beads; /* in the order of the left text, and where that does not say, of the
                              right one */
    size_t n_beads;
} dpl_aligned_docs;

/* Text of the document from sentence `first` on, n sentences, without the white space around
 * it; it may hold line ends. Borrowed until the collection is closed. */
DPL_API dpl_str dpl_sentences_text(const dpl_collection *c, uint32_t doc, uint32_t first,
                                   uint32_t n);

/* Zero in a field means its default. */
typedef struct dpl_sentences_options {
    unsigned max_side;    /* units on a side of a bead, 1 to 8; default 4. Both sides together
                             have at most one more, or two and two */
    bool is_one_per_line; /* units are paragraphs: the text was split before */
    bool is_unordered;    /* comparable texts: any two sentences may be a bead, 1-1 only, when
                             each is the other's best by a margin */
    double margin;        /* of that: how many times likelier than the second best, as a natural
                             logarithm; default 3; negative: none */
    /* Lengths, bead kinds and words are learnt from a sample of the pairs, in some rounds,
     * before all of them are aligned. */
    bool has_no_learning; /* words are not: the lexicon has been made from these documents */
    unsigned sample;      /* units of the sample; default 6000, without a lexicon 12,000 */
    /* The filter. */
    bool has_no_filter;      /* all beads with both sides are kept */
    unsigned min_tokens;     /* of a side; default 1 */
    double max_length_ratio; /* of characters, against the mean ratio; default 3 */
    double min_information;  /* share of the word information to be expected; default 1/3;
                                negative: none */
    bool has_no_lang_check;
} dpl_sentences_options;

typedef struct dpl_sentences_summary {
    size_t n_pairs;
    uint64_t n_units[2];
    uint64_t n_beads;
    uint64_t n_verdicts[DPL_N_VERDICTS];
    uint64_t n_kinds[9][9]; /* beads by units on the left and on the right */
    double length_ratio;    /* right characters for one left character: the mean */
    uint64_t n_links;       /* term pairs that the lexicon or the spelling has */
    uint64_t n_learnt;      /* and after learning */
    double learn_seconds, seconds;
} dpl_sentences_summary;

/* Called on the caller's thread, in the order of the pairs; anything but DPL_OK ends the call
 * with it. */
typedef dpl_status dpl_aligned_docs_fn(void *user, const dpl_aligned_docs *docs,
                                       dpl_error *err);

/* Aligns the sentences of document pairs on all threads. lexicon may be NULL: names, numbers,
 * spelling, lengths, and what is learnt from them, must do. The result does not depend on the
 * number of threads or the instruction set, but it depends on all pairs together, because it is
 * learnt from them. A document number out of range is DPL_E_USAGE; documents too long for the
 * context's memory are DPL_E_LIMIT. summary may be NULL. */
DPL_API dpl_status dpl_sentences_align(dpl_sentences_summary *summary, dpl_ctx *ctx,
                                       const dpl_collection *left, const dpl_collection *right,
                                       const dpl_doc_pair *pairs, size_t n_pairs,
                                       const dpl_lexicon *lexicon,
                                       const dpl_sentences_options *options,
                                       dpl_aligned_docs_fn *take, void *user, dpl_error *err);

/* ---- document pairs from a file ----------------------------------------------------- */

/* Pairs of ids, as dpl_pairs are written: left_id <TAB> right_id, more columns are ignored; a
 * first line that begins with these two names is passed over. Free them with
 * dpl_doc_pairs_free. A line without two ids, or with one that its collection does not have, is
 * DPL_E_FORMAT with file and line; n_skipped counts them if it is not NULL: no error then. */
DPL_API dpl_status dpl_doc_pairs_read(dpl_doc_pair **out, size_t *n_pairs, dpl_ctx *ctx,
                                      const char *path, const dpl_collection *left,
                                      const dpl_collection *right, uint64_t *n_skipped,
                                      dpl_error *err);
DPL_API void dpl_doc_pairs_free(dpl_ctx *ctx, dpl_doc_pair *pairs, size_t n_pairs);

/* ---- writing beads ------------------------------------------------------------------ */

typedef enum dpl_beads_format {
    DPL_BEADS_TSV = 0, /* left_id right_id left_sentence right_sentence score, tabs between */
    DPL_BEADS_JSONL,   /* one object a bead: the same, and the numbers of the sentences */
    DPL_BEADS_MOSES,   /* two files: line i of one stands for line i of the other */
    DPL_BEADS_TMX,     /* translation memory, 1.4b */
    DPL_BEADS_LADDER,  /* as hunalign writes it: where each bead begins, left and right, and its
                          score; the last line is where both documents end. Empty lines, with
                          is_one_per_line, get a line of their own */
    DPL_BEADS_VECALIGN /* as vecalign writes it: [3,4]:[5]:cost, the cost being 1 - score */
} dpl_beads_format;

/* "tsv", "jsonl", ...; NULL when out of range. */
DPL_API const char *dpl_beads_format_name(dpl_beads_format format);

/* Zero in a field means its default. Strings are copied. */
typedef struct dpl_beads_options {
    dpl_beads_format format;
    bool has_all; /* TSV, JSONL: also beads that were not kept, and the verdict of each */
    bool is_one_per_line; /* as aligned; units are numbered by the line that they stand in */
    const char *lang[2];  /* MOSES: endings of the two files, must be given. TMX: languages;
                             default: each document's own */
    /* Takes the text, instead of files; side is 1 for MOSES' right one. */
    void (*put)(void *user, int side, const char *data, size_t n);
    void *user;
} dpl_beads_options;

/* Writes the beads of document pairs: those that were kept; LADDER and VECALIGN, which tell how
 * two documents lie beside each other, all of them. Sentences stand there as dpl_bitext_row has
 * them: on one line, without control characters. Owned. */
typedef struct dpl_beads_writer dpl_beads_writer;

/* To path, or MOSES to path.LANG and path.LANG, through temporary names; with options->put path
 * is not used. */
DPL_API dpl_status dpl_beads_open(dpl_beads_writer **out, dpl_ctx *ctx, const char *path,
                                  const dpl_collection *left, const dpl_collection *right,
                                  const dpl_beads_options *options, dpl_error *err);
/* A dpl_aligned_docs_fn; writer is a dpl_beads_writer. LADDER and VECALIGN hold one document
 * pair, and LADDER no beads that cross: DPL_E_USAGE. */
DPL_API dpl_status dpl_beads_write(void *writer, const dpl_aligned_docs *docs, dpl_error *err);
/* Gives the files their names; *n_rows is how many beads they hold and may be NULL. */
DPL_API dpl_status dpl_beads_finish(uint64_t *n_rows, dpl_beads_writer *writer, dpl_error *err);
/* Without a finish before it, nothing is left of the files. */
DPL_API void dpl_beads_close(dpl_beads_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
