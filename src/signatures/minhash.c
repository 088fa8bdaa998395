/*
 * minhash.c - value k is the least of the k-th 32-bit hashes of a row's terms.
 *
 * Broder 1997. The share of equal values estimates Jaccard's J, the terms two rows share among
 * those of either, and is taken for the cosine as it is. For rows of equal weights and equal
 * length the cosine would be 2 J / (1 + J); but the terms that two texts share are light ones
 * above all, and measured against weighted rows (bench/results/table1.txt) J itself is nearer.
 */
#include "signatures/sign_methods.h"

static uint32_t n_words(unsigned n)
{
    return (n + 1) / 2;
}

static void sign(uint64_t *out, const dpl__sign_row *row, unsigned n, size_t word,
                 uint64_t seed)
{
    assert(2 * word < n);
    size_t n_values = dpl__min(2 * DPL__SIGN_WORDS, n - 2 * word);
    if (n_values % 2) /* a last value without a partner */
        out[n_values / 2] = 0;
    row->kernels->sign_minima((uint32_t *)(void *)out, n_values, row->terms.keys, row->terms.n,
                              seed, row->terms.scratch);
}

/* Beside a last value without a partner there is nothing that could differ. */
static bool is_valid(const uint64_t *words, unsigned n)
{
    return n % 2 == 0 || words[n / 2] >> 32 == 0;
}

static unsigned distance(const dpl__kernels *k, const uint64_t *a, const uint64_t *b, size_t n)
{
    (void)k;
    unsigned n_different = 0;
    for (size_t w = 0; w < n; w++) {
        uint64_t x = a[w] ^ b[w];
        n_different += (uint32_t)x != 0;
        n_different += x >> 32 != 0;
    }
    return n_different;
}

static double estimate(double share)
{
    assert(share >= 0 && share <= 1);
    return 1 - share;
}

const dpl__signature_method dpl__minhash = {
    .info = {.method = DPL_SIGN_MINHASH,
             .name = "minhash",
             .help = "values of 32 bits: the least hash of the terms, in several orders",
             .unit = "values",
             .length_default = 128,
             .length_most = 4096},
    .n_words = n_words,
    .sign = sign,
    .is_valid = is_valid,
    .what_is_wrong = "bits behind the last value",
    .distance = distance,
    .estimate = estimate,
};
