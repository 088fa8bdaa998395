/*
 * device.h - operations on the context's device.
 */
#ifndef DPL_DEVICES_DEVICE_H
#define DPL_DEVICES_DEVICE_H

#include "doppel/device.h"

#include "base/base.h"

/* Of two sets, or within one. */
static inline uint64_t dpl__count_pairs(uint64_t n_left, uint64_t n_right, bool is_self)
{
    return is_self ? n_left * (n_left - (n_left > 0)) / 2 : n_left * n_right;
}

/* Checks the task, and runs it on the context's device, or on the CPU where that lacks the
 * operation. */
dpl_status dpl__within(dpl_ctx *ctx, const dpl_within *task, dpl_error *err);
dpl_status dpl__nearest(dpl_ctx *ctx, const dpl_nearest *task, dpl_error *err);
dpl_status dpl__best(dpl_ctx *ctx, const dpl_best *task, dpl_error *err);
/* The same for rows of signed bytes (rp8), by dpl__dot8_distance; there is no early test. */
dpl_status dpl__within_bytes(dpl_ctx *ctx, const dpl_within *task, dpl_error *err);
dpl_status dpl__best_bytes(dpl_ctx *ctx, const dpl_best *task, dpl_error *err);
/* DPL_E_UNSUPPORTED, before anything was found, where the device lacks it, as the CPU does. */
dpl_status dpl__dots_within(dpl_ctx *ctx, const dpl_dots_within *task, dpl_error *err);
dpl_status dpl__dots_nearest(dpl_ctx *ctx, const dpl_dots_nearest *task, dpl_error *err);

/* cpu.c: the specification of all devices. */
extern const dpl_device_table dpl__cpu_device;

dpl_status dpl__cpu_within(const dpl_device_host *host, const dpl_within *task, dpl_error *err);
dpl_status dpl__cpu_within_bytes(const dpl_device_host *host, const dpl_within *task,
                                 dpl_error *err);
dpl_status dpl__cpu_best_bytes(const dpl_device_host *host, const dpl_best *task,
                               dpl_error *err);
dpl_status dpl__cpu_nearest(const dpl_device_host *host, const dpl_nearest *task,
                            dpl_error *err);
dpl_status dpl__cpu_best(const dpl_device_host *host, const dpl_best *task, dpl_error *err);

/* devices.c: the device of that name; NULL or "auto": the best one that this machine can use.
 * DPL_E_UNSUPPORTED when there is none, or it cannot be used. */
dpl_status dpl__device_choose(const dpl_device_table **out, const char *name, dpl_error *err);
/* The context's device. "auto" is chosen here, when an operation needs it: a plugin takes
 * tenths of a second to begin. */
const dpl_device_table *dpl__device_of(dpl_ctx *ctx);
/* The name of the one that computed so far. */
const char *dpl__device_used(const dpl_ctx *ctx);

/* plugin.c: loads the plugin at that path, for good. NULL when there is no such file; otherwise
 * a table, with a why_not that says what is wrong with the plugin, if something is. */
const dpl_device_table *dpl__plugin_load(const char *path, const char *name);
/* As above, from where plugins of that name are looked for. */
const dpl_device_table *dpl__plugin_find(const char *name);

#endif
