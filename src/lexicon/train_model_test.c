#include "lexicon/train_model.h"

#include "doppel/file.h"

#include "lexicon/encoded_test.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static dpl_ctx *ctx_of(unsigned n_threads, dpl_cpu cpu)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = n_threads, .cpu = cpu);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    return ctx;
}

DPL_TEST(train, threads_and_levels_give_the_same_bits)
{
    static corpus c;
    corpus_draw(&c, 3, CORPUS_ROWS, 18);
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel one, m;
    CHECK_OK(dpl__train_model(&one, NULL, ctx, &c.encoded, NULL, &test_err));
    for (unsigned n_threads = 1; n_threads <= 4; n_threads++)
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            dpl_ctx *other = ctx_of(n_threads, (dpl_cpu)cpu);
            CHECK_OK(dpl__train_model(&m, NULL, other, &c.encoded, NULL, &test_err));
            CHECK(same_models(&one, &m));
            dpl__wordmodel_clear(&m);
            test_ctx_done(other);
        }
    dpl__wordmodel_clear(&one);
    test_ctx_done(ctx);
}

DPL_TEST(train, blocks_give_the_same_bits)
{
    static corpus c;
    corpus_draw(&c, 4, CORPUS_ROWS, 18);
    dpl_ctx *ctx = test_ctx(2);
    dpl__wordmodel one, m;
    dpl__model_summary s;
    CHECK_OK(dpl__train_model(&one, &s, ctx, &c.encoded, NULL, &test_err));
    CHECK_EQ(s.n_blocks, 1);
    for (uint64_t memory = 120000; memory < 500000; memory += 90000) {
        dpl__model_options o = {.memory = memory};
        CHECK_OK(dpl__train_model(&m, &s, ctx, &c.encoded, &o, &test_err));
        CHECK_EQ(s.n_dropped, 0);
        CHECK(memory > 300000 || s.n_blocks > 1);
        CHECK(same_models(&one, &m));
        dpl__wordmodel_clear(&m);
    }
    dpl__wordmodel_clear(&one);
    test_ctx_done(ctx);
}

/* The corpus so many times: enough cells for processes to share. */
static dpl__encoded repeat(const corpus *c, size_t n)
{
    dpl__encoded all = c->encoded;
    for (int side = 0; side < 2; side++) {
        const uint64_t n_tokens = c->begin[side][c->encoded.n_rows];
        uint64_t *begin = malloc((n * c->encoded.n_rows + 1) * sizeof *begin);
        uint32_t *tokens = malloc(n * n_tokens * sizeof *tokens);
        CHECK(begin && tokens);
        begin[0] = 0;
        for (size_t i = 0; i < n; i++) {
            for (size_t row = 0; row < c->encoded.n_rows; row++)
                begin[i * c->encoded.n_rows + row + 1] = i * n_tokens + c->begin[side][row + 1];
            for (size_t k = 0; k < n_tokens; k++) /* no two copies are alike */
                tokens[i * n_tokens + k] = (uint32_t)((c->tokens[side][k] + i) % CORPUS_WORDS);
        }
        all.side[side].begin = begin;
        all.side[side].tokens = tokens;
    }
    all.n_rows = n * c->encoded.n_rows;
    return all;
}

/* Rows of random words of many: nearly every cell is a link. */
static dpl__encoded draw_many(uint64_t seed)
{
    enum { ROWS = 4000, WORDS = 1500, LENGTH = 17 };
    dpl__encoded all = {.n_rows = ROWS};
    dpl__rng rng = {seed};
    for (int side = 0; side < 2; side++) {
        uint64_t *begin = malloc((ROWS + 1) * sizeof *begin);
        uint32_t *tokens = malloc(ROWS * LENGTH * sizeof *tokens);
        CHECK(begin && tokens);
        for (size_t row = 0; row <= ROWS; row++)
            begin[row] = LENGTH * row;
        for (size_t k = 0; k < ROWS * LENGTH; k++)
            tokens[k] = (uint32_t)dpl__rng_below(&rng, WORDS);
        all.side[side] =
            (dpl__encoded_side){.begin = begin, .tokens = tokens, .n_words = WORDS};
    }
    return all;
}

