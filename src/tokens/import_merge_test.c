#include "doppel/tokens.h"

#include "base/ctx.h"
#include "readers/skips.h"
#include "test.h"
#include "tokens/collection.h"
#include "tokens/doc_parts.h"
#include "tokens/importer.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- inputs -------------------------------------------------------------------------------
 */

enum { MOST_PARTS = 5 };

/* Pages of a wiki, every third one a redirect, in a language of which some sentences are told.
 */
static const char *write_wiki(const char *name, const char *prefix, size_t n)
{
    static char text[1 << 18];
    size_t at = (size_t)sprintf(text, "<mediawiki version=\"0.11\">\n");
    for (size_t i = 0; i < n; i++) {
        at += (size_t)sprintf(text + at, "<page><title>%s %zu</title><ns>0</ns><id>%zu</id>",
                              prefix, i, i);
        if (i % 3 == 1)
            at += (size_t)sprintf(text + at, "<redirect title=\"%s %zu\"/>", prefix, i - 1);
        at += (size_t)sprintf(text + at,
                              "<revision><id>1</id><text>Page %zu of the canal was built in "
                              "the year %zu by people. %s was there, too.</text></revision>"
                              "</page>\n",
                              i, 1700 + i % 7, prefix);
    }
    at += (size_t)sprintf(text + at, "</mediawiki>\n");
    return test_write(name, text, at);
}

static const char *write_lines(const char *name, const char *prefix, size_t n)
{
    static char text[1 << 16];
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(text + at,
                              "{\"id\":\"%s%zu\",\"text\":\"The houses of page %zu were built "
                              "by many people.\"}\n",
                              prefix, i, i % 5);
    return test_write(name, text, at);
}

/* ---- parts by hand ------------------------------------------------------------------------
 */

static bool is_same_file(const char *a, const char *b)
{
    size_t n_a, n_b;
    char *x = test_read(a, &n_a), *y = test_read(b, &n_b);
    const bool is_same = n_a == n_b && memcmp(x, y, n_a) == 0;
    free(x);
    free(y);
    return is_same;
}

static void merge_parts(dpl_ctx *ctx, const char *out, const dpl_input *in, size_t n,
                        uint32_t n_parts, const dpl_import_options *o)
{
    const char *paths[MOST_PARTS];
    dpl_parts *parts = NULL;
    dpl_part_summary merged = DPL_INIT(dpl_part_summary);
    uint64_t n_docs = 0;
    for (uint32_t i = 0; i < n_parts; i++) {
        const dpl_part part = {i, n_parts};
        dpl_part_summary made = DPL_INIT(dpl_part_summary);
        char name[20];
        snprintf(name, sizeof name, "part.%u", i);
        paths[i] = test_path(name);
        remove(paths[i]);
        CHECK_OK(dpl_import_part(&made, ctx, paths[i], in, n, &part, o, &test_err));
        CHECK(!made.is_kept);
        n_docs += made.n_items;
    }
    CHECK_OK(dpl_parts_open(&parts, ctx, paths, n_parts, &test_err));
    CHECK_OK(dpl_import_merge(&merged, parts, out, o, &test_err));
    CHECK_EQ(merged.n_items, n_docs);
    size_t n_bytes;
    free(test_read(out, &n_bytes));
    CHECK_EQ(merged.n_output_bytes, n_bytes);
    dpl_parts_close(parts);
}

/* Redirects, too, which stand between the documents of their chunk. */
DPL_TEST(import_merge, parts_of_a_wiki_keep_its_redirects)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_input in[] = {{.path = write_wiki("a.xml", "Lock", 40)},
                            {.path = write_wiki("b.xml", "Bridge", 30)}};
    for (size_t chunk = 300; chunk < 5000; chunk *= 3)
        for (size_t n = 1; n <= DPL_LEN(in); n++) {
            const dpl_reader_options read =
                DPL_INIT(dpl_reader_options, .chunk = chunk, .on_error = DPL_ON_ERROR_SKIP);
            const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
            const char *one = test_path("one.dpl"), *merged = test_path("merged.dpl");
            CHECK_OK(dpl_import_inputs(NULL, ctx, one, in, n, &o, &test_err));
            for (uint32_t n_parts = 1; n_parts <= MOST_PARTS; n_parts++) {
                merge_parts(ctx, merged, in, n, n_parts, &o);
                CHECK(is_same_file(one, merged));
            }
            dpl_collection *c = NULL;
            CHECK_OK(dpl_collection_open(&c, ctx, one, &test_err));
            const dpl_str aliases = dpl__collection_aliases(c);
            CHECK(aliases.n > 10 && memchr(aliases.data, '\t', aliases.n));
            dpl_collection_close(c);
        }
    test_ctx_done(ctx);
}

