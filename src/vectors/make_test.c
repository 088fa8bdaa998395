#include "vectors/vectors.h"

#include "base/hash.h"
#include "lexicon/lexicon.h"
#include "test.h"
#include "vectors/weights.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* ---- helpers ------------------------------------------------------------------------ */

/* One document a line. */
static dpl_collection *collection(dpl_ctx *ctx, const char *lang, const char *lines, bool stem)
{
    const char *in = test_write("in.tsv", lines, strlen(lines));
    dpl_import_options o = DPL_INIT(
        dpl_import_options,
        .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV,
                                              .columns = "text", .lang = lang),
        .tokens = &(dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stem = stem));
    CHECK_OK(dpl_import(NULL, ctx, test_path("in.dpl"), &in, 1, &o, &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("in.dpl"), &test_err));
    return c;
}

static dpl_lexicon *lexicon(dpl_ctx *ctx, const char *text, const char *source,
                            const char *target)
{
    dpl_lexicon *l = NULL;
    dpl_lexicon_options o =
        DPL_INIT(dpl_lexicon_options, .source_lang = source, .target_lang = target);
    CHECK_OK(dpl__lexicon_open_memory(&l, ctx, "x.tsv", dpl__cstr(text), &o, &test_err));
    return l;
}

static dpl_vectors *open_vectors(dpl_ctx *ctx, const char *path)
{
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_vectors_open(&v, ctx, path, &test_err));
    return v;
}

static dpl_vectors *vectors(dpl_ctx *ctx, const dpl_collection *c, const dpl_lexicon *l,
                            dpl_vectors_options o, dpl_vectors_summary *summary)
{
    CHECK_OK(dpl_vectors_make(summary, ctx, test_path("v.dpl"), c, l, &o, &test_err));
    return open_vectors(ctx, test_path("v.dpl"));
}

/* 0 when the row does not hold the term. */
static double weight(const dpl_vectors *v, uint32_t row, const char *text)
{
    uint32_t term;
    const float *weights;
    size_t n;
    if (!dpl_vectors_find_term(v, dpl__cstr(text), &term))
        return 0;
    const uint32_t *terms = dpl_vectors_row(v, row, &weights, &n);
    for (size_t i = 0; i < n; i++)
        if (terms[i] == term)
            return (double)weights[i];
    return 0;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-5;
}

static const dpl_vectors_options all =
    DPL_INIT(dpl_vectors_options, .min_count = 1, .min_terms = 1);

/* ---- by hand ------------------------------------------------------------------------ */

DPL_TEST(vectors, bm25_is_what_a_pencil_gives)
{
    /* Two documents of 3 and 2 words, 2.5 on average. idf: ln 2 for what one of them holds,
     * ln 1.2 for what both do. In the first document k1 (1 - b + b 3/2.5) = 1.38, so apple is
     * ln 2 * 2 * 2.2 / 3.38 = 0.90232, pear ln 1.2 * 2.2 / 2.38 = 0.16853; length 0.91793. */
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "en", "apple apple pear\npear plum\n", false);
    dpl_vectors *v = vectors(ctx, c, NULL, all, NULL);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_terms, 3);
    CHECK(is_near(weight(v, 0, "apple"), 0.90232 / 0.91793));
    CHECK(is_near(weight(v, 0, "pear"), 0.16853 / 0.91793));
    CHECK(weight(v, 0, "plum") == 0);
    /* the second: k1 (1 - b + b 2/2.5) = 1.02; both words once, so their idf decides */
    CHECK(is_near(weight(v, 1, "pear") / weight(v, 1, "plum"), log(1.2) / log(2)));
    CHECK_STR(dpl_vectors_term(v, 0), "apple");
    CHECK_STR(dpl_vectors_term(v, 2), "plum");
    CHECK_STR(dpl_vectors_get_info(v).space, "words, bm25 k1=1.2 b=0.75");
    CHECK_STR(dpl_vectors_get_info(v).lang, "en");
    CHECK_STR(dpl_vectors_get_info(v).doc_lang, "en");
    CHECK_STR(dpl_vectors_id(v, 1), "2");
    dpl_vectors_close(v);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* The words of this test, projected by hand: BM25 over tf*, df*, dl* and their average. */
