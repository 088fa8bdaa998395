/*
 * importer.h - an import on its way: what reading documents and merging parts share.
 */
#ifndef DPL_TOKENS_IMPORTER_H
#define DPL_TOKENS_IMPORTER_H

#include "io/container.h"
#include "io/parts.h"
#include "io/spill.h"
#include "readers/chunks.h"
#include "tokens/documents.h"
#include "tokens/idset.h"
#include "tokens/import.h"
#include "tokens/open_inputs.h"
#include "tokens/tokenize.h"
#include "tokens/vocabulary.h"

#include <stdatomic.h>

/* ---- documents that did not change ------------------------------------------------------ */

typedef struct dpl__import_update dpl__import_update;

/* The collection must have these settings (as the import writes them): tokens of others are not
 * the ones that tokenizing would give. */
dpl_status dpl__import_update_open(dpl__import_update **out, dpl_ctx *ctx, const char *path,
                                   dpl_str settings, dpl_error *err);
void dpl__import_update_close(dpl__import_update *update);

/* Does the old collection have the document, with the same text and language? Frozen. */
bool dpl__import_update_find(const dpl__import_update *update, const dpl_doc *doc,
                             uint32_t *old);
/* The numbers of old terms among those of a worker, in one of its runs. */
typedef struct dpl__update_table {
    unsigned thread;
    uint32_t run;
} dpl__update_table;

/* What dpl__tokenize does, for such a document. thread: of the worker; run: of its terms, which
 * begin anew with another one. */
dpl_status dpl__import_update_take(dpl__import_update *update, dpl__worker *worker,
                                   dpl__update_table table, dpl__tokenized *out, uint32_t old,
                                   dpl_error *err);
/* Documents taken so far. */
uint64_t dpl__import_update_count(const dpl__import_update *update);

/* ---- rows of terms ---------------------------------------------------------------------- */

/* What the first pass wrote down of one batch of documents. */
typedef struct dpl__batch_record {
    uint64_t n_tokens;
    uint64_t n_entries;
    uint32_t *tokens; /* n_tokens numbers; NULL: in the spool, where batches follow in order.
                         Freed when their rows are written. */
    uint32_t n_docs;
    uint32_t run; /* whose numbers they are */
} dpl__batch_record;

/* What it left behind. */
typedef struct dpl__first_pass {
    const dpl__vocabulary *vocabulary;
    const dpl__spool *tokens;     /* of the batches without their own: a u32 each */
    const dpl__spool *doc_tokens; /* tokens of each document, u32 */
    dpl__batch_record *batches;
    size_t n_batches;
    bool no_rows; /* rows are empty */
} dpl__first_pass;

/* Writes the sections tokens, row.offsets, row.terms, row.counts. */
dpl_status dpl__rows_write(dpl_ctx *ctx, dpl__writer *w, const dpl__first_pass *in,
                           dpl_error *err);

/* An input, open as long as one of its chunks is in flight. */
typedef struct dpl__import_source {
    dpl_reader *reader;
    dpl__collection_source docs; /* of an input that is a collection */
    size_t index;                /* among the importer's inputs */
    size_t number;               /* of the input, from 0; of a part: among those of the whole */
    size_t n_in_flight;
    bool is_at_end;
} dpl__import_source;

/* Where the text of a committed batch is. */
typedef enum dpl__text_state {
    DPL__TEXT_NONE,
    DPL__TEXT_PLACED, /* in memory; its place in the output is known */
    DPL__TEXT_WRITTEN /* its checksum is not yet joined to that of the section */
} dpl__text_state;

typedef struct dpl__import_slot {
    dpl__import_source *source; /* NULL: of a part */
    dpl__chunk chunk;
    dpl__batch batch;
    dpl__tokenized tokenized;
    dpl__doc_batch docs;
    dpl__text_state text;
    uint64_t text_place;
    size_t n_text;
    uint32_t text_crc;
    uint32_t run;
    dpl__terms retired; /* the worker's terms before this batch, when they had grown too many */
    uint32_t retired_run;
} dpl__import_slot;

