#include "mine/training_rows.h"

#include "base/order.h"
#include "mine/random_sides_test.h"

#include <math.h>
#include <unistd.h>

enum { DOCS = 40, TERMS = 25 };
static const side_shape shape = {DOCS, 1, 8, TERMS, false, false};

/* The documents of both sides are rows; mirrored: right ones are the left column. */
static void add_docs(dpl__training_rows *rows, const dpl__comparable *p, uint32_t n,
                     bool is_turned)
{
    *rows = (dpl__training_rows){.ctx = p->ctx,
                                 .collection = {p->c[is_turned], p->c[!is_turned]},
                                 .lang = {p->lang[is_turned], p->lang[!is_turned]},
                                 .is_mirrored = is_turned};
    for (uint32_t doc = 0; doc < n; doc++) {
        const uint32_t *tokens[2];
        size_t n_tokens[2];
        for (int side = 0; side < 2; side++)
            tokens[side] = dpl_collection_tokens(rows->collection[side], doc, &n_tokens[side]);
        CHECK_OK(dpl__training_rows_add(rows, tokens[0], n_tokens[0], tokens[1], n_tokens[1],
                                        &test_err));
    }
}

static dpl_lexicon *train(dpl__training_rows *rows, const char *name)
{
    dpl_train_summary s;
    dpl__reason why = {0};
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl__training_rows_train(&s, &why, rows, test_path(name), &test_err));
    CHECK(!dpl__is_nothing(&why));
    CHECK_EQ(s.n_rows, rows->ends[0].n - 1);
    CHECK(s.n_words[0] && s.n_words[1] && s.n_output_bytes && !s.sizes && !s.read);
    CHECK(s.train_seconds >= 0 && s.seconds >= s.train_seconds && s.seconds < 1000);
    CHECK_OK(dpl_lexicon_open(&l, rows->ctx, test_path(name), NULL, &test_err));
    return l;
}

DPL_TEST(training_rows, are_those_that_were_added)
{
    dpl__rng rng = {dpl__mix(1700)};
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = make_parallel_sides(ctx, &rng, shape, 0);
    dpl__training_rows rows;
    add_docs(&rows, &p, DOCS, false);
    for (int side = 0; side < 2; side++) {
        CHECK_EQ(rows.ends[side].n, DOCS + 1);
        for (uint32_t doc = 0; doc < DOCS; doc++) {
            size_t n;
            const uint32_t *tokens = dpl_collection_tokens(p.c[side], doc, &n);
            const uint64_t at = rows.ends[side].data[doc];
            CHECK_EQ(rows.ends[side].data[doc + 1] - at, n);
            CHECK(!memcmp(rows.tokens[side].data + at, tokens, n * sizeof *tokens));
        }
    }
    dpl__training_rows_clear(&rows);
    close_sides(&p);
    test_ctx_done(ctx);
}

/* How often a term stands in the first rows. */
static uint64_t count_of(const dpl__comparable *p, int side, dpl_str text, uint32_t n)
{
    uint32_t term;
    uint64_t count = 0;
    if (!dpl_collection_find_term(p->c[side], text, &term))
        return 0;
    for (uint32_t doc = 0; doc < n; doc++) {
        size_t n_tokens;
        const uint32_t *tokens = dpl_collection_tokens(p->c[side], doc, &n_tokens);
        for (size_t i = 0; i < n_tokens; i++)
            count += tokens[i] == term;
    }
    return count;
}

