/*
 * synth_parts.h - parts of synthetic collections.
 *
 * A document is a function of the seed and its number, so that any thread can make any of them,
 * and the counterpart of a document is made from the same words again. Words are ranks: numbers
 * in the order of their probability, without end; their spelling is computed.
 */
#ifndef DPL_LAB_SYNTH_PARTS_H
#define DPL_LAB_SYNTH_PARTS_H

#include "base/hash.h"
#include "base/vec.h"
#include "doppel-lab/synth.h"
#include "io/text_output.h"

/* ---- who is paired with whom (synth_plan.c) ---------------------------------------------- */

/* A permutation of [0, n) that is computed, not stored. */
typedef struct dpl__permutation {
    uint64_t n, key;
    unsigned half; /* bits */
} dpl__permutation;

dpl__permutation dpl__permutation_new(uint64_t n, uint64_t key);
uint64_t dpl__permute(const dpl__permutation *p, uint64_t i);
uint64_t dpl__permute_back(const dpl__permutation *p, uint64_t i);

/* Pair k < n_pairs is the left document order[0](k) and the right one order[1](k). */
typedef struct dpl__synth_plan {
    uint64_t seed;
    uint64_t n[2];
    uint64_t n_pairs;
    double low, high; /* of the similarity */
    dpl__permutation order[2];
} dpl__synth_plan;

void dpl__synth_plan_make(dpl__synth_plan *out, uint64_t seed, const dpl_synth_options *set);
/* The number of the pair that a document is in; n_pairs or more: in none. */
uint64_t dpl__synth_pair_of(const dpl__synth_plan *plan, int side, uint64_t doc);
/* Its share or cosine. */
double dpl__synth_similarity(const dpl__synth_plan *plan, uint64_t pair);
/* The start of the random numbers of a thing: of `what`, number i. */
dpl__rng dpl__synth_rng(const dpl__synth_plan *plan, unsigned what, uint64_t i);
enum {
    DPL__SYNTH_LEFT = 1, /* source text of left documents and of their counterparts */
    DPL__SYNTH_RIGHT,    /* of right documents without counterpart */
    DPL__SYNTH_FILL,     /* of what stands beside a translated part */
    DPL__SYNTH_PAIR,     /* similarity */
    DPL__SYNTH_TRANSLATE,
    DPL__SYNTH_ORDER,
    DPL__SYNTH_TRY /* documents made to measure */
};

/* Uniform in [0, 1). */
static inline double dpl__rng_real(dpl__rng *rng)
{
    return (double)(dpl__rng_next(rng) >> 11) * 0x1p-53;
}
/* Two independent numbers with the normal distribution. */
void dpl__rng_normal(dpl__rng *rng, double out[2]);

/* Appends a line of gold.tsv: the pair of left document or row `left`, if it is in one, with
 * the similarity. names: what ids begin with. False when there is no memory. */
bool dpl__synth_gold(dpl__bytes *out, dpl_ctx *ctx, const dpl__synth_plan *plan,
                     const char *const names[2], uint64_t left, double similarity);

/* ---- frequencies of words (synth_model.c) ------------------------------------------------ */

typedef struct dpl__synth_model {
    dpl_ctx *ctx;
    uint32_t n_head;
    double *p;       /* of the words below n_head */
    uint32_t *alias; /* Walker's tables for drawing one of them */
    uint32_t *keep;  /* keep the one drawn below this, of 2^32 */
    double tail;     /* probability of all others, whose own falls as rank^-gamma */
    double gamma;
    double log_words[2]; /* lengths of documents: mean and deviation of the logarithm */
    double log_sentence[2];
    double repeated;
    double same;
    uint32_t n_topics;
} dpl__synth_model;

dpl_status dpl__synth_model_make(dpl__synth_model *out, dpl_ctx *ctx,
                                 const dpl_synth_options *set, const dpl__synth_plan *plan,
                                 dpl_error *err);
