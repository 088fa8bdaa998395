/*
 * bzip2_runs.c - writes out runs of bytes and computes the checksum of bzip2 blocks.
 */
#include "io/bzip2_runs.h"

/* ---- CRC ----------------------------------------------------------------------------- */

/* table[k][b]: the effect of byte b, k bytes before the end of an eight-byte step. */
void dpl__bz_crc_init(dpl__bz_crc *c)
{
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t x = b << 24;
        for (int i = 0; i < 8; i++)
            x = x << 1 ^ (x >> 31 ? 0x04C11DB7u : 0);
        c->table[0][b] = x;
    }
    for (uint32_t b = 0; b < 256; b++)
        for (int k = 1; k < 8; k++)
            c->table[k][b] = c->table[k - 1][b] << 8 ^ c->table[0][c->table[k - 1][b] >> 24];
}

uint32_t dpl__bz_crc_add(const dpl__bz_crc *c, uint32_t state, const uint8_t *p, size_t n)
{
    const uint32_t(*t)[256] = c->table;
    for (; n >= 8; n -= 8, p += 8)
        state = t[7][state >> 24 ^ p[0]] ^ t[6][(state >> 16 & 255) ^ p[1]] ^
                t[5][(state >> 8 & 255) ^ p[2]] ^ t[4][(state & 255) ^ p[3]] ^ t[3][p[4]] ^
                t[2][p[5]] ^ t[1][p[6]] ^ t[0][p[7]];
    for (; n; n--, p++)
        state = state << 8 ^ t[0][state >> 24 ^ *p];
    return state;
}

/* ---- runs ---------------------------------------------------------------------------- */

static bool has_equal_pair(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
    x = (x ^ x >> 8) & 0x00FF00FF00FF00FFu;
    return ((x - 0x0001000100010001u) & 0x8000800080008000u) != 0;
}

/* Behind the first four equal bytes from `at` on, or n + 1. Every second pair of neighbours is
 * enough to look at: four equal bytes have one of them. */
static size_t find_run(const uint8_t *text, size_t at, size_t n)
{
    for (size_t i = at; i + 1 < n; i += 2) {
        while (i + 8 <= n && !has_equal_pair(text + i))
            i += 8;
        if (i + 1 >= n)
            break;
        if (text[i] != text[i + 1])
            continue;
        size_t from = i > at && text[i - 1] == text[i] ? i - 1 : i;
        if (from + 4 <= n && text[from + 2] == text[i] && text[from + 3] == text[i])
            return from + 4;
    }
    return n + 1;
}

void dpl__bz_runs_init(dpl__bz_runs *r, const uint8_t *text, size_t n)
{
    *r = (dpl__bz_runs){.text = text, .n = n, .state = 0xFFFFFFFFu};
    r->run = find_run(text, 0, n);
}

/* At the place of a count. */
static void begin_run(dpl__bz_runs *r)
{
    r->byte = r->text[r->at - 1];
    r->n_more = r->text[r->at];
    r->lacks_count = r->at == r->n;
    r->at = dpl__min(r->at + 1, r->n);
    r->run = r->lacks_count ? r->n + 1 : find_run(r->text, r->at, r->n);
}

size_t dpl__bz_runs_read(dpl__bz_runs *r, const dpl__bz_crc *c, uint8_t *out, size_t room)
{
    size_t n = 0;
    for (;;) {
        size_t more = dpl__min(r->n_more, room - n);
        memset(out + n, r->byte, more);
        r->n_more -= more;
        n += more;
        if (r->n_more || (r->at == r->n && r->run > r->n) || (n == room && r->at != r->run))
            break;
        size_t piece = dpl__min(dpl__min(r->run, r->n) - r->at, room - n);
        memcpy(out + n, r->text + r->at, piece);
        r->at += piece;
        n += piece;
        if (r->at == r->run)
            begin_run(r);
    }
    r->state = dpl__bz_crc_add(c, r->state, out, n);
    return n;
}
