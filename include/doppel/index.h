/*
 * doppel/index.h - the pocket index: a single-file index, queried with whole documents
 * (Potthast, Wikipedia in the Pocket, SIGIR 2007).
 *
 * Similarity hash codes of the documents (doppel/codes.h) are the keys of a minimal perfect
 * hash function; a slot has a checksum of its code and the numbers of the documents with that
 * code. The file also holds ids, titles, languages, word counts to verify similarities,
 * postings for short queries and exact answers, and optionally a lexicon and the texts.
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
    /* How raw documents (neither collections nor indexes) are read and tokenized. */
    const dpl_reader_options *read;
    const dpl_tokens_options *tokens;
    /* Similarity hash function; default: rp with 4 codes whose length depends on the number of
     * documents. */
    const dpl_hash_options *hash;
    unsigned checksum; /* bits of a slot, 1 to 32; default 16 */
    bool texts;        /* store the texts, compressed: for passages and dpl_index_text */
    bool no_vectors;  /* do not store word counts: similarities are estimated from codes, and no
                         documents can be added */
    bool no_postings; /* do not store postings: no short queries, no exact answers */
    /* Paths of lexicons, each between the pivot and one other language: documents and queries
     * in those languages are translated word by word. */
    const char *const *lexicons;
    size_t n_lexicons;
    const char *pivot; /* language of all vectors; default: the one that all lexicons have; if
                          they have both in common, that of most documents */
    unsigned sample;   /* documents whose nearest neighbours are measured (dpl_index_receipt);
                          default 200 */
    const char *temp;  /* folder for temporary files; default: beside the output */
    bool plain_texts;  /* store the texts uncompressed */
    const char *lexicon_langs; /* languages of the columns of text lexicons: "de,en" */
    bool needs_docs; /* no document in raw inputs is DPL_E_NOTHING, as in dpl_import_options */
} dpl_index_options;

