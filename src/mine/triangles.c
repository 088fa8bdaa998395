/*
 * triangles.c - lexicons and pairs of two languages through a third one.
 *
 * Two languages that have little in common may both have much in common with a third: English
 * and Tamil news through Sinhala. A lexicon composed of two others starts their run. When all
 * runs have their candidates, a candidate of one is compared with what two others imply, as
 * independent evidence: with confidences q of its own and r = p(a,b) p(b,c) implied, and the
 * probability e that a wrong pair is what wrong ones imply,
 *
 *     the same pair                    both are right, or both are wrong: q r against
 *                                      (1 - q) (1 - r) e, but not less than q or r
 *     pairs that exclude each other    only one can be right, or none:
 *                                      q (1 - r) / (1 - q r), r (1 - q) / (1 - q r)
 *
 * All runs are compared as they were before. Cost: linear in the candidates; of lexicons, in
 * the pairs of entries that meet in a word of the third language.
 */
#include "mine/triangles.h"

#include "base/ctx.h"
#include "base/order.h"
#include "mine/mine_params.h"

#include <math.h>
#include <stdlib.h>

#define NONE DPL_MINE_NO_DOC

/* ---- runs ------------------------------------------------------------------------------ */

/* A run and the side of a language in it. */
typedef struct leg {
    const dpl__pair_run *run; /* NULL: there is none */
    int side;
} leg;

static leg find_leg(const dpl_mine_result *m, size_t lang, size_t other)
{
    for (size_t i = 0; i < m->n_runs; i++)
        for (int side = 0; side < 2; side++)
            if (m->runs[i]->task.langs[side] == lang && m->runs[i]->task.langs[!side] == other)
                return (leg){m->runs[i], side};
    return (leg){0};
}

static bool is_empty(const dpl__pair_run *r)
{
    return dpl__is_nothing(&r->last->why_empty);
}

/* ---- lexicons -------------------------------------------------------------------------- */

typedef DPL_VEC(dpl_lexicon_entry) entry_vec;

/* Translations of one word, summed up over the words of the third language. */
typedef struct composing {
    dpl_ctx *ctx;
    entry_vec entries;
    double weight;
    float *sums;            /* of each word of the last column: 0 but at work */
    DPL_VEC(uint32_t) seen; /* words that are not 0 */
} composing;

static bool has_enough(const leg *l, double share)
{
    size_t n = 0;
    if (!l->run || is_empty(l->run) || !l->run->lexicon)
        return false;
    const dpl__doc_candidate_vec *pairs = &l->run->last->found.pairs;
    for (size_t i = 0; i < pairs->n; i++)
        n += pairs->data[i].confidence >= DPL__P(mine, train_confidence);
    const uint32_t *n_docs = l->run->corpus.n_docs;
    return (double)n >=
           fmax(DPL__P(mine, gold_pairs), share * (double)dpl__min(n_docs[0], n_docs[1]));
}

static uint32_t n_words(const leg *l, bool is_other)
{
    const dpl_lexicon_sizes *s = dpl_lexicon_get_sizes(l->run->lexicon);
    return (l->side != is_other) ? s->n_targets : s->n_sources;
}

static dpl_str word_of(const leg *l, bool is_other, uint32_t i)
{
    return (l->side != is_other) ? dpl_lexicon_target(l->run->lexicon, i)
                                 : dpl_lexicon_source(l->run->lexicon, i);
}

static const uint32_t *row_of(const leg *l, uint32_t word, const float **p, size_t *n)
{
    return l->side ? dpl_lexicon_back_row(l->run->lexicon, word, p, n)
                   : dpl_lexicon_row(l->run->lexicon, word, p, n);
}

static bool find_word(const leg *l, dpl_str word, uint32_t *out)
{
    return l->side ? dpl_lexicon_find_target(l->run->lexicon, word, out)
                   : dpl_lexicon_find_source(l->run->lexicon, word, out);
}

