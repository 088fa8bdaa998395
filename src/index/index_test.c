#include "doppel/index.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "index/query.h"
#include "io/container.h"
#include "kernels/kernels.h"
#include "test.h"
#include "tokens/forge_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- documents made up -------------------------------------------------------------- */

/* Documents of made-up words, some of one topic, some nearly copies. */
static char *make_docs(size_t first, size_t n, size_t n_words)
{
    char *json = malloc(n * (n_words * 12 + 200) + 1), *at = json;
    *at = 0;
    for (size_t doc = first; doc < first + n; doc++) {
        const size_t base = doc % 5 == 4 ? doc - 1 : doc;
        dpl__rng rng = {dpl__mix(base) << 16}, other = {dpl__mix(doc + 1000) << 16};
        at +=
            sprintf(at, "{\"id\":\"d%zu\",\"lang\":\"en\",\"title\":\"Title %zu\",\"text\":\"",
                    doc, doc);
        for (size_t i = 0; i < n_words; i++) {
            uint64_t word = dpl__rng_below(&rng, 3)
                                ? dpl__rng_below(&rng, 50)
                                : base % 20 * 100 + dpl__rng_below(&rng, 80);
            if (doc != base && dpl__rng_below(&other, 10) == 0)
                word = dpl__rng_below(&other, 3000);
            at += sprintf(at, "%c%llu%s", i % 12 ? 'w' : 'W', (unsigned long long)word,
                          i % 12 == 11 ? ". " : " ");
        }
        at += sprintf(at, "\"}\n");
    }
    return json;
}

static const char *write_docs(const char *name, size_t first, size_t n)
{
    char *json = make_docs(first, n, 60);
    const char *path = test_write(name, json, strlen(json));
    free(json);
    return path;
}

static void build_from(dpl_ctx *ctx, const char *out, const char *in, const char *more,
                       const dpl_index_options *o)
{
    const dpl_input inputs[] = {{.path = in}, {.path = more}};
    CHECK_OK(dpl_index_build(NULL, ctx, out, inputs, more ? 2 : 1, o, &test_err));
}

static dpl_index *open_index(dpl_ctx *ctx, const char *path)
{
    dpl_index *x = NULL;
    CHECK_OK(dpl_index_open(&x, ctx, path, &test_err));
    return x;
}

static void check_same_files(const char *a, const char *b)
{
    size_t n_a, n_b;
    char *x = test_read(a, &n_a), *y = test_read(b, &n_b);
    CHECK_EQ(n_a, n_b);
    CHECK(memcmp(x, y, n_a) == 0);
    free(x);
    free(y);
}

static const dpl_index_options with_texts = DPL_INIT(dpl_index_options, .texts = true);

/* ---- building ----------------------------------------------------------------------- */