DPL_TEST(training_rows, words_of_the_lexicon_are_those_of_the_rows)
{
    dpl__rng rng = {dpl__mix(1701)};
    for (uint32_t n = 5; n <= DOCS; n += 7) {
        dpl_ctx *ctx = test_ctx(2);
        dpl__comparable p = make_parallel_sides(ctx, &rng, shape, 0);
        dpl__training_rows rows;
        add_docs(&rows, &p, n, false);
        dpl_lexicon *l = train(&rows, "lexicon.dpl");
        const dpl_lexicon_sizes *sizes = dpl_lexicon_get_sizes(l);
        CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "eo");
        CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).target_lang), "sw");
        CHECK(!dpl_lexicon_get_info(l).is_stemmed);
        for (int side = 0; side < 2; side++) {
            const uint32_t n_words = side ? sizes->n_targets : sizes->n_sources;
            uint64_t n_there = 0;
            for (uint32_t i = 0; i < n_words; i++) {
                const dpl_str word = side ? dpl_lexicon_target(l, i) : dpl_lexicon_source(l, i);
                CHECK_EQ(dpl_lexicon_count(l, side, i), count_of(&p, side, word, n));
                n_there += dpl_lexicon_count(l, side, i) > 0;
            }
            CHECK_EQ(n_there, n_words);
            n_there = 0;
            for (uint32_t t = 0; t < dpl_collection_get_sizes(p.c[side])->n_terms; t++)
                n_there += count_of(&p, side, dpl_collection_term(p.c[side], t), n) > 0;
            CHECK_EQ(n_words, n_there);
        }
        /* the same word in the other language is the likeliest one of frequent words */
        dpl_lexicon_close(l);
        dpl__training_rows_clear(&rows);
        close_sides(&p);
        test_ctx_done(ctx);
    }
}

static double p_of(const dpl_lexicon *l, bool is_back, dpl_str source, dpl_str target)
{
    dpl_lexicon_entries it = dpl_lexicon_entries_begin(l, is_back);
    dpl_lexicon_entry e;
    while (dpl_lexicon_entries_next(&it, &e))
        if (dpl__str_eq(e.source, source) && dpl__str_eq(e.target, target))
            return (double)e.p;
    return -1;
}

/* With the sides the other way round, and said to be so, all numbers are the same. */
DPL_TEST(training_rows, mirrored_ones_give_the_mirror_image)
{
    dpl__rng rng = {dpl__mix(1702)};
    for (unsigned turn = 0; turn < 3; turn++) {
        dpl_ctx *ctx = test_ctx(1 + turn);
        dpl__comparable p = make_parallel_sides(ctx, &rng, shape, 0);
        dpl__training_rows rows, turned;
        add_docs(&rows, &p, DOCS, false);
        add_docs(&turned, &p, DOCS, true);
        dpl_lexicon *l = train(&rows, "lexicon.dpl"), *m = train(&turned, "turned.dpl");
        CHECK(dpl_lexicon_get_sizes(l)->n_sources == dpl_lexicon_get_sizes(m)->n_targets);
        CHECK_STR(dpl__cstr(dpl_lexicon_get_info(m).source_lang), "sw");
        for (int is_back = 0; is_back < 2; is_back++) {
            dpl_lexicon_entries it = dpl_lexicon_entries_begin(l, is_back);
            dpl_lexicon_entry e;
            size_t n = 0;
            for (; dpl_lexicon_entries_next(&it, &e); n++)
                CHECK(p_of(m, !is_back, e.target, e.source) == (double)e.p);
            CHECK(n > TERMS / 2);
        }
        dpl_lexicon_close(l);
        dpl_lexicon_close(m);
        dpl__training_rows_clear(&rows);
        dpl__training_rows_clear(&turned);
        close_sides(&p);
        test_ctx_done(ctx);
    }
}

DPL_TEST(training_rows, none_are_a_reason_and_no_file)
{
    dpl__rng rng = {dpl__mix(1703)};
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = make_parallel_sides(ctx, &rng, shape, 0);
    dpl__training_rows rows;
    dpl_train_summary s = {.n_rows = 7};
    dpl__reason why = {0};
    add_docs(&rows, &p, 0, false);
    CHECK_OK(dpl__training_rows_train(&s, &why, &rows, test_path("none.dpl"), &test_err));
    CHECK(dpl__is_nothing(&why) && strstr(why.text, "no sentence pairs"));
    CHECK(s.size == sizeof s && !s.n_rows && !s.read);
    CHECK(access(test_path("none.dpl"), F_OK) != 0);
    dpl__training_rows_clear(&rows);
    close_sides(&p);
    test_ctx_done(ctx);
}

