/*
 * sort_words.c - words in byte order, on all threads.
 */
#include "lexicon/sort_words.h"

#include "base/ctx.h"
#include "io/keysort.h"
#include "unicode/unicode.h"

static dpl_status copy_words(dpl__strings *out, dpl_ctx *ctx, const dpl__key *words, size_t n,
                             dpl_error *err)
{
    assert(n <= UINT32_MAX);
    size_t n_bytes = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        n_bytes += words[i].n;
    /* One byte more, so that there is always something to point to. */
    uint64_t *offsets = dpl__alloc(ctx, (n + 1) * sizeof *offsets);
    char *bytes = dpl__alloc(ctx, n_bytes + 1);
    if (!offsets || !bytes) {
        dpl__free(ctx, offsets, (n + 1) * sizeof *offsets);
        dpl__free(ctx, bytes, n_bytes + 1);
        return dpl__fail_nomem(err);
    }
    for (size_t i = 0; i < n; at += words[i++].n) {
        offsets[i] = at;
        memcpy(bytes + at, words[i].data, words[i].n);
    }
    offsets[n] = at;
    bytes[at] = 0;
    *out = (dpl__strings){offsets, bytes, n};
    return DPL_OK;
}

dpl_status dpl__words_sort(dpl__strings *out, uint32_t *rank, const dpl__terms *terms,
                           dpl_error *err)
{
    const size_t n = terms->all.n, n_bytes = 2 * (n + 1) * sizeof(dpl__key);
    dpl__key *words = dpl__alloc(terms->ctx, n_bytes);
    if (!words)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        words[i] = dpl__key_of(dpl__term_text(&terms->all.data[i]), (uint32_t)i);
    dpl_status status;
    DPL__STEP(dpl__sort_keys(terms->ctx, words, words + n, n, err));
    for (size_t i = 0; i < n; i++)
        rank[words[i].index] = (uint32_t)i;
    status = copy_words(out, terms->ctx, words, n, err);
done:
    dpl__free(terms->ctx, words, n_bytes);
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
    size_t n_bytes = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        n_bytes += texts[i].n;
    uint64_t *offsets = dpl__alloc(ctx, (n + 1) * sizeof *offsets);
    char *bytes = dpl__alloc(ctx, n_bytes + 1);
    if (!offsets || !bytes) {
        dpl__free(ctx, bytes, bytes ? n_bytes + 1 : 0);
        dpl__free(ctx, offsets, offsets ? (n + 1) * sizeof *offsets : 0);
        return dpl__fail_nomem(err);
    }
    for (size_t i = 0; i < n; i++) {
        offsets[i] = at;
        if (texts[i].n)
            memcpy(bytes + at, texts[i].data, texts[i].n);
        at += texts[i].n;
    }
    offsets[n] = at;
    *out = (dpl__strings){offsets, bytes, n};
    return DPL_OK;
}

void dpl__words_free(dpl__strings *words, dpl_ctx *ctx)
{
    if (words->offsets) {
        dpl__free(ctx, (void *)(uintptr_t)words->bytes, (size_t)words->offsets[words->n] + 1);
        dpl__free(ctx, (void *)(uintptr_t)words->offsets, (words->n + 1) * sizeof(uint64_t));
    }
    *words = (dpl__strings){0};
}
