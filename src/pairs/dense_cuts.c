/*
 * dense_cuts.c - which pairs of dense rows a search for the best of each row passes over.
 */
#include "pairs/dense_cuts.h"

#include "base/ctx.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

/* ---- rising ------------------------------------------------------------------------- */

void dpl__dense_cuts_init(dpl__dense_cuts *c, dpl__neighbour_lists *lists, double threshold)
{
    *c = (dpl__dense_cuts){.threshold = threshold, .is_self = lists->is_self, .lists = lists};
    pthread_mutex_init(&c->lock, NULL);
}

static dpl_status take_pairs(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    (void)err;
    dpl__dense_cuts *c = user;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < n; i++)
        dpl__neighbour_lists_add(c->lists, &pairs[i]);
    pthread_mutex_unlock(&c->lock);
    return DPL_OK;
}

dpl__pair_sink dpl__dense_cuts_sink(dpl__dense_cuts *c)
{
    assert(c->lists);
    return (dpl__pair_sink){c, take_pairs};
}

/* ---- margins ------------------------------------------------------------------------ */

/* A margin is rounded to float when pairs are selected. */
static const double ROUNDING = 1e-6;

DPL__FALLING_NUMBERS(compare_falling, float)

/* Margins in the making; within one set there is one side. */
typedef struct made {
    dpl__dense_cuts *c;
    const dpl__neighbour_lists *lists;
    unsigned margin, n_best[2];
    float *margins; /* of one row's list */
} made;

static unsigned count_list(const dpl__neighbour_lists *l, int side, uint32_t row)
{
    unsigned n = 0;
    while (n < l->k && l->best[side][(size_t)row * l->k + n])
        n++;
    return n;
}

static float score_of(const dpl__neighbour_lists *l, int side, uint32_t row, unsigned i)
{
    return dpl__neighbour_lists_get(l, side, row, i).score;
}

/* The mean as the selection computes it: neighbours below the threshold count as that. */
static void set_near(made *m, int side, uint32_t row)
{
    const unsigned n = count_list(m->lists, side, row);
    double sum = 0;
    for (unsigned i = 0; i < m->margin; i++)
        sum += i < n ? score_of(m->lists, side, row, i) : (float)m->c->threshold;
    m->c->halves[side][row] = sum / (2.0 * m->margin);
    /* a list that is not full has all pairs of the row */
    const unsigned n_near = n < m->n_best[side] ? n : (unsigned)dpl__min(n, m->margin);
    m->c->near[side][row] =
        n_near ? score_of(m->lists, side, row, n_near - 1) : (float)INFINITY;
}

static void set_least(made *m, int side, uint32_t row)
{
    const unsigned n = count_list(m->lists, side, row), wanted = m->n_best[side];
    const int other = m->lists->is_self ? side : !side;
    m->c->least[side][row] = (double)INFINITY;
    if (wanted == 0 || n < wanted)
        return;
    for (unsigned i = 0; i < n; i++) {
        const dpl_scored_row near = dpl__neighbour_lists_get(m->lists, side, row, i);
        m->margins[i] = (float)((double)near.score /
                                (m->c->halves[side][row] + m->c->halves[other][near.row]));
    }
    qsort(m->margins, n, sizeof *m->margins, compare_falling);
    m->c->least[side][row] = (1 - ROUNDING) * (double)m->margins[wanted - 1];
}

/* The lowest score with which a pair of the row may pass, whatever the other row is. */
static void set_cut(made *m, int side, uint32_t row, double least_half)
{
    const double by_margin =
        m->c->least[side][row] * (m->c->halves[side][row] + least_half) * (1 - ROUNDING);
    m->c->cuts[side][row] = fminf(m->c->near[side][row], (float)by_margin);
}

static double least_half(const made *m, int side)
{
    double least = (double)INFINITY;
    for (uint32_t row = 0; row < m->lists->n_rows[side]; row++)
        least = fmin(least, m->c->halves[side][row]);
    return least;
}

static void set_all(made *m)
{
    const int n_sides = m->lists->is_self ? 1 : 2;
    for (int side = 0; side < n_sides; side++)
        for (uint32_t row = 0; row < m->lists->n_rows[side]; row++)
            set_near(m, side, row);
    for (int side = 0; side < n_sides; side++) {
        const double least = least_half(m, n_sides == 1 ? side : !side);
        for (uint32_t row = 0; row < m->lists->n_rows[side]; row++) {
            set_least(m, side, row);
            set_cut(m, side, row, least);
        }
    }
}

