/*
 * bound_index.c - the inverted index of the bounded exact search, and its queries.
 *
 * Cost: two passes over the rows' entries; 4 bytes a posting.
 */
#include "pairs/bound_index.h"

#include "base/ctx.h"
#include "base/mappings.h"
#include "par/pool.h"

#include <math.h>

enum {
    SMALL_BLOCK_ROWS = 8192,
    MOST_BLOCK_ROWS = 1 << 16, /* rows have 16-bit numbers */
    MANY_TERMS = 1 << 20,
    FEWEST_ROWS = 64,
    MOST_PARTS = 8, /* of a block */
    PAD = 32        /* 16-bit numbers readable behind the postings */
};
#define MOST_ENTRIES ((uint64_t)1 << 31) /* of a block */

/* ---- the index ---------------------------------------------------------------------- */

static void clear_blocks(dpl__bound_index *b)
{
    for (size_t i = 0; i < b->blocks.n; i++) {
        dpl__bound_block *k = &b->blocks.data[i];
        dpl__free(b->ctx, k->offsets, k->postings, k->norms, k->groups);
    }
    b->blocks.n = 0;
}

/* Rounds a norm up to whole units. */
static uint16_t round_up(double norm, double unit)
{
    double x = ceil(norm * (1 + 1e-9) / unit);
    return (uint16_t)(x < DPL__BOUND_UNITS ? x : DPL__BOUND_UNITS);
}

/* Norms of groups from sums of squares, in units, rounded up; at most 127 of them. */
static void put_groups(int8_t *out, const double *squares, double unit)
{
    double scale = unit > 0 ? (1 + 1e-9) / unit : 0;
    for (size_t g = 0; g < DPL__GROUPS; g++) {
        double x = ceil(sqrt(squares[g]) * scale);
        out[g] = (int8_t)(x < 127 ? x : 127);
    }
}

/* Some rows of a block, [begin, end): a block is built in parts where there are fewer blocks
 * than threads. */
typedef struct part {
    uint32_t begin, end;
    uint32_t
        *at;     /* [rank + 2] of each tail term: how many postings; then where the next goes */
    double most; /* largest square of a norm */
    double most_head; /* largest norm of a head */
} part;

/* Norms of the rows and of their heads; counts the terms' postings. */
static void measure_part(const dpl__bound_index *b, const dpl__bound_block *k, part *p,
                         double *heads)
{
    const dpl__rows *rows = &b->join->sides->right->rows;
    for (uint32_t r = p->begin; r < p->end; r++) {
        uint32_t row = dpl__indexed(b->join, k->first + r);
        double all = 0, head = 0;
        dpl__mappings_ease_in_loop(b->ctx, r);
        for (uint64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++) {
            int32_t rank = b->plan->ranks[rows->terms[i]];
            double square = (double)rows->weights[i] * (double)rows->weights[i];
            all += square;
            head += square * (rank == DPL__TERM_HEAD); /* no branch: it cannot be foretold */
            p->at[rank + 2]++;
        }
        heads[r] = sqrt(head);
        p->most_head = heads[r] > p->most_head ? heads[r] : p->most_head;
        p->most = all > p->most ? all : p->most;
    }
}

static void fill_groups(const dpl__bound_index *b, dpl__bound_block *k, uint32_t r)
{
    const dpl__rows *rows = &b->join->sides->right->rows;
    uint32_t row = dpl__indexed(b->join, k->first + r);
    double squares[DPL__GROUPS + 1] = {0};
    for (uint64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++)
        squares[b->plan->groups[rows->terms[i]]] +=
            (double)rows->weights[i] * (double)rows->weights[i];
    put_groups(k->groups + (size_t)r * DPL__GROUPS, squares, k->group_unit);
}

static void fill_part(const dpl__bound_index *b, dpl__bound_block *k, part *p,
                      const double *heads)
{
    const dpl__rows *rows = &b->join->sides->right->rows;
    double scale = k->norm > 0 ? DPL__BOUND_UNITS / k->norm : 0;
    for (uint32_t r = p->begin; r < p->end; r++) {
        uint32_t row = dpl__indexed(b->join, k->first + r);
        dpl__mappings_ease_in_loop(b->ctx, r);
        k->norms[r] = k->norm > 0 ? round_up(heads[r], k->norm / DPL__BOUND_UNITS) : 0;
        if (k->groups)
            fill_groups(b, k, r);
        for (uint64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++) {
            int32_t rank = b->plan->ranks[rows->terms[i]];
            if (rank < 0)
                continue;
            /* The list of n begins at 2 offset; offset + n is the next one's. */
            size_t place = p->at[rank + 2]++;
            k->postings[k->offsets[rank] + place] = (uint16_t)r;
            k->postings[k->offsets[rank + 1] + place] =
                (uint16_t)((double)rows->weights[i] * scale);
        }
    }
}

