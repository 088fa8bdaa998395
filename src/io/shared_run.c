/*
 * shared_run.c - chunks of work as files in a folder that several processes see.
 *
 * OUTPUT.parts/ holds `settings`, what the run is about; NAME-KEY-I-N, chunk I of N of a stage;
 * the same with .claim, which says which process has begun it; alive-ID, in which a process
 * counts while it runs; a temporary folder for each process; `log`, what each did and when; and
 * in the end `done`. Only names, O_EXCL and rename are needed of the file system, no locks;
 * links save a wait.
 */
#define _POSIX_C_SOURCE 200809L
#include "io/shared_run.h"

#include "base/hash.h"
#include "io/files.h"
#include "io/parts.h"
#include "kernels/kernels.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Seconds between signs of life, and without one until a process is taken for dead. One of this
 * host that is gone is seen at once. */
static const double PULSE = 0.5, PATIENCE = 15;
/* Seconds between looks at the folder, rising: a chunk is seen late by 5 % of its time. */
static const double FIRST_LOOK = 0.002, LAST_LOOK = 0.25, LOOK_GROWTH = 1.05;

/* Seconds that a chunk is left to its owner, when all others are made, and as a part of what
 * the own one took. */
static const double OWNER_WAIT = 0.2, OWNER_SHARE = 2;

/* A process. */
typedef struct process {
    uint64_t id, host;
    int64_t pid;
} process;

/* What was seen of another process, and when it was new. */
typedef struct sign {
    uint64_t id, count;
    double since;
} sign;

enum { SIGNS = 256 };

/* What a process does: makes chunks of a stage, helps others to make one, takes them, waits for
 * them, or what is in no chunk. */
typedef struct doing {
    const char *name, *how;
} doing;

struct dpl_shared_run {
    dpl_ctx *ctx;
    dpl_part part;
    char output[3900], dir[3910]; /* dir: OUTPUT.parts */
    dpl_temp_dir own;
    char path[4120];        /* what this process writes */
    _Atomic unsigned n_own; /* files of its own so far */
    char claimant[4120];    /* a file with self in it: claims are links to it */
    process self;
    sign signs[SIGNS]; /* by id */
    dpl__bytes log;
    doing now;
    bool is_helping;    /* in a chunk that another process makes */
    bool is_following;  /* there: it needs inner chunks, whatever they are of */
    bool is_finishing;  /* the end is this process's */
    uint8_t *is_absent; /* of each part: it was waited for in vain */
    /* the thread that counts */
    pthread_t pulse;
    pthread_mutex_t lock;
    pthread_cond_t is_over;
    bool has_pulse, ends;
};

/* ---- files ---------------------------------------------------------------------------- */