DPL_TEST(index, documents_come_back)
{
    dpl_ctx *ctx = test_ctx(2);
    build_from(ctx, test_path("a.pocket"), write_docs("a.jsonl", 0, 150), NULL, &with_texts);
    dpl_index *x = open_index(ctx, test_path("a.pocket"));
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(x, &info);
    CHECK_EQ(info.n_docs, 150);
    CHECK_EQ(info.n_langs, 1);
    CHECK_STR(dpl__cstr(info.langs[0].lang), "en");
    CHECK_EQ(info.langs[0].n_docs, 150);
    CHECK_EQ(info.n_words, 150 * 60);
    CHECK_EQ(info.n_codes, 600);
    CHECK(info.has_vectors && info.has_postings && info.has_texts && !info.has_lexicon);
    uint64_t sum = 0;
    for (size_t i = 0; i < info.n_parts; i++)
        sum += info.parts[i].n_bytes;
    CHECK_EQ(sum, info.n_bytes);
    CHECK_EQ(info.receipt->n_sampled, 150);
    char *json = make_docs(0, 150, 60);
    char *line = json;
    for (uint32_t row = 0; row < 150; row++) {
        const dpl_index_doc d = dpl_index_document(x, row);
        char id[20], title[30];
        uint32_t found;
        dpl_str text;
        snprintf(id, sizeof id, "d%u", row);
        snprintf(title, sizeof title, "Title %u", row);
        CHECK_STR(d.id, id);
        CHECK_STR(d.title, title);
        CHECK_EQ(d.n_words, 60);
        CHECK(dpl_index_find(x, d.id, &found));
        CHECK_EQ(found, row);
        CHECK_OK(dpl_index_text(x, row, &text, &test_err));
        char *begin = strstr(line, "\"text\":\"") + 8, *end = strchr(begin, '"');
        CHECK(text.n >= (size_t)(end - begin) - 1);
        CHECK(memcmp(text.data, begin, (size_t)(end - begin) - 1) == 0);
        line = strchr(line, '\n') + 1;
        dpl_index_free_text(x, text);
    }
    uint32_t row;
    CHECK(!dpl_index_find(x, DPL_STR("nobody"), &row));
    free(json);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* The receipt against every document's neighbours, asked for one by one. */
DPL_TEST(index, the_receipt_counts_what_each_way_finds)
{
    enum { N = 150, NEAREST = 100 };
    dpl_ctx *ctx = test_ctx(2);
    build_from(ctx, test_path("a.pocket"), write_docs("a.jsonl", 0, N), NULL, &with_texts);
    dpl_index *x = open_index(ctx, test_path("a.pocket"));
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(x, &info);
    const dpl_query_options all = DPL_INIT(dpl_query_options, .method = DPL_QUERY_POSTINGS,
                                           .budget = 2000000, .top = NEAREST, .threshold = 0.1),
                            codes = DPL_INIT(dpl_query_options, .method = DPL_QUERY_CODES,
                                             .top = 10000, .threshold = 0.1);
    dpl_query *ways[2] = {NULL};
    CHECK_OK(dpl_query_new(&ways[0], x, &all, &test_err));
    CHECK_OK(dpl_query_new(&ways[1], x, &codes, &test_err));
    uint64_t n_pairs = 0, n_found = 0, n_candidates = 0, said_pairs = 0, said_found = 0;
    for (uint32_t row = 0; row < N; row++) {
        dpl_query_result r[2] = {DPL_INIT(dpl_query_result), DPL_INIT(dpl_query_result)};
        for (int i = 0; i < 2; i++)
            CHECK_OK(dpl_query_row(ways[i], row, &r[i], &test_err));
        n_candidates += r[1].n_candidates;
        n_pairs += r[0].n_hits;
        for (size_t i = 0; i < r[0].n_hits; i++)
            for (size_t k = 0; k < r[1].n_hits; k++)
                n_found += r[0].hits[i].row == r[1].hits[k].row;
    }
    for (size_t bin = 0; bin < DPL_LEN(info.receipt->pairs); bin++) {
        said_pairs += info.receipt->pairs[bin];
        said_found += info.receipt->found[bin];
    }
    CHECK_EQ(said_pairs, n_pairs);
    CHECK_EQ(said_found, n_found);
    CHECK_EQ(info.receipt->candidates, (n_candidates + N / 2) / N);
    CHECK(0 < n_found && n_found < n_pairs);
    for (int i = 0; i < 2; i++)
        dpl_query_free(ways[i]);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* A text of 60 words of its own and 40 of a document: as a whole it is like no document. */
DPL_TEST(index, passages_of_a_text_are_found_in_their_documents)
{
    dpl_ctx *ctx = test_ctx(2);
    build_from(ctx, test_path("p.pocket"), write_docs("p.jsonl", 0, 150), NULL, &with_texts);
    dpl_index *x = open_index(ctx, test_path("p.pocket"));
    dpl_str text;
    char query[4000];
    size_t n = 0;
    CHECK_OK(dpl_index_text(x, 7, &text, &test_err));
    for (unsigned i = 0; i < 200; i++)
        n += (size_t)snprintf(query + n, sizeof query - n, "own%u%s", i,
                              i % 10 == 9 ? ". " : " ");
    const char *part = text.data + text.n / 4;
    n += (size_t)snprintf(query + n, sizeof query - n, "%.*s", (int)(text.n / 2), part);
    dpl_index_free_text(x, text);
    const dpl_input input = {.buffer = {query, n}, .name = "q.txt"};
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .unknown_as_text = true, .lang = "en");
    const dpl_reuse_options o = DPL_INIT(dpl_reuse_options, .read = &read);
    dpl_reuse_result *r = NULL;
    CHECK_OK(dpl_index_passages(&r, ctx, x, &input, 1, &o, &test_err));
    CHECK(dpl_reuse_get_summary(r)->n_source_docs > 0);
    CHECK_STR(dpl_reuse_doc(r, dpl_reuse_get_source(r, 0)->doc, true).id, "d7");
    CHECK_EQ(dpl_reuse_get_passage(r, 0)->kind, DPL_PASSAGE_VERBATIM);
    dpl_reuse_result_free(r);
    dpl_index_close(x);
    build_from(ctx, test_path("p.pocket"), write_docs("p.jsonl", 0, 20), NULL, NULL);
    x = open_index(ctx, test_path("p.pocket"));
    CHECK_EQ(dpl_index_passages(&r, ctx, x, &input, 1, &o, &test_err), DPL_E_UNSUPPORTED);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(index, has_the_same_bytes_for_any_number_of_threads_and_any_memory)
{
    const char *in = write_docs("a.jsonl", 0, 300);
    dpl_ctx *one = test_ctx(1), *three = test_ctx(3);
    build_from(one, test_path("a.pocket"), in, NULL, &with_texts);
    build_from(three, test_path("b.pocket"), in, NULL, &with_texts);
    dpl_ctx *small = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .memory = 32 << 20);
    CHECK_OK(dpl_ctx_new(&small, &o, &test_err));
    build_from(small, test_path("c.pocket"), in, NULL, &with_texts);
    dpl_ctx_free(small);
    check_same_files(test_path("a.pocket"), test_path("b.pocket"));
    check_same_files(test_path("a.pocket"), test_path("c.pocket"));
    test_ctx_done(one);
    test_ctx_done(three);
}

DPL_TEST(index, adding_merging_and_deleting_give_the_bytes_of_building_anew)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *a = write_docs("a.jsonl", 0, 120), *b = write_docs("b.jsonl", 120, 70);
    build_from(ctx, test_path("a.pocket"), a, NULL, &with_texts);
    build_from(ctx, test_path("b.pocket"), b, NULL, &with_texts);
    build_from(ctx, test_path("ab.pocket"), a, b, &with_texts);
    const char *both[] = {test_path("a.pocket"), test_path("b.pocket")};
    CHECK_OK(dpl_index_merge(NULL, ctx, test_path("m.pocket"), both, 2, &test_err));
    check_same_files(test_path("m.pocket"), test_path("ab.pocket"));
    const dpl_input more = {.path = b};
    build_from(ctx, test_path("c.pocket"), a, NULL, &with_texts);
    CHECK_OK(dpl_index_add(NULL, ctx, test_path("c.pocket"), &more, 1, &test_err));
    check_same_files(test_path("c.pocket"), test_path("ab.pocket"));
    dpl_str ids[70];
    char names[70][12];
    for (int i = 0; i < 70; i++) {
        snprintf(names[i], sizeof names[i], "d%d", 120 + i);
        ids[i] = dpl__cstr(names[i]);
    }
    dpl_index_summary s = DPL_INIT(dpl_index_summary);
    CHECK_OK(dpl_index_delete(&s, ctx, test_path("c.pocket"), ids, 70, &test_err));
    CHECK_EQ(s.n_deleted, 70);
    check_same_files(test_path("c.pocket"), test_path("a.pocket"));
    /* an id that is not there: nothing changes */
    CHECK_EQ(dpl_index_delete(NULL, ctx, test_path("c.pocket"), ids, 1, &test_err),
             DPL_E_USAGE);
    check_same_files(test_path("c.pocket"), test_path("a.pocket"));
    /* a document again: it is replaced */
    CHECK_OK(dpl_index_add(&s, ctx, test_path("ab.pocket"), &more, 1, &test_err));
    CHECK_EQ(s.n_deleted, 70);
    CHECK_EQ(s.n_docs, 190);
    test_ctx_done(ctx);
}

/* A name as inputs of the same files have it in all of their forms. */
static const char *import_docs(dpl_ctx *ctx, const char *name, const char *from)
{
    const char *path = test_path(name);
    CHECK_OK(dpl_import(NULL, ctx, path, &from, 1, NULL, &test_err));
    return path;
}

