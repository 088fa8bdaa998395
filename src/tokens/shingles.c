/*
 * shingles.c - shingles of documents, and how many of them two documents share.
 *
 * Keys of terms are kept in a table when that takes at most an eighth of the memory. A
 * shingle's key rolls: two multiplications a word. Sets are compared without sorting: one of
 * them goes to a table that stays in the first-level cache, and those of the other that are
 * found there are marked by their lowest bit, which keys do not use. Cost: some two nanoseconds
 * a word.
 */
#include "tokens/shingles.h"

#include "base/ctx.h"
#include "par/pool.h"

enum { TERMS_PER_JOB = 1 << 13 };

/* ---- keys of terms ------------------------------------------------------------------ */

uint64_t dpl__sets_key(const dpl__sets *sets, uint32_t part, uint32_t term)
{
    const dpl_collection *c = sets->docs->all[part];
    assert(term < dpl_collection_get_sizes(c)->n_terms);
    return sets->term_keys ? sets->term_keys[part][term]
                           : dpl__shingle_word(dpl_collection_term(c, term));
}

typedef struct keying {
    const dpl_collection *c;
    uint64_t *keys;
} keying;

static void hash_terms(void *user, size_t job)
{
    const keying *k = user;
    const size_t n = dpl_collection_get_sizes(k->c)->n_terms,
                 end = dpl__min(n, (job + 1) * TERMS_PER_JOB);
    for (size_t i = job * TERMS_PER_JOB; i < end; i++)
        k->keys[i] = dpl__shingle_word(dpl_collection_term(k->c, (uint32_t)i));
}

static size_t n_terms_of(const dpl__sets *sets, uint32_t part)
{
    return dpl_collection_get_sizes(sets->docs->all[part])->n_terms;
}

static dpl_status make_keys(dpl__sets *sets, dpl_error *err)
{
    const dpl__doc_parts *d = sets->docs;
    uint64_t n_terms = 0;
    for (uint32_t i = 0; i < d->n; i++)
        n_terms += n_terms_of(sets, i);
    if (n_terms > sets->ctx->memory / 8 / sizeof(uint64_t))
        return DPL_OK;
    sets->term_keys = dpl__calloc(sets->ctx, d->n, sizeof *sets->term_keys);
    DPL_TRY(dpl__need(sets->term_keys, err));
    for (uint32_t i = 0; i < d->n; i++) {
        const size_t n = n_terms_of(sets, i);
        keying k = {d->all[i], dpl__alloc(sets->ctx, (n + 1) * sizeof *k.keys)};
        sets->term_keys[i] = k.keys;
        DPL_TRY(dpl__need(k.keys, err));
        DPL_TRY(dpl__parallel_each(sets->ctx, (n + TERMS_PER_JOB - 1) / TERMS_PER_JOB, &k,
                                   hash_terms, err));
    }
    return DPL_OK;
}

/* ---- setting up --------------------------------------------------------------------- */

dpl_status dpl__set_scratch_init(dpl__set_scratch *s, dpl_ctx *ctx, size_t longest,
                                 dpl_error *err)
{
    *s = (dpl__set_scratch){.n_keys = longest + 1};
    s->keys = dpl__alloc(ctx, s->n_keys * sizeof *s->keys);
    const bool has_memory = dpl__shingle_set_reserve(&s->set, ctx, s->n_keys);
    return dpl__need(s->keys && has_memory, err);
}

void dpl__set_scratch_clear(dpl__set_scratch *s, dpl_ctx *ctx)
{
    dpl__free(ctx, s->keys);
    dpl__shingle_set_clear(&s->set, ctx);
    s->keys = NULL;
}

static dpl_status set_up(dpl__sets *sets, dpl_error *err)
{
    dpl_ctx *ctx = sets->ctx;
    for (uint32_t doc = 0; doc < sets->docs->n_docs; doc++) {
        size_t n;
        (void)dpl__doc_parts_tokens(sets->docs, doc, &n);
        sets->longest = dpl__max(sets->longest, n);
        sets->n_tokens += n;
    }
    sets->scratch = dpl__calloc(ctx, ctx->n_threads, sizeof *sets->scratch);
    DPL_TRY(dpl__need(sets->scratch, err));
    for (unsigned i = 0; i < ctx->n_threads; i++)
        DPL_TRY(dpl__set_scratch_init(&sets->scratch[i], ctx, sets->longest, err));
    return make_keys(sets, err);
}

dpl_status dpl__sets_init_parts(dpl__sets *sets, dpl_ctx *ctx, const dpl__doc_parts *docs,
                                unsigned w, dpl_error *err)
{
    assert(w > 0);
    *sets = (dpl__sets){.ctx = ctx, .docs = docs, .w = w};
    return set_up(sets, err);
}

dpl_status dpl__sets_init(dpl__sets *sets, dpl_ctx *ctx, const dpl_collection *c, unsigned w,
                          dpl_error *err)
{
    *sets = (dpl__sets){.ctx = ctx, .w = w};
    DPL_TRY(dpl__doc_parts_of_one(&sets->one, ctx, c, err));
    sets->docs = &sets->one;
    return set_up(sets, err);
}

