#include "pairs/exact_test.h"

#include "test.h"

#include "base/ctx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- rows --------------------------------------------------------------------------- */

static void *hold(made *m, size_t n)
{
    CHECK(m->n_held < DPL_LEN(m->held));
    void *p = calloc(n + 1, 1);
    CHECK(p != NULL);
    m->held[m->n_held++] = p;
    return p;
}

void test_free_rows(made *m)
{
    for (size_t i = 0; i < m->n_held; i++)
        free(m->held[i]);
    m->n_held = 0;
}

static double uniform(dpl__rng *rng)
{
    return (double)(dpl__rng_next(rng) >> 11) * 0x1p-53;
}

/* Which of all terms this side has, and their names. */
static void make_vocabulary(made *m, const recipe *r, dpl__rng *rng)
{
    m->numbers = hold(m, r->n_terms * sizeof *m->numbers);
    uint64_t *offsets = hold(m, (r->n_terms + 1) * sizeof *offsets);
    char *bytes = hold(m, 8 * (size_t)r->n_terms);
    uint32_t n = 0;
    for (uint32_t t = 0; t < r->n_terms; t++)
        if (dpl__rng_below(rng, 8)) {
            m->numbers[n] = t;
            snprintf(bytes + 7 * (size_t)n, 8, "%07u", t % 10000000);
            n++;
            offsets[n] = 7 * (uint64_t)n;
        }
    m->vectors.terms = (dpl__strings){offsets, bytes, n};
    m->vectors.rows.n_terms = m->vectors.sizes.n_terms = n;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Different terms of one row, rising; out has room for most. */
static uint32_t draw_terms(uint32_t *out, uint32_t most, const made *m, const recipe *r,
                           dpl__rng *rng)
{
    uint32_t n = (uint32_t)dpl__rng_below(rng, 2 * r->length + 1), kept = 0;
    for (uint32_t i = 0; i < n && i < most; i++)
        out[i] = (uint32_t)(m->vectors.rows.n_terms * pow(uniform(rng), r->skew));
    n = n < most ? n : most;
    qsort(out, n, sizeof *out, compare_numbers);
    for (uint32_t i = 0; i < n; i++)
        if (kept == 0 || out[kept - 1] != out[i])
            out[kept++] = out[i];
    return kept;
}

/* At most so many terms of a row of the other side that this side has, some left out. */
static uint32_t copy_terms(uint32_t *out, uint32_t most, const made *m, const made *like,
                           uint32_t row, dpl__rng *rng)
{
    const dpl__rows *rows = &like->vectors.rows;
    uint32_t n = 0, t = 0;
    uint64_t change = 1 + dpl__rng_below(rng, 20); /* one in so many is left out */
    for (uint64_t i = rows->offsets[row]; i < rows->offsets[row + 1] && n < most; i++) {
        uint32_t number = like->numbers[rows->terms[i]];
        while (t < m->vectors.rows.n_terms && m->numbers[t] < number)
            t++;
        if (t < m->vectors.rows.n_terms && m->numbers[t] == number &&
            dpl__rng_below(rng, change + 1))
            out[n++] = t;
    }
    return n;
}

static void scale(float *weights, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)weights[i] * (double)weights[i];
    for (size_t i = 0; i < n; i++)
        weights[i] = (float)((double)weights[i] / sqrt(sum));
}

static void make_sparse(made *m, const recipe *r, const made *like, dpl__rng *rng)
{
    make_vocabulary(m, r, rng);
    uint32_t most = 4 * r->length + 1;
    uint64_t *offsets = hold(m, (r->n_rows + 1) * sizeof *offsets);
    uint32_t *terms = hold(m, (size_t)r->n_rows * most * sizeof *terms);
    float *weights = hold(m, (size_t)r->n_rows * most * sizeof *weights);
    for (uint32_t row = 0; row < r->n_rows; row++) {
        uint64_t at = offsets[row];
        uint32_t n = 0;
        if (like && like->vectors.rows.n_rows && dpl__rng_below(rng, 3) == 0)
            n = copy_terms(terms + at, most, m, like,
                           (uint32_t)dpl__rng_below(rng, like->vectors.rows.n_rows), rng);
        else if (dpl__rng_below(rng, 20))
            n = draw_terms(terms + at, most, m, r, rng);
        for (uint32_t i = 0; i < n; i++)
            weights[at + i] =
                (float)((0.2 + uniform(rng)) * log(2 + (double)m->numbers[terms[at + i]]));
        scale(weights + at, n);
        offsets[row + 1] = at + n;
    }
    m->vectors.rows = (dpl__rows){r->n_rows, m->vectors.rows.n_terms, offsets, terms, weights};
    m->vectors.sizes.n_entries = offsets[r->n_rows];
}

