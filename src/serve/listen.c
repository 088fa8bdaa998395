/*
 * listen.c - the socket that a server listens on.
 */
#include "serve/server.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static dpl_status fail(dpl_error *err, int e, const char *address, unsigned port)
{
    const dpl_status status =
        dpl__fail_errno(err, e, "cannot listen on '%s' port %u", address, port);
    return e == EADDRINUSE ? dpl__code(err, status, "port-in-use")
           : e == EACCES   ? dpl__code(err, status, "port-not-allowed")
                           : status;
}

static unsigned port_of(int fd)
{
    struct sockaddr_storage at = {0};
    socklen_t n = sizeof at;
    if (getsockname(fd, (struct sockaddr *)&at, &n) != 0)
        return 0;
    return ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&at)->sin6_port
                                          : ((struct sockaddr_in *)&at)->sin_port);
}

static int open_socket(int *fd, const struct addrinfo *at, unsigned most)
{
    const int yes = 1;
    *fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    if (*fd < 0)
        return errno;
    if (fcntl(*fd, F_SETFD, FD_CLOEXEC) != 0 || fcntl(*fd, F_SETFL, O_NONBLOCK) != 0 ||
        setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(*fd, at->ai_addr, at->ai_addrlen) != 0 || listen(*fd, (int)most) != 0) {
        const int e = errno;
        close(*fd);
        *fd = -1;
        return e;
    }
    return 0;
}

dpl_status dpl__listen(int *fd, unsigned *port, const char *address, unsigned most,
                       dpl_error *err)
{
    char service[16];
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *found = NULL;
    snprintf(service, sizeof service, "%u", *port);
    if (*port > 65535 || getaddrinfo(address, service, &hints, &found) != 0)
        return dpl__fail_code(err, DPL_E_USAGE, "bad-address",
                              "'%s' port %u is no address to listen on", address, *port);
    const int e = open_socket(fd, found, most);
    freeaddrinfo(found);
    if (e)
        return fail(err, e, address, *port);
    *port = port_of(*fd);
    return DPL_OK;
}
