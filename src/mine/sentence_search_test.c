#include "mine/sentence_search.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_PAIRED = 500, N_ALONE = 300, N_VOCABULARY = 400 };

/* A sentence of made-up words, number by number the same in both languages; in each third one a
 * name that both share. */
static size_t put_sentence(char *out, size_t room, unsigned number, bool is_right)
{
    static const char *const syllables[2][8] = {
        {"ka", "lo", "mi", "ru", "te", "sa", "vo", "ne"},
        {"bir", "dug", "fel", "gop", "hix", "jaw", "pym", "qez"}};
    const char *const *s = syllables[is_right];
    dpl__rng rng = {dpl__mix(number + 1)};
    uint64_t n_words = 6 + dpl__rng_below(&rng, 8);
    size_t n = 0;
    if (number % 3 == 0)
        n += (size_t)snprintf(out, room, "Stadt%u ", 100 + number / 2);
    for (uint64_t i = 0; i < n_words; i++) {
        uint64_t r = dpl__rng_below(&rng, N_VOCABULARY),
                 w = r * dpl__rng_below(&rng, N_VOCABULARY) / N_VOCABULARY;
        n += (size_t)snprintf(out + n, room - n, "%s%s%s ", s[w % 8], s[w / 8 % 8],
                              s[w / 64 % 8]);
    }
    out[0] = (char)(out[0] & ~0x20); /* a capital */
    return n;
}

/* Some sentences have a counterpart on the other side, and some have none. per_doc sentences
 * are one document, whose id is the number of the first. */
static const char *write_side(const char *name, bool is_right, unsigned per_doc)
{
    size_t room = (N_PAIRED + N_ALONE) * 200, n = 0;
    char *text = malloc(room);
    for (unsigned i = 0; i < N_PAIRED + N_ALONE; i++) {
        unsigned number = i < N_PAIRED || !is_right ? i : i + N_ALONE;
        if (i % per_doc == 0)
            n += (size_t)snprintf(text + n, room - n, "%u\t", number);
        n += put_sentence(text + n, room - n, number, is_right);
        n += (size_t)snprintf(text + n, room - n, "%s",
                              i % per_doc == per_doc - 1 ? ".\n" : ". ");
    }
    const char *path = test_write(name, text, n);
    free(text);
    return path;
}

static const dpl_reader_options tsv = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);

typedef struct fixture {
    dpl_ctx *ctx;
    dpl_mine_result *result;
    const dpl_mine_run *run;
} fixture;

static void mine(fixture *f, unsigned n_threads, const char *left, const char *right,
                 dpl_mine_options o)
{
    dpl_input in[2] = {{.path = left}, {.path = right}};
    f->ctx = test_ctx(n_threads);
    o.read = &tsv;
    CHECK_OK(dpl_mine(&f->result, f->ctx, NULL, in, 2, &o, &test_err));
    f->run = dpl_mine_get_summary(f->result)->runs[0];
}

static void finish(fixture *f)
{
    dpl_mine_result_free(f->result);
    test_ctx_done(f->ctx);
}

static dpl_mine_options de_en(void)
{
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .langs = {"de", "en"});
    return o;
}

/* A sentence pair has the confidence of its pair. */
static void check_scores(const fixture *f)
{
    dpl_mine_sentences *all = NULL;
    dpl_sentence_pair pair;
    size_t n = 0;
    CHECK_OK(dpl_mine_sentences_open(&all, f->result, 0, &test_err));
    while (dpl_mine_sentences_next(all, &pair, &test_err) == DPL_OK) {
        double confidence = dpl_mine_get_pair(f->result, 0, pair.pair).confidence;
        CHECK(fabs((double)pair.score - confidence) < 1e-6);
        n++;
    }
    CHECK_EQ(n, f->run->n_sentence_pairs);
    dpl_mine_sentences_close(all);
}

DPL_TEST(sentence_search, single_sentences_are_found_among_others)
{
    char left[1000], right[1000];
    fixture f;
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false, 1));
    snprintf(right, sizeof right, "%s", write_side("right.tsv", true, 1));
    mine(&f, 2, left, right, de_en());
    CHECK_EQ(f.run->unit, DPL_UNIT_SENTENCE);
    size_t n_right = 0;
    for (size_t i = 0; i < f.run->n_pairs; i++) {
        dpl_mine_pair pair = dpl_mine_get_pair(f.result, 0, i);
        n_right += dpl__str_eq(pair.left_id, pair.right_id);
    }
    CHECK(100 * n_right >= 95 * f.run->n_pairs && 100 * n_right >= 90 * N_PAIRED);
    check_scores(&f);
    finish(&f);
}

DPL_TEST(sentence_search, swapped_sides_and_other_threads_give_the_same_pairs)
{
    char left[1000], right[1000];
    fixture a, b;
    dpl_mine_options en_de = DPL_INIT(dpl_mine_options, .langs = {"en", "de"});
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false, 1));
    snprintf(right, sizeof right, "%s", write_side("right.tsv", true, 1));
    mine(&a, 1, left, right, de_en());
    mine(&b, 3, left, right, de_en());
    CHECK_EQ(a.run->n_pairs, b.run->n_pairs);
    for (size_t i = 0; i < a.run->n_pairs && a.run->n_pairs == b.run->n_pairs; i++) {
        dpl_mine_pair x = dpl_mine_get_pair(a.result, 0, i),
                      y = dpl_mine_get_pair(b.result, 0, i);
        CHECK(x.docs.left == y.docs.left && x.docs.right == y.docs.right);
        CHECK(x.confidence >= y.confidence && x.confidence <= y.confidence);
    }
    finish(&b);
    mine(&b, 2, right, left, en_de);
    double n[2] = {(double)a.run->n_pairs, (double)b.run->n_pairs};
    CHECK(n[1] > 0.98 * n[0] && n[1] < 1.02 * n[0]);
    finish(&b);
    finish(&a);
}

DPL_TEST(sentence_search, documents_are_split_into_sentences)
{
    char left[1000], right[1000];
    fixture f;
    dpl_mine_options o = de_en();
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false, 5));
    snprintf(right, sizeof right, "%s", write_side("right.tsv", true, 5));
    o.unit = DPL_UNIT_SENTENCE;
    mine(&f, 2, left, right, o);
    CHECK_EQ(f.run->unit, DPL_UNIT_SENTENCE);
    CHECK_EQ(f.run->left->n_docs, (N_PAIRED + N_ALONE) / 5);
    CHECK(f.run->n_pairs > N_PAIRED * 8 / 10);
    size_t n_right = 0;
    for (size_t i = 0; i < f.run->n_pairs; i++) {
        dpl_mine_pair pair = dpl_mine_get_pair(f.result, 0, i);
        n_right += dpl__str_eq(pair.left_id, pair.right_id);
        CHECK(memchr(pair.left_id.data, '#', pair.left_id.n) != NULL);
    }
    CHECK(100 * n_right >= 95 * f.run->n_pairs);
    finish(&f);
}

DPL_TEST(sentence_search, a_unit_that_does_not_exist_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_mine_options o = de_en();
    dpl_input in[2] = {{.path = write_side("left.tsv", false, 1)}, {0}};
    o.read = &tsv;
    o.unit = (dpl_mine_unit)77;
    in[1].path = in[0].path;
    CHECK_EQ(dpl_mine(NULL, ctx, NULL, in, 2, &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
    CHECK(dpl_mine_unit_name(DPL_UNIT_SENTENCE) && !dpl_mine_unit_name((dpl_mine_unit)77));
}
