#include "io/merge.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_RUNS = 9, MOST = 4000 };

/* Of equal keys, the order shows: the run's number, then the place in it. */
typedef struct element {
    uint32_t key, run, place;
} element;

static int compare(const void *a, const void *b)
{
    const element *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static bool is_before(const void *user, const void *a, const void *b)
{
    (void)user;
    const element *x = (const void *)((const dpl__run *)a)->at;
    const element *y = (const void *)((const dpl__run *)b)->at;
    return x->key < y->key || (x->key == y->key && a < b);
}

/* Runs of any length, also empty ones, in memory or through windows of any size. */
static void check_merge(dpl_ctx *ctx, uint64_t seed)
{
    dpl__spill spill;
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    dpl__spool file;
    dpl__spool_init(&file, &spill, 0);
    dpl__rng rng = {seed};
    static element all[MOST], window[MOST_RUNS][16];
    dpl__run runs[MOST_RUNS];
    void *heap[MOST_RUNS];
    dpl__merge m = {.heap = heap};
    size_t n_runs = dpl__rng_below(&rng, MOST_RUNS + 1), n = 0;
    for (uint32_t r = 0; r < n_runs; r++) {
        size_t begin = n, n_run = dpl__rng_below(&rng, 3) ? dpl__rng_below(&rng, 400) : 0;
        uint32_t key = 0;
        for (uint32_t i = 0; i < n_run; i++)
            all[n++] = (element){key += (uint32_t)dpl__rng_below(&rng, 3), r, i};
        const char *at = (const char *)(all + begin);
        runs[r] = (dpl__run){.at = at, .end = at + n_run * sizeof *all};
        if (dpl__rng_below(&rng, 2)) {
            runs[r] = (dpl__run){.file = &file,
                                 .file_at = dpl__spool_size(&file),
                                 .window = window[r],
                                 .n_window = (1 + dpl__rng_below(&rng, 16)) * sizeof *all};
            CHECK_OK(dpl__spool_append(&file, at, n_run * sizeof *all, &test_err));
            runs[r].file_end = dpl__spool_size(&file);
        }
        CHECK_OK(dpl__run_fill(&runs[r], &test_err));
        dpl__merge_add(&m, &runs[r], dpl__run_has_one(&runs[r]));
    }
    static element sorted[MOST];
    memcpy(sorted, all, sizeof sorted);
    qsort(sorted, n, sizeof *sorted, compare);
    dpl__merge_begin(&m, is_before, NULL);
    size_t n_same = 0;
    for (; m.n && n_same < n; n_same++) {
        dpl__run *first = m.heap[0];
        if (compare(first->at, &sorted[n_same]) != 0)
            break;
        CHECK_OK(dpl__run_next(first, sizeof *all, &test_err));
        dpl__merge_next(&m, dpl__run_has_one(first), is_before, NULL);
    }
    if (n_same != n)
        printf("seed %llu\n", (unsigned long long)seed);
    CHECK_EQ(n_same, n);
    CHECK_EQ(m.n, 0);
    dpl__spool_clear(&file);
    dpl__spill_clear(&spill);
}

DPL_TEST(merge, of_runs_is_a_stable_sort)
{
    dpl_ctx *ctx = test_ctx(1);
    for (uint64_t seed = 0; seed < 200; seed++)
        check_merge(ctx, seed);
    test_ctx_done(ctx);
}
