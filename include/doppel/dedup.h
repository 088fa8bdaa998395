/*
 * doppel/dedup.h - removal of duplicates: copies and near-duplicates of documents, translated
 * copies, and lines or paragraphs that recur.
 *
 *     dpl_input in = {.path = "crawl.jsonl.zst"};
 *     dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .threshold = 0.8);
 *     dpl_dedup_result *found = NULL;
 *     DPL_TRY(dpl_dedup(&found, ctx, "out", &in, 1, &o, err));
 *     const dpl_dedup_summary *s = dpl_dedup_get_summary(found);
 *     printf("%llu of %llu documents kept\n", (unsigned long long)s->n_kept,
 *            (unsigned long long)s->n_docs);
 *     dpl_dedup_result_free(found);
 *
 * Documents with the same words are copies. Of all others, pairs at or above the threshold are
 * near-duplicates (with a lexicon also translations). Documents that are joined by such pairs
 * are a cluster, of which one is kept. The clusters do not depend on the order of the
 * documents, nor on threads or memory.
 */
#ifndef DOPPEL_DEDUP_H
#define DOPPEL_DEDUP_H

#include "doppel/mine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- choices ------------------------------------------------------------------------ */

/* What is removed: whole documents, or lines or paragraphs of documents. A paragraph ends with
 * an empty line; a text without empty lines has a paragraph on each line. */
typedef enum dpl_dedup_unit {
    DPL_DEDUP_DOCUMENT = 0,
    DPL_DEDUP_PARAGRAPH,
    DPL_DEDUP_LINE
} dpl_dedup_unit;

/* The similarity of two documents. A shingle is a sequence of a few words. */
typedef enum dpl_dedup_measure {
    DPL_DEDUP_ANY = 0,    /* jaccard; with only_against containment */
    DPL_DEDUP_JACCARD,    /* shared shingles / shingles of either document */
    DPL_DEDUP_COSINE,     /* of their term vectors */
    DPL_DEDUP_CONTAINMENT /* shared shingles / shingles of the document with fewer; with
                             only_against: / shingles of the document of `against` */
} dpl_dedup_measure;

/* How pairs are found. Every pair is verified: its score is the measure. */
typedef enum dpl_dedup_method {
    DPL_DEDUP_AUTO = 0, /* shingles: exact, or minhash where so many shingles are shared that it
                           is faster; cosine: as the plan recommends */
    DPL_DEDUP_EXACT,    /* finds all pairs */
    DPL_DEDUP_MINHASH,  /* MinHash of shingles */
    DPL_DEDUP_SIMHASH   /* 64-bit fingerprints that differ in at most 3 bits */
} dpl_dedup_method;

/* Which document of a cluster is kept. Ties: smallest id. */
typedef enum dpl_dedup_keep {
    DPL_KEEP_LONGEST = 0, /* with the most bytes of text */
    DPL_KEEP_FIRST,       /* in the order of the inputs */
    DPL_KEEP_NEWEST, /* with the last value of a field in text order, such as an ISO date */
    DPL_KEEP_HIGHEST /* with the highest number in a field */
} dpl_dedup_keep;

/* What a cluster is. */
typedef enum dpl_dedup_linkage {
    DPL_LINK_COMPONENTS = 0, /* all documents that pairs connect, directly or through others */
    DPL_LINK_STAR            /* the kept document and those that are paired with it directly */
} dpl_dedup_linkage;

/* How the kept documents are compressed. */
typedef enum dpl_dedup_compress {
    DPL_COMPRESS_INPUT = 0, /* as the first input; instead of xz and bzip2: zstd */
    DPL_COMPRESS_NONE,
    DPL_COMPRESS_GZIP,
    DPL_COMPRESS_ZSTD
} dpl_dedup_compress;

/* Why two documents are in one cluster. */
typedef enum dpl_dedup_kind {
    DPL_EDGE_COPY = 0, /* the same words in the same order */
    DPL_EDGE_NEAR,
    DPL_EDGE_TRANSLATION
} dpl_dedup_kind;

/* How a new document contains a document of `against`. */
typedef enum dpl_dedup_how {
    DPL_HOW_VERBATIM = 0, /* the texts are equal, but for white space at their ends */
    DPL_HOW_REWRAPPED,    /* the same words; line ends, other white space, case or punctuation
                             differ */
    DPL_HOW_EMBEDDED,     /* all its words, in order, within a longer document */
    DPL_HOW_EDITED,       /* most of its words */
    DPL_HOW_TRANSLATED
} dpl_dedup_how;

