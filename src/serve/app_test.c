#include "serve/access_log.h"
#include "serve/serve_test.h"

#include <unistd.h>

#include <stdlib.h>

/* ---- checks of every request -------------------------------------------------------- */

typedef struct world {
    dpl_ctx *ctx;
    dpl__app *app;
    dpl__answer answer;
} world;

static world begin(const char *name)
{
    world w = {.ctx = test_ctx(1)};
    const char *folder = serve_test_folder(name);
    serve_test_documents(w.ctx, folder);
    CHECK_OK(dpl__app_open(&w.app, w.ctx, folder, NULL, &test_err));
    dpl__answer_init(&w.answer, w.ctx);
    return w;
}

static void end(world *w)
{
    dpl__answer_clear(&w->answer);
    dpl__app_close(w->app);
    test_ctx_done(w->ctx);
}

DPL_TEST(app, a_token_is_wanted_everywhere_but_for_the_health)
{
    static const char token[] = "correct-horse-battery-staple";
    static const struct {
        const char *target, *authorization;
        unsigned status;
    } cases[] = {
        {"/healthz", "", 200},
        {"/", "", 401},
        {"/metrics", "", 401},
        {"/nothing", "", 401},
        {"/api/v1/info", "Bearer correct-horse-battery-staple", 200},
        {"/api/v1/info", "bearer correct-horse-battery-staple", 200},
        {"/api/v1/info", "Bearer correct-horse-battery-stapl", 401},
        {"/api/v1/info", "Bearer correct-horse-battery-staple ", 401},
        {"/api/v1/info", "correct-horse-battery-staple", 401},
        {"/api/v1/info", "Bearer ", 401},
        {"/", "Basic bWU6Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LXN0YXBsZQ==", 200}, /* me:... */
        {"/", "Basic bWU6eA==", 401},
        {"/", "Basic !!!", 401},
        {"/api/v1/info?token=correct-horse-battery-staple", "", 401},
    };
    dpl_ctx *ctx = test_ctx(1);
    dpl__app *app;
    dpl__answer a;
    const char *folder = serve_test_folder("run");
    dpl_serve_options o =
        DPL_INIT(dpl_serve_options, .token = test_write("token", token, sizeof token - 1));
    CHECK_OK(dpl__app_open(&app, ctx, folder, &o, &test_err));
    dpl__answer_init(&a, ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl__request r = {.method = DPL_STR("GET"),
                                .target = dpl__cstr(cases[i].target),
                                .host = DPL_STR("127.0.0.1:80"),
                                .authorization = dpl__cstr(cases[i].authorization)};
        dpl__answer_reset(&a);
        dpl__app_answer(&a, app, &r);
        CHECK_EQ(a.status, cases[i].status);
        CHECK(!serve_test_has(&a, "correct-horse"));
    }
    dpl__answer_clear(&a);
    dpl__app_close(app);
    static const char *const bad[] = {"", "short", "with blanks in between",
                                      "line-end\x01-inside-of"};
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        o.token = test_write("token", bad[i], strlen(bad[i]));
        CHECK_EQ(dpl__app_open(&app, ctx, folder, &o, &test_err), DPL_E_FORMAT);
    }
    test_ctx_done(ctx);
}

DPL_TEST(app, paths_and_methods_have_their_status)
{
    static const struct {
        const char *method, *target;
        unsigned status;
    } cases[] = {
        {"GET", "/", 200},
        {"HEAD", "/", 200},
        {"GET", "/healthz", 200},
        {"GET", "/metrics", 200},
        {"GET", "/api/v1/info", 200},
        {"GET", "/api/v1/pairs", 200},
        {"GET", "/api/v1/pairs/2", 200},
        {"GET", "/api/v1/pairs/3", 404},
        {"GET", "/api/v1/pairs/x", 400},
        {"GET", "/api/v1/pairs/-1", 400},
        {"GET", "/api/v1/pairs/", 404},
        {"GET", "/api/v1/pairs//judgement", 404},
        {"GET", "/api/v1/pairs/0/judgement", 405},
        {"GET", "/api/v1/query", 405},
        {"POST", "/api/v1/query", 404},
        {"GET", "/api/v1/documents", 404},
        {"POST", "/", 405},
        {"OPTIONS", "/", 405},
        {"", "/", 405},
        {"GET", "", 404},
        {"GET", "/../etc/passwd", 404},
        {"GET", "//", 404},
        {"GET", "/%00", 404},
        {"GET", "/%", 400},
        {"GET", "/api/v1/pairs?limit=0", 400},
        {"GET", "/api/v1/pairs?limit=1001", 400},
        {"GET", "/api/v1/pairs?state=no", 400},
        {"GET", "/api/v1/pairs?min_confidence=2", 400},
        {"GET", "/api/v1/pairs?offset=4294967296", 400},
    };
    world w = begin("paths");
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const unsigned status =
            serve_test_ask(&w.answer, w.app, cases[i].method, cases[i].target, NULL);
        if (status != cases[i].status)
            dpl__test_fail(__FILE__, __LINE__, "%s %s: %u", cases[i].method, cases[i].target,
                           status);
    }
    end(&w);
}

