#include "par/sort.h"

#include "base/hash.h"
#include "test.h"

typedef struct item {
    uint32_t key, place;
} item;

static int by_key(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* Items with equal keys in their order: there is one answer. */
static bool is_sorted(const item *items, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (items[i - 1].key > items[i].key ||
            (items[i - 1].key == items[i].key && items[i - 1].place >= items[i].place))
            return false;
    return true;
}

DPL_TEST(parallel_sort, is_stable_for_every_number_of_threads_and_elements)
{
    static const size_t sizes[] = {0, 1, 2, 3, 100, 4095, 4096, 4097, 30011};
    static item items[30011];
    static const uint32_t kinds[] = {1, 3, 1000, UINT32_MAX};
    for (unsigned threads = 1; threads <= 7; threads += 2) {
        dpl_ctx *ctx = test_ctx(threads);
        for (size_t k = 0; k < DPL_LEN(sizes) * DPL_LEN(kinds); k++) {
            const size_t n = sizes[k / DPL_LEN(kinds)];
            uint64_t sum = 0;
            for (size_t i = 0; i < n; i++) {
                items[i] = (item){(uint32_t)(dpl__mix(i + k) % kinds[k % DPL_LEN(kinds)]),
                                  (uint32_t)i};
                sum += dpl__mix((uint64_t)items[i].key << 32 | items[i].place);
            }
            CHECK_OK(dpl__parallel_sort(ctx, items, n, sizeof *items, by_key, &test_err));
            CHECK(is_sorted(items, n));
            for (size_t i = 0; i < n; i++)
                sum -= dpl__mix((uint64_t)items[i].key << 32 | items[i].place);
            CHECK_EQ(sum, 0);
        }
        test_ctx_done(ctx);
    }
}
