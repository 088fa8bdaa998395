#include "doppel/dedup.h"

#include "base/hash.h"
#include "base/vec.h"
#include "dedup/text_parts.h"
#include "test.h"
#include "tokens/shingles.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- collections to test with ------------------------------------------------------- */

enum { N_DOCS = 300, N_WORDS = 60 };

/* Documents of random words, a third of them earlier ones with some words exchanged; ids in the
 * order of `step`, coprime to their number. */
static char *make_docs(size_t step, size_t *n_out)
{
    static unsigned words[N_DOCS][N_WORDS];
    char *out = malloc(N_DOCS * (N_WORDS * 8 + 80));
    dpl__rng rng = {99};
    size_t n = 0;
    CHECK(out != NULL);
    for (size_t d = 0; d < N_DOCS; d++) {
        const size_t of = d > 20 && d % 3 == 0 ? dpl__rng_below(&rng, d) : d;
        for (size_t w = 0; w < N_WORDS; w++)
            words[d][w] = of == d ? (unsigned)dpl__rng_below(&rng, 5000) : words[of][w];
        for (size_t k = dpl__rng_below(&rng, 5); of != d && k > 0; k--)
            words[d][dpl__rng_below(&rng, N_WORDS)] = (unsigned)dpl__rng_below(&rng, 5000);
    }
    for (size_t i = 0; i < N_DOCS; i++) {
        const size_t d = i * step % N_DOCS;
        n += (size_t)sprintf(out + n, "{\"id\":\"d%03zu\",\"lang\":\"en\",\"text\":\"", d);
        for (size_t w = 0; w < N_WORDS; w++)
            n += (size_t)sprintf(out + n, "%sw%u", w ? " " : "", words[d][w]);
        n += (size_t)sprintf(out + n, "\"}\n");
    }
    *n_out = n;
    return out;
}

static dpl_dedup_result *dedup(dpl_ctx *ctx, size_t step, const dpl_dedup_options *o)
{
    size_t n;
    char *text = make_docs(step, &n);
    const dpl_input in = {.buffer = {text, n}, .name = "docs.jsonl"};
    dpl_dedup_result *r = NULL;
    CHECK_OK(dpl_dedup(&r, ctx, NULL, &in, 1, o, &test_err));
    free(text);
    return r;
}

/* The cluster of each document by its id, and what is kept. */
static uint64_t digest(const dpl_dedup_result *r)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < dpl_dedup_get_summary(r)->n_docs; i++) {
        const dpl_dedup_doc d = dpl_dedup_get_doc(r, i);
        const uint64_t score = (uint64_t)(d.score * 1e6f + 0.5f);
        uint64_t h = dpl__hash(d.id.data, d.id.n, 0);
        h = dpl__hash(d.cluster.data, d.cluster.n, h ^ score ^ d.is_kept);
        sum += h;
    }
    return sum;
}

/* ---- all pairs, one by one ------------------------------------------------------------ */

static bool are_copies(const dpl_collection *c, uint32_t a, uint32_t b)
{
    size_t n, m;
    const uint32_t *x = dpl_collection_tokens(c, a, &n), *y = dpl_collection_tokens(c, b, &m);
    return n == m && memcmp(x, y, n * sizeof *x) == 0;
}

/* How many of the n shingles of w words from x on, each counted once, are among those of y? */
static size_t count_shared(const uint32_t *x, size_t n, const uint32_t *y, size_t m, size_t w)
{
    size_t n_shared = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_new = true, is_there = false;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = x[k] != x[i] || memcmp(x + k, x + i, w * sizeof *x) != 0;
        for (size_t k = 0; k < m && is_new && !is_there; k++)
            is_there = y[k] == x[i] && memcmp(y + k, x + i, w * sizeof *x) == 0;
        n_shared += is_there;
    }
    return n_shared;
}

