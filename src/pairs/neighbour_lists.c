/*
 * neighbour_lists.c - the k best partners of every row of both sides.
 *
 * A list is k sorted numbers of 64 bits: most offers are refused by one comparison with the
 * last of them. Memory: 8 k bytes a row, and 8 for the order of ties.
 */
#include "pairs/neighbour_lists.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/order.h"
#include "pairs/exact.h"
#include "par/sort.h"

/* ---- the order of ties -------------------------------------------------------------- */

typedef struct content {
    uint64_t hash;
    uint32_t row;
} content;

DPL__ORDER(compare_contents, content, DPL__RISING(hash) DPL__RISING(row))

/* Terms are hashed by their names' keys where sides number them differently: left's rows are
 * only compared with left's, so numbers will do. */
static uint64_t hash_row(const dpl_vectors *v, uint32_t row)
{
    assert(row < v->sizes.n_rows);
    if (v->sizes.dim)
        return dpl__hash(v->dense.values + (size_t)row * v->dense.dim,
                         v->dense.dim * sizeof *v->dense.values, 0);
    uint64_t begin = v->rows.offsets[row];
    size_t n = (size_t)(v->rows.offsets[row + 1] - begin);
    uint64_t hash = dpl__hash(v->rows.terms + begin, n * sizeof *v->rows.terms, 1);
    return dpl__hash(v->rows.weights + begin, n * sizeof *v->rows.weights, hash);
}

static dpl_status rank_rows(dpl__neighbour_lists *l, int side, const dpl_vectors *v,
                            const uint64_t *keys, dpl_error *err)
{
    size_t n = l->n_rows[side];
    content *all = dpl__alloc(l->ctx, (n + 1) * sizeof *all);
    l->ranks[side] = dpl__alloc(l->ctx, (n + 1) * sizeof *l->ranks[side]);
    l->ranked[side] = dpl__alloc(l->ctx, (n + 1) * sizeof *l->ranked[side]);
    bool has_memory = all && l->ranks[side] && l->ranked[side];
    for (uint32_t row = 0; has_memory && row < n; row++)
        all[row] = (content){keys ? keys[row] : hash_row(v, row), row};
    dpl_status status =
        has_memory ? dpl__parallel_sort(l->ctx, all, n, sizeof *all, compare_contents, err)
                   : dpl__fail_nomem(err);
    for (uint32_t i = 0; status == DPL_OK && i < n; i++) {
        l->ranked[side][i] = all[i].row;
        l->ranks[side][all[i].row] = i;
    }
    dpl__free(l->ctx, all);
    return status;
}

/* ---- lists -------------------------------------------------------------------------- */

dpl_status dpl__neighbour_lists_init(dpl__neighbour_lists *l, dpl_ctx *ctx,
                                     const dpl__sides *sides, unsigned k,
                                     const dpl__tie_keys *ties, dpl_error *err)
{
    assert(k > 0);
    const dpl_vectors *v[2] = {sides->left, sides->right};
    *l = (dpl__neighbour_lists){.ctx = ctx, .is_self = sides->is_self, .k = k};
    for (int side = 0; side < (sides->is_self ? 1 : 2); side++) {
        size_t n = v[side]->sizes.n_rows;
        double n_bytes = (double)n * k * sizeof *l->best[side];
        if ((double)dpl__ctx_used(ctx) + n_bytes > (double)ctx->memory)
            return dpl__fail_code(err, DPL_E_LIMIT, "memory-neighbours",
                                  "%u neighbours of each of %zu rows do not fit into "
                                  "memory",
                                  k, n);
        l->n_rows[side] = (uint32_t)n;
        l->best[side] = dpl__calloc(ctx, n * k + 1, sizeof *l->best[side]);
        l->cuts[side] = dpl__calloc(ctx, n + 1, sizeof *l->cuts[side]);
        DPL_TRY(dpl__need(l->best[side] && l->cuts[side], err));
        if (!ties->is_by_row)
            DPL_TRY(rank_rows(l, side, v[side], ties->of[side], err));
    }
    return DPL_OK;
}

void dpl__neighbour_lists_clear(dpl__neighbour_lists *l)
{
    for (int side = 0; side < 2; side++) {
        dpl__free(l->ctx, l->best[side], l->cuts[side], l->ranks[side], l->ranked[side]);
        l->best[side] = NULL;
        l->cuts[side] = NULL;
        l->ranks[side] = l->ranked[side] = NULL;
    }
}

static int other(const dpl__neighbour_lists *l, int side)
{
    return l->is_self ? side : !side;
}

uint64_t dpl__neighbour_lists_number(const dpl__neighbour_lists *l, int side, uint32_t partner,
                                     float score)
{
    assert(partner < l->n_rows[other(l, side)]);
    const uint32_t *ranks = l->ranks[other(l, side)];
    return dpl__partner(score, ranks ? ranks[partner] : partner);
}

bool dpl__neighbour_list_insert(uint64_t *list, unsigned k, uint64_t offered)
{
    assert(k > 0 && offered > 0);
    size_t at = k - 1;
    if (offered <= list[at])
        return false;
    while (at > 0 && offered > list[at - 1])
        at--;
    if (at > 0 && offered == list[at - 1]) /* it is there */
        return false;
    memmove(&list[at + 1], &list[at], (k - 1 - at) * sizeof *list);
    list[at] = offered;
    return true;
}

bool dpl__neighbour_lists_offer(dpl__neighbour_lists *l, int side, uint32_t row,
                                uint32_t partner, float score)
{
    assert(row < l->n_rows[side] && l->best[side]);
    return dpl__neighbour_list_insert(l->best[side] + (size_t)row * l->k, l->k,
                                      dpl__neighbour_lists_number(l, side, partner, score));
}

/* Most pairs are worse than all of the list: cuts fit into a cache, lists do not. */
static inline void add_to(dpl__neighbour_lists *l, int side, uint32_t row, uint32_t partner,
                          float score)
{
    if (score >= l->cuts[side][row] && dpl__neighbour_lists_offer(l, side, row, partner, score))
        l->cuts[side][row] = dpl__neighbour_lists_cut(l, side, row);
}

void dpl__neighbour_lists_add(dpl__neighbour_lists *l, const dpl_pair *p)
{
    assert(!l->is_self || p->left != p->right);
    add_to(l, DPL__SIDE_LEFT, p->left, p->right, p->score);
    add_to(l, l->is_self ? DPL__SIDE_LEFT : DPL__SIDE_RIGHT, p->right, p->left, p->score);
}

float dpl__neighbour_lists_cut(const dpl__neighbour_lists *l, int side, uint32_t row)
{
    assert(row < l->n_rows[side]);
    uint64_t last = l->best[side][(size_t)row * l->k + l->k - 1];
    return last ? dpl__partner_score(last) : 0;
}

dpl_scored_row dpl__neighbour_lists_get(const dpl__neighbour_lists *l, int side, uint32_t row,
                                        unsigned i)
{
    assert(row < l->n_rows[side] && i < l->k);
    const uint32_t *ranked = l->ranked[other(l, side)];
    uint64_t p = l->best[side][(size_t)row * l->k + i];
    if (!p)
        return (dpl_scored_row){DPL__NO_ROW, 0};
    uint32_t rank = dpl__partner_row(p);
    return (dpl_scored_row){ranked ? ranked[rank] : rank, dpl__partner_score(p)};
}
