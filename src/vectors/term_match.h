/*
 * term_match.h - where the words of a lexicon are among the terms of a collection.
 *
 * Every use of a lexicon with a collection begins with this match: vectors project with it, and
 * sentences link terms with it, in both directions. It depends on the two alone, so that one
 * match, made once, serves all of them. Frozen; borrows collection and lexicon.
 */
#ifndef DPL_VECTORS_TERM_MATCH_H
#define DPL_VECTORS_TERM_MATCH_H

#include "lexicon/lexicon.h"
#include "tokens/collection.h"

/* No such term. */
#define DPL__NOT_A_TERM UINT32_MAX

/* What a collection is made of. */
typedef struct dpl__facts {
    char lang[12]; /* of most documents; "" when not known */
    bool is_stemmed;
    unsigned ngram;   /* characters; 0: words */
    uint32_t n_terms; /* that occur often enough: the ids below it */
} dpl__facts;

dpl_status dpl__facts_find(dpl__facts *out, const dpl_collection *c, unsigned min_count,
                           dpl_error *err);

typedef struct dpl__term_match {
    dpl_ctx *ctx;
    const dpl_collection *c;
    const dpl_lexicon *lexicon;
    int f_side;         /* the lexicon's column that is the collection's language */
    const char *e_lang; /* of its other column; borrowed from the lexicon or the caller */
    uint32_t n_terms;   /* of the collection that were looked at: the ids below it */
    bool is_stemming;   /* words were stemmed to find them */
    uint32_t *f_terms;  /* of each word of f_side: its term, or DPL__NOT_A_TERM */
    uint32_t *e_words;  /* of each word of the other side: its number in `words` */
    dpl__strings words; /* those, perhaps stemmed, in byte order, all different */
} dpl__term_match;

/* The caller sets ctx, c, lexicon, f_side and e_lang; the rest is zero. */
dpl_status dpl__term_match_make(dpl__term_match *m, const dpl__facts *facts, dpl_error *err);
/* The same when f_side and e_lang are not known: as dpl__projection_make finds them
 * (project.c). into is what e_lang is when the lexicon does not say; NULL: not known. */
dpl_status dpl__term_match_find(dpl__term_match *m, const dpl__facts *facts, const char *into,
                                dpl_error *err);
void dpl__term_match_clear(dpl__term_match *match);

/* Does it give what a match for these facts would? One over more terms does, unless stems are
 * involved: what it found beyond facts->n_terms counts as not found. */
bool dpl__term_match_fits(const dpl__term_match *match, const dpl__facts *facts, int f_side,
                          const char *e_lang);

/* For each word, in byte order, the term of that text below n_most, or DPL__NOT_A_TERM; order
 * is that of all terms of the collection. Returns how many there are. */
size_t dpl__match_words(uint32_t *out, const dpl_collection *c, const uint32_t *order,
                        uint32_t n_most, const dpl__strings *words);
/* The terms of the collection in byte order. Borrowed. */
dpl_status dpl__term_order(const uint32_t **out, const dpl_collection *c, dpl_error *err);

#endif
