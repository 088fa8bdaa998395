/*
 * langid.h - the two things only C++ libraries offer: CLD2's guess, ICU's CLDR aliases.
 *
 * Both are safe from any thread, never throw, and know nothing about our policy: language.c
 * decides what a guess is worth.
 */
#ifndef DPL_UNICODE_LANGID_H
#define DPL_UNICODE_LANGID_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dpl__langid {
    int language;     /* CLD2's number: in [0, dpl__langid_count()) */
    int percent;      /* of the text's letters, in [0, 100] */
    bool is_reliable; /* by CLD2's own measure */
} dpl__langid;

/* Guesses the language of n bytes (below 2 GiB) of valid UTF-8; false when there is none to
 * guess, or no memory. */
bool dpl__langid_guess(dpl__langid *out, const char *text, size_t n);

/* Languages are numbered densely; the code is CLD2's own spelling ("iw", "zh-Hant", "xx-Goth"),
 * static text. */
int dpl__langid_count(void);
const char *dpl__langid_code(int language);
/* Whether the tables can identify this language at all. */
bool dpl__langid_knows(int language);
/* "V2.0 - 20140204": code and tables. Static text. */
const char *dpl__langid_version(void);

/* The i-th language that dpl_lang_identify can answer with, as our code; NULL past the last
 * one. In no order, a few of them twice. Static text. (language.c) */
const char *dpl__lang_identifiable(size_t i);

/* The primary subtag of a language tag or locale name after CLDR's aliases: "iw" -> "he",
 * "cmn-Hans" -> "zh", "zh-min-nan" -> "nan". What is not known stays as it is. False when it
 * has none or does not fit. */
bool dpl__langid_alias(char out[12], const char *tag);

#ifdef __cplusplus
}
#endif
#endif
