#include "mine/mutual_pairs.h"

#include "base/hash.h"
#include "mine/random_lists_test.h"
#include "pairs/plan.h"
#include "test.h"
#include "vectors/vectors.h"

#include <math.h>

/* Three rows on each side; row i is nearest to row i, then to the next one. */
static dpl__near near_of[2][3 * DPL__NEAREST];
static uint64_t keys_of[2][3] = {{5, 9, 7}, {2, 3, 4}};

static dpl__neighbours three(dpl_ctx *ctx)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < 3; row++)
            for (uint32_t i = 0; i < DPL__NEAREST; i++)
                near_of[side][row * DPL__NEAREST + i] =
                    i < 2 ? (dpl__near){(row + i) % 3, i ? 0.2f : 0.8f}
                          : (dpl__near){DPL__NO_ROW, 0};
    return (dpl__neighbours){.ctx = ctx,
                             .n = {3, 3},
                             .near = {near_of[0], near_of[1]},
                             .keys = {keys_of[0], keys_of[1]},
                             .threshold = 0.02};
}

DPL_TEST(matches, mutual_best_are_matched)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = three(ctx);
    dpl__matches matches = {0};
    CHECK_OK(dpl__matches_find(&matches, &c, NULL, 1, &test_err));
    CHECK_EQ(matches.n, 3);
    for (uint32_t i = 0; i < matches.n; i++) {
        const dpl__match *m = &matches.data[i];
        CHECK(m->row[0] == i && m->row[1] == i);
        CHECK(m->lead[0] > 3.99f && m->lead[0] < 4.01f);
        /* what is around both: (0.8 + 0.2 + 2 * 0.02) / 4 = 0.26 */
        CHECK(m->margin > 3.07f && m->margin < 3.08f);
    }
    dpl__vec_clear(ctx, &matches);
    test_ctx_done(ctx);
}

DPL_TEST(matches, rows_that_are_absent_are_not_there)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = three(ctx);
    dpl__matches matches = {0};
    static const uint8_t left[3] = {0, 0, 1}, right[3] = {1, 0, 0};
    const uint8_t *const absent[2] = {left, right};
    CHECK_OK(dpl__matches_find(&matches, &c, absent, 1, &test_err));
    /* row 1 has its counterpart still; 0 and 2 are left over, and near each other */
    CHECK_EQ(matches.n, 2);
    CHECK(matches.data[0].row[0] == 0 && matches.data[0].row[1] == 2);
    CHECK(matches.data[1].row[0] == 1 && matches.data[1].row[1] == 1);
    dpl__vec_clear(ctx, &matches);
    test_ctx_done(ctx);
}

DPL_TEST(matches, decoys_are_never_the_matches_themselves)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = three(ctx);
    dpl__matches matches = {0}, decoys = {0};
    CHECK_OK(dpl__matches_find(&matches, &c, NULL, 1, &test_err));
    CHECK_OK(dpl__decoys_find(&decoys, &c, &matches, 1, &test_err));
    for (size_t i = 0; i < decoys.n; i++)
        CHECK(decoys.data[i].row[0] != decoys.data[i].row[1]);
    dpl__vec_clear(ctx, &matches, &decoys);
    test_ctx_done(ctx);
}

DPL_TEST(matches, decoys_of_rank_two_are_second_on_one_side_and_best_on_the_other)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = three(ctx);
    dpl__rank_decoys decoys = {0};
    /* left 2 has no counterpart; right 2 has left 0 for its best, whose second best it is */
    near_of[0][1] = (dpl__near){2, 0.2f};
    near_of[0][2 * DPL__NEAREST] = (dpl__near){1, 0.1f};
    near_of[0][2 * DPL__NEAREST + 1] = (dpl__near){DPL__NO_ROW, 0};
    near_of[1][2 * DPL__NEAREST] = (dpl__near){0, 0.2f};
    near_of[1][2 * DPL__NEAREST + 1] = (dpl__near){1, 0.1f};
    CHECK_OK(dpl__rank_decoys_find(&decoys, &c, &test_err));
    CHECK_EQ(decoys.n, 2); /* and left 2 is the second best of right 1 */
    const dpl__rank_decoy *d = &decoys.data[0];
    CHECK(d->is.row[0] == 0 && d->is.row[1] == 2 && d->above == 0);
    /* without the pair before it, it has no rival on the left, and half its score on the right
     */
    CHECK(d->is.lead[0] > 9.99f && d->is.lead[0] < 10.01f);
    CHECK(d->is.lead[1] > 1.99f && d->is.lead[1] < 2.01f);
    CHECK(d->raised.lead[1] > d->is.lead[1] && d->raised.score > d->is.score);
    dpl__vec_clear(ctx, &decoys);
    test_ctx_done(ctx);
}

