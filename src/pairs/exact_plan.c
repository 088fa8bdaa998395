/*
 * exact_plan.c - which terms are worth an index.
 *
 * Frequent terms make most of the products and little of the cosines. What the head of them can
 * add to a pair is at most |x_head| |y_head|; a pair whose tail does not come that close to the
 * threshold need not be looked at. The more terms are in the head, the fewer products there
 * are, and the more pairs survive to be computed one by one. Terms are ordered by products per
 * weight, several cuts are tried on a sample of rows, and the cheapest is taken; or none, when
 * adding up everything is cheaper still. In large searches survivors are held against a second
 * bound (exact_bound.c), so that they may be more; it is tried on the sample for the cuts that
 * may be the cheapest with it.
 */
#include "pairs/bound_index.h"

#include "base/mappings.h"
#include "base/maths.h"
#include "par/pool.h"

#include <math.h>

enum {
    CUTS = 48, /* cut 0: no head; each further one leaves fewer products, down to 1/700 */
    CUTS_PER_HALF = 5, /* of the products */
    SAMPLED_QUERIES = 16,
    SAMPLED_ROWS = 768,
    COUNTED = 1 << 19, /* entries of each side, at the most, about */
    BUCKETS = 1024     /* eight for each power of two */
};

/* Nanoseconds of one thread, about; only their ratios matter. */
static const double ADD_NS = 0.5, SWEEP_NS = 0.1, SCORE_NS = 100, PLAIN_NS = 1.2,
                    PLAIN_SWEEP_NS = 0.6, REFINE_NS = 10;
static const double LIST_NS = 8; /* a term of a left row in a block: its postings looked up */
static const double LARGE_NS = 2e9; /* of a search: then the second bound is tried, which takes
                                       up to 1e9 itself */
static const double ENTRY_NS = 15;  /* of both sides: put into the index, or made a query */
static const double PLAN_NS = 12e6; /* this file's own time */
static const double SCORED_TERMS = 150; /* of a row, for so much; rows of thousands take more */
static const double ROUNDING = 1e-3;    /* what 16 bits lose of a cosine, about */
static const double GROUP_ROUNDING = 4e-3; /* the same for the norms of groups */

/* What the rows of a side that were counted have of a term. */
typedef struct count {
    uint32_t n;
    float squares; /* their sum */
} count;

typedef struct stats {
    count *left, *right;           /* of right's terms */
    uint16_t *bucket_of;           /* of each term: where it stands from head to tail */
    unsigned char *known, *cut_of; /* of each: left has it; the first cut it is in */
    size_t step[2];                /* 1: all rows were counted, not only some of them */
} stats;

/* ---- counting ----------------------------------------------------------------------- */

typedef struct counting {
    dpl_ctx *ctx;
    const dpl__join *join;
    stats *stats;
} counting;

/* Every so many rows are looked at. */
static size_t step_of(const dpl__rows *rows, uint32_t n)
{
    uint64_t mean = rows->n_rows ? rows->offsets[rows->n_rows] / rows->n_rows : 0;
    return 1 + (size_t)(mean * n / COUNTED);
}

static void count_side(void *user, size_t side)
{
    const counting *c = user;
    const dpl__join *f = c->join;
    const bool is_left = side == 0;
    const dpl__rows *rows = is_left ? &f->sides->left->rows : &f->sides->right->rows;
    const uint32_t n = is_left ? f->n_queries : f->n_indexed;
    const size_t step = c->stats->step[side] = step_of(rows, n);
    count *counts = is_left ? c->stats->left : c->stats->right;
    for (size_t k = 0; k < n; k += step) {
        const uint32_t row = is_left ? dpl__query(f, k) : dpl__indexed(f, k);
        dpl__mappings_ease_in_loop(c->ctx, k / step);
        for (uint64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++) {
            const uint32_t term =
                is_left ? dpl__right_term(f->sides, rows->terms[i]) : rows->terms[i];
            if (term == DPL__NO_TERM)
                continue;
            counts[term].n += (uint32_t)step;
            counts[term].squares += (float)step * rows->weights[i] * rows->weights[i];
        }
    }
}

static double products(const stats *s, uint32_t term)
{
    return (double)s->left[term].n * (double)s->right[term].n;
}

