/*
 * base.h - the vocabulary of our own files: checks, memory through the context, failure.
 *
 * Every allocation names its size again when it is freed, so that the context can account for
 * what is held without a header on each block.
 */
#ifndef DPL_BASE_BASE_H
#define DPL_BASE_BASE_H

#include "doppel/base.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#if defined(__GNUC__)
#define DPL_LIKELY(x) __builtin_expect(!!(x), 1)
#define DPL_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define DPL_CONSTRUCTOR __attribute__((constructor))
#define DPL_COLD __attribute__((cold, noinline))
#define DPL_MAYBE_UNUSED __attribute__((unused)) /* functions that a macro defines */
#if defined(__x86_64__)
/* gcc 12 removes calls of functions that do nothing but __builtin_prefetch. */
#define DPL_PREFETCH(p) __asm__ volatile("prefetcht0 (%0)" ::"r"(p))
#else
#define DPL_PREFETCH(p) __builtin_prefetch(p)
#endif
#else
#define DPL_LIKELY(x) (x)
#define DPL_UNLIKELY(x) (x)
#define DPL_COLD
#define DPL_MAYBE_UNUSED
#define DPL_PREFETCH(p) ((void)(p))
#endif

/* Pause instruction for a loop that waits for another thread. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define DPL_PAUSE() __builtin_ia32_pause()
#else
#define DPL_PAUSE() ((void)0)
#endif

#define DPL_LEN(array) (sizeof(array) / sizeof *(array))

/* A function from a number to its name, NULL behind the last; the second one is static. */
#define DPL__NAMES(function, ...)                                                              \
    const char *function(unsigned i)                                                           \
    {                                                                                          \
        static const char *const names[] = {__VA_ARGS__};                                      \
        return i < DPL_LEN(names) ? names[i] : NULL;                                           \
    }
#define DPL__STATIC_NAMES(function, ...) static DPL__NAMES(function, __VA_ARGS__)
/* The same from a function of an enum, or from a field of the struct that it gives. */
#define DPL__NAMES_OF(function, get)                                                           \
    static const char *function(unsigned i)                                                    \
    {                                                                                          \
        return get(i);                                                                         \
    }
#define DPL__NAMES_IN(function, type, get, field)                                              \
    static const char *function(unsigned i)                                                    \
    {                                                                                          \
        const type *info = get(i);                                                             \
        return info ? info->field : NULL;                                                      \
    }

/* A string literal as a slice. */
#define DPL_STR(literal) ((dpl_str){(literal), sizeof(literal) - 1})

static inline bool dpl__str_eq(dpl_str a, dpl_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.data, b.data, a.n) == 0);
}

/* Byte order, shorter first among equals. */
static inline int dpl__str_cmp(dpl_str a, dpl_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.data, b.data, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

static inline dpl_str dpl__cstr(const char *s)
{
    return (dpl_str){s, s ? strlen(s) : 0};
}

static inline size_t dpl__min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t dpl__max(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The next step of a function that holds something: DPL_TRY that goes to its cleanup, which the
 * label `done` begins, with the failure in its variable `status`. */
#define DPL__STEP(call)                                                                        \
    do {                                                                                       \
        status = (call);                                                                       \
        if (status != DPL_OK)                                                                  \
            goto done;                                                                         \
    } while (0)

/* ---- memory ------------------------------------------------------------------------- */

/* NULL when there is no memory (or n is 0). */
void *dpl__alloc(dpl_ctx *ctx, size_t n);
void *dpl__calloc(dpl_ctx *ctx, size_t n, size_t size);
/* On failure NULL, and p stays as it was. */
void *dpl__resize(dpl_ctx *ctx, void *p, size_t n);
/* Any number of pointers; NULL is welcome. */
#define dpl__free(ctx, ...)                                                                    \
    dpl__free_each((ctx), (void *const[]){__VA_ARGS__},                                        \
                   sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
void dpl__free_each(dpl_ctx *ctx, void *const *p, size_t n);
/* Bytes held now. */
uint64_t dpl__ctx_used(const dpl_ctx *ctx);

/* ---- failure ------------------------------------------------------------------------ */

/* Fill the record and return the status, so that `return dpl__fail(...)` reads well. */
DPL_COLD dpl_status dpl__fail(dpl_error *err, dpl_status status, const char *fmt, ...)
    DPL_PRINTF(3, 4);
/* The same with the stable name of the problem. */
DPL_COLD dpl_status dpl__fail_code(dpl_error *err, dpl_status status, const char *code,
                                   const char *fmt, ...) DPL_PRINTF(4, 5);
/* DPL_E_IO with ": strerror" behind the text; ENOMEM becomes DPL_E_NOMEM. */
DPL_COLD dpl_status dpl__fail_errno(dpl_error *err, int sys_errno, const char *fmt, ...)
    DPL_PRINTF(3, 4);
DPL_COLD dpl_status dpl__fail_nomem(dpl_error *err);

/* What allocates says whether it could: DPL_TRY(dpl__need(list, err)). */
static inline dpl_status dpl__need(bool has_memory, dpl_error *err)
{
    return has_memory ? DPL_OK : dpl__fail_nomem(err);
}
/* The place of a failure, for the record's fields; the text already names it. */
DPL_COLD void dpl__error_place(dpl_error *err, uint64_t line, uint64_t column, uint64_t offset);
DPL_COLD void dpl__hint(dpl_error *err, const char *fmt, ...) DPL_PRINTF(2, 3);
/* The stable name of the problem, beside the text that dpl__fail wrote; returns the status, so
 * that `return dpl__code(err, DPL_E_LIMIT, "memory");` reads well. */
DPL_COLD dpl_status dpl__code(dpl_error *err, dpl_status status, const char *code);

#endif
