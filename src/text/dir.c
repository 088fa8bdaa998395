#include "text/dir.h"
#include "text/reader.h"
dpl_status dpl__dir_list_open(dpl__dir_list *out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *out = (dpl__dir_list){0};
    (void)ctx;
    return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' is a directory", path);
}
void dpl__dir_list_close(dpl__dir_list *list) { if (list->arena.ctx) dpl__arena_clear(&list->arena); }
bool dpl__dir_is_ours(dpl_str path) { (void)path; return false; }
const dpl__format_ops dpl__format_dir = {.format = DPL_FORMAT_DIR};
