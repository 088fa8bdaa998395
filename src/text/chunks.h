/*
 * chunks.h - the reader in two halves, for those who run the second one in parallel.
 */
#ifndef DPL_SRC_CHUNKS_H
#define DPL_SRC_CHUNKS_H

#include "text/reader.h"

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

/* wiki.c: the language a dump's opening tag names (xml:lang), from the file's first bytes. */
void dpl__wiki_header(dpl_lang *lang, dpl_str start);

#endif