static dpl_status match_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    dpl__neighbours c = three(ctx);
    dpl__matches matches = {0}, decoys = {0};
    dpl__rank_decoys seconds = {0};
    dpl_status status = dpl__matches_find(&matches, &c, NULL, 2, err);
    if (status == DPL_OK)
        status = dpl__decoys_find(&decoys, &c, &matches, 2, err);
    if (status == DPL_OK)
        status = dpl__rank_decoys_find(&seconds, &c, err);
    dpl__vec_clear(ctx, &seconds, &matches, &decoys);
    return status;
}

DPL_TEST(matches, survive_every_failing_allocation)
{
    test_allocation_failures(match_body, NULL);
}

DPL_TEST(matches, what_is_left_over_is_matched_in_a_second_turn)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = three(ctx);
    /* Left 1 likes right 0 best, which is taken; right 1 likes left 0 best, which is taken. */
    for (int side = 0; side < 2; side++) {
        near_of[side][1 * DPL__NEAREST] = (dpl__near){0, 0.6f};
        near_of[side][1 * DPL__NEAREST + 1] = (dpl__near){1, 0.1f};
    }
    dpl__matches matches = {0};
    CHECK_OK(dpl__matches_find(&matches, &c, NULL, 1, &test_err));
    CHECK_EQ(matches.n, 2);
    CHECK_OK(dpl__matches_find(&matches, &c, NULL, 2, &test_err));
    CHECK_EQ(matches.n, 3);
    for (uint32_t i = 0; i < matches.n; i++)
        CHECK(matches.data[i].row[0] == i && matches.data[i].row[1] == i);
    CHECK(matches.data[1].lead[0] < 1 && matches.data[1].lead[1] < 1);
    dpl__vec_clear(ctx, &matches);
    test_ctx_done(ctx);
}

/* ---- random lists against a naive matcher -------------------------------------------- */

enum { MOST_RIVALS = 2 * DPL__NEAREST + 1 };

static const dpl__near *list_of(const made *m, int side, uint32_t row)
{
    return &m->near[side][row * DPL__NEAREST];
}

/* What stands on a row's list of rows that are there, one of each group, without one group. */
static size_t others_of(dpl__near out[DPL__NEAREST], const made *m, int side, uint32_t row,
                        uint32_t without)
{
    size_t n = 0;
    for (size_t i = 0; i < DPL__NEAREST; i++) {
        const dpl__near x = list_of(m, side, row)[i];
        bool is_new = x.row != DPL__NO_ROW && !m->absent[!side][x.row] &&
                      m->groups[!side][x.row] != without;
        for (size_t k = 0; k < n && is_new; k++)
            is_new = m->groups[!side][out[k].row] != m->groups[!side][x.row];
        if (is_new)
            out[n++] = x;
    }
    return n;
}

static double naive_around(const made *m, int side, uint32_t row, uint32_t without)
{
    dpl__near others[DPL__NEAREST];
    const size_t n = others_of(others, m, side, row, without);
    double sum = 0;
    for (size_t i = 0; i < DPL__AROUND; i++)
        sum += i < n ? (double)others[i].score : m->c.threshold;
    return sum / DPL__AROUND;
}

static bool is_listed(const made *m, int side, uint32_t row, uint32_t other)
{
    for (size_t i = 0; i < DPL__NEAREST; i++)
        if (list_of(m, side, row)[i].row == other)
            return true;
    return false;
}

static double naive_margin(const made *m, int side, uint32_t row, uint32_t other)
{
    return (double)score_of(m, side, row, other) * 2 /
           (naive_around(m, side, row, DPL__NO_ROW) +
            naive_around(m, !side, other, DPL__NO_ROW));
}

/* The best of the rows that list it, or that it lists, without a group; DPL__NO_ROW: none. */
static uint32_t naive_best(const made *m, int side, uint32_t row, bool is_taken[2][MOST_ROWS],
                           uint32_t without)
{
    uint32_t best = DPL__NO_ROW;
    double best_margin = 0;
    if (m->absent[side][row] || is_taken[side][row])
        return best;
    for (uint32_t other = 0; other < m->n[!side]; other++) {
        if (m->absent[!side][other] || is_taken[!side][other] ||
            m->groups[!side][other] == without ||
            !(is_listed(m, side, row, other) || is_listed(m, !side, other, row)))
            continue;
        const double margin = naive_margin(m, side, row, other);
        const float score = score_of(m, side, row, other);
        const float best_score = best == DPL__NO_ROW ? 0 : score_of(m, side, row, best);
        if (best == DPL__NO_ROW || margin > best_margin ||
            (margin >= best_margin &&
             (score > best_score ||
              (score >= best_score && m->keys[!side][other] < m->keys[!side][best])))) {
            best = other;
            best_margin = margin;
        }
    }
    return best;
}

