/* Phrase models and translators: what is learned, bytes, bad programs, damaged files. */
#include "base/vec.h"
#include "doppel/file.h"
#include "doppel/translate.h"
#include "test.h"
#include "translate/translator.h"

#include <stdio.h>
#include <stdlib.h>

/* Adjective and noun in either order: "das rote haus" is "house red the". */
static const char *const nouns[][2] = {
    {"haus", "house"}, {"auto", "car"},   {"buch", "book"},    {"kind", "child"},
    {"boot", "boat"},  {"hemd", "shirt"}, {"dorf", "village"}, {"bild", "picture"}};
static const char *const adjectives[][2] = {
    {"rote", "red"},  {"alte", "old"},   {"neue", "new"},   {"kleine", "small"},
    {"gute", "good"}, {"lange", "long"}, {"kalte", "cold"}, {"schwere", "heavy"}};

static const char *write_corpus(void)
{
    char *text = malloc(1 << 16);
    size_t n = 0;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 8; k++) {
            if (i == 1 && k == 1) /* never seen together */
                continue;
            n += (size_t)sprintf(text + n, "Das %s %s ist hier.\tThe %s %s is here.\n",
                                 adjectives[i][0], nouns[k][0], adjectives[i][1], nouns[k][1]);
            n += (size_t)sprintf(text + n, "Ein %s war dort, %s.\tA %s was there, %s.\n",
                                 nouns[k][0], adjectives[i][0], nouns[k][1], adjectives[i][1]);
        }
    const char *path = test_write("corpus.tsv", text, n);
    free(text);
    return path;
}

static dpl_status train(dpl_ctx *ctx, const char *out, bool to_left, dpl_error *err)
{
    const char *path = test_path("corpus.tsv");
    dpl_bitext_options read =
        DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en");
    dpl_phrases_options o = DPL_INIT(dpl_phrases_options, .read = &read, .to_left = to_left);
    return dpl_phrases_train(NULL, ctx, out, &path, 1, &o, err);
}

static void check_translation(dpl_translator *t, const char *in, const char *expected)
{
    dpl_str sentence = dpl__cstr(in);
    dpl_translations out = {0};
    CHECK_OK(dpl_translator_run(&out, t, &sentence, 1, &test_err));
    CHECK_EQ(out.n, 1);
    CHECK_STR(out.texts[0], expected);
    dpl_translations_clear(&out, t);
}

DPL_TEST(translate, sentences_that_are_not_utf8_are_translated)
{
    dpl_ctx *ctx = test_ctx(1);
    write_corpus();
    const char *en = test_path("en.dpl");
    CHECK_OK(train(ctx, en, false, &test_err));
    dpl_translator *t = NULL;
    CHECK_OK(dpl_translator_open(&t, ctx, en, NULL, &test_err));
    check_translation(t, "\xC3", "\uFFFD"); /* a capital letter, with the byte behind it */
    check_translation(t, "\xD0\x90\xD0", "\u0410 \uFFFD");
    check_translation(t, "\xF0 das alte Auto", "\uFFFD The old car");
    check_translation(t, "Das alte Auto \xE1", "The old car \uFFFD");
    dpl_translator_close(t);
    test_ctx_done(ctx);
}

DPL_TEST(translate, phrases_are_learned_both_ways)
{
    dpl_ctx *ctx = test_ctx(2);
    write_corpus();
    const char *en = test_path("en.dpl"), *de = test_path("de.dpl");
    CHECK_OK(train(ctx, en, false, &test_err));
    CHECK_OK(train(ctx, de, true, &test_err));
    dpl_translator *t = NULL;
    CHECK_OK(dpl_translator_open(&t, ctx, en, NULL, &test_err));
    CHECK_STR(dpl__cstr(dpl__translator_from(t)), "de");
    CHECK_STR(dpl__cstr(dpl__translator_into(t)), "en");
    check_translation(t, "Das alte Auto ist hier.", "The old car is here.");
    check_translation(t, "Das alte Zebra ist hier.", "The old Zebra is here.");
    check_translation(t, "", "");
    dpl_translator_counts c = DPL_INIT(dpl_translator_counts);
    dpl_translator_count(t, &c);
    CHECK_EQ(c.n_sentences, 3);
    CHECK_EQ(c.n_unknown, 1);
    dpl_translator_close(t);
    dpl_translator_options o = DPL_INIT(dpl_translator_options, .reordering = 4, .beam = 20);
    CHECK_OK(dpl_translator_open(&t, ctx, de, &o, &test_err));
    check_translation(t, "The old car is here.", "Das alte auto ist hier.");
    dpl_translator_close(t);
    test_ctx_done(ctx);
}

