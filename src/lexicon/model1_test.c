
#include "lexicon/encoded_test.h"
#include "test.h"

#include <math.h>

static double p_of(const dpl__wordmodel *m, int given, uint32_t left, uint32_t right)
{
    uint64_t k = link_of(m, left, right);
    return k < m->n_links ? m->links[k].p[given] : 0;
}

/* ---- the naive version -------------------------------------------------------------- */

typedef struct naive {
    double p[2][CORPUS_WORDS][CORPUS_WORDS]; /* [given][left][right] */
    double empty[2][CORPUS_WORDS];
    bool is_link[CORPUS_WORDS][CORPUS_WORDS];
} naive;

static uint32_t token(const corpus *c, int side, size_t row, size_t i)
{
    return c->tokens[side][c->begin[side][row] + i];
}

static void naive_start(naive *n, const corpus *c)
{
    *n = (naive){0};
    for (size_t row = 0; row < c->encoded.n_rows; row++)
        for (size_t i = 0; i < dpl__encoded_length(&c->encoded, DPL__LEFT, row); i++)
            for (size_t j = 0; j < dpl__encoded_length(&c->encoded, DPL__RIGHT, row); j++)
                n->is_link[token(c, DPL__LEFT, row, i)][token(c, DPL__RIGHT, row, j)] = true;
    for (int side = 0; side < 2; side++)
        for (uint32_t w = 0; w < CORPUS_WORDS; w++) {
            n->empty[side][w] = 1.0 / c->encoded.side[!side].n_words;
            for (uint32_t v = 0; v < CORPUS_WORDS; v++)
                n->p[side][w][v] = 1.0 / c->encoded.side[!side].n_words;
        }
}

static double *count_of(double counts[CORPUS_WORDS][CORPUS_WORDS], int given, uint32_t from,
                        uint32_t to)
{
    return given == DPL__LEFT ? &counts[from][to] : &counts[to][from];
}

/* Words of the other side come from those of `given`. */
static void naive_expect(const naive *n, const corpus *c, int given, double p_empty,
                         double counts[CORPUS_WORDS][CORPUS_WORDS], double empty[CORPUS_WORDS])
{
    for (size_t row = 0; row < c->encoded.n_rows; row++) {
        size_t n_given = dpl__encoded_length(&c->encoded, given, row);
        for (size_t j = 0; n_given && j < dpl__encoded_length(&c->encoded, !given, row); j++) {
            uint32_t to = token(c, !given, row, j);
            double of_empty = p_empty * n->empty[given][to], sum = of_empty, each[32];
            for (size_t i = 0; i < n_given; i++) {
                uint32_t from = token(c, given, row, i);
                each[i] = (1 - p_empty) / (double)n_given *
                          (given == DPL__LEFT ? n->p[given][from][to] : n->p[given][to][from]);
                sum += each[i];
            }
            empty[to] += of_empty / sum;
            for (size_t i = 0; i < n_given; i++)
                *count_of(counts, given, token(c, given, row, i), to) += each[i] / sum;
        }
    }
}

static void naive_maximize(naive *n, const corpus *c, int given, double prior,
                           double counts[CORPUS_WORDS][CORPUS_WORDS])
{
    double of_classes[CORPUS_WORDS][CORPUS_WORDS] = {{0}}, of_class[CORPUS_WORDS] = {0},
           of_word[CORPUS_WORDS] = {0}, tokens[CORPUS_WORDS] = {0},
           in_class[CORPUS_WORDS] = {0};
    const uint32_t *from_class = c->encoded.side[given].classes,
                   *to_class = c->encoded.side[!given].classes;
    for (size_t row = 0; row < c->encoded.n_rows; row++)
        for (size_t j = 0; j < dpl__encoded_length(&c->encoded, !given, row); j++)
            if (dpl__encoded_length(&c->encoded, given, row)) {
                tokens[token(c, !given, row, j)]++;
                in_class[to_class[token(c, !given, row, j)]]++;
            }
    for (uint32_t w = 0; w < CORPUS_WORDS; w++)
        of_class[w] = of_classes[w][w] = 2;
    for (uint32_t from = 0; from < CORPUS_WORDS; from++)
        for (uint32_t to = 0; to < CORPUS_WORDS; to++) {
            double count = *count_of(counts, given, from, to);
            of_classes[from_class[from]][to_class[to]] += count;
            of_class[from_class[from]] += count;
            of_word[from] += count;
        }
    for (uint32_t from = 0; from < CORPUS_WORDS; from++)
        for (uint32_t to = 0; to < CORPUS_WORDS; to++) {
            double base = of_classes[from_class[from]][to_class[to]] /
                          of_class[from_class[from]] * tokens[to] / in_class[to_class[to]];
            *count_of(n->p[given], given, from, to) =
                (*count_of(counts, given, from, to) + prior * base) / (of_word[from] + prior);
        }
}

