/*
 * exact_method.c - the row of the exact search in the table of methods.
 */
#include "pairs/method.h"

#include "base/ctx.h"
#include "devices/device.h"
#include "io/shared_run.h"
#include "pairs/bound_index.h"
#include "pairs/dense_cuts.h"
#include "par/pool.h"

#include <math.h>

/* Bytes of a thread: scores of a block of right rows with some left ones (exact_dense.c). */
enum { DENSE_BYTES = 1 << 16 };

/* Shared terms of two rows for each term of one: 10.2 of 120 in English prose. */
static const double shared_terms = 0.085;

/* A pair that is found: brought into order, handed over. */
static const double FOUND_NS = 150;

enum { SMALL_PAIRS = 1 << 18 };          /* fewer are not worth an index with bounds */
static const double NEAREST_TIMES = 0.4; /* plans of all pairs leave out those that are found */

typedef struct expected {
    double ns; /* of one thread; 0: not known */
    double bytes;
} expected;

/* An index of rows that are not there: 16-bit rows and weights, two bounds, offsets. */
static double usual_bytes(const dpl__planner *p)
{
    const double n_blocks = ceil(p->n_right / DPL__BOUND_LARGE_ROWS);
    const double all = p->n_right * (p->terms * 4 + 2 + DPL__GROUPS) +
                       n_blocks * dpl__planner_vocabulary(p) * sizeof(uint32_t);
    return fmin(all, (double)p->ctx->memory / 2) + dpl__planner_scorers_bytes(p);
}

/* Time and memory as the search itself expects them; the nearest are taken from all pairs where
 * it does that (see nearest, below). */
static expected expect(dpl__planner *p)
{
    if (p->is_dense)
        return (expected){.bytes = p->ctx->n_threads * (double)DENSE_BYTES};
    if (!p->o.left || p->n_pairs == 0)
        return (expected){.bytes = usual_bytes(p)};
    dpl__sides sides;
    dpl__term_plan terms;
    const dpl_vectors *left = p->o.left->vectors,
                      *right = p->o.right ? p->o.right->vectors : NULL;
    if (dpl__sides_init(&sides, p->ctx, left, right, NULL) != DPL_OK)
        return (expected){.bytes = usual_bytes(p)};
    dpl__join join = {.sides = &sides,
                      .threshold = p->o.threshold,
                      .n_queries = left->sizes.n_rows,
                      .n_indexed = sides.right->sizes.n_rows,
                      .has_no_groups = p->o.nearest > 0};
    double ns = 0, bytes = 0;
    double found = p->has_sample ? FOUND_NS * p->sample.found * p->n_pairs : 0;
    if (dpl__term_plan_make(&terms, p->ctx, &join, NULL) == DPL_OK) {
        ns = terms.ns * (p->is_self ? 0.5 : 1);
        bytes = dpl__exact_bytes(p->ctx, &join, &terms);
        dpl__term_plan_clear(&terms, p->ctx);
    }
    dpl__sides_clear(&sides, p->ctx);
    if (p->o.nearest && p->n_pairs >= SMALL_PAIRS && ns > NEAREST_TIMES * p->near.exact_ns)
        return (expected){p->near.exact_ns, p->near.exact_bytes};
    return (expected){ns + found, bytes};
}

static void plan(dpl__planner *p)
{
    if (!p->has_vectors)
        return;
    double products = p->is_dense                               ? p->terms
                      : p->has_sample && p->sample.products > 0 ? p->sample.products
                                                                : shared_terms * p->terms;
    expected search = expect(p);
    double ns = search.ns > 0 ? dpl__planner_exact_ns(p, search.ns)
                              : products * p->n_pairs * p->speeds.multiply_ns;
    dpl__planner_put(
        p, (dpl_plan_row){.method = DPL_PAIRS_EXACT,
                          .comparisons = products * p->n_pairs,
                          .relative = dpl__planner_relative(p, ns / p->speeds.compare_ns),
                          .paper_low = 1,
                          .paper_high = 1,
                          .paper_cut = 1,
                          .recall = 1,
                          .seconds = dpl__planner_seconds(p, ns),
                          .bytes = search.bytes + dpl__planner_result_bytes(p)});
}

static void say_name(dpl__text *t, const dpl_plan_row *row)
{
    (void)row;
    dpl__say(t, "the exact method");
}

static void say_work(dpl__text *t, const dpl_plan_row *row, double n_pairs)
{
    (void)n_pairs;
    dpl__say(t, " finds all pairs with %.3g multiply-adds in ", row->comparisons);
}

static dpl_status run(dpl__search *s, dpl_error *err)
{
    return dpl__exact(s->ctx,
                      &(dpl__exact_search){.sides = s->sides,
                                           .threshold = s->options->threshold,
                                           .sink = &s->pairs,
                                           .n_multiplied = &s->summary->n_comparisons},
                      s->spill, err);
}

