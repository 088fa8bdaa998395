/*
 * bzip2_marks.c - finds bzip2 blocks and the ends of streams.
 */
#include "io/bzip2_marks.h"

uint64_t dpl__bz_bits(const uint8_t *p, size_t bit, unsigned n)
{
    assert(n > 0 && n <= 56);
    size_t last = (bit + n - 1) / 8;
    uint64_t x = 0;
    for (size_t i = bit / 8; i <= last; i++)
        x = x << 8 | p[i];
    return x >> (8 * (last + 1) - bit - n) & (((uint64_t)1 << n) - 1);
}

/* A magic that begins at bit s of a byte has the next two bytes for itself. Bit s of
 * first[b] & second[c] says that b and c may be those of a block's magic, bit 8 + s that they
 * may be those of the end mark. */
void dpl__bz_finder_init(dpl__bz_finder *f)
{
    static const uint64_t magics[] = {DPL__BZ_BLOCK, DPL__BZ_END};
    memset(f, 0, sizeof *f);
    for (unsigned m = 0; m < 2; m++)
        for (unsigned s = 0; s < 8; s++) {
            f->first[magics[m] >> (32 + s) & 255] |= (uint16_t)(1u << (8 * m + s));
            f->second[magics[m] >> (24 + s) & 255] |= (uint16_t)(1u << (8 * m + s));
        }
}

bool dpl__bz_find(size_t *bit, const dpl__bz_finder *f, const uint8_t *p, size_t from,
                  size_t to)
{
    for (size_t i = from / 8; 8 * i < to; i++) {
        if (DPL_LIKELY(!(f->first[p[i + 1]] & f->second[p[i + 2]])))
            continue;
        for (size_t b = dpl__max(8 * i, from); b < dpl__min(8 * i + 8, to); b++) {
            uint64_t x = dpl__bz_bits(p, b, 48);
            if (x == DPL__BZ_BLOCK || x == DPL__BZ_END) {
                *bit = b;
                return true;
            }
        }
    }
    return false;
}
