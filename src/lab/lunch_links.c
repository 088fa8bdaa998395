/*
 * lunch_links.c - "No Free Lunch", section 6.3: is the nearest document the linked one?
 *
 * For a sample of left documents (1064, as in the paper): the nearest right document by cosine,
 * whether it is the one that a known link (or gold) names, and how many documents have none at
 * or above the threshold. Beside the cosine, the margin: the cosine divided by the mean cosine
 * of the nearest of both documents, which mining selects by.
 */
#include "lab/lunch.h"

enum { NEAR = 4, BINS = 10, KINDS = 3 };

static const char *const kinds[KINDS] = {"nearest is the linked one", "nearest is another one",
                                         "no link known"};

typedef struct links {
    dpl__lab *lab;
    const dpl_vectors *sides[2];
    uint32_t *linked; /* of each left row the right one; UINT32_MAX: none */
    dpl_neighbours *near;
    /* Counts of the sample. */
    size_t n_sample, n_linked, n_right, n_right_margin, n_below, n_linked_below;
    size_t bins[KINDS][BINS]; /* by the cosine of the nearest */
} links;

/* ---- known links ------------------------------------------------------------------------- */

static void link_rows(links *s, const dpl_doc_pair *pairs, size_t n,
                      const uint32_t *const rows[2])
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t a = rows[0] ? rows[0][pairs[i].left] : pairs[i].left;
        const uint32_t b = rows[1] ? rows[1][pairs[i].right] : pairs[i].right;
        if (a != UINT32_MAX && b != UINT32_MAX)
            s->linked[a] = b;
    }
}

static dpl_status read_links(links *s, dpl_error *err)
{
    dpl__lab *lab = s->lab;
    const dpl_collection *docs[2];
    const uint32_t *rows[2];
    for (unsigned side = 0; side < 2; side++) {
        DPL_TRY(dpl__lab_collection(&docs[side], lab, side, err));
        DPL_TRY(dpl__lunch_rows(&rows[side], lab, docs[side], s->sides[side], err));
    }
    dpl_links *known = NULL;
    DPL_TRY(dpl_links_read(&known, lab->ctx, lab->set->links, lab->set->n_links, docs[0],
                           docs[1], NULL, err));
    size_t n;
    const dpl_doc_pair *pairs = dpl_links_pairs(known, &n);
    link_rows(s, pairs, n, rows);
    dpl_links_free(known);
    return DPL_OK;
}

static dpl_status find_links(links *s, dpl_error *err)
{
    const uint32_t n_rows = dpl_vectors_get_sizes(s->sides[0])->n_rows;
    const uint32_t *const as_they_are[2] = {NULL, NULL};
    const dpl_doc_pair *gold;
    size_t n;
    s->linked = dpl__arena_alloc(&s->lab->arena, n_rows * sizeof *s->linked);
    DPL_TRY(dpl__need(s->linked, err));
    memset(s->linked, 0xff, n_rows * sizeof *s->linked);
    if (s->lab->set->n_links)
        return read_links(s, err);
    DPL_TRY(dpl__lab_gold_rows(&gold, &n, s->lab, err));
    link_rows(s, gold, n, as_they_are);
    return DPL_OK;
}

/* ---- the nearest ------------------------------------------------------------------------- */

static double sum_of(const dpl_scored_row *near)
{
    double sum = 0;
    for (unsigned i = 0; i < NEAR && near[i].row != UINT32_MAX; i++)
        sum += (double)near[i].score;
    return sum;
}

/* The right row of the largest margin among the nearest; UINT32_MAX: there are none. */
static uint32_t best_margin(const dpl_neighbours *near, uint32_t row)
{
    const dpl_scored_row *own = dpl_neighbours_of(near, false, row);
    const double sum = sum_of(own);
    uint32_t best = UINT32_MAX;
    double most = 0;
    for (unsigned i = 0; i < NEAR && own[i].row != UINT32_MAX; i++) {
        const double both = sum + sum_of(dpl_neighbours_of(near, true, own[i].row));
        const double margin = both > 0 ? (double)own[i].score / both : 0;
        if (margin > most) {
            most = margin;
            best = own[i].row;
        }
    }
    return best;
}

static void count_row(links *s, uint32_t row)
{
    const dpl_scored_row nearest = dpl_neighbours_of(s->near, false, row)[0];
    const uint32_t linked = s->linked[row];
    const bool has_none = nearest.row == UINT32_MAX;
    const double cosine = has_none ? 0 : (double)nearest.score;
    const bool is_below = cosine < s->lab->set->threshold;
    const size_t bin = cosine < 0 ? 0 : (size_t)(cosine * BINS);
    const unsigned kind = linked == UINT32_MAX ? 2 : nearest.row == linked ? 0 : 1;
    s->bins[kind][bin < BINS ? bin : BINS - 1]++;
    s->n_below += is_below;
    if (linked == UINT32_MAX)
        return;
    s->n_linked++;
    s->n_right += nearest.row == linked;
    s->n_right_margin += best_margin(s->near, row) == linked;
    s->n_linked_below += is_below;
}

