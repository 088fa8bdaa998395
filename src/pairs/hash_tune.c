/*
 * hash_tune.c - what settings of a similarity hash function find: by a model, or measured on a
 * sample.
 *
 * Of rows: the true pairs of some left rows are found exactly, once. Then codes are made with
 * every setting, of the rows in these pairs and of others: the first code on which a true pair
 * agrees says from which multiplicity on it is found (codes of fewer are the first of more);
 * the share of other pairs that agree, how many candidates there are. Cost: one exact search of
 * the sample; for each setting the codes of a few thousand rows.
 */
#include "pairs/hash_grid.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "base/order.h"
#include "base/sized.h"
#include "pairs/recall_check.h"
#include "signatures/codes.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TRUE = 2000, OTHERS = 800, WORD = 64 };

struct dpl_tuning {
    dpl_ctx *ctx;
    DPL_VEC(dpl_hash_point) points;
    dpl_tune_summary summary;
};

/* Some rows of one side, by number, and their codes. */
typedef struct some_rows {
    const dpl_vectors *vectors;
    DPL_VEC(uint32_t) numbers;
    uint64_t *codes; /* code c of the i-th at [c * numbers.n + i] */
} some_rows;

typedef struct tuning {
    dpl_ctx *ctx;
    dpl_tuning *out;
    dpl_tune_options o;
    dpl_hash_options fixed;
    dpl__hash_settings settings;
    double n_left, n_right, n_pairs, terms;
    /* of rows: */
    const dpl_vectors *left, *right; /* right: left within one set */
    bool is_self;
    uint32_t n_sample;
    uint64_t n_true; /* of the sample; of these, in trues: */
    DPL_VEC(dpl_row_pair) trues;
    some_rows sides[2];  /* rows of true pairs */
    some_rows others[2]; /* evenly spaced ones */
    unsigned *first;     /* of each true pair: the first code that it shares */
    uint64_t *seen;      /* bits of pairs of others */
    uint64_t *n_new;     /* pairs of others that share a code, and none before */
} tuning;

/* ---- points ------------------------------------------------------------------------- */

static dpl_status put_point(tuning *t, const dpl_hash_options *o, double recall,
                            double share_of_others, double true_pairs, dpl_error *err)
{
    dpl_hash_point p = {.length = o->length,
                        .codes = o->codes,
                        .radix = o->radix,
                        .width = o->width,
                        .recall = recall};
    const double found = true_pairs * recall;
    const double all = found + share_of_others * fmax(0, t->n_pairs - true_pairs);
    p.precision = all > 0 && true_pairs > 0 ? found / all : 0;
    p.candidates = all / t->n_left;
    p.cost = dpl__hash_cost(o, t->terms, p.candidates);
    return dpl__need(dpl__vec_push(t->ctx, &t->out->points, p), err);
}

/* The cheapest that has the recall; or, with a wanted precision, the highest recall with it. */
static void choose(tuning *t)
{
    dpl_tune_summary *s = &t->out->summary;
    const dpl_hash_point *points = t->out->points.data, *best = NULL;
    const bool by_precision = t->o.precision > 0;
    for (size_t i = 0; i < t->out->points.n; i++) {
        const dpl_hash_point *p = &points[i];
        const bool is_good =
            by_precision ? p->precision >= t->o.precision : p->recall >= t->o.recall;
        const double had = best ? by_precision ? best->precision : best->recall : 0;
        bool is_better = !best;
        if (best && is_good != s->is_reached)
            is_better = is_good;
        else if (best && is_good)
            is_better = by_precision ? p->recall > best->recall : p->cost < best->cost;
        else if (best)
            is_better = (by_precision ? p->precision : p->recall) > had;
        if (is_better) {
            best = p;
            s->best = i;
            s->is_reached = is_good;
        }
    }
    s->points = t->out->points.data;
    s->n_points = t->out->points.n;
}

/* ---- by the model ------------------------------------------------------------------- */