/* By comparison of all shingles of five words with each other; documents have more words. */
static double similarity(const dpl_collection *c, uint32_t left, uint32_t right,
                         dpl_dedup_measure measure)
{
    enum { W = 5 };
    size_t n, m;
    const uint32_t *x = dpl_collection_tokens(c, left, &n),
                   *y = dpl_collection_tokens(c, right, &m);
    CHECK(n >= W && m >= W);
    n -= W - 1;
    m -= W - 1;
    const size_t a = count_shared(x, n, x, n, W), b = count_shared(y, m, y, m, W),
                 both = count_shared(x, n, y, m, W);
    const size_t of = measure == DPL_DEDUP_JACCARD ? a + b - both : a < b ? a : b;
    return (double)both / (double)of;
}

/* Share of the shingles of an old document that a new one has. */
static double contained(const dpl_collection *c, uint32_t doc, uint32_t old)
{
    enum { W = 5 };
    size_t n, m;
    const uint32_t *x = dpl_collection_tokens(c, doc, &n),
                   *y = dpl_collection_tokens(c, old, &m);
    n -= W - 1;
    m -= W - 1;
    return (double)count_shared(y, m, x, n, W) / (double)count_shared(y, m, y, m, W);
}

static void check_edges(const dpl_dedup_result *r, dpl_dedup_measure measure, double threshold)
{
    const dpl_collection *c = dpl_dedup_get_collection(r);
    size_t n_edges, n_true = 0;
    const dpl_dedup_edge *edges = dpl_dedup_get_edges(r, &n_edges);
    for (uint32_t b = 0; b < N_DOCS; b++) {
        bool is_first = true;
        for (uint32_t a = 0; a < b; a++)
            is_first = is_first && !are_copies(c, a, b);
        for (uint32_t a = 0; a < b && is_first; a++) {
            bool is_copy = false;
            for (uint32_t x = 0; x < a; x++)
                is_copy = is_copy || are_copies(c, x, a);
            n_true += !is_copy && similarity(c, a, b, measure) >= threshold;
        }
    }
    CHECK_EQ(n_edges, n_true);
    for (size_t i = 0; i < n_edges; i++) {
        const double score = similarity(c, edges[i].left, edges[i].right, measure);
        CHECK(score >= threshold && edges[i].score == (float)score);
    }
}

DPL_TEST(dedup, exact_finds_all_pairs_that_one_by_one_comparison_finds)
{
    dpl_ctx *ctx = test_ctx(2);
    static const double thresholds[] = {0.3, 0.5, 0.8, 0.95};
    for (size_t i = 0; i < 2 * DPL_LEN(thresholds); i++) {
        const dpl_dedup_measure m = i % 2 ? DPL_DEDUP_CONTAINMENT : DPL_DEDUP_JACCARD;
        const dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .measure = m, .threshold = thresholds[i / 2]);
        dpl_dedup_result *r = dedup(ctx, 1, &o);
        CHECK(dpl_dedup_get_summary(r)->recall_check->is_exact);
        check_edges(r, m, thresholds[i / 2]);
        dpl_dedup_result_free(r);
    }
    test_ctx_done(ctx);
}

DPL_TEST(dedup, clusters_do_not_depend_on_order_threads_or_linkage_of_the_run)
{
    static const size_t steps[] = {1, 7, 299};
    for (int linkage = 0; linkage < 2; linkage++) {
        uint64_t first = 0;
        for (size_t i = 0; i < DPL_LEN(steps); i++) {
            dpl_ctx *ctx = test_ctx(1 + (unsigned)i);
            const dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .threshold = 0.6,
                                                 .linkage = (dpl_dedup_linkage)linkage);
            dpl_dedup_result *r = dedup(ctx, steps[i], &o);
            const uint64_t now = digest(r);
            CHECK(i == 0 || now == first);
            first = now;
            dpl_dedup_result_free(r);
            test_ctx_done(ctx);
        }
    }
}

