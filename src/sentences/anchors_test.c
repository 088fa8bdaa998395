#include "sentences/anchors.h"

#include "base/hash.h"
#include "sentences/sentences_params.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { TERMS = 250, MOST = 60, PER_SENTENCE = 7, MOST_LINKS = 4 * TERMS };

/* Left term t stands for right term t, and some others by chance; sentences of both sides say
 * the same, but some words are others and some sentences change places. */
typedef struct made {
    dpl__bead_model model;
    float p[2][TERMS], expected[TERMS];
    bool is_known[2][TERMS];
    uint64_t begin[TERMS + 1];
    dpl__bead_link links[MOST_LINKS];
    uint32_t tokens[2][MOST * PER_SENTENCE], sentence[2][MOST + 1], chars[MOST];
    uint32_t n;
    dpl__bead_doc docs[2];
} made;

static float share(dpl__rng *rng)
{
    return (float)(1 + dpl__rng_below(rng, 9999)) / 10000;
}

static void make_links(made *m, dpl__rng *rng)
{
    uint64_t n = 0;
    for (uint32_t l = 0; l < TERMS; l++) {
        for (uint32_t r = 0; r < TERMS; r++)
            if ((l == r || dpl__rng_below(rng, TERMS) == 0) && n < MOST_LINKS)
                m->links[n++] = (dpl__bead_link){r, {share(rng), share(rng)}, 1};
        m->begin[l + 1] = n;
    }
    for (int side = 0; side < 2; side++)
        for (uint32_t t = 0; t < TERMS; t++) {
            m->p[side][t] = share(rng) / 1000;
            m->is_known[side][t] = dpl__rng_below(rng, 2);
        }
}

static void make_up(made *m, dpl__rng *rng)
{
    static uint32_t said[MOST][PER_SENTENCE];
    memset(m, 0, sizeof *m);
    make_links(m, rng);
    m->n = 20 + (uint32_t)dpl__rng_below(rng, MOST - 20);
    for (uint32_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < PER_SENTENCE; k++) /* some words are frequent */
            said[i][k] = (uint32_t)dpl__rng_below(rng, dpl__rng_below(rng, 3) ? TERMS : 10);
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < m->n; i++) {
            const uint32_t of =
                side && dpl__rng_below(rng, 8) == 0 ? (uint32_t)dpl__rng_below(rng, m->n) : i;
            for (size_t k = 0; k < PER_SENTENCE; k++)
                m->tokens[side][i * PER_SENTENCE + k] =
                    dpl__rng_below(rng, 3) ? said[of][k] : (uint32_t)dpl__rng_below(rng, TERMS);
            m->sentence[side][i + 1] = (i + 1) * PER_SENTENCE;
        }
        m->docs[side] = (dpl__bead_doc){.tokens = m->tokens[side],
                                        .begin = m->sentence[side],
                                        .chars = m->chars,
                                        .n = m->n};
        m->model.terms[side] =
            (dpl__bead_terms){TERMS, m->p[side], m->is_known[side], m->expected};
    }
    m->model.begin = m->begin;
    m->model.links = m->links;
    m->model.weight = 0.4;
    m->model.null_known = P(null_known);
}

/* ---- naive anchors ------------------------------------------------------------------------
 */

static bool has_word(const made *m, int side, uint32_t i, uint32_t term)
{
    for (uint32_t k = m->sentence[side][i]; k < m->sentence[side][i + 1]; k++)
        if (m->tokens[side][k] == term)
            return true;
    return false;
}

/* Sentences of the area that have a word. */
static uint32_t n_uses(const made *m, int side, dpl__area a, uint32_t term)
{
    const uint32_t first = side ? a.right : a.left, n = side ? a.n_right : a.n_left;
    uint32_t uses = 0;
    for (uint32_t i = first; i < first + n; i++)
        uses += has_word(m, side, i, term);
    return uses;
}

static double gain_of(const made *m, int side, uint32_t term)
{
    const double null = m->is_known[side][term] ? P(null_known) : P(null_unknown);
    return (1 - null) / (null * (double)m->p[side][term]);
}

typedef struct naive {
    uint32_t uses[2][TERMS];
    double weight[MOST][MOST]; /* of candidates; 0: none */
} naive;