static dpl_status tune_by_model(tuning *t, dpl_error *err)
{
    for (size_t i = 0; i < t->settings.n; i++) {
        dpl_hash_options o = t->settings.data[i];
        const double agree = dpl__hash_agree(&o, t->o.threshold);
        const double other = dpl__hash_agree(&o, 0);
        if (agree < 0)
            return dpl__fail(err, DPL_E_USAGE,
                             "%s has no model: its parameters are chosen on rows",
                             dpl__hash_function_name(o.function));
        const unsigned most = o.codes;
        for (size_t j = 0; (o.codes = dpl__hash_multiplicity(&t->fixed, most, j)) > 0; j++) {
            /* one true pair a row, at the threshold */
            const double recall = 1 - dpl__pow(1 - agree, o.codes);
            DPL_TRY(put_point(t, &o, recall, 1 - dpl__pow(1 - other, o.codes), t->n_left, err));
        }
    }
    return DPL_OK;
}

/* ---- the sample --------------------------------------------------------------------- */

static dpl_status list_true(tuning *t, const dpl__recall_check *r, dpl_error *err)
{
    t->n_sample = (uint32_t)r->rows.n;
    t->n_true = r->rights.n;
    for (size_t row = 0, i = 0; i < r->rights.n && i < MOST_TRUE; i++) {
        while (row + 1 < r->rows.n && r->rows.data[row + 1].first <= i)
            row++;
        const dpl_row_pair pair = {r->rows.data[row].row, r->rights.data[i]};
        DPL_TRY(dpl__need(dpl__vec_push(t->ctx, &t->trues, pair), err));
    }
    return DPL_OK;
}

static dpl_status find_true(tuning *t, dpl_error *err)
{
    dpl__sides sides = {0};
    dpl__spill spill = {0};
    dpl__recall_check truth = {.ctx = t->ctx};
    const dpl__recall_sample sample = {
        .n = t->o.sample, .threshold = t->o.threshold, .is_spaced = true};
    dpl_status status;
    DPL__STEP(dpl__sides_init(&sides, t->ctx, t->left, t->is_self ? NULL : t->right, err));
    DPL__STEP(dpl__spill_init(&spill, t->ctx, t->o.temp ? t->o.temp : "/tmp", err));
    DPL__STEP(dpl__recall_check_init(&truth, &sides, &sample, &spill, err));
    DPL__STEP(list_true(t, &truth, err));
done:
    dpl__recall_check_clear(&truth);
    dpl__spill_clear(&spill);
    dpl__sides_clear(&sides, t->ctx);
    return status;
}

DPL__RISING_NUMBERS(rising, uint32_t)

static void sort_distinct(some_rows *s)
{
    dpl__vec_sort(&s->numbers, rising);
    dpl__vec_distinct(&s->numbers, rising);
}

static dpl_status list_rows(tuning *t, unsigned side, dpl_error *err)
{
    some_rows *s = &t->sides[side], *other = &t->others[side];
    s->vectors = other->vectors = side ? t->right : t->left;
    for (size_t i = 0; i < t->trues.n; i++)
        DPL_TRY(dpl__need(dpl__vec_push(t->ctx, &s->numbers,
                                        side ? t->trues.data[i].right : t->trues.data[i].left),
                          err));
    sort_distinct(s);
    const uint32_t n_rows = s->vectors->sizes.n_rows;
    DPL_TRY(dpl__need(dpl__vec_reserve(t->ctx, &other->numbers, OTHERS), err));
    other->numbers.n = dpl__draw_spaced(other->numbers.data, OTHERS, n_rows);
    return DPL_OK;
}

static uint32_t place_of(const some_rows *s, uint32_t row)
{
    const uint32_t *at = bsearch(&row, s->numbers.data, s->numbers.n, sizeof row, rising);
    return (uint32_t)(at - s->numbers.data);
}

/* ---- measuring ---------------------------------------------------------------------- */

