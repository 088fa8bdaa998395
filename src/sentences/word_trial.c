/*
 * word_trial.c - whether words help to align, tried on beads that were found without them.
 *
 * Beads found by lengths and punctuation alone owe nothing to words. If words help, then the
 * right side of such a bead is told by its words from the right sides of beads near it; its
 * probability among them is computed with links that were learnt from other beads only. Where
 * words are alike by chance (no common words, names that mislead), it falls below that of any
 * of them, or below what it is with half of the words' weight, or not above it by more than
 * the sum varies; then lengths and punctuation decide alone. Of few beads, which have little
 * else to go by, no such lead is asked. Half of the probability is uniform: beads without words
 * are often wrong.
 * Cost: an alignment of a few documents without words, and seven scores of each bead.
 */
#include "sentences/word_trial.h"

#include "base/maths.h"
#include "par/pool.h"
#include "sentences/learn_links.h"
#include "sentences/sentences_params.h"

#include <math.h>

enum { HALF, WHOLE, WEIGHTS, FOLDS = 2 };

/* Other beads of the document whose right side is beside a bead: not the next ones, which may
 * be the right ones. */
static const int offsets[] = {0, 2, -2, 3, -3, 5, -5};

/* Shares of the words' weight. */
static const double shares[WEIGHTS] = {[HALF] = 0.5, [WHOLE] = 1};

typedef struct trial_doc {
    DPL_VEC(dpl_bead) beads;    /* with both sides */
    double likelihood[WEIGHTS]; /* logarithm, relative to none */
    double squares;             /* of the logarithms of its beads, with all of the weight */
    double words;               /* log-likelihood ratio of the words of all beads */
} trial_doc;

/* Scratch of a thread. */
typedef struct candidates {
    DPL_VEC(dpl_bead) beads;
    DPL_VEC(double) scores;
} candidates;

typedef struct trial {
    dpl_sentences *s;
    trial_doc *docs;
    size_t n;
    candidates *own; /* of each thread */
    unsigned fold;   /* beads whose number in the document is this, modulo n_folds */
    unsigned n_folds;
} trial;

/* Shortens long documents to their beginnings, of the same share: without words there are no
 * anchors, and all of it would be searched. */
static void cut_documents(dpl__bead_doc docs[2])
{
    uint64_t longest = docs[0].n > docs[1].n ? docs[0].n : docs[1].n;
    if (longest > PN(em_units))
        for (int side = 0; side < 2; side++)
            docs[side].n = (uint32_t)(docs[side].n * (uint64_t)PN(em_units) / longest);
}

static dpl_status align_shapes(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const trial *t = user;
    dpl__align_worker *w = &t->s->workers[worker];
    dpl__bead_doc docs[2];
    size_t n;
    DPL_TRY(dpl__align_load(t->s, w, t->s->sample.data[i], docs, err));
    cut_documents(docs);
    DPL_TRY(dpl__align_docs(t->s, w, docs, 0, err));
    const dpl_bead *beads = dpl__bead_aligner_beads(w->aligner, &n);
    for (size_t k = 0; k < n; k++)
        if (beads[k].n_left && beads[k].n_right &&
            !dpl__vec_push(t->s->ctx, &t->docs[i].beads, beads[k]))
            return dpl__fail_nomem(err);
    return DPL_OK;
}

/* Beads without words. */
static dpl_status find_beads(trial *t, dpl_error *err)
{
    dpl_sentences *s = t->s;
    const double weight = s->model.weight;
    s->model.weight = 0;
    dpl_status status;
    DPL__STEP(dpl__align_make_aligners(s, err));
    DPL__STEP(dpl__parallel_for(s->ctx, t->n, t, align_shapes, err));
done:
    s->model.weight = weight;
    return status;
}

/* ---- how far a lexicon is right ------------------------------------------------------- */

static dpl_status weigh_words(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const trial *t = user;
    dpl__align_worker *w = &t->s->workers[worker];
    candidates *own = &t->own[worker];
    trial_doc *doc = &t->docs[i];
    dpl__bead_doc docs[2];
    doc->words = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(t->s->ctx, &own->scores, doc->beads.n + 1), err));
    DPL_TRY(dpl__align_load(t->s, w, t->s->sample.data[i], docs, err));
    DPL_TRY(dpl__bead_aligner_words(w->aligner, docs, doc->beads.data, doc->beads.n,
                                    own->scores.data, err));
    for (size_t k = 0; k < doc->beads.n; k++)
        doc->words += own->scores.data[k];
    return DPL_OK;
}

