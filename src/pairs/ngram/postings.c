/*
 * postings.c - the filters of the paper, n-gram by n-gram, and the pairs that are left.
 *
 * An n-gram in c documents makes at most c (c - 1) / 2 pairs, and c is bounded: the number of
 * pairs, and with it all work, is linear in the number of documents.
 */
#include "pairs/ngram/postings.h"

#include "pairs/ngram/shared_pairs.h"
#include "pairs/radix.h"

#include <stdlib.h>

static bool is_one_group(const dpl_ngram_posting *list, size_t n, const uint32_t *group_of)
{
    for (size_t i = 1; i < n; i++)
        if (group_of[list[i].doc] != group_of[list[0].doc])
            return false;
    return true;
}

dpl_status dpl__ngram_pairs_of(dpl__ngram_candidates *out, const dpl__matcher *m,
                               const dpl_ngram_posting *list, uint64_t n_all, dpl_error *err)
{
    dpl_ngram_summary *counts = m->counts;
    const uint32_t *group_of = m->group_of;
    counts->n_matching++;
    counts->n_postings += n_all;
    if (n_all == 1) {
        counts->n_single++;
        return DPL_OK;
    }
    if (n_all > m->s->max_matching) {
        counts->n_frequent++;
        return DPL_OK;
    }
    size_t n = (size_t)n_all;
    if (is_one_group(list, n, group_of)) {
        counts->n_one_group++;
        return DPL_OK;
    }
    counts->n_used++;
    if (!dpl__vec_reserve(m->ctx, out, n * (n - 1) / 2))
        return dpl__fail_nomem(err);
    size_t before = out->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (group_of[list[i].doc] != group_of[list[j].doc])
                out->data[out->n++] = (uint64_t)list[i].doc << 32 | list[j].doc;
    counts->n_generated += out->n - before;
    return DPL_OK;
}

/* ---- over plain buffers --------------------------------------------------------------- */

/* The postings of the n-gram that begins at `at`; 0 when they are not sorted. */
static size_t count_postings(const dpl_ngram_shard *shard, size_t at)
{
    const dpl_ngram_posting *p = shard->postings;
    size_t end = at + 1;
    for (; end < shard->n && p[end].ngram == p[at].ngram; end++)
        if (p[end].doc <= p[end - 1].doc)
            return 0;
    return end < shard->n && p[end].ngram < p[at].ngram ? 0 : end - at;
}

static dpl_status fail_order(dpl_error *err)
{
    return dpl__fail(err, DPL_E_USAGE, "postings are not sorted by n-gram and document");
}

static dpl_status check_docs(const dpl_ngram_posting *list, size_t n,
                             const dpl_ngram_groups *groups, dpl_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].doc >= groups->n_docs)
            return dpl__fail(err, DPL_E_USAGE, "document %u of a posting does not exist",
                             list[i].doc);
    return DPL_OK;
}

/* The pairs of all n-grams of the shard, with repetitions. */
static dpl_status generate(dpl__ngram_candidates *found, const dpl__matcher *m,
                           const dpl_ngram_shard *shard, const dpl_ngram_groups *groups,
                           dpl_error *err)
{
    for (size_t at = 0, n; at < shard->n; at += n) {
        n = count_postings(shard, at);
        DPL_TRY(n ? check_docs(shard->postings + at, n, groups, err) : fail_order(err));
        DPL_TRY(dpl__ngram_pairs_of(found, m, shard->postings + at, n, err));
    }
    return DPL_OK;
}

static dpl_status sort(dpl__ngram_candidates *found, dpl_ctx *ctx, dpl_error *err)
{
    if (!found->n)
        return DPL_OK;
    uint64_t *scratch = dpl__alloc(ctx, found->n * sizeof *scratch);
    if (!scratch)
        return dpl__fail_nomem(err);
    dpl__radix_sort(found->data, scratch, found->n);
    dpl__free(ctx, scratch, found->n * sizeof *scratch);
    return DPL_OK;
}

void dpl_ngram_shared_list_clear(dpl_ngram_shared_list *list, dpl_ctx *ctx)
{
    dpl__free(ctx, list->pairs, list->n_room * sizeof *list->pairs);
    *list = (dpl_ngram_shared_list){0};
}

typedef DPL_VEC(dpl_ngram_shared) shared_vec;

