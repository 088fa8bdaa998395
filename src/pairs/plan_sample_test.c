#include "pairs/planner.h"
#include "pairs/tables_test.h"

#include "base/ctx.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

enum { N_ROWS = 1200, DIM = 100, BITS = 512, N_WORDS = BITS / 64 };

static const dpl_speeds speeds = DPL_INIT(dpl_speeds, .compare_ns = 0.6);

static double normal(dpl__rng *rng)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += (double)(dpl__rng_next(rng) >> 11) * 0x1p-53;
    return sum - 6;
}

/* Row i of both sides has this cosine with row i of the other, and with all others one that is
 * random around `common`. */
static const char *write_rows(const char *name, size_t n_rows, double cosine, double common,
                              bool is_right)
{
    static float rows[N_ROWS][DIM + 1];
    dpl__rng own = {is_right ? 1000000 : 2000000}, shared = {3000000};
    double a = sqrt(cosine - common), b = sqrt(1 - cosine), c = sqrt(common * DIM);
    int dim = DIM;
    for (size_t i = 0; i < n_rows; i++) {
        memcpy(&rows[i][0], &dim, sizeof dim);
        for (size_t j = 0; j < DIM; j++)
            rows[i][j + 1] = (float)(a * normal(&shared) + b * normal(&own) + (j == 0 ? c : 0));
    }
    return test_write(name, rows, n_rows * sizeof *rows);
}

/* Two sides that lie in files. */
typedef struct sides {
    dpl_vectors *vectors[2];
    dpl_signatures *signatures[2];
    dpl_pairs_side side[2];
} sides;

static void open_sides(sides *s, dpl_ctx *ctx, size_t n_left, double cosine, double common)
{
    dpl_sign_options o = DPL_INIT(dpl_sign_options, .length = BITS);
    const char *paths[] = {write_rows("left.fvecs", n_left, cosine, common, false),
                           write_rows("right.fvecs", N_ROWS, cosine, common, true)};
    for (int i = 0; i < 2; i++) {
        CHECK_OK(dpl_vectors_open(&s->vectors[i], ctx, paths[i], &test_err));
        CHECK_OK(dpl_signatures_make(&s->signatures[i], ctx, s->vectors[i], &o, &test_err));
        s->side[i] = (dpl_pairs_side){.vectors = s->vectors[i], .signatures = s->signatures[i]};
    }
}

static void close_sides(sides *s)
{
    for (int i = 0; i < 2; i++) {
        dpl_signatures_close(s->signatures[i]);
        dpl_vectors_close(s->vectors[i]);
    }
}

/* What tables find of the pairs that are true and within the cut. */
static double measure(const sides *s, double threshold, const dpl_plan_row *row, uint64_t seed)
{
    static uint64_t words[2 * N_ROWS * N_WORDS];
    static tables_pair pairs[N_ROWS];
    size_t n = 0, n_true = 0;
    for (uint32_t i = 0; i < N_ROWS; i++) {
        for (size_t k = 0; k < 2; k++)
            memcpy(words + (k * N_ROWS + i) * N_WORDS, dpl_signatures_row(s->signatures[k], i),
                   N_WORDS * sizeof *words);
        if (dpl_vectors_cosine(s->vectors[0], i, s->vectors[1], i) < threshold)
            continue;
        n_true++;
        if (dpl_signatures_distance(s->signatures[0], i, s->signatures[1], i) <= row->cut)
            pairs[n++] = (tables_pair){i, N_ROWS + i};
    }
    tables_recall found;
    tables_run(&found, &(tables_input){words, 2 * N_ROWS, BITS, pairs, n, &row->width, 1,
                                       &row->n_tables, 1, seed});
    return found.first * (double)n / (double)n_true;
}

static void check_recall(dpl_ctx *ctx, const sides *s, const dpl_plan_options *o)
{
    static const unsigned windows[] = {10, 50, 200}, tables[] = {10, 100, 150};
    for (size_t i = 0; i < DPL_LEN(windows) * DPL_LEN(tables); i++) {
        dpl_plan *plan;
        dpl_plan_options fixed = *o;
        fixed.tables = tables[i % DPL_LEN(tables)];
        fixed.width = windows[i / DPL_LEN(tables)];
        fixed.method = DPL_PAIRS_WINDOW;
        CHECK_OK(dpl_plan_make(&plan, ctx, &fixed, &test_err));
        const dpl_plan_row *row = &plan->rows.data[plan->rows.n - 1];
        CHECK_EQ(row->method, DPL_PAIRS_WINDOW);
        double measured = measure(s, o->threshold, row, ctx->seed);
        if (fabs(row->recall - measured) > 0.03)
            dpl__test_fail(__FILE__, __LINE__, "Q %u, B %u: %.3f, not %.3f", row->n_tables,
                           row->width, measured, row->recall);
        dpl_plan_free(plan);
    }
}

