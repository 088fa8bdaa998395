/*
 * exact_plain.c - every product of two weights is added up.
 *
 * Right rows are taken in blocks whose sums stay in the cache. Of each block there is an
 * inverted index, term by term; the terms of a left row are walked in rising order, so every
 * sum is the canonical one and nothing has to be computed again. Cost: one multiply-add for
 * every term that two rows share. This is for low thresholds, where most sums are asked
 * for.
 */
#include "pairs/exact.h"

#include "base/ctx.h"
#include "par/pool.h"

#include <math.h>

typedef struct posting {
    uint32_t row; /* in the block */
    float weight;
} posting;

typedef struct block {
    uint32_t first, n_rows;
    uint32_t *offsets; /* of each term's postings; n_terms + 1 */
    posting *postings;
} block;

struct dpl__plain {
    dpl_ctx *ctx;
    const dpl__join *join;
    const dpl__sides *sides;
    uint32_t block_rows;
    DPL_VEC(block) blocks;
    double **sums; /* of each thread: block_rows */
};

enum {
    BLOCK_ROWS = 1 << 14,
    TERMS_PER_ROW = 16, /* of the vocabulary: so many at the most, or offsets outweigh rows */
    FEWEST_ROWS = 64
};
#define MOST_ENTRIES ((uint64_t)1 << 31) /* of a block */

/* ---- the index ---------------------------------------------------------------------- */

static void clear_blocks(dpl__plain *p)
{
    for (size_t i = 0; i < p->blocks.n; i++) {
        block *b = &p->blocks.data[i];
        dpl__free(p->ctx, b->offsets, b->postings);
    }
    p->blocks.n = 0;
}

static dpl_status build_block(void *user, size_t index, unsigned worker, dpl_error *err)
{
    (void)worker;
    dpl__plain *p = user;
    block *b = &p->blocks.data[index];
    const dpl__rows *rows = &p->sides->right->rows;
    uint64_t begin = rows->offsets[b->first], end = rows->offsets[b->first + b->n_rows];
    b->offsets = dpl__calloc(p->ctx, (size_t)rows->n_terms + 2, sizeof *b->offsets);
    b->postings = dpl__alloc(p->ctx, (end - begin + 1) * sizeof *b->postings); /* never NULL */
    DPL_TRY(dpl__need(b->offsets && b->postings, err));
    uint32_t *at = b->offsets + 1; /* where the next posting of a term goes */
    for (uint64_t i = begin; i < end; i++)
        at[rows->terms[i] + 1]++;
    for (uint32_t t = 0; t < rows->n_terms; t++)
        at[t + 1] += at[t];
    for (uint32_t r = 0; r < b->n_rows; r++)
        for (uint64_t i = rows->offsets[b->first + r]; i < rows->offsets[b->first + r + 1]; i++)
            b->postings[at[rows->terms[i]]++] = (posting){r, rows->weights[i]};
    return DPL_OK;
}

static uint32_t fit(const void *self, uint32_t first, uint64_t n_bytes)
{
    const dpl__plain *p = self;
    const dpl__rows *rows = &p->sides->right->rows;
    uint32_t least = (uint32_t)dpl__max(FEWEST_ROWS, rows->n_terms / 1024);
    uint32_t end = first;
    while (end < rows->n_rows) {
        uint32_t n = end + 1 - first;
        uint64_t n_blocks = (n + p->block_rows - 1) / p->block_rows;
        uint64_t size = (rows->offsets[end + 1] - rows->offsets[first]) * sizeof(posting) +
                        n_blocks * (rows->n_terms * sizeof(uint32_t) + sizeof(block)) +
                        p->ctx->n_threads * sizeof(double) * dpl__min(n, p->block_rows);
        if (size > n_bytes && n > least)
            break;
        end++;
    }
    return end;
}

static dpl_status begin(void *self, uint32_t first, uint32_t end, dpl_error *err)
{
    dpl__plain *p = self;
    const uint64_t *offsets = p->sides->right->rows.offsets;
    clear_blocks(p);
    while (first < end) {
        block b = {.first = first};
        do
            b.n_rows++;
        while (++first < end && b.n_rows < p->block_rows &&
               offsets[first + 1] - offsets[b.first] < MOST_ENTRIES);
        DPL_TRY(dpl__need(dpl__vec_push(p->ctx, &p->blocks, b), err));
    }
    return dpl__parallel_for(p->ctx, p->blocks.n, p, build_block, err);
}

