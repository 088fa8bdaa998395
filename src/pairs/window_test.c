#include "pairs/window.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* A search, and what it is run over. */
typedef struct job {
    dpl__bits left, right;
    uint64_t *words;
    bool is_self;
    dpl__window window;
    dpl__cuts cuts;
    uint64_t seed;
    /* how it is run */
    unsigned n_threads;
    dpl_cpu cpu;
    uint64_t memory;
} job;

typedef DPL_VEC(dpl__candidate) candidates;

/* What a search gave. */
typedef struct answer {
    candidates found;
    uint64_t n_compared, n_spilled;
    bool has_broken_order;
    uint32_t last_left;
    size_t n_calls;
} answer;

static void answer_clear(answer *a)
{
    free(a->found.data);
    *a = (answer){0};
}

static void push(candidates *all, dpl__candidate c)
{
    if (all->n == all->cap) {
        all->cap = 2 * all->cap + 64;
        all->data = realloc(all->data, all->cap * sizeof *all->data);
        CHECK(all->data != NULL);
    }
    all->data[all->n++] = c;
}

/* ---- rows --------------------------------------------------------------------------- */

/* Rows that are alike in groups, some of them equal, some bits the same almost everywhere. */
static void make_rows(job *j, uint32_t n_left, uint32_t n_right, uint32_t n_words,
                      dpl__rng *rng)
{
    uint32_t n = n_left + n_right, n_groups = n / 5 + 1;
    j->words = calloc((size_t)n * n_words + 1, sizeof *j->words);
    uint64_t *group = calloc((size_t)n_groups * n_words, sizeof *group);
    CHECK(j->words && group);
    for (size_t i = 0; i < (size_t)n_groups * n_words; i++) {
        group[i] = dpl__rng_next(rng);
        if (dpl__rng_below(rng, 8) == 0)
            group[i] = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t *row = j->words + (size_t)i * n_words;
        memcpy(row, group + dpl__rng_below(rng, n_groups) * n_words, n_words * sizeof *row);
        uint64_t n_flips = dpl__rng_below(rng, 3) ? dpl__rng_below(rng, 16 * n_words) : 0;
        for (; n_flips; n_flips--) {
            uint64_t bit = dpl__rng_below(rng, 64 * n_words);
            row[bit / 64] ^= (uint64_t)1 << bit % 64;
        }
    }
    free(group);
    j->left = (dpl__bits){n_left, n_words, j->words};
    j->right = (dpl__bits){n_right, n_words, j->words + (size_t)n_left * n_words};
}

static uint32_t n_rows(const job *j)
{
    return j->left.n_rows + (j->is_self ? 0 : j->right.n_rows);
}

/* ---- the oracle: whole permuted signatures, all sorted ------------------------------ */

typedef struct entry {
    uint32_t number;
    char *bits; /* '0' and '1', terminated */
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int c = strcmp(x->bits, y->bits);
    return c ? c : (x->number > y->number) - (x->number < y->number);
}

static const uint64_t *row_of(const job *j, uint32_t number)
{
    return j->words + (size_t)number * j->left.n_words;
}

static void sort_table(entry *table, const job *j, unsigned t)
{
    uint32_t n_bits = 64 * j->left.n_words;
    uint32_t *positions = malloc(n_bits * sizeof *positions);
    CHECK(positions != NULL);
    dpl__permutation(positions, n_bits, j->seed, t);
    for (uint32_t i = 0; i < n_rows(j); i++) {
        for (uint32_t k = 0; k < n_bits; k++)
            table[i].bits[k] =
                (char)('0' + (row_of(j, i)[positions[k] / 64] >> positions[k] % 64 & 1));
        table[i].number = i;
    }
    free(positions);
    qsort(table, n_rows(j), sizeof *table, compare_entries);
}

static unsigned distance(const uint64_t *a, const uint64_t *b, uint32_t n_words)
{
    return dpl__kernels_for(DPL_CPU_SCALAR)->hamming(a, b, n_words);
}

static bool passes(const job *j, uint32_t a, uint32_t b)
{
    if (j->cuts.first_words &&
        distance(row_of(j, a), row_of(j, b), j->cuts.first_words) > j->cuts.first_cut)
        return false;
    return distance(row_of(j, a), row_of(j, b), j->left.n_words) <= j->cuts.cut;
}

