/*
 * work.h - the output folder of dedup, and the pairs in it.
 */
#ifndef DPL_DEDUP_WORK_H
#define DPL_DEDUP_WORK_H

#include "dedup/verify_edges.h"
#include "io/lines.h"
#include "io/out_folder.h"

/* Owned. Zeroed memory may be closed. */
typedef struct dpl__work {
    dpl_ctx *ctx;
    dpl__out_folder folder;
    bool is_temporary;           /* the folder */
    bool has_import, has_search; /* resume: an earlier run left its documents, its pairs */
} dpl__work;

/* A run that is to be recognised. */
typedef struct dpl__work_run {
    const char *dir; /* NULL: a temporary folder */
    const dpl_input *inputs;
    size_t n_inputs;
    const dpl_dedup_options *options;
} dpl__work_run;

/* Opens the folder and begins in it (io/out_folder.h): with options->resume, an earlier run
 * must have read the same inputs in the same way; its documents are used, and its pairs if it
 * searched in the same way and not to a higher floor. */
dpl_status dpl__work_open(dpl__work *w, dpl_ctx *ctx, const dpl__work_run *run, dpl_error *err);
void dpl__work_close(dpl__work *w);

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
