/*
 * target.c - temporary names, links followed, streams recognised.
 *
 * The temporary file is made with O_EXCL, so that nobody else's file or link of that name is
 * written to; its name is not secret. The mode comes from the file replaced or, by open(2)
 * itself, from the process's umask, which a library cannot ask for without changing it.
 *
 * The writer holds a lock on the temporary file. One without a lock was left by a process that
 * was killed, and the next output of that name removes it.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#define _DEFAULT_SOURCE   /* flock */
#include "io/target.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/hash.h"
#include "io/files.h"
#include "io/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_LINKS = 40,
    MOST_TRIES = 100,
    MOST_NAME = 255,     /* bytes of a name in a folder */
    MOST_ENTRIES = 1000, /* of a folder that are looked at */
    FRESH = 5,           /* seconds: the writer of a younger file may be about to lock it */
    N_RANDOM = 6
};

static const char mark[] = ".doppel-"; /* and N_RANDOM letters and digits */

/* ---- what the path stands for ------------------------------------------------------- */

/* The descriptor that a name like "/dev/fd/3" stands for; -1: none. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < DPL_LEN(folders); i++) {
        size_t n = strlen(folders[i]);
        if (strncmp(path, folders[i], n) != 0)
            continue;
        char *end = NULL;
        long fd = strtol(path + n, &end, 10);
        if (dpl__is_digit(path[n]) && !*end && fd < 1 << 20)
            return (int)fd;
    }
    return -1;
}

/* Replaces a link in t->real by what it points to. 0 or an errno. */
static int follow_link(dpl__target *t)
{
    char to[DPL__PATH_MOST], folder[DPL__PATH_MOST];
    ssize_t n = readlink(t->real, to, sizeof to - 1);
    if (n < 0)
        return errno;
    to[n] = 0;
    if (to[0] == '/') {
        memcpy(t->real, to, (size_t)n + 1);
        return 0;
    }
    if (!dpl__dirname(folder, sizeof folder, t->real) ||
        strlen(folder) + (size_t)n + 2 > sizeof t->real)
        return ENAMETOOLONG;
    size_t n_folder = strlen(folder);
    memcpy(t->real, folder, n_folder);
    t->real[n_folder] = '/';
    memcpy(t->real + n_folder + 1, to, (size_t)n + 1);
    return 0;
}

/* t->real becomes the path behind all links; *fd a descriptor that one of them names, or -1.
 * 0 or an errno. */
static int follow_links(dpl__target *t, int *fd)
{
    memcpy(t->real, t->path, strlen(t->path) + 1);
    for (int i = 0; i < MOST_LINKS; i++) {
        struct stat st;
        *fd = descriptor_of(t->real);
        if (*fd >= 0)
            return 0;
        if (lstat(t->real, &st) != 0)
            return errno == ENOENT ? 0 : errno;
        if (!S_ISLNK(st.st_mode))
            return 0;
        int e = follow_link(t);
        if (e)
            return e;
    }
    return ELOOP;
}

/* ---- opening ------------------------------------------------------------------------ */

static void make_name(char out[N_RANDOM + 1], unsigned attempt)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t x = (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
    /* Threads have stacks of their own; what is the same nevertheless is the next attempt's. */
    x = dpl__mix(x ^ (uint64_t)getpid() << 40 ^ (uint64_t)attempt << 20 ^
                 (uint64_t)(uintptr_t)out);
    for (int i = 0; i < N_RANDOM; i++, x /= sizeof letters - 1)
        out[i] = letters[x % (sizeof letters - 1)];
    out[N_RANDOM] = 0;
}