DPL_TEST(app, a_foreign_host_is_refused)
{
    static const struct {
        const char *host;
        unsigned status;
    } cases[] = {
        {"", 200},
        {"127.0.0.1", 200},
        {"127.0.0.1:8080", 200},
        {"[::1]:8080", 200},
        {"localhost", 200},
        {"LocalHost:1", 200},
        {"my.site", 200},
        {"my.site:80", 200},
        {"evil.site", 421},
        {"localhost.evil", 421},
        {"my.site.evil", 421},
        {"evil:8080", 421},
        {"127.0.0.1:x", 421},
        {"[::1", 421},
        {":80", 421},
        {"my.site:80:80", 421},
    };
    world w = begin("hosts");
    w.app->options.hosts = "other,my.site";
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl__request r = {.method = DPL_STR("GET"),
                                .target = DPL_STR("/healthz"),
                                .host = dpl__cstr(cases[i].host)};
        dpl__answer_reset(&w.answer);
        dpl__app_answer(&w.answer, w.app, &r);
        if (w.answer.status != cases[i].status)
            dpl__test_fail(__FILE__, __LINE__, "'%s': %u", cases[i].host, w.answer.status);
    }
    end(&w);
}

DPL_TEST(app, another_site_cannot_judge)
{
    static const struct {
        const char *origin, *site;
        unsigned status;
    } cases[] = {
        {"", "", 200},
        {"http://localhost:8080", "same-origin", 200},
        {"https://localhost:8080", "", 200},
        {"http://localhost", "", 403},
        {"http://evil", "", 403},
        {"null", "", 403},
        {"http://localhost:8080.evil", "", 403},
        {"", "cross-site", 403},
        {"", "same-site", 403},
        {"", "none", 200},
    };
    world w = begin("origins");
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl__request r = {.method = DPL_STR("PUT"),
                                .target = DPL_STR("/api/v1/pairs/1/judgement"),
                                .host = DPL_STR("localhost:8080"),
                                .origin = dpl__cstr(cases[i].origin),
                                .fetch_site = dpl__cstr(cases[i].site),
                                .content_type = DPL_STR("application/json"),
                                .body = DPL_STR("{\"judgement\": \"open\"}")};
        dpl__answer_reset(&w.answer);
        dpl__app_answer(&w.answer, w.app, &r);
        if (w.answer.status != cases[i].status)
            dpl__test_fail(__FILE__, __LINE__, "'%s' '%s': %u", cases[i].origin, cases[i].site,
                           w.answer.status);
    }
    end(&w);
}

/* ---- files -------------------------------------------------------------------------- */

static unsigned send_file(world *w, const char *target, const char *type, dpl_str body)
{
    const dpl__request r = {.method = DPL_STR("POST"),
                            .target = dpl__cstr(target),
                            .content_type = dpl__cstr(type),
                            .body = body};
    dpl__answer_reset(&w->answer);
    dpl__app_answer(&w->answer, w->app, &r);
    return w->answer.status;
}

DPL_TEST(app, the_text_of_a_file_is_read)
{
    static const char type[] = "application/octet-stream";
    world w = begin("files");
    CHECK_EQ(send_file(&w, "/api/v1/text?name=a.html", type,
                       DPL_STR("<title>T</title><p lang=en>One <b>two</b>.</p>")),
             200);
    CHECK(serve_test_has(&w.answer, "\"title\":\"T\""));
    CHECK(serve_test_has(&w.answer, "\"text\":\"One two.\""));
    CHECK_EQ(send_file(&w, "/api/v1/text", type, (dpl_str){0}), 200);
    CHECK(serve_test_has(&w.answer, "\"text\":\"\""));
    CHECK_EQ(send_file(&w, "/api/v1/text", type, DPL_STR("\x89PNG\0\1\2")), 422);
    CHECK(serve_test_has(&w.answer, "file-image"));
    CHECK_EQ(send_file(&w, "/api/v1/text?name=a.pdf", type, DPL_STR("%PDF-1.4\n")), 422);
    CHECK(serve_test_has(&w.answer, "pdftotext"));
    CHECK_EQ(send_file(&w, "/api/v1/text", "text/plain", DPL_STR("a")), 415);
    end(&w);
}

