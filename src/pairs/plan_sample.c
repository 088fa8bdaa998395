/*
 * plan_sample.c - a sample of the rows, measured before all of them are searched.
 *
 * In: two sides, with vectors or signatures. Out: how far apart pairs above the threshold are
 * and how likely windows find them, how far apart any two rows are, how much work the exact
 * method has. Up to 65,536 rows of both sides are taken, in proportion, and some more of a side
 * that is much smaller than the other. True pairs come from an exact search for up to 4000 left
 * rows among them, or from the signatures where there are no vectors.
 *
 * Cost: signing the sample, where there are no signatures yet, and a search of some rows; below
 * a second.
 */
#include "pairs/plan.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "pairs/exact.h"
#include "pairs/recall_check.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEAST_ROWS = 4000,       /* of each side, if it has them */
    MOST_COMPARED = 1 << 26, /* rows times rows that this may take */
    MOST_PAIRS = 3000,       /* that are looked at closely */
    MOST_TABLES = 64,        /* of the search itself that are made */
    FEWEST_PAIRS = 30,       /* fewer say nothing */
    RANDOM_ROWS = 1000,      /* of each side: distances of any two rows */
};

/* Some rows of a side. */
typedef struct part {
    const dpl_pairs_side *side;
    uint32_t n_all, n;
    uint32_t n_counted;   /* of n, that are in proportion to the other side's */
    uint32_t *rows;       /* their numbers, rising */
    dpl_vectors vectors;  /* they alone; empty when the side has none */
    void *held[3];        /* what the vectors point to */
    dpl_signatures *made; /* of the vectors */
} part;

typedef struct sample {
    dpl_ctx *ctx;
    const dpl__row_sample_options *o;
    dpl__rng rng;
    part parts[2];
    size_t n_parts; /* 1: within one set */
    bool has_vectors;
    dpl__bits bits; /* of all rows of the parts, left ones first */
    void *words;    /* what they stand in */
    /* pairs: numbers of rows in `bits`; n_seen of them came by */
    uint32_t pairs[MOST_PAIRS][2];
    float scores[MOST_PAIRS];
    dpl__found nearest; /* of one row */
    size_t n_pairs;
    uint64_t n_seen;
    uint64_t *made_up; /* the right rows of pairs that are not there */
} sample;

/* ---- rows --------------------------------------------------------------------------- */

static uint32_t count_rows(const dpl_pairs_side *side)
{
    return side->signatures ? dpl_signatures_get_sizes(side->signatures)->n_rows
                            : dpl_vectors_get_sizes(side->vectors)->n_rows;
}

static void *hold(dpl_ctx *ctx, part *p, int i, size_t n_bytes)
{
    return p->held[i] = dpl__alloc(ctx, n_bytes);
}

static dpl_status take_sparse(dpl_ctx *ctx, part *p, dpl_error *err)
{
    const dpl__rows *all = &p->side->vectors->rows;
    uint64_t n = 0, at = 0;
    for (uint32_t i = 0; i < p->n; i++)
        n += all->offsets[p->rows[i] + 1] - all->offsets[p->rows[i]];
    uint64_t *offsets = hold(ctx, p, 0, (p->n + (size_t)1) * sizeof *offsets);
    uint32_t *terms = hold(ctx, p, 1, (n + 1) * sizeof *terms);
    float *weights = hold(ctx, p, 2, (n + 1) * sizeof *weights);
    DPL_TRY(dpl__need(offsets && terms && weights, err));
    for (uint32_t i = 0; i < p->n; i++) {
        uint64_t from = all->offsets[p->rows[i]], more = all->offsets[p->rows[i] + 1] - from;
        offsets[i] = at;
        memcpy(terms + at, all->terms + from, more * sizeof *terms);
        memcpy(weights + at, all->weights + from, more * sizeof *weights);
        at += more;
    }
    offsets[p->n] = at;
    p->vectors.sizes.n_entries = n;
    p->vectors.rows = (dpl__rows){p->n, all->n_terms, offsets, terms, weights};
    return DPL_OK;
}

static dpl_status take_dense(dpl_ctx *ctx, part *p, dpl_error *err)
{
    const dpl__dense *all = &p->side->vectors->dense;
    float *values = hold(ctx, p, 0, (size_t)p->n * all->dim * sizeof *values);
    DPL_TRY(dpl__need(values, err));
    for (size_t i = 0; i < p->n; i++)
        memcpy(values + i * all->dim, all->values + (size_t)p->rows[i] * all->dim,
               all->dim * sizeof *values);
    p->vectors.dense = (dpl__dense){p->n, all->dim, values};
    p->vectors.sizes.n_entries = (uint64_t)p->n * all->dim;
    return DPL_OK;
}

