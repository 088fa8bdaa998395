/*
 * hash_equal.c - hash functions with parameters such that their result sets are equally large.
 *
 * The paper compares functions at equal sizes of their answers: a function can have any recall
 * if it returns enough. Every step of the search for a parameter makes the codes of all
 * documents and asks all queries; projections do not depend on the width and are made once.
 */
#include "lab/hash_equal.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "par/pool.h"
#include "signatures/code_rows.h"
#include "signatures/hash_functions.h"

#include <math.h>

void dpl__lab_hashed_clear(dpl__lab_hashed *h, dpl_ctx *ctx)
{
    dpl__lab_lookup_clear(&h->lookup, ctx);
    dpl_codes_close(h->codes);
    dpl__free(ctx, h->words);
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

static dpl_status look_up(dpl__lab_hashed *h, dpl_ctx *ctx, dpl__lab_asked *asked,
                          dpl_error *err)
{
    DPL_TRY(dpl__lab_lookup_new(&h->lookup, ctx, h->codes, h->options.codes, 1, err));
    h->size = dpl__lab_result_size(h, asked, h->options.codes);
    return DPL_OK;
}

static dpl_hash_input input_of(const dpl__lab_asked *asked)
{
    return asked->rows ? *asked->rows
                       : (dpl_hash_input)DPL_INIT(dpl_hash_input, .vectors = asked->vectors);
}

dpl_status dpl__lab_hashed_new(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                               const dpl_hash_options *options, dpl_error *err)
{
    const dpl_hash_input rows = input_of(asked);
    dpl_hash_input from = DPL_INIT(dpl_hash_input);
    *out = (dpl__lab_hashed){.options = *options};
    out->options.temp = lab->scratch;
    dpl_status status;
    if (!asked->rows)
        DPL__STEP(dpl__lab_reference(&from.collection, lab, err));
    DPL__STEP(dpl_hash_new(&out->hash, lab->ctx, &out->options, from.collection ? &from : &rows,
                           err));
    DPL__STEP(dpl_codes_make(&out->codes, lab->ctx, out->hash, &rows, err));
    DPL__STEP(look_up(out, lab->ctx, asked, err));
done:
    if (status != DPL_OK)
        dpl__lab_hashed_clear(out, lab->ctx);
    return status;
}

/* ---- one parameter ------------------------------------------------------------------ */

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
 * fuzzy-fingerprints the size rises again with very long codes, so lengths are tried upwards,
 * by half as much again, and bisected once the size is below. */
static dpl_status by_length(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                            const dpl__lab_goal *goal, dpl_error *err)
{
    dpl_hash_options o = goal->options;
    enum { SHORTEST = 3 };
    const unsigned longest = dpl_hash_get_function_info(o.function)->length_most;
    unsigned above = SHORTEST - 1, below = longest + 1; /* tried, or beyond what there is */
    o.length = SHORTEST;
    while (below - above > 1) {
        dpl__lab_hashed at = {0};
        DPL_TRY(dpl__lab_hashed_new(&at, lab, asked, &o, err));
        if (at.size < goal->size)
            below = o.length;
        else
            above = o.length;
        keep_nearer(out, &at, goal->size, lab->ctx);
        o.length = below <= longest ? above + (below - above) / 2
                                    : (unsigned)dpl__min(above + (above + 1) / 2, longest);
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

/* The Gaussian projections of all rows, by row; rows without elements have none. Where they
 * take more than a quarter of the memory there are none, and every width makes them anew. */
typedef struct projected {
    const dpl_hash *hash;
    dpl__hash_rows rows;
    size_t n; /* numbers of a row */
    float *y;
    bool *is_empty;
    const dpl_hash *width; /* that codes are made with, into words */
    uint64_t *words;
} projected;

enum { PROJECTED_AT_ONCE = 64 };

static size_t n_blocks(const projected *p)
{
    return (p->rows.n_rows + PROJECTED_AT_ONCE - 1) / PROJECTED_AT_ONCE;
}

static dpl_status project_block(void *user, size_t block, unsigned worker, dpl_error *err)
{
    (void)err;
    const projected *p = user;
    const size_t end = dpl__min((block + 1) * PROJECTED_AT_ONCE, p->rows.n_rows);
    for (size_t i = block * PROJECTED_AT_ONCE; i < end; i++) {
        const dpl__hash_row row = dpl__hash_rows_get(&p->rows, (uint32_t)i, worker);
        p->is_empty[i] = row.n == 0 && row.dim == 0;
        dpl__pstable_project(p->y + i * p->n, p->hash, &row);
    }
    return DPL_OK;
}

static void quantise_block(void *user, size_t block)
{
    const projected *p = user;
    enum { MOST = 1024 }; /* codes, as the function has */
    uint64_t codes[MOST];
    const unsigned l = dpl_hash_get_info(p->width).options->codes;
    const size_t end = dpl__min((block + 1) * PROJECTED_AT_ONCE, p->rows.n_rows);
    assert(l <= MOST);
    for (size_t i = block * PROJECTED_AT_ONCE; i < end; i++) {
        dpl__pstable_quantise(codes, p->width, p->y + i * p->n);
        for (unsigned c = 0; c < l; c++)
            p->words[(size_t)c * p->rows.n_rows + i] = p->is_empty[i] ? DPL_NO_CODE : codes[c];
    }
}

static void projected_clear(projected *p, dpl_ctx *ctx)
{
    dpl__free(ctx, p->y, p->is_empty);
    dpl__hash_rows_clear(&p->rows);
}

static dpl_status project(projected *p, dpl_ctx *ctx, const dpl_hash *hash,
                          const dpl_hash_input *input, dpl_error *err)
{
    *p = (projected){.hash = hash, .n = dpl__pstable_n(hash)};
    DPL_TRY(dpl__hash_rows_init(&p->rows, ctx, hash, input, err));
    if (p->rows.n_rows * p->n * sizeof *p->y > ctx->memory / 4)
        return DPL_OK;
    p->y = dpl__alloc(ctx, p->rows.n_rows * p->n * sizeof *p->y);
    p->is_empty = dpl__alloc(ctx, p->rows.n_rows * sizeof *p->is_empty);
    DPL_TRY(dpl__need(p->y && p->is_empty, err));
    return dpl__parallel_for(ctx, n_blocks(p), p, project_block, err);
}

/* As dpl__lab_hashed_new does, from the projections. */
static dpl_status hash_projected(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                                 projected *p, const dpl_hash_options *options, dpl_error *err)
{
    *out = (dpl__lab_hashed){.options = *options,
                             .n_words = (size_t)p->rows.n_rows * options->codes};
    dpl_status status;
    DPL__STEP(dpl_hash_new(&out->hash, lab->ctx, &out->options, NULL, err));
    out->words = dpl__alloc(lab->ctx, out->n_words * sizeof *out->words);
    DPL__STEP(dpl__need(out->words, err));
    p->width = out->hash;
    p->words = out->words;
    DPL__STEP(dpl__parallel_each(lab->ctx, n_blocks(p), p, quantise_block, err));
    DPL__STEP(dpl_codes_from_buffer(&out->codes, lab->ctx, out->words, p->rows.n_rows,
                                    options->codes, err));
    DPL__STEP(look_up(out, lab->ctx, asked, err));
done:
    if (status != DPL_OK)
        dpl__lab_hashed_clear(out, lab->ctx);
    return status;
}

static dpl_status try_widths(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                             const dpl__lab_goal *goal, projected *p, dpl_error *err)
{
    dpl_hash_options o = goal->options;
    const double wanted = goal->size;
    enum { STEPS = 24 };
    const double near = 0.03; /* relative difference that is good enough */
    double width[2] = {1e-6, 100}, size[2] = {0, 0};
    dpl__lab_hashed at = {0};
    for (int step = 0; step < STEPS; step++) {
        o.width = step == 0 && goal->near > 0 ? goal->near : between(width, size, wanted);
        DPL_TRY(p->y ? hash_projected(&at, lab, asked, p, &o, err)
                     : dpl__lab_hashed_new(&at, lab, asked, &o, err));
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

static dpl_status by_width(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                           const dpl__lab_goal *goal, dpl_error *err)
{
    const dpl_hash_input input = input_of(asked);
    dpl_hash *hash = NULL;
    projected p = {0};
    dpl_status status;
    DPL__STEP(dpl_hash_new(&hash, lab->ctx, &goal->options, NULL, err));
    DPL__STEP(project(&p, lab->ctx, hash, &input, err));
    DPL__STEP(try_widths(out, lab, asked, goal, &p, err));
done:
    projected_clear(&p, lab->ctx);
    dpl_hash_free(hash);
    return status;
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
