#include "index/pocket_test.h"

#include "vectors/vectors.h"

#include <math.h>

/* Two languages; der and das are both "the" in part. */
static const char docs[] =
    "{\"id\":\"en1\",\"lang\":\"en\",\"text\":\"storm storm mill valley old\"}\n"
    "{\"id\":\"en2\",\"lang\":\"en\",\"text\":\"bank rates summer old\"}\n"
    "{\"id\":\"de1\",\"lang\":\"de\",\"text\":\"sturm orkan orkan tal alt dorf\"}\n"
    "{\"id\":\"de2\",\"lang\":\"de\",\"text\":\"bank zins sommer\"}\n"
    "{\"id\":\"en3\",\"lang\":\"en\",\"text\":\"nothing of this here\"}\n";
static const char words[] = "sturm\tstorm\t0.9\norkan\tstorm\t0.5\nsturm\tgale\t0.1\n"
                            "orkan\tgale\t0.5\ntal\tvalley\t1\nalt\told\t0.8\n"
                            "zins\trates\t1\nsommer\tsummer\t1\n";

static dpl_index *bilingual(dpl_ctx *ctx)
{
    const char *lexicon = test_write("l.tsv", words, sizeof words - 1);
    const dpl_index_options o = DPL_INIT(dpl_index_options, .lexicons = &lexicon,
                                         .n_lexicons = 1, .lexicon_langs = "de,en");
    return pocket_of(ctx, test_write("d.jsonl", docs, sizeof docs - 1), &o);
}

/* Terms of the hit `id`, which carry its score. */
static const dpl_query_term *terms_of(dpl_query *q, const dpl_query_result *r, const char *id,
                                      size_t *n)
{
    const dpl_query_term *terms;
    size_t hit = 0;
    double sum = 0;
    while (hit < r->n_hits &&
           !dpl__str_eq(dpl_index_document(q->index, r->hits[hit].row).id, dpl__cstr(id)))
        hit++;
    CHECK(hit < r->n_hits);
    CHECK_OK(dpl_query_terms(q, hit, &terms, n, &test_err));
    for (size_t i = 0; i < *n; i++) {
        CHECK(terms[i].weight > 0 && (i == 0 || terms[i].weight <= terms[i - 1].weight));
        sum += (double)terms[i].weight;
    }
    CHECK_EQ(*n, r->hits[hit].n_terms);
    CHECK(fabs(sum - (double)r->hits[hit].score) < 1e-5);
    return terms;
}

static const dpl_query_term *term_with(const dpl_query_term *terms, size_t n, const char *query)
{
    for (size_t i = 0; i < n; i++)
        if (dpl__str_eq(terms[i].query, dpl__cstr(query)))
            return &terms[i];
    return NULL;
}

