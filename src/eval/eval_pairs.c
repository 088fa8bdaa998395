/*
 * eval_pairs.c - pairs that were found against pairs that are true.
 *
 * In: files of pairs, groups of interchangeable ids. Out: counts, precision, recall. An id
 * becomes the key of its group's first id, or its own; a pair becomes the key of its two ids'
 * keys, and all that is asked of it is which of the files it stands in. The measures are those
 * of "Large Scale Parallel Document Mining for Machine Translation" (Uszkoreit et al. 2010),
 * section 4. Cost: linear; 21 to 43 bytes for each distinct pair and each id of gold.
 */
#include "doppel/eval.h"

#include "eval/keys.h"
#include "eval/measure.h"
#include "pairs/pairs_tsv.h"

/* Seeds: a left id is another one than the same text as a right id. */
enum { ID = 1, LEFT = 2, RIGHT = 3 };
/* Where a pair stands; ids of gold have the first one, too. */
enum { GOLD = 1, FOUND = 2 };

typedef struct eval {
    dpl_ctx *ctx;
    dpl__keys groups;          /* id to its number, from 1 */
    DPL_VEC(uint32_t) parents; /* of the members: a union-find forest; a root is its own */
    dpl__keys ids;             /* of gold, by side */
    dpl__keys pairs;
} eval;

/* ---- groups ------------------------------------------------------------------------- */

static uint32_t root_of(eval *e, uint32_t i)
{
    uint32_t *parents = e->parents.data;
    for (; parents[i] != i; i = parents[i])
        parents[i] = parents[parents[i]];
    return i;
}

static dpl_status add_member(eval *e, dpl_str id, uint32_t *out, dpl_error *err)
{
    uint32_t *number;
    DPL_TRY(dpl__keys_put(&e->groups, dpl__key_of(id, ID), &number, err));
    if (!*number) {
        uint32_t own = (uint32_t)e->parents.n;
        if (!dpl__vec_push(e->ctx, &e->parents, own))
            return dpl__fail_nomem(err);
        *number = own + 1;
    }
    *out = *number - 1;
    return DPL_OK;
}

static dpl_status add_group(eval *e, const dpl__lines *lines, dpl_str line, dpl_error *err)
{
    uint32_t first = 0, i = 0;
    for (size_t at = 0, n; at <= line.n; at += n + 1) {
        const char *tab = memchr(line.data + at, '\t', line.n - at);
        n = (tab ? (size_t)(tab - line.data) : line.n) - at;
        if (!n)
            return dpl__lines_bad(lines, err, "an id is empty");
        DPL_TRY(add_member(e, (dpl_str){line.data + at, n}, &i, err));
        if (at == 0)
            first = i;
        uint32_t a = root_of(e, first), b = root_of(e, i);
        e->parents.data[a > b ? a : b] = a > b ? b : a;
    }
    return DPL_OK;
}

static dpl_status read_groups(eval *e, const char *path, dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    dpl_status status = dpl__lines_open(&lines, e->ctx, path, err);
    while (status == DPL_OK && (status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        status = line.n ? add_group(e, &lines, line, err) : DPL_OK;
        if (status == DPL_OK)
            status = dpl__measure_report(&lines, err);
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

/* The same key for all ids of a group. */
static dpl__key key_of(eval *e, dpl_str id, uint64_t side)
{
    uint32_t number = dpl__keys_get(&e->groups, dpl__key_of(id, ID));
    if (!number)
        return dpl__key_of(id, side);
    uint64_t group[2] = {root_of(e, number - 1), side};
    return dpl__key_of((dpl_str){(const char *)group, sizeof group}, ~side);
}

/* ---- pairs -------------------------------------------------------------------------- */

static dpl_status add_gold(eval *e, dpl_eval_pairs *out, dpl__key left, dpl__key right,
                           dpl_error *err)
{
    uint32_t *where;
    DPL_TRY(dpl__keys_put(&e->pairs, dpl__key_pair(left, right), &where, err));
    out->n_gold += *where == 0;
    *where = GOLD;
    DPL_TRY(dpl__keys_put(&e->ids, left, &where, err));
    *where = GOLD;
    DPL_TRY(dpl__keys_put(&e->ids, right, &where, err));
    *where = GOLD;
    return DPL_OK;
}

static dpl_status add_found(eval *e, dpl_eval_pairs *out, dpl__key left, dpl__key right,
                            dpl_error *err)
{
    uint32_t *where;
    DPL_TRY(dpl__keys_put(&e->pairs, dpl__key_pair(left, right), &where, err));
    if (*where & FOUND)
        return DPL_OK;
    out->n_found++;
    if (*where & GOLD)
        out->n_matching++;
    else if (dpl__keys_get(&e->ids, left) || dpl__keys_get(&e->ids, right))
        out->n_touching++;
    else
        out->n_other++;
    *where |= FOUND;
    return DPL_OK;
}

static dpl_status read_pairs(eval *e, dpl_eval_pairs *out, const char *path, bool is_gold,
                             dpl_error *err)
{
    dpl__lines lines;
    dpl__pair_line p;
    dpl_status status = dpl__lines_open(&lines, e->ctx, path, err);
    while (status == DPL_OK && (status = dpl__pairs_tsv_next(&lines, &p, err)) == DPL_OK) {
        dpl__key left = key_of(e, p.left, LEFT), right = key_of(e, p.right, RIGHT);
        status =
            is_gold ? add_gold(e, out, left, right, err) : add_found(e, out, left, right, err);
        if (status == DPL_OK)
            status = dpl__measure_report(&lines, err);
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

/* ---- measures ----------------------------------------------------------------------- */

dpl_status dpl_eval_pairs_run(dpl_eval_pairs *out, dpl_ctx *ctx, const char *gold,
                              const char *found, const char *const *dups, size_t n_dups,
                              dpl_error *err)
{
    eval e = {.ctx = ctx};
    dpl_status status = DPL_OK;
    *out = (dpl_eval_pairs){0};
    dpl__keys_init(&e.groups, ctx);
    dpl__keys_init(&e.ids, ctx);
    dpl__keys_init(&e.pairs, ctx);
    for (size_t i = 0; i < n_dups && status == DPL_OK; i++)
        status = read_groups(&e, dups[i], err);
    if (status == DPL_OK)
        status = read_pairs(&e, out, gold, true, err);
    if (status == DPL_OK)
        status = read_pairs(&e, out, found, false, err);
    out->precision = dpl__share(out->n_matching, out->n_matching + out->n_touching);
    out->recall = dpl__share(out->n_matching, out->n_gold);
    out->f1 = dpl__f1(out->precision, out->recall);
    out->strict_precision = dpl__share(out->n_matching, out->n_found);
    out->strict_f1 = dpl__f1(out->strict_precision, out->recall);
    dpl__keys_clear(&e.pairs);
    dpl__keys_clear(&e.ids);
    dpl__vec_clear(ctx, &e.parents);
    dpl__keys_clear(&e.groups);
    return status;
}
