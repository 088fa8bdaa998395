/*
 * files.c - whole writes and reads; folders.
 */
#include "io/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Linux transfers at most 2 GiB a call. */
enum { MOST = 1 << 30 };

/* Reads the bytes at the offset into p, or writes those of p there. */
static int transfer(int fd, char *p, size_t n, uint64_t offset, bool is_read)
{
    assert(fd >= 0 && (p || !n));
    while (n) {
        const size_t now = dpl__min(n, MOST);
        ssize_t did =
            is_read ? pread(fd, p, now, (off_t)offset) : pwrite(fd, p, now, (off_t)offset);
        if (did < 0 && errno == EINTR)
            continue;
        if (did <= 0)
            return did < 0 ? errno : is_read ? EIO : ENOSPC;
        p += did;
        n -= (size_t)did;
        offset += (uint64_t)did;
    }
    return 0;
}

int dpl__pwrite_all(int fd, const void *data, size_t n, uint64_t offset)
{
    return transfer(fd, (char *)(uintptr_t)data, n, offset, false);
}

int dpl__pread_all(int fd, void *data, size_t n, uint64_t offset)
{
    return transfer(fd, data, n, offset, true);
}

int dpl__map_file(const char **data, size_t *n, const char *path)
{
    struct stat st = {0};
    *data = NULL;
    *n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int code = fd < 0 || fstat(fd, &st) != 0 ? errno : 0;
    if (!code && st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
        code = p == MAP_FAILED ? errno : 0;
        *data = code ? NULL : p;
        *n = code ? 0 : (size_t)st.st_size;
    }
    if (fd >= 0)
        close(fd);
    return code;
}

void dpl__unmap_file(const char *data, size_t n)
{
    if (data)
        munmap((void *)(uintptr_t)data, n);
}

int dpl__write_all(int fd, const void *data, size_t n)
{
    assert(fd >= 0 && (data || !n));
    const char *p = data;
    while (n) {
        ssize_t did = write(fd, p, dpl__min(n, MOST));
        if (did < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            (void)poll(&ready, 1, -1);
            continue;
        }
        if (did < 0 && errno == EINTR)
            continue;
        if (did <= 0)
            return did < 0 ? errno : ENOSPC;
        p += did;
        n -= (size_t)did;
    }
    return 0;
}

bool dpl__dirname(char *out, size_t n, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 1;
    if (slash == path)
        length = 1;
    if (length >= n)
        return false;
    memcpy(out, slash ? path : ".", length);
    out[length] = 0;
    return true;
}

dpl_status dpl__folder_make(const char *path, dpl_error *err)
{
    struct stat st;
    char above[PATH_MAX];
    if (mkdir(path, 0777) == 0)
        return DPL_OK;
    int code = errno;
    if (code == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return DPL_OK;
    if (code == ENOENT && strchr(path, '/') && dpl__dirname(above, sizeof above, path)) {
        DPL_TRY(dpl__folder_make(above, err));
        code = mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
    }
    return code ? dpl__fail_errno(err, code, "cannot make the folder '%s'", path) : DPL_OK;
}

dpl_status dpl__folder_lock(int *fd, const char *path, dpl_error *err)
{
    enum { TIMES = 40 };
    static const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};
    *fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0) {
        int code = errno;
        *fd = 0;
        return dpl__fail_errno(err, code, "cannot open the folder '%s'", path);
    }
    for (int i = 0; i < TIMES; i++) {
        if (flock(*fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return DPL_OK;
        nanosleep(&pause, NULL);
    }
    close(*fd);
    *fd = 0;
    return dpl__fail_code(err, DPL_E_IO, "folder-in-use",
                          "'%s' is in use: another run writes to it", path);
}
