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
#include "base/hash.h"

#include <math.h>
#include <stdlib.h>

/* Beyond so many true pairs the rest of the sample adds nothing but memory. */
enum { MOST_TRUE = 1 << 22 };

/* ---- drawing ------------------------------------------------------------------------ */

/* n of [0, total), rising, every set equally likely: one pass, each taken with the share of
 * those still wanted among those still to come. */
static bool draw(dpl__recall_check *r, const dpl__recall_sample *sample, uint32_t total)
{
    dpl__rng rng = {dpl__mix(sample->seed ^ 0x5EC31F7)};
    size_t n = dpl__min(sample->n, total), n_drawn = 0;
    for (uint32_t row = 0; row < total && n_drawn < n; row++) {
        if (dpl__rng_below(&rng, total - row) >= n - n_drawn)
            continue;
        dpl__sampled_row s = {.row = row};
        const dpl_part *part = sample->part;
        if (!(part && n_drawn % part->n != part->number) && !dpl__vec_push(r->ctx, &r->rows, s))
            return false;
        n_drawn++;
    }
    return true;
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

dpl_status dpl__recall_check_init(dpl__recall_check *r, dpl_ctx *ctx, const dpl__sides *sides,
                                  double threshold, const dpl__recall_sample *sample,
                                  dpl__spill *spill, dpl_error *err)
{
    double began = dpl__now();
    *r = (dpl__recall_check){.ctx = ctx, .threshold = threshold};
    r->n_left = dpl_vectors_get_sizes(sides->left)->n_rows;
    if (!draw(r, sample, r->n_left))
        return dpl__fail_nomem(err);
    if (r->rows.n == 0)
        return DPL_OK;
    uint32_t *rows = dpl__alloc(ctx, r->rows.n * sizeof *rows);
    if (!rows)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < r->rows.n; i++)
        rows[i] = r->rows.data[i].row;
    dpl__pair_sink sink = {r, take};
    size_t n_drawn = r->rows.n;
    dpl_status status = dpl__exact(
        ctx, &(dpl__exact_search){sides, threshold, rows, n_drawn, &sink, NULL}, spill, err);
    dpl__free(ctx, rows, n_drawn * sizeof *rows);
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
    if (!dpl__vec_push(r->ctx, &r->rows, s) || !dpl__vec_append(r->ctx, &r->rights, rights, n))
        return dpl__fail_nomem(err);
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
    dpl__vec_clear(r->ctx, &r->rows);
    dpl__vec_clear(r->ctx, &r->rights);
}

/* ---- counting ----------------------------------------------------------------------- */

static size_t row_end(const dpl__recall_check *r, size_t i)
{
    return i + 1 < r->rows.n ? (size_t)r->rows.data[i + 1].first : r->rights.n;
}

static bool has(const uint32_t *sorted, size_t n, uint32_t x)
{
    size_t low = 0;
    while (low < n) {
        size_t mid = low + (n - low) / 2;
        if (sorted[mid] == x)
            return true;
        if (sorted[mid] < x)
            low = mid + 1;
        else
            n = mid;
    }
    return false;
}

void dpl__recall_check_add(dpl__recall_check *r, const dpl_pair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
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

void dpl__recall_check_interval(dpl_recall_check *out, const uint64_t *truth,
                                const uint64_t *found, size_t n_rows, uint64_t n_all)
{
    uint64_t n_true = 0, n_found = 0;
    size_t n_with = 0; /* rows that have a true pair */
    for (size_t i = 0; i < n_rows; i++) {
        n_true += truth[i];
        n_found += found[i];
        n_with += truth[i] > 0;
    }
    out->n_rows = (uint32_t)n_rows;
    out->n_true = n_true;
    out->n_found = n_found;
    out->is_empty = n_true == 0;
    if (out->is_empty)
        return;
    double p = (double)n_found / (double)n_true, spread = 0;
    out->recall = p;
    for (size_t i = 0; i < n_rows; i++) {
        double rest = (double)found[i] - p * (double)truth[i];
        spread += rest * rest;
    }
    double n_worth = (double)n_with; /* nothing missed tells nothing of the spread */
    if (n_found > 0 && n_found < n_true && n_rows > 1) {
        double k = (double)n_rows, mean = (double)n_true / k;
        double variance = spread / (k - 1) / (k * mean * mean);
        n_worth = fmin((double)n_true, p * (1 - p) / variance); /* of 0: infinite, n_true */
    }
    double unseen = 1 - (double)n_rows / (double)n_all;
    if (unseen <= 0) {
        out->low = out->high = p; /* all rows were looked at */
        return;
    }
    wilson(p, fmax(1, n_worth / unseen), &out->low, &out->high);
}

void dpl__recall_check_write(const dpl__recall_check *r, dpl_recall_check *out)
{
    *out = (dpl_recall_check){.is_empty = true, .seconds = r->seconds};
    size_t n = r->rows.n;
    uint64_t *counts = dpl__alloc(r->ctx, 2 * n * sizeof *counts);
    if (!counts)
        return; /* nothing can be said */
    for (size_t i = 0; i < n; i++) {
        counts[i] = row_end(r, i) - r->rows.data[i].first;
        counts[n + i] = r->rows.data[i].n_found;
    }
    dpl__recall_check_interval(out, counts, counts + n, n, r->n_left);
    dpl__free(r->ctx, counts, 2 * n * sizeof *counts);
}
