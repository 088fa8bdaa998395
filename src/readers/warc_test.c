#include "readers/http.h"
#include "readers/reader.h"

#include "readers/wiki/dump_test.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

typedef struct file {
    char bytes[1 << 16];
    size_t n;
} file;

static void add_record(file *f, const char *type, const char *url, const char *content_type,
                       const void *content, size_t n)
{
    f->n += (size_t)snprintf(f->bytes + f->n, sizeof f->bytes - f->n,
                             "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\n"
                             "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n",
                             type, url, content_type, n);
    memcpy(f->bytes + f->n, content, n);
    f->n += n;
    memcpy(f->bytes + f->n, "\r\n\r\n", 4);
    f->n += 4;
}

static void add_response(file *f, const char *url, const char *http)
{
    add_record(f, "response", url, "application/http; msgtype=response", http, strlen(http));
}

static dump read_warc(const file *f, const dpl_reader_options *options)
{
    return dump_bytes("a.warc", f->bytes, f->n, options);
}

DPL_TEST(warc, pages_become_documents_and_the_rest_is_counted)
{
    file f = {0};
    add_record(&f, "warcinfo", "", "application/warc-fields", "a: b\r\n", 6);
    add_record(&f, "request", "http://a/", "application/http; msgtype=request", "GET /\r\n\r\n",
               9);
    add_response(&f, "http://a/",
                 "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>T</title><p>one");
    add_response(&f, "<http://b/>", "HTTP/1.1 200 OK\nContent-type: text/plain\n\ntwo");
    add_response(&f, "http://c/",
                 "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\nno");
    add_response(&f, "http://d/", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nno");
    add_response(&f, "http://e/", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
    add_record(&f, "revisit", "http://f/", "application/http; msgtype=response", "", 0);
    add_record(&f, "conversion", "http://g/", "text/plain", "three\nfour", 10);
    add_record(&f, "resource", "http://h/", "text/html; charset=koi8-r", "<p>\xCD\xC9\xD2", 6);
    dump d = read_warc(&f, NULL);
    CHECK_STR(dpl__cstr(d.text), "http://a/|T|one|\nhttp://b/||two|\nhttp://g/||three\nfour|\n"
                                 "http://h/||\xD0\xBC\xD0\xB8\xD1\x80|\n");
    CHECK_DROPPED(d, RECORD_TYPE, 3);
    CHECK_DROPPED(d, STATUS, 1);
    CHECK_DROPPED(d, MEDIA_TYPE, 1);
    CHECK_DROPPED(d, EMPTY, 1);
    dump same = dump_with_all_chunks(test_path("a.warc"), NULL);
    CHECK_STR(dpl__cstr(same.text), d.text);
    check_read_allocations(test_path("a.warc"), NULL);
}

DPL_TEST(warc, the_encoding_comes_from_header_mark_page_or_bytes)
{
    file f = {0};
    add_response(&f, "1",
                 "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=\"windows-1251\""
                 "\r\n\r\n<meta charset=koi8-r><p>\xEC\xE8\xF0");
    add_response(&f, "2",
                 "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
                 "<meta charset=koi8-r><p>\xCD\xC9\xD2");
    add_response(&f, "3",
                 "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>a\xFF");
    add_response(&f, "4", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>caf\xE9");
    add_response(&f, "5",
                 "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
                 "\xEF\xBB\xBF<p>\xC3\xA4");
    static const char utf16[] = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
                                "\xFF\xFE<\0p\0>\0\xE4\0";
    add_record(&f, "response", "6", "application/http", utf16, sizeof utf16 - 1);
    dump d = read_warc(&f, NULL);
    CHECK_STR(dpl__cstr(d.text), "1||\xD0\xBC\xD0\xB8\xD1\x80|\n2||\xD0\xBC\xD0\xB8\xD1\x80|\n"
                                 "3||a\xEF\xBF\xBD|\n4||caf\xC3\xA9|\n5||\xC3\xA4|\n"
                                 "6||\xC3\xA4|\n");
    CHECK_EQ(d.counts.n_replaced, 1);
}

static size_t deflate_bytes(char *out, size_t n, const char *bytes, size_t n_bytes, int window)
{
    z_stream z = {0};
    CHECK_EQ(deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)n_bytes;
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)n;
    CHECK_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

static size_t deflate_text(char *out, size_t n, const char *text, int window)
{
    return deflate_bytes(out, n, text, strlen(text), window);
}

DPL_TEST(warc, bodies_are_joined_and_inflated)
{
    static const int windows[] = {31, 15, -15};
    static const char *const names[] = {"gzip", "deflate", "deflate"};
    file f = {0};
    add_response(&f, "0",
                 "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                 "Transfer-Encoding: chunked\r\n\r\n4\r\n<p>o\r\n2;x\r\nne\r\n0\r\n\r\n");
    add_response(&f, "00",
                 "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                 "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n<p>plain");
    for (int i = 0; i < 3; i++) {
        char content[500], url[2] = {(char)('1' + i), 0};
        int n = sprintf(content,
                        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                        "Content-Encoding: %s\r\n\r\n",
                        names[i]);
        size_t n_body = deflate_text(content + n, sizeof content - (size_t)n,
                                     "<p>a page that was compressed", windows[i]);
        add_record(&f, "response", url, "application/http", content, (size_t)n + n_body);
    }
    const dpl_reader_options keep =
        DPL_INIT(dpl_reader_options, .boilerplate = DPL_BOILERPLATE_KEEP);
    dump d = read_warc(&f, &keep);
    CHECK_STR(dpl__cstr(d.text), "0||one|\n00||plain|\n1||a page that was compressed|\n"
                                 "2||a page that was compressed|\n"
                                 "3||a page that was compressed|\n");
}

static void add_body(file *f, const char *url, const char *fields, const char *body, size_t n)
{
    char content[1000];
    const int n_head =
        sprintf(content, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n%s\r\n", fields);
    memcpy(content + n_head, body, n);
    add_record(f, "response", url, "application/http", content, (size_t)n_head + n);
}

DPL_TEST(warc, several_encodings_are_undone_from_the_last_to_the_first)
{
    static const char page[] = "<p>a page that was compressed twice";
    char once[300], twice[300], chunked[400];
    const size_t n_once = deflate_bytes(once, sizeof once, page, sizeof page - 1, 15);
    const size_t n_twice = deflate_bytes(twice, sizeof twice, once, n_once, 31);
    const size_t n_gzip = deflate_bytes(once, sizeof once, page, sizeof page - 1, 31);
    int n_chunked = sprintf(chunked, "%zx\r\n", n_gzip);
    memcpy(chunked + n_chunked, once, n_gzip);
    n_chunked += (int)n_gzip;
    n_chunked += sprintf(chunked + n_chunked, "\r\n0\r\n\r\n");
    file f = {0};
    add_body(&f, "1", "Content-Encoding: deflate, gzip\r\n", twice, n_twice);
    add_body(&f, "2", "Content-Encoding: deflate\r\nContent-Encoding: gzip\r\n", twice,
             n_twice);
    add_body(&f, "3", "Transfer-Encoding: gzip, chunked\r\n", chunked, (size_t)n_chunked);
    add_body(&f, "4", "Content-Encoding: br, gzip\r\n", twice, n_twice);
    add_body(&f, "5", "Content-Encoding: deflate, gzip\r\n", page, sizeof page - 1);
    const dpl_reader_options keep =
        DPL_INIT(dpl_reader_options, .boilerplate = DPL_BOILERPLATE_KEEP);
    dump d = read_warc(&f, &keep);
    CHECK_STR(dpl__cstr(d.text), "1||a page that was compressed twice|\n"
                                 "2||a page that was compressed twice|\n"
                                 "3||a page that was compressed twice|\n"
                                 "5||a page that was compressed twice|\n");
    CHECK_DROPPED(d, MEDIA_TYPE, 1);
}

/* A gigabyte of zeros in a megabyte: the body may not be larger than a record. */
DPL_TEST(warc, a_body_that_grows_without_end_is_dropped)
{
    char *zeros = calloc(1, 3 << 20);
    char content[8000];
    file f = {0};
    CHECK(zeros != NULL);
    memset(zeros, 'a', (3 << 20) - 1);
    int n = sprintf(content, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
    size_t n_body = deflate_text(content + n, sizeof content - (size_t)n, zeros, 31);
    add_record(&f, "response", "1", "application/http", content, (size_t)n + n_body);
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .max_record = 1 << 20);
    dump d = read_warc(&f, &o);
    CHECK_STR(dpl__cstr(d.text), "");
    CHECK_DROPPED(d, LONG, 1);
    free(zeros);
}

DPL_TEST(warc, a_long_record_without_a_page_is_passed_over)
{
    static char large[6000];
    file f = {0};
    memset(large, 'x', sizeof large);
    memcpy(large, "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n", 44);
    add_record(&f, "response", "1", "application/http", large, sizeof large);
    add_response(&f, "2", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .max_record = 1000, .chunk = 500);
    dump d = read_warc(&f, &o);
    CHECK_STR(dpl__cstr(d.text), "2||page|\n");
    CHECK_DROPPED(d, MEDIA_TYPE, 1);
}

DPL_TEST(warc, damage_is_named_or_skipped)
{
    const dpl_reader_options skip = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    file f = {0};
    add_response(&f, "1", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>one");
    f.n += (size_t)sprintf(f.bytes + f.n,
                           "WARC/1.0\r\nWARC-Type: response\r\n\r\nno length\r\n\r\n");
    add_response(&f, "2", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>two");
    CHECK(strstr(read_warc(&f, NULL).text, "not the head of a WARC record"));
    dump d = read_warc(&f, &skip);
    CHECK_STR(dpl__cstr(d.text), "1||one|\n2||two|\n");
    CHECK_DROPPED(d, MALFORMED, 1);
    for (size_t n = f.n - 4; n > f.n - 60; n--) { /* every cut of the last record */
        file cut = f;
        cut.n = n;
        d = read_warc(&cut, &skip);
        CHECK(strncmp(d.text, "1||one|\n", 8) == 0);
    }
    f.n -= 6;
    CHECK(strstr(read_warc(&f, &(dpl_reader_options){.size = sizeof skip}).text,
                 "not the head of a WARC record"));
}

/* Plain text loses its "\r" and may be unwrapped: lines are counted as the file has them. */
DPL_TEST(warc, messages_name_the_line_in_any_chunks)
{
    file f = {0};
    add_record(&f, "conversion", "http://a/", "text/plain", "a\r\nb\r\nc\r\nd", 10);
    file no_head = f;
    no_head.n += (size_t)sprintf(no_head.bytes + no_head.n, "WARC/1.0\r\n\r\n");
    CHECK(strstr(read_warc(&no_head, NULL).text, "line 12: not the head of a WARC record"));
    add_record(&f, "conversion", "http://b\x04/", "text/plain", "one", 3);
    dump d = read_warc(&f, NULL);
    CHECK(strstr(d.text, "line 12: the id holds a control character (0x04)"));
    const dump same = dump_with_all_chunks(test_path("a.warc"), NULL);
    CHECK_STR(dpl__cstr(same.text), d.text);
}

DPL_TEST(warc, it_is_detected_by_its_first_bytes)
{
    file f = {0};
    add_response(&f, "1", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>one");
    CHECK_STR(dpl__cstr(dump_bytes("crawl", f.bytes, f.n, NULL).text), "1||one|\n");
}

DPL_TEST(warc, what_is_dropped_is_listed)
{
    file f = {0};
    dpl_ctx *ctx = test_ctx(1);
    dpl_reader *reader = NULL;
    dpl_doc doc;
    add_record(&f, "warcinfo", "", "application/warc-fields", "a: b\r\n", 6);
    add_response(&f, "http://c/",
                 "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\nno");
    add_response(&f, "http://d/", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nno");
    add_response(&f, "http://e/", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
    for (int i = 0; i < 200; i++) /* more than are listed */
        add_record(&f, "request", "http://a/", "application/http; msgtype=request", "", 0);
    const char *path = test_write("a.warc", f.bytes, f.n);
    CHECK_OK(dpl_reader_open(&reader, ctx, path, NULL, &test_err));
    while (dpl_reader_next(reader, &doc, &test_err) == DPL_OK)
        ;
    static const struct {
        dpl_drop reason;
        const char *text;
    } first[] = {{DPL_DROP_RECORD_TYPE, "warcinfo"},
                 {DPL_DROP_STATUS, "404 http://c/"},
                 {DPL_DROP_MEDIA_TYPE, "image/png"},
                 {DPL_DROP_EMPTY, "http://e/"},
                 {DPL_DROP_RECORD_TYPE, "request"}};
    const dpl_skip_list *list = dpl_reader_skipped(reader);
    CHECK(dpl_skip_list_n(list) >= DPL_LEN(first));
    for (size_t i = 0; i < DPL_LEN(first); i++) {
        const dpl_skipped s = dpl_skip_list_get(list, i);
        CHECK_EQ(s.reason, first[i].reason);
        CHECK_STR(dpl__cstr(s.text), first[i].text);
        CHECK(s.line > 0);
    }
    CHECK_EQ(dpl_skip_list_n(list), 3 + DPL__SKIPS_MOST);
    dpl_reader_close(reader);
    test_ctx_done(ctx);
}
