#include "base/sized.h"

#include "test.h"

typedef struct old_options {
    size_t size;
    int a;
    int b;
} old_options;

typedef struct new_options {
    size_t size;
    int a;
    int b;
    double c;
} new_options;

DPL_TEST(sized, null_means_all_defaults)
{
    new_options o;
    CHECK_OK(DPL__TAKE(&o, (const new_options *)NULL, &test_err));
    CHECK(o.size == sizeof o && o.a == 0 && o.c == 0);
}

DPL_TEST(sized, an_older_caller_gets_defaults_for_what_it_does_not_know)
{
    old_options old = DPL_INIT(old_options, .a = 3, .b = 4);
    new_options o;
    CHECK_OK(DPL__TAKE(&o, &old, &test_err));
    CHECK(o.size == sizeof o && o.a == 3 && o.b == 4 && o.c == 0);
}

DPL_TEST(sized, a_newer_caller_is_welcome_unless_it_sets_what_is_unknown)
{
    new_options newer = DPL_INIT(new_options, .a = 3);
    old_options o;
    CHECK_OK(DPL__TAKE(&o, &newer, &test_err));
    CHECK_EQ(o.a, 3);
    newer.c = 1;
    CHECK_EQ(DPL__TAKE(&o, &newer, &test_err), DPL_E_UNSUPPORTED);
}

DPL_TEST(sized, without_a_size_options_are_refused)
{
    new_options none = {.a = 3}, o;
    CHECK_EQ(DPL__TAKE(&o, &none, &test_err), DPL_E_USAGE);
    CHECK_EQ(DPL__CHECK_OUT(&none, &test_err), DPL_E_USAGE);
    CHECK_OK(DPL__CHECK_OUT(NULL, &test_err));
    dpl_ctx *ctx;
    dpl_ctx_options c = {.n_threads = 1};
    CHECK_EQ(dpl_ctx_new(&ctx, &c, &test_err), DPL_E_USAGE);
}

DPL_TEST(sized, a_summary_is_filled_as_far_as_the_caller_has_room)
{
    struct {
        old_options known;
        int behind;
    } caller = {.known = DPL_INIT(old_options), .behind = 7};
    new_options full = DPL_INIT(new_options, .a = 1, .b = 2, .c = 3);
    DPL__GIVE(&caller.known, &full);
    CHECK(caller.known.size == sizeof(old_options) && caller.known.a == 1 &&
          caller.known.b == 2 && caller.behind == 7);
    new_options large = DPL_INIT(new_options, .c = 5);
    DPL__GIVE(&large, &caller.known);
    CHECK(large.size == sizeof large && large.a == 1 && large.c == 5);
    dpl__give(NULL, &full, sizeof full);
}
