/*
 * The whole stage: documents of made-up words with planted noisy copies, through every method.
 */
#include "doppel/pairs.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/vec.h"
#include "pairs/method.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- material ----------------------------------------------------------------------- */

enum { N_WORDS = 3000, DOC_WORDS = 60 };

/* A word by a law like that of real text: the r-th most frequent in proportion to 1 / r. */
static unsigned draw_word(dpl__rng *rng)
{
    double u = (double)(dpl__rng_next(rng) >> 11) / 9007199254740992.0;
    return (unsigned)exp(u * log(N_WORDS)) - 1;
}

/* n documents as JSON Lines; document i of the right side is a copy of i of the left with
 * `percent` of its words replaced, for every other i. */
static const char *write_docs(const char *name, unsigned n, uint64_t seed, unsigned percent,
                              bool is_right)
{
    FILE *f = fopen(test_path(name), "w");
    CHECK(f != NULL);
    for (unsigned i = 0; i < n; i++) {
        dpl__rng own = {dpl__mix(seed + i)}, other = {dpl__mix(seed + i + 1000000)};
        bool is_copy = is_right && i % 2 == 0;
        fprintf(f, "{\"id\":\"%c%u\",\"lang\":\"en\",\"text\":\"", is_right ? 'r' : 'l', i);
        for (unsigned k = 0; k < DOC_WORDS; k++) {
            unsigned word = draw_word(&own), noise = draw_word(&other);
            bool is_noise = dpl__rng_below(&other, 100) < percent;
            fprintf(f, "w%u ", is_right && (is_noise || !is_copy) ? noise : word);
        }
        fprintf(f, "\"}\n");
    }
    fclose(f);
    return test_path(name);
}

static dpl_vectors *make(dpl_ctx *ctx, const char *docs)
{
    char collection[600], path[600];
    snprintf(collection, sizeof collection, "%s.c.dpl", docs);
    snprintf(path, sizeof path, "%s.v.dpl", docs);
    CHECK_OK(dpl_import(NULL, ctx, collection, &docs, 1, NULL, &test_err));
    dpl_collection *c = NULL;
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, collection, &test_err));
    CHECK_OK(dpl_vectors_make(NULL, ctx, path, c, NULL, NULL, &test_err));
    dpl_collection_close(c);
    CHECK_OK(dpl_vectors_open(&v, ctx, path, &test_err));
    return v;
}

typedef struct material {
    dpl_ctx *ctx;
    dpl_vectors *left, *right;
} material;

static material set_up(unsigned n, unsigned n_threads)
{
    material m = {.ctx = test_ctx(n_threads)};
    m.left = make(m.ctx, write_docs("left.jsonl", n, 1, 40, false));
    m.right = make(m.ctx, write_docs("right.jsonl", n, 1, 40, true));
    return m;
}

static void tear_down(material *m)
{
    dpl_vectors_close(m->left);
    dpl_vectors_close(m->right);
    test_ctx_done(m->ctx);
}

/* The pairs as text, so that runs can be compared; the caller frees. */
static char *find(dpl_ctx *ctx, const dpl_vectors *left, const dpl_vectors *right,
                  const dpl_pairs_options *o, dpl_pairs_summary *summary)
{
    dpl_pairs *pairs = NULL;
    dpl_pairs_side l = {.vectors = left}, r = {.vectors = right};
    CHECK_OK(dpl_pairs_open(&pairs, ctx, &l, right ? &r : NULL, o, &test_err));
    char *out = calloc(1, 1);
    size_t n = 0, cap = 1;
    dpl_pair p;
    dpl_status status;
    while ((status = dpl_pairs_next(pairs, &p, &test_err)) == DPL_OK) {
        if (n + 64 > cap)
            out = realloc(out, cap = 2 * cap + 64);
        n += (size_t)snprintf(out + n, 64, "%u %u %.9g\n", p.left, p.right, (double)p.score);
    }
    CHECK_EQ(status, DPL_END);
    if (summary) {
        static dpl_recall_check checked; /* the summary's own goes with the pairs */
        *summary = *dpl_pairs_get_summary(pairs);
        checked = *summary->recall_check;
        summary->recall_check = &checked;
    }
    dpl_pairs_close(pairs);
    return out;
}

static size_t n_lines(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += *s == '\n';
    return n;
}

/* Every line of `some` stands in `all`; both in the same order. */
static bool is_part(const char *some, const char *all)
{
    while (*some) {
        size_t n = (size_t)(strchr(some, '\n') - some) + 1;
        while (*all && strncmp(all, some, n) != 0)
            all = strchr(all, '\n') + 1;
        if (!*all)
            return false;
        some += n;
        all += n;
    }
    return true;
}

