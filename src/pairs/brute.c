/*
 * brute.c - all signatures against all.
 */
#include "base/ctx.h"
#include "kernels/kernels.h"
#include "pairs/search.h"

static bool passes(const dpl__kernels *k, const uint64_t *a, const uint64_t *b, size_t n_words,
                   const dpl__cuts *cuts, unsigned *distance)
{
    if (cuts->first_words && k->hamming(a, b, cuts->first_words) > cuts->first_cut)
        return false;
    *distance = k->hamming(a, b, n_words);
    return *distance <= cuts->cut;
}

dpl_status dpl__brute(dpl_ctx *ctx, const dpl__bits *left, const dpl__bits *right, bool is_self,
                      const dpl__cuts *cuts, const dpl__candidate_sink *sink,
                      uint64_t *n_compared, dpl_error *err)
{
    DPL_VEC(dpl__candidate) found = {0};
    dpl_status status = DPL_OK;
    uint64_t n = 0;
    for (uint32_t i = 0; i < left->n_rows && status == DPL_OK; i++) {
        found.n = 0;
        for (uint32_t j = is_self ? i + 1 : 0; j < right->n_rows; j++, n++) {
            dpl__candidate c = {i, j, 0};
            if (passes(ctx->kernels, dpl__bits_row(left, i), dpl__bits_row(right, j),
                       left->n_words, cuts, &c.distance) &&
                !dpl__vec_push(ctx, &found, c)) {
                status = dpl__fail_nomem(err);
                break;
            }
        }
        if (status == DPL_OK)
            status = sink->take(sink->user, found.data, found.n, err);
    }
    if (n_compared)
        *n_compared = n;
    dpl__vec_clear(ctx, &found);
    return status;
}
