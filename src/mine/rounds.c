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
#include "mine/rounds.h"

#include "base/ctx.h"
#include "io/shared_run.h"
#include "mine/floor.h"
#include "mine/gold.h"
#include "mine/mine_params.h"
#include "mine/round_file.h"
#include "mine/run_files.h"
#include "mine/sample.h"
#include "mine/start.h"

#include <stdio.h>
#include <unistd.h>

/* Rounds at work. */
typedef struct driver {
    const dpl__rounds_input *in;
    const dpl__comparable *corpus; /* of in */
    dpl__rounds *out;
    dpl__side_vectors vectors;
    bool has_sampled; /* rounds before this one searched with a sample */
} driver;

/* Where a round is kept, and what is there already. */
typedef struct round_state {
    char path[4100], lexicon[4100];
    bool is_learnt, is_searched;
} round_state;

static dpl_mine_round *this_round(driver *d)
{
    assert(d->out->n > 0 && d->out->n <= DPL__MOST_ROUNDS);
    return &d->out->figures[d->out->n - 1];
}

void dpl__rounds_file(char out[4100], const dpl__rounds *r, const dpl__comparable *p,
                      const char *what)
{
    snprintf(out, 4100, "%s/%s-%zu.dpl", p->work, what, r->first + r->n - 1);
}

dpl__round_input dpl__rounds_as_input(const dpl__rounds *r, const dpl__comparable *p)
{
    return (dpl__round_input){.corpus = p,
                              .unit = r->unit,
                              .state = r->state,
                              .sample = &r->sample,
                              .lexicon = r->lexicon,
                              .prior = r->given,
                              .has_many = r->has_many,
                              .number = DPL__NO_ROUND};
}

static dpl__round_input round_input(const driver *d)
{
    dpl__round_input in = dpl__rounds_as_input(d->out, d->corpus);
    const size_t n = d->out->n ? d->out->n - 1 : 0;
    in.number = d->out->first + n;
    in.is_strict = d->in->is_strict;
    in.train_share = DPL__P(mine, train_share);
    for (size_t i = 0; i < n; i++)
        in.train_share *= DPL__P(mine, train_decay);
    return in;
}

static dpl__pair_list list_of(const dpl__doc_pairs *pairs)
{
    return (dpl__pair_list){pairs->data, pairs->n};
}

static bool has_file(const char *path)
{
    return access(path, R_OK) == 0;
}

bool dpl__rounds_had_start(const dpl__rounds *r)
{
    const dpl_mine_round *first = &r->figures[0];
    return r->n && (first->n_name_links || first->n_spelled_pairs || first->n_shape_pairs);
}

/* A round that judges the pairs of others. */
static bool begins_with_pairs(const driver *d)
{
    return d->in->before && (d->in->is_strict || d->in->is_again);
}

/* ---- searching ---------------------------------------------------------------------- */

/* What is held during a round: of each document the list of the nearest and, in each of the
 * three rounds of decoys, its best match and its part (neighbours.c); of each pair a candidate
 * and about two decoys, matches and features of both, in arrays that grow by doubling. `more`
 * is what the unit takes beside it. */
static dpl_status check_memory(const dpl__comparable *p, const uint64_t n[2], uint64_t more,
                               dpl_error *err)
{
    enum { ROUND_BYTES = 30, PAIR_BYTES = 3 * 200 };
    const uint64_t doc_bytes =
        DPL__NEAREST * sizeof(dpl__near) + sizeof(uint64_t) + 3 * ROUND_BYTES;
    const uint64_t limit = dpl_ctx_memory(p->ctx);
    const uint64_t needed = dpl__ctx_used(p->ctx) + (n[0] + n[1]) * doc_bytes +
                            dpl__min(n[0], n[1]) * PAIR_BYTES + more;
    if (needed <= limit)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_LIMIT, "memory",
                          "%llu documents need about %llu MiB of memory; the limit is %llu",
                          (unsigned long long)(n[0] + n[1]),
                          (unsigned long long)(needed >> 20) + 1,
                          (unsigned long long)(limit >> 20));
}