/* "bank" is "bank" twice as often as "bench"; a word behind it, or the next but one, decides,
 * when hypotheses with either have covered the same words. Phrases of one word, so that no
 * phrase knows it. */
DPL_TEST(translate, a_less_probable_word_is_kept_until_those_behind_it_are_known)
{
    dpl_ctx *ctx = test_ctx(1);
    char *text = malloc(1 << 18);
    size_t n = 0;
    CHECK(text);
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 12; k++) {
            const char *const between[2] = {k % 2 ? " hier" : "", k % 2 ? " here" : ""};
            n += (size_t)sprintf(
                text + n,
                k % 3 ? "Die %s bank%s leiht geld.\tThe %s bank%s lends money.\n"
                      : "Die %s bank%s steht draußen.\tThe %s bench%s stands outside.\n",
                adjectives[i][0], between[0], adjectives[i][1], between[1]);
        }
    for (unsigned k = 0; k < 8; k++) /* what the others mean */
        n += (size_t)sprintf(text + n,
                             "Ein %s steht dort.\tA %s stands there.\n"
                             "Das %s ist draußen.\tThe %s is outside.\n"
                             "Er leiht ein %s.\tHe lends a %s.\n"
                             "Geld für ein %s.\tMoney for a %s.\n",
                             nouns[k][0], nouns[k][1], nouns[k][0], nouns[k][1], nouns[k][0],
                             nouns[k][1], nouns[k][0], nouns[k][1]);
    const char *path = test_write("bank.tsv", text, n), *out = test_path("bank.dpl");
    free(text);
    dpl_bitext_options read =
        DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en");
    const dpl_phrases_options o = DPL_INIT(dpl_phrases_options, .read = &read, .max_phrase = 1);
    CHECK_OK(dpl_phrases_train(NULL, ctx, out, &path, 1, &o, &test_err));
    for (unsigned reordering = 0; reordering < 5; reordering += 4) {
        const dpl_translator_options set =
            DPL_INIT(dpl_translator_options, .reordering = reordering, .beam = 50);
        dpl_translator *t = NULL;
        CHECK_OK(dpl_translator_open(&t, ctx, out, &set, &test_err));
        check_translation(t, "Die rote bank leiht geld.", "The red bank lends money.");
        check_translation(t, "Die rote bank steht draußen.", "The red bench stands outside.");
        check_translation(t, "Die rote bank hier leiht geld.",
                          "The red bank here lends money.");
        check_translation(t, "Die rote bank hier steht draußen.",
                          "The red bench here stands outside.");
        dpl_translator_close(t);
    }
    test_ctx_done(ctx);
}

DPL_TEST(translate, the_model_has_the_same_bytes_for_any_threads_and_memory)
{
    write_corpus();
    char *first = NULL;
    size_t n_first = 0;
    for (unsigned threads = 1; threads <= 3; threads++) {
        dpl_ctx *ctx = NULL;
        dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = threads,
                                     .memory = threads == 3 ? 16 << 20 : 0);
        CHECK_OK(dpl_ctx_new(&ctx, &c, &test_err));
        const char *path = test_path("model.dpl");
        size_t n;
        CHECK_OK(train(ctx, path, false, &test_err));
        char *bytes = test_read(path, &n);
        if (!first) {
            first = bytes;
            n_first = n;
        } else {
            CHECK(n == n_first && memcmp(bytes, first, n) == 0);
            free(bytes);
        }
        dpl_ctx_free(ctx);
    }
    free(first);
}

/* Random words, most phrases rare: counts and n-grams do not fit into the small memory. */
static void write_rare_words(void)
{
    char *text = malloc(1 << 20);
    size_t n = 0;
    uint32_t r = 1;
    for (unsigned i = 0; i < 3000; i++) {
        for (unsigned side = 0; side < 2; side++) {
            uint32_t now = r;
            for (unsigned k = 0; k < 9; k++) {
                now = now * 1664525u + 1013904223u;
                n += (size_t)sprintf(text + n, "%c%u ", side ? 'b' : 'a', (now >> 16) % 700);
            }
            text[n - 1] = side ? '\n' : '\t';
        }
        r = r * 22695477u + 12345u;
    }
    test_write("corpus.tsv", text, n);
    free(text);
}

