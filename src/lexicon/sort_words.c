/*
 * sort_words.c - sorts words by their first eight bytes as one number, then by the rest.
 */
#include "lexicon/sort_words.h"

#include "text/unicode.h"

#include <stdlib.h>

typedef struct word {
    uint64_t head; /* the first bytes, as a number of the same order */
    dpl_str text;
    uint32_t number;
} word;

static uint64_t head_of(dpl_str s)
{
    uint64_t head = 0;
    for (size_t i = 0; i < 8; i++)
        head = head << 8 | (i < s.n ? (unsigned char)s.data[i] : 0);
    return head;
}

static int by_text(const void *a, const void *b)
{
    const word *x = a, *y = b;
    return x->head != y->head ? (x->head > y->head ? 1 : -1) : dpl__str_cmp(x->text, y->text);
}

static dpl_status copy_words(dpl__strings *out, dpl_ctx *ctx, const word *words, size_t n,
                             dpl_error *err)
{
    size_t n_bytes = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        n_bytes += words[i].text.n;
    /* One byte more, so that there is always something to point to. */
    uint64_t *offsets = dpl__alloc(ctx, (n + 1) * sizeof *offsets);
    char *bytes = dpl__alloc(ctx, n_bytes + 1);
    if (!offsets || !bytes) {
        dpl__free(ctx, offsets, (n + 1) * sizeof *offsets);
        dpl__free(ctx, bytes, n_bytes + 1);
        return dpl__fail_nomem(err);
    }
    for (size_t i = 0; i < n; at += words[i++].text.n) {
        offsets[i] = at;
        memcpy(bytes + at, words[i].text.data, words[i].text.n);
    }
    offsets[n] = at;
    bytes[at] = 0;
    *out = (dpl__strings){offsets, bytes, n};
    return DPL_OK;
}

dpl_status dpl__words_sort(dpl__strings *out, uint32_t *rank, const dpl__terms *terms,
                           dpl_error *err)
{
    size_t n = terms->all.n;
    word *words = dpl__alloc(terms->ctx, (n + 1) * sizeof *words);
    if (!words)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        dpl_str text = dpl__term_text(&terms->all.data[i]);
        words[i] = (word){head_of(text), text, (uint32_t)i};
    }
    qsort(words, n, sizeof *words, by_text);
    for (size_t i = 0; i < n; i++)
        rank[words[i].number] = (uint32_t)i;
    dpl_status status = copy_words(out, terms->ctx, words, n, err);
    dpl__free(terms->ctx, words, (n + 1) * sizeof *words);
    return status;
}

bool dpl__has_control(dpl_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (dpl__break_at((const uint8_t *)text.data + i, text.n - i))
            return true;
    return false;
}

void dpl__words_free(dpl__strings *words, dpl_ctx *ctx)
{
    if (words->offsets) {
        dpl__free(ctx, (void *)(uintptr_t)words->bytes, (size_t)words->offsets[words->n] + 1);
        dpl__free(ctx, (void *)(uintptr_t)words->offsets, (words->n + 1) * sizeof(uint64_t));
    }
    *words = (dpl__strings){0};
}
