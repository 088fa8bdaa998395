/*
 * code_rows.c - vectors, collections and arrays as rows of marks and weights.
 *
 * The marks of a vocabulary are made once, on all threads, when they fit into an eighth of the
 * memory; else for every row anew. Shingles roll: one multiplication per word, whatever their
 * length.
 */
#include "signatures/code_rows.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/sized.h"
#include "par/pool.h"
#include "vectors/vectors.h"

enum { TERMS_PER_JOB = 1 << 13 };

/* ---- terms -------------------------------------------------------------------------- */

dpl_str dpl__hash_rows_term(const dpl__hash_rows *rows, size_t i)
{
    const dpl_hash_input *in = &rows->input;
    if (in->vectors)
        return dpl_vectors_term(in->vectors, (uint32_t)i);
    if (in->collection)
        return dpl_collection_term(in->collection, (uint32_t)i);
    return in->terms[i];
}

static uint64_t make_mark(const dpl__hash_rows *rows, size_t i)
{
    dpl_str term = dpl__hash_rows_term(rows, i);
    const dpl_hash *h = rows->hash;
    return h->function->mark ? h->function->mark(h, term) : dpl__term_key(term);
}

static uint64_t mark_of(const dpl__hash_rows *rows, size_t i)
{
    assert(!rows->marks || i < rows->n_terms);
    return rows->marks ? rows->marks[i] : make_mark(rows, i);
}

static void make_marks(void *user, size_t job)
{
    const dpl__hash_rows *rows = user;
    size_t end = dpl__min((job + 1) * TERMS_PER_JOB, rows->n_terms);
    for (size_t i = job * TERMS_PER_JOB; i < end; i++)
        rows->marks[i] = make_mark(rows, i);
}

/* ---- shingles ----------------------------------------------------------------------- */

static const uint64_t base = 0x9E3779B9D6E8FEB9u; /* odd */

/* The keys of a document's shingles of w words, in the order of the text; returns how many. A
 * document of fewer than w words has one shingle, of all of them; one without words none. */
static size_t roll(uint64_t *out, const dpl__hash_rows *rows, const uint32_t *tokens,
                   size_t n_tokens, unsigned w)
{
    uint64_t top = 1, h = 0;
    const size_t first = dpl__min(n_tokens, w);
    for (size_t i = 0; i < first; i++) {
        h = h * base + mark_of(rows, tokens[i]);
        top = i ? top * base : top;
    }
    if (n_tokens == 0)
        return 0;
    size_t n = 0;
    out[n++] = dpl__mix(h ^ first);
    for (size_t i = first; i < n_tokens; i++) {
        h = (h - mark_of(rows, tokens[i - w]) * top) * base + mark_of(rows, tokens[i]);
        out[n++] = dpl__mix(h ^ first);
    }
    return n;
}

/* ---- rows --------------------------------------------------------------------------- */

static dpl__hash_row of_vectors(const dpl__hash_rows *rows, uint32_t row,
                                const dpl__hash_scratch *s)
{
    const dpl_vectors *v = rows->input.vectors;
    if (v->sizes.dim)
        return (dpl__hash_row){.dense = dpl_vectors_dense(v, row), .dim = v->sizes.dim};
    dpl__hash_row out = {.marks = s->marks};
    const uint32_t *terms = dpl_vectors_row(v, row, &out.weights, &out.n);
    for (size_t i = 0; i < out.n; i++)
        s->marks[i] = mark_of(rows, terms[i]);
    return out;
}

static dpl__hash_row of_collection(const dpl__hash_rows *rows, uint32_t doc,
                                   const dpl__hash_scratch *s)
{
    const dpl_collection *c = rows->input.collection;
    dpl__hash_row out = {.marks = s->marks};
    const unsigned w = rows->hash->options.shingle;
    if (w > 1) {
        size_t n_tokens;
        const uint32_t *tokens = dpl_collection_tokens(c, doc, &n_tokens);
        out.n = roll(s->marks, rows, tokens, n_tokens, w);
        return out;
    }
    const uint32_t *counts, *terms = dpl_collection_row(c, doc, &counts, &out.n);
    for (size_t i = 0; i < out.n; i++) {
        s->marks[i] = mark_of(rows, terms[i]);
        s->weights[i] = (float)counts[i];
    }
    out.weights = s->weights;
    return out;
}

static dpl__hash_row of_arrays(const dpl__hash_rows *rows, uint32_t row,
                               const dpl__hash_scratch *s)
{
    const dpl_hash_input *in = &rows->input;
    const uint64_t begin = in->offsets[row];
    dpl__hash_row out = {.marks = in->elements ? in->elements + begin : s->marks,
                         .weights = in->weights ? in->weights + begin : NULL,
                         .n = (size_t)(in->offsets[row + 1] - begin)};
    for (size_t i = 0; !in->elements && i < out.n; i++)
        s->marks[i] = mark_of(rows, begin + i);
    return out;
}

dpl__hash_row dpl__hash_rows_get(const dpl__hash_rows *rows, uint32_t row, unsigned worker)
{
    assert(row < rows->n_rows && worker < rows->ctx->n_threads);
    const dpl__hash_scratch *s = &rows->scratch[worker];
    return rows->input.vectors      ? of_vectors(rows, row, s)
           : rows->input.collection ? of_collection(rows, row, s)
                                    : of_arrays(rows, row, s);
}

