#include "pairs/exact_test.h"

#include "test.h"

#include "base/ctx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- any head is right -------------------------------------------------------------- */

/* The bounded search with a head of any terms must find what the naive one finds. */
typedef struct trial {
    const made *left, *right;
    double threshold;
    uint64_t seed;
    unsigned head;     /* this share of 8 of the terms, by chance; 9: terms below 9 */
    uint32_t n_groups; /* of them; 0: there is no second bound */
    const dpl_pair *expected;
    size_t n_expected;
} trial;

static bool is_in_head(const trial *t, uint32_t term)
{
    return t->head == 9 ? term < 9 : dpl__mix(t->seed + term) % 8 < t->head;
}

static void make_plan(dpl__term_plan *plan, const trial *t)
{
    uint32_t n = t->right->vectors.rows.n_terms;
    *plan = (dpl__term_plan){.n_terms = n};
    plan->ranks = calloc(n + 1, sizeof *plan->ranks);
    plan->groups = calloc(n + 1, 1);
    plan->has_groups = t->n_groups > 0;
    CHECK(plan->ranks && plan->groups);
    for (uint32_t i = 0; i < n; i++) {
        bool is_head = is_in_head(t, i);
        plan->ranks[i] = is_head ? DPL__TERM_HEAD : (int32_t)plan->n_tail++;
        plan->groups[i] =
            (unsigned char)(is_head && plan->has_groups ? i % t->n_groups : DPL__GROUPS);
    }
}

static dpl_status search(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const trial *t = user;
    dpl__sides sides = {0};
    dpl__spill spill = {0};
    dpl__term_plan plan;
    make_plan(&plan, t);
    checker c = {.expected = t->expected, .n = t->n_expected};
    dpl__pair_sink sink = test_sink(&c);
    dpl_status status = dpl__sides_init(&sides, ctx, &t->left->vectors,
                                        t->left == t->right ? NULL : &t->right->vectors, err);
    dpl__join join = {.sides = &sides,
                      .threshold = t->threshold,
                      .n_queries = t->left->vectors.sizes.n_rows,
                      .n_indexed = t->right->vectors.sizes.n_rows};
    if (status == DPL_OK)
        status = dpl__spill_init(&spill, ctx, test_dir(), err);
    if (status == DPL_OK)
        status = dpl__exact_bounded(ctx, &join, &plan, &spill, &sink, err);
    if (spill.dir)
        dpl__spill_clear(&spill);
    dpl__sides_clear(&sides, ctx);
    free(plan.ranks);
    free(plan.groups);
    if (status == DPL_OK)
        CHECK_EQ(c.at, c.n);
    return status;
}

static void check_with(trial *t, dpl_ctx_options o)
{
    dpl_ctx *ctx = NULL;
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    CHECK_OK(search(t, ctx, &test_err));
    test_ctx_done(ctx);
}

static void check(const made *left, const made *right, double threshold, uint64_t seed)
{
    trial t = {.left = left, .right = right, .threshold = threshold, .seed = seed};
    dpl_pair *pairs = test_all_pairs(left, right, threshold, NULL, 0, &t.n_expected);
    t.expected = pairs;
    static const struct {
        unsigned head;
        uint32_t n_groups;
    } heads[] = {{0, 0}, {3, 0}, {3, DPL__GROUPS}, {6, DPL__GROUPS}, {9, 5}};
    for (size_t i = 0; i < DPL_LEN(heads); i++) {
        t.head = heads[i].head;
        t.n_groups = heads[i].n_groups;
        check_with(&t, (dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 2));
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
            check_with(&t, (dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1,
                                                     .cpu = (dpl_cpu)cpu));
        check_with(&t, (dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 2,
                                                 .memory = 1)); /* shards, few pairs */
    }
    free(pairs);
}

DPL_TEST(exact_bound, loses_nothing_whatever_is_in_the_head)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        printf("    seed %llu\n", (unsigned long long)seed);
        made left, right;
        test_make_rows(&left, &(recipe){seed, 150, 600, 25, 2.5, 0}, NULL);
        test_make_rows(&right, &(recipe){seed + 9, 300, 600, 25, 2.5, 0}, &left);
        static const double thresholds[] = {0, 0.01, 0.1, 0.3, 0.6, 0.9, 1};
        for (size_t i = 0; i < DPL_LEN(thresholds); i++) {
            check(&left, &right, thresholds[i], seed);
            check(&left, &left, thresholds[i], seed);
        }
        test_free_rows(&right);
        test_free_rows(&left);
    }
}

/* ---- rows that are hard to bound ---------------------------------------------------- */

enum { TERMS = 4000, KINDS = 8 };

static void put(made *m, uint64_t *n, uint32_t term, double weight)
{
    ((uint32_t *)m->held[1])[*n] = term;
    ((float *)m->held[2])[(*n)++] = (float)weight;
}

/* One row of a kind; most are multiples of each other in part of their terms, which makes the
 * bound tight. Not all have length one: nothing relies on it. */
