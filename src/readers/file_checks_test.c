#include "readers/file_checks.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "io/container.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* A file with sections, each a text. */
static dpl_file *make_file(dpl_ctx *ctx, dpl_str text)
{
    dpl__writer *w = NULL;
    dpl_file *f = NULL;
    CHECK_OK(dpl__writer_new(&w, ctx, NULL, "sample", &test_err));
    CHECK_OK(dpl__writer_add(w, "text", 1, text.data, text.n, &test_err));
    CHECK_OK(dpl__writer_open(w, &f, &test_err));
    dpl__writer_free(w);
    return f;
}

/* Strings, one behind the other. */
typedef struct strings {
    dpl__strings s;
    uint64_t *offsets;
    char *bytes;
} strings;

static void init_strings(strings *out, size_t n, size_t n_bytes)
{
    *out = (strings){.offsets = calloc(n + 1, sizeof(uint64_t)), .bytes = malloc(n_bytes + 1)};
    CHECK(out->offsets && out->bytes);
    out->s = (dpl__strings){out->offsets, out->bytes, 0};
}

static void add_string(strings *out, dpl_str s)
{
    const uint64_t at = out->offsets[out->s.n++];
    memcpy(out->bytes + at, s.data, s.n);
    out->offsets[out->s.n] = at + s.n;
}

static void free_strings(strings *s)
{
    free(s->offsets);
    free(s->bytes);
}

static void check_status(dpl_status status, const char *problem)
{
    CHECK_EQ(status, problem ? DPL_E_FORMAT : DPL_OK);
    if (problem && !strstr(test_err.text, problem))
        dpl__test_fail(__FILE__, __LINE__, "'%s' without '%s'", test_err.text, problem);
}

/* ---- names and ids ------------------------------------------------------------------------
 */

DPL_TEST(file_checks, names_are_not_empty_and_have_no_control_characters)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_file *f = make_file(ctx, DPL_STR(""));
    for (unsigned c = 0; c < 256; c++)
        for (size_t where = 0; where < 3; where++) {
            strings names;
            char text[] = "abc";
            text[where] = (char)c;
            init_strings(&names, 2, 10);
            add_string(&names, (dpl_str){text, 3});
            add_string(&names, DPL_STR("x"));
            check_status(dpl__check_names(f, "id.bytes", &names.s, &test_err),
                         c < 0x20 || c == 0x7F ? "section 'id.bytes': a control character"
                                               : NULL);
            free_strings(&names);
        }
    for (size_t empty = 0; empty < 4; empty++) {
        strings names;
        init_strings(&names, 3, 10);
        for (size_t i = 0; i < 3; i++)
            add_string(&names, i == empty ? (dpl_str){"", 0} : DPL_STR("x"));
        check_status(dpl__check_names(f, "id.bytes", &names.s, &test_err),
                     empty < 3 ? "an empty string" : NULL);
        free_strings(&names);
    }
    strings none;
    init_strings(&none, 0, 0);
    CHECK_OK(dpl__check_names(f, "id.bytes", &none.s, &test_err));
    free_strings(&none);
    dpl_file_close(f);
    test_ctx_done(ctx);
}

DPL_TEST(file_checks, ids_of_a_caller_are_text_and_all_different)
{
    static const struct {
        const char *ids[3], *problem;
    } cases[] = {{{"a", "b", "c"}, NULL},
                 {{"a", "b", "ab"}, NULL},
                 {{"a", "b", "a"}, "'x': ids: a string is there twice"},
                 {{"a", "a", "b"}, "'x': ids: a string is there twice"},
                 {{"a", "", ""}, "'x': ids: an empty string"},
                 {{"a", "b\t", "b\t"}, "'x': ids: a control character"},
                 {{"a", "\xC3", "b"}, "'x': ids: invalid UTF-8"},
                 {{"a", "\xC3\xA4", "b"}, NULL}};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        strings ids;
        init_strings(&ids, 3, 20);
        for (size_t k = 0; k < 3; k++)
            add_string(&ids, dpl__cstr(cases[i].ids[k]));
        check_status(dpl__check_ids(ctx, "x", &ids.s, &test_err), cases[i].problem);
        free_strings(&ids);
    }
    test_ctx_done(ctx);
}

