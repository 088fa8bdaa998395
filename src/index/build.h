/*
 * build.h - an index under construction.
 *
 * Sources (collections, and indexes that were written before) give rows of words with counts.
 * One vocabulary is made of theirs; all else follows from rows, vocabulary and lexicon, so that
 * an index that is added to has the bytes of one that is built anew.
 */
#ifndef DPL_INDEX_BUILD_H
#define DPL_INDEX_BUILD_H

#include "base/arena.h"
#include "base/map.h"
#include "index/pocket.h"
#include "io/container.h"
#include "io/scratch.h"
#include "signatures/coder.h"

/* Documents with their rows. */
typedef struct dpl__pocket_source {
    const dpl_collection *collection; /* or */
    const dpl_index *index;
    dpl_collection *own_collection; /* closed in the end */
    dpl_index *own_index;
    uint32_t n_docs, n_terms;
    uint8_t *skip;    /* of each document: left out; NULL: none */
    uint32_t *terms;  /* of each term: its number in the vocabulary */
    uint32_t first;   /* number of the first document */
    size_t input;     /* number of its first input */
    bool has_numbers; /* several inputs: ids begin with their numbers, from 0, and ':' */
    dpl_str *told; /* of each document: the id with the name of its input in front; NULL: none
                      has one */
} dpl__pocket_source;

/* A word of the vocabulary. */
typedef struct dpl__build_term {
    dpl_str text;
    uint64_t key;
    uint32_t n_docs; /* of all sources */
    uint32_t number; /* in the order of the index */
} dpl__build_term;

typedef DPL_VEC(dpl__build_term) dpl__build_terms;

static inline uint64_t dpl__build_term_key(const void *terms, uint32_t i)
{
    assert(i < ((const dpl__build_terms *)terms)->n);
    return ((const dpl__build_terms *)terms)->data[i].key;
}

static inline bool dpl__build_term_is(const void *terms, uint32_t i, uint64_t key)
{
    return dpl__build_term_key(terms, i) == key;
}

DPL_NUMBER_MAP(dpl__build_numbers, uint64_t, dpl__build_term_key, dpl__build_term_is);

typedef struct dpl__build_cell {
    uint32_t from, to; /* numbers of words: first as they came, then in the index */
    uint32_t row;      /* of the lexicon */
    float p, weight;   /* weight: how often the word occurred */
} dpl__build_cell;

/* Translations of words of one language, by numbers of words. */
typedef struct dpl__build_lexicon {
    uint32_t lang;
    DPL_VEC(dpl__build_cell) cells;
    uint32_t *offsets; /* n_terms + 1, into the cells */
} dpl__build_lexicon;

/* An entry of a vector. */
typedef struct dpl__build_entry {
    uint32_t term;
    double tf;
    float weight;
} dpl__build_entry;

typedef DPL_VEC(dpl__build_entry) dpl__build_row;

typedef struct dpl__builder {
    dpl_ctx *ctx;
    dpl_index_options o; /* complete */
    dpl_hash_options hash_options;
    bool has_auto_k, is_plain;
    unsigned flags, max_token;
    dpl__spill spill;
    dpl__arena arena;
    dpl__writer *writer;
    DPL_VEC(dpl__pocket_source) sources;
    const dpl_str *input_names;
    uint32_t n_docs;
    uint32_t n_empty, n_deleted;
    uint64_t n_words;

    /* languages */
    char langs[DPL__MOST_LANGS + 1][DPL__LANG_BYTES];
    uint32_t n_langs, pivot; /* pivot: UINT32_MAX: none */
    uint64_t lang_counts[2 * DPL__MOST_LANGS + 2];
    uint8_t *doc_langs;
    uint32_t *doc_words;
    uint32_t *numbers; /* of each document: in its source */
    size_t n_room;     /* of these three */

    /* vocabulary: as words came; `order` has them in the order of the index */
    dpl__build_terms terms;
    dpl__build_numbers numbers_of; /* terms by their keys */
    uint32_t *order;
    uint32_t n_terms;
    uint64_t *keys;  /* of each term of the index */
    uint64_t *marks; /* what the hash function knows of it */
    float *idf;
    double average, unknown_idf;
    DPL_VEC(dpl__build_lexicon) lexicons;
    const dpl_index *lexicon_index; /* lexicons are taken from it; NULL: read */
    uint32_t *lang_lexicon;         /* of each language: number in lexicons, or UINT32_MAX */

    uint64_t seed;
    dpl_hash *hash;
    float *norms;
    dpl__scratch codes; /* l of each document, one behind the other */
    uint32_t *n_posts;  /* of each term */
    uint64_t n_codes, n_slots;
    uint64_t n_entries;
} dpl__builder;

/* ---- sources (build_sources.c) ------------------------------------------------------ */

dpl_status dpl__build_open_inputs(dpl__builder *b, const dpl_input *inputs, size_t n,
                                  dpl_error *err);
void dpl__build_close_inputs(dpl__builder *b);
/* Ids that several inputs have, from those of source `first` on, get the names of their inputs
 * in front. */
