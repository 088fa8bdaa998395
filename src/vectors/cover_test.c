#include "doppel/vectors.h"

#include "lexicon/lexicon.h"
#include "test.h"

static dpl_collection *collection(dpl_ctx *ctx, const char *lang, const char *text,
                                  dpl_tokens_options tokens)
{
    const char *in = test_write("in.tsv", text, strlen(text));
    dpl_import_options o = DPL_INIT(
        dpl_import_options,
        .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV,
                                              .columns = "text", .lang = lang),
        .tokens = &tokens);
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

DPL_TEST(cover, counts_terms_and_tokens_and_lists_what_is_missing)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = collection(ctx, "de", "haus haus katze hund\nhund hund tisch 2020\n",
                                   (dpl_tokens_options)DPL_INIT(dpl_tokens_options));
    dpl_lexicon *l = lexicon(ctx, "haus\thouse\t1\nkatze\tcat\t1\nbaum\ttree\t1\n", "de", "en");
    dpl_lexicon_coverage n = DPL_INIT(dpl_lexicon_coverage);
    uint32_t unknown[8];
    size_t n_unknown = 8;
    CHECK_OK(dpl_lexicon_cover(&n, unknown, &n_unknown, ctx, l, c, &test_err));
    CHECK(!n.is_target && !n.is_counted);
    CHECK(n.n_terms == 5 && n.n_known_terms == 2 && n.n_tokens == 8 && n.n_known_tokens == 3);
    CHECK_EQ(n_unknown, 3);
    CHECK_STR(dpl_collection_term(c, unknown[0]), "hund");
    CHECK_STR(dpl_collection_term(c, unknown[1]), "2020");
    CHECK_STR(dpl_collection_term(c, unknown[2]), "tisch");
    n_unknown = 1;
    CHECK_OK(dpl_lexicon_cover(&n, unknown, &n_unknown, ctx, l, c, &test_err));
    CHECK_EQ(n_unknown, 1);
    CHECK_OK(dpl_lexicon_cover(&n, NULL, NULL, ctx, l, c, &test_err));
    CHECK_EQ(n.n_known_terms, 2);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(cover, is_that_of_the_vectors)
{
    dpl_ctx *ctx = test_ctx(1);
    /* stems meet words, as in the projection; the languages are told from the words */
    dpl_collection *c =
        collection(ctx, "en", "houses house cats\nhouse trees\n",
                   (dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stem = true));
    dpl_lexicon *l = lexicon(ctx, "haus\thouses\t1\nkatze\tcats\t1\nx\ty\t1\n", NULL, NULL);
    dpl_lexicon_coverage n = DPL_INIT(dpl_lexicon_coverage);
    dpl_vectors_summary s = DPL_INIT(dpl_vectors_summary);
    dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .min_count = 1, .min_terms = 1,
                                     .direction = DPL_DIRECTION_TARGET);
    CHECK_EQ(dpl_lexicon_cover(&n, NULL, NULL, ctx, l, c, &test_err), DPL_E_USAGE);
    dpl_lexicon_close(l);
    l = lexicon(ctx, "haus\thouses\t1\nkatze\tcats\t1\nx\ty\t1\nz\tcat\t0.1\n", NULL, NULL);
    CHECK_OK(dpl_lexicon_cover(&n, NULL, NULL, ctx, l, c, &test_err));
    CHECK(n.is_target && n.is_counted);
    CHECK_OK(dpl_vectors_make(&s, ctx, test_path("v.dpl"), c, l, &o, &test_err));
    CHECK_EQ(n.n_terms, s.n_source_terms);
    CHECK_EQ(n.n_tokens, s.n_source_tokens);
    CHECK_EQ(n.n_known_terms, s.n_known_terms);
    CHECK_EQ(n.n_known_tokens, s.n_known_tokens);
    CHECK_EQ(n.n_known_terms, 2);
    CHECK_EQ(n.n_known_tokens, 4);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(cover, is_refused_where_words_cannot_meet)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c =
        collection(ctx, "fr", "maison\n", (dpl_tokens_options)DPL_INIT(dpl_tokens_options));
    dpl_lexicon *l = lexicon(ctx, "haus\thouse\t1\n", "de", "en");
    dpl_lexicon_coverage n = DPL_INIT(dpl_lexicon_coverage);
    CHECK_EQ(dpl_lexicon_cover(&n, NULL, NULL, ctx, l, c, &test_err), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "the collection is in 'fr'"));
    dpl_collection_close(c);
    c = collection(ctx, "de", "haus\n",
                   (dpl_tokens_options)DPL_INIT(dpl_tokens_options, .ngrams = 3));
    CHECK_EQ(dpl_lexicon_cover(&n, NULL, NULL, ctx, l, c, &test_err), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "n-grams"));
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

typedef struct inputs {
    const dpl_lexicon *l;
    const dpl_collection *c;
} inputs;

static dpl_status body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const inputs *in = user;
    dpl_lexicon_coverage n = DPL_INIT(dpl_lexicon_coverage);
    return dpl_lexicon_cover(&n, NULL, NULL, ctx, in->l, in->c, err);
}

DPL_TEST(cover, survives_every_failing_allocation)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c =
        collection(ctx, "de", "haus hunde\n",
                   (dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stem = true));
    dpl_lexicon *l = lexicon(ctx, "haus\thouse\t1\n", "de", "en");
    test_allocation_failures(body, &(inputs){l, c});
    dpl_lexicon_close(l);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
