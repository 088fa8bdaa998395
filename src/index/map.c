/*
 * map.c - opens an index from a file.
 */
#include "doppel/file.h"

#include "index/pocket.h"

static dpl_status map_file(dpl_file **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    const dpl_status status = dpl_file_open(out, ctx, path, err);
    if (status == DPL_E_FORMAT && err && strcmp(err->code, "not-a-collection") == 0)
        return dpl__code(err, status, "not-an-index");
    return status;
}

dpl_status dpl_index_open(dpl_index **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_file *file = NULL;
    *out = NULL;
    DPL_TRY(map_file(&file, ctx, path, err));
    return dpl__index_from_file(out, ctx, file, true, err);
}

dpl_status dpl__index_open_whole(dpl_index **out, dpl_ctx *ctx, const char *path,
                                 dpl_error *err)
{
    dpl_file *file = NULL;
    *out = NULL;
    DPL_TRY(map_file(&file, ctx, path, err));
    dpl_status status;
    DPL__STEP(dpl_file_check(file, err));
    return dpl__index_from_file(out, ctx, file, false, err);
done:
    dpl_file_close(file);
    return status;
}