static dpl_part_summary make_part(dpl_ctx *ctx, const char *path, const dpl_input *in, size_t n,
                                  dpl_part part, const dpl_import_options *o)
{
    dpl_part_summary made = DPL_INIT(dpl_part_summary);
    CHECK_OK(dpl_import_part(&made, ctx, path, in, n, &part, o, &test_err));
    return made;
}

/* What is there is kept only if it is this part of the same inputs and options. */
DPL_TEST(import_merge, a_part_that_is_there_is_kept_if_nothing_changed)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("part.dpl"), *a = write_lines("a.jsonl", "a", 9);
    dpl_input in[2] = {{.path = a}, {.path = a}};
    const dpl_tokens_options stem = DPL_INIT(dpl_tokens_options, .stem = true);
    const dpl_import_options o = DPL_INIT(dpl_import_options),
                             other = DPL_INIT(dpl_import_options, .tokens = &stem);
    const dpl_part first = {0, 3}, second = {1, 3}, of_four = {0, 4};
    const uint64_t n = make_part(ctx, path, in, 1, first, &o).n_output_bytes;
    CHECK(n > 0);
    CHECK(make_part(ctx, path, in, 1, first, &o).is_kept);
    CHECK_EQ(make_part(ctx, path, in, 1, first, &o).n_output_bytes, n);
    CHECK(!make_part(ctx, path, in, 1, first, &other).is_kept);
    CHECK(make_part(ctx, path, in, 1, first, &other).is_kept);
    CHECK(!make_part(ctx, path, in, 1, second, &other).is_kept);
    CHECK(!make_part(ctx, path, in, 1, of_four, &other).is_kept);
    CHECK(make_part(ctx, path, in, 1, of_four, &other).is_kept);
    in[0] = (dpl_input){.path = write_lines("b.jsonl", "b", 9)};
    CHECK(!make_part(ctx, path, in, 1, of_four, &other).is_kept);
    const dpl_input buffers[] = {
        {.buffer = DPL_STR("{\"id\":1,\"text\":\"x\"}\n"), .name = "x.jsonl"},
        {.buffer = DPL_STR("{\"id\":1,\"text\":\"y\"}\n"), .name = "x.jsonl"}};
    CHECK(!make_part(ctx, path, &buffers[0], 1, of_four, &other).is_kept);
    CHECK(make_part(ctx, path, &buffers[0], 1, of_four, &other).is_kept);
    CHECK(!make_part(ctx, path, &buffers[1], 1, of_four, &other).is_kept);
    test_ctx_done(ctx);
}

DPL_TEST(import_merge, a_part_of_as_many_inputs_reads_only_its_own)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("part.dpl");
    const dpl_input in[] = {{.path = test_path("missing.jsonl")},
                            {.path = write_lines("a.jsonl", "a", 9)}};
    CHECK_EQ(make_part(ctx, path, in, 2, (dpl_part){1, 2}, NULL).n_items, 9);
    CHECK(!make_part(ctx, path, in, 2, (dpl_part){1, 2}, NULL).is_kept); /* cannot be told */
    CHECK_EQ(dpl_import_part(NULL, ctx, path, in, 2, &(dpl_part){0, 2}, NULL, &test_err),
             DPL_E_IO);
    CHECK_EQ(dpl_import_part(NULL, ctx, path, in, 2, &(dpl_part){1, 3}, NULL, &test_err),
             DPL_E_IO);
    test_ctx_done(ctx);
}

/* ---- parts that processes share ------------------------------------------------------------
 */

/* One process of three, which does the work of all. */
static dpl_shared_run *begin_shared(dpl_ctx *ctx, const char *name)
{
    dpl_shared_run *run = NULL;
    CHECK_OK(
        dpl_shared_run_open(&run, ctx, test_path(name), &(dpl_part){0, 3}, "x", &test_err));
    return run;
}

/* A summary with room for everything. */
typedef struct results {
    dpl_read_counts read;
    dpl_collection_sizes sizes;
    dpl_import_summary summary;
} results;

static void init_results(results *r)
{
    *r = (results){.read = DPL_INIT(dpl_read_counts), .sizes = DPL_INIT(dpl_collection_sizes)};
    r->summary =
        (dpl_import_summary)DPL_INIT(dpl_import_summary, .read = &r->read, .sizes = &r->sizes);
}

static void check_same_counts(const results *a, const results *b)
{
    CHECK(memcmp(&a->read, &b->read, sizeof a->read) == 0);
    CHECK_EQ(a->sizes.n_docs, b->sizes.n_docs);
    CHECK_EQ(a->sizes.n_tokens, b->sizes.n_tokens);
    CHECK_EQ(a->sizes.n_terms, b->sizes.n_terms);
}