DPL_TEST(dedup, codes_find_what_the_recall_check_says)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_dedup_options exact = DPL_INIT(dpl_dedup_options, .threshold = 0.7),
                            codes = DPL_INIT(dpl_dedup_options, .threshold = 0.7,
                                             .method = DPL_DEDUP_MINHASH);
    dpl_dedup_result *a = dedup(ctx, 1, &exact), *b = dedup(ctx, 1, &codes);
    const dpl_recall_check *check = dpl_dedup_get_summary(b)->recall_check;
    CHECK(!check->is_exact && check->n_rows > 200);
    CHECK(check->recall > 0.95 && check->low <= check->recall);
    CHECK(dpl_dedup_get_summary(b)->n_near <= dpl_dedup_get_summary(a)->n_near);
    CHECK(dpl_dedup_get_summary(b)->n_near * 100 >= dpl_dedup_get_summary(a)->n_near * 95);
    dpl_dedup_result_free(a);
    dpl_dedup_result_free(b);
    test_ctx_done(ctx);
}

/* What the summary says was used is what was asked for. */
DPL_TEST(dedup, a_method_that_is_given_is_the_one_that_is_used)
{
    static const struct {
        dpl_dedup_measure measure;
        dpl_dedup_method method;
    } cases[] = {
        {DPL_DEDUP_JACCARD, DPL_DEDUP_EXACT},   {DPL_DEDUP_JACCARD, DPL_DEDUP_MINHASH},
        {DPL_DEDUP_JACCARD, DPL_DEDUP_SIMHASH}, {DPL_DEDUP_COSINE, DPL_DEDUP_EXACT},
        {DPL_DEDUP_COSINE, DPL_DEDUP_SIMHASH},  {DPL_DEDUP_CONTAINMENT, DPL_DEDUP_EXACT}};
    dpl_ctx *ctx = test_ctx(2);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .threshold = 0.8, .measure = cases[i].measure,
                     .method = cases[i].method);
        dpl_dedup_result *r = dedup(ctx, 1, &o);
        CHECK_EQ(dpl_dedup_get_summary(r)->method, cases[i].method);
        CHECK_EQ(dpl_dedup_get_summary(r)->measure, cases[i].measure);
        CHECK(dpl_dedup_get_summary(r)->n_near > 0);
        dpl_dedup_result_free(r);
    }
    test_ctx_done(ctx);
}

/* Six shingles of five words each, four of them shared: 4 of 8. */
DPL_TEST(dedup, a_pair_at_the_threshold_is_a_pair)
{
    static const char docs[] =
        "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"w1 w2 w3 w4 w5 w6 w7 w8 w9 w10\"}\n"
        "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"w1 w2 w3 w4 w5 w6 w7 w8 x9 x10\"}\n"
        "{\"id\":\"c\",\"lang\":\"en\",\"text\":\"y1 y2 y3 y4 y5 y6 y7 y8 y9 y10\"}\n";
    static const struct {
        double threshold;
        uint64_t n_pairs;
    } cases[] = {{0.5, 1}, {0.50001, 0}};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < 2 * DPL_LEN(cases); i++) {
        const uint64_t n_pairs = cases[i / 2].n_pairs;
        const dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .threshold = cases[i / 2].threshold, .recall = 0.99,
                     .method = i % 2 ? DPL_DEDUP_MINHASH : DPL_DEDUP_EXACT);
        const dpl_input in = {.buffer = {docs, sizeof docs - 1}, .name = "docs.jsonl"};
        dpl_dedup_result *r = NULL;
        CHECK_OK(dpl_dedup(&r, ctx, NULL, &in, 1, &o, &test_err));
        const dpl_dedup_summary *s = dpl_dedup_get_summary(r);
        CHECK_EQ(s->n_removed, n_pairs);
        if (i % 2) /* seen from either document */
            CHECK_EQ(s->recall_check->n_true, 2 * n_pairs);
        dpl_dedup_result_free(r);
    }
    test_ctx_done(ctx);
}

