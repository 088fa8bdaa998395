/*
 * main.c - runs the registered tests; see test.h.
 *
 * Prints one line per test and "N passed, N failed" at the end (", N skipped" when some were).
 */
#define _GNU_SOURCE /* nftw */
#include "test.h"

#include "base/ctx.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

dpl_error test_err;

static dpl__test *tests;
static jmp_buf leave_test;
enum { PASSED, FAILED, SKIPPED };
static char directory[256];
/* What test_path gave out; freed when the test ends. */
typedef struct path {
    struct path *next;
    char text[512];
} path;
static path *paths;

void dpl__test_register(dpl__test *test)
{
    dpl__test **at = &tests; /* sorted, so that the order does not depend on the linker */
    while (*at &&
           (strcmp((*at)->suite, test->suite) < 0 ||
            (strcmp((*at)->suite, test->suite) == 0 && strcmp((*at)->name, test->name) < 0)))
        at = &(*at)->next;
    test->next = *at;
    *at = test;
}

void dpl__test_fail(const char *file, int line, const char *fmt, ...)
{
    printf("    %s:%d: ", file, line);
    va_list ap;
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
    longjmp(leave_test, 1 + FAILED);
}

void dpl__test_skip(const char *reason)
{
    printf("    skipped: %s\n", reason);
    longjmp(leave_test, 1 + SKIPPED);
}

dpl_ctx *test_ctx(unsigned n_threads)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = n_threads ? n_threads : 2);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    return ctx;
}

/* What an idle context holds: its pool. */
static uint64_t idle_bytes(unsigned n_threads)
{
    dpl_ctx *ctx = test_ctx(n_threads);
    uint64_t n = dpl__ctx_used(ctx);
    dpl_ctx_free(ctx);
    return n;
}

void test_ctx_done(dpl_ctx *ctx)
{
    uint64_t n = dpl__ctx_used(ctx), idle = idle_bytes(dpl_ctx_threads(ctx));
    dpl_ctx_free(ctx);
    if (n != idle)
        dpl__test_fail(__FILE__, __LINE__, "%llu bytes were not given back",
                       (unsigned long long)(n - idle));
}

const char *test_dir(void)
{
    return directory;
}

const char *test_path(const char *name)
{
    path *p = malloc(sizeof *p);
    CHECK(p != NULL);
    snprintf(p->text, sizeof p->text, "%s/%s", directory, name);
    p->next = paths;
    paths = p;
    return p->text;
}

const char *test_write(const char *name, const void *data, size_t n)
{
    const char *where = test_path(name);
    unlink(where); /* writing over a file makes some file systems wait for the disk */
    FILE *f = fopen(where, "wb");
    CHECK(f != NULL);
    CHECK(fwrite(data, 1, n, f) == n);
    CHECK(fclose(f) == 0);
    return where;
}

char *test_read(const char *where, size_t *n)
{
    FILE *f = fopen(where, "rb");
    CHECK(f != NULL);
    size_t have = 0, cap = 1 << 16;
    char *data = malloc(cap);
    for (size_t got; data && (got = fread(data + have, 1, cap - have - 1, f)) > 0;) {
        have += got;
        if (cap - have < 2)
            data = realloc(data, cap *= 2);
    }
    fclose(f);
    CHECK(data != NULL);
    data[have] = 0;
    if (n)
        *n = have;
    return data;
}

typedef struct countdown {
    size_t left; /* allocations until the one that fails */
    size_t held;
} countdown;

