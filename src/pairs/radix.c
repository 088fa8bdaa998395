/*
 * radix.c - sorting 64-bit numbers by their bytes, lowest first.
 *
 * Bytes that all numbers share are skipped. Cost: one pass to count, one per byte that varies.
 */
#include "pairs/radix.h"

enum { SMALL = 64 };

static void insertion_sort(uint64_t *numbers, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t x = numbers[i];
        size_t j = i;
        for (; j > 0 && numbers[j - 1] > x; j--)
            numbers[j] = numbers[j - 1];
        numbers[j] = x;
    }
}

static void scatter(uint64_t *to, const uint64_t *from, size_t n, size_t *start, unsigned shift)
{
    size_t at = 0;
    for (unsigned b = 0; b < 256; b++) {
        size_t count = start[b];
        start[b] = at;
        at += count;
    }
    for (size_t i = 0; i < n; i++)
        to[start[from[i] >> shift & 255]++] = from[i];
}

void dpl__radix_sort(uint64_t *numbers, uint64_t *scratch, size_t n)
{
    if (n <= SMALL) {
        insertion_sort(numbers, n);
        return;
    }
    size_t counts[8][256] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < 8; k++)
            counts[k][numbers[i] >> 8 * k & 255]++;
    uint64_t *from = numbers, *to = scratch;
    for (unsigned k = 0; k < 8; k++) {
        if (counts[k][from[0] >> 8 * k & 255] == n)
            continue;
        scatter(to, from, n, counts[k], 8 * k);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != numbers)
        memcpy(numbers, from, n * sizeof *numbers);
}