static int compare_candidates(const void *a, const void *b)
{
    const dpl__candidate *x = a, *y = b;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    return (x->right > y->right) - (x->right < y->right);
}

static void make_unique(candidates *all)
{
    size_t n = 0;
    if (all->n)
        qsort(all->data, all->n, sizeof *all->data, compare_candidates);
    for (size_t i = 0; i < all->n; i++)
        if (i == 0 || compare_candidates(&all->data[i], &all->data[i - 1]))
            all->data[n++] = all->data[i];
    all->n = n;
}

static void expect(answer *a, const job *j)
{
    uint32_t n = n_rows(j), n_left = j->left.n_rows;
    entry *table = calloc(n, sizeof *table);
    char *bits = calloc(n, 64 * (size_t)j->left.n_words + 1);
    CHECK(table && bits);
    for (uint32_t i = 0; i < n; i++)
        table[i].bits = bits + i * (64 * (size_t)j->left.n_words + 1);
    for (unsigned t = 0; t < j->window.n_tables; t++) {
        sort_table(table, j, t);
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t y = x + 1; y < n && y - x <= j->window.size; y++) {
                uint32_t l = table[x].number, r = table[y].number;
                if (l > r) {
                    l = table[y].number;
                    r = table[x].number;
                }
                if (!j->is_self && (l >= n_left || r < n_left))
                    continue;
                a->n_compared++;
                if (passes(j, l, r))
                    push(&a->found, (dpl__candidate){
                                        l, j->is_self ? r : r - n_left,
                                        distance(row_of(j, l), row_of(j, r), j->left.n_words)});
            }
    }
    make_unique(&a->found);
    free(bits);
    free(table);
}

/* ---- the search --------------------------------------------------------------------- */

static dpl_status take(void *user, const dpl__candidate *c, size_t n, dpl_error *err)
{
    (void)err;
    answer *a = user;
    if (n == 0 || (a->n_calls++ && c[0].left <= a->last_left))
        a->has_broken_order = true;
    for (size_t i = 0; i < n; i++) {
        if (i && compare_candidates(&c[i - 1], &c[i]) >= 0)
            a->has_broken_order = true;
        push(&a->found, c[i]);
    }
    a->last_left = c[n - 1].left;
    return DPL_OK;
}

static dpl_status search(answer *a, dpl_ctx *ctx, const job *j, dpl_error *err)
{
    dpl__spill spill;
    DPL_TRY(dpl__spill_init(&spill, ctx, test_dir(), err));
    dpl__candidate_sink sink = {a, take};
    dpl_status status = dpl__window_search(
        ctx,
        &(dpl__bit_search){&j->left, j->is_self ? NULL : &j->right, j->is_self, &j->cuts, &sink,
                           &a->n_compared, NULL},
        &j->window, j->seed, &spill, err);
    a->n_spilled = spill.n_bytes;
    dpl__spill_clear(&spill);
    return status;
}

static dpl_ctx *job_ctx(const job *j)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = j->n_threads, .cpu = j->cpu,
                                 .memory = j->memory);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    return ctx;
}

static void check_same(const answer *got, const answer *want, uint64_t seed)
{
    bool is_same = got->found.n == want->found.n && got->n_compared == want->n_compared;
    for (size_t i = 0; is_same && i < want->found.n; i++)
        is_same = compare_candidates(&got->found.data[i], &want->found.data[i]) == 0 &&
                  got->found.data[i].distance == want->found.data[i].distance;
    if (!is_same || got->has_broken_order)
        dpl__test_fail(__FILE__, __LINE__,
                       "seed %llu: %zu pairs of %llu comparisons, expected %zu of %llu%s",
                       (unsigned long long)seed, got->found.n,
                       (unsigned long long)got->n_compared, want->found.n,
                       (unsigned long long)want->n_compared,
                       got->has_broken_order ? ", out of order" : "");
}

