/*
 * assign.c - the matching of a bipartite graph with the largest sum of weights.
 *
 * In: edges with positive integer weights. Out: a mate for every left row, or none. Every row
 * has a price, and always
 *
 *     prices >= 0,  price(l) + price(r) >= weight(l, r),  with equality for mates.
 *
 * When no row that is alone has a price, the sum of all prices, which no matching can exceed,
 * is the sum of this one: it is the largest. Three steps lead there:
 *
 *   1. An auction in rounds finds prices of right rows that are nearly right: left rows bid for
 *      what they like best, at first in large steps, then in smaller ones (Bertsekas).
 *   2. With these prices left rows take what they like best, and bid for it in steps that keep
 *      the equality (Jonker and Volgenant's row reduction).
 *   3. Whoever is alone and has a price looks for the cheapest chain of changes that gives him
 *      a mate or leaves somebody alone who has no price then (Dijkstra; Mehlhorn and Naeher
 *      1999, section 7.8). First all left rows, then right ones.
 *
 * The third step alone would do, but slowly where many want the same few: the first leaves it
 * little to do. Falling weights end most loops over edges early: no edge behind can be better.
 * A search never leaves its connected component, so components need not be found first. Cost:
 * at worst O(n m log n); a million edges take about a second, whatever their weights.
 */
#include "pairs/assign.h"

#include "base/ctx.h"
#include "base/order.h"
#include "base/vec.h"

#include <stdlib.h>

enum {
    BIDS = 20,       /* of a round, per left row on average */
    FIRST_STEP = 64, /* part of the largest weight */
    FINER = 4,
    ROUNDS = 6
};

typedef struct side {
    uint32_t n;
    const uint64_t *offsets;
    const dpl__edge *edges;
    int64_t *prices;
    uint32_t *mates;
} side;

typedef struct place {
    int64_t distance;
    uint32_t row;
} place;

typedef struct assign {
    dpl_ctx *ctx;
    side left, right;
    /* The search at hand goes from rows of one side, which are near, to the other one. */
    int64_t *distances;        /* of far rows; INT64_MAX: not reached */
    uint32_t *from;            /* near row from which a far one was reached */
    DPL_VEC(place) heap;       /* nearest first; what was reached on a better way stays in it */
    DPL_VEC(uint32_t) reached; /* far rows whose distance is set */
    DPL_VEC(uint32_t) settled; /* those whose mates were searched from */
    /* The best end so far: a far row that is alone, or a near one that will be. */
    int64_t end;
    uint32_t end_far, end_near;
} assign;

static size_t larger_side(uint32_t n_left, uint32_t n_right)
{
    return n_left > n_right ? n_left : n_right;
}

uint64_t dpl__assign_bytes(uint32_t n_left, uint32_t n_right, uint64_t n_edges)
{
    const uint64_t per_row = sizeof(int64_t) + sizeof(uint32_t);
    return n_left * sizeof(int64_t) + n_right * per_row +
           larger_side(n_left, n_right) * per_row +
           /* the edges from the right; the search's own */
           n_right * sizeof(uint64_t) + n_edges * sizeof(dpl__edge) +
           (n_left + (uint64_t)n_right) * sizeof(place);
}

/* ---- bids --------------------------------------------------------------------------- */

typedef struct wish {
    int64_t best, second; /* weight less price; second is 0 at least: to stay alone */
    uint32_t row, other;
} wish;

static wish wish_of(const assign *a, uint32_t l)
{
    wish x = {0, 0, DPL__NO_MATE, DPL__NO_MATE};
    for (uint64_t i = a->left.offsets[l]; i < a->left.offsets[l + 1]; i++) {
        dpl__edge e = a->left.edges[i];
        if (e.weight <= x.second)
            break;
        int64_t gain = e.weight - a->right.prices[e.row];
        if (gain > x.best) {
            x.second = x.best;
            x.other = x.row;
            x.best = gain;
            x.row = e.row;
        } else if (gain > x.second) {
            x.second = gain;
            x.other = e.row;
        }
    }
    return x;
}

/* l raises the price of what it likes best until it is worth as much as the second best, less
 * the step. Returns the left row that lost its mate by it, or DPL__NO_MATE. */
static uint32_t bid(assign *a, uint32_t l, int64_t step)
{
    wish x = wish_of(a, l);
    uint32_t r = x.row, *owners = a->right.mates;
    a->left.prices[l] = x.second;
    if (r == DPL__NO_MATE)
        return DPL__NO_MATE;
    int64_t more = x.best - x.second + step;
    if (more == 0 && owners[r] != DPL__NO_MATE) {
        /* nothing to outbid with: take the other one if it is free, else search later */
        r = x.other;
        if (r == DPL__NO_MATE || owners[r] != DPL__NO_MATE)
            return DPL__NO_MATE;
    }
    a->right.prices[r] += more;
    uint32_t loser = owners[r];
    a->left.mates[l] = r;
    owners[r] = l;
    if (loser != DPL__NO_MATE)
        a->left.mates[loser] = DPL__NO_MATE;
    return loser;
}

