/* An index against a model of it: documents as lists of numbers. */
#include "index/query.h"

#include "base/hash.h"
#include "test.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_DOCS = 60, MOST_WORDS = 40, N_VOCABULARY = 150 };

typedef struct model {
    unsigned words[MOST_DOCS][MOST_WORDS];
    size_t n_words[MOST_DOCS];
    size_t numbers[MOST_DOCS]; /* in their ids */
    size_t n;
} model;

/* ---- documents -------------------------------------------------------------------------- */

static void fill(model *m, size_t at, size_t number, dpl__rng *rng)
{
    const size_t of = at && dpl__rng_below(rng, 3) == 0 ? dpl__rng_below(rng, at) : at;
    m->numbers[at] = number;
    m->n_words[at] = of == at ? 1 + dpl__rng_below(rng, MOST_WORDS) : m->n_words[of];
    for (size_t i = 0; i < m->n_words[at]; i++)
        m->words[at][i] = of != at && i % 4
                              ? m->words[of][i]
                              : (unsigned)(dpl__rng_below(rng, N_VOCABULARY) *
                                           dpl__rng_below(rng, N_VOCABULARY) / N_VOCABULARY);
}

static void model_make(model *m, size_t n, dpl__rng *rng)
{
    m->n = n;
    for (size_t i = 0; i < n; i++)
        fill(m, i, i, rng);
}

/* Documents from `first` on. */
static const char *model_write(const model *m, const char *name, size_t first)
{
    char *text = malloc(MOST_DOCS * (MOST_WORDS * 8 + 80)), *at = text;
    *at = 0;
    for (size_t d = first; d < m->n; d++) {
        at += sprintf(at, "{\"id\":\"d%zu\",\"lang\":\"en\",\"text\":\"", m->numbers[d]);
        for (size_t i = 0; i < m->n_words[d]; i++)
            at += sprintf(at, "%sword%u", i ? " " : "", m->words[d][i]);
        at += sprintf(at, "\"}\n");
    }
    const char *path = test_write(name, text, (size_t)(at - text));
    free(text);
    return path;
}

static const dpl_index_options with_texts = DPL_INIT(dpl_index_options, .texts = true);

static void build(dpl_ctx *ctx, const char *out, const model *m, size_t first)
{
    const dpl_input in = {.path = model_write(m, "docs.jsonl", first)};
    CHECK_OK(dpl_index_build(NULL, ctx, out, &in, 1, &with_texts, &test_err));
}

static size_t count_word(const model *m, size_t doc, unsigned word)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_words[doc]; i++)
        n += m->words[doc][i] == word;
    return n;
}

static size_t count_docs(const model *m, unsigned word)
{
    size_t n = 0;
    for (size_t d = 0; d < m->n; d++)
        n += count_word(m, d, word) > 0;
    return n;
}

/* ---- what is in it ---------------------------------------------------------------------- */

/* The row of a document has each of its words with its count, and nothing else. */
static void check_row(const dpl_index *x, const model *m, uint32_t doc)
{
    size_t n_terms = 0, n_words = 0, n_distinct = 0;
    dpl__row_reader r;
    dpl__row_begin(&r, x, doc);
    while (dpl__row_next(&r)) {
        n_terms++;
        n_words += r.count;
    }
    CHECK_EQ(n_words, m->n_words[doc]);
    for (unsigned word = 0; word < N_VOCABULARY; word++) {
        char text[20];
        const size_t count = count_word(m, doc, word);
        uint32_t term, found = 0;
        snprintf(text, sizeof text, "word%u", word);
        const uint64_t key = dpl__term_key(dpl__cstr(text));
        dpl__index_find_terms(x, &key, 1, &term);
        CHECK_EQ(term == DPL__NO_WORD, count_docs(m, word) == 0);
        dpl__row_begin(&r, x, doc);
        while (dpl__row_next(&r))
            found = r.term == term ? r.count : found;
        CHECK_EQ(found, count);
        n_distinct += count > 0;
    }
    CHECK_EQ(n_terms, n_distinct);
}

static void check_index(dpl_ctx *ctx, const char *path, const model *m)
{
    dpl_index *x = NULL;
    dpl_index_info info = DPL_INIT(dpl_index_info);
    CHECK_OK(dpl_index_open(&x, ctx, path, &test_err));
    dpl_index_describe(x, &info);
    CHECK_EQ(info.n_docs, m->n);
    for (uint32_t d = 0; d < m->n; d++) {
        char id[20], text[MOST_WORDS * 8], *at = text;
        uint32_t row;
        dpl_str found;
        snprintf(id, sizeof id, "d%zu", m->numbers[d]);
        CHECK(dpl_index_find(x, dpl__cstr(id), &row) && row == d);
        CHECK_STR(dpl_index_document(x, d).id, id);
        CHECK_EQ(dpl_index_document(x, d).n_words, m->n_words[d]);
        for (size_t i = 0; i < m->n_words[d]; i++)
            at += sprintf(at, "%sword%u", i ? " " : "", m->words[d][i]);
        CHECK_OK(dpl_index_text(x, d, &found, &test_err));
        CHECK_STR(found, text);
        dpl_index_free_text(x, found);
        check_row(x, m, d);
    }
    for (unsigned bin = 0; bin < DPL_INDEX_BINS; bin++) {
        CHECK(info.receipt->found[bin] <= info.receipt->pairs[bin]);
        CHECK(info.receipt->found_auto[bin] <= info.receipt->pairs[bin]);
    }
    dpl_index_close(x);
}