/* The score over that of the next one that is no copy of it. */
static float naive_lead(const made *m, int side, uint32_t row, uint32_t other, uint32_t without)
{
    for (size_t i = 0; i < DPL__NEAREST; i++) {
        const dpl__near x = list_of(m, side, row)[i];
        if (x.row != DPL__NO_ROW && !m->absent[!side][x.row] &&
            m->groups[!side][x.row] != m->groups[!side][other] &&
            m->groups[!side][x.row] != without)
            return score_of(m, side, row, other) / x.score;
    }
    return score_of(m, side, row, other) / (float)m->c.threshold;
}

/* Marks those of the matches, and their copies. */
static void take_matched(bool is_taken[2][MOST_ROWS], const made *m, const uint32_t *right_of)
{
    for (uint32_t l = 0; l < m->n[0]; l++) {
        if (right_of[l] == DPL__NO_ROW)
            continue;
        for (uint32_t i = 0; i < m->n[0]; i++)
            is_taken[0][i] |= m->groups[0][i] == m->groups[0][l];
        for (uint32_t i = 0; i < m->n[1]; i++)
            is_taken[1][i] |= m->groups[1][i] == m->groups[1][right_of[l]];
    }
}

static void naive_matches(uint32_t right_of[MOST_ROWS], const made *m, unsigned turns)
{
    bool is_taken[2][MOST_ROWS] = {{false}};
    for (uint32_t l = 0; l < m->n[0]; l++)
        right_of[l] = DPL__NO_ROW;
    for (unsigned turn = 0; turn < turns; turn++) {
        for (uint32_t l = 0; l < m->n[0]; l++) {
            const uint32_t r = naive_best(m, 0, l, is_taken, DPL__NO_ROW);
            if (r != DPL__NO_ROW && naive_best(m, 1, r, is_taken, DPL__NO_ROW) == l)
                right_of[l] = r;
        }
        take_matched(is_taken, m, right_of);
    }
}

static void check_match(const made *m, const dpl__match *x)
{
    CHECK(x->score == score_of(m, 0, x->row[0], x->row[1]));
    CHECK(x->margin == (float)naive_margin(m, 0, x->row[0], x->row[1]));
    for (int side = 0; side < 2; side++)
        CHECK(x->lead[side] == naive_lead(m, side, x->row[side], x->row[!side], DPL__NO_ROW));
}

DPL_TEST(matches, are_those_of_a_naive_search)
{
    dpl__rng rng = {dpl__mix(11)};
    size_t n_all = 0, n_second = 0;
    static made m;
    for (unsigned turn = 0; turn < 300; turn++) {
        dpl_ctx *ctx = test_ctx(1 + turn % 2);
        make_lists(&m, ctx, &rng);
        const uint8_t *const absent[2] = {m.absent[0], m.absent[1]};
        for (unsigned turns = 1; turns < 4; turns++) {
            dpl__matches found = {0};
            uint32_t right_of[MOST_ROWS];
            size_t n = 0;
            naive_matches(right_of, &m, turns);
            CHECK_OK(dpl__matches_find(&found, &m.c, m.has_absent ? absent : NULL, turns,
                                       &test_err));
            for (uint32_t l = 0; l < m.n[0]; l++) {
                if (right_of[l] == DPL__NO_ROW)
                    continue;
                CHECK(n < found.n && found.data[n].row[0] == l);
                CHECK_EQ(found.data[n].row[1], right_of[l]);
                check_match(&m, &found.data[n++]);
            }
            CHECK_EQ(found.n, n);
            n_all += turns == 1 ? n : 0;
            n_second += turns == 2 ? n : 0;
            dpl__vec_clear(ctx, &found);
        }
        test_ctx_done(ctx);
    }
    CHECK(n_all > 1000 && n_second > n_all);
}

/* Rows of one best of which the other one is the second best, on either side. */
static size_t naive_seconds(uint32_t out[2 * MOST_ROWS][2], const made *m)
{
    bool is_taken[2][MOST_ROWS] = {{false}};
    size_t n = 0;
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < m->n[side]; row++) {
            const uint32_t best = naive_best(m, side, row, is_taken, DPL__NO_ROW);
            if (best == DPL__NO_ROW)
                continue;
            const uint32_t second = naive_best(m, side, row, is_taken, m->groups[!side][best]);
            if (second != DPL__NO_ROW &&
                naive_best(m, !side, second, is_taken, DPL__NO_ROW) == row) {
                out[n][side] = row;
                out[n++][!side] = second;
            }
        }
    return n;
}