/* ---- setting up --------------------------------------------------------------------- */

static size_t row_length(const dpl__hash_rows *rows, uint32_t row)
{
    const dpl_hash_input *in = &rows->input;
    size_t n = 0;
    if (in->collection) {
        const uint32_t *counts;
        if (rows->hash->options.shingle > 1)
            dpl_collection_tokens(in->collection, row, &n);
        else
            dpl_collection_row(in->collection, row, &counts, &n);
    } else if (in->vectors) {
        const float *weights;
        dpl_vectors_row(in->vectors, row, &weights, &n);
    } else {
        n = (size_t)(in->offsets[row + 1] - in->offsets[row]);
    }
    return n;
}

static dpl_status check_arrays(const dpl_hash_input *in, dpl_error *err)
{
    if (!in->offsets || (in->elements != NULL) == (in->terms != NULL))
        return dpl__fail(err, DPL_E_USAGE,
                         "rows to be hashed have offsets, and either keys or texts");
    for (uint32_t i = 0; i < in->n_rows; i++)
        if (in->offsets[i] > in->offsets[i + 1])
            return dpl__fail(err, DPL_E_USAGE, "row %u: offsets do not rise", i);
    const uint64_t end = in->offsets[in->n_rows];
    for (uint64_t i = in->offsets[0]; in->weights && i < end; i++)
        if (!(in->weights[i] > 0 && in->weights[i] < 1e30f))
            return dpl__fail(err, DPL_E_USAGE, "element %llu: weights are above 0",
                             (unsigned long long)i);
    return DPL_OK;
}

static dpl_status check(dpl__hash_rows *rows, dpl_error *err)
{
    const dpl_hash_input *in = &rows->input;
    const dpl_hash_function_info *info = &rows->hash->function->info;
    const bool is_array = in->elements || in->terms || in->offsets;
    if ((in->vectors != NULL) + (in->collection != NULL) + is_array != 1)
        return dpl__fail(err, DPL_E_USAGE,
                         "rows to be hashed are either vectors, a collection or arrays");
    if (is_array)
        DPL_TRY(check_arrays(in, err));
    if (in->vectors && in->vectors->sizes.dim && !info->takes_dense)
        return dpl__fail(err, DPL_E_USAGE, "'%s' has dense rows, and %s needs terms",
                         in->vectors->path, info->name);
    if (in->elements && !info->takes_keys)
        return dpl__fail(err, DPL_E_USAGE, "%s needs the texts of terms", info->name);
    if (rows->hash->options.shingle > 1 && in->vectors)
        return dpl__fail(err, DPL_E_USAGE, "vectors have no shingles of %u words",
                         rows->hash->options.shingle);
    rows->n_rows = in->vectors      ? in->vectors->sizes.n_rows
                   : in->collection ? dpl_collection_get_sizes(in->collection)->n_docs
                                    : in->n_rows;
    rows->n_terms = in->vectors      ? in->vectors->sizes.n_terms
                    : in->collection ? dpl_collection_get_sizes(in->collection)->n_terms
                                     : 0;
    return DPL_OK;
}

static dpl_status set_up_scratch(dpl__hash_rows *rows, dpl_error *err)
{
    size_t longest = 1;
    const bool is_dense = rows->input.vectors && rows->input.vectors->sizes.dim;
    for (uint32_t row = 0; !is_dense && row < rows->n_rows; row++)
        longest = dpl__max(longest, row_length(rows, row));
    rows->scratch = dpl__calloc(rows->ctx, rows->ctx->n_threads, sizeof *rows->scratch);
    DPL_TRY(dpl__need(rows->scratch, err));
    for (unsigned i = 0; i < rows->ctx->n_threads; i++) {
        dpl__hash_scratch *s = &rows->scratch[i];
        s->n = longest;
        s->marks = dpl__alloc(rows->ctx, longest * sizeof *s->marks);
        s->weights = dpl__alloc(rows->ctx, longest * sizeof *s->weights);
        DPL_TRY(dpl__need(s->marks && s->weights, err));
    }
    return DPL_OK;
}

dpl_status dpl__hash_rows_init(dpl__hash_rows *rows, dpl_ctx *ctx, const dpl_hash *hash,
                               const dpl_hash_input *input, dpl_error *err)
{
    *rows = (dpl__hash_rows){.ctx = ctx, .hash = hash};
    DPL_TRY(DPL__TAKE(&rows->input, input, err));
    DPL_TRY(check(rows, err));
    DPL_TRY(set_up_scratch(rows, err));
    if (rows->n_terms == 0 || rows->n_terms > ctx->memory / 8 / sizeof *rows->marks)
        return DPL_OK;
    rows->marks = dpl__alloc(ctx, rows->n_terms * sizeof *rows->marks);
    DPL_TRY(dpl__need(rows->marks, err));
    return dpl__parallel_each(ctx, (rows->n_terms + TERMS_PER_JOB - 1) / TERMS_PER_JOB, rows,
                              make_marks, err);
}

void dpl__hash_rows_clear(dpl__hash_rows *rows)
{
    if (!rows->ctx)
        return;
    for (unsigned i = 0; rows->scratch && i < rows->ctx->n_threads; i++) {
        dpl__hash_scratch *s = &rows->scratch[i];
        dpl__free(rows->ctx, s->weights, s->marks);
    }
    dpl__free(rows->ctx, rows->scratch, rows->marks);
}
