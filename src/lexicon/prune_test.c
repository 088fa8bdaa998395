#include "lexicon/write_lexicon.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>

/* ---- tables by hand ----------------------------------------------------------------- */

enum { ROWS = 6, COLS = 40, CELLS = ROWS * COLS };

/* Row r has the entries whose p[r][col] is not 0. */
typedef struct matrix {
    float p[ROWS][COLS], counts[ROWS][COLS];
} matrix;

/* counts, by entry, has room for all. */
static dpl__table make_table(dpl_ctx *ctx, const matrix *m, float *counts)
{
    dpl__cell cells[CELLS];
    size_t n = 0;
    for (uint32_t r = 0; r < ROWS; r++)
        for (uint32_t c = 0; c < COLS; c++)
            if (m->p[r][c] > 0) {
                counts[n] = m->counts[r][c];
                cells[n++] = (dpl__cell){.row = r, .col = c, .p = m->p[r][c]};
            }
    dpl__table t = {0};
    CHECK_OK(dpl__table_make(&t, ctx, cells, n, ROWS, &test_err));
    return t;
}

static void check_columns(dpl_ctx *ctx, const matrix *m, bool has_counts, dpl_prune o,
                          const char *expected)
{
    float counts[CELLS];
    dpl__table t = make_table(ctx, m, counts);
    char columns[COLS + 1] = "";
    CHECK_OK(dpl__prune(&t, ctx, has_counts ? counts : NULL, &o, &test_err));
    for (uint64_t i = t.offsets[0]; i < t.offsets[1]; i++)
        columns[i] = (char)('a' + t.cols[i]);
    CHECK_STR(dpl__cstr(columns), expected);
    dpl__table_clear(&t, ctx);
}

DPL_TEST(prune, leaves_the_best_until_a_bound_is_reached)
{
    dpl_ctx *ctx = test_ctx(1);
    static const matrix m = {.p = {{0.05f, 0.5f, 0.25f, 0.0005f, 0.1f, 0.05f}},
                             .counts = {{9, 9, 0.05f, 9, 9, 9}}};
    dpl_prune all =
        DPL_INIT(dpl_prune, .top = -1, .cumulative = -1, .threshold = -1, .min_count = -1);
    check_columns(ctx, &m, true, all, "abcdef");
    check_columns(ctx, &m, false, (dpl_prune){0}, "abcef");
    /* the sum reaches 0.75 with the second, and 0.9 with one of two equals */
    check_columns(ctx, &m, false, (dpl_prune){.cumulative = 0.75}, "bc");
    check_columns(ctx, &m, false, (dpl_prune){.cumulative = 0.9}, "abce");
    check_columns(ctx, &m, false, (dpl_prune){.top = 4}, "abce");
    check_columns(ctx, &m, false, (dpl_prune){.threshold = 0.1}, "bce");
    /* what is too rare is not there for the others */
    check_columns(ctx, &m, true, (dpl_prune){.cumulative = 0.6}, "be");
    check_columns(ctx, &m, true, (dpl_prune){.top = 1, .min_count = 9.5}, "");
    /* 0.95 reaches 0.95 */
    static const matrix near = {.p = {{0.95f, 0.05f}}};
    check_columns(ctx, &near, false, (dpl_prune){0}, "a");
    /* what says nothing goes, whatever the bounds */
    static const matrix tiny = {.p = {{1e-40f, 0.05f}}};
    check_columns(ctx, &tiny, false, all, "b");
    test_ctx_done(ctx);
}

/* ---- against the naive version ------------------------------------------------------ */

/* Stays: enough of a probability and a count, and few enough before it that are better. */
static bool naive_stays(const matrix *m, const dpl_prune *o, uint32_t r, uint32_t col)
{
    bool is_taken[COLS] = {false};
    double sum = 0;
    for (int n = 0; n < o->top && (float)sum < (float)o->cumulative; n++) {
        int best = -1;
        for (int c = 0; c < COLS; c++)
            if (!is_taken[c] && m->p[r][c] >= (float)o->threshold && m->p[r][c] > 0 &&
                m->counts[r][c] >= (float)o->min_count &&
                (best < 0 || m->p[r][c] > m->p[r][best]))
                best = c;
        if (best < 0)
            return false;
        is_taken[best] = true;
        sum += (double)m->p[r][best];
        if (best == (int)col)
            return true;
    }
    return false;
}

static void check_random(dpl_ctx *ctx, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed)};
    matrix m = {0};
    float counts[CELLS];
    for (uint32_t r = 0; r < ROWS; r++)
        for (uint32_t c = 0; c < COLS; c++) {
            m.p[r][c] = dpl__rng_below(&rng, 3) ? (float)dpl__rng_below(&rng, 20) / 100 : 0;
            m.counts[r][c] = (float)dpl__rng_below(&rng, 10) / 10;
        }
    dpl_prune o = DPL_INIT(dpl_prune, .top = 1 + (int)dpl__rng_below(&rng, 20),
                           .cumulative = 0.1 + (double)dpl__rng_below(&rng, 20) / 10,
                           .threshold = (double)(1 + dpl__rng_below(&rng, 8)) / 100,
                           .min_count = (double)(1 + dpl__rng_below(&rng, 5)) / 10);
    dpl__table t = make_table(ctx, &m, counts);
    CHECK_OK(dpl__prune(&t, ctx, counts, &o, &test_err));
    CHECK_EQ(t.n, t.offsets[ROWS]);
    for (uint32_t r = 0; r < ROWS; r++) {
        uint64_t at = t.offsets[r];
        for (uint32_t c = 0; c < COLS; c++) {
            bool stays = at < t.offsets[r + 1] && t.cols[at] == c && t.p[at] == m.p[r][c];
            if (stays != naive_stays(&m, &o, r, c))
                dpl__test_fail(__FILE__, __LINE__, "seed %llu: row %u, column %u",
                               (unsigned long long)seed, r, c);
            at += stays;
        }
        CHECK_EQ(at, t.offsets[r + 1]);
    }
    /* once more changes nothing */
    dpl_prune again = DPL_INIT(dpl_prune, .top = o.top, .cumulative = o.cumulative,
                               .threshold = o.threshold, .min_count = -1);
    size_t n = t.n;
    CHECK_OK(dpl__prune(&t, ctx, NULL, &again, &test_err));
    CHECK_EQ(t.n, n);
    dpl__table_clear(&t, ctx);
}

DPL_TEST(prune, agrees_with_a_naive_version)
{
    dpl_ctx *ctx = test_ctx(1);
    for (uint64_t seed = 0; seed < 100; seed++)
        check_random(ctx, seed);
    test_ctx_done(ctx);
}

static dpl_status prune_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    uint64_t offsets[] = {0, 2};
    uint32_t cols[] = {0, 1};
    float p[] = {0.5f, 0.0001f};
    dpl__table t = {.n_rows = 1, .offsets = offsets, .cols = cols, .p = p, .n = 2};
    dpl_status status = dpl__prune(&t, ctx, NULL, NULL, err);
    CHECK_EQ(t.n, status == DPL_OK ? 1 : 2);
    return status;
}

DPL_TEST(prune, without_memory_leaves_the_table_alone)
{
    test_allocation_failures(prune_body, NULL);
}
