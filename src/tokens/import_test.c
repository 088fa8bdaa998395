#include "doppel/tokens.h"

#include "base/hash.h"
#include "base/vec.h"
#include "test.h"
#include "tokens/collection.h"
#include "tokens/forge_test.h"
#include "tokens/importer.h"
#include "unicode/unicode.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* ---- collections to test with ------------------------------------------------------- */

static const char *const words[] = {"das",   "Haus",  "the",  "house", "Ärger", "été",
                                    "naïve", "don't", "3,14", "2021",  "élan",  "Straße",
                                    "漢字",  "кот",   "x",    "Worte", "words", "viele",
                                    "many",  "zzz",   "ok"};

/* n documents with ids 0..n-1 in the order given by `step` (coprime to n), as JSON Lines. */
static const char *write_docs(const char *name, size_t n, size_t step, uint64_t seed)
{
    char *out = malloc(n * 700 + 1);
    CHECK(out != NULL);
    size_t at = 0;
    for (size_t k = 0; k < n; k++) {
        size_t id = k * step % n;
        dpl__rng rng = {seed * 1000003 + id * 4096};
        at += (size_t)sprintf(out + at, "{\"id\":\"d%zu\",\"lang\":\"%s\",\"text\":\"", id,
                              id % 3 ? "de" : "en");
        size_t n_words = 1 + dpl__rng_below(&rng, 40);
        for (size_t i = 0; i < n_words; i++) {
            size_t w = dpl__rng_below(&rng, DPL_LEN(words));
            static const char *const gaps[] = {" ", " ", ", ", ". ", "\\n", "! "};
            at += (size_t)sprintf(out + at, "%s%s", words[w],
                                  gaps[dpl__rng_below(&rng, DPL_LEN(gaps))]);
            if (w == 19) /* some words that occur once */
                at += (size_t)sprintf(out + at, "w%llu ",
                                      (unsigned long long)dpl__rng_below(&rng, 1u << 30));
        }
        at += (size_t)sprintf(out + at, "\",\"n\":%zu}\n", id);
    }
    const char *path = test_write(name, out, at);
    free(out);
    return path;
}

typedef struct run_options {
    unsigned threads;
    uint64_t memory;
    size_t chunk;
    dpl_cpu cpu;
    dpl_reader_options read;
    dpl_tokens_options tokens;
} run_options;

/* A summary with room for everything. */
typedef struct results {
    dpl_read_counts read;
    dpl_collection_sizes sizes;
    dpl_import_summary summary;
} results;

static dpl_status run(const char *out, const char *in, run_options o, results *r)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options c =
        DPL_INIT(dpl_ctx_options, .n_threads = o.threads, .memory = o.memory, .cpu = o.cpu);
    CHECK_OK(dpl_ctx_new(&ctx, &c, &test_err));
    o.read.chunk = o.chunk;
    o.tokens.size = sizeof o.tokens;
    o.read.size = sizeof o.read;
    dpl_import_options import =
        DPL_INIT(dpl_import_options, .read = &o.read, .tokens = &o.tokens);
    if (r)
        *r = (results){.read = DPL_INIT(dpl_read_counts),
                       .sizes = DPL_INIT(dpl_collection_sizes),
                       .summary =
                           DPL_INIT(dpl_import_summary, .read = &r->read, .sizes = &r->sizes)};
    dpl_status status =
        dpl_import(r ? &r->summary : NULL, ctx, out, &in, 1, &import, &test_err);
    dpl_ctx_free(ctx);
    return status;
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

/* ---- the same bytes ----------------------------------------------------------------- */

DPL_TEST(import, gives_the_same_bytes_for_any_threads_chunks_memory_and_cpu)
{
    const char *in = write_docs("in.jsonl", 500, 1, 1);
    const char *out = test_path("a.dpl");
    CHECK_OK(run(out, in, (run_options){.threads = 1}, NULL));
    for (unsigned threads = 1; threads <= 4; threads++)
        for (size_t chunk = 1; chunk < 1000000; chunk = chunk * 17 + 60) {
            CHECK_OK(run(test_path("b.dpl"), in,
                         (run_options){.threads = threads, .chunk = chunk}, NULL));
            check_same_file(out, test_path("b.dpl"));
        }
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        CHECK_OK(run(test_path("b.dpl"), in, (run_options){.threads = 2, .cpu = (dpl_cpu)cpu},
                     NULL));
        check_same_file(out, test_path("b.dpl"));
    }
}

