/*
 * radix.c - sorting 64-bit numbers by their bytes, lowest first.
 *
 * Bytes that all numbers share are skipped. Cost: a pass to count for every two bytes, and one
 * per byte that varies.
 */
#include "pairs/radix.h"

static void scatter(uint64_t *to, const uint64_t *from, size_t n, size_t *counts,
                    unsigned shift)
{
    size_t at = 0;
    for (unsigned b = 0; b < 256; b++) {
        size_t count = counts[b];
        counts[b] = at;
        at += count;
    }
    for (size_t i = 0; i < n; i++)
        to[counts[from[i] >> shift & 255]++] = from[i];
}

/* Two bytes at a time: more counts would not stay in the first-level cache. */
static void count(size_t low[256], size_t high[256], const uint64_t *numbers, size_t n,
                  unsigned shift)
{
    memset(low, 0, 256 * sizeof *low);
    memset(high, 0, 256 * sizeof *high);
    for (size_t i = 0; i < n; i++) {
        uint64_t x = numbers[i] >> shift;
        low[x & 255]++;
        high[x >> 8 & 255]++;
    }
}

uint64_t *dpl__radix_sort_bytes(uint64_t *numbers, uint64_t *scratch, size_t n, unsigned first,
                                unsigned end)
{
    assert(first <= end && end <= 8);
    uint64_t *from = numbers, *to = scratch;
    size_t counts[2][256];
    for (unsigned k = first; n && k < end; k++) {
        if ((k - first) % 2 == 0)
            count(counts[0], counts[1], from, n, 8 * k);
        size_t *c = counts[(k - first) % 2];
        if (c[from[0] >> 8 * k & 255] == n) /* all the same */
            continue;
        scatter(to, from, n, c, 8 * k);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

void dpl__radix_sort(uint64_t *numbers, uint64_t *scratch, size_t n)
{
    const uint64_t *sorted = dpl__radix_sort_bytes(numbers, scratch, n, 0, 8);
    if (sorted != numbers)
        memcpy(numbers, sorted, n * sizeof *numbers);
}
