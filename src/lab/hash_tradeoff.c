/*
 * hash_tradeoff.c - the trade-off of the upper and the lower threshold of the threshold-optimum
 * embedding (Stein 2007, section 3.3; its analysis is named as future work).
 *
 * In: 2,000 compiled documents, drawn ones have too few similar pairs. Out: for upper
 * thresholds, lower ones and numbers of dimensions the error of the embedding step (what the
 * dimensions miss of the thresholded matrix), precision at equal size, and F1 of the encoding
 * step, similar above 0.5. Cost: a dense decomposition of each pair of thresholds.
 */
#include "lab/embed_matrix.h"
#include "lab/experiments.h"
#include "lab/hashing.h"

#include "base/maths.h"

#include <math.h>
#include <stdio.h>

static const double uppers[] = {0.7, 0.8, 0.9};
static const double lowers[] = {0.02, 0.1, 0.3, 0.5};
static const unsigned dims[] = {10, 25, 50, 200};
enum { UPPERS = DPL_LEN(uppers), LOWERS = DPL_LEN(lowers), DIMS = DPL_LEN(dims) };

/* Measures of one embedding. */
typedef struct cell {
    double error, precision, f1;
} cell;

typedef struct tradeoff {
    dpl__lab *lab;
    dpl_vectors *rows;
    float *cosines, *similarities;
    uint32_t *ranked;
    size_t n_pairs;
    cell cells[UPPERS][LOWERS][DIMS];
} tradeoff;

static dpl_status begin(tradeoff *t, dpl__lab_draw_kind kind, dpl_error *err)
{
    dpl__lab *lab = t->lab;
    DPL_TRY(dpl__lab_hash_draw(&t->rows, lab, kind, 0, err));
    DPL_TRY(dpl__lab_cosines(&t->cosines, lab, t->rows, err));
    t->n_pairs = dpl__lab_n_pairs(dpl_vectors_get_sizes(t->rows)->n_rows);
    t->ranked = dpl__arena_alloc(&lab->arena, (t->n_pairs + 1) * sizeof *t->ranked);
    t->similarities = dpl__arena_alloc(&lab->arena, (t->n_pairs + 1) * sizeof *t->similarities);
    return dpl__need(t->ranked && t->similarities, err);
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double square(double x)
{
    return x * x;
}

/* What the first dimensions miss of the thresholded matrix, over its squares. */
static double error_of(const tradeoff *t, const dpl_embedding *e, unsigned n_dims, double upper,
                       double lower)
{
    const unsigned n_rows = dpl_embedding_n_rows(e);
    const double one = dpl__embed_step(1, upper, lower);
    double missed = 0, squares = n_rows * square(one);
    for (uint32_t row = 0; row < n_rows; row++) {
        const float *y = dpl_embedding_values(e) + (size_t)row * dpl_embedding_dims(e);
        double own = 0;
        for (unsigned d = 0; d < n_dims; d++)
            own += square((double)y[d]);
        missed += square(one - own);
    }
    for (size_t i = 0; i < t->n_pairs; i++) {
        const double want = dpl__embed_step((double)t->cosines[i], upper, lower);
        missed += 2 * square(want - (double)t->similarities[i]);
        squares += 2 * square(want);
    }
    return ratio(missed, squares);
}

/* Of the similarities in t. */
static dpl_status measure(cell *out, tradeoff *t, double upper, dpl_error *err)
{
    const uint64_t n_above = dpl__lab_n_within(t->cosines, t->n_pairs, upper, 2);
    uint64_t n_within, n_returned = 0, n_both = 0;
    for (size_t i = 0; i < t->n_pairs; i++) {
        const bool is_returned = (double)t->similarities[i] > 0.5;
        n_returned += is_returned;
        n_both += is_returned && (double)t->cosines[i] > upper;
    }
    DPL_TRY(dpl__lab_rank(t->ranked, t->lab->ctx, t->similarities, t->n_pairs, n_above, err));
    const uint64_t n_equal =
        dpl__lab_equal_size(&n_within, t->cosines, t->ranked, t->n_pairs, upper, 1);
    out->precision = ratio((double)n_equal, (double)n_within);
    out->f1 = ratio(2 * (double)n_both, (double)(n_returned + n_above));
    return DPL_OK;
}

static dpl_status measure_thresholds(tradeoff *t, size_t u, size_t l, dpl_error *err)
{
    const dpl_embed_options o = DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_OPTIMUM,
                                         .optimum_threshold = uppers[u],
                                         .optimum_floor = lowers[l], .dims = dims[DIMS - 1]);
    dpl_embedding *e = NULL;
    DPL_TRY(dpl__lab_embed(&e, t->lab, t->rows, o, err));
    dpl_status status = DPL_OK;
    for (size_t d = 0; d < DIMS && status == DPL_OK; d++) {
        const unsigned n_dims = (unsigned)dpl__min(dims[d], dpl_embedding_dims(e));
        dpl__lab_similarities(t->similarities, e, n_dims, false);
        status = measure(&t->cells[u][l][d], t, uppers[u], err);
        t->cells[u][l][d].error = error_of(t, e, n_dims, uppers[u], lowers[l]);
    }
    dpl_embedding_free(e);
    return status;
}

