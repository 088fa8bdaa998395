/*
 * mining.h - what the experiments of document mining share: lists of documents and of sentence
 * pairs, the n-gram search and its measures, translators and their BLEU.
 *
 * Uszkoreit, Ponte, Popat and Dubiner: Large Scale Parallel Document Mining for Machine
 * Translation (COLING 2010). The left documents are translated into the language of the right
 * ones; the translator is trained on the sentence pairs that were given, or else on those that
 * mining finds in the two collections.
 */
#ifndef DPL_LAB_MINING_H
#define DPL_LAB_MINING_H

#include "lab/experiment.h"

#include "doppel/translate.h"

dpl__lab_fn dpl__lab_mining_table_1, dpl__lab_mining_figure_2, dpl__lab_mining_figure_3,
    dpl__lab_mining_table_3, dpl__lab_mining_table_4, dpl__lab_mining_table_5,
    dpl__lab_mining_table_6, dpl__lab_mining_table_7, dpl__lab_mining_scores,
    dpl__lab_mining_growth;

/* ---- documents (mining_docs.c) ------------------------------------------------------ */

/* Documents under construction. Zero it, set ctx; owned. */
typedef struct dpl__mining_docs {
    dpl_ctx *ctx;
    dpl__arena text;
    DPL_VEC(dpl_doc) docs;
} dpl__mining_docs;

void dpl__mining_docs_init(dpl__mining_docs *docs, dpl_ctx *ctx);
void dpl__mining_docs_clear(dpl__mining_docs *docs);
/* Copies id and text. */
dpl_status dpl__mining_docs_add(dpl__mining_docs *docs, dpl_str id, dpl_str text,
                                dpl_error *err);
/* A collection of them, in the language, without stems. */
dpl_status dpl__mining_docs_collect(dpl_collection **out, const dpl__mining_docs *docs,
                                    dpl__lab *lab, const char *lang, dpl_error *err);
/* The documents of a side of the lab, without stems. */
dpl_status dpl__mining_words(dpl_collection **out, dpl__lab *lab, unsigned side,
                             dpl_error *err);
/* The left documents, translated, without stems. */
dpl_status dpl__mining_translate(dpl_collection **out, dpl__lab *lab,
                                 dpl_translator *translator, dpl_error *err);

/* Two collections in one language: the left one is a translation. Owned. */
typedef struct dpl__mining_sides {
    dpl_collection *c[2];
} dpl__mining_sides;

/* Of the lab's inputs; translated once for a run. */
dpl_status dpl__mining_sides_open(dpl__mining_sides *sides, dpl__lab *lab, dpl_error *err);
void dpl__mining_sides_close(dpl__mining_sides *sides);

/* ---- the search (mining_find.c) ----------------------------------------------------- */

/* Pairs of documents; numbers of each side from 0. Owned. */
typedef struct dpl__mining_found {
    dpl_ctx *ctx;
    const dpl__mining_sides *sides; /* that were searched; must live as long */
    DPL_VEC(dpl_pair) pairs;
    dpl_ngram_summary counts;
} dpl__mining_found;

/* Options but for spill_dir; replaces what *found holds, which is zeroed at first. */
dpl_status dpl__mining_find(dpl__mining_found *found, dpl__lab *lab,
                            const dpl__mining_sides *sides, const dpl_pairs_options *options,
                            dpl_error *err);
void dpl__mining_found_clear(dpl__mining_found *found);

typedef struct dpl__mining_gold {
    const dpl_id_pair *pairs;
    size_t n;
} dpl__mining_gold;

/* The lab's gold pairs as ids. Lives as long as the experiment. */
dpl_status dpl__mining_gold_get(dpl__mining_gold *gold, dpl__lab *lab, dpl_error *err);
/* Pairs at or above the threshold against gold: precision and recall as the paper defines them.
 */
dpl_status dpl__mining_measure(dpl_eval_pairs *out, dpl__lab *lab,
                               const dpl__mining_found *found, const dpl__mining_gold *gold,
                               double threshold, dpl_error *err);

/* ---- cosines of bigrams (mining_grams.c) -------------------------------------------- */

typedef enum dpl__mining_scheme {
    DPL__MINING_IDF = 0, /* the paper's */
    DPL__MINING_TF_IDF,
    DPL__MINING_BM25
} dpl__mining_scheme;

/* A bigram of a document: how often it has it, and how many documents do. */
typedef struct dpl__mining_gram {
    uint64_t key;
    uint32_t doc, tf, df;
} dpl__mining_gram;

/* Of two collections; right documents are numbered behind the left ones. all is cleared by the
 * caller, the rest lives as long as the experiment. */
typedef struct dpl__mining_grams {
    dpl__lab *lab;
    DPL_VEC(dpl__mining_gram) all; /* of two documents and more; by document, then key */
    uint64_t *begin;               /* n_docs + 1 */
    uint32_t *lengths;             /* bigrams of a document, all of them */
    uint32_t n_docs, n_left;
    double mean_length;
} dpl__mining_grams;

dpl_status dpl__mining_grams_make(dpl__mining_grams *grams, dpl__lab *lab,
                                  const dpl__mining_sides *sides, dpl_error *err);
double dpl__mining_grams_score(const dpl__mining_grams *grams, uint32_t left, uint32_t right,
                               dpl__mining_scheme scheme);

/* ---- differences of F1 (mining_paired.c) -------------------------------------------- */

enum { DPL__MINING_DRAWS = 1000, DPL__MINING_WAYS = 3 };

