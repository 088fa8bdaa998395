/*
 * exact.c - every pair of at least the threshold: choice of the algorithm.
 *
 * Sparse rows: the tail of the terms is added up and the head bounded, or everything is added
 * up; a few left rows are indexed and all right rows asked, or the other way round. That
 * changes the time it takes and nothing else: every algorithm ends in the canonical sums.
 */
#include "pairs/exact.h"

#include "base/ctx.h"
#include "base/mappings.h"
#include "io/external_sort.h"
#include "pairs/dense_cuts.h"

enum {
    FEW = 8, /* times fewer left rows than right ones: those are indexed instead */
    SMALL_PAIRS = 1 << 18, /* not worth a plan */
};

/* ---- ways --------------------------------------------------------------------------- */

static dpl_status search_dense(dpl_ctx *ctx, const dpl__join *f, const dpl__exact_search *s,
                               dpl__spill *spill, dpl_error *err)
{
    dpl__all_dense *dense;
    dpl_status on_device = dpl__dense_on_device(ctx, f, s->cuts, s->sink, err);
    if (on_device != DPL_E_UNSUPPORTED)
        return on_device;
    DPL_TRY(dpl__all_dense_new(&dense, ctx, f, s->cuts, err));
    dpl_status status =
        dpl__exact_run(ctx, f, dpl__all_dense_finder(dense), spill, s->sink, err);
    dpl__all_dense_free(dense);
    return status;
}

static dpl_status search_plainly(dpl_ctx *ctx, const dpl__join *f, dpl__spill *spill,
                                 const dpl__pair_sink *sink, dpl_error *err)
{
    dpl__plain *plain;
    DPL_TRY(dpl__plain_new(&plain, ctx, f, err));
    dpl_status status = dpl__exact_run(ctx, f, dpl__plain_finder(plain), spill, sink, err);
    dpl__plain_free(plain);
    return status;
}

dpl_status dpl__exact_bounded(dpl_ctx *ctx, const dpl__join *f, const dpl__term_plan *plan,
                              dpl__spill *spill, const dpl__pair_sink *sink, dpl_error *err)
{
    dpl__bounded *bounded;
    DPL_TRY(dpl__bounded_new(&bounded, ctx, f, plan, err));
    dpl_status status = dpl__exact_run(ctx, f, dpl__bounded_finder(bounded), spill, sink, err);
    dpl__bounded_free(bounded);
    return status;
}

/* ---- few left rows: they are indexed, and all right rows asked -------------------------- */

static bool is_before(const dpl_pair *a, const dpl_pair *b)
{
    return dpl__pairs_by_rows(a, b) < 0;
}

DPL_EXTERNAL_SORT(pair_sort, dpl_pair, is_before, DPL_KEEP_ALL);

typedef struct turner {
    pair_sort sort;
    bool is_self;
} turner;

static dpl_status take_turned(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    turner *t = user;
    for (size_t i = 0; i < n; i++) {
        const dpl_pair turned = {pairs[i].right, pairs[i].left, pairs[i].score};
        if (!t->is_self || turned.left < turned.right)
            DPL_TRY(pair_sort_add(&t->sort, &turned, err));
    }
    return DPL_OK;
}

static dpl_status put_turned(dpl__outlet *o, pair_sort *sort, dpl_error *err)
{
    dpl_pair pair;
    dpl_status status;
    DPL_TRY(pair_sort_end(sort, err));
    while ((status = pair_sort_next(sort, &pair, err)) == DPL_OK)
        DPL_TRY(dpl__outlet_put(o, pair, err));
    return status == DPL_END ? dpl__outlet_flush(o, err) : status;
}

/* The join with left and right exchanged; to_left has room for right's terms. */
static void turn(dpl__sides *sides, dpl__join *turned, const dpl__join *f, uint32_t *to_left)
{
    const dpl__sides *from = f->sides;
    for (uint32_t t = 0; t < from->right->rows.n_terms; t++)
        to_left[t] = from->to_right ? DPL__NO_TERM : t;
    for (uint32_t t = 0; from->to_right && t < from->left->rows.n_terms; t++)
        if (from->to_right[t] != DPL__NO_TERM)
            to_left[from->to_right[t]] = t;
    *sides = (dpl__sides){.left = from->right, .right = from->left, .to_right = to_left};
    *turned = (dpl__join){.sides = sides,
                          .threshold = f->threshold,
                          .indexed = f->queries,
                          .n_indexed = f->n_queries,
                          .n_queries = f->n_indexed};
}

static dpl_status search_turned(dpl__outlet *o, const dpl__join *f, const dpl__term_plan *plan,
                                bool is_self, dpl__spill *spill, dpl_error *err)
{
    turner t = {.is_self = is_self};
    dpl__pair_sink into = {&t, take_turned};
    pair_sort_init(&t.sort, spill, (size_t)(o->ctx->memory / 8));
    dpl_status status;
    DPL__STEP(dpl__exact_bounded(o->ctx, f, plan, spill, &into, err));
    DPL__STEP(put_turned(o, &t.sort, err));
done:
    pair_sort_clear(&t.sort);
    return status;
}

