#include "unicode/unicode.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdlib.h>
#include <time.h>
#include <unicode/unorm2.h>

enum { MOST = 4000 };

static dpl_str nfc_of(dpl__arena *arena, const uint32_t *chars, size_t n)
{
    static char bytes[4 * 300000];
    dpl_str s = {bytes, 0};
    for (size_t i = 0; i < n; i++)
        s.n += dpl__utf8_encode(bytes + s.n, chars[i]);
    CHECK_OK(dpl__nfc(&s, arena, &test_err));
    return s;
}

/* What ICU alone makes of it. */
static size_t expected_nfc(char *out, const uint32_t *chars, size_t n)
{
    static UChar from[2 * MOST], to[6 * MOST];
    UErrorCode code = U_ZERO_ERROR;
    int32_t n_from = 0;
    for (size_t i = 0; i < n; i++)
        U16_APPEND_UNSAFE(from, n_from, (UChar32)chars[i]);
    int32_t n_to =
        unorm2_normalize(unorm2_getNFCInstance(&code), from, n_from, to, DPL_LEN(to), &code);
    CHECK(U_SUCCESS(code));
    size_t n_out = 0;
    for (int32_t i = 0; i < n_to;) {
        uint32_t c = to[i++];
        if (c >= 0xD800 && c < 0xDC00)
            c = ((c - 0xD7C0) << 10) + (to[i++] & 0x3FFu);
        n_out += dpl__utf8_encode(out + n_out, c);
    }
    return n_out;
}

DPL_TEST(unicode, long_runs_of_marks_are_normalised_as_icu_does)
{
    static const uint32_t chars[] = {'a',   0x300,  0x301, 0x323, 0x344,   0xF71,   0xF72,
                                     0xF73, 0xF75,  0xF81, 0xF80, 0x1D165, 0x1D16D, 0x345,
                                     0x3B1, 0x1E0A, 0x5B0, 0x340, 0x1D15E, 0x327,   0xAC00};
    static uint32_t text[MOST];
    static char expected[12 * MOST];
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl__rng rng = {7};
    for (int round = 0; round < 200; round++) {
        size_t n = 1 + dpl__rng_below(&rng, round < 100 ? 200 : MOST);
        for (size_t i = 0; i < n; i++) { /* starters are rare in every second round */
            uint64_t c = dpl__rng_below(&rng, DPL_LEN(chars));
            bool is_kept = round % 2 || dpl__rng_below(&rng, 200) == 0;
            text[i] = chars[!is_kept && (c == 0 || c >= 14) ? 1 + c % 13 : c];
        }
        dpl_str got = nfc_of(&arena, text, n);
        size_t n_expected = expected_nfc(expected, text, n);
        CHECK(dpl__str_eq(got, (dpl_str){expected, n_expected}));
        dpl__arena_reset(&arena);
    }
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(unicode, long_runs_of_marks_take_linear_time)
{
    enum { N = 200000 };
    static uint32_t text[N];
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    clock_t began = clock();
    for (size_t i = 0; i < N; i++)
        text[i] = i % 2 ? 0x323 : 0x301;
    CHECK_EQ(nfc_of(&arena, text, N).n, 2 * N);
    for (size_t i = 0; i < N; i++)
        text[i] = i % 2 ? 0xF73 : 0xF75;
    CHECK_EQ(nfc_of(&arena, text, N).n, 6 * N);
    CHECK((double)(clock() - began) / CLOCKS_PER_SEC < 4); /* it took 12 s */
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

/* ---- characters ----------------------------------------------------------------------- */

DPL_TEST(unicode, every_character_is_encoded_and_decoded)
{
    char bytes[4];
    unsigned n_before = 1;
    for (uint32_t c = 0; c < 0x110000; c++) {
        if (c >= 0xD800 && c < 0xE000)
            continue;
        uint32_t decoded;
        const unsigned n = dpl__utf8_encode(bytes, c);
        CHECK(n == n_before || n == n_before + 1); /* longer ones have higher numbers */
        CHECK_EQ(dpl__utf8_decode((const uint8_t *)bytes, &decoded), n);
        CHECK_EQ(decoded, c);
        CHECK_EQ(dpl__utf8_first((dpl_str){bytes, n}), n);
        CHECK_EQ(dpl__utf8_first((dpl_str){bytes, n - 1}), 0); /* cut off */
        CHECK_EQ(dpl__utf8_length((dpl_str){bytes, n}), 1);
        n_before = n;
    }
}

/* Bytes that are likely to be the begin of something. */
static size_t draw_bytes(char *out, size_t most, dpl__rng *rng)
{
    static const char some[] = "ab \t\n\xC2\x85\xA0\xE2\x80\xA8\xA9\xED\xA0\xBF\xF0\x9F\xF4\x90"
                               "\xE3\x80\x80\xC0\xFF\x1C";
    const size_t n = dpl__rng_below(rng, most + 1);
    for (size_t i = 0; i < n; i++)
        out[i] = some[dpl__rng_below(rng, sizeof some - 1)];
    return n;
}

DPL_TEST(unicode, text_is_valid_when_it_is_made_of_characters)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {5};
    size_t n_valid = 0;
    for (int round = 0; round < 100000; round++) {
        char bytes[12];
        const dpl_str text = {bytes, draw_bytes(bytes, round % 10 ? 5 : sizeof bytes, &rng)};
        size_t at = 0, n_chars = 0;
        for (size_t n = 1; n && at < text.n; at += n, n_chars += n != 0)
            n = dpl__utf8_first((dpl_str){text.data + at, text.n - at});
        const bool is_valid = at == text.n;
        CHECK_EQ(dpl__is_utf8(ctx, text), is_valid);
        if (is_valid)
            CHECK_EQ(dpl__utf8_length(text), n_chars);
        n_valid += is_valid && n_chars < text.n;
    }
    CHECK(n_valid > 100); /* some of those that are not ASCII alone */
    test_ctx_done(ctx);
}

/* The first and the last character that is no white space, looked for one by one. */
static dpl_str trim_slowly(dpl_str s)
{
    size_t begin = s.n, end = 0;
    for (size_t i = 0, n; i < s.n; i += n) {
        uint32_t c;
        n = dpl__utf8_decode((const uint8_t *)s.data + i, &c);
        if (dpl__is_space(c))
            continue;
        begin = dpl__min(begin, i);
        end = i + n;
    }
    return (dpl_str){s.data + begin, end > begin ? end - begin : 0};
}

DPL_TEST(unicode, trimming_leaves_white_space_inside)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {6};
    for (int round = 0; round < 50000; round++) {
        char bytes[16];
        const dpl_str text = {bytes, draw_bytes(bytes, 8, &rng)};
        if (!dpl__is_utf8(ctx, text))
            continue;
        const dpl_str got = dpl__trim(text), expected = trim_slowly(text);
        CHECK(dpl__str_eq(got, expected));
        CHECK(!got.n || got.data == expected.data);
    }
    test_ctx_done(ctx);
}

