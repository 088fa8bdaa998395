/*
 * kept.h - writes the documents that are kept, in the format of their input.
 */
#ifndef DPL_DEDUP_KEPT_H
#define DPL_DEDUP_KEPT_H

#include "dedup/dedup_run.h"

/* Where the kept documents of an input go. */
typedef struct dpl__kept_file {
    char path[4400];
    dpl_format format; /* of the input */
    dpl_dedup_compress compress;
} dpl__kept_file;

/* Where those of an input go, of n_inputs whose documents are written: dir/kept.jsonl and so
 * on; of several inputs dir/kept/NAME, and the folder is made. */
dpl_status dpl__kept_name(dpl__kept_file *out, const dpl_dedup_result *r, size_t n_inputs,
                          size_t input, dpl_error *err);

/* Writes the new documents that are kept, and kept_path. has_drops: records may have been left
 * out when they were read; if not, every line that is not blank is a document. */
dpl_status dpl__kept_write(dpl_dedup_result *r, bool has_drops, dpl_error *err);
/* Says where the documents of n_inputs went; file is that of the last one. */
void dpl__kept_path(dpl_dedup_result *r, size_t n_inputs, const dpl__kept_file *file);

/* A document as one line of JSON, with keys as the options have them; false when there is no
 * memory. */
bool dpl__kept_json(dpl__bytes *out, dpl_ctx *ctx, const dpl_doc *doc, dpl_str id,
                    const dpl_reader_options *read);

#endif
