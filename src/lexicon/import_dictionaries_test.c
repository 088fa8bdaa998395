#include "lexicon/lexicon.h"

#include "lexicon/dictd_test.h"
#include "lexicon/write_lexicon.h"

#include <math.h>
#include <stdlib.h>

/* ---- helpers ------------------------------------------------------------------------ */

/* No bound on the rows, so that they can be counted on. */
static const dpl_prune no_prune =
    DPL_INIT(dpl_prune, .top = -1, .cumulative = -1, .threshold = -1, .min_count = -1);

static dpl_lexicon_import_options options_de_en(void)
{
    return (dpl_lexicon_import_options)DPL_INIT(dpl_lexicon_import_options, .source_lang = "de",
                                                .target_lang = "en", .prune = &no_prune);
}

static const char *text_file(const char *name, const char *text)
{
    return test_write(name, text, strlen(text));
}

/* Imports and opens it. */
static dpl_lexicon *import_with(dpl_ctx *ctx, const dpl_lexicon_import_options *o,
                                const dpl_dictionary *dictionaries, size_t n,
                                dpl_lexicon_import_summary *summary)
{
    const char *path = test_path("out.dpl");
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl_lexicon_import(summary, ctx, path, dictionaries, n, o, &test_err));
    CHECK_OK(dpl_lexicon_open(&l, ctx, path, NULL, &test_err));
    return l;
}

static dpl_lexicon *import_one(dpl_ctx *ctx, const dpl_lexicon_import_options *o,
                               const char *path)
{
    return import_with(ctx, o, &(dpl_dictionary){.path = path}, 1, NULL);
}

/* -1 when one of them is not there, 0 when the pair is not. */
static double p_of(const dpl_lexicon *l, const char *source, const char *target, bool is_back)
{
    uint32_t s, t;
    if (!dpl_lexicon_find_source(l, dpl__cstr(source), &s) ||
        !dpl_lexicon_find_target(l, dpl__cstr(target), &t))
        return -1;
    const float *p;
    size_t n;
    const uint32_t *row =
        is_back ? dpl_lexicon_back_row(l, t, &p, &n) : dpl_lexicon_row(l, s, &p, &n);
    for (size_t i = 0; i < n; i++)
        if (row[i] == (is_back ? s : t))
            return (double)p[i];
    return 0;
}

#define CHECK_P(l, source, target, expected)                                                   \
    do {                                                                                       \
        double p_ = p_of((l), (source), (target), false);                                      \
        if (fabs(p_ - (expected)) > 1e-6)                                                      \
            dpl__test_fail(__FILE__, __LINE__, "p(%s|%s) is %.7f, expected %.7f", target,      \
                           source, p_, (double)(expected));                                    \
    } while (0)

#define CHECK_BACK(l, source, target, expected)                                                \
    do {                                                                                       \
        double p_ = p_of((l), (source), (target), true);                                       \
        if (fabs(p_ - (expected)) > 1e-6)                                                      \
            dpl__test_fail(__FILE__, __LINE__, "p(%s|%s) is %.7f, expected %.7f", source,      \
                           target, p_, (double)(expected));                                    \
    } while (0)

static void check_fails(const dpl_lexicon_import_options *o, const dpl_dictionary *dictionaries,
                        size_t n, dpl_status expected, const char *what)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_error err = {0};
    const char *path = test_path("never.dpl");
    dpl_status status = dpl_lexicon_import(NULL, ctx, path, dictionaries, n, o, &err);
    if (status != expected || !strstr(err.text, what))
        dpl__test_fail(__FILE__, __LINE__, "%s: '%s', expected %s with '%s'",
                       dpl_status_name(status), err.text, dpl_status_name(expected), what);
    test_ctx_done(ctx);
}

static void check_text_fails(const char *text, const char *what)
{
    dpl_lexicon_import_options o = options_de_en();
    dpl_dictionary d = {.path = text_file("bad.txt", text)};
    check_fails(&o, &d, 1, DPL_E_FORMAT, what);
}

/* ---- forms -------------------------------------------------------------------------- */

