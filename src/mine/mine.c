/*
 * mine.c - mining two languages, as a list of stages.
 *
 *     import       the inputs become two collections            comparable.c
 *     prepare      duplicates, languages                        comparable.c
 *     rounds       search, align, train until stable            rounds.c, round.c
 *     confidence   final estimate for each candidate            final_features.c, confidence.c
 *     select       the pairs that are likely enough             final_pairs.c
 *     align        their sentences, once, kept for all          final_beads.c
 *     links        compared with known ones, if there are      known_links.c
 *     write        files, report, figures                       sentence_files.c, run_files.c,
 *                                                               report_content.c
 *
 * Each stage makes one value of the run (pair_run.h); the files are one use of them.
 */
#include "mine/pair_run.h"

#include "base/ctx.h"
#include "io/parts.h"
#include "io/shared_run.h"
#include "mine/clean.h"
#include "mine/copy_choice.h"
#include "mine/final_features.h"
#include "mine/given_lexicon.h"
#include "mine/gold.h"
#include "mine/hidden_pairs.h"
#include "mine/known_links.h"
#include "mine/left_out.h"
#include "mine/mine_params.h"
#include "mine/own_language.h"
#include "mine/report_content.h"
#include "mine/run_files.h"
#include "mine/sentence_files.h"
#include "mine/start.h"
#include "mine/unit_choice.h"
#include "par/pool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

/* The time of the stages, up to here. */
static void end_stages(dpl__pair_run *r)
{
    dpl__stage_time(&r->stage, NULL);
    r->summary.stages = r->stage.times;
    r->summary.n_stages = r->stage.n_times;
}

/* Files that do not depend on each other, those that take longest first; the report says what
 * was left out of the sentences. */
enum { WRITTEN = 3 };

static dpl_status write_file(void *user, size_t i, unsigned worker, dpl_error *err)
{
    dpl__pair_run *r = user;
    const char *dir = r->task.dir;
    (void)worker;
    assert(i < WRITTEN);
    if (i == 0) {
        DPL_TRY(dpl__write_sentences(r, err));
        return dpl__write_report(dir, r, err);
    }
    if (i == 1)
        return r->lexicon ? dpl__write_lexicon(dir, r->ctx, r->lexicon, err) : DPL_OK;
    DPL_TRY(dpl__write_pairs(dir, "pairs.tsv", &r->corpus, &r->final.found.pairs, 0, err));
    DPL_TRY(dpl__write_copies(dir, &r->corpus, r->final.copy_of, err));
    DPL_TRY(dpl__write_left_out(r, err));
    DPL_TRY(dpl__write_ranges(dir, &r->corpus, r->read.numbers, &r->final, &r->beads, err));
    return dpl__known_links_write(r, err);
}

static dpl_status write_files(dpl__pair_run *r, dpl_error *err)
{
    r->summary.seconds = dpl__now() - r->task.began;
    DPL_TRY(dpl__parallel_for(r->ctx, WRITTEN, r, write_file, err));
    end_stages(r);
    return dpl__write_run(r->task.dir, &r->corpus, &r->summary, err);
}

/* The lexicon alone. */
static dpl_status move_lexicon(dpl__pair_run *r, dpl_error *err)
{
    char path[4100];
    dpl__rounds_file(path, r->last, &r->corpus, "lexicon");
    if (rename(path, r->task.lexicon_path) != 0)
        return dpl__fail_errno(err, errno, "cannot write '%s'", r->task.lexicon_path);
    return DPL_OK;
}

/* What the first round knew about the languages; NULL: how words are spelled. */
static const char *start_of(const dpl__pair_run *r)
{
    const dpl_mine_options *o = &r->settings.options;
    if (r->given)
        return o->lexicon      ? "the lexicon given"
               : o->dictionary ? "the dictionary given"
                               : "a lexicon through other languages";
    if (!r->rounds[0].n || !r->rounds[0].figures[0].n_lexicon_entries)
        return NULL;
    return r->gold && r->gold->n_accepted >= (size_t)DPL__P(mine, known_pairs)
               ? "a lexicon from the accepted pairs"
               : "a lexicon from the known links";
}

