/*
 * simhash.c - 64 or 128 bits for which the hash of each term votes with the term's weight.
 *
 * Charikar 2002, as web crawlers use it (Manku, Jain, Das Sarma 2007). Of dense rows it is rp.
 */
#include "signatures/sign_methods.h"

static dpl_status check(unsigned *n, dpl_error *err)
{
    if (*n != 64 && *n != 128)
        return dpl__fail(err, DPL_E_USAGE, "simhash signatures have 64 or 128 bits, not %u",
                         *n);
    return DPL_OK;
}

static void sign(uint64_t *out, const dpl__sign_row *row, unsigned n, size_t word,
                 uint64_t seed)
{
    row->kernels->sign_votes(out, dpl__min(DPL__SIGN_WORDS, dpl__bits_words(n) - word),
                             &row->terms, seed);
}

const dpl__signature_method dpl__simhash = {
    .info = {.method = DPL_SIGN_SIMHASH,
             .name = "simhash",
             .help = "64 or 128 bits: the hash of each term votes with its weight",
             .unit = "bits",
             .length_default = 64,
             .length_most = 128,
             .has_bits = true,
             .takes_dense = true},
    .has_weights = true,
    .check = check,
    .n_words = dpl__bits_words,
    .sign = sign,
    .distance = dpl__bits_distance,
    .estimate = dpl__bits_estimate,
    .cut = dpl__bits_cut,
};
