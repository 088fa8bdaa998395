/*
 * doppel/reuse.h - text reuse: passages of documents that also occur in a collection, verbatim,
 * edited, reordered, or translated.
 *
 *     dpl_input query = {.path = "essay.txt"}, sources = {.path = "library.jsonl.zst"};
 *     dpl_reuse_result *found = NULL;
 *     DPL_TRY(dpl_reuse(&found, ctx, &query, 1, &sources, 1, NULL, err));
 *     for (size_t i = 0; i < dpl_reuse_get_summary(found)->n_passages; i++) {
 *         const dpl_passage *p = dpl_reuse_get_passage(found, i);
 *         dpl_str text = dpl_reuse_text(found, p, false);
 *         printf("%s %.2f %.*s\n", dpl_passage_kind_name(p->kind), p->similarity, (int)text.n,
 *                text.data);
 *     }
 *     dpl_reuse_result_free(found);
 */
#ifndef DOPPEL_REUSE_H
#define DOPPEL_REUSE_H

#include "doppel/dedup.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dpl_passage_kind {
    DPL_PASSAGE_VERBATIM = 0, /* nearly the same words in the same order */
    DPL_PASSAGE_EDITED,       /* words exchanged, left out or put in */
    DPL_PASSAGE_REORDERED,    /* parts of it in another order */
    DPL_PASSAGE_TRANSLATED
} dpl_passage_kind;

/* "verbatim", "edited", "reordered", "translated"; NULL when out of range. */
DPL_API const char *dpl_passage_kind_name(unsigned kind);

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_reuse_options {
    size_t size;
    const dpl_reader_options *read; /* of both sides */
    unsigned seed_words; /* words of a seed, a shared sequence from which a passage grows, 2 to
                            16; default 3 */
    unsigned gap;       /* maximum number of words between two seeds of a passage; default 24 */
    unsigned min_words; /* lowest number of words of a passage on either side; default 15 */
    double threshold;   /* lowest share of common words, rare ones weighted more, above 0 to 1;
                           default 0.55; short passages need more */
    const char *lexicon;       /* path; find translated passages, too, between its languages */
    const char *lexicon_langs; /* languages of the columns of a text lexicon: "de,en" */
    double translation; /* lowest share of the words of a passage that have a translation in the
                           other, above 0 to 1; default 0.45 */
    bool skip_same_id;  /* do not compare documents of the same id */
    /* Maximum number of sources given for the same words of the query; default 5. */
    unsigned top;
    const char *temp; /* folder for temporary files; default: /tmp */
    /* Open lexicons in addition to `lexicon`: translated passages are found between the
     * languages of each. Either none of them has stems, or all have. */
    const struct dpl_lexicon *const *lexicons;
    size_t n_lexicons;
} dpl_reuse_options;

/* Position of a passage in its document. Layout fixed. */
typedef struct dpl_span {
    uint32_t doc;        /* number in the collection of its side */
    uint32_t begin, end; /* bytes of the document's text */
    uint32_t first_token, n_tokens;
    uint32_t first_sentence, n_sentences; /* from 0 */
} dpl_span;

/* Layout fixed. */
typedef struct dpl_passage {
    dpl_span query, source;
    dpl_passage_kind kind;
    float similarity; /* share of the words that both sides have; translated: that have a
                         translation on the other side. Rare words are weighted more */
} dpl_passage;

/* A document of the collection with passages. Layout fixed. */
typedef struct dpl_reuse_source {
    uint32_t doc; /* its number */
    uint32_t n_passages;
    uint64_t n_words;     /* of the query, in its passages */
    uint64_t n_new_words; /* of these, in no passage of a source before it */
} dpl_reuse_source;

/* Belongs to the result; may get more fields at its end. */
typedef struct dpl_reuse_summary {
    uint64_t n_queries, n_docs;             /* documents of the query and of the collection */
    uint64_t n_query_words, n_reused_words; /* words of the query; of these, in passages */
    uint64_t n_seeds;                       /* shared by both sides */
    uint64_t n_passages;
    uint64_t n_kinds[8];    /* passages by dpl_passage_kind */
    uint64_t n_source_docs; /* documents of the collection with passages */
    double seconds;
    uint64_t n_candidates; /* documents of an index that were compared; 0: all were */
} dpl_reuse_summary;

/* Frozen. */
typedef struct dpl_reuse_result dpl_reuse_result;

/* Inputs are documents in any form that dpl_reader_open_input reads, or collections; the query
 * must fit into memory. Passages are ordered by query document, place, similarity downwards,
 * source; for any number of threads. */
DPL_API dpl_status dpl_reuse(dpl_reuse_result **out, dpl_ctx *ctx, const dpl_input *query,
                             size_t n_query, const dpl_input *collection, size_t n_collection,
                             const dpl_reuse_options *options, dpl_error *err);
DPL_API void dpl_reuse_result_free(dpl_reuse_result *result);

/* What follows is borrowed until the result is freed. */
DPL_API const dpl_reuse_summary *dpl_reuse_get_summary(const dpl_reuse_result *result);
DPL_API const dpl_passage *dpl_reuse_get_passage(const dpl_reuse_result *result, size_t i);
/* The n_source_docs documents of the collection with passages, ranked by the number of words of
 * the query that they contain and earlier ones do not. */
DPL_API const dpl_reuse_source *dpl_reuse_get_source(const dpl_reuse_result *result, size_t i);
/* The document of a span: of the query, or with is_source of the collection; its own id. */
DPL_API dpl_doc dpl_reuse_doc(const dpl_reuse_result *result, uint32_t doc, bool is_source);
/* The text of one side of a passage. */
DPL_API dpl_str dpl_reuse_text(const dpl_reuse_result *result, const dpl_passage *passage,
                               bool is_source);

/* Writes a page with all query documents, their passages marked, and each passage beside its
 * source. It needs no other file; texts are escaped. */
DPL_API void dpl_reuse_html(const dpl_reuse_result *result,
                            void (*put)(void *user, const char *data, size_t n), void *user);

#ifdef __cplusplus
}
#endif
#endif