static char *train_within(uint64_t memory, const dpl_lexicon *lexicon, size_t *n)
{
    const char *path = test_path("corpus.tsv"), *out = test_path("model.dpl");
    dpl_ctx *ctx = NULL;
    dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = 2, .memory = memory);
    CHECK_OK(dpl_ctx_new(&ctx, &c, &test_err));
    dpl_bitext_options read =
        DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en");
    dpl_phrases_options o = DPL_INIT(dpl_phrases_options, .read = &read, .lexicon = lexicon);
    dpl_phrases_summary s = DPL_INIT(dpl_phrases_summary);
    CHECK_OK(dpl_phrases_train(&s, ctx, out, &path, 1, &o, &test_err));
    CHECK(s.n_phrases > 4096 && s.n_trigrams > 20000);
    dpl_ctx_free(ctx);
    return test_read(out, n);
}

DPL_TEST(translate, counts_and_ngrams_are_spilled_with_the_same_bytes)
{
    write_rare_words();
    dpl_ctx *ctx = test_ctx(2);
    const char *path = test_path("corpus.tsv");
    dpl_bitext_options read =
        DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en");
    dpl_train_options o = DPL_INIT(dpl_train_options, .read = &read);
    dpl_bitext *rows = NULL;
    dpl_lexicon *lexicon = NULL;
    CHECK_OK(dpl_bitext_open(&rows, ctx, &path, 1, &read, &test_err));
    CHECK_OK(dpl_lexicon_train_rows(&lexicon, NULL, ctx, rows, &o, &test_err));
    dpl_bitext_close(rows);
    size_t n_all, n_some;
    char *all = train_within(1 << 28, lexicon, &n_all);
    char *some = train_within(1 << 20, lexicon, &n_some);
    CHECK(n_all == n_some && memcmp(all, some, n_all) == 0);
    free(all);
    free(some);
    dpl_lexicon_close(lexicon);
    test_ctx_done(ctx);
}

/* A million words in one sentence; what comes out is the same on one thread and on many. */
DPL_TEST(translate, long_sentences_are_cut)
{
    write_corpus();
    const char *path = test_path("en.dpl");
    dpl_ctx *ctx = test_ctx(2);
    CHECK_OK(train(ctx, path, false, &test_err));
    dpl_translator *t = NULL;
    CHECK_OK(dpl_translator_open(&t, ctx, path, NULL, &test_err));
    enum { MANY = 200000 };
    char *text = malloc(MANY * 5);
    for (size_t i = 0; i < MANY; i++)
        memcpy(text + 5 * i, "haus ", 5);
    dpl_str sentence = {text, MANY * 5};
    dpl_translations out = {0};
    CHECK_OK(dpl_translator_run(&out, t, &sentence, 1, &test_err));
    CHECK_EQ(out.texts[0].n, MANY * 6 - 1); /* "house " each */
    dpl_translations_clear(&out, t);
    free(text);
    dpl_translator_close(t);
    test_ctx_done(ctx);
}

DPL_TEST(translate, every_truncation_is_refused)
{
    write_corpus();
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("en.dpl");
    size_t n;
    CHECK_OK(train(ctx, path, false, &test_err));
    char *bytes = test_read(path, &n);
    for (size_t cut = 0; cut < n; cut += cut < 2000 ? 1 : 997) {
        dpl_translator *t = NULL;
        const char *short_one = test_write("short.dpl", bytes, cut);
        CHECK(dpl_translator_open(&t, ctx, short_one, NULL, &test_err) != DPL_OK);
    }
    free(bytes);
    test_ctx_done(ctx);
}

static dpl_status train_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    DPL_TRY(train(ctx, test_path("model.dpl"), false, err));
    dpl_translator *t = NULL;
    DPL_TRY(dpl_translator_open(&t, ctx, test_path("model.dpl"), NULL, err));
    dpl_translations out = {0};
    dpl_str in = DPL_STR("Das alte Auto ist hier.");
    dpl_status status = dpl_translator_run(&out, t, &in, 1, err);
    dpl_translations_clear(&out, t);
    dpl_translator_close(t);
    return status;
}

