/*
 * dedup.c - documents per second and core of the steps of duplicate removal after tokens, for
 * each method, with the recall against exact.
 *
 *     dedup DOCS.jsonl [THRESHOLD] [SHINGLE]
 *
 * Times are of the process (core seconds), the fastest of five, on one thread.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/ctx.h"
#include "dedup/clusters.h"
#include "dedup/dedup_run.h"
#include "dedup/dedup_search.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double core_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(dpl_status status, const dpl_error *err)
{
    if (status == DPL_OK)
        return;
    fprintf(stderr, "bench/dedup: %s\n", err->text);
    exit(1);
}

typedef struct figures {
    double copies, sizes, search, cluster, all;
    size_t n_pairs;
    dpl__edges edges;
} figures;

/* Everything from the collection to clusters. */
static void run(figures *f, dpl_ctx *ctx, const dpl_collection *c, const dpl_input *in,
                const dpl_dedup_options *o)
{
    dpl_error err = {0};
    dpl__sets sets = {0};
    dpl__inputs inputs = {0};
    dpl__dedup_docs docs = {0};
    dpl__dedup_search s = {0};
    dpl__clusters clusters = {0};
    uint32_t *n_set = NULL;
    double own;
    const dpl__cluster_rule rule = {.threshold = o->threshold, .translation = 1};
    double at[5] = {core_seconds()};
    check(dpl__sets_init(&sets, ctx, c, o->shingle, &err), &err);
    check(dpl__inputs_open(&inputs, ctx, in, 1, &err), &err);
    check(dpl__dedup_docs_init(&docs, &sets, &inputs, 1, &err), &err);
    at[1] = core_seconds();
    check(dpl__set_sizes(&n_set, &own, &docs, &sets, false, &err), &err);
    at[2] = core_seconds();
    const dpl__dedup_query q = {ctx, &docs, &sets, o, "/tmp"};
    check(dpl__search_sets(&s, &q, n_set, own, &err), &err);
    at[3] = core_seconds();
    check(dpl__clusters_make(&clusters, &docs, &s.found.edges, &rule, &err), &err);
    at[4] = core_seconds();
    const figures now = {at[1] - at[0], at[2] - at[1],   at[3] - at[2], at[4] - at[3],
                         at[4] - at[0], s.found.edges.n, s.found.edges};
    if (f->all == 0 || now.all < f->all) {
        dpl__vec_clear(ctx, &f->edges);
        *f = now;
    } else {
        dpl__vec_clear(ctx, &s.found.edges);
    }
    dpl__clusters_clear(&clusters);
    dpl__free(ctx, n_set);
    dpl__dedup_docs_clear(&docs);
    dpl__inputs_close(&inputs);
    dpl__sets_clear(&sets);
}

/* Share of the pairs within 0.02 of the threshold that were found. */
static double recall_at(const dpl__edges *found, const dpl__edges *all, double threshold)
{
    size_t n = 0, n_found = 0, k = 0;
    for (size_t i = 0; i < all->n; i++) {
        const dpl_dedup_edge *e = &all->data[i];
        while (k < found->n &&
               (found->data[k].left < e->left ||
                (found->data[k].left == e->left && found->data[k].right < e->right)))
            k++;
        if (e->score > (float)threshold + 0.02f)
            continue;
        n++;
        n_found +=
            k < found->n && found->data[k].left == e->left && found->data[k].right == e->right;
    }
    return n ? (double)n_found / (double)n : 1;
}

int main(int argc, char **argv)
{
    dpl_error err = {0};
    dpl_ctx *ctx = NULL;
    dpl_collection *c = NULL;
    const dpl_ctx_options one = DPL_INIT(dpl_ctx_options, .n_threads = 1);
    const dpl_import_options import = DPL_INIT(dpl_import_options, .number_inputs = true);
    if (argc < 2) {
        fprintf(stderr, "usage: dedup DOCS.jsonl [THRESHOLD] [SHINGLE]\n");
        return 2;
    }
    const dpl_input in = {.path = argv[1]};
    dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .threshold = 0.8, .shingle = 5,
                                   .recall = 0.99, .sample = 500);
    o.threshold = o.floor = argc > 2 ? atof(argv[2]) : 0.8;
    o.shingle = argc > 3 ? (unsigned)atoi(argv[3]) : 5;
    check(dpl_ctx_new(&ctx, &one, &err), &err);
    check(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, &import, &err), &err);
    const double n = dpl_collection_get_sizes(c)->n_docs;
    static const dpl_dedup_method methods[] = {DPL_DEDUP_EXACT, DPL_DEDUP_MINHASH,
                                               DPL_DEDUP_SIMHASH};
    figures exact = {0};
    printf("%.0f documents of %.0f words, Jaccard %g, shingles of %u, one core\n", n,
           (double)dpl_collection_get_sizes(c)->n_tokens / n, o.threshold, o.shingle);
    printf("%-8s %8s %8s %8s %8s %8s %12s %8s %10s\n", "method", "copies", "sets", "search",
           "cluster", "all s", "documents/s", "pairs", "recall at");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        figures f = {0};
        o.method = methods[i];
        for (int k = 0; k < 5; k++)
            run(&f, ctx, c, &in, &o);
        if (i == 0)
            exact = f;
        printf("%-8s %8.4f %8.4f %8.4f %8.4f %8.4f %12.0f %8zu %10.4f\n",
               dpl__dedup_method_name(methods[i]), f.copies, f.sizes, f.search, f.cluster,
               f.all, n / f.all, f.n_pairs, recall_at(&f.edges, &exact.edges, o.threshold));
        if (i)
            dpl__vec_clear(ctx, &f.edges);
    }
    dpl__vec_clear(ctx, &exact.edges);
    dpl_collection_close(c);
    dpl_ctx_free(ctx);
    return 0;
}
