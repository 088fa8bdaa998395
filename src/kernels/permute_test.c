#include "base/hash.h"
#include "kernels/kernels.h"
#include "test.h"

DPL_TEST(permute, keys_are_the_bits_of_the_columns_at_every_level)
{
    enum { POSITIONS = 128 };
    static _Alignas(64) uint64_t columns[8 * POSITIONS];
    dpl__rng rng = {11};
    for (size_t i = 0; i < DPL_LEN(columns); i++)
        columns[i] = dpl__rng_next(&rng);
    for (int round = 0; round < 20; round++) {
        uint32_t positions[DPL__KEY_BITS], keys[DPL__COLUMN_ROWS];
        for (size_t k = 0; k < DPL__KEY_BITS; k++)
            positions[k] = (uint32_t)dpl__rng_below(&rng, POSITIONS);
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            dpl__kernels_for((dpl_cpu)cpu)->column_keys(keys, columns, positions);
            for (size_t i = 0; i < DPL__COLUMN_ROWS; i++)
                for (size_t k = 0; k < DPL__KEY_BITS; k++)
                    CHECK_EQ(keys[i] >> (31 - k) & 1,
                             columns[8 * positions[k] + i / 64] >> i % 64 & 1);
        }
    }
}

DPL_TEST(permute, columns_are_the_bits_of_the_rows_at_every_level)
{
    enum { MOST_WORDS = 5 };
    static uint64_t words[DPL__COLUMN_ROWS * MOST_WORDS], columns[8 * 64 * MOST_WORDS];
    const uint64_t *rows[DPL__COLUMN_ROWS];
    dpl__rng rng = {12};
    for (size_t n_words = 1; n_words <= MOST_WORDS; n_words++) {
        for (size_t i = 0; i < DPL_LEN(words); i++)
            words[i] = dpl__rng_next(&rng);
        for (size_t i = 0; i < DPL__COLUMN_ROWS; i++)
            rows[i] = dpl__rng_below(&rng, 8) ? words + i * n_words : NULL;
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            memset(columns, 0xA5, sizeof columns);
            dpl__kernels_for((dpl_cpu)cpu)->column_turn(columns, rows, n_words);
            for (size_t i = 0; i < DPL__COLUMN_ROWS; i++)
                for (size_t p = 0; p < 64 * n_words; p++)
                    CHECK_EQ(columns[8 * p + i / 64] >> i % 64 & 1,
                             rows[i] ? rows[i][p / 64] >> p % 64 & 1 : 0);
        }
    }
}