static dpl_status measure(links *s, dpl_error *err)
{
    dpl__lab *lab = s->lab;
    const dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .k = NEAR, .temp = lab->scratch);
    const uint32_t *sample;
    for (unsigned side = 0; side < 2; side++)
        DPL_TRY(dpl__lab_vectors(&s->sides[side], lab, side, err));
    DPL_TRY(find_links(s, err));
    DPL_TRY(dpl__lab_sample(&sample, &s->n_sample, lab, 0, err));
    const dpl_pairs_side left = {.vectors = s->sides[0]}, right = {.vectors = s->sides[1]};
    DPL_TRY(dpl_neighbours_find(&s->near, lab->ctx, &left, &right, &o, err));
    for (size_t i = 0; i < s->n_sample; i++)
        count_row(s, sample[i]);
    dpl_neighbours_free(s->near);
    if (s->n_linked)
        return DPL_OK;
    return dpl__fail(err, DPL_E_NOTHING, "no sampled document has a known link");
}

/* ---- what is written --------------------------------------------------------------------- */

static double share(size_t n, size_t of)
{
    return of ? 100.0 * (double)n / (double)of : 0;
}

static void put_row(dpl__lab_table *t, const char *name, size_t n, size_t of)
{
    dpl__lab_text(t, "%s", name);
    dpl__lab_count(t, n);
    dpl__lab_count(t, of);
    dpl__lab_number(t, share(n, of), 1);
}

static void put_tables(dpl__lab *lab, const links *s, dpl__lab_table *t)
{
    put_row(t, "nearest by cosine is the linked one", s->n_right, s->n_linked);
    put_row(t, "nearest by margin is the linked one", s->n_right_margin, s->n_linked);
    put_row(t, "no document at or above the threshold", s->n_below, s->n_sample);
    put_row(t, "linked, but none at or above the threshold", s->n_linked_below, s->n_linked);
    put_row(t, "paper: nearest by cosine is the linked one", 130, 401);
    put_row(t, "paper: no document at or above the threshold", 571, 1064);
    dpl__lab_table *h =
        dpl__lab_table_new(lab, "cosines", "kind\tcosine of the nearest\tdocuments");
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (size_t bin = 0; bin < BINS; bin++) {
            dpl__lab_text(h, "%s", kinds[kind]);
            dpl__lab_text(h, "%.1f", (double)bin / BINS);
            dpl__lab_count(h, s->bins[kind][bin]);
        }
    static const unsigned colours[KINDS] = {1, 2, 8};
    dpl__lab_curve curves[KINDS];
    for (unsigned kind = 0; kind < KINDS; kind++)
        curves[kind] = (dpl__lab_curve){.title = kinds[kind],
                                        .rows = kinds[kind],
                                        .x = 2,
                                        .y = 3,
                                        .style = DPL_LAB_BARS,
                                        .colour = colours[kind]};
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = h,
                                        .x_label = "cosine of the nearest document, from this "
                                                   "value to 0.1 above",
                                        .y_label = "documents",
                                        .curves = curves,
                                        .n_curves = KINDS});
}

static void say(dpl__lab *lab, const links *s)
{
    dpl__lab_find(
        lab,
        "of %zu linked documents %zu (%.1f %%) have the linked one as their nearest by "
        "cosine, %zu (%.1f %%) by margin (paper: 130 of 401, 33 %%)",
        s->n_linked, s->n_right, share(s->n_right, s->n_linked), s->n_right_margin,
        share(s->n_right_margin, s->n_linked));
    dpl__lab_find(lab,
                  "%zu of %zu documents (%.1f %%) have no document with a cosine of %g or more "
                  "(paper: 571 of 1064, 54 %%)",
                  s->n_below, s->n_sample, share(s->n_below, s->n_sample), lab->set->threshold);
    dpl__lab_note(lab,
                  "%s. The paper has articles of Wikipedia about the same subject, which are "
                  "rarely translations, and links that it calls inaccurate; gold pairs are "
                  "translations",
                  lab->set->n_links ? "Known links" : "Gold pairs count as links");
    dpl__lab_note(lab,
                  "Margin: the cosine divided by the mean cosine of the %d nearest of both "
                  "documents, among the %d nearest by cosine",
                  (int)NEAR, (int)NEAR);
}

dpl_status dpl__lab_lunch_links(dpl__lab *lab, dpl_error *err)
{
    links s = {.lab = lab};
    dpl__lab_table *t = dpl__lab_table_new(lab, NULL, "what\tdocuments\tof\tshare [%]");
    DPL_TRY(measure(&s, err));
    put_tables(lab, &s, t);
    say(lab, &s);
    return dpl__lab_status(lab, err);
}
