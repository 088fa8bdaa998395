/*
 * hash_table_2.c - precision of embeddings in intervals of the similarity (Stein 2007, Table
 * 2).
 *
 * In: 2,000 documents, several times over. Out: for embeddings of 50 and 25 dimensions and the
 * paper's intervals, precision at equal size (dpl__lab_equal_size), and precision and recall
 * with the cut that the embedding has of its own. optimum is made for the lower end of each
 * interval. The paper does not define its precision. Cost: five dense decompositions of each
 * draw.
 */
#include "lab/experiments.h"
#include "lab/hashing.h"

#include <math.h>
#include <stdio.h>

enum { INTERVALS = 4 };
enum { OPTIMUM = 0, FUZZY, SVD, SVD_COSINE, PSTABLE, WAYS };

static const struct interval {
    double low, high;
    const char *name;
} intervals[INTERVALS] = {{0.8, 0.9, "(0.8; 0.9]"},
                          {0.85, 1, "(0.85; 1.0]"},
                          {0.9, 1, "(0.9; 1.0]"},
                          {0.95, 1, "(0.95; 1.0]"}};

static const struct way {
    const char *name;
    dpl_embed_method method;
    bool is_cosine;
    double paper[2][INTERVALS]; /* of 50 and 25 dimensions; 0: the paper has none */
} ways[WAYS] = {
    {"optimum", DPL_EMBED_OPTIMUM, false, {{0.58, 0.71, 0.84, 0.95}, {0.29, 0.38, 0.51, 0.74}}},
    {"fuzzy", DPL_EMBED_FUZZY, true, {{0.17, 0.45, 0.69, 0.85}, {0.01, 0.02, 0.09, 0.59}}},
    {"svd", DPL_EMBED_SVD, false, {{0.35, 0.45, 0.57, 0.73}, {0.16, 0.22, 0.34, 0.56}}},
    {"svd, cosine", DPL_EMBED_SVD, true, {{0}}},
    {"pstable", DPL_EMBED_PSTABLE, true, {{0}}},
};

static const unsigned dims[2] = {50, 25};

/* Pairs, summed over draws. */
typedef struct tally {
    uint64_t n_within;        /* cosine in the interval */
    uint64_t n_equal;         /* of as many that are returned */
    uint64_t n_returned;      /* above the embedding's cut */
    uint64_t n_above, n_both; /* cosine above the lower end; of these, returned */
} tally;

typedef tally tallies[2][WAYS][INTERVALS]; /* by dims */

/* One draw. */
typedef struct draw {
    dpl_vectors *rows;
    float *cosines, *similarities;
    uint32_t *ranked; /* pairs, by similarity */
    size_t n_pairs;
} draw;

static void put_begin(dpl__lab_table *t, const char *source, const char *way, unsigned n_dims,
                      const char *interval, double low)
{
    dpl__lab_text(t, "%s, %s, %u", source, way, n_dims);
    dpl__lab_text(t, "%s", source);
    dpl__lab_text(t, "%s", way);
    dpl__lab_count(t, n_dims);
    dpl__lab_text(t, "%s", interval);
    dpl__lab_number(t, low, 2);
}

static void put_share(dpl__lab_table *t, double share)
{
    if (isnan(share))
        dpl__lab_none(t);
    else
        dpl__lab_number(t, share, 3);
}

static void put_paper(dpl__lab_table *t, const struct way *w, unsigned k)
{
    for (size_t i = 0; i < INTERVALS && w->paper[k][i] > 0; i++) {
        put_begin(t, "paper", w->name, dims[k], intervals[i].name, intervals[i].low);
        dpl__lab_number(t, w->paper[k][i], 2);
        dpl__lab_none(t);
        dpl__lab_none(t);
        dpl__lab_none(t);
    }
}

