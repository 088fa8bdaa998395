/*
 * base64.h - bytes to base64 (RFC 4648, section 4), and strictly back.
 *
 * The padding must be there, its unused bits must be zero and nothing else may stand between
 * the characters, so that every byte string has exactly one form.
 */
#ifndef DPL_BASE_BASE64_H
#define DPL_BASE_BASE64_H

#include "base/base.h"

/* What each character stands for. Frozen once made. */
typedef struct dpl__base64 {
    uint8_t value[256];
} dpl__base64;

dpl__base64 dpl__base64_make(void);

/* Decodes s into out, which has room for s.n / 4 * 3 bytes, and sets *n_out. False when s is
 * not base64: then *n_out is the position of the first character that is wrong. */
bool dpl__base64_decode(const dpl__base64 *b, char *out, size_t *n_out, dpl_str s);

/* Encodes n bytes into out, which has room for (n + 2) / 3 * 4; returns that number. */
size_t dpl__base64_encode(char *out, const void *data, size_t n);

#endif
