/*
 * plan.h - the parts of the plan: a sample of the rows, what the methods would find and
 * cost, and words for it.
 */
#ifndef DPL_PAIRS_PLAN_H
#define DPL_PAIRS_PLAN_H

#include "pairs/searches.h"
#include "pairs/window_model.h"

enum { DPL__PLAN_WINDOWS = 8 };

/* Sizes of a sample (plan_sample.c). */
enum {
    DPL__SAMPLE_ROWS = 1 << 16,  /* of both sides together, at the most */
    DPL__SAMPLE_BYTES = 1 << 25, /* of their signatures */
    DPL__SAMPLE_SEARCHED = 4000  /* left rows that are searched, of which all pairs are known */
};

/* Usual speeds of a server core, for plans that must not depend on the machine; plans use them
 * for what is not given, too. */
extern const dpl_speeds dpl__nominal_speeds;

/* ---- a sample of the rows ----------------------------------------------------------- */

/* plan_sample.c: what a sample of the rows tells. */
typedef struct dpl__row_sample {
    unsigned bits, n_words;
    /* Pairs at or above the threshold, each with the bits that differ in its first 1, 2 ..
     * n_words words, and for each window its probability to be found in one table, twice: two
     * independent measurements tell how much their noise takes from the recall. */
    size_t n_pairs;
    uint32_t *distances; /* n_pairs * n_words */
    float *scores;       /* of each pair; 0: not known */
    double (*p)[2];      /* n_pairs * n_windows */
    size_t n_windows;
    unsigned n_tables; /* first tables of the search that were made, 0: none */
    uint32_t *gaps;    /* n_pairs * n_tables: places between the two rows of a pair */
    bool is_made_up; /* there were too few: pairs exactly at the threshold, between the rows */
    /* Any two rows. */
    double differ, differ_sd; /* share of bits that differ: mean, and its spread without the
                                 noise of the bits */
    uint64_t *histogram;      /* bits + 1: of distances */
    uint64_t n_random;
    double share[DPL__PREFIX_MOST]; /* of the rows that have a pair's common prefix */
    double products; /* multiply-adds of the exact method for each pair of rows; 0: not known */
    double found;    /* true pairs for each pair of rows */
} dpl__row_sample;

typedef struct dpl__row_sample_options {
    const dpl_pairs_side *left, *right; /* right NULL: within left */
    unsigned bits;                      /* of signatures to make, where there are none */
    double threshold;
    const double *windows;
    size_t n_windows;
    size_t most_rows;   /* of the sample, of both sides together; 0: 65,536 */
    unsigned n_nearest; /* k: true pairs are the k nearest of left rows; 0: all */
} dpl__row_sample_options;

dpl_status dpl__row_sample_init(dpl__row_sample *out, dpl_ctx *ctx, const dpl__model *model,
                                const dpl__row_sample_options *options, dpl_error *err);
void dpl__row_sample_clear(dpl__row_sample *sample, dpl_ctx *ctx);

/* plan_buckets.c: how many rows share a pair's prefix, and so how likely windows find it. */
typedef struct dpl__buckets dpl__buckets;

dpl_status dpl__buckets_new(dpl__buckets **out, dpl_ctx *ctx, const dpl__bits *rows,
                            dpl_error *err);
void dpl__buckets_free(dpl__buckets *buckets);
/* This row is counted, once; and all that are counted stand for n_all rows of a table. */
void dpl__buckets_count(dpl__buckets *buckets, uint32_t row);
void dpl__buckets_stand_for(dpl__buckets *buckets, double n_all);
/* For each of n_pairs pairs u[i], v[i] (rows of any origin) p[i * n_windows + j]: found in one
 * table with windows[j], measured twice. share: as in dpl__row_sample, the mean over the pairs.
 * On all threads; does not depend on their number. */
typedef struct dpl__bucket_pairs {
    const uint64_t *const *u, *const *v; /* signatures of the pairs */
    size_t n_pairs;
    const double *windows;
    size_t n_windows;
} dpl__bucket_pairs;

dpl_status dpl__buckets_measure(dpl__buckets *buckets, double (*p)[2], double *share,
                                const dpl__model *model, const dpl__bucket_pairs *pairs,
                                dpl_error *err);

