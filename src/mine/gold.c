/*
 * gold.c - accepted and rejected pairs: read, and enforced.
 *
 * Cost: linear in the lines and in the lists of neighbours.
 */
#include "mine/gold.h"

#include "base/order.h"
#include "io/lines.h"
#include "langlinks/judgements.h"
#include "mine/copies.h"
#include "mine/rescore.h"
#include "mine/unit.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- reading --------------------------------------------------------------------------------
 */

/* A line about two documents that are there. */
typedef struct said {
    uint64_t key; /* left << 32 | right */
    size_t line;
    dpl__verdict_of_pair verdict;
} said;

typedef struct reading {
    const dpl__comparable *corpus;
    const dpl__doc_numbers *numbers; /* of both sides, or NULL */
    dpl__gold *gold;                 /* counts */
    DPL_VEC(said) all;
} reading;

static uint64_t key_of(dpl_doc_pair docs)
{
    return (uint64_t)docs.left << 32 | docs.right;
}

static dpl_doc_pair docs_of(uint64_t key)
{
    return (dpl_doc_pair){(uint32_t)(key >> 32), (uint32_t)key};
}

/* What was not said fits all. */
static bool has_lang(const dpl__comparable *p, int side, dpl_str lang)
{
    return !lang.n || dpl__str_eq(lang, DPL_STR("und")) ||
           dpl__str_eq(lang, dpl__cstr(p->lang[side]));
}

/* A sentence by its number in the document of that name. */
static bool find_sentence(const dpl_collection *c, dpl_str id, int number, uint32_t *doc)
{
    char name[512];
    const int n = snprintf(name, sizeof name, "%.*s#%d", (int)dpl__min(id.n, sizeof name),
                           id.data, number);
    return n > 0 && (size_t)n < sizeof name &&
           dpl_collection_find_doc(c, (dpl_str){name, (size_t)n}, doc);
}

/* A document by its id. One that is a single sentence may be called by the sentence's id, and
 * the other way round where sentences are paired (unit_choice.c). */
static bool find_doc(const dpl_collection *c, dpl_str id, uint32_t *doc)
{
    uint32_t other;
    if (dpl_collection_find_doc(c, id, doc))
        return true;
    if (find_sentence(c, id, 1, doc))
        return !find_sentence(c, id, 2, &other);
    const dpl_str bare = {id.data, id.n > 2 ? id.n - 2 : 0};
    return bare.n && memcmp(id.data + bare.n, "#1", 2) == 0 &&
           dpl_collection_find_doc(c, bare, doc) && dpl_collection_n_sentences(c, *doc) == 1;
}

/* Straight, or with the sides exchanged, as in a run with another pivot. */
static bool find_docs(dpl_doc_pair *out, bool *is_about_us, const dpl__comparable *p,
                      const dpl__judgement *j)
{
    *is_about_us = false;
    for (int swap = 0; swap < 2; swap++) {
        if (!has_lang(p, swap, j->left_lang) || !has_lang(p, !swap, j->right_lang))
            continue;
        *is_about_us = true;
        if (find_doc(p->c[0], swap ? j->right_id : j->left_id, &out->left) &&
            find_doc(p->c[1], swap ? j->left_id : j->right_id, &out->right))
            return true;
    }
    return false;
}

/* Whether a side has the document as mined, or else as read. */
static bool is_here(const reading *r, dpl_str id, bool as_read)
{
    bool is_there = false;
    uint32_t doc;
    for (int side = 0; side < 2; side++) {
        const dpl_collection *read = as_read && r->numbers ? r->numbers[side].read : NULL;
        is_there |= find_doc(read ? read : r->corpus->c[side], id, &doc);
    }
    return is_there;
}

/* The first id of the line that no side has is named. */
static void note_unknown(reading *r, const dpl__judgement *j)
{
    if (is_here(r, j->left_id, true) && is_here(r, j->right_id, true) &&
        !(is_here(r, j->left_id, false) && is_here(r, j->right_id, false))) {
        r->gold->n_left_out++;
        return;
    }
    r->gold->n_unknown++;
    dpl__name_list_add(&r->gold->unknown,
                       is_here(r, j->left_id, true) ? j->right_id : j->left_id);
}

