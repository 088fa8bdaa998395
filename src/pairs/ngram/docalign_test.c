/* The document aligner against one that compares every pair, and bad input. */
#include "base/base64.h"
#include "base/hash.h"
#include "base/vec.h"
#include "doppel/ngram.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_DOCS = 60, N_WORDS = 30, N_VOCABULARY = 40 };

static uint32_t words[2][N_DOCS][N_WORDS];

static void encode(char *out, const char *text, size_t n)
{
    out[dpl__base64_encode(out, text, n)] = 0;
}

static const char *write_docs(const char *name, int side, uint64_t seed)
{
    dpl__rng rng = {seed};
    char file[N_DOCS * N_WORDS * 8];
    size_t n = 0;
    for (unsigned d = 0; d < N_DOCS; d++) {
        char text[N_WORDS * 5], line[N_WORDS * 8];
        size_t n_text = 0;
        for (unsigned w = 0; w < N_WORDS; w++) {
            words[side][d][w] = (uint32_t)dpl__rng_below(&rng, N_VOCABULARY);
            if (side == 1 && dpl__rng_below(&rng, 3))
                words[1][d][w] = words[0][N_DOCS - 1 - d][w];
            n_text +=
                (size_t)sprintf(text + n_text, "w%u%c", words[side][d][w], w % 7 ? ' ' : '\n');
        }
        encode(line, text, n_text);
        n += (size_t)sprintf(file + n, "%s\n", line);
    }
    return test_write(name, file, n);
}

/* ---- the naive one: weights of all pairs of words -------------------------------------- */

static double row_of[2][N_DOCS][N_VOCABULARY * N_VOCABULARY];

static void weight_all(void)
{
    static uint32_t df[N_VOCABULARY * N_VOCABULARY];
    memset(df, 0, sizeof df);
    memset(row_of, 0, sizeof row_of);
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < N_DOCS; d++) {
            for (int w = 0; w + 1 < N_WORDS; w++)
                row_of[side][d][words[side][d][w] * N_VOCABULARY + words[side][d][w + 1]]++;
            for (int k = 0; k < N_VOCABULARY * N_VOCABULARY; k++)
                df[k] += row_of[side][d][k] > 0;
        }
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < N_DOCS; d++) {
            double sum = 0, *row = row_of[side][d];
            for (int k = 0; k < N_VOCABULARY * N_VOCABULARY; k++) {
                row[k] = row[k] > 0 ? log(row[k] + 1) * log(2. * N_DOCS / (1. + df[k])) : 0;
                sum += row[k] * row[k];
            }
            for (int k = 0; k < N_VOCABULARY * N_VOCABULARY; k++)
                row[k] = df[k] < 2 ? 0 : row[k] / sqrt(sum);
        }
}

static double naive_score(uint32_t left, uint32_t right)
{
    double sum = 0;
    for (int k = 0; k < N_VOCABULARY * N_VOCABULARY; k++)
        sum += row_of[0][left][k] * row_of[1][right][k];
    return sum;
}

/* ---- tests ------------------------------------------------------------------------------ */

typedef struct taken {
    dpl_pair pairs[N_DOCS * N_DOCS];
    size_t n;
} taken;

static dpl_status take(void *user, const dpl_pair *pair, dpl_error *err)
{
    (void)err;
    taken *t = user;
    t->pairs[t->n++] = *pair;
    return DPL_OK;
}

static dpl_status align(taken *t, dpl_ctx *ctx, const char *left, const char *right,
                        const dpl_docalign_options *o)
{
    dpl_docalign_input in = DPL_INIT(dpl_docalign_input, .translated = left, .english = right,
                                     .take = take, .user = t);
    t->n = 0;
    return dpl_docalign(NULL, ctx, &in, o, &test_err);
}

DPL_TEST(docalign, scores_are_those_of_all_pairs)
{
    static taken all, again;
    const char *left = write_docs("left", 0, 1), *right = write_docs("right", 1, 2);
    weight_all();
    dpl_docalign_options o = DPL_INIT(dpl_docalign_options, .all = true, .threshold = 0.05);
    for (unsigned threads = 1; threads <= 3; threads++) {
        dpl_ctx *ctx = test_ctx(threads);
        CHECK_OK(align(threads == 1 ? &all : &again, ctx, left, right, &o));
        test_ctx_done(ctx);
    }
    CHECK_EQ(all.n, again.n);
    CHECK(memcmp(all.pairs, again.pairs, all.n * sizeof *all.pairs) == 0);
    size_t n = 0;
    for (uint32_t r = 0; r < N_DOCS; r++)
        for (uint32_t l = 0; l < N_DOCS; l++) {
            double score = naive_score(l, r);
            if (fabs(score - 0.05) < 1e-6)
                continue;
            if (score < 0.05)
                continue;
            CHECK(n < all.n && all.pairs[n].left == l && all.pairs[n].right == r);
            CHECK(fabs((double)all.pairs[n].score - score) < 1e-5);
            n++;
        }
    CHECK_EQ(n, all.n);
}

