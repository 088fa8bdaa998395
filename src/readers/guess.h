/*
 * guess.h - which encoding are bytes in that are not UTF-8?
 */
#ifndef DPL_READERS_GUESS_H
#define DPL_READERS_GUESS_H

#include "unicode/charset.h"

/* The most that is looked at, from the first byte that is not ASCII on. */
enum { DPL__GUESS_SAMPLE = 64 << 10 };

typedef struct dpl__guess {
    dpl__charset charset; /* the likeliest; empty: none is likely */
    bool is_sure;         /* docs/guides/import.md: what it takes, and how often it is right */
} dpl__guess;

/* Looks at the beginning of a text (the part of it that counts is found here). The answer
 * depends on the bytes alone. DPL_E_NOMEM only. */
dpl_status dpl__charset_guess(dpl__guess *out, dpl_ctx *ctx, dpl_str text, dpl_error *err);

/* The same for UTF-16 without a byte-order mark; false: it is not. For bytes with zeros. */
bool dpl__is_utf16(dpl_str text, bool *is_little_endian);

#endif
