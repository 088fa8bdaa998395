/*
 * pairs.c - from two sets of rows to their pairs: plan, sign, search, verify, check the recall,
 * select.
 *
 * The methods (pair_methods.c) know nothing of each other; this file makes what they need and
 * connects them:
 *
 *     exact                      -> pairs ------------------------+
 *     the others    -> candidates -> verify -> at the threshold --+-> recall check, selector
 *
 * Without verification a candidate's score is the estimate of its cosine from the distance.
 */
#include "doppel/pairs.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "base/sized.h"
#include "pairs/dense_cuts.h"
#include "pairs/merged_ids.h"
#include "pairs/ngram/finder.h"
#include "pairs/ngram/ngram_params.h"
#include "pairs/pairs_run.h"
#include "pairs/select_groups.h"

#include <math.h>

/* ---- what is wanted ----------------------------------------------------------------- */

static bool is_exact(const dpl_pairs *p)
{
    return dpl__method_of(p->options.method)->info.is_exact;
}

static dpl_status hint_searched(const dpl_pairs *p, dpl_error *err)
{
    dpl__hint(err, "%s", dpl__method_of(p->options.method)->searched_with);
    return DPL_E_USAGE;
}

static bool has_bytes(const dpl_pairs *p)
{
    return dpl_sign_get_method_info(p->options.signature)->has_products;
}

static dpl_status check_options(dpl_pairs *p, dpl_error *err)
{
    dpl_pairs_options *o = &p->options;
    if (isnan(o->threshold) || o->threshold > 1)
        return dpl__fail(err, DPL_E_USAGE, "threshold %g: not between 0 and 1", o->threshold);
    o->threshold = o->threshold == 0 ? 0.3 : fmax(0, o->threshold);
    if (o->recall == 0)
        o->recall = 0.99;
    if (!(o->recall > 0 && o->recall < 1))
        return dpl__fail(err, DPL_E_USAGE, "recall %g: not between 0 and 1", o->recall);
    if (o->top == 0)
        o->top = 1;
    if (!(o->ratio <= 1))
        return dpl__fail(err, DPL_E_USAGE, "near ratio %g: not between 0 and 1", o->ratio);
    o->ratio = o->ratio == 0 ? DPL__P(ngram, near_ratio) : fmax(0, o->ratio);
    if (o->sample == 0)
        o->sample = 500;
    if (!dpl__method_of(o->method))
        return dpl__fail(err, DPL_E_USAGE, "no search method number %d", (int)o->method);
    const dpl_sign_method_info *sign = dpl_sign_get_method_info(o->signature);
    if (sign && !dpl__method_can_search(o->method, sign)) {
        dpl__fail(err, DPL_E_USAGE, "%s signatures have %s, not bits", sign->name, sign->unit);
        return hint_searched(p, err);
    }
    return DPL_OK;
}

static dpl_status check_bits(const dpl_pairs *p, const dpl_signatures *s, dpl_error *err)
{
    const dpl_sign_method_info *info =
        dpl_sign_get_method_info(dpl_signatures_get_sizes(s)->method);
    if (dpl__method_can_search(p->options.method, info))
        return DPL_OK;
    dpl__fail(err, DPL_E_USAGE, "'%s' holds %s %s, not bits", dpl_signatures_get_info(s).path,
              info->name, info->unit);
    return hint_searched(p, err);
}

