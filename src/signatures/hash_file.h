/*
 * hash_file.h - a similarity hash function as sections of a file.
 */
#ifndef DPL_SIGNATURES_HASH_FILE_H
#define DPL_SIGNATURES_HASH_FILE_H

#include "io/container.h"
#include "signatures/hash_functions.h"

/* The numbers of the section of a function. */
enum {
    DPL__SHAPE_VERSION,
    DPL__SHAPE_FUNCTION,
    DPL__SHAPE_K,
    DPL__SHAPE_L,
    DPL__SHAPE_SHINGLE,
    DPL__SHAPE_R,
    DPL__SHAPE_WIDTH, /* the bits of a double */
    DPL__SHAPE_ENCODING,
    DPL__SHAPE_SEED,
    DPL__N_SHAPE
};

/* Changes with anything that makes other codes of the same rows. */
enum { DPL__CODES_VERSION = 1 };

/* Bounds of all intervals of fuzzy. */
static inline size_t dpl__hash_n_bounds(const dpl_hash_options *o)
{
    return (size_t)o->codes * o->length * (o->radix - 1);
}

/* name: of the section with the parameters; what was learnt has names of its own. */
dpl_status dpl__hash_write(dpl__writer *w, const dpl_hash *h, const char *name, dpl_error *err);
/* Fills a function that has a context and an arena; it points into the file. */
dpl_status dpl__hash_read(dpl_hash *h, const dpl_file *file, const char *name, dpl_error *err);

#endif
