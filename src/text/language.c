#include "base/base.h"
#include "doppel/text.h"
dpl_lang dpl_lang_identify(dpl_str text) { (void)text; return (dpl_lang){.code = "und"}; }
dpl_lang dpl_lang_canonical(dpl_str name)
{
    dpl_lang l = {.confidence = 1};
    memcpy(l.code, name.data, dpl__min(name.n, 2));
    return l;
}
