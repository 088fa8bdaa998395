#include "pairs/searches.h"
#include "pairs/select_groups.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 7, MOST = ROWS * ROWS };

typedef struct set {
    dpl_pair at[MOST];
    size_t n;
} set;

/* ---- the naive version -------------------------------------------------------------- */

static bool is_before(const dpl_pair *a, const dpl_pair *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    return a->left != b->left ? a->left < b->left : a->right < b->right;
}

static int by_value(const void *a, const void *b)
{
    return is_before(a, b) ? -1 : is_before(b, a);
}

/* Left row, score downwards, right row. */
static int by_output(const void *a, const void *b)
{
    const dpl_pair *x = a, *y = b;
    return x->left != y->left ? (x->left < y->left ? -1 : 1) : by_value(a, b);
}

/* Has `q` the row that `p` has on this side? Within one set the row may be on either side; with
 * groups it is the same only for partners of the same group. */
static bool has_row(const dpl__select_options *o, const dpl_pair *q, const dpl_pair *p,
                    int side)
{
    const uint32_t row = side ? p->right : p->left, other = side ? p->left : p->right;
    if (!o->is_self)
        return (side ? q->right : q->left) == row;
    if (q->left != row && q->right != row)
        return false;
    const uint32_t partner = q->left == row ? q->right : q->left;
    return !o->group_of || o->group_of[partner] == o->group_of[other];
}

static double sum_of_nearest(const dpl__select_options *o, const set *s, const dpl_pair *p,
                             int side)
{
    bool is_used[MOST] = {0};
    double sum = 0;
    for (unsigned k = 0; k < o->margin; k++) {
        size_t best = s->n;
        for (size_t i = 0; i < s->n; i++)
            if (!is_used[i] && has_row(o, &s->at[i], p, side) &&
                (best == s->n || s->at[i].score > s->at[best].score))
                best = i;
        if (best < s->n)
            is_used[best] = true;
        sum += best < s->n ? s->at[best].score : (float)o->threshold;
    }
    return sum;
}

static set with_values(const dpl__select_options *o, const set *s)
{
    set v = *s;
    for (size_t i = 0; o->margin && i < s->n; i++) {
        double k = 2.0 * o->margin;
        double mean =
            sum_of_nearest(o, s, &s->at[i], 0) / k + sum_of_nearest(o, s, &s->at[i], 1) / k;
        v.at[i].score = mean > 0 ? (float)(s->at[i].score / mean) : 0;
    }
    return v;
}

/* How many pairs of the row are better than this one. */
static size_t rank(const dpl__select_options *o, const set *s, const dpl_pair *p, int side)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += has_row(o, &s->at[i], p, side) && is_before(&s->at[i], p);
    return n;
}

static bool is_near(const dpl__select_options *o, const set *s, const dpl_pair *p)
{
    for (size_t i = 0; i < s->n; i++)
        if ((has_row(o, &s->at[i], p, 0) || has_row(o, &s->at[i], p, 1)) &&
            (double)p->score < o->near_ratio * (double)s->at[i].score)
            return false;
    return true;
}

/* Pairs by falling value, taken while both rows are free. */
static void take_greedily(const dpl__select_options *o, const set *sorted, bool *is_chosen)
{
    for (size_t i = 0; i < sorted->n; i++) {
        const dpl_pair *p = &sorted->at[i];
        is_chosen[i] = o->select == DPL_SELECT_ONE_TO_ONE || is_near(o, sorted, p);
        for (size_t k = 0; k < i; k++)
            if (is_chosen[k] &&
                (has_row(o, &sorted->at[k], p, 0) || has_row(o, &sorted->at[k], p, 1)))
                is_chosen[i] = false;
    }
}

static set naive(const dpl__select_options *o, const set *found)
{
    set v = with_values(o, found), out = {.n = 0};
    bool is_chosen[MOST] = {0};
    qsort(v.at, v.n, sizeof *v.at, by_value);
    for (size_t i = 0; i < v.n; i++) {
        size_t left = rank(o, &v, &v.at[i], 0);
        size_t right = rank(o, &v, &v.at[i], 1);
        switch (o->select) {
        case DPL_SELECT_ALL: is_chosen[i] = true; break;
        case DPL_SELECT_BEST:
            is_chosen[i] = left < o->n_best || (o->is_self && right < o->n_best);
            break;
        case DPL_SELECT_MUTUAL: is_chosen[i] = left == 0 && right == 0; break;
        case DPL_SELECT_ONE_TO_ONE:
        case DPL_SELECT_NEAR: break;
        }
    }
    if (o->select == DPL_SELECT_ONE_TO_ONE || o->select == DPL_SELECT_NEAR)
        take_greedily(o, &v, is_chosen);
    for (size_t i = 0; i < v.n; i++)
        if (is_chosen[i])
            out.at[out.n++] = v.at[i];
    qsort(out.at, out.n, sizeof *out.at, by_output);
    return out;
}

