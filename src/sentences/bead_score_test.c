#include "sentences/bead_score.h"

#include "base/hash.h"
#include "sentences/sentences_params.h"
#include "sentences/unordered.h"
#include "test.h"

#include <math.h>

enum { TERMS = 12, MOST = 9, MOST_WORDS = 8 };

/* Links between random terms, and two documents of random sentences. */
typedef struct made {
    dpl__bead_model model;
    float p[2][TERMS], expected[2][TERMS];
    bool is_known[2][TERMS];
    uint64_t begin[TERMS + 1];
    dpl__bead_link links[TERMS * TERMS];
    bool has_link[TERMS][TERMS];
    uint32_t tokens[2][MOST * MOST_WORDS], sentence[2][MOST + 1], chars[2][MOST];
    dpl__bead_doc docs[2];
} made;

static double share(dpl__rng *rng)
{
    return (double)(1 + dpl__rng_below(rng, 999)) / 1000;
}

static void make_up(made *m, dpl__rng *rng)
{
    uint64_t n = 0;
    memset(m, 0, sizeof *m);
    for (int side = 0; side < 2; side++) {
        for (uint32_t t = 0; t < TERMS; t++) {
            m->p[side][t] = (float)share(rng) / 10;
            m->expected[side][t] = (float)share(rng) * 5;
            m->is_known[side][t] = dpl__rng_below(rng, 2);
        }
        m->model.terms[side] =
            (dpl__bead_terms){TERMS, m->p[side], m->is_known[side], m->expected[side]};
        uint32_t at = 0;
        const uint32_t n_sentences = 1 + (uint32_t)dpl__rng_below(rng, MOST);
        for (uint32_t i = 0; i < n_sentences; i++) {
            for (uint64_t k = dpl__rng_below(rng, MOST_WORDS + 1); k > 0; k--)
                m->tokens[side][at++] = (uint32_t)dpl__rng_below(rng, TERMS);
            m->sentence[side][i + 1] = at;
            m->chars[side][i] = (uint32_t)dpl__rng_below(rng, 30);
        }
        m->docs[side] = (dpl__bead_doc){.tokens = m->tokens[side],
                                        .begin = m->sentence[side],
                                        .chars = m->chars[side],
                                        .n = n_sentences};
    }
    for (uint32_t l = 0; l < TERMS; l++) {
        for (uint32_t r = 0; r < TERMS; r++) {
            m->has_link[l][r] = dpl__rng_below(rng, 3) == 0;
            if (m->has_link[l][r])
                m->links[n++] = (dpl__bead_link){
                    r, {(float)share(rng), (float)share(rng)}, (float)(share(rng) * 6 - 1)};
        }
        m->begin[l + 1] = n;
    }
    m->model.begin = m->begin;
    m->model.links = m->links;
    m->model.weight = 0.4;
    m->model.null_known = P(null_known);
}

static const dpl__bead_link *link_of(const made *m, uint32_t left, uint32_t right)
{
    for (uint64_t k = m->begin[left]; k < m->begin[left + 1]; k++)
        if (m->links[k].right == right)
            return &m->links[k];
    return NULL;
}

static size_t count_in(const made *m, int side, uint32_t first, uint32_t n, uint32_t term)
{
    size_t count = 0;
    for (uint32_t k = m->sentence[side][first]; k < m->sentence[side][first + n]; k++)
        count += m->tokens[side][k] == term;
    return count;
}

/* Whether a term has a link to any that the other document has. */
static bool is_linked(const made *m, int side, uint32_t term)
{
    for (uint32_t other = 0; other < TERMS; other++)
        if ((side ? m->has_link[other][term] : m->has_link[term][other]) &&
            count_in(m, !side, 0, m->docs[!side].n, other))
            return m->model.weight > 0 || m->model.filters_words;
    return false;
}

static double null_of(const made *m, int side, uint32_t term)
{
    return m->is_known[side][term] ? m->model.null_known : P(null_unknown);
}

/* ---- a naive score ------------------------------------------------------------------------
 */

/* Of a sentence, where nothing stands for its words. */
static double naive_base(const made *m, int side, uint32_t i)
{
    double sum = 0;
    for (uint32_t t = 0; t < TERMS; t++) {
        const double n = (double)count_in(m, side, i, 1, t);
        if (n > 0 && is_linked(m, side, t))
            sum += log(null_of(m, side, t)); /* once a sentence */
        else if (m->is_known[side][t])
            sum += n * log(1 - P(absent_share) * (1 - m->model.null_known));
    }
    return sum;
}

static double naive_expected(const made *m, int side, uint32_t first, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = first; i < first + n; i++)
        for (uint32_t t = 0; t < TERMS; t++)
            sum += count_in(m, side, i, 1, t) ? (double)m->expected[side][t] : 0;
    return m->model.weight > 0 || m->model.filters_words ? sum : 0;
}

