/*
 * lead.h - the beginning of a document, for people who look at many of them; words marked in
 * it.
 */
#ifndef DPL_LANGLINKS_LEAD_H
#define DPL_LANGLINKS_LEAD_H

#include "base/arena.h"
#include "base/vec.h"
#include "doppel/tokens.h"

/* Characters: paragraphs are added up to the first number and cut after the second; a heading
 * ends a lead that is not shorter than that. */
enum { DPL__LEAD_LEAST = 200, DPL__LEAD_MOST = 700, DPL__LEAD_SHORT = 80 };

/* The first paragraphs, without white space around them: a part of the text, up to the first
 * heading behind them; of a page with hardly anything before it, the first sections.
 * DPL_SECTION_MARK may be in it. *is_cut: it ends inside of a paragraph, behind a word where
 * there are blanks. Any bytes; the lead ends before the first that is no UTF-8. */
dpl_str dpl__lead(dpl_str text, bool *is_cut);

/* Bytes of a text that belong to something with a number. */
typedef struct dpl__mark {
    uint32_t begin, end, number;
} dpl__mark;

typedef DPL_VEC(dpl__mark) dpl__marks;

enum { DPL__MOST_MARKED = 16 };

/* Words to be marked, of which DPL__MOST_MARKED at most are looked at. Borrowed. */
typedef struct dpl__marker {
    dpl_ctx *ctx;
    dpl_tokens *tokens; /* with stems where those of the collection have them */
    const char *lang;
    const dpl_str *words;
    size_t n_words;
} dpl__marker;

/* Adds the tokens of the text, which is valid UTF-8, that are one of the words or have the same
 * stem; number is that of the word. */
dpl_status dpl__mark_words(dpl__marks *out, const dpl__marker *marker, dpl_str text,
                           dpl_error *err);

#endif