/* Vectors of the sampled rows alone. Their ids are those of other rows: nobody reads them. */
static dpl_status take_vectors(dpl_ctx *ctx, part *p, dpl_error *err)
{
    p->vectors = *p->side->vectors;
    if (p->n == p->n_all)
        return DPL_OK;
    p->vectors.sizes.n_rows = p->n;
    return p->vectors.sizes.dim ? take_dense(ctx, p, err) : take_sparse(ctx, p, err);
}

/* Takes a share of the rows, at least `least` of them. */
static dpl_status take_part(sample *l, part *p, const dpl_pairs_side *side, double share,
                            size_t least, dpl_error *err)
{
    *p = (part){.side = side, .n_all = count_rows(side)};
    p->n_counted = share < 1 ? (uint32_t)ceil(p->n_all * share) : p->n_all;
    p->n = (uint32_t)dpl__max(p->n_counted, dpl__min(least, p->n_all));
    p->rows = dpl__alloc(l->ctx, p->n * sizeof *p->rows);
    DPL_TRY(dpl__need(p->rows, err));
    dpl__draw_stretches(p->rows, p->n, p->n_all, &l->rng);
    return l->has_vectors ? take_vectors(l->ctx, p, err) : DPL_OK;
}

/* ---- signatures of the sample ------------------------------------------------------- */

static dpl_status sign_part(sample *l, part *p, dpl_error *err)
{
    dpl_sign_options o = DPL_INIT(dpl_sign_options, .length = l->o->bits);
    return dpl_signatures_make(&p->made, l->ctx, &p->vectors, &o, err);
}

static const uint64_t *signature_of(const part *p, uint32_t i)
{
    return p->made ? dpl_signatures_row(p->made, i)
                   : dpl_signatures_row(p->side->signatures, p->rows[i]);
}

/* 63 more: they stand at multiples of 64 bytes. */
static size_t words_bytes(const sample *l)
{
    return (size_t)l->bits.n_rows * l->bits.n_words * sizeof *l->bits.words + 63;
}

/* All in one array, left ones first. */
static dpl_status gather_bits(sample *l, dpl_error *err)
{
    l->bits.n_rows = l->parts[0].n + l->parts[1].n;
    l->words = dpl__alloc(l->ctx, words_bytes(l));
    DPL_TRY(dpl__need(l->words, err));
    size_t n_words = l->bits.n_words;
    uint64_t *at = (uint64_t *)(((uintptr_t)l->words + 63) / 64 * 64);
    l->bits.words = at;
    for (size_t k = 0; k < l->n_parts; k++)
        for (uint32_t i = 0; i < l->parts[k].n; i++, at += n_words)
            memcpy(at, signature_of(&l->parts[k], i), n_words * sizeof *at);
    return DPL_OK;
}

static bool has_signatures(const dpl__row_sample_options *o)
{
    return o->left->signatures && (!o->right || o->right->signatures);
}

static dpl_status take_sample(sample *l, dpl_error *err)
{
    const dpl__row_sample_options *o = l->o;
    bool are_signed = has_signatures(o);
    l->has_vectors = o->left->vectors && (!o->right || o->right->vectors);
    assert(are_signed || l->has_vectors);
    l->n_parts = o->right ? 2 : 1;
    l->bits.n_words =
        are_signed ? dpl_signatures_get_sizes(o->left->signatures)->n_words : o->bits / 64;
    size_t most = dpl__min(o->most_rows ? o->most_rows : DPL__SAMPLE_ROWS,
                           DPL__SAMPLE_BYTES / 8 / l->bits.n_words);
    size_t least = dpl__min(LEAST_ROWS, most / 4);
    double n_all = (double)count_rows(o->left) + (o->right ? count_rows(o->right) : 0);
    DPL_TRY(take_part(l, &l->parts[0], o->left, (double)most / n_all, least, err));
    if (o->right)
        DPL_TRY(take_part(l, &l->parts[1], o->right, (double)most / n_all, least, err));
    for (size_t k = 0; k < l->n_parts && !are_signed; k++)
        DPL_TRY(sign_part(l, &l->parts[k], err));
    return gather_bits(l, err);
}

