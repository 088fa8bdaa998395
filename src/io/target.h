/*
 * target.h - where an output goes: a file that is replaced when it is complete, or a stream.
 *
 * A regular file, or a name that is free, gets a temporary file beside it, which takes the name
 * when it is finished: the name stands for the old file or for the whole new one. A symbolic
 * link stays, what it points to is replaced; the mode of the file replaced is kept. A device, a
 * FIFO or a descriptor ("/dev/stdout", "/dev/fd/3") is written to as it is. Owned.
 */
#ifndef DPL_IO_TARGET_H
#define DPL_IO_TARGET_H

#include "base/base.h"

enum { DPL__PATH_MOST = 4096 };

typedef struct dpl__target {
    dpl_ctx *ctx;
    int fd;         /* to write to; -1: not open */
    int stream;     /* what fd is copied to in the end; -1: nothing */
    bool is_stream; /* fd cannot seek: write, do not pwrite */
    bool has_mode;  /* of the file to be replaced */
    unsigned mode;
    unsigned group;
    char path[DPL__PATH_MOST];      /* as given, for messages */
    char real[DPL__PATH_MOST];      /* what takes the name: links are followed */
    char temporary[DPL__PATH_MOST]; /* empty: there is none */
} dpl__target;

/* With needs_seek, fd can always seek: output for a stream is made in an unnamed file and
 * copied at the end. After a failure there is nothing to clear. */
dpl_status dpl__target_open(dpl__target *t, dpl_ctx *ctx, const char *path, bool needs_seek,
                            dpl_error *err);
/* The whole output is on the disk under its name, or on its way in the stream. fd stays open
 * and readable if it could seek. */
dpl_status dpl__target_finish(dpl__target *t, dpl_error *err);
/* Closes; without a finish that succeeded, removes the temporary file. DPL_E_IO when closing
 * fails, which is reported for finished ones only. */
dpl_status dpl__target_close(dpl__target *t, dpl_error *err);

/* A lock on the name of an output, for operations that read what they replace: who reads before
 * another one has replaced it would undo the other's work. */
typedef struct dpl__name_lock {
    int fd; /* 0: none */
    char path[DPL__PATH_MOST];
} dpl__name_lock;

/* Waits a moment; then the output is in use (DPL_E_IO, "file-in-use"; the message has the
 * number of the process). What the path stands for need not be there yet. Readers of it go on.
 * Where the file system has no locks, it succeeds without. */
dpl_status dpl__name_lock_take(dpl__name_lock *lock, const char *path, dpl_error *err);
/* Zeroed memory may be released. */
void dpl__name_lock_release(dpl__name_lock *lock);

/* Is this the name of a file under construction, "pairs.tsv.doppel-x7k2qa"? What a process
 * leaves that was killed can be removed by it. */
bool dpl__is_temporary_name(const char *name);

/* The folder for temporary files of an operation that writes to path (NULL: to no file): the
 * one that path is in, "/tmp" for a stream. False if it does not fit into n bytes. */
bool dpl__spill_dir(char *out, size_t n, const char *path);

/* Do both paths lead to the same file or folder? False when one of them leads nowhere. */
bool dpl__is_same_file(const char *a, const char *b);
/* DPL_E_USAGE, code "output-is-input", when the output would replace one of the inputs; NULL
 * inputs are skipped. For operations that take both. */
dpl_status dpl__check_overwrite(const char *output, const char *const *inputs, size_t n_inputs,
                                dpl_error *err);

#endif
