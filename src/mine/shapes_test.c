#include "mine/shapes.h"

#include "mine/made_up_side_test.h"
#include "mine/word_parts.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60, MOST = 60 * 600 };

/* Document n has n % 7 questions, n % 5 quotations and 5 + n words of its side. */
static dpl_collection *make(dpl_ctx *ctx, const char *word, const char *question,
                            bool is_turned)
{
    char *text = malloc(MOST * 4);
    size_t at = 0;
    for (int i = 0; i < N; i++) {
        const int n = is_turned ? N - 1 - i : i;
        at += (size_t)sprintf(text + at, "%s%02d\t", word, n);
        for (int k = 0; k < 5 + n; k++)
            at += (size_t)sprintf(text + at, "%s%c%s ", word, 'a' + k % 20, k % 3 ? "xu" : "");
        for (int k = 0; k < n % 7; k++)
            at += (size_t)sprintf(text + at, "%s%s ", word, question);
        for (int k = 0; k < n % 5; k++)
            at += (size_t)sprintf(text + at, "(%s) ", word);
        text[at - 1] = '\n';
    }
    dpl_collection *c = import_side(ctx, text, at, is_turned);
    free(text);
    return c;
}

static dpl__comparable make_both(dpl_ctx *ctx, uint8_t *skip)
{
    dpl__comparable p = {.ctx = ctx, .n_docs = {N, N}, .skip = {skip, skip}};
    p.c[0] = make(ctx, "tabel", "?", false);
    p.c[1] = make(ctx, "morup", "\xD8\x9F", true); /* the Arabic question mark */
    return p;
}

static void clear_both(dpl__comparable *p)
{
    for (int side = 0; side < 2; side++)
        dpl_collection_close((dpl_collection *)(uintptr_t)p->c[side]);
    test_ctx_done(p->ctx);
}

static float gain_of(const dpl__shapes *s, uint32_t left, uint32_t right)
{
    float gains[2][DPL__SHAPES_BLOCK];
    dpl__shapes_gains(gains[0], s, 0, left, right / DPL__SHAPES_BLOCK);
    dpl__shapes_gains(gains[1], s, 1, right, left / DPL__SHAPES_BLOCK);
    CHECK(memcmp(&gains[0][right % DPL__SHAPES_BLOCK], &gains[1][left % DPL__SHAPES_BLOCK],
                 sizeof(float)) == 0);
    return gains[0][right % DPL__SHAPES_BLOCK];
}

DPL_TEST(shapes, documents_without_a_common_word_are_alike_by_length_and_marks)
{
    dpl_ctx *ctx = test_ctx(1);
    uint8_t skip[N] = {0};
    dpl__comparable p = make_both(ctx, skip);
    dpl__shapes shapes;
    dpl_doc_pair known[20];
    const int sides[2] = {0, 1}, turned[2] = {1, 0};
    CHECK_OK(dpl__shapes_measure(&shapes, &p, sides, &test_err));
    for (uint32_t i = 0; i < 20; i++)
        known[i] = (dpl_doc_pair){3 * i, N - 1 - 3 * i};
    dpl__shapes_learn(&shapes, known, 20);
    unsigned n_right = 0;
    for (uint32_t l = 0; l < N; l++) {
        uint32_t best = 0;
        for (uint32_t r = 1; r < N; r++)
            if (gain_of(&shapes, l, r) > gain_of(&shapes, l, best))
                best = r;
        n_right += best == N - 1 - l;
        CHECK(isfinite((double)gain_of(&shapes, l, best)));
    }
    CHECK(n_right >= N * 3 / 4);
    const float before = gain_of(&shapes, 7, 11);
    dpl__shapes_clear(&shapes);
    CHECK_OK(dpl__shapes_measure(&shapes, &p, turned, &test_err));
    for (uint32_t i = 0; i < 20; i++)
        known[i] = (dpl_doc_pair){known[i].right, known[i].left};
    dpl__shapes_learn(&shapes, known, 20);
    CHECK(before == gain_of(&shapes, 11, 7));
    dpl__shapes_clear(&shapes);
    clear_both(&p);
}