static dpl_status check_sides(dpl_pairs *p, const dpl_pairs_side *left,
                              const dpl_pairs_side *right, dpl_error *err)
{
    const dpl_pairs_side *sides[] = {left, right ? right : left};
    for (int i = 0; i < 2; i++) {
        const dpl_pairs_side *s = sides[i];
        if (!s->vectors && !s->signatures)
            return dpl__fail(err, DPL_E_USAGE, "a side has neither vectors nor signatures");
        uint32_t n = s->vectors ? dpl_vectors_get_sizes(s->vectors)->n_rows
                                : dpl_signatures_get_sizes(s->signatures)->n_rows;
        const char *path = s->vectors ? dpl_vectors_get_info(s->vectors).path
                                      : dpl_signatures_get_info(s->signatures).path;
        if (n == 0)
            return dpl__fail(err, DPL_E_USAGE, "'%s' has no rows", path);
        if (s->vectors && s->signatures && dpl_signatures_get_sizes(s->signatures)->n_rows != n)
            return dpl__fail(err, DPL_E_USAGE, "'%s' has %u rows, its signatures have %u", path,
                             n, dpl_signatures_get_sizes(s->signatures)->n_rows);
        if (s->signatures)
            DPL_TRY(check_bits(p, s->signatures, err));
        *(i == 0 ? &p->summary.n_left : &p->summary.n_right) = n;
    }
    p->has_vectors = sides[0]->vectors && sides[1]->vectors;
    bool needs_vectors = is_exact(p) || !p->options.no_verify;
    if (!p->has_vectors && needs_vectors)
        return dpl__fail_code(err, DPL_E_USAGE, "needs-vectors",
                              "no vectors to take the true cosine from");
    if (p->has_vectors)
        DPL_TRY(dpl__sides_init(&p->sides, p->ctx, left->vectors, right ? right->vectors : NULL,
                                err));
    p->signatures.of[0] = sides[0]->signatures;
    p->signatures.of[1] = sides[1]->signatures;
    const dpl_signatures *given =
        sides[0]->signatures ? sides[0]->signatures : sides[1]->signatures;
    if (!given)
        return DPL_OK;
    const dpl_signatures_sizes *size = dpl_signatures_get_sizes(given);
    if (p->options.length && size->length != p->options.length)
        return dpl__fail(err, DPL_E_USAGE, "'%s' has signatures of %u %s, not %u",
                         dpl_signatures_get_info(given).path, size->length,
                         dpl_sign_get_method_info(size->method)->unit, p->options.length);
    p->options.signature = size->method; /* computed signatures match the given ones */
    p->options.length = size->length;
    return DPL_OK;
}

/* Whether the search can be done this way. */
static bool is_possible(const void *user, const dpl_plan_row *row)
{
    const dpl_pairs *p = user;
    const dpl_pairs_options *o = &p->options;
    if (o->method != DPL_PAIRS_AUTO)
        return row->method == o->method;
    if (row->code_length && o->hash && (o->hash->function != DPL_HASH_RP || o->hash->length))
        return false;
    return dpl__method_of(row->method)->info.has_signatures ||
           (p->has_vectors && !o->no_verify);
}

/* Chooses the method of `auto`, an open window, and the distance cuts. Which machine this is,
 * or how busy it is, must not matter: that decides which pairs are found. */
static dpl_status follow_plan(dpl_pairs *p, const dpl_pairs_side *left,
                              const dpl_pairs_side *right, dpl_error *err)
{
    dpl_pairs_options *o = &p->options;
    dpl_plan_options wanted = DPL_INIT(dpl_plan_options);
    wanted.n_left = p->summary.n_left;
    wanted.n_right = p->is_self ? 0 : p->summary.n_right;
    wanted.signature = o->signature;
    wanted.length = p->has_free_bits ? 0 : o->length;
    wanted.threshold = o->threshold > 0 ? o->threshold : -1;
    wanted.recall = o->recall;
    wanted.speeds = &dpl__nominal_speeds;
    wanted.left = left;
    wanted.right = right;
    wanted.tables = o->tables;
    wanted.width = o->width;
    wanted.method = o->method;
    dpl_plan *plan;
    DPL_TRY(dpl_plan_make(&plan, p->ctx, &wanted, err));
    const dpl_plan_row *recommended = dpl_plan_get_row(plan, dpl_plan_get_summary(plan)->best);
    const dpl_plan_row *row = is_possible(p, recommended)
                                  ? recommended
                                  : dpl__plan_pick(plan, o->recall, is_possible, p);
    if (row) {
        o->method = row->method;
        o->length = dpl_plan_get_summary(plan)->bits;
        o->tables = row->code_length ? 0 : row->n_tables;
        o->width = row->width;
        p->summary.code_length = row->code_length;
        p->summary.n_codes = row->code_length ? row->n_tables : 0;
        p->cuts = (dpl__cuts){row->cut, row->first_bits / 64, row->first_cut};
        p->summary.planned_recall = is_exact(p) ? 0 : row->recall;
    } else {
        dpl__fail(err, DPL_E_USAGE, "no plan for '%s'", dpl__pairs_method_name(o->method));
    }
    dpl_plan_free(plan);
    return row ? DPL_OK : DPL_E_USAGE;
}

