#include "io/input.h"

#include "base/hash.h"
#include "base/vec.h"
#include "io/codec.h"
#include "test.h"

#include <bzlib.h>
#include <fcntl.h>
#include <lzma.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* ---- one small file of each kind ------------------------------------------------------ */

typedef struct packed {
    uint8_t data[1 << 16];
    size_t n;
} packed;

static void add_plain(packed *to, const void *data, size_t n)
{
    memcpy(to->data + to->n, data, n);
    to->n += n;
}

static void add_gzip(packed *to, const void *data, size_t n)
{
    z_stream s = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)n};
    s.next_out = to->data + to->n;
    s.avail_out = (uInt)(sizeof to->data - to->n);
    CHECK_EQ(deflateInit2(&s, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    CHECK_EQ(deflate(&s, Z_FINISH), Z_STREAM_END);
    to->n = sizeof to->data - s.avail_out;
    deflateEnd(&s);
}

static void add_zstd(packed *to, const void *data, size_t n)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    CHECK(c != NULL);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    size_t r = ZSTD_compress2(c, to->data + to->n, sizeof to->data - to->n, data, n);
    ZSTD_freeCCtx(c);
    CHECK(!ZSTD_isError(r));
    to->n += r;
}

static void add_xz(packed *to, const void *data, size_t n)
{
    CHECK_EQ(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, data, n, to->data, &to->n,
                                     sizeof to->data),
             LZMA_OK);
}

static void add_bzip2(packed *to, const void *data, size_t n)
{
    unsigned room = (unsigned)(sizeof to->data - to->n);
    CHECK_EQ(BZ2_bzBuffToBuffCompress((char *)to->data + to->n, &room, (char *)(uintptr_t)data,
                                      (unsigned)n, 1, 0, 0),
             BZ_OK);
    to->n += room;
}

static const struct kind {
    const char *name;
    void (*add)(packed *to, const void *data, size_t n);
    const char *behind; /* what garbage behind the end is called */
} kinds[] = {{"gzip", add_gzip, "bytes behind the gzip data"},
             {"zstd", add_zstd, "bytes behind the zstd data"},
             {"xz", add_xz, "damaged xz data"}, /* liblzma reads on to see that */
             {"bzip2", add_bzip2, "bytes behind the bzip2 data"}};

/* ---- reading --------------------------------------------------------------------------- */

/* All of it, through reads of `step` bytes; closes it. */
static dpl_status read_all(dpl_ctx *ctx, dpl__bytes *to, dpl__input *in, size_t step,
                           dpl_error *err)
{
    to->n = 0;
    dpl_status status = DPL_OK;
    size_t got = 1;
    while (status == DPL_OK && got > 0) {
        if (!dpl__vec_reserve(ctx, to, step)) {
            status = dpl__fail_nomem(err);
            break;
        }
        status = dpl__input_read(in, to->data + to->n, step, &got, err);
        to->n += got;
    }
    dpl__input_close(in);
    return status;
}

static dpl_status read_memory(dpl_ctx *ctx, dpl__bytes *to, const void *data, size_t n,
                              size_t step, dpl_error *err)
{
    dpl__input *in = NULL;
    DPL_TRY(dpl__input_open_memory(&in, ctx, "data", data, n, err));
    return read_all(ctx, to, in, step, err);
}

static dpl_status read_file(dpl_ctx *ctx, dpl__bytes *to, const char *path, size_t step,
                            dpl_error *err)
{
    dpl__input *in = NULL;
    DPL_TRY(dpl__input_open(&in, ctx, path, err));
    return read_all(ctx, to, in, step, err);
}

static bool is_equal(const dpl__bytes *bytes, const void *data, size_t n)
{
    return bytes->n == n && (n == 0 || memcmp(bytes->data, data, n) == 0);
}

