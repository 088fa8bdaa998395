/*
 * blocks.h - boilerplate of web pages: blocks that come again on other pages of the same site,
 * and lists of links.
 *
 * A block is a line of a page's text. Which ones come again is learnt from the first pages of
 * each site, before the pages are read; then any number of threads may ask.
 */
#ifndef DPL_READERS_BLOCKS_H
#define DPL_READERS_BLOCKS_H

#include "base/arena.h"
#include "readers/html/html.h"

/* Owned while it learns, frozen afterwards. */
typedef struct dpl__blocks dpl__blocks;

/* NULL when there is no memory. Takes at most a tenth of the context's. */
dpl__blocks *dpl__blocks_new(dpl_ctx *ctx);
void dpl__blocks_free(dpl__blocks *blocks);

/* The site of an address: its host. Of a path: its folder. */
dpl_str dpl__site_of(dpl_str id);

/* Does another page of the site add to what is known? */
bool dpl__blocks_want(const dpl__blocks *blocks, dpl_str site);
/* Takes note of a page. False when there is no memory. */
bool dpl__blocks_learn(dpl__blocks *blocks, dpl_str site, dpl_str text);

/* Keeps a page that was learnt from, as it is before anything is dropped, unless there is no
 * room for it. key: of the bytes that it was made from, evenly spread, not 0. */
void dpl__blocks_keep(dpl__blocks *blocks, uint64_t key, const dpl__html_page *page);
/* A page that was kept, or NULL. blocks may be NULL. */
const dpl__html_page *dpl__blocks_kept(const dpl__blocks *blocks, uint64_t key);

/* The page's text without boilerplate, in place; *n_dropped is how many lines it was. blocks
 * may be NULL: only links count. The page was read with_links. */
dpl_str dpl__blocks_filter(const dpl__blocks *blocks, dpl_str site, const dpl__html_page *page,
                           uint64_t *n_dropped);

#endif