/* ---- methods ------------------------------------------------------------------------ */

DPL_TEST(pairs, exact_agrees_with_the_cosine_of_every_pair)
{
    material m = set_up(200, 2);
    dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT, .threshold = 0.2);
    dpl_pairs_summary s;
    char *found = find(m.ctx, m.left, m.right, &o, &s);
    size_t n = 0;
    for (uint32_t i = 0; i < dpl_vectors_get_sizes(m.left)->n_rows; i++)
        for (uint32_t j = 0; j < dpl_vectors_get_sizes(m.right)->n_rows; j++)
            n += (float)dpl_vectors_cosine(m.left, i, m.right, j) >= 0.2f;
    CHECK(n > 100);
    CHECK_EQ(n_lines(found), n);
    CHECK_EQ(s.n_selected, n);
    CHECK(s.recall_check->is_exact);
    free(found);
    tear_down(&m);
}

DPL_TEST(pairs, brute_and_window_reach_the_recall_and_never_add_a_wrong_pair)
{
    material m = set_up(600, 2);
    dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT, .threshold = 0.3);
    char *all = find(m.ctx, m.left, m.right, &o, NULL);
    static const dpl_pairs_method methods[] = {DPL_PAIRS_BRUTE, DPL_PAIRS_WINDOW,
                                               DPL_PAIRS_BRUTE};
    for (int i = 0; i < 3; i++) {
        o.method = methods[i];
        o.signature = i == 2 ? DPL_SIGN_RP8 : DPL_SIGN_RP;
        o.recall = 0.95;
        dpl_pairs_summary s;
        char *found = find(m.ctx, m.left, m.right, &o, &s);
        CHECK(is_part(found, all));
        double recall = (double)n_lines(found) / (double)n_lines(all);
        CHECK(recall >= 0.93);
        CHECK(!s.recall_check->is_exact && s.recall_check->n_rows == 500);
        CHECK(s.recall_check->low <= recall + 0.01 && recall - 0.01 <= s.recall_check->high);
        CHECK(s.planned_recall >= 0.9);
        free(found);
    }
    free(all);
    tear_down(&m);
}

DPL_TEST(pairs, are_the_same_for_any_threads_level_chunk_and_form)
{
    material m = set_up(300, 1);
    dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .threshold = 0.25, .no_recall_check = true);
    for (int i = DPL_PAIRS_EXACT; i <= DPL_PAIRS_WINDOW + 1; i++) {
        const int method = i <= DPL_PAIRS_WINDOW ? i : DPL_PAIRS_BRUTE;
        o.method = (dpl_pairs_method)method;
        o.signature = i > DPL_PAIRS_WINDOW ? DPL_SIGN_RP8 : DPL_SIGN_RP;
        if (method == DPL_PAIRS_WINDOW)
            o.tables = 20, o.width = 40;
        char *first = find(m.ctx, m.left, m.right, &o, NULL);
        CHECK(n_lines(first) > 100);
        for (int level = DPL_CPU_SCALAR; level <= (int)dpl_cpu_best(); level++) {
            dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = 1 + (unsigned)level % 3,
                                         .cpu = (dpl_cpu)level);
            dpl_ctx *ctx = NULL;
            CHECK_OK(dpl_ctx_new(&ctx, &c, &test_err));
            o.chunk = method == DPL_PAIRS_WINDOW ? 41 + 50 * (unsigned)level : 0;
            o.basic = level == DPL_CPU_SCALAR;
            char *again = find(ctx, m.left, m.right, &o, NULL);
            CHECK(strcmp(first, again) == 0);
            free(again);
            dpl_ctx_free(ctx);
        }
        free(first);
    }
    tear_down(&m);
}

DPL_TEST(pairs, within_one_set_are_those_of_the_set_with_itself)
{
    material m = set_up(150, 2);
    dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .threshold = 0.15);
    for (int i = 0; i < 3; i++) {
        o.method = i == 0 ? DPL_PAIRS_EXACT : DPL_PAIRS_BRUTE;
        o.signature = i == 2 ? DPL_SIGN_RP8 : DPL_SIGN_RP;
        char *cross = find(m.ctx, m.left, m.left, &o, NULL);
        char *within = find(m.ctx, m.left, NULL, &o, NULL);
        CHECK(n_lines(within) > 20);
        CHECK(is_part(within, cross));
        /* each once, and none with itself */
        CHECK_EQ(2 * n_lines(within) + dpl_vectors_get_sizes(m.left)->n_rows, n_lines(cross));
        free(cross);
        free(within);
    }
    tear_down(&m);
}

