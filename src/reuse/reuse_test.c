#include "doppel/reuse.h"

#include "base/hash.h"
#include "reuse/match_groups.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- groups --------------------------------------------------------------------------- */

typedef struct tally {
    size_t n_groups, sizes[8];
} tally;

static dpl_status count_group(void *user, dpl__match *m, size_t n, dpl_error *err)
{
    (void)m, (void)err;
    tally *t = user;
    t->sizes[t->n_groups++] = n;
    return DPL_OK;
}

DPL_TEST(reuse, matches_are_divided_at_gaps_of_either_side)
{
    dpl__match m[] = {{1, 50, 1}, {2, 51, 1}, {3, 90, 1}, {4, 91, 1}, {40, 52, 1}, {5, 92, 1}};
    tally t = {0};
    CHECK_OK(dpl__group_matches(m, DPL_LEN(m), 5, count_group, &t, &test_err));
    CHECK_EQ(t.n_groups, 3);
    CHECK_EQ(t.sizes[0] + t.sizes[1] + t.sizes[2], DPL_LEN(m));
}

DPL_TEST(reuse, the_share_in_order_is_that_of_the_longest_chain)
{
    uint32_t scratch[8];
    dpl__match rising[] = {{1, 5, 1}, {2, 6, 1}, {3, 7, 1}},
               turned[] = {{1, 7, 1}, {2, 6, 1}, {3, 5, 1}},
               swapped[] = {{1, 7, 1}, {2, 8, 1}, {3, 5, 1}, {4, 6, 1}};
    CHECK(dpl__matches_in_order(rising, 3, scratch) == 1);
    CHECK(dpl__matches_in_order(turned, 3, scratch) * 3 == 1);
    CHECK(dpl__matches_in_order(swapped, 4, scratch) == 0.5);
    CHECK(dpl__matches_in_order(rising, 0, scratch) == 0);
}

/* ---- passages -------------------------------------------------------------------------- */

enum { N_WORDS = 200 };

static size_t put_doc(char *out, const char *id, const unsigned *words, size_t n)
{
    size_t at = (size_t)sprintf(out, "{\"id\":\"%s\",\"lang\":\"en\",\"text\":\"", id);
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(out + at, "%sw%u", i ? " " : "", words[i]);
    return at + (size_t)sprintf(out + at, "\"}\n");
}

/* Two documents of random words; the query has 60 of the second one in its middle, `change`d:
 * 1 exchanges every seventh word, 2 swaps both halves. */
static dpl_reuse_result *search(dpl_ctx *ctx, int change)
{
    unsigned source[2][N_WORDS], query[N_WORDS];
    char *text = malloc(3 * N_WORDS * 8 + 300);
    dpl__rng rng = {7};
    CHECK(text != NULL);
    for (size_t i = 0; i < N_WORDS; i++) {
        source[0][i] = (unsigned)dpl__rng_below(&rng, 100000);
        source[1][i] = (unsigned)dpl__rng_below(&rng, 100000);
        query[i] = (unsigned)dpl__rng_below(&rng, 100000);
    }
    for (size_t i = 0; i < 60; i++) {
        const size_t from = change == 2 ? (i + 30) % 60 : i;
        query[70 + i] =
            change == 1 && i % 7 == 3 && i < 57 ? query[70 + i] : source[1][100 + from];
    }
    size_t n = put_doc(text, "a", source[0], N_WORDS);
    n += put_doc(text + n, "b", source[1], N_WORDS);
    const size_t m = put_doc(text + n, "q", query, N_WORDS);
    const dpl_input c = {.buffer = {text, n}, .name = "c.jsonl"},
                    q = {.buffer = {text + n, m}, .name = "q.jsonl"};
    dpl_reuse_result *r = NULL;
    CHECK_OK(dpl_reuse(&r, ctx, &q, 1, &c, 1, NULL, &test_err));
    free(text);
    return r;
}

DPL_TEST(reuse, planted_passages_are_found_at_their_places_and_told_apart)
{
    static const dpl_passage_kind kinds[] = {DPL_PASSAGE_VERBATIM, DPL_PASSAGE_EDITED,
                                             DPL_PASSAGE_REORDERED};
    for (int change = 0; change < 3; change++) {
        dpl_ctx *ctx = test_ctx(1 + (unsigned)change);
        dpl_reuse_result *r = search(ctx, change);
        CHECK_EQ(dpl_reuse_n_passages(r), 1);
        const dpl_passage *p = dpl_reuse_get_passage(r, 0);
        CHECK_EQ(p->kind, kinds[change]);
        CHECK_STR(dpl_reuse_doc(r, p->source.doc, true).id, "b");
        CHECK_EQ(p->query.first_token, 70);
        CHECK_EQ(p->query.n_tokens, 60);
        CHECK_EQ(p->source.first_token, 100);
        CHECK_EQ(p->source.n_tokens, 60);
        const dpl_str text = dpl_reuse_text(r, p, true);
        CHECK(text.data[0] == 'w' && text.data[-1] == ' ' && text.data[text.n] == ' ');
        CHECK_EQ(dpl_reuse_get_summary(r)->n_reused_words, 60);
        dpl_reuse_result_free(r);
        test_ctx_done(ctx);
    }
}

static void keep_last(void *user, const char *data, size_t n)
{
    size_t *n_open = user;
    for (size_t i = 0; i < n; i++) {
        *n_open += data[i] == '<';
        *n_open -= data[i] == '>';
    }
}

DPL_TEST(reuse, the_page_escapes_texts)
{
    static const char text[] =
        "{\"id\":\"<i>\",\"lang\":\"en\",\"text\":\"a<b c>d e&f \\\"g\\\" one two three four "
        "five six seven eight nine ten eleven twelve thirteen fourteen\"}\n";
    dpl_ctx *ctx = test_ctx(1);
    const dpl_input in = {.buffer = {text, sizeof text - 1}, .name = "c.jsonl"};
    dpl_reuse_result *r = NULL;
    size_t n_open = 0;
    CHECK_OK(dpl_reuse(&r, ctx, &in, 1, &in, 1, NULL, &test_err));
    CHECK_EQ(dpl_reuse_n_passages(r), 1);
    dpl_reuse_html(r, keep_last, &n_open);
    CHECK_EQ(n_open, 0);
    dpl_reuse_result_free(r);
    test_ctx_done(ctx);
}

/* ---- failing memory ----------------------------------------------------------------- */

static dpl_status search_little(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    static const char text[] =
        "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"one two three four five six seven eight nine "
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen\"}\n";
    const dpl_input in = {.buffer = {text, sizeof text - 1}, .name = "c.jsonl"};
    dpl_reuse_result *r = NULL;
    dpl_status status = dpl_reuse(&r, ctx, &in, 1, &in, 1, NULL, err);
    dpl_reuse_result_free(r);
    return status;
}

DPL_TEST(reuse, failed_allocations_are_reported)
{
    test_allocation_failures(search_little, NULL);
}