static dpl_status make_codes(tuning *t, some_rows *s, const dpl_hash *hash, unsigned l,
                             dpl_error *err)
{
    const size_t n = s->numbers.n * l;
    s->codes = NULL;
    if (n == 0)
        return DPL_OK;
    s->codes = dpl__alloc(t->ctx, n * sizeof *s->codes);
    DPL_TRY(dpl__need(s->codes, err));
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .vectors = s->vectors);
    const dpl__some_rows rows = {s->numbers.data, (uint32_t)s->numbers.n};
    return dpl__codes_of_rows(s->codes, t->ctx, hash, &input, &rows, err);
}

static void free_codes(tuning *t, some_rows *s)
{
    dpl__free(t->ctx, s->codes);
    s->codes = NULL;
}

/* The first code that each true pair shares, l if none. */
static void find_first(tuning *t, unsigned l)
{
    const some_rows *a = &t->sides[0], *b = &t->sides[t->is_self ? 0 : 1];
    for (size_t i = 0; i < t->trues.n; i++) {
        const uint32_t x = place_of(a, t->trues.data[i].left);
        const uint32_t y = place_of(b, t->trues.data[i].right);
        unsigned c = 0;
        while (c < l && a->codes[c * a->numbers.n + x] != b->codes[c * b->numbers.n + y])
            c++;
        t->first[i] = c;
    }
}

typedef struct coded {
    uint64_t code;
    uint32_t place;
} coded;

DPL__ORDER(by_code, coded, DPL__RISING(code) DPL__RISING(place))

/* Pairs of others that share code c and none before. */
static uint64_t count_new(tuning *t, unsigned c, coded *left, coded *right)
{
    const some_rows *sides[2] = {&t->others[0], &t->others[t->is_self ? 0 : 1]};
    coded *const lists[2] = {left, right};
    const size_t n[2] = {sides[0]->numbers.n, sides[1]->numbers.n};
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < n[s]; i++)
            lists[s][i] = (coded){sides[s]->codes[c * n[s] + i], i};
        qsort(lists[s], n[s], sizeof *lists[s], by_code);
    }
    uint64_t n_new = 0;
    size_t j = 0;
    for (size_t i = 0; i < n[0]; i++) {
        while (j < n[1] && right[j].code < left[i].code)
            j++;
        for (size_t m = j; m < n[1] && right[m].code == left[i].code; m++) {
            if ((t->is_self && right[m].place <= left[i].place) || left[i].code == DPL_NO_CODE)
                continue;
            const size_t bit = (size_t)left[i].place * n[1] + right[m].place;
            n_new += !(t->seen[bit / WORD] >> bit % WORD & 1);
            t->seen[bit / WORD] |= (uint64_t)1 << bit % WORD;
        }
    }
    return n_new;
}

static size_t n_seen_words(const tuning *t)
{
    const size_t n = t->others[0].numbers.n, m = t->others[t->is_self ? 0 : 1].numbers.n;
    return (n * m + WORD - 1) / WORD;
}

static dpl_status count_others(tuning *t, unsigned l, dpl_error *err)
{
    const size_t n = t->others[0].numbers.n, m = t->others[t->is_self ? 0 : 1].numbers.n;
    coded *left = dpl__alloc(t->ctx, n * sizeof *left);
    coded *right = dpl__alloc(t->ctx, m * sizeof *right);
    if (left && right) {
        memset(t->seen, 0, n_seen_words(t) * sizeof *t->seen);
        for (unsigned c = 0; c < l; c++)
            t->n_new[c] = count_new(t, c, left, right);
    }
    dpl_status status = dpl__need(left && right, err);
    dpl__free(t->ctx, right, left);
    return status;
}

