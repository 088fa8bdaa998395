/* Kernels at the ends of what they may read and write, against what they are to do. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "kernels/guarded_test.h"

#include "base/hash.h"
#include "kernels/kernels.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 300 };

/* Every level, with a length and a side of the room. */
#define FOR_EACH_END(cpu, n, at_end, least, most)                                              \
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)                          \
        for (size_t n = (least); n <= (most); n++)                                             \
            for (int at_end = 0; at_end < 2; at_end++)

static const dpl__kernels *level(int cpu)
{
    return dpl__kernels_for((dpl_cpu)cpu);
}

static void draw_bytes(void *to, size_t n, dpl__rng *rng)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)to)[i] = (uint8_t)dpl__rng_next(rng);
}

/* ---- bytes ------------------------------------------------------------------------- */

static uint32_t crc_by_bits(uint32_t crc, const uint8_t *p, size_t n)
{
    crc = ~crc;
    for (size_t i = 0; i < 8 * n; i++) {
        const uint32_t bit = (crc ^ p[i / 8] >> i % 8) & 1;
        crc = crc >> 1 ^ (bit ? DPL__CRC32C : 0);
    }
    return ~crc;
}

DPL_TEST(kernels_ends, crc32c_is_that_of_its_definition)
{
    guarded g = guarded_new(MOST);
    uint8_t data[MOST];
    uint32_t expected[MOST + 1];
    dpl__rng rng = {1};
    draw_bytes(data, MOST, &rng);
    for (size_t n = 0; n <= MOST; n++)
        expected[n] = crc_by_bits(77, data, n);
    FOR_EACH_END(cpu, n, at_end, 0, MOST)
    CHECK_EQ(level(cpu)->crc32c(77, guarded_copy(&g, data, n, at_end), n), expected[n]);
    guarded_free(&g);
}

/* The byte sought may be anywhere, or nowhere; behind the end there may be one, too. */
DPL_TEST(kernels_ends, find_byte_finds_the_first_one_before_the_end)
{
    enum { LENGTH = 150 };
    guarded g = guarded_new(2 * LENGTH);
    dpl__byteset set = {0};
    static const uint8_t members[] = {0, 1, 9, 0x7F, 0x80, 0x8F, 0xF0, 0xFF};
    for (size_t i = 0; i < sizeof members; i++)
        dpl__byteset_add(&set, members[i]);
    for (unsigned b = 0; b < 256; b++)
        CHECK_EQ(dpl__byteset_has(&set, (uint8_t)b), memchr(members, (int)b, 8) != NULL);
    FOR_EACH_END(cpu, n, at_end, 0, LENGTH)
    {
        uint8_t *p = guarded_bytes(&g, n, at_end);
        memset(p, 'x', n);
        CHECK_EQ(level(cpu)->find_byte(p, n, &set), n);
        if (!at_end) {
            p[n] = members[n % 8];
            CHECK_EQ(level(cpu)->find_byte(p, n, &set), n);
            p[n] = 'x';
        }
        for (size_t at = 0; at < n; at++) {
            p[at] = members[(at + n) % 8];
            CHECK_EQ(level(cpu)->find_byte(p, n, &set), at);
            if (at + 1 < n)
                p[n - 1] = members[at % 8];
            CHECK_EQ(level(cpu)->find_byte(p, n, &set), at);
            p[n - 1] = p[at] = 'x';
        }
    }
    guarded_free(&g);
}

