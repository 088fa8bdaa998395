#include "readers/flow.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdlib.h>

enum { MOST = 400 };

/* ---- byte by byte -------------------------------------------------------------------------
 */

typedef struct naive {
    char out[2 * MOST];
    size_t n;
    bool owes_blank, owes_break;
} naive;

static void naive_text(naive *f, dpl_str s, bool has_lines)
{
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.data[i];
        if (!c)
            continue;
        if (strchr(" \t\n\r\f", c)) {
            f->owes_blank = true;
            f->owes_break |= c == '\n' && has_lines;
            continue;
        }
        if (f->n && (f->owes_blank || f->owes_break))
            f->out[f->n++] = f->owes_break ? '\n' : ' ';
        f->owes_blank = f->owes_break = false;
        f->out[f->n++] = c;
    }
}

/* Words of all lengths about eight bytes, which are copied at once, and all kinds of blanks. */
static size_t random_bytes(char *out, dpl__rng *rng)
{
    static const char some[] = "ab\xC3\xA4\x80\xFF!\x01\x1F\x7F \t\n\r\f\v\0";
    size_t n = 0;
    while (n < MOST && dpl__rng_below(rng, 12))
        for (size_t k = dpl__rng_below(rng, 20); k > 0 && n < MOST; k--)
            out[n++] = dpl__rng_below(rng, 5) ? (char)('!' + dpl__rng_below(rng, 0xDF))
                                              : some[dpl__rng_below(rng, sizeof some)];
    return n;
}

DPL_TEST(flow, one_blank_or_break_stands_for_all_between_two_words)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        dpl__rng rng = {seed << 20};
        char bytes[MOST];
        const size_t n = random_bytes(bytes, &rng);
        naive expected = {.n = 0};
        dpl__flow flow = {.ctx = ctx};
        dpl_str out;
        for (size_t at = 0, size; at < n; at += size) {
            size = dpl__min(1 + dpl__rng_below(&rng, 60), n - at);
            char *piece = malloc(size); /* nothing behind it is read */
            CHECK(piece);
            memcpy(piece, bytes + at, size);
            const bool has_lines = dpl__rng_below(&rng, 2);
            if (dpl__rng_below(&rng, 4) == 0) {
                dpl__flow_break(&flow);
                expected.owes_break = true;
            }
            if (has_lines)
                dpl__flow_lines(&flow, (dpl_str){piece, size});
            else
                dpl__flow_text(&flow, (dpl_str){piece, size});
            naive_text(&expected, (dpl_str){piece, size}, has_lines);
            free(piece);
        }
        CHECK_OK(dpl__flow_finish(&flow, &arena, &out, &test_err));
        if (!dpl__str_eq(out, (dpl_str){expected.out, expected.n}))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu: '%.*s', expected '%.*s'",
                           (unsigned long long)seed, (int)out.n, out.data, (int)expected.n,
                           expected.out);
        CHECK(!flow.out.data && !flow.owed); /* ready for the next one */
        dpl__arena_reset(&arena);
    }
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

static dpl_status flow_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    dpl__flow flow = {.ctx = ctx};
    dpl__arena arena;
    dpl_str out;
    dpl__arena_init(&arena, ctx);
    dpl__flow_text(&flow, DPL_STR("one two"));
    for (int i = 0; i < 40; i++)
        dpl__flow_text(&flow, DPL_STR(" and some more words"));
    const dpl_status status = dpl__flow_finish(&flow, &arena, &out, err);
    CHECK(status != DPL_OK || out.n == 7 + 40 * 20);
    dpl__arena_clear(&arena);
    return status;
}

DPL_TEST(flow, every_allocation_may_fail)
{
    test_allocation_failures(flow_some, NULL);
}
