/*
 * window_model.h - how likely it is that tables, windows and cuts find a pair: the model of the
 * paper behind the window method, and a sharper one. Plain arithmetic, no rows.
 *
 * Throughout: D bits, C rows in a table, window B, Q tables, h bits in which a pair differs.
 */
#ifndef DPL_PAIRS_WINDOW_MODEL_H
#define DPL_PAIRS_WINDOW_MODEL_H

#include "base/base.h"

/* The share of bits in which two rows of this cosine differ: theta / pi. */
double dpl__differ(double cosine);

/* Bits that estimate a cosine near 0 as well as this number of dimensions of rp8. */
unsigned dpl__bits_like(unsigned dims);

/* ---- the paper ---------------------------------------------------------------------- */

/* Its bounds on the prefix n that a window covers: floor and ceiling of log2(C / B). */
void dpl__paper_prefix(unsigned *low, unsigned *high, double rows, double window);
/* Equation 4: a pair of this cosine shares n bits in one of Q tables. */
double dpl__paper_tables(double cosine, unsigned prefix, double n_tables);
/* Equation 5: it stays within the distance that stands for this cosine, n bits being equal. */
double dpl__paper_cut(double cosine, unsigned bits, unsigned prefix);
/* The same for a distance cut T of another cosine. */
double dpl__paper_within(double cosine, unsigned bits, unsigned prefix, unsigned cut);

/* Pairs of rows of different sides (n_right 0: of one set) that stand at most `window` places
 * apart in a table: what is compared in it, if rows of both sides are mixed. */
double dpl__window_pairs(double n_left, double n_right, double window);

/* ---- distances ---------------------------------------------------------------------- */

/* The probabilities of a number of differing bits; those outside are below 1e-15. */
enum { DPL__SPREAD_MOST = 2400 };
typedef struct dpl__spread {
    unsigned first, n;
    double mass[DPL__SPREAD_MOST];
} dpl__spread;

/* Binomial: n_bits coins, each differing with probability p. n_bits <= 65536. */
void dpl__spread_binomial(dpl__spread *out, unsigned n_bits, double p);
/* Hypergeometric: of n_bits, h differ; how many do among n_first of them? */
void dpl__spread_first(dpl__spread *out, unsigned n_bits, unsigned h, unsigned n_first);
/* P(number <= cut). */
double dpl__spread_upto(const dpl__spread *s, unsigned cut);

/* ---- the window --------------------------------------------------------------------- */

/* P(found in one table) for every share of differing bits, as nodes of a curve. */
enum { DPL__CURVE_NODES = 49, DPL__CURVE_SCALE = 64 };
typedef struct dpl__curve {
    unsigned bits;
    double log_p[DPL__CURVE_NODES]; /* node i: i / 64 of the bits differ */
} dpl__curve;

/* What does not depend on C, B and D. Frozen. */
typedef struct dpl__model dpl__model;
dpl_status dpl__model_new(dpl__model **out, dpl_ctx *ctx, dpl_error *err);
void dpl__model_free(dpl__model *model, dpl_ctx *ctx);

/* Bits of a prefix that are looked at; behind them no two rows are told apart. */
enum { DPL__PREFIX_MOST = 64 };

/* share[n], n < DPL__PREFIX_MOST: which part of the rows has the n first bits that a pair has
 * in common; NULL: 2^-n, rows like coins. */
void dpl__model_curve(dpl__curve *out, const dpl__model *model, unsigned bits, double rows,
                      double window, const double *share);
/* The same for one h and one run of buckets: sizes[n] other rows have the pair's first n bits,
 * falling. */
double dpl__model_in_buckets(const dpl__model *model, unsigned bits, unsigned h,
                             const double *sizes, double window);
/* P(found in one table) when h bits differ. */
double dpl__curve_at(const dpl__curve *curve, double h);
/* P(found in one of n_tables) from that of one. */
double dpl__any_table(double p, double n_tables);

#endif
