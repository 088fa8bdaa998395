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
 * are just a few of them among Latin ones; the rest is linear in the letters. Parts of the
 * terms are spelled on all threads, each with pieces of its own; all pieces are then put in
 * byte order together.
 */
#include "vectors/project.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/vec.h"
#include "io/keysort.h"
#include "par/pool.h"
#include "tokens/terms.h"

#include <unicode/ustring.h>
#include <unicode/utrans.h>

enum {
    MOST_UNITS = 1024, /* letters of a term in UTF-16, and room to grow: "щ" becomes "shch" */
    FOREIGN = 50, /* other scripts stay as they are, if so many times more terms are Latin */
    PART_TERMS = 1 << 13, /* of a part, at least */
    MOST_PARTS = 64
};

/* Spells a part of the terms. */
typedef struct speller {
    dpl_ctx *ctx;
    unsigned n;             /* letters of a piece */
    UTransliterator *latin; /* NULL when it is not needed */
    dpl__bytes letters;     /* "_kase_" */
    dpl__terms pieces;
    DPL_VEC(dpl__cell) cells;
    size_t first_piece, first_cell; /* among those of all parts */
} speller;

typedef struct spelling {
    dpl_ctx *ctx;
    const dpl_collection *c;
    uint32_t n_terms;
    speller parts[MOST_PARTS];
    size_t n_parts;
    size_t n_pieces, n_cells; /* of all parts */
    dpl__key *keys;           /* all pieces; then behind them the same number of scratch */
    uint32_t *ranks;          /* of each: its place in byte order, equal ones have the same */
    dpl__cell *cells;
} spelling;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || dpl__is_digit(c);
}

/* ---- one term ----------------------------------------------------------------------- */

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
    assert(n_out > 2);
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
    if (!dpl__is_ascii(term) &&
        (to_plain(term, latin, sizeof latin, &n) ||
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
    return dpl__need(dpl__vec_push(s->ctx, &s->cells, cell), err);
}

/* The whole and, unless it is a number or a single script's sign, its n-grams. */
static dpl_status add_term(speller *s, uint32_t number, dpl_str term, dpl_error *err)
{
    DPL_TRY(dpl__need(spell(s, term), err));
    dpl_str all = {s->letters.data, s->letters.n};
    DPL_TRY(add_piece(s, number, all, err));
    bool is_whole = !dpl__is_ascii(all);
    for (size_t i = 0; i < all.n; i++)
        is_whole = is_whole || dpl__is_digit(all.data[i]);
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
        n_other += !dpl__is_ascii(term) && !to_plain(term, out, sizeof out, &n);
    }
    return n_other * FOREIGN > n_terms;
}

static dpl_status spell_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)worker;
    spelling *all = user;
    assert(part < all->n_parts);
    const uint64_t n = all->n_terms, n_parts = all->n_parts;
    const uint32_t end = (uint32_t)(n * (part + 1) / n_parts);
    for (uint32_t t = (uint32_t)(n * part / n_parts); t < end; t++)
        DPL_TRY(add_term(&all->parts[part], t, dpl_collection_term(all->c, t), err));
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

