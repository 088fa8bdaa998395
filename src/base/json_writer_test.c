#include "base/json_writer.h"
#include "test.h"

#include <locale.h>
#include <math.h>

static char text[1000];
static size_t n_text;

static void collect(void *user, const char *data, size_t n)
{
    (void)user;
    CHECK(n_text + n < sizeof text);
    memcpy(text + n_text, data, n);
    n_text += n;
}

static dpl_json begin(void)
{
    n_text = 0;
    return (dpl_json){.put = collect};
}

static dpl_str written(void)
{
    return (dpl_str){text, n_text};
}

DPL_TEST(json_writer, values_are_separated_and_nested)
{
    dpl_json j = begin();
    dpl_json_begin(&j, NULL, '{');
    dpl_json_number(&j, "n", UINT64_MAX);
    dpl_json_begin(&j, "empty", '{');
    dpl_json_end(&j, '}');
    dpl_json_begin(&j, "list", '[');
    dpl_json_bool(&j, NULL, true);
    dpl_json_bool(&j, NULL, false);
    dpl_json_end(&j, ']');
    dpl_json_raw(&j, "raw", DPL_STR("[1]"));
    dpl_json_raw(&j, "none", (dpl_str){0});
    dpl_json_end(&j, '}');
    CHECK_STR(written(),
              "{\"n\": 18446744073709551615, \"empty\": {}, \"list\": [true, false], "
              "\"raw\": [1], \"none\": null}");
}

DPL_TEST(json_writer, text_is_escaped_and_made_valid)
{
    dpl_json j = begin();
    dpl_json_cstr(&j, NULL, "a\"b\\c\n\t\x01\x7F/\xC3\xA4\xF0\x9F\x98\x80");
    CHECK_STR(written(), "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f/\xC3\xA4\xF0\x9F\x98\x80\"");
    j = begin();
    dpl_json_text(&j, NULL, (dpl_str){"\xFFx\xC3\0\xEF\xBF\xBD", 7});
    CHECK_STR(written(), "\"\xEF\xBF\xBDx\xEF\xBF\xBD\\u0000\xEF\xBF\xBD\"");
}

DPL_TEST(json_writer, real_numbers_are_numbers_or_null)
{
    dpl_json j = begin();
    dpl_json_begin(&j, NULL, '[');
    dpl_json_real(&j, NULL, 0.5);
    dpl_json_real(&j, NULL, 1e300);
    dpl_json_real(&j, NULL, NAN);
    dpl_json_real(&j, NULL, INFINITY);
    dpl_json_end(&j, ']');
    CHECK_STR(written(), "[0.5, 1e+300, null, null]");
}

DPL_TEST(json_writer, numbers_do_not_depend_on_the_locale)
{
    /* a locale with a decimal comma, where the machine has one */
    bool has_comma = setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL;
    dpl_json j = begin();
    dpl_json_begin(&j, NULL, '[');
    dpl_json_real(&j, NULL, -1234.5);
    dpl_json_real(&j, NULL, 1.5e-7);
    dpl_json_decimal(&j, NULL, 0.95);
    dpl_json_decimal(&j, NULL, 3);
    dpl_json_decimal(&j, NULL, -0.5);
    dpl_json_decimal(&j, NULL, NAN);
    dpl_json_end(&j, ']');
    CHECK_STR(written(), "[-1234.5, 1.5e-07, 0.95, 3, -0.5, null]");
    if (has_comma)
        setlocale(LC_NUMERIC, "C");
}

static void put_something(dpl_json *j)
{
    dpl_json_begin(j, NULL, '{');
    dpl_json_number(j, "a", 1);
    dpl_json_begin(j, "b", '{');
    dpl_json_number(j, "c", 2);
    dpl_json_null(j, "d");
    dpl_json_end(j, '}');
    dpl_json_begin(j, "e", '[');
    dpl_json_begin(j, NULL, '{');
    dpl_json_cstr(j, "f", NULL);
    dpl_json_end(j, '}');
    dpl_json_number(j, NULL, 4);
    dpl_json_end(j, ']');
    dpl_json_begin(j, "g", '[');
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

DPL_TEST(json_writer, styles_differ_in_white_space_only)
{
    dpl_json j = begin();
    j.style = DPL_JSON_COMPACT;
    put_something(&j);
    CHECK_STR(written(),
              "{\"a\":1,\"b\":{\"c\":2,\"d\":null},\"e\":[{\"f\":null},4],\"g\":[]}");
    j = begin();
    j.style = DPL_JSON_LINES;
    put_something(&j);
    CHECK_STR(written(), "{\n  \"a\": 1,\n  \"b\": {\"c\": 2, \"d\": null},\n  \"e\": [\n"
                         "    {\"f\": null},\n    4\n  ],\n  \"g\": []\n}");
}

DPL_TEST(json_writer, memory_takes_the_same_text)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_json j = begin();
    put_something(&j);
    dpl__json_text into = {.ctx = ctx};
    j = dpl__json_into(&into, DPL_JSON_SPACED);
    put_something(&j);
    CHECK(!into.has_failed && dpl__str_eq((dpl_str){into.bytes.data, into.bytes.n}, written()));
    dpl__vec_clear(ctx, &into.bytes);
    test_ctx_done(ctx);
}
