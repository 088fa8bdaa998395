/*
 * gate.c - filters of the words and shingles of items, and a look at a document's words.
 *
 * Cost: a word that is in no item costs one look at its key, others two multiplications and a
 * look into a filter that fits into the second cache for some thousand items.
 */
#include "tokens/gate.h"

/* The slot of the key, or a free one. */
static uint64_t *find(const dpl__gate *g, uint64_t key)
{
    return dpl__shingle_set_find(&g->shingles, dpl__shingle_hash(NULL, &key), key);
}

dpl_status dpl__gate_init(dpl__gate *g, dpl_ctx *ctx, const dpl_collection *items, unsigned w,
                          dpl_error *err)
{
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(items);
    dpl__sets sets = {0};
    size_t n;
    *g = (dpl__gate){.ctx = ctx, .w = w};
    dpl_status status;
    DPL__STEP(dpl__sets_init(&sets, ctx, items, w, err));
    DPL__STEP(dpl__key_filter_init(&g->words, ctx, sizes->n_terms) &&
                      dpl__key_filter_init(&g->may_have, ctx, (size_t)sizes->n_tokens) &&
                      dpl__shingle_set_reserve(&g->shingles, ctx, (size_t)sizes->n_tokens + 1)
                  ? DPL_OK
                  : dpl__fail_nomem(err));
    for (uint32_t term = 0; term < sizes->n_terms; term++)
        dpl__key_filter_add(&g->words, dpl__sets_term_key(&sets, term));
    for (uint32_t doc = 0; doc < sizes->n_docs; doc++) {
        const uint64_t *keys = dpl__sets_shingles(&sets, doc, &sets.scratch[0], &n);
        for (size_t i = 0; i < n; i++) {
            dpl__key_filter_add(&g->may_have, keys[i]);
            uint64_t *at = find(g, keys[i]);
            g->shingles.n_used += !*at;
            *at = keys[i];
        }
    }
done:
    dpl__sets_clear(&sets);
    return status;
}

void dpl__gate_clear(dpl__gate *g)
{
    if (!g->ctx)
        return;
    if (g->words.bits)
        dpl__key_filter_clear(&g->words, g->ctx);
    if (g->may_have.bits)
        dpl__key_filter_clear(&g->may_have, g->ctx);
    dpl__shingle_set_clear(&g->shingles, g->ctx);
    *g = (dpl__gate){0};
}

uint64_t dpl__gate_word(const dpl__gate *g, dpl_str term)
{
    const uint64_t key = dpl__shingle_word(term);
    return dpl__key_filter_may_have(&g->words, key) ? key : 0;
}

bool dpl__gate_passes(const dpl__gate *g, const uint64_t *words, size_t n)
{
    const size_t w = dpl__min(g->w, n);
    uint64_t h = 0, top = 1;
    size_t run = 0; /* words of items so far, in a row */
    for (size_t i = 1; i < w; i++)
        top *= DPL__SHINGLE_BASE;
    for (size_t i = 0; i < n; i++) {
        if (!words[i]) {
            run = 0;
            h = 0;
            continue;
        }
        h = (run < w ? h : h - words[i - w] * top) * DPL__SHINGLE_BASE + words[i];
        const uint64_t key = dpl__shingle_key(h ^ w);
        if (++run >= w && dpl__key_filter_may_have(&g->may_have, key) && *find(g, key))
            return true;
    }
    return !n;
}
