#include "pairs/select_rows.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

/* ---- partners as numbers ---------------------------------------------------------------- */

DPL_TEST(select_rows, a_partner_is_larger_by_score_then_by_a_lower_row)
{
    static const float scores[] = {-INFINITY,      -1e30f, -1.0f,     -0x1p-149f,
                                   -0.0f,          0.0f,   0x1p-149f, 0.5f,
                                   0x1.000002p-1f, 1.0f,   3.4e38f,   INFINITY};
    static const uint32_t rows[] = {0, 1, 77, 0x7FFFFFFF, 0x80000000, UINT32_MAX};
    uint64_t last = 0;
    for (size_t i = 0; i < DPL_LEN(scores); i++)
        for (size_t k = DPL_LEN(rows); k-- > 0;) {
            const uint64_t p = dpl__partner(scores[i], rows[k]);
            CHECK(p > last); /* 0 is none */
            last = p;
            const float score = dpl__partner_score(p);
            CHECK(memcmp(&score, &scores[i], sizeof score) == 0);
            CHECK_EQ(dpl__partner_row(p), rows[k]);
        }
}

/* ---- the best n ------------------------------------------------------------------------- */

enum { N_ROWS = 5, MOST_N = 9, N_OFFERS = 300 };

static int falling(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static int rising(const void *a, const void *b)
{
    return falling(b, a);
}

DPL_TEST(select_rows, partners_are_the_n_best_of_all_that_were_offered)
{
    dpl_ctx *ctx = test_ctx(1);
    for (unsigned n = 1; n <= MOST_N; n++) {
        dpl__rng rng = {n << 20};
        dpl__partners p;
        uint64_t offered[N_ROWS][N_OFFERS];
        size_t n_offered[N_ROWS] = {0};
        CHECK_OK(dpl__partners_init(&p, ctx, N_ROWS, n, &test_err));
        for (size_t i = 0; i < N_OFFERS; i++) {
            const uint32_t row = (uint32_t)dpl__rng_below(&rng, N_ROWS);
            const uint64_t partner =
                dpl__partner((float)dpl__rng_below(&rng, 20) - 3, (uint32_t)i);
            size_t n_better = 0;
            for (size_t k = 0; k < n_offered[row]; k++)
                n_better += offered[row][k] > partner;
            CHECK_EQ(dpl__partners_offer(&p, row, partner), n_better < n);
            offered[row][n_offered[row]++] = partner;
        }
        for (uint32_t row = 0; row < N_ROWS; row++) {
            uint64_t best[MOST_N];
            memcpy(best, p.best + (size_t)row * n, n * sizeof *best);
            qsort(best, n, sizeof *best, falling);
            qsort(offered[row], n_offered[row], sizeof *best, falling);
            for (size_t i = 0; i < n_offered[row]; i++) {
                CHECK_EQ(dpl__partners_has(&p, row, offered[row][i]), i < n);
                CHECK(i >= n || best[i] == offered[row][i]);
            }
        }
        dpl__partners_forget(&p);
        for (size_t i = 0; i < (size_t)N_ROWS * n; i++)
            CHECK(p.best[i] == 0);
        dpl__partners_clear(&p);
    }
    test_ctx_done(ctx);
}

/* Fewer than n partners: all that were offered belong to them, and others would. */
DPL_TEST(select_rows, rows_with_few_partners_take_any)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__partners p;
    CHECK_OK(dpl__partners_init(&p, ctx, 2, 3, &test_err));
    const uint64_t a = dpl__partner(0.1f, 4), b = dpl__partner(-5, 9);
    CHECK(dpl__partners_offer(&p, 1, a) && dpl__partners_offer(&p, 1, b));
    CHECK(dpl__partners_has(&p, 1, a) && dpl__partners_has(&p, 1, b));
    CHECK(dpl__partners_has(&p, 0, b));
    qsort(p.best, 6, sizeof *p.best, rising);
    CHECK(p.best[3] == 0 && p.best[4] == b && p.best[5] == a);
    dpl__partners_clear(&p);
    dpl__partners_clear(&(dpl__partners){0});
    test_ctx_done(ctx);
}

/* ---- the mean of the nearest ------------------------------------------------------------ */

