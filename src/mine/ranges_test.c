#include "mine/ranges.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
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

/* ---- against a naive search -----------------------------------------------------------------
 */

enum { MOST_UNITS = 30, MOST_BEADS = 2 * MOST_UNITS };

/* Random sentences on both sides, and beads over them. */
typedef struct made {
    dpl_collection *c[2];
    uint32_t n_words[2][MOST_UNITS], units[MOST_UNITS + 1], n;
    bool is_section[2][MOST_UNITS];
    dpl_bead beads[MOST_BEADS];
    size_t n_beads;
    dpl_aligned_docs docs;
} made;

static void make_text(made *m, dpl_ctx *ctx, dpl__rng *rng, int side, bool has_sections)
{
    static char json[MOST_UNITS * 400];
    size_t at = (size_t)sprintf(json, "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"");
    for (uint32_t i = 0; i < m->n; i++) {
        m->is_section[side][i] = i && has_sections && dpl__rng_below(rng, 6) == 0;
        m->n_words[side][i] = 1 + (uint32_t)dpl__rng_below(rng, 17);
        at += (size_t)sprintf(json + at, "%s", m->is_section[side][i] ? "\\u001d" : "");
        for (uint32_t k = 0; k < m->n_words[side][i]; k++)
            at += (size_t)sprintf(json + at, "%sx%u", k ? " " : "", k);
        at += (size_t)sprintf(json + at, "\\n");
    }
    at += (size_t)sprintf(json + at, "\"}\n");
    const dpl_input in = {.buffer = {json, at}};
    CHECK_OK(dpl_collection_from_inputs(&m->c[side], NULL, ctx, &in, 1, NULL, &test_err));
    CHECK_EQ(dpl_collection_n_sentences(m->c[side], 0), m->n);
}

static void make_up(made *m, dpl_ctx *ctx, dpl__rng *rng, bool has_sections)
{
    uint32_t at[2] = {0, 0};
    *m = (made){.n = 5 + (uint32_t)dpl__rng_below(rng, MOST_UNITS - 5)};
    for (int side = 0; side < 2; side++)
        make_text(m, ctx, rng, side, has_sections);
    for (uint32_t i = 0; i <= m->n; i++)
        m->units[i] = i;
    while (at[0] < m->n || at[1] < m->n) {
        const bool is_both = at[0] < m->n && at[1] < m->n && dpl__rng_below(rng, 5);
        dpl_bead *b = &m->beads[m->n_beads++];
        *b = (dpl_bead){.left = at[0], .right = at[1], .verdict = DPL_VERDICT_ALONE};
        if (is_both || at[1] == m->n || (at[0] < m->n && dpl__rng_below(rng, 2)))
            b->n_left = 1;
        if (is_both || !b->n_left)
            b->n_right = 1;
        if (is_both)
            b->verdict = dpl__rng_below(rng, 3) == 0   ? DPL_VERDICT_WORDS
                         : dpl__rng_below(rng, 5) == 0 ? DPL_VERDICT_IDENTICAL
                                                       : DPL_VERDICT_KEPT;
        at[0] += b->n_left;
        at[1] += b->n_right;
    }
    m->docs = (dpl_aligned_docs){.units = {m->units, m->units},
                                 .n_units = {m->n, m->n},
                                 .beads = m->beads,
                                 .n_beads = m->n_beads};
}

static double words_of(const made *m, size_t bead)
{
    const dpl_bead *b = &m->beads[bead];
    return (b->n_left ? m->n_words[0][b->left] : 0) +
           (b->n_right ? m->n_words[1][b->right] : 0);
}

static bool is_good_bead(const made *m, size_t bead)
{
    const dpl_verdict v = m->beads[bead].verdict;
    return v == DPL_VERDICT_KEPT || v == DPL_VERDICT_IDENTICAL;
}

/* What lies between kept beads counts half against a range. */
static double value_of(const made *m, size_t begin, size_t end)
{
    double sum = 0;
    for (size_t i = begin; i < end; i++)
        sum += is_good_bead(m, i) ? words_of(m, i) : -words_of(m, i) / 2;
    return sum;
}

typedef struct naive_range {
    size_t begin, end;
} naive_range;

/* The best range of a run, then the best ones before and behind it. */
static void find_naively(naive_range *out, size_t *n, const made *m, size_t begin, size_t end)
{
    naive_range best = {0, 0};
    double most = 0;
    for (size_t i = begin; i < end; i++)
        for (size_t k = i + 1; k <= end; k++) {
            const double value = value_of(m, i, k);
            if (value > most || (value >= most && most > 0 && k - i < best.end - best.begin)) {
                most = value;
                best = (naive_range){i, k};
            }
        }
    if (!(most > 0))
        return;
    find_naively(out, n, m, begin, best.begin);
    out[(*n)++] = best;
    find_naively(out, n, m, best.end, end);
}

static bool begins(const made *m, size_t bead)
{
    const dpl_bead *b = &m->beads[bead];
    return (b->n_left && m->is_section[0][b->left]) ||
           (b->n_right && m->is_section[1][b->right]);
}

/* Of all runs between sections: the best range, those of two kept beads, and those of runs that
 * match as a whole. */
static size_t choose_naively(naive_range *out, const made *m, bool *has_sections)
{
    naive_range all[MOST_BEADS];
    bool is_in_match[MOST_BEADS] = {false};
    size_t n_all = 0, best = 0, n = 0;
    *has_sections = false;
    for (size_t i = 0; i < m->n_beads; i++)
        *has_sections |= begins(m, i);
    for (size_t begin = 0, end; begin < m->n_beads; begin = end) {
        const size_t first = n_all;
        for (end = begin + 1; end < m->n_beads && !begins(m, end);)
            end++;
        find_naively(all, &n_all, m, begin, end);
        for (size_t i = first; i < n_all; i++)
            is_in_match[i] = *has_sections && value_of(m, begin, end) > 0;
    }
    for (size_t i = 1; i < n_all; i++)
        if (value_of(m, all[i].begin, all[i].end) > value_of(m, all[best].begin, all[best].end))
            best = i;
    for (size_t i = 0; i < n_all; i++) {
        size_t n_kept = 0;
        for (size_t k = all[i].begin; k < all[i].end; k++)
            n_kept += is_good_bead(m, k);
        if (i == best || n_kept >= 2 || is_in_match[i])
            out[n++] = all[i];
    }
    return n;
}

static void check_ranges(dpl__ranges *r, const made *m, const naive_range *want, size_t n)
{
    size_t words[2] = {0, 0}, parallel[2] = {0, 0};
    CHECK_EQ(r->ranges.n, n);
    for (size_t i = 0; i < n; i++) {
        const dpl_bead *first = &m->beads[want[i].begin], *last = &m->beads[want[i].end - 1];
        const dpl_mine_range *x = &r->ranges.data[i];
        CHECK(x->left == first->left && x->right == first->right);
        CHECK(x->left + x->n_left == last->left + last->n_left);
        CHECK(x->right + x->n_right == last->right + last->n_right);
        for (uint32_t k = 0; k < x->n_left; k++)
            parallel[0] += m->n_words[0][x->left + k];
        for (uint32_t k = 0; k < x->n_right; k++)
            parallel[1] += m->n_words[1][x->right + k];
    }
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < m->n; i++)
            words[side] += m->n_words[side][i];
        CHECK(r->n_words[side] == words[side] && r->n_parallel[side] == parallel[side]);
        CHECK(fabs(r->share[side] - (double)parallel[side] / (double)words[side]) < 1e-12);
    }
}