/* Products per sum of squares, by logarithm. */
static unsigned bucket(const stats *s, uint32_t term)
{
    double squares = sqrt((double)s->left[term].squares * (double)s->right[term].squares);
    if (!(squares > 0))
        return BUCKETS - 1;
    double x = 768 - 8 * dpl__log2(products(s, term) / squares);
    return x < 0 ? 0 : x > BUCKETS - 2 ? BUCKETS - 2 : (unsigned)x;
}

enum { BLOCK_TERMS = 4096 };

static void find_buckets(void *user, size_t block)
{
    const counting *c = user;
    const size_t end = dpl__min((block + 1) * BLOCK_TERMS, c->join->sides->right->rows.n_terms);
    for (size_t t = block * BLOCK_TERMS; t < end; t++)
        c->stats->bucket_of[t] = (uint16_t)bucket(c->stats, (uint32_t)t);
}

static dpl_status count_terms(stats *s, dpl_ctx *ctx, const dpl__join *f, dpl_error *err)
{
    counting c = {ctx, f, s};
    const size_t n_blocks = (f->sides->right->rows.n_terms + BLOCK_TERMS - 1) / BLOCK_TERMS;
    DPL_TRY(dpl__parallel_each(ctx, 2, &c, count_side, err));
    return dpl__parallel_each(ctx, n_blocks, &c, find_buckets, err);
}

/* ---- cuts --------------------------------------------------------------------------- */

typedef struct cuts {
    unsigned char of_bucket[BUCKETS]; /* first cut that has it in the head; CUTS: none has */
    double tail[CUTS];                /* products left by each */
} cuts;

static void make_cuts(cuts *c, const double *by_bucket)
{
    double all = 0;
    for (size_t i = 0; i < BUCKETS; i++)
        all += by_bucket[i];
    for (size_t i = 0; i < CUTS; i++)
        c->tail[i] = all; /* cuts that are not reached cost as much as none */
    double left = all;
    unsigned cut = 1;
    for (size_t i = 0; i < BUCKETS - 1; i++) {
        c->of_bucket[i] = (unsigned char)cut;
        left -= by_bucket[i];
        while (cut < CUTS && left < all * dpl__exp2(-(double)cut / CUTS_PER_HALF))
            c->tail[cut++] = left;
    }
    c->of_bucket[BUCKETS - 1] = CUTS; /* not seen on both sides: costs nothing */
}

/* Norms of a row's terms in the head of each cut. */
static void head_norms(double *norms, const dpl__rows *rows, uint32_t row,
                       const dpl__sides *sides, const unsigned char *cut_of)
{
    double squares[CUTS + 1] = {0};
    for (uint64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++) {
        uint32_t term = sides ? dpl__right_term(sides, rows->terms[i]) : rows->terms[i];
        if (term != DPL__NO_TERM)
            squares[cut_of[term]] += (double)rows->weights[i] * (double)rows->weights[i];
    }
    for (size_t c = 0; c < CUTS; c++) {
        squares[c] += c ? squares[c - 1] : 0;
        norms[c] = sqrt(squares[c]);
    }
}

/* Which of the cuts let a pair through. */
static void test_pair(double *survivors, const dpl__scorer *s, uint32_t right_row,
                      const double *const norms[2], const unsigned char *cut_of,
                      double threshold)
{
    const dpl__rows *right = &s->sides->right->rows;
    double sums[CUTS + 1] = {0};
    for (uint64_t i = right->offsets[right_row]; i < right->offsets[right_row + 1]; i++) {
        uint32_t term = right->terms[i];
        sums[cut_of[term]] += (double)s->weights[term] * (double)right->weights[i];
    }
    double tail = sums[CUTS];
    for (size_t c = CUTS; c-- > 0;) {
        survivors[c] += tail + norms[0][c] * norms[1][c] >= threshold;
        tail += sums[c];
    }
}

/* A sample of the pairs: rows by parts, queries one by one, on all threads. Counts are whole
 * numbers, so that their sums do not depend on threads. */
typedef struct estimation {
    dpl_ctx *ctx;
    const dpl__join *join;
    const unsigned char *cut_of;
    size_t n_queries, n_rows;
    double (*norms)[CUTS];  /* of each row */
    double (*passed)[CUTS]; /* of each query */
} estimation;

