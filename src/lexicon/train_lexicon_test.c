#include "lexicon/drawn_text_test.h"

static dpl_lexicon *open_lexicon(dpl_ctx *ctx, const char *path)
{
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl_lexicon_open(&l, ctx, path, NULL, &test_err));
    return l;
}

DPL_TEST(lexicon_train, words_get_their_translations)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *out = test_path("l.dpl"), *text = rows_draw("rows.tsv", 1, 500, 0, 40);
    dpl_train_options o = rows_options();
    dpl_lexicon_sizes sizes_of_run = DPL_INIT(dpl_lexicon_sizes);
    dpl_bitext_counts read = DPL_INIT(dpl_bitext_counts);
    dpl_train_summary s = DPL_INIT(dpl_train_summary, .sizes = &sizes_of_run, .read = &read);
    CHECK_OK(rows_train(&s, ctx, out, text, &o));
    CHECK_EQ(s.n_rows, 500);
    CHECK_EQ(read.n_rows, 500);
    CHECK_EQ(s.n_words[0], 41);
    CHECK_EQ(s.n_words[1], 41);
    CHECK_EQ(s.n_dropped, 0);
    CHECK(s.perplexity[0] < 10 && s.perplexity[1] < 10);
    CHECK(s.n_links >= sizes_of_run.n_links && sizes_of_run.n_links > 40);
    dpl_lexicon *l = open_lexicon(ctx, out);
    const dpl_lexicon_sizes *sizes = dpl_lexicon_get_sizes(l);
    CHECK_EQ(sizes->n_sources, sizes_of_run.n_sources);
    CHECK_EQ(sizes->n_entries, sizes_of_run.n_entries);
    CHECK_EQ(sizes->n_back, sizes_of_run.n_back);
    CHECK_EQ(sizes->n_links, sizes_of_run.n_links);
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "de");
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).target_lang), "en");
    char source[20], target[20];
    for (unsigned w = 0; w < 20; w++) {
        snprintf(source, sizeof source, "ba%u", w);
        snprintf(target, sizeof target, "go%u", w);
        CHECK(rows_p(l, source, target, false) > 0.5f);
        CHECK(rows_p(l, source, target, true) > 0.5f);
    }
    /* Marks are words of the model, not of the tables. */
    uint32_t mark;
    CHECK(dpl_lexicon_find_source(l, DPL_STR("."), &mark));
    CHECK_EQ(dpl_lexicon_count(l, false, mark), 500);
    CHECK(rows_p(l, ".", ".", false) == 0 && rows_p(l, ".", ".", true) == 0);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* ---- the same bytes ----------------------------------------------------------------- */

static dpl_ctx *ctx_of(unsigned n_threads, dpl_cpu cpu, uint64_t memory)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o =
        DPL_INIT(dpl_ctx_options, .n_threads = n_threads, .cpu = cpu, .memory = memory);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    return ctx;
}

DPL_TEST(lexicon_train, threads_levels_and_memory_do_not_show)
{
    const char *text = rows_draw("rows.tsv", 2, 3000, 0, 300);
    const char *first = test_path("first.dpl"), *other = test_path("other.dpl");
    dpl_ctx *ctx = test_ctx(1);
    dpl_train_options o = rows_options();
    dpl_lexicon_sizes sizes_of_run = DPL_INIT(dpl_lexicon_sizes);
    dpl_bitext_counts read = DPL_INIT(dpl_bitext_counts);
    dpl_train_summary s = DPL_INIT(dpl_train_summary, .sizes = &sizes_of_run, .read = &read);
    CHECK_OK(rows_train(NULL, ctx, first, text, &o));
    test_ctx_done(ctx);
    for (unsigned n_threads = 1; n_threads <= 3; n_threads++)
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            ctx = ctx_of(n_threads, (dpl_cpu)cpu, 0);
            CHECK_OK(rows_train(&s, ctx, other, text, &o));
            CHECK(rows_same_bytes(first, other));
            test_ctx_done(ctx);
        }
    bool has_blocks = false;
    for (uint64_t memory = 64 << 20; memory > 1 << 18; memory -= memory / 4) {
        ctx = ctx_of(2, DPL_CPU_AUTO, memory);
        if (rows_train(&s, ctx, other, text, &o) == DPL_OK && s.n_dropped == 0) {
            CHECK(rows_same_bytes(first, other));
            has_blocks |= s.n_blocks > 1;
        }
        test_ctx_done(ctx);
    }
    CHECK(has_blocks);
}

