/*
 * dictionary_omw.c - tab files of the Open Multilingual WordNet.
 *
 *     # Name <TAB> fra <TAB> address <TAB> licence
 *     00001740-n <TAB> fra:lemma <TAB> entité
 *     00001740-n <TAB> lemma <TAB> entité          the language as the first line says
 *
 * A file has the words of one language by meaning (synset); two files make translations
 * (synsets.c). Definitions and examples, of other types than "lemma", are not read.
 */
#include "lexicon/dictionary_format.h"

#include "base/ascii.h"
#include "unicode/unicode.h"

static bool is_synset(dpl_str s)
{
    bool is_good = s.n == 10 && s.data[8] == '-' && strchr("nvarsx", s.data[9]) && s.data[9];
    for (size_t i = 0; is_good && i < 8; i++)
        is_good = dpl__is_digit(s.data[i]);
    return is_good;
}

/* "# Name <TAB> fra <TAB> ...". */
static bool is_header(dpl_str line, dpl_str fields[3])
{
    return line.n && line.data[0] == '#' && dpl__split_tabs(line, fields, 3) >= 3 &&
           (fields[1].n == 2 || fields[1].n == 3);
}

static bool looks_like(dpl_str line)
{
    dpl_str fields[3];
    return is_header(line, fields) ||
           (dpl__split_tabs(line, fields, 3) >= 3 && is_synset(fields[0]));
}

static void set_language(char out[12], dpl_str name)
{
    dpl_lang lang = dpl_lang_canonical(name);
    if (strcmp(lang.code, "und") != 0)
        memcpy(out, lang.code, sizeof lang.code);
}

static void take_language(char out[12], dpl_str line)
{
    dpl_str fields[3];
    if (is_header(line, fields))
        set_language(out, fields[1]);
    else if (dpl__split_tabs(line, fields, 3) >= 3 && dpl__find_text(fields[1], ":"))
        set_language(out, dpl__cut_text(&fields[1], ":"));
}

/* A file has one language, which counts as the source. */
static void find_languages(char langs[2][12], dpl_str line)
{
    take_language(langs[0], line);
}

static dpl_status read_line(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    dpl_str fields[3];
    take_language(d->lang, line);
    if (line.data[0] == '#')
        return DPL_END;
    size_t n = dpl__split_tabs(line, fields, 3);
    dpl_str type = n < 3 ? (dpl_str){0} : fields[1];
    if (n < 3 || !is_synset(fields[0]) || dpl__trim(fields[2]).n == 0)
        return dpl__bad_line(dpl__dictionary_place(d), err, "not 'synset<TAB>lemma<TAB>word'");
    if (dpl__find_text(type, ":"))
        dpl__cut_text(&type, ":");
    if (!dpl__str_eq(type, DPL_STR("lemma")))
        return DPL_OK;
    int side = !*d->lang                             ? -1
               : strcmp(d->lang, d->g->lang[0]) == 0 ? DPL__LEFT
               : strcmp(d->lang, d->g->lang[1]) == 0 ? DPL__RIGHT
                                                     : -1;
    if (side < 0)
        return dpl__bad_line(dpl__dictionary_place(d), err,
                             "words in '%s', neither of the two languages", d->lang);
    d->entry.n = 0;
    DPL_TRY(dpl__need(dpl__vec_append(d->ctx, &d->entry, fields[2].data, fields[2].n), err));
    for (size_t i = 0; i < d->entry.n; i++) /* blanks inside of words */
        if (d->entry.data[i] == '_')
            d->entry.data[i] = ' ';
    return dpl__synsets_add(d->synsets, d->ctx, fields[0], side,
                            dpl__trim((dpl_str){d->entry.data, d->entry.n}), err);
}

const dpl__dictionary_format dpl__dictionary_omw = {
    .info = {"omw", "Open Multilingual WordNet, tab files: give one of each language"},
    .looks_like = looks_like,
    .find_languages = find_languages,
    .read = read_line};
