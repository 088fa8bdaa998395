#include "index/pocket_test.h"

/* ---- the language of a question ---------------------------------------------------------- */

static const char german[] =
    "Der Sturm überflutete gestern die alte Mühle im Tal, und die Leute "
    "mussten auf die Dächer ihrer Häuser steigen.";
static const char english[] = "The storm flooded the old mill in the valley yesterday, and the "
                              "people had to climb onto the roofs of their houses.";

static dpl_index *index_of(dpl_ctx *ctx, bool has_german, const dpl_index_options *o)
{
    char json[1000];
    const int n = snprintf(json, sizeof json,
                           "{\"id\":\"e\",\"lang\":\"en\",\"text\":\"%s\"}\n", english);
    const int m = snprintf(json + n, sizeof json - (size_t)n,
                           "{\"id\":\"g\",\"lang\":\"de\",\"text\":\"%s\"}\n", german);
    return pocket_of(ctx, test_write("g.jsonl", json, (size_t)(has_german ? n + m : n)), o);
}

static void check_lang(const dpl_index *x, const char *given, const char *text,
                       const char *expected, bool is_detected)
{
    const dpl_query_options o = DPL_INIT(dpl_query_options, .lang = given);
    dpl_query *q = new_query(x, &o);
    const dpl_query_result r = ask_text(q, text);
    CHECK_STR(dpl__cstr(r.lang), expected);
    CHECK_EQ(r.is_lang_detected, is_detected);
    dpl_query_free(q);
}

DPL_TEST(query_text, the_language_is_identified_only_where_it_matters)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_tokens_options stem = DPL_INIT(dpl_tokens_options, .stem = true),
                             stop = DPL_INIT(dpl_tokens_options, .stop_words = true);
    static const char pairs[] = "sturm\tstorm\t1\n";
    const char *lexicon = test_write("l.tsv", pairs, sizeof pairs - 1);
    const dpl_index_options stems = DPL_INIT(dpl_index_options, .tokens = &stem),
                            stops = DPL_INIT(dpl_index_options, .tokens = &stop),
                            translated = DPL_INIT(dpl_index_options, .lexicons = &lexicon,
                                                  .n_lexicons = 1, .lexicon_langs = "de,en");
    const struct {
        bool has_german;
        const dpl_index_options *o;
        const char *english, *german; /* what the question is in */
        bool is_detected;
    } cases[] = {{false, NULL, "en", "en", false}, /* the only one */
                 {true, NULL, "", "", false},      /* words are words */
                 {true, &stems, "en", "de", true},   {true, &stops, "en", "de", true},
                 {false, &stems, "en", "en", false}, {false, &translated, "en", "de", true}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_index *x = index_of(ctx, cases[i].has_german, cases[i].o);
        check_lang(x, NULL, english, cases[i].english, cases[i].is_detected);
        check_lang(x, NULL, german, cases[i].german, cases[i].is_detected);
        check_lang(x, "de", english, "de", false); /* what is given is not asked */
        check_lang(x, "DE", english, "de", false);
        dpl_index_close(x);
    }
    test_ctx_done(ctx);
}

/* Words are cut and stemmed in the language of the question. */
DPL_TEST(query_text, words_are_stemmed_and_left_out_in_the_language_of_the_question)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_tokens_options tokens =
        DPL_INIT(dpl_tokens_options, .stem = true, .stop_words = true);
    const dpl_index_options o = DPL_INIT(dpl_index_options, .tokens = &tokens);
    dpl_index *x = index_of(ctx, true, &o);
    const dpl_query_options en = DPL_INIT(dpl_query_options, .lang = "en", .threshold = 0.01),
                            de = DPL_INIT(dpl_query_options, .lang = "de", .threshold = 0.01);
    dpl_query *q = new_query(x, &en);
    dpl_query_result r = ask_text(q, "Flooding of the valleys");
    CHECK_EQ(r.n_words, 2);
    CHECK_EQ(r.n_known, 2);
    CHECK_EQ(r.n_hits, 1);
    CHECK_EQ(r.hits[0].row, 0);
    CHECK_OK(dpl__query_set(q, &de, &test_err));
    r = ask_text(q, "Die Stürme und das Haus");
    CHECK_EQ(r.n_words, 2);
    CHECK_EQ(r.n_hits, 1);
    CHECK_EQ(r.hits[0].row, 1);
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* ---- words as they are written ----------------------------------------------------------- */

