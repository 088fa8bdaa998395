/*
 * rising.c - candidates to scores to lists, whose last scores are the cuts of what comes next.
 *
 * Candidates whose score is too low for the lists of both rows by its upper bound
 * (row_bound.h) are dropped: nearly all.
 *
 * Others of a left row are scored from the nearest on: after the first few the row's cut
 * has fallen, and most of the others need not be looked at. While that goes on the row's list
 * is a copy; what belongs to a list is entered in the end, under the lock of a stripe of rows.
 *
 * Cost: a bound for each pair within the cuts of its rows, a score (row_score.c) for what it
 * leaves.
 */
#include "pairs/rising.h"

#include "base/ctx.h"
#include "base/mappings.h"
#include "base/order.h"
#include "pairs/exact.h"
#include "pairs/radix.h"
#include "pairs/row_bound.h"
#include "par/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    STRIPE = 4096,          /* rows under one lock */
    STRIPES = 64,           /* locks of a side */
    ROWS = DPL__BOUND_ROWS, /* left rows that are brought into order at a time */
    WORTH = 1024,           /* pairs of such rows that pay for making the block */
    SHORT = 24,             /* numbers that insertion sorts faster */
    AHEAD = 2,              /* rows fetched before they are scored */
    FETCHED = 8,            /* pairs whose right rows are fetched before their bounds */
    PART = 1 << 14,         /* pairs of a task, about */
};

/* A worker's own. */
typedef struct scratch {
    dpl__bounder bounder;
    dpl__scorer scorer;
    DPL_VEC(dpl_near_pair) likely;
    DPL_VEC(uint64_t) ordered, spare; /* distance << 32 | right, by left row */
    uint64_t *list;                   /* of the row at hand */
    dpl__found found;
    uint64_t n_scored;
} scratch;

struct dpl__rising {
    dpl_ctx *ctx;
    dpl__neighbour_lists *lists;
    const dpl__sides *sides;
    double threshold;
    const dpl__score_cuts *score_cuts;
    _Atomic uint32_t *cuts[2]; /* of each row; within one set both are the same */
    pthread_mutex_t locks[2][STRIPES];
    scratch *scratch;
};

/* ---- cuts --------------------------------------------------------------------------- */

void dpl__score_cuts_of(dpl__score_cuts *out, dpl_sign_method method, unsigned n, double recall)
{
    for (int i = 0; i <= DPL__CUT_STEPS; i++)
        out->of[i] = dpl_sign_cut(method, n, (double)i / DPL__CUT_STEPS, recall);
}

/* Within one set there is one list for a row, whichever side it is on. */
static int list_side(const dpl__rising *r, int side)
{
    return r->lists->is_self ? DPL__SIDE_LEFT : side;
}

uint32_t dpl__rising_cut(const dpl__rising *r, int side, uint32_t row)
{
    assert(side == DPL__SIDE_LEFT || side == DPL__SIDE_RIGHT);
    assert(row < r->lists->n_rows[list_side(r, side)]);
    return atomic_load_explicit(&r->cuts[list_side(r, side)][row], memory_order_relaxed);
}

void dpl__rising_read(void *user, int side, uint32_t first, uint32_t n, uint32_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = dpl__rising_cut(user, side, first + i);
}

static uint32_t cut_of_list(const dpl__rising *r, const uint64_t *list)
{
    assert(r->lists->k > 0);
    uint64_t last = list[r->lists->k - 1];
    double score = last ? (double)dpl__partner_score(last) : 0;
    return dpl__score_cut(r->score_cuts, score > r->threshold ? score : r->threshold);
}

static pthread_mutex_t *lock_of(dpl__rising *r, int side, uint32_t row)
{
    return &r->locks[side][row / STRIPE % STRIPES];
}

/* Enters all that was found into the lists of one side, and lowers cuts. */
static void enter(dpl__rising *r, scratch *own, int side)
{
    int to = list_side(r, side);
    pthread_mutex_t *held = NULL;
    for (size_t i = 0; i < own->found.n; i++) {
        const dpl_pair *p = &own->found.data[i];
        uint32_t row = side ? p->right : p->left, partner = side ? p->left : p->right;
        pthread_mutex_t *lock = lock_of(r, to, row);
        if (lock != held) {
            if (held)
                pthread_mutex_unlock(held);
            pthread_mutex_lock(lock);
            held = lock;
        }
        if (dpl__neighbour_lists_offer(r->lists, to, row, partner, p->score))
            atomic_store_explicit(
                &r->cuts[to][row],
                cut_of_list(r, r->lists->best[to] + (size_t)row * r->lists->k),
                memory_order_relaxed);
    }
    if (held)
        pthread_mutex_unlock(held);
}

/* ---- scoring ------------------------------------------------------------------------ */

