/*
 * candidates.c - the same pair comes up in many tables; here each becomes one.
 *
 * An external sort whose buffer is sorted by radix and which joins equal pairs (see
 * io/external_sort.h): the file stays within a few times the size of the set.
 */
#include "pairs/candidates.h"

#include "io/external_sort.h"
#include "pairs/radix.h"

#include <pthread.h>

#define IS_LOWER(a, b) (*(a) < *(b))
#define IS_SAME(a, b) (*(a) == *(b))

static dpl_status sort_pairs(dpl_ctx *ctx, uint64_t *pairs, size_t n, dpl_error *err)
{
    if (n < 2)
        return DPL_OK;
    uint64_t *scratch = dpl__alloc(ctx, n * sizeof *scratch);
    DPL_TRY(dpl__need(scratch, err));
    dpl__radix_sort(pairs, scratch, n);
    dpl__free(ctx, scratch);
    return DPL_OK;
}

DPL_EXTERNAL_SORT_BY(pair_sort, uint64_t, IS_LOWER, IS_SAME, sort_pairs);

struct dpl__candidates {
    dpl_ctx *ctx;
    pthread_mutex_t lock;
    pair_sort pairs;
};

dpl_status dpl__candidates_new(dpl__candidates **out, dpl__spill *spill, size_t share,
                               dpl_error *err)
{
    *out = NULL;
    dpl__candidates *set = dpl__calloc(spill->ctx, 1, sizeof *set);
    DPL_TRY(dpl__need(set, err));
    set->ctx = spill->ctx;
    pair_sort_init(&set->pairs, spill, share);
    pthread_mutex_init(&set->lock, NULL);
    *out = set;
    return DPL_OK;
}

void dpl__candidates_free(dpl__candidates *set)
{
    if (!set)
        return;
    pair_sort_clear(&set->pairs);
    pthread_mutex_destroy(&set->lock);
    dpl__free(set->ctx, set);
}

dpl_status dpl__candidates_add(dpl__candidates *set, const uint64_t *pairs, size_t n,
                               dpl_error *err)
{
    pthread_mutex_lock(&set->lock);
    dpl_status status = pair_sort_add_all(&set->pairs, pairs, n, err);
    pthread_mutex_unlock(&set->lock);
    return status;
}

dpl_status dpl__candidates_sort(dpl__candidates *set, dpl_error *err)
{
    return pair_sort_end(&set->pairs, err);
}

dpl_status dpl__candidates_next(dpl__candidates *set, uint64_t *pairs, size_t *n, size_t n_most,
                                dpl_error *err)
{
    dpl_status status = DPL_OK;
    for (*n = 0; *n < n_most && status == DPL_OK; *n += status == DPL_OK)
        status = pair_sort_next(&set->pairs, &pairs[*n], err);
    return status == DPL_END ? DPL_OK : status;
}
