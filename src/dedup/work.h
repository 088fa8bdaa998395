/*
 * work.h - the folder of a run: made, locked, recognised again; and the pairs in it.
 */
#ifndef DPL_DEDUP_WORK_H
#define DPL_DEDUP_WORK_H

#include "dedup/verify_edges.h"
#include "doppel/file.h"
#include "io/lines.h"

/* Owned. Zeroed memory may be closed. */
typedef struct dpl__work {
    dpl_ctx *ctx;
    char dir[3900];    /* the output folder */
    char path[4000];   /* dir/work */
    int lock;          /* descriptor of it, locked; 0: none */
    dpl_temp_dir temp; /* dir, when it is temporary */
    bool is_temporary;
    bool has_import, has_search; /* resume: an earlier run left its documents, its pairs */
} dpl__work;

/* Makes dir and dir/work, or with dir NULL a temporary folder that close removes, and locks it
 * ("folder-in-use"). With options->resume, an earlier run must have read the same inputs in the
 * same way ("resume-other-run"); its documents are used, and its pairs if it searched in the
 * same way and not to a higher floor. Else files of an earlier run are removed. A work/ that
 * holds files of others is left alone ("folder-foreign"). */
dpl_status dpl__work_open(dpl__work *w, dpl_ctx *ctx, const char *dir, const dpl_input *inputs,
                          size_t n_inputs, const dpl_dedup_options *o, dpl_error *err);
void dpl__work_close(dpl__work *w);

/* dir/name or, with is_work, dir/work/name, in out. */
dpl_status dpl__work_file(char *out, size_t n_out, const dpl__work *w, bool is_work,
                          const char *name, dpl_error *err);

/* A number that says whether the input is the same one: of a file its size and time of change.
 * 0: not known, as of a stream. */
dpl_status dpl__work_fingerprint(uint64_t *out, dpl_ctx *ctx, const dpl_input *in,
                                 dpl_error *err);

/* What a search found, as work/edges.tsv has it: lines of left document, right document, kind
 * and score, and before them facts about the search. Numbers of documents. */
typedef struct dpl__found {
    dpl__edges edges;
    uint64_t n_candidates;
    uint32_t method, is_exact, code_length, n_codes;
} dpl__found;

dpl_status dpl__work_write_edges(const dpl__work *w, const dpl__found *found, dpl_error *err);
/* Edges out of range of n_docs are DPL_E_FORMAT, and so is a file that ends too early. */
dpl_status dpl__work_parse_edges(dpl__found *found, dpl__lines *lines, uint32_t n_docs,
                                 dpl_error *err);
/* The same of work/edges.tsv. */
dpl_status dpl__work_read_edges(dpl__found *found, const dpl__work *w, uint32_t n_docs,
                                dpl_error *err);

#endif
