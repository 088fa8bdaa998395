/*
 * hash_grid.h - settings of similarity hash functions: a grid, the model, the cost.
 */
#ifndef DPL_PAIRS_HASH_GRID_H
#define DPL_PAIRS_HASH_GRID_H

#include "doppel/codes.h"

#include "base/vec.h"

/* Settings that differ in more than the number of codes; l is the most codes to be tried. */
typedef DPL_VEC(dpl_hash_options) dpl__hash_settings;

/* All of a function with the parameters that are not zero in *fixed as they are. */
dpl_status dpl__hash_settings_fill(dpl__hash_settings *out, dpl_ctx *ctx,
                                   const dpl_hash_options *fixed, dpl_error *err);
/* The numbers of codes that are tried, rising, up to most: the i-th, 0 past the last. */
unsigned dpl__hash_multiplicity(const dpl_hash_options *fixed, unsigned most, size_t i);

/* Probability that two rows of this cosine (minhash: Jaccard similarity) agree on one code;
 * negative: there is no model of the function. */
double dpl__hash_agree(const dpl_hash_options *o, double similarity);

/* Usual nanoseconds of a row with `terms` terms and `candidates` candidates. */
double dpl__hash_cost(const dpl_hash_options *o, double terms, double candidates);

#endif
