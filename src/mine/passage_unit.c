/*
 * passage_unit.c - documents of which parts are translations: compared by the votes of their
 * passages (passages.h), trained on ranges of their pairs and on likely passage pairs anywhere.
 */
#include "mine/unit.h"

#include "mine/mine_params.h"
#include "mine/passages.h"

static dpl_status begin(void **state, const dpl__round_input *in, dpl_error *err)
{
    dpl__passages *p = NULL;
    DPL_TRY(dpl__passages_new(&p, in->corpus, err));
    *state = p;
    return DPL_OK;
}

static void end(void *state)
{
    dpl__passages_free(state);
}

static uint64_t search_bytes(const dpl__round_input *in, const uint64_t n_searched[2])
{
    (void)n_searched;
    return dpl__passages_search_bytes(in->state);
}

/* Limits for vectors of passages, which have few words. */
static void limit_vectors(dpl_vectors_options *o, bool has_lexicon)
{
    if (has_lexicon)
        o->min_terms = (unsigned)DPL__P(mine, passage_terms);
}

static dpl_status find_neighbours(dpl__neighbours *c, dpl__doc_candidates *found,
                                  dpl__side_vectors *vectors, const dpl__round_input *in,
                                  dpl_error *err)
{
    (void)vectors;
    assert(!vectors->v[0] && !vectors->v[1]);
    return dpl__passages_neighbours(c, found, in->state, in->lexicon, err);
}

static dpl_status add_rows(dpl__training_rows *rows, dpl__reason *why,
                           const dpl__round_input *in, dpl__pair_list pairs, dpl_error *err)
{
    DPL_TRY(dpl__add_aligned_rows(rows, in, pairs, err));
    return dpl__passages_learn(rows, why, in->state, in->hidden.n ? in->hidden : pairs,
                               in->lexicon, err);
}

static double most_changed(void)
{
    return DPL__P(mine, most_changed);
}

const dpl__unit dpl__unit_passage = {
    .number = DPL_UNIT_PASSAGE,
    .name = "passage",
    .things = "documents",
    .gold_code = "known-unknown",
    .is_cleaned = true,
    .has_alignment = true,
    .has_ranges = true,
    .score = DPL__SCORE_VOTES,
    .n_features = DPL__MATCH_FEATURES,
    .counts_unpaired = true,
    .begin = begin,
    .end = end,
    .begin_bytes = dpl__passages_list_bytes,
    .search_bytes = search_bytes,
    .limit_vectors = limit_vectors,
    .neighbours = find_neighbours,
    .features = dpl__document_features,
    .add_rows = add_rows,
    .most_changed = most_changed,
};