/* ---- many strings, which are checked in blocks --------------------------------------------
 */

enum { BLOCK = 1 << 14, MOST = 2 * BLOCK + 2 };

/* n different strings in rising order, of which some begin like the one before. */
static void init_rising(strings *out, size_t n)
{
    init_strings(out, n, 8 * n);
    for (size_t i = 0; i < n; i++) {
        char text[24];
        const int n_text = snprintf(text, sizeof text, "%07zu%s", i / 2, i % 2 ? "!" : "");
        add_string(out, (dpl_str){text, (size_t)n_text});
    }
}

/* A fault at either side of the border of a block, and at both ends. */
DPL_TEST(file_checks, an_order_rises_within_blocks_and_between_them)
{
    static const size_t places[] = {
        1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 1};
    strings s;
    uint32_t *order = malloc(MOST * sizeof *order);
    CHECK(order);
    init_rising(&s, MOST);
    dpl_ctx *ctx = test_ctx(2);
    dpl_file *f = make_file(ctx, DPL_STR(""));
    for (uint32_t i = 0; i < MOST; i++)
        order[i] = i;
    for (size_t n = BLOCK - 1; n <= MOST; n++) { /* the last strings are of a block or none */
        const dpl__strings some = {s.offsets, s.bytes, n};
        if (n < BLOCK + 2 || n > 2 * BLOCK - 2)
            CHECK_OK(dpl__check_order(f, "order", &some, order, &test_err));
    }
    for (size_t i = 0; i < DPL_LEN(places); i++) {
        const size_t at = places[i];
        const uint32_t before = order[at - 1];
        order[at - 1] = order[at];
        check_status(dpl__check_order(f, "order", &s.s, order, &test_err),
                     "section 'order': a string is there twice");
        order[at] = before;
        check_status(dpl__check_order(f, "order", &s.s, order, &test_err), "out of order");
        order[at - 1] = before;
        order[at] = before + 1;
        CHECK_OK(dpl__check_order(f, "order", &s.s, order, &test_err));
    }
    dpl_file_close(f);
    test_ctx_done(ctx);
    free_strings(&s);
    free(order);
}

DPL_TEST(file_checks, a_string_that_is_there_twice_is_found_wherever_it_is)
{
    enum { N = 300 };
    dpl_ctx *ctx = test_ctx(1);
    dpl_file *f = make_file(ctx, DPL_STR(""));
    for (uint64_t seed = 0; seed < 60; seed++) {
        dpl__rng rng = {seed << 20};
        strings s;
        const bool has_double = seed % 2;
        const size_t from = dpl__rng_below(&rng, N - 1),
                     to = from + 1 + dpl__rng_below(&rng, N - 1 - from);
        init_strings(&s, N, 8 * N);
        for (size_t i = 0; i < N; i++) {
            char text[8];
            const size_t number = has_double && i == to ? from : i;
            add_string(&s, (dpl_str){text, (size_t)sprintf(text, "%zu", number * 7 % 1000)});
        }
        check_status(dpl__check_unique(f, "ids", &s.s, &test_err),
                     has_double ? "section 'ids': a string is there twice" : NULL);
        free_strings(&s);
    }
    dpl_file_close(f);
    test_ctx_done(ctx);
}