DPL_TEST(shapes, gains_are_logarithms_of_likelihood_ratios)
{
    dpl_ctx *ctx = test_ctx(1);
    uint8_t skip[N] = {0};
    dpl__comparable p = make_both(ctx, skip);
    dpl__shapes shapes;
    dpl_doc_pair known[20];
    const int sides[2] = {0, 1};
    CHECK_OK(dpl__shapes_measure(&shapes, &p, sides, &test_err));
    for (uint32_t i = 0; i < 20; i++)
        known[i] = (dpl_doc_pair){i, N - 1 - i};
    dpl__shapes_learn(&shapes, known, 20);
    for (uint32_t l = 0; l < N; l++)
        for (uint32_t r = 0; r < N; r++) {
            double gain = 0;
            for (int k = 0; k < DPL__SHAPES; k++) {
                const double rho = shapes.rho[k], rest = 1 - rho * rho,
                             a = (double)shapes.z[0][l * DPL__SHAPES + (uint32_t)k],
                             b = (double)shapes.z[1][r * DPL__SHAPES + (uint32_t)k];
                gain -= log(rest) / 2 +
                        (rho * rho * (a * a + b * b) - 2 * rho * a * b) / (2 * rest);
            }
            CHECK(fabs(gain - (double)gain_of(&shapes, l, r)) < 1e-3 * (1 + fabs(gain)));
        }
    dpl__shapes_clear(&shapes);
    clear_both(&p);
}

/* Wrong pairs teach that shapes say nothing. */
DPL_TEST(shapes, count_as_far_as_the_pairs_agree)
{
    dpl_ctx *ctx = test_ctx(1);
    uint8_t skip[N] = {0};
    dpl__comparable p = make_both(ctx, skip);
    dpl__shapes shapes;
    dpl_doc_pair right[N], wrong[N];
    const int sides[2] = {0, 1};
    CHECK_OK(dpl__shapes_measure(&shapes, &p, sides, &test_err));
    for (uint32_t i = 0; i < N; i++) {
        right[i] = (dpl_doc_pair){i, N - 1 - i};
        wrong[i] = (dpl_doc_pair){i, i * 37 % N};
    }
    dpl__shapes_learn(&shapes, right, N);
    const double of_right = shapes.rho[0];
    dpl__shapes_learn(&shapes, wrong, N);
    CHECK(of_right > 0.9 && shapes.rho[0] < 0.5);
    dpl__shapes_clear(&shapes);
    clear_both(&p);
}

DPL_TEST(word_parts, beginnings_that_words_share_are_terms)
{
    dpl_ctx *ctx = test_ctx(1);
    uint8_t skip[N] = {0};
    dpl__comparable p = make_both(ctx, skip);
    dpl__word_parts words, parts;
    const uint32_t n_words = dpl_collection_get_sizes(p.c[0])->n_terms;
    CHECK_OK(dpl__word_parts_find(&words, &p, 0, false, &test_err));
    CHECK_OK(dpl__word_parts_find(&parts, &p, 0, true, &test_err));
    CHECK_EQ(words.n_terms, n_words);
    CHECK(parts.n_terms > n_words); /* "tabe", "tabel", "tabela" */
    for (uint32_t doc = 0; doc < N; doc++) {
        size_t n;
        const uint32_t *unused, *row = dpl_collection_row(p.c[0], doc, &unused, &n);
        CHECK_EQ(words.begin[doc + 1] - words.begin[doc], n);
        CHECK(!memcmp(words.ids.data + words.begin[doc], row, n * sizeof *row));
        for (uint64_t i = parts.begin[doc] + 1; i < parts.begin[doc + 1]; i++)
            CHECK(parts.ids.data[i - 1] < parts.ids.data[i]);
    }
    uint32_t most = 0;
    for (uint32_t t = n_words; t < parts.n_terms; t++)
        most = parts.df[t] > most ? parts.df[t] : most;
    CHECK_EQ(most, N);
    dpl__word_parts_clear(&parts);
    dpl__word_parts_clear(&words);
    clear_both(&p);
}
