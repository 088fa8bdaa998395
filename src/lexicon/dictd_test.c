#include "lexicon/dictd.h"

#include "lexicon/dictd_test.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- helpers ------------------------------------------------------------------------ */

static dpl_status gather(dpl__translations *g, dpl_ctx *ctx, const char *path, bool skips,
                         dpl_error *err)
{
    dpl__dictd d;
    dpl_status status = dpl__translations_open(g, ctx, err);
    if (status == DPL_OK)
        status = dpl__translations_languages(g, "de", "en", err);
    if (status == DPL_OK) {
        status = dpl__dictd_open(&d, ctx, path, skips, err);
        if (status == DPL_OK)
            status = dpl__translations_add_dictd(g, &d, err);
        dpl__dictd_close(&d);
    }
    return status;
}

/* How many pairs of whole words there are of these two; all of them, when left is NULL. */
static size_t count(const dpl__translations *g, const char *left, const char *right)
{
    size_t n = 0;
    for (size_t i = 0; i < g->cells[DPL__LEFT].n; i++) {
        const dpl__cell *c = &g->cells[DPL__LEFT].data[i];
        n += !left || (dpl__str_eq(dpl__term_text(&g->words[DPL__LEFT].all.data[c->row]),
                                   dpl__cstr(left)) &&
                       dpl__str_eq(dpl__term_text(&g->words[DPL__RIGHT].all.data[c->col]),
                                   dpl__cstr(right)));
    }
    return n;
}

static test_dictd small(void)
{
    test_dictd d = {.n_index = 0};
    test_dictd_add(&d, "00databaseutf8", "\n");
    test_dictd_add(&d, "00databaseshort", "German-English Test Dictionary\n");
    test_dictd_add(&d, "haus", "Haus /haUs/ <n>\nhouse <n>, the home\n");
    test_dictd_add(&d, "wal", "Wal <n, masc>\nwhale\n");
    return d;
}

static void check_fails(const char *path, dpl_status expected, const char *what)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__translations g;
    dpl_error err = {0};
    dpl_status status = gather(&g, ctx, path, false, &err);
    if (status != expected || !strstr(err.text, what))
        dpl__test_fail(__FILE__, __LINE__, "%s: '%s', expected %s with '%s'",
                       dpl_status_name(status), err.text, dpl_status_name(expected), what);
    CHECK(strchr(err.text, '\n') == NULL);
    dpl__translations_close(&g);
    test_ctx_done(ctx);
}

/* ---- reading ------------------------------------------------------------------------ */

DPL_TEST(dictd, is_read_plain_and_packed_under_any_of_its_names)
{
    static const char *const endings[2][3] = {{"", ".index", ".dict"},
                                              {"", ".index", ".dict.dz"}};
    for (int packed = 0; packed < 2; packed++)
        for (int i = 0; i < 3; i++) {
            test_dictd d = small();
            char path[500];
            snprintf(path, sizeof path, "%s%s",
                     test_dictd_write(&d, packed ? "p" : "q", packed), endings[packed][i]);
            CHECK(dpl__is_dictd(path));
            dpl_ctx *ctx = test_ctx(1);
            dpl__translations g;
            CHECK_OK(gather(&g, ctx, path, false, &test_err));
            CHECK_EQ(count(&g, NULL, NULL), 3);
            CHECK_EQ(count(&g, "haus", "house"), 1);
            CHECK_EQ(count(&g, "haus", "home"), 1);
            CHECK_EQ(count(&g, "wal", "whale"), 1);
            CHECK_EQ(g.n_read, 2);
            CHECK_EQ(g.n_used, 2);
            dpl__translations_close(&g);
            test_ctx_done(ctx);
        }
}

DPL_TEST(dictd, says_what_it_is)
{
    test_dictd d = small();
    dpl_ctx *ctx = test_ctx(1);
    dpl__dictd dict;
    CHECK_OK(dpl__dictd_open_memory(&dict, ctx, (dpl_str){d.index, d.n_index},
                                    (dpl_str){d.text, d.n_text}, false, &test_err));
    CHECK_STR(dict.title, "German-English Test Dictionary");
    dpl__dictd_close(&dict);
    test_ctx_done(ctx);
}

DPL_TEST(dictd, reads_an_article_of_several_headwords_once)
{
    test_dictd d = {.n_index = 0};
    const char *article = "Wal, Walfisch\nwhale\n";
    test_dictd_add(&d, "wal", article);
    test_dictd_also(&d, "walfisch", strlen(article));
    test_dictd_also(&d, "walen", strlen(article));
    dpl_ctx *ctx = test_ctx(1);
    dpl__translations g;
    CHECK_OK(gather(&g, ctx, test_dictd_write(&d, "several", true), false, &test_err));
    CHECK_EQ(g.n_read, 1);
    CHECK_EQ(count(&g, NULL, NULL), 3);
    CHECK_EQ(count(&g, "walfisch", "whale"), 1);
    CHECK_EQ(count(&g, "walen", "whale"), 1);
    dpl__translations_close(&g);
    test_ctx_done(ctx);
}

