/*
 * doppel/index.h - the pocket index: a collection in one mapped file that is asked with whole
 * documents (Potthast, Wikipedia in the Pocket, SIGIR 2007).
 *
 * Similarity hash codes of the documents (doppel/codes.h) are the keys of a minimal perfect
 * hash function; a slot has a checksum of its code and the numbers of the documents that have
 * it. Beside them: ids, titles, languages, counts of words from which similarities are
 * verified, postings for short queries and exact answers, and, if wanted, a lexicon and the
 * texts.
 *
 *     dpl_input news = {.path = "news.jsonl.zst"};
 *     DPL_TRY(dpl_index_build(NULL, ctx, "news.pocket", &news, 1, NULL, err));
 *
 *     dpl_index *index = NULL;
 *     dpl_query *query = NULL;
 *     dpl_query_result found = DPL_INIT(dpl_query_result);
 *     dpl_str text = {"The storm flooded the old mill in the valley.", 45};
 *     DPL_TRY(dpl_index_open(&index, ctx, "news.pocket", err));
 *     DPL_TRY(dpl_query_new(&query, index, NULL, err));
 *     DPL_TRY(dpl_query_text(query, text, &found, err));
 *     for (size_t i = 0; i < found.n_hits; i++)
 *         printf("%.3f %.*s\n", found.hits[i].score,
 *                (int)dpl_index_document(index, found.hits[i].row).title.n,
 *                dpl_index_document(index, found.hits[i].row).title.data);
 *     dpl_query_free(query);
 *     dpl_index_close(index);
 */
#ifndef DOPPEL_INDEX_H
#define DOPPEL_INDEX_H

#include "doppel/codes.h"
#include "doppel/reuse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- building ----------------------------------------------------------------------- */

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_index_options {
    size_t size;
    /* How inputs that are neither collections nor indexes are read and cut into words. */
    const dpl_reader_options *read;
    const dpl_tokens_options *tokens;
    /* Similarity hash function; default: rp of 4 codes, whose length follows from the number of
     * documents. */
    const dpl_hash_options *hash;
    unsigned checksum; /* bits of a slot, 1 to 32; default 16 */
    bool texts;        /* keep the texts, compressed: for passages, and for dpl_index_text */
    bool no_vectors;  /* leave the counts of words out: similarities are estimates by codes, and
                         the index cannot be added to */
    bool no_postings; /* leave the postings out: no short queries, no exact answers */
    /* Lexicons of the pivot language and one other language each: documents and queries in
     * those are translated word by word. Paths. */
    const char *const *lexicons;
    size_t n_lexicons;
    const char *pivot;     /* language of all vectors; default: the one that all lexicons have,
                              and that of most documents if they have both in common */
    unsigned sample;       /* documents whose nearest neighbours are counted for the overview;
                              default 200 */
    const char *spill_dir; /* folder for temporary files; default: beside the output */
    bool plain_texts;      /* keep the texts, not compressed */
    const char *lexicon_langs; /* of the columns of lexicons in text: "de-en" */
    bool needs_docs; /* no document in raw inputs is DPL_E_NOTHING, as in dpl_import_options */
} dpl_index_options;

/* Begin with DPL_INIT. */
typedef struct dpl_index_summary {
    size_t size;
    uint32_t n_docs;
    uint32_t n_deleted; /* dpl_index_delete: documents left out */
    uint32_t n_empty;   /* documents without words: found by id only */
    uint64_t n_codes;   /* codes of all documents; those that differ are */
    uint64_t n_slots;
    uint64_t n_bytes;         /* of the file */
    uint64_t n_spilled_bytes; /* written to temporary files */
    double seconds;
} dpl_index_summary;

/* Writes an index of the documents of all inputs, in their order: documents in any form that
 * dpl_reader_open_input reads, collections, or indexes that were written before with vectors
 * (dpl_input.path). An id that was there before is DPL_E_FORMAT. The file appears under its
 * name when it is complete. Same bytes for any number of threads and any memory limit, and
 * whether documents come in one input or in several. summary may be NULL. */