/* What the summary says about rounds, so far. */
static void note_rounds(void *user, const dpl__rounds *rounds)
{
    dpl__pair_run *r = user;
    size_t n = 0;
    for (const dpl__rounds *x = r->rounds; x <= rounds; x++)
        for (size_t i = 0; i < x->n; i++)
            r->round_list[n++] = &x->figures[i];
    r->summary.n_rounds = n;
    r->summary.start = start_of(r);
    r->summary.is_stable = rounds->is_stable;
    r->summary.unit = rounds->unit->number;
    r->summary.n_document_rounds = rounds->unit == &dpl__unit_passage ? rounds->first : 0;
}

static void tell_round(void *user, const dpl__rounds *rounds)
{
    dpl__pair_run *r = user;
    note_rounds(r, rounds);
    if (r->settings.options.on_round)
        r->settings.options.on_round(r->settings.options.user, &r->summary);
}

const dpl__histogram *dpl__pair_run_cosines(const dpl__pair_run *r, size_t round)
{
    const dpl__rounds *of = r->last;
    while (of->first > round)
        of--;
    assert(round - of->first < of->n);
    return of->cosines[round - of->first];
}

/* The final confidence, of which processes share the alignment. */
typedef struct final_confidence {
    dpl__rounds *rounds;
    const dpl__round_input *in;
    bool is_here;
} final_confidence;

/* What it says beside the confidence of each pair. */
typedef struct final_figures {
    double alone, aligned, cosine, likely, evidence;
    uint64_t has_few, has_few_docs, n_pairs;
} final_figures;

static dpl_status make_confidence(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    final_confidence *x = user;
    dpl__doc_candidates *f = &x->rounds->found;
    dpl_ctx *ctx = x->in->corpus->ctx;
    const dpl__pair_list learnt = {x->rounds->learnt.data, x->rounds->learnt.n};
    (void)chunk;
    DPL_TRY(dpl__estimate_final_confidence(f, x->in, learnt, err));
    x->is_here = true;
    const final_figures figures = {f->alone,    f->aligned, f->cosine,       f->likely,
                                   f->evidence, f->has_few, f->has_few_docs, f->pairs.n};
    bool has_memory = dpl__vec_append(ctx, out, (const char *)&figures, sizeof figures);
    for (size_t i = 0; i < f->pairs.n && has_memory; i++)
        has_memory = dpl__vec_append(ctx, out, (const char *)&f->pairs.data[i].confidence,
                                     sizeof f->pairs.data[i].confidence);
    return dpl__need(has_memory, err);
}

static dpl_status take_confidence(void *user, size_t chunk, const char *data, size_t n,
                                  dpl_error *err)
{
    const final_confidence *x = user;
    dpl__doc_candidates *f = &x->rounds->found;
    final_figures figures = {0};
    (void)chunk;
    if (x->is_here)
        return DPL_OK;
    if (n >= sizeof figures)
        memcpy(&figures, data, sizeof figures);
    if (n != sizeof figures + f->pairs.n * sizeof(double) || figures.n_pairs != f->pairs.n)
        return dpl__fail(err, DPL_E_FORMAT, "the confidence of other pairs");
    for (size_t i = 0; i < f->pairs.n; i++)
        memcpy(&f->pairs.data[i].confidence, data + sizeof figures + i * sizeof(double),
               sizeof(double));
    f->alone = figures.alone;
    f->aligned = figures.aligned;
    f->cosine = figures.cosine;
    f->likely = figures.likely;
    f->evidence = figures.evidence;
    f->has_few = figures.has_few;
    f->has_few_docs = figures.has_few_docs;
    return DPL_OK;
}

static dpl_status estimate(dpl__rounds *rounds, const dpl__comparable *corpus, dpl_error *err)
{
    char path[4100];
    const dpl__round_input in = dpl__rounds_as_input(rounds, corpus);
    const dpl__pair_list learnt = {rounds->learnt.data, rounds->learnt.n};
    final_confidence x = {.rounds = rounds, .in = &in};
    if (!dpl__is_shared(corpus->ctx))
        return dpl__estimate_final_confidence(&rounds->found, &in, learnt, err);
    dpl__rounds_file(path, rounds, corpus, "round");
    const dpl__shared_work work = {
        .name = "confidence",
        .key = dpl__fingerprint_number(dpl__shared_key(corpus->ctx, path), rounds->has_many),
        .n = 1,
        .user = &x,
        .make = make_confidence,
        .take = take_confidence,
        .is_divided = true};
    return dpl__shared_work_run(corpus->ctx, &work, err);
}

