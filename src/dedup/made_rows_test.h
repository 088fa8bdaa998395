/*
 * made_rows_test.h - documents in rows, as a run of dedup has them, and pairs of them compared
 * word by word.
 */
#ifndef DPL_DEDUP_MADE_ROWS_TEST_H
#define DPL_DEDUP_MADE_ROWS_TEST_H

#include "dedup/set_search.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { MADE_ROWS = 129, MADE_DOCS = 139, MADE_NEW = 90, MADE_WORDS = 12, MADE_SHINGLE = 3 };

typedef struct made_rows {
    dpl_ctx *ctx;
    char json[MADE_DOCS * 160];
    dpl__inputs in;
    dpl_collection *c;
    dpl__sets sets;
    dpl__dedup_docs docs;
    uint32_t *n_set;
    double own;
} made_rows;

/* Windows of a text, so that those near each other share shingles; the last documents are
 * copies of others. Of the first ones, MADE_NEW are new, the others old. Rows are one more than
 * a multiple of 64, of which loops make jobs. */
static inline made_rows *made_rows_new(unsigned n_threads)
{
    made_rows *s = calloc(1, sizeof *s);
    size_t n = 0, n_first = 0;
    for (size_t i = 0; i < MADE_DOCS; i++) {
        const size_t first = i < MADE_ROWS ? i * 7 % MADE_ROWS : (i - MADE_ROWS) * 11;
        n_first = i == MADE_NEW ? n : n_first;
        n += (size_t)sprintf(s->json + n, "{\"id\":\"%zu\",\"lang\":\"en\",\"text\":\"", i);
        for (size_t k = 0; k < MADE_WORDS; k++)
            n += (size_t)sprintf(s->json + n, "w%zu ", (first + k) * (first + k) % 389);
        n += (size_t)sprintf(s->json + n, "\"}\n");
    }
    const dpl_input in[] = {{.buffer = {s->json, n_first}, .name = "new"},
                            {.buffer = {s->json + n_first, n - n_first}, .name = "old"}};
    const dpl_import_options o = DPL_INIT(dpl_import_options, .number_inputs = true);
    s->ctx = test_ctx(n_threads);
    CHECK_OK(dpl__inputs_open(&s->in, s->ctx, in, 2, &test_err));
    CHECK_OK(dpl_collection_from_inputs(&s->c, NULL, s->ctx, s->in.data, 2, &o, &test_err));
    CHECK_OK(dpl__sets_init(&s->sets, s->ctx, s->c, MADE_SHINGLE, &test_err));
    CHECK_OK(dpl__dedup_docs_init(&s->docs, &s->sets, &s->in, 1, &test_err));
    CHECK_OK(dpl__set_sizes(&s->n_set, &s->own, &s->docs, &s->sets, false, &test_err));
    CHECK_EQ(s->docs.n_rows, MADE_ROWS);
    return s;
}

static inline void made_rows_free(made_rows *s)
{
    dpl__free(s->ctx, s->n_set);
    dpl__dedup_docs_clear(&s->docs);
    dpl__sets_clear(&s->sets);
    dpl_collection_close(s->c);
    dpl__inputs_close(&s->in);
    test_ctx_done(s->ctx);
    free(s);
}

static inline dpl__set_query made_query(const made_rows *s, dpl_dedup_measure measure,
                                        double least)
{
    return (dpl__set_query){.docs = &s->docs,
                            .sets = &s->sets,
                            .n_set = s->n_set,
                            .measure = measure,
                            .least = least,
                            .own = s->own};
}

/* Different shingles of row a, and those of them that row b has. */
static inline size_t count_shingles(const made_rows *s, uint32_t a, uint32_t b, size_t *n_both)
{
    enum { W = MADE_SHINGLE };
    size_t n, m, n_all = 0;
    const uint32_t *x = dpl_collection_tokens(s->c, s->docs.rows[a].doc, &n),
                   *y = dpl_collection_tokens(s->c, s->docs.rows[b].doc, &m);
    *n_both = 0;
    for (size_t i = 0; i + W <= n; i++) {
        bool is_first = true, is_there = false;
        for (size_t k = 0; k < i; k++)
            is_first = is_first && memcmp(x + k, x + i, W * sizeof *x) != 0;
        for (size_t k = 0; k + W <= m; k++)
            is_there = is_there || memcmp(y + k, x + i, W * sizeof *x) == 0;
        n_all += is_first;
        *n_both += is_first && is_there;
    }
    return n_all;
}

static inline double made_similarity(const made_rows *s, uint32_t row, uint32_t other,
                                     dpl_dedup_measure measure)
{
    size_t both;
    const size_t a = count_shingles(s, row, other, &both),
                 b = count_shingles(s, other, row, &both);
    return (double)both /
           (double)(measure == DPL_DEDUP_CONTAINMENT ? (a < b ? a : b) : a + b - both);
}

#endif
