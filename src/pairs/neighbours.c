/*
 * neighbours.c - the k nearest of every row and column: signatures and tables for the methods
 * that need them, the search, its recall check, lists to arrays.
 */
#include "doppel/pairs.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "pairs/method.h"
#include "pairs/neighbours_check.h"

#include <math.h>

struct dpl_neighbours {
    dpl_ctx *ctx;
    dpl_neighbours_options options; /* with defaults */
    dpl_neighbours_summary summary;
    dpl_recall_check recall_check;
    bool is_self;
    dpl__sides sides;
    dpl_pairs_options search; /* with defaults */
    dpl__signed_sides signatures;
    dpl__neighbour_lists lists;
    dpl_scored_row *all[2];
};

/* ---- signatures and tables ---------------------------------------------------------- */

static dpl_status check_search(dpl_neighbours *s, const dpl_pairs_side *left,
                               const dpl_pairs_side *right, dpl_error *err)
{
    dpl_pairs_options *o = &s->search;
    const dpl_signatures **of = s->signatures.of;
    of[0] = left->signatures;
    of[1] = right ? right->signatures : left->signatures;
    const dpl_signatures *given = of[0] ? of[0] : of[1];
    if (given) { /* computed signatures match the given ones */
        o->signature = dpl_signatures_get_sizes(given)->method;
        o->length = dpl_signatures_get_sizes(given)->length;
    }
    const dpl_sign_method_info *sign = dpl_sign_get_method_info(o->signature);
    if (sign && !dpl__method_can_search(s->options.method, sign))
        return dpl__fail(err, DPL_E_USAGE, "%s signatures have %s, not bits", sign->name,
                         sign->unit);
    dpl_sign_options wanted =
        DPL_INIT(dpl_sign_options, .method = o->signature, .length = o->length);
    return dpl_sign_check(&o->length, &wanted, err);
}

static dpl_status make_signatures(dpl_neighbours *s, const dpl_pairs_side *left,
                                  const dpl_pairs_side *right, dpl_error *err)
{
    dpl_sign_options o =
        DPL_INIT(dpl_sign_options, .method = s->search.signature, .length = s->search.length);
    DPL_TRY(dpl__signed_sides_make(&s->signatures, s->ctx, left, right, &o, err));
    for (int i = 0; i < (s->is_self ? 1 : 2); i++)
        if (dpl_signatures_get_sizes(s->signatures.of[i])->n_rows != s->lists.n_rows[i])
            return dpl__fail(err, DPL_E_USAGE, "vectors and signatures of different rows");
    return DPL_OK;
}

static bool is_of_method(const void *method, const dpl_plan_row *row)
{
    return row->method == *(const dpl_pairs_method *)method;
}

/* The plan says which recall to expect, and which tables the window method should have. It must
 * not depend on the machine: the usual speeds are taken. */
static dpl_status follow_plan(dpl_neighbours *s, dpl__window *window,
                              const dpl_pairs_side *left, const dpl_pairs_side *right,
                              dpl_error *err)
{
    const dpl_neighbours_options *o = &s->options;
    dpl_pairs_side sides[2] = {{.vectors = left->vectors, .signatures = s->signatures.of[0]},
                               {.signatures = s->signatures.of[1]}};
    if (right)
        sides[1].vectors = right->vectors;
    dpl_plan_options wanted = DPL_INIT(
        dpl_plan_options, .n_left = s->lists.n_rows[0],
        .n_right = s->is_self ? 0 : s->lists.n_rows[1], .signature = s->search.signature,
        .length = s->search.length, .threshold = o->threshold > 0 ? o->threshold : -1,
        .recall = s->search.recall, .speeds = &dpl__nominal_speeds, .left = &sides[0],
        .right = right ? &sides[1] : NULL, .tables = s->search.tables, .width = s->search.width,
        .nearest = o->k, .method = o->method);
    dpl_plan *plan;
    DPL_TRY(dpl_plan_make(&plan, s->ctx, &wanted, err));
    const dpl_plan_row *best = dpl__plan_pick(plan, s->search.recall, is_of_method, &o->method);
    if (best) {
        s->summary.planned_recall = best->recall;
        s->summary.n_tables = window->n_tables = best->n_tables;
        s->summary.width = window->size = best->width;
        window->chunk = s->search.chunk ? s->search.chunk
                                        : (uint64_t)s->lists.n_rows[0] + s->lists.n_rows[1] +
                                              best->width + 1;
        window->is_basic = s->search.basic;
    } else {
        dpl__fail(err, DPL_E_USAGE, "no plan for '%s'", dpl__pairs_method_name(o->method));
    }
    dpl_plan_free(plan);
    return best ? DPL_OK : DPL_E_USAGE;
}

