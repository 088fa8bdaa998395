/*
 * rounds.c - search and training in turn, until the pairs no longer change.
 *
 * Round 0 searches by spelling, or with a lexicon that was given. Every further round is two
 * stages: a lexicon, trained on the aligned sentences of the pairs found before, and what a
 * search with it finds. Each stage's value is a kept file (io/kept_file.h), work/lexicon-N.dpl
 * and work/round-N.dpl: a run that was stopped, and parts of a run, continue from those that
 * are there.
 *
 * Where the collection is large, rounds search with a sample of one side, and a last one with
 * all documents (sample.h).
 */
#include "mine/rounds.h"

#include "base/ctx.h"
#include "io/kept_file.h"
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
    bool has_start;   /* the lexicon is that of the pairs that round 0 began with (start.h) */
} driver;

static dpl_mine_round *this_round(driver *d)
{
    assert(d->out->n > 0 && d->out->n <= DPL__MOST_ROUNDS);
    return &d->out->figures[d->out->n - 1];
}

/* Number of the current round, or of the first one before any. */
static size_t number_of(const dpl__rounds *r)
{
    return r->first + (r->n ? r->n - 1 : 0);
}

void dpl__rounds_file(char out[4100], const dpl__rounds *r, const dpl__comparable *p,
                      const char *what)
{
    snprintf(out, 4100, "%s/%s-%zu.dpl", p->work, what, number_of(r));
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

static dpl__pair_list list_of(const dpl__doc_pairs *pairs)
{
    return (dpl__pair_list){pairs->data, pairs->n};
}

dpl_status dpl__rounds_open_beads(dpl__rounds *r, const dpl__comparable *p, dpl_error *err)
{
    if (r->beads)
        return DPL_OK;
    dpl__align_input in = {.corpus = p,
                           .lexicon = r->lexicon,
                           .options = *p->options->sentences,
                           .learn = list_of(&r->pairs)};
    in.options.no_learning = r->lexicon != NULL;
    return dpl__pair_beads_new(&r->beads, &in, err);
}

static dpl__round_input round_input(const driver *d)
{
    dpl__round_input in = dpl__rounds_as_input(d->out, d->corpus);
    const size_t n = d->out->n ? d->out->n - 1 : 0;
    in.number = number_of(d->out);
    in.is_strict = d->in->is_strict;
    in.train_share = DPL__P(mine, train_share);
    for (size_t i = 0; i < n; i++)
        in.train_share *= DPL__P(mine, train_decay);
    return in;
}

/* Did the round begin with pairs that grew from names, spelling or shapes? */
static bool had_start(const dpl_mine_round *round)
{
    return round->n_name_links || round->n_spelled_pairs || round->n_shape_pairs;
}

bool dpl__rounds_had_start(const dpl__rounds *r)
{
    return r->n && had_start(&r->figures[0]);
}

/* A round that judges the pairs of others. */
static bool begins_with_pairs(const driver *d)
{
    return d->in->before && (d->in->is_strict || d->in->is_again);
}

/* Whether this round trains a lexicon: on pairs of the round before, or of other rounds. */
static bool learns(const driver *d)
{
    return d->out->n > 1 || begins_with_pairs(d);
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

/* ---- the lexicon of a round ----------------------------------------------------------- */

/* Trains a lexicon from these pairs, or sets the reason why there is none. */
static dpl_status learn(driver *d, dpl__pair_list pairs, dpl_error *err)
{
    dpl__rounds *r = d->out;
    const double began = dpl__now();
    const dpl__round_input in = round_input(d);
    char name[40];
    dpl__learnt learnt;
    snprintf(name, sizeof name, "lexicon-%zu", number_of(r));
    DPL_TRY(dpl__round_learn(&learnt, &in, pairs, name, err));
    r->why_empty = learnt.why_nothing;
    if (dpl__is_nothing(&r->why_empty))
        return DPL_OK;
    dpl_lexicon_close(r->trained);
    r->lexicon = r->trained = learnt.lexicon;
    d->has_start = false;
    if (learns(d)) {
        this_round(d)->n_sentence_pairs = learnt.n_rows;
        this_round(d)->train_seconds = learnt.seconds;
        this_round(d)->align_seconds = dpl__now() - began - learnt.seconds;
    }
    return DPL_OK;
}

/* Trains on the pairs of the previous round or, if they are many, on a sample of them. */
static dpl_status learn_found(driver *d, dpl_error *err)
{
    dpl__rounds *r = d->out;
    dpl__doc_pairs sampled = {0};
    if (r->learnt.n == 0) {
        dpl__reason_set(&r->why_empty, "nothing-learned",
                        "no document of one side resembles any of the other");
        return DPL_OK;
    }
    DPL_TRY(dpl__sample_pairs(&sampled, d->corpus, r->learnt.data, r->learnt.n, err));
    const dpl__pair_list pairs = list_of(sampled.n ? &sampled : &r->learnt);
    this_round(d)->n_sampled_pairs = sampled.n;
    dpl_status status = learn(d, pairs, err);
    if (status == DPL_OK && r->unit->note_trained)
        r->unit->note_trained(r->state, pairs);
    dpl__vec_clear(d->corpus->ctx, &sampled);
    return status;
}

/* Trains on known pairs, if they are enough for a better start than spelling gives. */
static dpl_status learn_known(driver *d, dpl__pair_list pairs, dpl_error *err)
{
    return d->out->lexicon || pairs.n < (size_t)DPL__P(mine, gold_pairs) ? DPL_OK
                                                                         : learn(d, pairs, err);
}

/* Pairs that people accepted, else known links. */
static dpl_status learn_given(driver *d, dpl_error *err)
{
    const dpl__gold *gold = d->corpus->gold;
    if (gold && gold->n_accepted >= (size_t)DPL__P(mine, known_pairs))
        DPL_TRY(learn_known(d, (dpl__pair_list){gold->accepted, gold->n_accepted}, err));
    return dpl__is_nothing(&d->out->why_empty) ? DPL_OK : learn_known(d, d->in->links, err);
}

/* ---- the start, where spelling gives few pairs ------------------------------------------ */

/* The search goes by spelling or the lexicon that was given again. */
static void forget_start(driver *d)
{
    if (!d->has_start)
        return;
    dpl_lexicon_close(d->out->trained);
    d->out->trained = NULL;
    d->out->lexicon = d->out->given;
    d->has_start = false;
}

/* The lexicon of the start of a round that was read; DPL_END: it is not there. */
static dpl_status open_start(driver *d, dpl_error *err)
{
    char path[4100];
    dpl__rounds_file(path, d->out, d->corpus, "lexicon");
    if (access(path, R_OK) != 0)
        return DPL_END;
    DPL_TRY(dpl_lexicon_open(&d->out->trained, d->corpus->ctx, path, NULL, err));
    d->out->lexicon = d->out->trained;
    d->has_start = true;
    return DPL_OK;
}

/* Searches again with a lexicon from pairs that share names; the start that gives more pairs
 * stays. More is not better than what a good lexicon gives: it takes far more. */
static dpl_status search_by_names(driver *d, const dpl__start *start, dpl_error *err)
{
    dpl__rounds *r = d->out;
    dpl_ctx *ctx = d->corpus->ctx;
    dpl__doc_candidates spelled = r->found;
    dpl_mine_round *round = this_round(d);
    const dpl_mine_round figures = *round;
    const double least = (r->given ? DPL__P(mine, given_start) : 1) * (double)r->pairs.n;
    char path[4100];
    dpl_status status;
    r->found = (dpl__doc_candidates){0};
    DPL__STEP(learn(d, list_of(&start->pairs), err));
    if (dpl__is_nothing(&r->why_empty))
        goto done;
    d->has_start = true;
    if (r->unit->note_trained)
        r->unit->note_trained(r->state, list_of(&start->pairs));
    DPL__STEP(search(d, err));
    DPL__STEP(take_pairs(d, err));
    round->n_name_links = start->n_links;
    round->n_name_pairs = start->n_seeds;
    round->n_spelled_pairs = start->n_spelled;
    round->n_shape_pairs = start->n_shapes;
done:
    if (status == DPL_OK && (dpl__is_nothing(&r->why_empty) ||
                             ((double)r->pairs.n <= least && !d->in->had_start))) {
        dpl__doc_candidates_clear(&r->found, ctx);
        r->found = spelled;
        forget_start(d);
        dpl__rounds_file(path, r, d->corpus, "lexicon");
        unlink(path);
        r->why_empty = (dpl__reason){0};
        *round = figures;
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

/* Where spelling, or a lexicon of other languages, gives few pairs, names may give more. */
static dpl_status try_names(driver *d, dpl_error *err)
{
    const dpl__round_input in = round_input(d);
    dpl__start start;
    if (d->out->n > 1 || d->out->lexicon != d->out->given || d->in->is_lexicon_only ||
        !(d->in->is_strict ? d->in->had_start : dpl__start_is_weak(&in, d->out->pairs.n)))
        return DPL_OK;
    dpl__stage_set(d->corpus->stage, "round 0: names");
    dpl__stage_time(d->corpus->stage, "names");
    if (d->in->before)
        DPL_TRY(start_with(&start, d, err));
    else
        DPL_TRY(dpl__start_by_names(&start, &in, &d->out->found.pairs, err));
    dpl_status status = start.pairs.n >= (size_t)DPL__P(mine, gold_pairs)
                            ? search_by_names(d, &start, err)
                            : DPL_OK;
    dpl__start_clear(&start, d->corpus->ctx);
    return status;
}

/* ---- what a round finds ----------------------------------------------------------------- */

static dpl_status find(void *user, const char *path, dpl_error *err)
{
    driver *d = user;
    dpl__rounds *r = d->out;
    char name[40];
    dpl__doc_candidates_clear(&r->found, d->corpus->ctx);
    forget_start(d); /* of a search that another process ended */
    DPL_TRY(search(d, err));
    if (dpl__is_nothing(&r->why_empty))
        return DPL_OK;
    DPL_TRY(take_pairs(d, err));
    DPL_TRY(try_names(d, err));
    compare_rounds(d);
    snprintf(name, sizeof name, "pairs-%zu.tsv", number_of(r));
    DPL_TRY(dpl__write_pairs(d->corpus->work, name, d->corpus, &r->found.pairs,
                             r->found.train_confidence, err));
    return dpl__round_save(path, d->corpus, this_round(d), &r->found, err);
}

/* A round with another sample was the last one of fewer rounds. */
static dpl_status read_found(void *user, const char *path, dpl_error *err)
{
    driver *d = user;
    dpl__rounds *r = d->out;
    dpl_mine_round figures;
    const uint64_t n_sampled = r->sample.is_used ? r->sample.n_docs : 0;
    dpl__doc_candidates_clear(&r->found, d->corpus->ctx);
    DPL_TRY(dpl__round_load(&figures, &r->found, path, d->corpus, err));
    if (figures.n_sampled_docs != n_sampled)
        return DPL_END;
    forget_start(d);
    if (had_start(&figures))
        DPL_TRY(open_start(d, err));
    *this_round(d) = figures;
    DPL_TRY(take_pairs(d, err));
    compare_rounds(d);
    return DPL_OK;
}

/* ---- one round ------------------------------------------------------------------------ */

/* A round that has nothing to learn from or to search ends the rounds: why_empty. */
static dpl_status run_round(driver *d, dpl_error *err)
{
    char path[4100];
    dpl__rounds_file(path, d->out, d->corpus, "round");
    const dpl__kept_file found = {.name = "round",
                                  .path = path,
                                  .user = d,
                                  .make = find,
                                  .read = read_found,
                                  .is_divided = true};
    if (learns(d))
        DPL_TRY(learn_found(d, err));
    return dpl__is_nothing(&d->out->why_empty)
               ? DPL_OK
               : dpl__kept_file_get(d->corpus->ctx, &found, err);
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
    dpl__pair_beads_free(r->beads);
    dpl_lexicon_close(r->trained);
    *r = (dpl__rounds){0};
}