DPL_TEST(unicode, breaks_are_controls_and_separators_of_lines)
{
    char bytes[4];
    for (uint32_t c = 0; c < 0x3000; c++) {
        const unsigned n = dpl__utf8_encode(bytes, c);
        const bool is_break = c < ' ' || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
        CHECK_EQ(dpl__break_at((const uint8_t *)bytes, n), is_break ? n : 0);
        if (n > 1)
            CHECK_EQ(dpl__break_at((const uint8_t *)bytes, 1), 0);
    }
}

/* At every length and from every place on: eight bytes are looked at together. */
DPL_TEST(unicode, length_is_the_number_of_characters)
{
    static const uint32_t drawn[] = {'a', 0x7F, 0x80, 0x7FF, 0x800, 0xFFFD, 0x10000, 0x10FFFF};
    dpl__rng rng = {11};
    for (size_t n = 0; n < 60; n++) {
        char bytes[4 * 60];
        size_t begins[60], n_bytes = 0;
        for (size_t i = 0; i < n; i++) {
            begins[i] = n_bytes;
            n_bytes +=
                dpl__utf8_encode(bytes + n_bytes, drawn[dpl__rng_below(&rng, DPL_LEN(drawn))]);
        }
        CHECK_EQ(dpl__utf8_length((dpl_str){bytes, n_bytes}), n);
        for (size_t i = 0; i < n; i++)
            CHECK_EQ(dpl__utf8_length((dpl_str){bytes + begins[i], n_bytes - begins[i]}),
                     n - i);
    }
    CHECK_EQ(dpl__utf8_length((dpl_str){0}), 0);
}

/* What is normalised already is not copied, and normalising twice changes nothing. */
DPL_TEST(unicode, normalised_text_stays_where_it_is)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    static const char *const same[] = {"", "plain", "na\xC3\xAFve", "\xE6\x97\xA5\xE6\x9C\xAC"};
    for (size_t i = 0; i < DPL_LEN(same); i++) {
        dpl_str s = dpl__cstr(same[i]);
        CHECK_OK(dpl__nfc(&s, &arena, &test_err));
        CHECK(s.data == same[i] && s.n == strlen(same[i]));
    }
    dpl_str s = DPL_STR("nai\xCC\x88ve"); /* i and a combining diaeresis */
    CHECK_OK(dpl__nfc(&s, &arena, &test_err));
    CHECK_STR(s, "na\xC3\xAFve");
    const char *copy = s.data;
    CHECK_OK(dpl__nfc(&s, &arena, &test_err));
    CHECK(s.data == copy);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}
