#include "text/reader.h"
const dpl__format_ops dpl__format_jsonl = {.format = DPL_FORMAT_JSONL};
