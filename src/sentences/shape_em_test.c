#include "sentences/shape_em.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <math.h>

enum { N = 200 };

/* Right sentences three times as long; every fourth left one is two on the right. */
typedef struct split_text {
    uint32_t chars[2][2 * N];
    dpl__bead_doc docs[2];
    uint32_t n_split;
} split_text;

static void split_text_make(split_text *t, uint64_t seed)
{
    dpl__rng rng = {seed};
    uint32_t n = 0;
    t->n_split = 0;
    for (uint32_t i = 0; i < N; i++) {
        uint32_t length = 10 + (uint32_t)dpl__rng_below(&rng, 60);
        uint32_t right = 3 * length + (uint32_t)dpl__rng_below(&rng, 9);
        t->chars[0][i] = length;
        if (i % 4 == 3) {
            uint32_t part = right / 2 + (uint32_t)dpl__rng_below(&rng, 9);
            t->chars[1][n++] = part;
            right -= part;
            t->n_split++;
        }
        t->chars[1][n++] = right;
    }
    t->docs[0] = (dpl__bead_doc){.chars = t->chars[0], .n = N};
    t->docs[1] = (dpl__bead_doc){.chars = t->chars[1], .n = n};
}

static void estimate(dpl__bead_priors *priors, const split_text *t, double *n_beads)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__run_counts runs = {0};
    dpl__shape_em em = {0};
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl__bead_priors_init(priors);
    dpl__run_counts_add(&runs, t->docs);
    dpl__bead_priors_start(priors, &runs);
    for (int round = 0; round < 8; round++) {
        dpl__shape_model shape;
        dpl__prior_counts sums = {0};
        dpl__arena_reset(&arena);
        dpl__shape_model_init(&shape, priors);
        CHECK_OK(dpl__shape_model_start(&shape, &arena, t->docs, 4, &test_err));
        CHECK_OK(dpl__shape_em_count(&em, ctx, &shape, t->docs, &sums, &test_err));
        dpl__bead_priors_estimate(priors, &sums);
        *n_beads = 0;
        for (unsigned k = 0; k <= DPL__MAX_SIDE; k++)
            for (unsigned l = 0; l <= DPL__MAX_SIDE; l++)
                *n_beads += sums.beads[k][l];
    }
    dpl__shape_em_clear(&em, ctx);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(shape_em, ratio_and_bead_types_are_learnt_from_lengths)
{
    static split_text t;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        dpl__bead_priors priors;
        double n_beads;
        split_text_make(&t, seed);
        estimate(&priors, &t, &n_beads);
        CHECK(fabs(priors.log_ratio - log(3.15)) < 0.05);
        CHECK(fabs(exp(priors.log_p[1][2]) - 0.25) < 0.06);
        CHECK(exp(priors.log_p[2][1]) < 0.03);
        CHECK(exp(priors.log_p[1][0]) + exp(priors.log_p[0][1]) < 0.03);
        CHECK(fabs(n_beads - N) < 0.05 * N);
    }
}

DPL_TEST(shape_em, empty_documents_count_nothing)
{
    static split_text t;
    dpl__bead_priors priors, usual;
    double n_beads;
    split_text_make(&t, 1);
    t.docs[1].n = 0;
    estimate(&priors, &t, &n_beads);
    dpl__bead_priors_init(&usual);
    CHECK(n_beads == 0 && fabs(priors.log_p[1][1] - usual.log_p[1][1]) < 1e-9);
}
