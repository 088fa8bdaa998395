/*
 * round.c - vectors, candidates, pairs with their confidence; sentences, a lexicon.
 *
 * Cost: the search; all else is linear in the documents.
 */
#include "mine/round.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "mine/align_sides.h"
#include "mine/confidence.h"
#include "mine/few_pairs.h"
#include "mine/floor.h"
#include "mine/gold.h"
#include "mine/mine_params.h"
#include "mine/ngram_search.h"
#include "mine/passages.h"
#include "mine/ranges.h"
#include "mine/sentence_search.h"
#include "mine/training_rows.h"
#include "par/sort.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Lexicons are learnt for the last judgement, too, which has its own name. */
static void enter(const dpl__comparable *p, const char *what, const char *time)
{
    if (p->round == DPL__NO_ROUND)
        return;
    dpl__stage_set(p->stage, "round %zu: %s", p->round, what);
    dpl__stage_time(p->stage, time);
}

/* ---- searching ---------------------------------------------------------------------- */

dpl_status dpl__round_vectors(dpl_vectors **out, double *known, const dpl__comparable *p,
                              int side, const uint8_t *skip, const dpl_lexicon *lexicon,
                              dpl_error *err)
{
    dpl_vectors_summary made = DPL_INIT(dpl_vectors_summary);
    char path[4100];
    snprintf(path, sizeof path, "%s/vectors-%s.dpl", p->work, side ? "right" : "left");
    dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .skip = skip, .into = p->lang[!side],
                                     .min_terms = lexicon ? p->min_terms : 0);
    if (!lexicon)
        o.spelling = (unsigned)DPL__P(mine, spelling_letters);
    if (p->sentences) { /* a name that occurs once on each side is all that some have */
        o.min_count = 1;
        o.min_terms = (unsigned)DPL__P(mine, sentence_terms);
    }
    DPL_TRY(dpl_vectors_make(&made, p->ctx, path, p->c[side],
                             lexicon && side != p->pivot ? lexicon : NULL, &o, err));
    if (lexicon && side != p->pivot && made.n_source_tokens)
        *known = (double)made.n_known_tokens / (double)made.n_source_tokens;
    dpl_status status = dpl_vectors_open(out, p->ctx, path, err);
    unlink(path); /* it stays as long as it is open */
    return status;
}

static dpl_status add_matches(dpl__doc_candidate_vec *out, const dpl__matches *matches,
                              dpl_vectors *const v[2], dpl_ctx *ctx, dpl_error *err)
{
    for (size_t i = 0; i < matches->n; i++) {
        const dpl__match *m = &matches->data[i];
        dpl__doc_candidate mined = {.docs = {m->row[0], m->row[1]}, .match = *m};
        if (v[0])
            mined.docs = (dpl_doc_pair){v[0]->docs[m->row[0]], v[1]->docs[m->row[1]]};
        if (!dpl__vec_push(ctx, out, mined))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static dpl_status match(dpl__doc_candidates *out, const dpl__comparable *p,
                        const dpl__neighbours *c, dpl_vectors *const v[2], unsigned turns,
                        dpl_error *err)
{
    dpl__matches matches = {0}, decoys = {0};
    dpl_status status = dpl__matches_find(&matches, c, NULL, turns, err);
    if (status == DPL_OK)
        status = add_matches(&out->pairs, &matches, v, p->ctx, err);
    if (status == DPL_OK)
        status = dpl__decoys_find(&decoys, c, &matches, turns, err);
    if (status == DPL_OK)
        status = add_matches(&out->decoys, &decoys, v, p->ctx, err);
    dpl__vec_clear(p->ctx, &decoys);
    dpl__vec_clear(p->ctx, &matches);
    return status;
}

/* ---- judging ------------------------------------------------------------------------ */

enum { MATCH_FEATURES = 4, ALL_FEATURES = 7 };

static double at_least_cosine(double x)
{
    return x > DPL__P(mine, least_cosine) ? x : DPL__P(mine, least_cosine);
}

/* As if the two had been found with that cosine, which is part of what is around both. */
static dpl__match with_score(dpl__match m, double score)
{
    double by = score / (double)m.score;
    double around = 2 * (double)m.score / (double)m.margin;
    around += 2 * (score - (double)m.score) / DPL__AROUND;
    m.score = (float)score;
    m.margin = (float)(2 * score / (at_least_cosine(around)));
    for (int side = 0; side < 2; side++)
        m.lead[side] *= (float)by;
    return m;
}

/* alignment NULL: not known. What is added keeps the best from counting without bound. */
static dpl__features features_of(const dpl__comparable *p, dpl__match m,
                                 const dpl__alignment_features *alignment)
{
    if (alignment && !p->passages)
        m = with_score(m, at_least_cosine(alignment->score));
    dpl__features f = {{dpl__log((double)m.margin), dpl__log((double)m.score),
                        dpl__log((double)m.lead[!p->pivot]),
                        dpl__log((double)m.lead[p->pivot])}};
    if (alignment) {
        f.x[MATCH_FEATURES] = -dpl__log(DPL__P(mine, aligned_offset) - alignment->aligned);
        f.x[MATCH_FEATURES + 1] =
            -dpl__log(DPL__P(mine, missing_offset) + alignment->words.missing);
        f.x[MATCH_FEATURES + 2] =
            -dpl__log(DPL__P(mine, worst_offset) + alignment->words.worst);
    }
    return f;
}

static dpl__features find_features(const dpl__comparable *p, const dpl__doc_candidate *m,
                                   const dpl__alignment_features *alignment)
{
    return p->sentences ? dpl__sentence_features(p, m) : features_of(p, m->match, alignment);
}

static void note_cosine(dpl__doc_candidates *f)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < f->pairs.n; i++)
        if (f->pairs.data[i].confidence >= DPL__P(mine, train_confidence)) {
            sum += (double)f->pairs.data[i].match.score;
            count++;
        }
    f->cosine = count > 0 ? sum / count : 0;
}

