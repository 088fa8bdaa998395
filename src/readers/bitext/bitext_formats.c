/*
 * bitext_formats.c - the formats of parallel text, one row each, and which one a file has.
 *
 * The most specific formats come first: XML and catalogues are detected by their syntax, a tab
 * in the first line means columns, everything else is a line per row.
 */
#include "io/codec.h"

#include "base/ascii.h"
#include "readers/bitext/bitext.h"
#include "readers/bitext/gettext.h"
#include "readers/bitext/xliff.h"

/* ---- by the first bytes ------------------------------------------------------------- */

static dpl_str without_blanks(dpl_str s)
{
    while (s.n && strchr(" \t\r\n", s.data[0]) && s.data[0])
        s = (dpl_str){s.data + 1, s.n - 1};
    return s;
}

static dpl_str without_line(dpl_str s)
{
    const char *end = s.n ? memchr(s.data, '\n', s.n) : NULL;
    size_t n = end ? (size_t)(end - s.data) + 1 : s.n;
    return (dpl_str){s.data + n, s.n - n};
}

/* Comments, then the keyword that opens an entry. */
static bool is_po(dpl_str s)
{
    for (s = without_blanks(s); dpl__begins_with(s, "#"); s = without_blanks(s))
        s = without_line(s);
    return dpl__begins_with(s, "msgid \"") || dpl__begins_with(s, "msgctxt \"") ||
           dpl__begins_with(s, "msgid\t\"") || dpl__begins_with(s, "domain \"");
}

static bool has_tab(dpl_str s)
{
    size_t n = s.n - without_line(s).n;
    return n && memchr(s.data, '\t', n);
}

bool dpl__is_catalogue(dpl_str start)
{
    return dpl__is_mo(start) || is_po(without_blanks(start));
}

static bool is_tmx(dpl_str start)
{
    dpl_str text = without_blanks(start);
    return dpl__begins_with(text, "<?xml") || dpl__begins_with(text, "<tmx") ||
           dpl__begins_with(text, "<!DOCTYPE tmx");
}

/* ---- the rows ----------------------------------------------------------------------- */

static const dpl__bitext_format tmx = {.format = DPL_BITEXT_TMX,
                                       .name = "tmx",
                                       .endings = (const char *const[]){".tmx", NULL},
                                       .sniff = is_tmx,
                                       .ops = &dpl__bitext_tmx};

static const dpl__bitext_format xliff = {
    .format = DPL_BITEXT_XLIFF,
    .name = "xliff",
    .endings =
        (const char *const[]){".xliff", ".xlf", ".mxliff", ".sdlxliff", ".mqxliff", NULL},
    .sniff = dpl__is_xliff,
    .ops = &dpl__bitext_xliff};

static const dpl__bitext_ops *choose_gettext(const dpl_bitext_options *o)
{
    return dpl__gettext_is_joined(o) ? &dpl__bitext_gettext_joined : &dpl__bitext_gettext;
}

static const dpl__bitext_format gettext = {
    .format = DPL_BITEXT_GETTEXT,
    .name = "gettext",
    .endings = (const char *const[]){".mo", ".gmo", ".po", ".pot", NULL},
    .sniff = dpl__is_catalogue,
    .choose = choose_gettext};

static const dpl__bitext_format tsv = {.format = DPL_BITEXT_TSV,
                                       .name = "tsv",
                                       .endings = (const char *const[]){".tsv", NULL},
                                       .sniff = has_tab,
                                       .ops = &dpl__bitext_tsv};

static const dpl__bitext_format keyed = {
    .format = DPL_BITEXT_KEYED, .name = "keyed", .ops = &dpl__bitext_keyed};

static const dpl__bitext_format moses = {
    .format = DPL_BITEXT_MOSES, .name = "moses", .ops = &dpl__bitext_moses};

const dpl__bitext_format *const dpl__bitext_formats[] = {&xliff, &tmx,   &gettext, &tsv,
                                                         &keyed, &moses, NULL};

/* ---- finding them ------------------------------------------------------------------- */

const dpl__bitext_format *dpl__bitext_format_find(dpl_bitext_format format)
{
    size_t i = 0;
    while (dpl__bitext_formats[i] && dpl__bitext_formats[i]->format != format)
        i++;
    return dpl__bitext_formats[i];
}

static bool has_ending(const dpl__bitext_format *f, dpl_str name)
{
    for (const char *const *at = f->endings; at && *at; at++)
        if (dpl__has_ending(name, *at))
            return true;
    return false;
}

const dpl__bitext_format *dpl__bitext_format_detect(const char *path, dpl_str start)
{
    dpl_str name = dpl__unpacked_name(dpl__cstr(path));
    for (size_t i = 0; dpl__bitext_formats[i]; i++) {
        const dpl__bitext_format *f = dpl__bitext_formats[i];
        if (has_ending(f, name) || (f->sniff && f->sniff(start)))
            return f;
    }
    return &moses;
}

const dpl__bitext_ops *dpl__bitext_format_ops(const dpl__bitext_format *format,
                                              const dpl_bitext_options *options)
{
    return format->choose ? format->choose(options) : format->ops;
}

const char *dpl__bitext_format_name(dpl_bitext_format format)
{
    const dpl__bitext_format *f = dpl__bitext_format_find(format);
    return f ? f->name : format == DPL_BITEXT_AUTO ? "auto" : NULL;
}