/* Rows that would not fit are refused before they are taken. */
DPL_TEST(training_rows, that_do_not_fit_into_memory_are_refused)
{
    enum { MANY = 100000 };
    dpl__rng rng = {dpl__mix(1704)};
    dpl_ctx *ctx = test_ctx(1), *small = NULL;
    const dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 4 << 20);
    static const uint32_t tokens[MANY];
    dpl_status status = DPL_OK;
    size_t n = 0;
    CHECK_OK(dpl_ctx_new(&small, &o, &test_err));
    dpl__comparable p = make_parallel_sides(ctx, &rng, shape, 0);
    dpl__training_rows rows = {.ctx = small, .collection = {p.c[0], p.c[1]}};
    for (; n < 100 && status == DPL_OK; n++)
        status = dpl__training_rows_add(&rows, tokens, MANY, tokens, MANY, &test_err);
    CHECK(status == DPL_E_LIMIT && n > 1 && n < 6); /* 0.8 MB each */
    CHECK(strstr(test_err.text, "sentence pairs to learn from need up to"));
    CHECK(strstr(test_err.text, "the limit is 4"));
    CHECK_EQ(rows.ends[0].n, n);
    dpl__training_rows_clear(&rows);
    test_ctx_done(small);
    close_sides(&p);
    test_ctx_done(ctx);
}

/* ---- stems --------------------------------------------------------------------------------
 */

static dpl_collection *make_stems(dpl_ctx *ctx, const char *name, const char *text,
                                  const char *lang)
{
    char tsv[1000], path[1000];
    dpl_collection *c = NULL;
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = lang);
    const dpl_tokens_options stems = DPL_INIT(dpl_tokens_options, .stem = true);
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read, .tokens = &stems);
    snprintf(tsv, sizeof tsv, "%s", test_write("stems.tsv", text, strlen(text)));
    snprintf(path, sizeof path, "%s", test_path(name));
    const char *in = tsv;
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

/* Stems are read by people as the words that they are of; not those of a trial. */
DPL_TEST(training_rows, stems_are_written_as_words_unless_it_is_a_trial)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = {.ctx = ctx};
    set_side(&p, 0, make_stems(ctx, "l.dpl", "a\tthe houses stand\nb\tthe houses burn\n", "en"),
             "en");
    set_side(&p, 1,
             make_stems(ctx, "r.dpl", "a\tdie Häuser stehen\nb\tdie Häuser brennen\n", "de"),
             "de");
    for (int is_trial = 0; is_trial < 2; is_trial++) {
        dpl__training_rows rows;
        dpl_train_summary s;
        dpl__reason why = {0};
        dpl_lexicon *l = NULL;
        bool has_word = false;
        add_docs(&rows, &p, 2, false);
        rows.is_stemmed = true;
        rows.is_trial = is_trial;
        CHECK_OK(dpl__training_rows_train(&s, &why, &rows, test_path("stems.lexicon.dpl"),
                                          &test_err));
        CHECK_OK(dpl_lexicon_open(&l, ctx, test_path("stems.lexicon.dpl"), NULL, &test_err));
        CHECK(dpl_lexicon_get_info(l).is_stemmed);
        size_t n = 0;
        char *bytes = test_read(test_path("stems.lexicon.dpl"), &n);
        for (size_t i = 0; i + 6 <= n; i++)
            has_word |= memcmp(bytes + i, "houses", 6) == 0;
        CHECK_EQ(has_word, !is_trial);
        free(bytes);
        dpl_lexicon_close(l);
        dpl__training_rows_clear(&rows);
    }
    close_sides(&p);
    test_ctx_done(ctx);
}
