/*
 * plugin.cu - the device table of libdoppel_cuda.so, and why a machine cannot use it.
 */
#include "operations.cuh"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <new>

namespace dpl
{

enum { LEAST_MAJOR = 8 };
static const size_t LEAST_MEMORY = (size_t)512 << 20;

/* The reason, in text; nullptr when there is none. */
static const char *reason_of(char (&text)[200])
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!driver)
        return "there is no NVIDIA driver ('libcuda.so.1')";
    dlclose(driver);
    int n = 0, version = 0;
    cudaError_t e = cudaGetDeviceCount(&n);
    if (e == cudaErrorInsufficientDriver) {
        cudaDriverGetVersion(&version);
        snprintf(text, sizeof text, "the NVIDIA driver is for CUDA %d.%d, %d.%d is needed",
                 version / 1000, version % 1000 / 10, CUDART_VERSION / 1000,
                 CUDART_VERSION % 1000 / 10);
        return text;
    }
    if (e == cudaErrorNoDevice || (e == cudaSuccess && n == 0))
        return "there is no NVIDIA device";
    int major = 0, minor = 0;
    size_t n_free = 0, n_all = 0;
    if (e == cudaSuccess)
        e = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    if (e == cudaSuccess)
        e = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    if (e == cudaSuccess && major < LEAST_MAJOR) {
        snprintf(text, sizeof text, "its compute capability is %d.%d, %d.0 is needed", major,
                 minor, (int)LEAST_MAJOR);
        return text;
    }
    if (e == cudaSuccess)
        e = cudaMemGetInfo(&n_free, &n_all);
    if (e != cudaSuccess) {
        snprintf(text, sizeof text, "CUDA says: %s", cudaGetErrorString(e));
        return text;
    }
    if (n_free < LEAST_MEMORY) {
        snprintf(text, sizeof text, "%zu MiB of its memory are free, %zu are needed",
                 n_free >> 20, LEAST_MEMORY >> 20);
        return text;
    }
    return nullptr;
}

static const char *why_not()
{
    static std::once_flag once;
    static char text[200];
    static const char *reason;
    std::call_once(once, [] { reason = reason_of(text); });
    return reason;
}

/* Runs an operation: what it throws becomes a status. */
template <class TASK>
static dpl_status run(void (*operation)(const dpl_device_host *, const TASK *, dpl_error *),
                      const dpl_device_host *host, const TASK *task, dpl_error *err)
{
    failure f = {DPL_OK, {0}, true};
    try {
        operation(host, task, err);
    } catch (const failure &caught) {
        f = caught;
    } catch (const std::bad_alloc &) {
        f = {DPL_E_NOMEM, "no memory", false};
    }
    if (!f.is_set && err) {
        memset(err, 0, sizeof *err);
        err->status = f.status;
        snprintf(err->text, sizeof err->text, "%s", f.text);
    }
    return f.status;
}

static dpl_status run_within(const dpl_device_host *host, const dpl_within *task,
                             dpl_error *err)
{
    return run(within, host, task, err);
}

static dpl_status run_within_bytes(const dpl_device_host *host, const dpl_within *task,
                                   dpl_error *err)
{
    return run(within_bytes, host, task, err);
}

static dpl_status run_best(const dpl_device_host *host, const dpl_best *task, dpl_error *err)
{
    return run(best, host, task, err);
}

static dpl_status run_best_bytes(const dpl_device_host *host, const dpl_best *task,
                                 dpl_error *err)
{
    return run(best_bytes, host, task, err);
}

static dpl_status run_nearest(const dpl_device_host *host, const dpl_nearest *task,
                              dpl_error *err)
{
    return run(nearest, host, task, err);
}

static dpl_status run_dots_within(const dpl_device_host *host, const dpl_dots_within *task,
                                  dpl_error *err)
{
    return run(dots_within, host, task, err);
}

static dpl_status run_dots_nearest(const dpl_device_host *host, const dpl_dots_nearest *task,
                                   dpl_error *err)
{
    return run(dots_nearest, host, task, err);
}

static dpl_device_table make_table()
{
    dpl_device_table t = DPL_INIT(dpl_device_table);
    t.version = DPL_DEVICE_VERSION;
    t.name = "cuda";
    t.why_not = why_not;
    t.within = run_within;
    t.nearest = run_nearest;
    t.best = run_best;
    t.within_bytes = run_within_bytes;
    t.best_bytes = run_best_bytes;
    t.dots_within = run_dots_within;
    t.dots_nearest = run_dots_nearest;
    return t;
}

} // namespace dpl

extern "C" DPL_API const dpl_device_table *dpl_device_entry(unsigned version)
{
    static const dpl_device_table table = dpl::make_table();
    return version == DPL_DEVICE_VERSION ? &table : nullptr;
}