static dpl_status take_line(reading *r, dpl__lines *lines, dpl_str line, dpl_error *err)
{
    dpl__judgement j;
    dpl_doc_pair docs;
    bool is_empty, is_about_us;
    const char *problem = dpl__judgement_parse(&j, &is_empty, line);
    if (problem)
        return dpl__lines_bad(lines, err, problem);
    if (is_empty)
        return DPL_OK;
    if (!find_docs(&docs, &is_about_us, r->corpus, &j)) {
        if (is_about_us)
            note_unknown(r, &j);
        return DPL_OK;
    }
    r->gold->n_known++;
    const said one = {key_of(docs), r->all.n, j.verdict};
    return dpl__need(dpl__vec_push(r->corpus->ctx, &r->all, one), err);
}

static dpl_status read_lines(reading *r, const char *path, dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    dpl_status status;
    DPL_TRY(dpl__lines_open(&lines, r->corpus->ctx, path, err));
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK)
        if ((status = take_line(r, &lines, line, err)) != DPL_OK)
            break;
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

DPL__ORDER(by_key, said, DPL__RISING(key) DPL__RISING(line))

DPL__ORDER(by_line, said, DPL__RISING(line))

/* The last line about each pair, in the order of the lines. */
static void keep_last(reading *r)
{
    size_t n = 0;
    if (!r->all.n)
        return;
    dpl__vec_sort(&r->all, by_key);
    for (size_t i = 0; i < r->all.n; i++)
        if (i + 1 == r->all.n || r->all.data[i + 1].key != r->all.data[i].key)
            r->all.data[n++] = r->all.data[i];
    r->all.n = n;
    qsort(r->all.data, n, sizeof *r->all.data, by_line);
}

/* A document is in one pair: of two that were accepted the later one counts. */
static void accept(dpl__gold *g, dpl_doc_pair docs)
{
    const uint32_t old_right = g->partner[0][docs.left], old_left = g->partner[1][docs.right];
    if (old_right != DPL__NO_DOC)
        g->partner[1][old_right] = DPL__NO_DOC;
    if (old_left != DPL__NO_DOC)
        g->partner[0][old_left] = DPL__NO_DOC;
    g->partner[0][docs.left] = docs.right;
    g->partner[1][docs.right] = docs.left;
}

DPL__RISING_NUMBERS(by_number, uint64_t)

static dpl_status make_lists(dpl__gold *g, const reading *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        g->n_docs[side] = dpl_collection_get_sizes(r->corpus->c[side])->n_docs;
        g->partner[side] = dpl__alloc(g->ctx, ((size_t)g->n_docs[side] + 1) * sizeof(uint32_t));
        DPL_TRY(dpl__need(g->partner[side], err));
        for (uint32_t doc = 0; doc < g->n_docs[side]; doc++)
            g->partner[side][doc] = DPL__NO_DOC;
    }
    g->rejected_room = r->all.n + 1;
    g->rejected = dpl__alloc(g->ctx, g->rejected_room * sizeof *g->rejected);
    g->accepted = dpl__alloc(g->ctx, g->rejected_room * sizeof *g->accepted);
    DPL_TRY(dpl__need(g->rejected && g->accepted, err));
    for (size_t i = 0; i < r->all.n; i++)
        if (r->all.data[i].verdict == DPL__JUDGED_ACCEPT)
            accept(g, docs_of(r->all.data[i].key));
        else if (r->all.data[i].verdict == DPL__JUDGED_REJECT)
            g->rejected[g->n_rejected++] = r->all.data[i].key;
    if (g->n_rejected)
        qsort(g->rejected, g->n_rejected, sizeof *g->rejected, by_number);
    for (uint32_t doc = 0; doc < g->n_docs[0]; doc++)
        if (g->partner[0][doc] != DPL__NO_DOC)
            g->accepted[g->n_accepted++] = (dpl_doc_pair){doc, g->partner[0][doc]};
    return DPL_OK;
}

dpl_status dpl__gold_read(dpl__gold **out, const dpl__comparable *p,
                          const dpl__doc_numbers *numbers, const char *path, dpl_error *err)
{
    dpl__gold *g = *out = dpl__calloc(p->ctx, 1, sizeof *g);
    reading r = {.corpus = p, .numbers = numbers, .gold = g};
    DPL_TRY(dpl__need(g, err));
    g->ctx = p->ctx;
    dpl_status status = read_lines(&r, path, err);
    if (status == DPL_OK) {
        keep_last(&r);
        status = make_lists(g, &r, err);
    }
    dpl__vec_clear(p->ctx, &r.all);
    if (status != DPL_OK) {
        dpl__gold_free(g);
        *out = NULL;
    }
    return status;
}

