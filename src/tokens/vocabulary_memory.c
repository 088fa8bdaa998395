/*
 * vocabulary_memory.c - merges term sets in memory, on all threads.
 *
 * All terms of all sets are sorted as one array of keys. Slices of it, cut between different
 * terms, are then worked on independently: sums of counts, ranks in byte order, and ids. Ids
 * run by falling count, then by rank: a counting sort over the small counts, which nearly all
 * terms have, and a plain sort of the few others. Cost: about 0.15 us a term and 100 bytes of
 * memory; the external sort in vocabulary.c, which has the same result, takes 0.3 us.
 */
#include "tokens/vocabulary.h"

#include "base/ctx.h"
#include "base/lower_bound.h"
#include "base/order.h"
#include "io/keysort.h"
#include "par/pool.h"

#include <stdlib.h>

enum { SMALL_COUNTS = 256, SLICES_A_THREAD = 4, AHEAD = 8 };

/* A term with the sums of all sets. */
typedef struct unique {
    const char *data;
    uint64_t count;
    uint32_t n, n_docs;
    uint32_t first, n_keys; /* its keys */
} unique;

/* A term that occurs SMALL_COUNTS times or more. */
typedef struct frequent {
    uint64_t count;
    uint32_t rank, place; /* in byte order; among the uniques */
} frequent;

typedef struct slice {
    size_t begin, end; /* keys; its uniques begin at the same number */
    size_t n_unique, n_frequent;
    uint32_t rank, frequent;       /* of its first one */
    uint32_t n_with[SMALL_COUNTS]; /* terms of each count; then the next id */
} slice;

/* What is written, by id. */
typedef struct columns {
    dpl_str *terms;
    uint64_t *ends, *counts;
    uint32_t *n_docs;
} columns;

typedef struct merger {
    dpl__vocabulary *v;
    dpl_ctx *ctx;
    dpl__key *keys, *scratch;
    size_t n_keys;
    unique *uniques;
    slice *slices;
    size_t n_slices;
    frequent *frequent;
    size_t n_frequent;
    columns by_id;
    dpl__scratch by_rank; /* ids */
    char *bytes;
} merger;

static size_t n_sets(const dpl__vocabulary *v)
{
    return v->sets.n + (v->minus ? 1 : 0);
}

static const dpl__terms *set_of(const dpl__vocabulary *v, size_t i)
{
    return i < v->sets.n ? v->sets.data[i].terms : v->minus;
}

uint64_t dpl__vocabulary_memory_need(const dpl__vocabulary *v)
{
    uint64_t n = 0;
    for (size_t i = 0; i < n_sets(v); i++)
        n += set_of(v, i)->all.n;
    return n < UINT32_MAX ? 100 * n : UINT64_MAX;
}

/* ---- keys --------------------------------------------------------------------------- */

/* Keys are numbered through all sets; those of the set to subtract are the last. */
static size_t first_key(const merger *m, size_t set)
{
    return set < m->v->sets.n ? (size_t)m->v->sets.data[set].begin : (size_t)m->v->n_numbers;
}

static void make_keys(void *user, size_t set)
{
    const merger *m = user;
    const dpl__terms *terms = set_of(m->v, set);
    const size_t first = first_key(m, set);
    for (size_t i = 0; i < terms->all.n; i++)
        m->keys[first + i] =
            dpl__key_of(dpl__term_text(&terms->all.data[i]), (uint32_t)(first + i));
}

static void cut_slices(merger *m)
{
    for (size_t i = 0; i < m->n_slices; i++) {
        size_t begin = m->n_keys * i / m->n_slices;
        while (begin > 0 && begin < m->n_keys &&
               dpl__key_equal(&m->keys[begin - 1], &m->keys[begin]))
            begin++;
        m->slices[i].begin = begin;
        if (i)
            m->slices[i - 1].end = begin;
    }
    m->slices[m->n_slices - 1].end = m->n_keys;
}

/* ---- sums --------------------------------------------------------------------------- */

/* Adds what the key's set has counted. */
static void add_counts(const merger *m, uint32_t key, int64_t *count, int64_t *n_docs)
{
    const dpl__vocabulary *v = m->v;
    size_t end; /* of the sets that begin no later */
    DPL__LOWER_BOUND(end, v->sets.n, v->sets.data[end].begin <= key);
    const bool is_minus = key >= v->n_numbers;
    assert(is_minus || end > 0);
    const size_t set = is_minus ? v->sets.n : end - 1;
    const dpl__term_count *c = &set_of(v, set)->counts.data[key - first_key(m, set)];
    *count += is_minus ? -(int64_t)c->count : (int64_t)c->count;
    *n_docs += is_minus ? -(int64_t)c->n_docs : (int64_t)c->n_docs;
}

