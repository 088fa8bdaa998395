#include "mine/prior_rows.h"

#include "mine/given_lexicon.h"
#include "mine/random_sides_test.h"

#include <math.h>

enum { TERMS = 30, MOST_ROWS = 4000 };
static const side_shape shape = {10, 3, 5, TERMS, false, false};

/* Words of both sides, and some that neither has, with the probabilities of a random table. */
static dpl_lexicon *make_lexicon(dpl_ctx *ctx, dpl__rng *rng, bool is_reversed)
{
    static char words[2][TERMS + 5][16];
    static dpl_lexicon_entry entries[4 * TERMS];
    const size_t n = DPL_LEN(entries);
    for (unsigned i = 0; i < TERMS + 5; i++)
        for (int side = 0; side < 2; side++)
            words[side][i][put_random_word(words[side][i], i, side)] = 0;
    for (size_t i = 0; i < n; i++) {
        const char *of[2] = {words[0][dpl__rng_below(rng, TERMS + 5)],
                             words[1][dpl__rng_below(rng, TERMS + 5)]};
        entries[i] = (dpl_lexicon_entry){.source = dpl__cstr(of[is_reversed]),
                                         .target = dpl__cstr(of[!is_reversed]),
                                         .p = (float)(1 + dpl__rng_below(rng, 100)) / 300};
    }
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = is_reversed ? "sw" : "eo",
                 .target_lang = is_reversed ? "eo" : "sw");
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl_lexicon_from_entries(&l, ctx, entries, n, &o, &test_err));
    return l;
}

/* p of one direction of the lexicon, from the word that is given; 0: no entry. */
static double p_of(const dpl_lexicon *l, bool is_back, dpl_str source, dpl_str target)
{
    dpl_lexicon_entries it = dpl_lexicon_entries_begin(l, is_back);
    dpl_lexicon_entry e;
    while (dpl_lexicon_entries_next(&it, &e))
        if (dpl__str_eq(e.source, source) && dpl__str_eq(e.target, target))
            return (double)e.p;
    return 0;
}

/* Rows of a pair of words: eight for a probability of one, rounded; of both directions their
 * mean. */
static size_t n_rows_of(const dpl_lexicon *l, dpl_str left, dpl_str right, bool is_reversed)
{
    const dpl_str source = is_reversed ? right : left, target = is_reversed ? left : right;
    const double p = p_of(l, false, source, target);
    const bool has_back = dpl_lexicon_get_sizes(l)->n_back > 0;
    return (size_t)floor(8 * (has_back ? (p + p_of(l, true, source, target)) / 2 : 2 * p) +
                         0.5);
}

/* Rows are those of each left term, then of each right one. */
static size_t check_rows(const dpl__training_rows *rows, const dpl_lexicon *l, bool is_reversed)
{
    size_t at = 0;
    const dpl_collection *const *c = rows->collection;
    for (uint32_t left = 0; left < dpl_collection_get_sizes(c[0])->n_terms; left++)
        for (uint32_t right = 0; right < dpl_collection_get_sizes(c[1])->n_terms; right++)
            for (size_t n = n_rows_of(l, dpl_collection_term(c[0], left),
                                      dpl_collection_term(c[1], right), is_reversed);
                 n > 0; n--, at++) {
                CHECK(at < rows->tokens[0].n && at < rows->tokens[1].n);
                CHECK(rows->tokens[0].data[at] == left && rows->tokens[1].data[at] == right);
                for (int side = 0; side < 2; side++) /* one word on each side */
                    CHECK_EQ(rows->ends[side].data[at + 1], at + 1);
            }
    CHECK(rows->tokens[0].n == at && rows->tokens[1].n == at);
    return at;
}

