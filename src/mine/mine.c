/*
 * mine.c - mining two languages, as a list of stages.
 *
 *     import       the inputs become two collections            comparable.c
 *     prepare      duplicates, languages                        comparable.c
 *     rounds       search, align, train until stable            rounds.c, round.c
 *     confidence   final estimate for each candidate            final_features.c, confidence.c
 *     select       the pairs that are likely enough
 *     align        their sentences, once, kept for all          sentences/aligned.c
 *     links        compared with known ones, if there are      known_links.c
 *     write        files, report, figures                       sentence_files.c, run_files.c,
 *                                                               report_content.c
 *
 * Each stage leaves its results in the run (pair_run.h); the files are one use of them.
 */
#include "mine/pair_run.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "mine/align_sides.h"
#include "mine/clean.h"
#include "mine/copy_choice.h"
#include "mine/final_features.h"
#include "mine/given_lexicon.h"
#include "mine/gold.h"
#include "mine/known_links.h"
#include "mine/mine_params.h"
#include "mine/own_language.h"
#include "mine/pair_ranges.h"
#include "mine/report_content.h"
#include "mine/run_files.h"
#include "mine/sentence_files.h"
#include "mine/unit_choice.h"
#include "sentences/sentences_params.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

/* ---- new and free ------------------------------------------------------------------- */

dpl_status dpl__mine_settings_take(dpl__mine_settings *s, const dpl_mine_options *options,
                                   dpl_error *err)
{
    dpl_mine_options *o = &s->options;
    DPL_TRY(DPL__TAKE(o, options, err));
    DPL_TRY(DPL__TAKE(&s->read, o->read, err));
    DPL_TRY(DPL__TAKE(&s->search, o->search, err));
    DPL_TRY(DPL__TAKE(&s->sentences, o->sentences, err));
    o->read = &s->read;
    o->search = &s->search;
    o->sentences = &s->sentences;
    o->is_unique = o->is_unique || s->sentences.is_unique;
    o->drop_frequent = o->drop_frequent || s->sentences.drop_frequent;
    s->sentences.is_unique = s->sentences.drop_frequent = false;
    s->min_score =
        s->sentences.min_score != 0 ? s->sentences.min_score : DPL__P(sentences, min_score);
    DPL_TRY(dpl__formats_parse(&s->formats, o->formats, err));
    o->rounds = o->rounds ? o->rounds : 5;
    o->confidence = o->confidence > 0 ? o->confidence : 0.5;
    if (o->lexicon && o->dictionary)
        return dpl__fail(err, DPL_E_USAGE,
                         "a lexicon and a dictionary to start with: only one can be used");
    if (s->search.method == DPL_PAIRS_HASH)
        return dpl__fail(err, DPL_E_USAGE, "mining has no search by hash codes");
    if (o->rounds > DPL_MINE_MOST_ROUNDS)
        return dpl__fail(err, DPL_E_USAGE, "more than %d rounds", DPL_MINE_MOST_ROUNDS);
    return DPL_OK;
}

static dpl_status open_run(dpl__pair_run *r, const dpl__pair_run_input *in,
                           const dpl_mine_options *options, dpl_error *err)
{
    const dpl_input inputs[2] = {*in->left, *in->right};
    DPL_TRY(dpl__mine_settings_take(&r->settings, options, err));
    DPL_TRY(dpl__stage_open(&r->stage, r->parent, in->prefix, err));
    r->ctx = r->stage.job;
    r->corpus =
        (dpl__comparable){.ctx = r->ctx, .options = &r->settings.options, .stage = &r->stage};
    DPL_TRY(
        dpl__folder_open(&r->folder, r->ctx, in->dir, inputs, 2, &r->settings.options, err));
    r->dir = r->folder.dir;
    memcpy(r->corpus.work, r->folder.work, sizeof r->corpus.work);
    return DPL_OK;
}

dpl_status dpl__pair_run_new(dpl__pair_run **out, dpl_ctx *ctx, const dpl__pair_run_input *in,
                             const dpl_mine_options *options, dpl_error *err)
{
    dpl__pair_run *r = *out = dpl__calloc(ctx, 1, sizeof *r);
    if (!r)
        return dpl__fail_nomem(err);
    r->parent = ctx;
    r->began = dpl__now();
    r->inputs[0] = in->left;
    r->inputs[1] = in->right;
    r->lexicon_path = in->lexicon_path;
    r->has_no_files = in->has_no_files || !in->dir;
    r->is_of_many = in->prefix != NULL;
    r->last = &r->rounds[0];
    r->sentences.size = sizeof r->sentences;
    r->summary = (dpl_mine_run){.left = &r->sides[0],
                                .right = &r->sides[1],
                                .rounds = r->round_list,
                                .recall_check = &r->recall_check,
                                .sentences = &r->sentences,
                                .skipped = &r->skipped};
    r->skipped.ctx = ctx;
    dpl_status status = open_run(r, in, options, err);
    if (status != DPL_OK) {
        dpl__pair_run_free(r);
        *out = NULL;
    }
    return status;
}

