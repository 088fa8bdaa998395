/*
 * decode.c - stack decoding of phrases (Koehn 2004), in order or with one gap.
 *
 * A hypothesis covers the words up to `at`, and with reordering perhaps a block behind a gap,
 * [gap, end), which may grow while the gap is open. Hypotheses that cover equally many words
 * are compared by their score and an estimate for the rest, from the best options of every
 * span; the best `beam` are kept, one for each state (what is covered, last two words). Cost:
 * beam times options a word, each with at most two look-ups of the language model: words of a
 * phrase behind the second have their probability once for all.
 */
#include "translate/decode.h"

#include "base/order.h"
#include "translate/phrases.h"
#include "translate/translate_params.h"

#include <stdlib.h>

typedef struct option {
    const uint32_t *words;
    uint32_t n, copied;
    float score;    /* of the phrase, with the language model from the third word on */
    float estimate; /* with the language model of the first two words by themselves */
} option;

typedef struct hypothesis {
    float score, total; /* total: with the estimate for the rest */
    uint32_t before;    /* hypothesis; UINT32_MAX: none */
    uint32_t option;
    uint16_t at, gap, end; /* gap == end: there is none */
    uint32_t last[2];      /* words */
} hypothesis;

struct dpl__decoder {
    dpl_ctx *ctx;
    unsigned beam, reordering;
    DPL_VEC(option) options;
    uint32_t first[DPL__LONGEST_PIECE][DPL__MOST_PHRASE + 1]; /* option of each span */
    float rest[DPL__LONGEST_PIECE + 1][DPL__LONGEST_PIECE + 1];
    DPL_VEC(hypothesis) all;
    uint32_t *stacks; /* beam of each number of words covered */
    uint32_t sizes[DPL__LONGEST_PIECE + 1];
    const dpl__phrase_model *m;
    size_t n;
};

dpl_status dpl__decoder_new(dpl__decoder **out, dpl_ctx *ctx, unsigned beam,
                            unsigned reordering, dpl_error *err)
{
    assert(beam > 0);
    *out = NULL;
    dpl__decoder *d = dpl__calloc(ctx, 1, sizeof *d);
    DPL_TRY(dpl__need(d, err));
    d->ctx = ctx;
    d->beam = beam;
    d->reordering = reordering;
    d->stacks = dpl__alloc(ctx, (DPL__LONGEST_PIECE + 1) * beam * sizeof *d->stacks);
    if (!d->stacks) {
        dpl__decoder_free(d);
        return dpl__fail_nomem(err);
    }
    *out = d;
    return DPL_OK;
}

void dpl__decoder_free(dpl__decoder *d)
{
    if (!d)
        return;
    dpl__vec_clear(d->ctx, &d->options, &d->all);
    dpl__free(d->ctx, d->stacks, d);
}

/* ---- options -------------------------------------------------------------------------- */

static float model_weight(void)
{
    return (float)DPL__P(translate, model_weight);
}

static uint32_t lm_word(const dpl__phrase_model *m, const option *o, uint32_t i)
{
    assert(i < o->n);
    uint32_t word = o->copied ? DPL__NO_WORD : o->words[i];
    return word < m->lm.n_words ? word : m->lm.n_words; /* unknown */
}

static float bigram(const dpl__lm *lm, uint32_t a, uint32_t b)
{
    assert(a < lm->n_words + 3 && b < lm->n_words + 3);
    size_t i = dpl__keys_find(&lm->bigram_keys, dpl__lm_key2(a, b));
    return i != SIZE_MAX ? lm->bigrams[i] : lm->unigram_backoffs[a] + lm->unigrams[b];
}

static void rate(const dpl__phrase_model *m, option *o)
{
    assert(o->n > 0);
    float inner = 0;
    uint32_t a = lm_word(m, o, 0), b = 0;
    float outer = m->lm.unigrams[a];
    for (uint32_t i = 1; i < o->n; i++) {
        uint32_t c = lm_word(m, o, i);
        if (i == 1)
            outer += bigram(&m->lm, a, c);
        else
            inner += dpl__lm_score(&m->lm, a, b, c);
        a = i == 1 ? a : b;
        b = c;
    }
    o->score += model_weight() * inner;
    o->estimate = o->score + model_weight() * outer;
}

DPL__ORDER(by_estimate, option, DPL__FALLING(estimate) DPL__RISING(words))

static bool add_copy(dpl__decoder *d, size_t i)
{
    assert(i < d->n);
    option o = {.n = 1,
                .copied = (uint32_t)i + 1,
                .score =
                    (float)(DPL__P(translate, unknown_score) + DPL__P(translate, word_bonus))};
    rate(d->m, &o);
    return dpl__vec_push(d->ctx, &d->options, o);
}

