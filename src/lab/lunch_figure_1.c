/*
 * lunch_figure_1.c - "No Free Lunch", Figure 1: cosines of translated documents, by projection
 * and by machine translation.
 *
 * For at most 505 gold pairs, as many as in the paper, the cosine of the left and the right
 * document: without translation, with vectors projected through the lexicon by p(f|e) (as in
 * the paper) and by p(e|f) (our default), and of machine translations where these are given. A
 * histogram in steps of 0.1, the mean, and how many documents have their own translation as the
 * nearest one.
 */
#include "lab/lunch.h"

#include <math.h>

enum { PAIRS = 505, BINS = 10, SERIES = 4 };

typedef struct series {
    const char *name;
    size_t n, bins[BINS], n_nearest;
    double sum;
} series;

/* What all series share. */
typedef struct figure {
    dpl__lab *lab;
    const dpl_collection *sides[2];
    const dpl_vectors *right;
    const uint32_t *right_rows; /* of each document */
    const dpl_doc_pair *gold;
    size_t n_gold, n_taken; /* every n_gold / n_taken-th is taken */
    series all[SERIES];
    size_t n;
} figure;

/* ---- one series -------------------------------------------------------------------------- */

/* The row of a left document; its translation has the same id. */
static uint32_t row_of(const figure *f, const dpl_collection *c, const uint32_t *rows,
                       uint32_t doc)
{
    if (c != f->sides[0] &&
        !dpl_collection_find_doc(c, dpl_collection_doc(f->sides[0], doc).id, &doc))
        return UINT32_MAX;
    return rows[doc];
}

static void count(series *s, const figure *f, const dpl_vectors *left, const dpl_collection *c,
                  const uint32_t *rows, const dpl_neighbours *near)
{
    for (size_t i = 0; i < f->n_taken; i++) {
        const dpl_doc_pair pair = f->gold[i * f->n_gold / f->n_taken];
        const uint32_t a = row_of(f, c, rows, pair.left), b = f->right_rows[pair.right];
        if (a == UINT32_MAX || b == UINT32_MAX)
            continue;
        const double cosine = dpl_vectors_cosine(left, a, f->right, b);
        const size_t bin = cosine < 0 ? 0 : (size_t)(cosine * BINS);
        s->bins[bin < BINS ? bin : BINS - 1]++;
        s->sum += cosine;
        s->n++;
        s->n_nearest += dpl_neighbours_of(near, false, a)[0].row == b;
    }
}

static dpl_status count_vectors(series *s, const figure *f, const dpl_collection *c,
                                const dpl_vectors *left, dpl_error *err)
{
    const dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .k = 1, .temp = f->lab->scratch);
    const dpl_pairs_side sides[2] = {{.vectors = left}, {.vectors = f->right}};
    const uint32_t *rows;
    dpl_neighbours *near = NULL;
    DPL_TRY(dpl__lunch_rows(&rows, f->lab, c, left, err));
    DPL_TRY(dpl_neighbours_find(&near, f->lab->ctx, &sides[0], &sides[1], &o, err));
    count(s, f, left, c, rows, near);
    dpl_neighbours_free(near);
    return DPL_OK;
}

/* name NULL: by the direction that the lexicon allowed. */
static dpl_status add_series(figure *f, const char *name, const dpl_collection *c,
                             const dpl_lexicon *lexicon, dpl_direction direction,
                             dpl_error *err)
{
    const dpl_vectors_options o =
        DPL_INIT(dpl_vectors_options, .direction = direction, .temp = f->lab->scratch);
    dpl_vectors_summary made = DPL_INIT(dpl_vectors_summary);
    dpl_vectors *left = NULL;
    series *s = &f->all[f->n++];
    DPL_TRY(dpl_vectors_from_collection(&left, &made, f->lab->ctx, c, lexicon, &o, err));
    s->name = name                                     ? name
              : made.direction == DPL_DIRECTION_TARGET ? "projection by p(f|e)"
                                                       : "projection by p(e|f)";
    const dpl_status status = count_vectors(s, f, c, left, err);
    dpl_vectors_close(left);
    return status;
}

/* ---- the series there are ---------------------------------------------------------------- */

/* A lexicon of text has one direction; which one follows from its columns. */
static dpl_status add_projections(figure *f, dpl_error *err)
{
    const dpl_lexicon *lexicon;
    DPL_TRY(dpl__lab_lexicon(&lexicon, f->lab, err));
    const bool has_both = dpl_lexicon_get_sizes(lexicon)->n_back > 0;
    if (has_both)
        DPL_TRY(add_series(f, NULL, f->sides[0], lexicon, DPL_DIRECTION_TARGET, err));
    return add_series(f, NULL, f->sides[0], lexicon,
                      has_both ? DPL_DIRECTION_SOURCE : DPL_DIRECTION_AUTO, err);
}

