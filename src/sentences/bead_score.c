/*
 * bead_score.c - the links between the words of a bead, summed in two ways.
 *
 * Model 1 in both directions, as in model1.h, and the greedy alignment of "Large Scale Parallel
 * Document Mining for Machine Translation" (Uszkoreit et al. 2010), section 2.3. Cost: links of
 * the left words, plus a sort of those that reach a right word.
 */
#include "sentences/bead_score.h"

#include "base/maths.h"
#include "base/order.h"

#include <stdlib.h>

void dpl__bead_scorer_init(dpl__bead_scorer *w, dpl_ctx *ctx)
{
    *w = (dpl__bead_scorer){.ctx = ctx};
}

void dpl__bead_scorer_clear(dpl__bead_scorer *w)
{
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(w->ctx, &w->sums[side], &w->is_used[side]);
    dpl__vec_clear(w->ctx, &w->next, &w->links);
}

dpl_status dpl__bead_scorer_start(dpl__bead_scorer *w, dpl__bow *bow, dpl_error *err)
{
    size_t n = bow->side[DPL__RIGHT].n_words;
    w->bow = bow;
    w->chosen = dpl__arena_alloc(&bow->arena, n * sizeof *w->chosen);
    DPL_TRY(dpl__need(w->chosen, err));
    if (n)
        memset(w->chosen, 0, n * sizeof *w->chosen);
    return DPL_OK;
}

/* The entries of a run of sentences. */
typedef struct run {
    const dpl__bow_side *side;
    uint32_t first, n;         /* sentences */
    uint32_t begin, n_entries; /* in the side's arrays */
} run;

static run run_of(const dpl__bow_side *s, uint32_t first, uint32_t n)
{
    uint32_t begin = s->begin[first];
    return (run){s, first, n, begin, s->begin[first + n] - begin};
}

static double sum_of(const run *r, const double *values)
{
    double sum = 0;
    for (uint32_t i = r->first; i < r->first + r->n; i++)
        sum += values[i];
    return sum;
}

static dpl_status make_room(dpl__bead_scorer *w, const run sides[2], dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        size_t n = sides[side].n_entries;
        w->sums[side].n = w->is_used[side].n = 0;
        DPL_TRY(dpl__need(dpl__vec_reserve(w->ctx, &w->sums[side], n) &&
                              dpl__vec_reserve(w->ctx, &w->is_used[side], n),
                          err));
        for (size_t k = 0; k < n; k++) {
            w->sums[side].data[k] = 0;
            w->is_used[side].data[k] = false;
        }
    }
    w->next.n = 0;
    return dpl__need(dpl__vec_reserve(w->ctx, &w->next, sides[DPL__RIGHT].n_entries), err);
}

/* ---- links -------------------------------------------------------------------------- */

static void mark_right(dpl__bead_scorer *w, const run *right)
{
    for (uint32_t k = right->n_entries; k-- > 0;) {
        uint32_t *chosen = &w->chosen[right->side->words[right->begin + k]];
        w->next.data[k] = *chosen;
        *chosen = k + 1;
    }
}

static void unmark_right(dpl__bead_scorer *w, const run *right)
{
    for (uint32_t k = 0; k < right->n_entries; k++)
        w->chosen[right->side->words[right->begin + k]] = 0;
}

static dpl_status find_links(dpl__bead_scorer *w, const run *left, dpl_error *err)
{
    const dpl__bow *b = w->bow;
    w->links.n = 0;
    for (uint32_t i = 0; i < left->n_entries; i++) {
        uint32_t word = left->side->words[left->begin + i];
        for (uint32_t k = b->link_begin[word]; k < b->link_begin[word + 1]; k++) {
            const dpl__bow_link *l = &b->links.data[k];
            for (uint32_t j = w->chosen[l->right]; j; j = w->next.data[j - 1]) {
                dpl__bead_score_link link = {i, j - 1, {l->p[0], l->p[1]}, l->information};
                DPL_TRY(dpl__need(dpl__vec_push(w->ctx, &w->links, link), err));
            }
        }
    }
    return DPL_OK;
}

