#include "report/markup.h"

#include "test.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

/* What values become in a page. */
#define CHECK_PAGE(expected, ...)                                                              \
    do {                                                                                       \
        dpl_ctx *ctx = test_ctx(1);                                                            \
        dpl_output *o = NULL;                                                                  \
        const char *path = test_path("page");                                                  \
        CHECK_OK(dpl_output_new(&o, ctx, path, &test_err));                                    \
        dpl__markup_put(o, __VA_ARGS__);                                                       \
        CHECK_OK(dpl_output_finish(o, &test_err));                                             \
        dpl_output_free(o);                                                                    \
        size_t n;                                                                              \
        char *text = test_read(path, &n);                                                      \
        CHECK_STR(((dpl_str){text, n}), expected);                                             \
        free(text);                                                                            \
        test_ctx_done(ctx);                                                                    \
    } while (0)

DPL_TEST(page, escapes_text)
{
    CHECK_PAGE("<p title=\"&quot;&#39;\">&lt;b&gt; &amp;amp; \t\n&#13;</p>",
               "<p title=\"$\">$</p>", dpl__as_name("\"'"),
               dpl__as_text(DPL_STR("<b> &amp; \t\n\r")));
    CHECK_PAGE("$1 and nothing", "$ and $nothing", dpl__as_name("$1"), dpl__as_name(NULL));
}

DPL_TEST(page, replaces_what_xml_cannot_hold)
{
    CHECK_PAGE("a\xEF\xBF\xBD"
               "b\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD",
               "$", dpl__as_text(DPL_STR("a\0b\x1F\x7F\xC2\x85")));
    CHECK_PAGE("\xEF\xBF\xBD\xEF\xBF\xBDx\xC3\xA4\xEF\xBF\xBD", "$",
               dpl__as_text(DPL_STR("\xFF\x80x\xC3\xA4\xC3"))); /* no UTF-8 */
    CHECK_PAGE("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBC\xA1\xC2\xA0\xF0\x9F\x98\x80", "$",
               dpl__as_text(DPL_STR("\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBC\xA1\xC2\xA0\xF0\x9F\x98"
                                    "\x80")));
}

DPL_TEST(page, writes_numbers_the_same_in_every_locale)
{
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where there is one */
    CHECK_PAGE("0 999 1,000 18,446,744,073,709,551,615", "$ $ $ $", dpl__as_count(0),
               dpl__as_count(999), dpl__as_count(1000), dpl__as_count(UINT64_MAX));
    CHECK_PAGE("1,234.50 0.07 3 \xE2\x88\x92"
               "0.5 0.00",
               "$ $ $ $ $", dpl__as_fixed(1234.5, 2), dpl__as_fixed(0.0651, 2),
               dpl__as_fixed(2.5, 0), dpl__as_fixed(-0.5, 1), dpl__as_fixed(-0.001, 2));
    CHECK_PAGE("\xE2\x80\x93 \xE2\x80\x93 \xE2\x80\x93", "$ $ $", dpl__as_fixed(NAN, 2),
               dpl__as_fixed(INFINITY, 2), dpl__as_fixed(-1e300, 0));
    CHECK_PAGE("12345.5 -0.25 7 0 0", "$ $ $ $ $", dpl__as_place(12345.5), dpl__as_place(-0.25),
               dpl__as_place(7), dpl__as_place(NAN), dpl__as_place(-0.001));
    setlocale(LC_ALL, "C");
}

DPL_TEST(page, writes_seconds_as_people_say_them)
{
    CHECK_PAGE("0.04 s, 99.99 s, 100.0 s, 119.9 s", "$, $, $, $", dpl__as_seconds(0.04),
               dpl__as_seconds(99.99), dpl__as_seconds(99.999), dpl__as_seconds(119.9));
    CHECK_PAGE("12 min 5 s, 3 h 20 min, \xE2\x80\x93 s", "$, $, $", dpl__as_seconds(725),
               dpl__as_seconds(12000), dpl__as_seconds(NAN));
}
