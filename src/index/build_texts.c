/*
 * build_texts.c - texts, each compressed by itself with a dictionary of all.
 *
 * The dictionary is trained on texts that are spread evenly over the documents. Compression is
 * on all threads; the bytes depend on the version of zstd, not on the threads.
 */
#include "index/build.h"

#include "base/ctx.h"
#include "kernels/kernels.h"

#include <zdict.h>
#include <zstd.h>

enum { DICTIONARY = 64 << 10, SAMPLES = 8 << 20, LEVEL = 9, LEAST_DOCS = 50 };

typedef DPL_VEC(size_t) size_list;

typedef struct texts_pass {
    dpl__builder *b;
    dpl__offsets_writer offsets;
    ZSTD_CDict *dictionary;
} texts_pass;

/* What a document's text is borrowed from, or owned by. */
static dpl_status text_of(const dpl__builder *b, uint32_t doc, dpl_str *text, bool *is_own,
                          dpl_error *err)
{
    uint32_t local;
    const dpl__pocket_source *s = dpl__build_source_of(b, doc, &local);
    *is_own = s->index != NULL;
    if (s->index)
        return dpl_index_text(s->index, local, text, err);
    *text = dpl_collection_doc(s->collection, local).text;
    return DPL_OK;
}

static void free_text(const dpl__builder *b, uint32_t doc, dpl_str text, bool is_own)
{
    uint32_t local;
    if (is_own)
        dpl_index_free_text(dpl__build_source_of(b, doc, &local)->index, text);
}

/* ---- dictionary --------------------------------------------------------------------- */

static dpl_status take_samples(dpl__builder *b, dpl__bytes *bytes, size_list *sizes,
                               dpl_error *err)
{
    enum { MOST = 16 << 10 };
    const uint32_t step = b->n_docs / 4096 + 1;
    dpl_status status = DPL_OK;
    for (uint32_t doc = 0; doc < b->n_docs && status == DPL_OK && bytes->n < SAMPLES;
         doc += step) {
        dpl_str text = {0};
        bool is_own = false;
        status = text_of(b, doc, &text, &is_own, err);
        const size_t n = dpl__min(text.n, MOST);
        if (status == DPL_OK && n &&
            (!dpl__vec_append(b->ctx, bytes, text.data, n) || !dpl__vec_push(b->ctx, sizes, n)))
            status = dpl__fail_nomem(err);
        free_text(b, doc, text, is_own);
    }
    return status;
}

static dpl_status make_dictionary(dpl__builder *b, texts_pass *p, dpl_error *err)
{
    dpl__bytes bytes = {0};
    size_list sizes = {0};
    char *dictionary = dpl__alloc(b->ctx, DICTIONARY);
    size_t n = 0;
    dpl_status status =
        dictionary ? take_samples(b, &bytes, &sizes, err) : dpl__fail_nomem(err);
    if (status != DPL_OK)
        goto done;
    if (sizes.n >= LEAST_DOCS) {
        const size_t most = dpl__min(DICTIONARY, bytes.n / 10 + 256);
        n = ZDICT_trainFromBuffer(dictionary, most, bytes.data, sizes.data, (unsigned)sizes.n);
        n = ZDICT_isError(n) ? 0 : n; /* too little in common: without */
    }
    p->dictionary = ZSTD_createCDict(dictionary, n, LEVEL);
    status = p->dictionary
                 ? dpl__writer_add(b->writer, "text.dictionary", 1, dictionary, n, err)
                 : dpl__fail_nomem(err);
done:
    dpl__free(b->ctx, dictionary);
    dpl__vec_clear(b->ctx, &bytes, &sizes);
    return status;
}

/* ---- texts -------------------------------------------------------------------------- */

/* Appends a frame; leaves out as it was where the text is better stored as it is. */
static dpl_status compress(const texts_pass *p, dpl_str text, dpl__bytes *out, bool *is_done,
                           dpl_error *err)
{
    const size_t room = ZSTD_compressBound(text.n);
    ZSTD_CCtx *cctx = ZSTD_createCCtx();
    size_t n = 0;
    const bool has_memory = cctx && dpl__vec_reserve(p->b->ctx, out, room);
    if (has_memory)
        n = ZSTD_compress_usingCDict(cctx, out->data + out->n, room, text.data, text.n,
                                     p->dictionary);
    ZSTD_freeCCtx(cctx);
    if (!has_memory || ZSTD_isError(n))
        return dpl__fail_nomem(err);
    *is_done = n < text.n && text.n / DPL__MOST_RATIO <= n;
    out->n += *is_done ? n : 0;
    return DPL_OK;
}

static dpl_status pack(const texts_pass *p, dpl_str text, dpl__bytes *out, dpl_error *err)
{
    dpl_ctx *ctx = p->b->ctx;
    uint8_t head[16];
    const size_t n_head = dpl__put_varint(head, (uint32_t)text.n);
    const uint32_t sum = ctx->kernels->crc32c(0, text.data, text.n);
    memcpy(head + n_head, &sum, DPL__TEXT_SUM);
    DPL_TRY(
        dpl__need(dpl__vec_append(ctx, out, (const char *)head, n_head + DPL__TEXT_SUM), err));
    bool is_done = false;
    if (!p->b->is_plain)
        DPL_TRY(compress(p, text, out, &is_done, err));
    return is_done || dpl__vec_append(ctx, out, text.data, text.n) ? DPL_OK
                                                                   : dpl__fail_nomem(err);
}

static dpl_status make_text(void *user, uint32_t doc, dpl__row_scratch *s, dpl__bytes *out,
                            dpl_error *err)
{
    const texts_pass *p = user;
    dpl_str text = {0};
    bool is_own = false;
    (void)s;
    DPL_TRY(text_of(p->b, doc, &text, &is_own, err));
    dpl_status status = pack(p, text, out, err);
    free_text(p->b, doc, text, is_own);
    return status;
}

static dpl_status take_text(void *user, uint32_t doc, const char *bytes, size_t n,
                            dpl_error *err)
{
    texts_pass *p = user;
    (void)doc;
    DPL_TRY(dpl__writer_append(p->b->writer, bytes, n, err));
    return dpl__offsets_add(&p->offsets, n, err);
}

dpl_status dpl__build_texts(dpl__builder *b, dpl_error *err)
{
    texts_pass p = {.b = b, .offsets = {.ctx = b->ctx}};
    const dpl__doc_walk walk = {&p, "texts", make_text, take_text};
    dpl_status status;
    DPL__STEP(b->is_plain ? DPL_OK : make_dictionary(b, &p, err));
    DPL__STEP(dpl__build_walk_section(b, &walk, "text", 0, &p.offsets, err));
done:
    ZSTD_freeCDict(p.dictionary);
    dpl__offsets_clear(&p.offsets);
    return status;
}