/* ---- the search --------------------------------------------------------------------- */

static void accumulate(double *sums, const dpl__plain *p, const block *b, uint32_t row)
{
    const dpl__rows *left = &p->sides->left->rows;
    for (uint64_t i = left->offsets[row]; i < left->offsets[row + 1]; i++) {
        uint32_t term = dpl__right_term(p->sides, left->terms[i]);
        if (term == DPL__NO_TERM)
            continue;
        double weight = (double)left->weights[i];
        const posting *end = b->postings + b->offsets[term + 1];
        for (const posting *q = b->postings + b->offsets[term]; q < end; q++)
            sums[q->row] += weight * (double)q->weight;
    }
}

/* Appends what is a pair and leaves zeros. */
static bool sweep(dpl__found *out, double *sums, const dpl__plain *p, const block *b,
                  uint32_t row)
{
    uint32_t r = 0;
    if (p->sides->is_self && row >= b->first) { /* only what stands behind it */
        r = (uint32_t)dpl__min(row + 1 - b->first, b->n_rows);
        memset(sums, 0, r * sizeof *sums);
    }
    for (; r < b->n_rows; r++) {
        float score = (float)sums[r];
        sums[r] = 0;
        if (dpl__is_pair(score, p->join->threshold) &&
            !dpl__vec_push(p->ctx, out, ((dpl_pair){row, b->first + r, score})))
            return false;
    }
    return true;
}

static dpl_status find(void *self, dpl__found *out, size_t *n_done,
                       const dpl__find_rows *wanted, unsigned worker, dpl_error *err)
{
    dpl__plain *p = self;
    if (!p->sums[worker]) {
        p->sums[worker] = dpl__calloc(p->ctx, p->block_rows, sizeof **p->sums);
        DPL_TRY(dpl__need(p->sums[worker], err));
    }
    for (*n_done = 0; *n_done < wanted->n && (*n_done == 0 || out->n < wanted->most);
         ++*n_done) {
        uint32_t row = wanted->rows[*n_done];
        for (size_t i = 0; i < p->blocks.n; i++) {
            const block *b = &p->blocks.data[i];
            if (p->sides->is_self && row + 1 >= b->first + b->n_rows)
                continue;
            accumulate(p->sums[worker], p, b, row);
            DPL_TRY(dpl__need(sweep(out, p->sums[worker], p, b, row), err));
        }
    }
    return DPL_OK;
}

/* ---- its life ----------------------------------------------------------------------- */

static uint32_t choose_block_rows(const dpl__rows *right)
{
    return (uint32_t)dpl__min(dpl__max(BLOCK_ROWS, right->n_terms / TERMS_PER_ROW),
                              dpl__max(right->n_rows, 1));
}

double dpl__plain_bytes(dpl_ctx *ctx, const dpl__join *join)
{
    const dpl__rows *right = &join->sides->right->rows;
    const double block_rows = choose_block_rows(right);
    const double of_block = (right->n_terms + 2.0) * sizeof(uint32_t) + sizeof(block);
    const double all = (double)right->offsets[right->n_rows] * sizeof(posting) +
                       ceil(right->n_rows / block_rows) * of_block +
                       ctx->n_threads * block_rows * sizeof(double);
    return fmin(all, (double)ctx->memory / 2);
}

dpl_status dpl__plain_new(dpl__plain **out, dpl_ctx *ctx, const dpl__join *join, dpl_error *err)
{
    *out = NULL;
    dpl__plain *p = dpl__calloc(ctx, 1, sizeof *p);
    DPL_TRY(dpl__need(p, err));
    *p = (dpl__plain){.ctx = ctx, .join = join, .sides = join->sides};
    p->block_rows = choose_block_rows(&join->sides->right->rows);
    p->sums = dpl__calloc(ctx, ctx->n_threads, sizeof *p->sums);
    if (!p->sums) {
        dpl__plain_free(p);
        return dpl__fail_nomem(err);
    }
    *out = p;
    return DPL_OK;
}

void dpl__plain_free(dpl__plain *p)
{
    if (!p)
        return;
    clear_blocks(p);
    dpl__vec_clear(p->ctx, &p->blocks);
    for (unsigned i = 0; p->sums && i < p->ctx->n_threads; i++)
        dpl__free(p->ctx, p->sums[i]);
    dpl__free(p->ctx, p->sums, p);
}

dpl__finder dpl__plain_finder(dpl__plain *p)
{
    return (dpl__finder){p, fit, begin, find};
}
