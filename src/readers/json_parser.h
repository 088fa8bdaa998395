/*
 * json_parser.h - a pull parser over one JSON text, and the escape for writing strings. Owned.
 *
 *     dpl__json j = dpl__json_begin(ctx, line);
 *     DPL_TRY(dpl__json_open(&j, '{'));
 *     while ((st = dpl__json_member(&j, arena, &key)) == DPL_OK)
 *         DPL_TRY(dpl__json_skip(&j, &raw));
 *     DPL_TRY(dpl__json_end(&j));
 *
 * Strict RFC 8259 over text that is known to be valid UTF-8. Nothing is built: a string without
 * escapes is a slice of the text, one with escapes is decoded into the arena. Calls answer
 * DPL_E_FORMAT when the text is not JSON (`problem` says why, `at` where) or DPL_E_NOMEM.
 */
#ifndef DPL_READERS_JSON_PARSER_H
#define DPL_READERS_JSON_PARSER_H

#include "base/arena.h"
#include "base/vec.h"

enum { DPL__JSON_DEPTH = 512 /* levels that dpl__json_skip goes down */ };

typedef struct dpl__json {
    const struct dpl__kernels *kernels;
    const char *begin, *at, *end;
    bool is_fresh;       /* just behind an opening bracket */
    const char *problem; /* static text */
    const char *key;     /* where the last member begins */
    size_t n_lone;       /* surrogates in values without their other half: U+FFFD now */
    const char *lone;    /* the first of them */
} dpl__json;

dpl__json dpl__json_begin(const dpl_ctx *ctx, dpl_str text);
/* Checks that only white space is left. */
dpl_status dpl__json_end(dpl__json *j);

/* Column in bytes, from 1: of `at`, or of any place in the text. */
uint64_t dpl__json_column(const dpl__json *j, const char *place);

/* The first byte of the value that comes next, 0 at the end of the text. */
char dpl__json_peek(dpl__json *j);
/* Steps into an object '{' or an array '['. */
dpl_status dpl__json_open(dpl__json *j, char bracket);
/* The key of the next member, with its value up next; DPL_END steps out of the object. */
dpl_status dpl__json_member(dpl__json *j, dpl__arena *arena, dpl_str *key);
/* The next element of an array is up next; DPL_END steps out of it. */
dpl_status dpl__json_element(dpl__json *j);

dpl_status dpl__json_string(dpl__json *j, dpl__arena *arena, dpl_str *s);
/* The number as it is written. */
dpl_status dpl__json_number(dpl__json *j, dpl_str *raw);
/* Any value, checked to the last byte, as it is written. */
dpl_status dpl__json_skip(dpl__json *j, dpl_str *raw);

/* The value of a member of an object, as it is written; empty if there is none. */
dpl_str dpl__json_value(dpl_ctx *ctx, dpl_str object, const char *key);
/* Settings of a file, an object that we wrote: 0 or false where there is no such member. */
unsigned dpl__setting_number(dpl_ctx *ctx, dpl_str settings, const char *key);
bool dpl__setting_is_true(dpl_ctx *ctx, dpl_str settings, const char *key);

/* Appends s (valid UTF-8) as a JSON string with its quotes; false when there is no memory. */
bool dpl__json_escape(dpl_ctx *ctx, dpl__bytes *out, dpl_str s);

#endif
