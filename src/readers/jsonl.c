/*
 * jsonl.c - JSON Lines: one object per line becomes one document (json_record.c). Blank lines
 * are nothing.
 */
#include "readers/json_record.h"

static dpl_status parse(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err)
{
    dpl__json_records records = dpl__json_records_begin(batch, chunk);
    dpl_status status = dpl__each_line(batch, chunk, &records, dpl__json_record, err);
    dpl__json_records_end(&records);
    return status;
}

/* A file of nothing has no documents in any format. */
static bool sniff(dpl_str start)
{
    size_t n_space = 0;
    while (n_space < start.n && strchr(" \t\r\n", start.data[n_space]))
        n_space++;
    if (n_space == start.n)
        return true;
    const bool is_rtf = n_space + 1 < start.n && start.data[n_space + 1] == '\\';
    return start.data[n_space] == '{' && !is_rtf && !dpl__json_is_spread(start);
}

const dpl__format dpl__format_jsonl = {.format = DPL_FORMAT_JSONL,
                                       .name = "jsonl",
                                       .endings =
                                           (const char *const[]){".jsonl", ".ndjson", NULL},
                                       .sniff = sniff,
                                       .check = dpl__json_check,
                                       .cut = dpl__cut_lines,
                                       .parse = parse};
