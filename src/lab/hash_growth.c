/*
 * hash_growth.c - how the results of a query grow with the collection (Stein 2007, section 4:
 * "a sublinear increase of the result set size").
 *
 * In: a collection. Out: for six sizes of it the mean number of results of a query, of hash
 * functions with fixed parameters (ten results in the whole collection) and of perfect ones
 * (all documents at or above a cosine), and the power of the size that they grow with. The
 * collection grows at random, where the power is 1 by construction, and in the order of its
 * documents, which of news is that of time. Queries are documents of the smallest size. The
 * seed draws the random order, and where the other one begins.
 */
#include "lab/experiments.h"
#include "lab/hash_equal.h"

#include "base/ctx.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 6, MOST_QUERIES = 500 };
enum { AT_RANDOM = 0, IN_ORDER, ORDERS };
static const char *const orders[ORDERS] = {"at random", "in order"};
static const double results_wanted = 10;
static const double cosines[] = {0.3, 0.5, 0.8};

static const struct function {
    const char *name;
    dpl_hash_options options;
    dpl__lab_knob knob;
} functions[] = {
    {"fuzzy-fingerprints",
     DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY, .codes = 3, .radix = 2),
     DPL_LAB_BY_LENGTH},
    {"LSH", DPL_INIT(dpl_hash_options, .function = DPL_HASH_PSTABLE, .length = 20, .codes = 20),
     DPL_LAB_BY_WIDTH},
    {"random hyperplanes", DPL_INIT(dpl_hash_options, .function = DPL_HASH_RP, .codes = 20),
     DPL_LAB_BY_LENGTH_AND_NUMBER},
};
enum {
    FUNCTIONS = DPL_LEN(functions),
    COSINES = DPL_LEN(cosines),
    LINES = FUNCTIONS + COSINES
};

typedef struct growth {
    dpl__lab *lab;
    dpl__lab_asked asked;
    uint32_t n_rows, n_docs[SIZES];
    uint32_t *place;               /* of a row: when it comes */
    uint64_t counts[LINES][SIZES]; /* results of all queries */
    double powers[ORDERS][LINES];
} growth;

static const char *name_of(char *out, size_t n, size_t line)
{
    if (line < FUNCTIONS)
        snprintf(out, n, "%s", functions[line].name);
    else
        snprintf(out, n, "cosine %g and more", cosines[line - FUNCTIONS]);
    return out;
}

/* A result counts in all sizes that its row is in. */
static void count(growth *g, size_t line, uint32_t row)
{
    for (size_t i = SIZES; i-- > 0 && g->place[row] < g->n_docs[i];)
        g->counts[line][i]++;
}

/* ---- orders and queries ------------------------------------------------------------------ */

static void set_places(growth *g, unsigned order)
{
    dpl__rng rng = {dpl__mix(g->lab->ctx->seed)};
    const uint32_t start = g->n_rows ? (uint32_t)dpl__rng_below(&rng, g->n_rows) : 0;
    for (uint32_t i = 0; i < g->n_rows; i++) {
        g->place[i] = order == IN_ORDER ? (i + g->n_rows - start) % g->n_rows : i;
        if (order == AT_RANDOM) {
            const uint32_t k = (uint32_t)dpl__rng_below(&rng, i + 1);
            g->place[i] = g->place[k];
            g->place[k] = i;
        }
    }
}

static void set_queries(growth *g, uint32_t *queries)
{
    g->asked.n_queries = 0;
    for (uint32_t i = 0; i < g->n_rows && g->asked.n_queries < MOST_QUERIES; i++)
        if (g->place[i] < g->n_docs[0])
            queries[g->asked.n_queries++] = i;
    g->asked.queries = queries;
}

/* ---- counts ------------------------------------------------------------------------------ */

static dpl_status count_hashed(growth *g, size_t f, dpl_error *err)
{
    dpl__lab_hashed h;
    const dpl__lab_goal goal = {functions[f].options, functions[f].knob, results_wanted, 0};
    DPL_TRY(dpl__lab_equal(&h, g->lab, &g->asked, &goal, err));
    dpl__lab_lookup first = h.lookup;
    first.l = h.options.codes;
    for (size_t q = 0; q < g->asked.n_queries; q++) {
        dpl__lab_lookup_find(&g->asked.found, &first, h.codes, g->asked.queries[q]);
        for (size_t i = 0; i < g->asked.found.n; i++)
            count(g, f, g->asked.found.rows[i]);
    }
    dpl__lab_hashed_clear(&h, g->lab->ctx);
    return DPL_OK;
}

/* Cosines of a query, spread by term, with all rows. */
static void count_linearly(growth *g, uint32_t query, float *spread)
{
    const uint32_t *terms;
    const float *weights;
    const uint64_t *at = dpl_vectors_get_csr(g->asked.vectors, &terms, &weights);
    for (uint64_t t = at[query]; t < at[query + 1]; t++)
        spread[terms[t]] = weights[t];
    for (uint32_t row = 0; row < g->n_rows; row++) {
        double cosine = 0;
        for (uint64_t t = at[row]; t < at[row + 1]; t++)
            cosine += (double)spread[terms[t]] * (double)weights[t];
        for (size_t i = 0; row != query && i < COSINES && cosine >= cosines[i]; i++)
            count(g, FUNCTIONS + i, row);
    }
    for (uint64_t t = at[query]; t < at[query + 1]; t++)
        spread[terms[t]] = 0;
}

