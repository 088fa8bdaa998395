/* The k nearest of every row and column are those of all pairs, naively sorted. */
#include "base/ctx.h"
#include "devices/device.h"
#include "kernels/kernels.h"
#include "pairs/exact_test.h"
#include "pairs/rising.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the naive version -------------------------------------------------------------- */

/* Neighbours of one row, as a list is to have them: by score, then row. */
static int compare_naive(const void *a, const void *b)
{
    const dpl_scored_row *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

static void check_list(const dpl_scored_row *list, unsigned k, dpl_scored_row *naive, size_t n,
                       const char *what, uint32_t row, uint64_t seed)
{
    qsort(naive, n, sizeof *naive, compare_naive);
    for (unsigned i = 0; i < k; i++) {
        dpl_scored_row e = i < n ? naive[i] : (dpl_scored_row){DPL__NO_ROW, 0};
        if (list[i].row != e.row || list[i].score != e.score)
            dpl__test_fail(__FILE__, __LINE__,
                           "seed %llu, %s row %u, neighbour %u: %u %.9g, not %u %.9g",
                           (unsigned long long)seed, what, row, i, list[i].row,
                           (double)list[i].score, e.row, (double)e.score);
    }
}

/* right NULL: within left. */
static void check(const dpl_neighbours *found, const made *left, const made *right,
                  double threshold, uint64_t seed)
{
    unsigned k = dpl_neighbours_get_summary(found)->k;
    size_t n;
    dpl_pair *all = test_all_pairs(left, right ? right : left, threshold, NULL, 0, &n);
    dpl_scored_row *list = malloc((n + 1) * sizeof *list);
    CHECK(list);
    uint32_t n_left = left->vectors.sizes.n_rows;
    uint32_t n_right = right ? right->vectors.sizes.n_rows : 0;
    for (uint32_t row = 0; row < n_left; row++) {
        size_t m = 0;
        for (size_t i = 0; i < n; i++) {
            if (all[i].left == row)
                list[m++] = (dpl_scored_row){all[i].right, all[i].score};
            else if (!right && all[i].right == row)
                list[m++] = (dpl_scored_row){all[i].left, all[i].score};
        }
        check_list(dpl_neighbours_of(found, false, row), k, list, m, "left", row, seed);
    }
    for (uint32_t row = 0; row < n_right; row++) {
        size_t m = 0;
        for (size_t i = 0; i < n; i++)
            if (all[i].right == row)
                list[m++] = (dpl_scored_row){all[i].left, all[i].score};
        check_list(dpl_neighbours_of(found, true, row), k, list, m, "right", row, seed);
    }
    free(list);
    free(all);
}

/* ---- exact -------------------------------------------------------------------------- */

typedef struct trial {
    recipe left, right;
    unsigned k, n_threads;
    double threshold;
    uint64_t memory; /* 0: as it is */
    bool is_self;
} trial;

static void run(const trial *t)
{
    made left = {0}, right = {0};
    test_make_rows(&left, &t->left, NULL);
    if (!t->is_self)
        test_make_rows(&right, &t->right, &left);
    dpl_ctx *ctx = test_ctx(t->n_threads);
    if (t->memory)
        ctx->memory = t->memory;
    dpl_pairs_side a = {.vectors = &left.vectors}, b = {.vectors = &right.vectors};
    dpl_neighbours_options o = DPL_INIT(dpl_neighbours_options, .k = t->k,
                                        .threshold = t->threshold, .no_content_ties = true);
    dpl_neighbours *found = NULL;
    CHECK_OK(dpl_neighbours_find(&found, ctx, &a, t->is_self ? NULL : &b, &o, &test_err));
    check(found, &left, t->is_self ? NULL : &right, t->threshold, t->left.seed);
    CHECK(dpl_neighbours_get_summary(found)->recall_check->is_exact);
    dpl_neighbours_free(found);
    test_ctx_done(ctx);
    test_free_rows(&left);
    if (!t->is_self)
        test_free_rows(&right);
}

DPL_TEST(neighbours, are_those_of_all_pairs)
{
    static const double thresholds[] = {0, 0.02, 0.2, 0.7};
    for (uint64_t seed = 1; seed <= 16; seed++) {
        trial t = {.left = {.seed = seed,
                            .n_rows = (uint32_t)(20 * seed),
                            .n_terms = seed % 3 ? 400 : 40,
                            .length = seed % 4 ? 15 : 60,
                            .skew = 1 + (double)(seed % 3)},
                   .k = 1 + (unsigned)seed % 9,
                   .n_threads = 1 + (unsigned)seed % 3,
                   .threshold = thresholds[seed % 4]};
        t.right = t.left;
        t.right.seed = seed + 1000;
        t.right.n_rows = (uint32_t)(400 - 20 * seed);
        run(&t);
    }
}

DPL_TEST(neighbours, do_not_need_their_vectors_afterwards)
{
    made left = {0}, right = {0};
    recipe r = {.seed = 5, .n_rows = 50, .n_terms = 90, .length = 15, .skew = 1};
    test_make_rows(&left, &r, NULL);
    r.seed = 6;
    test_make_rows(&right, &r, &left);
    dpl_ctx *ctx = test_ctx(2);
    dpl_pairs_side a = {.vectors = &left.vectors}, b = {.vectors = &right.vectors};
    dpl_neighbours_options o = DPL_INIT(dpl_neighbours_options, .k = 3);
    dpl_neighbours *found = NULL;
    CHECK_OK(dpl_neighbours_find(&found, ctx, &a, &b, &o, &test_err));
    test_free_rows(&left);
    test_free_rows(&right);
    left = right = (made){0};
    CHECK(dpl_neighbours_get_summary(found)->n_left == 50);
    CHECK(dpl_neighbours_of(found, false, 49)->row < 50);
    CHECK(dpl_neighbours_of(found, true, 49)->row < 50);
    dpl_neighbours_free(found);
    test_ctx_done(ctx); /* every byte was given back */
}

/* Also where dpl_neighbours_find would not take it: few pairs. */
static void run_small(const recipe *l, const recipe *r, unsigned k, unsigned n_threads)
{
    made left = {0}, right = {0};
    test_make_rows(&left, l, NULL);
    test_make_rows(&right, r, &left);
    dpl_ctx *ctx = test_ctx(n_threads);
    dpl_pairs_side a = {.vectors = &left.vectors}, b = {.vectors = &right.vectors};
    dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .k = k, .no_content_ties = true);
    dpl_neighbours *expected = NULL;
    CHECK_OK(dpl_neighbours_find(&expected, ctx, &a, &b, &o, &test_err));
    dpl__sides sides;
    dpl__neighbour_lists lists;
    CHECK_OK(dpl__sides_init(&sides, ctx, &left.vectors, &right.vectors, &test_err));
    CHECK_OK(dpl__neighbour_lists_init(&lists, ctx, &sides, k,
                                       &(dpl__tie_keys){.is_by_row = true}, &test_err));
    dpl__nearest_search search = {.lists = &lists, .sides = &sides};
    CHECK_OK(dpl__neighbours_exact(&search, NULL, &test_err));
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < lists.n_rows[side]; row++)
            for (unsigned i = 0; i < k; i++) {
                dpl_scored_row e = dpl_neighbours_of(expected, side, row)[i];
                dpl_scored_row f = dpl__neighbour_lists_get(&lists, side, row, i);
                CHECK(e.row == f.row && e.score == f.score);
            }
    dpl__neighbour_lists_clear(&lists);
    dpl__sides_clear(&sides, ctx);
    dpl_neighbours_free(expected);
    test_ctx_done(ctx);
    test_free_rows(&left);
    test_free_rows(&right);
}