/* Scores candidates of one left row, nearest first. False when there is no memory. */
static bool score_row(dpl__rising *r, scratch *own, uint32_t left, const uint64_t *near,
                      size_t n)
{
    const unsigned k = r->lists->k;
    pthread_mutex_t *lock = lock_of(r, DPL__SIDE_LEFT, left);
    pthread_mutex_lock(lock);
    memcpy(own->list, r->lists->best[DPL__SIDE_LEFT] + (size_t)left * k, k * sizeof *own->list);
    pthread_mutex_unlock(lock);
    uint32_t cut = cut_of_list(r, own->list);
    dpl__scorer_set(&own->scorer, left);
    for (size_t i = 0; i < n; i++) {
        uint32_t right = (uint32_t)near[i], distance = (uint32_t)(near[i] >> 32);
        uint32_t other = dpl__rising_cut(r, DPL__SIDE_RIGHT, right);
        if (distance > cut && distance > other)
            continue;
        dpl__mappings_ease_in_loop(r->ctx, i);
        float score =
            dpl__score(&own->scorer, right, (uint32_t)near[dpl__min(i + AHEAD, n - 1)]);
        own->n_scored++;
        uint32_t visible = dpl__score_cut(r->score_cuts, (double)score);
        if (!dpl__is_pair(score, r->threshold) || distance > visible)
            continue;
        bool is_near = dpl__neighbour_list_insert(
            own->list, k, dpl__neighbour_lists_number(r->lists, DPL__SIDE_LEFT, right, score));
        if (is_near)
            cut = cut_of_list(r, own->list);
        if ((is_near || visible <= other) &&
            !dpl__vec_push(r->ctx, &own->found, ((dpl_pair){left, right, score})))
            return false;
    }
    return true;
}

static void sort_near(uint64_t *all, uint64_t *spare, size_t n)
{
    if (n > SHORT) {
        dpl__radix_sort(all, spare, n);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        uint64_t x = all[i];
        size_t at = i;
        for (; at > 0 && all[at - 1] > x; at--)
            all[at] = all[at - 1];
        all[at] = x;
    }
}

/* Pairs of left rows [first, first + ROWS). */
static bool score_block(dpl__rising *r, scratch *own, uint32_t first,
                        const dpl_near_pair *pairs, size_t n)
{
    size_t ends[ROWS + 1] = {0};
    own->ordered.n = own->spare.n = 0;
    if (!dpl__vec_reserve(r->ctx, &own->ordered, n) ||
        !dpl__vec_reserve(r->ctx, &own->spare, n))
        return false;
    for (size_t i = 0; i < n; i++)
        ends[pairs[i].left - first + 1]++;
    for (size_t row = 0; row < ROWS; row++)
        ends[row + 1] += ends[row];
    size_t starts[ROWS];
    memcpy(starts, ends, sizeof starts);
    uint64_t *near = own->ordered.data;
    for (size_t i = 0; i < n; i++)
        near[starts[pairs[i].left - first]++] =
            (uint64_t)pairs[i].distance << 32 | pairs[i].right;
    own->found.n = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        size_t begin = ends[row], m = ends[row + 1] - begin;
        if (m == 0)
            continue;
        sort_near(near + begin, own->spare.data, m);
        if (!score_row(r, own, first + row, near + begin, m))
            return false;
    }
    enter(r, own, DPL__SIDE_LEFT);
    enter(r, own, DPL__SIDE_RIGHT);
    return true;
}

static bool make_scratch(dpl__rising *r, scratch *own)
{
    if (!own->list)
        own->list = dpl__alloc(r->ctx, r->lists->k * sizeof *own->list);
    return own->list &&
           (own->scorer.sides || dpl__scorer_init(&own->scorer, r->ctx, r->sides)) &&
           (own->bounder.sides || dpl__bounder_init(&own->bounder, r->ctx, r->sides));
}

/* Whether a pair with a score of at most this may belong to a list of its rows. */
static bool may_matter(const dpl__rising *r, const dpl_near_pair *p, float most)
{
    const uint32_t cut = dpl__score_cut(r->score_cuts, (double)most);
    return dpl__is_pair(most, r->threshold) &&
           (cut <= dpl__rising_cut(r, DPL__SIDE_LEFT, p->left) ||
            cut <= dpl__rising_cut(r, DPL__SIDE_RIGHT, p->right));
}

/* Keeps the pairs of a block that may matter. False when there is no memory. */
static bool keep_likely(dpl__rising *r, scratch *own, const dpl_near_pair *pairs, size_t n)
{
    own->likely.n = 0;
    if (!dpl__bounder_set_block(&own->bounder, pairs->left) ||
        !dpl__vec_reserve(r->ctx, &own->likely, n))
        return false;
    dpl_near_pair *likely = own->likely.data;
    size_t n_likely = 0;
    for (size_t i = 0; i < n; i++) {
        dpl__mappings_ease_in_loop(r->ctx, i);
        dpl__bounder_set(&own->bounder, pairs[i].right,
                         pairs[dpl__min(i + FETCHED, n - 1)].right);
        likely[n_likely] = pairs[i];
        n_likely += may_matter(r, &pairs[i], dpl__bound(&own->bounder, pairs[i].left));
    }
    own->likely.n = n_likely;
    own->n_scored += n - n_likely;
    return true;
}