/* ---- the other one ------------------------------------------------------------------ */

/* Adds in pieces of random sizes, which need not end where a left row does. */
static dpl_status run(set *out, dpl_ctx *ctx, dpl__spill *spill, const dpl__select_options *o,
                      const set *found, uint64_t seed, dpl_error *err)
{
    dpl__selector *s = NULL;
    dpl__rng rng = {seed};
    uint64_t n = 0;
    out->n = 0;
    dpl_status status = dpl__selector_new(&s, ctx, o, spill, err);
    for (size_t i = 0, more; i < found->n && status == DPL_OK; i += more) {
        more = dpl__min((size_t)dpl__rng_below(&rng, 5), found->n - i);
        status = dpl__selector_add(s, found->at + i, more, err);
    }
    if (status == DPL_OK)
        status = dpl__selector_finish(s, &n, err);
    dpl_pair p;
    while (status == DPL_OK && (status = dpl__selector_next(s, &p, err)) == DPL_OK) {
        CHECK(out->n < MOST);
        out->at[out->n++] = p;
    }
    if (status == DPL_END) {
        CHECK_EQ(out->n, n);
        CHECK_EQ(dpl__selector_next(s, &p, err), DPL_END);
    }
    dpl__selector_free(s);
    return status == DPL_END ? DPL_OK : status;
}

static bool is_same(const set *a, const set *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->at, b->at, a->n * sizeof *a->at) == 0);
}

/* Scores of few values have many ties. */
static set random_set(dpl__rng *rng, const dpl__select_options *o)
{
    set s = {.n = 0};
    uint64_t one_in = 1 + dpl__rng_below(rng, 4), kinds = dpl__rng_below(rng, 2) ? 4 : 1u << 24;
    for (uint32_t l = 0; l < o->n_left; l++)
        for (uint32_t r = o->is_self ? l + 1 : 0; r < o->n_right; r++)
            if (dpl__rng_below(rng, one_in) == 0 &&
                !(o->group_of && o->group_of[l] == o->group_of[r])) {
                double x = (double)dpl__rng_below(rng, kinds + 1) / (double)kinds;
                double score = o->threshold + (1 - o->threshold) * x;
                s.at[s.n++] = (dpl_pair){l, r, (float)score};
            }
    return s;
}

static dpl__select_options random_options(dpl__rng *rng)
{
    static const double thresholds[] = {0, 0.3, 0.5};
    static const uint32_t groups[ROWS] = {0, 2, 1, 1, 0, 2, 0};
    dpl__select_options o = {
        .select = (dpl_select)dpl__rng_below(rng, 5),
        .n_best = 1 + (unsigned)dpl__rng_below(rng, 3),
        .margin = dpl__rng_below(rng, 2) ? 1 + (unsigned)dpl__rng_below(rng, 9) : 0,
        .threshold = thresholds[dpl__rng_below(rng, 3)],
        .is_self = dpl__rng_below(rng, 3) == 0,
        .n_left = 1 + (uint32_t)dpl__rng_below(rng, ROWS),
        .n_right = 1 + (uint32_t)dpl__rng_below(rng, ROWS),
        .near_ratio = (double)dpl__rng_below(rng, 11) / 10,
    };
    if (o.is_self) {
        o.n_right = o.n_left;
        o.group_of = dpl__rng_below(rng, 2) ? groups : NULL;
        o.n_groups = 3;
    }
    return o;
}

typedef struct fixture {
    dpl_ctx *ctx;
    dpl__spill spill;
} fixture;

static fixture set_up(uint64_t memory)
{
    fixture f;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = memory);
    CHECK_OK(dpl_ctx_new(&f.ctx, &o, &test_err));
    CHECK_OK(dpl__spill_init(&f.spill, f.ctx, test_dir(), &test_err));
    return f;
}

static void tear_down(fixture *f)
{
    dpl__spill_clear(&f->spill);
    test_ctx_done(f->ctx);
}

