/*
 * fake_device.c - a device for the tests of the plugin loader: its dot products are all 42.
 */
#include "doppel/device.h"

static const char *why_not(void)
{
    return NULL;
}

static dpl_status dots(const dpl_device_host *host, const dpl_dots *task, dpl_error *err)
{
    (void)err;
    if (!host->memory_left(host->ctx))
        return DPL_E_LIMIT;
    for (size_t i = 0; i < task->n_pairs; i++)
        task->out[i] = 42;
    return DPL_OK;
}

DPL_API const dpl_device_table *dpl_device_entry(unsigned version);

const dpl_device_table *dpl_device_entry(unsigned version)
{
    static const dpl_device_table table =
        DPL_INIT(dpl_device_table, .version = DPL_DEVICE_VERSION, .name = "fake",
                 .why_not = why_not, .dots = dots);
    return version == DPL_DEVICE_VERSION ? &table : NULL;
}
