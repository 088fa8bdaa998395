#include "doppel/reuse.h"

#include "base/hash.h"
#include "reuse/reuse_params.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Both texts have CORE words in common, with some words before and behind them that may be the
 * same ('=') or not ('.'): never three of the same, which would be a seed.
 */
enum { CORE = 60, SIDE = 90, ALL = SIDE + CORE + SIDE };

static void make_pattern(char *out, dpl__rng *rng)
{
    size_t n = 0;
    while (n < SIDE) {
        const uint64_t n_others = 1 + dpl__rng_below(rng, dpl__rng_below(rng, 10) ? 2 : 3);
        for (uint64_t i = n_others; i && n < SIDE; i--)
            out[n++] = '.';
        for (uint64_t i = 1 + dpl__rng_below(rng, 2); i && n < SIDE; i--)
            out[n++] = '=';
    }
}

/* The most words that end with two of the same, with no more than so many others in a row. */
static unsigned longest_extension(const char *pattern)
{
    unsigned longest = 0, n_others = 0;
    for (unsigned i = 0; i < (unsigned)DPL__P(reuse, extend_words); i++) {
        n_others = pattern[i] == '.' ? n_others + 1 : 0;
        if (n_others > (unsigned)DPL__P(reuse, extend_others))
            break;
        if (i && pattern[i] == '=' && pattern[i - 1] == '=')
            longest = i + 1;
    }
    return longest;
}

static size_t put_text(char *out, const char *head, const char *tail, bool is_source)
{
    size_t n = (size_t)sprintf(out, "{\"id\":\"x\",\"lang\":\"en\",\"text\":\"");
    for (unsigned i = 0; i < ALL; i++) {
        const char c = i < SIDE          ? head[SIDE - 1 - i]
                       : i < SIDE + CORE ? '='
                                         : tail[i - SIDE - CORE];
        n += (size_t)sprintf(out + n, "w%u ", c == '=' ? i : (is_source ? 2000 : 1000) + i);
    }
    return n + (size_t)sprintf(out + n, "\"}\n");
}

DPL_TEST(reuse, passages_go_on_to_the_last_two_words_of_both_sides)
{
    dpl__rng rng = {23};
    for (int round = 0; round < 200; round++) {
        char head[SIDE], tail[SIDE], text[2][4000];
        dpl_ctx *ctx = test_ctx(1);
        dpl_reuse_result *r = NULL;
        make_pattern(head, &rng);
        make_pattern(tail, &rng);
        dpl_input in[2];
        for (int k = 0; k < 2; k++)
            in[k] = (dpl_input){.buffer = {text[k], put_text(text[k], head, tail, k)},
                                .name = "x.jsonl"};
        CHECK_OK(dpl_reuse(&r, ctx, &in[0], 1, &in[1], 1, NULL, &test_err));
        const unsigned before = longest_extension(head), behind = longest_extension(tail);
        CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, 1);
        const dpl_passage *p = dpl_reuse_get_passage(r, 0);
        CHECK_EQ(p->query.first_token, SIDE - before);
        CHECK_EQ(p->query.n_tokens, before + CORE + behind);
        CHECK_EQ(p->source.first_token, p->query.first_token);
        CHECK_EQ(p->source.n_tokens, p->query.n_tokens);
        dpl_reuse_result_free(r);
        test_ctx_done(ctx);
    }
}
