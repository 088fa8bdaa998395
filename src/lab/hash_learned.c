/*
 * hash_learned.c - projections that are learned (Stein 2007, Remark 5 and its open question;
 * named as future work by Ture, Elsayed and Lin 2011, too).
 *
 * In: 2,000 documents to learn from, 2,000 others to be asked: drawn ones, and compiled ones of
 * the other half of the collection. Out: precision at equal size by threshold, of embeddings of
 * the asked documents themselves (closed), of projections learned from the others (open), and
 * of what is not learned: prefix classes and Gaussian projections. As numbers, and as bits:
 * signs of the same numbers, of svd also after a random rotation.
 */
#include "lab/experiments.h"
#include "lab/hashing.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "lab/synth_parts.h"

#include <math.h>
#include <stdio.h>

static const double thresholds[] = {0.3, 0.5, 0.7, 0.8, 0.9};
enum { THRESHOLDS = DPL_LEN(thresholds), AT_03 = 0, AT_08 = 3, FEW = 50, BITS = 128 };

/* Whether the similarity of two rows is the scalar product, the cosine, or that of signs. */
typedef enum measure_kind { PRODUCT, COSINE, SIGNS, ROTATED } measure_kind;

static const struct way {
    const char *name;
    dpl_embed_method method;
    unsigned dims;
    bool is_open; /* learned from other documents */
    measure_kind kind;
} ways[] = {
    {"svd, closed", DPL_EMBED_SVD, FEW, false, COSINE},
    {"svd, learned", DPL_EMBED_SVD, FEW, true, COSINE},
    {"optimum, closed", DPL_EMBED_OPTIMUM, FEW, false, PRODUCT},
    {"optimum, learned", DPL_EMBED_OPTIMUM, FEW, true, PRODUCT},
    {"prefix classes", DPL_EMBED_FUZZY, FEW, true, COSINE},
    {"Gaussian", DPL_EMBED_PSTABLE, FEW, true, COSINE},
    {"Gaussian, bits", DPL_EMBED_PSTABLE, BITS, true, SIGNS},
    {"svd, learned, bits", DPL_EMBED_SVD, BITS, true, SIGNS},
    {"svd, learned, rotated bits", DPL_EMBED_SVD, BITS, true, ROTATED},
};
enum {
    WAYS = DPL_LEN(ways),
    SVD_OPEN = 1,
    OPTIMUM_CLOSED,
    OPTIMUM_OPEN,
    GAUSSIAN = 5,
    GAUSSIAN_BITS,
    SVD_BITS,
    ROTATED_BITS
};

typedef struct learned {
    dpl__lab *lab;
    dpl_vectors *asked;
    dpl_embedding **open; /* by method, of the documents to learn from */
    float *cosines, *similarities, *values;
    uint32_t *ranked;
    uint32_t n;
    size_t n_pairs;
    double precision[WAYS][THRESHOLDS];
    uint64_t n_above[THRESHOLDS];
} learned;

/* ---- similarities ------------------------------------------------------------------------ */

/* Rows times a matrix of independent Gaussian numbers: a random rotation but for lengths. */
static dpl_status rotate(learned *l, unsigned dims, dpl_error *err)
{
    float(*by)[BITS] = dpl__arena_alloc(&l->lab->arena, BITS * sizeof *by);
    dpl__rng rng = {dpl__mix(l->lab->ctx->seed)};
    assert(dims <= BITS);
    DPL_TRY(dpl__need(by, err));
    for (unsigned i = 0; i < dims; i++)
        for (unsigned k = 0; k < dims; k++) {
            double two[2];
            dpl__rng_normal(&rng, two);
            by[i][k] = (float)two[0];
        }
    for (uint32_t row = 0; row < l->n; row++) {
        float *y = l->values + (size_t)row * dims, turned[BITS] = {0};
        for (unsigned i = 0; i < dims; i++)
            for (unsigned k = 0; k < dims; k++)
                turned[k] += y[i] * by[i][k];
        memcpy(y, turned, dims * sizeof *y);
    }
    return DPL_OK;
}

/* Rows become such that their scalar product is the similarity. */
static void prepare(float *values, uint32_t n, unsigned dims, measure_kind kind)
{
    for (uint32_t row = 0; row < n; row++) {
        float *y = values + (size_t)row * dims;
        double squares = 0;
        for (unsigned d = 0; d < dims; d++) {
            if (kind >= SIGNS)
                y[d] = y[d] < 0 ? -1 : 1;
            squares += (double)y[d] * (double)y[d];
        }
        const float scale = kind != PRODUCT && squares > 0 ? (float)(1 / sqrt(squares)) : 1;
        for (unsigned d = 0; d < dims; d++)
            y[d] *= scale;
    }
}

