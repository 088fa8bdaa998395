/*
 * build_codes.c - the table of codes: perfect hash function, checksums, documents of each code.
 *
 * Slots are in the order of the hash function, entries of a slot in that of the documents. A
 * bit for each entry says whether a slot begins with it: with few documents to a code that is
 * smaller than offsets. Cost: 32 bytes for each code while it runs.
 */
#include "index/build.h"

#include "base/order.h"
#include "par/sort.h"

DPL__RISING_NUMBERS(by_number, uint64_t)

/* ---- the hash function -------------------------------------------------------------- */

/* Evenly spaced documents as rows of words: what fuzzy takes its expectations from. */
typedef struct reference {
    dpl_hash_input input;
    DPL_VEC(uint64_t) offsets;
    DPL_VEC(dpl_str) terms;
    DPL_VEC(float) weights;
} reference;

static dpl_status add_reference(dpl__builder *b, reference *r, dpl_error *err)
{
    const uint32_t most = (uint32_t)DPL__P(index, reference_docs);
    const uint32_t step = b->n_docs / most + 1;
    dpl__row_scratch s = {0};
    dpl_status status = DPL_OK;
    bool is_done = dpl__vec_push(b->ctx, &r->offsets, 0u);
    for (uint32_t doc = 0; doc < b->n_docs && status == DPL_OK && is_done; doc += step) {
        double norm, length;
        status = dpl__build_vector(b, &s, doc, &norm, &length, err);
        for (size_t i = 0; i < s.row.n && is_done && status == DPL_OK; i++)
            is_done = dpl__vec_push(b->ctx, &r->terms,
                                    b->terms.data[b->order[s.row.data[i].term]].text) &&
                      dpl__vec_push(b->ctx, &r->weights,
                                    (float)((double)s.row.data[i].weight / norm));
        is_done = is_done && dpl__vec_push(b->ctx, &r->offsets, r->terms.n);
    }
    dpl__row_scratch_clear(&s, b->ctx);
    return status != DPL_OK ? status : is_done ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status make_marks(dpl__builder *b, dpl_error *err)
{
    if (!b->hash->function->mark)
        return DPL_OK; /* keys */
    b->marks = dpl__alloc(b->ctx, ((size_t)b->n_terms + 1) * sizeof *b->marks);
    DPL_TRY(dpl__need(b->marks, err));
    for (uint32_t t = 0; t < b->n_terms; t++)
        b->marks[t] = dpl__coder_mark(b->hash, b->terms.data[b->order[t]].text);
    return DPL_OK;
}

dpl_status dpl__build_hash(dpl__builder *b, dpl_error *err)
{
    dpl_hash_options *o = &b->hash_options;
    const dpl_hash_function_info *info = dpl_hash_get_function_info(o->function);
    if (!info)
        return dpl__fail(err, DPL_E_USAGE, "no similarity hash function number %d",
                         (int)o->function);
    if (o->shingle > 1)
        return dpl__fail(err, DPL_E_USAGE, "codes of an index are of words, not of shingles");
    if (o->function == DPL_HASH_RP && o->codes == 0)
        o->codes = (unsigned)DPL__P(index, codes);
    if (b->has_auto_k) {
        const unsigned k = dpl__width_of(b->n_docs) + (unsigned)DPL__P(index, more_bits);
        o->length = k < 8 ? 8 : k > 40 ? 40 : k;
    }
    reference r = {0};
    dpl_status status = DPL_OK;
    if (info->has_reference)
        DPL__STEP(add_reference(b, &r, err));
    r.input = (dpl_hash_input)DPL_INIT(dpl_hash_input, .n_rows = (uint32_t)(r.offsets.n - 1),
                                       .offsets = r.offsets.data, .terms = r.terms.data,
                                       .weights = r.weights.data);
    DPL__STEP(dpl_hash_new(&b->hash, b->ctx, o, info->has_reference ? &r.input : NULL, err));
    b->hash->seed = b->seed;
    DPL__STEP(make_marks(b, err));
done:
    dpl__vec_clear(b->ctx, &r.offsets, &r.terms, &r.weights);
    return status;
}

/* ---- the table ---------------------------------------------------------------------- */

typedef struct table {
    dpl__builder *b;
    uint64_t *keys; /* different ones, then ... */
    size_t n_room, n_entries, n_keys;
    uint8_t *mph_bytes;
    size_t n_mph_bytes;
    dpl__mph mph;
    uint32_t *ends; /* of each slot */
    uint32_t *docs; /* of each entry */
} table;

static uint64_t key_of(const table *t, size_t i, unsigned l)
{
    const uint64_t code = ((const uint64_t *)(const void *)t->b->codes.data)[i];
    return code == DPL_NO_CODE ? 0 : dpl__code_key(code, (unsigned)(i % l));
}

static bool has_code(const table *t, size_t i)
{
    return ((const uint64_t *)(const void *)t->b->codes.data)[i] != DPL_NO_CODE;
}

static dpl_status find_keys(table *t, unsigned l, dpl_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_room; i++)
        if (has_code(t, i))
            t->keys[n++] = key_of(t, i, l);
    t->n_entries = n;
    DPL_TRY(dpl__parallel_sort(t->b->ctx, t->keys, n, sizeof *t->keys, by_number, err));
    for (size_t i = 0; i < n; i++)
        if (t->n_keys == 0 || t->keys[i] != t->keys[t->n_keys - 1])
            t->keys[t->n_keys++] = t->keys[i];
    DPL_TRY(dpl__mph_make(&t->mph_bytes, &t->n_mph_bytes, t->b->ctx, t->keys, t->n_keys, err));
    const char *wrong = dpl__mph_open(&t->mph, t->mph_bytes, t->n_mph_bytes);
    assert(!wrong);
    (void)wrong;
    return DPL_OK;
}

