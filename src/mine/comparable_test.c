#include "mine/pair_run.h"

#include "base/hash.h"
#include "mine/made_up_side_test.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST = 601 }; /* documents, a prime number */

/* A run of two collections, prepared or not. */
typedef struct prepared {
    dpl_ctx *ctx;
    dpl__pair_run r;
} prepared;

/* Documents of lines "id <TAB> text". */
static void set_docs(prepared *x, int side, const char *text, const char *lang)
{
    dpl_collection *c = NULL;
    char path[1000], tsv[1000];
    snprintf(tsv, sizeof tsv, "%s", test_write("docs.tsv", text, strlen(text)));
    snprintf(path, sizeof path, "%s", test_path(side ? "right.dpl" : "left.dpl"));
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = lang);
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    const char *in = tsv;
    CHECK_OK(dpl_import(NULL, x->ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, x->ctx, path, &test_err));
    x->r.corpus.c[side] = c;
    x->r.sides[side].n_tokens = dpl_collection_get_sizes(c)->n_tokens;
}

static void begin(prepared *x, unsigned n_threads, const char *left, const char *right)
{
    static const dpl_input in[2] = {{.path = "l.tsv"}, {.path = "r.tsv"}};
    *x = (prepared){.ctx = test_ctx(n_threads)};
    x->r.ctx = x->r.corpus.ctx = x->ctx;
    for (int side = 0; side < 2; side++) {
        x->r.task.inputs[side] = &in[side];
        set_docs(x, side, side ? right : left, side ? "sw" : "eo");
    }
}

static void end(prepared *x)
{
    for (int side = 0; side < 2; side++)
        if (x->r.corpus.groups[side])
            dpl__free(x->ctx, x->r.corpus.groups[side]);
    close_sides(&x->r.corpus);
    test_ctx_done(x->ctx);
}

/* Documents of few different texts, in some order; the same documents for each step. */
static void put_repeated(char *to, unsigned n, unsigned step, unsigned n_texts)
{
    for (unsigned i = 0; i < n; i++) {
        const unsigned doc = i * step % n;
        to += sprintf(to, "d%03u\tA text of number%u here\n", doc, doc * doc % n_texts);
    }
}

static unsigned number_at(const prepared *x, int side, uint32_t doc)
{
    return (unsigned)atoi(dpl_collection_doc(x->r.corpus.c[side], doc).id.data + 1);
}

DPL_TEST(comparable, of_documents_with_the_same_words_one_takes_part)
{
    static const unsigned steps[] = {1, 7, 600};
    static char text[MOST * 60];
    bool is_kept[MOST] = {false};
    for (unsigned s = 0; s < DPL_LEN(steps); s++) {
        prepared x;
        size_t n_of_text[7] = {0};
        put_repeated(text, MOST, steps[s], 7);
        begin(&x, 1 + s, text, "r0\tone\nr1\ttwo\n");
        CHECK_OK(dpl__pair_run_prepare(&x.r, &test_err));
        for (uint32_t doc = 0; doc < MOST; doc++) {
            const unsigned number = number_at(&x, 0, doc);
            CHECK_EQ(x.r.corpus.keys[0][doc], dpl__doc_key(x.r.corpus.c[0], doc));
            n_of_text[number * number % 7] += !x.r.corpus.skip[0][doc];
            if (s) /* the same one in any order */
                CHECK(is_kept[number] == !x.r.corpus.skip[0][doc]);
            is_kept[number] = !x.r.corpus.skip[0][doc];
        }
        for (unsigned i = 0; i < 7; i++) /* squares modulo 7 */
            CHECK_EQ(n_of_text[i], i == 0 || i == 1 || i == 2 || i == 4);
        CHECK_EQ(x.r.corpus.n_docs[0], 4);
        CHECK_EQ(x.r.summary.n_duplicates[0], MOST - 4);
        CHECK(x.r.corpus.n_docs[1] == 2 && x.r.summary.n_duplicates[1] == 0);
        CHECK(!x.r.corpus.skip[1][0] && !x.r.corpus.skip[1][1]);
        end(&x);
    }
}

/* What is left of documents without text is no duplicate that anybody wants to know of. */
DPL_TEST(comparable, empty_documents_are_duplicates_unless_they_became_empty)
{
    static const char left[] = "a\t1\nb\t.\nc\t.\nd\tone two\ne\tone two\nf\t.\n";
    for (int is_clean = 0; is_clean < 2; is_clean++) {
        prepared x;
        begin(&x, 1, left, "r\tword\n");
        const uint32_t n = dpl_collection_get_sizes(x.r.corpus.c[0])->n_docs;
        uint64_t n_empty = 0;
        for (uint32_t doc = 0; doc < n; doc++) {
            size_t n_tokens;
            dpl_collection_tokens(x.r.corpus.c[0], doc, &n_tokens);
            n_empty += n_tokens == 0;
        }
        CHECK_EQ(n_empty, 3);
        x.r.read.is_clean[0] = is_clean;
        CHECK_OK(dpl__pair_run_prepare(&x.r, &test_err));
        CHECK_EQ(x.r.corpus.n_docs[0], 3);
        CHECK_EQ(x.r.corpus.n_duplicates[0], is_clean ? 1 : 3);
        end(&x);
    }
}