DPL_TEST(import_merge, an_import_by_processes_has_the_bytes_and_counts_of_one)
{
    for (size_t n = 1; n <= 4; n++) {
        dpl_ctx *ctx = test_ctx(2);
        const dpl_input in[] = {{.path = write_lines("a.jsonl", "a", 70)},
                                {.path = write_lines("b.jsonl", "b", 50)},
                                {.path = write_wiki("c.xml", "Lock", 20)},
                                {.path = write_lines("d.jsonl", "d", 30)}};
        const dpl_reader_options read =
            DPL_INIT(dpl_reader_options, .chunk = 700, .on_error = DPL_ON_ERROR_REPLACE);
        const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
        const char *one = test_path("one.dpl"), *shared = test_path("shared.dpl");
        results alone, parts;
        init_results(&alone);
        init_results(&parts);
        CHECK_OK(dpl_import_inputs(&alone.summary, ctx, one, in, n, &o, &test_err));
        dpl_shared_run *run = begin_shared(ctx, "run");
        CHECK_OK(dpl_import_inputs(&parts.summary, ctx, shared, in, n, &o, &test_err));
        CHECK(is_same_file(one, shared));
        check_same_counts(&alone, &parts);
        CHECK(alone.read.n_identified > 0);
        dpl_shared_run_close(run);
        test_ctx_done(ctx);
    }
}

/* ---- documents that stay in their parts -----------------------------------------------------
 */

/* In the order of the inputs, with the tokens of one import, whose parts are three: chunks in
 * turn, or one input or two each. */
static void check_doc_parts(const dpl_input *in, size_t n, size_t chunk)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .chunk = chunk, .on_error = DPL_ON_ERROR_REPLACE);
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    results alone, parts;
    init_results(&alone);
    init_results(&parts);
    dpl_collection *c = NULL;
    dpl__doc_parts d = {0};
    CHECK_OK(dpl_collection_from_inputs(&c, &alone.summary, ctx, in, n, &o, &test_err));
    dpl_shared_run *run = begin_shared(ctx, "run");
    const dpl__importer im = {.ctx = ctx, .inputs = in, .n_inputs = n};
    CHECK_OK(dpl__import_parts(&d, &parts.summary, &im, &o, &test_err));
    CHECK_EQ(d.n_docs, alone.sizes.n_docs);
    CHECK(memcmp(&alone.read, &parts.read, sizeof alone.read) == 0);
    for (uint32_t i = 0; i < d.n_docs; i++) {
        const dpl_doc a = dpl_collection_doc(c, i), b = dpl__doc_parts_doc(&d, i);
        CHECK(dpl__str_eq(a.id, b.id) && dpl__str_eq(a.text, b.text));
        size_t n_a, n_b;
        const uint32_t *x = dpl_collection_tokens(c, i, &n_a),
                       *y = dpl__doc_parts_tokens(&d, i, &n_b);
        CHECK_EQ(n_a, n_b);
        for (size_t k = 0; k < n_a; k++)
            CHECK(dpl__str_eq(dpl_collection_term(c, x[k]),
                              dpl_collection_term(d.all[dpl__doc_part(&d, i)], y[k])));
    }
    dpl__doc_parts_clear(&d);
    dpl_collection_close(c);
    dpl_shared_run_close(run);
    test_ctx_done(ctx);
}

DPL_TEST(import_merge, documents_of_parts_are_in_the_order_of_one_import)
{
    const dpl_input in[] = {{.path = write_lines("a.jsonl", "a", 20)},
                            {.path = write_lines("b.jsonl", "b", 31)},
                            {.path = write_lines("c.jsonl", "c", 1)},
                            {.path = write_lines("d.jsonl", "d", 47)}};
    for (size_t n = 1; n <= DPL_LEN(in); n++)
        for (size_t chunk = 200; chunk < 10000; chunk *= 6)
            check_doc_parts(in, n, chunk);
}

/* Faulty lines, empty documents, pages of a wiki and a file in another encoding, of which each
 * part has some. */