static double naive_tokens(const made *m, int side, uint32_t first, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = first; i < first + n; i++)
        sum += fmax((double)(m->sentence[side][i + 1] - m->sentence[side][i]), 1);
    return sum;
}

/* How much likelier a word of a sentence is by the words of the other side, against null. */
static double naive_gain(const made *m, int side, uint32_t term, const uint32_t other[2])
{
    double sum = 0;
    for (uint32_t t = 0; t < TERMS; t++) {
        const dpl__bead_link *l = side ? link_of(m, t, term) : link_of(m, term, t);
        const double n = (double)count_in(m, !side, other[0], other[1], t);
        sum += l ? n * (double)l->p[side ? 0 : 1] : 0;
    }
    const double p_null = null_of(m, side, term);
    return (1 - p_null) / (p_null * (double)m->p[side][term]) * sum /
           naive_tokens(m, !side, other[0], other[1]);
}

/* Model 1 in both directions; a word counts once in each sentence. */
static double naive_words(const made *m, const dpl_bead *b, double coverage[2])
{
    const uint32_t runs[2][2] = {{b->left, b->n_left}, {b->right, b->n_right}};
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        coverage[side] = 0;
        for (uint32_t i = runs[side][0]; i < runs[side][0] + runs[side][1]; i++) {
            sum += naive_base(m, side, i);
            for (uint32_t t = 0; t < TERMS; t++) {
                const double n = (double)count_in(m, side, i, 1, t);
                if (!(n > 0) || !is_linked(m, side, t))
                    continue;
                const double gain = naive_gain(m, side, t, runs[!side]);
                sum += log(1 + gain);
                coverage[side] += n * gain / (1 + gain);
            }
        }
        coverage[side] /= naive_tokens(m, side, runs[side][0], runs[side][1]);
    }
    return sum;
}

/* Words of both sides, each at most once in a sentence, the largest information first. */
static double naive_information(const made *m, const dpl_bead *b)
{
    bool is_used[2][MOST][TERMS] = {{{false}}};
    double sum = 0;
    for (;;) {
        uint32_t best[4] = {0}; /* sentences and terms */
        float most = 0;
        for (uint32_t i = b->left; i < b->left + b->n_left; i++)
            for (uint32_t j = b->right; j < b->right + b->n_right; j++)
                for (uint32_t l = 0; l < TERMS; l++)
                    for (uint32_t r = 0; r < TERMS; r++) {
                        const dpl__bead_link *link = link_of(m, l, r);
                        if (link && link->information > most && !is_used[0][i][l] &&
                            !is_used[1][j][r] && count_in(m, 0, i, 1, l) &&
                            count_in(m, 1, j, 1, r)) {
                            most = link->information;
                            memcpy(best, (uint32_t[]){i, j, l, r}, sizeof best);
                        }
                    }
        if (!(most > 0))
            return sum;
        sum += (double)most;
        is_used[0][best[0]][best[2]] = is_used[1][best[1]][best[3]] = true;
    }
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-4 * (1 + fabs(b));
}

static void check_bead(const made *m, dpl__bead_scorer *w, const dpl_bead *b)
{
    dpl__bead_score score = {0};
    double coverage[2];
    CHECK_OK(dpl__bead_scorer_words(w, b, &score, &test_err));
    CHECK(is_near(score.words, naive_words(m, b, coverage)));
    const double expected[2] = {naive_expected(m, 0, b->left, b->n_left),
                                naive_expected(m, 1, b->right, b->n_right)};
    CHECK(is_near(score.expected,
                  m->model.is_paper ? expected[0] : (expected[0] + expected[1]) / 2));
    CHECK(!(fabs(score.information) > 0));
    dpl__bead_scorer_coverage(w, b, &score);
    CHECK(is_near(score.n_tokens[0], naive_tokens(m, 0, b->left, b->n_left)));
    CHECK(is_near(score.n_tokens[1], naive_tokens(m, 1, b->right, b->n_right)));
    CHECK(is_near(score.coverage[0], coverage[0]) && is_near(score.coverage[1], coverage[1]));
    dpl__bead_scorer_pmi(w, &score);
    CHECK(is_near(score.information,
                  m->model.weight > 0 || m->model.filters_words ? naive_information(m, b) : 0));
}