static void clear_sample(sample *l)
{
    for (size_t k = 0; k < l->n_parts; k++) {
        part *p = &l->parts[k];
        dpl_signatures_close(p->made);
        for (int i = 0; i < 3; i++)
            dpl__free(l->ctx, p->held[i]);
        dpl__free(l->ctx, p->rows);
    }
    dpl__vec_clear(l->ctx, &l->nearest);
    dpl__free(l->ctx, l->words, l->made_up);
}

/* ---- true pairs --------------------------------------------------------------------- */

/* Keeps an even choice of what comes by. */
static void see_pair(sample *l, uint32_t left, uint32_t right, float score)
{
    uint64_t at = l->n_seen++;
    if (at >= MOST_PAIRS)
        at = dpl__rng_below(&l->rng, l->n_seen);
    if (at >= MOST_PAIRS)
        return;
    l->pairs[at][0] = left;
    l->pairs[at][1] = l->n_parts == 2 ? l->parts[0].n + right : right;
    l->scores[at] = score;
    l->n_pairs = dpl__min(l->n_seen, MOST_PAIRS);
}

/* The best of one left row's pairs: as many of the k nearest as a sample of the other side has,
 * and within one set, of the rows behind this one. */
static dpl_status see_nearest(sample *l, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    const part *other = &l->parts[l->n_parts - 1];
    double wanted = (double)l->o->n_nearest * other->n / other->n_all;
    if (l->n_parts == 1)
        wanted *= 1 - (double)pairs[0].left / other->n;
    wanted = floor(wanted + (double)dpl__rng_below(&l->rng, 1 << 20) / (1 << 20));
    l->nearest.n = 0;
    DPL_TRY(dpl__need(dpl__vec_append(l->ctx, &l->nearest, pairs, n), err));
    qsort(l->nearest.data, n, sizeof *l->nearest.data, dpl__pairs_by_score);
    for (size_t i = 0; i < n && (double)i < wanted; i++)
        see_pair(l, l->nearest.data[i].left, l->nearest.data[i].right,
                 l->nearest.data[i].score);
    return DPL_OK;
}

static dpl_status see_exact(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    sample *l = user;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && pairs[end].left == pairs[i].left; end++)
            if (!l->o->n_nearest)
                see_pair(l, pairs[end].left, pairs[end].right, pairs[end].score);
        if (l->o->n_nearest)
            DPL_TRY(see_nearest(l, pairs + i, end - i, err));
    }
    return DPL_OK;
}

static dpl_status find_exactly(sample *l, dpl__row_sample *out, const uint32_t *rows, size_t n,
                               dpl_error *err)
{
    dpl__sides sides;
    const dpl_vectors *right = l->n_parts == 2 ? &l->parts[1].vectors : NULL;
    DPL_TRY(dpl__sides_init(&sides, l->ctx, &l->parts[0].vectors, right, err));
    dpl__pair_sink sink = {l, see_exact};
    dpl__spill spill = {0};
    uint64_t n_products = 0;
    const double threshold = l->o->threshold > 0.01 ? l->o->threshold : 0.01;
    const dpl__exact_search search = {&sides, threshold, rows, n, &sink, &n_products, NULL};
    dpl_status status;
    DPL__STEP(dpl__spill_init(&spill, l->ctx, "/tmp", err));
    DPL__STEP(dpl__exact(l->ctx, &search, &spill, err));
    out->products = (double)n_products;
done:
    dpl__spill_clear(&spill);
    dpl__sides_clear(&sides, l->ctx);
    return status;
}

/* What stands for a true pair where there are no vectors: the distance says so. */
static void find_by_distance(sample *l, const uint32_t *rows, size_t n)
{
    const dpl__bits *b = &l->bits;
    unsigned cut = (unsigned)floor(dpl__differ(l->o->threshold) * 64 * b->n_words);
    uint32_t first = l->n_parts == 2 ? l->parts[0].n : 0;
    for (size_t i = 0; i < n; i++)
        for (uint32_t r = l->n_parts == 2 ? first : rows[i] + 1; r < b->n_rows; r++)
            if (l->ctx->kernels->hamming(dpl__bits_row(b, rows[i]), dpl__bits_row(b, r),
                                         b->n_words) <= cut)
                see_pair(l, rows[i], r - first, 0);
}