DPL_TEST(neighbours, by_bounds_are_those_of_all_products)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        recipe l = {.seed = seed,
                    .n_rows = 1 + (uint32_t)(7 * seed),
                    .n_terms = seed % 3 ? 400 : 40,
                    .length = seed % 4 ? 15 : 60,
                    .skew = 1 + (double)(seed % 3)};
        recipe r = l;
        r.seed = seed + 500;
        r.n_rows = (uint32_t)(300 - 7 * seed);
        run_small(&l, &r, 1 + (unsigned)seed % 9, 1 + (unsigned)seed % 3);
    }
}

DPL_TEST(neighbours, of_many_blocks_and_shards_are_the_same)
{
    for (int i = 0; i < 3; i++) {
        trial t = {
            .left = {.seed = 5, .n_rows = 150, .n_terms = 900, .length = 12, .skew = 2},
            .right = {.seed = 6, .n_rows = 9000, .n_terms = 900, .length = 12, .skew = 2},
            .k = 4,
            .n_threads = 2,
            .threshold = 0.15,
            .memory = i == 2 ? 1 << 20 : 0};
        if (i == 1) {
            recipe swap = t.left;
            t.left = t.right;
            t.right = swap;
        }
        run(&t);
    }
}

DPL_TEST(neighbours, of_dense_rows_and_within_one_set)
{
    trial t = {.left = {.seed = 3, .n_rows = 60, .dim = 7},
               .right = {.seed = 4, .n_rows = 80, .dim = 7},
               .k = 5,
               .n_threads = 2};
    run(&t);
    t.is_self = true;
    run(&t);
    t.left = (recipe){.seed = 9, .n_rows = 150, .n_terms = 200, .length = 20, .skew = 2};
    run(&t);
    t.left.n_rows = 700; /* with bounds */
    run(&t);
    t.threshold = 0.3;
    t.memory = 1 << 20;
    run(&t);
}

