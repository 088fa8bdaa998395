/*
 * lunch_sides.c - rows, signatures and true pairs for the experiments of "No Free Lunch".
 *
 * As in section 6.1 of the paper: of a sample of left rows (1064 there) all pairs at or above
 * the threshold, found exactly, are the truth; recall is the share of them that a method finds,
 * all pairs counted together.
 */
#include "lab/lunch.h"

#include "base/maths.h"

#include <math.h>

/* The paper's 1.47 million German and 3.44 million English articles. */
static const double PAPER_ROWS = 4.91e6;
/* Its threshold, and the distance that it takes for that, of each bit: 400 of 1000. */
static const double PAPER_THRESHOLD = 0.3, PAPER_CUT = 0.4;
/* Windows of small collections: this part of the paper's. */
static const double LEAST_SHARE = 0.01;

unsigned dpl__lunch_cut(double cosine, unsigned bits)
{
    return (unsigned)(dpl__acos(cosine) / dpl__acos(-1) * (double)bits);
}

unsigned dpl__lunch_window(const dpl__lunch *l, unsigned window)
{
    const double share = fmax(l->n_rows / PAPER_ROWS, LEAST_SHARE);
    const double size = fmin(round(share * window), l->n_rows / 2);
    return size < 1 ? 1 : (unsigned)size;
}

double dpl__lunch_compared(const dpl__lunch *l, unsigned n_tables, unsigned window)
{
    return n_tables * dpl__window_pairs(l->n_left, l->n_right, window);
}

double dpl__lunch_cost(const dpl__lunch *l, unsigned n_tables, unsigned window)
{
    return dpl__lunch_compared(l, n_tables, window) / l->n_pairs;
}

/* ---- the truth --------------------------------------------------------------------------- */

static unsigned distance_of(const dpl__lunch *l, const dpl_pair *pair)
{
    const dpl_signatures *right = l->is_self ? l->made[0] : l->made[1];
    return dpl_signatures_distance(l->made[0], pair->left, right, pair->right);
}

/* Pairs are ordered by left row, and so is the sample. */
static size_t take_truth(dpl__lunch *l, const dpl_pair *pairs, size_t n)
{
    size_t n_taken = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        while (at < l->n_sample && l->sample[at] < pairs[i].left)
            at++;
        if (at == l->n_sample || l->sample[at] != pairs[i].left)
            continue;
        const dpl__lunch_pair pair = {.a = pairs[i].left,
                                      .b = pairs[i].right + (l->is_self ? 0 : l->n_left),
                                      .cosine = pairs[i].score,
                                      .distance = distance_of(l, &pairs[i])};
        l->truth[n_taken++] = pair;
        l->n_within += pair.distance <= l->cut;
    }
    return n_taken;
}

static dpl_status find_truth(dpl__lunch *l, dpl_error *err)
{
    dpl__lab *lab = l->lab;
    const dpl_pair *pairs;
    size_t n;
    DPL_TRY(dpl__lab_exact(&pairs, &n, lab, l->threshold, err));
    DPL_TRY(dpl__lab_sample(&l->sample, &l->n_sample, lab, 0, err));
    l->truth = dpl__arena_alloc(&lab->arena, n * sizeof *l->truth);
    DPL_TRY(dpl__need(l->truth, err));
    l->n_truth = take_truth(l, pairs, n);
    if (l->n_truth)
        return DPL_OK;
    return dpl__fail(err, DPL_E_NOTHING, "no pair has a cosine of %g or more", l->threshold);
}

/* ---- all of it --------------------------------------------------------------------------- */

static dpl_status open_sides(dpl__lunch *l, unsigned bits, dpl_error *err)
{
    dpl__lab *lab = l->lab;
    for (unsigned i = 0; i < (l->is_self ? 1 : 2); i++) {
        DPL_TRY(dpl__lab_vectors(&l->sides[i].vectors, lab, i, err));
        DPL_TRY(dpl__lab_sign(&l->made[i], lab, i, DPL_SIGN_RP, bits, err));
        l->sides[i].signatures = l->made[i];
    }
    l->n_left = dpl_signatures_get_sizes(l->made[0])->n_rows;
    l->n_right = l->is_self ? 0 : dpl_signatures_get_sizes(l->made[1])->n_rows;
    l->n_rows = (double)l->n_left + l->n_right;
    l->n_pairs =
        l->is_self ? 0.5 * l->n_left * (l->n_left - 1.0) : (double)l->n_left * l->n_right;
    l->bits = bits % 64 ? bits : dpl_signatures_get_sizes(l->made[0])->length;
    l->cut = dpl__lunch_cut(l->threshold, l->bits);
    if (lab->set->as_paper && fabs(l->threshold - PAPER_THRESHOLD) < 1e-9)
        l->cut = (unsigned)(PAPER_CUT * l->bits);
    return find_truth(l, err);
}

dpl_status dpl__lunch_open(dpl__lunch *l, dpl__lab *lab, unsigned bits, dpl_error *err)
{
    *l = (dpl__lunch){
        .lab = lab, .is_self = lab->n_inputs < 2, .threshold = lab->set->threshold};
    const dpl_status status = open_sides(l, bits ? bits : lab->set->bits, err);
    if (status != DPL_OK)
        dpl__lunch_close(l);
    return status;
}

void dpl__lunch_close(dpl__lunch *l)
{
    dpl_signatures_close(l->made[1]);
    dpl_signatures_close(l->made[0]);
    l->made[0] = l->made[1] = NULL;
}

/* ---- documents --------------------------------------------------------------------------- */

static bool is_same(dpl_str a, dpl_str b)
{
    return a.n == b.n && memcmp(a.data, b.data, a.n) == 0;
}

/* Rows stand in the order of the documents, some of which are left out. */
dpl_status dpl__lunch_rows(const uint32_t **out, dpl__lab *lab,
                           const dpl_collection *collection, const dpl_vectors *vectors,
                           dpl_error *err)
{
    const uint32_t n_docs = dpl_collection_get_sizes(collection)->n_docs;
    const uint32_t n_rows = dpl_vectors_get_sizes(vectors)->n_rows;
    uint32_t *rows = dpl__arena_alloc(&lab->arena, n_docs * sizeof *rows), row = 0;
    DPL_TRY(dpl__need(rows, err));
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        const bool has_row = row < n_rows && is_same(dpl_collection_doc(collection, doc).id,
                                                     dpl_vectors_id(vectors, row));
        rows[doc] = has_row ? row++ : UINT32_MAX;
    }
    *out = rows;
    return DPL_OK;
}
