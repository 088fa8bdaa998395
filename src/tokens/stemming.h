#ifndef DPL_SRC_STEMMING_H
#define DPL_SRC_STEMMING_H
#include "base/base.h"
typedef struct dpl__stemmer dpl__stemmer;
dpl_status dpl__stemmer_new(dpl__stemmer **out, dpl_ctx *ctx, const char *lang, dpl_error *err);
void dpl__stemmer_free(dpl__stemmer *s);
dpl_str dpl__stem(dpl__stemmer *s, dpl_str word);
#endif