DPL_TEST(lexicon_import, formats_have_names)
{
    for (int i = DPL_DICTIONARY_AUTO; i <= DPL_DICTIONARY_TEI; i++)
        CHECK(dpl_dictionary_format_get_info((dpl_dictionary_format)i) != NULL);
    CHECK(!dpl_dictionary_format_get_info((dpl_dictionary_format)99));
}

DPL_TEST(lexicon_import, spreads_what_a_dictionary_says_by_sense_and_place)
{
    test_dictd d = {.n_index = 0};
    test_dictd_add(&d, "schloss", "Schloss <n>\n1. castle, palace\n2. lock\n");
    test_dictd_add(&d, "gehen", "gehen <v>\nto go\n   \"geh!\" - go!\n");
    test_dictd_add(&d, "gehen", "gehen <v>\nwalk\n");
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = DPL_INIT(dpl_lexicon_import_options, .prune = &no_prune);
    dpl_lexicon *l = import_one(ctx, &o, test_dictd_write(&d, "freedict-deu-eng", true));
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "de");
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).target_lang), "en");
    CHECK_P(l, "schloss", "castle", 1 / 2.0); /* 1, 1/2, 1/2 */
    CHECK_P(l, "schloss", "palace", 1 / 4.0);
    CHECK_P(l, "schloss", "lock", 1 / 4.0);
    CHECK_P(l, "gehen", "go", 2 / 3.0); /* with an example */
    CHECK_P(l, "gehen", "walk", 1 / 3.0);
    CHECK_BACK(l, "gehen", "walk", 1);
    CHECK_EQ(dpl_lexicon_count(l, false, 0), 0);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, gives_the_words_of_a_phrase_a_share_one_way)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = options_de_en();
    dpl_lexicon_sizes sizes = DPL_INIT(dpl_lexicon_sizes);
    dpl_lexicon_import_summary summary = DPL_INIT(dpl_lexicon_import_summary, .sizes = &sizes);
    dpl_dictionary d = {.path = text_file("phrases.tsv", "Hausboot\tbarge; the house boat\n"
                                                         "Boot\tboat\n"
                                                         "sich freuen\tto rejoice\n"
                                                         "auf jeden Fall\tsurely\n"
                                                         "-heit\t-ness\n")};
    dpl_lexicon *l = import_with(ctx, &o, &d, 1, &summary);
    CHECK_P(l, "hausboot", "barge", 1 / 1.25); /* 1, 1/8, 1/8 */
    CHECK_P(l, "hausboot", "house", 0.125 / 1.25);
    CHECK_P(l, "hausboot", "boat", 0.125 / 1.25);
    CHECK_BACK(l, "boot", "boat", 1);
    CHECK_BACK(l, "hausboot", "boat", 0);
    CHECK_P(l, "freuen", "rejoice", 1);
    CHECK_EQ(sizes.n_sources, 3);
    CHECK_EQ(summary.n_read, 5);
    CHECK_EQ(summary.n_used, 3);
    CHECK_EQ(summary.n_phrases, 1);
    CHECK_EQ(summary.n_skipped, 0);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, cuts_articles_and_what_stands_for_any_word)
{
    static const struct {
        const char *langs, *line, *source, *target;
    } cases[] = {
        {"de-en", "etw. mampfen\tto munch sth.\n", "mampfen", "munch"},
        {"de-en", "das Haus\tthe house\n", "haus", "house"},
        {"de-en", "die\tthe\n", "die", "the"},
        {"fr-it", "s'\xC3\xA9vader\tl'acqua\n", "\xC3\xA9vader", "acqua"},
        {"en-hu", "to get sg\tegy h\xC3\xA1z\n", "get", "h\xC3\xA1z"},
        {"en-fr", "whale (animal)\tla baleine [zool.]\n", "whale", "baleine"},
    };
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char name[50];
        snprintf(name, sizeof name, "words.%s.tsv", cases[i].langs);
        dpl_lexicon *l = import_one(ctx, NULL, text_file(name, cases[i].line));
        CHECK_P(l, cases[i].source, cases[i].target, 1);
        dpl_lexicon_close(l);
    }
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, counts_on_over_lines_of_one_source)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = options_de_en();
    dpl_lexicon *l =
        import_one(ctx, &o, text_file("lines.tsv", "Haus\thouse\nHaus\thome\nWal\twhale\n"));
    CHECK_P(l, "haus", "house", 2 / 3.0);
    CHECK_P(l, "haus", "home", 1 / 3.0);
    CHECK_P(l, "wal", "whale", 1);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, reads_tables_with_probabilities)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = options_de_en();
    dpl_lexicon_sizes sizes = DPL_INIT(dpl_lexicon_sizes);
    dpl_lexicon_import_summary summary = DPL_INIT(dpl_lexicon_import_summary, .sizes = &sizes);
    dpl_dictionary d = {.path = text_file("t.tsv", "Haus\thouse\t0.7\nHaus\thome\t0.1\n"
                                                   "Heim\thome\t0.5\n")};
    dpl_lexicon *l = import_with(ctx, &o, &d, 1, &summary);
    CHECK_P(l, "haus", "house", 0.7);
    CHECK_P(l, "haus", "home", 0.1);
    CHECK_BACK(l, "haus", "home", 0.1 / 0.6);
    CHECK_BACK(l, "heim", "home", 0.5 / 0.6);
    CHECK_EQ(summary.n_read, 3);
    CHECK_EQ(sizes.n_back, 3);
    dpl_lexicon_close(l);
    d.path = text_file("lex.e2f", "house Haus 0.7\nNULL Haus 0.2\nhome NULL 0.4\n"
                                  "home Haus 0.0\nhome Heim 5e-1\n");
    l = import_with(ctx, &o, &d, 1, &summary);
    CHECK_P(l, "haus", "house", 0.7);
    CHECK_P(l, "heim", "home", 0.5);
    CHECK_EQ(summary.n_read, 5);
    CHECK_EQ(sizes.n_entries, 2);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, reads_ding)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = import_one(
        ctx, NULL,
        text_file("de-en",
                  "# Version :: 1\n# \n"
                  "Wal {m} [zool.]; Walfisch {m} | Wale {pl} :: whale; beast | whales\n"
                  "Gut, dass {adv} | nichts :: well\n"));
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "de");
    CHECK_P(l, "wal", "whale", 2 / 3.0);
    CHECK_P(l, "walfisch", "beast", 1 / 3.0);
    CHECK_P(l, "wale", "whales", 1);
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_sources, 3); /* one of two words stays out */
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* ---- turning round ------------------------------------------------------------------ */

