/*
 * copy_choice.c - alternatives of each pair are aligned, the best one is taken; copies are
 * listed.
 *
 * A page and its copy with one paragraph more have nearly the same cosine with a translation.
 * How much of both texts can be aligned tells them apart. Cost: an alignment of each
 * alternative; MOST_MEMBERS of a group are tried.
 */
#include "mine/copy_choice.h"

#include "base/lower_bound.h"
#include "base/order.h"
#include "mine/copies.h"
#include "mine/final_features.h"
#include "mine/run_files.h"
#include "par/sort.h"

enum { MOST_MEMBERS = 8 };

/* ---- members of groups ---------------------------------------------------------------- */

/* A document in its group. */
typedef struct member {
    uint64_t group; /* key of its first document */
    uint32_t doc;
} member;

typedef DPL_VEC(member) members;

DPL__ORDER(by_group, member, DPL__RISING(group) DPL__RISING(doc))

static uint64_t group_key(const dpl__comparable *p, int side, uint32_t doc)
{
    uint32_t group = p->groups[side] ? p->groups[side][doc] : DPL__NO_DOC;
    return p->keys[side][group == DPL__NO_DOC ? doc : group];
}

/* Documents of one key are duplicates; the one that takes part says which group they are in. */
static void group_duplicates(member *all, size_t n, const dpl__comparable *p, int side)
{
    for (size_t begin = 0, end; begin < n; begin = end) {
        uint64_t key = all[begin].group, group = key;
        for (end = begin; end < n && all[end].group == key; end++)
            if (!p->skip[side][all[end].doc])
                group = group_key(p, side, all[end].doc);
        for (size_t i = begin; i < end; i++)
            all[i].group = group;
    }
}

/* All documents by their groups. */
static dpl_status sort_members(members *out, const dpl__comparable *p, int side, dpl_error *err)
{
    uint32_t n = dpl_collection_get_sizes(p->c[side])->n_docs;
    DPL_TRY(dpl__need(dpl__vec_reserve(p->ctx, out, n), err));
    for (uint32_t doc = 0; doc < n; doc++)
        out->data[out->n++] = (member){p->keys[side][doc], doc};
    DPL_TRY(dpl__parallel_sort(p->ctx, out->data, n, sizeof *out->data, by_group, err));
    group_duplicates(out->data, n, p, side);
    return dpl__parallel_sort(p->ctx, out->data, n, sizeof *out->data, by_group, err);
}

/* ---- choosing ----------------------------------------------------------------------- */

/* Two documents that could be a pair instead. */
typedef struct alternative {
    size_t pair;
    dpl_doc_pair docs;
    double share; /* aligned */
} alternative;

typedef struct choice {
    const dpl__comparable *corpus;
    dpl__doc_candidate_vec *pairs; /* candidates */
    double least;                  /* confidence of those that count */
    DPL_VEC(alternative) all;
    DPL_VEC(dpl_doc_pair) docs;
    members members[2];
    uint8_t *is_used[2]; /* documents in pairs */
} choice;

/* Documents that take part, of the group of doc. */
static size_t find_members(uint32_t out[MOST_MEMBERS], const choice *x, int side, uint32_t doc)
{
    const dpl__comparable *p = x->corpus;
    size_t n = 0;
    out[n++] = doc;
    if (!p->groups[side] || p->groups[side][doc] == DPL__NO_DOC)
        return n;
    uint64_t group = group_key(p, side, doc);
    const members *m = &x->members[side];
    size_t at;
    DPL__LOWER_BOUND(at, m->n, m->data[at].group < group);
    for (; at < m->n && m->data[at].group == group && n < MOST_MEMBERS; at++)
        if (m->data[at].doc != doc && !p->skip[side][m->data[at].doc])
            out[n++] = m->data[at].doc;
    return n;
}

static dpl_status add_alternatives(choice *x, size_t pair, dpl_error *err)
{
    dpl_doc_pair docs = x->pairs->data[pair].docs;
    uint32_t docs_of[2][MOST_MEMBERS];
    size_t n[2] = {find_members(docs_of[0], x, 0, docs.left),
                   find_members(docs_of[1], x, 1, docs.right)};
    for (size_t i = 0; i < n[0] && n[0] * n[1] > 1; i++)
        for (size_t j = 0; j < n[1]; j++) {
            alternative one = {pair, {docs_of[0][i], docs_of[1][j]}, 0};
            DPL_TRY(dpl__need(dpl__vec_push(x->corpus->ctx, &x->all, one) &&
                                  dpl__vec_push(x->corpus->ctx, &x->docs, one.docs),
                              err));
        }
    return DPL_OK;
}

static dpl_status take_share(void *user, const dpl_aligned_docs *a, dpl_error *err)
{
    (void)err;
    choice *x = user;
    x->all.data[a->pair].share = dpl__share_aligned(x->corpus, a).mean;
    return DPL_OK;
}

/* The pair's own documents come first and stay where no other two are better. */
static void take_best(choice *x)
{
    for (size_t begin = 0, end; begin < x->all.n; begin = end) {
        size_t best = begin;
        dpl_doc_pair *docs = &x->pairs->data[x->all.data[begin].pair].docs;
        x->is_used[0][docs->left] = x->is_used[1][docs->right] = 0;
        for (end = begin; end < x->all.n && x->all.data[end].pair == x->all.data[begin].pair;
             end++) {
            const alternative *one = &x->all.data[end];
            if (one->share > x->all.data[best].share && !x->is_used[0][one->docs.left] &&
                !x->is_used[1][one->docs.right])
                best = end;
        }
        *docs = x->all.data[best].docs;
        x->is_used[0][docs->left] = x->is_used[1][docs->right] = 1;
    }
}

