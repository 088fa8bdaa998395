#include "serve/index_answers.h"
#include "serve/serve_test.h"

#include "base/ctx.h"
#include "base/hash.h"

#include <stdlib.h>

static const char docs[] = "{\"id\": \"a\", \"lang\": \"en\", \"title\": \"The House\", "
                           "\"text\": \"The old house stands by "
                           "the river, and nobody lives in it. The river is wide there.\"}\n"
                           "{\"id\": \"b\", \"lang\": \"en\", \"title\": \"<i>\", \"text\": "
                           "\"An old house stands by the "
                           "river. Nobody has lived in it for years, and the garden grows.\"}\n"
                           "{\"id\": \"c\", \"lang\": \"de\", \"title\": \"\", \"text\": \"Das "
                           "alte Haus steht am Fluss, und "
                           "niemand wohnt darin.\"}\n"
                           "{\"id\": \"d\", \"lang\": \"en\", \"title\": \"Ships\", \"text\": "
                           "\"Ships with grain from the "
                           "north reach the harbour in spring.\"}\n";

static const char *build(dpl_ctx *ctx, bool has_texts)
{
    dpl_input in = {.buffer = {docs, sizeof docs - 1}};
    dpl_index_options o = DPL_INIT(dpl_index_options, .texts = has_texts);
    const char *path = test_path("x.pocket");
    CHECK_OK(dpl_index_build(NULL, ctx, path, &in, 1, &o, &test_err));
    return path;
}

typedef struct world {
    dpl_ctx *ctx;
    dpl__app *app;
    dpl__answer answer;
} world;

static world begin(bool has_texts)
{
    world w = {.ctx = test_ctx(1)};
    CHECK_OK(dpl__app_open(&w.app, w.ctx, build(w.ctx, has_texts), NULL, &test_err));
    dpl__answer_init(&w.answer, w.ctx);
    return w;
}

static void end(world *w)
{
    dpl__answer_clear(&w->answer);
    dpl__app_close(w->app);
    test_ctx_done(w->ctx);
}

typedef struct asked {
    const char *method, *target, *body;
    unsigned status;
    const char *parts[3]; /* of the answer */
} asked;

static void ask_all(world *w, const asked *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned status =
            serve_test_ask(&w->answer, w->app, cases[i].method, cases[i].target, cases[i].body);
        const dpl_str body = dpl__answer_body(&w->answer);
        if (status != cases[i].status)
            dpl__test_fail(__FILE__, __LINE__, "%s: %u %.*s", cases[i].target, status,
                           (int)body.n, body.data);
        for (size_t k = 0; k < 3 && cases[i].parts[k]; k++)
            if (!serve_test_has(&w->answer, cases[i].parts[k]))
                dpl__test_fail(__FILE__, __LINE__, "%s lacks %s: %.*s", cases[i].target,
                               cases[i].parts[k], (int)body.n, body.data);
    }
}

