#ifndef DPL_SRC_STOPWORDS_H
#define DPL_SRC_STOPWORDS_H
#include "base/base.h"
bool dpl__stop_has(const char *lang, dpl_str word);
#endif
