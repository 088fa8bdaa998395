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
 */
#include "pairs/exact.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "par/pool.h"

#include <math.h>

enum {
    BLOCK_ROWS = 20480, /* 40 KiB of sums */
    SMALL_BLOCK_ROWS = 8192,
    SELF_BLOCK_ROWS = 4096,    /* within one set, where rows before a query are passed over */
    MOST_BLOCK_ROWS = 1 << 16, /* rows have 16-bit numbers */
    MANY_TERMS = 1 << 20,
    FEWEST_ROWS = 64,
    QUERY_ENTRIES = 1 << 20, /* that are prepared at a time, about */
    UNITS = 65535,
    PAD = 32 /* 16-bit numbers readable behind the postings */
};
#define MOST_ENTRIES ((uint64_t)1 << 31) /* of a block */

typedef struct block {
    uint32_t first, n_rows; /* among the indexed rows */
    uint32_t *offsets;      /* of each tail term's postings; n_tail + 1 */
    uint16_t *postings;     /* of each term: numbers of rows in the block, then weights */
    size_t n_postings;      /* 16-bit numbers */
    uint16_t *norms;        /* of the rows' heads */
    double norm;            /* Y */
} block;

/* A left row, made ready. */
typedef struct query {
    uint32_t row;
    uint32_t first, n; /* of its entries in the scratch */
    uint16_t head;     /* norm of its head */
    double norm;       /* X; 0: no pair can be found */
} query;

typedef struct scratch {
    uint16_t *sums, *places;
    DPL_VEC(query) queries;
    DPL_VEC(uint32_t) ranks;
    DPL_VEC(uint16_t) weights;
    DPL_VEC(dpl__postings) lists; /* of one query in one block */
    /* Within one set, [rank + 2]: where a term's postings of rows from `at` on begin. */
    uint32_t *starts, at;
    dpl__survivors survivors;
} scratch;

struct dpl__bounded {
    dpl_ctx *ctx;
    const dpl__join *join;
    const dpl__term_plan *plan;
    int32_t *left_ranks; /* the plan's ranks by the numbers of left's terms */
    uint32_t block_rows;
    DPL_VEC(block) blocks;
    scratch *scratch; /* of each thread */
};

/* ---- the index ---------------------------------------------------------------------- */

static void clear_blocks(dpl__bounded *b)
{
    for (size_t i = 0; i < b->blocks.n; i++) {
        block *k = &b->blocks.data[i];
        dpl__free(b->ctx, k->offsets, ((size_t)b->plan->n_tail + 1) * sizeof *k->offsets);
        dpl__free(b->ctx, k->postings, k->n_postings * sizeof *k->postings);
        dpl__free(b->ctx, k->norms, k->n_rows * sizeof *k->norms);
    }
    b->blocks.n = 0;
}

/* In units, rounded up. */
static uint16_t round_up(double norm, double unit)
{
    double x = ceil(norm * (1 + 1e-9) / unit);
    return (uint16_t)(x < UNITS ? x : UNITS);
}

/* Norms of the rows and of their heads; counts[rank + 2] of the terms' postings. */
static void measure_block(const dpl__bounded *b, block *k, uint32_t *counts, double *heads)
{
    const dpl__rows *rows = &b->join->sides->right->rows;
    double most = 0;
    for (uint32_t r = 0; r < k->n_rows; r++) {
        uint32_t row = dpl__indexed(b->join, k->first + r);
        double all = 0, head = 0;
        for (uint64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++) {
            int32_t rank = b->plan->ranks[rows->terms[i]];
            double square = (double)rows->weights[i] * (double)rows->weights[i];
            all += square;
            head += square * (rank == DPL__TERM_HEAD); /* no branch: it cannot be foretold */
            counts[rank + 2]++;
        }
        heads[r] = sqrt(head);
        most = all > most ? all : most;
    }
    k->norm = sqrt(most) * (1 + 1e-9);
    for (uint32_t r = 0; r < k->n_rows; r++)
        k->norms[r] = most > 0 ? round_up(heads[r], k->norm / UNITS) : 0;
}

