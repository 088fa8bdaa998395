/*
 * hash_write.c - writes the sections that hash_file.c reads.
 */
#include "signatures/hash_file.h"

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