/* Products need no plan: all pairs are compared, and the cut follows from the recall. Only
 * `auto` asks whether exact is faster. */
static dpl_status plan_bytes(dpl_pairs *p, const dpl_pairs_side *left,
                             const dpl_pairs_side *right, dpl_error *err)
{
    dpl_pairs_options *o = &p->options;
    if (o->method == DPL_PAIRS_AUTO)
        return follow_plan(p, left, right, err);
    p->cuts =
        (dpl__cuts){.cut = dpl_sign_cut(o->signature, o->length, o->threshold, o->recall)};
    p->summary.planned_recall = o->recall;
    return DPL_OK;
}

/* ---- signatures --------------------------------------------------------------------- */

dpl_status dpl__pairs_sign(dpl_pairs *p, const dpl_pairs_side *left,
                           const dpl_pairs_side *right, dpl_error *err)
{
    double began = dpl__now();
    dpl_sign_options o =
        DPL_INIT(dpl_sign_options, .method = p->options.signature, .length = p->options.length);
    const dpl_status status = dpl__signed_sides_make(&p->signatures, p->ctx, left,
                                                     p->is_self ? NULL : right, &o, err);
    p->summary.sign_seconds = dpl__now() - began;
    return status;
}

static void set_cuts(dpl_pairs *p)
{
    const dpl_pairs_options *o = &p->options;
    const unsigned bits = o->length;
    if (o->no_verify && has_bytes(p))
        p->cuts = (dpl__cuts){.cut = dpl_sign_cut(o->signature, bits, o->threshold, 0.5)};
    else if (o->no_verify) /* at the threshold itself, as in the paper */
        p->cuts = (dpl__cuts){
            .cut = (unsigned)(dpl__acos(o->threshold) / 3.14159265358979323846 * (double)bits)};
    if (o->no_early_stop)
        p->cuts.first_words = p->cuts.first_cut = 0;
    p->summary.bits = bits;
    p->summary.signature = o->signature;
    p->summary.cut = p->cuts.cut;
    p->summary.first_bits = 64 * p->cuts.first_words;
    p->summary.first_cut = p->cuts.first_cut;
}

/* ---- what the searches find --------------------------------------------------------- */

/* Stores pairs with the row numbers of the whole. */
static dpl_status keep_pairs(dpl_pairs *p, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const dpl_pair kept = {pairs[i].left + p->first[0], pairs[i].right + p->first[1],
                               pairs[i].score};
        DPL_TRY(dpl__spool_append(p->found, &kept, sizeof kept, err));
    }
    return DPL_OK;
}

static dpl_status take_pairs(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    dpl_pairs *p = user;
    p->summary.n_found += n;
    if (p->found)
        return keep_pairs(p, pairs, n, err);
    if (p->check)
        dpl__recall_check_add(p->check, pairs, n);
    return dpl__selector_add(p->selector, pairs, n, err);
}

/* Where a search puts its pairs. */
static dpl__pair_sink sink_of(dpl_pairs *p)
{
    return (dpl__pair_sink){p, take_pairs};
}

static void estimate(const dpl_pairs *p, dpl_pair *out, const dpl__candidate *in, size_t n)
{
    const dpl_signatures_sizes *s = dpl_signatures_get_sizes(p->signatures.of[0]);
    bool is_positive = !p->has_vectors || dpl_vectors_get_sizes(p->sides.left)->dim == 0;
    for (size_t i = 0; i < n; i++)
        out[i] = (dpl_pair){
            in[i].left, in[i].right,
            (float)dpl_sign_estimate(s->method, s->length, in[i].distance, is_positive)};
}