DPL_TEST(plan_sample, recall_is_that_of_the_search)
{
    dpl_ctx *ctx = test_ctx(2);
    for (int i = 0; i < 2; i++) {
        sides s = {0};
        open_sides(&s, ctx, N_ROWS, 0.6, i ? 0.15 : 0);
        dpl_plan_options o = DPL_INIT(dpl_plan_options, .left = &s.side[0], .right = &s.side[1],
                                      .threshold = 0.55, .speeds = &speeds);
        check_recall(ctx, &s, &o);
        close_sides(&s);
    }
    test_ctx_done(ctx);
}

DPL_TEST(plan_sample, says_what_the_rows_are_like)
{
    dpl_ctx *ctx = test_ctx(2);
    sides s = {0};
    open_sides(&s, ctx, N_ROWS, 0.6, 0.15);
    dpl_plan *plan;
    dpl_plan_options o = DPL_INIT(dpl_plan_options, .left = &s.side[0], .right = &s.side[1],
                                  .threshold = 0.5, .speeds = &speeds);
    CHECK_OK(dpl_plan_make(&plan, ctx, &o, &test_err));
    CHECK(plan->summary.is_sampled);
    CHECK_EQ(plan->summary.bits, BITS);
    CHECK(plan->summary.n_pairs == (double)N_ROWS * N_ROWS);
    CHECK(fabs(plan->summary.random_cosine - 0.15) < 0.02);
    CHECK(fabs(plan->summary.random_sd - 0.1) <
          0.03); /* 100 numbers: one in the root of them */
    CHECK(plan->summary.true_pairs > 0.8 * N_ROWS && plan->summary.true_pairs < 3 * N_ROWS);
    CHECK_EQ(plan->rows.data[0].method, DPL_PAIRS_EXACT);
    CHECK(plan->rows.data[0].comparisons == plan->summary.n_pairs * DIM);
    dpl_plan_free(plan);
    close_sides(&s);
    test_ctx_done(ctx);
}

static double mean_recall(const dpl__row_sample *sample, size_t window, double n_tables)
{
    double sum = 0;
    for (size_t i = 0; i < sample->n_pairs; i++)
        sum += dpl__any_table_of(sample->p[i * sample->n_windows + window], n_tables);
    return sum / (double)sample->n_pairs;
}

DPL_TEST(plan_sample, a_sample_of_the_rows_says_much_the_same)
{
    static const double windows[] = {50, 200};
    dpl_ctx *ctx = test_ctx(2);
    sides s = {0};
    open_sides(&s, ctx, N_ROWS, 0.6, 0.15);
    for (int k = 0; k < 2; k++) { /* sampled rows are signed; or their signatures taken */
        dpl__model *model;
        dpl__row_sample all, some;
        dpl_pairs_side left = s.side[0], right = s.side[1];
        if (k)
            left.signatures = right.signatures = NULL;
        dpl__row_sample_options o = {.left = &left,
                                     .right = &right,
                                     .bits = BITS,
                                     .threshold = 0.5,
                                     .windows = windows,
                                     .n_windows = DPL_LEN(windows)};
        CHECK_OK(dpl__model_new(&model, ctx, &test_err));
        CHECK_OK(dpl__row_sample_init(&all, ctx, model, &o, &test_err));
        o.most_rows = 1000;
        CHECK_OK(dpl__row_sample_init(&some, ctx, model, &o, &test_err));
        CHECK(all.n_tables > 0 && some.n_tables == 0);
        CHECK(some.n_pairs < all.n_pairs && !some.is_made_up);
        CHECK(fabs(some.found / all.found - 1) < 0.3);
        CHECK(some.products == DIM);
        for (size_t w = 0; w < DPL_LEN(windows); w++)
            CHECK(fabs(mean_recall(&some, w, 10) - mean_recall(&all, w, 10)) < 0.06);
        dpl__row_sample_clear(&some, ctx);
        dpl__row_sample_clear(&all, ctx);
        dpl__model_free(model, ctx);
    }
    close_sides(&s);
    test_ctx_done(ctx);
}

DPL_TEST(plan_sample, a_small_side_is_looked_at_whole)
{
    static const double windows[] = {100};
    dpl_ctx *ctx = test_ctx(2);
    sides s = {0};
    dpl__model *model;
    dpl__row_sample all, some;
    open_sides(&s, ctx, 100, 0.6, 0.15);
    dpl__row_sample_options o = {.left = &s.side[0],
                                 .right = &s.side[1],
                                 .bits = BITS,
                                 .threshold = 0.35,
                                 .windows = windows,
                                 .n_windows = DPL_LEN(windows)};
    CHECK_OK(dpl__model_new(&model, ctx, &test_err));
    CHECK_OK(dpl__row_sample_init(&all, ctx, model, &o, &test_err));
    o.most_rows = 400; /* in proportion 31 of the left ones */
    CHECK_OK(dpl__row_sample_init(&some, ctx, model, &o, &test_err));
    CHECK(some.n_pairs > 200 && !some.is_made_up);
    CHECK(fabs(some.found / all.found - 1) < 0.15);
    CHECK(fabs(mean_recall(&some, 0, 10) - mean_recall(&all, 0, 10)) < 0.05);
    dpl__row_sample_clear(&some, ctx);
    dpl__row_sample_clear(&all, ctx);
    dpl__model_free(model, ctx);
    close_sides(&s);
    test_ctx_done(ctx);
}

