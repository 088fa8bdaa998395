/*
 * align_learn.c - lengths, bead types and words, estimated from a sample of the document pairs.
 *
 * Two rounds: align the sample, estimate, align it again with what was learnt. The sample's
 * beads are counted in the order of the pairs, so that the model does not depend on threads.
 */
#include "sentences/align.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/order.h"
#include "par/pool.h"
#include "sentences/learn_links.h"
#include "sentences/priors.h"
#include "sentences/sentences_params.h"
#include "sentences/shape_em.h"
#include "sentences/word_trial.h"

#include <stdlib.h>

typedef struct sampled {
    DPL_VEC(dpl_bead) beads;
    dpl__prior_counts counts;
} sampled;

typedef struct round {
    dpl_sentences *s;
    sampled *all;
    size_t n, step; /* every step-th pair of the sample, n in all */
    size_t share;   /* most units of one pair */
} round;

void dpl__align_free_aligners(dpl_sentences *s)
{
    for (unsigned i = 0; i < s->n_workers && s->workers; i++) {
        dpl__bead_aligner_free(s->workers[i].aligner);
        s->workers[i].aligner = NULL;
    }
}

static dpl_status make_aligner(void *user, size_t i, unsigned worker, dpl_error *err)
{
    dpl_sentences *s = user;
    (void)worker;
    dpl__bead_aligner_free(s->workers[i].aligner);
    return dpl__bead_aligner_new(&s->workers[i].aligner, s->ctx, &s->model, err);
}

/* Each has tables of all terms, which take as long to clear as there are threads. */
dpl_status dpl__align_make_aligners(dpl_sentences *s, dpl_error *err)
{
    return dpl__parallel_for(s->ctx, s->n_workers, s, make_aligner, err);
}

typedef struct drawn {
    uint64_t key;
    size_t pair;
} drawn;

DPL__ORDER(by_key, drawn, DPL__RISING(key) DPL__RISING(pair))

static uint64_t hash_doc(const dpl_collection *c, uint32_t doc)
{
    size_t n;
    const uint32_t *tokens = dpl_collection_tokens(c, doc, &n);
    return dpl__hash(tokens, n * sizeof *tokens, n);
}

enum { HASHED = 256 }; /* pairs of a part */

typedef struct hashing {
    const dpl_sentences *s;
    drawn *pairs;
} hashing;

static void hash_pairs(void *user, size_t part)
{
    const hashing *h = user;
    const dpl_sentences *s = h->s;
    const size_t end = dpl__min((part + 1) * HASHED, s->n_learn);
    for (size_t i = part * HASHED; i < end; i++)
        h->pairs[i] = (drawn){dpl__mix(hash_doc(s->c[0], s->learn[i].left)) +
                                  hash_doc(s->c[1], s->learn[i].right),
                              i};
}

/* Pairs in the order of a hash of their content, whatever order they come in, until there are
 * enough units; of a long one no more than its share. */
static dpl_status draw_sample(dpl_sentences *s, drawn *pairs, dpl_error *err)
{
    uint64_t all = 0;
    s->share = s->sample_units / dpl__min(s->n_learn + 1, PN(sample_pairs)) + 1;
    hashing h = {s, pairs};
    DPL_TRY(
        dpl__parallel_each(s->ctx, (s->n_learn + HASHED - 1) / HASHED, &h, hash_pairs, err));
    for (size_t i = 0; i < s->n_learn; i++)
        all += dpl__min(dpl__align_n_units(s, s->learn[i]), s->share);
    if (s->n_learn)
        qsort(pairs, s->n_learn, sizeof *pairs, by_key);
    size_t n = s->n_learn / ((size_t)(all / s->sample_units) + 1) + 1;
    for (size_t i = 0; i < dpl__min(n, s->n_learn) && s->n_sampled <= 2 * s->sample_units;
         i++) {
        const dpl_doc_pair docs = s->learn[pairs[i].pair];
        s->n_sampled += dpl__min(dpl__align_n_units(s, docs), s->share);
        DPL_TRY(dpl__need(dpl__vec_push(s->ctx, &s->sample, docs), err));
    }
    return DPL_OK;
}

