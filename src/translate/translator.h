/*
 * translator.h - what our other files may see of a translator.
 */
#ifndef DPL_TRANSLATE_TRANSLATOR_H
#define DPL_TRANSLATE_TRANSLATOR_H

#include "doppel/translate.h"

dpl_ctx *dpl__translator_ctx(const dpl_translator *t);
/* Languages of a phrase model or lexicon: "de", "en"; "" when not known. Borrowed until it is
 * closed. */
const char *dpl__translator_from(const dpl_translator *t);
const char *dpl__translator_into(const dpl_translator *t);

#endif
