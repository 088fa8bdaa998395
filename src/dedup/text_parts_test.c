/* What is left of documents without the parts that recur, byte by byte. */
#include "dedup/dedup_run.h"

#include "test.h"
#include "unicode/unicode.h"

#include <stdio.h>
#include <stdlib.h>

/* What a run over one input writes: the kept documents and the list of parts. */
typedef struct written {
    char *kept, *parts;
    dpl_dedup_summary s;
} written;

static written run(dpl_ctx *ctx, const char *name, const char *text, const dpl_dedup_options *o)
{
    const dpl_input in = {.buffer = {text, strlen(text)}, .name = name};
    dpl_dedup_result *r = NULL;
    CHECK_OK(dpl_dedup(&r, ctx, test_path("out"), &in, 1, o, &test_err));
    written w = {.s = *dpl_dedup_get_summary(r)};
    w.kept = test_read(w.s.kept_path, NULL);
    w.parts = test_read(test_path("out/parts.tsv"), NULL);
    dpl_dedup_result_free(r);
    return w;
}

static void check_written(const written *w, const char *kept, const char *parts)
{
    CHECK_STR(dpl__cstr(w->kept), kept);
    CHECK_STR(dpl__cstr(w->parts), parts);
    free(w->kept);
    free(w->parts);
}

static const dpl_dedup_options lines =
    DPL_INIT(dpl_dedup_options, .unit = DPL_DEDUP_LINE, .min_words = 1);

DPL_TEST(text_parts, only_the_text_of_a_json_line_changes)
{
    dpl_ctx *ctx = test_ctx(1);
    const written w = run(ctx, "a.jsonl",
                          "{\"n\": [1, {\"text\": \"in\"}],  \"text\" : \"same\\nown \\u00e9 "
                          "1\", \"id\":\"1\" }\n"
                          "\n"
                          " {\"id\":\"2\",\"text\":\"other\",\"title\":\"same\"}\r\n"
                          "{\"id\":\"3\",\"text\":\"Same!\\n\\\"2\\\"\\tx\\n\"}",
                          &lines);
    CHECK_EQ(w.s.n_docs, 3);
    CHECK_EQ(w.s.n_kept, 3);
    CHECK_EQ(w.s.n_removed, 0);
    CHECK_EQ(w.s.n_parts, 5);
    CHECK_EQ(w.s.n_parts_removed, 1);
    CHECK_EQ(w.s.n_distinct, 1);
    CHECK_EQ(w.s.n_changed, 1);
    CHECK_EQ(w.s.n_emptied, 0);
    CHECK_EQ(w.s.n_bytes_removed, 6);
    check_written(&w,
                  "{\"n\": [1, {\"text\": \"in\"}],  \"text\" : \"same\\nown \\u00e9 1\", "
                  "\"id\":\"1\" }\n"
                  " {\"id\":\"2\",\"text\":\"other\",\"title\":\"same\"}\r\n"
                  "{\"id\":\"3\",\"text\":\"\\\"2\\\"\\tx\\n\"}\n",
                  "2\tsame\n");
    test_ctx_done(ctx);
}

/* The end of a text is none of a line where the text had none. */
DPL_TEST(text_parts, a_text_has_a_line_end_where_it_had_one)
{
    static const char text[] = "{\"id\":\"1\",\"text\":\"a\\nsame\"}\n"
                               "{\"id\":\"2\",\"text\":\"b\\nsame\\n\"}\n"
                               "{\"id\":\"3\",\"text\":\"same\\nc\"}\n"
                               "{\"id\":\"4\",\"text\":\"same\\n\\n \"}\n"
                               "{\"id\":\"5\",\"text\":\"same\"}\n"
                               "{\"id\":\"6\",\"text\":\"d\\nsame\\ne\\nsame\"}\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl_dedup_options o = lines;
    o.drop_first = true;
    written w = run(ctx, "a.jsonl", text, &o);
    CHECK_EQ(w.s.n_kept, 4);
    CHECK_EQ(w.s.n_removed, 2);
    CHECK_EQ(w.s.n_emptied, 2);
    CHECK_EQ(w.s.n_changed, 6);
    CHECK_EQ(w.s.n_parts_removed, 7);
    check_written(&w,
                  "{\"id\":\"1\",\"text\":\"a\"}\n"
                  "{\"id\":\"2\",\"text\":\"b\\n\"}\n"
                  "{\"id\":\"3\",\"text\":\"c\"}\n"
                  "{\"id\":\"6\",\"text\":\"d\\ne\"}\n",
                  "7\tsame\n");
    o.drop_first = false;
    w = run(ctx, "a.jsonl", text, &o);
    CHECK_EQ(w.s.n_parts_removed, 6);
    check_written(&w,
                  "{\"id\":\"1\",\"text\":\"a\\nsame\"}\n"
                  "{\"id\":\"2\",\"text\":\"b\\n\"}\n"
                  "{\"id\":\"3\",\"text\":\"c\"}\n"
                  "{\"id\":\"6\",\"text\":\"d\\ne\"}\n",
                  "7\tsame\n");
    test_ctx_done(ctx);
}

