/*
 * tiles.c - all tiles of two sets of rows, on all threads.
 *
 * Right rows are cut into spans, and a task is a block of left rows with a span: tasks of one
 * span run before those of the next, so that threads work on different left rows and a span
 * stays in the cache. Within a task tiles begin small and double while few pairs are found in
 * them: in the beginning, when cuts are high, much passes, and the sooner the taker sees it the
 * sooner cuts fall. A tile's finds are bounded likewise.
 *
 * Cost: that of find, and reading 4 bytes for each row of a tile.
 */
#include "devices/tiles.h"

#include "base/ctx.h"
#include "devices/device.h"
#include "par/pool.h"

enum {
    SPAN = 1 << 15, /* right rows of a task, at the most */
    LEAST_SPAN = 1024,
    FIRST = 256, /* right rows of a left block's first tile */
    LEAST = 64,
    MANY = 1 << 16, /* pairs of a tile: the next one is smaller; a quarter: larger */
    TASKS = 8,      /* wanted for each thread */
    MOST_SLOTS = 256,
};

/* A worker's own. */
typedef struct scratch {
    char *memory;
    void *find; /* 64-byte aligned */
    uint32_t left_cuts[DPL__TILE_ROWS], right_cuts[DPL__TILE_COLUMNS];
    dpl__near_pairs found;
} scratch;

typedef struct run {
    dpl_ctx *ctx;
    const dpl__tiles *tiles;
    scratch *scratch;
    uint32_t span;
    uint64_t n_blocks, n_tasks, next;
    uint64_t slots[MOST_SLOTS]; /* the task in each */
    dpl_progress progress;
} run;

/* Left rows [left, left_end) and right rows [right, right_end). */
typedef struct task {
    uint32_t left, left_end, right, right_end;
} task;

static task task_of(const run *r, uint64_t number)
{
    assert(number < r->n_tasks);
    uint64_t left = number % r->n_blocks * DPL__TILE_ROWS,
             right = number / r->n_blocks * r->span;
    task t = {(uint32_t)left, (uint32_t)dpl__min(left + DPL__TILE_ROWS, r->tiles->n_left),
              (uint32_t)right, (uint32_t)dpl__min(right + r->span, r->tiles->n_right)};
    if (r->tiles->is_self && t.right < t.left) /* what is before has been compared */
        t.right = (uint32_t)dpl__min(t.left, t.right_end);
    return t;
}

static uint64_t pairs_of(const run *r, const task *t)
{
    uint64_t n = 0;
    for (uint32_t left = t->left; r->tiles->is_self && left < t->left_end; left++)
        n += t->right_end > left + 1 ? t->right_end - dpl__max(t->right, left + 1) : 0;
    return r->tiles->is_self ? n
                             : (uint64_t)(t->left_end - t->left) * (t->right_end - t->right);
}

/* ---- a task ------------------------------------------------------------------------- */

static dpl_status run_tile(const run *r, scratch *own, unsigned worker, dpl__tile *tile,
                           dpl_error *err)
{
    assert(tile->n_left <= DPL__TILE_ROWS && tile->n_right <= DPL__TILE_COLUMNS);
    const dpl__tiles *t = r->tiles;
    t->read_cuts(t->taker, 0, tile->left, tile->n_left, own->left_cuts);
    t->read_cuts(t->taker, 1, tile->right, tile->n_right, own->right_cuts);
    own->found.n = 0;
    DPL_TRY(dpl__need(t->find(t->user, r->ctx, own->find, tile, &own->found), err));
    if (own->found.n == 0)
        return DPL_OK;
    return t->take(t->taker, worker, own->found.data, own->found.n, err);
}

static bool make_scratch(const run *r, scratch *own)
{
    if (own->memory)
        return true;
    own->memory = dpl__alloc(r->ctx, r->tiles->n_scratch + 64);
    if (!own->memory)
        return false;
    own->find = (void *)(own->memory + (64 - (uintptr_t)own->memory % 64));
    return true;
}

