/*
 * sign_codes.h - doppel sign: similarity hash codes instead of signatures.
 */
#ifndef CLI_SIGN_CODES_H
#define CLI_SIGN_CODES_H

#include "doppel/codes.h"

typedef struct cli_codes_request {
    dpl_hash_options hashing;
    const char *output, *reference; /* NULL: the documents themselves */
} cli_codes_request;

/* Writes the codes of a collection or of vectors, and the summary. Returns the exit code. */
int cli_codes_make(const cli_codes_request *request, dpl_ctx *ctx, const char *input);

#endif
