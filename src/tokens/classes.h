/*
 * classes.h - word and sentence classes of code points, as ICU's rules group them.
 *
 * Word classes follow ICU's word rules (UAX #29 with CLDR's changes): '@' is a letter, ':'
 * joins letters in Swedish and Finnish only. What needs a dictionary or knows neighbours that
 * our automaton does not (Han, kana, Hangul, Thai ..., joiners) is DPL__W_COMPLEX and goes to
 * ICU.
 */
#ifndef DPL_TOKENS_CLASSES_H
#define DPL_TOKENS_CLASSES_H

#include "base/base.h"

enum {
    DPL__W_OTHER,   /* a boundary on both sides */
    DPL__W_NEWLINE, /* the same, and nothing attaches to it */
    DPL__W_EXTEND,  /* combining marks, format characters: belong to what is before them */
    DPL__W_LETTER,  /* ALetter */
    DPL__W_HEBREW,  /* Hebrew_Letter */
    DPL__W_NUMERIC,
    DPL__W_CONNECT, /* ExtendNumLet: the underscore */
    DPL__W_QUOTE,   /* Single_Quote */
    DPL__W_DQUOTE,  /* Double_Quote */
    DPL__W_MIDBOTH, /* MidNumLet: between letters or digits */
    DPL__W_MIDLETTER,
    DPL__W_MIDNUM,
    DPL__W_COLON, /* MidLetter in Swedish and Finnish, else other */
    DPL__W_COMPLEX,
};

enum {
    DPL__S_OTHER,
    DPL__S_EXTEND, /* Extend, Format */
    DPL__S_SEP,    /* Sep, CR, LF: always ends a sentence */
    DPL__S_SPACE,
    DPL__S_LOWER,
    DPL__S_UPPER,
    DPL__S_OLETTER,
    DPL__S_NUMERIC,
    DPL__S_ATERM, /* the full stop */
    DPL__S_STERM,
    DPL__S_CONTINUE,
    DPL__S_CLOSE,
};

enum { DPL__CLASS_PLANE = 0x10000 };

/* Filled by dpl__classes_init; indexed by code points of the basic plane. */
typedef struct dpl__classes {
    uint8_t word[DPL__CLASS_PLANE];
    uint8_t sentence[DPL__CLASS_PLANE];
    uint8_t is_alnum[DPL__CLASS_PLANE / 8]; /* general category L* or N* */
} dpl__classes;

/* Call before the first look-up. Locked; cheap after the first time. Frozen result. */
const dpl__classes *dpl__classes_init(void);

/* Beyond the basic plane. */
uint8_t dpl__word_class_far(uint32_t c);
uint8_t dpl__sentence_class_far(uint32_t c);
bool dpl__is_alnum_far(uint32_t c);

static inline uint8_t dpl__word_class(const dpl__classes *k, uint32_t c)
{
    return c < DPL__CLASS_PLANE ? k->word[c] : dpl__word_class_far(c);
}

static inline uint8_t dpl__sentence_class(const dpl__classes *k, uint32_t c)
{
    return c < DPL__CLASS_PLANE ? k->sentence[c] : dpl__sentence_class_far(c);
}

static inline bool dpl__is_alnum(const dpl__classes *k, uint32_t c)
{
    return c < DPL__CLASS_PLANE ? k->is_alnum[c / 8] >> (c & 7) & 1 : dpl__is_alnum_far(c);
}

#endif
