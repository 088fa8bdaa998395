/*
 * stopwords.h - function words: too frequent to tell texts apart.
 */
#ifndef DPL_TOKENS_STOPWORDS_H
#define DPL_TOKENS_STOPWORDS_H

#include "base/base.h"

/* lang is a canonical code; the word is in NFC and case-folded. False for every word of a
 * language without a list. From any thread. */
bool dpl__stop_has(const char *lang, dpl_str word);

#endif
