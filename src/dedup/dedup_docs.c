/*
 * dedup_docs.c - copies: documents with the same words in the same order.
 *
 * Each document gets a hash of its words; documents are sorted by it, and those with the same
 * hash are compared word by word. A document without words (numbers are words, punctuation is
 * not) is its text. Cost: one pass over the tokens, and a sort of numbers.
 */
#include "dedup/dedup_docs.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/order.h"
#include "io/shared_loop.h"
#include "par/pool.h"
#include "par/sort.h"
#include "tokens/input_ids.h"

enum { DOCS_PER_JOB = 256 };

typedef struct keyed {
    uint64_t key;
    uint32_t doc;
} keyed;

/* ---- ids ---------------------------------------------------------------------------- */

size_t dpl__dedup_input_of(const dpl__dedup_docs *d, uint32_t doc)
{
    assert(doc < d->n_docs);
    dpl_str id = dpl__dedup_doc(d, doc).id;
    const size_t input = dpl__input_number(&id);
    assert(input < d->in->n); /* dpl__inputs_open has named them */
    return input;
}

dpl_str dpl__dedup_bare_id(const dpl__dedup_docs *d, uint32_t doc)
{
    assert(doc < d->n_docs);
    dpl_str id = dpl__dedup_doc(d, doc).id;
    dpl__input_number(&id);
    return id;
}

dpl_str dpl__dedup_id(const dpl__dedup_docs *d, uint32_t doc, dpl__bytes *room)
{
    dpl_str id = dpl__dedup_doc(d, doc).id;
    const dpl_str name = d->in->names[dpl__input_number(&id)];
    if (!d->is_repeated_id || !d->is_repeated_id[doc])
        return id;
    room->n = 0;
    if (!dpl__vec_append(d->ctx, room, name.data, name.n) ||
        !dpl__vec_push(d->ctx, room, ':') || !dpl__vec_append(d->ctx, room, id.data, id.n))
        return id;
    return (dpl_str){room->data, room->n};
}

DPL__ORDER(by_key, keyed, DPL__RISING(key) DPL__RISING(doc))

static dpl_status find_repeated_ids(dpl__dedup_docs *d, dpl_error *err)
{
    if (d->in->n < 2)
        return DPL_OK;
    dpl__doc_id *ids = dpl__alloc(d->ctx, d->n_docs * sizeof *ids);
    d->is_repeated_id = dpl__calloc(d->ctx, d->n_docs, 1);
    for (uint32_t doc = 0; ids && doc < d->n_docs; doc++)
        ids[doc] = (dpl__doc_id){dpl__doc_id_hash(dpl__dedup_bare_id(d, doc)), doc};
    const bool is_done = ids && d->is_repeated_id;
    if (is_done && !dpl__repeated_ids_find(d->is_repeated_id, ids, d->n_docs, d->n_new)) {
        dpl__free(d->ctx, d->is_repeated_id);
        d->is_repeated_id = NULL;
    }
    dpl__free(d->ctx, ids);
    return dpl__need(is_done, err);
}

/* ---- hashes of documents ------------------------------------------------------------ */

typedef struct hashing {
    dpl_ctx *ctx;
    const dpl__sets *sets;
    keyed *keys;
    uint32_t n_docs;
} hashing;

static uint64_t hash_doc(const dpl__sets *sets, uint32_t doc)
{
    size_t n;
    (void)dpl__doc_parts_tokens(sets->docs, doc, &n);
    if (n)
        return dpl__sets_hash(sets, doc);
    dpl_str text = dpl__doc_parts_doc(sets->docs, doc).text;
    return dpl__hash(text.data, text.n, 2);
}

static dpl_status hash_docs(void *user, size_t job, unsigned worker, dpl_error *err)
{
    const hashing *h = user;
    const dpl_progress p = {"hash", "documents", job * DOCS_PER_JOB, h->n_docs};
    DPL_TRY(dpl__loop_progress(h->ctx, worker, &p, err));
    const size_t end = dpl__min(h->n_docs, (job + 1) * DOCS_PER_JOB);
    for (size_t doc = job * DOCS_PER_JOB; doc < end; doc++)
        h->keys[doc] = (keyed){hash_doc(h->sets, (uint32_t)doc), (uint32_t)doc};
    return DPL_OK;
}