/* A pair or decoy as an example: they are added up by key, not by row. */
typedef struct judged {
    uint64_t key;
    float margin; /* one decoy may be found twice, among different rows */
    size_t i;     /* number of the pair, or of the decoy */
} judged;

static int by_key(const void *a, const void *b)
{
    const judged *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->margin < y->margin || x->margin > y->margin)
        return x->margin < y->margin ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

static void sort_judged(judged *out, const dpl__comparable *p, const dpl__doc_candidate_vec *f)
{
    for (size_t i = 0; i < f->n; i++)
        out[i] = (judged){dpl__pair_key(p, f->data[i].docs), f->data[i].match.margin, i};
    if (f->n)
        qsort(out, f->n, sizeof *out, by_key);
}

typedef struct judging {
    dpl__doc_candidates *found;
    const dpl__comparable *corpus;
    const dpl__alignment_features *alignment; /* NULL: not known */
    judged *pairs, *decoys;
    size_t *place; /* of each pair, among the examples */
    dpl__features *pair_features;
    dpl__decoy *decoy_features;
    double *confidence, *few_scores, *few_confidence;
} judging;

static void fill_examples(judging *x)
{
    const dpl__doc_candidates *f = x->found;
    size_t n = f->pairs.n;
    sort_judged(x->pairs, x->corpus, &f->pairs);
    sort_judged(x->decoys, x->corpus, &f->decoys);
    for (size_t k = 0; k < n; k++) {
        size_t i = x->pairs[k].i;
        x->place[i] = k;
        x->pair_features[k] =
            find_features(x->corpus, &f->pairs.data[i], x->alignment ? &x->alignment[i] : NULL);
    }
    for (size_t k = 0; k < f->decoys.n; k++) {
        size_t i = x->decoys[k].i;
        const dpl__match *m = &f->decoys.data[i].match;
        dpl__decoy *decoy = &x->decoy_features[k];
        decoy->features = find_features(x->corpus, &f->decoys.data[i],
                                        x->alignment ? &x->alignment[n + i] : NULL);
        for (int side = 0; side < 2; side++) {
            uint32_t taken = m->taken[side ? x->corpus->pivot : !x->corpus->pivot];
            bool counts_whole = f->is_by_spelling || x->corpus->sentences;
            decoy->taken[side] =
                counts_whole || taken == DPL__NO_ROW ? DPL__NO_PAIR : (uint32_t)x->place[taken];
        }
    }
}

/* Of the smaller side; near-copies count once. */
static uint32_t count_docs(const dpl__comparable *p)
{
    return (uint32_t)dpl__min(p->n_docs[0] - p->n_copies[0], p->n_docs[1] - p->n_copies[1]);
}

