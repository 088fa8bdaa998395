/*
 * hash.h - 64-bit hashing of bytes and integers, and the random generator built on it.
 *
 * Multiply-fold hashing: 64x64 -> 128 bit products whose halves are xored. Not for
 * adversaries; the same on every machine (little-endian loads), so files may depend on it.
 */
#ifndef DPL_BASE_HASH_H
#define DPL_BASE_HASH_H

#include "base/base.h"

/* __int128 is spelled this way so that -Wpedantic stays quiet. */
__extension__ typedef unsigned __int128 dpl__u128;

static inline uint64_t dpl__load64(const void *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return x;
}

static inline uint32_t dpl__load32(const void *p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
}

static inline uint64_t dpl__mum(uint64_t a, uint64_t b)
{
    dpl__u128 m = (dpl__u128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

#define DPL__K0 0x9E3779B97F4A7C15u
#define DPL__K1 0xBF58476D1CE4E5B9u
#define DPL__K2 0x94D049BB133111EBu

/* One integer to one well-mixed integer (a bijection: splitmix64's finaliser). */
static inline uint64_t dpl__mix(uint64_t x)
{
    x += DPL__K0;
    x = (x ^ (x >> 30)) * DPL__K1;
    x = (x ^ (x >> 27)) * DPL__K2;
    return x ^ (x >> 31);
}

static inline uint64_t dpl__hash(const void *data, size_t n, uint64_t seed)
{
    const unsigned char *p = data;
    uint64_t h = dpl__mum(seed ^ DPL__K0, n ^ DPL__K1);
    for (; n > 16; n -= 16, p += 16)
        h = dpl__mum(dpl__load64(p) ^ DPL__K1, dpl__load64(p + 8) ^ h);
    uint64_t a = 0, b = 0;
    if (n >= 8) {
        a = dpl__load64(p);
        b = dpl__load64(p + n - 8);
    } else if (n >= 4) {
        a = dpl__load32(p);
        b = dpl__load32(p + n - 4);
    } else if (n > 0) {
        a = (uint64_t)p[0] << 16 | (uint64_t)p[n / 2] << 8 | p[n - 1];
    }
    return dpl__mum(a ^ DPL__K2, dpl__mum(b ^ h, DPL__K0));
}

/* Bits that are 1. */
static inline unsigned dpl__n_ones(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    return (unsigned)(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56);
}

/* A small fast generator: counter through the finaliser. Owned. */
typedef struct dpl__rng {
    uint64_t state;
} dpl__rng;

static inline uint64_t dpl__rng_next(dpl__rng *rng)
{
    return dpl__mix(rng->state++);
}

/* Uniform in [0, n), n > 0; the bias is below 2^-32 for n < 2^32. */
static inline uint64_t dpl__rng_below(dpl__rng *rng, uint64_t n)
{
    return (uint64_t)(((dpl__u128)dpl__rng_next(rng) * n) >> 64);
}

#endif