static void give_id(const merger *m, const unique *u, uint32_t id)
{
    for (uint32_t k = u->first; k < u->first + u->n_keys; k++)
        if (m->keys[k].index < m->v->n_numbers)
            m->v->ids.data[m->keys[k].index] = id;
}

static void sum_slice(void *user, size_t i)
{
    const merger *m = user;
    slice *s = &m->slices[i];
    unique *out = m->uniques + s->begin;
    for (size_t k = s->begin, end; k < s->end; k = end) {
        const dpl__key *key = &m->keys[k];
        int64_t count = 0, n_docs = 0;
        for (end = k; end < s->end && (end == k || dpl__key_equal(key, &m->keys[end])); end++)
            add_counts(m, m->keys[end].index, &count, &n_docs);
        assert(count >= 0);
        const unique u = {key->data,        (uint64_t)count, key->n,
                          (uint32_t)n_docs, (uint32_t)k,     (uint32_t)(end - k)};
        if (count == 0) {
            give_id(m, &u, UINT32_MAX);
            continue;
        }
        out[s->n_unique++] = u;
        if (count < SMALL_COUNTS)
            s->n_with[count]++;
        else
            s->n_frequent++;
    }
}

/* ---- ids ---------------------------------------------------------------------------- */

/* Ranks of the slices' first terms, and their first ids of each count. */
static void number_slices(merger *m)
{
    dpl__vocabulary *v = m->v;
    v->n_terms = v->n_repeated = 0;
    for (size_t i = 0; i < m->n_slices; i++) {
        slice *s = &m->slices[i];
        s->rank = v->n_terms;
        s->frequent = (uint32_t)m->n_frequent;
        v->n_terms += (uint32_t)s->n_unique;
        m->n_frequent += s->n_frequent;
    }
    uint32_t id = (uint32_t)m->n_frequent;
    for (size_t count = SMALL_COUNTS - 1; count > 0; count--) {
        if (count == 1)
            v->n_repeated = id;
        for (size_t i = 0; i < m->n_slices; i++) {
            const uint32_t n = m->slices[i].n_with[count];
            m->slices[i].n_with[count] = id;
            id += n;
        }
    }
    assert(id == v->n_terms);
}

static void take(const merger *m, const unique *u, uint32_t rank, uint32_t id)
{
    m->by_id.terms[id] = (dpl_str){u->data, u->n};
    m->by_id.counts[id] = u->count;
    m->by_id.n_docs[id] = u->n_docs;
    m->by_rank.data[rank] = id;
    give_id(m, u, id);
}

static void number_slice(void *user, size_t i)
{
    const merger *m = user;
    slice *s = &m->slices[i];
    frequent *f = m->frequent + s->frequent;
    for (size_t k = 0; k < s->n_unique; k++) {
        const unique *u = &m->uniques[s->begin + k];
        const uint32_t rank = s->rank + (uint32_t)k;
        if (u->count < SMALL_COUNTS)
            take(m, u, rank, s->n_with[u->count]++);
        else
            *f++ = (frequent){u->count, rank, (uint32_t)(s->begin + k)};
    }
}

DPL__ORDER(more_frequent, frequent, DPL__FALLING(count) DPL__RISING(rank))

static void number_frequent(const merger *m)
{
    if (m->n_frequent)
        qsort(m->frequent, m->n_frequent, sizeof *m->frequent, more_frequent);
    for (size_t i = 0; i < m->n_frequent; i++)
        take(m, &m->uniques[m->frequent[i].place], m->frequent[i].rank, (uint32_t)i);
}

/* ---- writing ------------------------------------------------------------------------ */

static void copy_slice(void *user, size_t i)
{
    const merger *m = user;
    const size_t n = m->v->n_terms, end = n * (i + 1) / m->n_slices;
    for (size_t id = n * i / m->n_slices; id < end; id++) {
        const dpl_str term = m->by_id.terms[id];
        if (id + AHEAD < end)
            DPL_PREFETCH(m->by_id.terms[id + AHEAD].data);
        memcpy(m->bytes + m->by_id.ends[id], term.data, term.n);
    }
}