static double bm25(double n_docs, double df, double tf, double dl, double average)
{
    return log(1 + (n_docs - df + 0.5) / (df + 0.5)) *
           (tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * dl / average)));
}

DPL_TEST(vectors, projection_from_the_source_side_is_what_a_pencil_gives)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "de", "haus haus katze xyz\nkatze heim\n", false);
    dpl_lexicon *l =
        lexicon(ctx, "haus\thouse\t0.75\nhaus\thome\t0.25\nheim\thome\t1\nkatze\tcat\t0.5\n",
                "de", "en");
    dpl_vectors_summary s = DPL_INIT(dpl_vectors_summary);
    dpl_vectors *v = vectors(ctx, c, l, all, &s);
    /* tf* of the first: house 1.5, home 0.5, cat 0.5, xyz 1: length 3.5; of the second: cat
     * 0.5, home 1: length 1.5. df*: house 0.75, home 0.25 + 1, cat 1, xyz 1. */
    double w[4] = {bm25(2, 1, 0.5, 3.5, 2.5), bm25(2, 1.25, 0.5, 3.5, 2.5),
                   bm25(2, 0.75, 1.5, 3.5, 2.5), bm25(2, 1, 1, 3.5, 2.5)};
    static const char *const words[] = {"cat", "home", "house", "xyz"};
    double norm = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    for (int i = 0; i < 4; i++) {
        CHECK_STR(dpl_vectors_term(v, (uint32_t)i), words[i]);
        CHECK(is_near(weight(v, 0, words[i]), w[i] / norm));
    }
    CHECK(is_near(weight(v, 1, "cat") / weight(v, 1, "home"),
                  bm25(2, 1, 0.5, 1.5, 2.5) / bm25(2, 1.25, 1, 1.5, 2.5)));
    CHECK_EQ(s.direction, DPL_DIRECTION_SOURCE);
    CHECK(!s.is_counted);
    CHECK_EQ(s.n_source_terms, 4);
    CHECK_EQ(s.n_known_terms, 3);
    CHECK_EQ(s.n_source_tokens, 6);
    CHECK_EQ(s.n_known_tokens, 5);
    CHECK_STR(dpl_vectors_get_info(v).lang, "en");
    CHECK_STR(dpl_vectors_get_info(v).doc_lang, "de");
    CHECK(v->is_projected);
    dpl_vectors_close(v);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* Documents of another language in one collection change nothing. */