enum { NORM_ROWS = 64 }; /* of a part */

static uint32_t sampled_row(const dpl__join *f, size_t k, size_t n_rows)
{
    return dpl__indexed(f, k * f->n_indexed / n_rows);
}

static uint32_t sampled_query(const dpl__join *f, size_t q, size_t n_queries)
{
    return dpl__query(f, (2 * q + 1) * f->n_queries / (2 * n_queries));
}

static void norm_rows(void *user, size_t part)
{
    const estimation *e = user;
    const size_t end = dpl__min((part + 1) * NORM_ROWS, e->n_rows);
    for (size_t k = part * NORM_ROWS; k < end; k++)
        head_norms(e->norms[k], &e->join->sides->right->rows,
                   sampled_row(e->join, k, e->n_rows), NULL, e->cut_of);
}

static dpl_status test_query(void *user, size_t q, unsigned worker, dpl_error *err)
{
    (void)worker;
    const estimation *e = user;
    const dpl__join *f = e->join;
    dpl__scorer s = {0};
    DPL_TRY(dpl__need(dpl__scorer_init(&s, e->ctx, f->sides), err));
    uint32_t row = sampled_query(f, q, e->n_queries);
    double left_norms[CUTS];
    head_norms(left_norms, &f->sides->left->rows, row, f->sides, e->cut_of);
    dpl__scorer_set(&s, row);
    for (size_t k = 0; k < e->n_rows; k++) {
        dpl__mappings_ease_in_loop(e->ctx, k);
        test_pair(e->passed[q], &s, sampled_row(f, k, e->n_rows),
                  (const double *const[]){left_norms, e->norms[k]}, e->cut_of,
                  f->threshold - ROUNDING);
    }
    dpl__scorer_clear(&s, e->ctx);
    return DPL_OK;
}

/* Estimates from a sample how many of all pairs survive each cut; at least one of the
 * sample. */
static dpl_status estimate(double *survivors, dpl_ctx *ctx, const dpl__join *f,
                           const unsigned char *cut_of, dpl_error *err)
{
    estimation e = {.ctx = ctx,
                    .join = f,
                    .cut_of = cut_of,
                    .n_queries = dpl__min(SAMPLED_QUERIES, f->n_queries),
                    .n_rows = dpl__min(SAMPLED_ROWS, f->n_indexed)};
    e.norms = dpl__alloc(ctx, e.n_rows * sizeof *e.norms);
    e.passed = dpl__calloc(ctx, e.n_queries, sizeof *e.passed);
    dpl_status status = DPL_OK;
    if ((!e.norms && e.n_rows) || (!e.passed && e.n_queries))
        DPL__STEP(dpl__fail_nomem(err));
    DPL__STEP(
        dpl__parallel_each(ctx, (e.n_rows + NORM_ROWS - 1) / NORM_ROWS, &e, norm_rows, err));
    DPL__STEP(dpl__parallel_for(ctx, e.n_queries, &e, test_query, err));
    double scale =
        (double)f->n_queries * (double)f->n_indexed / (double)(e.n_queries * e.n_rows);
    for (size_t c = 0; c < CUTS; c++) {
        survivors[c] = 1;
        for (size_t q = 0; q < e.n_queries; q++)
            survivors[c] += e.passed[q][c];
        survivors[c] *= scale;
    }
done:
    dpl__free(ctx, e.passed, e.norms);
    return status;
}

/* ---- the second bound --------------------------------------------------------------- */

/* What is known of the terms and of the join. */
typedef struct sample {
    dpl_ctx *ctx;
    const dpl__join *join;
    const unsigned char *cut_of, *group_of; /* of right's terms */
    double survivors[CUTS];                 /* of the first bound */
} sample;

/* Norms of the groups of the head, and of the whole head behind them. */
static void group_norms(float *norms, const sample *s, const dpl__rows *rows, uint32_t row,
                        bool is_left, unsigned cut)
{
    double squares[DPL__GROUPS + 1] = {0};
    for (uint64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++) {
        uint32_t term = rows->terms[i];
        if (is_left)
            term = dpl__right_term(s->join->sides, term);
        if (term == DPL__NO_TERM || s->cut_of[term] > cut)
            continue;
        double square = (double)rows->weights[i] * (double)rows->weights[i];
        squares[s->group_of[term]] += square;
        squares[DPL__GROUPS] += square;
    }
    for (size_t g = 0; g <= DPL__GROUPS; g++)
        norms[g] = (float)sqrt(squares[g]);
}

