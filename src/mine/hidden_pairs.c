/*
 * hidden_pairs.c - pairs that are hidden from the learning, and searched for.
 *
 * Cost: one training in all, and two searches.
 */
#include "mine/hidden_pairs.h"

#include "base/ctx.h"
#include "mine/mine_params.h"
#include "mine/sample.h"

typedef struct hiding {
    const dpl__comparable *corpus;
    const dpl__rounds *rounds;
    double least;       /* confidence of what is counted */
    unsigned half;      /* that is hidden */
    dpl__sample sample; /* of a large collection: what is searched with */
    dpl__round_input in;
    dpl_lexicon *lexicon;
    dpl__hidden_pairs *out;
    double *confidence; /* of each candidate, by what did not see it; NULL: not wanted */
} hiding;

/* A lexicon of what is not hidden; NULL: there is nothing to learn. */
static dpl_status learn_others(hiding *h, dpl_error *err)
{
    const dpl__comparable *p = h->corpus;
    dpl__doc_pairs others = {0}, sampled = {0};
    dpl__learnt learnt = {0};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < h->rounds->pairs.n && status == DPL_OK; i++)
        if (dpl__half_of(p, h->rounds->pairs.data[i]) != h->half &&
            !dpl__vec_push(p->ctx, &others, h->rounds->pairs.data[i]))
            status = dpl__fail_nomem(err);
    if (status != DPL_OK || others.n == 0)
        goto done;
    if ((status = dpl__sample_pairs(&sampled, p, others.data, others.n, err)) != DPL_OK)
        goto done;
    const dpl__doc_pairs *taken = sampled.n ? &sampled : &others;
    const dpl__pair_list list = {taken->data, taken->n};
    if (h->in.unit->note_trained)
        h->in.unit->note_trained(h->in.state, list);
    status = dpl__round_learn(&learnt, &h->in, list, "hidden", err);
    h->lexicon = learnt.lexicon;
done:
    dpl__vec_clear(p->ctx, &sampled, &others);
    return status;
}

static bool is_searched(const hiding *h, dpl_doc_pair docs)
{
    const uint32_t doc = h->sample.side ? docs.right : docs.left;
    assert(!h->sample.is_used || h->sample.skip);
    return !h->sample.is_used || !h->sample.skip[doc];
}

/* The candidate of those found that is the same pair; NULL: none. Both are in the order of left
 * documents, from *at on. */
static const dpl__doc_candidate *find_again(const dpl__doc_candidates *found, size_t *at,
                                            dpl_doc_pair docs)
{
    while (*at < found->pairs.n && found->pairs.data[*at].docs.left < docs.left)
        ++*at;
    const dpl__doc_candidate *c = *at < found->pairs.n ? &found->pairs.data[*at] : NULL;
    return c && c->docs.left == docs.left && c->docs.right == docs.right ? c : NULL;
}

static void count(hiding *h, const dpl__doc_candidates *found)
{
    size_t at = 0;
    for (size_t i = 0; i < h->rounds->found.pairs.n; i++) {
        const dpl__doc_candidate *c = &h->rounds->found.pairs.data[i];
        if (dpl__half_of(h->corpus, c->docs) != h->half || !is_searched(h, c->docs))
            continue;
        const dpl__doc_candidate *again = find_again(found, &at, c->docs);
        if (h->confidence)
            h->confidence[i] = again ? again->confidence : 0;
        if (c->confidence < h->least)
            continue;
        h->out->n_hidden++;
        h->out->n_back += again != NULL;
        h->out->right += again ? again->confidence : 0;
    }
}

static dpl_status search_half(hiding *h, dpl_error *err)
{
    dpl__doc_candidates found = {0};
    dpl__side_vectors vectors = {0};
    dpl__round_input in = h->in;
    dpl_status status;
    DPL__STEP(learn_others(h, err));
    in.lexicon = h->lexicon;
    in.half = h->half;
    in.is_strict = h->rounds->is_strict;
    if (h->lexicon && (status = dpl__round_search(&found, &vectors, &in, err)) != DPL_OK)
        goto done;
    count(h, &found);
done:
    dpl__side_vectors_clear(&vectors);
    dpl__doc_candidates_clear(&found, h->corpus->ctx);
    dpl_lexicon_close(h->lexicon);
    h->lexicon = NULL;
    return status;
}

static dpl_status search(dpl__hidden_pairs *out, double *confidence, const dpl__rounds *rounds,
                         const dpl__comparable *p, dpl_error *err)
{
    hiding h = {.corpus = p,
                .rounds = rounds,
                .least = DPL__P(mine, train_confidence),
                .sample = rounds->sample,
                .in = dpl__rounds_as_input(rounds, p),
                .out = out,
                .confidence = confidence};
    *out = (dpl__hidden_pairs){0};
    h.sample.is_used = h.sample.is_large;
    h.in.sample = &h.sample;
    h.in.is_trial = true;
    h.in.hidden = (dpl__pair_list){rounds->pairs.data, rounds->pairs.n};
    for (h.half = 1; h.half <= 2; h.half++)
        DPL_TRY(search_half(&h, err));
    assert(out->n_back <= out->n_hidden);
    return DPL_OK;
}

dpl_status dpl__hidden_pairs_search(dpl__hidden_pairs *out, const dpl__rounds *rounds,
                                    const dpl__comparable *p, dpl_error *err)
{
    return search(out, NULL, rounds, p, err);
}

dpl_status dpl__hidden_pairs_judge(dpl__rounds *rounds, const dpl__comparable *p,
                                   dpl_error *err)
{
    dpl__doc_candidate_vec *pairs = &rounds->found.pairs;
    const size_t n_bytes = (pairs->n + 1) * sizeof(double);
    double *confidence = dpl__alloc(p->ctx, n_bytes);
    assert(rounds->is_strict);
    if (!confidence)
        return dpl__fail_nomem(err);
    dpl_status status = search(&rounds->hidden, confidence, rounds, p, err);
    for (size_t i = 0; i < pairs->n && status == DPL_OK; i++)
        pairs->data[i].confidence = confidence[i];
    dpl__free(p->ctx, confidence);
    return status;
}

bool dpl__knows_by_heart(const dpl__hidden_pairs *hidden)
{
    return hidden->right < DPL__P(mine, chance_right) * hidden->n_hidden;
}
