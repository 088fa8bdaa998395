/*
 * exact_bound.c - the tail of the terms is added up, the head bounded, the survivors scored.
 *
 * Right rows stand in blocks whose sums fit into the first cache. Of each block there is an
 * inverted index of the tail terms, four bytes a posting: row in the block, weight in 16 bits.
 * For each left row and block the products are added up in 16 bits, then one sweep adds
 * |x_head| |y_head| and tells who may reach the threshold. Those are scored canonically.
 *
 * Nothing is lost: weights and products are rounded down, the head's norms up. Let x be a left
 * row of norm at most X, y a right row of norm at most Y, in units of X / 65535 and Y / 65535.
 * Rounding takes less than 1 from each weight, the shift less than 1 from each product. Of m
 * tail terms of x, the sum over those shared with y is then at least
 *
 *     (sum x_i y_i - sum x_i - sum y_i) / 65536 - m  >=  sum x_i y_i / 65536 - 2 sqrt(m) - m
 *
 * by Cauchy and Schwarz, and never more than sum x_i y_i / 65536 < 65536: it cannot overflow.
 *
 * What survives is held against a tighter bound, where that pays: the head's terms are divided
 * into groups, and the head can add at most the sum of |x_g| |y_g| over all groups g. Norms of
 * groups are signed bytes, rounded up, and the sum is one product of 64 bytes.
 */
#include "pairs/bound_index.h"

#include "base/ctx.h"
#include "kernels/kernels.h"

#include <math.h>

enum { QUERY_ENTRIES = 1 << 20 }; /* that are prepared at a time, about */

typedef struct scratch {
    uint16_t *sums, *places;
    dpl__bound_queries queries;
    /* Within one set, [rank + 2]: where a term's postings of rows from `at` on begin. */
    uint32_t *starts, at;
    dpl__survivors survivors;
} scratch;

struct dpl__bounded {
    dpl_ctx *ctx;
    const dpl__join *join;
    const dpl__term_plan *plan;
    dpl__bound_index index;
    scratch *scratch; /* of each thread */
};

/* ---- queries ------------------------------------------------------------------------ */

/* What the sum of a pair, with its head, must reach at least; DPL__BOUND_UNITS + 1: none can.
 */
static uint32_t least_sum(const dpl__bounded *b, const dpl__bound_query *q,
                          const dpl__bound_block *k)
{
    double all = q->norm * k->norm; /* what 65535^2 / 65536 units stand for */
    double threshold = b->join->threshold * (1 - 1e-6); /* a score is rounded to float */
    if (!(all > 0) || threshold > all)
        return DPL__BOUND_UNITS + 1;
    double m = q->n;
    double least =
        threshold / all * DPL__BOUND_UNITS * (DPL__BOUND_UNITS / 65536.0) - 2 * sqrt(m) - m;
    /* The head's product is rounded down by less than 1 in the sweep. */
    return least < 3 ? 0 : (uint32_t)(least - 2);
}

/* Within one set only rows behind the query's are asked for: starts move on to those. */
static void move_starts(const dpl__bounded *b, scratch *s, const dpl__bound_block *k,
                        const dpl__bound_query *q)
{
    const dpl__rows *rows = &b->join->sides->right->rows;
    for (; k->first + s->at < q->row; s->at++) {
        uint32_t r = k->first + s->at;
        for (uint64_t i = rows->offsets[r]; i < rows->offsets[r + 1]; i++)
            s->starts[b->plan->ranks[rows->terms[i]] + 2]++;
    }
    for (uint32_t i = 0; i < q->n; i++)
        s->starts[s->queries.ranks.data[q->first + i] + 2]++;
    s->at++;
}

/* Keeps the places whose sum reaches the threshold with the bound of the groups, too. */
static size_t refine(const dpl__bounded *b, scratch *s, const dpl__bound_block *k,
                     uint32_t number, uint32_t first, size_t n)
{
    const dpl__bound_query *q = &s->queries.all.data[number];
    const int8_t *left = s->queries.groups.data + (size_t)number * DPL__GROUPS;
    const int8_t *right = k->groups + (size_t)first * DPL__GROUPS;
    const double m = q->n, slack = 2 * sqrt(m) + m + 2;
    const double tail_unit = q->norm * k->norm * 65536.0 / DPL__BOUND_UNITS / DPL__BOUND_UNITS;
    const double unit = q->group_unit * k->group_unit * (1 + 1e-9);
    const double least = b->join->threshold * (1 - 1e-6) - slack * tail_unit;
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t place = s->places[i];
        int32_t head = b->ctx->kernels->dot8(left, right + place * DPL__GROUPS, DPL__GROUPS);
        s->places[n_kept] = (uint16_t)place;
        n_kept += s->sums[first + place] * tail_unit + head * unit >= least;
    }
    return n_kept;
}

static bool search_block(dpl__bounded *b, scratch *s, const dpl__bound_block *k,
                         uint32_t number)
{
    const dpl__kernels *kernels = b->ctx->kernels;
    const dpl__bound_query *q = &s->queries.all.data[number];
    const uint32_t *starts = k->offsets;
    uint32_t first = 0, least = least_sum(b, q, k);
    if (least > DPL__BOUND_UNITS)
        return true;
    if (!dpl__vec_reserve(b->ctx, &s->survivors.all, k->n_rows))
        return false;
    if (b->join->sides->is_self && q->row >= k->first) {
        move_starts(b, s, k, q);
        starts = s->starts + 2;
        first = s->at;
    }
    size_t n_lists = dpl__bound_queries_lists(&s->queries, b->ctx, number, k, starts);
    if (n_lists == SIZE_MAX)
        return false;
    kernels->sparse_add(s->sums, s->queries.lists.data, n_lists);
    size_t n = kernels->sparse_sweep(s->places, s->sums + first, k->norms + first,
                                     k->n_rows - first, q->head, (uint16_t)least);
    if (k->groups)
        n = refine(b, s, k, number, first, n);
    memset(s->sums, 0, k->n_rows * sizeof *s->sums);
    for (size_t i = 0; i < n; i++)
        s->survivors.all.data[s->survivors.all.n++] =
            (dpl__survivor){number, dpl__indexed(b->join, k->first + first + s->places[i])};
    return true;
}

