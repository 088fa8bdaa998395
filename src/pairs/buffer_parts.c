/*
 * buffer_parts.c - search, merge and verification over the caller's buffers.
 *
 * The searches behind these calls are those of dpl_pairs_open: a part is made to look like a
 * set of vectors or signatures, and its row numbers are added to what is found. Scores are
 * canonical (search.h), so they do not depend on the parts.
 */
#include "doppel/pairs.h"

#include "base/ctx.h"
#include "base/order.h"
#include "base/vec.h"
#include "io/merge.h"
#include "pairs/searches.h"

#include <math.h>
#include <stdlib.h>

/* ---- lists -------------------------------------------------------------------------- */

typedef DPL_VEC(dpl_pair) pair_vec;
typedef DPL_VEC(dpl_candidate) candidate_vec;

void dpl_pair_list_clear(dpl_pair_list *list, dpl_ctx *ctx)
{
    dpl__free(ctx, list->pairs);
    *list = (dpl_pair_list){0};
}

void dpl_candidate_list_clear(dpl_candidate_list *list, dpl_ctx *ctx)
{
    dpl__free(ctx, list->candidates);
    *list = (dpl_candidate_list){0};
}

static dpl_status give_pairs(dpl_pair_list *out, dpl_ctx *ctx, pair_vec *found,
                             dpl_status status)
{
    if (status == DPL_OK)
        *out = (dpl_pair_list){found->data, found->n, found->cap};
    else
        dpl__vec_clear(ctx, found);
    return status;
}

static dpl_status give_candidates(dpl_candidate_list *out, dpl_ctx *ctx, candidate_vec *found,
                                  dpl_status status)
{
    if (status == DPL_OK)
        *out = (dpl_candidate_list){found->data, found->n, found->cap};
    else
        dpl__vec_clear(ctx, found);
    return status;
}

/* By left row, then score downwards, then right row. */
DPL__ORDER(compare_pairs, dpl_pair, DPL__RISING(left) DPL__FALLING(score) DPL__RISING(right))

DPL__ORDER(compare_candidates, dpl_candidate, DPL__RISING(left) DPL__RISING(right))

/* ---- rows as vectors ---------------------------------------------------------------- */

static dpl_status check_sparse(const dpl_part_rows *p, dpl_error *err)
{
    for (uint32_t row = 0; row < p->n_rows; row++) {
        uint64_t begin = p->offsets[row], end = p->offsets[row + 1];
        if (end < begin)
            return dpl__fail(err, DPL_E_USAGE, "row %u: offsets fall", p->first + row);
        for (uint64_t i = begin; i < end; i++)
            if (p->terms[i] >= p->n_terms || (i > begin && p->terms[i] <= p->terms[i - 1]) ||
                !(p->weights[i] > 0) || !isfinite(p->weights[i]))
                return dpl__fail(err, DPL_E_USAGE, "row %u: bad term or weight number %llu",
                                 p->first + row, (unsigned long long)(i - begin));
    }
    return DPL_OK;
}

static dpl_status check_dense(const dpl_part_rows *p, dpl_error *err)
{
    for (size_t i = 0; i < (size_t)p->n_rows * p->dim; i++)
        if (!isfinite(p->values[i]))
            return dpl__fail(err, DPL_E_USAGE, "row %u: not a finite number",
                             p->first + (uint32_t)(i / p->dim));
    return DPL_OK;
}

/* *v stands for the part while it is searched. */
static dpl_status as_vectors(dpl_vectors *v, dpl_ctx *ctx, const dpl_part_rows *p,
                             dpl_error *err)
{
    *v = (dpl_vectors){.ctx = ctx};
    v->sizes.n_rows = p->n_rows;
    if (p->first > UINT32_MAX - p->n_rows)
        return dpl__fail(err, DPL_E_USAGE, "row numbers above %u", UINT32_MAX);
    if (p->dim) {
        v->sizes.dim = p->dim;
        v->sizes.n_entries = (uint64_t)p->n_rows * p->dim;
        v->dense = (dpl__dense){p->n_rows, p->dim, p->values};
        return check_dense(p, err);
    }
    if (p->n_terms > INT32_MAX)
        return dpl__fail(err, DPL_E_USAGE, "%u terms are too many", p->n_terms);
    v->sizes.n_terms = p->n_terms;
    v->sizes.n_entries = p->n_rows ? p->offsets[p->n_rows] - p->offsets[0] : 0;
    v->rows = (dpl__rows){p->n_rows, p->n_terms, p->offsets, p->terms, p->weights};
    return check_sparse(p, err);
}