/* Where few documents have a counterpart, what the model learns is chance (few_pairs.h). */
static void judge_few(judging *x)
{
    dpl__doc_candidates *f = x->found;
    size_t n = f->pairs.n;
    for (size_t i = 0; i < n; i++)
        x->few_scores[x->place[i]] =
            dpl__few_pairs_score(x->corpus, &f->pairs.data[i].match, &x->alignment[i]);
    double n_docs = count_docs(x->corpus),
           right = dpl__few_pairs_fit(x->few_confidence, x->few_scores, n);
    if (right >= DPL__P(mine, few_paired) * n_docs)
        return;
    f->has_few = true;
    f->alone = 1 - right / n_docs;
    memcpy(x->confidence, x->few_confidence, n * sizeof *x->confidence);
}

static dpl_status judge(judging *x, dpl_error *err)
{
    const dpl__comparable *p = x->corpus;
    dpl__doc_candidates *f = x->found;
    dpl__confidence model;
    fill_examples(x);
    dpl__confidence_input in = {.pairs = x->pair_features,
                                .n_pairs = f->pairs.n,
                                .decoys = x->decoy_features,
                                .n_decoys = f->decoys.n,
                                .n_features = p->sentences   ? DPL__SENTENCE_FEATURES
                                              : x->alignment ? ALL_FEATURES
                                                             : MATCH_FEATURES,
                                .n_docs = p->is_sampling ? p->n_sampled : count_docs(p),
                                .is_cautious = !p->passages};
    for (int side = 0; side < 2 && !p->sentences; side++)
        in.n_side[side] = p->is_sampling && side == p->sampled_side
                              ? p->n_sampled
                              : p->n_docs[side] - p->n_copies[side];
    DPL_TRY(dpl__confidence_fit(&model, x->confidence, p->ctx, &in, err));
    f->alone = model.alone;
    f->has_few = false;
    if (x->alignment && !p->sentences && f->alone > DPL__P(mine, few_model_unpaired))
        judge_few(x);
    for (size_t i = 0; i < f->pairs.n; i++)
        f->pairs.data[i].confidence = x->confidence[x->place[i]];
    note_cosine(f);
    return DPL_OK;
}

dpl_status dpl__estimate_confidence(dpl__doc_candidates *f, const dpl__comparable *p,
                                    const dpl__alignment_features *alignment, dpl_error *err)
{
    size_t n = f->pairs.n + 1, n_decoys = f->decoys.n + 1;
    judging x = {.found = f,
                 .corpus = p,
                 .alignment = alignment,
                 .pairs = dpl__alloc(p->ctx, n * sizeof *x.pairs),
                 .decoys = dpl__alloc(p->ctx, n_decoys * sizeof *x.decoys),
                 .place = dpl__alloc(p->ctx, n * sizeof *x.place),
                 .pair_features = dpl__alloc(p->ctx, n * sizeof *x.pair_features),
                 .decoy_features = dpl__alloc(p->ctx, n_decoys * sizeof *x.decoy_features),
                 .confidence = dpl__alloc(p->ctx, n * sizeof *x.confidence),
                 .few_scores = dpl__alloc(p->ctx, n * sizeof *x.few_scores),
                 .few_confidence = dpl__alloc(p->ctx, n * sizeof *x.few_confidence)};
    bool has_memory = x.pairs && x.decoys && x.place && x.pair_features && x.decoy_features &&
                      x.confidence && x.few_scores && x.few_confidence;
    dpl_status status = has_memory ? judge(&x, err) : dpl__fail_nomem(err);
    dpl__free(p->ctx, x.few_confidence, n * sizeof *x.few_confidence);
    dpl__free(p->ctx, x.few_scores, n * sizeof *x.few_scores);
    dpl__free(p->ctx, x.confidence, n * sizeof *x.confidence);
    dpl__free(p->ctx, x.decoy_features, n_decoys * sizeof *x.decoy_features);
    dpl__free(p->ctx, x.pair_features, n * sizeof *x.pair_features);
    dpl__free(p->ctx, x.place, n * sizeof *x.place);
    dpl__free(p->ctx, x.decoys, n_decoys * sizeof *x.decoys);
    dpl__free(p->ctx, x.pairs, n * sizeof *x.pairs);
    return status;
}

