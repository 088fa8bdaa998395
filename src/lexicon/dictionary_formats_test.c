#include "doppel/lexicon.h"

#include "lexicon/dictionary_format.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

static const dpl_prune no_prune =
    DPL_INIT(dpl_prune, .top = -1, .cumulative = -1, .threshold = -1, .min_count = -1);

/* The lexicon of texts, each of a file; languages NULL: as the dictionaries say. */
static dpl_lexicon *read_texts(dpl_ctx *ctx, const char *const *texts, size_t n,
                               const char *left, const char *right,
                               dpl_lexicon_import_summary *summary)
{
    dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = left, .target_lang = right,
                 .on_error = DPL_ON_ERROR_SKIP, .prune = &no_prune);
    dpl_dictionary files[4] = {{0}};
    dpl_lexicon *l = NULL;
    const char *out = test_path("out.dpl");
    for (size_t i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "text%zu", i);
        files[i].path = test_write(name, texts[i], strlen(texts[i]));
    }
    CHECK_OK(dpl_lexicon_import(summary, ctx, out, files, n, &o, &test_err));
    CHECK_OK(dpl_lexicon_open(&l, ctx, out, NULL, &test_err));
    return l;
}

/* 0 when it is not there. */
static double p_of(const dpl_lexicon *l, const char *source, const char *target)
{
    uint32_t s, t;
    const float *p;
    size_t n;
    if (!dpl_lexicon_find_source(l, dpl__cstr(source), &s) ||
        !dpl_lexicon_find_target(l, dpl__cstr(target), &t))
        return 0;
    const uint32_t *row = dpl_lexicon_row(l, s, &p, &n);
    for (size_t i = 0; i < n; i++)
        if (row[i] == t)
            return (double)p[i];
    return 0;
}

#define CHECK_P(l, source, target, expected)                                                   \
    CHECK(fabs(p_of((l), (source), (target)) - (expected)) < 1e-6)

/* The languages as the format says. */
static dpl_lexicon *read_one(dpl_ctx *ctx, const char *text, const char *left,
                             const char *right)
{
    return read_texts(ctx, &text, 1, left, right, NULL);
}

DPL_TEST(dictionary_formats, are_detected_from_a_line)
{
    static const struct {
        const char *line;
        dpl_dictionary_format format;
    } lines[] = {
        {"Haus\thouse", DPL_DICTIONARY_TSV},
        {"Haus\thouse\t0.5", DPL_DICTIONARY_TSV},
        {"house haus 0.5", DPL_DICTIONARY_MOSES},
        {"haus house", DPL_DICTIONARY_MUSE},
        {"Haus {n} :: house", DPL_DICTIONARY_DING},
        {"word\ttranslation", DPL_DICTIONARY_WIKTIONARY},
        {"de\tHaus\ten\thouse\tmore", DPL_DICTIONARY_WIKTIONARY},
        {"00000001-n\tlemma\thouse", DPL_DICTIONARY_OMW},
        {"# Some words\teng\taddress\tlicence", DPL_DICTIONARY_OMW},
        {"haus<n>:house<n>", DPL_DICTIONARY_APERTIUM},
        {"haus<n>:<:house<n>", DPL_DICTIONARY_APERTIUM},
        {"房子 房子 [fang2 zi5] /house/", DPL_DICTIONARY_CEDICT},
        {"猫 [ねこ] /(n) cat/(P)/", DPL_DICTIONARY_EDICT},
        {"ねこ /(n) cat/", DPL_DICTIONARY_EDICT},
        {"\xc7\xad [\xa4\xcd\xa4\xb3] /(n) cat/", DPL_DICTIONARY_EDICT}, /* EUC-JP */
        {"<JMdict>", DPL_DICTIONARY_JMDICT},
        {"<TEI version=\"5.0\">", DPL_DICTIONARY_TEI},
        {"one", DPL_DICTIONARY_AUTO},
        {"a sentence of words", DPL_DICTIONARY_AUTO},
    };
    for (size_t i = 0; i < DPL_LEN(lines); i++)
        CHECK_EQ(dpl__dictionary_detect(dpl__cstr(lines[i].line), false), lines[i].format);
}