/* Runs the job as it says and compares. */
static uint64_t check_job(const job *j, const answer *want, uint64_t seed)
{
    dpl_ctx *ctx = job_ctx(j);
    answer got = {0};
    CHECK_OK(search(&got, ctx, j, &test_err));
    check_same(&got, want, seed);
    uint64_t n_spilled = got.n_spilled;
    answer_clear(&got);
    test_ctx_done(ctx);
    return n_spilled;
}

static void random_job(job *j, uint64_t seed)
{
    dpl__rng rng = {seed << 32};
    *j = (job){.is_self = dpl__rng_below(&rng, 3) == 0, .n_threads = 1, .seed = seed};
    static const uint32_t words[] = {1, 2, 3, 5, 8, 16};
    uint32_t n_words = words[dpl__rng_below(&rng, DPL_LEN(words))];
    uint32_t most = seed % 10 ? 300 : 1500;
    uint32_t n_left = 2 + (uint32_t)dpl__rng_below(&rng, most);
    uint32_t n_right = 1 + (uint32_t)dpl__rng_below(&rng, most);
    if (seed % 7 == 0) /* one side much smaller */
        n_left = 2 + n_left % 3;
    make_rows(j, n_left, n_right, n_words, &rng);
    uint32_t n = n_rows(j);
    j->window.n_tables = 1 + (unsigned)dpl__rng_below(&rng, 4);
    j->window.size = seed % 5 == 0   ? 1
                     : seed % 5 == 1 ? n - 1
                                     : 1 + (unsigned)dpl__rng_below(&rng, n);
    j->window.chunk = j->window.size + 1 + dpl__rng_below(&rng, n);
    j->cuts.cut = (unsigned)dpl__rng_below(&rng, 40 * n_words);
    if (dpl__rng_below(&rng, 2)) {
        j->cuts.first_words = 1 + (unsigned)dpl__rng_below(&rng, n_words);
        j->cuts.first_cut = (unsigned)dpl__rng_below(&rng, 30 * j->cuts.first_words);
    }
}

DPL_TEST(window, finds_what_whole_sorted_permutations_give)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        job j;
        random_job(&j, seed);
        answer want = {0};
        expect(&want, &j);
        for (int is_basic = 0; is_basic < 2; is_basic++) {
            j.window.is_basic = is_basic;
            check_job(&j, &want, seed);
        }
        answer_clear(&want);
        free(j.words);
    }
}

/* Windows of several blocks of documents, with every remainder. */
DPL_TEST(window, finds_what_lies_at_the_seams_of_blocks)
{
    for (uint64_t seed = 1; seed <= 24; seed++) {
        dpl__rng rng = {seed << 40};
        job j = {.is_self = seed % 3 == 0, .n_threads = 1, .seed = seed};
        uint32_t n = 2000 + (uint32_t)dpl__rng_below(&rng, 3000);
        uint32_t n_left = j.is_self ? n : 400 + (uint32_t)dpl__rng_below(&rng, n - 400);
        make_rows(&j, n_left, n - n_left, 1 + (uint32_t)seed % 2, &rng);
        j.window = (dpl__window){.n_tables = 1,
                                 .size = 300 + (unsigned)dpl__rng_below(&rng, n - 300),
                                 .chunk = UINT64_MAX};
        if (seed % 4 == 0)
            j.window.chunk = j.window.size + 1 + dpl__rng_below(&rng, 2000);
        j.cuts.cut = 8 + (unsigned)dpl__rng_below(&rng, 12);
        j.cpu = (dpl_cpu)(DPL_CPU_SCALAR + (int)(seed % dpl_cpu_best()));
        answer want = {0};
        expect(&want, &j);
        check_job(&j, &want, seed);
        answer_clear(&want);
        free(j.words);
    }
}

DPL_TEST(window, does_not_depend_on_threads_cpu_chunk_or_memory)
{
    uint64_t n_spilled = 0;
    for (uint64_t seed = 100; seed < 112; seed++) {
        job j;
        random_job(&j, seed);
        answer want = {0};
        expect(&want, &j);
        for (int k = 0; k < 12; k++) {
            j.n_threads = 1 + (unsigned)k % 3;
            j.cpu = (dpl_cpu)(DPL_CPU_SCALAR + k % (int)dpl_cpu_best());
            j.memory = k % 2 ? 1 : 0;
            j.window.is_basic = k % 6 == 5;
            j.window.chunk = k % 4 == 3 ? UINT64_MAX : j.window.size + 1 + (uint64_t)(k * k);
            n_spilled += check_job(&j, &want, seed);
        }
        answer_clear(&want);
        free(j.words);
    }
    CHECK(n_spilled > 0);
}

