/*
 * sentence_bounds.h - where the sentences of a text begin: ICU's rules, abbreviations on top.
 */
#ifndef DPL_TOKENS_SENTENCE_BOUNDS_H
#define DPL_TOKENS_SENTENCE_BOUNDS_H

#include "base/vec.h"

#include "base/base.h"

typedef struct dpl__sentence_start {
    uint32_t at; /* bytes in the text: the first character that is no white space */
    bool is_paragraph, is_section; /* it begins one; a section begins a paragraph, too */
} dpl__sentence_start;

typedef DPL_VEC(dpl__sentence_start) dpl__sentence_starts;

/* Bits of a sentence in a collection. */
enum { DPL__PARAGRAPH_START = 1, DPL__SECTION_START = 2 };

static inline uint8_t dpl__sentence_flags(bool is_paragraph, bool is_section)
{
    return (uint8_t)((is_paragraph ? DPL__PARAGRAPH_START : 0) |
                     (is_section ? DPL__SECTION_START : 0));
}

/* lang "" applies the plain Unicode rules (UAX #29 as in ICU's root locale), without
 * abbreviations. Sentences of white space alone are not reported. Replaces what starts held. */
dpl_status dpl__split_sentences(dpl_ctx *ctx, dpl_str text, const char *lang,
                                dpl__sentence_starts *starts, dpl_error *err);

/* Whether a full stop behind this word, before a capital letter, is more likely part of it than
 * the end of a sentence: "dr", "z.b", "j". lang is a canonical code; the word is in NFC,
 * case-folded, without the last stop. In a language without a list only single letters are.
 * From any thread. */
bool dpl__is_abbreviation(const char *lang, dpl_str word);

#endif
