/*
 * progress.h - the callback of the context: draws how far the work is, and stops it on request.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "doppel/base.h"

/* The pace of the stage under way. Zero it before the first call. */
typedef struct cli_meter {
    char stage[32];
    double began, last; /* monotonic seconds */
    uint64_t done;      /* at `last` */
    uint64_t total;
    double rate; /* units per second, of the last few seconds */
} cli_meter;

double cli_now(void); /* monotonic seconds */

/* A dpl_progress_fn; user is a cli_meter. */
int cli_progress(void *user, const dpl_progress *progress);

/* Takes note of one report; at: monotonic seconds. */
void cli_meter_update(cli_meter *meter, const dpl_progress *progress, double at);
/* The line to draw, at most `width` columns. */
void cli_meter_line(char *out, size_t n_out, const cli_meter *meter,
                    const dpl_progress *progress, unsigned width);

/* SIGINT, SIGTERM and SIGHUP make cli_progress answer "stop"; a second one ends the process. A
 * signal that the parent had turned off stays off. */
void cli_stop_on_signals(void);
/* As cli_fail, when a signal may also have ended a read that waits for input. */
int cli_fail_or_stop(dpl_error *err);

#endif
