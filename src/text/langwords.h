/*
 * langwords.h - the language of a text by its function words, where they leave no doubt.
 */
#ifndef DPL_TEXT_LANGWORDS_H
#define DPL_TEXT_LANGWORDS_H

#include "base/base.h"

/* A few hundred bytes of text are looked at. NULL: not sure. Else the code of one of the
 * languages of stopwords_data.h. Static text. From any thread. */
const char *dpl__lang_of_words(dpl_str text);

#endif
