/*
 * formats.c - the formats of documents, one row each; README.md says how to add one.
 */
#include "doppel/text.h"

#include "readers/reader.h"

extern const dpl__format dpl__format_jsonl, dpl__format_wiki, dpl__format_tsv,
    dpl__format_docenc, dpl__format_csv, dpl__format_json, dpl__format_warc, dpl__format_zim;

const dpl__format *const dpl__formats[] = {&dpl__format_jsonl,  &dpl__format_wiki,
                                           &dpl__format_dir,    &dpl__format_tsv,
                                           &dpl__format_docenc, &dpl__format_csv,
                                           &dpl__format_json,   &dpl__format_warc,
                                           &dpl__format_zim,    NULL};

const dpl__format *dpl__format_of(dpl_format format)
{
    size_t i = 0;
    while (dpl__formats[i] && dpl__formats[i]->format != format)
        i++;
    return dpl__formats[i];
}

const char *dpl__format_name(dpl_format format)
{
    const dpl__format *f = dpl__format_of(format);
    return f ? f->name : format == DPL_FORMAT_AUTO ? "auto" : NULL;
}