static dpl_status run_task(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    run *r = user;
    scratch *own = &r->scratch[worker];
    task t = task_of(r, r->slots[slot]);
    DPL_TRY(dpl__need(make_scratch(r, own), err));
    uint32_t n = FIRST;
    for (uint32_t at = t.right; at < t.right_end;) {
        dpl__tile tile = {
            t.left,         t.left_end - t.left, at, (uint32_t)dpl__min(n, t.right_end - at),
            own->left_cuts, own->right_cuts};
        DPL_TRY(run_tile(r, own, worker, &tile, err));
        at += tile.n_right;
        if (own->found.n > MANY)
            n = (uint32_t)dpl__max(n / 2, LEAST);
        else if (own->found.n < MANY / 4)
            n = (uint32_t)dpl__min(2 * n, DPL__TILE_COLUMNS);
    }
    return DPL_OK;
}

static dpl_status next_task(void *user, size_t slot, dpl_error *err)
{
    assert(slot < MOST_SLOTS);
    (void)err;
    run *r = user;
    if (r->next == r->n_tasks)
        return DPL_END;
    r->slots[slot] = r->next++;
    return DPL_OK;
}

static dpl_status task_done(void *user, size_t slot, dpl_error *err)
{
    run *r = user;
    task t = task_of(r, r->slots[slot]);
    r->progress.done += pairs_of(r, &t);
    return dpl__progress(r->ctx, &r->progress, err);
}

/* ---- all of them -------------------------------------------------------------------- */

/* Few left rows: shorter spans, so that every thread has some. */
static uint32_t span_of(const run *r)
{
    uint64_t n_spans = TASKS * (uint64_t)r->ctx->n_threads / r->n_blocks + 1;
    uint64_t span = (r->tiles->n_right / n_spans + LEAST_SPAN) / LEAST_SPAN * LEAST_SPAN;
    return (uint32_t)dpl__min(span, SPAN);
}

dpl_status dpl__tiles_run(dpl_ctx *ctx, const dpl__tiles *tiles, dpl_error *err)
{
    assert(!tiles->is_self || tiles->n_left == tiles->n_right);
    const uint64_t n = tiles->n_left;
    run r = {.ctx = ctx,
             .tiles = tiles,
             .n_blocks = (n + DPL__TILE_ROWS - 1) / DPL__TILE_ROWS,
             .progress = {.stage = "compare",
                          .unit = "comparisons",
                          .total = dpl__count_pairs(n, tiles->n_right, tiles->is_self)}};
    if (r.progress.total == 0)
        return DPL_OK;
    r.span = span_of(&r);
    r.n_tasks = r.n_blocks * ((tiles->n_right + (uint64_t)r.span - 1) / r.span);
    r.scratch = dpl__calloc(ctx, ctx->n_threads, sizeof *r.scratch);
    DPL_TRY(dpl__need(r.scratch, err));
    dpl__pipeline p = {.user = &r,
                       .n_slots = dpl__min(MOST_SLOTS, 4 * (size_t)ctx->n_threads),
                       .produce = next_task,
                       .map = run_task,
                       .commit = task_done};
    dpl_status status = dpl__pipeline_run(ctx, &p, err);
    for (unsigned i = 0; i < ctx->n_threads; i++) {
        if (r.scratch[i].memory)
            dpl__free(ctx, r.scratch[i].memory);
        dpl__vec_clear(ctx, &r.scratch[i].found);
    }
    dpl__free(ctx, r.scratch);
    return status;
}

uint32_t dpl__usual_cut(const uint32_t *cuts, uint32_t n, uint32_t *most)
{
    uint32_t highest[DPL__TILE_COLUMNS / DPL__FEW + 1] = {0}, n_most = n / DPL__FEW + 1;
    uint32_t n_kept = 0;
    assert(n_most <= DPL_LEN(highest));
    for (uint32_t i = 0; i < n; i++) {
        if (n_kept == n_most && cuts[i] <= highest[n_most - 1])
            continue;
        uint32_t at = n_kept < n_most ? n_kept++ : n_most - 1;
        for (; at > 0 && cuts[i] > highest[at - 1]; at--)
            highest[at] = highest[at - 1];
        highest[at] = cuts[i];
    }
    *most = highest[0];
    return n_kept ? highest[n_kept - 1] : 0;
}