static bool is_there(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

static void path_of(char out[4200], const dpl_shared_run *r, const char *name)
{
    snprintf(out, 4200, "%s/%s", r->dir, name);
}

/* The file takes its name when all bytes are there. Not synced: what a crash of the system has
 * damaged is seen by its checksum, or by who reads it, and made again. */
static dpl_status write_file(const dpl_shared_run *r, const char *path, dpl_str head,
                             dpl_str data, dpl_error *err)
{
    assert(*path && r->part.number < r->part.n);
    char temporary[4300];
    snprintf(temporary, sizeof temporary, "%s.%u-%ld.new", path, r->part.number,
             (long)getpid());
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int code = fd < 0 ? errno : dpl__pwrite_all(fd, head.data, head.n, 0);
    if (!code)
        code = dpl__pwrite_all(fd, data.data, data.n, head.n);
    if (fd >= 0 && close(fd) != 0 && !code)
        code = errno;
    if (!code && rename(temporary, path) != 0)
        code = errno;
    if (!code)
        return DPL_OK;
    unlink(temporary);
    return dpl__fail_errno(err, code, "cannot write '%s'", path);
}

/* All bytes of a file; DPL_END: there is none. */
static dpl_status read_file(dpl__bytes *out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    struct stat st;
    out->n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return DPL_END;
    if (fd < 0 || fstat(fd, &st) != 0) {
        const int code = errno;
        if (fd >= 0)
            close(fd);
        return dpl__fail_errno(err, code, "cannot read '%s'", path);
    }
    const size_t n = (size_t)st.st_size;
    dpl_status status;
    DPL__STEP(dpl__need(dpl__vec_reserve(ctx, out, n + 1), err));
    const int code = dpl__pread_all(fd, out->data, n, 0);
    out->n = n;
    if (code)
        status = dpl__fail_errno(err, code, "cannot read '%s'", path);
done:
    close(fd);
    return status;
}

/* ---- the log -------------------------------------------------------------------------- */

/* The number of this process, seconds of a clock that all processes of a machine have, its core
 * seconds, and what it does from now on. Answers what it did. */
static doing note(dpl_shared_run *r, const char *name, const char *how)
{
    const doing before = r->now;
    char line[160];
    struct timespec t = {0}, core = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &core);
    r->now = (doing){name, how};
    const int n = snprintf(line, sizeof line, "%u %.4f %.4f %s %s\n", r->part.number + 1,
                           (double)t.tv_sec + 1e-9 * (double)t.tv_nsec,
                           (double)core.tv_sec + 1e-9 * (double)core.tv_nsec, name, how);
    (void)dpl__vec_append(r->ctx, &r->log, line, (size_t)n);
    return before;
}

/* At once, so that lines of one process stay together. */
static void write_log(dpl_shared_run *r)
{
    char path[4200];
    note(r, "all", "end");
    path_of(path, r, "log");
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return;
    (void)!write(fd, r->log.data, r->log.n);
    close(fd);
}

/* ---- signs of life -------------------------------------------------------------------- */

static void alive_path(char out[4200], const dpl_shared_run *r, uint64_t id)
{
    snprintf(out, 4200, "%s/alive-%016llx", r->dir, (unsigned long long)id);
}

/* Opened each time: over a network that is what makes it visible. Who has completed the run
 * removes the file, which does not come back. */
static void write_sign(const dpl_shared_run *r, uint64_t count, int flags)
{
    char path[4200];
    alive_path(path, r, r->self.id);
    int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0666);
    if (fd < 0)
        return; /* without signs of life, others may do the same work */
    (void)!pwrite(fd, &count, sizeof count, 0);
    close(fd);
}

static void *count_on(void *user)
{
    dpl_shared_run *r = user;
    pthread_mutex_lock(&r->lock);
    for (uint64_t count = 2; !r->ends; count++) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += (long)(PULSE * 1e9);
        t.tv_sec += t.tv_nsec / 1000000000;
        t.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&r->is_over, &r->lock, &t);
        if (!r->ends)
            write_sign(r, count, 0);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void begin_pulse(dpl_shared_run *r)
{
    char host[256] = "";
    struct timespec t = {0};
    (void)gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &t);
    r->self.host = dpl__hash(host, strlen(host), 0);
    r->self.pid = getpid();
    const uint64_t numbers[] = {r->self.host, (uint64_t)r->self.pid, (uint64_t)t.tv_sec,
                                (uint64_t)t.tv_nsec};
    r->self.id = dpl__hash(numbers, sizeof numbers, r->part.number);
    write_sign(r, 1, O_CREAT);
    r->has_pulse = pthread_create(&r->pulse, NULL, count_on, r) == 0;
}

static void end_pulse(dpl_shared_run *r)
{
    char path[4200];
    if (!r->self.id)
        return;
    pthread_mutex_lock(&r->lock);
    r->ends = true;
    pthread_cond_signal(&r->is_over);
    pthread_mutex_unlock(&r->lock);
    if (r->has_pulse)
        pthread_join(r->pulse, NULL);
    alive_path(path, r, r->self.id);
    unlink(path);
}

