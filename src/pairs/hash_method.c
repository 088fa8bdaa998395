/*
 * hash_method.c - the row of similarity hashing in the table of methods.
 *
 * Codes of both sides, pairs of rows that share one, their true cosines. Parameters that are
 * not given are chosen on a sample (hash_tune.c): the cheapest setting that reaches the recall
 * there. The plan has rows of rp alone, whose codes agree as the bits of signatures do; where
 * `auto` takes one, its length and number of codes are those of the row.
 */
#include "pairs/method.h"

#include "base/ctx.h"

#include <math.h>

/* What the sample says is an estimate: more is asked of it than of the search. */
static const double safety = 0.3; /* of the allowed loss */

enum { BATCH = 1 << 16 };

/* Rows that are hashed, and what parameters are chosen for. */
typedef struct hashing {
    dpl_ctx *ctx;
    const dpl__sides *sides;
    const dpl_vectors *reference;
    double threshold, recall;
    dpl_hash_options o; /* zero: to be chosen */
    double sign_seconds;
} hashing;

static void set_options(hashing *h, const dpl_hash_options *given, const char *temp)
{
    h->o = given ? *given : (dpl_hash_options)DPL_INIT(dpl_hash_options);
    h->o.temp = temp;
}

static hashing hashing_of(const dpl__search *s)
{
    hashing h = {.ctx = s->ctx,
                 .sides = s->sides,
                 .reference = s->reference,
                 .threshold = s->options->threshold,
                 .recall = s->options->recall};
    set_options(&h, s->options->hash, s->options->temp);
    return h;
}

/* ---- the plan ----------------------------------------------------------------------- */

static const unsigned lengths[] = {8, 12, 16, 20, 24, 28, 32};

/* A code of a row, and two rows that share one: brought into order; kept and found again. */
static const double CODE_NS = 60, SHARED_NS = 10;

static double wanted_recall(double recall)
{
    return 1 - (1 - recall) * (1 - safety);
}

