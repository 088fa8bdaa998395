#include "index/pocket_test.h"

#include <math.h>

static const drawn_docs some = {.n = 200, .n_words = 50, .seed = 11, .is_bilingual = true};

/* ---- options ----------------------------------------------------------------------------- */

static void check_refused(dpl_query *q, const dpl_query_options *o, dpl_status expected)
{
    const dpl_query_options before = q->o;
    const uint32_t lang = q->only_lang;
    const bool has_threshold = q->has_threshold;
    CHECK_EQ(dpl__query_set(q, o, &test_err), expected);
    CHECK(memcmp(&q->o, &before, sizeof before) == 0);
    CHECK_EQ(q->only_lang, lang);
    CHECK_EQ(q->has_threshold, has_threshold);
}

DPL_TEST(query, options_out_of_range_are_refused_and_the_old_ones_stay)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = drawn_pocket(ctx, &some, NULL);
    const dpl_query_options before =
        DPL_INIT(dpl_query_options, .top = 7, .threshold = 0.25, .only_lang = "de");
    dpl_query *q = new_query(x, &before);
    const dpl_query_options bad[] = {
        DPL_INIT(dpl_query_options, .top = 10001),
        DPL_INIT(dpl_query_options, .probes = 4097),
        DPL_INIT(dpl_query_options, .terms = 1001),
        DPL_INIT(dpl_query_options, .threshold = -0.001),
        DPL_INIT(dpl_query_options, .threshold = 1.001),
        DPL_INIT(dpl_query_options, .threshold = (double)NAN),
        DPL_INIT(dpl_query_options, .method = (dpl_query_method)(DPL_QUERY_POSTINGS + 1))};
    const dpl_query_options good[] = {DPL_INIT(dpl_query_options, .top = 10000),
                                      DPL_INIT(dpl_query_options, .top = 1),
                                      DPL_INIT(dpl_query_options, .probes = 4096),
                                      DPL_INIT(dpl_query_options, .probes = -5),
                                      DPL_INIT(dpl_query_options, .terms = 1000),
                                      DPL_INIT(dpl_query_options, .terms = 1),
                                      DPL_INIT(dpl_query_options, .threshold = 1),
                                      DPL_INIT(dpl_query_options, .budget = 1),
                                      DPL_INIT(dpl_query_options, .threshold = 1e-9)};
    for (size_t i = 0; i < DPL_LEN(bad); i++)
        check_refused(q, &bad[i], DPL_E_USAGE);
    for (size_t i = 0; i < DPL_LEN(good); i++)
        CHECK_OK(dpl__query_set(q, &good[i], &test_err));
    dpl_query_free(q);
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        CHECK_EQ(dpl_query_new(&q, x, &bad[i], &test_err), DPL_E_USAGE);
        CHECK(!q);
    }
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(query, zero_means_the_default_of_an_option)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = drawn_pocket(ctx, &some, NULL);
    dpl_query *q = new_query(x, NULL);
    CHECK_EQ(q->o.top, 10);
    CHECK_EQ(q->o.probes, 64);
    CHECK_EQ(q->o.terms, 10);
    CHECK_EQ(q->o.budget, 4000);
    CHECK_EQ(q->only_lang, UINT32_MAX);
    const dpl_query_options given = DPL_INIT(dpl_query_options, .top = 3, .probes = -1,
                                             .terms = 4, .budget = 5, .only_lang = "de");
    CHECK_OK(dpl__query_set(q, &given, &test_err));
    CHECK_EQ(q->o.top, 3);
    CHECK_EQ(q->o.probes, -1);
    CHECK_EQ(q->o.terms, 4);
    CHECK_EQ(q->o.budget, 5);
    CHECK_STR(dpl__cstr(dpl__index_lang(x, q->only_lang)), "de");
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(query, without_postings_only_codes_are_a_method)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_index_options o = DPL_INIT(dpl_index_options, .no_postings = true);
    dpl_index *x = drawn_pocket(ctx, &some, &o);
    dpl_query *q = new_query(x, NULL);
    for (unsigned method = 0; dpl_query_method_name(method); method++) {
        const dpl_query_options m =
            DPL_INIT(dpl_query_options, .method = (dpl_query_method)method);
        test_err = (dpl_error){0};
        const bool is_possible = method == DPL_QUERY_AUTO || method == DPL_QUERY_CODES;
        CHECK_EQ(dpl__query_set(q, &m, &test_err), is_possible ? DPL_OK : DPL_E_UNSUPPORTED);
        CHECK_STR(dpl__cstr(test_err.code), is_possible ? "" : "no-postings");
        const dpl_query_result r = ask_row(q, 1);
        CHECK_EQ(r.method, DPL_QUERY_CODES);
        CHECK(r.complete > 1);
        CHECK(r.n_hits > 0 && r.hits[0].is_verified);
    }
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* Of a language that the index does not have there are none; else those of the hits of all
 * languages that are in it. */