void dpl__pair_run_free(dpl__pair_run *r)
{
    if (!r)
        return;
    dpl_ctx *ctx = r->ctx;
    dpl__known_links_clear(r);
    dpl__aligned_free(r->aligned);
    dpl__vec_clear(ctx, &r->pairs);
    dpl__vec_clear(ctx, &r->ranges);
    dpl__vec_clear(ctx, &r->coverage);
    dpl__doc_candidates_clear(&r->found, ctx);
    if (r->ctx)
        for (size_t i = 0; i < DPL_LEN(r->rounds); i++)
            dpl__rounds_clear(&r->rounds[i], &r->corpus);
    dpl_lexicon_close(r->given);
    dpl__gold_free(r->gold);
    for (int side = 0; side < 2; side++) {
        dpl__vec_clear(ctx, &r->langs[side].langs);
        size_t n = r->corpus.c[side] ? dpl_collection_get_sizes(r->corpus.c[side])->n_docs : 0;
        dpl__free(ctx, r->corpus.skip[side], r->corpus.skip[side] ? n : 0);
        dpl__free(ctx, r->corpus.keys[side],
                  r->corpus.keys[side] ? n * sizeof *r->corpus.keys[side] : 0);
        dpl__free(ctx, r->copy_of[side], r->copy_of[side] ? n * sizeof *r->copy_of[side] : 0);
        dpl__free(ctx, r->corpus.groups[side],
                  r->corpus.groups[side] ? n * sizeof *r->corpus.groups[side] : 0);
        dpl_collection_close(r->owned[side]);
        dpl__doc_numbers_clear(&r->numbers[side], ctx);
    }
    dpl__skips_clear(&r->skipped);
    dpl__folder_close(&r->folder);
    dpl__stage_close(&r->stage);
    dpl__free(r->parent, r, sizeof *r);
}

/* ---- stages ------------------------------------------------------------------------- */

/* What the estimate of precision and recall is made of. */
typedef struct estimate {
    size_t n_candidates, n_pairs;
    double n_right, n_all; /* expected to be right: of the pairs, of all there are */
} estimate;

/* Of few candidates the confidence is not fitted to them: it says what it began with, that they
 * are right. Of single sentences it is too high where few have a counterpart (docs/hard.md). */
static bool has_too_few(const dpl__pair_run *r, const estimate *e)
{
    const uint32_t *n_docs = r->corpus.n_docs;
    double n_least = (double)dpl__min(n_docs[0], n_docs[1]);
    return (double)e->n_candidates < DPL__P(mine, pairs_per_em_round) ||
           (double)e->n_pairs < DPL__P(mine, estimate_pairs) ||
           (r->last->unit->least_right && e->n_right < r->last->unit->least_right() * n_least);
}

static void note_estimate(dpl__pair_run *r, const estimate *e)
{
    dpl_mine_run *s = &r->summary;
    s->estimated_precision = e->n_pairs ? e->n_right / (double)e->n_pairs : 0;
    s->estimated_recall = e->n_all > 0 ? e->n_right / e->n_all : 0;
    s->why_no_estimate = NULL;
    if (e->n_pairs && has_too_few(r, e)) {
        s->estimated_precision = s->estimated_recall = NAN;
        s->why_no_estimate = "precision and recall cannot be estimated: too few pairs";
    }
}

/* The pairs that are likely enough, and what the confidences say about them. */
static dpl_status select_pairs(dpl__pair_run *r, dpl_error *err)
{
    dpl__doc_candidates *f = &r->found;
    double all = 0, taken = 0, missed = 0;
    size_t n = 0;
    if (r->last->unit->missed)
        DPL_TRY(r->last->unit->missed(&missed, &r->corpus, f, err));
    r->pairs.n = 0;
    r->confidence = (dpl__histogram){.low = 0, .high = 1};
    for (size_t i = 0; i < f->pairs.n; i++) {
        double confidence = f->pairs.data[i].confidence;
        all += confidence;
        dpl__histogram_add(&r->confidence, confidence);
        if (confidence < r->settings.options.confidence)
            continue;
        taken += confidence;
        f->pairs.data[n++] = f->pairs.data[i];
        if (!dpl__vec_push(r->ctx, &r->pairs, f->pairs.data[i].docs))
            return dpl__fail_nomem(err);
    }
    note_estimate(r, &(estimate){f->pairs.n, n, taken, all > 0 ? all + missed : 0});
    f->pairs.n = n;
    r->summary.n_pairs = r->sides[0].n_paired = r->sides[1].n_paired = n;
    r->recall_check = f->receipt;
    r->summary.aligned_share = f->aligned;
    r->summary.has_few_pairs = f->has_few;
    return DPL_OK;
}