/* The least number of codes that reaches the recall; 0: none does. */
static unsigned count_codes(const dpl__planner *p, unsigned k)
{
    const double recall = wanted_recall(p->o.recall);
    unsigned low = 0, high = dpl_hash_get_function_info(DPL_HASH_RP)->codes_most;
    if (dpl__predict_codes(&p->prediction, k, high) < recall)
        return 0;
    while (high - low > 1) {
        const unsigned middle = low + (high - low) / 2;
        if (dpl__predict_codes(&p->prediction, k, middle) < recall)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static dpl_plan_row row_of(const dpl__planner *p, unsigned k, unsigned n_codes)
{
    const double bucket = dpl__predict_bucket(&p->prediction, k), bits = k * (double)n_codes;
    dpl_plan_row row = {.method = DPL_PAIRS_HASH,
                        .n_tables = n_codes,
                        .code_length = k,
                        .comparisons = n_codes * bucket * p->n_pairs,
                        .paper_low = dpl__paper_tables(p->o.threshold, k, n_codes),
                        .paper_high = dpl__paper_tables(p->o.threshold, k, n_codes),
                        .paper_cut = 1,
                        .recall = dpl__predict_codes(&p->prediction, k, n_codes)};
    row.candidates = dpl__planner_candidates(p, dpl__any_table(bucket, n_codes), row.recall);
    const double ns = p->n_rows * (p->speeds.sign_ns * bits / p->o.length + n_codes * CODE_NS) +
                      row.comparisons * SHARED_NS +
                      row.candidates * dpl__planner_candidate_ns(p);
    row.relative = dpl__planner_relative(p, ns / p->speeds.compare_ns);
    row.seconds = dpl__planner_seconds(p, dpl__planner_sample_ns(p) + ns);
    const double shared = row.comparisons * sizeof(dpl_row_pair);
    row.bytes = dpl__planner_sample_bytes(p) + dpl__planner_result_bytes(p) +
                p->n_rows * (bits / 8 + 8.0 * n_codes) +
                fmin(shared, (double)p->ctx->memory / 2); /* more of them are spilled */
    return row;
}

/* The fastest length. */
static void plan(dpl__planner *p)
{
    if (!p->has_vectors || p->o.nearest || p->dims || p->o.threshold <= 0)
        return;
    dpl_plan_row best = {0};
    for (size_t i = 0; i < DPL_LEN(lengths); i++) {
        const unsigned n_codes = count_codes(p, lengths[i]);
        const dpl_plan_row row = n_codes ? row_of(p, lengths[i], n_codes) : best;
        if (row.n_tables && (!best.n_tables || row.seconds < best.seconds))
            best = row;
    }
    if (best.n_tables)
        dpl__planner_put(p, best);
}

static void say_name(dpl__text *t, const dpl_plan_row *row)
{
    dpl__say(t, "hashing to %u codes of %u bits", row->n_tables, row->code_length);
}

static void say_work(dpl__text *t, const dpl_plan_row *row, double n_pairs)
{
    dpl__say(t, " compares %.3g pairs that share a code, %.3g %% of all, in ", row->comparisons,
             100 * row->comparisons / n_pairs);
}

/* ---- parameters --------------------------------------------------------------------- */

static void put_summary(dpl__search *s, const dpl_hash_options *o)
{
    s->summary->hash = o->function;
    s->summary->code_length = o->length;
    s->summary->n_codes = o->codes;
    s->summary->radix = o->radix;
    s->summary->code_width = o->width;
}

/* Parameters that were not given: the cheapest that reach the recall on a sample. */
static dpl_status choose(hashing *h, double *planned_recall, dpl_error *err)
{
    dpl_hash_options *o = &h->o;
    if (o->shingle > 1)
        return dpl__fail(err, DPL_E_USAGE, "vectors have no shingles of %u words", o->shingle);
    if (o->length && o->codes)
        return DPL_OK;
    if (h->threshold <= 0)
        return dpl__fail(err, DPL_E_USAGE,
                         "similarity hashing needs a threshold above 0, or the length and the "
                         "number of codes");
    const dpl_tune_options t = DPL_INIT(dpl_tune_options, .hash = o, .threshold = h->threshold,
                                        .recall = wanted_recall(h->recall), .temp = o->temp);
    dpl_tuning *tuning;
    DPL_TRY(dpl_hash_tune(&tuning, h->ctx, h->sides->left,
                          h->sides->is_self ? NULL : h->sides->right, 0, &t, err));
    const dpl_tune_summary *found = dpl_tuning_get_summary(tuning);
    if (found->n_true) {
        const dpl_hash_point *p = &found->points[found->best];
        o->length = p->length;
        o->codes = p->codes;
        o->radix = p->radix;
        o->width = p->width;
        *planned_recall = p->recall;
    }
    dpl_tuning_free(tuning);
    return DPL_OK;
}

static dpl_status prepare(dpl__search *s, dpl_error *err)
{
    hashing h = hashing_of(s);
    if (s->options->no_verify)
        return dpl__fail(err, DPL_E_USAGE,
                         "codes say nothing of the cosine: candidates are "
                         "verified");
    if (s->summary->code_length) { /* as planned */
        h.o.length = s->summary->code_length;
        h.o.codes = s->summary->n_codes;
    }
    DPL_TRY(choose(&h, &s->summary->planned_recall, err));
    put_summary(s, &h.o);
    return DPL_OK;
}

/* ---- the search --------------------------------------------------------------------- */

/* Candidates on their way to verification; all of a left row go together. */
typedef struct batch {
    dpl__search *search;
    DPL_VEC(dpl__candidate) held;
    dpl_row_pair *pairs;
} batch;

static dpl_status flush(batch *b, size_t n, dpl_error *err)
{
    if (n == 0)
        return DPL_OK;
    DPL_TRY(b->search->candidates.take(b->search->candidates.user, b->held.data, n, err));
    memmove(b->held.data, b->held.data + n, (b->held.n - n) * sizeof *b->held.data);
    b->held.n -= n;
    return DPL_OK;
}

static dpl_status take_pairs(batch *b, size_t n, dpl_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const dpl__candidate c = {b->pairs[i].left, b->pairs[i].right, 0};
        DPL_TRY(dpl__need(dpl__vec_push(b->search->ctx, &b->held, c), err));
    }
    if (b->held.n < BATCH)
        return DPL_OK;
    assert(b->held.data[0].left <= b->held.data[b->held.n - 1].left);
    size_t whole = b->held.n; /* the last row may go on */
    while (whole && b->held.data[whole - 1].left == b->held.data[b->held.n - 1].left)
        whole--;
    return flush(b, whole, err);
}

static dpl_status verify_all(dpl__search *s, dpl_buckets *buckets, dpl_error *err)
{
    batch b = {.search = s};
    b.pairs = dpl__alloc(s->ctx, BATCH * sizeof *b.pairs);
    dpl_status status = dpl__need(b.pairs, err);
    size_t n;
    while (status == DPL_OK &&
           (status = dpl_buckets_next(buckets, b.pairs, &n, BATCH, err)) == DPL_OK)
        status = take_pairs(&b, n, err);
    if (status == DPL_END)
        status = flush(&b, b.held.n, err);
    dpl__free(s->ctx, b.pairs);
    dpl__vec_clear(s->ctx, &b.held);
    return status;
}

/* Pairs of rows that share a code; the options become those in use. */
static dpl_status join(dpl_buckets **out, hashing *h, dpl_error *err)
{
    dpl_hash *hash = NULL;
    dpl_codes *left = NULL, *right = NULL;
    const dpl_hash_input inputs[2] = {DPL_INIT(dpl_hash_input, .vectors = h->sides->left),
                                      DPL_INIT(dpl_hash_input, .vectors = h->sides->right)};
    const dpl_join_options o = DPL_INIT(dpl_join_options, .temp = h->o.temp);
    const double began = dpl__now();
    const dpl_hash_input reference = DPL_INIT(dpl_hash_input, .vectors = h->reference);
    dpl_status status;
    DPL__STEP(dpl_hash_new(&hash, h->ctx, &h->o, &reference, err));
    DPL__STEP(dpl_codes_make(&left, h->ctx, hash, &inputs[0], err));
    if (!h->sides->is_self)
        status = dpl_codes_make(&right, h->ctx, hash, &inputs[1], err);
    if (status != DPL_OK)
        goto done;
    h->sign_seconds = dpl__now() - began;
    h->o = *dpl_hash_get_info(hash).options;
    status = dpl_codes_join(out, h->ctx, left, right, &o, err);
done:
    dpl_codes_close(right);
    dpl_codes_close(left);
    dpl_hash_free(hash);
    return status;
}

static dpl_status run(dpl__search *s, dpl_error *err)
{
    hashing h = hashing_of(s);
    dpl_buckets *buckets = NULL;
    h.o.length = s->summary->code_length;
    h.o.codes = s->summary->n_codes;
    h.o.radix = s->summary->radix;
    h.o.width = s->summary->code_width;
    DPL_TRY(join(&buckets, &h, err));
    s->summary->sign_seconds += h.sign_seconds;
    put_summary(s, &h.o);
    s->summary->n_comparisons = dpl_buckets_get_summary(buckets)->n_shared;
    const dpl_status status = verify_all(s, buckets, err);
    dpl_buckets_close(buckets);
    return status;
}

/* ---- the nearest ----------------------------------------------------------------------- */

/* Scores the n candidates and offers them to the lists. */
static dpl_status offer(void *user, const dpl__candidate *candidates, size_t n, dpl_error *err)
{
    dpl__nearest_search *s = user;
    dpl_ctx *ctx = s->lists->ctx;
    dpl_pair *pairs = dpl__alloc(ctx, n * sizeof *pairs);
    DPL_TRY(dpl__need(pairs, err));
    const dpl_status status = dpl__verify(ctx, s->sides, pairs, candidates, n, err);
    for (size_t i = 0; i < n && status == DPL_OK; i++)
        if (dpl__is_pair(pairs[i].score, s->threshold))
            dpl__neighbour_lists_add(s->lists, &pairs[i]);
    dpl__free(ctx, pairs);
    s->n_scored += n;
    return status;
}

static dpl_status nearest(dpl__nearest_search *s, dpl_error *err)
{
    dpl_ctx *ctx = s->lists->ctx;
    hashing h = {.ctx = ctx,
                 .sides = s->sides,
                 .reference = s->sides->left,
                 .threshold = s->threshold,
                 .recall = s->recall};
    dpl__search search = {.ctx = ctx, .candidates = {s, offer}};
    dpl_buckets *buckets = NULL;
    set_options(&h, s->hash, s->temp);
    DPL_TRY(choose(&h, &s->planned_recall, err));
    DPL_TRY(join(&buckets, &h, err));
    s->n_compared = dpl_buckets_get_summary(buckets)->n_shared;
    const dpl_status status = verify_all(&search, buckets, err);
    dpl_buckets_close(buckets);
    return status;
}

const dpl__method dpl__hash_method = {
    .info = {.method = DPL_PAIRS_HASH,
             .name = "hash",
             .help = "pairs that share a code of a similarity hash function, then verify "
                     "candidates",
             .finds = "as many pairs as the length and the number of codes let through",
             .unit = "pairs of rows in one bucket",
             .has_candidates = true},
    .searched_with = dpl__any_signature,
    .plan = plan,
    .say_name = say_name,
    .say_work = say_work,
    .prepare = prepare,
    .run = run,
    .nearest = nearest,
};