DPL_TEST(index_model, rows_names_and_texts_are_those_of_the_documents)
{
    dpl_ctx *ctx = test_ctx(2);
    model *m = calloc(1, sizeof *m);
    dpl__rng rng = {21};
    for (int round = 0; round < 6; round++) {
        model_make(m, dpl__rng_below(&rng, MOST_DOCS + 1), &rng);
        build(ctx, test_path("a.pocket"), m, 0);
        check_index(ctx, test_path("a.pocket"), m);
    }
    free(m);
    test_ctx_done(ctx);
}

/* ---- changes ---------------------------------------------------------------------------- */

static void check_same(const char *a, const char *b)
{
    size_t n, m;
    char *x = test_read(a, &n), *y = test_read(b, &m);
    CHECK_EQ(n, m);
    CHECK(memcmp(x, y, n) == 0);
    free(x);
    free(y);
}

static void remove_doc(model *m, size_t at)
{
    m->n--;
    for (size_t i = at; i < m->n; i++) {
        memcpy(m->words[i], m->words[i + 1], sizeof m->words[i]);
        m->n_words[i] = m->n_words[i + 1];
        m->numbers[i] = m->numbers[i + 1];
    }
}

/* New documents, some of which replace documents that are there. */
static void add_docs(dpl_ctx *ctx, const char *path, model *m, size_t *next, dpl__rng *rng)
{
    model *more = calloc(1, sizeof *more);
    const size_t n = dpl__rng_below(rng, 8);
    for (; more->n < n; more->n++) {
        const bool is_old = m->n && dpl__rng_below(rng, 3) == 0;
        const size_t old = is_old ? dpl__rng_below(rng, m->n) : 0;
        fill(more, more->n, is_old ? m->numbers[old] : (*next)++, rng);
        if (is_old)
            remove_doc(m, old);
    }
    for (size_t i = 0; i < n; i++) {
        memcpy(m->words[m->n], more->words[i], sizeof more->words[i]);
        m->n_words[m->n] = more->n_words[i];
        m->numbers[m->n++] = more->numbers[i];
    }
    const dpl_input in = {.path = model_write(more, "more.jsonl", 0)};
    CHECK_OK(dpl_index_add(NULL, ctx, path, &in, 1, &test_err));
    free(more);
}

static void delete_docs(dpl_ctx *ctx, const char *path, model *m, dpl__rng *rng)
{
    dpl_str ids[4];
    char texts[4][20];
    size_t n = 0;
    for (; n < 4 && m->n; n++) {
        const size_t at = dpl__rng_below(rng, m->n);
        snprintf(texts[n], sizeof texts[n], "d%zu", m->numbers[at]);
        ids[n] = dpl__cstr(texts[n]);
        remove_doc(m, at);
    }
    dpl_index_summary s = DPL_INIT(dpl_index_summary);
    CHECK_OK(dpl_index_delete(&s, ctx, path, ids, n, &test_err));
    CHECK_EQ(s.n_deleted, n);
    CHECK_EQ(s.n_docs, m->n);
}

static void merge_docs(dpl_ctx *ctx, const char *path, model *m, size_t *next, dpl__rng *rng)
{
    const size_t first = m->n;
    for (size_t n = dpl__rng_below(rng, 6); n > 0; n--)
        fill(m, m->n, (*next)++, rng), m->n++;
    build(ctx, test_path("part.pocket"), m, first);
    const char *both[] = {path, test_path("part.pocket")};
    CHECK_OK(dpl_index_merge(NULL, ctx, path, both, 2, &test_err));
}

