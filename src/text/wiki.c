#include "text/chunks.h"
void dpl__wiki_header(dpl_lang *lang, dpl_str start) { (void)lang; (void)start; }
const dpl__format_ops dpl__format_wiki = {.format = DPL_FORMAT_WIKI};
