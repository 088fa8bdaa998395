#include "report/report.h"

#include "base/hash.h"
#include "test.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_TEXT = 400, MOST_LINKS = 12 };

/* A bead as it stands in the page: text of both sides, and the group of each byte. */
typedef struct shown {
    int column;     /* -1: outside of cells */
    unsigned group; /* of the mark that is open */
    char text[3][MOST_TEXT];
    unsigned groups[3][MOST_TEXT];
    size_t n[3], n_marks[2];
} shown;

static const char *attribute(const char **list, const char *name)
{
    for (; list && *list; list += 2)
        if (strcmp(list[0], name) == 0)
            return list[1];
    return "";
}

static void XMLCALL on_begin(void *user, const char *name, const char **attributes)
{
    shown *s = user;
    s->column = strcmp(name, "tr") == 0 ? -1 : s->column + (strcmp(name, "td") == 0);
    if (strcmp(name, "mark") == 0) {
        CHECK_EQ(s->group, 0); /* marks do not nest */
        s->group = (unsigned)atoi(attribute(attributes, "data-k"));
        s->n_marks[s->column]++;
        CHECK(s->group > 0);
    }
}

static void XMLCALL on_end(void *user, const char *name)
{
    shown *s = user;
    if (strcmp(name, "mark") == 0)
        s->group = 0;
    if (strcmp(name, "tr") == 0)
        s->column = -1;
}

static void XMLCALL on_text(void *user, const char *text, int n)
{
    shown *s = user;
    for (int i = 0; s->column >= 0 && i < n; i++) {
        size_t at = s->n[s->column]++;
        CHECK(at < MOST_TEXT);
        s->text[s->column][at] = text[i];
        s->groups[s->column][at] = s->group;
    }
}

/* The page of one bead, as a document of its own, and what it shows. */
static void show(shown *out, const dpl__report_bead *bead)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("bead");
    dpl__report_doc_pair pair = {.beads = bead, .n_beads = 1};
    dpl__report_samples samples = {.name = "best", .pairs = &pair, .n_pairs = 1};
    dpl__report report = {.lang = {"en", "de"}, .samples = &samples, .n_samples = 1};
    dpl_output *o = NULL;
    CHECK_OK(dpl_output_new(&o, ctx, path, &test_err));
    dpl_output_write(o, "<div>", 5);
    CHECK_OK(dpl__report_pairs(o, ctx, &report, &test_err));
    dpl_output_write(o, "</div>", 6);
    CHECK_OK(dpl_output_finish(o, &test_err));
    dpl_output_free(o);
    size_t n;
    char *page = test_read(path, &n);
    *out = (shown){.column = -1};
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, out);
    XML_SetElementHandler(parser, on_begin, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    CHECK(XML_Parse(parser, page, (int)n, 1) == XML_STATUS_OK);
    XML_ParserFree(parser);
    free(page);
    test_ctx_done(ctx);
}

/* Groups of the bytes of a side as digits, '.' for none. */
static void check_groups(const shown *s, int side, const char *expected)
{
    char out[MOST_TEXT];
    for (size_t i = 0; i < s->n[side]; i++)
        out[i] = (char)(s->groups[side][i] ? '0' + s->groups[side][i] : '.');
    CHECK_STR(((dpl_str){out, s->n[side]}), expected);
}

static dpl__report_link link_of(uint32_t b0, uint32_t e0, uint32_t b1, uint32_t e1)
{
    return (dpl__report_link){{b0, b1}, {e0, e1}, 0.5f};
}

static dpl__report_bead bead_of(const char *left, const char *right,
                                const dpl__report_link *links, size_t n)
{
    return (dpl__report_bead){
        .text = {dpl__cstr(left), dpl__cstr(right)}, .links = links, .n_links = n};
}

DPL_TEST(report_pairs, mark_words_that_stand_for_each_other)
{
    dpl__report_link links[] = {link_of(4, 9, 3, 6), link_of(0, 3, 0, 2)};
    dpl__report_bead bead = bead_of("the house!", "la casa", links, 2);
    shown s;
    show(&s, &bead);
    check_groups(&s, 0, "111.22222.");
    check_groups(&s, 1, "11.222.");
    CHECK_STR(((dpl_str){s.text[0], s.n[0]}), "the house!");
}

DPL_TEST(report_pairs, join_links_that_share_words)
{
    /* "house" stands for "la" and "casa"; ranges that touch stay apart */
    dpl__report_link links[] = {link_of(0, 5, 0, 2), link_of(0, 5, 3, 7), link_of(5, 6, 7, 8)};
    dpl__report_bead bead = bead_of("house!", "la casa!", links, 3);
    shown s;
    show(&s, &bead);
    check_groups(&s, 0, "111112");
    check_groups(&s, 1, "11.11112");
    CHECK_EQ(s.n_marks[0], 2);
    CHECK_EQ(s.n_marks[1], 3);
    /* a chain over both sides: one group */
    dpl__report_link chain[] = {link_of(0, 2, 0, 2), link_of(1, 3, 5, 6), link_of(5, 6, 5, 6),
                                link_of(4, 5, 3, 4)};
    bead = bead_of("abcdef", "uvwxyz", chain, 4);
    show(&s, &bead);
    check_groups(&s, 0, "111.21");
    check_groups(&s, 1, "11.2.1");
}

