/*
 * sort_words.c - words in byte order, on all threads.
 */
#include "lexicon/sort_words.h"

#include "base/ctx.h"
#include "io/keysort.h"
#include "unicode/unicode.h"

/* Strings that are filled one after the other. */
typedef struct packing {
    uint64_t *offsets;
    char *bytes;
    size_t n, at;
} packing;

/* One byte more, so that there is always something to point to. */
static dpl_status begin_packing(packing *p, dpl_ctx *ctx, size_t n, size_t n_bytes,
                                dpl_error *err)
{
    *p = (packing){.offsets = dpl__alloc(ctx, (n + 1) * sizeof *p->offsets),
                   .bytes = dpl__alloc(ctx, n_bytes + 1)};
    if (p->offsets && p->bytes)
        return DPL_OK;
    dpl__free(ctx, p->bytes, p->offsets);
    return dpl__fail_nomem(err);
}

static void pack(packing *p, const char *data, size_t n)
{
    p->offsets[p->n++] = p->at;
    if (n)
        memcpy(p->bytes + p->at, data, n);
    p->at += n;
}

static dpl__strings end_packing(packing *p)
{
    p->offsets[p->n] = p->at;
    p->bytes[p->at] = 0;
    return (dpl__strings){p->offsets, p->bytes, p->n};
}

static dpl_status copy_words(dpl__strings *out, dpl_ctx *ctx, const dpl__key *words, size_t n,
                             dpl_error *err)
{
    assert(n <= UINT32_MAX);
    packing p;
    size_t n_bytes = 0;
    for (size_t i = 0; i < n; i++)
        n_bytes += words[i].n;
    DPL_TRY(begin_packing(&p, ctx, n, n_bytes, err));
    for (size_t i = 0; i < n; i++)
        pack(&p, words[i].data, words[i].n);
    *out = end_packing(&p);
    return DPL_OK;
}

/* words: as many again behind them. */
static dpl_status sort(dpl__strings *out, uint32_t *rank, dpl_ctx *ctx, dpl__key *words,
                       size_t n, dpl_error *err)
{
    DPL_TRY(dpl__sort_keys(ctx, words, words + n, n, err));
    for (size_t i = 0; i < n; i++)
        rank[words[i].index] = (uint32_t)i;
    return copy_words(out, ctx, words, n, err);
}

dpl_status dpl__words_sort(dpl__strings *out, uint32_t *rank, const dpl__terms *terms,
                           dpl_error *err)
{
    const size_t n = terms->all.n;
    dpl__key *words = dpl__alloc(terms->ctx, 2 * (n + 1) * sizeof *words);
    DPL_TRY(dpl__need(words, err));
    for (size_t i = 0; i < n; i++)
        words[i] = dpl__key_of(dpl__term_text(&terms->all.data[i]), (uint32_t)i);
    const dpl_status status = sort(out, rank, terms->ctx, words, n, err);
    dpl__free(terms->ctx, words);
    return status;
}

dpl_status dpl__texts_sort(dpl__strings *out, uint32_t *rank, dpl_ctx *ctx,
                           const dpl_str *texts, size_t n, dpl_error *err)
{
    dpl__key *words = dpl__alloc(ctx, 2 * (n + 1) * sizeof *words);
    DPL_TRY(dpl__need(words, err));
    for (size_t i = 0; i < n; i++)
        words[i] = dpl__key_of(texts[i], (uint32_t)i);
    const dpl_status status = sort(out, rank, ctx, words, n, err);
    dpl__free(ctx, words);
    return status;
}

bool dpl__has_control(dpl_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (dpl__break_at((const uint8_t *)text.data + i, text.n - i))
            return true;
    return false;
}

dpl_status dpl__words_pack(dpl__strings *out, dpl_ctx *ctx, const dpl_str *texts, size_t n,
                           dpl_error *err)
{
    packing p;
    size_t n_bytes = 0;
    for (size_t i = 0; i < n; i++)
        n_bytes += texts[i].n;
    DPL_TRY(begin_packing(&p, ctx, n, n_bytes, err));
    for (size_t i = 0; i < n; i++)
        pack(&p, texts[i].data, texts[i].n);
    *out = end_packing(&p);
    return DPL_OK;
}

void dpl__words_free(dpl__strings *words, dpl_ctx *ctx)
{
    if (words->offsets)
        dpl__free(ctx, (void *)(uintptr_t)words->bytes, (void *)(uintptr_t)words->offsets);
    *words = (dpl__strings){0};
}
