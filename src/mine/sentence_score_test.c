#include "mine/sentence_score.h"

#include "mine/mine_params.h"
#include "mine/random_sides_test.h"

#include <math.h>
#include <stdlib.h>

enum { DOCS = 16, TERMS = 25, MOST_WORDS = 40 };
#define P(name) DPL__P(mine, name)
#define NONE UINT32_MAX

/* Single sentences, links between their words, and pairs that were trained on. */
typedef struct made {
    dpl__comparable p;
    dpl__sentence_sides sides;
    dpl__word_links links;
    float of[TERMS][TERMS][2]; /* left and right: p(right|left), p(left|right); 0: no link */
    float weight[2][TERMS], trained[2][TERMS], unigram[2][TERMS], length[2][DOCS];
    uint32_t with[2][DOCS];
    uint64_t begin[2][TERMS + 1];
    dpl__word_link list[2][TERMS * TERMS];
} made;

static float share(dpl__rng *rng)
{
    return (float)(1 + dpl__rng_below(rng, 999)) / 1000;
}

static void list_links(made *m, int side)
{
    uint64_t n = 0;
    for (uint32_t t = 0; t < TERMS; t++) {
        for (uint32_t other = 0; other < TERMS; other++) {
            const float *p = side ? m->of[other][t] : m->of[t][other];
            if (p[0] > 0)
                m->list[side][n++] = (dpl__word_link){other, p[side], p[!side]};
        }
        m->begin[side][t + 1] = n;
    }
}

/* Long sentences are of words that are rare, so that some scores are at the upper end. */
static void make_up(made *m, dpl_ctx *ctx, dpl__rng *rng, bool is_trained, bool is_long)
{
    const side_shape shape = {DOCS, 1, is_long ? MOST_WORDS : 12, TERMS, false, false};
    memset(m, 0, sizeof *m);
    m->p = make_parallel_sides(ctx, rng, shape, 0);
    for (int side = 0; side < 2; side++) {
        m->links.n_terms[side] = dpl_collection_get_sizes(m->p.c[side])->n_terms;
        CHECK(m->links.n_terms[side] <= TERMS);
    }
    for (uint32_t l = 0; l < m->links.n_terms[0]; l++)
        for (uint32_t r = 0; r < m->links.n_terms[1]; r++)
            if (l == r || dpl__rng_below(rng, 6) == 0)
                for (int way = 0; way < 2; way++)
                    m->of[l][r][way] = share(rng) / (l == r ? 1 : 4);
    for (int side = 0; side < 2; side++)
        list_links(m, side);
    for (int side = 0; side < 2; side++) {
        for (uint32_t t = 0; t < TERMS; t++) {
            m->weight[side][t] = 3 + 20 * share(rng);
            m->trained[side][t] = dpl__rng_below(rng, 3) ? 20 * share(rng) : 0;
            m->unigram[side][t] = share(rng) / (is_long ? 3000 : 10);
        }
        for (uint32_t doc = 0; doc < DOCS; doc++) {
            m->length[side][doc] = share(rng);
            m->with[side][doc] = NONE;
        }
        m->sides.n_docs[side] = DOCS;
        m->sides.length[side] = m->length[side];
        m->sides.trained[side] = m->with[side];
        m->links.begin[side] = m->begin[side];
        m->links.links[side] = m->list[side];
        m->links.weight[side] = m->weight[side];
        m->links.trained[side] = m->trained[side];
        m->links.unigram[side] = m->unigram[side];
    }
    for (uint32_t doc = 0; doc < DOCS && is_trained; doc += 2) { /* each with the next one */
        const uint32_t to = (doc + 2) % DOCS;
        m->with[0][doc] = dpl__rng_below(rng, 2) ? doc : to + 1;
        m->with[1][m->with[0][doc]] = doc;
    }
}

/* ---- a naive score ------------------------------------------------------------------------
 */

typedef struct text {
    const uint32_t *terms;
    size_t n;
} text;

static text text_of(const made *m, int side, uint32_t doc)
{
    text t;
    t.terms = dpl_collection_tokens(m->p.c[side], doc, &t.n);
    CHECK(t.n <= MOST_WORDS);
    return t;
}

/* Of a right word given a left one (to: 1), or the other way round. */
static double p_of(const made *m, int to, uint32_t left, uint32_t right)
{
    return (double)m->of[left][right][!to];
}