/* Sums of votes have a wide range: their fourth root is drawn. */
static void draw_cosines(dpl__doc_candidates *f, const dpl__neighbours *c, bool are_votes)
{
    for (size_t k = 0; k < 2; k++) {
        f->cosines[k] = (dpl__histogram){.low = 0, .high = 1};
        for (size_t row = 0; row < c->n[DPL__LEFT]; row++) {
            const dpl__near *near = &c->near[DPL__LEFT][row * DPL__NEAREST + k];
            double x = (double)near->score;
            if (near->row != DPL__NO_ROW)
                dpl__histogram_add(&f->cosines[k], are_votes ? sqrt(sqrt(x)) : x);
        }
    }
}

void dpl__doc_candidates_clear(dpl__doc_candidates *f, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &f->pairs);
    dpl__vec_clear(ctx, &f->decoys);
}

const uint8_t *dpl__round_skip(const dpl__comparable *p, int side)
{
    return p->is_sampling && side == p->sampled_side ? p->sample : p->skip[side];
}

static dpl_status make_vectors(dpl_vectors *v[2], double *known, const dpl__comparable *p,
                               const dpl_lexicon *lexicon, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        bool is_kept = lexicon && side == p->pivot && p->pivot_vectors;
        if (is_kept)
            v[side] = *p->pivot_vectors;
        if (!v[side])
            DPL_TRY(dpl__round_vectors(&v[side], known, p, side, dpl__round_skip(p, side),
                                       lexicon, err));
        if (is_kept)
            *p->pivot_vectors = v[side];
        if (dpl_vectors_get_sizes(v[side])->n_rows == 0)
            return dpl__fail(err, DPL_E_NOTHING,
                             "no document in '%s' has enough words to be compared",
                             p->lang[side]);
    }
    return DPL_OK;
}

/* Where nearly all documents have a counterpart, what is left over after the first turn belongs
 * together as well. Elsewhere a second turn would mostly find siblings. */
static dpl_status choose(dpl__doc_candidates *out, const dpl__comparable *p,
                         const dpl__neighbours *c, dpl_vectors *const v[2], dpl_error *err)
{
    DPL_TRY(match(out, p, c, v, 1, err));
    DPL_TRY(dpl__estimate_confidence(out, p, NULL, err));
    if (out->alone > DPL__P(mine, few_unpaired) || p->passages)
        return DPL_OK;
    out->pairs.n = out->decoys.n = 0;
    DPL_TRY(match(out, p, c, v, 2, err));
    return dpl__estimate_confidence(out, p, NULL, err);
}

/* The least cosine to look for: in a large collection a higher one (floor.h). */
static dpl_status raise_threshold(dpl_pairs_options *o, const dpl__comparable *p,
                                  dpl_vectors *const v[2], dpl_error *err)
{
    double typical = 0;
    o->threshold = DPL__P(mine, least_cosine);
    if (!p->is_large || o->method == DPL_PAIRS_WINDOW)
        return DPL_OK;
    DPL_TRY(dpl__floor_of_rows(&typical, p, v, err));
    o->threshold = fmax(o->threshold, fmax(typical, p->floor));
    return DPL_OK;
}

static double words_per_doc(const dpl__comparable *p)
{
    double n_words = 0, n_docs = 0;
    for (int side = 0; side < 2; side++) {
        n_words += (double)dpl_collection_get_sizes(p->c[side])->n_tokens;
        n_docs += dpl_collection_get_sizes(p->c[side])->n_docs;
    }
    return n_docs > 0 ? n_words / n_docs : 0;
}

bool dpl_mine_prefers_ngrams(uint64_t n_left, uint64_t n_right, double words)
{
    double exact = DPL__P(mine, exact_ns) * (double)n_left * (double)n_right;
    double ngrams = DPL__P(mine, ngram_ns) * words * ((double)n_left + (double)n_right);
    return exact > DPL__P(mine, ngram_times) * ngrams;
}

/* Without a lexicon there is nothing to translate with. By itself only the last search, with
 * all documents of a large collection, is one by n-grams. */
static bool wants_ngrams(const dpl__comparable *p, dpl_vectors *const v[2],
                         const dpl_lexicon *lexicon, dpl_pairs_method method)
{
    if (!lexicon || p->sentences)
        return false;
    if (method != DPL_PAIRS_AUTO)
        return method == DPL_PAIRS_NGRAM;
    return p->is_large && !p->is_sampling &&
           dpl_mine_prefers_ngrams(dpl_vectors_get_sizes(v[0])->n_rows,
                                   dpl_vectors_get_sizes(v[1])->n_rows, words_per_doc(p));
}