DPL_TEST(index_model, any_changes_give_the_bytes_of_building_anew)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *path = test_path("a.pocket"), *new = test_path("new.pocket");
    model *m = calloc(1, sizeof *m);
    dpl__rng rng = {22};
    for (int round = 0; round < 4; round++) {
        model_make(m, 1 + dpl__rng_below(&rng, 12), &rng);
        size_t next = m->n;
        build(ctx, path, m, 0);
        for (int step = 0; step < 5; step++) {
            const uint64_t what = m->n + 10 > MOST_DOCS ? 1 : dpl__rng_below(&rng, 3);
            if (what == 0)
                add_docs(ctx, path, m, &next, &rng);
            else if (what == 1)
                delete_docs(ctx, path, m, &rng);
            else
                merge_docs(ctx, path, m, &next, &rng);
            build(ctx, new, m, 0);
            check_same(path, new);
        }
        check_index(ctx, path, m);
    }
    free(m);
    test_ctx_done(ctx);
}

/* ---- similarities ----------------------------------------------------------------------- */

/* BM25 weight of a word in a document, from the texts alone. */
static double weight(const model *m, size_t doc, unsigned word)
{
    const double k1 = DPL__P(index, k1), b = DPL__P(index, b);
    double all = 0;
    for (size_t d = 0; d < m->n; d++)
        all += (double)m->n_words[d];
    const double tf = (double)count_word(m, doc, word), df = (double)count_docs(m, word),
                 length = (double)m->n_words[doc] / (all / (double)m->n);
    return tf > 0 ? log(1 + ((double)m->n - df + 0.5) / (df + 0.5)) * tf * (k1 + 1) /
                        (tf + k1 * (1 - b + b * length))
                  : 0;
}

static double cosine(const model *m, size_t a, size_t b)
{
    double dot = 0, x = 0, y = 0;
    for (unsigned word = 0; word < N_VOCABULARY; word++) {
        const double u = weight(m, a, word), v = weight(m, b, word);
        dot += u * v;
        x += u * u;
        y += v * v;
    }
    return dot / sqrt(x * y);
}

DPL_TEST(index_model, scores_are_cosines_of_the_texts)
{
    dpl_ctx *ctx = test_ctx(2);
    model *m = calloc(1, sizeof *m);
    dpl__rng rng = {23};
    dpl_index *x = NULL;
    dpl_query *q = NULL;
    const dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = 1000, .threshold = 0.2, .method = DPL_QUERY_EXACT);
    model_make(m, MOST_DOCS, &rng);
    build(ctx, test_path("a.pocket"), m, 0);
    CHECK_OK(dpl_index_open(&x, ctx, test_path("a.pocket"), &test_err));
    CHECK_OK(dpl_query_new(&q, x, &o, &test_err));
    for (uint32_t row = 0; row < m->n; row += 3) {
        dpl_query_result r = DPL_INIT(dpl_query_result);
        CHECK_OK(dpl_query_row(q, row, &r, &test_err));
        for (uint32_t other = 0; other < m->n; other++) {
            const double expected = cosine(m, row, other);
            double found = 0;
            for (size_t i = 0; i < r.n_hits; i++)
                found = r.hits[i].row == other ? (double)r.hits[i].score : found;
            if (other == row || expected < 0.1999)
                CHECK(found == 0);
            else if (expected > 0.2001)
                CHECK(fabs(found - expected) < 1e-4);
        }
        for (size_t i = 1; i < r.n_hits; i++)
            CHECK(r.hits[i - 1].score >= r.hits[i].score);
    }
    dpl_query_free(q);
    dpl_index_close(x);
    free(m);
    test_ctx_done(ctx);
}

/* ---- damage ----------------------------------------------------------------------------- */

/* What is copied into another index is verified: a flipped bit does not get a new checksum. */
DPL_TEST(index_model, a_flipped_bit_of_any_section_stops_every_change)
{
    dpl_ctx *ctx = test_ctx(1);
    model *m = calloc(1, sizeof *m);
    dpl__rng rng = {24};
    const char *path = test_path("a.pocket"), *bad = test_path("bad.pocket"),
               *out = test_path("out.pocket");
    model_make(m, 20, &rng);
    build(ctx, path, m, 0);
    const dpl_input more = {.path = model_write(m, "more.jsonl", 10)};
    const dpl_str id = DPL_STR("d1");
    dpl_file *file = NULL;
    CHECK_OK(dpl_file_open(&file, ctx, path, &test_err));
    size_t n_bytes, n_tried = 0;
    char *bytes = test_read(path, &n_bytes);
    for (size_t i = 0; i < dpl_file_get_info(file).n_sections; i++) {
        const dpl_section s = dpl_file_section(file, i);
        if (!s.n_bytes)
            continue;
        char *at = NULL; /* where the section is in the file */
        for (size_t k = 0; !at && k + s.n_bytes <= n_bytes; k += 64)
            at = memcmp(bytes + k, s.data, (size_t)s.n_bytes) == 0 ? bytes + k : NULL;
        CHECK(at != NULL);
        at[s.n_bytes / 2] ^= 4;
        test_write("bad.pocket", bytes, n_bytes);
        const char *both[] = {path, bad};
        CHECK_EQ(dpl_index_merge(NULL, ctx, out, both, 2, NULL), DPL_E_FORMAT);
        CHECK_EQ(dpl_index_add(NULL, ctx, bad, &more, 1, NULL), DPL_E_FORMAT);
        CHECK_EQ(dpl_index_delete(NULL, ctx, bad, &id, 1, NULL), DPL_E_FORMAT);
        at[s.n_bytes / 2] ^= 4;
        n_tried++;
    }
    CHECK(n_tried > 10);
    dpl_file_close(file);
    free(bytes);
    free(m);
    test_ctx_done(ctx);
}

