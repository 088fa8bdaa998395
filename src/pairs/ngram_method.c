/*
 * ngram_method.c - the row of n-gram mining in the table of methods.
 *
 * Documents are searched, not vectors: their n-grams are extracted and matched, and pairs are
 * scored (src/pairs/ngram). Here they are numbered through both sides; selection, summary and
 * output are those of all methods.
 */
#include "pairs/method.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "pairs/ngram/ngram_part.h"
#include "tokens/collection.h"

/* What is not said of n-grams is as for all pairs. */
static dpl_status settle(dpl__ngram_settings *out, const dpl_pairs_options *pairs,
                         dpl_error *err)
{
    dpl_ngram_options o;
    DPL_TRY(DPL__TAKE(&o, pairs->ngram, err));
    o.threshold = o.threshold != 0 ? o.threshold : pairs->threshold;
    o.n_best = o.n_best ? o.n_best : pairs->n_best;
    o.spill_dir = o.spill_dir ? o.spill_dir : pairs->spill_dir;
    return dpl__ngram_settle(out, &o, err);
}

static dpl_status open(dpl_pairs *p, const dpl_pairs_side *left, const dpl_pairs_side *right,
                       dpl_error *err)
{
    if (!left->collection || (right && !right->collection)) {
        dpl__fail(err, DPL_E_USAGE, "n-grams are found in documents, not in vectors");
        return dpl__code(err, DPL_E_USAGE, "ngram-vectors");
    }
    DPL_TRY(dpl__ngram_new(&p->finder, p->ctx, &p->ngram, &p->spill, err));
    dpl__ngram_finder *f = p->finder;
    DPL_TRY(settle(&f->settings, &p->options, err));
    const char *dir = f->s->spill_dir;
    DPL_TRY(dpl__spill_init(&p->spill, p->ctx, dir ? dir : "/tmp", err));
    if (!right && !f->s->by_language)
        return dpl__fail(err, DPL_E_USAGE,
                         "one collection has pairs between its languages only");
    f->sides[0] = left->collection;
    f->sides[1] = right ? right->collection : NULL;
    f->n_sides = right ? 2 : 1;
    p->summary.n_left = dpl_collection_get_sizes(left->collection)->n_docs;
    p->summary.n_right = right ? dpl_collection_get_sizes(right->collection)->n_docs : 0;
    p->has_one_numbering = f->s->by_language;
    p->first_right = f->s->by_language ? 0 : p->summary.n_left;
    p->options.threshold = f->s->threshold;
    return DPL_OK;
}

static dpl_status prepare(dpl__search *s, dpl_error *err)
{
    return dpl__ngram_begin(s->finder, err);
}

static dpl_status run(dpl__search *s, dpl_error *err)
{
    s->finder->pairs = s->pairs;
    DPL_TRY(dpl__ngram_search(s->finder, err));
    s->summary->n_comparisons = s->summary->n_candidates = s->finder->summary->n_candidates;
    return DPL_OK;
}

const dpl__method dpl__ngram_method = {
    .info = {.method = DPL_PAIRS_NGRAM,
             .name = "ngram",
             .help = "documents in one language that share rare word n-grams",
             .finds = "pairs that share a matching n-gram and score above the threshold",
             .unit = "pairs",
             .has_documents = true},
    .open = open,
    .prepare = prepare,
    .run = run,
    .part_kind = "ngrams",
    .part = dpl__ngram_part,
    .merge = dpl__ngram_merge,
};
