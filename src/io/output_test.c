#include "io/output.h"

#include "test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_BYTES = 300000 };

/* Pieces shorter and longer than any buffer: byte i is i % 251. */
static void write_pieces(dpl__output *o)
{
    static unsigned char bytes[N_BYTES];
    static const size_t sizes[] = {1, 0, 40000, 25534, 1, 65536, 65537, 7, N_BYTES};
    for (size_t i = 0; i < N_BYTES; i++)
        bytes[i] = (unsigned char)(i % 251);
    for (size_t at = 0, i = 0; at < N_BYTES; at += dpl__min(sizes[i++], N_BYTES - at))
        dpl__output_write(o, bytes + at, dpl__min(sizes[i], N_BYTES - at));
}

static dpl_status write_file(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__output *o = NULL;
    DPL_TRY(dpl__output_new(&o, ctx, user, err));
    write_pieces(o);
    dpl_status status = dpl__output_finish(o, err);
    dpl__output_free(o);
    return status;
}

static void check_bytes(const char *path)
{
    size_t n;
    char *bytes = test_read(path, &n);
    CHECK_EQ(n, N_BYTES);
    for (size_t i = 0; i < n; i++)
        CHECK_EQ((unsigned char)bytes[i], i % 251);
    free(bytes);
}

DPL_TEST(output, has_the_bytes_in_order)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("out");
    CHECK_OK(write_file((void *)path, ctx, &test_err));
    check_bytes(path);
    struct stat st;
    mode_t mask = umask(0);
    umask(mask);
    CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == (0666 & ~mask));
    test_ctx_done(ctx);
}

DPL_TEST(output, appears_when_it_is_finished_and_not_before)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("out");
    dpl__output *o = NULL;
    CHECK_OK(dpl__output_new(&o, ctx, path, &test_err));
    write_pieces(o);
    CHECK(access(path, F_OK) != 0);
    dpl__output_free(o); /* given up */
    CHECK(access(path, F_OK) != 0);
    CHECK(rmdir(test_dir()) == 0 && mkdir(test_dir(), 0700) == 0); /* nothing else left */
    test_ctx_done(ctx);
}

/* A limit on the size of files stands for a disk that is full: writes fail at that place. */
DPL_TEST(output, survives_a_full_disk_and_leaves_the_old_file)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_write("out", "old", 3);
    struct rlimit old;
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    dpl_status status = DPL_E_IO;
    for (rlim_t limit = 0; status != DPL_OK; limit += 50000) {
        struct rlimit full = {limit, old.rlim_max};
        CHECK(setrlimit(RLIMIT_FSIZE, &full) == 0);
        status = write_file((void *)path, ctx, &test_err);
        CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
        if (status == DPL_OK)
            break;
        CHECK_EQ(status, DPL_E_IO);
        CHECK(test_err.sys_errno == EFBIG && strstr(test_err.text, "cannot write") != NULL);
        size_t n;
        free(test_read(path, &n));
        CHECK_EQ(n, 3);
    }
    signal(SIGXFSZ, old_handler);
    check_bytes(path);
    CHECK(unlink(path) == 0 && rmdir(test_dir()) == 0 && mkdir(test_dir(), 0700) == 0);
    test_ctx_done(ctx);
}

DPL_TEST(output, fails_clearly_when_it_cannot_be_made)
{
    dpl_ctx *ctx = test_ctx(1);
    CHECK_EQ(write_file((void *)test_path("no/such/folder"), ctx, &test_err), DPL_E_IO);
    CHECK(strstr(test_err.text, "cannot create '") == test_err.text);
    char path[5000];
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = 0;
    CHECK_EQ(write_file(path, ctx, &test_err), DPL_E_IO);
    CHECK_EQ(test_err.sys_errno, ENAMETOOLONG);
    test_ctx_done(ctx);
}

DPL_TEST(output, survives_failing_allocations)
{
    test_allocation_failures(write_file, (void *)test_path("out"));
}
