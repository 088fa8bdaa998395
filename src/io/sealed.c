/*
 * sealed.c - reads a text file of ours and its checksum.
 */
#include "io/sealed.h"

#include "base/ctx.h"
#include "io/lines.h"
#include "kernels/kernels.h"

#include <stdio.h>

bool dpl__is_seal(dpl_str line)
{
    return line.n == DPL__SEAL - 1 && memcmp(line.data, "crc32c\t", 7) == 0;
}

dpl_status dpl__check_seal(dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl__lines lines = {0};
    dpl_str line;
    uint32_t sum = 0;
    bool is_sealed = false;
    char want[DPL__SEAL + 1] = "";
    DPL_TRY(dpl__lines_open(&lines, ctx, path, err));
    dpl_status status;
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        snprintf(want, sizeof want, "crc32c\t%08x", sum);
        is_sealed = dpl__is_seal(line) && memcmp(line.data, want, line.n) == 0;
        sum = ctx->kernels->crc32c(sum, line.data, line.n);
        sum = ctx->kernels->crc32c(sum, "\n", 1);
    }
    dpl__lines_close(&lines);
    if (status != DPL_END)
        return status;
    return is_sealed ? DPL_OK
                     : dpl__fail(err, DPL_E_FORMAT, "'%s': checksum does not match", path);
}
