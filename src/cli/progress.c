/*
 * progress.c - a line with bar, rate and time left; signals.
 *
 *     import  34%  [=========>          ]  1.2 GiB of 3.5 GiB  118 MiB/s  0:21 left
 *
 * The rate follows the last few seconds, so that the time left is right when the input changes
 * its pace. On a narrow terminal the bar goes first, then the tail of the line.
 */
#include "cli/progress.h"

#include "cli/layout.h"
#include "cli/talk.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the line ----------------------------------------------------------------------- */

void cli_meter_update(cli_meter *meter, const dpl_progress *progress, double at)
{
    static const double memory = 5; /* seconds */
    if (strncmp(meter->stage, progress->stage, sizeof meter->stage - 1) != 0 ||
        progress->done < meter->done || progress->total != meter->total) {
        *meter = (cli_meter){.began = at, .last = at, .total = progress->total};
        snprintf(meter->stage, sizeof meter->stage, "%s", progress->stage);
    }
    double dt = at - meter->last, elapsed = at - meter->began;
    if (dt <= 0)
        return;
    double latest = (double)(progress->done - meter->done) / dt;
    if (elapsed < memory)
        meter->rate = (double)progress->done / elapsed;
    else
        meter->rate += (latest - meter->rate) * dt / (dt + memory);
    meter->last = at;
    meter->done = progress->done;
}

static const char *amount(char out[64], uint64_t n, const char *unit)
{
    char number[32];
    if (strcmp(unit, "bytes") == 0)
        snprintf(out, 64, "%s", cli_bytes(number, n));
    else
        snprintf(out, 64, "%s %s", cli_grouped(number, n), unit);
    return out;
}

/* "1.2 GiB of 3.5 GiB  118 MiB/s  0:21 left" */
static void describe(char *out, size_t n_out, const cli_meter *meter, const dpl_progress *p)
{
    char done[64], total[64], number[32], rate[48] = "", time[48] = "";
    bool is_bytes = strcmp(p->unit, "bytes") == 0;
    uint64_t pace = meter->rate < 1e18 ? (uint64_t)(meter->rate + 0.5) : 0;
    if (pace)
        snprintf(rate, sizeof rate, "  %s/s",
                 is_bytes ? cli_bytes(number, pace) : cli_grouped(number, pace));
    double elapsed = meter->last - meter->began;
    if (p->total && pace && elapsed >= 1)
        snprintf(time, sizeof time, "  %s left",
                 cli_duration(number, (double)(p->total - p->done) / meter->rate));
    else if (!p->total)
        snprintf(time, sizeof time, "  %s", cli_duration(number, elapsed));
    if (p->total)
        snprintf(out, n_out, "%s of %s%s%s",
                 is_bytes ? amount(done, p->done, p->unit) : cli_grouped(done, p->done),
                 amount(total, p->total, p->unit), rate, time);
    else
        snprintf(out, n_out, "%s%s%s", amount(done, p->done, p->unit), rate, time);
}

/* "[=====>    ]" of n columns, at least 3 */
static void draw_bar(char *out, unsigned columns, double share)
{
    unsigned inside = columns - 2, full = (unsigned)(share * inside);
    out[0] = '[';
    for (unsigned i = 0; i < inside; i++)
        out[1 + i] = i < full ? '=' : i == full ? '>' : ' ';
    out[columns - 1] = ']';
    out[columns] = 0;
}

void cli_meter_line(char *out, size_t n_out, const cli_meter *meter,
                    const dpl_progress *progress, unsigned width)
{
    enum { LEAST_BAR = 8, MOST_BAR = 30 };
    dpl_progress p = *progress;
    if (p.total && p.done > p.total)
        p.done = p.total; /* a file that grows */
    char text[200], head[64], bar[MOST_BAR + 8] = "";
    describe(text, sizeof text, meter, &p);
    double share = p.total ? (double)p.done / (double)p.total : 0;
    if (p.total)
        snprintf(head, sizeof head, "%s  %2d%%", meter->stage, (int)(share * 100));
    else
        snprintf(head, sizeof head, "%s", meter->stage);
    size_t used = strlen(head) + strlen(text) + 4;
    if (p.total && width >= used + LEAST_BAR) {
        unsigned room = width - (unsigned)used;
        bar[0] = bar[1] = ' ';
        draw_bar(bar + 2, room < MOST_BAR ? room : MOST_BAR, share);
    }
    int n = snprintf(out, n_out, "%s%s  %s", head, bar, text);
    if (n > 0 && (unsigned)n > width && width < n_out) /* all of it is ASCII */
        out[width] = 0;
}

/* ---- the callback ------------------------------------------------------------------- */

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static volatile sig_atomic_t is_stopped;

int cli_progress(void *user, const dpl_progress *progress)
{
    if (cli_shows_status()) {
        char line[300];
        cli_meter_update(user, progress, cli_now());
        cli_meter_line(line, sizeof line, user, progress, cli_width(STDERR_FILENO) - 1);
        cli_status(line);
    }
    return is_stopped;
}

/* timeout(1) and some supervisors send the same signal twice in a row; only one that comes
 * later shows that somebody has lost patience. */
static void stop(int signal_number)
{
    static double stopped_at; /* both signals are blocked in here */
    int saved = errno;
    if (!is_stopped) {
        is_stopped = 1;
        stopped_at = cli_now();
    } else if (cli_now() - stopped_at > 0.3) {
        signal(signal_number, SIG_DFL);
        raise(signal_number); /* on return */
    }
    errno = saved;
}

void cli_stop_on_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = stop}, old;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&action.sa_mask, signals[i]);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

int cli_fail_or_stop(dpl_error *err)
{
    if (is_stopped && err->sys_errno == EINTR)
        err->status = DPL_E_STOPPED;
    return cli_fail(err);
}