static dpl_status choose_sample(dpl_sentences *s, dpl_error *err)
{
    drawn *pairs = dpl__alloc(s->ctx, (s->n_learn + 1) * sizeof *pairs);
    DPL_TRY(dpl__need(pairs, err));
    dpl_status status = draw_sample(s, pairs, err);
    dpl__free(s->ctx, pairs);
    return status;
}

/* ---- the sample, longest pairs first -------------------------------------------------- */

/* A loop over every step-th pair of the sample: one that takes long is not begun last. */
typedef struct longest_first {
    void *user;
    dpl_status (*run)(void *user, size_t i, unsigned worker, dpl_error *err);
    drawn *order; /* key: units, less than none */
} longest_first;

static dpl_status run_next(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const longest_first *l = user;
    return l->run(l->user, l->order[i].pair, worker, err);
}

/* run gets numbers below n: of the pair step * i of the sample. */
static dpl_status run_longest_first(dpl_sentences *s, longest_first l, size_t n, size_t step,
                                    dpl_error *err)
{
    l.order = dpl__alloc(s->ctx, (n + 1) * sizeof *l.order);
    DPL_TRY(dpl__need(l.order, err));
    for (size_t i = 0; i < n; i++)
        l.order[i] = (drawn){UINT64_MAX - dpl__align_n_units(s, s->sample.data[i * step]), i};
    qsort(l.order, n, sizeof *l.order, by_key);
    dpl_status status = dpl__parallel_for(s->ctx, n, &l, run_next, err);
    dpl__free(s->ctx, l.order);
    return status;
}

static dpl_status align_sampled(void *user, size_t i, unsigned worker_number, dpl_error *err)
{
    round *r = user;
    dpl__align_worker *w = &r->s->workers[worker_number];
    dpl__bead_doc docs[2];
    size_t n;
    i *= r->step;
    DPL_TRY(dpl__align_load(r->s, w, r->s->sample.data[i], docs, err));
    DPL_TRY(dpl__align_docs(r->s, w, docs, r->share, err));
    const dpl_bead *beads = dpl__bead_aligner_beads(w->aligner, &n);
    r->all[i].beads.n = 0;
    r->all[i].counts = (dpl__prior_counts){0};
    dpl__prior_counts_add(&r->all[i].counts, &r->s->model.priors, docs, beads, n);
    return dpl__need(dpl__vec_append(r->s->ctx, &r->all[i].beads, beads, n), err);
}

/* ---- lengths, punctuation and bead types --------------------------------------------- */

/* Documents of the sample, each counted by one thread. */
typedef struct shape_run {
    const dpl_sentences *s;
    dpl__run_counts *runs;     /* of each document pair */
    dpl__prior_counts *counts; /* of each, or NULL */
    size_t n;
    bool leaves_lopsided; /* out of all counts */
    dpl__shape_em *em;    /* of each thread */
    dpl__arena *arenas;
} shape_run;

static dpl_status count_runs(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const shape_run *r = user;
    dpl__bead_doc docs[2];
    r->runs[i] = (dpl__run_counts){0};
    DPL_TRY(dpl__align_load(r->s, &r->s->workers[worker], r->s->sample.data[i], docs, err));
    dpl__run_counts_add(&r->runs[i], docs);
    return DPL_OK;
}

/* One document many times as long as all others would make up what all beads are like: a pair
 * of such different lengths is no translation. Alone, it is all there is. */
static bool is_left_out(const shape_run *r, size_t i)
{
    assert(i < r->n);
    return r->leaves_lopsided && dpl__run_counts_are_lopsided(&r->runs[i]);
}

