#include "lexicon/drawn_text_test.h"

#include <stdarg.h>

/* Rows as text: "words | words | links". */
typedef struct printed {
    char data[4000];
    size_t n, n_rows, stop_at;
} printed;

static void put(printed *p, const char *fmt, ...) DPL_PRINTF(2, 3);

static void put(printed *p, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    p->n += (size_t)vsnprintf(p->data + p->n, sizeof p->data - p->n, fmt, args);
    va_end(args);
    CHECK(p->n < sizeof p->data);
}

static dpl_status print(void *user, const dpl_aligned_row *row, dpl_error *err)
{
    printed *p = user;
    CHECK_EQ(row->row, p->n_rows);
    if (++p->n_rows == p->stop_at)
        return dpl__fail(err, DPL_E_STOPPED, "enough");
    for (size_t i = 0; i < row->n_left && row->n_left < 100; i++)
        put(p, "%.*s ", (int)row->left[i].n, row->left[i].data);
    put(p, "|");
    for (size_t i = 0; i < row->n_right && row->n_right < 100; i++)
        put(p, " %.*s", (int)row->right[i].n, row->right[i].data);
    put(p, " |");
    for (size_t i = 0; i < row->n_links; i++)
        put(p, " %u-%u", row->links[i].left, row->links[i].right);
    put(p, "\n");
    return DPL_OK;
}

static dpl_lexicon *train(dpl_ctx *ctx, bool is_pretokenized)
{
    const char *path = rows_draw("rows.tsv", 1, 500, 0, 40), *out = test_path("l.dpl");
    dpl_train_options o = rows_options();
    o.pretokenized = is_pretokenized;
    CHECK_OK(rows_train(NULL, ctx, out, path, &o));
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl_lexicon_open(&l, ctx, out, NULL, &test_err));
    return l;
}

static dpl_status align(dpl_align_summary *s, dpl_ctx *ctx, const dpl_lexicon *l,
                        const char *text, const dpl_align_options *options, printed *p)
{
    const char *path = test_write("new.tsv", text, strlen(text));
    dpl_bitext_options read = DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV);
    dpl_align_options o = DPL_INIT(dpl_align_options);
    if (options)
        o = *options;
    o.read = &read;
    size_t stop_at = p->stop_at;
    *p = (printed){.stop_at = stop_at};
    dpl_align_input in = DPL_INIT(dpl_align_input, .lexicon = l, .paths = &path, .n_paths = 1,
                                  .take = print, .user = p);
    return dpl_lexicon_align(s, ctx, &in, &o, &test_err);
}

DPL_TEST(lexicon_align, new_rows_are_aligned)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_lexicon *l = train(ctx, false);
    printed p = {0};
    dpl_align_summary s = DPL_INIT(dpl_align_summary);
    for (int symmetry = 0; dpl_symmetry_get_info((dpl_symmetry)symmetry); symmetry++) {
        dpl_align_options o = DPL_INIT(dpl_align_options, .symmetrize = (dpl_symmetry)symmetry);
        CHECK_OK(align(&s, ctx, l, "Ba1 ba2 ba3.\tGo3 go2 go1.\n\t\nba4\t\nba5 ba1\tgo1 go5\n",
                       &o, &p));
        CHECK_STR(dpl__cstr(p.data), "Ba1 ba2 ba3 . | Go3 go2 go1 . | 0-2 1-1 2-0 3-3\n"
                                     "| |\n"
                                     "ba4 | |\n"
                                     "ba5 ba1 | go1 go5 | 0-1 1-0\n");
        CHECK_EQ(s.n_rows, 4);
        CHECK_EQ(s.n_links, 6);
        CHECK_EQ(s.n_long, 0);
        CHECK_EQ(s.n_tokens[0], 7);
        CHECK_EQ(s.n_tokens[1], 6);
        CHECK_EQ(s.n_unknown[0] + s.n_unknown[1], 0);
    }
    CHECK(!dpl_symmetry_get_info((dpl_symmetry)-1));
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* Pieces are numbered as they stand there, whatever they are made of. */
DPL_TEST(lexicon_align, pieces_are_looked_into)
{
    dpl_ctx *ctx = test_ctx(2);
    printed p = {0};
    dpl_align_options o = DPL_INIT(dpl_align_options, .pretokenized = true);
    dpl_lexicon *l = train(ctx, false);
    CHECK_OK(align(NULL, ctx, l, "ba1-ba2  ba3.\tgo3 \xC2\xAD go2'go1 .\n", &o, &p));
    CHECK_STR(dpl__cstr(p.data), "ba1-ba2 ba3. | go3 \xC2\xAD go2'go1 . | 0-2 1-0 1-3\n");
    dpl_lexicon_close(l);
    l = train(ctx, true);
    CHECK_OK(align(NULL, ctx, l, "Ba1 ba2 ba3.\tGo3 go2 go1.\n", &o, &p));
    CHECK_STR(dpl__cstr(p.data), "Ba1 ba2 ba3. | Go3 go2 go1. | 0-2 1-1 2-0\n");
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_align, long_rows_have_no_links_and_are_counted)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_lexicon *l = train(ctx, false);
    static char text[200000];
    size_t n = 0;
    for (int side = 0; side < 2; side++) {
        for (unsigned i = 0; i < 10000; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%u ", side ? "go" : "ba",
                                  i % 10);
        text[n - 1] = side ? '\n' : '\t';
    }
    snprintf(text + n, sizeof text - n, "ba1 ba2\tgo2 go1\n");
    uint64_t before = dpl_ctx_peak(ctx);
    printed p = {0};
    dpl_align_summary s = DPL_INIT(dpl_align_summary);
    CHECK_OK(align(&s, ctx, l, text, NULL, &p));
    CHECK_STR(dpl__cstr(p.data), "| |\nba1 ba2 | go2 go1 | 0-1 1-0\n");
    CHECK_EQ(s.n_rows, 2);
    CHECK_EQ(s.n_long, 1);
    CHECK(dpl_ctx_peak(ctx) < before + (8 << 20));
    dpl_align_options o = DPL_INIT(dpl_align_options, .max_words = 1);
    CHECK_OK(align(&s, ctx, l, text, &o, &p));
    CHECK_EQ(s.n_long, 2);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_align, rows_too_long_for_the_memory_are_an_error)
{
    dpl_ctx *big = test_ctx(2), *ctx = NULL;
    dpl_lexicon_close(train(big, false));
    test_ctx_done(big);
    dpl_ctx_options small = DPL_INIT(dpl_ctx_options, .memory = 4 << 20, .n_threads = 2);
    CHECK_OK(dpl_ctx_new(&ctx, &small, &test_err));
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl_lexicon_open(&l, ctx, test_path("l.dpl"), NULL, &test_err));
    static char text[4000];
    for (size_t i = 0; i < 1600; i++)
        memcpy(text + 2 * i, i == 800 ? "\tb" : " a", 2);
    printed p = {0};
    CHECK_EQ(align(NULL, ctx, l, text, NULL, &p), DPL_E_LIMIT);
    CHECK(strstr(test_err.text, "rows of 800 words need"));
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* A sum over all rows. */
typedef struct sum {
    uint64_t hash, n_rows;
} sum;

