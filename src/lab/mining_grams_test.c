#include "lab/mining.h"

#include "lab/data.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Documents of made-up words, the same language on both sides. */
enum { VOCABULARY = 6, LEFT = 7, RIGHT = 9, DOCS = LEFT + RIGHT, MOST_WORDS = 30 };

static const dpl_lab_experiment about = {.name = "grams-test"};

typedef struct bench {
    dpl__lab lab;
    dpl_lab_options set;
    dpl_input inputs[2];
    dpl__lab_data data;
    dpl__mining_sides sides;
    unsigned words[DOCS][MOST_WORDS], n_words[DOCS];
    char json[2][DOCS * MOST_WORDS * 8];
} bench;

static const char *word_of(unsigned i)
{
    static const char *const words[VOCABULARY] = {"bam", "dorr", "fulk", "gimp", "hox", "jatz"};
    return words[i];
}

static void write_side(bench *b, unsigned side)
{
    size_t at = 0;
    char *out = b->json[side];
    for (unsigned doc = side ? LEFT : 0; doc < (side ? DOCS : LEFT); doc++) {
        at += (size_t)sprintf(out + at, "{\"id\":\"d%02u\",\"lang\":\"en\",\"text\":\"", doc);
        for (unsigned i = 0; i < b->n_words[doc]; i++)
            at += (size_t)sprintf(out + at, "%s%s", i ? " " : "", word_of(b->words[doc][i]));
        at += (size_t)sprintf(out + at, "\"}\n");
    }
}

static void bench_open(bench *b, uint64_t seed)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {seed};
    *b = (bench){.set = DPL_INIT(dpl_lab_options)};
    for (unsigned doc = 0; doc < DOCS; doc++) {
        b->n_words[doc] = 2 + (unsigned)dpl__rng_below(&rng, MOST_WORDS - 2);
        for (unsigned i = 0; i < b->n_words[doc]; i++)
            b->words[doc][i] = (unsigned)dpl__rng_below(&rng, VOCABULARY);
    }
    for (unsigned side = 0; side < 2; side++) {
        write_side(b, side);
        b->inputs[side] = (dpl_input){.buffer = dpl__cstr(b->json[side])};
    }
    b->set.gold = test_write("grams-gold", "d00\td07\nd01\td08\nd02\td09\nd03\td10\n", 32);
    dpl__lab_data_init(&b->data, ctx);
    b->lab = (dpl__lab){.ctx = ctx,
                        .about = &about,
                        .set = &b->set,
                        .inputs = b->inputs,
                        .n_inputs = 2,
                        .data = &b->data,
                        .folder = test_dir(),
                        .scratch = test_dir()};
    dpl__arena_init(&b->lab.arena, ctx);
    for (unsigned side = 0; side < 2; side++)
        CHECK_OK(dpl__mining_words(&b->sides.c[side], &b->lab, side, &test_err));
}

static void bench_close(bench *b)
{
    dpl_ctx *ctx = b->lab.ctx;
    dpl__mining_sides_close(&b->sides);
    dpl__arena_clear(&b->lab.arena);
    dpl__lab_data_clear(&b->data);
    test_ctx_done(ctx);
}

/* ---- cosines of bigrams, from a full matrix of counts ------------------------------- */

enum { BIGRAMS = VOCABULARY * VOCABULARY };

typedef struct matrix {
    double tf[DOCS][BIGRAMS], df[BIGRAMS], length[DOCS], mean;
} matrix;

static void count(matrix *m, const bench *b)
{
    memset(m, 0, sizeof *m);
    for (unsigned doc = 0; doc < DOCS; doc++) {
        for (unsigned i = 1; i < b->n_words[doc]; i++)
            m->tf[doc][b->words[doc][i - 1] * VOCABULARY + b->words[doc][i]]++;
        m->length[doc] = b->n_words[doc] - 1;
        m->mean += m->length[doc] / DOCS;
        for (unsigned g = 0; g < BIGRAMS; g++)
            m->df[g] += m->tf[doc][g] > 0;
    }
}

