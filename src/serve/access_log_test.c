#include "serve/access_log.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static const dpl__access plain = {.client = "::1",
                                  .method = {"GET", 3},
                                  .target = {"/", 1},
                                  .version = {"HTTP/1.1", 8},
                                  .status = 404,
                                  .n_bytes = UINT64_MAX,
                                  .seconds = 0.0000125};

static void check_line(dpl_ctx *ctx, dpl_log_format format, const dpl__access *access,
                       time_t now, const char *expected)
{
    dpl__bytes line = {0};
    CHECK(dpl__access_line(ctx, &line, format, access, now));
    CHECK_STR(((dpl_str){line.data, line.n}), expected);
    CHECK(dpl__access_line(ctx, &line, format, access, now)); /* in place of the old one */
    CHECK_STR(((dpl_str){line.data, line.n}), expected);
    dpl__vec_clear(ctx, &line);
}

/* Days of each month of 2023, and a leap day. */
DPL_TEST(access_log, times_are_those_of_greenwich)
{
    static const struct {
        time_t time;
        const char *common, *json;
    } cases[] = {{0, "01/Jan/1970:00:00:00", "1970-01-01T00:00:00Z"},
                 {1675209599, "31/Jan/2023:23:59:59", "2023-01-31T23:59:59Z"},
                 {1675209600, "01/Feb/2023:00:00:00", "2023-02-01T00:00:00Z"},
                 {1679961906, "28/Mar/2023:00:05:06", "2023-03-28T00:05:06Z"},
                 {1680652800, "05/Apr/2023:00:00:00", "2023-04-05T00:00:00Z"},
                 {1684108800, "15/May/2023:00:00:00", "2023-05-15T00:00:00Z"},
                 {1686787200, "15/Jun/2023:00:00:00", "2023-06-15T00:00:00Z"},
                 {1689379200, "15/Jul/2023:00:00:00", "2023-07-15T00:00:00Z"},
                 {1692057600, "15/Aug/2023:00:00:00", "2023-08-15T00:00:00Z"},
                 {1694736000, "15/Sep/2023:00:00:00", "2023-09-15T00:00:00Z"},
                 {1697328000, "15/Oct/2023:00:00:00", "2023-10-15T00:00:00Z"},
                 {1700006400, "15/Nov/2023:00:00:00", "2023-11-15T00:00:00Z"},
                 {1702598400, "15/Dec/2023:00:00:00", "2023-12-15T00:00:00Z"},
                 {1709164800, "29/Feb/2024:00:00:00", "2024-02-29T00:00:00Z"}};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char expected[300];
        snprintf(expected, sizeof expected,
                 "::1 - - [%s +0000] \"GET / HTTP/1.1\" 404 18446744073709551615",
                 cases[i].common);
        check_line(ctx, DPL_LOG_COMMON, &plain, cases[i].time, expected);
        snprintf(expected, sizeof expected,
                 "{\"time\":\"%s\",\"client\":\"::1\",\"method\":\"GET\",\"path\":\"/\","
                 "\"status\":404,\"bytes\":18446744073709551615,\"micros\":12,"
                 "\"complete\":false}",
                 cases[i].json);
        check_line(ctx, DPL_LOG_JSON, &plain, cases[i].time, expected);
    }
    test_ctx_done(ctx);
}

DPL_TEST(access_log, what_is_not_known_is_a_dash_and_no_time_is_none)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__access a = plain;
    a.client = "";
    a.method = a.target = a.version = (dpl_str){0};
    a.status = 0;
    a.n_bytes = 0;
    a.seconds = -1;
    check_line(ctx, DPL_LOG_COMMON, &a, 0, "- - - [01/Jan/1970:00:00:00 +0000] \"  \" 0 0");
    check_line(
        ctx, DPL_LOG_JSON, &a, 0,
        "{\"time\":\"1970-01-01T00:00:00Z\",\"client\":\"\",\"method\":\"\",\"path\":\"\","
        "\"status\":0,\"bytes\":0,\"micros\":0,\"complete\":false}");
    CHECK_STR(dpl__cstr(dpl__log_format_name(DPL_LOG_COMMON)), "common");
    CHECK_STR(dpl__cstr(dpl__log_format_name(DPL_LOG_JSON)), "json");
    CHECK(!dpl__log_format_name(2));
    test_ctx_done(ctx);
}

DPL_TEST(access_log, long_targets_are_cut)
{
    enum { MOST = 2000 };
    dpl_ctx *ctx = test_ctx(1);
    char *target = malloc(MOST + 2);
    memset(target, 'x', MOST + 2);
    for (int format = 0; format < 2; format++)
        for (size_t n = MOST - 1; n <= MOST + 2; n++) {
            dpl__bytes line = {0};
            dpl__access a = plain;
            size_t n_x = 0;
            a.target = (dpl_str){target, n};
            CHECK(dpl__access_line(ctx, &line, (dpl_log_format)format, &a, 0));
            for (size_t i = 0; i < line.n; i++)
                n_x += line.data[i] == 'x';
            CHECK_EQ(n_x, n < MOST ? n : MOST);
            dpl__vec_clear(ctx, &line);
        }
    free(target);
    test_ctx_done(ctx);
}

static dpl_status make_line(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__bytes line = {0};
    const bool is_done = dpl__access_line(ctx, &line, *(const dpl_log_format *)user, &plain, 0);
    dpl__vec_clear(ctx, &line);
    return dpl__need(is_done, err);
}

DPL_TEST(access_log, no_memory_is_said)
{
    dpl_log_format formats[] = {DPL_LOG_COMMON, DPL_LOG_JSON};
    for (size_t i = 0; i < DPL_LEN(formats); i++)
        test_allocation_failures(make_line, &formats[i]);
}
