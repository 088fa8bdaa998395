/*
 * eval_clusters.c - found clusters of documents against true ones.
 *
 * In: lines or an array of id and cluster, of gold and of found. Out: precision, recall and F1
 * of the pairs of documents that are in one cluster, and the adjusted Rand index (Hubert and
 * Arabie: Comparing partitions, Journal of Classification 1985). The documents are those of
 * gold; one that found does not have is a cluster of its own there. Cost: a sort of the
 * documents, 24 bytes for each beside the maps of ids and clusters.
 */
#include "doppel/eval.h"

#include "base/ascii.h"
#include "base/order.h"
#include "base/sized.h"
#include "base/vec.h"
#include "eval/key_map.h"
#include "eval/measure.h"

enum { ID = 1, CLUSTER = 2 }; /* seeds of keys */
enum { GOLD, FOUND };

/* A document: its clusters, from 1; 0: none. */
typedef struct item {
    uint32_t cluster[2];
} item;

typedef struct eval {
    dpl_ctx *ctx;
    dpl__keys ids;         /* to the number of the item, from 1 */
    dpl__keys clusters[2]; /* names to numbers, from 1 */
    uint32_t n_clusters[2];
    DPL_VEC(item) items;
    dpl_eval_clusters counts;
} eval;

/* ---- input -------------------------------------------------------------------------- */

static dpl_status number_cluster(eval *e, dpl_str name, int side, uint32_t *out, dpl_error *err)
{
    uint32_t *number;
    DPL_TRY(dpl__keys_put(&e->clusters[side], dpl__key_of(name, CLUSTER), &number, err));
    if (!*number)
        *number = ++e->n_clusters[side];
    *out = *number;
    return DPL_OK;
}

/* The item of an id; NULL where gold does not have it, and of no memory, with the status. */
static dpl_status find_item(eval *e, dpl_str id, int side, item **out, dpl_error *err)
{
    uint32_t *number;
    *out = NULL;
    if (side == FOUND) {
        const uint32_t known = dpl__keys_get(&e->ids, dpl__key_of_id(id, ID));
        *out = known ? &e->items.data[known - 1] : NULL;
        return DPL_OK;
    }
    DPL_TRY(dpl__keys_put(&e->ids, dpl__key_of_id(id, ID), &number, err));
    if (!*number) {
        const item none = {{0}};
        DPL_TRY(dpl__need(dpl__vec_push(e->ctx, &e->items, none), err));
        *number = (uint32_t)e->items.n;
    }
    *out = &e->items.data[*number - 1];
    return DPL_OK;
}

/* DPL_END when the id is in another cluster already. */
static dpl_status add(eval *e, dpl_str id, dpl_str cluster, int side, dpl_error *err)
{
    item *it;
    uint32_t number;
    DPL_TRY(find_item(e, id, side, &it, err));
    if (!it) {
        e->counts.n_other++;
        return DPL_OK;
    }
    DPL_TRY(number_cluster(e, cluster, side, &number, err));
    assert(number > 0 && number <= e->n_clusters[side]);
    if (it->cluster[side] && it->cluster[side] != number)
        return DPL_END;
    it->cluster[side] = number;
    return DPL_OK;
}

/* The first two columns; false when there are none. */
static bool split(dpl_str line, dpl_str *id, dpl_str *cluster)
{
    *id = dpl__next_column(&line);
    *cluster = dpl__next_column(&line);
    return id->n > 0 && cluster->n > 0;
}

static dpl_status add_line(eval *e, const dpl__lines *lines, dpl_str line, int side,
                           dpl_error *err)
{
    dpl_str id, cluster;
    if (!split(line, &id, &cluster))
        return dpl__lines_bad(lines, err, "expected an id, a tab and a cluster");
    if (dpl__str_eq(id, dpl__cstr("id")) && dpl__str_eq(cluster, dpl__cstr("cluster")))
        return DPL_OK; /* names of the columns */
    const dpl_status status = add(e, id, cluster, side, err);
    return status == DPL_END ? dpl__lines_bad(lines, err, "the id is in two clusters") : status;
}

static dpl_status read_clusters(eval *e, const char *path, int side, dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    dpl_status status;
    DPL__STEP(dpl__lines_open(&lines, e->ctx, path, err));
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        if (line.n)
            DPL__STEP(add_line(e, &lines, line, side, err));
        DPL__STEP(dpl__measure_report(&lines, err));
    }