/* Candidates of a unit, with their final confidence. What is known about single sentences is
 * known in each round. before: rounds whose pairs these begin with; NULL: none. */
static dpl_status find_candidates(dpl__rounds *out, dpl__pair_run *r, const dpl__unit *unit,
                                  const dpl__rounds *before, dpl_error *err)
{
    dpl__doc_pairs links = {0};
    dpl__rounds_input in = {.corpus = &r->corpus,
                            .unit = unit,
                            .first = out > r->rounds ? out[-1].n : 0,
                            .given = r->given,
                            .is_lexicon_only = r->task.lexicon_path,
                            .is_strict = out > r->rounds && unit->has_strict_rounds,
                            .had_start = out > r->rounds && unit->has_strict_rounds &&
                                         (before || dpl__rounds_had_start(&r->rounds[0])),
                            .before = before,
                            .tell = tell_round,
                            .user = r};
    dpl_status status = dpl__known_links_train(&links, r, err);
    in.links = (dpl__pair_list){links.data, links.n};
    if (status == DPL_OK)
        status = dpl__rounds_run(out, &in, err);
    dpl__vec_clear(r->ctx, &links);
    DPL_TRY(status);
    note_rounds(r, out);
    if (r->task.lexicon_path || dpl__is_nothing(&out->why_empty))
        return DPL_OK;
    dpl__stage_set(&r->stage, "confidence");
    dpl__stage_time(&r->stage, "confidence");
    return unit->has_alignment ? estimate(out, &r->corpus, err) : DPL_OK;
}

/* Documents of few sentences in languages that have little in common are taken as single
 * sentences. */
static dpl_status choose_sentences(dpl__pair_run *r, dpl_error *err)
{
    bool prefers_sentences = false;
    if (r->settings.options.unit != DPL_UNIT_AUTO || r->unit != &dpl__unit_document)
        return DPL_OK;
    DPL_TRY(dpl__start_prefers_sentences(&prefers_sentences, &r->corpus, err));
    if (prefers_sentences) {
        r->unit = r->corpus.unit = &dpl__unit_sentence;
        r->summary.unit = r->unit->number;
    }
    return DPL_OK;
}

static bool come_back(const dpl__hidden_pairs *hidden)
{
    return hidden->n_back > 0 &&
           hidden->n_back >= DPL__P(mine, confirmed_back) * hidden->n_hidden;
}

/* The model of few pairs knows documents that are translated as wholes. Where it leaves none,
 * or pairs that are aligned in part, parts may be translated: pairs of the other model come
 * back then when they are hidden, and those of unrelated documents do not. */
static dpl_status settle_few(dpl__rounds *passages, const dpl__comparable *p, dpl_error *err)
{
    dpl__doc_candidates few = {0}, *found = &passages->found;
    if (!dpl__may_be_parts(found))
        return DPL_OK;
    DPL_TRY(dpl__doc_candidates_copy(&few, found, p->ctx, err));
    passages->has_many = true;
    found->alone = passages->figures[passages->n - 1].unpaired;
    dpl_status status = estimate(passages, p, err);
    if (status == DPL_OK)
        status = dpl__hidden_pairs_search(&passages->hidden, passages, p, err);
    if (status == DPL_OK && !come_back(&passages->hidden)) {
        dpl__doc_candidates_clear(found, p->ctx);
        *found = few;
        passages->has_many = false;
        passages->hidden = (dpl__hidden_pairs){0}; /* those were others */
    } else {
        dpl__doc_candidates_clear(&few, p->ctx);
    }
    return status;
}

/* Candidates by documents; where these show that passages are needed, by passages. Both stay:
 * where passages find nothing to trust, documents are the result. Single sentences of
 * which few have a counterpart begin again, strictly. */
