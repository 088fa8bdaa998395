#include "tokens/terms.h"

#include "test.h"

#include <stdio.h>

enum { NEAR = sizeof((dpl__term *)0)->at.near };

/* A term of its own for every number: of 1 to 60 bytes, those of a length differ at the end. */
static dpl_str nth_term(char out[64], uint32_t i)
{
    const size_t n = 1 + i % 60;
    memset(out, 'x', n);
    char digits[12];
    const size_t n_digits = (size_t)snprintf(digits, sizeof digits, "%u", i / 60);
    if (n_digits < n)
        memcpy(out + n - n_digits, digits, n_digits);
    else
        out[0] = (char)('a' + i / 60 % 26);
    return (dpl_str){out, n};
}

/* Numbers as a list that is looked through gives them. */
typedef struct listed {
    char text[64];
    size_t n;
} listed;

static uint32_t listed_number(listed *all, uint32_t *n_all, dpl_str term)
{
    for (uint32_t i = 0; i < *n_all; i++)
        if (dpl__str_eq((dpl_str){all[i].text, all[i].n}, term))
            return i;
    memcpy(all[*n_all].text, term.data, term.n);
    all[*n_all].n = term.n;
    return (*n_all)++;
}

DPL_TEST(terms, are_numbered_in_the_order_in_which_they_come)
{
    enum { N = 1500 };
    static listed all[N];
    dpl_ctx *ctx = test_ctx(1);
    dpl__terms terms;
    dpl__terms_init(&terms, ctx);
    CHECK(!dpl__terms_has(&terms, DPL_STR("x")));
    CHECK_EQ(dpl__terms_bytes(&terms), 0);
    const uint64_t seed = 7;
    dpl__rng rng = {seed};
    uint32_t n_all = 0, number;
    for (size_t round = 0; round < 5000; round++) {
        char text[64];
        const dpl_str term = nth_term(text, (uint32_t)dpl__rng_below(&rng, N));
        const uint32_t before = n_all, expected = listed_number(all, &n_all, term);
        CHECK_EQ(dpl__terms_has(&terms, term), before == n_all);
        CHECK_OK(dpl__terms_number(&terms, term, &number, &test_err));
        CHECK_EQ(number, expected);
        CHECK(dpl__terms_has(&terms, term));
        CHECK_EQ(terms.all.n, n_all);
    }
    CHECK(n_all > 1000);
    for (uint32_t i = 0; i < n_all; i++) {
        CHECK(
            dpl__str_eq(dpl__term_text(&terms.all.data[i]), (dpl_str){all[i].text, all[i].n}));
        CHECK(terms.counts.data[i].count == 0 && terms.counts.data[i].n_docs == 0);
        CHECK_EQ(terms.counts.data[i].last_doc, 0);
    }
    CHECK_EQ(terms.counts.n, n_all);
    dpl__terms_clear(&terms);
    test_ctx_done(ctx);
}

DPL_TEST(terms, that_begin_alike_are_told_apart_at_every_length)
{
    char text[2 * NEAR + 1];
    memset(text, 'a', sizeof text);
    dpl_ctx *ctx = test_ctx(1);
    dpl__terms terms;
    dpl__terms_init(&terms, ctx);
    uint32_t number;
    for (uint32_t n = 0; n < sizeof text; n++) {
        CHECK_OK(dpl__terms_number(&terms, (dpl_str){text, n}, &number, &test_err));
        CHECK_EQ(number, n);
    }
    memset(text, 'b', sizeof text); /* the set has copies of them all */
    for (uint32_t n = 0; n < sizeof text; n++) {
        const dpl_str term = dpl__term_text(&terms.all.data[n]);
        CHECK_EQ(term.n, n);
        for (size_t i = 0; i < n; i++)
            CHECK_EQ(term.data[i], 'a');
    }
    dpl__terms_clear(&terms);
    test_ctx_done(ctx);
}

/* A stop file is refused by this figure. */
DPL_TEST(terms, count_the_bytes_of_long_ones_beside_their_records)
{
    char text[NEAR + 1];
    memset(text, 'a', sizeof text);
    dpl_ctx *ctx = test_ctx(1);
    dpl__terms terms;
    uint32_t number;
    dpl__terms_init(&terms, ctx);
    CHECK_OK(dpl__terms_number(&terms, (dpl_str){text, NEAR}, &number, &test_err));
    const size_t of_records = dpl__terms_bytes(&terms);
    CHECK_EQ(of_records, terms.all.cap * sizeof(dpl__term) +
                             terms.counts.cap * sizeof(dpl__term_count) +
                             terms.map.n_slots * sizeof(dpl__numbered));
    CHECK(terms.all.cap > 1 && terms.counts.cap > 1);
    CHECK_OK(dpl__terms_number(&terms, (dpl_str){text, NEAR + 1}, &number, &test_err));
    const size_t more = dpl__terms_bytes(&terms) - of_records;
    CHECK(more > NEAR && more < NEAR + 100);
    CHECK_OK(dpl__terms_number(&terms, (dpl_str){text, NEAR + 1}, &number, &test_err));
    CHECK_EQ(number, 1);
    CHECK_EQ(dpl__terms_bytes(&terms), of_records + more);
    dpl__terms_clear(&terms);
    CHECK_EQ(dpl__terms_bytes(&terms), 0);
    dpl__terms_clear(&(dpl__terms){0}); /* zeroed memory may be cleared */
    test_ctx_done(ctx);
}

static dpl_status number_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    dpl__terms terms;
    dpl__terms_init(&terms, ctx);
    dpl_status status = DPL_OK;
    for (uint32_t i = 0, number; i < 1200 && status == DPL_OK; i++) {
        char text[64];
        const dpl_str term = nth_term(text, i);
        status = dpl__terms_number(&terms, term, &number, err);
        CHECK(status != DPL_OK || dpl__str_eq(dpl__term_text(&terms.all.data[i]), term));
    }
    dpl__terms_clear(&terms);
    return status;
}

DPL_TEST(terms, every_allocation_may_fail)
{
    test_allocation_failures(number_some, NULL);
}
