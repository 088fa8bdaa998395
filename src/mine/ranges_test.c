#include "mine/ranges.h"

#include "test.h"

#include <stdio.h>

/* Documents of one word a sentence: a bead of n sentences has n words. A section begins where
 * `kept` has a letter. */
static dpl_collection *make(dpl_ctx *ctx, int n, const char *kept)
{
    char text[2000];
    size_t at = 0;
    dpl_collection *c = NULL;
    for (int i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%sword%d\n",
                               kept[i] == 'S' || kept[i] == 's' ? "\x1d" : "", i);
    char json[3000];
    size_t k = (size_t)snprintf(json, sizeof json, "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"");
    for (size_t i = 0; i < at; i++)
        k += (size_t)snprintf(json + k, sizeof json - k,
                              text[i] == '\n'     ? "\\n"
                              : text[i] == '\x1d' ? "\\u001d"
                                                  : "%c",
                              text[i]);
    k += (size_t)snprintf(json + k, sizeof json - k, "\"}\n");
    dpl_input in = {.buffer = {json, k}};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    return c;
}

enum { N = 24 };

/* 1-1 beads; those with '+' or 'S' in `kept` were kept, of the others none has a counterpart.
 */
static size_t make_beads(dpl_bead *beads, const char *kept)
{
    size_t n = 0;
    for (uint32_t i = 0; i < N; i++) {
        if (kept[i] == '+' || kept[i] == 'S') {
            beads[n++] = (dpl_bead){i, 1, i, 1, 1, DPL_VERDICT_KEPT};
            continue;
        }
        beads[n++] = (dpl_bead){i, 1, i, 0, 0, DPL_VERDICT_ALONE};
        beads[n++] = (dpl_bead){i + 1, 0, i, 1, 0, DPL_VERDICT_ALONE};
    }
    return n;
}

static void find(dpl__ranges *r, dpl_ctx *ctx, const char *kept, bool is_marked)
{
    dpl_collection *c = make(ctx, N, kept);
    const dpl_collection *both[2] = {c, c};
    uint32_t units[N + 1];
    dpl_bead beads[2 * N];
    for (uint32_t i = 0; i <= N; i++)
        units[i] = i;
    CHECK(dpl_collection_n_sentences(c, 0) == N);
    dpl_aligned_docs docs = {.units = {units, units},
                             .n_units = {N, N},
                             .beads = beads,
                             .n_beads = make_beads(beads, kept)};
    if (is_marked)
        CHECK_OK(dpl__ranges_mark(r, ctx, both, &docs, &test_err));
    else
        CHECK_OK(dpl__ranges_find(r, ctx, both, &docs, &test_err));
    dpl_collection_close(c);
}

DPL_TEST(ranges, a_translated_part_is_one_range)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__ranges r = {0};
    find(&r, ctx, "......++++.+++..........", false);
    CHECK(r.ranges.n == 1);
    CHECK(r.ranges.data[0].left == 6 && r.ranges.data[0].n_left == 8);
    CHECK(r.ranges.data[0].right == 6 && r.ranges.data[0].n_right == 8);
    CHECK(r.share[0] > 0.33 && r.share[0] < 0.34 && r.share[1] > 0.33 && r.share[1] < 0.34);
    dpl__ranges_clear(&r, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(ranges, parts_far_from_each_other_are_two_and_a_single_bead_is_none)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__ranges r = {0};
    find(&r, ctx, "++++.........+.......+++", true);
    CHECK(r.ranges.n == 2);
    CHECK(r.ranges.data[0].left == 0 && r.ranges.data[0].n_left == 4);
    CHECK(r.ranges.data[1].left == 21 && r.ranges.data[1].n_left == 3);
    CHECK(r.n_outside == 1);
    size_t n_kept = 0;
    for (size_t i = 0; i < r.beads.n; i++)
        n_kept += r.beads.data[i].verdict == DPL_VERDICT_KEPT;
    CHECK(n_kept == 7);
    dpl__ranges_clear(&r, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(ranges, do_not_run_over_the_beginning_of_a_section)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__ranges r = {0};
    find(&r, ctx, "++++S++.S+..........s.++", true);
    CHECK(r.ranges.n == 4);
    CHECK(r.ranges.data[0].left == 0 && r.ranges.data[0].n_left == 4);
    CHECK(r.ranges.data[1].left == 4 && r.ranges.data[1].n_left == 3);
    CHECK(r.ranges.data[2].left == 8 && r.ranges.data[2].n_left == 2);
    CHECK(r.ranges.data[3].left == 22 && r.ranges.data[3].n_left == 2);
    CHECK(r.n_words[0] == N && r.n_parallel[0] == 11 && r.n_outside == 0);
    /* One bead is enough for a section that matches, and not for one that does not. */
    find(&r, ctx, "++++S++.SS..........s.+.", true);
    CHECK(r.ranges.n == 3 && r.ranges.data[2].left == 8 && r.ranges.data[2].n_left == 1);
    CHECK(r.n_outside == 2);
    dpl__ranges_clear(&r, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(ranges, of_nothing_there_is_none_and_of_all_there_is_one)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__ranges r = {0};
    find(&r, ctx, "........................", false);
    CHECK(r.ranges.n == 0 && r.beads.n == 0 && r.share[0] <= 0);
    find(&r, ctx, "++++++++++++++++++++++++", false);
    CHECK(r.ranges.n == 1 && r.ranges.data[0].n_left == N && r.share[0] >= 1);
    find(&r, ctx, ".............+..........", false);
    CHECK(r.ranges.n == 1 && r.ranges.data[0].left == 13);
    dpl__ranges_clear(&r, ctx);
    test_ctx_done(ctx);
}