static dpl_status count_shapes(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const shape_run *r = user;
    dpl__bead_doc docs[2];
    dpl__shape_model shape;
    unsigned max_side = r->s->options.max_side ? r->s->options.max_side : PN(max_side);
    r->counts[i] = (dpl__prior_counts){0};
    if (is_left_out(r, i))
        return DPL_OK;
    dpl__arena_reset(&r->arenas[worker]);
    DPL_TRY(dpl__align_load(r->s, &r->s->workers[worker], r->s->sample.data[i], docs, err));
    dpl__shape_model_init(&shape, &r->s->model.priors);
    DPL_TRY(dpl__shape_model_start(&shape, &r->arenas[worker], docs, max_side, err));
    return dpl__shape_em_count(&r->em[worker], r->s->ctx, &shape, docs, &r->counts[i], err);
}

/* Sums over all alignments with the priors so far. */
static dpl_status sum_shapes(dpl_sentences *s, shape_run *r, dpl__prior_counts *sums,
                             dpl_error *err)
{
    *sums = (dpl__prior_counts){0};
    DPL_TRY(run_longest_first(s, (longest_first){r, count_shapes, NULL}, r->n, 1, err));
    for (size_t i = 0; i < r->n; i++)
        dpl__prior_counts_merge(sums, &r->counts[i]);
    return DPL_OK;
}

/* sums: of the last round. */
static dpl_status run_em(dpl_sentences *s, shape_run *r, const dpl__run_counts *runs,
                         dpl__prior_counts *sums, dpl_error *err)
{
    dpl__bead_priors_init(&s->model.priors);
    dpl__bead_priors_start(&s->model.priors, runs);
    for (unsigned k = 0; k < PN(em_rounds); k++) {
        DPL_TRY(sum_shapes(s, r, sums, err));
        dpl__bead_priors_estimate(&s->model.priors, sums);
    }
    return DPL_OK;
}

/* Whether punctuation makes the texts more likely to be translations, by more than chance: as
 * it was fitted to them, with these sums, or as it is usually kept, which is fitted to no text
 * and needs few sentences. One mark may be two signs, its number and the last of a sentence, so
 * that each counts half there. */
static dpl_status try_signs(dpl_sentences *s, shape_run *r, const dpl__run_counts *runs,
                            const dpl__prior_counts *fitted, bool *is_kept, dpl_error *err)
{
    dpl__prior_counts without, usual;
    s->model.priors.has_signs = false;
    DPL_TRY(sum_shapes(s, r, &without, err));
    s->model.priors.has_signs = true;
    double n = 0;
    for (unsigned k = 1; k <= DPL__MAX_SIDE; k++)
        for (unsigned l = 1; l <= DPL__MAX_SIDE; l++)
            n += fitted->beads[k][l];
    *is_kept = fitted->total - without.total >= P(sign_gain) + P(sign_gain_each) * n;
    if (*is_kept)
        return DPL_OK;
    const dpl__bead_priors before = s->model.priors;
    dpl__bead_priors_start_signs(&s->model.priors, runs, 0.5);
    DPL_TRY(sum_shapes(s, r, &usual, err));
    s->model.priors = before;
    *is_kept = usual.total - without.total >= P(sign_gain_usual) + P(sign_gain_usual_each) * n;
    return DPL_OK;
}

static dpl_status estimate_shapes(dpl_sentences *s, shape_run *r, dpl_error *err)
{
    dpl__run_counts runs = {0};
    DPL_TRY(dpl__parallel_for(s->ctx, r->n, r, count_runs, err));
    for (size_t i = 0; i < r->n; i++)
        r->leaves_lopsided |= !dpl__run_counts_are_lopsided(&r->runs[i]);
    for (size_t i = 0; i < r->n; i++)
        if (!is_left_out(r, i))
            dpl__run_counts_merge(&runs, &r->runs[i]);
    runs.has_signs &= s->options.evidence != DPL_EVIDENCE_LENGTHS;
    dpl__prior_counts sums;
    bool is_kept = true;
    DPL_TRY(run_em(s, r, &runs, &sums, err));
    if (runs.has_signs && !s->are_candidates)
        DPL_TRY(try_signs(s, r, &runs, &sums, &is_kept, err));
    if (is_kept)
        return DPL_OK;
    runs.has_signs = false;
    return run_em(s, r, &runs, &sums, err);
}