/* Neighbours by n-grams; not where these find too little and the method was not asked for. */
static dpl_status search_ngrams(dpl__neighbours *c, dpl_vectors *v[2], dpl__doc_candidates *out,
                                const dpl__comparable *p, const dpl_lexicon *lexicon,
                                dpl_error *err)
{
    dpl__row_docs rows = {.keys = {p->keys[0], p->keys[1]},
                          .groups = {p->groups[0], p->groups[1]}};
    DPL_TRY(dpl__ngram_neighbours_find(c, p, v, &rows, lexicon, out->least_cosine, err));
    out->search = DPL_PAIRS_NGRAM;
    if (p->options->search->method == DPL_PAIRS_AUTO && !c->recall_check.is_empty &&
        c->recall_check.recall < DPL__P(mine, ngram_recall)) {
        dpl__neighbours_clear(c);
        *c = (dpl__neighbours){.ctx = p->ctx};
        out->search = DPL_PAIRS_EXACT;
    }
    return DPL_OK;
}

static dpl_status search_documents(dpl__neighbours *c, dpl_vectors *v[2],
                                   dpl__doc_candidates *out, dpl_pairs_options *o,
                                   const dpl__comparable *p, const dpl_lexicon *lexicon,
                                   dpl_error *err)
{
    dpl__row_docs rows = {.keys = {p->keys[0], p->keys[1]},
                          .groups = {p->groups[0], p->groups[1]}};
    DPL_TRY(make_vectors(v, &out->known, p, lexicon, err));
    DPL_TRY(raise_threshold(o, p, v, err));
    out->least_cosine = o->threshold;
    if (wants_ngrams(p, v, lexicon, p->options->search->method)) {
        DPL_TRY(search_ngrams(c, v, out, p, lexicon, err));
        if (out->search == DPL_PAIRS_NGRAM)
            return DPL_OK;
    }
    if (p->sentences)
        return dpl__sentence_neighbours_find(c, p, v, &rows, lexicon, o, err);
    return dpl__neighbours_find(c, p->ctx, v[0], v[1], &rows, o, err);
}

dpl_status dpl__round_search(dpl__doc_candidates *out, const dpl__comparable *p,
                             const dpl_lexicon *lexicon, dpl_error *err)
{
    *out = (dpl__doc_candidates){.is_by_spelling = !lexicon};
    dpl_vectors *v[2] = {NULL, NULL};
    dpl__neighbours c = {.ctx = p->ctx};
    dpl_pairs_options o = *p->options->search;
    o.spill_dir = p->work;
    if (o.method == DPL_PAIRS_AUTO || o.method == DPL_PAIRS_NGRAM)
        o.method = DPL_PAIRS_EXACT; /* what a plan always says for such a threshold */
    out->search = o.method;
    enter(p, "searching", p->is_sampling ? "sample search" : "search");
    dpl_status status =
        p->passages ? dpl__passages_neighbours(&c, &out->known, p->passages, lexicon, err)
                    : search_documents(&c, v, out, &o, p, lexicon, err);
    if (status == DPL_OK && p->gold) {
        const uint32_t *const docs[2] = {v[0] ? v[0]->docs : NULL, v[1] ? v[1]->docs : NULL};
        status = dpl__gold_filter(&c, p->gold, docs, err);
    }
    if (status == DPL_OK) {
        out->receipt = c.recall_check;
        draw_cosines(out, &c, p->passages != NULL);
        status = choose(out, p, &c, v, err);
    }
    dpl__neighbours_clear(&c);
    for (int side = 0; side < 2; side++)
        if (!p->pivot_vectors || v[side] != *p->pivot_vectors)
            dpl_vectors_close(v[side]);
    if (status != DPL_OK)
        dpl__doc_candidates_clear(out, p->ctx);
    return status;
}

/* ---- learning ----------------------------------------------------------------------- */

void dpl__bead_tokens(dpl__token_run out[2], const dpl_collection *const c[2],
                      const dpl_aligned_docs *a, const dpl_bead *b)
{
    const uint32_t *left = a->units[0] + b->left, *right = a->units[1] + b->right;
    out[0] = dpl__sentence_tokens(c[0], a->docs.left, left[0], left[b->n_left]);
    out[1] = dpl__sentence_tokens(c[1], a->docs.right, right[0], right[b->n_right]);
}