/* there: from the language to the third; back: from the third to the other. */
static bool compose_word(composing *x, const leg *there, const leg *back, uint32_t word)
{
    const float *p, *q;
    size_t n, k;
    const uint32_t *thirds = row_of(there, word, &p, &n);
    bool has_room = true;
    x->seen.n = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t third;
        if (!find_word(back, word_of(there, true, thirds[i]), &third))
            continue;
        const uint32_t *others = row_of(back, third, &q, &k);
        for (size_t j = 0; j < k; j++) {
            has_room = has_room &&
                       (x->sums[others[j]] > 0 || dpl__vec_push(x->ctx, &x->seen, others[j]));
            x->sums[others[j]] += p[i] * q[j];
        }
    }
    for (size_t i = 0; i < x->seen.n; i++) {
        float *sum = &x->sums[x->seen.data[i]];
        const dpl_lexicon_entry e = {.source = word_of(there, false, word),
                                     .target = word_of(back, true, x->seen.data[i]),
                                     .p = (float)(x->weight * fmin((double)*sum, 1))};
        if ((double)*sum >= DPL__P(mine, composed_least))
            has_room = has_room && dpl__vec_push(x->ctx, &x->entries, e);
        *sum = 0;
    }
    return has_room;
}

static dpl_status compose_through(composing *x, const leg *there, const leg *back,
                                  dpl_error *err)
{
    const size_t n = (size_t)n_words(back, true) + 1;
    x->sums = dpl__calloc(x->ctx, n, sizeof *x->sums);
    bool has_room = x->sums != NULL;
    for (uint32_t i = 0; i < n_words(there, false) && has_room; i++)
        has_room = compose_word(x, there, back, i);
    dpl__free(x->ctx, x->sums);
    return dpl__need(has_room, err);
}

dpl_status dpl__compose_lexicon(dpl_lexicon **out, const dpl_mine_result *m, size_t left,
                                size_t right, double share, dpl_error *err)
{
    composing x = {.ctx = m->ctx};
    double n_thirds = 0;
    dpl_status status = DPL_OK;
    *out = NULL;
    for (size_t third = 0; third < m->summary.n_langs; third++) {
        const leg there = find_leg(m, left, third), back = find_leg(m, third, right);
        n_thirds += has_enough(&there, share) && has_enough(&back, share);
    }
    x.weight = n_thirds > 0 ? 1 / n_thirds : 0;
    for (size_t third = 0; third < m->summary.n_langs && status == DPL_OK; third++) {
        const leg there = find_leg(m, left, third), back = find_leg(m, third, right);
        if (has_enough(&there, share) && has_enough(&back, share))
            status = compose_through(&x, &there, &back, err);
    }
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = m->langs[left].code,
                 .target_lang = m->langs[right].code);
    if (status == DPL_OK && x.entries.n)
        status = dpl_lexicon_from_entries(out, m->ctx, x.entries.data, x.entries.n, &o, err);
    dpl__vec_clear(m->ctx, &x.seen, &x.entries);
    return status;
}

/* ---- implied pairs --------------------------------------------------------------------- */

/* The counterpart of a document. */
typedef struct counterpart {
    uint32_t doc;
    double confidence;
} counterpart;

static uint32_t doc_of(const leg *l, dpl_doc_pair docs, bool is_other)
{
    const int side = is_other ? !l->side : l->side;
    return dpl__doc_as_read(&l->run->read.numbers[side], side ? docs.right : docs.left);
}

static size_t n_docs_read(const leg *l)
{
    const dpl__doc_numbers *numbers = &l->run->read.numbers[l->side];
    return numbers->read ? numbers->n_read
                         : dpl_collection_get_sizes(l->run->corpus.c[l->side])->n_docs;
}

static const dpl__doc_candidate_vec *candidates_of(const leg *l, bool is_final)
{
    return is_final ? &l->run->final.found.pairs : &l->run->last->found.pairs;
}