/* Beads of the final pairs, as they come. */
typedef struct beads {
    dpl__pair_run *run;
    dpl__ranges ranges;
    DPL_VEC(dpl_bead) scored;
    size_t at;      /* pairs so far */
    uint64_t n_low; /* dropped for their score */
} beads;

/* A copy of the beads that can be changed. */
static dpl_status copy_beads(beads *b, dpl_aligned_docs *docs, dpl_error *err)
{
    b->scored.n = 0;
    if (!dpl__vec_append(b->run->ctx, &b->scored, docs->beads, docs->n_beads))
        return dpl__fail_nomem(err);
    docs->beads = b->scored.data;
    return DPL_OK;
}

/* What single sentences are worth is the confidence of their pair, which looked at competitors,
 * too. */
static void score_sentences(beads *b, const dpl_aligned_docs *docs)
{
    dpl__pair_run *r = b->run;
    while (b->at < r->pairs.n && (r->pairs.data[b->at].left != docs->docs.left ||
                                  r->pairs.data[b->at].right != docs->docs.right))
        b->at++;
    assert(b->at < r->pairs.n);
    for (size_t i = 0; i < docs->n_beads; i++)
        b->scored.data[i].score = (float)r->found.pairs.data[b->at].confidence;
}

/* After the ranges of passages, which count all that has common words. */
static void drop_low_scores(beads *b)
{
    if (b->run->settings.sentences.no_filter)
        return;
    for (size_t i = 0; i < b->scored.n; i++) {
        dpl_bead *bead = &b->scored.data[i];
        bool is_low = (double)bead->score < b->run->settings.min_score;
        if (bead->verdict == DPL_VERDICT_KEPT && is_low) {
            bead->verdict = DPL_VERDICT_SCORE;
            b->n_low++;
        }
    }
}

static dpl_status take_beads(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    beads *b = user;
    dpl_aligned_docs marked = *docs;
    if (dpl__has_ranges(b->run)) {
        DPL_TRY(dpl__ranges_mark(&b->ranges, b->run->ctx, b->run->corpus.c, docs, err));
        DPL_TRY(dpl__pair_run_add_ranges(b->run, &b->ranges, err));
        marked.beads = b->ranges.beads.data;
    }
    DPL_TRY(copy_beads(b, &marked, err));
    if (!b->run->last->unit->has_alignment && docs->n_beads)
        score_sentences(b, docs);
    else
        drop_low_scores(b);
    return dpl__aligned_add(b->run->aligned, &marked, err);
}

static dpl_status align_to(dpl__pair_run *r, beads *b, dpl_error *err)
{
    dpl_sentences_options o = r->settings.sentences;
    o.no_learning = r->lexicon != NULL;
    DPL_TRY(dpl__align_sides(&r->sentences, &r->corpus, r->pairs.data, r->pairs.n, r->lexicon,
                             &o, take_beads, b, err));
    dpl__pair_run_count_outside(r);
    r->sentences.n_verdicts[DPL_VERDICT_KEPT] -= b->n_low;
    r->sentences.n_verdicts[DPL_VERDICT_SCORE] = b->n_low;
    r->summary.n_sentence_pairs = r->sentences.n_verdicts[DPL_VERDICT_KEPT];
    return dpl__drop_repeats(r, err);
}

static dpl_status align_pairs(dpl__pair_run *r, dpl_error *err)
{
    enum { SHARE = 32 }; /* of the memory, for beads */
    beads b = {.run = r};
    dpl__stage_set(&r->stage, "sentences");
    dpl__stage_time(&r->stage, "sentences");
    DPL_TRY(dpl__aligned_new(&r->aligned, r->ctx, r->corpus.work,
                             (size_t)(dpl_ctx_memory(r->ctx) / SHARE), err));
    dpl_status status = align_to(r, &b, err);
    dpl__ranges_clear(&b.ranges, r->ctx);
    dpl__vec_clear(r->ctx, &b.scored);
    return status;
}