void dpl__gold_free(dpl__gold *g)
{
    if (!g)
        return;
    for (int side = 0; side < 2; side++)
        if (g->partner[side])
            dpl__free(g->ctx, g->partner[side]);
    dpl__free(g->ctx, g->rejected, g->accepted, g);
}

/* ---- asking
 * ---------------------------------------------------------------------------------- */

static bool is_rejected(const dpl__gold *g, dpl_doc_pair docs)
{
    const uint64_t key = key_of(docs);
    return g->n_rejected &&
           bsearch(&key, g->rejected, g->n_rejected, sizeof *g->rejected, by_number) != NULL;
}

static bool is_accepted(const dpl__gold *g, dpl_doc_pair docs)
{
    return g->partner[0][docs.left] == docs.right;
}

bool dpl__gold_forbids(const dpl__gold *g, dpl_doc_pair docs)
{
    if (is_accepted(g, docs))
        return false;
    return g->partner[0][docs.left] != DPL__NO_DOC ||
           g->partner[1][docs.right] != DPL__NO_DOC || is_rejected(g, docs);
}

/* ---- neighbours
 * ------------------------------------------------------------------------------ */

/* Lists of documents in accepted pairs stay as they are but for rejected ones: what is around
 * them is still what their margin is measured by. */
static bool is_out(const dpl__gold *g, int side, uint32_t doc, uint32_t other)
{
    const dpl_doc_pair docs = side ? (dpl_doc_pair){other, doc} : (dpl_doc_pair){doc, other};
    const uint32_t partner = g->partner[!side][other];
    return is_rejected(g, docs) ||
           (partner != DPL__NO_DOC && partner != doc && g->partner[side][doc] == DPL__NO_DOC);
}

static void filter_list(dpl__near *near, const dpl__gold *g, int side, uint32_t doc,
                        const uint32_t *others)
{
    size_t n = 0;
    for (size_t i = 0; i < DPL__NEAREST && near[i].row != DPL__NO_ROW; i++) {
        const uint32_t other = others ? others[near[i].row] : near[i].row;
        if (!is_out(g, side, doc, other))
            near[n++] = near[i];
    }
    for (; n < DPL__NEAREST; n++)
        near[n] = (dpl__near){.row = DPL__NO_ROW};
}

/* The lists may belong to the result of a search, which is frozen. */
static dpl_status own_lists(dpl__neighbours *c, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        const size_t n = (size_t)c->n[side] * DPL__NEAREST;
        if (!n || c->own[side])
            continue;
        c->own[side] = dpl__alloc(c->ctx, n * sizeof *c->own[side]);
        DPL_TRY(dpl__need(c->own[side], err));
        memcpy(c->own[side], c->near[side], n * sizeof *c->own[side]);
        c->near[side] = c->own[side];
    }
    return DPL_OK;
}

dpl_status dpl__gold_filter(dpl__neighbours *c, const dpl__gold *g,
                            const uint32_t *const docs[2], dpl_error *err)
{
    DPL_TRY(own_lists(c, err));
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < c->n[side]; row++)
            filter_list(c->own[side] + (size_t)row * DPL__NEAREST, g, side,
                        docs[side] ? docs[side][row] : row, docs[!side]);
    return DPL_OK;
}

/* ---- pairs
 * ------------------------------------------------------------------------------------- */

void dpl__gold_merge(dpl_doc_pair *pairs, size_t *n, const dpl__gold *g)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < *n; i++)
        if (!dpl__gold_forbids(g, pairs[i]) && !is_accepted(g, pairs[i]))
            pairs[n_kept++] = pairs[i];
    *n = n_kept + g->n_accepted;
    size_t to = *n, from = n_kept;
    for (size_t k = g->n_accepted; k > 0 || from > 0;) { /* from the end, in place */
        const bool is_gold =
            k > 0 && (from == 0 || g->accepted[k - 1].left > pairs[from - 1].left);
        pairs[--to] = is_gold ? g->accepted[--k] : pairs[--from];
    }
}

