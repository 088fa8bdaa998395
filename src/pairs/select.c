/*
 * select.c - which of the pairs that were found are given back.
 *
 * In: pairs, left rows rising, right rows rising among them. Out: those selected, by left row,
 * then score downwards, then right row. A pair's value is its score, or its margin. Values are
 * ordered totally: the higher one, then the lower left row, then the lower right row.
 *
 *   all, best     are sorted and cut row by row as they come.
 *   best within one set, mutual
 *                 Only what is among a row's best so far is held back, and looked at again when
 *                 all best are known.
 *   one-to-one    Everything is held back; select_greedy.c, select_optimal.c.
 *   near          Pairs that are not far below the best so far are held back; of those that are
 *                 near to it in the end select_greedy.c takes the best first.
 *   by groups     Rows become rows of (row, group of the other); select_groups.c.
 *   by margin     Everything is held back, and the k nearest scores of each row are kept. Then
 *                 scores become margins, and it goes on as above.
 *
 * A spool takes an eighth of the context's memory before it goes to a file; what is kept of
 * each row must fit. Cost: a few passes and the sorting of rows, beside one-to-one.
 */
#include "base/ctx.h"
#include "pairs/searches.h"
#include "pairs/select_groups.h"
#include "pairs/select_one.h"
#include "pairs/select_rows.h"
#include "pairs/selections.h"

typedef DPL_VEC(dpl_pair) pair_vec;

struct dpl__selector {
    dpl_ctx *ctx;
    dpl__spill *spill;
    const dpl__selection *row;
    dpl__select_options o;
    bool is_direct;     /* rows go to `chosen` as they come */
    uint32_t n_rows[2]; /* left, right; the same in a search within one set */
    dpl__nearest_scores
        nearest[2];            /* with margin; within one set only the first, for both sides */
    dpl__partners partners[2]; /* best within one set, mutual, near: the same */
    pair_vec group;            /* pairs of one left row */
    dpl__grouped_rows grouped; /* by groups */
    dpl__spool held, chosen;
    dpl__pair_reader reader; /* of chosen */
};

static bool needs_partners(const dpl__selector *s)
{
    return s->row->is_mutual || s->row->is_near || (s->row->is_limited && s->o.is_self);
}

/* Rows of a search within one set have one entry for both sides. */
static unsigned right_side(const dpl__selector *s)
{
    return s->o.is_self ? 0 : 1;
}

/* ---- new and free ------------------------------------------------------------------- */

static dpl_status init_rows(dpl__selector *s, dpl_error *err)
{
    unsigned n = s->row->is_limited ? s->o.n_best : 1;
    for (unsigned side = 0; side <= right_side(s); side++) {
        if (s->o.margin)
            DPL_TRY(dpl__nearest_init(&s->nearest[side], s->ctx, s->n_rows[side], s->o.margin,
                                      (float)s->o.threshold, err));
        if (needs_partners(s))
            DPL_TRY(dpl__partners_init(&s->partners[side], s->ctx, s->n_rows[side], n, err));
    }
    return DPL_OK;
}

