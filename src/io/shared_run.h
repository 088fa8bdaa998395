/*
 * shared_run.h - one run by several processes, on one machine or many, through a folder.
 *
 * All of them run the same call on the same inputs (dpl_shared_run_open, doppel/file.h). A
 * stage that takes long divides its work into chunks, the same ones in every process:
 *
 *     if (dpl__is_shared(ctx))
 *         return dpl__shared_work_run(ctx, &work, err);
 *
 * A process makes the chunks that nobody has made or begun, beginning with its own part of
 * them, and then takes all of them in order. A chunk is a file, kept by a key of all that
 * decides its bytes, so that a process may come late, go away, or begin again: what is there is
 * not made again. A process that has begun a chunk says so (a claim, made with O_EXCL), and
 * shows that it is alive by a file that it changes twice a second. Who has nothing else to do
 * waits for a claimed chunk, idle, while its maker is alive, and then makes it: two processes
 * may make the same chunk, which costs time, but no harm. No process ever needs another one.
 *
 * What cannot be divided is work of one chunk, which all take. Where such a chunk divides a
 * part of its work in turn (a search, of whose result one process chooses pairs), the others
 * make these inner chunks meanwhile (is_divided). Whatever is in no chunk is done by everyone,
 * with the same result.
 */
#ifndef DPL_IO_SHARED_RUN_H
#define DPL_IO_SHARED_RUN_H

#include "doppel/file.h"

#include "base/base.h"
#include "base/ctx.h"
#include "base/vec.h"

typedef struct dpl__shared_work {
    const char *name; /* of the stage, for names of files: "nearest" */
    uint64_t key;     /* fingerprint of all that decides the chunks (io/parts.h) */
    size_t n;         /* chunks */
    void *user;
    /* Both on the caller's thread; make may run loops on all threads. take gets every chunk, in
     * order, also those that this process made. Chunks of a key need not have the same bytes in
     * each process, but what is taken from all of them must be the same. */
    dpl_status (*make)(dpl__bytes *out, void *user, size_t chunk, dpl_error *err);
    dpl_status (*take)(void *user, size_t chunk, const char *data, size_t n, dpl_error *err);
    /* Of one chunk: make runs other shared work. In a process that does not make the chunk, it
     * is called too, to make some of the inner chunks, and fails behind these; so until then it
     * changes nothing that matters when it, or take, is called once more. */
    bool is_divided;
    /* Chunks that are there are taken before another one is made, which they make easier; some
     * are taken twice. */
    bool is_taken_early;
    /* Inner work whose chunks such a process needs itself, to get to others. */
    bool is_for_all;
    /* As many chunks as processes, and a process has at hand what its own one needs: others
     * wait a while before they make it. */
    bool has_owners;
} dpl__shared_work;

static inline bool dpl__is_shared(const dpl_ctx *ctx)
{
    return ctx->shared != NULL;
}

/* In divided work: who helps needs all inner chunks from here on, as if they were for all, or
 * no longer. Answers what was so before. */
bool dpl__shared_follow(const dpl_ctx *ctx, bool follows);
/* There, too: nothing is left to help with. Fails in who helps, and does nothing in the maker.
 */
dpl_status dpl__shared_leave(const dpl_ctx *ctx, dpl_error *err);

/* When others have completed the run meanwhile: DPL_E_STOPPED, code "run-is-done". */
dpl_status dpl__shared_work_run(dpl_ctx *ctx, const dpl__shared_work *work, dpl_error *err);

/* The same for chunks that are files: make writes path, which appears when it is complete. On
 * return all are there; dpl__shared_path names them until the run is closed. */
typedef struct dpl__shared_files {
    const char *name;
    uint64_t key;
    size_t n;
    void *user;
    dpl_status (*make)(const char *path, void *user, size_t chunk, dpl_error *err);
    bool is_divided, is_for_all, has_owners; /* as above */
} dpl__shared_files;

dpl_status dpl__shared_files_make(dpl_ctx *ctx, const dpl__shared_files *files, dpl_error *err);
void dpl__shared_path(char out[4200], const dpl_ctx *ctx, const dpl__shared_files *files,
                      size_t chunk);
/* For make: a file of all these bytes. */
dpl_status dpl__shared_write(const dpl_ctx *ctx, const char *path, dpl_str data,
                             dpl_error *err);
/* Removes a chunk that no process needs any more. */
void dpl__shared_remove(const dpl_ctx *ctx, const dpl__shared_files *files, size_t chunk);
/* A name for a file of this process that goes with the run. Each call gives another one. */
void dpl__shared_own_path(char out[4200], const dpl_ctx *ctx, const char *name);
/* A key for work that one file of this process stands for: its name below the folder of the
 * process, which is the same in all of them. */
uint64_t dpl__shared_key(const dpl_ctx *ctx, const char *path);
/* The name that a file of the output has in the end. */
void dpl__shared_published(char *out, size_t size, const dpl_ctx *ctx, const char *path);
/* Makes `to`, a file of this process, one with a file of the run: a link, or a copy. */
dpl_status dpl__shared_link(dpl_ctx *ctx, const char *from, const char *to, dpl_error *err);

/* The end of the run, whose result one process writes and publishes: finish is called as `make`
 * of divided work is. In all other processes: DPL_E_STOPPED, code "run-is-done", when it is
 * published. A process that has begun the end goes on with it: other calls just call finish. */
dpl_status dpl__shared_finish(dpl_ctx *ctx, void *user,
                              dpl_status (*finish)(void *user, dpl_error *err), dpl_error *err);
/* How many processes there are, about: chunks that cost much each are as many. */
uint32_t dpl__shared_n(const dpl_ctx *ctx);
/* The number of this one, from 0; 0 where nothing is shared. */
uint32_t dpl__shared_number(const dpl_ctx *ctx);

#endif
