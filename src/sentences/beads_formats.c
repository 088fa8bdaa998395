/*
 * beads_formats.c - the table of formats. A new one is a file beads_NAME.c, a row here, and an
 * enumerator in doppel/sentences.h.
 */
#include "sentences/beads_writer.h"

extern const dpl__beads_format dpl__beads_tsv, dpl__beads_jsonl, dpl__beads_moses,
    dpl__beads_tmx, dpl__beads_xliff, dpl__beads_ladder, dpl__beads_vecalign, dpl__beads_html,
    dpl__beads_epub;

/* In the order of dpl_beads_format. */
static const dpl__beads_format *const formats[] = {
    &dpl__beads_tsv,   &dpl__beads_jsonl,  &dpl__beads_moses,
    &dpl__beads_tmx,   &dpl__beads_ladder, &dpl__beads_vecalign,
    &dpl__beads_xliff, &dpl__beads_html,   &dpl__beads_epub,
};

const dpl__beads_format *dpl__beads_format_of(dpl_beads_format format)
{
    return (unsigned)format < DPL_LEN(formats) ? formats[format] : NULL;
}

const dpl_beads_format_info *dpl_beads_format_info_of(dpl_beads_format format)
{
    const dpl__beads_format *f = dpl__beads_format_of(format);
    return f ? &f->info : NULL;
}

const char *dpl__beads_format_name(unsigned format)
{
    return format < DPL_LEN(formats) ? formats[format]->info.name : NULL;
}
