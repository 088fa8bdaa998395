/*
 * untranslated.c - for each word of a bead: does a translation of it stand on the other side?
 *
 * A word weighs the more the rarer it is, and counts by the share of its occurrences, of those
 * that the lexicon was learnt from, that are in other documents. Cost: linear in the words,
 * times the translations of each.
 */
#include "mine/untranslated.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "mine/mine_params.h"
#include "mine/round.h"
#include "par/pool.h"

/* ---- tables ------------------------------------------------------------------------- */

/* Of some terms of a side. */
typedef struct maker {
    dpl__untranslated *d;
    const dpl_lexicon *lexicon;
    int side;
    dpl_ctx *ctx;
    uint32_t first, end;
    DPL_VEC(uint32_t) others;
    size_t n_before; /* others of the parts before */
} maker;

enum { PART_TERMS = 2048 };

typedef struct making {
    dpl__untranslated *d;
    const dpl_lexicon *lexicon;
    maker *parts; /* left ones first */
    size_t n_parts[2];
} making;

static bool find_word(const maker *m, dpl_str text, uint32_t *word)
{
    return m->side ? dpl_lexicon_find_target(m->lexicon, text, word)
                   : dpl_lexicon_find_source(m->lexicon, text, word);
}

static dpl_status add_other(maker *m, dpl_str text, dpl_error *err)
{
    uint32_t term;
    if (dpl_collection_find_term(m->d->side[!m->side].c, text, &term) &&
        !dpl__vec_push(m->ctx, &m->others, term))
        return dpl__fail_nomem(err);
    return DPL_OK;
}

static dpl_status add_translations(maker *m, uint32_t word, dpl_error *err)
{
    size_t n;
    const float *p;
    const uint32_t *row = m->side ? dpl_lexicon_back_row(m->lexicon, word, &p, &n)
                                  : dpl_lexicon_row(m->lexicon, word, &p, &n);
    for (size_t i = 0; i < n; i++)
        if (p[i] >= (float)DPL__P(mine, least_translation))
            DPL_TRY(add_other(m,
                              m->side ? dpl_lexicon_source(m->lexicon, row[i])
                                      : dpl_lexicon_target(m->lexicon, row[i]),
                              err));
    return DPL_OK;
}

static dpl_status add_term(maker *m, uint32_t term, dpl_error *err)
{
    dpl__untranslated_side *s = &m->d->side[m->side];
    dpl_str text = dpl_collection_term(s->c, term);
    uint32_t word;
    s->weight[term] = (float)dpl__log1p((double)dpl_collection_get_sizes(s->c)->n_docs /
                                        (double)dpl_collection_doc_count(s->c, term));
    s->begin[term] = (uint32_t)m->others.n;
    if (find_word(m, text, &word)) {
        s->count[term] = (float)dpl_lexicon_count(m->lexicon, m->side, word);
        DPL_TRY(add_translations(m, word, err));
    }
    return add_other(m, text, err);
}

static bool make_scratch(dpl__untranslated_side *s, dpl_ctx *ctx)
{
    s->bead = dpl__calloc(ctx, s->n + 1, sizeof *s->bead);
    s->own = dpl__calloc(ctx, s->n + 1, sizeof *s->own);
    s->missing = dpl__calloc(ctx, s->n + 1, sizeof *s->missing);
    return s->bead && s->own && s->missing;
}

static bool make_tables(dpl__untranslated_side *s, dpl_ctx *ctx)
{
    const size_t n = s->n;
    s->begin = dpl__alloc(ctx, (n + 1) * sizeof *s->begin);
    s->weight = dpl__alloc(ctx, (n + 1) * sizeof *s->weight);
    s->count = dpl__calloc(ctx, n + 1, sizeof *s->count);
    return s->begin && s->weight && s->count && make_scratch(s, ctx);
}

static dpl_status make_part(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const making *x = user;
    const int side = i >= x->n_parts[0];
    const size_t first = (i - (side ? x->n_parts[0] : 0)) * PART_TERMS;
    maker *m = &x->parts[i];
    (void)worker;
    *m = (maker){.d = x->d,
                 .lexicon = x->lexicon,
                 .side = side,
                 .ctx = x->d->ctx,
                 .first = (uint32_t)first,
                 .end = (uint32_t)dpl__min(first + PART_TERMS, x->d->side[side].n)};
    for (uint32_t term = m->first; term < m->end; term++)
        DPL_TRY(add_term(m, term, err));
    return DPL_OK;
}

/* To its place among what other parts have found. */
static void place_part(void *user, size_t i)
{
    const making *x = user;
    const maker *m = &x->parts[i];
    dpl__untranslated_side *s = &x->d->side[m->side];
    for (uint32_t term = m->first; term < m->end; term++)
        s->begin[term] += (uint32_t)m->n_before;
    if (m->others.n)
        memcpy(s->others + m->n_before, m->others.data, m->others.n * sizeof *s->others);
}

static dpl_status make(making *x, dpl_error *err)
{
    dpl_ctx *ctx = x->d->ctx;
    const size_t n_parts = x->n_parts[0] + x->n_parts[1];
    DPL_TRY(
        dpl__need(make_tables(&x->d->side[0], ctx) && make_tables(&x->d->side[1], ctx), err));
    DPL_TRY(dpl__parallel_for(ctx, n_parts, x, make_part, err));
    for (size_t i = 0; i < n_parts; i++) {
        dpl__untranslated_side *s = &x->d->side[x->parts[i].side];
        x->parts[i].n_before = s->n_others;
        s->n_others += x->parts[i].others.n;
    }
    for (int side = 0; side < 2; side++) {
        dpl__untranslated_side *s = &x->d->side[side];
        s->begin[s->n] = (uint32_t)s->n_others;
        s->others = dpl__alloc(ctx, (s->n_others + 1) * sizeof *s->others);
        DPL_TRY(dpl__need(s->others, err));
    }
    return dpl__parallel_each(ctx, n_parts, x, place_part, err);
}

