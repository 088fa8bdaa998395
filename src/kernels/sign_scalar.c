/*
 * sign_scalar.c - the specification of the signature kernels.
 *
 * Sums of 64 bits at a time: bit i of level[j] is bit j of the i-th sum, and a word is added
 * the way one adds by hand. Cost: some 15 ns per term and word.
 */
#include "kernels/kernels.h"
#include "kernels/sign.h"

static unsigned sign_weights(uint8_t *out, const float *w, size_t n)
{
    float most = 0;
    for (size_t i = 0; i < n; i++)
        most = w[i] > most ? w[i] : most;
    const float scale = DPL__SIGN_WEIGHT / most;
    unsigned sum = 0;
    size_t heaviest = n;
    for (size_t i = 0; i < n; i++) {
        float x = w[i] * scale + 0.5f;
        out[i] = (uint8_t)(x < DPL__SIGN_WEIGHT ? x : DPL__SIGN_WEIGHT);
        sum += out[i];
        if (heaviest == n && out[i] == DPL__SIGN_WEIGHT)
            heaviest = i;
    }
    if (heaviest < n && sum % 2 == 0) {
        out[heaviest]--;
        sum--;
    }
    return sum;
}

enum { LEVELS = 32 };

/* Adds a word of bits of value 2^j. */
static void add(uint64_t *levels, uint64_t word, unsigned j)
{
    for (; word; j++) {
        uint64_t carry = levels[j] & word;
        levels[j] ^= word;
        word = carry;
    }
}

/* Which of the 64 sums are above the limit. */
static uint64_t above(const uint64_t *levels, uint64_t limit)
{
    uint64_t is_above = 0, is_equal = ~(uint64_t)0;
    for (unsigned j = LEVELS; j-- > 0;) {
        uint64_t bit = limit >> j & 1 ? ~(uint64_t)0 : 0;
        is_above |= is_equal & levels[j] & ~bit;
        is_equal &= ~(levels[j] ^ bit);
    }
    return is_above;
}

/* Which sums of n_words words are above half of what m words of every term add up to. */
static void vote(uint64_t *out, size_t n_words, const uint8_t *weights, size_t n, unsigned m,
                 uint64_t (*levels)[LEVELS])
{
    uint64_t sum = 0;
    for (size_t t = 0; t < n; t++)
        sum += weights[t];
    for (size_t w = 0; w < n_words; w++)
        out[w] = above(levels[w], m * sum / 2);
}

static void add_weighted(uint64_t *levels, uint64_t word, uint8_t weight)
{
    for (unsigned j = 0; weight >> j; j++)
        if (weight >> j & 1)
            add(levels, word, j);
}

static void sign_rp(uint64_t *out, size_t n_words, const uint64_t *keys, const uint8_t *weights,
                    size_t n, uint64_t seed, void *scratch)
{
    uint64_t(*levels)[LEVELS] = scratch;
    memset(levels, 0, n_words * sizeof *levels);
    for (size_t t = 0; t < n; t++)
        for (unsigned stream = 0; stream < 3; stream++) {
            dpl__sign_state s = dpl__sign_state_of(keys[t], seed, stream);
            for (size_t w = 0; w < n_words; w++)
                add_weighted(levels[w], dpl__sign_word(&s, w), weights[t]);
        }
    vote(out, n_words, weights, n, 3, levels);
}

static void sign_votes(uint64_t *out, size_t n_words, const uint64_t *keys,
                       const uint8_t *weights, size_t n, uint64_t seed, void *scratch)
{
    uint64_t(*levels)[LEVELS] = scratch;
    memset(levels, 0, n_words * sizeof *levels);
    for (size_t t = 0; t < n; t++)
        for (size_t w = 0; w < n_words; w++)
            add_weighted(levels[w], dpl__mix(keys[t] ^ dpl__mix(seed + w)), weights[t]);
    vote(out, n_words, weights, n, 1, levels);
}

static void sign_minima(uint32_t *out, size_t n_values, const uint64_t *keys, size_t n,
                        uint64_t seed, void *scratch)
{
    (void)scratch;
    for (size_t i = 0; i < n_values; i++)
        out[i] = UINT32_MAX;
    for (size_t t = 0; t < n; t++) {
        dpl__sign_state s = dpl__sign_state_of(keys[t], seed, 0);
        for (size_t i = 0; i < n_values; i++) {
            uint32_t value = (uint32_t)(dpl__sign_word(&s, i / 2) >> 32 * (i % 2));
            out[i] = value < out[i] ? value : out[i];
        }
    }
}

static uint32_t sign_dots(const int16_t *row, const int16_t *planes, size_t dim)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < DPL__SIGN_PLANES; i++) {
        int64_t sum = 0;
        for (size_t d = 0; d < dim; d++)
            sum += row[d] * planes[i * dim + d];
        bits |= (uint32_t)(sum > 0) << i;
    }
    return bits;
}

void dpl__sign_scalar(dpl__kernels *k)
{
    k->sign_weights = sign_weights;
    k->sign_rp = sign_rp;
    k->sign_votes = sign_votes;
    k->sign_minima = sign_minima;
    k->sign_dots = sign_dots;
}