static void naive_iterate(naive *n, const corpus *c, int given, double prior, double p_empty)
{
    static double counts[CORPUS_WORDS][CORPUS_WORDS];
    double empty[CORPUS_WORDS] = {0}, total = 0;
    memset(counts, 0, sizeof counts);
    naive_expect(n, c, given, p_empty, counts, empty);
    naive_maximize(n, c, given, prior, counts);
    for (uint32_t w = 0; w < CORPUS_WORDS; w++)
        total += empty[w] + 0.1;
    for (uint32_t w = 0; w < CORPUS_WORDS; w++)
        n->empty[given][w] = (empty[w] + 0.1) / total;
}

static void check_against_naive(uint64_t seed)
{
    static corpus c;
    static naive n;
    corpus_draw(&c, seed, 200, 12);
    naive_start(&n, &c);
    dpl_ctx *ctx = test_ctx(2);
    dpl__wordmodel m;
    dpl__model_options o = {.no_hmm = true, .n_model1 = 4, .prior = 3};
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, &o, &test_err));
    for (unsigned i = 0; i < 4; i++)
        for (int side = 0; side < 2; side++)
            naive_iterate(&n, &c, side, 3, 0.1);
    for (int side = 0; side < 2; side++)
        for (uint32_t l = 0; l < CORPUS_WORDS; l++) {
            for (uint32_t r = 0; r < CORPUS_WORDS; r++) {
                double got = p_of(&m, side, l, r), want = n.is_link[l][r] ? n.p[side][l][r] : 0;
                if (fabs(got - want) > 2e-5 * (want + 1e-3))
                    dpl__test_fail(__FILE__, __LINE__, "seed %llu: p %d %u %u is %g, not %g",
                                   (unsigned long long)seed, side, l, r, got, want);
            }
            CHECK(fabs(m.empty[side][l] - n.empty[side][l]) < 1e-5);
        }
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

DPL_TEST(model1, agrees_with_the_naive_version)
{
    for (uint64_t seed = 1; seed <= 5; seed++)
        check_against_naive(seed);
}

DPL_TEST(model1, one_row_of_one_word_each_is_certain)
{
    static corpus c;
    c = (corpus){0};
    corpus_add(&c, "a", "a");
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel m;
    dpl__model_options o = {.no_hmm = true, .n_model1 = 1, .p_empty = 0.2};
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, &o, &test_err));
    /* 0.8 of the count are the link's, 0.2 the empty word's; it is the only link of the word.
     */
    CHECK_EQ(m.n_links, 1);
    CHECK(fabs(m.links[0].p[DPL__LEFT] - 1) < 1e-6);
    CHECK(m.empty[DPL__LEFT][0] == 1);
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

/* "the house / das haus, the book / das buch, a book / ein buch" */
DPL_TEST(model1, words_that_share_rows_find_each_other)
{
    static corpus c;
    c = (corpus){0};
    for (int i = 0; i < 10; i++) {
        corpus_add(&c, "ab", "ab");
        corpus_add(&c, "ac", "ac");
        corpus_add(&c, "dc", "dc");
    }
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel m;
    dpl__model_options o = {.no_hmm = true, .n_model1 = 20};
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, &o, &test_err));
    for (uint32_t w = 0; w < 4; w++)
        for (int side = 0; side < 2; side++)
            CHECK(p_of(&m, side, w, w) > 0.9);
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}
