/*
 * align_rows.c - word alignments of the rows of a corpus: the links of their cells are numbered
 * block by block as in training, rows are aligned on all threads and delivered in order.
 */
#include "lexicon/align_rows.h"

#include "base/ctx.h"
#include "lexicon/hmm.h"
#include "lexicon/lexicon_params.h"
#include "lexicon/link_ids.h"
#include "par/pool.h"

/* The results of a block are held in memory, so blocks are small. */
enum { BLOCK_CELLS = 1 << 22 };

typedef struct worker {
    dpl__hmm_row row;
    uint8_t *matrix, *taken;
    uint32_t *best[2];
} worker;

/* The links of a task's rows, row after row. */
typedef struct result {
    DPL_VEC(dpl__row_link) links;
    DPL_VEC(size_t) ends; /* of each row in links */
} result;

typedef struct aligner {
    dpl_ctx *ctx;
    dpl__align_rows_options options;
    dpl__hmm hmm;
    dpl__link_ids link_ids;
    size_t longest; /* tokens on a side of a row */
    worker *workers;
    result *results;
    size_t n_results;
} aligner;

/* ---- a row -------------------------------------------------------------------------- */

static void mark_posterior(const aligner *a, const worker *w)
{
    size_t n_left = w->row.n[DPL__LEFT], n_right = w->row.n[DPL__RIGHT];
    float least = (float)(2 * a->options.threshold);
    for (size_t i = 0; i < n_left; i++)
        for (size_t j = 0; j < n_right; j++)
            w->matrix[i * n_right + j] = dpl__hmm_row_posterior(&w->row, DPL__LEFT, i, j) +
                                             dpl__hmm_row_posterior(&w->row, DPL__RIGHT, i, j) >
                                         least;
}

static void mark_symmetrized(const aligner *a, worker *w)
{
    dpl__hmm_row_viterbi(&w->row, DPL__LEFT, w->best[DPL__LEFT]);
    dpl__hmm_row_viterbi(&w->row, DPL__RIGHT, w->best[DPL__RIGHT]);
    dpl__directions both = {w->best[DPL__LEFT], w->row.n[DPL__RIGHT], w->best[DPL__RIGHT],
                            w->row.n[DPL__LEFT]};
    dpl__symmetrize(w->matrix, w->taken, a->options.symmetry, &both);
}

static dpl_status align_row(const aligner *a, worker *w, result *r, size_t row, dpl_error *err)
{
    const dpl__encoded *b = a->link_ids.corpus;
    size_t n_left = dpl__encoded_length(b, DPL__LEFT, row),
           n_right = dpl__encoded_length(b, DPL__RIGHT, row);
    dpl__hmm_row_infer(&w->row, dpl__encoded_tokens(b, DPL__LEFT, row), n_left,
                       dpl__encoded_tokens(b, DPL__RIGHT, row), n_right,
                       dpl__link_ids_row(&a->link_ids, row));
    if (a->options.method == DPL__ALIGN_POSTERIOR)
        mark_posterior(a, w);
    else
        mark_symmetrized(a, w);
    for (size_t i = 0; i < n_left; i++)
        for (size_t j = 0; j < n_right; j++) {
            dpl__row_link link = {(uint16_t)i, (uint16_t)j};
            if (w->matrix[i * n_right + j] && !dpl__vec_push(a->ctx, &r->links, link))
                return dpl__fail_nomem(err);
        }
    return DPL_OK;
}

static dpl_status align_rows(void *user, size_t task, unsigned number, dpl_error *err)
{
    aligner *a = user;
    const dpl__link_ids *c = &a->link_ids;
    result *r = &a->results[task];
    for (size_t k = c->tasks.data[task]; k < c->tasks.data[task + 1]; k++) {
        if (c->begin[k + 1] > c->begin[k])
            DPL_TRY(align_row(a, &a->workers[number], r, c->first + k, err));
        DPL_TRY(dpl__need(dpl__vec_push(a->ctx, &r->ends, r->links.n), err));
    }
    return DPL_OK;
}

/* ---- all rows ----------------------------------------------------------------------- */

static void free_results(aligner *a)
{
    for (size_t i = 0; i < a->n_results; i++)
        dpl__vec_clear(a->ctx, &a->results[i].links, &a->results[i].ends);
    dpl__free(a->ctx, a->results);
    a->results = NULL;
    a->n_results = 0;
}

