#include "tokens/stemming.h"

#include "base/hash.h"
#include "doppel/tokens.h"
#include "unicode/unicode.h"

#include "test.h"

#include <libstemmer.h>

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
    for (size_t i = 0; dpl__stem_language(i); i++) {
        const char *lang = dpl__stem_language(i);
        CHECK_STR(dpl__cstr(dpl_lang_canonical(dpl__cstr(lang)).code), lang);
        CHECK(i == 0 || strcmp(dpl__stem_language(i - 1), lang) < 0);
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

/* Words of the endings that stemmers look for, most of them in ASCII. */
DPL_TEST(stemming, is_the_same_for_words_in_ascii_as_for_all_others)
{
    static const struct {
        const char *lang, *algorithm;
    } both[] = {{"ca", "catalan"}, {"da", "danish"},     {"de", "german"},  {"en", "english"},
                {"es", "spanish"}, {"eu", "basque"},     {"fi", "finnish"}, {"fr", "french"},
                {"ga", "irish"},   {"id", "indonesian"}, {"it", "italian"}, {"nb", "norwegian"},
                {"nl", "dutch"},   {"pt", "portuguese"}, {"sv", "swedish"}};
    static const char *const parts[] = {
        "a",        "e",        "i",        "o",        "u",        "s",         "t",
        "n",        "r",        "l",        "ss",       "ing",      "ed",        "ies",
        "ement",    "ation",    "amente",   "idad",     "heit",     "keit",      "lich",
        "isch",     "er",       "en",       "em",       "\xC3\xA9", "\xC3\xA8",  "\xC3\xA4",
        "\xC3\xB6", "\xC3\xBC", "\xC3\x9F", "\xC3\xA7", "\xC3\xB1", "\xC3\xAD",  "\xC3\xB3",
        "\xC3\xA1", "\xC3\xBA", "\xC3\xA5", "\xC3\xB8", "\xC3\xA6", "\xC2\xB7",  "\xC3\xAF",
        "'",        "'s",       "qu",       "y",        "ia",       "o\xC3\xB1", "k",
        "mm",       "ert",      "sti",      "kaan",     "minh",     "xeach",     "lah",
        "meng",     "gus",      "\xC3\x83", "1"};
    dpl_ctx *ctx = test_ctx(1);
    const uint64_t seed = 5;
    dpl__rng rng = {seed};
    for (size_t i = 0; i < DPL_LEN(both); i++) {
        dpl__stemmer *stemmer = NULL;
        CHECK_OK(dpl__stemmer_new(&stemmer, ctx, both[i].lang, &test_err));
        struct sb_stemmer *utf8 = sb_stemmer_new(both[i].algorithm, "UTF_8");
        CHECK(utf8 != NULL);
        for (int round = 0; round < 4000; round++) {
            char word[80] = "";
            for (size_t k = 1 + dpl__rng_below(&rng, 6); k; k--)
                strcat(word, parts[dpl__rng_below(&rng, DPL_LEN(parts))]);
            const sb_symbol *stem =
                sb_stemmer_stem(utf8, (const sb_symbol *)word, (int)strlen(word));
            const dpl_str expected = {(const char *)stem, (size_t)sb_stemmer_length(utf8)};
            const dpl_str found = dpl__stem(stemmer, dpl__cstr(word));
            if (expected.n && !dpl__str_eq(expected, found))
                dpl__test_fail(__FILE__, __LINE__, "%s: '%s' is '%.*s', expected '%.*s'",
                               both[i].lang, word, (int)found.n, found.data, (int)expected.n,
                               expected.data);
        }
        sb_stemmer_delete(utf8);
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