static dpl_status put_points(tuning *t, dpl_hash_options o, dpl_error *err)
{
    const double n = (double)t->others[0].numbers.n;
    const double m = (double)t->others[t->is_self ? 0 : 1].numbers.n;
    const double n_other_pairs = fmax(1, t->is_self ? n * (n - 1) / 2 : n * m);
    /* within one set the pairs of a left row are those with higher rows */
    const double true_pairs = (double)t->n_true / t->n_sample * t->n_left;
    const unsigned most = o.codes;
    for (size_t j = 0; (o.codes = dpl__hash_multiplicity(&t->fixed, most, j)) > 0; j++) {
        uint64_t n_found = 0, n_others = 0;
        for (size_t i = 0; i < t->trues.n; i++)
            n_found += t->first[i] < o.codes;
        for (unsigned c = 0; c < o.codes; c++)
            n_others += t->n_new[c];
        DPL_TRY(put_point(t, &o, t->trues.n ? (double)n_found / (double)t->trues.n : 0,
                          (double)n_others / n_other_pairs, true_pairs, err));
    }
    return DPL_OK;
}

static dpl_status measure_hash(tuning *t, const dpl_hash *hash, const dpl_hash_options *o,
                               dpl_error *err)
{
    const unsigned n_sides = t->is_self ? 1 : 2;
    dpl_status status;
    for (unsigned s = 0; s < n_sides; s++) {
        DPL__STEP(make_codes(t, &t->sides[s], hash, o->codes, err));
        DPL__STEP(make_codes(t, &t->others[s], hash, o->codes, err));
    }
    find_first(t, o->codes);
    DPL__STEP(count_others(t, o->codes, err));
    DPL__STEP(put_points(t, *o, err));
done:
    for (unsigned s = 0; s < n_sides; s++) {
        free_codes(t, &t->others[s]);
        free_codes(t, &t->sides[s]);
    }
    return status;
}

static dpl_status measure(tuning *t, const dpl_hash_options *o, dpl_error *err)
{
    dpl_hash *hash = NULL;
    dpl_hash_input reference = DPL_INIT(dpl_hash_input, .vectors = t->left);
    dpl_status status;
    DPL__STEP(dpl_hash_new(&hash, t->ctx, o, &reference, err));
    DPL__STEP(measure_hash(t, hash, dpl_hash_get_info(hash).options, err));
done:
    dpl_hash_free(hash);
    return status;
}

static dpl_status tune_by_rows(tuning *t, dpl_error *err)
{
    DPL_TRY(find_true(t, err));
    DPL_TRY(list_rows(t, 0, err));
    if (!t->is_self)
        DPL_TRY(list_rows(t, 1, err));
    else
        for (size_t i = 0; i < t->trues.n; i++) /* both rows stand in one list */
            DPL_TRY(dpl__need(
                dpl__vec_push(t->ctx, &t->sides[0].numbers, t->trues.data[i].right), err));
    if (t->is_self)
        sort_distinct(&t->sides[0]);
    unsigned most = 1;
    for (size_t i = 0; i < t->settings.n; i++)
        most = t->settings.data[i].codes > most ? t->settings.data[i].codes : most;
    t->first = dpl__alloc(t->ctx, (t->trues.n + 1) * sizeof *t->first);
    t->seen = dpl__alloc(t->ctx, n_seen_words(t) * sizeof *t->seen);
    t->n_new = dpl__alloc(t->ctx, most * sizeof *t->n_new);
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(t->first && t->seen && t->n_new, err));
    for (size_t i = 0; i < t->settings.n; i++) {
        DPL__STEP(measure(t, &t->settings.data[i], err));
        dpl_progress progress = {"tune", "settings", i + 1, t->settings.n};
        DPL__STEP(dpl__progress(t->ctx, &progress, err));
    }
done:
    dpl__free(t->ctx, t->n_new, t->seen, t->first);
    return status;
}

/* ---- public ------------------------------------------------------------------------- */

