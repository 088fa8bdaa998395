#include "readers/http.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <zlib.h>

enum { MOST_BYTES = 8000, PLENTY = 1 << 20 };

/* ---- header fields ------------------------------------------------------------------------
 */

DPL_TEST(http, a_field_is_found_by_its_whole_name)
{
    const dpl_str lines = DPL_STR("Content-Type-X: no\r\nX-Content-Type: no\r\n"
                                  "content-TYPE:\t text/html \r\nContent-Type: second\r\n"
                                  "Empty:\r\nShort\r\n:nameless\r\n\r\nBehind: no\r\n");
    CHECK_STR(dpl__field(lines, "Content-Type"), "text/html");
    CHECK_STR(dpl__field(lines, "Empty"), "");
    CHECK_STR(dpl__field(lines, "Short"), "");
    CHECK_STR(dpl__field(lines, ""), "nameless");
    CHECK_STR(dpl__field(lines, "Behind"), ""); /* behind the blank line */
    CHECK_STR(dpl__field(lines, "Content"), "");
    CHECK_STR(dpl__field(DPL_STR("A:b"), "A"), "b");
    CHECK_STR(dpl__field(DPL_STR("A:"), "A"), "");
    CHECK_STR(dpl__field((dpl_str){0}, "A"), "");
}

DPL_TEST(http, the_header_ends_behind_the_first_blank_line)
{
    static const struct {
        const char *bytes;
        size_t n;
    } cases[] = {{"", 0},           {"\n", 1},           {"\r\n", 2},    {"a\n\nb", 3},
                 {"a\r\n\r\nb", 5}, {"a\n\r\nb\n\n", 4}, {"a\nb\nc", 0}, {"a\n", 0},
                 {"a\n\r", 0},      {"a\r\r\n\n", 5},    {"a\n \n\n", 5}};
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        CHECK_EQ(dpl__fields_length(dpl__cstr(cases[i].bytes)), cases[i].n);
}

DPL_TEST(http, a_media_type_stands_before_the_semicolon)
{
    static const char *const cases[][3] = {
        {"text/html", "text/html", ""},
        {" text/html ;charset=UTF-8", "text/html", "UTF-8"},
        {"text/html; CHARSET=\"koi8-r\"; x=y", "text/html", "koi8-r"},
        {"text/html; charset= 'latin1', text/plain", "text/html", "latin1"},
        {"text/html; x=charset; charset=a;charset=b", "text/html", "a"},
        {"text/html; charset=", "text/html", ""},
        {"text/html; charset", "text/html", ""},
        {"text/html; charset=z", "text/html", "z"}, /* one character, at the end */
        {"charset=x", "charset=x", ""},
        {";charset=x", "", "x"},
        {"", "", ""}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_str type, charset;
        dpl__media_type(dpl__cstr(cases[i][0]), &type, &charset);
        CHECK_STR(type, cases[i][1]);
        CHECK_STR(charset, cases[i][2]);
    }
}

/* ---- responses ----------------------------------------------------------------------------
 */

/* A response as it is built up. */
typedef struct response {
    char fields[1000];
    char body[4 * MOST_BYTES];
    size_t n;
} response;

static dpl_status read_response(dpl__http *out, dpl__arena *arena, const response *r,
                                uint64_t most)
{
    static char bytes[sizeof(response) + 100];
    const size_t n =
        (size_t)snprintf(bytes, sizeof bytes, "HTTP/1.1 200 OK\r\n%s\r\n", r->fields);
    memcpy(bytes + n, r->body, r->n);
    return dpl__http_read(out, arena, (dpl_str){bytes, n + r->n}, most, &test_err);
}

