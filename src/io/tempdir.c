/*
 * tempdir.c - made, locked, removed; and those of dead processes.
 *
 * A folder is "doppel-tmp-HOST-XXXXXX", with a lock (flock) on the folder itself, which the
 * system takes back when the process ends, however it ends. Process ids would not do: they are
 * used again. HOST is a hash of the host's name, because locks of some network file systems
 * are seen by one host only. The folder gets that name when it is locked; until then it is
 * "doppel-new-HOST-XXXXXX", and empty.
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
#include <time.h>
#include <unistd.h>

enum {
    N_RANDOM = 6,
    MOST_PREFIX = 32,
    MOST_DEPTH = 8,
    FRESH = 5 /* seconds: the owner of a younger "new" one may be about to lock it */
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

/* A folder of this user, old enough, that no process has a lock on: its owner is dead. */
static void remove_if_abandoned(const char *path, int age)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    bool is_old =
        fstat(fd, &st) == 0 && st.st_uid == geteuid() && time(NULL) - st.st_ctim.tv_sec >= age;
    if (is_old && flock(fd, LOCK_EX | LOCK_NB) == 0)
        remove_locked(path, fd);
    else
        close(fd);
}

static void remove_abandoned(const char *base, const char *prefix, int age)
{
    char path[sizeof((dpl_temp_dir *)0)->path];
    const size_t n_prefix = strlen(prefix);
    DIR *dir = opendir(base);
    for (const struct dirent *e; dir && (e = readdir(dir));)
        if (strncmp(e->d_name, prefix, n_prefix) == 0 &&
            strlen(e->d_name) == n_prefix + N_RANDOM &&
            (size_t)snprintf(path, sizeof path, "%s/%s", base, e->d_name) < sizeof path)
            remove_if_abandoned(path, age);
    if (dir)
        closedir(dir);
}

/* ---- making ------------------------------------------------------------------------- */

/* A folder that is locked, under its name for now. 0 or an errno. */
static int make_locked(dpl_temp_dir *t, const char *base, const char *prefix)
{
    if ((size_t)snprintf(t->path, sizeof t->path, "%s/%sXXXXXX", base, prefix) >=
        sizeof t->path)
        return ENAMETOOLONG;
    if (!mkdtemp(t->path))
        return errno;
    t->lock = open(t->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (t->lock < 0) {
        int e = errno;
        rmdir(t->path);
        return e;
    }
    (void)!flock(t->lock, LOCK_EX | LOCK_NB); /* without locks, nobody can take them either */
    return 0;
}

void dpl__temp_dirs_clean(const char *base)
{
    char fresh[MOST_PREFIX], prefix[MOST_PREFIX];
    begin_name(fresh, "new");
    begin_name(prefix, "tmp");
    remove_abandoned(base, fresh, FRESH);
    remove_abandoned(base, prefix, 0);
}

dpl_status dpl_temp_dir_make(dpl_temp_dir *t, const char *base, dpl_error *err)
{
    char fresh[MOST_PREFIX], prefix[MOST_PREFIX];
    *t = (dpl_temp_dir){0};
    base = base && *base ? base : "/tmp";
    begin_name(fresh, "new");
    begin_name(prefix, "tmp");
    dpl__temp_dirs_clean(base);
    int e = make_locked(t, base, fresh);
    if (e) {
        *t = (dpl_temp_dir){0};
        return dpl__fail_errno(err, e, "cannot make a temporary folder in '%s'", base);
    }
    char *kind = t->path + strlen(t->path) - N_RANDOM - strlen(prefix);
    char path[sizeof t->path];
    memcpy(path, t->path, sizeof path);
    memcpy(path + (kind - t->path), prefix, strlen(prefix));
    if (rename(t->path, path) == 0) /* else the name for now stays */
        memcpy(t->path, path, sizeof path);
    return DPL_OK;
}

void dpl_temp_dir_remove(dpl_temp_dir *t)
{
    if (t->path[0])
        remove_locked(t->path, t->lock);
    *t = (dpl_temp_dir){0};
}