/* For each document of the leg's language, as read: its counterpart in the other language. */
static counterpart *list_counterparts(dpl_ctx *ctx, const leg *l, bool is_final)
{
    const dpl__doc_candidate_vec *pairs = candidates_of(l, is_final);
    const size_t n = n_docs_read(l) + 1;
    counterpart *of = dpl__alloc(ctx, n * sizeof *of);
    for (size_t i = 0; of && i < n; i++)
        of[i] = (counterpart){NONE, 0};
    for (size_t i = 0; of && i < pairs->n; i++) {
        const dpl__doc_candidate *c = &pairs->data[i];
        of[doc_of(l, c->docs, false)] = (counterpart){doc_of(l, c->docs, true), c->confidence};
    }
    return of;
}

/* Both legs begin at the third language. */
static dpl_status imply(dpl__implied_vec *out, dpl_ctx *ctx, const leg legs[2], bool is_final,
                        dpl_error *err)
{
    const leg *from = &legs[0], *to = &legs[1];
    if (!from->run || !to->run || is_empty(from->run) || is_empty(to->run))
        return DPL_OK;
    const dpl__doc_candidate_vec *lefts = candidates_of(from, is_final);
    counterpart *of = list_counterparts(ctx, to, is_final);
    bool has_room = of != NULL;
    for (size_t i = 0; i < lefts->n && has_room; i++) {
        const dpl__doc_candidate *c = &lefts->data[i];
        const counterpart *right = &of[doc_of(from, c->docs, false)];
        const dpl__implied one = {{doc_of(from, c->docs, true), right->doc},
                                  c->confidence * right->confidence};
        if (right->doc != NONE)
            has_room = dpl__vec_push(ctx, out, one);
    }
    dpl__free(ctx, of);
    return dpl__need(has_room, err);
}

DPL__ORDER(by_docs, dpl__implied, DPL__RISING(docs.left) DPL__RISING(docs.right))

dpl_status dpl__count_implied(double *out, const dpl_mine_result *m, size_t left, size_t right,
                              dpl_error *err)
{
    dpl_status status = DPL_OK;
    *out = 0;
    for (size_t third = 0; third < m->summary.n_langs && status == DPL_OK; third++) {
        const leg legs[2] = {find_leg(m, third, left), find_leg(m, third, right)};
        dpl__implied_vec implied = {0};
        double n = 0;
        status = imply(&implied, m->ctx, legs, false, err);
        for (size_t i = 0; i < implied.n; i++)
            n += implied.data[i].confidence >= DPL__P(mine, train_confidence);
        *out = fmax(*out, n);
        dpl__vec_clear(m->ctx, &implied);
    }
    return status;
}

dpl_status dpl__implied_by_pivot(dpl__implied_vec *out, const dpl_mine_result *m, size_t left,
                                 size_t right, dpl_error *err)
{
    const size_t pivot = (size_t)(m->summary.pivot - m->langs);
    const leg legs[2] = {find_leg(m, pivot, left), find_leg(m, pivot, right)};
    DPL_TRY(imply(out, m->ctx, legs, true, err));
    dpl__vec_sort(out, by_docs);
    return DPL_OK;
}

/* ---- support --------------------------------------------------------------------------- */

/* What other runs imply for one, with its own document numbers, one to one. */
typedef struct supporting {
    const dpl__pair_run *run;
    dpl_ctx *ctx;
    dpl__implied_vec implied;
    uint32_t *at[2]; /* of each document: its candidate; NONE: none */
    uint32_t n_docs[2];
    dpl__doc_candidate_vec made;
} supporting;

/* Gives rows the numbers of mined documents; documents that do not take part are left out. */
static void renumber(supporting *x)
{
    const dpl__pair_run *r = x->run;
    size_t n = 0;
    for (size_t i = 0; i < x->implied.n; i++) {
        dpl__implied one = x->implied.data[i];
        one.docs = (dpl_doc_pair){dpl__doc_as_mined(&r->read.numbers[0], one.docs.left),
                                  dpl__doc_as_mined(&r->read.numbers[1], one.docs.right)};
        if (one.docs.left != NONE && one.docs.right != NONE &&
            !r->corpus.skip[0][one.docs.left] && !r->corpus.skip[1][one.docs.right])
            x->implied.data[n++] = one;
    }
    x->implied.n = n;
}

