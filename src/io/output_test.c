#include "doppel/file.h"

#include "io/container.h"
#include "io/target.h"
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_BYTES = 300000 };

/* Pieces shorter and longer than any buffer: byte i is i % 251. */
static void write_pieces(dpl_output *o)
{
    static unsigned char bytes[N_BYTES];
    static const size_t sizes[] = {1, 0, 40000, 25534, 1, 65536, 65537, 7, N_BYTES};
    for (size_t i = 0; i < N_BYTES; i++)
        bytes[i] = (unsigned char)(i % 251);
    for (size_t at = 0, i = 0; at < N_BYTES; at += dpl__min(sizes[i++], N_BYTES - at))
        dpl_output_write(o, bytes + at, dpl__min(sizes[i], N_BYTES - at));
}

static dpl_status write_file(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, ctx, user, err));
    write_pieces(o);
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
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
    dpl_output *o = NULL;
    CHECK_OK(dpl_output_new(&o, ctx, path, &test_err));
    write_pieces(o);
    CHECK(access(path, F_OK) != 0);
    dpl_output_free(o); /* given up */
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

static mode_t mode_of(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 ? st.st_mode : 0;
}

DPL_TEST(output, keeps_the_mode_of_the_file_it_replaces)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_write("out", "old", 3);
    CHECK(chmod(path, 0600) == 0);
    CHECK_OK(write_file((void *)path, ctx, &test_err));
    CHECK_EQ(mode_of(path) & 07777, 0600);
    CHECK(chmod(path, 0664) == 0);
    CHECK_OK(write_file((void *)path, ctx, &test_err));
    CHECK_EQ(mode_of(path) & 07777, 0664);
    test_ctx_done(ctx);
}

DPL_TEST(output, follows_links_and_leaves_them_in_place)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *link = test_path("link"), *chain = test_path("chain");
    CHECK(mkdir(test_path("sub"), 0700) == 0);
    const char *real = test_path("sub/real");
    CHECK(symlink("sub/real", link) == 0 && symlink(link, chain) == 0);
    for (int i = 0; i < 2; i++) { /* to nowhere, then to a file */
        CHECK_OK(write_file((void *)chain, ctx, &test_err));
        CHECK(S_ISLNK(mode_of(link)) && S_ISLNK(mode_of(chain)) && S_ISREG(mode_of(real)));
        check_bytes(real);
    }
    CHECK(unlink(link) == 0 && symlink("chain", link) == 0);
    CHECK_EQ(write_file((void *)link, ctx, &test_err), DPL_E_IO);
    CHECK_EQ(test_err.sys_errno, ELOOP);
    test_ctx_done(ctx);
}

static void *drain(void *user)
{
    static char bytes[2 * N_BYTES];
    size_t n = 0;
    FILE *f = fopen(user, "rb");
    if (f) {
        n = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
    }
    bool is_good = n == N_BYTES;
    for (size_t i = 0; i < n; i++)
        is_good &= (unsigned char)bytes[i] == i % 251;
    return is_good ? user : NULL;
}

DPL_TEST(output, is_streamed_to_a_fifo_and_a_device)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("fifo");
    CHECK(mkfifo(path, 0600) == 0);
    pthread_t reader;
    void *answer = NULL;
    CHECK(pthread_create(&reader, NULL, drain, (void *)(uintptr_t)path) == 0);
    CHECK_OK(write_file((void *)path, ctx, &test_err));
    CHECK(pthread_join(reader, &answer) == 0 && answer);
    CHECK(S_ISFIFO(mode_of(path)));
    CHECK_OK(write_file("/dev/null", ctx, &test_err));
    CHECK(S_ISCHR(mode_of("/dev/null")));
    CHECK_EQ(write_file("/dev/full", ctx, &test_err), DPL_E_IO);
    CHECK_EQ(test_err.sys_errno, ENOSPC);
    CHECK_EQ(write_file((void *)test_dir(), ctx, &test_err), DPL_E_IO);
    CHECK_EQ(test_err.sys_errno, EISDIR);
    test_ctx_done(ctx);
}

DPL_TEST(output, goes_on_where_a_descriptor_stands)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_write("out", "old", 3);
    int fd = open(path, O_WRONLY | O_APPEND);
    char name[40];
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    dpl_output *o = NULL;
    CHECK_OK(dpl_output_new(&o, ctx, name, &test_err));
    dpl_output_write(o, "new", 3);
    CHECK_OK(dpl_output_finish(o, &test_err));
    dpl_output_free(o);
    close(fd);
    size_t n;
    char *bytes = test_read(path, &n);
    CHECK_STR(((dpl_str){bytes, n}), "oldnew");
    free(bytes);
    test_ctx_done(ctx);
}

static void *count_bytes(void *user)
{
    static size_t n;
    FILE *f = fopen(user, "rb");
    for (n = 0; f && fgetc(f) != EOF;)
        n++;
    if (f)
        fclose(f);
    return &n;
}

