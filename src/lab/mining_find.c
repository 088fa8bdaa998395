/*
 * mining_find.c - the n-gram search over two collections, and its precision and recall.
 */
#include "lab/mining.h"

/* ---- the search --------------------------------------------------------------------- */

void dpl__mining_found_clear(dpl__mining_found *f)
{
    if (f->ctx)
        dpl__vec_clear(f->ctx, &f->pairs);
}

dpl_status dpl__mining_find(dpl__mining_found *f, dpl__lab *lab, const dpl__mining_sides *sides,
                            const dpl_pairs_options *options, dpl_error *err)
{
    const dpl_pairs_side left = {.collection = sides->c[0]},
                         right = {.collection = sides->c[1]};
    dpl_pairs_options o = *options;
    o.method = DPL_PAIRS_NGRAM;
    o.temp = lab->scratch;
    dpl_ngram_options ngram = DPL_INIT(dpl_ngram_options);
    if (o.ngram)
        ngram = *o.ngram;
    ngram.all_candidates |= lab->set->as_paper;
    o.ngram = &ngram;
    dpl_pairs *pairs = NULL;
    dpl_pair pair;
    f->ctx = lab->ctx;
    f->sides = sides;
    f->pairs.n = 0;
    dpl_status status = dpl_pairs_open(&pairs, lab->ctx, &left, &right, &o, err);
    while (status == DPL_OK && (status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK)
        if (!dpl__vec_push(lab->ctx, &f->pairs, pair))
            status = dpl__fail_nomem(err);
    if (status == DPL_END) {
        f->counts = *dpl_pairs_get_summary(pairs)->ngram;
        status = DPL_OK;
    }
    dpl_pairs_close(pairs);
    return status;
}

/* ---- measures ----------------------------------------------------------------------- */

dpl_status dpl__mining_gold_get(dpl__mining_gold *gold, dpl__lab *lab, dpl_error *err)
{
    const dpl_collection *c[2];
    const dpl_doc_pair *pairs;
    DPL_TRY(dpl__lab_collection(&c[0], lab, 0, err));
    DPL_TRY(dpl__lab_collection(&c[1], lab, 1, err));
    DPL_TRY(dpl__lab_gold(&pairs, &gold->n, lab, err));
    dpl_id_pair *ids = dpl__arena_alloc(&lab->arena, gold->n * sizeof *ids);
    DPL_TRY(dpl__need(ids, err));
    for (size_t i = 0; i < gold->n; i++)
        ids[i] = (dpl_id_pair){dpl_collection_doc(c[0], pairs[i].left).id,
                               dpl_collection_doc(c[1], pairs[i].right).id};
    gold->pairs = ids;
    return DPL_OK;
}

dpl_status dpl__mining_measure(dpl_eval_pairs *out, dpl__lab *lab,
                               const dpl__mining_found *found, const dpl__mining_gold *gold,
                               double threshold, dpl_error *err)
{
    DPL_VEC(dpl_id_pair) ids = {0};
    *out = (dpl_eval_pairs)DPL_INIT(dpl_eval_pairs);
    DPL_TRY(dpl__need(dpl__vec_reserve(lab->ctx, &ids, found->pairs.n), err));
    for (size_t i = 0; i < found->pairs.n; i++) {
        const dpl_pair *p = &found->pairs.data[i];
        if ((double)p->score >= threshold)
            ids.data[ids.n++] =
                (dpl_id_pair){dpl_collection_doc(found->sides->c[0], p->left).id,
                              dpl_collection_doc(found->sides->c[1], p->right).id};
    }
    const dpl_eval_pairs_input in =
        DPL_INIT(dpl_eval_pairs_input, .gold = gold->pairs, .n_gold = gold->n,
                 .found = ids.data, .n_found = ids.n);
    const dpl_status status = dpl_eval_pairs_run(out, lab->ctx, &in, err);
    dpl__vec_clear(lab->ctx, &ids);
    return status;
}