dpl_status dpl__untranslated_init(dpl__untranslated *d, dpl_ctx *ctx,
                                  const dpl_collection *const c[2], const dpl_lexicon *lexicon,
                                  dpl_error *err)
{
    *d = (dpl__untranslated){.ctx = ctx};
    making x = {.d = d, .lexicon = lexicon};
    for (int side = 0; side < 2; side++) {
        d->side[side] = (dpl__untranslated_side){
            .c = c[side], .n = dpl_collection_get_sizes(c[side])->n_terms};
        x.n_parts[side] = ((size_t)d->side[side].n + PART_TERMS - 1) / PART_TERMS;
    }
    const size_t n_parts = x.n_parts[0] + x.n_parts[1];
    x.parts = dpl__calloc(ctx, n_parts + 1, sizeof *x.parts);
    DPL_TRY(dpl__need(x.parts, err));
    const dpl_status status = make(&x, err);
    for (size_t i = 0; i < n_parts; i++)
        dpl__vec_clear(ctx, &x.parts[i].others);
    dpl__free(ctx, x.parts);
    if (status != DPL_OK)
        dpl__untranslated_clear(d);
    return status;
}

dpl_status dpl__untranslated_share(dpl__untranslated *out, const dpl__untranslated *first,
                                   dpl_error *err)
{
    *out = *first;
    out->is_shared = true;
    out->n_beads = 0;
    bool has_memory = true;
    for (int side = 0; side < 2; side++)
        has_memory = make_scratch(&out->side[side], out->ctx) && has_memory;
    if (has_memory)
        return DPL_OK;
    dpl__untranslated_clear(out);
    return dpl__fail_nomem(err);
}

void dpl__untranslated_clear(dpl__untranslated *d)
{
    if (!d->ctx)
        return;
    for (int side = 0; side < 2; side++) {
        dpl__untranslated_side *s = &d->side[side];
        dpl__free(d->ctx, s->bead, s->own, s->missing);
        if (d->is_shared)
            continue;
        dpl__free(d->ctx, s->begin, s->weight, s->count, s->others);
    }
    *d = (dpl__untranslated){.ctx = d->ctx};
}

/* ---- asking ------------------------------------------------------------------------- */

typedef struct answer {
    double all, missing, worst;
} answer;

static void count_own(dpl__untranslated_side *s, uint32_t doc)
{
    size_t n;
    const uint32_t *counts, *terms = dpl_collection_row(s->c, doc, &counts, &n);
    for (size_t i = 0; i < n; i++)
        s->own[terms[i]] = counts[i];
}

static void forget_own(dpl__untranslated_side *s, uint32_t doc)
{
    size_t n;
    const uint32_t *counts, *terms = dpl_collection_row(s->c, doc, &counts, &n);
    for (size_t i = 0; i < n; i++) {
        s->own[terms[i]] = 0;
        s->missing[terms[i]] = 0;
    }
}

static bool has_translation(const dpl__untranslated *d, int side, uint32_t term)
{
    const dpl__untranslated_side *s = &d->side[side];
    for (uint32_t i = s->begin[term]; i < s->begin[term + 1]; i++)
        if (d->side[!side].bead[s->others[i]] == d->n_beads)
            return true;
    return false;
}

/* What the lexicon does not know speaks for a pair when it stands on both sides, but not
 * against it. */
static void ask_word(answer *h, dpl__untranslated *d, int side, uint32_t term)
{
    dpl__untranslated_side *s = &d->side[side];
    bool is_there = has_translation(d, side, term);
    double count = (double)s->count[term], own = s->own[term];
    double elsewhere = count > own ? (count - own) / count : count > 0 || !is_there ? 0 : 1;
    double weight = (double)s->weight[term] * elsewhere;
    h->all += weight;
    if (is_there)
        return;
    h->missing += weight;
    s->missing[term] += weight;
    if (s->missing[term] > h->worst)
        h->worst = s->missing[term];
}

static void ask_bead(answer h[2], dpl__untranslated *d, const dpl_aligned_docs *a,
                     const dpl_bead *b)
{
    const dpl_collection *const c[2] = {d->side[0].c, d->side[1].c};
    dpl__token_run sides[2];
    dpl__bead_tokens(sides, c, a, b);
    d->n_beads++;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side].n; i++)
            d->side[side].bead[sides[side].tokens[i]] = d->n_beads;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side].n; i++)
            ask_word(&h[side], d, side, sides[side].tokens[i]);
}

dpl__untranslated_weight dpl__untranslated_measure(dpl__untranslated *d,
                                                   const dpl_aligned_docs *a)
{
    uint32_t docs[2] = {a->docs.left, a->docs.right};
    answer h[2] = {{0, 0, 0}, {0, 0, 0}};
    dpl__untranslated_weight t = {0};
    for (int side = 0; side < 2; side++)
        count_own(&d->side[side], docs[side]);
    for (size_t i = 0; i < a->n_beads; i++)
        ask_bead(h, d, a, &a->beads[i]);
    for (int side = 0; side < 2; side++) {
        forget_own(&d->side[side], docs[side]);
        if (h[side].all <= 0)
            continue;
        t.missing += h[side].missing / h[side].all / 2;
        t.worst += h[side].worst / h[side].all / 2;
    }
    return t;
}