/* ---- ties --------------------------------------------------------------------------- */

/* Rows of two groups of equal terms, in two orders: neighbours have the same content. */
DPL_TEST(neighbours, do_not_depend_on_the_order_of_rows)
{
    enum { N = 40, K = 3 };
    dpl_ctx *ctx = test_ctx(2);
    dpl_scored_row lists[2][N][K];
    for (int order = 0; order < 2; order++) {
        uint64_t offsets[N + 1];
        uint32_t terms[2 * N];
        float weights[2 * N];
        uint64_t name_offsets[3 * N + 1];
        char names[3 * N * 3 + 1];
        /* row i has term 0, which all share, and one of its own: every cosine is the same */
        for (uint32_t i = 0; i < N; i++) {
            uint32_t which = order ? N - 1 - i : i;
            offsets[i] = 2 * i;
            terms[2 * i] = 0;
            terms[2 * i + 1] = 1 + which;
            weights[2 * i] = 0.6f;
            weights[2 * i + 1] = 0.8f;
        }
        offsets[N] = 2 * N;
        for (uint32_t i = 0; i <= 3 * N; i++)
            name_offsets[i] = 3 * i;
        for (int i = 0; i < 3 * N; i++)
            snprintf(names + 3 * i, 4, "%03d", i);
        dpl_vectors v = {.ctx = ctx,
                         .path = "made",
                         .sizes = {.n_rows = N, .n_terms = N + 1, .n_entries = 2 * N},
                         .rows = {N, N + 1, offsets, terms, weights},
                         .terms = {.offsets = name_offsets, .bytes = names, .n = N + 1}};
        dpl_vectors other = v;
        dpl_pairs_side a = {.vectors = &v}, b = {.vectors = &other};
        dpl_neighbours *found = NULL;
        dpl_neighbours_options o = DPL_INIT(dpl_neighbours_options, .k = K + 1);
        CHECK_OK(dpl_neighbours_find(&found, ctx, &a, &b, &o, &test_err));
        for (uint32_t i = 0; i < N; i++) {
            uint32_t which = order ? N - 1 - i : i;
            const dpl_scored_row *list = dpl_neighbours_of(found, false, i);
            CHECK_EQ(list[0].row, i); /* itself */
            for (size_t k = 0; k < K; k++) {
                lists[order][which][k] = list[k + 1];
                lists[order][which][k].row = order ? N - 1 - list[k + 1].row : list[k + 1].row;
            }
        }
        dpl_neighbours_free(found);
    }
    CHECK(memcmp(lists[0], lists[1], sizeof lists[0]) == 0);
    test_ctx_done(ctx);
}

/* ---- other methods, failures -------------------------------------------------------- */

enum { SIGNATURE = 256 }; /* bits or dimensions */

/* What the searches share. */
typedef struct searched {
    made left, right;
    dpl_pair *all[2]; /* above 0: between the sides, within left */
    size_t n[2];
} searched;

/* All pairs that are seen: whose signatures differ in no more bits than those of 0.9 of the
 * pairs with their cosine. The lists have the best of them. */
