/*
 * dedup_run.h - what a run of dedup holds.
 */
#ifndef DPL_DEDUP_DEDUP_RUN_H
#define DPL_DEDUP_DEDUP_RUN_H

#include "dedup/clusters.h"
#include "dedup/dedup_search.h"
#include "dedup/pass.h"
#include "dedup/state.h"
#include "dedup/work.h"
#include "doppel/file.h"
#include "tokens/gate.h"
#include "tokens/open_inputs.h"

struct dpl_dedup_result {
    dpl_ctx *ctx;
    dpl_dedup_options o; /* complete */
    dpl__work work;
    dpl__state state;
    /* Inputs, new ones first; those that are files of collections are open. */
    dpl__inputs in;
    size_t n_new_inputs;
    char stdin_path[4200];
    dpl_collection *collection; /* NULL: they stay in the parts of a shared run */
    dpl__doc_parts parts;
    dpl__sets sets;
    dpl__dedup_docs docs;
    dpl__found found; /* edges of documents */
    DPL_VEC(dpl_dedup_hit) hits;
    dpl__clusters clusters;
    dpl__bytes *ids; /* room for ids with names of inputs: two, for id and cluster */
    dpl_read_counts read;
    struct dpl_skip_list skipped;
    dpl_recall_check check;
    dpl_dedup_summary s;
    char kept_path[4400];
};

/* New inputs and those they are compared with, made ready to be read more than once: standard
 * input is copied to the work folder, files of collections are opened. */
dpl_status dpl__dedup_open_inputs(dpl_dedup_result *r, const dpl_input *inputs, size_t n,
                                  dpl_error *err);

/* Appends the bytes of a file or stream as they are, compressed or not, and counts them. */
dpl_status dpl__dedup_copy(dpl_output *to, uint64_t *n_bytes, dpl_ctx *ctx, const char *path,
                           dpl_error *err);

/* Are the shingles of old documents looked up, without sizes of all sets? */
bool dpl__dedup_is_by_items(const dpl_dedup_options *o);
/* What new documents go through; nothing (ctx NULL) where that is not worth while. */
dpl_status dpl__item_gate_make(dpl__gate *gate, const dpl_dedup_result *r, dpl_error *err);

/* Lines and paragraphs, instead of documents. */
dpl_status dpl__dedup_parts(dpl_dedup_result *r, dpl_error *err);

/* Which documents of `against` the new ones have, where and how. */
dpl_status dpl__dedup_find_hits(dpl_dedup_result *r, dpl_error *err);

/* clusters.tsv, contamination.tsv, run.json. */
dpl_status dpl__dedup_write_clusters(dpl_dedup_result *r, dpl_error *err);
dpl_status dpl__dedup_write_contamination(dpl_dedup_result *r, dpl_error *err);
dpl_status dpl__dedup_write_run(dpl_dedup_result *r, dpl_error *err);

/* Names as options have them; NULL when out of range. Static text. */
const char *dpl__dedup_keep_name(unsigned keep);
const char *dpl__dedup_unit_name(unsigned unit);
const char *dpl__dedup_measure_name(unsigned measure);
const char *dpl__dedup_method_name(unsigned method);
const char *dpl__dedup_linkage_name(unsigned linkage);
const char *dpl__dedup_compress_name(unsigned compress);

#endif
