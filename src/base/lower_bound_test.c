#include "base/lower_bound.h"

#include "base/hash.h"
#include "test.h"

DPL_TEST(lower_bound, is_the_first_that_is_not_before)
{
    dpl__rng rng = {1};
    for (size_t n = 0; n < 70; n++) {
        uint32_t sorted[70], last = 0;
        for (size_t i = 0; i < n; i++)
            sorted[i] = last += (uint32_t)dpl__rng_below(&rng, 3); /* some are equal */
        for (uint32_t x = 0; x <= last + 1; x++) {
            size_t at, expected = 0, n_asked = 0;
            while (expected < n && sorted[expected] < x)
                expected++;
            DPL__LOWER_BOUND(at, n, (n_asked++, sorted[at] < x));
            CHECK_EQ(at, expected);
            CHECK(n_asked <= 7);
        }
    }
}