DPL_TEST(query, documents_of_one_language_are_those_of_all_that_are_in_it)
{
    static const char *const langs[] = {"de", "en", "fr"};
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = drawn_pocket(ctx, &some, NULL);
    dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = 1000, .threshold = 0.2, .method = DPL_QUERY_EXACT);
    dpl_query *q = new_query(x, &o);
    for (uint32_t row = 0; row < some.n; row += 9) {
        o.only_lang = NULL;
        CHECK_OK(dpl__query_set(q, &o, &test_err));
        dpl_query_result r = ask_row(q, row);
        const size_t n_all = r.n_hits;
        dpl_query_hit *all = malloc((n_all + 1) * sizeof *all);
        memcpy(all, r.hits, n_all * sizeof *all);
        for (size_t l = 0; l < DPL_LEN(langs); l++) {
            o.only_lang = langs[l];
            CHECK_OK(dpl__query_set(q, &o, &test_err));
            r = ask_row(q, row);
            size_t n = 0;
            for (size_t i = 0; i < n_all; i++) {
                if (strcmp(drawn_lang(&some, all[i].row), langs[l]) != 0)
                    continue;
                CHECK(n < r.n_hits && r.hits[n].row == all[i].row &&
                      r.hits[n].score == all[i].score);
                n++;
            }
            CHECK_EQ(r.n_hits, n);
        }
        free(all);
    }
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* ---- what an answer says ----------------------------------------------------------------- */

/* Pairs of the receipt in bins that reach above the threshold. */
static double expected_recall(const dpl_index *x, const uint32_t *found, double threshold)
{
    double n = 0, n_found = 0;
    for (int bin = 0; bin < DPL_INDEX_BINS; bin++)
        if (0.05 * (bin + 1) > threshold + 1e-9) {
            n += x->receipt.pairs[bin];
            n_found += found[bin];
        }
    return n > 0 ? n_found / n : 0;
}