/* The options of the span of `length` words at i. */
static bool add_options(dpl__decoder *d, size_t phrase)
{
    const dpl__phrase_model *m = d->m;
    size_t first = d->options.n;
    for (uint64_t k = m->offsets[phrase]; k < m->offsets[phrase + 1]; k++) {
        option o = {.words = m->words + m->begins[k],
                    .n = (uint32_t)(m->begins[k + 1] - m->begins[k]),
                    .score = m->scores[k]};
        rate(m, &o);
        if (!dpl__vec_push(d->ctx, &d->options, o))
            return false;
    }
    qsort(d->options.data + first, d->options.n - first, sizeof *d->options.data, by_estimate);
    return true;
}

static bool list_options(dpl__decoder *d, const uint32_t *source, size_t n)
{
    assert(n <= DPL__LONGEST_PIECE);
    d->options.n = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = 0;
        bool is_known = true;
        for (size_t length = 1; length <= DPL__MOST_PHRASE; length++) {
            d->first[i][length - 1] = (uint32_t)d->options.n;
            is_known = is_known && i + length <= n && source[i + length - 1] != DPL__NO_WORD;
            size_t phrase = SIZE_MAX;
            if (is_known) {
                key = dpl__phrase_key(key, source[i + length - 1]);
                phrase = dpl__keys_find(&d->m->phrases, key + !key);
            }
            if (phrase != SIZE_MAX && !add_options(d, phrase))
                return false;
            bool is_empty = d->options.n == d->first[i][length - 1];
            if (length == 1 && is_empty && !add_copy(d, i))
                return false;
        }
        d->first[i][DPL__MOST_PHRASE] = (uint32_t)d->options.n;
    }
    return true;
}

/* The best estimate of every span. */
static void estimate_rest(dpl__decoder *d, size_t n)
{
    for (size_t i = 0; i <= n; i++)
        d->rest[i][i] = 0;
    for (size_t length = 1; length <= n; length++)
        for (size_t i = 0; i + length <= n; i++) {
            float best = -1e30f;
            if (length <= DPL__MOST_PHRASE && d->first[i][length - 1] < d->first[i][length])
                best = d->options.data[d->first[i][length - 1]].estimate;
            for (size_t k = 1; k < length; k++) {
                float sum = d->rest[i][i + k] + d->rest[i + k][i + length];
                best = sum > best ? sum : best;
            }
            d->rest[i][i + length] = best;
        }
}

/* ---- hypotheses ----------------------------------------------------------------------- */

static float rest_of(const dpl__decoder *d, const hypothesis *h)
{
    return h->gap == h->end ? d->rest[h->at][d->n]
                            : d->rest[h->at][h->gap] + d->rest[h->end][d->n];
}

static bool is_same_state(const hypothesis *a, const hypothesis *b)
{
    return a->last[0] == b->last[0] && a->last[1] == b->last[1] && a->at == b->at &&
           a->gap == b->gap && a->end == b->end;
}

/* Adds a hypothesis in place of one with the same state, or of the worst. */
static bool put(dpl__decoder *d, const hypothesis *h)
{
    size_t covered = (size_t)h->at + (h->end - h->gap);
    uint32_t *stack = d->stacks + covered * d->beam, *size = &d->sizes[covered];
    uint32_t worst = 0;
    for (uint32_t i = 0; i < *size; i++) {
        hypothesis *other = &d->all.data[stack[i]];
        if (is_same_state(other, h)) {
            if (h->total > other->total)
                *other = *h;
            return true;
        }
        if (other->total < d->all.data[stack[worst]].total)
            worst = i;
    }
    if (*size == d->beam) {
        if (h->total > d->all.data[stack[worst]].total)
            d->all.data[stack[worst]] = *h;
        return true;
    }
    stack[(*size)++] = (uint32_t)d->all.n;
    return dpl__vec_push(d->ctx, &d->all, *h);
}

/* What the stack asks for at least. */
static float least_total(const dpl__decoder *d, size_t covered)
{
    const uint32_t *stack = d->stacks + covered * d->beam;
    float least = -1e30f;
    if (d->sizes[covered] < d->beam)
        return least;
    least = d->all.data[stack[0]].total;
    for (uint32_t i = 1; i < d->beam; i++)
        if (d->all.data[stack[i]].total < least)
            least = d->all.data[stack[i]].total;
    return least;
}

/* All options of the span [first, first + length), after which `next` is covered. */
static bool extend(dpl__decoder *d, uint32_t from, size_t first, size_t length, hypothesis next,
                   float penalty)
{
    const dpl__lm *lm = &d->m->lm;
    float rest = rest_of(d, &next);
    size_t covered = (size_t)next.at + (next.end - next.gap);
    float least = least_total(d, covered);
    for (uint32_t k = d->first[first][length - 1]; k < d->first[first][length]; k++) {
        const hypothesis *h = &d->all.data[from]; /* may have moved */
        const option *o = &d->options.data[k];
        if (h->score + penalty + o->estimate + rest < least)
            break; /* the others are worse still */
        uint32_t a = h->last[0], b = h->last[1];
        float model = 0;
        for (uint32_t i = 0; i < o->n; i++) {
            uint32_t c = lm_word(d->m, o, i);
            if (i < 2)
                model += dpl__lm_score(lm, a, b, c);
            a = b;
            b = c;
        }
        next.score = h->score + penalty + o->score + model_weight() * model;
        next.total = next.score + rest;
        next.before = from;
        next.option = k;
        next.last[0] = a;
        next.last[1] = b;
        if (!put(d, &next))
            return false;
    }
    return true;
}

