/*
 * titles.h - documents of a collection by title, with redirects.
 */
#ifndef DPL_LANGLINKS_TITLES_H
#define DPL_LANGLINKS_TITLES_H

#include "doppel/tokens.h"

#include "base/vec.h"

typedef struct dpl__title_entry {
    uint64_t key;   /* of the title */
    uint64_t value; /* number of the document, or key of the title that it leads to */
} dpl__title_entry;

/* Owned while it is filled, then frozen. */
typedef struct dpl__titles {
    dpl_ctx *ctx;
    const dpl_collection *c;
    DPL_VEC(dpl__title_entry) docs, aliases; /* by key; of equal ones the first counts */
    bool is_sorted;
} dpl__titles;

/* A hash of the title as wikis compare titles: blanks for underscores, first letter in upper
 * case, nothing behind '#'. Any bytes. 64 bits: two of 10 million titles are equal by chance
 * once in 400,000 collections. 0: there is no title. */
uint64_t dpl__title_key(dpl_str title);

/* Titles and aliases of the collection, which must outlive it. */
dpl_status dpl__titles_init(dpl__titles *titles, dpl_ctx *ctx, const dpl_collection *c,
                            dpl_error *err);
void dpl__titles_clear(dpl__titles *titles);

dpl_status dpl__titles_add_alias(dpl__titles *titles, uint64_t key, uint64_t target,
                                 dpl_error *err);
/* After the last alias, before the first question. */
dpl_status dpl__titles_sort(dpl__titles *titles, dpl_error *err);

/* False when no document has the title. *is_redirected: it was found through an alias. */
bool dpl__titles_find(const dpl__titles *titles, uint64_t key, uint32_t *doc,
                      bool *is_redirected);

#endif