DPL_TEST(select, agrees_with_the_naive_version)
{
    fixture f = set_up(0);
    for (unsigned seed = 0; seed < 8000; seed++) {
        dpl__rng rng = {seed * 100000ull};
        dpl__select_options o = random_options(&rng);
        set found = random_set(&rng, &o), expected = naive(&o, &found), got;
        CHECK_OK(run(&got, f.ctx, &f.spill, &o, &found, seed, &test_err));
        if (!is_same(&got, &expected))
            dpl__test_fail(__FILE__, __LINE__, "seed %u: %s, margin %u%s%s", seed,
                           dpl_select_name(o.select), o.margin,
                           o.is_self ? ", within one set" : "", o.group_of ? ", groups" : "");
    }
    tear_down(&f);
}

/* ---- optimal ------------------------------------------------------------------------ */

static int64_t weight(float score)
{
    return llrint((double)score * 1e6);
}

static int64_t best_sum(const set *s, size_t from, unsigned left, unsigned right)
{
    if (from == s->n)
        return 0;
    const dpl_pair *p = &s->at[from];
    int64_t best = best_sum(s, from + 1, left, right);
    if (!(left >> p->left & 1) && !(right >> p->right & 1)) {
        int64_t with = weight(p->score) +
                       best_sum(s, from + 1, left | 1u << p->left, right | 1u << p->right);
        best = with > best ? with : best;
    }
    return best;
}

static int64_t sum_of(const set *s)
{
    int64_t sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += weight(s->at[i].score);
    return sum;
}

static bool is_one_to_one(const set *s)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < i; j++)
            if (s->at[i].left == s->at[j].left || s->at[i].right == s->at[j].right)
                return false;
    return true;
}

/* Every pair of a, and in the order of output. */
static bool is_part(const set *part, const set *all)
{
    size_t n = 0;
    for (size_t i = 0; i < part->n; i++) {
        for (size_t j = 0; j < all->n; j++)
            n += memcmp(&part->at[i], &all->at[j], sizeof part->at[i]) == 0;
        if (i && by_output(&part->at[i - 1], &part->at[i]) >= 0)
            return false;
    }
    return n == part->n;
}

DPL_TEST(select, the_optimal_sum_is_the_largest)
{
    fixture f = set_up(0);
    for (unsigned seed = 0; seed < 2000; seed++) {
        dpl__rng rng = {seed * 100000ull + 3};
        dpl__select_options o = random_options(&rng);
        o.select = DPL_SELECT_ONE_TO_ONE;
        o.assignment = DPL_ASSIGN_OPTIMAL;
        o.is_self = false;
        o.group_of = NULL;
        o.n_left = o.n_left > 5 ? 5 : o.n_left;
        o.n_right = o.n_right > 5 ? 5 : o.n_right;
        set found = random_set(&rng, &o), values = with_values(&o, &found), got;
        CHECK_OK(run(&got, f.ctx, &f.spill, &o, &found, seed, &test_err));
        if (!is_part(&got, &values) || !is_one_to_one(&got) ||
            sum_of(&got) != best_sum(&values, 0, 0, 0))
            dpl__test_fail(__FILE__, __LINE__, "seed %u", seed);
    }
    tear_down(&f);
}

DPL_TEST(select, optimal_gives_up_the_best_pair_for_two_good_ones)
{
    fixture f = set_up(0);
    set found = {{{0, 0, 0.9f}, {0, 1, 0.8f}, {1, 0, 0.8f}}, 3}, got;
    dpl__select_options o = {.select = DPL_SELECT_ONE_TO_ONE, .n_left = 2, .n_right = 2};
    CHECK_OK(run(&got, f.ctx, &f.spill, &o, &found, 1, &test_err));
    CHECK_EQ(got.n, 1);
    CHECK_EQ(got.at[0].right, 0);
    o.assignment = DPL_ASSIGN_OPTIMAL;
    CHECK_OK(run(&got, f.ctx, &f.spill, &o, &found, 1, &test_err));
    CHECK_EQ(got.n, 2);
    CHECK_EQ(got.at[0].right, 1);
    CHECK_EQ(got.at[1].right, 0);
    tear_down(&f);
}

DPL_TEST(select, optimal_within_one_set_is_not_supported)
{
    fixture f = set_up(0);
    dpl__selector *s;
    dpl__select_options o = {.select = DPL_SELECT_ONE_TO_ONE,
                             .assignment = DPL_ASSIGN_OPTIMAL,
                             .is_self = true,
                             .n_left = 3};
    CHECK_EQ(dpl__selector_new(&s, f.ctx, &o, &f.spill, &test_err), DPL_E_UNSUPPORTED);
    CHECK(!s && test_err.hint[0]);
    tear_down(&f);
}

