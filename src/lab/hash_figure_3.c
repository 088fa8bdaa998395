/*
 * hash_figure_3.c - stress of embeddings against the threshold (Stein 2007, Figure 3).
 *
 * 2,000 documents are embedded in 50 dimensions; precision stress and recall stress are taken
 * at thresholds from 0.05 to 0.95. The paper draws svd, fuzzy-fingerprints and LSH; the
 * threshold-optimum embedding is beside them. The same with documents that have similar ones
 * ("specially compiled corpora") is in the table. Cost: two dense decompositions each.
 */
#include "lab/experiments.h"
#include "lab/hashing.h"

enum { DIMS = 50, POINTS = 19, WAYS = 5 };

static const struct way {
    const char *name;
    dpl_embed_options options;
} ways[WAYS] = {
    {"svd", DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_SVD, .dims = DIMS)},
    {"svd, cosine",
     DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_SVD, .dims = DIMS, .cosine = true)},
    {"fuzzy", DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_FUZZY, .dims = DIMS)},
    {"pstable", DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_PSTABLE, .dims = DIMS)},
    {"optimum", DPL_INIT(dpl_embed_options, .embedding = DPL_EMBED_OPTIMUM, .dims = DIMS)},
};
enum { SVD = 0, SVD_COSINE, FUZZY, PSTABLE, OPTIMUM };

/* A stress over no pairs is 0: nothing was returned, and nothing is known. */
static void put_stress(dpl__lab_table *t, double stress)
{
    if (stress > 0)
        dpl__lab_text(t, "%.6g", stress);
    else
        dpl__lab_none(t);
}

static void put_points(dpl__lab_table *t, const char *name, const char *documents,
                       const dpl_stress_point *points)
{
    for (size_t i = 0; i < POINTS; i++) {
        const dpl_stress_point *p = &points[i];
        if (strcmp(documents, "drawn") == 0)
            dpl__lab_text(t, "%s", name);
        else
            dpl__lab_text(t, "%s (%s)", name, documents);
        dpl__lab_text(t, "%s", documents);
        dpl__lab_number(t, p->threshold, 2);
        put_stress(t, p->precision_stress);
        put_stress(t, p->recall_stress);
        dpl__lab_count(t, p->n_true);
        dpl__lab_count(t, p->n_returned);
        dpl__lab_number(t, p->precision, 4);
        dpl__lab_number(t, p->recall, 4);
    }
}

static dpl_status measure(dpl_stress_point *points, dpl__lab *lab, const dpl_vectors *rows,
                          const dpl_embed_options *options, dpl_error *err)
{
    dpl_embedding *e = NULL;
    DPL_TRY(dpl__lab_embed(&e, lab, rows, *options, err));
    for (size_t i = 0; i < POINTS; i++)
        points[i] = (dpl_stress_point){.threshold = 0.05 * (double)(i + 1)};
    const dpl_stress_input in = DPL_INIT(dpl_stress_input, .vectors = rows, .embedding = e);
    const dpl_status status = dpl_eval_stress_run(points, POINTS, lab->ctx, &in, err);
    dpl_embedding_free(e);
    return status;
}

/* ---- what is found ---------------------------------------------------------------------- */

static double stress_of(const dpl_stress_point *p, bool is_precision)
{
    return is_precision ? p->precision_stress : p->recall_stress;
}

/* The lowest threshold from which on a's stress is not above b's, as far as both are known; 2
 * when it is above at the last one. */
static double passes_at(const dpl_stress_point *a, const dpl_stress_point *b, bool is_precision)
{
    double at = 2;
    for (size_t i = POINTS; i-- > 0;) {
        const double x = stress_of(&a[i], is_precision), y = stress_of(&b[i], is_precision);
        if (x <= 0 || y <= 0)
            continue;
        if (x > y)
            break;
        at = a[i].threshold;
    }
    return at;
}

static void find_passing(dpl__lab *lab, const char *documents, const char *base,
                         const dpl_stress_point *fuzzy, const dpl_stress_point *svd)
{
    for (int k = 0; k < 2; k++) {
        const double at = passes_at(fuzzy, svd, k == 0);
        const char *kind = k == 0 ? "precision" : "recall";
        if (at <= 1)
            dpl__lab_find(lab,
                          "%s documents: fuzzy-fingerprints have less %s stress than %s "
                          "from a threshold of %.2f on",
                          documents, kind, base, at);
        else
            dpl__lab_find(lab,
                          "%s documents: %s has less %s stress than fuzzy-fingerprints "
                          "up to the highest threshold at which it returns anything",
                          documents, base, kind);
    }
}

