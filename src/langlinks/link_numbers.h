/*
 * link_numbers.h - links between documents that have got other numbers.
 */
#ifndef DPL_LINKS_LINK_NUMBERS_H
#define DPL_LINKS_LINK_NUMBERS_H

#include "doppel/links.h"

/* Document i of a side (0 left, 1 right) has the number now[side][i] in a collection of
 * n_docs[side]; DPL_LINKS_NONE: it is not in it; now[side] NULL: all have the numbers that they
 * had. Links of documents that are gone are dropped, as if these had never been there. */
dpl_status dpl__links_renumber(dpl_links *links, const uint32_t *const now[2],
                               const uint32_t n_docs[2], dpl_error *err);

#endif