/* plan_tables.c: out->gaps, in how many places of its tables pairs stand apart. rows: all rows,
 * left ones first; pairs are numbers of them. */
dpl_status dpl__tables_measure(dpl__row_sample *out, dpl_ctx *ctx, const dpl__bits *rows,
                               const uint32_t (*pairs)[2], dpl_error *err);

/* ---- what would be found, at what cost ---------------------------------------------- */

/* plan_predict.c: true pairs and any two rows as a search finds them, from a sample or from
 * assumptions. */
typedef struct dpl__prediction {
    unsigned bits;
    const double *windows;
    size_t n_windows;
    /* True pairs: how many there are of each kind, how they pass. */
    size_t n;
    double *weight; /* their sum is 1 */
    double (*p)[2]; /* n * n_windows: found in one table, measured twice */
    const dpl__row_sample *sample;
    double threshold;
    const struct dpl__score_cuts *score_cuts; /* NULL: the cut of the search */
    unsigned *distance;                       /* without a sample: of each kind */
    /* Any two rows. */
    double differ, differ_sd;
    double *random; /* bits + 1: probability of each distance */
    dpl__curve curves[DPL__PLAN_WINDOWS];
} dpl__prediction;

typedef struct dpl__prediction_options {
    const dpl__model *model;
    const dpl__row_sample *sample; /* NULL: assumptions */
    unsigned bits;
    double threshold;
    double rows; /* of a table */
    const double *windows;
    size_t n_windows;
    double differ, differ_sd; /* of any two rows; 0: the sample's, or usual ones */
    const struct dpl__score_cuts *score_cuts; /* of pairs, by their cosine; NULL: one for all */
} dpl__prediction_options;

dpl_status dpl__predict_init(dpl__prediction *out, dpl_ctx *ctx,
                             const dpl__prediction_options *o, dpl_error *err);
void dpl__predict_clear(dpl__prediction *prediction, dpl_ctx *ctx);

/* P(found in one of n_tables) from two measurements of that of one. */
double dpl__any_table_of(const double p[2], double n_tables);
/* pass[i]: the share of kind i that stays within the cuts. */
void dpl__predict_pass(double *pass, const dpl__prediction *o, const dpl__cuts *cuts);
/* The share of true pairs that is found; n_tables 0: all are compared. */
double dpl__predict_recall(const dpl__prediction *o, const double *pass, size_t window,
                           double n_tables);
/* The least number of tables that reaches the recall; 0: none below a million does. */
unsigned dpl__predict_tables(const dpl__prediction *o, const double *pass, size_t window,
                             double recall);
/* The share of any two rows that is let through by the cut, and with how many tables on
 * average they are found (n_tables 0: once). */
double dpl__predict_through(const dpl__prediction *o, unsigned cut, size_t window,
                            double n_tables, double *n_times);
/* The share of true pairs that agree in one of n_codes codes of k bits, and of any two rows
 * those that agree in one code. */
double dpl__predict_codes(const dpl__prediction *o, unsigned k, double n_codes);
double dpl__predict_bucket(const dpl__prediction *o, unsigned k);
/* The share of any two rows that differ in at most `cut` of the first n_bits. */
double dpl__predict_first(const dpl__prediction *o, unsigned n_bits, unsigned cut);

/* ---- words -------------------------------------------------------------------------- */

/* Text in the making, cut off where there is no more room. */
typedef struct dpl__text {
    char *data;
    size_t n, n_most;
} dpl__text;

void dpl__say(dpl__text *t, const char *fmt, ...) DPL_PRINTF(2, 3);

/* plan_why.c: fills in the summary's `why`; the rows and the best of them are there. */
void dpl__plan_say_why(dpl_plan *plan, double recall);

/* The fastest row that reaches the recall, among those that may_take accepts; else the one with
 * the highest recall; NULL: none is accepted. */
const dpl_plan_row *dpl__plan_pick(const dpl_plan *plan, double recall,
                                   bool (*may_take)(const void *user, const dpl_plan_row *row),
                                   const void *user);
/* The fastest row of a method that reaches the recall and fits; NULL when there is none. */
const dpl_plan_row *dpl__plan_fastest(const dpl_plan *plan, dpl_pairs_method method,
                                      double recall);

#endif
