/*
 * rounds.c - search and training in turn, until the pairs no longer change.
 *
 * Round 0 searches by spelling, or with a lexicon that was given. Every further round aligns
 * the sentences of the pairs found, trains a lexicon on them, and searches with that. Each
 * round stays in work/ as two files: its lexicon, and a round file, which is written twice,
 * with the figures of training, and again with what the search found. A run that was stopped
 * continues from those that are there.
 *
 * Where the collection is large, rounds search with a sample of one side, and a last one with
 * all documents (sample.h).
 */
#include "mine/pair_run.h"

#include "base/ctx.h"
#include "mine/floor.h"
#include "mine/given_lexicon.h"
#include "mine/gold.h"
#include "mine/known_links.h"
#include "mine/mine_params.h"
#include "mine/passage_run.h"
#include "mine/passages.h"
#include "mine/round_file.h"
#include "mine/run_files.h"
#include "mine/sample.h"
#include "mine/sentence_search.h"

#include <stdio.h>
#include <unistd.h>

/* Where a round is kept, and what is there already. */
typedef struct round_state {
    char path[4100], lexicon[4100];
    bool is_learnt, is_searched;
} round_state;

static dpl_mine_round *this_round(dpl__pair_run *r)
{
    return &r->rounds[r->summary.n_rounds - 1];
}

void dpl__pair_run_file(char out[4100], const dpl__pair_run *r, const char *what)
{
    snprintf(out, 4100, "%s/%s-%zu.dpl", r->corpus.work, what, r->summary.n_rounds - 1);
}

/* With the unit at work. */
static size_t rounds_made(const dpl__pair_run *r)
{
    return r->summary.n_rounds - r->first_round;
}

static bool has_file(const char *path)
{
    return access(path, R_OK) == 0;
}

/* ---- searching ---------------------------------------------------------------------- */

/* What is held during a round: of each document the list of the nearest and, in each of the
 * three rounds of decoys, its best match and its part (neighbours.c); of each pair a candidate
 * and about two decoys, matches and features of both, in arrays that grow by doubling. */
dpl_status dpl__pair_run_check_memory(const dpl__pair_run *r, uint64_t more, dpl_error *err)
{
    enum { ROUND_BYTES = 30, PAIR_BYTES = 3 * 200 };
    const uint64_t doc_bytes =
        DPL__NEAREST * sizeof(dpl__near) + sizeof(uint64_t) + 3 * ROUND_BYTES;
    uint64_t n[2] = {r->corpus.n_docs[0], r->corpus.n_docs[1]}, limit = dpl_ctx_memory(r->ctx);
    if (r->corpus.is_sampling)
        n[r->corpus.sampled_side] = r->corpus.n_sampled;
    uint64_t needed = dpl__ctx_used(r->ctx) + (n[0] + n[1]) * doc_bytes +
                      dpl__min(n[0], n[1]) * PAIR_BYTES + more;
    if (r->corpus.sentences)
        needed += dpl__sentence_search_bytes(&r->corpus, n);
    if (needed <= limit)
        return DPL_OK;
    dpl__fail(err, DPL_E_LIMIT,
              "%llu documents need about %llu MiB of memory; the limit is %llu",
              (unsigned long long)(n[0] + n[1]), (unsigned long long)(needed >> 20) + 1,
              (unsigned long long)(limit >> 20));
    return dpl__code(err, DPL_E_LIMIT, "memory");
}