static dpl_status take_candidates(void *user, const dpl__candidate *in, size_t n,
                                  dpl_error *err)
{
    dpl_pairs *p = user;
    p->summary.n_candidates += n;
    p->verified.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(p->ctx, &p->verified, n), err));
    dpl_pair *pairs = p->verified.data;
    if (p->options.no_verify) {
        estimate(p, pairs, in, n);
        return take_pairs(p, pairs, n, err);
    }
    double began = dpl__now();
    DPL_TRY(dpl__verify(p->ctx, &p->sides, pairs, in, n, err));
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++)
        if (dpl__is_pair(pairs[i].score, p->options.threshold))
            pairs[n_kept++] = pairs[i];
    p->summary.verify_seconds += dpl__now() - began;
    return take_pairs(p, pairs, n_kept, err);
}

static const dpl__bits *bits_of(const dpl_pairs *p, int side)
{
    const dpl_signatures *s = p->signatures.of[side];
    return s ? dpl__signatures_bits(s) : NULL;
}

/* What the method works with. */
static dpl__search search_of(dpl_pairs *p)
{
    return (dpl__search){.ctx = p->ctx,
                         .options = &p->options,
                         .summary = &p->summary,
                         .is_self = p->is_self,
                         .sides = &p->sides,
                         .left = bits_of(p, 0),
                         .right = bits_of(p, 1),
                         .sign = dpl_sign_get_method_info(p->options.signature),
                         .cuts = p->cuts,
                         .first_unit = p->first_unit,
                         .n_units = p->n_units,
                         .reference = p->whole_left ? p->whole_left : p->sides.left,
                         .finder = p->finder,
                         .check = p->check,
                         .spill = &p->spill,
                         .pairs = sink_of(p),
                         .candidates = {p, take_candidates}};
}

/* ---- the best alone ----------------------------------------------------------------- */

/* The pairs of all lists, each once, to the selector, which takes the best of them. */
static dpl_status take_lists(dpl_pairs *p, const dpl__neighbour_lists *lists, dpl_error *err)
{
    DPL_VEC(dpl_pair) all = {0};
    dpl_status status = DPL_OK;
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < lists->n_rows[side]; row++)
            for (unsigned i = 0; i < lists->k; i++) {
                dpl_scored_row near = dpl__neighbour_lists_get(lists, side, row, i);
                if (near.row == DPL__NO_ROW)
                    break;
                bool is_turned = side || (p->is_self && near.row < row);
                dpl_pair pair = {is_turned ? near.row : row, is_turned ? row : near.row,
                                 near.score};
                DPL__STEP(dpl__need(dpl__vec_push(p->ctx, &all, pair), err));
            }
    dpl__vec_sort(&all, dpl__pairs_by_rows);
    dpl__vec_distinct(&all, dpl__pairs_by_rows);
    DPL__STEP(take_pairs(p, all.data, all.n, err));
done:
    dpl__vec_clear(p->ctx, &all);
    return status;
}

/* What the selection by margin needs, in a second pass with the lists of the first. */
static dpl_status take_margins(dpl_pairs *p, const dpl__neighbour_lists *lists,
                               const unsigned n_best[2], dpl_error *err)
{
    dpl__dense_cuts cuts;
    const dpl__pair_sink sink = sink_of(p);
    dpl_status status;
    DPL__STEP(dpl__dense_margins_init(&cuts, lists, p->options.threshold, p->options.margin,
                                      n_best, err));
    DPL__STEP(dpl__exact(p->ctx,
                         &(dpl__exact_search){.sides = &p->sides,
                                              .threshold = p->options.threshold,
                                              .sink = &sink,
                                              .cuts = &cuts},
                         &p->spill, err));
done:
    dpl__dense_cuts_clear(&cuts, p->ctx);
    return status;
}

/* Whether the selection is of the best of each row. Margins need all rows of both sides: not
 * in a block. */
static bool selects_best(const dpl_pairs *p)
{
    const dpl_pairs_options *o = &p->options;
    return is_exact(p) && (o->select == DPL_SELECT_BEST || o->select == DPL_SELECT_MUTUAL) &&
           !(o->margin && (p->found || !p->sides.left->sizes.dim));
}

/* The exact search for the best of each row: of dense rows, and of sparse ones where it takes
 * less than half as long as one for all pairs. The selection is the same. *is_done: it was
 * done. */
