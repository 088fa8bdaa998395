#include "tokens/abbreviations.h"
bool dpl__is_abbreviation(const char *lang, dpl_str word)
{
    (void)lang;
    return dpl__str_eq(word, DPL_STR("dr"));
}
