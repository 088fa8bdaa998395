/*
 * doppel/tokens.h - the second stage: documents become tokens, tokens become a collection.
 *
 * A token is a word as Unicode sees it (UAX #29 as ICU implements it, with its dictionaries for
 * Chinese, Japanese, Thai, Khmer, Lao and Burmese), case-folded, in NFC, perhaps stemmed.
 * Numbers are tokens too; punctuation is not.
 *
 *     dpl_tokens *tokens = NULL;
 *     dpl_token token;
 *     dpl_str text = {"The old houses", 14};
 *     DPL_TRY(dpl_tokens_new(&tokens, ctx, NULL, err));
 *     DPL_TRY(dpl_tokens_start(tokens, text, "en", err));
 *     while (dpl_tokens_next(tokens, &token, err) == DPL_OK)
 *         printf("%.*s\n", (int)token.term.n, token.term.data);
 *     dpl_tokens_free(tokens);
 */
#ifndef DOPPEL_TOKENS_H
#define DOPPEL_TOKENS_H

#include "doppel/file.h"
#include "doppel/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one text ----------------------------------------------------------------------- */

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_tokens_options {
    size_t size;
    bool stem;             /* reduce words to stems, in the languages that Snowball has */
    bool stop_words;       /* drop stop words, in the languages with a list */
    const char *stop_file; /* drop these words too, one a line, in every language */
    unsigned ngrams;       /* 1 to 8: character n-grams instead of words; 0: words */
    unsigned max_token;    /* characters; longer tokens are cut. Default 40, at most 1000 */
    const char *sentence_langs; /* "de,en": a sentence that is detected to be in one of these is
                                   stemmed in it; default: in the language of its document.
                                   dpl_tokens_start() does not look at it */
} dpl_tokens_options;

/* Layout fixed. */
typedef struct dpl_token {
    dpl_str term;   /* folded; valid until the tokenizer is started again */
    uint32_t begin; /* position of the word, in bytes of the text */
    uint32_t end;
    uint32_t sentence; /* number of its sentence, from 0 */
} dpl_token;

/* A sentence runs from begin to the begin of the next one, or the end of the text. Layout
 * fixed. */
typedef struct dpl_sentence {
    uint32_t begin; /* bytes in the text */
    uint32_t token; /* number of its first token in the document */
    bool is_paragraph_start;
    bool is_section_start; /* a heading, or the first sentence behind DPL_SECTION_MARK */
} dpl_sentence;

/* Tokenizer: word and sentence rules, stemmers, caches. Owned. */
typedef struct dpl_tokens dpl_tokens;

DPL_API dpl_status dpl_tokens_new(dpl_tokens **out, dpl_ctx *ctx,
                                  const dpl_tokens_options *options, dpl_error *err);
/* The text must be valid UTF-8, under 2 GiB, and stay where it is until the next start. */
DPL_API dpl_status dpl_tokens_start(dpl_tokens *tokens, dpl_str text, const char *lang,
                                    dpl_error *err);
/* DPL_END after the last token. */
DPL_API dpl_status dpl_tokens_next(dpl_tokens *tokens, dpl_token *token, dpl_error *err);
/* The sentences of the text started. Borrowed until the next start. */
DPL_API const dpl_sentence *dpl_tokens_sentences(const dpl_tokens *tokens, size_t *n);
DPL_API void dpl_tokens_free(dpl_tokens *tokens);

/* ---- a collection ------------------------------------------------------------------- */

/*
 * Many documents with one vocabulary, in one file. Term ids are dense and ordered by how often
 * the term occurs, downwards, then by its bytes: they depend neither on threads nor on the
 * order of the documents, and the terms that occur once are the ids from n_repeated on.
 * Frozen.
 */
typedef struct dpl_collection dpl_collection;

/* Checks the structure and the checksums of everything but the documents' own text;
 * dpl_file_check (doppel/file.h) verifies the rest. */
DPL_API dpl_status dpl_collection_open(dpl_collection **out, dpl_ctx *ctx, const char *path,
                                       dpl_error *err);
DPL_API void dpl_collection_close(dpl_collection *collection);

typedef struct dpl_collection_sizes {
    size_t size;
    uint32_t n_docs;
    uint32_t n_terms;
    uint32_t n_repeated; /* terms that occur more than once: the ids below it */
    uint64_t n_tokens;   /* positions in all token streams */
    uint64_t n_entries;  /* (document, term) pairs */
    uint64_t n_sentences;
    uint64_t n_text_bytes;
} dpl_collection_sizes;

/* What follows is borrowed until the collection is closed. Numbers out of range are a caller's
 * error (assert); names that are not there return false. */
DPL_API const dpl_collection_sizes *dpl_collection_get_sizes(const dpl_collection *c);
/* The settings it was made with, as one JSON object. */
DPL_API dpl_str dpl_collection_settings(const dpl_collection *c);

DPL_API dpl_doc dpl_collection_doc(const dpl_collection *c, uint32_t doc);
DPL_API bool dpl_collection_find_doc(const dpl_collection *c, dpl_str id, uint32_t *doc);

