#include "readers/chunks.h"

#include "base/hash.h"
#include "readers/wiki/dump_test.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#define REPLACEMENT "\xEF\xBF\xBD"

static const dpl_reader_options skip =
    DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
static const dpl_reader_options replace =
    DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_REPLACE);

/* ---- which format ------------------------------------------------------------------- */

DPL_TEST(reader, formats_and_drops_have_names)
{
    CHECK(dpl__format_name((dpl_format)99) == NULL);
    for (int i = 0; i < DPL_N_DROPS; i++)
        CHECK(dpl_drop_name((dpl_drop)i) != NULL);
    CHECK(dpl_drop_name(DPL_N_DROPS) == NULL);
}

DPL_TEST(reader, tells_the_format_by_name)
{
    static const char *const jsonl[] = {"a.jsonl", "a.ndjson", "a.json", "A.JSONL",
                                        "a.jsonl.gz"};
    for (size_t i = 0; i < DPL_LEN(jsonl); i++)
        CHECK_DUMP(jsonl[i], "{\"id\":1,\"text\":\"x\"}\n", NULL, "1||x|\n");
    CHECK_DUMP("a.tsv", "1\tx\n", NULL, "1||x|\n");
    CHECK_DUMP("a.b64", "eA==\n", NULL, "1||x|\n");
}

DPL_TEST(reader, tells_the_format_by_content)
{
    CHECK_DUMP("a", " \n\t{\"id\":1,\"text\":\"x\"}\n", NULL, "1||x|\n");
    CHECK_DUMP("a", "\xEF\xBB\xBF{\"id\":1,\"text\":\"x\"}\n", NULL, "1||x|\n");
    CHECK_DUMP("a", "\xFF\xFE{\0\"\0i\0d\0\"\0:\0001\0}\0", NULL,
               "! 'DIR/a' line 1: missing key 'text'\n");
    CHECK_DUMP("a", "hello", NULL, "! cannot detect the format of 'DIR/a'\n");
    CHECK_DUMP("a", "\xF4", NULL, "! cannot detect the format of 'DIR/a'\n");
}

DPL_TEST(reader, a_given_format_overrules_the_name)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);
    CHECK_DUMP("a.jsonl", "1\tx\n", &o, "1||x|\n");
    o.from = (dpl_format)99;
    CHECK_DUMP("a.jsonl", "", &o, "! no such format or policy\n");
}

DPL_TEST(reader, an_empty_file_has_no_documents)
{
    CHECK_DUMP("a", "", NULL, "");
    CHECK_DUMP("a", " \r\n\n", NULL, "");
    CHECK_DUMP("a.tsv", "", NULL, "");
    CHECK_DUMP("a", "\xEF\xBB\xBF", NULL, "");
    CHECK_DUMP("a", "\xFF\xFE", NULL, "");
    CHECK_DUMP("a.docenc", "\n", NULL, "");
}

DPL_TEST(reader, a_missing_file_is_an_error_of_the_system)
{
    dump d = dump_file(test_path("no.jsonl"), NULL);
    CHECK_STR(dpl__cstr(d.text), "! cannot open 'DIR/no.jsonl': No such file or directory\n");
    CHECK_EQ(d.err.status, DPL_E_IO);
    CHECK_EQ(d.err.sys_errno, ENOENT);
}

DPL_TEST(reader, options_out_of_range_are_refused)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .max_record = (uint64_t)1 << 40);
    CHECK_DUMP("a.tsv", "1\tx\n", &o, "! records are limited to 511 MiB\n");
}

/* ---- encodings ---------------------------------------------------------------------- */

/* UTF-16 of the text, which is ASCII but for '<' and '>': halves of U+1F600. */
static size_t to_utf16(uint8_t *out, const char *text, bool is_big)
{
    size_t n = 0;
    out[n++] = is_big ? 0xFE : 0xFF;
    out[n++] = is_big ? 0xFF : 0xFE;
    for (; *text; text++) {
        unsigned c = *text == '<' ? 0xD83D : *text == '>' ? 0xDE00 : (unsigned char)*text;
        out[n++] = (uint8_t)(is_big ? c >> 8 : c);
        out[n++] = (uint8_t)(is_big ? c : c >> 8);
    }
    return n;
}

DPL_TEST(reader, utf16_is_converted)
{
    uint8_t bytes[200];
    for (int is_big = 0; is_big < 2; is_big++) {
        size_t n = to_utf16(bytes, "1\tx<>y\r\n2\t<><>", is_big);
        dump d = dump_with_all_chunks(test_write("a.tsv", bytes, n), NULL);
        CHECK_STR(dpl__cstr(d.text),
                  "1||x\xF0\x9F\x98\x80y|\n2||\xF0\x9F\x98\x80\xF0\x9F\x98\x80|\n");
        CHECK_EQ(d.counts.n_raw_bytes, n);
    }
}

