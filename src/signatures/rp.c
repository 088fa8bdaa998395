/*
 * rp.c - random projection: bit i tells on which side of hyperplane i a row lies.
 *
 * Charikar 2002. The hyperplanes' entries are hashes of term, bit and seed
 * (src/kernels/sign.h). Cost: one vote of each term for each bit.
 */
#include "signatures/sign_methods.h"

static dpl_status check(unsigned *n, dpl_error *err)
{
    (void)err;
    *n = (*n + 63) / 64 * 64;
    return DPL_OK;
}

static void sign(uint64_t *out, const dpl__sign_row *row, unsigned n, size_t word,
                 uint64_t seed)
{
    row->kernels->sign_rp(out, dpl__min(DPL__SIGN_WORDS, dpl__bits_words(n) - word),
                          &row->terms, seed);
}

const dpl__signature_method dpl__rp = {
    .info = {.method = DPL_SIGN_RP,
             .name = "rp",
             .help = "random hyperplanes: a bit tells on which side of one the vector lies",
             .unit = "bits",
             .length_default = 1024,
             .length_most = 65536,
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
