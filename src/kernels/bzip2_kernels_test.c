#include "base/hash.h"
#include "kernels/kernels.h"
#include "test.h"

DPL_TEST(bzip2_kernels, every_level_finds_the_first_four_equal_bytes)
{
    dpl__rng rng = {21};
    uint8_t data[200];
    for (unsigned round = 0; round < 20000; round++) {
        size_t n = dpl__rng_below(&rng, 100), at = dpl__rng_below(&rng, 40), expected = 0;
        uint64_t letters = 1 + dpl__rng_below(&rng, 12);
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (uint8_t)dpl__rng_below(&rng, letters);
        const uint8_t *p = data + at;
        while (expected + 3 < n &&
               (p[expected] != p[expected + 1] || p[expected] != p[expected + 2] ||
                p[expected] != p[expected + 3]))
            expected++;
        expected = expected + 3 < n ? expected : n;
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
            CHECK_EQ(dpl__kernels_for((dpl_cpu)cpu)->bz_four(p, n), expected);
    }
}

DPL_TEST(bzip2_kernels, the_crc_is_that_of_its_definition)
{
    dpl__rng rng = {22};
    uint8_t data[300];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)dpl__rng_next(&rng);
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
        CHECK_EQ(~k->bz_crc(0xFFFFFFFFu, (const uint8_t *)"123456789", 9), 0xFC891918u);
        for (size_t n = 0; n < sizeof data; n++) {
            uint32_t state = 0xFFFFFFFFu;
            for (size_t i = 0; i < 8 * n; i++) {
                unsigned bit = data[i / 8] >> (7 - i % 8) & 1;
                state = state << 1 ^ ((state >> 31 ^ bit) ? 0x04C11DB7u : 0);
            }
            CHECK_EQ(k->bz_crc(0xFFFFFFFFu, data, n), state);
        }
    }
}