DPL_TEST(reader, utf16_is_converted_across_reads)
{
    static char text[9000], bytes[2 * sizeof text];
    for (size_t n = 0; n + 20 < sizeof text;)
        n += (size_t)sprintf(text + n, "%zu\t%.*s<>\n", n, (int)(n % 3), "xy");
    for (int is_big = 0; is_big < 2; is_big++) {
        size_t n = to_utf16((uint8_t *)bytes, text, is_big);
        CHECK_EQ(dump_with_all_chunks(test_write("a.tsv", bytes, n), NULL).err.status, DPL_OK);
    }
}

DPL_TEST(reader, halves_of_utf16_characters_meet_the_policy)
{
    uint8_t bytes[200];
    for (int is_big = 0; is_big < 2; is_big++) {
        size_t n = to_utf16(bytes, "1\tx\n2\ta<b>c<<>\n3\ty\n4\tz<", is_big);
        const char *path = test_write("a.tsv", bytes, n + 1); /* and half a unit */
        dump d = dump_with_all_chunks(path, NULL);
        CHECK_STR(dpl__cstr(d.text),
                  "1||x|\n! 'DIR/a.tsv' line 2: invalid UTF-16 at column 4\n");
        d = dump_with_all_chunks(path, &replace);
        CHECK_STR(dpl__cstr(d.text),
                  "1||x|\n2||a" REPLACEMENT "b" REPLACEMENT "c" REPLACEMENT
                  "\xF0\x9F\x98\x80|\n3||y|\n4||z" REPLACEMENT REPLACEMENT "|\n");
        CHECK_EQ(d.counts.n_replaced, 5);
        d = dump_with_all_chunks(path, &skip);
        CHECK_STR(dpl__cstr(d.text), "1||x|\n3||y|\n");
        CHECK_DROPPED(d, UTF8, 2);
    }
}

DPL_TEST(reader, invalid_utf8_meets_the_policy)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "1\tone\n2\ttw\xC3o\xFF\n3\tthree\n";
    dump d = DUMP_TEXT("a.tsv", text, NULL);
    CHECK_STR(dpl__cstr(d.text),
              "1||one|\n! 'DIR/a.tsv' line 2: invalid UTF-8 (byte 0xC3 at column 5)\n");
    CHECK_STR(dpl__cstr(d.err.code), "bad-utf8");
    CHECK_EQ(d.err.line, 2);
    CHECK_EQ(d.err.column, 5);
    CHECK_EQ(d.err.offset, 3 + 6 + 4);
    d = DUMP_TEXT("a.tsv", text, &replace);
    CHECK_STR(dpl__cstr(d.text), "1||one|\n2||tw" REPLACEMENT "o" REPLACEMENT "|\n3||three|\n");
    CHECK_EQ(d.counts.n_replaced, 2);
    d = DUMP_TEXT("a.tsv", text, &skip);
    CHECK_STR(dpl__cstr(d.text), "1||one|\n3||three|\n");
    CHECK_DROPPED(d, UTF8, 1);
}

DPL_TEST(reader, replaces_each_longest_part_of_a_sequence_once)
{
    static const struct {
        const char *bytes;
        uint64_t n_replaced;
    } cases[] = {
        {"\xE2\x82", 1}, {"\xF0\x9F\x98", 1}, {"\xF0\x9F\x98\xC3", 2},
        {"\xC0\x80", 2}, {"\xED\xA0\x80", 3}, {"\xF4\x90\x80\x80", 4},
        {"\xF5\x80", 2}, {"\x80\x80", 2},     {"\xE2\x82\xE2\x82\xAC", 1},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char line[40];
        int n = sprintf(line, "1\tx%sy\n", cases[i].bytes);
        CHECK_EQ(dump_bytes("a.tsv", line, (size_t)n, &replace).counts.n_replaced,
                 cases[i].n_replaced);
    }
}

DPL_TEST(reader, nul_bytes_are_characters)
{
    dump d = DUMP_TEXT("a.tsv", "1\ta\0b\n", NULL);
    CHECK_EQ(d.counts.n_docs, 1);
    CHECK_DUMP("a.jsonl", "{\"id\":1,\"text\":\"a\0b\"}\n", NULL,
               "! 'DIR/a.jsonl' line 1: a control character in a string at column 18\n");
}

/* ---- lines and chunks --------------------------------------------------------------- */

DPL_TEST(reader, line_ends_do_not_matter)
{
    CHECK_DUMP("a.tsv", "1\tx\r\n2\ty\n3\tz", NULL, "1||x|\n2||y|\n3||z|\n");
    CHECK_DUMP("a.tsv", "1\tx\r\r\n2\ty\r", NULL, "1||x\r|\n2||y|\n");
}