/* The side of a decoy whose row has a better one, and that one. */
static int side_above(uint32_t *best, const made *m, const uint32_t row[2])
{
    bool is_taken[2][MOST_ROWS] = {{false}};
    for (int side = 0; side < 2; side++) {
        *best = naive_best(m, side, row[side], is_taken, DPL__NO_ROW);
        if (*best != row[!side])
            return side;
    }
    return -1;
}

typedef struct naive_rival {
    double margin, score; /* logarithms */
    int side;
} naive_rival;

/* What the decoy would look like one rank higher: with the logarithms of margins m_1 >= m_2 ...
 * of all pairs of its rows, itself the first, what is k-th is raised by the sum over j >= k of
 * (m_j - m_(j+1)) / j. */
static dpl__match naive_raised(const made *m, const dpl__match *is, int above, uint32_t without)
{
    naive_rival r[MOST_RIVALS];
    size_t n = 1, n_side[2] = {0, 0};
    double sum[2] = {0, 0}, next[2] = {m->c.threshold, m->c.threshold};
    r[0] = (naive_rival){log(naive_margin(m, 0, is->row[0], is->row[1])),
                         log((double)is->score), -1};
    for (int side = 0; side < 2; side++) {
        dpl__near others[DPL__NEAREST];
        const uint32_t row = is->row[side], own = m->groups[!side][is->row[!side]];
        const size_t n_others = others_of(others, m, side, row, DPL__NO_ROW);
        for (size_t i = 0; i < n_others; i++) {
            const uint32_t group = m->groups[!side][others[i].row];
            if (group == own || (side == above && group == without))
                continue;
            const double margin = log(naive_margin(m, side, row, others[i].row));
            r[n++] =
                (naive_rival){fmin(margin, r[0].margin), log((double)others[i].score), side};
        }
    }
    for (size_t i = 1; i < n; i++) /* falling; equal ones stay in their order */
        for (size_t k = i; k > 1 && r[k].margin > r[k - 1].margin; k--) {
            const naive_rival x = r[k];
            r[k] = r[k - 1];
            r[k - 1] = x;
        }
    for (size_t k = 0; k < n; k++) {
        for (size_t j = k; j + 1 < n; j++)
            r[k].score += (r[j].margin - r[j + 1].margin) / (double)(j + 1);
        if (k == 0)
            continue;
        const int side = r[k].side;
        const double score = exp(r[k].score);
        next[side] = n_side[side]++ ? fmax(next[side], score) : score;
        if (n_side[side] < DPL__AROUND)
            sum[side] += score;
    }
    double own = exp(r[0].score), all = 0;
    for (int side = 0; side < 2; side++) {
        const size_t n_others = n_side[side] < DPL__AROUND ? n_side[side] : DPL__AROUND - 1;
        all += (own + sum[side] + (double)(DPL__AROUND - 1 - n_others) * m->c.threshold) /
               DPL__AROUND;
    }
    return (dpl__match){.score = (float)own,
                        .margin = (float)(2 * own / all),
                        .lead = {(float)(own / next[0]), (float)(own / next[1])}};
}

static bool is_near(float x, float y)
{
    return fabsf(x - y) <= 1e-5f * fabsf(y);
}

static void check_second(const made *m, const dpl__rank_decoy *d, const dpl__matches *matches)
{
    uint32_t best;
    const int above = side_above(&best, m, d->is.row);
    const uint32_t *row = d->is.row, without = m->groups[!above][best];
    const double all = naive_around(m, above, row[above], without) +
                       naive_around(m, !above, row[!above], DPL__NO_ROW);
    CHECK(d->is.score == score_of(m, 0, row[0], row[1]));
    CHECK(is_near(d->is.margin, (float)((double)d->is.score * 2 / all)));
    CHECK(d->is.lead[above] == naive_lead(m, above, row[above], row[!above], without));
    CHECK(d->is.lead[!above] == naive_lead(m, !above, row[!above], row[above], DPL__NO_ROW));
    const dpl__match raised = naive_raised(m, &d->is, above, without);
    CHECK(is_near(d->raised.score, raised.score) && is_near(d->raised.margin, raised.margin));
    CHECK(is_near(d->raised.lead[0], raised.lead[0]));
    CHECK(is_near(d->raised.lead[1], raised.lead[1]));
    size_t at = 0;
    while (at < matches->n && matches->data[at].row[above] != row[above])
        at++;
    if (at < matches->n)
        CHECK_EQ(d->above, at);
    else
        CHECK(d->above == DPL__NO_ROW);
}