static dpl_status add_translations(figure *f, dpl_error *err)
{
    dpl__lab *lab = f->lab;
    if (!lab->set->translated)
        return DPL_OK;
    const dpl_input input = {.path = lab->set->translated};
    const dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = true);
    const dpl_import_options o =
        DPL_INIT(dpl_import_options, .read = lab->set->read, .tokens = &tokens,
                 .temp = lab->scratch, .needs_docs = true);
    dpl_collection *c = NULL;
    DPL_TRY(dpl_collection_from_inputs(&c, NULL, lab->ctx, &input, 1, &o, err));
    dpl_status status;
    DPL__STEP(add_series(f, "machine translation", c, NULL, DPL_DIRECTION_AUTO, err));
    if (f->all[f->n - 1].n == 0)
        DPL__STEP(dpl__fail(err, DPL_E_USAGE,
                            "'%s': no translation has the id of a left document of a gold pair",
                            lab->set->translated));
done:
    dpl_collection_close(c);
    return status;
}

static dpl_status measure(figure *f, dpl_error *err)
{
    dpl__lab *lab = f->lab;
    for (unsigned side = 0; side < 2; side++)
        DPL_TRY(dpl__lab_collection(&f->sides[side], lab, side, err));
    DPL_TRY(dpl__lab_vectors(&f->right, lab, 1, err));
    DPL_TRY(dpl__lunch_rows(&f->right_rows, lab, f->sides[1], f->right, err));
    DPL_TRY(dpl__lab_gold(&f->gold, &f->n_gold, lab, err));
    f->n_taken = dpl__min(f->n_gold, (size_t)PAIRS);
    DPL_TRY(add_series(f, "no translation", f->sides[0], NULL, DPL_DIRECTION_AUTO, err));
    DPL_TRY(add_projections(f, err));
    return add_translations(f, err);
}

/* ---- what is written --------------------------------------------------------------------- */

static double mean(const series *s)
{
    return s->n ? s->sum / (double)s->n : 0;
}

static void put_histogram(dpl__lab_table *t, const figure *f)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t bin = 0; bin < BINS; bin++) {
            const series *s = &f->all[i];
            dpl__lab_text(t, "%s", s->name);
            dpl__lab_text(t, "%.1f", (double)bin / BINS);
            dpl__lab_number(t, s->n ? 100.0 * (double)s->bins[bin] / (double)s->n : 0, 1);
            dpl__lab_count(t, s->bins[bin]);
        }
}

static void put_means(dpl__lab *lab, const figure *f)
{
    dpl__lab_table *t = dpl__lab_table_new(
        lab, "means", "series\tpairs\tmean cosine\tnearest is its translation");
    for (size_t i = 0; i < f->n; i++) {
        dpl__lab_text(t, "%s", f->all[i].name);
        dpl__lab_count(t, f->all[i].n);
        dpl__lab_number(t, mean(&f->all[i]), 4);
        dpl__lab_count(t, f->all[i].n_nearest);
    }
}

static void say(dpl__lab *lab, const figure *f)
{
    for (size_t i = 1; i < f->n; i++) {
        const series *s = &f->all[i];
        const size_t low = s->bins[0] + s->bins[1] + s->bins[2];
        dpl__lab_find(
            lab,
            "%s: mean cosine %.3f, %.0f %% of the pairs below 0.3, the nearest document "
            "is the translation in %zu of %zu cases (no translation: %.3f, %zu)",
            s->name, mean(s), s->n ? 100.0 * (double)low / (double)s->n : 0, s->n_nearest, s->n,
            mean(&f->all[0]), f->all[0].n_nearest);
    }
    dpl__lab_note(
        lab,
        "%zu of %zu gold pairs; stems, BM25. The paper has 505 pairs of ten sentences "
        "of Europarl, a table of translations trained on all of Europarl, and Google "
        "Translate of 2011; its text has no numbers of this figure",
        f->n_taken, f->n_gold);
    if (!lab->set->translated)
        dpl__lab_note(lab, "No machine translations were given");
}

static void draw(dpl__lab *lab, const dpl__lab_table *t, const figure *f)
{
    dpl__lab_curve curves[SERIES];
    for (size_t i = 0; i < f->n; i++)
        curves[i] = (dpl__lab_curve){.title = f->all[i].name,
                                     .rows = f->all[i].name,
                                     .x = 2,
                                     .y = 3,
                                     .style = DPL_LAB_BARS,
                                     .colour = i == 0 ? 8 : (unsigned)i};
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .x_label = "cosine of a document and its translation, "
                                                   "from this value to 0.1 above",
                                        .y_label = "document pairs [%]",
                                        .curves = curves,
                                        .n_curves = f->n});
}

dpl_status dpl__lab_lunch_figure_1(dpl__lab *lab, dpl_error *err)
{
    figure f = {.lab = lab};
    DPL_TRY(measure(&f, err));
    dpl__lab_table *t =
        dpl__lab_table_new(lab, NULL, "series\tcosine\tdocument pairs [%]\tpairs");
    put_histogram(t, &f);
    put_means(lab, &f);
    say(lab, &f);
    draw(lab, t, &f);
    return dpl__lab_status(lab, err);
}
