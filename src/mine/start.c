/*
 * start.c - names, pairs that share them, growth.
 */
#include "mine/start.h"

#include "base/ctx.h"
#include "base/order.h"
#include "mine/gold.h"
#include "mine/growth.h"
#include "mine/mine_params.h"
#include "mine/name_pairs.h"
#include "mine/sample.h"
#include "mine/unit.h"

#include <stdlib.h>

bool dpl__start_is_weak(const dpl__round_input *in, size_t n_pairs)
{
    const dpl__comparable *p = in->corpus;
    uint64_t n[2] = {p->n_docs[0], p->n_docs[1]};
    if (in->sample->is_used)
        n[in->sample->side] = in->sample->n_docs;
    return (double)n_pairs < DPL__P(mine, weak_start) * (double)dpl__min(n[0], n[1]);
}

static bool has_short_docs(const dpl__comparable *p, int side)
{
    const dpl_collection_sizes *s = dpl_collection_get_sizes(dpl__words_of(p, side));
    return (double)s->n_sentences <= DPL__P(mine, short_sentences) * s->n_docs &&
           (double)s->n_tokens <= DPL__P(mine, single_words) * s->n_docs;
}

dpl_status dpl__start_prefers_sentences(bool *out, const dpl__comparable *p, dpl_error *err)
{
    dpl__sample sample = {0};
    dpl__side_vectors vectors = {{NULL, NULL}};
    dpl__doc_candidates found = {0};
    size_t n = 0;
    *out = false;
    if (!has_short_docs(p, 0) || !has_short_docs(p, 1))
        return DPL_OK;
    const dpl__round_input in = {
        .corpus = p, .unit = &dpl__unit_document, .sample = &sample, .number = DPL__NO_ROUND};
    dpl_status status = dpl__sample_docs(&sample, p, err);
    if (status == DPL_OK)
        status = dpl__round_search(&found, &vectors, &in, err);
    for (size_t i = 0; i < found.pairs.n; i++)
        n += found.pairs.data[i].confidence >= DPL__P(mine, train_confidence);
    *out = status == DPL_OK && dpl__start_is_weak(&in, n);
    dpl__doc_candidates_clear(&found, p->ctx);
    dpl__side_vectors_clear(&vectors);
    dpl__sample_clear(&sample, p);
    return status;
}

DPL__ORDER(by_left, dpl_doc_pair, DPL__RISING(left))

static dpl_status grow(dpl__start *out, const dpl__comparable *p, const dpl__names *names,
                       const dpl__name_pairs *seeds, dpl_error *err)
{
    dpl__matches matches = {0};
    size_t n_taken = 0;
    dpl_status status;
    DPL_TRY(dpl__need(dpl__vec_reserve(p->ctx, &out->pairs, seeds->n), err));
    for (size_t i = 0; i < seeds->n; i++)
        out->pairs.data[out->pairs.n++] = seeds->data[i].docs;
    dpl__names words = *names; /* n-grams are no words */
    if (names->grams[0].n || names->grams[1].n)
        words.links.n = 0;
    const dpl__growth_input in = {
        .corpus = p, .names = &words, .seeds = {out->pairs.data, out->pairs.n}};
    if ((status = dpl__grow(&matches, &n_taken, &in, err)) != DPL_OK)
        goto done;
    out->pairs.n = 0;
    if (seeds->n < (size_t)DPL__P(mine, least_seeds))
        out->n_shapes = n_taken ? (uint64_t)DPL__P(mine, blind_pairs) : 0;
    for (size_t i = 0; i < n_taken; i++) {
        const dpl_doc_pair pair = {matches.data[i].row[0], matches.data[i].row[1]};
        DPL__STEP(dpl__need(dpl__vec_push(p->ctx, &out->pairs, pair), err));
    }
    dpl__vec_sort(&out->pairs, by_left);
    if (p->gold) {
        if (dpl__vec_reserve(p->ctx, &out->pairs, p->gold->n_accepted))
            dpl__gold_merge(out->pairs.data, &out->pairs.n, p->gold);
        else
            status = dpl__fail_nomem(err);
    }
done:
    dpl__vec_clear(p->ctx, &matches);
    return status;
}