DPL_TEST(lexicon_import, turns_a_dictionary_of_the_other_direction)
{
    test_dictd d = {.n_index = 0};
    test_dictd_add(&d, "house", "house <n>\nHaus, Heim\n");
    test_dictd_add(&d, "home", "home <n>\nHeim\n");
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = options_de_en();
    dpl_lexicon *l = import_one(ctx, &o, test_dictd_write(&d, "freedict-eng-deu", true));
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "de");
    CHECK_BACK(l, "haus", "house", 2 / 3.0);
    CHECK_BACK(l, "heim", "house", 1 / 3.0);
    CHECK_P(l, "haus", "house", 1);
    CHECK_P(l, "heim", "house", 0.25); /* 1/3 against 1 */
    CHECK_P(l, "heim", "home", 0.75);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, learns_languages_from_a_dictionary_itself)
{
    test_dictd d = {.n_index = 0};
    test_dictd_add(&d, "00-database-short", "00-database-short\n   English-German Words 0.1\n");
    test_dictd_add(&d, "house", "house\nHaus\n");
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_dictd_write(&d, "nameless", true);
    dpl_lexicon *l = import_one(ctx, NULL, path);
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "en");
    CHECK_P(l, "house", "haus", 1);
    dpl_lexicon_close(l);
    dpl_lexicon_import_options o = DPL_INIT(dpl_lexicon_import_options, .source_lang = "de");
    l = import_one(ctx, &o, path);
    CHECK_P(l, "haus", "house", 1);
    dpl_lexicon_close(l);
    l = import_one(ctx, &o, test_dictd_write(&d, "german-english", true)); /* its name counts */
    CHECK_P(l, "house", "haus", 1);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* ---- mixing ------------------------------------------------------------------------- */