DPL_API dpl_str dpl_collection_term(const dpl_collection *c, uint32_t term);
DPL_API bool dpl_collection_find_term(const dpl_collection *c, dpl_str text, uint32_t *term);
/* Occurrences in the whole collection, and documents that hold it. */
DPL_API uint64_t dpl_collection_term_count(const dpl_collection *c, uint32_t term);
DPL_API uint32_t dpl_collection_doc_count(const dpl_collection *c, uint32_t term);

/* The document's tokens in text order. */
DPL_API const uint32_t *dpl_collection_tokens(const dpl_collection *c, uint32_t doc, size_t *n);
/* The document's distinct terms, ids rising, and how often each occurs. */
DPL_API const uint32_t *dpl_collection_row(const dpl_collection *c, uint32_t doc,
                                           const uint32_t **counts, size_t *n);
DPL_API size_t dpl_collection_n_sentences(const dpl_collection *c, uint32_t doc);
DPL_API dpl_sentence dpl_collection_sentence(const dpl_collection *c, uint32_t doc, size_t i);
/* The sentence's text without the white space around it. */
DPL_API dpl_str dpl_collection_sentence_text(const dpl_collection *c, uint32_t doc, size_t i);

/* ---- import ------------------------------------------------------------------------- */

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_import_options {
    size_t size;
    const dpl_reader_options *read;
    const dpl_tokens_options *tokens;
    const char *temp;   /* folder for temporary files; default: beside the output */
    bool number_inputs; /* put the number of the input, from 0, and ':' in front of each id: ids
                           need only be unique within an input */
    bool needs_docs;    /* no documents: DPL_E_NOTHING, code "no-documents", and no output */
    /* A collection of an earlier import with the same options: unchanged documents are not
     * tokenized again. The result is that of a fresh import. */
    const char *update;
    bool tell_inputs; /* an id that several inputs have gets the name of its input and ':' in
                         front: of a path what follows the last '/', without suffixes, and with
                         "-2", "-3" ... behind it where inputs have the same one */
    bool no_rows;     /* without term counts, from which vectors are made: for dedup only;
                         dpl_collection_open refuses such a file. Not with update */
} dpl_import_options;

/* Begin with DPL_INIT. */
typedef struct dpl_import_summary {
    size_t size;
    dpl_read_counts *read; /* filled in when it is given; NULL: not wanted. Filled in, like
                              skipped, even when there are no documents */
    dpl_collection_sizes *sizes; /* likewise */
    uint64_t n_spilled_bytes;    /* written to temporary files */
    uint64_t n_output_bytes;
    double seconds;
    dpl_skip_list *skipped; /* filled in when it is given: records that were left out */
    uint64_t n_unchanged;   /* documents whose tokens came from an earlier collection */
} dpl_import_summary;

/* Reads the inputs in order (paths, buffers, documents from the caller or of a collection:
 * doppel/text.h), tokenizes on all threads, writes the collection to out_path (through a
 * temporary name: an existing file is replaced only by a complete one). The bytes are the same
 * for any number of threads, any memory limit, and whether documents come from files or from
 * the caller. summary may be NULL. */
DPL_API dpl_status dpl_import_inputs(dpl_import_summary *summary, dpl_ctx *ctx,
                                     const char *out_path, const dpl_input *inputs,
                                     size_t n_inputs, const dpl_import_options *options,
                                     dpl_error *err);
/* The same from paths. */
DPL_API dpl_status dpl_import(dpl_import_summary *summary, dpl_ctx *ctx, const char *out_path,
                              const char *const *paths, size_t n_paths,
                              const dpl_import_options *options, dpl_error *err);
/* The same without a file: the collection is open at once, and lives until it is closed.
 * dpl_collection_save writes it to one. */
DPL_API dpl_status dpl_collection_from_inputs(dpl_collection **out, dpl_import_summary *summary,
                                              dpl_ctx *ctx, const dpl_input *inputs,
                                              size_t n_inputs,
                                              const dpl_import_options *options,
                                              dpl_error *err);
/* One part of the documents, to a file of its own (doppel/file.h); and the collection from all
 * parts, with the bytes that dpl_import_inputs writes. The inputs must be the same for every
 * part. A part reads all of them and keeps every n-th piece; where there are as many inputs as
 * parts, it reads one of them. The order of documents is that of the inputs. A part is a
 * collection, too. The merge uses only the option `temp`. */
DPL_API dpl_status dpl_import_part(dpl_part_summary *summary, dpl_ctx *ctx,
                                   const char *out_path, const dpl_input *inputs,
                                   size_t n_inputs, const dpl_part *part,
                                   const dpl_import_options *options, dpl_error *err);
DPL_API dpl_status dpl_import_merge(dpl_part_summary *summary, const dpl_parts *parts,
                                    const char *out_path, const dpl_import_options *options,
                                    dpl_error *err);
/* Writes the collection's file to path, through a temporary name. */
DPL_API dpl_status dpl_collection_save(const dpl_collection *c, const char *path,
                                       dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