static void make_dense(made *m, const recipe *r, const made *like, dpl__rng *rng)
{
    float *values = hold(m, (size_t)r->n_rows * r->dim * sizeof *values);
    for (uint32_t row = 0; row < r->n_rows; row++) {
        float *v = values + (size_t)row * r->dim;
        const float *from = NULL;
        if (like && dpl__rng_below(rng, 3) == 0)
            from = like->vectors.dense.values +
                   dpl__rng_below(rng, like->vectors.dense.n_rows) * r->dim;
        for (uint32_t i = 0; i < r->dim; i++)
            v[i] = (float)(uniform(rng) - 0.5) * (from ? 0.1f : 1) + (from ? from[i] : 0);
        scale(v, r->dim);
    }
    m->vectors.dense = (dpl__dense){r->n_rows, r->dim, values};
    m->vectors.sizes.dim = r->dim;
}

void test_make_rows(made *m, const recipe *r, const made *like)
{
    *m = (made){0};
    dpl__rng rng = {dpl__mix(r->seed)};
    if (r->dim)
        make_dense(m, r, like, &rng);
    else
        make_sparse(m, r, like, &rng);
    m->vectors.sizes.n_rows = r->n_rows;
}

/* ---- the naive search --------------------------------------------------------------- */

static float naive_score(const made *left, uint32_t l, const made *right, uint32_t r)
{
    const dpl__dense *dense = &left->vectors.dense;
    if (dense->dim)
        return dpl__kernels_for(DPL_CPU_SCALAR)
            ->dot(dense->values + (size_t)l * dense->dim,
                  right->vectors.dense.values + (size_t)r * dense->dim, dense->dim);
    const dpl__rows *a = &left->vectors.rows, *b = &right->vectors.rows;
    double sum = 0;
    uint64_t j = b->offsets[r];
    for (uint64_t i = a->offsets[l]; i < a->offsets[l + 1]; i++) {
        uint32_t number = left->numbers[a->terms[i]];
        while (j < b->offsets[r + 1] && right->numbers[b->terms[j]] < number)
            j++;
        if (j < b->offsets[r + 1] && right->numbers[b->terms[j]] == number)
            sum += (double)a->weights[i] * (double)b->weights[j];
    }
    return (float)sum;
}

dpl_pair *test_all_pairs(const made *left, const made *right, double threshold,
                         const uint32_t *rows, size_t n_rows, size_t *n)
{
    DPL_VEC(dpl_pair) pairs = {0};
    size_t n_left = rows ? n_rows : left->vectors.sizes.n_rows;
    for (size_t i = 0; i < n_left; i++) {
        uint32_t l = rows ? rows[i] : (uint32_t)i;
        uint32_t first = left == right ? l + 1 : 0;
        for (uint32_t r = first; r < right->vectors.sizes.n_rows; r++) {
            float score = naive_score(left, l, right, r);
            if (!((double)score >= threshold) || !(score > 0))
                continue;
            if (pairs.n == pairs.cap) {
                pairs.cap = 2 * pairs.cap + 16;
                pairs.data = realloc(pairs.data, pairs.cap * sizeof *pairs.data);
                CHECK(pairs.data != NULL);
            }
            pairs.data[pairs.n++] = (dpl_pair){l, r, score};
        }
    }
    *n = pairs.n;
    return pairs.data;
}

static dpl_status take(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    (void)err;
    checker *c = user;
    CHECK(n > 0);
    if (n > c->n - c->at)
        dpl__test_fail(__FILE__, __LINE__, "%zu pairs or more where %zu are expected",
                       c->at + n, c->n);
    for (size_t i = 0; i < n; i++, c->at++) {
        const dpl_pair *e = &c->expected[c->at];
        if (pairs[i].left != e->left || pairs[i].right != e->right ||
            pairs[i].score != e->score)
            dpl__test_fail(__FILE__, __LINE__,
                           "pair %zu is (%u, %u, %.9g), expected (%u, %u, %.9g)", c->at,
                           pairs[i].left, pairs[i].right, (double)pairs[i].score, e->left,
                           e->right, (double)e->score);
    }
    /* All pairs of one left row come in one call. */
    CHECK(c->at == c->n || c->expected[c->at].left != c->expected[c->at - 1].left);
    return DPL_OK;
}

dpl__pair_sink test_sink(checker *c)
{
    return (dpl__pair_sink){c, take};
}

/* ---- comparing ---------------------------------------------------------------------- */

typedef struct trial {
    const made *left, *right; /* the same: within one set */
    double threshold;
    const uint32_t *rows;
    size_t n_rows;
    const dpl_pair *expected;
    size_t n_expected;
} trial;