void dpl__sets_clear(dpl__sets *sets)
{
    dpl_ctx *ctx = sets->ctx;
    if (!ctx)
        return;
    for (unsigned i = 0; sets->scratch && i < ctx->n_threads; i++)
        dpl__set_scratch_clear(&sets->scratch[i], ctx);
    dpl__free(ctx, sets->scratch);
    for (uint32_t i = 0; sets->term_keys && i < sets->docs->n; i++)
        dpl__free(ctx, sets->term_keys[i]);
    if (sets->term_keys)
        dpl__free(ctx, sets->term_keys);
    dpl__doc_parts_clear(&sets->one);
    *sets = (dpl__sets){0};
}

/* ---- words ------------------------------------------------------------------------------ */

uint64_t dpl__sets_hash(const dpl__sets *sets, uint32_t doc)
{
    size_t n;
    const uint32_t part = dpl__doc_part(sets->docs, doc),
                   *tokens = dpl__doc_parts_tokens(sets->docs, doc, &n);
    uint64_t h = n;
    for (size_t i = 0; i < n; i++)
        h = dpl__mum(h ^ DPL__K1, dpl__sets_key(sets, part, tokens[i]) ^ DPL__K2);
    return dpl__mix(h);
}

bool dpl__sets_are_copies(const dpl__sets *sets, uint32_t a, uint32_t b)
{
    const uint32_t parts[2] = {dpl__doc_part(sets->docs, a), dpl__doc_part(sets->docs, b)};
    size_t n, m, i = 0;
    const uint32_t *x = dpl__doc_parts_tokens(sets->docs, a, &n),
                   *y = dpl__doc_parts_tokens(sets->docs, b, &m);
    if (n != m)
        return false;
    while (i < n && (parts[0] == parts[1] ? x[i] == y[i]
                                          : dpl__sets_key(sets, parts[0], x[i]) ==
                                                dpl__sets_key(sets, parts[1], y[i])))
        i++;
    return i == n;
}

/* ---- shingles ----------------------------------------------------------------------- */

static inline uint64_t key_of(const dpl__sets *sets, const uint64_t *keys, uint32_t part,
                              uint32_t term)
{
    return keys ? keys[term] : dpl__sets_key(sets, part, term);
}

const uint64_t *dpl__sets_shingles(const dpl__sets *sets, uint32_t doc, dpl__set_scratch *s,
                                   size_t *n)
{
    size_t n_tokens;
    const uint32_t part = dpl__doc_part(sets->docs, doc),
                   *tokens = dpl__doc_parts_tokens(sets->docs, doc, &n_tokens);
    const uint64_t *keys = sets->term_keys ? sets->term_keys[part] : NULL;
    assert(n_tokens <= s->n_keys);
    const size_t w = dpl__min(sets->w, n_tokens);
    uint64_t h = 0, top = 1;
    for (size_t i = 0; i < w; i++) {
        h = h * DPL__SHINGLE_BASE + key_of(sets, keys, part, tokens[i]);
        top = i ? top * DPL__SHINGLE_BASE : top;
    }
    *n = 0;
    if (!n_tokens)
        return s->keys;
    s->keys[(*n)++] = dpl__shingle_key(h ^ w);
    for (size_t i = w; i < n_tokens; i++) {
        h = (h - key_of(sets, keys, part, tokens[i - w]) * top) * DPL__SHINGLE_BASE +
            key_of(sets, keys, part, tokens[i]);
        s->keys[(*n)++] = dpl__shingle_key(h ^ w);
    }
    return s->keys;
}

/* ---- sets --------------------------------------------------------------------------- */

/* Where the key is or would be. */
static inline uint64_t *place(const dpl__set_scratch *s, uint64_t key)
{
    return dpl__shingle_set_find(&s->set, dpl__shingle_hash(NULL, &key), key);
}

const uint64_t *dpl__sets_distinct(const dpl__sets *sets, uint32_t doc, dpl__set_scratch *s,
                                   size_t *n)
{
    size_t n_all, n_distinct = 0;
    (void)dpl__sets_shingles(sets, doc, s, &n_all);
    assert(dpl__map_slots(n_all) <= s->set.n_room);
    (void)dpl__shingle_set_begin(&s->set, sets->ctx, n_all); /* there is room */
    for (size_t i = 0; i < n_all; i++) {
        const uint64_t key = s->keys[i];
        uint64_t *at = place(s, key);
        if (*at)
            continue;
        *at = key;
        s->keys[n_distinct++] = key;
    }
    *n = s->set.n_used = n_distinct;
    return s->keys;
}

void dpl__sets_load(const dpl__sets *sets, uint32_t doc, dpl__set_scratch *s, size_t *n)
{
    (void)dpl__sets_distinct(sets, doc, s, n);
}

bool dpl__sets_has(dpl__set_scratch *loaded, uint64_t key)
{
    return *place(loaded, key) != 0;
}

size_t dpl__sets_overlap(const dpl__sets *sets, dpl__set_scratch *loaded, uint32_t doc,
                         dpl__set_scratch *other)
{
    assert(loaded != other);
    size_t n, n_both = 0;
    const uint64_t *keys = dpl__sets_shingles(sets, doc, other, &n);
    for (size_t i = 0; i < n; i++) {
        uint64_t *at = place(loaded, keys[i]);
        n_both += *at && !(*at & 1);
        *at |= *at ? 1 : 0;
    }
    for (size_t i = 0; i < n && n_both; i++) /* for the next document */
        *place(loaded, keys[i]) &= ~(uint64_t)1;
    return n_both;
}