static dpl_status check(tuning *t, dpl_error *err)
{
    dpl_tune_options *o = &t->o;
    o->threshold = o->threshold == 0 ? 0.8 : o->threshold;
    o->recall = o->recall == 0 ? 0.95 : o->recall;
    o->sample = o->sample ? o->sample : 1000;
    if (!(o->threshold > 0 && o->threshold <= 1))
        return dpl__fail(err, DPL_E_USAGE, "threshold %g: not between 0 and 1", o->threshold);
    if (!(o->recall > 0 && o->recall < 1))
        return dpl__fail(err, DPL_E_USAGE, "recall %g: not between 0 and 1", o->recall);
    if (!(o->precision >= 0 && o->precision <= 1))
        return dpl__fail(err, DPL_E_USAGE, "precision %g: not between 0 and 1", o->precision);
    DPL_TRY(DPL__TAKE(&t->fixed, o->hash, err));
    const dpl_hash_function_info *info = dpl_hash_get_function_info(t->fixed.function);
    if (!info)
        return dpl__fail(err, DPL_E_USAGE, "no similarity hash function number %d",
                         (int)t->fixed.function);
    if (t->fixed.length > info->length_most || t->fixed.codes > info->codes_most)
        return dpl__fail(err, DPL_E_USAGE, "%s has codes of at most %u %s, at most %u of them",
                         info->name, info->length_most, info->unit, info->codes_most);
    return dpl__hash_settings_fill(&t->settings, t->ctx, &t->fixed, err);
}

static void tuning_clear(tuning *t)
{
    for (unsigned s = 0; s < 2; s++)
        dpl__vec_clear(t->ctx, &t->others[s].numbers, &t->sides[s].numbers);
    dpl__vec_clear(t->ctx, &t->trues, &t->settings);
}

static dpl_status run(tuning *t, uint64_t n_rows, dpl_error *err)
{
    DPL_TRY(check(t, err));
    if (!t->left) {
        t->n_left = (double)(n_rows ? n_rows : 1);
        t->n_pairs = t->n_left * (t->n_left - 1) / 2;
        t->terms = 120;
        return tune_by_model(t, err);
    }
    if (t->left->sizes.n_rows == 0 || t->right->sizes.n_rows == 0)
        return dpl__fail(err, DPL_E_USAGE, "'%s' has no rows",
                         (t->left->sizes.n_rows ? t->right : t->left)->path);
    t->n_left = t->left->sizes.n_rows;
    t->n_right = t->right->sizes.n_rows;
    t->n_pairs = t->is_self ? t->n_left * (t->n_left - 1) / 2 : t->n_left * t->n_right;
    t->terms = (double)t->left->sizes.n_entries / t->n_left;
    DPL_TRY(tune_by_rows(t, err));
    t->out->summary.is_sampled = true;
    t->out->summary.n_rows = t->n_sample;
    t->out->summary.n_true = t->n_true;
    return DPL_OK;
}

dpl_status dpl_hash_tune(dpl_tuning **out, dpl_ctx *ctx, const dpl_vectors *left,
                         const dpl_vectors *right, uint64_t n_rows,
                         const dpl_tune_options *options, dpl_error *err)
{
    *out = NULL;
    const double began = dpl__now();
    tuning t = {.ctx = ctx,
                .left = left,
                .right = right ? right : left,
                .is_self = !right || right == left};
    DPL_TRY(DPL__TAKE(&t.o, options, err));
    t.out = dpl__calloc(ctx, 1, sizeof *t.out);
    DPL_TRY(dpl__need(t.out, err));
    t.out->ctx = ctx;
    t.out->summary.size = sizeof t.out->summary;
    dpl_status status = run(&t, n_rows, err);
    choose(&t);
    t.out->summary.seconds = dpl__now() - began;
    tuning_clear(&t);
    if (status == DPL_OK)
        *out = t.out;
    else
        dpl_tuning_free(t.out);
    return status;
}

void dpl_tuning_free(dpl_tuning *t)
{
    if (!t)
        return;
    dpl__vec_clear(t->ctx, &t->points);
    dpl__free(t->ctx, t);
}

const dpl_tune_summary *dpl_tuning_get_summary(const dpl_tuning *t)
{
    return &t->summary;
}