static void put_row(made *m, uint64_t *n, unsigned kind, dpl__rng *rng)
{
    uint32_t first = (uint32_t)dpl__rng_below(rng, 8);
    double scale = kind == 7 ? 1e-3 : 1;
    switch (kind) {
    case 0: /* a single term */ put(m, n, first, 1); break;
    case 1: /* many equal, tiny */
        for (uint32_t t = first; t < TERMS; t++)
            put(m, n, t, 1 / sqrt(TERMS));
        break;
    case 2: /* one heavy, many tiny: less than the unit of 16 bits */
        put(m, n, first, 0.999);
        for (uint32_t t = 8; t < TERMS; t += 2)
            put(m, n, t, 1e-6);
        break;
    case 3: /* nearly everything in the first terms, all the same direction */
        for (uint32_t t = 0; t < 9; t++)
            put(m, n, t, (1 + t) / 17.0);
        put(m, n, 9 + first, 0.1);
        break;
    case 4: /* longer than one */
        for (uint32_t t = 0; t < 9; t++)
            put(m, n, t, 3 * (1 + t) / 17.0);
        put(m, n, 20, 5);
        break;
    case 5: /* falling weights over many sizes */
        for (uint32_t t = 0; t < 40; t++)
            put(m, n, t * 7, 0.86 * exp2(-(double)t));
        break;
    case 6: /* nothing */ break;
    default:
        for (uint32_t t = first; t < 60; t += 3)
            put(m, n, t, scale * (0.1 + (double)dpl__rng_below(rng, 100) / 1000));
    }
}

static void make_hard_rows(made *m, uint64_t seed)
{
    enum { ROWS = 48 };
    *m = (made){.n_held = 4};
    uint64_t *offsets = m->held[0] = calloc(ROWS + 1, sizeof *offsets);
    m->held[1] = calloc((size_t)ROWS * TERMS, sizeof(uint32_t));
    m->held[2] = calloc((size_t)ROWS * TERMS, sizeof(float));
    m->numbers = m->held[3] = calloc(TERMS, sizeof *m->numbers);
    CHECK(m->held[0] && m->held[1] && m->held[2] && m->held[3]);
    dpl__rng rng = {seed};
    uint64_t n = 0;
    for (uint32_t r = 0; r < ROWS; r++) {
        put_row(m, &n, r % KINDS, &rng);
        offsets[r + 1] = n;
    }
    for (uint32_t t = 0; t < TERMS; t++)
        m->numbers[t] = t;
    m->vectors.rows = (dpl__rows){ROWS, TERMS, offsets, m->held[1], m->held[2]};
    m->vectors.sizes = (dpl_vectors_sizes){.n_rows = ROWS, .n_terms = TERMS, .n_entries = n};
}

DPL_TEST(exact_bound, keeps_pairs_that_reach_the_threshold_to_the_last_bit)
{
    made set;
    make_hard_rows(&set, 5);
    size_t n;
    dpl_pair *pairs = test_all_pairs(&set, &set, 0, NULL, 0, &n);
    bool was_seen[KINDS][KINDS] = {{false}};
    for (size_t i = 0; i < n; i++) { /* thresholds that are scores themselves */
        uint32_t a = pairs[i].left % KINDS, b = pairs[i].right % KINDS;
        bool *seen = &was_seen[dpl__min(a, b)][dpl__max(a, b)];
        if (!*seen) {
            check(&set, &set, (double)pairs[i].score, i);
            check(&set, &set, (double)nextafterf(pairs[i].score, 9), i);
        }
        *seen = true;
    }
    free(pairs);
    test_free_rows(&set);
}

DPL_TEST(exact_bound, reports_missing_memory_and_leaks_nothing)
{
    made left, right;
    test_make_rows(&left, &(recipe){51, 60, 300, 20, 2, 0}, NULL);
    test_make_rows(&right, &(recipe){52, 90, 300, 20, 2, 0}, &left);
    trial t = {.left = &left,
               .right = &right,
               .threshold = 0.2,
               .seed = 1,
               .head = 3,
               .n_groups = DPL__GROUPS};
    dpl_pair *pairs = test_all_pairs(&left, &right, t.threshold, NULL, 0, &t.n_expected);
    t.expected = pairs;
    test_allocation_failures(search, &t);
    free(pairs);
    test_free_rows(&right);
    test_free_rows(&left);
}

/* A spool that cannot be written: several shards, more pairs than their share of memory. */
DPL_TEST(exact_bound, says_where_pairs_could_not_be_written)
{
    made set;
    test_make_rows(&set, &(recipe){7, 300, 100, 30, 1, 0}, NULL);
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .memory = 1);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    dpl__sides sides;
    dpl__spill spill;
    CHECK_OK(dpl__sides_init(&sides, ctx, &set.vectors, NULL, &test_err));
    CHECK_OK(dpl__spill_init(&spill, ctx, "/no/such/folder", &test_err));
    checker c = {0};
    dpl__pair_sink sink = test_sink(&c);
    CHECK_EQ(dpl__exact(ctx, &(dpl__exact_search){&sides, 0.05, NULL, 0, &sink, NULL, NULL},
                        &spill, &test_err),
             DPL_E_IO);
    dpl__spill_clear(&spill);
    dpl__sides_clear(&sides, ctx);
    test_ctx_done(ctx);
    test_free_rows(&set);
}