/* Lists of words and phrases, a line for each translation. */
DPL_TEST(dictionary_formats, gatitos_is_read_as_tsv)
{
    static const char text[] = "abandon\taufgeben\nabout\tetwa\nabout\tüber\na little\tetwas\n"
                               "Alright\tin Ordnung\nAre you still there?\tBist du noch da?\n"
                               "Cancel\tabbrechen\ncan't\tkann nicht\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_summary summary = DPL_INIT(dpl_lexicon_import_summary);
    dpl_lexicon *l = read_texts(ctx, &(const char *){text}, 1, "en", "de", &summary);
    const dpl_str tabs = dpl__cstr("a little\tetwas");
    CHECK_EQ(dpl__dictionary_detect(tabs, false), DPL_DICTIONARY_TSV);
    CHECK_EQ(dpl__dictionary_detect(tabs, true), DPL_DICTIONARY_AUTO); /* a comment in XML */
    const dpl_str tei = dpl__cstr("<TEI\txmlns=\"http://www.tei-c.org/ns/1.0\">");
    CHECK_EQ(dpl__dictionary_detect(tei, true), DPL_DICTIONARY_TEI);
    CHECK_EQ(summary.n_read, 8);
    CHECK_EQ(summary.n_skipped, 0);
    CHECK_P(l, "abandon", "aufgeben", 1);
    CHECK_P(l, "cancel", "abbrechen", 1);
    CHECK(p_of(l, "about", "etwa") > 0 && p_of(l, "about", "über") > 0);
    CHECK(p_of(l, "alright", "ordnung") > 0);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(dictionary_formats, muse_gives_translations_equal_weights)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = read_one(ctx, "haus house\nhaus home\nhund dog\n", "de", "en");
    CHECK_P(l, "haus", "home", 0.5);
    CHECK_P(l, "hund", "dog", 1);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(dictionary_formats, wiktionary_takes_the_wanted_language)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = read_one(ctx,
                              "word\tpos\tlang\ttranslation\nHaus\tnoun\ten\thouse, home\n"
                              "Haus\tnoun\tfr\tmaison\n",
                              "de", "en");
    CHECK_P(l, "haus", "house", 2.0 / 3);
    CHECK_P(l, "haus", "maison", 0);
    dpl_lexicon_close(l);
    l = read_one(ctx, "de\tHaus\ten\thouse\nen\tdog\tde\tHund\nfr\tmaison\ten\thouse\n", NULL,
                 NULL);
    CHECK_P(l, "haus", "house", 1);
    CHECK_P(l, "hund", "dog", 1);
    CHECK_P(l, "maison", "house", 0);
    dpl_lexicon_close(l);
    l = read_one(ctx, "de\tHaus\ten\thouse\nword\tx\ty\nfr\tz\nde\tHund\ten\tdog\n", "de",
                 "en"); /* a line that names one column only */
    CHECK_P(l, "hund", "dog", 1);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(dictionary_formats, edict_is_read_in_both_encodings)
{
    static const char *const texts[] = {
        "猫;ネコ(P) [ねこ] /(n) (1) cat (esp. the domestic cat)/(2) "
        "shamisen/(P)/EntL1467640X/\n"
        "no entry\n犬 [いぬ] /(n) dog/\n",
        "\xc7\xad [\xa4\xcd\xa4\xb3] /(n) cat/(P)/\n\xa4\xff /broken/\n"};
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_summary summary = DPL_INIT(dpl_lexicon_import_summary);
    dpl_lexicon *l = read_texts(ctx, &texts[0], 1, NULL, NULL, &summary);
    CHECK(strcmp(dpl_lexicon_get_info(l).source_lang, "ja") == 0);
    CHECK(strcmp(dpl_lexicon_get_info(l).target_lang, "en") == 0);
    CHECK_P(l, "猫", "cat", 2.0 / 3);
    CHECK_P(l, "ネコ", "shamisen", 1.0 / 3);
    CHECK_P(l, "ねこ", "cat", 2.0 / 3);
    CHECK_P(l, "犬", "dog", 1);
    CHECK_EQ(summary.n_skipped, 1);
    CHECK(strstr(summary.first_skipped.text, "line 2: not 'word [reading] /gloss/'"));
    dpl_lexicon_close(l);
    l = read_texts(ctx, &texts[1], 1, NULL, NULL, &summary);
    CHECK_P(l, "猫", "cat", 1);
    CHECK_P(l, "ねこ", "cat", 1);
    CHECK_EQ(summary.n_skipped, 1);
    CHECK(strstr(summary.first_skipped.text, "line 2: invalid UTF-8"));
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(dictionary_formats, wordnets_of_two_languages_make_translations)
{
    static const char *const texts[] = {
        "# A\tdeu\taddress\tfree\n00000001-n\tlemma\tHaus\n00000002-n\tdeu:lemma\tHund\n"
        "00000001-n\tdeu:def\tein Bau\n",
        "# B\teng\taddress\tfree\n00000001-n\tlemma\thouse\n00000001-n\tlemma\tbuilding\n"
        "00000002-n\tlemma\tdog\nbroken\n"};
    const char *const swapped[] = {texts[1], texts[0]};
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_summary summary = DPL_INIT(dpl_lexicon_import_summary);
    dpl_lexicon *l = read_texts(ctx, texts, 2, NULL, NULL, &summary);
    CHECK(strcmp(dpl_lexicon_get_info(l).source_lang, "de") == 0);
    CHECK_P(l, "haus", "building", 0.5);
    CHECK_P(l, "hund", "dog", 1);
    CHECK_EQ(summary.n_skipped, 1);
    CHECK(strstr(summary.first_skipped.text, "line 5: not 'synset"));
    dpl_lexicon_close(l);
    l = read_texts(ctx, swapped, 2, "de", "en", NULL);
    CHECK_P(l, "haus", "building", 0.5);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(dictionary_formats, a_single_wordnet_is_refused)
{
    static const char text[] = "# A\tdeu\taddress\tfree\n00000001-n\tlemma\tHaus\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl_dictionary file = {.path = test_write("one.tab", text, strlen(text))};
    dpl_error err = {0};
    CHECK_EQ(dpl_lexicon_import(NULL, ctx, test_path("out.dpl"), &file, 1, NULL, &err),
             DPL_E_USAGE);
    CHECK(strstr(err.text, "words of one language"));
    test_ctx_done(ctx);
}

DPL_TEST(dictionary_formats, apertium_drops_tags)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = read_one(
        ctx, "haus<n><nt>:house<n>\nhaus<n><nt>:>:home<n>\nhund<n>:<:dog<n>\nno colon\n", "de",
        "en");
    CHECK_P(l, "haus", "house", 0.5);
    CHECK_P(l, "haus", "home", 0.5);
    CHECK_P(l, "hund", "dog", 1);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(dictionary_formats, cedict_has_both_spellings_and_no_measure_words)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = read_one(ctx,
                              "# a comment\n#! version=1\n貓 猫 [mao1] /cat/CL:隻|只[zhi1]/\n"
                              "not a line\n狗 狗 [gou3] /dog/hound (of any kind)/\n",
                              NULL, NULL);
    CHECK(strcmp(dpl_lexicon_get_info(l).source_lang, "zh") == 0);
    CHECK_P(l, "猫", "cat", 1);
    CHECK_P(l, "貓", "cat", 1);
    CHECK_P(l, "狗", "hound", 1.0 / 3);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

static const char jmdict[] =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE JMdict [\n<!ENTITY n \"noun\">\n]>\n<JMdict>\n<entry>\n"
    "<k_ele><keb>猫</keb></k_ele>\n<r_ele><reb>ねこ</reb></r_ele>\n<sense><pos>&n;</pos>"
    "<gloss>cat</gloss>\n<gloss xml:lang=\"ger\">Katze</gloss></sense></entry>\n"
    "<entry><sense><gloss>no word</gloss></sense></entry><entry><r_ele><reb>いぬ</reb></r_ele>"
    "<sense><gloss>dog &amp; &#104;ound</gloss></sense></entry>\n<entry><r_ele>";

DPL_TEST(dictionary_formats, jmdict_has_glosses_in_several_languages)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *text = jmdict;
    dpl_lexicon_import_summary summary = DPL_INIT(dpl_lexicon_import_summary);
    dpl_lexicon *l = read_texts(ctx, &text, 1, NULL, NULL, &summary);
    CHECK_P(l, "猫", "cat", 1);
    CHECK_P(l, "ねこ", "cat", 1);
    CHECK_P(l, "いぬ", "hound", 0.5);
    CHECK_EQ(summary.n_skipped, 2); /* one without a word, one that does not end */
    CHECK(strstr(summary.first_skipped.text, "line 11: an entry without keb and reb"));
    dpl_lexicon_close(l);
    l = read_one(ctx, text, "de", "ja");
    CHECK(p_of(l, "katze", "猫") > 0 && p_of(l, "cat", "猫") == 0);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(dictionary_formats, tei_leaves_out_examples)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = read_one(
        ctx,
        "<?xml version=\"1.0\"?>\n<TEI><teiHeader><title>German-English Dictionary</title>\n"
        "</teiHeader><text><body>\n<entry><form><orth>Haus</orth></form><sense>\n"
        "<cit type=\"trans\"><quote>house</quote></cit><cit "
        "type=\"trans\"><quote>home</quote>\n"
        "</cit><cit type=\"example\"><quote>Haus am See</quote><cit type=\"trans\">"
        "<quote>cottage</quote></cit></cit></sense></entry><entry><form><orth>Hund</orth>\n"
        "</form><trans><tr>dog</tr></trans></entry></body></text></TEI>\n",
        NULL, NULL);
    CHECK(strcmp(dpl_lexicon_get_info(l).target_lang, "en") == 0);
    CHECK_P(l, "haus", "house", 2.0 / 3);
    CHECK_P(l, "haus", "home", 1.0 / 3);
    CHECK_P(l, "haus", "cottage", 0);
    CHECK_P(l, "hund", "dog", 1);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(dictionary_formats, a_broken_entry_is_an_error_unless_skipped)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_dictionary file = {.path = test_write("jm.xml", jmdict, strlen(jmdict))};
    dpl_error err = {0};
    CHECK_EQ(dpl_lexicon_import(NULL, ctx, test_path("out.dpl"), &file, 1, NULL, &err),
             DPL_E_FORMAT);
    CHECK(strstr(err.text, "line 11"));
    test_ctx_done(ctx);
}
