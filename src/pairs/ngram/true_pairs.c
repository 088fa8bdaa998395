/*
 * true_pairs.c - all pairs of sampled documents, for the recall check.
 *
 * In: the forward index, and left documents that were drawn. Out: their pairs at or above the
 * threshold and in order, whether or not they share a matching n-gram. The n-grams of the
 * sample are kept in a table; the rows of all documents are read once, and products are added
 * up for those of the sample that have the n-gram, too, in the scorer's order. What reaches the
 * threshold is scored as candidates are: that leaves the order filter. Cost: a bit for each
 * entry of the other groups and a look-up where it is set, less than making the index.
 */
#include "base/ctx.h"
#include "base/map.h"
#include "pairs/ngram/finder.h"
#include "pairs/radix.h"
#include "par/pool.h"

enum { DOCS_AT_ONCE = 1024, AHEAD = 16 /* entries whose slots are fetched */ };

/* An n-gram of the sample: where its documents begin, and how many they are. */
typedef struct sampled_ngram {
    uint64_t key; /* spread number of the n-gram */
    uint32_t first, n;
} sampled_ngram;

DPL_KEY_MAP(ngram_map, sampled_ngram);

/* One thread's. */
typedef struct adder {
    double *sums;                /* of each sampled document with the one at hand; 0: not met */
    DPL_VEC(uint32_t) met, hits; /* sampled documents; entries of the row */
    DPL_VEC(dpl_pair) found;
} adder;

typedef struct truth {
    dpl__ngram_finder *f;
    const dpl__recall_check *check;
    DPL_VEC(uint64_t) postings; /* n-gram << 32 | sampled document, rising */
    ngram_map ngrams;
    uint64_t *is_sampled; /* a bit for each n-gram up to the last one of the sample */
    uint32_t last;
    uint32_t
        group;     /* of all sampled documents, whose others have no pairs; n_groups: several */
    adder *adders; /* of each thread */
} truth;

static uint64_t key_of(uint32_t ngram)
{
    const uint64_t key = dpl__mix(ngram);
    return key + !key;
}

/* ---- the sample ------------------------------------------------------------------------- */

static dpl_status take_rows(truth *t, dpl_error *err)
{
    dpl__find_scratch *x = &t->f->scratch[0];
    t->group = t->f->group_of[t->check->rows.data[0].row];
    for (size_t k = 0; k < t->check->rows.n; k++) {
        const uint32_t doc = t->check->rows.data[k].row;
        dpl__row row;
        DPL_TRY(dpl__forward_row(&t->f->forward, doc, &row, &x->copies[0], err));
        if (t->f->group_of[doc] != t->group)
            t->group = t->f->groups.n_groups;
        for (size_t i = 0; i < row.n; i++)
            DPL_TRY(dpl__need(dpl__vec_push(t->f->ctx, &t->postings,
                                            (uint64_t)row.entries[i].ngram << 32 | k),
                              err));
    }
    const size_t n = t->postings.n;
    DPL_TRY(dpl__need(dpl__vec_reserve(t->f->ctx, &t->postings, n), err));
    dpl__radix_sort(t->postings.data, t->postings.data + n, n);
    return DPL_OK;
}

static dpl_status make_table(truth *t, dpl_error *err)
{
    DPL_TRY(take_rows(t, err));
    DPL_TRY(dpl__need(ngram_map_reserve(&t->ngrams, t->f->ctx, t->postings.n), err));
    t->last = t->postings.n ? (uint32_t)(t->postings.data[t->postings.n - 1] >> 32) : 0;
    t->is_sampled = dpl__calloc(t->f->ctx, t->last / 64 + 1, sizeof *t->is_sampled);
    DPL_TRY(dpl__need(t->is_sampled, err));
    for (size_t i = 0; i < t->postings.n; i++) {
        const uint32_t ngram = (uint32_t)(t->postings.data[i] >> 32);
        const uint64_t key = key_of(ngram);
        t->is_sampled[ngram / 64] |= (uint64_t)1 << ngram % 64;
        sampled_ngram *slot = ngram_map_find(&t->ngrams, key, key);
        if (!slot->key) {
            *slot = (sampled_ngram){.key = key, .first = (uint32_t)i};
            t->ngrams.n_used++;
        }
        slot->n++;
    }
    return DPL_OK;
}

/* ---- all documents ---------------------------------------------------------------------- */

/* The entries of the row whose n-grams are of the sample. */
static dpl_status find_sampled(const truth *t, adder *a, const dpl__row *row, dpl_error *err)
{
    size_t n = 0;
    a->hits.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(t->f->ctx, &a->hits, row->n + 1), err));
    for (size_t i = 0; i < row->n && row->entries[i].ngram <= t->last; i++) {
        const uint32_t ngram = row->entries[i].ngram;
        a->hits.data[n] = (uint32_t)i;
        n += t->is_sampled[ngram / 64] >> ngram % 64 & 1; /* no branch: it cannot be foretold */
    }
    a->hits.n = n;
    return DPL_OK;
}