DPL_TEST(query, recall_is_what_was_measured_of_pairs_at_or_above_the_threshold)
{
    static const double thresholds[] = {0.001, 0.05, 0.1, 0.12, 0.5, 0.85, 0.9, 0.95, 0.99, 1};
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = drawn_pocket(ctx, &some, NULL);
    unsigned n_partial = 0;
    for (size_t t = 0; t < DPL_LEN(thresholds); t++) {
        dpl_query_options o =
            DPL_INIT(dpl_query_options, .threshold = thresholds[t], .method = DPL_QUERY_CODES);
        dpl_query *q = new_query(x, &o);
        dpl_query_result r = ask_row(q, 0);
        const double expected = expected_recall(x, x->receipt.found, thresholds[t]);
        CHECK(fabs(r.recall - expected) < 1e-12);
        n_partial += expected > 0 && expected < 1;
        CHECK(r.complete > 1);
        o.method = DPL_QUERY_POSTINGS;
        o.budget = 1;
        CHECK_OK(dpl__query_set(q, &o, &test_err));
        r = ask_row(q, 0);
        if (r.method == DPL_QUERY_POSTINGS)
            CHECK(fabs(r.recall - expected_recall(x, x->receipt.found_auto, thresholds[t])) <
                  1e-12);
        else
            CHECK(r.recall == 1 && r.complete == 0);
        o.method = DPL_QUERY_EXACT;
        CHECK_OK(dpl__query_set(q, &o, &test_err));
        r = ask_row(q, 0);
        CHECK(r.method == DPL_QUERY_EXACT && r.recall == 1 && r.complete == 0);
        dpl_query_free(q);
    }
    CHECK(n_partial > 2);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* Documents have 400 words. A query of 50 different ones is an eighth of that. */
DPL_TEST(query, the_threshold_falls_with_the_root_of_the_length_of_the_query)
{
    enum { LENGTH = 400 };
    static const struct {
        unsigned n;
        double expected;
    } cases[] = {{1, 0},          {7, 0},    {8, 0.04}, {32, 0.08},
                 {49, 0.0989949}, {50, 0.1}, {51, 0.1}, {200, 0.1}};
    dpl_ctx *ctx = test_ctx(1);
    const drawn_docs docs = {.n = 30, .n_words = LENGTH, .seed = 12};
    dpl_index *x = drawn_pocket(ctx, &docs, NULL);
    CHECK(x->average == LENGTH);
    dpl_query_options o = DPL_INIT(dpl_query_options, .top = 1000);
    dpl_query *q = new_query(x, &o);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char text[2000], *at = text;
        for (unsigned k = 0; k < cases[i].n; k++) /* each word twice: different ones count */
            at += sprintf(at, "w%u w%u ", k, k);
        o.threshold = 0;
        CHECK_OK(dpl__query_set(q, &o, &test_err));
        dpl_query_result r = ask_text(q, text);
        CHECK_EQ(r.n_words, 2 * cases[i].n);
        CHECK_EQ(r.n_terms, cases[i].n);
        CHECK(fabs(q->threshold - cases[i].expected) < 1e-6);
        o.threshold = 0.3; /* is the same for all lengths */
        CHECK_OK(dpl__query_set(q, &o, &test_err));
        r = ask_text(q, text);
        CHECK(q->threshold == 0.3);
        for (size_t k = 0; k < r.n_hits; k++)
            CHECK(r.hits[k].score >= 0.3f);
    }
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(query, words_are_counted_each_and_once_and_as_known)
{
    dpl_ctx *ctx = test_ctx(1);
    static const char json[] = "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"red green blue\"}\n"
                               "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"red black\"}\n";
    dpl_index *x = pocket_of(ctx, test_write("c.jsonl", json, sizeof json - 1), NULL);
    const dpl_query_options o = DPL_INIT(dpl_query_options, .lang = "en");
    dpl_query *q = new_query(x, &o);
    dpl_query_result r = ask_text(q, "Red, violet red; blue white VIOLET.");
    CHECK_EQ(r.n_words, 6);
    CHECK_EQ(r.n_terms, 4);
    CHECK_EQ(r.n_known, 2);
    CHECK_STR(dpl__cstr(r.lang), "en");
    CHECK(!r.is_lang_detected && !r.is_translated);
    CHECK_EQ(r.n_hits, 2);
    CHECK_EQ(r.n_candidates, 2);
    CHECK_EQ(r.n_verified, 2);
    CHECK_EQ(r.n_lookups, 0);
    CHECK_EQ(r.n_postings, 3); /* both of red, one of blue */
    r = ask_row(q, 1);         /* nothing of the question before it stays */
    CHECK_EQ(r.n_words, 2);
    CHECK_EQ(r.n_terms, 2);
    CHECK_EQ(r.n_known, 2);
    CHECK_EQ(r.n_hits, 1);
    CHECK_EQ(r.hits[0].row, 0);
    CHECK_EQ(r.hits[0].n_terms, 1);
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* Stamps of questions long ago are those of the first ones again. */
DPL_TEST(query, the_number_of_a_question_may_begin_again)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_index *x = drawn_pocket(ctx, &some, NULL);
    const dpl_query_options o =
        DPL_INIT(dpl_query_options, .method = DPL_QUERY_CODES, .top = 100, .threshold = 0.05);
    dpl_query *fresh = new_query(x, &o), *old = new_query(x, &o);
    for (uint32_t row = 0; row < 20; row++) {
        for (uint32_t i = 0; i < some.n && row == 10; i++) {
            old->stamps[i] = i % 2;
            old->places[i] = 1000000;
        }
        old->stamp = row == 10 ? UINT32_MAX : old->stamp;
        const dpl_query_result a = ask_row(fresh, row), b = ask_row(old, row);
        CHECK(row != 10 || old->stamp == 1);
        CHECK(a.n_hits > 0 || row % 3 == 0);
        CHECK_EQ(a.n_hits, b.n_hits);
        CHECK_EQ(a.n_candidates, b.n_candidates);
        for (size_t i = 0; i < a.n_hits; i++)
            CHECK(a.hits[i].row == b.hits[i].row && a.hits[i].score == b.hits[i].score &&
                  a.hits[i].n_codes == b.hits[i].n_codes);
    }
    dpl_query_free(fresh);
    dpl_query_free(old);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* Of the same score the first rows; with every number of hits. */
DPL_TEST(query, the_best_hits_are_the_first_of_all_hits)
{
    dpl_ctx *ctx = test_ctx(1);
    const drawn_docs docs = {.n = 260, .n_words = 20, .n_copies = 90, .seed = 13};
    static const unsigned tops[] = {1, 2, 5, 63, 64, 65, 66, 100, 129, 259, 1000};
    dpl_index *x = drawn_pocket(ctx, &docs, NULL);
    dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = 1000, .threshold = 0.01, .method = DPL_QUERY_EXACT);
    dpl_query *all = new_query(x, &o), *best = new_query(x, &o);
    for (uint32_t row = 0; row < docs.n; row += 20) {
        const dpl_query_result a = ask_row(all, row);
        for (size_t i = 1; i < a.n_hits; i++)
            CHECK(
                a.hits[i - 1].score > a.hits[i].score ||
                (a.hits[i - 1].score == a.hits[i].score && a.hits[i - 1].row < a.hits[i].row));
        for (size_t t = 0; t < DPL_LEN(tops); t++) {
            o.top = tops[t];
            CHECK_OK(dpl__query_set(best, &o, &test_err));
            const dpl_query_result b = ask_row(best, row);
            CHECK_EQ(b.n_hits, dpl__min((size_t)tops[t], a.n_hits));
            for (size_t i = 0; i < b.n_hits; i++)
                CHECK(a.hits[i].row == b.hits[i].row && a.hits[i].score == b.hits[i].score);
        }
    }
    dpl_query_free(all);
    dpl_query_free(best);
    dpl_index_close(x);
    test_ctx_done(ctx);
}
