/*
 * anchors.c - rare words, candidates, the heaviest chain.
 *
 * Cost: linear in the words of the area and in the links of the rare ones, plus a logarithm of
 * the number of right sentences for each candidate, of which a left sentence has a few.
 */
#include "sentences/anchors.h"

#include "base/maths.h"
#include "sentences/sentences_params.h"

enum { MOST_CANDIDATES = 16 };

void dpl__anchors_init(dpl__anchors *a, dpl_ctx *ctx)
{
    *a = (dpl__anchors){.ctx = ctx};
}

void dpl__anchors_clear(dpl__anchors *a)
{
    dpl__vec_clear(a->ctx, &a->found);
}

dpl_status dpl__anchors_start(dpl__anchors *a, dpl__bow *bow, dpl_error *err)
{
    dpl__arena *arena = &bow->arena;
    const dpl__bow_side *left = &bow->side[DPL__LEFT], *right = &bow->side[DPL__RIGHT];
    size_t n_links = bow->links.n, n = right->n;
    a->bow = bow;
    a->link_weights = dpl__arena_alloc(arena, n_links * sizeof *a->link_weights);
    a->uses[DPL__LEFT] = dpl__arena_alloc(arena, left->n_words * sizeof(uint32_t));
    a->uses[DPL__RIGHT] = dpl__arena_alloc(arena, right->n_words * sizeof(uint32_t));
    a->begin = dpl__arena_alloc(arena, ((size_t)right->n_words + 1) * sizeof *a->begin);
    a->sentences = dpl__arena_alloc(arena, right->begin[n] * sizeof *a->sentences);
    a->sums = dpl__arena_alloc(arena, n * sizeof *a->sums);
    a->touched = dpl__arena_alloc(arena, n * sizeof *a->touched);
    a->tree = dpl__arena_alloc(arena, (n + 1) * sizeof *a->tree);
    DPL_TRY(dpl__need(a->link_weights && a->uses[0] && a->uses[1] && a->begin && a->sentences &&
                          a->sums && a->touched && a->tree,
                      err));
    for (size_t i = 0; i < n_links; i++)
        a->link_weights[i] = -1;
    if (n)
        memset(a->sums, 0, n * sizeof *a->sums);
    return DPL_OK;
}

/* ---- words -------------------------------------------------------------------------- */

static void count_uses(dpl__anchors *a, int side, uint32_t first, uint32_t n)
{
    const dpl__bow_side *s = &a->bow->side[side];
    if (s->n_words)
        memset(a->uses[side], 0, s->n_words * sizeof *a->uses[side]);
    for (uint32_t k = s->begin[first]; k < s->begin[first + n]; k++)
        a->uses[side][s->words[k]]++;
}

/* The sentences of each rare right word. */
static void index_rare_words(dpl__anchors *a, dpl__area area)
{
    const dpl__bow_side *s = &a->bow->side[DPL__RIGHT];
    const uint32_t *uses = a->uses[DPL__RIGHT];
    uint32_t at = 0;
    for (uint32_t word = 0; word < s->n_words; word++) {
        a->begin[word] = at;
        at += uses[word] <= PN(anchor_uses) ? uses[word] : 0;
    }
    for (uint32_t j = area.right; j < area.right + area.n_right; j++)
        for (uint32_t k = s->begin[j]; k < s->begin[j + 1]; k++)
            if (uses[s->words[k]] <= PN(anchor_uses))
                a->sentences[a->begin[s->words[k]]++] = j;
    for (uint32_t word = 0; word < s->n_words; word++)
        a->begin[word] -= uses[word] <= PN(anchor_uses) ? uses[word] : 0;
}

/* The log-likelihood gain of a link between two words in sentences of usual length. */
static float link_weight(dpl__anchors *a, uint32_t link, uint32_t word)
{
    if (a->link_weights[link] < 0) {
        const dpl__bow_link *l = &a->bow->links.data[link];
        double left = a->bow->side[DPL__LEFT].word_gains[word];
        double right = a->bow->side[DPL__RIGHT].word_gains[l->right];
        a->link_weights[link] = (float)(0.5 * dpl__log((1 + right * l->p[0] / P(usual_tokens)) *
                                                       (1 + left * l->p[1] / P(usual_tokens))));
    }
    return a->link_weights[link];
}

/* ---- candidates --------------------------------------------------------------------- */

/* Sums the weights of the links of left sentence i by right sentence; how many have one. */
static uint32_t weigh_candidates(dpl__anchors *a, uint32_t i)
{
    const dpl__bow *b = a->bow;
    const dpl__bow_side *s = &b->side[DPL__LEFT];
    uint32_t n_touched = 0;
    for (uint32_t k = s->begin[i]; k < s->begin[i + 1]; k++) {
        uint32_t word = s->words[k], uses = a->uses[DPL__LEFT][word];
        if (uses > PN(anchor_uses))
            continue;
        for (uint32_t l = b->link_begin[word]; l < b->link_begin[word + 1]; l++) {
            uint32_t right = b->links.data[l].right, n = a->uses[DPL__RIGHT][right];
            if (n == 0 || n > PN(anchor_uses))
                continue;
            float weight = link_weight(a, l, word) / (float)(n > uses ? n : uses);
            if (!(weight > 0))
                continue;
            for (uint32_t at = a->begin[right]; at < a->begin[right] + n; at++) {
                uint32_t j = a->sentences[at];
                if (a->sums[j] == 0)
                    a->touched[n_touched++] = j;
                a->sums[j] += weight;
            }
        }
    }
    return n_touched;
}

