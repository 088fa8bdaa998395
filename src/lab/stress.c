/*
 * stress.c - precision stress and recall stress of embeddings and signatures.
 *
 * In: rows, and their similarity in an embedding. Out: for each threshold, how far similarities
 * of the pairs above it are off (Stein 2007, Definition 1), with precision and recall. All
 * pairs of the sample are looked at, a block of rows on one thread at a time; sums of blocks
 * are added in their order, so that they do not depend on threads. The highest similarities are
 * found in a histogram, 4096 bins from -1 to 1.5. Cost: a sparse and a dense product for every
 * pair.
 */
#include "base/ctx.h"
#include "base/sized.h"
#include "doppel-lab/embeddings.h"
#include "par/pool.h"
#include "vectors/vectors.h"

#include <math.h>

enum { BLOCK = 32, BINS = 4096, MOST_POINTS = 64 };

/* Sums over pairs at one threshold. */
typedef struct sums {
    uint64_t n_true, n_returned, n_both;
    double off_returned, squares_returned; /* over e > T */
    double off_true, squares_true;         /* over c > T */
} sums;

/* Scratch of a worker. */
typedef struct worker {
    float *spread;  /* weights of a row by term */
    uint64_t *bins; /* all pairs, then those with c > T for each point */
} worker;

typedef struct stress {
    dpl_ctx *ctx;
    dpl_stress_input in;
    dpl_stress_point *points;
    double cuts[MOST_POINTS];
    size_t n_points;
    uint32_t n;   /* rows of the sample */
    sums *blocks; /* of each block: n_points */
    worker *workers;
} stress;

static uint32_t row_of(const stress *s, uint32_t i)
{
    return (uint32_t)((uint64_t)i * s->in.vectors->sizes.n_rows / s->n);
}

static double similarity(const stress *s, uint32_t a, uint32_t b)
{
    if (s->in.embedding)
        return dpl_embedding_similarity(s->in.embedding, a, b);
    const dpl_signatures_sizes *size = dpl_signatures_get_sizes(s->in.signatures);
    return dpl_sign_estimate(size->method, size->length,
                             dpl_signatures_distance(s->in.signatures, a, s->in.signatures, b),
                             true);
}

static size_t bin_of(double e)
{
    const double x = (e + 1) / 2.5 * BINS;
    return x <= 0 ? 0 : x >= BINS - 1 ? BINS - 1 : (size_t)x;
}

static void add_pair(const stress *s, sums *out, uint64_t *bins, double c, double e)
{
    const size_t bin = bin_of(e);
    const double off = (c - e) * (c - e);
    bins[bin]++;
    for (size_t p = 0; p < s->n_points; p++) {
        const double t = s->points[p].threshold;
        const bool is_true = c > t, is_returned = e > s->cuts[p];
        if (!is_true && !is_returned && !(e > t))
            continue;
        out[p].n_returned += is_returned;
        out[p].n_both += is_true && is_returned;
        if (e > t) {
            out[p].off_returned += off;
            out[p].squares_returned += c * c;
        }
        if (is_true) {
            out[p].n_true++;
            out[p].off_true += off;
            out[p].squares_true += c * c;
            bins[(p + 1) * BINS + bin]++;
        }
    }
}

static void add_row(const stress *s, sums *out, const worker *w, uint32_t i)
{
    const dpl__rows *rows = &s->in.vectors->rows;
    const uint32_t a = row_of(s, i);
    for (uint64_t t = rows->offsets[a]; t < rows->offsets[a + 1]; t++)
        w->spread[rows->terms[t]] = rows->weights[t];
    for (uint32_t j = i + 1; j < s->n; j++) {
        const uint32_t b = row_of(s, j);
        double c = 0;
        for (uint64_t t = rows->offsets[b]; t < rows->offsets[b + 1]; t++)
            c += (double)w->spread[rows->terms[t]] * (double)rows->weights[t];
        add_pair(s, out, w->bins, c, similarity(s, a, b));
    }
    for (uint64_t t = rows->offsets[a]; t < rows->offsets[a + 1]; t++)
        w->spread[rows->terms[t]] = 0;
}

static dpl_status add_block(void *user, size_t block, unsigned id, dpl_error *err)
{
    const stress *s = user;
    if (dpl__is_cancelled(s->ctx))
        return dpl__fail(err, DPL_E_STOPPED, "stopped");
    const uint32_t end = (uint32_t)dpl__min((block + 1) * BLOCK, s->n);
    for (uint32_t i = (uint32_t)block * BLOCK; i < end; i++)
        add_row(s, s->blocks + block * s->n_points, &s->workers[id], i);
    return DPL_OK;
}

/* ---- results ------------------------------------------------------------------------ */

/* Of as many pairs of the highest e as are true, the share that is; within the last bin all are
 * alike. */