DPL_TEST(vectors, of_one_language_are_those_of_its_documents_alone)
{
    static const char *const mixed = "de\thaus haus katze xyz\nen\thaus home xyz cat\n"
                                     "en\tcat cat\nde\tkatze heim\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l =
        lexicon(ctx, "haus\thouse\t0.75\nhaus\thome\t0.25\nheim\thome\t1\nkatze\tcat\t0.5\n",
                "de", "en");
    dpl_collection *alone = collection(ctx, "de", "haus haus katze xyz\nkatze heim\n", false);
    dpl_vectors *expected = vectors(ctx, alone, l, all, NULL), *v = NULL;
    const dpl_import_options o =
        DPL_INIT(dpl_import_options,
                 .read = &(dpl_reader_options)DPL_INIT(
                     dpl_reader_options, .from = DPL_FORMAT_TSV, .columns = "lang,text"));
    const char *in = test_write("mixed.tsv", mixed, strlen(mixed));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_import(NULL, ctx, test_path("mixed.dpl"), &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("mixed.dpl"), &test_err));
    dpl_vectors_options chosen = all;
    chosen.skip = (const uint8_t[]){0, 1, 1, 0};
    CHECK_OK(dpl__vectors_of_language(&v, c, "de", l, &chosen, &test_err));
    CHECK_EQ(v->sizes.n_rows, 2);
    CHECK_EQ(v->docs[1], 3);
    CHECK_STR(v->lang, "en");
    CHECK_EQ(v->sizes.n_terms, expected->sizes.n_terms);
    for (uint32_t i = 0; i < 2 * v->sizes.n_terms; i++) {
        const char *const words[] = {"cat", "home", "house", "xyz"};
        CHECK(is_near(weight(v, i % 2, words[i / 2]), weight(expected, i % 2, words[i / 2])));
    }
    dpl_vectors_close(v);
    dpl_vectors_close(expected);
    dpl_collection_close(c);
    dpl_collection_close(alone);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(vectors, projection_from_the_target_side_is_what_a_pencil_gives)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "de", "haus haus katze xyz\nkatze heim\n", false);
    /* p(f|e); nothing says "nothing" in these documents, so it does not become a term */
    dpl_lexicon *l =
        lexicon(ctx,
                "house\thaus\t1\nhome\thaus\t0.25\nhome\theim\t0.75\ncat\tkatze\t0."
                "5\nnothing\tnichts\t1\n",
                "en", "de");
    dpl_vectors_summary s = DPL_INIT(dpl_vectors_summary);
    dpl_vectors *v = vectors(ctx, c, l, all, &s);
    CHECK_EQ(s.direction, DPL_DIRECTION_TARGET);
    CHECK_EQ(s.n_known_terms, 3);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_terms, 4);
    /* tf* of the first: house 2, home 0.5, cat 0.5, xyz 1: length 4; of the second: cat 0.5,
     * home 0.75: length 1.25; average 2.625. df*: house 1, home 1, cat 1, xyz 1. */
    CHECK(is_near(weight(v, 0, "house") / weight(v, 0, "xyz"),
                  bm25(2, 1, 2, 4, 2.625) / bm25(2, 1, 1, 4, 2.625)));
    CHECK(is_near(weight(v, 0, "home") / weight(v, 0, "xyz"),
                  bm25(2, 1, 0.5, 4, 2.625) / bm25(2, 1, 1, 4, 2.625)));
    CHECK(is_near(weight(v, 1, "cat") / weight(v, 1, "home"),
                  bm25(2, 1, 0.5, 1.25, 2.625) / bm25(2, 1, 0.75, 1.25, 2.625)));
    dpl_vectors_close(v);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* A word that passes through may be a word of the other language, too: they are one term. */
DPL_TEST(vectors, words_that_pass_through_meet_those_that_are_translated)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "de", "rechner computer\nmaus\n", false);
    dpl_lexicon *l = lexicon(ctx, "rechner\tcomputer\t1\nmaus\tmouse\t1\n", "de", "en");
    dpl_vectors *v = vectors(ctx, c, l, all, NULL);
    const float *weights;
    size_t n;
    dpl_vectors_row(v, 0, &weights, &n);
    CHECK_EQ(n, 1);
    CHECK(is_near(weight(v, 0, "computer"), 1));
    dpl_vectors_close(v);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* ---- stems -------------------------------------------------------------------------- */

DPL_TEST(vectors, columns_of_words_are_stemmed_for_a_stemmed_collection)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "de", "Die H\xC3\xA4user der Katzen\n", true);
    dpl_lexicon *l =
        lexicon(ctx,
                "h\xC3\xA4user\thouses\t0.5\nh\xC3\xA4user\thouse\t0.25\n"
                "katzen\tcats\t1\ndie\tthe\t1\nderen\twhose\t1\nwollen\twanted\t1\n"
                "gehen\tgoing\t1\nsehen\tseeing\t1\n",
                "de", "en");
    dpl_vectors *v = vectors(ctx, c, l, all, NULL);
    CHECK(weight(v, 0, "hous") > 0);
    CHECK(weight(v, 0, "cat") > 0);
    CHECK(weight(v, 0, "houses") == 0 && weight(v, 0, "haus") == 0);
    CHECK_STR(dpl_vectors_get_info(v).space, "words, stem, bm25 k1=1.2 b=0.75");
    dpl_vectors_close(v);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(vectors, columns_of_stems_are_taken_as_they_are)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c =
        collection(ctx, "de", "Bitte \xC3\x84nderungen, Wasser. \xC3\x84nderung\n", true);
    /* "pleas" is the stem of please, but not its own; the first word with its umlaut is no
     * stem, but the only one for its term; "wasser" is not the only one for "wass" */
    dpl_lexicon *l = lexicon(ctx,
                             "\xC3\xA4nderung\tchang\t1\nbitt\tpleas\t1\nwass\twater\t1\n"
                             "wasser\tblunder\t1\nhaus\thous\t1\nbaum\ttree\t1\nweg\tway\t1\n"
                             "tag\tday\t1\nbuch\tbook\t1\njahr\tyear\t1\nort\tplac\t1\n",
                             "de", "en");
    dpl_vectors_summary s = DPL_INIT(dpl_vectors_summary);
    dpl_vectors *v = vectors(ctx, c, l, all, &s);
    CHECK_EQ(s.n_known_terms, 3);
    CHECK(weight(v, 0, "pleas") > 0 && weight(v, 0, "plea") == 0);
    CHECK(weight(v, 0, "chang") > 0);
    CHECK(weight(v, 0, "water") > 0 && weight(v, 0, "blunder") == 0);
    dpl_vectors_close(v);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* ---- direction ---------------------------------------------------------------------- */

