#include "serve/watch.h"

#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Files a (mapped) and b, watched. */
static dpl__watch watch_two(dpl_ctx *ctx)
{
    dpl__watch w = {{0}};
    CHECK_OK(dpl__watch_add(&w, ctx, test_write("a", "one", 3), true, &test_err));
    CHECK_OK(dpl__watch_add(&w, ctx, test_write("b", "two", 3), false, &test_err));
    return w;
}

/* As it was when it was watched, but for a second or a nanosecond. */
static void set_time(const char *path, const struct stat *was, time_t seconds, long nanos)
{
    struct timespec times[2] = {was->st_atim, was->st_mtim};
    times[1].tv_sec += seconds;
    times[1].tv_nsec = (times[1].tv_nsec + nanos) % 1000000000;
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

static void write_over(const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY | O_TRUNC);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

DPL_TEST(watch, a_file_is_the_same_by_its_place_size_and_time)
{
    static const struct {
        const char *file, *text; /* NULL: only the time changes */
        time_t seconds;
        long nanos;
        dpl__change expected;
    } cases[] = {
        {"a", NULL, 0, 0, DPL__UNCHANGED},      {"a", "new", 0, 0, DPL__UNCHANGED},
        {"a", "more", 0, 0, DPL__OVERWRITTEN},  {"a", NULL, 1, 0, DPL__OVERWRITTEN},
        {"a", NULL, 0, 1000, DPL__OVERWRITTEN}, {"b", "more", 0, 0, DPL__REPLACED},
        {"b", NULL, -1, 0, DPL__REPLACED},      {"b", NULL, 0, 1000, DPL__REPLACED},
    };
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__watch w = watch_two(ctx);
        const char *path = test_path(cases[i].file);
        uint64_t before, after, again;
        CHECK_EQ(dpl__watch_look(&w, &before), DPL__UNCHANGED);
        if (cases[i].text)
            write_over(path, cases[i].text);
        set_time(path, &w.files.data[cases[i].file[0] == 'b'].was, cases[i].seconds,
                 cases[i].nanos);
        CHECK_EQ(dpl__watch_look(&w, NULL), cases[i].expected);
        CHECK_EQ(dpl__watch_look(&w, &after), cases[i].expected);
        CHECK_EQ(dpl__watch_look(&w, &again), cases[i].expected);
        CHECK((before == after) == (cases[i].expected == DPL__UNCHANGED));
        CHECK(after == again);
        dpl__watch_clear(&w, ctx);
    }
    test_ctx_done(ctx);
}

/* One that another has taken the place of is still there for who has it mapped. */
DPL_TEST(watch, a_file_that_was_renamed_over_is_replaced_and_a_removed_one_is_not_changed)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__watch w = watch_two(ctx);
    uint64_t states[4];
    CHECK_EQ(dpl__watch_look(&w, &states[0]), DPL__UNCHANGED);
    CHECK(rename(test_write("new", "one", 3), test_path("a")) == 0);
    set_time(test_path("a"), &w.files.data[0].was, 0, 0);
    CHECK_EQ(dpl__watch_look(&w, &states[1]), DPL__REPLACED);
    CHECK(unlink(test_path("a")) == 0);
    CHECK_EQ(dpl__watch_look(&w, &states[2]), DPL__UNCHANGED);
    CHECK(unlink(test_path("b")) == 0);
    CHECK_EQ(dpl__watch_look(&w, &states[3]), DPL__UNCHANGED);
    for (size_t i = 0; i < DPL_LEN(states); i++)
        for (size_t k = 0; k < i; k++)
            CHECK(states[i] != states[k]);
    dpl__watch_clear(&w, ctx);
    test_ctx_done(ctx);
}

/* The most serious change of all; files that are not there when they are added do not count. */
DPL_TEST(watch, of_several_changes_the_worst_is_said)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__watch w = watch_two(ctx);
    CHECK_OK(dpl__watch_add(&w, ctx, test_path("none"), true, &test_err));
    CHECK_EQ(w.files.n, 2);
    test_write("none", "x", 1);
    CHECK_EQ(dpl__watch_look(&w, NULL), DPL__UNCHANGED);
    write_over(test_path("b"), "longer");
    CHECK_EQ(dpl__watch_look(&w, NULL), DPL__REPLACED);
    write_over(test_path("a"), "longer");
    CHECK_EQ(dpl__watch_look(&w, NULL), DPL__OVERWRITTEN);
    dpl__watch_clear(&w, ctx);
    test_ctx_done(ctx);
}