DPL_TEST(bead_score, is_that_of_a_naive_sum)
{
    dpl__rng rng = {dpl__mix(81)};
    static made m;
    for (int turn = 0; turn < 60; turn++) {
        dpl_ctx *ctx = test_ctx(1);
        dpl__bow bow;
        dpl__bead_scorer w;
        make_up(&m, &rng);
        m.model.weight = turn % 4 == 3 ? 0 : 0.4;
        m.model.filters_words = turn % 8 == 7;
        CHECK_OK(dpl__bow_init(&bow, ctx, &m.model, &test_err));
        dpl__bead_scorer_init(&w, ctx);
        for (int again = 0; again < 2; again++) { /* nothing is left of the pair before */
            CHECK_OK(dpl__bow_load(&bow, m.docs, &test_err));
            CHECK_OK(dpl__bead_scorer_start(&w, &bow, &test_err));
            for (int k = 0; k < 6; k++) {
                dpl_bead b = {.left = (uint32_t)dpl__rng_below(&rng, m.docs[0].n),
                              .right = (uint32_t)dpl__rng_below(&rng, m.docs[1].n)};
                b.n_left = (uint16_t)(1 + dpl__rng_below(&rng, m.docs[0].n - b.left));
                b.n_right = (uint16_t)(1 + dpl__rng_below(&rng, m.docs[1].n - b.right));
                check_bead(&m, &w, &b);
            }
        }
        dpl__bead_scorer_clear(&w);
        dpl__bow_clear(&bow);
        test_ctx_done(ctx);
    }
}

/* ---- bags ---------------------------------------------------------------------------------
 */

DPL_TEST(bags, have_each_linked_word_of_a_sentence_once)
{
    dpl__rng rng = {dpl__mix(82)};
    static made m;
    for (int turn = 0; turn < 100; turn++) {
        dpl_ctx *ctx = test_ctx(1);
        dpl__bow bow;
        make_up(&m, &rng);
        CHECK_OK(dpl__bow_init(&bow, ctx, &m.model, &test_err));
        CHECK_OK(dpl__bow_load(&bow, m.docs, &test_err));
        for (int side = 0; side < 2; side++) {
            const dpl__bow_side *s = &bow.side[side];
            uint32_t n_words = 0, most = 0;
            for (uint32_t t = 0; t < TERMS; t++)
                n_words += is_linked(&m, side, t) && count_in(&m, side, 0, m.docs[side].n, t);
            CHECK(s->n == m.docs[side].n && s->n_words == n_words);
            for (uint32_t i = 0; i < s->n; i++) {
                uint32_t n = 0, at = s->begin[i];
                bool is_seen[TERMS] = {false};
                for (uint32_t k = m.sentence[side][i]; k < m.sentence[side][i + 1]; k++) {
                    const uint32_t t = m.tokens[side][k];
                    if (is_seen[t] || !is_linked(&m, side, t))
                        continue;
                    is_seen[t] = true;
                    const double p_null = null_of(&m, side, t),
                                 gain = (1 - p_null) / (p_null * (double)m.p[side][t]);
                    CHECK((size_t)s->counts[at + n] == count_in(&m, side, i, 1, t));
                    CHECK(is_near((double)s->gains[at + n], gain));
                    CHECK(s->words[at + n] < n_words);
                    CHECK(s->word_gains[s->words[at + n]] == s->gains[at + n]);
                    n++;
                }
                CHECK_EQ(s->begin[i + 1], at + n);
                CHECK(is_near(s->base[i], naive_base(&m, side, i)));
                CHECK(is_near(s->expected[i], naive_expected(&m, side, i, 1)));
                CHECK_EQ((uint32_t)s->chars[i], m.chars[side][i] ? m.chars[side][i] : 1);
                most = n > most ? n : most;
            }
            CHECK_EQ(s->most, most);
        }
        dpl__bow_clear(&bow);
        dpl__bow_clear(&bow);
        test_ctx_done(ctx);
    }
}

static dpl_status load_and_score(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const made *m = user;
    dpl__bow bow;
    dpl__bead_scorer w;
    dpl__bead_score score;
    const dpl_bead all = {.n_left = (uint16_t)m->docs[0].n, .n_right = (uint16_t)m->docs[1].n};
    dpl__bead_scorer_init(&w, ctx);
    dpl_status status = dpl__bow_init(&bow, ctx, &m->model, err);
    if (status == DPL_OK)
        status = dpl__bow_load(&bow, m->docs, err);
    if (status == DPL_OK)
        status = dpl__bead_scorer_start(&w, &bow, err);
    if (status == DPL_OK)
        status = dpl__bead_scorer_words(&w, &all, &score, err);
    dpl__bead_scorer_clear(&w);
    dpl__bow_clear(&bow);
    return status;
}

DPL_TEST(bead_score, survives_every_failing_allocation)
{
    dpl__rng rng = {dpl__mix(83)};
    static made m;
    make_up(&m, &rng);
    test_allocation_failures(load_and_score, &m);
}

/* ---- pairs in any order ---------------------------------------------------------------------
 */

typedef struct valuing {
    double value[MOST][MOST];
    bool is_asked[MOST][MOST];
} valuing;

