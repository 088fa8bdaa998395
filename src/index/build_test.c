#include "index/pocket_test.h"

#include "doppel/file.h"
#include "doppel/lexicon.h"

static const drawn_docs some = {.n = 40, .n_words = 25, .seed = 71, .is_bilingual = true};

static dpl_status build(dpl_ctx *ctx, const char *name, const char *docs,
                        const dpl_index_options *o)
{
    const dpl_input in = {.path = docs};
    test_err = (dpl_error){0};
    return dpl_index_build(NULL, ctx, test_path(name), &in, 1, o, &test_err);
}

static void check_same_files(const char *a, const char *b)
{
    size_t n, m;
    char *x = test_read(test_path(a), &n), *y = test_read(test_path(b), &m);
    CHECK_EQ(n, m);
    CHECK(memcmp(x, y, n) == 0);
    free(x);
    free(y);
}

/* ---- options ----------------------------------------------------------------------- */

DPL_TEST(build, options_out_of_range_are_refused_and_nothing_is_written)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *docs = drawn_write(&some, "docs.jsonl");
    const dpl_hash_options shingles = DPL_INIT(dpl_hash_options, .shingle = 2,
                                               .function = DPL_HASH_MINHASH),
                           unknown =
                               DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)99);
    const dpl_tokens_options grams = DPL_INIT(dpl_tokens_options, .ngrams = 3);
    const struct {
        dpl_index_options o;
        dpl_status status;
    } cases[] = {
        {DPL_INIT(dpl_index_options, .checksum = 33), DPL_E_USAGE},
        {DPL_INIT(dpl_index_options, .sample = 100001), DPL_E_USAGE},
        {DPL_INIT(dpl_index_options, .no_vectors = true, .n_lexicons = 1), DPL_E_USAGE},
        {DPL_INIT(dpl_index_options, .hash = &shingles), DPL_E_USAGE},
        {DPL_INIT(dpl_index_options, .hash = &unknown), DPL_E_USAGE},
        {DPL_INIT(dpl_index_options, .tokens = &grams), DPL_E_UNSUPPORTED},
        {DPL_INIT(dpl_index_options, .checksum = 32), DPL_OK},
        {DPL_INIT(dpl_index_options, .checksum = 1), DPL_OK},
        {DPL_INIT(dpl_index_options, .sample = 100000), DPL_OK},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        CHECK_EQ(build(ctx, "x.pocket", docs, &cases[i].o), cases[i].status);
        FILE *f = fopen(test_path("x.pocket"), "rb");
        CHECK_EQ(f != NULL, cases[i].status == DPL_OK);
        if (f)
            fclose(f);
    }
    test_ctx_done(ctx);
}

/* What an index was built with is known when it is changed. */
DPL_TEST(build, a_change_has_the_options_of_the_index)
{
    dpl_ctx *ctx = test_ctx(2);
    static const char lexicon[] = "w1\tw2\t0.5\nw1\tw3\t0.5\nw4\tw5\t1\nw1\tw1\t0.25\n";
    const char *tsv = test_write("l.tsv", lexicon, sizeof lexicon - 1);
    const dpl_hash_options fixed = DPL_INIT(dpl_hash_options, .length = 13, .codes = 2),
                           minhash = DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH),
                           fuzzy = DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY);
    const dpl_tokens_options stop =
        DPL_INIT(dpl_tokens_options, .stop_words = true, .stem = true);
    const dpl_index_options all[] = {
        DPL_INIT(dpl_index_options),
        DPL_INIT(dpl_index_options, .checksum = 9, .sample = 7),
        DPL_INIT(dpl_index_options, .no_postings = true),
        DPL_INIT(dpl_index_options, .texts = true),
        DPL_INIT(dpl_index_options, .plain_texts = true),
        DPL_INIT(dpl_index_options, .hash = &fixed),
        DPL_INIT(dpl_index_options, .hash = &minhash, .checksum = 32),
        DPL_INIT(dpl_index_options, .hash = &fuzzy),
        DPL_INIT(dpl_index_options, .tokens = &stop),
        DPL_INIT(dpl_index_options, .lexicons = &tsv, .n_lexicons = 1,
                 .lexicon_langs = "de,en"),
    };
    const char *docs = drawn_write(&some, "all.jsonl");
    size_t n;
    char *json = test_read(docs, &n), *half = json;
    for (size_t i = 0; i < some.n / 2; i++)
        half = strchr(half, '\n') + 1;
    const char *first = test_write("first.jsonl", json, (size_t)(half - json));
    const dpl_input more = {.buffer = {half, n - (size_t)(half - json)}, .name = "more.jsonl"};
    for (size_t i = 0; i < DPL_LEN(all); i++) {
        CHECK_OK(build(ctx, "whole.pocket", docs, &all[i]));
        CHECK_OK(build(ctx, "changed.pocket", first, &all[i]));
        CHECK_OK(dpl_index_add(NULL, ctx, test_path("changed.pocket"), &more, 1, &test_err));
        check_same_files("whole.pocket", "changed.pocket");
    }
    free(json);
    test_ctx_done(ctx);
}

