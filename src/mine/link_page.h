/*
 * link_page.h - links.html: missing and suspicious links of a run, for people who decide about
 * them. One file that needs nothing else, of limited size.
 */
#ifndef DPL_MINE_LINK_PAGE_H
#define DPL_MINE_LINK_PAGE_H

#include "doppel/file.h"

#include "mine/known_links.h"
#include "mine/shared_words.h"

/* Links that the page has; the lists have all. */
enum { DPL__LINKS_SHOWN = 300, DPL__SUSPECTS_SHOWN = 150 };

/* Two documents, and what speaks for them. */
typedef struct dpl__link_comparison {
    dpl_doc_pair docs;
    size_t number; /* of the final pair; SIZE_MAX: they are none */
    const dpl__evidence *evidence;
    const dpl__shared_words *words;
} dpl__link_comparison;

/* That of one side. */
dpl_doc dpl__link_doc(const dpl__pair_run *run, dpl_doc_pair docs, int side);

/* Owned. */
typedef struct dpl__link_page {
    const dpl__pair_run *run;
    dpl_output *out;
    dpl_tokens *tokens;
    dpl__arena arena; /* of one comparison */
    dpl__aligned_reader reader;
    size_t n_missing, n_suspicious; /* so far */
} dpl__link_page;

/* After a failure it is still to be cleared. */
dpl_status dpl__link_page_begin(dpl__link_page *page, const dpl__pair_run *run, dpl_error *err);
/* Missing links come first. */
dpl_status dpl__link_page_missing(dpl__link_page *page, const dpl__link_comparison *link,
                                  dpl_error *err);
/* link[0]: as it is; [1] and [2]: the pairs that its left and right document are in. */
dpl_status dpl__link_page_suspicious(dpl__link_page *page, const dpl__suspect *suspect,
                                     const dpl__link_comparison link[3], dpl_error *err);
dpl_status dpl__link_page_end(dpl__link_page *page, dpl_error *err);
void dpl__link_page_clear(dpl__link_page *page);

#endif
