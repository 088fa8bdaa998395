#include "mine/untranslated.h"

#include "doppel/lexicon.h"

#include "test.h"

#include <stdio.h>

/* Left: a cat and its house, a dog and its house, a cat. Right: the first two, and a word that
 * is known from nowhere else. */
static const char *const texts[2][3] = {{"katze haus", "hund haus", "katze zwiebel"},
                                        {"cat house", "dog house", "cat onion"}};

static const char *import(const char *lang, const char *const *docs)
{
    dpl_ctx *ctx = test_ctx(1);
    char text[1000], file[40];
    size_t n = 0;
    for (int i = 0; i < 3; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "{\"id\":\"%d\",\"lang\":\"%s\",\"text\":\"%s\"}\n", i, lang,
                              docs[i]);
    snprintf(file, sizeof file, "%s.jsonl", lang);
    const char *in = test_write(file, text, n);
    snprintf(file, sizeof file, "%s.dpl", lang);
    const char *out = test_path(file);
    CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, NULL, &test_err));
    test_ctx_done(ctx);
    return out;
}

/* What it was learnt from: the words many times, and the third pair of documents. */
static const char *train(void)
{
    dpl_ctx *ctx = test_ctx(1);
    char text[1000];
    size_t n = 0;
    for (int i = 0; i < 8; i++)
        n +=
            (size_t)snprintf(text + n, sizeof text - n, "katze\tcat\nhund\tdog\nhaus\thouse\n");
    n += (size_t)snprintf(text + n, sizeof text - n, "zwiebel\tonion\n");
    const char *in = test_write("rows.tsv", text, n), *out = test_path("lexicon.dpl");
    dpl_train_options o = DPL_INIT(
        dpl_train_options, .read = &(dpl_bitext_options)DPL_INIT(
                               dpl_bitext_options, .left_lang = "de", .right_lang = "en"));
    CHECK_OK(dpl_lexicon_train(NULL, ctx, out, &in, 1, &o, &test_err));
    test_ctx_done(ctx);
    return out;
}

typedef struct fixture {
    dpl_ctx *ctx;
    dpl_collection *c[2];
    dpl_lexicon *lexicon;
    dpl__untranslated untranslated;
} fixture;

static void start(fixture *f)
{
    const char *paths[2] = {import("de", texts[0]), import("en", texts[1])}, *lexicon = train();
    *f = (fixture){.ctx = test_ctx(1)};
    for (int side = 0; side < 2; side++)
        CHECK_OK(dpl_collection_open(&f->c[side], f->ctx, paths[side], &test_err));
    CHECK_OK(dpl_lexicon_open(&f->lexicon, f->ctx, lexicon, NULL, &test_err));
    const dpl_collection *const c[2] = {f->c[0], f->c[1]};
    CHECK_OK(dpl__untranslated_init(&f->untranslated, f->ctx, c, f->lexicon, &test_err));
}

static void stop(fixture *f)
{
    dpl__untranslated_clear(&f->untranslated);
    dpl_lexicon_close(f->lexicon);
    dpl_collection_close(f->c[1]);
    dpl_collection_close(f->c[0]);
    test_ctx_done(f->ctx);
}

/* The two documents as one bead. */
static dpl__untranslated_weight ask(fixture *f, uint32_t left, uint32_t right)
{
    static const uint32_t units[2] = {0, 1};
    dpl_bead bead = {.n_left = 1, .n_right = 1};
    dpl_aligned_docs docs = {.docs = {left, right},
                             .units = {units, units},
                             .n_units = {1, 1},
                             .beads = &bead,
                             .n_beads = 1};
    return dpl__untranslated_measure(&f->untranslated, &docs);
}

DPL_TEST(doubt, a_word_without_its_translation_speaks_against_a_pair)
{
    fixture f;
    start(&f);
    dpl__untranslated_weight right = ask(&f, 0, 0), wrong = ask(&f, 0, 1),
                             again = ask(&f, 1, 1);
    CHECK(right.missing <= 0 && right.worst <= 0);
    CHECK(wrong.missing > 0.3 && wrong.missing < 0.9);
    CHECK(wrong.worst >= wrong.missing); /* one word on each side */
    CHECK(again.missing <= 0);           /* nothing is left of the pair before */
    stop(&f);
}

DPL_TEST(doubt, what_was_learnt_from_the_pair_alone_says_nothing)
{
    fixture f;
    start(&f);
    dpl__untranslated_weight right = ask(&f, 2, 2), sibling = ask(&f, 2, 0);
    CHECK(right.missing <= 0);
    CHECK(sibling.missing > 0.1); /* "house" has no counterpart; "zwiebel" is not asked */
    stop(&f);
}
