/*
 * hash_grid.c - which settings of a similarity hash function are worth trying, what the model
 * says of them, and what they cost.
 */
#include "pairs/hash_grid.h"

#include "base/maths.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static const unsigned rp_lengths[] = {4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 0};
static const unsigned simhash_lengths[] = {8, 10, 12, 16, 21, 32, 0};
static const unsigned minhash_lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 0};
static const unsigned fuzzy_lengths[] = {8, 10, 13, 16, 20, 26, 32, 40, 50, 0};
static const unsigned pstable_lengths[] = {4, 6, 8, 12, 16, 24, 0};
static const unsigned radices[] = {2, 3, 4, 0};
static const double widths[] = {0.7, 1, 1.4, 2, 2.8, 4, 0};

static const struct grid {
    const unsigned *lengths;
    unsigned most_codes;
} grids[] = {
    [DPL_HASH_RP] = {rp_lengths, 192},          [DPL_HASH_SIMHASH] = {simhash_lengths, 8},
    [DPL_HASH_MINHASH] = {minhash_lengths, 96}, [DPL_HASH_FUZZY] = {fuzzy_lengths, 16},
    [DPL_HASH_PSTABLE] = {pstable_lengths, 32},
};

unsigned dpl__hash_multiplicity(const dpl_hash_options *fixed, unsigned most, size_t i)
{
    static const unsigned all[] = {1,  2,  3,  4,  5,  6,  7,  8,  10, 12, 14,  16,
                                   20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128, 192};
    if (fixed->codes)
        return i == 0 ? fixed->codes : 0;
    return i < DPL_LEN(all) && all[i] <= most ? all[i] : 0;
}

static unsigned most_codes(const dpl_hash_options *o)
{
    unsigned most = grids[o->function].most_codes;
    if (o->function == DPL_HASH_SIMHASH)
        most = 64 / o->length ? 64 / o->length : 1;
    if (o->function == DPL_HASH_MINHASH && most > 4096 / o->length)
        most = 4096 / o->length;
    return most;
}

static bool put(dpl__hash_settings *out, dpl_ctx *ctx, dpl_hash_options o, unsigned fixed_l)
{
    o.codes = fixed_l ? fixed_l : most_codes(&o);
    return dpl__vec_push(ctx, out, o);
}

/* All widths or radices of one length; functions without them: one. */
static bool put_length(dpl__hash_settings *out, dpl_ctx *ctx, const dpl_hash_options *fixed,
                       unsigned k)
{
    dpl_hash_options o = *fixed;
    o.length = k;
    if (o.function == DPL_HASH_FUZZY && !fixed->radix) {
        for (size_t i = 0; radices[i]; i++) {
            o.radix = radices[i];
            if (!put(out, ctx, o, fixed->codes))
                return false;
        }
        return true;
    }
    if (o.function == DPL_HASH_PSTABLE && fixed->width == 0) {
        for (size_t i = 0; widths[i] > 0; i++) {
            o.width = widths[i];
            if (!put(out, ctx, o, fixed->codes))
                return false;
        }
        return true;
    }
    return put(out, ctx, o, fixed->codes);
}

dpl_status dpl__hash_settings_fill(dpl__hash_settings *out, dpl_ctx *ctx,
                                   const dpl_hash_options *fixed, dpl_error *err)
{
    const unsigned one[] = {fixed->length, 0};
    const unsigned *lengths = fixed->length ? one : grids[fixed->function].lengths;
    for (size_t i = 0; lengths[i]; i++)
        DPL_TRY(dpl__need(put_length(out, ctx, fixed, lengths[i]), err));
    return DPL_OK;
}

/* ---- the model ---------------------------------------------------------------------- */

/* Two rows at this distance in the same interval: Datar et al., by Simpson's rule. */
static double same_interval(double distance, double width)
{
    enum { STEPS = 200 };
    if (distance < 1e-9)
        return 1;
    const double h = width / STEPS;
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double t = i * h, x = t / distance;
        const double y = 2 / distance * dpl__exp(-x * x / 2) / sqrt(2 * pi) * (1 - t / width);
        sum += y * (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2);
    }
    const double p = sum * h / 3;
    return p > 1 ? 1 : p;
}

double dpl__hash_agree(const dpl_hash_options *o, double similarity)
{
    const double s = similarity > 1 ? 1 : similarity < 0 ? 0 : similarity;
    switch (o->function) {
    case DPL_HASH_RP:
    case DPL_HASH_SIMHASH: return dpl__pow(1 - dpl__acos(s) / pi, o->length);
    case DPL_HASH_MINHASH: return dpl__pow(s, o->length);
    case DPL_HASH_PSTABLE:
        return o->encoding == DPL_ENCODE_SUMMATION
                   ? -1
                   : dpl__pow(same_interval(sqrt(2 - 2 * s), o->width), o->length);
    default: return -1;
    }
}

/* ---- the cost ----------------------------------------------------------------------- */

double dpl__hash_cost(const dpl_hash_options *o, double terms, double candidates)
{
    const double sort_ns = 25, verify_ns = 120, n = (double)o->length * o->codes;
    double made;
    switch (o->function) {
    case DPL_HASH_PSTABLE: made = 1.1 * terms * n; break;
    case DPL_HASH_FUZZY: made = 2 * terms + 0.5 * n * (o->radix - 1); break;
    case DPL_HASH_MINHASH: made = 0.1 * terms * n; break;
    default: made = 0.01 * terms * n;
    }
    return made + sort_ns * o->codes + verify_ns * candidates;
}
