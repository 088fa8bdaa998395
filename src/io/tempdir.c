/*
 * tempdir.c - made, locked, removed; and those of dead processes.
 *
 * A folder is "doppel-tmp-HOST-XXXXXX", with a lock (flock) on the folder itself, which the
 * system takes back when the process ends, however it ends. Process ids would not do: they are
 * used again. HOST is a hash of the host's name, because locks of some network file systems
 * are seen by one host only. The folder gets that name when it is locked; until then it is
 * "doppel-new-HOST-XXXXXX", and empty: who sees it then takes it for abandoned, and its owner
 * makes another one.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#define _DEFAULT_SOURCE   /* flock */
#include "doppel/file.h"

#include "base/base.h"
#include "base/hash.h"
#include "io/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    N_RANDOM = 6,
    MOST_PREFIX = 32,
    MOST_DEPTH = 8,
    TRIES = 100, /* of folders that others remove */
};

/* "doppel-tmp-1a2b3c4d-" */
static void begin_name(char out[MOST_PREFIX], const char *kind)
{
    char host[256] = "";
    (void)!gethostname(host, sizeof host - 1);
    snprintf(out, MOST_PREFIX, "doppel-%s-%08x-", kind,
             (unsigned)(dpl__hash(host, strlen(host), 0) & 0xFFFFFFFF));
}

/* ---- removing ----------------------------------------------------------------------- */

/* Empties the folder of this descriptor, which is closed. Links are removed, not followed. */
static void empty(int fd, unsigned depth)
{
    DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return;
    }
    for (const struct dirent *e; (e = readdir(dir));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            unlinkat(fd, e->d_name, 0) == 0 || depth == MOST_DEPTH)
            continue;
        int inside = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inside >= 0)
            empty(inside, depth + 1);
        unlinkat(fd, e->d_name, AT_REMOVEDIR);
    }
    closedir(dir);
}

/* What `lock` is a descriptor of, and has its lock: nobody takes it for dead meanwhile. */
static void remove_locked(const char *path, int lock)
{
    int fd = openat(lock, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        empty(fd, 0);
    rmdir(path);
    close(lock);
}

/* A folder of this user that no process has a lock on: its owner is dead. */
static void remove_if_abandoned(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    const bool is_own = fstat(fd, &st) == 0 && st.st_uid == geteuid();
    if (is_own && flock(fd, LOCK_EX | LOCK_NB) == 0)
        remove_locked(path, fd);
    else
        close(fd);
}

static void remove_abandoned(const char *base, const char *prefix)
{
    char path[sizeof((dpl_temp_dir *)0)->path];
    const size_t n_prefix = strlen(prefix);
    DIR *dir = opendir(base);
    for (const struct dirent *e; dir && (e = readdir(dir));)
        if (strncmp(e->d_name, prefix, n_prefix) == 0 &&
            strlen(e->d_name) == n_prefix + N_RANDOM &&
            (size_t)snprintf(path, sizeof path, "%s/%s", base, e->d_name) < sizeof path)
            remove_if_abandoned(path);
    if (dir)
        closedir(dir);
}

/* ---- making ------------------------------------------------------------------------- */

/* A folder with this prefix that is locked. 0 or an errno; EAGAIN: another process removed it.
 */
static int make_locked(dpl_temp_dir *t, const char *base, const char *fresh, const char *prefix)
{
    char path[sizeof t->path];
    if ((size_t)snprintf(path, sizeof path, "%s/%sXXXXXX", base, fresh) >= sizeof path)
        return ENAMETOOLONG;
    if (!mkdtemp(path))
        return errno;
    t->lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (t->lock < 0) {
        const int e = errno == ENOENT ? EAGAIN : errno;
        rmdir(path);
        return e;
    }
    snprintf(t->path, sizeof t->path, "%s/%s%s", base, prefix, path + strlen(path) - N_RANDOM);
    /* without locks, nobody can take them either */
    const bool is_taken = flock(t->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!is_taken && rename(path, t->path) == 0)
        return 0;
    const int e = is_taken || errno == ENOENT ? EAGAIN : errno;
    close(t->lock);
    rmdir(path);
    return e;
}

void dpl__temp_dirs_clean(const char *base)
{
    char fresh[MOST_PREFIX], prefix[MOST_PREFIX];
    begin_name(fresh, "new");
    begin_name(prefix, "tmp");
    remove_abandoned(base, fresh);
    remove_abandoned(base, prefix);
}

dpl_status dpl_temp_dir_make(dpl_temp_dir *t, const char *base, dpl_error *err)
{
    char fresh[MOST_PREFIX], prefix[MOST_PREFIX];
    *t = (dpl_temp_dir){0};
    base = base && *base ? base : "/tmp";
    begin_name(fresh, "new");
    begin_name(prefix, "tmp");
    dpl__temp_dirs_clean(base);
    int e = EAGAIN;
    for (int i = 0; i < TRIES && e == EAGAIN; i++)
        e = make_locked(t, base, fresh, prefix);
    if (!e)
        return DPL_OK;
    *t = (dpl_temp_dir){0};
    return dpl__fail_errno(err, e, "cannot make a temporary folder in '%s'", base);
}

void dpl_temp_dir_remove(dpl_temp_dir *t)
{
    if (t->path[0])
        remove_locked(t->path, t->lock);
    *t = (dpl_temp_dir){0};
}