static void check_seen(const dpl_neighbours *found, const searched *in, const trial *t,
                       dpl_ctx *ctx, dpl_sign_method signature)
{
    const made *left = &in->left, *right = t->is_self ? NULL : &in->right;
    const made *sides[2] = {left, right ? right : left};
    dpl_signatures *signs[2];
    dpl_sign_options o = DPL_INIT(dpl_sign_options, .method = signature, .length = SIGNATURE);
    for (int i = 0; i < 2; i++)
        CHECK_OK(dpl_signatures_make(&signs[i], ctx, &sides[i]->vectors, &o, &test_err));
    dpl__score_cuts *cuts = malloc(sizeof *cuts);
    CHECK(cuts);
    dpl__score_cuts_of(cuts, signature, SIGNATURE, 0.9);
    unsigned k = dpl_neighbours_get_summary(found)->k;
    size_t n = 0, n_seen = 0;
    dpl_pair *all = malloc((in->n[t->is_self] + 1) * sizeof *all);
    CHECK(all);
    for (size_t i = 0; i < in->n[t->is_self]; i++) {
        const dpl_pair p = in->all[t->is_self][i];
        if (!((double)p.score >= t->threshold))
            continue;
        n++;
        unsigned distance = dpl_signatures_distance(signs[0], p.left, signs[1], p.right);
        if (distance <= dpl__score_cut(cuts, (double)p.score))
            all[n_seen++] = p;
    }
    CHECK(n < 100 || (n_seen < n && n_seen > n / 2));
    /* those of a row or column: the last one, and for each the one before it */
    enum { NONE = -1 };
    uint32_t n_rows[2] = {left->vectors.sizes.n_rows, sides[1]->vectors.sizes.n_rows};
    ptrdiff_t *last[2], *before[2];
    for (int side = 0; side < 2; side++) {
        last[side] = malloc((n_rows[side] + 1) * sizeof *last[side]);
        before[side] = malloc((n_seen + 1) * sizeof *before[side]);
        CHECK(last[side] && before[side]);
        for (uint32_t row = 0; row < n_rows[side]; row++)
            last[side][row] = NONE;
        for (size_t i = 0; i < n_seen; i++) {
            uint32_t row = side ? all[i].right : all[i].left;
            before[side][i] = last[side][row];
            last[side][row] = (ptrdiff_t)i;
        }
    }
    dpl_scored_row *list = malloc((n + 1) * sizeof *list);
    CHECK(list);
    for (int side = 0; side < (right ? 2 : 1); side++)
        for (uint32_t row = 0; row < n_rows[side]; row++) {
            size_t m = 0;
            for (int end = 0; end < 2; end++) { /* within one set a row has pairs as either */
                if (right && end != side)
                    continue;
                for (ptrdiff_t i = last[end][row]; i != NONE; i = before[end][i])
                    list[m++] =
                        (dpl_scored_row){end ? all[i].left : all[i].right, all[i].score};
            }
            check_list(dpl_neighbours_of(found, side, row), k, list, m, side ? "right" : "left",
                       row, t->left.seed);
        }
    for (int side = 0; side < 2; side++) {
        free(last[side]);
        free(before[side]);
    }
    free(list);
    free(all);
    free(cuts);
    dpl_signatures_close(signs[0]);
    dpl_signatures_close(signs[1]);
}

/* Those of all rows, then of all columns. */
static dpl_scored_row *copy_lists(const dpl_neighbours *found, const trial *t)
{
    uint32_t n_rows[2] = {t->left.n_rows, t->is_self ? 0 : t->right.n_rows};
    dpl_scored_row *lists = malloc((n_rows[0] + n_rows[1]) * t->k * sizeof *lists), *at = lists;
    CHECK(lists);
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < n_rows[side]; row++, at += t->k)
            memcpy(at, dpl_neighbours_of(found, side, row), t->k * sizeof *at);
    return lists;
}

