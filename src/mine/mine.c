/*
 * mine.c - mining two languages, as a list of stages.
 *
 *     import       the inputs become two collections       comparable.c
 *     prepare      duplicates, languages                   comparable.c
 *     rounds       search, align, train until stable       find_candidates.c, rounds.c
 *     confidence   final estimate for each candidate       shared_confidence.c
 *     select       the pairs that are likely enough        final_pairs.c
 *     align        their sentences, once, kept for all     final_beads.c
 *     links        compared with known ones, if any        known_links.c
 *     write        files, report, figures                  run_files.c, sentence_files.c
 *
 * Each stage makes one value of the run (pair_run.h); those up to the confidence are kept files
 * (io/kept_file.h), and the outputs are one use of the others.
 */
#include "mine/pair_run.h"

#include "base/ctx.h"
#include "io/shared_run.h"
#include "mine/clean.h"
#include "mine/copy_choice.h"
#include "mine/given_lexicon.h"
#include "mine/gold.h"
#include "mine/known_links.h"
#include "mine/left_out.h"
#include "mine/own_language.h"
#include "mine/report_content.h"
#include "mine/run_files.h"
#include "mine/sentence_files.h"
#include "mine/unit_choice.h"
#include "mine/with_parts.h"
#include "par/pool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

void dpl__pair_run_end_stages(dpl__pair_run *r)
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
    dpl__pair_run_end_stages(r); /* for the report */
    dpl__stage_time(&r->stage, "outputs");
    DPL_TRY(dpl__parallel_for(r->ctx, WRITTEN, r, write_file, err));
    dpl__pair_run_end_stages(r);
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

/* A run that finds nothing to learn from ends without pairs, with the reason; a request for a
 * lexicon fails. */
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
    dpl__final_pairs_empty(&r->final);
    DPL_TRY(dpl__final_beads_empty(&r->beads, r->last, &r->corpus, err));
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
    DPL_TRY(dpl__pair_run_add_parts(r, err));
    DPL_TRY(read_gold(r, err));
    DPL_TRY(open_given(r, err));
    r->corpus.given = r->given;
    return dpl__pair_run_find_candidates(r, err);
}

dpl_status dpl__pair_run_find(dpl__pair_run *r, dpl_error *err)
{
    dpl_status status = find(r, err);
    dpl__pair_run_end_stages(r);
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
    DPL_TRY(dpl__final_pairs_select(&r->final, r->last, &r->corpus, err));
    note_pairs(r);
    dpl__stage_set(&r->stage, "sentences");
    dpl__stage_time(&r->stage, "sentences");
    DPL_TRY(dpl__final_beads_align(&r->beads, &r->final, r->last, &r->corpus,
                                   r->settings.min_score, err));
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
    dpl__pair_run_end_stages(r);
    r->summary.seconds = dpl__now() - r->task.began;
    r->task.inputs[0] = r->task.inputs[1] = NULL;
    dpl__out_folder_close(&r->folder);
    return status;
}