static bool passes_groups(const sample *s, const dpl__scorer *scorer, uint32_t right_row,
                          const float *left, const float *right, unsigned cut)
{
    const dpl__rows *rows = &s->join->sides->right->rows;
    double tail = ROUNDING, head = GROUP_ROUNDING;
    for (uint64_t i = rows->offsets[right_row]; i < rows->offsets[right_row + 1]; i++)
        tail += s->cut_of[rows->terms[i]] > cut
                    ? (double)scorer->weights[rows->terms[i]] * (double)rows->weights[i]
                    : 0;
    for (size_t g = 0; g < DPL__GROUPS; g++)
        head += (double)(left[g] * right[g]);
    double whole = (double)(left[DPL__GROUPS] * right[DPL__GROUPS]);
    return tail + (head < whole ? head : whole) >= s->join->threshold;
}

typedef struct group_estimation {
    const sample *sample;
    unsigned cut;
    size_t n_queries, n_rows;
    float (*norms)[DPL__GROUPS + 1]; /* of each row */
    size_t *n_passed;                /* of each query */
} group_estimation;

static void norm_groups(void *user, size_t part)
{
    const group_estimation *e = user;
    const dpl__join *f = e->sample->join;
    const size_t end = dpl__min((part + 1) * NORM_ROWS, e->n_rows);
    for (size_t k = part * NORM_ROWS; k < end; k++)
        group_norms(e->norms[k], e->sample, &f->sides->right->rows,
                    sampled_row(f, k, e->n_rows), false, e->cut);
}

static dpl_status test_groups(void *user, size_t q, unsigned worker, dpl_error *err)
{
    (void)worker;
    const group_estimation *e = user;
    const sample *s = e->sample;
    const dpl__join *f = s->join;
    dpl__scorer scorer = {0};
    DPL_TRY(dpl__need(dpl__scorer_init(&scorer, s->ctx, f->sides), err));
    uint32_t row = sampled_query(f, q, e->n_queries);
    float left[DPL__GROUPS + 1];
    group_norms(left, s, &f->sides->left->rows, row, true, e->cut);
    dpl__scorer_set(&scorer, row);
    for (size_t k = 0; k < e->n_rows; k++)
        e->n_passed[q] +=
            passes_groups(s, &scorer, sampled_row(f, k, e->n_rows), left, e->norms[k], e->cut);
    dpl__scorer_clear(&scorer, s->ctx);
    return DPL_OK;
}

/* Estimates how many of all pairs also survive the second bound at a cut; at least one of the
 * sample. */
static dpl_status estimate_groups(double *n, const sample *s, unsigned cut, dpl_error *err)
{
    const dpl__join *f = s->join;
    group_estimation e = {.sample = s,
                          .cut = cut,
                          .n_queries = dpl__min(SAMPLED_QUERIES, f->n_queries),
                          .n_rows = dpl__min(SAMPLED_ROWS, f->n_indexed)};
    size_t n_passed = 1, counts[SAMPLED_QUERIES] = {0};
    e.n_passed = counts;
    e.norms = dpl__alloc(s->ctx, e.n_rows * sizeof *e.norms);
    dpl_status status;
    DPL__STEP(e.norms || !e.n_rows ? DPL_OK : dpl__fail_nomem(err));
    DPL__STEP(dpl__parallel_each(s->ctx, (e.n_rows + NORM_ROWS - 1) / NORM_ROWS, &e,
                                 norm_groups, err));
    DPL__STEP(dpl__parallel_for(s->ctx, e.n_queries, &e, test_groups, err));
    for (size_t q = 0; q < e.n_queries; q++)
        n_passed += counts[q];
    *n = (double)n_passed * (double)f->n_queries * (double)f->n_indexed /
         (double)(e.n_queries * e.n_rows);
done:
    dpl__free(s->ctx, e.norms);
    return status;
}

/* ---- the plan ----------------------------------------------------------------------- */

