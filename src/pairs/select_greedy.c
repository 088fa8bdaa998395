/*
 * select_greedy.c - one-to-one, the best pair first.
 *
 * A pair that is the best of both its rows is taken whatever else there is, so those can be
 * taken all at once, without sorting; then pairs of rows that are taken are dropped, and the
 * next round begins. A round is one pass, and usually leaves less than half of the pairs. When
 * it does not, because many wait for one another (long chains, many equal scores), the rest is
 * sorted. Cost: O(m) for most data, O(m log m) at worst; 9 bytes a row, 17 a left one.
 */
#include "base/ctx.h"
#include "io/external_sort.h"
#include "pairs/select_one.h"
#include "pairs/select_rows.h"

typedef struct greedy {
    dpl_ctx *ctx;
    dpl__spill *spill;
    uint32_t n_left;
    dpl__partners best[2]; /* of left and right rows; within one set the first is for both */
    unsigned right;        /* which of the two is for right rows */
    uint8_t *taken;        /* left rows, then right rows: 1 when in a pair */
    uint8_t *right_taken;
    uint64_t *mates; /* of left rows: 0, or what dpl__partner makes of them */
} greedy;

static void take(greedy *g, uint32_t left, uint32_t right, float score)
{
    assert(!g->taken[left] && !g->right_taken[right]);
    g->taken[left] = g->right_taken[right] = 1;
    g->mates[left] = dpl__partner(score, right);
}

static void offer(greedy *g, const dpl_pair *p)
{
    dpl__partners_offer(&g->best[0], p->left, dpl__partner(p->score, p->right));
    dpl__partners_offer(&g->best[g->right], p->right, dpl__partner(p->score, p->left));
}

/* Pairs that are the best of both rows. */
static void take_best(greedy *g)
{
    for (uint32_t left = 0; left < g->n_left; left++) {
        uint64_t best = g->best[0].best[left];
        uint32_t right = dpl__partner_row(best);
        bool is_left = best && (g->right || left < right); /* within one set: look once */
        if (is_left && dpl__partner_row(g->best[g->right].best[right]) == left)
            take(g, left, right, dpl__partner_score(best));
    }
    dpl__partners_forget(&g->best[0]);
    dpl__partners_forget(&g->best[g->right]);
}

/* Finds the best of the pairs of which both rows are free, and puts all those into `to`, which
 * may be NULL. */
static dpl_status pass(greedy *g, dpl__spool *to, const dpl__spool *from, dpl_error *err)
{
    dpl__pair_reader reader;
    dpl_pair p;
    dpl_status status = dpl__pair_reader_begin(&reader, from, err);
    while (status == DPL_OK && (status = dpl__pair_reader_next(&reader, &p, err)) == DPL_OK) {
        if (g->taken[p.left] || g->right_taken[p.right])
            continue;
        offer(g, &p);
        if (to)
            status = dpl__spool_append(to, &p, sizeof p, err);
    }
    dpl__pair_reader_end(&reader);
    return status == DPL_END ? DPL_OK : status;
}

/* Rounds, as long as they pay. What is left is in pairs. */
static dpl_status take_in_rounds(greedy *g, dpl__spool *pairs, dpl_error *err)
{
    uint64_t before, left = dpl__pairs_in(pairs);
    DPL_TRY(pass(g, NULL, pairs, err));
    do {
        dpl__spool rest;
        dpl__spool_init(&rest, g->spill, (size_t)(g->ctx->memory / 8));
        before = left;
        take_best(g);
        dpl_status status = pass(g, &rest, pairs, err);
        dpl__spool_clear(pairs);
        *pairs = rest;
        DPL_TRY(status);
        left = dpl__pairs_in(pairs);
    } while (left && left <= before / 2);
    return DPL_OK;
}

/* ---- the rest, sorted --------------------------------------------------------------- */

/* They come by left, then right row, and equal ones stay in that order. */
static bool is_better(const dpl_pair *a, const dpl_pair *b)
{
    return a->score > b->score;
}

DPL_EXTERNAL_SORT(score_sort, dpl_pair, is_better, DPL_KEEP_ALL);

static dpl_status sort_all(score_sort *sort, const dpl__spool *pairs, dpl_error *err)
{
    dpl__pair_reader reader;
    dpl_pair p;
    dpl_status status = dpl__pair_reader_begin(&reader, pairs, err);
    while (status == DPL_OK && (status = dpl__pair_reader_next(&reader, &p, err)) == DPL_OK)
        status = score_sort_add(sort, &p, err);
    dpl__pair_reader_end(&reader);
    return status == DPL_END ? score_sort_end(sort, err) : status;
}

static dpl_status take_sorted(greedy *g, const dpl__spool *pairs, dpl_error *err)
{
    score_sort sort;
    dpl_pair p;
    score_sort_init(&sort, g->spill, (size_t)(g->ctx->memory / 8));
    dpl_status status = sort_all(&sort, pairs, err);
    while (status == DPL_OK && (status = score_sort_next(&sort, &p, err)) == DPL_OK)
        if (!g->taken[p.left] && !g->right_taken[p.right])
            take(g, p.left, p.right, p.score);
    score_sort_clear(&sort);
    return status == DPL_END ? DPL_OK : status;
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status take_all(greedy *g, dpl__spool *pairs, dpl_error *err)
{
    DPL_TRY(take_in_rounds(g, pairs, err));
    return dpl__pairs_in(pairs) ? take_sorted(g, pairs, err) : DPL_OK;
}

static dpl_status give(const greedy *g, dpl__spool *chosen, dpl_error *err)
{
    for (uint32_t left = 0; left < g->n_left; left++) {
        uint64_t mate = g->mates[left];
        dpl_pair p = {left, dpl__partner_row(mate), dpl__partner_score(mate)};
        if (mate)
            DPL_TRY(dpl__spool_append(chosen, &p, sizeof p, err));
    }
    return DPL_OK;
}

dpl_status dpl__select_greedily(dpl__spool *chosen, dpl__spool *pairs, uint32_t n_left,
                                uint32_t n_right, dpl_error *err)
{
    size_t n_rows = (size_t)n_left + n_right;
    greedy g = {.ctx = pairs->spill->ctx,
                .spill = pairs->spill,
                .n_left = n_left,
                .right = n_right ? 1 : 0};
    dpl_status status;
    DPL__STEP(dpl__partners_init(&g.best[0], g.ctx, n_left, 1, err));
    if (n_right)
        DPL__STEP(dpl__partners_init(&g.best[1], g.ctx, n_right, 1, err));
    g.taken = dpl__calloc(g.ctx, n_rows, sizeof *g.taken);
    g.mates = dpl__calloc(g.ctx, n_left, sizeof *g.mates);
    DPL__STEP(dpl__need(g.taken && g.mates, err));
    g.right_taken = n_right ? g.taken + n_left : g.taken;
    DPL__STEP(take_all(&g, pairs, err));
    DPL__STEP(give(&g, chosen, err));

done:
    dpl__free(g.ctx, g.mates, g.taken);
    dpl__partners_clear(&g.best[1]);
    dpl__partners_clear(&g.best[0]);
    return status;
}
