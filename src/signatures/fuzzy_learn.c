/*
 * fuzzy_learn.c - prefix classes, expectations and intervals from a reference.
 *
 * 1. Every row is worth one, spread over its terms by their weights; a prefix has the sum of
 *    its terms. (Of very many rows: evenly spaced ones.)
 * 2. Classes: prefixes, the heaviest first, each to the lightest class so far (ties: the
 *    prefix that comes first in byte order, the class of the lowest number). The classes are as
 *    even as the prefixes allow, whatever the language.
 * 3. Mean and standard deviation of a class's share over the rows, evenly spaced ones when
 * there are more than the sample has.
 * 4. Bound j of scheme s: the deviation that (j + shift) / r of these rows do not exceed. The
 *    shifts are 0, -1/4, 1/4, -3/8, 1/8 ...: as far from each other as can be, and those of
 *    fewer schemes are the first of more.
 */
#include "signatures/hash_functions.h"

#include "base/ctx.h"
#include "base/order.h"
#include "base/vec.h"
#include "io/keysort.h"
#include "signatures/code_rows.h"
#include "signatures/hash_params.h"

#include <math.h>
#include <stdlib.h>

/* A term's weights in all rows. */
typedef struct term_weights {
    double *weights;
    size_t n;
} term_weights;

typedef struct learning {
    dpl_ctx *ctx;
    dpl_hash *hash;
    const dpl__hash_rows *rows;
    term_weights terms;
    dpl__key *keys, *scratch; /* prefixes of the terms */
    double *weights;          /* of each prefix */
    uint32_t n_sample;
    float *sample; /* share of class i in the j-th row: [i * n_sample + j] */
} learning;

/* ---- 1: weights of terms ------------------------------------------------------------ */

/* The terms of a row by number, and their weights; NULL: all 1. counts: of a collection. */
typedef struct term_row {
    const uint32_t *terms; /* NULL: elements from number `first` on */
    uint64_t first;
    const float *weights;
    const uint32_t *counts;
    size_t n;
} term_row;

static term_row get_row(const dpl_hash_input *in, uint32_t row)
{
    term_row out = {0};
    if (in->vectors)
        out.terms = dpl_vectors_row(in->vectors, row, &out.weights, &out.n);
    else if (in->collection)
        out.terms = dpl_collection_row(in->collection, row, &out.counts, &out.n);
    else {
        out.first = in->offsets[row];
        out.n = (size_t)(in->offsets[row + 1] - out.first);
        out.weights = in->weights ? in->weights + out.first : NULL;
    }
    return out;
}

static double weight_of(const term_row *row, size_t i)
{
    return row->weights ? (double)row->weights[i] : row->counts ? row->counts[i] : 1;
}

static dpl_status weigh_terms(learning *l, dpl_error *err)
{
    const dpl_hash_input *in = &l->rows->input;
    l->terms.n = l->rows->n_terms;
    if (!in->vectors && !in->collection)
        l->terms.n = (size_t)in->offsets[in->n_rows];
    if (l->terms.n == 0 || l->rows->n_rows == 0)
        return dpl__fail(err, DPL_E_NOTHING, "the reference has no words");
    if (l->terms.n > UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "the reference has more than %u elements",
                         UINT32_MAX);
    l->terms.weights = dpl__calloc(l->ctx, l->terms.n, sizeof *l->terms.weights);
    DPL_TRY(dpl__need(l->terms.weights, err));
    const uint32_t n_rows = l->rows->n_rows;
    const uint32_t n = (uint32_t)dpl__min(n_rows, (size_t)DPL__P(hash, fuzzy_rows));
    for (uint32_t r = 0; r < n; r++) {
        const term_row row = get_row(in, (uint32_t)((uint64_t)r * n_rows / n));
        double sum = 0;
        for (size_t i = 0; i < row.n; i++)
            sum += weight_of(&row, i);
        for (size_t i = 0; i < row.n; i++)
            l->terms.weights[row.terms ? row.terms[i] : row.first + i] +=
                weight_of(&row, i) / sum;
    }
    return DPL_OK;
}

/* ---- 2: classes --------------------------------------------------------------------- */