/* The time of the stages, up to here. */
static void end_stages(dpl__pair_run *r)
{
    dpl__stage_time(&r->stage, NULL);
    r->summary.stages = r->stage.times;
    r->summary.n_stages = r->stage.n_times;
}

static dpl_status write_files(dpl__pair_run *r, dpl_error *err)
{
    DPL_TRY(dpl__write_sentences(r, err));
    DPL_TRY(dpl__write_pairs(r->dir, "pairs.tsv", &r->corpus, &r->found.pairs, 0, err));
    DPL_TRY(dpl__write_copies(r, err));
    DPL_TRY(dpl__write_ranges(r->dir, r, err));
    if (r->lexicon)
        DPL_TRY(dpl__write_lexicon(r->dir, r->ctx, r->lexicon, err));
    DPL_TRY(dpl__known_links_write(r, err));
    r->summary.seconds = dpl__now() - r->began;
    DPL_TRY(dpl__write_report(r->dir, r, err));
    end_stages(r);
    return dpl__write_run(r->dir, &r->corpus, &r->summary, err);
}

/* The lexicon alone. */
static dpl_status move_lexicon(dpl__pair_run *r, dpl_error *err)
{
    char path[4100];
    dpl__rounds_file(path, r->last, &r->corpus, "lexicon");
    if (rename(path, r->lexicon_path) != 0)
        return dpl__fail_errno(err, errno, "cannot write '%s'", r->lexicon_path);
    return DPL_OK;
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
    r->summary.is_stable = rounds->is_stable;
    r->summary.unit = rounds->unit->number;
    r->summary.n_document_rounds = rounds->first;
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
    const dpl__rounds *of = round < r->last->first ? &r->rounds[0] : r->last;
    assert(round - of->first < of->n);
    return of->cosines[round - of->first];
}

/* Candidates of a unit, with their final confidence. What is known about single sentences is
 * known in each round. */
static dpl_status find_candidates(dpl__rounds *out, dpl__pair_run *r, const dpl__unit *unit,
                                  dpl_error *err)
{
    dpl__doc_pairs links = {0};
    dpl__rounds_input in = {.corpus = &r->corpus,
                            .unit = unit,
                            .first = out > r->rounds ? out[-1].n : 0,
                            .given = r->given,
                            .is_lexicon_only = r->lexicon_path,
                            .tell = tell_round,
                            .user = r};
    dpl_status status = dpl__known_links_train(&links, r, err);
    in.links = (dpl__pair_list){links.data, links.n};
    if (status == DPL_OK)
        status = dpl__rounds_run(out, &in, err);
    dpl__vec_clear(r->ctx, &links);
    DPL_TRY(status);
    note_rounds(r, out);
    if (r->lexicon_path || dpl__is_nothing(&out->why_empty))
        return DPL_OK;
    dpl__stage_set(&r->stage, "confidence");
    dpl__stage_time(&r->stage, "confidence");
    const dpl__round_input round = dpl__rounds_as_input(out, &r->corpus);
    const dpl__pair_list learnt = {out->learnt.data, out->learnt.n};
    return unit->has_alignment
               ? dpl__estimate_final_confidence(&out->found, &round, learnt, err)
               : DPL_OK;
}

/* Candidates by documents; where these show that passages are needed, by passages. Both stay:
 * where passages find nothing to trust, documents are the result. */
static dpl_status find_with_unit(dpl__pair_run *r, dpl_error *err)
{
    dpl__rounds *first = &r->rounds[0], *passages = &r->rounds[1];
    DPL_TRY(find_candidates(first, r, r->unit, err));
    if (r->settings.options.unit == DPL_UNIT_AUTO &&
        dpl__needs_passages(first, r->lexicon_path)) {
        dpl__stage_set(&r->stage, "passages");
        DPL_TRY(find_candidates(passages, r, &dpl__unit_passage, err));
        r->last = passages;
        if (dpl__distrusts_passages(passages, &r->corpus, r->lexicon_path))
            r->last = first;
        note_rounds(r, r->last);
    }
    r->lexicon = r->last->lexicon;
    return DPL_OK;
}

