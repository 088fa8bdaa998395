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
