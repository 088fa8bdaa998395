#include "pairs/assign.h"

#include "base/hash.h"
#include "test.h"

#include <stdlib.h>

enum { MOST = 64 };

/* A weight for every pair of rows, 0 for none, and the same as a graph. */
typedef struct matrix {
    uint32_t n_left, n_right, weights[MOST][MOST];
    uint64_t offsets[MOST + 1];
    dpl__edge edges[MOST * MOST];
} matrix;

static void make_graph(matrix *m)
{
    uint64_t n = 0;
    for (uint32_t l = 0; l < m->n_left; l++) {
        m->offsets[l] = n;
        for (uint32_t r = 0; r < m->n_right; r++) {
            uint64_t i = n;
            if (!m->weights[l][r])
                continue;
            for (; i > m->offsets[l] && m->edges[i - 1].weight < m->weights[l][r]; i--)
                m->edges[i] = m->edges[i - 1];
            m->edges[i] = (dpl__edge){r, m->weights[l][r]};
            n++;
        }
    }
    m->offsets[m->n_left] = n;
}

static dpl_status assign(const matrix *m, uint32_t *mates, dpl_ctx *ctx, dpl_error *err)
{
    dpl__bipartite g = {m->n_left, m->n_right, m->offsets, m->edges};
    return dpl__assign(mates, ctx, &g, err);
}

/* The sum of a matching, which must be one. */
static uint64_t sum_of(const matrix *m, const uint32_t *mates)
{
    bool is_taken[MOST] = {0};
    uint64_t sum = 0;
    for (uint32_t l = 0; l < m->n_left; l++) {
        if (mates[l] == DPL__NO_MATE)
            continue;
        CHECK(mates[l] < m->n_right && !is_taken[mates[l]] && m->weights[l][mates[l]]);
        is_taken[mates[l]] = true;
        sum += m->weights[l][mates[l]];
    }
    return sum;
}

/* All ways to give the left rows from l on a mate, or none. */
static uint64_t best_sum(const matrix *m, uint32_t l, unsigned taken)
{
    if (l == m->n_left)
        return 0;
    uint64_t best = best_sum(m, l + 1, taken);
    for (uint32_t r = 0; r < m->n_right; r++)
        if (m->weights[l][r] && !(taken >> r & 1)) {
            uint64_t sum = m->weights[l][r] + best_sum(m, l + 1, taken | 1u << r);
            best = sum > best ? sum : best;
        }
    return best;
}

/* The textbook's Hungarian method on a square matrix, O(n^3). */
static int64_t hungarian(const matrix *m)
{
    static int64_t cost[MOST + 1][MOST + 1];
    int64_t u[MOST + 1] = {0}, v[MOST + 1] = {0}, sum = 0;
    unsigned row_of[MOST + 1] = {0}, way[MOST + 1], n = m->n_left + m->n_right;
    CHECK(n <= MOST);
    for (unsigned i = 1; i <= n; i++)
        for (unsigned j = 1; j <= n; j++)
            cost[i][j] =
                i <= m->n_left && j <= m->n_right ? -(int64_t)m->weights[i - 1][j - 1] : 0;
    for (unsigned i = 1; i <= n; i++) {
        int64_t least[MOST + 1];
        bool is_used[MOST + 1] = {0};
        unsigned j0 = 0;
        row_of[0] = i;
        for (unsigned j = 0; j <= n; j++)
            least[j] = INT64_MAX;
        do {
            is_used[j0] = true;
            unsigned i0 = row_of[j0], j1 = 0;
            int64_t delta = INT64_MAX;
            for (unsigned j = 1; j <= n; j++) {
                if (is_used[j])
                    continue;
                int64_t c = cost[i0][j] - u[i0] - v[j];
                if (c < least[j]) {
                    least[j] = c;
                    way[j] = j0;
                }
                if (least[j] < delta) {
                    delta = least[j];
                    j1 = j;
                }
            }
            for (unsigned j = 0; j <= n; j++) {
                if (is_used[j]) {
                    u[row_of[j]] += delta;
                    v[j] -= delta;
                } else {
                    least[j] -= delta;
                }
            }
            j0 = j1;
        } while (row_of[j0]);
        do {
            unsigned j1 = way[j0];
            row_of[j0] = row_of[j1];
            j0 = j1;
        } while (j0);
    }
    for (unsigned j = 1; j <= n; j++)
        sum -= cost[row_of[j]][j];
    return sum;
}