static void put_tally(dpl__lab_table *t, const char *source, size_t way, unsigned k, size_t i,
                      const tally *x)
{
    const double nan = NAN;
    put_begin(t, source, ways[way].name, dims[k], intervals[i].name, intervals[i].low);
    put_share(t, x->n_within ? (double)x->n_equal / (double)x->n_within : nan);
    put_share(t, x->n_returned ? (double)x->n_both / (double)x->n_returned : nan);
    put_share(t, x->n_above ? (double)x->n_both / (double)x->n_above : nan);
    dpl__lab_count(t, x->n_within);
}

/* ---- measuring ---------------------------------------------------------------------- */

/* Of the similarities in d. */
static dpl_status add_interval(tally *x, dpl__lab *lab, draw *d, size_t i, double cut,
                               dpl_error *err)
{
    const struct interval *at = &intervals[i];
    const uint64_t n_above = dpl__lab_n_within(d->cosines, d->n_pairs, at->low, 2);
    uint64_t n_within;
    DPL_TRY(dpl__lab_rank(d->ranked, lab->ctx, d->similarities, d->n_pairs, n_above, err));
    x->n_equal +=
        dpl__lab_equal_size(&n_within, d->cosines, d->ranked, d->n_pairs, at->low, at->high);
    x->n_within += n_within;
    x->n_above += n_above;
    for (size_t p = 0; p < d->n_pairs; p++)
        if ((double)d->similarities[p] > cut) {
            x->n_returned++;
            x->n_both += (double)d->cosines[p] > at->low;
        }
    return DPL_OK;
}

/* Which intervals of which embedding are measured, in the first dims[k] dimensions. */
typedef struct place {
    size_t way;
    unsigned k;
    size_t first, last;
} place;

static dpl_status add_intervals(tallies out, dpl__lab *lab, draw *d, const dpl_embedding *e,
                                place at, dpl_error *err)
{
    const unsigned n_dims = (unsigned)dpl__min(dims[at.k], dpl_embedding_dims(e));
    dpl__lab_similarities(d->similarities, e, n_dims, ways[at.way].is_cosine);
    for (size_t i = at.first; i <= at.last; i++)
        DPL_TRY(add_interval(&out[at.k][at.way][i], lab, d, i,
                             dpl_embedding_cut(e, intervals[i].low), err));
    return DPL_OK;
}

/* svd and optimum are decomposed once for both numbers of dimensions, svd for both kinds of
 * similarity, and optimum for each interval. */
static dpl_status add_matrix(tallies out, dpl__lab *lab, draw *d, dpl_error *err)
{
    dpl_status status = DPL_OK;
    for (size_t i = 0; i <= INTERVALS && status == DPL_OK; i++) {
        const bool is_svd = i == INTERVALS;
        dpl_embedding *e = NULL;
        const dpl_embed_options o =
            DPL_INIT(dpl_embed_options, .embedding = is_svd ? DPL_EMBED_SVD : DPL_EMBED_OPTIMUM,
                     .dims = dims[0], .optimum_threshold = is_svd ? 0 : intervals[i].low);
        status = dpl__lab_embed(&e, lab, d->rows, o, err);
        for (unsigned k = 0; k < 2 && status == DPL_OK; k++) {
            if (!is_svd)
                status = add_intervals(out, lab, d, e, (place){OPTIMUM, k, i, i}, err);
            for (size_t way = SVD; is_svd && way <= SVD_COSINE && status == DPL_OK; way++)
                status = add_intervals(out, lab, d, e, (place){way, k, 0, INTERVALS - 1}, err);
        }
        dpl_embedding_free(e);
        if (status == DPL_OK)
            status = dpl__lab_progress(lab, i + 1, INTERVALS + 1, err);
    }
    return status;
}

