/*
 * page_address.h - where a page of a wiki is found: its address.
 */
#ifndef DPL_LANGLINKS_PAGE_ADDRESS_H
#define DPL_LANGLINKS_PAGE_ADDRESS_H

#include "base/arena.h"

/* The site (dpl__collection_site) with the title behind it, escaped; in the arena. Empty when
 * one of them is. data is NULL: no memory. */
dpl_str dpl__page_address(dpl__arena *arena, dpl_str site, dpl_str title);

#endif