DPL_TEST(vectors, the_direction_is_told_from_words_when_languages_are_not_known)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "de", "haus katze maus\n", false);
    static const char there[] = "haus\thouse\t1\nkatze\tcat\t1\nmaus\tmouse\t1\n";
    static const char back[] = "house\thaus\t1\ncat\tkatze\t1\nx\tmaus\t1\n";
    dpl_vectors_summary s = DPL_INIT(dpl_vectors_summary);
    for (int is_back = 0; is_back < 2; is_back++) {
        dpl_lexicon *l = lexicon(ctx, is_back ? back : there, NULL, NULL);
        dpl_vectors *v = vectors(ctx, c, l, all, &s);
        CHECK_EQ(s.direction, is_back ? DPL_DIRECTION_TARGET : DPL_DIRECTION_SOURCE);
        CHECK(s.is_counted);
        CHECK_EQ(s.n_known_terms, 3);
        CHECK_STR(dpl_vectors_get_info(v).lang, "");
        dpl_vectors_close(v);
        dpl_lexicon_close(l);
    }
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

static void check_refused(dpl_ctx *ctx, const dpl_collection *c, const dpl_lexicon *l,
                          dpl_vectors_options o, const char *message)
{
    CHECK_EQ(dpl_vectors_make(NULL, ctx, test_path("v.dpl"), c, l, &o, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.text), message);
}

DPL_TEST(vectors, lexicons_that_do_not_fit_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "de", "haus katze maus\n", false);
    dpl_lexicon *l = lexicon(ctx, "casa\thouse\t1\n", "es", "en");
    check_refused(ctx, c, l, all,
                  "the collection is in 'de', but the lexicon is between 'es' and 'en'");
    CHECK_STR(dpl__cstr(test_err.code), "lexicon-columns");
    dpl_lexicon_close(l);
    l = lexicon(ctx, "haus\thouse\t1\n", "de", "en");
    dpl_vectors_options o = all;
    o.direction = DPL_DIRECTION_TARGET;
    check_refused(ctx, c, l, o,
                  "the collection is in 'de', but the lexicon's target language is 'en'");
    CHECK_STR(dpl__cstr(test_err.code), "direction-source");
    dpl_lexicon_close(l);
    l = lexicon(ctx, "casa\thouse\t1\n", NULL, NULL);
    check_refused(ctx, c, l, all, "the lexicon holds none of the collection's terms");
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(vectors, a_lexicon_is_not_for_character_ngrams)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *in = test_write("in.tsv", "some text\n", 10);
    dpl_import_options o = DPL_INIT(
        dpl_import_options,
        .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV,
                                              .columns = "text", .lang = "en"),
        .tokens = &(dpl_tokens_options)DPL_INIT(dpl_tokens_options, .ngrams = 3));
    CHECK_OK(dpl_import(NULL, ctx, test_path("in.dpl"), &in, 1, &o, &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("in.dpl"), &test_err));
    dpl_lexicon *l = lexicon(ctx, "casa\thouse\t1\n", "es", "en");
    CHECK_EQ(dpl_vectors_make(NULL, ctx, test_path("v.dpl"), c, l, &all, &test_err),
             DPL_E_USAGE);
    CHECK(strstr(test_err.text, "character n-grams") != NULL);
    dpl_vectors *v = vectors(ctx, c, NULL, all, NULL);
    CHECK_STR(dpl_vectors_get_info(v).space, "characters 3, bm25 k1=1.2 b=0.75");
    dpl_vectors_close(v);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* ---- options ------------------------------------------------------------------------ */