DPL_TEST(prior_rows, are_as_many_as_an_entry_is_likely)
{
    dpl__rng rng = {dpl__mix(61)};
    for (unsigned turn = 0; turn < 8; turn++) {
        const bool is_reversed = turn % 2;
        dpl_ctx *ctx = test_ctx(1);
        dpl__comparable p = make_random_sides(ctx, &rng, shape, 0);
        dpl_lexicon *l = make_lexicon(ctx, &rng, is_reversed);
        dpl__training_rows rows = {
            .ctx = ctx, .collection = {p.c[0], p.c[1]}, .lang = {p.lang[0], p.lang[1]}};
        CHECK_OK(dpl__prior_rows_add(&rows, l, &test_err));
        CHECK(check_rows(&rows, l, is_reversed) > TERMS);
        dpl__training_rows_clear(&rows);
        dpl_lexicon_close(l);
        close_sides(&p);
        test_ctx_done(ctx);
    }
}

/* A table in a file has one direction, which counts for both. Its columns are those of the
 * sides that have most of their words. */
DPL_TEST(prior_rows, of_one_direction_count_twice)
{
    static const char *const tables[] = {"qualpha\tzbeta\t0.5\nqualpha\tzgamma\t0.0625\n"
                                         "qudelta\tzbeta\t0.0624\nqudelta\tzgamma\t1\n",
                                         "zbeta\tqualpha\t0.5\nzgamma\tqualpha\t0.0625\n"
                                         "zbeta\tqudelta\t0.0624\nzgamma\tqudelta\t1\n"};
    static const char left[] = "l\tqualpha qudelta quother\n", right[] = "r\tzbeta zgamma\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = {.ctx = ctx};
    set_side(&p, 0, import_side(ctx, left, sizeof left - 1, false), "eo");
    set_side(&p, 1, import_side(ctx, right, sizeof right - 1, true), "sw");
    for (size_t i = 0; i < DPL_LEN(tables); i++) {
        char path[1000];
        dpl_lexicon *l = NULL;
        dpl__training_rows rows = {
            .ctx = ctx, .collection = {p.c[0], p.c[1]}, .lang = {"eo", "sw"}};
        uint32_t first, second;
        size_t n[2] = {0, 0};
        snprintf(path, sizeof path, "%s",
                 test_write("table.tsv", tables[i], strlen(tables[i])));
        CHECK_OK(dpl__given_lexicon_open(&l, &p, path, &test_err));
        CHECK_EQ(dpl_lexicon_get_sizes(l)->n_back, 0);
        CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), i ? "sw" : "eo");
        CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).target_lang), i ? "eo" : "sw");
        CHECK(dpl_collection_find_term(p.c[0], DPL_STR("qualpha"), &first));
        CHECK(dpl_collection_find_term(p.c[0], DPL_STR("qudelta"), &second));
        CHECK_OK(dpl__prior_rows_add(&rows, l, &test_err));
        for (size_t k = 0; k < rows.tokens[0].n; k++) {
            n[0] += rows.tokens[0].data[k] == first;
            n[1] += rows.tokens[0].data[k] == second;
        }
        CHECK_EQ(n[0], 4 + 1); /* eight times 0.5; eight times 0.0625 is just enough */
        CHECK_EQ(n[1], 8);
        dpl__training_rows_clear(&rows);
        dpl_lexicon_close(l);
    }
    close_sides(&p);
    test_ctx_done(ctx);
}

typedef struct added {
    dpl__comparable p;
    const dpl_lexicon *lexicon;
} added;

static dpl_status add_and_clear(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const added *x = user;
    dpl__training_rows rows = {
        .ctx = ctx, .collection = {x->p.c[0], x->p.c[1]}, .lang = {"eo", "sw"}};
    const dpl_status status = dpl__prior_rows_add(&rows, x->lexicon, err);
    dpl__training_rows_clear(&rows);
    return status;
}

DPL_TEST(prior_rows, survive_every_failing_allocation)
{
    dpl__rng rng = {dpl__mix(62)};
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = make_lexicon(ctx, &rng, false);
    added x = {make_random_sides(ctx, &rng, shape, 0), l};
    test_allocation_failures(add_and_clear, &x);
    dpl_lexicon_close(l);
    close_sides(&x.p);
    test_ctx_done(ctx);
}
