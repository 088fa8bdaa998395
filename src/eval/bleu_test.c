#include "eval/bleu_words.h"

#include "base/hash.h"
#include "doppel/eval.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

/* ---- helpers ------------------------------------------------------------------------ */

static const char *file(const char *name, const char *text)
{
    return test_write(name, text, strlen(text));
}

static dpl_eval_bleu score(const char *translated, const char *reference, bool is_lowercase)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_eval_bleu b = DPL_INIT(dpl_eval_bleu);
    const char *references[] = {file("reference", reference)};
    dpl_bleu_input in =
        DPL_INIT(dpl_bleu_input, .translation_path = file("translated", translated),
                 .reference_paths = references, .n_references = 1);
    dpl_eval_bleu_options o = DPL_INIT(dpl_eval_bleu_options, .lowercase = is_lowercase);
    CHECK_OK(dpl_eval_bleu_run(&b, ctx, &in, &o, &test_err));
    test_ctx_done(ctx);
    return b;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 5e-7;
}

/* ---- words -------------------------------------------------------------------------- */

/* What sacrebleu 2.6.0's Tokenizer13a makes of them. */
static const char *const tokenized[][2] = {
    {"&quot;hi&quot; &amp;lt; a", "\" hi \" < a"},
    {"1,000.5-3 a.b ..., x.,y 5. 5, .5 -7 8-9",
     "1,000.5 - 3 a . b . . . , x . , y 5 . 5 , . 5 -7 8 - 9"},
    {"é.ü,1 ... \xC2\xA0x\xE3\x80\x80y \xE2\x80\x89z", "é . ü , 1 . . . x y z"},
    {"<skipped>foo <b> it's well-known", "foo < b > it's well-known"},
    {"$5.00 100% (a+b)*c=d/e [x]{y}~^_`|\\",
     "$ 5.00 100 % ( a + b ) * c = d / e [ x ] { y } ~ ^ _ ` | \\"},
    {"\"A\" said: \"b\"?! 3--4 1-a ,, ,1", "\" A \" said : \" b \" ? ! 3 - -4 1 - a , , , 1"},
    {"", ""},
    {" \t ", ""},
};

DPL_TEST(bleu, words_are_those_of_sacrebleu)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__bleu_words w = {.ctx = ctx};
    for (size_t i = 0; i < DPL_LEN(tokenized); i++) {
        dpl_str text;
        CHECK_OK(dpl__bleu_words_text(&text, &w, dpl__cstr(tokenized[i][0]), &test_err));
        CHECK(dpl__str_eq(text, dpl__cstr(tokenized[i][1])));
    }
    dpl__bleu_words_clear(&w);
    test_ctx_done(ctx);
}

/* ---- scores ------------------------------------------------------------------------- */

static const char translated[] = "The cat sat on the mat.\n"
                                 "it is a Guide to action which ensures that the military "
                                 "always obeys the commands of the party\n"
                                 "He paid 1,000.50 dollars - \"quickly\".\n";
static const char reference[] = "The cat is on the mat.\n"
                                "It is a guide to action that ensures that the military will "
                                "forever heed Party commands\n"
                                "He paid 1,000.50 dollars \"very quickly\".\n";

/* sacrebleu 2.6.0: REF -i HYP -b -w 6, with -lc */
DPL_TEST(bleu, scores_are_those_of_sacrebleu)
{
    CHECK(is_near(score(translated, reference, false).bleu, 30.940985));
    CHECK(is_near(score(translated, reference, true).bleu, 44.591994));
}

DPL_TEST(bleu, where_nothing_matches_precisions_are_halved)
{
    dpl_eval_bleu b = score("a b c d x y\n", "d c b a\n", false);
    CHECK_EQ(b.n_matching[0], 4);
    CHECK(is_near(b.precision[0], 4 / 6.0) && is_near(b.precision[1], 1 / 10.0) &&
          is_near(b.precision[2], 1 / 16.0) && is_near(b.precision[3], 1 / 24.0));
    CHECK(is_near(b.brevity, 1));
    CHECK(is_near(b.bleu, 100 * pow(4 / 6.0 / 10 / 16 / 24, 0.25)));
}

DPL_TEST(bleu, nothing_in_common_or_no_four_words_is_zero)
{
    CHECK_EQ(score("a b c d e\n", "f g h i j\n", false).bleu == 0, true);
    CHECK_EQ(score("a b c\n", "a b c\n", false).bleu == 0, true);
    CHECK_EQ(score("", "", false).bleu == 0, true);
    CHECK_EQ(score("\n", "a b c d\n", false).brevity == 0, true);
}

DPL_TEST(bleu, short_translations_are_penalised_and_long_ones_are_not)
{
    dpl_eval_bleu b = score("a b c d\n", "a b c d e f\n", false);
    CHECK(is_near(b.brevity, exp(1 - 6 / 4.0)) && is_near(b.bleu, 100 * b.brevity));
    b = score("a b c d e f\n", "a b c d\n", false);
    CHECK(is_near(b.brevity, 1));
    CHECK(is_near(b.bleu, 100 * pow(4 / 6.0 * 3 / 5.0 * 2 / 4.0 * 1 / 3.0, 0.25)));
}

DPL_TEST(bleu, a_repeated_word_matches_as_often_as_in_the_reference_with_most)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_str translation[] = {DPL_STR("the the the the")};
    const dpl_str first[] = {DPL_STR("the cat is on the mat")}, second[] = {DPL_STR("the end")};
    const dpl_str *const references[] = {second, first};
    dpl_bleu_input in = DPL_INIT(dpl_bleu_input, .translations = translation,
                                 .references = references, .n_references = 2, .n_rows = 1);
    dpl_eval_bleu b = DPL_INIT(dpl_eval_bleu);
    CHECK_OK(dpl_eval_bleu_run(&b, ctx, &in, NULL, &test_err));
    CHECK_EQ(b.n_matching[0], 2);
    CHECK_EQ(b.n_ngrams[0], 4);
    CHECK_EQ(b.n_reference_words, 2); /* 2 and 6 words are as near to 4: the shorter one */
    test_ctx_done(ctx);
}

DPL_TEST(bleu, a_text_against_itself_is_perfect_from_files_and_arrays)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_eval_bleu b = score(reference, reference, false);
    CHECK(is_near(b.bleu, 100));
    const dpl_str rows[] = {DPL_STR("The cat is on the mat."), DPL_STR("a b c d")};
    const dpl_str *const references[] = {rows};
    dpl_bleu_input in = DPL_INIT(dpl_bleu_input, .translations = rows, .references = references,
                                 .n_references = 1, .n_rows = 2);
    CHECK_OK(dpl_eval_bleu_run(&b, ctx, &in, NULL, &test_err));
    CHECK(is_near(b.bleu, 100));
    test_ctx_done(ctx);
}

DPL_TEST(bleu, files_of_different_lengths_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *references[] = {file("reference", "a\n")};
    dpl_bleu_input in =
        DPL_INIT(dpl_bleu_input, .translation_path = file("translated", "a\nb\n"),
                 .reference_paths = references, .n_references = 1);
    dpl_eval_bleu b = DPL_INIT(dpl_eval_bleu);
    CHECK_EQ(dpl_eval_bleu_run(&b, ctx, &in, NULL, &test_err), DPL_E_FORMAT);
    CHECK(strstr(test_err.text, "reference' ends after line 1"));
    in.n_references = 0;
    CHECK_EQ(dpl_eval_bleu_run(&b, ctx, &in, NULL, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}