DPL_TEST(vectors, rare_terms_and_short_documents_are_dropped)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "en",
                                   "a b c d e once\n"
                                   "a b c d\n"
                                   "a b c d e\n",
                                   false);
    dpl_vectors_summary s = DPL_INIT(dpl_vectors_summary);
    dpl_vectors *v =
        vectors(ctx, c, NULL, (dpl_vectors_options)DPL_INIT(dpl_vectors_options), &s);
    CHECK_EQ(s.n_docs, 3);
    CHECK_EQ(s.n_rows, 2);
    CHECK_EQ(s.n_dropped, 1);
    CHECK_EQ(s.n_terms, 5);
    CHECK_EQ(s.n_entries, 10);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_dropped, 1);
    CHECK_STR(dpl_vectors_id(v, 1), "3");
    CHECK_EQ(v->docs[1], 2);
    dpl_vectors_close(v);
    /* terms of dropped documents alone are not there either */
    v = vectors(
        ctx, c, NULL,
        (dpl_vectors_options)DPL_INIT(dpl_vectors_options, .min_count = 1, .min_terms = 6),
        NULL);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, 1);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_terms, 6);
    dpl_vectors_close(v);
    v = vectors(
        ctx, c, NULL,
        (dpl_vectors_options)DPL_INIT(dpl_vectors_options, .min_count = 1, .min_terms = 7),
        NULL);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, 0);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_dropped, 3);
    dpl_vectors_close(v);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(vectors, options_out_of_range_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "en", "a b\n", false);
    dpl_vectors_options bad[] = {{.k1 = -1},
                                 {.k1 = 1001},
                                 {.k1 = NAN},
                                 {.b = 1.01},
                                 {.b = NAN},
                                 {.weighting = (dpl_weighting)3},
                                 {.direction = (dpl_direction)3}};
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        bad[i].size = sizeof bad[i];
        CHECK_EQ(dpl_vectors_make(NULL, ctx, test_path("v.dpl"), c, NULL, &bad[i], &test_err),
                 DPL_E_USAGE);
    }
    dpl_vectors_options o = all;
    o.b = -1;
    o.k1 = 2.5;
    dpl_vectors *v = vectors(ctx, c, NULL, o, NULL);
    CHECK_STR(dpl_vectors_get_info(v).space, "words, bm25 k1=2.5 b=0");
    dpl_vectors_close(v);
    o.weighting = DPL_WEIGHT_TFIDF;
    v = vectors(ctx, c, NULL, o, NULL);
    CHECK_STR(dpl_vectors_get_info(v).space, "words, tf-idf");
    dpl_vectors_close(v);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(vectors, of_nothing_are_no_rows)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "en", "", false);
    dpl_vectors *v =
        vectors(ctx, c, NULL, (dpl_vectors_options)DPL_INIT(dpl_vectors_options), NULL);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, 0);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_terms, 0);
    dpl_vectors_close(v);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* ---- against the naive version ------------------------------------------------------ */

enum { N_DOCS = 40, N_WORDS = 12 };

/* tf* and df* of every word e, over dense matrices. */
typedef struct naive {
    double tf[N_DOCS][2 * N_WORDS], df[2 * N_WORDS], average;
} naive;

/* Words 0 to N_WORDS - 1 are e0.., the others f0..: what passes through. */
static void project(naive *out, double counts[N_DOCS][N_WORDS], double p[N_WORDS][N_WORDS])
{
    double length = 0;
    *out = (naive){0};
    for (int f = 0; f < N_WORDS; f++) {
        double known = 0, df = 0;
        for (int e = 0; e < N_WORDS; e++)
            known += p[f][e];
        for (int d = 0; d < N_DOCS; d++)
            df += counts[d][f] > 0;
        for (int e = 0; e < 2 * N_WORDS; e++) {
            double share = e < N_WORDS ? p[f][e] : known == 0 && e == N_WORDS + f;
            out->df[e] += share * df;
            for (int d = 0; d < N_DOCS; d++) {
                out->tf[d][e] += share * counts[d][f];
                length += share * counts[d][f];
            }
        }
    }
    out->average = length / N_DOCS;
}

