/*
 * hash_file.c - a similarity hash function as sections of a file: parameters, and what it
 * learnt.
 *
 * What was learnt is checked to be finite and in order, so that a function from a file cannot
 * misbehave.
 */
#include "signatures/hash_file.h"

#include <math.h>

static dpl_status get_shape(dpl_hash *h, const dpl_file *file, const char *name, dpl_error *err)
{
    const uint64_t *shape = NULL;
    DPL_TRY(dpl__get_n(file, name, 8, &shape, DPL__N_SHAPE, err));
    if (shape[DPL__SHAPE_VERSION] != DPL__CODES_VERSION)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "'%s': section '%s': codes of version %llu are not known here",
                         dpl_file_get_info(file).path, name,
                         (unsigned long long)shape[DPL__SHAPE_VERSION]);
    for (size_t i = DPL__SHAPE_FUNCTION; i < DPL__SHAPE_WIDTH; i++)
        if (shape[i] > INT32_MAX)
            return dpl__damaged(file, name, "number out of range", err);
    dpl_hash_options o = DPL_INIT(dpl_hash_options);
    o.function = (dpl_hash_function)shape[DPL__SHAPE_FUNCTION];
    o.length = (unsigned)shape[DPL__SHAPE_K];
    o.codes = (unsigned)shape[DPL__SHAPE_L];
    o.shingle = (unsigned)shape[DPL__SHAPE_SHINGLE];
    o.radix = (unsigned)shape[DPL__SHAPE_R];
    memcpy(&o.width, &shape[DPL__SHAPE_WIDTH], sizeof o.width);
    o.encoding = shape[DPL__SHAPE_ENCODING] ? DPL_ENCODE_SUMMATION : DPL_ENCODE_CONCATENATION;
    h->function = dpl__hash_function_of(o.function);
    h->options = o;
    h->seed = shape[DPL__SHAPE_SEED];
    if (!h->function || o.length == 0 || o.codes == 0 || o.shingle == 0 ||
        shape[DPL__SHAPE_ENCODING] > 1 || dpl__hash_check(h, NULL) != DPL_OK ||
        h->options.radix != o.radix || !(h->options.width == o.width))
        return dpl__damaged(file, name, "number out of range", err);
    return DPL_OK;
}

static dpl_status get_finite(const dpl_file *file, const char *name, const float **out,
                             size_t n, dpl_error *err)
{
    DPL_TRY(dpl__get_n(file, name, 4, out, n, err));
    for (size_t i = 0; i < n; i++)
        if (!isfinite((*out)[i]))
            return dpl__damaged(file, name, "not a number", err);
    return DPL_OK;
}

static dpl_status get_fuzzy(dpl_hash *h, const dpl_file *file, dpl_error *err)
{
    dpl__fuzzy *f = &h->fuzzy;
    const dpl_hash_options *o = &h->options;
    DPL_TRY(
        dpl__get_strings(file, "prefix.offsets", "prefix.bytes", &f->prefixes, SIZE_MAX, err));
    for (size_t i = 1; i < f->prefixes.n; i++)
        if (dpl__str_cmp(dpl__string(&f->prefixes, i - 1), dpl__string(&f->prefixes, i)) >= 0)
            return dpl__damaged(file, "prefix.bytes", "not in order", err);
    DPL_TRY(dpl__get_n(file, "prefix.classes", 1, &f->classes, f->prefixes.n, err));
    for (size_t i = 0; i < f->prefixes.n; i++)
        if (f->classes[i] >= o->length)
            return dpl__damaged(file, "prefix.classes", "number out of range", err);
    DPL_TRY(get_finite(file, "class.mean", &f->mean, o->length, err));
    DPL_TRY(get_finite(file, "class.sd", &f->sd, o->length, err));
    return get_finite(file, "class.bounds", &f->bounds, dpl__hash_n_bounds(o), err);
}

dpl_status dpl__hash_read(dpl_hash *h, const dpl_file *file, const char *name, dpl_error *err)
{
    DPL_TRY(get_shape(h, file, name, err));
    return h->function->learn ? get_fuzzy(h, file, err) : DPL_OK;
}

/* ---- writing ---------------------------------------------------------------------------- */

static dpl_status write_shape(dpl__writer *w, const dpl_hash *h, const char *name,
                              dpl_error *err)
{
    const dpl_hash_options *o = &h->options;
    uint64_t shape[DPL__N_SHAPE] = {[DPL__SHAPE_VERSION] = DPL__CODES_VERSION,
                                    [DPL__SHAPE_FUNCTION] = (uint64_t)o->function,
                                    [DPL__SHAPE_K] = o->length,
                                    [DPL__SHAPE_L] = o->codes,
                                    [DPL__SHAPE_SHINGLE] = o->shingle,
                                    [DPL__SHAPE_R] = o->radix,
                                    [DPL__SHAPE_SEED] = h->seed,
                                    [DPL__SHAPE_ENCODING] = (uint64_t)o->encoding};
    memcpy(&shape[DPL__SHAPE_WIDTH], &o->width, sizeof o->width);
    return dpl__writer_add(w, name, 8, shape, sizeof shape, err);
}

static dpl_status write_fuzzy(dpl__writer *w, const dpl_hash *h, dpl_error *err)
{
    const dpl__fuzzy *f = &h->fuzzy;
    const size_t n = f->prefixes.n, k = h->options.length;
    DPL_TRY(dpl__writer_add(w, "prefix.offsets", 8, f->prefixes.offsets,
                            (n + 1) * sizeof *f->prefixes.offsets, err));
    DPL_TRY(dpl__writer_add(w, "prefix.bytes", 1, f->prefixes.bytes,
                            (size_t)f->prefixes.offsets[n], err));
    DPL_TRY(dpl__writer_add(w, "prefix.classes", 1, f->classes, n, err));
    DPL_TRY(dpl__writer_add(w, "class.mean", 4, f->mean, k * sizeof *f->mean, err));
    DPL_TRY(dpl__writer_add(w, "class.sd", 4, f->sd, k * sizeof *f->sd, err));
    return dpl__writer_add(w, "class.bounds", 4, f->bounds,
                           dpl__hash_n_bounds(&h->options) * sizeof *f->bounds, err);
}

dpl_status dpl__hash_write(dpl__writer *w, const dpl_hash *h, const char *name, dpl_error *err)
{
    DPL_TRY(write_shape(w, h, name, err));
    return h->function->learn ? write_fuzzy(w, h, err) : DPL_OK;
}
