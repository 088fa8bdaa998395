#include "tokens/fold.h"

#include "test.h"
#include "unicode/unicode.h"

#include <stdio.h>

/* ---- one word --------------------------------------------------------------------------- */

static dpl__folder *folder(dpl_ctx *ctx, const dpl_tokens_options *options, const char *lang)
{
    dpl__folder *f = NULL;
    CHECK_OK(dpl__folder_new(&f, ctx, options, &test_err));
    CHECK_OK(dpl__folder_language(f, lang, &test_err));
    return f;
}

/* Words and their terms, up to NULL. */
static void check_folds(const dpl_tokens_options *options, const char *lang,
                        const char *const pairs[][2])
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__folder *f = folder(ctx, options, lang);
    for (; (*pairs)[0]; pairs++) {
        dpl_str term;
        CHECK_OK(dpl__fold(f, dpl__cstr((*pairs)[0]), &term, &test_err));
        CHECK_STR(term, (*pairs)[1]);
    }
    dpl__folder_free(f);
    test_ctx_done(ctx);
}

DPL_TEST(fold, makes_small_letters_in_nfc)
{
    static const char *const pairs[][2] = {
        {"", ""},
        {"@AZ[`az{", "@az[`az{"}, /* what stands beside the letters stays */
        {"A", "a"},
        {"aZ09_", "az09_"},
        {"ÄÖÜ", "äöü"},
        {"E\xCC\x81T\xC3\x89", "été"}, /* a mark apart, and one letter with it */
        {"STRAẞE", "strasse"},
        {"ﬁn", "fin"},
        {"ΣΑΣ", "σασ"},
        {"\xC7\x85", "\xC7\x86"},
        {"ΐ", "ΐ"}, /* folding makes six bytes of two, NFC two again */
        {"\xCE\x90\xCE\x90\xCE\x90", "\xCE\x90\xCE\x90\xCE\x90"},
        {NULL, NULL}};
    check_folds(NULL, "en", pairs);
    check_folds(NULL, "und", pairs);
}

DPL_TEST(fold, drops_soft_hyphens_and_makes_apostrophes_plain)
{
    static const char *const pairs[][2] = {
        {"co\xC2\xADop\xC2\xAD", "coop"},
        {"\xC2\xAD", ""},
        {"\xC2\xA9\xC2\xAE", "\xC2\xA9\xC2\xAE"}, /* the same first byte */
        {"\xC3\xAD", "\xC3\xAD"},                 /* the same second one */
        {"don\xE2\x80\x99t", "don't"},
        {"\xE2\x80\x99", "'"},
        {"\xE2\x80\x98q\xE2\x80\x9A", "\xE2\x80\x98q\xE2\x80\x9A"},
        {"\xE2\x81\x99", "\xE2\x81\x99"},
        {"\xE4\x80\x99", "\xE4\x80\x99"},
        {"x\xE2\x80\x99\xE2\x80\x99y\xC2\xAD\xE2\x80\x99", "x''y'"},
        {NULL, NULL}};
    check_folds(NULL, "en", pairs);
}

DPL_TEST(fold, keeps_dotted_and_dotless_i_apart_in_turkic_languages)
{
    static const char *const turkic[][2] = {
        {"ISPARTA", "ısparta"}, {"İzmir", "izmir"}, {"ABC", "abc"}, {NULL, NULL}};
    static const char *const other[][2] = {
        {"ISPARTA", "isparta"}, {"\xC4\xB0", "i\xCC\x87"}, {"ABC", "abc"}, {NULL, NULL}};
    check_folds(NULL, "tr", turkic);
    check_folds(NULL, "az", turkic);
    check_folds(NULL, "kk", other);
    check_folds(NULL, "fr", other);
}

