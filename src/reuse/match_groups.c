/*
 * match_groups.c - clustering of matches by their gaps, on both sides in turn.
 *
 * Cost: a sort for each division; divisions end after a few turns.
 */
#include "reuse/match_groups.h"

#include "base/lower_bound.h"
#include "base/order.h"

#include <stdlib.h>

DPL__ORDER(by_query, dpl__match, DPL__RISING(query) DPL__RISING(source))

DPL__ORDER(by_source, dpl__match, DPL__RISING(source) DPL__RISING(query))

typedef struct grouping {
    uint32_t gap;
    dpl__group_fn *take;
    void *user;
} grouping;

/* n_whole: turns in a row without a division; after two there is none on either side. */
static dpl_status divide(const grouping *g, dpl__match *m, size_t n, bool is_by_source,
                         unsigned n_whole, dpl_error *err)
{
    assert(n > 0 && n_whole <= 2);
    if (n_whole == 2)
        return g->take(g->user, m, n, err);
    qsort(m, n, sizeof *m, is_by_source ? by_source : by_query);
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n; end++) {
            const uint32_t before = is_by_source ? m[end - 1].source : m[end - 1].query,
                           at = is_by_source ? m[end].source : m[end].query;
            if (at - before > g->gap)
                break;
        }
        const bool is_whole = begin == 0 && end == n;
        DPL_TRY(
            divide(g, m + begin, end - begin, !is_by_source, is_whole ? n_whole + 1 : 1, err));
    }
    return DPL_OK;
}

dpl_status dpl__group_matches(dpl__match *matches, size_t n, uint32_t gap, dpl__group_fn *take,
                              void *user, dpl_error *err)
{
    const grouping g = {gap, take, user};
    return n ? divide(&g, matches, n, false, 0, err) : DPL_OK;
}

void dpl__matches_range(const dpl__match *matches, size_t n, uint32_t low[2], uint32_t high[2])
{
    low[0] = low[1] = UINT32_MAX;
    high[0] = high[1] = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t at[2] = {matches[i].query, matches[i].source};
        for (int k = 0; k < 2; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
}

double dpl__matches_in_order(dpl__match *matches, size_t n, uint32_t *scratch)
{
    size_t n_chain = 0, n_places = 0;
    if (!n)
        return 0;
    qsort(matches, n, sizeof *matches, by_query);
    for (size_t i = 0; i < n; i++) {
        if (i && matches[i].query == matches[i - 1].query)
            continue; /* the first place in the source */
        n_places++;
        size_t end; /* the first end of a chain that is not before it */
        DPL__LOWER_BOUND(end, n_chain, scratch[end] < matches[i].source);
        assert(n_chain < n);
        scratch[end] = matches[i].source;
        n_chain += end == n_chain;
    }
    assert(n_chain <= n_places);
    return (double)n_chain / (double)n_places;
}
