#include "pairs/neighbour_lists.h"

#include "base/ctx.h"
#include "pairs/exact_test.h"
#include "test.h"

#include <stdlib.h>

enum { N_LEFT = 9, N_RIGHT = 13, MOST = N_LEFT * N_RIGHT, MOST_K = 6 };

/* Two sides of so many rows, or one. */
typedef struct two_sides {
    dpl_ctx *ctx;
    made left, right;
    dpl__sides sides;
    uint32_t n[2];
} two_sides;

static void make_sides(two_sides *s, bool is_self)
{
    static const recipe l = {
        .seed = 3, .n_rows = N_LEFT, .n_terms = 40, .length = 6, .skew = 1};
    static const recipe r = {
        .seed = 4, .n_rows = N_RIGHT, .n_terms = 40, .length = 6, .skew = 1};
    *s = (two_sides){.ctx = test_ctx(2)};
    test_make_rows(&s->left, &l, NULL);
    if (!is_self)
        test_make_rows(&s->right, &r, NULL);
    s->n[0] = N_LEFT;
    s->n[1] = is_self ? N_LEFT : N_RIGHT;
    CHECK_OK(dpl__sides_init(&s->sides, s->ctx, &s->left.vectors,
                             is_self ? NULL : &s->right.vectors, &test_err));
}

static void free_sides(two_sides *s)
{
    dpl__sides_clear(&s->sides, s->ctx);
    test_free_rows(&s->left);
    if (s->right.n_held)
        test_free_rows(&s->right);
    test_ctx_done(s->ctx);
}

/* ---- lists by sorting all -----------------------------------------------------------------
 */

/* A pair as one of its rows sees it. */
typedef struct seen {
    float score;
    uint64_t key; /* that decides between equal scores */
    uint32_t row;
} seen;

static int by_list(const void *a, const void *b)
{
    const seen *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Pairs of different rows, each once, in any order: few different scores. */
static size_t random_pairs(dpl_pair *pairs, const two_sides *s, dpl__rng *rng)
{
    size_t n = 0;
    for (uint32_t l = 0; l < s->n[0]; l++)
        for (uint32_t r = s->sides.is_self ? l + 1 : 0; r < s->n[1]; r++)
            if (dpl__rng_below(rng, 3))
                pairs[n++] = (dpl_pair){l, r, (float)(1 + dpl__rng_below(rng, 5)) / 8};
    for (size_t i = n; i > 1; i--) {
        const size_t k = dpl__rng_below(rng, i);
        const dpl_pair swap = pairs[i - 1];
        pairs[i - 1] = pairs[k];
        pairs[k] = swap;
    }
    return n;
}

static void check_row(const dpl__neighbour_lists *l, int side, uint32_t row,
                      const dpl_pair *pairs, size_t n, const uint64_t *const keys[2])
{
    seen all[MOST];
    size_t n_all = 0;
    for (size_t i = 0; i < n; i++)
        for (int end = 0; end < 2; end++) { /* within one set a row is either */
            const uint32_t own = end ? pairs[i].right : pairs[i].left,
                           partner = end ? pairs[i].left : pairs[i].right;
            const int of_partner = l->is_self ? 0 : !end;
            if (own == row && (l->is_self || end == side))
                all[n_all++] = (seen){
                    pairs[i].score, keys[of_partner] ? keys[of_partner][partner] : 0, partner};
        }
    qsort(all, n_all, sizeof *all, by_list);
    for (unsigned i = 0; i < l->k; i++) {
        const dpl_scored_row got = dpl__neighbour_lists_get(l, side, row, i);
        CHECK_EQ(got.row, i < n_all ? all[i].row : DPL__NO_ROW);
        CHECK(got.score == (i < n_all ? all[i].score : 0));
    }
    const float cut = n_all < l->k ? 0 : all[l->k - 1].score;
    CHECK(dpl__neighbour_lists_cut(l, side, row) == cut);
    CHECK(l->cuts[side][row] == cut);
}

/* Ties by row, or by keys of the caller's, some of which are equal. */
static void check_lists(bool is_self, bool has_keys, uint64_t seed)
{
    two_sides s;
    make_sides(&s, is_self);
    dpl__rng rng = {seed << 16};
    uint64_t stored[2][N_RIGHT];
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < N_RIGHT; i++)
            stored[side][i] = (uint64_t)dpl__rng_below(&rng, 4) << 62;
    const uint64_t *keys[2] = {has_keys ? stored[0] : NULL, has_keys ? stored[1] : NULL};
    const dpl__tie_keys ties = {.is_by_row = !has_keys, .of = {keys[0], keys[1]}};
    for (unsigned k = 1; k <= MOST_K; k++) {
        dpl_pair pairs[MOST];
        const size_t n = random_pairs(pairs, &s, &rng);
        dpl__neighbour_lists lists;
        CHECK_OK(dpl__neighbour_lists_init(&lists, s.ctx, &s.sides, k, &ties, &test_err));
        for (int again = 0; again < 2; again++) { /* pairs may come more than once */
            for (size_t i = 0; i < n; i++)
                dpl__neighbour_lists_add(&lists, &pairs[i]);
            for (int side = 0; side < (is_self ? 1 : 2); side++)
                for (uint32_t row = 0; row < s.n[side]; row++)
                    check_row(&lists, side, row, pairs, n, keys);
        }
        dpl__neighbour_lists_clear(&lists);
    }
    free_sides(&s);
}