static dpl_status search(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const trial *t = user;
    dpl__sides sides = {0};
    dpl__spill spill = {0};
    checker c = {.expected = t->expected, .n = t->n_expected};
    dpl__pair_sink sink = test_sink(&c);
    uint64_t n_multiplied;
    dpl_status status = dpl__sides_init(&sides, ctx, &t->left->vectors,
                                        t->left == t->right ? NULL : &t->right->vectors, err);
    if (status == DPL_OK)
        status = dpl__spill_init(&spill, ctx, test_dir(), err);
    if (status == DPL_OK)
        status = dpl__exact(ctx,
                            &(dpl__exact_search){.sides = &sides,
                                                 .threshold = t->threshold,
                                                 .rows = t->rows,
                                                 .n_rows = t->n_rows,
                                                 .sink = &sink,
                                                 .n_multiplied = &n_multiplied},
                            &spill, err);
    if (spill.dir)
        dpl__spill_clear(&spill);
    dpl__sides_clear(&sides, ctx);
    if (status == DPL_OK)
        CHECK_EQ(c.at, c.n);
    return status;
}

static void check_with(const trial *t, dpl_ctx_options o)
{
    dpl_ctx *ctx = NULL;
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    trial copy = *t;
    CHECK_OK(search(&copy, ctx, &test_err));
    test_ctx_done(ctx);
}

/* The naive search against ours with many settings. */
static void check_trial(trial *t)
{
    dpl_pair *pairs =
        test_all_pairs(t->left, t->right, t->threshold, t->rows, t->n_rows, &t->n_expected);
    t->expected = pairs;
    check_with(t, (dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1));
    check_with(t, (dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 2));
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
        check_with(
            t, (dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 2, .cpu = (dpl_cpu)cpu));
    check_with(t,
               (dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 2, .memory = 1 << 16));
    if (t->left->vectors.sizes.n_rows < 500)
        check_with(t, (dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 1));
    free(pairs);
}

static const double thresholds[] = {0, 0.05, 0.2, 0.3, 0.5, 0.8, 0.95, -1};

DPL_TEST(exact, finds_what_the_naive_search_finds_between_two_sets)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        printf("    seed %llu\n", (unsigned long long)seed);
        made left, right;
        test_make_rows(&left, &(recipe){seed, 150, 900, 30, 2.5, 0}, NULL);
        test_make_rows(&right, &(recipe){seed + 100, 400, 900, 30, 2.5, 0}, &left);
        for (size_t i = 0; i < DPL_LEN(thresholds); i++)
            check_trial(&(trial){&left, &right, thresholds[i], NULL, 0, NULL, 0});
        test_free_rows(&right);
        test_free_rows(&left);
    }
}

DPL_TEST(exact, finds_each_pair_within_one_set_once)
{
    made other, set;
    test_make_rows(&other, &(recipe){8, 50, 500, 20, 3, 0}, NULL);
    test_make_rows(&set, &(recipe){9, 300, 500, 20, 3, 0}, &other);
    for (size_t i = 0; i < DPL_LEN(thresholds); i++)
        check_trial(&(trial){&set, &set, thresholds[i], NULL, 0, NULL, 0});
    test_free_rows(&set);
    test_free_rows(&other);
}

DPL_TEST(exact, finds_nothing_among_rows_without_terms)
{
    made left, right;
    test_make_rows(&left, &(recipe){51, 100, 300, 20, 2, 0}, NULL);
    test_make_rows(&right, &(recipe){52, 40, 300, 0, 2, 0}, NULL);
    for (size_t i = 0; i < DPL_LEN(thresholds); i++) {
        check_trial(&(trial){&left, &right, thresholds[i], NULL, 0, NULL, 0});
        check_trial(&(trial){&right, &left, thresholds[i], NULL, 0, NULL, 0});
        check_trial(&(trial){&right, &right, thresholds[i], NULL, 0, NULL, 0});
    }
    test_free_rows(&right);
    test_free_rows(&left);
}

/* Enough pairs to be planned. */
DPL_TEST(exact, finds_the_same_where_a_plan_is_made)
{
    made left, right;
    test_make_rows(&left, &(recipe){71, 500, 900, 20, 4, 0}, NULL);
    test_make_rows(&right, &(recipe){72, 1600, 900, 20, 4, 0}, &left);
    static uint32_t rows[190];
    for (uint32_t i = 0; i < DPL_LEN(rows); i++)
        rows[i] = 2 * i;
    static const double some[] = {0, 0.15, 0.3, 0.7};
    for (size_t i = 0; i < DPL_LEN(some); i++) {
        check_trial(&(trial){&left, &right, some[i], NULL, 0, NULL, 0});
        check_trial(&(trial){&right, &right, some[i], NULL, 0, NULL, 0});
        check_trial(
            &(trial){&left, &right, some[i], rows, DPL_LEN(rows), NULL, 0}); /* turned round */
        check_trial(&(trial){&right, &right, some[i], rows, DPL_LEN(rows), NULL, 0});
    }
    test_free_rows(&right);
    test_free_rows(&left);
}

