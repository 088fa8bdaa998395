#include "base/vec.h"

#include "base/order.h"
#include "test.h"

/* Rows that differ in what the order does not look at. */
typedef struct row {
    uint32_t key, number;
} row;

DPL__ORDER(by_key, row, DPL__RISING(key))

DPL_TEST(vec, the_first_of_equal_elements_is_kept)
{
    dpl_ctx *ctx = test_ctx(1);
    for (uint32_t n_keys = 1; n_keys < 12; n_keys++)
        for (uint32_t n = 0; n < 40; n++) {
            DPL_VEC(row) rows = {0};
            uint32_t n_kept = 0;
            for (uint32_t i = 0; i < n; i++)
                CHECK(dpl__vec_push(ctx, &rows, ((row){i * n_keys / n, i})));
            dpl__vec_distinct(&rows, by_key);
            for (uint32_t i = 0; i < n; i++) {
                if (i && i * n_keys / n == (i - 1) * n_keys / n)
                    continue;
                CHECK(n_kept < rows.n);
                CHECK_EQ(rows.data[n_kept].key, i * n_keys / n);
                CHECK_EQ(rows.data[n_kept++].number, i);
            }
            CHECK_EQ(rows.n, n_kept);
            dpl__vec_clear(ctx, &rows);
        }
    test_ctx_done(ctx);
}