DPL__ORDER(by_left, dpl__doc_candidate, DPL__RISING(docs.left))

static dpl_status choose(choice *x, dpl__pair_beads *beads, dpl_error *err)
{
    const dpl__comparable *p = x->corpus;
    dpl__doc_candidate_vec *pairs = x->pairs;
    for (int side = 0; side < 2; side++) {
        size_t n = dpl_collection_get_sizes(p->c[side])->n_docs;
        x->is_used[side] = dpl__calloc(p->ctx, n + 1, 1);
        DPL_TRY(dpl__need(x->is_used[side], err));
        DPL_TRY(sort_members(&x->members[side], p, side, err));
    }
    for (size_t i = 0; i < pairs->n; i++) {
        if (pairs->data[i].confidence < x->least)
            continue;
        x->is_used[0][pairs->data[i].docs.left] = x->is_used[1][pairs->data[i].docs.right] = 1;
        DPL_TRY(add_alternatives(x, i, err));
    }
    const dpl__pair_list docs = {x->docs.data, x->docs.n};
    DPL_TRY(dpl__pair_beads_each(beads, docs, take_share, x, err));
    take_best(x);
    dpl__vec_sort(pairs, by_left);
    return DPL_OK;
}

dpl_status dpl__choose_copies(dpl__doc_candidates *found, dpl__rounds *rounds,
                              const dpl__comparable *p, dpl_error *err)
{
    if (!p->groups[0] && !p->groups[1])
        return DPL_OK;
    choice x = {.corpus = p, .pairs = &found->pairs, .least = dpl__least_confidence(p, found)};
    DPL_TRY(dpl__rounds_open_beads(rounds, p, err));
    dpl_status status = choose(&x, rounds->beads, err);
    for (int side = 0; side < 2; side++) {
        dpl__free(p->ctx, x.is_used[side]);
        dpl__vec_clear(p->ctx, &x.members[side]);
    }
    dpl__vec_clear(p->ctx, &x.all, &x.docs);
    return status;
}

/* ---- listing ------------------------------------------------------------------------ */

/* The documents of a side that are copies. */
typedef struct listing {
    const dpl__comparable *corpus;
    int side;
    const uint8_t *is_paired;
    uint32_t *copy_of;
} listing;

/* Which of the documents of a group the others are copies of: 2 for one that is paired, 1 for
 * one that takes part. */
static int rank_of(const listing *l, uint32_t doc)
{
    return l->is_paired[doc] ? 2 : !l->corpus->skip[l->side][doc];
}

static void list_side(const listing *l, const members *m)
{
    for (size_t begin = 0, end; begin < m->n; begin = end) {
        uint32_t best = m->data[begin].doc;
        for (end = begin; end < m->n && m->data[end].group == m->data[begin].group; end++)
            if (rank_of(l, m->data[end].doc) > rank_of(l, best))
                best = m->data[end].doc;
        size_t n_tokens; /* none: nothing is left of them */
        dpl_collection_tokens(l->corpus->c[l->side], best, &n_tokens);
        for (size_t i = begin; i < end; i++) {
            uint32_t doc = m->data[i].doc;
            bool is_copy = doc != best && !l->is_paired[doc] && n_tokens;
            l->copy_of[doc] = is_copy ? best : DPL__NO_DOC;
        }
    }
}

static dpl_status list_copies(uint32_t *copy_of, const dpl__comparable *p, int side,
                              const dpl__pair_list *pairs, dpl_error *err)
{
    const size_t n = dpl_collection_get_sizes(p->c[side])->n_docs;
    members m = {0};
    uint8_t *is_paired = dpl__calloc(p->ctx, n + 1, 1);
    dpl_status status = is_paired ? sort_members(&m, p, side, err) : dpl__fail_nomem(err);
    if (status == DPL_OK) {
        for (size_t i = 0; i < pairs->n; i++)
            is_paired[side ? pairs->data[i].right : pairs->data[i].left] = 1;
        list_side(&(listing){p, side, is_paired, copy_of}, &m);
    }
    dpl__vec_clear(p->ctx, &m);
    dpl__free(p->ctx, is_paired);
    return status;
}

dpl_status dpl__list_copies(uint32_t *copy_of[2], const dpl__comparable *p,
                            const dpl__pair_list *pairs, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        if (!p->n_copies[side] && !p->n_duplicates[side])
            continue;
        const size_t n = dpl_collection_get_sizes(p->c[side])->n_docs;
        copy_of[side] = dpl__alloc(p->ctx, n * sizeof *copy_of[side]);
        DPL_TRY(dpl__need(copy_of[side], err));
        DPL_TRY(list_copies(copy_of[side], p, side, pairs, err));
    }
    return DPL_OK;
}

dpl_status dpl__write_copies(const char *dir, const dpl__comparable *p,
                             uint32_t *const copy_of[2], dpl_error *err)
{
    dpl_output *o = NULL;
    if (!copy_of[0] && !copy_of[1])
        return DPL_OK;
    DPL_TRY(dpl__open_output(&o, p->ctx, dir, "copies.tsv", err));
    for (int side = 0; side < 2; side++) {
        const dpl_collection *c = p->c[side];
        for (uint32_t doc = 0; copy_of[side] && doc < dpl_collection_get_sizes(c)->n_docs;
             doc++) {
            uint32_t of = copy_of[side][doc];
            if (of == DPL__NO_DOC)
                continue;
            dpl__put_field(o, dpl__cstr(p->lang[side]), "\t");
            dpl__put_field(o, dpl_collection_doc(c, doc).id, "\t");
            dpl__put_field(o, dpl_collection_doc(c, of).id, "\n");
        }
    }
    return dpl__output_end(o, DPL_OK, err);
}
