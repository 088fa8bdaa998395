/*
 * engine.cu - errors, the device, streams, memory.
 */
#include "engine.cuh"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <mutex>
#include <thread>
#include <vector>

namespace dpl
{

void fail(dpl_status status, const char *format, ...)
{
    failure f = {status, {0}, false};
    va_list args;
    va_start(args, format);
    vsnprintf(f.text, sizeof f.text, format, args);
    va_end(args);
    throw f;
}

void check(cudaError_t e, const char *what)
{
    if (e == cudaSuccess)
        return;
    cudaGetLastError(); /* it is reported here, not by the next call */
    if (e == cudaErrorMemoryAllocation)
        fail(DPL_E_LIMIT, "the memory of device 'cuda' is too small: %s", what);
    fail(DPL_E_IO, "device 'cuda' failed: %s: %s", what, cudaGetErrorString(e));
}

void check(dpl_status status)
{
    if (status != DPL_OK)
        throw failure{status, {0}, true};
}

const device_facts &facts()
{
    static const device_facts known = [] {
        device_facts f = {};
        int device = 0, l2 = 0;
        check(cudaGetDevice(&device), "choice of the device");
        check(cudaDeviceGetAttribute(&f.n_processors, cudaDevAttrMultiProcessorCount, device),
              "its properties");
        check(cudaDeviceGetAttribute(&f.major, cudaDevAttrComputeCapabilityMajor, device),
              "its properties");
        check(cudaDeviceGetAttribute(&f.minor, cudaDevAttrComputeCapabilityMinor, device),
              "its properties");
        check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device), "its properties");
        f.l2_bytes = (size_t)l2;
        f.has_hopper = f.major == 9 && f.minor == 0;
#ifdef DPL_NO_HOPPER /* to test the other kernels on a device that has these */
        f.has_hopper = false;
#endif
        /* Freed memory stays with the process up to here: the next operation wants it again. */
        cudaMemPool_t pool;
        size_t n_free = 0, n_all = 0;
        check(cudaMemGetInfo(&n_free, &n_all), "its memory");
        uint64_t kept = n_all / 8;
        check(cudaDeviceGetDefaultMemPool(&pool, device), "its memory");
        check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
              "its memory");
        return f;
    }();
    return known;
}

/* ---- engines --------------------------------------------------------------------------- */

static std::mutex engines_lock;
static std::vector<engine *> idle;

static engine *new_engine()
{
    facts();
    engine *e = new engine();
    check(cudaStreamCreateWithFlags(&e->stream, cudaStreamNonBlocking), "streams");
    int least = 0, most = 0; /* what is short goes before the next long kernel */
    check(cudaDeviceGetStreamPriorityRange(&least, &most), "streams");
    check(cudaStreamCreateWithPriority(&e->side, cudaStreamNonBlocking, most), "streams");
    for (cudaEvent_t &event : e->events)
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "events");
    check(cudaMallocHost((void **)&e->pinned, PINNED), "main memory that is not paged");
    check(cudaMalloc((void **)&e->numbers, N_COUNTERS * sizeof *e->numbers), "memory");
    return e;
}

lease::lease() : e(nullptr)
{
    {
        std::lock_guard<std::mutex> hold(engines_lock);
        if (!idle.empty()) {
            e = idle.back();
            idle.pop_back();
        }
    }
    if (!e)
        e = new_engine();
    check(cudaMemsetAsync(e->numbers, 0, N_COUNTERS * sizeof *e->numbers, e->stream),
          "counters");
}

lease::~lease()
{
    cudaStreamSynchronize(e->stream);
    cudaStreamSynchronize(e->side);
    std::lock_guard<std::mutex> hold(engines_lock);
    idle.push_back(e);
}

uint64_t device_memory(const dpl_device_host *host)
{
    size_t n_free = 0, n_all = 0;
    check(cudaMemGetInfo(&n_free, &n_all), "its memory");
    cudaMemPool_t pool;
    uint64_t reserved = 0, used = 0;
    check(cudaDeviceGetDefaultMemPool(&pool, 0), "its memory");
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
    uint64_t n = (n_free + (reserved > used ? reserved - used : 0)) / 10 * 9;
    const bool has_limit =
        host->size >= offsetof(dpl_device_host, device_memory) + sizeof host->device_memory;
    if (has_limit && host->device_memory && host->device_memory < n)
        n = host->device_memory;
    return n;
}

/* ---- copies ------------------------------------------------------------------------------ */

enum {
    MOST_LANES = 8,       /* threads of a copy */
    PIECE = 4 << 20,      /* bytes; each thread has two in memory that is not paged */
    WORTH_LANES = 2 << 20 /* bytes, from which on it pays */
};

struct lane {
    unsigned char *pinned[2];
    cudaEvent_t events[2]; /* the piece's last copy */
};

static std::mutex lanes_lock; /* one copy at a time */
static std::vector<lane> lanes;

