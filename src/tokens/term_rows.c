/*
 * term_rows.c - token numbers of the first pass to final ids and sorted rows.
 *
 * Batches are independent: each thread reads one, maps it, counts its documents and writes the
 * pieces to their places; only checksums are joined in order. A document costs its own length,
 * not that of the vocabulary. A tree of bits puts its terms in order, which takes half the time
 * of a radix sort. Cost: about 5 ns a token; a bit per term and thread of memory.
 */
#include "tokens/importer.h"

#include "base/ctx.h"
#include "base/map.h"
#include "par/pool.h"

/* A set of numbers that gives them back in order: a bit for each, a bit for each 64 of those,
 * and again. All zero between documents. */
typedef struct bits {
    uint64_t *low, *mid, *top;
    size_t n_words, n_top; /* of all three, of the last */
} bits;

/* Counts of one document. Those of the most frequent terms, which are nearly all that are met,
 * stand at their ids; the others behind them, in slots of a map. A counter for every term
 * would be as fast, but takes four bytes per term and thread. All zero between documents. */
typedef struct counter {
    uint32_t term, count; /* 0: free */
} counter;

static inline bool is_counted(const void *user, const counter *slot)
{
    (void)user;
    return slot->count != 0;
}

static inline bool is_of_term(const void *user, const counter *slot, uint32_t term)
{
    (void)user;
    return slot->term == term;
}

DPL_SLOTS(counter_slots, counter, uint32_t, is_counted, is_of_term);

enum { N_FREQUENT = 1 << 15, FEWEST_OTHERS = 1 << 12 };

typedef struct scratch {
    bits bits;
    counter *counters; /* N_FREQUENT + n_others */
    size_t n_others;   /* a power of two */
    uint32_t *places;  /* of the document's terms among the counters; n_others / 2 */
} scratch;

typedef struct slot {
    size_t batch;
    uint64_t token, entry, doc, spooled; /* where its pieces begin */
    uint32_t *ids;                       /* of its tokens: its own array or the batch's */
    DPL_VEC(uint32_t) tokens, lengths, terms, counts;
    DPL_VEC(uint64_t) offsets;
    uint32_t crc[4];
} slot;

typedef struct rows {
    dpl_ctx *ctx;
    dpl__writer *w;
    const dpl__first_pass *in;
    size_t next;                         /* batch */
    uint64_t token, entry, doc, spooled; /* so far; tokens in the spool */
    uint64_t n_tokens;                   /* of all batches */
    unsigned sections[4];
    scratch *scratch;
    slot *slots;
    size_t n_slots;
} rows;

enum { TOKENS, OFFSETS, TERMS, COUNTS };

/* ---- numbers in order ---------------------------------------------------------------- */

static bool bits_init(bits *b, dpl_ctx *ctx, size_t n)
{
    assert(n <= UINT32_MAX);
    size_t n_low = n / 64 + 1, n_mid = n_low / 64 + 1;
    b->n_top = n_mid / 64 + 1;
    b->n_words = n_low + n_mid + b->n_top;
    b->low = dpl__calloc(ctx, b->n_words, sizeof *b->low);
    if (!b->low)
        return false;
    b->mid = b->low + n_low;
    b->top = b->mid + n_mid;
    return true;
}

static inline void set_bit(uint64_t *words, size_t i)
{
    words[i / 64] |= (uint64_t)1 << i % 64;
}

static inline void bits_add(bits *b, uint32_t x)
{
    set_bit(b->low, x);
    set_bit(b->mid, x / 64);
    set_bit(b->top, x / 64 / 64);
}

static inline size_t first_bit(uint64_t word)
{
    return (size_t)__builtin_ctzll(word);
}

/* Takes all out, rising. */
static void bits_take(bits *b, uint32_t *out)
{
    for (size_t i = 0; i < b->n_top; i++) {
        for (uint64_t t = b->top[i]; t; t &= t - 1) {
            size_t j = 64 * i + first_bit(t);
            for (uint64_t m = b->mid[j]; m; m &= m - 1) {
                size_t k = 64 * j + first_bit(m);
                for (uint64_t l = b->low[k]; l; l &= l - 1)
                    *out++ = (uint32_t)(64 * k + first_bit(l));
                b->low[k] = 0;
            }
            b->mid[j] = 0;
        }
        b->top[i] = 0;
    }
}

