#include "translate/cache.h"

#include "test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static dpl__cache open_cache(dpl_ctx *ctx, const char *command)
{
    dpl__cache c;
    CHECK_OK(dpl__cache_open(&c, ctx, test_path("kept"), command, &test_err));
    return c;
}

static void check_answer(dpl__cache *c, const char *sentence, const char *expected)
{
    const dpl_str *answer = dpl__cache_find(c, dpl__cstr(sentence));
    CHECK((answer != NULL) == (expected != NULL));
    if (answer)
        CHECK_STR(*answer, expected);
}

/* The only file of the folder. */
static const char *file_of_cache(void)
{
    static char path[4096];
    DIR *dir = opendir(test_path("kept"));
    CHECK(dir != NULL);
    for (struct dirent *d; (d = readdir(dir)) != NULL;)
        if (d->d_name[0] != '.')
            snprintf(path, sizeof path, "%s/%.255s", test_path("kept"), d->d_name);
    closedir(dir);
    return path;
}

DPL_TEST(cache, answers_are_there_when_it_is_opened_again)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__cache c = open_cache(ctx, "program");
    check_answer(&c, "eins", NULL);
    CHECK_OK(dpl__cache_add(&c, DPL_STR("eins"), DPL_STR("one"), &test_err));
    CHECK_OK(dpl__cache_add(&c, DPL_STR("nichts"), DPL_STR(""), &test_err));
    CHECK_OK(dpl__cache_add(&c, DPL_STR("eins"), DPL_STR("two"), &test_err)); /* stays one */
    check_answer(&c, "eins", "one");
    dpl__cache_close(&c);
    c = open_cache(ctx, "program");
    check_answer(&c, "eins", "one");
    check_answer(&c, "nichts", "");
    check_answer(&c, "zwei", NULL);
    dpl__cache_close(&c);
    c = open_cache(ctx, "another program");
    check_answer(&c, "eins", NULL);
    dpl__cache_close(&c);
    test_ctx_done(ctx);
}

/* A run that was killed leaves the beginning of a line. */
DPL_TEST(cache, a_line_that_was_cut_off_is_ignored)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__cache c = open_cache(ctx, "program");
    CHECK_OK(dpl__cache_add(&c, DPL_STR("eins"), DPL_STR("one"), &test_err));
    CHECK_OK(dpl__cache_add(&c, DPL_STR("zwei"), DPL_STR("two"), &test_err));
    dpl__cache_close(&c);
    size_t n;
    free(test_read(file_of_cache(), &n));
    for (size_t cut = 1; cut <= sizeof "zwei\ttwo\t"; cut++) {
        CHECK(truncate(file_of_cache(), (off_t)(n - cut)) == 0);
        c = open_cache(ctx, "program");
        check_answer(&c, "eins", "one");
        check_answer(&c, "zwei", cut == 1 ? "two" : NULL); /* only the line's end is gone */
        dpl__cache_close(&c);
    }
    test_ctx_done(ctx);
}

DPL_TEST(cache, nothing_is_kept_without_a_folder)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__cache c;
    CHECK_OK(dpl__cache_open(&c, ctx, NULL, "program", &test_err));
    CHECK_OK(dpl__cache_add(&c, DPL_STR("eins"), DPL_STR("one"), &test_err));
    check_answer(&c, "eins", NULL);
    dpl__cache_close(&c);
    CHECK_EQ(dpl__cache_open(&c, ctx, "/nowhere/at/all", "program", &test_err), DPL_E_IO);
    dpl__cache_close(&c);
    dpl__cache_close(&c);
    test_ctx_done(ctx);
}