/* at[rank + 2]: where the next posting of a term goes. */
static void fill_block(const dpl__bounded *b, block *k, uint32_t *at)
{
    const dpl__rows *rows = &b->join->sides->right->rows;
    double scale = k->norm > 0 ? UNITS / k->norm : 0;
    for (uint32_t r = 0; r < k->n_rows; r++) {
        uint32_t row = dpl__indexed(b->join, k->first + r);
        for (uint64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++) {
            int32_t rank = b->plan->ranks[rows->terms[i]];
            if (rank < 0)
                continue;
            /* The list of n begins at 2 offset; offset + n is the next one's. */
            size_t place = at[rank + 2]++;
            k->postings[k->offsets[rank] + place] = (uint16_t)r;
            k->postings[k->offsets[rank + 1] + place] =
                (uint16_t)((double)rows->weights[i] * scale);
        }
    }
}

/* With room for numbers per term (n_tail + 2) and per row. */
static dpl_status build_with(dpl__bounded *b, block *k, uint32_t *at, double *heads,
                             dpl_error *err)
{
    size_t n_tail = b->plan->n_tail;
    k->offsets = dpl__alloc(b->ctx, (n_tail + 1) * sizeof *k->offsets);
    k->norms = dpl__alloc(b->ctx, k->n_rows * sizeof *k->norms);
    if (!k->offsets || !k->norms)
        return dpl__fail_nomem(err);
    measure_block(b, k, at, heads);
    uint32_t sum = 0;
    for (size_t t = 0; t < n_tail; t++) {
        uint32_t n = at[t + 2];
        k->offsets[t] = at[t + 2] = sum;
        sum += n;
    }
    k->offsets[n_tail] = sum;
    k->n_postings = 2 * (size_t)sum + PAD;
    k->postings = dpl__alloc(b->ctx, k->n_postings * sizeof *k->postings);
    if (!k->postings)
        return dpl__fail_nomem(err);
    memset(k->postings + 2 * (size_t)sum, 0, PAD * sizeof *k->postings);
    fill_block(b, k, at);
    return DPL_OK;
}

static dpl_status build_block(void *user, size_t index, unsigned worker, dpl_error *err)
{
    (void)worker;
    dpl__bounded *b = user;
    block *k = &b->blocks.data[index];
    size_t n_at = (size_t)b->plan->n_tail + 2;
    uint32_t *at = dpl__calloc(b->ctx, n_at, sizeof *at);
    double *heads = dpl__alloc(b->ctx, k->n_rows * sizeof *heads);
    dpl_status status = at && heads ? build_with(b, k, at, heads, err) : dpl__fail_nomem(err);
    dpl__free(b->ctx, heads, k->n_rows * sizeof *heads);
    dpl__free(b->ctx, at, n_at * sizeof *at);
    return status;
}

static uint64_t row_length(const dpl__bounded *b, uint32_t i)
{
    const dpl__rows *rows = &b->join->sides->right->rows;
    uint32_t row = dpl__indexed(b->join, i);
    return rows->offsets[row + 1] - rows->offsets[row];
}

static uint32_t fit(const void *self, uint32_t first, uint64_t n_bytes)
{
    const dpl__bounded *b = self;
    uint32_t end = first, least = (uint32_t)dpl__max(FEWEST_ROWS, b->plan->n_tail / 1024);
    uint64_t n_entries = 0;
    for (; end < b->join->n_indexed; end++) {
        uint32_t n = end + 1 - first;
        uint64_t n_blocks = (n + b->block_rows - 1) / b->block_rows;
        n_entries += row_length(b, end);
        uint64_t size = n_entries * sizeof(uint32_t) + n * sizeof(uint16_t) +
                        n_blocks * (b->plan->n_tail * sizeof(uint32_t) + sizeof(block));
        if (size > n_bytes && n > least)
            break;
    }
    return end;
}