/* ---- tables and pictures ----------------------------------------------------------------- */

static void put(const tradeoff *t, dpl__lab_table *table, const char *documents)
{
    for (size_t u = 0; u < UPPERS; u++)
        for (size_t d = 0; d < DIMS; d++)
            for (size_t l = 0; l < LOWERS; l++) {
                const cell *c = &t->cells[u][l][d];
                dpl__lab_text(table, "%s, %g, %u", documents, uppers[u], dims[d]);
                dpl__lab_number(table, lowers[l], 2);
                dpl__lab_number(table, c->error, 4);
                dpl__lab_number(table, c->precision, 4);
                dpl__lab_number(table, c->f1, 4);
            }
}

static void find(const tradeoff *t, const char *documents)
{
    enum { AT = 1, FEW = 1, LOW = 1, HIGH = 3 }; /* 0.8; 25 dimensions; 0.1; 0.5 */
    const cell *low = &t->cells[AT][LOW][FEW], *high = &t->cells[AT][HIGH][FEW];
    dpl__lab_find(t->lab,
                  "%s documents, 0.8, 25 dimensions: from a lower threshold of 0.1 to 0.5 the "
                  "error of the embedding changes from %.3f to %.3f, precision at equal size "
                  "from %.3f to %.3f, F1 of the cut at 0.5 from %.3f to %.3f",
                  documents, low->error, high->error, low->precision, high->precision, low->f1,
                  high->f1);
}

static void draw(dpl__lab *lab, const dpl__lab_table *table, const char *documents,
                 unsigned column, const char *more, const char *label)
{
    dpl__lab_curve curves[DIMS];
    char rows[DIMS][60], titles[DIMS][40], name[60];
    for (size_t d = 0; d < DIMS; d++) {
        snprintf(rows[d], sizeof rows[d], "%s, 0.8, %u", documents, dims[d]);
        snprintf(titles[d], sizeof titles[d], "%u dimensions", dims[d]);
        curves[d] = (dpl__lab_curve){.title = titles[d], .rows = rows[d], .x = 2, .y = column};
    }
    snprintf(name, sizeof name, "%s-%s", documents, more);
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = table,
                                        .more = name,
                                        .title = "Threshold-optimum embedding at 0.8",
                                        .x_label = "lower threshold",
                                        .y_label = label,
                                        .y_min = 0,
                                        .y_max = 1.02,
                                        .legend = "outside right top",
                                        .curves = curves,
                                        .n_curves = DIMS});
}

static dpl_status run(dpl__lab *lab, dpl__lab_table *table, dpl__lab_draw_kind kind,
                      dpl_error *err)
{
    tradeoff t = {.lab = lab};
    dpl_status status = begin(&t, kind, err);
    for (size_t u = 0; u < UPPERS && status == DPL_OK; u++)
        for (size_t l = 0; l < LOWERS && status == DPL_OK; l++) {
            status = dpl__lab_progress(lab, u * LOWERS + l, UPPERS * LOWERS, err);
            if (status == DPL_OK)
                status = measure_thresholds(&t, u, l, err);
        }
    if (status == DPL_OK) {
        put(&t, table, dpl__lab_draw_name(kind));
        find(&t, dpl__lab_draw_name(kind));
    }
    dpl_vectors_close(t.rows);
    return status;
}

dpl_status dpl__lab_hash_tradeoff(dpl__lab *lab, dpl_error *err)
{
    dpl__lab_table *table = dpl__lab_table_new(
        lab, NULL,
        "documents, upper threshold, dimensions\tlower threshold\terror of the embedding\t"
        "precision at equal size\tF1 of the cut at 0.5");
    DPL_TRY(run(lab, table, DPL_LAB_COMPILED, err));
    dpl__lab_note(lab,
                  "error: squares of what the dimensions miss of the thresholded "
                  "similarities of all pairs, over the squares of these; precision at "
                  "equal size: of as many pairs with the highest similarities as there are "
                  "above the upper threshold");
    draw(lab, table, "compiled", 3, "error", "error of the embedding");
    draw(lab, table, "compiled", 5, "f1", "F1 of the cut at 0.5");
    return dpl__lab_status(lab, err);
}