/* Room for the postings that the parts have counted, and where each begins. */
static dpl_status lay_out(dpl__bound_index *b, dpl__bound_block *k, part *parts, size_t n_parts,
                          dpl_error *err)
{
    size_t n_tail = b->plan->n_tail;
    double most = 0, head = 0;
    uint32_t sum = 0;
    for (size_t i = 0; i < n_parts; i++) {
        most = parts[i].most > most ? parts[i].most : most;
        head = parts[i].most_head > head ? parts[i].most_head : head;
    }
    k->norm = sqrt(most) * (1 + 1e-9);
    k->group_unit = head * (1 + 1e-6) / 127;
    for (size_t t = 0; t < n_tail; t++) {
        k->offsets[t] = sum;
        for (size_t i = 0; i < n_parts; i++) {
            uint32_t n = parts[i].at[t + 2];
            parts[i].at[t + 2] = sum;
            sum += n;
        }
    }
    k->offsets[n_tail] = sum;
    k->n_postings = 2 * (size_t)sum + PAD;
    k->postings = dpl__alloc(b->ctx, k->n_postings * sizeof *k->postings);
    DPL_TRY(dpl__need(k->postings, err));
    memset(k->postings + 2 * (size_t)sum, 0, PAD * sizeof *k->postings);
    return DPL_OK;
}

typedef struct building {
    dpl__bound_index *b;
    dpl__bound_block *k;
    part parts[MOST_PARTS];
    size_t n_parts;
    double *heads; /* of each row */
} building;

static void measure_one(void *user, size_t i)
{
    building *x = user;
    measure_part(x->b, x->k, &x->parts[i], x->heads);
}

static void fill_one(void *user, size_t i)
{
    building *x = user;
    fill_part(x->b, x->k, &x->parts[i], x->heads);
}

static dpl_status build_parts(building *x, dpl_error *err)
{
    dpl_ctx *ctx = x->b->ctx;
    DPL_TRY(dpl__parallel_each(ctx, x->n_parts, x, measure_one, err));
    DPL_TRY(lay_out(x->b, x->k, x->parts, x->n_parts, err));
    return dpl__parallel_each(ctx, x->n_parts, x, fill_one, err);
}

/* A part for each thread that would have nothing to do, and no more than the counts are worth.
 */
static size_t count_parts(const dpl__bound_index *b, const dpl__bound_block *k)
{
    const dpl__rows *rows = &b->join->sides->right->rows;
    uint64_t mean = rows->n_rows ? rows->offsets[rows->n_rows] / rows->n_rows : 0;
    size_t worth = (size_t)(mean * k->n_rows / 4 / ((uint64_t)b->plan->n_tail + 1));
    size_t n = dpl__min(b->ctx->n_threads / b->blocks.n, dpl__min(worth, MOST_PARTS));
    return dpl__max(n, 1);
}

static dpl_status build_block(void *user, size_t index, unsigned worker, dpl_error *err)
{
    (void)worker;
    dpl__bound_index *b = user;
    dpl__bound_block *k = &b->blocks.data[index];
    building x = {.b = b, .k = k, .n_parts = count_parts(b, k)};
    size_t n_at = (size_t)b->plan->n_tail + 2, n = x.n_parts;
    uint32_t *at = dpl__calloc(b->ctx, n * n_at, sizeof *at);
    x.heads = dpl__alloc(b->ctx, k->n_rows * sizeof *x.heads);
    k->offsets = dpl__alloc(b->ctx, (n_at - 1) * sizeof *k->offsets);
    k->norms = dpl__alloc(b->ctx, k->n_rows * sizeof *k->norms);
    if (b->plan->has_groups)
        k->groups = dpl__alloc(b->ctx, (size_t)k->n_rows * DPL__GROUPS);
    bool has_memory =
        at && x.heads && k->offsets && k->norms && (k->groups || !b->plan->has_groups);
    for (size_t i = 0; has_memory && i < n; i++)
        x.parts[i] = (part){.begin = (uint32_t)(i * k->n_rows / n),
                            .end = (uint32_t)((i + 1) * k->n_rows / n),
                            .at = at + i * n_at};
    dpl_status status = has_memory ? build_parts(&x, err) : dpl__fail_nomem(err);
    dpl__free(b->ctx, x.heads, at);
    return status;
}

