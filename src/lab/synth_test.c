#include "lab/synth_parts.h"

#include "base/maths.h"
#include "doppel/tokens.h"
#include "lab/experiment.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- small parts -------------------------------------------------------------------- */

DPL_TEST(synth, a_permutation_meets_every_number_once)
{
    static const uint64_t sizes[] = {1, 2, 3, 100, 1000, 4097};
    for (size_t i = 0; i < DPL_LEN(sizes); i++) {
        const dpl__permutation p = dpl__permutation_new(sizes[i], 17 + i);
        char seen[4097] = {0};
        size_t n_fixed = 0;
        for (uint64_t k = 0; k < sizes[i]; k++) {
            const uint64_t to = dpl__permute(&p, k);
            CHECK(to < sizes[i] && !seen[to]);
            CHECK_EQ(dpl__permute_back(&p, to), k);
            seen[to] = 1;
            n_fixed += to == k;
        }
        CHECK(sizes[i] < 100 || n_fixed < 10);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

DPL_TEST(synth, no_two_words_are_spelled_alike)
{
    enum { N = 60000, ROOM = DPL__SYNTH_MOST_LETTERS };
    const dpl__synth_model m = {.same = 0.1};
    for (int side = 0; side < 2; side++) {
        char(*words)[ROOM] = calloc(N, ROOM);
        for (uint64_t i = 0; i < N; i++) {
            const size_t n = side ? dpl__synth_spell_right(words[i], &m, i)
                                  : dpl__synth_spell_left(words[i], &m, i);
            CHECK(n > 1 && n < ROOM);
            if (words[i][0] < 'a') /* a name: tokens are folded */
                words[i][0] = (char)(words[i][0] - 'A' + 'a');
        }
        qsort(words, N, ROOM, by_text);
        for (size_t i = 1; i < N; i++)
            CHECK(strcmp(words[i - 1], words[i]) != 0);
        free(words);
    }
}

DPL_TEST(synth, translations_of_a_word_differ_and_add_up)
{
    const dpl__synth_model m = {.same = 0.1};
    size_t n_of[4] = {0};
    for (uint64_t word = 0; word < 20000; word++) {
        uint64_t to[DPL__SYNTH_MOST_TRANSLATIONS];
        double p[DPL__SYNTH_MOST_TRANSLATIONS], sum = 0;
        const size_t n = dpl__synth_translations(to, p, &m, word);
        for (size_t i = 0; i < n; i++) {
            sum += p[i];
            for (size_t k = 0; k < i; k++)
                CHECK(to[i] != to[k]);
        }
        CHECK(fabs(sum - 1) < 1e-12);
        CHECK(n == 1 || !dpl__synth_is_name(&m, word));
        n_of[n]++;
    }
    CHECK(n_of[1] > 8000 && n_of[2] > 4000 && n_of[3] > 1500);
}

/* ---- vectors ------------------------------------------------------------------------ */

/* The largest difference between gold and what the rows have, over all planted pairs. */
static double worst_cosine(dpl_ctx *ctx, const char *folder, const char *left,
                           const char *right, size_t n_pairs)
{
    char path[600];
    dpl_vectors *v[2] = {NULL, NULL};
    snprintf(path, sizeof path, "%s/%s", folder, left);
    CHECK_OK(dpl_vectors_open(&v[0], ctx, path, &test_err));
    snprintf(path, sizeof path, "%s/%s", folder, right);
    CHECK_OK(dpl_vectors_open(&v[1], ctx, path, &test_err));
    snprintf(path, sizeof path, "%s/gold.tsv", folder);
    char *gold = test_read(path, NULL);
    double worst = 0;
    size_t n = 0;
    for (char *line = strtok(gold, "\n"); line; line = strtok(NULL, "\n"), n++) {
        unsigned a, b;
        double cosine;
        CHECK_EQ(sscanf(line, "%u\t%u\t%lf", &a, &b, &cosine), 3);
        const double found = dpl_vectors_cosine(v[0], a, v[1], b);
        worst = fmax(worst, fabs(found - cosine));
    }
    CHECK_EQ(n, n_pairs);
    free(gold);
    dpl_vectors_close(v[0]);
    dpl_vectors_close(v[1]);
    return worst;
}

DPL_TEST(synth, planted_rows_have_the_cosine_of_gold)
{
    static const char *const files[][2] = {{NULL, NULL},
                                           {"left.npy", "right.npy"},
                                           {"left.fvecs", "right.fvecs"},
                                           {"left.dpl", "right.dpl"}};
    dpl_ctx *ctx = test_ctx(2);
    const char *folder = test_path("rows");
    for (unsigned f = DPL_SYNTH_NPY; f <= DPL_SYNTH_SPARSE; f++) {
        dpl_synth_options o =
            DPL_INIT(dpl_synth_options, .to = (dpl_synth_format)f, .left = 700, .right = 900,
                     .paired = 0.4, .cosine = 0.05, .cosine_to = 1, .dims = 65);
        CHECK_OK(dpl_synth(NULL, ctx, folder, &o, &test_err));
        /* gold has six digits, floats seven */
        CHECK(worst_cosine(ctx, folder, files[f][0], files[f][1], 280) < 1.2e-6);
    }
    test_ctx_done(ctx);
}

DPL_TEST(synth, rows_that_are_not_planted_are_far_apart)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *folder = test_path("far");
    char path[600];
    dpl_synth_options o = DPL_INIT(dpl_synth_options, .to = DPL_SYNTH_NPY, .left = 100,
                                   .right = 100, .paired = -1, .dims = 400);
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_synth(NULL, ctx, folder, &o, &test_err));
    snprintf(path, sizeof path, "%s/left.npy", folder);
    CHECK_OK(dpl_vectors_open(&v, ctx, path, &test_err));
    double squares = 0;
    for (uint32_t a = 0; a < 100; a++)
        for (uint32_t b = 0; b < a; b++) {
            const double c = dpl_vectors_cosine(v, a, v, b);
            CHECK(fabs(c) < 0.25);
            squares += c * c / 4950;
        }
    CHECK(fabs(sqrt(squares) - 0.05) < 0.002); /* 1 / sqrt(dims) */
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

/* ---- documents ---------------------------------------------------------------------- */

static dpl_collection *import_left(dpl_ctx *ctx, const char *folder)
{
    char path[600];
    dpl_collection *c = NULL;
    snprintf(path, sizeof path, "%s/left.jsonl.zst", folder);
    const dpl_input in = {.path = path};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    return c;
}

/* Counts against ranks in logarithms, both ends included. */
static dpl__lab_fit zipf(const dpl_collection *c, uint32_t from, uint32_t to)
{
    double x[40], y[40];
    for (unsigned i = 0; i < 40; i++) {
        const double rank = from * pow((double)to / from, i / 39.0);
        x[i] = log(rank);
        y[i] = log((double)dpl_collection_term_count(c, (uint32_t)rank - 1));
    }
    return dpl__lab_line(x, y, 40);
}

DPL_TEST(synth, frequencies_of_words_follow_zipf_and_heaps)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *folder = test_path("zipf");
    dpl_synth_options o = DPL_INIT(dpl_synth_options, .left = 4000, .right = 1);
    dpl_synth_summary s = DPL_INIT(dpl_synth_summary);
    CHECK_OK(dpl_synth(&s, ctx, folder, &o, &test_err));
    CHECK(fabs((double)s.n_words[0] / 4000 - 200) < 6);
    dpl_collection *c = import_left(ctx, folder);
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(c);
    CHECK_EQ(sizes->n_tokens, s.n_words[0]);
    const dpl__lab_fit fit = zipf(c, 20, 5000);
    CHECK(fabs(fit.slope + 1) < 0.06);
    CHECK(fit.r2 > 0.98);
    /* As many different words as the model says, numbers aside. */
    dpl__synth_plan plan;
    dpl__synth_model m;
    dpl__synth_plan_make(&plan, 1, &o);
    o.topics = 100;
    CHECK_OK(dpl__synth_model_make(&m, ctx, &o, &plan, &test_err));
    const double expected = dpl__synth_distinct(&m, 0.98 * (double)sizes->n_tokens);
    CHECK(fabs(sizes->n_terms / expected - 1) < 0.15);
    dpl__synth_model_clear(&m);
    /* Bursty: rare words stand in fewer documents than they have occurrences. */
    uint64_t n_docs = 0, n_counts = 0;
    for (uint32_t t = 500; t < 2000; t++) {
        n_docs += dpl_collection_doc_count(c, t);
        n_counts += dpl_collection_term_count(c, t);
    }
    CHECK((double)n_docs / (double)n_counts < 0.85);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(synth, a_collection_can_be_imitated)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *folder = test_path("like"), *again = test_path("again");
    dpl_synth_options o = DPL_INIT(dpl_synth_options, .left = 1500, .right = 1, .words = 90);
    CHECK_OK(dpl_synth(NULL, ctx, folder, &o, &test_err));
    dpl_collection *c = import_left(ctx, folder);
    const char *path = test_path("like.dpl");
    CHECK_OK(dpl_collection_save(c, path, &test_err));
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(c);
    dpl_synth_options like =
        DPL_INIT(dpl_synth_options, .left = 1500, .right = 1, .like = path);
    CHECK_OK(dpl_synth(NULL, ctx, again, &like, &test_err));
    dpl_collection *d = import_left(ctx, again);
    const dpl_collection_sizes *others = dpl_collection_get_sizes(d);
    CHECK(fabs((double)others->n_tokens / (double)sizes->n_tokens - 1) < 0.08);
    CHECK(fabs((double)others->n_terms / (double)sizes->n_terms - 1) < 0.12);
    CHECK(fabs((double)others->n_entries / (double)sizes->n_entries - 1) < 0.12);
    CHECK(fabs((double)others->n_sentences / (double)sizes->n_sentences - 1) < 0.12);
    dpl_collection_close(c);
    dpl_collection_close(d);
    test_ctx_done(ctx);
}

