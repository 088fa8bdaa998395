/*
 * build_receipt.c - what codes find of the nearest neighbours of some documents.
 *
 * Documents are drawn evenly; their neighbours are found exactly, through postings, then by
 * codes alone. It is an estimate of recall by similarity, and the histogram of the overview.
 */
#include "index/build.h"

#include "base/ctx.h"
#include "pairs/recall_check.h"

enum { NEIGHBOURS = 100 };

static unsigned bin_of(float score)
{
    const int bin = (int)(score * DPL_INDEX_BINS);
    return bin < 0 ? 0 : bin >= DPL_INDEX_BINS ? DPL_INDEX_BINS - 1 : (unsigned)bin;
}

static bool has_row(const dpl_query_result *r, uint32_t row)
{
    for (size_t i = 0; i < r->n_hits; i++)
        if (r->hits[i].row == row)
            return true;
    return false;
}

enum { EXACT, CODES, AUTO, N_WAYS };

/* All answers for one document. */
static dpl_status ask(dpl_index_receipt *out, dpl_query *const *ways, uint32_t row,
                      uint64_t *n_candidates, dpl_error *err)
{
    dpl_query_result all = DPL_INIT(dpl_query_result), codes = DPL_INIT(dpl_query_result),
                     quick = DPL_INIT(dpl_query_result);
    DPL_TRY(dpl_query_row(ways[EXACT], row, &all, err));
    DPL_TRY(dpl_query_row(ways[CODES], row, &codes, err));
    DPL_TRY(dpl_query_row(ways[AUTO], row, &quick, err));
    *n_candidates += codes.n_candidates;
    out->n_sampled++;
    out->nearest[all.n_hits ? bin_of(all.hits[0].score) : 0]++;
    for (size_t i = 0; i < all.n_hits; i++) {
        const unsigned bin = bin_of(all.hits[i].score);
        out->pairs[bin]++;
        out->found[bin] += has_row(&codes, all.hits[i].row);
        out->found_auto[bin] += has_row(&quick, all.hits[i].row);
    }
    return DPL_OK;
}

dpl_status dpl__build_receipt(dpl_index_receipt *out, const dpl_index *x, unsigned sample,
                              dpl_error *err)
{
    *out = (dpl_index_receipt){0};
    const size_t n_bytes = (dpl__min(sample, x->n_docs) + 1) * sizeof(uint32_t);
    uint32_t *rows = dpl__alloc(x->ctx, n_bytes);
    DPL_TRY(dpl__need(rows, err));
    const uint32_t n = (uint32_t)dpl__draw_spaced(rows, sample, x->n_docs);
    dpl_query *ways[N_WAYS] = {NULL};
    dpl_query_options o = DPL_INIT(dpl_query_options, .top = NEIGHBOURS, .threshold = 0.1);
    dpl_status status;
    for (int i = 0; i < N_WAYS; i++) {
        o.method = i == CODES ? DPL_QUERY_CODES : DPL_QUERY_POSTINGS;
        o.budget = i == EXACT ? 2000000 : 0;
        o.top = i == CODES ? 10000 : NEIGHBOURS;
        DPL__STEP(dpl_query_new(&ways[i], x, &o, err));
    }
    uint64_t n_candidates = 0;
    for (uint32_t i = 0; i < n; i++) {
        const dpl_progress progress = {"receipt", "documents", i + 1, n};
        DPL__STEP(ask(out, ways, rows[i], &n_candidates, err));
        DPL__STEP(dpl__progress(x->ctx, &progress, err));
    }
    out->candidates = n ? (uint32_t)((n_candidates + n / 2) / n) : 0;
done:
    for (int i = 0; i < N_WAYS; i++)
        dpl_query_free(ways[i]);
    dpl__free(x->ctx, rows);
    return status;
}
