#include "sentences/aligned.h"

#include "test.h"

/* A document pair with `n` beads; is_crossing: their right sides fall. */
static dpl_aligned_docs make(uint32_t number, uint32_t n, bool is_crossing, bool is_plain)
{
    static dpl_bead beads[300];
    static uint32_t units[2][300];
    for (uint32_t i = 0; i < n; i++)
        beads[i] = (dpl_bead){.left = 2 * i,
                              .n_left = 2,
                              .right = is_crossing ? n - 1 - i : i,
                              .n_right = i % 5 ? 1 : 0,
                              .score = i % 5 ? 1.0f / (float)(i + number) : 0,
                              .verdict = (dpl_verdict)(i % DPL_N_VERDICTS)};
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < 300; i++)
            units[side][i] = is_plain ? i : 3 * i + (uint32_t)side + 1;
    return (dpl_aligned_docs){.docs = {number, 1000000 * number},
                              .units = {units[0], units[1]},
                              .n_units = {2 * n < 299 ? 2 * n : 299, n},
                              .beads = beads,
                              .n_beads = n};
}

static dpl_aligned_docs make_number(uint32_t number)
{
    return make(number, number % 149, number % 3 == 0, number % 2 == 0);
}

static void check_equal(const dpl_aligned_docs *a, const dpl_aligned_docs *b)
{
    CHECK_EQ(a->docs.left, b->docs.left);
    CHECK_EQ(a->docs.right, b->docs.right);
    CHECK_EQ(a->n_beads, b->n_beads);
    for (int side = 0; side < 2; side++) {
        CHECK_EQ(a->n_units[side], b->n_units[side]);
        CHECK(memcmp(a->units[side], b->units[side],
                     ((size_t)a->n_units[side] + 1) * sizeof(uint32_t)) == 0);
    }
    CHECK(a->n_beads == 0 || memcmp(a->beads, b->beads, a->n_beads * sizeof *a->beads) == 0);
}

enum { N = 200 };

static dpl__aligned *fill(dpl_ctx *ctx, const char *dir, size_t share)
{
    dpl__aligned *a = NULL;
    CHECK_OK(dpl__aligned_new(&a, ctx, dir, share, &test_err));
    for (uint32_t i = 0; i < N; i++) {
        dpl_aligned_docs docs = make_number(i);
        CHECK_OK(dpl__aligned_add(a, &docs, &test_err));
    }
    CHECK_EQ(dpl__aligned_size(a), N);
    return a;
}

DPL_TEST(aligned, pairs_come_back_as_they_were_added)
{
    dpl_ctx *ctx = test_ctx(1);
    for (size_t share = 100; share < 1000000; share *= 100) {
        dpl__aligned *a = fill(ctx, share > 100000 ? NULL : test_path("."), share);
        dpl__aligned_reader reader = {0};
        for (uint32_t i = 0; i < N; i++) {
            uint32_t number = i * 77 % N; /* in some other order */
            dpl_aligned_docs expected = make_number(number), docs;
            CHECK_OK(dpl__aligned_read(&docs, &reader, a, number, &test_err));
            CHECK_EQ(docs.pair, number);
            check_equal(&expected, &docs);
        }
        dpl__aligned_reader_clear(&reader, ctx);
        dpl__aligned_free(a);
    }
    test_ctx_done(ctx);
}

typedef struct taken {
    size_t n;
    dpl_sentences_summary summary;
} taken;

static dpl_status take(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    (void)err;
    taken *t = user;
    CHECK_EQ(docs->pair, t->n);
    CHECK_EQ(docs->docs.left, 2 * t->n + 1);
    t->n++;
    dpl__sentences_count(&t->summary, docs);
    return t->n == 30 ? DPL_E_STOPPED : DPL_OK;
}

DPL_TEST(aligned, chosen_pairs_are_handed_out_in_order_until_the_caller_stops)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__aligned *a = fill(ctx, NULL, 0);
    size_t numbers[N / 2];
    taken t = {0};
    for (size_t i = 0; i < N / 2; i++)
        numbers[i] = 2 * i + 1;
    CHECK_OK(dpl__aligned_each(a, numbers, 20, take, &t, &test_err));
    CHECK_EQ(t.summary.n_pairs, 20);
    CHECK_EQ(t.summary.n_beads, 400); /* 1 + 3 + ... + 39 */
    t = (taken){0};
    CHECK_EQ(dpl__aligned_each(a, numbers, N / 2, take, &t, NULL), DPL_E_STOPPED);
    CHECK_EQ(t.n, 30);
    dpl__aligned_free(a);
    test_ctx_done(ctx);
}