/* Ranks of the terms that are not in the head of the cut, in the order of the buckets, and how
 * many postings they have. known: those that left has, too. */
static void number_terms(dpl__term_plan *plan, const stats *s, unsigned cut)
{
    uint32_t next[BUCKETS + 1] = {0};
    for (uint32_t t = 0; t < plan->n_terms; t++) {
        bool is_shared = s->known[t] && (s->left[t].n > 0 || s->step[0] > 1) &&
                         (s->right[t].n > 0 || s->step[1] > 1);
        unsigned b = s->bucket_of[t];
        plan->ranks[t] = !is_shared            ? DPL__TERM_NONE
                         : s->cut_of[t] <= cut ? DPL__TERM_HEAD
                                               : (int32_t)b;
        next[b + 1] += plan->ranks[t] >= 0;
        plan->n_postings += plan->ranks[t] >= 0 ? s->right[t].n : 0;
    }
    for (size_t b = 0; b < BUCKETS; b++)
        next[b + 1] += next[b];
    plan->n_tail = next[BUCKETS];
    for (uint32_t t = 0; t < plan->n_terms; t++)
        if (plan->ranks[t] >= 0)
            plan->ranks[t] = (int32_t)next[plan->ranks[t]]++;
}

/* Terms of left rows that are looked up in all blocks of so many right rows. */
static double lists_ns(const dpl__join *f, double block_rows)
{
    const dpl__rows *left = &f->sides->left->rows;
    const double rows = f->sides->is_self ? DPL__BOUND_SELF_ROWS : block_rows;
    return LIST_NS * (double)left->offsets[left->n_rows] / left->n_rows * f->n_queries *
           ceil(f->n_indexed / rows);
}

/* What a search takes, as its plan stands so far. */
typedef struct choice {
    double ns, score_ns; /* of the whole; of one score */
    unsigned cut;
} choice;

/* Tries the second bound, first the cuts that would be the cheapest if nothing was left to be
 * scored. */
static dpl_status try_groups(dpl__term_plan *plan, choice *best, const cuts *c, const sample *s,
                             dpl_error *err)
{
    const double *survivors = s->survivors;
    const double sweep = SWEEP_NS * (double)s->join->n_queries * (double)s->join->n_indexed +
                         lists_ns(s->join, DPL__BOUND_LARGE_ROWS);
    bool is_tried[CUTS] = {false};
    for (;;) {
        unsigned next = CUTS;
        double least = best->ns, n_scored = 0;
        for (unsigned i = 1; i < CUTS; i++) {
            double ns = ADD_NS * c->tail[i] + sweep + REFINE_NS * survivors[i];
            if (!is_tried[i] && ns < least) {
                least = ns;
                next = i;
            }
        }
        if (next == CUTS)
            return DPL_OK;
        is_tried[next] = true;
        DPL_TRY(estimate_groups(&n_scored, s, next, err));
        if (least + best->score_ns * n_scored < best->ns) {
            best->ns = least + best->score_ns * n_scored;
            best->cut = next;
            plan->has_groups = true;
            plan->is_plain = false;
        }
    }
}

/* The cheapest cut without a second bound. */
static choice choose(dpl__term_plan *plan, const dpl__join *f, const cuts *c,
                     const double *survivors)
{
    double n_pairs = (double)f->n_queries * (double)f->n_indexed;
    double best = PLAIN_NS * c->tail[0] + PLAIN_SWEEP_NS * n_pairs;
    const double lists = lists_ns(f, DPL__BOUND_ROWS);
    const dpl__rows *right = &f->sides->right->rows;
    double n_terms = (double)right->offsets[right->n_rows] / (double)right->n_rows;
    double score = SCORE_NS * (n_terms > SCORED_TERMS ? n_terms / SCORED_TERMS : 1);
    unsigned best_cut = 0;
    plan->is_plain = true;
    for (unsigned i = 0; i < CUTS; i++) {
        double cost = ADD_NS * c->tail[i] + SWEEP_NS * n_pairs + score * survivors[i] + lists;
        if (cost < best) {
            best = cost;
            best_cut = i;
            plan->is_plain = false;
        }
    }
    return (choice){best, score, best_cut};
}

