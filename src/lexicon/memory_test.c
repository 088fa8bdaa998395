#include "lexicon/drawn_text_test.h"
#include "lexicon/lexicon.h"

/* ---- rows of the caller ------------------------------------------------------------- */

typedef struct rows {
    const char *const (*pairs)[2];
    size_t n, at;
} rows;

static const char *const pairs[][2] = {
    {"das haus", "the house"},
    {"das buch", "the book"},
    {"ein buch", "a book"},
    {"ein haus", "a house"},
    {"das haus ist alt", "the house is old"},
    {"das buch ist neu", "the book is new"},
};

static dpl_status next_pair(void *user, dpl_bitext_row *row, dpl_error *err)
{
    (void)err;
    rows *r = user;
    if (r->at == r->n)
        return DPL_END;
    row->left = dpl__cstr(r->pairs[r->at][0]);
    row->right = dpl__cstr(r->pairs[r->at++][1]);
    return DPL_OK;
}

static dpl_bitext *open_rows(dpl_ctx *ctx, rows *r)
{
    dpl_bitext *out = NULL;
    *r = (rows){pairs, DPL_LEN(pairs), 0};
    dpl_bitext_source source = {.next = next_pair, .user = r};
    CHECK_OK(dpl_bitext_open_source(&out, ctx, &source, NULL, &test_err));
    return out;
}

static const dpl_bitext_options de_en =
    DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en");

static dpl_lexicon *train(dpl_ctx *ctx)
{
    rows r;
    dpl_lexicon *l = NULL;
    dpl_bitext *reader = open_rows(ctx, &r);
    dpl_train_options o = DPL_INIT(dpl_train_options, .read = &de_en);
    dpl_train_summary s = DPL_INIT(dpl_train_summary);
    CHECK_OK(dpl_lexicon_train_rows(&l, &s, ctx, reader, &o, &test_err));
    CHECK_EQ(s.n_rows, DPL_LEN(pairs));
    dpl_bitext_close(reader);
    return l;
}

DPL_TEST(lexicon_memory, rows_that_cannot_be_used_leave_no_lexicon)
{
    rows r;
    dpl_ctx *ctx = test_ctx(2);
    dpl_lexicon *l = NULL;
    dpl_bitext *reader = open_rows(ctx, &r);
    dpl_train_options o = DPL_INIT(dpl_train_options, .read = &de_en, .max_words = 1);
    CHECK_EQ(dpl_lexicon_train_rows(&l, NULL, ctx, reader, &o, &test_err), DPL_E_NOTHING);
    CHECK(!l);
    dpl_bitext_close(reader);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_memory, training_from_rows_gives_the_bytes_of_training_from_files)
{
    dpl_ctx *ctx = test_ctx(2);
    char text[400] = "";
    for (size_t i = 0; i < DPL_LEN(pairs); i++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s\t%s\n", pairs[i][0], pairs[i][1]);
    }
    dpl_train_options o = rows_options();
    CHECK_OK(rows_train(NULL, ctx, test_path("file.dpl"),
                        test_write("rows.tsv", text, strlen(text)), &o));
    dpl_lexicon *l = train(ctx);
    CHECK_OK(dpl_lexicon_save(l, test_path("memory.dpl"), &test_err));
    CHECK(rows_same_bytes(test_path("file.dpl"), test_path("memory.dpl")));
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_memory, rows_are_aligned_one_by_one)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_lexicon *l = train(ctx);
    rows r;
    dpl_bitext *reader = open_rows(ctx, &r);
    dpl_alignment *a = NULL;
    dpl_aligned_row row;
    CHECK_OK(dpl_alignment_open(&a, ctx, l, reader, NULL, &test_err));
    for (size_t i = 0; i < DPL_LEN(pairs); i++) {
        CHECK_OK(dpl_alignment_next(a, &row, &test_err));
        CHECK_EQ(row.row, i);
        CHECK(row.n_links > 0 && row.n_left >= 2);
    }
    CHECK_EQ(dpl_alignment_next(a, &row, &test_err), DPL_END);
    dpl_alignment_close(a);
    dpl_bitext_close(reader);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* ---- entries ------------------------------------------------------------------------ */

static const dpl_lexicon_entry some[] = {
    {{"Haus", 4}, {"house", 5}, 0.75f},
    {{"haus", 4}, {"building", 8}, 0.25f},
    {{"buch", 4}, {"book", 4}, 1},
};

DPL_TEST(lexicon_memory, entries_come_out_as_they_went_in)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = NULL;
    dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = "de", .target_lang = "en");
    CHECK_OK(dpl_lexicon_from_entries(&l, ctx, some, DPL_LEN(some), &o, &test_err));
    dpl_lexicon_entry e;
    dpl_lexicon_entries it = dpl_lexicon_entries_begin(l, false);
    static const char *const expected[][2] = {
        {"buch", "book"}, {"haus", "building"}, {"haus", "house"}};
    for (size_t i = 0; i < DPL_LEN(expected); i++) {
        CHECK(dpl_lexicon_entries_next(&it, &e));
        CHECK_STR(e.source, expected[i][0]);
        CHECK_STR(e.target, expected[i][1]);
    }
    CHECK(e.p == 0.75f && !dpl_lexicon_entries_next(&it, &e));
    it = dpl_lexicon_entries_begin(l, true);
    CHECK(dpl_lexicon_entries_next(&it, &e) && e.p == 1);
    CHECK_STR(e.target, "book");
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_memory, wrong_entries_are_refused_or_skipped)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_lexicon_entry wrong[] = {{{"a", 1}, {"b", 1}, 1.5f},
                                       {{"a", 1}, {"b", 1}, (float)(0.0 / 0.0)},
                                       {{" ", 1}, {"b", 1}, 1},
                                       {{"a", 1}, {"\xFF", 1}, 1},
                                       {{"a", 1}, {"b", 1}, 0.5f}};
    dpl_lexicon *l = NULL;
    for (size_t i = 0; i + 1 < DPL_LEN(wrong); i++)
        CHECK_EQ(dpl_lexicon_from_entries(&l, ctx, &wrong[i], 1, NULL, &test_err),
                 DPL_E_FORMAT);
    dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .on_error = DPL_ON_ERROR_SKIP);
    CHECK_OK(dpl_lexicon_from_entries(&l, ctx, wrong, DPL_LEN(wrong), &o, &test_err));
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_entries, 1);
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_skipped, 4);
    dpl_lexicon_close(l);
    CHECK_OK(dpl_lexicon_from_entries(&l, ctx, NULL, 0, NULL, &test_err));
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_entries, 0);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_memory, dictionaries_become_a_lexicon_without_a_file)
{
    dpl_ctx *ctx = test_ctx(1);
    static const char text[] = "Haus\thouse\nBuch\tbook\n";
    dpl_dictionary d = {.path = test_write("words.tsv", text, sizeof text - 1)};
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl_lexicon_from_dictionaries(&l, ctx, &d, 1, NULL, &test_err));
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_entries, 2);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}
