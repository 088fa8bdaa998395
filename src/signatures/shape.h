/*
 * shape.h - what writing and reading signatures share.
 */
#ifndef DPL_SIGNATURES_SHAPE_H
#define DPL_SIGNATURES_SHAPE_H

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

/* An empty one with a path; to be closed also after a failure. */
dpl_status dpl__signatures_new(dpl_signatures **out, dpl_ctx *ctx, const char *path,
                               dpl_error *err);

#endif
