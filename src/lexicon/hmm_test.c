#include "lexicon/hmm.h"

#include "lexicon/encoded_test.h"
#include "lexicon/symmetrize.h"
#include "test.h"

#include <math.h>

enum { MOST = 12 };

/* ---- the naive version -------------------------------------------------------------- */

/* One direction of one row, in doubles, one state per given word and one for the start. */
typedef struct naive {
    size_t n_states, n_steps;
    double emit[MOST][MOST + 1], empty[MOST], jump[MOST + 1][MOST + 1];
    double posterior[MOST][MOST + 1], none[MOST];
    double jumps[DPL__JUMPS];
} naive;

static void naive_load(naive *n, const dpl__wordmodel *m, const corpus *c, size_t row,
                       int given)
{
    const uint32_t *from = dpl__encoded_tokens(&c->encoded, given, row),
                   *to = dpl__encoded_tokens(&c->encoded, !given, row);
    *n = (naive){.n_states = dpl__encoded_length(&c->encoded, given, row) + 1,
                 .n_steps = dpl__encoded_length(&c->encoded, !given, row)};
    for (size_t j = 0; j < n->n_steps; j++) {
        n->empty[j] = m->p_empty[given] * (double)m->empty[given][to[j]];
        for (size_t i = 1; i < n->n_states; i++) {
            uint64_t k = given == DPL__LEFT ? link_of(m, from[i - 1], to[j])
                                            : link_of(m, to[j], from[i - 1]);
            n->emit[j][i] = (double)m->links[k].p[given];
        }
    }
    for (size_t i = 0; i < n->n_states; i++) {
        double sum = 0;
        for (size_t k = 1; k < n->n_states; k++)
            sum += m->jumps[given][DPL__JUMP_MOST + k - i];
        for (size_t k = 1; k < n->n_states; k++)
            n->jump[i][k] =
                (1 - m->p_empty[given]) * m->jumps[given][DPL__JUMP_MOST + k - i] / sum;
    }
}

static void naive_run(naive *n)
{
    double before[MOST + 1][MOST + 1] = {{1}}, after[MOST + 1][MOST + 1], all = 0;
    for (size_t j = 0; j < n->n_steps; j++)
        for (size_t i = 0; i < n->n_states; i++) {
            before[j + 1][i] = before[j][i] * n->empty[j];
            for (size_t k = 0; k < n->n_states; k++)
                before[j + 1][i] += before[j][k] * n->jump[k][i] * n->emit[j][i];
        }
    for (size_t i = 0; i < n->n_states; i++) {
        after[n->n_steps][i] = 1;
        all += before[n->n_steps][i];
    }
    for (size_t j = n->n_steps; j-- > 0;)
        for (size_t i = 0; i < n->n_states; i++) {
            after[j][i] = n->empty[j] * after[j + 1][i];
            n->none[j] += before[j][i] * n->empty[j] * after[j + 1][i] / all;
            for (size_t k = 0; k < n->n_states; k++) {
                double p = n->jump[i][k] * n->emit[j][k] * after[j + 1][k];
                after[j][i] += p;
                n->posterior[j][k] += before[j][i] * p / all;
                n->jumps[DPL__JUMP_MOST + k - i] += before[j][i] * p / all;
            }
        }
}

typedef struct naive_counts {
    double links[CORPUS_WORDS][CORPUS_WORDS], empty[2][CORPUS_WORDS], jumps[2][DPL__JUMPS];
} naive_counts;

static void naive_expect(naive_counts *counts, const dpl__wordmodel *m, const corpus *c)
{
    static naive n[2];
    *counts = (naive_counts){0};
    for (size_t row = 0; row < c->encoded.n_rows; row++) {
        if (!dpl__encoded_cells(&c->encoded, row, 200))
            continue;
        for (int given = 0; given < 2; given++) {
            naive_load(&n[given], m, c, row, given);
            naive_run(&n[given]);
            for (size_t j = 0; j < n[given].n_steps; j++)
                counts->empty[given][dpl__encoded_tokens(&c->encoded, !given, row)[j]] +=
                    n[given].none[j];
            for (size_t k = 0; k < DPL__JUMPS; k++)
                counts->jumps[given][k] += n[given].jumps[k];
        }
        for (size_t i = 0; i < n[DPL__RIGHT].n_steps; i++)
            for (size_t j = 0; j < n[DPL__LEFT].n_steps; j++)
                counts->links[dpl__encoded_tokens(&c->encoded, DPL__LEFT, row)[i]]
                             [dpl__encoded_tokens(&c->encoded, DPL__RIGHT, row)[j]] += pow(
                    n[DPL__LEFT].posterior[j][i + 1] * n[DPL__RIGHT].posterior[i][j + 1], 1.5);
    }
}