DPL_TEST(import, without_rows_has_the_same_tokens_and_is_for_dedup_only)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *in = write_docs("d.jsonl", 300, 1, 5);
    char with[600], without[600];
    dpl_collection *a = NULL, *b = NULL;
    snprintf(with, sizeof with, "%s", test_path("with.dpl"));
    snprintf(without, sizeof without, "%s", test_path("without.dpl"));
    dpl_import_options o = DPL_INIT(dpl_import_options);
    CHECK_OK(dpl_import(NULL, ctx, with, &in, 1, &o, &test_err));
    o.no_rows = true;
    CHECK_OK(dpl_import(NULL, ctx, without, &in, 1, &o, &test_err));
    CHECK_EQ(dpl_collection_open(&b, ctx, without, &test_err), DPL_E_USAGE);
    CHECK(!b);
    CHECK_OK(dpl_collection_open(&a, ctx, with, &test_err));
    CHECK_OK(dpl__collection_open_any(&b, ctx, without, &test_err));
    CHECK(dpl__collection_has_rows(a) && !dpl__collection_has_rows(b));
    CHECK_EQ(dpl_collection_get_sizes(b)->n_entries, 0);
    for (uint32_t doc = 0; doc < 300; doc++) {
        size_t n[2];
        const uint32_t *x = dpl_collection_tokens(a, doc, &n[0]),
                       *y = dpl_collection_tokens(b, doc, &n[1]);
        CHECK(n[0] == n[1] && memcmp(x, y, n[0] * sizeof *x) == 0);
    }
    dpl_collection_close(a);
    dpl_collection_close(b);
    test_ctx_done(ctx);
}

DPL_TEST(import, gives_the_same_bytes_when_it_spills)
{
    /* Enough distinct words that the smallest memory limit retires term sets. */
    size_t n_docs = 4000, at = 0;
    char *text = malloc(n_docs * 2000);
    CHECK(text != NULL);
    for (size_t i = 0; i < n_docs; i++) {
        at += (size_t)sprintf(text + at, "{\"id\":\"%zu\",\"lang\":\"en\",\"text\":\"", i);
        dpl__rng rng = {i << 20};
        for (int k = 0; k < 100; k++)
            at += (size_t)sprintf(text + at, "w%llu ",
                                  (unsigned long long)dpl__rng_below(&rng, 200000));
        at += (size_t)sprintf(text + at, "\"}\n");
    }
    const char *in = test_write("in.jsonl", text, at);
    free(text);
    results large, small;
    CHECK_OK(run(test_path("a.dpl"), in, (run_options){.threads = 2}, &large));
    CHECK_OK(
        run(test_path("b.dpl"), in, (run_options){.threads = 2, .memory = 32 << 20}, &small));
    CHECK_EQ(large.summary.n_spilled_bytes, 0);
    CHECK(small.summary.n_spilled_bytes > 0);
    check_same_file(test_path("a.dpl"), test_path("b.dpl"));
    CHECK_EQ(run(test_path("c.dpl"), in, (run_options){.threads = 1, .memory = 1 << 20}, NULL),
             DPL_E_LIMIT);
}

