/*
 * doppel/base.h - status, error record, text slices and the context, which every stage uses.
 *
 *     dpl_error err = {0};
 *     dpl_ctx *ctx = NULL;
 *     if (dpl_ctx_new(&ctx, NULL, &err) != DPL_OK)
 *         fprintf(stderr, "%s\n", err.text);
 *     dpl_ctx_free(ctx);
 *
 * Calls put outputs first, then the object, inputs, options, and the error record last.
 * A pointer through `T **out` is yours to free with the matching dpl_..._free or _close; both
 * accept NULL. A returned pointer is borrowed, and the declaration says until when.
 *
 * Types are **frozen** (share freely between threads), **owned** (one thread at a time) or
 * **locked** (safe from any thread); each one says which it is.
 *
 * The library does not exit, print, read the environment or touch signals.
 */
#ifndef DOPPEL_BASE_H
#define DOPPEL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DPL_API __attribute__((visibility("default")))
#define DPL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define DPL_API
#define DPL_PRINTF(fmt, args)
#endif

/* Options and summaries begin with their size, so that they can grow without breaking programs
 * that were compiled before. DPL_INIT fills it in; zero in any other field means its default:
 *
 *     dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .memory = 1 << 30);
 *
 * In C++: dpl_ctx_options o = DPL_INIT(dpl_ctx_options); o.n_threads = 2; Such a struct holds
 * others only by pointer. Structs without a size have a layout that is fixed. */
#ifdef __cplusplus
extern "C++" template <class T>
inline T dpl_init_()
{
    T value = {};
    value.size = sizeof(T);
    return value;
}
#define DPL_INIT(type) dpl_init_<type>()
#else
#define DPL_INIT(...) DPL_INIT_(__VA_ARGS__, )
#define DPL_INIT_(type, ...)                                                                   \
    {                                                                                          \
        .size = sizeof(type), __VA_ARGS__                                                      \
    }
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status and errors -------------------------------------------------------------- */

/* 0 is success, positive ends an iteration, negative is a failure. */
typedef enum dpl_status {
    DPL_OK = 0,
    DPL_END = 1,
    DPL_E_NOMEM = -1,       /* out of memory */
    DPL_E_LIMIT = -2,       /* the work does not fit into the context's memory limit */
    DPL_E_IO = -3,          /* a system call failed: see sys_errno */
    DPL_E_FORMAT = -4,      /* damaged or malformed input: see line, column, offset */
    DPL_E_USAGE = -5,       /* an option or argument out of range */
    DPL_E_UNSUPPORTED = -6, /* valid, but this build or machine cannot do it */
    DPL_E_STOPPED = -7,     /* the progress callback or dpl_job_cancel asked to stop */
    DPL_E_NOTHING = -8      /* the inputs have no documents, or nothing to learn from */
} dpl_status;

/* Belongs to the caller. Zero-initialise it; NULL is welcome wherever one is taken. Its size is
 * fixed: later fields take bytes of the reserve. */
typedef struct dpl_error {
    dpl_status status;
    int sys_errno;   /* errno of the system call; 0: none failed */
    uint64_t line;   /* from 1; 0 when unknown */
    uint64_t column; /* in bytes, from 1; 0 when unknown */
    uint64_t offset; /* in bytes, from 0 */
    char text[600];  /* one line: what failed, the name in single quotes, the reason */
    char hint[300];  /* what to try instead; empty: no advice */
    char code[40]; /* a stable name of the problem, such as "other-run", for programs that give
                      advice of their own; empty for most */
    char reserve[88];
} dpl_error;

/* "ok", "damaged input", ... Static text. */
DPL_API const char *dpl_status_name(dpl_status status);

/* In a function that returns a dpl_status: leaves it when the call did not succeed. */
#define DPL_TRY(call)                                                                          \
    do {                                                                                       \
        dpl_status try_status_ = (call);                                                       \
        if (try_status_ != DPL_OK)                                                             \
            return try_status_;                                                                \
    } while (0)

/* ---- text slices -------------------------------------------------------------------- */

/* Text travels as pointer and length. Not terminated, may hold any byte; data may be NULL
 * when n is 0. */
typedef struct dpl_str {
    const char *data;
    size_t n;
} dpl_str;

/* ---- the context -------------------------------------------------------------------- */

/* Allocates all memory. resize(user, NULL, 0, n) allocates, resize(user, p, n, 0) frees and its
 * return value is ignored; NULL for n > 0 means out of memory. Must be callable from any
 * thread. */
typedef struct dpl_allocator {
    void *(*resize)(void *user, void *p, size_t old_bytes, size_t new_bytes);
    void *user;
} dpl_allocator;