/* ---- searching ---------------------------------------------------------------------- */

static dpl_status search_with(dpl_neighbours *s, const dpl__method *method, dpl__spill *spill,
                              const dpl_pairs_side *left, const dpl_pairs_side *right,
                              dpl_error *err)
{
    dpl__nearest_search search = {
        .lists = &s->lists,
        .sides = &s->sides,
        .threshold = s->options.threshold,
        .spill = spill,
        .collections = {left->collection, right ? right->collection : NULL},
        .ngram = s->search.ngram,
        .hash = s->search.hash,
        .temp = s->options.temp,
        .recall = s->search.recall,
        .keys = {s->options.left_keys, s->options.right_keys}};
    if (method->info.has_signatures) {
        DPL_TRY(make_signatures(s, left, right, err));
        search.sign = dpl_sign_get_method_info(s->search.signature);
        search.n = s->search.length;
        if (method->needs_bits)
            DPL_TRY(follow_plan(s, &search.window, left, right, err));
        else /* the cuts are made for it */
            s->summary.planned_recall = s->search.recall;
        if (search.window.size && search.window.chunk <= search.window.size)
            return dpl__fail(err, DPL_E_USAGE,
                             "chunks of %llu rows cannot overlap by a window of %u",
                             (unsigned long long)search.window.chunk, search.window.size);
        search.left = dpl__signatures_bits(s->signatures.of[0]);
        search.right = dpl__signatures_bits(s->signatures.of[1]);
        s->summary.bits = s->search.length;
    }
    DPL_TRY(method->nearest(&search, err));
    s->summary.n_scored = search.n_scored;
    s->summary.n_compared = search.n_compared;
    if (search.planned_recall > 0)
        s->summary.planned_recall = search.planned_recall;
    if (method->info.is_exact)
        s->recall_check =
            (dpl_recall_check){.is_exact = true, .recall = 1, .low = 1, .high = 1};
    else if (method->check_nearest)
        DPL_TRY(method->check_nearest(&s->recall_check, &search, err));
    else if (!s->search.no_recall_check)
        DPL_TRY(dpl__neighbours_check(&s->recall_check, &search, s->search.sample, s->ctx->seed,
                                      err));
    return DPL_OK;
}

static dpl_status search(dpl_neighbours *s, const dpl_pairs_side *left,
                         const dpl_pairs_side *right, dpl_error *err)
{
    const char *dir = s->options.temp;
    dpl__spill spill;
    DPL_TRY(dpl__spill_init(&spill, s->ctx, dir ? dir : "/tmp", err));
    dpl_status status =
        search_with(s, dpl__method_of(s->options.method), &spill, left, right, err);
    dpl__spill_clear(&spill);
    return status;
}

/* ---- find and free ------------------------------------------------------------------ */

static dpl_status check_options(dpl_neighbours *s, const dpl_pairs_side *left,
                                const dpl_pairs_side *right, dpl_error *err)
{
    dpl_neighbours_options *o = &s->options;
    if (o->method == DPL_PAIRS_AUTO)
        o->method = DPL_PAIRS_EXACT;
    if (!dpl__pairs_method_name(o->method))
        return dpl__fail(err, DPL_E_USAGE, "no search method number %d", (int)o->method);
    assert(dpl__method_of(o->method)->nearest);
    o->k = o->k ? o->k : 8;
    if (!(o->threshold <= 1))
        return dpl__fail(err, DPL_E_USAGE, "threshold %g: not between 0 and 1", o->threshold);
    o->threshold = fmax(0, o->threshold);
    if (!left->vectors || (right && !right->vectors))
        return dpl__fail_code(err, DPL_E_USAGE, "needs-vectors",
                              "no vectors to take the true cosine from");
    if (dpl__method_of(o->method)->info.has_documents &&
        (!left->collection || !right || !right->collection))
        return dpl__fail_code(err, DPL_E_USAGE, "ngram-vectors",
                              "n-grams are found in documents of two sides");
    dpl_pairs_options *search = &s->search;
    search->recall = search->recall == 0 ? 0.99 : search->recall;
    if (!(search->recall > 0 && search->recall < 1))
        return dpl__fail(err, DPL_E_USAGE, "recall %g: not between 0 and 1", search->recall);
    search->sample = search->sample ? search->sample : 500;
    return dpl__method_of(o->method)->info.has_signatures ? check_search(s, left, right, err)
                                                          : DPL_OK;
}

