/*
 * text.c - the text of a document.
 *
 * Each text is a zstd frame of its own, so that one can be had without the others; a dictionary
 * of what they have in common makes up for their shortness. Or it is as it is: in an index for
 * a page, and where a frame would be no shorter, or shorter by more than a factor of
 * DPL__MOST_RATIO, so that what a file says of a text takes no more memory than its bytes
 * allow. In front of it are its length and its checksum: opening an index does not read texts.
 */
#include "base/ctx.h"
#include "index/pocket.h"
#include "kernels/kernels.h"
#include "unicode/unicode.h"

#include <stdatomic.h>
#include <zstd.h>

static dpl_status damaged(const dpl_index *x, dpl_error *err)
{
    return dpl__damaged(x->file, "text.bytes", "damaged text", err);
}

/* Contexts are kept: one that is made asks the processor what it can, which takes 10 us in a
 * virtual machine, more than to unpack a text. */
static dpl_status unpack(const dpl_index *x, const uint8_t *from, size_t n_from, char *to,
                         size_t n_to, dpl_error *err)
{
    ZSTD_DCtx *context = NULL;
    for (size_t i = 0; !context && i < DPL__CONTEXTS; i++)
        context = atomic_exchange(&x->contexts[i], NULL);
    context = context ? context : ZSTD_createDCtx();
    DPL_TRY(dpl__need(context, err));
    const size_t n = ZSTD_decompress_usingDDict(context, to, n_to, from, n_from, x->dictionary);
    for (size_t i = 0; context && i < DPL__CONTEXTS; i++)
        context = atomic_exchange(&x->contexts[i], context);
    ZSTD_freeDCtx(context);
    return ZSTD_isError(n) || n != n_to ? damaged(x, err) : DPL_OK;
}

dpl_status dpl_index_text(const dpl_index *x, uint32_t row, dpl_str *text, dpl_error *err)
{
    assert(row < x->n_docs);
    *text = (dpl_str){0};
    if (!(x->flags & DPL__F_TEXTS))
        return dpl__fail_code(err, DPL_E_UNSUPPORTED, "no-texts", "'%s' has no texts",
                              dpl_file_get_info(x->file).path);
    const uint8_t *p = x->text_bytes + dpl__offset(&x->texts, row),
                  *end = x->text_bytes + dpl__offset(&x->texts, row + 1);
    uint32_t n;
    if (!dpl__get_varint(&p, end, &n) || end - p < DPL__TEXT_SUM)
        return damaged(x, err);
    const uint32_t sum = dpl__load32(p);
    p += DPL__TEXT_SUM;
    const size_t n_from = (size_t)(end - p);
    const bool is_plain = n == n_from;
    if (!is_plain && (x->flags & DPL__F_PLAIN || n / DPL__MOST_RATIO > n_from))
        return damaged(x, err);
    char *to = dpl__alloc(x->ctx, (size_t)n + 1);
    DPL_TRY(dpl__need(to, err));
    dpl_status status = DPL_OK;
    if (is_plain)
        memcpy(to, p, n_from);
    else
        DPL__STEP(unpack(x, p, n_from, to, n, err));
    if (x->ctx->kernels->crc32c(0, to, n) != sum)
        DPL__STEP(dpl__damaged(x->file, "text.bytes", "checksum does not match", err));
    if (!dpl__is_utf8(x->ctx, (dpl_str){to, n}))
        DPL__STEP(damaged(x, err));
    to[n] = 0;
    *text = (dpl_str){to, n};
    to = NULL;
done:
    dpl__free(x->ctx, to);
    return status;
}

void dpl_index_free_text(const dpl_index *x, dpl_str text)
{
    if (text.data)
        dpl__free(x->ctx, (void *)(uintptr_t)text.data);
}
