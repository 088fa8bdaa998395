/* Kept documents as they are written: the bytes of the input, or JSON. */
#include "dedup/kept.h"

#include "doppel/file.h"

#include "base/ctx.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* Runs over the inputs, in a folder of its own; of the same documents the first is kept. */
static dpl_dedup_result *run(dpl_ctx *ctx, const dpl_input *in, size_t n,
                             const dpl_reader_options *read, dpl_dedup_compress compress)
{
    const dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .read = read,
                                         .select = DPL_KEEP_FIRST, .compress = compress);
    dpl_dedup_result *r = NULL;
    CHECK_OK(dpl_dedup(&r, ctx, test_path("out"), in, n, &o, &test_err));
    return r;
}

static void check_kept(dpl_ctx *ctx, const char *name, const char *text,
                       const dpl_reader_options *read, const char *expected)
{
    const dpl_input in = {.buffer = {text, strlen(text)}, .name = name};
    dpl_dedup_result *r = run(ctx, &in, 1, read, DPL_COMPRESS_NONE);
    char *found = test_read(dpl_dedup_get_summary(r)->kept_path, NULL);
    CHECK_STR(dpl__cstr(found), expected);
    free(found);
    dpl_dedup_result_free(r);
}

/* ---- lines ------------------------------------------------------------------------- */

DPL_TEST(kept, lines_are_copied_with_their_ends_and_the_last_one_gets_one)
{
    dpl_ctx *ctx = test_ctx(1);
    static const char json[] = "\n{\"id\":\"1\",\"text\":\"one two\"}\r\n"
                               " \t\r\n"
                               "{\"id\":\"2\", \"text\":\"One two!\"}\n"
                               "\n\n"
                               " {\"id\":\"3\",\"text\":\"three\", \"x\":[1]} \n"
                               "{\"id\":\"4\",\"text\":\"three four\"}";
    check_kept(ctx, "a.jsonl", json, NULL,
               "{\"id\":\"1\",\"text\":\"one two\"}\r\n"
               " {\"id\":\"3\",\"text\":\"three\", \"x\":[1]} \n"
               "{\"id\":\"4\",\"text\":\"three four\"}\n");
    check_kept(ctx, "a.tsv", "1\tone two\n2\tone two\r\n3\tfour\r\n4\tfive", NULL,
               "1\tone two\n3\tfour\r\n4\tfive\n");
    const dpl_reader_options docenc = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_DOCENC);
    check_kept(ctx, "a.b64", "b25lIHR3bw==\nb25lIHR3bw==\nZm91cg==", &docenc,
               "b25lIHR3bw==\nZm91cg==\n");
    check_kept(ctx, "a.jsonl", "", NULL, "");
    check_kept(ctx, "a.jsonl", "\n \n", NULL, "");
    test_ctx_done(ctx);
}

/* Lines that are no document, or one of an id that was there, are told by ids. */
DPL_TEST(kept, lines_that_were_left_out_when_they_were_read_are_left_out)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_reader_options skip = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    check_kept(ctx, "a.jsonl",
               "nothing\n"
               "{\"id\":\"1\",\"text\":\"one two\"}\n"
               "{\"id\":\"2\",\"text\":\n"
               "{\"id\":\"3\",\"text\":\"one two\"}\n"
               "\n"
               "{\"id\":\"4\"}\n"
               "{\"id\":\"5\",\"text\":\"five\"} \r\n"
               "{\"id\":\"6\",\"text\":\"six\"}",
               &skip,
               "{\"id\":\"1\",\"text\":\"one two\"}\n"
               "{\"id\":\"5\",\"text\":\"five\"} \r\n"
               "{\"id\":\"6\",\"text\":\"six\"}\n");
    test_ctx_done(ctx);
}

/* ---- JSON -------------------------------------------------------------------------- */

