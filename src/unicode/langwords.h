/*
 * langwords.h - the language of a text by its function words, where they leave no doubt.
 */
#ifndef DPL_UNICODE_LANGWORDS_H
#define DPL_UNICODE_LANGWORDS_H

#include "base/base.h"

/* A few hundred bytes of text are looked at. NULL: not sure. Else the code of one of the
 * languages of stopwords_data.h. Static text. From any thread. */
const char *dpl__lang_of_words(dpl_str text);

/* Whether the function words of a sentence say that it is in another language than expected, a
 * code. False where that language has no list, and where there are too few of them. From any
 * thread. */
bool dpl__lang_is_other(dpl_str text, dpl_str expected);

#endif
