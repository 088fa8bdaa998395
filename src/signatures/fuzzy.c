/*
 * fuzzy.c - fuzzy-fingerprints (Stein 2005): deviations of prefix classes, quantised and
 * encoded.
 *
 * Embedding: the share of each of k classes of prefixes in the row, less its expectation, in
 * standard deviations of the reference. Quantisation: a scheme has r intervals for each class,
 * equally likely in the reference; the bounds of schemes are shifted against each other by
 * parts of an interval, so that a row near a bound of one is not near that of all. Encoding:
 * the k numbers as one in radix r, modulo 2^64 (a code of more than 64 bits is mixed: two of
 * them agree by chance once in 2^64).
 *
 * Cost: a lookup and an addition for each term, k (r - 1) l comparisons.
 */
#include "signatures/hash_functions.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "signatures/hash_params.h"

static const float least_sd = 1e-6f; /* below it a class has no deviation */

/* ---- classes ------------------------------------------------------------------------ */

dpl_str dpl__fuzzy_prefix(dpl_str term)
{
    return dpl__first_chars(term, (size_t)DPL__P(hash, prefix));
}

/* The class of a prefix that the reference lacks follows from its hash. */
static unsigned class_of(const dpl_hash *h, dpl_str term)
{
    const dpl_str prefix = dpl__fuzzy_prefix(term);
    uint32_t number;
    if (dpl__find_string(&h->fuzzy.prefixes, NULL, prefix, &number))
        return h->fuzzy.classes[number];
    return (unsigned)(dpl__hash(prefix.data, prefix.n, 0) % h->options.length);
}

static uint64_t mark(const dpl_hash *h, dpl_str term)
{
    return class_of(h, term);
}

/* ---- embedding ---------------------------------------------------------------------- */

void dpl__fuzzy_embed(float *out, const dpl_hash *h, const dpl__hash_row *row)
{
    const unsigned k = h->options.length;
    float sums[2][DPL__MOST_CLASSES] = {{0}}; /* two: additions wait less for each other */
    for (size_t i = 0; i < row->n; i++)
        sums[i & 1][row->marks[i]] += row->weights ? row->weights[i] : 1;
    float total = 0;
    for (unsigned i = 0; i < k; i++)
        total += sums[0][i] += sums[1][i];
    const float scale = total > 0 ? 1 / total : 0;
    for (unsigned i = 0; i < k; i++) {
        const float sd = h->fuzzy.sd[i];
        out[i] = sd > least_sd ? (sums[0][i] * scale - h->fuzzy.mean[i]) / sd : 0;
    }
}

/* ---- quantisation and encoding ------------------------------------------------------ */

/* Whether all numbers of k digits fit into 64 bits. */
static bool fits(unsigned k, unsigned r)
{
    uint64_t most = 1;
    for (unsigned i = 0; i < k; i++) {
        if (most > UINT64_MAX / r)
            return false;
        most *= r;
    }
    return true;
}

static void codes(uint64_t *out, const dpl_hash *h, const dpl__hash_row *row, void *scratch)
{
    (void)scratch;
    const unsigned k = h->options.length, r = h->options.radix;
    const bool is_exact = fits(k, r);
    const float *bounds = h->fuzzy.bounds;
    float y[DPL__MOST_CLASSES];
    dpl__fuzzy_embed(y, h, row);
    for (unsigned s = 0; s < h->options.codes; s++) {
        uint64_t code = 0, power = 1, mixed = s;
        for (unsigned i = 0; i < k; i++, bounds += r - 1) {
            unsigned digit = 0;
            for (unsigned j = 0; j < r - 1; j++)
                digit += y[i] > bounds[j];
            code += digit * power;
            power *= r;
            if (!is_exact && (i % 16 == 15 || i == k - 1)) { /* 16 digits fit */
                mixed = dpl__mix(mixed ^ code);
                code = 0;
                power = 1;
            }
        }
        out[s] = dpl__some_code(is_exact ? code : mixed);
    }
}

static dpl_status check(dpl_hash_options *o, dpl_error *err)
{
    enum { DEFAULT_RADIX = 3 };
    o->radix = o->radix ? o->radix : DEFAULT_RADIX;
    if (o->radix < 2 || o->radix > DPL__MOST_RADIX)
        return dpl__fail(err, DPL_E_USAGE, "a scheme has 2 to %u intervals, not %u",
                         DPL__MOST_RADIX, o->radix);
    return DPL_OK;
}

const dpl__hash_function dpl__fuzzy_codes = {
    .info = {.function = DPL_HASH_FUZZY,
             .name = "fuzzy",
             .help =
                 "fuzzy-fingerprints: deviations of k prefix classes from their expectation",
             .unit = "classes",
             .length_default = 26,
             .length_most = DPL__MOST_CLASSES,
             .codes_default = 3,
             .codes_most = 64,
             .has_reference = true},
    .check = check,
    .mark = mark,
    .codes = codes,
    .learn = dpl__fuzzy_learn,
};
