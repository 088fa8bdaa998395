/*
 * Parts with right checksums that none of our programs wrote: what would end up in rows of text
 * is refused. And scores as text.
 */
#include "doppel/pairs.h"

#include "base/hash.h"
#include "pairs/pairs_part_counts.h"
#include "test.h"
#include "tokens/forge_test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- scores as text ------------------------------------------------------------------- */

DPL_TEST(score_text, is_that_of_printf_for_every_score)
{
    dpl__rng rng = {77};
    char text[DPL_SCORE_TEXT], want[64];
    for (int i = 0; i < 200000; i++) {
        const float share = (float)dpl__rng_below(&rng, 1 << 24) / (float)(1 << 24);
        const float tie = (float)dpl__rng_below(&rng, 12800) / 128;
        const double scores[] = {(double)share, (double)tie, -(double)share,
                                 1000 * (double)tie};
        for (size_t k = 0; k < sizeof scores / sizeof *scores; k++) {
            snprintf(want, sizeof want, "%.6f", scores[k]);
            CHECK_EQ(dpl_score_text(text, scores[k]), strlen(want));
            CHECK(strcmp(text, want) == 0);
        }
    }
}

DPL_TEST(score_text, fits_into_its_bytes_whatever_the_number)
{
    const double scores[] = {1e12, 1e30, FLT_MAX, DBL_MAX, HUGE_VAL, -HUGE_VAL, NAN, -1e13};
    char text[DPL_SCORE_TEXT];
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++) {
        memset(text, 'x', sizeof text);
        const size_t n = dpl_score_text(text, scores[i]);
        CHECK(n < sizeof text && text[n] == 0 && strlen(text) == n);
    }
}

/* ---- forged parts --------------------------------------------------------------------- */

enum { N_DOCS = 6 };

static dpl_vectors *make_vectors(dpl_ctx *ctx)
{
    const char *docs = test_path("docs.jsonl");
    char collection[600], path[600];
    FILE *f = fopen(docs, "w");
    CHECK(f != NULL);
    for (int i = 0; i < N_DOCS; i++)
        fprintf(f,
                "{\"id\":\"id%d\",\"lang\":\"en\",\"text\":\"river bank stone bridge w%d\"}\n",
                i, i % 3);
    fclose(f);
    snprintf(collection, sizeof collection, "%s.c.dpl", docs);
    snprintf(path, sizeof path, "%s.v.dpl", docs);
    CHECK_OK(dpl_import(NULL, ctx, collection, &docs, 1, NULL, &test_err));
    dpl_collection *c = NULL;
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, collection, &test_err));
    const dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .min_terms = 1);
    CHECK_OK(dpl_vectors_make(NULL, ctx, path, c, NULL, &o, &test_err));
    dpl_collection_close(c);
    CHECK_OK(dpl_vectors_open(&v, ctx, path, &test_err));
    return v;
}

static const char *make_part(dpl_ctx *ctx)
{
    static char path[600];
    dpl_vectors *v = make_vectors(ctx);
    const dpl_pairs_side side = {.vectors = v};
    const dpl_part part = {0, 1};
    const dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT, .threshold = 0.01);
    snprintf(path, sizeof path, "%s", test_path("part.dpl"));
    CHECK_OK(dpl_pairs_part(NULL, ctx, path, &side, &side, &part, &o, &test_err));
    dpl_vectors_close(v);
    return path;
}

/* What is refused here is refused when the part is checked alone, too. */
static dpl_status merge(dpl_ctx *ctx, const char *path)
{
    dpl_parts *parts = NULL;
    dpl_pairs *pairs = NULL;
    const dpl_status alone = dpl_pairs_check_part(ctx, path, NULL);
    CHECK_OK(dpl_parts_open(&parts, ctx, &path, 1, &test_err));
    const dpl_status status = dpl_pairs_merge_open(&pairs, parts, NULL, &test_err);
    dpl_pairs_close(pairs);
    dpl_parts_close(parts);
    CHECK_EQ(alone, status);
    return status;
}

/* The part with the bytes of one section changed; bytes behind it are dropped where n_new is
 * less than what it has. */
static dpl_status merge_forged(dpl_ctx *ctx, const char *path, const char *section, size_t at,
                               const void *bytes, size_t n)
{
    char data[4096];
    dpl_file *f = NULL;
    dpl_section s;
    CHECK_OK(dpl_file_open(&f, ctx, path, &test_err));
    CHECK(dpl_file_find(f, section, &s) && s.n_bytes <= sizeof data && at + n <= s.n_bytes);
    memcpy(data, s.data, s.n_bytes);
    const size_t n_all = s.n_bytes;
    dpl_file_close(f);
    memcpy(data + at, bytes, n);
    return merge(ctx, test_forge(ctx, path, section, data, n_all));
}

DPL_TEST(pairs_merge, scores_out_of_range_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_part(ctx);
    const float bad[] = {-1, 2, 1e30f, NAN, HUGE_VALF, -0.01f}, good = 0.25f;
    CHECK_OK(merge(ctx, path));
    CHECK_OK(merge_forged(ctx, path, "pairs", 8, &good, sizeof good));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_EQ(merge_forged(ctx, path, "pairs", 8, &bad[i], sizeof bad[i]), DPL_E_FORMAT);
        CHECK(strstr(test_err.text, "a score is not in 0 to 1") != NULL);
    }
    test_ctx_done(ctx);
}

DPL_TEST(pairs_merge, ids_that_break_rows_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = make_part(ctx);
    const char *const sides[] = {"left.bytes", "right.bytes"};
    const char *const bad[] = {"\t", "\n", "\033", "\177", "\r", "\xff"};
    for (size_t side = 0; side < 2; side++) {
        CHECK_OK(merge_forged(ctx, path, sides[side], 1, "D", 1));
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            CHECK_EQ(merge_forged(ctx, path, sides[side], 1, bad[i], 1), DPL_E_FORMAT);
        CHECK_EQ(merge_forged(ctx, path, sides[side], 0, "id1", 3), DPL_E_FORMAT);
        CHECK(strstr(test_err.text, "twice") != NULL);
    }
    const uint32_t row = 1; /* of two rows, so that row 0 has no id */
    CHECK_EQ(merge_forged(ctx, path, "left.rows", 0, &row, sizeof row), DPL_E_FORMAT);
    test_ctx_done(ctx);
}

DPL_TEST(pairs_merge, numbers_of_rows_that_do_not_fit_into_memory_are_refused)
{
    dpl_ctx *all = test_ctx(1), *ctx = NULL;
    const char *path = make_part(all);
    const uint64_t many[] = {UINT32_MAX - 2, UINT32_MAX - 2};
    const dpl_job_options o = DPL_INIT(dpl_job_options, .memory = 64 << 20);
    CHECK_OK(dpl_job_new(&ctx, all, &o, &test_err));
    CHECK_OK(merge(ctx, path));
    CHECK_EQ(
        merge_forged(ctx, path, "counts", DPL__PAIRS_N_LEFT * sizeof *many, many, sizeof many),
        DPL_E_LIMIT);
    CHECK(dpl_ctx_peak(ctx) < 32 << 20);
    dpl_ctx_free(ctx);
    test_ctx_done(all);
}
