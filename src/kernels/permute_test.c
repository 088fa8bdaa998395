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