/* Quarters of the documents in different forms: read ones become one collection, others stay
 * as they are. */
DPL_TEST(build, inputs_in_any_form_may_follow_each_other)
{
    enum { PARTS = 4 };
    dpl_ctx *ctx = test_ctx(2);
    const dpl_index_options o = DPL_INIT(dpl_index_options, .texts = true);
    const char *forms[PARTS][3]; /* lines, a collection, an index */
    const char *docs = drawn_write(&some, "all.jsonl");
    char *json = test_read(docs, NULL), *at = json;
    CHECK_OK(build(ctx, "whole.pocket", docs, &o));
    for (size_t i = 0; i < PARTS; i++) {
        char name[3][20];
        char *begin = at;
        for (size_t k = 0; k < some.n / PARTS; k++)
            at = strchr(at, '\n') + 1;
        for (size_t form = 0; form < 3; form++)
            snprintf(name[form], sizeof name[form], "%zu-%zu", i, form);
        forms[i][0] = test_write(name[0], begin, (size_t)(at - begin));
        forms[i][1] = test_path(name[1]);
        forms[i][2] = test_path(name[2]);
        CHECK_OK(dpl_import(NULL, ctx, forms[i][1], &forms[i][0], 1, NULL, &test_err));
        CHECK_OK(build(ctx, name[2], forms[i][0], &o));
    }
    free(json);
    for (size_t which = 0; which < 81; which += 2) { /* digits of base 3 */
        dpl_input in[PARTS] = {{0}};
        for (size_t i = 0, digits = which; i < PARTS; i++, digits /= 3)
            in[i].path = forms[i][digits % 3];
        CHECK_OK(
            dpl_index_build(NULL, ctx, test_path("parts.pocket"), in, PARTS, &o, &test_err));
        check_same_files("whole.pocket", "parts.pocket");
    }
    test_ctx_done(ctx);
}

/* ---- what is left out -------------------------------------------------------------- */

static bool has_section(dpl_ctx *ctx, const char *name, const char *section)
{
    dpl_file *f = NULL;
    dpl_section s;
    CHECK_OK(dpl_file_open(&f, ctx, test_path(name), &test_err));
    const bool is_there = dpl_file_find(f, section, &s);
    dpl_file_close(f);
    return is_there;
}

