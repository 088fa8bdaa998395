/*
 * devices.c - the table of devices, and the operations of the one a context has.
 *
 * A new device is a row in `plugins` and a shared object. The CPU comes first and is always
 * there; `auto` takes the last device that can be used, and plugins are in rising order of
 * speed.
 */
#include "devices/compare.h"
#include "devices/device.h"

#include "base/ctx.h"

#include <pthread.h>

static const char *const plugins[] = {"cuda"};

static struct {
    const dpl_device_table *rows[1 + DPL_LEN(plugins)];
    size_t n;
} devices;

/* Loading is done once in a process: what was loaded cannot be unloaded safely. */
static void find_devices(void)
{
    devices.rows[devices.n++] = &dpl__cpu_device;
    for (size_t i = 0; i < DPL_LEN(plugins); i++) {
        const dpl_device_table *d = dpl__plugin_find(plugins[i]);
        if (d)
            devices.rows[devices.n++] = d;
    }
}

static void need_devices(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_devices);
}

bool dpl_device(size_t i, const char **name, const char **reason)
{
    need_devices();
    if (i >= devices.n)
        return false;
    *name = devices.rows[i]->name;
    if (reason)
        *reason = devices.rows[i]->why_not();
    return true;
}

dpl_status dpl__device_choose(const dpl_device_table **out, const char *name, dpl_error *err)
{
    *out = &dpl__cpu_device;
    if (name && strcmp(name, "cpu") == 0)
        return DPL_OK;
    need_devices();
    const bool is_auto = !name || strcmp(name, "auto") == 0;
    for (size_t i = devices.n; i--;) {
        const dpl_device_table *d = devices.rows[i];
        if (!is_auto && strcmp(name, d->name) != 0)
            continue;
        const char *reason = d->why_not();
        if (!reason) {
            *out = d;
            return DPL_OK;
        }
        if (!is_auto)
            return dpl__fail(err, DPL_E_UNSUPPORTED, "device '%s' cannot be used: %s", name,
                             reason);
    }
    for (size_t i = 0; i < DPL_LEN(plugins); i++)
        if (strcmp(name, plugins[i]) == 0)
            return dpl__fail(err, DPL_E_UNSUPPORTED,
                             "no device '%s': there is no 'libdoppel_%s.so' beside the library",
                             name, name);
    return dpl__fail(err, DPL_E_USAGE, "no device '%s'", name);
}

/* "auto" does not fail: there is the CPU. */
static const dpl_device_table *find_device(const dpl_ctx *ctx)
{
    const dpl_device_table *device = ctx->device;
    if (!device)
        (void)dpl__device_choose(&device, NULL, NULL);
    return device;
}

const char *dpl_ctx_device(const dpl_ctx *ctx)
{
    return find_device(ctx)->name;
}

const dpl_device_table *dpl__device_of(dpl_ctx *ctx)
{
    const dpl_device_table *device = find_device(ctx);
    for (; ctx && !ctx->device; ctx = ctx->parent)
        ctx->device = device;
    return device;
}

const char *dpl__device_used(const dpl_ctx *ctx)
{
    const dpl_device_table *device = ctx->device;
    return device ? device->name : dpl__cpu_device.name;
}

/* ---- operations ------------------------------------------------------------------------ */

static uint64_t memory_left(dpl_ctx *ctx)
{
    uint64_t used = dpl__ctx_used(ctx);
    return ctx->memory > used ? ctx->memory - used : 0;
}

static void *resize(dpl_ctx *ctx, void *p, size_t old_bytes, size_t new_bytes)
{
    (void)old_bytes;
    return dpl__resize(ctx, p, new_bytes);
}

static dpl_device_host host_of(dpl_ctx *ctx)
{
    return (dpl_device_host)DPL_INIT(dpl_device_host, .ctx = ctx, .memory_left = memory_left,
                                     .resize = resize, .progress = dpl__progress);
}

/* Returns from an operation: the device does it, or the CPU, where the device lacks it or says
 * that this task is not for it. */
#define ON_DEVICE(operation, on_cpu)                                                           \
    do {                                                                                       \
        const dpl_device_table *device_ = dpl__device_of(ctx);                                 \
        if (device_->operation) {                                                              \
            dpl_status status_ = device_->operation(&host, task, err);                         \
            if (status_ != DPL_E_UNSUPPORTED)                                                  \
                return status_;                                                                \
        }                                                                                      \
        return on_cpu(&host, task, err);                                                       \
    } while (0)

