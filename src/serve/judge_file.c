/*
 * judge_file.c - judgements.tsv: read, followed, appended to.
 */
#include "serve/judge_file.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "io/files.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static dpl_status fail(const dpl__judge_file *f, int e, const char *what, dpl_error *err)
{
    return dpl__fail_errno(err, e, "cannot %s '%s'", what, f->path);
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Lines that are no judgements are passed over: a person may have edited the file. */
static void take_line(dpl__judge_file *f, dpl_str line)
{
    dpl__judgement judgement;
    bool is_empty;
    if (line.n && line.data[line.n - 1] == '\r')
        line.n--;
    f->has_taken = true;
    if (!dpl__judgement_parse(&judgement, &is_empty, line) && !is_empty)
        f->judged.take(f->judged.user, &judgement);
}

/* Whether nobody is writing a line: we hold the lock of the file, or could have it. */
static bool is_at_rest(dpl__judge_file *f)
{
    if (f->is_locked)
        return true;
    if (flock(f->fd, LOCK_SH | LOCK_NB) != 0)
        return false;
    flock(f->fd, LOCK_UN);
    return true;
}

/* Takes the whole lines of text[0, n) and returns how many bytes they are. */
static size_t take_lines(dpl__judge_file *f, const char *text, size_t n)
{
    size_t at = 0;
    while (at < n) {
        const char *end = memchr(text + at, '\n', n - at);
        if (!end)
            break;
        take_line(f, (dpl_str){text + at, (size_t)(end - text) - at});
        at = (size_t)(end - text) + 1;
    }
    return at;
}

enum {
    PIECE = 1 << 20, /* bytes */
    WAIT = 10        /* milliseconds between two tries to have the lock */
};

/* Reads to the end of the file. A line longer than a piece is passed over with what follows. A
 * last line without an end, by hand, is taken but not counted: it may yet grow. */
static dpl_status read_on(dpl__judge_file *f, uint64_t size, dpl_error *err)
{
    char *piece = dpl__alloc(f->ctx, PIECE);
    dpl_status status = dpl__need(piece, err);
    while (status == DPL_OK && f->n_read < size) {
        const size_t n = (size_t)(size - f->n_read < PIECE ? size - f->n_read : PIECE);
        const int e = dpl__pread_all(f->fd, piece, n, f->n_read);
        if (e) {
            status = fail(f, e, "read", err);
            break;
        }
        const size_t taken = take_lines(f, piece, n);
        f->n_read += taken ? taken : n == PIECE ? n : 0;
        f->n_tail = 0;
        if (!taken && n < PIECE) {
            f->n_tail = is_at_rest(f) ? n : 0;
            if (f->n_tail)
                take_line(f, (dpl_str){piece, n});
            break;
        }
    }
    dpl__free(f->ctx, piece);
    return status;
}

static void forget(dpl__judge_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
    if (f->has_taken)
        f->judged.take(f->judged.user, NULL);
    f->n_read = f->n_tail = 0;
    f->has_taken = f->is_locked = false;
}

static dpl_status refuse_kind(const dpl__judge_file *f, bool is_link, dpl_error *err)
{
    return dpl__fail(err, DPL_E_IO, "'%s' is %s", f->path,
                     is_link ? "a symbolic link, which is not followed" : "not a regular file");
}

/* A symbolic link would let whoever may write to the folder have any file of ours written to;
 * a FIFO would make us wait for whoever reads it. */
static dpl_status open_again(dpl__judge_file *f, int flags, dpl_error *err)
{
    struct stat st;
    forget(f);
    f->fd = open(f->path, flags | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (f->fd < 0 && errno == ELOOP)
        return refuse_kind(f, true, err);
    if (f->fd < 0 || fstat(f->fd, &st) != 0)
        return fail(f, errno, "open", err);
    if (!S_ISREG(st.st_mode)) {
        forget(f);
        return refuse_kind(f, false, err);
    }
    f->device = st.st_dev;
    f->inode = st.st_ino;
    return DPL_OK;
}

/* Opens the file if it is there, and again when another one has taken its place. */
static dpl_status refresh(dpl__judge_file *f, dpl_error *err)
{
    struct stat st;
    if (lstat(f->path, &st) != 0) {
        if (errno != ENOENT)
            return fail(f, errno, "open", err);
        forget(f);
        return DPL_OK;
    }
    const bool is_same = f->fd >= 0 && st.st_dev == f->device && st.st_ino == f->inode &&
                         (uint64_t)st.st_size >= f->n_read + f->n_tail;
    if (!is_same)
        DPL_TRY(open_again(f, f->is_read_only ? O_RDONLY : O_RDWR | O_APPEND, err));
    return (uint64_t)st.st_size > f->n_read ? read_on(f, (uint64_t)st.st_size, err) : DPL_OK;
}

dpl_status dpl__judge_file_refresh(dpl__judge_file *f, dpl_error *err)
{
    pthread_mutex_lock(&f->lock);
    dpl_status status = refresh(f, err);
    pthread_mutex_unlock(&f->lock);
    return status;
}

/* ---- writing ---------------------------------------------------------------------------- */

static bool put(dpl__judge_file *f, dpl__bytes *line, dpl_str s, char behind)
{
    return dpl__vec_append(f->ctx, line, s.data, s.n) && dpl__vec_push(f->ctx, line, behind);
}

static bool put_line(dpl__judge_file *f, dpl__bytes *line, const dpl__judgement *j)
{
    return put(f, line, j->left_id, '\t') && put(f, line, j->right_id, '\t') &&
           put(f, line, dpl__cstr(dpl__verdict_of_pair_name(j->verdict)), '\t') &&
           put(f, line, j->left_lang, '\t') && put(f, line, j->right_lang, '\n');
}

/* Whether what stands behind the whole lines is a judgement without a line end, which it gets;
 * if not, it is what a crash left. */
static dpl_status has_last_line(bool *out, dpl__judge_file *f, uint64_t size, dpl_error *err)
{
    const size_t n = (size_t)(size - f->n_read);
    dpl__judgement judgement;
    bool is_empty = false;
    *out = false;
    if (n >= PIECE)
        return DPL_OK;
    char *text = dpl__alloc(f->ctx, n + 1);
    DPL_TRY(dpl__need(text, err));
    const int e = dpl__pread_all(f->fd, text, n, f->n_read);
    *out = !e && !dpl__judgement_parse(&judgement, &is_empty, (dpl_str){text, n});
    dpl__free(f->ctx, text);
    return e ? fail(f, e, "read", err) : DPL_OK;
}

/* Under the lock of the file, which has been read to its end: ends or cuts off an unfinished
 * line, adds ours and takes it. */
static dpl_status write_line(dpl__judge_file *f, const dpl__bytes *line, dpl_error *err)
{
    struct stat st;
    bool has_last = false;
    if (fstat(f->fd, &st) != 0)
        return fail(f, errno, "read", err);
    uint64_t size = (uint64_t)st.st_size;
    if (size > f->n_read)
        DPL_TRY(has_last_line(&has_last, f, size, err));
    if (size > f->n_read && !has_last) {
        if (ftruncate(f->fd, (off_t)f->n_read) != 0)
            return fail(f, errno, "write to", err);
        size = f->n_read;
    }
    int e = has_last ? dpl__write_all(f->fd, "\n", 1) : 0;
    e = e ? e : dpl__write_all(f->fd, line->data, line->n);
    if (e) {
        const int ignored = ftruncate(f->fd, (off_t)size);
        (void)ignored;
        return fail(f, e, "write to", err);
    }
    if (fsync(f->fd) != 0)
        return fail(f, errno, "write to", err);
    return read_on(f, size + has_last + line->n, err);
}

/* Locks the file and reads it to its end; again when another took its place meanwhile. Does not
 * wait: DPL_END when another has the lock. */
static dpl_status lock(dpl__judge_file *f, dpl_error *err)
{
    DPL_TRY(refresh(f, err));
    for (int i = 0; i < 10; i++) {
        if (f->fd < 0)
            DPL_TRY(open_again(f, O_RDWR | O_APPEND | O_CREAT, err));
        const int fd = f->fd;
        if (flock(fd, LOCK_EX | LOCK_NB) != 0)
            return errno == EWOULDBLOCK || errno == EINTR ? DPL_END
                                                          : fail(f, errno, "lock", err);
        const uint64_t inode = f->inode;
        f->is_locked = true;
        DPL_TRY(refresh(f, err));
        if (f->fd == fd && f->inode == inode)
            return DPL_OK;
        f->is_locked = false;
    }
    return dpl__fail(err, DPL_E_IO, "cannot lock '%s': it is replaced all the time", f->path);
}

static dpl_status lock_and_write(dpl__judge_file *f, const dpl__bytes *line, dpl_error *err)
{
    pthread_mutex_lock(&f->lock);
    dpl_status status;
    DPL__STEP(lock(f, err));
    DPL__STEP(write_line(f, line, err));
done:
    if (f->fd >= 0)
        flock(f->fd, LOCK_UN);
    f->is_locked = false;
    pthread_mutex_unlock(&f->lock);
    return status;
}

/* Tries again and again: whoever waits in flock() cannot be told to stop, and who reads would
 * wait for the mutex meanwhile. */
static dpl_status wait_and_write(dpl__judge_file *f, const dpl__bytes *line, double until,
                                 dpl_error *err)
{
    dpl_status status;
    while ((status = lock_and_write(f, line, err)) == DPL_END && dpl__now() < until)
        poll(NULL, 0, WAIT);
    if (status != DPL_END)
        return status;
    return dpl__fail_code(err, DPL_E_LIMIT, "judgements-locked",
                          "another program has locked '%s'", f->path);
}

dpl_status dpl__judge_file_append(dpl__judge_file *f, const dpl__judgement *judgement,
                                  double until, dpl_error *err)
{
    dpl__bytes line = {0};
    if (f->is_read_only)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' is open for reading only", f->path);
    dpl_status status = put_line(f, &line, judgement) ? wait_and_write(f, &line, until, err)
                                                      : dpl__fail_nomem(err);
    dpl__vec_clear(f->ctx, &line);
    return status;
}

/* ---- open and close --------------------------------------------------------------------- */

dpl_status dpl__judge_file_open(dpl__judge_file *f, dpl_ctx *ctx, const char *dir,
                                bool is_read_only, dpl__judged judged, dpl_error *err)
{
    *f = (dpl__judge_file){.ctx = ctx, .judged = judged, .fd = -1};
    snprintf(f->path, sizeof f->path, "%s/judgements.tsv", dir);
    const bool exists = access(f->path, F_OK) == 0;
    f->is_read_only = is_read_only || access(exists ? f->path : dir, W_OK) != 0;
    const int e = pthread_mutex_init(&f->lock, NULL);
    if (e) {
        f->ctx = NULL;
        return dpl__fail_errno(err, e, "cannot make a lock");
    }
    return dpl__judge_file_refresh(f, err);
}

void dpl__judge_file_close(dpl__judge_file *f)
{
    if (!f->ctx)
        return;
    if (f->fd >= 0)
        close(f->fd);
    pthread_mutex_destroy(&f->lock);
    f->ctx = NULL;
}