/* damage: of chunks of the first process. */
static void check_shared(dpl__encoded all, uint32_t n_parts, uint64_t memory,
                         const char *damage)
{
    dpl__wordmodel one, m;
    dpl__model_summary s, t;
    dpl_ctx *alone = test_ctx(2);
    const dpl__model_options o = {.memory = memory};
    CHECK_OK(dpl__train_model(&one, &s, alone, &all, &o, &test_err));
    char name[40], command[5000];
    snprintf(name, sizeof name, "shared-training-%u", n_parts);
    const char *output = test_path(name);
    snprintf(command, sizeof command, "cd '%s.parts' && %s", output, damage);
    for (uint32_t i = 0; i < 3; i++) { /* the first makes all, the last mends it */
        const dpl_part part = {i % n_parts, n_parts};
        dpl_shared_run *run;
        dpl_ctx *ctx = test_ctx(i + 1);
        CHECK_OK(dpl_shared_run_open(&run, ctx, output, &part, "", &test_err));
        CHECK(i < 2 || system(command) == 0);
        CHECK_OK(dpl__train_model(&m, &t, ctx, &all, &o, &test_err));
        CHECK(same_models(&one, &m));
        CHECK_EQ(s.n_blocks, t.n_blocks);
        dpl__wordmodel_clear(&m);
        dpl_shared_run_close(run);
        test_ctx_done(ctx);
    }
    dpl__wordmodel_clear(&one);
    test_ctx_done(alone);
}

static void free_rows(const dpl__encoded *all)
{
    for (int side = 0; side < 2; side++) {
        free((void *)all->side[side].begin);
        free((void *)all->side[side].tokens);
    }
}

DPL_TEST(train, processes_that_share_the_rows_give_the_same_bits)
{
    static corpus c;
    static const uint32_t n_parts[] = {2, 7, 16};
    corpus_draw(&c, 8, CORPUS_ROWS, 18);
    const dpl__encoded all = repeat(&c, 100);
    check_shared(all, 1, 0, "true");
    check_shared(all, 3, 2 << 20, "true"); /* too little to share */
    for (int i = 0; i < 3; i++)
        check_shared(all, n_parts[i], 0,
                     "rm links-*-2-* counts-*-1-* && truncate -s 30 counts-*-2-*");
    free_rows(&all);
}

DPL_TEST(train, processes_share_the_rows_of_many_words)
{
    const dpl__encoded all = draw_many(19);
    check_shared(all, 3, 0, "rm counts-*-1-3 && truncate -s 30 links-*-2-3");
    free_rows(&all);
}

/* Stops when so many stages of chunks are complete. */
static int stop_behind(void *user, const dpl_progress *progress)
{
    unsigned *n_left = user;
    if (strcmp(progress->unit, "chunks") == 0 && progress->done == progress->total && *n_left)
        return --*n_left == 0;
    return 0;
}

DPL_TEST(train, a_process_goes_on_where_another_one_was_stopped)
{
    static const unsigned stops[] = {2, 6, 13, 16, 18};
    const dpl__encoded all = draw_many(20);
    dpl__wordmodel one, m;
    dpl_ctx *alone = test_ctx(2);
    CHECK_OK(dpl__train_model(&one, NULL, alone, &all, NULL, &test_err));
    for (unsigned i = 0; i < sizeof stops / sizeof *stops; i++) {
        const char *output = test_path("stopped-training");
        char damage[5000];
        unsigned n_left = stops[i];
        const dpl_part part[2] = {{0, 2}, {1, 2}};
        dpl_shared_run *run;
        dpl_ctx *ctx = NULL;
        dpl_ctx_options options =
            DPL_INIT(dpl_ctx_options, .progress = stop_behind, .progress_user = &n_left);
        CHECK_OK(dpl_ctx_new(&ctx, &options, &test_err));
        CHECK_OK(dpl_shared_run_open(&run, ctx, output, &part[0], "", &test_err));
        CHECK_EQ(dpl__train_model(&m, NULL, ctx, &all, NULL, &test_err), DPL_E_STOPPED);
        dpl_shared_run_close(run);
        test_ctx_done(ctx);
        snprintf(damage, sizeof damage,
                 "cd '%s.parts' && for f in maximized-*-2-2 counts-*-1-2; do "
                 "test %u = 0 -o ! -e $f || truncate -s %u $f; done",
                 output, i % 2, i % 3 ? 100000 : 300);
        CHECK(system(damage) == 0);
        ctx = test_ctx(1);
        CHECK_OK(dpl_shared_run_open(&run, ctx, output, &part[1], "", &test_err));
        CHECK_OK(dpl__train_model(&m, NULL, ctx, &all, NULL, &test_err));
        CHECK(same_models(&one, &m));
        dpl__wordmodel_clear(&m);
        dpl_shared_run_close(run);
        test_ctx_done(ctx);
        snprintf(damage, sizeof damage, "rm -r '%s.parts'", output);
        CHECK(system(damage) == 0);
    }
    dpl__wordmodel_clear(&one);
    test_ctx_done(alone);
    free_rows(&all);
}

