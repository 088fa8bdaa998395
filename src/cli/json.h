/*
 * json.h - writes JSON, one object on one line.
 *
 *     cli_json j = {.put = put, .user = file};
 *     cli_json_begin(&j, NULL, '{');
 *     cli_json_number(&j, "documents", 3);
 *     cli_json_begin(&j, "terms", '[');
 *     cli_json_text(&j, NULL, dpl_str);       in an array there are no keys
 *     cli_json_end(&j, ']');
 *     cli_json_end(&j, '}');
 */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "doppel/base.h"

typedef struct cli_json {
    void (*put)(void *user, const char *data, size_t n); /* default: standard output */
    void *user;
    bool needs_comma;
} cli_json;

void cli_json_begin(cli_json *j, const char *key, char bracket);
void cli_json_end(cli_json *j, char bracket);
void cli_json_number(cli_json *j, const char *key, uint64_t value);
/* With six digits; null for what is not finite. */
void cli_json_real(cli_json *j, const char *key, double value);
void cli_json_bool(cli_json *j, const char *key, bool value);
/* Bytes that are not UTF-8 become U+FFFD. */
void cli_json_text(cli_json *j, const char *key, dpl_str value);
void cli_json_cstr(cli_json *j, const char *key, const char *value);
/* A value that is JSON already; nothing at all becomes null. */
void cli_json_raw(cli_json *j, const char *key, dpl_str value);

#endif
