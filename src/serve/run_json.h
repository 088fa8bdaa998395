/*
 * run_json.h - what serving needs of a run.json: languages, unit, runs with a pivot.
 */
#ifndef DPL_SERVE_RUN_JSON_H
#define DPL_SERVE_RUN_JSON_H

#include "base/base.h"

typedef struct dpl__run_langs {
    char langs[2][12];
    bool is_sentences; /* the unit was a single sentence */
} dpl__run_langs;

typedef struct dpl__run_json {
    char langs[2][12];
    bool is_sentences;
    char inputs[2][4100]; /* paths of the two inputs, from work/settings.json; or empty */
    dpl__run_langs *runs; /* with a pivot; else none */
    size_t n_runs;
} dpl__run_json;

/* Reads dir/run.json; DPL_E_USAGE ("not-a-run") when there is none. */
dpl_status dpl__run_json_read(dpl__run_json *out, dpl_ctx *ctx, const char *dir,
                              dpl_error *err);
void dpl__run_json_clear(dpl__run_json *r, dpl_ctx *ctx);

#endif
