#include "serve/index_answers.h"
#include "test.h"
#include "unicode/unicode.h"

#include <stdio.h>
#include <stdlib.h>

DPL_TEST(surface, stems_become_words_of_the_text)
{
    static const char text[] =
        "Translucent paper, carpets and CARS. Happy H\xC3\xA4user \xE2\x80\x93 "
        "Gr\xC3\xB6\xC3\x9F"
        "e; \xD0\x92\xD1\x83\xD0\xBB\xD0\xBA\xD0\xB0\xD0\xBD\xD1\x8B, "
        "housekeeping, houses \xFF\xC3";
    static const struct {
        const char *stem, *word;
    } cases[] = {{"transluc", "Translucent"},
                 {"car", "CARS"},
                 {"happi", "Happy"},
                 {"haus", "H\xC3\xA4user"},
                 {"gross", "Gr\xC3\xB6\xC3\x9F"
                           "e"},
                 {"\xD0\xB2\xD1\x83\xD0\xBB\xD0\xBA\xD0\xB0\xD0\xBD",
                  "\xD0\x92\xD1\x83\xD0\xBB\xD0\xBA\xD0\xB0\xD0\xBD\xD1\x8B"},
                 {"hous", "houses"},
                 {"paper", "paper"},
                 {"nowhere", "nowhere"},
                 {"two words", "two words"},
                 {"", ""}};
    dpl_str stems[DPL_LEN(cases)], words[DPL_LEN(cases)];
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        stems[i] = dpl__cstr(cases[i].stem);
    dpl__surface_words(words, stems, DPL_LEN(cases), (dpl_str){text, sizeof text - 1});
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        CHECK_STR(words[i], cases[i].word);
    dpl__surface_words(words, stems, DPL_LEN(cases), (dpl_str){0});
    CHECK_STR(words[0], "transluc");
}

/* The word of the text that a stem becomes. */
static void check_word(const char *text, const char *stem, const char *expected)
{
    const dpl_str s = dpl__cstr(stem);
    dpl_str word;
    dpl__surface_words(&word, &s, 1, dpl__cstr(text));
    CHECK_STR(word, expected);
}

/* Seven bytes more than the stem, or three where its last letter was changed. */
DPL_TEST(surface, a_word_is_so_much_longer_than_its_stem_at_most)
{
    check_word("x abcdefghijkl", "abcde", "abcdefghijkl");
    check_word("x abcdefghijklm", "abcde", "abcde");
    check_word("abcd", "abcde", "abcde"); /* shorter: the last letter is not changed but gone */
    check_word("abcdX", "abcde", "abcdX");
    check_word("abcdXyz", "abcde", "abcdXyz");
    check_word("abcdXyzz", "abcde", "abcde");
    check_word("abX", "abc", "abc"); /* three letters are in common, at least */
    check_word("abcX", "abcd", "abcX");
    check_word("Xbcd", "abcd", "abcd");
    /* the nearest, of those as near the first; an ending rather than a changed letter */
    check_word("walking walked walks walker walk's", "walk", "walk");
    check_word("walking walked walker", "walk", "walked");
    check_word("happy happiest", "happi", "happiest");
    check_word("carry carries", "carri", "carries");
    check_word("one ONE One", "one", "one");
    check_word("ONE one", "one", "ONE");
    check_word("a-b walk-in", "walk", "walk");
    check_word("", "walk", "walk");
}

