/*
 * external_filter.h - programs run by the shell; one that turns bytes into other bytes.
 */
#ifndef DPL_IO_EXTERNAL_FILTER_H
#define DPL_IO_EXTERNAL_FILTER_H

#include "base/arena.h"

#include <sys/types.h>

/* Runs a command; *fd, which does not block, is its input and its output. An errno, or 0. */
int dpl__program_start(int *fd, pid_t *pid, const char *command);
/* Its exit status; that of a signal is 128 and more, as in the shell. */
int dpl__program_wait(pid_t pid);

typedef struct dpl__filter {
    const char *program; /* a name, looked for on the PATH: letters, digits, '-', '_' */
    const char *options; /* for the shell, behind the name */
    unsigned seconds;    /* of computing; more ends it */
    size_t most;         /* bytes that it may write; more is DPL_E_LIMIT */
} dpl__filter;

/* Is the program installed? */
bool dpl__filter_is_there(const char *program);

/* Gives it the bytes and takes what it writes, in the arena with a zero byte behind it. Without
 * an err text: DPL_E_UNSUPPORTED when it is not installed, DPL_E_FORMAT when it fails. Safe on
 * any thread. */
dpl_status dpl__filter_run(dpl_str *out, dpl__arena *arena, const dpl__filter *filter,
                           dpl_str bytes, dpl_error *err);

#endif