static dpl_status run_best(dpl_pairs *p, bool *is_done, dpl_error *err)
{
    const dpl_pairs_options *o = &p->options;
    *is_done = false;
    if (!selects_best(p))
        return DPL_OK;
    const bool is_mutual = o->select == DPL_SELECT_MUTUAL, is_dense = p->sides.left->sizes.dim;
    const unsigned n_best[2] = {is_mutual ? 1 : o->top, is_mutual || p->is_self ? 1 : 0};
    dpl__neighbour_lists lists = {.ctx = p->ctx, .k = (unsigned)dpl__max(n_best[0], o->margin)};
    dpl__nearest_search search = {
        .lists = &lists, .sides = &p->sides, .threshold = o->threshold, .spill = &p->spill};
    double n_rows = (double)p->summary.n_left + p->summary.n_right;
    dpl__term_plan plan = {0};
    if (n_rows * lists.k * 24 > (double)p->ctx->memory / 4 ||
        !(is_dense || dpl__nearest_pays(&plan, &search, 2)))
        return DPL_OK;
    *is_done = true;
    dpl__tie_keys ties = {.is_by_row = true};
    dpl_status status;
    DPL__STEP(dpl__neighbour_lists_init(&lists, p->ctx, &p->sides, lists.k, &ties, err));
    DPL__STEP(is_dense ? p->method->nearest(&search, err)
                       : dpl__neighbours_exact(&search, &plan, err));
    if (is_dense) /* multiply-adds */
        p->summary.n_comparisons =
            search.n_scored * p->sides.left->sizes.dim * (o->margin ? 2 : 1);
    DPL__STEP(o->margin ? take_margins(p, &lists, n_best, err) : take_lists(p, &lists, err));
done:
    dpl__neighbour_lists_clear(&lists);
    dpl__term_plan_clear(&plan, p->ctx);
    return status;
}

/* Whether scores fall with every bit that two signatures differ in, up to the cut. */
static bool has_falling_scores(const dpl_pairs *p)
{
    dpl_pair at = {0}, next = {0};
    for (unsigned d = 0; d <= p->cuts.cut; d++, at = next) {
        estimate(p, &next, &(dpl__candidate){.distance = d}, 1);
        if (d > 0 && !(next.score < at.score))
            return false;
    }
    return true;
}

/* The same for signatures that are not verified: the best are the nearest. A part, and a recall
 * check, need all pairs. */
static dpl_status run_nearest(dpl_pairs *p, bool *is_done, dpl_error *err)
{
    const dpl_pairs_options *o = &p->options;
    const bool is_mutual = o->select == DPL_SELECT_MUTUAL;
    const unsigned n = is_mutual ? 1 : o->top;
    const double n_rows = (double)p->summary.n_left + p->summary.n_right;
    if (*is_done || !p->method->best || !o->no_verify || o->margin || p->found || p->check ||
        has_bytes(p) || !(is_mutual || o->select == DPL_SELECT_BEST) ||
        n_rows * n * 32 > (double)p->ctx->memory / 4 || !has_falling_scores(p))
        return DPL_OK;
    *is_done = true;
    const dpl__candidate_sink sink = {p, take_candidates};
    const int other = p->is_self ? 0 : 1;
    const dpl__bit_search search = {.left = bits_of(p, 0),
                                    .right = bits_of(p, other),
                                    .is_self = p->is_self,
                                    .cuts = &p->cuts,
                                    .sink = &sink,
                                    .n_compared = &p->summary.n_comparisons};
    return p->method->best(p->ctx, &search, n, is_mutual, err);
}

/* ---- open, next, close -------------------------------------------------------------- */

static bool has_documents_alone(const dpl_pairs *p)
{
    for (int i = 0; i < 2; i++)
        if (!p->given[i].collection || p->given[i].vectors || p->given[i].signatures)
            return false;
    return true;
}

/* A method of documents: no rows to check, to plan with and to sign. */
static dpl_status open_documents(dpl_pairs *p, const dpl__method *method, dpl_error *err)
{
    p->method = method;
    DPL_TRY(method->open(p, &p->given[0], p->is_self ? NULL : &p->given[1], err));
    DPL_TRY(check_options(p, err));
    p->summary.method = p->options.method;
    p->summary.threshold = p->options.threshold;
    const char *dir = p->options.temp;
    return dpl__spill_init(&p->spill, p->ctx, dir ? dir : "/tmp", err);
}

