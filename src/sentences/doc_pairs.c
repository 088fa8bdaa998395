/*
 * doc_pairs.c - read document pairs from a file of ids.
 *
 * Cost: a lookup in each collection's table of ids for every line.
 */
#include "base/vec.h"
#include "doppel/sentences.h"
#include "pairs/pairs_tsv.h"

#include <stdio.h>

typedef DPL_VEC(dpl_doc_pair) doc_pairs;

static dpl_status fail_unknown(const dpl__lines *lines, dpl_str id, bool is_left,
                               const dpl_collection *other, dpl_error *err)
{
    char what[300];
    uint32_t doc;
    const bool is_swapped = dpl_collection_find_doc(other, id, &doc);
    snprintf(what, sizeof what, "the %s documents have no id '%.*s'%s",
             is_left ? "left" : "right", (int)dpl__min(id.n, 200), id.data,
             !is_swapped ? ""
             : is_left   ? ", the right ones have"
                         : ", the left ones have");
    const dpl_status status = dpl__lines_bad(lines, err, what);
    return is_swapped ? dpl__code(err, status, "pairs-swapped") : status;
}

/* The documents of a line; DPL_E_FORMAT when a collection does not have them. */
static dpl_status find_docs(dpl_doc_pair *out, const dpl__lines *lines,
                            const dpl__pair_line *line, const dpl_collection *left,
                            const dpl_collection *right, dpl_error *err)
{
    if (!dpl_collection_find_doc(left, line->left, &out->left))
        return fail_unknown(lines, line->left, true, right, err);
    if (!dpl_collection_find_doc(right, line->right, &out->right))
        return fail_unknown(lines, line->right, false, left, err);
    return DPL_OK;
}

static dpl_status read_lines(doc_pairs *pairs, dpl__lines *lines, const dpl_collection *left,
                             const dpl_collection *right, uint64_t *n_skipped, dpl_error *err)
{
    for (;;) {
        dpl__pair_line line = {0};
        dpl_doc_pair pair;
        dpl_status status = dpl__pairs_tsv_next(lines, &line, err);
        if (status == DPL_OK)
            status = find_docs(&pair, lines, &line, left, right, err);
        if (status == DPL_END)
            return DPL_OK;
        if (status == DPL_E_FORMAT && n_skipped && line.left.data) { /* the file can go on */
            ++*n_skipped;
            continue;
        }
        if (status != DPL_OK)
            return status;
        DPL_TRY(dpl__need(dpl__vec_push(lines->ctx, pairs, pair), err));
    }
}

dpl_status dpl_doc_pairs_read(dpl_doc_pair **out, size_t *n_pairs, dpl_ctx *ctx,
                              const char *path, const dpl_collection *left,
                              const dpl_collection *right, uint64_t *n_skipped, dpl_error *err)
{
    *out = NULL;
    *n_pairs = 0;
    if (n_skipped)
        *n_skipped = 0;
    dpl__lines lines = {0};
    doc_pairs pairs = {0};
    dpl_status status = dpl__lines_open(&lines, ctx, path, err);
    if (status == DPL_OK)
        status = read_lines(&pairs, &lines, left, right, n_skipped, err);
    dpl__lines_close(&lines);
    if (status == DPL_OK && pairs.n) {
        *out = pairs.data;
        *n_pairs = pairs.n;
        return DPL_OK;
    }
    dpl__vec_clear(ctx, &pairs);
    return status;
}

void dpl_doc_pairs_free(dpl_ctx *ctx, dpl_doc_pair *pairs, size_t n_pairs)
{
    (void)n_pairs;
    dpl__free(ctx, pairs);
}