static dpl_status search(dpl__pair_run *r, dpl_error *err)
{
    dpl_mine_round *round = this_round(r);
    double began = dpl__now();
    uint64_t more = r->corpus.passages ? dpl__passages_search_bytes(r->corpus.passages) : 0;
    DPL_TRY(dpl__pair_run_check_memory(r, more, err));
    round->n_sampled_docs = r->corpus.is_sampling ? r->corpus.n_sampled : 0;
    DPL_TRY(dpl__round_search(&r->found, &r->corpus, r->lexicon, err));
    round->n_candidates = r->found.pairs.n;
    round->least_cosine = r->corpus.is_large ? r->found.least_cosine : 0;
    round->search = r->found.search;
    round->mean_cosine = r->found.cosine;
    round->unpaired = r->found.alone;
    round->known_words = r->found.known;
    round->n_lexicon_entries = r->lexicon ? dpl_lexicon_get_sizes(r->lexicon)->n_entries : 0;
    round->search_seconds = dpl__now() - began;
    return DPL_OK;
}

/* The pairs that are likely enough to learn from. */
static dpl_status take_pairs(dpl__pair_run *r, dpl_error *err)
{
    r->pairs.n = 0;
    for (size_t i = 0; i < r->found.pairs.n; i++)
        if (r->found.pairs.data[i].confidence >= DPL__P(mine, train_confidence) &&
            !dpl__vec_push(r->ctx, &r->pairs, r->found.pairs.data[i].docs))
            return dpl__fail_nomem(err);
    this_round(r)->n_pairs = r->pairs.n;
    if (r->gold) {
        if (!dpl__vec_reserve(r->ctx, &r->pairs, r->gold->n_accepted))
            return dpl__fail_nomem(err);
        dpl__gold_merge(r->pairs.data, &r->pairs.n, r->gold);
    }
    memcpy(r->cosines[r->summary.n_rounds - 1], r->found.cosines, sizeof r->found.cosines);
    return DPL_OK;
}

/* Both are in the order of left documents, each of which stands there once. */
static void compare_rounds(dpl__pair_run *r)
{
    dpl_mine_round *round = this_round(r);
    size_t i = 0, j = 0, n_same = 0;
    while (i < r->pairs.n && j < r->before.n) {
        dpl_doc_pair a = r->pairs.data[i], b = r->before.data[j];
        n_same += a.left == b.left && a.right == b.right;
        i += a.left <= b.left;
        j += b.left <= a.left;
    }
    round->n_new = dpl__min(r->pairs.n - n_same, round->n_pairs); /* pairs given are not new */
    round->n_gone = r->before.n - n_same;
    double changed = (double)(round->n_new + round->n_gone),
           all = (double)(r->pairs.n + r->before.n);
    double most =
        r->sentence_search ? DPL__P(mine, sentence_changed) : DPL__P(mine, most_changed);
    if (!r->has_sampled) /* a sample is compared with a sample */
        r->summary.is_stable = rounds_made(r) > 1 && changed <= most * all;
}

/* ---- training ------------------------------------------------------------------------- */

/* A lexicon from the pairs of the round before. */
static dpl_status learn(dpl__pair_run *r, const char *path, dpl_error *err)
{
    dpl_mine_round *round = this_round(r);
    double began = dpl__now();
    if (r->before.n == 0) {
        dpl__fail(err, DPL_E_NOTHING, "no document of one side resembles any of the other");
        return dpl__code(err, DPL_E_NOTHING, "nothing-learned");
    }
    dpl__doc_pairs sampled = {0};
    dpl_train_summary trained = DPL_INIT(dpl_train_summary);
    dpl_status status =
        dpl__sample_pairs(&sampled, &r->corpus, r->before.data, r->before.n, err);
    round->n_sampled_pairs = sampled.n;
    if (status == DPL_OK)
        status =
            dpl__round_learn(&trained, &r->corpus, sampled.n ? sampled.data : r->before.data,
                             sampled.n ? sampled.n : r->before.n, r->lexicon, path, err);
    dpl__vec_clear(r->ctx, &sampled);
    DPL_TRY(status);
    round->n_sentence_pairs = trained.n_rows;
    round->train_seconds = trained.seconds;
    round->align_seconds = dpl__now() - began - trained.seconds;
    return DPL_OK;
}