dpl_status dpl__pairs_choose(dpl_pairs *p, const dpl_pairs_side *left,
                             const dpl_pairs_side *right, dpl_error *err)
{
    const dpl_pairs_options *o = &p->options;
    const dpl__method *method = dpl__method_of(o->method);
    p->given[0] = *left;
    p->given[1] = right ? *right : *left;
    if (o->method == DPL_PAIRS_AUTO && has_documents_alone(p)) { /* the plan has one row */
        p->options.method = DPL_PAIRS_NGRAM;
        method = dpl__method_of(o->method);
    }
    if (method && method->open)
        return open_documents(p, method, err);
    DPL_TRY(check_options(p, err));
    DPL_TRY(check_sides(p, left, right, err));
    dpl_sign_options sign =
        DPL_INIT(dpl_sign_options, .method = o->signature, .length = o->length);
    p->has_free_bits =
        o->length == 0 && !o->no_verify && !o->no_early_stop && o->signature == DPL_SIGN_RP;
    DPL_TRY(dpl_sign_check(&p->options.length, &sign, err));
    DPL_TRY(dpl__spill_init(&p->spill, p->ctx, o->temp ? o->temp : "/tmp", err));
    if (dpl__method_of(o->method)->is_planned)
        DPL_TRY((has_bytes(p) ? plan_bytes : follow_plan)(p, left, right, err));
    p->method = dpl__method_of(o->method);
    p->summary.method = o->method;
    p->summary.threshold = o->threshold;
    if (p->method->info.has_signatures)
        set_cuts(p);
    return DPL_OK;
}

dpl_status dpl__pairs_complete(dpl_pairs *p, dpl_error *err)
{
    dpl__search search = search_of(p);
    return p->method->prepare ? p->method->prepare(&search, err) : DPL_OK;
}

/* A method that checks itself searches a range of left rows in a part: those are its rows. */
dpl_status dpl__pairs_check(dpl_pairs *p, const dpl_part *part, dpl_error *err)
{
    const dpl_pairs_options *o = &p->options;
    const bool is_own = p->method->checks_itself;
    const uint32_t range[2] = {p->first_unit, p->first_unit + p->n_units};
    const dpl__recall_sample sample = {.n = o->sample,
                                       .threshold = o->threshold,
                                       .seed = p->ctx->seed,
                                       .part = is_own ? NULL : part,
                                       .range = is_own && part ? range : NULL};
    if (is_exact(p) || o->no_recall_check || (!is_own && !p->has_vectors))
        return DPL_OK;
    p->check = &p->recall_check;
    if (is_own)
        return dpl__recall_check_draw(p->check, p->ctx, p->summary.n_left, &sample, err);
    return dpl__recall_check_init(p->check, &p->sides, &sample, &p->spill, err);
}

dpl_status dpl__pairs_selector(dpl_pairs *p, dpl_error *err)
{
    const dpl_pairs_options *o = &p->options;
    dpl__select_options wanted = {
        .select = o->select,
        .n_best = o->top,
        .assignment = o->assignment,
        .margin = o->margin,
        .near_ratio = o->ratio,
        .threshold = o->threshold,
        .is_self = p->is_self,
        .n_left = p->summary.n_left,
        .n_right = p->summary.n_right,
        .group_of = p->group_of,
        .n_groups = p->n_groups,
    };
    return dpl__selector_new(&p->selector, p->ctx, &wanted, &p->spill, err);
}

static dpl_status prepare(dpl_pairs *p, const dpl_pairs_side *left, const dpl_pairs_side *right,
                          dpl_error *err)
{
    DPL_TRY(dpl__pairs_choose(p, left, right, err));
    if (p->method->info.has_signatures)
        DPL_TRY(dpl__pairs_sign(p, left, right, err));
    DPL_TRY(dpl__pairs_complete(p, err));
    if (is_exact(p))
        p->checked = (dpl_recall_check){.is_exact = true, .recall = 1, .low = 1, .high = 1};
    DPL_TRY(dpl__pairs_check(p, NULL, err));
    return dpl__pairs_selector(p, err);
}

