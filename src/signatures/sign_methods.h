/*
 * sign_methods.h - signature methods: one file and one row of the table in methods.c each.
 */
#ifndef DPL_SIGNATURES_SIGN_METHODS_H
#define DPL_SIGNATURES_SIGN_METHODS_H

#include "doppel/signatures.h"

#include "base/base.h"
#include "base/hash.h"
#include "kernels/kernels.h"

/* A sparse row, made ready for the kernels. */
typedef struct dpl__sign_row {
    const dpl__kernels *kernels;
    dpl__sign_terms terms; /* weights: of a method that has_weights */
} dpl__sign_row;

typedef struct dpl__signature_method {
    dpl_sign_method_info info;
    bool has_weights;
    const char *what_is_wrong; /* with words that are not valid */
    /* n, which is in range, as it will be used; NULL: as it is. */
    dpl_status (*check)(unsigned *n, dpl_error *err);
    uint32_t (*n_words)(unsigned n); /* of one signature */
    /* DPL__SIGN_WORDS words (fewer at the end) of a signature of length n, from number `word`
     * on. Dense rows of every method are signed with hyperplanes. */
    void (*sign)(uint64_t *out, const dpl__sign_row *row, unsigned n, size_t word,
                 uint64_t seed);
    /* Instead of sign, and of bits: quantise8 makes the signature of the row's products. */
    bool has_products;
    /* Whether words from elsewhere are a signature; NULL: all are. */
    bool (*is_valid)(const uint64_t *words, unsigned n);
    unsigned (*distance)(const dpl__kernels *k, const uint64_t *a, const uint64_t *b,
                         size_t n_words);
    /* Estimates the cosine from the share of bits or values that differ. */
    double (*estimate)(double share);
    unsigned (*cut)(unsigned n, double cosine, double recall); /* NULL: no cut */
} dpl__signature_method;

/* NULL past the last one. */
const dpl__signature_method *dpl__signature_method_of(dpl_sign_method method);

/* The seed of the words from number `word` on, as many as a kernel does at once. */
static inline uint64_t dpl__sign_seed(uint64_t seed, dpl_sign_method method, size_t word)
{
    return dpl__mix(seed ^ dpl__mix((uint64_t)method << 32 | word / DPL__SIGN_WORDS));
}

/* ---- shared by methods of bits (estimate.c) -------------------------------------------- */

uint32_t dpl__bits_words(unsigned n);
unsigned dpl__bits_distance(const dpl__kernels *k, const uint64_t *a, const uint64_t *b,
                            size_t n_words);
double dpl__bits_estimate(double share);
/* z with P(a normal number is below it) = p, 0 < p < 1. */
double dpl__normal_quantile(double p);

/* NULL for a number that is no method. */
const char *dpl__sign_method_name(dpl_sign_method method);
/* dpl_sign_cut of methods with bits. */
unsigned dpl__bits_cut(unsigned bits, double cosine, double recall);

#endif