/* window: all rows are within it. */
static void run_bits(const searched *in, const trial *t, dpl_pairs_method method,
                     dpl_sign_method signature, const dpl_device_table *device)
{
    uint32_t n_rows = t->left.n_rows + (t->is_self ? 0 : t->right.n_rows);
    dpl_scored_row *lists = NULL; /* of one thread, checked; those of others are the same */
    for (unsigned n_threads = 1; n_threads <= t->n_threads; n_threads++) {
        dpl_ctx *ctx = test_ctx(n_threads);
        ctx->device = device ? device : ctx->device;
        dpl_pairs_side a = {.vectors = &in->left.vectors}, b = {.vectors = &in->right.vectors};
        dpl_pairs_options search =
            DPL_INIT(dpl_pairs_options, .recall = 0.9, .signature = signature,
                     .length = SIGNATURE, .sample = 1000);
        if (method == DPL_PAIRS_WINDOW) {
            search.tables = 2;
            search.width = n_rows - 1;
        }
        dpl_neighbours_options o = DPL_INIT(dpl_neighbours_options, .method = method, .k = t->k,
                                            .threshold = t->threshold, .no_content_ties = true,
                                            .search = &search, .temp = test_dir());
        dpl_neighbours *found = NULL;
        CHECK_OK(dpl_neighbours_find(&found, ctx, &a, t->is_self ? NULL : &b, &o, &test_err));
        if (!lists) {
            check_seen(found, in, t, ctx, signature);
            lists = copy_lists(found, t);
        }
        dpl_scored_row *same = copy_lists(found, t);
        CHECK(memcmp(same, lists, n_rows * t->k * sizeof *lists) == 0);
        free(same);
        const dpl_neighbours_summary *s = dpl_neighbours_get_summary(found);
        CHECK(s->n_scored > 0 && s->n_compared > 0 && s->bits == SIGNATURE);
        CHECK(!s->recall_check->is_exact && s->recall_check->n_rows == n_rows);
        CHECK(s->recall_check->recall > 0.6 && s->recall_check->recall < 1);
        CHECK(s->recall_check->low == s->recall_check->high); /* all rows were looked at */
        dpl_neighbours_free(found);
        ctx->device = &dpl__cpu_device;
        test_ctx_done(ctx);
    }
    free(lists);
}

DPL_TEST(neighbours, from_signatures_are_the_best_of_what_is_seen)
{
    trial t = {.left = {.seed = 1, .n_rows = 700, .n_terms = 300, .length = 20, .skew = 2},
               .right = {.seed = 2, .n_rows = 900, .n_terms = 300, .length = 20, .skew = 2},
               .k = 5,
               .n_threads = 3};
    const dpl_device_table *fake = dpl__plugin_load(DPL_TEST_FAKE_DEVICE, "fake");
    CHECK(fake && fake->best);
    searched in = {0};
    test_make_rows(&in.left, &t.left, NULL);
    test_make_rows(&in.right, &t.right, &in.left);
    in.left.vectors.path = in.right.vectors.path = "made";
    in.all[0] = test_all_pairs(&in.left, &in.right, 0, NULL, 0, &in.n[0]);
    in.all[1] = test_all_pairs(&in.left, &in.left, 0, NULL, 0, &in.n[1]);
    for (int i = 0; i < 4; i++) {
        t.is_self = i & 1;
        t.threshold = i & 2 ? 0.3 : 0;
        run_bits(&in, &t, DPL_PAIRS_BRUTE, DPL_SIGN_RP, NULL);
        run_bits(&in, &t, DPL_PAIRS_BRUTE, DPL_SIGN_RP8, NULL);
        run_bits(&in, &t, DPL_PAIRS_WINDOW, DPL_SIGN_RP, NULL);
    }
    t.n_threads = 2;
    run_bits(&in, &t, DPL_PAIRS_BRUTE, DPL_SIGN_RP, fake);
    free(in.all[0]);
    free(in.all[1]);
    test_free_rows(&in.left);
    test_free_rows(&in.right);
}