/* Two parts side by side. */
typedef struct part_sides {
    dpl_vectors left, right;
    dpl__sides sides;
    uint32_t first[2];
} part_sides;

static dpl_status open_sides(part_sides *s, dpl_ctx *ctx, const dpl_part_rows *left,
                             const dpl_part_rows *right, dpl_error *err)
{
    DPL_TRY(as_vectors(&s->left, ctx, left, err));
    if (right)
        DPL_TRY(as_vectors(&s->right, ctx, right, err));
    if (right && (left->dim != right->dim || left->n_terms != right->n_terms))
        return dpl__fail(err, DPL_E_USAGE, "parts of different dimensions");
    s->sides = (dpl__sides){
        .left = &s->left, .right = right ? &s->right : &s->left, .is_self = !right};
    s->first[0] = left->first;
    s->first[1] = right ? right->first : left->first;
    return DPL_OK;
}

/* ---- exact -------------------------------------------------------------------------- */

typedef struct exact_finds {
    dpl_ctx *ctx;
    pair_vec pairs;
    const uint32_t *first;
} exact_finds;

static dpl_status take_pairs(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    exact_finds *f = user;
    size_t begin = f->pairs.n;
    DPL_TRY(dpl__need(dpl__vec_append(f->ctx, &f->pairs, pairs, n), err));
    for (size_t i = begin; i < f->pairs.n; i++) {
        f->pairs.data[i].left += f->first[0];
        f->pairs.data[i].right += f->first[1];
    }
    /* All pairs of a left row come in one call. */
    qsort(f->pairs.data + begin, n, sizeof *pairs, compare_pairs);
    return DPL_OK;
}

dpl_status dpl_part_exact(dpl_pair_list *out, dpl_ctx *ctx, const dpl_part_rows *left,
                          const dpl_part_rows *right, double threshold, dpl_error *err)
{
    part_sides s;
    dpl__spill spill;
    dpl_pair_list_clear(out, ctx);
    DPL_TRY(open_sides(&s, ctx, left, right, err));
    DPL_TRY(dpl__spill_init(&spill, ctx, "/tmp", err));
    exact_finds found = {.ctx = ctx, .first = s.first};
    dpl__pair_sink sink = {&found, take_pairs};
    dpl_status status = dpl__exact(
        ctx, &(dpl__exact_search){&s.sides, fmax(0, threshold), NULL, 0, &sink, NULL, NULL},
        &spill, err);
    dpl__spill_clear(&spill);
    return give_pairs(out, ctx, &found.pairs, status);
}

/* ---- signatures --------------------------------------------------------------------- */

typedef struct bit_finds {
    dpl_ctx *ctx;
    candidate_vec candidates;
    uint32_t first[2];
} bit_finds;

static dpl_status take_candidates(void *user, const dpl__candidate *in, size_t n,
                                  dpl_error *err)
{
    bit_finds *f = user;
    DPL_TRY(dpl__need(dpl__vec_reserve(f->ctx, &f->candidates, n), err));
    for (size_t i = 0; i < n; i++)
        f->candidates.data[f->candidates.n++] = (dpl_candidate){
            in[i].left + f->first[0], in[i].right + f->first[1], in[i].distance};
    return DPL_OK;
}