dpl_status dpl_ngram_share(dpl_ngram_shared_list *out, dpl_ngram_summary *counts, dpl_ctx *ctx,
                           const dpl_ngram_shard *shard, const dpl_ngram_groups *groups,
                           const dpl_ngram_options *options, dpl_error *err)
{
    dpl__ngram_settings s;
    DPL_TRY(dpl__ngram_settle(&s, options, err));
    dpl_ngram_summary here = {0};
    dpl__ngram_candidates found = {0};
    const dpl__matcher m = {ctx, &s, groups->group_of, counts ? counts : &here};
    shared_vec all = {out->pairs, out->n, out->n_room};
    dpl_status status = generate(&found, &m, shard, groups, err);
    if (status == DPL_OK)
        status = sort(&found, ctx, err);
    for (size_t i = 0; status == DPL_OK && i < found.n; i++) {
        if (i && found.data[i] == found.data[i - 1])
            all.data[all.n - 1].n_shared++;
        else if (!dpl__vec_push(ctx, &all, ((dpl_ngram_shared){found.data[i], 1, 0})))
            status = dpl__fail_nomem(err);
    }
    dpl__vec_clear(ctx, &found);
    *out = (dpl_ngram_shared_list){all.data, all.n, all.cap};
    return status;
}

static int by_pair(const void *a, const void *b)
{
    const dpl_ngram_shared *x = a, *y = b;
    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

static dpl_status check_shared(const dpl_ngram_shared_list *list, const dpl_ngram_groups *g,
                               dpl_error *err)
{
    for (size_t i = 0; i < list->n; i++) {
        const dpl_ngram_shared *p = &list->pairs[i];
        if (p->pair >> 32 >= (uint32_t)p->pair || (uint32_t)p->pair >= g->n_docs ||
            !p->n_shared)
            return dpl__fail(err, DPL_E_USAGE, "pair %zu is not of two documents, left first",
                             i);
    }
    return DPL_OK;
}

dpl_status dpl_ngram_cap(dpl_ngram_shared_list *list, dpl_ngram_summary *counts, dpl_ctx *ctx,
                         const dpl_ngram_groups *groups, const dpl_ngram_options *options,
                         dpl_error *err)
{
    dpl__ngram_settings s;
    dpl__shared_cap cap;
    DPL_TRY(dpl__ngram_settle(&s, options, err));
    DPL_TRY(check_shared(list, groups, err));
    DPL_TRY(dpl__shared_cap_init(&cap, ctx, groups, s.max_candidates, err));
    if (list->n)
        qsort(list->pairs, list->n, sizeof *list->pairs, by_pair);
    size_t n = 0, n_kept = 0;
    for (size_t i = 0; i < list->n; i++) {
        if (n && list->pairs[n - 1].pair == list->pairs[i].pair)
            list->pairs[n - 1].n_shared += list->pairs[i].n_shared;
        else
            list->pairs[n++] = list->pairs[i];
    }
    dpl__shared_cap_count(&cap, list->pairs, n);
    for (size_t i = 0; i < n; i++)
        if (dpl__shared_cap_keeps(&cap, &list->pairs[i]))
            list->pairs[n_kept++] = list->pairs[i];
    if (counts)
        counts->n_capped += n - n_kept;
    list->n = n_kept;
    dpl__shared_cap_clear(&cap, ctx);
    return DPL_OK;
}

dpl_status dpl_ngram_fold(dpl_ngram_entries *out, dpl_ngram_summary *counts,
                          const dpl_ngram_shard *shard, const dpl_ngram_options *options,
                          dpl_error *err)
{
    dpl__ngram_settings s;
    DPL_TRY(dpl__ngram_settle(&s, options, err));
    dpl_ngram_summary here = {0};
    out->n = 0;
    for (size_t at = 0, n; at < shard->n; at += n) {
        n = count_postings(shard, at);
        if (!n)
            return fail_order(err);
        if (!dpl__ngram_is_kept(counts ? counts : &here, n, &s))
            continue;
        for (size_t i = at; i < at + n; i++, out->n++) {
            const dpl_ngram_posting *p = &shard->postings[i];
            out->entries[out->n] = (dpl_ngram_entry){p->ngram, p->place, (uint32_t)n};
            out->docs[out->n] = p->doc;
        }
    }
    return DPL_OK;
}