static dpl_status deliver(const aligner *a, const dpl__row_links_sink *to, dpl_error *err)
{
    size_t row = a->link_ids.first;
    for (size_t task = 0; task < a->n_results; task++) {
        const result *r = &a->results[task];
        for (size_t i = 0, at = 0; i < r->ends.n; at = r->ends.data[i++])
            DPL_TRY(to->take(to->user, row++, r->links.data ? r->links.data + at : NULL,
                             r->ends.data[i] - at, err));
    }
    assert(row == a->link_ids.end);
    return DPL_OK;
}

static dpl_status align_block(aligner *a, size_t row, const dpl__row_links_sink *to,
                              dpl_error *err)
{
    DPL_TRY(dpl__link_ids_load(&a->link_ids, row, err));
    size_t n = dpl__tasks_n(&a->link_ids.tasks);
    a->results = dpl__calloc(a->ctx, n, sizeof *a->results);
    if (!a->results && n)
        return dpl__fail_nomem(err);
    a->n_results = n;
    dpl_status status;
    DPL__STEP(dpl__parallel_for(a->ctx, n, a, align_rows, err));
    status = deliver(a, to, err);
done:
    free_results(a);
    return status;
}

static void end_aligning(aligner *a)
{
    size_t n_threads = dpl_ctx_threads(a->ctx);
    for (size_t i = 0; a->workers && i < n_threads; i++) {
        worker *w = &a->workers[i];
        dpl__hmm_row_clear(&w->row);
        dpl__free(a->ctx, w->matrix, w->taken);
        for (int side = 0; side < 2; side++)
            dpl__free(a->ctx, w->best[side]);
    }
    dpl__free(a->ctx, a->workers);
    dpl__hmm_clear(&a->hmm);
    dpl__link_ids_clear(&a->link_ids);
}

static dpl_status begin_aligning(aligner *a, dpl_error *err)
{
    size_t most = a->longest, n_threads = dpl_ctx_threads(a->ctx);
    DPL_TRY(dpl__hmm_init(&a->hmm, a->ctx, a->link_ids.model, most, err));
    a->workers = dpl__calloc(a->ctx, n_threads, sizeof *a->workers);
    for (size_t i = 0; a->workers && i < n_threads; i++) {
        worker *w = &a->workers[i];
        DPL_TRY(dpl__hmm_row_init(&w->row, &a->hmm, err));
        w->matrix = dpl__alloc(a->ctx, most * most);
        w->taken = dpl__alloc(a->ctx, 2 * most);
        for (int side = 0; side < 2; side++)
            w->best[side] = dpl__alloc(a->ctx, most * sizeof *w->best[side]);
        if (most && (!w->matrix || !w->taken || !w->best[0] || !w->best[1]))
            return dpl__fail_nomem(err);
    }
    return dpl__need(a->workers, err);
}

dpl_status dpl__align_rows(dpl_ctx *ctx, const dpl__wordmodel *model,
                           const dpl__encoded *corpus, const dpl__align_rows_options *options,
                           const dpl__row_links_sink *to, dpl_error *err)
{
    aligner a = {.ctx = ctx, .options = options ? *options : (dpl__align_rows_options){0}};
    if (a.options.threshold <= 0)
        a.options.threshold = DPL__P(lexicon, threshold);
    a.link_ids = (dpl__link_ids){.ctx = ctx,
                                 .corpus = corpus,
                                 .model = model,
                                 .max_tokens = a.options.max_tokens
                                                   ? a.options.max_tokens
                                                   : (size_t)DPL__P(lexicon, max_tokens),
                                 .max_cells = BLOCK_CELLS};
    assert(a.link_ids.max_tokens < UINT16_MAX);
    a.longest = dpl__encoded_longest(corpus, a.link_ids.max_tokens);
    for (int side = 0; side < 2; side++)
        assert(corpus->side[side].n_words >= model->n_words[side]);
    dpl_status status = begin_aligning(&a, err);
    for (size_t row = 0; row < corpus->n_rows && status == DPL_OK; row = a.link_ids.end)
        status = align_block(&a, row, to, err);
    end_aligning(&a);
    return status;
}