DPL_TEST(matches, decoys_of_rank_two_are_those_of_a_naive_search)
{
    dpl__rng rng = {dpl__mix(12)};
    size_t n_all = 0, n_above = 0;
    static made m;
    for (unsigned turn = 0; turn < 300; turn++) {
        dpl_ctx *ctx = test_ctx(1);
        dpl__rank_decoys found = {0};
        dpl__matches matches = {0};
        uint32_t want[2 * MOST_ROWS][2];
        make_lists(&m, ctx, &rng);
        memset(m.absent, 0, sizeof m.absent); /* they take none */
        const size_t n = naive_seconds(want, &m);
        CHECK_OK(dpl__matches_find(&matches, &m.c, NULL, 1, &test_err));
        CHECK_OK(dpl__rank_decoys_find(&found, &m.c, &test_err));
        CHECK_EQ(found.n, n);
        for (size_t i = 0; i < n; i++) {
            const dpl__rank_decoy *d = &found.data[i];
            CHECK(d->is.row[0] == want[i][0] && d->is.row[1] == want[i][1]);
            check_second(&m, d, &matches);
            n_above += d->above != DPL__NO_ROW;
        }
        n_all += n;
        dpl__vec_clear(ctx, &found, &matches);
        test_ctx_done(ctx);
    }
    CHECK(n_all > 500 && n_above > n_all / 2 && n_above < n_all);
}

/* Which of its two rows a match is without in a round: -1 none. */
static int naive_without(const made *m, const uint32_t row[2], unsigned round)
{
    uint64_t third[2];
    for (int side = 0; side < 2; side++)
        third[side] = dpl__mix(m->keys[side][m->groups[side][row[side]]]) % 3;
    const uint64_t role = (third[0] + 3 - third[1] + round) % 3;
    return role == 1 ? 1 : role == 2 ? 0 : -1;
}

/* Of matches of near-copies with different counterparts the first one is kept. */
static void drop_split_groups(dpl__matches *matches, const made *m)
{
    size_t n = 0;
    for (size_t i = 0; i < matches->n; i++) {
        bool is_split = false;
        for (size_t k = 0; k < n; k++)
            for (int side = 0; side < 2; side++)
                is_split |= m->groups[side][matches->data[i].row[side]] ==
                            m->groups[side][matches->data[k].row[side]];
        if (!is_split)
            matches->data[n++] = matches->data[i];
    }
    matches->n = n;
}

/* Near-copies of the rows of a match go with them. */
static void leave_out(made *m, uint32_t taken[2][MOST_ROWS], const dpl__matches *matches,
                      unsigned round)
{
    memset(m->absent, 0, sizeof m->absent);
    memset(taken, 0xff, 2 * sizeof *taken);
    for (size_t i = 0; i < matches->n; i++) {
        const uint32_t *row = matches->data[i].row;
        const int without = naive_without(m, row, round);
        for (int side = 0; side < 2 && without >= 0; side++)
            for (uint32_t k = 0; k < m->n[side]; k++)
                if (m->groups[side][k] == m->groups[side][row[side]]) {
                    taken[side][k] = (uint32_t)i;
                    m->absent[side][k] |= side == without;
                }
    }
}

DPL_TEST(matches, decoys_are_matches_of_rows_whose_counterpart_is_left_out)
{
    dpl__rng rng = {dpl__mix(13)};
    size_t n_all = 0, n_copies = 0;
    static made m;
    for (unsigned turn = 0; turn < 300; turn++) {
        dpl_ctx *ctx = test_ctx(2);
        const unsigned turns = 1 + turn % 2;
        dpl__matches matches = {0}, decoys = {0};
        size_t n = 0;
        make_lists(&m, ctx, &rng);
        memset(m.absent, 0, sizeof m.absent);
        CHECK_OK(dpl__matches_find(&matches, &m.c, NULL, 1, &test_err));
        drop_split_groups(&matches, &m);
        CHECK_OK(dpl__decoys_find(&decoys, &m.c, &matches, turns, &test_err));
        for (unsigned round = 0; round < 3; round++) {
            uint32_t taken[2][MOST_ROWS], right_of[MOST_ROWS];
            leave_out(&m, taken, &matches, round);
            naive_matches(right_of, &m, turns);
            for (uint32_t l = 0; l < m.n[0]; l++) {
                const uint32_t r = right_of[l];
                if (r == DPL__NO_ROW ||
                    (taken[0][l] == DPL__NO_ROW && taken[1][r] == DPL__NO_ROW))
                    continue;
                CHECK(n < decoys.n);
                const dpl__match *d = &decoys.data[n++];
                CHECK(d->row[0] == l && d->row[1] == r);
                CHECK(d->taken[0] == taken[0][l] && d->taken[1] == taken[1][r]);
                n_copies += m.groups[0][l] != l || m.groups[1][r] != r;
                check_match(&m, d);
            }
        }
        CHECK_EQ(decoys.n, n);
        n_all += n;
        dpl__vec_clear(ctx, &matches, &decoys);
        test_ctx_done(ctx);
    }
    CHECK(n_all > 1000 && n_copies > 50);
}