DPL_TEST(kept, documents_of_other_formats_become_lines_of_json)
{
    static const struct {
        dpl_doc doc;
        const char *id, *expected;
    } cases[] = {
        {{.text = {"a", 1}}, "1", "{\"id\": \"1\", \"text\": \"a\"}\n"},
        {{.text = {"a\n\"b\"\\", 6}, .lang = {"en", 2}},
         "x\ty",
         "{\"id\": \"x\\ty\", \"lang\": \"en\", \"text\": \"a\\n\\\"b\\\"\\\\\"}\n"},
        {{.title = {"T", 1}, .extra = {"{}", 2}},
         "1",
         "{\"id\": \"1\", \"title\": \"T\", \"text\": \"\"}\n"},
        {{.text = {"a", 1}, .extra = {"{\"n\":1}", 7}},
         "1",
         "{\"id\": \"1\", \"text\": \"a\", \"n\":1}\n"},
    };
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes out = {0};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        out.n = 0;
        CHECK(dpl__kept_json(&out, ctx, &cases[i].doc, dpl__cstr(cases[i].id), NULL));
        CHECK_STR(((dpl_str){out.data, out.n}), cases[i].expected);
    }
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .id_key = "key", .text_key = "body", .lang_key = "",
                 .title_key = "name");
    const dpl_doc doc = {.text = {"a", 1}, .lang = {"en", 2}, .title = {"T", 1}};
    CHECK(dpl__kept_json(&out, ctx, &doc, DPL_STR("2"), &read)); /* behind the last line */
    out.data[out.n - 1] = '\0';
    CHECK(strstr(out.data, "\n{\"key\": \"2\", \"lang\": \"en\", \"name\": \"T\", "
                           "\"body\": \"a\"}"));
    dpl__vec_clear(ctx, &out);
    check_kept(ctx, "a.csv", "id,text\n1,one two\n2,\"One two.\"\n3,\"t \"\"3\"\"\"\n", NULL,
               "{\"id\": \"1\", \"lang\": \"und\", \"text\": \"one two\"}\n"
               "{\"id\": \"3\", \"lang\": \"und\", \"text\": \"t \\\"3\\\"\"}\n");
    test_ctx_done(ctx);
}

/* ---- names
 * ----------------------------------------------------------------------------------- */

DPL_TEST(kept, files_of_several_inputs_have_names_of_their_own)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_input in[] = {
        {.buffer = {"{\"id\":\"1\",\"text\":\"a b\"}\n", 23}, .name = "x/a.jsonl"},
        {.buffer = {"{\"id\":\"1\",\"text\":\"c\"}\n", 21}, .name = "y/a.jsonl"},
        {.buffer = {"1\td\n2\ta b\n", 10}, .name = "b.tsv"},
        {.buffer = {"id,text\n1,e\n", 12}, .name = "y/c.csv"},
        {.buffer = {"{\"id\":\"1\",\"text\":\"a b\"}\n", 23}, .name = "none.jsonl"}};
    static const struct {
        const char *name, *text;
    } expected[] = {
        {"out/kept/a.jsonl", "{\"id\":\"1\",\"text\":\"a b\"}\n"},
        {"out/kept/2-a.jsonl", "{\"id\":\"1\",\"text\":\"c\"}\n"},
        {"out/kept/b.tsv", "1\td\n"},
        {"out/kept/c.csv.jsonl", "{\"id\": \"1\", \"lang\": \"und\", \"text\": \"e\"}\n"},
        {"out/kept/none.jsonl", ""}};
    dpl_dedup_result *r = run(ctx, in, DPL_LEN(in), NULL, DPL_COMPRESS_INPUT);
    CHECK_STR(dpl__cstr(dpl_dedup_get_summary(r)->kept_path), test_path("out/kept"));
    CHECK_EQ(dpl_dedup_get_summary(r)->n_written, 4);
    for (size_t i = 0; i < DPL_LEN(expected); i++) {
        char *found = test_read(test_path(expected[i].name), NULL);
        CHECK_STR(dpl__cstr(found), expected[i].text);
        free(found);
    }
    dpl_dedup_result_free(r);
    test_ctx_done(ctx);
}

/* A name in the folder of the output may not be that of an input. */
DPL_TEST(kept, an_input_is_not_written_over)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_input before[] = {
        {.buffer = {"{\"id\":\"1\",\"text\":\"a b\"}\n", 23}, .name = "a.jsonl"},
        {.buffer = {"{\"id\":\"1\",\"text\":\"c\"}\n", 21}, .name = "b.jsonl"}};
    dpl_dedup_result *r = run(ctx, before, 2, NULL, DPL_COMPRESS_INPUT);
    dpl_dedup_result_free(r);
    const dpl_input again[] = {{.path = test_path("out/kept/a.jsonl")},
                               {.path = test_path("out/kept/b.jsonl")}};
    CHECK_EQ(dpl_dedup(NULL, ctx, test_path("out"), again, 2, NULL, &test_err), DPL_E_USAGE);
    char *found = test_read(test_path("out/kept/a.jsonl"), NULL);
    CHECK_STR(dpl__cstr(found), "{\"id\":\"1\",\"text\":\"a b\"}\n");
    free(found);
    test_ctx_done(ctx);
}

/* ---- chunks
 * ----------------------------------------------------------------------------------- */

