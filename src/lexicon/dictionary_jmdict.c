/*
 * dictionary_jmdict.c - entries of JMdict.
 *
 *     <entry><k_ele><keb>猫</keb></k_ele><r_ele><reb>ねこ</reb></r_ele>
 *     <sense><gloss>cat</gloss><gloss xml:lang="ger">Katze</gloss></sense></entry>
 *
 * Spellings and readings are headwords, glosses of the wanted language translations; without
 * a language they are English.
 */
#include "lexicon/dictionary_xml.h"

static bool looks_like(dpl_str line)
{
    return dpl__find_text(line, "<JMdict") != NULL;
}

static bool is_wanted(const dpl__dictionary_text *d, dpl_str attributes)
{
    dpl_str lang = dpl__xml_value(attributes, "xml:lang");
    const char *target = *d->g->lang[DPL__RIGHT] ? d->g->lang[DPL__RIGHT] : "en";
    return strcmp(lang.n ? dpl_lang_canonical(lang).code : "en", target) == 0;
}

static dpl_status read_entry(dpl__dictionary_text *d, dpl_str entry, dpl_error *err)
{
    dpl__article *a = &d->article;
    dpl__xml_piece piece;
    dpl__wordings *to = NULL;
    uint32_t sense = 0;
    dpl__article_reset(a);
    while (dpl__xml_next(&entry, &piece)) {
        if (piece.kind == DPL__XML_START) {
            sense += dpl__str_eq(piece.name, DPL_STR("sense"));
            to = dpl__str_eq(piece.name, DPL_STR("keb")) ||
                         dpl__str_eq(piece.name, DPL_STR("reb"))
                     ? &a->heads
                 : dpl__str_eq(piece.name, DPL_STR("gloss")) && is_wanted(d, piece.attributes)
                     ? &a->translations
                     : NULL;
        } else if (piece.kind == DPL__XML_END) {
            to = NULL;
        } else if (to) {
            d->last.n = 0;
            DPL_TRY(dpl__need(dpl__xml_decode(&d->last, d->ctx, piece.text) &&
                                  dpl__dictionary_wordings(d, to,
                                                           (dpl_str){d->last.data, d->last.n},
                                                           ";", sense ? sense : 1),
                              err));
        }
    }
    if (a->heads.n == 0)
        return dpl__bad_line(dpl__dictionary_place(d), err, "an entry without keb and reb");
    return dpl__translations_add_article(d->g, a, err);
}

static dpl_status read_line(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    return dpl__read_entries(d, line, read_entry, err);
}

const dpl__dictionary_format dpl__dictionary_jmdict = {
    .info = {"jmdict", "JMdict, XML: Japanese with glosses in English and other languages"},
    .looks_like = looks_like,
    .read = read_line,
    .is_xml = true,
    .source_lang = "ja",
    .usual_target = "en"};
