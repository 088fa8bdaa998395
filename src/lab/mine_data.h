/*
 * mine_data.h - collections for the experiments on mining: subsets of the two that were given,
 * or synthetic ones, as files; and a run of mining on them, measured against gold.
 */
#ifndef DPL_LAB_MINE_DATA_H
#define DPL_LAB_MINE_DATA_H

#include "base/hash.h"
#include "lab/experiment.h"

/* Gold pairs and documents without counterpart, each in a random order. Owned. */
typedef struct dpl__mine_pool {
    dpl__lab *lab;
    bool is_synthetic; /* there are no collections: what follows is empty */
    const dpl_collection *sides[2];
    DPL_VEC(dpl_doc_pair) pairs;   /* no document is in two of them */
    DPL_VEC(uint32_t) unpaired[2]; /* documents that gold does not have */
} dpl__mine_pool;

/* draw: another order for each. */
dpl_status dpl__mine_pool_make(dpl__mine_pool *out, dpl__lab *lab, uint64_t draw,
                               dpl_error *err);
void dpl__mine_pool_clear(dpl__mine_pool *pool);
/* Documents a side, so that any share of them can have a counterpart. */
uint32_t dpl__mine_pool_most(const dpl__mine_pool *pool);

/* A collection to be made. */
typedef struct dpl__mine_wanted {
    uint32_t n_docs;   /* a side */
    double paired;     /* share of them with a counterpart, */
    double translated; /* of which this share of the lines is a translation */
    uint64_t draw;     /* what is drawn for it */
} dpl__mine_wanted;

/* The files. */
typedef struct dpl__mine_data {
    char folder[4200], left[4300], right[4300], gold[4300];
    uint64_t n_docs, n_pairs;
} dpl__mine_data;

/* Writes left, right and gold to a folder of that name (if they are to be kept, in the output
 * folder). Of the pool: n_docs * paired pairs, and on each side documents whose counterpart is
 * not there. Where a share is translated, a piece of the right document's lines stays in its
 * place and the others become lines of other documents. */
dpl_status dpl__mine_data_make(dpl__mine_data *out, const dpl__mine_pool *pool,
                               const dpl__mine_wanted *wanted, const char *name,
                               dpl_error *err);
/* Removes them unless they are to be kept. */
void dpl__mine_data_remove(const dpl__mine_data *data, const dpl__lab *lab);

/* What mining found; sums and extremes over several runs. */
typedef struct dpl__mined {
    unsigned n_runs;
    double n_docs, n_pairs, n_found;
    double precision, recall, f1; /* strict: right / found */
    double least_f1, most_f1;
    double estimated_precision, estimated_recall;
    double seconds, core_seconds;
    double peak_bytes;      /* held by the job at the worst moment */
    unsigned n_by_passages; /* runs that compared passages */
} dpl__mined;

/* Mines a collection of this name, made of the pool, with default options, and adds what was
 * found. */
dpl_status dpl__mined_add(dpl__mined *m, const dpl__mine_pool *pool,
                          const dpl__mine_wanted *wanted, const char *name, dpl_error *err);
/* Makes means of the sums. */
void dpl__mined_finish(dpl__mined *m);

/* The columns that all three experiments have, and a row of them. */
#define DPL__MINE_COLUMNS                                                                      \
    "documents a side\tpairs\tfound\tprecision\trecall\tF1\tlowest F1\thighest F1\t"           \
    "estimated precision\testimated recall\ttime [s]\tcore time [s]\tmemory [MiB]\t"           \
    "documents per core second\truns by passages\truns"
enum {
    DPL__MINE_DOCS = 3,
    DPL__MINE_PRECISION = 6,
    DPL__MINE_RECALL,
    DPL__MINE_F1,
    DPL__MINE_ESTIMATED = 11,
    DPL__MINE_CORE = 14,
    DPL__MINE_MEMORY
};
void dpl__mined_put(dpl__lab_table *t, const dpl__mined *m);
/* Precision, recall and estimated precision against the second column. */
enum { DPL__MINE_CURVES = 3 };
extern const dpl__lab_curve dpl__mine_curves[DPL__MINE_CURVES];

#endif