/* Lines of more bytes than a chunk, and than a frame of compressed output has. */
DPL_TEST(kept, many_lines_are_those_of_the_kept_documents_in_order)
{
    enum { N = 3000, N_LINE = 1000 };
    static const dpl_dedup_compress how[] = {DPL_COMPRESS_NONE, DPL_COMPRESS_GZIP,
                                             DPL_COMPRESS_ZSTD};
    dpl_ctx *ctx = test_ctx(3);
    char *text = malloc(N * (N_LINE + 60)), *at = text;
    for (unsigned i = 0; i < N; i++) {
        at +=
            sprintf(at, "{\"id\":\"%u\",\"text\":\"w%u %0*d\"}\n", i, i % 5 ? i : 0, N_LINE, 7);
        at += sprintf(at, "%s", i % 7 ? "" : "\n");
    }
    const dpl_input in = {.buffer = {text, (size_t)(at - text)}, .name = "a.jsonl"};
    for (size_t i = 0; i < DPL_LEN(how); i++) {
        dpl_dedup_result *r = run(ctx, &in, 1, NULL, how[i]);
        CHECK_EQ(dpl_dedup_get_summary(r)->n_kept, N - N / 5 + 1);
        dpl_reader *reader = NULL;
        dpl_doc doc;
        CHECK_OK(dpl_reader_open(&reader, ctx, dpl_dedup_get_summary(r)->kept_path, NULL,
                                 &test_err));
        for (unsigned d = 0; d < N; d++) {
            char id[20];
            if (d && d % 5 == 0)
                continue;
            snprintf(id, sizeof id, "%u", d);
            CHECK_OK(dpl_reader_next(reader, &doc, &test_err));
            CHECK_STR(doc.id, id);
        }
        CHECK_EQ(dpl_reader_next(reader, &doc, &test_err), DPL_END);
        dpl_reader_close(reader);
        dpl_dedup_result_free(r);
    }
    free(text);
    test_ctx_done(ctx);
}

/* Several processes write ranges of lines: one of them writes them all here. */
DPL_TEST(kept, in_a_shared_run_the_lines_are_the_same)
{
    enum { N = 200 };
    static const dpl_dedup_compress how[] = {DPL_COMPRESS_NONE, DPL_COMPRESS_ZSTD};
    dpl_ctx *ctx = test_ctx(2);
    char *text = malloc(N * 60), *at = text;
    for (unsigned i = 0; i < N; i++)
        at += sprintf(at, "%s{\"id\":\"%u\",\"text\":\"w%u w%u\"}\n", i % 9 ? "" : "\n", i,
                      i % 3 ? i : 0, i % 3 ? i : 1);
    dpl_input both[] = {{.buffer = {text, (size_t)(at - text) / 2}, .name = "a.jsonl"},
                        {.name = "b.jsonl"},
                        {.name = "c.jsonl"}}; /* the first lines again: none is kept */
    while (both[0].buffer.data[both[0].buffer.n - 1] != '\n')
        both[0].buffer.n++;
    both[2].buffer = (dpl_str){text, both[0].buffer.n};
    both[1].buffer = (dpl_str){text + both[0].buffer.n, (size_t)(at - text) - both[0].buffer.n};
    for (size_t i = 0; i < DPL_LEN(how); i++) {
        const char *end = i ? ".zst" : "";
        char names[2][90];
        dpl_dedup_result *r = run(ctx, both, 3, NULL, how[i]);
        dpl_dedup_result_free(r);
        for (uint32_t n_parts = 1; n_parts < 5; n_parts++) {
            const dpl_dedup_options o =
                DPL_INIT(dpl_dedup_options, .select = DPL_KEEP_FIRST, .compress = how[i]);
            dpl_shared_run *shared = NULL;
            char name[40];
            snprintf(name, sizeof name, "shared%zu-%u", i, n_parts);
            CHECK_OK(dpl_shared_run_open(&shared, ctx, test_path(name), &(dpl_part){0, n_parts},
                                         "x", &test_err));
            CHECK_OK(dpl_dedup(NULL, ctx, dpl_shared_run_path(shared), both, 3, &o, &test_err));
            CHECK_OK(dpl_shared_run_publish(shared, &test_err));
            dpl_shared_run_close(shared);
            for (int k = 0; k < 3; k++) {
                dpl_reader *readers[2];
                dpl_doc docs[2];
                snprintf(names[0], sizeof names[0], "out/kept/%c.jsonl%s", 'a' + k, end);
                snprintf(names[1], sizeof names[1], "%s/kept/%c.jsonl%s", name, 'a' + k, end);
                for (int w = 0; w < 2; w++)
                    CHECK_OK(dpl_reader_open(&readers[w], ctx, test_path(names[w]), NULL,
                                             &test_err));
                dpl_status status;
                size_t n = 0;
                while ((status = dpl_reader_next(readers[0], &docs[0], &test_err)) == DPL_OK) {
                    CHECK_OK(dpl_reader_next(readers[1], &docs[1], &test_err));
                    CHECK(dpl__str_eq(docs[0].id, docs[1].id));
                    n++;
                }
                CHECK_EQ(status, DPL_END);
                CHECK_EQ(dpl_reader_next(readers[1], &docs[1], &test_err), DPL_END);
                CHECK(k < 2 ? n > N / 4 : n == 0);
                dpl_reader_close(readers[0]);
                dpl_reader_close(readers[1]);
            }
        }
    }
    free(text);
    test_ctx_done(ctx);
}
