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

static uint64_t hash_term(const dpl_collection *c, uint32_t term)
{
    return dpl__shingle_word(dpl_collection_term(c, term));
}

uint64_t dpl__sets_term_key(const dpl__sets *sets, uint32_t term)
{
    assert(term < dpl_collection_get_sizes(sets->c)->n_terms);
    return sets->term_keys ? sets->term_keys[term] : hash_term(sets->c, term);
}

static dpl_status hash_terms(void *user, size_t job, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    const dpl__sets *sets = user;
    const size_t n = dpl_collection_get_sizes(sets->c)->n_terms,
                 end = dpl__min(n, (job + 1) * TERMS_PER_JOB);
    for (size_t i = job * TERMS_PER_JOB; i < end; i++)
        sets->term_keys[i] = hash_term(sets->c, (uint32_t)i);
    return DPL_OK;
}

/* ---- setting up --------------------------------------------------------------------- */

dpl_status dpl__set_scratch_init(dpl__set_scratch *s, dpl_ctx *ctx, size_t longest,
                                 dpl_error *err)
{
    *s = (dpl__set_scratch){.n_keys = longest + 1};
    s->keys = dpl__alloc(ctx, s->n_keys * sizeof *s->keys);
    const bool has_memory = dpl__shingle_set_reserve(&s->set, ctx, s->n_keys);
    return s->keys && has_memory ? DPL_OK : dpl__fail_nomem(err);
}

void dpl__set_scratch_clear(dpl__set_scratch *s, dpl_ctx *ctx)
{
    dpl__free(ctx, s->keys, s->n_keys * sizeof *s->keys);
    dpl__shingle_set_clear(&s->set, ctx);
    s->keys = NULL;
}

dpl_status dpl__sets_init(dpl__sets *sets, dpl_ctx *ctx, const dpl_collection *c, unsigned w,
                          dpl_error *err)
{
    assert(w > 0);
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(c);
    *sets = (dpl__sets){.ctx = ctx, .c = c, .w = w};
    for (uint32_t doc = 0; doc < sizes->n_docs; doc++) {
        size_t n;
        (void)dpl_collection_tokens(c, doc, &n);
        sets->longest = dpl__max(sets->longest, n);
    }
    sets->scratch = dpl__calloc(ctx, ctx->n_threads, sizeof *sets->scratch);
    if (!sets->scratch)
        return dpl__fail_nomem(err);
    for (unsigned i = 0; i < ctx->n_threads; i++)
        DPL_TRY(dpl__set_scratch_init(&sets->scratch[i], ctx, sets->longest, err));
    if (sizes->n_terms == 0 || sizes->n_terms > ctx->memory / 8 / sizeof *sets->term_keys)
        return DPL_OK;
    sets->term_keys = dpl__alloc(ctx, sizes->n_terms * sizeof *sets->term_keys);
    if (!sets->term_keys)
        return dpl__fail_nomem(err);
    return dpl__parallel_for(ctx, (sizes->n_terms + TERMS_PER_JOB - 1) / TERMS_PER_JOB, sets,
                             hash_terms, err);
}

void dpl__sets_clear(dpl__sets *sets)
{
    if (!sets->ctx)
        return;
    for (unsigned i = 0; sets->scratch && i < sets->ctx->n_threads; i++)
        dpl__set_scratch_clear(&sets->scratch[i], sets->ctx);
    dpl__free(sets->ctx, sets->scratch, sets->ctx->n_threads * sizeof *sets->scratch);
    if (sets->term_keys)
        dpl__free(sets->ctx, sets->term_keys,
                  dpl_collection_get_sizes(sets->c)->n_terms * sizeof *sets->term_keys);
    *sets = (dpl__sets){0};
}

/* ---- shingles ----------------------------------------------------------------------- */

const uint64_t *dpl__sets_shingles(const dpl__sets *sets, uint32_t doc, dpl__set_scratch *s,
                                   size_t *n)
{
    size_t n_tokens;
    const uint32_t *tokens = dpl_collection_tokens(sets->c, doc, &n_tokens);
    assert(n_tokens <= s->n_keys);
    const size_t w = dpl__min(sets->w, n_tokens);
    uint64_t h = 0, top = 1;
    for (size_t i = 0; i < w; i++) {
        h = h * DPL__SHINGLE_BASE + dpl__sets_term_key(sets, tokens[i]);
        top = i ? top * DPL__SHINGLE_BASE : top;
    }
    *n = 0;
    if (!n_tokens)
        return s->keys;
    s->keys[(*n)++] = dpl__shingle_key(h ^ w);
    for (size_t i = w; i < n_tokens; i++) {
        h = (h - dpl__sets_term_key(sets, tokens[i - w]) * top) * DPL__SHINGLE_BASE +
            dpl__sets_term_key(sets, tokens[i]);
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
