/*
 * sort.c - a merge sort: each thread sorts a run, runs are merged two by two.
 *
 * A merge is cut into pieces that begin where a binary search finds that the elements before
 * them come from this much of the one run and that much of the other, so that all threads work
 * on the last merge, too. Cost: n log n comparisons, shared by the threads; one more buffer.
 */
#include "par/sort.h"

#include "base/ctx.h"
#include "par/pool.h"

enum { FEW = 1 << 12, MOST_RUNS = 64, PIECES_A_THREAD = 2 };

typedef struct sort {
    char *from, *to;
    size_t n, size;
    int (*compare)(const void *, const void *);
    size_t n_runs;   /* a power of two */
    size_t width;    /* runs that are one already */
    size_t n_pieces; /* of a merge */
} sort;

static size_t run_begin(const sort *s, size_t run)
{
    return (size_t)((uint64_t)s->n * run / s->n_runs);
}

/* scratch: room for half of the elements. The C library's qsort does not promise to be stable.
 */
static void sort_run(const sort *s, char *data, char *scratch, size_t n)
{
    const size_t size = s->size, n_left = n / 2;
    if (n < 2)
        return;
    char *right = data + n_left * size;
    sort_run(s, data, scratch, n_left);
    sort_run(s, right, scratch, n - n_left);
    if (s->compare(right - size, right) <= 0)
        return;
    memcpy(scratch, data, n_left * size);
    const char *left = scratch, *left_end = scratch + n_left * size, *end = data + n * size;
    while (left < left_end && right < end)
        if (s->compare(left, right) <= 0) {
            memcpy(data, left, size);
            data += size;
            left += size;
        } else {
            memcpy(data, right, size);
            data += size;
            right += size;
        }
    memcpy(data, left, (size_t)(left_end - left)); /* the rest of the right is in place */
}

static void sort_one(void *user, size_t run)
{
    const sort *s = user;
    const size_t begin = run_begin(s, run);
    sort_run(s, s->from + begin * s->size, s->to + begin * s->size,
             run_begin(s, run + 1) - begin);
}

/* How many of the first k elements of the merge come from a; the others come from b. */
static size_t split(const sort *s, const char *a, size_t n_a, const char *b, size_t n_b,
                    size_t k)
{
    size_t low = k > n_b ? k - n_b : 0, high = dpl__min(k, n_a);
    while (low < high) {
        const size_t i = (low + high) / 2;
        if (s->compare(a + i * s->size, b + (k - i - 1) * s->size) <= 0)
            low = i + 1;
        else
            high = i;
    }
    return low;
}

static void merge_piece(void *user, size_t number)
{
    const sort *s = user;
    const size_t merge = number / s->n_pieces, piece = number % s->n_pieces,
                 begin = run_begin(s, 2 * s->width * merge),
                 middle = run_begin(s, (2 * merge + 1) * s->width),
                 end = run_begin(s, 2 * s->width * (merge + 1)), n = end - begin,
                 size = s->size;
    const char *a = s->from + begin * size, *b = s->from + middle * size;
    const size_t from = n * piece / s->n_pieces, to = n * (piece + 1) / s->n_pieces;
    size_t i = split(s, a, middle - begin, b, end - middle, from),
           i_end = split(s, a, middle - begin, b, end - middle, to), j = from - i,
           j_end = to - i_end;
    assert(i <= i_end && j <= j_end && i_end <= middle - begin && j_end <= end - middle);
    char *out = s->to + (begin + from) * size;
    for (; i < i_end && j < j_end; out += size)
        if (s->compare(a + i * size, b + j * size) <= 0)
            memcpy(out, a + i++ * size, size);
        else
            memcpy(out, b + j++ * size, size);
    memcpy(out, i < i_end ? a + i * size : b + j * size, (i_end - i + (j_end - j)) * size);
}

static dpl_status sort_runs(sort *s, dpl_ctx *ctx, dpl_error *err)
{
    DPL_TRY(dpl__parallel_each(ctx, s->n_runs, s, sort_one, err));
    for (s->width = 1; s->width < s->n_runs; s->width *= 2) {
        const size_t n_merges = s->n_runs / (2 * s->width);
        s->n_pieces = PIECES_A_THREAD * (size_t)ctx->n_threads / n_merges + 1;
        DPL_TRY(dpl__parallel_each(ctx, n_merges * s->n_pieces, s, merge_piece, err));
        char *swap = s->from;
        s->from = s->to;
        s->to = swap;
    }
    return DPL_OK;
}

dpl_status dpl__parallel_sort(dpl_ctx *ctx, void *data, size_t n, size_t size,
                              int (*compare)(const void *, const void *), dpl_error *err)
{
    assert(size > 0 && n <= SIZE_MAX / size);
    sort s = {.from = data, .n = n, .size = size, .compare = compare, .n_runs = 1};
    if (n < 2)
        return DPL_OK;
    while (n >= FEW && s.n_runs < ctx->n_threads && s.n_runs < MOST_RUNS)
        s.n_runs *= 2;
    char *scratch = s.to = dpl__alloc(ctx, n * size);
    DPL_TRY(dpl__need(scratch, err));
    dpl_status status;
    DPL__STEP(sort_runs(&s, ctx, err));
    if (s.from != (char *)data)
        memcpy(data, s.from, n * size);
done:
    dpl__free(ctx, scratch);
    return status;
}
