/*
 * explain_pair.c - why two documents of a run are a pair, or are not: from the files that the
 * run left in its folder.
 *
 * The vectors of both sides are made anew with the last lexicon, so that the two documents can
 * be compared with each other and with all documents of the other side; their sentences are
 * aligned with the same lexicon. Cost: vectors of both collections, and one look at every row.
 */
#include "doppel/mine.h"

#include "doppel/options.h"

#include "base/ascii.h"
#include "base/options.h"
#include "base/order.h"
#include "io/lines.h"
#include "mine/mine_params.h"
#include "mine/shared_words.h"
#include "pairs/pairs_tsv.h"
#include "vectors/term_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Left and right. */
typedef struct ids {
    dpl_str left, right;
} ids;

struct dpl_pair_reasons {
    dpl_ctx *ctx;
    dpl_collection *c[2];
    dpl_lexicon *lexicon; /* NULL: the run was by spelling */
    dpl_vectors *v[2];
    dpl_doc_pair docs;
    dpl_pair_reasons_summary s;
    dpl_shared_term terms[DPL_REASON_TERMS];
    dpl_str words[2][DPL_REASON_TERMS]; /* of each term */
};

/* ---- files -------------------------------------------------------------------------- */

static bool is_there(const char *dir, const char *name, char *path, size_t n_path)
{
    snprintf(path, n_path, "%s/work/%s", dir, name);
    return access(path, R_OK) == 0;
}

/* The documents as they were compared. */
static dpl_status open_side(dpl_pair_reasons *r, const char *dir, int side, dpl_error *err)
{
    static const char *const names[2][3] = {{"left-clean.dpl", "left-own.dpl", "left.dpl"},
                                            {"right-clean.dpl", "right-own.dpl", "right.dpl"}};
    char path[4200];
    for (size_t i = 0; i < DPL_LEN(names[side]); i++)
        if (is_there(dir, names[side][i], path, sizeof path))
            return dpl_collection_open(&r->c[side], r->ctx, path, err);
    return dpl__fail_code(err, DPL_E_USAGE, "no-work-files",
                          "'%s' has no work files of two languages", dir);
}

static dpl_status open_lexicon(dpl_pair_reasons *r, const char *dir, dpl_error *err)
{
    char name[40], path[4200];
    for (unsigned i = DPL_MINE_MOST_ROUNDS + 1; i > 0; i--) {
        snprintf(name, sizeof name, "lexicon-%u.dpl", i);
        if (is_there(dir, name, path, sizeof path))
            return dpl_lexicon_open(&r->lexicon, r->ctx, path, NULL, err);
    }
    return DPL_OK;
}

static dpl_status find_doc(uint32_t *out, const dpl_pair_reasons *r, int side, dpl_str id,
                           const char *dir, dpl_error *err)
{
    if (dpl_collection_find_doc(r->c[side], id, out))
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "no-such-document",
                          "no document '%.*s' on the %s side of '%s'", (int)dpl__min(id.n, 100),
                          id.data, side ? "right" : "left", dir);
}

