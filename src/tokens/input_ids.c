/*
 * input_ids.c - ids that several inputs have are told apart by the names of these.
 *
 * Which ids are in several inputs is known only when all of them were read, so ids are written
 * down with numbers of inputs first, and once more here. Cost: 17 bytes of memory for each
 * document, and a sort.
 */
#include "tokens/input_ids.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/order.h"

#include <stdlib.h>

enum { SOME_DOCS = 1024 };

/* ---- which ids ---------------------------------------------------------------------- */

DPL__ORDER(by_hash, dpl__doc_id, DPL__RISING(hash) DPL__RISING(doc))

uint64_t dpl__doc_id_hash(dpl_str id)
{
    return dpl__hash(id.data, id.n, 1);
}

/* One of four buckets of two bits for each of n ids. */
static size_t bucket_of(const dpl__doc_id *id, size_t n)
{
    return (size_t)((id->hash >> 32) * (4 * (uint64_t)n) >> 32);
}

/* Most ids occur once: those that share a bucket with another one are moved to the front, and
 * counted. room: n bytes. */
static size_t gather_shared(dpl__doc_id *ids, size_t n, uint8_t *room)
{
    size_t n_shared = 0;
    memset(room, 0, n);
    for (size_t i = 0; i < n; i++) { /* 1: one id, 3: several */
        const size_t at = bucket_of(&ids[i], n), shift = 2 * (at % 4);
        room[at / 4] |= (uint8_t)((room[at / 4] >> shift & 1 ? 3 : 1) << shift);
    }
    for (size_t i = 0; i < n; i++) {
        const size_t at = bucket_of(&ids[i], n);
        if (room[at / 4] >> 2 * (at % 4) & 2)
            ids[n_shared++] = ids[i];
    }
    memset(room, 0, n);
    return n_shared;
}

bool dpl__repeated_ids_find(uint8_t *is_repeated, dpl__doc_id *ids, size_t n, size_t n_new)
{
    assert(n_new <= n);
    bool has_any = false;
    n = n ? gather_shared(ids, n, is_repeated) : 0;
    if (n)
        qsort(ids, n, sizeof *ids, by_hash);
    for (size_t i = 0, end; i < n; i = end) {
        size_t n_same_new = 0;
        for (end = i; end < n && ids[end].hash == ids[i].hash; end++)
            n_same_new += ids[end].doc < n_new;
        for (size_t k = i; k < end; k++) {
            const bool is_new = ids[k].doc < n_new;
            is_repeated[ids[k].doc] = is_new ? n_same_new > 1 : end - i > 1;
            has_any |= is_repeated[ids[k].doc];
        }
    }
    return has_any;
}

/* ---- documents of an import --------------------------------------------------------- */

typedef struct telling {
    dpl__documents *d;
    const dpl_str *names;
    dpl__doc_id *all; /* ids without the numbers of their inputs */
    uint8_t *is_repeated;
    dpl__spool ids, records; /* the new ones */
    dpl__bytes id;           /* at hand */
} telling;

/* Calls take with every document's record and id. */
static dpl_status each_id(telling *t,
                          dpl_status (*take)(telling *t, uint32_t doc, dpl__doc_record *record,
                                             dpl_str id, dpl_error *err),
                          dpl_error *err)
{
    dpl__doc_record records[SOME_DOCS];
    uint64_t at = 0;
    for (uint32_t first = 0, n; first < t->d->n_docs; first += n) {
        n = (uint32_t)dpl__min(SOME_DOCS, t->d->n_docs - first);
        DPL_TRY(dpl__spool_read(&t->d->records, (uint64_t)first * sizeof *records, records,
                                n * sizeof *records, err));
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t n_id = records[i].id;
            t->id.n = 0;
            DPL_TRY(dpl__need(dpl__vec_reserve(t->d->ctx, &t->id, (size_t)n_id + 1), err));
            DPL_TRY(dpl__spool_read(&t->d->ids, at, t->id.data, n_id, err));
            at += n_id;
            DPL_TRY(take(t, first + i, &records[i], (dpl_str){t->id.data, n_id}, err));
        }
    }
    return DPL_OK;
}

size_t dpl__input_number(dpl_str *id)
{
    const size_t number = (size_t)dpl__take_digits(id);
    assert(id->n && *id->data == ':'); /* an import writes a number and a colon */
    *id = (dpl_str){id->data + 1, id->n - 1};
    return number;
}

static dpl_status hash_id(telling *t, uint32_t doc, dpl__doc_record *record, dpl_str id,
                          dpl_error *err)
{
    (void)record, (void)err;
    dpl__input_number(&id);
    t->all[doc] = (dpl__doc_id){dpl__doc_id_hash(id), doc};
    return DPL_OK;
}

static dpl_status put_id(telling *t, uint32_t doc, dpl__doc_record *record, dpl_str id,
                         dpl_error *err)
{
    assert(doc < t->d->n_docs);
    const dpl_str name = t->names[dpl__input_number(&id)];
    record->id = (uint32_t)id.n;
    if (t->is_repeated[doc]) {
        DPL_TRY(dpl__spool_append(&t->ids, name.data, name.n, err));
        DPL_TRY(dpl__spool_append(&t->ids, ":", 1, err));
        record->id += (uint32_t)name.n + 1;
    }
    DPL_TRY(dpl__spool_append(&t->ids, id.data, id.n, err));
    return dpl__spool_append(&t->records, record, sizeof *record, err);
}

static dpl_status tell(telling *t, dpl_error *err)
{
    dpl__documents *d = t->d;
    DPL_TRY(dpl__need(t->all && t->is_repeated, err));
    DPL_TRY(each_id(t, hash_id, err));
    dpl__repeated_ids_find(t->is_repeated, t->all, d->n_docs, d->n_docs);
    DPL_TRY(each_id(t, put_id, err));
    const dpl__spool ids = d->ids, records = d->records;
    d->ids = t->ids;
    d->records = t->records;
    t->ids = ids;
    t->records = records;
    return DPL_OK;
}

dpl_status dpl__input_ids_tell(dpl__documents *d, const dpl_str *names, dpl_error *err)
{
    telling t = {.d = d, .names = names};
    const size_t n = (size_t)d->n_docs + 1;
    dpl__spool_init(&t.ids, d->spill, d->share);
    dpl__spool_init(&t.records, d->spill, d->share);
    t.all = dpl__alloc(d->ctx, n * sizeof *t.all);
    t.is_repeated = dpl__alloc(d->ctx, n);
    const dpl_status status = tell(&t, err);
    dpl__free(d->ctx, t.is_repeated, t.all);
    dpl__spool_clear(&t.records);
    dpl__spool_clear(&t.ids);
    dpl__vec_clear(d->ctx, &t.id);
    return status;
}