dpl_status dpl__dense_margins_init(dpl__dense_cuts *c, const dpl__neighbour_lists *lists,
                                   double threshold, unsigned margin, const unsigned n_best[2],
                                   dpl_error *err)
{
    *c = (dpl__dense_cuts){.threshold = threshold, .is_self = lists->is_self};
    pthread_mutex_init(&c->lock, NULL);
    assert(lists->k >= margin && lists->k >= n_best[0] && lists->k >= n_best[1]);
    made m = {c, lists, margin, {n_best[0], n_best[1]}, NULL};
    bool has_memory = (m.margins = dpl__alloc(lists->ctx, lists->k * sizeof *m.margins));
    for (int side = 0; side < (lists->is_self ? 1 : 2); side++) {
        const size_t n = (size_t)lists->n_rows[side] + 1;
        c->cuts[side] = dpl__alloc(lists->ctx, n * sizeof *c->cuts[side]);
        c->near[side] = dpl__alloc(lists->ctx, n * sizeof *c->near[side]);
        c->halves[side] = dpl__alloc(lists->ctx, n * sizeof *c->halves[side]);
        c->least[side] = dpl__alloc(lists->ctx, n * sizeof *c->least[side]);
        has_memory =
            has_memory && c->cuts[side] && c->near[side] && c->halves[side] && c->least[side];
    }
    if (has_memory)
        set_all(&m);
    dpl__free(lists->ctx, m.margins);
    return dpl__need(has_memory, err);
}

void dpl__dense_cuts_clear(dpl__dense_cuts *c, dpl_ctx *ctx)
{
    for (int side = 0; side < 2; side++)
        dpl__free(ctx, c->cuts[side], c->near[side], c->halves[side], c->least[side]);
    pthread_mutex_destroy(&c->lock);
}

float dpl__dense_cuts_lowest(const dpl__dense_cuts *c, const dpl__sides *sides)
{
    const dpl_vectors *v[2] = {sides->left, sides->right};
    float lowest = (float)INFINITY;
    for (int side = 0; side < (sides->is_self ? 1 : 2); side++)
        for (uint32_t row = 0; row < v[side]->sizes.n_rows; row++)
            lowest = fminf(lowest, c->cuts[side][row]);
    return lowest;
}

bool dpl__dense_cuts_has(const dpl__dense_cuts *c, const dpl_pair *p)
{
    assert(!c->lists);
    const int right = c->is_self ? 0 : 1;
    if (p->score >= fminf(c->near[0][p->left], c->near[right][p->right]))
        return true;
    return (double)p->score >= fmin(c->least[0][p->left], c->least[right][p->right]) *
                                   (c->halves[0][p->left] + c->halves[right][p->right]);
}

/* ---- of a thread -------------------------------------------------------------------- */

dpl_status dpl__dense_cuts_view_begin(dpl__dense_cuts_view *v, dpl__dense_cuts *of,
                                      dpl_ctx *ctx, uint32_t n_queries, dpl_error *err)
{
    v->of = of;
    dpl__neighbour_lists *l = of->lists;
    if (!l)
        return DPL_OK;
    const int right = l->is_self ? DPL__SIDE_LEFT : DPL__SIDE_RIGHT;
    const size_t n_right = l->n_rows[right];
    if (!v->copied)
        v->copied = dpl__alloc(ctx, (n_right + 1) * sizeof *v->copied);
    DPL_TRY(dpl__need(v->copied, err));
    if (!v->own.scores)
        DPL_TRY(dpl__nearest_init(&v->own, ctx, n_queries, l->k, 0, err));
    pthread_mutex_lock(&of->lock);
    memcpy(v->copied, l->cuts[right], n_right * sizeof *v->copied);
    pthread_mutex_unlock(&of->lock);
    memset(v->own.scores, 0, (size_t)n_queries * l->k * sizeof *v->own.scores);
    return DPL_OK;
}

void dpl__dense_cuts_view_clear(dpl__dense_cuts_view *v, dpl_ctx *ctx)
{
    dpl__free(ctx, v->copied);
    dpl__nearest_clear(&v->own);
    *v = (dpl__dense_cuts_view){0};
}

static size_t pass_rising(dpl__dense_cuts_view *v, dpl__survivor *out,
                          const dpl__row_scores *left)
{
    const float *own = &v->own.scores[(size_t)left->query * v->own.k], *right = v->copied;
    const bool is_self = v->of->is_self;
    size_t n = 0;
    for (uint32_t i = left->begin; i < left->end; i++) {
        const float score = left->scores[i],
                    cut = is_self ? fmaxf(*own, right[left->row]) : *own;
        if (score < fminf(cut, right[left->first + i]) ||
            !dpl__is_pair(score, v->of->threshold))
            continue;
        out[n++] = (dpl__survivor){left->query, left->first + i};
        dpl__nearest_offer(&v->own, left->query, score);
    }
    return n;
}

static size_t pass_margins(const dpl__dense_cuts *c, dpl__survivor *out,
                           const dpl__row_scores *left)
{
    const float *right = c->cuts[c->is_self ? 0 : 1], cut = c->cuts[0][left->row];
    size_t n = 0;
    for (uint32_t i = left->begin; i < left->end; i++) {
        const dpl_pair pair = {left->row, left->first + i, left->scores[i]};
        if (pair.score >= fminf(cut, right[pair.right]) &&
            dpl__is_pair(pair.score, c->threshold) && dpl__dense_cuts_has(c, &pair))
            out[n++] = (dpl__survivor){left->query, pair.right};
    }
    return n;
}

size_t dpl__dense_cuts_pass(dpl__dense_cuts_view *v, dpl__survivor *out,
                            const dpl__row_scores *left)
{
    return v->of->lists ? pass_rising(v, out, left) : pass_margins(v->of, out, left);
}