static void find_worse(dpl__lab *lab, const char *documents, const dpl_stress_point *fuzzy,
                       const dpl_stress_point *lsh)
{
    unsigned worse = 0, of = 0;
    for (size_t i = 0; i < POINTS; i++)
        for (int k = 0; k < 2; k++) {
            const double x = stress_of(&lsh[i], k == 0), y = stress_of(&fuzzy[i], k == 0);
            of += x > 0 && y > 0;
            worse += x > 0 && y > 0 && x > y;
        }
    dpl__lab_find(lab,
                  "%s documents: LSH (pstable) has more stress than fuzzy-fingerprints in "
                  "%u of %u values; the paper: \"consistently worse\"",
                  documents, worse, of);
}

/* ---- the pictures ------------------------------------------------------------------- */

static void draw(dpl__lab *lab, const dpl__lab_table *t)
{
    for (unsigned k = 0; k < 2; k++) {
        const unsigned y = k == 0 ? 4 : 5;
        const dpl__lab_curve curves[] = {
            {.title = "svd (scalar product)", .rows = "svd", .x = 3, .y = y},
            {.title = "svd (cosine)", .rows = "svd, cosine", .x = 3, .y = y},
            {.title = "fuzzy-fingerprints", .rows = "fuzzy", .x = 3, .y = y},
            {.title = "LSH (pstable)", .rows = "pstable", .x = 3, .y = y},
            {.title = "threshold-optimum at 0.8", .rows = "optimum", .x = 3, .y = y},
        };
        dpl__lab_draw(lab, &(dpl__lab_plot){
                               .table = t,
                               .more = k == 0 ? "precision" : "recall",
                               .title = k == 0 ? "Precision stress of 50 dimensions"
                                               : "Recall stress of 50 dimensions",
                               .x_label = "similarity threshold",
                               .y_label = k == 0 ? "precision stress (lower is better)"
                                                 : "recall stress (lower is better)",
                               .x_min = 0,
                               .x_max = 1,
                               .y_log = true,
                               .legend = "bottom left",
                               .curves = curves,
                               .n_curves = DPL_LEN(curves),
                           });
    }
}

dpl_status dpl__lab_hash_figure_3(dpl__lab *lab, dpl_error *err)
{
    dpl__lab_table *t = dpl__lab_table_new(
        lab, NULL,
        "embedding\tdocuments\tthreshold\tprecision stress\trecall stress\tpairs above\t"
        "pairs returned\tprecision\trecall");
    for (int kind = DPL_LAB_DRAWN; kind <= DPL_LAB_COMPILED; kind++) {
        const char *documents = dpl__lab_draw_name((dpl__lab_draw_kind)kind);
        dpl_stress_point points[WAYS][POINTS];
        dpl_vectors *rows = NULL;
        DPL_TRY(dpl__lab_hash_draw(&rows, lab, (dpl__lab_draw_kind)kind, 0, err));
        dpl_status status = DPL_OK;
        for (size_t i = 0; i < WAYS && status == DPL_OK; i++) {
            status = dpl__lab_progress(lab, (uint64_t)kind * WAYS + i, 2 * WAYS, err);
            if (status == DPL_OK)
                status = measure(points[i], lab, rows, &ways[i].options, err);
            if (status == DPL_OK)
                put_points(t, ways[i].name, documents, points[i]);
        }
        if (status == DPL_OK)
            dpl__lab_note(lab, "%s: %u documents", documents,
                          dpl_vectors_get_sizes(rows)->n_rows);
        dpl_vectors_close(rows);
        DPL_TRY(status);
        find_passing(lab, documents, "svd", points[FUZZY], points[SVD]);
        find_passing(lab, documents, "svd compared by the cosine", points[FUZZY],
                     points[SVD_COSINE]);
        find_worse(lab, documents, points[FUZZY], points[PSTABLE]);
    }
    dpl__lab_note(
        lab,
        "drawn documents are a random sample of one half of the collection; compiled ones are "
        "those of the other half with the most similar nearest neighbour (hash-figure-4)");
    dpl__lab_note(lab,
                  "BM25 vectors, %d dimensions; svd by the scalar product, which minimises "
                  "the error, and by the cosine; nothing is drawn where an embedding "
                  "returns no pair",
                  DIMS);
    draw(lab, t);
    return dpl__lab_status(lab, err);
}
