/*
 * pair_spool.c - blocks of pairs.
 */
#include "pairs/pair_spool.h"

#include "base/ctx.h"

dpl_status dpl__pair_reader_begin(dpl__pair_reader *reader, const dpl__spool *spool,
                                  dpl_error *err)
{
    *reader = (dpl__pair_reader){.spool = spool};
    reader->block = dpl__alloc(spool->spill->ctx, DPL__PAIR_BLOCK * sizeof *reader->block);
    return dpl__need(reader->block, err);
}

void dpl__pair_reader_end(dpl__pair_reader *reader)
{
    if (reader->spool)
        dpl__free(reader->spool->spill->ctx, reader->block);
    *reader = (dpl__pair_reader){0};
}

dpl_status dpl__pair_reader_fill(dpl__pair_reader *reader, dpl_error *err)
{
    uint64_t n_all = dpl__pairs_in(reader->spool), left = n_all - reader->n_read;
    if (left == 0)
        return DPL_END;
    size_t n = left < DPL__PAIR_BLOCK ? (size_t)left : DPL__PAIR_BLOCK;
    DPL_TRY(dpl__spool_read(reader->spool, reader->n_read * sizeof *reader->block,
                            reader->block, n * sizeof *reader->block, err));
    reader->n_read += n;
    reader->n = n;
    reader->at = 0;
    dpl_progress p = {"select", "pairs", reader->n_read, n_all};
    return dpl__progress(reader->spool->spill->ctx, &p, err);
}