/* All blocks for all queries, or as many queries as have about `most` survivors. */
static bool search_blocks(dpl__bounded *b, scratch *s, size_t most, uint32_t *n_queries)
{
    s->survivors.all.n = 0;
    for (size_t i = 0; i < b->index.blocks.n; i++) {
        const dpl__bound_block *k = &b->index.blocks.data[i];
        if (s->starts)
            memcpy(s->starts + 2, k->offsets, b->plan->n_tail * sizeof *s->starts);
        s->at = 0;
        for (uint32_t q = 0; q < *n_queries; q++) {
            if (s->starts && s->queries.all.data[q].row + 1 >= k->first + k->n_rows)
                break; /* and all behind it */
            if (!search_block(b, s, k, q))
                return false;
            while (s->survivors.all.n > most && *n_queries > 1)
                *n_queries = dpl__survivors_halve(&s->survivors, *n_queries);
        }
    }
    return true;
}

static bool make_scratch(dpl__bounded *b, scratch *s)
{
    if (s->sums)
        return true;
    if (b->join->sides->is_self && !s->starts) {
        assert(!b->join->indexed); /* rows of the index are numbered as queries are */
        s->starts = dpl__calloc(b->ctx, (size_t)b->plan->n_tail + 2, sizeof *s->starts);
        if (!s->starts)
            return false;
    }
    if (!s->places)
        s->places = dpl__alloc(b->ctx, b->index.block_rows * sizeof *s->places);
    if (s->places)
        s->sums = dpl__calloc(b->ctx, b->index.block_rows, sizeof *s->sums);
    return s->sums != NULL;
}

static dpl_status find(void *self, dpl__found *out, size_t *n_done,
                       const dpl__find_rows *wanted, unsigned worker, dpl_error *err)
{
    dpl__bounded *b = self;
    scratch *s = &b->scratch[worker];
    DPL_TRY(dpl__need(make_scratch(b, s), err));
    dpl__bound_queries_reset(&s->queries);
    uint32_t n_queries = 0;
    while (n_queries < wanted->n && s->queries.ranks.n < QUERY_ENTRIES)
        DPL_TRY(dpl__need(
            dpl__bound_queries_add(&s->queries, &b->index, wanted->rows[n_queries++], 0), err));
    DPL_TRY(dpl__need(
        search_blocks(b, s, wanted->most, &n_queries) &&
            dpl__survivors_score(&s->survivors, b->ctx, b->join, wanted->rows, n_queries, out),
        err));
    *n_done = n_queries;
    return DPL_OK;
}

/* ---- its life ----------------------------------------------------------------------- */

dpl_status dpl__bounded_new(dpl__bounded **out, dpl_ctx *ctx, const dpl__join *join,
                            const dpl__term_plan *plan, dpl_error *err)
{
    *out = NULL;
    dpl__bounded *b = dpl__calloc(ctx, 1, sizeof *b);
    DPL_TRY(dpl__need(b, err));
    *b = (dpl__bounded){.ctx = ctx, .join = join, .plan = plan};
    b->scratch = dpl__calloc(ctx, ctx->n_threads, sizeof *b->scratch);
    if (!b->scratch || !dpl__bound_index_init(&b->index, ctx, join, plan)) {
        dpl__bounded_free(b);
        return dpl__fail_nomem(err);
    }
    *out = b;
    return DPL_OK;
}

static void clear_scratch(dpl__bounded *b, scratch *s)
{
    dpl__free(b->ctx, s->sums, s->places, s->starts);
    dpl__bound_queries_clear(&s->queries, b->ctx);
    dpl__survivors_clear(&s->survivors, b->ctx);
}

void dpl__bounded_free(dpl__bounded *b)
{
    if (!b)
        return;
    for (unsigned i = 0; b->scratch && i < b->ctx->n_threads; i++)
        clear_scratch(b, &b->scratch[i]);
    dpl__free(b->ctx, b->scratch);
    dpl__bound_index_clear(&b->index);
    dpl__free(b->ctx, b);
}

/* Per thread: sums and places of a block, and a scorer. */
double dpl__bounded_bytes(dpl_ctx *ctx, const dpl__join *join, const dpl__term_plan *plan)
{
    const double rows = plan->has_groups ? DPL__BOUND_LARGE_ROWS : DPL__BOUND_ROWS;
    return dpl__bound_index_bytes(ctx, join, plan) + plan->n_terms * (sizeof *plan->ranks + 1) +
           ctx->n_threads * (fmin(rows, join->n_indexed) * 2 * sizeof(uint16_t) +
                             dpl__scorer_bytes(join->sides));
}

static uint32_t fit(const void *self, uint32_t first, uint64_t n_bytes)
{
    const dpl__bounded *b = self;
    return dpl__bound_index_fit(&b->index, first, n_bytes);
}

static dpl_status begin(void *self, uint32_t first, uint32_t end, dpl_error *err)
{
    dpl__bounded *b = self;
    return dpl__bound_index_build(&b->index, first, end, err);
}

dpl__finder dpl__bounded_finder(dpl__bounded *b)
{
    return (dpl__finder){b, fit, begin, find};
}