DPL_TEST(docalign, each_document_is_in_its_best_pair)
{
    static taken best;
    dpl_ctx *ctx = test_ctx(2);
    const char *left = write_docs("left", 0, 1), *right = write_docs("right", 1, 2);
    CHECK_OK(align(&best, ctx, left, right, NULL));
    size_t n_right = 0;
    for (size_t i = 0; i < best.n; i++) {
        n_right += best.pairs[i].left == N_DOCS - 1 - best.pairs[i].right;
        CHECK(i == 0 || best.pairs[i].score <= best.pairs[i - 1].score);
    }
    CHECK_EQ(best.n, N_DOCS);
    CHECK(n_right >= N_DOCS - 2);
    test_ctx_done(ctx);
}

/* The smallest limit makes an index of a document at a time. */
DPL_TEST(docalign, pairs_do_not_depend_on_memory)
{
    static taken first, again;
    const char *left = write_docs("left", 0, 1), *right = write_docs("right", 1, 2);
    for (unsigned all = 0; all < 2; all++) {
        dpl_docalign_options o = DPL_INIT(dpl_docalign_options, .all = all, .threshold = 0.02);
        dpl_ctx *ctx = test_ctx(1);
        CHECK_OK(align(&first, ctx, left, right, &o));
        test_ctx_done(ctx);
        CHECK(first.n >= N_DOCS / 2);
        for (uint64_t memory = 1 << 9; memory <= 1 << 21; memory <<= 4) {
            dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = 2, .memory = memory);
            CHECK_OK(dpl_ctx_new(&ctx, &c, &test_err));
            CHECK_OK(align(&again, ctx, left, right, &o));
            CHECK_EQ(again.n, first.n);
            CHECK(memcmp(again.pairs, first.pairs, first.n * sizeof *first.pairs) == 0);
            test_ctx_done(ctx);
        }
    }
}

DPL_TEST(docalign, bad_and_odd_lines)
{
    static taken t;
    dpl_ctx *ctx = test_ctx(2);
    static const char good[] = "YSBiIGM=\nYSBiIGQ=", bad[] = "YSBiIGM=\n\nYSB*IGM=\n";
    static const char empty[] = "\n\r\nYQ==\r\n";
    const char *a = test_write("a", good, sizeof good - 1);
    const char *b = test_write("b", bad, sizeof bad - 1);
    const char *c = test_write("c", empty, sizeof empty - 1), *none = test_write("d", "", 0);
    CHECK_EQ(align(&t, ctx, a, b, NULL), DPL_E_FORMAT);
    CHECK_EQ(test_err.line, 3);
    CHECK_EQ(test_err.column, 4);
    CHECK_OK(align(&t, ctx, a, a, NULL));
    CHECK_OK(align(&t, ctx, a, c, NULL));
    CHECK_EQ(t.n, 0);
    CHECK_OK(align(&t, ctx, c, a, NULL)); /* an index without an entry */
    CHECK_EQ(t.n, 0);
    CHECK_OK(align(&t, ctx, none, none, NULL));
    CHECK_EQ(t.n, 0);
    CHECK_EQ(align(&t, ctx, a, test_path("missing"), NULL), DPL_E_IO);
    dpl_docalign_options o = DPL_INIT(dpl_docalign_options, .ngram_size = 33);
    CHECK_EQ(align(&t, ctx, a, a, &o), DPL_E_USAGE);
    test_ctx_done(ctx);
}

typedef struct files {
    const char *left, *right;
} files;

static dpl_status align_files(void *user, dpl_ctx *ctx, dpl_error *err)
{
    static taken t;
    const files *f = user;
    dpl_docalign_input in = DPL_INIT(dpl_docalign_input, .translated = f->left,
                                     .english = f->right, .take = take, .user = &t);
    t.n = 0;
    return dpl_docalign(NULL, ctx, &in, NULL, err);
}

DPL_TEST(docalign, every_failed_allocation_is_reported)
{
    files f = {write_docs("left", 0, 1), write_docs("right", 1, 2)};
    test_allocation_failures(align_files, &f);
}