/* What a left document adds to F1. */
typedef struct dpl__mining_outcome {
    unsigned n_gold, n_found, n_right;
} dpl__mining_outcome;

/* Outcomes of all left documents, of ways to mine the lab's collections. */
typedef struct dpl__mining_outcomes {
    uint32_t n_docs;
    const dpl_collection *docs[2];
    uint32_t *wanted; /* of a left document its gold counterpart; UINT32_MAX: none */
    bool *is_gold;    /* of a right document */
    dpl__mining_outcome *of[DPL__MINING_WAYS];
} dpl__mining_outcomes;

/* Lives as long as the experiment. */
dpl_status dpl__mining_outcomes_begin(dpl__mining_outcomes *o, dpl__lab *lab, unsigned n_ways,
                                      dpl_error *err);
/* Pairs at or above the threshold. Those that neither match nor touch gold do not count, as in
 * the paper. */
void dpl__mining_outcomes_add(dpl__mining_outcomes *o, const dpl__mining_found *found,
                              unsigned way, double threshold);
/* Where 95 % of the differences of F1 lie, documents drawn with replacement. */
dpl_status dpl__mining_difference(double bounds[2], dpl__lab *lab,
                                  const dpl__mining_outcomes *o, unsigned from, unsigned to,
                                  dpl_error *err);

/* ---- sentence pairs (mining_rows.c) ------------------------------------------------- */

/* Zero it, or begin with _init; owned. */
typedef struct dpl__mining_rows {
    dpl_ctx *ctx;
    dpl__arena text;
    DPL_VEC(dpl_bitext_row) rows;
    bool is_turned; /* a test set: from the right language into the left one */
} dpl__mining_rows;

void dpl__mining_rows_init(dpl__mining_rows *rows, dpl_ctx *ctx);
void dpl__mining_rows_clear(dpl__mining_rows *rows);
/* Copies; line ends and tabs become blanks. */
dpl_status dpl__mining_rows_add(dpl__mining_rows *rows, dpl_str left, dpl_str right,
                                dpl_error *err);
/* Evenly spaced rows of a file, at most `most`. */
dpl_status dpl__mining_rows_read(dpl__mining_rows *rows, dpl__lab *lab, const char *path,
                                 size_t most, dpl_error *err);
/* Keeps n evenly spaced rows. */
void dpl__mining_rows_thin(dpl__mining_rows *rows, size_t n);
/* The lines, one for one, of gold documents that have as many lines on both sides. */
dpl_status dpl__mining_rows_gold(dpl__mining_rows *rows, dpl__lab *lab, dpl_error *err);
/* Sentence pairs of document pairs, aligned with a lexicon of words without stems. */
dpl_status dpl__mining_rows_align(dpl__mining_rows *rows, dpl__lab *lab,
                                  const dpl__mining_found *found, const dpl_lexicon *lexicon,
                                  dpl_error *err);
/* Sentence pairs that 'doppel mine' finds in the two collections. */
dpl_status dpl__mining_rows_mined(dpl__mining_rows *rows, dpl__lab *lab, dpl_error *err);
/* Sentence pairs of the two collections that a classifier takes for translations, after
 * Munteanu and Marcu (mining_classifier.c). */
dpl_status dpl__mining_rows_classified(dpl__mining_rows *rows, dpl__lab *lab,
                                       const dpl_lexicon *lexicon,
                                       const dpl__mining_rows *parallel, dpl_error *err);
/* Words of a side: runs of bytes without blanks. */
uint64_t dpl__mining_rows_words(const dpl__mining_rows *rows, unsigned side);
/* left <TAB> right a line: the rows of all lists. */
dpl_status dpl__mining_rows_write(dpl__lab *lab, const char *path,
                                  const dpl__mining_rows *const *lists, size_t n_lists,
                                  dpl_error *err);

/* ---- sentences of the test set in the training data (mining_overlap.c) -------------- */

/* Drops rows of which a side has more than 0.3 of its runs of six words in common with a
 * sentence of that side of the test set. */
dpl_status dpl__mining_rows_without(dpl__mining_rows *rows, uint64_t *n_dropped, dpl__lab *lab,
                                    const dpl__mining_rows *test, dpl_error *err);

/* ---- translators (mining_system.c) -------------------------------------------------- */

/* BLEU of samples of the test set with replacement: the same samples for every translator, so
 * that differences are paired (Koehn 2004). */
typedef struct dpl__mining_boot {
    float bleu[DPL__MINING_DRAWS];
} dpl__mining_boot;

/* Where 95 % of the draws lie; of the difference to another one unless that is NULL. */
typedef struct dpl__mining_interval {
    double low, high;
} dpl__mining_interval;
dpl__mining_interval dpl__mining_boot_interval(const dpl__mining_boot *x,
                                               const dpl__mining_boot *other);

/* A translator and the lexicon that its text was aligned with. Zero it; owned. */
typedef struct dpl__mining_system {
    dpl_lexicon *lexicon;
    dpl_translator *into_right;
    double bleu[2]; /* into the right language; into the left one */
    dpl__mining_boot boot[2];
    uint64_t n_rows;
} dpl__mining_system;

/* Trains on all lists. With a test set both directions are tested. Without rows there is no
 * translator, and BLEU is 0. */
dpl_status dpl__mining_system_train(dpl__mining_system *out, dpl__lab *lab,
                                    const dpl__mining_rows *const *lists, size_t n_lists,
                                    const dpl__mining_rows *test, dpl_error *err);
void dpl__mining_system_clear(dpl__mining_system *system);

#endif
