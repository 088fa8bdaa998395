/*
 * chunks.h - the reader in two halves, for those who run the second one in parallel.
 */
#ifndef DPL_READERS_CHUNKS_H
#define DPL_READERS_CHUNKS_H

#include "readers/reader.h"

/* The longest record, unless the options say otherwise: 256 MiB. */
enum { DPL__MAX_RECORD = 256 << 20 };

/* The next chunk, sequentially; its buffer is used again. DPL_END after the last one. */
dpl_status dpl__reader_chunk(dpl_reader *reader, dpl__chunk *chunk, dpl_error *err);
void dpl__chunk_clear(dpl__chunk *chunk, dpl_ctx *ctx);

/* The chunk's documents, into a batch that was reset; on any thread. */
dpl_status dpl__reader_parse(const dpl_reader *reader, dpl__batch *batch, dpl__chunk *chunk,
                             dpl_error *err);

/* With the defaults filled in. Borrowed until the reader is closed. */
const dpl_reader_options *dpl__reader_options(const dpl_reader *reader);
/* Bytes of the whole input, 0 when unknown; progress is dpl_reader_counts()->n_file_bytes. */
uint64_t dpl__reader_size(const dpl_reader *reader);

void dpl__batch_init(dpl__batch *batch, dpl_ctx *ctx, const dpl_reader_options *options);
void dpl__batch_reset(dpl__batch *batch);
void dpl__batch_clear(dpl__batch *batch);

void dpl__read_counts_add(dpl_read_counts *to, const dpl_read_counts *more);

/* source.c: documents from the caller, and how far they are read. */
typedef struct dpl__doc_feed {
    const dpl_doc_source *source; /* NULL: there is none */
    uint64_t n_docs, n_bytes;     /* so far */
    dpl_status status;            /* of what follows */
    dpl_error fault;
} dpl__doc_feed;

/* A chunk of them. DPL_E_LIMIT: document number n_docs is over max_record; what follows can be
 * read by another call. */
dpl_status dpl__doc_feed_chunk(dpl__doc_feed *feed, dpl__chunk *chunk, dpl_ctx *ctx,
                               const dpl_reader_options *options, dpl_error *err);
/* The failure of a caller's callback, which need not have filled the record. */
DPL_COLD dpl_status dpl__source_failed(dpl_error *err, dpl_status status, const char *name,
                                       const char *no_name);

/* wiki.c: the language a dump's opening tag names (xml:lang), from the file's first bytes. */
void dpl__wiki_header(dpl_lang *lang, dpl_str start);

#endif