DPL_TEST(neighbours, of_a_window_are_the_same_in_chunks_and_queues)
{
    recipe r = {.seed = 8, .n_rows = 1500, .n_terms = 300, .length = 20, .skew = 2};
    made m = {0};
    test_make_rows(&m, &r, NULL);
    m.vectors.path = "made";
    dpl_ctx *ctx = test_ctx(2);
    dpl_pairs_side a = {.vectors = &m.vectors};
    dpl_neighbours *found[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) {
        dpl_pairs_options search =
            DPL_INIT(dpl_pairs_options, .recall = 0.9, .length = 256, .tables = 4, .width = 20,
                     .basic = i == 1, .chunk = i == 2 ? 100 : 0, .sample = 100);
        dpl_neighbours_options o = DPL_INIT(dpl_neighbours_options, .method = DPL_PAIRS_WINDOW,
                                            .k = 3, .search = &search, .temp = test_dir());
        CHECK_OK(dpl_neighbours_find(&found[i], ctx, &a, NULL, &o, &test_err));
        const dpl_recall_check *check = dpl_neighbours_get_summary(found[i])->recall_check;
        CHECK(check->low < check->recall && check->recall < check->high);
        for (uint32_t row = 0; row < r.n_rows; row++)
            CHECK(memcmp(dpl_neighbours_of(found[0], false, row),
                         dpl_neighbours_of(found[i], false, row),
                         3 * sizeof(dpl_scored_row)) == 0);
    }
    for (int i = 0; i < 3; i++)
        dpl_neighbours_free(found[i]);
    dpl_pairs_options search = DPL_INIT(dpl_pairs_options, .recall = 2);
    dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .method = DPL_PAIRS_WINDOW, .search = &search);
    dpl_neighbours *none = NULL;
    CHECK_EQ(dpl_neighbours_find(&none, ctx, &a, NULL, &o, &test_err), DPL_E_USAGE);
    search = (dpl_pairs_options)DPL_INIT(dpl_pairs_options, .chunk = 10, .width = 20);
    CHECK_EQ(dpl_neighbours_find(&none, ctx, &a, NULL, &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
    test_free_rows(&m);
}

/* What the plan expects of brute force and of the exact method is about what they do. */
DPL_TEST(neighbours, are_planned)
{
    recipe r = {.seed = 4, .n_rows = 2000, .n_terms = 3000, .length = 30, .skew = 2};
    made m[2] = {{.n_held = 0}, {.n_held = 0}};
    test_make_rows(&m[0], &r, NULL);
    r.seed = 5;
    r.n_rows = 3000;
    test_make_rows(&m[1], &r, &m[0]);
    m[0].vectors.path = m[1].vectors.path = "made";
    dpl_ctx *ctx = test_ctx(2);
    dpl_pairs_side a = {.vectors = &m[0].vectors}, b = {.vectors = &m[1].vectors};
    dpl_speeds speeds = DPL_INIT(dpl_speeds, .compare_ns = 0.6);
    for (int is_self = 0; is_self < 2; is_self++) {
        dpl_plan_options wanted =
            DPL_INIT(dpl_plan_options, .left = &a, .right = is_self ? NULL : &b, .nearest = 4,
                     .threshold = 0.15, .recall = 0.95, .speeds = &speeds, .length = 512);
        dpl_pairs_options search =
            DPL_INIT(dpl_pairs_options, .recall = 0.95, .length = 512, .no_recall_check = true);
        dpl_neighbours_options o =
            DPL_INIT(dpl_neighbours_options, .method = DPL_PAIRS_BRUTE, .k = 4,
                     .threshold = 0.15, .search = &search, .temp = test_dir());
        dpl_plan *plan = NULL;
        dpl_neighbours *found = NULL;
        CHECK_OK(dpl_plan_make(&plan, ctx, &wanted, &test_err));
        CHECK_OK(dpl_neighbours_find(&found, ctx, &a, wanted.right, &o, &test_err));
        const dpl_plan_row *exact = dpl_plan_get_row(plan, 0),
                           *brute = dpl_plan_get_row(plan, 1);
        CHECK(exact->method == DPL_PAIRS_EXACT && exact->seconds > 0 && exact->recall == 1);
        CHECK(brute->method == DPL_PAIRS_BRUTE && brute->recall == 0.95);
        double n_scored = (double)dpl_neighbours_get_summary(found)->n_scored;
        CHECK(brute->candidates > n_scored / 2 && brute->candidates < 2 * n_scored);
        /* All pairs would take less time than the nearest, but not as much less as decides. */
        dpl_plan *all = NULL;
        wanted.nearest = 0;
        CHECK_OK(dpl_plan_make(&all, ctx, &wanted, &test_err));
        CHECK(is_self || exact->seconds > dpl_plan_get_row(all, 0)->seconds);
        dpl_plan_free(all);
        dpl_neighbours_free(found);
        dpl_plan_free(plan);
    }
    test_ctx_done(ctx);
    test_free_rows(&m[0]);
    test_free_rows(&m[1]);
}

/* ---- codes -------------------------------------------------------------------------- */

/* Two rows without negative weights agree in a code of two bits with a probability of at least
 * a quarter: one of 80 codes is shared by all but 1e-10 of the pairs. */
DPL_TEST(neighbours, from_codes_that_all_share_are_those_of_all_pairs)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        const bool is_self = seed % 2;
        const double threshold = seed % 3 ? 0.1 : 0;
        recipe r = {.seed = seed, .n_rows = 90, .n_terms = 200, .length = 20, .skew = 2};
        made left = {0}, right = {0};
        test_make_rows(&left, &r, NULL);
        r.seed += 1000;
        r.n_rows = 120;
        test_make_rows(&right, &r, &left);
        dpl_ctx *ctx = test_ctx(1 + (unsigned)seed % 3);
        const dpl_pairs_side a = {.vectors = &left.vectors}, b = {.vectors = &right.vectors};
        dpl_hash_options hash = DPL_INIT(dpl_hash_options, .length = 2, .codes = 80);
        const dpl_pairs_options search = DPL_INIT(dpl_pairs_options, .hash = &hash);
        const dpl_neighbours_options o =
            DPL_INIT(dpl_neighbours_options, .method = DPL_PAIRS_HASH, .k = 1 + (unsigned)seed,
                     .threshold = threshold, .no_content_ties = true, .search = &search,
                     .temp = test_dir());
        dpl_neighbours *found = NULL;
        CHECK_OK(dpl_neighbours_find(&found, ctx, &a, is_self ? NULL : &b, &o, &test_err));
        check(found, &left, is_self ? NULL : &right, threshold, seed);
        const dpl_neighbours_summary *s = dpl_neighbours_get_summary(found);
        CHECK(s->recall_check->recall == 1 && !s->recall_check->is_exact);
        CHECK(s->n_compared >= s->n_scored && s->n_scored > 0);
        dpl_neighbours_free(found);
        hash.length = 24; /* few pairs share one of two codes */
        hash.codes = 2;
        CHECK_OK(dpl_neighbours_find(&found, ctx, &a, is_self ? NULL : &b, &o, &test_err));
        CHECK(dpl_neighbours_get_summary(found)->recall_check->recall < 0.5);
        dpl_neighbours_free(found);
        test_ctx_done(ctx);
        test_free_rows(&left);
        test_free_rows(&right);
    }
}