/* ---- one batch ---------------------------------------------------------------------- */

static size_t entries_of(const rows *r, size_t batch)
{
    return r->in->no_rows ? 0 : (size_t)r->in->batches[batch].n_entries;
}

static dpl_status produce(void *user, size_t index, dpl_error *err)
{
    rows *r = user;
    slot *s = &r->slots[index];
    if (r->next == r->in->n_batches)
        return DPL_END;
    const dpl__batch_record *b = &r->in->batches[r->next];
    assert(b->n_tokens >= b->n_entries);
    s->batch = r->next++;
    s->token = r->token;
    s->entry = r->entry;
    s->doc = r->doc;
    s->spooled = r->spooled;
    r->token += b->n_tokens;
    r->spooled += b->tokens ? 0 : b->n_tokens; /* not yet freed: it is produced once */
    r->entry += entries_of(r, s->batch);
    r->doc += b->n_docs;
    dpl_progress progress = {"rows", "tokens", s->token, r->n_tokens};
    return dpl__progress(r->ctx, &progress, err);
}

static dpl_status read_batch(const rows *r, slot *s, dpl_error *err)
{
    assert(s->batch < r->in->n_batches);
    const dpl__batch_record *b = &r->in->batches[s->batch];
    s->tokens.n = s->lengths.n = s->terms.n = s->counts.n = s->offsets.n = 0;
    if ((!b->tokens && !dpl__vec_reserve(r->ctx, &s->tokens, b->n_tokens)) ||
        !dpl__vec_reserve(r->ctx, &s->lengths, b->n_docs) ||
        !dpl__vec_reserve(r->ctx, &s->terms, entries_of(r, s->batch)) ||
        !dpl__vec_reserve(r->ctx, &s->counts, entries_of(r, s->batch)) ||
        !dpl__vec_reserve(r->ctx, &s->offsets, b->n_docs))
        return dpl__fail_nomem(err);
    s->ids = b->tokens ? b->tokens : s->tokens.data;
    s->lengths.n = b->n_docs;
    if (!b->tokens)
        DPL_TRY(dpl__spool_read(r->in->tokens, 4 * s->spooled, s->ids, 4 * (size_t)b->n_tokens,
                                err));
    return dpl__spool_read(r->in->doc_tokens, 4 * s->doc, s->lengths.data, 4 * s->lengths.n,
                           err);
}

static void clear_counters(scratch *scr, dpl_ctx *ctx)
{
    dpl__free(ctx, scr->counters, scr->places);
    scr->counters = NULL;
    scr->places = NULL;
}

/* Room for a document of n different terms. */
static bool has_room(scratch *scr, dpl_ctx *ctx, size_t n)
{
    if (scr->counters && scr->places && 2 * n <= scr->n_others)
        return true;
    clear_counters(scr, ctx);
    scr->n_others = FEWEST_OTHERS;
    while (scr->n_others < 2 * n)
        scr->n_others *= 2;
    scr->counters = dpl__calloc(ctx, N_FREQUENT + scr->n_others, sizeof *scr->counters);
    scr->places = dpl__alloc(ctx, scr->n_others / 2 * sizeof *scr->places);
    return scr->counters && scr->places;
}

/* The place of the term's counter, or of the free one for it. */
static inline size_t find(const counter_slots *others, uint32_t term, unsigned shift)
{
    if (DPL_LIKELY(term < N_FREQUENT))
        return term;
    const counter *found = counter_slots_find(others, term * 0x9E3779B1u >> shift, term);
    return N_FREQUENT + (size_t)(found - others->slots);
}

/* Maps the document's tokens in place and appends its row, of less than n_most terms. False:
 * it has more, or terms that the vocabulary does not have, in a forged part. */