DPL_TEST(hmm, an_iteration_agrees_with_the_naive_version)
{
    static corpus c;
    static naive_counts counts;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        corpus_draw(&c, seed, 150, MOST);
        dpl_ctx *ctx = test_ctx(2);
        dpl__wordmodel before, m;
        dpl__model_options o = {.no_hmm = true, .n_model1 = 3};
        CHECK_OK(dpl__train_model(&before, NULL, ctx, &c.encoded, &o, &test_err));
        naive_expect(&counts, &before, &c);
        o = (dpl__model_options){.n_model1 = 3, .n_hmm = 1};
        CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, &o, &test_err));
        for (uint32_t w = 0; w < CORPUS_WORDS; w++)
            for (uint64_t k = m.begin[w]; k < m.begin[w + 1]; k++)
                CHECK(fabs((double)m.counts[k] - counts.links[w][m.right[k]]) < 1e-4);
        for (int given = 0; given < 2; given++) {
            for (size_t k = 0; k < DPL__JUMPS; k++)
                CHECK(fabs(m.jumps[given][k] - 0.5 - counts.jumps[given][k]) < 1e-3);
            for (uint32_t w = 0; w < CORPUS_WORDS; w++)
                CHECK(fabs((double)m.empty[given][w] * m.n_empty[given] - 0.1 -
                           counts.empty[given][w]) < 1e-3);
        }
        dpl__wordmodel_clear(&before);
        dpl__wordmodel_clear(&m);
        test_ctx_done(ctx);
    }
}

/* ---- the best way ------------------------------------------------------------------- */

/* Of all ways from a step on. */
static double best_way(const naive *n, size_t step, size_t state)
{
    if (step == n->n_steps)
        return 1;
    double best = n->empty[step] * best_way(n, step + 1, state);
    for (size_t k = 1; k < n->n_states; k++)
        best = fmax(best, n->jump[state][k] * n->emit[step][k] * best_way(n, step + 1, k));
    return best;
}

static double this_way(const naive *n, const uint32_t *words)
{
    double p = 1;
    size_t state = 0;
    for (size_t j = 0; j < n->n_steps; j++) {
        size_t next = words[j] == DPL__UNALIGNED ? state : words[j] + 1;
        p *= words[j] == DPL__UNALIGNED ? n->empty[j] : n->jump[state][next] * n->emit[j][next];
        state = next;
    }
    return p;
}

DPL_TEST(hmm, the_best_way_is_the_best_of_all)
{
    static corpus c;
    static naive n;
    corpus_draw(&c, 11, 300, 5);
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel m;
    dpl__hmm h;
    dpl__hmm_row r;
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
    CHECK_OK(dpl__hmm_init(&h, ctx, &m, 5, &test_err));
    CHECK_OK(dpl__hmm_row_init(&r, &h, &test_err));
    for (size_t row = 0; row < c.encoded.n_rows; row++) {
        uint32_t numbers[25], got[MOST];
        size_t n_right = dpl__encoded_length(&c.encoded, DPL__RIGHT, row);
        const uint32_t *left = dpl__encoded_tokens(&c.encoded, DPL__LEFT, row),
                       *right = dpl__encoded_tokens(&c.encoded, DPL__RIGHT, row);
        size_t n_cells = dpl__encoded_cells(&c.encoded, row, 5);
        for (size_t k = 0; k < n_cells; k++)
            numbers[k] = (uint32_t)link_of(&m, left[k / n_right], right[k % n_right]);
        if (n_cells)
            dpl__hmm_row_infer(&r, left, n_cells / n_right, right, n_right, numbers);
        for (int given = 0; given < 2 && n_cells; given++) {
            naive_load(&n, &m, &c, row, given);
            dpl__hmm_row_viterbi(&r, given, got);
            CHECK(this_way(&n, got) > 0.9999 * best_way(&n, 0, 0));
        }
    }
    dpl__hmm_row_clear(&r);
    dpl__hmm_clear(&h);
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}
