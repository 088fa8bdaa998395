/*
 * sha256.c - SHA-256, as the standard has it: a page has some kilobytes.
 */
#include "base/sha256.h"

#include "base/base64.h"

static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t turn(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void expand(uint32_t w[64], const uint8_t block[64])
{
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
               w[i - 7] + (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
}

/* v[0, 8) are a to h of the standard. */
static void compress(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[64], v[8];
    expand(w, block);
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++) {
        const uint32_t one = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) +
                             ((v[4] & v[5]) ^ (~v[4] & v[6])) + rounds[i] + w[i];
        const uint32_t two = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) +
                             ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

dpl__sha256 dpl__sha256_begin(void)
{
    return (dpl__sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                   0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void dpl__sha256_add(dpl__sha256 *s, const void *bytes, size_t n)
{
    assert(bytes || !n);
    const uint8_t *p = bytes;
    for (size_t i = 0; i < n; i++) {
        s->block[s->n++ % 64] = p[i];
        if (s->n % 64 == 0)
            compress(s->state, s->block);
    }
}

void dpl__sha256_end(dpl__sha256 *s, uint8_t out[32])
{
    const uint64_t n_bits = 8 * s->n;
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(n_bits >> (56 - 8 * i));
    dpl__sha256_add(s, "\x80", 1);
    while (s->n % 64 != 56)
        dpl__sha256_add(s, "", 1);
    dpl__sha256_add(s, length, 8);
    for (int i = 0; i < 32; i++)
        out[i] = (uint8_t)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}

void dpl__policy_source(char out[DPL__SOURCE_SIZE], const char *const *pieces, size_t n)
{
    static const char head[] = "'sha256-";
    uint8_t sum[32];
    dpl__sha256 s = dpl__sha256_begin();
    for (size_t i = 0; i < n; i++)
        dpl__sha256_add(&s, pieces[i], strlen(pieces[i]));
    dpl__sha256_end(&s, sum);
    memcpy(out, head, sizeof head - 1);
    char *to = out + sizeof head - 1;
    to += dpl__base64_encode(to, sum, sizeof sum);
    memcpy(to, "'", 2);
}
