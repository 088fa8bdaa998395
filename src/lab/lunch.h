/*
 * lunch.h - what the experiments of "No Free Lunch" (Ture, Elsayed, Lin, SIGIR 2011) share:
 * rows and signatures of both sides, the true pairs of a sample of left rows, tables that are
 * sorted and searched one after the other, predicted recall, times of brute force and exact
 * search.
 *
 * Throughout: D bits, Q tables, window B, C rows of both sides, distance cut T.
 */
#ifndef DPL_LAB_LUNCH_H
#define DPL_LAB_LUNCH_H

#include "lab/experiment.h"

#include "pairs/plan.h"

/* ---- rows and true pairs (lunch_sides.c) ------------------------------------------------ */

/* A pair of rows with a cosine at or above the threshold, as numbers of table rows: left ones
 * first, then right ones. */
typedef struct dpl__lunch_pair {
    uint32_t a, b;
    float cosine;
    unsigned distance; /* of their signatures */
} dpl__lunch_pair;

typedef struct dpl__lunch {
    dpl__lab *lab;
    bool is_self;
    dpl_pairs_side sides[2]; /* the second is empty within one collection */
    dpl_signatures *made[2];
    uint32_t n_left, n_right; /* n_right 0: within one collection */
    double n_rows, n_pairs;   /* C; what brute force compares */
    double threshold;
    unsigned bits, cut;     /* D and T: the largest distance that stands for the threshold */
    dpl__lunch_pair *truth; /* pairs of the sampled left rows */
    size_t n_truth, n_sample;
    const uint32_t *sample; /* left rows, rising */
    size_t n_within; /* of the truth: within the cut; the most that signatures can find */
} dpl__lunch;

/* Signs both sides and takes the truth from an exact search. bits 0: those of the options. No
 * true pair is DPL_E_NOTHING. */
dpl_status dpl__lunch_open(dpl__lunch *lunch, dpl__lab *lab, unsigned bits, dpl_error *err);
void dpl__lunch_close(dpl__lunch *lunch);

/* T: the largest distance of bits that stands for this cosine or a higher one. */
unsigned dpl__lunch_cut(double cosine, unsigned bits);

/* A window that is the same share of the table as the paper's `window` was of its 4.91 million
 * rows; of small collections a hundredth of it, lest it vanishes. */
unsigned dpl__lunch_window(const dpl__lunch *lunch, unsigned window);

/* Comparisons of Q tables with a window B, and as a share of brute force. */
double dpl__lunch_compared(const dpl__lunch *lunch, unsigned n_tables, unsigned window);
double dpl__lunch_cost(const dpl__lunch *lunch, unsigned n_tables, unsigned window);

/* The row of each document of a collection in its vectors; UINT32_MAX: it has none. Lives in
 * the lab. */
dpl_status dpl__lunch_rows(const uint32_t **out, dpl__lab *lab,
                           const dpl_collection *collection, const dpl_vectors *vectors,
                           dpl_error *err);

/* ---- times (lunch_times.c): processor seconds of all threads, the fastest of repeats ---- */

/* All signatures of both sides against all. */
typedef struct dpl__lunch_brute {
    double seconds;
    uint64_t n_candidates; /* within the cut */
    /* Of the sampled left rows: pairs within the cut, and at or above the threshold of them. */
    uint64_t n_sampled, n_true;
} dpl__lunch_brute;

/* is_verified: the seconds include the true cosines of all candidates. */
dpl_status dpl__lunch_run_brute(dpl__lunch_brute *out, dpl__lunch *lunch, unsigned cut,
                                bool is_verified, dpl_error *err);
/* Exact search for all pairs at or above the threshold. */
dpl_status dpl__lunch_time_exact(double *seconds, dpl__lunch *lunch, dpl_error *err);
/* Signatures of both sides. */
dpl_status dpl__lunch_time_sign(double *seconds, dpl__lunch *lunch, dpl_error *err);
/* One comparison by itself, of signatures and of vectors. */
dpl_status dpl__lunch_time_single(double *signature, double *vector, dpl__lunch *lunch,
                                  dpl_error *err);

/* ---- tables (lunch_tables.c) ------------------------------------------------------------- */

enum { DPL__LUNCH_MOST = 16 }; /* of each kind */

typedef struct dpl__lunch_grid {
    unsigned tables[DPL__LUNCH_MOST]; /* Q: rising */
    size_t n_tables;
    unsigned windows[DPL__LUNCH_MOST]; /* B: rising */
    size_t n_windows;
    bool has_times; /* rows are compared, too; else only the places of the true pairs count */
} dpl__lunch_grid;

/* What Q tables with a window B find and cost. */
typedef struct dpl__lunch_cell {
    size_t n_found;  /* true pairs in a window and within the cut: as the paper finds them */
    size_t n_placed; /* true pairs in a window, whatever their distance */
    uint64_t n_compared; /* has_times */
    double seconds;      /* has_times: of the detection, on one thread */
} dpl__lunch_cell;

typedef struct dpl__lunch_tables {
    dpl__lunch_cell cells[DPL__LUNCH_MOST][DPL__LUNCH_MOST]; /* [Q][B] */
    double sort_seconds[DPL__LUNCH_MOST]; /* of each Q: permuting and sorting, on one thread */
} dpl__lunch_tables;

/* Makes the tables of the window search one after the other, the most that the grid has. The
 * permutations are those of a search with the context's seed. */
dpl_status dpl__lunch_run_tables(dpl__lunch_tables *out, dpl__lunch *lunch,
                                 const dpl__lunch_grid *grid, dpl_error *err);

/* ---- prediction (lunch_model.c) ---------------------------------------------------------- */

/* Predicted share of the true pairs that is found without verification. */
typedef struct dpl__lunch_predicted {
    double low,
        high; /* the paper's model, n rounded up and down, for the cosines of the truth */
    double low_at, high_at; /* the same for pairs exactly at the threshold */
    double ours;            /* the plan's model, from a sample of the rows */
} dpl__lunch_predicted;

/* out[q][b]; at most DPL__PLAN_WINDOWS windows. */
dpl_status dpl__lunch_predict(dpl__lunch_predicted (*out)[DPL__LUNCH_MOST], dpl__lunch *lunch,
                              const dpl__lunch_grid *grid, dpl_error *err);

/* ---- the experiments --------------------------------------------------------------------- */

dpl__lab_fn dpl__lab_lunch_figure_1, dpl__lab_lunch_table_1, dpl__lab_lunch_table_2,
    dpl__lab_lunch_figure_5, dpl__lab_lunch_figure_6, dpl__lab_lunch_figure_7,
    dpl__lab_lunch_figure_8, dpl__lab_lunch_links, dpl__lab_lunch_table_3;

#endif
