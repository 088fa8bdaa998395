/*
 * link_view.h - two pages that are linked or should be, as people compare them: their leads
 * side by side, aligned sentences and shared words marked. For the page of a run and for the
 * server.
 */
#ifndef DPL_LANGLINKS_LINK_VIEW_H
#define DPL_LANGLINKS_LINK_VIEW_H

#include "base/arena.h"
#include "base/vec.h"
#include "doppel/tokens.h"

/* ---- leads: the beginning of a document, for people who look at many of them -------- */

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

/* A word of both texts: translations of each other, or the same. */
typedef struct dpl__shared_word {
    dpl_str side[2];
} dpl__shared_word;

/* An aligned sentence pair, with its place in the texts in bytes; begin == end: not known. */
typedef struct dpl__view_sentence {
    dpl_str text[2];
    size_t begin[2], end[2];
    double score;
    bool is_in_leads;    /* both of it, wholly: needs not be shown again */
    dpl__mark *words[2]; /* shared words in it */
    size_t n_words[2];
} dpl__view_sentence;

/* What a view is made of. Borrowed. */
typedef struct dpl__view_input {
    dpl_str text[2]; /* of the whole documents; valid UTF-8 */
    const char *lang[2];
    const dpl__shared_word *words;
    size_t n_words;
    dpl__view_sentence *sentences; /* in the order of the left text; is changed */
    size_t n_sentences;
} dpl__view_input;

typedef struct dpl__link_view {
    dpl_str lead[2];
    bool is_cut[2];
    dpl__mark *words[2], *aligned[2]; /* in the leads, in order; numbers of words, sentences */
    size_t n_words[2], n_aligned[2];
    const dpl__view_sentence *sentences; /* chosen ones, in the order of the left text */
    size_t n_sentences;
} dpl__link_view;

/* Sentences that a view has: those of the leads, and the best of the others. */
enum { DPL__VIEW_LEAD_SENTENCES = 12, DPL__VIEW_MORE_SENTENCES = 4 };

/* Everything but texts goes into the arena. */
dpl_status dpl__link_view_make(dpl__link_view *out, dpl__arena *arena, dpl_ctx *ctx,
                               dpl_tokens *tokens, const dpl__view_input *in, dpl_error *err);

#endif