DPL_TEST(neighbour_lists, are_the_k_best_in_whatever_order_pairs_come)
{
    for (uint64_t seed = 0; seed < 10; seed++)
        for (int is_self = 0; is_self < 2; is_self++)
            for (int has_keys = 0; has_keys < 2; has_keys++)
                check_lists(is_self, has_keys, seed);
}

/* ---- one list -----------------------------------------------------------------------------
 */

DPL_TEST(neighbour_lists, a_number_is_inserted_once_where_it_belongs)
{
    uint64_t list[3] = {0};
    CHECK(dpl__neighbour_list_insert(list, 3, 50));
    CHECK(!dpl__neighbour_list_insert(list, 3, 50));
    CHECK(dpl__neighbour_list_insert(list, 3, 70));
    CHECK(dpl__neighbour_list_insert(list, 3, 60));
    CHECK(list[0] == 70 && list[1] == 60 && list[2] == 50);
    for (size_t i = 0; i < 3; i++)
        CHECK(!dpl__neighbour_list_insert(list, 3, list[i])); /* full, and there */
    CHECK(!dpl__neighbour_list_insert(list, 3, 49));
    CHECK(dpl__neighbour_list_insert(list, 3, 51));
    CHECK(list[0] == 70 && list[1] == 60 && list[2] == 51);
    CHECK(dpl__neighbour_list_insert(list, 3, UINT64_MAX));
    CHECK(list[0] == UINT64_MAX && list[1] == 70 && list[2] == 60);
    CHECK(dpl__neighbour_list_insert(list, 1, UINT64_MAX) == false);
}

/* ---- content ------------------------------------------------------------------------------
 */

/* The rows of a set in the opposite order; n_bytes: of the values of each. */
typedef struct turned {
    uint64_t offsets[N_LEFT + 1];
    uint32_t terms[N_LEFT * 40];
    float values[N_LEFT * 40];
} turned;

static void turn_rows(turned *out, dpl_vectors *v)
{
    const size_t dim = v->sizes.dim;
    out->offsets[0] = 0;
    for (uint32_t row = 0; row < N_LEFT; row++) {
        const uint32_t from = N_LEFT - 1 - row;
        const uint64_t begin = dim ? from * dim : v->rows.offsets[from],
                       n = dim ? dim : v->rows.offsets[from + 1] - begin;
        const float *values = dim ? v->dense.values : v->rows.weights;
        memcpy(out->values + out->offsets[row], values + begin, n * sizeof *values);
        if (!dim)
            memcpy(out->terms + out->offsets[row], v->rows.terms + begin, n * sizeof(uint32_t));
        out->offsets[row + 1] = out->offsets[row] + n;
    }
    if (dim)
        v->dense.values = out->values;
    else
        v->rows =
            (dpl__rows){v->rows.n_rows, v->rows.n_terms, out->offsets, out->terms, out->values};
}

