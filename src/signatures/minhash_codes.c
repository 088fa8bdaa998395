/*
 * minhash_codes.c - k minimum hashes of a row's elements make a code.
 *
 * Embedding and quantisation: values of a minhash signature. Encoding: a hash of k of them.
 * Two rows of Jaccard similarity J agree on a code with probability J^k, and on one of l with
 * 1 - (1 - J^k)^l.
 */
#include "base/hash.h"
#include "signatures/hash_functions.h"

static unsigned n_values(const dpl_hash_options *o)
{
    return o->length * o->codes;
}

static dpl_status check(dpl_hash_options *o, dpl_error *err)
{
    enum { MOST = 4096 };
    if (o->length * o->codes > MOST)
        return dpl__fail(err, DPL_E_USAGE, "minhash has at most %u minima, not %u codes of %u",
                         MOST, o->codes, o->length);
    return DPL_OK;
}

static uint32_t value(const uint64_t *words, size_t i)
{
    return (uint32_t)(words[i / 2] >> 32 * (i % 2));
}

static void encode(uint64_t *out, const dpl_hash *h, const uint64_t *words)
{
    const unsigned k = h->options.length;
    for (unsigned c = 0; c < h->options.codes; c++) {
        uint64_t code = 0;
        for (unsigned i = 0; i < k; i++)
            code = dpl__mix(code ^ value(words, (size_t)c * k + i));
        out[c] = dpl__some_code(code);
    }
}

const dpl__hash_function dpl__minhash_codes = {
    .info = {.function = DPL_HASH_MINHASH,
             .name = "minhash",
             .help = "MinHash of words or shingles, k minima to a code",
             .unit = "minima",
             .length_default = 5,
             .length_most = 64,
             .codes_default = 25,
             .codes_most = 1024,
             .takes_keys = true,
             .is_jaccard = true},
    .check = check,
    .has_signature = true,
    .signature = DPL_SIGN_MINHASH,
    .n_sign = n_values,
    .encode = encode,
};
