#include "doppel/tokens.h"

#include "base/base.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* The terms of the text, with blanks between and a bar where a sentence begins. */
static void check_tokens(const dpl_tokens_options *options, const char *lang, const char *text,
                         const char *expected)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_tokens *tokens = NULL;
    CHECK_OK(dpl_tokens_new(&tokens, ctx, options, &test_err));
    CHECK_OK(dpl_tokens_start(tokens, dpl__cstr(text), lang, &test_err));
    static char got[4000];
    size_t n = 0;
    dpl_token token;
    uint32_t sentence = 0;
    while (dpl_tokens_next(tokens, &token, &test_err) == DPL_OK) {
        if (n)
            got[n++] = token.sentence != sentence ? '|' : ' ';
        sentence = token.sentence;
        CHECK(token.begin < token.end && token.end <= strlen(text));
        memcpy(got + n, token.term.data, token.term.n);
        n += token.term.n;
    }
    dpl_tokens_free(tokens);
    test_ctx_done(ctx);
    CHECK_STR(((dpl_str){got, n}), expected);
}

DPL_TEST(tokens, are_folded_words_and_numbers)
{
    check_tokens(NULL, "de", "Die STRASSE, die Straße! 3,14 und 2-mal.",
                 "die strasse die strasse|3,14 und 2 mal");
    check_tokens(NULL, "en", "Don\xE2\x80\x99t stop: e-mail me@example.org now.",
                 "don't stop e mail me@example.org now");
    check_tokens(NULL, "fr", "L'\xC3\x89t\xC3\xA9", "l'\xC3\xA9t\xC3\xA9");
    check_tokens(NULL, "el", "ΣΊΣΥΦΟΣ", "σίσυφοσ");
    check_tokens(NULL, "en", "co\xC2\xADoperate -- ... @ _ __", "cooperate");
    check_tokens(NULL, "en", "", "");
}

DPL_TEST(tokens, of_turkish_keep_dotted_and_dotless_i_apart)
{
    check_tokens(NULL, "tr", "ISPARTA İzmir", "ısparta izmir");
    check_tokens(NULL, "en", "ISPARTA", "isparta");
}

DPL_TEST(tokens, of_scripts_without_blanks_come_from_dictionaries)
{
    check_tokens(NULL, "zh", "我们的房子很大。", "我们 的 房子 很大");
    check_tokens(NULL, "th", "ภาษาไทย", "ภาษา ไทย");
    check_tokens(NULL, "ja", "東京タワーに行く", "東京タワー に 行く");
}

DPL_TEST(tokens, are_stemmed_and_stopped_where_asked_for)
{
    dpl_tokens_options stem = DPL_INIT(dpl_tokens_options, .stem = true);
    check_tokens(&stem, "en", "running horses run", "run hors run");
    check_tokens(&stem, "de", "Häuser und Höhen", "haus und hoh");
    check_tokens(&stem, "fr", "l'eau des rivières", "eau de rivi");
    check_tokens(&stem, "zh", "房子", "房子");
    dpl_tokens_options stop = DPL_INIT(dpl_tokens_options, .stop_words = true);
    check_tokens(&stop, "en", "The house of the rising sun", "house rising sun");
    check_tokens(&stop, "de", "Das Haus und der Garten", "haus garten");
    dpl_tokens_options both = DPL_INIT(dpl_tokens_options, .stop_words = true, .stem = true);
    check_tokens(&both, "en", "the houses", "hous");
    const char *file = test_write("stop.txt", "HOUSE\n\n sun \r\n", 14);
    dpl_tokens_options own = DPL_INIT(dpl_tokens_options, .stop_file = file);
    check_tokens(&own, "en", "The house of the rising sun", "the of the rising");
}

/* However large the file is: 64 MiB of one word need no memory, different words are refused. */
DPL_TEST(tokens, a_stop_file_keeps_to_the_memory_limit)
{
    enum { N = 2000000, LIMIT = 32 << 20 };
    dpl_ctx *ctx = NULL;
    CHECK_OK(dpl_ctx_new(
        &ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 2, .memory = LIMIT),
        &test_err));
    char *text = malloc((size_t)N * 16);
    CHECK(text != NULL);
    for (size_t i = 0, at = 0; i < 2; i++, at = 0) {
        for (size_t k = 0; k < N; k++)
            at += (size_t)sprintf(text + at, "word%zu\n", i ? k : 0);
        dpl_tokens_options o =
            DPL_INIT(dpl_tokens_options, .stop_file = test_write("stop.txt", text, at));
        dpl_tokens *tokens = NULL;
        CHECK_EQ(dpl_tokens_new(&tokens, ctx, &o, &test_err), i ? DPL_E_LIMIT : DPL_OK);
        CHECK(!i || strstr(test_err.text, "stop words may take 2048 KiB of memory") != NULL);
        CHECK(dpl_ctx_peak(ctx) < LIMIT);
        dpl_tokens_free(tokens);
        const char *in = test_write("in.jsonl", "{\"id\":1,\"text\":\"a\"}\n", 20);
        dpl_import_options import = DPL_INIT(dpl_import_options, .tokens = &o);
        CHECK_EQ(dpl_import(NULL, ctx, test_path("a.dpl"), &in, 1, &import, &test_err),
                 i ? DPL_E_LIMIT : DPL_OK);
        CHECK(dpl_ctx_peak(ctx) < LIMIT);
    }
    free(text);
    test_ctx_done(ctx);
}