/* Document pairs at the beginning of the sample, until there are enough units. */
static size_t shape_sample(const dpl_sentences *s)
{
    size_t n = 0, n_units = 0;
    while (n < s->sample.n && n_units < PN(em_sample))
        n_units += dpl__min(dpl__align_n_units(s, s->sample.data[n++]), PN(em_units));
    return n;
}

/* Estimates lengths, punctuation and bead types over all alignments: no words. */
static dpl_status learn_shapes(dpl_sentences *s, dpl_error *err)
{
    shape_run r = {.s = s, .n = shape_sample(s)};
    r.runs = dpl__calloc(s->ctx, r.n + 1, sizeof *r.runs);
    r.counts = dpl__calloc(s->ctx, r.n + 1, sizeof *r.counts);
    r.em = dpl__calloc(s->ctx, s->n_workers, sizeof *r.em);
    r.arenas = dpl__calloc(s->ctx, s->n_workers, sizeof *r.arenas);
    dpl_status status = DPL_E_NOMEM;
    if (!r.runs || !r.counts || !r.em || !r.arenas) {
        dpl__fail_nomem(err);
        goto done;
    }
    for (unsigned i = 0; i < s->n_workers; i++)
        dpl__arena_init(&r.arenas[i], s->ctx);
    status = estimate_shapes(s, &r, err);
    for (unsigned i = 0; i < s->n_workers; i++) {
        dpl__shape_em_clear(&r.em[i], s->ctx);
        dpl__arena_clear(&r.arenas[i]);
    }
done:
    dpl__free(s->ctx, r.arenas, r.em, r.counts, r.runs);
    return status;
}

/* ---- words ---------------------------------------------------------------------------- */

enum { ROW_PAIRS = 16 }; /* pairs of a part of the rows */

/* Rows of the sample's beads, made in parts. */
typedef struct rows_run {
    const dpl_sentences *s;
    const sampled *all;
    dpl__bead_rows *parts;
} rows_run;

static dpl_status make_rows(void *user, size_t part, unsigned worker, dpl_error *err)
{
    const rows_run *r = user;
    const dpl_sentences *s = r->s;
    const size_t end = dpl__min((part + 1) * ROW_PAIRS, s->sample.n);
    for (size_t i = part * ROW_PAIRS; i < end; i++) {
        dpl__bead_doc docs[2];
        DPL_TRY(dpl__align_load(s, &s->workers[worker], s->sample.data[i], docs, err));
        DPL_TRY(dpl__bead_rows_add(&r->parts[part], s->ctx, docs, r->all[i].beads.data,
                                   r->all[i].beads.n, err));
    }
    return DPL_OK;
}

/* In the order of the pairs. */
static dpl_status gather_rows(dpl__bead_rows *out, const dpl_sentences *s, const sampled *all,
                              dpl_error *err)
{
    const size_t n = s->sample.n / ROW_PAIRS + 1;
    rows_run r = {s, all, dpl__calloc(s->ctx, n, sizeof *r.parts)};
    DPL_TRY(dpl__need(r.parts, err));
    for (size_t i = 0; i < s->sample.n; i++) {
        dpl__bead_rows *part = &r.parts[i / ROW_PAIRS];
        if (i % ROW_PAIRS == 0) {
            part->step = out->step;
            part->n_seen = out->n_seen;
        }
        out->n_seen += all[i].beads.n;
    }
    dpl_status status = dpl__parallel_for(s->ctx, n, &r, make_rows, err);
    for (size_t i = 0; i < n; i++) {
        if (status == DPL_OK && !dpl__bead_rows_append(out, s->ctx, &r.parts[i]))
            status = dpl__fail_nomem(err);
        dpl__bead_rows_clear(&r.parts[i], s->ctx);
    }
    dpl__free(s->ctx, r.parts);
    return status;
}

