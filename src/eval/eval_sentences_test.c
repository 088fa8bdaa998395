#include "doppel/eval.h"

#include "test.h"

#include <math.h>

static const char *file(const char *name, const char *text)
{
    return test_write(name, text, strlen(text));
}

static dpl_eval_sentences eval(const char *gold, const char *found)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_eval_sentences e = DPL_INIT(dpl_eval_sentences);
    const char *golds[] = {file("gold", gold)}, *founds[] = {file("found", found)};
    CHECK_OK(dpl_eval_sentences_run(&e, ctx, golds, founds, 1, &test_err));
    test_ctx_done(ctx);
    return e;
}

static bool is_about(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

DPL_TEST(eval_sentences, strict_beads_are_the_same_lax_ones_overlap)
{
    /* right: 0-0, and 4 alone; near: 1,2 beside 1; neither: 3 beside 9 */
    dpl_eval_sentences e =
        eval("[0]:[0]\n[1]:[1]\n[2]:[2]\n[3]:[3]\n[4]:[]\n[]:[4]\n",
             "[0]:[0]:0.1\n[1, 2]:[1]:0.3\n[]:[2]:0\n[3]:[9]:0.5\n[4]:[]:0\n");
    CHECK_EQ(e.n_gold, 6);
    CHECK_EQ(e.n_found, 5);
    CHECK_EQ(e.n_right, 2);
    CHECK_EQ(e.n_near, 3);
    CHECK_EQ(e.n_gold_both, 4);
    CHECK_EQ(e.n_gold_right, 1);
    CHECK_EQ(e.n_gold_near, 2);
    CHECK(is_about(e.precision, 2.0 / 5) && is_about(e.recall, 1.0 / 4));
    CHECK(is_about(e.f1, 4.0 / 13));
    CHECK(is_about(e.lax_precision, 3.0 / 5) && is_about(e.lax_recall, 2.0 / 4));
    CHECK(is_about(e.lax_f1, 6.0 / 11));
}

DPL_TEST(eval_sentences, all_right_is_one)
{
    const char *text = "[0,1]:[0]\n[]:[1]\n[2]:[2,3]\n";
    dpl_eval_sentences e = eval(text, text);
    CHECK(is_about(e.f1, 1) && is_about(e.lax_f1, 1));
    e = eval("", "");
    CHECK(is_about(e.f1, 0) && is_about(e.lax_f1, 0));
}

DPL_TEST(eval_sentences, beads_count_once_and_empty_ones_do_not)
{
    dpl_eval_sentences e = eval("[0]:[0]\n\n[]:[]\n[0]:[0]\n", "[0]:[0]\n[0]:[0]:7:x\n[]:[]\n");
    CHECK_EQ(e.n_gold, 1);
    CHECK_EQ(e.n_found, 1);
    CHECK(is_about(e.f1, 1));
}

DPL_TEST(eval_sentences, a_ladder_says_the_same)
{
    dpl_eval_sentences e = eval("[0]:[0]\n[1,2]:[1]\n[3]:[]\n[]:[2]\n[4]:[3]\n",
                                "0\t0\t0.3\n1\t1\t0.5\n3\t2\t0\n4\t2\t0\n4\t3\t0\n5\t4\t0\n");
    CHECK_EQ(e.n_found, 5);
    CHECK_EQ(e.n_right, 5);
    CHECK(is_about(e.f1, 1));
}

DPL_TEST(eval_sentences, files_add_up)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_eval_sentences e = DPL_INIT(dpl_eval_sentences);
    const char *golds[] = {file("g1", "[0]:[0]\n"), file("g2", "[0]:[0]\n[1]:[1]\n")};
    const char *founds[] = {file("f1", "[0]:[0]\n"), file("f2", "[0]:[1]\n")};
    CHECK_OK(dpl_eval_sentences_run(&e, ctx, golds, founds, 2, &test_err));
    CHECK_EQ(e.n_gold, 3);
    CHECK_EQ(e.n_found, 2);
    CHECK_EQ(e.n_right, 1);
    CHECK_EQ(e.n_gold_right, 1);
    test_ctx_done(ctx);
}

static void check_bad(const char *text, uint64_t line)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_eval_sentences e = DPL_INIT(dpl_eval_sentences);
    dpl_error err = {0};
    const char *golds[] = {file("gold", "[0]:[0]\n")}, *founds[] = {file("found", text)};
    CHECK_EQ(dpl_eval_sentences_run(&e, ctx, golds, founds, 1, &err), DPL_E_FORMAT);
    CHECK_EQ(err.line, line);
    test_ctx_done(ctx);
}

DPL_TEST(eval_sentences, what_cannot_be_read_is_an_error)
{
    check_bad("[0]:[0]\n[1]\n", 2);
    check_bad("[0:[0]\n", 1);
    check_bad("[0]:[0]x\n", 1);
    check_bad("[a]:[0]\n", 1);
    check_bad("[0,]:[0]\n", 1);
    check_bad("0\t0\n1\n", 2);
    check_bad("3\t3\n2\t4\n", 2);
    check_bad("x\n", 1);
}

static dpl_status body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const char *const *paths = user;
    dpl_eval_sentences e = DPL_INIT(dpl_eval_sentences);
    return dpl_eval_sentences_run(&e, ctx, &paths[0], &paths[1], 1, err);
}

DPL_TEST(eval_sentences, every_failed_allocation_is_reported)
{
    const char *paths[] = {file("gold", "[0]:[0]\n[1]:[1,2]\n"), file("found", "0\t0\n1\t1\n")};
    test_allocation_failures(body, paths);
}

DPL_TEST(eval_sentences, beads_larger_than_the_memory_are_refused)
{
    static const char *const texts[] = {"0\t0\n1000000000\t1000000000\n",
                                        "0\t0\n30000\t30000\n"}; /* 9e8 links */
    for (size_t i = 0; i < DPL_LEN(texts); i++) {
        dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 32 << 20);
        dpl_ctx *ctx = NULL;
        CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
        const char *path = file("ladder", texts[i]);
        dpl_eval_sentences e = DPL_INIT(dpl_eval_sentences);
        CHECK_EQ(dpl_eval_sentences_run(&e, ctx, &path, &path, 1, &test_err), DPL_E_LIMIT);
        CHECK_STR(dpl__cstr(test_err.code), "memory");
        CHECK(dpl_ctx_peak(ctx) <= 32 << 20);
        test_ctx_done(ctx);
    }
}