DPL_TEST(tokens, longer_than_the_limit_are_cut_between_characters)
{
    dpl_tokens_options short_ones = DPL_INIT(dpl_tokens_options, .max_token = 5);
    check_tokens(&short_ones, "de", "Überlänge kurz äöüäöü", "überl kurz äöüäö");
    char text[3000], expected[41];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    memset(expected, 'a', 40);
    expected[40] = 0;
    check_tokens(NULL, "en", text, expected);
}

DPL_TEST(tokens, can_be_character_ngrams)
{
    dpl_tokens_options three = DPL_INIT(dpl_tokens_options, .ngrams = 3);
    check_tokens(&three, "de", "Über so", "übe ber so");
    check_tokens(&three, "zh", "我们的房子", "我们的 们的房 的房子");
    dpl_tokens_options one = DPL_INIT(dpl_tokens_options, .ngrams = 1);
    check_tokens(&one, "en", "ab. C", "a b|c");
}

DPL_TEST(tokens, refuse_options_out_of_range_and_invalid_text)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_tokens *tokens = NULL;
    dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .ngrams = 9);
    CHECK_EQ(dpl_tokens_new(&tokens, ctx, &o, &test_err), DPL_E_USAGE);
    o = (dpl_tokens_options)DPL_INIT(dpl_tokens_options, .max_token = 1001);
    CHECK_EQ(dpl_tokens_new(&tokens, ctx, &o, &test_err), DPL_E_USAGE);
    o = (dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stop_file = test_path("missing"));
    CHECK_EQ(dpl_tokens_new(&tokens, ctx, &o, &test_err), DPL_E_IO);
    o = (dpl_tokens_options)DPL_INIT(dpl_tokens_options,
                                     .stop_file = test_write("bad", "ok\n\xFF\n", 5));
    CHECK_EQ(dpl_tokens_new(&tokens, ctx, &o, &test_err), DPL_E_FORMAT);
    CHECK_EQ(test_err.line, 2);
    CHECK_OK(dpl_tokens_new(&tokens, ctx, NULL, &test_err));
    CHECK_EQ(dpl_tokens_start(tokens, DPL_STR("ab\xC3"), "de", &test_err), DPL_E_FORMAT);
    CHECK_EQ(test_err.offset, 2);
    CHECK_OK(dpl_tokens_start(tokens, DPL_STR("ab"), "de", &test_err));
    dpl_tokens_free(tokens);
    test_ctx_done(ctx);
}

/* More distinct words than a word table may hold: it is forgotten, the answer stays. */
DPL_TEST(tokens, stay_the_same_when_the_word_table_is_forgotten)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_tokens *tokens = NULL;
    CHECK_OK(dpl_tokens_new(&tokens, ctx, NULL, &test_err));
    size_t n_words = 150000, n = 0;
    char *text = malloc(n_words * 10);
    CHECK(text != NULL);
    for (size_t i = 0; i < n_words; i++) {
        char word[10];
        size_t k = 0;
        for (size_t x = i + 1; x; x /= 26)
            word[k++] = (char)('A' + x % 26);
        memcpy(text + n, word, k);
        n += k;
        text[n++] = ' ';
    }
    CHECK_OK(dpl_tokens_start(tokens, (dpl_str){text, n}, "en", &test_err));
    dpl_token token;
    size_t at = 0;
    for (; dpl_tokens_next(tokens, &token, &test_err) == DPL_OK; at++) {
        CHECK_EQ(token.term.n, token.end - token.begin);
        for (size_t i = 0; i < token.term.n; i++)
            CHECK_EQ(token.term.data[i], text[token.begin + i] + 32);
    }
    CHECK_EQ(at, n_words);
    free(text);
    dpl_tokens_free(tokens);
    test_ctx_done(ctx);
}
