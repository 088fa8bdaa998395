/*
 * files.c - whole writes and reads.
 */
#include "io/files.h"

#include <poll.h>
#include <unistd.h>

/* Linux transfers at most 2 GiB a call. */
enum { MOST = 1 << 30 };

int dpl__pwrite_all(int fd, const void *data, size_t n, uint64_t offset)
{
    const char *p = data;
    while (n) {
        ssize_t did = pwrite(fd, p, dpl__min(n, MOST), (off_t)offset);
        if (did < 0 && errno == EINTR)
            continue;
        if (did <= 0)
            return did < 0 ? errno : ENOSPC;
        p += did;
        n -= (size_t)did;
        offset += (uint64_t)did;
    }
    return 0;
}

int dpl__pread_all(int fd, void *data, size_t n, uint64_t offset)
{
    char *p = data;
    while (n) {
        ssize_t did = pread(fd, p, dpl__min(n, MOST), (off_t)offset);
        if (did < 0 && errno == EINTR)
            continue;
        if (did <= 0)
            return did < 0 ? errno : EIO;
        p += did;
        n -= (size_t)did;
        offset += (uint64_t)did;
    }
    return 0;
}

int dpl__write_all(int fd, const void *data, size_t n)
{
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
