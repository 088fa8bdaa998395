#include "lab/mining_features.h"

#include "test.h"

#include <math.h>

static const dpl_lab_experiment about = {.name = "features-test"};

static const struct {
    const char *source, *target;
    float p;
} words[] = {{"der", "the", 1},       {"die", "the", 0.5f},   {"die", "she", 0.5f},
             {"haus", "house", 0.7f}, {"haus", "home", 0.3f}, {"hund", "dog", 1},
             {"rot", "red", 1},       {"klein", "small", 1}};

typedef struct bench {
    dpl__lab lab;
    dpl_lexicon *lexicon;
    dpl__mining_aligner aligner;
    dpl__mining_word words[2][DPL__MINING_WORDS];
    dpl__mining_pair pair;
} bench;

static void bench_open(bench *b)
{
    dpl_lexicon_entry entries[DPL_LEN(words)];
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = "de", .target_lang = "en");
    *b = (bench){.lab = {.ctx = test_ctx(1), .about = &about}};
    dpl__arena_init(&b->lab.arena, b->lab.ctx);
    for (size_t i = 0; i < DPL_LEN(words); i++) {
        memset(&entries[i], 0, sizeof entries[i]);
        entries[i].source = dpl__cstr(words[i].source);
        entries[i].target = dpl__cstr(words[i].target);
        entries[i].p = words[i].p;
    }
    CHECK_OK(dpl_lexicon_from_entries(&b->lexicon, b->lab.ctx, entries, DPL_LEN(words), &o,
                                      &test_err));
    CHECK_OK(dpl__mining_aligner_init(&b->aligner, &b->lab, b->lexicon, &test_err));
}

static void bench_close(bench *b)
{
    dpl_lexicon_close(b->lexicon);
    dpl__arena_clear(&b->lab.arena);
    test_ctx_done(b->lab.ctx);
}

/* Words with blanks between them. */
static void set_side(bench *b, unsigned side, const char *text)
{
    unsigned n = 0;
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, " ");
        b->words[side][n++] = dpl__mining_word_of(&b->aligner, side, (dpl_str){at, length});
        at += length + (at[length] == ' ');
    }
    b->pair.words[side] = b->words[side];
    b->pair.n[side] = n;
}

static bool align(bench *b, const char *left, const char *right)
{
    set_side(b, 0, left);
    set_side(b, 1, right);
    return dpl__mining_pair_align(&b->aligner, &b->pair);
}

static void check_features(const bench *b, const double expected[DPL__MINING_FEATURES])
{
    float x[DPL__MINING_FEATURES];
    dpl__mining_pair_features(x, &b->pair);
    for (unsigned i = 0; i < DPL__MINING_FEATURES; i++)
        CHECK(fabs((double)x[i] - expected[i]) < 1e-6);
}

DPL_TEST(mining_features, a_word_by_word_translation_is_all_mutual)
{
    bench b;
    bench_open(&b);
    CHECK(align(&b, "der rot haus 42", "the red house 42"));
    for (int i = 0; i < 4; i++)
        CHECK(b.pair.best[0][i] == i && b.pair.best[1][i] == i);
    check_features(&b, (double[]){1, 1, 0, 1, 0.25, 0.25, 0.25, 1, 1, 0, 1, 0.25, 0.25, 0.25,
                                  log(4), log(4), 0, 0, 1});
    bench_close(&b);
}

DPL_TEST(mining_features, two_words_with_one_translation_are_counted_by_hand)
{
    bench b;
    bench_open(&b);
    CHECK(align(&b, "der die hund", "the dog"));
    CHECK(b.pair.best[0][0] == 0 && b.pair.best[0][1] == 0 && b.pair.best[0][2] == 1);
    CHECK(b.pair.best[1][0] == 0); /* "the" is likelier "der" than "die" */
    /* left: all known, two mutual, runs of one with and without; "the" has two words, "dog"
     * one. right: all known and mutual, one run of two; each has one word */
    check_features(&b, (double[]){1, 2.0 / 3, 1.0 / 3, 1.0 / 3, 2.0 / 3, 1.0 / 3, 0, 1, 1, 0, 1,
                                  0.5, 0.5, 0, log(3), log(2), 1.0 / 3, log(1.5), 1});
    bench_close(&b);
}

DPL_TEST(mining_features, the_likelier_translation_is_the_counterpart)
{
    bench b;
    bench_open(&b);
    CHECK(align(&b, "haus", "home house"));
    CHECK(b.pair.best[0][0] == 1);
    CHECK(b.pair.best[1][0] == 0 && b.pair.best[1][1] == 0);
    check_features(&b, (double[]){1, 1, 0, 1, 1, 0, 0, 1, 0.5, 0.5, 0.5, 1, 0, 0, 0, log(2),
                                  0.5, log(0.5), 1});
    /* the same sentences in another order */
    CHECK(align(&b, "haus", "house home"));
    CHECK(b.pair.best[0][0] == 0);
    bench_close(&b);
}

DPL_TEST(mining_features, the_filter_wants_half_of_the_words_and_half_of_the_length)
{
    bench b;
    bench_open(&b);
    CHECK(align(&b, "der rot hund klein", "the red"));       /* twice as long */
    CHECK(!align(&b, "der rot hund klein haus", "the red")); /* longer than that */
    CHECK(!align(&b, "der rot", "the red dog small house"));
    CHECK(align(&b, "der rot xx yy", "the red zz vv")); /* half of both */
    CHECK(!align(&b, "der rot xx yy ww", "the red zz vv"));
    CHECK(!align(&b, "der rot xx yy", "the red zz vv uu"));
    CHECK(!align(&b, "", "the") && !align(&b, "der", "") && !align(&b, "", ""));
    CHECK(align(&b, "xx 1984", "yy 1984")); /* identical words are translations */
    CHECK(b.pair.best[0][0] == -1 && b.pair.best[0][1] == 1);
    bench_close(&b);
}

DPL_TEST(mining_features, words_of_the_sentence_before_are_forgotten)
{
    bench b;
    bench_open(&b);
    CHECK(align(&b, "der hund", "the dog"));
    CHECK(!align(&b, "der hund", "red small")); /* "the" and "dog" were there before */
    CHECK(align(&b, "rot klein", "red small"));
    CHECK(b.pair.best[0][0] == 0 && b.pair.best[0][1] == 1);
    bench_close(&b);
}

/* Swapping the sides swaps the two halves of the features, where translations are as likely. */
DPL_TEST(mining_features, features_are_of_one_sentence_and_then_of_the_other)
{
    bench b;
    float x[DPL__MINING_FEATURES], y[DPL__MINING_FEATURES];
    bench_open(&b);
    CHECK(align(&b, "hund rot klein xx", "dog yy red"));
    dpl__mining_pair_features(x, &b.pair);
    dpl__mining_pair turned = b.pair;
    for (unsigned side = 0; side < 2; side++) {
        turned.words[side] = b.pair.words[!side];
        turned.n[side] = b.pair.n[!side];
        memcpy(turned.best[side], b.pair.best[!side], sizeof turned.best[side]);
    }
    dpl__mining_pair_features(y, &turned);
    for (unsigned i = 0; i < 7; i++)
        CHECK(x[i] == y[i + 7] && x[i + 7] == y[i]);
    CHECK(x[14] == y[15] && x[15] == y[14] && x[16] == y[16] && fabsf(x[17] + y[17]) < 1e-6f);
    CHECK(x[18] == 1 && y[18] == 1);
    bench_close(&b);
}