/* Entries that are indexed or made queries. */
static double count_entries(const dpl__join *f)
{
    const dpl__rows *left = &f->sides->left->rows, *right = &f->sides->right->rows;
    return (double)left->offsets[left->n_rows] / left->n_rows * f->n_queries +
           (double)right->offsets[right->n_rows] / right->n_rows * f->n_indexed;
}

/* Groups of all terms: in the order of the buckets, one after the other. */
static void divide_terms(unsigned char *group_of, const stats *s, uint32_t n_terms)
{
    uint32_t next[BUCKETS + 1] = {0};
    for (uint32_t t = 0; t < n_terms; t++)
        next[s->bucket_of[t] + 1]++;
    for (size_t b = 0; b < BUCKETS; b++)
        next[b + 1] += next[b];
    for (uint32_t t = 0; t < n_terms; t++)
        group_of[t] = (unsigned char)(next[s->bucket_of[t]]++ % DPL__GROUPS);
}

static void mark_known(unsigned char *known, const dpl__sides *sides)
{
    memset(known, !sides->to_right, sides->right->rows.n_terms);
    for (uint32_t t = 0; sides->to_right && t < sides->left->rows.n_terms; t++)
        if (sides->to_right[t] != DPL__NO_TERM)
            known[sides->to_right[t]] = 1;
}

static dpl_status make(dpl__term_plan *plan, dpl_ctx *ctx, const dpl__join *f, stats *s,
                       dpl_error *err)
{
    double by_bucket[BUCKETS] = {0};
    sample in = {.ctx = ctx, .join = f, .cut_of = s->cut_of, .group_of = plan->groups};
    cuts c;
    DPL_TRY(count_terms(s, ctx, f, err));
    mark_known(s->known, f->sides);
    for (uint32_t t = 0; t < plan->n_terms; t++)
        by_bucket[s->bucket_of[t]] += products(s, t);
    make_cuts(&c, by_bucket);
    for (uint32_t t = 0; t < plan->n_terms; t++)
        s->cut_of[t] = c.of_bucket[s->bucket_of[t]];
    DPL_TRY(estimate(in.survivors, ctx, f, s->cut_of, err));
    choice best = choose(plan, f, &c, in.survivors);
    if (best.ns > LARGE_NS && !f->has_no_groups) {
        divide_terms(plan->groups, s, plan->n_terms);
        DPL_TRY(try_groups(plan, &best, &c, &in, err));
    }
    plan->ns = best.ns + ENTRY_NS * count_entries(f) + PLAN_NS;
    number_terms(plan, s, best.cut);
    for (uint32_t t = 0; t < plan->n_terms; t++)
        if (!plan->has_groups || plan->ranks[t] != DPL__TERM_HEAD)
            plan->groups[t] = DPL__GROUPS;
    return DPL_OK;
}

dpl_status dpl__term_plan_make(dpl__term_plan *plan, dpl_ctx *ctx, const dpl__join *join,
                               dpl_error *err)
{
    size_t n = join->sides->right->rows.n_terms;
    *plan = (dpl__term_plan){.n_terms = (uint32_t)n};
    stats s = {.left = dpl__calloc(ctx, n + 1, sizeof *s.left),
               .right = dpl__calloc(ctx, n + 1, sizeof *s.right),
               .bucket_of = dpl__alloc(ctx, (n + 1) * sizeof *s.bucket_of),
               .known = dpl__alloc(ctx, n + 1),
               .cut_of = dpl__alloc(ctx, n + 1)};
    plan->ranks = dpl__alloc(ctx, (n + 1) * sizeof *plan->ranks);
    plan->groups = dpl__alloc(ctx, n + 1);
    const bool has_memory =
        s.left && s.right && s.bucket_of && s.known && s.cut_of && plan->ranks && plan->groups;
    const dpl_status status =
        has_memory ? make(plan, ctx, join, &s, err) : dpl__fail_nomem(err);
    dpl__free(ctx, s.cut_of, s.known, s.bucket_of, s.right, s.left);
    if (status != DPL_OK)
        dpl__term_plan_clear(plan, ctx);
    return status;
}

void dpl__term_plan_clear(dpl__term_plan *plan, dpl_ctx *ctx)
{
    dpl__free(ctx, plan->ranks, plan->groups);
    plan->ranks = NULL;
    plan->groups = NULL;
}
