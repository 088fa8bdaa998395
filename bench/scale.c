/*
 * scale.c - the search of one round of mining: the nearest neighbours of both sides.
 *
 *     build/bench/scale --data DIR --work DIR [--rounds N] [--smoke]
 *     build/bench/scale --full FACTOR --work DIR [--left SHARE] [--threshold T] [--recall R]
 *                       [--k K] [--bits D] [--memory MB] [--most SECONDS] [--threads N]
 *                       [--device cuda] [--only exact,exact-nearest,brute,brute-nearest,window]
 *
 * Package descriptions, English and German: by spelling, as in round 0, and with the German
 * words projected by a table (ttable-de-en), as in later rounds. The old path takes every pair
 * at or above the cosine of 0.02 and keeps the best of each row; the new one is
 * dpl_neighbours_find. Both run in turn, so that a busy machine is busy for both; the fastest
 * of the rounds counts. "same" is the share of all lists that agree.
 *
 * --full: made-up vectors of the paper's size, 1,470,000 x 3,440,000 rows, times FACTOR, or a
 * share of the left ones against all right ones (scale_full.c).
 */
#include "doppel/doppel.h"

#include "base/ctx.h"
#include "pairs/searches.h"
#include "scale_full.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { K = 8, PATH_MOST = 4096, MOST_ROUNDS = 20 };
static const double threshold = 0.02;

typedef struct settings {
    const char *data, *work;
    unsigned n_rounds;
    bool is_smoke;
} settings;

typedef struct timing {
    double wall, core;
} timing;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static timing now(void)
{
    return (timing){seconds_of(CLOCK_MONOTONIC), seconds_of(CLOCK_PROCESS_CPUTIME_ID)};
}

static void keep_fastest(timing *best, timing began)
{
    timing end = now(), took = {end.wall - began.wall, end.core - began.core};
    if (best->wall == 0 || took.wall < best->wall)
        best->wall = took.wall;
    if (best->core == 0 || took.core < best->core)
        best->core = took.core;
}

/* ---- vectors ------------------------------------------------------------------------ */

/* name: "de" or "en"; lexicon NULL: by spelling. */
static dpl_status make_vectors(dpl_vectors **out, dpl_ctx *ctx, const settings *set,
                               const char *docs, const char *lexicon, bool is_by_spelling,
                               dpl_error *err)
{
    char collection[PATH_MOST], vectors[PATH_MOST];
    snprintf(collection, sizeof collection, "%s/scale.dpl", set->work);
    snprintf(vectors, sizeof vectors, "%s/scale.vectors.dpl", set->work);
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = true);
    dpl_import_options import = DPL_INIT(dpl_import_options, .tokens = &tokens);
    dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .ngrams = is_by_spelling ? 4 : 0);
    dpl_collection *c = NULL;
    dpl_lexicon *table = NULL;
    dpl_status status = dpl_import(NULL, ctx, collection, &docs, 1, &import, err);
    if (status == DPL_OK)
        status = dpl_collection_open(&c, ctx, collection, err);
    if (status == DPL_OK && lexicon)
        status = dpl_lexicon_open(&table, ctx, lexicon, NULL, err);
    if (status == DPL_OK)
        status = dpl_vectors_make(NULL, ctx, vectors, c, table, &o, err);
    if (status == DPL_OK)
        status = dpl_vectors_open(out, ctx, vectors, err);
    dpl_lexicon_close(table);
    dpl_collection_close(c);
    remove(vectors);
    remove(collection);
    return status;
}

/* ---- the old path ------------------------------------------------------------------- */

typedef struct lists {
    dpl_scored_row *of[2];
    uint64_t n_pairs;
} lists;

static void add(dpl_scored_row *list, uint32_t row, float score)
{
    size_t at = K - 1;
    if (score <= list[at].score)
        return;
    for (; at > 0 && score > list[at - 1].score; at--)
        list[at] = list[at - 1];
    list[at] = (dpl_scored_row){row, score};
}

