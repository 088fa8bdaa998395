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

/* ---- paths and parameters ---------------------------------------------------------- */

DPL_TEST(message, a_path_matches_its_pattern_part_by_part)
{
    static const struct {
        const char *pattern, *path, *part; /* NULL: it does not match */
    } cases[] = {{"/documents", "/documents", ""},
                 {"/documents", "/document", NULL},
                 {"/documents", "/documents/", NULL},
                 {"/documents/#", "/documents/12", "12"},
                 {"/documents/#", "/documents/", NULL},
                 {"/documents/#", "/documents", NULL},
                 {"/documents/#", "/documents/1/2", NULL},
                 {"/documents/#/similar", "/documents/x y/similar", "x y"},
                 {"/documents/#/similar", "/documents//similar", NULL},
                 {"/documents/#/similar", "/documents/1/simila", NULL},
                 {"/documents/#/similar", "/documents/1/similar2", NULL},
                 {"/", "/", ""},
                 {"/", "", NULL}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_str part = DPL_STR("old");
        CHECK_EQ(dpl__path_matches(cases[i].pattern, dpl__cstr(cases[i].path), &part),
                 cases[i].part != NULL);
        if (cases[i].part)
            CHECK_STR(part, cases[i].part);
    }
}

/* In any case of ASCII letters; against a search at every place. */
DPL_TEST(message, a_part_is_found_wherever_it_is)
{
    static const char letters[] = "aAbB[{@`";
    dpl__rng rng = {91};
    size_t n_found = 0;
    for (int round = 0; round < 20000; round++) {
        char text[12], part[4];
        const size_t n = dpl__rng_below(&rng, sizeof text),
                     m = dpl__rng_below(&rng, sizeof part);
        for (size_t i = 0; i < n; i++)
            text[i] = letters[dpl__rng_below(&rng, sizeof letters - 1)];
        for (size_t i = 0; i < m; i++)
            part[i] = letters[dpl__rng_below(&rng, sizeof letters - 1)];
        bool is_there = m == 0;
        for (size_t i = 0; i + m <= n && !is_there; i++) {
            size_t k = 0;
            while (k < m && (text[i + k] == part[k] ||
                             ((text[i + k] ^ part[k]) == 0x20 && (text[i + k] | 32) >= 'a' &&
                              (text[i + k] | 32) <= 'z')))
                k++;
            is_there = k == m;
        }
        CHECK_EQ(dpl__has_part((dpl_str){text, n}, (dpl_str){part, m}), is_there);
        n_found += is_there && m;
    }
    CHECK(n_found > 2000);
}

DPL_TEST(message, parameters_are_what_they_must_be_or_the_answer_says_so)
{
    static const char *const colours[] = {"red", "green", NULL};
    static const struct {
        const char *target;
        bool share, choice, flag;
        double value;
        unsigned number;
        bool is_set;
    } cases[] = {{"/", true, true, true, 9, 9, false},
                 {"/?s=0&c=red&b=true", true, true, true, 0, 0, true},
                 {"/?s=1&c=green&b=false", true, true, true, 1, 1, false},
                 {"/?s=0.5&c=Red&b=1", true, false, false, 0.5, 9, false},
                 {"/?s=1.0001&c=&b=", false, false, false, 9, 9, false},
                 {"/?s=-0.1&c=blue&b=True", false, false, false, 9, 9, false},
                 {"/?s=x&c=redgreen", false, false, true, 9, 9, false},
                 {"/?s=nan", false, true, true, 9, 9, false}};
    dpl_ctx *ctx = test_ctx(1);
    dpl__answer a;
    dpl__answer_init(&a, ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__parameters p;
        dpl_str path;
        double share = 9;
        unsigned choice = 9;
        bool flag = false;
        dpl__answer_reset(&a);
        CHECK(dpl__target_parse(&path, &p, dpl__cstr(cases[i].target), &a));
        CHECK_EQ(dpl__parameter_share(&share, &p, "s", &a), cases[i].share);
        CHECK_EQ(a.status, cases[i].share ? 0 : 400);
        CHECK(!cases[i].share || share == cases[i].value);
        a.status = 0;
        CHECK_EQ(dpl__parameter_choice(&choice, &p, "c", colours, &a), cases[i].choice);
        CHECK_EQ(a.status, cases[i].choice ? 0 : 400);
        CHECK_EQ(choice, cases[i].number);
        if (!cases[i].choice)
            CHECK(serve_test_has(&a, "'c' must be one of: red, green"));
        a.status = 0;
        CHECK_EQ(dpl__parameter_bool(&flag, &p, "b", &a), cases[i].flag);
        CHECK_EQ(a.status, cases[i].flag ? 0 : 400);
        CHECK_EQ(flag, cases[i].is_set);
    }
    uint64_t n = 5;
    CHECK(dpl__digits(&n, DPL_STR("999999999999999999")) && n == 999999999999999999u);
    CHECK(!dpl__digits(&n, DPL_STR("1000000000000000000"))); /* 19 digits */
    CHECK(dpl__digits(&n, DPL_STR("007")) && n == 7);
    dpl__answer_clear(&a);
    test_ctx_done(ctx);
}

