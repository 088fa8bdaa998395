#include "base/json_writer.h"
#include "base/options.h"
#include "test.h"

#include <locale.h>
#include <stdio.h>

/* A struct with a field of every type. */
typedef struct inner_options {
    unsigned depth;
    const char *file;
} inner_options;

typedef struct all_options {
    size_t size;
    bool is_on;
    unsigned count;
    uint64_t bytes;
    int bound;
    double share;
    unsigned kind;
    const char *lang[2];
    inner_options nested;
    const inner_options *given;
    void *user;
} all_options;

static const char *kind_name(unsigned i)
{
    static const char *const names[] = {"first", "", "third"};
    return i < DPL_LEN(names) ? names[i] : NULL;
}

static const dpl_option inner[] = {
    {.name = "depth",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(inner_options, depth),
     .changes_result = true},
    {.name = "file", .type = DPL_OPTION_FILE_IN, DPL__FIELD(inner_options, file)},
};
const dpl_option_table *dpl__inner_option_table(void);
DPL__OPTION_TABLE(inner, inner_options, inner)

static const dpl_option all[] = {
    {.name = "on",
     .type = DPL_OPTION_FLAG,
     DPL__FIELD(all_options, is_on),
     .changes_result = true},
    {.name = "count",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(all_options, count),
     .min = 1,
     .max = 8},
    {.name = "bytes", .type = DPL_OPTION_SIZE, DPL__FIELD(all_options, bytes), .min = 1},
    {.name = "bound",
     .type = DPL_OPTION_INTEGER,
     DPL__FIELD(all_options, bound),
     .has_zero = true},
    {.name = "share",
     .type = DPL_OPTION_REAL,
     DPL__FIELD(all_options, share),
     .least = 0,
     .most = 1,
     .has_zero = true,
     .changes_result = true},
    {.name = "kind",
     .type = DPL_OPTION_CHOICE,
     DPL__FIELD(all_options, kind),
     .choice = kind_name},
    {.name = "left-lang", .type = DPL_OPTION_TEXT, DPL__FIELD(all_options, lang[0])},
    {.name = "right-lang", .type = DPL_OPTION_TEXT, DPL__FIELD(all_options, lang[1])},
    {.name = "nested",
     .type = DPL_OPTION_GROUP,
     DPL__FIELD(all_options, nested),
     .group = dpl__inner_option_table,
     .changes_result = true},
    {.name = "given",
     .type = DPL_OPTION_GROUP,
     DPL__FIELD(all_options, given),
     .group = dpl__inner_option_table,
     .changes_result = true},
    {.name = "user", .type = DPL_OPTION_OTHER, DPL__FIELD(all_options, user)},
};
const dpl_option_table *dpl__all_option_table(void);
DPL__OPTION_TABLE(all, all_options, all)

static all_options some;

static dpl_status set(const char *name, const char *text)
{
    return dpl_option_parse(&some, dpl__all_option_table(), name, text, &test_err);
}

/* The value in JSON; "" for a default. */
static const char *shown(const char *name)
{
    static char out[100];
    char key[40];
    dpl__json_text text = {.ctx = test_ctx(1)};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_options_json(&j, NULL, dpl__all_option_table(), &some, false);
    CHECK(dpl__vec_push(text.ctx, &text.bytes, 0));
    snprintf(key, sizeof key, "\"%s\":", name);
    for (char *p = key; *p; p++)
        *p = *p == '-' ? '_' : *p;
    const char *value = strstr(text.bytes.data, key);
    CHECK(value != NULL);
    value += strlen(key) + (value[strlen(key)] == '"');
    snprintf(out, sizeof out, "%.*s", (int)strcspn(value, ",}\""), value);
    if (strcmp(out, "null") == 0)
        out[0] = 0;
    dpl__vec_clear(text.ctx, &text.bytes);
    test_ctx_done(text.ctx);
    return out;
}

static void begin(void)
{
    some = (all_options){.size = sizeof some};
}

