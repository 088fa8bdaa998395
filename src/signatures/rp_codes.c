/*
 * rp_codes.c - k bits of random hyperplanes to a code; simhash: of a fingerprint.
 *
 * Embedding: products with hyperplanes. Quantisation: their signs. Encoding: k bits as they
 * are; code c has the bits from c k on. Two rows with the angle t agree on a code with
 * probability (1 - t / pi)^k.
 */
#include "signatures/hash_functions.h"

static unsigned rp_bits(const dpl_hash_options *o)
{
    return (o->length * o->codes + 63) / 64 * 64;
}

static void encode_bits(uint64_t *out, const dpl_hash *h, const uint64_t *words)
{
    const unsigned k = h->options.length;
    for (unsigned c = 0; c < h->options.codes; c++)
        out[c] = dpl__some_code(dpl__band_of_bits(words, (size_t)c * k, k));
}

static unsigned simhash_bits(const dpl_hash_options *o)
{
    return o->length * o->codes <= 64 ? 64 : 128;
}

static dpl_status check_simhash(dpl_hash_options *o, dpl_error *err)
{
    if (o->length * o->codes > 128)
        return dpl__fail(err, DPL_E_USAGE,
                         "simhash has fingerprints of 128 bits, not %u codes of %u", o->codes,
                         o->length);
    return DPL_OK;
}

const dpl__hash_function dpl__rp_codes = {
    .info = {.function = DPL_HASH_RP,
             .name = "rp",
             .help = "bits of random hyperplanes, k bits to a code",
             .unit = "bits",
             .length_default = 16,
             .length_most = 64,
             .codes_default = 32,
             .codes_most = 1024,
             .takes_dense = true,
             .takes_keys = true},
    .has_signature = true,
    .signature = DPL_SIGN_RP,
    .n_sign = rp_bits,
    .encode = encode_bits,
};

const dpl__hash_function dpl__simhash_codes = {
    .info = {.function = DPL_HASH_SIMHASH,
             .name = "simhash",
             .help = "bits of a fingerprint of 64 or 128 bits, k bits to a code",
             .unit = "bits",
             .length_default = 16,
             .length_most = 64,
             .codes_default = 4,
             .codes_most = 128,
             .takes_dense = true,
             .takes_keys = true},
    .check = check_simhash,
    .has_signature = true,
    .signature = DPL_SIGN_SIMHASH,
    .n_sign = simhash_bits,
    .encode = encode_bits,
};
