/*
 * hash_equal.c - hash functions with parameters such that their result sets are equally large.
 *
 * The paper compares functions at equal sizes of their answers: a function can have any recall
 * if it returns enough. Every step of the search for a parameter makes the codes of all
 * documents and asks all queries.
 */
#include "lab/hash_equal.h"

#include "base/maths.h"

#include <math.h>

void dpl__lab_hashed_clear(dpl__lab_hashed *h, dpl_ctx *ctx)
{
    dpl__lab_lookup_clear(&h->lookup, ctx);
    dpl_codes_close(h->codes);
    dpl_hash_free(h->hash);
    *h = (dpl__lab_hashed){.options = h->options, .size = h->size};
}

double dpl__lab_result_size(const dpl__lab_hashed *h, dpl__lab_asked *asked, unsigned l)
{
    dpl__lab_lookup first = h->lookup;
    uint64_t sum = 0;
    first.l = l;
    for (size_t i = 0; i < asked->n_queries; i++) {
        dpl__lab_lookup_find(&asked->found, &first, h->codes, asked->queries[i]);
        sum += asked->found.n;
    }
    return asked->n_queries ? (double)sum / (double)asked->n_queries : 0;
}

dpl_status dpl__lab_hashed_new(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                               const dpl_hash_options *options, dpl_error *err)
{
    const dpl_hash_input vectors = DPL_INIT(dpl_hash_input, .vectors = asked->vectors);
    const dpl_hash_input *rows = asked->rows ? asked->rows : &vectors;
    dpl_hash_input from = DPL_INIT(dpl_hash_input);
    *out = (dpl__lab_hashed){.options = *options};
    out->options.temp = lab->scratch;
    dpl_status status;
    if (!asked->rows)
        DPL__STEP(dpl__lab_reference(&from.collection, lab, err));
    DPL__STEP(
        dpl_hash_new(&out->hash, lab->ctx, &out->options, from.collection ? &from : rows, err));
    DPL__STEP(dpl_codes_make(&out->codes, lab->ctx, out->hash, rows, err));
    DPL__STEP(dpl__lab_lookup_new(&out->lookup, lab->ctx, out->codes, options->codes, 1, err));
    out->size = dpl__lab_result_size(out, asked, options->codes);
done:
    if (status != DPL_OK)
        dpl__lab_hashed_clear(out, lab->ctx);
    return status;
}

/* ---- one parameter --------------------------------------------------------------------------
 */

static double off_by(double size, double wanted)
{
    const double least = 1e-3; /* of sizes: what is empty has some distance to everything */
    return fabs(dpl__log(fmax(size, least)) - dpl__log(fmax(wanted, least)));
}

/* Keeps the one that is nearer to the wanted size; clears the other. */
static void keep_nearer(dpl__lab_hashed *best, dpl__lab_hashed *other, double wanted,
                        dpl_ctx *ctx)
{
    if (!best->codes || off_by(other->size, wanted) < off_by(best->size, wanted)) {
        dpl__lab_hashed_clear(best, ctx);
        *best = *other;
    } else {
        dpl__lab_hashed_clear(other, ctx);
    }
}

/* The length at which the size falls below the wanted one, or the length before: the nearer. Of
 * fuzzy-fingerprints the size rises again with very long codes, so lengths are tried upwards.
 */
static dpl_status by_length(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                            const dpl__lab_goal *goal, dpl_error *err)
{
    dpl_hash_options o = goal->options;
    const double wanted = goal->size;
    enum { SHORTEST = 3 };
    const unsigned longest = dpl_hash_get_function_info(o.function)->length_most;
    for (o.length = SHORTEST; o.length <= longest; o.length++) {
        dpl__lab_hashed at = {0};
        DPL_TRY(dpl__lab_hashed_new(&at, lab, asked, &o, err));
        const bool is_below = at.size < wanted;
        keep_nearer(out, &at, wanted, lab->ctx);
        if (is_below)
            break;
    }
    return DPL_OK;
}

