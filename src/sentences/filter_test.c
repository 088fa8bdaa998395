#include "sentences/filter.h"

#include "sentences/sentences_params.h"
#include "test.h"
#include "unicode/unicode.h"

#include <math.h>
#include <stdio.h>

/* A bead of two texts in two languages, and what its words say. */
typedef struct bead {
    const char *text[2], *lang[2];
    double information, expected;
    double chars[2]; /* 0: those of the texts */
} bead;

static dpl_collection *make_side(dpl_ctx *ctx, const char *text, const char *lang)
{
    char json[4000];
    dpl_collection *c = NULL;
    const int n = snprintf(json, sizeof json,
                           "{\"id\":\"a\",\"lang\":\"%s\",\"text\":\"%s\"}\n", lang, text);
    const dpl_input in = {.buffer = {json, (size_t)n}};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    return c;
}

/* Its texts, as the filter gets them. */
typedef struct made {
    dpl_ctx *ctx;
    dpl_collection *c[2];
    dpl__filter_side sides[2];
} made;

static void make_up(made *m, const bead *b)
{
    m->ctx = test_ctx(1);
    for (int side = 0; side < 2; side++) {
        size_t n;
        m->c[side] = make_side(m->ctx, b->text[side], b->lang[side]);
        m->sides[side] = (dpl__filter_side){.collection = m->c[side],
                                            .lang = dpl__cstr(b->lang[side]),
                                            .text = dpl__cstr(b->text[side]),
                                            .tokens = dpl_collection_tokens(m->c[side], 0, &n)};
        m->sides[side].n_tokens = (uint32_t)n;
    }
}

static void clear(made *m)
{
    for (int side = 0; side < 2; side++)
        dpl_collection_close(m->c[side]);
    test_ctx_done(m->ctx);
}

static dpl_verdict judge_made(made *m, const bead *b, const dpl_sentences_options *options,
                              double log_ratio)
{
    dpl__filter f;
    const dpl__bead_score score = {.information = b->information, .expected = b->expected};
    for (int side = 0; side < 2; side++)
        m->sides[side].chars =
            b->chars[side] > 0 ? b->chars[side] : (double)dpl__utf8_length(m->sides[side].text);
    dpl__filter_init(&f, options, log_ratio);
    return dpl__filter_verdict(&f, m->sides, &score);
}

static dpl_verdict judge(const bead *b, const dpl_sentences_options *options, double log_ratio)
{
    made m;
    make_up(&m, b);
    const dpl_verdict verdict = judge_made(&m, b, options, log_ratio);
    clear(&m);
    return verdict;
}

static const dpl_sentences_options defaults = DPL_INIT(dpl_sentences_options);

static const bead good = {
    .text = {"Das alte Haus steht am Fluss.", "The old house stands by the river."},
    .lang = {"de", "en"},
    .information = 9,
    .expected = 10};

DPL_TEST(filter, keeps_a_translation_and_everything_where_it_is_off)
{
    CHECK_EQ(judge(&good, &defaults, 0), DPL_VERDICT_KEPT);
    const dpl_sentences_options off = DPL_INIT(dpl_sentences_options, .no_filter = true);
    const bead same = {.text = {"Das Haus", "Das Haus"}, .lang = {"de", "en"}};
    CHECK_EQ(judge(&same, &defaults, 0), DPL_VERDICT_IDENTICAL);
    CHECK_EQ(judge(&same, &off, 0), DPL_VERDICT_KEPT);
}

DPL_TEST(filter, drops_short_sides)
{
    dpl_sentences_options o = defaults;
    bead b = good;
    b.text[0] = "...";
    CHECK_EQ(judge(&b, &defaults, 0), DPL_VERDICT_SHORT); /* one word at least */
    b.text[0] = "Haus";
    b.chars[0] = b.chars[1] = 30;
    CHECK_EQ(judge(&b, &defaults, 0), DPL_VERDICT_KEPT);
    for (unsigned n = 1; n < 12; n++) {
        o.min_words = n;
        CHECK_EQ(judge(&good, &o, 0), n <= 6 ? DPL_VERDICT_KEPT : DPL_VERDICT_SHORT);
        b = (bead){.text = {good.text[1], good.text[0]},
                   .lang = {"en", "de"},
                   .information = 9,
                   .expected = 10}; /* of seven words and six */
        CHECK_EQ(judge(&b, &o, 0), n <= 6 ? DPL_VERDICT_KEPT : DPL_VERDICT_SHORT);
    }
}

DPL_TEST(filter, identical_sides_have_the_same_text_or_words)
{
    bead b = good;
    b.text[1] = "das alte HAUS steht, am Fluss";
    CHECK_EQ(judge(&b, &defaults, 0), DPL_VERDICT_IDENTICAL);
    b.text[1] = "Das alte Haus steht am Berg.";
    CHECK(judge(&b, &defaults, 0) != DPL_VERDICT_IDENTICAL);
    b.text[1] = "Das alte Haus steht am Fluss dort.";
    CHECK(judge(&b, &defaults, 0) != DPL_VERDICT_IDENTICAL);
    b.text[1] = "Das Haus alte steht am Fluss.";
    CHECK(judge(&b, &defaults, 0) != DPL_VERDICT_IDENTICAL);
}