static dpl_status count_exact(growth *g, dpl_error *err)
{
    const size_t n = (size_t)dpl_vectors_get_sizes(g->asked.vectors)->n_terms + 1;
    float *spread = dpl__calloc(g->lab->ctx, n, sizeof *spread);
    DPL_TRY(dpl__need(spread, err));
    for (size_t q = 0; q < g->asked.n_queries; q++)
        count_linearly(g, g->asked.queries[q], spread);
    dpl__free(g->lab->ctx, spread);
    return DPL_OK;
}

/* ---- tables ------------------------------------------------------------------------------ */

static double power_of(const growth *g, size_t line)
{
    double x[SIZES], y[SIZES];
    for (size_t i = 0; i < SIZES; i++) {
        x[i] = g->n_docs[i];
        y[i] = (double)g->counts[line][i];
    }
    return dpl__lab_power(x, y, SIZES);
}

static void put(growth *g, dpl__lab_table *t, unsigned order)
{
    char name[60];
    for (size_t line = 0; line < LINES; line++) {
        g->powers[order][line] = power_of(g, line);
        for (size_t i = 0; i < SIZES; i++) {
            dpl__lab_text(t, "%s, %s", name_of(name, sizeof name, line), orders[order]);
            dpl__lab_count(t, g->n_docs[i]);
            dpl__lab_text(t, "%.4g",
                          (double)g->counts[line][i] /
                              (double)dpl__max(g->asked.n_queries, (size_t)1));
        }
    }
}

static void find(growth *g)
{
    dpl__lab_table *t = dpl__lab_table_new(g->lab, "powers", "results\tat random\tin order");
    char name[60];
    for (size_t line = 0; line < LINES; line++) {
        dpl__lab_text(t, "%s", name_of(name, sizeof name, line));
        dpl__lab_number(t, g->powers[AT_RANDOM][line], 3);
        dpl__lab_number(t, g->powers[IN_ORDER][line], 3);
        dpl__lab_find(g->lab,
                      "%s: results grow with the power %.2f of a collection that grows at "
                      "random, %.2f of one that grows in its order",
                      name, g->powers[AT_RANDOM][line], g->powers[IN_ORDER][line]);
    }
}

static void draw(dpl__lab *lab, const dpl__lab_table *t)
{
    static const size_t lines[] = {0, 1, LINES - 1}; /* codes, and the highest cosine */
    dpl__lab_curve curves[ORDERS * DPL_LEN(lines)];
    char rows[DPL_LEN(curves)][100], name[60];
    for (size_t i = 0; i < DPL_LEN(curves); i++) {
        const size_t order = i / DPL_LEN(lines), line = i % DPL_LEN(lines);
        snprintf(rows[i], sizeof rows[i], "%s, %s", name_of(name, sizeof name, lines[line]),
                 orders[order]);
        curves[i] = (dpl__lab_curve){.title = rows[i],
                                     .rows = rows[i],
                                     .x = 2,
                                     .y = 3,
                                     .colour = (unsigned)line + 1,
                                     .style = order ? DPL_LAB_LINES_POINTS : DPL_LAB_DASHED};
    }
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .title = "Results of a query",
                                        .x_label = "documents",
                                        .y_label = "results of a query",
                                        .x_log = true,
                                        .y_log = true,
                                        .legend = "top left",
                                        .curves = curves,
                                        .n_curves = DPL_LEN(curves)});
}

/* ---- the experiment ---------------------------------------------------------------------- */

static dpl_status measure(growth *g, uint32_t *queries, dpl__lab_table *t, unsigned order,
                          dpl_error *err)
{
    memset(g->counts, 0, sizeof g->counts);
    set_places(g, order);
    set_queries(g, queries);
    for (size_t f = 0; f < FUNCTIONS; f++) {
        DPL_TRY(dpl__lab_progress(g->lab, order * LINES + f, ORDERS * LINES, err));
        DPL_TRY(count_hashed(g, f, err));
    }
    DPL_TRY(count_exact(g, err));
    put(g, t, order);
    return DPL_OK;
}

dpl_status dpl__lab_hash_growth(dpl__lab *lab, dpl_error *err)
{
    growth g = {.lab = lab};
    dpl__lab_table *t =
        dpl__lab_table_new(lab, NULL, "results, growth\tdocuments\tresults of a query");
    DPL_TRY(dpl__lab_hash_vectors(&g.asked.vectors, lab, err));
    g.n_rows = dpl_vectors_get_sizes(g.asked.vectors)->n_rows;
    for (unsigned i = 0; i < SIZES; i++)
        g.n_docs[i] = g.n_rows >> (SIZES - 1 - i);
    const size_t n_bytes = ((size_t)g.n_rows + 1) * sizeof(uint32_t);
    uint32_t *queries = dpl__arena_alloc(&lab->arena, MOST_QUERIES * sizeof *queries);
    g.place = dpl__arena_alloc(&lab->arena, n_bytes);
    g.asked.found.rows = dpl__arena_alloc(&lab->arena, n_bytes);
    g.asked.found.seen = dpl__arena_alloc(&lab->arena, n_bytes);
    DPL_TRY(dpl__need(queries && g.place && g.asked.found.rows && g.asked.found.seen, err));
    memset(g.asked.found.seen, 0, n_bytes);
    for (unsigned order = 0; order < ORDERS; order++)
        DPL_TRY(measure(&g, queries, t, order, err));
    find(&g);
    dpl__lab_note(lab,
                  "hash functions have the parameters that give %g results of a query in the "
                  "whole collection, the same for all sizes; up to %d queries, all of the "
                  "smallest size. In order: as the documents come, from a random one on",
                  results_wanted, (int)MOST_QUERIES);
    draw(lab, t);
    return dpl__lab_status(lab, err);
}