/* *is_done: whether it was worth it. */
static dpl_status try_turned(dpl_ctx *ctx, const dpl__join *f, dpl__spill *spill,
                             const dpl__pair_sink *sink, bool *is_done, dpl_error *err)
{
    dpl__join turned;
    dpl__sides sides;
    dpl__term_plan plan = {0};
    dpl__outlet o = {.ctx = ctx, .sink = sink};
    *is_done = false;
    size_t n_bytes = f->sides->right->rows.n_terms * sizeof(uint32_t);
    uint32_t *to_left = dpl__alloc(ctx, n_bytes);
    DPL_TRY(dpl__need(to_left, err));
    turn(&sides, &turned, f, to_left);
    dpl_status status;
    DPL__STEP(dpl__term_plan_make(&plan, ctx, &turned, err));
    *is_done = !plan.is_plain;
    if (*is_done)
        DPL__STEP(search_turned(&o, &turned, &plan, f->sides->is_self, spill, err));
done:
    dpl__vec_clear(ctx, &o.pairs);
    dpl__term_plan_clear(&plan, ctx);
    dpl__free(ctx, to_left);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------- */

static uint64_t count_dense(const dpl__join *f)
{
    uint64_t n = 0;
    for (size_t i = 0; i < f->n_queries; i++)
        n += f->sides->is_self ? f->n_indexed - 1 - dpl__query(f, i) : f->n_indexed;
    return n * f->sides->left->sizes.dim;
}

/* Multiply-adds that all products of weights take, whichever algorithm is used. */
static dpl_status count_products(uint64_t *n, dpl_ctx *ctx, const dpl__join *f, dpl_error *err)
{
    const dpl__rows *left = &f->sides->left->rows, *right = &f->sides->right->rows;
    if (f->sides->left->sizes.dim) {
        *n = count_dense(f);
        return DPL_OK;
    }
    /* How often each term occurs in the rows to come. */
    uint32_t *counts = dpl__calloc(ctx, (size_t)right->n_terms + 1, sizeof *counts);
    DPL_TRY(dpl__need(counts, err));
    for (size_t row = 0; row < right->n_rows; row++) {
        dpl__mappings_ease_in_loop(ctx, row);
        for (uint64_t i = right->offsets[row]; i < right->offsets[row + 1]; i++)
            counts[right->terms[i]]++;
    }
    uint64_t sum = 0, behind = 0; /* entries that do not come after the row */
    for (size_t k = 0; k < f->n_queries; k++) {
        size_t row = dpl__query(f, k);
        dpl__mappings_ease_in_loop(ctx, k);
        for (; f->sides->is_self && behind < right->offsets[row + 1]; behind++)
            counts[right->terms[behind]]--;
        for (uint64_t i = left->offsets[row]; i < left->offsets[row + 1]; i++) {
            uint32_t term = dpl__right_term(f->sides, left->terms[i]);
            sum += term == DPL__NO_TERM ? 0 : counts[term];
        }
    }
    *n = sum;
    dpl__free(ctx, counts);
    return DPL_OK;
}

static dpl_status search_sparse(dpl_ctx *ctx, const dpl__join *f, dpl__spill *spill,
                                const dpl__pair_sink *sink, dpl_error *err)
{
    if ((uint64_t)f->n_queries * f->n_indexed < SMALL_PAIRS)
        return search_plainly(ctx, f, spill, sink, err);
    if (f->n_queries < f->n_indexed / FEW && f->sides->right->rows.n_terms > 0) {
        bool is_done;
        DPL_TRY(try_turned(ctx, f, spill, sink, &is_done, err));
        if (is_done)
            return DPL_OK;
    }
    dpl__term_plan plan;
    DPL_TRY(dpl__term_plan_make(&plan, ctx, f, err));
    dpl_status status = plan.is_plain ? search_plainly(ctx, f, spill, sink, err)
                                      : dpl__exact_bounded(ctx, f, &plan, spill, sink, err);
    dpl__term_plan_clear(&plan, ctx);
    return status;
}

/* With few left rows, which are then indexed, memory is needed for these instead of the right
 * rows. */
double dpl__exact_bytes(dpl_ctx *ctx, const dpl__join *f, const dpl__term_plan *plan)
{
    dpl__join join = *f;
    dpl__term_plan terms = *plan;
    if ((uint64_t)f->n_queries * f->n_indexed < SMALL_PAIRS || plan->is_plain)
        return dpl__plain_bytes(ctx, f);
    if (f->n_queries < f->n_indexed / FEW) {
        join.n_indexed = f->n_queries;
        terms.n_postings *= (double)f->n_queries / f->n_indexed;
    }
    return dpl__bounded_bytes(ctx, &join, &terms);
}

dpl_status dpl__exact(dpl_ctx *ctx, const dpl__exact_search *s, dpl__spill *spill,
                      dpl_error *err)
{
    dpl__join f = {.sides = s->sides,
                   .threshold = s->threshold,
                   .queries = s->rows,
                   .n_queries = s->rows ? (uint32_t)s->n_rows : s->sides->left->sizes.n_rows,
                   .n_indexed = s->sides->right->sizes.n_rows};
    if (s->n_multiplied)
        DPL_TRY(count_products(s->n_multiplied, ctx, &f, err));
    if (f.n_queries == 0 || f.n_indexed == 0)
        return DPL_OK;
    return s->sides->left->sizes.dim ? search_dense(ctx, &f, s, spill, err)
                                     : search_sparse(ctx, &f, spill, s->sink, err);
}