/* ---- what cannot be used ------------------------------------------------------------ */

/* A side of n words. */
static void put_words(FILE *f, const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%s%zu ", word, i % 100);
}

DPL_TEST(lexicon_train, empty_and_long_rows_are_skipped_and_counted)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *text = rows_draw("rows.tsv", 3, 50, 0, 10);
    FILE *f = fopen(text, "a");
    CHECK(f);
    fputs("\t\nein Satz\t\n\tone\n \t \n", f);
    put_words(f, "a", 10000);
    fputc('\t', f);
    put_words(f, "b", 10000);
    fputc('\n', f);
    CHECK_EQ(fclose(f), 0);
    dpl_train_options o = rows_options();
    dpl_lexicon_sizes sizes_of_run = DPL_INIT(dpl_lexicon_sizes);
    dpl_bitext_counts read = DPL_INIT(dpl_bitext_counts);
    dpl_train_summary s = DPL_INIT(dpl_train_summary, .sizes = &sizes_of_run, .read = &read);
    CHECK_OK(rows_train(&s, ctx, test_path("l.dpl"), text, &o));
    CHECK_EQ(s.n_rows, 50);
    CHECK_EQ(s.n_empty, 4);
    CHECK_EQ(s.n_long, 1);
    CHECK(dpl_ctx_peak(ctx) < 32 << 20);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_train, nothing_to_train_on_is_an_error)
{
    static const char *const texts[] = {"", "\t\n", "ein Satz\t\n\tone\n"};
    dpl_ctx *ctx = test_ctx(2);
    dpl_train_options o = rows_options();
    for (size_t i = 0; i < DPL_LEN(texts); i++) {
        const char *path = test_write("rows.tsv", texts[i], strlen(texts[i]));
        CHECK_EQ(rows_train(NULL, ctx, test_path("l.dpl"), path, &o), DPL_E_NOTHING);
        CHECK(strstr(test_err.text, "nothing to train on"));
    }
    CHECK_EQ(rows_train(NULL, ctx, test_path("l.dpl"), test_path("missing"), &o), DPL_E_IO);
    o.max_words = 100000;
    CHECK_EQ(rows_train(NULL, ctx, test_path("l.dpl"), test_path("missing"), &o), DPL_E_USAGE);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_train, text_that_does_not_fit_says_what_it_needs)
{
    const char *text = rows_draw("rows.tsv", 4, 40000, 0, 3000);
    dpl_train_options o = rows_options();
    dpl_ctx *ctx = ctx_of(2, DPL_CPU_AUTO, 1 << 20);
    CHECK_EQ(rows_train(NULL, ctx, test_path("l.dpl"), text, &o), DPL_E_LIMIT);
    CHECK(strstr(test_err.text, " MiB of memory; the limit is 1.0"));
    const char *number = strstr(test_err.text, "some ");
    CHECK(number);
    uint64_t needed = strtoull(number + 5, NULL, 10);
    test_ctx_done(ctx);
    CHECK(needed > 2 && needed < 64);
    ctx = ctx_of(2, DPL_CPU_AUTO, needed << 20);
    dpl_lexicon_sizes sizes_of_run = DPL_INIT(dpl_lexicon_sizes);
    dpl_bitext_counts read = DPL_INIT(dpl_bitext_counts);
    dpl_train_summary s = DPL_INIT(dpl_train_summary, .sizes = &sizes_of_run, .read = &read);
    CHECK_OK(rows_train(&s, ctx, test_path("l.dpl"), text, &o));
    CHECK(s.n_dropped > 0);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_train, rows_too_long_for_the_memory_are_an_error)
{
    const char *text = test_path("rows.tsv");
    FILE *f = fopen(text, "w");
    CHECK(f);
    put_words(f, "a", 1500);
    fputc('\t', f);
    put_words(f, "b", 1500);
    CHECK_EQ(fclose(f), 0);
    dpl_ctx *ctx = ctx_of(2, DPL_CPU_AUTO, 16 << 20);
    dpl_train_options o = rows_options();
    o.max_words = 2000;
    CHECK_EQ(rows_train(NULL, ctx, test_path("l.dpl"), text, &o), DPL_E_LIMIT);
    CHECK(strstr(test_err.text, "rows of 1500 words need"));
    test_ctx_done(ctx);
}

