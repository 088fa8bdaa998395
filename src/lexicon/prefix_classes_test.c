#include "lexicon/prefix_classes.h"

#include "test.h"

#include <stdio.h>

/* Words separated by blanks, ended by one. */
typedef struct words {
    uint64_t offsets[20];
    char bytes[200];
    dpl__strings strings;
} words;

static void split(words *w, const char *text)
{
    *w = (words){.strings = {w->offsets, w->bytes, 0}};
    uint64_t n = 0;
    for (; *text; text++) {
        if (*text == ' ')
            w->offsets[++w->strings.n] = n;
        else
            w->bytes[n++] = *text;
    }
}

static dpl_status classify(uint32_t classes[2][20], uint32_t *n, dpl_ctx *ctx, const char *left,
                           const char *right, dpl_error *err)
{
    words w[2];
    split(&w[0], left);
    split(&w[1], right);
    uint32_t *to[2] = {classes[0], classes[1]};
    const dpl__strings strings[2] = {w[0].strings, w[1].strings};
    return dpl__prefix_classes(to, n, ctx, strings, DPL__CLASS_LETTERS, err);
}

DPL_TEST(classes, words_that_begin_alike_share_one)
{
    dpl_ctx *ctx = test_ctx(1);
    uint32_t c[2][20], n;
    CHECK_OK(classify(c, &n, ctx, "kommission kommissar komm kommen ",
                      "commission commissioner kommissar ", &test_err));
    CHECK_EQ(c[0][0], 0);
    CHECK_EQ(c[0][1], 0);
    CHECK_EQ(c[0][2], 1);
    CHECK_EQ(c[0][3], 2);
    CHECK_EQ(c[1][0], 3);
    CHECK_EQ(c[1][1], 3);
    CHECK_EQ(c[1][2], 0);
    CHECK_EQ(n, 4);
    test_ctx_done(ctx);
}

DPL_TEST(classes, letters_are_characters_not_bytes)
{
    dpl_ctx *ctx = test_ctx(1);
    uint32_t c[2][20], n;
    CHECK_OK(classify(c, &n, ctx, "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9Fxy ",
                      "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9Fxz \xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F ",
                      &test_err));
    CHECK_EQ(c[1][0], c[0][0]);
    CHECK(c[1][1] != c[0][0]);
    test_ctx_done(ctx);
}

static dpl_status classify_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    uint32_t c[2][20], n;
    return classify(c, &n, ctx, "a b ", "", err);
}

DPL_TEST(classes, survives_every_failing_allocation)
{
    test_allocation_failures(classify_some, NULL);
}
