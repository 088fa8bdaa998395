/*
 * spelling.c - the terms of a collection as pieces of their spelling.
 *
 * What two languages share before anything is known about them is names, numbers, loans and
 * cognates, and these are spelt alike rather than the same. So a term stands for the n-grams of
 * its letters, in Latin script, without marks, with a sign for its borders: "käse" becomes
 * "_kas", "kase", "ase_", and "_kase_" as a whole. What has a digit in it is not cut: years and
 * versions that share some digits have nothing in common.
 *
 * Cost: ICU's transliteration for terms in other scripts, some microseconds each, unless there
 * are just a few of them among Latin ones; the rest is linear in the letters.
 */
#include "vectors/project.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "tokens/terms.h"

#include <unicode/ustring.h>
#include <unicode/utrans.h>

enum {
    MOST_UNITS = 1024, /* letters of a term in UTF-16, and room to grow: "щ" becomes "shch" */
    FOREIGN = 50, /* other scripts stay as they are, if so many times more terms are Latin */
};

typedef struct speller {
    dpl_ctx *ctx;
    unsigned n;             /* letters of a piece */
    UTransliterator *latin; /* NULL when it is not needed */
    dpl__bytes letters;     /* "_kase_" */
    dpl__terms pieces;
    DPL_VEC(dpl__cell) cells;
} speller;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || is_digit(c);
}

/* ---- one term ----------------------------------------------------------------------- */

static bool is_ascii(dpl_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.data[i] >= 0x80)
            return false;
    return true;
}

/* Letters of most languages in Latin script, U+00C0 to U+017F, as ICU writes them: two places
 * each, both blank for what is no letter. */
static const char plain[] = "a a a a a a aec e e e e i i i i d n o o o o o   o u u u u y thss"
                            "a a a a a a aec e e e e i i i i d n o o o o o   o u u u u y thy "
                            "a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g "
                            "g g g g h h h h i i i i i i i i i i ijijj j k k q l l l l l l l "
                            "l l l n n n n n n   n n o o o o o o oeoer r r r r r s s s s s s "
                            "s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s ";

/* The term without marks, if it has no other letters than those: ICU takes a hundred times
 * longer. */
static bool to_plain(dpl_str term, char *out, size_t n_out, int32_t *n)
{
    size_t at = 0;
    for (size_t i = 0; i < term.n && at + 2 < n_out; i++) {
        unsigned lead = (unsigned char)term.data[i];
        if (lead < 0x80) {
            out[at++] = term.data[i];
            continue;
        }
        if (lead == 0xE2 && i + 2 < term.n && term.data[i + 1] == '\x80') {
            i += 2; /* apostrophes, dashes: U+2000 to U+203F */
            continue;
        }
        if (lead < 0xC3 || lead > 0xC5 || i + 1 == term.n)
            return false;
        unsigned trail = (unsigned char)term.data[++i] & 0x3F;
        const char *letters = &plain[2 * ((lead - 0xC3) << 6 | trail)];
        if (letters[0] == ' ')
            return false;
        out[at++] = letters[0];
        if (letters[1] != ' ')
            out[at++] = letters[1];
    }
    *n = (int32_t)at;
    return term.n + 2 < n_out;
}

/* False when it cannot be written in Latin script. */
static bool to_latin(const speller *s, dpl_str term, char *out, int32_t n_out, int32_t *n)
{
    UChar units[MOST_UNITS];
    int32_t n_units = 0;
    UErrorCode code = U_ZERO_ERROR;
    u_strFromUTF8(units, MOST_UNITS / 4, &n_units, term.data, (int32_t)term.n, &code);
    int32_t limit = n_units;
    if (U_SUCCESS(code))
        utrans_transUChars(s->latin, units, &n_units, MOST_UNITS, 0, &limit, &code);
    if (U_SUCCESS(code))
        u_strToUTF8(out, n_out, n, units, n_units, &code);
    return U_SUCCESS(code);
}

/* s->letters becomes what the term is spelt with, "_" at both ends; as it stands when nothing
 * Latin is left of it. */
static bool spell(speller *s, dpl_str term)
{
    char latin[4 * MOST_UNITS];
    dpl_str from = term;
    int32_t n = 0;
    if (!is_ascii(term) && (to_plain(term, latin, sizeof latin, &n) ||
                            (s->latin && to_latin(s, term, latin, (int32_t)sizeof latin, &n))))
        from = (dpl_str){latin, (size_t)n};
    s->letters.n = 0;
    if (!dpl__vec_reserve(s->ctx, &s->letters, dpl__max(from.n, term.n) + 2))
        return false;
    char *to = s->letters.data;
    size_t at = 0;
    to[at++] = '_';
    for (size_t i = 0; i < from.n; i++)
        if (is_letter(from.data[i]))
            to[at++] = from.data[i];
    if (at == 1) {
        memcpy(to + at, term.data, term.n);
        at += term.n;
    }
    to[at++] = '_';
    s->letters.n = at;
    return true;
}