/* Mean of the third column of gold, and how many pairs there are. */
static double mean_share(const char *folder, size_t *n)
{
    char path[600];
    snprintf(path, sizeof path, "%s/gold.tsv", folder);
    char *gold = test_read(path, NULL);
    double sum = 0;
    *n = 0;
    for (char *line = strtok(gold, "\n"); line; line = strtok(NULL, "\n"), ++*n)
        sum += atof(strrchr(line, '\t') + 1);
    free(gold);
    return *n ? sum / (double)*n : 0;
}

DPL_TEST(synth, gold_has_the_share_of_translated_sentences)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *folder = test_path("shares");
    dpl_synth_options o = DPL_INIT(dpl_synth_options, .left = 300, .right = 200, .paired = 0.3,
                                   .translated = 0.2, .translated_to = 0.6);
    dpl_synth_summary s = DPL_INIT(dpl_synth_summary);
    size_t n;
    CHECK_OK(dpl_synth(&s, ctx, folder, &o, &test_err));
    CHECK_EQ(s.n_pairs, 60);
    const double share = mean_share(folder, &n);
    CHECK_EQ(n, 60);
    CHECK(fabs(share - 0.4) < 0.06);
    test_ctx_done(ctx);
}

static void check_same_file(const char *name, const char *a, const char *b)
{
    char path[600];
    size_t n[2];
    snprintf(path, sizeof path, "%s/%s", a, name);
    char *x = test_read(path, &n[0]);
    snprintf(path, sizeof path, "%s/%s", b, name);
    char *y = test_read(path, &n[1]);
    CHECK_EQ(n[0], n[1]);
    CHECK(memcmp(x, y, n[0]) == 0);
    free(x);
    free(y);
}