/* Where documents are compared by passages, only what lies within ranges is learnt from. */
typedef struct rows_taker {
    dpl__training_rows *rows;
    bool has_ranges;
    dpl__ranges ranges;
} rows_taker;

static dpl_status take_rows(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    rows_taker *t = user;
    dpl__training_rows *l = t->rows;
    dpl_aligned_docs within = *docs, *a = &within;
    if (t->has_ranges) {
        DPL_TRY(dpl__ranges_find(&t->ranges, l->ctx, l->collection, docs, err));
        within.beads = t->ranges.beads.data;
        within.n_beads = t->ranges.beads.n;
    }
    for (size_t i = 0; i < a->n_beads; i++) {
        const dpl_bead *b = &a->beads[i];
        if (b->verdict != DPL_VERDICT_KEPT && b->verdict != DPL_VERDICT_IDENTICAL)
            continue; /* what is left untranslated belongs to a lexicon, too */
        dpl__token_run sides[2];
        dpl__bead_tokens(sides, l->collection, a, b);
        DPL_TRY(dpl__training_rows_add(l, sides[0].tokens, sides[0].n, sides[1].tokens,
                                       sides[1].n, err));
    }
    return DPL_OK;
}

/* By key: the order of rows decides about rounding. */
static dpl_status sort_pairs(dpl_doc_pair *out, const dpl__comparable *p,
                             const dpl_doc_pair *pairs, size_t n, dpl_error *err)
{
    judged *sorted = dpl__alloc(p->ctx, (n + 1) * sizeof *sorted);
    if (!sorted)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        sorted[i] = (judged){dpl__pair_key(p, pairs[i]), 0, i};
    dpl_status status = dpl__parallel_sort(p->ctx, sorted, n, sizeof *sorted, by_key, err);
    for (size_t i = 0; i < n && status == DPL_OK; i++)
        out[i] = pairs[sorted[i].i];
    dpl__free(p->ctx, sorted, (n + 1) * sizeof *sorted);
    return status;
}

/* Single sentences need no alignment. */
static dpl_status add_pairs(dpl__training_rows *rows, const dpl__comparable *p,
                            const dpl_doc_pair *pairs, size_t n_pairs, dpl_error *err)
{
    for (size_t i = 0; i < n_pairs; i++) {
        size_t n[2];
        const uint32_t *left = dpl_collection_tokens(p->c[0], pairs[i].left, &n[0]),
                       *right = dpl_collection_tokens(p->c[1], pairs[i].right, &n[1]);
        DPL_TRY(dpl__training_rows_add(rows, left, n[0], right, n[1], err));
    }
    return DPL_OK;
}

dpl_status dpl__round_learn(dpl_train_summary *summary, const dpl__comparable *p,
                            const dpl_doc_pair *pairs, size_t n_pairs,
                            const dpl_lexicon *lexicon, const char *path, dpl_error *err)
{
    dpl__training_rows rows = {.ctx = p->ctx,
                               .collection = {p->c[0], p->c[1]},
                               .lang = {p->lang[0], p->lang[1]},
                               .is_stemmed = p->is_stemmed,
                               .is_mirrored = p->pivot};
    dpl_doc_pair *sorted = dpl__alloc(p->ctx, (n_pairs + 1) * sizeof *sorted);
    rows_taker taker = {.rows = &rows, .has_ranges = p->passages != NULL};
    enter(p, "aligning", "round alignment");
    dpl_status status =
        sorted ? sort_pairs(sorted, p, pairs, n_pairs, err) : dpl__fail_nomem(err);
    if (status == DPL_OK && p->sentences)
        status = add_pairs(&rows, p, sorted, n_pairs, err);
    else if (status == DPL_OK)
        status = dpl__align_sides(NULL, p, sorted, n_pairs, lexicon, p->options->sentences,
                                  take_rows, &taker, err);
    dpl__free(p->ctx, sorted, (n_pairs + 1) * sizeof *sorted);
    dpl__ranges_clear(&taker.ranges, p->ctx);
    if (status == DPL_OK && p->passages)
        status = dpl__passages_learn(&rows, p->passages, pairs, n_pairs, lexicon, err);
    enter(p, "training", "training");
    if (status == DPL_OK)
        status = dpl__training_rows_train(summary, &rows, path, err);
    dpl__training_rows_clear(&rows);
    return status;
}
