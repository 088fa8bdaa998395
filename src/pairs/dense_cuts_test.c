/*
 * Selections of the best pairs of dense rows, against the selection from all pairs.
 */
#include "pairs/dense_cuts.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "pairs/exact_test.h"
#include "test.h"

#include <stdlib.h>

typedef struct trial {
    made left, right;
    bool is_self;
    dpl_pairs_options o;
} trial;

typedef DPL_VEC(dpl_pair) pair_list;

/* Every fifth row is the row before again: equal scores. */
static void make_side(made *m, uint64_t seed, uint32_t n_rows, uint32_t dim, const made *like)
{
    test_make_rows(m, &(recipe){.seed = seed, .n_rows = n_rows, .dim = dim}, like);
    float *values = (float *)m->vectors.dense.values;
    for (uint32_t row = 5; row < n_rows; row += 5)
        memcpy(values + (size_t)row * dim, values + (size_t)(row - 1) * dim,
               dim * sizeof *values);
}

static void take_all(dpl_ctx *ctx, pair_list *out, void *from,
                     dpl_status (*next)(void *from, dpl_pair *pair, dpl_error *err))
{
    dpl_pair p;
    dpl_status status;
    out->n = 0;
    while ((status = next(from, &p, &test_err)) == DPL_OK)
        CHECK(dpl__vec_push(ctx, out, p));
    CHECK_EQ(status, DPL_END);
}

static dpl_status next_selected(void *from, dpl_pair *pair, dpl_error *err)
{
    return dpl__selector_next(from, pair, err);
}

static dpl_status next_found(void *from, dpl_pair *pair, dpl_error *err)
{
    return dpl_pairs_next(from, pair, err);
}

/* What the selector makes of all pairs of at least the threshold; how many these are. */
static size_t select_naively(dpl_ctx *ctx, const trial *t, pair_list *out)
{
    const made *right = t->is_self ? &t->left : &t->right;
    const dpl__select_options o = {.select = t->o.select,
                                   .n_best = t->o.top,
                                   .margin = t->o.margin,
                                   .threshold = t->o.threshold,
                                   .is_self = t->is_self,
                                   .n_left = t->left.vectors.sizes.n_rows,
                                   .n_right = right->vectors.sizes.n_rows};
    size_t n;
    uint64_t n_selected;
    dpl__spill spill;
    dpl__selector *s;
    dpl_pair *all = test_all_pairs(&t->left, right, t->o.threshold, NULL, 0, &n);
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    CHECK_OK(dpl__selector_new(&s, ctx, &o, &spill, &test_err));
    CHECK_OK(dpl__selector_add(s, all, n, &test_err));
    CHECK_OK(dpl__selector_finish(s, &n_selected, &test_err));
    take_all(ctx, out, s, next_selected);
    dpl__selector_free(s);
    dpl__spill_clear(&spill);
    free(all);
    return n;
}

/* Returns how many pairs were found before selection. */
static uint64_t select_best(dpl_ctx *ctx, const trial *t, pair_list *out)
{
    dpl_pairs *pairs;
    const dpl_pairs_side left = {.vectors = &t->left.vectors},
                         right = {.vectors = &t->right.vectors};
    CHECK_OK(dpl_pairs_open(&pairs, ctx, &left, t->is_self ? NULL : &right, &t->o, &test_err));
    take_all(ctx, out, pairs, next_found);
    const uint64_t n_found = dpl_pairs_get_summary(pairs)->n_found;
    dpl_pairs_close(pairs);
    return n_found;
}

static void check_trial(dpl_ctx *ctx, const trial *t)
{
    pair_list expected = {0}, got = {0};
    const size_t n_all = select_naively(ctx, t, &expected);
    const uint64_t n_found = select_best(ctx, t, &got);
    CHECK_EQ(got.n, expected.n);
    CHECK(got.n == 0 || memcmp(got.data, expected.data, got.n * sizeof *got.data) == 0);
    CHECK(n_found <= n_all && n_found >= got.n);
    if (t->o.top < 9 && t->o.threshold < 0.3)
        CHECK(n_found < n_all / 2); /* most were passed over */
    dpl__vec_clear(ctx, &expected, &got);
}

static void check_options(dpl_ctx *ctx, trial *t)
{
    static const double thresholds[] = {-1, 0.2, 0.6, 0.99};
    static const unsigned margins[] = {0, 1, 4, 11}, tops[] = {1, 3, 70};
    for (size_t i = 0; i < DPL_LEN(thresholds); i++)
        for (size_t j = 0; j < DPL_LEN(margins); j++)
            for (size_t k = 0; k <= DPL_LEN(tops); k++) {
                t->o = (dpl_pairs_options)DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT,
                                                   .threshold = thresholds[i],
                                                   .margin = margins[j], .temp = test_dir());
                t->o.select = k < DPL_LEN(tops) ? DPL_SELECT_BEST : DPL_SELECT_MUTUAL;
                t->o.top = tops[k % DPL_LEN(tops)];
                check_trial(ctx, t);
            }
}