/* Without vectors only words of two documents and more have numbers. */
DPL_TEST(build, an_index_holds_the_sections_that_were_asked_for)
{
    static const char docs[] =
        "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"red green blue red\"}\n"
        "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"red green white\"}\n"
        "{\"id\":\"c\",\"lang\":\"en\",\"text\":\"red black\"}\n"
        "{\"id\":\"d\",\"lang\":\"en\",\"text\":\"...\"}\n";
    static const struct {
        bool no_vectors, no_postings, texts, plain;
        uint32_t n_terms;
    } cases[] = {{false, false, false, false, 5}, {false, true, false, false, 5},
                 {true, false, false, false, 2},  {true, true, true, false, 2},
                 {false, false, true, false, 5},  {false, true, false, true, 5}};
    dpl_ctx *ctx = test_ctx(1);
    const char *in = test_write("d.jsonl", docs, sizeof docs - 1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl_index_options o = DPL_INIT(
            dpl_index_options, .no_vectors = cases[i].no_vectors, .texts = cases[i].texts,
            .no_postings = cases[i].no_postings, .plain_texts = cases[i].plain);
        const bool has_vectors = !cases[i].no_vectors,
                   has_postings = has_vectors && !cases[i].no_postings,
                   has_texts = cases[i].texts || cases[i].plain;
        CHECK_OK(build(ctx, "s.pocket", in, &o));
        dpl_index *x = NULL;
        dpl_index_info info = DPL_INIT(dpl_index_info);
        CHECK_OK(dpl_index_open(&x, ctx, test_path("s.pocket"), &test_err));
        dpl_index_describe(x, &info);
        CHECK_EQ(info.has_vectors, has_vectors);
        CHECK_EQ(info.has_postings, has_postings);
        CHECK_EQ(info.has_texts, has_texts);
        CHECK_EQ(info.n_terms, cases[i].n_terms);
        CHECK_EQ(info.n_words, 9);
        CHECK_EQ(x->n_empty, 1);
        dpl_index_close(x);
        CHECK_EQ(has_section(ctx, "s.pocket", "row.bytes"), has_vectors);
        CHECK_EQ(has_section(ctx, "s.pocket", "term.bytes"), has_vectors);
        CHECK_EQ(has_section(ctx, "s.pocket", "post.bytes"), has_postings);
        CHECK_EQ(has_section(ctx, "s.pocket", "post.lists"), has_postings);
        CHECK_EQ(has_section(ctx, "s.pocket", "text.bytes"), has_texts);
    }
    test_ctx_done(ctx);
}

/* From a language to English. */
static const char *make_lexicon(dpl_ctx *ctx, const char *lang, const char *lines)
{
    char name[20];
    snprintf(name, sizeof name, "%s.dpl", lang);
    const char *path = test_path(name);
    const dpl_dictionary in = {.path = test_write("words.tsv", lines, strlen(lines))};
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = lang, .target_lang = "en");
    CHECK_OK(dpl_lexicon_import(NULL, ctx, path, &in, 1, &o, &test_err));
    return path;
}

DPL_TEST(build, languages_are_listed_by_their_documents_and_lexicon)
{
    static const char docs[] = "{\"id\":\"1\",\"lang\":\"fr\",\"text\":\"un deux\"}\n"
                               "{\"id\":\"2\",\"lang\":\"de\",\"text\":\"eins\"}\n"
                               "{\"id\":\"3\",\"lang\":\"en\",\"text\":\"one two three\"}\n"
                               "{\"id\":\"4\",\"lang\":\"de\",\"text\":\"zwei drei\"}\n"
                               "{\"id\":\"5\",\"text\":\"four\"}\n";
    static const char words[] = "eins\tone\t1\n", other[] = "uno\tone\t1\n";
    static const struct {
        const char *lang;
        uint32_t n_docs, n_words;
        bool is_translated;
    } expected[] = {{"de", 2, 3, true},
                    {"fr", 1, 2, false},
                    {"en", 1, 3, false},
                    {"und", 1, 1, false},
                    {"es", 0, 0, true}};
    dpl_ctx *ctx = test_ctx(1);
    const char *lexicons[] = {make_lexicon(ctx, "de", words), make_lexicon(ctx, "es", other)};
    const dpl_index_options o =
        DPL_INIT(dpl_index_options, .lexicons = lexicons, .n_lexicons = 2);
    dpl_index *x = pocket_of(ctx, test_write("d.jsonl", docs, sizeof docs - 1), &o);
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(x, &info);
    CHECK_EQ(info.n_langs, DPL_LEN(expected));
    for (size_t i = 0; i < info.n_langs; i++) {
        CHECK_STR(dpl__cstr(info.langs[i].lang), expected[i].lang);
        CHECK_EQ(info.langs[i].n_docs, expected[i].n_docs);
        CHECK_EQ(info.langs[i].n_words, expected[i].n_words);
        CHECK_EQ(info.langs[i].is_translated, expected[i].is_translated);
    }
    CHECK_STR(dpl__cstr(info.pivot), "en");
    CHECK(info.has_lexicon);
    dpl_index_close(x);
    /* the same language twice, and none in common */
    const char *twice[] = {lexicons[0], lexicons[0]};
    const dpl_index_options bad = DPL_INIT(dpl_index_options, .lexicons = twice,
                                           .n_lexicons = 2, .pivot = "en"),
                            none = DPL_INIT(dpl_index_options, .lexicons = lexicons,
                                            .n_lexicons = 2, .pivot = "de");
    CHECK_EQ(build(ctx, "b.pocket", test_path("d.jsonl"), &bad), DPL_E_USAGE);
    CHECK_EQ(build(ctx, "b.pocket", test_path("d.jsonl"), &none), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.code), "lexicon-pivot");
    test_ctx_done(ctx);
}

