/*
 * query_codes.c - documents that share a similarity hash code with the query, or one near it.
 *
 * Of rp, a bit of a code is the sign of a product, and small products change their sign first.
 * So beside the code itself those are looked up that differ in bits of small products, the most
 * likely ones first (multi-probe: Lv et al., VLDB 2007): with a few codes for each document as
 * many neighbours are found as with many codes. All keys are looked up together: perfect hash,
 * checksums, then the slots of those that agree.
 */
#include "index/query.h"

#include "base/order.h"

#include <stdlib.h>

/* ---- which codes -------------------------------------------------------------------- */

/* A set of bits, by rank of their products, and what it costs to change them. */
typedef struct bit_set {
    float cost;
    uint8_t last; /* the largest rank in it */
    uint64_t ranks;
} bit_set;

enum { MOST_PROBES = 4096 };

typedef struct ranked_bit {
    float margin;
    uint8_t bit;
} ranked_bit;

DPL__ORDER(by_margin, ranked_bit, DPL__RISING(margin) DPL__RISING(bit))

static void push(bit_set *heap, size_t *n, bit_set set)
{
    size_t i = (*n)++;
    for (; i > 0 && heap[(i - 1) / 2].cost > set.cost; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = set;
}

static bit_set pop(bit_set *heap, size_t *n)
{
    const bit_set top = heap[0], last = heap[--*n];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= *n)
            break;
        child += child + 1 < *n && heap[child + 1].cost < heap[child].cost;
        if (heap[child].cost >= last.cost)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return top;
}

static bool add_probe(dpl_query *q, uint64_t code, unsigned c, uint32_t n_flips)
{
    return dpl__vec_push(q->ctx, &q->probes,
                         ((dpl__probe){dpl__code_key(code, c), c, n_flips}));
}

/* The codes near code c, cheapest first: sets of ranks grow by shifting or adding the last. */
static bool add_near(dpl_query *q, uint64_t code, unsigned c, size_t n_probes)
{
    const unsigned k = q->index->hash.options.length;
    bit_set heap[2 * 256 + 2];
    ranked_bit bits[64];
    size_t n = 0;
    n_probes = dpl__min(n_probes, k < 13 ? ((size_t)1 << k) - 1 : MOST_PROBES);
    for (unsigned i = 0; i < k; i++) {
        const float m = q->margins.data[(size_t)c * k + i];
        bits[i] = (ranked_bit){m * m, (uint8_t)i};
    }
    qsort(bits, k, sizeof *bits, by_margin);
    push(heap, &n, (bit_set){bits[0].margin, 0, 1});
    for (size_t i = 0; i < n_probes && n; i++) {
        const bit_set s = pop(heap, &n);
        uint64_t near = code;
        for (uint64_t ranks = s.ranks; ranks; ranks &= ranks - 1)
            near ^= (uint64_t)1 << bits[__builtin_ctzll(ranks)].bit;
        if (!add_probe(q, dpl__some_code(near), c, (uint32_t)__builtin_popcountll(s.ranks)))
            return false;
        if (s.last + 1u >= k || n + 2 > DPL_LEN(heap))
            continue;
        const unsigned next = s.last + 1u;
        const uint64_t bit = (uint64_t)1 << next, old = (uint64_t)1 << s.last;
        push(heap, &n, (bit_set){s.cost + bits[next].margin, (uint8_t)next, s.ranks | bit});
        push(heap, &n,
             (bit_set){s.cost + bits[next].margin - bits[s.last].margin, (uint8_t)next,
                       (s.ranks & ~old) | bit});
    }
    return true;
}

static dpl_status make_codes(dpl_query *q, dpl_error *err)
{
    const dpl_hash *h = &q->index->hash;
    const size_t n = q->entries.n;
    q->codes.n = q->marks.n = q->margins.n = q->code_weights.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(q->ctx, &q->codes, h->options.codes) &&
                          dpl__vec_reserve(q->ctx, &q->marks, n + 1) &&
                          dpl__vec_reserve(q->ctx, &q->code_weights, n + 1) &&
                          dpl__vec_reserve(q->ctx, &q->margins,
                                           (size_t)h->options.length * h->options.codes + 64),
                      err));
    for (size_t i = 0; i < n; i++) {
        const dpl__query_entry *e = &q->entries.data[i];
        const dpl__query_word *w = &q->words.data[e->word];
        const bool is_own = e->term == w->term;
        const dpl_str text = is_own ? w->text : dpl__index_term(q->index, e->term);
        q->marks.data[i] = is_own && !h->function->mark ? w->key : dpl__coder_mark(h, text);
        q->code_weights.data[i] = e->weight;
    }
    const dpl__hash_row row = {.marks = q->marks.data, .weights = q->code_weights.data, .n = n};
    DPL_TRY(dpl__coder_codes(&q->coder, q->codes.data, &row, err));
    if (h->options.function == DPL_HASH_RP && q->o.probes > 0)
        dpl__coder_margins(&q->coder, q->margins.data, &row);
    return DPL_OK;
}

