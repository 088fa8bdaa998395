/*
 * sha256.h - SHA-256 (FIPS 180-4), for the policies of pages: they name their own script and
 * style by it, so that nothing else in the page is run. Owned.
 */
#ifndef DPL_BASE_SHA256_H
#define DPL_BASE_SHA256_H

#include "base/base.h"

typedef struct dpl__sha256 {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t n; /* bytes so far */
} dpl__sha256;

dpl__sha256 dpl__sha256_begin(void);
void dpl__sha256_add(dpl__sha256 *s, const void *bytes, size_t n);
void dpl__sha256_end(dpl__sha256 *s, uint8_t out[32]);

/* Bytes of "'sha256-...'" with its end. */
enum { DPL__SOURCE_SIZE = 56 };

/* A source for script-src or style-src of a Content-Security-Policy: of the content of an
 * element, in pieces. */
void dpl__policy_source(char out[DPL__SOURCE_SIZE], const char *const *pieces, size_t n);

#endif