DPL_TEST(fold, cuts_elided_articles_before_it_stems)
{
    static const char *const cut[][2] = {
        {"l'eau", "eau"},     {"L\xE2\x80\x99\x45\x61\x75", "eau"},
        {"QU'EN", "en"},      {"aujourd'or", "aujourd'or"},
        {"x'eau", "x'eau"},   {"l'", "l'"},
        {"'eau", "'eau"},     {"eau", "eau"},
        {"la'eau", "la'eau"}, {"d'l'eau", "l'eau"},
        {NULL, NULL}};
    static const char *const kept[][2] = {{"l'eau", "l'eau"}, {"qu'en", "qu'en"}, {NULL, NULL}};
    const dpl_tokens_options stem = DPL_INIT(dpl_tokens_options, .stem = true);
    check_folds(&stem, "fr", cut);
    check_folds(&stem, "und", kept);
    check_folds(NULL, "fr", kept); /* only where words are stemmed */
    static const char *const head[][2] = {{"dell'or", "or"}, {NULL, NULL}};
    check_folds(&stem, "it", head);
    check_folds(&stem, "ca", head);
}

DPL_TEST(fold, drops_stop_words_of_the_language_and_of_the_file)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__terms words;
    uint32_t number;
    dpl_str term;
    dpl__terms_init(&words, ctx);
    CHECK_OK(dpl__terms_number(&words, DPL_STR("house"), &number, &test_err));
    const dpl_tokens_options stop =
        DPL_INIT(dpl_tokens_options, .stop_words = true, .stem = true);
    for (int is_file = 0; is_file < 2; is_file++) {
        dpl__folder *f = folder(ctx, is_file ? NULL : &stop, "en");
        if (is_file)
            dpl__folder_stop(f, &words);
        CHECK_OK(dpl__fold(f, DPL_STR("The"), &term, &test_err));
        CHECK_EQ(term.n, is_file ? 3 : 0);
        CHECK_OK(dpl__fold(f, DPL_STR("House"), &term, &test_err));
        CHECK_EQ(term.n, is_file ? 0 : 4);
        CHECK_OK(dpl__fold(f, DPL_STR("Houses"), &term, &test_err));
        CHECK_EQ(term.n, is_file ? 6 : 4); /* before it is stemmed */
        CHECK_OK(dpl__folder_language(f, "de", &test_err));
        CHECK_OK(dpl__fold(f, DPL_STR("the"), &term, &test_err));
        CHECK_EQ(term.n, 3);
        CHECK_OK(dpl__fold(f, DPL_STR("die"), &term, &test_err));
        CHECK_EQ(term.n, is_file ? 3 : 0);
        dpl__folder_stop(f, NULL);
        CHECK_OK(dpl__fold(f, DPL_STR("HOUSE"), &term, &test_err));
        CHECK(term.n > 0);
        dpl__folder_free(f);
    }
    dpl__terms_clear(&words);
    test_ctx_done(ctx);
}

/* ---- lengths ---------------------------------------------------------------------------- */

/* A term of at most max_token characters, of whatever length they are; n-grams are not cut. */
DPL_TEST(fold, cuts_terms_to_the_longest_length_in_characters)
{
    static const char *const letters[] = {"a", "Ä", "Ж", "漢", "\xF0\x90\x90\x80"};
    static const char *const folded[] = {"a", "ä", "ж", "漢", "\xF0\x90\x90\xA8"};
    static const unsigned limits[] = {1, 2, 39, 1000, 0};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t l = 0; l < DPL_LEN(limits); l++)
        for (size_t k = 0; k < DPL_LEN(letters); k++)
            for (unsigned ngrams = 0; ngrams < 2; ngrams++) {
                dpl_tokens_options o =
                    DPL_INIT(dpl_tokens_options, .max_token = limits[l], .ngrams = ngrams);
                dpl__folder *f = folder(ctx, &o, "en");
                const size_t most = limits[l] ? limits[l] : 40, step = strlen(letters[k]);
                for (size_t n = most - 1; n < most + 3; n++) {
                    char word[4100];
                    for (size_t i = 0; i < n; i++)
                        memcpy(word + i * step, letters[k], step);
                    dpl_str term;
                    CHECK_OK(dpl__fold(f, (dpl_str){word, n * step}, &term, &test_err));
                    const size_t n_chars = ngrams ? n : dpl__min(n, most);
                    CHECK_EQ(term.n, n_chars * strlen(folded[k]));
                    for (size_t i = 0; i < n_chars; i++)
                        CHECK(memcmp(term.data + i * step, folded[k], step) == 0);
                }
                dpl__folder_free(f);
            }
    test_ctx_done(ctx);
}