dpl_status dpl__selector_new(dpl__selector **out, dpl_ctx *ctx,
                             const dpl__select_options *options, dpl__spill *spill,
                             dpl_error *err)
{
    *out = NULL;
    const dpl__selection *row = dpl__selection_of(options->select);
    if (!row)
        return dpl__fail(err, DPL_E_USAGE, "no selection number %d", (int)options->select);
    if (options->is_self && row->is_one_to_one && !row->is_near &&
        options->assignment == DPL_ASSIGN_OPTIMAL) {
        dpl__fail(err, DPL_E_UNSUPPORTED,
                  "the optimal one-to-one selection needs two sets of rows");
        dpl__hint(err, "without optimal, the best pair is taken first, within one set, too");
        return DPL_E_UNSUPPORTED;
    }
    dpl__selector *s = dpl__calloc(ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    s->ctx = ctx;
    s->spill = spill;
    s->row = row;
    s->o = *options;
    s->o.n_best = s->o.n_best ? s->o.n_best : 1;
    s->o.threshold = s->o.threshold > 0 ? s->o.threshold : 0;
    s->n_rows[0] = options->n_left;
    s->n_rows[1] = options->is_self ? options->n_left : options->n_right;
    s->grouped = (dpl__grouped_rows){.ctx = ctx};
    assert(!options->group_of || options->is_self);
    s->is_direct = !s->o.margin && !needs_partners(s) && !s->row->is_one_to_one;
    dpl__spool_init(&s->held, spill, (size_t)(ctx->memory / 8));
    dpl__spool_init(&s->chosen, spill, (size_t)(ctx->memory / 8));
    dpl_status status = DPL_OK;
    if (options->group_of)
        DPL__STEP(dpl__grouped_rows_init(&s->grouped, s->n_rows, options, err));
    DPL__STEP(init_rows(s, err));
    *out = s;
    s = NULL;
done:
    dpl__selector_free(s);
    return status;
}

static void free_rows(dpl__selector *s)
{
    for (unsigned side = 0; side < 2; side++) {
        dpl__nearest_clear(&s->nearest[side]);
        dpl__partners_clear(&s->partners[side]);
    }
}

void dpl__selector_free(dpl__selector *s)
{
    if (!s)
        return;
    free_rows(s);
    dpl__grouped_rows_clear(&s->grouped);
    dpl__pair_reader_end(&s->reader);
    dpl__vec_clear(s->ctx, &s->group);
    dpl__spool_clear(&s->held);
    dpl__spool_clear(&s->chosen);
    dpl__free(s->ctx, s);
}

/* ---- one left row ------------------------------------------------------------------- */

static bool is_worse(const dpl_pair *x, const dpl_pair *y)
{
    return x->score < y->score || (x->score <= y->score && x->right > y->right);
}

/* A heap with the worst one on top; what is at the place may be better than what is below. */
static void sift_down(dpl_pair *heap, size_t n, size_t at)
{
    dpl_pair moved = heap[at];
    for (size_t below; (below = 2 * at + 1) < n; at = below) {
        below += below + 1 < n && is_worse(&heap[below + 1], &heap[below]);
        if (!is_worse(&heap[below], &moved))
            break;
        heap[at] = heap[below];
    }
    heap[at] = moved;
}

/* The n best come to the front, in any order. A low threshold finds thousands for each row, and
 * sorting all of them would take as long as finding them. */
static void gather_best(pair_vec *g, size_t n)
{
    if (n == 0 || g->n <= n)
        return;
    for (size_t i = n / 2; i-- > 0;)
        sift_down(g->data, n, i);
    for (size_t i = n; i < g->n; i++)
        if (is_worse(&g->data[0], &g->data[i])) {
            g->data[0] = g->data[i];
            sift_down(g->data, n, 0);
        }
    g->n = n;
}

/* The group in its final order, cut to the n best where that is wanted. */
static dpl_status choose(dpl__selector *s, dpl_error *err)
{
    pair_vec *g = &s->group;
    if (s->row->is_limited && !s->o.is_self)
        gather_best(g, s->o.n_best);
    dpl__vec_sort(g, dpl__pairs_by_score);
    return g->n ? dpl__spool_append(&s->chosen, g->data, g->n * sizeof *g->data, err) : DPL_OK;
}

/* Is the score near the best that the row has so far? */
static bool is_near(const dpl__selector *s, unsigned side, uint32_t row, float score)
{
    assert(s->partners[side].n == 1 && row < s->partners[side].n_rows);
    const uint64_t best = s->partners[side].best[row];
    return !best || (double)score >= s->o.near_ratio * (double)dpl__partner_score(best);
}

static bool is_near_both(const dpl__selector *s, const dpl_pair *p)
{
    return is_near(s, 0, p->left, p->score) && is_near(s, right_side(s), p->right, p->score);
}

/* Is it among the best of both rows (mutual), of one of them, or near, as far as they are
 * known?
 */
static bool offer_partners(dpl__selector *s, const dpl_pair *p)
{
    bool left = dpl__partners_offer(&s->partners[0], p->left, dpl__partner(p->score, p->right));
    bool right = dpl__partners_offer(&s->partners[right_side(s)], p->right,
                                     dpl__partner(p->score, p->left));
    if (s->row->is_near)
        return is_near_both(s, p);
    return s->row->is_mutual ? left && right : left || right;
}

static bool has_partners(const dpl__selector *s, const dpl_pair *p)
{
    if (s->row->is_near)
        return is_near_both(s, p);
    bool left = dpl__partners_has(&s->partners[0], p->left, dpl__partner(p->score, p->right));
    bool right = dpl__partners_has(&s->partners[right_side(s)], p->right,
                                   dpl__partner(p->score, p->left));
    return s->row->is_mutual ? left && right : left || right;
}

/* The group as it was found goes to where it waits for the end. */
static dpl_status hold(dpl__selector *s, dpl_error *err)
{
    pair_vec *g = &s->group;
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        const dpl_pair *p = &g->data[i];
        if (s->o.margin) {
            dpl__nearest_offer(&s->nearest[0], p->left, p->score);
            dpl__nearest_offer(&s->nearest[right_side(s)], p->right, p->score);
        } else if (needs_partners(s) && !offer_partners(s, p)) {
            continue;
        }
        g->data[n++] = *p;
    }
    return n ? dpl__spool_append(&s->held, g->data, n * sizeof *g->data, err) : DPL_OK;
}

