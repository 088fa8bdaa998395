#include "io/external_sort.h"

#include "base/hash.h"
#include "test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct record {
    uint32_t key, number; /* in the order they were added */
} record;

#define HAS_LOWER_KEY(a, b) ((a)->key < (b)->key)
DPL_EXTERNAL_SORT(record_sort, record, HAS_LOWER_KEY, DPL_KEEP_ALL);

typedef struct tally {
    uint64_t key, n;
} tally;

static bool add_tally(tally *a, const tally *b)
{
    if (a->key != b->key)
        return false;
    a->n += b->n;
    return true;
}
DPL_EXTERNAL_SORT(tally_sort, tally, HAS_LOWER_KEY, add_tally);

static int compare(const void *a, const void *b)
{
    const record *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

enum { MOST = 70 << 10 };

/* How many records come as qsort has them; all of them, or something is wrong. */
static size_t sort_like_qsort(dpl_ctx *ctx, size_t n, size_t n_keys, size_t share)
{
    static record all[MOST];
    dpl__spill spill;
    record_sort s;
    record r;
    dpl__rng rng = {n + share};
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    record_sort_init(&s, &spill, share);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = (record){(uint32_t)dpl__rng_below(&rng, n_keys), i};
        CHECK_OK(record_sort_add(&s, &all[i], &test_err));
    }
    qsort(all, n, sizeof *all, compare);
    CHECK_OK(record_sort_end(&s, &test_err));
    CHECK(s.runs.ends.n < DPL__MOST_RUNS);
    size_t n_same = 0;
    while (record_sort_next(&s, &r, &test_err) == DPL_OK)
        n_same += n_same < n && compare(&r, &all[n_same]) == 0;
    CHECK_EQ(record_sort_next(&s, &r, &test_err), DPL_END);
    record_sort_clear(&s);
    dpl__spill_clear(&spill);
    return n_same;
}

DPL_TEST(external_sort, is_a_stable_sort_whatever_its_share)
{
    static const size_t sizes[] = {0, 1, 1023, 1024, 1025, 8000, MOST};
    dpl_ctx *ctx = test_ctx(2);
    for (size_t i = 0; i < DPL_LEN(sizes); i++)
        for (size_t share = 1; share < 1 << 22; share *= 64) {
            CHECK_EQ(sort_like_qsort(ctx, sizes[i], 100, share), sizes[i]);
            CHECK_EQ(sort_like_qsort(ctx, sizes[i], 1 << 30, share), sizes[i]);
        }
    test_ctx_done(ctx);
}

DPL_TEST(external_sort, joins_equal_records_of_buffer_runs_and_joined_runs)
{
    enum { N_KEYS = 5000 };
    dpl_ctx *ctx = test_ctx(1);
    dpl__spill spill;
    tally_sort s;
    tally t;
    uint64_t naive[N_KEYS] = {0}, last = 0;
    dpl__rng rng = {3};
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    tally_sort_init(&s, &spill, 1); /* of a buffer some are equal, but not half of them */
    for (int i = 0; i < 100000; i++) {
        t = (tally){dpl__rng_below(&rng, N_KEYS), 1 + dpl__rng_below(&rng, 9)};
        naive[t.key] += t.n;
        CHECK_OK(tally_sort_add(&s, &t, &test_err));
    }
    CHECK_OK(tally_sort_end(&s, &test_err));
    size_t n = 0;
    for (; tally_sort_next(&s, &t, &test_err) == DPL_OK; n++, last = t.key) {
        CHECK(!n || t.key > last);
        CHECK_EQ(t.n, naive[t.key]);
    }
    CHECK_EQ(n, N_KEYS);
    tally_sort_clear(&s);
    dpl__spill_clear(&spill);
    test_ctx_done(ctx);
}

DPL_TEST(external_sort, what_joining_halves_stays_in_memory)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__spill spill;
    tally_sort s;
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    tally_sort_init(&s, &spill, 1);
    for (uint64_t i = 0; i < 100000; i++)
        CHECK_OK(tally_sort_add(&s, &(tally){i % 20, 1}, &test_err));
    CHECK_OK(tally_sort_end(&s, &test_err));
    CHECK_EQ(s.runs.ends.n, 0);
    CHECK_EQ(s.buffer.n, 20);
    CHECK_EQ(spill.n_bytes, 0);
    tally_sort_clear(&s);
    dpl__spill_clear(&spill);
    test_ctx_done(ctx);
}

static dpl_status sort_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__spill spill;
    record_sort s;
    record r;
    DPL_TRY(dpl__spill_init(&spill, ctx, user, err));
    record_sort_init(&s, &spill, 1);
    dpl_status status = DPL_OK;
    for (uint32_t i = 0; i < 70 * DPL__LEAST_RECORDS && status == DPL_OK; i++)
        status = record_sort_add(&s, &(record){i * 7919 % 997, i}, err);
    if (status == DPL_OK)
        status = record_sort_end(&s, err);
    while (status == DPL_OK)
        status = record_sort_next(&s, &r, err);
    record_sort_clear(&s);
    dpl__spill_clear(&spill);
    return status == DPL_END ? DPL_OK : status;
}

DPL_TEST(external_sort, survives_every_failing_allocation)
{
    test_allocation_failures(sort_some, (void *)(uintptr_t)test_dir());
}

DPL_TEST(external_sort, a_full_disk_is_an_error)
{
    dpl_ctx *ctx = test_ctx(1);
    struct rlimit old;
    void (*was)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    const size_t n_bytes = 70 * DPL__LEAST_RECORDS * sizeof(record);
    for (size_t most = 0; most < n_bytes / 2; most += n_bytes / 10) {
        struct rlimit full = {most, old.rlim_max};
        CHECK(setrlimit(RLIMIT_FSIZE, &full) == 0);
        const dpl_status status = sort_some((void *)(uintptr_t)test_dir(), ctx, &test_err);
        CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
        CHECK_EQ(status, DPL_E_IO);
    }
    signal(SIGXFSZ, was);
    CHECK_EQ(sort_some((void *)(uintptr_t) "/nowhere", ctx, &test_err), DPL_E_IO);
    test_ctx_done(ctx);
}
