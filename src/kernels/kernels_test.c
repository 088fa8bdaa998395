#include "kernels/kernels.h"

#include "base/hash.h"
#include "test.h"

static const dpl__kernels *scalar(void)
{
    return dpl__kernels_for(DPL_CPU_SCALAR);
}

DPL_TEST(kernels, crc32c_matches_the_published_check_value)
{
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
        CHECK_EQ(k->crc32c(0, "123456789", 9), 0xE3069283u);
        CHECK_EQ(k->crc32c(0, "", 0), 0);
    }
}

DPL_TEST(kernels, every_level_agrees_with_scalar_at_every_length_and_alignment)
{
    dpl__rng rng = {17};
    static uint8_t data[8192];
    dpl__byteset set = {0};
    for (int b = 0; b < 40; b++)
        dpl__byteset_add(&set, (uint8_t)dpl__rng_next(&rng));
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)dpl__rng_next(&rng);
    for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
        const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
        for (size_t round = 0; round < 3000; round++) {
            size_t at = dpl__rng_below(&rng, 70);
            size_t n = dpl__rng_below(&rng, round % 10 ? 300 : sizeof data - 70);
            uint32_t start = (uint32_t)dpl__rng_next(&rng);
            CHECK_EQ(k->crc32c(start, data + at, n), scalar()->crc32c(start, data + at, n));
            CHECK_EQ(k->find_byte(data + at, n, &set), scalar()->find_byte(data + at, n, &set));
            uint64_t a[64], b[64];
            size_t blocks = dpl__min(n / 64, 64);
            k->mask_bytes(a, data + at, blocks, &set);
            scalar()->mask_bytes(b, data + at, blocks, &set);
            CHECK(blocks == 0 || memcmp(a, b, blocks * sizeof *a) == 0);
        }
        for (int b = 0; b < 256; b++) { /* every byte value, alone in a quiet place */
            uint8_t block[64];
            uint64_t m;
            memset(block, b, sizeof block);
            k->mask_bytes(&m, block, 1, &set);
            CHECK_EQ(m, dpl__byteset_has(&set, (uint8_t)b) ? ~(uint64_t)0 : 0);
        }
    }
}

DPL_TEST(kernels, joined_crcs_are_the_crc_of_the_whole)
{
    dpl__rng rng = {3};
    static uint8_t data[5000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)dpl__rng_next(&rng);
    const dpl__kernels *k = scalar();
    for (int round = 0; round < 200; round++) {
        size_t n = dpl__rng_below(&rng, sizeof data), cut = dpl__rng_below(&rng, n + 1);
        uint32_t a = k->crc32c(0, data, cut), b = k->crc32c(0, data + cut, n - cut);
        CHECK_EQ(dpl__crc32c_join(a, b, n - cut), k->crc32c(0, data, n));
    }
}

DPL_TEST(kernels, utf8_prefix_stops_at_the_first_bad_byte)
{
    static const struct {
        const char *bytes;
        size_t n, good;
    } cases[] = {
        {"plain", 5, 5},
        {"\xC3\xA4", 2, 2},
        {"a\xC3", 2, 1},
        {"\xC0\x80", 2, 0},
        {"\xE0\x9F\xBF", 3, 0},
        {"\xED\xA0\x80", 3, 0},
        {"\xED\x9F\xBF", 3, 3},
        {"\xF0\x8F\xBF\xBF", 4, 0},
        {"\xF4\x8F\xBF\xBF", 4, 4},
        {"\xF4\x90\x80\x80", 4, 0},
        {"\xF5\x80\x80\x80", 4, 0},
        {"0123456789abcde\xE2\x82\xAC then \x80", 25, 24},
    };
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
        for (size_t i = 0; i < DPL_LEN(cases); i++) {
            uint8_t most;
            const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
            CHECK_EQ(k->utf8_prefix((const uint8_t *)cases[i].bytes, cases[i].n, &most),
                     cases[i].good);
        }
}
