/*
 * verify_edges.c - verification of candidates in batches, on all threads.
 *
 * A batch holds as many candidates as a sixteenth of the memory; a full one is sorted by left
 * row, so that the work on a left row is done once, freed of repetitions, and verified. A pair
 * that comes again in a later batch is verified again, and found to be there in the end.
 */
#include "dedup/verify_edges.h"

#include "base/ctx.h"
#include "base/order.h"
#include "io/parts.h"
#include "io/shared_loop.h"
#include "pairs/radix.h"

enum { PAIRS_PER_JOB = 128, LEAST_BATCH = 1 << 16, MOST_BATCH = 1 << 24 };

void dpl__verifier_begin(dpl__verifier *v)
{
    assert(v->docs && v->score && !v->edges.n && !v->pairs.n);
    v->ctx = v->docs->ctx;
    v->most = dpl__max(LEAST_BATCH, dpl__min(MOST_BATCH, v->ctx->memory / 16 / 20));
}

void dpl__verifier_clear(dpl__verifier *v)
{
    if (!v->ctx)
        return;
    dpl__vec_clear(v->ctx, &v->edges, &v->pairs);
    *v = (dpl__verifier){0};
}

static dpl_status verify_some(void *user, size_t job, unsigned worker, dpl_error *err)
{
    (void)err;
    const dpl__verifier *v = user;
    const size_t end = dpl__min(v->pairs.n, (job + 1) * PAIRS_PER_JOB);
    for (size_t i = job * PAIRS_PER_JOB; i < end; i++)
        v->scores[i] = (float)v->score(v->user, (uint32_t)(v->pairs.data[i] >> 32),
                                       (uint32_t)v->pairs.data[i], worker);
    return DPL_OK;
}

static size_t unique(uint64_t *numbers, size_t n)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++)
        if (!to || numbers[i] != numbers[to - 1])
            numbers[to++] = numbers[i];
    return to;
}

static dpl_status keep_good(dpl__verifier *v, dpl_error *err)
{
    for (size_t i = 0; i < v->pairs.n; i++) {
        const uint64_t p = v->pairs.data[i];
        assert((uint32_t)(p >> 32) < (uint32_t)p);
        if (v->scores[i] < (float)v->least)
            continue;
        const dpl_dedup_edge edge = {(uint32_t)(p >> 32), (uint32_t)p, v->scores[i],
                                     DPL_EDGE_NEAR};
        DPL_TRY(dpl__need(dpl__vec_push(v->ctx, &v->edges, edge), err));
    }
    return DPL_OK;
}

static dpl_status verify(dpl__verifier *v, dpl_error *err)
{
    const size_t room = v->pairs.n;
    double began = dpl__now();
    uint64_t *scratch = dpl__alloc(v->ctx, room * sizeof *scratch);
    if (room && !scratch)
        return dpl__fail_nomem(err);
    dpl__radix_sort(v->pairs.data, scratch, room);
    v->pairs.n = unique(v->pairs.data, room);
    v->scores = (float *)(void *)scratch; /* at least as large */
    const dpl__shared_loop loop = {.name = "verify",
                                   .key = dpl__fingerprint_number(v->n_verified, v->pairs.n),
                                   .user = v,
                                   .run = verify_some,
                                   .items = v->scores,
                                   .n_items = v->pairs.n,
                                   .size = sizeof *v->scores,
                                   .per_job = PAIRS_PER_JOB};
    dpl_status status = dpl__shared_for(v->ctx, &loop, err);
    if (status == DPL_OK)
        status = keep_good(v, err);
    dpl__free(v->ctx, scratch);
    v->n_verified += v->pairs.n;
    v->pairs.n = 0;
    v->seconds += dpl__now() - began;
    return status;
}

dpl_status dpl__verifier_add(dpl__verifier *v, uint32_t a, uint32_t b, dpl_error *err)
{
    assert(a < v->docs->n_rows && b < v->docs->n_rows);
    if (a == b || !dpl__dedup_wants(v->docs, v->only_against, a, b))
        return DPL_OK;
    const uint32_t left = a < b ? a : b, right = a < b ? b : a;
    DPL_TRY(dpl__need(dpl__vec_push(v->ctx, &v->pairs, (uint64_t)left << 32 | right), err));
    return v->pairs.n < v->most ? DPL_OK : verify(v, err);
}

DPL__ORDER(by_rows, dpl_dedup_edge,
           DPL__RISING(left) DPL__RISING(right) DPL__RISING(kind) DPL__FALLING(score))

void dpl__edges_sort(dpl__edges *edges)
{
    size_t to = 0;
    dpl__vec_sort(edges, by_rows);
    for (size_t i = 0; i < edges->n; i++)
        if (!to || edges->data[i].left != edges->data[to - 1].left ||
            edges->data[i].right != edges->data[to - 1].right)
            edges->data[to++] = edges->data[i];
    edges->n = to;
}

dpl_status dpl__verifier_finish(dpl__verifier *v, dpl_error *err)
{
    DPL_TRY(verify(v, err));
    dpl__edges_sort(&v->edges);
    return DPL_OK;
}