DPL_TEST(index_api, documents_and_hits_are_answered)
{
    static const asked cases[] = {
        {"GET",
         "/api/v1/info",
         NULL,
         200,
         {"\"kind\":\"index\"", "\"documents\":4", "\"checksum\":16"}},
        {"GET", "/api/v1/documents", NULL, 200, {"\"total\":4", "\"title\":\"<i>\"", NULL}},
        {"GET", "/api/v1/documents?q=HOUSE", NULL, 200, {"\"total\":1", "\"row\":0", NULL}},
        {"GET", "/api/v1/documents?lang=de", NULL, 200, {"\"total\":1", "\"id\":\"c\"", NULL}},
        {"GET",
         "/api/v1/documents?offset=3&limit=5",
         NULL,
         200,
         {"\"total\":4", "[{\"row\":3", NULL}},
        {"GET", "/api/v1/documents/2", NULL, 200, {"\"text\":\"Das alte Haus", NULL, NULL}},
        {"GET", "/api/v1/documents/4", NULL, 404, {"not-found", NULL, NULL}},
        {"GET",
         "/api/v1/documents/0/similar",
         NULL,
         200,
         {"\"hits\":[{\"row\":1", "\"terms\":[{", NULL}},
        {"GET", "/api/v1/documents/0/similar?terms=0", NULL, 200, {"\"terms\":[]", NULL, NULL}},
        {"GET", "/api/v1/documents/0/similar?only=3", NULL, 200, {"\"hits\":[]", NULL, NULL}},
        {"GET",
         "/api/v1/documents/0/similar?only=1",
         NULL,
         200,
         {"\"hits\":[{\"row\":1", NULL, NULL}},
        {"GET", "/api/v1/documents/9/similar", NULL, 404, {NULL}},
        {"GET", "/api/v1/documents/0/similar?top=0", NULL, 400, {NULL}},
        {"GET", "/api/v1/documents/0/similar?threshold=x", NULL, 400, {NULL}},
        {"POST",
         "/api/v1/query",
         "{\"text\": \"ships with grain from the north\", \"top\": 1}",
         200,
         {"\"hits\":[{\"row\":3", "\"query\":\"grain\"", NULL}},
        {"POST", "/api/v1/query", "{\"text\": \"\"}", 200, {"\"hits\":[]", NULL, NULL}},
        {"POST",
         "/api/v1/query",
         "{\"text\": \"\\u0000 \\ud800\"}",
         200,
         {"\"hits\":[]", NULL, NULL}},
        {"POST", "/api/v1/query", "{}", 400, {NULL}},
        {"GET", "/api/v1/pairs", NULL, 404, {"not-served", NULL, NULL}},
    };
    world w = begin(true);
    ask_all(&w, cases, DPL_LEN(cases));
    end(&w);
}

DPL_TEST(index_api, an_index_without_texts_has_no_passages)
{
    static const asked cases[] = {
        {"GET", "/api/v1/info", NULL, 200, {"\"texts\":false", NULL, NULL}},
        {"GET", "/api/v1/documents/2", NULL, 200, {"\"text\":null", NULL, NULL}},
        {"GET",
         "/api/v1/documents/0/similar?passages=true",
         NULL,
         200,
         {"\"passages\":[]", NULL, NULL}},
    };
    world w = begin(false);
    ask_all(&w, cases, DPL_LEN(cases));
    end(&w);
}

DPL_TEST(index_api, answers_without_a_server_are_the_same)
{
    static const char *const targets[] = {"/api/v1/info",
                                          "/api/v1/documents?q=h",
                                          "/api/v1/documents/1",
                                          "/api/v1/documents/7",
                                          "/api/v1/nothing",
                                          "/%",
                                          "/api/v1/documents/1/similar?top=x"};
    world w = begin(true);
    dpl_index *index = NULL;
    dpl_query *query = NULL;
    dpl__answer a;
    CHECK_OK(dpl_index_open(&index, w.ctx, test_path("x.pocket"), &test_err));
    CHECK_OK(dpl_query_new(&query, index, NULL, &test_err));
    dpl__answer_init(&a, w.ctx);
    for (size_t i = 0; i < DPL_LEN(targets); i++) {
        const dpl__request r = {.method = DPL_STR("GET"), .target = dpl__cstr(targets[i])};
        dpl__answer_reset(&a);
        dpl__answer_index(&a, index, query, &r, "x.pocket", w.app->options.max_record);
        CHECK_EQ(serve_test_ask(&w.answer, w.app, "GET", targets[i], NULL), a.status);
        CHECK(dpl__str_eq(dpl__answer_body(&a), dpl__answer_body(&w.answer)));
    }
    dpl__answer_clear(&a);
    dpl_query_free(query);
    dpl_index_close(index);
    end(&w);
}

/* ---- damage ------------------------------------------------------------------------- */