/* ---- many questions --------------------------------------------------------------------- */

typedef struct asked {
    dpl_query *one; /* asked for each document by itself */
    uint32_t n;
} asked;

static dpl_status take_answer(void *user, const dpl_doc *doc, dpl_query *query,
                              const dpl_query_result *r, dpl_error *err)
{
    asked *a = user;
    dpl_query_result alone = DPL_INIT(dpl_query_result);
    (void)query;
    DPL_TRY(dpl_query_text(a->one, doc->text, &alone, err));
    CHECK_EQ(r->n_hits, alone.n_hits);
    for (size_t i = 0; i < r->n_hits; i++)
        CHECK(r->hits[i].row == alone.hits[i].row && r->hits[i].score == alone.hits[i].score);
    CHECK(r->n_hits > 0 && r->hits[0].score > 0.99f);
    a->n++;
    return DPL_OK;
}

DPL_TEST(index_model, many_questions_are_answered_as_each_alone_and_in_order)
{
    model *m = calloc(1, sizeof *m);
    dpl__rng rng = {25};
    model_make(m, MOST_DOCS, &rng);
    for (unsigned n_threads = 1; n_threads < 4; n_threads++) {
        dpl_ctx *ctx = test_ctx(n_threads);
        asked a = {0};
        uint64_t n_queries = 0;
        dpl_index *x = NULL;
        build(ctx, test_path("a.pocket"), m, 0);
        CHECK_OK(dpl_index_open(&x, ctx, test_path("a.pocket"), &test_err));
        CHECK_OK(dpl_query_new(&a.one, x, NULL, &test_err));
        const dpl_input in = {.path = test_path("docs.jsonl")};
        CHECK_OK(dpl_query_inputs(&n_queries, ctx, x, &in, 1, NULL, NULL, take_answer, &a,
                                  &test_err));
        CHECK_EQ(n_queries, m->n);
        CHECK_EQ(a.n, m->n);
        dpl_query_free(a.one);
        dpl_index_close(x);
        test_ctx_done(ctx);
    }
    free(m);
}

/* ---- inputs that do not fit -------------------------------------------------------------- */

static const char *import_as(dpl_ctx *ctx, const char *name, const char *from,
                             const dpl_tokens_options *tokens)
{
    const char *path = test_path(name);
    const dpl_import_options o = DPL_INIT(dpl_import_options, .tokens = tokens);
    CHECK_OK(dpl_import(NULL, ctx, path, &from, 1, &o, &test_err));
    return path;
}

DPL_TEST(index_model, collections_cut_in_another_way_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    model *m = calloc(1, sizeof *m);
    dpl__rng rng = {26};
    model_make(m, 5, &rng);
    const char *from = model_write(m, "docs.jsonl", 0), *out = test_path("x.pocket");
    const dpl_tokens_options words = DPL_INIT(dpl_tokens_options),
                             stems = DPL_INIT(dpl_tokens_options, .stem = true),
                             grams = DPL_INIT(dpl_tokens_options, .ngrams = 3),
                             stops = DPL_INIT(dpl_tokens_options,
                                              .stop_file = test_write("stop", "word1\n", 6));
    const dpl_input plain = {.path = import_as(ctx, "plain.dpl", from, &words)},
                    stemmed = {.path = import_as(ctx, "stems.dpl", from, &stems)},
                    of_grams = {.path = import_as(ctx, "grams.dpl", from, &grams)},
                    stopped = {.path = import_as(ctx, "stops.dpl", from, &stops)};
    const dpl_input mixed[] = {plain, stemmed};
    CHECK_OK(dpl_index_build(NULL, ctx, out, &plain, 1, NULL, &test_err));
    CHECK_OK(dpl_index_build(NULL, ctx, out, &stemmed, 1, NULL, &test_err));
    CHECK_EQ(dpl_index_build(NULL, ctx, out, mixed, 2, NULL, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.code), "other-words");
    CHECK_EQ(dpl_index_build(NULL, ctx, out, &of_grams, 1, NULL, &test_err), DPL_E_USAGE);
    CHECK_EQ(dpl_index_build(NULL, ctx, out, &stopped, 1, NULL, &test_err), DPL_E_USAGE);
    free(m);
    test_ctx_done(ctx);
}