static dpl_collection *open_collection(dpl_ctx *ctx, const char *path)
{
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

DPL_TEST(import, numbers_terms_the_same_when_documents_are_shuffled)
{
    enum { N = 301 };
    CHECK_OK(run(test_path("a.dpl"), write_docs("a.jsonl", N, 1, 2),
                 (run_options){.threads = 2}, NULL));
    CHECK_OK(run(test_path("b.dpl"), write_docs("b.jsonl", N, 100, 2),
                 (run_options){.threads = 2}, NULL));
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *a = open_collection(ctx, test_path("a.dpl"));
    dpl_collection *b = open_collection(ctx, test_path("b.dpl"));
    CHECK_EQ(dpl_collection_get_sizes(a)->n_terms, dpl_collection_get_sizes(b)->n_terms);
    for (uint32_t t = 0; t < dpl_collection_get_sizes(a)->n_terms; t++) {
        CHECK(dpl__str_eq(dpl_collection_term(a, t), dpl_collection_term(b, t)));
        CHECK_EQ(dpl_collection_term_count(a, t), dpl_collection_term_count(b, t));
        CHECK_EQ(dpl_collection_doc_count(a, t), dpl_collection_doc_count(b, t));
    }
    for (uint32_t d = 0; d < N; d++) {
        uint32_t e = 0;
        CHECK(dpl_collection_find_doc(b, dpl_collection_doc(a, d).id, &e));
        size_t n, m;
        const uint32_t *x = dpl_collection_tokens(a, d, &n),
                       *y = dpl_collection_tokens(b, e, &m);
        CHECK_EQ(n, m);
        CHECK(n == 0 || memcmp(x, y, n * sizeof *x) == 0);
    }
    dpl_collection_close(b);
    dpl_collection_close(a);
    test_ctx_done(ctx);
}

/* ---- from memory, to memory --------------------------------------------------------- */

typedef struct lines {
    const char *at; /* "id<TAB>text" */
} lines;

static dpl_status next_line(void *user, dpl_doc *doc, dpl_error *err)
{
    lines *l = user;
    (void)err;
    const char *tab = strchr(l->at, '\t'), *end = strchr(l->at, '\n');
    if (!end)
        return DPL_END;
    doc->id = (dpl_str){l->at, (size_t)(tab - l->at)};
    doc->text = (dpl_str){tab + 1, (size_t)(end - tab - 1)};
    l->at = end + 1;
    return DPL_OK;
}

DPL_TEST(import, counts_by_language_the_documents_that_declare_theirs)
{
    static const char text[] =
        "{\"id\":\"a\",\"lang\":\"de\",\"text\":\"Haus\"}\n"
        "{\"id\":\"b\",\"text\":\"Das ist ein langer deutscher Satz, den man erkennen kann, "
        "weil er viele kleine Wörter enthält und nicht zu kurz ist.\"}\n"
        "{\"id\":\"c\",\"lang\":\"en\",\"text\":\"house\"}\n"
        "{\"id\":\"d\",\"lang\":\"de\",\"text\":\"Hof\"}\n";
    dpl_ctx *ctx = test_ctx(2);
    dpl__declared_list list = {0};
    const dpl_input input = {.buffer = {text, sizeof text - 1}, .name = "buffer"};
    dpl_import_options o = DPL_INIT(dpl_import_options);
    dpl__importer im = {.ctx = ctx, .inputs = &input, .n_inputs = 1, .declared = &list};
    CHECK_OK(dpl__import_run(&im, NULL, NULL, test_path("declared.dpl"), &o, &test_err));
    CHECK_EQ(list.n, 2);
    CHECK(strcmp(list.data[0].code, "de") == 0 && list.data[0].n_docs == 2);
    CHECK(strcmp(list.data[1].code, "en") == 0 && list.data[1].n_docs == 1);
    dpl__vec_clear(ctx, &list);
    test_ctx_done(ctx);
}

DPL_TEST(import, gives_the_same_bytes_from_files_buffers_and_documents)
{
    char text[40 * 300], path[1000];
    size_t n = 0;
    for (int i = 0; i < 300; i++)
        n += (size_t)sprintf(text + n, "d%d\tSome words of %d. A house!\n", i, i % 17);
    snprintf(path, sizeof path, "%s", test_write("in.tsv", text, n));
    for (unsigned threads = 1; threads < 4; threads++) {
        dpl_ctx *ctx = test_ctx(threads);
        dpl_reader_options read =
            DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = "en", .chunk = 1000);
        dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
        const char *in = path, *out = test_path("path.dpl");
        CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, &o, &test_err));
        lines l = {.at = text};
        dpl_doc_source source = {next_line, &l, "lines"};
        const dpl_input inputs[] = {{.buffer = {text, n}}, {.source = &source}};
        for (size_t i = 0; i < DPL_LEN(inputs); i++) {
            l.at = text;
            CHECK_OK(dpl_import_inputs(NULL, ctx, test_path("memory.dpl"), &inputs[i], 1, &o,
                                       &test_err));
            check_same_file(out, test_path("memory.dpl"));
            dpl_collection *c = NULL;
            dpl_import_summary summary = DPL_INIT(dpl_import_summary);
            l.at = text;
            CHECK_OK(
                dpl_collection_from_inputs(&c, &summary, ctx, &inputs[i], 1, &o, &test_err));
            CHECK_EQ(dpl_collection_get_sizes(c)->n_docs, 300);
            CHECK_OK(dpl_collection_save(c, test_path("saved.dpl"), &test_err));
            check_same_file(out, test_path("saved.dpl"));
            dpl_collection_close(c);
        }
        test_ctx_done(ctx);
    }
}