DPL_API dpl_status dpl_index_build(dpl_index_summary *summary, dpl_ctx *ctx, const char *path,
                                   const dpl_input *inputs, size_t n_inputs,
                                   const dpl_index_options *options, dpl_error *err);

/* Writes the index again with the documents of the inputs behind its own: the same bytes as
 * building anew. Everything that was chosen when it was built stays. A document with an id that
 * is there replaces it. Whatever happens, path is the old index or the new one. */
DPL_API dpl_status dpl_index_add(dpl_index_summary *summary, dpl_ctx *ctx, const char *path,
                                 const dpl_input *inputs, size_t n_inputs, dpl_error *err);
/* Several indexes become one, with the settings of the first. Ids must differ. */
DPL_API dpl_status dpl_index_merge(dpl_index_summary *summary, dpl_ctx *ctx, const char *out,
                                   const char *const *paths, size_t n_paths, dpl_error *err);
/* Writes the index again without the documents of these ids. An id that is not there is
 * DPL_E_USAGE, and nothing is written. */
DPL_API dpl_status dpl_index_delete(dpl_index_summary *summary, dpl_ctx *ctx, const char *path,
                                    const dpl_str *ids, size_t n_ids, dpl_error *err);

/* ---- opening ------------------------------------------------------------------------ */

/* Frozen. */
typedef struct dpl_index dpl_index;

/* Maps the file and checks its structure and the checksums of what is used as an index; texts
 * are checked when they are read. */
DPL_API dpl_status dpl_index_open(dpl_index **out, dpl_ctx *ctx, const char *path,
                                  dpl_error *err);
/* The same of bytes that the caller holds until the index is closed: 64-byte aligned, or a copy
 * is made. */
DPL_API dpl_status dpl_index_open_memory(dpl_index **out, dpl_ctx *ctx, const void *bytes,
                                         size_t n_bytes, dpl_error *err);
DPL_API void dpl_index_close(dpl_index *index);

/* Layout fixed. */
typedef struct dpl_index_lang {
    const char *lang;   /* "en", "und" */
    uint32_t n_docs;    /* of the index */
    bool is_translated; /* a lexicon of the index has it */
    uint64_t n_words;
} dpl_index_lang;

/* Where bytes go. Layout fixed. */
typedef struct dpl_index_part {
    const char *name;  /* "codes", "titles", "vectors", ... */
    const char *about; /* what it is for, one line */
    uint64_t n_bytes;
} dpl_index_part;

enum { DPL_INDEX_BINS = 20 }; /* of similarity, each 0.05 wide; the last one includes 1 */

/* What was measured when the index was built, on documents of it that were drawn evenly.
 * Layout fixed. */
typedef struct dpl_index_receipt {
    uint32_t n_sampled;
    uint32_t nearest[DPL_INDEX_BINS]; /* documents by the similarity of their nearest one */
    uint32_t pairs[DPL_INDEX_BINS];   /* other documents among the nearest 100, by similarity */
    uint32_t found[DPL_INDEX_BINS];   /* of these, found by codes */
    uint32_t candidates;              /* of codes, for a document, on average */
    uint32_t found_auto[DPL_INDEX_BINS]; /* of the pairs, found by DPL_QUERY_AUTO */
} dpl_index_receipt;

/* Borrowed until the index is closed. Begin with DPL_INIT. */
typedef struct dpl_index_info {
    size_t size;
    uint32_t n_docs;
    uint32_t n_terms;
    uint64_t n_words;
    dpl_hash_function function;
    unsigned k, l; /* length and number of the codes of a document */
    unsigned checksum;
    uint64_t n_codes, n_slots; /* codes of all documents, and different ones */
    double bits_per_slot;      /* of the perfect hash function */
    bool has_vectors, has_postings, has_texts, has_lexicon, is_stemmed;
    const char *pivot; /* language of the vectors; "" when there is no lexicon */
    const dpl_index_lang *langs;
    size_t n_langs; /* of documents, by number of documents, downwards */
    const dpl_index_part *parts;
    size_t n_parts;
    uint64_t n_bytes;
    const dpl_index_receipt *receipt;
    const char *path;      /* "(memory)" for one without a name */
    unsigned n_hash_words; /* width of a shingle of the hash function */
} dpl_index_info;