/* Of a row, the words of its own text. */
DPL_TEST(query_text, words_of_a_document_as_the_question_are_those_of_its_text)
{
    static const char docs[] =
        "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"Housing in Cities. A city houses many.\"}\n"
        "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"The CITY has houses; cities have "
        "housing.\"}\n"
        "{\"id\":\"c\",\"lang\":\"en\",\"text\":\"Rivers and mountains.\"}\n";
    dpl_ctx *ctx = test_ctx(1);
    const dpl_tokens_options stem = DPL_INIT(dpl_tokens_options, .stem = true);
    for (int has_texts = 0; has_texts < 2; has_texts++) {
        const dpl_index_options o =
            DPL_INIT(dpl_index_options, .tokens = &stem, .texts = has_texts);
        dpl_index *x = pocket_of(ctx, test_write("w.jsonl", docs, sizeof docs - 1), &o);
        dpl_query *q = new_query(x, NULL);
        const dpl_query_result r = ask_row(q, 0);
        const dpl_query_term *t;
        size_t n;
        CHECK_EQ(r.n_hits, 1);
        CHECK_OK(dpl_query_words(q, 0, &t, &n, &test_err));
        CHECK_EQ(n, 2);
        const bool is_city_first = t[0].query.data[0] == 'C' || t[0].query.data[0] == 'c';
        const dpl_query_term *city = &t[!is_city_first], *house = &t[is_city_first];
        CHECK_STR(city->query, has_texts ? "Cities" : "citi");
        CHECK_STR(city->document, has_texts ? "CITY" : "citi");
        CHECK_STR(house->query, has_texts ? "Housing" : "hous");
        CHECK_STR(house->document, has_texts ? "houses" : "hous");
        dpl_query_free(q);
        dpl_index_close(x);
    }
    test_ctx_done(ctx);
}

/* Without stems they are the terms: nothing is cut again. */
DPL_TEST(query_text, words_of_an_index_without_stems_are_its_terms)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = index_of(ctx, true, NULL);
    dpl_query *q = new_query(x, NULL);
    const dpl_query_term *t;
    size_t n;
    const dpl_query_result r = ask_text(q, "STORM");
    CHECK_EQ(r.n_hits, 1);
    CHECK_OK(dpl_query_words(q, 0, &t, &n, &test_err));
    CHECK_EQ(n, 1);
    CHECK_STR(t[0].query, "storm");
    CHECK_STR(t[0].document, "storm");
    const dpl_query_passage *p;
    CHECK_EQ(dpl_query_passages(q, 0, &p, &n, &test_err), DPL_E_UNSUPPORTED);
    CHECK_STR(dpl__cstr(test_err.code), "no-texts");
    CHECK(!p && n == 0);
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

static dpl_status ask_for_words(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_index *x = NULL;
    dpl_query *q = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    const dpl_query_term *t;
    const dpl_query_passage *p;
    size_t n;
    dpl_status status = dpl_index_open(&x, ctx, user, err);
    if (status == DPL_OK)
        status = dpl_query_new(&q, x, NULL, err);
    if (status == DPL_OK)
        status = dpl_query_row(q, 0, &r, err);
    if (status == DPL_OK)
        status = dpl_query_words(q, 0, &t, &n, err);
    if (status == DPL_OK)
        status = dpl_query_passages(q, 0, &p, &n, err);
    dpl_query_free(q);
    dpl_index_close(x);
    return status;
}

DPL_TEST(query_text, words_and_passages_of_a_row_survive_every_failing_allocation)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_tokens_options stem = DPL_INIT(dpl_tokens_options, .stem = true);
    static const char pairs[] = "haus\thouse\t0.8\nhaus\thousing\t0.2\nstadt\tcity\t1\n";
    const char *lexicon = test_write("l.tsv", pairs, sizeof pairs - 1);
    const dpl_index_options o =
        DPL_INIT(dpl_index_options, .tokens = &stem, .texts = true, .lexicons = &lexicon,
                 .n_lexicons = 1, .lexicon_langs = "de,en");
    static const char docs[] =
        "{\"id\":\"a\",\"lang\":\"de\",\"text\":\"Ein Haus in der Stadt. Die Stadt.\"}\n"
        "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"Housing in a city has many houses.\"}\n";
    dpl_index_close(pocket_of(ctx, test_write("f.jsonl", docs, sizeof docs - 1), &o));
    test_ctx_done(ctx);
    char path[500];
    snprintf(path, sizeof path, "%s", test_path("index.pocket"));
    test_allocation_failures(ask_for_words, path);
}
