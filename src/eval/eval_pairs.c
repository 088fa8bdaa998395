/*
 * eval_pairs.c - found document pairs against gold pairs.
 *
 * In: pairs and groups of interchangeable ids, from files or arrays. Out: counts, precision,
 * recall. An id becomes the key of its group's first id, or its own; a pair becomes the key of
 * its two ids' keys, for which a map keeps whether it is gold, found or both. The measures are
 * those of "Large Scale Parallel Document Mining for Machine Translation" (Uszkoreit et al.
 * 2010), section 4. Cost: linear; 21 to 43 bytes for each distinct pair and each id of gold.
 */
#include "doppel/eval.h"

#include "base/ascii.h"
#include "base/name_list.h"
#include "base/sized.h"
#include "eval/key_map.h"
#include "eval/measure.h"
#include "pairs/pairs_tsv.h"

#include <stdio.h>

/* Seeds: a left id differs from the same text as a right id. */
enum { ID = 1, LEFT = 2, RIGHT = 3 };
/* Where a pair was seen; ids of gold have the first flag, too. */
enum { GOLD = 1, FOUND = 2 };

typedef struct eval {
    dpl_ctx *ctx;
    dpl__keys groups;          /* id to its number, from 1 */
    DPL_VEC(uint32_t) parents; /* of the members: a union-find forest; a root is its own */
    dpl__keys ids;             /* of gold, by side */
    dpl__keys pairs;
    dpl_eval_pairs counts;
    dpl__name_list names[2]; /* of gold, of found: the first ids */
    uint64_t n_swapped;      /* ids of found that gold has on the other side ... */
    uint64_t n_sentences;    /* ... or without the number of a sentence, ... */
    uint64_t n_documents;    /* ... or with one; while no id is common */
} eval;

/* ---- groups ------------------------------------------------------------------------- */

static uint32_t root_of(eval *e, uint32_t i)
{
    assert(i < e->parents.n);
    uint32_t *parents = e->parents.data;
    for (; parents[i] != i; i = parents[i])
        parents[i] = parents[parents[i]];
    return i;
}

static dpl_status add_member(eval *e, dpl_str id, uint32_t *out, dpl_error *err)
{
    uint32_t *number;
    DPL_TRY(dpl__keys_put(&e->groups, dpl__key_of_id(id, ID), &number, err));
    if (!*number) {
        uint32_t own = (uint32_t)e->parents.n;
        DPL_TRY(dpl__need(dpl__vec_push(e->ctx, &e->parents, own), err));
        *number = own + 1;
    }
    *out = *number - 1;
    return DPL_OK;
}

/* Adds an id to the group of another one; *first is the other one's number, or for the first
 * id of a group becomes its own. */
static dpl_status join_group(eval *e, dpl_str id, bool is_first, uint32_t *first,
                             dpl_error *err)
{
    uint32_t i = 0;
    DPL_TRY(add_member(e, id, &i, err));
    if (is_first)
        *first = i;
    uint32_t a = root_of(e, *first), b = root_of(e, i);
    e->parents.data[a > b ? a : b] = a > b ? b : a;
    return DPL_OK;
}

static dpl_status add_group_line(eval *e, const dpl__lines *lines, dpl_str line, dpl_error *err)
{
    uint32_t first = 0;
    for (bool is_first = true; is_first || line.data; is_first = false) {
        const dpl_str id = dpl__next_column(&line);
        if (!id.n)
            return dpl__lines_bad(lines, err, "an id is empty");
        DPL_TRY(join_group(e, id, is_first, &first, err));
    }
    return DPL_OK;
}

static dpl_status add_group(eval *e, const dpl_id_group *group, dpl_error *err)
{
    uint32_t first = 0;
    for (size_t i = 0; i < group->n; i++) {
        if (!group->ids[i].n)
            return dpl__fail(err, DPL_E_USAGE, "an id is empty");
        DPL_TRY(join_group(e, group->ids[i], i == 0, &first, err));
    }
    return DPL_OK;
}