dpl_status dpl__pairs_search(dpl_pairs *p, dpl_error *err)
{
    double began = dpl__now();
    dpl__search search = search_of(p);
    bool is_done;
    DPL_TRY(run_best(p, &is_done, err));
    DPL_TRY(run_nearest(p, &is_done, err));
    if (!is_done)
        DPL_TRY(p->method->run(&search, err));
    p->summary.search_seconds = dpl__now() - began - p->summary.verify_seconds;
    return DPL_OK;
}

dpl_status dpl__pairs_finish(dpl_pairs *p, double began, dpl_error *err)
{
    dpl_pairs_summary *s = &p->summary;
    double selecting = dpl__now();
    DPL_TRY(dpl__selector_finish(p->selector, &s->n_selected, err));
    if (p->check)
        dpl__recall_check_write(p->check, &p->checked);
    s->n_spilled_bytes = p->spill.n_bytes;
    s->select_seconds = dpl__now() - selecting;
    s->seconds = dpl__now() - began;
    return DPL_OK;
}

static dpl_status work(dpl_pairs *p, const dpl_pairs_side *left, const dpl_pairs_side *right,
                       dpl_error *err)
{
    double began = dpl__now();
    DPL_TRY(prepare(p, left, right, err));
    DPL_TRY(dpl__pairs_search(p, err));
    return dpl__pairs_finish(p, began, err);
}

dpl_status dpl__pairs_new(dpl_pairs **out, dpl_ctx *ctx, bool is_self,
                          const dpl_pairs_options *options, dpl_error *err)
{
    dpl_pairs *p = *out = dpl__calloc(ctx, 1, sizeof *p);
    DPL_TRY(dpl__need(p, err));
    p->ctx = ctx;
    p->summary.recall_check = &p->checked;
    p->is_self = is_self;
    p->recall_check.ctx = ctx;
    return DPL__TAKE(&p->options, options, err);
}

dpl_status dpl_pairs_open(dpl_pairs **out, dpl_ctx *ctx, const dpl_pairs_side *left,
                          const dpl_pairs_side *right, const dpl_pairs_options *options,
                          dpl_error *err)
{
    dpl_pairs *p = NULL;
    dpl_status status;
    *out = NULL;
    DPL__STEP(dpl__pairs_new(&p, ctx, !right, options, err));
    DPL__STEP(work(p, left, right, err));
    *out = p;
    p = NULL;
done:
    dpl_pairs_close(p);
    return status;
}

dpl_status dpl_pairs_next(dpl_pairs *p, dpl_pair *pair, dpl_error *err)
{
    return dpl__selector_next(p->selector, pair, err);
}

static dpl_str side_id(const dpl_pairs_side *side, uint32_t row)
{
    assert(side->vectors || side->signatures || side->collection);
    return side->vectors      ? dpl_vectors_id(side->vectors, row)
           : side->signatures ? dpl_signatures_id(side->signatures, row)
                              : dpl_collection_doc(side->collection, row).id;
}

dpl_str dpl_pairs_id(const dpl_pairs *p, bool is_right, uint32_t row)
{
    if (p->ids)
        return dpl__merged_id(p->ids, is_right, row);
    if (!p->group_of)
        return side_id(&p->given[is_right], row);
    const uint32_t n_left = dpl_collection_get_sizes(p->given[0].collection)->n_docs;
    return row < n_left ? side_id(&p->given[0], row) : side_id(&p->given[1], row - n_left);
}

const dpl_pairs_summary *dpl_pairs_get_summary(const dpl_pairs *p)
{
    return &p->summary;
}

void dpl_pairs_close(dpl_pairs *p)
{
    if (!p)
        return;
    dpl__merged_ids_free(p->ids, p->ctx);
    dpl__selector_free(p->selector);
    dpl__ngram_free(p->finder);
    dpl__vec_clear(p->ctx, &p->verified);
    dpl__recall_check_clear(&p->recall_check);
    dpl__signed_sides_clear(&p->signatures);
    dpl__spill_clear(&p->spill);
    dpl__sides_clear(&p->sides, p->ctx);
    dpl__free(p->ctx, p);
}