DPL_TEST(import, does_not_replace_its_input_or_stop_file)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *in = write_docs("in.jsonl", 3, 1, 1), *stop = test_write("stop.txt", "a\n", 2);
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stop_file = stop);
    dpl_import_options o = DPL_INIT(dpl_import_options, .tokens = &tokens);
    CHECK_EQ(dpl_import(NULL, ctx, in, &in, 1, &o, &test_err), DPL_E_USAGE);
    CHECK_EQ(dpl_import(NULL, ctx, stop, &in, 1, &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

/* ---- what is in it ------------------------------------------------------------------ */

DPL_TEST(collection, agrees_with_a_naive_count_of_its_tokens)
{
    CHECK_OK(run(test_path("a.dpl"), write_docs("a.jsonl", 300, 1, 3),
                 (run_options){.threads = 2}, NULL));
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = open_collection(ctx, test_path("a.dpl"));
    const dpl_collection_sizes *size = dpl_collection_get_sizes(c);
    uint64_t *counts = calloc(size->n_terms, sizeof *counts), *docs = calloc(size->n_terms, 8);
    uint32_t *in_doc = calloc(size->n_terms, sizeof *in_doc);
    CHECK(counts && docs && in_doc);
    dpl_tokens *tokens = NULL;
    CHECK_OK(dpl_tokens_new(&tokens, ctx, NULL, &test_err));
    for (uint32_t d = 0; d < size->n_docs; d++) {
        dpl_doc doc = dpl_collection_doc(c, d);
        char lang[12] = "";
        memcpy(lang, doc.lang.data, doc.lang.n);
        CHECK_OK(dpl_tokens_start(tokens, doc.text, lang, &test_err));
        size_t n, i = 0, n_row;
        const uint32_t *stream = dpl_collection_tokens(c, d, &n);
        dpl_token token;
        while (dpl_tokens_next(tokens, &token, &test_err) == DPL_OK) {
            CHECK(i < n);
            CHECK(dpl__str_eq(dpl_collection_term(c, stream[i]), token.term));
            counts[stream[i]]++;
            docs[stream[i]] += in_doc[stream[i]]++ == 0;
            size_t s = token.sentence;
            CHECK_EQ(dpl__collection_sentence_of(c, d, i), s);
            CHECK(dpl_collection_sentence(c, d, s).token <= i);
            CHECK(s + 1 == dpl_collection_n_sentences(c, d) ||
                  dpl_collection_sentence(c, d, s + 1).token > i);
            i++;
        }
        CHECK_EQ(i, n);
        const uint32_t *row_counts, *row = dpl_collection_row(c, d, &row_counts, &n_row);
        for (size_t k = 0; k < n_row; k++) {
            CHECK_EQ(row_counts[k], in_doc[row[k]]);
            CHECK(k == 0 || row[k] > row[k - 1]);
        }
        for (size_t k = 0; k < n; k++)
            in_doc[stream[k]] = 0;
        size_t n_sentences;
        (void)dpl_tokens_sentences(tokens, &n_sentences);
        CHECK_EQ(n_sentences, dpl_collection_n_sentences(c, d));
    }
    uint32_t n_repeated = 0;
    for (uint32_t t = 0; t < size->n_terms; t++) {
        uint32_t found = UINT32_MAX;
        CHECK_EQ(dpl_collection_term_count(c, t), counts[t]);
        CHECK_EQ(dpl_collection_doc_count(c, t), docs[t]);
        CHECK(dpl_collection_find_term(c, dpl_collection_term(c, t), &found));
        CHECK_EQ(found, t);
        n_repeated += counts[t] > 1;
        if (t) {
            CHECK(counts[t] < counts[t - 1] ||
                  (counts[t] == counts[t - 1] &&
                   dpl__str_cmp(dpl_collection_term(c, t - 1), dpl_collection_term(c, t)) < 0));
        }
    }
    CHECK_EQ(size->n_repeated, n_repeated);
    CHECK(n_repeated < size->n_terms);
    uint32_t none;
    CHECK(!dpl_collection_find_term(c, DPL_STR("no such term"), &none));
    CHECK(!dpl_collection_find_doc(c, DPL_STR("no such document"), &none));
    dpl_tokens_free(tokens);
    dpl_collection_close(c);
    free(counts);
    free(docs);
    free(in_doc);
    test_ctx_done(ctx);
}

DPL_TEST(collection, keeps_fields_text_and_sentences)
{
    static const char in[] =
        "{\"id\":\"a\",\"title\":\"T\",\"lang\":\"deu\",\"text\":\"Erster Satz. "
        "Zweiter Satz!\\n\\n\\u001dNeuer Absatz\",\"date\":\"2020\",\"x\":[1,{}]}\n";
    CHECK_OK(run(test_path("a.dpl"), test_write("a.jsonl", in, sizeof in - 1),
                 (run_options){.threads = 1}, NULL));
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = open_collection(ctx, test_path("a.dpl"));
    dpl_doc doc = dpl_collection_doc(c, 0);
    CHECK_STR(doc.id, "a");
    CHECK_STR(doc.lang, "de");
    CHECK_STR(doc.title, "T");
    CHECK_STR(doc.extra, "{\"date\":\"2020\",\"x\":[1,{}]}");
    CHECK_EQ(dpl_collection_n_sentences(c, 0), 3);
    CHECK_STR(dpl_collection_sentence_text(c, 0, 0), "Erster Satz.");
    CHECK_STR(dpl_collection_sentence_text(c, 0, 1), "Zweiter Satz!");
    CHECK_STR(dpl_collection_sentence_text(c, 0, 2), "Neuer Absatz");
    CHECK(dpl_collection_sentence(c, 0, 0).is_paragraph_start);
    CHECK(!dpl_collection_sentence(c, 0, 1).is_paragraph_start);
    CHECK(dpl_collection_sentence(c, 0, 2).is_paragraph_start);
    CHECK(!dpl_collection_sentence(c, 0, 1).is_section_start);
    CHECK(dpl_collection_sentence(c, 0, 2).is_section_start);
    CHECK_EQ(dpl_collection_sentence(c, 0, 2).token, 4);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(collection, every_flipped_byte_is_refused)
{
    CHECK_OK(run(test_path("a.dpl"), write_docs("a.jsonl", 3, 1, 4),
                 (run_options){.threads = 1}, NULL));
    size_t n;
    char *bytes = test_read(test_path("a.dpl"), &n);
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (char)(bytes[i] ^ 0x10);
        dpl_collection *c = NULL;
        dpl_status s = dpl_collection_open(&c, ctx, test_write("b.dpl", bytes, n), &test_err);
        bytes[i] = (char)(bytes[i] ^ 0x10);
        if (s != DPL_E_FORMAT && s != DPL_E_UNSUPPORTED)
            dpl__test_fail(__FILE__, __LINE__, "byte %zu flipped: %s", i, dpl_status_name(s));
    }
    free(bytes);
    test_ctx_done(ctx);
}

/* ---- duplicates, failures ----------------------------------------------------------- */

DPL_TEST(import, refuses_a_duplicate_id_or_keeps_the_first_one)
{
    static const char twice[] = "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"one two\"}\n"
                                "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"two\"}\n"
                                "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"two three three\"}\n";
    static const char once[] = "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"one two\"}\n"
                               "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"two\"}\n";
    const char *in = test_write("twice.jsonl", twice, sizeof twice - 1);
    CHECK_EQ(run(test_path("a.dpl"), in, (run_options){.threads = 2}, NULL), DPL_E_FORMAT);
    CHECK(strstr(test_err.text, "line 3: duplicate id 'a'") != NULL);
    CHECK_EQ(test_err.line, 3);
    run_options skip = {.threads = 2, .read.on_error = DPL_ON_ERROR_SKIP};
    results summary;
    CHECK_OK(run(test_path("a.dpl"), in, skip, &summary));
    CHECK_EQ(summary.read.n_dropped[DPL_DROP_DUPLICATE], 1);
    CHECK_EQ(summary.read.n_docs, 2);
    CHECK_EQ(summary.sizes.n_terms, 2);
    /* As if the second one had never been there. */
    CHECK_OK(
        run(test_path("b.dpl"), test_write("once.jsonl", once, sizeof once - 1), skip, NULL));
    check_same_file(test_path("a.dpl"), test_path("b.dpl"));
}

/* More documents than the set of ids has room for: the collection is made all the same, and a
 * duplicate among the late ones is found when the ids are sorted. */
DPL_TEST(import, gives_the_same_bytes_with_duplicates_as_without_them)
{
    /* Every document that is not new comes from before, with words of its own. */
    enum { N = 600 };
    static char once[N * 200], twice[N * 400];
    size_t n_once = 0, n_twice = 0;
    for (size_t i = 0; i < N; i++) {
        char line[200];
        int n =
            snprintf(line, sizeof line,
                     "{\"id\":\"%zu\",\"lang\":\"en\",\"text\":\"word%zu other%zu. Again.\"}\n",
                     i, i % 7, i);
        memcpy(once + n_once, line, (size_t)n);
        memcpy(twice + n_twice, line, (size_t)n);
        n_once += (size_t)n;
        n_twice += (size_t)n;
        for (size_t k = 0; k < i % 3; k++)
            n_twice += (size_t)sprintf(
                twice + n_twice,
                "{\"id\":\"%zu\",\"lang\":\"en\",\"text\":\"word%zu single%zu\"}\n", i / 2,
                i % 5, i);
    }
    const char *a = test_write("once.jsonl", once, n_once),
               *b = test_write("twice.jsonl", twice, n_twice);
    CHECK_OK(run(test_path("a.dpl"), a, (run_options){.threads = 1}, NULL));
    for (unsigned threads = 1; threads <= 3; threads++)
        for (unsigned mib = 32; mib <= 1024; mib *= 32) {
            run_options o = {.threads = threads, .chunk = 3000, .memory = (uint64_t)mib << 20};
            o.read.on_error = DPL_ON_ERROR_SKIP;
            CHECK_OK(run(test_path("b.dpl"), b, o, NULL));
            check_same_file(test_path("a.dpl"), test_path("b.dpl"));
        }
}

DPL_TEST(import, goes_on_when_there_are_too_many_ids_to_remember)
{
    enum { N = 120000 };
    char *text = malloc((size_t)N * 60);
    CHECK(text != NULL);
    size_t at = 0;
    for (int i = 0; i < N; i++)
        at += (size_t)sprintf(text + at, "{\"id\":\"%d\",\"lang\":\"en\",\"text\":\"a\"}\n", i);
    run_options small = {.threads = 2, .memory = 32 << 20};
    results summary;
    CHECK_OK(run(test_path("a.dpl"), test_write("a.jsonl", text, at), small, &summary));
    CHECK_EQ(summary.sizes.n_docs, N);
    at += (size_t)sprintf(text + at, "{\"id\":\"%d\",\"lang\":\"en\",\"text\":\"a\"}\n", N - 1);
    const char *in = test_write("b.jsonl", text, at);
    free(text);
    CHECK_EQ(run(test_path("b.dpl"), in, small, NULL), DPL_E_FORMAT);
    CHECK_STR(dpl__cstr(test_err.text), "duplicate id '119999'");
}

/* A program compiled against an older or a newer header. */
DPL_TEST(import, takes_options_and_gives_summaries_of_any_size)
{
    const char *in = write_docs("in.jsonl", 7, 1, 1), *out = test_path("a.dpl");
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection_sizes sizes = DPL_INIT(dpl_collection_sizes);
    sizes.size = offsetof(dpl_collection_sizes, n_terms);
    dpl_import_summary summary = DPL_INIT(dpl_import_summary, .sizes = &sizes);
    CHECK_OK(dpl_import(&summary, ctx, out, &in, 1, NULL, &test_err));
    CHECK_EQ(sizes.n_docs, 7);
    CHECK_EQ(sizes.n_terms, 0);
    CHECK(summary.sizes == &sizes && summary.n_output_bytes > 0);
    struct {
        dpl_import_options known;
        int more;
    } options = {.known = DPL_INIT(dpl_import_options)};
    options.known.size = sizeof options;
    CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, &options.known, &test_err));
    options.more = 1;
    CHECK_EQ(dpl_import(NULL, ctx, out, &in, 1, &options.known, &test_err), DPL_E_UNSUPPORTED);
    options.known.size = 0;
    CHECK_EQ(dpl_import(NULL, ctx, out, &in, 1, &options.known, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

/* The tokens of one document, all of them first, or all different. */
static dpl_status merge_other_tokens(dpl_ctx *ctx, const char *path, bool is_one)
{
    dpl_file *file = NULL;
    dpl_parts *parts = NULL;
    dpl_section s;
    CHECK_OK(dpl_file_open(&file, ctx, path, &test_err));
    CHECK(dpl_file_find(file, "tokens", &s));
    uint32_t *tokens = malloc(s.n_bytes);
    for (size_t i = 0; i < s.n_bytes / 4; i++)
        tokens[i] = is_one ? 0 : (uint32_t)i % DPL_LEN(words);
    const char *forged = test_forge(ctx, path, "tokens", tokens, s.n_bytes);
    free(tokens);
    dpl_file_close(file);
    CHECK_OK(dpl_parts_open(&parts, ctx, &forged, 1, &test_err));
    const dpl_status status =
        dpl_import_merge(NULL, parts, test_path("m.dpl"), NULL, &test_err);
    dpl_parts_close(parts);
    return status;
}

DPL_TEST(import, a_part_with_other_tokens_than_terms_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *docs = write_docs("a.jsonl", 30, 7, 3), *path = test_path("part.dpl");
    const dpl_input in = {.path = docs};
    const dpl_part part = {0, 1};
    CHECK_OK(dpl_import_part(NULL, ctx, path, &in, 1, &part, NULL, &test_err));
    CHECK_EQ(merge_other_tokens(ctx, path, true), DPL_E_FORMAT);
    CHECK_EQ(merge_other_tokens(ctx, path, false), DPL_E_FORMAT);
    CHECK(strstr(test_err.text, "terms") != NULL);
    test_ctx_done(ctx);
}

static dpl_status import_in_parts(dpl_ctx *ctx, const char *out, const dpl_input *in, size_t n,
                                  uint32_t n_parts, const dpl_import_options *o)
{
    char paths[4][600];
    const char *list[4];
    dpl_parts *parts = NULL;
    for (uint32_t i = 0; i < n_parts; i++) {
        const dpl_part part = {i, n_parts};
        snprintf(paths[i], sizeof paths[i], "%s.%u", out, i);
        list[n_parts - 1 - i] = paths[i]; /* in any order */
        DPL_TRY(dpl_import_part(NULL, ctx, paths[i], in, n, &part, o, &test_err));
    }
    CHECK_OK(dpl_parts_open(&parts, ctx, list, n_parts, &test_err));
    const dpl_status status = dpl_import_merge(NULL, parts, out, o, &test_err);
    dpl_parts_close(parts);
    return status;
}

/* Of each input a piece, or as many parts as inputs; the inputs have ids of each other. */
DPL_TEST(import, parts_that_are_merged_have_the_bytes_of_one_import)
{
    static const struct {
        size_t n_inputs;
        uint32_t n_parts;
        bool skips;
    } cases[] = {{1, 1, false}, {1, 3, false}, {1, 4, true}, {2, 3, true},
                 {3, 3, true},  {3, 2, true},  {3, 3, false}};
    dpl_ctx *ctx = test_ctx(2);
    const dpl_input in[] = {{.path = write_docs("a.jsonl", 60, 7, 1)},
                            {.path = write_docs("b.jsonl", 80, 3, 2)},
                            {.path = write_docs("c.jsonl", 50, 9, 3)}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl_reader_options read =
            DPL_INIT(dpl_reader_options, .chunk = 3000,
                     .on_error = cases[i].skips ? DPL_ON_ERROR_SKIP : 0);
        const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
        const char *one = test_path("one.dpl"), *merged = test_path("merged.dpl");
        const dpl_status status =
            dpl_import_inputs(NULL, ctx, one, in, cases[i].n_inputs, &o, &test_err);
        CHECK_EQ(status, cases[i].n_inputs > 1 && !cases[i].skips ? DPL_E_FORMAT : DPL_OK);
        CHECK_EQ(import_in_parts(ctx, merged, in, cases[i].n_inputs, cases[i].n_parts, &o),
                 status);
        if (status == DPL_OK)
            check_same_file(one, merged);
    }
    test_ctx_done(ctx);
}

DPL_TEST(import, of_nothing_is_an_empty_collection)
{
    CHECK_OK(run(test_path("a.dpl"), test_write("a.jsonl", "", 0), (run_options){.threads = 2},
                 NULL));
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = open_collection(ctx, test_path("a.dpl"));
    CHECK_EQ(dpl_collection_get_sizes(c)->n_docs, 0);
    CHECK_EQ(dpl_collection_get_sizes(c)->n_terms, 0);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* Arrays that stay empty have no memory: the undefined-behaviour sanitizer found this. */
DPL_TEST(import, of_text_without_words_has_documents_without_tokens)
{
    static const char in[] = "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"... !\"}\n";
    for (unsigned ngram = 0; ngram < 3; ngram++) {
        run_options o = {.threads = 1, .tokens.ngrams = ngram};
        CHECK_OK(run(test_path("a.dpl"), test_write("a.jsonl", in, sizeof in - 1), o, NULL));
        dpl_ctx *ctx = test_ctx(1);
        dpl_collection *c = open_collection(ctx, test_path("a.dpl"));
        size_t n = 1;
        (void)dpl_collection_tokens(c, 0, &n);
        CHECK_EQ(n, 0);
        CHECK_EQ(dpl_collection_n_sentences(c, 0), 1);
        dpl_collection_close(c);
        test_ctx_done(ctx);
    }
}

typedef struct paths {
    const char *in, *out;
} paths;

static dpl_status import_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const paths *p = user;
    dpl_import_options o =
        DPL_INIT(dpl_import_options,
                 .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .chunk = 300));
    DPL_TRY(dpl_import(NULL, ctx, p->out, &p->in, 1, &o, err));
    dpl_collection *c = NULL;
    DPL_TRY(dpl_collection_open(&c, ctx, p->out, err));
    dpl_collection_close(c);
    dpl_input input = {.path = p->in};
    DPL_TRY(dpl_collection_from_inputs(&c, NULL, ctx, &input, 1, &o, err));
    dpl_collection_close(c);
    return DPL_OK;
}

DPL_TEST(import, survives_every_failing_allocation)
{
    paths p = {write_docs("in.jsonl", 12, 1, 5), test_path("out.dpl")};
    test_allocation_failures(import_body, &p);
}

static int stop_at_once(void *user, const dpl_progress *progress)
{
    (void)user, (void)progress;
    return 1;
}

DPL_TEST(import, stops_when_asked_and_leaves_the_old_file)
{
    const char *in = write_docs("in.jsonl", 50, 1, 6), *out = test_write("old.dpl", "old", 3);
    dpl_ctx *ctx = NULL;
    dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = 2, .progress = stop_at_once);
    CHECK_OK(dpl_ctx_new(&ctx, &c, &test_err));
    CHECK_EQ(dpl_import(NULL, ctx, out, &in, 1, NULL, &test_err), DPL_E_STOPPED);
    test_ctx_done(ctx);
    size_t n;
    char *bytes = test_read(out, &n);
    CHECK_EQ(n, 3);
    free(bytes);
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
DPL_TEST(import, survives_a_full_disk_and_leaves_the_old_file)
{
    const char *in = write_docs("in.jsonl", 200, 1, 8), *out = test_write("old.dpl", "old", 3);
    struct rlimit old;
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    dpl_status status = DPL_E_IO;
    for (rlim_t limit = 0; status != DPL_OK; limit += 1500) {
        struct rlimit full = {limit, old.rlim_max};
        CHECK(setrlimit(RLIMIT_FSIZE, &full) == 0);
        status = run(out, in, (run_options){.threads = 2, .memory = 32 << 20}, NULL);
        CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
        if (status == DPL_OK)
            break;
        CHECK_EQ(status, DPL_E_IO);
        CHECK(test_err.sys_errno == EFBIG && strstr(test_err.text, "cannot write") != NULL);
        size_t n;
        char *bytes = test_read(out, &n);
        free(bytes);
        CHECK_EQ(n, 3);
        CHECK_EQ(n_files(test_dir()), 2);
    }
    signal(SIGXFSZ, old_handler);
    CHECK_EQ(n_files(test_dir()), 2);
}

DPL_TEST(import, fails_clearly_when_the_output_cannot_be_made)
{
    const char *in = write_docs("in.jsonl", 5, 1, 7);
    CHECK_EQ(run(test_path("no/such/dir/x.dpl"), in, (run_options){.threads = 1}, NULL),
             DPL_E_IO);
    CHECK_EQ(
        run(test_path("a.dpl"), test_path("missing.jsonl"), (run_options){.threads = 1}, NULL),
        DPL_E_IO);
    CHECK(strstr(test_err.text, "missing.jsonl") != NULL);
}

DPL_TEST(import, an_input_is_not_overwritten)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_write("a.tsv", "1\tOne house.\n", 13);
    CHECK_EQ(dpl_import(NULL, ctx, path, &path, 1, NULL, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.code), "output-is-input");
    test_ctx_done(ctx);
}

DPL_TEST(import, an_update_gives_the_bytes_of_a_fresh_import)
{
    static const char old[] = "{\"id\":\"a\",\"lang\":\"en\","
                              "\"text\":\"One two three.\\n\\u001dFour!\"}\n"
                              "{\"id\":\"b\",\"lang\":\"de\",\"text\":\"Alt und neu.\"}\n"
                              "{\"id\":\"c\",\"lang\":\"en\",\"text\":\"Gone tomorrow.\"}\n"
                              "{\"id\":\"d\",\"lang\":\"en\",\"text\":\"Two two one.\"}\n";
    static const char new[] = "{\"id\":\"d\",\"lang\":\"en\",\"text\":\"Two two one.\"}\n"
                              "{\"id\":\"b\",\"lang\":\"de\",\"text\":\"Neu und neuer.\"}\n"
                              "{\"id\":\"e\",\"lang\":\"en\",\"text\":\"Five two.\"}\n"
                              "{\"id\":\"a\",\"lang\":\"en\","
                              "\"text\":\"One two three.\\n\\u001dFour!\"}\n";
    for (unsigned threads = 1; threads < 4; threads += 2) {
        dpl_ctx *ctx = test_ctx(threads);
        const char *before = test_path("before.dpl"), *fresh = test_path("fresh.dpl"),
                   *updated = test_path("updated.dpl");
        const char *in[2] = {test_write("old.jsonl", old, sizeof old - 1),
                             test_write("new.jsonl", new, sizeof new - 1)};
        dpl_import_options o = DPL_INIT(dpl_import_options, .update = before);
        dpl_import_summary s = DPL_INIT(dpl_import_summary);
        CHECK_OK(dpl_import(NULL, ctx, before, &in[0], 1, NULL, &test_err));
        CHECK_OK(dpl_import(NULL, ctx, fresh, &in[1], 1, NULL, &test_err));
        CHECK_OK(dpl_import(&s, ctx, updated, &in[1], 1, &o, &test_err));
        CHECK_EQ(s.n_unchanged, 2);
        size_t n[2];
        char *bytes[2] = {test_read(fresh, &n[0]), test_read(updated, &n[1])};
        CHECK_EQ(n[0], n[1]);
        CHECK(memcmp(bytes[0], bytes[1], n[0]) == 0);
        free(bytes[0]);
        free(bytes[1]);
        dpl_tokens_options stem = DPL_INIT(dpl_tokens_options, .stem = true);
        o.tokens = &stem; /* which are other tokens */
        CHECK_EQ(dpl_import(NULL, ctx, updated, &in[1], 1, &o, &test_err), DPL_E_USAGE);
        test_ctx_done(ctx);
    }
}
