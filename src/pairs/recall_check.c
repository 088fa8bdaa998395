/*
 * recall_check.c - the recall of a search, with an interval.
 *
 * In: a sample of left rows, searched exactly. Out: how many of their pairs the search found.
 * The pairs of a row stand or fall together (one long document has hundreds, and its signature
 * is either lucky or not), so the interval treats rows, not pairs, as what was drawn at random:
 * the variance of the ratio between rows gives the number of independent pairs that the sample
 * is worth, and Wilson's interval is taken with that number. Cost: one exact search of the
 * sample, and a binary search per found pair of a sampled row.
 */
#include "pairs/recall_check.h"

#include "base/ctx.h"
#include "base/lower_bound.h"

#include <math.h>

/* Beyond so many true pairs the rest of the sample adds nothing but memory. */
enum { MOST_TRUE = 1 << 22 };

/* ---- drawing ------------------------------------------------------------------------ */

/* One pass: each is taken with the share of those still wanted among those still to come. */
size_t dpl__draw_any(uint32_t *rows, size_t n, uint32_t total, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed ^ 0x5EC31F7)};
    size_t n_drawn = 0;
    n = dpl__min(n, total);
    for (uint32_t row = 0; row < total && n_drawn < n; row++)
        if (dpl__rng_below(&rng, total - row) < n - n_drawn)
            rows[n_drawn++] = row;
    assert(n_drawn == n);
    return n;
}

size_t dpl__draw_stretches(uint32_t *rows, size_t n, uint32_t total, dpl__rng *rng)
{
    n = dpl__min(n, total);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t begin = i * total / n, end = (i + 1) * total / n;
        rows[i] = (uint32_t)(begin + dpl__rng_below(rng, end - begin));
    }
    return n;
}

size_t dpl__draw_spaced(uint32_t *rows, size_t n, uint32_t total)
{
    n = dpl__min(n, total);
    for (uint64_t i = 0; i < n; i++)
        rows[i] = (uint32_t)(i * total / n);
    return n;
}