static uint64_t checksum_of(const char *text)
{
    prepared x;
    begin(&x, 2, text, "r\tword\n");
    CHECK_OK(dpl__pair_run_prepare(&x.r, &test_err));
    const uint64_t sum = x.r.corpus.checksum[0];
    end(&x);
    return sum;
}

DPL_TEST(comparable, a_checksum_is_that_of_ids_and_words)
{
    static const char *const others[] = {
        "a\tone two\nb\tthree fore\n", /* a word */
        "a\tone two\nc\tthree four\n", /* an id */
        "b\tthree four\na\tone two\n", /* the order */
        "a\ttwo one\nb\tthree four\n", "a\tone two\nb\tthree four\nc\tone\n", "a\tone two\n",
    };
    const uint64_t sum = checksum_of("a\tone two\nb\tthree four\n");
    CHECK_EQ(checksum_of("a\tone two\nb\tthree four\n"), sum);
    CHECK_EQ(checksum_of("a\tOne two!\nb\tthree  four\n"), sum); /* how it is written */
    for (size_t i = 0; i < DPL_LEN(others); i++)
        CHECK(checksum_of(others[i]) != sum);
}

static int pivot_of(const char *left, const char *right, const char *left_lang,
                    const char *right_lang)
{
    prepared x;
    begin(&x, 1, left, right);
    for (int side = 0; side < 2; side++) {
        dpl_collection_close((dpl_collection *)(uintptr_t)x.r.corpus.c[side]);
        set_docs(&x, side, side ? right : left, side ? right_lang : left_lang);
    }
    CHECK_OK(dpl__pair_run_prepare(&x.r, &test_err));
    CHECK_STR(dpl__cstr(x.r.corpus.lang[0]), left_lang);
    CHECK_STR(dpl__cstr(x.r.corpus.lang[1]), right_lang);
    CHECK_STR(dpl__cstr(x.r.sides[0].code), left_lang);
    CHECK_STR(dpl__cstr(x.r.sides[1].code), right_lang);
    const int pivot = x.r.corpus.pivot;
    end(&x);
    return pivot;
}

DPL_TEST(comparable, the_side_with_more_words_is_the_pivot)
{
    static const char few[] = "a\tone\n", many[] = "a\tone two\n";
    CHECK_EQ(pivot_of(many, few, "eo", "sw"), 0);
    CHECK_EQ(pivot_of(few, many, "eo", "sw"), 1);
    CHECK_EQ(pivot_of(many, few, "sw", "eo"), 0);
    CHECK_EQ(pivot_of(few, many, "sw", "eo"), 1);
    /* of equal ones the first language, on either side */
    CHECK_EQ(pivot_of(few, few, "eo", "sw"), 0);
    CHECK_EQ(pivot_of(few, few, "sw", "eo"), 1);
}

DPL_TEST(comparable, sides_of_one_language_are_refused)
{
    prepared x;
    begin(&x, 1, "a\tone\n", "b\ttwo\n");
    dpl_collection_close((dpl_collection *)(uintptr_t)x.r.corpus.c[1]);
    set_docs(&x, 1, "b\ttwo\n", "eo");
    CHECK_EQ(dpl__pair_run_prepare(&x.r, &test_err), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "both sides are in 'eo'"));
    end(&x);
}

/* An import with other options than the rest. */
static void set_tokens(prepared *x, const char *path, dpl_tokens_options tokens)
{
    dpl_collection *c = NULL;
    static const char text[] = "b\thouses stand\n";
    const char *in = test_write("docs.tsv", text, sizeof text - 1);
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = "en");
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read, .tokens = &tokens);
    CHECK_OK(dpl_import(NULL, x->ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, x->ctx, path, &test_err));
    dpl_collection_close((dpl_collection *)(uintptr_t)x->r.corpus.c[1]);
    x->r.corpus.c[1] = c;
}

DPL_TEST(comparable, stems_on_one_side_alone_are_refused)
{
    prepared x;
    begin(&x, 1, "a\tone\n", "b\ttwo\n");
    set_tokens(&x, test_path("stems.dpl"),
               (dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stem = true));
    CHECK_EQ(dpl__pair_run_prepare(&x.r, &test_err), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "words of one side are stems"));
    end(&x);
}