/* The confidence that pairs.tsv has. */
static dpl_status find_pair(dpl_pair_reasons *r, const char *dir, const ids *wanted,
                            dpl_error *err)
{
    char path[4200];
    dpl__lines lines;
    dpl__pair_line p;
    snprintf(path, sizeof path, "%s/pairs.tsv", dir);
    dpl_status status = dpl__lines_open(&lines, r->ctx, path, err);
    while (status == DPL_OK && !r->s.is_pair &&
           (status = dpl__pairs_tsv_next(&lines, &p, err)) == DPL_OK) {
        const dpl_str column = dpl__next_column(&p.rest);
        r->s.is_pair = dpl__str_eq(p.left, wanted->left) && dpl__str_eq(p.right, wanted->right);
        if (r->s.is_pair && !dpl__parse_real(&r->s.confidence, column))
            status = dpl__lines_bad(&lines, err, "no confidence");
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status open_all(dpl_pair_reasons *r, const char *dir, const ids *wanted,
                           dpl_error *err)
{
    for (int side = 0; side < 2; side++)
        DPL_TRY(open_side(r, dir, side, err));
    DPL_TRY(find_doc(&r->docs.left, r, 0, wanted->left, dir, err));
    DPL_TRY(find_doc(&r->docs.right, r, 1, wanted->right, dir, err));
    DPL_TRY(open_lexicon(r, dir, err));
    return find_pair(r, dir, wanted, err);
}

/* ---- words -------------------------------------------------------------------------- */

DPL__ORDER(by_weight, dpl_shared_term, DPL__FALLING(weight) DPL__BY_BYTES(term))

/* The terms of both rows: their products sum to the cosine. The heaviest are kept. */
static dpl_status share_terms(dpl_pair_reasons *r, const uint32_t rows[2], dpl_error *err)
{
    size_t n[2], n_shared = 0;
    const float *weights[2];
    const uint32_t *terms[2];
    for (int side = 0; side < 2; side++)
        terms[side] = dpl_vectors_row(r->v[side], rows[side], &weights[side], &n[side]);
    dpl_shared_term *all = dpl__alloc(r->ctx, (n[0] + 1) * sizeof *all);
    DPL_TRY(dpl__need(all, err));
    for (size_t i = 0; i < n[0]; i++) {
        uint32_t other;
        const dpl_str term = dpl_vectors_term(r->v[0], terms[0][i]);
        if (!dpl_vectors_find_term(r->v[1], term, &other))
            continue;
        size_t k = 0;
        while (k < n[1] && terms[1][k] != other)
            k++;
        if (k < n[1])
            all[n_shared++] =
                (dpl_shared_term){term, (double)weights[0][i] * (double)weights[1][k]};
    }
    if (n_shared)
        qsort(all, n_shared, sizeof *all, by_weight);
    r->s.n_shared = n_shared;
    r->s.n_terms = dpl__min(n_shared, DPL_REASON_TERMS);
    memcpy(r->terms, all, r->s.n_terms * sizeof *all);
    dpl__free(r->ctx, all);
    return DPL_OK;
}

/* Terms are stems in the right side's language: the words that they are in both documents. */
static dpl_status find_words(dpl_pair_reasons *r, dpl_error *err)
{
    dpl__facts facts;
    dpl_tokens *tokens = NULL;
    dpl_status status;
    DPL_TRY(dpl__facts_find(&facts, r->c[1], 1, err));
    const dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = facts.is_stemmed);
    const dpl__word_sides sides = {.ctx = r->ctx,
                                   .c = {r->c[0], r->c[1]},
                                   .lexicon = r->lexicon,
                                   .pivot = 1,
                                   .is_stemmed = facts.is_stemmed};
    DPL__STEP(dpl_tokens_new(&tokens, r->ctx, &o, err));
    for (size_t i = 0; i < r->s.n_terms; i++) {
        dpl__shared_word word;
        DPL__STEP(
            dpl__shared_word_find(&word, &sides, tokens, &r->docs, r->terms[i].term, err));
        for (int side = 0; side < 2; side++)
            r->words[side][i] = word.side[side];
    }
done:
    dpl_tokens_free(tokens);
    for (int side = 0; side < 2; side++)
        r->s.words[side] = r->words[side];
    return status;
}

/* ---- the others --------------------------------------------------------------------- */

static bool find_row(uint32_t *row, const dpl_vectors *v, dpl_str id)
{
    for (*row = 0; *row < dpl_vectors_get_sizes(v)->n_rows; ++*row) {
        const dpl_str s = dpl_vectors_id(v, *row);
        if (s.n == id.n && memcmp(s.data, id.data, id.n) == 0)
            return true;
    }
    return false;
}

/* How many documents of the other side are nearer than the partner, and the nearest of all but
 * the partner. */
static void rank(dpl_pair_reasons *r, int side, const uint32_t rows[2])
{
    dpl_pair_rival *out = &r->s.rivals[side];
    const dpl_vectors *other = r->v[!side];
    out->cosine = -1;
    out->rank = 1;
    for (uint32_t row = 0; row < dpl_vectors_get_sizes(other)->n_rows; row++) {
        const double cosine = side ? dpl_vectors_cosine(r->v[0], row, r->v[1], rows[1])
                                   : dpl_vectors_cosine(r->v[0], rows[0], r->v[1], row);
        if (row == rows[!side])
            continue;
        out->rank += cosine > r->s.cosine;
        if (cosine > out->cosine) {
            out->cosine = cosine;
            out->id = dpl_vectors_id(other, row);
        }
    }
}

static dpl_status compare(dpl_pair_reasons *r, const ids *wanted, dpl_error *err)
{
    uint32_t rows[2];
    for (int side = 0; side < 2; side++) {
        dpl_vectors_options o = DPL_INIT(dpl_vectors_options);
        const dpl_str lang = dpl_collection_doc(r->c[1], r->docs.right).lang;
        char into[16];
        snprintf(into, sizeof into, "%.*s", (int)lang.n, lang.data);
        o.into = side == 0 ? into : NULL;
        if (!r->lexicon)
            o.ngrams = (unsigned)DPL__P(mine, spelling_letters);
        DPL_TRY(dpl_vectors_from_collection(&r->v[side], NULL, r->ctx, r->c[side],
                                            side == 0 ? r->lexicon : NULL, &o, err));
    }
    r->s.has_vectors =
        find_row(&rows[0], r->v[0], wanted->left) && find_row(&rows[1], r->v[1], wanted->right);
    if (!r->s.has_vectors)
        return DPL_OK;
    r->s.cosine = dpl_vectors_cosine(r->v[0], rows[0], r->v[1], rows[1]);
    rank(r, 0, rows);
    rank(r, 1, rows);
    DPL_TRY(share_terms(r, rows, err));
    return find_words(r, err);
}

/* ---- sentences ---------------------------------------------------------------------- */

static dpl_status count_aligned(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    dpl_pair_reasons *r = user;
    (void)err;
    for (int side = 0; side < 2; side++)
        r->s.n_sentences[side] = docs->n_units[side];
    for (size_t i = 0; i < docs->n_beads; i++)
        if (docs->beads[i].verdict == DPL_VERDICT_KEPT) {
            r->s.n_aligned[0] += docs->beads[i].n_left;
            r->s.n_aligned[1] += docs->beads[i].n_right;
        }
    return DPL_OK;
}

static dpl_status align(dpl_pair_reasons *r, dpl_error *err)
{
    const dpl_sentences_options o =
        DPL_INIT(dpl_sentences_options, .no_learning = r->lexicon != NULL);
    const dpl_sentences_input in =
        DPL_INIT(dpl_sentences_input, .left = r->c[0], .right = r->c[1], .pairs = &r->docs,
                 .n_pairs = 1, .lexicon = r->lexicon);
    return dpl_sentences_align(NULL, r->ctx, &in, &o, count_aligned, r, err);
}

/* ---- all of it ---------------------------------------------------------------------- */

dpl_status dpl_pair_reasons_open(dpl_pair_reasons **out, dpl_ctx *ctx, const char *dir,
                                 dpl_str left, dpl_str right, dpl_error *err)
{
    const ids wanted = {left, right};
    dpl_pair_reasons *r = *out = dpl__calloc(ctx, 1, sizeof *r);
    DPL_TRY(dpl__need(r, err));
    r->ctx = ctx;
    dpl_status status = open_all(r, dir, &wanted, err);
    if (status == DPL_OK)
        status = compare(r, &wanted, err);
    if (status == DPL_OK)
        status = align(r, err);
    if (status != DPL_OK) {
        dpl_pair_reasons_close(r);
        *out = NULL;
    }
    return status;
}

void dpl_pair_reasons_close(dpl_pair_reasons *r)
{
    if (!r)
        return;
    for (int side = 0; side < 2; side++) {
        dpl_vectors_close(r->v[side]);
        dpl_collection_close(r->c[side]);
    }
    dpl_lexicon_close(r->lexicon);
    dpl__free(r->ctx, r);
}

const dpl_pair_reasons_summary *dpl_pair_reasons_get_summary(const dpl_pair_reasons *r)
{
    return &r->s;
}

dpl_shared_term dpl_pair_reasons_get_term(const dpl_pair_reasons *r, size_t i)
{
    assert(i < r->s.n_terms);
    return r->terms[i];
}
