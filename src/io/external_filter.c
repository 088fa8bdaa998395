/*
 * external_filter.c - runs a program by the shell, which finds it and limits its time, with one
 * socket as its input and output.
 *
 * Bytes are sent as fast as the program takes them while its answer is read, so that neither
 * side waits for the other. A socket and not pipes: writing to a program that ended is an error
 * there and not a signal.
 */
#include "io/external_filter.h"

#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { READ = 1 << 16, NOT_FOUND = 127, COMMAND = 400 };

int dpl__program_start(int *fd, pid_t *pid, const char *command)
{
    int fds[2]; /* a program that another thread starts now must not have them */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
        return errno;
    char shell[] = "sh", flag[] = "-c";
    char *arguments[] = {shell, flag, (char *)(uintptr_t)command, NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = posix_spawn_file_actions_adddup2(&actions, fds[1], 0);
        if (!error)
            error = posix_spawn_file_actions_adddup2(&actions, fds[1], 1);
        if (!error)
            error = posix_spawn(pid, "/bin/sh", &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(fds[1]);
    *fd = fds[0];
    if (error)
        close(fds[0]);
    else
        fcntl(fds[0], F_SETFL, fcntl(fds[0], F_GETFL) | O_NONBLOCK);
    return error;
}

int dpl__program_wait(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return NOT_FOUND - 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Sends what is left and says when that was all. */
static void send_some(int fd, dpl_str *left)
{
    const ssize_t n = left->n ? send(fd, left->data, left->n, MSG_NOSIGNAL) : 0;
    if (n > 0) {
        left->data += n;
        left->n -= (size_t)n;
    } else if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        left->n = 0; /* it ended, or reads no more; its status says what that means */
    }
    if (!left->n)
        shutdown(fd, SHUT_WR);
}

/* DPL_END when the program has written everything. */
static dpl_status take_some(dpl__bytes *answer, dpl_ctx *ctx, int fd, size_t most,
                            dpl_error *err)
{
    char part[READ];
    const ssize_t n = recv(fd, part, sizeof part, 0);
    if (n == 0)
        return DPL_END;
    if (n < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? DPL_OK : DPL_END;
    if ((size_t)n > most - answer->n)
        return DPL_E_LIMIT;
    return dpl__need(dpl__vec_append(ctx, answer, part, (size_t)n), err);
}

static dpl_status talk(dpl__bytes *answer, dpl_ctx *ctx, int fd, size_t most, dpl_str left,
                       dpl_error *err)
{
    bool is_sending = true;
    dpl_status status = DPL_OK;
    while (status == DPL_OK) {
        struct pollfd p = {.fd = fd, .events = (short)(POLLIN | (is_sending ? POLLOUT : 0))};
        if (poll(&p, 1, -1) < 0 && errno != EINTR)
            return dpl__fail_errno(err, errno, "cannot wait for a program");
        if (is_sending && (p.revents & POLLOUT)) {
            send_some(fd, &left);
            is_sending = left.n > 0;
        }
        if (p.revents & (POLLIN | POLLHUP | POLLERR))
            status = take_some(answer, ctx, fd, most, err);
    }
    return status == DPL_END ? DPL_OK : status;
}

bool dpl__filter_is_there(const char *program)
{
    char command[COMMAND];
    snprintf(command, sizeof command, "command -v %s", program);
    int fd;
    pid_t pid;
    if (dpl__program_start(&fd, &pid, command) != 0)
        return false;
    const int status =
        dpl__program_wait(pid); /* what it writes is a path: the socket has room for it */
    close(fd);
    return status == 0;
}

dpl_status dpl__filter_run(dpl_str *out, dpl__arena *arena, const dpl__filter *filter,
                           dpl_str bytes, dpl_error *err)
{
    dpl_ctx *ctx = arena->ctx;
    dpl__bytes answer = {0};
    char command[COMMAND];
    const int n =
        snprintf(command, sizeof command,
                 "command -v %s >/dev/null || exit %d; ulimit -t %u; exec %s %s",
                 filter->program, NOT_FOUND, filter->seconds, filter->program, filter->options);
    assert(n > 0 && (size_t)n < sizeof command);
    (void)n;
    int fd;
    pid_t pid;
    const int error = dpl__program_start(&fd, &pid, command);
    if (error)
        return dpl__fail_errno(err, error, "cannot run '%s'", filter->program);
    dpl_status status = talk(&answer, ctx, fd, filter->most, bytes, err);
    close(fd);
    if (status < 0)
        kill(pid, SIGKILL);
    const int exit_status = dpl__program_wait(pid);
    DPL__STEP(status);
    DPL__STEP(exit_status == 0           ? DPL_OK
              : exit_status == NOT_FOUND ? DPL_E_UNSUPPORTED
                                         : DPL_E_FORMAT);
    *out = dpl__arena_copy(arena, (dpl_str){(const char *)answer.data, answer.n});
    status = dpl__need(out->data, err);
done:
    dpl__vec_clear(ctx, &answer);
    return status;
}
