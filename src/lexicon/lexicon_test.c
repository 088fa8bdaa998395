#include "lexicon/lexicon.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- helpers ------------------------------------------------------------------------ */

static dpl_status open_with(dpl_lexicon **out, dpl_ctx *ctx, const char *text,
                            const dpl_lexicon_options *o)
{
    return dpl__lexicon_open_memory(out, ctx, "x.tsv", dpl__cstr(text), o, &test_err);
}

static dpl_lexicon *open_text(dpl_ctx *ctx, const char *text)
{
    dpl_lexicon *l = NULL;
    CHECK_OK(open_with(&l, ctx, text, NULL));
    return l;
}

/* p(target|source), -1 when one of them is not there, 0 when the pair is not. */
static double probability(const dpl_lexicon *l, const char *source, const char *target)
{
    uint32_t s, t;
    if (!dpl_lexicon_find_source(l, dpl__cstr(source), &s) ||
        !dpl_lexicon_find_target(l, dpl__cstr(target), &t))
        return -1;
    const float *p;
    size_t n;
    const uint32_t *row = dpl_lexicon_row(l, s, &p, &n);
    for (size_t i = 0; i < n; i++)
        if (row[i] == t)
            return (double)p[i];
    return 0;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

/* ---- what is read ------------------------------------------------------------------- */

DPL_TEST(lexicon, holds_words_in_byte_order_and_their_rows)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = open_text(ctx, "haus\thouse\t0.75\nhaus\thome\t.25\nab\thouse\t1\n"
                                    "haus\tbuilding\t2.5e-3\n");
    const dpl_lexicon_sizes *size = dpl_lexicon_get_sizes(l);
    CHECK_EQ(size->n_sources, 2);
    CHECK_EQ(size->n_targets, 3);
    CHECK_EQ(size->n_entries, 4);
    CHECK_STR(dpl_lexicon_source(l, 0), "ab");
    CHECK_STR(dpl_lexicon_source(l, 1), "haus");
    CHECK_STR(dpl_lexicon_target(l, 0), "building");
    CHECK_STR(dpl_lexicon_target(l, 1), "home");
    CHECK_STR(dpl_lexicon_target(l, 2), "house");
    const float *p;
    size_t n;
    const uint32_t *row = dpl_lexicon_row(l, 1, &p, &n);
    CHECK_EQ(n, 3);
    CHECK(row[0] == 0 && row[1] == 1 && row[2] == 2);
    CHECK(p[0] == 2.5e-3f && p[1] == 0.25f && p[2] == 0.75f);
    uint32_t none;
    CHECK(!dpl_lexicon_find_source(l, DPL_STR("house"), &none));
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "");
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon, takes_lines_as_other_systems_write_them)
{
    dpl_ctx *ctx = test_ctx(1);
    /* a byte-order mark, CR LF, blanks, no end of the last line; what says nothing: a
     * probability of 0, a soft hyphen */
    dpl_lexicon *l = open_text(
        ctx, "\xEF\xBB\xBF"
             "a\tb\t1\r\n c \td\t 0.5 \nx\ty\t0\n\xC2\xAD\tb\t1\nx\tz\t1e-60\ne\tf\t1E0");
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_sources, 3);
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_entries, 3);
    CHECK(probability(l, "a", "b") == 1);
    CHECK(probability(l, "c", "d") == 0.5);
    CHECK(probability(l, "e", "f") == 1);
    CHECK(probability(l, "x", "y") == -1);
    dpl_lexicon_close(l);
    l = open_text(ctx, "");
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_sources, 0);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon, words_that_fold_together_are_merged)
{
    dpl_ctx *ctx = test_ctx(1);
    /* targets add up; sources become their mean */
    dpl_lexicon *l = open_text(ctx, "Haus\tHouse\t0.5\nHaus\thouse\t0.25\nHaus\thome\t0.25\n"
                                    "haus\thome\t1\n"
                                    "cafe\xCC\x81\tb\t1\ncaf\xC3\xA9\tc\t0.5\n");
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_sources, 2);
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_targets, 4);
    CHECK(is_near(probability(l, "haus", "house"), 0.375));
    CHECK(is_near(probability(l, "haus", "home"), 0.625));
    CHECK(is_near(probability(l, "caf\xC3\xA9", "b"), 0.5));
    CHECK(is_near(probability(l, "caf\xC3\xA9", "c"), 0.25));
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon, folds_by_the_rules_of_its_languages)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = NULL;
    dpl_lexicon_options o =
        DPL_INIT(dpl_lexicon_options, .source_lang = "tur", .target_lang = "German");
    CHECK_OK(open_with(&l, ctx, "ISI\tHITZE\t1\n", &o));
    CHECK_STR(dpl_lexicon_source(l, 0), "\xC4\xB1s\xC4\xB1");
    CHECK_STR(dpl_lexicon_target(l, 0), "hitze");
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).source_lang), "tr");
    CHECK_STR(dpl__cstr(dpl_lexicon_get_info(l).target_lang), "de");
    dpl_lexicon_close(l);
    o.source_lang = "no such language";
    CHECK_EQ(open_with(&l, ctx, "", &o), DPL_E_USAGE);
    CHECK(!l && strstr(test_err.text, "no such language"));
    o = (dpl_lexicon_options)DPL_INIT(dpl_lexicon_options, .on_error = DPL_ON_ERROR_REPLACE);
    CHECK_EQ(open_with(&l, ctx, "", &o), DPL_E_USAGE);
    test_ctx_done(ctx);
}

