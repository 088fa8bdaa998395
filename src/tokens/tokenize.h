/*
 * tokenize.h - documents to term numbers: what each worker of an import does.
 */
#ifndef DPL_TOKENS_TOKENIZE_H
#define DPL_TOKENS_TOKENIZE_H

#include "tokens/fold.h"
#include "tokens/gate.h"
#include "tokens/morphs.h"
#include "tokens/segment.h"
#include "tokens/sentence_bounds.h"
#include "tokens/surfaces.h"
#include "tokens/terms.h"

typedef struct dpl__worker_language {
    char code[12];
    dpl__surfaces surfaces;
} dpl__worker_language;

/* A word of the current document that is not in its table. */
typedef struct dpl__new_word {
    uint32_t span;
    dpl__surface key;
} dpl__new_word;

/* A worker: word tables per language, terms met so far. Owned. */
typedef struct dpl__worker {
    dpl_ctx *ctx;
    const dpl_tokens_options *options;
    dpl__folder *folder;
    dpl__segmenter *segmenter;
    dpl__terms terms;
    DPL_VEC(dpl__worker_language) languages;
    dpl__spans spans;
    dpl__sentence_starts starts;
    DPL_VEC(dpl__new_word) new_words;
    dpl__bytes new_terms;  /* of a group of them */
    uint32_t n_docs;       /* counted so far */
    size_t surface_memory; /* bytes the word tables of all languages may take */
    const dpl__gate *gate; /* that documents go through; NULL: all of them pass */
    bool is_left_out;      /* the last document did not pass */
    DPL_VEC(uint64_t) term_keys, doc_keys; /* dpl__gate_word of each term; of a document */
    const dpl__morphs *morphs; /* words are followed by their parts; NULL: they are not */
    DPL_VEC(uint32_t) part_begin, parts; /* of each term so far; terms */
    DPL_VEC(uint32_t) with_parts;        /* of a document */
} dpl__worker;

/* What a batch of documents became; arrays run over all its documents. */
typedef struct dpl__tokenized {
    dpl__bytes text;          /* of all documents, with DPL__PAD bytes behind it */
    DPL_VEC(uint32_t) tokens; /* term numbers of the worker */
    DPL_VEC(uint32_t) n_tokens, n_entries, n_sentences; /* per document */
    DPL_VEC(uint32_t) sentence_begin, sentence_token;
    DPL_VEC(uint8_t) sentence_flags; /* dpl__sentence_flags */
    bool has_places;
    dpl__spans places; /* of each token in its document's text, if has_places */
} dpl__tokenized;

dpl_status dpl__worker_init(dpl__worker *worker, dpl_ctx *ctx,
                            const dpl_tokens_options *options, size_t surface_memory,
                            dpl_error *err);
void dpl__worker_clear(dpl__worker *worker);
/* Ends adding documents: frees everything but the terms. */
void dpl__worker_end(dpl__worker *worker);
/* New terms from here on; the old ones were taken away or written down. */
void dpl__worker_new_terms(dpl__worker *worker);

/* The n bytes at offset `at` of out->text are the document; counts its terms and appends its
 * tokens and sentences to out. One that does not pass the worker's gate has none. */
dpl_status dpl__tokenize(dpl__worker *worker, dpl__tokenized *out, size_t at, size_t n,
                         const char *lang, dpl_error *err);

void dpl__tokenized_reset(dpl__tokenized *t);
void dpl__tokenized_clear(dpl__tokenized *t, dpl_ctx *ctx);

#endif