DPL_TEST(translate, every_failed_allocation_is_reported)
{
    const char few[] = "Das Haus ist alt.\tThe house is old.\nDas Haus.\tThe house.\n";
    test_write("corpus.tsv", few, sizeof few - 1);
    test_allocation_failures(train_body, NULL);
}

/* ---- programs ----------------------------------------------------------------------- */

static dpl_status ask(const char *command, const char *cache, const char *const *in, size_t n,
                      dpl_translations *out, dpl_translator **t, dpl_ctx *ctx)
{
    dpl_str sentences[8];
    dpl_translator_options o = DPL_INIT(dpl_translator_options, .timeout = 0.5, .cache = cache);
    for (size_t i = 0; i < n; i++)
        sentences[i] = dpl__cstr(in[i]);
    CHECK_OK(dpl_translator_run_command(t, ctx, command, &o, &test_err));
    return dpl_translator_run(out, *t, sentences, n, &test_err);
}

static void check_program(const char *command, const char *cache, const char *expected)
{
    static const char *const in[] = {"eins", "zwei\nhalb", "", "drei"};
    dpl_ctx *ctx = test_ctx(1);
    dpl_translations out = {0};
    dpl_translator *t = NULL;
    CHECK_OK(ask(command, cache, in, 4, &out, &t, ctx));
    char joined[200] = "";
    for (size_t i = 0; i < out.n; i++)
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%.*s|",
                 (int)out.texts[i].n, out.texts[i].data);
    CHECK_STR(dpl__cstr(joined), expected);
    dpl_translations_clear(&out, t);
    dpl_translator_close(t);
    test_ctx_done(ctx);
}

DPL_TEST(translate, a_program_answers_line_by_line)
{
    check_program("sed -u 's/^/x/'", NULL, "xeins|xzwei halb||xdrei|");
}

DPL_TEST(translate, a_program_that_ends_is_started_again)
{
    check_program("read -r line; echo \"<$line>\"", NULL, "<eins>|<zwei halb>||<drei>|");
}

DPL_TEST(translate, answers_are_kept)
{
    const char *cache = test_path("cache");
    check_program("sed -u 's/^/x/'", cache, "xeins|xzwei halb||xdrei|");
    char command[300];
    /* The same command; were it asked, there would be a file. */
    snprintf(command, sizeof command, "sed -u 's/^/x/'");
    check_program(command, cache, "xeins|xzwei halb||xdrei|");
    dpl_ctx *ctx = test_ctx(1);
    dpl_translator *t = NULL;
    dpl_translations out = {0};
    static const char *const in[] = {"eins", "neu"};
    CHECK_OK(ask(command, cache, in, 2, &out, &t, ctx));
    dpl_translator_counts c = DPL_INIT(dpl_translator_counts);
    dpl_translator_count(t, &c);
    CHECK_EQ(c.n_cached, 1);
    dpl_translations_clear(&out, t);
    dpl_translator_close(t);
    test_ctx_done(ctx);
}

static void check_bad_program(const char *command, const char *says)
{
    static const char *const in[] = {"eins", "zwei", "drei"};
    dpl_ctx *ctx = test_ctx(1);
    dpl_translations out = {0};
    dpl_translator *t = NULL;
    CHECK_EQ(ask(command, NULL, in, 3, &out, &t, ctx), DPL_E_IO);
    CHECK_STR(dpl__cstr(test_err.code), "translator");
    if (!strstr(test_err.text, says))
        dpl__test_fail(__FILE__, __LINE__, "'%s' does not say '%s'", test_err.text, says);
    CHECK_EQ(out.n, 0);
    dpl_translator_close(t);
    test_ctx_done(ctx);
}

DPL_TEST(translate, bad_programs_are_reported)
{
    check_bad_program("exec sleep 100", "in time");
    check_bad_program("exit 3", "ends without an answer");
    check_bad_program("/nonexistent/program", "ends without an answer");
    check_bad_program("read -r x; echo one; echo two; cat >/dev/null", "in time");
    check_bad_program("read -r a; printf '1\\n2\\n3\\n4\\n'; exec sleep 100", "more lines");
    check_bad_program("read -r a; read -r b; echo 1; exec sleep 100", "in time"); /* too few */
}