static bool is_alive(dpl_shared_run *r, const process *p)
{
    char path[4200];
    uint64_t count = 0;
    sign *s = &r->signs[p->id % SIGNS];
    if (p->id == r->self.id)
        return true;
    if (p->host == r->self.host && getpgid((pid_t)p->pid) < 0 && errno == ESRCH)
        return false;
    alive_path(path, r, p->id);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        (void)!read(fd, &count, sizeof count);
        close(fd);
    }
    if (s->since <= 0 || s->id != p->id || s->count != count)
        *s = (sign){p->id, count, dpl__now()};
    return dpl__now() - s->since < PATIENCE;
}

/* ---- claims --------------------------------------------------------------------------- */

static void claim_path(char out[4300], const char *path)
{
    snprintf(out, 4300, "%s.claim", path);
}

/* A file with the process in it. false, with errno: it cannot be made, or is there. */
static bool write_self(const dpl_shared_run *r, const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    (void)!write(fd, &r->self, sizeof r->self);
    close(fd);
    return true;
}

/* A link has its owner from the beginning, also when this process is killed at once; O_EXCL is
 * for file systems without links, or without one more of this file. */
static bool make_claim(const dpl_shared_run *r, const char *name)
{
    return link(r->claimant, name) == 0 || (errno != EEXIST && write_self(r, name));
}

/* Says that this process makes the chunk. False: another one does, which is alive. */
static bool claim(dpl_shared_run *r, const char *path)
{
    char name[4300];
    claim_path(name, path);
    for (int i = 0; i < 2; i++) {
        process owner = {0};
        if (make_claim(r, name))
            return true;
        if (errno != EEXIST)
            return true; /* what is wrong with the folder is told by who writes to it */
        int fd = open(name, O_RDONLY | O_CLOEXEC);
        const bool is_read = fd >= 0 && read(fd, &owner, sizeof owner) == sizeof owner;
        if (fd >= 0)
            close(fd);
        if (is_read && owner.id == r->self.id)
            return true;
        if (is_alive(r, &owner)) /* one that is not written yet has id 0, and its time, too */
            return false;
        unlink(name);
    }
    return false;
}

static void unclaim(const char *path)
{
    char name[4300];
    claim_path(name, path);
    unlink(name);
}

static bool is_done(const dpl_shared_run *r)
{
    char path[4200];
    path_of(path, r, "done");
    return is_there(path);
}

static dpl_status fail_done(const dpl_shared_run *r, dpl_error *err)
{
    return dpl__fail_code(err, DPL_E_STOPPED, "run-is-done",
                          "other processes have completed '%s'", r->output);
}

/* ---- making all chunks ---------------------------------------------------------------- */

void dpl__shared_path(char out[4200], const dpl_ctx *ctx, const dpl__shared_files *f,
                      size_t chunk)
{
    snprintf(out, 4200, "%s/%s-%016llx-%zu-%zu", ctx->shared->dir, f->name,
             (unsigned long long)f->key, chunk + 1, f->n);
}

void dpl__shared_own_path(char out[4200], const dpl_ctx *ctx, const char *name)
{
    snprintf(out, 4200, "%s/%s-%u", ctx->shared->own.path, name,
             atomic_fetch_add(&ctx->shared->n_own, 1));
}

uint32_t dpl__shared_n(const dpl_ctx *ctx)
{
    return ctx->shared->part.n;
}

uint32_t dpl__shared_number(const dpl_ctx *ctx)
{
    return ctx->shared ? ctx->shared->part.number : 0;
}

typedef struct making {
    dpl_ctx *ctx;
    const dpl__shared_files *f;
    uint8_t *is_made; /* of each chunk */
    size_t n_made;
    bool has_helped;
    double own_seconds; /* what was made here took */
    double since;       /* when there was nothing else to make; 0: there is */
} making;

/* Why a chunk's work is not gone on with: the process that makes the chunk does that. */
static const char HELPED[] = "chunks-are-made";

static bool is_helped(dpl_status status, const dpl_error *why)
{
    return status == DPL_E_STOPPED && strcmp(why->code, HELPED) == 0;
}

