/*
 * dictionary_tei.c - entries of FreeDict's dictionaries in TEI.
 *
 *     <entry><form><orth>Haus</orth></form>
 *     <sense><cit type="trans"><quote>house</quote></cit></sense></entry>
 *
 * Old ones have <trans><tr>house</tr></trans>. Examples, which are quotations too, are not
 * read.
 */
#include "lexicon/dictionary_xml.h"

static bool looks_like(dpl_str line)
{
    return dpl__find_text(line, "<TEI") != NULL;
}

typedef struct entry_state {
    dpl__wordings *to;
    uint32_t sense;
    unsigned n_cits, example; /* open ones; the depth of an example, 0: in none */
} entry_state;

static bool is_named(const dpl__xml_piece *piece, const char *name)
{
    return dpl__str_eq(piece->name, dpl__cstr(name));
}

static void start_element(dpl__article *a, entry_state *s, const dpl__xml_piece *piece)
{
    bool is_empty =
        piece->attributes.n && piece->attributes.data[piece->attributes.n - 1] == '/';
    if (is_empty)
        return;
    if (is_named(piece, "cit")) {
        s->n_cits++;
        dpl_str type = dpl__xml_value(piece->attributes, "type");
        if (!s->example && dpl__str_eq(type, DPL_STR("example")))
            s->example = s->n_cits;
    }
    s->sense += is_named(piece, "sense");
    if (is_named(piece, "orth"))
        s->to = &a->heads;
    else if ((is_named(piece, "quote") && s->n_cits && !s->example) || is_named(piece, "tr"))
        s->to = &a->translations;
}

static void end_element(entry_state *s, const dpl__xml_piece *piece)
{
    if (is_named(piece, "cit") && s->n_cits) {
        if (s->example == s->n_cits)
            s->example = 0;
        s->n_cits--;
    }
    if (is_named(piece, "orth") || is_named(piece, "quote") || is_named(piece, "tr"))
        s->to = NULL;
}

static dpl_status read_entry(dpl__dictionary_text *d, dpl_str entry, dpl_error *err)
{
    dpl__article *a = &d->article;
    entry_state s = {0};
    dpl__xml_piece piece;
    dpl__article_reset(a);
    while (dpl__xml_next(&entry, &piece)) {
        if (piece.kind == DPL__XML_START) {
            start_element(a, &s, &piece);
        } else if (piece.kind == DPL__XML_END) {
            end_element(&s, &piece);
        } else if (s.to) {
            d->last.n = 0;
            DPL_TRY(dpl__need(dpl__xml_decode(&d->last, d->ctx, piece.text) &&
                                  dpl__dictionary_wordings(d, s.to,
                                                           (dpl_str){d->last.data, d->last.n},
                                                           ",;", s.sense ? s.sense : 1),
                              err));
        }
    }
    if (a->heads.n == 0)
        return dpl__bad_line(dpl__dictionary_place(d), err, "an entry without orth");
    return dpl__translations_add_article(d->g, a, err);
}

static dpl_status read_line(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    return dpl__read_entries(d, line, read_entry, err);
}

const dpl__dictionary_format dpl__dictionary_tei = {
    .info = {"tei", "dictionary of FreeDict in TEI, XML"},
    .looks_like = looks_like,
    .read = read_line,
    .is_xml = true};
