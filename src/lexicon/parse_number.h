/*
 * parse_number.h - numbers in text, independent of the locale.
 */
#ifndef DPL_LEXICON_PARSE_NUMBER_H
#define DPL_LEXICON_PARSE_NUMBER_H

#include "base/base.h"

/* "0.25", "1", ".5", "2.5e-05"; false when s is anything else. */
bool dpl__parse_number(double *out, dpl_str s);

#endif
