/*
 * measure.c - how far the reading of a file is.
 */
#include "eval/measure.h"

#include "base/ctx.h"

dpl_status dpl__measure_report(const dpl__lines *lines, dpl_error *err)
{
    if (lines->number % (1 << 14))
        return DPL_OK;
    dpl_progress p = {.stage = "eval",
                      .unit = "bytes",
                      .done = dpl__input_position(lines->in),
                      .total = dpl__input_size(lines->in)};
    return dpl__progress(lines->ctx, &p, err);
}
