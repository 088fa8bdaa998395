#include "tokens/stemming.h"
#include "tokens/stopwords.h"
dpl_status dpl__stemmer_new(dpl__stemmer **out, dpl_ctx *ctx, const char *lang, dpl_error *err)
{
    (void)ctx;
    (void)lang;
    (void)err;
    *out = NULL;
    return DPL_OK;
}
void dpl__stemmer_free(dpl__stemmer *s)
{
    (void)s;
}
dpl_str dpl__stem(dpl__stemmer *s, dpl_str word)
{
    (void)s;
    return word;
}
bool dpl__stop_has(const char *lang, dpl_str word)
{
    (void)lang;
    (void)word;
    return false;
}