dpl_status dpl__rising_take(void *user, unsigned worker, const dpl_near_pair *pairs, size_t n,
                            dpl_error *err)
{
    dpl__rising *r = user;
    scratch *own = &r->scratch[worker];
    DPL_TRY(dpl__need(make_scratch(r, own), err));
    for (size_t i = 0, end; i < n; i = end) { /* as far as they are of one block */
        uint32_t first = pairs[i].left / ROWS * ROWS;
        for (end = i; end < n && pairs[end].left - first < ROWS;)
            end++;
        const bool is_bounded = end - i >= WORTH && !r->sides->right->sizes.dim;
        bool has_memory = !is_bounded || keep_likely(r, own, pairs + i, end - i);
        has_memory = has_memory &&
                     (is_bounded ? score_block(r, own, first, own->likely.data, own->likely.n)
                                 : score_block(r, own, first, pairs + i, end - i));
        DPL_TRY(dpl__need(has_memory, err));
    }
    return DPL_OK;
}

/* ---- many at once ------------------------------------------------------------------- */

typedef struct batch {
    dpl__rising *r;
    const dpl_near_pair *pairs;
    size_t n;
} batch;

DPL__ORDER(by_left, dpl_near_pair, DPL__RISING(left) DPL__RISING(right))

static dpl_status take_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    const batch *b = user;
    size_t begin = part * PART;
    return dpl__rising_take(b->r, worker, b->pairs + begin, dpl__min(PART, b->n - begin), err);
}

dpl_status dpl__rising_take_all(void *user, unsigned worker, const dpl_near_pair *pairs,
                                size_t n, dpl_error *err)
{
    (void)worker;
    dpl__rising *r = user;
    dpl_near_pair *sorted = dpl__alloc(r->ctx, n * sizeof *sorted);
    DPL_TRY(dpl__need(sorted, err));
    memcpy(sorted, pairs, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_left);
    batch b = {r, sorted, n};
    dpl_status status = dpl__parallel_for(r->ctx, (n + PART - 1) / PART, &b, take_part, err);
    dpl__free(r->ctx, sorted);
    return status;
}

/* ---- new and free ------------------------------------------------------------------- */

dpl_status dpl__rising_new(dpl__rising **out, dpl__neighbour_lists *lists,
                           const dpl__sides *sides, double threshold,
                           const dpl__score_cuts *cuts, dpl_error *err)
{
    dpl_ctx *ctx = lists->ctx;
    *out = NULL;
    dpl__rising *r = dpl__calloc(ctx, 1, sizeof *r);
    DPL_TRY(dpl__need(r, err));
    *r = (dpl__rising){
        .ctx = ctx, .lists = lists, .sides = sides, .threshold = threshold, .score_cuts = cuts};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < STRIPES; i++)
            pthread_mutex_init(&r->locks[side][i], NULL);
    r->scratch = dpl__calloc(ctx, ctx->n_threads, sizeof *r->scratch);
    bool has_memory = r->scratch != NULL;
    for (int side = 0; side < (lists->is_self ? 1 : 2); side++) {
        size_t n = lists->n_rows[side];
        r->cuts[side] = dpl__alloc(ctx, (n + 1) * sizeof *r->cuts[side]);
        has_memory = has_memory && r->cuts[side];
        for (size_t row = 0; r->cuts[side] && row < n; row++)
            atomic_init(&r->cuts[side][row], dpl__score_cut(cuts, threshold));
    }
    if (!has_memory) {
        dpl__rising_free(r);
        return dpl__fail_nomem(err);
    }
    *out = r;
    return DPL_OK;
}

void dpl__rising_free(dpl__rising *r)
{
    if (!r)
        return;
    dpl_ctx *ctx = r->ctx;
    for (unsigned i = 0; r->scratch && i < ctx->n_threads; i++) {
        scratch *own = &r->scratch[i];
        if (own->scorer.sides)
            dpl__scorer_clear(&own->scorer, ctx);
        dpl__bounder_clear(&own->bounder);
        dpl__vec_clear(ctx, &own->likely);
        dpl__free(ctx, own->list);
        dpl__vec_clear(ctx, &own->ordered, &own->spare, &own->found);
    }
    dpl__free(ctx, r->scratch);
    for (int side = 0; side < 2; side++) {
        if (r->cuts[side])
            dpl__free(ctx, (void *)r->cuts[side]);
        for (int i = 0; i < STRIPES; i++)
            pthread_mutex_destroy(&r->locks[side][i]);
    }
    dpl__free(ctx, r);
}

uint64_t dpl__rising_scored(const dpl__rising *r)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < r->ctx->n_threads; i++)
        n += r->scratch[i].n_scored;
    return n;
}
