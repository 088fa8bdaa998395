/*
 * documents.h - what a collection holds of its documents besides text and tokens: ids, titles,
 * other fields, languages, sentences. Written down in order, then to the file on all threads.
 */
#ifndef DPL_TOKENS_DOCUMENTS_H
#define DPL_TOKENS_DOCUMENTS_H

#include "io/container.h"
#include "io/spill.h"
#include "readers/reader.h"
#include "tokens/idset.h"
#include "tokens/tokenize.h"

/* Sizes of what belongs to one document. */
typedef struct dpl__doc_record {
    uint32_t text, id, title, extra, tokens, sentences, lang;
} dpl__doc_record;

/* The documents of one batch, made on any thread; arrays run over all of them. Owned. */
typedef struct dpl__doc_batch {
    DPL_VEC(dpl__doc_record) records; /* but for their languages */
    DPL_VEC(dpl__id_hash) hashes;
    dpl__bytes ids, titles, extras;
} dpl__doc_batch;

dpl_status dpl__doc_batch_make(dpl__doc_batch *b, const dpl__batch *batch,
                               const dpl__tokenized *t, dpl_error *err);
void dpl__doc_batch_clear(dpl__doc_batch *b, dpl_ctx *ctx);

/* Where a document's parts begin in the arrays of its batch. */
typedef struct dpl__doc_place {
    size_t doc, text, token, sentence, id, title, extra;
} dpl__doc_place;

/* Moves on to the next document of the batch. */
void dpl__doc_place_next(dpl__doc_place *at, const dpl__doc_batch *b);

/* All documents so far. Owned. */
typedef struct dpl__documents {
    dpl_ctx *ctx;
    dpl__spill *spill;
    size_t share; /* bytes for the order of ids */
    dpl__spool records, n_tokens, ids, titles, extras, aliases;
    dpl__spool sentence_begin, sentence_token, sentence_flags;
    dpl__terms langs; /* in the order in which they were met */
    uint32_t n_docs;
    uint64_t n_sentences, n_text;
} dpl__documents;

/* share: bytes for each of its nine spools. */
void dpl__documents_init(dpl__documents *d, dpl__spill *spill, size_t share);
void dpl__documents_clear(dpl__documents *d);

/* Appends the documents of a batch from range[0] up to range[1]. */
dpl_status dpl__documents_append(dpl__documents *d, const dpl__batch *batch, dpl__doc_batch *b,
                                 const dpl__tokenized *t, const dpl__doc_place range[2],
                                 dpl_error *err);

/* Appends the batch's aliases. */
dpl_status dpl__documents_append_aliases(dpl__documents *d, const dpl__batch *batch,
                                         dpl_error *err);

/* Writes the sections from text.offsets to token.offsets. A duplicate id is an error. */
dpl_status dpl__documents_write(const dpl__documents *d, dpl__writer *w, dpl_error *err);

#endif