DPL_TEST(exact, looks_only_at_the_rows_it_is_given)
{
    made left, right;
    test_make_rows(&left, &(recipe){21, 200, 700, 25, 2, 0}, NULL);
    test_make_rows(&right, &(recipe){22, 300, 700, 25, 2, 0}, &left);
    static const uint32_t rows[] = {0, 3, 4, 50, 77, 120, 121, 122, 199};
    for (size_t i = 0; i < DPL_LEN(thresholds); i++)
        for (size_t n = 0; n <= DPL_LEN(rows); n += 3) {
            check_trial(&(trial){&left, &right, thresholds[i], rows, n, NULL, 0});
            check_trial(&(trial){&left, &left, thresholds[i], rows, n, NULL, 0});
        }
    test_free_rows(&right);
    test_free_rows(&left);
}

DPL_TEST(exact, takes_dense_rows)
{
    made left, right;
    for (uint32_t dim = 1; dim < 100; dim = 2 * dim + 1) {
        test_make_rows(&left, &(recipe){31, 60, 0, 0, 0, dim}, NULL);
        test_make_rows(&right, &(recipe){32, 91, 0, 0, 0, dim}, &left);
        static const uint32_t rows[] = {1, 2, 58};
        for (size_t i = 0; i < DPL_LEN(thresholds); i++) {
            check_trial(&(trial){&left, &right, thresholds[i], NULL, 0, NULL, 0});
            check_trial(&(trial){&left, &left, thresholds[i], NULL, 0, NULL, 0});
            check_trial(&(trial){&left, &right, thresholds[i], rows, 3, NULL, 0});
        }
        test_free_rows(&right);
        test_free_rows(&left);
    }
}

DPL_TEST(exact, copes_with_rows_that_share_nothing_and_with_no_rows)
{
    made left, right, none;
    test_make_rows(&left, &(recipe){41, 40, 300, 10, 1, 0}, NULL);
    test_make_rows(&right, &(recipe){42, 40, 300, 10, 1, 0}, NULL);
    test_make_rows(&none, &(recipe){43, 0, 300, 10, 1, 0}, NULL);
    for (uint32_t t = 0; t < right.vectors.rows.n_terms; t++) { /* all behind those of left */
        right.numbers[t] += 1000;
        ((char *)right.held[2])[7 * t] = '1';
    }
    check_trial(&(trial){&left, &right, 0, NULL, 0, NULL, 0});
    check_trial(&(trial){&left, &right, 0.3, NULL, 0, NULL, 0});
    check_trial(&(trial){&left, &none, 0.3, NULL, 0, NULL, 0});
    check_trial(&(trial){&none, &left, 0.3, NULL, 0, NULL, 0});
    check_trial(&(trial){&none, &none, 0.3, NULL, 0, NULL, 0});
    test_free_rows(&none);
    test_free_rows(&right);
    test_free_rows(&left);
}

DPL_TEST(exact, reports_missing_memory_and_leaks_nothing)
{
    made left, right;
    test_make_rows(&left, &(recipe){51, 60, 300, 20, 2, 0}, NULL);
    test_make_rows(&right, &(recipe){52, 90, 300, 20, 2, 0}, &left);
    static const uint32_t rows[] = {7, 8};
    trial trials[] = {{&left, &right, 0.3, NULL, 0, NULL, 0},
                      {&left, &right, 0, NULL, 0, NULL, 0},
                      {&left, &left, 0.5, NULL, 0, NULL, 0},
                      {&left, &right, 0.3, rows, 2, NULL, 0}};
    for (size_t i = 0; i < DPL_LEN(trials); i++) {
        trial *t = &trials[i];
        dpl_pair *pairs =
            test_all_pairs(t->left, t->right, t->threshold, t->rows, t->n_rows, &t->n_expected);
        t->expected = pairs;
        test_allocation_failures(search, t);
        free(pairs);
    }
    test_free_rows(&right);
    test_free_rows(&left);
}

static int stop_at_once(void *user, const dpl_progress *progress)
{
    CHECK_STR(dpl__cstr(progress->stage), "exact");
    ++*(int *)user;
    return 1;
}

DPL_TEST(exact, stops_when_asked)
{
    made left;
    int n_calls = 0;
    test_make_rows(&left, &(recipe){61, 60, 300, 20, 2, 0}, NULL);
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .progress = stop_at_once,
                                 .progress_user = &n_calls);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    CHECK_EQ(search(&(trial){&left, &left, 0.3, NULL, 0, NULL, 0}, ctx, &test_err),
             DPL_E_STOPPED);
    CHECK_EQ(n_calls, 1);
    test_ctx_done(ctx);
    test_free_rows(&left);
}