static double naive_weight(const naive *a, int doc, int e, dpl_weighting weighting)
{
    double tf = a->tf[doc][e], df = a->df[e], dl = 0;
    for (int i = 0; i < 2 * N_WORDS; i++)
        dl += a->tf[doc][i];
    if (weighting == DPL_WEIGHT_BM25)
        return tf > 0 ? bm25(N_DOCS, fmin(df, N_DOCS), tf, dl, a->average) : 0;
    double idf = df > 0 ? log(1 + N_DOCS / df) : 0;
    return weighting == DPL_WEIGHT_IDF ? idf * fmin(tf, 1) : idf * (tf < 1 ? tf : 1 + log(tf));
}

static void check_rows(const dpl_vectors *v, const naive *a, dpl_weighting weighting,
                       uint64_t seed)
{
    for (uint32_t row = 0; row < dpl_vectors_get_sizes(v)->n_rows; row++) {
        int doc = (int)v->docs[row];
        double w[2 * N_WORDS], squares = 0;
        for (int e = 0; e < 2 * N_WORDS; e++) {
            w[e] = naive_weight(a, doc, e, weighting);
            squares += w[e] * w[e];
        }
        for (int e = 0; e < 2 * N_WORDS; e++) {
            char word[8];
            sprintf(word, "%c%d", e < N_WORDS ? 'e' : 'f', e % N_WORDS);
            double have = weight(v, row, word), expected = w[e] / sqrt(squares);
            if (!is_near(have, expected))
                dpl__test_fail(__FILE__, __LINE__, "seed %llu, %s: %s in row %u is %g, not %g",
                               (unsigned long long)seed, dpl__weighting_name(weighting), word,
                               row, have, expected);
        }
    }
}

static void check_random(uint64_t seed, dpl_weighting weighting, bool is_source)
{
    dpl__rng rng = {dpl__mix(seed)};
    double counts[N_DOCS][N_WORDS] = {{0}}, p[N_WORDS][N_WORDS] = {{0}}; /* p[f][e] */
    char docs[N_DOCS * 30 * 5], table[N_WORDS * N_WORDS * 16];
    size_t n_docs = 0, n_table = 0;
    for (int d = 0; d < N_DOCS; d++) {
        for (uint64_t n = 1 + dpl__rng_below(&rng, 20); n; n--) {
            int f = (int)dpl__rng_below(&rng, N_WORDS);
            counts[d][f]++;
            n_docs += (size_t)sprintf(docs + n_docs, "f%d ", f);
        }
        docs[n_docs++] = '\n';
    }
    docs[n_docs] = 0;
    for (int f = 0; f < N_WORDS - 3; f++) /* the last ones pass through */
        for (int e = 0; e < N_WORDS; e++)
            if (dpl__rng_below(&rng, 4) == 0) {
                unsigned percent = 1 + (unsigned)dpl__rng_below(&rng, 60);
                p[f][e] = percent / 100.0;
                n_table += (size_t)sprintf(table + n_table, "%c%d\t%c%d\t0.%02u\n",
                                           is_source ? 'f' : 'e', is_source ? f : e,
                                           is_source ? 'e' : 'f', is_source ? e : f, percent);
            }
    table[n_table] = 0;
    naive expected;
    project(&expected, counts, p);
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *c = collection(ctx, "de", docs, false);
    dpl_lexicon *l = lexicon(ctx, table, is_source ? "de" : "en", is_source ? "en" : "de");
    dpl_vectors_options o = all;
    o.weighting = weighting;
    dpl_vectors *v = vectors(ctx, c, l, o, NULL);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, N_DOCS);
    check_rows(v, &expected, weighting, seed);
    dpl_vectors_close(v);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(vectors, agree_with_a_naive_projection)
{
    for (uint64_t seed = 0; seed < 6; seed++)
        for (int w = DPL_WEIGHT_BM25; w <= DPL_WEIGHT_IDF; w++)
            check_random(seed, (dpl_weighting)w, seed % 2);
}

