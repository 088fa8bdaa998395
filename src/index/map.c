/*
 * map.c - opens an index from a file.
 */
#include "doppel/file.h"

#include "index/pocket.h"

dpl_status dpl_index_open(dpl_index **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_file *file = NULL;
    *out = NULL;
    DPL_TRY(dpl_file_open(&file, ctx, path, err));
    return dpl__index_from_file(out, ctx, file, true, err);
}
