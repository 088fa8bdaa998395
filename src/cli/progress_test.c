#include "cli/progress.h"
#include "test.h"

static const uint64_t GIB = (uint64_t)1 << 30;

static dpl_str line(const cli_meter *meter, const dpl_progress *progress, unsigned width)
{
    static char out[300];
    cli_meter_line(out, sizeof out, meter, progress, width);
    return dpl__cstr(out);
}

DPL_TEST(cli_progress, the_line_has_share_rate_and_time_left)
{
    cli_meter meter = {0};
    dpl_progress p = {"import", "bytes", 0, 4 * GIB};
    cli_meter_update(&meter, &p, 100);
    CHECK_STR(line(&meter, &p, 60),
              "import   0%  [>                        ]  0 bytes of 4.0 GiB");
    p.done = GIB;
    cli_meter_update(&meter, &p, 104);
    CHECK_STR(
        line(&meter, &p, 79),
        "import  25%  [=====>                ]  1.0 GiB of 4.0 GiB  256 MiB/s  0:12 left");
    CHECK_STR(line(&meter, &p, 40), "import  25%  1.0 GiB of 4.0 GiB  256 MiB");
}

DPL_TEST(cli_progress, without_a_total_there_is_the_time_so_far)
{
    cli_meter meter = {0};
    dpl_progress p = {"sort", "documents", 0, 0};
    cli_meter_update(&meter, &p, 5);
    p.done = 12000;
    cli_meter_update(&meter, &p, 9);
    CHECK_STR(line(&meter, &p, 80), "sort  12,000 documents  3,000/s  0:04");
}

DPL_TEST(cli_progress, a_new_stage_begins_anew)
{
    cli_meter meter = {0};
    dpl_progress p = {"read", "bytes", 50 * GIB, 100 * GIB}, q = {"sort", "bytes", 0, 10};
    cli_meter_update(&meter, &p, 1);
    cli_meter_update(&meter, &p, 2);
    cli_meter_update(&meter, &q, 3);
    CHECK(meter.began == 3 && meter.rate == 0);
    q = (dpl_progress){"sort", "documents", 1, 20}; /* the next part of the same stage */
    cli_meter_update(&meter, &q, 4);
    CHECK(meter.began == 4 && meter.rate == 0);
}

DPL_TEST(cli_progress, the_rate_follows_the_last_seconds)
{
    cli_meter meter = {0};
    dpl_progress p = {"import", "bytes", 0, 0};
    double now = 0;
    for (; now < 60; now += 0.1, p.done += 100)
        cli_meter_update(&meter, &p, now);
    CHECK(meter.rate > 990 && meter.rate < 1010);
    for (; now < 120; now += 0.1, p.done += 10)
        cli_meter_update(&meter, &p, now);
    CHECK(meter.rate > 99 && meter.rate < 101);
}

DPL_TEST(cli_progress, no_width_is_too_small_and_no_count_too_large)
{
    cli_meter meter = {0};
    dpl_progress p = {"a stage whose name is longer than anyone would like it", "bytes",
                      UINT64_MAX, 1};
    cli_meter_update(&meter, &p, 0);
    cli_meter_update(&meter, &p, 1e-9);
    for (unsigned width = 0; width < 250; width++)
        CHECK(line(&meter, &p, width).n <= width);
}