typedef struct dpl__importer {
    dpl_ctx *ctx;
    dpl_reader_options read;
    dpl_tokens_options tokens_options;
    const dpl__gate *gate;     /* NULL: none */
    const dpl__morphs *morphs; /* words are followed by their parts; NULL: they are not */
    const char *spill_dir;
    bool numbers_inputs; /* in front of ids */
    bool tells_inputs;   /* only while they are read: names take the place of numbers */
    const dpl_input *inputs;
    size_t n_inputs, next_input;
    uint64_t n_bytes_before, n_bytes_total; /* of the files, for progress */
    dpl__import_source *current;
    DPL_VEC(dpl__import_source *) sources;
    dpl__import_slot *slots;
    size_t n_slots;
    dpl__worker *workers;
    uint32_t *worker_runs;
    atomic_uint n_runs;
    size_t terms_memory;   /* a worker retires its terms beyond this */
    size_t surface_memory; /* of a worker's word tables */
    dpl__terms stop_words; /* of the stop file */
    dpl__worker
        dropped; /* counts what is to be taken away again; from the first such document */
    dpl__spill spill;
    dpl__writer *writer;
    dpl__vocabulary vocabulary;
    dpl__idset ids;
    dpl__documents docs;
    dpl__spool tokens;                   /* of batches that do not hold theirs */
    uint64_t n_held_tokens, most_tokens; /* in memory; at the most */
    DPL_VEC(dpl__batch_record) batches;
    dpl_read_counts counts;
    bool needs_docs, no_rows;
    struct dpl_skip_list *skipped; /* NULL: not wanted */
    dpl__declared_list *declared;  /* by number of the language; NULL: not wanted */
    /* One part of the documents: every n-th chunk; or one input of as many as there are parts.
     */
    const dpl_part *part; /* NULL: all */
    bool is_by_input;
    size_t first_input; /* is_by_input: number of the first one of this part */
    bool stays;         /* nobody merges it: rows may be left out */
    dpl__part_mark mark;
    uint64_t n_chunks;                 /* read so far, of all parts */
    DPL_VEC(uint32_t) chunk_sizes;     /* documents and aliases of each chunk of this part */
    const char *old_path;              /* an earlier collection, to take tokens from; or NULL */
    struct dpl__import_update *update; /* the same, open */
    /* All parts. */
    struct dpl__import_merge *merge; /* NULL: documents are read from inputs */
} dpl__importer;

/* The texts of all documents in a row, with padding. */
dpl_status dpl__import_gather_text(dpl__importer *im, dpl__import_slot *s, dpl_error *err);
/* Writes the text of the slot's last batch to its place. */
dpl_status dpl__import_write_text(dpl__importer *im, dpl__import_slot *s, dpl_error *err);
/* Fails: there are no documents in what is named; the counts say why. */
dpl_status dpl__fail_no_documents(const char *name, const dpl_read_counts *counts,
                                  dpl_error *err);
/* Reads, or merges, and writes to out_path, or to *out. */
dpl_status dpl__import_run(dpl__importer *im, dpl_collection **out, dpl_import_summary *summary,
                           const char *out_path, const dpl_import_options *options,
                           dpl_error *err);

/* ---- import_merge.c: instead of reading and tokenizing -------------------------------- */

/* Steps of the pipeline. */
dpl_status dpl__import_merge_produce(void *user, size_t index, dpl_error *err);
dpl_status dpl__import_merge_map(void *user, size_t index, unsigned worker, dpl_error *err);
/* A document whose id another part had before. */
dpl_status dpl__import_merge_duplicate(dpl__importer *im, const dpl__import_slot *s, size_t i,
                                       dpl_error *err);
dpl_status dpl__import_merge_terms(dpl__importer *im, dpl_error *err);
dpl_status dpl__import_merge_settings(dpl__importer *im, dpl_error *err);

/* import_merge.c: in parts that the processes of a shared run make; DPL_END where that cannot
 * be done: the context is not shared, inputs cannot be told before they are read, or records
 * were left out, whose list has an order of its own. */
dpl_status dpl__import_shared(dpl_import_summary *summary, const dpl__importer *im,
                              const char *out_path, const dpl_import_options *options,
                              dpl_error *err);

#endif