DPL_TEST(select_rows, halves_are_of_the_mean_of_the_k_highest_scores)
{
    dpl_ctx *ctx = test_ctx(1);
    for (unsigned k = 1; k <= MOST_N; k++)
        for (int has_many = 0; has_many < 2; has_many++) {
            dpl__rng rng = {k << 20 | (unsigned)has_many};
            const float threshold = 0.25f;
            dpl__nearest_scores n;
            uint64_t eighths[N_ROWS][N_OFFERS + MOST_N];
            size_t n_offered[N_ROWS];
            CHECK_OK(dpl__nearest_init(&n, ctx, N_ROWS, k, threshold, &test_err));
            for (size_t row = 0; row < N_ROWS; row++) /* what is not there is the threshold */
                for (n_offered[row] = 0; n_offered[row] < k; n_offered[row]++)
                    eighths[row][n_offered[row]] = 2;
            for (size_t i = 0; i < (has_many ? N_OFFERS : 2 * k); i++) {
                const uint32_t row = (uint32_t)dpl__rng_below(&rng, N_ROWS);
                const uint64_t score = dpl__rng_below(&rng, 1000);
                dpl__nearest_offer(&n, row, (float)score / 8);
                eighths[row][n_offered[row]++] = score;
            }
            CHECK_OK(dpl__nearest_finish(&n, &test_err));
            CHECK(!n.scores);
            for (size_t row = 0; row < N_ROWS; row++) {
                qsort(eighths[row], n_offered[row], sizeof **eighths, falling);
                uint64_t sum = 0;
                for (size_t i = 0; i < k; i++)
                    sum += eighths[row][i];
                CHECK(n.halves[row] == (double)sum / 8 / (2.0 * k));
            }
            dpl__nearest_clear(&n);
        }
    dpl__nearest_clear(&(dpl__nearest_scores){0});
    test_ctx_done(ctx);
}

/* ---- memory ----------------------------------------------------------------------------- */

/* Rows of which the numbers take exactly what is left, and one byte less. */
DPL_TEST(select_rows, what_does_not_fit_into_memory_is_refused_before_it_is_taken)
{
    enum { ROWS = 1000, K = 3 };
    dpl_ctx *ctx = test_ctx(1);
    const uint64_t used = dpl__ctx_used(ctx);
    dpl__partners p = {0};
    dpl__nearest_scores n = {0};
    ctx->memory = used + ROWS * K * sizeof(uint64_t) - 1;
    CHECK_EQ(dpl__partners_init(&p, ctx, ROWS, K, &test_err), DPL_E_LIMIT);
    CHECK_STR(dpl__cstr(test_err.text),
              "3 numbers for each of 1000 rows do not fit into memory");
    CHECK_EQ(dpl__ctx_used(ctx), used);
    ctx->memory++;
    CHECK_OK(dpl__partners_init(&p, ctx, ROWS, K, &test_err));
    dpl__partners_clear(&p);
    ctx->memory = used + ROWS * K * sizeof(float) - 1;
    CHECK_EQ(dpl__nearest_init(&n, ctx, ROWS, K, 0, &test_err), DPL_E_LIMIT);
    ctx->memory++;
    CHECK_OK(dpl__nearest_init(&n, ctx, ROWS, K, 0, &test_err));
    CHECK_EQ(dpl__nearest_finish(&n, &test_err), DPL_E_LIMIT);
    CHECK(n.scores && !n.halves);
    dpl__nearest_clear(&n);
    CHECK_OK(dpl__partners_init(&p, ctx, 0, K, &test_err)); /* no rows need none */
    dpl__partners_forget(&p);
    dpl__partners_clear(&p);
    test_ctx_done(ctx);
}

static dpl_status make_both(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    dpl__partners p = {0};
    dpl__nearest_scores n = {0};
    dpl_status status;
    DPL__STEP(dpl__partners_init(&p, ctx, 3, 2, err));
    DPL__STEP(dpl__nearest_init(&n, ctx, 3, 2, 0, err));
    status = dpl__nearest_finish(&n, err);
done:
    dpl__partners_clear(&p);
    dpl__nearest_clear(&n);
    return status;
}

DPL_TEST(select_rows, every_allocation_may_fail)
{
    test_allocation_failures(make_both, NULL);
}