static dpl_status begin(void *self, uint32_t first, uint32_t end, dpl_error *err)
{
    dpl__bounded *b = self;
    clear_blocks(b);
    while (first < end) {
        block k = {.first = first};
        uint64_t n = 0;
        do {
            n += row_length(b, first++);
            k.n_rows++;
        } while (first < end && k.n_rows < b->block_rows &&
                 n + row_length(b, first) < MOST_ENTRIES);
        if (!dpl__vec_push(b->ctx, &b->blocks, k))
            return dpl__fail_nomem(err);
    }
    return dpl__parallel_for(b->ctx, b->blocks.n, b, build_block, err);
}

/* ---- queries ------------------------------------------------------------------------ */

/* In four sums, which do not wait for each other. */
static double sum_squares(const float *weights, size_t n)
{
    double sums[4] = {0};
    for (size_t i = 0; i < n; i++)
        sums[i % 4] += (double)weights[i] * (double)weights[i];
    return sums[0] + sums[1] + sums[2] + sums[3];
}

static bool add_query(dpl__bounded *b, scratch *s, uint32_t row)
{
    const dpl__rows *rows = &b->join->sides->left->rows;
    size_t n = (size_t)(rows->offsets[row + 1] - rows->offsets[row]);
    if (!dpl__vec_reserve(b->ctx, &s->ranks, n + 1) ||
        !dpl__vec_reserve(b->ctx, &s->weights, n + 1) ||
        !dpl__vec_reserve(b->ctx, &s->queries, 1))
        return false;
    const uint32_t *terms = rows->terms + rows->offsets[row];
    const float *weights = rows->weights + rows->offsets[row];
    query q = {.row = row, .first = (uint32_t)s->ranks.n};
    q.norm = sqrt(sum_squares(weights, n)) * (1 + 1e-9);
    double scale = q.norm > 0 ? UNITS / q.norm : 0;
    uint32_t *out_ranks = s->ranks.data + q.first;
    uint16_t *out_weights = s->weights.data + q.first;
    uint64_t head = 0; /* squares, in units, rounded up */
    for (size_t i = 0; i < n; i++) {
        int32_t rank = b->left_ranks[terms[i]];
        uint32_t weight = (uint32_t)((double)weights[i] * scale);
        head += (uint64_t)(weight + 1) * (weight + 1) * (rank == DPL__TERM_HEAD);
        out_ranks[q.n] = (uint32_t)rank;
        out_weights[q.n] = (uint16_t)weight;
        q.n += rank >= 0;
    }
    q.head = round_up(sqrt((double)head), 1);
    s->ranks.n += q.n;
    s->weights.n += q.n;
    s->queries.data[s->queries.n++] = q;
    return true;
}

/* What the sum of a pair, with its head, must reach at least; UNITS + 1: none can. */
static uint32_t least_sum(const dpl__bounded *b, const query *q, const block *k)
{
    double all = q->norm * k->norm; /* what 65535^2 / 65536 units stand for */
    double threshold = b->join->threshold * (1 - 1e-6); /* a score is rounded to float */
    if (!(all > 0) || threshold > all)
        return UNITS + 1;
    double m = q->n;
    double least = threshold / all * UNITS * (UNITS / 65536.0) - 2 * sqrt(m) - m;
    /* The head's product is rounded down by less than 1 in the sweep. */
    return least < 3 ? 0 : (uint32_t)(least - 2);
}

/* The postings of the query's terms from starts on. */
static size_t find_lists(dpl__postings *lists, const scratch *s, const query *q, const block *k,
                         const uint32_t *starts)
{
    const uint32_t *ranks = s->ranks.data + q->first;
    const uint16_t *weights = s->weights.data + q->first;
    size_t n = 0;
    for (uint32_t i = 0; i < q->n; i++) {
        size_t start = starts[ranks[i]], end = k->offsets[ranks[i] + 1];
        lists[n] =
            (dpl__postings){k->postings + k->offsets[ranks[i]] + start,
                            k->postings + end + start, (uint32_t)(end - start), weights[i]};
        n += end > start;
    }
    return n;
}