static dpl_status read_groups(eval *e, const char *path, dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    dpl_status status;
    DPL__STEP(dpl__lines_open(&lines, e->ctx, path, err));
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        if (line.n)
            DPL__STEP(add_group_line(e, &lines, line, err));
        DPL__STEP(dpl__measure_report(&lines, err));
    }
done:
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

/* The same key for all ids of a group. */
static dpl__key key_of(eval *e, dpl_str id, uint64_t side)
{
    uint32_t number = dpl__keys_get(&e->groups, dpl__key_of_id(id, ID));
    if (!number)
        return dpl__key_of_id(id, side);
    uint64_t group[2] = {root_of(e, number - 1), side};
    return dpl__key_of((dpl_str){(const char *)group, sizeof group}, ~side);
}

/* ---- pairs -------------------------------------------------------------------------- */

static dpl_status add_gold(eval *e, dpl__key left, dpl__key right, dpl_error *err)
{
    uint32_t *seen;
    DPL_TRY(dpl__keys_put(&e->pairs, dpl__key_pair(left, right), &seen, err));
    e->counts.n_gold += *seen == 0;
    *seen = GOLD;
    DPL_TRY(dpl__keys_put(&e->ids, left, &seen, err));
    *seen = GOLD;
    DPL_TRY(dpl__keys_put(&e->ids, right, &seen, err));
    *seen = GOLD;
    return DPL_OK;
}

/* Why an id is not in gold. */
static void look_further(eval *e, dpl_str id, uint64_t side)
{
    char sentence[512];
    const char *mark = NULL;
    for (size_t i = 0; i < id.n; i++)
        mark = id.data[i] == '#' ? id.data + i : mark;
    const dpl_str bare = {id.data, mark ? (size_t)(mark - id.data) : 0};
    const int n =
        snprintf(sentence, sizeof sentence, "%.*s#1", (int)dpl__min(id.n, 500), id.data);
    e->n_swapped += dpl__keys_get(&e->ids, key_of(e, id, side == LEFT ? RIGHT : LEFT)) != 0;
    e->n_sentences += bare.n && dpl__keys_get(&e->ids, key_of(e, bare, side)) != 0;
    e->n_documents +=
        dpl__keys_get(&e->ids, key_of(e, (dpl_str){sentence, (size_t)n}, side)) != 0;
}

static dpl_status add_found(eval *e, dpl__key left, dpl__key right, dpl_error *err)
{
    uint32_t *seen;
    DPL_TRY(dpl__keys_put(&e->pairs, dpl__key_pair(left, right), &seen, err));
    if (*seen & FOUND)
        return DPL_OK;
    e->counts.n_found++;
    if (*seen & GOLD)
        e->counts.n_matching++;
    else if (dpl__keys_get(&e->ids, left) || dpl__keys_get(&e->ids, right))
        e->counts.n_touching++;
    else
        e->counts.n_other++;
    *seen |= FOUND;
    return DPL_OK;
}

static dpl_status add_pair(eval *e, dpl_str left, dpl_str right, bool is_gold, dpl_error *err)
{
    dpl__key l = key_of(e, left, LEFT), r = key_of(e, right, RIGHT);
    dpl__name_list *names = &e->names[!is_gold];
    if (names->n < 2) {
        dpl__name_list_add(names, left);
        dpl__name_list_add(names, right);
    }
    if (is_gold)
        return add_gold(e, l, r, err);
    DPL_TRY(add_found(e, l, r, err));
    if (!e->counts.n_matching && !e->counts.n_touching) {
        look_further(e, left, LEFT);
        look_further(e, right, RIGHT);
    }
    return DPL_OK;
}