static dpl_status check_search(const dpl__round_input *in, dpl_error *err)
{
    uint64_t n[2] = {in->corpus->n_docs[0], in->corpus->n_docs[1]};
    if (in->sample->is_used)
        n[in->sample->side] = in->sample->n_docs;
    return check_memory(in->corpus, n,
                        in->unit->search_bytes ? in->unit->search_bytes(in, n) : 0, err);
}

static dpl_status search(driver *d, dpl_error *err)
{
    dpl__rounds *r = d->out;
    dpl_mine_round *round = this_round(d);
    double began = dpl__now();
    const dpl__round_input in = round_input(d);
    DPL_TRY(check_search(&in, err));
    round->n_sampled_docs = r->sample.is_used ? r->sample.n_docs : 0;
    DPL_TRY(dpl__round_search(&r->found, &d->vectors, &in, err));
    r->why_empty = r->found.why_empty;
    if (dpl__is_nothing(&r->why_empty))
        return DPL_OK;
    round->n_candidates = r->found.pairs.n;
    round->least_cosine = r->sample.is_large ? r->found.least_cosine : 0;
    round->search = r->found.search;
    round->mean_cosine = r->found.cosine;
    round->unpaired = r->found.alone;
    round->known_words = r->found.known;
    round->n_lexicon_entries = r->lexicon ? dpl_lexicon_get_sizes(r->lexicon)->n_entries : 0;
    round->search_seconds = dpl__now() - began;
    return DPL_OK;
}

/* The pairs that are likely enough to learn from. */
static dpl_status take_pairs(driver *d, dpl_error *err)
{
    dpl_ctx *ctx = d->corpus->ctx;
    dpl__rounds *r = d->out;
    const dpl__gold *gold = d->corpus->gold;
    r->pairs.n = 0;
    for (size_t i = 0; i < r->found.pairs.n; i++)
        if (r->found.pairs.data[i].confidence >= r->found.train_confidence &&
            !dpl__vec_push(ctx, &r->pairs, r->found.pairs.data[i].docs))
            return dpl__fail_nomem(err);
    this_round(d)->n_pairs = r->pairs.n;
    if (gold) {
        DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &r->pairs, gold->n_accepted), err));
        dpl__gold_merge(r->pairs.data, &r->pairs.n, gold);
    }
    memcpy(r->cosines[r->n - 1], r->found.cosines, sizeof r->found.cosines);
    return DPL_OK;
}

/* Both are in the order of left documents, each of which stands there once. */
static void compare_rounds(driver *d)
{
    dpl__rounds *r = d->out;
    dpl_mine_round *round = this_round(d);
    size_t i = 0, j = 0, n_same = 0;
    while (i < r->pairs.n && j < r->learnt.n) {
        dpl_doc_pair a = r->pairs.data[i], b = r->learnt.data[j];
        assert(i == 0 || r->pairs.data[i - 1].left < a.left);
        n_same += a.left == b.left && a.right == b.right;
        i += a.left <= b.left;
        j += b.left <= a.left;
    }
    round->n_new = dpl__min(r->pairs.n - n_same, round->n_pairs); /* pairs given are not new */
    round->n_gone = r->learnt.n - n_same;
    double changed = (double)(round->n_new + round->n_gone),
           all = (double)(r->pairs.n + r->learnt.n);
    if (!d->has_sampled) /* a sample is compared with a sample */
        r->is_stable = r->n > 1 && changed <= r->unit->most_changed() * all;
}

/* ---- training ------------------------------------------------------------------------- */

/* A lexicon from the pairs of the round before. */
static dpl_status learn(driver *d, const char *path, dpl_error *err)
{
    dpl__rounds *r = d->out;
    dpl_mine_round *round = this_round(d);
    double began = dpl__now();
    dpl__doc_pairs sampled = {0};
    dpl__learnt learnt;
    const dpl__round_input in = round_input(d);
    if (r->learnt.n == 0) {
        dpl__reason_set(&r->why_empty, "nothing-learned",
                        "no document of one side resembles any of the other");
        return DPL_OK;
    }
    dpl_status status =
        dpl__sample_pairs(&sampled, d->corpus, r->learnt.data, r->learnt.n, err);
    round->n_sampled_pairs = sampled.n;
    if (status == DPL_OK)
        status = dpl__round_learn(&learnt, &in, list_of(sampled.n ? &sampled : &r->learnt),
                                  path, err);
    dpl__vec_clear(d->corpus->ctx, &sampled);
    DPL_TRY(status);
    r->why_empty = learnt.why_nothing;
    if (dpl__is_nothing(&r->why_empty))
        return DPL_OK;
    round->n_sentence_pairs = learnt.trained.n_rows;
    round->train_seconds = learnt.trained.seconds;
    round->align_seconds = dpl__now() - began - learnt.trained.seconds;
    return DPL_OK;
}

