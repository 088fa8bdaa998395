/*
 * project.h - the terms that replace each term of a collection in the vectors.
 *
 * Without a lexicon: itself. With one: the words e of the other language that the lexicon has
 * for it, with p(f|e) or p(e|f); a word the lexicon does not know stands for itself.
 */
#ifndef DPL_VECTORS_PROJECT_H
#define DPL_VECTORS_PROJECT_H

#include "doppel/vectors.h"

#include "lexicon/lexicon.h"
#include "vectors/term_match.h"

/* Frozen. Texts are borrowed from the collection, and from `words`. */
typedef struct dpl__projection {
    dpl_ctx *ctx;
    dpl_direction direction; /* AUTO: there is no lexicon */
    bool is_target;          /* the lexicon's targets are the collection's language */
    bool is_counted;         /* which column is, was decided by the words */
    bool is_own;             /* every term stands for itself, and nothing else */
    const char *lang;        /* of what the terms stand for; borrowed from facts or lexicon */
    dpl__strings words;      /* the lexicon's words e, perhaps stemmed */
    bool has_borrowed_words; /* from a match that the caller made */
    dpl_str *texts;          /* in byte order, all different */
    uint32_t n_texts;
    size_t most_texts; /* room for them */
    dpl__table table;  /* row: term of the collection; column: number of a text; its share */
    uint32_t n_terms;
    bool *is_known; /* n_terms: does the lexicon translate it? */
    uint64_t n_known_terms, n_known_tokens;
} dpl__projection;

/* What a projection is made from. */
typedef struct dpl__projection_input {
    const dpl_collection *c;
    const dpl__facts *facts;
    const dpl_lexicon *lexicon;   /* may be NULL */
    const dpl__term_match *match; /* of both, made before, which outlives the projection; NULL:
                                     none. One that does not fit is not used, and the result is
                                     the same */
    dpl_direction direction;
    const char *into; /* the language of e when the lexicon does not say; NULL: not known */
} dpl__projection_input;

dpl_status dpl__projection_make(dpl__projection *out, dpl_ctx *ctx,
                                const dpl__projection_input *in, dpl_error *err);
/* Each term stands for the n-grams of its letters in Latin script (spelling.c), in no language.
 */
dpl_status dpl__spelling_make(dpl__projection *out, dpl_ctx *ctx, const dpl_collection *c,
                              const dpl__facts *facts, unsigned n, dpl_error *err);
void dpl__projection_clear(dpl__projection *p);

#endif