/* Parameters that are not given are chosen for the threshold, which must be above 0 then. */
DPL_TEST(neighbours, from_codes_reach_the_recall_that_is_asked_for)
{
    recipe r = {.seed = 3, .n_rows = 600, .n_terms = 60, .length = 12, .skew = 2};
    made m = {0};
    test_make_rows(&m, &r, NULL);
    dpl_ctx *ctx = test_ctx(2);
    const dpl_pairs_side side = {.vectors = &m.vectors};
    const dpl_pairs_options search = DPL_INIT(dpl_pairs_options, .recall = 0.9);
    dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .method = DPL_PAIRS_HASH, .threshold = 0.6, .k = 4,
                 .search = &search, .temp = test_dir());
    dpl_neighbours *found = NULL;
    CHECK_OK(dpl_neighbours_find(&found, ctx, &side, NULL, &o, &test_err));
    const dpl_neighbours_summary *s = dpl_neighbours_get_summary(found);
    CHECK(s->planned_recall >= 0.9 && s->recall_check->n_true > 100);
    CHECK(s->recall_check->recall > 0.88);
    dpl_neighbours_free(found);
    o.threshold = 0;
    CHECK_EQ(dpl_neighbours_find(&found, ctx, &side, NULL, &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
    test_free_rows(&m);
}

/* ---- ties ----------------------------------------------------------------------------- */

/* The keys of rows decide between equal scores. */
DPL_TEST(neighbours, have_ties_in_the_order_of_given_keys)
{
    enum { N = 30, K = 3 };
    float values[N];
    uint64_t keys[N];
    for (uint32_t i = 0; i < N; i++) {
        values[i] = 1;
        keys[i] = i * 7 % N;
    }
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors v = {.ctx = ctx,
                     .path = "made",
                     .sizes = {.n_rows = N, .dim = 1, .n_entries = N},
                     .dense = {N, 1, values}};
    dpl_vectors other = v;
    dpl_pairs_side a = {.vectors = &v}, b = {.vectors = &other};
    dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .k = K, .left_keys = keys, .right_keys = keys);
    dpl_neighbours *found = NULL;
    CHECK_OK(dpl_neighbours_find(&found, ctx, &a, &b, &o, &test_err));
    for (uint32_t row = 0; row < N; row++)
        for (size_t i = 0; i < K; i++) {
            CHECK_EQ(keys[dpl_neighbours_of(found, false, row)[i].row], i);
            CHECK_EQ(keys[dpl_neighbours_of(found, true, row)[i].row], i);
        }
    dpl_neighbours_free(found);
    test_ctx_done(ctx);
}