static void need_lanes()
{
    const unsigned n = std::thread::hardware_concurrency();
    const size_t wanted = n < 1 ? 1 : n > MOST_LANES ? (size_t)MOST_LANES : n;
    while (lanes.size() < wanted) {
        lane l = {};
        for (int i = 0; i < 2; i++) {
            check(cudaMallocHost((void **)&l.pinned[i], PIECE),
                  "main memory that is not paged");
            check(cudaEventCreateWithFlags(&l.events[i], cudaEventDisableTiming), "events");
        }
        lanes.push_back(l);
    }
}

/* Every n-th piece from the k-th on. */
static cudaError_t copy_lane(lane *l, size_t k, size_t n, unsigned char *to,
                             const unsigned char *from, size_t n_bytes, bool is_sent,
                             cudaStream_t stream)
{
    cudaError_t e = cudaSuccess;
    size_t before[2] = {0, 0}; /* where the bytes of a fetched piece belong, and how many */
    size_t n_before[2] = {0, 0};
    int which = 0;
    for (size_t at = k * PIECE; e == cudaSuccess; at += n * PIECE, which ^= 1) {
        e = cudaEventSynchronize(l->events[which]);
        if (n_before[which])
            memcpy(to + before[which], l->pinned[which], n_before[which]);
        n_before[which] = 0;
        if (e != cudaSuccess || (at >= n_bytes && !n_before[which ^ 1]))
            break;
        if (at >= n_bytes)
            continue;
        const size_t m = n_bytes - at < PIECE ? n_bytes - at : (size_t)PIECE;
        if (is_sent) {
            memcpy(l->pinned[which], from + at, m);
            e = cudaMemcpyAsync(to + at, l->pinned[which], m, cudaMemcpyHostToDevice, stream);
        } else {
            e = cudaMemcpyAsync(l->pinned[which], from + at, m, cudaMemcpyDeviceToHost, stream);
            before[which] = at;
            n_before[which] = m;
        }
        if (e == cudaSuccess)
            e = cudaEventRecord(l->events[which], stream);
    }
    return e;
}

static void copy(void *to, const void *from, size_t n_bytes, bool is_sent, cudaStream_t stream)
{
    if (n_bytes < WORTH_LANES) {
        check(cudaMemcpyAsync(to, from, n_bytes,
                              is_sent ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
                              stream),
              "a copy");
        if (!is_sent)
            check(cudaStreamSynchronize(stream), "a copy");
        return;
    }
    std::lock_guard<std::mutex> hold(lanes_lock);
    need_lanes();
    int device = 0;
    check(cudaGetDevice(&device), "choice of the device");
    const size_t n_pieces = (n_bytes + PIECE - 1) / PIECE;
    const size_t n = n_pieces < lanes.size() ? n_pieces : lanes.size();
    std::vector<cudaError_t> errors(n, cudaSuccess);
    std::vector<std::thread> threads;
    auto run = [&](size_t k) {
        errors[k] = cudaSetDevice(device);
        if (errors[k] == cudaSuccess)
            errors[k] = copy_lane(&lanes[k], k, n, (unsigned char *)to,
                                  (const unsigned char *)from, n_bytes, is_sent, stream);
    };
    for (size_t k = 1; k < n; k++)
        threads.emplace_back(run, k);
    run(0);
    for (std::thread &t : threads)
        t.join();
    for (cudaError_t e : errors)
        check(e, "a copy");
}

void send(void *to, const void *from, size_t n_bytes, cudaStream_t stream)
{
    copy(to, from, n_bytes, true, stream);
}

void fetch(void *to, const void *from, size_t n_bytes, cudaStream_t stream)
{
    copy(to, from, n_bytes, false, stream);
}

compare_fn *compare_for(kind k)
{
    const bool hopper = facts().has_hopper;
    switch (k) {
    case BITS: return hopper ? compare_bits_hopper : compare_bits_mma;
    case BYTES: return hopper ? compare_bytes_hopper : compare_bytes_mma;
    case HALVES: return hopper ? compare_halves_hopper : compare_halves_mma;
    }
    return nullptr;
}

static double now()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void wait_for(const dpl_device_host *host, cudaEvent_t event, const dpl_progress *progress,
              dpl_error *err, uint32_t *stop, cudaStream_t side)
{
    cudaError_t e;
    double last = now();
    while ((e = cudaEventQuery(event)) == cudaErrorNotReady) {
        if (now() - last < 0.05) {
            if (now() - last > 0.002) {
                struct timespec some = {0, 100000};
                nanosleep(&some, nullptr);
            }
            continue;
        }
        last = now();
        const dpl_status status = host->progress(host->ctx, progress, err);
        if (status != DPL_OK) {
            cudaMemsetAsync(stop, 1, sizeof *stop, side);
            cudaEventSynchronize(event);
            check(status);
        }
    }
    check(e, "a kernel");
}

} // namespace dpl