/* What a word takes of the counts of a pair that has both: its share of all words there. */
static double share_in(const made *m, const uint32_t pair[2], int to, uint32_t left,
                       uint32_t right)
{
    const text given = text_of(m, !to, pair[!to]), explained = text_of(m, to, pair[to]);
    const uint32_t words[2] = {left, right};
    double sum = 0;
    bool is_there[2] = {false, false};
    for (size_t i = 0; i < given.n; i++) {
        is_there[!to] |= given.terms[i] == words[!to];
        sum += to ? p_of(m, 1, given.terms[i], right) : p_of(m, 0, left, given.terms[i]);
    }
    for (size_t i = 0; i < explained.n; i++)
        is_there[to] |= explained.terms[i] == words[to];
    return is_there[0] && is_there[1] && sum > 0 ? p_of(m, to, left, right) / sum : 0;
}

static bool has_word(const made *m, int side, uint32_t doc, uint32_t term)
{
    const text t = text_of(m, side, doc);
    for (size_t i = 0; i < t.n; i++)
        if (t.terms[i] == term)
            return true;
    return false;
}

/* The probability of a link, without what the training pairs of both sentences added. */
static double left_out(const made *m, const uint32_t docs[2], int to, uint32_t left,
                       uint32_t right)
{
    const uint32_t with_left = m->with[0][docs[0]], with_right = m->with[1][docs[1]],
                   given = to ? left : right;
    const bool is_trained[2] = {with_left != NONE, with_right != NONE && with_right != docs[0]};
    double counts = 0, n_pairs = 0;
    if (!is_trained[0] && !is_trained[1] && with_left == NONE && with_right == NONE)
        return p_of(m, to, left, right);
    if (with_left != NONE) {
        const uint32_t pair[2] = {docs[0], with_left};
        counts += share_in(m, pair, to, left, right);
        n_pairs += to == 1 || has_word(m, 1, with_left, right);
    }
    if (is_trained[1]) {
        const uint32_t pair[2] = {with_right, docs[1]};
        counts += share_in(m, pair, to, left, right);
        n_pairs += to == 0 || has_word(m, 0, with_right, left);
    }
    const double weight = (double)m->weight[!to][given],
                 rest = p_of(m, to, left, right) * weight - counts;
    return rest > 0 ? rest / fmax(weight - n_pairs, 0.1) : 0;
}

/* Of one of 32 places in a sentence, weights of mean 1. */
static double place_weight(size_t given, size_t n_given, size_t at, size_t n)
{
    const int x = (int)((2 * given + 1) * 32 / (2 * n_given)),
              y = (int)((2 * at + 1) * 32 / (2 * n));
    double sum = 0;
    for (int k = 0; k < 32; k++)
        sum += exp(-P(position_decay) * abs(k - y) / 32);
    return exp(-P(position_decay) * abs(x - y) / 32) * 32 / sum;
}

static double null_of(const made *m, int side, uint32_t term)
{
    const double n = (double)m->trained[side][term];
    return (P(null_share) * n + P(null_unknown)) / (n + 1);
}

static double naive_score(const made *m, uint32_t l, uint32_t r)
{
    const uint32_t docs[2] = {l, r};
    const text t[2] = {text_of(m, 0, l), text_of(m, 1, r)};
    static double p[2][MOST_WORDS][MOST_WORDS]; /* [to][left][right] */
    double sum[2][MOST_WORDS] = {{0}}, posterior[2][MOST_WORDS], likely[2], covered[2];
    for (size_t i = 0; i < t[0].n; i++)
        for (size_t j = 0; j < t[1].n; j++)
            for (int to = 0; to < 2; to++) {
                const uint32_t left = t[0].terms[i], right = t[1].terms[j];
                p[to][i][j] = m->of[left][right][0] > 0
                                  ? left_out(m, docs, to, left, right) *
                                        (to ? place_weight(i, t[0].n, j, t[1].n)
                                            : place_weight(j, t[1].n, i, t[0].n))
                                  : 0;
                sum[to][to ? j : i] += p[to][i][j];
            }
    for (int to = 0; to < 2; to++) {
        double logs = 0;
        for (size_t k = 0; k < t[to].n; k++) {
            const uint32_t term = t[to].terms[k];
            const double null = null_of(m, to, term),
                         factor =
                             (1 - null) / ((double)t[!to].n * (double)m->unigram[to][term]);
            logs += log(null + factor * sum[to][k]);
            posterior[to][k] = factor / (null + factor * sum[to][k]);
        }
        likely[to] = logs / ((double)t[to].n + P(few_words));
    }
    for (int to = 0; to < 2; to++) {
        double all = P(few_information), in = 0;
        for (size_t k = 0; k < t[to].n; k++) {
            const double information = -log((double)m->unigram[to][t[to].terms[k]]);
            double both = 0;
            for (size_t o = 0; o < t[!to].n; o++) {
                const size_t i = to ? o : k, j = to ? k : o;
                both += p[0][i][j] * posterior[0][i] * p[1][i][j] * posterior[1][j];
            }
            all += information;
            in += information * fmin(both, 1);
        }
        covered[to] = in / all;
    }
    const double length = (double)m->length[0][l] - (double)m->length[1][r];
    const double z = P(words_weight) * (likely[0] + likely[1]) -
                     P(difference_weight) * fabs(likely[0] - likely[1]) +
                     P(cover_weight) * (covered[0] + covered[1]) -
                     P(cover_difference_weight) * fabs(covered[0] - covered[1]) -
                     P(length_weight) * length * length;
    return fmin(fmax(exp((z - P(score_middle)) / P(score_scale)), P(least_score)), 1);
}

