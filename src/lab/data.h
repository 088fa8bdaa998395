/*
 * data.h - what the experiments of a run share: collections, lexicon, vectors, exact pairs,
 * gold.
 */
#ifndef DPL_LAB_DATA_H
#define DPL_LAB_DATA_H

#include "lab/experiment.h"

typedef DPL_VEC(dpl_doc_pair) dpl__lab_doc_pairs;

struct dpl__lab_data {
    dpl_ctx *ctx;
    dpl_collection *collections[2];
    dpl_lexicon *lexicon;   /* that was given */
    dpl_mine_result *mined; /* has the one that was learned */
    dpl_vectors *vectors[2];
    char langs[2][12]; /* of the documents */
    DPL_VEC(dpl_pair) exact;
    double exact_threshold; /* of the pairs above; negative: there are none yet */
    dpl__lab_doc_pairs gold, gold_rows;
    bool has_gold, has_gold_rows;
    DPL_VEC(uint32_t) samples[2];
    unsigned sample_seeds[2];  /* of the samples */
    dpl_collection *reference; /* of prefix classes */
};

void dpl__lab_data_init(dpl__lab_data *data, dpl_ctx *ctx);
void dpl__lab_data_clear(dpl__lab_data *data);

#endif
