#include "base/order.h"

#include "base/hash.h"
#include "test.h"

#include <stdlib.h>

DPL__RISING_NUMBERS(by_number, uint64_t)

DPL_TEST(order, words_are_sorted_as_qsort_does)
{
    enum { MOST = 3000 };
    static uint64_t words[MOST], expected[MOST];
    dpl__rng rng = {5};
    for (int round = 0; round < 60; round++) {
        const size_t n = dpl__rng_below(&rng, round % 4 ? 40 : MOST + 1);
        const uint64_t n_values = round % 3 ? UINT64_MAX : 20;
        for (size_t i = 0; i < n; i++)
            expected[i] = words[i] = dpl__rng_below(&rng, n_values);
        qsort(expected, n, sizeof *expected, by_number);
        dpl__sort_words(words, n);
        CHECK(n == 0 || memcmp(words, expected, n * sizeof *words) == 0);
    }
}