/* Names; NULL when out of range. Static text. */
DPL_API const char *dpl_dedup_kind_name(unsigned kind);
DPL_API const char *dpl_dedup_how_name(unsigned how);

/* ---- options ------------------------------------------------------------------------ */

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_dedup_options {
    size_t size;
    const dpl_reader_options *read; /* of all inputs */
    dpl_dedup_unit unit;
    dpl_dedup_measure measure;
    double threshold; /* lowest similarity of near-duplicates, above 0 to 1; default 0.8, with
                         only_against and containment 0.5 */
    double floor;     /* lowest similarity of pairs that are stored: a resumed run with another
                         threshold down to it does not search again; default: the threshold */
    unsigned shingle; /* words of a shingle, 1 to 64; default 5 */
    dpl_dedup_method method;
    double recall; /* methods that do not find all: wanted share of the pairs at the threshold,
                      above 0 and below 1; default 0.99 */
    dpl_dedup_keep select;
    const char *field; /* of NEWEST and HIGHEST: a field of the documents, as in extra */
    dpl_dedup_linkage linkage;
    /* Documents to compare with, which are always kept and not written: new documents that
     * duplicate one of them are removed. */
    const dpl_input *against;
    size_t n_against;
    /* Do not compare the new documents with each other. A new document is removed only if it is
     * a copy, a near-duplicate or a translation of one of `against`, whatever `linkage` is.
     * Without `against`: DPL_E_USAGE. */
    bool only_against;
    const char *lexicon; /* path; find translations between its two languages, too */
    double translation;  /* lowest cosine of a translation, above 0 to 1; default 0.2 */
    bool stem;           /* reduce words to their stems; default: if the lexicon has stems */
    /* Lines and paragraphs. */
    unsigned min_words; /* keep those with fewer words; default 3 */
    unsigned min_count; /* remove those that occur at least min_count times; default 2 */
    bool drop_first;    /* remove the first occurrence, too */
    unsigned sample;    /* documents compared with all others for the recall check; 500 */
    bool no_recall_check;
    dpl_dedup_compress compress;
    bool resume; /* use the work files of an earlier run with the same inputs: the documents,
                    and the pairs if the same search made them */
    const char *temp;          /* without an output folder: where work files go; default /tmp */
    const char *lexicon_langs; /* languages of the columns of a text lexicon: "de,en" */
    /* A file that remembers the documents of earlier runs (a collection; made if it is missing,
     * replaced at the end). The result is that of one run over all their inputs and the new
     * ones, which come last; only the kept documents of the new ones are written. An input that
     * the file has, unchanged and of the same name, counts once. Not with resume. */
    const char *state;
} dpl_dedup_options;

/* ---- what was found ----------------------------------------------------------------- */

/* Belongs to the result; may get more fields at its end. */
typedef struct dpl_dedup_summary {
    dpl_dedup_unit unit;
    dpl_dedup_measure measure;
    dpl_dedup_method method; /* that was used */
    double threshold, floor;
    unsigned shingle;
    const dpl_read_counts *read;
    uint64_t n_docs;            /* new documents */
    uint64_t n_old;             /* documents of `against` */
    uint64_t n_kept, n_removed; /* of the new documents */
    uint64_t n_copies; /* new documents with the same words as an earlier one; only_against: as
                          one of `against` */
    uint64_t n_clusters;                  /* of two and more documents */
    uint64_t largest;                     /* documents of the largest cluster */
    uint64_t n_candidates;                /* pairs whose similarity was computed */
    uint64_t n_near, n_translations;      /* pairs at or above the threshold */
    uint64_t n_contaminated;              /* documents of `against` that a new one duplicates */
    unsigned code_length, n_codes;        /* k and l of minhash */
    const dpl_recall_check *recall_check; /* of near-duplicates; all zero: there was none */
    bool is_resumed;                      /* pairs of an earlier run were used */
    /* Lines and paragraphs. */
    uint64_t n_parts, n_parts_removed; /* all of them, and those removed */
    uint64_t n_distinct;               /* distinct texts among those removed */
    uint64_t n_bytes, n_bytes_removed; /* of text */
    uint64_t n_changed, n_emptied;     /* documents that lost some of their text; all of it */
    const char *kept_path;             /* of the kept documents; NULL: no folder */
    uint64_t n_spilled_bytes;
    double import_seconds, search_seconds, verify_seconds, cluster_seconds, write_seconds,
        seconds;
    const dpl_skip_list *skipped; /* records of the inputs that did not become documents */
    uint64_t n_seen;    /* of the new documents, those that earlier runs have seen (state) */
    uint64_t n_written; /* kept documents that earlier runs have not seen: those in kept_path */
} dpl_dedup_summary;