/* Raises the probability that a known word has no counterpart while the words of beads that
 * were found without them become more likely. */
static dpl_status find_null(trial *t, dpl_error *err)
{
    dpl_sentences *s = t->s;
    double best = 0, best_sum = -1e300;
    for (double p = P(null_known); p <= P(null_most) + 1e-9; p += P(null_step)) {
        double sum = 0;
        s->model.null_known = p;
        DPL_TRY(dpl__align_make_aligners(s, err));
        DPL_TRY(dpl__parallel_for(s->ctx, t->n, t, weigh_words, err));
        for (size_t i = 0; i < t->n; i++)
            sum += t->docs[i].words;
        if (sum <= best_sum)
            break;
        best_sum = sum;
        best = p;
    }
    s->model.null_known = best;
    return dpl__align_make_aligners(s, err);
}

/* ---- among beads near it -------------------------------------------------------------- */

/* The bead and others with the right sides of beads near it; how many. */
static size_t list_candidates(dpl_bead *out, const trial_doc *doc, size_t bead)
{
    size_t n = 0;
    for (size_t k = 0; k < DPL_LEN(offsets); k++) {
        const int64_t at = (int64_t)bead + offsets[k];
        if (at < 0 || at >= (int64_t)doc->beads.n)
            continue;
        out[n] = doc->beads.data[bead];
        out[n].right = doc->beads.data[at].right;
        out[n++].n_right = doc->beads.data[at].n_right;
    }
    return n;
}

/* The log-likelihood of the first of n scores, relative to chance. */
static double likelihood_of(const double *scores, size_t n, double weight)
{
    double most = scores[0], sum = 0;
    for (size_t k = 1; k < n; k++)
        most = scores[k] > most ? scores[k] : most;
    for (size_t k = 0; k < n; k++)
        sum += dpl__exp(weight * (scores[k] - most));
    const double p = dpl__exp(weight * (scores[0] - most)) / sum, uniform = P(trial_uniform);
    return dpl__log(uniform + (1 - uniform) * p * (double)n);
}

static bool is_in_fold(const trial *t, size_t doc, size_t bead)
{
    return (doc + bead) % t->n_folds == t->fold;
}

static dpl_status try_doc(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const trial *t = user;
    dpl__align_worker *w = &t->s->workers[worker];
    candidates *own = &t->own[worker];
    trial_doc *doc = &t->docs[i];
    dpl__bead_doc docs[2];
    const size_t most = doc->beads.n * DPL_LEN(offsets) + 1;
    DPL_TRY(dpl__need(dpl__vec_reserve(t->s->ctx, &own->beads, most) &&
                          dpl__vec_reserve(t->s->ctx, &own->scores, most),
                      err));
    size_t n = 0, at = 0;
    for (size_t k = 0; k < doc->beads.n; k++)
        if (is_in_fold(t, i, k))
            n += list_candidates(own->beads.data + n, doc, k);
    DPL_TRY(dpl__align_load(t->s, w, t->s->sample.data[i], docs, err));
    DPL_TRY(
        dpl__bead_aligner_words(w->aligner, docs, own->beads.data, n, own->scores.data, err));
    while (at < n) {
        size_t end = at + 1; /* candidates of one bead have its left side */
        while (end < n && own->beads.data[end].left == own->beads.data[at].left)
            end++;
        double one[WEIGHTS];
        for (unsigned k = 0; k < WEIGHTS; k++) {
            one[k] =
                likelihood_of(own->scores.data + at, end - at, shares[k] * P(words_weight));
            doc->likelihood[k] += one[k];
        }
        doc->squares += one[WHOLE] * one[WHOLE];
        at = end;
    }
    return DPL_OK;
}

/* Whether words make the beads more likely, each by so much at least. */
static bool do_words_help(const trial *t, double least)
{
    double sums[WEIGHTS] = {0}, squares = 0, n = 0;
    for (size_t i = 0; i < t->n; i++) {
        n += (double)t->docs[i].beads.n;
        squares += t->docs[i].squares;
        for (unsigned k = 0; k < WEIGHTS; k++)
            sums[k] += t->docs[i].likelihood[k];
    }
    const double lead = n > P(trial_few) ? P(trial_lead) * (1 - P(trial_few) / n) : 0;
    return sums[WHOLE] >= least * n && sums[WHOLE] >= P(trial_half) * sums[HALF] &&
           sums[WHOLE] >= lead * sqrt(squares);
}