/* Whatever the answers are, there are some. */
static void ask_damaged(dpl_ctx *ctx, const char *path)
{
    static const struct {
        const char *method, *target, *body;
    } requests[] = {
        {"GET", "/api/v1/info", NULL},
        {"GET", "/api/v1/documents?q=house", NULL},
        {"GET", "/api/v1/documents/1", NULL},
        {"GET", "/api/v1/documents/0/similar?passages=true&threshold=0", NULL},
        {"POST", "/api/v1/query", "{\"text\": \"old house by the river\", \"passages\": true}"},
    };
    dpl__app *app = NULL;
    if (dpl__app_open(&app, ctx, path, NULL, NULL) != DPL_OK)
        return;
    dpl__answer a;
    dpl__answer_init(&a, ctx);
    for (size_t i = 0; i < DPL_LEN(requests); i++) {
        const unsigned status =
            serve_test_ask(&a, app, requests[i].method, requests[i].target, requests[i].body);
        CHECK(status == 200 || status == 404 || status >= 500);
    }
    dpl__answer_clear(&a);
    dpl__app_close(app);
}

DPL_TEST(index_api, a_damaged_file_never_crashes)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {dpl__mix(7)};
    size_t n;
    char *bytes = test_read(build(ctx, true), &n);
    for (int i = 0; i < 300; i++) {
        const size_t at = (size_t)dpl__rng_below(&rng, n);
        const char was = bytes[at];
        bytes[at] = (char)(was ^ (char)(1 << dpl__rng_below(&rng, 8)));
        ask_damaged(ctx, test_write("damaged.pocket", bytes, n));
        bytes[at] = was;
    }
    for (int i = 0; i < 60; i++)
        ask_damaged(ctx, test_write("cut.pocket", bytes, (size_t)dpl__rng_below(&rng, n)));
    free(bytes);
    test_ctx_done(ctx);
}

DPL_TEST(index_api, passages_copies_and_sentences_of_texts)
{
    static const char copy[] = "{\"text\": \"Something else comes first. The old house stands "
                               "by the river, and nobody "
                               "lives in it. The river is wide there.\", \"lang\": \"en\"}";
    static const asked cases[] = {
        {"POST",
         "/api/v1/passages",
         copy,
         200,
         {"\"kind\":\"verbatim\"", "\"id\":\"a\"", "\"n_reused_words\":1"}},
        {"POST",
         "/api/v1/passages",
         "{\"text\": \"\"}",
         200,
         {"\"passages\":[]", "\"share\":0"}},
        {"POST", "/api/v1/passages", "{}", 400, {"bad-request"}},
        {"POST",
         "/api/v1/passages",
         "{\"text\": \"\", \"lang\": \"00\"}",
         200,
         {"\"passages\":[]"}},
        {"POST", "/api/v1/dedup-check", copy, 200, {"\"is_duplicate\":true", "\"id\":\"a\""}},
        {"POST",
         "/api/v1/dedup-check",
         "{\"text\": \"Quite another thing.\"}",
         200,
         {"\"is_duplicate\":false", "\"documents\":[]"}},
        {"POST",
         "/api/v1/align",
         "{\"left\": \"Das Haus ist alt. Es hat 12 Fenster.\", \"right\": \"The house is old. "
         "It "
         "has 12 windows.\", \"left_lang\": \"de\", \"right_lang\": \"en\"}",
         200,
         {"\"left\":\"Es hat 12 Fenster.\",\"right\":\"It has 12 windows.\"",
          "\"left_lang\":\"de\""}},
        {"POST", "/api/v1/align", "{\"left\": \"a\"}", 400, {"bad-request"}},
        {"POST", "/api/v1/align", "{\"left\": 1, \"right\": \"b\"}", 400, {"bad-request"}},
        {"POST", "/api/v1/align", "[1", 400, {"bad-request"}},
        {"POST",
         "/api/v1/align",
         "{\"left\": \"a\", \"right\": \"b\", \"right_lang\": \"d/e\"}",
         400,
         {"bad-request"}},
        {"POST", "/api/v1/align", "{\"left\": \" \", \"right\": \"b\"}", 400, {"has no text"}},
        {"GET", "/api/v1/align", NULL, 405, {"method"}},
    };
    world w = begin(true);
    ask_all(&w, cases, DPL_LEN(cases));
    end(&w);
    static const asked bare[] = {
        {"POST", "/api/v1/passages", copy, 404, {"no-texts"}},
        {"POST", "/api/v1/dedup-check", copy, 200, {"\"coverage\":null"}},
        /* the text of a document, and the same word over and over */
        {"POST",
         "/api/v1/dedup-check",
         "{\"text\": \"Ships with grain from the north reach the harbour in spring.\"}",
         200,
         {"\"documents\":[{\"row\":3,\"id\":\"d\",\"title\":\"Ships\",\"lang\":\"en\","
          "\"similarity\":",
          "\"threshold\":0.8,\"is_duplicate\":true"}},
    };
    w = begin(false);
    ask_all(&w, bare, DPL_LEN(bare));
    end(&w);
}