/* "same\nown1\n" and so on: only the column of the text is written anew. */
DPL_TEST(text_parts, only_the_column_of_the_text_changes)
{
    static const char input[] = "1\tc2FtZQpvd24xCg==\tx\n"
                                "2\tc2FtZQpvd24yCg==\ty\r\n"
                                "3\tb3duMwo=\tz\n";
    dpl_ctx *ctx = test_ctx(1);
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_DOCENC, .columns = "id,text,other");
    dpl_dedup_options o = lines;
    o.read = &read;
    const written w = run(ctx, "a.b64", input, &o);
    check_written(&w,
                  "1\tc2FtZQpvd24xCg==\tx\n"
                  "2\tb3duMgo=\ty\r\n"
                  "3\tb3duMwo=\tz\n",
                  "2\tsame\n");
    test_ctx_done(ctx);
}

DPL_TEST(text_parts, of_one_column_the_text_is_the_line)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_DOCENC);
    dpl_dedup_options o = lines;
    o.read = &read;
    const written w = run(ctx, "a.b64", "c2FtZQpvd24xCg==\nc2FtZQpvd24yCg==", &o);
    check_written(&w, "c2FtZQpvd24xCg==\nb3duMgo=\n", "2\tsame\n");
    test_ctx_done(ctx);
}

/* Counts downwards, then where they are first; as often as is asked for. */
DPL_TEST(text_parts, the_list_has_the_most_frequent_parts_first)
{
    static const char text[] = "{\"id\":\"1\",\"text\":\"b\\na\\nc\\nd\"}\n"
                               "{\"id\":\"2\",\"text\":\"B.\\na\\nd\\ne\"}\n"
                               "{\"id\":\"3\",\"text\":\"c\\nb\\nd\\nf  g\"}\n"
                               "{\"id\":\"4\",\"text\":\"F; g\\nd\"}\n";
    static const struct {
        unsigned min_count, min_words;
        const char *parts;
    } cases[] = {{2, 1, "4\td\n3\tb\n2\ta\n2\tc\n2\tf  g\n"},
                 {3, 1, "4\td\n3\tb\n"},
                 {4, 1, "4\td\n"},
                 {5, 1, ""},
                 {2, 2, "2\tf  g\n"},
                 {2, 3, ""}};
    dpl_ctx *ctx = test_ctx(2);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_dedup_options o = lines;
        o.min_count = cases[i].min_count;
        o.min_words = cases[i].min_words;
        const written w = run(ctx, "a.jsonl", text, &o);
        CHECK_STR(dpl__cstr(w.parts), cases[i].parts);
        free(w.kept);
        free(w.parts);
    }
    test_ctx_done(ctx);
}

/* A part that is listed is cut behind a character. */
DPL_TEST(text_parts, long_parts_are_cut_between_characters)
{
    enum { N = 1300 };
    dpl_ctx *ctx = test_ctx(1);
    static const char *const letters[] = {"e", "\xc3\xa9", "\xe1\xb8\x81"};
    for (size_t i = 0; i < 3 * DPL_LEN(letters); i++) {
        char part[N + 8] = "abc";
        for (size_t n = i % 3; n < N; n += strlen(letters[i / 3]))
            strcpy(part + n, letters[i / 3]);
        char *text = malloc(2 * N + 200);
        sprintf(text, "{\"id\":\"1\",\"text\":\"%s\"}\n{\"id\":\"2\",\"text\":\"%s\\nx\"}\n",
                part, part);
        const written w = run(ctx, "a.jsonl", text, &lines);
        const size_t n_listed = strlen(w.parts) - strlen("2\t\n");
        CHECK(997 <= n_listed && n_listed <= 1000);
        CHECK(memcmp(w.parts + 2, part, n_listed) == 0);
        CHECK(dpl__is_utf8(ctx, dpl__cstr(w.parts)));
        free(w.kept);
        free(w.parts);
        free(text);
    }
    test_ctx_done(ctx);
}