static dpl_status take(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    (void)err;
    lists *l = user;
    l->n_pairs += n;
    for (size_t i = 0; i < n; i++) {
        add(l->of[0] + (size_t)pairs[i].left * K, pairs[i].right, pairs[i].score);
        add(l->of[1] + (size_t)pairs[i].right * K, pairs[i].left, pairs[i].score);
    }
    return DPL_OK;
}

static dpl_status search_all(lists *l, dpl_ctx *ctx, const dpl_vectors *const v[2],
                             const char *work, dpl_error *err)
{
    dpl__sides sides;
    dpl__spill spill;
    dpl__pair_sink sink = {l, take};
    l->n_pairs = 0;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < (size_t)v[side]->sizes.n_rows * K; i++)
            l->of[side][i] = (dpl_scored_row){UINT32_MAX, 0};
    DPL_TRY(dpl__spill_init(&spill, ctx, work, err));
    dpl_status status = dpl__sides_init(&sides, ctx, v[0], v[1], err);
    if (status == DPL_OK)
        status = dpl__exact(
            ctx, &(dpl__exact_search){.sides = &sides, .threshold = threshold, .sink = &sink},
            &spill, err);
    dpl__sides_clear(&sides, ctx);
    dpl__spill_clear(&spill);
    return status;
}

/* ---- both --------------------------------------------------------------------------- */

static double share_of_same(const lists *l, const dpl_neighbours *found,
                            const dpl_vectors *v[2])
{
    size_t n = 0, n_same = 0;
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < v[side]->sizes.n_rows; row++, n++) {
            const dpl_scored_row *list = dpl_neighbours_of(found, side, row);
            n_same += memcmp(list, l->of[side] + (size_t)row * K, K * sizeof *list) == 0;
        }
    return n ? (double)n_same / (double)n : 1;
}

static dpl_status compare(const char *name, dpl_ctx *ctx, const settings *set,
                          dpl_vectors *const vectors[2], dpl_error *err)
{
    const dpl_vectors *v[2] = {vectors[0], vectors[1]};
    dpl_pairs_side left = {.vectors = v[0]}, right = {.vectors = v[1]};
    dpl_neighbours_options o = DPL_INIT(dpl_neighbours_options, .k = K, .threshold = threshold,
                                        .no_content_ties = true);
    lists l = {{malloc((size_t)v[0]->sizes.n_rows * K * sizeof(dpl_scored_row)),
                malloc((size_t)v[1]->sizes.n_rows * K * sizeof(dpl_scored_row))},
               0};
    timing old = {0, 0}, new = {0, 0};
    double same = 0;
    uint64_t n_scored = 0;
    dpl_status status = l.of[0] && l.of[1] ? DPL_OK : dpl__fail_nomem(err);
    for (unsigned i = 0; i < set->n_rounds && status == DPL_OK; i++) {
        dpl_neighbours *found = NULL;
        timing began = now();
        status = search_all(&l, ctx, v, set->work, err);
        keep_fastest(&old, began);
        began = now();
        if (status == DPL_OK)
            status = dpl_neighbours_find(&found, ctx, &left, &right, &o, err);
        keep_fastest(&new, began);
        if (status == DPL_OK) {
            same = share_of_same(&l, found, v);
            n_scored = dpl_neighbours_get_summary(found)->n_scored;
        }
        dpl_neighbours_free(found);
    }
    if (status == DPL_OK)
        printf("  %-12s %6u x %-6u %8.2f %8.2f %9.1fM %8.2f %8.2f %7.1fM %6.1f x   %.5f\n",
               name, v[0]->sizes.n_rows, v[1]->sizes.n_rows, old.wall, old.core,
               (double)l.n_pairs / 1e6, new.wall, new.core, (double)n_scored / 1e6,
               old.core / new.core, same);
    free(l.of[0]);
    free(l.of[1]);
    return status;
}

