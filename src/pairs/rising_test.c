#include "pairs/rising.h"

#include "base/ctx.h"
#include "pairs/exact_test.h"
#include "test.h"

#include <stdlib.h>

/* Left rows are of two blocks, and have enough pairs for bounds of scores. */
enum { N_LEFT = 530, N_RIGHT = 60, N_SELF = 90, MOST_DISTANCE = 100 };

/* ---- candidates ---------------------------------------------------------------------------
 */

/* Rows of both sides, the scores of all pairs, and a distance for each, which tells little of
 * the score. */
typedef struct candidates {
    made left, right;
    bool is_self;
    double threshold;
    uint32_t n[2];
    dpl_near_pair *pairs; /* by left row */
    size_t n_pairs;
    float *scores; /* of left * n[1] + right; 0: below the threshold */
    dpl__score_cuts cuts;
} candidates;

static void make_candidates(candidates *c, uint64_t seed, bool is_self, double threshold)
{
    const recipe l = {.seed = seed,
                      .n_rows = is_self ? N_SELF : N_LEFT,
                      .n_terms = 150,
                      .length = 12,
                      .skew = 2};
    recipe r = l;
    *c = (candidates){.is_self = is_self, .threshold = threshold};
    r.seed += 100;
    r.n_rows = N_RIGHT;
    test_make_rows(&c->left, &l, NULL);
    if (!is_self)
        test_make_rows(&c->right, &r, &c->left);
    c->n[0] = l.n_rows;
    c->n[1] = is_self ? l.n_rows : r.n_rows;
    c->pairs = malloc((size_t)c->n[0] * c->n[1] * sizeof *c->pairs);
    c->scores = calloc((size_t)c->n[0] * c->n[1], sizeof *c->scores);
    CHECK(c->pairs && c->scores);
    size_t n;
    dpl_pair *all =
        test_all_pairs(&c->left, is_self ? &c->left : &c->right, threshold, NULL, 0, &n);
    for (size_t i = 0; i < n; i++)
        c->scores[(size_t)all[i].left * c->n[1] + all[i].right] = all[i].score;
    free(all);
    /* few distances and cuts, which are often the same, or many */
    const uint32_t step = seed % 2 ? 10 : 1;
    dpl__rng rng = {seed << 24};
    for (uint32_t left = 0; left < c->n[0]; left++)
        for (uint32_t right = is_self ? left + 1 : 0; right < c->n[1]; right++)
            c->pairs[c->n_pairs++] = (dpl_near_pair){
                left, right, step * (uint32_t)dpl__rng_below(&rng, MOST_DISTANCE / step + 1)};
    for (uint32_t i = 0; i <= DPL__CUT_STEPS; i++)
        c->cuts.of[i] = MOST_DISTANCE - i * (90 / step) / DPL__CUT_STEPS * step;
}

static void free_candidates(candidates *c)
{
    test_free_rows(&c->left);
    if (!c->is_self)
        test_free_rows(&c->right);
    free(c->pairs);
    free(c->scores);
}

static void shuffle(dpl_near_pair *pairs, size_t n, dpl__rng *rng)
{
    for (size_t i = n; i > 1; i--) {
        const size_t k = dpl__rng_below(rng, i);
        const dpl_near_pair swap = pairs[i - 1];
        pairs[i - 1] = pairs[k];
        pairs[k] = swap;
    }
}

/* ---- lists by looking at all --------------------------------------------------------------
 */