/* The longest codes that all together have about the wanted size or more. */
static dpl_status by_longest(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                             const dpl__lab_goal *goal, dpl_error *err)
{
    dpl_hash_options o = goal->options;
    const double wanted = goal->size;
    const double enough = 0.85; /* of the wanted size; else much shorter codes would follow */
    unsigned low = 1, high = dpl_hash_get_function_info(o.function)->length_most;
    while (low <= high) {
        dpl__lab_hashed at = {0};
        o.length = low + (high - low) / 2;
        DPL_TRY(dpl__lab_hashed_new(&at, lab, asked, &o, err));
        const bool is_enough = at.size >= enough * wanted;
        if (is_enough)
            low = o.length + 1;
        else
            high = o.length - 1;
        if (is_enough || !out->codes) {
            dpl__lab_hashed_clear(out, lab->ctx);
            *out = at;
        } else {
            dpl__lab_hashed_clear(&at, lab->ctx);
        }
    }
    return DPL_OK;
}

/* A width between two whose sizes are known: where a line through their logarithms meets the
 * wanted size, but not at the ends; while the other end is far and not known as if sizes grew
 * with the width; in the middle otherwise. */
static double between(const double width[2], const double size[2], double wanted)
{
    const double step = 1.3; /* from a width that is known towards one that is not */
    double at = 0.5;
    if (size[1] > 0 && !(size[0] > 0) && width[0] < width[1] / 1e3)
        return width[1] / (step * fmin(size[1] / wanted, 10));
    if (size[0] > 0 && !(size[1] > 0) && width[1] > width[0] * 1e3)
        return width[0] * step * fmin(wanted / size[0], 10);
    if (size[0] > 0 && size[1] > size[0])
        at = (dpl__log(wanted) - dpl__log(size[0])) / (dpl__log(size[1]) - dpl__log(size[0]));
    at = fmin(0.95, fmax(0.05, at));
    return dpl__exp((1 - at) * dpl__log(width[0]) + at * dpl__log(width[1]));
}

static dpl_status by_width(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                           const dpl__lab_goal *goal, dpl_error *err)
{
    dpl_hash_options o = goal->options;
    const double wanted = goal->size;
    enum { STEPS = 24 };
    const double near = 0.03; /* relative difference that is good enough */
    double width[2] = {1e-6, 100}, size[2] = {0, 0};
    dpl__lab_hashed at = {0};
    for (int step = 0; step < STEPS; step++) {
        o.width = step == 0 && goal->near > 0 ? goal->near : between(width, size, wanted);
        DPL_TRY(dpl__lab_hashed_new(&at, lab, asked, &o, err));
        const double found = at.size;
        const unsigned end = found < wanted ? 0 : 1;
        keep_nearer(out, &at, wanted, lab->ctx);
        if (off_by(found, wanted) < near)
            break;
        width[end] = o.width;
        size[end] = found;
    }
    return DPL_OK;
}

/* So many codes that the size is nearest to the wanted one. */
static void take_codes(dpl__lab_hashed *h, dpl__lab_asked *asked, double wanted)
{
    unsigned best = h->lookup.l;
    double best_size = h->size;
    for (unsigned l = 1; l < h->lookup.l; l++) {
        const double size = dpl__lab_result_size(h, asked, l);
        if (off_by(size, wanted) < off_by(best_size, wanted)) {
            best = l;
            best_size = size;
        }
    }
    h->options.codes = best;
    h->size = best_size;
}

dpl_status dpl__lab_equal(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                          const dpl__lab_goal *goal, dpl_error *err)
{
    *out = (dpl__lab_hashed){0};
    const dpl_status status =
        goal->knob == DPL_LAB_BY_WIDTH    ? by_width(out, lab, asked, goal, err)
        : goal->knob == DPL_LAB_BY_LENGTH ? by_length(out, lab, asked, goal, err)
                                          : by_longest(out, lab, asked, goal, err);
    if (status != DPL_OK)
        dpl__lab_hashed_clear(out, lab->ctx);
    else if (goal->knob == DPL_LAB_BY_LENGTH_AND_NUMBER)
        take_codes(out, asked, goal->size);
    return status;
}
