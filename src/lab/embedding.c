/*
 * embedding.c - rows as a few numbers: by decomposition, prefix classes or projections.
 */
#include "lab/embed_matrix.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/sized.h"
#include "signatures/code_rows.h"
#include "signatures/hash_functions.h"

#include <math.h>

static const char *const names[] = {"svd", "optimum", "fuzzy", "pstable"};

const char *dpl_embed_method_name(dpl_embed_method method)
{
    return (unsigned)method < DPL_LEN(names) ? names[method] : NULL;
}

static dpl_status check(dpl_embed_options *o, const dpl_vectors *v, dpl_error *err)
{
    enum { MOST_DIMS = 1000, MOST_SAMPLE = 10000 };
    if (!dpl_embed_method_name(o->embedding))
        return dpl__fail(err, DPL_E_USAGE, "no embedding number %d", (int)o->embedding);
    o->dims = o->dims ? o->dims : 50;
    o->optimum_threshold = o->optimum_threshold == 0 ? 0.8 : o->optimum_threshold;
    o->optimum_floor = o->optimum_floor == 0 ? 0.1 : o->optimum_floor;
    o->matrix = o->matrix ? o->matrix : 2000;
    if (o->dims > MOST_DIMS || (o->embedding == DPL_EMBED_FUZZY && o->dims > DPL__MOST_CLASSES))
        return dpl__fail(
            err, DPL_E_USAGE, "%s has at most %d dimensions, not %u", names[o->embedding],
            o->embedding == DPL_EMBED_FUZZY ? DPL__MOST_CLASSES : MOST_DIMS, o->dims);
    if (!(o->optimum_threshold > 0 && o->optimum_threshold < 1))
        return dpl__fail(err, DPL_E_USAGE, "threshold %g: not between 0 and 1",
                         o->optimum_threshold);
    if (!(o->optimum_floor > 0 && o->optimum_floor < o->optimum_threshold))
        return dpl__fail(err, DPL_E_USAGE, "floor %g: not between 0 and the threshold %g",
                         o->optimum_floor, o->optimum_threshold);
    if (o->matrix < 2 || o->matrix > MOST_SAMPLE)
        return dpl__fail(err, DPL_E_USAGE, "a matrix has 2 to %d rows, not %u", MOST_SAMPLE,
                         o->matrix);
    if (v->sizes.dim)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has dense rows: they are embedded",
                         v->path);
    if (v->sizes.n_rows == 0)
        return dpl__fail(err, DPL_E_USAGE, "'%s' has no rows", v->path);
    return DPL_OK;
}

/* ---- rows through a hash function's embedding --------------------------------------- */

static dpl_status new_hash(dpl_hash **out, const dpl_embedding *e, const dpl_vectors *v,
                           dpl_error *err)
{
    const bool is_fuzzy = e->options.embedding == DPL_EMBED_FUZZY;
    dpl_hash_options o = DPL_INIT(dpl_hash_options);
    o.function = is_fuzzy ? DPL_HASH_FUZZY : DPL_HASH_PSTABLE;
    o.length = is_fuzzy ? e->dims : 1;
    o.codes = 1;
    const dpl_collection *c = is_fuzzy ? e->options.reference : NULL;
    dpl_hash_input reference =
        DPL_INIT(dpl_hash_input, .vectors = c ? NULL : v, .collection = c);
    return dpl_hash_new(out, e->ctx, &o, &reference, err);
}

static dpl_status embed_rows(float *out, dpl_ctx *ctx, const dpl_embedding *e,
                             const dpl_vectors *v, dpl_error *err)
{
    const size_t n_padded = (e->dims + DPL__GAUSS_STEP - 1) / DPL__GAUSS_STEP * DPL__GAUSS_STEP;
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .vectors = v);
    dpl__hash_rows rows;
    float *y = dpl__alloc(ctx, n_padded * sizeof *y);
    dpl_status status;
    DPL__STEP(dpl__hash_rows_init(&rows, ctx, e->hash, &input, err));
    DPL__STEP(dpl__need(y, err));
    for (uint32_t i = 0; i < v->sizes.n_rows; i++) {
        const dpl__hash_row row = dpl__hash_rows_get(&rows, i, 0);
        if (e->options.embedding == DPL_EMBED_FUZZY)
            dpl__fuzzy_embed(y, e->hash, &row);
        else
            dpl__gauss_project(y, n_padded, &row, e->seed);
        memcpy(out + (size_t)i * e->dims, y, e->dims * sizeof *y);
    }
done:
    dpl__hash_rows_clear(&rows);
    dpl__free(ctx, y);
    return status;
}

/* ---- the projection ----------------------------------------------------------------- */