DPL_TEST(report_pairs, cut_ranges_to_the_text_and_to_whole_characters)
{
    dpl__report_link links[] = {
        link_of(6, 400, 3, UINT32_MAX), /* goes on behind the end */
        link_of(9, 12, 0, 1),           /* begins there */
        link_of(3, 2, 0, 1),            /* turned round */
        link_of(1, 1, 0, 1),            /* empty */
        link_of(2, 3, 1, 2),            /* inside of characters */
    };
    dpl__report_bead bead = bead_of("a\xC3\xA4\xE2\x82\xAC!",
                                    "\xF0\x9F\x98\x80"
                                    "xyz",
                                    links, DPL_LEN(links));
    shown s;
    show(&s, &bead);
    check_groups(&s, 0, ".11...1"); /* 3 is inside of the first character on the right */
    check_groups(&s, 1, "1111111");
}

DPL_TEST(report_pairs, show_dropped_beads_with_their_reason)
{
    dpl__report_bead bead = bead_of("alone", "", NULL, 0);
    bead.reason = "no <counterpart>";
    shown s;
    show(&s, &bead);
    CHECK_STR(((dpl_str){s.text[0], s.n[0]}), "alone");
    CHECK_STR(((dpl_str){s.text[1], s.n[1]}), "\xE2\x80\x93");
    CHECK_STR(((dpl_str){s.text[2], s.n[2]}), "no <counterpart>");
}

/* ---- against the simplest way ------------------------------------------------------- */

typedef struct naive {
    dpl__report_link links[MOST_LINKS];
    unsigned group[MOST_LINKS];
    size_t n;
} naive;

/* Ranges in whole characters; false when a side has none. */
static bool naive_range(dpl__report_link *link, const dpl__report_bead *bead)
{
    for (int side = 0; side < 2; side++) {
        dpl_str t = bead->text[side];
        uint32_t *begin = &link->begin[side], *end = &link->end[side];
        *end = *end > t.n ? (uint32_t)t.n : *end;
        if (*begin >= *end)
            return false;
        for (; ((unsigned char)t.data[*begin] & 0xC0) == 0x80; --*begin)
            continue;
        for (; *end < t.n && ((unsigned char)t.data[*end] & 0xC0) == 0x80; ++*end)
            continue;
    }
    return true;
}

static bool overlap(const dpl__report_link *a, const dpl__report_link *b)
{
    return (a->begin[0] < b->end[0] && b->begin[0] < a->end[0]) ||
           (a->begin[1] < b->end[1] && b->begin[1] < a->end[1]);
}

static void naive_groups(naive *out, const dpl__report_bead *bead)
{
    out->n = 0;
    for (size_t i = 0; i < bead->n_links; i++) {
        out->links[out->n] = bead->links[i];
        out->group[out->n] = (unsigned)i + 1;
        out->n += naive_range(&out->links[out->n], bead);
    }
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (size_t i = 0; i < out->n; i++)
            for (size_t j = 0; j < out->n; j++)
                if (overlap(&out->links[i], &out->links[j]) && out->group[i] < out->group[j]) {
                    out->group[j] = out->group[i];
                    is_changed = true;
                }
    }
}

/* The same text, the same bytes marked, the same groups under whatever number. */
static bool is_as_naive(const shown *s, const dpl__report_bead *bead)
{
    naive n;
    naive_groups(&n, bead);
    bool is_same = true;
    unsigned names[MOST_LINKS + 1] = {0}; /* of our groups in the page */
    for (int side = 0; side < 2; side++) {
        is_same &= dpl__str_eq((dpl_str){s->text[side], s->n[side]}, bead->text[side]);
        for (size_t at = 0; at < s->n[side]; at++) {
            unsigned group = 0;
            for (size_t i = 0; i < n.n; i++)
                if (at >= n.links[i].begin[side] && at < n.links[i].end[side])
                    group = n.group[i];
            if (group && !names[group])
                names[group] = s->groups[side][at];
            is_same &= s->groups[side][at] == names[group];
        }
    }
    for (size_t i = 1; i <= MOST_LINKS; i++)
        for (size_t j = 1; j < i; j++)
            is_same &= names[i] == 0 || names[i] != names[j];
    return is_same;
}

static size_t random_text(char *out, dpl__rng *rng)
{
    static const char *const letters[] = {
        "a", "<", "&", " ", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    size_t n = 0;
    for (uint64_t left = 1 + dpl__rng_below(rng, 40); left > 0; left--)
        n += (size_t)sprintf(out + n, "%s", letters[dpl__rng_below(rng, DPL_LEN(letters))]);
    return n;
}

DPL_TEST(report_pairs, group_links_as_the_simplest_way_does)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        dpl__rng rng = {seed << 20};
        char texts[2][MOST_TEXT];
        dpl__report_link links[MOST_LINKS];
        dpl__report_bead bead = {.links = links, .n_links = dpl__rng_below(&rng, MOST_LINKS)};
        for (int side = 0; side < 2; side++)
            bead.text[side] = (dpl_str){texts[side], random_text(texts[side], &rng)};
        for (size_t i = 0; i < bead.n_links; i++) {
            uint32_t x[4];
            for (int j = 0; j < 4; j++)
                x[j] = (uint32_t)dpl__rng_below(&rng, bead.text[j / 2].n + 3);
            links[i] = link_of(x[0], x[0] + (x[1] & 7), x[2], x[2] + (x[3] & 7));
        }
        shown s;
        show(&s, &bead);
        if (!is_as_naive(&s, &bead))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu", (unsigned long long)seed);
    }
}
