/*
 * exact.h - between the files of the exact search: canonical scores of one left row, and the
 * algorithms that find pairs.
 */
#ifndef DPL_PAIRS_EXACT_H
#define DPL_PAIRS_EXACT_H

#include "pairs/searches.h"

#include "base/vec.h"
#include "kernels/kernels.h"

struct dpl__kernels;

/* ---- canonical scores --------------------------------------------------------------- */

/* One left row against any right rows. Owned. */
typedef struct dpl__scorer {
    const dpl__sides *sides;
    const struct dpl__kernels *kernels;
    float *weights; /* sparse: the left row at the numbers of right's terms, else all zero */
    uint32_t *bits; /* where they are, as the kernel wants it */
    uint32_t row;   /* what is there; DPL__NO_ROW: nothing */
} dpl__scorer;

#define DPL__NO_ROW UINT32_MAX

/* False, and nothing to clear, when there is no memory. */
bool dpl__scorer_init(dpl__scorer *s, dpl_ctx *ctx, const dpl__sides *sides);
void dpl__scorer_clear(dpl__scorer *s, dpl_ctx *ctx);
double dpl__scorer_bytes(const dpl__sides *sides);
void dpl__scorer_set(dpl__scorer *s, uint32_t left_row);
/* next_row is fetched meanwhile, to be asked for a few calls later. */
float dpl__score(const dpl__scorer *s, uint32_t right_row, uint32_t next_row);

/* The number in right of a term of left. */
static inline uint32_t dpl__right_term(const dpl__sides *sides, uint32_t term)
{
    return sides->to_right ? sides->to_right[term] : term;
}

static inline dpl__sparse_row dpl__sparse_row_of(const dpl__rows *rows, uint32_t row)
{
    assert(row < rows->n_rows && rows->offsets[row] <= rows->offsets[row + 1]);
    const uint64_t at = rows->offsets[row];
    return (dpl__sparse_row){rows->terms + at, rows->weights + at,
                             (size_t)(rows->offsets[row + 1] - at)};
}

typedef DPL_VEC(dpl_pair) dpl__found;

/* ---- which rows are joined ---------------------------------------------------------- */

/* Left rows as queries, right rows in the index; NULL: all. */
typedef struct dpl__join {
    const dpl__sides *sides;
    double threshold;
    const uint32_t *queries, *indexed;
    uint32_t n_queries, n_indexed;
    bool has_no_groups; /* the search has no use for groups of the head's terms */
} dpl__join;

static inline uint32_t dpl__query(const dpl__join *f, size_t i)
{
    assert(i < f->n_queries);
    return f->queries ? f->queries[i] : (uint32_t)i;
}

static inline uint32_t dpl__indexed(const dpl__join *f, size_t i)
{
    assert(i < f->n_indexed);
    return f->indexed ? f->indexed[i] : (uint32_t)i;
}

/* Pairs that may reach the threshold. Zeroed memory is an empty one. Owned. */
typedef struct dpl__survivor {
    uint32_t query, row; /* query: number among those that are searched for */
} dpl__survivor;

typedef struct dpl__survivors {
    DPL_VEC(dpl__survivor) all; /* the rows of each query rise */
    DPL_VEC(uint32_t) rows;     /* of the first query, of the second ... */
    DPL_VEC(uint32_t) ends;     /* of each query's rows */
    dpl__scorer scorer;
} dpl__survivors;

/* Forgets those of the second half of the queries; returns how many are in the first. */
uint32_t dpl__survivors_halve(dpl__survivors *s, uint32_t n_queries);
/* Appends those that are pairs; queries: left rows. False when there is no memory. */
bool dpl__survivors_score(dpl__survivors *s, dpl_ctx *ctx, const dpl__join *join,
                          const uint32_t *queries, uint32_t n_queries, dpl__found *out);
void dpl__survivors_clear(dpl__survivors *s, dpl_ctx *ctx);

/* ---- algorithms that find pairs ----------------------------------------------------- */

/* Left rows whose pairs are searched, until enough are found. */
typedef struct dpl__find_rows {
    const uint32_t *rows;
    size_t n, most;
} dpl__find_rows;

/* Finds the pairs of left rows among a range of right rows. begin builds what it needs of the
 * range, as large as fit says; find works on all threads at a time. */
