/*
 * merge.c - reads a sorted run of a spool through a window.
 */
#include "io/merge.h"

dpl_status dpl__run_fill(dpl__run *run, dpl_error *err)
{
    if (run->at < run->end || run->file_at == run->file_end)
        return DPL_OK;
    size_t n = run->n_window;
    assert(run->file && run->window && n > 0 && run->file_at < run->file_end);
    if (n > run->file_end - run->file_at)
        n = (size_t)(run->file_end - run->file_at);
    DPL_TRY(dpl__spool_read(run->file, run->file_at, run->window, n, err));
    run->file_at += n;
    run->at = run->window;
    run->end = run->at + n;
    return DPL_OK;
}
