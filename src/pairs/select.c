/*
 * select.c - which of the pairs that were found are given back.
 *
 * In: pairs, left rows rising, right rows rising among them. Out: those selected, by left row,
 * then score downwards, then right row. A pair's value is its score, or its margin. Values are
 * ordered totally: the higher one, then the lower left row, then the lower right row.
 *
 *   all, best    by score: sorted and cut row by row as they come, then spooled
 *   best within one set, mutual: by score, only what is among a row's best so far is spooled,
 *                and looked at again when all best are known
 *   margin       everything is spooled, the k nearest scores of each row are kept
 *   one-to-one   everything is spooled and sorted by value (greedy), or becomes a graph in
 *                memory (optimal)
 *
 * Spools and sorters take an eighth of the context's memory each before they go to files; what
 * is kept for each row must fit. Cost: O(m log m) beside the optimal assignment.
 */
#include "base/ctx.h"
#include "pairs/assign.h"
#include "pairs/search.h"
#include "pairs/select_rows.h"

#include <math.h>
#include <stdlib.h>

typedef DPL_VEC(dpl_pair) pair_vec;

struct dpl__selector {
    dpl_ctx *ctx;
    dpl__spill *spill;
    dpl__select_options o;
    bool is_direct;            /* rows go to `chosen` as they come */
    uint32_t n_rows[2];        /* left, right; the same in a search within one set */
    dpl__nearest nearest[2];   /* with margin; within one set only the first, for both sides */
    dpl__partners partners[2]; /* best within one set, mutual: the same */
    uint32_t *mates;           /* one-to-one: of left rows, DPL__NO_MATE */
    pair_vec group;            /* pairs of one left row */
    dpl__spool held, chosen;
    /* reading `chosen` */
    dpl_pair *block;
    size_t n_block, at;
    uint64_t n_read;
};

enum { BLOCK = 1 << 13 }; /* pairs read at a time */

static dpl_status fail_limit(dpl_error *err, const char *what, double n_bytes, const char *hint)
{
    dpl__fail(err, DPL_E_LIMIT, "%s takes %.0f MB of memory, which are not there", what,
              n_bytes / 1e6);
    dpl__hint(err, "%s", hint);
    return DPL_E_LIMIT;
}

static bool fits(const dpl__selector *s, double n_bytes)
{
    return (double)dpl__ctx_used(s->ctx) + n_bytes <= (double)s->ctx->memory;
}

static bool needs_partners(const dpl__select_options *o)
{
    return o->select == DPL_SELECT_MUTUAL || (o->select == DPL_SELECT_BEST && o->is_self);
}

/* Rows of a search within one set have one entry for both sides. */
static unsigned right_side(const dpl__selector *s)
{
    return s->o.is_self ? 0 : 1;
}

/* ---- new and free ------------------------------------------------------------------- */

static dpl_status init_rows(dpl__selector *s, dpl_error *err)
{
    unsigned n = s->o.select == DPL_SELECT_MUTUAL ? 1 : s->o.n_best;
    for (unsigned side = 0; side <= right_side(s); side++) {
        if (s->o.margin)
            DPL_TRY(dpl__nearest_init(&s->nearest[side], s->ctx, s->n_rows[side], s->o.margin,
                                      (float)s->o.threshold, err));
        if (needs_partners(&s->o))
            DPL_TRY(dpl__partners_init(&s->partners[side], s->ctx, s->n_rows[side], n, err));
    }
    return DPL_OK;
}

dpl_status dpl__selector_new(dpl__selector **out, dpl_ctx *ctx,
                             const dpl__select_options *options, dpl__spill *spill,
                             dpl_error *err)
{
    *out = NULL;
    if (options->is_self && options->select == DPL_SELECT_ONE_TO_ONE &&
        options->assignment == DPL_ASSIGN_OPTIMAL) {
        dpl__fail(err, DPL_E_UNSUPPORTED,
                  "the optimal one-to-one selection needs two sets of rows");
        dpl__hint(err, "the greedy one works within one set, too");
        return DPL_E_UNSUPPORTED;
    }
    dpl__selector *s = dpl__calloc(ctx, 1, sizeof *s);
    if (!s)
        return dpl__fail_nomem(err);
    s->ctx = ctx;
    s->spill = spill;
    s->o = *options;
    s->o.n_best = s->o.n_best ? s->o.n_best : 1;
    s->o.threshold = s->o.threshold > 0 ? s->o.threshold : 0;
    s->n_rows[0] = options->n_left;
    s->n_rows[1] = options->is_self ? options->n_left : options->n_right;
    s->is_direct =
        !s->o.margin && !needs_partners(&s->o) && s->o.select != DPL_SELECT_ONE_TO_ONE;
    dpl__spool_init(&s->held, spill, (size_t)(ctx->memory / 8));
    dpl__spool_init(&s->chosen, spill, (size_t)(ctx->memory / 8));
    dpl_status status = init_rows(s, err);
    if (status != DPL_OK)
        dpl__selector_free(s);
    else
        *out = s;
    return status;
}