/* Within one set only rows behind the query's are asked for: starts move on to those. */
static void move_starts(const dpl__bounded *b, scratch *s, const block *k, const query *q)
{
    const dpl__rows *rows = &b->join->sides->right->rows;
    for (; k->first + s->at < q->row; s->at++) {
        uint32_t r = k->first + s->at;
        for (uint64_t i = rows->offsets[r]; i < rows->offsets[r + 1]; i++)
            s->starts[b->plan->ranks[rows->terms[i]] + 2]++;
    }
    for (uint32_t i = 0; i < q->n; i++)
        s->starts[s->ranks.data[q->first + i] + 2]++;
    s->at++;
}

static bool search_block(dpl__bounded *b, scratch *s, const block *k, uint32_t number)
{
    const dpl__kernels *kernels = b->ctx->kernels;
    const query *q = &s->queries.data[number];
    const uint32_t *starts = k->offsets;
    uint32_t first = 0, least = least_sum(b, q, k);
    if (least > UNITS)
        return true;
    s->lists.n = 0;
    if (!dpl__vec_reserve(b->ctx, &s->survivors.all, k->n_rows) ||
        !dpl__vec_reserve(b->ctx, &s->lists, q->n + (size_t)1))
        return false;
    if (b->join->sides->is_self && q->row >= k->first) {
        move_starts(b, s, k, q);
        starts = s->starts + 2;
        first = s->at;
    }
    kernels->sparse_add(s->sums, s->lists.data, find_lists(s->lists.data, s, q, k, starts));
    size_t n = kernels->sparse_sweep(s->places, s->sums + first, k->norms + first,
                                     k->n_rows - first, q->head, (uint16_t)least);
    for (size_t i = 0; i < n; i++)
        s->survivors.all.data[s->survivors.all.n++] =
            (dpl__survivor){number, dpl__indexed(b->join, k->first + first + s->places[i])};
    return true;
}