/* A lexicon to start with; a dictionary becomes one. */
static dpl_status open_given(dpl__pair_run *r, dpl_error *err)
{
    const dpl_mine_options *o = &r->settings.options;
    char path[4100];
    if (o->lexicon)
        return dpl__given_lexicon_open(&r->given, &r->corpus, o->lexicon, err);
    if (!o->dictionary)
        return DPL_OK;
    dpl_dictionary dictionary = {.path = o->dictionary};
    dpl_lexicon_import_options import =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = r->corpus.lang[0],
                 .target_lang = r->corpus.lang[1], .stem = r->corpus.is_stemmed);
    snprintf(path, sizeof path, "%s/dictionary.dpl", r->corpus.work);
    DPL_TRY(dpl_lexicon_import(NULL, r->ctx, path, &dictionary, 1, &import, err));
    return dpl__given_lexicon_open(&r->given, &r->corpus, path, err);
}

/* One run of many may have no document of the list; two sides that have none are a mistake. */
static dpl_status check_gold(const dpl__pair_run *r, dpl_error *err)
{
    if (r->is_of_many || r->gold->n_known || !r->gold->n_unknown)
        return DPL_OK;
    dpl__fail(err, DPL_E_USAGE, "no line of '%s' is about two %s of these inputs: %s%s",
              r->settings.options.gold, r->unit->things, r->gold->unknown.text,
              r->gold->n_unknown > DPL__NAMES_LISTED ? " ..." : "");
    return dpl__code(err, DPL_E_USAGE, r->unit->gold_code);
}

/* Pairs that people judged. */
static dpl_status read_gold(dpl__pair_run *r, dpl_error *err)
{
    if (!r->settings.options.gold)
        return DPL_OK;
    DPL_TRY(dpl__gold_read(&r->gold, &r->corpus, r->numbers, r->settings.options.gold, err));
    r->corpus.gold = r->gold;
    r->summary.has_gold = true;
    r->summary.n_accepted = r->gold->n_accepted;
    r->summary.n_rejected = r->gold->n_rejected;
    r->summary.n_gold_unknown = r->gold->n_unknown;
    r->summary.n_gold_left_out = r->gold->n_left_out;
    r->summary.gold_unknown = r->gold->n_unknown ? r->gold->unknown.text : NULL;
    return check_gold(r, err);
}

/* Nothing to learn from is a result: no pairs, with the reason. Who wants a lexicon has none.
 */
static dpl_status end_empty(dpl__pair_run *r, dpl_error *err)
{
    const dpl__reason *why = &r->last->why_empty;
    if (r->lexicon_path) {
        dpl__fail(err, DPL_E_NOTHING, "%s", why->text);
        return why->code ? dpl__code(err, DPL_E_NOTHING, why->code) : DPL_E_NOTHING;
    }
    const size_t n = r->summary.n_rounds;
    if (n > 1 && r->round_list[n - 1]->search == DPL_PAIRS_AUTO)
        r->summary.n_rounds--; /* which did not get as far as its search */
    r->summary.why_empty = why->text;
    r->summary.is_empty = true;
    r->confidence = (dpl__histogram){.low = 0, .high = 1};
    DPL_TRY(dpl__aligned_new(&r->aligned, r->ctx, NULL, 0, err));
    return r->has_no_files ? DPL_OK : write_files(r, err);
}

static dpl_status run_stages(dpl__pair_run *r, dpl_error *err)
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
    DPL_TRY(find_with_unit(r, err));
    if (dpl__is_nothing(&r->last->why_empty))
        return end_empty(r, err);
    if (r->lexicon_path)
        return move_lexicon(r, err);
    double began = dpl__now();
    DPL_TRY(dpl__doc_candidates_copy(&r->found, &r->last->found, r->ctx, err));
    DPL_TRY(dpl__choose_copies(r, err));
    const dpl__round_input round = dpl__rounds_as_input(r->last, &r->corpus);
    if (r->gold)
        DPL_TRY(dpl__gold_apply(&r->found, &round, err));
    DPL_TRY(select_pairs(r, err));
    DPL_TRY(dpl__list_copies(r, err));
    dpl__pair_run_find_sections(r);
    DPL_TRY(align_pairs(r, err));
    dpl__stage_time(&r->stage, "links");
    DPL_TRY(dpl__known_links_compare(r, err));
    dpl__stage_time(&r->stage, "outputs");
    r->summary.final_seconds = dpl__now() - began;
    return r->has_no_files ? DPL_OK : write_files(r, err);
}

dpl_status dpl__pair_run_finish(dpl__pair_run *r, dpl_error *err)
{
    dpl_status status = run_stages(r, err);
    end_stages(r);
    r->summary.seconds = dpl__now() - r->began;
    r->inputs[0] = r->inputs[1] = NULL;
    dpl__folder_close(&r->folder);
    return status;
}