static uint64_t row_length(const dpl__bound_index *b, uint32_t i)
{
    const dpl__rows *rows = &b->join->sides->right->rows;
    uint32_t row = dpl__indexed(b->join, i);
    return rows->offsets[row + 1] - rows->offsets[row];
}

uint32_t dpl__bound_index_fit(const dpl__bound_index *b, uint32_t first, uint64_t n_bytes)
{
    assert(first < b->join->n_indexed);
    uint32_t end = first, least = (uint32_t)dpl__max(FEWEST_ROWS, b->plan->n_tail / 1024);
    uint64_t n_entries = 0;
    for (; end < b->join->n_indexed; end++) {
        uint32_t n = end + 1 - first;
        uint64_t n_blocks = (n + b->block_rows - 1) / b->block_rows;
        n_entries += row_length(b, end);
        uint64_t size =
            n_entries * sizeof(uint32_t) + n * sizeof(uint16_t) +
            (b->plan->has_groups ? (uint64_t)n * DPL__GROUPS : 0) +
            n_blocks * (b->plan->n_tail * sizeof(uint32_t) + sizeof(dpl__bound_block));
        if (size > n_bytes && n > least)
            break;
    }
    return end;
}

dpl_status dpl__bound_index_build(dpl__bound_index *b, uint32_t first, uint32_t end,
                                  dpl_error *err)
{
    assert(first < end && end <= b->join->n_indexed);
    clear_blocks(b);
    while (first < end) {
        dpl__bound_block k = {.first = first};
        uint64_t n = 0;
        do {
            n += row_length(b, first++);
            k.n_rows++;
        } while (first < end && k.n_rows < b->block_rows &&
                 n + row_length(b, first) < MOST_ENTRIES);
        DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &b->blocks, k), err));
    }
    return dpl__parallel_for(b->ctx, b->blocks.n, b, build_block, err);
}

/* ---- queries ------------------------------------------------------------------------ */

/* Four independent sums, so that additions do not wait for each other. */
static double sum_squares(const float *weights, size_t n)
{
    double sums[4] = {0};
    for (size_t i = 0; i < n; i++)
        sums[i % 4] += (double)weights[i] * (double)weights[i];
    return sums[0] + sums[1] + sums[2] + sums[3];
}

/* Norms of the head's groups, in units of the head's over 127. */
static bool add_groups(dpl__bound_queries *s, const dpl__bound_index *b, dpl__bound_query *q,
                       const uint32_t *terms, const float *weights, size_t n)
{
    double squares[DPL__GROUPS + 1] = {0}, head = 0;
    if (!dpl__vec_reserve(b->ctx, &s->groups, DPL__GROUPS))
        return false;
    for (size_t i = 0; i < n; i++)
        squares[b->left_groups[terms[i]]] += (double)weights[i] * (double)weights[i];
    for (size_t g = 0; g < DPL__GROUPS; g++)
        head += squares[g];
    q->group_unit = sqrt(head) * (1 + 1e-6) / 127;
    put_groups(s->groups.data + s->groups.n, squares, q->group_unit);
    s->groups.n += DPL__GROUPS;
    return true;
}

bool dpl__bound_queries_add(dpl__bound_queries *s, const dpl__bound_index *b, uint32_t row,
                            double norm)
{
    const dpl__rows *rows = &b->join->sides->left->rows;
    assert(row < b->join->sides->left->sizes.n_rows);
    size_t n = (size_t)(rows->offsets[row + 1] - rows->offsets[row]);
    if (!dpl__vec_reserve(b->ctx, &s->ranks, n + 1) ||
        !dpl__vec_reserve(b->ctx, &s->weights, n + 1) || !dpl__vec_reserve(b->ctx, &s->all, 1))
        return false;
    const uint32_t *terms = rows->terms + rows->offsets[row];
    const float *weights = rows->weights + rows->offsets[row];
    dpl__bound_query q = {.row = row, .first = (uint32_t)s->ranks.n};
    q.norm = norm > 0 ? norm : sqrt(sum_squares(weights, n)) * (1 + 1e-9);
    double scale = q.norm > 0 ? DPL__BOUND_UNITS / q.norm : 0;
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
    if (b->plan->has_groups && !add_groups(s, b, &q, terms, weights, n))
        return false;
    s->all.data[s->all.n++] = q;
    return true;
}