/* It is removed under its lock, so that nobody takes the lock meanwhile. */
static void remove_if_abandoned(const char *path)
{
    struct stat st;
    struct timespec now = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    bool is_old =
        fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && now.tv_sec - st.st_mtim.tv_sec >= FRESH;
    if (is_old && flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlink(path);
    close(fd);
}

/* Temporary files of the same name; the first n_folder bytes of the path are the folder, the
 * next n_name begin their names. */
static void remove_abandoned(const dpl__target *t, size_t n_folder, size_t n_name)
{
    char path[DPL__PATH_MOST];
    size_t n = n_name + sizeof mark - 1 + N_RANDOM;
    snprintf(path, sizeof path, "%.*s.", (int)n_folder, t->real);
    DIR *dir = opendir(path);
    const struct dirent *e;
    for (unsigned i = 0; dir && i < MOST_ENTRIES && (e = readdir(dir)); i++)
        if (strlen(e->d_name) == n && memcmp(e->d_name, t->real + n_folder, n_name) == 0 &&
            dpl__is_temporary_name(e->d_name) && n_folder + n < sizeof path) {
            memcpy(path, t->real, n_folder);
            memcpy(path + n_folder, e->d_name, n + 1);
            remove_if_abandoned(path);
        }
    if (dir)
        closedir(dir);
}

/* 0 or an errno. */
static int open_temporary(dpl__target *t)
{
    const char *slash = strrchr(t->real, '/');
    size_t n_folder = slash ? (size_t)(slash - t->real) + 1 : 0;
    size_t n_name = dpl__min(strlen(t->real) - n_folder, MOST_NAME - (sizeof mark + N_RANDOM));
    if (n_folder + n_name + sizeof mark + N_RANDOM + 1 > sizeof t->temporary)
        return ENAMETOOLONG;
    remove_abandoned(t, n_folder, n_name);
    for (unsigned i = 0; i < MOST_TRIES; i++) {
        char random[N_RANDOM + 1];
        make_name(random, i);
        memcpy(t->temporary, t->real, n_folder + n_name);
        snprintf(t->temporary + n_folder + n_name, sizeof mark + N_RANDOM, "%s%s", mark,
                 random);
        t->fd = open(t->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                     t->has_mode ? 0600 : 0666);
        if (t->fd >= 0 || errno != EEXIST)
            break;
    }
    if (t->fd < 0) {
        t->temporary[0] = 0;
        return errno;
    }
    (void)!flock(t->fd, LOCK_EX | LOCK_NB); /* a file system without locks has none to remove */
    return 0;
}

/* A FIFO waits for its reader; a signal meanwhile is a chance to stop. */
static dpl_status open_special(dpl__target *t, dpl_error *err)
{
    while ((t->fd = open(t->real, O_WRONLY | O_CLOEXEC | O_NOCTTY)) < 0 && errno == EINTR)
        DPL_TRY(dpl__progress_again(t->ctx, err));
    return t->fd >= 0 ? DPL_OK : dpl__fail_errno(err, errno, "cannot write '%s'", t->path);
}

static dpl_status open_stream(dpl__target *t, int descriptor, dpl_error *err)
{
    t->is_stream = true;
    if (descriptor < 0)
        return open_special(t, err);
    t->fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    return t->fd >= 0 ? DPL_OK : dpl__fail_errno(err, errno, "cannot write '%s'", t->path);
}

static dpl_status open_any(dpl__target *t, dpl_error *err)
{
    int descriptor = -1, e = follow_links(t, &descriptor);
    struct stat st;
    if (!e && descriptor >= 0)
        return open_stream(t, descriptor, err);
    bool is_there = !e && stat(t->real, &st) == 0;
    if (is_there && S_ISDIR(st.st_mode))
        e = EISDIR;
    if (is_there && !e && !S_ISREG(st.st_mode))
        return open_stream(t, -1, err);
    if (is_there && !e) {
        t->has_mode = true;
        t->mode = st.st_mode & 0777;
        t->group = st.st_gid;
    }
    e = e ? e : open_temporary(t);
    return e ? dpl__fail_errno(err, e, "cannot create '%s'", t->path) : DPL_OK;
}

dpl_status dpl__target_open(dpl__target *t, dpl_ctx *ctx, const char *path, bool needs_seek,
                            dpl_error *err)
{
    t->ctx = ctx;
    t->fd = t->stream = -1;
    t->is_stream = t->has_mode = false;
    t->temporary[0] = 0;
    if (strlen(path) >= sizeof t->path)
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot create '%s'", path);
    memcpy(t->path, path, strlen(path) + 1);
    dpl_status status;
    DPL__STEP(open_any(t, err));
    if (t->is_stream && needs_seek) {
        t->stream = t->fd;
        t->fd = -1;
        t->is_stream = false;
        status = dpl__unnamed_open(&t->fd, dpl__unnamed_dir, err);
    }
done:
    if (status != DPL_OK)
        (void)dpl__target_close(t, NULL);
    return status;
}

/* ---- finishing ---------------------------------------------------------------------- */

static dpl_status failed(const dpl__target *t, int e, dpl_error *err)
{
    return e ? dpl__fail_errno(err, e, "cannot write '%s'", t->path) : DPL_OK;
}

/* 0 or an errno. */
static int copy_to_stream(const dpl__target *t)
{
    char buffer[1 << 16];
    off_t size = lseek(t->fd, 0, SEEK_END);
    if (size < 0)
        return errno;
    for (uint64_t at = 0; at < (uint64_t)size;) {
        size_t n = dpl__min(sizeof buffer, (size_t)((uint64_t)size - at));
        int e = dpl__pread_all(t->fd, buffer, n, at);
        e = e ? e : dpl__write_all(t->stream, buffer, n);
        if (e)
            return e;
        at += n;
    }
    return 0;
}

/* Where the group cannot be kept, nobody else's group gets its rights. */
static void keep_mode(const dpl__target *t)
{
    struct stat st;
    unsigned mode = t->mode;
    if (!t->has_mode)
        return;
    if (fstat(t->fd, &st) == 0 && st.st_gid != t->group &&
        fchown(t->fd, (uid_t)-1, (gid_t)t->group) != 0)
        mode &= ~070u;
    (void)!fchmod(t->fd, (mode_t)mode);
}

dpl_status dpl__target_finish(dpl__target *t, dpl_error *err)
{
    if (t->stream >= 0)
        return failed(t, copy_to_stream(t), err);
    if (t->is_stream)
        return DPL_OK;
    keep_mode(t);
    if (fsync(t->fd) != 0)
        return failed(t, errno, err);
    if (rename(t->temporary, t->real) != 0)
        return dpl__fail_errno(err, errno, "cannot rename the finished file to '%s'", t->path);
    t->temporary[0] = 0;
    return DPL_OK;
}

dpl_status dpl__target_close(dpl__target *t, dpl_error *err)
{
    int e = 0;
    if (t->temporary[0])
        unlink(t->temporary);
    t->temporary[0] = 0;
    if (t->fd >= 0 && close(t->fd) != 0)
        e = errno;
    if (t->stream >= 0 && close(t->stream) != 0)
        e = errno;
    t->fd = t->stream = -1;
    return failed(t, e, err);
}

/* ---- locks on names ----------------------------------------------------------------- */

static const char lock_ending[] = "locked"; /* N_RANDOM letters: a temporary name, too */

/* The file of the lock beside what the path stands for. 0 or an errno. */
static int name_lock_file(dpl__name_lock *lock, const char *path)
{
    char *real = realpath(path, NULL);
    const int n = snprintf(lock->path, sizeof lock->path, "%s%s%s", real ? real : path, mark,
                           lock_ending);
    free(real);
    return n > 0 && (size_t)n < sizeof lock->path ? 0 : ENAMETOOLONG;
}

/* 0, EWOULDBLOCK when another process has it, or what went wrong. */
static int try_name_lock(dpl__name_lock *lock)
{
    struct stat st, now;
    char text[24];
    lock->fd = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (lock->fd < 0)
        return errno;
    if (flock(lock->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(lock->fd);
        return EWOULDBLOCK;
    }
    /* Whoever had it may have removed the file meanwhile. */
    if (fstat(lock->fd, &st) != 0 || stat(lock->path, &now) != 0 || st.st_ino != now.st_ino ||
        st.st_dev != now.st_dev) {
        close(lock->fd);
        return EWOULDBLOCK;
    }
    int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    (void)!ftruncate(lock->fd, 0);
    (void)!pwrite(lock->fd, text, (size_t)n, 0);
    return 0;
}

static dpl_status in_use(const dpl__name_lock *lock, const char *path, dpl_error *err)
{
    char text[24] = "";
    int fd = open(lock->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t n = fd >= 0 ? pread(fd, text, sizeof text - 1, 0) : 0;
    if (fd >= 0)
        close(fd);
    const long owner = n > 0 ? strtol(text, NULL, 10) : 0;
    if (owner > 0)
        dpl__fail(err, DPL_E_IO, "'%s' is in use: process %ld writes it", path, owner);
    else
        dpl__fail(err, DPL_E_IO, "'%s' is in use: another process writes it", path);
    return dpl__code(err, DPL_E_IO, "file-in-use");
}

dpl_status dpl__name_lock_take(dpl__name_lock *lock, const char *path, dpl_error *err)
{
    enum { TIMES = 20 };
    static const struct timespec pause = {.tv_nsec = 25 * 1000 * 1000};
    struct stat st;
    *lock = (dpl__name_lock){0};
    if (descriptor_of(path) >= 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return DPL_OK; /* a stream */
    int e = name_lock_file(lock, path);
    for (int i = 0; !e && (e = try_name_lock(lock)) == EWOULDBLOCK && i < TIMES; i++, e = 0)
        nanosleep(&pause, NULL);
    if (!e)
        return DPL_OK;
    lock->fd = 0;
    return e == EWOULDBLOCK ? in_use(lock, path, err)
                            : dpl__fail_errno(err, e, "cannot create '%s'", path);
}

void dpl__name_lock_release(dpl__name_lock *lock)
{
    if (lock->fd <= 0)
        return;
    unlink(lock->path); /* as long as it is ours */
    close(lock->fd);
    lock->fd = 0;
}

/* ---- names -------------------------------------------------------------------------- */

bool dpl__is_temporary_name(const char *name)
{
    size_t n = strlen(name), n_end = sizeof mark - 1 + N_RANDOM;
    if (n <= n_end || memcmp(name + n - n_end, mark, sizeof mark - 1) != 0)
        return false;
    for (const char *p = name + n - N_RANDOM; *p; p++)
        if (!((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9')))
            return false;
    return true;
}

bool dpl__spill_dir(char *out, size_t n, const char *path)
{
    struct stat st;
    bool is_stream =
        !path || descriptor_of(path) >= 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
    if (!is_stream)
        return dpl__dirname(out, n, path);
    return (size_t)snprintf(out, n, "%s", dpl__unnamed_dir) < n;
}

bool dpl__is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

dpl_status dpl__check_overwrite(const char *output, const char *const *inputs, size_t n_inputs,
                                dpl_error *err)
{
    struct stat st;
    bool is_file = output && stat(output, &st) == 0 && S_ISREG(st.st_mode);
    for (size_t i = 0; i < n_inputs && is_file; i++)
        if (inputs[i] && dpl__is_same_file(inputs[i], output))
            return dpl__fail_code(err, DPL_E_USAGE, "output-is-input",
                                  "'%s' is input and output", inputs[i]);
    return DPL_OK;
}
