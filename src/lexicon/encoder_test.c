#include "lexicon/encoder.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct text {
    char data[2000];
    size_t n;
} text;

static void put(text *t, dpl_str word, char behind)
{
    int n = snprintf(t->data + t->n, sizeof t->data - t->n, "%.*s%c", (int)word.n, word.data,
                     behind);
    t->n += (size_t)n;
    CHECK(t->n < sizeof t->data);
}

/* The words of a side, rows on lines. */
static void print(text *t, dpl__encoder *c, int side)
{
    dpl__encoded b;
    CHECK_OK(dpl__encoder_rows(&b, c, &test_err));
    *t = (text){.n = 0};
    for (size_t row = 0; row < b.n_rows; row++) {
        const uint32_t *tokens = dpl__encoded_tokens(&b, side, row);
        for (size_t i = 0; i < dpl__encoded_length(&b, side, row); i++)
            put(t, dpl__encoder_word(c, side, tokens[i]), ' ');
        put(t, DPL_STR(""), '\n');
    }
}

static dpl_bitext_row row_of(const char *left, const char *right)
{
    return (dpl_bitext_row){dpl__cstr(left), dpl__cstr(right)};
}

static const dpl__encoder_options plain = {.lang = {"de", "en"}};

static dpl__encoder *new_corpus(dpl_ctx *ctx, const dpl__encoder_options *o)
{
    dpl__encoder *c = NULL;
    CHECK_OK(dpl__encoder_new(&c, ctx, o, &test_err));
    return c;
}

/* What one row becomes. */
static void check_words(const dpl__encoder_options *o, const char *left, const char *expected)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl__encoder *c = new_corpus(ctx, o);
    dpl_bitext_row row = row_of(left, "x");
    text t;
    CHECK_OK(dpl__encoder_add(c, &row, 1, &test_err));
    print(&t, c, DPL__LEFT);
    CHECK_STR(dpl__cstr(t.data), expected);
    dpl__encoder_free(c);
    test_ctx_done(ctx);
}

DPL_TEST(corpus, words_are_folded_and_marks_are_words)
{
    check_words(&plain, "Der Hund (3,5 kg) bellt!", "der hund ( 3,5 kg ) bellt ! \n");
    check_words(&plain, "Wie bitte?!... \"Nein\" -- doch",
                "wie bitte ? ! ... \" nein \" -- doch \n");
    check_words(&plain,
                "\xE2\x80\x9EGr\xC3\xB6\xC3\x9F"
                "e\xE2\x80\x9C\xC2\xA0\xE2\x80\x93 5\xE2\x82\xAC",
                "\xE2\x80\x9E gr\xC3\xB6sse \xE2\x80\x9C \xE2\x80\x93 5 \xE2\x82\xAC \n");
    check_words(&plain, "", "\n");
    check_words(&plain, "  \xC2\xAD \xE2\x80\x8B ", "\n");
}

DPL_TEST(corpus, apostrophes_are_marks)
{
    check_words(&plain,
                "L'eau d\xE2\x80\x99"
                "Evian",
                "l ' eau d ' evian \n");
    check_words(&plain, "John's l' homme 's 'Wort' rock'n'roll'",
                "john ' s l ' homme ' s ' wort ' rock ' n ' roll ' \n");
}

DPL_TEST(corpus, words_are_stems_if_asked_for)
{
    dpl__encoder_options o = plain;
    o.stem = true;
    check_words(&o, "Die H\xC3\xA4user, die Hauses", "die haus , die haus \n");
}

DPL_TEST(corpus, pieces_stay_what_they_are)
{
    dpl__encoder_options o = plain;
    o.is_pretokenized = true;
    check_words(&o, " Der  EU-Haushalt , l' \"... \xC2\xAD x",
                "der eu-haushalt , l' \"... \xC2\xAD x \n");
}