static void compare_all(learned *l, unsigned dims)
{
    float *out = l->similarities;
    for (uint32_t i = 0; i < l->n; i++)
        for (uint32_t j = i + 1; j < l->n; j++) {
            const float *x = l->values + (size_t)i * dims, *y = l->values + (size_t)j * dims;
            float sum = 0;
            for (unsigned d = 0; d < dims; d++)
                sum += x[d] * y[d];
            *out++ = sum;
        }
}

static dpl_status embed(dpl_embedding **out, dpl__lab *lab, const dpl_vectors *rows,
                        dpl_embed_method method, dpl_error *err)
{
    const bool is_long = method == DPL_EMBED_SVD || method == DPL_EMBED_PSTABLE;
    const dpl_embed_options o =
        DPL_INIT(dpl_embed_options, .embedding = method, .dims = is_long ? BITS : FEW);
    return dpl__lab_embed(out, lab, rows, o, err);
}

/* Rows of the first so many of all dimensions. */
static void cut_dims(float *values, uint32_t n, unsigned all, unsigned dims)
{
    for (uint32_t row = 0; row < n; row++)
        memmove(values + (size_t)row * dims, values + (size_t)row * all, dims * sizeof *values);
}

static dpl_status fill_values(learned *l, const struct way *way, unsigned *dims, dpl_error *err)
{
    dpl_embedding *own = NULL;
    dpl_status status;
    if (!way->is_open)
        DPL_TRY(embed(&own, l->lab, l->asked, way->method, err));
    const dpl_embedding *e = own ? own : l->open[way->method];
    const unsigned all = dpl_embedding_dims(e);
    if (own)
        memcpy(l->values, dpl_embedding_values(e), (size_t)l->n * all * sizeof *l->values);
    status = own ? DPL_OK : dpl_embedding_project(l->values, l->lab->ctx, e, l->asked, err);
    *dims = (unsigned)dpl__min(way->dims, all);
    cut_dims(l->values, l->n, all, *dims);
    dpl_embedding_free(own);
    return status;
}

static dpl_status measure_way(learned *l, size_t w, dpl_error *err)
{
    dpl__lab *lab = l->lab;
    const struct way *way = &ways[w];
    unsigned dims = 0;
    DPL_TRY(fill_values(l, way, &dims, err));
    if (way->kind == ROTATED)
        DPL_TRY(rotate(l, dims, err));
    prepare(l->values, l->n, dims, way->kind);
    compare_all(l, dims);
    for (size_t t = 0; t < THRESHOLDS; t++) {
        uint64_t n_within;
        DPL_TRY(dpl__lab_rank(l->ranked, lab->ctx, l->similarities, l->n_pairs, l->n_above[t],
                              err));
        const uint64_t n_equal =
            dpl__lab_equal_size(&n_within, l->cosines, l->ranked, l->n_pairs, thresholds[t], 2);
        l->precision[w][t] = n_within ? (double)n_equal / (double)n_within : 0;
    }
    return DPL_OK;
}

/* ---- the experiment ---------------------------------------------------------------------- */

static dpl_status begin(learned *l, dpl__lab_draw_kind kind, dpl_error *err)
{
    dpl__lab *lab = l->lab;
    DPL_TRY(dpl__lab_hash_draw(&l->asked, lab, kind, 1, err));
    DPL_TRY(dpl__lab_cosines(&l->cosines, lab, l->asked, err));
    l->n = dpl_vectors_get_sizes(l->asked)->n_rows;
    l->n_pairs = dpl__lab_n_pairs(l->n);
    l->ranked = dpl__arena_alloc(&lab->arena, (l->n_pairs + 1) * sizeof *l->ranked);
    l->similarities = dpl__arena_alloc(&lab->arena, (l->n_pairs + 1) * sizeof *l->similarities);
    l->values = dpl__arena_alloc(&lab->arena, ((size_t)l->n * BITS + 1) * sizeof *l->values);
    for (size_t t = 0; t < THRESHOLDS; t++)
        l->n_above[t] = dpl__lab_n_within(l->cosines, l->n_pairs, thresholds[t], 2);
    return dpl__need(l->ranked && l->similarities && l->values, err);
}

