/*
 * doc_numbers.c - which document as read is which as mined, by their ids.
 *
 * Both collections are in the same order and ids are unique in them, so one pass over both is
 * enough. Cost: 8 bytes for each document of a side from which documents were left out.
 */
#include "mine/doc_numbers.h"

#include "base/ctx.h"

static void match_ids(dpl__doc_numbers *n, const dpl_collection *mined)
{
    uint32_t at = 0;
    for (uint32_t doc = 0; doc < n->n_read; doc++) {
        const bool is_there =
            at < n->n_mined &&
            dpl__str_eq(dpl_collection_doc(n->read, doc).id, dpl_collection_doc(mined, at).id);
        n->as_mined[doc] = is_there ? at : DPL_MINE_NO_DOC;
        if (is_there)
            n->as_read[at++] = doc;
    }
    assert(at == n->n_mined);
}

dpl_status dpl__doc_numbers_init(dpl__doc_numbers *n, dpl_ctx *ctx, const dpl_collection *read,
                                 const dpl_collection *mined, dpl_error *err)
{
    *n = (dpl__doc_numbers){.read = read,
                            .n_read = dpl_collection_get_sizes(read)->n_docs,
                            .n_mined = dpl_collection_get_sizes(mined)->n_docs};
    n->as_mined = dpl__alloc(ctx, ((size_t)n->n_read + 1) * sizeof *n->as_mined);
    n->as_read = dpl__alloc(ctx, ((size_t)n->n_mined + 1) * sizeof *n->as_read);
    DPL_TRY(dpl__need(n->as_mined && n->as_read, err));
    match_ids(n, mined);
    return DPL_OK;
}

void dpl__doc_numbers_clear(dpl__doc_numbers *n, dpl_ctx *ctx)
{
    dpl__free(ctx, n->as_read, n->as_mined);
    dpl_collection_close(n->owned);
    *n = (dpl__doc_numbers){0};
}