static dpl_status fail_helped(dpl_error *err)
{
    dpl__fail(err, DPL_E_STOPPED, "another process has taken over this run");
    return dpl__code(err, DPL_E_STOPPED, HELPED);
}

/* The chunk's work, by its maker or by one who helps. */
static dpl_status call_make(making *m, const char *path, size_t chunk, bool helps,
                            dpl_error *err)
{
    dpl_shared_run *r = m->ctx->shared;
    const bool was_helping = r->is_helping, was_following = r->is_following;
    r->is_helping = helps;
    r->is_following = false;
    const doing before = note(r, m->f->name, helps ? "help" : "make");
    dpl_status status = m->f->make(path, m->f->user, chunk, err);
    note(r, before.name, before.how);
    r->is_helping = was_helping;
    r->is_following = was_following;
    return status;
}

bool dpl__shared_follow(const dpl_ctx *ctx, bool follows)
{
    const bool before = ctx->shared && ctx->shared->is_following;
    if (ctx->shared)
        ctx->shared->is_following = follows;
    return before;
}

dpl_status dpl__shared_leave(const dpl_ctx *ctx, dpl_error *err)
{
    return ctx->shared && ctx->shared->is_helping ? fail_helped(err) : DPL_OK;
}

/* Are the chunks needed here, too? */
static bool is_needed(const making *m)
{
    const dpl_shared_run *r = m->ctx->shared;
    return !r->is_helping || r->is_following || m->f->is_for_all;
}

static dpl_status make_chunk(making *m, size_t chunk, dpl_error *err)
{
    char path[4200];
    assert(chunk < m->f->n && !m->is_made[chunk]);
    dpl__shared_path(path, m->ctx, m->f, chunk);
    const double began = dpl__now();
    const dpl_status status = is_done(m->ctx->shared) /* chunks are removed then */
                                  ? fail_done(m->ctx->shared, err)
                                  : call_make(m, path, chunk, false, err);
    unclaim(path);
    DPL_TRY(status);
    m->own_seconds += dpl__now() - began;
    m->is_made[chunk] = 1;
    m->n_made++;
    return DPL_OK;
}

/* Whether the chunk is left to its owner, who may come. */
static bool is_left(const making *m, size_t chunk)
{
    const dpl_shared_run *r = m->ctx->shared;
    if (!m->f->has_owners || chunk == r->part.number || r->is_absent[chunk])
        return false;
    return m->since <= 0 || dpl__now() - m->since < OWNER_WAIT + OWNER_SHARE * m->own_seconds;
}

/* Makes what nobody has made or begun. *n_new: chunks that are there since the last time. */
static dpl_status make_free(making *m, size_t *n_new, dpl_error *err)
{
    const dpl_part *part = &m->ctx->shared->part;
    const size_t n = m->f->n;
    uint64_t first, end;
    dpl__part_range(&first, &end, n, part);
    *n_new = 0;
    for (size_t i = 0; i < n; i++) {
        char path[4200];
        const size_t chunk = ((size_t)first + i) % n;
        if (m->is_made[chunk])
            continue;
        dpl__shared_path(path, m->ctx, m->f, chunk);
        const bool is_here = is_there(path);
        if (is_here) {
            m->is_made[chunk] = 1;
            m->n_made++;
        } else if (!is_left(m, chunk) && claim(m->ctx->shared, path)) {
            DPL_TRY(make_chunk(m, chunk, err));
        } else {
            continue;
        }
        if (m->f->has_owners)
            m->ctx->shared->is_absent[chunk] = !is_here && chunk != part->number;
        ++*n_new;
        const dpl_progress progress = {m->f->name, "chunks", m->n_made, n};
        DPL_TRY(dpl__progress(m->ctx, &progress, err));
    }
    return DPL_OK;
}

/* Inner chunks of a chunk that another process makes. */
static dpl_status help(making *m, dpl_error *err)
{
    char path[4200];
    dpl_error why = {0};
    m->has_helped = true;
    dpl__shared_path(path, m->ctx, m->f, 0);
    dpl_status status = call_make(m, path, 0, true, &why);
    if (status == DPL_OK || is_helped(status, &why))
        return DPL_OK;
    if (err)
        *err = why;
    return status;
}

