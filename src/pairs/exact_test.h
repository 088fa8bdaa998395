/*
 * exact_test.h - rows made by hand, the naive search over them, and a sink that checks.
 */
#ifndef DPL_PAIRS_EXACT_TEST_H
#define DPL_PAIRS_EXACT_TEST_H

#include "pairs/exact.h"

#include "base/hash.h"

/* A set of rows with everything they point to. */
typedef struct made {
    dpl_vectors vectors;
    uint32_t *numbers; /* sparse: of each term among those of all sides */
    void *held[8];
    size_t n_held;
} made;

typedef struct recipe {
    uint64_t seed;
    uint32_t n_rows, n_terms; /* n_terms: of all sides together; each has about 7 of 8 */
    uint32_t length;          /* mean number of terms */
    double skew;              /* term = n_terms * u^skew */
    uint32_t dim;             /* above 0: dense rows */
} recipe;

/* Some rows are copies of rows of `like` (may be NULL) with a few terms changed, some are
 * empty. */
void test_make_rows(made *m, const recipe *r, const made *like);
void test_free_rows(made *m);

/* All pairs, naively. The caller frees with free(). */
dpl_pair *test_all_pairs(const made *left, const made *right, double threshold,
                         const uint32_t *rows, size_t n_rows, size_t *n);

/* Takes what dpl__exact finds and compares it with the expected pairs. */
typedef struct checker {
    const dpl_pair *expected;
    size_t n, at;
} checker;
dpl__pair_sink test_sink(checker *c);

#endif