static dpl_status find_with_unit(dpl__pair_run *r, dpl_error *err)
{
    dpl__rounds *first = &r->rounds[0], *passages = &r->rounds[1];
    DPL_TRY(choose_sentences(r, err));
    DPL_TRY(find_candidates(first, r, r->unit, NULL, err));
    if (dpl__needs_strict_rounds(first, &r->corpus)) {
        dpl__rounds *strict = &r->rounds[1];
        DPL_TRY(dpl__hidden_pairs_search(&first->hidden, first, &r->corpus, err));
        DPL_TRY(
            find_candidates(strict, r, r->unit, come_back(&first->hidden) ? first : NULL, err));
        if (r->given && !r->task.lexicon_path && !dpl__is_nothing(&strict->why_empty))
            DPL_TRY(dpl__hidden_pairs_judge(strict, &r->corpus, err));
        r->last =
            dpl__is_nothing(&strict->why_empty) && !dpl__is_doubtful(first) ? first : strict;
        note_rounds(r, r->last);
    }
    if (r->settings.options.unit == DPL_UNIT_AUTO &&
        dpl__needs_passages(first, r->task.lexicon_path)) {
        dpl__stage_set(&r->stage, "passages");
        DPL_TRY(find_candidates(passages, r, &dpl__unit_passage,
                                dpl__rounds_had_start(first) ? first : NULL, err));
        if (!r->task.lexicon_path && !dpl__is_nothing(&passages->why_empty))
            DPL_TRY(settle_few(passages, &r->corpus, err));
        r->last = passages;
        if (dpl__distrusts_passages(passages, first, &r->corpus, r->task.lexicon_path))
            r->last = first;
        note_rounds(r, r->last);
    }
    r->lexicon = r->last->lexicon;
    return DPL_OK;
}

/* The pairs that are likely now, of which others were before. */
static dpl_status take_likely(dpl__rounds *rounds, dpl_ctx *ctx, dpl_error *err)
{
    rounds->pairs.n = 0;
    for (size_t i = 0; i < rounds->found.pairs.n; i++) {
        const dpl__doc_candidate *c = &rounds->found.pairs.data[i];
        if (c->confidence >= DPL__P(mine, train_confidence))
            DPL_TRY(dpl__need(dpl__vec_push(ctx, &rounds->pairs, c->docs), err));
    }
    return DPL_OK;
}

/* Where passages were compared, documents are again, as other languages may show that many are
 * translated whole; where these do not, what was found stays. */
static dpl_status find_again(dpl__pair_run *r, const dpl__rounds *before, dpl_error *err)
{
    dpl__rounds *again = &r->rounds[2];
    const dpl__rounds *last = r->rounds[1].n ? &r->rounds[1] : &r->rounds[0];
    const dpl__rounds_input in = {.corpus = &r->corpus,
                                  .unit = r->rounds[0].unit,
                                  .first = last->first + last->n,
                                  .given = r->composed ? r->composed : r->given,
                                  .before = before,
                                  .is_again = true,
                                  .tell = tell_round,
                                  .user = r};
    DPL_TRY(dpl__rounds_run(again, &in, err));
    if (dpl__is_nothing(&again->why_empty))
        return DPL_OK;
    dpl__stage_set(&r->stage, "confidence");
    dpl__stage_time(&r->stage, "confidence");
    if (again->unit->has_alignment)
        DPL_TRY(estimate(again, &r->corpus, err));
    if (r->settings.options.unit == DPL_UNIT_AUTO && dpl__needs_passages(again, false))
        return DPL_OK;
    r->last = again;
    r->lexicon = again->lexicon;
    return DPL_OK;
}

/* Whether other languages may tell more than is known: they imply enough, and it is not sure.
 * Passages seem surer than they are. */
static bool gains_again(const dpl__pair_run *r, const dpl__rounds *before, double n_implied)
{
    const double n = (double)before->pairs.n;
    double doubt = 0;
    for (size_t i = 0; i < before->found.pairs.n; i++) {
        const double confidence = before->found.pairs.data[i].confidence;
        doubt += confidence * (1 - confidence);
    }
    return n >= DPL__P(mine, gold_pairs) && n_implied >= DPL__P(mine, again_implied) * n &&
           (doubt >= DPL__P(mine, again_doubt) * n || before->unit != r->rounds[0].unit);
}

