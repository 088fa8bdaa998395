#include "pairs/hash_grid.h"

#include "base/ctx.h"
#include "pairs/exact_test.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* ---- points by comparing all rows ---------------------------------------------------------
 */

/* Rows of both sides, or of one, and what is asked. */
typedef struct tuned {
    made left, right;
    bool is_self;
    dpl_hash_options hash;
    dpl_tune_options o;
} tuned;

static dpl_codes *make_codes(dpl_ctx *ctx, const dpl_hash *hash, const made *side)
{
    dpl_codes *codes = NULL;
    const dpl_hash_input in = DPL_INIT(dpl_hash_input, .vectors = &side->vectors);
    CHECK_OK(dpl_codes_make(&codes, ctx, hash, &in, &test_err));
    return codes;
}

static bool share_code(const dpl_codes *a, uint32_t i, const dpl_codes *b, uint32_t k)
{
    for (unsigned c = 0; c < dpl_codes_get_info(a).n_codes; c++)
        if (dpl_codes_column(a, c)[i] == dpl_codes_column(b, c)[k] &&
            dpl_codes_column(a, c)[i] != DPL_NO_CODE)
            return true;
    return false;
}

/* A setting, with codes made for it alone. */
static void check_point(const tuned *t, dpl_ctx *ctx, const dpl_hash_point *p,
                        const dpl_pair *trues, size_t n_true, size_t n_sample)
{
    const made *right = t->is_self ? &t->left : &t->right;
    const uint32_t n = t->left.vectors.sizes.n_rows, m = right->vectors.sizes.n_rows;
    dpl_hash_options o = t->hash;
    o.length = p->length;
    o.codes = p->codes;
    o.radix = p->radix;
    o.width = p->width;
    dpl_hash *hash = NULL;
    const dpl_hash_input reference = DPL_INIT(dpl_hash_input, .vectors = &t->left.vectors);
    CHECK_OK(dpl_hash_new(&hash, ctx, &o, &reference, &test_err));
    dpl_codes *a = make_codes(ctx, hash, &t->left), *b = make_codes(ctx, hash, right);
    size_t n_found = 0, n_shared = 0, n_pairs = 0;
    for (size_t i = 0; i < n_true; i++)
        n_found += share_code(a, trues[i].left, b, trues[i].right);
    for (uint32_t l = 0; l < n; l++)
        for (uint32_t r = t->is_self ? l + 1 : 0; r < m; r++, n_pairs++)
            n_shared += share_code(a, l, b, r);
    const double recall = n_true ? (double)n_found / (double)n_true : 0,
                 all_true = (double)n_true / (double)n_sample * n, found = all_true * recall,
                 others = (double)n_shared / (double)n_pairs * ((double)n_pairs - all_true);
    CHECK(is_near(p->recall, recall));
    CHECK(is_near(p->candidates, (found + others) / n));
    CHECK(is_near(p->precision, found > 0 ? found / (found + others) : 0));
    const double terms = (double)t->left.vectors.sizes.n_entries / n;
    CHECK(is_near(p->cost, dpl__hash_cost(&o, terms, p->candidates)));
    dpl_codes_close(a);
    dpl_codes_close(b);
    dpl_hash_free(hash);
}

/* The one that is wanted among all points, by looking for it. */
static void check_best(const dpl_tune_summary *s, double recall, double precision)
{
    size_t best = 0;
    bool is_reached = false;
    for (size_t i = 0; i < s->n_points; i++)
        is_reached |=
            precision > 0 ? s->points[i].precision >= precision : s->points[i].recall >= recall;
    double most = -INFINITY;
    for (size_t i = 0; i < s->n_points; i++) {
        const dpl_hash_point *p = &s->points[i];
        const bool is_good = precision > 0 ? p->precision >= precision : p->recall >= recall;
        const double merit = is_reached ? (precision > 0 ? p->recall : -p->cost)
                                        : (precision > 0 ? p->precision : p->recall);
        if (is_good == is_reached && merit > most) {
            most = merit;
            best = i;
        }
    }
    CHECK_EQ(s->is_reached, is_reached);
    CHECK_EQ(s->best, best);
}