DPL_TEST(dictd, takes_the_headword_of_a_fourth_column)
{
    test_dictd d = {.n_index = 0};
    test_dictd_add(&d, "ol", "oil\n");
    d.n_index--;
    d.n_index += (size_t)sprintf(d.index + d.n_index, "\t\xC3\x96l\n");
    dpl_ctx *ctx = test_ctx(1);
    dpl__translations g;
    CHECK_OK(gather(&g, ctx, test_dictd_write(&d, "fourth", false), false, &test_err));
    CHECK_EQ(count(&g, "\xC3\xB6l", "oil"), 1);
    dpl__translations_close(&g);
    test_ctx_done(ctx);
}

/* ---- faults ------------------------------------------------------------------------- */

DPL_TEST(dictd, lacks_a_file)
{
    test_dictd d = small();
    char path[500], index[600];
    snprintf(path, sizeof path, "%s", test_dictd_write(&d, "lone", true));
    snprintf(index, sizeof index, "%s.dict.dz", path);
    CHECK_EQ(unlink(index), 0);
    check_fails(path, DPL_E_IO, "lone.dict.dz'");
    snprintf(path, sizeof path, "%s", test_dictd_write(&d, "single", true));
    snprintf(index, sizeof index, "%s.index", path);
    CHECK_EQ(unlink(index), 0);
    check_fails(strcat(path, ".dict.dz"), DPL_E_IO, "single.index'");
}

DPL_TEST(dictd, is_refused_when_its_text_is_cut_off)
{
    test_dictd d = small();
    char path[500];
    snprintf(path, sizeof path, "%s.dict.dz", test_dictd_write(&d, "cut", true));
    size_t n;
    char *bytes = test_read(path, &n);
    for (size_t keep = 4; keep < n; keep += 7) {
        test_write("cut.dict.dz", bytes, keep);
        check_fails(path, DPL_E_FORMAT, "cut.dict.dz'");
    }
    free(bytes);
    d.n_text -= 3;
    check_fails(test_dictd_write(&d, "short", false), DPL_E_FORMAT,
                "short.index' line 4: bytes");
}

static const struct {
    const char *line, *what;
} bad_lines[] = {
    {"wal\tA", "2 columns instead of 3"},
    {"wal", "1 column instead of 3"},
    {"wal\tA*\tB", "'A*' is not a number"},
    {"wal\tA\t", "'' is not a number"},
    {"wal\t//////////////\tB", "is not a number"},
    {"wal\tzzzzz\tB", "has only"},
    {"wal\tA\tzzzzz", "has only"},
    {"wal\t///////////\t///////", "is not a number"},
    {"w\xFFl\tA\tB", "invalid UTF-8"},
};

DPL_TEST(dictd, names_the_line_of_the_index_that_is_broken)
{
    for (size_t i = 0; i < DPL_LEN(bad_lines); i++) {
        test_dictd d = small();
        d.n_index += (size_t)sprintf(d.index + d.n_index, "%s\n", bad_lines[i].line);
        const char *path = test_dictd_write(&d, "broken", false);
        check_fails(path, DPL_E_FORMAT, bad_lines[i].what);
        check_fails(path, DPL_E_FORMAT, "broken.index' line 5: ");
    }
}

DPL_TEST(dictd, passes_over_what_is_broken_if_asked_to)
{
    test_dictd d = small();
    for (size_t i = 0; i < DPL_LEN(bad_lines); i++)
        d.n_index += (size_t)sprintf(d.index + d.n_index, "%s\n", bad_lines[i].line);
    test_dictd_add(&d, "bad", "bad\nb\xFF\x80\n");
    test_dictd_add(&d, "gut", "gut\ngood\n");
    dpl_ctx *ctx = test_ctx(1);
    dpl__translations g;
    CHECK_OK(gather(&g, ctx, test_dictd_write(&d, "skip", true), true, &test_err));
    CHECK_EQ(g.n_skipped, DPL_LEN(bad_lines) + 1);
    CHECK_EQ(g.n_read, DPL_LEN(bad_lines) + 4);
    CHECK_EQ(count(&g, NULL, NULL), 4);
    dpl__translations_close(&g);
    test_ctx_done(ctx);
}

DPL_TEST(dictd, names_the_article_that_is_not_utf8)
{
    test_dictd d = small();
    test_dictd_add(&d, "bad", "bad\nb\xFF\x80\n");
    check_fails(test_dictd_write(&d, "latin", true), DPL_E_FORMAT, "'bad' is invalid UTF-8");
}

DPL_TEST(dictd, must_fit_into_memory)
{
    test_dictd d = small();
    const char *path = test_dictd_write(&d, "large", true);
    dpl_ctx *ctx = NULL;
    dpl__translations g;
    CHECK_OK(dpl_ctx_new(
        &ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 64),
        &test_err));
    CHECK_EQ(gather(&g, ctx, path, false, &test_err), DPL_E_LIMIT);
    dpl__translations_close(&g);
    test_ctx_done(ctx);
}

static dpl_status read_it(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__translations g;
    dpl_status status = gather(&g, ctx, user, false, err);
    dpl__translations_close(&g);
    return status;
}

DPL_TEST(dictd, survives_failing_allocations)
{
    test_dictd d = small();
    test_dictd_add(&d, "hausboot", "Hausboot <n>\nhouse boat, floating home\n");
    test_allocation_failures(read_it, (void *)(uintptr_t)test_dictd_write(&d, "fails", true));
}