DPL_TEST(matches, of_swapped_sides_are_the_mirror_image)
{
    dpl__rng rng = {dpl__mix(14)};
    static made m;
    for (int turn = 0; turn < 100; turn++) {
        dpl_ctx *ctx = test_ctx(1);
        dpl__matches found = {0}, mirrored = {0};
        make_lists(&m, ctx, &rng);
        dpl__neighbours swapped = m.c;
        for (int side = 0; side < 2; side++) {
            swapped.n[side] = m.c.n[!side];
            swapped.near[side] = m.c.near[!side];
            swapped.keys[side] = m.c.keys[!side];
            swapped.groups[side] = m.c.groups[!side];
        }
        CHECK_OK(dpl__matches_find(&found, &m.c, NULL, 2, &test_err));
        CHECK_OK(dpl__matches_find(&mirrored, &swapped, NULL, 2, &test_err));
        CHECK_EQ(found.n, mirrored.n);
        for (size_t i = 0; i < found.n; i++) {
            const dpl__match *x = &found.data[i], *y = NULL;
            for (size_t k = 0; k < mirrored.n; k++)
                if (mirrored.data[k].row[1] == x->row[0])
                    y = &mirrored.data[k];
            CHECK(y && y->row[0] == x->row[1] && y->margin == x->margin);
            CHECK(y->lead[0] == x->lead[1] && y->lead[1] == x->lead[0]);
        }
        dpl__vec_clear(ctx, &found, &mirrored);
        test_ctx_done(ctx);
    }
}

/* Random lists of so many rows that they are divided among threads. */
static void make_many(dpl__near *near, uint64_t *keys, uint32_t n, uint32_t n_others,
                      dpl__rng *rng)
{
    for (uint32_t row = 0; row < n; row++) {
        float score = 1;
        keys[row] = dpl__rng_next(rng);
        for (size_t i = 0; i < DPL__NEAREST; i++) {
            score -= (float)dpl__rng_below(rng, 100) / 1000;
            near[row * DPL__NEAREST + i] =
                (dpl__near){(uint32_t)dpl__rng_below(rng, n_others), score};
        }
    }
}