static bool make_row(slot *s, scratch *scr, const uint32_t *ids, uint32_t *tokens, size_t n,
                     size_t n_most)
{
    if (!n)
        return true;
    unsigned shift = 31; /* of the others a short document uses few, which stay in the cache */
    while (((size_t)1 << (32 - shift)) < 2 * n_most)
        shift--;
    counter *counters = scr->counters;
    const counter_slots others = {.slots = counters + N_FREQUENT,
                                  .n_slots = (size_t)1 << (32 - shift)};
    assert(others.n_slots <= scr->n_others);
    uint32_t *places = scr->places;
    size_t n_terms = 0;
    uint32_t highest = 0;
    for (size_t i = 0; i < n && n_terms < n_most; i++) {
        uint32_t id = tokens[i] = ids[tokens[i]];
        highest = id > highest ? id : highest;
        size_t at = find(&others, id, shift);
        places[n_terms] = (uint32_t)at;
        n_terms += counters[at].count == 0; /* no branch: it cannot be foretold */
        counters[at].term = id;
        counters[at].count++;
    }
    if (n_terms >= n_most || highest == UINT32_MAX)
        return false;
    for (size_t i = 0; i < n_terms; i++)
        bits_add(&scr->bits, counters[places[i]].term);
    uint32_t *terms = s->terms.data + s->terms.n, *counts = s->counts.data + s->counts.n;
    bits_take(&scr->bits, terms);
    for (size_t i = 0; i < n_terms; i++) {
        assert(i == 0 || terms[i - 1] < terms[i]);
        counts[i] = counters[find(&others, terms[i], shift)].count;
    }
    for (size_t i = 0; i < n_terms; i++)
        counters[places[i]].count = 0;
    s->terms.n += n_terms;
    s->counts.n += n_terms;
    return true;
}

static dpl_status other_rows(dpl_error *err)
{
    return dpl__fail(err, DPL_E_FORMAT,
                     "a part has rows of terms that are not those of its tokens");
}

/* The same without its row. */
static bool map_tokens(const uint32_t *ids, uint32_t *tokens, size_t n)
{
    uint32_t highest = 0;
    for (size_t i = 0; i < n; i++) {
        tokens[i] = ids[tokens[i]];
        highest = tokens[i] > highest ? tokens[i] : highest;
    }
    return highest != UINT32_MAX;
}

/* Rows of all documents of a batch; *at: tokens of the batch. */
static dpl_status make_rows(rows *r, slot *s, scratch *scr, size_t *out_at, dpl_error *err)
{
    const size_t n_entries = entries_of(r, s->batch);
    const uint32_t *ids = dpl__vocabulary_ids(r->in->vocabulary, r->in->batches[s->batch].run);
    size_t at = 0;
    for (size_t i = 0; i < s->lengths.n; i++) {
        size_t n = s->lengths.data[i], n_most = dpl__min(n, n_entries - s->terms.n) + 1;
        if (!r->in->no_rows && !has_room(scr, r->ctx, n_most))
            return dpl__fail_nomem(err);
        if (n && !(r->in->no_rows ? map_tokens(ids, s->ids + at, n)
                                  : make_row(s, scr, ids, s->ids + at, n, n_most)))
            return other_rows(err);
        at += n;
        s->offsets.data[s->offsets.n++] = s->entry + s->terms.n;
    }
    assert(at == r->in->batches[s->batch].n_tokens);
    *out_at = at;
    return s->terms.n == n_entries ? DPL_OK : other_rows(err);
}

static dpl_status map(void *user, size_t index, unsigned worker, dpl_error *err)
{
    rows *r = user;
    slot *s = &r->slots[index];
    scratch *scr = &r->scratch[worker];
    size_t at = 0;
    if (!scr->bits.low && !bits_init(&scr->bits, r->ctx, r->in->vocabulary->n_terms))
        return dpl__fail_nomem(err);
    DPL_TRY(read_batch(r, s, err));
    DPL_TRY(make_rows(r, s, scr, &at, err));
    DPL_TRY(dpl__writer_put(r->w,
                            (dpl__piece){r->sections[TOKENS], 4 * s->token, s->ids, 4 * at},
                            &s->crc[TOKENS], err));
    DPL_TRY(dpl__writer_put(
        r->w,
        (dpl__piece){r->sections[OFFSETS], 8 * (s->doc + 1), s->offsets.data, 8 * s->offsets.n},
        &s->crc[OFFSETS], err));
    DPL_TRY(dpl__writer_put(
        r->w, (dpl__piece){r->sections[TERMS], 4 * s->entry, s->terms.data, 4 * s->terms.n},
        &s->crc[TERMS], err));
    DPL_TRY(dpl__writer_put(
        r->w, (dpl__piece){r->sections[COUNTS], 4 * s->entry, s->counts.data, 4 * s->counts.n},
        &s->crc[COUNTS], err));
    dpl__free(r->ctx, r->in->batches[s->batch].tokens);
    r->in->batches[s->batch].tokens = NULL;
    return DPL_OK;
}