done:
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status take_clusters(eval *e, const dpl_id_pair *rows, size_t n, int side,
                                dpl_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!rows[i].left.n || !rows[i].right.n)
            return dpl__fail(err, DPL_E_USAGE, "row %zu has an empty id or cluster", i);
        const dpl_status status = add(e, rows[i].left, rows[i].right, side, err);
        if (status == DPL_END)
            return dpl__fail(err, DPL_E_USAGE, "the id of row %zu is in two clusters", i);
        DPL_TRY(status);
    }
    return DPL_OK;
}

/* ---- measures ----------------------------------------------------------------------- */

DPL__ORDER(by_clusters, item, DPL__RISING(cluster[0]) DPL__RISING(cluster[1]))

DPL__ORDER(by_found, item, DPL__RISING(cluster[FOUND]))

/* The pairs within runs of equal items; *n_runs: those of more than one. */
static uint64_t count_pairs(const eval *e, bool by_gold, bool by_found_too, uint64_t *n_runs)
{
    uint64_t n_pairs = 0;
    const item *items = e->items.data;
    *n_runs = 0;
    for (size_t i = 0, end; i < e->items.n; i = end) {
        for (end = i + 1; end < e->items.n; end++)
            if ((by_gold && items[end].cluster[GOLD] != items[i].cluster[GOLD]) ||
                (by_found_too && items[end].cluster[FOUND] != items[i].cluster[FOUND]))
                break;
        const uint64_t n = end - i;
        n_pairs += n * (n - 1) / 2;
        *n_runs += n > 1;
    }
    return n_pairs;
}

static void measure(eval *e)
{
    dpl_eval_clusters *c = &e->counts;
    uint64_t n_runs;
    for (size_t i = 0; i < e->items.n; i++)
        if (!e->items.data[i].cluster[FOUND]) { /* alone */
            e->items.data[i].cluster[FOUND] = ++e->n_clusters[FOUND];
            c->n_missing++;
        }
    c->n_docs = e->items.n;
    dpl__vec_sort(&e->items, by_clusters);
    c->n_gold_pairs = count_pairs(e, true, false, &c->n_gold);
    c->n_matching = count_pairs(e, true, true, &n_runs);
    dpl__vec_sort(&e->items, by_found);
    c->n_found_pairs = count_pairs(e, false, true, &c->n_found);
    c->precision = dpl__share(c->n_matching, c->n_found_pairs);
    c->recall = dpl__share(c->n_matching, c->n_gold_pairs);
    c->f1 = dpl__f1(c->precision, c->recall);
    const double gold = (double)c->n_gold_pairs, found = (double)c->n_found_pairs;
    const double all = 0.5 * (double)c->n_docs * ((double)c->n_docs - 1);
    const double expected = all > 0 ? gold * found / all : 0, most = 0.5 * (gold + found);
    c->rand_index =
        most > expected ? ((double)c->n_matching - expected) / (most - expected) : 1;
}

dpl_status dpl_eval_clusters_run(dpl_eval_clusters *out, dpl_ctx *ctx,
                                 const dpl_eval_clusters_input *input, dpl_error *err)
{
    dpl_eval_clusters_input in;
    eval e = {.ctx = ctx, .counts = DPL_INIT(dpl_eval_clusters)};
    DPL_TRY(DPL__TAKE(&in, input, err));
    DPL_TRY(DPL__CHECK_OUT(out, err));
    dpl__keys_init(&e.ids, ctx);
    dpl__keys_init(&e.clusters[GOLD], ctx);
    dpl__keys_init(&e.clusters[FOUND], ctx);
    dpl_status status;
    DPL__STEP(in.gold_path ? read_clusters(&e, in.gold_path, GOLD, err)
                           : take_clusters(&e, in.gold, in.n_gold, GOLD, err));
    DPL__STEP(in.found_path ? read_clusters(&e, in.found_path, FOUND, err)
                            : take_clusters(&e, in.found, in.n_found, FOUND, err));
    measure(&e);
done:
    DPL__GIVE(out, &e.counts);
    dpl__vec_clear(ctx, &e.items);
    dpl__keys_clear(&e.clusters[FOUND]);
    dpl__keys_clear(&e.clusters[GOLD]);
    dpl__keys_clear(&e.ids);
    return status;
}
