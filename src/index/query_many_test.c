#include "index/pocket_test.h"

static const drawn_docs some = {.n = 60, .n_words = 30, .seed = 51, .is_bilingual = true};

/* What is expected of the documents, in their order. */
typedef struct expected {
    dpl_query *alone;
    const char *lang;    /* of all questions; NULL: what the documents declare */
    uint32_t n, n_until; /* documents so far; at this one it fails */
} expected;

static dpl_status take(void *user, const dpl_doc *doc, dpl_query *q, const dpl_query_result *r,
                       dpl_error *err)
{
    expected *e = user;
    char id[20];
    if (e->n == e->n_until)
        return dpl__fail(err, DPL_E_LIMIT, "enough");
    char *text = drawn_text(&some, e->n);
    const char *lang = e->lang ? e->lang : drawn_lang(&some, e->n);
    snprintf(id, sizeof id, "d%u", e->n);
    CHECK_STR(doc->id, id);
    CHECK_STR(doc->text, text);
    CHECK_STR(doc->lang, drawn_lang(&some, e->n));
    CHECK_EQ(doc->extra.n, 0);
    CHECK_STR(dpl__cstr(r->lang), lang);
    const dpl_query_result alone = ask_text(e->alone, text);
    CHECK_EQ(r->n_hits, alone.n_hits);
    CHECK(r->n_hits > 0);
    for (size_t i = 0; i < r->n_hits; i++)
        CHECK(r->hits[i].row == alone.hits[i].row && r->hits[i].score == alone.hits[i].score);
    const dpl_query_term *a, *b;
    size_t n, m;
    CHECK_OK(dpl_query_terms(q, r->n_hits - 1, &a, &n, err));
    CHECK_OK(dpl_query_terms(e->alone, r->n_hits - 1, &b, &m, err));
    CHECK_EQ(n, m);
    for (size_t i = 0; i < n; i++)
        CHECK(dpl__str_eq(a[i].query, b[i].query) && a[i].weight == b[i].weight);
    free(text);
    e->n++;
    return DPL_OK;
}

static dpl_status ask_all(dpl_ctx *ctx, const dpl_index *x, const dpl_input *in, size_t n,
                          expected *e, uint64_t *n_queries)
{
    const dpl_query_options o = DPL_INIT(dpl_query_options, .lang = e->lang);
    e->alone = new_query(x, NULL);
    const dpl_status status =
        dpl_query_inputs(n_queries, ctx, x, in, n, NULL, &o, take, e, &test_err);
    dpl_query_free(e->alone);
    return status;
}

DPL_TEST(query_many, inputs_follow_each_other_and_documents_say_their_language)
{
    /* more documents than slots, an empty input, and inputs cut at many places */
    static const size_t cuts[] = {0, 1, 7, 30, 59, 60};
    for (unsigned n_threads = 1; n_threads < 4; n_threads++) {
        dpl_ctx *ctx = test_ctx(n_threads);
        dpl_index *x = drawn_pocket(ctx, &some, NULL);
        size_t n;
        char *json = test_read(test_path("drawn.jsonl"), &n);
        for (size_t c = 0; c < DPL_LEN(cuts); c++) {
            const char *at = json;
            for (size_t i = 0; i < cuts[c]; i++)
                at = strchr(at, '\n') + 1;
            const dpl_input in[] = {
                {.buffer = {json, (size_t)(at - json)}, .name = "a.jsonl"},
                {.buffer = {"", 0}, .name = "b.jsonl"},
                {.buffer = {at, n - (size_t)(at - json)}, .name = "c.jsonl"}};
            expected e = {.n_until = UINT32_MAX, .lang = c % 2 ? "de" : NULL};
            uint64_t n_queries = 0;
            CHECK_OK(ask_all(ctx, x, in, 3, &e, &n_queries));
            CHECK_EQ(n_queries, some.n);
            CHECK_EQ(e.n, some.n);
        }
        free(json);
        dpl_index_close(x);
        test_ctx_done(ctx);
    }
}

DPL_TEST(query_many, a_failure_ends_the_work_after_the_answers_before_it)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_index *x = drawn_pocket(ctx, &some, NULL);
    const dpl_input in[] = {{.path = test_path("drawn.jsonl")},
                            {.path = test_path("not-there.jsonl")}};
    static const uint32_t until[] = {0, 1, 13, 59};
    for (size_t i = 0; i < DPL_LEN(until); i++) {
        expected e = {.n_until = until[i]};
        uint64_t n_queries = 0;
        CHECK_EQ(ask_all(ctx, x, in, 1, &e, &n_queries), DPL_E_LIMIT);
        CHECK_STR(dpl__cstr(test_err.text), "enough");
        CHECK_EQ(e.n, until[i]);
        CHECK(n_queries <= until[i] + 1u);
    }
    expected e = {.n_until = UINT32_MAX};
    CHECK_EQ(ask_all(ctx, x, in, 2, &e, NULL), DPL_E_IO);
    CHECK_EQ(e.n, some.n);
    CHECK_OK(ask_all(ctx, x, in, 0, &e, NULL));
    CHECK_EQ(e.n, some.n);
    const dpl_query_options bad = DPL_INIT(dpl_query_options, .top = 10001);
    CHECK_EQ(dpl_query_inputs(NULL, ctx, x, in, 1, NULL, &bad, take, &e, &test_err),
             DPL_E_USAGE);
    dpl_index_close(x);
    test_ctx_done(ctx);
}