DPL_TEST(comparable, character_ngrams_are_refused)
{
    prepared x;
    begin(&x, 1, "a\tone\n", "b\ttwo\n");
    set_tokens(&x, test_path("ngrams.dpl"),
               (dpl_tokens_options)DPL_INIT(dpl_tokens_options, .ngrams = 3));
    CHECK_EQ(dpl__pair_run_prepare(&x.r, &test_err), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "'r.tsv' holds character n-grams, not words"));
    end(&x);
}

/* ---- replaced collections ------------------------------------------------------------- */

static dpl_collection *open_docs(dpl_ctx *ctx, const char *name, const char *text)
{
    char tsv[1000], path[1000];
    dpl_collection *c = NULL;
    snprintf(tsv, sizeof tsv, "%s", test_write("rest.tsv", text, strlen(text)));
    snprintf(path, sizeof path, "%s", test_path(name));
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = "eo");
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    const char *in = tsv;
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

DPL_TEST(comparable, numbers_stay_those_of_the_documents_as_read)
{
    prepared x = {.ctx = test_ctx(1)};
    dpl__doc_numbers *n = &x.r.read.numbers[0];
    x.r.ctx = x.ctx;
    dpl_collection *all = open_docs(x.ctx, "all.dpl", "a\tx\nb\tx\nc\tx\nd\tx\n"),
                   *three = open_docs(x.ctx, "three.dpl", "a\tx\nc\tx\nd\tx\n"),
                   *two = open_docs(x.ctx, "two.dpl", "c\tx\nd\tx\n");
    x.r.corpus.c[0] = x.r.read.owned[0] = all;
    CHECK_OK(dpl__pair_run_replace(&x.r, 0, three, &test_err));
    CHECK(x.r.corpus.c[0] == three && n->read == all && x.r.read.is_clean[0]);
    CHECK(dpl__doc_as_read(n, 1) == 2 && dpl__doc_as_mined(n, 1) == DPL_MINE_NO_DOC);
    CHECK_OK(dpl__pair_run_replace(&x.r, 0, two, &test_err)); /* closes the one between */
    CHECK(x.r.corpus.c[0] == two && x.r.read.owned[0] == two);
    CHECK(n->read == all && n->owned == all && !x.r.read.is_clean[1]);
    CHECK(dpl__doc_as_read(n, 0) == 2 && dpl__doc_as_read(n, 1) == 3);
    CHECK(dpl__doc_as_mined(n, 0) == DPL_MINE_NO_DOC && dpl__doc_as_mined(n, 3) == 1);
    dpl__doc_numbers_clear(n, x.ctx);
    dpl_collection_close(two);
    test_ctx_done(x.ctx);
}

/* ---- inputs that are read once -------------------------------------------------------- */

typedef struct imported {
    dpl_ctx *ctx;
    dpl__pair_run r;
    dpl_input in[2];
    char path[2][1000];
} imported;

static void begin_import(imported *x, const char *left, const char *right)
{
    *x = (imported){.ctx = test_ctx(1)};
    x->r.ctx = x->r.corpus.ctx = x->ctx;
    snprintf(x->r.corpus.work, sizeof x->r.corpus.work, "%s", test_dir());
    x->r.settings.options = (dpl_mine_options)DPL_INIT(dpl_mine_options, .no_stem = true);
    x->r.settings.read =
        (dpl_reader_options)DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_JSONL);
    for (int side = 0; side < 2; side++) {
        const char *text = side ? right : left;
        snprintf(x->path[side], sizeof x->path[side], "%s",
                 test_write(side ? "r.jsonl" : "l.jsonl", text, strlen(text)));
        x->in[side] = (dpl_input){.path = x->path[side]};
        x->r.task.inputs[side] = &x->in[side];
    }
}

static void end_import(imported *x)
{
    for (int side = 0; side < 2; side++) {
        dpl_collection_close(x->r.read.owned[side]);
        x->r.read.owned[side] = NULL;
        dpl__vec_clear(x->ctx, &x->r.read.langs[side].langs);
    }
    dpl__skips_clear(&x->r.read.skipped);
}

static const char german[] = "{\"id\":1,\"lang\":\"de\",\"text\":\"Das Haus ist alt.\"}\n"
                             "{\"id\":2,\"lang\":\"de\",\"text\":\"Der Baum. Ein Hof.\"}\n"
                             "{\"id\":3,\"text\":\"Die Straße führt über den Fluss in das "
                             "nächste Dorf, und dort wohnen noch viele Leute.\"}\n"
                             "{\"id\":4,\"lang\":\"fr\",\"text\":\"La maison\"}\n",
                  english[] = "{\"id\":1,\"lang\":\"en\",\"text\":\"The house is old.\"}\n";

