/*
 * source.c - the window over a file, standard input or memory.
 *
 * One buffer, filled by large reads; what is left of it moves to the front when the end is
 * reached, so a codec that consumes everything never causes a copy.
 */
#include "io/source.h"

#include "base/ctx.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUFFER = 256 << 10,     /* unless a longer window is needed */
    SMALL_READ = 64 << 10,  /* below it the buffer saves system calls */
    MOST_AT_ONCE = 1 << 30, /* the system takes no more than 2 GiB in one call */
    PATIENCE = 200,         /* milliseconds */
};

static dpl_status copy_name(dpl__source *s, const char *name, dpl_error *err)
{
    size_t n = strlen(name) + 1;
    s->name = dpl__alloc(s->ctx, n);
    DPL_TRY(dpl__need(s->name, err));
    memcpy(s->name, name, n);
    return DPL_OK;
}

dpl_status dpl__source_open(dpl__source *s, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *s = (dpl__source){.ctx = ctx, .fd = STDIN_FILENO, .is_own_fd = !is_stdin};
    DPL_TRY(copy_name(s, is_stdin ? "(standard input)" : path, err));
    if (!is_stdin) {
        do
            s->fd = open(path, O_RDONLY | O_CLOEXEC);
        while (s->fd < 0 && errno == EINTR);
    }
    if (s->fd < 0) {
        dpl_status status = dpl__fail_errno(err, errno, "cannot open '%s'", path);
        dpl__source_close(s);
        return status;
    }
    struct stat st;
    if (fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode)) {
        s->size = (uint64_t)st.st_size;
        posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL); /* advice: may be refused */
    }
    return DPL_OK;
}

dpl_status dpl__source_open_memory(dpl__source *s, dpl_ctx *ctx, const char *name,
                                   const void *data, size_t n, dpl_error *err)
{
    *s = (dpl__source){.ctx = ctx, .p = data, .n = n, .size = n, .is_at_end = true, .fd = -1};
    return copy_name(s, name, err);
}

void dpl__source_close(dpl__source *s)
{
    if (s->is_own_fd && s->fd >= 0)
        close(s->fd);
    dpl__free(s->ctx, s->buffer);
    if (s->name)
        dpl__free(s->ctx, s->name);
}

/* Waits until a pipe or terminal has something to read, and checks now and then whether to
 * stop: also when the signal to do so came just before the wait. */
static dpl_status wait_for_input(const dpl__source *s, dpl_error *err)
{
    if (!s->ctx->progress || s->size)
        return DPL_OK;
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    while (poll(&p, 1, PATIENCE) <= 0)
        DPL_TRY(dpl__progress_again(s->ctx, err));
    return DPL_OK;
}

/* read(2), again when a signal came first; *got is 0 at the end of the file. */
static dpl_status read_some(dpl__source *s, uint8_t *to, size_t n, size_t *got, dpl_error *err)
{
    ssize_t r;
    *got = 0;
    do {
        DPL_TRY(wait_for_input(s, err));
        r = read(s->fd, to, dpl__min(n, MOST_AT_ONCE));
    } while (r < 0 && errno == EINTR);
    *got = r > 0 ? (size_t)r : 0;
    if (r < 0)
        return dpl__fail_errno(err, errno, "cannot read '%s'", s->name);
    s->is_at_end = r == 0;
    return DPL_OK;
}

/* Room for a window of n bytes: at the front of the buffer, or of a larger one. */
static dpl_status make_room(dpl__source *s, size_t n, dpl_error *err)
{
    if (s->buffer && (size_t)(s->buffer + s->cap - s->p) >= n)
        return DPL_OK;
    if (n <= s->cap) {
        memmove(s->buffer, s->p, s->n);
    } else {
        size_t cap = dpl__max(n, BUFFER);
        uint8_t *buffer = dpl__alloc(s->ctx, cap);
        DPL_TRY(dpl__need(buffer, err));
        if (s->n)
            memcpy(buffer, s->p, s->n);
        dpl__free(s->ctx, s->buffer);
        s->buffer = buffer;
        s->cap = cap;
    }
    s->p = s->buffer;
    return DPL_OK;
}

dpl_status dpl__source_want(dpl__source *s, size_t n, dpl_error *err)
{
    if (s->n >= n || s->is_at_end)
        return DPL_OK;
    if (s->n == 0)
        s->p = s->buffer;
    DPL_TRY(make_room(s, n, err));
    while (s->n < n && !s->is_at_end) {
        uint8_t *end = s->buffer + (s->p - s->buffer) + s->n;
        size_t got;
        DPL_TRY(read_some(s, end, (size_t)(s->buffer + s->cap - end), &got, err));
        s->n += got;
    }
    return DPL_OK;
}

dpl_status dpl__source_read(dpl__source *s, uint8_t *out, size_t n, size_t *got, dpl_error *err)
{
    *got = 0;
    if (s->n == 0 && !s->is_at_end && n >= SMALL_READ) {
        DPL_TRY(read_some(s, out, n, got, err));
        s->offset += *got;
        return DPL_OK;
    }
    DPL_TRY(dpl__source_want(s, 1, err));
    *got = dpl__min(n, s->n);
    if (*got)
        memcpy(out, s->p, *got);
    dpl__source_skip(s, *got);
    return DPL_OK;
}

dpl_status dpl__source_bad(const dpl__source *s, uint64_t offset, dpl_error *err,
                           const char *what)
{
    dpl__fail(err, DPL_E_FORMAT, "'%s': %s at byte %llu of the file", s->name, what,
              (unsigned long long)offset);
    dpl__error_place(err, 0, 0, offset);
    return DPL_E_FORMAT;
}
