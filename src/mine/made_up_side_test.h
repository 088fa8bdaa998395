/*
 * made_up_side_test.h - a collection of made-up documents, for tests.
 */
#ifndef DPL_MINE_MADE_UP_SIDE_TEST_H
#define DPL_MINE_MADE_UP_SIDE_TEST_H

#include "doppel/tokens.h"

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

#endif
