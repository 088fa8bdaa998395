/*
 * map.c - opens an index from a file.
 */
#include "doppel/file.h"

#include "index/pocket.h"

dpl_status dpl_index_open(dpl_index **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_file *file = NULL;
    *out = NULL;
    const dpl_status status = dpl_file_open(&file, ctx, path, err);
    if (status == DPL_E_FORMAT && err && strcmp(err->code, "not-a-collection") == 0)
        return dpl__code(err, status, "not-an-index");
    DPL_TRY(status);
    return dpl__index_from_file(out, ctx, file, true, err);
}