static dpl_status check_bits(const dpl_part_bits *left, const dpl_part_bits *right,
                             const dpl_part_cuts *cuts, dpl_error *err)
{
    if (left->n_words == 0 || (right && right->n_words != left->n_words))
        return dpl__fail(err, DPL_E_USAGE, "parts of signatures of different lengths");
    if (cuts->first_bits % 64 || cuts->first_bits / 64 > left->n_words)
        return dpl__fail(err, DPL_E_USAGE, "an early test of %u bits", cuts->first_bits);
    if (left->first > UINT32_MAX - left->n_rows ||
        (right && right->first > UINT32_MAX - right->n_rows))
        return dpl__fail(err, DPL_E_USAGE, "row numbers above %u", UINT32_MAX);
    return DPL_OK;
}

static dpl__bits as_bits(const dpl_part_bits *p)
{
    return (dpl__bits){p->n_rows, p->n_words, p->words};
}

typedef dpl_status brute_fn(dpl_ctx *ctx, const dpl__bit_search *s, dpl_error *err);

static dpl_status compare_all(dpl_candidate_list *out, dpl_ctx *ctx,
                              const dpl_part_bits *const sides[2], const dpl_part_cuts *cuts,
                              brute_fn *brute, dpl_error *err)
{
    const dpl_part_bits *left = sides[0], *right = sides[1];
    dpl_candidate_list_clear(out, ctx);
    DPL_TRY(check_bits(left, right, cuts, err));
    dpl__bits l = as_bits(left), r = as_bits(right ? right : left);
    dpl__cuts c = {cuts->cut, cuts->first_bits / 64, cuts->first_cut};
    bit_finds found = {.ctx = ctx, .first = {left->first, (right ? right : left)->first}};
    dpl__candidate_sink sink = {&found, take_candidates};
    const dpl__bit_search search = {&l, &r, !right, &c, &sink, NULL, NULL};
    dpl_status status = brute(ctx, &search, err);
    return give_candidates(out, ctx, &found.candidates, status);
}

dpl_status dpl_part_brute(dpl_candidate_list *out, dpl_ctx *ctx, const dpl_part_bits *left,
                          const dpl_part_bits *right, const dpl_part_cuts *cuts, dpl_error *err)
{
    return compare_all(out, ctx, (const dpl_part_bits *const[]){left, right}, cuts, dpl__brute,
                       err);
}

dpl_status dpl_part_products(dpl_candidate_list *out, dpl_ctx *ctx, const dpl_part_bits *left,
                             const dpl_part_bits *right, unsigned cut, dpl_error *err)
{
    return compare_all(out, ctx, (const dpl_part_bits *const[]){left, right},
                       &(dpl_part_cuts){.cut = cut}, dpl__brute_bytes, err);
}

dpl_status dpl_part_window(dpl_candidate_list *out, dpl_ctx *ctx, const dpl_part_bits *left,
                           const dpl_part_bits *right, const dpl_part_tables *tables,
                           const dpl_part_cuts *cuts, dpl_error *err)
{
    dpl__spill spill;
    dpl_candidate_list_clear(out, ctx);
    DPL_TRY(check_bits(left, right, cuts, err));
    dpl__bits l = as_bits(left), r = as_bits(right ? right : left);
    uint64_t n_rows = (uint64_t)l.n_rows + (right ? r.n_rows : 0);
    if (tables->width == 0 || tables->width > n_rows)
        return dpl__fail(err, DPL_E_USAGE, "a window of %u in a table of %llu rows",
                         tables->width, (unsigned long long)n_rows);
    if (tables->n == 0 || tables->first > UINT32_MAX - tables->n)
        return dpl__fail(err, DPL_E_USAGE, "%u tables from number %u on", tables->n,
                         tables->first);
    dpl__cuts c = {cuts->cut, cuts->first_bits / 64, cuts->first_cut};
    dpl__window w = {.n_tables = tables->n,
                     .first_table = tables->first,
                     .size = tables->width,
                     .chunk = dpl__max(n_rows, (uint64_t)tables->width + 1)};
    bit_finds found = {.ctx = ctx, .first = {left->first, (right ? right : left)->first}};
    dpl__candidate_sink sink = {&found, take_candidates};
    DPL_TRY(dpl__spill_init(&spill, ctx, "/tmp", err));
    dpl_status status =
        dpl__window_search(ctx, &(dpl__bit_search){&l, &r, !right, &c, &sink, NULL, NULL}, &w,
                           tables->seed ? tables->seed : ctx->seed, &spill, err);
    dpl__spill_clear(&spill);
    return give_candidates(out, ctx, &found.candidates, status);
}

