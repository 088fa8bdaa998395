/*
 * word_links.c - links of a trained lexicon and of what is known before become one table.
 *
 * p = (n p_trained + m p_prior) / (n + m), where n occurrences of a word were trained on: the
 * mean of a Dirichlet prior with m observations. Cost: linear in links and vocabularies.
 */
#include "mine/word_links.h"

#include "base/vec.h"
#include "mine/mine_params.h"
#include "mine/relatives.h"

#include <math.h>

#define NONE UINT32_MAX

/* ---- terms ---------------------------------------------------------------------------- */

/* How often a word of a column was trained on. */
static double count_of(const dpl_lexicon *lexicon, int column, dpl_str text)
{
    uint32_t word;
    bool is_there = column ? dpl_lexicon_find_target(lexicon, text, &word)
                           : dpl_lexicon_find_source(lexicon, text, &word);
    return is_there ? (double)dpl_lexicon_count(lexicon, column, word) : 0;
}

static dpl_status weigh_terms(dpl__word_links *out, const dpl__comparable *p, int side,
                              const dpl_lexicon *lexicon, const dpl__term_links *trained,
                              dpl_error *err)
{
    const int place = side != p->pivot;
    uint32_t n = out->n_terms[side] = trained->n_terms[place];
    out->weight[side] = dpl__alloc(out->ctx, ((size_t)n + 1) * sizeof *out->weight[side]);
    out->trained[side] = dpl__alloc(out->ctx, ((size_t)n + 1) * sizeof *out->trained[side]);
    out->unigram[side] = dpl__alloc(out->ctx, ((size_t)n + 1) * sizeof *out->unigram[side]);
    DPL_TRY(dpl__need(out->weight[side] && out->trained[side] && out->unigram[side], err));
    /* one that was given may be of the other direction */
    const char *source = lexicon ? dpl_lexicon_get_info(lexicon).source_lang : p->lang[0];
    const bool is_reversed = strcmp(source, p->lang[0]) != 0 && strcmp(source, p->lang[1]) == 0;
    const int column = is_reversed ? !side : side;
    for (uint32_t term = 0; term < n; term++) {
        const double count =
            lexicon ? count_of(lexicon, column, dpl_collection_term(p->c[side], term)) : 0;
        out->trained[side][term] = (float)count;
        out->weight[side][term] = (float)(count + DPL__P(mine, prior_weight));
        out->unigram[side][term] = trained->p[place][term];
    }
    return DPL_OK;
}

/* ---- links ---------------------------------------------------------------------------- */

/* A term of the pivot and one of the other side; the probability of either, given the other
 * one: p[0] is that of the second. */
typedef struct pair {
    uint32_t left, right;
    float p[2];
} pair;

typedef DPL_VEC(pair) pair_vec;

/* What the sources know of one direction of a link. */
typedef struct known {
    float trained, prior; /* probabilities */
    float alike;          /* of spelling, instead of a lower one that is not trained */
    float lent;           /* occurrences, of relatives */
    float added;          /* to the probability, by relatives of the other word */
} known;

/* Mixes the sources. Without training occurrences of the word itself, its trained variants
 * count like prior knowledge. */
static float mixed(const dpl__word_links *out, int side, uint32_t term, known k)
{
    float m = (float)DPL__P(mine, prior_weight), n = out->trained[side][term];
    float counts =
        n > 0 ? k.trained * n + fmaxf(k.prior, k.alike) * m : fmaxf(k.trained, k.alike) * m;
    float p = (counts + k.lent) / out->weight[side][term] + k.added;
    return p < 1 ? p : 1;
}

static dpl__bead_link take(const dpl__term_links *l, uint64_t *at, uint64_t end, uint32_t right)
{
    if (*at < end && l->links[*at].right == right)
        return l->links[(*at)++];
    return (dpl__bead_link){.right = right};
}

static uint32_t right_at(const dpl__term_links *l, uint64_t at, uint64_t end)
{
    return at < end ? l->links[at].right : NONE;
}

/* What is merged: links of the lexicon, those known before, those of relatives up to now, words
 * that are spelled alike. */
typedef struct sources {
    const dpl__term_links *trained, *prior;
    const dpl__alike_words *alike;
    dpl__lent_links lent;
    size_t at, at_alike;
} sources;

static dpl__lent_link take_lent(sources *s, uint32_t left, uint32_t right)
{
    if (s->at < s->lent.n && s->lent.data[s->at].left == left &&
        s->lent.data[s->at].right == right)
        return s->lent.data[s->at++];
    return (dpl__lent_link){0};
}

/* 0: they are not alike. */
static float take_alike(sources *s, uint32_t left, uint32_t right)
{
    const dpl__alike_words *a = s->alike;
    if (s->at_alike < a->n && a->data[s->at_alike].left == left &&
        a->data[s->at_alike].right == right)
        return a->data[s->at_alike++].p;
    return 0;
}

