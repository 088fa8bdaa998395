/*
 * shared_run.c - chunks of work as files in a folder that several processes see.
 *
 * OUTPUT.parts/ holds `settings`, what the run is about; NAME-KEY-I-N, chunk I of N of a stage;
 * the same with .claim, which says which part has begun it; a temporary folder for each
 * process; and in the end `done`. Only names, O_EXCL and rename are needed of the file system,
 * no locks.
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
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Seconds to wait for a chunk that another process has begun: so many times as long as the
 * longest one took here, and as much on top. */
static const double PATIENCE_TIMES = 3, PATIENCE = 2;
/* Seconds between looks at the folder, rising. */
static const double FIRST_LOOK = 0.002, LAST_LOOK = 0.25;

struct dpl_shared_run {
    dpl_ctx *ctx;
    dpl_part part;
    char output[3900], dir[3910]; /* dir: OUTPUT.parts */
    dpl_temp_dir own;
    char path[4120];        /* what this process writes */
    _Atomic unsigned n_own; /* files of its own so far */
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

/* All bytes of a file behind so many; DPL_END: there is none, or it is shorter. */
static dpl_status read_file(dpl__bytes *out, dpl_ctx *ctx, const char *path, void *head,
                            size_t n_head, dpl_error *err)
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
    dpl_status status = DPL_OK;
    const size_t n = (size_t)st.st_size >= n_head ? (size_t)st.st_size - n_head : 0;
    if ((size_t)st.st_size < n_head) {
        status = DPL_END;
    } else if (!dpl__vec_reserve(ctx, out, n + 1)) {
        status = dpl__fail_nomem(err);
    } else {
        int code = dpl__pread_all(fd, head, n_head, 0);
        if (!code)
            code = dpl__pread_all(fd, out->data, n, n_head);
        out->n = n;
        if (code)
            status = dpl__fail_errno(err, code, "cannot read '%s'", path);
    }
    close(fd);
    return status;
}

/* ---- claims --------------------------------------------------------------------------- */

static void claim_path(char out[4300], const char *path)
{
    snprintf(out, 4300, "%s.claim", path);
}

/* Says that this process makes the chunk. False: another part does. One of the same part that
 * is there is of a process that was killed, or is tried once more. */
static bool claim(const dpl_shared_run *r, const char *path)
{
    char name[4300];
    uint32_t owner = UINT32_MAX;
    claim_path(name, path);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
        (void)!write(fd, &r->part.number, sizeof r->part.number);
        close(fd);
        return true;
    }
    if (errno != EEXIST)
        return true; /* what is wrong with the folder is told by who writes to it */
    fd = open(name, O_RDONLY | O_CLOEXEC);
    const bool is_read = fd >= 0 && read(fd, &owner, sizeof owner) == sizeof owner;
    if (fd >= 0)
        close(fd);
    return is_read && owner == r->part.number;
}

static bool is_done(const dpl_shared_run *r)
{
    char path[4200];
    path_of(path, r, "done");
    return is_there(path);
}

static dpl_status fail_done(const dpl_shared_run *r, dpl_error *err)
{
    dpl__fail(err, DPL_E_STOPPED, "other processes have completed '%s'", r->output);
    return dpl__code(err, DPL_E_STOPPED, "run-is-done");
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

typedef struct making {
    dpl_ctx *ctx;
    const dpl__shared_files *f;
    uint8_t *is_made; /* of each chunk */
    size_t n_made;
    double longest; /* chunk made here, in seconds */
} making;

static dpl_status make_chunk(making *m, size_t chunk, dpl_error *err)
{
    char path[4200], name[4300];
    const double began = dpl__now();
    assert(chunk < m->f->n && !m->is_made[chunk]);
    dpl__shared_path(path, m->ctx, m->f, chunk);
    const dpl_status status = m->f->make(path, m->f->user, chunk, err);
    claim_path(name, path);
    unlink(name);
    DPL_TRY(status);
    m->is_made[chunk] = 1;
    m->n_made++;
    m->longest = fmax(m->longest, dpl__now() - began);
    return DPL_OK;
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
        if (is_there(path)) {
            m->is_made[chunk] = 1;
            m->n_made++;
        } else if (claim(m->ctx->shared, path)) {
            DPL_TRY(make_chunk(m, chunk, err));
        } else {
            continue;
        }
        ++*n_new;
        const dpl_progress progress = {m->f->name, "chunks", m->n_made, n};
        DPL_TRY(dpl__progress(m->ctx, &progress, err));
    }
    return DPL_OK;
}

