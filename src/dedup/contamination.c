/*
 * contamination.c - which documents of `against` (items) the new documents have, where and how.
 *
 * Copies and pairs of the search become hits, one for each item and new document. Of copies the
 * texts are compared; of pairs the words of the item are sought in a row; where they are not,
 * the item is edited, and its place is the run of words that its shingles cover best. Cost:
 * documents with hits are tokenized once more.
 */
#include "base/ctx.h"

#include "base/order.h"
#include "dedup/dedup_params.h"
#include "dedup/dedup_run.h"
#include "par/pool.h"
#include "par/sort.h"
#include "tokens/token_places.h"

enum { HITS_PER_JOB = 64 };

/* ---- pairs of documents -------------------------------------------------------------- */

/* Documents of each row: docs[first[row]] to docs[first[row + 1] - 1]. */
typedef struct row_docs {
    uint32_t *first, *docs;
} row_docs;

static void list_docs(row_docs *l, const dpl__dedup_docs *d)
{
    memset(l->first, 0, ((size_t)d->n_rows + 2) * sizeof *l->first);
    for (uint32_t doc = 0; doc < d->n_docs; doc++)
        l->first[d->row_of[doc] + 2]++;
    for (uint32_t row = 0; row < d->n_rows; row++)
        l->first[row + 2] += l->first[row + 1];
    for (uint32_t doc = 0; doc < d->n_docs; doc++)
        l->docs[l->first[d->row_of[doc] + 1]++] = doc;
}

/* The edge is one of rows; of a row with itself, it is of copies. */
static bool add_rows(dpl_dedup_result *r, const row_docs *l, const dpl_dedup_edge *e)
{
    const uint32_t a = e->left, b = e->right, n_new = r->docs.n_new;
    const uint32_t how = e->kind == DPL_EDGE_COPY   ? DPL_HOW_VERBATIM
                         : e->kind == DPL_EDGE_NEAR ? DPL_HOW_EDITED
                                                    : DPL_HOW_TRANSLATED;
    for (uint32_t i = l->first[a]; i < l->first[a + 1]; i++)
        for (uint32_t k = l->first[b]; k < l->first[b + 1]; k++) {
            const uint32_t x = l->docs[i], y = l->docs[k];
            if ((x < n_new) == (y < n_new) || (a == b && x >= n_new))
                continue;
            const dpl_dedup_hit hit = {.item = (x < n_new ? y : x) - n_new,
                                       .doc = x < n_new ? x : y,
                                       .score = e->score,
                                       .how = how};
            if (!dpl__vec_push(r->ctx, &r->hits, hit))
                return false;
        }
    return true;
}