static dpl_status open_trained(driver *d, const char *path, dpl_error *err)
{
    dpl__rounds *r = d->out;
    dpl_lexicon_close(r->trained);
    r->trained = NULL;
    DPL_TRY(dpl_lexicon_open(&r->trained, d->corpus->ctx, path, NULL, err));
    r->lexicon = r->trained;
    return DPL_OK;
}

/* A lexicon from pairs that are known, if they are enough to give a better start than spelling.
 */
static dpl_status learn_known(driver *d, dpl__pair_list pairs, dpl_error *err)
{
    char path[4100];
    dpl__learnt learnt;
    const dpl__round_input in = round_input(d);
    if (d->out->lexicon || pairs.n < (size_t)DPL__P(mine, gold_pairs))
        return DPL_OK;
    snprintf(path, sizeof path, "%s/gold.dpl", d->corpus->work);
    DPL_TRY(dpl__round_learn(&learnt, &in, pairs, path, err));
    d->out->why_empty = learnt.why_nothing;
    if (dpl__is_nothing(&learnt.why_nothing))
        return DPL_OK;
    dpl_status status = open_trained(d, path, err);
    unlink(path); /* it stays as long as it is open */
    return status;
}

/* Pairs that people accepted, else known links. */
static dpl_status learn_given(driver *d, dpl_error *err)
{
    const dpl__gold *gold = d->corpus->gold;
    if (gold && gold->n_accepted >= (size_t)DPL__P(mine, known_pairs))
        DPL_TRY(learn_known(d, (dpl__pair_list){gold->accepted, gold->n_accepted}, err));
    return dpl__is_nothing(&d->out->why_empty) ? DPL_OK : learn_known(d, d->in->links, err);
}

/* ---- one round ------------------------------------------------------------------------ */

/* Whether this round trains a lexicon: on pairs of the round before, or of other rounds. */
static bool learns(const driver *d)
{
    return d->out->n > 1 || begins_with_pairs(d);
}

/* What an interrupted run has of the round. One whose lexicon is gone is done again. */
static dpl_status load_round(driver *d, round_state *state, dpl_error *err)
{
    dpl__rounds *r = d->out;
    dpl_ctx *ctx = d->corpus->ctx;
    dpl__rounds_file(state->path, r, d->corpus, "round");
    dpl__rounds_file(state->lexicon, r, d->corpus, "lexicon");
    dpl__doc_candidates_clear(&r->found, ctx);
    state->is_learnt = has_file(state->path) && (!learns(d) || has_file(state->lexicon));
    if (!state->is_learnt)
        return DPL_OK;
    dpl_status status = dpl__round_load(this_round(d), &r->found, &state->is_searched,
                                        state->path, d->corpus, err);
    if (status != DPL_OK)
        return dpl__code(err, status, "resume-damaged");
    uint64_t n_sampled = r->sample.is_used ? r->sample.n_docs : 0;
    if (state->is_searched && this_round(d)->n_sampled_docs != n_sampled) {
        dpl__doc_candidates_clear(&r->found, ctx); /* it was the last one of fewer rounds */
        state->is_searched = false;
    }
    return DPL_OK;
}

static dpl_status learn_and_save(driver *d, const round_state *state, dpl_error *err)
{
    DPL_TRY(learn(d, state->lexicon, err));
    if (dpl__is_nothing(&d->out->why_empty))
        return DPL_OK;
    return dpl__round_save(state->path, d->corpus, this_round(d), NULL, err);
}

static dpl_status use_lexicon(driver *d, round_state *state, dpl_error *err)
{
    if (!state->is_learnt)
        DPL_TRY(learn_and_save(d, state, err));
    return dpl__is_nothing(&d->out->why_empty) ? DPL_OK : open_trained(d, state->lexicon, err);
}