DPL_TEST(lexicon_import, mixes_rows_by_the_weights_of_those_that_have_them)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = options_de_en();
    dpl_dictionary d[] = {
        {text_file("a.tsv", "haus\thouse\t0.8\nhaus\thome\t0.2\nnur\tonly\t0.9\n"), 3},
        {text_file("b.tsv", "haus\thouse\t0.4\nhaus\tbuilding\t0.6\nwal\twhale\t0.5\n"), 1},
    };
    dpl_lexicon *l = import_with(ctx, &o, d, 2, NULL);
    CHECK_P(l, "haus", "house", (3 * 0.8 + 0.4) / 4);
    CHECK_P(l, "haus", "home", 3 * 0.2 / 4);
    CHECK_P(l, "haus", "building", 0.6 / 4);
    CHECK_P(l, "nur", "only", 0.9);
    CHECK_P(l, "wal", "whale", 0.5);
    CHECK_BACK(l, "haus", "house", 1);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, gives_more_to_what_both_directions_say)
{
    test_dictd left = {.n_index = 0}, right = {.n_index = 0};
    char a[500], b[500];
    test_dictd_add(&left, "haus", "Haus\nhouse, home\n");
    test_dictd_add(&right, "house", "house\nHaus\n");
    snprintf(a, sizeof a, "%s", test_dictd_write(&left, "x-deu-eng", true));
    snprintf(b, sizeof b, "%s", test_dictd_write(&right, "x-eng-deu", true));
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = DPL_INIT(dpl_lexicon_import_options, .prune = &no_prune);
    dpl_dictionary d[] = {{.path = a}, {.path = b}};
    dpl_lexicon *l = import_with(ctx, &o, d, 2, NULL);
    CHECK_P(l, "haus", "house", (2 / 3.0 + 1) / 2);
    CHECK_P(l, "haus", "home", (1 / 3.0) / 2);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* "haus" and a second word, which occurs three times as often, to "home" and "house", with
 * counts and both tables. */
static const char *write_words(dpl_ctx *ctx, const char *name, const char *second,
                               bool is_stemmed)
{
    static const uint64_t house_offsets[] = {0, 4, 9}, rows[] = {0, 2, 3};
    char bytes[50];
    uint64_t offsets[] = {0, 4, 4 + strlen(second)};
    snprintf(bytes, sizeof bytes, "haus%s", second);
    static const uint64_t source_counts[] = {10, 30}, target_counts[] = {25, 15};
    uint32_t cols[2][3] = {{0, 1, 0}, {0, 1, 0}};
    float p[2][3] = {{0.25f, 0.75f, 1}, {0.5f, 0.25f, 0.75f}};
    dpl__lexicon_parts parts = {.lang = {"de", "en"},
                                .is_stemmed = is_stemmed,
                                .words = {{offsets, bytes, 2}, {house_offsets, "homehouse", 2}},
                                .counts = {source_counts, target_counts}};
    for (int side = 0; side < 2; side++)
        parts.table[side] = (dpl__table){.n_rows = 2,
                                         .offsets = (uint64_t *)(uintptr_t)rows,
                                         .cols = cols[side],
                                         .p = p[side],
                                         .n = 3};
    const char *path = test_path(name);
    CHECK_OK(dpl__lexicon_write(NULL, ctx, path, &parts, &test_err));
    return path;
}

static const char *write_lexicon(dpl_ctx *ctx, const char *name, bool is_stemmed)
{
    return write_words(ctx, name, "heim", is_stemmed);
}

DPL_TEST(lexicon_import, mixes_both_tables_of_lexicons_and_adds_their_counts)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = DPL_INIT(dpl_lexicon_import_options, .prune = &no_prune);
    dpl_dictionary d[] = {{.path = write_lexicon(ctx, "one.dpl", false)},
                          {.path = write_lexicon(ctx, "two.dpl", false)},
                          {.path = text_file("three.tsv", "haus\thome\nwal\twhale\n")}};
    dpl_lexicon *l = import_with(ctx, &o, d, 3, NULL);
    uint32_t haus, wal, home;
    CHECK(dpl_lexicon_find_source(l, DPL_STR("haus"), &haus));
    CHECK(dpl_lexicon_find_source(l, DPL_STR("wal"), &wal));
    CHECK(dpl_lexicon_find_target(l, DPL_STR("home"), &home));
    CHECK_EQ(dpl_lexicon_count(l, false, haus), 20);
    CHECK_EQ(dpl_lexicon_count(l, false, wal), 0);
    CHECK_EQ(dpl_lexicon_count(l, true, home), 50);
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_links, 0);
    CHECK_P(l, "haus", "home", (2 * 0.25 + 1) / 3);
    CHECK_BACK(l, "haus", "home", (2 * 0.5 + 1) / 3);
    CHECK_BACK(l, "heim", "home", 2 * 0.25 / 3);
    CHECK_BACK(l, "haus", "house", 0.75);
    CHECK_P(l, "wal", "whale", 1);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, makes_of_sources_that_become_one_their_mean)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = options_de_en();
    o.stem = true;
    dpl_lexicon *l = import_one(
        ctx, &o, text_file("s.tsv", "haus\thouse\t0.6\nh\xC3\xA4user\thouses\t0.2\n"));
    CHECK(dpl_lexicon_get_info(l).is_stemmed);
    CHECK_P(l, "haus", "hous", 0.4);
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_sources, 1);
    dpl_lexicon_close(l);
    /* 10 haus: 0.25 home, 0.75 house; 30 hauses: home. p(haus|home) is 0.5, p(hauses|home) 0.25
     */
    l = import_one(ctx, &o, write_words(ctx, "counted.dpl", "hauses", false));
    CHECK_P(l, "haus", "home", (10 * 0.25 + 30) / 40);
    CHECK_P(l, "haus", "hous", 10 * 0.75 / 40);
    CHECK_BACK(l, "haus", "home", 0.75);
    CHECK_EQ(dpl_lexicon_count(l, false, 0), 40);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* A table of others whose words are stems; w is one of them that is not its own stem. */
