/*
 * keysort.h - strings sorted in memory, on all threads.
 */
#ifndef DPL_IO_KEYSORT_H
#define DPL_IO_KEYSORT_H

#include "base/base.h"

/* A borrowed string and a number that travels with it. */
typedef struct dpl__key {
    uint64_t prefix; /* the first eight bytes as a big-endian number: dpl__key_of */
    const char *data;
    uint32_t n, index;
} dpl__key;

/* The first eight bytes of a string, zeros behind its end: of two different prefixes the lower
 * one belongs to the string that comes first. */
static inline uint64_t dpl__key_prefix(const char *data, size_t n)
{
    uint64_t p = 0;
    for (size_t i = 0; i < 8; i++)
        p = p << 8 | (i < n ? (unsigned char)data[i] : 0);
    return p;
}

static inline dpl__key dpl__key_of(dpl_str s, uint32_t index)
{
    return (dpl__key){dpl__key_prefix(s.data, s.n), s.data, (uint32_t)s.n, index};
}

static inline bool dpl__key_equal(const dpl__key *a, const dpl__key *b)
{
    return a->prefix == b->prefix && a->n == b->n &&
           (a->n <= 8 || memcmp(a->data, b->data, a->n) == 0);
}

/* Sorts bytewise, a prefix before what it begins; equal keys stay in their order. scratch has
 * room for n keys. On the caller's thread: works on all of them. */
dpl_status dpl__sort_keys(dpl_ctx *ctx, dpl__key *keys, dpl__key *scratch, size_t n,
                          dpl_error *err);

#endif