static dpl_status end_group(dpl__selector *s, dpl_error *err)
{
    dpl_status status = s->is_direct ? choose(s, err) : hold(s, err);
    s->group.n = 0;
    return status;
}

static dpl_status add_rows(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    dpl__selector *s = user;
    while (n) {
        size_t same = 1;
        while (same < n && pairs[same].left == pairs[0].left)
            same++;
        assert(pairs[0].left < s->n_rows[0] && pairs[same - 1].right < s->n_rows[1]);
        assert(!s->group.n || s->group.data[0].left <= pairs[0].left);
        if (s->group.n && s->group.data[0].left != pairs[0].left)
            DPL_TRY(end_group(s, err));
        DPL_TRY(dpl__need(dpl__vec_append(s->ctx, &s->group, pairs, same), err));
        pairs += same;
        n -= same;
    }
    return DPL_OK;
}

dpl_status dpl__selector_add(dpl__selector *s, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    if (!s->o.group_of)
        return add_rows(s, pairs, n, err);
    return dpl__grouped_rows_add(&s->grouped, pairs, n, &(dpl__pair_sink){s, add_rows}, err);
}

/* ---- again, when all are there ------------------------------------------------------ */

/* The mean is 0 only if the score is, too. */
static float margin_of(const dpl__selector *s, const dpl_pair *p)
{
    assert(p->left < s->n_rows[0] && p->right < s->n_rows[1]);
    double mean = s->nearest[0].halves[p->left] + s->nearest[right_side(s)].halves[p->right];
    return mean > 0 ? (float)(p->score / mean) : 0;
}

/* Scores become margins. */
static dpl_status find_margins(dpl__selector *s, dpl_error *err)
{
    dpl__pair_reader reader = {0};
    dpl__spool margins;
    dpl_pair p;
    for (unsigned side = 0; side <= right_side(s); side++)
        DPL_TRY(dpl__nearest_finish(&s->nearest[side], err));
    dpl__spool_init(&margins, s->spill, (size_t)(s->ctx->memory / 8));
    dpl_status status;
    DPL__STEP(dpl__pair_reader_begin(&reader, &s->held, err));
    while ((status = dpl__pair_reader_next(&reader, &p, err)) == DPL_OK) {
        p.score = margin_of(s, &p);
        DPL__STEP(dpl__spool_append(&margins, &p, sizeof p, err));
        if (needs_partners(s))
            offer_partners(s, &p);
    }
done:
    dpl__pair_reader_end(&reader);
    dpl__spool_clear(&s->held);
    s->held = margins;
    return status == DPL_END ? DPL_OK : status;
}