/* Begin with DPL_INIT. */
typedef struct dpl_index_summary {
    size_t size;
    uint32_t n_docs;
    uint32_t n_deleted;       /* dpl_index_delete: documents removed */
    uint32_t n_empty;         /* documents without words: found by id only */
    uint64_t n_codes;         /* codes of all documents */
    uint64_t n_slots;         /* distinct codes */
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

/* Rewrites the index with the documents of the inputs after its own, with the settings it was
 * built with: the same bytes as building anew. A document replaces an earlier one with the same
 * id. After a failure, path is still the old index. */
DPL_API dpl_status dpl_index_add(dpl_index_summary *summary, dpl_ctx *ctx, const char *path,
                                 const dpl_input *inputs, size_t n_inputs, dpl_error *err);
/* Merges several indexes into one, with the settings of the first. Ids must differ. */
DPL_API dpl_status dpl_index_merge(dpl_index_summary *summary, dpl_ctx *ctx, const char *out,
                                   const char *const *paths, size_t n_paths, dpl_error *err);
/* Rewrites the index without the documents of these ids. An unknown id is DPL_E_USAGE, and
 * nothing is written. */
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

/* A part of the file and its size. Layout fixed. */
typedef struct dpl_index_part {
    const char *name;  /* "codes", "titles", "vectors", ... */
    const char *about; /* what it is for, one line */
    uint64_t n_bytes;
} dpl_index_part;

enum { DPL_INDEX_BINS = 20 }; /* of similarity, each 0.05 wide; the last one includes 1 */

/* Measured when the index was built, on documents of it at even distances. Layout fixed. */
typedef struct dpl_index_receipt {
    uint32_t n_sampled;
    uint32_t nearest[DPL_INDEX_BINS]; /* documents by similarity of their nearest neighbour */
    uint32_t pairs[DPL_INDEX_BINS];   /* other documents among the nearest 100, by similarity */
    uint32_t found[DPL_INDEX_BINS];   /* of these, found by codes */
    uint32_t candidates;              /* mean number of documents that share a code with one */
    uint32_t found_auto[DPL_INDEX_BINS]; /* of the pairs, found by DPL_QUERY_AUTO */
} dpl_index_receipt;

/* Borrowed until the index is closed. Begin with DPL_INIT. */
typedef struct dpl_index_info {
    size_t size;
    uint32_t n_docs;
    uint32_t n_terms;
    uint64_t n_words;
    dpl_hash_function function;
    unsigned code_length, codes_per_doc; /* of the codes of a document */
    unsigned checksum;
    uint64_t n_codes, n_slots; /* codes of all documents, and distinct ones */
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
    unsigned n_hash_words; /* words of a shingle of the hash function */
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

/* ---- queries ------------------------------------------------------------------------- */

typedef enum dpl_query_method {
    DPL_QUERY_AUTO = 0, /* postings within the budget, or codes if the index has no postings;
                           exact for short queries */
    DPL_QUERY_CODES,    /* documents that share a code with the query, or have one near it */
    DPL_QUERY_EXACT, /* through postings: all documents at or above the threshold, or the `top`
                        nearest of them */
    DPL_QUERY_POSTINGS /* the best of the documents that contain the query's rarest words,
                          within the budget of postings */
} dpl_query_method;

/* "auto", "codes", "exact", "postings"; NULL when out of range. */
DPL_API const char *dpl_query_method_name(unsigned method);

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_query_options {
    size_t size;
    unsigned top;     /* maximum number of hits; default 10, at most 10000 */
    double threshold; /* lowest similarity, above 0 to 1; default 0.1, less for long texts */
    dpl_query_method method;
    const char *lang;      /* of queries; default: identified, when the index has a lexicon */
    const char *only_lang; /* hits in this language only; NULL: in all */
    int probes; /* rp: codes near each code of the query to look up, too, at most 4096; default
                   64; any negative number means none */
    /* Maximum number of shared words given for a hit; default 10, at most 1000. */
    unsigned terms;
    /* Auto, postings: maximum number of postings read per query; default 4000. */
    uint64_t budget;
} dpl_query_options;

/* Layout fixed. */
typedef struct dpl_query_hit {
    uint32_t row;
    float score;      /* cosine of the vectors, from 0 to 1 */
    uint32_t n_terms; /* words that both have */
    uint32_t n_codes; /* method codes: codes shared with the query */
    bool is_verified; /* the score is the true cosine; else an estimate from codes */
} dpl_query_hit;

/* Begin with DPL_INIT. Pointers are borrowed until the next query. */
typedef struct dpl_query_result {
    size_t size;
    const dpl_query_hit *hits; /* by score downwards, then row */
    size_t n_hits;
    char lang[12];           /* of the query; "" when it was not needed */
    bool is_lang_detected;   /* from the text */
    bool is_translated;      /* through the lexicon */
    uint32_t n_words;        /* of the query */
    uint32_t n_terms;        /* different ones */
    uint32_t n_known;        /* of these, words that the index or its lexicon has */
    dpl_query_method method; /* that was used: codes, postings or exact */
    /* Estimated share of the documents at or above the threshold, within the top ones, that are
     * hits: 1 when exact; else from what was measured when the index was built. */
    double recall;
    uint32_t n_lookups;    /* codes looked up */
    uint32_t n_slots;      /* of these, with a checksum that agrees */
    uint64_t n_postings;   /* read */
    uint32_t n_candidates; /* documents considered */
    uint32_t n_verified;   /* of these, compared with the query */
    double micros;         /* time it took */
    double complete; /* every document at or above this similarity is a hit, or has a lower
                        score than all hits; above 1: no guarantee */
} dpl_query_result;

/* Scratch of one thread; reused between queries. Owned. */
typedef struct dpl_query dpl_query;

/* options may be NULL. */
DPL_API dpl_status dpl_query_new(dpl_query **out, const dpl_index *index,
                                 const dpl_query_options *options, dpl_error *err);
DPL_API void dpl_query_free(dpl_query *query);

/* Documents similar to a text (valid UTF-8, under 2 GiB) of any length, from a word to a book.
 * The text must stay in place until the next query. */
DPL_API dpl_status dpl_query_text(dpl_query *query, dpl_str text, dpl_query_result *out,
                                  dpl_error *err);
/* Documents similar to document `row` of the index, except itself. DPL_E_UNSUPPORTED with the
 * code "no-vectors" when the index has none. */
DPL_API dpl_status dpl_query_row(dpl_query *query, uint32_t row, dpl_query_result *out,
                                 dpl_error *err);

/* A word that the query and a hit have in common. Layout fixed. */
typedef struct dpl_query_term {
    dpl_str query;    /* as it is in the query; of a row: as in the document's language */
    dpl_str document; /* the same, or in the language of the hit or the pivot */
    float weight;     /* its part of the score */
} dpl_query_term;

/* The words that a hit shares with the query, by weight downwards. Borrowed until the next
 * call. None when the index has no vectors. */
DPL_API dpl_status dpl_query_terms(dpl_query *query, size_t hit, const dpl_query_term **terms,
                                   size_t *n, dpl_error *err);

/* The same as written in the texts: in place of stems ("happi"), the words of the query, and of
 * the document if the index has texts. The text of the query must still be there. Borrowed
 * until the next call. */
DPL_API dpl_status dpl_query_words(dpl_query *query, size_t hit, const dpl_query_term **words,
                                   size_t *n, dpl_error *err);

/* Sentences that match. Layout fixed. */
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
 * translated. Every part of a document is a query in its language, so that the source of a
 * single paragraph is found; only documents that answer one of these queries are compared, and
 * word frequencies are those among them. Needs the texts: DPL_E_UNSUPPORTED with the code
 * "no-texts" otherwise. options may be NULL; their `read` is about the inputs. */
DPL_API dpl_status dpl_index_passages(dpl_reuse_result **out, dpl_ctx *ctx,
                                      const dpl_index *index, const dpl_input *inputs,
                                      size_t n_inputs, const dpl_reuse_options *options,
                                      dpl_error *err);

/* ---- many queries ----------------------------------------------------------------- */

/* Takes the answer to one document, on the caller's thread, in the order of the documents:
 * dpl_query_terms and dpl_query_passages can be called during it. Anything but DPL_OK ends
 * the work with it. */
typedef dpl_status dpl_query_take_fn(void *user, const dpl_doc *doc, dpl_query *query,
                                     const dpl_query_result *result, dpl_error *err);

/* Queries the index with each document of the inputs, on all threads of the context. The
 * language is that of the options, else the one that the document declares. read, options and
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