/* A dictionary becomes the lexicon to begin with. */
static dpl_status import_dictionary(dpl__pair_run *r, dpl_error *err)
{
    dpl_dictionary dictionary = {.path = r->settings.options.dictionary};
    dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = r->corpus.lang[0],
                 .target_lang = r->corpus.lang[1], .stem = r->corpus.is_stemmed);
    snprintf(r->dictionary, sizeof r->dictionary, "%s/dictionary.dpl", r->corpus.work);
    r->settings.options.lexicon = r->dictionary;
    return dpl_lexicon_import(NULL, r->ctx, r->dictionary, &dictionary, 1, &o, err);
}

/* A lexicon from pairs that are known, if they are enough to give a better start than spelling.
 */
static dpl_status learn_known(dpl__pair_run *r, const dpl_doc_pair *pairs, size_t n,
                              dpl_error *err)
{
    char path[4100];
    if (r->lexicon || n < (size_t)DPL__P(mine, gold_pairs))
        return DPL_OK;
    snprintf(path, sizeof path, "%s/gold.dpl", r->corpus.work);
    r->corpus.round = 0;
    DPL_TRY(dpl__round_learn(NULL, &r->corpus, pairs, n, NULL, path, err));
    dpl_status status = dpl_lexicon_open(&r->lexicon, r->ctx, path, NULL, err);
    unlink(path); /* it stays as long as it is open */
    return status;
}

/* Pairs that people accepted, else known links. */
static dpl_status learn_gold(dpl__pair_run *r, dpl_error *err)
{
    dpl__doc_pairs linked = {0};
    if (r->gold)
        DPL_TRY(learn_known(r, r->gold->accepted, r->gold->n_accepted, err));
    dpl_status status = r->lexicon ? DPL_OK : dpl__known_links_train(&linked, r, err);
    if (status == DPL_OK)
        status = learn_known(r, linked.data, linked.n, err);
    dpl__vec_clear(r->ctx, &linked);
    return status;
}

/* What an interrupted run has of the round. One whose lexicon is gone is done again. */
static dpl_status load_round(dpl__pair_run *r, round_state *state, dpl_error *err)
{
    dpl__pair_run_file(state->path, r, "round");
    dpl__pair_run_file(state->lexicon, r, "lexicon");
    dpl__doc_candidates_clear(&r->found, r->ctx);
    state->is_learnt =
        has_file(state->path) && (rounds_made(r) == 1 || has_file(state->lexicon));
    if (!state->is_learnt)
        return DPL_OK;
    dpl_status status = dpl__round_load(this_round(r), &r->found, &state->is_searched,
                                        state->path, &r->corpus, err);
    if (status != DPL_OK)
        return dpl__code(err, status, "resume-damaged");
    uint64_t n_sampled = r->corpus.is_sampling ? r->corpus.n_sampled : 0;
    if (state->is_searched && this_round(r)->n_sampled_docs != n_sampled) {
        dpl__doc_candidates_clear(&r->found, r->ctx); /* it was the last one of fewer rounds */
        state->is_searched = false;
    }
    return DPL_OK;
}

static dpl_status use_lexicon(dpl__pair_run *r, const round_state *state, dpl_error *err)
{
    if (!state->is_learnt) {
        DPL_TRY(learn(r, state->lexicon, err));
        DPL_TRY(dpl__round_save(state->path, &r->corpus, this_round(r), NULL, err));
    }
    dpl_lexicon_close(r->lexicon);
    r->lexicon = NULL;
    return dpl_lexicon_open(&r->lexicon, r->ctx, state->lexicon, NULL, err);
}

/* The pairs that the lexicon was trained on, for the search. */
static dpl_status note_trained(dpl__pair_run *r, dpl_error *err)
{
    dpl__doc_pairs sampled = {0};
    if (!r->sentence_search)
        return DPL_OK;
    DPL_TRY(dpl__sample_pairs(&sampled, &r->corpus, r->before.data, r->before.n, err));
    dpl__sentence_search_note_trained(r->sentence_search,
                                      sampled.n ? sampled.data : r->before.data,
                                      sampled.n ? sampled.n : r->before.n);
    dpl__vec_clear(r->ctx, &sampled);
    return DPL_OK;
}