/* ---- faults ------------------------------------------------------------------------- */

DPL_TEST(lexicon, faults_are_told_with_file_and_line_or_skipped_and_counted)
{
    static const struct {
        const char *text, *message;
        unsigned line;
    } cases[] = {
        {"a\tb\t1\na\tc\n", "'x.tsv' line 2: 2 columns instead of 3", 2},
        {"a\tb\t1\n\nc\td\t1\n", "'x.tsv' line 2: 1 column instead of 3", 2},
        {"a\tb\t1\tc\n", "'x.tsv' line 1: 4 columns instead of 3", 1},
        {"a\tb\t1.01\n", "'x.tsv' line 1: probability 1.01 is not in 0 to 1", 1},
        {"a\tb\t-0.5\n", "'x.tsv' line 1: probability -0.5 is not in 0 to 1", 1},
        {"a\tb\t1e400\n", "'x.tsv' line 1: probability 1e400 is not in 0 to 1", 1},
        {"a\tb\tnan\n", "'x.tsv' line 1: 'nan' is not a number", 1},
        {"a\tb\t\n", "'x.tsv' line 1: '' is not a number", 1},
        {"a\tb\t0,5\n", "'x.tsv' line 1: '0,5' is not a number", 1},
        {"a\tb\t1e\n", "'x.tsv' line 1: '1e' is not a number", 1},
        {"a\tb\t.\n", "'x.tsv' line 1: '.' is not a number", 1},
        {"\tb\t1\n", "'x.tsv' line 1: an empty word", 1},
        {"a\t \t1\n", "'x.tsv' line 1: an empty word", 1},
        {"a\tb\t1\na\tc\xC3\t1\n", "'x.tsv' line 2: invalid UTF-8 (byte 0xC3 at column 4)", 2},
        {"b\tx\t1\na\tb\t0.5\nc\td\t1\na\tb\t0.25\nb\tx\t1\n",
         "'x.tsv' line 4: the pair 'a' 'b' is in line 2, too", 4},
    };
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_lexicon *l = NULL;
        CHECK_EQ(open_with(&l, ctx, cases[i].text, NULL), DPL_E_FORMAT);
        CHECK_STR(dpl__cstr(test_err.text), cases[i].message);
        CHECK_EQ(test_err.line, cases[i].line);
        CHECK(!l);
        dpl_lexicon_options skip = DPL_INIT(dpl_lexicon_options, .on_error = DPL_ON_ERROR_SKIP);
        CHECK_OK(open_with(&l, ctx, cases[i].text, &skip));
        CHECK_EQ(dpl_lexicon_get_sizes(l)->n_skipped, i + 1 == DPL_LEN(cases) ? 2 : 1);
        for (uint32_t s = 0; s < dpl_lexicon_get_sizes(l)->n_sources; s++) {
            const float *p;
            size_t n;
            dpl_lexicon_row(l, s, &p, &n);
            CHECK(n > 0); /* words of dropped lines are not there */
        }
        dpl_lexicon_close(l);
    }
    test_ctx_done(ctx);
}

