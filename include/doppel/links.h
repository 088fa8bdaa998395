/*
 * doppel/links.h - known links between the documents of two collections, such as the
 * interlanguage links of Wikipedia.
 *
 *     dpl_collection *left = NULL, *right = NULL;
 *     DPL_TRY(dpl_collection_open(&left, ctx, "de.dpl", err));
 *     DPL_TRY(dpl_collection_open(&right, ctx, "en.dpl", err));
 *     const char *paths[] = {"dewiki-langlinks.sql.gz"};
 *     dpl_links *links = NULL;
 *     DPL_TRY(dpl_links_read(&links, ctx, paths, 1, left, right, NULL, err));
 *     size_t n;
 *     const dpl_doc_pair *pairs = dpl_links_pairs(links, &n);
 *     dpl_links_free(links);
 *
 * A path is a table of a MediaWiki dump (langlinks, page, redirect, or Wikidata's
 * wb_items_per_site; .sql, compressed or not), or lines of left, tab, right with ids or titles.
 */
#ifndef DOPPEL_LINKS_H
#define DOPPEL_LINKS_H

#include "doppel/sentences.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In place of a path: the links in the pages themselves (the "interlanguage" field
 * of documents from a dump). */
#define DPL_LINKS_IN_TEXT "text"

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_links_options {
    size_t size;
    /* Of the left and right collection; default: that of most documents. */
    const char *langs[2];
    bool is_partial; /* no error if no line names documents of the collections */
} dpl_links_options;

/* Belongs to the links and may grow at its end: use it by pointer. */
typedef struct dpl_links_summary {
    uint64_t n_read;         /* links between the two languages */
    uint64_t n_absent[2];    /* whose left or right end is no document of the collection */
    uint64_t n_redirected;   /* ends that were found through a redirect */
    uint64_t n_contradicted; /* left out: an end had another link before */
    uint64_t n_links;        /* that are left, each once: dpl_links_pairs */
    const char *absent;      /* of files of lines, the first names of n_absent: "'a', 'b', 'c'";
                                NULL: none */
} dpl_links_summary;

/* Frozen. */
typedef struct dpl_links dpl_links;

/* Reads all files. One that is about other languages is DPL_E_USAGE ("links-language"), and so
 * are lines of which all left or all right ends are no documents ("links-unknown",
 * "links-swapped"). The collections must outlive the call only. */
DPL_API dpl_status dpl_links_read(dpl_links **out, dpl_ctx *ctx, const char *const *paths,
                                  size_t n_paths, const dpl_collection *left,
                                  const dpl_collection *right, const dpl_links_options *options,
                                  dpl_error *err);
DPL_API void dpl_links_free(dpl_links *links);

/* In the order of left documents; no document is in more than one. Borrowed until the links
 * are freed. */
DPL_API const dpl_doc_pair *dpl_links_pairs(const dpl_links *links, size_t *n);

/* The found pairs compared with the known links. */
typedef struct dpl_links_agreement {
    const dpl_links_summary *read;
    double share[2];            /* of the documents of each side that have a link */
    uint64_t n_found;           /* links that are pairs */
    uint64_t n_matching;        /* pairs that are links */
    uint64_t n_touching;        /* pairs of which one document, or each, has another link */
    uint64_t n_missing;         /* pairs of which no document has a link: missing-links.tsv */
    uint64_t n_suspicious;      /* links that are probably wrong: suspicious-links.tsv */
    double precision, recall;   /* matching / (matching + touching), found / links */
    double estimated_precision; /* of the pairs that match or touch, from their confidences;
                                   NaN: cannot be estimated */
    double shift;               /* of the log-odds of confidence that agrees with the links; in
                                   missing-links.tsv it is applied */
} dpl_links_agreement;

#ifdef __cplusplus
}
#endif

#endif
