/*
 * input_ids.c - ids that several inputs have are told apart by the names of these.
 *
 * Which ids are in several inputs is known only when all of them were read, so ids are written
 * down with numbers of inputs first, and once more here. Cost: 16 bytes of memory for each
 * document, and a sort.
 */
#include "tokens/input_ids.h"

#include "base/ctx.h"
#include "base/hash.h"

#include <stdlib.h>

enum { SOME_DOCS = 1024 };

typedef struct hashed {
    uint64_t hash; /* of the id without the number of its input */
    uint32_t doc;
    uint32_t is_repeated;
} hashed;

typedef struct telling {
    dpl__documents *d;
    const dpl_str *names;
    hashed *all;
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
            if (!dpl__vec_reserve(t->d->ctx, &t->id, (size_t)n_id + 1))
                return dpl__fail_nomem(err);
            DPL_TRY(dpl__spool_read(&t->d->ids, at, t->id.data, n_id, err));
            at += n_id;
            DPL_TRY(take(t, first + i, &records[i], (dpl_str){t->id.data, n_id}, err));
        }
    }
    return DPL_OK;
}

/* Divides "12:id"; returns the number of the input. */
static size_t take_number(dpl_str *id)
{
    size_t number = 0, i = 0;
    for (; i < id->n && id->data[i] != ':'; i++)
        number = 10 * number + (size_t)(id->data[i] - '0');
    *id = (dpl_str){id->data + i + 1, id->n - i - 1};
    return number;
}

static dpl_status hash_id(telling *t, uint32_t doc, dpl__doc_record *record, dpl_str id,
                          dpl_error *err)
{
    (void)record, (void)err;
    take_number(&id);
    t->all[doc] = (hashed){.hash = dpl__hash(id.data, id.n, 1), .doc = doc};
    return DPL_OK;
}

static int by_hash(const void *a, const void *b)
{
    const hashed *x = a, *y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1)
                              : (x->doc > y->doc) - (x->doc < y->doc);
}

static int by_doc(const void *a, const void *b)
{
    const hashed *x = a, *y = b;
    return (x->doc > y->doc) - (x->doc < y->doc);
}

/* Ids are unique within an input: the same one twice is of two inputs. */
static void find_repeated(telling *t)
{
    const size_t n = t->d->n_docs;
    qsort(t->all, n, sizeof *t->all, by_hash);
    for (size_t i = 1; i < n; i++)
        if (t->all[i].hash == t->all[i - 1].hash)
            t->all[i].is_repeated = t->all[i - 1].is_repeated = 1;
    qsort(t->all, n, sizeof *t->all, by_doc);
}

static dpl_status put_id(telling *t, uint32_t doc, dpl__doc_record *record, dpl_str id,
                         dpl_error *err)
{
    const dpl_str name = t->names[take_number(&id)];
    record->id = (uint32_t)id.n;
    if (t->all[doc].is_repeated) {
        DPL_TRY(dpl__spool_append(&t->ids, name.data, name.n, err));
        DPL_TRY(dpl__spool_append(&t->ids, ":", 1, err));
        record->id += (uint32_t)name.n + 1;
    }
    DPL_TRY(dpl__spool_append(&t->ids, id.data, id.n, err));
    return dpl__spool_append(&t->records, record, sizeof *record, err);
}

dpl_status dpl__input_ids_tell(dpl__documents *d, const dpl_str *names, dpl_error *err)
{
    telling t = {.d = d, .names = names};
    const size_t n_bytes = ((size_t)d->n_docs + 1) * sizeof *t.all;
    dpl__spool_init(&t.ids, d->spill, d->share);
    dpl__spool_init(&t.records, d->spill, d->share);
    t.all = dpl__alloc(d->ctx, n_bytes);
    dpl_status status = t.all ? each_id(&t, hash_id, err) : dpl__fail_nomem(err);
    if (status == DPL_OK) {
        find_repeated(&t);
        status = each_id(&t, put_id, err);
    }
    if (status == DPL_OK) {
        const dpl__spool ids = d->ids, records = d->records;
        d->ids = t.ids;
        d->records = t.records;
        t.ids = ids;
        t.records = records;
    }
    dpl__spool_clear(&t.ids);
    dpl__spool_clear(&t.records);
    dpl__vec_clear(d->ctx, &t.id);
    dpl__free(d->ctx, t.all, n_bytes);
    return status;
}