/* All beads are there; those that were kept and are in no range are outside. */
static void check_marked(const dpl__ranges *r, const made *m, const naive_range *want, size_t n)
{
    size_t n_outside = 0;
    CHECK_EQ(r->beads.n, m->n_beads);
    for (size_t i = 0; i < m->n_beads; i++) {
        bool is_in = false;
        for (size_t k = 0; k < n; k++)
            is_in |= i >= want[k].begin && i < want[k].end;
        const bool is_outside = !is_in && m->beads[i].verdict == DPL_VERDICT_KEPT;
        n_outside += is_outside;
        CHECK_EQ(r->beads.data[i].verdict,
                 is_outside ? DPL_VERDICT_OUTSIDE : m->beads[i].verdict);
    }
    CHECK_EQ(r->n_outside, n_outside);
}

DPL_TEST(ranges, are_those_of_a_naive_search)
{
    static made m;
    dpl__rng rng = {dpl__mix(141)};
    dpl_ctx *ctx = test_ctx(1);
    dpl__ranges r = {.n_outside = 0};
    size_t n_all = 0, n_sections = 0;
    for (int turn = 0; turn < 200; turn++) {
        naive_range want[MOST_BEADS];
        bool has_sections;
        make_up(&m, ctx, &rng, turn % 2);
        const dpl_collection *const c[2] = {m.c[0], m.c[1]};
        const size_t n = choose_naively(want, &m, &has_sections);
        CHECK_OK(dpl__ranges_find(&r, ctx, c, &m.docs, &test_err));
        check_ranges(&r, &m, want, n);
        size_t at = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t k = want[i].begin; k < want[i].end; k++)
                CHECK(!memcmp(&r.beads.data[at++], &m.beads[k], sizeof *m.beads));
        CHECK_EQ(r.beads.n, at);
        CHECK_OK(dpl__ranges_mark(&r, ctx, c, &m.docs, &test_err));
        check_ranges(&r, &m, want, n);
        check_marked(&r, &m, want, n);
        n_all += n;
        n_sections += has_sections;
        for (int side = 0; side < 2; side++)
            dpl_collection_close(m.c[side]);
    }
    CHECK(n_all > 300 && n_sections > 80);
    dpl__ranges_clear(&r, ctx);
    test_ctx_done(ctx);
}
