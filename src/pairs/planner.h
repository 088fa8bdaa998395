/*
 * planner.h - a plan in the making: what the methods' rows are computed from.
 */
#ifndef DPL_PAIRS_PLANNER_H
#define DPL_PAIRS_PLANNER_H

#include "pairs/plan.h"
#include "pairs/rising.h"

#include "base/vec.h"

enum { DPL__PLAN_WHY = 600 };

/* plan_nearest.c: a search for the nearest of rows and columns. */
typedef struct dpl__near_plan {
    dpl__score_cuts cuts;
    double share;    /* of any two rows: within the cut of one of them when they are compared */
    double hits;     /* of any two rows: let through by the kernels */
    unsigned cut;    /* of a typical row, in the end */
    double exact_ns; /* of one thread, as dpl__term_plan has it; 0: not known */
    double exact_bytes;
} dpl__near_plan;

struct dpl_plan {
    dpl_ctx *ctx;
    dpl_plan_summary summary;
    dpl_speeds speeds;
    DPL_VEC(dpl_plan_row) rows;
    char why[DPL__PLAN_WHY];
    unsigned long_bits; /* that brute force should have, where it may choose */
};

typedef struct dpl__planner {
    dpl_ctx *ctx;
    dpl_plan *plan;
    dpl_plan_options o; /* with defaults */
    dpl_speeds speeds;  /* for this length of signatures and rows */
    dpl__model *model;
    dpl__row_sample sample; /* has_sample */
    bool has_sample, has_vectors, is_signed, is_self, is_dense;
    bool has_no_memory; /* a row could not be added */
    bool has_documents; /* collections alone */
    double n_left, n_right, n_rows, n_pairs;
    double n_words; /* of these */
    double terms;   /* of a row; numbers of a dense one */
    unsigned dims;  /* rp8: of signatures; o.bits are as many as say the same. 0: not rp8 */
    dpl_pairs_side without_signatures[2]; /* rp8: the sides that are looked at */
    double windows[DPL__PLAN_WINDOWS];
    size_t n_windows;
    dpl__prediction prediction;
    dpl__near_plan near; /* with n_nearest */
    double *pass;        /* of each kind of true pair: the share within the cuts at hand */
} dpl__planner;

/* Appends a row. */
void dpl__planner_put(dpl__planner *p, dpl_plan_row row);
/* Seconds of this much work, spread over all threads. */
double dpl__planner_seconds(const dpl__planner *p, double ns);
/* Nanoseconds to compute the signatures; 0 when they are given. */
double dpl__planner_sign_ns(const dpl__planner *p);
/* Nanoseconds of the plan itself, which is a part of a search with signatures. */
double dpl__planner_sample_ns(const dpl__planner *p);
double dpl__planner_tables_ns(const dpl__planner *p); /* for the window method on top of it */
/* plan_memory.c: bytes. Of all signatures; of the sample that a plan is made from, which is a
 * part of a search with signatures; of n_candidates, of which one block of rows is held
 * at a time; of the pairs that are found, or of lists of the nearest; of the terms of rows that
 * are scored. */
double dpl__planner_signature_bytes(const dpl__planner *p);
double dpl__planner_sample_bytes(const dpl__planner *p);
double dpl__planner_candidate_bytes(const dpl__planner *p, double n_candidates);
double dpl__planner_result_bytes(const dpl__planner *p);
double dpl__planner_scorers_bytes(const dpl__planner *p);
double dpl__planner_vocabulary(const dpl__planner *p); /* terms */
/* Nanoseconds of one candidate: kept, and its cosine computed. */
double dpl__planner_candidate_ns(const dpl__planner *p);
/* How long the exact search of that plan takes here, in nanoseconds of one thread. */
double dpl__planner_exact_ns(const dpl__planner *p, double ns);
/* Nanoseconds of one comparison with these cuts. */
double dpl__planner_compare_ns(const dpl__planner *p, const dpl__cuts *cuts, bool is_window);
/* Candidates when this share of any two rows passes the cut: at least the true pairs. */
double dpl__planner_candidates(const dpl__planner *p, double share, double recall);
/* Cost against brute force. */
double dpl__planner_relative(const dpl__planner *p, double comparisons);
/* The cuts that lose this share of the pairs at the threshold, with and without an early test:
 * those with the cheaper comparisons. Of long signatures, the early test of brute force may
 * take other shares of the loss than the usual one. */
dpl__cuts dpl__planner_cuts(const dpl__planner *p, double loss, bool has_first, bool is_window);
/* The early test's share of the loss that the recall allows. */
double dpl__planner_first_loss(void);

/* Nanoseconds that the next function takes. */
double dpl__planner_nearest_ns(const dpl__planner *p);
/* Fills in p->near from the rows, or from the usual cosines. */
dpl_status dpl__planner_nearest(dpl__planner *p, dpl_error *err);

#endif
