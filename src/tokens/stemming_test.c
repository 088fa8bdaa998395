#include "tokens/stemming.h"

#include "base/hash.h"
#include "doppel/tokens.h"
#include "text/unicode.h"

#include "test.h"

static const struct {
    const char *lang, *word, *stem;
} stems[] = {
    {"de", "höhe", "hoh"},
    {"de", "häusern", "haus"},
    {"de", "strasse", "strass"},
    {"en", "committees", "committe"},
    {"en", "houses", "hous"},
    {"en", "ferry's", "ferri"},
    {"en", "generously", "generous"},
    {"fr", "européennes", "européen"},
    {"fr", "années", "anné"},
    {"es", "casas", "cas"},
    {"nb", "husene", "hus"},
    {"ru", "паромами", "паром"},
    {"el", "πλοιων", "πλοι"},
    {"tr", "evlerimizde", "ev"},
};

DPL_TEST(stemming, endings_fall_off)
{
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(stems); i++) {
        dpl__stemmer *stemmer = NULL;
        CHECK_OK(dpl__stemmer_new(&stemmer, ctx, stems[i].lang, &test_err));
        CHECK_STR(dpl__stem(stemmer, dpl__cstr(stems[i].word)), stems[i].stem);
        dpl__stemmer_free(stemmer);
    }
    test_ctx_done(ctx);
}

DPL_TEST(stemming, every_language_named_has_a_stemmer_that_takes_any_word)
{
    dpl_ctx *ctx = test_ctx(1);
    const uint64_t seed = 11;
    dpl__rng rng = {seed};
    for (size_t i = 0; dpl_stem_language(i); i++) {
        const char *lang = dpl_stem_language(i);
        CHECK_STR(dpl__cstr(dpl_lang_canonical(dpl__cstr(lang)).code), lang);
        CHECK(i == 0 || strcmp(dpl_stem_language(i - 1), lang) < 0);
        CHECK(dpl__stem_has(lang));
        dpl__stemmer *stemmer = NULL;
        CHECK_OK(dpl__stemmer_new(&stemmer, ctx, lang, &test_err));
        CHECK_STR(dpl__stem(stemmer, DPL_STR("2024")), "2024");
        CHECK_EQ(dpl__stem(stemmer, (dpl_str){0}).n, 0);
        for (int round = 0; round < 500; round++) {
            char word[40 * 4];
            size_t n = 0;
            do
                n += dpl__utf8_encode(word + n, 'a' + (uint32_t)dpl__rng_below(&rng, 0x600));
            while (n + 4 <= sizeof word && dpl__rng_below(&rng, 8));
            if (dpl__stem(stemmer, (dpl_str){word, n}).n == 0)
                dpl__test_fail(__FILE__, __LINE__, "%s: seed %llu round %d: no stem for '%.*s'",
                               lang, (unsigned long long)seed, round, (int)n, word);
        }
        dpl__stemmer_free(stemmer);
    }
    test_ctx_done(ctx);
}

DPL_TEST(stemming, other_languages_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__stemmer *stemmer = NULL;
    CHECK(!dpl__stem_has("ja"));
    CHECK_EQ(dpl__stemmer_new(&stemmer, ctx, "ja", &test_err), DPL_E_UNSUPPORTED);
    CHECK(stemmer == NULL);
    dpl__stemmer_free(NULL);
    test_ctx_done(ctx);
}

static dpl_status make_one(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    dpl__stemmer *stemmer = NULL;
    DPL_TRY(dpl__stemmer_new(&stemmer, ctx, "en", err));
    dpl__stemmer_free(stemmer);
    return DPL_OK;
}

DPL_TEST(stemming, no_memory_is_an_error)
{
    test_allocation_failures(make_one, NULL);
}