DPL_TEST(output, a_container_is_copied_to_a_fifo)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("fifo");
    CHECK(mkfifo(path, 0600) == 0);
    pthread_t reader;
    void *n_read = NULL;
    CHECK(pthread_create(&reader, NULL, count_bytes, (void *)(uintptr_t)path) == 0);
    dpl__writer *w = NULL;
    uint64_t n_bytes = 0;
    CHECK_OK(dpl__writer_new(&w, ctx, path, "sample", &test_err));
    CHECK_OK(dpl__writer_add(w, "bytes", 1, "abc", 3, &test_err));
    CHECK_OK(dpl__writer_finish(w, &n_bytes, &test_err));
    dpl__writer_free(w);
    CHECK(pthread_join(reader, &n_read) == 0);
    CHECK(S_ISFIFO(mode_of(path)) && n_bytes > 64);
    CHECK_EQ(*(size_t *)n_read, n_bytes);
    test_ctx_done(ctx);
}

DPL_TEST(output, knows_the_names_of_files_under_construction)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__target t;
    CHECK_OK(dpl__target_open(&t, ctx, test_path("pairs.tsv"), false, &test_err));
    CHECK(dpl__is_temporary_name(t.temporary));
    CHECK_OK(dpl__target_close(&t, &test_err));
    static const char *const others[] = {"a.dpl.backup",     "a.doppel-",
                                         "a.doppel-BACKUP",  "a.doppel-abcdefg",
                                         ".doppel-abcdef/x", ""};
    for (size_t i = 0; i < DPL_LEN(others); i++)
        CHECK(!dpl__is_temporary_name(others[i]));
    char name[251]; /* no longer than names may be */
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    CHECK_OK(write_file((void *)test_path(name), ctx, &test_err));
    test_ctx_done(ctx);
}

DPL_TEST(output, an_input_is_not_overwritten)
{
    const char *path = test_write("in", "x", 1), *link = test_path("link");
    CHECK(symlink("in", link) == 0);
    const char *const inputs[] = {NULL, path};
    CHECK_EQ(dpl__check_overwrite(link, inputs, 2, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.code), "output-is-input");
    CHECK_OK(dpl__check_overwrite(test_path("other"), inputs, 2, &test_err));
    const char *const device = "/dev/null"; /* reads nothing, keeps nothing */
    CHECK_OK(dpl__check_overwrite(device, &device, 1, &test_err));
}

static int lock_old(const char *name)
{
    static const struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
    int fd = open(test_write(name, "x", 1), O_RDONLY);
    CHECK(fd >= 0 && futimens(fd, old) == 0);
    return fd;
}

DPL_TEST(output, of_a_killed_writer_is_removed_by_the_next)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_output *o = NULL;
    close(lock_old("out.tsv.doppel-abc123"));
    close(lock_old("other.tsv.doppel-abc123"));
    close(lock_old("out.tsv.doppel-ABC123"));
    int fd = lock_old("out.tsv.doppel-held00");
    CHECK(flock(fd, LOCK_EX) == 0);
    test_write("out.tsv.doppel-fresh0", "x", 1);
    CHECK_OK(dpl_output_new(&o, ctx, test_path("out.tsv"), &test_err));
    CHECK_OK(dpl_output_finish(o, &test_err));
    dpl_output_free(o);
    CHECK(access(test_path("out.tsv"), F_OK) == 0);
    CHECK(access(test_path("out.tsv.doppel-abc123"), F_OK) != 0);
    CHECK(access(test_path("other.tsv.doppel-abc123"), F_OK) == 0);
    CHECK(access(test_path("out.tsv.doppel-ABC123"), F_OK) == 0);
    CHECK(access(test_path("out.tsv.doppel-held00"), F_OK) == 0);
    CHECK(access(test_path("out.tsv.doppel-fresh0"), F_OK) == 0);
    close(fd);
    test_ctx_done(ctx);
}

/* ---- locks on names ------------------------------------------------------------------- */

/* A child that holds the lock until it is killed. */
static pid_t start_owner(const char *path)
{
    int ends[2];
    char byte = 0;
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dpl__name_lock lock;
        if (dpl__name_lock_take(&lock, path, NULL) != DPL_OK || write(ends[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    close(ends[1]);
    CHECK_EQ(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return child;
}

DPL_TEST(name_lock, is_had_by_one_process_and_names_it)
{
    char path[600], file[700], owner[40];
    dpl__name_lock lock, other;
    snprintf(path, sizeof path, "%s", test_path("x.pocket"));
    snprintf(file, sizeof file, "%s.doppel-locked", path);
    const pid_t child = start_owner(path);
    snprintf(owner, sizeof owner, "process %ld writes it", (long)child);
    CHECK_EQ(dpl__name_lock_take(&lock, path, &test_err), DPL_E_IO);
    CHECK(strstr(test_err.text, owner) != NULL);
    CHECK(strcmp(test_err.code, "file-in-use") == 0);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    CHECK(access(file, F_OK) == 0);
    CHECK_OK(dpl__name_lock_take(&lock, path, &test_err)); /* that of the dead one */
    CHECK_EQ(dpl__name_lock_take(&other, path, &test_err), DPL_E_IO);
    dpl__name_lock_release(&lock);
    dpl__name_lock_release(&other);
    CHECK(access(file, F_OK) != 0);
}