dpl_status dpl__build_tell_ids(dpl__builder *b, size_t first, dpl_error *err);
/* Everything about document `doc` of the index: the source it is from. */
dpl__pocket_source *dpl__build_source_of(const dpl__builder *b, uint32_t doc, uint32_t *local);
dpl_index_doc dpl__build_doc(const dpl__pocket_source *s, uint32_t local);
typedef struct dpl__build_count {
    uint32_t term, count;
} dpl__build_count;

/* Its words and counts, as the source numbers them. Returns how many; arrays grow. */
typedef DPL_VEC(dpl__build_count) dpl__build_counts;
bool dpl__build_counts_of(dpl_ctx *ctx, dpl__build_counts *out, const dpl__pocket_source *s,
                          uint32_t local);
/* Documents of the sources that are not skipped, in order: fills doc_langs and so on. */
dpl_status dpl__build_number_docs(dpl__builder *b, dpl_error *err);
/* Number of a language, which is added if need be. */
dpl_status dpl__build_lang(dpl__builder *b, const char *lang, uint32_t *out, dpl_error *err);

/* ---- vocabulary (build_terms.c) ----------------------------------------------------- */

dpl_status dpl__build_word(dpl__builder *b, dpl_str text, uint32_t *number, dpl_error *err);
dpl_status dpl__build_vocabulary(dpl__builder *b, dpl_error *err);
/* term.mph and term.slots. */
dpl_status dpl__build_term_table(dpl__writer *w, dpl_ctx *ctx, const uint64_t *keys,
                                 uint32_t n_terms, dpl_error *err);
dpl_status dpl__build_write_terms(dpl__builder *b, dpl_error *err);

/* ---- lexicon (build_lexicon.c) ------------------------------------------------------ */

/* Words of the lexicons join the vocabulary. */
dpl_status dpl__build_read_lexicons(dpl__builder *b, dpl_error *err);
/* After this call terms have the numbers of the index. */
dpl_status dpl__build_renumber_lexicons(dpl__builder *b, dpl_error *err);
dpl_status dpl__build_write_lexicons(dpl__builder *b, dpl_error *err);

/* ---- vectors (build_rows.c) --------------------------------------------------------- */

/* Scratch of a worker. */
typedef struct dpl__row_scratch {
    dpl__build_counts counts;
    dpl__build_row row;
    DPL_VEC(uint64_t) order;
    dpl__coder coder;
    DPL_VEC(uint64_t) marks;
    DPL_VEC(float) weights;
} dpl__row_scratch;

void dpl__row_scratch_clear(dpl__row_scratch *s, dpl_ctx *ctx);
/* Its vector in the pivot language, terms rising; weights before they are scaled. *norm is
 * their length, *length the document's. */
dpl_status dpl__build_vector(const dpl__builder *b, dpl__row_scratch *s, uint32_t doc,
                             double *norm, double *length, dpl_error *err);
/* Rows to the file; document frequencies, mean length, idf. */
dpl_status dpl__build_rows(dpl__builder *b, dpl_error *err);
/* Norms, codes, numbers of postings. */
dpl_status dpl__build_vectors(dpl__builder *b, dpl_error *err);
dpl_status dpl__build_postings(dpl__builder *b, dpl_error *err);

/* ---- codes, names, texts ------------------------------------------------------------ */

dpl_status dpl__build_hash(dpl__builder *b, dpl_error *err);
dpl_status dpl__build_codes(dpl__builder *b, dpl_error *err);
dpl_status dpl__build_names(dpl__builder *b, dpl_error *err);
dpl_status dpl__build_texts(dpl__builder *b, dpl_error *err);

/* What codes find of the nearest neighbours of some documents. */
dpl_status dpl__build_receipt(dpl_index_receipt *out, const dpl_index *index, unsigned sample,
                              dpl_error *err);

/* A packed section of n values. */
dpl_status dpl__build_write_packed(dpl__builder *b, const char *name, const uint32_t *values,
                                   uint64_t n, dpl_error *err);
dpl_status dpl__build_write_offsets(dpl__builder *b, const char *name, dpl__offsets_writer *w,
                                    dpl_error *err);

/* The rows of a range of documents, computed on all threads and taken in order. */
typedef struct dpl__doc_walk {
    void *user;
    const char *stage;
    /* On any thread: makes the bytes of a document. */
    dpl_status (*make)(void *user, uint32_t doc, dpl__row_scratch *scratch, dpl__bytes *out,
                       dpl_error *err);
    /* Called in order of documents. */
    dpl_status (*take)(void *user, uint32_t doc, const char *bytes, size_t n, dpl_error *err);
} dpl__doc_walk;

/* The walk, into a section NAME.bytes, whose offsets, added by take, become NAME.offsets. */
dpl_status dpl__build_walk_section(dpl__builder *b, const dpl__doc_walk *walk, const char *name,
                                   size_t slack, dpl__offsets_writer *offsets, dpl_error *err);

#endif