/* The pairs that the lexicon was trained on, for the search. */
static dpl_status note_trained(driver *d, dpl_error *err)
{
    dpl__rounds *r = d->out;
    dpl__doc_pairs sampled = {0};
    if (!r->unit->note_trained)
        return DPL_OK;
    DPL_TRY(dpl__sample_pairs(&sampled, d->corpus, r->learnt.data, r->learnt.n, err));
    r->unit->note_trained(r->state, list_of(sampled.n ? &sampled : &r->learnt));
    dpl__vec_clear(d->corpus->ctx, &sampled);
    return DPL_OK;
}

static dpl_status save_round(driver *d, const round_state *state, dpl_error *err)
{
    char name[40];
    snprintf(name, sizeof name, "pairs-%zu.tsv", d->out->first + d->out->n - 1);
    DPL_TRY(dpl__write_pairs(d->corpus->work, name, d->corpus, &d->out->found.pairs,
                             d->out->found.train_confidence, err));
    return dpl__round_save(state->path, d->corpus, this_round(d), &d->out->found, err);
}

/* Searches again with a lexicon from pairs that share names; the start that gives more pairs
 * stays. */
static dpl_status search_by_names(driver *d, const dpl__start *start, dpl_error *err)
{
    dpl__rounds *r = d->out;
    dpl_ctx *ctx = d->corpus->ctx;
    dpl__doc_candidates spelled = r->found;
    const dpl_mine_round figures = *this_round(d);
    const size_t n_spelled = r->pairs.n;
    dpl_status status = DPL_OK;
    r->found = (dpl__doc_candidates){0};
    if ((status = learn_known(d, (dpl__pair_list){start->pairs.data, start->pairs.n}, err)) !=
            DPL_OK ||
        dpl__is_nothing(&r->why_empty))
        goto done;
    if (r->unit->note_trained)
        r->unit->note_trained(r->state, list_of(&start->pairs));
    if ((status = search(d, err)) != DPL_OK || (status = take_pairs(d, err)) != DPL_OK)
        goto done;
    this_round(d)->n_name_links = start->n_links;
    this_round(d)->n_name_pairs = start->n_seeds;
    this_round(d)->n_spelled_pairs = start->n_spelled;
    this_round(d)->n_shape_pairs = start->n_shapes;
done:
    if (status == DPL_OK &&
        (dpl__is_nothing(&r->why_empty) || (r->pairs.n <= n_spelled && !d->in->had_start))) {
        dpl__doc_candidates_clear(&r->found, ctx);
        r->found = spelled;
        dpl_lexicon_close(r->trained);
        r->trained = NULL;
        r->lexicon = NULL;
        r->why_empty = (dpl__reason){0};
        *this_round(d) = figures;
        status = take_pairs(d, err);
    } else
        dpl__doc_candidates_clear(&spelled, ctx);
    return status;
}

/* What rounds with another unit ended with. */
static dpl_status start_with(dpl__start *out, const driver *d, dpl_error *err)
{
    const dpl__rounds *before = d->in->before;
    *out = (dpl__start){.n_links = before->figures[0].n_name_links,
                        .n_seeds = before->figures[0].n_name_pairs,
                        .n_spelled = before->figures[0].n_spelled_pairs,
                        .n_shapes = before->figures[0].n_shape_pairs};
    return dpl__need(
        dpl__vec_append(d->corpus->ctx, &out->pairs, before->pairs.data, before->pairs.n), err);
}

/* Where spelling gives few pairs, names may give more. */
static dpl_status try_names(driver *d, dpl_error *err)
{
    const dpl__round_input in = round_input(d);
    dpl__start start;
    if (d->out->n > 1 || d->out->lexicon ||
        !(d->in->is_strict ? d->in->had_start : dpl__start_is_weak(&in, d->out->pairs.n)))
        return DPL_OK;
    dpl__stage_set(d->corpus->stage, "round 0: names");
    dpl__stage_time(d->corpus->stage, "names");
    if (d->in->before)
        DPL_TRY(start_with(&start, d, err));
    else
        DPL_TRY(dpl__start_by_names(&start, &in, &d->out->found.pairs, err));
    dpl_status status = start.pairs.n ? search_by_names(d, &start, err) : DPL_OK;
    dpl__start_clear(&start, d->corpus->ctx);
    return status;
}