/* "the quick text 17 ..." */
static size_t make_text(char *text, size_t cap)
{
    size_t n = 0;
    for (int i = 0; n + 40 < cap; i++)
        n += (size_t)snprintf(text + n, 40, "line %d of %d, or %x\n", i, i * i % 17, i * 7919);
    return n;
}

/* ---- what is in comes out -------------------------------------------------------------- */

DPL_TEST(input, every_codec_gives_back_what_went_in)
{
    static char text[40000];
    size_t n = make_text(text, sizeof text), steps[] = {1, 7, 1 << 16, 1 << 20};
    dpl_ctx *ctx = test_ctx(2);
    dpl__bytes out = {0};
    for (size_t k = 0; k < DPL_LEN(kinds); k++) {
        static packed p;
        p.n = 0;
        kinds[k].add(&p, text, n / 3);
        kinds[k].add(&p, "", 0);
        kinds[k].add(&p, text + n / 3, n - n / 3);
        kinds[k].add(&p, "", 0);
        const char *path = test_write(kinds[k].name, p.data, p.n);
        for (size_t i = 0; i < DPL_LEN(steps); i++) {
            CHECK_OK(read_memory(ctx, &out, p.data, p.n, steps[i], &test_err));
            CHECK(is_equal(&out, text, n));
            CHECK_OK(read_file(ctx, &out, path, steps[i], &test_err));
            CHECK(is_equal(&out, text, n));
        }
    }
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

/* Four megabytes, long enough that a thread reads ahead. */
static dpl__bytes make_long_text(dpl_ctx *ctx)
{
    char text[3000];
    const size_t n = make_text(text, sizeof text);
    dpl__bytes all = {0};
    while (all.n < 4 << 20)
        CHECK(dpl__vec_append(ctx, &all, text, n));
    return all;
}

DPL_TEST(input, long_data_are_the_same_on_many_threads_whole_or_damaged)
{
    static packed p;
    dpl_ctx *ctxs[2] = {test_ctx(1), test_ctx(4)};
    dpl__bytes text = make_long_text(ctxs[0]), out[2] = {{0}, {0}};
    for (size_t k = 0; k < DPL_LEN(kinds); k++) {
        if (kinds[k].add == add_bzip2) /* which reads on all threads */
            continue;
        p.n = 0;
        kinds[k].add(&p, text.data, text.n);
        const char *path = test_write(kinds[k].name, p.data, p.n);
        CHECK_OK(read_file(ctxs[1], &out[1], path, 1 << 16, &test_err));
        CHECK(is_equal(&out[1], text.data, text.n));
        for (int damage = 0; damage < 2; damage++) {
            dpl_error errs[2] = {{0}, {0}};
            p.n -= p.n / 8;
            p.data[p.n / 10 * 9] ^= (uint8_t)(damage * 64);
            path = test_write("damaged", p.data, p.n);
            for (int i = 0; i < 2; i++)
                CHECK_EQ(read_file(ctxs[i], &out[i], path, 1 << 17, &errs[i]), DPL_E_FORMAT);
            CHECK_STR(dpl__cstr(errs[0].text), errs[1].text);
            CHECK(is_equal(&out[0], out[1].data, out[1].n));
        }
    }
    for (int i = 0; i < 2; i++)
        dpl__vec_clear(ctxs[i], &out[i]);
    dpl__vec_clear(ctxs[0], &text);
    test_ctx_done(ctxs[0]);
    test_ctx_done(ctxs[1]);
}

DPL_TEST(input, may_be_closed_while_a_thread_reads_ahead)
{
    static packed p;
    dpl_ctx *ctx = test_ctx(4);
    dpl__bytes text = make_long_text(ctx);
    char buffer[1 << 12];
    p.n = 0;
    add_zstd(&p, text.data, text.n);
    for (size_t n_reads = 0; n_reads < 600; n_reads += 40) {
        dpl__input *in = NULL;
        size_t got = 0, n = 0;
        CHECK_OK(dpl__input_open_memory(&in, ctx, "data", p.data, p.n, &test_err));
        for (size_t i = 0; i < n_reads; i++, n += got)
            CHECK_OK(dpl__input_read(in, buffer, sizeof buffer, &got, &test_err));
        CHECK(!n_reads || memcmp(buffer, text.data + n - got, got) == 0);
        CHECK(dpl__input_position(in) <= p.n);
        dpl__input_close(in);
    }
    dpl__vec_clear(ctx, &text);
    test_ctx_done(ctx);
}

DPL_TEST(input, anything_else_passes_through)
{
    static char text[300000]; /* longer than the buffer */
    size_t n = make_text(text, sizeof text), steps[] = {1, 999, 1 << 16, 1 << 20};
    static const dpl_str shorts[] = {{"", 0},
                                     {"a", 1},
                                     {"\x1F", 1},
                                     {"\xFD"
                                      "7zXZ",
                                      5},
                                     {"BZh", 3},
                                     {"BZh0 and more", 13},
                                     {"BZx91AY&SY", 10},
                                     {"(\xB5/", 3},
                                     {"\x00\x00", 2}};
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes out = {0};
    for (size_t i = 0; i < DPL_LEN(shorts); i++) {
        const char *path = test_write("short", shorts[i].data, shorts[i].n);
        CHECK_OK(read_memory(ctx, &out, shorts[i].data, shorts[i].n, 100, &test_err));
        CHECK(is_equal(&out, shorts[i].data, shorts[i].n));
        CHECK_OK(read_file(ctx, &out, path, 100, &test_err));
        CHECK(is_equal(&out, shorts[i].data, shorts[i].n));
    }
    const char *path = test_write("long", text, n);
    for (size_t i = 0; i < DPL_LEN(steps); i++) {
        CHECK_OK(read_file(ctx, &out, path, steps[i], &test_err));
        CHECK(is_equal(&out, text, n));
    }
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

DPL_TEST(input, knows_its_name_position_and_size)
{
    static packed p;
    p.n = 0;
    add_gzip(&p, "twelve bytes", 12);
    const char *path = test_write("known.gz", p.data, p.n);
    dpl_ctx *ctx = test_ctx(1);
    dpl__input *in = NULL;
    CHECK_OK(dpl__input_open(&in, ctx, path, &test_err));
    CHECK_STR(dpl__cstr(dpl__input_name(in)), path);
    CHECK_EQ(dpl__input_position(in), 0);
    CHECK_EQ(dpl__input_size(in), p.n);
    char buffer[100];
    size_t got;
    CHECK_OK(dpl__input_read(in, buffer, sizeof buffer, &got, &test_err));
    CHECK_EQ(got, 12);
    CHECK_OK(dpl__input_read(in, buffer, sizeof buffer, &got, &test_err));
    CHECK_EQ(got, 0);
    CHECK_EQ(dpl__input_position(in), p.n);
    dpl__input_close(in);
    test_ctx_done(ctx);
}

DPL_TEST(input, zero_bytes_may_follow_gzip_data_and_skippable_frames_may_precede_zstd_data)
{
    static packed p;
    static const uint8_t zeros[1000],
        frame[] = {0x57, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes out = {0};
    p.n = 0;
    add_gzip(&p, "text", 4);
    add_plain(&p, zeros, sizeof zeros);
    CHECK_OK(read_memory(ctx, &out, p.data, p.n, 100, &test_err));
    CHECK(is_equal(&out, "text", 4));
    p.n = 0;
    add_plain(&p, frame, sizeof frame);
    add_zstd(&p, "te", 2);
    add_plain(&p, frame, sizeof frame);
    add_zstd(&p, "xt", 2);
    add_plain(&p, frame, sizeof frame);
    CHECK_OK(read_memory(ctx, &out, p.data, p.n, 100, &test_err));
    CHECK(is_equal(&out, "text", 4));
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

DPL_TEST(input, a_skippable_frame_may_be_long_and_takes_no_memory)
{
    static uint8_t file[(1 << 20) + 100] = {0x50, 0x2A, 0x4D, 0x18, 0, 0, 0x10, 0}; /* 1 MiB */
    static packed p;
    p.n = 0;
    add_zstd(&p, "text", 4);
    memcpy(file + 8 + (1 << 20), p.data, p.n);
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes out = {0};
    CHECK_OK(
        read_file(ctx, &out, test_write("long", file, 8 + (1 << 20) + p.n), 10, &test_err));
    CHECK(is_equal(&out, "text", 4));
    file[7] = 0xFF; /* nearly 4 GiB, which are not there */
    CHECK_EQ(read_file(ctx, &out, test_write("longer", file, sizeof file), 10, &test_err),
             DPL_E_FORMAT);
    CHECK(strstr(test_err.text, "truncated zstd data") != NULL);
    CHECK(dpl_ctx_peak(ctx) < 1 << 20);
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

/* ---- what is damaged is refused ------------------------------------------------------- */

DPL_TEST(input, every_truncation_is_refused)
{
    static char text[3000];
    size_t n = make_text(text, sizeof text);
    dpl_ctx *ctx = test_ctx(2);
    dpl__bytes out = {0};
    for (size_t k = 0; k < DPL_LEN(kinds); k++) {
        static packed p;
        p.n = 0;
        kinds[k].add(&p, text, n / 2);
        size_t between = p.n;
        kinds[k].add(&p, text + n / 2, n - n / 2);
        for (size_t cut = 6; cut < p.n; cut++) {
            dpl_error err = {0};
            dpl_status status = read_memory(ctx, &out, p.data, cut, 1000, &err);
            CHECK_EQ(status, cut == between ? DPL_OK : DPL_E_FORMAT);
            CHECK(out.n <= n && memcmp(out.data, text, out.n) == 0);
            char expected[100];
            snprintf(expected, sizeof expected,
                     "'data': truncated %s data at byte %zu of the file", kinds[k].name, cut);
            CHECK_STR(dpl__cstr(err.text), cut == between ? "" : expected);
            CHECK_EQ(err.offset, cut == between ? 0 : cut);
        }
    }
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

DPL_TEST(input, a_flipped_bit_never_changes_the_text_unnoticed)
{
    static char text[1500];
    size_t n = make_text(text, sizeof text);
    dpl_ctx *ctx = test_ctx(2);
    dpl__bytes out = {0};
    for (size_t k = 0; k < DPL_LEN(kinds); k++) {
        static packed p;
        p.n = 0;
        kinds[k].add(&p, text, n);
        size_t n_refused = 0;
        for (size_t bit = 8 * 6; bit < 8 * p.n; bit++) { /* behind the magic */
            p.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            dpl_error err = {0};
            dpl_status status = read_memory(ctx, &out, p.data, p.n, 1 << 16, &err);
            p.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            n_refused += status != DPL_OK;
            if (status == DPL_OK && !is_equal(&out, text, n))
                dpl__test_fail(__FILE__, __LINE__, "%s, bit %zu", kinds[k].name, bit);
        }
        CHECK(n_refused > 7 * p.n);
    }
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

DPL_TEST(input, bytes_behind_the_end_are_refused)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl__bytes out = {0};
    for (size_t k = 0; k < DPL_LEN(kinds); k++) {
        static packed p;
        p.n = 0;
        kinds[k].add(&p, "text", 4);
        size_t end = p.n;
        add_plain(&p, "garbage that is long enough", 27);
        CHECK_EQ(read_memory(ctx, &out, p.data, p.n, 100, &test_err), DPL_E_FORMAT);
        CHECK(is_equal(&out, "text", 4));
        CHECK(strstr(test_err.text, kinds[k].behind) != NULL);
        CHECK(test_err.offset >= end);
    }
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

DPL_TEST(input, a_failure_stays)
{
    static packed p;
    p.n = 0;
    add_gzip(&p, "text", 4);
    dpl_ctx *ctx = test_ctx(1);
    dpl__input *in = NULL;
    CHECK_OK(dpl__input_open_memory(&in, ctx, "data", p.data, p.n - 1, &test_err));
    char buffer[10];
    size_t got;
    CHECK_OK(dpl__input_read(in, buffer, sizeof buffer, &got, &test_err));
    CHECK_EQ(got, 4);
    for (int i = 0; i < 3; i++) {
        dpl_error err = {0};
        CHECK_EQ(dpl__input_read(in, buffer, sizeof buffer, &got, &err), DPL_E_FORMAT);
        CHECK_EQ(got, 0);
        CHECK(strstr(err.text, "truncated gzip data") != NULL);
    }
    CHECK_EQ(dpl__input_read(in, buffer, sizeof buffer, &got, NULL), DPL_E_FORMAT);
    dpl__input_close(in);
    test_ctx_done(ctx);
}

/* ---- limits ----------------------------------------------------------------------------- */

static dpl_ctx *limited_ctx(uint64_t memory)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = memory);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    return ctx;
}

DPL_TEST(input, a_zstd_window_above_the_memory_limit_is_refused)
{
    /* a frame with a window of 2^28 bytes, and one raw block of 4 bytes, the last */
    static const uint8_t frame[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, (28 - 10) << 3, 0x21, 0x00,
                                    0x00, 't',  'e',  'x',  't'};
    dpl_ctx *ctx = limited_ctx(200 << 20);
    dpl__bytes out = {0};
    CHECK_EQ(read_memory(ctx, &out, frame, sizeof frame, 100, &test_err), DPL_E_LIMIT);
    CHECK_STR(dpl__cstr(test_err.text),
              "'data': the zstd data needs a window of more than 128 MiB");
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);

    ctx = limited_ctx(300 << 20);
    CHECK_OK(read_memory(ctx, &out, frame, sizeof frame, 100, &test_err));
    CHECK(is_equal(&out, "text", 4));
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

DPL_TEST(input, xz_data_above_the_memory_limit_is_refused)
{
    static packed p;
    p.n = 0;
    CHECK_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, (const uint8_t *)"text", 4,
                                     p.data, &p.n, sizeof p.data),
             LZMA_OK); /* 8 MiB of dictionary */
    dpl_ctx *ctx = limited_ctx(4 << 20);
    dpl__bytes out = {0};
    CHECK_EQ(read_memory(ctx, &out, p.data, p.n, 100, &test_err), DPL_E_LIMIT);
    CHECK_STR(dpl__cstr(test_err.text),
              "'data': the xz data needs 9 MiB, more than the memory limit");
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

/* ---- what the system refuses ------------------------------------------------------------ */

static void check_refused(const char *path, int sys_errno, const char *text)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__input *in = NULL;
    dpl_error err = {0};
    CHECK_EQ(dpl__input_open(&in, ctx, path, &err), DPL_E_IO);
    CHECK(in == NULL);
    CHECK_EQ(err.sys_errno, sys_errno);
    CHECK_STR(dpl__cstr(err.text), text);
    test_ctx_done(ctx);
}

DPL_TEST(input, a_missing_file_a_directory_and_an_unreadable_file_say_so)
{
    char text[700];
    const char *path = test_path("missing");
    snprintf(text, sizeof text, "cannot open '%s': No such file or directory", path);
    check_refused(path, ENOENT, text);
    snprintf(text, sizeof text, "cannot read '%s': Is a directory", test_dir());
    check_refused(test_dir(), EISDIR, text);
    if (geteuid() == 0)
        return; /* may read everything */
    path = test_write("secret", "x", 1);
    CHECK_EQ(chmod(path, 0), 0);
    snprintf(text, sizeof text, "cannot open '%s': Permission denied", path);
    check_refused(path, EACCES, text);
}

/* Runs body with fd as standard input (-1: closed), then puts the old one back. */
static void with_stdin(int fd, void (*body)(void))
{
    int saved = dup(STDIN_FILENO);
    if (fd < 0)
        close(STDIN_FILENO);
    else
        CHECK(dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    body();
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
}

static void stdin_is_closed(void)
{
    check_refused("-", EBADF, "cannot read '(standard input)': Bad file descriptor");
}

static void stdin_has_text(void)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes out = {0};
    dpl__input *in = NULL;
    CHECK_OK(dpl__input_open(&in, ctx, "-", &test_err));
    CHECK_STR(dpl__cstr(dpl__input_name(in)), "(standard input)");
    CHECK_EQ(dpl__input_size(in), 0);
    CHECK_OK(read_all(ctx, &out, in, 1 << 20, &test_err));
    CHECK(out.n == 5000 && out.data[0] == 'a' && out.data[4999] == 'a');
    CHECK(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* not ours to close */
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

/* Byte by byte at first, so that even the magic comes in pieces; then slowly. */
static void *write_slowly(void *arg)
{
    static packed p;
    char text[5000];
    memset(text, 'a', sizeof text);
    p.n = 0;
    add_gzip(&p, text, sizeof text);
    int fd = *(int *)arg;
    for (size_t i = 0; i < p.n; i++) {
        struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
        if (write(fd, p.data + i, 1) != 1)
            break;
    }
    close(fd);
    return NULL;
}

static void do_nothing(int sig)
{
    (void)sig;
}

DPL_TEST(input, standard_input_may_be_a_slow_pipe_with_signals_in_between)
{
    int fds[2];
    CHECK_EQ(pipe(fds), 0);
    struct sigaction action = {.sa_handler = do_nothing}, old; /* no SA_RESTART */
    sigaction(SIGALRM, &action, &old);
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    pthread_t writer;
    CHECK_EQ(pthread_create(&writer, NULL, write_slowly, &fds[1]), 0);
    setitimer(ITIMER_REAL, &often, NULL);
    with_stdin(fds[0], stdin_has_text);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &old, NULL);
    pthread_join(writer, NULL);
    close(fds[0]);
}

DPL_TEST(input, closed_standard_input_says_so)
{
    with_stdin(-1, stdin_is_closed);
}

/* ---- memory ----------------------------------------------------------------------------- */

static dpl_status read_for_failures(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__bytes out = {0};
    dpl_status status = read_file(ctx, &out, user, 1000, err);
    dpl__vec_clear(ctx, &out);
    return status;
}

DPL_TEST(input, every_allocation_may_fail)
{
    static char text[3000];
    size_t n = make_text(text, sizeof text);
    static packed p;
    for (size_t k = 0; k < DPL_LEN(kinds); k++) {
        p.n = 0;
        kinds[k].add(&p, text, n / 2);
        kinds[k].add(&p, text + n / 2, n - n / 2);
        char path[600];
        snprintf(path, sizeof path, "%s", test_write(kinds[k].name, p.data, p.n));
        test_allocation_failures(read_for_failures, path);
    }
}

static dpl_status read_runs(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const packed *p = user;
    dpl__input *in = NULL;
    DPL_TRY(dpl__input_open_memory(&in, ctx, "data", p->data, p->n, err));
    static char buffer[1 << 16];
    size_t got;
    dpl_status status;
    do
        status = dpl__input_read(in, buffer, sizeof buffer, &got, err);
    while (status == DPL_OK && got);
    dpl__input_close(in);
    return status;
}

DPL_TEST(input, every_allocation_of_the_serial_bzip2_decoder_may_fail)
{
    static packed p;
    static char runs[6 << 20]; /* more than a block that is decoded ahead may have */
    p.n = 0;
    add_bzip2(&p, runs, sizeof runs);
    test_allocation_failures(read_runs, &p);
}
