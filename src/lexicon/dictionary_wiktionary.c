/*
 * dictionary_wiktionary.c - extracts of Wiktionary as text with tabs.
 *
 *     word <TAB> pos <TAB> lang <TAB> translation     a first line that names columns
 *     de <TAB> Haus <TAB> en <TAB> house <TAB> ...     or languages before words
 *
 * With a column of languages, lines of other languages than the wanted one are left out.
 */
#include "lexicon/dictionary_format.h"

#include "unicode/unicode.h"

enum { MOST = 32, WORD = 0, TRANSLATION = 1, LANG = 2 };

static bool is_named(dpl_str field, const char *const *names)
{
    for (; *names; names++)
        if (field.n == strlen(*names) && memcmp(field.data, *names, field.n) == 0)
            return true;
    return false;
}

/* Columns by their names, from 1; all 0 and false when one is missing. */
static bool find_columns(dpl_str line, int columns[3])
{
    static const char *const words[] = {"word", "headword", "lemma", "term", "source", NULL},
                             *const translations[] = {"translation", "translations", "target",
                                                      "gloss", NULL},
                             *const langs[] = {"lang",     "lang_code",   "code",
                                               "language", "target_lang", NULL};
    const char *const *const names[3] = {words, translations, langs};
    dpl_str fields[MOST];
    size_t n = dpl__min(dpl__split_tabs(line, fields, MOST), MOST);
    memset(columns, 0, 3 * sizeof *columns);
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < n && !columns[c]; i++)
            columns[c] = is_named(fields[i], names[c]) ? (int)i + 1 : 0;
    if (!columns[WORD] || !columns[TRANSLATION])
        memset(columns, 0, 3 * sizeof *columns);
    return columns[WORD] != 0;
}

static bool is_language(dpl_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.data[i] < 'a' || s.data[i] > 'z')
            return false;
    return (s.n == 2 || s.n == 3) && strcmp(dpl_lang_canonical(s).code, "und") != 0;
}

static bool has_languages(dpl_str line, dpl_str fields[4])
{
    return dpl__split_tabs(line, fields, 4) >= 4 && is_language(fields[0]) &&
           is_language(fields[2]) && fields[1].n && fields[3].n;
}

static bool looks_like(dpl_str line)
{
    dpl_str fields[4];
    int columns[3];
    return has_languages(line, fields) || find_columns(line, columns);
}

static void find_languages(char langs[2][12], dpl_str line)
{
    dpl_str fields[4];
    const bool has_both = dpl__split_tabs(line, fields, 4) >= 4;
    for (int side = 0; has_both && side < 2; side++) {
        dpl_lang lang = dpl_lang_canonical(fields[2 * side]);
        if (strcmp(lang.code, "und") != 0 && lang.confidence == 1)
            memcpy(langs[side], lang.code, sizeof lang.code);
    }
}

static bool is_lang(dpl_str name, const char *lang)
{
    return !*lang || strcmp(dpl_lang_canonical(name).code, lang) == 0;
}

static dpl_status read_columns(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    dpl_str fields[MOST];
    size_t n = dpl__min(dpl__split_tabs(line, fields, MOST), MOST);
    for (int c = 0; c < 3; c++)
        if ((size_t)d->columns[c] > n)
            return dpl__bad_line(dpl__dictionary_place(d), err, "%zu columns", n);
    dpl_str word = fields[d->columns[WORD] - 1], to = fields[d->columns[TRANSLATION] - 1];
    if (d->columns[LANG] && !is_lang(fields[d->columns[LANG] - 1], d->g->lang[DPL__RIGHT])) {
        d->g->n_read++;
        return DPL_OK;
    }
    if (dpl__trim(word).n == 0 || dpl__trim(to).n == 0)
        return dpl__bad_line(dpl__dictionary_place(d), err, "an empty word");
    return dpl__dictionary_add(d, word, to, ",;", err);
}

static dpl_status read_line(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    dpl_str f[4];
    if (d->columns[WORD])
        return read_columns(d, line, err);
    if (!has_languages(line, f))
        return find_columns(line, d->columns)
                   ? DPL_OK
                   : dpl__bad_line(dpl__dictionary_place(d), err,
                                   "not 'language<TAB>word<TAB>language<TAB>word'");
    const char *left = d->g->lang[DPL__LEFT], *right = d->g->lang[DPL__RIGHT];
    if (is_lang(f[0], left) && is_lang(f[2], right))
        return dpl__dictionary_add(d, f[1], f[3], ";", err);
    if (is_lang(f[2], left) && is_lang(f[0], right))
        return dpl__dictionary_add(d, f[3], f[1], ";", err);
    d->g->n_read++;
    return DPL_OK;
}

const dpl__dictionary_format dpl__dictionary_wiktionary = {
    .info = {"wiktionary",
             "extract of Wiktionary, text with tabs: a first line that names columns "
             "(word, translation, lang), or language, word, language, word"},
    .looks_like = looks_like,
    .find_languages = find_languages,
    .read = read_line};