static void pause_for(double seconds)
{
    const struct timespec t = {.tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&t, NULL);
}

static dpl_status make_all(making *m, dpl_error *err)
{
    dpl_shared_run *r = m->ctx->shared;
    double look = FIRST_LOOK;
    for (;;) {
        size_t n_new;
        DPL_TRY(make_free(m, &n_new, err));
        if (m->n_made == m->f->n)
            return DPL_OK;
        if (is_done(r))
            return fail_done(r, err);
        if (m->f->is_divided && !m->has_helped) {
            DPL_TRY(help(m, err));
            n_new = 1;
        }
        if (n_new) {
            look = FIRST_LOOK;
            m->since = 0;
            continue;
        }
        m->since = m->since > 0 ? m->since : dpl__now();
        if (!is_needed(m) && !m->f->has_owners)
            return DPL_OK;
        pause_for(look);
        look = fmin(LOOK_GROWTH * look, LAST_LOOK);
        const dpl_progress progress = {m->f->name, "chunks", m->n_made, m->f->n};
        DPL_TRY(dpl__progress(m->ctx, &progress, err));
    }
}

dpl_status dpl__shared_files_make(dpl_ctx *ctx, const dpl__shared_files *f, dpl_error *err)
{
    making m = {.ctx = ctx, .f = f, .is_made = dpl__calloc(ctx, f->n + 1, 1)};
    assert(!f->is_divided || f->n == 1);
    assert(!f->has_owners || f->n == ctx->shared->part.n);
    if (!m.is_made)
        return dpl__fail_nomem(err);
    const doing before = note(ctx->shared, f->name, "wait");
    dpl_status status = is_done(ctx->shared) ? fail_done(ctx->shared, err) : make_all(&m, err);
    note(ctx->shared, before.name, before.how);
    dpl__free(ctx, m.is_made);
    return status || is_needed(&m) ? status : fail_helped(err);
}

/* ---- the end -------------------------------------------------------------------------- */

static void finish_path(char out[4200], const dpl_shared_run *r)
{
    path_of(out, r, "finish");
}

dpl_status dpl__shared_finish(dpl_ctx *ctx, void *user,
                              dpl_status (*finish)(void *user, dpl_error *err), dpl_error *err)
{
    char path[4200];
    dpl_shared_run *r = ctx->shared;
    if (!r || r->is_finishing)
        return finish(user, err);
    double look = FIRST_LOOK;
    finish_path(path, r);
    for (bool has_helped = false;; has_helped = true) {
        dpl_error why = {0};
        if (is_done(r))
            return fail_done(r, err);
        r->is_finishing = claim(r, path); /* until the run is published, or closed */
        if (r->is_finishing) {
            note(r, "finish", "make");
            return finish(user, err);
        }
        if (!has_helped) {
            r->is_helping = true;
            note(r, "finish", "help");
            dpl_status status = finish(user, &why);
            note(r, "finish", "wait");
            r->is_helping = false;
            if (is_helped(status, &why))
                continue;
            if (err)
                *err = why;
            return status;
        }
        pause_for(look);
        look = fmin(LOOK_GROWTH * look, LAST_LOOK);
        const dpl_progress progress = {"finish", "chunks", 0, 1};
        DPL_TRY(dpl__progress(ctx, &progress, err));
    }
}

/* ---- chunks of bytes ------------------------------------------------------------------ */

typedef struct head {
    uint64_t key, n_bytes, crc;
} head;

typedef struct byte_chunks {
    dpl_ctx *ctx;
    const dpl__shared_work *work;
    const dpl__shared_files *files; /* of the same chunks */
    dpl__bytes bytes;               /* of one that is made */
    uint8_t *is_taken;              /* of each chunk: early */
} byte_chunks;

static uint64_t checksum(const byte_chunks *b, const char *data, size_t n)
{
    return n ? b->ctx->kernels->crc32c(0, data, n) : 0;
}