/* Every `one_in`-th pair has a weight, which has few or many different values. */
static void fill(matrix *m, dpl__rng *rng, uint32_t most_rows)
{
    uint32_t one_in = 1 + (uint32_t)dpl__rng_below(rng, 5);
    uint32_t kinds = dpl__rng_below(rng, 2) ? 3 : 1000000;
    memset(m, 0, sizeof *m);
    m->n_left = 1 + (uint32_t)dpl__rng_below(rng, most_rows);
    m->n_right = 1 + (uint32_t)dpl__rng_below(rng, most_rows);
    for (uint32_t l = 0; l < m->n_left; l++)
        for (uint32_t r = 0; r < m->n_right; r++)
            if (dpl__rng_below(rng, one_in) == 0)
                m->weights[l][r] = 1 + (uint32_t)dpl__rng_below(rng, kinds);
    make_graph(m);
}

DPL_TEST(assign, agrees_with_all_ways_tried)
{
    dpl_ctx *ctx = test_ctx(1);
    static matrix m;
    uint32_t mates[MOST];
    for (unsigned seed = 0; seed < 3000; seed++) {
        dpl__rng rng = {seed * 100000ull};
        fill(&m, &rng, 6);
        CHECK_OK(assign(&m, mates, ctx, &test_err));
        if (sum_of(&m, mates) != best_sum(&m, 0, 0))
            dpl__test_fail(__FILE__, __LINE__, "seed %u", seed);
    }
    test_ctx_done(ctx);
}

DPL_TEST(assign, agrees_with_the_textbook)
{
    dpl_ctx *ctx = test_ctx(1);
    static matrix m;
    uint32_t mates[MOST];
    for (unsigned seed = 0; seed < 400; seed++) {
        dpl__rng rng = {seed * 100000ull + 7};
        fill(&m, &rng, MOST / 2);
        CHECK_OK(assign(&m, mates, ctx, &test_err));
        if (sum_of(&m, mates) != (uint64_t)hungarian(&m))
            dpl__test_fail(__FILE__, __LINE__, "seed %u", seed);
    }
    test_ctx_done(ctx);
}

/* l * r: everybody wants the same ones, and the best choice is unique. */
DPL_TEST(assign, everybody_wants_the_last_one)
{
    dpl_ctx *ctx = test_ctx(1);
    static matrix m;
    uint32_t mates[MOST];
    memset(&m, 0, sizeof m);
    m.n_left = m.n_right = MOST;
    for (uint32_t l = 0; l < MOST; l++)
        for (uint32_t r = 0; r < MOST; r++)
            m.weights[l][r] = (l + 1) * (r + 1);
    make_graph(&m);
    CHECK_OK(assign(&m, mates, ctx, &test_err));
    for (uint32_t l = 0; l < MOST; l++)
        CHECK_EQ(mates[l], l);
    test_ctx_done(ctx);
}

DPL_TEST(assign, weights_of_32_bits_do_not_overflow)
{
    dpl_ctx *ctx = test_ctx(1);
    static matrix m;
    uint32_t mates[MOST];
    memset(&m, 0, sizeof m);
    m.n_left = m.n_right = 3;
    for (uint32_t l = 0; l < 3; l++)
        for (uint32_t r = 0; r < 3; r++)
            m.weights[l][r] = UINT32_MAX - (l == r);
    make_graph(&m);
    CHECK_OK(assign(&m, mates, ctx, &test_err));
    CHECK_EQ(sum_of(&m, mates), 3ull * UINT32_MAX);
    test_ctx_done(ctx);
}

static dpl_status body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    uint32_t mates[MOST];
    return assign(user, mates, ctx, err);
}

DPL_TEST(assign, every_failed_allocation_is_reported)
{
    static matrix m;
    dpl__rng rng = {4711};
    fill(&m, &rng, 20);
    test_allocation_failures(body, &m);
}