static dpl_status sort_prefixes(learning *l, dpl_error *err)
{
    const size_t n = l->terms.n;
    l->keys = dpl__alloc(l->ctx, n * sizeof *l->keys);
    l->scratch = dpl__alloc(l->ctx, n * sizeof *l->scratch);
    DPL_TRY(dpl__need(l->keys && l->scratch, err));
    for (size_t i = 0; i < n; i++)
        l->keys[i] =
            dpl__key_of(dpl__fuzzy_prefix(dpl__hash_rows_term(l->rows, i)), (uint32_t)i);
    return dpl__sort_keys(l->ctx, l->keys, l->scratch, n, err);
}

/* One of each, with the weights of its terms. */
static dpl_status unite_prefixes(learning *l, dpl_error *err)
{
    size_t n = 0, n_bytes = 0;
    for (size_t i = 0; i < l->terms.n; i++) {
        const dpl__key key = l->keys[i];
        const double weight = l->terms.weights[key.index];
        if (n && dpl__key_equal(&l->keys[n - 1], &key)) {
            l->weights[n - 1] += weight;
            continue;
        }
        l->keys[n] = key;
        l->weights[n++] = weight;
        n_bytes += key.n;
    }
    dpl__fuzzy *f = &l->hash->fuzzy;
    uint64_t *offsets = dpl__arena_alloc(&l->hash->arena, (n + 1) * sizeof *offsets);
    char *bytes = dpl__arena_alloc(&l->hash->arena, n_bytes);
    DPL_TRY(dpl__need(offsets && bytes, err));
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++) {
        memcpy(bytes + offsets[i], l->keys[i].data, l->keys[i].n);
        offsets[i + 1] = offsets[i] + l->keys[i].n;
    }
    f->prefixes = (dpl__strings){offsets, bytes, n};
    return DPL_OK;
}

/* For qsort, which has no argument: weights go with the numbers. */
typedef struct weighed {
    double weight;
    uint32_t number;
} weighed;

DPL__ORDER(heaviest_first, weighed, DPL__FALLING(weight) DPL__RISING(number))

static dpl_status assign_classes(learning *l, dpl_error *err)
{
    dpl__fuzzy *f = &l->hash->fuzzy;
    const size_t n = f->prefixes.n;
    weighed *order = dpl__alloc(l->ctx, n * sizeof *order);
    uint8_t *classes = dpl__arena_alloc(&l->hash->arena, n);
    if (!order || !classes) {
        dpl__free(l->ctx, order);
        return dpl__fail_nomem(err);
    }
    for (size_t i = 0; i < n; i++)
        order[i] = (weighed){l->weights[i], (uint32_t)i};
    qsort(order, n, sizeof *order, heaviest_first);
    double sums[DPL__MOST_CLASSES] = {0};
    for (size_t i = 0; i < n; i++) {
        unsigned lightest = 0;
        for (unsigned c = 1; c < l->hash->options.length; c++)
            if (sums[c] < sums[lightest])
                lightest = c;
        classes[order[i].number] = (uint8_t)lightest;
        sums[lightest] += order[i].weight;
    }
    f->classes = classes;
    dpl__free(l->ctx, order);
    return DPL_OK;
}

/* ---- 3: expectations ---------------------------------------------------------------- */

/* With mean 0 and deviation 1 the embedding is the share itself. */
static dpl_status take_sample(learning *l, dpl_error *err)
{
    dpl_hash *h = l->hash;
    const unsigned k = h->options.length;
    float plain[2][DPL__MOST_CLASSES], y[DPL__MOST_CLASSES];
    for (unsigned i = 0; i < k; i++) {
        plain[0][i] = 0;
        plain[1][i] = 1;
    }
    h->fuzzy.mean = plain[0];
    h->fuzzy.sd = plain[1];
    const uint32_t n_rows = l->rows->n_rows;
    const uint32_t n = (uint32_t)dpl__min(n_rows, (size_t)DPL__P(hash, fuzzy_sample));
    l->sample = dpl__alloc(l->ctx, (size_t)n * k * sizeof *l->sample);
    l->n_sample = n;
    DPL_TRY(dpl__need(l->sample, err));
    dpl__hash_rows rows; /* with marks, now that there are classes */
    dpl_status status = dpl__hash_rows_init(&rows, l->ctx, h, &l->rows->input, err);
    for (uint32_t j = 0; status == DPL_OK && j < n; j++) {
        const uint32_t number = (uint32_t)((uint64_t)j * n_rows / n);
        const dpl__hash_row row = dpl__hash_rows_get(&rows, number, 0);
        dpl__fuzzy_embed(y, h, &row);
        for (unsigned i = 0; i < k; i++)
            l->sample[(size_t)i * n + j] = y[i];
    }
    dpl__hash_rows_clear(&rows);
    h->fuzzy.mean = h->fuzzy.sd = NULL;
    return status;
}