/* DPL_END: it is not there, or damaged. */
static dpl_status take_file(byte_chunks *b, size_t chunk, dpl_error *err)
{
    char path[4200];
    const char *data;
    size_t n;
    head h = {0};
    dpl__shared_path(path, b->ctx, b->files, chunk);
    const int code = dpl__map_file(&data, &n, path);
    if (code)
        return code == ENOENT ? DPL_END : dpl__fail_errno(err, code, "cannot read '%s'", path);
    if (n >= sizeof h)
        memcpy(&h, data, sizeof h);
    dpl_status status = DPL_END;
    if (n >= sizeof h && h.key == b->work->key && h.n_bytes == n - sizeof h &&
        h.crc == checksum(b, data + sizeof h, (size_t)h.n_bytes))
        status = b->work->take(b->work->user, chunk, data + sizeof h, (size_t)h.n_bytes, err);
    dpl__unmap_file(data, n);
    b->is_taken[chunk] = status == DPL_OK;
    return status;
}

static dpl_status take_early(byte_chunks *b, dpl_error *err)
{
    for (size_t i = 0; i < b->work->n; i++) {
        const dpl_status status = b->is_taken[i] ? DPL_OK : take_file(b, i, err);
        if (status < 0)
            return status;
    }
    return DPL_OK;
}

static dpl_status make_bytes(const char *path, void *user, size_t chunk, dpl_error *err)
{
    byte_chunks *b = user;
    if (b->work->is_taken_early)
        DPL_TRY(take_early(b, err));
    b->bytes.n = 0;
    DPL_TRY(b->work->make(&b->bytes, b->work->user, chunk, err));
    const head h = {b->work->key, b->bytes.n, checksum(b, b->bytes.data, b->bytes.n)};
    return write_file(b->ctx->shared, path, (dpl_str){(const char *)&h, sizeof h},
                      (dpl_str){b->bytes.data, b->bytes.n}, err);
}

/* One that is damaged, or that a process which was faster has removed, is made again. */
static dpl_status take_chunk(byte_chunks *b, size_t chunk, dpl_error *err)
{
    char path[4200];
    for (int i = 0;; i++) {
        const dpl_status status = b->is_taken[chunk] ? DPL_OK : take_file(b, chunk, err);
        if (status != DPL_END)
            return status;
        if (is_done(b->ctx->shared))
            return fail_done(b->ctx->shared, err);
        dpl__shared_path(path, b->ctx, b->files, chunk);
        if (i)
            return dpl__fail(err, DPL_E_FORMAT, "'%s' is damaged", path);
        DPL_TRY(make_bytes(path, b, chunk, err));
    }
}

dpl_status dpl__shared_work_run(dpl_ctx *ctx, const dpl__shared_work *work, dpl_error *err)
{
    byte_chunks b = {.ctx = ctx, .work = work, .is_taken = dpl__calloc(ctx, work->n + 1, 1)};
    assert(dpl__is_shared(ctx) && work->make && work->take);
    if (!b.is_taken)
        return dpl__fail_nomem(err);
    const dpl__shared_files f = {
        work->name, work->key,        work->n,          &b,
        make_bytes, work->is_divided, work->is_for_all, work->has_owners};
    b.files = &f;
    dpl_status status = dpl__shared_files_make(ctx, &f, err);
    const doing before = note(ctx->shared, work->name, "take");
    for (size_t i = 0; i < work->n && status == DPL_OK; i++)
        status = take_chunk(&b, i, err);
    note(ctx->shared, before.name, before.how);
    dpl__vec_clear(ctx, &b.bytes);
    dpl__free(ctx, b.is_taken);
    return status;
}

/* ---- files as chunks ------------------------------------------------------------------ */

dpl_status dpl__shared_write(const dpl_ctx *ctx, const char *path, dpl_str data, dpl_error *err)
{
    return write_file(ctx->shared, path, data, dpl__cstr(""), err);
}