static dpl_status check_bits(const dpl_bit_rows *left, const dpl_bit_rows *right, bool is_self,
                             dpl_error *err)
{
    if (left->n_words != right->n_words || left->n_words == 0)
        return dpl__fail(err, DPL_E_USAGE, "rows of %u and %u words", left->n_words,
                         right->n_words);
    if (is_self && (left->n_rows != right->n_rows || left->words != right->words))
        return dpl__fail(err, DPL_E_USAGE, "a search within one set was given two");
    return DPL_OK;
}

dpl_status dpl__within(dpl_ctx *ctx, const dpl_within *task, dpl_error *err)
{
    DPL_TRY(check_bits(&task->left, &task->right, task->is_self, err));
    if (task->first_words > task->left.n_words)
        return dpl__fail(err, DPL_E_USAGE, "a first test of %u of %u words", task->first_words,
                         task->left.n_words);
    dpl_device_host host = host_of(ctx);
    ON_DEVICE(within, dpl__cpu_within);
}

dpl_status dpl__nearest(dpl_ctx *ctx, const dpl_nearest *task, dpl_error *err)
{
    DPL_TRY(check_bits(&task->left, &task->right, task->is_self, err));
    dpl_device_host host = host_of(ctx);
    ON_DEVICE(nearest, dpl__cpu_nearest);
}

dpl_status dpl__best(dpl_ctx *ctx, const dpl_best *task, dpl_error *err)
{
    DPL_TRY(check_bits(&task->left, &task->right, task->is_self, err));
    if (task->n_workers < ctx->n_threads)
        return dpl__fail(err, DPL_E_USAGE, "pairs of %u threads for %u takers", ctx->n_threads,
                         task->n_workers);
    dpl_device_host host = host_of(ctx);
    ON_DEVICE(best, dpl__cpu_best);
}

static dpl_status check_bytes(const dpl_bit_rows *left, dpl_error *err)
{
    enum { STEP = DPL__DOT8_DIMS / 8 };
    return left->n_words % STEP || left->n_words > 65536 / 8
               ? dpl__fail(err, DPL_E_USAGE, "rows of %u bytes", 8 * left->n_words)
               : DPL_OK;
}

dpl_status dpl__within_bytes(dpl_ctx *ctx, const dpl_within *task, dpl_error *err)
{
    DPL_TRY(check_bits(&task->left, &task->right, task->is_self, err));
    DPL_TRY(check_bytes(&task->left, err));
    dpl_device_host host = host_of(ctx);
    ON_DEVICE(within_bytes, dpl__cpu_within_bytes);
}

dpl_status dpl__best_bytes(dpl_ctx *ctx, const dpl_best *task, dpl_error *err)
{
    DPL_TRY(check_bits(&task->left, &task->right, task->is_self, err));
    DPL_TRY(check_bytes(&task->left, err));
    dpl_device_host host = host_of(ctx);
    ON_DEVICE(best_bytes, dpl__cpu_best_bytes);
}

static dpl_status check_dense(const dpl_number_rows *left, const dpl_number_rows *right,
                              bool is_self, dpl_error *err)
{
    if (left->dim != right->dim || left->dim == 0)
        return dpl__fail(err, DPL_E_USAGE, "rows of %u and %u numbers", left->dim, right->dim);
    if (is_self && (left->n_rows != right->n_rows || left->weights != right->weights))
        return dpl__fail(err, DPL_E_USAGE, "a search within one set was given two");
    return DPL_OK;
}

dpl_status dpl__dots_within(dpl_ctx *ctx, const dpl_dots_within *task, dpl_error *err)
{
    DPL_TRY(check_dense(&task->left, &task->right, task->is_self, err));
    const dpl_device_table *device = dpl__device_of(ctx);
    const dpl_device_host host = host_of(ctx);
    return device->dots_within ? device->dots_within(&host, task, err) : DPL_E_UNSUPPORTED;
}

dpl_status dpl__dots_nearest(dpl_ctx *ctx, const dpl_dots_nearest *task, dpl_error *err)
{
    DPL_TRY(check_dense(&task->left, &task->right, task->is_self, err));
    const dpl_device_table *device = dpl__device_of(ctx);
    const dpl_device_host host = host_of(ctx);
    return device->dots_nearest ? device->dots_nearest(&host, task, err) : DPL_E_UNSUPPORTED;
}