/* Pairs that are known come first, and nothing that is against them. */
static dpl_status add_known(dpl__name_pairs *seeds, const dpl__comparable *p, dpl_error *err)
{
    const dpl__gold *gold = p->gold;
    dpl__name_pairs all = {0};
    bool has_room = true;
    for (size_t i = 0; i < gold->n_accepted && has_room; i++)
        has_room = dpl__vec_push(p->ctx, &all,
                                 ((dpl__name_pair){.docs = gold->accepted[i], .score = 1}));
    for (size_t i = 0; i < seeds->n && has_room; i++)
        if (!dpl__gold_forbids(gold, seeds->data[i].docs) &&
            gold->partner[0][seeds->data[i].docs.left] != seeds->data[i].docs.right)
            has_room = dpl__vec_push(p->ctx, &all, seeds->data[i]);
    dpl__vec_clear(p->ctx, seeds);
    *seeds = all;
    return dpl__need(has_room, err);
}

/* Where names give few pairs, likely ones by spelling are seeds, too: best first, of documents
 * that are in none yet. */
static dpl_status add_spelled(dpl__name_pairs *seeds, uint64_t *n_added,
                              const dpl__comparable *p, const dpl__doc_candidate_vec *spelled,
                              dpl_error *err)
{
    const size_t most = (size_t)DPL__P(mine, growth_seeds), n = spelled->n;
    uint8_t *taken[2];
    dpl__ranked *order = dpl__alloc(p->ctx, (n + 1) * sizeof *order);
    size_t n_likely = 0;
    for (int side = 0; side < 2; side++)
        taken[side] =
            dpl__calloc(p->ctx, (size_t)dpl_collection_get_sizes(p->c[side])->n_docs + 1, 1);
    bool has_room = order && taken[0] && taken[1];
    for (size_t i = 0; i < n && has_room; i++)
        if (spelled->data[i].confidence >= DPL__P(mine, train_confidence))
            order[n_likely++] = (dpl__ranked){spelled->data[i].confidence,
                                              dpl__pair_key(p, spelled->data[i].docs), i};
    if (n_likely)
        qsort(order, n_likely, sizeof *order, dpl__by_rank);
    for (size_t i = 0; i < seeds->n && has_room; i++)
        taken[0][seeds->data[i].docs.left] = taken[1][seeds->data[i].docs.right] = 1;
    for (size_t i = 0; i < n_likely && has_room && seeds->n < most; i++) {
        const dpl_doc_pair docs = spelled->data[order[i].number].docs;
        if (taken[0][docs.left] || taken[1][docs.right])
            continue;
        taken[0][docs.left] = taken[1][docs.right] = 1;
        has_room = dpl__vec_push(p->ctx, seeds, ((dpl__name_pair){.docs = docs}));
        ++*n_added;
    }
    for (int side = 0; side < 2; side++)
        dpl__free(p->ctx, taken[side]);
    dpl__free(p->ctx, order);
    return dpl__need(has_room, err);
}

dpl_status dpl__start_by_names(dpl__start *out, const dpl__round_input *in,
                               const dpl__doc_candidate_vec *spelled, dpl_error *err)
{
    dpl__comparable p = *in->corpus; /* with the documents of this round, and words alone */
    dpl__names names;
    dpl__name_pairs seeds = {0};
    dpl_status status;
    *out = (dpl__start){0};
    for (int side = 0; side < 2; side++) {
        p.c[side] = dpl__words_of(in->corpus, side);
        p.skip[side] = (uint8_t *)(uintptr_t)dpl__round_skip(in, side);
    }
    DPL_TRY(dpl__names_find(&names, &p, err));
    if ((status = dpl__name_pairs_find(&seeds, &p, &names, err)) != DPL_OK)
        goto done;
    out->n_links = names.links.n;
    out->n_seeds = seeds.n;
    if ((status = add_spelled(&seeds, &out->n_spelled, &p, spelled, err)) != DPL_OK)
        goto done;
    if (p.gold && (status = add_known(&seeds, &p, err)) != DPL_OK)
        goto done;
    status = grow(out, &p, &names, &seeds, err);
done:
    dpl__vec_clear(p.ctx, &seeds);
    dpl__names_clear(&names);
    return status;
}

void dpl__start_clear(dpl__start *start, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &start->pairs);
}