static dpl_status find_pairs(sample *l, dpl__row_sample *out, dpl_error *err)
{
    uint32_t rows[DPL__SAMPLE_SEARCHED], n_left = l->parts[0].n;
    uint32_t n_right = l->n_parts == 2 ? l->parts[1].n : n_left;
    uint32_t n =
        (uint32_t)dpl__min(dpl__min(DPL__SAMPLE_SEARCHED, n_left), MOST_COMPARED / n_right);
    dpl__draw_stretches(rows, n, n_left, &l->rng);
    if (l->has_vectors)
        DPL_TRY(find_exactly(l, out, rows, n, err));
    else
        find_by_distance(l, rows, n);
    double n_compared = 0;
    for (size_t i = 0; i < n; i++)
        n_compared += l->n_parts == 2 ? n_right : n_left - 1 - rows[i];
    out->found = n_compared > 0 ? (double)l->n_seen / n_compared : 0;
    out->products = n_compared > 0 ? out->products / n_compared : 0;
    return DPL_OK;
}

/* ---- pairs that are not there ------------------------------------------------------- */

/* Rows of the sample, each with one that differs as much as the threshold allows. */
static dpl_status make_up_pairs(sample *l, dpl_error *err)
{
    size_t n_words = l->bits.n_words;
    l->made_up = dpl__alloc(l->ctx, MOST_PAIRS * n_words * sizeof *l->made_up);
    DPL_TRY(dpl__need(l->made_up, err));
    uint64_t limit = (uint64_t)(dpl__differ(l->o->threshold) * 0x1p64);
    l->n_pairs = MOST_PAIRS;
    for (size_t i = 0; i < MOST_PAIRS; i++) {
        l->pairs[i][0] = (uint32_t)dpl__rng_below(&l->rng, l->bits.n_rows);
        const uint64_t *row = dpl__bits_row(&l->bits, l->pairs[i][0]);
        for (size_t j = 0; j < n_words; j++) {
            uint64_t mask = 0;
            for (int bit = 0; bit < 64; bit++)
                mask = mask << 1 | (dpl__rng_next(&l->rng) < limit);
            l->made_up[i * n_words + j] = row[j] ^ mask;
        }
    }
    return DPL_OK;
}

/* ---- what they tell ----------------------------------------------------------------- */

static const uint64_t *left_of(const sample *l, size_t i)
{
    assert(i < l->n_pairs);
    return dpl__bits_row(&l->bits, l->pairs[i][0]);
}

static const uint64_t *right_of(const sample *l, size_t i)
{
    assert(i < l->n_pairs);
    return l->made_up ? l->made_up + i * l->bits.n_words
                      : dpl__bits_row(&l->bits, l->pairs[i][1]);
}

static void measure_pairs(const sample *l, dpl__row_sample *out)
{
    for (size_t i = 0; i < out->n_pairs; i++) {
        out->scores[i] = l->made_up ? 0 : l->scores[i];
        uint32_t sum = 0;
        for (unsigned j = 0; j < out->n_words; j++) {
            sum += l->ctx->kernels->hamming(left_of(l, i) + j, right_of(l, i) + j, 1);
            out->distances[i * out->n_words + j] = sum;
        }
    }
}

/* Which rows are counted in buckets: an even choice of n_counted of each part. */
static void count_evenly(const sample *l, dpl__buckets *buckets)
{
    uint32_t first = 0;
    for (size_t k = 0; k < l->n_parts; first += l->parts[k++].n) {
        const part *p = &l->parts[k];
        for (uint64_t i = 0; i < p->n_counted; i++)
            dpl__buckets_count(buckets, first + (uint32_t)(i * p->n / p->n_counted));
    }
    dpl__buckets_stand_for(buckets, (double)l->parts[0].n_all + l->parts[1].n_all);
}

static dpl_status measure_buckets(const sample *l, dpl__row_sample *out,
                                  const dpl__model *model, dpl_error *err)
{
    size_t n_bytes = out->n_pairs * sizeof(const uint64_t *);
    const uint64_t **u = dpl__alloc(l->ctx, n_bytes), **v = dpl__alloc(l->ctx, n_bytes);
    dpl__buckets *buckets = NULL;
    const dpl__bucket_pairs pairs = {u, v, out->n_pairs, l->o->windows, l->o->n_windows};
    dpl_status status;
    DPL__STEP(u && v ? dpl__buckets_new(&buckets, l->ctx, &l->bits, err)
                     : dpl__fail_nomem(err));
    count_evenly(l, buckets);
    for (size_t i = 0; i < out->n_pairs; i++) {
        u[i] = left_of(l, i);
        v[i] = right_of(l, i);
    }
    DPL__STEP(dpl__buckets_measure(buckets, out->p, out->share, model, &pairs, err));
done:
    dpl__buckets_free(buckets);
    dpl__free(l->ctx, v, u);
    return status;
}