DPL_TEST(kernels_ends, mask_bytes_has_a_bit_for_every_byte)
{
    enum { BLOCKS = 9 };
    guarded g = guarded_new(64 * BLOCKS), to = guarded_new(8 * BLOCKS);
    uint8_t data[64 * BLOCKS];
    dpl__byteset set = {0};
    dpl__rng rng = {2};
    for (int i = 0; i < 90; i++)
        dpl__byteset_add(&set, (uint8_t)dpl__rng_next(&rng));
    draw_bytes(data, sizeof data, &rng);
    FOR_EACH_END(cpu, n, at_end, 0, BLOCKS)
    {
        uint64_t *mask = guarded_bytes(&to, 8 * n, at_end);
        level(cpu)->mask_bytes(mask, guarded_copy(&g, data, 64 * n, at_end), n, &set);
        for (size_t i = 0; i < 64 * n; i++)
            CHECK_EQ(mask[i / 64] >> i % 64 & 1, dpl__byteset_has(&set, data[i]));
    }
    guarded_free(&g);
    guarded_free(&to);
}

/* All code points, and what looks like one: surrogates, too long ones, those beyond the last.
 */
DPL_TEST(kernels_ends, utf8_prefix_takes_every_code_point_and_nothing_else)
{
    guarded g = guarded_new(40);
    for (uint32_t c = 0; c < 0x112000;
         c += c < 0x3000 || (c >= 0xD700 && c < 0xE100) || (c & 0xFFFF) > 0xFF00 || c > 0x10FE00
                  ? 1
                  : 61) {
        uint8_t bytes[4], most;
        const size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        static const uint8_t lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
        for (size_t i = n; i-- > 0;)
            bytes[i] = (uint8_t)(i ? 0x80 | (c >> 6 * (n - 1 - i) & 0x3F)
                                   : lead[n] | c >> 6 * (n - 1));
        const bool is_good = !(c >= 0xD800 && c < 0xE000) && c < 0x110000;
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            uint8_t *p = guarded_bytes(&g, 32 + n, true);
            memset(p, 'a', 32);
            memcpy(p + 32, bytes, n);
            CHECK_EQ(level(cpu)->utf8_prefix(p, 32 + n, &most), is_good ? 32 + n : 32);
            CHECK_EQ(most, is_good && bytes[0] > 'a' ? bytes[0] : 'a');
            for (size_t cut = 1; cut < n; cut++) /* at the end of what may be read */
                CHECK_EQ(
                    level(cpu)->utf8_prefix(guarded_copy(&g, bytes, cut, true), cut, &most), 0);
        }
    }
    guarded_free(&g);
}

/* ---- words ------------------------------------------------------------------------- */

static unsigned differ(const uint64_t *a, const uint64_t *b, size_t n)
{
    unsigned sum = 0;
    for (size_t i = 0; i < 64 * n; i++)
        sum += (unsigned)((a[i / 64] ^ b[i / 64]) >> i % 64 & 1);
    return sum;
}

DPL_TEST(kernels_ends, hamming_reads_its_words_only)
{
    enum { WORDS = 70, DOCS = 64 };
    guarded g = guarded_new(8 * WORDS), h = guarded_new(8 * DOCS * 9);
    uint64_t a[WORDS], b[DOCS * 9];
    dpl__rng rng = {3};
    draw_bytes(a, sizeof a, &rng);
    draw_bytes(b, sizeof b, &rng);
    FOR_EACH_END(cpu, n, at_end, 0, WORDS)
    CHECK_EQ(level(cpu)->hamming(guarded_copy(&g, a, 8 * n, at_end),
                                 guarded_copy(&h, b, 8 * n, at_end), n),
             differ(a, b, n));
    for (size_t n_words = 1; n_words <= 9; n_words++)
        FOR_EACH_END(cpu, n, at_end, 1, DOCS)
        {
            const unsigned cut = (unsigned)(32 * n_words);
            const uint64_t mask = level(cpu)->hamming_few(
                guarded_copy(&g, a, 8 * n_words, at_end),
                guarded_copy(&h, b, 8 * n * n_words, at_end), n, n_words, n_words, cut);
            CHECK(n == 64 || mask >> n == 0);
            for (size_t d = 0; d < n; d++)
                CHECK_EQ(mask >> d & 1, differ(a, b + d * n_words, n_words) <= cut);
        }
    guarded_free(&g);
    guarded_free(&h);
}

/* ---- numbers ----------------------------------------------------------------------- */

