#include "translate/language_model.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>

enum { N_WORDS = 12, UNKNOWN = N_WORDS, BEGIN, END, N_ALL };

typedef struct model {
    dpl_ctx *ctx;
    dpl__spill spill;
    dpl__spool text;
    dpl_file *file;
    dpl__lm lm;
    uint64_t n_ngrams[2];
} model;

/* Sentences of drawn words, some of them beyond the vocabulary; a word often follows itself. */
static void make_model(model *m, size_t n_sentences, uint64_t memory)
{
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = memory);
    dpl__writer *w = NULL;
    dpl__rng rng = {7};
    *m = (model){0};
    CHECK_OK(dpl_ctx_new(&m->ctx, &o, &test_err));
    CHECK_OK(dpl__spill_init(&m->spill, m->ctx, test_dir(), &test_err));
    dpl__spool_init(&m->text, &m->spill, 1000);
    for (size_t i = 0; i < n_sentences; i++) {
        uint32_t word = 0, end = DPL__LM_BREAK;
        for (size_t k = dpl__rng_below(&rng, 9); k > 0; k--) {
            word = dpl__rng_below(&rng, 3) ? (uint32_t)dpl__rng_below(&rng, N_WORDS + 2) : word;
            CHECK_OK(dpl__spool_append(&m->text, &word, sizeof word, &test_err));
        }
        CHECK_OK(dpl__spool_append(&m->text, &end, sizeof end, &test_err));
    }
    CHECK_OK(dpl__writer_new(&w, m->ctx, NULL, "sample", &test_err));
    CHECK_OK(dpl__lm_write(w, &m->spill, &m->text, N_WORDS, m->n_ngrams, &test_err));
    CHECK_OK(dpl__writer_open(w, &m->file, &test_err));
    dpl__writer_free(w);
    CHECK_OK(dpl__lm_open(&m->lm, m->ctx, m->file, N_WORDS, &test_err));
}

static void clear_model(model *m)
{
    dpl__lm_close(&m->lm, m->ctx);
    dpl_file_close(m->file);
    dpl__spool_clear(&m->text);
    dpl__spill_clear(&m->spill);
    dpl_ctx_free(m->ctx);
}

DPL_TEST(language_model, probabilities_of_each_context_sum_to_one)
{
    model m;
    make_model(&m, 300, 0);
    CHECK_EQ(dpl__lm_begin(&m.lm), BEGIN);
    CHECK_EQ(dpl__lm_end(&m.lm), END);
    for (uint32_t a = 0; a < N_ALL; a++)
        for (uint32_t b = 0; b < N_ALL; b++) {
            double sum = 0;
            for (uint32_t c = 0; c < N_ALL; c++)
                sum += exp((double)dpl__lm_score(&m.lm, a, b, c));
            CHECK(fabs(sum - 1) < 1e-4);
        }
    clear_model(&m);
}

/* n-grams of the text by comparing all of them. */
static size_t count_different(uint32_t (*ngrams)[3], size_t n, size_t first)
{
    size_t n_different = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < i && memcmp(ngrams[k] + first, ngrams[i] + first,
                               (3 - first) * sizeof(uint32_t)) != 0)
            k++;
        n_different += k == i;
    }
    return n_different;
}

DPL_TEST(language_model, counts_the_ngrams_that_are_different)
{
    static uint32_t ngrams[4000][3];
    model m;
    size_t n = 0;
    uint32_t a = BEGIN, b = BEGIN, c;
    make_model(&m, 300, 0);
    for (uint64_t at = 0; at < dpl__spool_size(&m.text); at += sizeof c) {
        CHECK_OK(dpl__spool_read(&m.text, at, &c, sizeof c, &test_err));
        c = c == DPL__LM_BREAK ? END : c >= N_WORDS ? UNKNOWN : c;
        CHECK(n < DPL_LEN(ngrams));
        ngrams[n][0] = a;
        ngrams[n][1] = b;
        ngrams[n++][2] = c;
        a = c == END ? BEGIN : b;
        b = c == END ? BEGIN : c;
    }
    CHECK_EQ(m.n_ngrams[1], count_different(ngrams, n, 0));
    CHECK_EQ(m.n_ngrams[0], count_different(ngrams, n, 1));
    clear_model(&m);
}

DPL_TEST(language_model, what_follows_more_often_is_more_probable)
{
    model m;
    make_model(&m, 2000, 0);
    double same = 0, other = 0; /* a word follows itself a third of the time */
    for (uint32_t a = 0; a < N_WORDS; a++)
        for (uint32_t c = 0; c < N_WORDS; c++)
            *(a == c ? &same : &other) += exp((double)dpl__lm_score(&m.lm, a, a, c));
    CHECK(same / N_WORDS > 2 * other / (N_WORDS * (N_WORDS - 1)));
    clear_model(&m);
}

DPL_TEST(language_model, has_the_same_scores_whatever_the_memory)
{
    model large, small;
    make_model(&large, 20000, 0);
    make_model(&small, 20000, 64 << 10);
    CHECK(small.spill.n_bytes > large.spill.n_bytes);
    for (uint32_t a = 0; a < N_ALL; a++)
        for (uint32_t b = 0; b < N_ALL; b++)
            for (uint32_t c = 0; c < N_ALL; c++)
                CHECK(dpl__lm_score(&large.lm, a, b, c) == dpl__lm_score(&small.lm, a, b, c));
    clear_model(&small);
    clear_model(&large);
}

DPL_TEST(language_model, of_no_text_is_uniform)
{
    model m;
    make_model(&m, 0, 0);
    for (uint32_t c = 0; c < N_ALL; c++)
        CHECK(fabs(exp((double)dpl__lm_score(&m.lm, 0, 1, c)) - 1.0 / N_ALL) < 1e-6);
    clear_model(&m);
}