/* The candidates with the largest weights; of equals the earlier ones. */
static dpl_status keep_best(dpl__anchors *a, uint32_t i, uint32_t n_touched, dpl_error *err)
{
    dpl__anchor best[MOST_CANDIDATES];
    uint32_t n = 0, most = PN(anchor_candidates);
    most = most < MOST_CANDIDATES ? most : MOST_CANDIDATES;
    for (uint32_t k = 0; k < n_touched; k++) {
        uint32_t j = a->touched[k];
        float weight = a->sums[j];
        a->sums[j] = 0;
        if (weight < PF(anchor_weight))
            continue;
        uint32_t at = n < most ? n++ : n;
        for (; at > 0 && (best[at - 1].weight < weight ||
                          (best[at - 1].weight == weight && best[at - 1].right > j));
             at--)
            if (at < most)
                best[at] = best[at - 1];
        if (at < most)
            best[at] = (dpl__anchor){.left = i, .right = j, .weight = weight};
    }
    return dpl__need(dpl__vec_append(a->ctx, &a->found, best, n), err);
}

/* ---- the chain ---------------------------------------------------------------------- */

/* The candidate with the largest sum among those with right sentences before j. */
static uint32_t best_before(const dpl__anchors *a, uint32_t j)
{
    uint32_t best = 0;
    for (; j > 0; j &= j - 1) {
        uint32_t c = a->tree[j];
        if (c && (!best || a->found.data[c - 1].sum > a->found.data[best - 1].sum))
            best = c;
    }
    return best;
}

static void tree_add(dpl__anchors *a, uint32_t candidate, uint32_t j, uint32_t n)
{
    for (j++; j <= n; j += j & (0 - j)) {
        uint32_t *c = &a->tree[j];
        if (!*c || a->found.data[candidate].sum > a->found.data[*c - 1].sum)
            *c = candidate + 1;
    }
}

/* a->found becomes the heaviest chain, in its order. */
static void chain(dpl__anchors *a, dpl__area area)
{
    dpl__anchor *all = a->found.data;
    uint32_t n = (uint32_t)a->found.n, best = 0;
    memset(a->tree, 0, ((size_t)area.n_right + 1) * sizeof *a->tree);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && all[end].left == all[i].left; end++) {
            all[end].before = best_before(a, all[end].right - area.right);
            all[end].sum = (double)all[end].weight;
            if (all[end].before)
                all[end].sum += all[all[end].before - 1].sum;
        }
        for (uint32_t k = i; k < end; k++) {
            tree_add(a, k, all[k].right - area.right, area.n_right);
            if (!best || all[k].sum > all[best - 1].sum)
                best = k + 1;
        }
    }
    /* The chain is followed from its end into the end of the array: it is never longer than
     * what is still to be read. */
    uint32_t at = n;
    for (uint32_t c = best; c;) {
        dpl__anchor anchor = all[c - 1];
        all[--at] = anchor;
        c = anchor.before;
    }
    if (at)
        memmove(all, all + at, (n - at) * sizeof *all);
    a->found.n = n - at;
}

/* Keeps anchors that have others near them in the same direction. */
static void prune(dpl__anchors *a)
{
    dpl__anchor *all = a->found.data;
    size_t n = a->found.n, n_left = 0;
    for (size_t i = 0; i < n; i++)
        all[i].sum = (double)all[i].weight;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n && all[k].left - all[i].left <= PN(anchor_near); k++) {
            uint32_t down = all[k].left - all[i].left, across = all[k].right - all[i].right;
            uint32_t off = down > across ? down - across : across - down;
            if (off > 2 + down / 3)
                continue;
            all[i].sum += (double)all[k].weight;
            all[k].sum += (double)all[i].weight;
        }
    for (size_t i = 0; i < n; i++)
        if (all[i].sum >= P(anchor_support))
            all[n_left++] = all[i];
    a->found.n = n_left;
}

dpl_status dpl__anchors_find(dpl__anchors *a, dpl__area area, dpl_error *err)
{
    a->found.n = 0;
    count_uses(a, DPL__LEFT, area.left, area.n_left);
    count_uses(a, DPL__RIGHT, area.right, area.n_right);
    index_rare_words(a, area);
    for (uint32_t i = area.left; i < area.left + area.n_left; i++)
        DPL_TRY(keep_best(a, i, weigh_candidates(a, i), err));
    if (a->found.n) {
        chain(a, area);
        prune(a);
    }
    return DPL_OK;
}
