#include "pairs/exact_test.h"

#include "test.h"

#include <stdlib.h>

typedef struct job {
    const made *left, *right;
    const dpl_pair *expected;
    const dpl__candidate *in;
    size_t n;
} job;

static dpl_status verify(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const job *j = user;
    dpl__sides sides = {0};
    dpl_pair *out = calloc(j->n + 1, sizeof *out);
    CHECK(out != NULL);
    dpl_status status = dpl__sides_init(&sides, ctx, &j->left->vectors,
                                        j->left == j->right ? NULL : &j->right->vectors, err);
    if (status == DPL_OK)
        status = dpl__verify(ctx, &sides, out, j->in, j->n, err);
    dpl__sides_clear(&sides, ctx);
    for (size_t i = 0; status == DPL_OK && i < j->n; i++)
        if (out[i].left != j->in[i].left || out[i].right != j->in[i].right ||
            out[i].score != j->expected[i].score)
            dpl__test_fail(__FILE__, __LINE__, "(%u, %u) is %.9g, expected %.9g", out[i].left,
                           out[i].right, (double)out[i].score, (double)j->expected[i].score);
    free(out);
    return status;
}

/* Candidates are pairs of the naive search, which knows their scores. */
static void check(const made *left, const made *right)
{
    size_t n;
    dpl_pair *pairs = test_all_pairs(left, right, 0, NULL, 0, &n);
    dpl__candidate *in = calloc(n + 1, sizeof *in);
    CHECK(in != NULL);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i % 3 != 1) {
            in[kept] = (dpl__candidate){pairs[i].left, pairs[i].right, 0};
            pairs[kept++] = pairs[i];
        }
    job j = {left, right, pairs, in, kept};
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
        for (unsigned n_threads = 1; n_threads <= 2; n_threads++) {
            dpl_ctx *ctx = NULL;
            dpl_ctx_options o =
                DPL_INIT(dpl_ctx_options, .n_threads = n_threads, .cpu = (dpl_cpu)cpu);
            CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
            CHECK_OK(verify(&j, ctx, &test_err));
            test_ctx_done(ctx);
        }
    j.n = dpl__min(j.n, 100);
    test_allocation_failures(verify, &j);
    free(in);
    free(pairs);
}

DPL_TEST(verify, gives_the_canonical_sum_of_every_candidate)
{
    made left, right;
    test_make_rows(&left, &(recipe){1, 200, 2000, 60, 3, 0}, NULL);
    test_make_rows(&right, &(recipe){2, 150, 2000, 300, 3, 0}, &left);
    check(&left, &right);
    check(&left, &left);
    test_free_rows(&right);
    test_free_rows(&left);
}

DPL_TEST(verify, takes_dense_rows)
{
    made left, right;
    test_make_rows(&left, &(recipe){1, 50, 0, 0, 0, 37}, NULL);
    test_make_rows(&right, &(recipe){2, 70, 0, 0, 0, 37}, &left);
    check(&left, &right);
    check(&left, &left);
    test_free_rows(&right);
    test_free_rows(&left);
}
