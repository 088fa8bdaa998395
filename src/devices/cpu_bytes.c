/*
 * cpu_bytes.c - rows of signed bytes (rp8) by their dot product: masks for one cut, and tiles
 * for cuts of rows and columns.
 *
 * The kernel has a cut for each query, the right rows. Left rows of a tile share theirs, the
 * highest, but for up to a 64th of them whose cuts are higher still: these are compared once
 * more by themselves. Products of what passes are computed again, and held against the cuts of
 * both rows.
 *
 * Cost: one product for each pair (dot8_*.c), one by itself for each that passes.
 */
#include "devices/compare.h"
#include "devices/device.h"
#include "devices/tiles.h"

#include "base/ctx.h"

/* ---- one cut for all ---------------------------------------------------------------- */

/* Cuts of the queries, a whole number of cache lines. */
static size_t cuts_bytes(size_t n_queries)
{
    return (n_queries * sizeof(int32_t) + 63) / 64 * 64;
}

static size_t bytes_scratch(size_t n_queries, size_t n_words)
{
    return cuts_bytes(n_queries) + dpl__dot8_scratch(8 * n_words);
}

static void bytes_mask(const dpl__kernels *k, uint64_t *mask, void *scratch,
                       const dpl__mask_rows *r, unsigned cut)
{
    assert(r->n_words == r->stride);
    int32_t *least = scratch;
    for (size_t i = 0; i < r->n_queries; i++)
        least[i] = dpl__dot8_least(cut, 8 * r->n_words);
    k->dot8_mask(mask, (char *)scratch + cuts_bytes(r->n_queries), r, least);
}

static unsigned bytes_distance(const dpl__kernels *k, const uint64_t *a, const uint64_t *b,
                               size_t n_words)
{
    const size_t dim = 8 * n_words;
    return dpl__dot8_distance(k->dot8((const void *)a, (const void *)b, dim), dim);
}

const dpl__comparison dpl__compare_bytes = {bytes_scratch, bytes_mask, bytes_distance};

dpl_status dpl__cpu_within_bytes(const dpl_device_host *host, const dpl_within *task,
                                 dpl_error *err)
{
    return dpl__cpu_within_by(host, task, &dpl__compare_bytes, err);
}

/* ---- cuts of rows and columns ------------------------------------------------------- */

enum {
    DOCS = DPL__HAMMING_DOCS,
    WORDS = DOCS / 64,          /* of a mask */
    MOST_FEW = DOCS / DPL__FEW, /* of a tile */
    STEP = DPL__TILE_COLUMNS    /* right rows whose masks are made at a time */
};

/* What a tile is searched with, and its scratch. */
typedef struct job {
    const dpl_best *task;
    dpl_ctx *ctx;
    const dpl__tile *tile;
    dpl__near_pairs *out;
    size_t dim;
    uint64_t *mask;
    int32_t *least;
    int8_t *few;
    void *kernel;
    uint32_t left[DOCS]; /* the left rows of a call, by their places in the tile */
} job;

static const int8_t *row_of(const dpl_bit_rows *rows, uint32_t row)
{
    return (const int8_t *)(const void *)(rows->words + (size_t)row * rows->n_words);
}

/* Keeps a pair, by its places in the tile, if it is near enough. */
static bool try_pair(job *j, uint32_t left, uint32_t right)
{
    uint32_t l = j->tile->left + left, r = j->tile->right + right;
    if (j->task->is_self && l >= r)
        return true;
    const uint32_t distance = dpl__dot8_distance(
        j->ctx->kernels->dot8(row_of(&j->task->left, l), row_of(&j->task->right, r), j->dim),
        j->dim);
    if (distance > dpl__larger(j->tile->left_cuts[left], j->tile->right_cuts[right]))
        return true;
    return dpl__vec_push(j->ctx, j->out, ((dpl_near_pair){l, r, distance}));
}

/* Left rows `docs`, whose places are j->left, with this cut at the most, against all right
 * rows. `used` are those that count. */
static bool compare(job *j, const int8_t *docs, uint32_t n_docs, const uint64_t *used,
                    uint32_t cut)
{
    const dpl__tile *t = j->tile;
    for (uint32_t i = 0; i < t->n_right; i++)
        j->least[i] = dpl__dot8_least(dpl__larger(cut, t->right_cuts[i]), j->dim);
    const dpl__mask_rows rows = {.queries = row_of(&j->task->right, t->right),
                                 .docs = docs,
                                 .n_queries = t->n_right,
                                 .n_docs = n_docs,
                                 .n_words = j->dim / 8,
                                 .stride = j->dim / 8};
    j->ctx->kernels->dot8_mask(j->mask, j->kernel, &rows, j->least);
    for (uint32_t right = 0; right < t->n_right; right++)
        for (uint32_t word = 0; word < WORDS; word++)
            for (uint64_t bits = j->mask[(size_t)right * WORDS + word] & used[word]; bits;
                 bits &= bits - 1)
                if (!try_pair(j, j->left[64 * word + (uint32_t)__builtin_ctzll(bits)], right))
                    return false;
    return true;
}

static bool compare_few(job *j, uint32_t usual, uint32_t most)
{
    const dpl__tile *t = j->tile;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_left; i++)
        if (t->left_cuts[i] > usual) {
            memcpy(j->few + n * j->dim, row_of(&j->task->left, t->left + i), j->dim);
            j->left[n++] = i;
        }
    const uint64_t used[WORDS] = {((uint64_t)1 << n) - 1};
    return compare(j, j->few, n, used, most);
}

static bool find(void *user, dpl_ctx *ctx, void *scratch, const dpl__tile *tile,
                 dpl__near_pairs *out)
{
    const dpl_best *task = user;
    job j = {.task = task,
             .ctx = ctx,
             .tile = tile,
             .out = out,
             .dim = 8 * (size_t)task->left.n_words,
             .mask = scratch};
    j.least = (int32_t *)(void *)(j.mask + (size_t)STEP * WORDS);
    j.few = (int8_t *)(j.least + STEP);
    j.kernel = j.few + MOST_FEW * j.dim;
    uint64_t used[WORDS] = {0};
    uint32_t most, usual = dpl__usual_cut(tile->left_cuts, tile->n_left, &most);
    for (uint32_t i = 0; i < tile->n_left; i++) {
        j.left[i] = i;
        if (tile->left_cuts[i] <= usual)
            used[i / 64] |= (uint64_t)1 << i % 64;
    }
    if (!compare(&j, row_of(&task->left, tile->left), tile->n_left, used, usual))
        return false;
    return most == usual || compare_few(&j, usual, most);
}

dpl_status dpl__cpu_best_bytes(const dpl_device_host *host, const dpl_best *task,
                               dpl_error *err)
{
    const size_t dim = 8 * (size_t)task->left.n_words;
    dpl__tiles tiles = {.n_left = task->left.n_rows,
                        .n_right = task->right.n_rows,
                        .is_self = task->is_self,
                        .user = (void *)(uintptr_t)task,
                        .n_scratch = STEP * (WORDS * sizeof(uint64_t) + sizeof(int32_t)) +
                                     MOST_FEW * dim + dpl__dot8_scratch(dim),
                        .find = find,
                        .taker = task->user,
                        .read_cuts = task->read_cuts,
                        .take = task->take};
    return dpl__tiles_run(host->ctx, &tiles, err);
}