dpl_status dpl__pair_run_find_again(dpl__pair_run *r, dpl_lexicon *composed, double n_implied,
                                    dpl_error *err)
{
    dpl__rounds *before = &r->rounds[r->last - r->rounds];
    r->composed = composed;
    if (dpl__is_nothing(&before->why_empty))
        return DPL_OK;
    DPL_TRY(take_likely(before, r->ctx, err));
    if (!gains_again(r, before, n_implied))
        return DPL_OK;
    r->corpus.n_implied = n_implied;
    dpl_status status = find_again(r, before, err);
    note_rounds(r, r->last);
    end_stages(r);
    return status;
}

/* A lexicon to start with; a dictionary becomes one. */
static dpl_status open_given(dpl__pair_run *r, dpl_error *err)
{
    const dpl_mine_options *o = &r->settings.options;
    char path[4100];
    if (r->given)
        return DPL_OK;
    if (o->lexicon)
        return dpl__given_lexicon_open(&r->given, &r->corpus, o->lexicon, err);
    if (!o->dictionary)
        return DPL_OK;
    dpl_lexicon_import_options import =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = r->corpus.lang[0],
                 .target_lang = r->corpus.lang[1], .stem = r->corpus.is_stemmed);
    snprintf(path, sizeof path, "%s/dictionary.dpl", r->corpus.work);
    DPL_TRY(dpl__given_dictionaries_import(r->ctx, path, o, &import, err));
    return dpl__given_lexicon_open(&r->given, &r->corpus, path, err);
}

static void note_pairs(dpl__pair_run *r)
{
    dpl_mine_run *s = &r->summary;
    s->n_pairs = r->sides[0].n_paired = r->sides[1].n_paired = r->final.docs.n;
    const dpl__estimates *e = &r->final.estimates;
    s->estimated_precision = e->precision.value;
    s->estimated_precision_low = e->precision.low;
    s->estimated_precision_high = e->precision.high;
    s->estimated_recall = e->recall.value;
    s->estimated_recall_low = e->recall.low;
    s->estimated_recall_high = e->recall.high;
    s->hidden_back = r->final.back;
    s->least_confidence = fmin(r->final.least, 1);
    s->why_cut = r->final.why_cut;
    s->why_no_estimate = e->why_none;
    s->verdict = e->verdict[0] ? e->verdict : NULL;
    s->aligned_share = r->final.found.aligned;
    s->has_few_pairs = r->final.found.has_few;
    if (r->final.is_chance)
        s->why_empty = "the best matches are no better than those of unrelated documents";
    else if (!r->final.docs.n)
        s->why_empty = "no match reaches the lowest confidence";
}

static void note_beads(dpl__pair_run *r)
{
    const dpl__final_beads *b = &r->beads;
    r->summary.has_ranges = b->has_ranges;
    for (int side = 0; side < 2; side++)
        r->summary.parallel_share[side] =
            b->n_words[side] ? (double)b->n_parallel[side] / (double)b->n_words[side] : 0;
    r->summary.n_sentence_pairs = b->summary.n_verdicts[DPL_VERDICT_KEPT];
}

/* One run of many may have no document of the list; two sides that have none are a mistake. */
static dpl_status check_gold(const dpl__pair_run *r, dpl_error *err)
{
    if (r->task.is_of_many || r->gold->n_known || !r->gold->n_unknown)
        return DPL_OK;
    dpl__fail(err, DPL_E_USAGE, "no line of '%s' is about two %s of these inputs: %s",
              r->settings.options.known, r->unit->things, r->gold->unknown.text);
    return dpl__code(err, DPL_E_USAGE, r->unit->gold_code);
}

/* Pairs that people judged. */
static dpl_status read_gold(dpl__pair_run *r, dpl_error *err)
{
    if (!r->settings.options.known)
        return DPL_OK;
    DPL_TRY(
        dpl__gold_read(&r->gold, &r->corpus, r->read.numbers, r->settings.options.known, err));
    r->corpus.gold = r->gold;
    r->summary.has_known = true;
    r->summary.n_accepted = r->gold->n_accepted;
    r->summary.n_rejected = r->gold->n_rejected;
    r->summary.n_known_absent = r->gold->n_unknown;
    r->summary.n_known_left_out = r->gold->n_left_out;
    r->summary.known_absent = r->gold->n_unknown ? r->gold->unknown.text : NULL;
    return check_gold(r, err);
}

