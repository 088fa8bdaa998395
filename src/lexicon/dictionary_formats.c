/*
 * dictionary_formats.c - the table of formats of dictionaries, and what their readers share.
 */
#include "lexicon/dictionary_format.h"

#define F(name) dpl__dictionary_##name
extern const dpl__dictionary_format F(tsv), F(moses), F(ding), F(muse), F(wiktionary), F(omw),
    F(apertium), F(cedict), F(jmdict), F(tei), F(edict);

/* Read by others. */
static const dpl__dictionary_format any = {
    .info = {"auto", "detected from the name and the first bytes"}};
static const dpl__dictionary_format lexicon = {
    .info = {"lexicon", "a lexicon made earlier (.dpl)"}};
static const dpl__dictionary_format dictd = {
    .info = {"dictd", "dictionary of dictd and FreeDict: NAME.index with NAME.dict or "
                      "NAME.dict.dz beside it; any of the three names"}};

/* In the order of dpl_dictionary_format. */
static const dpl__dictionary_format *const formats[] = {
    &any,           &lexicon, &F(tsv),      &F(moses),  &dictd,     &F(ding), &F(muse),
    &F(wiktionary), &F(omw),  &F(apertium), &F(cedict), &F(jmdict), &F(tei),  &F(edict)};

const dpl__dictionary_format *dpl__dictionary_format_of(dpl_dictionary_format format)
{
    return (unsigned)format < DPL_LEN(formats) ? formats[format] : NULL;
}

const dpl_dictionary_format_info *dpl_dictionary_format_get_info(dpl_dictionary_format format)
{
    const dpl__dictionary_format *f = dpl__dictionary_format_of(format);
    return f ? &f->info : NULL;
}

/* Narrow formats first: any two words between blanks may be MUSE's. */
dpl_dictionary_format dpl__dictionary_detect(dpl_str line, bool is_xml)
{
    static const dpl__dictionary_format *const order[] = {
        &F(omw),    &F(wiktionary), &F(tsv),      &F(jmdict), &F(tei), &F(edict),
        &F(cedict), &F(ding),       &F(apertium), &F(moses),  &F(muse)};
    size_t i = 0, k = 0;
    while (i < DPL_LEN(order) && ((is_xml && !order[i]->is_xml) || !order[i]->looks_like(line)))
        i++;
    if (i == DPL_LEN(order))
        return DPL_DICTIONARY_AUTO;
    while (formats[k] != order[i])
        k++;
    return (dpl_dictionary_format)k;
}

/* ---- for readers -------------------------------------------------------------------- */

dpl__line_place dpl__dictionary_place(dpl__dictionary_text *d)
{
    return (dpl__line_place){.name = dpl__input_name(d->lines.in),
                             .line = d->lines.number,
                             .n_skipped = d->skips ? &d->g->n_skipped : NULL,
                             .first = &d->g->first_skipped};
}

const char *dpl__find_text(dpl_str text, const char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i + n <= text.n; i++)
        if (memcmp(text.data + i, s, n) == 0)
            return text.data + i;
    return NULL;
}

dpl_str dpl__cut_text(dpl_str *rest, const char *mark)
{
    const char *at = dpl__find_text(*rest, mark);
    dpl_str piece = {rest->data, at ? (size_t)(at - rest->data) : rest->n};
    size_t n = piece.n + (at ? strlen(mark) : 0);
    *rest = (dpl_str){n ? rest->data + n : rest->data, rest->n - n};
    return piece;
}

size_t dpl__split_blanks(dpl_str line, dpl_str *fields, size_t n)
{
    size_t found = 0;
    for (size_t at = 0; at < line.n;) {
        size_t begin = at;
        while (at < line.n && line.data[at] != ' ' && line.data[at] != '\t')
            at++;
        if (at > begin && found++ < n)
            fields[found - 1] = (dpl_str){line.data + begin, at - begin};
        at++;
    }
    return found;
}

size_t dpl__split_tabs(dpl_str line, dpl_str *fields, size_t n)
{
    size_t found = 0;
    for (size_t at = 0; at <= line.n; found++) {
        size_t begin = at;
        while (at < line.n && line.data[at] != '\t')
            at++;
        if (found < n)
            fields[found] = (dpl_str){line.n ? line.data + begin : NULL, at - begin};
        at++;
    }
    return found;
}

bool dpl__dictionary_wordings(dpl__dictionary_text *d, dpl__wordings *to, dpl_str text,
                              const char *separators, uint32_t sense)
{
    size_t n = to->n, n_before = 0;
    while (n_before < n && to->data[n - n_before - 1].sense == sense)
        n_before++;
    if (!dpl__article_line(&d->article, d->ctx, to, text, separators, sense))
        return false;
    for (; n < to->n; n++)
        to->data[n].place += (uint32_t)n_before;
    return true;
}

dpl_status dpl__dictionary_add(dpl__dictionary_text *d, dpl_str head, dpl_str translation,
                               const char *separators, dpl_error *err)
{
    dpl__article *a = &d->article;
    dpl__article_reset(a);
    DPL_TRY(dpl__need(
        dpl__article_line(a, d->ctx, &a->heads, head, separators, 1) &&
            dpl__article_line(a, d->ctx, &a->translations, translation, separators, 1),
        err));
    return dpl__translations_add_article(d->g, a, err);
}