static dpl_status value_of(void *user, uint32_t left, uint32_t right, double *value,
                           dpl_error *err)
{
    valuing *v = user;
    (void)err;
    CHECK(!v->is_asked[left][right]); /* once */
    v->is_asked[left][right] = true;
    *value = v->value[left][right];
    return DPL_OK;
}

/* What the links of a left sentence say for a right one, as if both had a usual length. */
static float naive_weight(const made *m, uint32_t i, uint32_t j)
{
    float sum = 0;
    for (uint32_t l = 0; l < TERMS; l++)
        for (uint32_t r = 0; r < TERMS; r++) {
            const dpl__bead_link *link = link_of(m, l, r);
            if (!link || !count_in(m, 0, i, 1, l) || !count_in(m, 1, j, 1, r))
                continue;
            const double null[2] = {null_of(m, 0, l), null_of(m, 1, r)};
            double gain = 1;
            gain *= 1 + (1 - null[1]) / (null[1] * (double)m->p[1][r]) * (double)link->p[0] /
                            P(usual_tokens);
            gain *= 1 + (1 - null[0]) / (null[0] * (double)m->p[0][l]) * (double)link->p[1] /
                            P(usual_tokens);
            sum += (float)log(gain);
        }
    return sum;
}

/* The second best of what was asked; 0: chance. */
static double second_of(const valuing *v, int side, uint32_t at, uint32_t best)
{
    double second = 0;
    for (uint32_t k = 0; k < MOST; k++) {
        const uint32_t i = side ? k : at, j = side ? at : k;
        if (k != best && v->is_asked[i][j])
            second = fmax(second, v->value[i][j]);
    }
    return second;
}

static uint32_t best_of(const valuing *v, int side, uint32_t at)
{
    uint32_t best = DPL__NO_PARTNER;
    double most = 0;
    for (uint32_t k = 0; k < MOST; k++) {
        const uint32_t i = side ? k : at, j = side ? at : k;
        if (v->is_asked[i][j] && v->value[i][j] > most) {
            most = v->value[i][j];
            best = k;
        }
    }
    return best;
}

/* All candidates are among the eight with the largest weights. */
static void check_asked(const made *m, const valuing *v)
{
    for (uint32_t i = 0; i < m->docs[0].n; i++) {
        uint32_t n_linked = 0, n_asked = 0;
        for (uint32_t j = 0; j < m->docs[1].n; j++) {
            const float own = naive_weight(m, i, j);
            uint32_t n_larger = 0;
            for (uint32_t k = 0; k < m->docs[1].n; k++)
                n_larger += naive_weight(m, i, k) > own * 1.0001f;
            n_linked += own > 0;
            n_asked += v->is_asked[i][j];
            CHECK(!v->is_asked[i][j] || (own > 0 && n_larger < 8));
        }
        CHECK_EQ(n_asked, n_linked < 8 ? n_linked : 8);
    }
}

DPL_TEST(unordered, pairs_are_the_best_of_both_by_a_margin)
{
    dpl__rng rng = {dpl__mix(84)};
    static made m;
    static valuing v;
    size_t n_pairs = 0, n_all = 0;
    for (int turn = 0; turn < 200; turn++) {
        const double margin = turn % 3;
        dpl_ctx *ctx = test_ctx(1);
        dpl__bow bow;
        dpl__unordered u;
        make_up(&m, &rng);
        memset(&v, 0, sizeof v);
        double *values = v.value[0];
        for (size_t k = 0; k < MOST * MOST; k++) { /* all different, in any order */
            const size_t to = dpl__rng_below(&rng, k + 1);
            values[k] = values[to];
            values[to] = (double)k / 2 - 10;
        }
        CHECK_OK(dpl__bow_init(&bow, ctx, &m.model, &test_err));
        CHECK_OK(dpl__bow_load(&bow, m.docs, &test_err));
        CHECK_OK(dpl__unordered_match(&u, &bow, value_of, &v, margin, &test_err));
        check_asked(&m, &v);
        for (uint32_t i = 0; i < m.docs[0].n; i++) {
            const uint32_t j = best_of(&v, 0, i);
            bool is_pair = j != DPL__NO_PARTNER && best_of(&v, 1, j) == i;
            is_pair = is_pair && v.value[i][j] >= second_of(&v, 0, i, j) + margin &&
                      v.value[i][j] >= second_of(&v, 1, j, i) + margin;
            CHECK_EQ(u.partners[0][i], is_pair ? j : DPL__NO_PARTNER);
            if (is_pair)
                CHECK_EQ(u.partners[1][j], i);
            n_pairs += is_pair;
            n_all++;
        }
        dpl__bow_clear(&bow);
        test_ctx_done(ctx);
    }
    CHECK(n_pairs > 100 && n_pairs < n_all);
}