/* The links of a term of the pivot, of all sources. */
static dpl_status merge_row(pair_vec *all, const dpl__word_links *out, int pivot, uint32_t left,
                            sources *s, dpl_error *err)
{
    const dpl__term_links *trained = s->trained, *prior = s->prior;
    uint64_t i = trained->begin[left], i_end = trained->begin[left + 1];
    uint64_t j = prior->begin[left], j_end = prior->begin[left + 1];
    for (;;) {
        uint32_t a = right_at(trained, i, i_end), b = right_at(prior, j, j_end);
        uint32_t right = a < b ? a : b;
        if (s->at < s->lent.n && s->lent.data[s->at].left == left &&
            s->lent.data[s->at].right < right)
            right = s->lent.data[s->at].right;
        if (s->at_alike < s->alike->n && s->alike->data[s->at_alike].left == left &&
            s->alike->data[s->at_alike].right < right)
            right = s->alike->data[s->at_alike].right;
        if (right == NONE)
            return DPL_OK;
        dpl__bead_link from = take(trained, &i, i_end, right),
                       before = take(prior, &j, j_end, right);
        dpl__lent_link lent = take_lent(s, left, right);
        const float alike = take_alike(s, left, right);
        pair link = {left, right, {0, 0}};
        for (int way = 0; way < 2; way++) {
            known k = {from.p[way], before.p[way], alike, lent.counts[way], lent.p[way]};
            link.p[way] = mixed(out, way ? !pivot : pivot, way ? right : left, k);
        }
        DPL_TRY(dpl__need(dpl__vec_push(out->ctx, all, link), err));
    }
}

/* Links by the terms of a side, of each by the other's: pairs are by left, then right term. */
static dpl_status fill_side(dpl__word_links *out, int side, int place, const pair_vec *all,
                            dpl_error *err)
{
    size_t n = (size_t)out->n_terms[side] + 2;
    uint64_t *begin = out->begin[side] = dpl__calloc(out->ctx, n, sizeof *begin);
    out->links[side] = dpl__alloc(out->ctx, (all->n + 1) * sizeof *out->links[side]);
    DPL_TRY(dpl__need(begin && out->links[side], err));
    for (size_t i = 0; i < all->n; i++)
        begin[(place ? all->data[i].right : all->data[i].left) + 2]++;
    for (size_t i = 2; i < n; i++)
        begin[i] += begin[i - 1];
    for (size_t i = 0; i < all->n; i++) {
        const pair *a = &all->data[i];
        uint32_t own = place ? a->right : a->left;
        out->links[side][begin[own + 1]++] =
            (dpl__word_link){place ? a->left : a->right, a->p[place], a->p[!place]};
    }
    return DPL_OK;
}

static dpl_status fill(dpl__word_links *out, int pivot, sources *s, dpl_error *err)
{
    pair_vec all = {0};
    dpl_status status = DPL_OK;
    for (uint32_t left = 0; left < out->n_terms[pivot] && status == DPL_OK; left++)
        status = merge_row(&all, out, pivot, left, s, err);
    out->n_links = all.n;
    for (int side = 0; side < 2 && status == DPL_OK; side++)
        status = fill_side(out, side, side != pivot, &all, err);
    dpl__vec_clear(out->ctx, &all);
    return status;
}

dpl_status dpl__word_links_make(dpl__word_links *out, const dpl__comparable *p,
                                const dpl_lexicon *lexicon, const dpl__prior_links *prior,
                                dpl_error *err)
{
    *out = (dpl__word_links){.ctx = p->ctx};
    dpl__term_links trained;
    DPL_TRY(
        dpl__term_links_make(&trained, p->ctx, p->c[p->pivot], p->c[!p->pivot], lexicon, err));
    sources from = {.trained = &trained, .prior = prior->terms, .alike = prior->alike};
    dpl_status status;
    for (int side = 0; side < 2; side++)
        DPL__STEP(weigh_terms(out, p, side, lexicon, &trained, err));
    if (lexicon)
        DPL__STEP(dpl__relatives_lend(&from.lent, out, p->c, p->pivot, &trained, err));
    DPL__STEP(fill(out, p->pivot, &from, err));
done:
    dpl__vec_clear(p->ctx, &from.lent);
    dpl__term_links_clear(&trained);
    if (status != DPL_OK)
        dpl__word_links_clear(out);
    return status;
}

void dpl__word_links_clear(dpl__word_links *l)
{
    if (!l->ctx)
        return;
    for (int side = 0; side < 2; side++)
        dpl__free(l->ctx, l->links[side], l->begin[side], l->weight[side], l->trained[side],
                  l->unigram[side]);
    *l = (dpl__word_links){0};
}