/* ---- the same bytes ----------------------------------------------------------------- */

static void write_many(size_t n_docs)
{
    char *text = malloc(n_docs * 60 * 8);
    CHECK(text != NULL);
    size_t at = 0;
    for (size_t d = 0; d < n_docs; d++) {
        dpl__rng rng = {d << 20};
        for (uint64_t n = dpl__rng_below(&rng, 60); n; n--) {
            uint64_t x = dpl__rng_below(&rng, 1000);
            at += (size_t)sprintf(text + at, "w%llu ", (unsigned long long)(x * x / 500));
        }
        text[at++] = '\n';
    }
    test_write("many.tsv", text, at);
    free(text);
    at = 0;
    char *table = malloc(2000 * 3 * 24);
    CHECK(table != NULL);
    for (unsigned i = 0; i < 1500; i++)
        for (unsigned k = 0; k < 3; k++)
            at += (size_t)sprintf(table + at, "w%u\te%u\t0.%u\n", i, i % 37 * 10 + k, k + 1);
    test_write("many.lexicon", table, at);
    free(table);
}

typedef struct setting {
    unsigned threads;
    uint64_t memory;
    dpl_cpu cpu;
} setting;

static dpl_status make_many(const char *out, setting s, dpl_vectors_summary *summary)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o =
        DPL_INIT(dpl_ctx_options, .n_threads = s.threads, .memory = s.memory, .cpu = s.cpu);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    dpl_collection *c = NULL;
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("many.dpl"), &test_err));
    CHECK_OK(dpl_lexicon_open(&l, ctx, test_path("many.lexicon"), NULL, &test_err));
    dpl_status status = dpl_vectors_make(summary, ctx, out, c, l, NULL, &test_err);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
    return status;
}

static void import_many(size_t n_docs)
{
    write_many(n_docs);
    dpl_ctx *ctx = test_ctx(2);
    const char *in = test_path("many.tsv");
    dpl_import_options o = DPL_INIT(
        dpl_import_options,
        .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV,
                                              .columns = "text", .lang = "en"));
    CHECK_OK(dpl_import(NULL, ctx, test_path("many.dpl"), &in, 1, &o, &test_err));
    test_ctx_done(ctx);
}

static void check_same_file(const char *a, const char *b)
{
    size_t n_a, n_b;
    char *x = test_read(a, &n_a), *y = test_read(b, &n_b);
    bool is_same = n_a == n_b && memcmp(x, y, n_a) == 0;
    free(x);
    free(y);
    CHECK(is_same);
}

DPL_TEST(vectors, are_the_same_bytes_for_any_threads_memory_and_cpu)
{
    import_many(6000);
    dpl_vectors_summary large = DPL_INIT(dpl_vectors_summary);
    dpl_vectors_summary small = DPL_INIT(dpl_vectors_summary);
    CHECK_OK(make_many(test_path("a.dpl"), (setting){.threads = 1}, &large));
    CHECK_EQ(large.n_spilled_bytes, 0);
    CHECK(large.n_dropped > 0 && large.n_known_terms > 0);
    for (unsigned threads = 2; threads <= 5; threads++) {
        CHECK_OK(make_many(test_path("b.dpl"), (setting){.threads = threads}, NULL));
        check_same_file(test_path("a.dpl"), test_path("b.dpl"));
    }
    CHECK_OK(make_many(test_path("b.dpl"), (setting){.threads = 2, .memory = 2 << 20}, &small));
    CHECK(small.n_spilled_bytes > 0);
    check_same_file(test_path("a.dpl"), test_path("b.dpl"));
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        CHECK_OK(
            make_many(test_path("b.dpl"), (setting){.threads = 2, .cpu = (dpl_cpu)cpu}, NULL));
        check_same_file(test_path("a.dpl"), test_path("b.dpl"));
    }
}

DPL_TEST(vectors, that_cannot_fit_into_memory_are_refused)
{
    import_many(500);
    dpl_ctx *ctx = NULL;
    CHECK_OK(dpl_ctx_new(
        &ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 1 << 16),
        &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("many.dpl"), &test_err));
    CHECK_EQ(dpl_vectors_make(NULL, ctx, test_path("v.dpl"), c, NULL, NULL, &test_err),
             DPL_E_LIMIT);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* ---- failures ----------------------------------------------------------------------- */