static dpl_status make_probes(dpl_query *q, dpl_error *err)
{
    const dpl_hash_options *o = &q->index->hash.options;
    q->probes.n = 0;
    for (unsigned c = 0; c < o->codes; c++) {
        bool is_done = add_probe(q, q->codes.data[c], c, 0);
        if (is_done && o->function == DPL_HASH_RP && q->o.probes > 0)
            is_done = add_near(q, q->codes.data[c], c, (size_t)q->o.probes);
        DPL_TRY(dpl__need(is_done, err));
    }
    return DPL_OK;
}

/* ---- lookup ------------------------------------------------------------------------- */

/* The entries of a slot: [*begin, *end). */
static void find_slot(const dpl__code_table *t, uint64_t slot, uint64_t *begin, uint64_t *end)
{
    uint64_t at = t->select[slot / 64], left = slot % 64, w = at / 64;
    uint64_t bits = t->starts[w] & ~(uint64_t)0 << at % 64;
    while (w + 1 < t->n_start_words && (unsigned)__builtin_popcountll(bits) <= left) {
        left -= (unsigned)__builtin_popcountll(bits);
        bits = t->starts[++w];
    }
    for (; left && bits; left--)
        bits &= bits - 1;
    *begin = 64 * w + (bits ? (unsigned)__builtin_ctzll(bits) : 0);
    bits = bits ? bits & (bits - 1) : 0;
    while (!bits && w + 1 < t->n_start_words)
        bits = t->starts[++w];
    *end = bits ? 64 * w + (unsigned)__builtin_ctzll(bits) : t->n_entries;
    *end = *end < t->n_entries ? *end : t->n_entries;
}

static dpl_status add_slot(dpl_query *q, const dpl__probe *p, uint64_t slot, dpl_error *err)
{
    const dpl__code_table *t = &q->index->codes;
    uint64_t begin, end;
    find_slot(t, slot, &begin, &end);
    q->result.n_slots++;
    for (uint64_t i = begin; i < end; i++) {
        const uint64_t row = dpl__packed_get(&t->docs, i);
        if (q->candidates.n >= (size_t)DPL__P(index, most_candidates))
            return DPL_OK;
        if (row >= q->index->n_docs || row == q->own_row)
            continue;
        if (q->only_lang != UINT32_MAX &&
            dpl__index_doc_lang(q->index, (uint32_t)row) != q->only_lang)
            continue;
        dpl__candidate *c = dpl__query_candidate(q, (uint32_t)row);
        DPL_TRY(dpl__need(c, err));
        c->n_codes++;
        c->n_flips = (uint16_t)(c->n_flips + p->n_flips);
    }
    return DPL_OK;
}

static dpl_status look_up(dpl_query *q, dpl_error *err)
{
    enum { AHEAD = 32 };
    const dpl__code_table *t = &q->index->codes;
    uint64_t keys[AHEAD], slots[AHEAD];
    for (size_t first = 0; first < q->probes.n && t->mph.n_keys; first += AHEAD) {
        const dpl__probe *probes = q->probes.data + first;
        const size_t n = dpl__min(AHEAD, q->probes.n - first);
        for (size_t i = 0; i < n; i++)
            keys[i] = probes[i].key;
        dpl__mph_get_many(&t->mph, keys, n, slots);
        for (size_t i = 0; i < n; i++)
            dpl__packed_prefetch(&t->checks, slots[i]);
        for (size_t i = 0; i < n; i++)
            if (dpl__packed_get(&t->checks, slots[i]) ==
                dpl__key_check(keys[i], q->index->checksum))
                DPL_TRY(add_slot(q, &probes[i], slots[i], err));
    }
    q->result.n_lookups += (uint32_t)q->probes.n;
    return DPL_OK;
}

dpl_status dpl__query_by_codes(dpl_query *q, dpl_error *err)
{
    if (q->entries.n == 0)
        return DPL_OK;
    DPL_TRY(make_codes(q, err));
    DPL_TRY(make_probes(q, err));
    return look_up(q, err);
}
