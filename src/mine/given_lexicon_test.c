#include "mine/given_lexicon.h"

#include "mine/made_up_side_test.h"

/* ---- the languages of its columns ------------------------------------------------------- */

/* Both sides, and a table in a file. */
static dpl__comparable make_sides(dpl_ctx *ctx, const char *left, const char *right)
{
    dpl__comparable p = {.ctx = ctx};
    set_side(&p, 0, import_side(ctx, left, strlen(left), false), "eo");
    set_side(&p, 1, import_side(ctx, right, strlen(right), true), "sw");
    return p;
}

/* One that names its languages keeps them, whatever its words are. */
DPL_TEST(given_lexicon, languages_that_it_names_stay)
{
    static const char left[] = "l\tsame words\n", right[] = "r\tother text\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = {.ctx = ctx};
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = "eo", .target_lang = "sw");
    dpl_lexicon *l = NULL;
    char path[1000];
    set_side(&p, 0, import_side(ctx, left, sizeof left - 1, false), "eo");
    set_side(&p, 1, import_side(ctx, right, sizeof right - 1, true), "sw");
    const char *table = test_write("table.tsv", "other\tsame\t0.5\n", 15);
    const dpl_dictionary dictionary = {.path = table};
    snprintf(path, sizeof path, "%s", test_path("lexicon.dpl"));
    CHECK_OK(dpl_lexicon_import(NULL, ctx, path, &dictionary, 1, &o, &test_err));
    CHECK_OK(dpl__given_lexicon_open(&l, &p, path, &test_err));
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "eo");
    dpl_lexicon_close(l);
    CHECK_OK(dpl__given_lexicon_open(&l, &p, table, &test_err)); /* by its words */
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "sw");
    CHECK_STR(dpl_lexicon_source(l, 0), "other");
    dpl_lexicon_close(l);
    close_sides(&p);
    test_ctx_done(ctx);
}

/* Words a to d are those of the left side, e to h those of the right one. */
DPL_TEST(given_lexicon, columns_are_of_the_sides_that_have_more_of_their_words)
{
    static const struct {
        const char *table;
        bool is_reversed;
    } cases[] = {
        {"aa\tee\t1\n", false},
        {"ee\taa\t1\n", true},
        {"aa\txx\t1\n", false},
        {"xx\taa\t1\n", true},
        {"xx\tee\t1\n", false},
        {"ee\txx\t1\n", true},
        {"xx\tyy\t1\n", false},            /* nobody knows */
        {"aa\tee\t1\nff\tbb\t1\n", false}, /* as many either way */
        {"aa\tee\t1\nff\tbb\t1\ngg\tyy\t1\n", true},
        {"aa\tee\t1\nff\tbb\t1\nyy\tcc\t1\n", true},
        {"aa\tee\t1\nff\tbb\t1\ncc\tyy\t1\n", false},
        {"aa\tee\t1\nff\tbb\t1\ncc\tyy\t1\ndd\tyz\t1\ngg\tyx\t1\n", false},
    };
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = make_sides(ctx, "l\taa bb cc dd\n", "r\tee ff gg hh\n");
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_lexicon *l = NULL;
        const char *table = test_write("table.tsv", cases[i].table, strlen(cases[i].table));
        CHECK_OK(dpl__given_lexicon_open(&l, &p, table, &test_err));
        const dpl_lexicon_info info = dpl_lexicon_get_info(l);
        if (strcmp(info.source_lang, cases[i].is_reversed ? "sw" : "eo") != 0 ||
            strcmp(info.target_lang, cases[i].is_reversed ? "eo" : "sw") != 0)
            dpl__test_fail(__FILE__, __LINE__, "case %zu: from %s to %s", i, info.source_lang,
                           info.target_lang);
        dpl_lexicon_close(l);
    }
    close_sides(&p);
    test_ctx_done(ctx);
}

DPL_TEST(given_lexicon, a_file_that_is_none_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = make_sides(ctx, "l\taa\n", "r\tee\n");
    dpl_lexicon *l = NULL;
    CHECK(dpl__given_lexicon_open(&l, &p, test_path("missing.tsv"), &test_err) != DPL_OK);
    CHECK(dpl__given_lexicon_open(&l, &p, test_write("bad.tsv", "aa\n", 3), &test_err) ==
          DPL_E_FORMAT);
    CHECK(!l);
    close_sides(&p);
    test_ctx_done(ctx);
}

/* ---- dictionaries ----------------------------------------------------------------------- */

static bool has_entry(const dpl_lexicon *l, const char *source, const char *target)
{
    dpl_lexicon_entries it = dpl_lexicon_entries_begin(l, false);
    dpl_lexicon_entry e;
    while (dpl_lexicon_entries_next(&it, &e))
        if (dpl__str_eq(e.source, dpl__cstr(source)) &&
            dpl__str_eq(e.target, dpl__cstr(target)))
            return true;
    return false;
}

/* What cannot be read is skipped. */
DPL_TEST(given_lexicon, all_dictionaries_are_joined)
{
    static const char first[] = "aa\tee\t1\nbroken\nbb\tff\t1\n", second[] = "cc\tgg\t1\n",
                      third[] = "dd\thh\t1\n";
    dpl_ctx *ctx = test_ctx(1);
    char paths[3][1000], out[1000];
    snprintf(paths[0], sizeof paths[0], "%s", test_write("1.tsv", first, sizeof first - 1));
    snprintf(paths[1], sizeof paths[1], "%s", test_write("2.tsv", second, sizeof second - 1));
    snprintf(paths[2], sizeof paths[2], "%s", test_write("3.tsv", third, sizeof third - 1));
    snprintf(out, sizeof out, "%s", test_path("dictionary.dpl"));
    const char *const more[] = {paths[1], paths[2]};
    for (size_t n = 0; n < 3; n++) {
        dpl_lexicon *l = NULL;
        const dpl_mine_options o =
            DPL_INIT(dpl_mine_options, .dictionary = paths[0], .more_dictionaries = more,
                     .n_more_dictionaries = n);
        const dpl_lexicon_import_options import =
            DPL_INIT(dpl_lexicon_import_options, .source_lang = "eo", .target_lang = "sw");
        CHECK_OK(dpl__given_dictionaries_import(ctx, out, &o, &import, &test_err));
        CHECK_OK(dpl_lexicon_open(&l, ctx, out, NULL, &test_err));
        CHECK_EQ(dpl_lexicon_get_sizes(l)->n_sources, 2 + n);
        CHECK(has_entry(l, "aa", "ee") && has_entry(l, "bb", "ff"));
        CHECK(has_entry(l, "cc", "gg") == (n > 0) && has_entry(l, "dd", "hh") == (n > 1));
        dpl_lexicon_close(l);
    }
    test_ctx_done(ctx);
}