/* Pairs that several languages imply become one. */
static void merge(supporting *x)
{
    size_t n = 0;
    dpl__vec_sort(&x->implied, by_docs);
    for (size_t i = 0; i < x->implied.n; i++) {
        const dpl__implied one = x->implied.data[i];
        dpl__implied *last = n ? &x->implied.data[n - 1] : NULL;
        if (last && by_docs(last, &one) == 0)
            last->confidence = 1 - (1 - last->confidence) * (1 - one.confidence);
        else
            x->implied.data[n++] = one;
    }
    x->implied.n = n;
}

/* Keeps the pair with the highest confidence among pairs that exclude each other; going by
 * confidence makes the order of documents irrelevant. */
static dpl_status choose(supporting *x, dpl_error *err)
{
    const size_t n = x->implied.n;
    dpl__ranked *order = dpl__alloc(x->ctx, (n + 1) * sizeof *order);
    uint8_t *taken[2] = {dpl__calloc(x->ctx, (size_t)x->n_docs[0] + 1, 1),
                         dpl__calloc(x->ctx, (size_t)x->n_docs[1] + 1, 1)};
    bool has_room = order && taken[0] && taken[1];
    dpl__implied_vec kept = {0};
    for (size_t i = 0; i < n && has_room; i++)
        order[i] = (dpl__ranked){x->implied.data[i].confidence,
                                 dpl__pair_key(&x->run->corpus, x->implied.data[i].docs), i};
    if (n && has_room)
        qsort(order, n, sizeof *order, dpl__by_rank);
    for (size_t i = 0; i < n && has_room; i++) {
        const dpl__implied one = x->implied.data[order[i].number];
        uint8_t *left = &taken[0][one.docs.left], *right = &taken[1][one.docs.right];
        if (!*left && !*right && one.confidence > 0)
            has_room = dpl__vec_push(x->ctx, &kept, one);
        *left = *right = 1;
    }
    dpl__vec_clear(x->ctx, &x->implied);
    x->implied = kept;
    for (int side = 0; side < 2; side++)
        dpl__free(x->ctx, taken[side]);
    dpl__free(x->ctx, order);
    return dpl__need(has_room, err);
}

/* A low confidence is no evidence against a pair that others are sure of: runs that find little
 * have low ones only. */
static double agree(double own, double implied)
{
    const double right = own * implied,
                 wrong = (1 - own) * (1 - implied) * DPL__P(mine, agree_by_chance);
    return fmax(fmax(own, implied), right + wrong > 0 ? right / (right + wrong) : 0);
}

/* Confidences of a pair that is implied and of the candidates that it excludes. Returns whether
 * it takes their place. */
static bool weigh(supporting *x, dpl__implied *one)
{
    dpl__doc_candidate *own[2] = {NULL, NULL};
    double alone = 1; /* that none of them is right */
    for (int side = 0; side < 2; side++) {
        const uint32_t i = x->at[side][side ? one->docs.right : one->docs.left];
        if (i != NONE && x->made.data[i].docs.left != NONE) {
            own[side] = &x->made.data[i];
            alone *= 1 - own[side]->confidence;
        }
    }
    if (own[0] && own[0] == own[1]) {
        own[0]->confidence = agree(own[0]->confidence, one->confidence);
        return false;
    }
    const double all = one->confidence * alone + 1 - one->confidence,
                 implied = all > 0 ? one->confidence * alone / all : 0;
    bool is_best = true;
    for (int side = 0; side < 2; side++)
        if (own[side]) {
            own[side]->confidence *= all > 0 ? (1 - one->confidence) / all : 1;
            is_best = is_best && implied > own[side]->confidence;
        }
    one->confidence = implied;
    return is_best;
}

