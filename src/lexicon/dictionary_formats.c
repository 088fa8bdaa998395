/*
 * dictionary_formats.c - the table of formats of dictionaries, and what their readers share.
 */
#include "lexicon/dictionary_format.h"

/* In the order of dpl_dictionary_format. */
static const dpl__dictionary_format formats[] = {
    {.info = {"auto", "detected from the name and the first bytes"}},
    {.info = {"lexicon", "a lexicon made earlier (.dpl)"}},
    {.info = {"tsv", "text: source, tab, target, and optionally tab and probability; GATITOS"},
     .looks_like = dpl__is_tsv,
     .read = dpl__read_tsv_pair},
    {.info = {"moses",
              "lexical table of Moses: target, source and probability, separated by blanks"},
     .looks_like = dpl__is_moses,
     .read = dpl__read_moses,
     .is_table = true},
    {.info = {"dictd", "dictionary of dictd and FreeDict: NAME.index with NAME.dict or "
                       "NAME.dict.dz beside it; any of the three names"}},
    {.info = {"ding",
              "dictionary of Ding and trans-de-en: words :: words, with bars between forms"},
     .looks_like = dpl__is_ding,
     .read = dpl__read_ding},
    {.info = {"muse", "word list of MUSE: source, blank, target"},
     .looks_like = dpl__is_muse,
     .read = dpl__read_muse},
    {.info = {"wiktionary",
              "extract of Wiktionary, text with tabs: a first line that names columns "
              "(word, translation, lang), or language, word, language, word"},
     .looks_like = dpl__is_wiktionary,
     .read = dpl__read_wiktionary},
    {.info = {"omw", "Open Multilingual WordNet, tab files: give one of each language"},
     .looks_like = dpl__is_omw,
     .read = dpl__read_omw},
    {.info = {"apertium", "bilingual dictionary of Apertium, as lt-expand prints it"},
     .looks_like = dpl__is_apertium,
     .read = dpl__read_apertium},
    {.info = {"cedict", "CC-CEDICT: traditional simplified [pinyin] /gloss/gloss/"},
     .looks_like = dpl__is_cedict,
     .read = dpl__read_cedict,
     .source_lang = "zh",
     .usual_target = "en"},
    {.info = {"jmdict", "JMdict, XML: Japanese with glosses in English and other languages"},
     .looks_like = dpl__is_jmdict,
     .read = dpl__read_jmdict,
     .is_xml = true,
     .source_lang = "ja",
     .usual_target = "en"},
    {.info = {"tei", "dictionary of FreeDict in TEI, XML"},
     .looks_like = dpl__is_tei,
     .read = dpl__read_tei,
     .is_xml = true},
    {.info = {"edict", "EDICT and EDICT2: Japanese [reading] /gloss/gloss/, UTF-8 or EUC-JP"},
     .looks_like = dpl__is_edict,
     .read = dpl__read_edict,
     .source_lang = "ja",
     .usual_target = "en",
     .charset = "EUC-JP"},
};

const dpl__dictionary_format *dpl__dictionary_format_of(dpl_dictionary_format format)
{
    return (unsigned)format < DPL_LEN(formats) ? &formats[format] : NULL;
}

const dpl_dictionary_format_info *dpl_dictionary_format_get_info(dpl_dictionary_format format)
{
    const dpl__dictionary_format *f = dpl__dictionary_format_of(format);
    return f ? &f->info : NULL;
}

/* From the narrowest to the widest: any two words between blanks may be MUSE's. */
dpl_dictionary_format dpl__dictionary_detect(dpl_str line)
{
    static const dpl_dictionary_format order[] = {
        DPL_DICTIONARY_OMW,    DPL_DICTIONARY_WIKTIONARY, DPL_DICTIONARY_TSV,
        DPL_DICTIONARY_JMDICT, DPL_DICTIONARY_TEI,        DPL_DICTIONARY_EDICT,
        DPL_DICTIONARY_CEDICT, DPL_DICTIONARY_DING,       DPL_DICTIONARY_APERTIUM,
        DPL_DICTIONARY_MOSES,  DPL_DICTIONARY_MUSE};
    for (size_t i = 0; i < DPL_LEN(order); i++)
        if (formats[order[i]].looks_like(line))
            return order[i];
    return DPL_DICTIONARY_AUTO;
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