static dpl_status add_draw(tallies out, dpl__lab *lab, draw *d, dpl_error *err)
{
    static const size_t others[] = {FUZZY, PSTABLE};
    DPL_TRY(add_matrix(out, lab, d, err));
    for (size_t i = 0; i < DPL_LEN(others); i++)
        for (unsigned k = 0; k < 2; k++) {
            dpl_embedding *e = NULL;
            const dpl_embed_options o = DPL_INIT(
                dpl_embed_options, .embedding = ways[others[i]].method, .dims = dims[k]);
            DPL_TRY(dpl__lab_embed(&e, lab, d->rows, o, err));
            const dpl_status status =
                add_intervals(out, lab, d, e, (place){others[i], k, 0, INTERVALS - 1}, err);
            dpl_embedding_free(e);
            DPL_TRY(status);
        }
    return DPL_OK;
}

/* Documents, their cosines, and room for what is measured. */
static dpl_status begin(draw *d, dpl__lab *lab, dpl__lab_draw_kind kind, unsigned number,
                        dpl_error *err)
{
    DPL_TRY(dpl__lab_hash_draw(&d->rows, lab, kind, number, err));
    DPL_TRY(dpl__lab_cosines(&d->cosines, lab, d->rows, err));
    d->n_pairs = dpl__lab_n_pairs(dpl_vectors_get_sizes(d->rows)->n_rows);
    d->ranked = dpl__arena_alloc(&lab->arena, (d->n_pairs + 1) * sizeof *d->ranked);
    d->similarities = dpl__arena_alloc(&lab->arena, (d->n_pairs + 1) * sizeof *d->similarities);
    return dpl__need(d->ranked && d->similarities, err);
}

/* ---- what is found ------------------------------------------------------------------ */

static double equal_of(const tally *x)
{
    return x->n_within ? (double)x->n_equal / (double)x->n_within : NAN;
}

static void find_best(dpl__lab *lab, const char *source, unsigned k, tallies all)
{
    unsigned above[WAYS] = {0}, n = 0;
    char line[400] = "";
    size_t at = 0;
    for (size_t i = 0; i < INTERVALS; i++) {
        if (!all[k][OPTIMUM][i].n_within)
            continue;
        n++;
        at += (size_t)snprintf(line + at, sizeof line - at, "%s%s", n > 1 ? "; " : "",
                               intervals[i].name);
        for (size_t w = 0; w < WAYS; w++) {
            above[w] += equal_of(&all[k][OPTIMUM][i]) > equal_of(&all[k][w][i]);
            at += (size_t)snprintf(line + at, sizeof line - at, "%s %.2f", w ? "," : "",
                                   equal_of(&all[k][w][i]));
        }
    }
    if (n == 0)
        return;
    dpl__lab_find(lab,
                  "%s documents, %u dimensions: optimum is better than fuzzy-fingerprints in "
                  "%u of %u intervals, than svd in %u, than svd by the cosine in %u, than LSH "
                  "(pstable) in %u",
                  source, dims[k], above[FUZZY], n, above[SVD], above[SVD_COSINE],
                  above[PSTABLE]);
    dpl__lab_find(lab,
                  "%s documents, %u dimensions, precision at equal size of optimum, fuzzy, "
                  "svd, svd by the cosine, pstable: %s",
                  source, dims[k], line);
}

/* ---- the pictures ------------------------------------------------------------------- */

enum { CURVES = 8 };

static void draw_one(dpl__lab *lab, const dpl__lab_table *t, const char *source, unsigned k)
{
    static const struct {
        const char *title, *rows;
        bool is_paper;
        unsigned colour;
    } lines[CURVES] = {
        {"optimum", "optimum", false, 1},   {"fuzzy", "fuzzy", false, 2},
        {"svd", "svd", false, 3},           {"svd (cosine)", "svd, cosine", false, 4},
        {"pstable", "pstable", false, 5},   {"paper: optimum", "optimum", true, 1},
        {"paper: fuzzy", "fuzzy", true, 2}, {"paper: svd", "svd", true, 3},
    };
    dpl__lab_curve curves[CURVES];
    char rows[CURVES][60], title[100], more[30];
    for (size_t i = 0; i < CURVES; i++) {
        snprintf(rows[i], sizeof rows[i], "%s, %s, %u", lines[i].is_paper ? "paper" : source,
                 lines[i].rows, dims[k]);
        curves[i] = (dpl__lab_curve){.title = lines[i].title,
                                     .rows = rows[i],
                                     .x = 6,
                                     .y = 7,
                                     .colour = lines[i].colour,
                                     .style = lines[i].is_paper ? DPL_LAB_DASHED
                                                                : DPL_LAB_LINES_POINTS};
    }
    snprintf(title, sizeof title, "Precision with %u dimensions, %s documents", dims[k],
             source);
    snprintf(more, sizeof more, "%s-%u", source, dims[k]);
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .more = more,
                                        .title = title,
                                        .x_label = "lower end of the similarity interval",
                                        .y_label = "precision (ours: at equal size)",
                                        .x_min = 0.79,
                                        .x_max = 0.96,
                                        .y_min = 0,
                                        .y_max = 1.02,
                                        .legend = "outside right top",
                                        .curves = curves,
                                        .n_curves = CURVES});
}

