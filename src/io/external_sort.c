/*
 * external_sort.c - sorted runs in a temporary file, and windows to read them through.
 */
#include "io/external_sort.h"

enum { WRITE_BUFFER = 1 << 16 };

void dpl__runs_init(dpl__runs *r, dpl__spill *spill, size_t n_record, size_t share)
{
    assert(n_record > 0);
    *r = (dpl__runs){.spill = spill, .n_record = n_record, .share = share};
    dpl__spool_init(&r->file, spill, dpl__min(WRITE_BUFFER, share / 8));
}

void dpl__runs_close(dpl__runs *r)
{
    dpl_ctx *ctx = r->spill->ctx;
    dpl__free(ctx, r->windows, r->merge.heap, r->sources);
    r->sources = NULL;
    r->windows = NULL;
    r->n_sources = 0;
    r->merge = (dpl__merge){0};
}

void dpl__runs_clear(dpl__runs *r)
{
    if (!r->spill)
        return;
    dpl__runs_close(r);
    dpl__vec_clear(r->spill->ctx, &r->ends);
    dpl__spool_clear(&r->file);
    r->spill = NULL;
}

dpl_status dpl__runs_append(dpl__runs *r, const void *records, size_t n, dpl_error *err)
{
    assert(!r->sources);
    return dpl__spool_append(&r->file, records, n * r->n_record, err);
}

dpl_status dpl__runs_end_run(dpl__runs *r, dpl_error *err)
{
    const uint64_t end = dpl__spool_size(&r->file);
    assert(end % r->n_record == 0);
    return dpl__need(dpl__vec_push(r->spill->ctx, &r->ends, end), err);
}

static dpl_status take_memory(dpl__runs *r, size_t window, dpl_error *err)
{
    dpl_ctx *ctx = r->spill->ctx;
    const size_t n = r->ends.n + 1;
    r->sources = dpl__calloc(ctx, n, sizeof *r->sources);
    DPL_TRY(dpl__need(r->sources, err));
    r->n_sources = n;
    r->merge.heap = dpl__calloc(ctx, n, sizeof *r->merge.heap);
    DPL_TRY(dpl__need(r->merge.heap, err));
    if (!r->ends.n)
        return DPL_OK;
    r->windows = dpl__alloc(ctx, r->ends.n * window);
    return dpl__need(r->windows, err);
}

dpl_status dpl__runs_open(dpl__runs *r, const void *held, size_t n, dpl_error *err)
{
    const size_t window = dpl__max(r->share / (r->ends.n + 1) / r->n_record, 1) * r->n_record;
    assert(!r->ends.n || r->ends.data[r->ends.n - 1] == dpl__spool_size(&r->file));
    dpl__runs_close(r);
    DPL_TRY(take_memory(r, window, err));
    for (size_t i = 0; i < r->ends.n; i++)
        r->sources[i] = (dpl__run){.file = &r->file,
                                   .file_at = i ? r->ends.data[i - 1] : 0,
                                   .file_end = r->ends.data[i],
                                   .window = r->windows + i * window,
                                   .n_window = window};
    if (n)
        r->sources[r->ends.n] =
            (dpl__run){.at = held, .end = (const char *)held + n * r->n_record};
    for (size_t i = 0; i < r->n_sources; i++) {
        DPL_TRY(dpl__run_fill(&r->sources[i], err));
        dpl__merge_add(&r->merge, &r->sources[i], dpl__run_has_one(&r->sources[i]));
    }
    return DPL_OK;
}