static double equal_precision(const stress *s, size_t point, uint64_t n_true)
{
    double n_taken = 0, n_right = 0;
    for (size_t bin = BINS; bin-- > 0 && n_taken < (double)n_true;) {
        double all = 0, right = 0;
        for (unsigned w = 0; w < s->ctx->n_threads; w++) {
            all += (double)s->workers[w].bins[bin];
            right += (double)s->workers[w].bins[(point + 1) * BINS + bin];
        }
        const double share = all > 0 ? fmin(1, ((double)n_true - n_taken) / all) : 0;
        n_taken += share * all;
        n_right += share * right;
    }
    return n_true ? n_right / (double)n_true : 1;
}

static double ratio(double off, double squares)
{
    return off > 0 ? off / squares : 0;
}

static void finish(const stress *s, size_t n_blocks)
{
    for (size_t p = 0; p < s->n_points; p++) {
        sums all = {0};
        for (size_t b = 0; b < n_blocks; b++) {
            const sums *x = &s->blocks[b * s->n_points + p];
            all.n_true += x->n_true;
            all.n_returned += x->n_returned;
            all.n_both += x->n_both;
            all.off_returned += x->off_returned;
            all.squares_returned += x->squares_returned;
            all.off_true += x->off_true;
            all.squares_true += x->squares_true;
        }
        dpl_stress_point *out = &s->points[p];
        out->n_true = all.n_true;
        out->n_returned = all.n_returned;
        out->n_both = all.n_both;
        out->precision = all.n_returned ? (double)all.n_both / (double)all.n_returned : 1;
        out->recall = all.n_true ? (double)all.n_both / (double)all.n_true : 1;
        out->precision_stress = ratio(all.off_returned, all.squares_returned);
        out->recall_stress = ratio(all.off_true, all.squares_true);
        out->equal_precision = equal_precision(s, p, all.n_true);
    }
}

/* ---- public ------------------------------------------------------------------------- */

static dpl_status check(stress *s, dpl_error *err)
{
    const dpl_stress_input *in = &s->in;
    if (!in->vectors || (in->embedding != NULL) == (in->signatures != NULL))
        return dpl__fail(err, DPL_E_USAGE,
                         "stress is of vectors and either an embedding or signatures");
    if (in->vectors->sizes.dim)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has dense rows", in->vectors->path);
    const uint32_t n_rows = in->vectors->sizes.n_rows;
    const uint32_t n_other = in->embedding ? dpl_embedding_n_rows(in->embedding)
                                           : dpl_signatures_get_sizes(in->signatures)->n_rows;
    if (n_rows != n_other)
        return dpl__fail(err, DPL_E_USAGE, "'%s' has %u rows, what is compared with it %u",
                         in->vectors->path, n_rows, n_other);
    if (s->n_points > MOST_POINTS)
        return dpl__fail(err, DPL_E_USAGE, "%zu thresholds are more than %d", s->n_points,
                         MOST_POINTS);
    for (size_t p = 0; p < s->n_points; p++) {
        const double t = s->points[p].threshold;
        if (!(t >= 0 && t <= 1))
            return dpl__fail(err, DPL_E_USAGE, "threshold %g: not between 0 and 1", t);
        s->cuts[p] = in->embedding ? dpl_embedding_cut(in->embedding, t) : t;
    }
    s->n = in->sample ? (uint32_t)dpl__min(in->sample, n_rows) : n_rows;
    return DPL_OK;
}

dpl_status dpl_eval_stress_run(dpl_stress_point *points, size_t n_points, dpl_ctx *ctx,
                               const dpl_stress_input *input, dpl_error *err)
{
    stress s = {.ctx = ctx, .points = points, .n_points = n_points};
    DPL_TRY(DPL__TAKE(&s.in, input, err));
    DPL_TRY(check(&s, err));
    const size_t n_blocks = (s.n + BLOCK - 1) / BLOCK, n_bins = (n_points + 1) * BINS;
    const size_t n_terms = (size_t)s.in.vectors->sizes.n_terms + 1;
    s.blocks = dpl__calloc(ctx, n_blocks * n_points + 1, sizeof *s.blocks);
    s.workers = dpl__calloc(ctx, ctx->n_threads, sizeof *s.workers);
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(s.blocks && s.workers, err));
    for (unsigned w = 0; w < ctx->n_threads; w++) {
        s.workers[w].spread = dpl__calloc(ctx, n_terms, sizeof(float));
        s.workers[w].bins = dpl__calloc(ctx, n_bins, sizeof(uint64_t));
        DPL__STEP(dpl__need(s.workers[w].spread && s.workers[w].bins, err));
    }
    DPL__STEP(dpl__parallel_for(ctx, n_blocks, &s, add_block, err));
    finish(&s, n_blocks);
done:
    for (unsigned w = 0; s.workers && w < ctx->n_threads; w++)
        dpl__free(ctx, s.workers[w].bins, s.workers[w].spread);
    dpl__free(ctx, s.workers, s.blocks);
    return status;
}