static void check_tuned(const tuned *t)
{
    dpl_ctx *ctx = test_ctx(2);
    const uint32_t n = t->left.vectors.sizes.n_rows;
    const uint32_t n_sample = (uint32_t)dpl__min(t->o.sample ? t->o.sample : 1000, n);
    uint32_t rows[200];
    CHECK(n_sample <= DPL_LEN(rows));
    for (uint32_t i = 0; i < n_sample; i++)
        rows[i] = i * n / n_sample;
    size_t n_true;
    dpl_pair *trues = test_all_pairs(&t->left, t->is_self ? &t->left : &t->right,
                                     t->o.threshold, rows, n_sample, &n_true);
    dpl_tuning *tuning = NULL;
    CHECK_OK(dpl_hash_tune(&tuning, ctx, &t->left.vectors,
                           t->is_self ? NULL : &t->right.vectors, 0, &t->o, &test_err));
    const dpl_tune_summary *s = dpl_tuning_get_summary(tuning);
    CHECK(s->is_sampled && s->n_points > 0);
    CHECK_EQ(s->n_rows, n_sample);
    CHECK_EQ(s->n_true, n_true);
    for (size_t i = 0; i < s->n_points; i++)
        check_point(t, ctx, &s->points[i], trues, n_true, n_sample);
    check_best(s, t->o.recall ? t->o.recall : 0.95, t->o.precision);
    dpl_tuning_free(tuning);
    free(trues);
    test_ctx_done(ctx);
}

DPL_TEST(hash_tune, points_are_what_comparing_all_rows_gives)
{
    static const unsigned lengths[] = {[DPL_HASH_RP] = 6,
                                       [DPL_HASH_SIMHASH] = 8,
                                       [DPL_HASH_MINHASH] = 2,
                                       [DPL_HASH_FUZZY] = 8,
                                       [DPL_HASH_PSTABLE] = 4};
    for (size_t f = 0; f < DPL_LEN(lengths); f++)
        for (int i = 0; i < 3; i++) {
            tuned t = {.is_self = i == 1};
            const recipe l = {
                .seed = 5 + f, .n_rows = 60, .n_terms = 80, .length = 12, .skew = 1};
            recipe r = l;
            r.seed += 100;
            r.n_rows = 50;
            test_make_rows(&t.left, &l, NULL);
            test_make_rows(&t.right, &r, &t.left);
            t.hash = (dpl_hash_options)DPL_INIT(
                dpl_hash_options, .function = (dpl_hash_function)f, .length = lengths[f]);
            t.o = (dpl_tune_options)DPL_INIT(
                dpl_tune_options, .hash = &t.hash, .threshold = 0.3 + 0.1 * i, .recall = 0.8,
                .precision = i == 2 ? 0.25 : 0, .sample = i == 2 ? 7 : 0, .temp = test_dir());
            check_tuned(&t);
            test_free_rows(&t.left);
            test_free_rows(&t.right);
        }
}

/* Rows that have nothing in common, and codes so long that none agree: no candidates at all. */
DPL_TEST(hash_tune, a_sample_without_pairs_has_neither_recall_nor_precision)
{
    tuned t = {.hash = DPL_INIT(dpl_hash_options, .length = 50, .codes = 2)};
    const recipe l = {.seed = 1, .n_rows = 30, .n_terms = 3000, .length = 20, .skew = 1};
    recipe r = l;
    r.seed = 2;
    test_make_rows(&t.left, &l, NULL);
    test_make_rows(&t.right, &r, NULL);
    t.o = (dpl_tune_options)DPL_INIT(dpl_tune_options, .hash = &t.hash, .threshold = 0.9,
                                     .precision = 0.5, .temp = test_dir());
    check_tuned(&t);
    dpl_ctx *ctx = test_ctx(1);
    for (int side = 0; side < 2; side++) {
        dpl_tuning *tuning = NULL;
        dpl_vectors none = side ? t.right.vectors : t.left.vectors;
        none.sizes.n_rows = 0;
        none.path = "none.dpl";
        CHECK_EQ(dpl_hash_tune(&tuning, ctx, side ? &t.left.vectors : &none,
                               side ? &none : &t.right.vectors, 0, &t.o, &test_err),
                 DPL_E_USAGE);
        CHECK_STR(dpl__cstr(test_err.text), "'none.dpl' has no rows");
        CHECK(!tuning);
    }
    test_ctx_done(ctx);
    test_free_rows(&t.left);
    test_free_rows(&t.right);
}

DPL_TEST(hash_tune, what_cannot_be_reached_is_come_near_to)
{
    dpl_ctx *ctx = test_ctx(1);
    for (int by_precision = 0; by_precision < 2; by_precision++)
        for (unsigned length = 1; length < 60; length += 13) {
            const dpl_hash_options hash = DPL_INIT(dpl_hash_options, .length = length);
            const dpl_tune_options o =
                DPL_INIT(dpl_tune_options, .hash = &hash, .recall = 0.999999,
                         .precision = by_precision ? 0.999999 : 0);
            dpl_tuning *t = NULL;
            CHECK_OK(dpl_hash_tune(&t, ctx, NULL, NULL, 5000, &o, &test_err));
            check_best(dpl_tuning_get_summary(t), o.recall, o.precision);
            dpl_tuning_free(t);
        }
    test_ctx_done(ctx);
}