DPL_API void dpl_index_describe(const dpl_index *index, dpl_index_info *info);

/* Borrowed until the index is closed. Layout fixed. */
typedef struct dpl_index_doc {
    dpl_str id, title; /* the title is empty when there is none */
    const char *lang;
    uint32_t n_words;
} dpl_index_doc;

/* row: below n_docs. */
DPL_API dpl_index_doc dpl_index_document(const dpl_index *index, uint32_t row);
/* The document of that id; false when there is none. */
DPL_API bool dpl_index_find(const dpl_index *index, dpl_str id, uint32_t *row);
/* Its text. text.data is the caller's, freed with dpl_index_free_text. DPL_E_UNSUPPORTED with
 * the code "no-texts" when the index has none. */
DPL_API dpl_status dpl_index_text(const dpl_index *index, uint32_t row, dpl_str *text,
                                  dpl_error *err);
DPL_API void dpl_index_free_text(const dpl_index *index, dpl_str text);

/* ---- asking ------------------------------------------------------------------------- */

typedef enum dpl_query_method {
    DPL_QUERY_AUTO = 0, /* postings, within the budget; without postings codes; short queries:
                           exact */
    DPL_QUERY_CODES,    /* documents that share a code, or one near it */
    DPL_QUERY_EXACT,    /* through postings: every document at or above the threshold, or the
                           nearest ones of them */
    DPL_QUERY_POSTINGS  /* documents of the query's rarest words, as far as the budget goes; of
                           these the most promising ones */
} dpl_query_method;

/* "auto", "codes", "exact", "postings"; NULL when out of range. */
DPL_API const char *dpl_query_method_name(unsigned method);

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_query_options {
    size_t size;
    unsigned top;     /* most hits; default 10, at most 10000 */
    double threshold; /* least similarity, above 0 to 1; default 0.1 */
    dpl_query_method method;
    const char *lang;      /* of queries; default: identified, when the index has a lexicon */
    const char *only_lang; /* hits in this language only; NULL: in all */
    int probes;            /* rp: codes near each code of the query that are looked up as well,
                              at most 4096; default 64; any negative number means none */
    unsigned terms;        /* most words that are named for a hit; default 10, at most 1000 */
    uint64_t budget;       /* auto: postings that an exact answer may read; default 4000 */
} dpl_query_options;

/* Layout fixed. */
typedef struct dpl_query_hit {
    uint32_t row;
    float score;      /* cosine of the vectors, from 0 to 1 */
    uint32_t n_terms; /* words that both have */
    uint32_t n_codes; /* codes that were found (of codes) */
    bool is_verified; /* the score is the true cosine; else an estimate by codes */
} dpl_query_hit;

/* Begin with DPL_INIT. Pointers are borrowed until the next question. */
typedef struct dpl_query_result {
    size_t size;
    const dpl_query_hit *hits; /* by score downwards, then row */
    size_t n_hits;
    char lang[12];           /* of the query; "" when it was not asked for */
    bool is_lang_detected;   /* from the text */
    bool is_translated;      /* through the lexicon */
    uint32_t n_words;        /* of the query */
    uint32_t n_terms;        /* different ones */
    uint32_t n_known;        /* of these, words that the index or its lexicon has */
    dpl_query_method method; /* how the answer came about: codes, postings or exact */
    /* Estimated share of the documents at or above the threshold, within the top ones, that are
     * hits: 1 when exact; else from what was measured when the index was built. */
    double recall;
    uint32_t n_lookups;    /* codes looked up */
    uint32_t n_slots;      /* of these, with a checksum that agrees */
    uint64_t n_postings;   /* read */
    uint32_t n_candidates; /* documents considered */
    uint32_t n_verified;   /* of these, compared with the query */
    double micros;         /* time it took */
    double complete; /* every document at or above this similarity is a hit, or there are better
                        ones; above 1: nothing is certain */
} dpl_query_result;

/* Scratch of one thread; reused between questions. Owned. */
typedef struct dpl_query dpl_query;

