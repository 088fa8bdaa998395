/*
 * sentence_unit.c - single sentences: ranked by word alignment (sentence_search.h), trained on
 * as they are.
 */
#include "mine/unit.h"

#include "mine/mine_params.h"
#include "mine/sentence_search.h"

static dpl_status begin(void **state, const dpl__round_input *in, dpl_error *err)
{
    dpl__sentence_search *s = NULL;
    DPL_TRY(dpl__sentence_search_new(&s, in, err));
    *state = s;
    return DPL_OK;
}

static void end(void *state)
{
    dpl__sentence_search_free(state);
}

/* A name that occurs once on each side is all that some have in common. */
static void limit_vectors(dpl_vectors_options *o, bool has_lexicon)
{
    (void)has_lexicon;
    o->min_count = 1;
    o->min_terms = (unsigned)DPL__P(mine, sentence_terms);
}

static void note_trained(void *state, dpl__pair_list pairs)
{
    dpl__sentence_search_note_trained(state, pairs.data, pairs.n);
}

static dpl_status find_neighbours(dpl__neighbours *c, dpl__doc_candidates *found,
                                  dpl__side_vectors *vectors, const dpl__round_input *in,
                                  dpl_error *err)
{
    dpl_pairs_options o;
    DPL_TRY(dpl__begin_search(&o, found, vectors, in, err));
    if (dpl__is_nothing(&found->why_empty))
        return DPL_OK;
    return dpl__sentence_neighbours_find(c, in, vectors->v, &o, err);
}

static dpl__features features(const dpl__round_input *in, const dpl__doc_candidate *candidate,
                              const dpl__alignment_features *alignment)
{
    (void)alignment;
    assert(!alignment);
    return dpl__sentence_features(in->corpus, candidate);
}

/* Single sentences need no alignment. */
static dpl_status add_rows(dpl__training_rows *rows, dpl__reason *why,
                           const dpl__round_input *in, dpl__pair_list pairs, dpl_error *err)
{
    (void)why;
    for (size_t i = 0; i < pairs.n; i++) {
        size_t n[2];
        const dpl_doc_pair docs = pairs.data[i];
        const uint32_t *left = dpl_collection_tokens(in->corpus->c[0], docs.left, &n[0]),
                       *right = dpl_collection_tokens(in->corpus->c[1], docs.right, &n[1]);
        DPL_TRY(dpl__training_rows_add(rows, left, n[0], right, n[1], err));
    }
    return DPL_OK;
}

static double most_changed(void)
{
    return DPL__P(mine, sentence_changed);
}

const dpl__unit dpl__unit_sentence = {
    .number = DPL_UNIT_SENTENCE,
    .name = "sentence",
    .things = "sentences",
    .gold_code = "known-sentences",
    .score = DPL__SCORE_ALIGNMENT,
    .has_sample = true,
    .n_features = DPL__SENTENCE_FEATURES,
    .is_cautious = true,
    .has_second_turn = true,
    .has_whole_decoys = true,
    .has_strict_rounds = true,
    .begin = begin,
    .end = end,
    .search_bytes = dpl__sentence_search_bytes,
    .limit_vectors = limit_vectors,
    .note_trained = note_trained,
    .neighbours = find_neighbours,
    .features = features,
    .add_rows = add_rows,
    .most_changed = most_changed,
};
