#include "devices/tiles.h"

#include "base/hash.h"
#include "base/order.h"
#include "test.h"

#include <stdlib.h>

DPL__FALLING_NUMBERS(by_cut, uint32_t)

/* Of the cuts in falling order, the one behind the n / DPL__FEW largest. */
DPL_TEST(tiles, the_usual_cut_leaves_out_one_row_of_sixty_four)
{
    static uint32_t cuts[DPL__TILE_COLUMNS], falling[DPL__TILE_COLUMNS];
    dpl__rng rng = {7};
    for (int round = 0; round < 200; round++) {
        const uint32_t n =
            (uint32_t)dpl__rng_below(&rng, (round % 2 ? 200 : DPL__TILE_COLUMNS) + 1);
        const uint64_t n_values = round % 3 ? 1000 : 3;
        uint32_t most = 1;
        for (uint32_t i = 0; i < n; i++)
            falling[i] = cuts[i] = (uint32_t)dpl__rng_below(&rng, n_values);
        qsort(falling, n, sizeof *falling, by_cut);
        CHECK_EQ(dpl__usual_cut(cuts, n, &most), n ? falling[n / DPL__FEW] : 0);
        CHECK_EQ(most, n ? falling[0] : 0);
    }
}