/* All but the times, of which signing is a part, and what follows from them. */
static void check_same(const dpl_plan *a, const dpl_plan *b)
{
    CHECK_EQ(a->rows.n, b->rows.n);
    CHECK(a->summary.true_pairs == b->summary.true_pairs);
    for (size_t i = 0; i < a->rows.n; i++) {
        CHECK_EQ(a->rows.data[i].n_tables, b->rows.data[i].n_tables);
        CHECK_EQ(a->rows.data[i].cut, b->rows.data[i].cut);
        CHECK(a->rows.data[i].recall == b->rows.data[i].recall);
        CHECK(a->rows.data[i].candidates == b->rows.data[i].candidates);
    }
}

DPL_TEST(plan_sample, does_not_depend_on_threads_or_who_signs)
{
    dpl_ctx *contexts[4];
    dpl_plan *plans[4];
    for (unsigned i = 0; i < DPL_LEN(plans); i++) {
        dpl_ctx *ctx = test_ctx(1 + i % 2);
        sides s = {0};
        open_sides(&s, ctx, N_ROWS, 0.5, 0.1);
        if (i >= 2)
            s.side[0].signatures = s.side[1].signatures = NULL;
        dpl_plan_options o = DPL_INIT(dpl_plan_options, .left = &s.side[0], .right = &s.side[1],
                                      .length = BITS, .threshold = 0.4, .speeds = &speeds);
        CHECK_OK(dpl_plan_make(&plans[i], ctx, &o, &test_err));
        close_sides(&s);
        contexts[i] = ctx;
    }
    for (size_t i = 1; i < DPL_LEN(plans); i++)
        check_same(plans[0], plans[i]);
    for (size_t i = 0; i < DPL_LEN(plans); i++) {
        dpl_plan_free(plans[i]);
        test_ctx_done(contexts[i]);
    }
}

DPL_TEST(plan_sample, signatures_alone_and_rows_without_pairs_will_do)
{
    dpl_ctx *ctx = test_ctx(2);
    sides s = {0};
    open_sides(&s, ctx, N_ROWS, 0.5, 0);
    s.side[0].vectors = s.side[1].vectors = NULL;
    dpl_plan *plan;
    dpl_plan_options o = DPL_INIT(dpl_plan_options, .left = &s.side[0], .right = &s.side[1],
                                  .threshold = 0.4, .speeds = &speeds);
    CHECK_OK(dpl_plan_make(&plan, ctx, &o, &test_err));
    CHECK(plan->summary.n_true_sample > N_ROWS / 2);
    CHECK_EQ(plan->rows.data[0].method, DPL_PAIRS_BRUTE); /* no vectors, no exact method */
    o.threshold = 0.95;
    dpl_plan_free(plan);
    CHECK_OK(dpl_plan_make(&plan, ctx, &o, &test_err));
    CHECK_EQ(plan->summary.n_true_sample, 0);
    CHECK(plan->rows.data[0].recall > 0.98);
    o.right = NULL;
    dpl_plan_free(plan);
    CHECK_OK(dpl_plan_make(&plan, ctx, &o, &test_err));
    CHECK(plan->summary.n_pairs == N_ROWS * (N_ROWS - 1.0) / 2);
    dpl_plan_free(plan);
    close_sides(&s);
    test_ctx_done(ctx);
}

static dpl_status plan_with_rows(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const char *const *paths = user;
    dpl_vectors *left = NULL, *right = NULL;
    dpl_plan *plan = NULL;
    dpl_status status = dpl_vectors_open(&left, ctx, paths[0], err);
    if (status == DPL_OK)
        status = dpl_vectors_open(&right, ctx, paths[1], err);
    dpl_pairs_side a = {.vectors = left}, b = {.vectors = right};
    dpl_plan_options o =
        DPL_INIT(dpl_plan_options, .left = &a, .right = &b, .length = 64, .speeds = &speeds);
    if (status == DPL_OK)
        status = dpl_plan_make(&plan, ctx, &o, err);
    dpl_plan_free(plan);
    dpl_vectors_close(right);
    dpl_vectors_close(left);
    return status;
}

DPL_TEST(plan_sample, every_allocation_may_fail)
{
    float rows[40][3];
    int dim = 2;
    for (int i = 0; i < 40; i++) {
        memcpy(&rows[i][0], &dim, sizeof dim);
        rows[i][1] = (float)cos(i);
        rows[i][2] = (float)sin(i);
    }
    const char *paths[] = {test_write("a.fvecs", rows, sizeof rows),
                           test_write("b.fvecs", rows, sizeof rows)};
    test_allocation_failures(plan_with_rows, paths);
}