static int falling(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The k best visible pairs of every row, and its cut, which is that of the last of them. */
static void check_lists(const candidates *c, const dpl__neighbour_lists *lists,
                        const dpl__rising *r)
{
    uint64_t *all = malloc((c->n[0] + c->n[1]) * sizeof *all);
    uint32_t *cuts = malloc(c->n[0] * sizeof *cuts);
    CHECK(all && cuts);
    for (int side = 0; side < (c->is_self ? 1 : 2); side++)
        for (uint32_t row = 0; row < c->n[side]; row++) {
            size_t n = 0;
            for (size_t i = 0; i < c->n_pairs; i++) {
                const dpl_near_pair *p = &c->pairs[i];
                const float score = c->scores[(size_t)p->left * c->n[1] + p->right];
                if (score == 0 || p->distance > dpl__score_cut(&c->cuts, (double)score))
                    continue;
                if (p->left == row && (c->is_self || side == DPL__SIDE_LEFT))
                    all[n++] = dpl__partner(score, p->right);
                else if (p->right == row && (c->is_self || side == DPL__SIDE_RIGHT))
                    all[n++] = dpl__partner(score, p->left);
            }
            qsort(all, n, sizeof *all, falling);
            for (unsigned i = 0; i < lists->k; i++)
                CHECK(lists->best[side][(size_t)row * lists->k + i] == (i < n ? all[i] : 0));
            const double last =
                n < lists->k ? 0 : (double)dpl__partner_score(all[lists->k - 1]);
            CHECK_EQ(dpl__rising_cut(r, side, row),
                     dpl__score_cut(&c->cuts, last > c->threshold ? last : c->threshold));
            dpl__rising_read((void *)(uintptr_t)r, side, row, 1, cuts);
            CHECK_EQ(cuts[0], dpl__rising_cut(r, side, row));
        }
    free(all);
    free(cuts);
}

/* ---- ways of giving them ------------------------------------------------------------------
 */

typedef enum way {
    AT_ONCE,   /* sorted here, on all threads */
    IN_BLOCKS, /* by left row, those of a row in any order, all at once */
    IN_PIECES, /* a few at a time, in any order */
    TWICE,
} way;

/* Returns how many were scored. */
static uint64_t check_way(const candidates *c, unsigned k, unsigned n_threads, way how,
                          uint64_t seed)
{
    dpl_ctx *ctx = test_ctx(n_threads);
    dpl__rng rng = {seed};
    dpl__sides sides;
    dpl__neighbour_lists lists;
    dpl__rising *r = NULL;
    CHECK_OK(dpl__sides_init(&sides, ctx, &c->left.vectors,
                             c->is_self ? NULL : &c->right.vectors, &test_err));
    CHECK_OK(dpl__neighbour_lists_init(&lists, ctx, &sides, k,
                                       &(dpl__tie_keys){.is_by_row = true}, &test_err));
    CHECK_OK(dpl__rising_new(&r, &lists, &sides, c->threshold, &c->cuts, &test_err));
    CHECK_EQ(dpl__rising_cut(r, DPL__SIDE_RIGHT, 0), dpl__score_cut(&c->cuts, c->threshold));
    dpl_near_pair *pairs = malloc(c->n_pairs * sizeof *pairs);
    CHECK(pairs);
    memcpy(pairs, c->pairs, c->n_pairs * sizeof *pairs);
    if (how == IN_BLOCKS)
        for (size_t i = 0, end; i < c->n_pairs; i = end) {
            for (end = i; end < c->n_pairs && pairs[end].left == pairs[i].left;)
                end++;
            shuffle(pairs + i, end - i, &rng);
        }
    else
        shuffle(pairs, c->n_pairs, &rng);
    const size_t step = how == IN_PIECES ? 100 : c->n_pairs;
    for (int again = 0; again < (how == TWICE ? 2 : 1); again++)
        for (size_t i = 0; i < c->n_pairs; i += step) {
            const size_t n = dpl__min(step, c->n_pairs - i);
            CHECK_OK((how == IN_BLOCKS || how == IN_PIECES
                          ? dpl__rising_take(r, n_threads - 1, pairs + i, n, &test_err)
                          : dpl__rising_take_all(r, 0, pairs + i, n, &test_err)));
        }
    check_lists(c, &lists, r);
    const uint64_t n_scored = dpl__rising_scored(r);
    free(pairs);
    dpl__rising_free(r);
    dpl__neighbour_lists_clear(&lists);
    dpl__sides_clear(&sides, ctx);
    test_ctx_done(ctx);
    return n_scored;
}

DPL_TEST(rising, lists_are_the_best_visible_pairs_in_whatever_order_they_come)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        candidates c;
        make_candidates(&c, seed, seed % 3 == 0, seed % 2 ? 0.05 : 0.3);
        const unsigned k = 1 + (unsigned)seed % 4;
        check_way(&c, k, 1, AT_ONCE, seed);
        check_way(&c, k, 2, AT_ONCE, seed);
        check_way(&c, k, 1, IN_PIECES, seed);
        check_way(&c, k, 2, TWICE, seed);
        check_way(&c, k, 1, IN_BLOCKS, seed);
        free_candidates(&c);
    }
}

