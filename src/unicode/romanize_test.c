#include "unicode/romanize.h"

#include "test.h"

static void check(dpl__romanizer *r, const char *word, const char *expected)
{
    char letters[DPL__ROMANIZED];
    dpl_str out = {letters, dpl__romanize(r, letters, dpl__cstr(word))};
    CHECK_STR(out, expected);
}

DPL_TEST(romanize, scripts_become_letters)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__romanizer *r = NULL;
    CHECK_OK(dpl__romanizer_new(&r, ctx, &test_err));
    check(r, "Paul", "paul");
    check(r, "Móse", "mose");
    check(r, "Павло", "pavlo");
    check(r, "ペテロ", "petero");
    check(r, "保罗", "baoluo");
    check(r, "Ἰάκωβος", "iakobos");
    check(r, "don't", "dont");
    check(r, "", "");
    dpl__romanizer_free(r);
    dpl__romanizer_free(NULL);
    test_ctx_done(ctx);
}

DPL_TEST(romanize, digits_of_any_script_are_digits)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__romanizer *r = NULL;
    CHECK_OK(dpl__romanizer_new(&r, ctx, &test_err));
    check(r, "١٩٨٤", "1984");
    check(r, "१९८४", "1984");
    check(r, "v2", "v2");
    dpl__romanizer_free(r);
    test_ctx_done(ctx);
}

/* Scripts that ICU has no rules for: the names of letters say how they sound. */
DPL_TEST(romanize, other_scripts_go_by_the_names_of_letters)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__romanizer *r = NULL;
    CHECK_OK(dpl__romanizer_new(&r, ctx, &test_err));
    check(r, "ꯀꯃ", "km");   /* Meetei Mayek KOK, MIT */
    check(r, "ᏓᎳ", "dala"); /* Cherokee DA, LA */
    dpl__romanizer_free(r);
    test_ctx_done(ctx);
}

DPL_TEST(romanize, long_words_are_cut)
{
    char word[300], letters[DPL__ROMANIZED];
    memset(word, 'a', sizeof word);
    dpl_ctx *ctx = test_ctx(1);
    dpl__romanizer *r = NULL;
    CHECK_OK(dpl__romanizer_new(&r, ctx, &test_err));
    CHECK_EQ(dpl__romanize(r, letters, (dpl_str){word, sizeof word}), DPL__ROMANIZED);
    dpl__romanizer_free(r);
    test_ctx_done(ctx);
}