/* Lists become arrays that a caller can read, in their place. */
static void make_arrays(dpl_neighbours *s)
{
    for (int side = 0; side < (s->is_self ? 1 : 2); side++) {
        uint32_t n_rows = s->lists.n_rows[side];
        uint64_t *lists = s->lists.best[side];
        _Static_assert(sizeof *lists == sizeof *s->all[side],
                       "an entry takes the place of one");
        for (uint32_t row = 0; row < n_rows; row++)
            for (unsigned i = 0; i < s->options.k; i++) {
                dpl_scored_row entry = dpl__neighbour_lists_get(&s->lists, side, row, i);
                memcpy(lists + (size_t)row * s->options.k + i, &entry, sizeof entry);
            }
        s->all[side] = (dpl_scored_row *)(void *)lists;
        s->lists.best[side] = NULL;
    }
}

static dpl_status find(dpl_neighbours *s, const dpl_pairs_side *left,
                       const dpl_pairs_side *right, const dpl_neighbours_options *options,
                       dpl_error *err)
{
    double began = dpl__now();
    DPL_TRY(DPL__TAKE(&s->options, options, err));
    DPL_TRY(DPL__TAKE(&s->search, s->options.search, err));
    DPL_TRY(check_options(s, left, right, err));
    DPL_TRY(
        dpl__sides_init(&s->sides, s->ctx, left->vectors, right ? right->vectors : NULL, err));
    dpl__tie_keys ties = {s->options.no_content_ties,
                          {s->options.left_keys, s->options.right_keys}};
    DPL_TRY(dpl__neighbour_lists_init(&s->lists, s->ctx, &s->sides, s->options.k, &ties, err));
    DPL_TRY(search(s, left, right, err));
    make_arrays(s);
    dpl__neighbour_lists_clear(&s->lists);
    s->summary.method = s->options.method;
    s->summary.n_left = s->sides.left->sizes.n_rows;
    s->summary.n_right = s->sides.right->sizes.n_rows;
    s->summary.k = s->options.k;
    s->summary.threshold = s->options.threshold;
    s->summary.recall_check = &s->recall_check;
    s->summary.seconds = dpl__now() - began;
    dpl__sides_clear(&s->sides, s->ctx); /* the caller may close its vectors now */
    return DPL_OK;
}

dpl_status dpl_neighbours_find(dpl_neighbours **out, dpl_ctx *ctx, const dpl_pairs_side *left,
                               const dpl_pairs_side *right,
                               const dpl_neighbours_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_neighbours *s = dpl__calloc(ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    s->ctx = s->lists.ctx = ctx;
    s->is_self = !right;
    dpl_status status = find(s, left, right, options, err);
    if (status != DPL_OK) {
        dpl_neighbours_free(s);
        return status;
    }
    *out = s;
    return DPL_OK;
}

void dpl_neighbours_free(dpl_neighbours *s)
{
    if (!s)
        return;
    for (int side = 0; side < 2; side++)
        dpl__free(s->ctx, s->all[side]);
    dpl__neighbour_lists_clear(&s->lists);
    dpl__signed_sides_clear(&s->signatures);
    dpl__sides_clear(&s->sides, s->ctx);
    dpl__free(s->ctx, s);
}

/* ---- reading ------------------------------------------------------------------------ */

const dpl_scored_row *dpl_neighbours_of(const dpl_neighbours *s, bool is_right, uint32_t row)
{
    assert(row < (is_right ? s->summary.n_right : s->summary.n_left));
    return s->all[is_right && !s->is_self ? DPL__SIDE_RIGHT : DPL__SIDE_LEFT] +
           (size_t)row * s->options.k;
}

const dpl_neighbours_summary *dpl_neighbours_get_summary(const dpl_neighbours *s)
{
    return &s->summary;
}