DPL_TEST(dedup, star_keeps_a_document_for_each_pair_of_removed_ones)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_dedup_options o =
        DPL_INIT(dpl_dedup_options, .threshold = 0.6, .linkage = DPL_LINK_STAR);
    dpl_dedup_result *r = dedup(ctx, 1, &o);
    const dpl_collection *c = dpl_dedup_get_collection(r);
    for (uint32_t i = 0; i < N_DOCS; i++) {
        const dpl_dedup_doc d = dpl_dedup_get_doc(r, i);
        CHECK(d.score >= 0.6f);
        if (d.is_kept)
            continue;
        char id[40];
        uint32_t kept;
        snprintf(id, sizeof id, "0:%.*s", (int)d.cluster.n, d.cluster.data);
        CHECK(dpl_collection_find_doc(c, dpl__cstr(id), &kept));
        CHECK(similarity(c, i, kept, DPL_DEDUP_JACCARD) >= 0.6);
    }
    dpl_dedup_result_free(r);
    test_ctx_done(ctx);
}

/* ---- only against old documents ------------------------------------------------------- */

/* One document in so many is old, the others are new. The old ones may have blank lines behind
 * them and seem large: then all documents are kept as they are while they are read, else, where
 * few are old, those alone that share a shingle with an old one. */
static dpl_dedup_result *dedup_against_some(dpl_ctx *ctx, size_t one_in, bool is_padded,
                                            dpl_dedup_options *o)
{
    size_t n, n_part[2] = {0, 0}, i = 0;
    char *text = make_docs(1, &n), *part[2] = {malloc(n), malloc(2 * n)};
    CHECK(part[0] && part[1]);
    for (size_t at = 0, end; at < n; at = end, i++) {
        end = (size_t)((char *)memchr(text + at, '\n', n - at) + 1 - text);
        const int side = i % one_in == 1;
        memcpy(part[side] + n_part[side], text + at, end - at);
        n_part[side] += end - at;
    }
    memset(part[1] + n_part[1], '\n', n);
    n_part[1] += is_padded ? n : 0;
    const dpl_input in = {.buffer = {part[0], n_part[0]}, .name = "new.jsonl"},
                    old = {.buffer = {part[1], n_part[1]}, .name = "old.jsonl"};
    dpl_dedup_result *r = NULL;
    o->against = &old;
    o->n_against = 1;
    o->only_against = true;
    CHECK_OK(dpl_dedup(&r, ctx, NULL, &in, 1, o, &test_err));
    free(part[1]);
    free(part[0]);
    free(text);
    return r;
}

/* The highest similarity of a new document with an old one. */
static double nearest_old(const dpl_dedup_result *r, uint32_t doc, dpl_dedup_measure measure)
{
    const dpl_collection *c = dpl_dedup_get_collection(r);
    const dpl_dedup_summary *s = dpl_dedup_get_summary(r);
    double best = 0;
    for (uint32_t old = (uint32_t)s->n_docs; old < s->n_docs + s->n_old; old++) {
        const double score = measure == DPL_DEDUP_CONTAINMENT
                                 ? contained(c, doc, old)
                                 : similarity(c, doc, old, measure);
        best = are_copies(c, doc, old) ? 1 : score > best ? score : best;
    }
    return best;
}

DPL_TEST(dedup, only_against_removes_what_matches_an_old_document_itself)
{
    dpl_ctx *ctx = test_ctx(2);
    for (int i = 0; i < 4; i++) {
        dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .threshold = 0.6, .linkage = (dpl_dedup_linkage)(i % 2),
                     .measure = i < 2 ? DPL_DEDUP_JACCARD : DPL_DEDUP_CONTAINMENT);
        dpl_dedup_result *r = dedup_against_some(ctx, 3, false, &o);
        const dpl_dedup_summary *s = dpl_dedup_get_summary(r);
        uint64_t n_removed = 0;
        for (uint32_t doc = 0; doc < s->n_docs; doc++) {
            const dpl_dedup_doc d = dpl_dedup_get_doc(r, doc);
            const double score = nearest_old(r, doc, o.measure);
            CHECK_EQ(d.is_kept, score < 0.6);
            CHECK(d.score == (d.is_kept ? 1 : (float)score));
            n_removed += !d.is_kept;
        }
        CHECK(n_removed > 10 && n_removed == s->n_removed);
        CHECK_EQ(s->n_kept, s->n_docs - n_removed);
        dpl_dedup_result_free(r);
    }
    test_ctx_done(ctx);
}