static void put(const learned *l, dpl__lab_table *table, const char *documents)
{
    for (size_t w = 0; w < WAYS; w++)
        for (size_t t = 0; t < THRESHOLDS; t++) {
            dpl__lab_text(table, "%s, %s", documents, ways[w].name);
            dpl__lab_number(table, thresholds[t], 1);
            if (l->n_above[t])
                dpl__lab_number(table, l->precision[w][t], 4);
            else
                dpl__lab_none(table);
            dpl__lab_count(table, l->n_above[t]);
        }
    dpl__lab_find(l->lab,
                  "%s documents, precision at equal size at 0.8: optimum %.3f closed, %.3f "
                  "learned from others, Gaussian projections %.3f, svd learned %.3f",
                  documents, l->precision[OPTIMUM_CLOSED][AT_08],
                  l->precision[OPTIMUM_OPEN][AT_08], l->precision[GAUSSIAN][AT_08],
                  l->precision[SVD_OPEN][AT_08]);
    dpl__lab_find(l->lab,
                  "%s documents, %d bits, precision at equal size at 0.3 and 0.8: random "
                  "hyperplanes %.3f and %.3f, signs of a learned projection %.3f and %.3f, "
                  "rotated %.3f and %.3f",
                  documents, (int)BITS, l->precision[GAUSSIAN_BITS][AT_03],
                  l->precision[GAUSSIAN_BITS][AT_08], l->precision[SVD_BITS][AT_03],
                  l->precision[SVD_BITS][AT_08], l->precision[ROTATED_BITS][AT_03],
                  l->precision[ROTATED_BITS][AT_08]);
}

static void draw(dpl__lab *lab, const dpl__lab_table *table, const char *documents)
{
    dpl__lab_curve curves[WAYS];
    char rows[WAYS][80];
    for (size_t w = 0; w < WAYS; w++) {
        snprintf(rows[w], sizeof rows[w], "%s, %s", documents, ways[w].name);
        curves[w] = (dpl__lab_curve){.title = ways[w].name,
                                     .rows = rows[w],
                                     .x = 2,
                                     .y = 3,
                                     .style = ways[w].kind >= SIGNS ? DPL_LAB_DASHED
                                                                    : DPL_LAB_LINES_POINTS};
    }
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = table,
                                        .more = documents,
                                        .title = "Learned projections, compiled documents",
                                        .x_label = "similarity threshold",
                                        .y_label = "precision at equal size",
                                        .y_min = 0,
                                        .y_max = 1.02,
                                        .legend = "outside right top",
                                        .curves = curves,
                                        .n_curves = WAYS});
}

static dpl_status run(dpl__lab *lab, dpl__lab_table *table, dpl_embedding **open,
                      dpl__lab_draw_kind kind, dpl_error *err)
{
    learned l = {.lab = lab, .open = open};
    dpl_status status = begin(&l, kind, err);
    for (size_t w = 0; w < WAYS && status == DPL_OK; w++) {
        status = dpl__lab_progress(lab, (uint64_t)kind * WAYS + w, 2 * WAYS, err);
        if (status == DPL_OK)
            status = measure_way(&l, w, err);
    }
    if (status == DPL_OK)
        put(&l, table, dpl__lab_draw_name(kind));
    dpl_vectors_close(l.asked);
    return status;
}

dpl_status dpl__lab_hash_learned(dpl__lab *lab, dpl_error *err)
{
    dpl__lab_table *table = dpl__lab_table_new(
        lab, NULL, "documents, embedding\tthreshold\tprecision at equal size\tpairs above");
    dpl_vectors *from = NULL;
    dpl_embedding *open[DPL_EMBED_PSTABLE + 1] = {NULL};
    dpl_status status;
    DPL__STEP(dpl__lab_hash_draw(&from, lab, DPL_LAB_DRAWN, 0, err));
    for (int method = 0; method <= DPL_EMBED_PSTABLE; method++)
        DPL__STEP(embed(&open[method], lab, from, (dpl_embed_method)method, err));
    DPL__STEP(run(lab, table, open, DPL_LAB_DRAWN, err));
    status = run(lab, table, open, DPL_LAB_COMPILED, err);
done:
    for (int method = 0; method <= DPL_EMBED_PSTABLE; method++)
        dpl_embedding_free(open[method]);
    dpl_vectors_close(from);
    DPL_TRY(status);
    dpl__lab_note(lab,
                  "%d dimensions, %d bits; learned: from drawn documents that are not among "
                  "those asked, new ones by the paper's projection P; optimum for 0.8; svd "
                  "compared by the cosine",
                  (int)FEW, (int)BITS);
    draw(lab, table, "compiled");
    return dpl__lab_status(lab, err);
}