static const char *stems_table(const char *more)
{
    static char text[8000];
    int at = snprintf(text, sizeof text, "%s", more);
    for (int i = 0; i < 150; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "zzb%c%c\tx\t1\n", 'a' + i / 15,
                       'a' + i % 15);
    return text_file("stems.de-en.tsv", text);
}

DPL_TEST(lexicon_import, leaves_stems_of_others_but_for_their_spelling)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .stem = true, .prune = &no_prune);
    dpl_lexicon *l = import_one(ctx, &o,
                                stems_table("\xC3\xB6sterreich\taustria\t1\n"
                                            "osterreich\taustrian\t1\n"
                                            "angeb\toffer\t1\nangebote\tbid\t1\n"));
    CHECK_P(l, "osterreich", "austria", 0.5);
    CHECK_P(l, "osterreich", "austrian", 0.5);
    CHECK_P(l, "angeb", "offer", 1);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, prunes_rows)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = options_de_en();
    dpl_prune one = DPL_INIT(dpl_prune, .top = 1);
    o.prune = &one;
    dpl_lexicon *l =
        import_one(ctx, &o, text_file("p.tsv", "a\tx\t0.5\na\ty\t0.4\nb\tx\t0.1\n"));
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_entries, 2);
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_back, 2);
    CHECK_P(l, "a", "x", 0.5);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* ---- what is wrong ------------------------------------------------------------------ */

