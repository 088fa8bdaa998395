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
    DPL_TRY(dpl__need(sides->to_right, err));
    dpl__match_terms(sides->to_right, &left->terms, &right->terms);
    return DPL_OK;
}

void dpl__sides_clear(dpl__sides *sides, dpl_ctx *ctx)
{
    if (sides->to_right)
        dpl__free(ctx, sides->to_right);
    sides->to_right = NULL;
}

dpl_status dpl__signed_sides_make(dpl__signed_sides *s, dpl_ctx *ctx,
                                  const dpl_pairs_side *left, const dpl_pairs_side *right,
                                  const dpl_sign_options *options, dpl_error *err)
{
    const dpl_pairs_side *sides[2] = {left, right};
    for (int i = 0; i < 2; i++) {
        if (!sides[i]) {
            s->of[i] = s->of[0];
        } else if (!s->of[i]) {
            DPL_TRY(dpl_signatures_make(&s->made[i], ctx, sides[i]->vectors, options, err));
            s->of[i] = s->made[i];
        }
    }
    return dpl__signatures_check_match(s->of[0], s->of[1], err);
}

void dpl__signed_sides_clear(dpl__signed_sides *s)
{
    dpl_signatures_close(s->made[0]);
    dpl_signatures_close(s->made[1]);
    *s = (dpl__signed_sides){0};
}
