#include "sentences/line_labels.h"

#include "test.h"

#include <stdio.h>

DPL_TEST(line_labels, a_number_before_a_line_is_one)
{
    static const struct {
        const char *line;
        uint64_t number; /* 0: none */
        uint32_t n_bytes;
    } lines[] = {
        {"12 In the morning", 12ULL << 32, 3},
        {"12. In the morning", 12ULL << 32, 4},
        {"[12]  In", 12ULL << 32, 6},
        {"(7) In", 7ULL << 32, 4},
        {"3:16 For", (3ULL << 32) + 16, 5},
        {"\xC2\xA7 4 Wer", 4ULL << 32, 5},
        {"\u0663 x", 3ULL << 32, 3},
        {"12", 12ULL << 32, 2},
        {"12th of May", 0, 0},
        {"In 12 days", 0, 0},
        {"12345678901 x", 0, 0},
        {"", 0, 0},
        {"12%", 0, 0},
    };
    for (size_t i = 0; i < DPL_LEN(lines); i++) {
        dpl__line_label l = dpl__line_label_of(dpl__cstr(lines[i].line));
        CHECK_EQ(l.number, lines[i].number);
        CHECK_EQ(l.n_bytes, lines[i].n_bytes);
    }
}

/* The labels of a document of these lines. */
static void find(dpl__line_labels *l, dpl_ctx *ctx, const char *name, const char *lines)
{
    char file[40], json[2000];
    snprintf(file, sizeof file, "%s.jsonl", name);
    int n = snprintf(json, sizeof json, "{\"id\": \"a\", \"lang\": \"en\", \"text\": \"%s\"}\n",
                     lines);
    const char *in = test_write(file, json, (size_t)n);
    snprintf(file, sizeof file, "%s.dpl", name);
    const char *out = test_path(file);
    dpl_collection *c = NULL;
    CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, NULL, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, out, &test_err));
    CHECK_OK(dpl__line_labels_find(l, ctx, c, 0, &test_err));
    dpl_collection_close(c);
}

#define LINES(a, b, c, d)                                                                      \
    a " red.\\n" b " green.\\n" c " blue.\\n" d                                                \
      " grey.\\n5 one.\\n6 two.\\n7 three.\\n8 four.\\n"

DPL_TEST(line_labels, rise_on_nearly_every_line)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__line_labels a = {0}, b = {0}, none = {0};
    find(&a, ctx, "a", LINES("1", "2", "3", "4"));
    CHECK_EQ(a.all.n, 8);
    CHECK_EQ(a.all.data[1].n_tokens, 1);
    find(&b, ctx, "b", LINES("1", "2", "3", "4"));
    CHECK(dpl__line_labels_agree(&a, &b));
    find(&b, ctx, "c", LINES("0", "2", "3", "4"));
    CHECK_EQ(b.all.n, 8);
    CHECK(!dpl__line_labels_agree(&a, &b));
    find(&b, ctx, "d", LINES("9", "8", "7", "6")); /* they fall */
    CHECK_EQ(b.all.n, 0);
    find(&b, ctx, "e", LINES("A", "B", "C", "D")); /* half of the lines */
    CHECK_EQ(b.all.n, 0);
    find(&b, ctx, "f", "1 one.\\n2 two.\\n"); /* few lines */
    CHECK_EQ(b.all.n, 0);
    CHECK(!dpl__line_labels_agree(&a, &none));
    dpl__line_labels_clear(&a, ctx);
    dpl__line_labels_clear(&b, ctx);
    test_ctx_done(ctx);
}

/* Of n lines the last ones begin with a word, and the first numbers fall. */
static bool are_labels(dpl_ctx *ctx, unsigned n, unsigned n_words, unsigned n_falling)
{
    char lines[1500];
    size_t at = 0;
    dpl__line_labels l = {0};
    for (unsigned i = 0; i < n; i++) {
        if (i < n - n_words)
            at += (size_t)snprintf(lines + at, sizeof lines - at, "%u",
                                   i <= n_falling ? 100 - i : 200 + i);
        at += (size_t)snprintf(lines + at, sizeof lines - at, " word here%s",
                               i + 1 < n ? ".\\n" : ".");
    }
    find(&l, ctx, "limits", lines);
    const bool are = l.all.n > 0;
    CHECK(!are || l.all.n == n);
    dpl__line_labels_clear(&l, ctx);
    return are;
}

/* Eight lines, nine tenths of them numbered, four fifths of the numbers above the one before.
 */
DPL_TEST(line_labels, are_those_within_limits)
{
    dpl_ctx *ctx = test_ctx(1);
    for (unsigned n = 6; n < 24; n++)
        for (unsigned n_words = 0; n_words < 4; n_words++)
            for (unsigned n_falling = 0; n_falling < 5; n_falling++) {
                const unsigned n_labels = n - n_words;
                const bool want = n >= 8 && 10 * n_labels >= 9 * n &&
                                  5 * (n_labels - 1 - n_falling) >= 4 * (n_labels - 1);
                if (n_labels > n_falling + 1)
                    CHECK_EQ(are_labels(ctx, n, n_words, n_falling), want);
            }
    test_ctx_done(ctx);
}