DPL_TEST(dedup, documents_that_share_nothing_with_old_ones_are_left_out_and_nothing_changes)
{
    for (int i = 0; i < 6; i++) {
        dpl_ctx *ctx = test_ctx(1 + (unsigned)i % 2);
        dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .threshold = 0.3, .shingle = i < 4 ? 5 : 2,
                     .measure = i % 4 < 2 ? DPL_DEDUP_CONTAINMENT : DPL_DEDUP_JACCARD);
        dpl_dedup_result *some = dedup_against_some(ctx, 12, false, &o),
                         *all = dedup_against_some(ctx, 12, true, &o);
        size_t n, m;
        const dpl_dedup_hit *x = dpl_dedup_get_hits(some, &n), *y = dpl_dedup_get_hits(all, &m);
        CHECK(n == m && n > 5 && memcmp(x, y, n * sizeof *x) == 0);
        CHECK_EQ(digest(some), digest(all));
        CHECK(2 * dpl_collection_get_sizes(dpl_dedup_get_collection(some))->n_tokens <
              dpl_collection_get_sizes(dpl_dedup_get_collection(all))->n_tokens);
        dpl_dedup_result_free(some);
        dpl_dedup_result_free(all);
        test_ctx_done(ctx);
    }
}

DPL_TEST(dedup, only_against_compares_each_of_many_similar_documents_with_the_old_one)
{
    enum { N = 200 }; /* more than are compared with each other by a common shingle */
    static char text[N * 300];
    static const char old_text[] =
        "{\"id\":\"t\",\"lang\":\"en\",\"text\":\"a b c d e f g h i j k l m n o p q r s t\"}\n";
    size_t n = 0;
    dpl_ctx *ctx = test_ctx(2);
    for (int i = 0; i < N; i++)
        n += (size_t)sprintf(
            text + n,
            "{\"id\":\"%d\",\"lang\":\"en\",\"text\":\"a b c d e f g h i j k l m "
            "n o p q r s %s%d\"}\n",
            i, i % 2 ? "t u" : "u", i);
    const dpl_input in = {.buffer = {text, n}, .name = "new.jsonl"},
                    old = {.buffer = {old_text, sizeof old_text - 1}, .name = "old.jsonl"};
    for (int method = DPL_DEDUP_EXACT; method <= DPL_DEDUP_MINHASH; method++) {
        const dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .threshold = 0.6, .method = (dpl_dedup_method)method,
                     .recall = 0.9999, .against = &old, .n_against = 1, .only_against = true);
        dpl_dedup_result *r = NULL;
        CHECK_OK(dpl_dedup(&r, ctx, NULL, &in, 1, &o, &test_err));
        const dpl_dedup_summary *s = dpl_dedup_get_summary(r);
        CHECK_EQ(s->n_removed, N);
        CHECK_EQ(s->n_near, N);
        CHECK_EQ(s->n_clusters, 1);
        CHECK_EQ(s->largest, N + 1);
        CHECK(s->recall_check->recall == 1);
        dpl_dedup_result_free(r);
    }
    test_ctx_done(ctx);
}