/* ---- rows --------------------------------------------------------------------------- */

static bool are_copies(const dpl__dedup_docs *d, uint32_t a, uint32_t b)
{
    size_t n;
    (void)dpl__doc_parts_tokens(d->sets->docs, a, &n);
    return dpl__sets_are_copies(d->sets, a, b) &&
           (n || dpl__str_eq(dpl__dedup_doc(d, a).text, dpl__dedup_doc(d, b).text));
}

static void add_to_row(dpl__dedup_docs *d, uint32_t row, uint32_t doc)
{
    assert(row < d->n_rows && d->n_rows <= d->n_docs);
    d->row_of[doc] = row;
    d->rows[row].n_docs++;
    d->rows[row].has_new |= doc < d->n_new;
    d->rows[row].has_old |= doc >= d->n_new;
}

/* Documents with the same hash: they are in one row unless two texts have one hash. */
static void make_rows(dpl__dedup_docs *d, const keyed *keys, size_t begin, size_t end)
{
    const uint32_t first = d->n_rows;
    for (size_t i = begin; i < end; i++) {
        uint32_t row = first;
        while (row < d->n_rows && !are_copies(d, d->rows[row].doc, keys[i].doc))
            row++;
        if (row == d->n_rows)
            d->rows[d->n_rows++] = (dpl__dedup_row){.key = keys[i].key, .doc = keys[i].doc};
        add_to_row(d, row, keys[i].doc);
    }
}

static dpl_status find_copies(dpl__dedup_docs *d, const dpl__sets *sets, keyed *keys,
                              dpl_error *err)
{
    hashing h = {d->ctx, sets, keys, d->n_docs};
    const dpl__shared_loop loop = {.name = "hash",
                                   .user = &h,
                                   .run = hash_docs,
                                   .items = keys,
                                   .n_items = d->n_docs,
                                   .size = sizeof *keys,
                                   .per_job = DOCS_PER_JOB};
    DPL_TRY(dpl__shared_for(d->ctx, &loop, err));
    DPL_TRY(dpl__parallel_sort(d->ctx, keys, d->n_docs, sizeof *keys, by_key, err));
    for (size_t i = 0, end; i < d->n_docs; i = end) {
        for (end = i + 1; end < d->n_docs && keys[end].key == keys[i].key;)
            end++;
        make_rows(d, keys, i, end);
    }
    d->in_order = dpl__alloc(d->ctx, ((size_t)d->n_rows + 1) * sizeof *d->in_order);
    DPL_TRY(dpl__need(d->in_order, err));
    for (uint32_t doc = 0, n = 0; doc < d->n_docs; doc++)
        if (d->rows[d->row_of[doc]].doc == doc)
            d->in_order[n++] = d->row_of[doc];
    return DPL_OK;
}

dpl_status dpl__dedup_docs_init(dpl__dedup_docs *d, const dpl__sets *sets,
                                const dpl__inputs *in, size_t n_new_inputs, dpl_error *err)
{
    const uint32_t n = sets->docs->n_docs;
    *d = (dpl__dedup_docs){
        .ctx = sets->ctx, .sets = sets, .in = in, .n_new_inputs = n_new_inputs, .n_docs = n};
    assert(n_new_inputs <= in->n);
    while (d->n_new < n && dpl__dedup_input_of(d, d->n_new) < n_new_inputs)
        d->n_new++;
    assert(d->n_new == n || dpl__dedup_input_of(d, n - 1) >= n_new_inputs); /* new ones first */
    if (!n)
        return DPL_OK;
    DPL_TRY(find_repeated_ids(d, err));
    d->row_of = dpl__alloc(d->ctx, n * sizeof *d->row_of);
    d->rows = dpl__alloc(d->ctx, n * sizeof *d->rows);
    keyed *keys = dpl__alloc(d->ctx, n * sizeof *keys);
    dpl_status status =
        d->row_of && d->rows && keys ? find_copies(d, sets, keys, err) : dpl__fail_nomem(err);
    dpl__free(d->ctx, keys);
    return status;
}

void dpl__dedup_docs_clear(dpl__dedup_docs *d)
{
    if (!d->ctx)
        return;
    dpl__free(d->ctx, d->row_of, d->rows, d->in_order, d->is_repeated_id);
    *d = (dpl__dedup_docs){0};
}