/* ---- going on ----------------------------------------------------------------------- */

DPL_TEST(lexicon_train, a_model_is_trained_further)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *old = rows_draw("old.tsv", 5, 400, 0, 30);
    const char *new = rows_draw("new.tsv", 6, 400, 20, 30); /* some words are new */
    const char *first = test_path("first.dpl"), *second = test_path("second.dpl");
    dpl_train_options o = rows_options();
    dpl_train_summary s = DPL_INIT(dpl_train_summary), t = s;
    CHECK_OK(rows_train(&s, ctx, first, old, &o));
    o = (dpl_train_options)DPL_INIT(
        dpl_train_options,
        .read = &(dpl_bitext_options)DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV),
        .lexicon = first);
    CHECK_OK(rows_train(&t, ctx, second, new, &o));
    CHECK_EQ(s.n_words[0], 31);
    CHECK_EQ(t.n_words[0], 51);
    CHECK_EQ(t.n_rows, 400);
    dpl_lexicon *before = open_lexicon(ctx, first), *after = open_lexicon(ctx, second);
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(after).source_lang), "de");
    CHECK(rows_p(before, "ba3", "go3", false) > 0.5f);
    CHECK(rows_p(after, "ba3", "go3", false) > 0.5f);
    CHECK(rows_p(before, "ba40", "go40", false) == 0);
    CHECK(rows_p(after, "ba40", "go40", false) > 0.3f);
    CHECK(rows_p(after, "ba22", "go22", false) > rows_p(before, "ba22", "go22", false));
    uint32_t of_before, of_after;
    CHECK(dpl_lexicon_find_source(before, DPL_STR("ba20"), &of_before));
    CHECK(dpl_lexicon_find_source(after, DPL_STR("ba20"), &of_after));
    CHECK(dpl_lexicon_count(after, false, of_after) >
          dpl_lexicon_count(before, false, of_before));
    dpl_lexicon_close(before);
    dpl_lexicon_close(after);
    test_ctx_done(ctx);
}

static dpl_str written(const dpl_lexicon *l, bool is_target, const char *stem)
{
    uint32_t word = 0;
    CHECK(is_target ? dpl_lexicon_find_target(l, dpl__cstr(stem), &word)
                    : dpl_lexicon_find_source(l, dpl__cstr(stem), &word));
    return dpl_lexicon_written(l, is_target, word);
}

/* Stems are for computing; people read the words of the text, of a training that goes on, too.
 */