DPL_TEST(import_merge, what_parts_leave_out_is_counted_and_listed)
{
    static const char english[] = "The keeper opens the gates of the lock.\n";
    char utf16[2 * sizeof english] = "";
    for (size_t i = 0; english[i]; i++)
        utf16[2 * i] = english[i];
    static const char faulty[] = "{\"id\":\"x\",\"text\":\"A house.\"}\nno\n"
                                 "{\"id\":\"y\",\"text\":\" \"}\n{\"id\":\"z\"}\n";
    const dpl_input in[] = {{.path = test_write("a.jsonl", faulty, sizeof faulty - 1)},
                            {.path = write_wiki("b.xml", "Lock", 9)},
                            {.path = test_write("c.txt", utf16, 2 * (sizeof english - 1))},
                            {.path = write_lines("d.jsonl", "d", 5)}};
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .chunk = 200, .on_error = DPL_ON_ERROR_SKIP);
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    dpl_ctx *ctx = test_ctx(2);
    results alone, parts;
    struct dpl_skip_list listed[2] = {{.ctx = ctx}, {.ctx = ctx}};
    init_results(&alone);
    init_results(&parts);
    alone.summary.skipped = &listed[0];
    parts.summary.skipped = &listed[1];
    dpl__doc_parts d = {0};
    CHECK_OK(
        dpl_import_inputs(&alone.summary, ctx, test_path("one.dpl"), in, 4, &o, &test_err));
    dpl_shared_run *run = begin_shared(ctx, "run");
    const dpl__importer im = {.ctx = ctx, .inputs = in, .n_inputs = 4};
    CHECK_OK(dpl__import_parts(&d, &parts.summary, &im, &o, &test_err));
    CHECK(memcmp(&alone.read, &parts.read, sizeof alone.read) == 0);
    CHECK_EQ(parts.read.n_dropped[DPL_DROP_EMPTY], 1);
    CHECK_EQ(parts.read.n_dropped[DPL_DROP_MALFORMED], 1);
    uint64_t n_converted = 0;
    for (size_t i = 0; i < DPL_MOST_ENCODINGS; i++)
        n_converted += parts.read.n_converted[i];
    CHECK_EQ(n_converted, 1);
    CHECK(listed[0].records.n >= 3 && listed[1].records.n == listed[0].records.n);
    for (size_t i = 0; i < listed[0].records.n; i++) {
        const dpl__skip *a = &listed[0].records.data[i], *b = &listed[1].records.data[i];
        CHECK(a->input == b->input && a->line == b->line && a->reason == b->reason);
        CHECK(strcmp(a->file, b->file) == 0 && strcmp(a->text, b->text) == 0);
    }
    for (int i = 0; i < DPL_N_DROPS; i++)
        CHECK_EQ(dpl_skip_list_count(&listed[1], (dpl_drop)i), parts.read.n_dropped[i]);
    dpl__doc_parts_clear(&d);
    /* of a part of every input one process must say what was left out */
    CHECK_EQ(dpl__import_parts(&d, &parts.summary,
                               &(dpl__importer){.ctx = ctx, .inputs = in, .n_inputs = 2}, &o,
                               &test_err),
             DPL_END);
    CHECK_EQ(listed[1].records.n, 0);
    for (int i = 0; i < 2; i++)
        dpl__skips_clear(&listed[i]);
    dpl_shared_run_close(run);
    test_ctx_done(ctx);
}

/* An import by one process says which, and what was left out. */
DPL_TEST(import_merge, an_id_that_is_there_twice_or_nothing_at_all_is_left_to_one_process)
{
    const dpl_input in[] = {{.path = write_lines("a.jsonl", "a", 20)},
                            {.path = write_lines("b.jsonl", "a", 31)},
                            {.path = test_write("c.jsonl", "", 0)}};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < 2; i++) {
        results r;
        init_results(&r);
        dpl__doc_parts d = {0};
        dpl_shared_run *run = begin_shared(ctx, i ? "empty" : "twice");
        const dpl__importer im = {.ctx = ctx, .inputs = i ? &in[2] : in, .n_inputs = i ? 1 : 2};
        const dpl_reader_options read = DPL_INIT(dpl_reader_options, .chunk = 300);
        const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
        CHECK_EQ(dpl__import_parts(&d, &r.summary, &im, &o, &test_err), DPL_END);
        CHECK(!d.all && !d.places && d.n_docs == 0);
        dpl_shared_run_close(run);
    }
    test_ctx_done(ctx);
}

DPL_TEST(import_merge, one_collection_is_its_own_part)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_input in = {.path = write_lines("a.jsonl", "a", 5)};
    dpl_collection *c = NULL;
    dpl__doc_parts d;
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    CHECK_OK(dpl__doc_parts_of_one(&d, ctx, c, &test_err));
    CHECK_EQ(d.n, 1);
    CHECK_EQ(d.n_docs, 5);
    CHECK(dpl__doc_part(&d, 4) == 0 && dpl__doc_number(&d, 4) == 4);
    CHECK_STR(dpl__doc_parts_doc(&d, 3).id, "a3");
    dpl__doc_parts_clear(&d);
    dpl__doc_parts_clear(&d);
    dpl_collection_close(c); /* it was borrowed */
    test_ctx_done(ctx);
}
