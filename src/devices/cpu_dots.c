/*
 * cpu_dots.c - dot products of pairs of rows, on all threads.
 *
 * Sparse rows are merged: the sum has one order, that of the terms. Cost: the entries of both
 * rows for each pair.
 */
#include "devices/device.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "par/pool.h"

enum { CHUNK = 4096 /* pairs of a job */ };

typedef struct job {
    dpl_ctx *ctx;
    const dpl_dots *task;
} job;

static float sparse_dot(const dpl_number_rows *a, uint32_t row_a, const dpl_number_rows *b,
                        uint32_t row_b)
{
    double sum = 0;
    uint64_t i = a->starts[row_a], j = b->starts[row_b];
    const uint64_t end_i = a->starts[row_a + 1], end_j = b->starts[row_b + 1];
    while (i < end_i && j < end_j) {
        const uint32_t x = a->terms[i], y = b->terms[j];
        if (x == y)
            sum += (double)a->weights[i] * (double)b->weights[j];
        i += x <= y;
        j += y <= x;
    }
    return (float)sum;
}

static dpl_status multiply(void *user, size_t chunk, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    const job *j = user;
    const dpl_number_rows *a = &j->task->left, *b = &j->task->right;
    const size_t end = dpl__min((chunk + 1) * CHUNK, j->task->n_pairs);
    for (size_t i = chunk * CHUNK; i < end; i++) {
        const dpl_near_pair p = j->task->pairs[i];
        j->task->out[i] =
            a->dim ? j->ctx->kernels->dot(a->weights + (size_t)p.left * a->dim,
                                          b->weights + (size_t)p.right * b->dim, a->dim)
                   : sparse_dot(a, p.left, b, p.right);
    }
    return DPL_OK;
}

dpl_status dpl__cpu_dots(const dpl_device_host *host, const dpl_dots *task, dpl_error *err)
{
    job j = {host->ctx, task};
    return dpl__parallel_for(host->ctx, (task->n_pairs + CHUNK - 1) / CHUNK, &j, multiply, err);
}