static void forget(trial *t)
{
    for (size_t i = 0; i < t->n; i++) {
        t->docs[i].squares = 0;
        for (unsigned k = 0; k < WEIGHTS; k++)
            t->docs[i].likelihood[k] = 0;
    }
}

/* ---- learnt from other beads ---------------------------------------------------------- */

static dpl_status learn_others(const trial *t, dpl__term_links *links, dpl_error *err)
{
    dpl_sentences *s = t->s;
    dpl__bead_rows rows = {0};
    dpl__bead_doc docs[2];
    dpl_status status;
    for (size_t i = 0; i < t->n; i++) {
        const dpl_bead *beads = t->docs[i].beads.data;
        DPL__STEP(dpl__align_load(s, &s->workers[0], s->sample.data[i], docs, err));
        for (size_t k = 0; k < t->docs[i].beads.n; k++)
            if (!is_in_fold(t, i, k))
                DPL__STEP(dpl__bead_rows_add(&rows, s->ctx, docs, &beads[k], 1, err));
    }
    DPL__STEP(dpl__term_links_learn(links, &rows, err));
done:
    dpl__bead_rows_clear(&rows, s->ctx);
    return status;
}

/* Tries the beads of one fold with links that the others have taught. */
static dpl_status try_fold(trial *t, dpl_error *err)
{
    dpl_sentences *s = t->s;
    const dpl__bead_model before = s->model;
    dpl__term_links links;
    DPL_TRY(dpl__term_links_copy(&links, &s->links, err));
    dpl_status status;
    DPL__STEP(learn_others(t, &links, err));
    s->model = dpl__term_links_model(&links);
    s->model.priors = before.priors;
    s->model.null_known = before.null_known;
    DPL__STEP(dpl__align_make_aligners(s, err));
    DPL__STEP(dpl__parallel_for(s->ctx, t->n, t, try_doc, err));
done:
    dpl__align_free_aligners(s);
    s->model = before;
    dpl__term_links_clear(&links);
    return status;
}

/* First with the links that are there: a good lexicon, names and cognates are enough. */
static dpl_status try_words(trial *t, dpl_error *err)
{
    dpl_sentences *s = t->s;
    t->n_folds = 1;
    DPL_TRY(dpl__align_make_aligners(s, err));
    DPL_TRY(dpl__parallel_for(s->ctx, t->n, t, try_doc, err));
    bool is_learning = !s->options.no_learning;
    if (is_learning && !do_words_help(t, P(trial_sure))) {
        forget(t);
        t->n_folds = FOLDS;
        for (t->fold = 0; t->fold < FOLDS; t->fold++)
            DPL_TRY(try_fold(t, err));
    }
    s->model.weight = do_words_help(t, 0) ? P(words_weight) : 0;
    return DPL_OK;
}

dpl_status dpl__word_trial(dpl_sentences *s, size_t n, dpl_error *err)
{
    trial t = {.s = s, .n = n};
    /* A lexicon that was trained on these documents fits them, and words that are not alike
     * are what tells candidates from translations. */
    const bool is_sure = s->are_candidates || (s->options.no_learning && s->has_lexicon);
    if (is_sure && !s->has_lexicon)
        return DPL_OK;
    t.docs = dpl__calloc(s->ctx, n + 1, sizeof *t.docs);
    t.own = dpl__calloc(s->ctx, s->n_workers, sizeof *t.own);
    dpl_status status;
    DPL__STEP(dpl__need(t.docs && t.own, err));
    DPL__STEP(find_beads(&t, err));
    if (s->has_lexicon)
        DPL__STEP(find_null(&t, err));
    if (!is_sure)
        status = try_words(&t, err);
done:
    for (size_t i = 0; t.docs && i < n; i++)
        dpl__vec_clear(s->ctx, &t.docs[i].beads);
    for (unsigned i = 0; t.own && i < s->n_workers; i++)
        dpl__vec_clear(s->ctx, &t.own[i].beads, &t.own[i].scores);
    dpl__free(s->ctx, t.own, t.docs);
    return status;
}