/* All blocks for all queries, or as many queries as have about `most` survivors. */
static bool search_blocks(dpl__bounded *b, scratch *s, size_t most, uint32_t *n_queries)
{
    s->survivors.all.n = 0;
    for (size_t i = 0; i < b->blocks.n; i++) {
        const block *k = &b->blocks.data[i];
        if (s->starts)
            memcpy(s->starts + 2, k->offsets, b->plan->n_tail * sizeof *s->starts);
        s->at = 0;
        for (uint32_t q = 0; q < *n_queries; q++) {
            if (s->starts && s->queries.data[q].row + 1 >= k->first + k->n_rows)
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
        s->places = dpl__alloc(b->ctx, b->block_rows * sizeof *s->places);
    if (s->places)
        s->sums = dpl__calloc(b->ctx, b->block_rows, sizeof *s->sums);
    return s->sums != NULL;
}

static dpl_status find(void *self, dpl__found *out, size_t *n_done, const uint32_t *rows,
                       size_t n, size_t most, unsigned worker, dpl_error *err)
{
    dpl__bounded *b = self;
    scratch *s = &b->scratch[worker];
    if (!make_scratch(b, s))
        return dpl__fail_nomem(err);
    s->queries.n = s->ranks.n = s->weights.n = 0;
    uint32_t n_queries = 0;
    while (n_queries < n && s->ranks.n < QUERY_ENTRIES)
        if (!add_query(b, s, rows[n_queries++]))
            return dpl__fail_nomem(err);
    if (!search_blocks(b, s, most, &n_queries) ||
        !dpl__survivors_score(&s->survivors, b->ctx, b->join, rows, n_queries, out))
        return dpl__fail_nomem(err);
    *n_done = n_queries;
    return DPL_OK;
}

/* ---- its life ----------------------------------------------------------------------- */

/* Large blocks have long lists, small ones stay in the cache; and every thread should have one
 * to build. Where the offsets of the terms would outweigh the postings, as large as can be. */
static uint32_t choose_block_rows(const dpl__bounded *b)
{
    size_t n = dpl__max(b->join->n_indexed, 1);
    if (b->join->sides->is_self)
        return (uint32_t)dpl__min(n, SELF_BLOCK_ROWS);
    if (b->plan->n_tail > MANY_TERMS)
        return (uint32_t)dpl__min(n, MOST_BLOCK_ROWS);
    size_t n_blocks = (n + BLOCK_ROWS - 1) / BLOCK_ROWS;
    n_blocks = dpl__max(n_blocks, dpl__min(b->ctx->n_threads, n / SMALL_BLOCK_ROWS));
    return (uint32_t)((n + n_blocks - 1) / n_blocks);
}

static size_t n_left_bytes(const dpl__bounded *b)
{
    return ((size_t)b->join->sides->left->rows.n_terms + 1) * sizeof *b->left_ranks;
}

static bool rank_left(dpl__bounded *b)
{
    const dpl__sides *sides = b->join->sides;
    b->left_ranks = dpl__alloc(b->ctx, n_left_bytes(b));
    for (uint32_t t = 0; b->left_ranks && t < sides->left->rows.n_terms; t++) {
        uint32_t term = dpl__right_term(sides, t);
        b->left_ranks[t] = term == DPL__NO_TERM ? DPL__TERM_NONE : b->plan->ranks[term];
    }
    return b->left_ranks != NULL;
}

dpl_status dpl__bounded_new(dpl__bounded **out, dpl_ctx *ctx, const dpl__join *join,
                            const dpl__term_plan *plan, dpl_error *err)
{
    *out = NULL;
    dpl__bounded *b = dpl__calloc(ctx, 1, sizeof *b);
    if (!b)
        return dpl__fail_nomem(err);
    *b = (dpl__bounded){.ctx = ctx, .join = join, .plan = plan};
    b->block_rows = choose_block_rows(b);
    b->scratch = dpl__calloc(ctx, ctx->n_threads, sizeof *b->scratch);
    if (!b->scratch || !rank_left(b)) {
        dpl__bounded_free(b);
        return dpl__fail_nomem(err);
    }
    *out = b;
    return DPL_OK;
}

static void clear_scratch(dpl__bounded *b, scratch *s)
{
    dpl__free(b->ctx, s->sums, b->block_rows * sizeof *s->sums);
    dpl__free(b->ctx, s->places, b->block_rows * sizeof *s->places);
    dpl__free(b->ctx, s->starts, ((size_t)b->plan->n_tail + 2) * sizeof *s->starts);
    dpl__vec_clear(b->ctx, &s->queries);
    dpl__vec_clear(b->ctx, &s->ranks);
    dpl__vec_clear(b->ctx, &s->weights);
    dpl__vec_clear(b->ctx, &s->lists);
    dpl__survivors_clear(&s->survivors, b->ctx);
}

void dpl__bounded_free(dpl__bounded *b)
{
    if (!b)
        return;
    clear_blocks(b);
    dpl__vec_clear(b->ctx, &b->blocks);
    for (unsigned i = 0; b->scratch && i < b->ctx->n_threads; i++)
        clear_scratch(b, &b->scratch[i]);
    dpl__free(b->ctx, b->scratch, b->ctx->n_threads * sizeof *b->scratch);
    dpl__free(b->ctx, b->left_ranks, n_left_bytes(b));
    dpl__free(b->ctx, b, sizeof *b);
}

dpl__finder dpl__bounded_finder(dpl__bounded *b)
{
    return (dpl__finder){b, fit, begin, find};
}