/* options may be NULL. */
DPL_API dpl_status dpl_query_new(dpl_query **out, const dpl_index *index,
                                 const dpl_query_options *options, dpl_error *err);
DPL_API void dpl_query_free(dpl_query *query);

/* Documents similar to a text (valid UTF-8, under 2 GiB) of any length, from a word to a book.
 * The text must stay where it is until the next question. */
DPL_API dpl_status dpl_query_text(dpl_query *query, dpl_str text, dpl_query_result *out,
                                  dpl_error *err);
/* Documents similar to one of the index, without it. DPL_E_UNSUPPORTED with the code
 * "no-vectors" when the index has none. */
DPL_API dpl_status dpl_query_row(dpl_query *query, uint32_t row, dpl_query_result *out,
                                 dpl_error *err);

/* A word that the query and a hit have in common. Layout fixed. */
typedef struct dpl_query_term {
    dpl_str query;    /* as it is in the query; of a row: as in the document's language */
    dpl_str document; /* the same, or in the language of the hit or the pivot */
    float weight;     /* its part of the score */
} dpl_query_term;

/* The words that carry the similarity of a hit, heaviest first. Borrowed until the next call.
 * None when the index has no vectors. */
DPL_API dpl_status dpl_query_terms(dpl_query *query, size_t hit, const dpl_query_term **terms,
                                   size_t *n, dpl_error *err);

/* The same as the texts write them. Words of an index of stems are such as "happi"; here they
 * are what the question has, and what the document has where the index has texts. The text of
 * the question must still be there. Borrowed until the next call. */
DPL_API dpl_status dpl_query_words(dpl_query *query, size_t hit, const dpl_query_term **words,
                                   size_t *n, dpl_error *err);

/* Places that match. Layout fixed. */
typedef struct dpl_query_passage {
    uint32_t query_begin, query_end; /* bytes of the query's text */
    uint32_t begin, end;             /* bytes of the document's text */
    float score;                     /* cosine of the two, from 0 to 1 */
} dpl_query_passage;

/* Sentences of the query with the sentences of the hit that are most like them, in the order of
 * the query. Needs the texts: DPL_E_UNSUPPORTED with the code "no-texts" otherwise. Borrowed
 * until the next call. */
DPL_API dpl_status dpl_query_passages(dpl_query *query, size_t hit,
                                      const dpl_query_passage **passages, size_t *n,
                                      dpl_error *err);

/* Passages of the documents of the inputs that also occur in documents of the index, as
 * dpl_reuse finds them: verbatim, edited, reordered, and, where the index has a lexicon,
 * translated. Every part of a document is asked with, so that a source of one paragraph is
 * found; documents that are no answer to any part are not looked at. Words are as rare as they
 * are among the documents that are. Needs the texts: DPL_E_UNSUPPORTED with the code "no-texts"
 * otherwise. options may be NULL; their `read` is about the inputs. */
DPL_API dpl_status dpl_index_passages(dpl_reuse_result **out, dpl_ctx *ctx,
                                      const dpl_index *index, const dpl_input *inputs,
                                      size_t n_inputs, const dpl_reuse_options *options,
                                      dpl_error *err);

/* ---- many questions ----------------------------------------------------------------- */

/* Takes the answer to one document, on the caller's thread, in the order of the documents:
 * dpl_query_terms and dpl_query_passages can be asked during the call. Anything but DPL_OK ends
 * the work with it. */
typedef dpl_status dpl_query_take_fn(void *user, const dpl_doc *doc, dpl_query *query,
                                     const dpl_query_result *result, dpl_error *err);

/* Asks with each document of the inputs, on all threads of the context. A document's language
 * counts, if it was declared and the options do not say another one. read, options and
 * n_queries may be NULL. */
DPL_API dpl_status dpl_query_inputs(uint64_t *n_queries, dpl_ctx *ctx, const dpl_index *index,
                                    const dpl_input *inputs, size_t n_inputs,
                                    const dpl_reader_options *read,
                                    const dpl_query_options *options, dpl_query_take_fn *take,
                                    void *user, dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