DPL_TEST(lexicon_import, refuses_languages_that_do_not_agree)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_dictionary d[] = {{.path = text_file("x.fr-en.tsv", "eau\twater\n")},
                          {.path = write_lexicon(ctx, "de.dpl", false)}};
    dpl_lexicon_import_options o = options_de_en(),
                               unknown = DPL_INIT(dpl_lexicon_import_options,
                                                  .source_lang = "martian!");
    check_fails(NULL, d, 2, DPL_E_USAGE,
                "de.dpl' is between 'de' and 'en', not between 'fr' and 'en'");
    check_fails(&o, d, 1, DPL_E_USAGE,
                "x.fr-en.tsv' is between 'fr' and 'en', not between 'de' and 'en'");
    check_fails(&unknown, d, 1, DPL_E_USAGE, "unknown language 'martian!'");
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, refuses_stems_beside_words)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_dictionary d[] = {{.path = write_lexicon(ctx, "stems.dpl", true)},
                          {.path = text_file("words.tsv", "haus\thouse\n")}};
    check_fails(NULL, d, 2, DPL_E_USAGE, "stems.dpl' holds stems");
    dpl_lexicon_import_options o = DPL_INIT(dpl_lexicon_import_options, .stem = true);
    dpl_lexicon *l = import_with(ctx, &o, d, 2, NULL);
    CHECK(dpl_lexicon_get_info(l).is_stemmed);
    dpl_lexicon_close(l);
    l = import_with(ctx, NULL, d, 1, NULL);
    CHECK(dpl_lexicon_get_info(l).is_stemmed);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, refuses_options_out_of_range)
{
    dpl_dictionary d = {.path = text_file("o.tsv", "haus\thouse\n")};
    dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .on_error = DPL_ON_ERROR_REPLACE);
    check_fails(NULL, &d, 0, DPL_E_USAGE, "no dictionary");
    check_fails(&o, &d, 1, DPL_E_USAGE, "an error or skipped");
    o = (dpl_lexicon_import_options)DPL_INIT(dpl_lexicon_import_options,
                                             .from = (dpl_dictionary_format)77);
    check_fails(&o, &d, 1, DPL_E_USAGE, "no such format");
    o = (dpl_lexicon_import_options)DPL_INIT(dpl_lexicon_import_options, .stem = true);
    check_fails(&o, &d, 1, DPL_E_USAGE, "o.tsv' are not known, and stems need them");
    o = (dpl_lexicon_import_options)DPL_INIT(dpl_lexicon_import_options,
                                             .from = DPL_DICTIONARY_LEXICON);
    check_fails(&o, &d, 1, DPL_E_FORMAT, "o.tsv'");
    o.from = DPL_DICTIONARY_DICTD;
    check_fails(&o, &d, 1, DPL_E_IO, "o.tsv.index'");
    static const double weights[] = {-1, NAN, INFINITY, 1e10};
    for (size_t i = 0; i < DPL_LEN(weights); i++) {
        d.weight = weights[i];
        check_fails(NULL, &d, 1, DPL_E_USAGE, "the weight of '");
    }
    d = (dpl_dictionary){.path = test_path("missing.tsv")};
    check_fails(NULL, &d, 1, DPL_E_IO, "missing.tsv'");
}

DPL_TEST(lexicon_import, names_the_line_that_is_broken)
{
    check_text_fails("hello\n",
                     "bad.txt' line 1: not a dictionary in a format that doppel reads");
    check_text_fails("a\tb\na\tb\tc\n", "line 2: 3 columns instead of 2");
    check_text_fails("a\tb\na\n", "line 2: 1 column instead of 2");
    check_text_fails("a\tb\n\tc\n", "line 2: an empty word");
    check_text_fails("a\tb\na\t\xFF\n", "line 2: invalid UTF-8 (byte 0xFF at column 3)");
    check_text_fails("a\tb\t1\na\tc\tx\n", "line 2: 'x' is not a number");
    check_text_fails("a b 0.5\na c\n", "line 2: 2 columns instead of 3");
    check_text_fails("a b 0.5\na c d\n", "line 2: 'd' is not a number");
    check_text_fails("a b 0.5\n\na c 1.5\n", "line 3: probability 1.5 is not in 0 to 1");
    check_text_fails("a :: b\n\nno colons\n", "line 3: no '::' between the languages");
}