/* Every letter of two cases, alone and with an accent, begins its own word. */
DPL_TEST(surface, letters_are_compared_without_case_and_accents)
{
    static const struct {
        uint32_t upper, plain; /* plain 0: the lower one by `step` */
        uint32_t step;
    } letters[] = {{'A', 'a', 0},    {'Z', 'z', 0},    {0xC0, 'a', 0},   {0xC5, 'a', 0},
                   {0xC7, 'c', 0},   {0xDD, 'y', 0},   {0xE0, 'a', 0},   {0xFF, 'y', 0},
                   {0x100, 'a', 0},  {0x10C, 'c', 0},  {0x117, 'e', 0},  {0x160, 's', 0},
                   {0x179, 'z', 0},  {0x17E, 'z', 0},  {0xC6, 0, 0x20},  {0xD8, 0, 0x20},
                   {0xDE, 0, 0x20},  {0x391, 0, 0x20}, {0x3A9, 0, 0x20}, {0x410, 0, 0x20},
                   {0x42F, 0, 0x20}, {0x400, 0, 0x50}, {0x40F, 0, 0x50}, {0x110, 0, 1},
                   {0x111, 0, 0},    {0x126, 0, 1},    {0x131, 0, 0},    {0x132, 0, 1},
                   {0x138, 0, 0},    {0x13F, 0, 1},    {0x140, 0, 0},    {0x141, 0, 1},
                   {0x142, 0, 0},    {0x149, 0, 0},    {0x14A, 0, 1},    {0x152, 0, 1},
                   {0x153, 0, 0},    {0x166, 0, 1},    {0x17F, 0, 0}};
    for (size_t i = 0; i < DPL_LEN(letters); i++) {
        char text[40] = "zz ", stem[20] = "";
        const uint32_t c = letters[i].upper;
        size_t n = 3 + dpl__utf8_encode(text + 3, c);
        memcpy(text + n, "wort", 5);
        n = dpl__utf8_encode(stem, letters[i].plain ? letters[i].plain : c + letters[i].step);
        memcpy(stem + n, "wort", 5);
        const dpl_str s = dpl__cstr(stem);
        dpl_str word;
        dpl__surface_words(&word, &s, 1, dpl__cstr(text));
        if (!dpl__str_eq(word, dpl__cstr(text + 3)))
            dpl__test_fail(__FILE__, __LINE__, "U+%04X: '%s' is '%.*s'", (unsigned)c, stem,
                           (int)word.n, word.data);
    }
    /* no letters: general and CJK punctuation, and what is before U+00C0 */
    static const uint32_t between[] = {' ', '-', 0xA0, 0xBF, 0x2000, 0x206F, 0x3000, 0x303F};
    for (size_t i = 0; i < DPL_LEN(between); i++) {
        char text[40] = "walk";
        size_t n = 4 + dpl__utf8_encode(text + 4, between[i]);
        memcpy(text + n, "ing", 4);
        check_word(text, "walk", "walk");
    }
    check_word("walk\xE2\x81\xB0", "walk", "walk\xE2\x81\xB0"); /* U+2070 */
    check_word("walk\xE3\x81\x80", "walk", "walk\xE3\x81\x80"); /* U+3040 */
}

/* Words of more letters, more stems, and more text than are looked at. */
DPL_TEST(surface, limits_leave_stems_as_they_are)
{
    enum { STEMS = 70, MOST = 256 << 10 };
    char stems[STEMS][8], text[STEMS * 10] = "";
    dpl_str in[STEMS], out[STEMS];
    for (unsigned i = 0; i < STEMS; i++) {
        snprintf(stems[i], sizeof stems[i], "st%02u", i);
        in[i] = dpl__cstr(stems[i]);
        snprintf(text + strlen(text), 10, "ST%02us ", i);
    }
    dpl__surface_words(out, in, STEMS, dpl__cstr(text));
    for (unsigned i = 0; i < STEMS; i++)
        CHECK_EQ(out[i].data[0], i < 64 ? 'S' : 's');
    char *long_text = malloc(MOST + 20);
    memset(long_text, ' ', MOST + 20);
    memcpy(long_text + MOST - 5, "Walks Talks", 11);
    const dpl_str both[] = {DPL_STR("walk"), DPL_STR("talk")};
    dpl__surface_words(out, both, 2, (dpl_str){long_text, MOST + 20});
    CHECK_STR(out[0], "Walks");
    CHECK_STR(out[1], "talk");
    free(long_text);
    char word[140], longer[140]; /* of 64 letters and more */
    for (size_t n = 62; n < 68; n++) {
        memset(word, 'a', n);
        word[n] = 0;
        memset(longer, 'A', n);
        longer[n] = 0;
        check_word(longer, word, longer);
    }
}