static void check_german(const imported *x)
{
    const dpl__input_langs *l = &x->r.read.langs[0];
    CHECK(!l->is_collection && l->langs.n == 2);
    CHECK_STR(dpl__cstr(l->langs.data[0].code), "de");
    CHECK(l->langs.data[0].n_docs == 3 && l->langs.data[0].n_declared == 2);
    CHECK_STR(dpl__cstr(l->langs.data[1].code), "fr");
    CHECK(l->langs.data[1].n_docs == 1 && l->langs.data[1].n_declared == 1);
    CHECK(x->r.sides[0].n_docs == 4 && x->r.sides[0].n_sentences == 5);
    CHECK_EQ(x->r.sides[1].n_tokens, 4);
}

/* Without the inputs: they are not read again. Damaged or missing counts of languages are made
 * again, and so is the collection. */
DPL_TEST(comparable, an_input_is_read_once_with_the_languages_that_it_declares)
{
    static imported x;
    char *first, *again, path[1000];
    size_t n, n_again;
    begin_import(&x, german, english);
    CHECK_OK(dpl__pair_run_import(&x.r, &test_err));
    check_german(&x);
    end_import(&x);
    test_ctx_done(x.ctx);
    snprintf(path, sizeof path, "%s", test_path("languages-left.tsv"));
    first = test_read(path, &n);
    CHECK(strncmp(first, "de\t2\nfr\t1\n", 10) == 0 ||
          strncmp(first, "fr\t1\nde\t2\n", 10) == 0);

    begin_import(&x, "damaged", "damaged");
    CHECK_OK(dpl__pair_run_import(&x.r, &test_err));
    check_german(&x);
    end_import(&x);
    test_ctx_done(x.ctx);

    first[3] = '9';
    test_write("languages-left.tsv", first, n);
    begin_import(&x, german, english);
    CHECK(dpl__pair_run_import(&x.r, &test_err) != DPL_OK); /* a wrong seal is seen */
    end_import(&x);
    test_ctx_done(x.ctx);

    remove(path);
    begin_import(&x, german, english);
    CHECK_OK(dpl__pair_run_import(&x.r, &test_err));
    check_german(&x);
    first[3] = '2';
    again = test_read(path, &n_again);
    CHECK(n == n_again && first[0] != 'd' ? true : !memcmp(first, again, n));
    dpl__pair_run_discard(&x.r);
    CHECK(access(path, F_OK) != 0 && access(test_path("left.dpl"), F_OK) != 0);
    CHECK(access(test_path("right.dpl"), F_OK) != 0);
    end_import(&x);
    test_ctx_done(x.ctx);
    free(first);
    free(again);
}

DPL_TEST(comparable, an_input_without_documents_is_refused)
{
    static imported x;
    begin_import(&x, german, "{\"id\":1,\"text\":\"\"}\n");
    CHECK_EQ(dpl__pair_run_import(&x.r, &test_err), DPL_E_NOTHING);
    CHECK(strstr(test_err.text, "r.jsonl': 1 empty"));
    end_import(&x);
    test_ctx_done(x.ctx);
}

DPL_TEST(comparable, an_input_that_is_a_collection_is_opened_as_it_is)
{
    static imported x;
    begin_import(&x, german, english);
    dpl_collection *c = open_docs(x.ctx, "given.dpl", "a\tunu du\nb\ttri kvar kvin\n");
    dpl_collection_close(c);
    snprintf(x.path[1], sizeof x.path[1], "%s", test_path("given.dpl"));
    CHECK_OK(dpl__pair_run_import(&x.r, &test_err));
    CHECK(x.r.read.langs[1].is_collection && !x.r.read.langs[0].is_collection);
    CHECK(x.r.sides[1].n_docs == 2 && x.r.sides[1].n_tokens == 5);
    CHECK(access(test_path("right.dpl"), F_OK) != 0);
    CHECK_STR(dpl__cstr(dpl__main_language(&x.r.read.langs[1])), "eo");
    end_import(&x);
    test_ctx_done(x.ctx);
}

DPL_TEST(comparable, a_collection_of_the_caller_stays_his)
{
    static imported x;
    begin_import(&x, german, english);
    dpl_collection *c = open_docs(x.ctx, "given.dpl", "a\tunu du\nb\ttri kvar kvin\n");
    x.in[1] = (dpl_input){.collection = c};
    CHECK_OK(dpl__pair_run_import(&x.r, &test_err));
    CHECK(x.r.corpus.c[1] == c && !x.r.read.owned[1] && x.r.read.langs[1].is_collection);
    end_import(&x);
    dpl_collection_close(c);
    test_ctx_done(x.ctx);
}
