#include "cli/json.h"
#include "test.h"

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

static cli_json begin(void)
{
    n_text = 0;
    return (cli_json){.put = collect};
}

static dpl_str written(void)
{
    return (dpl_str){text, n_text};
}

DPL_TEST(cli_json, values_are_separated_and_nested)
{
    cli_json j = begin();
    cli_json_begin(&j, NULL, '{');
    cli_json_number(&j, "n", UINT64_MAX);
    cli_json_begin(&j, "empty", '{');
    cli_json_end(&j, '}');
    cli_json_begin(&j, "list", '[');
    cli_json_bool(&j, NULL, true);
    cli_json_bool(&j, NULL, false);
    cli_json_end(&j, ']');
    cli_json_raw(&j, "raw", DPL_STR("[1]"));
    cli_json_raw(&j, "none", (dpl_str){0});
    cli_json_end(&j, '}');
    CHECK_STR(written(),
              "{\"n\": 18446744073709551615, \"empty\": {}, \"list\": [true, false], "
              "\"raw\": [1], \"none\": null}");
}

DPL_TEST(cli_json, text_is_escaped_and_made_valid)
{
    cli_json j = begin();
    cli_json_cstr(&j, NULL, "a\"b\\c\n\t\x01\x7F/\xC3\xA4\xF0\x9F\x98\x80");
    CHECK_STR(written(), "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f/\xC3\xA4\xF0\x9F\x98\x80\"");
    j = begin();
    cli_json_text(&j, NULL, (dpl_str){"\xFFx\xC3\0\xEF\xBF\xBD", 7});
    CHECK_STR(written(), "\"\xEF\xBF\xBDx\xEF\xBF\xBD\\u0000\xEF\xBF\xBD\"");
}

DPL_TEST(cli_json, real_numbers_are_numbers_or_null)
{
    cli_json j = begin();
    cli_json_begin(&j, NULL, '[');
    cli_json_real(&j, NULL, 0.5);
    cli_json_real(&j, NULL, 1e300);
    cli_json_real(&j, NULL, NAN);
    cli_json_real(&j, NULL, INFINITY);
    cli_json_end(&j, ']');
    CHECK_STR(written(), "[0.5, 1e+300, null, null]");
}
