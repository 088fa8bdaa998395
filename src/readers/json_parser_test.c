#include "readers/json_parser.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <limits.h>
#include <stdio.h>

/* Whether the whole text is one JSON value. */
static bool is_json(dpl_ctx *ctx, dpl_str text)
{
    dpl__json j = dpl__json_begin(ctx, text);
    dpl_str raw;
    return dpl__json_skip(&j, &raw) == DPL_OK && dpl__json_end(&j) == DPL_OK;
}

static dpl_str decode(dpl_ctx *ctx, dpl__arena *arena, const char *text)
{
    dpl__json j = dpl__json_begin(ctx, dpl__cstr(text));
    dpl_str s = {0};
    if (dpl__json_string(&j, arena, &s) != DPL_OK || dpl__json_end(&j) != DPL_OK)
        return DPL_STR("(failed)");
    return s;
}

DPL_TEST(json, takes_what_the_standard_takes)
{
    static const char *const good[] = {
        "null",
        "true",
        "false",
        "0",
        "-0",
        "12.5e+10",
        "1E-2",
        "\"\"",
        "[]",
        "{}",
        " [ 1 , 2 ] ",
        "[[],{},[{\"a\":[]}]]",
        "{\"a\":1,\"a\":2}",
        "\"\\u0000\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\t\r\n{\"a\" : [true, null]}\n",
        "\"\x7F\"",
        "\"\\uD800\"",
    };
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(good); i++)
        if (!is_json(ctx, dpl__cstr(good[i])))
            dpl__test_fail(__FILE__, __LINE__, "refused: %s", good[i]);
    test_ctx_done(ctx);
}

DPL_TEST(json, refuses_what_the_standard_refuses)
{
    static const char *const bad[] = {
        "",      " ",      "nul",       "True",      "nulll",       "01",        "-",
        "+1",    "1.",     ".5",        "1e",        "1e+",         "0x10",      "NaN",
        "\"",    "\"\\\"", "\"\\x\"",   "\"\\u12\"", "\"\\u12g4\"", "\"\n\"",    "\"\x1F\"",
        "'a'",   "[",      "]",         "[1",        "[1,",         "[1,]",      "[,1]",
        "[1 2]", "{",      "{\"a\"",    "{\"a\":",   "{\"a\":1",    "{\"a\":1,", "{\"a\":1,}",
        "{a:1}", "{1:1}",  "{\"a\" 1}", "{\"a\":1]", "[1}",         "1 2",       "{}{}",
        "[1]x",  "\v1",    "\"a\\",     "\"a\\u",    "// c\n1",
    };
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(bad); i++)
        if (is_json(ctx, dpl__cstr(bad[i])))
            dpl__test_fail(__FILE__, __LINE__, "taken: %s", bad[i]);
    CHECK(!is_json(ctx, (dpl_str){"1\0", 2}));
    CHECK(!is_json(ctx, (dpl_str){"\"\0\"", 3}));
    test_ctx_done(ctx);
}

DPL_TEST(json, strings_without_escapes_are_slices_of_the_input)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    const char *text = "\"plain \xC3\xA4\"";
    CHECK(decode(ctx, &arena, text).data == text + 1);
    CHECK_STR(decode(ctx, &arena, text), "plain \xC3\xA4");
    CHECK(arena.chunk == NULL);
    test_ctx_done(ctx);
}

DPL_TEST(json, escapes_are_decoded)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    CHECK_STR(decode(ctx, &arena, "\"a\\n\\t\\\"\\\\\\/\\b\\f\\rz\""), "a\n\t\"\\/\b\f\rz");
    CHECK_STR(decode(ctx, &arena, "\"\\u0041\\u00e4\\u20AC\\uD83D\\uDE00!\""),
              "A\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80!");
    CHECK_EQ(decode(ctx, &arena, "\"\\u0000\"").n, 1);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(json, lone_surrogates_are_replaced_and_reported)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    static const struct {
        const char *text, *value;
        size_t n_lone, column;
    } cases[] = {
        {"\"\\uD800\"", "\xEF\xBF\xBD", 1, 2},
        {"\"ab\\uDC00\"", "ab\xEF\xBF\xBD", 1, 4},
        {"\"\\uD800\\uD83D\\uDE00\"", "\xEF\xBF\xBD\xF0\x9F\x98\x80", 1, 2},
        {"\"\\uD83D\\uDE00\\uDE00\\uD83D\"", "\xF0\x9F\x98\x80\xEF\xBF\xBD\xEF\xBF\xBD", 2, 14},
        {"\"\\uD83D\\u0041\"",
         "\xEF\xBF\xBD"
         "A",
         1, 2},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__json j = dpl__json_begin(ctx, dpl__cstr(cases[i].text));
        dpl_str s;
        CHECK_EQ(dpl__json_string(&j, &arena, &s), DPL_OK);
        CHECK_STR(s, cases[i].value);
        CHECK_EQ(j.n_lone, cases[i].n_lone);
        CHECK_EQ(dpl__json_column(&j, j.lone), cases[i].column);
    }
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(json, nesting_is_bounded)
{
    dpl_ctx *ctx = test_ctx(1);
    char text[2 * DPL__JSON_DEPTH + 2];
    memset(text, '[', DPL__JSON_DEPTH + 1);
    memset(text + DPL__JSON_DEPTH + 1, ']', DPL__JSON_DEPTH + 1);
    CHECK(!is_json(ctx, (dpl_str){text, sizeof text}));
    CHECK(is_json(ctx, (dpl_str){text + 1, sizeof text - 2}));
    test_ctx_done(ctx);
}