/* One true pair for each row, at the threshold; all others have nothing in common. */
DPL_TEST(hash_tune, a_prediction_is_that_of_the_model)
{
    enum { N = 700 };
    dpl_ctx *ctx = test_ctx(1);
    for (int f = 0; dpl_hash_get_function_info((dpl_hash_function)f); f++) {
        const dpl_hash_options hash =
            DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)f);
        const dpl_tune_options o = DPL_INIT(dpl_tune_options, .hash = &hash, .threshold = 0.7);
        dpl_tuning *t = NULL;
        const dpl_status status = dpl_hash_tune(&t, ctx, NULL, NULL, N, &o, &test_err);
        CHECK_EQ(status, f == DPL_HASH_FUZZY ? DPL_E_USAGE : DPL_OK);
        if (status != DPL_OK)
            continue;
        const dpl_tune_summary *s = dpl_tuning_get_summary(t);
        CHECK(!s->is_sampled && s->n_rows == 0 && s->n_true == 0);
        for (size_t i = 0; i < s->n_points; i++) {
            const dpl_hash_point *p = &s->points[i];
            dpl_hash_options point = hash;
            point.length = p->length;
            point.codes = p->codes;
            point.width = p->width;
            const double codes = p->codes,
                         recall = 1 - pow(1 - dpl__hash_agree(&point, 0.7), codes),
                         other = 1 - pow(1 - dpl__hash_agree(&point, 0), codes),
                         all = N * recall + other * (N * (N - 1) / 2.0 - N);
            CHECK(is_near(p->recall, recall));
            CHECK(is_near(p->candidates, all / N));
            CHECK(is_near(p->precision, N * recall / all));
            CHECK(is_near(p->cost, dpl__hash_cost(&point, 120, p->candidates)));
        }
        check_best(s, 0.95, 0);
        dpl_tuning_free(t);
    }
    test_ctx_done(ctx);
}

DPL_TEST(hash_tune, options_out_of_range_are_refused)
{
    static const struct {
        double threshold, recall, precision;
        dpl_status status;
    } cases[] = {{1, 0.5, 0, DPL_OK},           {1.01, 0.5, 0, DPL_E_USAGE},
                 {-0.1, 0.5, 0, DPL_E_USAGE},   {NAN, 0.5, 0, DPL_E_USAGE},
                 {0.5, 1, 0, DPL_E_USAGE},      {0.5, -0.1, 0, DPL_E_USAGE},
                 {0.5, 0.999, 1, DPL_OK},       {0.5, 0.5, 1.01, DPL_E_USAGE},
                 {0.5, 0.5, -0.01, DPL_E_USAGE}};
    dpl_ctx *ctx = test_ctx(1);
    dpl_tuning *t;
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl_tune_options o =
            DPL_INIT(dpl_tune_options, .threshold = cases[i].threshold,
                     .recall = cases[i].recall, .precision = cases[i].precision);
        CHECK_EQ(dpl_hash_tune(&t, ctx, NULL, NULL, 9, &o, &test_err), cases[i].status);
        dpl_tuning_free(t);
    }
    const dpl_hash_function_info *info = dpl_hash_get_function_info(DPL_HASH_RP);
    for (unsigned more = 0; more < 2; more++)
        for (int is_length = 0; is_length < 2; is_length++) {
            const dpl_hash_options hash =
                DPL_INIT(dpl_hash_options, .length = is_length ? info->length_most + more : 4,
                         .codes = is_length ? 1 : info->codes_most + more);
            const dpl_tune_options o = DPL_INIT(dpl_tune_options, .hash = &hash);
            CHECK_EQ(dpl_hash_tune(&t, ctx, NULL, NULL, 9, &o, &test_err),
                     more ? DPL_E_USAGE : DPL_OK);
            dpl_tuning_free(t);
        }
    const dpl_hash_options none = DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)99);
    const dpl_tune_options o = DPL_INIT(dpl_tune_options, .hash = &none);
    CHECK_EQ(dpl_hash_tune(&t, ctx, NULL, NULL, 9, &o, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.text), "no similarity hash function number 99");
    dpl_tuning_free(NULL);
    test_ctx_done(ctx);
}

static dpl_status tune_small(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const tuned *t = user;
    dpl_tuning *tuning = NULL;
    const dpl_status status =
        dpl_hash_tune(&tuning, ctx, &t->left.vectors, &t->right.vectors, 0, &t->o, err);
    dpl_tuning_free(tuning);
    return status;
}

DPL_TEST(hash_tune, every_allocation_may_fail)
{
    tuned t = {.hash = DPL_INIT(dpl_hash_options, .length = 4, .codes = 2)};
    const recipe l = {.seed = 1, .n_rows = 6, .n_terms = 9, .length = 4, .skew = 1};
    test_make_rows(&t.left, &l, NULL);
    test_make_rows(&t.right, &l, &t.left);
    t.o = (dpl_tune_options)DPL_INIT(dpl_tune_options, .hash = &t.hash, .temp = test_dir());
    test_allocation_failures(tune_small, &t);
    test_free_rows(&t.left);
    test_free_rows(&t.right);
}