DPL_TEST(pairs, products_estimate_the_cosine_where_nothing_is_verified)
{
    material m = set_up(300, 2);
    dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_BRUTE, .signature = DPL_SIGN_RP8,
                 .length = 4000, .threshold = 0.3, .no_verify = true);
    dpl_sign_options sign = DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP8, .length = 4032);
    dpl_signatures *left = NULL, *right = NULL;
    CHECK_OK(dpl_signatures_make(&left, m.ctx, m.left, &sign, &test_err));
    CHECK_OK(dpl_signatures_make(&right, m.ctx, m.right, &sign, &test_err));
    dpl_pairs_side l = {.signatures = left}, r = {.signatures = right};
    dpl_pairs *pairs = NULL;
    dpl_pairs_options given = o;
    given.length = 0;
    CHECK_OK(dpl_pairs_open(&pairs, m.ctx, &l, &r, &given, &test_err));
    CHECK_EQ(dpl_pairs_get_summary(pairs)->bits, 4032);
    size_t n = 0;
    for (dpl_pair p; dpl_pairs_next(pairs, &p, &test_err) == DPL_OK; n++) {
        CHECK(p.score >= 0.2999f);
        CHECK(fabs((double)p.score - dpl_vectors_cosine(m.left, p.left, m.right, p.right)) <
              0.08);
    }
    dpl_pairs_close(pairs);
    char *found = find(m.ctx, m.left, m.right, &o, NULL); /* signed there */
    CHECK(n > 50);
    CHECK_EQ(n_lines(found), n);
    free(found);
    dpl_signatures_close(left);
    dpl_signatures_close(right);
    tear_down(&m);
}

DPL_TEST(pairs, auto_finds_what_its_method_finds_with_products)
{
    material m = set_up(200, 2);
    dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .threshold = 0.3, .signature = DPL_SIGN_RP8);
    dpl_pairs_summary s;
    char *chosen = find(m.ctx, m.left, m.right, &o, &s);
    CHECK(s.method == DPL_PAIRS_EXACT || s.method == DPL_PAIRS_BRUTE);
    o.method = s.method;
    char *named = find(m.ctx, m.left, m.right, &o, NULL);
    CHECK(strcmp(chosen, named) == 0);
    free(chosen);
    free(named);
    tear_down(&m);
}

DPL_TEST(pairs, auto_finds_what_its_method_finds)
{
    material m = set_up(200, 2);
    dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .threshold = 0.3);
    dpl_pairs_summary s;
    char *chosen = find(m.ctx, m.left, m.right, &o, &s);
    CHECK(s.method != DPL_PAIRS_AUTO);
    o.method = s.method;
    o.tables = s.n_tables;
    o.width = s.width;
    char *named = find(m.ctx, m.left, m.right, &o, NULL);
    CHECK(strcmp(chosen, named) == 0);
    free(chosen);
    free(named);
    tear_down(&m);
}

DPL_TEST(pairs, without_verification_scores_come_from_signatures_alone)
{
    material m = set_up(200, 2);
    dpl_signatures *left = NULL, *right = NULL;
    CHECK_OK(dpl_signatures_make(&left, m.ctx, m.left, NULL, &test_err));
    CHECK_OK(dpl_signatures_make(&right, m.ctx, m.right, NULL, &test_err));
    dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_BRUTE, .no_verify = true);
    char *from_vectors = find(m.ctx, m.left, m.right, &o, NULL);
    dpl_pairs *pairs = NULL;
    dpl_pairs_side l = {.signatures = left}, r = {.signatures = right};
    CHECK_OK(dpl_pairs_open(&pairs, m.ctx, &l, &r, &o, &test_err));
    CHECK_EQ(dpl_pairs_get_summary(pairs)->n_selected, n_lines(from_vectors));
    dpl_pair p;
    while (dpl_pairs_next(pairs, &p, &test_err) == DPL_OK) {
        unsigned distance = dpl_signatures_distance(left, p.left, right, p.right);
        CHECK(p.score == (float)dpl_sign_estimate(DPL_SIGN_RP, 1024, distance, true));
        CHECK(p.score >= 0.3f - 0.004f); /* the cut is a whole number of bits */
    }
    dpl_pairs_close(pairs);
    /* and with verification there is nothing to verify with */
    o.no_verify = false;
    CHECK_EQ(dpl_pairs_open(&pairs, m.ctx, &l, &r, &o, &test_err), DPL_E_USAGE);
    CHECK(strstr(test_err.text, "no vectors") != NULL);
    free(from_vectors);
    dpl_signatures_close(left);
    dpl_signatures_close(right);
    tear_down(&m);
}

