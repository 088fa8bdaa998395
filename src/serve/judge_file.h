/*
 * judge_file.h - judgements.tsv of a folder: read, followed, appended to. Locked.
 *
 * A judgement is one line behind the others, written by one call under a lock of the file
 * (flock) and flushed to the disk before the call returns. So several servers and programs may
 * write to it; what they add is read when the file has grown. Nobody waits in flock(): a lock
 * that another keeps is an error after a while. A last line without an end counts, and gets its
 * end, when it is a judgement (written by hand); else it is what a crash left, and is cut off
 * by the next writer. A symbolic link is not followed.
 */
#ifndef DPL_SERVE_JUDGE_FILE_H
#define DPL_SERVE_JUDGE_FILE_H

#include "langlinks/judgements.h"

#include <pthread.h>
#include <sys/types.h>

/* A reader of a file's judgements, called under its lock. */
typedef struct dpl__judged {
    /* Takes a judgement of the file. NULL: the file was replaced, forget all. */
    void (*take)(void *user, const dpl__judgement *judgement);
    void *user;
} dpl__judged;

typedef struct dpl__judge_file {
    dpl_ctx *ctx;
    char path[4100];
    dpl__judged judged;
    pthread_mutex_t lock;
    int fd;          /* -1: not there yet */
    uint64_t n_read; /* bytes, whole lines */
    uint64_t n_tail; /* bytes behind them that were taken as a line without an end */
    dev_t device;
    ino_t inode;
    bool is_read_only;
    bool is_locked; /* by us, under `lock` */
    bool has_taken; /* something of the file */
} dpl__judge_file;

dpl_status dpl__judge_file_open(dpl__judge_file *f, dpl_ctx *ctx, const char *dir,
                                bool is_read_only, dpl__judged judged, dpl_error *err);
void dpl__judge_file_close(dpl__judge_file *f);

/* Reads what was added since. */
dpl_status dpl__judge_file_refresh(dpl__judge_file *f, dpl_error *err);
/* Adds a judgement; it reaches `judged` like all others before this returns. While another
 * program has locked the file, tries until that time of dpl__now(), then DPL_E_LIMIT. */
dpl_status dpl__judge_file_append(dpl__judge_file *f, const dpl__judgement *judgement,
                                  double until, dpl_error *err);

#endif