/* 16 sums, in the order that is promised. */
static float dot_of(const float *a, const float *b, size_t n)
{
    volatile float sums[16] = {0}, product;
    for (size_t i = 0; i < n; i++) {
        product = a[i] * b[i];
        sums[i % 16] += product;
    }
    for (size_t half = 8; half; half /= 2)
        for (size_t i = 0; i < half; i++)
            sums[i] += sums[i + half];
    return sums[0];
}

DPL_TEST(kernels_ends, dots_are_16_sums_in_order)
{
    enum { LENGTH = 130 };
    guarded g = guarded_new(4 * LENGTH), h = guarded_new(4 * LENGTH);
    float a[LENGTH], b[LENGTH];
    dpl__rng rng = {4};
    for (size_t i = 0; i < LENGTH; i++) {
        a[i] = (float)(int64_t)dpl__rng_next(&rng) * 0x1p-60f;
        b[i] = (float)(int64_t)dpl__rng_next(&rng) * 0x1p-40f;
    }
    FOR_EACH_END(cpu, n, at_end, 0, LENGTH)
    {
        const float *x = guarded_copy(&g, a, 4 * n, at_end),
                    *y = guarded_copy(&h, b, 4 * n, at_end);
        float many;
        CHECK(level(cpu)->dot(x, y, n) == dot_of(a, b, n));
        level(cpu)->dots(&many, x, 1, y, 1, n);
        CHECK(many == dot_of(a, b, n));
    }
    guarded_free(&g);
    guarded_free(&h);
}

DPL_TEST(kernels_ends, products_of_bytes_are_sums_of_products)
{
    enum { DIMS = 8 * DPL__DOT8_DIMS };
    guarded g = guarded_new(DIMS), h = guarded_new(DIMS);
    int8_t a[DIMS], b[DIMS];
    dpl__rng rng = {5};
    for (size_t i = 0; i < DIMS; i++) {
        a[i] = (int8_t)((int)dpl__rng_below(&rng, 255) - 127);
        b[i] = (int8_t)(i % 7 ? (int)dpl__rng_below(&rng, 255) - 127 : i % 2 ? 127 : -127);
    }
    FOR_EACH_END(cpu, n, at_end, 0, DIMS / DPL__DOT8_DIMS)
    {
        const size_t dim = n * DPL__DOT8_DIMS;
        int32_t expected = 0;
        for (size_t i = 0; i < dim; i++)
            expected += a[i] * b[i];
        CHECK_EQ(level(cpu)->dot8(guarded_copy(&g, a, dim, at_end),
                                  guarded_copy(&h, b, dim, at_end), dim),
                 expected);
    }
    guarded_free(&g);
    guarded_free(&h);
}

/* Distances of 8-bit rows: 0 for the product of equal ones; the least product of a distance. */
DPL_TEST(kernels_ends, distances_and_least_products_of_bytes_fit_together)
{
    static const size_t dims[] = {64, 128, 1024, 65536};
    for (size_t i = 0; i < DPL_LEN(dims); i++) {
        const int32_t one = 1024 * (int32_t)dims[i];
        CHECK_EQ(dpl__dot8_distance(one, dims[i]), 0);
        CHECK_EQ(dpl__dot8_distance(one + 5, dims[i]), 0);
        CHECK_EQ(dpl__dot8_distance(one - 1, dims[i]), 1);
        CHECK_EQ(dpl__dot8_distance(-one, dims[i]), 2 * (uint32_t)one);
        for (uint32_t cut = 0; cut < 2 * (uint32_t)one; cut += 1 + cut / 3) {
            const int32_t least = dpl__dot8_least(cut, dims[i]);
            CHECK_EQ(least, one - (int64_t)cut);
            CHECK(dpl__dot8_distance(least, dims[i]) <= cut);
            CHECK(dpl__dot8_distance(least - 1, dims[i]) > cut);
        }
        CHECK_EQ(dpl__dot8_least(UINT32_MAX, dims[i]), -DPL__DOT8_MOST);
    }
}

