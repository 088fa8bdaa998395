/*
 * cpu_dense.c - dense rows by their dot products: all pairs, and the n largest of every row.
 *
 * Strips of left rows against blocks of right ones that stay in the cache, on all threads; a
 * strip's pairs are given away when those before it are. The lists of right rows are a search
 * with the sides swapped: a dot product is the same either way. Cost: one multiplication and
 * addition for every pair and dimension, twice where both lists are wanted.
 */
#include "devices/device.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "kernels/kernels.h"
#include "par/pool.h"

enum {
    STRIP = 16,            /* left rows */
    BLOCK_BYTES = 1 << 19, /* of right rows */
    SLOTS = 64
};

typedef DPL_VEC(dpl_dot_pair) dot_pairs;

typedef struct search {
    dpl_ctx *ctx;
    const dpl_number_rows *left, *right;
    bool is_self;
    float least;
    uint32_t block, next, strips[SLOTS]; /* rows of a block; the first row of each slot */
    float **scores;                      /* of each thread */
    /* all pairs */
    const dpl_dots_within *within;
    dot_pairs found[SLOTS];
    /* or lists */
    dpl_dot_neighbour *lists;
    unsigned n;
    dpl_progress progress;
} search;

static void offer(dpl_dot_neighbour *list, unsigned n, uint32_t row, float dot)
{
    unsigned i = n; /* rows come in order: of equal ones the first stays before */
    while (i > 0 && (list[i - 1].row == DPL_NO_ROW || list[i - 1].dot < dot))
        i--;
    if (i == n)
        return;
    memmove(&list[i + 1], &list[i], (n - 1 - i) * sizeof *list);
    list[i] = (dpl_dot_neighbour){row, dot};
}

/* Row `left` with right rows [first, first + n), whose products are at scores. */
static bool take_row(search *s, size_t slot, uint32_t left, uint32_t first, uint32_t n,
                     const float *scores)
{
    assert(left < s->left->n_rows && first + n <= s->right->n_rows);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t right = first + i;
        if (!(scores[i] >= s->least) ||
            (s->is_self && (s->lists ? left == right : left >= right)))
            continue;
        if (s->lists)
            offer(s->lists + (size_t)left * s->n, s->n, right, scores[i]);
        else if (!dpl__vec_push(s->ctx, &s->found[slot],
                                ((dpl_dot_pair){left, right, scores[i]})))
            return false;
    }
    return true;
}

static dpl_status run_strip(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    search *s = user;
    const uint32_t begin = s->strips[slot], dim = s->left->dim;
    const uint32_t n = (uint32_t)dpl__min(STRIP, s->left->n_rows - begin);
    if (!s->scores[worker])
        s->scores[worker] = dpl__alloc(s->ctx, (size_t)STRIP * s->block * sizeof(float));
    float *scores = s->scores[worker];
    DPL_TRY(dpl__need(scores, err));
    s->found[slot].n = 0;
    for (uint32_t first = 0, m; first < s->right->n_rows; first += m) {
        m = (uint32_t)dpl__min(s->block, s->right->n_rows - first);
        if (s->is_self && !s->lists && first + m <= begin)
            continue;
        s->ctx->kernels->dots(scores, s->left->weights + (size_t)begin * dim, n,
                              s->right->weights + (size_t)first * dim, m, dim);
        for (uint32_t i = 0; i < n; i++)
            DPL_TRY(
                dpl__need(take_row(s, slot, begin + i, first, m, scores + (size_t)i * m), err));
    }
    return DPL_OK;
}

static dpl_status next_strip(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    assert(slot < SLOTS);
    search *s = user;
    if (s->next >= s->left->n_rows)
        return DPL_END;
    s->strips[slot] = s->next;
    s->next += (uint32_t)dpl__min(STRIP, s->left->n_rows - s->next);
    return DPL_OK;
}

/* Blocks do not rise by left row within a strip; they are brought into that order. */
static dpl_status give(search *s, dot_pairs *found, dpl_error *err)
{
    dot_pairs ordered = {0};
    dpl_status status = DPL_OK;
    DPL_TRY(dpl__need(dpl__vec_reserve(s->ctx, &ordered, found->n + 1), err));
    for (size_t i = 0; i < found->n; i++) { /* insertion from the end: runs are long */
        dpl_dot_pair p = found->data[i];
        size_t at = ordered.n++;
        for (; at > 0 && ordered.data[at - 1].left > p.left; at--)
            ordered.data[at] = ordered.data[at - 1];
        ordered.data[at] = p;
    }
    if (ordered.n)
        status = s->within->take(s->within->user, ordered.data, ordered.n, err);
    dpl__vec_clear(s->ctx, &ordered);
    return status;
}

static dpl_status strip_done(void *user, size_t slot, dpl_error *err)
{
    search *s = user;
    s->progress.done += STRIP;
    if (!s->lists)
        DPL_TRY(give(s, &s->found[slot], err));
    return dpl__progress(s->ctx, &s->progress, err);
}

static dpl_status run(search *s, dpl_error *err)
{
    if (s->left->n_rows == 0 || s->right->n_rows == 0)
        return DPL_OK;
    s->progress = (dpl_progress){"compare", "rows", 0, s->left->n_rows};
    s->block = (uint32_t)dpl__max(1, BLOCK_BYTES / sizeof(float) / s->left->dim);
    s->block = (uint32_t)dpl__min(s->block, s->right->n_rows);
    s->scores = dpl__calloc(s->ctx, s->ctx->n_threads, sizeof *s->scores);
    DPL_TRY(dpl__need(s->scores, err));
    dpl__pipeline p = {.user = s,
                       .n_slots = dpl__min(SLOTS, 4 * (size_t)s->ctx->n_threads),
                       .produce = next_strip,
                       .map = run_strip,
                       .commit = strip_done};
    dpl_status status = dpl__pipeline_run(s->ctx, &p, err);
    for (unsigned i = 0; i < s->ctx->n_threads; i++)
        dpl__free(s->ctx, s->scores[i]);
    dpl__free(s->ctx, s->scores);
    for (size_t i = 0; i < SLOTS; i++)
        dpl__vec_clear(s->ctx, &s->found[i]);
    return status;
}

dpl_status dpl__cpu_dots_within(const dpl_device_host *host, const dpl_dots_within *task,
                                dpl_error *err)
{
    search s = {.ctx = host->ctx,
                .left = &task->left,
                .right = &task->right,
                .is_self = task->is_self,
                .least = task->least,
                .within = task};
    return run(&s, err);
}

static dpl_status fill_lists(const dpl_device_host *host, const dpl_dots_nearest *task,
                             int side, dpl_error *err)
{
    search s = {.ctx = host->ctx,
                .left = side ? &task->right : &task->left,
                .right = side ? &task->left : &task->right,
                .is_self = task->is_self,
                .least = task->least,
                .lists = side ? task->of_right : task->of_left,
                .n = task->n};
    for (size_t i = 0; s.lists && i < (size_t)s.left->n_rows * s.n; i++)
        s.lists[i] = (dpl_dot_neighbour){DPL_NO_ROW, 0};
    return s.lists && s.n ? run(&s, err) : DPL_OK;
}

dpl_status dpl__cpu_dots_nearest(const dpl_device_host *host, const dpl_dots_nearest *task,
                                 dpl_error *err)
{
    DPL_TRY(fill_lists(host, task, 0, err));
    return fill_lists(host, task, 1, err);
}
