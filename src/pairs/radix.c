/*
 * radix.c - sorting 64-bit numbers by their bytes, lowest first.
 *
 * Bytes that all numbers share are skipped. Cost: one pass to count, one per byte that varies.
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

uint64_t *dpl__radix_sort_bytes(uint64_t *numbers, uint64_t *scratch, size_t n, unsigned first,
                                unsigned end)
{
    size_t counts[8][256];
    memset(counts[first], 0, (end - first) * sizeof counts[0]);
    for (size_t i = 0; i < n; i++)
        for (unsigned k = first; k < end; k++)
            counts[k][numbers[i] >> 8 * k & 255]++;
    uint64_t *from = numbers, *to = scratch;
    for (unsigned k = first; n && k < end; k++) {
        if (counts[k][from[0] >> 8 * k & 255] == n)
            continue;
        scatter(to, from, n, counts[k], 8 * k);
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
