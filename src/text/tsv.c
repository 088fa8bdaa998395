#include "text/reader.h"
const dpl__format_ops dpl__format_tsv = {.format = DPL_FORMAT_TSV};
const dpl__format_ops dpl__format_docenc = {.format = DPL_FORMAT_DOCENC};
