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

#ifdef __cplusplus
}
#endif
#endif