DPL_TEST(index, ids_of_several_inputs_are_told_apart_in_all_forms_of_inputs)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *a = write_docs("a.jsonl", 0, 10), *b = write_docs("b.jsonl", 6, 10);
    const char *whole = test_path("whole.pocket"), *out = test_path("out.pocket");
    build_from(ctx, whole, a, b, &with_texts);
    dpl_index *x = open_index(ctx, whole);
    CHECK_STR(dpl_index_document(x, 0).id, "d0");
    CHECK_STR(dpl_index_document(x, 6).id, "a:d6");
    CHECK_STR(dpl_index_document(x, 10).id, "b:d6");
    CHECK_STR(dpl_index_document(x, 19).id, "d15");
    dpl_index_close(x);
    const char *ca = import_docs(ctx, "a.dpl", a), *cb = import_docs(ctx, "b.dpl", b);
    build_from(ctx, out, ca, cb, &with_texts);
    check_same_files(out, whole);
    build_from(ctx, out, a, cb, &with_texts);
    check_same_files(out, whole);
    build_from(ctx, out, ca, b, &with_texts);
    check_same_files(out, whole);
    build_from(ctx, test_path("a.pocket"), a, NULL, &with_texts);
    build_from(ctx, test_path("b.pocket"), b, NULL, &with_texts);
    const char *both[] = {test_path("a.pocket"), test_path("b.pocket")};
    CHECK_OK(dpl_index_merge(NULL, ctx, out, both, 2, &test_err));
    check_same_files(out, whole);
    test_ctx_done(ctx);
}

DPL_TEST(index, documents_that_are_added_replace_and_are_told_apart_among_themselves)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *path = test_path("a.pocket");
    dpl_index_summary s = DPL_INIT(dpl_index_summary);
    uint32_t row;
    build_from(ctx, path, write_docs("a.jsonl", 0, 10), NULL, &with_texts);
    const dpl_input more[] = {{.path = write_docs("b.jsonl", 8, 3)},
                              {.path = write_docs("c.jsonl", 10, 2)}};
    CHECK_OK(dpl_index_add(&s, ctx, path, more, 2, &test_err));
    CHECK_EQ(s.n_deleted, 2); /* d8 and d9 */
    CHECK_EQ(s.n_docs, 13);
    dpl_index *x = open_index(ctx, path);
    CHECK(dpl_index_find(x, DPL_STR("d9"), &row));
    CHECK(dpl_index_find(x, DPL_STR("b:d10"), &row));
    CHECK(dpl_index_find(x, DPL_STR("c:d10"), &row));
    CHECK(!dpl_index_find(x, DPL_STR("d10"), &row));
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(index, an_id_that_is_there_twice_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    static const char a[] =
        "{\"id\":\"x\",\"text\":\"one\"}\n{\"id\":\"b:x\",\"text\":\"two\"}\n";
    static const char b[] = "{\"id\":\"x\",\"text\":\"three\"}\n";
    const dpl_input both[] = {{.path = test_write("a.jsonl", a, sizeof a - 1)},
                              {.path = test_write("b.jsonl", b, sizeof b - 1)}};
    CHECK_EQ(dpl_index_build(NULL, ctx, test_path("m.pocket"), both, 2, NULL, &test_err),
             DPL_E_FORMAT);
    CHECK_STR(dpl__cstr(test_err.code), "same-id");
    test_ctx_done(ctx);
}

DPL_TEST(index, of_no_documents_and_of_one_works)
{
    dpl_ctx *ctx = test_ctx(1);
    for (size_t n = 0; n < 2; n++) {
        build_from(ctx, test_path("n.pocket"), write_docs("n.jsonl", 0, n), NULL, NULL);
        dpl_index *x = open_index(ctx, test_path("n.pocket"));
        dpl_query *q = NULL;
        dpl_query_result r = DPL_INIT(dpl_query_result);
        CHECK_OK(dpl_query_new(&q, x, NULL, &test_err));
        CHECK_OK(dpl_query_text(q, DPL_STR("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10"), &r, &test_err));
        CHECK(r.n_hits <= n);
        CHECK_OK(dpl_query_text(q, (dpl_str){0}, &r, &test_err));
        CHECK_EQ(r.n_hits, 0);
        dpl_query_free(q);
        dpl_index_close(x);
    }
    test_ctx_done(ctx);
}

/* ---- asking ------------------------------------------------------------------------- */

/* All scores by brute force. */
static size_t brute(dpl_query *q, dpl_query_hit *out, double threshold, uint32_t own)
{
    size_t n = 0;
    for (uint32_t row = 0; row < q->index->n_docs; row++) {
        uint32_t shared;
        const float score = dpl__query_score(q, row, &shared);
        if (row != own && score > 0 && (double)score >= threshold)
            out[n++] = (dpl_query_hit){.row = row, .score = score};
    }
    return n;
}

