#include "base/merge_sort.h"

#include "base/hash.h"
#include "test.h"

typedef struct record {
    uint32_t key, place;
} record;

#define IS_LESS(a, b) ((a)->key < (b)->key)
DPL_MERGE_SORT(sort_records, record, IS_LESS);

/* Order and stability, of few and of many different keys. */
DPL_TEST(merge_sort, equal_records_stay_in_their_order)
{
    enum { MOST = 300 };
    dpl__rng rng = {2};
    for (int round = 0; round < 2000; round++) {
        record all[MOST], scratch[MOST];
        const size_t n = dpl__rng_below(&rng, round % 2 ? 30 : MOST + 1);
        const uint64_t n_keys = 1 + dpl__rng_below(&rng, round % 3 ? 10 : 1000);
        bool has[MOST] = {0};
        for (uint32_t i = 0; i < n; i++)
            all[i] = (record){(uint32_t)dpl__rng_below(&rng, n_keys), i};
        sort_records(all, scratch, n);
        for (size_t i = 0; i < n; i++) {
            CHECK(!has[all[i].place]);
            has[all[i].place] = true;
            if (i)
                CHECK(all[i - 1].key < all[i].key ||
                      (all[i - 1].key == all[i].key && all[i - 1].place < all[i].place));
        }
    }
}
