/*
 * abbreviations.h - words whose full stop belongs to them, for finding sentences.
 */
#ifndef DPL_TOKENS_ABBREVIATIONS_H
#define DPL_TOKENS_ABBREVIATIONS_H

#include "base/base.h"

/* Whether a full stop behind this word, before a capital letter, is more likely part of it than
 * the end of a sentence: "dr", "z.b", "j". lang is a canonical code; the word is in NFC,
 * case-folded, without the last stop. In a language without a list only single letters are.
 * From any thread. */
bool dpl__is_abbreviation(const char *lang, dpl_str word);

#endif
