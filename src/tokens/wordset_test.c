#include "unicode/wordset.h"

#include "base/hash.h"
#include "doppel/text.h"
#include "tokens/abbreviations_data.h"
#include "tokens/sentence_bounds.h"
#include "tokens/stopwords.h"
#include "unicode/stopwords_data.h"

#include "test.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

static const dpl__wordlist small_lists[] = {
    {"aa", "ab ba b a abab"},
    {"bbb", "ab x"},
    {"cc", ""},
};

static bool is_listed(const char *lang, dpl_str word)
{
    for (size_t i = 0; i < DPL_LEN(small_lists); i++)
        for (const char *p = small_lists[i].words;
             strcmp(small_lists[i].lang, lang) == 0 && *p;) {
            size_t n = strcspn(p, " ");
            if (dpl__str_eq(word, (dpl_str){p, n}))
                return true;
            p += n + (p[n] == ' ');
        }
    return false;
}

DPL_TEST(wordset, agrees_with_looking_through_the_list)
{
    dpl__word slots[16] = {{0}};
    dpl__wordset set = {.slots = slots, .n_slots = DPL_LEN(slots)};
    dpl__wordset_fill(&set, small_lists, DPL_LEN(small_lists));
    static const char *const langs[] = {"aa", "bbb", "cc", "dd", "", "aab", "too long"};
    const uint64_t seed = 3;
    dpl__rng rng = {seed};
    for (int round = 0; round < 5000; round++) {
        char word[6];
        size_t n = dpl__rng_below(&rng, sizeof word);
        for (size_t i = 0; i < n; i++)
            word[i] = "abx "[dpl__rng_below(&rng, 4)];
        const char *lang = langs[dpl__rng_below(&rng, DPL_LEN(langs))];
        dpl_str s = {word, n};
        if (dpl__wordset_has(&set, lang, s) != is_listed(lang, s))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu round %d: '%.*s' in %s",
                           (unsigned long long)seed, round, (int)n, word, lang);
    }
}

/* ---- our lists ---------------------------------------------------------------------- */

/* The word folded as the tokenizer does it. */
static size_t folded(char *out, size_t size, dpl_str word)
{
    UErrorCode status = U_ZERO_ERROR;
    UChar wide[64], fold[64], nfc[64];
    int32_t n = 0;
    u_strFromUTF8(wide, 64, &n, word.data, (int32_t)word.n, &status);
    n = u_strFoldCase(fold, 64, wide, n, U_FOLD_CASE_DEFAULT, &status);
    n = unorm2_normalize(unorm2_getNFCInstance(&status), fold, n, nfc, 64, &status);
    u_strToUTF8(out, (int32_t)size, &n, nfc, n, &status);
    CHECK(U_SUCCESS(status));
    return (size_t)n;
}

/* Words separated by one space, folded, rising; returns how many. */
static size_t check_list(const dpl__wordlist *list)
{
    size_t n_words = 0;
    dpl_str last = {0};
    for (const char *p = list->words; *p; n_words++) {
        dpl_str word = {p, strcspn(p, " ")};
        char as_token[200];
        size_t n = folded(as_token, sizeof as_token, word);
        if (word.n == 0 || !dpl__str_eq(word, (dpl_str){as_token, n}) ||
            dpl__str_cmp(last, word) >= 0)
            dpl__test_fail(__FILE__, __LINE__, "%s: '%.*s' behind '%.*s'", list->lang,
                           (int)word.n, word.data, (int)last.n, last.data);
        last = word;
        p += word.n + (p[word.n] == ' ');
    }
    return n_words;
}

static void check_lists(const dpl__wordlist *lists, size_t n_lists, size_t min, size_t max,
                        bool (*has)(const char *lang, dpl_str word))
{
    for (size_t i = 0; i < n_lists; i++) {
        size_t n_words = check_list(&lists[i]);
        CHECK(n_words >= min && n_words <= max);
        CHECK(i == 0 || strcmp(lists[i - 1].lang, lists[i].lang) < 0);
        CHECK_STR(dpl__cstr(dpl_lang_canonical(dpl__cstr(lists[i].lang)).code), lists[i].lang);
        for (const char *p = lists[i].words; *p;) {
            dpl_str word = {p, strcspn(p, " ")};
            CHECK(has(lists[i].lang, word));
            p += word.n + (p[word.n] == ' ');
        }
    }
}

DPL_TEST(wordset, stop_lists_are_folded_and_in_order)
{
    check_lists(stop_lists, DPL_LEN(stop_lists), 60, 200, dpl__stop_has);
}

DPL_TEST(wordset, lists_of_abbreviations_are_folded_and_in_order)
{
    check_lists(abbreviation_lists, DPL_LEN(abbreviation_lists), 30, 200, dpl__is_abbreviation);
}
