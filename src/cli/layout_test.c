#include "base/hash.h"
#include "cli/layout.h"
#include "test.h"

#include <locale.h>
#include <stdio.h>

/* What cli_talk_begin does for the command. */
static void know_widths(void)
{
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        dpl__test_skip("no locale C.UTF-8");
}

static dpl_str fit(const char *text, unsigned columns)
{
    static char out[1000];
    cli_fit(out, sizeof out, dpl__cstr(text), columns);
    return dpl__cstr(out);
}

DPL_TEST(cli_layout, text_that_fits_stays)
{
    know_widths();
    CHECK_STR(fit("", 5), "");
    CHECK_STR(fit("Hafen", 5), "Hafen");
    CHECK_STR(fit("Häfen", 5), "Häfen");
    CHECK_STR(fit("港港", 4), "港港");
}

DPL_TEST(cli_layout, text_is_cut_by_columns_and_not_inside_a_character)
{
    know_widths();
    CHECK_STR(fit("Hafen", 4), "Haf…");
    CHECK_STR(fit("Häfen", 3), "Hä…");
    CHECK_STR(fit("港港港", 5), "港港…");
    CHECK_STR(fit("港港港", 4), "港…");
    CHECK_STR(fit("Hafen", 1), "…");
    CHECK_STR(fit("Hafen", 0), "");
    CHECK_STR(fit("e\xCC\x81tude", 3), "e\xCC\x81t…"); /* a mark stays with its letter */
}

DPL_TEST(cli_layout, what_would_break_the_line_is_shown_harmless)
{
    know_widths();
    CHECK_STR(fit("a\n\n\tb  c", 20), "a b c");
    CHECK_STR(fit("a\033[31mb", 20), "a\xEF\xBF\xBD[31mb");
    CHECK_STR(fit("a\xC2\x9B"
                  "b",
                  20),
              "a\xEF\xBF\xBD"
              "b"); /* a control code of C1 */
    CHECK_STR(fit("\xE2\x80\xAE"
                  "abc",
                  20),
              "\xEF\xBF\xBD"
              "abc"); /* right-to-left override */
    CHECK_STR(fit("a\xC3", 20), "a\xEF\xBF\xBD");
    CHECK_STR(fit("\xED\xA0\x80", 20), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"); /* surrogate */
}

DPL_TEST(cli_layout, any_bytes_fit_and_come_out_as_valid_text)
{
    know_widths();
    uint64_t seed = 7;
    dpl__rng rng = {seed};
    for (int round = 0; round < 20000; round++) {
        char in[24], out[CLI_FIT_BYTES(12)], again[CLI_FIT_BYTES(12)];
        size_t n = dpl__rng_below(&rng, sizeof in);
        for (size_t i = 0; i < n; i++) {
            static const char common[] = "a \n\xC3\xA4\xE6\xB8\xAF\xF0\x9F\x98\x80\xCC\x81\xED";
            in[i] = common[dpl__rng_below(&rng, sizeof common)];
        }
        unsigned columns = (unsigned)dpl__rng_below(&rng, 13);
        unsigned used = cli_fit(out, sizeof out, (dpl_str){in, n}, columns);
        dpl_str s = dpl__cstr(out);
        bool is_valid = s.n < sizeof out;
        for (size_t i = 0, at; i < s.n;) {
            at = i;
            uint32_t c = cli_next_char(s, &i);
            is_valid = is_valid && c >= ' ' && (c != 0xFFFD || i == at + 3);
        }
        if (!is_valid || used > columns || used != cli_fit(again, sizeof again, s, used))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu, round %d", (unsigned long long)seed,
                           round);
    }
}

DPL_TEST(cli_layout, numbers_read_well)
{
    char out[32];
    CHECK_STR(dpl__cstr(cli_grouped(out, 0)), "0");
    CHECK_STR(dpl__cstr(cli_grouped(out, 999)), "999");
    CHECK_STR(dpl__cstr(cli_grouped(out, 1000)), "1,000");
    CHECK_STR(dpl__cstr(cli_grouped(out, UINT64_MAX)), "18,446,744,073,709,551,615");
    CHECK_STR(dpl__cstr(cli_bytes(out, 1)), "1 byte");
    CHECK_STR(dpl__cstr(cli_bytes(out, 1023)), "1023 bytes");
    CHECK_STR(dpl__cstr(cli_bytes(out, 1024)), "1.0 KiB");
    CHECK_STR(dpl__cstr(cli_bytes(out, 1048575)), "1.0 MiB");
    CHECK_STR(dpl__cstr(cli_bytes(out, (uint64_t)3 << 29)), "1.5 GiB");
    CHECK_STR(dpl__cstr(cli_bytes(out, UINT64_MAX)), "16.0 EiB");
    CHECK_STR(dpl__cstr(cli_duration(out, 83.2)), "1:23");
    CHECK_STR(dpl__cstr(cli_duration(out, 3599.6)), "1:00:00");
    CHECK_STR(dpl__cstr(cli_duration(out, 1e30)), "99:59:59");
    CHECK_STR(dpl__cstr(cli_duration(out, -1)), "0:00");
}

DPL_TEST(cli_layout, lines_break_at_blanks)
{
    const char *text = "one two three\n\n    as it is, however long\nunbreakable end";
    static const char *const lines[] = {
        "one two", "three", "", "    as it is, however long", "unbreakable", "end"};
    dpl_str line;
    for (size_t i = 0; i < DPL_LEN(lines); i++) {
        CHECK(cli_wrap(&line, &text, 8));
        CHECK_STR(line, lines[i]);
    }
    CHECK(!cli_wrap(&line, &text, 8));
}