/* ---- sums --------------------------------------------------------------------------- */

/* The log-likelihood of the words of one side given the other. */
static double log_likelihood(const dpl__bead_scorer *w, const run sides[2], int side)
{
    const run *r = &sides[side], *other = &sides[!side];
    double share = 1 / sum_of(other, other->side->n_tokens);
    double sum = sum_of(r, r->side->base), product = 1;
    for (uint32_t k = 0; k < r->n_entries; k++) {
        product *= 1 + (double)r->side->gains[r->begin + k] * w->sums[side].data[k] * share;
        if (product > 1e200) {
            sum += dpl__log(product);
            product = 1;
        }
    }
    return sum + dpl__log(product);
}

DPL__ORDER(by_information, dpl__bead_score_link,
           DPL__FALLING(information) DPL__RISING(left) DPL__RISING(right))

void dpl__bead_scorer_pmi(dpl__bead_scorer *w, dpl__bead_score *out)
{
    size_t n = 0;
    for (size_t k = 0; k < w->links.n; k++)
        if (w->links.data[k].information > 0)
            w->links.data[n++] = w->links.data[k];
    if (n)
        qsort(w->links.data, n, sizeof *w->links.data, by_information);
    for (size_t k = 0; k < n; k++) {
        const dpl__bead_score_link *l = &w->links.data[k];
        bool *left = &w->is_used[DPL__LEFT].data[l->left];
        bool *right = &w->is_used[DPL__RIGHT].data[l->right];
        if (*left || *right)
            continue;
        *left = *right = true;
        out->information += l->information;
    }
}

dpl_status dpl__bead_scorer_words(dpl__bead_scorer *w, const dpl_bead *bead,
                                  dpl__bead_score *out, dpl_error *err)
{
    const dpl__bow_side *s = w->bow->side;
    run sides[2] = {run_of(&s[DPL__LEFT], bead->left, bead->n_left),
                    run_of(&s[DPL__RIGHT], bead->right, bead->n_right)};
    DPL_TRY(make_room(w, sides, err));
    mark_right(w, &sides[DPL__RIGHT]);
    dpl_status status = find_links(w, &sides[DPL__LEFT], err);
    unmark_right(w, &sides[DPL__RIGHT]);
    DPL_TRY(status);
    for (size_t k = 0; k < w->links.n; k++) {
        const dpl__bead_score_link *l = &w->links.data[k];
        double left = s[DPL__LEFT].counts[sides[DPL__LEFT].begin + l->left];
        double right = s[DPL__RIGHT].counts[sides[DPL__RIGHT].begin + l->right];
        w->sums[DPL__RIGHT].data[l->right] += left * (double)l->p[0];
        w->sums[DPL__LEFT].data[l->left] += right * (double)l->p[1];
    }
    out->words = log_likelihood(w, sides, DPL__LEFT) + log_likelihood(w, sides, DPL__RIGHT);
    out->information = 0;
    const double expected = sum_of(&sides[0], s[0].expected);
    out->expected =
        w->bow->model->is_paper ? expected : (expected + sum_of(&sides[1], s[1].expected)) / 2;
    return DPL_OK;
}

void dpl__bead_scorer_coverage(const dpl__bead_scorer *w, const dpl_bead *bead,
                               dpl__bead_score *out)
{
    const dpl__bow_side *s = w->bow->side;
    run sides[2] = {run_of(&s[DPL__LEFT], bead->left, bead->n_left),
                    run_of(&s[DPL__RIGHT], bead->right, bead->n_right)};
    for (int side = 0; side < 2; side++)
        out->n_tokens[side] = sum_of(&sides[side], s[side].n_tokens);
    for (int side = 0; side < 2; side++) {
        const run *r = &sides[side];
        double share = 1 / out->n_tokens[!side], sum = 0;
        for (uint32_t k = 0; k < r->n_entries; k++) {
            double gain = (double)s[side].gains[r->begin + k] * w->sums[side].data[k] * share;
            sum += (double)s[side].counts[r->begin + k] * gain / (1 + gain);
        }
        out->coverage[side] = sum / out->n_tokens[side];
    }
}
