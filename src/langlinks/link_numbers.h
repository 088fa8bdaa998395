/*
 * link_numbers.h - links between documents that have got other numbers.
 */
#ifndef DPL_LINKS_LINK_NUMBERS_H
#define DPL_LINKS_LINK_NUMBERS_H

#include "doppel/links.h"

#define DPL__LINKS_NONE UINT32_MAX

/* Document i of a side (0 left, 1 right) has the number now[side][i] in a collection of
 * n_docs[side]; DPL__LINKS_NONE: it is not in it; now[side] NULL: all have the numbers that
 * they had. Links of documents that are gone are dropped, as if these had never been there. */
dpl_status dpl__links_renumber(dpl_links *links, const uint32_t *const now[2],
                               const uint32_t n_docs[2], dpl_error *err);

/* Borrowed until the links are freed. */
const dpl_links_summary *dpl__links_get_summary(const dpl_links *links);
/* The document that doc of a side (0 left, 1 right) is linked with; DPL__LINKS_NONE: none. */
uint32_t dpl__links_of(const dpl_links *links, int side, uint32_t doc);

#endif