/* DPL_OK: the body is what is expected. */
static void check_body(const char *fields, dpl_str body, dpl_status status,
                       const char *expected)
{
    static response r;
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__http h;
    dpl__arena_init(&arena, ctx);
    snprintf(r.fields, sizeof r.fields, "%s", fields);
    memcpy(r.body, body.data, body.n);
    r.n = body.n;
    CHECK_EQ(read_response(&h, &arena, &r, PLENTY), status);
    CHECK_EQ(h.status, 200);
    if (status == DPL_OK)
        CHECK_STR(h.body, expected);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(http, a_status_line_has_a_number)
{
    static const struct {
        const char *bytes;
        unsigned status;
        const char *body;
    } cases[] = {{"HTTP/1.1 200 OK\r\n\r\nx", 200, "x"},
                 {"HTTP/1.1 404\n\nx", 404, "x"},
                 {"HTTP/1.0 99999999999\r\n\r\n", 9999, ""},
                 {"HTTP/1.1 2x\r\n\r\n", 2, ""},
                 {"HTTP/1.1 /:\r\n\r\n", 0, ""},
                 {"HTTP/1.1-200\r\n\r\nx", 0, "x"},
                 {"HTTP/1 20\n\nx", 20, "x"}, /* the shortest header, 11 bytes, is too short */
                 {"HTTP/1 200\n\nx", 200, "x"},
                 {"http/1.1 200 OK\r\n\r\nx", 0, ""},
                 {"HTTP/1.1 200 OK\r\n", 0, ""}};
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__http h;
        const dpl_str bytes = dpl__cstr(cases[i].bytes);
        const bool is_short = dpl__fields_length(bytes) < 12;
        CHECK_OK(dpl__http_read(&h, &arena, bytes, PLENTY, &test_err));
        CHECK_EQ(h.status, is_short ? 0 : cases[i].status);
        CHECK_STR(h.body, is_short ? "" : cases[i].body);
    }
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(http, chunks_are_joined_as_far_as_they_go)
{
    static const char field[] = "Transfer-Encoding: chunked\r\n";
    static const char *const cases[][2] = {
        {"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde"},
        {"3\nabc\n2\nde\n0\n\n", "abcde"},
        {"A;name=value\r\n0123456789\r\n0\r\n", "0123456789"},
        {"a \r\n0123456789\r\n0\r\nTrailer: x\r\n", "0123456789"},
        {"00000003\r\nabc\r\n0\r\n", "abc"},
        {"000000003\r\nabc\r\n0\r\n",
         "000000003\r\nabc\r\n0\r\n"}, /* not a size: nine digits */
        {"3\r\nabc", "abc"},
        {"5\r\nabc", "abc"},   /* cut off */
        {"3\r\nabcde", "abc"}, /* what follows is no size */
        {"3\r\nabc\r\nx\r\ndef", "abc"},
        {"3x\r\nabc", "3x\r\nabc"},
        {"\r\nabc", "\r\nabc"},
        {"0\r\n\r\nabc", ""},
        {"abc", ""}, /* a size, and nothing behind it */
        {"xyz", "xyz"},
        {"", ""}};
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        check_body(field, dpl__cstr(cases[i][0]), DPL_OK, cases[i][1]);
    check_body("", DPL_STR("3\r\nabc\r\n0\r\n"), DPL_OK, "3\r\nabc\r\n0\r\n");
}

/* ---- encodings ----------------------------------------------------------------------------
 */

typedef enum coding { CHUNKED, GZIP, DEFLATE, RAW_DEFLATE, N_CODINGS } coding;

static const char *const coding_names[] = {"chunked", "gzip", "deflate", "deflate"};

static void compress_body(response *r, int window)
{
    static char out[sizeof r->body];
    z_stream z = {0};
    CHECK(deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (Bytef *)r->body;
    z.avail_in = (uInt)r->n;
    z.next_out = (Bytef *)out;
    z.avail_out = sizeof out;
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    r->n = z.total_out;
    memcpy(r->body, out, r->n);
    deflateEnd(&z);
}

static void chunk_body(response *r, dpl__rng *rng)
{
    static char out[2 * sizeof r->body];
    size_t n = 0;
    for (size_t at = 0, size; at < r->n; at += size) {
        size = dpl__min(1 + dpl__rng_below(rng, 3000), r->n - at);
        n += (size_t)sprintf(out + n, dpl__rng_below(rng, 2) ? "%zx\r\n" : "%zX;a=b\n", size);
        memcpy(out + n, r->body + at, size);
        n += size;
        n += (size_t)sprintf(out + n, dpl__rng_below(rng, 2) ? "\r\n" : "\n");
    }
    n += (size_t)sprintf(out + n, "0\r\n\r\n");
    CHECK(n <= sizeof r->body);
    memcpy(r->body, out, n);
    r->n = n;
}

static void apply(response *r, coding c, dpl__rng *rng)
{
    if (c == CHUNKED)
        chunk_body(r, rng);
    else
        compress_body(r, c == GZIP ? 16 + MAX_WBITS : c == DEFLATE ? MAX_WBITS : -MAX_WBITS);
}

/* Words of letters: no text begins as a compressed body does. */
static size_t random_text(char *out, dpl__rng *rng)
{
    const size_t n = 1 + dpl__rng_below(rng, MOST_BYTES);
    for (size_t i = 0; i < n; i++)
        out[i] = "ghijk \n"[dpl__rng_below(rng, 7)];
    out[0] = '<';
    return n;
}

/* Up to three of them, named in one field or several, read back. Raw deflate must not be the
 * last one under another, where its first byte may look like text. */
DPL_TEST(http, encodings_are_undone_in_the_order_of_their_names)
{
    static response r;
    static char text[MOST_BYTES];
    dpl_ctx *ctx = test_ctx(1);
    for (uint64_t seed = 0; seed < 150; seed++) {
        dpl__rng rng = {seed << 20};
        const size_t n = r.n = random_text(text, &rng), n_codings = dpl__rng_below(&rng, 4);
        size_t at = 0;
        memcpy(r.body, text, n);
        r.fields[0] = 0;
        for (size_t i = 0; i < n_codings; i++) {
            const coding c = (coding)dpl__rng_below(&rng, DEFLATE + 1);
            const bool is_new = i == 0 || dpl__rng_below(&rng, 2);
            apply(&r, c, &rng);
            at += (size_t)snprintf(r.fields + at, sizeof r.fields - at, "%s%s",
                                   !is_new ? " , "
                                   : i     ? "\r\nContent-Encoding: "
                                           : "Content-Encoding: ",
                                   coding_names[c]);
        }
        if (n_codings)
            snprintf(r.fields + at, sizeof r.fields - at, "\r\n");
        dpl__arena arena;
        dpl__http h;
        dpl__arena_init(&arena, ctx);
        CHECK_OK(read_response(&h, &arena, &r, PLENTY));
        if (!dpl__str_eq(h.body, (dpl_str){text, n}))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu: %s", (unsigned long long)seed,
                           r.fields);
        dpl__arena_clear(&arena);
    }
    test_ctx_done(ctx);
}

DPL_TEST(http, deflate_may_lack_its_header_and_gzip_its_field)
{
    static response r;
    dpl_ctx *ctx = test_ctx(1);
    for (int how = 0; how < 3; how++) {
        static const char *const fields[] = {"Content-Encoding: deflate\r\n", "",
                                             "Content-Encoding: br\r\n"};
        dpl__rng rng = {1};
        dpl__arena arena;
        dpl__http h;
        dpl__arena_init(&arena, ctx);
        r.n = 2000;
        for (size_t i = 0; i < r.n; i++)
            r.body[i] = (char)('a' + dpl__rng_below(&rng, 26));
        char text[2000];
        memcpy(text, r.body, r.n);
        apply(&r, how ? GZIP : RAW_DEFLATE, &rng);
        snprintf(r.fields, sizeof r.fields, "%s", fields[how]);
        CHECK_OK(read_response(&h, &arena, &r, PLENTY));
        CHECK(dpl__str_eq(h.body, (dpl_str){text, sizeof text}));
        dpl__arena_clear(&arena);
    }
    test_ctx_done(ctx);
}

/* A page that is a file of gzip itself. */
DPL_TEST(http, a_body_is_inflated_as_often_as_the_header_says)
{
    static response r;
    static char inner[sizeof r.body];
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {1};
    dpl__arena arena;
    dpl__http h;
    dpl__arena_init(&arena, ctx);
    r.n = (size_t)sprintf(r.body, "some text");
    apply(&r, GZIP, &rng);
    const size_t n_inner = r.n;
    memcpy(inner, r.body, n_inner);
    apply(&r, GZIP, &rng);
    snprintf(r.fields, sizeof r.fields, "Content-Encoding: gzip\r\n");
    CHECK_OK(read_response(&h, &arena, &r, PLENTY));
    CHECK(dpl__str_eq(h.body, (dpl_str){inner, n_inner}));
    snprintf(r.fields, sizeof r.fields, "Content-Encoding: gzip, gzip\r\n");
    CHECK_OK(read_response(&h, &arena, &r, PLENTY));
    CHECK_STR(h.body, "some text");
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(http, a_body_that_is_decoded_already_stays)
{
    static const char *const fields[] = {
        "Content-Encoding: gzip\r\n",       "Content-Encoding: X-Gzip\r\n",
        "Content-Encoding: deflate\r\n",    "Content-Encoding: br\r\n",
        "Content-Encoding: zstd, gzip\r\n", "Content-Encoding: compress\r\n",
        "Content-Encoding: identity\r\n",   "Content-Encoding: ,, ,\r\n"};
    for (size_t i = 0; i < DPL_LEN(fields); i++) {
        check_body(fields[i], DPL_STR("<p>text"), DPL_OK, "<p>text");
        check_body(fields[i], DPL_STR("\t\n\f\r a"), DPL_OK, "\t\n\f\r a");
        check_body(fields[i], DPL_STR(""), DPL_OK, "");
        check_body(fields[i], DPL_STR("0123456789abcdef\x01"), DPL_OK, /* the 17th byte */
                   "0123456789abcdef\x01");
    }
}

DPL_TEST(http, a_body_in_another_encoding_is_refused)
{
    static const char *const fields[] = {"Content-Encoding: br\r\n",
                                         "Content-Encoding: zstd\r\n",
                                         "Content-Encoding: Compress\r\n"};
    static const char *const bodies[] = {"\x1B\x0E text", "x\x9C", "\x80",
                                         "0123456789abcde\x01"};
    for (size_t i = 0; i < DPL_LEN(fields); i++)
        for (size_t k = 0; k < DPL_LEN(bodies); k++)
            check_body(fields[i], dpl__cstr(bodies[k]), DPL_E_FORMAT, NULL);
    /* neither header nor raw deflate */
    check_body("Content-Encoding: deflate\r\n", DPL_STR("x\xFF\xFF\xFF\xFF\xFF"), DPL_E_FORMAT,
               NULL);
    static const char eight[] = "Content-Encoding: a, b, c, d\r\nTransfer-Encoding: e,f,g,h",
                      end[] = "\r\n";
    char many[200];
    snprintf(many, sizeof many, "%s%s", eight, end);
    check_body(many, DPL_STR("text"), DPL_OK, "text");
    snprintf(many, sizeof many, "%s,,%s", eight, end);
    check_body(many, DPL_STR("text"), DPL_OK, "text");
    snprintf(many, sizeof many, "%s,i%s", eight, end);
    check_body(many, DPL_STR("text"), DPL_E_FORMAT, NULL);
}

/* ---- sizes --------------------------------------------------------------------------------
 */

DPL_TEST(http, a_body_has_at_most_the_given_size)
{
    static response r;
    enum { N = 100000 };
    dpl_ctx *ctx = test_ctx(1);
    static char text[N];
    memset(text, 'a', N);
    z_stream z = {0};
    CHECK(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (Bytef *)text;
    z.avail_in = N;
    z.next_out = (Bytef *)r.body;
    z.avail_out = sizeof r.body;
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    r.n = z.total_out;
    deflateEnd(&z);
    snprintf(r.fields, sizeof r.fields, "Content-Encoding: gzip\r\n");
    for (uint64_t most = N - 1; most <= N; most++) {
        dpl__arena arena;
        dpl__http h;
        dpl__arena_init(&arena, ctx);
        CHECK_EQ(read_response(&h, &arena, &r, most), most < N ? DPL_E_LIMIT : DPL_OK);
        CHECK(most < N || dpl__str_eq(h.body, (dpl_str){text, N}));
        dpl__arena_clear(&arena);
    }
    /* what is cut off gives what it holds */
    dpl__arena arena;
    dpl__http h;
    dpl__arena_init(&arena, ctx);
    r.n -= 20;
    CHECK_OK(read_response(&h, &arena, &r, N));
    CHECK(h.body.n > 0 && h.body.n < N && memcmp(h.body.data, text, h.body.n) == 0);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

static dpl_status read_both(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const response *r = user;
    char bytes[600];
    const size_t n =
        (size_t)snprintf(bytes, sizeof bytes, "HTTP/1.1 200 OK\r\n%s\r\n", r->fields);
    CHECK(n + r->n <= sizeof bytes);
    memcpy(bytes + n, r->body, r->n);
    dpl__arena arena;
    dpl__http h;
    dpl__arena_init(&arena, ctx);
    const dpl_status status =
        dpl__http_read(&h, &arena, (dpl_str){bytes, n + r->n}, PLENTY, err);
    CHECK(status != DPL_OK || dpl__str_eq(h.body, DPL_STR("some text")));
    dpl__arena_clear(&arena);
    return status;
}

DPL_TEST(http, every_allocation_may_fail)
{
    static response r;
    dpl__rng rng = {3};
    r.n = (size_t)sprintf(r.body, "some text");
    apply(&r, GZIP, &rng);
    apply(&r, CHUNKED, &rng);
    snprintf(r.fields, sizeof r.fields, "Content-Encoding: gzip, chunked\r\n");
    test_allocation_failures(read_both, &r);
}
