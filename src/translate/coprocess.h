/*
 * coprocess.h - a program that answers lines with lines. Owned.
 */
#ifndef DPL_TRANSLATE_COPROCESS_H
#define DPL_TRANSLATE_COPROCESS_H

#include "base/vec.h"

#include <sys/types.h>

typedef struct dpl__coprocess {
    dpl_ctx *ctx;
    const char *command;
    double seconds; /* for an answer */
    int fd;         /* -1: does not run */
    pid_t pid;
    dpl__bytes in; /* bytes of answers */
    uint64_t n_restarts;
} dpl__coprocess;

void dpl__coprocess_init(dpl__coprocess *p, dpl_ctx *ctx, const char *command, double seconds);
void dpl__coprocess_clear(dpl__coprocess *p);

/* Takes the answer to line i, without its end; anything but DPL_OK ends the call. */
typedef dpl_status dpl__answer_fn(void *user, size_t i, dpl_str answer, dpl_error *err);

/* Sends n lines (without line breaks) and takes as many answers. */
dpl_status dpl__coprocess_ask(dpl__coprocess *p, const dpl_str *lines, size_t n,
                              dpl__answer_fn *take, void *user, dpl_error *err);

#endif
