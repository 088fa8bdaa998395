/*
 * lexicon_parts_test.h - a small lexicon with all its parts, for tests of its file.
 */
#ifndef DPL_LEXICON_LEXICON_PARTS_TEST_H
#define DPL_LEXICON_LEXICON_PARTS_TEST_H

#include "lexicon/encoded_test.h"
#include "lexicon/write_lexicon.h"
#include "test.h"

#include <stdio.h>

typedef struct test_parts {
    dpl_ctx *ctx;
    dpl__lexicon_parts parts;
    dpl__wordmodel model;
    uint64_t offsets[CORPUS_WORDS + 1];
    char bytes[2][4 * CORPUS_WORDS + 1];
} test_parts;

/* The table of a side from all links of the model. */
static inline void test_parts_table(test_parts *t, int side)
{
    const dpl__wordmodel *m = &t->model;
    size_t n = (size_t)m->n_links;
    dpl__cell *cells = dpl__alloc(t->ctx, (n + 1) * sizeof *cells);
    CHECK(cells != NULL);
    for (uint32_t l = 0; l < CORPUS_WORDS; l++)
        for (uint64_t k = m->begin[l]; k < m->begin[l + 1]; k++)
            cells[k] = (dpl__cell){.row = side == DPL__LEFT ? l : m->right[k],
                                   .col = side == DPL__LEFT ? m->right[k] : l,
                                   .p = m->links[k].p[side]};
    CHECK_OK(dpl__cells_sort(cells, t->ctx, n, CORPUS_WORDS, CORPUS_WORDS, &test_err));
    CHECK_OK(dpl__table_make(&t->parts.table[side], t->ctx, cells, n, CORPUS_WORDS, &test_err));
    CHECK_OK(dpl__prune(&t->parts.table[side], t->ctx, NULL, NULL, &test_err));
    dpl__free(t->ctx, cells);
}

/* A drawn corpus, trained: words "l00!" .. and "r00!" .., a model, pruned tables. */
static inline void test_parts_make(test_parts *t, dpl_ctx *ctx, uint64_t seed, size_t n_rows)
{
    static corpus c;
    dpl__model_summary summary;
    *t = (test_parts){.ctx = ctx};
    t->model.ctx = ctx;
    corpus_draw(&c, seed, n_rows, 6);
    CHECK_OK(dpl__train_model(&t->model, &summary, ctx, &c.encoded, NULL, &test_err));
    for (uint32_t w = 0; w <= CORPUS_WORDS; w++)
        t->offsets[w] = 4 * w;
    for (int side = 0; side < 2; side++) {
        for (uint32_t w = 0; w < CORPUS_WORDS; w++)
            sprintf(t->bytes[side] + 4 * w, "%c%02u!", "lr"[side], w);
        t->parts.words[side] = (dpl__strings){t->offsets, t->bytes[side], CORPUS_WORDS};
        test_parts_table(t, side);
    }
    t->parts.lang[DPL__LEFT] = "de";
    t->parts.lang[DPL__RIGHT] = "en";
    t->parts.model = &t->model;
    t->parts.made = DPL_STR("\"rows\":7");
}

static inline void test_parts_clear(test_parts *t)
{
    dpl__table_clear(&t->parts.table[DPL__LEFT], t->ctx);
    dpl__table_clear(&t->parts.table[DPL__RIGHT], t->ctx);
    dpl__wordmodel_clear(&t->model);
}

#endif
