#include "serve/mine_links.h"
#include "serve/serve_test.h"

#include <stdlib.h>

typedef struct world {
    dpl_ctx *ctx;
    dpl__app *app;
    dpl__answer answer;
    const char *folder;
} world;

static world begin(const char *name, bool has_documents)
{
    world w = {.ctx = test_ctx(1), .folder = serve_test_folder(name)};
    serve_test_links(name);
    if (has_documents)
        serve_test_documents(w.ctx, w.folder);
    CHECK_OK(dpl__app_open(&w.app, w.ctx, w.folder, NULL, &test_err));
    dpl__answer_init(&w.answer, w.ctx);
    return w;
}

static void end(world *w)
{
    dpl__answer_clear(&w->answer);
    dpl__app_close(w->app);
    test_ctx_done(w->ctx);
}

static unsigned ask(world *w, const char *target)
{
    return serve_test_ask(&w->answer, w->app, "GET", target, NULL);
}

DPL_TEST(link_api, lists_missing_links_then_suspicious_ones)
{
    world w = begin("lists", false);
    CHECK_EQ(ask(&w, "/api/v1/info"), 200);
    CHECK(serve_test_has(&w.answer, "\"links\":{\"n_missing\":1,\"n_suspicious\":1,"));
    CHECK_EQ(ask(&w, "/api/v1/links"), 200);
    CHECK(serve_test_has(&w.answer, "{\"links\":[{\"link\":0,\"kind\":\"missing\""));
    CHECK(serve_test_has(&w.answer, "\"link\":1,\"kind\":\"suspicious\""));
    CHECK(serve_test_has(&w.answer, "\"total\":2,"));
    static const char *const none[] = {"kind=missing&state=accepted", "q=nobody",
                                       "min_probability=0.96", "left_lang=fr", "offset=2"};
    static const char *const one[] = {"kind=missing", "kind=suspicious&state=open",
                                      "q=%3CSCRIPT", "min_probability=0.95",
                                      "right_lang=en&limit=1"};
    char target[100];
    for (size_t i = 0; i < DPL_LEN(none); i++) {
        snprintf(target, sizeof target, "/api/v1/links?%s", none[i]);
        CHECK_EQ(ask(&w, target), 200);
        CHECK(serve_test_has(&w.answer, "{\"links\":[],"));
        snprintf(target, sizeof target, "/api/v1/links?%s", one[i]);
        CHECK_EQ(ask(&w, target), 200);
        CHECK(serve_test_has(&w.answer, "\"link\":") && !serve_test_has(&w.answer, "},{"));
    }
    end(&w);
}

DPL_TEST(link_api, a_link_has_leads_words_and_sentences)
{
    world w = begin("one", true);
    CHECK_EQ(ask(&w, "/api/v1/links/0"), 200);
    CHECK(serve_test_has(&w.answer, "\"lead\":\"Eins\\nzwei. Drei. Zwei.\""));
    CHECK(serve_test_has(&w.answer,
                         "\"shared_words\":[[\"Eins\",\"One\"],[\"Drei\",\"Three\"]]"));
    CHECK(serve_test_has(&w.answer, "\"words\":[[0,4,0],[11,15,1]]"));
    CHECK(serve_test_has(&w.answer, "\"aligned\":[[0,10,1],[11,16,2],[17,22,3]]"));
    CHECK(serve_test_has(&w.answer, "{\"number\":2,\"left\":\"Drei.\",\"right\":\"Three.\","
                                    "\"score\":0.8,\"is_in_leads\":false,"
                                    "\"left_words\":[[0,4,1]],\"right_words\":[[0,5,1]]}"));
    CHECK(serve_test_has(&w.answer, "\"lead\":null")); /* no documents on the right */
    CHECK(serve_test_has(&w.answer, "\"left_share\":0.5,\"right_share\":0.25"));
    CHECK(serve_test_has(&w.answer, "\"title\":\"<script>\""));
    CHECK(serve_test_has(&w.answer, "\"address\":\"\""));
    CHECK_EQ(ask(&w, "/api/v1/links/1"), 200);
    CHECK(serve_test_has(&w.answer, "\"cosine\":0.04"));
    CHECK(
        serve_test_has(&w.answer, "\"role\":\"better_right\",\"pair\":1,\"confidence\":0.35,"));
    CHECK(serve_test_has(&w.answer, "\"left_share\":0.5,\"right_share\":0.75"));
    CHECK(serve_test_has(&w.answer, "\"role\":\"better_left\",\"pair\":2,\"confidence\":0.6,"));
    CHECK(serve_test_has(&w.answer, "\"shared_words\":[[\"Vier\",\"Four\"]]"));
    end(&w);
}

/* The answer to links.tsv, compared without its header. */
static void check_rows(world *w, const char *rows, const char *wanted)
{
    char target[100];
    snprintf(target, sizeof target, "/api/v1/links.tsv?rows=%s", rows);
    CHECK_EQ(ask(w, target), 200);
    CHECK(strcmp(w->answer.type, "text/tab-separated-values; charset=utf-8") == 0);
    const dpl_str body = dpl__answer_body(&w->answer);
    const char *line = memchr(body.data, '\n', body.n);
    CHECK(line != NULL);
    const dpl_str rest = {line + 1, body.n - (size_t)(line + 1 - body.data)};
    CHECK_STR(rest, wanted);
}

