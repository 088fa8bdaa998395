/*
 * assign.c - the matching of a bipartite graph with the largest sum of weights.
 *
 * In: edges with positive integer weights. Out: a mate for every left row, or none. Exact: the
 * prices u of left and v of right rows prove it, because always
 *
 *     u, v >= 0,  u[l] + v[r] >= w(l, r),  with equality for mates,  v[r] = 0 for free r
 *
 * and in the end u[l] = 0 for every l without a mate, so that the sum of all prices, which no
 * matching can exceed, is the sum of this one. Left rows first take what they like best, then
 * bid for it for a while (Jonker and Volgenant's row reduction), and whoever is still without
 * a mate and wants one looks for the cheapest chain of changes that gives him one or leaves
 * somebody alone (Dijkstra over w's slack; Mehlhorn and Naeher 1999, section 7.8).
 *
 * Falling weights end most loops over edges early: no edge behind can be better. A search
 * never leaves its connected component, so components need not be found first. Cost: at worst
 * O(n m log n), in practice near O(m log m).
 */
#include "pairs/assign.h"

#include "base/ctx.h"
#include "base/vec.h"

enum { BIDS = 8 }; /* per left row, on average; those who are still alone then search */

typedef struct place {
    int64_t distance;
    uint32_t right;
} place;

typedef struct assign {
    dpl_ctx *ctx;
    dpl__bipartite g;
    uint32_t *mates;           /* of left rows */
    uint32_t *owners;          /* mates of right rows */
    int64_t *u, *v;            /* prices */
    int64_t *distance;         /* of right rows in the search at hand; INT64_MAX: not reached */
    uint32_t *from;            /* left row from which it was reached */
    DPL_VEC(place) heap;       /* nearest first; what was reached on a better way stays in it */
    DPL_VEC(uint32_t) reached; /* right rows whose distance is set */
    DPL_VEC(uint32_t) settled; /* those whose mates were searched from, in that order */
    /* The best end of the search: a free right row, or a left row that stays alone. */
    int64_t end;
    uint32_t end_right, end_left;
} assign;

uint64_t dpl__assign_bytes(uint32_t n_left, uint32_t n_right)
{
    return (uint64_t)n_left * sizeof(int64_t) +
           (uint64_t)n_right * (2 * sizeof(int64_t) + 2 * sizeof(uint32_t));
}

/* ---- what each one likes best ------------------------------------------------------- */

static void take_the_best(assign *a)
{
    for (uint32_t l = 0; l < a->g.n_left; l++) {
        uint64_t i = a->g.offsets[l], end = a->g.offsets[l + 1];
        a->u[l] = i < end ? a->g.weights[i] : 0;
        for (; i < end && a->g.weights[i] == a->u[l] && a->mates[l] == DPL__NO_MATE; i++) {
            uint32_t r = a->g.rights[i];
            if (a->owners[r] == DPL__NO_MATE) {
                a->mates[l] = r;
                a->owners[r] = l;
            }
        }
    }
}

typedef struct wish {
    int64_t best, second; /* weight less price; second is 0 at least: to stay alone */
    uint32_t right, other;
} wish;

static wish wish_of(const assign *a, uint32_t l)
{
    wish x = {0, 0, DPL__NO_MATE, DPL__NO_MATE};
    for (uint64_t i = a->g.offsets[l]; i < a->g.offsets[l + 1]; i++) {
        int64_t w = a->g.weights[i];
        uint32_t r = a->g.rights[i];
        if (w <= x.second)
            break;
        int64_t gain = w - a->v[r];
        if (gain > x.best) {
            x.second = x.best;
            x.other = x.right;
            x.best = gain;
            x.right = r;
        } else if (gain > x.second) {
            x.second = gain;
            x.other = r;
        }
    }
    return x;
}

/* l makes its bid. Returns the left row that lost its mate by it, or DPL__NO_MATE. */
static uint32_t bid(assign *a, uint32_t l)
{
    wish x = wish_of(a, l);
    a->u[l] = x.second;
    if (x.right == DPL__NO_MATE)
        return DPL__NO_MATE;
    uint32_t r = x.right;
    if (x.best == x.second && a->owners[r] != DPL__NO_MATE) {
        /* nothing to outbid with: take the other one if it is free, else search later */
        if (x.other == DPL__NO_MATE || a->owners[x.other] != DPL__NO_MATE)
            return DPL__NO_MATE;
        r = x.other;
    }
    a->v[r] += r == x.right ? x.best - x.second : 0;
    uint32_t loser = a->owners[r];
    a->mates[l] = r;
    a->owners[r] = l;
    if (loser != DPL__NO_MATE)
        a->mates[loser] = DPL__NO_MATE;
    return loser;
}

static void bid_for_a_while(assign *a)
{
    uint64_t left = (uint64_t)BIDS * a->g.n_left;
    for (uint32_t l = 0; l < a->g.n_left; l++)
        for (uint32_t who = l; left && who != DPL__NO_MATE && a->mates[who] == DPL__NO_MATE;
             left--)
            who = bid(a, who);
}

/* ---- chains of changes -------------------------------------------------------------- */

static bool push(assign *a, int64_t distance, uint32_t right)
{
    if (!dpl__vec_reserve(a->ctx, &a->heap, 1))
        return false;
    place *h = a->heap.data;
    size_t i = a->heap.n++;
    for (; i && h[(i - 1) / 2].distance > distance; i = (i - 1) / 2)
        h[i] = h[(i - 1) / 2];
    h[i] = (place){distance, right};
    return true;
}

