/*
 * language_model.h - a trigram model with Kneser-Ney smoothing.
 */
#ifndef DPL_TRANSLATE_LANGUAGE_MODEL_H
#define DPL_TRANSLATE_LANGUAGE_MODEL_H

#include "base/vec.h"
#include "io/container.h"
#include "io/spill.h"
#include "translate/phrase_keys.h"

enum { DPL__LM_BITS = 21, DPL__LM_MOST = (1 << DPL__LM_BITS) - 4 };

#define DPL__LM_BREAK UINT32_MAX

/* ln p. Frozen. */
typedef struct dpl__lm {
    uint32_t n_words; /* then: unknown, begin of a sentence, end of one */
    const float *unigrams, *unigram_backoffs; /* n_words + 3 */
    const float *bigrams, *bigram_backoffs;   /* in the order of keys */
    const float *trigrams;
    dpl__keys bigram_keys, trigram_keys;
} dpl__lm;

static inline uint32_t dpl__lm_begin(const dpl__lm *m)
{
    return m->n_words + 1;
}

static inline uint32_t dpl__lm_end(const dpl__lm *m)
{
    return m->n_words + 2;
}

static inline uint64_t dpl__lm_key2(uint32_t a, uint32_t b)
{
    return dpl__mix((uint64_t)a << DPL__LM_BITS | b);
}

static inline uint64_t dpl__lm_key3(uint32_t a, uint32_t b, uint32_t c)
{
    return dpl__mix((uint64_t)a << 2 * DPL__LM_BITS | (uint64_t)b << DPL__LM_BITS | c);
}

/* ln p(c | a b) */
float dpl__lm_score(const dpl__lm *m, uint32_t a, uint32_t b, uint32_t c);

/* Writes the records of a spool as a section. */
dpl_status dpl__write_spool(dpl__writer *w, dpl_ctx *ctx, const char *name, size_t record,
                            const dpl__spool *spool, dpl_error *err);
/* Counts a text (uint32_t), in which DPL__LM_BREAK ends each sentence, and writes the sections.
 * Words from n_words on, which is at most DPL__LM_MOST, are unknown ones. */
dpl_status dpl__lm_write(dpl__writer *w, dpl__spill *spill, const dpl__spool *text,
                         uint32_t n_words, uint64_t counts[2], dpl_error *err);
dpl_status dpl__lm_open(dpl__lm *m, dpl_ctx *ctx, const dpl_file *file, uint32_t n_words,
                        dpl_error *err);
void dpl__lm_close(dpl__lm *m, dpl_ctx *ctx);

#endif
