/*
 * sign_scalar.c - signatures in plain C: the vector form with a vector of one word.
 *
 * It is not the simplest form, which the test has, but twenty times as fast, and this is what
 * machines without vector kernels have.
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

/* ---- rp, minima --------------------------------------------------------------------- */

typedef uint64_t vec;
enum { SIGN_LANES = 1 };

#define v_set64(x) ((uint64_t)(x))
#define v_load(p) dpl__load64(p)
#define v_store_aligned(p, x) (*(p) = (x))
#define v_xor(a, b) ((a) ^ (b))
#define v_turn(x, pattern) dpl__rotl((x), (unsigned)(pattern))
#define v_zero() ((uint64_t)0)
#define V_ADD(sum, carry, a, b)                                                                \
    do {                                                                                       \
        const vec a_ = (a), b_ = (b), t_ = a_ ^ b_;                                            \
        (carry) = (a_ & b_) | (t_ & (sum));                                                    \
        (sum) ^= t_;                                                                           \
    } while (0)

static inline uint64_t v_min32(uint64_t a, uint64_t b)
{
    uint64_t low = (uint32_t)a < (uint32_t)b ? (uint32_t)a : (uint32_t)b;
    uint64_t high = a >> 32 < b >> 32 ? a >> 32 : b >> 32;
    return high << 32 | low;
}

#include "kernels/sign_words.h"

/* ---- votes -------------------------------------------------------------------------- */

enum { VOTERS = 1024 }; /* whose weights sum up to no more than 16 bits */

/* Adds the votes of some terms: sums of 16 bits, four in a word. */
static void add_votes(uint64_t sums[16], const uint64_t *keys, const uint8_t *weights, size_t n,
                      uint64_t constant)
{
    static const uint64_t spread[16] = {
#define SPREAD(b)                                                                              \
    (b & 1) | (uint64_t)(b >> 1 & 1) << 16 | (uint64_t)(b >> 2 & 1) << 32 |                    \
        (uint64_t)(b >> 3) << 48
        SPREAD(0),  SPREAD(1),  SPREAD(2),  SPREAD(3),  SPREAD(4),  SPREAD(5),
        SPREAD(6),  SPREAD(7),  SPREAD(8),  SPREAD(9),  SPREAD(10), SPREAD(11),
        SPREAD(12), SPREAD(13), SPREAD(14), SPREAD(15),
#undef SPREAD
    };
    for (size_t t = 0; t < n; t++) {
        uint64_t bits = dpl__mix(keys[t] ^ constant);
        for (unsigned i = 0; i < 16; i++)
            sums[i] += spread[bits >> 4 * i & 15] * weights[t];
    }
}

static void sign_votes(uint64_t *out, size_t n_words, const dpl__sign_terms *terms,
                       uint64_t seed)
{
    const uint64_t *keys = terms->keys;
    const uint8_t *weights = terms->weights;
    const size_t n = terms->n;
    assert(n < 1 << 23); /* sums have 32 bits */
    const uint64_t half = sum_of(weights, n) / 2;
    for (size_t w = 0; w < n_words; w++) {
        uint64_t all[64] = {0};
        for (size_t first = 0; first < n; first += VOTERS) {
            uint64_t sums[16] = {0};
            add_votes(sums, keys + first, weights + first, dpl__min(VOTERS, n - first),
                      dpl__mix(seed + w));
            for (unsigned i = 0; i < 64; i++)
                all[i] += sums[i / 4] >> 16 * (i % 4) & 0xFFFF;
        }
        out[w] = 0;
        for (unsigned i = 0; i < 64; i++)
            out[w] |= (uint64_t)(all[i] > half) << i;
    }
}

/* ---- dots --------------------------------------------------------------------------- */

static void sign_dots(int64_t *out, const int16_t *row, const int16_t *planes, size_t dim)
{
    for (unsigned i = 0; i < DPL__SIGN_PLANES; i++) {
        int64_t sum = 0;
        for (size_t d = 0; d < dim; d++)
            sum += row[d] * planes[i * dim + d];
        out[i] = sum;
    }
}

void dpl__sign_scalar(dpl__kernels *k)
{
    k->sign_weights = sign_weights;
    k->sign_rp = sign_rp;
    k->sign_votes = sign_votes;
    k->sign_minima = sign_minima;
    k->sign_sums = sign_sums;
    k->sign_dots = sign_dots;
}