/* ---- pairs -------------------------------------------------------------------------- */

DPL_TEST(app, pairs_are_filtered_and_ordered)
{
    static const struct {
        const char *target, *parts[3];
    } cases[] = {
        {"/api/v1/pairs", {"\"total\":3", "[{\"pair\":1", "\"c <b>\""}},
        {"/api/v1/pairs?order=file", {"\"total\":3", "[{\"pair\":0", NULL}},
        {"/api/v1/pairs?order=doubt&limit=1", {"\"total\":3", "[{\"pair\":1", NULL}},
        {"/api/v1/pairs?order=confidence&offset=1", {"[{\"pair\":2", "\"offset\":1", NULL}},
        {"/api/v1/pairs?min_confidence=0.6&max_confidence=0.9", {"\"total\":2", NULL, NULL}},
        {"/api/v1/pairs?q=BEH", {"\"total\":1", "[{\"pair\":1", NULL}},
        {"/api/v1/pairs?q=SCRIPT", {"\"total\":1", "\"<script>\"", NULL}},
        {"/api/v1/pairs?left_lang=de&right_lang=en", {"\"total\":3", NULL, NULL}},
        {"/api/v1/pairs?left_lang=fr", {"\"total\":0", "\"pairs\":[]", NULL}},
        {"/api/v1/pairs?state=rejected", {"\"total\":0", NULL, NULL}},
        {"/api/v1/pairs/0",
         {"\"left_text\":\"Eins\\nzwei. Drei. Zwei.", "\"right_text\":null",
          "\"left\":\"Eins  zwei.\",\"right\":\"One "
          "two.\",\"score\":0.9,\"left_span\":[0,10]"}},
        {"/api/v1/info", {"\"kind\":\"mine\"", "\"n_pairs\":3", "\"can_judge\":true"}},
        {"/api/v1/info", /* 0.3, 0.6 and 0.9 in steps of 0.05 */
         {"\"confidence\":{\"from\":0,\"to\":1,"
          "\"counts\":[0,0,0,0,0,0,1,0,0,0,0,0,1,0,0,0,0,1,0,0]}"}},
    };
    world w = begin("filters");
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        CHECK_EQ(serve_test_ask(&w.answer, w.app, "GET", cases[i].target, NULL), 200);
        for (size_t k = 0; k < 3 && cases[i].parts[k]; k++)
            if (!serve_test_has(&w.answer, cases[i].parts[k]))
                dpl__test_fail(__FILE__, __LINE__, "%s lacks %s: %.*s", cases[i].target,
                               cases[i].parts[k], (int)w.answer.text.bytes.n,
                               w.answer.text.bytes.data);
    }
    end(&w);
}

DPL_TEST(app, a_judgement_changes_the_state)
{
    static const char target[] = "/api/v1/pairs/1/judgement";
    static const struct {
        const char *body;
        unsigned status;
    } bad[] = {{"", 400},
               {"{}", 400},
               {"{\"judgement\": 1}", 400},
               {"{\"judgement\": \"maybe\"}", 400},
               {"{\"judgement\": \"accept\"", 400},
               {"[\"accept\"]", 400},
               {"\xff", 400}};
    world w = begin("states");
    for (size_t i = 0; i < DPL_LEN(bad); i++)
        CHECK_EQ(serve_test_ask(&w.answer, w.app, "PUT", target, bad[i].body), bad[i].status);
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "PUT", target, "{\"judgement\": \"reject\"}"),
             200);
    CHECK(serve_test_has(&w.answer, "\"state\":\"rejected\""));
    serve_test_ask(&w.answer, w.app, "GET", "/api/v1/pairs?state=rejected", NULL);
    CHECK(serve_test_has(&w.answer, "\"total\":1"));
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "PUT", "/api/v1/pairs/9/judgement",
                            "{\"judgement\": \"reject\"}"),
             404);
    CHECK_EQ(w.app->metrics.n_judgements, 1);
    w.app->place.now->mine->judgements.is_read_only = true;
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "PUT", target, "{\"judgement\": \"open\"}"), 403);
    end(&w);
}

/* ---- pages of files that are not there any more ------------------------------------------ */

static void touch(void *user)
{
    int *steps = user;
    ++*steps;
    if (*steps == 2)
        dpl_server_fault(); /* as the handler of SIGBUS does */
    ++*steps;
}

DPL_TEST(app, a_fault_ends_what_is_guarded_and_nothing_else)
{
    int steps = 1;
    CHECK(!dpl__guard(touch, &steps));
    CHECK_EQ(steps, 2);
    CHECK(dpl__guard(touch, &steps)); /* guards again, and without a fault goes to the end */
    CHECK_EQ(steps, 4);
    dpl_server_fault(); /* nothing is guarded: returns */
}

