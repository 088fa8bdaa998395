#include "base/ascii.h"

#include "test.h"

#include <ctype.h>

/* The C library's classes are those of ASCII in the locale "C". */
DPL_TEST(ascii, classes_are_those_of_the_c_library)
{
    for (int i = 0; i < 256; i++) {
        const char c = (char)i;
        CHECK_EQ(dpl__is_digit(c), i < 128 && isdigit(i));
        CHECK_EQ(dpl__is_letter(c), i < 128 && isalpha(i));
        CHECK_EQ(dpl__is_letter_or_digit(c), i < 128 && isalnum(i));
        CHECK_EQ(dpl__to_lower(c), i < 128 ? (char)tolower(i) : c);
        CHECK_EQ(dpl__hex_digit(c) >= 0, i < 128 && isxdigit(i));
        CHECK_EQ(dpl__is_blank(c), i && strchr(" \t\r\n", i));
    }
    const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++)
        CHECK_EQ(dpl__hex_digit(digits[i]), i);
    CHECK_EQ(dpl__hex_digit('F'), 15);
}

DPL_TEST(ascii, slices_begin_with_what_they_hold)
{
    const dpl_str s = DPL_STR("Text/HTML");
    CHECK(dpl__begins_with(s, ""));
    CHECK(dpl__begins_with(s, "Text/"));
    CHECK(!dpl__begins_with(s, "text/"));
    CHECK(dpl__begins_with_word(s, "text/"));
    CHECK(!dpl__begins_with((dpl_str){s.data, 3}, "Text"));
    CHECK(!dpl__begins_with_word((dpl_str){s.data, 3}, "text"));
    CHECK(dpl__is_word(s, "text/html"));
    CHECK(!dpl__is_word(s, "text/htm"));
    CHECK(!dpl__is_word((dpl_str){s.data, 8}, "text/html"));
    CHECK_STR(dpl__without_mark(DPL_STR("\xEF\xBB\xBFx")), "x");
    CHECK_STR(dpl__without_mark(DPL_STR("\xEF\xBB")), "\xEF\xBB");
}

DPL_TEST(ascii, lines_and_their_ends_make_up_the_text)
{
    const dpl_str texts[] = {DPL_STR(""), DPL_STR("\n"), DPL_STR("a"), DPL_STR("a\n"),
                             DPL_STR("a\n\nb\r\n\n c")};
    const size_t n_lines[] = {0, 1, 1, 1, 5};
    for (size_t i = 0; i < DPL_LEN(texts); i++) {
        dpl_str rest = texts[i], line;
        size_t n = 0, at = 0;
        while (dpl__next_line(&line, &rest)) {
            CHECK(line.data == texts[i].data + at);
            CHECK(!line.n || !memchr(line.data, '\n', line.n));
            at += line.n + 1;
            n++;
        }
        CHECK_EQ(n, n_lines[i]);
        CHECK(at == texts[i].n || at == texts[i].n + 1); /* the last line may have no end */
    }
}

DPL_TEST(ascii, takes_the_digits_off_the_front)
{
    static const struct {
        const char *text;
        uint64_t number;
        size_t n_left;
    } cases[] = {{"", 0, 0},
                 {"x7", 0, 2},
                 {"007:12", 7, 3},
                 {"18446744073709551614", UINT64_MAX - 1, 0},
                 {"18446744073709551616 ", UINT64_MAX, 1},
                 {"99999999999999999999999", UINT64_MAX, 0}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_str rest = dpl__cstr(cases[i].text);
        CHECK_EQ(dpl__take_digits(&rest), cases[i].number);
        CHECK_EQ(rest.n, cases[i].n_left);
        CHECK(rest.data + rest.n == cases[i].text + strlen(cases[i].text));
    }
}

DPL_TEST(ascii, strips_white_space_of_c_and_nothing_else)
{
    for (int i = 0; i < 256; i++) {
        const char c = (char)i, text[] = {c, ' ', 'x', c, 'y', c};
        CHECK_EQ(dpl__is_white(c), i < 128 && isspace(i));
        const dpl_str s = dpl__strip((dpl_str){text, sizeof text});
        CHECK(s.data == text + (dpl__is_white(c) ? 2 : 0));
        CHECK_EQ(s.n, dpl__is_white(c) ? 3u : sizeof text);
    }
    CHECK_EQ(dpl__strip(DPL_STR(" \t\n")).n, 0);
    CHECK_EQ(dpl__strip((dpl_str){NULL, 0}).n, 0);
}

/* Characters of one to four bytes: where each begins is known from how the text was made. */
DPL_TEST(ascii, characters_are_cut_and_found_as_they_were_put_together)
{
    static const char *const chars[] = {"a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    char text[64];
    size_t begins[16], n = 0;
    for (size_t i = 0; i < DPL_LEN(begins); i++) {
        const char *c = chars[i * 7 / 3 % DPL_LEN(chars)];
        begins[i] = n;
        memcpy(text + n, c, strlen(c));
        n += strlen(c);
        for (size_t at = begins[i]; at < n; at++) {
            CHECK_EQ(dpl__char_begin(text, at), begins[i]);
            CHECK_EQ(dpl__is_inner(text[at]), at > begins[i]);
        }
    }
    for (size_t i = 0; i < DPL_LEN(begins); i++) {
        const dpl_str first = dpl__first_chars((dpl_str){text, n}, i);
        CHECK(first.data == text && first.n == begins[i]);
    }
    CHECK_EQ(dpl__first_chars((dpl_str){text, n}, DPL_LEN(begins)).n, n);
    CHECK_EQ(dpl__first_chars((dpl_str){text, n}, SIZE_MAX).n, n);
}