DPL_TEST(matches, do_not_depend_on_the_number_of_threads)
{
    enum { N_LEFT = 7000, N_RIGHT = 5000 };
    static dpl__near near[2][N_LEFT * DPL__NEAREST];
    static uint64_t keys[2][N_LEFT];
    dpl__rng rng = {dpl__mix(16)};
    make_many(near[0], keys[0], N_LEFT, N_RIGHT, &rng);
    make_many(near[1], keys[1], N_RIGHT, N_LEFT, &rng);
    dpl__matches found[4];
    dpl_ctx *ctx[4];
    for (unsigned i = 0; i < 4; i++) {
        ctx[i] = test_ctx(i + 1);
        found[i] = (dpl__matches){0};
        const dpl__neighbours c = {.ctx = ctx[i],
                                   .n = {N_LEFT, N_RIGHT},
                                   .near = {near[0], near[1]},
                                   .keys = {keys[0], keys[1]},
                                   .threshold = 0.1};
        CHECK_OK(dpl__matches_find(&found[i], &c, NULL, 2, &test_err));
        CHECK(found[i].n > 1000 && found[i].n == found[0].n);
        for (size_t k = 0; k < found[i].n; k++) {
            const dpl__match *x = &found[i].data[k], *y = &found[0].data[k];
            CHECK(x->row[0] == y->row[0] && x->row[1] == y->row[1] && x->margin == y->margin);
            CHECK(k == 0 || x[-1].row[0] < x->row[0]);
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        dpl__vec_clear(ctx[i], &found[i]);
        test_ctx_done(ctx[i]);
    }
}

DPL_TEST(neighbours, a_list_has_the_best_of_what_was_added)
{
    enum { N = 20 };
    dpl__rng rng = {dpl__mix(15)};
    for (int turn = 0; turn < 500; turn++) {
        uint64_t keys[N];
        dpl__near all[N], list[DPL__NEAREST];
        const size_t n = dpl__rng_below(&rng, N + 1);
        for (size_t i = 0; i < DPL__NEAREST; i++)
            list[i] = (dpl__near){DPL__NO_ROW, 0};
        for (uint32_t i = 0; i < n; i++) {
            keys[i] = dpl__rng_next(&rng);
            all[i] = (dpl__near){i, (float)dpl__rng_below(&rng, 5) - 2}; /* not above 0 only */
            dpl__near_add(list, keys, all[i]);
        }
        for (size_t i = 0; i < DPL__NEAREST; i++) {
            size_t best = N;
            for (size_t k = 0; k < n; k++)
                if (all[k].row != DPL__NO_ROW &&
                    (best == N || all[k].score > all[best].score ||
                     (all[k].score >= all[best].score && keys[k] < keys[best])))
                    best = k;
            CHECK(best == N ? list[i].row == DPL__NO_ROW
                            : list[i].row == best && list[i].score == all[best].score);
            if (best < N)
                all[best].row = DPL__NO_ROW;
        }
    }
}

/* ---- searching vectors ---------------------------------------------------------------- */

enum { N_TEXTS = 60, N_TERMS = 40, PER_TEXT = 6, N_GROUPS = 20 };

/* Random documents of a side, some of them empty: keys, groups and vectors of those that are
 * not. */
typedef struct texts {
    uint64_t keys[N_TEXTS];
    uint32_t groups[N_TEXTS]; /* a document of the group, or DPL__NO_ROW */
    float weights[N_TEXTS][N_TERMS];
    dpl_vectors *v;
} texts;

static void make_texts(texts *t, dpl_ctx *ctx, dpl__rng *rng)
{
    static uint64_t offsets[N_TEXTS + 1];
    static uint32_t terms[N_TEXTS * PER_TEXT];
    static float weights[N_TEXTS * PER_TEXT];
    uint64_t n = 0;
    *t = (texts){.v = NULL};
    for (uint32_t doc = 0; doc < N_TEXTS; doc++) {
        t->keys[doc] = dpl__rng_next(rng);
        t->groups[doc] = dpl__rng_below(rng, 2) ? DPL__NO_ROW : doc % N_GROUPS;
        for (size_t i = 0; i < PER_TEXT && doc % 7; i++)
            t->weights[doc][dpl__rng_below(rng, N_TERMS)] = 1 + (float)dpl__rng_below(rng, 3);
        for (uint32_t k = 0; k < N_TERMS; k++)
            if (t->weights[doc][k] > 0) {
                terms[n] = k;
                weights[n++] = t->weights[doc][k];
            }
        offsets[doc + 1] = n;
    }
    for (uint32_t doc = 0; doc < N_GROUPS; doc++)
        t->groups[doc] = doc; /* documents of groups are in them */
    const dpl_csr_array a = DPL_INIT(dpl_csr_array, .n_rows = N_TEXTS, .n_terms = N_TERMS,
                                     .offsets = offsets, .terms = terms, .weights = weights);
    CHECK_OK(dpl_vectors_from_csr(&t->v, ctx, &a, &test_err));
}

static double naive_cosine(const float *a, const float *b)
{
    double dot = 0, squares[2] = {0, 0};
    for (size_t k = 0; k < N_TERMS; k++) {
        dot += (double)(a[k] * b[k]);
        squares[0] += (double)(a[k] * a[k]);
        squares[1] += (double)(b[k] * b[k]);
    }
    return squares[0] > 0 && squares[1] > 0 ? dot / sqrt(squares[0] * squares[1]) : 0;
}

/* What stands on the lists are cosines, falling. Returns how many of the nearest are missing;
 * n_all: of how many. */
static size_t n_missing(size_t *n_all, const dpl__neighbours *c, const texts t[2],
                        double threshold)
{
    size_t n_found = 0;
    *n_all = 0;
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < c->n[side]; row++) {
            const dpl__near *list = &c->near[side][row * DPL__NEAREST];
            const uint32_t doc = t[side].v->docs[row];
            double cosines[N_TEXTS], last = 1;
            size_t n_above = 0, n_better = 0, n = 0;
            for (uint32_t i = 0; i < N_TEXTS; i++) {
                cosines[i] = naive_cosine(t[side].weights[doc], t[!side].weights[i]);
                n_above += cosines[i] >= threshold;
            }
            while (n < DPL__NEAREST && list[n].row != DPL__NO_ROW) {
                const double own = cosines[t[!side].v->docs[list[n].row]];
                CHECK(fabs(own - (double)list[n].score) < 1e-5 && own <= last + 1e-5);
                last = own;
                n++;
            }
            n_found += n;
            *n_all += dpl__min(n_above, (size_t)DPL__NEAREST);
            for (uint32_t i = 0; i < N_TEXTS; i++)
                n_better += n == DPL__NEAREST && cosines[i] > last + 1e-5;
            n_found -= n_better >= DPL__NEAREST;
            CHECK_EQ(c->keys[side][row], t[side].keys[doc]);
        }
    CHECK(n_found <= *n_all);
    return *n_all - n_found;
}