static place pop(assign *a)
{
    place *h = a->heap.data, top = h[0], last = h[--a->heap.n];
    size_t i = 0, n = a->heap.n;
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && h[child + 1].distance < h[child].distance)
            child++;
        if (h[child].distance >= last.distance)
            break;
        h[i] = h[child];
    }
    h[i] = last;
    return top;
}

/* From left row l at this distance: it may stay alone, or go on to its right rows. */
static dpl_status go_on(assign *a, uint32_t l, int64_t distance, dpl_error *err)
{
    int64_t base = distance + a->u[l];
    if (base < a->end) {
        a->end = base;
        a->end_left = l;
        a->end_right = DPL__NO_MATE;
    }
    for (uint64_t i = a->g.offsets[l]; i < a->g.offsets[l + 1]; i++) {
        uint32_t r = a->g.rights[i];
        if (base - a->g.weights[i] >= a->end)
            break;
        int64_t d = base + a->v[r] - a->g.weights[i];
        if (d >= a->end || d >= a->distance[r])
            continue;
        if (a->distance[r] == INT64_MAX && !dpl__vec_push(a->ctx, &a->reached, r))
            return dpl__fail_nomem(err);
        a->distance[r] = d;
        a->from[r] = l;
        if (a->owners[r] == DPL__NO_MATE) {
            a->end = d;
            a->end_right = r;
        } else if (!push(a, d, r)) {
            return dpl__fail_nomem(err);
        }
    }
    return DPL_OK;
}

/* Prices follow the distances, so that the chain costs nothing any more. */
static void change_prices(assign *a, uint32_t start)
{
    a->u[start] -= a->end;
    for (size_t i = 0; i < a->settled.n; i++) {
        uint32_t r = a->settled.data[i];
        int64_t less = a->end - a->distance[r];
        a->v[r] += less;
        a->u[a->owners[r]] -= less;
    }
}

/* From the end back to the start, everybody takes the right row from which the next one came.
 */
static void change_mates(assign *a, uint32_t start)
{
    uint32_t r = a->end_right;
    if (r == DPL__NO_MATE) {
        r = a->mates[a->end_left];
        a->mates[a->end_left] = DPL__NO_MATE;
        if (a->end_left == start)
            return;
    }
    for (uint32_t l = DPL__NO_MATE; l != start;) {
        l = a->from[r];
        uint32_t before = a->mates[l];
        a->mates[l] = r;
        a->owners[r] = l;
        r = before;
    }
}

static dpl_status search(assign *a, uint32_t start, dpl_error *err)
{
    a->heap.n = a->reached.n = a->settled.n = 0;
    a->end = INT64_MAX;
    DPL_TRY(go_on(a, start, 0, err));
    while (a->heap.n) {
        place p = pop(a);
        if (p.distance >= a->end)
            break;
        if (p.distance > a->distance[p.right])
            continue;
        if (!dpl__vec_push(a->ctx, &a->settled, p.right))
            return dpl__fail_nomem(err);
        DPL_TRY(go_on(a, a->owners[p.right], p.distance, err));
    }
    change_prices(a, start);
    change_mates(a, start);
    for (size_t i = 0; i < a->reached.n; i++)
        a->distance[a->reached.data[i]] = INT64_MAX;
    return DPL_OK;
}

static dpl_status search_for_all(assign *a, dpl_error *err)
{
    for (uint32_t l = 0; l < a->g.n_left; l++) {
        if (a->mates[l] != DPL__NO_MATE || a->u[l] == 0)
            continue;
        DPL_TRY(search(a, l, err));
        dpl_progress p = {"assign", "rows", l, a->g.n_left};
        DPL_TRY(dpl__progress(a->ctx, &p, err));
    }
    return DPL_OK;
}

/* ---- all of it ---------------------------------------------------------------------- */

dpl_status dpl__assign(uint32_t *mates, dpl_ctx *ctx, const dpl__bipartite *graph,
                       dpl_error *err)
{
    size_t n_left = graph->n_left, n_right = graph->n_right;
    assign a = {.ctx = ctx,
                .g = *graph,
                .mates = mates,
                .u = dpl__calloc(ctx, n_left, sizeof *a.u),
                .v = dpl__calloc(ctx, n_right, sizeof *a.v),
                .distance = dpl__alloc(ctx, n_right * sizeof *a.distance),
                .from = dpl__alloc(ctx, n_right * sizeof *a.from),
                .owners = dpl__alloc(ctx, n_right * sizeof *a.owners)};
    dpl_status status = DPL_OK;
    if (!a.u || !a.v || !a.distance || !a.from || !a.owners) {
        status = dpl__fail_nomem(err);
        goto done;
    }
    for (size_t l = 0; l < n_left; l++)
        mates[l] = DPL__NO_MATE;
    for (size_t r = 0; r < n_right; r++) {
        a.owners[r] = DPL__NO_MATE;
        a.distance[r] = INT64_MAX;
    }
    take_the_best(&a);
    bid_for_a_while(&a);
    status = search_for_all(&a, err);

done:
    dpl__vec_clear(ctx, &a.settled);
    dpl__vec_clear(ctx, &a.reached);
    dpl__vec_clear(ctx, &a.heap);
    dpl__free(ctx, a.owners, n_right * sizeof *a.owners);
    dpl__free(ctx, a.from, n_right * sizeof *a.from);
    dpl__free(ctx, a.distance, n_right * sizeof *a.distance);
    dpl__free(ctx, a.v, n_right * sizeof *a.v);
    dpl__free(ctx, a.u, n_left * sizeof *a.u);
    return status;
}
