#include "pairs/recall_check.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <string.h>

static dpl_recall_check interval(const uint64_t *truth, const uint64_t *found, size_t n,
                                 uint64_t all)
{
    dpl_recall_check r = {0};
    dpl__recall_check_interval(&r, truth, found, n, all);
    return r;
}

DPL_TEST(recall_check, says_nothing_without_true_pairs)
{
    uint64_t none[3] = {0};
    dpl_recall_check r = interval(none, none, 3, 100);
    CHECK(r.is_empty);
    CHECK_EQ(r.n_rows, 3);
}

DPL_TEST(recall_check, is_certain_when_every_row_was_looked_at)
{
    uint64_t truth[2] = {4, 6}, found[2] = {4, 5};
    dpl_recall_check r = interval(truth, found, 2, 2);
    CHECK(!r.is_empty && r.recall == 0.9 && r.low == 0.9 && r.high == 0.9);
}

DPL_TEST(recall_check, leaves_room_below_when_nothing_was_missed)
{
    uint64_t truth[50];
    for (int i = 0; i < 50; i++)
        truth[i] = 1000; /* many pairs, but only fifty rows were drawn */
    dpl_recall_check r = interval(truth, truth, 50, 1000000);
    CHECK(r.recall == 1 && r.high == 1);
    CHECK(r.low > 0.90 && r.low < 0.95);
}

DPL_TEST(recall_check, is_wider_when_pairs_of_a_row_are_lost_together)
{
    enum { N = 100 };
    uint64_t truth[N], apart[N], together[N];
    for (int i = 0; i < N; i++) {
        truth[i] = 10;
        apart[i] = 9;
        together[i] = i % 10 ? 10 : 0;
    }
    dpl_recall_check a = interval(truth, apart, N, 1000000),
                     b = interval(truth, together, N, 1000000);
    CHECK(fabs(a.recall - 0.9) < 1e-9 && fabs(b.recall - 0.9) < 1e-9);
    CHECK(b.high - b.low > 2 * (a.high - a.low));
}

/* Rows with one to twenty pairs whose luck is shared: the interval must hold the true recall
 * about 95 times in a hundred. */
DPL_TEST(recall_check, interval_holds_the_truth_as_often_as_it_says)
{
    enum { N = 200, RUNS = 400 };
    dpl__rng rng = {7};
    int n_held = 0;
    for (int run = 0; run < RUNS; run++) {
        uint64_t truth[N], found[N];
        for (int i = 0; i < N; i++) {
            truth[i] = 1 + dpl__rng_below(&rng, 20);
            uint64_t percent = dpl__rng_below(&rng, 2) ? 98 : 90;
            found[i] = 0;
            for (uint64_t k = 0; k < truth[i]; k++)
                found[i] += dpl__rng_below(&rng, 100) < percent;
        }
        dpl_recall_check r = interval(truth, found, N, 1000000);
        n_held += r.low <= 0.94 && 0.94 <= r.high;
    }
    CHECK(n_held >= RUNS * 91 / 100);
    CHECK(n_held <= RUNS * 99 / 100);
}

/* ---- drawing ------------------------------------------------------------------------ */

static bool is_rising(const uint32_t *rows, size_t n, uint32_t total)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i] >= total || (i && rows[i - 1] >= rows[i]))
            return false;
    return true;
}

DPL_TEST(recall_check, draws_rows_that_rise_and_all_where_there_are_few)
{
    enum { N = 40 };
    uint32_t rows[N];
    for (uint32_t total = 0; total < 3 * N; total++) {
        const size_t n = total < N ? total : N;
        dpl__rng rng = {total};
        CHECK_EQ(dpl__draw_any(rows, N, total, 7), n);
        CHECK(is_rising(rows, n, total));
        CHECK_EQ(dpl__draw_stretches(rows, N, total, &rng), n);
        CHECK(is_rising(rows, n, total));
        CHECK_EQ(dpl__draw_spaced(rows, N, total), n);
        CHECK(is_rising(rows, n, total) && (!n || rows[0] == 0));
    }
}

static uint64_t lot_of(const void *user, uint32_t row)
{
    return ((const uint64_t *)user)[row];
}

DPL_TEST(recall_check, draws_the_lowest_lots_whatever_the_order_of_rows)
{
    const uint64_t lots[] = {5, 3, 9, 3, 1, 7}, turned[] = {7, 1, 3, 9, 3, 5};
    const uint32_t want[] = {4, 1, 3, 0};
    uint32_t rows[4];
    CHECK_EQ(dpl__draw_lowest(rows, 4, 6, lot_of, lots), 4);
    CHECK(memcmp(rows, want, sizeof want) == 0);
    CHECK_EQ(dpl__draw_lowest(rows, 4, 6, lot_of, turned), 4);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(turned[rows[i]], lots[want[i]]);
    CHECK_EQ(dpl__draw_lowest(rows, 4, 2, lot_of, lots), 2);
    CHECK_EQ(dpl__draw_lowest(rows, 0, 6, lot_of, lots), 0);
}