/* Nothing to learn from is a result: no pairs, with the reason. Who wants a lexicon has none.
 */
static dpl_status end_empty(dpl__pair_run *r, dpl_error *err)
{
    const dpl__reason *why = &r->last->why_empty;
    if (r->task.lexicon_path) {
        dpl__fail(err, DPL_E_NOTHING, "%s", why->text);
        return why->code ? dpl__code(err, DPL_E_NOTHING, why->code) : DPL_E_NOTHING;
    }
    const size_t n = r->summary.n_rounds;
    if (n > 1 && r->round_list[n - 1]->search == DPL_PAIRS_AUTO)
        r->summary.n_rounds--; /* which did not get as far as its search */
    r->summary.why_empty = why->text;
    r->summary.is_empty = true;
    const dpl__round_input in = dpl__rounds_as_input(r->last, &r->corpus);
    dpl__final_pairs_empty(&r->final);
    DPL_TRY(dpl__final_beads_empty(&r->beads, &in, err));
    dpl__final_beads_as_read(&r->beads, &r->final, &r->corpus, r->read.numbers);
    return r->task.has_no_files ? DPL_OK : write_files(r, err);
}

static dpl_status find(dpl__pair_run *r, dpl_error *err)
{
    dpl__stage_time(&r->stage, "links read");
    DPL_TRY(dpl__known_links_read(r, err));
    dpl__stage_time(&r->stage, "prepare");
    DPL_TRY(dpl__pair_run_keep_own(r, err));
    DPL_TRY(dpl__pair_run_choose_unit(r, err));
    DPL_TRY(dpl__pair_run_clean(r, err));
    DPL_TRY(dpl__known_links_renumber(r, err));
    DPL_TRY(dpl__pair_run_prepare(r, err));
    DPL_TRY(read_gold(r, err));
    DPL_TRY(open_given(r, err));
    return find_with_unit(r, err);
}

dpl_status dpl__pair_run_find(dpl__pair_run *r, dpl_error *err)
{
    dpl_status status = find(r, err);
    end_stages(r);
    r->summary.seconds = dpl__now() - r->task.began;
    return status;
}

/* user: the run. What was begun while another process finished it goes. */
static dpl_status finish(void *user, dpl_error *err)
{
    dpl__pair_run *r = user;
    dpl__final_beads_clear(&r->beads, r->ctx);
    dpl__final_pairs_clear(&r->final, &r->corpus);
    r->beads = (dpl__final_beads){.summary = DPL_INIT(dpl_sentences_summary)};
    r->final = (dpl__final_pairs){0};
    if (dpl__is_nothing(&r->last->why_empty))
        return end_empty(r, err);
    if (r->task.lexicon_path)
        return move_lexicon(r, err);
    double began = dpl__now();
    const dpl__round_input in = dpl__rounds_as_input(r->last, &r->corpus);
    DPL_TRY(dpl__final_pairs_select(&r->final, r->last, &r->corpus, err));
    note_pairs(r);
    dpl__stage_set(&r->stage, "sentences");
    dpl__stage_time(&r->stage, "sentences");
    DPL_TRY(dpl__final_beads_align(&r->beads, &r->final, &in, r->settings.min_score, err));
    note_beads(r);
    dpl__stage_time(&r->stage, "links");
    DPL_TRY(dpl__known_links_compare(r, err));
    dpl__stage_time(&r->stage, "outputs");
    r->summary.final_seconds = dpl__now() - began;
    dpl__final_beads_as_read(&r->beads, &r->final, &r->corpus, r->read.numbers);
    return r->task.has_no_files ? DPL_OK : write_files(r, err);
}

/* Other runs may have come between. */
dpl_status dpl__pair_run_finish(dpl__pair_run *r, dpl_error *err)
{
    r->task.began = dpl__now() - r->summary.seconds;
    dpl_status status = dpl__shared_finish(r->ctx, r, finish, err);
    end_stages(r);
    r->summary.seconds = dpl__now() - r->task.began;
    r->task.inputs[0] = r->task.inputs[1] = NULL;
    dpl__out_folder_close(&r->folder);
    return status;
}
