/*
 * mining_features.c - what the classifier of mining_classifier.c looks at in two sentences: a
 * word alignment by a lexicon, the filter, and features of lengths, translated words and the
 * alignment, after Munteanu and Marcu (2005).
 *
 * Cost: linear in the words and their translations; identical words are looked for one by one.
 */
#include "lab/mining_features.h"

#include "base/hash.h"
#include "base/maths.h"

#include <math.h>

typedef dpl__mining_word word;
typedef dpl__mining_pair pair;
typedef dpl__mining_aligner aligner;

dpl_status dpl__mining_aligner_init(aligner *a, dpl__lab *lab, const dpl_lexicon *lexicon,
                                    dpl_error *err)
{
    *a = (aligner){.lexicon = lexicon};
    const dpl_lexicon_sizes *sizes = dpl_lexicon_get_sizes(a->lexicon);
    const size_t n[2] = {sizes->n_sources, sizes->n_targets};
    for (unsigned which = 0; which < 2; which++) {
        const size_t n_bytes = (n[which] + 1) * sizeof(uint32_t);
        a->stamps[which] = dpl__arena_alloc(&lab->arena, n_bytes);
        a->places[which] = dpl__arena_alloc(&lab->arena, n_bytes);
        DPL_TRY(dpl__need(a->stamps[which] && a->places[which], err));
        memset(a->stamps[which], 0, n_bytes);
    }
    return DPL_OK;
}

word dpl__mining_word_of(const aligner *a, unsigned which, dpl_str text)
{
    word w = {UINT32_MAX, dpl__hash(text.data, text.n, 0)};
    uint32_t number;
    if (which ? dpl_lexicon_find_target(a->lexicon, text, &number)
              : dpl_lexicon_find_source(a->lexicon, text, &number))
        w.number = number;
    return w;
}

static void stamp(aligner *a, const pair *p)
{
    a->stamp++;
    for (unsigned which = 0; which < 2; which++)
        for (unsigned i = 0; i < p->n[which]; i++) {
            const uint32_t number = p->words[which][i].number;
            if (number != UINT32_MAX) {
                a->stamps[which][number] = a->stamp;
                a->places[which][number] = i;
            }
        }
}

/* The likeliest translation of a word in the other sentence, or the same word. */
static int find_best(const aligner *a, const pair *p, unsigned which, unsigned i)
{
    const word *w = &p->words[which][i];
    const float *probabilities;
    size_t n = 0;
    int best = -1;
    float most = 0;
    const uint32_t *row = w->number == UINT32_MAX ? NULL
                          : which
                              ? dpl_lexicon_back_row(a->lexicon, w->number, &probabilities, &n)
                              : dpl_lexicon_row(a->lexicon, w->number, &probabilities, &n);
    for (size_t k = 0; k < n; k++)
        if (a->stamps[!which][row[k]] == a->stamp && probabilities[k] > most) {
            most = probabilities[k];
            best = (int)a->places[!which][row[k]];
        }
    for (unsigned k = 0; best < 0 && k < p->n[!which]; k++)
        if (p->words[!which][k].key == w->key)
            best = (int)k;
    return best;
}

/* Whether the pair passes the filter; aligned then. */
bool dpl__mining_pair_align(aligner *a, pair *p)
{
    if (!p->n[0] || !p->n[1] || p->n[0] > 2 * p->n[1] || p->n[1] > 2 * p->n[0])
        return false;
    stamp(a, p);
    for (unsigned which = 0; which < 2; which++) {
        unsigned n_known = 0;
        for (unsigned i = 0; i < p->n[which]; i++) {
            p->best[which][i] = find_best(a, p, which, i);
            n_known += p->best[which][i] >= 0;
        }
        if (2 * n_known < p->n[which])
            return false;
    }
    return true;
}

static bool is_mutual(const pair *p, unsigned which, unsigned i)
{
    const int other = p->best[which][i];
    return other >= 0 && p->best[!which][other] == (int)i;
}

/* Shares of a sentence: words with a translation, with a mutual one; longest run of words with
 * a mutual one, and without; three largest numbers of words that have the same translation. */
static float *put_features(float *x, const pair *p, unsigned which)
{
    const unsigned n = p->n[which];
    unsigned known = 0, mutual = 0, runs[2] = {0}, longest[2] = {0};
    unsigned fertility[DPL__MINING_WORDS] = {0}, top[3] = {0};
    for (unsigned i = 0; i < n; i++) {
        const bool is_linked = is_mutual(p, which, i);
        known += p->best[which][i] >= 0;
        mutual += is_linked;
        runs[is_linked]++;
        runs[!is_linked] = 0;
        longest[is_linked] = (unsigned)dpl__max(longest[is_linked], runs[is_linked]);
        if (p->best[which][i] >= 0)
            fertility[p->best[which][i]]++;
    }
    for (unsigned i = 0; i < p->n[!which]; i++)
        for (unsigned k = 0, f = fertility[i]; k < 3; k++)
            if (f > top[k]) {
                const unsigned before = top[k];
                top[k] = f;
                f = before;
            }
    const unsigned all[] = {known, mutual, longest[0], longest[1], top[0], top[1], top[2]};
    for (size_t i = 0; i < DPL_LEN(all); i++)
        *x++ = (float)all[i] / (float)n;
    return x;
}

void dpl__mining_pair_features(float x[DPL__MINING_FEATURES], const pair *p)
{
    const float a = (float)p->n[0], b = (float)p->n[1];
    float *at = put_features(put_features(x, p, 0), p, 1);
    *at++ = (float)dpl__log((double)a);
    *at++ = (float)dpl__log((double)b);
    *at++ = fabsf(a - b) / fmaxf(a, b);
    *at++ = (float)dpl__log((double)(a / b));
    *at++ = 1;
    assert(at == x + DPL__MINING_FEATURES);
}
