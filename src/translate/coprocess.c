/*
 * coprocess.c - lines are sent as fast as the program takes them while answers are read, so
 * that neither side waits for the other.
 */
#include "translate/coprocess.h"

#include "base/ctx.h"
#include "io/external_filter.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ = 1 << 16, LONGEST_ANSWER = 64 << 20 };

void dpl__coprocess_init(dpl__coprocess *p, dpl_ctx *ctx, const char *command, double seconds)
{
    *p = (dpl__coprocess){.ctx = ctx, .command = command, .seconds = seconds, .fd = -1};
}

/* Ends the program, if it runs; kills it when it must not be waited for. */
static void stop(dpl__coprocess *p, bool kills)
{
    if (p->fd < 0)
        return;
    close(p->fd);
    p->fd = -1;
    if (kills)
        kill(p->pid, SIGKILL);
    dpl__program_wait(p->pid);
    p->in.n = 0;
}

void dpl__coprocess_clear(dpl__coprocess *p)
{
    if (!p->ctx)
        return;
    stop(p, true);
    dpl__vec_clear(p->ctx, &p->in);
}

static dpl_status start(dpl__coprocess *p, dpl_error *err)
{
    const int error = dpl__program_start(&p->fd, &p->pid, p->command);
    if (error) {
        p->fd = -1;
        return dpl__fail_errno(err, error, "cannot run translator '%s'", p->command);
    }
    p->in.n = 0;
    return DPL_OK;
}

static dpl_status fail(dpl__coprocess *p, const char *what, dpl_error *err)
{
    stop(p, true);
    return dpl__fail_code(err, DPL_E_IO, "translator", "translator '%s' %s", p->command, what);
}

/* ---- lines ---------------------------------------------------------------------------- */

typedef struct talk {
    const dpl_str *lines;
    size_t n, n_answered;
    size_t sent, sent_of; /* line being sent, and how much of it with its end */
    double last;          /* when there was an answer */
} talk;

/* Sends as much as the program takes. False: it ended. */
static bool send_some(dpl__coprocess *p, talk *t)
{
    assert(p->fd >= 0);
    while (t->sent < t->n) {
        dpl_str line = t->lines[t->sent];
        assert(t->sent_of <= line.n);
        bool is_end = t->sent_of == line.n;
        const char *from = is_end ? "\n" : line.data + t->sent_of;
        ssize_t n = send(p->fd, from, is_end ? 1 : line.n - t->sent_of, MSG_NOSIGNAL);
        if (n < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
        t->sent_of += (size_t)n;
        if (t->sent_of > line.n) {
            t->sent++;
            t->sent_of = 0;
        }
    }
    return true;
}

/* Hands on the complete answers in p->in. */
static dpl_status take_answers(dpl__coprocess *p, talk *t, dpl__answer_fn *take, void *user,
                               dpl_error *err)
{
    size_t at = 0;
    for (;;) {
        const char *begin = p->in.data + at;
        const char *end = p->in.n > at ? memchr(begin, '\n', p->in.n - at) : NULL;
        if (!end)
            break;
        dpl_str answer = {begin, (size_t)(end - begin)};
        if (answer.n && answer.data[answer.n - 1] == '\r')
            answer.n--;
        if (t->n_answered == t->sent + (t->sent_of > 0))
            return fail(p, "answers with more lines than it was sent", err);
        DPL_TRY(take(user, t->n_answered++, answer, err));
        t->last = dpl__now();
        at += (size_t)(end - begin) + 1;
    }
    assert(t->n_answered <= t->n);
    if (at)
        memmove(p->in.data, p->in.data + at, p->in.n - at);
    p->in.n -= at;
    return p->in.n > LONGEST_ANSWER ? fail(p, "answers with too long a line", err) : DPL_OK;
}

/* *has_ended: no more will come. */
static dpl_status read_some(dpl__coprocess *p, bool *has_ended, dpl_error *err)
{
    for (;;) {
        DPL_TRY(dpl__need(dpl__vec_reserve(p->ctx, &p->in, READ), err));
        ssize_t n = read(p->fd, p->in.data + p->in.n, READ);
        if (n > 0)
            p->in.n += (size_t)n;
        else if (n < 0 && errno == EINTR)
            continue;
        else {
            *has_ended = n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
            return DPL_OK;
        }
        if ((size_t)n < READ)
            return DPL_OK;
    }
}

/* Until all are answered or the program ends. */
static dpl_status converse(dpl__coprocess *p, talk *t, bool *has_ended, dpl__answer_fn *take,
                           void *user, dpl_error *err)
{
    while (t->n_answered < t->n && !*has_ended) {
        struct pollfd fd = {.fd = p->fd,
                            .events = (short)(POLLIN | (t->sent < t->n ? POLLOUT : 0))};
        int n = poll(&fd, 1, 100);
        if (n < 0 && errno != EINTR)
            return dpl__fail_errno(err, errno, "cannot read from translator '%s'", p->command);
        dpl_progress now = {.stage = "translate", .unit = "sentences", .done = t->n_answered};
        DPL_TRY(dpl__progress(p->ctx, &now, err));
        if (n > 0 && fd.revents & POLLOUT && !send_some(p, t))
            *has_ended = true;
        if (n > 0 && fd.revents & (POLLIN | POLLHUP | POLLERR)) {
            DPL_TRY(read_some(p, has_ended, err));
            DPL_TRY(take_answers(p, t, take, user, err));
        }
        if (t->n_answered < t->n && dpl__now() - t->last > p->seconds)
            return fail(p, "does not answer in time", err);
    }
    return DPL_OK;
}

/* What comes before a line is sent is no answer. */
static dpl_status check_silence(dpl__coprocess *p, dpl_error *err)
{
    bool has_ended = false;
    if (p->fd < 0)
        return DPL_OK;
    DPL_TRY(read_some(p, &has_ended, err));
    if (p->in.n)
        return fail(p, "answers with more lines than it was sent", err);
    if (has_ended)
        stop(p, false);
    return DPL_OK;
}

dpl_status dpl__coprocess_ask(dpl__coprocess *p, const dpl_str *lines, size_t n,
                              dpl__answer_fn *take, void *user, dpl_error *err)
{
    talk t = {.lines = lines, .n = n};
    DPL_TRY(check_silence(p, err));
    size_t ended_at = SIZE_MAX; /* the line that it last ended at */
    while (t.n_answered < n) {
        if (p->fd < 0)
            DPL_TRY(start(p, err));
        bool has_ended = false;
        t.sent = t.n_answered;
        t.sent_of = 0;
        t.last = dpl__now();
        DPL_TRY(converse(p, &t, &has_ended, take, user, err));
        if (!has_ended)
            break;
        stop(p, false);
        if (t.n_answered == n)
            break;
        if (ended_at == t.n_answered)
            return fail(p, "ends without an answer", err);
        ended_at = t.n_answered;
        p->n_restarts++;
    }
    return p->in.n ? fail(p, "answers with more lines than it was sent", err) : DPL_OK;
}