/* ---- sparse sums ------------------------------------------------------------------- */

DPL_TEST(kernels_ends, sweeps_and_passes_read_their_places_only)
{
    guarded g[4];
    uint16_t sums[MOST], norms[MOST], cuts[MOST];
    dpl__rng rng = {6};
    for (size_t i = 0; i < DPL_LEN(g); i++)
        g[i] = guarded_new(2 * MOST);
    for (size_t i = 0; i < MOST; i++) {
        sums[i] = (uint16_t)dpl__rng_below(&rng, i % 9 ? 3000 : 65536);
        norms[i] = (uint16_t)dpl__rng_next(&rng);
        cuts[i] = (uint16_t)dpl__rng_below(&rng, 5000);
    }
    static const uint16_t leasts[] = {0, 1, 1500, 40000, 65535};
    for (size_t l = 0; l < DPL_LEN(leasts); l++)
        FOR_EACH_END(cpu, n, at_end, 0, MOST)
        {
            const uint16_t norm = (uint16_t)(n * 211), slack = (uint16_t)(n % 40 * 10);
            const uint16_t *s = guarded_copy(&g[0], sums, 2 * n, at_end);
            const dpl__pass pass = {guarded_copy(&g[1], norms, 2 * n, at_end),
                                    guarded_copy(&g[2], cuts, 2 * n, at_end), norm, slack,
                                    leasts[l]};
            uint16_t *out = guarded_bytes(&g[3], 2 * n, at_end);
            size_t n_found = level(cpu)->sparse_sweep(out, s, pass.norms, n, norm, leasts[l]),
                   at = 0;
            for (size_t i = 0; i < n; i++)
                if (sums[i] + ((uint32_t)norms[i] * norm >> 16) >= leasts[l]) {
                    CHECK(at < n_found && out[at] == i);
                    at++;
                }
            CHECK_EQ(at, n_found);
            n_found = level(cpu)->sparse_pass(out, s, n, &pass);
            at = 0;
            for (size_t i = 0; i < n; i++)
                if (sums[i] + ((uint32_t)norms[i] * norm >> 16) + slack >=
                    (cuts[i] < leasts[l] ? cuts[i] : leasts[l])) {
                    CHECK(at < n_found && out[at] == i);
                    at++;
                }
            CHECK_EQ(at, n_found);
        }
    for (size_t i = 0; i < DPL_LEN(g); i++)
        guarded_free(&g[i]);
}

/* The sum that is returned is that of the weights as they were written, and odd. */
DPL_TEST(kernels_ends, weights_are_shares_of_the_largest_one)
{
    guarded g = guarded_new(4 * MOST), to = guarded_new(MOST);
    float w[MOST];
    dpl__rng rng = {7};
    for (size_t i = 0; i < MOST; i++)
        w[i] = (float)(1 + dpl__rng_below(&rng, 100000)) / 1000;
    FOR_EACH_END(cpu, n, at_end, 1, MOST)
    {
        uint8_t *out = guarded_bytes(&to, n, at_end);
        const unsigned sum =
            level(cpu)->sign_weights(out, guarded_copy(&g, w, 4 * n, at_end), n);
        float most = 0;
        unsigned written = 0, n_off = 0;
        for (size_t i = 0; i < n; i++) {
            most = w[i] > most ? w[i] : most;
            written += out[i];
        }
        for (size_t i = 0; i < n; i++) {
            const double exact = (double)w[i] / (double)most * DPL__SIGN_WEIGHT;
            CHECK(fabs(out[i] - exact) < 1.5001);
            n_off += fabs(out[i] - exact) > 0.5001;
        }
        CHECK(n_off <= 1); /* the one that makes it odd */
        CHECK_EQ(written, sum);
        CHECK(sum % 2 == 1);
    }
    guarded_free(&g);
    guarded_free(&to);
}
