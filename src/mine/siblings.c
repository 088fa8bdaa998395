/*
 * siblings.c - nearest documents within each side.
 *
 * Cost: an exact search of each side among itself.
 */
#include "mine/siblings.h"

#include "mine/mine_params.h"
#include "vectors/vectors.h"

#include <math.h>

typedef struct side_search {
    const dpl__comparable *corpus;
    int side;
    const dpl_vectors *v;
    const dpl_neighbours *near;
} side_search;

static double bin_width(void)
{
    return (1 - DPL__P(mine, sibling_cosine)) / DPL__SIBLING_BINS;
}

double dpl__siblings_cosine(size_t bin)
{
    assert(bin < DPL__SIBLING_BINS);
    return DPL__P(mine, sibling_cosine) + ((double)bin + 0.5) * bin_width();
}

static bool are_copies(const side_search *s, uint32_t a, uint32_t b)
{
    const uint32_t *groups = s->corpus->groups[s->side];
    return groups && groups[s->v->docs[a]] != UINT32_MAX &&
           groups[s->v->docs[a]] == groups[s->v->docs[b]];
}

/* The nearest row that is no copy of it; row DPL__NO_ROW: none is near enough. */
static dpl__near nearest(const side_search *s, uint32_t row)
{
    const dpl__near *near = dpl_neighbours_of(s->near, false, row);
    for (size_t i = 0; i < DPL__NEAREST && near[i].row != DPL__NO_ROW; i++)
        if (!are_copies(s, row, near[i].row))
            return near[i];
    return (dpl__near){.row = DPL__NO_ROW};
}

static void count(dpl__siblings *out, const side_search *s)
{
    for (uint32_t row = 0; row < dpl_vectors_get_sizes(s->v)->n_rows; row++) {
        const dpl__near to = nearest(s, row);
        if (to.row == DPL__NO_ROW || to.row < row || nearest(s, to.row).row != row)
            continue;
        const double bin = ((double)to.score - DPL__P(mine, sibling_cosine)) / bin_width();
        out->n[bin < 0 ? 0 : dpl__min((size_t)bin, DPL__SIBLING_BINS - 1)]++;
    }
}

static dpl_status find_side(dpl__siblings *out, double *n_rows, const dpl__comparable *p,
                            int side, dpl_error *err)
{
    dpl_vectors *v = NULL;
    dpl_neighbours *near = NULL;
    const dpl_vectors_options vectors =
        DPL_INIT(dpl_vectors_options, .skip = p->skip[side], .temp = p->work);
    const dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .k = DPL__NEAREST,
                 .threshold = DPL__P(mine, sibling_cosine), .temp = p->work);
    DPL_TRY(dpl_vectors_from_collection(&v, NULL, p->ctx, dpl__words_of(p, side), NULL,
                                        &vectors, err));
    dpl_status status = DPL_OK;
    *n_rows = (double)dpl_vectors_get_sizes(v)->n_rows;
    if (*n_rows > 1)
        status =
            dpl_neighbours_find(&near, p->ctx, &(dpl_pairs_side){.vectors = v}, NULL, &o, err);
    if (status == DPL_OK && near)
        count(out, &(side_search){p, side, v, near});
    dpl_neighbours_free(near);
    dpl_vectors_close(v);
    return status;
}

/* Two documents out of so many on either side: how often one is of each side, in units of how
 * often both are of the same. */
static double between_for_within(const double n_rows[2])
{
    const double within = n_rows[0] * n_rows[0] + n_rows[1] * n_rows[1];
    return within > 0 ? 2 * n_rows[0] * n_rows[1] / within : 1;
}

dpl_status dpl__siblings_find(dpl__siblings *out, const dpl__comparable *p, dpl_error *err)
{
    double n_tokens = 0, n_docs = 0, n_rows[2];
    *out = (dpl__siblings){0};
    for (int side = 0; side < 2; side++) {
        const dpl_collection_sizes *sizes = dpl_collection_get_sizes(dpl__words_of(p, side));
        n_tokens += (double)sizes->n_tokens;
        n_docs += sizes->n_docs;
        DPL_TRY(find_side(out, &n_rows[side], p, side, err));
    }
    for (size_t bin = 0; bin < DPL__SIBLING_BINS; bin++)
        out->n[bin] *= between_for_within(n_rows);
    out->words = n_tokens / fmax(n_docs, 1);
    return DPL_OK;
}
