/*
 * shape.h - what writing and reading signatures share.
 */
#ifndef DPL_SRC_SHAPE_H
#define DPL_SRC_SHAPE_H

#include "signatures/signatures.h"

/* The numbers of section `shape`. */
enum {
    DPL__SHAPE_HASH,
    DPL__SHAPE_METHOD,
    DPL__SHAPE_N,
    DPL__SHAPE_SEED,
    DPL__SHAPE_PROJECTED,
    DPL__N_SHAPE
};

/* Changes with anything that makes other bits of the same rows. */
enum { DPL__SIGN_HASH = 1 };

/* 64-bit words of one signature. */
static inline uint32_t dpl__sign_words(const dpl_sign_options *o)
{
    return o->method == DPL_SIGN_MINHASH ? (o->n + 1) / 2 : o->n / 64;
}

/* An empty one with a path; to be closed also after a failure. */
dpl_status dpl__signatures_new(dpl_signatures **out, dpl_ctx *ctx, const char *path,
                               dpl_error *err);

#endif