/* Of (characters + 15) on both sides: within three times the usual ratio, either way. */
DPL_TEST(filter, drops_sides_of_unusual_lengths)
{
    made m;
    make_up(&m, &good);
    static const double ratios[] = {1, 2, 0.25};
    for (size_t i = 0; i < DPL_LEN(ratios); i++)
        for (int is_option = 0; is_option < 2; is_option++)
            for (double right = 5; right < 4000; right = right * 1.05 + 1) {
                dpl_sentences_options o = defaults;
                bead b = good;
                const double most = is_option ? 1.5 : P(max_length_ratio),
                             off = (right + 15) / (100 + 15) / ratios[i];
                o.length_ratio = is_option ? 1.5 : 0;
                b.chars[0] = 100;
                b.chars[1] = right;
                CHECK_EQ(judge_made(&m, &b, &o, log(ratios[i])),
                         off > most || off < 1 / most ? DPL_VERDICT_LENGTH : DPL_VERDICT_KEPT);
            }
    clear(&m);
}

/* A third of what is expected, where at least three nats are. */
DPL_TEST(filter, drops_sides_whose_words_do_not_stand_for_each_other)
{
    made m;
    make_up(&m, &good);
    static const double limits[] = {0, 0.5, -1}; /* of the option; 0: the default */
    for (size_t i = 0; i < DPL_LEN(limits); i++)
        for (int expected = 1; expected < 6; expected++)
            for (int information = 0; information < 41; information++) {
                dpl_sentences_options o = defaults;
                bead b = good;
                const double least = limits[i] != 0 ? limits[i] : 1.0 / 3;
                o.min_ratio = limits[i];
                b.expected = expected;
                b.information = information / 12.0 + 0.05;
                CHECK_EQ(judge_made(&m, &b, &o, 0),
                         expected >= 3 && b.information < least * expected ? DPL_VERDICT_WORDS
                                                                           : DPL_VERDICT_KEPT);
            }
    clear(&m);
}

/* ---- languages -------------------------------------------------------------------------- */

static const char long_english[] = "When the winter comes to the mountains the shepherds drive "
                                   "their animals down into the valley",
                  long_french[] = "Quand vient l'hiver dans les montagnes les bergers font "
                                  "descendre leurs animaux dans la vallée";

static void check_language(const char *left, const char *left_lang, const char *right,
                           const char *right_lang, double expected, dpl_verdict want)
{
    const bead b = {.text = {left, right},
                    .lang = {left_lang, right_lang},
                    .information = expected,
                    .expected = expected,
                    .chars = {100, 100}},
               mirrored = {.text = {right, left},
                           .lang = {right_lang, left_lang},
                           .information = expected,
                           .expected = expected,
                           .chars = {100, 100}};
    const dpl_sentences_options off = DPL_INIT(dpl_sentences_options, .no_lang_check = true);
    CHECK_EQ(judge(&b, &defaults, 0), want);
    CHECK_EQ(judge(&mirrored, &defaults, 0), want);
    CHECK_EQ(judge(&b, &off, 0), DPL_VERDICT_KEPT);
}

/* Five words and 25 letters, all Latin, in a document of a language with its own script. */
DPL_TEST(filter, drops_latin_text_of_languages_with_a_script_of_their_own)
{
    const char *const russian = "Старый дом стоит у реки и в нём никто не живёт";
    static const struct {
        const char *text;
        bool is_dropped;
    } cases[] = {
        {"printf scanf malloc calloc free", true}, /* 5 words, 27 letters */
        {"printf scanf malloc calloc", false},     /* 4 words */
        {"print scan malloc calloc f", false},     /* 22 letters */
        {"printf scanf malloc call fr.", false},   /* 23 */
        {"printf scanf malloc callo free", true},  /* 26 */
        {"printf scanf malloc callo fre", true},   /* 25 */
        {"printf scanf malloc callo fr", false},   /* 24 */
        {"printf scanf malloc calloc свободно", false},
        {"printf scanf malloc calloc fréé", true}, /* marks are Latin, too */
        {"printf scanf malloc calloc free \u2013 end", true},
        {"1234567 2345678 3456789 4567890 5678901", false},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        bead b = {.text = {russian, cases[i].text},
                  .lang = {"de", "ru"},
                  .information = 9,
                  .expected = 10,
                  .chars = {50, 50}};
        b.text[0] = good.text[0];
        if (judge(&b, &defaults, 0) !=
            (cases[i].is_dropped ? DPL_VERDICT_LANGUAGE : DPL_VERDICT_KEPT))
            dpl__test_fail(__FILE__, __LINE__, "case %zu: %s", i, cases[i].text);
        b.lang[1] = "eo"; /* has none */
        CHECK_EQ(judge(&b, &defaults, 0), DPL_VERDICT_KEPT);
        b.lang[1] = "rus";
        CHECK_EQ(judge(&b, &defaults, 0), DPL_VERDICT_KEPT);
    }
}