static dpl_status run_round(dpl__pair_run *r, dpl_error *err)
{
    char name[40];
    round_state state = {0};
    DPL_TRY(load_round(r, &state, err));
    if (rounds_made(r) > 1)
        DPL_TRY(use_lexicon(r, &state, err));
    if (!state.is_searched) {
        DPL_TRY(note_trained(r, err));
        DPL_TRY(search(r, err));
    }
    DPL_TRY(take_pairs(r, err));
    compare_rounds(r);
    if (state.is_searched)
        return DPL_OK;
    snprintf(name, sizeof name, "pairs-%zu.tsv", r->summary.n_rounds - 1);
    DPL_TRY(dpl__write_pairs(r->corpus.work, name, &r->corpus, &r->found.pairs,
                             DPL__P(mine, train_confidence), err));
    return dpl__round_save(state.path, &r->corpus, this_round(r), &r->found, err);
}

/* A sample that is stable is followed by a search with all documents, unless the lexicon is all
 * that is wanted. */
static bool is_last(const dpl__pair_run *r)
{
    bool is_done = rounds_made(r) > r->settings.options.rounds;
    if (r->corpus.is_sampling)
        return is_done || (r->summary.is_stable && r->lexicon_path);
    return is_done || r->summary.is_stable || r->has_sampled;
}

/* The next round searches with the same sample, a larger one, or all documents. */
static dpl_status choose_sample(dpl__pair_run *r, dpl_error *err)
{
    bool is_other = false;
    if (!r->corpus.is_sampling)
        return DPL_OK;
    bool is_over = r->summary.is_stable || r->summary.n_rounds == r->settings.options.rounds;
    if (!is_over)
        DPL_TRY(dpl__sample_grow(&is_other, &r->corpus, r->pairs.data, r->pairs.n, err));
    if (is_over && !r->lexicon_path) {
        if (!r->sentence_search) /* whose scores are no cosines */
            DPL_TRY(dpl__floor_of_found(&r->corpus.floor, &r->found, r->ctx, err));
        r->corpus.is_sampling = false;
        r->has_sampled = is_other = true;
    }
    if (is_other && r->corpus.sampled_side == r->corpus.pivot) {
        dpl_vectors_close(r->pivot_vectors);
        r->pivot_vectors = NULL;
    }
    return DPL_OK;
}

dpl_status dpl__pair_run_rounds(dpl__pair_run *r, dpl_error *err)
{
    if (r->settings.options.dictionary)
        DPL_TRY(import_dictionary(r, err));
    if (r->settings.options.lexicon)
        DPL_TRY(
            dpl__given_lexicon_open(&r->lexicon, &r->corpus, r->settings.options.lexicon, err));
    if (r->summary.unit == DPL_UNIT_SENTENCE)
        DPL_TRY(dpl__sentence_search_new(&r->sentence_search, &r->corpus, r->lexicon, err));
    r->corpus.sentences = r->sentence_search;
    if (r->summary.unit == DPL_UNIT_PASSAGE && !r->corpus.passages)
        DPL_TRY(dpl__pair_run_read_passages(r, err));
    if (!r->corpus.passages)
        DPL_TRY(dpl__sample_docs(&r->corpus, err));
    DPL_TRY(learn_gold(r, err));
    for (;;) {
        r->corpus.round = r->summary.n_rounds++;
        DPL_TRY(run_round(r, err));
        if (r->settings.options.on_round)
            r->settings.options.on_round(r->settings.options.user, &r->summary);
        if (is_last(r))
            return DPL_OK;
        DPL_TRY(choose_sample(r, err));
        r->before.n = 0;
        if (!dpl__vec_append(r->ctx, &r->before, r->pairs.data, r->pairs.n))
            return dpl__fail_nomem(err);
    }
}