static void *countdown_resize(void *user, void *p, size_t old_bytes, size_t new_bytes)
{
    countdown *c = user;
    if (new_bytes == 0) {
        __atomic_fetch_sub(&c->held, old_bytes, __ATOMIC_RELAXED);
        free(p);
        return NULL;
    }
    size_t left = __atomic_load_n(&c->left, __ATOMIC_RELAXED);
    while (left && !__atomic_compare_exchange_n(&c->left, &left, left - 1, true,
                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    if (left == 1)
        return NULL;
    void *q = realloc(p, new_bytes);
    if (q)
        __atomic_fetch_add(&c->held, new_bytes - old_bytes, __ATOMIC_RELAXED);
    return q;
}

void test_allocation_failures(dpl_status (*body)(void *user, dpl_ctx *ctx, dpl_error *err),
                              void *user)
{
    for (size_t n = 1; n < 100000; n++) {
        countdown c = {.left = n};
        dpl_ctx_options o =
            DPL_INIT(dpl_ctx_options, .allocator = {countdown_resize, &c}, .n_threads = 2);
        dpl_ctx *ctx = NULL;
        dpl_error err = {0};
        dpl_status status = dpl_ctx_new(&ctx, &o, &err);
        if (status == DPL_OK)
            status = body(user, ctx, &err);
        dpl_ctx_free(ctx);
        if (c.held != 0)
            dpl__test_fail(__FILE__, __LINE__, "allocation %zu failing leaks %zu bytes", n,
                           c.held);
        if (status == DPL_OK && c.left > 0)
            return;
        if (status != DPL_E_NOMEM && status != DPL_OK)
            dpl__test_fail(__FILE__, __LINE__, "allocation %zu failing gives '%s': %s", n,
                           dpl_status_name(status), err.text);
    }
    dpl__test_fail(__FILE__, __LINE__, "never succeeded");
}

static int remove_one(const char *where, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(where);
}

static void remove_directory(void)
{
    nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Of this program and of those that it waited for. */
static double core_seconds(void)
{
    double sum = 0;
    for (int child = 0; child < 2; child++) {
        struct rusage u;
        getrusage(child ? RUSAGE_CHILDREN : RUSAGE_SELF, &u);
        sum += (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
               (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
    }
    return sum;
}

static int run_one(const dpl__test *t)
{
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/doppel-test.XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(directory)) {
        perror(directory);
        return FAILED;
    }
    test_err = (dpl_error){0};
    int left = setjmp(leave_test);
    if (left == 0) {
        t->run();
        left = 1 + PASSED;
    }
    remove_directory();
    while (paths) {
        path *next = paths->next;
        free(paths);
        paths = next;
    }
    return left - 1;
}

/* By suite, suite and name, or the folder of its file. */
static bool is_wanted(const dpl__test *t, int n_names, char **names)
{
    for (int i = 0; i < n_names; i++) {
        size_t n = strlen(t->suite), n_folder = strlen(names[i]);
        if (strncmp(names[i], t->suite, n) == 0 &&
            (names[i][n] == 0 ||
             (names[i][n] == '.' && strcmp(names[i] + n + 1, t->name) == 0)))
            return true;
        const char *in = strstr(t->file, names[i]);
        if (strncmp(names[i], "src/", 4) == 0 && in && in[n_folder] == '/')
            return true;
    }
    return n_names == 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    bool is_list = argc > 1 && strcmp(argv[1], "--list") == 0;
    bool is_timed = argc > 1 && strcmp(argv[1], "--times") == 0;
    int n_names = argc - 1 - is_list - is_timed;
    char **names = argv + argc - n_names;
    unsigned n[3] = {0};
    static const char *const words[] = {"ok", "FAILED", "skipped"};
    for (const dpl__test *t = tests; t; t = t->next) {
        if (!is_wanted(t, n_names, names))
            continue;
        if (is_list) {
            printf("%s.%s\n", t->suite, t->name);
            continue;
        }
        double before = core_seconds();
        int result = run_one(t);
        n[result]++;
        printf("%-8s %s: %s", words[result], t->suite, t->name);
        if (is_timed)
            printf(" (%.3f core s)", core_seconds() - before);
        putchar('\n');
    }
    if (is_list)
        return 0;
    printf("%u passed, %u failed", n[PASSED], n[FAILED]);
    if (n[SKIPPED])
        printf(", %u skipped", n[SKIPPED]);
    putchar('\n');
    return n[FAILED] || n[PASSED] + n[SKIPPED] == 0;
}