/* Where words say little, any other language counts; where they do and many are the same on
 * both sides, only that of the other document. */
DPL_TEST(filter, identifies_languages_where_words_give_a_reason)
{
    char both[400];
    snprintf(both, sizeof both, "%s %s", long_french, "Mexico Paris");
    /* few words are expected: French is neither Esperanto nor Swahili */
    check_language(long_french, "eo", good.text[1], "sw", 2.9, DPL_VERDICT_LANGUAGE);
    check_language(long_french, "fr", good.text[1], "sw", 2.9, DPL_VERDICT_KEPT);
    check_language(long_french, "und", good.text[1], "sw", 2.9, DPL_VERDICT_KEPT);
    check_language(long_french, "", good.text[1], "sw", 2.9, DPL_VERDICT_KEPT);
    check_language(long_french, "eo", good.text[1], "sw", 3, DPL_VERDICT_KEPT);
    /* as alike, but the other document is not in French */
    check_language(both, "eo", long_french, "sw", 10, DPL_VERDICT_KEPT);
    check_language(both, "eo", long_french, "fr", 10, DPL_VERDICT_LANGUAGE);
    check_language("Nothing of it Mexico Paris", "eo", long_french, "fr", 10, DPL_VERDICT_KEPT);
}

/* A third of the shorter side's words stand on the other side. */
DPL_TEST(filter, sides_are_alike_from_a_share_of_common_words_on)
{
    static const char *const starts[] = {"montagnes bergers vient", "montagnes bergers autre"};
    for (size_t n_more = 0; n_more < 8; n_more++)
        for (size_t i = 0; i < 2; i++) {
            char text[400];
            size_t at = (size_t)snprintf(text, sizeof text, "%s", starts[i]);
            for (size_t k = 0; k < n_more; k++)
                at += (size_t)snprintf(text + at, sizeof text - at, " xyz%c", 'a' + (int)k);
            const bool are_alike = 3 * (i ? 2 : 3) >= 3 + n_more;
            /* the longer side is French, in a document of another language */
            check_language(text, "fr", long_french, "eo", 10,
                           are_alike ? DPL_VERDICT_LANGUAGE : DPL_VERDICT_KEPT);
        }
}

DPL_TEST(filter, text_below_sixty_bytes_is_not_identified)
{
    const char *const french[] = {
        "Quand vient l'hiver les bergers font descendre les animaux",
        "Quand vient l'hiver les bergers font descendre leurs animaux"};
    CHECK(strlen(french[0]) == 58 && strlen(french[1]) == 60);
    check_language(french[0], "eo", good.text[1], "sw", 1, DPL_VERDICT_KEPT);
    check_language(french[1], "eo", good.text[1], "sw", 1, DPL_VERDICT_LANGUAGE);
}

/* ---- the paper's --------------------------------------------------------------------------
 */

DPL_TEST(filter, of_the_paper_has_three_checks)
{
    const dpl_sentences_options o = DPL_INIT(dpl_sentences_options, .paper_filter = true),
                                off = DPL_INIT(dpl_sentences_options, .paper_filter = true,
                                               .no_lang_check = true, .min_words = 100);
    bead b = good;
    b.chars[1] = 5000; /* lengths do not count, and few words decide */
    b.expected = 1;
    b.information = 0.34;
    CHECK_EQ(judge(&b, &o, 0), DPL_VERDICT_KEPT);
    CHECK_EQ(judge(&b, &off, 0), DPL_VERDICT_KEPT);
    b.information = 0.33;
    CHECK_EQ(judge(&b, &o, 0), DPL_VERDICT_WORDS);
    b.text[1] = b.text[0];
    CHECK_EQ(judge(&b, &o, 0), DPL_VERDICT_IDENTICAL);
    b = good;
    for (int side = 0; side < 2; side++) {
        b.text[0] = side ? good.text[0] : long_french;
        b.text[1] = side ? long_english : good.text[1];
        b.lang[1] = side ? "sw" : "en";
        b.lang[0] = side ? "de" : "eo";
        CHECK_EQ(judge(&b, &o, 0), DPL_VERDICT_LANGUAGE);
        CHECK_EQ(judge(&b, &off, 0), DPL_VERDICT_KEPT);
    }
}

DPL_TEST(filter, every_verdict_has_a_name)
{
    for (int v = 0; v < DPL_N_VERDICTS; v++) {
        CHECK(dpl_verdict_name((dpl_verdict)v));
        for (int k = 0; k < v; k++)
            CHECK(strcmp(dpl_verdict_name((dpl_verdict)k), dpl_verdict_name((dpl_verdict)v)));
    }
    CHECK(!dpl_verdict_name(DPL_N_VERDICTS) && !dpl_verdict_name((dpl_verdict)-1));
    CHECK(strcmp(dpl_verdict_name(DPL_VERDICT_KEPT), "kept") == 0);
}
