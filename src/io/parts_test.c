#include "io/parts.h"

#include "test.h"

#include <stdio.h>

DPL_TEST(parts, values_are_i_of_n)
{
    dpl_part p;
    CHECK(dpl_part_parse(&p, "3/7") && p.number == 2 && p.n == 7);
    CHECK(dpl_part_parse(&p, "1/1") && p.number == 0 && p.n == 1);
    const char *const bad[] = {"",
                               "1",
                               "/",
                               "0/1",
                               "2/1",
                               "1/0",
                               "1/2 ",
                               " 1/2",
                               "-1/2",
                               "1/-2",
                               "1//2",
                               "a/b",
                               "1/99999999999999999999",
                               "1/20000"};
    for (size_t i = 0; i < DPL_LEN(bad); i++)
        CHECK(!dpl_part_parse(&p, bad[i]));
}

DPL_TEST(parts, ranges_are_equal_and_cover_everything)
{
    for (uint64_t n = 0; n < 30; n++)
        for (uint32_t parts = 1; parts < 12; parts++) {
            uint64_t at = 0, least = UINT64_MAX, most = 0;
            for (uint32_t i = 0; i < parts; i++) {
                uint64_t first, end;
                dpl__part_range(&first, &end, n, &(dpl_part){i, parts});
                CHECK(first == at && end >= first);
                at = end;
                least = dpl__min(least, end - first);
                most = dpl__max(most, end - first);
            }
            CHECK(at == n && most - least <= 1);
        }
}

/* A part without anything but its mark. */
static void write_part(dpl_ctx *ctx, const char *path, const dpl__part_mark *mark)
{
    dpl__writer *w = NULL;
    CHECK(dpl__writer_new(&w, ctx, path, "pairs", NULL) == DPL_OK);
    CHECK(dpl__part_write(w, mark, NULL) == DPL_OK);
    CHECK(dpl__writer_finish(w, NULL, NULL) == DPL_OK);
    dpl__writer_free(w);
}

static bool is_done(dpl_ctx *ctx, const char *path, const char *kind,
                    const dpl__part_mark *mark)
{
    uint64_t n = 0;
    CHECK_OK(dpl__part_find_done(&n, ctx, path, kind, mark, &test_err));
    return n > 0;
}

DPL_TEST(parts, a_part_is_done_when_it_is_whole_and_of_the_same_work)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("part.dpl");
    const dpl__part_mark mark = {{1, 3}, 11, 12, 13};
    dpl__part_mark other = mark;
    CHECK(!is_done(ctx, path, "pairs", &mark));
    write_part(ctx, path, &mark);
    CHECK(is_done(ctx, path, "pairs", &mark));
    CHECK(!is_done(ctx, path, "signatures", &mark));
    other.inputs++;
    CHECK(!is_done(ctx, path, "pairs", &other));
    other = mark;
    other.options++;
    CHECK(!is_done(ctx, path, "pairs", &other));
    other = mark;
    other.part.number = 2;
    CHECK(!is_done(ctx, path, "pairs", &other));
    other = mark;
    other.decided++; /* known when it is done only */
    CHECK(is_done(ctx, path, "pairs", &other));
    test_ctx_done(ctx);
}

static dpl_status find_done(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl__part_mark mark = {{1, 3}, 11, 12, 13};
    uint64_t n = 0;
    const dpl_status status = dpl__part_find_done(&n, ctx, user, "pairs", &mark, err);
    CHECK(status != DPL_OK || n > 0); /* without memory it does not pass for another one */
    return status;
}

DPL_TEST(parts, a_part_is_not_another_one_when_memory_is_short)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl__part_mark mark = {{1, 3}, 11, 12, 13};
    static char path[600];
    snprintf(path, sizeof path, "%s", test_path("part.dpl"));
    write_part(ctx, path, &mark);
    test_ctx_done(ctx);
    test_allocation_failures(find_done, path);
}

DPL_TEST(parts, all_of_one_whole_are_wanted)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_error err = {0};
    char paths[4][300];
    const char *list[4];
    dpl_parts *parts = NULL;
    for (uint32_t i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "part-%u.dpl", i);
        snprintf(paths[i], sizeof paths[i], "%s", test_path(name));
        list[i] = paths[i];
        write_part(ctx, list[i], &(dpl__part_mark){{i % 3, 3}, 1, 2, i == 3 ? 4 : 3});
    }
    CHECK(dpl_parts_open(&parts, ctx, list, 3, &err) == DPL_OK);
    CHECK(dpl_parts_get_info(parts).n == 3 &&
          strcmp(dpl_parts_get_info(parts).kind, "pairs") == 0);
    dpl_parts_close(parts);
    CHECK(dpl_parts_open(&parts, ctx, list, 2, &err) == DPL_E_USAGE && !parts);
    CHECK(strstr(err.text, "part 3 of 3 is missing"));
    CHECK(dpl_parts_open(&parts, ctx, list + 1, 3, &err) ==
          DPL_E_USAGE); /* planned otherwise */
    CHECK(dpl_parts_open(&parts, ctx, list, 0, &err) == DPL_E_USAGE);
    test_ctx_done(ctx);
}