/* Lines of random lengths and faults; the ids carry the seed. */
static size_t make_lines(char *out, dpl__rng *rng, uint64_t seed)
{
    static const char *const faults[] = {"", "", "", "", "\xC3", "no columns", "\r"};
    size_t n = 0;
    for (uint64_t i = 1 + dpl__rng_below(rng, 200); i; i--) {
        const char *fault = faults[dpl__rng_below(rng, i > 10 ? 4 : DPL_LEN(faults))];
        if (strcmp(fault, "no columns") != 0)
            n += (size_t)sprintf(out + n, "seed%llu-%llu\t", (unsigned long long)seed,
                                 (unsigned long long)i);
        for (uint64_t k = dpl__rng_below(rng, 70); k; k--)
            n += (size_t)sprintf(out + n, "%s", k & 1 ? "x" : "\xC3\xA4");
        n += (size_t)sprintf(out + n, "%s\n", fault);
    }
    return n - dpl__rng_below(rng, 2); /* the last line may have no end */
}

DPL_TEST(reader, chunks_of_any_size_give_the_same_documents)
{
    static char lines[200 * 150];
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dpl__rng rng = {seed << 20};
        const char *path = test_write("a.tsv", lines, make_lines(lines, &rng, seed));
        for (int policy = DPL_ON_ERROR_FAIL; policy <= DPL_ON_ERROR_SKIP; policy++) {
            dpl_reader_options o =
                DPL_INIT(dpl_reader_options, .on_error = (dpl_on_error)policy,
                         .max_record = 1 + dpl__rng_below(&rng, 150));
            dump_with_all_chunks(path, &o);
        }
    }
}

DPL_TEST(reader, good_documents_come_before_the_failure)
{
    CHECK_DUMP("a.tsv", "1\tx\n2\ty\nbad\n3\tz\n", NULL,
               "1||x|\n2||y|\n! 'DIR/a.tsv' line 3: 1 column instead of 2\n");
}

DPL_TEST(reader, long_lines_meet_the_policy)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .max_record = 10);
    static const char text[] = "1\tx\n2\t45678901\n3\t45678901\r\n4\ty\n"
                               "5\t567890123456789012345678901234567890\n6\tz";
    const char *path = test_write("a.tsv", text, sizeof text - 1);
    dump d = dump_with_all_chunks(path, &o);
    CHECK_STR(dpl__cstr(d.text),
              "1||x|\n2||45678901|\n! 'DIR/a.tsv' line 3: longer than 10 bytes\n");
    CHECK_STR(dpl__cstr(d.err.code), "long-record");
    CHECK_EQ(d.err.offset, 15);
    o.on_error = DPL_ON_ERROR_SKIP;
    d = dump_with_all_chunks(path, &o);
    CHECK_STR(dpl__cstr(d.text), "1||x|\n2||45678901|\n4||y|\n6||z|\n");
    CHECK_DROPPED(d, LONG, 2);
}

DPL_TEST(reader, a_long_last_line_is_dropped_too)
{
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .max_record = 5, .on_error = DPL_ON_ERROR_SKIP);
    dump d = dump_with_all_chunks(test_write("a.tsv", "1\t345\n1\t3456", 12), &o);
    CHECK_STR(dpl__cstr(d.text), "1||345|\n");
    CHECK_DROPPED(d, LONG, 1);
    d = dump_with_all_chunks(test_write("a.tsv", "123456", 6), &o);
    CHECK_STR(dpl__cstr(d.text), "");
    CHECK_DROPPED(d, LONG, 1);
}

DPL_TEST(reader, line_numbers_survive_long_lines)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .max_record = 6,
                                    .on_error = DPL_ON_ERROR_SKIP, .columns = "text");
    dump d = dump_with_all_chunks(
        test_write("a.tsv", "12345678\n\n12345678\nx\n12345678\ny\n", 32), &o);
    CHECK_STR(dpl__cstr(d.text), "4||x|\n6||y|\n");
    CHECK_DROPPED(d, LONG, 3);
    CHECK_DROPPED(d, EMPTY, 1);
}

/* ---- documents ---------------------------------------------------------------------- */

DPL_TEST(reader, ids_must_fit_into_a_line_of_columns)
{
    CHECK_DUMP("a.jsonl", "{\"id\":\"a\\tb\",\"text\":\"x\"}\n", NULL,
               "! 'DIR/a.jsonl' line 1: the id holds a control character (0x09)\n");
    CHECK_DUMP("a.tsv", "\tx\n", NULL, "! 'DIR/a.tsv' line 1: the id is empty\n");
}

DPL_TEST(reader, documents_without_text_are_counted)
{
    dump d = DUMP_TEXT("a.tsv", "1\t\n2\t \xC2\xA0\n3\tx\n", NULL);
    CHECK_STR(dpl__cstr(d.text), "3||x|\n");
    CHECK_DROPPED(d, EMPTY, 2);
    CHECK_EQ(d.counts.n_docs, 1);
}