typedef struct dpl__finder {
    void *self;
    /* Where the range that begins at `first` should end to take not much more than n_bytes. */
    uint32_t (*fit)(const void *self, uint32_t first, uint64_t n_bytes);
    dpl_status (*begin)(void *self, uint32_t first, uint32_t end, dpl_error *err);
    /* Appends the pairs of the n left rows, all pairs of one row rising, then the next, until
     * `most` are there: *n_done rows (at least one) are finished. */
    dpl_status (*find)(void *self, dpl__found *out, size_t *n_done,
                       const dpl__find_rows *wanted, unsigned worker, dpl_error *err);
} dpl__finder;

/* exact_plan.c: which terms are worth an index. */
enum {
    DPL__TERM_NONE = -1, /* not on both sides */
    DPL__TERM_HEAD = -2, /* too frequent: bounded, not added up */
    DPL__GROUPS = 64     /* of the head's terms, for a second bound */
};

typedef struct dpl__term_plan {
    bool is_plain;   /* adding up everything is cheaper */
    int32_t *ranks;  /* of right's terms: place among the n_tail indexed ones, or see above */
    bool has_groups; /* the second bound pays */
    unsigned char *groups; /* of right's terms in the head; DPL__GROUPS: not in the head */
    uint32_t n_terms, n_tail;
    double n_postings; /* of the tail's terms, about */
    double ns;         /* of one thread, on the machine of the constants in exact_plan.c */
} dpl__term_plan;

dpl_status dpl__term_plan_make(dpl__term_plan *plan, dpl_ctx *ctx, const dpl__join *join,
                               dpl_error *err);
void dpl__term_plan_clear(dpl__term_plan *plan, dpl_ctx *ctx);

/* exact_bound.c: the tail of the terms is added up in 16 bits, the head bounded. */
typedef struct dpl__bounded dpl__bounded;
dpl_status dpl__bounded_new(dpl__bounded **out, dpl_ctx *ctx, const dpl__join *join,
                            const dpl__term_plan *plan, dpl_error *err);
void dpl__bounded_free(dpl__bounded *b);
dpl__finder dpl__bounded_finder(dpl__bounded *b);
/* Allocated at the most, as the plan expects. */
double dpl__bounded_bytes(dpl_ctx *ctx, const dpl__join *join, const dpl__term_plan *plan);

/* exact_plain.c: all products are added up, in double and in canonical order. */
typedef struct dpl__plain dpl__plain;
dpl_status dpl__plain_new(dpl__plain **out, dpl_ctx *ctx, const dpl__join *join,
                          dpl_error *err);
void dpl__plain_free(dpl__plain *p);
double dpl__plain_bytes(dpl_ctx *ctx, const dpl__join *join); /* allocated at the most */
dpl__finder dpl__plain_finder(dpl__plain *p);

/* exact_dense.c: dense rows, all against all; pairs that the cuts (may be NULL) pass over are
 * left out. */
typedef struct dpl__all_dense dpl__all_dense;
dpl_status dpl__all_dense_new(dpl__all_dense **out, dpl_ctx *ctx, const dpl__join *join,
                              struct dpl__dense_cuts *cuts, dpl_error *err);
void dpl__all_dense_free(dpl__all_dense *d);
dpl__finder dpl__all_dense_finder(dpl__all_dense *d);

/* ---- the frame: exact_run.c ---------------------------------------------------------- */

/* All pairs that the finder finds, in order, into the sink. */
dpl_status dpl__exact_run(dpl_ctx *ctx, const dpl__join *f, dpl__finder finder,
                          dpl__spill *spill, const dpl__pair_sink *sink, dpl_error *err);
/* exact.c: what a search of sparse rows with that plan allocates, but for its pairs. */
double dpl__exact_bytes(dpl_ctx *ctx, const dpl__join *f, const dpl__term_plan *plan);
/* exact.c: with bounds, whatever the plan says. */
dpl_status dpl__exact_bounded(dpl_ctx *ctx, const dpl__join *f, const dpl__term_plan *plan,
                              dpl__spill *spill, const dpl__pair_sink *sink, dpl_error *err);

/* Gathers pairs that come one by one for a sink: all of one left row in one call. */
typedef struct dpl__outlet {
    dpl_ctx *ctx;
    const dpl__pair_sink *sink;
    dpl__found pairs; /* the caller clears it */
} dpl__outlet;

dpl_status dpl__outlet_put(dpl__outlet *o, dpl_pair pair, dpl_error *err);
/* What is still there. */
dpl_status dpl__outlet_flush(dpl__outlet *o, dpl_error *err);

#endif