static dpl_status expect(learning *l, dpl_error *err)
{
    const unsigned k = l->hash->options.length;
    float *mean = dpl__arena_alloc(&l->hash->arena, k * sizeof *mean);
    float *sd = dpl__arena_alloc(&l->hash->arena, k * sizeof *sd);
    DPL_TRY(dpl__need(mean && sd, err));
    for (unsigned i = 0; i < k; i++) {
        const float *x = l->sample + (size_t)i * l->n_sample;
        double sum = 0, squares = 0;
        for (uint32_t j = 0; j < l->n_sample; j++)
            sum += (double)x[j];
        const double m = sum / l->n_sample;
        for (uint32_t j = 0; j < l->n_sample; j++)
            squares += ((double)x[j] - m) * ((double)x[j] - m);
        mean[i] = (float)m;
        sd[i] = (float)sqrt(squares / l->n_sample);
    }
    l->hash->fuzzy.mean = mean;
    l->hash->fuzzy.sd = sd;
    return DPL_OK;
}

/* ---- 4: intervals ------------------------------------------------------------------- */

DPL__RISING_NUMBERS(rising, float)

/* The digits of s + 1 in binary, backwards behind the point (van der Corput), less a half. */
static double shift_of(unsigned s)
{
    double x = 0, digit = 0.5;
    for (unsigned n = s + 1; n; n >>= 1, digit /= 2)
        x += n & 1 ? digit : 0;
    return x - 0.5;
}

static dpl_status set_bounds(learning *l, dpl_error *err)
{
    const dpl_hash_options *o = &l->hash->options;
    dpl__fuzzy *f = &l->hash->fuzzy;
    const unsigned k = o->length, r = o->radix;
    float *bounds = dpl__arena_alloc(&l->hash->arena, o->codes * k * (r - 1) * sizeof *bounds);
    DPL_TRY(dpl__need(bounds, err));
    for (unsigned i = 0; i < k; i++) {
        float *x = l->sample + (size_t)i * l->n_sample;
        qsort(x, l->n_sample, sizeof *x, rising);
        for (unsigned s = 0; s < o->codes; s++)
            for (unsigned j = 1; j < r; j++) {
                const double at = (j + shift_of(s)) / r * l->n_sample;
                const float share = x[dpl__min((size_t)at, l->n_sample - 1)];
                bounds[(s * k + i) * (r - 1) + j - 1] =
                    f->sd[i] > 0 ? (share - f->mean[i]) / f->sd[i] : 0;
            }
    }
    f->bounds = bounds;
    return DPL_OK;
}

static dpl_status learn(learning *l, dpl_error *err)
{
    DPL_TRY(weigh_terms(l, err));
    l->weights = dpl__alloc(l->ctx, l->terms.n * sizeof *l->weights);
    DPL_TRY(dpl__need(l->weights, err));
    DPL_TRY(sort_prefixes(l, err));
    DPL_TRY(unite_prefixes(l, err));
    DPL_TRY(assign_classes(l, err));
    DPL_TRY(take_sample(l, err));
    DPL_TRY(expect(l, err));
    return set_bounds(l, err);
}

dpl_status dpl__fuzzy_learn(dpl_hash *h, const dpl_hash_input *reference, dpl_error *err)
{
    dpl__hash_rows rows; /* their marks would be of no use yet: see class_of in fuzzy.c */
    learning l = {.ctx = h->ctx, .hash = h, .rows = &rows};
    dpl_status status;
    DPL__STEP(dpl__hash_rows_init(&rows, h->ctx, h, reference, err));
    DPL__STEP(learn(&l, err));
done:
    dpl__free(l.ctx, l.sample, l.scratch, l.keys, l.weights, l.terms.weights);
    dpl__hash_rows_clear(&rows);
    return status;
}
