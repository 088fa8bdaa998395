/*
 * prefix_classes.h - words that begin alike.
 */
#ifndef DPL_LEXICON_PREFIX_CLASSES_H
#define DPL_LEXICON_PREFIX_CLASSES_H

#include "base/map.h"
#include "io/sections.h"
#include "lexicon/lexicon_params.h"

/* The default of n_letters. */
#define DPL__CLASS_LETTERS ((unsigned)DPL__P(lexicon, class_letters))

typedef struct dpl__prefix_slot {
    uint64_t key; /* 0: free */
    uint32_t class;
} dpl__prefix_slot;

DPL_KEY_MAP(dpl__prefix_map, dpl__prefix_slot);

/* Prefixes of words found so far, one class each, numbered in the order of their first word.
 * Owned. Zeroed memory with a context is an empty one. */
typedef struct dpl__prefixes {
    dpl_ctx *ctx;
    dpl__prefix_map map;
} dpl__prefixes;

/* The class of a word, in UTF-8: that of all words with the same first n_letters characters. */
dpl_status dpl__prefix_class(uint32_t *class, dpl__prefixes *prefixes, dpl_str word,
                             unsigned n_letters, dpl_error *err);
void dpl__prefixes_clear(dpl__prefixes *prefixes);

/* Classes of the words of both sides, left side first: classes[side] has room for the side's
 * words. */
dpl_status dpl__prefix_classes(uint32_t *classes[2], uint32_t *n_classes, dpl_ctx *ctx,
                               const dpl__strings words[2], unsigned n_letters, dpl_error *err);

#endif