DPL_TEST(link_api, judgements_are_kept_and_give_lists_for_editors)
{
    static const char accept[] = "{\"judgement\": \"accept\"}",
                      reject[] = "{\"judgement\": \"reject\"}",
                      open[] = "{\"judgement\": \"open\"}";
    world w = begin("judged", false);
    check_rows(&w, "add", "");
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "PUT", "/api/v1/links/0/judgement", accept), 200);
    CHECK(serve_test_has(&w.answer, "\"state\":\"accepted\""));
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "PUT", "/api/v1/links/1/judgement", reject), 200);
    CHECK(serve_test_has(&w.answer, "\"state\":\"rejected\""));
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "PUT", "/api/v1/pairs/2/judgement", accept), 200);
    check_rows(&w, "add",
               "<script>\tA & B\taccept\tmissing\ta\tx\tde\ten\n"
               "Cee\tz\taccept\tbetter\tc <b>\tz\tde\ten\n");
    check_rows(&w, "remove", "Beh\tz\treject\tsuspicious\tb\tz\tde\ten\n");
    check_rows(&w, "all",
               "<script>\tA & B\taccept\tmissing\ta\tx\tde\ten\n"
               "Beh\tz\treject\tsuspicious\tb\tz\tde\ten\n"
               "Beh\tWhy\topen\tbetter\tb\ty\tde\ten\n"
               "Cee\tz\taccept\tbetter\tc <b>\tz\tde\ten\n");
    CHECK_EQ(ask(&w, "/api/v1/info"), 200);
    CHECK(serve_test_has(&w.answer, "\"n_suspicious\":1,\"n_accepted\":1,\"n_rejected\":1"));
    CHECK_EQ(ask(&w, "/api/v1/pairs/0"), 200); /* a missing link is a pair */
    CHECK(serve_test_has(&w.answer, "\"state\":\"accepted\""));
    char *file = test_read(test_path("judged/judgements.tsv"), NULL);
    CHECK(strcmp(file, "a\tx\taccept\tde\ten\nb\tz\treject\tde\ten\n"
                       "c <b>\tz\taccept\tde\ten\n") == 0);
    free(file);
    dpl__app_close(w.app); /* they are read again */
    CHECK_OK(dpl__app_open(&w.app, w.ctx, w.folder, NULL, &test_err));
    CHECK_EQ(ask(&w, "/api/v1/links?state=rejected"), 200);
    CHECK(serve_test_has(&w.answer, "\"total\":1,"));
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "PUT", "/api/v1/links/1/judgement", open), 200);
    check_rows(&w, "remove", "");
    test_write("judged/judgements.tsv", "", 0); /* replaced: all are open again */
    CHECK_EQ(ask(&w, "/api/v1/links?state=open"), 200);
    CHECK(serve_test_has(&w.answer, "\"total\":2,"));
    end(&w);
}

DPL_TEST(link_api, bad_requests_are_refused)
{
    static const struct {
        const char *method, *target, *body;
        unsigned status;
    } cases[] = {
        {"GET", "/api/v1/links/2", NULL, 404},
        {"GET", "/api/v1/links/x", NULL, 400},
        {"GET", "/api/v1/links/-1", NULL, 400},
        {"GET", "/api/v1/links?kind=no", NULL, 400},
        {"GET", "/api/v1/links?state=maybe", NULL, 400},
        {"GET", "/api/v1/links?min_probability=2", NULL, 400},
        {"GET", "/api/v1/links?limit=0", NULL, 400},
        {"GET", "/api/v1/links.tsv?rows=none", NULL, 400},
        {"POST", "/api/v1/links", NULL, 405},
        {"PUT", "/api/v1/links.tsv", NULL, 405},
        {"GET", "/api/v1/links/0/judgement", NULL, 405},
        {"PUT", "/api/v1/links/7/judgement", "{\"judgement\": \"accept\"}", 404},
        {"PUT", "/api/v1/links/0/judgement", "{\"judgement\": \"perhaps\"}", 400},
        {"PUT", "/api/v1/links/0/judgement", "[]", 400},
        {"PUT", "/api/v1/links/0/judgement", NULL, 415},
    };
    world w = begin("bad", false);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const unsigned status =
            serve_test_ask(&w.answer, w.app, cases[i].method, cases[i].target, cases[i].body);
        if (status != cases[i].status)
            dpl__test_fail(__FILE__, __LINE__, "%s %s: %u", cases[i].method, cases[i].target,
                           status);
    }
    end(&w);
}

DPL_TEST(link_api, a_run_without_links_has_none)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__app *app = NULL;
    dpl__answer a;
    CHECK_OK(dpl__app_open(&app, ctx, serve_test_folder("none"), NULL, &test_err));
    dpl__answer_init(&a, ctx);
    CHECK_EQ(serve_test_ask(&a, app, "GET", "/api/v1/info", NULL), 200);
    CHECK(!serve_test_has(&a, "\"links\""));
    CHECK_EQ(serve_test_ask(&a, app, "GET", "/api/v1/links", NULL), 200);
    CHECK(serve_test_has(&a, "\"total\":0"));
    dpl__answer_clear(&a);
    dpl__app_close(app);
    test_ctx_done(ctx);
}

static dpl_status ask_for_link(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__app *app = NULL;
    dpl__answer a;
    DPL_TRY(dpl__app_open(&app, ctx, user, NULL, err));
    dpl__answer_init(&a, ctx);
    const unsigned status = serve_test_ask(&a, app, "GET", "/api/v1/links/0", NULL);
    dpl__answer_clear(&a);
    dpl__app_close(app);
    return status == 200 ? DPL_OK : dpl__fail_nomem(err);
}

DPL_TEST(link_api, no_memory_leaks_nothing)
{
    static char folder[600];
    dpl_ctx *ctx = test_ctx(1);
    snprintf(folder, sizeof folder, "%s", serve_test_folder("nomem"));
    serve_test_links("nomem");
    serve_test_documents(ctx, folder);
    test_ctx_done(ctx);
    test_allocation_failures(ask_for_link, folder);
}
