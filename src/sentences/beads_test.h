/*
 * beads_test.h - made-up document pairs whose beads are known.
 *
 * Left word w stands for right word w, most of the time; every text is made from a seed. The
 * first words are frequent, like articles, the others rare.
 */
#ifndef DPL_SENTENCES_BEADS_TEST_H
#define DPL_SENTENCES_BEADS_TEST_H

#include "base/hash.h"
#include "base/maths.h"
#include "base/vec.h"
#include "sentences/beads.h"
#include "test.h"

typedef struct made_side {
    DPL_VEC(uint32_t) tokens;
    DPL_VEC(uint32_t) begin; /* one more than sentences */
    DPL_VEC(uint32_t) chars;
} made_side;

typedef struct made {
    dpl_ctx *ctx;
    made_side side[2];
    DPL_VEC(dpl_bead) gold;
    dpl__bead_doc docs[2]; /* after made_finish */
} made;

typedef struct made_model {
    dpl_ctx *ctx;
    uint32_t n;
    float *p, *expected;
    bool *is_known;
    uint64_t *begin;
    dpl__bead_link *links;
    dpl__bead_model model;
} made_model;

static inline void made_clear(made *m)
{
    for (int s = 0; s < 2; s++)
        dpl__vec_clear(m->ctx, &m->side[s].tokens, &m->side[s].begin, &m->side[s].chars);
    dpl__vec_clear(m->ctx, &m->gold);
}

/* ---- by hand ------------------------------------------------------------------------ */

/* "1 2 3|4 5": numbers of words, sentences with bars between; 10 characters a word. */
static inline void made_read(made *m, int side, const char *text)
{
    made_side *s = &m->side[side];
    CHECK(dpl__vec_push(m->ctx, &s->begin, 0));
    if (!*text)
        return;
    for (const char *at = text;; at++) {
        if (*at >= '0' && *at <= '9') {
            uint32_t word = 0;
            for (; *at >= '0' && *at <= '9'; at++)
                word = word * 10 + (uint32_t)(*at - '0');
            CHECK(dpl__vec_push(m->ctx, &s->tokens, word));
        }
        if (*at == '|' || !*at) {
            uint32_t n = (uint32_t)s->tokens.n - s->begin.data[s->begin.n - 1];
            CHECK(dpl__vec_push(m->ctx, &s->begin, (uint32_t)s->tokens.n));
            CHECK(dpl__vec_push(m->ctx, &s->chars, 10 * n));
        }
        if (!*at)
            return;
    }
}

static inline void made_finish(made *m)
{
    for (int s = 0; s < 2; s++)
        m->docs[s] = (dpl__bead_doc){m->side[s].tokens.data,
                                     m->side[s].begin.data,
                                     m->side[s].chars.data,
                                     (uint32_t)m->side[s].chars.n,
                                     NULL,
                                     NULL};
}

static inline made made_docs(dpl_ctx *ctx, const char *left, const char *right)
{
    made m = {.ctx = ctx};
    made_read(&m, DPL__LEFT, left);
    made_read(&m, DPL__RIGHT, right);
    made_finish(&m);
    return m;
}

/* ---- by chance ---------------------------------------------------------------------- */

enum { MADE_FREQUENT = 20 };

static inline uint32_t made_word(dpl__rng *rng, uint32_t n_words)
{
    return dpl__rng_below(rng, 3) == 0
               ? (uint32_t)dpl__rng_below(rng, MADE_FREQUENT)
               : (uint32_t)(MADE_FREQUENT + dpl__rng_below(rng, n_words - MADE_FREQUENT));
}

/* Adds a sentence to a side, or goes on with the last one. */
static inline void made_add(made *m, int side, const uint32_t *words, uint32_t n, bool is_new)
{
    made_side *s = &m->side[side];
    if (!s->begin.n)
        CHECK(dpl__vec_push(m->ctx, &s->begin, 0));
    CHECK(dpl__vec_append(m->ctx, &s->tokens, words, n));
    if (is_new) {
        CHECK(dpl__vec_push(m->ctx, &s->begin, 0));
        CHECK(dpl__vec_push(m->ctx, &s->chars, 0));
    }
    s->begin.data[s->begin.n - 1] = (uint32_t)s->tokens.n;
    for (uint32_t i = 0; i < n; i++)
        s->chars.data[s->chars.n - 1] += 2 + words[i] % 7;
}