static void bid_for_a_while(assign *a, int64_t step)
{
    uint64_t n = (uint64_t)BIDS * a->left.n;
    for (uint32_t l = 0; l < a->left.n; l++)
        for (uint32_t who = l; n && who != DPL__NO_MATE && a->left.mates[who] == DPL__NO_MATE;
             n--)
            who = bid(a, who, step);
}

/* All are alone again. Prices that nobody would pay are dropped, others lowered. */
static void start_again(assign *a, int64_t lower)
{
    for (uint32_t l = 0; l < a->left.n; l++)
        a->left.mates[l] = DPL__NO_MATE;
    for (uint32_t r = 0; r < a->right.n; r++) {
        int64_t price = a->right.prices[r];
        bool is_paid = a->right.mates[r] != DPL__NO_MATE && price > lower;
        a->right.prices[r] = is_paid ? price - lower : 0;
        a->right.mates[r] = DPL__NO_MATE;
    }
}

static void find_prices(assign *a)
{
    uint32_t most = 0;
    for (uint32_t l = 0; l < a->left.n; l++) {
        uint64_t i = a->left.offsets[l];
        if (i < a->left.offsets[l + 1] && a->left.edges[i].weight > most)
            most = a->left.edges[i].weight;
    }
    int64_t step = most / FIRST_STEP;
    for (int i = 0; i < ROUNDS && step > 0; i++, step /= FINER) {
        start_again(a, i ? FINER * step : 0);
        bid_for_a_while(a, step);
    }
    start_again(a, 0);
}

static void take_the_best(assign *a)
{
    for (uint32_t l = 0; l < a->left.n; l++) {
        int64_t best = wish_of(a, l).best;
        a->left.prices[l] = best;
        for (uint64_t i = a->left.offsets[l]; best && i < a->left.offsets[l + 1]; i++) {
            dpl__edge e = a->left.edges[i];
            if (e.weight < best)
                break;
            if (e.weight - a->right.prices[e.row] == best &&
                a->right.mates[e.row] == DPL__NO_MATE) {
                a->left.mates[l] = e.row;
                a->right.mates[e.row] = l;
                break;
            }
        }
    }
}

/* ---- chains of changes -------------------------------------------------------------- */