DPL_TEST(train, too_little_memory_drops_links_and_says_so)
{
    static corpus c;
    corpus_draw(&c, 4, CORPUS_ROWS, 18);
    dpl_ctx *ctx = test_ctx(2);
    dpl__wordmodel m;
    dpl__model_summary s;
    dpl__model_options o = {.memory = 20000};
    CHECK_OK(dpl__train_model(&m, &s, ctx, &c.encoded, &o, &test_err));
    CHECK(s.n_dropped > 0);
    CHECK(m.n_links > 0);
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

DPL_TEST(train, links_that_are_needed_are_not_dropped_and_the_memory_for_them_is_named)
{
    static corpus c;
    corpus_draw(&c, 4, CORPUS_ROWS, 18);
    dpl_ctx *ctx = NULL;
    dpl__model_options o = {.needs_all_links = true};
    dpl__wordmodel m;
    dpl_ctx_options small = DPL_INIT(dpl_ctx_options, .n_threads = 2, .memory = 1 << 16);
    CHECK_OK(dpl_ctx_new(&ctx, &small, &test_err));
    CHECK_EQ(dpl__train_model(&m, NULL, ctx, &c.encoded, &o, &test_err), DPL_E_LIMIT);
    const char *needed = strstr(test_err.text, "needs about ");
    CHECK(needed);
    test_ctx_done(ctx);
    small.memory = strtoull(needed + strlen("needs about "), NULL, 10) << 20;
    CHECK_OK(dpl_ctx_new(&ctx, &small, &test_err));
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, &o, &test_err));
    dpl__wordmodel_clear(&m);
    CHECK(dpl_ctx_peak(ctx) <= small.memory);
    test_ctx_done(ctx);
}

DPL_TEST(train, blocks_stay_within_the_limit)
{
    static corpus c;
    corpus_draw(&c, 4, CORPUS_ROWS, 18);
    dpl_ctx *ctx = NULL;
    dpl__wordmodel m;
    dpl__model_summary s;
    const dpl_ctx_options small =
        DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 300 << 10);
    CHECK_OK(dpl_ctx_new(&ctx, &small, &test_err));
    CHECK_OK(dpl__train_model(&m, &s, ctx, &c.encoded, NULL, &test_err));
    dpl__wordmodel_clear(&m);
    CHECK(s.n_blocks > 1);
    CHECK_EQ(s.n_dropped, 0);
    CHECK(dpl_ctx_peak(ctx) <= small.memory);
    test_ctx_done(ctx);
}

DPL_TEST(train, empty_and_long_rows_are_skipped_and_counted)
{
    static corpus c, d;
    static const char *const rows[][2] = {{"ab", "ab"}, {"", "ab"}, {"ab", ""},     {"", ""},
                                          {"b", "b"},   {"a", "a"}, {"aaaa", "bbb"}};
    c = d = (corpus){0};
    for (size_t i = 0; i < DPL_LEN(rows); i++) {
        corpus_add(&c, rows[i][0], rows[i][1]);
        if (i % 4 == 0 || i == 5)
            corpus_add(&d, rows[i][0], rows[i][1]);
    }
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel m, few;
    dpl__model_summary s;
    dpl__model_options o = {.max_tokens = 3};
    CHECK_OK(dpl__train_model(&m, &s, ctx, &c.encoded, &o, &test_err));
    CHECK_EQ(s.n_rows, 3);
    CHECK_EQ(s.n_empty, 3);
    CHECK_EQ(s.n_long, 1);
    CHECK_EQ(s.n_cells, 6);
    CHECK_OK(dpl__train_model(&few, &s, ctx, &d.encoded, &o, &test_err));
    CHECK(same_models(&m, &few));
    dpl__wordmodel_clear(&m);
    dpl__wordmodel_clear(&few);
    test_ctx_done(ctx);
}

