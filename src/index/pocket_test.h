/*
 * pocket_test.h - indexes of documents of drawn words.
 */
#ifndef DPL_INDEX_POCKET_TEST_H
#define DPL_INDEX_POCKET_TEST_H

#include "index/query.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* Documents of an index: drawn words, every third document an earlier one with some words
 * exchanged; the last n_copies are all the same. */
typedef struct drawn_docs {
    size_t n, n_words, n_copies;
    uint64_t seed;
    bool is_bilingual; /* every fourth document is German */
} drawn_docs;

/* The texts of a document; the caller frees them. Words are one letter and a number, those
 * with small numbers are frequent. */
static inline char *drawn_text(const drawn_docs *d, size_t doc)
{
    const size_t own = doc + d->n_copies < d->n ? doc : d->n - 1;
    const size_t of = own % 3 == 2 ? own - 1 : own;
    dpl__rng rng = {dpl__mix(d->seed + of)}, other = {dpl__mix(d->seed + own) ^ 5};
    char *text = malloc(d->n_words * 8 + 1), *at = text;
    CHECK(text != NULL);
    *at = 0;
    for (size_t i = 0; i < d->n_words; i++) {
        uint64_t word = dpl__rng_below(&rng, 30) * dpl__rng_below(&rng, 30);
        if (of != own && dpl__rng_below(&other, 8) == 0)
            word = dpl__rng_below(&other, 900);
        at += sprintf(at, "%sw%u", i ? " " : "", (unsigned)word);
    }
    return text;
}

static inline const char *drawn_lang(const drawn_docs *d, size_t doc)
{
    return d->is_bilingual && doc % 4 == 3 ? "de" : "en";
}

/* JSON Lines of them with ids d0, d1 ...; returns the path. */
static inline const char *drawn_write(const drawn_docs *d, const char *name)
{
    char *json = malloc(d->n * (d->n_words * 8 + 90) + 1), *at = json;
    CHECK(json != NULL);
    for (size_t doc = 0; doc < d->n; doc++) {
        char *text = drawn_text(d, doc);
        at += sprintf(at, "{\"id\":\"d%zu\",\"lang\":\"%s\",\"year\":1,\"text\":\"%s\"}\n", doc,
                      drawn_lang(d, doc), text);
        free(text);
    }
    const char *path = test_write(name, json, (size_t)(at - json));
    free(json);
    return path;
}

/* An index of the file, open. */
static inline dpl_index *pocket_of(dpl_ctx *ctx, const char *docs, const dpl_index_options *o)
{
    const dpl_input in = {.path = docs};
    const char *path = test_path("index.pocket");
    dpl_index *x = NULL;
    CHECK_OK(dpl_index_build(NULL, ctx, path, &in, 1, o, &test_err));
    CHECK_OK(dpl_index_open(&x, ctx, path, &test_err));
    return x;
}

static inline dpl_index *drawn_pocket(dpl_ctx *ctx, const drawn_docs *d,
                                      const dpl_index_options *o)
{
    return pocket_of(ctx, drawn_write(d, "drawn.jsonl"), o);
}

static inline dpl_query *new_query(const dpl_index *x, const dpl_query_options *o)
{
    dpl_query *q = NULL;
    CHECK_OK(dpl_query_new(&q, x, o, &test_err));
    return q;
}

static inline dpl_query_result ask_row(dpl_query *q, uint32_t row)
{
    dpl_query_result r = DPL_INIT(dpl_query_result);
    CHECK_OK(dpl_query_row(q, row, &r, &test_err));
    return r;
}

static inline dpl_query_result ask_text(dpl_query *q, const char *text)
{
    dpl_query_result r = DPL_INIT(dpl_query_result);
    CHECK_OK(dpl_query_text(q, dpl__cstr(text), &r, &test_err));
    return r;
}

#endif
