/*
 * kept.h - writes the documents that are kept, in the format of their input.
 */
#ifndef DPL_DEDUP_KEPT_H
#define DPL_DEDUP_KEPT_H

#include "dedup/clusters.h"
#include "dedup/pass.h"
#include "dedup/work.h"

/* Where the kept documents of an input go. */
typedef struct dpl__kept_file {
    char path[4400];
    dpl_format format; /* of the input */
    dpl_dedup_compress compress;
} dpl__kept_file;

/* dir/kept.jsonl and so on; of several inputs dir/kept/NAME, and the folder is made. */
dpl_status dpl__kept_name(dpl__kept_file *out, const dpl__work *work, const dpl_input *inputs,
                          size_t n_inputs, size_t input, const dpl_dedup_options *o,
                          dpl_error *err);

/* Writes the new documents that are kept. has_drops: records may have been left out when they
 * were read; if not, every line that is not blank is a document. kept_path has room for 4400
 * bytes. */
dpl_status dpl__kept_write(char *kept_path, const dpl__work *work, const dpl__dedup_docs *docs,
                           const dpl__clusters *clusters, bool has_drops,
                           const dpl_dedup_options *o, dpl_error *err);

/* A document as one line of JSON, with keys as the options have them; false when there is no
 * memory. */
bool dpl__kept_json(dpl__bytes *out, dpl_ctx *ctx, const dpl_doc *doc, dpl_str id,
                    const dpl_reader_options *read);

#endif