/* Without a wish, the language of more documents; of the same number, the target. */
DPL_TEST(build, the_pivot_is_the_language_of_most_documents)
{
    static const struct {
        unsigned n_de, n_en;
        const char *wish, *expected;
    } cases[] = {{1, 3, NULL, "en"}, {3, 1, NULL, "de"}, {2, 2, NULL, "en"},
                 {3, 1, "en", "en"}, {1, 3, "de", "de"}, {0, 1, NULL, "en"},
                 {1, 0, NULL, "de"}, {1, 1, "fr", NULL}};
    dpl_ctx *ctx = test_ctx(1);
    const char *lexicon = make_lexicon(ctx, "de", "eins\tone\t1\nzwei\ttwo\t1\n");
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char docs[1000] = "", *at = docs;
        for (unsigned d = 0; d < cases[i].n_de + cases[i].n_en; d++)
            at += sprintf(at, "{\"id\":\"%u\",\"lang\":\"%s\",\"text\":\"%s\"}\n", d,
                          d < cases[i].n_de ? "de" : "en",
                          d < cases[i].n_de ? "eins zwei" : "one two");
        const dpl_index_options o = DPL_INIT(dpl_index_options, .lexicons = &lexicon,
                                             .n_lexicons = 1, .pivot = cases[i].wish);
        const dpl_status status =
            build(ctx, "p.pocket", test_write("p.jsonl", docs, (size_t)(at - docs)), &o);
        CHECK_EQ(status, cases[i].expected ? DPL_OK : DPL_E_USAGE);
        if (status != DPL_OK)
            continue;
        dpl_index *x = NULL;
        dpl_index_info info = DPL_INIT(dpl_index_info);
        CHECK_OK(dpl_index_open(&x, ctx, test_path("p.pocket"), &test_err));
        dpl_index_describe(x, &info);
        CHECK_STR(dpl__cstr(info.pivot), cases[i].expected);
        dpl_index_close(x);
    }
    test_ctx_done(ctx);
}

/* ---- changes
 * ------------------------------------------------------------------------------------ */

DPL_TEST(build, ids_to_delete_are_composed_and_count_once)
{
    static const char docs[] = "{\"id\":\"caf\xc3\xa9\",\"text\":\"one two\"}\n"
                               "{\"id\":\"b\",\"title\":\"b\",\"text\":\"three\"}\n"
                               "{\"id\":\"c\",\"title\":\"C\",\"text\":\"four\"}\n";
    dpl_ctx *ctx = test_ctx(1);
    CHECK_OK(build(ctx, "d.pocket", test_write("d.jsonl", docs, sizeof docs - 1), NULL));
    const dpl_str decomposed[] = {DPL_STR("cafe\xcc\x81"), DPL_STR("caf\xc3\xa9")},
                  some_unknown[] = {DPL_STR("b"), DPL_STR("nobody")};
    dpl_index_summary s = DPL_INIT(dpl_index_summary);
    const char *path = test_path("d.pocket");
    CHECK_EQ(dpl_index_delete(&s, ctx, path, some_unknown, 2, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.code), "no-document");
    CHECK_OK(dpl_index_delete(&s, ctx, path, decomposed, 2, &test_err));
    CHECK_EQ(s.n_deleted, 1);
    CHECK_EQ(s.n_docs, 2);
    dpl_index *x = NULL;
    CHECK_OK(dpl_index_open(&x, ctx, path, &test_err));
    CHECK_STR(dpl_index_document(x, 0).id, "b");
    CHECK_STR(dpl_index_document(x, 0).title, ""); /* says nothing new */
    CHECK_STR(dpl_index_document(x, 1).title, "C");
    dpl_index_close(x);
    CHECK_EQ(dpl_index_merge(NULL, ctx, path, NULL, 0, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}