static dpl_status write_columns(merger *m, dpl__writer *w, dpl_error *err)
{
    const size_t n = m->v->n_terms;
    uint64_t *ends = m->by_id.ends;
    for (size_t id = 0; id < n; id++)
        ends[id + 1] = ends[id] + m->by_id.terms[id].n;
    m->bytes = dpl__alloc(m->ctx, (size_t)ends[n] + 1);
    DPL_TRY(dpl__need(m->bytes, err));
    DPL_TRY(dpl__parallel_each(m->ctx, m->n_slices, m, copy_slice, err));
    DPL_TRY(dpl__writer_add_large(w, "term.offsets", 8, ends, 8 * (n + 1), err));
    DPL_TRY(dpl__writer_add_large(w, "term.bytes", 1, m->bytes, (size_t)ends[n], err));
    DPL_TRY(dpl__writer_add_large(w, "term.counts", 8, m->by_id.counts, 8 * n, err));
    DPL_TRY(dpl__writer_add_large(w, "term.docs", 4, m->by_id.n_docs, 4 * n, err));
    return dpl__writer_add_large(w, "term.order", 4, m->by_rank.data, 4 * n, err);
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status sort(merger *m, dpl_error *err)
{
    m->keys = dpl__alloc(m->ctx, (m->n_keys + 1) * sizeof *m->keys);
    m->scratch = dpl__alloc(m->ctx, (m->n_keys + 1) * sizeof *m->scratch);
    DPL_TRY(dpl__need(m->keys && m->scratch, err));
    DPL_TRY(dpl__parallel_each(m->ctx, n_sets(m->v), m, make_keys, err));
    DPL_TRY(dpl__sort_keys(m->ctx, m->keys, m->scratch, m->n_keys, err));
    dpl__free(m->ctx, m->scratch);
    m->scratch = NULL;
    return DPL_OK;
}

static dpl_status sum(merger *m, dpl_error *err)
{
    m->uniques = dpl__alloc(m->ctx, (m->n_keys + 1) * sizeof *m->uniques);
    m->slices = dpl__calloc(m->ctx, m->n_slices, sizeof *m->slices);
    DPL_TRY(dpl__need(m->uniques && m->slices, err));
    cut_slices(m);
    DPL_TRY(dpl__parallel_each(m->ctx, m->n_slices, m, sum_slice, err));
    number_slices(m);
    return DPL_OK;
}

static dpl_status number(merger *m, dpl_error *err)
{
    const size_t n = m->v->n_terms;
    columns *c = &m->by_id;
    m->frequent = dpl__alloc(m->ctx, (m->n_frequent + 1) * sizeof *m->frequent);
    c->terms = dpl__alloc(m->ctx, (n + 1) * sizeof *c->terms);
    c->ends = dpl__calloc(m->ctx, n + 1, sizeof *c->ends);
    c->counts = dpl__alloc(m->ctx, (n + 1) * sizeof *c->counts);
    c->n_docs = dpl__alloc(m->ctx, (n + 1) * sizeof *c->n_docs);
    DPL_TRY(dpl__need(m->frequent && c->terms && c->ends && c->counts && c->n_docs, err));
    DPL_TRY(dpl__scratch_init(&m->by_rank, m->v->spill, n, m->v->share, err));
    DPL_TRY(dpl__parallel_each(m->ctx, m->n_slices, m, number_slice, err));
    number_frequent(m);
    return DPL_OK;
}

static void clear(merger *m)
{
    dpl__free(m->ctx, m->keys, m->scratch, m->uniques, m->slices, m->frequent);
    if (m->bytes)
        dpl__free(m->ctx, m->bytes);
    dpl__free(m->ctx, m->by_id.terms, m->by_id.ends, m->by_id.counts, m->by_id.n_docs);
    dpl__scratch_clear(&m->by_rank);
}

dpl_status dpl__vocabulary_write_in_memory(dpl__vocabulary *v, dpl__writer *w, dpl_error *err)
{
    merger m = {.v = v, .ctx = v->ctx};
    m.n_slices = v->ctx->n_threads > 1 ? SLICES_A_THREAD * (size_t)v->ctx->n_threads : 1;
    m.n_keys = (size_t)v->n_numbers + (v->minus ? v->minus->all.n : 0);
    v->n_terms = 0;
    dpl_status status;
    DPL__STEP(sort(&m, err));
    DPL__STEP(sum(&m, err));
    DPL__STEP(number(&m, err));
    status = write_columns(&m, w, err);
done:
    clear(&m);
    return status;
}