/* The kept documents are written by 16 threads, whose chunks would not fit. */
DPL_TEST(dedup, many_threads_stay_within_the_memory)
{
    enum { MEMORY = 32 << 20, N_MANY = 12000, N_TEXT = 1500 };
    dpl_ctx *ctx = NULL;
    const dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 16, .memory = MEMORY);
    const dpl_dedup_options d = DPL_INIT(dpl_dedup_options, .no_recall_check = true);
    const char *path = test_path("many.jsonl"), *dir = test_path("out");
    dpl__rng rng = {5};
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    for (int i = 0; i < N_MANY; i++) {
        fprintf(f, "{\"id\":\"d%d\",\"lang\":\"en\",\"text\":\"", i);
        for (int n = 0; n < N_TEXT; n += 12)
            fprintf(f, "w%010llu ", (unsigned long long)dpl__rng_below(&rng, 20000));
        fprintf(f, "\"}\n");
    }
    fclose(f);
    const dpl_input in = {.path = path};
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    CHECK_OK(dpl_dedup(NULL, ctx, dir, &in, 1, &d, &test_err));
    CHECK(dpl_ctx_peak(ctx) <= MEMORY);
    test_ctx_done(ctx);
}

static int die(void *user, const dpl_progress *progress)
{
    (void)user, (void)progress;
    return raise(SIGKILL);
}

/* What there is of temporary folders. */
static size_t count_folders(void)
{
    size_t n = 0;
    DIR *dir = opendir(test_dir());
    for (const struct dirent *e; dir && (e = readdir(dir));)
        n += strncmp(e->d_name, "doppel-", 7) == 0;
    closedir(dir);
    return n;
}

DPL_TEST(dedup, the_folder_of_a_run_that_was_killed_is_removed_by_the_next)
{
    const dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .temp = test_dir());
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dpl_ctx *ctx = NULL;
        const dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = 1, .progress = die);
        if (dpl_ctx_new(&ctx, &c, NULL) == DPL_OK)
            dpl_dedup_result_free(dedup(ctx, 1, &o));
        _exit(1);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    CHECK_EQ(count_folders(), 1);
    dpl_ctx *ctx = test_ctx(1);
    dpl_dedup_result_free(dedup(ctx, 1, &o));
    CHECK_EQ(count_folders(), 0);
    test_ctx_done(ctx);
}

DPL_TEST(dedup, refuses_options_out_of_range)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_input in = {.buffer = {"", 0}, .name = "none.jsonl"};
    const dpl_dedup_options all[] = {
        DPL_INIT(dpl_dedup_options, .threshold = 1.5),
        DPL_INIT(dpl_dedup_options, .threshold = -1),
        DPL_INIT(dpl_dedup_options, .threshold = 0.5, .floor = 0.6),
        DPL_INIT(dpl_dedup_options, .recall = 1),
        DPL_INIT(dpl_dedup_options, .shingle = 65),
        DPL_INIT(dpl_dedup_options, .select = DPL_KEEP_HIGHEST),
        DPL_INIT(dpl_dedup_options, .measure = DPL_DEDUP_COSINE, .method = DPL_DEDUP_MINHASH),
        DPL_INIT(dpl_dedup_options, .unit = DPL_DEDUP_LINE, .resume = true),
        DPL_INIT(dpl_dedup_options, .only_against = true),
    };
    for (size_t i = 0; i < DPL_LEN(all); i++)
        CHECK_EQ(dpl_dedup(NULL, ctx, NULL, &in, 1, &all[i], NULL), DPL_E_USAGE);
    CHECK_OK(dpl_dedup(NULL, ctx, NULL, &in, 1, NULL, &test_err));
    test_ctx_done(ctx);
}

/* ---- parts ---------------------------------------------------------------------------- */

static void check_parts(dpl_dedup_unit unit, const char *text, const char *expected)
{
    dpl__part_walk walk = {.unit = unit, .text = dpl__cstr(text)};
    dpl__part part;
    char found[200] = "";
    size_t n = 0, at = 0;
    while (dpl__part_next(&walk, &part)) {
        CHECK_EQ(part.begin, at);
        at = part.end;
        for (size_t i = part.begin; i < part.end; i++)
            found[n++] = text[i];
        found[n++] = '|';
    }
    CHECK_EQ(at, strlen(text));
    CHECK_STR(((dpl_str){found, n}), expected);
}

