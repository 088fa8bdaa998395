#include "mine/stage.h"

#include "base/ctx.h"
#include "test.h"

DPL_TEST(stage, seconds_of_a_name_add_up_in_the_order_of_first_use)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__stage stage = {0};
    CHECK_OK(dpl__stage_open(&stage, ctx, NULL, &test_err));
    double began = dpl__now();
    dpl__stage_time(&stage, "search");
    dpl__stage_time(&stage, "training");
    dpl__stage_time(&stage, "search");
    while (dpl__now() < began + 0.002)
        ;
    dpl__stage_time(&stage, NULL);
    double all = dpl__now() - began, before = stage.times[0].seconds;
    CHECK_EQ(stage.n_times, 2);
    CHECK(strcmp(stage.times[0].name, "search") == 0);
    CHECK(strcmp(stage.times[1].name, "training") == 0);
    CHECK(stage.times[0].seconds > 0.001 && stage.times[0].core_seconds >= 0);
    CHECK(stage.times[0].seconds + stage.times[1].seconds <= all);
    dpl__stage_time(&stage, NULL); /* nothing counts while nothing is named */
    CHECK(stage.times[0].seconds == before);
    dpl__stage_close(&stage);
    test_ctx_done(ctx);
}

DPL_TEST(stage, more_names_than_there_is_room_for_are_not_counted)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                        "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"};
    dpl_ctx *ctx = test_ctx(1);
    dpl__stage stage = {0};
    CHECK_OK(dpl__stage_open(&stage, ctx, NULL, &test_err));
    for (size_t i = 0; i < DPL_LEN(names); i++)
        dpl__stage_time(&stage, names[i]);
    dpl__stage_time(&stage, NULL);
    CHECK_EQ(stage.n_times, DPL__STAGE_TIMES);
    dpl__stage_close(&stage);
    test_ctx_done(ctx);
}