/* ---- the experiment ----------------------------------------------------------------- */

static dpl_status measure(dpl__lab_table *t, dpl__lab *lab, dpl__lab_draw_kind kind,
                          unsigned n_draws, dpl_error *err)
{
    tallies all = {{{{0}}}};
    const char *source = dpl__lab_draw_name(kind);
    uint32_t n_groups = 0;
    for (unsigned i = 0; i < n_draws; i++) {
        draw d = {0};
        dpl_status status = begin(&d, lab, kind, i, err);
        if (status == DPL_OK)
            status = add_draw(all, lab, &d, err);
        if (status == DPL_OK)
            n_groups +=
                dpl__lab_n_groups(lab, d.cosines, dpl_vectors_get_sizes(d.rows)->n_rows, 0.8);
        dpl_vectors_close(d.rows);
        DPL_TRY(status);
    }
    for (unsigned k = 0; k < 2; k++) {
        for (size_t way = 0; way < WAYS; way++)
            for (size_t i = 0; i < INTERVALS; i++)
                put_tally(t, source, way, k, i, &all[k][way][i]);
        find_best(lab, source, k, all);
    }
    dpl__lab_find(lab,
                  "%s documents: %.0f groups are linked by cosines above 0.8 in each 2000; a "
                  "group that shares nothing with the others needs a dimension of optimum",
                  source, (double)n_groups / n_draws);
    return DPL_OK;
}

dpl_status dpl__lab_hash_table_2(dpl__lab *lab, dpl_error *err)
{
    const unsigned n_draws = lab->set->small || lab->set->seeds > 1 ? 1 : 3;
    dpl__lab_table *t = dpl__lab_table_new(
        lab, NULL,
        "rows\tsource\tembedding\tdimensions\tinterval\tfrom\tprecision at equal size\t"
        "precision at the cut\trecall at the cut\tpairs");
    for (unsigned k = 0; k < 2; k++)
        for (size_t i = 0; i < WAYS; i++)
            put_paper(t, &ways[i], k);
    DPL_TRY(measure(t, lab, DPL_LAB_DRAWN, n_draws, err));
    DPL_TRY(measure(t, lab, DPL_LAB_COMPILED, 1, err));
    dpl__lab_note(lab,
                  "the paper does not define the precision of its Table 2; ours is at equal "
                  "size: pairs are ranked by their similarity in the embedding, and as many "
                  "are taken as are in the interval, behind as many as are above it");
    dpl__lab_note(lab, "the cut of an embedding is the threshold itself; of optimum 0.5. "
                       "Precision and recall at the cut are of everything above the lower end");
    dpl__lab_note(lab,
                  "drawn: 2,000 documents at random, %u times others, "
                  "pairs taken together; compiled: of half of the collection the 2,000 with "
                  "the most similar nearest "
                  "neighbour",
                  n_draws);
    draw_one(lab, t, "drawn", 0);
    draw_one(lab, t, "drawn", 1);
    draw_one(lab, t, "compiled", 0);
    return dpl__lab_status(lab, err);
}
