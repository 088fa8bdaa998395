/*
 * wordset.h - is this one of the language's words? Small fixed lists behind one hash table.
 *
 * The lists are string literals, readable as they stand; the table points into them. Filled
 * once, frozen afterwards.
 */
#ifndef DPL_UNICODE_WORDSET_H
#define DPL_UNICODE_WORDSET_H

#include "base/base.h"

typedef struct dpl__wordlist {
    const char *lang;  /* at most four letters */
    const char *words; /* separated by single spaces */
} dpl__wordlist;

typedef struct dpl__word {
    const char *data; /* NULL: the slot is free */
    uint32_t n;
    uint32_t lang; /* its letters */
} dpl__word;

typedef struct dpl__wordset {
    dpl__word *slots; /* zeroed at first */
    size_t n_slots;   /* a power of two, at least twice as many as there are words */
} dpl__wordset;

void dpl__wordset_fill(dpl__wordset *set, const dpl__wordlist *lists, size_t n_lists);
bool dpl__wordset_has(const dpl__wordset *set, const char *lang, dpl_str word);

#endif