/* Whether rows of a set have the same content, so that only their number can decide. */
static bool is_same_content(const dpl_vectors *v, uint32_t a, uint32_t b)
{
    if (v->sizes.dim)
        return a == b;
    const uint64_t *x = &v->rows.offsets[a], *y = &v->rows.offsets[b];
    const size_t n = (size_t)(x[1] - x[0]);
    return n == y[1] - y[0] &&
           memcmp(v->rows.terms + x[0], v->rows.terms + y[0], n * sizeof(uint32_t)) == 0 &&
           memcmp(v->rows.weights + x[0], v->rows.weights + y[0], n * sizeof(float)) == 0;
}

/* All pairs of a set have the same score, and so have those of the set turned round. */
static void check_ties(const recipe *r)
{
    made sets[2];
    static turned space;
    memset(sets, 0, sizeof sets);
    dpl_ctx *ctx = test_ctx(2);
    dpl__sides sides[2];
    dpl__neighbour_lists lists[2];
    for (int i = 0; i < 2; i++) {
        test_make_rows(&sets[i], r, NULL);
        if (i)
            turn_rows(&space, &sets[i].vectors);
        CHECK_OK(dpl__sides_init(&sides[i], ctx, &sets[i].vectors, NULL, &test_err));
        CHECK_OK(dpl__neighbour_lists_init(&lists[i], ctx, &sides[i], 4, &(dpl__tie_keys){0},
                                           &test_err));
        for (uint32_t row = 0; row < N_LEFT; row++)
            for (uint32_t other = 0; other < row; other++)
                dpl__neighbour_lists_add(&lists[i], &(dpl_pair){other, row, 0.5f});
    }
    bool is_by_number = true;
    for (uint32_t row = 0; row < N_LEFT; row++)
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t x = dpl__neighbour_lists_get(&lists[0], 0, row, i).row,
                           y = dpl__neighbour_lists_get(&lists[1], 0, N_LEFT - 1 - row, i).row;
            CHECK(is_same_content(&sets[0].vectors, x, N_LEFT - 1 - y));
            is_by_number &= x == i + (i >= row);
        }
    CHECK(!is_by_number);
    for (int i = 0; i < 2; i++) {
        dpl__neighbour_lists_clear(&lists[i]);
        dpl__sides_clear(&sides[i], ctx);
        test_free_rows(&sets[i]);
    }
    test_ctx_done(ctx);
}

/* Of terms, of weights where the terms are the same, and of dense values. */
DPL_TEST(neighbour_lists, ties_of_rows_in_another_order_are_decided_alike)
{
    recipe r = {.n_rows = N_LEFT, .n_terms = 40, .length = 6, .skew = 1};
    for (r.seed = 1; r.seed < 6; r.seed++) {
        check_ties(&r);
        recipe few_terms = r, dense = r;
        few_terms.n_terms = 3;
        few_terms.length = 3;
        check_ties(&few_terms);
        dense.dim = 7;
        check_ties(&dense);
    }
}

/* ---- memory -------------------------------------------------------------------------------
 */

DPL_TEST(neighbour_lists, too_large_for_the_memory_are_refused)
{
    two_sides s;
    make_sides(&s, true);
    dpl__neighbour_lists lists;
    const dpl__tie_keys ties = {.is_by_row = true};
    s.ctx->memory = dpl__ctx_used(s.ctx) + N_LEFT * 100 * 8 - 1;
    CHECK_EQ(dpl__neighbour_lists_init(&lists, s.ctx, &s.sides, 100, &ties, &test_err),
             DPL_E_LIMIT);
    CHECK_STR(dpl__cstr(test_err.text),
              "100 neighbours of each of 9 rows do not fit into memory");
    dpl__neighbour_lists_clear(&lists);
    s.ctx->memory++;
    CHECK_OK(dpl__neighbour_lists_init(&lists, s.ctx, &s.sides, 100, &ties, &test_err));
    dpl__neighbour_lists_clear(&lists);
    free_sides(&s);
}

static dpl_status init_lists(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const two_sides *s = user;
    dpl__neighbour_lists lists;
    dpl_status status =
        dpl__neighbour_lists_init(&lists, ctx, &s->sides, 2, &(dpl__tie_keys){0}, err);
    dpl__neighbour_lists_clear(&lists);
    return status;
}

DPL_TEST(neighbour_lists, every_allocation_may_fail)
{
    two_sides s;
    make_sides(&s, false);
    test_allocation_failures(init_lists, &s);
    free_sides(&s);
}