/* ---- verification ------------------------------------------------------------------- */

/* Converts rows to the numbers of the parts. */
static dpl_status to_local(dpl__candidate *out, const dpl_candidate_list *in,
                           const part_sides *s, dpl_error *err)
{
    uint32_t n_left = s->left.sizes.n_rows, n_right = s->sides.right->sizes.n_rows;
    for (size_t i = 0; i < in->n; i++) {
        const dpl_candidate *c = &in->candidates[i];
        out[i] = (dpl__candidate){c->left - s->first[0], c->right - s->first[1], c->distance};
        if (c->left < s->first[0] || out[i].left >= n_left || c->right < s->first[1] ||
            out[i].right >= n_right)
            return dpl__fail(err, DPL_E_USAGE, "candidate %u, %u is not of these parts",
                             c->left, c->right);
        if (i > 0 && compare_candidates(&in->candidates[i - 1], c) >= 0)
            return dpl__fail(err, DPL_E_USAGE, "candidate %u, %u is not in order", c->left,
                             c->right);
    }
    return DPL_OK;
}

static dpl_status verify(pair_vec *out, dpl_ctx *ctx, const part_sides *s,
                         const dpl__candidate *in, double threshold, dpl_error *err)
{
    size_t n = out->n, n_kept = 0;
    DPL_TRY(dpl__verify(ctx, &s->sides, out->data, in, n, err));
    for (size_t i = 0; i < n; i++)
        if (dpl__is_pair(out->data[i].score, threshold))
            out->data[n_kept++] =
                (dpl_pair){out->data[i].left + s->first[0], out->data[i].right + s->first[1],
                           out->data[i].score};
    out->n = n_kept;
    for (size_t i = 0, end; i < n_kept; i = end) {
        for (end = i + 1; end < n_kept && out->data[end].left == out->data[i].left;)
            end++;
        qsort(out->data + i, end - i, sizeof *out->data, compare_pairs);
    }
    return DPL_OK;
}

dpl_status dpl_part_verify(dpl_pair_list *out, dpl_ctx *ctx, const dpl_part_rows *left,
                           const dpl_part_rows *right, const dpl_candidate_list *in,
                           double threshold, dpl_error *err)
{
    part_sides s;
    pair_vec found = {0};
    dpl_pair_list_clear(out, ctx);
    DPL_TRY(open_sides(&s, ctx, left, right, err));
    size_t n_bytes = in->n * sizeof(dpl__candidate);
    dpl__candidate *local = dpl__alloc(ctx, n_bytes);
    dpl_status status = DPL_OK;
    if ((!local && in->n) || !dpl__vec_reserve(ctx, &found, in->n))
        DPL__STEP(dpl__fail_nomem(err));
    DPL__STEP(to_local(local, in, &s, err));
    found.n = in->n;
    DPL__STEP(verify(&found, ctx, &s, local, fmax(0, threshold), err));
done:
    dpl__free(ctx, local);
    return give_pairs(out, ctx, &found, status);
}

/* ---- merging ------------------------------------------------------------------------ */

/* The caller's lists as sorted runs. */
typedef struct sorted_lists {
    dpl__run *runs;
    dpl__merge merge;
    size_t n, n_bytes; /* bytes of an element */
    int (*compare)(const void *a, const void *b);
} sorted_lists;

static bool make_runs(sorted_lists *l, dpl_ctx *ctx, size_t n)
{
    l->n = n;
    l->runs = dpl__alloc(ctx, (n + 1) * sizeof *l->runs);
    l->merge.heap = dpl__alloc(ctx, (n + 1) * sizeof *l->merge.heap);
    return l->runs && l->merge.heap;
}