/* Parts have ICU's rules of their own: only one thread at a time may use them. */
static dpl_status begin_parts(spelling *all, unsigned n, dpl_error *err)
{
    UTransliterator *latin = NULL;
    if (has_other_scripts(all->c, all->n_terms))
        DPL_TRY(open_latin(&latin, err));
    const size_t most = dpl__min(MOST_PARTS, 2 * (size_t)dpl_ctx_threads(all->ctx));
    all->n_parts = dpl_ctx_threads(all->ctx) > 1 ? all->n_terms / PART_TERMS + 1 : 1;
    all->n_parts = dpl__min(all->n_parts, most);
    for (size_t i = 0; i < all->n_parts; i++) {
        speller *s = &all->parts[i];
        UErrorCode code = U_ZERO_ERROR;
        *s = (speller){.ctx = all->ctx, .n = n};
        dpl__terms_init(&s->pieces, all->ctx);
        s->latin = latin && i ? utrans_clone(latin, &code) : latin;
        if (latin && (!s->latin || U_FAILURE(code)))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static void place_parts(spelling *all)
{
    for (size_t i = 0; i < all->n_parts; i++) {
        all->parts[i].first_piece = all->n_pieces;
        all->parts[i].first_cell = all->n_cells;
        all->n_pieces += all->parts[i].pieces.all.n;
        all->n_cells += all->parts[i].cells.n;
    }
}

static void make_keys(void *user, size_t part)
{
    const spelling *all = user;
    const dpl__terms *pieces = &all->parts[part].pieces;
    for (size_t i = 0, at = all->parts[part].first_piece; i < pieces->all.n; i++, at++)
        all->keys[at] = dpl__key_of(dpl__term_text(&pieces->all.data[i]), (uint32_t)at);
}

/* With places among the pieces of all; those of a term, which are few, by place. */
static void take_cells(void *user, size_t part)
{
    const spelling *all = user;
    const speller *s = &all->parts[part];
    dpl__cell *to = all->cells + s->first_cell;
    for (size_t i = 0; i < s->cells.n; i++) {
        dpl__cell cell = s->cells.data[i];
        size_t at = i;
        cell.col = all->ranks[s->first_piece + cell.col];
        for (; at > 0 && to[at - 1].row == cell.row && to[at - 1].col > cell.col; at--)
            to[at] = to[at - 1];
        to[at] = cell;
    }
}

/* The different pieces in byte order. */
static dpl_status copy_texts(dpl__projection *out, const spelling *all, dpl_error *err)
{
    size_t n = 0, n_bytes = 0, at = 0;
    const dpl__key *keys = all->keys;
    for (size_t i = 0; i < all->n_pieces; i++) {
        const bool is_new = i == 0 || !dpl__key_equal(&keys[i - 1], &keys[i]);
        n += is_new;
        n_bytes += is_new ? keys[i].n : 0;
        all->ranks[keys[i].index] = (uint32_t)n - 1;
    }
    uint64_t *offsets = dpl__alloc(all->ctx, (n + 1) * sizeof *offsets);
    char *bytes = dpl__alloc(all->ctx, n_bytes + 1);
    out->texts = dpl__alloc(all->ctx, (n + 1) * sizeof *out->texts);
    out->most_texts = out->texts ? n + 1 : 0;
    if (!offsets || !bytes || !out->texts) {
        dpl__free(all->ctx, offsets, bytes);
        return dpl__fail_nomem(err);
    }
    n = 0;
    for (size_t i = 0; i < all->n_pieces; i++) {
        if (i > 0 && dpl__key_equal(&keys[i - 1], &keys[i]))
            continue;
        offsets[n] = at;
        out->texts[n++] = (dpl_str){bytes + at, keys[i].n};
        memcpy(bytes + at, keys[i].data, keys[i].n);
        at += keys[i].n;
    }
    offsets[n] = at;
    bytes[at] = 0;
    out->words = (dpl__strings){offsets, bytes, n};
    out->n_texts = (uint32_t)n;
    return DPL_OK;
}

static dpl_status make_table(dpl__projection *out, spelling *all, dpl_error *err)
{
    place_parts(all);
    const size_t n = all->n_pieces;
    if (n >= UINT32_MAX)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "more than %u pieces of words", UINT32_MAX);
    all->keys = dpl__alloc(all->ctx, 2 * (n + 1) * sizeof *all->keys);
    all->ranks = dpl__alloc(all->ctx, (n + 1) * sizeof *all->ranks);
    all->cells = dpl__alloc(all->ctx, (all->n_cells + 1) * sizeof *all->cells);
    DPL_TRY(dpl__need(all->keys && all->ranks && all->cells, err));
    DPL_TRY(dpl__parallel_each(all->ctx, all->n_parts, all, make_keys, err));
    DPL_TRY(dpl__sort_keys(all->ctx, all->keys, all->keys + n, n, err));
    DPL_TRY(copy_texts(out, all, err));
    DPL_TRY(dpl__parallel_each(all->ctx, all->n_parts, all, take_cells, err));
    return dpl__table_make(&out->table, all->ctx, all->cells, all->n_cells, all->n_terms, err);
}

static void clear(spelling *all)
{
    dpl__free(all->ctx, all->cells, all->ranks, all->keys);
    for (size_t i = 0; i < all->n_parts; i++) {
        speller *s = &all->parts[i];
        dpl__vec_clear(all->ctx, &s->cells);
        dpl__terms_clear(&s->pieces);
        dpl__vec_clear(all->ctx, &s->letters);
        if (s->latin)
            utrans_close(s->latin);
    }
}

dpl_status dpl__spelling_make(dpl__projection *out, dpl_ctx *ctx, const dpl_collection *c,
                              const dpl__facts *facts, unsigned n, dpl_error *err)
{
    assert(n > 0 && facts->n_terms <= dpl_collection_get_sizes(c)->n_terms);
    *out = (dpl__projection){.ctx = ctx, .lang = ""};
    spelling all = {.ctx = ctx, .c = c, .n_terms = facts->n_terms};
    dpl_status status;
    DPL__STEP(begin_parts(&all, n, err));
    DPL__STEP(dpl__parallel_for(ctx, all.n_parts, &all, spell_part, err));
    status = make_table(out, &all, err);
done:
    clear(&all);
    if (status != DPL_OK)
        dpl__projection_clear(out);
    return status;
}
