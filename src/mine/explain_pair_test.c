#include "doppel/mine.h"

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *sample(const char *name)
{
    static char paths[4][300];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/examples/sample/%s", DPL_TEST_SOURCE, name);
    return path;
}

static dpl_str text(const char *s)
{
    return (dpl_str){s, strlen(s)};
}

static bool is(dpl_str s, const char *expected)
{
    return s.n == strlen(expected) && memcmp(s.data, expected, s.n) == 0;
}

DPL_TEST(pair_reasons, a_pair_is_explained_by_its_words_and_sentences)
{
    dpl_ctx *ctx = test_ctx(2);
    char dir[600];
    snprintf(dir, sizeof dir, "%s/out", test_dir());
    const dpl_input in[2] = {{.path = sample("de.jsonl")}, {.path = sample("en.jsonl")}};
    CHECK_OK(dpl_mine(NULL, ctx, dir, in, 2, NULL, &test_err));
    dpl_pair_reasons *r = NULL;
    CHECK_OK(dpl_pair_reasons_open(&r, ctx, dir, text("de-0001"), text("en-0050"), &test_err));
    const dpl_pair_reasons_summary *s = dpl_pair_reasons_get_summary(r);
    CHECK(s->is_pair && s->confidence > 0.5 && s->has_vectors && s->cosine > 0.3);
    CHECK(s->rivals[0].rank == 1 && s->rivals[1].rank == 1);
    CHECK(s->rivals[0].id.n && s->rivals[0].cosine < s->cosine);
    CHECK(s->n_aligned[0] > s->n_sentences[0] / 2 && s->n_aligned[1] <= s->n_sentences[1]);
    double sum = 0;
    bool has_millimetres = false;
    for (size_t i = 0; i < s->n_terms; i++) {
        has_millimetres |= is(dpl_pair_reasons_get_term(r, i).term, "millimetr") &&
                           is(s->words[0][i], "Millimeter") &&
                           is(s->words[1][i], "millimetres");
        const double weight = dpl_pair_reasons_get_term(r, i).weight;
        CHECK(weight > 0 && (!i || weight <= dpl_pair_reasons_get_term(r, i - 1).weight));
        sum += weight;
    }
    CHECK(has_millimetres); /* words of the texts, not stems */
    CHECK(s->n_terms == DPL_REASON_TERMS && sum < s->cosine && sum > 0.5 * s->cosine);
    dpl_pair_reasons_close(r);
    /* no pair: the partners are what came before */
    CHECK_OK(dpl_pair_reasons_open(&r, ctx, dir, text("de-0001"), text("en-0001"), &test_err));
    s = dpl_pair_reasons_get_summary(r);
    CHECK(!s->is_pair && s->rivals[0].rank > 1 && is(s->rivals[0].id, "en-0050"));
    dpl_pair_reasons_close(r);
    CHECK_EQ(dpl_pair_reasons_open(&r, ctx, dir, text("x"), text("en-0001"), &test_err),
             DPL_E_USAGE);
    CHECK(!r && strcmp(test_err.code, "no-such-document") == 0);
    CHECK_EQ(dpl_pair_reasons_open(&r, ctx, test_dir(), text("x"), text("y"), &test_err),
             DPL_E_USAGE);
    CHECK(!r && strcmp(test_err.code, "no-work-files") == 0);
    test_ctx_done(ctx);
}

/* Both files, one behind the other, with other ids in the second one. */
static const char *join_samples(const char *name, const char *first, const char *second)
{
    size_t n[2], n_kept = 0;
    char *texts[2] = {test_read(sample(first), &n[0]), test_read(sample(second), &n[1])},
         *all = malloc(n[0] + n[1] + 1);
    CHECK(all != NULL);
    memcpy(all, texts[0], n[0]);
    for (int lines = 0; lines < 40; n_kept++)
        lines += texts[1][n_kept] == '\n';
    memcpy(all + n[0], texts[1], n_kept);
    all[n[0] + n_kept] = 0;
    for (char *at = all + n[0]; (at = strstr(at, "\"id\":\"en-")) != NULL;)
        at[6] = 'x';
    const char *path = test_write(name, all, n[0] + n_kept);
    free(texts[0]);
    free(texts[1]);
    free(all);
    return path;
}

/* English pages of the German side, which are the nearest of all, took no part. */
DPL_TEST(pair_reasons, rivals_are_documents_that_took_part)
{
    dpl_ctx *ctx = test_ctx(2);
    char dir[600], left[600];
    snprintf(dir, sizeof dir, "%s", test_path("out"));
    snprintf(left, sizeof left, "%s", join_samples("left.jsonl", "de.jsonl", "en.jsonl"));
    const dpl_input in[2] = {{.path = left}, {.path = sample("en.jsonl")}};
    dpl_mine_result *found = NULL;
    CHECK_OK(dpl_mine(&found, ctx, dir, in, 2, NULL, &test_err));
    CHECK_EQ(dpl_mine_get_summary(found)->runs[0]->n_other_language[0], 40);
    dpl_mine_result_free(found);
    CHECK(access(test_path("out/work/left-own.dpl"), F_OK) == 0);
    CHECK(access(test_path("out/work/left-clean.dpl"), F_OK) != 0);
    dpl_pair_reasons *r = NULL;
    CHECK_OK(dpl_pair_reasons_open(&r, ctx, dir, text("de-0001"), text("en-0050"), &test_err));
    const dpl_pair_reasons_summary *s = dpl_pair_reasons_get_summary(r);
    CHECK(s->is_pair && s->rivals[1].rank == 1 && strncmp(s->rivals[1].id.data, "de-", 3) == 0);
    dpl_pair_reasons_close(r);
    CHECK_EQ(dpl_pair_reasons_open(&r, ctx, dir, text("xn-0001"), text("en-0050"), &test_err),
             DPL_E_USAGE);
    CHECK(!r && strcmp(test_err.code, "no-such-document") == 0);
    test_ctx_done(ctx);
}