static dpl_status add_row(truth *t, adder *a, const dpl__row *row, dpl_error *err)
{
    a->met.n = 0;
    DPL_TRY(find_sampled(t, a, row, err));
    for (size_t i = 0; i < a->hits.n; i++) {
        const dpl__row_entry
            *entry = &row->entries[a->hits.data[i]],
            *later = &row->entries[a->hits.data[dpl__min(i + AHEAD, a->hits.n - 1)]];
        const uint64_t key = key_of(entry->ngram);
        DPL_PREFETCH(ngram_map_home(&t->ngrams, key_of(later->ngram)));
        const sampled_ngram *slot = ngram_map_find(&t->ngrams, key, key);
        const double w = t->f->forward.idf_of[entry->df];
        for (uint32_t k = 0; k < slot->n && w > 0; k++) {
            const uint32_t sampled = (uint32_t)t->postings.data[slot->first + k];
            if (a->sums[sampled] == 0 && !dpl__vec_push(t->f->ctx, &a->met, sampled))
                return dpl__fail_nomem(err);
            a->sums[sampled] += w * w;
        }
    }
    return DPL_OK;
}

/* Pairs of the document that reach the threshold. */
static dpl_status take_doc(truth *t, adder *a, dpl__find_scratch *x, uint32_t doc,
                           dpl_error *err)
{
    const dpl__ngram_finder *f = t->f;
    const double *norms = f->forward.norms;
    dpl_ngram_summary counts = {0};
    dpl__row row;
    DPL_TRY(dpl__forward_row(&f->forward, doc, &row, &x->copies[1], err));
    DPL_TRY(add_row(t, a, &row, err));
    for (size_t i = 0; i < a->met.n; i++) {
        const uint32_t sampled = a->met.data[i], left = t->check->rows.data[sampled].row;
        const float score = (float)(a->sums[sampled] / (norms[left] * norms[doc]));
        a->sums[sampled] = 0;
        if (left >= doc || f->group_of[left] == f->group_of[doc] ||
            !dpl__is_pair(score, f->threshold))
            continue;
        dpl__ngram_pair pair = {.left = left, .right = doc};
        DPL_TRY(dpl__ngram_score_pair(f, x, &pair, err));
        const dpl_pair found = {left, doc - f->first_right, pair.score};
        if (dpl__ngram_passes(f, &pair, &counts) && !dpl__vec_push(f->ctx, &a->found, found))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static dpl_status take_docs(void *user, size_t part, unsigned worker, dpl_error *err)
{
    truth *t = user;
    dpl__find_scratch *x = &t->f->scratch[worker];
    const uint32_t begin = (uint32_t)(part * DOCS_AT_ONCE);
    const uint32_t end = (uint32_t)dpl__min((size_t)begin + DOCS_AT_ONCE, t->f->groups.n_docs);
    x->left = UINT32_MAX;
    for (uint32_t doc = begin; doc < end; doc++)
        if (t->f->group_of[doc] != t->group)
            DPL_TRY(take_doc(t, &t->adders[worker], x, doc, err));
    return DPL_OK;
}

/* ---- the whole -------------------------------------------------------------------------- */

/* What all threads found, in order. */
static dpl_status hand_over(truth *t, dpl__recall_check *check, unsigned n_threads,
                            dpl_error *err)
{
    adder *all = &t->adders[0];
    for (unsigned i = 1; i < n_threads; i++)
        DPL_TRY(dpl__need(dpl__vec_append(t->f->ctx, &all->found, t->adders[i].found.data,
                                          t->adders[i].found.n),
                          err));
    dpl__vec_sort(&all->found, dpl__pairs_by_rows);
    return dpl__recall_check_take(check, all->found.data, all->found.n, err);
}

static dpl_status find(truth *t, dpl__recall_check *check, unsigned n_threads, dpl_error *err)
{
    const size_t n_parts = ((size_t)t->f->groups.n_docs + DOCS_AT_ONCE - 1) / DOCS_AT_ONCE;
    DPL_TRY(make_table(t, err));
    for (unsigned i = 0; i < n_threads; i++) {
        t->adders[i].sums = dpl__calloc(t->f->ctx, check->rows.n, sizeof(double));
        DPL_TRY(dpl__need(t->adders[i].sums, err));
    }
    DPL_TRY(dpl__parallel_for(t->f->ctx, n_parts, t, take_docs, err));
    return hand_over(t, check, n_threads, err);
}

dpl_status dpl__ngram_true_pairs(dpl__recall_check *check, dpl__ngram_finder *f, dpl_error *err)
{
    const double began = dpl__now();
    const unsigned n_threads = dpl_ctx_threads(f->ctx);
    truth t = {.f = f, .check = check};
    if (!check->rows.n)
        return DPL_OK;
    t.adders = dpl__calloc(f->ctx, n_threads, sizeof *t.adders);
    dpl_status status = t.adders ? find(&t, check, n_threads, err) : dpl__fail_nomem(err);
    for (unsigned i = 0; t.adders && i < n_threads; i++) {
        dpl__free(f->ctx, t.adders[i].sums);
        dpl__vec_clear(f->ctx, &t.adders[i].met, &t.adders[i].hits, &t.adders[i].found);
    }
    dpl__free(f->ctx, t.adders, t.is_sampled);
    ngram_map_clear(&t.ngrams, f->ctx);
    dpl__vec_clear(f->ctx, &t.postings);
    check->seconds = dpl__now() - began;
    return status;
}