/* Links of words that are in at most twelve sentences of the area count, divided by that. */
static void weigh_naively(naive *x, const made *m, dpl__area a)
{
    memset(x->weight, 0, sizeof x->weight);
    for (int side = 0; side < 2; side++)
        for (uint32_t t = 0; t < TERMS; t++)
            x->uses[side][t] = n_uses(m, side, a, t);
    for (uint32_t l = 0; l < TERMS; l++)
        for (uint64_t k = m->begin[l]; k < m->begin[l + 1]; k++) {
            const dpl__bead_link *link = &m->links[k];
            const uint32_t n[2] = {x->uses[0][l], x->uses[1][link->right]};
            if (n[0] > 12 || n[1] > 12)
                continue;
            const double gains =
                log(1 + gain_of(m, 1, link->right) * (double)link->p[0] / P(usual_tokens)) +
                log(1 + gain_of(m, 0, l) * (double)link->p[1] / P(usual_tokens));
            for (uint32_t i = a.left; i < a.left + a.n_left; i++)
                for (uint32_t j = a.right; j < a.right + a.n_right; j++)
                    if (has_word(m, 0, i, l) && has_word(m, 1, j, link->right))
                        x->weight[i][j] += gains / 2 / (n[0] > n[1] ? n[0] : n[1]);
        }
    /* the best four, of two nats; of equal ones the earlier */
    for (uint32_t i = a.left; i < a.left + a.n_left; i++) {
        double row[MOST];
        memcpy(row, x->weight[i], sizeof row);
        for (uint32_t j = 0; j < MOST; j++) {
            uint32_t n_better = 0;
            for (uint32_t k = 0; k < MOST; k++)
                n_better += row[k] > row[j] + 1e-6 || (k < j && fabs(row[k] - row[j]) <= 1e-6);
            if (row[j] < 2 || n_better >= 4)
                x->weight[i][j] = 0;
        }
    }
}

typedef struct naive_anchor {
    uint32_t left, right;
    double weight, support;
} naive_anchor;

/* The chain of the largest weight that rises on both sides. */
static size_t chain_naively(naive_anchor *out, const naive *x)
{
    static double sum[MOST + 1][MOST + 1]; /* of what is before both */
    size_t n = 0;
    uint32_t i = MOST, j = MOST;
    for (uint32_t l = 0; l < MOST; l++)
        for (uint32_t r = 0; r < MOST; r++) {
            const double with = x->weight[l][r] > 0 ? sum[l][r] + x->weight[l][r] : 0;
            sum[l + 1][r + 1] = fmax(with, fmax(sum[l][r + 1], sum[l + 1][r]));
        }
    while (i > 0 && j > 0)
        if (!(sum[i][j] > sum[i - 1][j])) {
            i--;
        } else if (!(sum[i][j] > sum[i][j - 1])) {
            j--;
        } else {
            i--, j--;
            out[n++] = (naive_anchor){i, j, x->weight[i][j], 0};
        }
    for (size_t k = 0; k < n / 2; k++) {
        const naive_anchor a = out[k];
        out[k] = out[n - 1 - k];
        out[n - 1 - k] = a;
    }
    return n;
}

/* Those in about the same direction, up to ten sentences away, support each other. */
static void support_naively(naive_anchor *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        a[i].support = a[i].weight;
        for (size_t k = 0; k < n; k++) {
            const naive_anchor *first = &a[i < k ? i : k], *last = &a[i < k ? k : i];
            const int down = (int)(last->left - first->left),
                      across = (int)(last->right - first->right);
            if (i != k && down <= 10 && abs(down - across) <= 2 + down / 3)
                a[i].support += a[k].weight;
        }
    }
}

static size_t check_anchors(const dpl__anchors *found, const made *m, dpl__area area)
{
    static naive x;
    static naive_anchor chain[MOST];
    size_t at = 0, n;
    weigh_naively(&x, m, area);
    n = chain_naively(chain, &x);
    support_naively(chain, n);
    for (size_t i = 0; i < n; i++) {
        if (chain[i].support < 8)
            continue;
        CHECK(at < found->found.n);
        const dpl__anchor *a = &found->found.data[at++];
        CHECK(a->left == chain[i].left && a->right == chain[i].right);
        CHECK(fabs((double)a->weight - chain[i].weight) < 1e-4);
    }
    CHECK_EQ(found->found.n, at);
    return at;
}

DPL_TEST(anchors, are_those_of_the_heaviest_chain)
{
    static made m;
    dpl__rng rng = {dpl__mix(111)};
    size_t n_whole = 0, n_parts = 0, n_sentences = 0;
    for (int turn = 0; turn < 25; turn++) {
        dpl_ctx *ctx = test_ctx(1);
        dpl__bow bow;
        dpl__anchors a;
        make_up(&m, &rng);
        dpl__area area = {0, m.n, 0, m.n};
        CHECK_OK(dpl__bow_init(&bow, ctx, &m.model, &test_err));
        CHECK_OK(dpl__bow_load(&bow, m.docs, &test_err));
        dpl__anchors_init(&a, ctx);
        CHECK_OK(dpl__anchors_start(&a, &bow, &test_err));
        CHECK_OK(dpl__anchors_find(&a, area, &test_err));
        n_whole += check_anchors(&a, &m, area);
        n_sentences += m.n;
        for (int part = 0; part < 3; part++) { /* other words are rare in parts */
            area.left = (uint32_t)dpl__rng_below(&rng, m.n);
            area.right = (uint32_t)dpl__rng_below(&rng, m.n);
            area.n_left = (uint32_t)dpl__rng_below(&rng, m.n - area.left + 1);
            area.n_right = (uint32_t)dpl__rng_below(&rng, m.n - area.right + 1);
            CHECK_OK(dpl__anchors_find(&a, area, &test_err));
            n_parts += check_anchors(&a, &m, area);
        }
        dpl__anchors_clear(&a);
        dpl__bow_clear(&bow);
        test_ctx_done(ctx);
    }

    CHECK(n_whole > n_sentences / 4 && n_whole < n_sentences && n_parts > 50);
}
