/*
 * token.h - the secret that requests must have, if the server has one.
 *
 * It is kept as its SHA-256 only, and what a request has is compared as its SHA-256, all bytes
 * of it: the time says nothing about the secret. Programs send "Authorization: Bearer TOKEN",
 * browsers ask their user for a password ("Basic"): any name, and the token. Frozen.
 */
#ifndef DPL_SERVE_TOKEN_H
#define DPL_SERVE_TOKEN_H

#include "base/arena.h"

/* Characters of a token: fewer could be guessed. */
enum { DPL__LEAST_TOKEN = 16, DPL__MOST_TOKEN = 512 };

typedef struct dpl__token {
    bool is_wanted; /* else every request is welcome */
    uint8_t sum[32];
} dpl__token;

/* The first line of a file: printable ASCII without blanks. */
dpl_status dpl__token_read(dpl__token *out, dpl_ctx *ctx, const char *path, dpl_error *err);

/* Does the header "Authorization" have the token? Scratch is in the arena; without memory it
 * has not. */
bool dpl__token_fits(const dpl__token *token, dpl__arena *arena, dpl_str authorization);

#endif