/* Those that go do not count, though words are cut before they are folded. */
DPL_TEST(fold, soft_hyphens_between_all_letters_leave_a_whole_term)
{
    char word[3 * 47 + 1] = "", expected[41] = "";
    for (size_t i = 0; i < 47; i++)
        memcpy(word + 3 * i, "a\xC2\xAD", 3);
    memset(expected, 'a', 40);
    const char *const pairs[][2] = {{word, expected}, {NULL, NULL}};
    check_folds(NULL, "en", pairs);
}

/* What is cut away first is so long that it cannot matter: "running" has its stem. */
DPL_TEST(fold, stems_before_it_cuts)
{
    const dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = true, .max_token = 3);
    static const char *const pairs[][2] = {
        {"running", "run"}, {"ponies", "pon"}, {"houses", "hou"}, {NULL, NULL}};
    check_folds(&o, "en", pairs);
}

/* ---- languages -------------------------------------------------------------------------- */

/* Changing to and fro gives what a folder of the language alone gives. */
DPL_TEST(fold, each_language_is_as_in_a_folder_of_its_own)
{
    static const char *const langs[] = {"en", "de", "fr", "tr", "zh", "ca", "und", "xx"};
    static const char *const words[] = {"Running", "Häuser", "l'Horizon", "ISPARTA",
                                        "the",     "der",    "familles",  "evlerimiz"};
    const dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = true, .stop_words = true);
    dpl_ctx *ctx = test_ctx(1);
    dpl__folder *all = folder(ctx, &o, "en");
    for (size_t i = 0; i < 3 * DPL_LEN(langs); i++) {
        const char *lang = langs[i * 5 % DPL_LEN(langs)];
        dpl__folder *own = folder(ctx, &o, lang);
        CHECK_OK(dpl__folder_language(all, lang, &test_err));
        CHECK_EQ(dpl__folder_is_turkic(all), strcmp(lang, "tr") == 0);
        for (size_t k = 0; k < DPL_LEN(words); k++) {
            dpl_str a, b;
            CHECK_OK(dpl__fold(all, dpl__cstr(words[k]), &a, &test_err));
            CHECK_OK(dpl__fold(own, dpl__cstr(words[k]), &b, &test_err));
            CHECK(dpl__str_eq(a, b));
        }
        dpl__folder_free(own);
    }
    dpl__folder_free(all);
    test_ctx_done(ctx);
}

DPL_TEST(fold, refuses_options_one_over_the_limit)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__folder *f = NULL;
    dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .ngrams = 9);
    CHECK_EQ(dpl__folder_new(&f, ctx, &o, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.text), "character n-grams of 9 are not in 1 to 8");
    o = (dpl_tokens_options)DPL_INIT(dpl_tokens_options, .max_token = 1001);
    CHECK_EQ(dpl__folder_new(&f, ctx, &o, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.text), "a token of 1001 characters is over 1000");
    CHECK(f == NULL);
    o = (dpl_tokens_options)DPL_INIT(dpl_tokens_options, .ngrams = 8, .max_token = 1000);
    CHECK_OK(dpl__folder_new(&f, ctx, &o, &test_err));
    dpl__folder_free(f);
    test_ctx_done(ctx);
}

static dpl_status fold_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    const dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = true, .stop_words = true);
    dpl__folder *f = NULL;
    dpl_str term;
    dpl_status status;
    DPL__STEP(dpl__folder_new(&f, ctx, &o, err));
    DPL__STEP(dpl__folder_language(f, "fr", err));
    DPL__STEP(dpl__fold(f, DPL_STR("l'E\xCC\x81T\xC3\x89"), &term, err));
    CHECK_STR(term, "\xC3\xA9t\xC3\xA9");
    DPL__STEP(dpl__folder_language(f, "en", err));
    status = dpl__fold(f, DPL_STR("Running"), &term, err);
    CHECK(status != DPL_OK || dpl__str_eq(term, DPL_STR("run")));
done:
    dpl__folder_free(f);
    return status;
}

DPL_TEST(fold, every_allocation_may_fail)
{
    test_allocation_failures(fold_some, NULL);
}