DPL_TEST(dedup, parts_of_a_text_together_are_the_text)
{
    check_parts(DPL_DEDUP_LINE, "a\nb\n\nc", "a\n|b\n|\n|c|");
    check_parts(DPL_DEDUP_PARAGRAPH, "a\nb\n\nc\n", "a\nb\n\n|c\n|");
    check_parts(DPL_DEDUP_PARAGRAPH, "a\nb\n \n\nc\nd", "a\nb\n \n\n|c\nd|");
    check_parts(DPL_DEDUP_PARAGRAPH, "a\nb\nc", "a\n|b\n|c|");
    check_parts(DPL_DEDUP_PARAGRAPH, "\n\na\n\n", "\n\n|a\n\n|");
    check_parts(DPL_DEDUP_LINE, "", "");
    check_parts(DPL_DEDUP_PARAGRAPH, "\n", "\n|");
}

/* ---- failing memory ----------------------------------------------------------------- */

static dpl_status dedup_little(void *user, dpl_ctx *ctx, dpl_error *err)
{
    static const char text[] =
        "{\"id\":\"a\",\"text\":\"one two three four five six seven eight nine ten\"}\n"
        "{\"id\":\"b\",\"text\":\"one two three four five six seven eight nine eleven\"}\n"
        "{\"id\":\"c\",\"text\":\"One two, three four five six seven eight nine ten!\"}\n"
        "{\"id\":\"d\",\"lang\":\"en\",\"text\":\"a line of six short words\\n\\n"
        "another part of six short words\\n\\na line of six short words\"}\n";
    const dpl_input in = {.buffer = {text, sizeof text - 1}, .name = "little.jsonl"};
    dpl_dedup_result *r = NULL;
    dpl_status status = dpl_dedup(&r, ctx, NULL, &in, 1, user, err);
    dpl_dedup_result_free(r);
    return status;
}

static dpl_status dedup_collection(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl_input in = {.path = user};
    return dpl_dedup(NULL, ctx, NULL, &in, 1, NULL, err);
}

DPL_TEST(dedup, failed_allocations_of_a_collection_are_reported)
{
    static const char text[] =
        "{\"id\":\"a\",\"text\":\"one two three four\"}\n{\"id\":\"b\",\"text\":\"five\"}\n";
    const dpl_input in = {.buffer = {text, sizeof text - 1}, .name = "little.jsonl"};
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("little.dpl");
    CHECK_OK(dpl_import_inputs(NULL, ctx, path, &in, 1, NULL, &test_err));
    test_ctx_done(ctx);
    test_allocation_failures(dedup_collection, (void *)(uintptr_t)path);
}

DPL_TEST(dedup, failed_allocations_are_reported)
{
    static const char text[] =
        "{\"id\":\"o\",\"text\":\"one two three four five six seven eight nine ten\"}\n";
    const dpl_input old = {.buffer = {text, sizeof text - 1}, .name = "old.jsonl"};
    dpl_dedup_options o[] = {
        DPL_INIT(dpl_dedup_options, .threshold = 0.5),
        DPL_INIT(dpl_dedup_options, .threshold = 0.5, .measure = DPL_DEDUP_CONTAINMENT,
                 .linkage = DPL_LINK_STAR),
        DPL_INIT(dpl_dedup_options, .threshold = 0.5, .method = DPL_DEDUP_MINHASH),
        DPL_INIT(dpl_dedup_options, .threshold = 0.5, .method = DPL_DEDUP_SIMHASH),
        DPL_INIT(dpl_dedup_options, .threshold = 0.5, .measure = DPL_DEDUP_COSINE),
        DPL_INIT(dpl_dedup_options, .unit = DPL_DEDUP_PARAGRAPH, .min_words = 3),
        DPL_INIT(dpl_dedup_options, .threshold = 0.5, .against = &old, .n_against = 1,
                 .only_against = true),
        DPL_INIT(dpl_dedup_options, .threshold = 0.5, .method = DPL_DEDUP_MINHASH,
                 .against = &old, .n_against = 1, .only_against = true),
    };
    for (size_t i = 0; i < DPL_LEN(o); i++)
        test_allocation_failures(dedup_little, &o[i]);
}
