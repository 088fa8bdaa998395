/*
 * select_optimal.c - one-to-one, the largest sum.
 *
 * Pairs become a graph in memory with integer weights, assign.c does the work. 16 bytes a pair
 * and about 40 a row.
 */
#include "base/ctx.h"
#include "pairs/assign.h"
#include "pairs/select_one.h"

#include <math.h>
#include <stdlib.h>

typedef struct graph {
    uint32_t n_left;
    uint64_t *offsets;
    dpl__edge *edges;
    uint64_t n;
} graph;

/* What is printed: millionths. The product is exact in double. Margins of thousands do not
 * occur among texts. */
static uint32_t weight_of(float score)
{
    double w = rint((double)score * 1e6);
    return w < 0 ? 0 : w > (double)UINT32_MAX ? UINT32_MAX : (uint32_t)w;
}

/* Left rows from `from` to `to` are complete. */
static void end_rows(graph *g, uint32_t from, uint32_t to)
{
    uint64_t begin = g->offsets[from];
    assert(from < to && to <= g->n_left && begin <= g->n);
    qsort(g->edges + begin, (size_t)(g->n - begin), sizeof *g->edges, dpl__edges_by_weight);
    for (uint32_t row = from; row < to; row++)
        g->offsets[row + 1] = g->n;
}

/* Pairs of weight 0 are not worth having. */
static dpl_status fill(graph *g, const dpl__spool *pairs, dpl_error *err)
{
    dpl__pair_reader reader;
    dpl_pair p;
    uint32_t left = 0;
    dpl_status status = dpl__pair_reader_begin(&reader, pairs, err);
    while (status == DPL_OK && (status = dpl__pair_reader_next(&reader, &p, err)) == DPL_OK) {
        uint32_t weight = weight_of(p.score);
        if (p.left != left)
            end_rows(g, left, p.left);
        left = p.left;
        if (weight)
            g->edges[g->n++] = (dpl__edge){p.right, weight};
    }
    end_rows(g, left, g->n_left);
    dpl__pair_reader_end(&reader);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status give(dpl__spool *chosen, const dpl__spool *pairs, const uint32_t *mates,
                       dpl_error *err)
{
    dpl__pair_reader reader;
    dpl_pair p;
    dpl_status status = dpl__pair_reader_begin(&reader, pairs, err);
    while (status == DPL_OK && (status = dpl__pair_reader_next(&reader, &p, err)) == DPL_OK)
        if (mates[p.left] == p.right)
            status = dpl__spool_append(chosen, &p, sizeof p, err);
    dpl__pair_reader_end(&reader);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status check_memory(const dpl_ctx *ctx, uint32_t n_left, uint32_t n_right,
                               uint64_t n_pairs, dpl_error *err)
{
    uint64_t n_bytes = n_pairs * sizeof(dpl__edge) + n_left * sizeof(uint64_t) +
                       n_left * sizeof(uint32_t) + dpl__assign_bytes(n_left, n_right, n_pairs);
    if (dpl__ctx_used(ctx) + n_bytes <= ctx->memory)
        return DPL_OK;
    dpl__fail(
        err, DPL_E_LIMIT,
        "the optimal one-to-one selection of %llu pairs takes %.0f MB more than there are",
        (unsigned long long)n_pairs,
        (double)(dpl__ctx_used(ctx) + n_bytes - ctx->memory) / 1e6);
    return dpl__code(err, DPL_E_LIMIT, "memory-assignment");
}

dpl_status dpl__select_optimally(dpl__spool *chosen, const dpl__spool *pairs, uint32_t n_left,
                                 uint32_t n_right, dpl_error *err)
{
    dpl_ctx *ctx = pairs->spill->ctx;
    uint64_t n_pairs = dpl__pairs_in(pairs);
    size_t n_offsets = (size_t)n_left + 1;
    DPL_TRY(check_memory(ctx, n_left, n_right, n_pairs, err));
    graph g = {.n_left = n_left,
               .offsets = dpl__calloc(ctx, n_offsets, sizeof *g.offsets),
               .edges = dpl__alloc(ctx, n_pairs * sizeof *g.edges)};
    uint32_t *mates = dpl__alloc(ctx, n_left * sizeof *mates);
    dpl_status status =
        g.offsets && g.edges && mates ? fill(&g, pairs, err) : dpl__fail_nomem(err);
    if (status != DPL_OK)
        goto done;
    status =
        dpl__assign(mates, ctx, &(dpl__bipartite){n_left, n_right, g.offsets, g.edges}, err);
    if (status != DPL_OK)
        goto done;
    status = give(chosen, pairs, mates, err);
done:
    dpl__free(ctx, mates, g.edges, g.offsets);
    return status;
}