void dpl__shared_remove(const dpl_ctx *ctx, const dpl__shared_files *files, size_t chunk)
{
    char path[4200];
    dpl__shared_path(path, ctx, files, chunk);
    unlink(path);
}

uint64_t dpl__shared_key(const dpl_ctx *ctx, const char *path)
{
    const size_t n = strlen(ctx->shared->own.path);
    assert(strncmp(path, ctx->shared->own.path, n) == 0);
    return dpl__hash(path + n, strlen(path + n), 0);
}

dpl_status dpl__shared_link(dpl_ctx *ctx, const char *from, const char *to, dpl_error *err)
{
    dpl__bytes data = {0};
    unlink(to);
    if (link(from, to) == 0)
        return DPL_OK;
    dpl_status status;
    DPL__STEP(read_file(&data, ctx, from, err));
    status = write_file(ctx->shared, to, (dpl_str){data.data, data.n}, dpl__cstr(""), err);
done:
    dpl__vec_clear(ctx, &data);
    return status == DPL_END ? dpl__fail_errno(err, ENOENT, "cannot read '%s'", from) : status;
}

/* Chunks and claims: nobody needs them once the run is done. */
static void remove_chunks(const dpl_shared_run *r)
{
    char path[4300];
    DIR *dir = opendir(r->dir);
    for (const struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.' && strcmp(e->d_name, "settings") != 0 &&
            strcmp(e->d_name, "done") != 0 && strcmp(e->d_name, "log") != 0 &&
            (size_t)snprintf(path, sizeof path, "%s/%s", r->dir, e->d_name) < sizeof path)
            unlink(path); /* not the folders of other processes, */
    if (dir)
        closedir(dir);
    dpl__temp_dirs_clean(r->dir); /* unless these were killed */
}

/* ---- the run -------------------------------------------------------------------------- */

/* What the run is about: the first process writes it, the others have the same. */
static dpl_status check_settings(dpl_shared_run *r, const char *settings, dpl_error *err)
{
    char path[4200];
    dpl__bytes have = {0};
    path_of(path, r, "settings");
    dpl_status status = read_file(&have, r->ctx, path, err);
    if (status == DPL_END)
        status = write_file(r, path, dpl__cstr(settings), dpl__cstr(""), err);
    else if (status == DPL_OK &&
             (have.n != strlen(settings) || memcmp(have.data, settings, have.n) != 0)) {
        dpl__fail(err, DPL_E_USAGE, "'%s' holds parts of other inputs or options", r->dir);
        status = dpl__code(err, DPL_E_USAGE, "parts-other-run");
    }
    dpl__vec_clear(r->ctx, &have);
    return status;
}

dpl_status dpl_shared_run_open(dpl_shared_run **out, dpl_ctx *ctx, const char *output,
                               const dpl_part *part, const char *settings, dpl_error *err)
{
    *out = NULL;
    DPL_TRY(dpl__part_check(part, err));
    dpl_shared_run *r = dpl__calloc(ctx, 1, sizeof *r);
    if (!r)
        return dpl__fail_nomem(err);
    r->ctx = ctx;
    r->part = *part;
    r->is_absent = dpl__calloc(ctx, part->n, 1);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->is_over, NULL);
    size_t n = strlen(output);
    while (n > 1 && output[n - 1] == '/')
        n--;
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(r->is_absent, err));
    if (n + 1 > sizeof r->output)
        DPL__STEP(dpl__fail_errno(err, ENAMETOOLONG, "cannot write '%s'", output));
    memcpy(r->output, output, n);
    snprintf(r->dir, sizeof r->dir, "%s.parts", r->output);
    DPL__STEP(dpl__folder_make(r->dir, err));
    DPL__STEP(check_settings(r, settings, err));
    if (is_done(r)) {
        remove_chunks(r);
        status = DPL_END;
        goto done;
    }
    DPL__STEP(dpl_temp_dir_make(&r->own, r->dir, err));
    snprintf(r->path, sizeof r->path, "%s/output", r->own.path);
    snprintf(r->claimant, sizeof r->claimant, "%s/claimant", r->own.path);
    begin_pulse(r);
    note(r, "all", "begin");
    (void)write_self(r, r->claimant);
    ctx->shared = r;
    *out = r;
    r = NULL;