static dpl_status make_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_collection *c = NULL;
    dpl_lexicon *l = NULL;
    dpl_vectors *v = NULL;
    dpl_lexicon_options o =
        DPL_INIT(dpl_lexicon_options, .source_lang = "de", .target_lang = "en");
    dpl_status status = dpl_collection_open(&c, ctx, test_path("in.dpl"), err);
    if (status == DPL_OK)
        status = dpl_lexicon_open(&l, ctx, user, &o, err);
    if (status == DPL_OK)
        status = dpl_vectors_make(NULL, ctx, test_path("v.dpl"), c, l, &all, err);
    if (status == DPL_OK)
        status = dpl_vectors_open(&v, ctx, test_path("v.dpl"), err);
    dpl_vectors_close(v);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    return status;
}

DPL_TEST(vectors, survive_every_failing_allocation)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection_close(collection(ctx, "de", "haus haus katze xyz\nkatze heim\n", true));
    test_ctx_done(ctx);
    static const char table[] = "h\xC3\xA4user\thouses\t1\nkatzen\tcats\t1\n";
    test_allocation_failures(make_body,
                             (void *)(uintptr_t)test_write("l", table, sizeof table - 1));
}

static int stop_at_once(void *user, const dpl_progress *progress)
{
    (void)user;
    return strcmp(progress->stage, "vectors") == 0;
}

DPL_TEST(vectors, stop_when_asked_and_leave_the_old_file)
{
    import_many(50);
    const char *out = test_write("old.dpl", "old", 3);
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .progress = stop_at_once);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("many.dpl"), &test_err));
    CHECK_EQ(dpl_vectors_make(NULL, ctx, out, c, NULL, NULL, &test_err), DPL_E_STOPPED);
    dpl_collection_close(c);
    test_ctx_done(ctx);
    size_t n;
    free(test_read(out, &n));
    CHECK_EQ(n, 3);
}

static size_t n_files(const char *dir)
{
    DIR *d = opendir(dir);
    CHECK(d != NULL);
    size_t n = 0;
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.' || strlen(e->d_name) > 2;
    closedir(d);
    return n;
}

/* A limit on the size of files stands for a disk that is full: writes fail at that place. */
DPL_TEST(vectors, survive_a_full_disk_and_leave_the_old_file)
{
    import_many(2000);
    const char *out = test_write("old.dpl", "old", 3);
    size_t n_before = n_files(test_dir());
    struct rlimit old;
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    dpl_status status = DPL_E_IO;
    for (rlim_t limit = 0; status != DPL_OK; limit += 100000) {
        struct rlimit full = {limit, old.rlim_max};
        CHECK(setrlimit(RLIMIT_FSIZE, &full) == 0);
        status = make_many(out, (setting){.threads = 2, .memory = 2 << 20}, NULL);
        CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
        CHECK_EQ(n_files(test_dir()), n_before);
        if (status == DPL_OK)
            break;
        CHECK_EQ(status, DPL_E_IO);
        CHECK(test_err.sys_errno == EFBIG && strstr(test_err.text, "cannot write") != NULL);
        size_t n;
        free(test_read(out, &n));
        CHECK_EQ(n, 3);
    }
    signal(SIGXFSZ, old_handler);
}

DPL_TEST(vectors, an_input_is_not_overwritten)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "de", "haus maus\n", false);
    dpl_lexicon *l = NULL;
    const char *text = test_write("l.tsv", "house\thaus\t1\n", 13);
    CHECK_OK(dpl_lexicon_open(&l, ctx, text, NULL, &test_err));
    const char *inputs[] = {test_path("in.dpl"), text};
    for (size_t i = 0; i < DPL_LEN(inputs); i++) {
        CHECK_EQ(dpl_vectors_make(NULL, ctx, inputs[i], c, l, NULL, &test_err), DPL_E_USAGE);
        CHECK_STR(dpl__cstr(test_err.code), "output-is-input");
    }
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