DPL_TEST(query, exact_answers_are_those_of_brute_force)
{
    dpl_ctx *ctx = test_ctx(2);
    build_from(ctx, test_path("a.pocket"), write_docs("a.jsonl", 0, 400), NULL, NULL);
    dpl_index *x = open_index(ctx, test_path("a.pocket"));
    dpl_query_hit *all = malloc(400 * sizeof *all);
    static const double thresholds[] = {0.9, 0.5, 0.3, 0.1, 0.02};
    for (size_t t = 0; t < DPL_LEN(thresholds); t++) {
        dpl_query *q = NULL;
        dpl_query_options o = DPL_INIT(dpl_query_options, .top = 10000,
                                       .threshold = thresholds[t], .method = DPL_QUERY_EXACT);
        CHECK_OK(dpl_query_new(&q, x, &o, &test_err));
        for (uint32_t row = 0; row < 400; row += 13) {
            dpl_query_result r = DPL_INIT(dpl_query_result);
            CHECK_OK(dpl_query_row(q, row, &r, &test_err));
            CHECK_EQ(r.method, DPL_QUERY_EXACT);
            CHECK(r.recall == 1);
            const size_t n = brute(q, all, thresholds[t], row);
            CHECK_EQ(r.n_hits, n);
            for (size_t i = 0; i < n; i++) {
                size_t k = 0;
                while (k < r.n_hits && r.hits[k].row != all[i].row)
                    k++;
                CHECK(k < r.n_hits && r.hits[k].score == all[i].score);
            }
        }
        /* the best three of them */
        o.top = 3;
        CHECK_OK(dpl__query_set(q, &o, &test_err));
        for (uint32_t row = 5; row < 400; row += 17) {
            dpl_query_result r = DPL_INIT(dpl_query_result);
            CHECK_OK(dpl_query_row(q, row, &r, &test_err));
            const size_t n = brute(q, all, thresholds[t], row);
            CHECK_EQ(r.n_hits, n < 3 ? n : 3);
            for (size_t i = 0; r.n_hits == 3 && i < n; i++) {
                bool is_hit = false;
                for (size_t k = 0; k < 3; k++)
                    is_hit = is_hit || r.hits[k].row == all[i].row;
                CHECK(is_hit || all[i].score <= r.hits[2].score);
            }
        }
        dpl_query_free(q);
    }
    free(all);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(query, an_answer_says_what_it_may_have_missed)
{
    dpl_ctx *ctx = test_ctx(2);
    build_from(ctx, test_path("a.pocket"), write_docs("a.jsonl", 0, 400), NULL, NULL);
    dpl_index *x = open_index(ctx, test_path("a.pocket"));
    dpl_query_hit *all = malloc(400 * sizeof *all);
    dpl_query *q = NULL;
    dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = 1000, .threshold = 0.05, .budget = 50);
    CHECK_OK(dpl_query_new(&q, x, &o, &test_err));
    size_t n_incomplete = 0;
    for (uint32_t row = 0; row < 400; row += 7) {
        dpl_query_result r = DPL_INIT(dpl_query_result);
        CHECK_OK(dpl_query_row(q, row, &r, &test_err));
        n_incomplete += r.method == DPL_QUERY_POSTINGS;
        const size_t n = brute(q, all, r.complete, row);
        for (size_t i = 0; i < n; i++) {
            bool is_hit = false;
            for (size_t k = 0; k < r.n_hits; k++)
                is_hit = is_hit || r.hits[k].row == all[i].row;
            CHECK(is_hit || (double)all[i].score < 0.05);
        }
    }
    CHECK(n_incomplete > 10);
    free(all);
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(query, a_document_finds_itself_and_its_copy_every_way)
{
    dpl_ctx *ctx = test_ctx(2);
    build_from(ctx, test_path("a.pocket"), write_docs("a.jsonl", 0, 200), NULL, &with_texts);
    dpl_index *x = open_index(ctx, test_path("a.pocket"));
    for (unsigned method = 0; dpl_query_method_name(method); method++) {
        dpl_query *q = NULL;
        dpl_query_options o = DPL_INIT(dpl_query_options, .method = (dpl_query_method)method);
        CHECK_OK(dpl_query_new(&q, x, &o, &test_err));
        for (uint32_t row = 3; row < 200; row += 5) { /* the next one is its copy */
            dpl_query_result r = DPL_INIT(dpl_query_result);
            dpl_str text;
            CHECK_OK(dpl_index_text(x, row, &text, &test_err));
            CHECK_OK(dpl_query_text(q, text, &r, &test_err));
            CHECK(r.n_hits >= 2);
            CHECK_EQ(r.hits[0].row, row);
            CHECK(r.hits[0].score > 0.9999f && r.hits[0].is_verified);
            CHECK_EQ(r.hits[1].row, row + 1);
            /* words add up to the score */
            const dpl_query_term *terms;
            size_t n;
            double sum = 0;
            o.terms = 1000;
            CHECK_OK(dpl__query_set(q, &o, &test_err));
            CHECK_OK(dpl_query_terms(q, 1, &terms, &n, &test_err));
            CHECK_EQ(n, r.hits[1].n_terms);
            for (size_t i = 0; i < n; i++) {
                CHECK(dpl__str_eq(terms[i].query, terms[i].document));
                CHECK(i == 0 || terms[i].weight <= terms[i - 1].weight);
                sum += (double)terms[i].weight;
            }
            CHECK(fabs(sum - (double)r.hits[1].score) < 1e-5);
            /* sentences of a document match themselves */
            const dpl_query_passage *p;
            CHECK_OK(dpl_query_passages(q, 0, &p, &n, &test_err));
            CHECK_EQ(n, 5);
            for (size_t i = 0; i < n; i++) {
                CHECK(p[i].query_begin == p[i].begin && p[i].query_end == p[i].end);
                CHECK(p[i].score > 0.999f);
            }
            dpl_index_free_text(x, text);
        }
        dpl_query_free(q);
    }
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* Words of the same number of documents, so that all weigh the same. */
DPL_TEST(query, a_word_that_a_sentence_repeats_weighs_as_often)
{
    dpl_ctx *ctx = test_ctx(1);
    static const char json[] =
        "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"River river stone bridge. River cloud "
        "rain wind.\"}\n"
        "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"Stone bridge river. Cloud rain wind "
        "river cloud rain wind river.\"}\n"
        "{\"id\":\"c\",\"lang\":\"en\",\"text\":\"Nothing of this occurs there.\"}\n"
        "{\"id\":\"d\",\"lang\":\"en\",\"text\":\"Nothing of that occurs there.\"}\n";
    build_from(ctx, test_path("r.pocket"), test_write("r.jsonl", json, sizeof json - 1), NULL,
               &with_texts);
    dpl_index *x = open_index(ctx, test_path("r.pocket"));
    dpl_query *q = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    CHECK_OK(dpl_query_new(&q, x, NULL, &test_err));
    CHECK_OK(dpl_query_text(q, DPL_STR("River stone bridge. River cloud rain wind."), &r,
                            &test_err));
    CHECK_EQ(r.n_hits, 2);
    for (size_t i = 0; i < r.n_hits; i++) {
        const dpl_query_passage *p;
        size_t n;
        CHECK_OK(dpl_query_passages(q, i, &p, &n, &test_err));
        CHECK_EQ(n, 2);
        /* (2 1 1) and (1 1 1); each word twice is the same direction as once;
         * a word of another sentence is another word */
        const double first = r.hits[i].row == 0 ? 4 / sqrt(18) : 1;
        CHECK(fabs((double)p[0].score - first) < 1e-5);
        CHECK(fabs((double)p[1].score - 1) < 1e-5);
    }
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(query, a_few_words_find_the_documents_that_have_them)
{
    dpl_ctx *ctx = test_ctx(1);
    static const char json[] =
        "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"the storm flooded the valley and the old "
        "mill\"}\n"
        "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"the bank raised its interest rates again\"}\n"
        "{\"id\":\"c\",\"lang\":\"en\",\"text\":\"a mill by the river grinds corn for the bank "
        "of "
        "the valley\"}\n";
    build_from(ctx, test_path("s.pocket"), test_write("s.jsonl", json, sizeof json - 1), NULL,
               NULL);
    dpl_index *x = open_index(ctx, test_path("s.pocket"));
    dpl_query *q = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    CHECK_OK(dpl_query_new(&q, x, NULL, &test_err));
    CHECK_OK(dpl_query_text(q, DPL_STR("Storm"), &r, &test_err));
    CHECK_EQ(r.n_hits, 1);
    CHECK_STR(dpl_index_document(x, r.hits[0].row).id, "a");
    CHECK_OK(dpl_query_text(q, DPL_STR("mill valley"), &r, &test_err));
    CHECK_EQ(r.n_hits, 2);
    CHECK_EQ(r.method, DPL_QUERY_EXACT);
    CHECK_OK(dpl_query_text(q, DPL_STR("interest rates"), &r, &test_err));
    CHECK_EQ(r.n_hits, 1);
    CHECK_STR(dpl_index_document(x, r.hits[0].row).id, "b");
    CHECK_OK(dpl_query_text(q, DPL_STR("zeppelin"), &r, &test_err));
    CHECK_EQ(r.n_hits, 0);
    CHECK_EQ(r.n_known, 0);
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(query, a_word_of_more_documents_than_16_bits_count_is_found)
{
    enum { DOCS = DPL__MANY_POSTS + 5 };
    const dpl_index_options o = DPL_INIT(dpl_index_options, .sample = 1);
    dpl_ctx *ctx = test_ctx(2);
    char *json = malloc(DOCS * 80), *at = json;
    CHECK(json);
    for (uint32_t i = 0; i < DOCS; i++)
        at += sprintf(at, "{\"id\":\"d%u\",\"lang\":\"en\",\"text\":\"river %s\"}\n", i,
                      i + 2 < DOCS ? "mill" : "storm");
    build_from(ctx, test_path("m.pocket"), test_write("m.jsonl", json, (size_t)(at - json)),
               NULL, &o);
    free(json);
    dpl_index *x = open_index(ctx, test_path("m.pocket"));
    size_t n_river = 0;
    for (uint32_t t = 0; t < x->n_terms; t++)
        n_river += dpl__post_list_get(x, t).n_docs == DOCS;
    CHECK_EQ(n_river, 1);
    dpl_query *q = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    CHECK_OK(dpl_query_new(&q, x, NULL, &test_err));
    CHECK_OK(dpl_query_text(q, DPL_STR("storm river"), &r, &test_err));
    CHECK(r.n_hits >= 2 && r.hits[0].row >= DOCS - 2 && r.hits[1].row >= DOCS - 2);
    CHECK(r.hits[0].score > 0.99f);
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

DPL_TEST(query, a_lexicon_finds_documents_in_another_language)
{
    dpl_ctx *ctx = test_ctx(2);
    static const char json[] =
        "{\"id\":\"en1\",\"lang\":\"en\",\"text\":\"the storm flooded the old mill in the "
        "valley\"}\n"
        "{\"id\":\"en2\",\"lang\":\"en\",\"text\":\"the bank raised interest rates this "
        "summer\"}\n"
        "{\"id\":\"de1\",\"lang\":\"de\",\"text\":\"der Sturm überflutete die alte Mühle im "
        "Tal\"}\n"
        "{\"id\":\"de2\",\"lang\":\"de\",\"text\":\"die Bank erhöhte die Zinsen im Sommer\"}\n";
    static const char words[] =
        "sturm\tstorm\t0.9\nüberflutete\tflooded\t0.8\nalte\told\t0.9\n"
        "mühle\tmill\t0.9\ntal\tvalley\t0.9\nbank\tbank\t0.7\n"
        "zinsen\tinterest\t0.6\nzinsen\trates\t0.4\nsommer\tsummer\t1\n";
    const char *tsv = test_write("l.tsv", words, sizeof words - 1);
    dpl_index_options o = DPL_INIT(dpl_index_options, .lexicons = &tsv, .n_lexicons = 1,
                                   .lexicon_langs = "de,en");
    build_from(ctx, test_path("two.pocket"), test_write("t.jsonl", json, sizeof json - 1), NULL,
               &o);
    dpl_index *x = open_index(ctx, test_path("two.pocket"));
    dpl_query *q = NULL;
    dpl_query_options options = DPL_INIT(dpl_query_options, .lang = "de");
    dpl_query_result r = DPL_INIT(dpl_query_result);
    CHECK_OK(dpl_query_new(&q, x, &options, &test_err));
    CHECK_OK(dpl_query_text(q, DPL_STR("Der Sturm überflutete die alte Mühle im Tal"), &r,
                            &test_err));
    CHECK(r.is_translated);
    CHECK(r.n_hits >= 2);
    CHECK_STR(dpl_index_document(x, r.hits[0].row).id, "de1");
    CHECK_STR(dpl_index_document(x, r.hits[1].row).id, "en1");
    const dpl_query_term *terms;
    size_t n;
    CHECK_OK(dpl_query_terms(q, 1, &terms, &n, &test_err));
    bool has_storm = false;
    for (size_t i = 0; i < n; i++)
        has_storm = has_storm || (dpl__str_eq(terms[i].query, DPL_STR("sturm")) &&
                                  dpl__str_eq(terms[i].document, DPL_STR("storm")));
    CHECK(has_storm);
    /* the other way round, and only in one language */
    options.lang = "en";
    options.only_lang = "de";
    CHECK_OK(dpl__query_set(q, &options, &test_err));
    CHECK_OK(dpl_query_text(q, DPL_STR("interest rates in summer"), &r, &test_err));
    CHECK_EQ(r.n_hits, 1);
    CHECK_STR(dpl_index_document(x, r.hits[0].row).id, "de2");
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* Words of a lexicon that have one stem are one: columns of a row add up, rows become their
 * mean. */
DPL_TEST(index, words_of_a_lexicon_with_one_stem_are_one)
{
    static const char json[] =
        "{\"id\":\"en\",\"lang\":\"en\",\"text\":\"the storm flooded the mill and the "
        "valley\"}\n"
        "{\"id\":\"de\",\"lang\":\"de\",\"text\":\"der Sturm flutete Tal und Mühle\"}\n";
    static const char *const words[] = {
        "sturm\tstorm\t0.5\ntal\tvalley\t0.25\n",
        "sturm\tstorm\t0.25\nsturm\tstorms\t0.25\ntal\tvalley\t0.25\n",
        "sturm\tstorm\t0.5\nsturmes\tstorms\t0.5\ntal\tvalley\t0.25\n",
        "sturm\tstorm\t0.75\nsturmes\tstorm\t0.25\ntal\tvalley\t0.25\n",
    };
    dpl_ctx *ctx = test_ctx(1);
    const char *docs = test_write("t.jsonl", json, sizeof json - 1);
    const dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = true);
    float scores[DPL_LEN(words)];
    for (size_t i = 0; i < DPL_LEN(words); i++) {
        const char *tsv = test_write("l.tsv", words[i], strlen(words[i]));
        const dpl_index_options o =
            DPL_INIT(dpl_index_options, .lexicons = &tsv, .n_lexicons = 1,
                     .lexicon_langs = "de,en", .tokens = &tokens);
        const dpl_query_options de =
            DPL_INIT(dpl_query_options, .lang = "de", .only_lang = "en");
        dpl_query *q = NULL;
        dpl_query_result r = DPL_INIT(dpl_query_result);
        build_from(ctx, test_path("x.pocket"), docs, NULL, &o);
        dpl_index *x = open_index(ctx, test_path("x.pocket"));
        CHECK_OK(dpl_query_new(&q, x, &de, &test_err));
        CHECK_OK(dpl_query_text(q, DPL_STR("Sturm im Tal"), &r, &test_err));
        CHECK_EQ(r.n_hits, 1);
        scores[i] = r.hits[0].score;
        if (fabsf(scores[i] - scores[0]) > 1e-6f)
            dpl__test_fail(__FILE__, __LINE__, "case %zu: %g instead of %g", i,
                           (double)scores[i], (double)scores[0]);
        dpl_query_free(q);
        dpl_index_close(x);
    }
    test_ctx_done(ctx);
}

DPL_TEST(query, words_are_those_of_the_texts_and_terms_are_stems)
{
    static const char docs[] =
        "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"The happiest houses of all cities.\"}\n"
        "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"Rivers and mountains.\"}\n";
    for (int has_texts = 0; has_texts < 2; has_texts++) {
        dpl_ctx *ctx = test_ctx(1);
        const dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = true);
        const dpl_index_options o =
            DPL_INIT(dpl_index_options, .texts = has_texts, .tokens = &tokens);
        build_from(ctx, test_path("a.pocket"), test_write("a.jsonl", docs, sizeof docs - 1),
                   NULL, &o);
        dpl_index *x = open_index(ctx, test_path("a.pocket"));
        dpl_query *q = NULL;
        dpl_query_result r = DPL_INIT(dpl_query_result);
        const dpl_query_term *t;
        size_t n;
        CHECK_OK(dpl_query_new(&q, x, NULL, &test_err));
        CHECK_OK(dpl_query_text(q, DPL_STR("City housing"), &r, &test_err));
        CHECK_EQ(r.n_hits, 1);
        CHECK_OK(dpl_query_terms(q, 0, &t, &n, &test_err));
        CHECK_EQ(n, 2);
        CHECK_STR(t[0].query, "citi");
        CHECK_STR(t[0].document, "citi");
        CHECK_OK(dpl_query_words(q, 0, &t, &n, &test_err));
        CHECK_EQ(n, 2);
        CHECK_STR(t[0].query, "City");
        CHECK_STR(t[0].document, has_texts ? "cities" : "citi");
        CHECK_STR(t[1].query, "housing");
        CHECK_STR(t[1].document, has_texts ? "houses" : "hous");
        dpl_query_free(q);
        dpl_index_close(x);
        test_ctx_done(ctx);
    }
}

DPL_TEST(query, without_vectors_similarities_are_estimates)
{
    dpl_ctx *ctx = test_ctx(2);
    static const dpl_hash_function functions[] = {DPL_HASH_RP, DPL_HASH_FUZZY, DPL_HASH_MINHASH,
                                                  DPL_HASH_SIMHASH};
    char *json = make_docs(0, 200, 60);
    const char *in = test_write("a.jsonl", json, strlen(json));
    for (size_t f = 0; f < DPL_LEN(functions); f++) {
        dpl_hash_options hash = DPL_INIT(dpl_hash_options, .function = functions[f]);
        dpl_index_options o = DPL_INIT(dpl_index_options, .no_vectors = true, .hash = &hash);
        build_from(ctx, test_path("n.pocket"), in, NULL, &o);
        dpl_index *x = open_index(ctx, test_path("n.pocket"));
        dpl_query *q = NULL;
        dpl_query_result r = DPL_INIT(dpl_query_result);
        CHECK_OK(dpl_query_new(&q, x, NULL, &test_err));
        size_t n_found = 0;
        char *line = json;
        for (uint32_t row = 0; row < 200; row++, line = strchr(line, '\n') + 1) {
            char *begin = strstr(line, "\"text\":\"") + 8, *end = strchr(begin, '"');
            CHECK_OK(dpl_query_text(q, (dpl_str){begin, (size_t)(end - begin)}, &r, &test_err));
            for (size_t i = 0; i < r.n_hits; i++) {
                CHECK(!r.hits[i].is_verified);
                n_found += r.hits[i].row == row;
            }
        }
        CHECK_EQ(n_found, 200);
        CHECK_EQ(dpl_query_row(q, 0, &r, &test_err), DPL_E_UNSUPPORTED);
        CHECK_STR(dpl__cstr(test_err.code), "no-vectors");
        dpl_query_free(q);
        dpl_index_close(x);
        const dpl_input more = {.path = in};
        CHECK_EQ(dpl_index_add(NULL, ctx, test_path("n.pocket"), &more, 1, &test_err),
                 DPL_E_UNSUPPORTED);
    }
    free(json);
    test_ctx_done(ctx);
}

/* A code that no document has passes for one that a document has once in 2^c times. */
DPL_TEST(index, foreign_codes_match_by_the_checksum_alone)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *in = write_docs("a.jsonl", 0, 500);
    static const unsigned widths[] = {4, 8, 12};
    for (size_t w = 0; w < DPL_LEN(widths); w++) {
        dpl_index_options o = DPL_INIT(dpl_index_options, .checksum = widths[w]);
        build_from(ctx, test_path("c.pocket"), in, NULL, &o);
        dpl_index *x = open_index(ctx, test_path("c.pocket"));
        const uint64_t n = 1000000;
        uint64_t n_false = 0;
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t key = dpl__mix(i ^ 0x5555555555555555u);
            const uint64_t slot = dpl__mph_get(&x->codes.mph, key);
            n_false +=
                dpl__packed_get(&x->codes.checks, slot) == dpl__key_check(key, widths[w]);
        }
        const double expected = (double)n / (double)(1u << widths[w]);
        CHECK(fabs((double)n_false - expected) < 5 * sqrt(expected));
        dpl_index_close(x);
    }
    test_ctx_done(ctx);
}

/* ---- damage ------------------------------------------------------------------------- */

/* Opens the bytes, and if that works, asks. */
static void try_bytes(dpl_ctx *ctx, const void *bytes, size_t n)
{
    dpl_index *x = NULL;
    dpl_query *q = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    if (dpl_index_open_memory(&x, ctx, bytes, n, NULL) != DPL_OK)
        return;
    CHECK_OK(dpl_query_new(&q, x, NULL, &test_err));
    for (unsigned method = 0; method < 3; method++) {
        dpl_query_options o = DPL_INIT(dpl_query_options, .method = (dpl_query_method)method);
        if (dpl__query_set(q, &o, NULL) != DPL_OK)
            continue;
        CHECK_OK(dpl_query_text(q, DPL_STR("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12. w13"), &r,
                                &test_err));
        for (size_t i = 0; i < r.n_hits; i++) {
            const dpl_query_term *terms;
            const dpl_query_passage *p;
            size_t k;
            CHECK_OK(dpl_query_terms(q, i, &terms, &k, &test_err));
            (void)dpl_query_passages(q, i, &p, &k, NULL);
        }
    }
    dpl_query_free(q);
    dpl_index_close(x);
}

/* The right checksums for whatever the sections hold. */
static void repair(dpl_ctx *ctx, uint8_t *p, size_t n)
{
    const uint64_t table = dpl__load64(p + 40), n_sections = dpl__load32(p + 12);
    if (table > n || n - table != n_sections * DPL__CONTAINER_ENTRY)
        return;
    for (uint64_t i = 0; i < n_sections; i++) {
        uint8_t *e = p + table + i * DPL__CONTAINER_ENTRY;
        const uint64_t offset = dpl__load64(e + 32), bytes = dpl__load64(e + 40);
        const uint32_t crc = offset <= table && bytes <= table - offset
                                 ? ctx->kernels->crc32c(0, p + offset, (size_t)bytes)
                                 : 0;
        memcpy(e + 56, &crc, 4);
    }
    uint32_t crc = ctx->kernels->crc32c(0, p + table, n - (size_t)table);
    memcpy(p + 56, &crc, 4);
    crc = ctx->kernels->crc32c(0, p, 60);
    memcpy(p + 60, &crc, 4);
}

DPL_TEST(index, cut_or_flipped_anywhere_does_not_crash)
{
    dpl_ctx *ctx = test_ctx(1);
    char *json = make_docs(0, 20, 30);
    const char *in = test_write("a.jsonl", json, strlen(json));
    free(json);
    build_from(ctx, test_path("a.pocket"), in, NULL, &with_texts);
    size_t n;
    char *file = test_read(test_path("a.pocket"), &n);
    uint8_t *bytes = aligned_alloc(64, (n + 63) / 64 * 64);
    dpl__rng rng = {1};
    for (size_t cut = 0; cut < n; cut += 1 + n / 300) {
        memcpy(bytes, file, n);
        try_bytes(ctx, bytes, cut);
    }
    for (int round = 0; round < 1500; round++) {
        memcpy(bytes, file, n);
        for (int i = 0; i < 1 + round % 3; i++)
            bytes[dpl__rng_below(&rng, n)] ^= (uint8_t)(1u << dpl__rng_below(&rng, 8));
        if (round % 4)
            repair(ctx, bytes, n);
        try_bytes(ctx, bytes, n);
    }
    free(bytes);
    free(file);
    test_ctx_done(ctx);
}

/* The pocket with every byte of a section changed by a function of its place. */
static const char *forge_bytes(dpl_ctx *ctx, const char *path, const char *section,
                               uint8_t (*byte_at)(const uint8_t *data, size_t i))
{
    dpl_file *f = NULL;
    dpl_section s;
    CHECK_OK(dpl_file_open(&f, ctx, path, &test_err));
    CHECK(dpl_file_find(f, section, &s));
    uint8_t *data = malloc(s.n_bytes);
    for (size_t i = 0; i < s.n_bytes; i++)
        data[i] = byte_at(s.data, i);
    const char *out = test_forge(ctx, path, section, data, s.n_bytes);
    free(data);
    dpl_file_close(f);
    return out;
}

static uint8_t large_number(const uint8_t *data, size_t i)
{
    (void)data;
    return i % 5 == 4 ? 0x0F : 0xFF;
}

DPL_TEST(query, numbers_of_documents_beyond_the_postings_take_no_memory)
{
    dpl_ctx *ctx = test_ctx(1);
    build_from(ctx, test_path("a.pocket"), write_docs("a.jsonl", 0, 40), NULL, &with_texts);
    const char *path = forge_bytes(ctx, test_path("a.pocket"), "post.bytes", large_number);
    const uint64_t before = dpl_ctx_peak(ctx);
    dpl_index *x = open_index(ctx, path);
    dpl_query *q = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    CHECK_OK(dpl_query_new(&q, x, NULL, &test_err));
    CHECK_OK(dpl_query_text(q, DPL_STR("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12. w13"), &r,
                            &test_err));
    CHECK(dpl_ctx_peak(ctx) < before + (4 << 20));
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* Lengths of texts, and how much longer they may be than their bytes. */
static uint8_t longer_text(const uint8_t *data, size_t i)
{
    return i == 2 && data[0] > 127 && data[1] < 128 ? 0x40 : data[i] | (i < 2 ? 0x80 : 0);
}

/* Bytes of a web page may begin anywhere; where that is no multiple of 64 they are copied. */
DPL_TEST(index, in_memory_works_at_any_address)
{
    dpl_ctx *ctx = test_ctx(1);
    build_from(ctx, test_path("m.pocket"), write_docs("m.jsonl", 0, 40), NULL, &with_texts);
    size_t n;
    char *file = test_read(test_path("m.pocket"), &n), *room = malloc(n + 200);
    for (size_t at = 0; at < 3; at++) {
        char *bytes = room + (64 - (uintptr_t)room % 64) % 64 + (at == 2 ? 63 : at);
        memcpy(bytes, file, n);
        dpl_index *x = NULL;
        dpl_str text = {0};
        CHECK_OK(dpl_index_open_memory(&x, ctx, bytes, n, &test_err));
        if (at)
            memset(bytes, 0, n); /* a copy was made */
        CHECK_STR(dpl_index_document(x, 39).id, "d39");
        CHECK_OK(dpl_index_text(x, 39, &text, &test_err));
        CHECK(text.n > 100);
        dpl_index_free_text(x, text);
        dpl_index_close(x);
        memcpy(bytes, file, n / 2);
        memset(bytes + n / 2, 0, n - n / 2);
        x = NULL;
        CHECK(dpl_index_open_memory(&x, ctx, bytes, n, &test_err) != DPL_OK);
        CHECK(!x);
    }
    free(room);
    free(file);
    test_ctx_done(ctx);
}

DPL_TEST(index, lengths_of_texts_beyond_their_bytes_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_str text;
    build_from(ctx, test_path("a.pocket"), write_docs("a.jsonl", 0, 3), NULL, &with_texts);
    const uint64_t before = dpl_ctx_peak(ctx);
    dpl_index *x =
        open_index(ctx, forge_bytes(ctx, test_path("a.pocket"), "text.bytes", longer_text));
    CHECK_EQ(dpl_index_text(x, 0, &text, &test_err), DPL_E_FORMAT);
    CHECK(dpl_ctx_peak(ctx) < before + (1 << 19));
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* A frame of a few bytes would stand for any number of them. */
DPL_TEST(index, texts_that_repeat_one_line_come_back)
{
    enum { N = 3 << 20 };
    dpl_ctx *ctx = test_ctx(1);
    char *line = malloc(N + 100), *at = line + sprintf(line, "{\"id\":\"a\",\"text\":\"");
    memset(at, 'a', N);
    for (size_t i = 39; i < N; i += 40)
        at[i] = ' ';
    const size_t n = (size_t)(at - line) + N;
    memcpy(line + n, "\"}\n", 4);
    build_from(ctx, test_path("a.pocket"), test_write("a.jsonl", line, n + 3), NULL,
               &with_texts);
    dpl_index *x = open_index(ctx, test_path("a.pocket"));
    dpl_str text;
    CHECK_OK(dpl_index_text(x, 0, &text, &test_err));
    CHECK(text.n >= N - 1 && memcmp(text.data, at, N - 1) == 0);
    dpl_index_free_text(x, text);
    dpl_index_close(x);
    free(line);
    test_ctx_done(ctx);
}

/* A bit of a text that is flipped is an error of that text, and of no other one. */
DPL_TEST(index, every_text_has_a_checksum)
{
    enum { N_DOCS = 6 };
    for (int is_plain = 0; is_plain < 2; is_plain++) {
        dpl_ctx *ctx = test_ctx(1);
        const dpl_index_options o =
            DPL_INIT(dpl_index_options, .texts = true, .plain_texts = is_plain);
        build_from(ctx, test_path("a.pocket"), write_docs("a.jsonl", 0, N_DOCS), NULL, &o);
        size_t n, n_wrong = 0;
        char *file = test_read(test_path("a.pocket"), &n);
        dpl_index *x = open_index(ctx, test_path("a.pocket"));
        dpl_file *f = NULL;
        dpl_section s;
        dpl_str want[N_DOCS], text;
        for (uint32_t row = 0; row < N_DOCS; row++)
            CHECK_OK(dpl_index_text(x, row, &want[row], &test_err));
        CHECK_OK(dpl_file_open(&f, ctx, test_path("a.pocket"), &test_err));
        CHECK(dpl_file_find(f, "text.bytes", &s));
        char *bytes = NULL; /* where the section is */
        for (size_t k = 0; !bytes && k + s.n_bytes <= n; k += 64)
            bytes = memcmp(file + k, s.data, s.n_bytes) == 0 ? file + k : NULL;
        for (size_t at = 0; at < s.n_bytes; at += 3) {
            bytes[at] ^= (char)(1 << at % 8);
            dpl_index *y = open_index(ctx, test_write("bad.pocket", file, n));
            size_t n_bad = 0;
            for (uint32_t row = 0; row < N_DOCS; row++) {
                const dpl_status status = dpl_index_text(y, row, &text, &test_err);
                CHECK(status == DPL_OK || status == DPL_E_FORMAT);
                CHECK(status != DPL_OK || dpl__str_eq(text, want[row]));
                n_bad += status != DPL_OK;
                dpl_index_free_text(y, text);
            }
            CHECK(n_bad <= 1);
            n_wrong += n_bad;
            dpl_index_close(y);
            bytes[at] ^= (char)(1 << at % 8);
        }
        CHECK(n_wrong > 100);
        for (uint32_t row = 0; row < N_DOCS; row++)
            dpl_index_free_text(x, want[row]);
        dpl_index_close(x);
        dpl_file_close(f);
        free(file);
        test_ctx_done(ctx);
    }
}

static dpl_status ask_once(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_index *x = NULL;
    dpl_query *q = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    dpl_status status = dpl_index_open(&x, ctx, user, err);
    if (status == DPL_OK)
        status = dpl_query_new(&q, x, NULL, err);
    if (status == DPL_OK)
        status =
            dpl_query_text(q, DPL_STR("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12. w13"), &r, err);
    const dpl_query_passage *p;
    size_t n;
    if (status == DPL_OK && r.n_hits)
        status = dpl_query_passages(q, 0, &p, &n, err);
    dpl_query_free(q);
    dpl_index_close(x);
    return status;
}

DPL_TEST(query, survives_every_failing_allocation)
{
    dpl_ctx *ctx = test_ctx(1);
    static char path[500];
    snprintf(path, sizeof path, "%s", test_path("a.pocket"));
    build_from(ctx, path, write_docs("a.jsonl", 0, 30), NULL, &with_texts);
    test_ctx_done(ctx);
    test_allocation_failures(ask_once, path);
}

static dpl_status build_once(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl_input input = {.path = user};
    return dpl_index_build(NULL, ctx, test_path("f.pocket"), &input, 1, &with_texts, err);
}

DPL_TEST(index, survives_every_failing_allocation)
{
    static char path[500];
    char *json = make_docs(0, 12, 20);
    snprintf(path, sizeof path, "%s", test_write("a.jsonl", json, strlen(json)));
    free(json);
    test_allocation_failures(build_once, path);
}