/* The row of a group with the lowest key stands for it; a document of no group for itself. */
static void check_groups(const dpl__neighbours *c, int side, const texts *t)
{
    for (uint32_t row = 0; row < c->n[side]; row++) {
        uint32_t first = row;
        const uint32_t group = t->groups[t->v->docs[row]];
        for (uint32_t i = 0; i < c->n[side] && group != DPL__NO_ROW; i++)
            if (t->groups[t->v->docs[i]] == group && c->keys[side][i] < c->keys[side][first])
                first = i;
        CHECK_EQ(c->groups[side][row], first);
    }
}

DPL_TEST(neighbours, of_both_sides_are_found_by_one_search_or_two)
{
    static const dpl_pairs_method methods[] = {DPL_PAIRS_EXACT, DPL_PAIRS_WINDOW};
    dpl__rng rng = {dpl__mix(17)};
    static texts t[2];
    for (unsigned turn = 0; turn < 8; turn++) {
        dpl_ctx *ctx = test_ctx(2);
        dpl__neighbours c = {0};
        for (int side = 0; side < 2; side++)
            make_texts(&t[side], ctx, &rng);
        dpl__row_docs docs = {.keys = {t[0].keys, t[1].keys}};
        docs.groups[turn / 2 % 2] = t[turn / 2 % 2].groups;
        dpl_vectors *const v[2] = {t[0].v, t[1].v};
        const uint32_t n_rows[2] = {dpl_vectors_get_sizes(v[0])->n_rows,
                                    dpl_vectors_get_sizes(v[1])->n_rows};
        /* a window over all rows compares each with all others */
        dpl_pairs_options o =
            DPL_INIT(dpl_pairs_options, .method = methods[turn % 2], .threshold = 0.3123,
                     .length = 1024, .no_early_stop = true);
        if (o.method == DPL_PAIRS_WINDOW) {
            o.tables = 1;
            o.width = n_rows[0] + n_rows[1] - 1;
        }
        CHECK(n_rows[0] < N_TEXTS); /* empty documents have none */
        CHECK_OK(dpl__neighbours_find(&c, ctx, v, &docs, &o, &test_err));
        CHECK(fabs(c.threshold - 0.3123) < 1e-6 && c.n[0] == n_rows[0] && c.n[1] == n_rows[1]);
        size_t n_all;
        const size_t n = n_missing(&n_all, &c, t, 0.3123);
        CHECK(o.method == DPL_PAIRS_EXACT ? n == 0 : n < n_all / 50);
        for (int side = 0; side < 2; side++) {
            CHECK(!c.groups[side] == !docs.groups[side]);
            if (c.groups[side])
                check_groups(&c, side, &t[side]);
        }
        dpl__neighbours_clear(&c);
        dpl__neighbours_clear(&c); /* may be cleared again */
        for (int side = 0; side < 2; side++)
            dpl_vectors_close(t[side].v);
        test_ctx_done(ctx);
    }
}

DPL_TEST(neighbours, of_methods_that_do_not_exist_are_refused)
{
    dpl__rng rng = {dpl__mix(18)};
    static texts t;
    dpl_ctx *ctx = test_ctx(1);
    dpl__neighbours c = {0};
    make_texts(&t, ctx, &rng);
    dpl_vectors *const v[2] = {t.v, t.v};
    const dpl__row_docs docs = {.keys = {t.keys, t.keys}, .groups = {t.groups, t.groups}};
    const dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = (dpl_pairs_method)99, .threshold = 0.3);
    CHECK_EQ(dpl__neighbours_find(&c, ctx, v, &docs, &o, &test_err), DPL_E_USAGE);
    dpl_vectors_close(t.v);
    test_ctx_done(ctx);
}

/* What `auto` means for a search of candidates (round.c). Memory does not decide: exact works
 * in parts. */
DPL_TEST(mutual_pairs, auto_is_exact_as_the_plan_recommends_for_candidates)
{
    static const double thresholds[] = {0.05, 0.1, 0.2}, terms[] = {10, 120, 1000};
    dpl_ctx *ctx = test_ctx(2);
    for (uint32_t n = 300; n <= 30000000; n *= 10)
        for (size_t i = 0; i < DPL_LEN(thresholds) * DPL_LEN(terms); i++) {
            const dpl_plan_options o = DPL_INIT(
                dpl_plan_options, .n_left = n, .n_right = n / 3, .nearest = DPL__NEAREST,
                .threshold = thresholds[i / DPL_LEN(terms)],
                .terms_per_row = terms[i % DPL_LEN(terms)], .speeds = &dpl__nominal_speeds);
            dpl_plan *plan = NULL;
            CHECK_OK(dpl_plan_make(&plan, ctx, &o, &test_err));
            const size_t best = dpl_plan_get_summary(plan)->best;
            CHECK_EQ(dpl_plan_get_row(plan, best)->method, DPL_PAIRS_EXACT);
            dpl_plan_free(plan);
        }
    test_ctx_done(ctx);
}