static dpl_status write_checks(table *t, dpl_error *err)
{
    dpl__builder *b = t->b;
    dpl__bytes bytes = {0};
    bool is_done = dpl__packed_new(b->ctx, &bytes, t->n_keys, b->o.checksum);
    for (size_t i = 0; i < t->n_keys && is_done; i++)
        dpl__packed_put(&bytes, dpl__mph_get(&t->mph, t->keys[i]),
                        dpl__key_check(t->keys[i], b->o.checksum));
    dpl_status status =
        is_done ? dpl__writer_add_large(b->writer, "code.checks", 1, bytes.data, bytes.n, err)
                : dpl__fail_nomem(err);
    dpl__vec_clear(b->ctx, &bytes);
    return status;
}

/* Documents of each slot: counted, then put in their place, in order. */
static void place_docs(table *t, unsigned l)
{
    for (size_t i = 0; i < t->n_room; i++)
        if (has_code(t, i))
            t->ends[dpl__mph_get(&t->mph, key_of(t, i, l)) + 1]++;
    for (size_t s = 0; s < t->n_keys; s++)
        t->ends[s + 1] += t->ends[s];
    for (size_t i = 0; i < t->n_room; i++)
        if (has_code(t, i))
            t->docs[t->ends[dpl__mph_get(&t->mph, key_of(t, i, l))]++] = (uint32_t)(i / l);
}

/* ends[s] is where slot s ends by now, and so where the next one begins. */
static dpl_status write_starts(table *t, dpl_error *err)
{
    dpl__builder *b = t->b;
    const size_t n_words = t->n_entries / 64 + 1, n_select = t->n_keys / 64 + 1;
    uint64_t *words = dpl__calloc(b->ctx, n_words, sizeof *words);
    uint32_t *select = dpl__calloc(b->ctx, n_select, sizeof *select);
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(words && select, err));
    for (size_t s = 0; s < t->n_keys; s++) {
        const uint32_t begin = s ? t->ends[s - 1] : 0;
        words[begin / 64] |= (uint64_t)1 << begin % 64;
        if (s % 64 == 0)
            select[s / 64] = begin;
    }
    DPL__STEP(dpl__writer_add_large(b->writer, "code.starts", 8, words, n_words * sizeof *words,
                                    err));
    DPL__STEP(dpl__writer_add_large(b->writer, "code.select", 4, select,
                                    n_select * sizeof *select, err));
done:
    dpl__free(b->ctx, select, words);
    return status;
}

static dpl_status make_table(table *t, dpl_error *err)
{
    dpl__builder *b = t->b;
    const unsigned l = b->hash->options.codes;
    DPL_TRY(find_keys(t, l, err));
    DPL_TRY(write_checks(t, err));
    DPL_TRY(dpl__writer_add_large(b->writer, "code.mph", 8, t->mph_bytes, t->n_mph_bytes, err));
    place_docs(t, l);
    DPL_TRY(write_starts(t, err));
    return dpl__build_write_packed(b, "code.docs", t->docs, t->n_entries, err);
}

dpl_status dpl__build_codes(dpl__builder *b, dpl_error *err)
{
    table t = {.b = b, .n_room = (size_t)b->n_docs * b->hash->options.codes};
    if (t.n_room >= UINT32_MAX)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "an index has less than 2^32 codes");
    t.keys = dpl__alloc(b->ctx, (t.n_room + 1) * sizeof *t.keys);
    t.ends = dpl__calloc(b->ctx, t.n_room + 2, sizeof *t.ends);
    t.docs = dpl__alloc(b->ctx, (t.n_room + 1) * sizeof *t.docs);
    dpl_status status = t.keys && t.ends && t.docs ? make_table(&t, err) : dpl__fail_nomem(err);
    b->n_codes = t.n_entries;
    b->n_slots = t.n_keys;
    dpl__free(b->ctx, t.mph_bytes, t.docs, t.ends, t.keys);
    return status;
}
