/*
 * sides.c - two sets of rows side by side: do they match, and which term is which.
 *
 * Terms are numbered in byte order on both sides, so walking a row in rising order is the same
 * walk in either numbering. Left rows are the ones that are translated: there is one of them
 * for many right rows.
 */
#include "pairs/searches.h"

dpl_status dpl__sides_init(dpl__sides *sides, dpl_ctx *ctx, const dpl_vectors *left,
                           const dpl_vectors *right, dpl_error *err)
{
    *sides = (dpl__sides){.left = left, .right = right ? right : left, .is_self = !right};
    if (!right)
        return DPL_OK;
    DPL_TRY(dpl__vectors_check_match(left, right, err));
    if (left->sizes.n_terms == 0)
        return DPL_OK;
    sides->to_right = dpl__alloc(ctx, left->sizes.n_terms * sizeof *sides->to_right);
    if (!sides->to_right)
        return dpl__fail_nomem(err);
    dpl__match_terms(sides->to_right, &left->terms, &right->terms);
    return DPL_OK;
}

void dpl__sides_clear(dpl__sides *sides, dpl_ctx *ctx)
{
    if (sides->to_right)
        dpl__free(ctx, sides->to_right, sides->left->sizes.n_terms * sizeof *sides->to_right);
    sides->to_right = NULL;
}
