/*
 * hash_method.c - the row of similarity hashing in the table of methods.
 *
 * Codes of both sides, pairs of rows that share one, their true cosines. Parameters that are
 * not given are chosen on a sample (hash_tune.c): the cheapest setting that reaches the recall
 * there. The plan has no row of it: `auto` does not take it.
 */
#include "pairs/method.h"

#include "base/ctx.h"

/* What the sample says is an estimate: more is asked of it than of the search. */
static const double safety = 0.3; /* of the allowed loss */

enum { BATCH = 1 << 16 };

static dpl_hash_options wanted(const dpl__search *s)
{
    dpl_hash_options o = DPL_INIT(dpl_hash_options);
    if (s->options->hash)
        o = *s->options->hash;
    o.spill_dir = s->options->spill_dir;
    return o;
}

/* ---- parameters --------------------------------------------------------------------- */

static void put_summary(dpl__search *s, const dpl_hash_options *o)
{
    s->summary->hash = o->function;
    s->summary->code_length = o->k;
    s->summary->n_codes = o->l;
    s->summary->radix = o->r;
    s->summary->width = o->width;
}

static dpl_status prepare(dpl__search *s, dpl_error *err)
{
    dpl_hash_options o = wanted(s);
    if (s->options->no_verify)
        return dpl__fail(err, DPL_E_USAGE,
                         "codes say nothing of the cosine: candidates are "
                         "verified");
    if (o.shingle > 1)
        return dpl__fail(err, DPL_E_USAGE, "vectors have no shingles of %u words", o.shingle);
    if (o.k && o.l) {
        put_summary(s, &o);
        return DPL_OK;
    }
    dpl_tune_options t = DPL_INIT(dpl_tune_options);
    t.hash = &o;
    t.threshold = s->options->threshold;
    t.recall = 1 - (1 - s->options->recall) * (1 - safety);
    t.spill_dir = s->options->spill_dir;
    if (t.threshold <= 0)
        return dpl__fail(err, DPL_E_USAGE,
                         "similarity hashing needs a threshold above 0, or the length and the "
                         "number of codes");
    dpl_tuning *tuning;
    DPL_TRY(dpl_hash_tune(&tuning, s->ctx, s->sides->left, s->is_self ? NULL : s->sides->right,
                          0, &t, err));
    const dpl_tune_summary *found = dpl_tuning_get_summary(tuning);
    if (found->n_true) {
        const dpl_hash_point *p = dpl_tuning_get_point(tuning, found->best);
        o.k = p->k;
        o.l = p->l;
        o.r = p->r;
        o.width = p->width;
        s->summary->planned_recall = p->recall;
    }
    dpl_tuning_free(tuning);
    put_summary(s, &o);
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
        if (!dpl__vec_push(b->search->ctx, &b->held, c))
            return dpl__fail_nomem(err);
    }
    if (b->held.n < BATCH)
        return DPL_OK;
    size_t whole = b->held.n; /* the last row may go on */
    while (whole && b->held.data[whole - 1].left == b->held.data[b->held.n - 1].left)
        whole--;
    return flush(b, whole, err);
}

static dpl_status verify_all(dpl__search *s, dpl_buckets *buckets, dpl_error *err)
{
    batch b = {.search = s};
    b.pairs = dpl__alloc(s->ctx, BATCH * sizeof *b.pairs);
    dpl_status status = b.pairs ? DPL_OK : dpl__fail_nomem(err);
    size_t n;
    while (status == DPL_OK &&
           (status = dpl_buckets_next(buckets, b.pairs, &n, BATCH, err)) == DPL_OK)
        status = take_pairs(&b, n, err);
    if (status == DPL_END)
        status = flush(&b, b.held.n, err);
    dpl__free(s->ctx, b.pairs, BATCH * sizeof *b.pairs);
    dpl__vec_clear(s->ctx, &b.held);
    return status;
}

static dpl_status run(dpl__search *s, dpl_error *err)
{
    dpl_hash_options o = wanted(s);
    o.k = s->summary->code_length;
    o.l = s->summary->n_codes;
    o.r = s->summary->radix;
    o.width = s->summary->width;
    dpl_hash *hash = NULL;
    dpl_codes *left = NULL, *right = NULL;
    dpl_buckets *buckets = NULL;
    dpl_hash_input inputs[2] = {DPL_INIT(dpl_hash_input, .vectors = s->sides->left),
                                DPL_INIT(dpl_hash_input, .vectors = s->sides->right)};
    dpl_join_options join = DPL_INIT(dpl_join_options, .spill_dir = s->options->spill_dir);
    const double began = dpl__now();
    const dpl_hash_input reference = DPL_INIT(dpl_hash_input, .vectors = s->reference);
    dpl_status status = dpl_hash_new(&hash, s->ctx, &o, &reference, err);
    if (status != DPL_OK)
        goto done;
    status = dpl_codes_make(&left, s->ctx, hash, &inputs[0], err);
    if (status != DPL_OK)
        goto done;
    if (!s->is_self)
        status = dpl_codes_make(&right, s->ctx, hash, &inputs[1], err);
    if (status != DPL_OK)
        goto done;
    s->summary->sign_seconds += dpl__now() - began;
    put_summary(s, dpl_hash_get_options(hash));
    status = dpl_codes_join(&buckets, s->ctx, left, right, &join, err);
    if (status != DPL_OK)
        goto done;
    dpl_codes_close(right); /* not needed any more, and large */
    dpl_codes_close(left);
    left = right = NULL;
    s->summary->n_comparisons = dpl_buckets_get_summary(buckets)->n_shared;
    status = verify_all(s, buckets, err);
done:
    dpl_buckets_close(buckets);
    dpl_codes_close(right);
    dpl_codes_close(left);
    dpl_hash_free(hash);
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
    .prepare = prepare,
    .run = run,
};