/* ---- properties --------------------------------------------------------------------- */

static int by_rows(const void *a, const void *b)
{
    const dpl_pair *x = a, *y = b;
    return x->left != y->left ? (x->left < y->left ? -1 : 1)
                              : (x->right > y->right) - (x->right < y->right);
}

static set swapped(const set *s)
{
    set t = *s;
    for (size_t i = 0; i < s->n; i++) {
        t.at[i].left = s->at[i].right;
        t.at[i].right = s->at[i].left;
    }
    qsort(t.at, t.n, sizeof *t.at, by_rows);
    return t;
}

/* Without ties it does not matter which side is called left. */
DPL_TEST(select, sides_may_be_swapped)
{
    fixture f = set_up(0);
    for (unsigned seed = 0; seed < 2000; seed++) {
        dpl__rng rng = {seed * 100000ull + 5};
        dpl__select_options o = random_options(&rng), turned;
        o.is_self = false;
        o.group_of = NULL;
        o.assignment = (dpl_assignment)dpl__rng_below(&rng, 2);
        if (o.select == DPL_SELECT_BEST) /* is of the left rows */
            continue;
        set found = random_set(&rng, &o), a, b;
        for (size_t i = 0; i < found.n; i++)
            found.at[i].score =
                (float)(0.5 + ldexp((double)dpl__rng_below(&rng, 1 << 24), -25));
        turned = o;
        turned.n_left = o.n_right;
        turned.n_right = o.n_left;
        CHECK_OK(run(&a, f.ctx, &f.spill, &o, &found, seed, &test_err));
        found = swapped(&found);
        CHECK_OK(run(&b, f.ctx, &f.spill, &turned, &found, seed, &test_err));
        a = swapped(&a);
        qsort(b.at, b.n, sizeof *b.at, by_rows);
        if (!is_same(&a, &b))
            dpl__test_fail(__FILE__, __LINE__, "seed %u", seed);
    }
    tear_down(&f);
}

DPL_TEST(select, no_pairs_are_no_failure)
{
    fixture f = set_up(0);
    set none = {.n = 0}, got;
    for (int i = 0; i < 16; i++) {
        dpl__select_options o = {.select = (dpl_select)(i % 4),
                                 .margin = i / 4 % 2 ? 4 : 0,
                                 .assignment = (dpl_assignment)(i / 8),
                                 .n_left = 3,
                                 .n_right = 2};
        CHECK_OK(run(&got, f.ctx, &f.spill, &o, &none, 1, &test_err));
        CHECK_EQ(got.n, 0);
    }
    tear_down(&f);
}

/* A score of 0 has margin 0, not 0/0; a pair that is alone has the margin k at threshold 0. */
DPL_TEST(select, margins_of_zero_and_of_lonely_pairs)
{
    fixture f = set_up(0);
    set found = {{{0, 0, 0}, {1, 1, 0.25f}}, 2}, got;
    dpl__select_options o = {.margin = 4, .n_left = 2, .n_right = 2};
    CHECK_OK(run(&got, f.ctx, &f.spill, &o, &found, 1, &test_err));
    CHECK_EQ(got.n, 2);
    CHECK(got.at[0].score == 0 && got.at[1].score == 4);
    tear_down(&f);
}

/* ---- large, spilled, limited -------------------------------------------------------- */

/* Sums up what comes out, in its order. */
static uint64_t run_large(fixture *f, const dpl__select_options *o, uint64_t *n)
{
    enum { PER_ROW = 12 };
    dpl__selector *s;
    CHECK_OK(dpl__selector_new(&s, f->ctx, o, &f->spill, &test_err));
    for (uint32_t l = 0; l < o->n_left; l++) {
        dpl_pair row[PER_ROW];
        uint32_t first = o->is_self ? l + 1 : 0, step = (o->n_right - first) / PER_ROW;
        dpl__rng rng = {l * 1000};
        for (uint32_t i = 0; step && i < PER_ROW; i++)
            row[i] = (dpl_pair){l, first + i * step + (uint32_t)dpl__rng_below(&rng, step),
                                0.3f + 0.001f * (float)dpl__rng_below(&rng, 700)};
        CHECK_OK(dpl__selector_add(s, row, step ? PER_ROW : 0, &test_err));
    }
    CHECK_OK(dpl__selector_finish(s, n, &test_err));
    uint64_t hash = 0;
    for (dpl_pair p; dpl__selector_next(s, &p, &test_err) == DPL_OK;)
        hash = dpl__hash(&p, sizeof p, hash);
    dpl__selector_free(s);
    return hash;
}