DPL_TEST(pairs, one_row_has_none)
{
    material m = set_up(1, 1);
    dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .threshold = 0.1);
    for (int method = DPL_PAIRS_AUTO; method <= DPL_PAIRS_BRUTE; method++) {
        o.method = (dpl_pairs_method)method;
        char *found = find(m.ctx, m.left, NULL, &o, NULL);
        CHECK_EQ(n_lines(found), 0);
        free(found);
    }
    tear_down(&m);
}

/* ---- the tables --------------------------------------------------------------------- */

DPL_TEST(pairs, methods_and_selections_have_names_of_their_own)
{
    const dpl_pairs_method_info *info;
    int n = 0;
    for (; (info = dpl_pairs_get_method_info((dpl_pairs_method)n)) != NULL; n++) {
        CHECK_EQ(info->method, n);
        for (int i = 0; i < n; i++)
            CHECK(strcmp(info->name, dpl__pairs_method_name((dpl_pairs_method)i)) != 0);
        CHECK(info->help[0] && info->finds[0] && info->unit[0]);
    }
    CHECK_EQ(n, DPL_PAIRS_HASH + 1);
    CHECK_STR(dpl__cstr(dpl__pairs_method_name(DPL_PAIRS_WINDOW)), "window");
    CHECK(!dpl__pairs_method_name((dpl_pairs_method)-1));
    for (n = 0; dpl_select_name((dpl_select)n); n++)
        for (int i = 0; i < n; i++)
            CHECK(strcmp(dpl_select_name((dpl_select)n), dpl_select_name((dpl_select)i)) != 0);
    CHECK_EQ(n, DPL_SELECT_NEAR + 1);
}

/* ---- bad input ---------------------------------------------------------------------- */

static void refused(material *m, const dpl_pairs_options *o, const char *text)
{
    dpl_pairs *pairs = NULL;
    dpl_pairs_side l = {.vectors = m->left}, r = {.vectors = m->right};
    CHECK_EQ(dpl_pairs_open(&pairs, m->ctx, &l, &r, o, &test_err), DPL_E_USAGE);
    if (!strstr(test_err.text, text))
        dpl__test_fail(__FILE__, __LINE__, "'%s' does not say '%s'", test_err.text, text);
}

DPL_TEST(pairs, options_out_of_range_are_refused)
{
    material m = set_up(30, 1);
    refused(&m, &(dpl_pairs_options)DPL_INIT(dpl_pairs_options, .threshold = 1.5),
            "not between 0 and 1");
    refused(&m, &(dpl_pairs_options)DPL_INIT(dpl_pairs_options, .threshold = (double)NAN),
            "not between 0 and 1");
    refused(&m, &(dpl_pairs_options)DPL_INIT(dpl_pairs_options, .recall = 1),
            "not between 0 and 1");
    refused(&m, &(dpl_pairs_options)DPL_INIT(dpl_pairs_options, .signature = DPL_SIGN_MINHASH),
            "not bits");
    dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_WINDOW, .tables = 3, .width = 1000);
    refused(&m, &o, "larger than the table");
    o.signature = DPL_SIGN_RP8;
    refused(&m, &o, "rp8 signatures have dims, not bits");
    o.signature = DPL_SIGN_RP;
    o.width = 10;
    o.chunk = 10;
    refused(&m, &o, "cannot overlap");
    tear_down(&m);
}

typedef struct failing {
    const dpl_vectors *left, *right;
    dpl_pairs_options options;
} failing;

static dpl_status find_failing(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const failing *f = user;
    dpl_pairs *pairs = NULL;
    dpl_pairs_side l = {.vectors = f->left}, r = {.vectors = f->right};
    dpl_status status = dpl_pairs_open(&pairs, ctx, &l, &r, &f->options, err);
    dpl_pair p;
    while (status == DPL_OK)
        status = dpl_pairs_next(pairs, &p, err);
    dpl_pairs_close(pairs);
    return status == DPL_END ? DPL_OK : status;
}

DPL_TEST(pairs, every_failed_allocation_is_told)
{
    material m = set_up(12, 1);
    failing f = {m.left, m.right,
                 DPL_INIT(dpl_pairs_options, .select = DPL_SELECT_ONE_TO_ONE, .margin = 2,
                          .length = 64, .tables = 2, .width = 3)};
    for (int method = DPL_PAIRS_AUTO; method <= DPL_PAIRS_WINDOW; method++) {
        f.options.method = (dpl_pairs_method)method;
        test_allocation_failures(find_failing, &f);
    }
    tear_down(&m);
}