static dpl_status add_pairs(dpl_dedup_result *r, const row_docs *l, dpl_error *err)
{
    const dpl__dedup_docs *d = &r->docs;
    for (uint32_t row = 0; row < d->n_rows; row++)
        if (d->rows[row].has_new && d->rows[row].has_old &&
            !add_rows(r, l, &(dpl_dedup_edge){row, row, 1, DPL_EDGE_COPY}))
            return dpl__fail_nomem(err);
    for (size_t i = 0; i < r->found.edges.n; i++) {
        const dpl_dedup_edge *e = &r->found.edges.data[i];
        const dpl_dedup_edge rows = {d->row_of[e->left], d->row_of[e->right], e->score,
                                     e->kind};
        const double least =
            e->kind == DPL_EDGE_TRANSLATION ? r->o.translation : r->o.threshold;
        if (e->score >= (float)least && !add_rows(r, l, &rows))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

/* ---- where and how -------------------------------------------------------------------- */

typedef struct placer {
    dpl__token_places places;
    dpl__set_scratch scratch[2]; /* of the item, loaded, and of the new document */
    uint32_t doc;                /* whose places are at hand */
} placer;

typedef struct placing {
    dpl_dedup_result *r;
    placer *placers; /* one for each thread */
} placing;

static dpl_str trimmed(dpl_str s)
{
    while (s.n && strchr(" \t\r\n", s.data[0]))
        s = (dpl_str){s.data + 1, s.n - 1};
    while (s.n && strchr(" \t\r\n", s.data[s.n - 1]))
        s.n--;
    return s;
}

/* The first place of m words in n; n: there is none. */
static size_t find_words(const uint32_t *words, size_t n, const uint32_t *sought, size_t m)
{
    for (size_t i = 0; m && i + m <= n; i++)
        if (words[i] == sought[0] && memcmp(words + i, sought, m * sizeof *sought) == 0)
            return i;
    return n;
}

/* The run of words with the largest sum, those covered by shingles of the item counting 1 and
 * others less than 0; all n words if none is covered. */
static void find_covered(const placing *p, placer *own, const dpl_dedup_hit *h, size_t n,
                         size_t *first, size_t *n_words)
{
    const dpl__sets *sets = &p->r->sets;
    const double other = -DPL__P(dedup, not_covered);
    double sum = 0, best = 0;
    size_t n_keys, begin = 0, covered = 0;
    dpl__sets_load(sets, p->r->docs.n_new + h->item, &own->scratch[0], &n_keys);
    const uint64_t *keys = dpl__sets_shingles(sets, h->doc, &own->scratch[1], &n_keys);
    *first = 0;
    *n_words = n;
    for (size_t i = 0; i < n; i++) {
        if (i < n_keys && dpl__sets_has(&own->scratch[0], keys[i]))
            covered = i + sets->w; /* words before it are covered */
        begin = sum <= 0 ? i : begin;
        sum = (sum <= 0 ? 0 : sum) + (i < covered ? 1 : other);
        if (sum > best) {
            best = sum;
            *first = begin;
            *n_words = i + 1 - begin;
        }
    }
}

static dpl_status place(const placing *p, placer *own, dpl_dedup_hit *h, dpl_error *err)
{
    const dpl_collection *c = p->r->collection;
    const dpl_doc doc = dpl_collection_doc(c, h->doc),
                  item = dpl_collection_doc(c, p->r->docs.n_new + h->item);
    size_t n, m, first = 0;
    const uint32_t *words = dpl_collection_tokens(c, h->doc, &n),
                   *sought = dpl_collection_tokens(c, p->r->docs.n_new + h->item, &m);
    h->end = (uint32_t)doc.text.n;
    if (h->how == DPL_HOW_VERBATIM && !dpl__str_eq(trimmed(doc.text), trimmed(item.text)))
        h->how = DPL_HOW_REWRAPPED;
    if (h->how != DPL_HOW_EDITED || !n)
        return DPL_OK;
    if ((first = find_words(words, n, sought, m)) < n)
        h->how = DPL_HOW_EMBEDDED;
    else
        find_covered(p, own, h, n, &first, &m);
    if (own->doc != h->doc)
        DPL_TRY(dpl__token_places_read(&own->places, &doc, err));
    own->doc = h->doc;
    dpl__token_places_span(&own->places, &doc, first, m, &h->begin, &h->end);
    return DPL_OK;
}

static dpl_status place_hits(void *user, size_t job, unsigned worker, dpl_error *err)
{
    placing *p = user;
    const size_t end = dpl__min(p->r->hits.n, (job + 1) * HITS_PER_JOB);
    for (size_t i = job * HITS_PER_JOB; i < end; i++)
        DPL_TRY(place(p, &p->placers[worker], &p->r->hits.data[i], err));
    return DPL_OK;
}

static dpl_status place_all(dpl_dedup_result *r, dpl_error *err)
{
    const unsigned n_threads = r->ctx->n_threads;
    placing p = {r, dpl__calloc(r->ctx, n_threads, sizeof *p.placers)};
    dpl_status status = dpl__need(p.placers, err);
    for (unsigned i = 0; status == DPL_OK && i < n_threads; i++) {
        placer *own = &p.placers[i];
        own->doc = UINT32_MAX;
        status = dpl__token_places_init(&own->places, r->ctx, r->o.stem, err);
        for (int k = 0; status == DPL_OK && k < 2; k++)
            status = dpl__set_scratch_init(&own->scratch[k], r->ctx, r->sets.longest, err);
    }
    if (status == DPL_OK)
        status = dpl__parallel_for(r->ctx, (r->hits.n + HITS_PER_JOB - 1) / HITS_PER_JOB, &p,
                                   place_hits, err);
    for (unsigned i = 0; p.placers && i < n_threads; i++) {
        dpl__token_places_clear(&p.placers[i].places);
        for (int k = 0; k < 2; k++)
            dpl__set_scratch_clear(&p.placers[i].scratch[k], r->ctx);
    }
    dpl__free(r->ctx, p.placers);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------ */

DPL__ORDER(by_item, dpl_dedup_hit, DPL__RISING(item) DPL__FALLING(score) DPL__RISING(doc))

dpl_status dpl__dedup_find_hits(dpl_dedup_result *r, dpl_error *err)
{
    const dpl__dedup_docs *d = &r->docs;
    const size_t n_first = (size_t)d->n_rows + 2, n_docs = (size_t)d->n_docs + 1;
    row_docs l = {dpl__alloc(r->ctx, n_first * sizeof *l.first),
                  dpl__alloc(r->ctx, n_docs * sizeof *l.docs)};
    dpl_status status = dpl__need(l.first && l.docs, err);
    if (status == DPL_OK) {
        list_docs(&l, d);
        status = add_pairs(r, &l, err);
    }
    dpl__free(r->ctx, l.docs, l.first);
    if (status == DPL_OK && r->hits.n)
        status = dpl__parallel_sort(r->ctx, r->hits.data, r->hits.n, sizeof *r->hits.data,
                                    by_item, err);
    if (status == DPL_OK && r->hits.n)
        status = place_all(r, err);
    for (size_t i = 0; i < r->hits.n; i++)
        r->s.n_contaminated += !i || r->hits.data[i].item != r->hits.data[i - 1].item;
    return status;
}
