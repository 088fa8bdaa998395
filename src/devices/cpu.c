/*
 * cpu.c - the device that is always there.
 */
#include "devices/device.h"

static const char *why_not(void)
{
    return NULL;
}

const dpl_device_table dpl__cpu_device =
    DPL_INIT(dpl_device_table, .version = DPL_DEVICE_VERSION, .name = "cpu", .why_not = why_not,
             .within = dpl__cpu_within, .nearest = dpl__cpu_nearest, .best = dpl__cpu_best,
             .within_bytes = dpl__cpu_within_bytes, .best_bytes = dpl__cpu_best_bytes);