/* One chunk that another process has begun too long ago. */
static dpl_status make_abandoned(making *m, dpl_error *err)
{
    const dpl_part *part = &m->ctx->shared->part;
    uint64_t first, end;
    dpl__part_range(&first, &end, m->f->n, part);
    for (size_t i = 0; i < m->f->n; i++) {
        const size_t chunk = ((size_t)first + i) % m->f->n;
        if (!m->is_made[chunk])
            return make_chunk(m, chunk, err);
    }
    return DPL_OK;
}

static void pause_for(double seconds)
{
    const struct timespec t = {.tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&t, NULL);
}

static dpl_status make_all(making *m, dpl_error *err)
{
    double look = FIRST_LOOK, since = dpl__now();
    for (;;) {
        size_t n_new;
        DPL_TRY(make_free(m, &n_new, err));
        if (m->n_made == m->f->n)
            return DPL_OK;
        if (is_done(m->ctx->shared))
            return fail_done(m->ctx->shared, err);
        if (n_new) {
            since = dpl__now();
            look = FIRST_LOOK;
        }
        if (dpl__now() - since > PATIENCE + PATIENCE_TIMES * m->longest) {
            DPL_TRY(make_abandoned(m, err));
            since = dpl__now();
        }
        pause_for(look);
        look = fmin(2 * look, LAST_LOOK);
        const dpl_progress progress = {m->f->name, "chunks", m->n_made, m->f->n};
        DPL_TRY(dpl__progress(m->ctx, &progress, err));
    }
}

dpl_status dpl__shared_files_make(dpl_ctx *ctx, const dpl__shared_files *f, dpl_error *err)
{
    making m = {ctx, f, dpl__calloc(ctx, f->n + 1, 1), 0, 0};
    if (!m.is_made)
        return dpl__fail_nomem(err);
    dpl_status status = is_done(ctx->shared) ? fail_done(ctx->shared, err) : make_all(&m, err);
    dpl__free(ctx, m.is_made, f->n + 1);
    return status;
}

/* ---- chunks of bytes ------------------------------------------------------------------ */

typedef struct head {
    uint64_t key, n_bytes, crc;
} head;

typedef struct byte_chunks {
    dpl_ctx *ctx;
    const dpl__shared_work *work;
    dpl__bytes bytes;
} byte_chunks;

static dpl_status make_bytes(const char *path, void *user, size_t chunk, dpl_error *err)
{
    byte_chunks *b = user;
    b->bytes.n = 0;
    DPL_TRY(b->work->make(&b->bytes, b->work->user, chunk, err));
    const head h = {b->work->key, b->bytes.n,
                    b->bytes.n ? b->ctx->kernels->crc32c(0, b->bytes.data, b->bytes.n) : 0};
    return write_file(b->ctx->shared, path, (dpl_str){(const char *)&h, sizeof h},
                      (dpl_str){b->bytes.data, b->bytes.n}, err);
}