DPL_TEST(lexicon_import, names_one_broken_line_among_thousands)
{
    enum { LINES = 5000, BYTES = 20 };
    dpl_ctx *ctx = test_ctx(1);
    char *text = dpl__alloc(ctx, LINES * BYTES);
    size_t n = 0;
    for (int i = 1; i <= LINES; i++)
        n += (size_t)snprintf(text + n, BYTES, "a%d\tb\t%d\n", i, i == 3000 ? 2 : 1);
    check_text_fails(text, "line 3000: probability 2 is not in 0 to 1");
    dpl__free(ctx, text);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, passes_over_broken_lines_if_asked_to)
{
    static const char *const texts[] = {
        "a\tb\na\tb\tc\n\xFF\tc\nd\te\n",
        "b a 0.5\nb a 2\nc\ne d 1\n",
        "a :: b\nc\nd :: e\nf \xFF :: g\n",
        "a\tb\t1\nx\nx\ty\t3\nd\te\t1\n",
    };
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = options_de_en();
    o.on_error = DPL_ON_ERROR_SKIP;
    for (size_t i = 0; i < DPL_LEN(texts); i++) {
        dpl_lexicon_sizes sizes = DPL_INIT(dpl_lexicon_sizes);
        dpl_lexicon_import_summary summary =
            DPL_INIT(dpl_lexicon_import_summary, .sizes = &sizes);
        dpl_dictionary d = {.path = text_file("skip.txt", texts[i])};
        dpl_lexicon *l = import_with(ctx, &o, &d, 1, &summary);
        CHECK_EQ(summary.n_read, 4);
        CHECK_EQ(summary.n_skipped, 2);
        CHECK_EQ(summary.n_used, 2);
        CHECK(p_of(l, "a", "b", false) > 0 && p_of(l, "d", "e", false) > 0);
        dpl_lexicon_close(l);
    }
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, makes_an_empty_lexicon_of_nothing)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_import_options o = options_de_en();
    dpl_lexicon *l = import_one(ctx, &o, text_file("nothing.txt", "\n# note\n\n"));
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_entries, 0);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_import, writes_the_same_bytes_for_the_same_input)
{
    test_dictd d = {.n_index = 0};
    test_dictd_add(&d, "haus", "Haus\nhouse, home, big building\n");
    const char *path = test_dictd_write(&d, "same-deu-eng", true);
    dpl_dictionary dictionary = {.path = path};
    char *bytes[2];
    size_t n[2];
    for (unsigned i = 0; i < 2; i++) {
        dpl_ctx *ctx = test_ctx(i + 1);
        CHECK_OK(dpl_lexicon_import(NULL, ctx, test_path("same.dpl"), &dictionary, 1, NULL,
                                    &test_err));
        bytes[i] = test_read(test_path("same.dpl"), &n[i]);
        test_ctx_done(ctx);
    }
    CHECK(n[0] == n[1] && memcmp(bytes[0], bytes[1], n[0]) == 0);
    free(bytes[0]);
    free(bytes[1]);
}

/* ---- memory ------------------------------------------------------------------------- */

static dpl_status import_all(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_lexicon_import_options o = options_de_en();
    o.stem = true;
    return dpl_lexicon_import(NULL, ctx, test_path("fails.dpl"), user, 5, &o, err);
}

DPL_TEST(lexicon_import, survives_failing_allocations)
{
    test_dictd d = {.n_index = 0};
    test_dictd_add(&d, "house", "house\nHaus, kleines Heim\n");
    char dictd[500];
    snprintf(dictd, sizeof dictd, "%s", test_dictd_write(&d, "f-eng-deu", true));
    dpl_ctx *ctx = test_ctx(1);
    dpl_dictionary all[] = {
        {.path = dictd},
        {.path = text_file("f.tsv", "Haus\thouse boat\nHaus\thome\n")},
        {.path = text_file("f3.tsv", "Haus\thouse\t0.5\n")},
        {.path = text_file("f.lex", "house Haus 0.5\n")},
        {.path = write_lexicon(ctx, "f.dpl", true)},
    };
    test_ctx_done(ctx);
    test_allocation_failures(import_all, all);
}

DPL_TEST(lexicon_import, an_input_is_not_overwritten)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_dictionary d[] = {{.path = text_file("a.txt", "haus\thouse\n")},
                          {.path = text_file("b.txt", "maus\tmouse\n")}};
    for (size_t i = 0; i < DPL_LEN(d); i++) {
        CHECK_EQ(dpl_lexicon_import(NULL, ctx, d[i].path, d, 2, NULL, &test_err), DPL_E_USAGE);
        CHECK_STR(dpl__cstr(test_err.code), "output-is-input");
    }
    test_ctx_done(ctx);
}
