#include "tokens/rows.h"

#include "test.h"

#include <stdio.h>

/* The sections term.* and those of rows, for one document that is `tokens`. */
static dpl_file *write_rows(dpl_ctx *ctx, const dpl__terms *terms, const uint32_t *tokens,
                            uint32_t n)
{
    dpl__spill spill;
    dpl__spool numbers, lengths;
    dpl__vocabulary vocabulary;
    dpl__writer *w = NULL;
    dpl_file *file = NULL;
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    dpl__spool_init(&numbers, &spill, 1 << 24);
    dpl__spool_init(&lengths, &spill, 1 << 24);
    CHECK_OK(dpl__spool_append(&numbers, tokens, n * sizeof *tokens, &test_err));
    CHECK_OK(dpl__spool_append(&lengths, &n, sizeof n, &test_err));
    CHECK_OK(dpl__vocabulary_init(&vocabulary, &spill, 1 << 26, &test_err));
    CHECK_OK(dpl__vocabulary_add(&vocabulary, terms, 0, &test_err));
    CHECK_OK(dpl__writer_new(&w, ctx, test_path("rows.dpl"), "test", &test_err));
    CHECK_OK(dpl__vocabulary_write(&vocabulary, w, &test_err));
    dpl__batch_record batch = {.n_tokens = n, .n_entries = n, .n_docs = 1};
    dpl__first_pass in = {&vocabulary, &numbers, &lengths, &batch, 1};
    CHECK_OK(dpl__rows_write(ctx, w, &in, &test_err));
    CHECK_OK(dpl__writer_finish(w, NULL, &test_err));
    dpl__writer_free(w);
    dpl__vocabulary_clear(&vocabulary);
    dpl__spool_clear(&lengths);
    dpl__spool_clear(&numbers);
    dpl__spill_clear(&spill);
    CHECK_OK(dpl_file_open(&file, ctx, test_path("rows.dpl"), &test_err));
    return file;
}

static const uint32_t *section(const dpl_file *file, const char *name, size_t n)
{
    dpl_section s;
    CHECK(dpl_file_find(file, name, &s));
    CHECK_EQ(s.n_bytes / sizeof(uint32_t), n);
    return s.data;
}

/* n terms, "0", "1" ..., each counted once. */
static void make_terms(dpl__terms *terms, dpl_ctx *ctx, uint32_t n)
{
    dpl__terms_init(terms, ctx);
    for (uint32_t i = 0; i < n; i++) {
        char text[20];
        uint32_t number;
        dpl_str term = {text, (size_t)snprintf(text, sizeof text, "%u", i)};
        CHECK_OK(dpl__terms_number(terms, term, &number, &test_err));
        CHECK_EQ(number, i);
        terms->counts.data[i] = (dpl__term_count){.count = 1, .n_docs = 1};
    }
}

DPL_TEST(rows, are_in_order_in_a_large_vocabulary)
{
    enum { N = 300000 }; /* more than 64 * 64 * 64, so that the tree of bits has several tops */
    dpl_ctx *ctx = test_ctx(1);
    dpl__terms terms;
    make_terms(&terms, ctx, N);
    uint32_t *tokens = dpl__alloc(ctx, N * sizeof *tokens);
    CHECK(tokens);
    for (uint32_t i = 0; i < N; i++)
        tokens[i] = N - 1 - i;
    dpl_file *file = write_rows(ctx, &terms, tokens, N);
    const uint32_t *row = section(file, "row.terms", N),
                   *counts = section(file, "row.counts", N);
    for (uint32_t i = 0; i < N; i++) {
        CHECK_EQ(row[i], i);
        CHECK_EQ(counts[i], 1);
    }
    dpl_file_close(file);
    dpl__free(ctx, tokens, N * sizeof *tokens);
    dpl__terms_clear(&terms);
    test_ctx_done(ctx);
}

DPL_TEST(vocabulary, orders_terms_by_count_beyond_32_bits)
{
    static const uint64_t counts[] = {
        1, UINT32_MAX - 1u,         (uint64_t)5 << 32,        UINT32_MAX,
        2, ((uint64_t)5 << 32) + 1, (uint64_t)UINT32_MAX + 1, 2};
    static const uint32_t ids[] = {7, 4, 1, 3, 5, 0, 2, 6};
    dpl_ctx *ctx = test_ctx(1);
    dpl__terms terms;
    make_terms(&terms, ctx, DPL_LEN(counts));
    uint32_t tokens[DPL_LEN(counts)];
    for (uint32_t i = 0; i < DPL_LEN(counts); i++) {
        terms.counts.data[i].count = counts[i];
        tokens[i] = i;
    }
    dpl_file *file = write_rows(ctx, &terms, tokens, DPL_LEN(counts));
    const uint32_t *given = section(file, "tokens", DPL_LEN(counts));
    for (size_t i = 0; i < DPL_LEN(counts); i++)
        CHECK_EQ(given[i], ids[i]);
    dpl_file_close(file);
    dpl__terms_clear(&terms);
    test_ctx_done(ctx);
}
