/*
 * ctx.h - what the context holds. The pool, the kernels and the device belong to
 * folders below.
 */
#ifndef DPL_BASE_CTX_H
#define DPL_BASE_CTX_H

#include "base/base.h"

#include <pthread.h>
#include <stdatomic.h>

struct dpl__pool;
struct dpl__kernels;
struct dpl_device_table;
struct dpl_shared_run;

/* Mapped files: base/mappings.h. */
typedef struct dpl__mappings {
    pthread_mutex_t lock;
    struct dpl__mapping *first;
    _Atomic uint64_t n_bytes; /* of all of them */
    uint64_t code;            /* resident bytes of files that are not ours, about */
    uint64_t callers;         /* resident bytes that are no file, when the context was made */
    double looked, trimmed;   /* when, in monotonic seconds */
} dpl__mappings;

struct dpl_ctx {
    dpl_ctx *parent; /* of a job; NULL: not a job */
    dpl_allocator allocator;
    _Atomic uint64_t used, peak; /* jobs included */
    atomic_bool is_cancelled;
    uint64_t memory;
    uint64_t seed;
    unsigned n_threads;
    dpl_cpu cpu;
    const struct dpl__kernels *kernels;
    _Atomic(const struct dpl_device_table *) device; /* NULL: "auto", and not needed so far */
    struct dpl__pool *pool;        /* n_threads - 1 workers: the caller is the last one */
    struct dpl_shared_run *shared; /* that this process takes part in (io/shared_run.h) */
    dpl_progress_fn progress;
    void *progress_user;
    dpl_note_fn note;
    void *note_user;
    pthread_mutex_t progress_lock; /* for the two below */
    dpl_progress progress_now;     /* what was reported last, or would have been */
    double progress_last;          /* when, in monotonic seconds */
    dpl__mappings maps;            /* not of a job */
};

/* True in a helper thread of a pool: only the caller's thread reports progress. */
extern _Thread_local bool dpl__is_helper_thread;

/* Reports at most some ten times a second, and always when done == total > 0.
 * DPL_E_STOPPED when the callback says so or the job was cancelled. */
dpl_status dpl__progress(dpl_ctx *ctx, const dpl_progress *progress, dpl_error *err);

/* Tells the caller something in one line. Only on the caller's thread. */
void dpl__note(const dpl_ctx *ctx, const char *fmt, ...) DPL_PRINTF(2, 3);

/* The same report once more, at once: to ask whether to stop after a wait was interrupted. */
dpl_status dpl__progress_again(dpl_ctx *ctx, dpl_error *err);

/* The job or one that it belongs to was cancelled. From any thread. */
bool dpl__is_cancelled(const dpl_ctx *ctx);

/* Monotonic seconds. */
double dpl__now(void);

#endif