size_t dpl__draw_lowest(uint32_t *rows, size_t n, uint32_t total, dpl__lot_of *lot_of,
                        const void *user)
{
    size_t n_drawn = 0;
    for (uint32_t row = 0; n && row < total; row++) {
        const uint64_t lot = lot_of(user, row);
        if (n_drawn == n && lot_of(user, rows[n - 1]) <= lot)
            continue;
        n_drawn += n_drawn < n;
        size_t at = n_drawn - 1;
        for (; at > 0 && lot_of(user, rows[at - 1]) > lot; at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
    return n_drawn;
}

/* ---- the true pairs of a sample ----------------------------------------------------- */

/* Fills in the rows of the sample that are of the part. */
dpl_status dpl__recall_check_draw(dpl__recall_check *r, dpl_ctx *ctx, uint32_t n_left,
                                  const dpl__recall_sample *sample, dpl_error *err)
{
    *r = (dpl__recall_check){.ctx = ctx, .n_left = n_left};
    const size_t n_wanted = dpl__min(sample->n, r->n_left);
    const dpl_part *part = sample->part;
    const uint32_t *range = sample->range;
    uint32_t *rows = dpl__alloc(r->ctx, n_wanted * sizeof *rows);
    if (n_wanted && !rows)
        return dpl__fail_nomem(err);
    size_t n = sample->is_spaced ? dpl__draw_spaced(rows, n_wanted, r->n_left)
                                 : dpl__draw_any(rows, n_wanted, r->n_left, sample->seed);
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < n && status == DPL_OK; i++) {
        const dpl__sampled_row s = {.row = rows[i]};
        const bool is_here = (!part || i % part->n == part->number) &&
                             (!range || (rows[i] >= range[0] && rows[i] < range[1]));
        if (is_here && !dpl__vec_push(r->ctx, &r->rows, s))
            status = dpl__fail_nomem(err);
    }
    dpl__free(r->ctx, rows);
    return status;
}

/* Takes the true pairs of the sample; rows without one get none. */
static dpl_status take(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    dpl__recall_check *r = user;
    for (size_t i = 0; i < n; i++) {
        while (r->rows.data[r->at].row < pairs[i].left)
            r->rows.data[++r->at].first = r->rights.n;
        assert(r->rows.data[r->at].row == pairs[i].left);
        if (r->rights.n < MOST_TRUE && !dpl__vec_push(r->ctx, &r->rights, pairs[i].right))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

/* Rows behind the limit are not part of the sample; one that was cut off is not either. */
static void close_rows(dpl__recall_check *r)
{
    while (++r->at < r->rows.n)
        r->rows.data[r->at].first = r->rights.n;
    if (r->rights.n < MOST_TRUE)
        return;
    while (r->rows.n > 1 && r->rows.data[r->rows.n - 1].first == r->rights.n)
        r->rows.n--;
    if (r->rows.n > 1)
        r->rights.n = r->rows.data[--r->rows.n].first;
}

dpl_status dpl__recall_check_take(dpl__recall_check *r, const dpl_pair *pairs, size_t n,
                                  dpl_error *err)
{
    const dpl_status status = take(r, pairs, n, err);
    close_rows(r);
    r->at = 0;
    return status;
}

dpl_status dpl__recall_check_init(dpl__recall_check *r, const dpl__sides *sides,
                                  const dpl__recall_sample *sample, dpl__spill *spill,
                                  dpl_error *err)
{
    double began = dpl__now();
    dpl_ctx *ctx = spill->ctx;
    const uint32_t n_left = dpl_vectors_get_sizes(sides->left)->n_rows;
    DPL_TRY(dpl__recall_check_draw(r, ctx, n_left, sample, err));
    if (r->rows.n == 0)
        return DPL_OK;
    uint32_t *rows = dpl__alloc(ctx, r->rows.n * sizeof *rows);
    DPL_TRY(dpl__need(rows, err));
    for (size_t i = 0; i < r->rows.n; i++)
        rows[i] = r->rows.data[i].row;
    dpl__pair_sink sink = {r, take};
    size_t n_drawn = r->rows.n;
    dpl_status status = dpl__exact(
        ctx, &(dpl__exact_search){sides, sample->threshold, rows, n_drawn, &sink, NULL, NULL},
        spill, err);
    dpl__free(ctx, rows);
    close_rows(r);
    r->at = 0;
    r->seconds = dpl__now() - began;
    return status;
}

void dpl__recall_check_begin(dpl__recall_check *r, dpl_ctx *ctx, uint32_t n_left)
{
    *r = (dpl__recall_check){.ctx = ctx, .n_left = n_left};
}

dpl_status dpl__recall_check_row(dpl__recall_check *r, uint32_t row, const uint32_t *rights,
                                 size_t n, dpl_error *err)
{
    assert(r->rows.n == 0 || r->rows.data[r->rows.n - 1].row < row);
    dpl__sampled_row s = {.row = row, .first = r->rights.n};
    n = dpl__min(n, MOST_TRUE - r->rights.n);
    DPL_TRY(dpl__need(dpl__vec_push(r->ctx, &r->rows, s) &&
                          dpl__vec_append(r->ctx, &r->rights, rights, n),
                      err));
    return DPL_OK;
}

void dpl__recall_check_end(dpl__recall_check *r)
{
    r->at = r->rows.n;
    close_rows(r);
    r->at = 0;
}

void dpl__recall_check_clear(dpl__recall_check *r)
{
    dpl__vec_clear(r->ctx, &r->rows, &r->rights);
}

/* ---- counting ----------------------------------------------------------------------- */

static size_t row_end(const dpl__recall_check *r, size_t i)
{
    return i + 1 < r->rows.n ? (size_t)r->rows.data[i + 1].first : r->rights.n;
}

static bool has(const uint32_t *sorted, size_t n, uint32_t x)
{
    size_t at;
    DPL__LOWER_BOUND(at, n, sorted[at] < x);
    return at < n && sorted[at] == x;
}

void dpl__recall_check_add(dpl__recall_check *r, const dpl_pair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert(pairs[i].left < r->n_left && (i == 0 || pairs[i - 1].left <= pairs[i].left));
        while (r->at < r->rows.n && r->rows.data[r->at].row < pairs[i].left)
            r->at++;
        if (r->at == r->rows.n)
            return;
        dpl__sampled_row *s = &r->rows.data[r->at];
        if (s->row == pairs[i].left)
            s->n_found += has(r->rights.data + s->first, row_end(r, r->at) - (size_t)s->first,
                              pairs[i].right);
    }
}

/* ---- the interval ------------------------------------------------------------------- */

static void wilson(double p, double n, double *low, double *high)
{
    const double z = 1.959963984540054;
    double center = (p + z * z / (2 * n)) / (1 + z * z / n);
    double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    *low = p <= 0 ? 0 : fmax(0, center - half);
    *high = p >= 1 ? 1 : fmin(1, center + half);
}

void dpl__recall_sum(dpl_recall_check *out, const dpl__recall_rows *rows)
{
    uint64_t n_true = 0, n_found = 0, truth, found;
    size_t n_with = 0; /* rows that have a true answer */
    for (size_t i = 0; i < rows->n; i++) {
        rows->count(rows->user, i, &truth, &found);
        assert(found <= truth);
        n_true += truth;
        n_found += found;
        n_with += truth > 0;
    }
    out->n_rows = (uint32_t)rows->n;
    out->n_true = n_true;
    out->n_found = n_found;
    out->is_empty = n_true == 0;
    if (out->is_empty)
        return;
    double p = (double)n_found / (double)n_true, spread = 0;
    out->recall = p;
    for (size_t i = 0; i < rows->n; i++) {
        rows->count(rows->user, i, &truth, &found);
        double rest = (double)found - p * (double)truth;
        spread += rest * rest;
    }
    double n_worth = (double)n_with; /* nothing missed tells nothing of the spread */
    if (n_found > 0 && n_found < n_true && rows->n > 1) {
        double k = (double)rows->n, mean = (double)n_true / k;
        double variance = spread / (k - 1) / (k * mean * mean);
        n_worth = fmin((double)n_true, p * (1 - p) / variance); /* of 0: infinite, n_true */
    }
    double unseen = 1 - (double)rows->n / (double)rows->n_all;
    if (unseen <= 0) {
        out->low = out->high = p; /* all rows were looked at */
        return;
    }
    wilson(p, fmax(1, n_worth / unseen), &out->low, &out->high);
}

typedef struct arrays {
    const uint64_t *truth, *found;
} arrays;

static void count_arrays(const void *user, size_t i, uint64_t *n_true, uint64_t *n_found)
{
    const arrays *a = user;
    *n_true = a->truth[i];
    *n_found = a->found[i];
}

void dpl__recall_check_interval(dpl_recall_check *out, const uint64_t *truth,
                                const uint64_t *found, size_t n_rows, uint64_t n_all)
{
    const arrays a = {truth, found};
    dpl__recall_sum(out, &(dpl__recall_rows){n_rows, n_all, count_arrays, &a});
}

static void count_row(const void *user, size_t i, uint64_t *n_true, uint64_t *n_found)
{
    const dpl__recall_check *r = user;
    assert(i < r->rows.n);
    *n_true = row_end(r, i) - r->rows.data[i].first;
    *n_found = r->rows.data[i].n_found;
    assert(*n_found <= *n_true);
}

void dpl__recall_check_write(const dpl__recall_check *r, dpl_recall_check *out)
{
    *out = (dpl_recall_check){.is_empty = true, .seconds = r->seconds};
    dpl__recall_sum(out, &(dpl__recall_rows){r->rows.n, r->n_left, count_row, r});
}