/* What the library says of it decides what the client can do: less, otherwise, or nothing. */
DPL_TEST(message, failures_have_the_status_that_says_whose_they_are)
{
    static const struct {
        dpl_status status;
        unsigned code;
        const char *name;
    } cases[] = {{DPL_E_NOMEM, 503, "busy"},        {DPL_E_LIMIT, 503, "busy"},
                 {DPL_E_USAGE, 400, "bad-request"}, {DPL_E_IO, 500, "failed"},
                 {DPL_E_FORMAT, 500, "failed"},     {DPL_E_UNSUPPORTED, 500, "failed"}};
    dpl_ctx *ctx = test_ctx(1);
    dpl__answer a;
    dpl__answer_init(&a, ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        for (int has_text = 0; has_text < 2; has_text++) {
            dpl_error err = {0};
            char expected[200];
            if (has_text) {
                snprintf(err.text, sizeof err.text, "it is \"so\"");
                snprintf(err.hint, sizeof err.hint, "do it");
            }
            dpl__answer_reset(&a);
            dpl__answer_failure(&a, cases[i].status, &err);
            snprintf(expected, sizeof expected,
                     "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"%s}}", cases[i].name,
                     has_text ? "it is \\\"so\\\"" : dpl_status_name(cases[i].status),
                     has_text ? ",\"hint\":\"do it\"" : "");
            CHECK_EQ(a.status, cases[i].code);
            CHECK_STR(dpl__answer_body(&a), expected);
            CHECK_STR(dpl__cstr(a.type), "application/json");
        }
    dpl__answer_clear(&a);
    test_ctx_done(ctx);
}

DPL_TEST(message, a_query_by_parameters_has_its_bounds_and_defaults)
{
    static const struct {
        const char *target;
        bool is_good;
        uint64_t top, terms, only;
        double threshold;
        bool has_passages;
    } cases[] = {
        {"/", true, 10, 8, UINT64_MAX, 0, false},
        {"/?top=1&terms=0&only=0&threshold=0&passages=true", true, 1, 0, 0, 1e-6, true},
        {"/?top=100&terms=50&only=4294967295&threshold=1", true, 100, 50, UINT32_MAX, 1, false},
        {"/?threshold=0.25", true, 10, 8, UINT64_MAX, 0.25, false},
        {"/?top=0", false, 0, 0, 0, 0, false},
        {"/?top=101", false, 0, 0, 0, 0, false},
        {"/?terms=51", false, 0, 0, 0, 0, false},
        {"/?only=4294967296", false, 0, 0, 0, 0, false},
        {"/?only=-1", false, 0, 0, 0, 0, false},
        {"/?threshold=1.1", false, 0, 0, 0, 0, false},
        {"/?passages=yes", false, 0, 0, 0, 0, false}};
    dpl_ctx *ctx = test_ctx(1);
    dpl__answer a;
    dpl__answer_init(&a, ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__call call = {0};
        dpl__asked asked;
        dpl_str path;
        dpl__answer_reset(&a);
        CHECK(dpl__target_parse(&path, &call.parameters, dpl__cstr(cases[i].target), &a));
        CHECK_EQ(dpl__asked_by_parameters(&asked, &a, &call), cases[i].is_good);
        CHECK_EQ(a.status, cases[i].is_good ? 0 : 400);
        if (!cases[i].is_good)
            continue;
        CHECK_EQ(asked.top, cases[i].top);
        CHECK_EQ(asked.terms, cases[i].terms);
        CHECK_EQ(asked.only, cases[i].only);
        CHECK_EQ(asked.has_only, cases[i].only != UINT64_MAX);
        CHECK(asked.threshold == cases[i].threshold);
        CHECK_EQ(asked.has_passages, cases[i].has_passages);
    }
    dpl__answer_clear(&a);
    test_ctx_done(ctx);
}

/* What a body says is what is asked. */
DPL_TEST(message, a_query_by_body_is_read)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__answer a;
    dpl__asked asked;
    dpl__answer_init(&a, ctx);
    dpl__request r = {.content_type = DPL_STR("application/json"),
                      .body = DPL_STR("{\"text\":\"a\\u00e9\",\"lang\":\"zh-Hant\",\"top\":100,"
                                      "\"terms\":50,\"only\":7,\"threshold\":0,"
                                      "\"passages\":true}")};
    CHECK(dpl__asked_by_body(&asked, &a, &r));
    CHECK_STR(asked.text, "a\xC3\xA9");
    CHECK_STR(dpl__cstr(asked.lang), "zh-Hant");
    CHECK_EQ(asked.top, 100);
    CHECK_EQ(asked.terms, 50);
    CHECK(asked.has_only && asked.only == 7);
    CHECK(asked.threshold == 1e-6 && asked.has_passages);
    r.body = DPL_STR("{\"text\":\"\",\"passages\":false,\"lang\":\"elevenchars\"}");
    CHECK(dpl__asked_by_body(&asked, &a, &r));
    CHECK(asked.top == 10 && asked.terms == 8 && !asked.has_only && !asked.has_passages);
    CHECK(asked.threshold == 0 && asked.text.n == 0);
    CHECK_STR(dpl__cstr(asked.lang), "elevenchars");
    r.body = DPL_STR("{\"text\":\"t\",\"lang\":\"de\"}");
    CHECK(dpl__asked_by_body(&asked, &a, &r));
    CHECK_STR(dpl__cstr(asked.lang), "de");
    static const char *const bad[] = {"\"twelve-chars\"", "\"d\"",   "\"\"", "\"de-\"",
                                      "\"-de\"",          "\"d-e\"", "5",    "\"d e\""};
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        char body[80];
        snprintf(body, sizeof body, "{\"text\":\"t\",\"lang\":%s}", bad[i]);
        r.body = dpl__cstr(body);
        CHECK(!dpl__asked_by_body(&asked, &a, &r));
        CHECK(serve_test_has(&a, "'lang' must be the code of a language"));
    }
    r.content_type = DPL_STR("text/plain");
    r.body = DPL_STR("{\"text\":1}");
    CHECK(dpl__asked_by_body(&asked, &a, &r));
    CHECK_STR(asked.text, "{\"text\":1}");
    CHECK_STR(dpl__cstr(asked.lang), "");
    dpl__answer_clear(&a);
    test_ctx_done(ctx);
}
