#ifndef DPL_SRC_ABBREVIATIONS_H
#define DPL_SRC_ABBREVIATIONS_H
#include "base/base.h"
bool dpl__is_abbreviation(const char *lang, dpl_str word);
#endif