/* How far a long call has come. Valid during the callback only. */
typedef struct dpl_progress {
    const char *stage; /* "import", "sort", ... */
    const char *unit;  /* what done and total count: "bytes", "documents" */
    uint64_t done;
    uint64_t total; /* 0 when unknown */
} dpl_progress;

/* Called on the thread that made the call, a few times a second; with several threads on one
 * context, on each of them. A non-zero answer stops the work cleanly: the call returns
 * DPL_E_STOPPED and leaves nothing half-written. */
typedef int (*dpl_progress_fn)(void *user, const dpl_progress *progress);

/* Receives a remark about a call that continues: one line without a line end. Called on the
 * thread that made the call; the text is valid during the callback only. */
typedef void (*dpl_note_fn)(void *user, const char *text);

/* Instruction sets that the kernels are written for, in rising order. */
typedef enum dpl_cpu {
    DPL_CPU_AUTO = 0, /* the best this machine has */
    DPL_CPU_SCALAR,   /* plain C: the specification */
    DPL_CPU_SSE42,
    DPL_CPU_AVX2,
    DPL_CPU_AVX512, /* F, BW, DQ, VL, VPOPCNTDQ, VNNI */
    DPL_CPU_AMX     /* AVX512, and AMX int8 tiles that the system permits this process to use */
} dpl_cpu;

/* Zero in a field means its default. */
typedef struct dpl_ctx_options {
    size_t size;
    dpl_allocator allocator;  /* default: the C library */
    unsigned n_threads;       /* default: one per processor this process may use */
    uint64_t memory;          /* bytes the work may hold; default: half of the machine's */
    uint64_t seed;            /* for everything random; default: a fixed number */
    dpl_cpu cpu;              /* default: the best there is */
    dpl_progress_fn progress; /* default: none */
    void *progress_user;
    const char *device; /* "cpu" or another of dpl_device (doppel/device.h); default, or "auto":
                           the best that this machine can use */
    dpl_note_fn note;   /* default: none */
    void *note_user;
} dpl_ctx_options;

/* Allocator, thread pool, kernels and progress callback, shared by the calls of one program.
 * Locked: any number of threads may make calls on it at a time, and their work shares its
 * threads. Must outlive every object and job made with it. */
typedef struct dpl_ctx dpl_ctx;

/* options may be NULL. A cpu level that the machine lacks is DPL_E_UNSUPPORTED. */
DPL_API dpl_status dpl_ctx_new(dpl_ctx **out, const dpl_ctx_options *options, dpl_error *err);
DPL_API void dpl_ctx_free(dpl_ctx *ctx);

/* Zero in a field means its default. */
typedef struct dpl_job_options {
    size_t size;
    uint64_t memory;          /* bytes the job may hold; default: the context's limit */
    dpl_progress_fn progress; /* default: the context's */
    void *progress_user;
} dpl_job_options;

/* A job is a context for one operation, or a few that belong together: it shares threads,
 * kernels and allocator with the context it was made from, and has its own progress,
 * cancellation and memory account. Pass it wherever a context is taken; free it with
 * dpl_ctx_free. A job of a job is stopped with it. Locked; must outlive every object made with
 * it. options may be NULL. */
DPL_API dpl_status dpl_job_new(dpl_ctx **out, dpl_ctx *ctx, const dpl_job_options *options,
                               dpl_error *err);
/* From any thread, at any time: calls on the job return DPL_E_STOPPED soon, and so do calls
 * made on it later. For a context: all calls on it and on its jobs. */
DPL_API void dpl_job_cancel(dpl_ctx *job);

DPL_API unsigned dpl_ctx_threads(const dpl_ctx *ctx);
DPL_API uint64_t dpl_ctx_memory(const dpl_ctx *ctx);
/* Bytes taken through the context (or job) at the worst moment so far, jobs included. */
DPL_API uint64_t dpl_ctx_peak(const dpl_ctx *ctx);
DPL_API dpl_cpu dpl_ctx_cpu(const dpl_ctx *ctx);

/* ---- version and build ------------------------------------------------------------- */

/* "scalar", "sse4.2", "avx2", "avx512", "amx", "auto"; NULL for anything else. */
DPL_API const char *dpl_cpu_name(dpl_cpu cpu);
/* The best level of this machine. */
DPL_API dpl_cpu dpl_cpu_best(void);

/* "0.2.0" */
DPL_API const char *dpl_version(void);
/* "gcc 12.2.0" */
DPL_API const char *dpl_compiler(void);
/* The i-th library in use, as "ICU" and "72.1"; false past the last one. Static text. */
DPL_API bool dpl_library(size_t i, const char **name, const char **version);

#ifdef __cplusplus
}
#endif
#endif