/* Rows of left against rows of right, each against each. */
static void measure_random(sample *l, dpl__row_sample *out)
{
    uint32_t a[RANDOM_ROWS], b[RANDOM_ROWS];
    uint32_t n_left = l->parts[0].n, n_right = l->n_parts == 2 ? l->parts[1].n : n_left;
    uint32_t n_a = (uint32_t)dpl__min(RANDOM_ROWS, n_left);
    uint32_t n_b = (uint32_t)dpl__min(RANDOM_ROWS, n_right);
    dpl__draw_stretches(a, n_a, n_left, &l->rng);
    dpl__draw_stretches(b, n_b, n_right, &l->rng);
    double sum = 0, squares = 0, n = 0;
    for (uint32_t i = 0; i < n_a; i++)
        for (uint32_t j = 0; j < n_b; j++) {
            uint32_t right = l->n_parts == 2 ? n_left + b[j] : b[j];
            if (right == a[i])
                continue;
            unsigned h = l->ctx->kernels->hamming(dpl__bits_row(&l->bits, a[i]),
                                                  dpl__bits_row(&l->bits, right), out->n_words);
            out->histogram[h]++;
            sum += h;
            squares += (double)h * h;
            n++;
        }
    out->n_random = (uint64_t)n;
    double mean = n > 0 ? sum / n : 0.5 * out->bits;
    double variance = n > 0 ? squares / n - mean * mean : 0;
    out->differ = mean / out->bits;
    variance -= out->differ * (1 - out->differ) * out->bits; /* the noise of the bits */
    out->differ_sd = variance > 0 ? sqrt(variance) / out->bits : 0;
}

static dpl_status make_arrays(dpl__row_sample *out, dpl_ctx *ctx, dpl_error *err)
{
    out->distances = dpl__alloc(ctx, out->n_pairs * out->n_words * sizeof *out->distances);
    out->scores = dpl__alloc(ctx, out->n_pairs * sizeof *out->scores);
    out->p = dpl__alloc(ctx, out->n_pairs * out->n_windows * sizeof *out->p);
    out->gaps = dpl__alloc(ctx, out->n_pairs * out->n_tables * sizeof *out->gaps);
    out->histogram = dpl__calloc(ctx, out->bits + (size_t)1, sizeof *out->histogram);
    bool has_all = out->distances && out->scores && (out->p || out->n_windows == 0) &&
                   (out->gaps || out->n_tables == 0) && out->histogram;
    return dpl__need(has_all, err);
}

static dpl_status look_around(sample *l, dpl__row_sample *out, const dpl__model *model,
                              dpl_error *err)
{
    DPL_TRY(take_sample(l, err));
    DPL_TRY(find_pairs(l, out, err));
    out->is_made_up = l->n_pairs < FEWEST_PAIRS;
    if (out->is_made_up)
        DPL_TRY(make_up_pairs(l, err));
    out->n_words = l->bits.n_words;
    out->bits = 64 * out->n_words;
    out->n_pairs = l->n_pairs;
    out->n_windows = l->o->n_windows;
    bool has_all = l->parts[0].n == l->parts[0].n_all && l->parts[1].n == l->parts[1].n_all;
    out->n_tables = has_all && !out->is_made_up && out->n_windows ? MOST_TABLES : 0;
    DPL_TRY(make_arrays(out, l->ctx, err));
    measure_pairs(l, out);
    measure_random(l, out);
    if (out->n_tables)
        DPL_TRY(
            dpl__tables_measure(out, l->ctx, &l->bits, (const uint32_t(*)[2])l->pairs, err));
    return out->n_windows ? measure_buckets(l, out, model, err) : DPL_OK;
}

dpl_status dpl__row_sample_init(dpl__row_sample *out, dpl_ctx *ctx, const dpl__model *model,
                                const dpl__row_sample_options *options, dpl_error *err)
{
    *out = (dpl__row_sample){0};
    sample *l = dpl__calloc(ctx, 1, sizeof *l);
    DPL_TRY(dpl__need(l, err));
    l->ctx = ctx;
    l->o = options;
    l->rng.state = dpl__mix(ctx->seed);
    dpl_status status = look_around(l, out, model, err);
    clear_sample(l);
    dpl__free(ctx, l);
    if (status != DPL_OK)
        dpl__row_sample_clear(out, ctx);
    return status;
}

void dpl__row_sample_clear(dpl__row_sample *s, dpl_ctx *ctx)
{
    dpl__free(ctx, s->distances, s->scores, s->p, s->histogram, s->gaps);
    s->distances = s->gaps = NULL;
    s->scores = NULL;
    s->p = NULL;
    s->histogram = NULL;
}
