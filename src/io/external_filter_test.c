#include "io/external_filter.h"

#include "test.h"

#include <stdlib.h>

static dpl_status run(dpl_str *out, dpl__arena *arena, const char *program, const char *options,
                      dpl_str bytes)
{
    const dpl__filter f = {program, options, 20, 8 << 20};
    dpl_error err = {0};
    return dpl__filter_run(out, arena, &f, bytes, &err);
}

DPL_TEST(external_filter, bytes_go_through_a_program_however_many_there_are)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_str out;
    CHECK_EQ(run(&out, &arena, "tr", "a-z A-Z", DPL_STR("abc\0d")), DPL_OK);
    CHECK(out.n == 5 && memcmp(out.data, "ABC\0D", 6) == 0);
    enum { MANY = 5 << 20 }; /* more than sockets hold: both directions at a time */
    char *bytes = malloc(MANY);
    CHECK(bytes);
    for (size_t i = 0; i < MANY; i++)
        bytes[i] = (char)(i * 7 + i / 1000);
    CHECK_EQ(run(&out, &arena, "cat", "", (dpl_str){bytes, MANY}), DPL_OK);
    CHECK(out.n == MANY && memcmp(out.data, bytes, MANY) == 0);
    /* a program that does not read to the end */
    CHECK_EQ(run(&out, &arena, "head", "-c 3", (dpl_str){bytes, MANY}), DPL_OK);
    CHECK_EQ(out.n, 3);
    CHECK_EQ(run(&out, &arena, "true", "", (dpl_str){0}), DPL_OK);
    CHECK_EQ(out.n, 0);
    free(bytes);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(external_filter, a_program_that_is_missing_fails_or_writes_too_much_is_told_apart)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_str out;
    CHECK(dpl__filter_is_there("cat"));
    CHECK(!dpl__filter_is_there("no-such-program"));
    CHECK_EQ(run(&out, &arena, "no-such-program", "", DPL_STR("x")), DPL_E_UNSUPPORTED);
    CHECK_EQ(run(&out, &arena, "false", "", DPL_STR("x")), DPL_E_FORMAT);
    CHECK_EQ(run(&out, &arena, "yes", "", (dpl_str){0}), DPL_E_LIMIT);
    const dpl__filter slow = {"sh", "-c 'while :; do :; done'", 1, 100};
    CHECK_EQ(dpl__filter_run(&out, &arena, &slow, (dpl_str){0}, NULL), DPL_E_FORMAT);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}
