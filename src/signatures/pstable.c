/*
 * pstable.c - p-stable locality-sensitive hashing (Datar, Immorlica, Indyk, Mirrokni 2004) for
 * the Euclidean distance of rows of length one, which the cosine decides.
 *
 * Embedding: k products with random Gaussian vectors. Quantisation: floor((product + offset) /
 * width), offsets random in [0, width). Encoding: all k numbers (concatenation), or their sum
 * (summation, as Stein 2007 has it), which is one number of a small range: it finds more and is
 * right less often.
 *
 * The vectors have no matrix: entry i of a term is one byte of a hash of the term and i / 8,
 * looked up in a table of the 256 quantiles of the normal distribution, scaled to variance 1.
 * Cost: k l lookups and additions for each term.
 */
#include "signatures/hash_functions.h"

#include "base/hash.h"
#include "signatures/sign_methods.h"

#include <math.h>

static float gauss[256]; /* filled once, before main: frozen */

DPL_CONSTRUCTOR static void fill_gauss(void)
{
    double squares = 0;
    for (unsigned i = 0; i < 256; i++) {
        const double z = dpl__normal_quantile((i + 0.5) / 256);
        squares += z * z / 256;
    }
    for (unsigned i = 0; i < 256; i++)
        gauss[i] = (float)(dpl__normal_quantile((i + 0.5) / 256) / sqrt(squares));
}

static double length_of(const dpl__hash_row *row)
{
    const float *x = row->dense ? row->dense : row->weights;
    const size_t n = row->dense ? row->dim : row->n;
    double sum = x ? 0 : (double)n;
    for (size_t i = 0; x && i < n; i++)
        sum += (double)x[i] * (double)x[i];
    return sqrt(sum);
}

void dpl__gauss_project(float *out, size_t n, const dpl__hash_row *row, uint64_t seed)
{
    const double length = length_of(row);
    const float scale = length > 0 ? (float)(1 / length) : 0;
    memset(out, 0, n * sizeof *out);
    const size_t n_terms = row->dense ? row->dim : row->n;
    for (size_t t = 0; t < n_terms; t++) {
        const uint64_t key = row->dense ? dpl__mix(t) : row->marks[t];
        const float x = row->dense ? row->dense[t] : row->weights ? row->weights[t] : 1;
        const float weight = x * scale;
        for (size_t i = 0; i < n; i += DPL__GAUSS_STEP) {
            const uint64_t random = dpl__mix(key ^ (seed + i * DPL__K1));
            for (unsigned b = 0; b < DPL__GAUSS_STEP; b++)
                out[i + b] += weight * gauss[random >> 8 * b & 255];
        }
    }
}

/* ---- the function ------------------------------------------------------------------- */

size_t dpl__pstable_n(const dpl_hash *h)
{
    return ((size_t)h->options.length * h->options.codes + DPL__GAUSS_STEP - 1) /
           DPL__GAUSS_STEP * DPL__GAUSS_STEP;
}

static size_t n_scratch(const dpl_hash *h)
{
    return dpl__pstable_n(h) * sizeof(float);
}

void dpl__pstable_project(float *out, const dpl_hash *h, const dpl__hash_row *row)
{
    dpl__gauss_project(out, dpl__pstable_n(h), row, dpl__mix(h->seed));
}

void dpl__pstable_quantise(uint64_t *out, const dpl_hash *h, const float *y)
{
    const dpl_hash_options *o = &h->options;
    const uint64_t offset_seed = dpl__mix(h->seed + 1);
    for (unsigned c = 0; c < o->codes; c++) {
        uint64_t sum = 0, mixed = 0;
        for (unsigned i = 0; i < o->length; i++) {
            const size_t at = (size_t)c * o->length + i;
            const double offset = (double)(dpl__mix(offset_seed + at) >> 11) * 0x1p-53;
            const double step = floor((double)y[at] / o->width + offset);
            const uint64_t number = (uint64_t)(int64_t)step;
            sum += number;
            mixed = dpl__mix(mixed ^ number);
        }
        out[c] = dpl__some_code(o->encoding == DPL_ENCODE_SUMMATION ? sum : mixed);
    }
}

static void codes(uint64_t *out, const dpl_hash *h, const dpl__hash_row *row, void *scratch)
{
    dpl__pstable_project(scratch, h, row);
    dpl__pstable_quantise(out, h, scratch);
}

static dpl_status check(dpl_hash_options *o, dpl_error *err)
{
    enum { MOST = 1 << 16 };
    static const double standard = 0.5, least = 1e-7, most = 1e3;
    o->width = o->width == 0 ? standard : o->width;
    if (!(o->width >= least && o->width <= most))
        return dpl__fail(err, DPL_E_USAGE, "intervals of a width of %g: from %g to %g",
                         o->width, least, most);
    if (!dpl__hash_encoding_name(o->encoding))
        return dpl__fail(err, DPL_E_USAGE, "no encoding number %d", (int)o->encoding);
    if (o->length * o->codes > MOST)
        return dpl__fail(err, DPL_E_USAGE,
                         "pstable has at most %u projections, not %u codes of %u", MOST,
                         o->codes, o->length);
    return DPL_OK;
}

const dpl__hash_function dpl__pstable_codes = {
    .info = {.function = DPL_HASH_PSTABLE,
             .name = "pstable",
             .help = "k Gaussian projections, quantised in steps of a width",
             .unit = "projections",
             .length_default = 8,
             .length_most = 100,
             .codes_default = 20,
             .codes_most = 1024,
             .takes_dense = true,
             .takes_keys = true},
    .check = check,
    .n_scratch = n_scratch,
    .codes = codes,
};