DPL_TEST(reader, what_comes_out_is_in_nfc)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .columns = "id,title,text");
    CHECK_DUMP("a.tsv", "e\xCC\x81\te\xCC\x81\te\xCC\x81\n", &o,
               "\xC3\xA9|\xC3\xA9|\xC3\xA9|\n");
}

DPL_TEST(reader, the_title_can_come_first)
{
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .columns = "title,text,id", .with_title = true);
    CHECK_DUMP("a.tsv", "T\tx\t1\n\ty\t2\nxy\tx\t3\nx\tx\t4\n", &o,
               "1|T|T\nx|\n2||y|\n3|xy|xy\nx|\n4|x|x|\n");
    o = (dpl_reader_options)DPL_INIT(dpl_reader_options, .with_title = true);
    CHECK_DUMP("a.jsonl", "{\"id\":1,\"title\":\"T\",\"text\":\"T\\nx\"}\n", &o, "1|T|T\nx|\n");
}

DPL_TEST(reader, a_given_language_overrules_the_field)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_reader *reader = NULL;
    dpl_doc doc;
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .columns = "lang,text", .lang = "de");
    CHECK_OK(dpl_reader_open(&reader, ctx, test_write("a.tsv", "fr\tx\n", 5), &o, &test_err));
    CHECK_OK(dpl_reader_next(reader, &doc, &test_err));
    CHECK_STR(doc.lang, "de");
    CHECK_EQ(dpl_reader_counts(reader)->n_identified, 0);
    dpl_reader_close(reader);
    test_ctx_done(ctx);
}

DPL_TEST(reader, one_language_alone_may_be_asked_for)
{
    static const char text[] = "de\t1\tEins.\nen\t1\tOne.\n"
                               "\t3\tThis one does not say which language it is in.\n";
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .columns = "lang,id,text", .only_lang = "English");
    dump d = DUMP_TEXT("a.tsv", text, &o);
    CHECK_STR(dpl__cstr(d.text),
              "1||One.|\n3||This one does not say which language it is in.|\n");
    CHECK_EQ(d.counts.n_docs, 2);
    CHECK_EQ(d.counts.n_identified, 1);
    CHECK_EQ(d.counts.n_dropped[DPL_DROP_LANGUAGE], 1);
    o.only_lang = "nothing";
    CHECK_DUMP("a.tsv", text, &o, "! unknown language 'nothing'\n");
}

DPL_TEST(reader, counts_what_it_read)
{
    dump d = DUMP_TEXT("a.tsv",
                       "\xEF\xBB\xBF"
                       "1\tx\n2\ty\n",
                       NULL);
    CHECK_EQ(d.counts.n_docs, 2);
    CHECK_EQ(d.counts.n_raw_bytes, 11);
    CHECK_EQ(d.counts.n_file_bytes, 11);
}

DPL_TEST(reader, chunks_can_be_parsed_on_their_own)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_reader *reader = NULL;
    dpl__chunk chunk = {0};
    dpl__batch batch;
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .chunk = 5);
    CHECK_OK(dpl_reader_open(&reader, ctx, test_write("a.tsv", "1\tx\n2\ty\n3\tz", 11), &o,
                             &test_err));
    dpl__batch_init(&batch, ctx, dpl__reader_options(reader));
    uint64_t n_docs = 0;
    dpl_status status;
    while ((status = dpl__reader_chunk(reader, &chunk, &test_err)) == DPL_OK) {
        CHECK_EQ(chunk.line, n_docs + 1);
        CHECK_EQ(chunk.offset, n_docs * 4);
        for (int i = 0; i < DPL__PAD; i++)
            CHECK_EQ(chunk.bytes.data[chunk.bytes.n + (size_t)i], 0);
        dpl__batch_reset(&batch);
        CHECK_OK(dpl__reader_parse(reader, &batch, &chunk, &test_err));
        CHECK_EQ(batch.lines.data[0], n_docs + 1);
        n_docs += batch.docs.n;
    }
    CHECK_EQ(status, DPL_END);
    CHECK_EQ(dpl__reader_chunk(reader, &chunk, &test_err), DPL_END);
    CHECK_EQ(n_docs, 3);
    dpl__batch_clear(&batch);
    dpl__chunk_clear(&chunk, ctx);
    dpl_reader_close(reader);
    test_ctx_done(ctx);
}

DPL_TEST(reader, every_allocation_may_fail)
{
    uint8_t bytes[200];
    size_t n = to_utf16(bytes, "1\tx<\n2\te\n", false);
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_REPLACE,
                                    .chunk = 7, .with_title = true, .columns = "title,text");
    check_read_allocations(test_write("a.tsv", bytes, n), &o);
}
