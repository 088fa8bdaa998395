/*
 * mining_paired.c - differences of F1 between ways of mining the same documents, with intervals
 * by a paired bootstrap: left documents are drawn with replacement, the same for both ways.
 */
#include "lab/mining.h"

#include "base/hash.h"
#include "base/order.h"

#include <stdlib.h>

dpl_status dpl__mining_outcomes_begin(dpl__mining_outcomes *o, dpl__lab *lab, unsigned n_ways,
                                      dpl_error *err)
{
    const dpl_doc_pair *gold;
    size_t n;
    assert(n_ways <= DPL__MINING_WAYS);
    DPL_TRY(dpl__lab_gold(&gold, &n, lab, err));
    for (unsigned side = 0; side < 2; side++)
        DPL_TRY(dpl__lab_collection(&o->docs[side], lab, side, err));
    o->n_docs = dpl_collection_get_sizes(o->docs[0])->n_docs;
    const size_t n_left = (size_t)o->n_docs + 1,
                 n_right = (size_t)dpl_collection_get_sizes(o->docs[1])->n_docs + 1;
    o->wanted = dpl__arena_alloc(&lab->arena, n_left * sizeof *o->wanted);
    o->is_gold = dpl__arena_alloc(&lab->arena, n_right * sizeof *o->is_gold);
    DPL_TRY(dpl__need(o->wanted && o->is_gold, err));
    memset(o->wanted, 0xff, n_left * sizeof *o->wanted);
    memset(o->is_gold, 0, n_right * sizeof *o->is_gold);
    for (unsigned way = 0; way < n_ways; way++) {
        o->of[way] = dpl__arena_alloc(&lab->arena, n_left * sizeof *o->of[way]);
        DPL_TRY(dpl__need(o->of[way], err));
        memset(o->of[way], 0, n_left * sizeof *o->of[way]);
        for (size_t i = 0; i < n; i++)
            o->of[way][gold[i].left].n_gold++;
    }
    for (size_t i = 0; i < n; i++) {
        o->wanted[gold[i].left] = gold[i].right;
        o->is_gold[gold[i].right] = true;
    }
    return DPL_OK;
}

void dpl__mining_outcomes_add(dpl__mining_outcomes *o, const dpl__mining_found *found,
                              unsigned way, double threshold)
{
    for (size_t i = 0; i < found->pairs.n; i++) {
        const dpl_pair *p = &found->pairs.data[i];
        uint32_t left, right;
        if ((double)p->score < threshold ||
            !dpl_collection_find_doc(
                o->docs[0], dpl_collection_doc(found->sides->c[0], p->left).id, &left) ||
            !dpl_collection_find_doc(
                o->docs[1], dpl_collection_doc(found->sides->c[1], p->right).id, &right))
            continue;
        o->of[way][left].n_found += o->wanted[left] != UINT32_MAX || o->is_gold[right];
        o->of[way][left].n_right += o->wanted[left] == right;
    }
}

DPL__RISING_NUMBERS(by_value, double)

dpl_status dpl__mining_difference(double bounds[2], dpl__lab *lab,
                                  const dpl__mining_outcomes *o, unsigned from, unsigned to,
                                  dpl_error *err)
{
    double *differences = dpl__arena_alloc(&lab->arena, DPL__MINING_DRAWS * sizeof(double));
    dpl__rng rng = {2010};
    const unsigned ways[2] = {from, to};
    DPL_TRY(dpl__need(differences, err));
    for (unsigned draw = 0; draw < DPL__MINING_DRAWS; draw++) {
        uint64_t right[2] = {0}, all[2] = {0};
        for (uint32_t i = 0; i < o->n_docs; i++) {
            const uint64_t doc = dpl__rng_below(&rng, o->n_docs);
            for (unsigned k = 0; k < 2; k++) {
                const dpl__mining_outcome *x = &o->of[ways[k]][doc];
                right[k] += x->n_right;
                all[k] += x->n_gold + x->n_found;
            }
        }
        differences[draw] = 2 * (double)right[1] / (double)dpl__max(all[1], (uint64_t)1) -
                            2 * (double)right[0] / (double)dpl__max(all[0], (uint64_t)1);
    }
    qsort(differences, DPL__MINING_DRAWS, sizeof *differences, by_value);
    bounds[0] = differences[DPL__MINING_DRAWS / 40];
    bounds[1] = differences[DPL__MINING_DRAWS - 1 - DPL__MINING_DRAWS / 40];
    return DPL_OK;
}
