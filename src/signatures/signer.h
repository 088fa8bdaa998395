/*
 * signer.h - rows of vectors to rows of words.
 */
#ifndef DPL_SIGNATURES_SIGNER_H
#define DPL_SIGNATURES_SIGNER_H

#include "signatures/sign_methods.h"
#include "signatures/signatures.h"
#include "vectors/vectors.h"

/* Frozen after init, but for what belongs to each worker. */
typedef struct dpl__signer {
    dpl_ctx *ctx;
    const dpl_vectors *vectors;
    const dpl__signature_method *method;
    unsigned n;
    uint32_t n_words; /* of one signature */
    uint64_t seed;
    uint64_t *keys;  /* sparse: of every term, or NULL when they are too many to be kept */
    int16_t *planes; /* dense: all hyperplanes, or NULL when they are too many */
    char *plane_memory;
    size_t n_plane_bytes;
    size_t dim;     /* dense: numbers in a row, filled up with zeros to whole vectors */
    size_t n_tile;  /* dense: rows that are worked on together */
    unsigned shift; /* dense: of products that are kept, so that they have 31 bits */
    struct dpl__sign_scratch *scratch; /* of each worker */
} dpl__signer;

/* n as dpl_sign_check gives it. minhash of dense rows is DPL_E_USAGE. After a failure it must
 * still be cleared. */
dpl_status dpl__signer_init(dpl__signer *s, dpl_ctx *ctx, const dpl_vectors *vectors,
                            dpl_sign_method method, unsigned n, dpl_error *err);
void dpl__signer_clear(dpl__signer *s);

/* The signatures of n rows. On any thread. */
void dpl__signer_rows(const dpl__signer *s, uint64_t *out, uint32_t first, uint32_t n,
                      unsigned worker);

#endif