/* ---- long texts --------------------------------------------------------------------- */

/* n bytes of words that the documents have, as one sentence. */
static char *long_text(size_t n)
{
    static const char words[] = "old house stands by the river and ";
    char *text = malloc(n + 1);
    CHECK(text != NULL);
    for (size_t i = 0; i < n; i++)
        text[i] = words[i % (sizeof words - 1)];
    text[n] = 0;
    return text;
}

DPL_TEST(index_api, bodies_are_shorter_where_memory_is_small)
{
    const dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 64 << 20);
    world w = {0};
    CHECK_OK(dpl_ctx_new(&w.ctx, &o, &test_err));
    CHECK_OK(dpl__app_open(&w.app, w.ctx, build(w.ctx, true), NULL, &test_err));
    dpl__answer_init(&w.answer, w.ctx);
    static const asked cases[] = {{"GET", "/api/v1/info", NULL, 200, {"\"body\":1048576"}}};
    ask_all(&w, cases, DPL_LEN(cases));
    end(&w);
}

DPL_TEST(index_api, the_memory_of_a_long_text_is_given_back)
{
    world w = begin(true);
    char *text = long_text(1 << 20);
    memcpy(text, "{\"text\":\"", 9);
    memcpy(text + (1 << 20) - 2, "\"}", 2);
    CHECK_EQ(
        serve_test_ask(&w.answer, w.app, "POST", "/api/v1/query", "{\"text\":\"old house\"}"),
        200);
    const uint64_t before = dpl__ctx_used(w.ctx);
    CHECK_EQ(serve_test_ask(&w.answer, w.app, "POST", "/api/v1/query", text), 200);
    CHECK(dpl__ctx_used(w.ctx) < before + (256 << 10));
    free(text);
    end(&w);
}

DPL_TEST(index_api, a_long_text_is_divided_once_for_all_of_its_hits)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = NULL;
    dpl_query *q = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    const dpl_query_passage *p;
    size_t n;
    double seconds[2] = {1e9, 1e9}; /* for the first hit, and the second */
    char *text = long_text(1 << 20);
    CHECK_OK(dpl_index_open(&x, ctx, build(ctx, true), &test_err));
    CHECK_OK(dpl_query_new(&q, x, NULL, &test_err));
    for (int turn = 0; turn < 3; turn++) {
        CHECK_OK(dpl_query_text(q, (dpl_str){text, strlen(text)}, &r, &test_err));
        CHECK(r.n_hits >= 2);
        for (size_t hit = 0; hit < 2; hit++) {
            const double began = dpl__now();
            CHECK_OK(dpl_query_passages(q, hit, &p, &n, &test_err));
            const double took = dpl__now() - began;
            seconds[hit] = took < seconds[hit] ? took : seconds[hit];
            CHECK_EQ(n, 1);
        }
    }
    CHECK(seconds[1] < seconds[0] / 4);
    dpl_query_free(q);
    dpl_index_close(x);
    free(text);
    test_ctx_done(ctx);
}
