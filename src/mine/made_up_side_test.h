/*
 * made_up_side_test.h - collections of made-up documents, for tests.
 */
#ifndef DPL_MINE_MADE_UP_SIDE_TEST_H
#define DPL_MINE_MADE_UP_SIDE_TEST_H

#include "doppel/tokens.h"

#include "base/ctx.h"
#include "mine/round.h"
#include "test.h"

#include <stdio.h>

/* Of lines of id, tab and text; the other side is in another language. */
static inline dpl_collection *import_side(dpl_ctx *ctx, const char *text, size_t n,
                                          bool is_other)
{
    char tsv[1000], path[1000];
    snprintf(tsv, sizeof tsv, "%s", test_write(is_other ? "r.tsv" : "l.tsv", text, n));
    snprintf(path, sizeof path, "%s", test_path(is_other ? "r.dpl" : "l.dpl"));
    dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = is_other ? "sw" : "eo");
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    const char *in = tsv;
    dpl_collection *c = NULL;
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

/* It becomes a side, all documents of which take part. */
static inline void set_side(dpl__comparable *p, int side, dpl_collection *c, const char *lang)
{
    uint32_t n = p->n_docs[side] = dpl_collection_get_sizes(c)->n_docs;
    p->c[side] = c;
    snprintf(p->lang[side], sizeof p->lang[side], "%s", lang);
    p->skip[side] = dpl__calloc(p->ctx, n, 1);
    p->keys[side] = dpl__alloc(p->ctx, n * sizeof *p->keys[side]);
    CHECK(p->skip[side] && p->keys[side]);
    for (uint32_t doc = 0; doc < n; doc++)
        p->keys[side][doc] = dpl__doc_key(c, doc);
}

static inline void close_sides(dpl__comparable *p)
{
    for (int side = 0; side < 2; side++) {
        dpl__free(p->ctx, p->skip[side], p->keys[side]);
        dpl_collection_close((dpl_collection *)(uintptr_t)p->c[side]);
    }
}

#endif
