#include "doppel/eval.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

static const char *file(const char *name, const char *text)
{
    return test_write(name, text, strlen(text));
}

static dpl_eval_clusters eval(const char *gold, const char *found)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_eval_clusters c = DPL_INIT(dpl_eval_clusters);
    dpl_eval_clusters_input in = DPL_INIT(dpl_eval_clusters_input, .gold_path = file("g", gold),
                                          .found_path = file("f", found));
    CHECK_OK(dpl_eval_clusters_run(&c, ctx, &in, &test_err));
    test_ctx_done(ctx);
    return c;
}

DPL_TEST(eval_clusters, pairs_in_one_cluster_are_counted)
{
    /* gold: abc, de, f; found: ab, cd, e; f is missing, x is not in gold */
    dpl_eval_clusters c =
        eval("a\t1\nb\t1\nc\t1\nd\t2\ne\t2\nf\t3\n",
             "id\tcluster\tscore\tkeep\na\tA\t1\t1\nb\tA\nc\tC\nd\tC\ne\tE\nx\tC\n");
    CHECK_EQ(c.n_docs, 6);
    CHECK_EQ(c.n_gold, 2);
    CHECK_EQ(c.n_found, 2);
    CHECK_EQ(c.n_missing, 1);
    CHECK_EQ(c.n_other, 1);
    CHECK_EQ(c.n_gold_pairs, 4);
    CHECK_EQ(c.n_found_pairs, 2);
    CHECK_EQ(c.n_matching, 1);
    CHECK(c.precision == 0.5 && c.recall == 0.25 && fabs(c.f1 - 1. / 3) < 1e-12);
    /* (1 - 4 * 2 / 15) / (3 - 4 * 2 / 15) */
    CHECK(fabs(c.rand_index - (7. / 15) / (37. / 15)) < 1e-12);
}

DPL_TEST(eval_clusters, the_same_clusters_under_other_names_are_right)
{
    dpl_eval_clusters c = eval("a\t1\nb\t1\nc\t2\n", "c\tx\nb\ty\na\ty\n");
    CHECK(c.precision == 1 && c.recall == 1 && c.f1 == 1 && c.rand_index == 1);
    c = eval("a\t1\nb\t2\n", "a\tx\nb\ty\n"); /* all alone */
    CHECK(c.f1 == 0 && c.rand_index == 1);
    c = eval("", "");
    CHECK(c.n_docs == 0 && c.f1 == 0);
}

DPL_TEST(eval_clusters, what_cannot_be_read_is_refused)
{
    static const char *const bad[] = {"a\n", "a\t\n", "\tb\n", "a\t1\na\t2\n"};
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        dpl_eval_clusters c = DPL_INIT(dpl_eval_clusters);
        dpl_eval_clusters_input in =
            DPL_INIT(dpl_eval_clusters_input, .gold_path = file("bad", bad[i]),
                     .found_path = file("f", "a\t1\n"));
        CHECK_EQ(dpl_eval_clusters_run(&c, ctx, &in, &test_err), DPL_E_FORMAT);
    }
    const dpl_id_pair rows[] = {{{"a", 1}, {"1", 1}}, {{"a", 1}, {"2", 1}}};
    dpl_eval_clusters c = DPL_INIT(dpl_eval_clusters);
    dpl_eval_clusters_input in = DPL_INIT(dpl_eval_clusters_input, .gold = rows, .n_gold = 2);
    CHECK_EQ(dpl_eval_clusters_run(&c, ctx, &in, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

/* Against the definition: a look at every pair. */
DPL_TEST(eval_clusters, counts_are_those_of_all_pairs)
{
    enum { N = 60 };
    dpl_ctx *ctx = test_ctx(1);
    char ids[N][8], names[12][4];
    for (int i = 0; i < N; i++)
        snprintf(ids[i], sizeof ids[i], "d%d", i);
    for (int i = 0; i < 12; i++)
        snprintf(names[i], sizeof names[i], "%d", i);
    for (uint64_t round = 0; round < 20; round++) {
        dpl_id_pair gold[N], found[N];
        uint64_t of[2][N], n_gold = 0, n_found = 0, n_both = 0;
        for (uint64_t i = 0; i < N; i++) {
            of[0][i] = dpl__mix(round * 1000 + i) % 12;
            of[1][i] = dpl__mix(round * 1000 + i + 500) % 3 ? of[0][i] : dpl__mix(i) % 12;
            const dpl_str id = {ids[i], strlen(ids[i])};
            gold[i] = (dpl_id_pair){id, {names[of[0][i]], strlen(names[of[0][i]])}};
            found[i] = (dpl_id_pair){id, {names[of[1][i]], strlen(names[of[1][i]])}};
            for (uint64_t k = 0; k < i; k++) {
                n_gold += of[0][i] == of[0][k];
                n_found += of[1][i] == of[1][k];
                n_both += of[0][i] == of[0][k] && of[1][i] == of[1][k];
            }
        }
        dpl_eval_clusters c = DPL_INIT(dpl_eval_clusters);
        dpl_eval_clusters_input in = DPL_INIT(dpl_eval_clusters_input, .gold = gold,
                                              .n_gold = N, .found = found, .n_found = N);
        CHECK_OK(dpl_eval_clusters_run(&c, ctx, &in, &test_err));
        CHECK_EQ(c.n_gold_pairs, n_gold);
        CHECK_EQ(c.n_found_pairs, n_found);
        CHECK_EQ(c.n_matching, n_both);
    }
    test_ctx_done(ctx);
}
