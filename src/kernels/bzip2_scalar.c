/*
 * bzip2_scalar.c - the symbols of bzip2 blocks, with the list in memory; runs and CRC.
 */
#include "kernels/kernels.h"

typedef struct list_type {
    uint8_t *bytes;
} list_type;

static void list_open(list_type *list, dpl__bz_symbols *s)
{
    list->bytes = s->list;
}

static inline uint8_t list_take(list_type *list, unsigned index)
{
    uint8_t byte = list->bytes[index];
    if (index) {
        memmove(list->bytes + 1, list->bytes, index);
        list->bytes[0] = byte;
    }
    return byte;
}

#include "kernels/bzip2_symbols.h"

static size_t find_four(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i + 3 < n; i++)
        if (p[i] == p[i + 1] && p[i] == p[i + 2] && p[i] == p[i + 3])
            return i;
    return n;
}

/* crc_table[k][b]: the effect of byte b, k bytes before the end of a step. */
enum { CRC_STEP = 16 };
static uint32_t crc_table[CRC_STEP][256];

static void make_crc_table(void)
{
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t x = b << 24;
        for (int i = 0; i < 8; i++)
            x = x << 1 ^ (x >> 31 ? 0x04C11DB7u : 0);
        crc_table[0][b] = x;
    }
    for (uint32_t b = 0; b < 256; b++)
        for (int k = 1; k < CRC_STEP; k++)
            crc_table[k][b] =
                crc_table[k - 1][b] << 8 ^ crc_table[0][crc_table[k - 1][b] >> 24];
}

static uint32_t crc(uint32_t state, const uint8_t *p, size_t n)
{
    for (; n >= CRC_STEP; n -= CRC_STEP, p += CRC_STEP) {
        uint32_t rest = 0; /* does not wait for the state */
#pragma GCC unroll 12
        for (int i = 4; i < CRC_STEP; i++)
            rest ^= crc_table[CRC_STEP - 1 - i][p[i]];
        state = crc_table[15][state >> 24 ^ p[0]] ^ crc_table[14][(state >> 16 & 255) ^ p[1]] ^
                crc_table[13][(state >> 8 & 255) ^ p[2]] ^ crc_table[12][(state & 255) ^ p[3]] ^
                rest;
    }
    for (; n; n--, p++)
        state = state << 8 ^ crc_table[0][state >> 24 ^ *p];
    return state;
}

void dpl__bzip2_scalar(dpl__kernels *k)
{
    make_crc_table();
    k->bz_four = find_four;
    k->bz_crc = crc;
    k->bz_symbols = decode_symbols;
}
