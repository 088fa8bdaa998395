/*
 * simdjson_lines.h - simdjson over JSON Lines, to compare with.
 */
#ifndef DPL_BENCH_SIMDJSON_LINES_H
#define DPL_BENCH_SIMDJSON_LINES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes in all strings called "text"; the lines are followed by 64 readable bytes. */
bool bench_simdjson(const char *data, size_t n, size_t *n_text);

#ifdef __cplusplus
}
#endif
#endif