/* ---- log and metrics ---------------------------------------------------------------- */

DPL_TEST(app, a_line_of_the_log_stays_one_line)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes line = {0};
    const dpl__access access = {.client = "127.0.0.1",
                                .method = DPL_STR("GET"),
                                .target = DPL_STR("/\"\n\xff\\ ~\x7f"),
                                .version = DPL_STR("HTTP/1.1"),
                                .status = 200,
                                .n_bytes = 12,
                                .seconds = 0.5,
                                .is_complete = true};
    CHECK(dpl__access_line(ctx, &line, DPL_LOG_COMMON, &access, 86400));
    CHECK_STR(((dpl_str){line.data, line.n}),
              "127.0.0.1 - - [02/Jan/1970:00:00:00 +0000] "
              "\"GET /\\\"\\x0a\\xff\\\\ ~\\x7f HTTP/1.1\" 200 12");
    CHECK(dpl__access_line(ctx, &line, DPL_LOG_JSON, &access, 0));
    CHECK_STR(((dpl_str){line.data, line.n}),
              "{\"time\":\"1970-01-01T00:00:00Z\",\"client\":\"127.0.0.1\",\"method\":\"GET\","
              "\"path\":\"/\\\"\\n\xEF\xBF\xBD\\\\ "
              "~\\u007f\",\"status\":200,\"bytes\":12,\"micros\":500000,"
              "\"complete\":true}");
    dpl__vec_clear(ctx, &line);
    test_ctx_done(ctx);
}

DPL_TEST(app, durations_are_cumulative)
{
    dpl_ctx *ctx = test_ctx(1);
    static dpl__metrics m;
    dpl__bytes text = {0};
    dpl__metrics_count(&m, 1, 200, 0.00005, 10);
    dpl__metrics_count(&m, 1, 404, 0.003, 10);
    dpl__metrics_count(&m, 1, 500, 100, 10);
    CHECK(dpl__metrics_print(ctx, &text, &m, dpl__route_names, NULL, 0));
    CHECK(dpl__vec_push(ctx, &text, '\0'));
    CHECK(strstr(text.data, "{route=\"page\",code=\"4xx\"} 1\n"));
    CHECK(strstr(text.data, "{route=\"page\",le=\"0.0025\"} 1\n"));
    CHECK(strstr(text.data, "{route=\"page\",le=\"0.005\"} 2\n"));
    CHECK(strstr(text.data, "{route=\"page\",le=\"+Inf\"} 3\n"));
    CHECK(strstr(text.data, "_sum{route=\"page\"} 100.003050\n"));
    CHECK(strstr(text.data, "doppel_http_response_body_bytes_total 30\n"));
    dpl__vec_clear(ctx, &text);
    test_ctx_done(ctx);
}

static void write_pairs(const char *text)
{
    test_write("changing/pairs.tsv", text, strlen(text));
}

DPL_TEST(app, files_that_change_are_opened_again)
{
    world w = begin("changing");
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "GET", "/api/v1/pairs", NULL), 200);
    CHECK(serve_test_has(&w.answer, "\"total\":3"));
    CHECK_EQ(dpl__place_look(&w.app->place), DPL__NOTHING_NEW);
    write_pairs("a\tx\t0.900000\n");
    CHECK_EQ(dpl__place_look(&w.app->place), DPL__NOTHING_NEW); /* it may yet grow */
    CHECK_EQ(dpl__place_look(&w.app->place), DPL__OPENED_AGAIN);
    CHECK_EQ(dpl__place_look(&w.app->place), DPL__NOTHING_NEW);
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "GET", "/api/v1/pairs", NULL), 200);
    CHECK(serve_test_has(&w.answer, "\"total\":1"));
    /* mapped: what is overwritten is not read any more */
    CHECK(truncate(test_path("changing/sentences.tsv"), 4) == 0);
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "GET", "/api/v1/pairs/0", NULL), 503);
    CHECK(serve_test_has(&w.answer, "\"code\":\"changed\""));
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "GET", "/healthz", NULL), 200);
    test_write("changing/run.json", "{", 1);
    CHECK_EQ(dpl__place_look(&w.app->place), DPL__NOTHING_NEW);
    CHECK_EQ(dpl__place_look(&w.app->place), DPL__CANNOT_OPEN);
    CHECK_EQ(dpl__place_look(&w.app->place), DPL__NOTHING_NEW); /* not again and again */
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "GET", "/api/v1/pairs/0", NULL), 503);
    CHECK(serve_test_has(&w.answer, "run.json"));
    end(&w);
}