DPL_TEST(json, failures_name_the_column)
{
    static const struct {
        const char *text, *problem;
        uint64_t column;
    } cases[] = {
        {"{\"a\":1 \"b\":2}", "expected ',' or '}'", 8},
        {"[1;2]", "expected ',' or ']'", 3},
        {"{\"a\":tru}", "expected a value", 6},
        {"{\"a\":\"x", "a string is not closed", 8},
        {"[\"x\ty\"]", "a control character in a string", 4},
        {"[\"xy\\q\"]", "an unknown escape in a string", 5},
        {"{} x", "something follows the JSON value", 4},
    };
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__json j = dpl__json_begin(ctx, dpl__cstr(cases[i].text));
        dpl_str raw;
        if (dpl__json_skip(&j, &raw) == DPL_OK)
            CHECK_EQ(dpl__json_end(&j), DPL_E_FORMAT);
        CHECK_STR(dpl__cstr(j.problem), cases[i].problem);
        CHECK_EQ(dpl__json_column(&j, j.at), cases[i].column);
    }
    test_ctx_done(ctx);
}

DPL_TEST(json, members_come_in_order_with_their_raw_values)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl__json j =
        dpl__json_begin(ctx, DPL_STR(" { \"\\u0061\" : [ 1, {} ] , \"b\":-1.5e3 }  "));
    dpl_str key, raw;
    CHECK_EQ(dpl__json_open(&j, '{'), DPL_OK);
    CHECK_EQ(dpl__json_member(&j, &arena, &key), DPL_OK);
    CHECK_STR(key, "a");
    CHECK_EQ(dpl__json_skip(&j, &raw), DPL_OK);
    CHECK_STR(raw, "[ 1, {} ]");
    CHECK_EQ(dpl__json_member(&j, &arena, &key), DPL_OK);
    CHECK_STR(key, "b");
    CHECK_EQ(dpl__json_number(&j, &raw), DPL_OK);
    CHECK_STR(raw, "-1.5e3");
    CHECK_EQ(dpl__json_member(&j, &arena, &key), DPL_END);
    CHECK_EQ(dpl__json_end(&j), DPL_OK);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(json, what_is_escaped_parses_back)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl__bytes out = {0};
    static const char *const pieces[] = {
        "\n", "\"",  "\\", "\x01", "\x7F", "a", "plain text, ", "\xC3\xA4", "\xF0\x9F\x98\x80",
        "/",  "\x1F"};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        dpl__rng rng = {seed << 20};
        char text[2000];
        size_t n = 0, n_pieces = dpl__rng_below(&rng, 100);
        for (size_t i = 0; i < n_pieces; i++) {
            const char *piece = pieces[dpl__rng_below(&rng, DPL_LEN(pieces))];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        if (n_pieces && dpl__rng_below(&rng, 4) == 0)
            text[n / 2] = text[n / 2] & 0x80 ? text[n / 2] : 0; /* NUL is a character too */
        out.n = 0;
        CHECK(dpl__json_escape(ctx, &out, (dpl_str){text, n}));
        dpl__json j = dpl__json_begin(ctx, (dpl_str){out.data, out.n});
        dpl_str s = {0};
        if (dpl__json_string(&j, &arena, &s) != DPL_OK || dpl__json_end(&j) != DPL_OK ||
            !dpl__str_eq(s, (dpl_str){text, n}))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu", (unsigned long long)seed);
        dpl__arena_reset(&arena);
    }
    dpl__vec_clear(ctx, &out);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(json, settings_are_read_from_the_outermost_object)
{
    const dpl_str s = DPL_STR("{\"deep\": {\"stem\": true, \"ngram\": 7}, "
                              "\"of\": \"\\\"stem\\\":true\", \"max_token\": 40, "
                              "\"n\\u0067ram\" :3, \"stop_words\":true, "
                              "\"huge\": 99999999999}");
    dpl_ctx *ctx = test_ctx(1);
    CHECK(!dpl__setting_is_true(ctx, s, "stem"));
    CHECK(dpl__setting_is_true(ctx, s, "stop_words"));
    CHECK_EQ(dpl__setting_number(ctx, s, "max_token"), 40);
    CHECK_EQ(dpl__setting_number(ctx, s, "ngram"), 3);
    CHECK_EQ(dpl__setting_number(ctx, s, "huge"), UINT_MAX);
    CHECK_EQ(dpl__setting_number(ctx, s, "stop_words"), 0);
    CHECK(dpl__str_eq(dpl__json_value(ctx, s, "deep"),
                      DPL_STR("{\"stem\": true, \"ngram\": 7}")));
    CHECK_EQ(dpl__json_value(ctx, s, "absent").n, 0);
    CHECK_EQ(dpl__json_value(ctx, DPL_STR("[1]"), "deep").n, 0);
    test_ctx_done(ctx);
}