static void free_runs(sorted_lists *l, dpl_ctx *ctx)
{
    dpl__free(ctx, l->merge.heap, l->runs);
}

static void add_run(sorted_lists *l, size_t i, const void *data, size_t n)
{
    const char *at = data;
    l->runs[i] = (dpl__run){.at = at, .end = n ? at + n * l->n_bytes : at};
    dpl__merge_add(&l->merge, &l->runs[i], n > 0);
}

static bool is_before(const void *user, const void *a, const void *b)
{
    const sorted_lists *l = user;
    int order = l->compare(((const dpl__run *)a)->at, ((const dpl__run *)b)->at);
    return order < 0 || (order == 0 && a < b);
}

/* Calls take for every element in order, of equal ones in the order of the lists. */
static void merge_runs(sorted_lists *l, void (*take)(void *user, const void *element),
                       void *user)
{
    dpl__merge_begin(&l->merge, is_before, l);
    while (l->merge.n) {
        dpl__run *first = l->merge.heap[0];
        take(user, first->at);
        first->at += l->n_bytes;
        dpl__merge_next(&l->merge, dpl__run_has_one(first), is_before, l);
    }
}

typedef struct merged_pairs {
    pair_vec out; /* has room for all */
    unsigned n_best;
    size_t n_row; /* pairs of the left row at hand */
} merged_pairs;

static void take_pair(void *user, const void *element)
{
    merged_pairs *m = user;
    const dpl_pair *p = element, *last = m->out.n ? &m->out.data[m->out.n - 1] : NULL;
    if (last && compare_pairs(last, p) == 0)
        return;
    m->n_row = last && last->left == p->left ? m->n_row + 1 : 1;
    if (!m->n_best || m->n_row <= m->n_best)
        m->out.data[m->out.n++] = *p;
}

dpl_status dpl_pairs_merge(dpl_pair_list *out, dpl_ctx *ctx, const dpl_pair_list *lists,
                           size_t n_lists, unsigned n_best, dpl_error *err)
{
    size_t n = 0;
    merged_pairs merged = {.n_best = n_best};
    sorted_lists l = {.n_bytes = sizeof(dpl_pair), .compare = compare_pairs};
    dpl_pair_list_clear(out, ctx);
    for (size_t i = 0; i < n_lists; i++)
        n += lists[i].n;
    bool has_memory = make_runs(&l, ctx, n_lists) && dpl__vec_reserve(ctx, &merged.out, n);
    for (size_t i = 0; has_memory && i < n_lists; i++)
        add_run(&l, i, lists[i].pairs, lists[i].n);
    if (has_memory)
        merge_runs(&l, take_pair, &merged);
    free_runs(&l, ctx);
    return give_pairs(out, ctx, &merged.out, dpl__need(has_memory, err));
}

static void take_candidate(void *user, const void *element)
{
    candidate_vec *out = user;
    const dpl_candidate *c = element;
    if (!out->n || compare_candidates(&out->data[out->n - 1], c) != 0)
        out->data[out->n++] = *c;
}

dpl_status dpl_candidates_merge(dpl_candidate_list *out, dpl_ctx *ctx,
                                const dpl_candidate_list *lists, size_t n_lists, dpl_error *err)
{
    size_t n = 0;
    candidate_vec merged = {0};
    sorted_lists l = {.n_bytes = sizeof(dpl_candidate), .compare = compare_candidates};
    dpl_candidate_list_clear(out, ctx);
    for (size_t i = 0; i < n_lists; i++)
        n += lists[i].n;
    bool has_memory = make_runs(&l, ctx, n_lists) && dpl__vec_reserve(ctx, &merged, n);
    for (size_t i = 0; has_memory && i < n_lists; i++)
        add_run(&l, i, lists[i].candidates, lists[i].n);
    if (has_memory)
        merge_runs(&l, take_candidate, &merged);
    free_runs(&l, ctx);
    return give_candidates(out, ctx, &merged, dpl__need(has_memory, err));
}