static dpl_status commit(void *user, size_t index, dpl_error *err)
{
    (void)err;
    rows *r = user;
    const slot *s = &r->slots[index];
    assert(s->terms.n == s->counts.n);
    dpl__writer_join(r->w, r->sections[TOKENS], s->crc[TOKENS],
                     4 * (size_t)r->in->batches[s->batch].n_tokens);
    dpl__writer_join(r->w, r->sections[OFFSETS], s->crc[OFFSETS], 8 * s->offsets.n);
    dpl__writer_join(r->w, r->sections[TERMS], s->crc[TERMS], 4 * s->terms.n);
    dpl__writer_join(r->w, r->sections[COUNTS], s->crc[COUNTS], 4 * s->counts.n);
    return DPL_OK;
}

/* ---- all of them -------------------------------------------------------------------- */

static dpl_status reserve_sections(rows *r, dpl_error *err)
{
    uint64_t n_tokens = 0, n_entries = 0, n_docs = 0;
    for (size_t i = 0; i < r->in->n_batches; i++) {
        n_tokens += r->in->batches[i].n_tokens;
        n_entries += entries_of(r, i);
        n_docs += r->in->batches[i].n_docs;
    }
    r->n_tokens = n_tokens;
    DPL_TRY(dpl__writer_reserve(r->w, &r->sections[TOKENS], "tokens", 4, 4 * n_tokens, err));
    DPL_TRY(dpl__writer_reserve(r->w, &r->sections[OFFSETS], "row.offsets", 8, 8 * (n_docs + 1),
                                err));
    DPL_TRY(dpl__writer_reserve(r->w, &r->sections[TERMS], "row.terms", 4, 4 * n_entries, err));
    DPL_TRY(
        dpl__writer_reserve(r->w, &r->sections[COUNTS], "row.counts", 4, 4 * n_entries, err));
    const uint64_t zero = 0;
    uint32_t crc;
    DPL_TRY(dpl__writer_put(r->w, (dpl__piece){r->sections[OFFSETS], 0, &zero, sizeof zero},
                            &crc, err));
    dpl__writer_join(r->w, r->sections[OFFSETS], crc, sizeof zero);
    return DPL_OK;
}

static void clear(rows *r)
{
    for (size_t i = 0; r->slots && i < r->n_slots; i++) {
        slot *s = &r->slots[i];
        dpl__vec_clear(r->ctx, &s->tokens, &s->lengths, &s->terms, &s->counts, &s->offsets);
    }
    for (unsigned i = 0; r->scratch && i < r->ctx->n_threads; i++) {
        scratch *scr = &r->scratch[i];
        dpl__free(r->ctx, scr->bits.low);
        clear_counters(scr, r->ctx);
    }
    dpl__free(r->ctx, r->slots, r->scratch);
}

dpl_status dpl__rows_write(dpl_ctx *ctx, dpl__writer *w, const dpl__first_pass *in,
                           dpl_error *err)
{
    rows r = {.ctx = ctx, .w = w, .in = in, .n_slots = 2 * (size_t)ctx->n_threads};
    r.slots = dpl__calloc(ctx, r.n_slots, sizeof *r.slots);
    r.scratch = dpl__calloc(ctx, ctx->n_threads, sizeof *r.scratch);
    const dpl__pipeline p = {&r, r.n_slots, produce, map, commit};
    dpl_status status;
    DPL__STEP(dpl__need(r.slots && r.scratch, err));
    DPL__STEP(reserve_sections(&r, err));
    status = dpl__pipeline_run(ctx, &p, err);
done:
    clear(&r);
    return status;
}