DPL_TEST(options, what_is_printed_is_parsed_back)
{
    static const char *const cases[][2] = {
        {"on", "true"},      {"on", "false"},
        {"count", "8"},      {"bytes", "123456789012"},
        {"bound", "0"},      {"bound", "17"},
        {"share", "0"},      {"share", "0.1"},
        {"share", "1e-05"},  {"share", "0.3333333333333333"},
        {"kind", "third"},   {"kind", "first"},
        {"left-lang", "de"}, {"right-lang", "en"},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        begin();
        CHECK_OK(set(cases[i][0], cases[i][1]));
        CHECK_STR(dpl__cstr(shown(cases[i][0])), cases[i][1]);
    }
    begin();
    CHECK_STR(dpl__cstr(shown("share")), "");
    CHECK_OK(set("bytes", "1.5K"));
    CHECK_EQ(some.bytes, 1536);
    CHECK_OK(set("share", "0"));
    CHECK(some.share == -1);
}

DPL_TEST(options, what_does_not_fit_changes_nothing)
{
    static const char *const cases[][2] = {
        {"on", "yes"},    {"count", "0"},  {"count", "9"},   {"count", "4294967297"},
        {"count", "1x"},  {"bytes", "-1"}, {"share", "1.5"}, {"share", "nan"},
        {"share", "0,5"}, {"kind", ""},    {"kind", "two"},  {"nested", "1"},
        {"user", "1"},    {"nope", "1"},   {"bound", "-1"},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        begin();
        all_options before = some;
        CHECK_EQ(set(cases[i][0], cases[i][1]), DPL_E_USAGE);
        CHECK(memcmp(&before, &some, sizeof some) == 0);
    }
    set("count", "9");
    CHECK_STR(dpl__cstr(test_err.text),
              "bad value '9' for 'count': expected a number from 1 to 8");
    set("kind", "two");
    CHECK_STR(dpl__cstr(test_err.text), "bad value 'two' for 'kind': expected first or third");
}

DPL_TEST(options, numbers_have_a_point_in_every_locale)
{
    bool has_comma = setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL;
    begin();
    CHECK_OK(set("share", "0.25"));
    CHECK(some.share == 0.25);
    CHECK_STR(dpl__cstr(shown("share")), "0.25");
    if (has_comma)
        setlocale(LC_NUMERIC, "C");
}

DPL_TEST(options, the_first_difference_is_told)
{
    const dpl_option_table *t = dpl__all_option_table();
    begin();
    all_options other = some;
    inner_options given = {0};
    other.given = &given; /* the same as NULL: all defaults */
    CHECK(!dpl__options_differ(t, &some, &other, false) &&
          !dpl__options_differ(t, &some, NULL, false));
    given.file = "x";
    const dpl_option *o = dpl__options_differ(t, &some, &other, false);
    CHECK(o && strcmp(o->name, "file") == 0);
    CHECK(
        !dpl__options_differ(t, &some, &other, true)); /* a file does not change this result */
    given.depth = 2;
    o = dpl__options_differ(t, &some, &other, true);
    CHECK(o && strcmp(o->name, "depth") == 0);
    other.share = -2;
    some.share = -1; /* both are 0 */
    o = dpl__options_differ(t, &some, &other, true);
    CHECK(o && strcmp(o->name, "depth") == 0);
    other.is_on = true;
    o = dpl__options_differ(t, &some, &other, true);
    CHECK(o && strcmp(o->name, "on") == 0);
}

DPL_TEST(options, a_smaller_struct_of_an_older_program_is_left_alone)
{
    begin();
    some.count = 3;
    some.share = 0.5;
    some.size = offsetof(all_options, share); /* it ends there */
    CHECK_EQ(set("share", "0.25"), DPL_E_USAGE);
    CHECK(some.share == 0.5);
    CHECK_STR(dpl__cstr(shown("count")), "3");
    CHECK_STR(dpl__cstr(shown("share")), "");
}