static dpl_status search_and_save(driver *d, const round_state *state, dpl_error *err)
{
    DPL_TRY(note_trained(d, err));
    DPL_TRY(search(d, err));
    if (dpl__is_nothing(&d->out->why_empty))
        return DPL_OK;
    DPL_TRY(take_pairs(d, err));
    DPL_TRY(try_names(d, err));
    compare_rounds(d);
    return save_round(d, state, err);
}

/* ---- rounds that processes share ------------------------------------------------------ */

/* One process makes the file of what a round found; the others make chunks of it, and read the
 * file. */
typedef struct shared_round {
    driver *d;
    round_state *state;
    bool is_here; /* searched and saved by this process */
} shared_round;

/* Empty: there is nothing that can be read; each process comes to this by itself. Names give a
 * lexicon that is in no file. */
static bool is_kept(const driver *d)
{
    const dpl__rounds *r = d->out;
    return !dpl__is_nothing(&r->why_empty) && !(r->n == 1 && r->figures[0].n_name_links);
}

static dpl_status make_round(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    shared_round *x = user;
    dpl_ctx *ctx = x->d->corpus->ctx;
    (void)chunk;
    DPL_TRY(search_and_save(x->d, x->state, err));
    x->is_here = true;
    if (!is_kept(x->d))
        return DPL_OK;
    return dpl__shared_put_file(out, ctx, x->state->path, err);
}

static dpl_status take_round(void *user, size_t chunk, const char *data, size_t n,
                             dpl_error *err)
{
    shared_round *x = user;
    const dpl_ctx *ctx = x->d->corpus->ctx;
    (void)chunk;
    if (x->is_here)
        return DPL_OK;
    if (!n)
        return search_and_save(x->d, x->state, err);
    DPL_TRY(dpl__shared_get_file(&data, &n, ctx, x->state->path, err));
    DPL_TRY(load_round(x->d, x->state, err));
    if (!x->state->is_searched)
        return DPL_OK;
    DPL_TRY(take_pairs(x->d, err));
    compare_rounds(x->d);
    return DPL_OK;
}

/* Searches alone or with other processes. */
static dpl_status search_shared(driver *d, round_state *state, dpl_error *err)
{
    dpl_ctx *ctx = d->corpus->ctx;
    shared_round x = {.d = d, .state = state};
    if (!dpl__is_shared(ctx))
        return search_and_save(d, state, err);
    const dpl__shared_work work = {.name = "round",
                                   .key = dpl__shared_key(ctx, state->path),
                                   .n = 1,
                                   .user = &x,
                                   .make = make_round,
                                   .take = take_round,
                                   .is_divided = true};
    return dpl__shared_work_run(ctx, &work, err);
}

/* A round that has nothing to learn from or to search ends the rounds: why_empty. */
static dpl_status run_round(driver *d, dpl_error *err)
{
    const dpl__reason *why = &d->out->why_empty;
    round_state state = {0};
    DPL_TRY(load_round(d, &state, err));
    if (learns(d))
        DPL_TRY(use_lexicon(d, &state, err));
    if (dpl__is_nothing(why))
        return DPL_OK;
    if (!state.is_searched)
        return search_shared(d, &state, err);
    DPL_TRY(take_pairs(d, err));
    compare_rounds(d);
    return DPL_OK;
}

/* ---- all of them ---------------------------------------------------------------------- */

/* Whether the rounds that are usually enough are over, or all that are allowed; where a round
 * still finds more pairs than the one before, another one follows. */
static bool has_enough(const driver *d, size_t n_rounds)
{
    const dpl__rounds *r = d->out;
    const dpl_mine_round *round = &r->figures[r->n - 1];
    const bool gains = (double)r->pairs.n >= DPL__P(mine, round_gain) * (double)r->learnt.n ||
                       (dpl__rounds_had_start(r) &&
                        (double)round->n_new >= DPL__P(mine, round_new) * (double)r->pairs.n);
    return n_rounds >= d->corpus->options->rounds ||
           (n_rounds >= (size_t)DPL__P(mine, usual_rounds) && !gains);
}