static void project_rows(float *out, const dpl_embedding *e, const dpl_vectors *v,
                         const uint32_t *numbers)
{
    const unsigned k = e->dims;
    memset(out, 0, (size_t)v->sizes.n_rows * k * sizeof *out);
    for (uint32_t i = 0; i < v->sizes.n_rows; i++) {
        const float *weights;
        size_t n;
        const uint32_t *terms = dpl_vectors_row(v, i, &weights, &n);
        float *y = out + (size_t)i * k;
        for (size_t t = 0; t < n; t++) {
            if (numbers[terms[t]] == DPL__NO_TERM)
                continue;
            const float *p = e->projection + (size_t)numbers[terms[t]] * k;
            for (unsigned d = 0; d < k; d++)
                y[d] += weights[t] * p[d];
        }
    }
}

dpl_status dpl_embedding_project(float *out, dpl_ctx *ctx, const dpl_embedding *e,
                                 const dpl_vectors *v, dpl_error *err)
{
    if (v->sizes.dim)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has dense rows: they are embedded",
                         v->path);
    if (e->hash)
        return embed_rows(out, ctx, e, v, err);
    uint32_t *numbers = dpl__alloc(ctx, (v->terms.n + 1) * sizeof *numbers);
    DPL_TRY(dpl__need(numbers, err));
    const dpl__strings terms = {e->offsets, e->bytes, e->n_terms};
    dpl__match_terms(numbers, &v->terms, &terms);
    project_rows(out, e, v, numbers);
    dpl__free(ctx, numbers);
    return DPL_OK;
}

/* ---- public ------------------------------------------------------------------------- */

static dpl_status fill(dpl_embedding *e, dpl_embed_summary *summary, const dpl_vectors *v,
                       dpl_error *err)
{
    e->values = dpl__calloc(e->ctx, (size_t)e->n_rows * e->dims, sizeof *e->values);
    DPL_TRY(dpl__need(e->values, err));
    if (e->options.embedding <= DPL_EMBED_OPTIMUM)
        return dpl__embed_matrix(e, summary, v, err);
    summary->n_dims = e->dims;
    DPL_TRY(new_hash(&e->hash, e, v, err));
    return embed_rows(e->values, e->ctx, e, v, err);
}

dpl_status dpl_embed(dpl_embedding **out, dpl_embed_summary *summary, dpl_ctx *ctx,
                     const dpl_vectors *vectors, const dpl_embed_options *options,
                     dpl_error *err)
{
    *out = NULL;
    const double began = dpl__now();
    dpl_embed_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    DPL_TRY(check(&o, vectors, err));
    dpl_embedding *e = dpl__calloc(ctx, 1, sizeof *e);
    DPL_TRY(dpl__need(e, err));
    *e = (dpl_embedding){.ctx = ctx,
                         .options = o,
                         .n_rows = vectors->sizes.n_rows,
                         .dims = o.dims,
                         .seed = dpl__mix(ctx->seed)};
    dpl_embed_summary made = DPL_INIT(dpl_embed_summary, .n_rows = e->n_rows);
    dpl_status status = fill(e, &made, vectors, err);
    if (status != DPL_OK) {
        dpl_embedding_free(e);
        return status;
    }
    made.seconds = dpl__now() - began;
    DPL__GIVE(summary, &made);
    *out = e;
    return DPL_OK;
}

void dpl_embedding_free(dpl_embedding *e)
{
    if (!e)
        return;
    dpl_hash_free(e->hash);
    dpl__free(e->ctx, e->projection);
    if (e->bytes)
        dpl__free(e->ctx, e->bytes);
    dpl__free(e->ctx, e->offsets, e->values, e);
}

uint32_t dpl_embedding_n_rows(const dpl_embedding *e)
{
    return e->n_rows;
}

unsigned dpl_embedding_dims(const dpl_embedding *e)
{
    return e->dims;
}

const float *dpl_embedding_values(const dpl_embedding *e)
{
    return e->values;
}

double dpl_embedding_similarity(const dpl_embedding *e, uint32_t a, uint32_t b)
{
    assert(a < e->n_rows && b < e->n_rows);
    const float *x = e->values + (size_t)a * e->dims, *y = e->values + (size_t)b * e->dims;
    double xy = 0, xx = 0, yy = 0;
    for (unsigned d = 0; d < e->dims; d++) {
        xy += (double)x[d] * (double)y[d];
        xx += (double)x[d] * (double)x[d];
        yy += (double)y[d] * (double)y[d];
    }
    if (!e->hash && !e->options.cosine)
        return xy;
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

double dpl_embedding_cut(const dpl_embedding *e, double threshold)
{
    return e->options.embedding == DPL_EMBED_OPTIMUM ? 0.5 : threshold;
}
