/*
 * signs.h - punctuation and numbers of a sentence, as a few small numbers.
 *
 * What a sentence begins and ends with, and how many question marks, quotation marks ... it
 * has, in any script. Translations keep much of it. How much is learnt from the texts
 * (priors.h).
 */
#ifndef DPL_SENTENCES_SIGNS_H
#define DPL_SENTENCES_SIGNS_H

#include "base/base.h"

enum {
    DPL__SIGN_FIRST, /* what it begins with: a kind of character */
    DPL__SIGN_LAST,  /* what it ends with */
    DPL__SIGN_QUESTION,
    DPL__SIGN_EXCLAMATION,
    DPL__SIGN_QUOTE,
    DPL__SIGN_DASH, /* dashes and ellipses */
    DPL__SIGN_COLON,
    DPL__SIGN_NUMBER,
    DPL__SIGNS,
    DPL__SIGN_VALUES = 8 /* of each: 0 .. 7; numbers of marks end at DPL__SIGN_MOST */
};
enum { DPL__SIGN_MOST = 3 };

/* Values of DPL__SIGN_FIRST and _LAST; numbers of the others. */
typedef struct dpl__signs {
    uint8_t at[DPL__SIGNS];
} dpl__signs;

/* Adds the signs of a text to those of what is before it; all of the first one are zero. */
void dpl__signs_add(dpl__signs *signs, dpl_str text);
/* The signs of two runs, one behind the other. */
dpl__signs dpl__signs_join(dpl__signs first, dpl__signs second);

#endif