static dpl_status measure(dpl_ctx *ctx, const settings *set, bool is_by_spelling,
                          dpl_error *err)
{
    char docs[2][PATH_MOST], lexicon[PATH_MOST];
    const char *folder = set->is_smoke ? "sample" : "debdesc";
    const char *end = set->is_smoke ? ".jsonl" : ".jsonl.zst";
    snprintf(docs[0], PATH_MOST, "%s/%s/%sen%s", set->data, folder,
             set->is_smoke ? "" : "docs.", end);
    snprintf(docs[1], PATH_MOST, "%s/%s/%sde%s", set->data, folder,
             set->is_smoke ? "" : "docs.", end);
    snprintf(lexicon, sizeof lexicon, "%s/%s", set->data,
             set->is_smoke ? "sample/words.de-en.tsv" : "ttable-de-en/de-en.wmt10.tsv.zst");
    dpl_vectors *v[2] = {NULL, NULL};
    dpl_status status = make_vectors(&v[0], ctx, set, docs[0], NULL, is_by_spelling, err);
    if (status == DPL_OK)
        status = make_vectors(&v[1], ctx, set, docs[1], is_by_spelling ? NULL : lexicon,
                              is_by_spelling, err);
    if (status == DPL_OK)
        status = compare(is_by_spelling ? "spelling" : "lexicon", ctx, set, v, err);
    dpl_vectors_close(v[0]);
    dpl_vectors_close(v[1]);
    return status;
}

int main(int argc, char **argv)
{
    settings set = {.data = "../shared/data", .work = "/tmp", .n_rounds = 3};
    full_size full = {.left = 1,
                      .threshold = 0.3,
                      .recall = 0.95,
                      .k = 8,
                      .most_seconds = 3600,
                      .n_threads = 2};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--smoke") == 0)
            set.is_smoke = true;
        else if (i + 1 < argc && strcmp(argv[i], "--data") == 0)
            set.data = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--work") == 0)
            set.work = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--rounds") == 0)
            set.n_rounds = (unsigned)dpl__min(strtoul(argv[++i], NULL, 10), MOST_ROUNDS);
        else if (i + 1 < argc && strcmp(argv[i], "--full") == 0)
            full.factor = strtod(argv[++i], NULL);
        else if (i + 1 < argc && strcmp(argv[i], "--left") == 0)
            full.left = strtod(argv[++i], NULL);
        else if (i + 1 < argc && strcmp(argv[i], "--device") == 0)
            full.device = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--threshold") == 0)
            full.threshold = strtod(argv[++i], NULL);
        else if (i + 1 < argc && strcmp(argv[i], "--recall") == 0)
            full.recall = strtod(argv[++i], NULL);
        else if (i + 1 < argc && strcmp(argv[i], "--k") == 0)
            full.k = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--bits") == 0)
            full.bits = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--memory") == 0)
            full.memory = strtoull(argv[++i], NULL, 10) << 20;
        else if (i + 1 < argc && strcmp(argv[i], "--only") == 0)
            full.only = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--threads") == 0)
            full.n_threads = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--most") == 0)
            full.most_seconds = strtod(argv[++i], NULL);
    }
    dpl_error err = {0};
    full.work = set.work;
    if (full.factor > 0) {
        if (measure_full_size(&full, &err) == DPL_OK)
            return 0;
        fprintf(stderr, "scale: %s\n", err.text);
        return 1;
    }
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2);
    dpl_status status = dpl_ctx_new(&ctx, &o, &err);
    printf("the %d nearest of both sides, 2 threads, seconds, fastest of %u\n", K,
           set.n_rounds);
    printf("  %-12s %15s %8s %8s %10s %8s %8s %8s %8s   %s\n", "vectors", "documents",
           "all wall", "core", "scored", "new wall", "core", "scored", "faster", "same");
    for (int i = 0; i < 2 && status == DPL_OK; i++)
        status = measure(ctx, &set, i == 0, &err);
    if (status != DPL_OK)
        fprintf(stderr, "scale: %s\n", err.text);
    dpl_ctx_free(ctx);
    return status == DPL_OK ? 0 : 1;
}