DPL_TEST(lexicon_train, stems_are_shown_as_words)
{
    static const char rows[] = "Vulkane brechen aus.\tVolcanoes erupt.\n"
                               "Ein Vulkan ruht.\tOne of the volcanoes rests.\n",
                      more[] = "Die Brücken ruhen.\tThe bridges rest happily.\n";
    dpl_ctx *ctx = test_ctx(1);
    const char *first = test_path("first.dpl"), *second = test_path("second.dpl");
    dpl_train_options o = rows_options();
    o.stem = true;
    CHECK_OK(rows_train(NULL, ctx, first, test_write("a.tsv", rows, sizeof rows - 1), &o));
    dpl_lexicon *l = open_lexicon(ctx, first);
    CHECK_STR(written(l, false, "vulkan"), "Vulkan");
    CHECK_STR(written(l, true, "volcano"), "volcanoes"); /* not large, as a row begins */
    CHECK_STR(written(l, true, "erupt"), "erupt");
    dpl_lexicon_close(l);
    o.lexicon = first;
    CHECK_OK(rows_train(NULL, ctx, second, test_write("b.tsv", more, sizeof more - 1), &o));
    l = open_lexicon(ctx, second);
    CHECK_STR(written(l, true, "volcano"), "volcanoes");
    CHECK_STR(written(l, true, "bridg"), "bridges");
    CHECK_STR(written(l, true, "happili"), "happily");
    CHECK_STR(written(l, false, "bruck"), "Brücken");
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon_train, what_one_goes_on_from_must_fit)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *text = rows_draw("rows.tsv", 7, 50, 0, 10), *start = test_path("start.dpl");
    dpl_train_options o = rows_options();
    o.no_model = true;
    dpl_lexicon_sizes sizes_of_run = DPL_INIT(dpl_lexicon_sizes);
    dpl_bitext_counts read = DPL_INIT(dpl_bitext_counts);
    dpl_train_summary s = DPL_INIT(dpl_train_summary, .sizes = &sizes_of_run, .read = &read);
    CHECK_OK(rows_train(&s, ctx, start, text, &o));
    CHECK_EQ(sizes_of_run.n_links, 0);
    CHECK(sizes_of_run.n_entries > 0);
    o = rows_options();
    o.lexicon = start;
    CHECK_EQ(rows_train(NULL, ctx, test_path("l.dpl"), text, &o), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "has no model"));
    o.lexicon = NULL;
    CHECK_OK(rows_train(NULL, ctx, start, text, &o));
    o.lexicon = start;
    dpl_bitext_options french = *o.read;
    french.left_lang = "fr";
    o.read = &french;
    CHECK_EQ(rows_train(NULL, ctx, test_path("l.dpl"), text, &o), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "not on 'fr'"));
    test_ctx_done(ctx);
}

/* ---- links -------------------------------------------------------------------------- */

DPL_TEST(lexicon_train, weak_links_go_and_tables_stay)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *text = rows_draw("rows.tsv", 8, 300, 0, 40), *out = test_path("l.dpl");
    dpl_train_options o = rows_options();
    dpl_lexicon_sizes all = DPL_INIT(dpl_lexicon_sizes), some = all, few = all;
    dpl_train_summary s = DPL_INIT(dpl_train_summary, .sizes = &all);
    o.min_link = -1;
    CHECK_OK(rows_train(&s, ctx, out, text, &o));
    CHECK_EQ(all.n_links, s.n_links);
    o.min_link = 0;
    s.sizes = &some;
    CHECK_OK(rows_train(&s, ctx, out, text, &o));
    o.min_link = 5;
    s.sizes = &few;
    CHECK_OK(rows_train(&s, ctx, out, text, &o));
    CHECK(some.n_links < all.n_links);
    CHECK(few.n_links < some.n_links && few.n_links > 0);
    CHECK_EQ(all.n_entries, few.n_entries);
    CHECK_EQ(all.n_back, few.n_back);
    test_ctx_done(ctx);
}

static dpl_status train_quietly(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const char *const *paths = user;
    dpl_train_options o = rows_options();
    o.model1 = o.hmm = 1;
    o.lexicon = paths[1];
    o.min_link = 1; /* above what tables want: both are made */
    return dpl_lexicon_train(NULL, ctx, paths[2], paths, 1, &o, err);
}

DPL_TEST(lexicon_train, failing_allocations_are_reported)
{
    const char *paths[] = {rows_draw("rows.tsv", 9, 20, 0, 5), NULL, test_path("start.dpl")};
    test_allocation_failures(train_quietly, paths);
    paths[1] = paths[2];
    paths[2] = test_path("further.dpl");
    test_allocation_failures(train_quietly, paths);
}

DPL_TEST(lexicon_train, an_input_is_not_overwritten)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *text = rows_draw("rows.tsv", 9, 20, 0, 5);
    CHECK_EQ(dpl_lexicon_train(NULL, ctx, text, &text, 1, NULL, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.code), "output-is-input");
    dpl_train_options o = rows_options();
    o.lexicon = test_write("start.dpl", "", 0);
    CHECK_EQ(dpl_lexicon_train(NULL, ctx, o.lexicon, &text, 1, &o, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.code), "output-is-input");
    test_ctx_done(ctx);
}