/* A pair that was not compared takes the place of the candidates that it excludes. */
static bool replace(supporting *x, const dpl__implied *one)
{
    const dpl__doc_candidate c = {.docs = one->docs,
                                  .match = {.row = {DPL__NO_ROW, DPL__NO_ROW},
                                            .margin = 1,
                                            .lead = {1, 1},
                                            .taken = {DPL__NO_ROW, DPL__NO_ROW}},
                                  .confidence = one->confidence};
    for (int side = 0; side < 2; side++) {
        const uint32_t i = x->at[side][side ? one->docs.right : one->docs.left];
        if (i != NONE)
            x->made.data[i].docs.left = NONE; /* taken out below */
    }
    return dpl__vec_push(x->ctx, &x->made, c);
}

DPL__ORDER(by_left, dpl__doc_candidate, DPL__RISING(docs.left))

/* The candidates of the run, as they are with what is implied. */
static dpl_status support(supporting *x, dpl_error *err)
{
    const dpl__doc_candidate_vec *own = &x->run->last->found.pairs;
    renumber(x);
    merge(x);
    DPL_TRY(choose(x, err));
    for (int side = 0; side < 2; side++) {
        x->at[side] = dpl__alloc(x->ctx, ((size_t)x->n_docs[side] + 1) * sizeof *x->at[side]);
        DPL_TRY(dpl__need(x->at[side], err));
        for (uint32_t i = 0; i < x->n_docs[side]; i++)
            x->at[side][i] = NONE;
        for (size_t i = 0; i < own->n; i++)
            x->at[side][side ? own->data[i].docs.right : own->data[i].docs.left] = (uint32_t)i;
    }
    for (size_t i = 0; i < x->implied.n; i++) {
        dpl__implied *one = &x->implied.data[i];
        if (weigh(x, one) && !replace(x, one))
            return dpl__fail_nomem(err);
    }
    dpl__vec_sort(&x->made, by_left);
    while (x->made.n && x->made.data[x->made.n - 1].docs.left == NONE)
        x->made.n--;
    return DPL_OK;
}

static dpl_status support_run(dpl__doc_candidate_vec *made, const dpl_mine_result *m,
                              const dpl__pair_run *r, dpl_error *err)
{
    supporting x = {.run = r, .ctx = r->ctx};
    dpl_status status = DPL_OK;
    for (int side = 0; side < 2; side++)
        x.n_docs[side] = dpl_collection_get_sizes(r->corpus.c[side])->n_docs;
    const dpl__doc_candidate_vec *own = &r->last->found.pairs;
    if (!dpl__vec_append(x.ctx, &x.made, own->data, own->n))
        status = dpl__fail_nomem(err);
    for (size_t third = 0; third < m->summary.n_langs && status == DPL_OK; third++) {
        const leg legs[2] = {find_leg(m, third, r->task.langs[0]),
                             find_leg(m, third, r->task.langs[1])};
        status = imply(&x.implied, r->ctx, legs, false, err);
    }
    if (status == DPL_OK)
        status = support(&x, err);
    for (int side = 0; side < 2; side++)
        dpl__free(r->ctx, x.at[side]);
    dpl__vec_clear(r->ctx, &x.implied);
    *made = x.made;
    return status;
}

static dpl__doc_candidate_vec *own_candidates(dpl__pair_run *r)
{
    return &r->last->found.pairs;
}

dpl_status dpl__support_candidates(dpl_mine_result *m, dpl_error *err)
{
    dpl__doc_candidate_vec *made = dpl__calloc(m->ctx, m->n_runs + 1, sizeof *made);
    dpl_status status = dpl__need(made, err);
    for (size_t i = 0; i < m->n_runs && status == DPL_OK; i++)
        if (!is_empty(m->runs[i]))
            status = support_run(&made[i], m, m->runs[i], err);
    for (size_t i = 0; made && i < m->n_runs; i++) {
        if (status == DPL_OK && !is_empty(m->runs[i])) {
            const dpl__doc_candidate_vec before = *own_candidates(m->runs[i]);
            *own_candidates(m->runs[i]) = made[i];
            made[i] = before;
        }
        dpl__vec_clear(m->runs[i]->ctx, &made[i]);
    }
    dpl__free(m->ctx, made);
    return status;
}