static double weigh(const matrix *m, unsigned doc, unsigned g, dpl__mining_scheme scheme)
{
    const double tf = m->tf[doc][g];
    if (tf == 0 || m->df[g] < 2)
        return 0;
    const double idf = log(DOCS / m->df[g]);
    if (scheme == DPL__MINING_IDF)
        return idf;
    if (scheme == DPL__MINING_TF_IDF)
        return tf * idf;
    const double k = 1.2 * (0.25 + 0.75 * m->length[doc] / m->mean);
    return idf * tf * 2.2 / (tf + k);
}

static double cosine(const matrix *m, unsigned a, unsigned b, dpl__mining_scheme scheme)
{
    double ab = 0, aa = 0, bb = 0;
    for (unsigned g = 0; g < BIGRAMS; g++) {
        const double x = weigh(m, a, g, scheme), y = weigh(m, b, g, scheme);
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return ab > 0 ? ab / sqrt(aa * bb) : 0;
}

DPL_TEST(grams, cosines_of_bigrams_are_those_of_a_full_matrix)
{
    static bench b;
    static matrix m;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        dpl__mining_grams g;
        bench_open(&b, seed);
        CHECK_OK(dpl__mining_grams_make(&g, &b.lab, &b.sides, &test_err));
        count(&m, &b);
        for (unsigned left = 0; left < LEFT; left++)
            for (unsigned right = LEFT; right < DOCS; right++)
                for (unsigned s = 0; s < 3; s++) {
                    const double found =
                        dpl__mining_grams_score(&g, left, right, (dpl__mining_scheme)s);
                    CHECK(fabs(found - cosine(&m, left, right, (dpl__mining_scheme)s)) < 1e-9);
                }
        dpl__vec_clear(b.lab.ctx, &g.all);
        bench_close(&b);
    }
}

static double sum_of(const dpl__mining_grams *g, uint32_t left, dpl__mining_scheme scheme)
{
    double sum = 0;
    for (unsigned right = LEFT; right < DOCS; right++)
        sum += dpl__mining_grams_score(g, left, right, scheme);
    return sum;
}

DPL_TEST(grams, the_length_of_a_document_matters_in_bm25_alone)
{
    static bench b;
    dpl__mining_grams g;
    bench_open(&b, 3);
    CHECK_OK(dpl__mining_grams_make(&g, &b.lab, &b.sides, &test_err));
    double before[3];
    uint32_t doc = 0; /* the longest: it has bigrams once and bigrams several times */
    for (uint32_t i = 0; i < LEFT; i++) {
        CHECK_EQ(g.lengths[i], b.n_words[i] - 1);
        doc = g.lengths[i] > g.lengths[doc] ? i : doc;
    }
    for (unsigned s = 0; s < 3; s++)
        before[s] = sum_of(&g, doc, (dpl__mining_scheme)s);
    g.lengths[doc] *= 10; /* as if it had many bigrams of its own */
    CHECK(sum_of(&g, doc, DPL__MINING_IDF) == before[0]);
    CHECK(sum_of(&g, doc, DPL__MINING_TF_IDF) == before[1]);
    CHECK(sum_of(&g, doc, DPL__MINING_BM25) != before[2]);
    dpl__vec_clear(b.lab.ctx, &g.all);
    bench_close(&b);
}

/* ---- paired differences of F1 ------------------------------------------------------- */

static void add_pair(dpl__mining_found *found, uint32_t left, uint32_t right, float score)
{
    CHECK(dpl__vec_push(found->ctx, &found->pairs, ((dpl_pair){left, right, score})));
}

DPL_TEST(grams, outcomes_count_what_matches_or_touches_gold)
{
    static bench b;
    bench_open(&b, 2);
    dpl__mining_outcomes o = {0};
    dpl__mining_found found = {.ctx = b.lab.ctx, .sides = &b.sides};
    CHECK_OK(dpl__mining_outcomes_begin(&o, &b.lab, 2, &test_err));
    CHECK_EQ(o.n_docs, LEFT);
    add_pair(&found, 0, 0, 0.9f); /* d00, d07: gold */
    add_pair(&found, 1, 5, 0.8f); /* d01 is in gold with another */
    add_pair(&found, 5, 3, 0.7f); /* d10 is in gold with another */
    add_pair(&found, 6, 8, 0.7f); /* neither side is in gold */
    add_pair(&found, 2, 2, 0.1f); /* gold, below the threshold */
    dpl__mining_outcomes_add(&o, &found, 0, 0.5);
    static const dpl__mining_outcome expected[LEFT] = {
        {1, 1, 1}, {1, 1, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}};
    for (unsigned i = 0; i < LEFT; i++) {
        CHECK_EQ(o.of[0][i].n_gold, expected[i].n_gold);
        CHECK_EQ(o.of[0][i].n_found, expected[i].n_found);
        CHECK_EQ(o.of[0][i].n_right, expected[i].n_right);
        CHECK_EQ(o.of[1][i].n_found, 0); /* another way has found nothing yet */
    }
    dpl__mining_found_clear(&found);
    bench_close(&b);
}