/* One step from a hypothesis with no gap: on, or over a gap. */
static bool step_on(dpl__decoder *d, uint32_t from, const hypothesis *h)
{
    for (size_t first = h->at; first < d->n && first <= (size_t)h->at + d->reordering; first++)
        for (size_t length = 1; length <= DPL__MOST_PHRASE && first + length <= d->n;
             length++) {
            if (d->first[first][length - 1] == d->first[first][length])
                continue;
            bool is_on = first == h->at;
            hypothesis next = {.at = (uint16_t)(is_on ? first + length : h->at),
                               .gap = (uint16_t)(is_on ? 0 : first),
                               .end = (uint16_t)(is_on ? 0 : first + length)};
            float penalty = (float)(-DPL__P(translate, jump_weight)) * (float)(first - h->at);
            if (!extend(d, from, first, length, next, penalty))
                return false;
        }
    return true;
}

/* One step with a gap: into it, or on behind the block while both are short. */
static bool step_gap(dpl__decoder *d, uint32_t from, const hypothesis *h)
{
    float jump = (float)(-DPL__P(translate, jump_weight));
    for (size_t length = 1; length <= DPL__MOST_PHRASE; length++) {
        size_t into = h->at + length, on = h->end + length;
        if (into <= h->gap && d->first[h->at][length - 1] < d->first[h->at][length]) {
            hypothesis next = {.at = (uint16_t)into, .gap = h->gap, .end = h->end};
            if (into == h->gap)
                next = (hypothesis){.at = h->end};
            if (!extend(d, from, h->at, length, next, jump * (float)(h->end - h->at)))
                return false;
        }
        if (on <= d->n && on - h->gap <= d->reordering + DPL__MOST_PHRASE / 2 &&
            d->first[h->end][length - 1] < d->first[h->end][length]) {
            hypothesis next = {.at = h->at, .gap = h->gap, .end = (uint16_t)on};
            if (!extend(d, from, h->end, length, next, 0))
                return false;
        }
    }
    return true;
}

static bool search(dpl__decoder *d)
{
    const dpl__lm *lm = &d->m->lm;
    d->all.n = 0;
    memset(d->sizes, 0, sizeof d->sizes);
    hypothesis start = {.before = UINT32_MAX, .last = {dpl__lm_begin(lm), dpl__lm_begin(lm)}};
    start.total = rest_of(d, &start);
    if (!put(d, &start))
        return false;
    for (size_t covered = 0; covered < d->n; covered++)
        for (uint32_t i = 0; i < d->sizes[covered]; i++) {
            uint32_t from = d->stacks[covered * d->beam + i];
            hypothesis h = d->all.data[from];
            if (!(h.gap == h.end ? step_on : step_gap)(d, from, &h))
                return false;
        }
    return true;
}

/* The best of the last stack, with the end of the sentence. */
static uint32_t find_best(const dpl__decoder *d)
{
    const dpl__lm *lm = &d->m->lm;
    const uint32_t *stack = d->stacks + d->n * d->beam;
    uint32_t best = UINT32_MAX;
    float best_score = 0;
    for (uint32_t i = 0; i < d->sizes[d->n]; i++) {
        const hypothesis *h = &d->all.data[stack[i]];
        float score = h->score + model_weight() *
                                     dpl__lm_score(lm, h->last[0], h->last[1], dpl__lm_end(lm));
        if (best == UINT32_MAX || score > best_score) {
            best = stack[i];
            best_score = score;
        }
    }
    return best;
}

static bool write_out(const dpl__decoder *d, dpl__decoded_words *out, uint32_t best)
{
    size_t first = out->n;
    for (uint32_t i = best; d->all.data[i].before != UINT32_MAX; i = d->all.data[i].before) {
        const option *o = &d->options.data[d->all.data[i].option];
        for (uint32_t k = o->n; k-- > 0;) {
            dpl__decoded word = {o->copied ? DPL__NO_WORD : o->words[k], o->copied};
            if (!dpl__vec_push(d->ctx, out, word))
                return false;
        }
    }
    for (size_t i = first, k = out->n; i + 1 < k; i++) {
        dpl__decoded swap = out->data[i];
        out->data[i] = out->data[--k];
        out->data[k] = swap;
    }
    return true;
}

dpl_status dpl__decode(dpl__decoder *d, dpl__decoded_words *out, const dpl__phrase_model *m,
                       const uint32_t *source, size_t n, dpl_error *err)
{
    assert(n <= DPL__LONGEST_PIECE);
    d->m = m;
    d->n = n;
    DPL_TRY(dpl__need(list_options(d, source, n), err));
    estimate_rest(d, n);
    DPL_TRY(dpl__need(search(d), err));
    return dpl__need(write_out(d, out, find_best(d)), err);
}