/* Translations of a word of the query add up; the word that brings most is named. */
DPL_TEST(query_terms, the_words_that_bring_most_of_a_term_are_named)
{
    static const struct {
        const char *lang, *query, *hit, *of_query, *of_document;
    } cases[] = {
        {"en", "storm old", "de1", "storm", "orkan"}, /* 2 * 0.5 against 0.9 */
        {"en", "gale old", "de1", "gale", "orkan"},
        {"en", "valley old", "de1", "old", "alt"},
        {"de", "sturm orkan", "en1", "sturm", "storm"},       /* 0.9 against 0.5 */
        {"de", "orkan sturm", "en1", "sturm", "storm"},       /* in any order */
        {"de", "orkan sturm orkan", "en1", "orkan", "storm"}, /* 1 against 0.9 */
        {"de", "sturm tal", "de1", "sturm", "orkan"},
        {"de", "dorf tal", "de1", "dorf", "dorf"}, /* not in the lexicon */
        {"en", "dorf valley", "de1", "dorf", "dorf"},
    };
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = bilingual(ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl_query_options o =
            DPL_INIT(dpl_query_options, .lang = cases[i].lang, .threshold = 0.01);
        dpl_query *q = new_query(x, &o);
        const dpl_query_result r = ask_text(q, cases[i].query);
        CHECK(r.is_translated == (cases[i].lang[0] == 'd'));
        size_t n;
        const dpl_query_term *terms = terms_of(q, &r, cases[i].hit, &n),
                             *t = term_with(terms, n, cases[i].of_query);
        if (!t || !dpl__str_eq(t->document, dpl__cstr(cases[i].of_document)))
            dpl__test_fail(__FILE__, __LINE__, "case %zu: '%.*s'", i,
                           t ? (int)t->document.n : 0, t ? t->document.data : "");
        dpl_query_free(q);
    }
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* Documents of a word that others are translated to: each one counts as far as it is. */
DPL_TEST(query_terms, lengths_and_frequencies_are_those_of_translated_documents)
{
    static const struct {
        const char *word;
        double df;
    } cases[] = {{"storm", 1 + 0.9 + 0.5},
                 {"gale", 1}, /* 0.6, and one at least */
                 {"valley", 2},
                 {"old", 2.8},
                 {"bank", 2},
                 {"dorf", 1},
                 {"sturm", 1}};
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = bilingual(ctx);
    CHECK_EQ(x->n_docs, 5);
    CHECK(fabs(x->average - (5 + 4 + 5.8 + 3 + 4) / 5) < 1e-6);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const uint64_t key = dpl__term_key(dpl__cstr(cases[i].word));
        uint32_t term;
        dpl__index_find_terms(x, &key, 1, &term);
        CHECK(term != DPL__NO_WORD);
        const double expected = log(1 + (5 - cases[i].df + 0.5) / (cases[i].df + 0.5));
        CHECK(fabs((double)x->idf[term] - expected) < 1e-5);
    }
    CHECK(fabs(x->unknown_idf - log(1 + 4.5 / 1.5)) < 1e-9);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* A text in the language of the index, a row of it, and one in another language. */
DPL_TEST(query_terms, weights_of_all_hits_add_up_to_their_scores)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = bilingual(ctx);
    const dpl_query_options o = DPL_INIT(dpl_query_options, .threshold = 0.001, .terms = 1000);
    dpl_query *q = new_query(x, &o);
    size_t n_hits = 0;
    for (uint32_t row = 0; row < x->n_docs; row++) {
        const dpl_query_result r = ask_row(q, row);
        for (size_t i = 0; i < r.n_hits; i++, n_hits++) {
            size_t n;
            char id[8];
            const dpl_str s = dpl_index_document(x, r.hits[i].row).id;
            snprintf(id, sizeof id, "%.*s", (int)s.n, s.data);
            (void)terms_of(q, &r, id, &n);
            CHECK(n > 0);
        }
    }
    CHECK(n_hits >= 6); /* of en1, de1 and en2, of en2 and de2 */
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(query_terms, no_more_are_given_than_asked_for_and_the_heaviest_first)
{
    dpl_ctx *ctx = test_ctx(1);
    const drawn_docs drawn = {.n = 60, .n_words = 60, .seed = 41};
    dpl_index *x = drawn_pocket(ctx, &drawn, NULL);
    dpl_query_options o = DPL_INIT(dpl_query_options, .terms = 1000);
    dpl_query *all = new_query(x, &o);
    for (uint32_t row = 1; row < drawn.n; row += 6) {
        const dpl_query_result r = ask_row(all, row);
        const dpl_query_term *a, *b;
        size_t n_all, n;
        CHECK(r.n_hits > 0);
        CHECK_OK(dpl_query_terms(all, r.n_hits - 1, &a, &n_all, &test_err));
        CHECK_EQ(n_all, r.hits[r.n_hits - 1].n_terms);
        for (unsigned most = 1; most <= n_all + 1; most++) {
            o.terms = most;
            dpl_query *few = new_query(x, &o);
            (void)ask_row(few, row);
            CHECK_OK(dpl_query_terms(few, r.n_hits - 1, &b, &n, &test_err));
            CHECK_EQ(n, dpl__min(n_all, most));
            for (size_t i = 0; i < n; i++)
                CHECK(dpl__str_eq(a[i].query, b[i].query) && a[i].weight == b[i].weight);
            dpl_query_free(few);
        }
    }
    dpl_query_free(all);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* Of the same weight by their bytes. */
DPL_TEST(query_terms, terms_of_the_same_weight_are_in_the_order_of_their_bytes)
{
    static const char same[] =
        "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"pear fig date lime\"}\n"
        "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"rain wind snow hail\"}\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = pocket_of(ctx, test_write("s.jsonl", same, sizeof same - 1), NULL);
    dpl_query *q = new_query(x, NULL);
    const dpl_query_result r = ask_text(q, "lime pear fig date");
    size_t n;
    const dpl_query_term *t = terms_of(q, &r, "a", &n);
    static const char *const expected[] = {"date", "fig", "lime", "pear"};
    CHECK_EQ(n, DPL_LEN(expected));
    for (size_t i = 0; i < n; i++)
        CHECK_STR(t[i].query, expected[i]);
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(query_terms, without_vectors_there_are_none)
{
    dpl_ctx *ctx = test_ctx(1);
    const drawn_docs drawn = {.n = 20, .n_words = 30, .seed = 42};
    const dpl_index_options o = DPL_INIT(dpl_index_options, .no_vectors = true);
    dpl_index *x = drawn_pocket(ctx, &drawn, &o);
    dpl_query *q = new_query(x, NULL);
    char *text = drawn_text(&drawn, 3);
    const dpl_query_result r = ask_text(q, text);
    const dpl_query_term *terms = &(dpl_query_term){.weight = 1};
    size_t n = 9;
    CHECK(r.n_hits > 0);
    CHECK_OK(dpl_query_terms(q, 0, &terms, &n, &test_err));
    CHECK(!terms && n == 0);
    free(text);
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}