DPL_TEST(file_checks, every_string_is_empty_or_an_object)
{
    static const size_t places[] = {0, BLOCK - 1, BLOCK, MOST - 1};
    static const struct {
        const char *text; /* of eight bytes */
        bool is_good;
    } cases[] = {{"{\"a\":1} ", true}, {" {  }  \n", true},   {"{\"a\":1}}", false},
                 {"[1,2,34]", false},  {"\"a\":1   ", false}, {"{\"a\":01}", false},
                 {"        ", false},  {"{\"a\" 1} ", false}};
    strings s;
    dpl_ctx *ctx = test_ctx(2);
    dpl_file *f = make_file(ctx, DPL_STR(""));
    init_strings(&s, MOST, 8 * MOST);
    for (size_t i = 0; i < MOST; i++) {
        bool is_place = false;
        for (size_t k = 0; k < DPL_LEN(places); k++)
            is_place |= places[k] == i;
        add_string(&s, is_place ? DPL_STR("{\"x\":10}") : (dpl_str){"", 0});
    }
    CHECK_OK(dpl__check_objects(f, "extra", &s.s, &test_err));
    for (size_t k = 0; k < DPL_LEN(places); k++)
        for (size_t i = 0; i < DPL_LEN(cases); i++) {
            char *at = s.bytes + s.offsets[places[k]];
            memcpy(at, cases[i].text, 8);
            check_status(dpl__check_objects(f, "extra", &s.s, &test_err),
                         cases[i].is_good ? NULL : "section 'extra': not a JSON object");
            memcpy(at, "{\"x\":10}", 8);
        }
    dpl_file_close(f);
    test_ctx_done(ctx);
    free_strings(&s);
}

/* ---- languages and texts ------------------------------------------------------------------
 */

DPL_TEST(file_checks, codes_of_languages_are_two_to_eleven_small_letters)
{
    static const struct {
        const char *code;
        bool is_one;
    } cases[] = {{"de", true},  {"gsw", true}, {"abcdefghijk", true}, {"abcdefghijkl", false},
                 {"d", false},  {"", false},   {"az", true},          {"a`", false},
                 {"{a", false}, {"dE", false}, {"d-e", false},        {"d\xC3\xA9", false}};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl_str code = dpl__cstr(cases[i].code);
        CHECK_EQ(dpl__is_lang_code(code), cases[i].is_one);
        dpl_file *f = make_file(ctx, code);
        strings langs;
        dpl_str lang;
        init_strings(&langs, 2, 20);
        add_string(&langs, DPL_STR("en"));
        add_string(&langs, code);
        const char *problem = cases[i].is_one ? NULL : "not the code of a language";
        check_status(dpl__check_langs(f, "langs", &langs.s, &test_err), problem);
        check_status(dpl__get_lang(f, "text", &lang, &test_err), code.n ? problem : NULL);
        if (!problem)
            CHECK(dpl__str_eq(lang, code));
        free_strings(&langs);
        dpl_file_close(f);
    }
    test_ctx_done(ctx);
}

DPL_TEST(file_checks, a_text_is_utf8_and_settings_are_an_object)
{
    static const struct {
        const char *text, *problem, *json_problem;
    } cases[] = {{"", NULL, "not a JSON object"},
                 {"text", NULL, "not a JSON object"},
                 {"{\"\xC3\xA4\":1}", NULL, NULL},
                 {"{\"\xC3\":1}", "invalid UTF-8", "invalid UTF-8"},
                 {"{\n}", "a control character", "a control character"},
                 {"{} x", NULL, "not a JSON object"},
                 {"{\"a\":[1,{\"b\":null}]}", NULL, NULL}};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_file *f = make_file(ctx, dpl__cstr(cases[i].text));
        dpl_str out;
        check_status(dpl__get_text(f, "text", &out, &test_err), cases[i].problem);
        check_status(dpl__get_json(f, "text", &out, &test_err), cases[i].json_problem);
        if (!cases[i].json_problem)
            CHECK_STR(out, cases[i].text);
        CHECK(dpl__get_text(f, "none", &out, &test_err) == DPL_E_FORMAT);
        CHECK(dpl__get_json(f, "none", &out, &test_err) == DPL_E_FORMAT);
        CHECK(dpl__get_lang(f, "none", &out, &test_err) == DPL_E_FORMAT);
        dpl_file_close(f);
    }
    test_ctx_done(ctx);
}