static dpl_status read_pairs(eval *e, const char *path, bool is_gold, dpl_error *err)
{
    dpl__lines lines;
    dpl__pair_line p;
    dpl_status status;
    DPL__STEP(dpl__lines_open(&lines, e->ctx, path, err));
    while ((status = dpl__pairs_tsv_next(&lines, &p, err)) == DPL_OK) {
        DPL__STEP(add_pair(e, p.left, p.right, is_gold, err));
        DPL__STEP(dpl__measure_report(&lines, err));
    }
done:
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status take_pairs(eval *e, const dpl_id_pair *pairs, size_t n, bool is_gold,
                             dpl_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!pairs[i].left.n || !pairs[i].right.n)
            return dpl__fail(err, DPL_E_USAGE, "pair %zu has an empty id", i);
        DPL_TRY(add_pair(e, pairs[i].left, pairs[i].right, is_gold, err));
    }
    return DPL_OK;
}

/* ---- measures ----------------------------------------------------------------------- */

static dpl_status compare(eval *e, const dpl_eval_pairs_input *in, dpl_error *err)
{
    for (size_t i = 0; i < in->n_dup_paths; i++)
        DPL_TRY(read_groups(e, in->dup_paths[i], err));
    for (size_t i = 0; i < in->n_dups; i++)
        DPL_TRY(add_group(e, &in->dups[i], err));
    DPL_TRY(in->gold_path ? read_pairs(e, in->gold_path, true, err)
                          : take_pairs(e, in->gold, in->n_gold, true, err));
    return in->found_path ? read_pairs(e, in->found_path, false, err)
                          : take_pairs(e, in->found, in->n_found, false, err);
}

/* No common id is rarely a result; most often the ids are of another collection. */
static void explain(eval *e, const dpl_eval_pairs_input *in)
{
    dpl_eval_pairs *p = &e->counts;
    char found[120], gold[120];
    if (!p->n_gold || !p->n_found || p->n_matching || p->n_touching)
        return;
    snprintf(found, sizeof found, "%.110s", in->found_path ? in->found_path : "found");
    snprintf(gold, sizeof gold, "%.110s", in->gold_path ? in->gold_path : "gold");
    const int n =
        snprintf(p->mismatch, sizeof p->mismatch, "no id of '%s' is in '%s': ", found, gold);
    char *rest = p->mismatch + n;
    const size_t room = sizeof p->mismatch - (size_t)n;
    if (e->n_swapped)
        snprintf(rest, room, "left and right are exchanged");
    else if (e->n_sentences)
        snprintf(rest, room, "its ids are of sentences (%s), the others of documents (%s)",
                 e->names[1].text, e->names[0].text);
    else if (e->n_documents)
        snprintf(rest, room, "its ids are of documents (%s), the others of sentences (%s)",
                 e->names[1].text, e->names[0].text);
    else
        snprintf(rest, room, "they look like %s, the others like %s", e->names[1].text,
                 e->names[0].text);
}

static void measure(dpl_eval_pairs *p)
{
    p->precision = dpl__share(p->n_matching, p->n_matching + p->n_touching);
    p->recall = dpl__share(p->n_matching, p->n_gold);
    p->f1 = dpl__f1(p->precision, p->recall);
    p->strict_precision = dpl__share(p->n_matching, p->n_found);
    p->strict_f1 = dpl__f1(p->strict_precision, p->recall);
}

dpl_status dpl_eval_pairs_run(dpl_eval_pairs *out, dpl_ctx *ctx,
                              const dpl_eval_pairs_input *input, dpl_error *err)
{
    dpl_eval_pairs_input in;
    eval e = {.ctx = ctx, .counts = DPL_INIT(dpl_eval_pairs)};
    DPL_TRY(DPL__TAKE(&in, input, err));
    DPL_TRY(DPL__CHECK_OUT(out, err));
    dpl__keys_init(&e.groups, ctx);
    dpl__keys_init(&e.ids, ctx);
    dpl__keys_init(&e.pairs, ctx);
    dpl_status status = compare(&e, &in, err);
    measure(&e.counts);
    if (status == DPL_OK)
        explain(&e, &in);
    DPL__GIVE(out, &e.counts);
    dpl__keys_clear(&e.pairs);
    dpl__keys_clear(&e.ids);
    dpl__vec_clear(ctx, &e.parents);
    dpl__keys_clear(&e.groups);
    return status;
}
