#include "unicode/charset.h"

#include "base/hash.h"
#include "doppel/text.h"
#include "test.h"
#include "unicode/unicode.h"

DPL_TEST(charset, names_become_the_larger_encoding_that_is_meant)
{
    static const char *const cases[][2] = {{"iso-8859-1", "windows-1252"},
                                           {"l1", "windows-1252"},
                                           {"us-ascii", "windows-1252"},
                                           {"latin1", "windows-1252"},
                                           {"gb2312", "gb18030"},
                                           {"KOI8-R", "KOI8-R"},
                                           {"utf-8", ""},
                                           {"UTF-16", ""},
                                           {"", ""},
                                           {"shift_jis", "windows-31j"},
                                           {"euc-kr", "windows-949"}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl__charset got = dpl__charset_named(dpl__cstr(cases[i][0]));
        CHECK_STR(dpl__cstr(got.name), cases[i][1]);
    }
    char longest[100];
    memset(longest, 'x', sizeof longest);
    CHECK_EQ(dpl__charset_named((dpl_str){longest, sizeof longest}).name[0], 0);
}

DPL_TEST(charset, every_encoding_that_is_counted_has_its_number)
{
    unsigned n = 0, n_known = 0;
    for (const char *name; (name = dpl__encoding_name(n)); n++) {
        bool is_utf8 = true;
        dpl__charset charset;
        CHECK_EQ(dpl__encoding_number(name), n);
        n_known += dpl__charset_option(&charset, &is_utf8, name);
        CHECK(!is_utf8);
    }
    CHECK(n <= DPL_MOST_ENCODINGS);
    CHECK(n_known + 2 >= n); /* ICU may lack one, and "other" is none */
    CHECK_EQ(dpl__encoding_number("no such encoding"), n - 1);
    CHECK_EQ(dpl__encoding_number("windows-31J"), dpl__encoding_number("Shift_JIS"));
    bool is_utf8 = false;
    dpl__charset charset;
    CHECK(dpl__charset_option(&charset, &is_utf8, "UTF-8") && is_utf8 && !charset.name[0]);
    CHECK(!dpl__charset_option(&charset, &is_utf8, "no such encoding"));
}

/* Bytes with a meaning, converted at once and byte by byte, are what the map says. */
DPL_TEST(charset, single_bytes_convert_as_their_map_says)
{
    static const char *const names[] = {"windows-1250", "windows-1251", "windows-1252",
                                        "ISO-8859-15",  "KOI8-U",       "windows-874"};
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    for (size_t i = 0; i < DPL_LEN(names); i++) {
        int map[256];
        char bytes[256], expected[4 * 256];
        size_t n = 0, n_expected = 0, n_replaced;
        CHECK(dpl__charset_map(map, names[i]));
        for (int b = 1; b < 256; b++)
            if (map[b] >= 0) {
                bytes[n++] = (char)b;
                n_expected += dpl__utf8_encode(expected + n_expected, (uint32_t)map[b]);
            }
        dpl_str text = {bytes, n};
        const dpl__charset from = dpl__charset_named(dpl__cstr(names[i]));
        CHECK_OK(dpl__charset_convert(&text, &arena, &from, &n_replaced, &test_err));
        CHECK_EQ(n_replaced, 0);
        CHECK(dpl__str_eq(text, (dpl_str){expected, n_expected}));
    }
    int map[256];
    CHECK(!dpl__charset_map(map, "Shift_JIS"));
    CHECK(!dpl__charset_map(map, "no such encoding"));
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

/* A stream gives the same however it is cut. */
DPL_TEST(charset, pieces_of_a_stream_are_converted_like_all_of_it)
{
    static const char *const names[] = {"Shift_JIS", "EUC-KR",       "GB18030",
                                        "Big5",      "windows-1251", "ISO-2022-JP"};
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {3};
    for (int round = 0; round < 300; round++) {
        const dpl__charset from =
            dpl__charset_named(dpl__cstr(names[(size_t)round % DPL_LEN(names)]));
        dpl__bytes out[2] = {{0}};
        char bytes[500];
        const size_t n = dpl__rng_below(&rng, sizeof bytes + 1);
        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)dpl__rng_below(&rng, 256);
        for (int k = 0; k < 2; k++) {
            dpl__decoder *d = dpl__decoder_open(&from);
            CHECK(d != NULL);
            for (size_t at = 0, piece; at < n || !n; at += piece) {
                piece = k ? dpl__min(1 + dpl__rng_below(&rng, 9), n - at) : n;
                CHECK(dpl__decoder_feed(d, ctx, &out[k], (dpl_str){bytes + at, piece},
                                        at + piece == n));
                if (at + piece == n)
                    break;
            }
            dpl__decoder_close(d);
        }
        CHECK(dpl__str_eq((dpl_str){out[0].data, out[0].n}, (dpl_str){out[1].data, out[1].n}));
        for (int k = 0; k < 2; k++)
            dpl__vec_clear(ctx, &out[k]);
    }
    CHECK(dpl__decoder_open(&(dpl__charset){"no such encoding"}) == NULL);
    test_ctx_done(ctx);
}
