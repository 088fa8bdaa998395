/*
 * postings.c - the filters of the paper, n-gram by n-gram, and the pairs that are left.
 *
 * An n-gram in c documents makes at most c (c - 1) / 2 pairs, and c is bounded: the number of
 * pairs, and with it all work, is linear in the number of documents. An n-gram of one group is
 * counted as such however frequent it is, as in the paper's statistics: so all of its postings
 * are looked at.
 */
#include "pairs/ngram/postings.h"

#include "base/ctx.h"

enum { AT_ONCE = 2048 }; /* pairs on their way */

static bool is_one_group(const dpl__ngram_posting *list, size_t n, const uint32_t *group_of)
{
    for (size_t i = 1; i < n; i++)
        if (group_of[list[i].doc] != group_of[list[0].doc])
            return false;
    return true;
}

dpl_status dpl__ngram_pairs_of(dpl__ngram_candidates *out, const dpl__matcher *m,
                               const dpl__ngram_posting *list, uint64_t n_all, dpl_error *err)
{
    dpl_ngram_summary *counts = m->counts;
    const uint32_t *group_of = m->group_of;
    assert(n_all > 0);
    counts->n_matching++;
    counts->n_postings += n_all;
    if (n_all == 1) {
        counts->n_single++;
        return DPL_OK;
    }
    size_t n = (size_t)n_all;
    if (is_one_group(list, n, group_of)) {
        counts->n_one_group++;
        return DPL_OK;
    }
    if (n_all > m->s->max_matching) {
        counts->n_frequent++;
        return DPL_OK;
    }
    counts->n_used++;
    assert(list[0].doc < list[n - 1].doc);
    DPL_TRY(dpl__need(dpl__vec_reserve(m->ctx, out, n * (n - 1) / 2), err));
    size_t before = out->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (group_of[list[i].doc] != group_of[list[j].doc])
                out->data[out->n++] = (uint64_t)list[i].doc << 32 | list[j].doc;
    counts->n_generated += out->n - before;
    return DPL_OK;
}

dpl_status dpl__ngram_match(dpl__shared_pairs *out, const dpl__matcher *m,
                            dpl__shuffle *postings, dpl_error *err)
{
    dpl__ngram_candidates some = {0};
    const dpl__ngram_posting *list;
    uint64_t n_all, n_done = 0;
    dpl_status status;
    while ((status = dpl__shuffle_next(postings, &list, &n_all, SIZE_MAX, err)) == DPL_OK) {
        DPL__STEP(dpl__ngram_pairs_of(&some, m, list, n_all, err));
        if (some.n >= AT_ONCE) {
            DPL__STEP(dpl__shared_pairs_add(out, some.data, some.n, err));
            some.n = 0;
        }
        const dpl_progress progress = {"match", "n-grams", ++n_done, 0};
        if ((n_done & 0xFFFFF) == 0)
            DPL__STEP(dpl__progress(m->ctx, &progress, err));
    }
    if (status == DPL_END)
        status = dpl__shared_pairs_add(out, some.data, some.n, err);
done:
    dpl__vec_clear(m->ctx, &some);
    return status;
}
