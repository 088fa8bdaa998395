/*
 * cpu_best.c - Hamming distances of tiles, for a search with cuts of rows and columns.
 *
 * The kernel knows one cut for the whole tile: the largest. A few rows with hardly any near
 * partner would keep it high for all, so up to a 64th of the rows of each side are left to a
 * kernel for one row when that lowers it. Distances of what passes are counted again, and held
 * against the cuts of both rows.
 *
 * Cost: one comparison for each pair (hamming_slices.h), a distance for each that passes.
 */
#include "devices/device.h"
#include "devices/tiles.h"

#include "base/ctx.h"
#include "kernels/kernels.h"

enum {
    DOCS = DPL__HAMMING_DOCS,
    WORDS = DOCS / 64, /* of a mask */
    WORTH = 4,         /* bits by which the cut must fall to leave any out */
    STEP = 4096,       /* right rows whose masks are made at a time */
};

/* What a tile is searched with. */
typedef struct job {
    const dpl_best *task;
    const dpl__kernels *kernels;
    dpl_ctx *ctx;
    const dpl__tile *tile;
    dpl__near_pairs *out;
    uint32_t cut;          /* for all pairs but those of rows with a higher cut: */
    uint32_t most_left;    /* the highest of left */
    uint64_t usual[WORDS]; /* left rows with no higher cut */
} job;

static const uint64_t *row_of(const dpl_bit_rows *rows, uint32_t row)
{
    assert(row < rows->n_rows);
    return rows->words + (size_t)row * rows->n_words;
}

/* Keeps a pair, by its places in the tile, if it is near enough. */
static bool try_pair(job *j, uint32_t left, uint32_t right)
{
    uint32_t l = j->tile->left + left, r = j->tile->right + right;
    if (j->task->is_self && l >= r)
        return true;
    unsigned distance = j->kernels->hamming(row_of(&j->task->left, l),
                                            row_of(&j->task->right, r), j->task->left.n_words);
    if (distance > dpl__larger(j->tile->left_cuts[left], j->tile->right_cuts[right]))
        return true;
    return dpl__vec_push(j->ctx, j->out, ((dpl_near_pair){l, r, distance}));
}

/* ---- the cut of a tile -------------------------------------------------------------- */

static void choose_cut(job *j)
{
    const dpl__tile *t = j->tile;
    uint32_t most_right;
    uint32_t usual = dpl__larger(dpl__usual_cut(t->left_cuts, t->n_left, &j->most_left),
                                 dpl__usual_cut(t->right_cuts, t->n_right, &most_right));
    const uint32_t most = dpl__larger(j->most_left, most_right);
    j->cut = usual + WORTH <= most ? usual : most;
    for (uint32_t i = 0; i < t->n_left; i++)
        if (t->left_cuts[i] <= j->cut)
            j->usual[i / 64] |= (uint64_t)1 << i % 64;
}

/* ---- comparing ---------------------------------------------------------------------- */

static bool take_mask(job *j, uint32_t right, const uint64_t *mask)
{
    for (uint32_t word = 0; word < WORDS; word++)
        for (uint64_t bits = mask[word] & j->usual[word]; bits; bits &= bits - 1)
            if (!try_pair(j, 64 * word + (uint32_t)__builtin_ctzll(bits), right))
                return false;
    return true;
}

static bool compare_usual(job *j, void *scratch)
{
    const dpl__tile *t = j->tile;
    const dpl_bit_rows *left = &j->task->left, *right = &j->task->right;
    uint64_t *mask = scratch;
    void *kernel = mask + (size_t)STEP * WORDS;
    for (uint32_t at = 0, n; at < t->n_right; at += n) {
        n = (uint32_t)dpl__min(STEP, t->n_right - at);
        const dpl__mask_rows rows = {.queries = row_of(right, t->right + at),
                                     .docs = row_of(left, t->left),
                                     .n_queries = n,
                                     .n_docs = t->n_left,
                                     .n_words = left->n_words,
                                     .stride = left->n_words};
        j->kernels->hamming_mask(mask, kernel, &rows, j->cut);
        for (uint32_t i = 0; i < n; i++)
            if (t->right_cuts[at + i] <= j->cut &&
                !take_mask(j, at + i, mask + (size_t)i * WORDS))
                return false;
    }
    return true;
}

/* A left row with a higher cut against the right rows without one. */
static bool compare_left(job *j, uint32_t left)
{
    const dpl__tile *t = j->tile;
    const dpl_bit_rows *rows = &j->task->right;
    for (uint32_t at = 0; at < t->n_right; at += 64) {
        uint64_t bits = j->kernels->hamming_few(
            row_of(&j->task->left, t->left + left), row_of(rows, t->right + at),
            dpl__min(64, t->n_right - at), rows->n_words, rows->n_words, t->left_cuts[left]);
        for (; bits; bits &= bits - 1) {
            uint32_t right = at + (uint32_t)__builtin_ctzll(bits);
            if (t->right_cuts[right] <= j->cut && !try_pair(j, left, right))
                return false;
        }
    }
    return true;
}

/* A right row with a higher cut against all left rows. */
static bool compare_right(job *j, uint32_t right)
{
    const dpl__tile *t = j->tile;
    const dpl_bit_rows *rows = &j->task->left;
    for (uint32_t at = 0; at < t->n_left; at += 64) {
        uint64_t bits = j->kernels->hamming_few(
            row_of(&j->task->right, t->right + right), row_of(rows, t->left + at),
            dpl__min(64, t->n_left - at), rows->n_words, rows->n_words,
            dpl__larger(t->right_cuts[right], j->most_left));
        for (; bits; bits &= bits - 1)
            if (!try_pair(j, at + (uint32_t)__builtin_ctzll(bits), right))
                return false;
    }
    return true;
}

static bool find(void *user, dpl_ctx *ctx, void *scratch, const dpl__tile *tile,
                 dpl__near_pairs *out)
{
    job j = {.task = user, .kernels = ctx->kernels, .ctx = ctx, .tile = tile, .out = out};
    choose_cut(&j);
    if (!compare_usual(&j, scratch))
        return false;
    for (uint32_t i = 0; i < tile->n_left; i++)
        if (tile->left_cuts[i] > j.cut && !compare_left(&j, i))
            return false;
    for (uint32_t i = 0; i < tile->n_right; i++)
        if (tile->right_cuts[i] > j.cut && !compare_right(&j, i))
            return false;
    return true;
}

dpl_status dpl__cpu_best(const dpl_device_host *host, const dpl_best *task, dpl_error *err)
{
    dpl__tiles tiles = {.n_left = task->left.n_rows,
                        .n_right = task->right.n_rows,
                        .is_self = task->is_self,
                        .user = (void *)(uintptr_t)task,
                        .n_scratch = (size_t)STEP * WORDS * sizeof(uint64_t) +
                                     dpl__hamming_scratch(task->left.n_words),
                        .find = find,
                        .taker = task->user,
                        .read_cuts = task->read_cuts,
                        .take = task->take};
    return dpl__tiles_run(host->ctx, &tiles, err);
}