/* Estimates from the sample's beads, in the order of the pairs. Of very long documents, which
 * are in the sample as a whole, words are learnt from some of the beads. */
static dpl_status estimate(dpl_sentences *s, const sampled *all, dpl_error *err)
{
    bool has_words = !s->options.no_learning;
    dpl__prior_counts sums = {0};
    dpl__bead_rows rows = {0};
    dpl_status status = DPL_OK;
    size_t n_beads = 0;
    for (size_t i = 0; i < s->sample.n; i++)
        n_beads += all[i].beads.n;
    rows.step = n_beads / (2 * s->sample_units) + 1;
    for (size_t i = 0; i < s->sample.n; i++)
        dpl__prior_counts_merge(&sums, &all[i].counts);
    if (has_words)
        status = gather_rows(&rows, s, all, err);
    if (status == DPL_OK && has_words)
        status = dpl__term_links_learn(&s->links, &rows, err);
    if (status == DPL_OK) {
        dpl__bead_model before = s->model;
        if (before.weight > 0)
            dpl__bead_priors_estimate(&before.priors, &sums);
        s->model = dpl__term_links_model(&s->links);
        s->model.priors = before.priors;
        s->model.null_known = before.null_known;
        s->model.weight = before.weight;
    }
    dpl__bead_rows_clear(&rows, s->ctx);
    return status;
}

static dpl_status run_rounds(dpl_sentences *s, sampled *all, dpl_error *err)
{
    /* Without words, beads stay as they are; their words are for the filter. */
    for (unsigned i = s->model.weight > 0 ? 0 : PN(rounds) - 1; i < PN(rounds); i++) {
        /* The first round, with the weakest model, aligns half of a large sample. */
        bool is_half = i + 1 < PN(rounds) && s->n_sampled >= PN(halved_sample);
        size_t step = is_half && s->sample.n >= 4 * PN(sample_pairs) ? 2 : 1;
        round r = {s, all, (s->sample.n + step - 1) / step, step,
                   is_half ? s->share / 2 + 1 : s->share};
        dpl_progress progress = {"learn", "rounds", i, PN(rounds)};
        DPL_TRY(dpl__progress(s->ctx, &progress, err));
        DPL_TRY(dpl__align_make_aligners(s, err));
        DPL_TRY(run_longest_first(s, (longest_first){&r, align_sampled, NULL}, r.n, step, err));
        DPL_TRY(estimate(s, all, err));
    }
    return DPL_OK;
}

dpl_status dpl__align_learn_shapes(dpl_sentences *s, dpl_error *err)
{
    DPL_TRY(choose_sample(s, err));
    return s->options.unordered ? DPL_OK : learn_shapes(s, err);
}

dpl_status dpl__align_learn(dpl_sentences *s, dpl_error *err)
{
    if (s->options.evidence != DPL_EVIDENCE_ALL) {
        s->model.weight = 0;
        s->model.filters_words = false;
        return DPL_OK;
    }
    size_t n = s->sample.n + 1;
    sampled *all = dpl__calloc(s->ctx, n, sizeof *all);
    DPL_TRY(dpl__need(all, err));
    dpl_status status = DPL_OK;
    if (!s->options.unordered)
        status = dpl__word_trial(s, shape_sample(s), err);
    if (status == DPL_OK)
        status = run_rounds(s, all, err);
    for (size_t i = 0; i < n; i++)
        dpl__vec_clear(s->ctx, &all[i].beads);
    dpl__free(s->ctx, all);
    return status;
}