/* Within a left row they are brought into order, so the work does not depend on theirs; and it
 * is less than all of it. */
DPL_TEST(rising, candidates_of_a_row_are_scored_from_the_nearest_on)
{
    for (int is_self = 0; is_self < 2; is_self++) {
        candidates c;
        make_candidates(&c, 8, is_self, 0.05);
        const uint64_t n = check_way(&c, 1, 1, IN_BLOCKS, 1);
        for (uint64_t seed = 2; seed < 5; seed++)
            CHECK_EQ(check_way(&c, 1, 1, IN_BLOCKS, seed), n);
        CHECK(n < c.n_pairs);
        free_candidates(&c);
    }
}

/* Where no cut ever falls below a distance all are looked at, each once. */
DPL_TEST(rising, every_candidate_within_the_cuts_is_looked_at)
{
    for (int is_self = 0; is_self < 2; is_self++) {
        candidates c;
        make_candidates(&c, 4, is_self, 0.05);
        for (size_t i = 0; i <= DPL__CUT_STEPS; i++)
            c.cuts.of[i] = MOST_DISTANCE;
        CHECK_EQ(check_way(&c, 2, 1, IN_BLOCKS, 1), c.n_pairs);
        CHECK_EQ(check_way(&c, 2, 2, AT_ONCE, 1), c.n_pairs);
        CHECK_EQ(check_way(&c, 2, 1, IN_PIECES, 1), c.n_pairs);
        for (size_t i = 0; i <= DPL__CUT_STEPS; i++)
            c.cuts.of[i] = 40;
        const uint64_t n = check_way(&c, 2, 1, IN_PIECES, 1);
        uint64_t n_within = 0;
        for (size_t i = 0; i < c.n_pairs; i++)
            n_within += c.pairs[i].distance <= 40;
        CHECK_EQ(n, n_within);
        free_candidates(&c);
    }
}

DPL_TEST(rising, a_score_has_the_cut_of_its_step)
{
    static dpl__score_cuts cuts;
    for (uint32_t i = 0; i <= DPL__CUT_STEPS; i++)
        cuts.of[i] = i;
    static const struct {
        double score;
        uint32_t step;
    } cases[] = {{-1, 0},          {0, 0},          {1.0 / 1024, 1},
                 {1.99 / 1024, 1}, {2.0 / 1024, 2}, {0.5, 512},
                 {0.99999, 1023},  {1, 1024},       {1.5, 1024}};
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        CHECK_EQ(dpl__score_cut(&cuts, cases[i].score), cases[i].step);
    dpl__score_cuts_of(&cuts, DPL_SIGN_RP, 256, 0.9);
    for (uint32_t i = 0; i <= DPL__CUT_STEPS; i += 64)
        CHECK_EQ(cuts.of[i], dpl_sign_cut(DPL_SIGN_RP, 256, i / 1024.0, 0.9));
    for (uint32_t i = 1; i <= DPL__CUT_STEPS; i++)
        CHECK(cuts.of[i] <= cuts.of[i - 1]);
}

static dpl_status take_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    candidates *c = user;
    dpl__sides sides = {0};
    dpl__neighbour_lists lists = {.ctx = ctx};
    dpl__rising *r = NULL;
    dpl_status status;
    DPL__STEP(dpl__sides_init(&sides, ctx, &c->left.vectors, &c->right.vectors, err));
    DPL__STEP(dpl__neighbour_lists_init(&lists, ctx, &sides, 2,
                                        &(dpl__tie_keys){.is_by_row = true}, err));
    DPL__STEP(dpl__rising_new(&r, &lists, &sides, c->threshold, &c->cuts, err));
    DPL__STEP(dpl__rising_take(r, 0, c->pairs, 2000, err));
    status = dpl__rising_take_all(r, 0, c->pairs + 2000, 100, err);
done:
    dpl__rising_free(r);
    dpl__neighbour_lists_clear(&lists);
    dpl__sides_clear(&sides, ctx);
    return status;
}

DPL_TEST(rising, every_allocation_may_fail)
{
    candidates c;
    make_candidates(&c, 2, false, 0.05);
    test_allocation_failures(take_some, &c);
    free_candidates(&c);
}