DPL_TEST(corpus, zero_bytes_do_no_harm)
{
    dpl_ctx *ctx = test_ctx(1);
    for (int is_pretokenized = 0; is_pretokenized < 2; is_pretokenized++) {
        dpl__encoder_options o = plain;
        o.is_pretokenized = is_pretokenized;
        dpl__encoder *c = new_corpus(ctx, &o);
        dpl_bitext_row rows[] = {{{"ab", 2}, {"x", 1}}, {{"ab\0", 3}, {"x", 1}}};
        CHECK_OK(dpl__encoder_add(c, rows, 2, &test_err));
        dpl__encoded b;
        CHECK_OK(dpl__encoder_rows(&b, c, &test_err));
        CHECK_EQ(dpl__encoded_length(&b, DPL__LEFT, 1), 1);
        CHECK_EQ(b.side[DPL__LEFT].n_words, 1 + is_pretokenized);
        dpl__encoder_free(c);
    }
    test_ctx_done(ctx);
}

DPL_TEST(corpus, places_are_where_words_stand)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl__encoder_options o = plain;
    o.has_spans = true;
    dpl__encoder *c = new_corpus(ctx, &o);
    dpl_bitext_row rows[] = {row_of("Ein Satz.", "x"), row_of("", ""), row_of(" Er's", "y")};
    CHECK_OK(dpl__encoder_add(c, rows, 3, &test_err));
    static const dpl__span expected[] = {{0, 3}, {4, 8}, {8, 9}, {1, 3}, {3, 4}, {4, 5}};
    const dpl__span *places = dpl__encoder_spans(c, DPL__LEFT);
    for (size_t i = 0; i < DPL_LEN(expected); i++) {
        CHECK_EQ(places[i].begin, expected[i].begin);
        CHECK_EQ(places[i].end, expected[i].end);
    }
    dpl__encoder_free(c);
    test_ctx_done(ctx);
}

/* ---- numbers ------------------------------------------------------------------------ */

static void known_words(dpl__strings out[2])
{
    static const uint64_t offsets[] = {0, 1, 5, 9};
    static const char bytes[] = ".gehthaus";
    out[0] = out[1] = (dpl__strings){offsets, bytes, 3};
}

DPL_TEST(corpus, known_words_keep_their_numbers)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl__strings known[2];
    known_words(known);
    dpl__encoder_options o = plain;
    o.known[0] = &known[0];
    dpl__encoder *c = new_corpus(ctx, &o);
    dpl_bitext_row rows[] = {row_of("neu: Haus", "a b"), row_of("geht neu.", "b")};
    for (int i = 0; i < 2; i++) {
        CHECK_OK(dpl__encoder_add(c, rows, 2, &test_err));
        dpl__encoded b;
        CHECK_OK(dpl__encoder_rows(&b, c, &test_err));
        CHECK_EQ(b.n_rows, 2);
        CHECK_EQ(b.side[DPL__LEFT].n_words, 5);
        static const uint32_t expected[] = {3, 4, 2, 1, 3, 0};
        for (size_t k = 0; k < DPL_LEN(expected); k++)
            CHECK_EQ(b.side[DPL__LEFT].tokens[k], expected[k]);
        dpl__encoder_reset(c);
    }
    dpl__strings sorted;
    uint32_t rank[5];
    dpl__encoder_end_reading(c);
    CHECK_OK(dpl__encoder_words(&sorted, rank, c, DPL__LEFT, &test_err));
    CHECK_EQ(sorted.n, 5);
    for (uint32_t w = 0; w < 5; w++)
        CHECK(dpl__str_eq(dpl__string(&sorted, rank[w]), dpl__encoder_word(c, DPL__LEFT, w)));
    CHECK_STR(dpl__string(&sorted, 1), ":");
    dpl__words_free(&sorted, ctx);
    dpl__encoder_free(c);
    test_ctx_done(ctx);
}

