#include "mine/final_pairs.h"

#include "test.h"

#include <math.h>

/* Rounds that found n candidates, the i-th with confidence i / n, and far before others. */
static void make_rounds(dpl__rounds *r, dpl_ctx *ctx, const dpl__unit *unit, uint32_t n)
{
    *r = (dpl__rounds){.unit = unit, .found = {.aligned = 0.9, .likely = 0.5}};
    for (uint32_t i = 0; i < n; i++) {
        dpl__doc_candidate c = {
            .docs = {i, n - i}, .match.lead = {3, 4}, .confidence = (double)i / n};
        CHECK(dpl__vec_push(ctx, &r->found.pairs, c));
    }
}

DPL_TEST(final_pairs, likely_candidates_are_taken_and_the_rounds_stay_as_they_are)
{
    enum { N = 200 };
    dpl_ctx *ctx = test_ctx(1);
    const dpl_mine_options options = {.confidence = 0.75};
    const dpl__comparable p = {.ctx = ctx, .n_docs = {N, N}, .options = &options};
    dpl__rounds r;
    dpl__final_pairs f = {0};
    make_rounds(&r, ctx, &dpl__unit_document, N);
    CHECK_OK(dpl__final_pairs_select(&f, &r, &p, &test_err));
    CHECK_EQ(f.docs.n, N / 4);
    CHECK_EQ(f.found.pairs.n, f.docs.n);
    for (size_t i = 0; i < f.docs.n; i++)
        CHECK(f.docs.data[i].left == f.found.pairs.data[i].docs.left &&
              f.found.pairs.data[i].confidence >= 0.75);
    CHECK_EQ(r.found.pairs.n, N);
    CHECK(r.found.pairs.data[0].docs.left == 0);
    const dpl__estimates *e = &f.estimates;
    CHECK(e->precision.low < 0.8725 && e->precision.high > 0.8725); /* mean of those taken */
    CHECK(e->recall.low < 0.4 && e->recall.high > 0.4);             /* 43.6 of 99.5 */
    CHECK(!e->why_none);
    dpl__final_pairs_clear(&f, &p);
    dpl__doc_candidates_clear(&r.found, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(final_pairs, of_few_pairs_nothing_is_estimated)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_mine_options options = {.confidence = 0.5};
    const dpl__comparable p = {.ctx = ctx, .n_docs = {1000, 1000}, .options = &options};
    dpl__rounds r;
    dpl__final_pairs f = {0};
    make_rounds(&r, ctx, &dpl__unit_document, 4);
    CHECK_OK(dpl__final_pairs_select(&f, &r, &p, &test_err));
    CHECK_EQ(f.docs.n, 2);
    CHECK(isnan(f.estimates.precision.value) && isnan(f.estimates.recall.value) &&
          f.estimates.why_none);
    dpl__final_pairs_clear(&f, &p);
    dpl__doc_candidates_clear(&r.found, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(final_pairs, close_rivals_of_pairs_say_that_others_were_not_found)
{
    enum { N = 200 };
    dpl_ctx *ctx = test_ctx(1);
    const dpl_mine_options options = {.confidence = 0.5};
    const dpl__comparable p = {.ctx = ctx, .n_docs = {10 * N, 10 * N}, .options = &options};
    const dpl__unit *const units[2] = {&dpl__unit_document, &dpl__unit_passage};
    for (int kind = 0; kind < 2; kind++) {
        double before = 1;
        for (uint32_t close = 0; close < 4; close++) { /* of ten pairs */
            dpl__rounds r;
            dpl__final_pairs f = {0};
            make_rounds(&r, ctx, units[kind], N);
            for (uint32_t i = 0; i < N; i++)
                if (i % 10 < close)
                    r.found.pairs.data[i].match.lead[i % 2] = 1.1f;
            CHECK_OK(dpl__final_pairs_select(&f, &r, &p, &test_err));
            CHECK_EQ(f.docs.n, N / 2);
            CHECK(f.estimates.recall.value < before);
            before = f.estimates.recall.value;
            dpl__final_pairs_clear(&f, &p);
            dpl__doc_candidates_clear(&r.found, ctx);
        }
        CHECK(before < 0.65 && before > 0.3); /* 0.75 where no rival is close */
    }
    test_ctx_done(ctx);
}

DPL_TEST(final_pairs, as_many_as_are_wrong_by_a_share_are_taken)
{
    enum { N = 200 };
    dpl_ctx *ctx = test_ctx(1);
    const dpl_mine_options options = {.confidence = 0.5, .fdr = 0.2};
    const dpl__comparable p = {.ctx = ctx, .n_docs = {N, N}, .options = &options};
    dpl__rounds r;
    dpl__final_pairs f = {0};
    make_rounds(&r, ctx, &dpl__unit_document, N);
    CHECK_OK(dpl__final_pairs_select(&f, &r, &p, &test_err));
    /* of the best n the mean confidence is 1 - (n + 1) / 2N; the interval may have 40 % wrong
     */
    const double n = (double)f.docs.n;
    CHECK(n > 40 && n < 79);
    CHECK(f.estimates.precision.value >= 0.8 && f.estimates.precision.low > 0.59 &&
          f.estimates.precision.low < 0.61);
    CHECK(fabs(f.least - (N - n) / N) < 1e-9);
    dpl__final_pairs_clear(&f, &p);
    dpl__doc_candidates_clear(&r.found, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(final_pairs, a_cut_that_was_not_asked_for_has_a_reason)
{
    static const struct {
        double asked, fdr, likely, least;
    } runs[] = {{0.5, 0, 0.5, 0.5}, {0.5, 0, 0.3, 0.3}, {0.6, 0, 0.3, 0.6}, {0.5, 0.2, 0.5, 0}};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(runs); i++) {
        const dpl_mine_options options = {.confidence = runs[i].asked, .fdr = runs[i].fdr};
        const dpl__comparable p = {.ctx = ctx, .n_docs = {200, 200}, .options = &options};
        dpl__rounds r;
        dpl__final_pairs f = {0};
        make_rounds(&r, ctx, &dpl__unit_document, 200);
        r.found.likely = runs[i].likely;
        CHECK_OK(dpl__final_pairs_select(&f, &r, &p, &test_err));
        CHECK(runs[i].fdr > 0 || fabs(f.least - runs[i].least) < 1e-9);
        CHECK(!f.why_cut == (i == 0 || i == 2));
        dpl__final_pairs_clear(&f, &p);
        dpl__doc_candidates_clear(&r.found, ctx);
    }
    test_ctx_done(ctx);
}

DPL_TEST(final_pairs, few_documents_need_evidence_and_no_aligned_text)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_mine_options options = {.confidence = 0.5};
    const dpl__comparable p = {.ctx = ctx, .n_docs = {100, 100}, .options = &options};
    for (int kind = 0; kind < 4; kind++) {
        dpl__rounds r;
        dpl__final_pairs f = {0};
        make_rounds(&r, ctx, &dpl__unit_passage, 20);
        r.found.has_few_docs = true;
        r.found.evidence = kind & 1 ? 20 : 2;
        r.found.aligned = kind & 2 ? 0.9 : 0.3;
        CHECK_OK(dpl__final_pairs_select(&f, &r, &p, &test_err));
        CHECK(f.is_chance == !(kind & 1));
        CHECK_EQ(f.docs.n, f.is_chance ? 0 : 10);
        dpl__final_pairs_clear(&f, &p);
        dpl__doc_candidates_clear(&r.found, ctx);
    }
    test_ctx_done(ctx);
}

DPL_TEST(final_pairs, what_unrelated_sides_give_is_nothing)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_mine_options options = {.confidence = 0.5};
    const dpl__comparable p = {.ctx = ctx, .n_docs = {100, 100}, .options = &options};
    dpl__rounds r;
    for (int kind = 0; kind < 3; kind++) { /* many pairs, hardly aligned ones, few */
        dpl__final_pairs f = {0};
        make_rounds(&r, ctx, &dpl__unit_document, kind == 0 ? 200 : kind == 1 ? 20 : 3);
        r.found.aligned = kind == 2 ? 0.9 : 0.3;
        r.found.has_few = kind == 2;
        CHECK_OK(dpl__final_pairs_select(&f, &r, &p, &test_err));
        CHECK_EQ(f.docs.n, kind == 0 ? 100 : 0);
        CHECK_EQ(f.found.pairs.n, f.docs.n);
        CHECK(f.is_chance == (kind > 0) && (kind == 0 || !f.estimates.verdict[0]));
        dpl__final_pairs_clear(&f, &p);
        dpl__doc_candidates_clear(&r.found, ctx);
    }
    test_ctx_done(ctx);
}
