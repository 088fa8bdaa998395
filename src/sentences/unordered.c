/*
 * unordered.c - mutual best pairs with a margin, without any order.
 *
 * Links of words that are not too frequent sum up to weights of right sentences for each left
 * one; those with the largest weights are scored in full, and both sides keep their best two. A
 * pair is matched when it is the best of both, better than chance, and by the margin better
 * than the second best of either. Cost: the uses of the right words, and some
 * scores for a left sentence.
 */
#include "sentences/unordered.h"

#include "base/maths.h"
#include "sentences/sentences_params.h"

enum { MOST_CANDIDATES = 32 };

static dpl_status make_room(dpl__unordered *m, dpl__bow *bow, dpl_error *err)
{
    dpl__arena *a = &bow->arena;
    for (int side = 0; side < 2; side++) {
        size_t n = bow->side[side].n;
        m->partners[side] = dpl__arena_alloc(a, n * sizeof *m->partners[side]);
        m->best[side] = dpl__arena_alloc(a, n * sizeof *m->best[side]);
        DPL_TRY(dpl__need(m->partners[side] && m->best[side], err));
        for (size_t i = 0; i < n; i++) {
            m->partners[side][i] = DPL__NO_PARTNER;
            m->best[side][i] = (dpl__best){DPL__NO_PARTNER, 0, 0};
        }
    }
    const dpl__bow_side *right = &bow->side[DPL__RIGHT];
    size_t n = right->n;
    m->begin = dpl__arena_alloc(a, ((size_t)right->n_words + 2) * sizeof *m->begin);
    m->sentences = dpl__arena_alloc(a, right->begin[n] * sizeof *m->sentences);
    m->sums = dpl__arena_alloc(a, n * sizeof *m->sums);
    m->touched = dpl__arena_alloc(a, n * sizeof *m->touched);
    DPL_TRY(dpl__need(m->begin && m->sentences && m->sums && m->touched, err));
    for (size_t j = 0; j < n; j++)
        m->sums[j] = 0;
    return DPL_OK;
}

/* The sentences of each right word. */
static void index_words(dpl__unordered *m, const dpl__bow_side *s)
{
    memset(m->begin, 0, ((size_t)s->n_words + 2) * sizeof *m->begin);
    for (uint32_t k = 0; k < s->begin[s->n]; k++)
        m->begin[s->words[k] + 2]++;
    for (size_t word = 2; word < (size_t)s->n_words + 2; word++)
        m->begin[word] += m->begin[word - 1];
    for (uint32_t j = 0; j < s->n; j++)
        for (uint32_t k = s->begin[j]; k < s->begin[j + 1]; k++)
            m->sentences[m->begin[s->words[k] + 1]++] = j;
}

/* Sums the weights of the links of left sentence i by right sentence; how many have one. */
static uint32_t weigh_candidates(dpl__unordered *m, const dpl__bow *b, uint32_t i)
{
    const dpl__bow_side *s = &b->side[DPL__LEFT], *right = &b->side[DPL__RIGHT];
    uint32_t n_touched = 0, most = (uint32_t)(right->n * P(unordered_share));
    most = most > PN(unordered_uses) ? most : PN(unordered_uses);
    for (uint32_t k = s->begin[i]; k < s->begin[i + 1]; k++) {
        uint32_t word = s->words[k];
        for (uint32_t l = b->link_begin[word]; l < b->link_begin[word + 1]; l++) {
            const dpl__bow_link *link = &b->links.data[l];
            uint32_t at = m->begin[link->right], end = m->begin[link->right + 1];
            if (end - at > most)
                continue;
            double gain = (1 + right->word_gains[link->right] * link->p[0] / P(usual_tokens)) *
                          (1 + s->word_gains[word] * link->p[1] / P(usual_tokens));
            float weight = (float)dpl__log(gain);
            if (!(weight > 0))
                continue;
            for (; at < end; at++) {
                uint32_t j = m->sentences[at];
                if (m->sums[j] == 0)
                    m->touched[n_touched++] = j;
                m->sums[j] += weight;
            }
        }
    }
    return n_touched;
}

/* The candidates with the largest weights, of equals the earlier ones; how many there are. */
static uint32_t keep_best(dpl__unordered *m, uint32_t n_touched, uint32_t out[MOST_CANDIDATES])
{
    float weights[MOST_CANDIDATES];
    uint32_t n = 0, most = PN(unordered_candidates);
    most = most < MOST_CANDIDATES ? most : MOST_CANDIDATES;
    for (uint32_t k = 0; k < n_touched; k++) {
        uint32_t j = m->touched[k], at = n;
        float weight = m->sums[j];
        m->sums[j] = 0;
        while (at > 0 &&
               (weights[at - 1] < weight || (weights[at - 1] == weight && out[at - 1] > j)))
            at--;
        if (at == most)
            continue;
        n += n < most;
        memmove(out + at + 1, out + at, (n - 1 - at) * sizeof *out);
        memmove(weights + at + 1, weights + at, (n - 1 - at) * sizeof *weights);
        out[at] = j;
        weights[at] = weight;
    }
    return n;
}

static void note(dpl__best *b, uint32_t at, double value)
{
    if (value > b->value) {
        b->second = b->value;
        b->value = value;
        b->at = at;
    } else if (value > b->second) {
        b->second = value;
    }
}

dpl_status dpl__unordered_match(dpl__unordered *m, dpl__bow *bow, dpl__pair_value *value,
                                void *user, double margin, dpl_error *err)
{
    uint32_t n = bow->side[DPL__LEFT].n, found[MOST_CANDIDATES];
    DPL_TRY(make_room(m, bow, err));
    index_words(m, &bow->side[DPL__RIGHT]);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t n_found = keep_best(m, weigh_candidates(m, bow, i), found);
        for (uint32_t k = 0; k < n_found; k++) {
            double x;
            DPL_TRY(value(user, i, found[k], &x, err));
            note(&m->best[DPL__LEFT][i], found[k], x);
            note(&m->best[DPL__RIGHT][found[k]], i, x);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const dpl__best *left = &m->best[DPL__LEFT][i], *right;
        if (left->at == DPL__NO_PARTNER || left->value < left->second + margin)
            continue;
        right = &m->best[DPL__RIGHT][left->at];
        if (right->at != i || right->value < right->second + margin)
            continue;
        m->partners[DPL__LEFT][i] = left->at;
        m->partners[DPL__RIGHT][left->at] = i;
    }
    return DPL_OK;
}