/* One that is damaged, or that a process which was faster has removed, is made again. */
static dpl_status take_chunk(byte_chunks *b, const dpl__shared_files *f, size_t chunk,
                             dpl_error *err)
{
    char path[4200];
    head h;
    dpl__shared_path(path, b->ctx, f, chunk);
    for (int i = 0;; i++) {
        dpl_status status = read_file(&b->bytes, b->ctx, path, &h, sizeof h, err);
        if (status < 0)
            return status;
        if (status == DPL_OK && h.key == b->work->key && h.n_bytes == b->bytes.n &&
            h.crc == (b->bytes.n ? b->ctx->kernels->crc32c(0, b->bytes.data, b->bytes.n) : 0))
            return b->work->take(b->work->user, chunk, b->bytes.data, b->bytes.n, err);
        if (is_done(b->ctx->shared))
            return fail_done(b->ctx->shared, err);
        if (i)
            return dpl__fail(err, DPL_E_FORMAT, "'%s' is damaged", path);
        DPL_TRY(make_bytes(path, b, chunk, err));
    }
}

dpl_status dpl__shared_work_run(dpl_ctx *ctx, const dpl__shared_work *work, dpl_error *err)
{
    byte_chunks b = {ctx, work, {0}};
    assert(dpl__is_shared(ctx) && work->make && work->take);
    const dpl__shared_files f = {work->name, work->key, work->n, &b, make_bytes};
    dpl_status status = dpl__shared_files_make(ctx, &f, err);
    for (size_t i = 0; i < work->n && status == DPL_OK; i++)
        status = take_chunk(&b, &f, i, err);
    dpl__vec_clear(ctx, &b.bytes);
    return status;
}

/* ---- the run -------------------------------------------------------------------------- */

/* What the run is about: the first process writes it, the others have the same. */
static dpl_status check_settings(dpl_shared_run *r, const char *settings, dpl_error *err)
{
    char path[4200];
    dpl__bytes have = {0};
    path_of(path, r, "settings");
    dpl_status status = read_file(&have, r->ctx, path, NULL, 0, err);
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
    size_t n = strlen(output);
    while (n > 1 && output[n - 1] == '/')
        n--;
    dpl_status status = DPL_OK;
    if (n + 1 > sizeof r->output)
        DPL__STEP(dpl__fail_errno(err, ENAMETOOLONG, "cannot write '%s'", output));
    memcpy(r->output, output, n);
    snprintf(r->dir, sizeof r->dir, "%s.parts", r->output);
    DPL__STEP(dpl__folder_make(r->dir, err));
    DPL__STEP(check_settings(r, settings, err));
    if (is_done(r)) {
        status = DPL_END;
        goto done;
    }
    DPL__STEP(dpl_temp_dir_make(&r->own, r->dir, err));
    snprintf(r->path, sizeof r->path, "%s/output", r->own.path);
    ctx->shared = r;
    *out = r;
    r = NULL;
done:
    dpl_shared_run_close(r);
    return status;
}

void dpl_shared_run_close(dpl_shared_run *r)
{
    if (!r)
        return;
    dpl_temp_dir_remove(&r->own);
    if (r->ctx->shared == r)
        r->ctx->shared = NULL;
    dpl__free(r->ctx, r, sizeof *r);
}

const char *dpl_shared_run_path(const dpl_shared_run *r)
{
    return r->path;
}

bool dpl_shared_run_is_done(const dpl_shared_run *r)
{
    return is_done(r);
}

/* ---- the end -------------------------------------------------------------------------- */

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

/* Chunks and claims: nobody needs them once the run is done. */
static void remove_chunks(const dpl_shared_run *r)
{
    char path[4300];
    DIR *dir = opendir(r->dir);
    for (const struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.' && strcmp(e->d_name, "settings") != 0 &&
            strcmp(e->d_name, "done") != 0 &&
            (size_t)snprintf(path, sizeof path, "%s/%s", r->dir, e->d_name) < sizeof path)
            unlink(path); /* not the folders of other processes */
    if (dir)
        closedir(dir);
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
    const dpl__shared_files f = {"publish", 0, 1, r, publish};
    dpl_error why = {0};
    dpl_status status = dpl__shared_files_make(r->ctx, &f, &why);
    if (status != DPL_OK && !is_done(r)) {
        if (err)
            *err = why;
        return status;
    }
    remove_chunks(r);
    return DPL_OK;
}