size_t dpl__bound_queries_lists(dpl__bound_queries *s, dpl_ctx *ctx, size_t query,
                                const dpl__bound_block *k, const uint32_t *starts)
{
    const dpl__bound_query *q = &s->all.data[query];
    s->lists.n = 0;
    if (!dpl__vec_reserve(ctx, &s->lists, q->n + (size_t)1))
        return SIZE_MAX;
    dpl__postings *lists = s->lists.data;
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

void dpl__bound_queries_reset(dpl__bound_queries *s)
{
    s->all.n = s->ranks.n = s->weights.n = s->groups.n = 0;
}

void dpl__bound_queries_clear(dpl__bound_queries *s, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &s->all, &s->ranks, &s->weights, &s->groups, &s->lists);
}

/* ---- its life ----------------------------------------------------------------------- */

/* Large blocks have long lists, small ones stay in the cache; and every thread should have one
 * to build. Where the offsets of the terms would outweigh the postings, as large as can be. */
static uint32_t choose_block_rows(const dpl__bound_index *b)
{
    size_t n = dpl__max(b->join->n_indexed, 1);
    if (b->join->sides->is_self)
        return (uint32_t)dpl__min(n, DPL__BOUND_SELF_ROWS);
    if (b->plan->n_tail > MANY_TERMS)
        return (uint32_t)dpl__min(n, MOST_BLOCK_ROWS);
    size_t rows = b->plan->has_groups ? DPL__BOUND_LARGE_ROWS : DPL__BOUND_ROWS;
    size_t n_blocks = (n + rows - 1) / rows;
    n_blocks = dpl__max(n_blocks, dpl__min(b->ctx->n_threads, n / SMALL_BLOCK_ROWS));
    return (uint32_t)((n + n_blocks - 1) / n_blocks);
}

static size_t n_left_bytes(const dpl__bound_index *b)
{
    return ((size_t)b->join->sides->left->rows.n_terms + 1) * sizeof *b->left_ranks;
}

static bool rank_left(dpl__bound_index *b)
{
    const dpl__sides *sides = b->join->sides;
    size_t n = sides->left->rows.n_terms;
    b->left_ranks = dpl__alloc(b->ctx, n_left_bytes(b));
    b->left_groups = dpl__alloc(b->ctx, n + 1);
    if (!b->left_ranks || !b->left_groups) {
        dpl__bound_index_clear(b);
        return false;
    }
    for (uint32_t t = 0; t < n; t++) {
        uint32_t term = dpl__right_term(sides, t);
        b->left_ranks[t] = term == DPL__NO_TERM ? DPL__TERM_NONE : b->plan->ranks[term];
        b->left_groups[t] = term == DPL__NO_TERM ? DPL__GROUPS : b->plan->groups[term];
    }
    return true;
}

bool dpl__bound_index_init(dpl__bound_index *b, dpl_ctx *ctx, const dpl__join *join,
                           const dpl__term_plan *plan)
{
    *b = (dpl__bound_index){.ctx = ctx, .join = join, .plan = plan};
    b->block_rows = choose_block_rows(b);
    return rank_left(b);
}

double dpl__bound_index_bytes(dpl_ctx *ctx, const dpl__join *join, const dpl__term_plan *plan)
{
    dpl__bound_index b = {.ctx = ctx, .join = join, .plan = plan};
    const double n = join->n_indexed, n_blocks = ceil(n / choose_block_rows(&b));
    const double of_row = sizeof(uint16_t) + (plan->has_groups ? DPL__GROUPS : 0);
    const double of_block = (plan->n_tail + 1.0) * sizeof(uint32_t) + sizeof(dpl__bound_block);
    const double all =
        plan->n_postings * 2 * sizeof(uint16_t) + n * of_row + n_blocks * of_block;
    return fmin(all, (double)ctx->memory / 2) +
           (double)join->sides->left->rows.n_terms * (sizeof *b.left_ranks + 1);
}

void dpl__bound_index_clear(dpl__bound_index *b)
{
    if (!b->ctx)
        return;
    clear_blocks(b);
    dpl__vec_clear(b->ctx, &b->blocks);
    if (b->left_ranks)
        dpl__free(b->ctx, b->left_ranks);
    if (b->left_groups)
        dpl__free(b->ctx, b->left_groups);
    b->left_ranks = NULL;
    b->left_groups = NULL;
}
