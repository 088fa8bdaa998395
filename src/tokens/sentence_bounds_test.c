#include "tokens/sentence_bounds.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"
#include "unicode/unicode.h"

#include <stdio.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>

/* ICU's boundaries, moved over white space and without blank sentences, as we report them. */
static size_t icu_starts(dpl_str text, const char *locale, uint32_t *out)
{
    UErrorCode code = U_ZERO_ERROR;
    UBreakIterator *b = ubrk_open(UBRK_SENTENCE, locale, NULL, 0, &code);
    UText *u = utext_openUTF8(NULL, text.data, (int64_t)text.n, &code);
    ubrk_setUText(b, u, &code);
    CHECK(U_SUCCESS(code));
    size_t n = 0;
    for (int32_t at = ubrk_first(b); at != UBRK_DONE; at = ubrk_next(b)) {
        size_t k = (size_t)at;
        while (k < text.n) {
            uint32_t c;
            unsigned step = dpl__utf8_decode((const uint8_t *)text.data + k, &c);
            if (!dpl__is_space(c))
                break;
            k += step;
        }
        if (k < text.n && (n == 0 || out[n - 1] != k))
            out[n++] = (uint32_t)k;
    }
    ubrk_close(b);
    utext_close(u);
    return n;
}

static const uint32_t alphabet[] = {
    'a',    'b',    'A',     'Z',     '1',     '.',    '.',    '?',    '!',    ' ',
    ' ',    '\n',   '\r',    '\t',    ',',     ';',    ':',    '-',    '(',    ')',
    '"',    '\'',   '*',     '/',     0xE4,    0xC4,   0xA0,   0x85,   0xAD,   0x301,
    0x37E,  0x589,  0x5D0,   0x61F,   0x6D4,   0x964,  0x2014, 0x2019, 0x201D, 0x2024,
    0x2026, 0x2028, 0x2029,  0x3000,  0x3002,  0x3001, 0xFF0E, 0xFF01, 0x4E00, 0x200B,
    0x200D, 0xFEFF, 0x1F600, 0x11047, 0x1D400, 0x2160, 0x1C5,  0x660};

DPL_TEST(sentences, follow_icus_rules_on_random_text)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__sentence_starts ours = {0};
    for (uint64_t seed = 0; seed < 60000; seed++) {
        dpl__rng rng = {seed << 20};
        char buffer[200];
        uint32_t icus[200];
        size_t n = 0, n_chars = dpl__rng_below(&rng, 30);
        for (size_t i = 0; i < n_chars; i++)
            n += dpl__utf8_encode(buffer + n,
                                  alphabet[dpl__rng_below(
                                      &rng, dpl__rng_below(&rng, 2) ? 20 : DPL_LEN(alphabet))]);
        dpl_str text = {buffer, n};
        CHECK_OK(dpl__split_sentences(ctx, text, "", &ours, &test_err));
        size_t n_icus = icu_starts(text, "en", icus);
        bool is_same = ours.n == n_icus;
        for (size_t i = 0; is_same && i < n_icus; i++)
            is_same = ours.data[i].at == icus[i];
        if (!is_same) {
            for (size_t i = 0; i < n;) {
                uint32_t c;
                i += dpl__utf8_decode((const uint8_t *)buffer + i, &c);
                printf(" %04X", c);
            }
            printf("\n    ours:");
            for (size_t i = 0; i < ours.n; i++)
                printf(" %u", ours.data[i].at);
            printf("  icu:");
            for (size_t i = 0; i < n_icus; i++)
                printf(" %u", icus[i]);
            putchar('\n');
            dpl__test_fail(__FILE__, __LINE__, "differs from ICU, seed %llu",
                           (unsigned long long)seed);
        }
    }
    dpl__vec_clear(ctx, &ours);
    test_ctx_done(ctx);
}

/* The text with a bar where a sentence begins, '^' where a paragraph does, '#' where a section
 * does. */
static void check_split(const char *lang, const char *marked)
{
    dpl_ctx *ctx = test_ctx(1);
    char text[500], got[1000];
    size_t n = 0, n_got = 0;
    for (const char *p = marked; *p; p++)
        if (*p != '|' && *p != '^' && *p != '#')
            text[n++] = *p;
    dpl__sentence_starts starts = {0};
    CHECK_OK(dpl__split_sentences(ctx, (dpl_str){text, n}, lang, &starts, &test_err));
    for (size_t i = 0, k = 0; i < n; i++) {
        if (k < starts.n && starts.data[k].at == i) {
            got[n_got++] = starts.data[k].is_section     ? '#'
                           : starts.data[k].is_paragraph ? '^'
                                                         : '|';
            k++;
        }
        got[n_got++] = text[i];
    }
    dpl__vec_clear(ctx, &starts);
    test_ctx_done(ctx);
    CHECK_STR(((dpl_str){got, n_got}), marked);
}

DPL_TEST(sentences, end_at_terminators_and_line_ends)
{
    check_split("en", "^One. |Two! |\"Three?\" |Four\n^Five\n\n  ^Six.\n");
    check_split("en", "^It costs 3.50 a kilo. |Really?! |Yes ... and no.");
    check_split("ja", "^今日は。|明日は!|終わり");
    check_split("el", "^Τι κάνεις; |Καλά.");
    check_split("en", "");
    check_split("en", " \n \n");
}

DPL_TEST(sentences, behind_the_mark_begin_a_section)
{
    check_split("en", "^One. |Two\n\x1d#Three\n^Four\n\x1d \n\x1d#Five. |Six");
    check_split("en", "\x1d#One\n^Two.\x1d");
    check_split("en", "^One. \x1d#Two");
}

DPL_TEST(sentences, do_not_end_behind_abbreviations_initials_and_ordinals)
{
    check_split("en", "^Dr. Smith met J. Doe at 5 p.m. in Oslo. |They left.");
    check_split("de", "^Er kam z. B. am 3. Mai nach St. Gallen. |Dann ging er.");
    check_split("fr", "^M. Dupont est venu. |Il part.");
    check_split("en", "^He was 12. |Then he left.");
}

DPL_TEST(sentences, do_not_end_behind_numbers_of_headings_and_list_items)
{
    check_split("en", "^2.5. The harbour\n^3. Open the gates. |4. |Wait.\n^Figure 3.1. A lock");
    check_split("fr",
                "^Chapitre 12. Le port\n^Partie\u00a0IV. Le port\n^A.1. Le port\n^II. Le port");
    check_split("ja", "^図2.1. Port");
    check_split("en", "^See chapter 3. |The gates\n^3.\n^Go. |On\n^It is 3. |On");
}