static void free_rows(dpl__selector *s)
{
    for (unsigned side = 0; side < 2; side++) {
        dpl__nearest_clear(&s->nearest[side]);
        dpl__partners_clear(&s->partners[side]);
    }
    dpl__free(s->ctx, s->mates, s->n_rows[0] * sizeof *s->mates);
    s->mates = NULL;
}

void dpl__selector_free(dpl__selector *s)
{
    if (!s)
        return;
    free_rows(s);
    dpl__vec_clear(s->ctx, &s->group);
    dpl__spool_clear(&s->held);
    dpl__spool_clear(&s->chosen);
    dpl__free(s->ctx, s->block, BLOCK * sizeof *s->block);
    dpl__free(s->ctx, s, sizeof *s);
}

/* ---- one left row ------------------------------------------------------------------- */

static int compare_pairs(const void *a, const void *b)
{
    const dpl_pair *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->right > y->right) - (x->right < y->right);
}

/* The group in its final order, cut to the n best where that is wanted. */
static dpl_status choose(dpl__selector *s, dpl_error *err)
{
    pair_vec *g = &s->group;
    if (g->n > 1)
        qsort(g->data, g->n, sizeof *g->data, compare_pairs);
    if (s->o.select == DPL_SELECT_BEST && !s->o.is_self)
        g->n = dpl__min(g->n, s->o.n_best);
    return g->n ? dpl__spool_append(&s->chosen, g->data, g->n * sizeof *g->data, err) : DPL_OK;
}

/* Is it among the best of both rows (mutual), or of one of them, as far as they are known? */
static bool offer_partners(dpl__selector *s, const dpl_pair *p)
{
    bool left = dpl__partners_offer(&s->partners[0], p->left, dpl__partner(p->score, p->right));
    bool right = dpl__partners_offer(&s->partners[right_side(s)], p->right,
                                     dpl__partner(p->score, p->left));
    return s->o.select == DPL_SELECT_MUTUAL ? left && right : left || right;
}

static bool has_partners(const dpl__selector *s, const dpl_pair *p)
{
    bool left = dpl__partners_has(&s->partners[0], p->left, dpl__partner(p->score, p->right));
    bool right = dpl__partners_has(&s->partners[right_side(s)], p->right,
                                   dpl__partner(p->score, p->left));
    return s->o.select == DPL_SELECT_MUTUAL ? left && right : left || right;
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
        } else if (needs_partners(&s->o) && !offer_partners(s, p)) {
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

dpl_status dpl__selector_add(dpl__selector *s, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    while (n) {
        size_t same = 1;
        while (same < n && pairs[same].left == pairs[0].left)
            same++;
        assert(pairs[0].left < s->n_rows[0] && pairs[same - 1].right < s->n_rows[1]);
        if (s->group.n && s->group.data[0].left != pairs[0].left)
            DPL_TRY(end_group(s, err));
        if (!dpl__vec_append(s->ctx, &s->group, pairs, same))
            return dpl__fail_nomem(err);
        pairs += same;
        n -= same;
    }
    return DPL_OK;
}

/* ---- again, when all are there ------------------------------------------------------ */

/* The mean is 0 only if the score is, too. */
static float margin_of(const dpl__selector *s, const dpl_pair *p)
{
    double mean = s->nearest[0].halves[p->left] + s->nearest[right_side(s)].halves[p->right];
    return mean > 0 ? (float)(p->score / mean) : 0;
}

/* Calls take for all pairs of each left row, in the group, with their values as scores. */
static dpl_status each_group(dpl__selector *s,
                             dpl_status (*take)(dpl__selector *s, void *user, dpl_error *err),
                             void *user, dpl_error *err)
{
    uint64_t n_all = dpl__spool_size(&s->held) / sizeof(dpl_pair);
    for (uint64_t done = 0; done < n_all;) {
        size_t n = n_all - done < BLOCK ? (size_t)(n_all - done) : BLOCK;
        DPL_TRY(dpl__spool_read(&s->held, done * sizeof *s->block, s->block,
                                n * sizeof *s->block, err));
        for (size_t i = 0; i < n; i++) {
            dpl_pair p = s->block[i];
            if (s->group.n && s->group.data[0].left != p.left) {
                DPL_TRY(take(s, user, err));
                s->group.n = 0;
            }
            if (s->o.margin)
                p.score = margin_of(s, &p);
            if (!dpl__vec_push(s->ctx, &s->group, p))
                return dpl__fail_nomem(err);
        }
        done += n;
        dpl_progress progress = {"select", "pairs", done, n_all};
        DPL_TRY(dpl__progress(s->ctx, &progress, err));
    }
    if (s->group.n)
        DPL_TRY(take(s, user, err));
    s->group.n = 0;
    return DPL_OK;
}

static dpl_status group_to_partners(dpl__selector *s, void *user, dpl_error *err)
{
    (void)user, (void)err;
    for (size_t i = 0; i < s->group.n; i++)
        offer_partners(s, &s->group.data[i]);
    return DPL_OK;
}

static dpl_status group_to_chosen(dpl__selector *s, void *user, dpl_error *err)
{
    (void)user;
    pair_vec *g = &s->group;
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++) {
        const dpl_pair *p = &g->data[i];
        bool stays = s->mates                ? s->mates[p->left] == p->right
                     : needs_partners(&s->o) ? has_partners(s, p)
                                             : true;
        if (stays)
            g->data[n++] = *p;
    }
    g->n = n;
    return choose(s, err);
}

