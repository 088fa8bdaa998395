/*
 * access_log.h - a line for each request.
 */
#ifndef DPL_SERVE_ACCESS_LOG_H
#define DPL_SERVE_ACCESS_LOG_H

#include "base/vec.h"
#include "doppel/serve.h"

#include <time.h>

typedef struct dpl__access {
    const char *client; /* address */
    dpl_str method, target, version;
    unsigned status;
    uint64_t n_bytes; /* of the answer's body */
    double seconds;
    bool is_complete; /* the client got all of it */
} dpl__access;

/* Makes the line in *out; false: there is no memory. Whatever a client sends stays on one line:
 * control characters and quotes are escaped. */
bool dpl__access_line(dpl_ctx *ctx, dpl__bytes *out, dpl_log_format format,
                      const dpl__access *access, time_t now);

/* "common", "json"; NULL when out of range. Static text. */
const char *dpl__log_format_name(unsigned format);

#endif