static dpl_status add_piece(speller *s, uint32_t term, dpl_str piece, dpl_error *err)
{
    dpl__cell cell = {.row = term, .p = 1};
    DPL_TRY(dpl__terms_number(&s->pieces, piece, &cell.col, err));
    return dpl__vec_push(s->ctx, &s->cells, cell) ? DPL_OK : dpl__fail_nomem(err);
}

/* The whole and, unless it is a number or a single script's sign, its n-grams. */
static dpl_status add_term(speller *s, uint32_t number, dpl_str term, dpl_error *err)
{
    if (!spell(s, term))
        return dpl__fail_nomem(err);
    dpl_str all = {s->letters.data, s->letters.n};
    DPL_TRY(add_piece(s, number, all, err));
    bool is_whole = !is_ascii(all);
    for (size_t i = 0; i < all.n; i++)
        is_whole = is_whole || is_digit(all.data[i]);
    for (size_t i = 0; i + s->n <= all.n && s->n < all.n && !is_whole; i++)
        DPL_TRY(add_piece(s, number, (dpl_str){all.data + i, s->n}, err));
    return DPL_OK;
}

/* ---- all terms ---------------------------------------------------------------------- */

/* Whether there are words in other scripts, and not just a few: ICU takes a tenth of a second
 * to get ready for all of them. */
static bool has_other_scripts(const dpl_collection *c, uint32_t n_terms)
{
    char out[4 * MOST_UNITS];
    uint64_t n_other = 0;
    for (uint32_t t = 0; t < n_terms; t++) {
        dpl_str term = dpl_collection_term(c, t);
        int32_t n;
        n_other += !is_ascii(term) && !to_plain(term, out, sizeof out, &n);
    }
    return n_other * FOREIGN > n_terms;
}

static dpl_status add_terms(speller *s, const dpl_collection *c, uint32_t n_terms,
                            dpl_error *err)
{
    for (uint32_t t = 0; t < n_terms; t++)
        DPL_TRY(add_term(s, t, dpl_collection_term(c, t), err));
    return DPL_OK;
}

static dpl_status open_latin(UTransliterator **out, dpl_error *err)
{
    static const char id[] = "Any-Latin; Latin-ASCII; Lower";
    UChar units[sizeof id];
    UErrorCode code = U_ZERO_ERROR;
    u_charsToUChars(id, units, sizeof id);
    *out = utrans_openU(units, -1, UTRANS_FORWARD, NULL, 0, NULL, &code);
    return U_SUCCESS(code)
               ? DPL_OK
               : dpl__fail(err, DPL_E_UNSUPPORTED, "ICU cannot write words in Latin script: %s",
                           u_errorName(code));
}

static dpl_status make_table(dpl__projection *out, speller *s, uint32_t n_terms, dpl_error *err)
{
    size_t n = s->pieces.all.n;
    uint32_t *ranks = dpl__alloc(s->ctx, (n + 1) * sizeof *ranks);
    dpl_status status =
        ranks ? dpl__words_sort(&out->words, ranks, &s->pieces, err) : dpl__fail_nomem(err);
    for (size_t i = 0; i < s->cells.n && status == DPL_OK; i++)
        s->cells.data[i].col = ranks[s->cells.data[i].col];
    dpl__free(s->ctx, ranks, (n + 1) * sizeof *ranks);
    DPL_TRY(status);
    out->texts = dpl__alloc(s->ctx, (n + 1) * sizeof *out->texts);
    if (!out->texts)
        return dpl__fail_nomem(err);
    out->most_texts = n + 1;
    out->n_texts = (uint32_t)n;
    for (size_t i = 0; i < n; i++)
        out->texts[i] = dpl__string(&out->words, i);
    DPL_TRY(dpl__cells_sort(s->cells.data, s->ctx, s->cells.n, n_terms, out->n_texts, err));
    return dpl__table_make(&out->table, s->ctx, s->cells.data, s->cells.n, n_terms, err);
}

dpl_status dpl__spelling_make(dpl__projection *out, dpl_ctx *ctx, const dpl_collection *c,
                              const dpl__facts *facts, unsigned n, dpl_error *err)
{
    *out = (dpl__projection){.ctx = ctx, .lang = ""};
    speller s = {.ctx = ctx, .n = n};
    if (has_other_scripts(c, facts->n_terms))
        DPL_TRY(open_latin(&s.latin, err));
    dpl__terms_init(&s.pieces, ctx);
    dpl_status status = add_terms(&s, c, facts->n_terms, err);
    if (status == DPL_OK)
        status = make_table(out, &s, facts->n_terms, err);
    dpl__vec_clear(ctx, &s.cells);
    dpl__terms_clear(&s.pieces);
    dpl__vec_clear(ctx, &s.letters);
    if (s.latin)
        utrans_close(s.latin);
    if (status != DPL_OK)
        dpl__projection_clear(out);
    return status;
}