/* Many rows, few distinct ones: long ties, and more pairs than fit into memory. */
static void make_crowd(job *j, uint32_t n_left, uint32_t n_right)
{
    dpl__rng rng = {5};
    *j = (job){.is_self = n_right == 0,
               .n_threads = 2,
               .seed = 3,
               .window = {.n_tables = 3, .size = 40, .chunk = 200},
               .cuts = {.cut = 30}};
    make_rows(j, n_left, n_right, 4, &rng);
    uint64_t *words = j->words;
    for (uint32_t i = 20; i < n_left + n_right; i++)
        memcpy(words + (size_t)i * 4, words + dpl__rng_below(&rng, 20) * 4, 4 * sizeof *words);
}

DPL_TEST(window, sorts_and_collects_in_files_when_memory_is_short)
{
    job j;
    make_crowd(&j, 5000, 0);
    answer want = {0};
    expect(&want, &j);
    CHECK(want.found.n > 100000);
    for (int is_basic = 0; is_basic < 2; is_basic++) {
        j.window.is_basic = is_basic;
        j.memory = 0;
        CHECK_EQ(check_job(&j, &want, 0), 0);
        j.memory = 1;
        CHECK(check_job(&j, &want, 0) > 100000 * sizeof(uint64_t));
    }
    answer_clear(&want);
    free(j.words);
}

/* A limit on the size of files stands for a disk that is full. */
DPL_TEST(window, says_so_when_the_disk_is_full)
{
    job j;
    make_crowd(&j, 5000, 0);
    j.memory = 1;
    struct rlimit old;
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    dpl_status status = DPL_E_IO;
    size_t n_failed = 0;
    for (rlim_t limit = 0; status != DPL_OK; limit += 30000) {
        struct rlimit full = {limit, old.rlim_max};
        dpl_ctx *ctx = job_ctx(&j);
        answer got = {0};
        CHECK(setrlimit(RLIMIT_FSIZE, &full) == 0);
        status = search(&got, ctx, &j, &test_err);
        CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
        CHECK(status == DPL_OK || got.found.n == 0);
        answer_clear(&got);
        test_ctx_done(ctx);
        if (status == DPL_OK)
            break;
        n_failed++;
        CHECK_EQ(status, DPL_E_IO);
        CHECK(test_err.sys_errno == EFBIG);
        CHECK(strstr(test_err.text, "cannot write a temporary file in") != NULL);
    }
    signal(SIGXFSZ, old_handler);
    CHECK(n_failed > 1);
    free(j.words);
}

static dpl_status search_little(void *user, dpl_ctx *ctx, dpl_error *err)
{
    answer a = {0};
    dpl_status status = search(&a, ctx, user, err);
    answer_clear(&a);
    return status;
}

DPL_TEST(window, survives_every_failing_allocation)
{
    for (int is_basic = 0; is_basic < 2; is_basic++) {
        job j;
        make_crowd(&j, 500, 300);
        j.window.is_basic = is_basic;
        test_allocation_failures(search_little, &j);
        free(j.words);
    }
}

static int stop(void *user, const dpl_progress *p)
{
    (void)user;
    return strcmp(p->stage, "window") == 0;
}

DPL_TEST(window, stops_when_asked_to)
{
    job j;
    make_crowd(&j, 500, 300);
    for (int is_basic = 0; is_basic < 2; is_basic++) {
        j.window.is_basic = is_basic;
        dpl_ctx *ctx = NULL;
        dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .progress = stop);
        CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
        answer got = {0};
        CHECK_EQ(search(&got, ctx, &j, &test_err), DPL_E_STOPPED);
        CHECK_EQ(got.found.n, 0);
        answer_clear(&got);
        test_ctx_done(ctx);
    }
    free(j.words);
}