static dpl_status find_exactly(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const made *m = user;
    dpl__sides sides = {0};
    dpl__neighbour_lists lists = {.ctx = ctx};
    dpl__nearest_search search = {.lists = &lists, .sides = &sides};
    dpl_status status = dpl__sides_init(&sides, ctx, &m[0].vectors, &m[1].vectors, err);
    if (status == DPL_OK)
        status = dpl__neighbour_lists_init(&lists, ctx, &sides, 3, &(dpl__tie_keys){0}, err);
    if (status == DPL_OK)
        status = dpl__neighbours_exact(&search, NULL, err);
    dpl__neighbour_lists_clear(&lists);
    if (sides.left)
        dpl__sides_clear(&sides, ctx);
    return status;
}

typedef struct one_method {
    const made *sides;
    dpl_pairs_method method;
} one_method;

static dpl_status find_once(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const one_method *m = user;
    dpl_pairs_side a = {.vectors = &m->sides[0].vectors}, b = {.vectors = &m->sides[1].vectors};
    dpl_neighbours *found = NULL;
    dpl_pairs_options bits =
        DPL_INIT(dpl_pairs_options, .length = 64, .sample = 4, .tables = 2, .width = 5);
    dpl_neighbours_options o = DPL_INIT(dpl_neighbours_options, .method = m->method, .k = 2,
                                        .search = &bits, .temp = test_dir());
    dpl_status status =
        dpl_neighbours_find(&found, ctx, &a, &b, m->method == DPL_PAIRS_AUTO ? NULL : &o, err);
    dpl_neighbours_free(found);
    return status;
}

DPL_TEST(neighbours, every_allocation_may_fail)
{
    recipe r = {.seed = 2, .n_rows = 20, .n_terms = 30, .length = 6, .skew = 1};
    made both[2] = {{.n_held = 0}, {.n_held = 0}};
    test_make_rows(&both[0], &r, NULL);
    test_make_rows(&both[1], &r, &both[0]);
    both[0].vectors.path = both[1].vectors.path = "made";
    test_allocation_failures(find_exactly, both);
    static const dpl_pairs_method methods[] = {DPL_PAIRS_AUTO, DPL_PAIRS_BRUTE,
                                               DPL_PAIRS_WINDOW};
    for (size_t i = 0; i < DPL_LEN(methods); i++)
        test_allocation_failures(find_once, &(one_method){both, methods[i]});
    test_free_rows(&both[0]);
    test_free_rows(&both[1]);
}

DPL_TEST(neighbours, that_do_not_fit_into_memory_are_refused)
{
    recipe r = {.seed = 2, .n_rows = 200, .n_terms = 30, .length = 6, .skew = 1};
    made m = {0};
    test_make_rows(&m, &r, NULL);
    dpl_ctx *ctx = test_ctx(1);
    ctx->memory = 1 << 16;
    dpl_pairs_side a = {.vectors = &m.vectors};
    dpl_neighbours_options o = DPL_INIT(dpl_neighbours_options, .k = 1000);
    dpl_neighbours *found = NULL;
    CHECK_EQ(dpl_neighbours_find(&found, ctx, &a, NULL, &o, &test_err), DPL_E_LIMIT);
    CHECK_STR(dpl__cstr(test_err.code), "memory-neighbours");
    o.k = 1;
    o.threshold = 2;
    CHECK_EQ(dpl_neighbours_find(&found, ctx, &a, NULL, &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
    test_free_rows(&m);
}