/* Rows of drawn words, enough of them for many chunks. */
enum { ROWS = 6000, ROW_BYTES = 200 };

static void draw_rows(dpl_bitext_row *rows, char (*texts)[2][ROW_BYTES], uint64_t seed)
{
    dpl__rng rng = {seed};
    for (size_t row = 0; row < ROWS; row++) {
        for (int side = 0; side < 2; side++) {
            size_t n = 0;
            for (size_t k = dpl__rng_below(&rng, 12); k > 0; k--) {
                unsigned word = (unsigned)dpl__rng_below(&rng, dpl__rng_below(&rng, 9999) + 1);
                n += (size_t)snprintf(texts[row][side] + n, ROW_BYTES - n, "%s%x%s",
                                      word % 3 ? "Wort" : "\xC3\x84", word,
                                      word % 5 ? " " : ", ");
            }
            *(side ? &rows[row].right : &rows[row].left) = (dpl_str){texts[row][side], n};
        }
    }
}

DPL_TEST(corpus, threads_and_batches_do_not_show)
{
    static dpl_bitext_row rows[ROWS];
    static char texts[ROWS][2][ROW_BYTES];
    uint64_t seed = 4711;
    draw_rows(rows, texts, seed);
    dpl_ctx *ctx[2] = {test_ctx(1), test_ctx(3)};
    dpl__encoder *c[2] = {new_corpus(ctx[0], &plain), new_corpus(ctx[1], &plain)};
    CHECK_OK(dpl__encoder_add(c[0], rows, ROWS, &test_err));
    for (size_t row = 0; row < ROWS; row += 1000)
        CHECK_OK(dpl__encoder_add(c[1], rows + row, 1000, &test_err));
    dpl__encoded b[2];
    for (int i = 0; i < 2; i++)
        CHECK_OK(dpl__encoder_rows(&b[i], c[i], &test_err));
    CHECK_EQ(b[0].n_classes, b[1].n_classes);
    for (int side = 0; side < 2; side++) {
        const dpl__encoded_side *x = &b[0].side[side], *y = &b[1].side[side];
        size_t n = (size_t)x->begin[ROWS];
        CHECK_EQ(x->n_words, y->n_words);
        CHECK(memcmp(x->begin, y->begin, (ROWS + 1) * sizeof *x->begin) == 0);
        CHECK(memcmp(x->tokens, y->tokens, n * sizeof *x->tokens) == 0);
        CHECK(memcmp(x->classes, y->classes, x->n_words * sizeof *x->classes) == 0);
        for (uint32_t w = 0; w < x->n_words; w++)
            CHECK(dpl__str_eq(dpl__encoder_word(c[0], side, w),
                              dpl__encoder_word(c[1], side, w)));
    }
    for (int i = 0; i < 2; i++) {
        dpl__encoder_free(c[i]);
        test_ctx_done(ctx[i]);
    }
}

static dpl_status all_of_it(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    dpl__strings known[2], sorted = {0};
    known_words(known);
    dpl__encoder_options o = plain;
    o.known[0] = &known[0];
    o.has_spans = true;
    dpl__encoder *c = NULL;
    dpl__encoded b;
    uint32_t rank[10];
    dpl_bitext_row row = row_of("Ein Haus, ein H\xC3\xA4uschen.", "a small house");
    dpl_status status = dpl__encoder_new(&c, ctx, &o, err);
    if (status == DPL_OK)
        status = dpl__encoder_add(c, &row, 1, err);
    if (status == DPL_OK)
        status = dpl__encoder_rows(&b, c, err);
    for (int side = 0; side < 2 && status == DPL_OK; side++) {
        status = dpl__encoder_words(&sorted, rank, c, side, err);
        dpl__words_free(&sorted, ctx);
    }
    dpl__encoder_free(c);
    return status;
}

DPL_TEST(corpus, failing_allocations_are_reported)
{
    test_allocation_failures(all_of_it, NULL);
}