/* ---- one-to-one, greedy ------------------------------------------------------------- */

/* Records come to the sorter by left, then right row, and it keeps that order among equals. */
static dpl_status group_to_sorter(dpl__selector *s, void *user, dpl_error *err)
{
    for (size_t i = 0; i < s->group.n; i++) {
        const dpl_pair *p = &s->group.data[i];
        uint32_t falling = ~(uint32_t)(dpl__partner(p->score, 0) >> 32), rows[2];
        char key[4];
        for (unsigned b = 0; b < 4; b++)
            key[b] = (char)(falling >> (24 - 8 * b));
        rows[0] = p->left;
        rows[1] = p->right;
        DPL_TRY(dpl__sorter_add(user, (dpl_str){key, sizeof key},
                                (dpl_str){(const char *)rows, sizeof rows}, err));
    }
    return DPL_OK;
}

/* Pairs by falling value: taken when both rows are free. */
static dpl_status take_free(dpl__selector *s, dpl__sorter *sorter, uint8_t *is_taken[2],
                            dpl_error *err)
{
    dpl_str key, value;
    dpl_status status;
    while ((status = dpl__sorter_next(sorter, &key, &value, err)) == DPL_OK) {
        uint32_t rows[2];
        memcpy(rows, value.data, sizeof rows);
        if (is_taken[0][rows[0]] || is_taken[1][rows[1]])
            continue;
        is_taken[0][rows[0]] = is_taken[1][rows[1]] = 1;
        s->mates[rows[0]] = rows[1];
    }
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status assign_greedily(dpl__selector *s, dpl_error *err)
{
    size_t n_left = s->n_rows[0], n_right = s->o.is_self ? 0 : s->n_rows[1];
    if (!fits(s, (double)n_left + (double)n_right))
        return fail_limit(err, "the one-to-one selection", (double)n_left + (double)n_right,
                          "allow more --memory");
    uint8_t *taken = dpl__calloc(s->ctx, n_left + n_right, 1);
    dpl__sorter *sorter = NULL;
    dpl_status status =
        taken ? dpl__sorter_new(&sorter, s->spill, (size_t)(s->ctx->memory / 8), err)
              : dpl__fail_nomem(err);
    if (status == DPL_OK)
        status = each_group(s, group_to_sorter, sorter, err);
    if (status == DPL_OK)
        status = dpl__sorter_sort(sorter, err);
    if (status == DPL_OK)
        status = take_free(s, sorter,
                           (uint8_t *[]){taken, s->o.is_self ? taken : taken + n_left}, err);
    dpl__sorter_free(sorter);
    dpl__free(s->ctx, taken, n_left + n_right);
    return status;
}

/* ---- one-to-one, optimal ------------------------------------------------------------ */

typedef struct graph {
    uint64_t *offsets;
    uint32_t *rights, *weights;
    uint64_t n;
} graph;

/* What is printed: millionths. Margins of thousands do not occur among texts. */
static uint32_t weight_of(float score)
{
    double w = rint((double)score * 1e6);
    return w < 0 ? 0 : w > (double)UINT32_MAX ? UINT32_MAX : (uint32_t)w;
}

/* Falling scores have falling weights; those of weight 0 are not worth having. */
static dpl_status group_to_graph(dpl__selector *s, void *user, dpl_error *err)
{
    (void)err;
    graph *g = user;
    uint32_t left = s->group.data[0].left;
    qsort(s->group.data, s->group.n, sizeof *s->group.data, compare_pairs);
    for (size_t i = 0; i < s->group.n; i++) {
        uint32_t weight = weight_of(s->group.data[i].score);
        if (!weight)
            break;
        g->rights[g->n] = s->group.data[i].right;
        g->weights[g->n++] = weight;
    }
    g->offsets[left + 1] = g->n;
    return DPL_OK;
}

static dpl_status assign_optimally(dpl__selector *s, dpl_error *err)
{
    uint64_t n_pairs = dpl__spool_size(&s->held) / sizeof(dpl_pair);
    size_t n_offsets = (size_t)s->n_rows[0] + 1;
    double n_bytes = 8.0 * (double)n_pairs + 8.0 * (double)n_offsets +
                     (double)dpl__assign_bytes(s->n_rows[0], s->n_rows[1]);
    if (!fits(s, n_bytes))
        return fail_limit(err, "the optimal one-to-one selection", n_bytes,
                          "raise --threshold, allow more --memory, or take the greedy one");
    graph g = {.offsets = dpl__calloc(s->ctx, n_offsets, sizeof *g.offsets),
               .rights = dpl__alloc(s->ctx, n_pairs * sizeof *g.rights),
               .weights = dpl__alloc(s->ctx, n_pairs * sizeof *g.weights)};
    dpl_status status = g.offsets && g.rights && g.weights
                            ? each_group(s, group_to_graph, &g, err)
                            : dpl__fail_nomem(err);
    if (status == DPL_OK) {
        for (size_t l = 1; l < n_offsets; l++) /* of rows without a pair */
            g.offsets[l] = g.offsets[l] > g.offsets[l - 1] ? g.offsets[l] : g.offsets[l - 1];
        dpl__bipartite b = {s->n_rows[0], s->n_rows[1], g.offsets, g.rights, g.weights};
        status = dpl__assign(s->mates, s->ctx, &b, err);
    }
    dpl__free(s->ctx, g.weights, n_pairs * sizeof *g.weights);
    dpl__free(s->ctx, g.rights, n_pairs * sizeof *g.rights);
    dpl__free(s->ctx, g.offsets, n_offsets * sizeof *g.offsets);
    return status;
}

static dpl_status assign_rows(dpl__selector *s, dpl_error *err)
{
    s->mates = dpl__alloc(s->ctx, s->n_rows[0] * sizeof *s->mates);
    if (!s->mates)
        return dpl__fail_nomem(err);
    for (size_t l = 0; l < s->n_rows[0]; l++)
        s->mates[l] = DPL__NO_MATE;
    return s->o.assignment == DPL_ASSIGN_OPTIMAL ? assign_optimally(s, err)
                                                 : assign_greedily(s, err);
}

/* ---- finish and next ---------------------------------------------------------------- */

static dpl_status settle(dpl__selector *s, dpl_error *err)
{
    for (unsigned side = 0; s->o.margin && side <= right_side(s); side++)
        DPL_TRY(dpl__nearest_finish(&s->nearest[side], err));
    if (s->o.margin && needs_partners(&s->o))
        DPL_TRY(each_group(s, group_to_partners, NULL, err));
    if (s->o.select == DPL_SELECT_ONE_TO_ONE)
        DPL_TRY(assign_rows(s, err));
    return each_group(s, group_to_chosen, NULL, err);
}

dpl_status dpl__selector_finish(dpl__selector *s, uint64_t *n_selected, dpl_error *err)
{
    s->block = dpl__alloc(s->ctx, BLOCK * sizeof *s->block);
    if (!s->block)
        return dpl__fail_nomem(err);
    if (s->group.n)
        DPL_TRY(end_group(s, err));
    if (dpl__spool_size(&s->held))
        DPL_TRY(settle(s, err));
    free_rows(s);
    dpl__spool_clear(&s->held);
    *n_selected = dpl__spool_size(&s->chosen) / sizeof(dpl_pair);
    return DPL_OK;
}

dpl_status dpl__selector_next(dpl__selector *s, dpl_pair *pair, dpl_error *err)
{
    if (s->at == s->n_block) {
        uint64_t left = dpl__spool_size(&s->chosen) / sizeof(dpl_pair) - s->n_read;
        size_t n = left < BLOCK ? (size_t)left : BLOCK;
        if (n == 0)
            return DPL_END;
        DPL_TRY(dpl__spool_read(&s->chosen, s->n_read * sizeof *s->block, s->block,
                                n * sizeof *s->block, err));
        s->n_read += n;
        s->n_block = n;
        s->at = 0;
    }
    *pair = s->block[s->at++];
    return DPL_OK;
}