/* ---- both sides ---------------------------------------------------------------------------
 */

/* n: how many of the scores are the highest, the lowest, and others. */
static void check_scores(size_t n[3], const made *m)
{
    dpl__sentence_scorer *s = NULL;
    CHECK_OK(dpl__sentence_scorer_new(&s, &m->p, &m->sides, &m->links, &test_err));
    for (int side = 0; side < 2; side++) {
        CHECK_OK(dpl__sentence_scorer_turn(s, side, &test_err));
        for (uint32_t doc = 0; doc < DOCS; doc++) {
            CHECK_OK(dpl__sentence_scorer_load(s, 0, doc, &test_err));
            for (uint32_t other = 0; other < DOCS; other++) {
                double score;
                const double want =
                    side ? naive_score(m, other, doc) : naive_score(m, doc, other);
                CHECK_OK(dpl__sentence_scorer_score(&score, s, 0, other, &test_err));
                CHECK(fabs(score - want) < 1e-4 * want);
                n[want >= 1 ? 0 : want <= P(least_score) ? 1 : 2]++;
            }
        }
    }
    dpl__sentence_scorer_free(s);
}

DPL_TEST(sentence_score, is_that_of_a_naive_sum_from_both_sides)
{
    static made m;
    size_t n[3] = {0, 0, 0};
    dpl__rng rng = {dpl__mix(1500)};
    for (int turn = 0; turn < 8; turn++) {
        dpl_ctx *ctx = test_ctx(1);
        make_up(&m, ctx, &rng, turn % 2, turn / 2 % 2);
        check_scores(n, &m);
        close_sides(&m.p);
        test_ctx_done(ctx);
    }
    CHECK(n[0] > 100 && n[2] > 1000);
}

/* Without words there is nothing to compare. */
DPL_TEST(sentence_score, of_empty_sentences_is_the_least)
{
    static made m;
    dpl__rng rng = {dpl__mix(1501)};
    dpl_ctx *ctx = test_ctx(1);
    dpl__sentence_scorer *s = NULL;
    double score;
    make_up(&m, ctx, &rng, false, false);
    dpl_collection_close((dpl_collection *)(uintptr_t)m.p.c[0]);
    m.p.c[0] = import_side(ctx, "l\t...\n", 6, false);
    CHECK_OK(dpl__sentence_scorer_new(&s, &m.p, &m.sides, &m.links, &test_err));
    for (int side = 0; side < 2; side++) {
        CHECK_OK(dpl__sentence_scorer_turn(s, side, &test_err));
        CHECK_OK(dpl__sentence_scorer_load(s, 0, 0, &test_err));
        CHECK_OK(dpl__sentence_scorer_score(&score, s, 0, 0, &test_err));
        CHECK(score == P(least_score));
    }
    dpl__sentence_scorer_free(s);
    close_sides(&m.p);
    test_ctx_done(ctx);
}

static dpl_status score_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    made *m = user;
    dpl_ctx *before = m->p.ctx;
    dpl__sentence_scorer *s = NULL;
    double score;
    m->p.ctx = ctx;
    dpl_status status = dpl__sentence_scorer_new(&s, &m->p, &m->sides, &m->links, err);
    if (status == DPL_OK)
        status = dpl__sentence_scorer_turn(s, 1, err);
    if (status == DPL_OK)
        status = dpl__sentence_scorer_load(s, 0, 3, err);
    if (status == DPL_OK)
        status = dpl__sentence_scorer_score(&score, s, 0, 3, err);
    dpl__sentence_scorer_free(s);
    m->p.ctx = before;
    return status;
}

DPL_TEST(sentence_score, survives_every_failing_allocation)
{
    static made m;
    dpl__rng rng = {dpl__mix(1502)};
    dpl_ctx *ctx = test_ctx(1);
    make_up(&m, ctx, &rng, true, false);
    test_allocation_failures(score_some, &m);
    close_sides(&m.p);
    test_ctx_done(ctx);
}
