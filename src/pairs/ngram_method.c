/*
 * ngram_method.c - the row of n-gram mining in the table of methods.
 *
 * Documents are searched, not vectors: their n-grams are extracted and matched, and pairs are
 * scored (src/pairs/ngram). Here they are numbered through both sides; selection, summary and
 * output are those of all methods.
 */
#include "pairs/pairs_run.h"

#include "base/ctx.h"
#include "pairs/ngram/finder.h"
#include "pairs/ngram/ngram_params.h"

#include <math.h>

/* ---- the plan ----------------------------------------------------------------------- */

/* A word: its n-grams extracted, sorted, matched and scored (docs/ngram.md). */
static const double WORD_NS = 400;

/* Sorting takes what memory there is, and files beyond it: half a word's postings at least. */
static void plan(dpl__planner *p)
{
    if (!p->has_documents)
        return;
    const double bytes = p->n_words * 2 * sizeof(dpl__ngram_posting);
    dpl__planner_put(p, (dpl_plan_row){.method = DPL_PAIRS_NGRAM,
                                       .comparisons = p->n_words,
                                       .seconds = dpl__planner_seconds(p, p->n_words * WORD_NS),
                                       .bytes = fmin(bytes, 0.75 * (double)p->ctx->memory)});
}

static void say_name(dpl__text *t, const dpl_plan_row *row)
{
    (void)row;
    dpl__say(t, "the search by n-grams");
}

static void say_work(dpl__text *t, const dpl_plan_row *row, double n_pairs)
{
    (void)n_pairs;
    dpl__say(t, " reads %.3g words in ", row->comparisons);
}

/* ---- the search --------------------------------------------------------------------- */

static dpl_status open(dpl_pairs *p, const dpl_pairs_side *left, const dpl_pairs_side *right,
                       dpl_error *err)
{
    if (!left->collection || (right && !right->collection))
        return dpl__fail_code(err, DPL_E_USAGE, "ngram-vectors",
                              "n-grams are found in documents, not in vectors");
    dpl_pairs_options *o = &p->options;
    o->threshold = o->threshold == 0 ? DPL__P(ngram, threshold) : o->threshold;
    DPL_TRY(dpl__ngram_new(&p->finder, p->ctx, &p->ngram, &p->spill, err));
    dpl__ngram_finder *f = p->finder;
    DPL_TRY(dpl__ngram_settle(&f->settings, o->ngram, err));
    if (!right && !f->s->by_language)
        return dpl__fail(err, DPL_E_USAGE,
                         "one collection has pairs between its languages only");
    f->sides[0] = left->collection;
    f->sides[1] = right ? right->collection : NULL;
    f->n_sides = right ? 2 : 1;
    DPL_TRY(dpl__ngram_number_docs(f, err));
    p->summary.n_left = dpl_collection_get_sizes(left->collection)->n_docs;
    p->summary.n_right = f->groups.n_docs - p->summary.n_left;
    p->summary.ngram = &p->ngram;
    if (f->s->by_language) { /* one set of documents */
        p->is_self = true;
        p->group_of = f->group_of;
        p->n_groups = f->groups.n_groups;
        p->summary.n_left = p->summary.n_right = f->groups.n_docs;
    }
    return DPL_OK;
}

static dpl_status prepare(dpl__search *s, dpl_error *err)
{
    return dpl__ngram_begin(s->finder, err);
}

static uint32_t count_left(const dpl_pairs *p)
{
    return p->summary.n_left;
}

static dpl_status run(dpl__search *s, dpl_error *err)
{
    dpl__ngram_finder *f = s->finder;
    f->pairs = s->pairs;
    f->check = s->check;
    f->threshold = s->options->threshold;
    f->first_right = s->is_self ? 0 : s->summary->n_left;
    f->first_left = s->first_unit;
    f->end_left = s->n_units ? s->first_unit + s->n_units : f->groups.n_docs;
    DPL_TRY(dpl__ngram_search(f, err));
    s->summary->n_comparisons = s->summary->n_candidates = f->summary->n_candidates;
    return DPL_OK;
}

const dpl__method dpl__ngram_method = {
    .info = {.method = DPL_PAIRS_NGRAM,
             .name = "ngram",
             .help = "documents in one language that share rare word n-grams",
             .finds = "pairs that share a matching n-gram and score above the threshold",
             .unit = "pairs",
             .has_documents = true},
    .checks_itself = true,
    .plan = plan,
    .say_name = say_name,
    .say_work = say_work,
    .open = open,
    .n_units = count_left,
    .prepare = prepare,
    .run = run,
    .nearest = dpl__ngram_nearest,
    .check_nearest = dpl__ngram_check,
};
