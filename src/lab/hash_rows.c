/*
 * hash_rows.c - the documents that the experiments on hashing look at.
 *
 * In: the vectors of a collection. Out: some of its rows as vectors of their own. Rows keep
 * their weights, so that cosines are those of the whole collection.
 */
#include "lab/hashing.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/order.h"

#include <stdlib.h>

enum { DRAWN = 2000, DRAWN_SMALL = 200 };

const char *dpl__lab_draw_name(dpl__lab_draw_kind kind)
{
    return kind == DPL_LAB_COMPILED ? "compiled" : "drawn";
}

dpl_status dpl__lab_hash_vectors(const dpl_vectors **out, dpl__lab *lab, dpl_error *err)
{
    DPL_TRY(dpl__lab_vectors(out, lab, lab->n_inputs > 1, err));
    if (dpl_vectors_get_sizes(*out)->dim)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' needs words; '%s' has dense rows",
                         lab->about->name, dpl_vectors_get_info(*out).path);
    return DPL_OK;
}

/* ---- rows as vectors of their own -------------------------------------------------------- */

/* Terms of all rows and ids of the chosen ones, in the arena. */
static bool name_all(dpl_csr_array *array, dpl__lab *lab, const dpl_vectors *from,
                     const uint32_t *rows)
{
    dpl_str *terms = dpl__arena_alloc(&lab->arena, (array->n_terms + 1) * sizeof *terms);
    dpl_str *ids = dpl__arena_alloc(&lab->arena, (array->n_rows + 1) * sizeof *ids);
    if (!terms || !ids)
        return false;
    for (uint32_t i = 0; i < array->n_terms; i++)
        terms[i] = dpl_vectors_term(from, i);
    for (uint32_t i = 0; i < array->n_rows; i++)
        ids[i] = dpl_vectors_id(from, rows[i]);
    array->term_names = terms;
    array->ids = ids;
    return true;
}

dpl_status dpl__lab_hash_rows(dpl_vectors **out, dpl__lab *lab, const dpl_vectors *from,
                              const uint32_t *rows, uint32_t n, dpl_error *err)
{
    const uint32_t *all_terms;
    const float *all_weights;
    const uint64_t *all = dpl_vectors_get_csr(from, &all_terms, &all_weights);
    uint64_t *offsets = dpl__arena_alloc(&lab->arena, ((size_t)n + 1) * sizeof *offsets);
    DPL_TRY(dpl__need(offsets, err));
    offsets[0] = 0;
    for (uint32_t i = 0; i < n; i++)
        offsets[i + 1] = offsets[i] + (all[rows[i] + 1] - all[rows[i]]);
    uint32_t *terms = dpl__arena_alloc(&lab->arena, (offsets[n] + 1) * sizeof *terms);
    float *weights = dpl__arena_alloc(&lab->arena, (offsets[n] + 1) * sizeof *weights);
    dpl_csr_array array =
        DPL_INIT(dpl_csr_array, .n_rows = n, .offsets = offsets, .terms = terms,
                 .weights = weights, .n_terms = dpl_vectors_get_sizes(from)->n_terms);
    DPL_TRY(dpl__need(terms && weights && name_all(&array, lab, from, rows), err));
    for (uint32_t i = 0; i < n; i++) {
        const size_t n_here = (size_t)(offsets[i + 1] - offsets[i]);
        memcpy(terms + offsets[i], all_terms + all[rows[i]], n_here * sizeof *terms);
        memcpy(weights + offsets[i], all_weights + all[rows[i]], n_here * sizeof *weights);
    }
    return dpl_vectors_from_csr(out, lab->ctx, &array, err);
}

/* ---- which ones -------------------------------------------------------------------------- */

DPL__ORDER(by_score, dpl_scored_row, DPL__FALLING(score) DPL__RISING(row))

DPL__RISING_NUMBERS(by_number, uint32_t)

/* All rows in an order that the seed draws. */
static uint32_t *shuffle(dpl__lab *lab, uint32_t n)
{
    uint32_t *rows = dpl__arena_alloc(&lab->arena, ((size_t)n + 1) * sizeof *rows);
    dpl__rng rng = {dpl__mix(lab->ctx->seed)};
    for (uint32_t i = 0; rows && i < n; i++) {
        const uint32_t k = (uint32_t)dpl__rng_below(&rng, i + 1);
        rows[i] = rows[k];
        rows[k] = i;
    }
    return rows;
}

/* Of n_from rows the n with the most similar nearest neighbour among them, to the front. */
static dpl_status compile(uint32_t *rows, uint32_t n_from, uint32_t n, dpl__lab *lab,
                          const dpl_vectors *v, dpl_error *err)
{
    const dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .k = 1, .temp = lab->scratch);
    dpl_scored_row *all = dpl__arena_alloc(&lab->arena, (n_from + 1) * sizeof *all);
    dpl_vectors *from = NULL;
    dpl_neighbours *nearest = NULL;
    dpl_status status;
    DPL__STEP(dpl__need(all, err));
    DPL__STEP(dpl__lab_hash_rows(&from, lab, v, rows, n_from, err));
    const dpl_pairs_side side = {.vectors = from};
    DPL__STEP(dpl_neighbours_find(&nearest, lab->ctx, &side, NULL, &o, err));
    for (uint32_t i = 0; i < n_from; i++) {
        const dpl_scored_row *best = dpl_neighbours_of(nearest, false, i);
        all[i] = (dpl_scored_row){rows[i], best->row == UINT32_MAX ? 0 : best->score};
    }
    qsort(all, n_from, sizeof *all, by_score);
    for (uint32_t i = 0; i < n; i++)
        rows[i] = all[i].row;
done:
    dpl_neighbours_free(nearest);
    dpl_vectors_close(from);
    return status;
}

dpl_status dpl__lab_hash_draw(dpl_vectors **out, dpl__lab *lab, dpl__lab_draw_kind kind,
                              unsigned draw, dpl_error *err)
{
    const dpl_vectors *v;
    DPL_TRY(dpl__lab_hash_vectors(&v, lab, err));
    const uint32_t n_rows = dpl_vectors_get_sizes(v)->n_rows;
    const uint32_t n = (uint32_t)dpl__min(n_rows, lab->set->small ? DRAWN_SMALL : DRAWN);
    const uint32_t half = n_rows / 2 >= n ? n_rows / 2 : 0;
    uint32_t *rows = shuffle(lab, n_rows);
    DPL_TRY(dpl__need(rows, err));
    if (kind == DPL_LAB_COMPILED) {
        rows += half;
        DPL_TRY(compile(rows, n_rows - half, n, lab, v, err));
    } else if (half && n) {
        rows += (size_t)n * (draw % (half / n));
    }
    qsort(rows, n, sizeof *rows, by_number);
    return dpl__lab_hash_rows(out, lab, v, rows, n, err);
}