DPL_TEST(select, the_result_does_not_depend_on_memory)
{
    fixture small = set_up(2 << 20), large = set_up(1 << 28);
    for (int i = 0; i < 32; i++) {
        dpl__select_options o = {.select = (dpl_select)(i % 4),
                                 .n_best = 5,
                                 .margin = i / 4 % 2 ? 3 : 0,
                                 .assignment = (dpl_assignment)(i / 16),
                                 .threshold = 0.3,
                                 .is_self = i / 8 % 2,
                                 .n_left = 3000,
                                 .n_right = 3000};
        uint64_t n_small, n_large, before = small.spill.n_bytes;
        if (o.is_self && o.assignment == DPL_ASSIGN_OPTIMAL)
            continue;
        uint64_t expected = run_large(&large, &o, &n_large);
        CHECK(n_large >= 100);
        CHECK_EQ(run_large(&small, &o, &n_small), expected);
        CHECK_EQ(n_small, n_large);
        CHECK(small.spill.n_bytes > before || !o.margin);
    }
    CHECK_EQ(large.spill.n_bytes, 0);
    tear_down(&small);
    tear_down(&large);
}

DPL_TEST(select, what_must_fit_into_memory_and_does_not_is_refused)
{
    fixture f = set_up(1 << 20);
    dpl__selector *s;
    dpl__select_options o = {.margin = 100, .n_left = 10000, .n_right = 10000};
    CHECK_EQ(dpl__selector_new(&s, f.ctx, &o, &f.spill, &test_err), DPL_E_LIMIT);
    CHECK(!s && test_err.code[0]);
    const uint32_t group_of[4] = {0};
    o = (dpl__select_options){.group_of = group_of,
                              .n_groups = 1u << 31,
                              .n_left = 4,
                              .is_self = true}; /* 2^33 rows */
    CHECK_EQ(dpl__selector_new(&s, f.ctx, &o, &f.spill, &test_err), DPL_E_LIMIT);
    o = (dpl__select_options){.select = DPL_SELECT_ONE_TO_ONE,
                              .assignment = DPL_ASSIGN_OPTIMAL,
                              .n_left = 1000,
                              .n_right = 1000};
    CHECK_OK(dpl__selector_new(&s, f.ctx, &o, &f.spill, &test_err));
    for (uint32_t l = 0; l < 200; l++) {
        static dpl_pair row[1000];
        for (uint32_t r = 0; r < 1000; r++)
            row[r] = (dpl_pair){l, r, 0.5f};
        CHECK_OK(dpl__selector_add(s, row, 1000, &test_err));
    }
    uint64_t n;
    CHECK_EQ(dpl__selector_finish(s, &n, &test_err), DPL_E_LIMIT);
    CHECK_STR(dpl__cstr(test_err.code), "memory-assignment");
    dpl__selector_free(s);
    tear_down(&f);
}

DPL_TEST(select, a_folder_that_is_gone_is_told)
{
    fixture f = set_up(1 << 20);
    dpl__spill lost;
    CHECK_OK(dpl__spill_init(&lost, f.ctx, test_path("gone"), &test_err));
    dpl__select_options o = {.n_left = 100000, .n_right = 100000};
    dpl__selector *s;
    dpl_status status = dpl__selector_new(&s, f.ctx, &o, &lost, &test_err);
    for (uint32_t l = 0; l < 100000 && status == DPL_OK; l++)
        status = dpl__selector_add(s, &(dpl_pair){l, l, 1}, 1, &test_err);
    CHECK_EQ(status, DPL_E_IO);
    dpl__selector_free(s);
    dpl__spill_clear(&lost);
    tear_down(&f);
}

static dpl_status body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__spill spill;
    dpl__rng rng = {99};
    set found = random_set(&rng, user), got;
    dpl_status status = dpl__spill_init(&spill, ctx, test_dir(), err);
    if (status == DPL_OK)
        status = run(&got, ctx, &spill, user, &found, 1, err);
    dpl__spill_clear(&spill);
    return status;
}

DPL_TEST(select, every_failed_allocation_is_reported)
{
    for (int i = 0; i < 16; i++) {
        dpl__select_options o = {.select = (dpl_select)(i % 4),
                                 .margin = i / 4 % 2 ? 3 : 0,
                                 .assignment = (dpl_assignment)(i / 8),
                                 .n_left = ROWS,
                                 .n_right = ROWS};
        test_allocation_failures(body, &o);
    }
}
