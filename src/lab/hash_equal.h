/*
 * hash_equal.h - hash functions with parameters such that their result sets are equally large.
 */
#ifndef DPL_LAB_HASH_EQUAL_H
#define DPL_LAB_HASH_EQUAL_H

#include "lab/hashing.h"

/* What is asked: rows of a collection, for their similar ones in it. */
typedef struct dpl__lab_asked {
    const dpl_vectors *vectors;
    const uint32_t *queries;
    size_t n_queries;
    const dpl_hash_input *rows; /* that are hashed, in the order of the vectors; NULL: these */
    dpl__lab_found found;       /* of the last one */
} dpl__lab_asked;

/* A function, ready to be asked. */
typedef struct dpl__lab_hashed {
    dpl_hash_options options; /* l: codes that are used */
    double size;              /* results of a query, on average */
    dpl_hash *hash;
    dpl_codes *codes;
    uint64_t *words; /* of the codes, where they were made here; n_words of them */
    size_t n_words;
    dpl__lab_lookup lookup; /* of all rows */
} dpl__lab_hashed;

dpl_status dpl__lab_hashed_new(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                               const dpl_hash_options *options, dpl_error *err);
void dpl__lab_hashed_clear(dpl__lab_hashed *hashed, dpl_ctx *ctx);
/* Results of a query on average, with the first l codes. */
double dpl__lab_result_size(const dpl__lab_hashed *hashed, dpl__lab_asked *asked, unsigned l);

/* Which parameter is moved to reach a size of the result. */
typedef enum dpl__lab_knob {
    DPL_LAB_BY_LENGTH = 0,        /* code length k: the nearest whole number */
    DPL_LAB_BY_LENGTH_AND_NUMBER, /* the longest codes of which l are enough, then fewer codes
                                   */
    DPL_LAB_BY_WIDTH              /* width of the intervals */
} dpl__lab_knob;

/* A size of the result, and how to reach it. */
typedef struct dpl__lab_goal {
    dpl_hash_options options; /* all parameters but those that are moved */
    dpl__lab_knob knob;
    double size; /* results of a query, on average */
    double near; /* by width: where to begin; 0: not known */
} dpl__lab_goal;

/* The function with the parameters that give result sets of about that size. Cleared by the
 * caller. */
dpl_status dpl__lab_equal(dpl__lab_hashed *out, dpl__lab *lab, dpl__lab_asked *asked,
                          const dpl__lab_goal *goal, dpl_error *err);

#endif