/* A sample that is stable is followed by a search with all documents, unless the lexicon is all
 * that is wanted. A round that begins with the pairs of others only judges these: round by
 * round they would lose the less similar ones. */
static bool is_last(const driver *d)
{
    const dpl__rounds *r = d->out;
    bool is_done = has_enough(d, r->n - 1) || begins_with_pairs(d);
    if (r->sample.is_used)
        return is_done || (r->is_stable && d->in->is_lexicon_only);
    return is_done || r->is_stable || d->has_sampled;
}

/* The next round searches with the same sample, a larger one, or all documents. */
static dpl_status choose_sample(driver *d, dpl_error *err)
{
    dpl__rounds *r = d->out;
    const dpl__comparable *p = d->corpus;
    bool is_other = false;
    if (!r->sample.is_used)
        return DPL_OK;
    bool is_over = r->is_stable || has_enough(d, r->n);
    if (!is_over)
        DPL_TRY(dpl__sample_grow(&is_other, &r->sample, p, list_of(&r->pairs), err));
    if (is_over && !d->in->is_lexicon_only) {
        if (r->unit->score == DPL__SCORE_COSINE)
            DPL_TRY(dpl__floor_of_found(&r->sample.floor, &r->found, p->ctx, err));
        r->sample.is_used = false;
        d->has_sampled = is_other = true;
    }
    if (is_other && r->sample.side == p->pivot)
        dpl__side_vectors_clear(&d->vectors);
    return DPL_OK;
}

static dpl_status begin(driver *d, dpl_error *err)
{
    dpl__rounds *r = d->out;
    const dpl__comparable *p = d->corpus;
    const dpl__round_input in = round_input(d);
    const uint64_t n[2] = {p->n_docs[0], p->n_docs[1]};
    if (r->unit->begin_bytes)
        DPL_TRY(check_memory(p, n, r->unit->begin_bytes(p), err));
    if (r->unit->begin)
        DPL_TRY(r->unit->begin(&r->state, &in, err));
    if (r->unit->has_sample)
        DPL_TRY(dpl__sample_docs(&r->sample, p, err));
    if (!begins_with_pairs(d))
        return learn_given(d, err);
    const dpl__doc_pairs *pairs = &d->in->before->pairs;
    return dpl__need(dpl__vec_append(p->ctx, &r->learnt, pairs->data, pairs->n), err);
}

static dpl_status run_rounds(driver *d, dpl_error *err)
{
    dpl__rounds *r = d->out;
    DPL_TRY(begin(d, err));
    while (!dpl__is_nothing(&r->why_empty)) {
        r->n++;
        DPL_TRY(run_round(d, err));
        this_round(d)->unit = r->unit->number;
        if (dpl__is_nothing(&r->why_empty))
            break;
        if (d->in->tell)
            d->in->tell(d->in->user, r);
        if (is_last(d))
            break;
        DPL_TRY(choose_sample(d, err));
        r->learnt.n = 0;
        DPL_TRY(dpl__need(
            dpl__vec_append(d->corpus->ctx, &r->learnt, r->pairs.data, r->pairs.n), err));
    }
    return DPL_OK;
}

dpl_status dpl__rounds_run(dpl__rounds *out, const dpl__rounds_input *in, dpl_error *err)
{
    assert(in->corpus->unit && in->unit && out->n == 0);
    driver d = {.in = in, .corpus = in->corpus, .out = out};
    out->unit = in->unit;
    out->is_strict = in->is_strict;
    out->first = in->first;
    out->lexicon = out->given = in->given;
    dpl_status status = run_rounds(&d, err);
    dpl__side_vectors_clear(&d.vectors);
    assert(status != DPL_OK || dpl__is_nothing(&out->why_empty) || out->lexicon);
    return status;
}

void dpl__rounds_clear(dpl__rounds *r, const dpl__comparable *p)
{
    if (r->unit && r->unit->end)
        r->unit->end(r->state);
    dpl__sample_clear(&r->sample, p);
    dpl__vec_clear(p->ctx, &r->learnt, &r->pairs);
    dpl__doc_candidates_clear(&r->found, p->ctx);
    dpl_lexicon_close(r->trained);
    *r = (dpl__rounds){0};
}