DPL_TEST(options, all_of_them_are_one_object)
{
    dpl_ctx *ctx = test_ctx(1);
    begin();
    inner_options given = {.depth = 7};
    some.given = &given;
    some.share = -1;
    some.kind = 2;
    some.lang[1] = "en";
    dpl__json_text text = {.ctx = ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_options_json(&j, NULL, dpl__all_option_table(), &some, false);
    CHECK(dpl__vec_push(ctx, &text.bytes, 0));
    CHECK_STR(
        dpl__cstr(text.bytes.data),
        "{\"on\":false,\"count\":null,\"bytes\":null,\"bound\":null,\"share\":0,"
        "\"kind\":\"third\",\"left_lang\":null,\"right_lang\":\"en\",\"nested\":{\"depth\":"
        "null,\"file\":null},\"given\":{\"depth\":7,\"file\":null}}");
    text.bytes.n = 0;
    j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_options_json(&j, NULL, dpl__all_option_table(), NULL, true);
    CHECK(dpl__vec_push(ctx, &text.bytes, 0));
    CHECK_STR(dpl__cstr(text.bytes.data),
              "{\"on\":false,\"share\":null,\"nested\":{\"depth\":null},"
              "\"given\":{\"depth\":null}}");
    dpl__vec_clear(ctx, &text.bytes);
    test_ctx_done(ctx);
}

/* ---- numbers ------------------------------------------------------------------------ */

static bool is_size(const char *text, uint64_t bytes)
{
    uint64_t n = 0;
    return dpl_parse_size(&n, text) && n == bytes;
}

DPL_TEST(options, sizes_are_bytes_with_binary_units)
{
    CHECK(is_size("0", 0));
    CHECK(is_size("800000", 800000));
    CHECK(is_size("1b", 1));
    CHECK(is_size("1k", 1 << 10));
    CHECK(is_size("512M", 512 << 20));
    CHECK(is_size("2G", (uint64_t)2 << 30));
    CHECK(is_size("1.5GiB", (uint64_t)3 << 29));
    CHECK(is_size("1.25kb", 1280));
    CHECK(is_size("3Ti", (uint64_t)3 << 40));
    CHECK(is_size("0.0009765625M", 1023)); /* six digits count */
    CHECK(is_size("18446744073709551615", UINT64_MAX));
}

DPL_TEST(options, what_is_no_size_is_refused)
{
    static const char *const bad[] = {"",
                                      "M",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 M",
                                      "1.",
                                      ".5",
                                      "1.5.",
                                      "1MM",
                                      "1iB",
                                      "1X",
                                      "1e3",
                                      "0x10M",
                                      "1Mib ",
                                      "16777216T",
                                      "18446744073709551616"};
    uint64_t n;
    for (size_t i = 0; i < DPL_LEN(bad); i++)
        if (dpl_parse_size(&n, bad[i]))
            dpl__test_fail(__FILE__, __LINE__, "'%s' was taken for %llu", bad[i],
                           (unsigned long long)n);
}

DPL_TEST(options, numbers_are_digits_only)
{
    uint64_t n;
    CHECK(dpl_parse_number(&n, "18446744073709551615") && n == UINT64_MAX);
    CHECK(!dpl_parse_number(&n, "18446744073709551616"));
    CHECK(!dpl_parse_number(&n, "-1"));
    CHECK(!dpl_parse_number(&n, "1x"));
    CHECK(!dpl_parse_number(&n, ""));
}

static bool is_real(const char *text, double value)
{
    double x = 0;
    return dpl_parse_real(&x, text) && x == value;
}

DPL_TEST(options, reals_are_decimal_and_finite)
{
    CHECK(is_real("0", 0));
    CHECK(is_real("0.3", 0.3));
    CHECK(is_real(".5", 0.5));
    CHECK(is_real("2.", 2));
    CHECK(is_real("-1.5", -1.5));
    CHECK(is_real("1e-3", 0.001));
    CHECK(is_real("+2E2", 200));
    static const char *const bad[] = {"",     ".",  "-",  "e",   "1e",    "nan", "inf", "1e999",
                                      "0x10", " 1", "1 ", "1,5", "1.2.3", "--1", "1e+", "0.3x"};
    double x;
    for (size_t i = 0; i < DPL_LEN(bad); i++)
        if (dpl_parse_real(&x, bad[i]))
            dpl__test_fail(__FILE__, __LINE__, "'%s' was taken for %g", bad[i], x);
}