/* ---- nearest neighbours ------------------------------------------------------------- */

/* Dense rows: only pairs that reach the cut of one of their rows go to the lists; cuts rise. */
static dpl_status nearest_dense(dpl__nearest_search *s, dpl_error *err)
{
    const uint64_t n_left = s->lists->n_rows[0], n_right = s->lists->n_rows[1];
    s->n_scored = dpl__count_pairs(n_left, n_right, s->sides->is_self);
    dpl_status status = dpl__dense_nearest_on_device(s, err);
    if (status != DPL_E_UNSUPPORTED)
        return status;
    dpl__dense_cuts cuts;
    dpl__dense_cuts_init(&cuts, s->lists, s->threshold);
    const dpl__pair_sink sink = dpl__dense_cuts_sink(&cuts);
    status = dpl__exact(
        s->lists->ctx,
        &(dpl__exact_search){
            .sides = s->sides, .threshold = s->threshold, .sink = &sink, .cuts = &cuts},
        s->spill, err);
    dpl__dense_cuts_clear(&cuts, s->lists->ctx);
    return status;
}

static dpl_status take_pairs(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    (void)err;
    dpl__nearest_search *s = user;
    s->n_scored += n;
    for (size_t i = 0; i < n; i++)
        dpl__neighbour_lists_add(s->lists, &pairs[i]);
    return DPL_OK;
}

/* Plans of both searches, made in parallel. */
typedef struct both_plans {
    const dpl__nearest_search *search;
    dpl__term_plan all, *some;
} both_plans;

/* Without a second bound, which would make a search of all pairs less than twice as fast:
 * planning it takes longer than many searches. */
static dpl_status plan_one(void *user, size_t i, unsigned worker, dpl_error *err)
{
    both_plans *b = user;
    const dpl__nearest_search *s = b->search;
    const dpl__join join = {.sides = s->sides,
                            .threshold = s->threshold,
                            .n_queries = s->sides->left->sizes.n_rows,
                            .n_indexed = s->sides->right->sizes.n_rows,
                            .has_no_groups = true};
    (void)worker;
    return i ? dpl__neighbours_plan(b->some, s, err)
             : dpl__term_plan_make(&b->all, s->lists->ctx, &join, err);
}

bool dpl__nearest_pays(dpl__term_plan *plan, const dpl__nearest_search *s, double times)
{
    const dpl_vectors *left = s->sides->left, *right = s->sides->right;
    dpl_ctx *ctx = s->lists->ctx;
    uint64_t n_pairs = (uint64_t)left->sizes.n_rows * right->sizes.n_rows;
    *plan = (dpl__term_plan){0};
    if (n_pairs < SMALL_PAIRS)
        return false;
    both_plans b = {.search = s, .some = plan};
    const bool are_known = dpl__parallel_for(ctx, 2, &b, plan_one, NULL) == DPL_OK,
               pays = !are_known || b.all.ns * (s->sides->is_self ? 0.5 : 1) > times * plan->ns;
    dpl__term_plan_clear(&b.all, ctx);
    if (!are_known || !pays)
        dpl__term_plan_clear(plan, ctx);
    return pays;
}

/* Few pairs at the threshold are all found in less time; but processes of a shared run divide
 * the search for the nearest. */
static dpl_status nearest(dpl__nearest_search *s, dpl_error *err)
{
    const uint64_t n_pairs =
        (uint64_t)s->sides->left->sizes.n_rows * s->sides->right->sizes.n_rows;
    const bool is_divided = dpl__is_shared(s->lists->ctx) && n_pairs >= SMALL_PAIRS;
    dpl__term_plan plan = {0};
    if (s->sides->left->sizes.dim)
        return nearest_dense(s, err);
    if (is_divided || dpl__nearest_pays(&plan, s, NEAREST_TIMES)) {
        const dpl_status status = dpl__neighbours_exact(s, &plan, err);
        dpl__term_plan_clear(&plan, s->lists->ctx);
        return status;
    }
    dpl__pair_sink sink = {s, take_pairs};
    dpl__exact_search all = {.sides = s->sides, .threshold = s->threshold, .sink = &sink};
    return dpl__exact(s->lists->ctx, &all, s->spill, err);
}

const dpl__method dpl__exact_method = {
    .info = {.method = DPL_PAIRS_EXACT,
             .name = "exact",
             .help = "sparse dot products through an inverted index with upper-bound pruning",
             .finds = "every pair at or above the threshold",
             .unit = "multiply-adds",
             .is_exact = true},
    .searched_with = dpl__any_signature,
    .plan = plan,
    .say_name = say_name,
    .say_work = say_work,
    .run = run,
    .nearest = nearest,
};
