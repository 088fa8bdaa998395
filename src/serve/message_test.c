#include "serve/query_body.h"
#include "serve/serve_test.h"

#include "base/hash.h"
#include "base/options.h"

DPL_TEST(message, a_target_is_split_and_decoded)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__answer a;
    dpl__parameters p;
    dpl_str path, q = {0};
    uint64_t top = 7;
    dpl__answer_init(&a, ctx);
    CHECK(dpl__target_parse(&path, &p, DPL_STR("/a%20b/c?q=x+y%C3%A4&&top=3&q=no&e"), &a));
    CHECK_STR(path, "/a b/c");
    CHECK_EQ(p.n, 4);
    CHECK(dpl__parameter_text(&q, &p, "q", 4, &a));
    CHECK_STR(q, "x y\xC3\xA4");
    CHECK(!dpl__parameter_text(&q, &p, "q", 3, &a));
    CHECK_EQ(a.status, 400);
    CHECK(dpl__parameter_count(&top, &p, "top", 1, 3, &a));
    CHECK_EQ(top, 3);
    CHECK(dpl__parameter_count(&top, &p, "none", 1, 3, &a));
    CHECK(!dpl__parameter_count(&top, &p, "top", 1, 2, &a));
    CHECK(!dpl__parameter_count(&top, &p, "e", 1, 2, &a));
    dpl__answer_clear(&a);
    test_ctx_done(ctx);
}

DPL_TEST(message, what_is_not_percent_encoded_utf8_is_refused)
{
    static const char *const bad[] = {"/%",       "/%4",    "/%zz", "/%ff",
                                      "/x?a=%c3", "/x?%=1", "/\xff"};
    dpl_ctx *ctx = test_ctx(1);
    dpl__answer a;
    dpl__parameters p;
    dpl_str path;
    dpl__answer_init(&a, ctx);
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        dpl__answer_reset(&a);
        CHECK(!dpl__target_parse(&path, &p, dpl__cstr(bad[i]), &a));
        CHECK_EQ(a.status, 400);
    }
    char many[200] = "/?";
    for (int i = 0; i <= DPL__MOST_PARAMETERS; i++)
        strcat(many, "a&");
    CHECK(!dpl__target_parse(&path, &p, dpl__cstr(many), &a));
    dpl__answer_clear(&a);
    test_ctx_done(ctx);
}

DPL_TEST(message, numbers_choices_and_types_are_strict)
{
    uint64_t n;
    double x;
    CHECK(dpl__digits(&n, DPL_STR("18446744073")) && n == 18446744073u);
    CHECK(!dpl__digits(&n, DPL_STR("")) && !dpl__digits(&n, DPL_STR("1 ")));
    CHECK(!dpl__digits(&n, DPL_STR("-1")) && !dpl__digits(&n, DPL_STR("9999999999999999999")));
    CHECK(dpl__parse_real(&x, DPL_STR("0.25")) && x == 0.25);
    CHECK(!dpl__parse_real(&x, DPL_STR("")) && !dpl__parse_real(&x, DPL_STR("x")));
    CHECK(!dpl__parse_real(&x, (dpl_str){"0.5\0001", 5}));
    CHECK(dpl__has_type(DPL_STR("Application/JSON; charset=utf-8"), "application/json"));
    CHECK(!dpl__has_type(DPL_STR("application/jsonp"), "application/json"));
    CHECK(!dpl__has_type(DPL_STR("text"), "text/plain"));
    CHECK(dpl__has_part(DPL_STR("The Old House"), DPL_STR("old h")));
    CHECK(!dpl__has_part(DPL_STR("The"), DPL_STR("they")) &&
          dpl__has_part(DPL_STR("x"), DPL_STR("")));
}

typedef struct asked_case {
    const char *type, *body;
    unsigned status; /* 0: good */
} asked_case;

DPL_TEST(message, the_body_of_a_query_is_checked)
{
    static const asked_case cases[] = {
        {"text/plain", "any text", 0},
        {"application/json", "{\"text\": \"t\", \"top\": 5, \"threshold\": 0, \"lang\": null}",
         0},
        {"application/json", "{\"text\": \"\", \"lang\": \"zh-Hant\", \"more\": [1, {}]}", 0},
        {"application/json", "{\"text\": \"t\", \"top\": 1e1, \"passages\": true, \"only\": 3}",
         0},
        {"", "x", 415},
        {"text/html", "x", 415},
        {"text/plain", "\xff", 400},
        {"application/json", "", 400},
        {"application/json", "[]", 400},
        {"application/json", "{}", 400},
        {"application/json", "{\"text\": 1}", 400},
        {"application/json", "{\"text\": \"t\"} x", 400},
        {"application/json", "{\"text\": \"t\", \"top\": 0}", 400},
        {"application/json", "{\"text\": \"t\", \"top\": 101}", 400},
        {"application/json", "{\"text\": \"t\", \"top\": 1.5}", 400},
        {"application/json", "{\"text\": \"t\", \"top\": \"1\"}", 400},
        {"application/json", "{\"text\": \"t\", \"threshold\": 1.01}", 400},
        {"application/json", "{\"text\": \"t\", \"threshold\": null}", 400},
        {"application/json", "{\"text\": \"t\", \"lang\": \"d/e\"}", 400},
        {"application/json", "{\"text\": \"t\", \"lang\": \"longer-than-that\"}", 400},
        {"application/json", "{\"text\": \"t\", \"passages\": 1}", 400},
        {"application/json", "{\"text\": \"t\", \"only\": -1}", 400},
    };
    dpl_ctx *ctx = test_ctx(1);
    dpl__answer a;
    dpl__asked asked;
    dpl__answer_init(&a, ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl__request r = {.content_type = dpl__cstr(cases[i].type),
                                .body = dpl__cstr(cases[i].body)};
        dpl__answer_reset(&a);
        const bool is_good = dpl__asked_by_body(&asked, &a, &r);
        CHECK_EQ(is_good, cases[i].status == 0);
        CHECK_EQ(a.status, cases[i].status);
    }
    dpl__answer_clear(&a);
    test_ctx_done(ctx);
}
