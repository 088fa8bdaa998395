/*
 * wordset.h - is this one of the language's words? Small fixed lists behind one hash table.
 *
 * The lists are string literals, readable as they stand; the table points into them. Filled
 * once, frozen afterwards.
 */
#ifndef DPL_UNICODE_WORDSET_H
#define DPL_UNICODE_WORDSET_H

#include "base/map.h"

typedef struct dpl__wordlist {
    const char *lang;  /* at most four letters */
    const char *words; /* separated by single spaces */
} dpl__wordlist;

typedef struct dpl__word {
    const char *data; /* NULL: the slot is free */
    uint32_t n;
    uint32_t lang; /* its letters */
} dpl__word;

static inline bool dpl__word_is_used(const void *user, const dpl__word *slot)
{
    (void)user;
    return slot->data != NULL;
}
static inline bool dpl__word_is(const void *user, const dpl__word *slot, dpl__word word)
{
    (void)user;
    return slot->lang == word.lang && slot->n == word.n &&
           memcmp(slot->data, word.data, word.n) == 0;
}
/* The slots are zeroed memory, at least twice as many as there are words. */
DPL_SLOTS(dpl__wordset, dpl__word, dpl__word, dpl__word_is_used, dpl__word_is);

void dpl__wordset_fill(dpl__wordset *set, const dpl__wordlist *lists, size_t n_lists);
bool dpl__wordset_has(const dpl__wordset *set, const char *lang, dpl_str word);

#endif