static dpl_status add(void *user, const dpl_aligned_row *row, dpl_error *err)
{
    (void)err;
    sum *s = user;
    CHECK_EQ(row->row, s->n_rows++);
    s->hash = dpl__hash(row->links, row->n_links * sizeof *row->links, s->hash + row->n_left);
    return DPL_OK;
}

/* Rows enough for several batches, with words that are not known and come again. */
DPL_TEST(lexicon_align, threads_do_not_show)
{
    static char text[800000];
    size_t n = 0;
    for (unsigned row = 0; row < 20000; row++)
        n += (size_t)snprintf(text + n, sizeof text - n, "ba%u new%u ba2\tgo2 go%u new%u\n",
                              row % 40, row % 9000, row % 40, row % 7000);
    const char *path = test_write("new.tsv", text, n);
    sum sums[3] = {{0, 0}};
    for (unsigned i = 0; i < 3; i++) {
        dpl_ctx *ctx = test_ctx(i + 1);
        dpl_lexicon *l = train(ctx, false);
        dpl_align_options o = DPL_INIT(
            dpl_align_options,
            .read = &(dpl_bitext_options)DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV));
        dpl_align_summary s = DPL_INIT(dpl_align_summary);
        dpl_align_input in = DPL_INIT(dpl_align_input, .lexicon = l, .paths = &path,
                                      .n_paths = 1, .take = add, .user = &sums[i]);
        CHECK_OK(dpl_lexicon_align(&s, ctx, &in, &o, &test_err));
        CHECK_EQ(s.n_rows, 20000);
        CHECK_EQ(s.n_unknown[0], 20000);
        CHECK_EQ(sums[i].hash, sums[0].hash);
        dpl_lexicon_close(l);
        test_ctx_done(ctx);
    }
}

DPL_TEST(lexicon_align, wrong_options_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    printed p = {0};
    const char *path = rows_draw("rows.tsv", 1, 50, 0, 10), *out = test_path("l.dpl");
    dpl_train_options t = rows_options();
    t.no_model = true;
    CHECK_OK(rows_train(NULL, ctx, out, path, &t));
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl_lexicon_open(&l, ctx, out, NULL, &test_err));
    CHECK_EQ(align(NULL, ctx, l, "a\tb\n", NULL, &p), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "has no model"));
    dpl_lexicon_close(l);
    l = train(ctx, false);
    dpl_align_options wrong[] = {{.symmetrize = (dpl_symmetry)9},
                                 {.threshold = 1.5},
                                 {.threshold = -1},
                                 {.max_words = 70000}};
    for (size_t i = 0; i < DPL_LEN(wrong); i++)
        CHECK_EQ(align(NULL, ctx, l, "a\tb\n", &wrong[i], &p), DPL_E_USAGE);
    p.stop_at = 2;
    CHECK_EQ(align(NULL, ctx, l, "a\tb\na\tb\na\tb\n", NULL, &p), DPL_E_STOPPED);
    CHECK_EQ(p.n_rows, 2);
    CHECK_STR(dpl__cstr(test_err.text), "enough");
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

static dpl_status align_quietly(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const char *const *paths = user;
    printed p = {0};
    dpl_lexicon *l = NULL;
    dpl_align_options o = DPL_INIT(
        dpl_align_options, .pretokenized = true,
        .read = &(dpl_bitext_options)DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV));
    dpl_status status = dpl_lexicon_open(&l, ctx, paths[1], NULL, err);
    dpl_align_input in = DPL_INIT(dpl_align_input, .lexicon = l, .paths = paths, .n_paths = 1,
                                  .take = print, .user = &p);
    if (status == DPL_OK)
        status = dpl_lexicon_align(NULL, ctx, &in, &o, err);
    dpl_lexicon_close(l);
    return status;
}

DPL_TEST(lexicon_align, failing_allocations_are_reported)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon_close(train(ctx, false));
    test_ctx_done(ctx);
    static const char text[] = "ba1-ba2 new.\tgo3 new go2'go1 .\n\t\n";
    const char *paths[] = {test_write("new.tsv", text, sizeof text - 1), test_path("l.dpl")};
    test_allocation_failures(align_quietly, paths);
}
