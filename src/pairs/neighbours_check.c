/*
 * neighbours_check.c - the recall check of a search for nearest neighbours.
 *
 * Rows of either side are drawn, and all their pairs at the threshold are found by the exact
 * search: their k best, by the lists' own order of ties, are the true neighbours. The interval
 * is that of the recall check of pairs: rows are drawn, with all their neighbours. Cost: an
 * exact search of the sample against each side.
 */
#include "pairs/neighbours_check.h"

#include "base/ctx.h"
#include "pairs/recall_check.h"

typedef struct check {
    dpl_ctx *ctx;
    const dpl__nearest_search *s;
    int side;         /* whose rows are checked */
    uint32_t *rows;   /* rising */
    size_t n, at;     /* of rows; the one whose pairs come now */
    uint64_t *best;   /* k of each, as in a list */
    uint64_t *counts; /* true and found, of each row of both sides */
} check;

static dpl_status take(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    (void)err;
    check *c = user;
    const dpl__neighbour_lists *l = c->s->lists;
    for (size_t i = 0; i < n; i++) {
        while (c->rows[c->at] < pairs[i].left)
            c->at++;
        if (l->is_self && pairs[i].left == pairs[i].right)
            continue;
        dpl__neighbour_list_insert(
            c->best + c->at * l->k, l->k,
            dpl__neighbour_lists_number(l, c->side, pairs[i].right, pairs[i].score));
    }
    return DPL_OK;
}

/* How many of the true ones, best first, are in the list. */
static void count(const check *c, size_t i, uint64_t *n_true, uint64_t *n_found)
{
    const dpl__neighbour_lists *l = c->s->lists;
    const uint64_t *best = c->best + i * l->k;
    const uint64_t *list = l->best[c->side] + (size_t)c->rows[i] * l->k;
    *n_true = *n_found = 0;
    for (unsigned a = 0, b = 0; a < l->k && best[a]; a++) {
        while (b < l->k && list[b] > best[a])
            b++;
        ++*n_true;
        *n_found += b < l->k && list[b] == best[a];
    }
}

static dpl_status check_side(check *c, uint64_t *n_true, uint64_t *n_found, dpl_error *err)
{
    const dpl__sides *given = c->s->sides;
    const dpl_vectors *own = c->side ? given->right : given->left;
    const dpl_vectors *others = c->side ? given->left : given->right;
    dpl__sides sides;
    DPL_TRY(dpl__sides_init(&sides, c->ctx, own, others, err));
    dpl__pair_sink sink = {c, take};
    dpl_status status = dpl__exact(
        c->ctx, &(dpl__exact_search){&sides, c->s->threshold, c->rows, c->n, &sink, NULL, NULL},
        c->s->spill, err);
    dpl__sides_clear(&sides, c->ctx);
    for (size_t i = 0; status == DPL_OK && i < c->n; i++)
        count(c, i, &n_true[i], &n_found[i]);
    return status;
}

static dpl_status check_all(check *c, dpl_recall_check *out, size_t n, uint64_t seed,
                            dpl_error *err)
{
    const dpl__neighbour_lists *l = c->s->lists;
    dpl__rng rng = {dpl__mix(seed ^ 0xC4EC)};
    size_t n_done = 0;
    uint64_t n_all = 0;
    for (c->side = 0; c->side < (l->is_self ? 1 : 2); c->side++) {
        c->at = 0;
        c->n = dpl__draw_stretches(c->rows, n, l->n_rows[c->side], &rng);
        memset(c->best, 0, c->n * l->k * sizeof *c->best);
        if (c->n)
            DPL_TRY(check_side(c, c->counts + n_done, c->counts + 2 * n + n_done, err));
        n_done += c->n;
        n_all += l->n_rows[c->side];
    }
    dpl__recall_check_interval(out, c->counts, c->counts + 2 * n, n_done, n_all);
    return DPL_OK;
}

dpl_status dpl__neighbours_check(dpl_recall_check *out, const dpl__nearest_search *s, size_t n,
                                 uint64_t seed, dpl_error *err)
{
    double began = dpl__now();
    dpl_ctx *ctx = s->lists->ctx;
    *out = (dpl_recall_check){.is_empty = true};
    n = dpl__min(n, dpl__max(s->lists->n_rows[0], s->lists->n_rows[1]));
    if (n == 0)
        return DPL_OK;
    size_t n_best = n * s->lists->k;
    check c = {.ctx = ctx,
               .s = s,
               .rows = dpl__alloc(ctx, n * sizeof *c.rows),
               .best = dpl__alloc(ctx, n_best * sizeof *c.best),
               .counts = dpl__calloc(ctx, 4 * n, sizeof *c.counts)};
    dpl_status status =
        c.rows && c.best && c.counts ? check_all(&c, out, n, seed, err) : dpl__fail_nomem(err);
    dpl__free(ctx, c.counts, c.best, c.rows);
    out->seconds = dpl__now() - began;
    return status;
}