void dpl__synth_model_clear(dpl__synth_model *m);
/* A rank, drawn; below 2^40. */
uint64_t dpl__synth_draw(const dpl__synth_model *m, dpl__rng *rng);
/* The probability of a rank. */
double dpl__synth_p(const dpl__synth_model *m, uint64_t rank);
/* How many different words n words have, as expected. */
double dpl__synth_distinct(const dpl__synth_model *m, double n);
/* Ranks that are likelier than not to occur among n words. */
uint64_t dpl__synth_likely(const dpl__synth_model *m, double n);

/* ---- spelling and translations (synth_words.c) ------------------------------------------- */

/* The most frequent words, which all topics have. */
enum { DPL__SYNTH_FUNCTION = 100 };
/* Numbers: a word with this bit is the number below it, written in digits. */
#define DPL__SYNTH_NUMBER ((uint64_t)1 << 63)
enum { DPL__SYNTH_MOST_LETTERS = 40, DPL__SYNTH_MOST_TRANSLATIONS = 3 };

bool dpl__synth_is_name(const dpl__synth_model *m, uint64_t word);
/* Words of the left language are ranks, or numbers. Returns the number of letters; not
 * terminated. */
size_t dpl__synth_spell_left(char *out, const dpl__synth_model *m, uint64_t word);
/* Words of the right language are what the translations of left words are. */
size_t dpl__synth_spell_right(char *out, const dpl__synth_model *m, uint64_t word);
/* 1 to 3 right words with their probabilities; returns how many. */
size_t dpl__synth_translations(uint64_t *words, double *p, const dpl__synth_model *m,
                               uint64_t word);

/* ---- text (synth_text.c) ------------------------------------------------------------ */

/* A document as words. Owned. */
typedef struct dpl__synth_doc {
    DPL_VEC(uint64_t) words;
    DPL_VEC(uint32_t) ends; /* of the sentences: number of words up to there */
} dpl__synth_doc;

/* What a thread needs to make documents. Owned. */
typedef struct dpl__synth_scratch {
    dpl_ctx *ctx;
    dpl__synth_doc source, fill;
    DPL_VEC(uint64_t) content; /* words of the document that may be repeated */
    DPL_VEC(uint64_t) line;
    uint64_t n_words;
} dpl__synth_scratch;

void dpl__synth_scratch_clear(dpl__synth_scratch *s);

/* Appends the sentences of one more document. */
dpl_status dpl__synth_source(dpl__synth_doc *doc, dpl__synth_scratch *s,
                             const dpl__synth_model *m, dpl__rng rng, dpl_error *err);
/* Appends the text of a left or right document, with "\\n" between paragraphs, as written in
 * a JSON string. */
dpl_status dpl__synth_left(dpl__bytes *out, dpl__synth_scratch *s, const dpl__synth_model *m,
                           const dpl__synth_plan *plan, uint64_t doc, dpl_error *err);
dpl_status dpl__synth_right(dpl__bytes *out, dpl__synth_scratch *s, const dpl__synth_model *m,
                            const dpl__synth_plan *plan, const dpl_synth_options *set,
                            uint64_t doc, dpl_error *err);
/* Of the sentences of the right document of a pair, n in all: how many are translated, and
 * which one is the first. */
uint32_t dpl__synth_piece(uint32_t *first, const dpl__synth_plan *plan, uint64_t pair,
                          uint32_t n);

/* ---- files -------------------------------------------------------------------------- */

dpl_status dpl__synth_documents(dpl_synth_summary *s, dpl_ctx *ctx, const char *folder,
                                const dpl_synth_options *set, const dpl__synth_plan *plan,
                                dpl_error *err);
dpl_status dpl__synth_vectors(dpl_synth_summary *s, dpl_ctx *ctx, const char *folder,
                              const dpl_synth_options *set, const dpl__synth_plan *plan,
                              dpl_error *err);

/* FOLDER/NAME, written. */

#endif