DPL_TEST(train, nothing_becomes_an_empty_model)
{
    static corpus c;
    c = (corpus){0};
    corpus_add(&c, "", "");
    dpl_ctx *ctx = test_ctx(2);
    dpl__wordmodel m;
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
    CHECK_EQ(m.n_links, 0);
    dpl__wordmodel_clear(&m);
    c.encoded.n_rows = 0;
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

/* ---- going on ----------------------------------------------------------------------- */

DPL_TEST(train, nothing_new_changes_nothing)
{
    static corpus c;
    corpus_draw(&c, 5, 200, 12);
    dpl_ctx *ctx = test_ctx(2);
    dpl__wordmodel m, again;
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
    corpus none = c;
    none.encoded.n_rows = 0;
    dpl__model_options o = {.start = &m};
    CHECK_OK(dpl__train_model(&again, NULL, ctx, &none.encoded, &o, &test_err));
    CHECK_EQ(again.n_links, m.n_links);
    for (uint64_t k = 0; k < m.n_links; k++) {
        CHECK(again.counts[k] == m.counts[k]);
        for (int side = 0; side < 2; side++)
            CHECK(fabsf(again.links[k].p[side] - m.links[k].p[side]) < 1e-6f);
    }
    for (int side = 0; side < 2; side++)
        for (uint32_t w = 0; w < CORPUS_WORDS; w++)
            CHECK(fabsf(again.empty[side][w] - m.empty[side][w]) < 1e-6f);
    dpl__wordmodel_clear(&m);
    dpl__wordmodel_clear(&again);
    test_ctx_done(ctx);
}

/* The second corpus has new words; the old ones, which are not in it, keep what they had. */
DPL_TEST(train, new_words_are_learnt_and_old_ones_kept)
{
    static corpus c, d;
    c = d = (corpus){0};
    for (int i = 0; i < 10; i++) {
        corpus_add(&c, "ab", "ab");
        corpus_add(&c, "ac", "ac");
        corpus_add(&c, "dc", "dc");
        corpus_add(&d, "ae", "ae");
        corpus_add(&d, "ef", "ef");
        corpus_add(&d, "fd", "fd");
    }
    dpl_ctx *ctx = test_ctx(1);
    dpl__wordmodel m, more;
    CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
    dpl__model_options o = {.start = &m};
    CHECK_OK(dpl__train_model(&more, NULL, ctx, &d.encoded, &o, &test_err));
    for (uint32_t w = 0; w < 6; w++)
        for (int side = 0; side < 2; side++)
            CHECK(more.links[link_of(&more, w, w)].p[side] > 0.8f);
    CHECK(more.counts[link_of(&more, 0, 0)] > m.counts[link_of(&m, 0, 0)] + 5);
    dpl__wordmodel_clear(&m);
    dpl__wordmodel_clear(&more);
    test_ctx_done(ctx);
}

/* ---- failure ------------------------------------------------------------------------ */

static dpl_status train_twice(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const corpus *c = user;
    dpl__wordmodel m, more;
    dpl__model_options o = {.n_model1 = 1, .n_hmm = 1, .memory = 100000};
    DPL_TRY(dpl__train_model(&m, NULL, ctx, &c->encoded, &o, err));
    o.start = &m;
    dpl_status status = dpl__train_model(&more, NULL, ctx, &c->encoded, &o, err);
    if (status == DPL_OK)
        dpl__wordmodel_clear(&more);
    dpl__wordmodel_clear(&m);
    return status;
}

DPL_TEST(train, survives_every_failing_allocation)
{
    static corpus c;
    corpus_draw(&c, 6, 40, 8);
    test_allocation_failures(train_twice, &c);
    c.encoded.n_classes = 0;
    test_allocation_failures(train_twice, &c);
}

static int stop(void *user, const dpl_progress *progress)
{
    (void)user;
    return progress->done > 0;
}

DPL_TEST(train, stops_when_asked)
{
    static corpus c;
    corpus_draw(&c, 6, 40, 8);
    dpl_ctx *ctx = NULL;
    dpl_ctx_options options = DPL_INIT(dpl_ctx_options, .n_threads = 1, .progress = stop);
    CHECK_OK(dpl_ctx_new(&ctx, &options, &test_err));
    dpl__wordmodel m;
    dpl__model_options o = {.n_model1 = 3000};
    CHECK_EQ(dpl__train_model(&m, NULL, ctx, &c.encoded, &o, &test_err), DPL_E_STOPPED);
    test_ctx_done(ctx);
}