static double f1_of(const dpl__mining_outcomes *o, unsigned way)
{
    double right = 0, all = 0;
    for (uint32_t i = 0; i < o->n_docs; i++) {
        right += o->of[way][i].n_right;
        all += o->of[way][i].n_gold + o->of[way][i].n_found;
    }
    return all > 0 ? 2 * right / all : 0;
}

DPL_TEST(grams, differences_of_f1_are_paired_and_hold_the_measured_one)
{
    enum { N = 400 };
    static dpl__mining_outcome ways[3][N];
    dpl__lab lab = {.ctx = test_ctx(1), .about = &about};
    dpl__arena_init(&lab.arena, lab.ctx);
    dpl__mining_outcomes o = {.n_docs = N, .of = {ways[0], ways[1], ways[2]}};
    dpl__rng rng = {9};
    for (unsigned i = 0; i < N; i++) {
        const unsigned dice = (unsigned)dpl__rng_below(&rng, 10);
        ways[0][i] = (dpl__mining_outcome){1, 1, dice < 6}; /* 0.6 right */
        ways[1][i] = (dpl__mining_outcome){1, 1, dice < 7}; /* the same and a tenth more */
        ways[2][i] = (dpl__mining_outcome){1, 1, dice >= 4};
    }
    double bounds[2], other[2];
    CHECK_OK(dpl__mining_difference(bounds, &lab, &o, 0, 0, &test_err));
    CHECK(bounds[0] == 0 && bounds[1] == 0);
    CHECK_OK(dpl__mining_difference(bounds, &lab, &o, 0, 1, &test_err));
    const double measured = f1_of(&o, 1) - f1_of(&o, 0);
    CHECK(bounds[0] > 0 && bounds[0] < measured && measured < bounds[1]);
    /* a difference of documents that are 1 with probability p has a deviation of sqrt(pq/n) */
    const double deviation = sqrt(measured * (1 - measured) / N);
    CHECK(fabs((bounds[1] - bounds[0]) / 2 - 1.96 * deviation) < 0.2 * deviation);
    /* the same documents, turned round */
    CHECK_OK(dpl__mining_difference(other, &lab, &o, 1, 0, &test_err));
    CHECK(fabs(other[0] + bounds[1]) < 1e-12 && fabs(other[1] + bounds[0]) < 1e-12);
    /* ways that are right about other documents differ more from draw to draw */
    CHECK_OK(dpl__mining_difference(other, &lab, &o, 0, 2, &test_err));
    CHECK(other[1] - other[0] > 2 * (bounds[1] - bounds[0]));
    dpl__arena_clear(&lab.arena);
    test_ctx_done(lab.ctx);
}

DPL_TEST(grams, a_bootstrap_interval_leaves_out_a_fortieth_at_each_end)
{
    static dpl__mining_boot x, y;
    for (unsigned i = 0; i < DPL__MINING_DRAWS; i++) { /* 0 to 999, in another order */
        x.bleu[i] = (float)(i * 7 % DPL__MINING_DRAWS);
        y.bleu[i] = x.bleu[i] - (float)(i * 3 % DPL__MINING_DRAWS) / 100;
    }
    const dpl__mining_interval all = dpl__mining_boot_interval(&x, NULL);
    CHECK(fabs(all.low - 25) <= 1 && fabs(all.high - 974) <= 1);
    /* differences are those of the same draws: 0 to 9.99 */
    const dpl__mining_interval paired = dpl__mining_boot_interval(&x, &y);
    CHECK(fabs(paired.low - 0.25) < 0.02 && fabs(paired.high - 9.74) < 0.02);
}