/* The same words in another order, of ten one missing, one another. */
static inline uint32_t made_translate(uint32_t *out, dpl__rng *rng, const uint32_t *words,
                                      uint32_t n, uint32_t n_words)
{
    uint32_t n_out = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t chance = dpl__rng_below(rng, 10);
        if (chance > 0 || n == 1)
            out[n_out++] = chance == 1 ? made_word(rng, n_words) : words[i];
    }
    for (uint32_t i = 0; i + 1 < n_out; i++)
        if (dpl__rng_below(rng, 4) == 0) {
            uint32_t word = out[i];
            out[i] = out[i + 1];
            out[i + 1] = word;
        }
    return n_out;
}

/* Adds k left sentences beside l right ones, of which one is 1, or 0. */
static inline void made_bead(made *m, dpl__rng *rng, uint32_t n_words, unsigned k, unsigned l)
{
    uint32_t words[16], other[16];
    dpl_bead bead = {.left = (uint32_t)m->side[0].chars.n,
                     .n_left = k,
                     .right = (uint32_t)m->side[1].chars.n,
                     .n_right = l};
    for (unsigned i = 0; i < k || i < l; i++) {
        uint32_t n = 6 + (uint32_t)dpl__rng_below(rng, 10);
        for (uint32_t w = 0; w < n; w++)
            words[w] = made_word(rng, n_words);
        uint32_t n_other = made_translate(other, rng, words, n, n_words);
        if (k)
            made_add(m, DPL__LEFT, words, n, i < k);
        if (l)
            made_add(m, DPL__RIGHT, other, n_other, i < l);
    }
    CHECK(dpl__vec_push(m->ctx, &m->gold, bead));
}

/* n beads of all kinds, most of them 1-1. */
static inline made made_text(dpl_ctx *ctx, uint64_t seed, uint32_t n, uint32_t n_words)
{
    static const unsigned kinds[][2] = {{1, 0}, {0, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}};
    made m = {.ctx = ctx};
    dpl__rng rng = {dpl__mix(seed)};
    for (int s = 0; s < 2; s++)
        CHECK(dpl__vec_push(ctx, &m.side[s].begin, 0));
    for (uint32_t i = 0; i < n; i++) {
        uint64_t kind = dpl__rng_below(&rng, 30);
        if (kind < DPL_LEN(kinds))
            made_bead(&m, &rng, n_words, kinds[kind][0], kinds[kind][1]);
        else
            made_bead(&m, &rng, n_words, 1, 1);
    }
    made_finish(&m);
    return m;
}

/* ---- the model ---------------------------------------------------------------------- */

static inline void made_model_clear(made_model *m)
{
    dpl__free(m->ctx, m->p, m->expected, m->is_known, m->begin, m->links);
}

/* Word w stands for w with 0.7, for the next one with 0.1; of every fifth nothing is known. */
static inline void made_model_init(made_model *m, dpl_ctx *ctx, uint32_t n)
{
    *m = (made_model){.ctx = ctx, .n = n};
    m->p = dpl__alloc(ctx, n * sizeof *m->p);
    m->expected = dpl__alloc(ctx, n * sizeof *m->expected);
    m->is_known = dpl__alloc(ctx, n * sizeof *m->is_known);
    m->begin = dpl__alloc(ctx, (n + 1) * sizeof *m->begin);
    m->links = dpl__alloc(ctx, 2 * n * sizeof *m->links);
    CHECK(m->p && m->expected && m->is_known && m->begin && m->links);
    uint64_t at = 0;
    for (uint32_t w = 0; w < n; w++) {
        m->begin[w] = at;
        m->p[w] = w < MADE_FREQUENT ? 0.3f / MADE_FREQUENT : 0.7f / (float)n;
        m->is_known[w] = w % 5 != 4;
        m->expected[w] = m->is_known[w] ? 3 : 0;
        if (!m->is_known[w])
            continue;
        m->links[at++] = (dpl__bead_link){w, {0.7f, 0.6f}, 3};
        if (w + 1 < n)
            m->links[at++] = (dpl__bead_link){w + 1, {0.1f, 0.0f}, 0.5f};
    }
    m->begin[n] = at;
    dpl__bead_terms terms = {n, m->p, m->is_known, m->expected};
    m->model = (dpl__bead_model){.terms = {terms, terms},
                                 .begin = m->begin,
                                 .links = m->links,
                                 .weight = 0.3,
                                 .null_known = 0.4};
    dpl__bead_priors_init(&m->model.priors);
    for (unsigned k = 1; k <= DPL__MAX_SIDE; k++) /* sentences of three words of ten letters */
        m->model.priors.runs[0][k].mean = m->model.priors.runs[1][k].mean = dpl__log(30.0 * k);
}

#endif