/* A new document. Layout fixed. */
typedef struct dpl_dedup_doc {
    dpl_str id;      /* as read; ids that several inputs have begin with the input's name */
    dpl_str cluster; /* id of the kept document of its cluster, or its own */
    float score;     /* similarity with that one; 1 for itself */
    bool is_kept;
    dpl_dedup_kind kind; /* of a removed one: how it is joined to its cluster */
} dpl_dedup_doc;

/* A pair of documents, numbers of new ones first, then of those of `against`. Layout fixed. */
typedef struct dpl_dedup_edge {
    uint32_t left, right; /* left < right */
    float score;
    uint32_t kind; /* a dpl_dedup_kind: near or translation */
} dpl_dedup_edge;

/* A document of `against` that a new one contains. Layout fixed. */
typedef struct dpl_dedup_hit {
    uint32_t item;       /* number among the documents of `against` */
    uint32_t doc;        /* number of the new document */
    float score;         /* similarity; 1 for the same words */
    uint32_t how;        /* a dpl_dedup_how */
    uint32_t begin, end; /* where: bytes of the text of the new document */
} dpl_dedup_hit;

/* Frozen. */
typedef struct dpl_dedup_result dpl_dedup_result;

/* Inputs are documents in any form that dpl_reader_open_input reads, or collections. Ids must
 * be unique within an input.
 *
 * dir is the output folder, made if it is missing; NULL: no files, only the result. It receives
 * clusters.tsv (id, cluster, score, keep: 1 or 0, for each new document), the kept documents
 * (kept.jsonl and so on: lines of JSON Lines, TSV and base64 inputs byte for byte, documents of
 * other formats as JSON Lines with all fields), run.json, and work/, which resume continues
 * from. With `against`, contamination.tsv has a line for each of its documents and each new one
 * that duplicates it: both ids, how, score, and where it begins and ends in the new one's text.
 * For lines and paragraphs there is parts.tsv (count and text of those that were removed, most
 * frequent first) instead of clusters.tsv, and the kept documents are written without them.
 *
 * A threshold out of range is DPL_E_USAGE. Inputs without documents are no error. out may be
 * NULL. */
DPL_API dpl_status dpl_dedup(dpl_dedup_result **out, dpl_ctx *ctx, const char *dir,
                             const dpl_input *inputs, size_t n_inputs,
                             const dpl_dedup_options *options, dpl_error *err);
DPL_API void dpl_dedup_result_free(dpl_dedup_result *result);

/* Borrowed until the result is freed. */
DPL_API const dpl_dedup_summary *dpl_dedup_get_summary(const dpl_dedup_result *result);
/* doc < n_docs, in the order of the inputs. Not for lines and paragraphs. */
DPL_API dpl_dedup_doc dpl_dedup_get_doc(const dpl_dedup_result *result, uint32_t doc);
/* Pairs of near-duplicates or translations, down to the floor, by left, then right. Of
 * documents that are copies of each other only one is in pairs. */
DPL_API const dpl_dedup_edge *dpl_dedup_get_edges(const dpl_dedup_result *result, size_t *n);
/* Documents of `against` in new ones: by item, then score downwards, then document. */
DPL_API const dpl_dedup_hit *dpl_dedup_get_hits(const dpl_dedup_result *result, size_t *n);
/* The id of a document of `against`, as it was read. */
DPL_API dpl_str dpl_dedup_get_item(const dpl_dedup_result *result, uint32_t item);
/* New documents, then those of `against`. NULL for lines and paragraphs. */
DPL_API const dpl_collection *dpl_dedup_get_collection(const dpl_dedup_result *result);

#ifdef __cplusplus
}
#endif
#endif