static void check_sides(dpl_ctx *ctx, uint64_t seed)
{
    for (int is_self = 0; is_self < 2; is_self++) {
        trial t = {.is_self = is_self};
        make_side(&t.left, seed, 90 + 30 * (uint32_t)(seed % 3), 6, NULL);
        make_side(&t.right, seed + 100, 150, 6, &t.left);
        check_options(ctx, &t);
        test_free_rows(&t.left);
        test_free_rows(&t.right);
    }
}

DPL_TEST(dense_cuts, the_best_are_those_of_all_pairs)
{
    for (unsigned n_threads = 1; n_threads < 4; n_threads++) {
        dpl_ctx *ctx = test_ctx(n_threads);
        check_sides(ctx, n_threads);
        test_ctx_done(ctx);
    }
}

static dpl_status find_failing(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const trial *t = user;
    dpl_pairs *pairs = NULL;
    const dpl_pairs_side left = {.vectors = &t->left.vectors},
                         right = {.vectors = &t->right.vectors};
    const dpl_status status = dpl_pairs_open(&pairs, ctx, &left, &right, &t->o, err);
    dpl_pairs_close(pairs);
    return status;
}

DPL_TEST(dense_cuts, every_failed_allocation_is_told)
{
    trial t = {.o = DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT, .margin = 2,
                             .select = DPL_SELECT_MUTUAL, .temp = test_dir())};
    make_side(&t.left, 3, 30, 4, NULL);
    make_side(&t.right, 4, 40, 4, &t.left);
    test_allocation_failures(find_failing, &t);
    test_free_rows(&t.left);
    test_free_rows(&t.right);
}

/* ---- a device ----------------------------------------------------------------------- */

static unsigned n_within, n_nearest;

static float dot_of(const dpl_number_rows *a, uint32_t i, const dpl_number_rows *b, uint32_t j)
{
    return dpl__kernels_for(DPL_CPU_SCALAR)
        ->dot(a->weights + (size_t)i * a->dim, b->weights + (size_t)j * b->dim, a->dim);
}

static dpl_status dots_within(const dpl_device_host *host, const dpl_dots_within *task,
                              dpl_error *err)
{
    (void)host;
    n_within++;
    for (uint32_t i = 0; i < task->left.n_rows; i++)
        for (uint32_t j = task->is_self ? i + 1 : 0; j < task->right.n_rows; j++) {
            const dpl_dot_pair p = {i, j, dot_of(&task->left, i, &task->right, j)};
            if (p.dot >= task->least)
                DPL_TRY(task->take(task->user, &p, 1, err));
        }
    return DPL_OK;
}

static bool is_better(const dpl_dot_neighbour *a, const dpl_dot_neighbour *b)
{
    return b->row == DPL_NO_ROW || a->dot > b->dot || (a->dot == b->dot && a->row < b->row);
}

static void fill_list(const dpl_dots_nearest *t, int side, uint32_t row)
{
    const dpl_number_rows *own = side ? &t->right : &t->left,
                          *others = side ? &t->left : &t->right;
    dpl_dot_neighbour *list = (side ? t->of_right : t->of_left) + (size_t)row * t->n;
    for (unsigned i = 0; i < t->n; i++)
        list[i] = (dpl_dot_neighbour){DPL_NO_ROW, 0};
    for (uint32_t j = 0; j < others->n_rows; j++) {
        dpl_dot_neighbour next = {j, dot_of(own, row, others, j)};
        if (next.dot < t->least || (t->is_self && j == row))
            continue;
        for (unsigned i = 0; i < t->n; i++)
            if (is_better(&next, &list[i])) {
                const dpl_dot_neighbour moved = list[i];
                list[i] = next;
                next = moved;
            }
    }
}

static dpl_status dots_nearest(const dpl_device_host *host, const dpl_dots_nearest *task,
                               dpl_error *err)
{
    (void)host, (void)err;
    n_nearest++;
    for (uint32_t row = 0; row < task->left.n_rows; row++)
        fill_list(task, 0, row);
    for (uint32_t row = 0; task->of_right && row < task->right.n_rows; row++)
        fill_list(task, 1, row);
    return DPL_OK;
}

DPL_TEST(dense_cuts, a_device_gives_the_same)
{
    static const dpl_device_table table =
        DPL_INIT(dpl_device_table, .version = DPL_DEVICE_VERSION, .name = "test",
                 .dots_within = dots_within, .dots_nearest = dots_nearest);
    dpl_ctx *ctx = test_ctx(2);
    ctx->device = &table;
    check_sides(ctx, 7);
    CHECK_EQ(n_nearest, 2 * 4 * 4 * 4); /* sides, thresholds, margins, selections */
    CHECK_EQ(n_within, 2 * 4 * 3 * 4);
    test_ctx_done(ctx);
}