DPL_TEST(lexicon, one_bad_line_in_a_thousand_is_skipped_and_named)
{
    dpl_ctx *ctx = test_ctx(1);
    char *text = malloc(40 * 2000);
    CHECK(text != NULL);
    for (size_t n_lines = 1998; n_lines <= 1999; n_lines++) {
        size_t n = 0;
        dpl_lexicon *l = NULL;
        for (size_t i = 0; i < n_lines; i++)
            n += (size_t)sprintf(text + n, "w%zu\t%s\t1\n", i,
                                 i == 700 || i == 900 ? "\x7F" : "v");
        const dpl_status status = open_with(&l, ctx, text, NULL);
        CHECK_EQ(status, DPL_E_FORMAT);
        CHECK(strstr(test_err.text, "line 701: a control character in a word"));
        n += (size_t)sprintf(text + n, "x\ty\t1\n");
        if (n_lines == 1998)
            continue;
        CHECK_OK(open_with(&l, ctx, text, NULL));
        CHECK_EQ(dpl_lexicon_get_sizes(l)->n_skipped, 2);
        CHECK_EQ(dpl_lexicon_get_sizes(l)->n_sources, 1998);
        CHECK(strstr(l->first_skipped, "line 701: a control character in a word"));
        dpl_lexicon_close(l);
    }
    free(text);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon, lines_without_end_are_refused_or_skipped)
{
    enum { N = 600 << 10 };
    char *text = malloc(N);
    CHECK(text != NULL);
    memset(text, 'x', N);
    memcpy(text, "a\tb\t1\n", 6);
    memcpy(text + N - 8, "\nc\td\t1\n", 7);
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = NULL;
    dpl_str all = {text, N - 1};
    CHECK_EQ(dpl__lexicon_open_memory(&l, ctx, "x.tsv", all, NULL, &test_err), DPL_E_FORMAT);
    CHECK_STR(dpl__cstr(test_err.text), "'x.tsv' line 2: longer than 256 KiB");
    dpl_lexicon_options skip = DPL_INIT(dpl_lexicon_options, .on_error = DPL_ON_ERROR_SKIP);
    CHECK_OK(dpl__lexicon_open_memory(&l, ctx, "x.tsv", all, &skip, &test_err));
    CHECK_EQ(dpl_lexicon_get_sizes(l)->n_skipped, 1);
    CHECK(probability(l, "a", "b") == 1 && probability(l, "c", "d") == 1);
    dpl_lexicon_close(l);
    free(text);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon, that_does_not_fit_into_memory_is_refused)
{
    char text[40 * 1000];
    size_t n = 0;
    for (int i = 0; i < 1000; i++)
        n += (size_t)sprintf(text + n, "source%d\ttarget%d\t1\n", i, i);
    dpl_ctx *ctx = NULL;
    CHECK_OK(dpl_ctx_new(
        &ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 1 << 16),
        &test_err));
    dpl_lexicon *l = NULL;
    CHECK_EQ(dpl__lexicon_open_memory(&l, ctx, "x", (dpl_str){text, n}, NULL, &test_err),
             DPL_E_LIMIT);
    test_ctx_done(ctx);
}

/* ---- against the naive version ------------------------------------------------------ */

enum { N_WORDS = 30, N_CELLS = 200 };

/* Words that differ, but fold together by two and two: "w3", "W3". */
static void write_word(char *out, size_t i)
{
    sprintf(out, "%c%zu", i % 2 ? 'W' : 'w', i / 2);
}

static void check_random_lexicon(uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed)};
    double p[N_WORDS][N_WORDS] = {{0}};
    char text[N_CELLS * 32], source[16], target[16];
    size_t n_text = 0;
    for (size_t i = 0; i < N_CELLS; i++) {
        size_t s = dpl__rng_below(&rng, N_WORDS), t = dpl__rng_below(&rng, N_WORDS);
        unsigned thousandth = 1 + (unsigned)dpl__rng_below(&rng, 500);
        if (p[s][t] > 0)
            continue;
        p[s][t] = thousandth / 1000.0;
        write_word(source, s);
        write_word(target, t);
        n_text +=
            (size_t)sprintf(text + n_text, "%s\t%s\t0.%03u\n", source, target, thousandth);
    }
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = NULL;
    CHECK_OK(dpl__lexicon_open_memory(&l, ctx, "x", (dpl_str){text, n_text}, NULL, &test_err));
    for (size_t s = 0; s < N_WORDS; s += 2) {
        double n_rows = 0; /* raw sources that have cells */
        for (size_t k = s; k < s + 2; k++) {
            double sum = 0;
            for (size_t t = 0; t < N_WORDS; t++)
                sum += p[k][t];
            n_rows += sum > 0;
        }
        for (size_t t = 0; t < N_WORDS; t += 2) {
            double sum = p[s][t] + p[s][t + 1] + p[s + 1][t] + p[s + 1][t + 1];
            write_word(source, s);
            write_word(target, t);
            double have = probability(l, source, target);
            if (!is_near(have > 0 ? have : 0, fmin(1, sum > 0 ? sum / n_rows : 0)))
                dpl__test_fail(__FILE__, __LINE__, "seed %llu: p(%s|%s) is %g, expected %g",
                               (unsigned long long)seed, target, source, have, sum / n_rows);
        }
    }
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(lexicon, agrees_with_a_naive_merge)
{
    for (uint64_t seed = 0; seed < 50; seed++)
        check_random_lexicon(seed);
}

/* ---- failing memory, missing files -------------------------------------------------- */

static dpl_status open_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_lexicon *l = NULL;
    dpl_lexicon_options o =
        DPL_INIT(dpl_lexicon_options, .source_lang = "de", .target_lang = "en");
    DPL_TRY(dpl_lexicon_open(&l, ctx, user, &o, err));
    dpl_lexicon_close(l);
    return DPL_OK;
}

DPL_TEST(lexicon, survives_every_failing_allocation)
{
    static const char text[] = "Haus\tHouse\t1\n\xC3\x84pfel\tapples\t0.5\nhaus\thome\t1\n";
    test_allocation_failures(open_body,
                             (void *)(uintptr_t)test_write("x.tsv", text, sizeof text - 1));
}

DPL_TEST(lexicon, that_is_missing_is_told)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = NULL;
    CHECK_EQ(dpl_lexicon_open(&l, ctx, test_path("none.tsv"), NULL, &test_err), DPL_E_IO);
    CHECK(strstr(test_err.text, "none.tsv") != NULL);
    test_ctx_done(ctx);
}