/* ---- candidates
 * -------------------------------------------------------------------------------- */

typedef struct applying {
    dpl_ctx *ctx;
    dpl__doc_candidates *found;
    dpl__doc_candidate_vec pairs; /* the new ones */
    uint32_t *place;              /* of each old one; DPL__NO_ROW: it is gone */
    float *cosines;               /* of each accepted pair */
} applying;

static dpl__doc_candidate make_candidate(dpl_doc_pair docs, float cosine)
{
    const float score = cosine > 0 && cosine <= 1 ? cosine : 1e-6f;
    return (dpl__doc_candidate){.docs = docs,
                                .match = {.row = {DPL__NO_ROW, DPL__NO_ROW},
                                          .score = score,
                                          .margin = 1,
                                          .lead = {1, 1},
                                          .taken = {DPL__NO_ROW, DPL__NO_ROW}},
                                .confidence = 1};
}

/* Both are in the order of left documents. */
static dpl_status merge_candidates(applying *x, const dpl__gold *g, dpl_error *err)
{
    const dpl__doc_candidate_vec *old = &x->found->pairs;
    dpl_ctx *ctx = x->ctx;
    size_t k = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &x->pairs, old->n + g->n_accepted + 1), err));
    for (size_t i = 0; i <= old->n; i++) {
        const uint32_t left = i < old->n ? old->data[i].docs.left : UINT32_MAX;
        for (; k < g->n_accepted && g->accepted[k].left < left; k++)
            x->pairs.data[x->pairs.n++] = make_candidate(g->accepted[k], x->cosines[k]);
        if (i == old->n)
            break;
        x->place[i] = DPL__NO_ROW;
        if (dpl__gold_forbids(g, old->data[i].docs))
            continue;
        x->place[i] = (uint32_t)x->pairs.n;
        x->pairs.data[x->pairs.n] = old->data[i];
        if (is_accepted(g, old->data[i].docs)) {
            x->pairs.data[x->pairs.n].confidence = 1;
            k++;
        }
        x->pairs.n++;
    }
    return DPL_OK;
}

/* A decoy is of the pair that was taken away for it. */
static void move_decoys(applying *x)
{
    dpl__doc_candidate_vec *decoys = &x->found->decoys;
    size_t n = 0;
    for (size_t i = 0; i < decoys->n; i++) {
        dpl__doc_candidate d = decoys->data[i];
        bool is_kept = false;
        for (int side = 0; side < 2; side++) {
            uint32_t *taken = &d.match.taken[side];
            *taken = *taken == DPL__NO_ROW ? DPL__NO_ROW : x->place[*taken];
            is_kept = is_kept || *taken != DPL__NO_ROW;
        }
        if (is_kept)
            decoys->data[n++] = d;
    }
    decoys->n = n;
}

static dpl_status apply(applying *x, const dpl__round_input *in, dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    const dpl__gold *g = p->gold;
    DPL_TRY(dpl__need(x->place && x->cosines, err));
    for (size_t i = 0; i < g->n_accepted; i++)
        x->cosines[i] = 1; /* votes and scores of sentences are no cosines */
    if (g->n_accepted && in->unit->score == DPL__SCORE_COSINE)
        DPL_TRY(dpl__rescore(x->cosines, p, (dpl__pair_list){g->accepted, g->n_accepted},
                             in->lexicon, err));
    DPL_TRY(merge_candidates(x, g, err));
    move_decoys(x);
    dpl__vec_clear(p->ctx, &x->found->pairs);
    x->found->pairs = x->pairs;
    x->pairs = (dpl__doc_candidate_vec){0};
    return DPL_OK;
}

dpl_status dpl__gold_apply(dpl__doc_candidates *found, const dpl__round_input *in,
                           dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    const size_t n_old = found->pairs.n + 1, n_gold = p->gold->n_accepted + 1;
    applying x = {.found = found,
                  .ctx = p->ctx,
                  .place = dpl__alloc(p->ctx, n_old * sizeof *x.place),
                  .cosines = dpl__alloc(p->ctx, n_gold * sizeof *x.cosines)};
    dpl_status status = apply(&x, in, err);
    dpl__vec_clear(p->ctx, &x.pairs);
    dpl__free(p->ctx, x.cosines, x.place);
    return status;
}