done:
    dpl_shared_run_close(r);
    return status;
}

void dpl_shared_run_close(dpl_shared_run *r)
{
    char path[4200];
    if (!r)
        return;
    finish_path(path, r);
    if (r->is_finishing)
        unclaim(path);
    if (r->self.id)
        write_log(r);
    dpl__vec_clear(r->ctx, &r->log);
    dpl__free(r->ctx, r->is_absent);
    end_pulse(r);
    pthread_cond_destroy(&r->is_over);
    pthread_mutex_destroy(&r->lock);
    dpl_temp_dir_remove(&r->own);
    if (r->self.id && is_done(r))
        remove_chunks(r); /* also those that it made while another process published */
    if (r->ctx->shared == r)
        r->ctx->shared = NULL;
    dpl__free(r->ctx, r);
}

void dpl__shared_published(char *out, size_t size, const dpl_ctx *ctx, const char *path)
{
    const dpl_shared_run *r = ctx->shared;
    const size_t n = r && strncmp(path, r->path, strlen(r->path)) == 0 ? strlen(r->path) : 0;
    snprintf(out, size, "%s%s", n ? r->output : "", path + n);
}

const char *dpl_shared_run_path(const dpl_shared_run *r)
{
    return r->path;
}

bool dpl_shared_run_is_done(const dpl_shared_run *r)
{
    return is_done(r);
}

/* ---- the result ----------------------------------------------------------------------- */

static dpl_status move(const char *from, const char *to, dpl_error *err)
{
    return rename(from, to) == 0 ? DPL_OK
                                 : dpl__fail_errno(err, errno, "cannot write '%s'", to);
}

/* Entries of one folder into another one, which may have older ones of the same name; folders
 * are entered. Work files of a run that cannot be resumed do not go along. */
static dpl_status move_all(const char *from, const char *to, int depth, dpl_error *err)
{
    char a[4300], b[4300];
    DPL_TRY(dpl__folder_make(to, err));
    DIR *dir = opendir(from);
    if (!dir)
        return dpl__fail_errno(err, errno, "cannot open the folder '%s'", from);
    dpl_status status = DPL_OK;
    for (const struct dirent *e; status == DPL_OK && (e = readdir(dir));) {
        struct stat st;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            strcmp(e->d_name, "work") == 0 ||
            (size_t)snprintf(a, sizeof a, "%s/%s", from, e->d_name) >= sizeof a ||
            (size_t)snprintf(b, sizeof b, "%s/%s", to, e->d_name) >= sizeof b ||
            stat(a, &st) != 0)
            continue;
        status =
            S_ISDIR(st.st_mode) && depth ? move_all(a, b, depth - 1, err) : move(a, b, err);
    }
    closedir(dir);
    return status;
}

static dpl_status publish(const char *path, void *user, size_t chunk, dpl_error *err)
{
    (void)path, (void)chunk;
    enum { DEPTH = 2 };
    dpl_shared_run *r = user;
    char done[4200];
    struct stat st;
    if (stat(r->path, &st) != 0)
        return dpl__fail_errno(err, errno, "cannot read '%s'", r->path);
    DPL_TRY(S_ISDIR(st.st_mode) ? move_all(r->path, r->output, DEPTH, err)
                                : move(r->path, r->output, err));
    path_of(done, r, "done");
    return write_file(r, done, dpl__cstr(""), dpl__cstr(""), err);
}

dpl_status dpl_shared_run_publish(dpl_shared_run *r, dpl_error *err)
{
    const dpl__shared_files f = {.name = "publish", .n = 1, .user = r, .make = publish};
    dpl_error why = {0};
    dpl_status status = dpl__shared_files_make(r->ctx, &f, &why);
    if (status != DPL_OK && !is_done(r)) {
        if (err)
            *err = why;
        return status;
    }
    return DPL_OK;
}
