/*
 * select_groups.c - pairs of rows to pairs of (row, group of the other), and back.
 *
 * With G groups, row r with a partner of group g is row r G + g: so every selection is one for
 * each other group, and needs no rule of its own. Pairs of a left row come by right row and go
 * by group, then right row; selected ones come by group and go by score. Cost: sorting the
 * pairs of each left row.
 */
#include "pairs/select_groups.h"

#include <stdlib.h>

dpl_status dpl__grouped_rows_init(dpl__grouped_rows *g, uint32_t n_rows[2],
                                  const dpl__select_options *options, dpl_error *err)
{
    g->group_of = options->group_of;
    g->n_groups = options->n_groups;
    const uint64_t n = (uint64_t)n_rows[0] * g->n_groups;
    if (n >= UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "more than %u documents times languages",
                         UINT32_MAX - 1);
    n_rows[0] = n_rows[1] = (uint32_t)n;
    return DPL_OK;
}

void dpl__grouped_rows_clear(dpl__grouped_rows *g)
{
    dpl__vec_clear(g->ctx, &g->pairs);
}

dpl_status dpl__grouped_rows_end(dpl__grouped_rows *g, const dpl__pair_sink *sink,
                                 dpl_error *err)
{
    const size_t n = g->pairs.n;
    for (size_t i = 0; i < n; i++) {
        dpl_pair *p = &g->pairs.data[i];
        const uint32_t groups[2] = {g->group_of[p->left], g->group_of[p->right]};
        assert(p->left < p->right && groups[0] != groups[1]);
        p->left = p->left * g->n_groups + groups[1];
        p->right = p->right * g->n_groups + groups[0];
    }
    if (n == 0)
        return DPL_OK;
    qsort(g->pairs.data, n, sizeof *g->pairs.data, dpl__pairs_by_rows);
    g->pairs.n = 0;
    return sink->take(sink->user, g->pairs.data, n, err);
}

dpl_status dpl__grouped_rows_add(dpl__grouped_rows *g, const dpl_pair *pairs, size_t n,
                                 const dpl__pair_sink *sink, dpl_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (g->pairs.n && g->pairs.data[0].left != pairs[i].left)
            DPL_TRY(dpl__grouped_rows_end(g, sink, err));
        DPL_TRY(dpl__need(dpl__vec_push(g->ctx, &g->pairs, pairs[i]), err));
    }
    return DPL_OK;
}

/* The next selected pair with the rows that it had. */
static dpl_status read_pair(const dpl__grouped_rows *g, dpl_pair *pair,
                            dpl__pair_reader *reader, dpl_error *err)
{
    DPL_TRY(dpl__pair_reader_next(reader, pair, err));
    pair->left /= g->n_groups;
    pair->right /= g->n_groups;
    return DPL_OK;
}

/* All of the next left row. */
static dpl_status fill(dpl__grouped_rows *g, dpl__pair_reader *reader, dpl_error *err)
{
    dpl_status status = DPL_OK;
    g->at = g->pairs.n = 0;
    if (!g->has_ahead)
        DPL_TRY(read_pair(g, &g->ahead, reader, err));
    const uint32_t left = g->ahead.left;
    while (status == DPL_OK && g->ahead.left == left) {
        DPL_TRY(dpl__need(dpl__vec_push(g->ctx, &g->pairs, g->ahead), err));
        status = read_pair(g, &g->ahead, reader, err);
    }
    g->has_ahead = status == DPL_OK;
    dpl__vec_sort(&g->pairs, dpl__pairs_by_score);
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl__grouped_rows_next(dpl__grouped_rows *g, dpl_pair *pair,
                                  dpl__pair_reader *reader, dpl_error *err)
{
    if (g->at == g->pairs.n)
        DPL_TRY(fill(g, reader, err));
    *pair = g->pairs.data[g->at++];
    return DPL_OK;
}