static bool push(assign *a, int64_t distance, uint32_t row)
{
    if (!dpl__vec_reserve(a->ctx, &a->heap, 1))
        return false;
    place *h = a->heap.data;
    size_t i = a->heap.n++;
    for (; i && h[(i - 1) / 2].distance > distance; i = (i - 1) / 2)
        h[i] = h[(i - 1) / 2];
    h[i] = (place){distance, row};
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

/* Continues from a near row at this distance: it may stay alone, or go on to its far rows. */
static dpl_status go_on(assign *a, const side *near, const side *far, uint32_t row,
                        int64_t distance, dpl_error *err)
{
    int64_t base = distance + near->prices[row];
    if (base < a->end) {
        a->end = base;
        a->end_near = row;
        a->end_far = DPL__NO_MATE;
    }
    for (uint64_t i = near->offsets[row]; i < near->offsets[row + 1]; i++) {
        dpl__edge e = near->edges[i];
        if (base - e.weight >= a->end)
            break;
        int64_t d = base - e.weight + far->prices[e.row];
        if (d >= a->end || d >= a->distances[e.row])
            continue;
        if (a->distances[e.row] == INT64_MAX && !dpl__vec_push(a->ctx, &a->reached, e.row))
            return dpl__fail_nomem(err);
        a->distances[e.row] = d;
        a->from[e.row] = row;
        if (far->mates[e.row] == DPL__NO_MATE) {
            a->end = d;
            a->end_far = e.row;
        } else if (!push(a, d, e.row)) {
            return dpl__fail_nomem(err);
        }
    }
    return DPL_OK;
}

/* Prices follow the distances, so that the chain costs nothing any more. */
static void change_prices(const assign *a, const side *near, const side *far, uint32_t start)
{
    assert(start < near->n);
    near->prices[start] -= a->end;
    for (size_t i = 0; i < a->settled.n; i++) {
        uint32_t row = a->settled.data[i];
        int64_t less = a->end - a->distances[row];
        assert(less >= 0 && far->mates[row] != DPL__NO_MATE);
        far->prices[row] += less;
        near->prices[far->mates[row]] -= less;
    }
}

/* From the end of the path back to its start, each near row takes the far row through which the
 * next one was reached. */
static void change_mates(const assign *a, const side *near, const side *far, uint32_t start)
{
    uint32_t row = a->end_far;
    if (row == DPL__NO_MATE) {
        row = near->mates[a->end_near];
        near->mates[a->end_near] = DPL__NO_MATE;
        if (a->end_near == start)
            return;
    }
    for (uint32_t who = DPL__NO_MATE; who != start;) {
        who = a->from[row];
        uint32_t before = near->mates[who];
        near->mates[who] = row;
        far->mates[row] = who;
        row = before;
    }
}

static dpl_status search(assign *a, const side *near, const side *far, uint32_t start,
                         dpl_error *err)
{
    a->heap.n = a->reached.n = a->settled.n = 0;
    a->end = INT64_MAX;
    DPL_TRY(go_on(a, near, far, start, 0, err));
    while (a->heap.n) {
        place p = pop(a);
        if (p.distance >= a->end)
            break;
        if (p.distance > a->distances[p.row])
            continue;
        DPL_TRY(dpl__need(dpl__vec_push(a->ctx, &a->settled, p.row), err));
        DPL_TRY(go_on(a, near, far, far->mates[p.row], p.distance, err));
    }
    change_prices(a, near, far, start);
    change_mates(a, near, far, start);
    for (size_t i = 0; i < a->reached.n; i++)
        a->distances[a->reached.data[i]] = INT64_MAX;
    return DPL_OK;
}

static bool is_searching(const side *s, uint32_t row)
{
    assert(row < s->n);
    return s->mates[row] == DPL__NO_MATE && s->prices[row] > 0;
}

static dpl_status search_all(assign *a, const side *near, const side *far, dpl_error *err)
{
    for (uint32_t row = 0; row < near->n; row++) {
        if (!is_searching(near, row))
            continue;
        DPL_TRY(search(a, near, far, row, err));
        dpl_progress p = {"assign", "rows", row, near->n};
        DPL_TRY(dpl__progress(a->ctx, &p, err));
    }
    return DPL_OK;
}

/* ---- from the right ----------------------------------------------------------------- */

DPL__SHARED_ORDER(dpl__edges_by_weight, dpl__edge, DPL__FALLING(weight) DPL__RISING(row))

/* The same edges by right row; offsets has room for one more than there are rows. */
static void turn_around(dpl__edge *edges, uint64_t *offsets, const assign *a)
{
    const side *left = &a->left;
    uint64_t n_edges = left->offsets[left->n];
    memset(offsets, 0, ((size_t)a->right.n + 1) * sizeof *offsets);
    for (uint64_t i = 0; i < n_edges; i++)
        offsets[left->edges[i].row]++;
    for (uint32_t r = 0; r < a->right.n; r++)
        offsets[r + 1] += offsets[r];
    /* from behind: each row's end moves down to its beginning */
    for (uint32_t l = left->n; l-- > 0;)
        for (uint64_t i = left->offsets[l + 1]; i-- > left->offsets[l];)
            edges[--offsets[left->edges[i].row]] = (dpl__edge){l, left->edges[i].weight};
    offsets[a->right.n] = n_edges;
    for (uint32_t r = 0; r < a->right.n; r++)
        qsort(edges + offsets[r], (size_t)(offsets[r + 1] - offsets[r]), sizeof *edges,
              dpl__edges_by_weight);
}

static dpl_status search_from_right(assign *a, dpl_error *err)
{
    uint32_t r = 0;
    while (r < a->right.n && !is_searching(&a->right, r))
        r++;
    if (r == a->right.n)
        return DPL_OK;
    size_t n_offsets = (size_t)a->right.n + 1, n_edges = (size_t)a->left.offsets[a->left.n];
    uint64_t *offsets = dpl__alloc(a->ctx, n_offsets * sizeof *offsets);
    dpl__edge *edges = dpl__alloc(a->ctx, n_edges * sizeof *edges);
    dpl_status status = DPL_OK;
    if (offsets && edges) {
        turn_around(edges, offsets, a);
        a->right.offsets = offsets;
        a->right.edges = edges;
        status = search_all(a, &a->right, &a->left, err);
    } else {
        status = dpl__fail_nomem(err);
    }
    dpl__free(a->ctx, edges, offsets);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------- */

dpl_status dpl__assign(uint32_t *mates, dpl_ctx *ctx, const dpl__bipartite *graph,
                       dpl_error *err)
{
    size_t n_left = graph->n_left, n_right = graph->n_right;
    assert(graph->offsets[0] == 0);
    size_t n_far = larger_side(graph->n_left, graph->n_right);
    assign a = {.ctx = ctx,
                .left = {.n = graph->n_left,
                         .offsets = graph->offsets,
                         .edges = graph->edges,
                         .prices = dpl__calloc(ctx, n_left, sizeof(int64_t)),
                         .mates = mates},
                .right = {.n = graph->n_right,
                          .prices = dpl__calloc(ctx, n_right, sizeof(int64_t)),
                          .mates = dpl__calloc(ctx, n_right, sizeof(uint32_t))},
                .distances = dpl__alloc(ctx, n_far * sizeof *a.distances),
                .from = dpl__alloc(ctx, n_far * sizeof *a.from)};
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(
        a.left.prices && a.right.prices && a.right.mates && a.distances && a.from, err));
    for (size_t i = 0; i < n_far; i++)
        a.distances[i] = INT64_MAX;
    find_prices(&a);
    take_the_best(&a);
    bid_for_a_while(&a, 0);
    DPL__STEP(search_all(&a, &a.left, &a.right, err));
    DPL__STEP(search_from_right(&a, err));

done:
    dpl__vec_clear(ctx, &a.settled, &a.reached, &a.heap);
    dpl__free(ctx, a.from, a.distances, a.right.mates, a.right.prices, a.left.prices);
    return status;
}