/* The group at hand: what stays of it goes to where it is read from. */
static dpl_status choose_known(dpl__selector *s, dpl_error *err)
{
    pair_vec *g = &s->group;
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        if (!needs_partners(s) || has_partners(s, &g->data[i]))
            g->data[n++] = g->data[i];
    g->n = n;
    dpl_status status = choose(s, err);
    g->n = 0;
    return status;
}

static dpl_status choose_held(dpl__selector *s, dpl_error *err)
{
    dpl__pair_reader reader;
    dpl_pair p;
    dpl_status status;
    DPL__STEP(dpl__pair_reader_begin(&reader, &s->held, err));
    while ((status = dpl__pair_reader_next(&reader, &p, err)) == DPL_OK) {
        if (s->group.n && s->group.data[0].left != p.left)
            DPL__STEP(choose_known(s, err));
        DPL__STEP(dpl__need(dpl__vec_push(s->ctx, &s->group, p), err));
    }
done:
    dpl__pair_reader_end(&reader);
    return status == DPL_END ? choose_known(s, err) : status;
}

/* What is near in the end is held. */
static dpl_status keep_near(dpl__selector *s, dpl_error *err)
{
    dpl__pair_reader reader = {0};
    dpl__spool near;
    dpl_pair p;
    dpl__spool_init(&near, s->spill, (size_t)(s->ctx->memory / 8));
    dpl_status status = dpl__pair_reader_begin(&reader, &s->held, err);
    while (status == DPL_OK && (status = dpl__pair_reader_next(&reader, &p, err)) == DPL_OK)
        if (is_near_both(s, &p))
            status = dpl__spool_append(&near, &p, sizeof p, err);
    dpl__pair_reader_end(&reader);
    dpl__spool_clear(&s->held);
    s->held = near;
    return status == DPL_END ? DPL_OK : status;
}

/* ---- finish and next ---------------------------------------------------------------- */

static dpl_status settle(dpl__selector *s, dpl_error *err)
{
    if (s->o.margin)
        DPL_TRY(find_margins(s, err));
    if (!s->row->is_one_to_one)
        return choose_held(s, err);
    if (s->row->is_near)
        DPL_TRY(keep_near(s, err));
    else if (s->o.assignment == DPL_ASSIGN_OPTIMAL)
        return dpl__select_optimally(&s->chosen, &s->held, s->n_rows[0], s->n_rows[1], err);
    return dpl__select_greedily(&s->chosen, &s->held, s->n_rows[0],
                                s->o.is_self ? 0 : s->n_rows[1], err);
}

dpl_status dpl__selector_finish(dpl__selector *s, uint64_t *n_selected, dpl_error *err)
{
    if (s->o.group_of)
        DPL_TRY(dpl__grouped_rows_end(&s->grouped, &(dpl__pair_sink){s, add_rows}, err));
    if (s->group.n)
        DPL_TRY(end_group(s, err));
    if (dpl__spool_size(&s->held))
        DPL_TRY(settle(s, err));
    free_rows(s);
    dpl__spool_clear(&s->held);
    assert(dpl__spool_size(&s->chosen) % sizeof(dpl_pair) == 0);
    *n_selected = dpl__pairs_in(&s->chosen);
    return dpl__pair_reader_begin(&s->reader, &s->chosen, err);
}

dpl_status dpl__selector_next(dpl__selector *s, dpl_pair *pair, dpl_error *err)
{
    if (s->o.group_of)
        return dpl__grouped_rows_next(&s->grouped, pair, &s->reader, err);
    return dpl__pair_reader_next(&s->reader, pair, err);
}
