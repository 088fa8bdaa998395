#include "tokens/importer.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* The sections term.* and those of rows, for one document that is `tokens`. */
static dpl_file *write_rows(dpl_ctx *ctx, dpl__terms *terms, bool is_sorted,
                            const uint32_t *tokens, uint32_t n)
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
    if (is_sorted)
        CHECK_OK(dpl__vocabulary_add(&vocabulary, terms, 0, &test_err));
    else
        CHECK_OK(dpl__vocabulary_give(&vocabulary, terms, 0, &test_err));
    CHECK_OK(dpl__writer_new(&w, ctx, test_path("rows.dpl"), "test", &test_err));
    CHECK_OK(dpl__vocabulary_write(&vocabulary, w, &test_err));
    dpl__batch_record batch = {.n_tokens = n, .n_entries = n, .n_docs = 1};
    dpl__first_pass in = {&vocabulary, &numbers, &lengths, &batch, 1, false};
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
    dpl_file *file = write_rows(ctx, &terms, true, tokens, N);
    const uint32_t *row = section(file, "row.terms", N),
                   *counts = section(file, "row.counts", N);
    for (uint32_t i = 0; i < N; i++) {
        CHECK_EQ(row[i], i);
        CHECK_EQ(counts[i], 1);
    }
    dpl_file_close(file);
    dpl__free(ctx, tokens);
    dpl__terms_clear(&terms);
    test_ctx_done(ctx);
}

enum { N_RUNS = 3, MOST_TERMS = 3000 };

/* Sets that share terms; the last one is to be subtracted and holds parts of the first. */
static void make_sets(dpl__terms *sets, dpl_ctx *ctx, uint64_t seed)
{
    dpl__rng rng = {seed};
    for (size_t r = 0; r <= N_RUNS; r++)
        dpl__terms_init(&sets[r], ctx);
    for (size_t r = 0; r < N_RUNS; r++)
        for (size_t i = 0, n = dpl__rng_below(&rng, MOST_TERMS); i < n; i++) {
            char text[40];
            uint32_t number, minus;
            const size_t n_text = (size_t)snprintf(
                text, sizeof text, "%s%llu", dpl__rng_below(&rng, 2) ? "common " : "",
                (unsigned long long)dpl__rng_below(&rng, 4000));
            CHECK_OK(dpl__terms_number(&sets[r], (dpl_str){text, n_text}, &number, &test_err));
            dpl__term_count *c = &sets[r].counts.data[number];
            const uint64_t more = dpl__rng_below(&rng, 8) ? 1 : dpl__rng_below(&rng, 1000);
            c->count += more;
            c->n_docs++;
            if (r || dpl__rng_below(&rng, 9))
                continue;
            CHECK_OK(
                dpl__terms_number(&sets[N_RUNS], (dpl_str){text, n_text}, &minus, &test_err));
            sets[N_RUNS].counts.data[minus] = *c;
        }
}

/* Bytes of the sections term.* and the ids of all runs. */
static void write_vocabulary(dpl_ctx *ctx, const char *name, dpl__terms *sets, bool is_sorted,
                             uint32_t ids[N_RUNS][MOST_TERMS])
{
    dpl__spill spill;
    dpl__vocabulary v;
    dpl__writer *w = NULL;
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    CHECK_OK(dpl__vocabulary_init(&v, &spill, 1 << 24, &test_err));
    CHECK_OK(dpl__writer_new(&w, ctx, test_path(name), "test", &test_err));
    for (uint32_t r = 0; r < N_RUNS; r++)
        if (is_sorted)
            CHECK_OK(dpl__vocabulary_add(&v, &sets[r], r, &test_err));
        else
            CHECK_OK(dpl__vocabulary_give(&v, &sets[r], r, &test_err));
    dpl__vocabulary_subtract(&v, &sets[N_RUNS]);
    CHECK_OK(dpl__vocabulary_write(&v, w, &test_err));
    for (uint32_t r = 0; r < N_RUNS; r++)
        for (size_t i = 0; i < sets[r].all.n; i++)
            ids[r][i] = dpl__vocabulary_ids(&v, r)[i];
    CHECK_OK(dpl__writer_finish(w, NULL, &test_err));
    dpl__writer_free(w);
    dpl__vocabulary_clear(&v);
    dpl__spill_clear(&spill);
}

DPL_TEST(vocabulary, is_the_same_in_memory_and_through_files)
{
    static uint32_t ids[2][N_RUNS][MOST_TERMS];
    for (uint64_t seed = 1; seed <= 12; seed++) {
        dpl_ctx *ctx = test_ctx(1 + (unsigned)(seed % 3));
        dpl__terms sets[N_RUNS + 1];
        make_sets(sets, ctx, seed);
        memset(ids, 0, sizeof ids);
        write_vocabulary(ctx, "sorted.dpl", sets, true, ids[0]);
        write_vocabulary(ctx, "memory.dpl", sets, false, ids[1]);
        CHECK(memcmp(ids[0], ids[1], sizeof ids[0]) == 0);
        size_t n_sorted, n_memory;
        char *sorted = test_read(test_path("sorted.dpl"), &n_sorted),
             *memory = test_read(test_path("memory.dpl"), &n_memory);
        CHECK_EQ(n_sorted, n_memory);
        CHECK(memcmp(sorted, memory, n_sorted) == 0);
        free(sorted);
        free(memory);
        for (size_t r = 0; r <= N_RUNS; r++)
            dpl__terms_clear(&sets[r]);
        test_ctx_done(ctx);
    }
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
    for (int is_sorted = 0; is_sorted < 2; is_sorted++) {
        dpl_file *file = write_rows(ctx, &terms, is_sorted, tokens, DPL_LEN(counts));
        const uint32_t *given = section(file, "tokens", DPL_LEN(counts));
        for (size_t i = 0; i < DPL_LEN(counts); i++)
            CHECK_EQ(given[i], ids[i]);
        dpl_file_close(file);
    }
    dpl__terms_clear(&terms);
    test_ctx_done(ctx);
}
