/*
 * test.h - unit tests that register themselves.
 *
 *     DPL_TEST(arena, reset_keeps_the_largest_chunk)
 *     {
 *         CHECK(arena.at != NULL);
 *         CHECK_EQ(2 + 2, 4);
 *     }
 *
 * The runner (test/main.c) lists and runs them by name or by the folder of their file:
 *
 *     doppel-test [--list|--times] [SUITE[.NAME]|src/FOLDER...]
 *
 * --times adds the core seconds of each.
 */
#ifndef DPL_TEST_H
#define DPL_TEST_H

#include "base/base.h"

typedef struct dpl__test {
    const char *file, *suite, *name;
    void (*run)(void);
    struct dpl__test *next;
} dpl__test;

void dpl__test_register(dpl__test *test);

/* Prints file, line and text, and ends this test as failed. */
void dpl__test_fail(const char *file, int line, const char *fmt, ...) DPL_PRINTF(3, 4);
/* Ends this test as skipped. */
void dpl__test_skip(const char *reason);

#define DPL_TEST(suite_, name_)                                                                \
    static void test_##suite_##_##name_(void);                                                 \
    static dpl__test record_##suite_##_##name_ = {__FILE__, #suite_, #name_,                   \
                                                  test_##suite_##_##name_, NULL};              \
    DPL_CONSTRUCTOR static void register_##suite_##_##name_(void)                              \
    {                                                                                          \
        dpl__test_register(&record_##suite_##_##name_);                                        \
    }                                                                                          \
    static void test_##suite_##_##name_(void)

#define CHECK(what)                                                                            \
    do {                                                                                       \
        if (!(what))                                                                           \
            dpl__test_fail(__FILE__, __LINE__, "not true: %s", #what);                         \
    } while (0)

#define CHECK_EQ(a, b)                                                                         \
    do {                                                                                       \
        long long a_ = (long long)(a), b_ = (long long)(b);                                    \
        if (a_ != b_)                                                                          \
            dpl__test_fail(__FILE__, __LINE__, "%s is %lld, expected %lld (%s)", #a, a_, b_,   \
                           #b);                                                                \
    } while (0)

/* A slice against a literal. */
#define CHECK_STR(s, literal)                                                                  \
    do {                                                                                       \
        dpl_str s_ = (s);                                                                      \
        if (!dpl__str_eq(s_, dpl__cstr(literal)))                                              \
            dpl__test_fail(__FILE__, __LINE__, "%s is '%.*s', expected '%s'", #s, (int)s_.n,   \
                           s_.data ? s_.data : "", (literal));                                 \
    } while (0)

/* A call that must succeed; prints the error if not. */
#define CHECK_OK(call)                                                                         \
    do {                                                                                       \
        dpl_status s_ = (call);                                                                \
        if (s_ != DPL_OK)                                                                      \
            dpl__test_fail(__FILE__, __LINE__, "%s: %s: %s", #call, dpl_status_name(s_),       \
                           test_err.text);                                                     \
    } while (0)

/* The error record CHECK_OK prints; cleared before each test. */
extern dpl_error test_err;

/* A context with the defaults of a test: n_threads threads (0: two). Ends the test on failure.
 */
dpl_ctx *test_ctx(unsigned n_threads);
/* Frees it and fails the test if anything taken through it was not given back. */
void test_ctx_done(dpl_ctx *ctx);

/* A fresh directory for this test, removed when the program ends. */
const char *test_dir(void);
/* "DIR/name" under test_dir(); valid until the test ends. */
const char *test_path(const char *name);
/* Writes a file there and returns its path. */
const char *test_write(const char *name, const void *data, size_t n);
/* The whole file, terminated; the caller frees with free(). */
char *test_read(const char *path, size_t *n);

/* For failure tests: runs body(user, ctx, err) with a context whose n-th allocation fails, for
 * n = 1, 2, ... until body succeeds; every failure must be DPL_E_NOMEM and leak nothing. */
void test_allocation_failures(dpl_status (*body)(void *user, dpl_ctx *ctx, dpl_error *err),
                              void *user);

#endif