DPL_TEST(synth, any_number_of_threads_makes_the_same_bytes)
{
    static const char *const files[] = {"left.jsonl.zst", "right.jsonl.zst", "lexicon.tsv",
                                        "gold.tsv",       "left.dpl",        "right.dpl"};
    const char *folders[2] = {test_path("one"), test_path("three")};
    for (unsigned i = 0; i < 2; i++) {
        dpl_ctx *ctx = test_ctx(i ? 3 : 1);
        dpl_synth_options o =
            DPL_INIT(dpl_synth_options, .left = 700, .right = 600, .translated = 0.4);
        CHECK_OK(dpl_synth(NULL, ctx, folders[i], &o, &test_err));
        o.to = DPL_SYNTH_SPARSE;
        CHECK_OK(dpl_synth(NULL, ctx, folders[i], &o, &test_err));
        test_ctx_done(ctx);
    }
    for (size_t i = 0; i < DPL_LEN(files); i++)
        check_same_file(files[i], folders[0], folders[1]);
}

/* ---- failures ----------------------------------------------------------------------- */

DPL_TEST(synth, options_out_of_range_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_synth_options bad[] = {
        DPL_INIT(dpl_synth_options, .paired = 1.5),
        DPL_INIT(dpl_synth_options, .noise = NAN),
        DPL_INIT(dpl_synth_options, .to = (dpl_synth_format)9),
        DPL_INIT(dpl_synth_options, .to = DPL_SYNTH_NPY, .dims = 1),
        DPL_INIT(dpl_synth_options, .to = DPL_SYNTH_NPY, .cosine = -1.1),
        DPL_INIT(dpl_synth_options, .to = DPL_SYNTH_SPARSE, .cosine = -0.5),
        DPL_INIT(dpl_synth_options, .to = DPL_SYNTH_SPARSE, .entries = 500, .terms = 5000),
    };
    for (size_t i = 0; i < DPL_LEN(bad); i++)
        CHECK_EQ(dpl_synth(NULL, ctx, test_path("bad"), &bad[i], &test_err), DPL_E_USAGE);
    const char *path = test_write("text.dpl", "not a collection", 16);
    dpl_synth_options like = DPL_INIT(dpl_synth_options, .like = path);
    CHECK(dpl_synth(NULL, ctx, test_path("bad"), &like, &test_err) < 0);
    test_ctx_done(ctx);
}

static dpl_status make_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl_synth_options o =
        DPL_INIT(dpl_synth_options, .to = *(dpl_synth_format *)user, .left = 20, .right = 20,
                 .words = 20, .dims = 4, .entries = 10, .terms = 1000);
    return dpl_synth(NULL, ctx, test_path("some"), &o, err);
}

DPL_TEST(synth, running_out_of_memory_is_reported)
{
    for (unsigned f = DPL_SYNTH_JSONL; f <= DPL_SYNTH_SPARSE; f++) {
        dpl_synth_format format = (dpl_synth_format)f;
        test_allocation_failures(make_some, &format);
    }
}
