/*
 * engine.cuh - what an operation on the device works with: its processor, streams, memory.
 *
 * Inside, failures are exceptions; an operation of the table catches them at its end.
 */
#ifndef DPL_CUDA_ENGINE_CUH
#define DPL_CUDA_ENGINE_CUH

#include "compare.cuh"

#include "doppel/device.h"

#include <cuda_runtime.h>

namespace dpl
{

/* A dpl_status with its text; DPL_OK's is never thrown. */
struct failure {
    dpl_status status;
    char text[300];
    bool is_set; /* the error record is filled in already */
};

[[noreturn]] void fail(dpl_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Fails unless the call of CUDA succeeded. */
void check(cudaError_t e, const char *what);
/* Fails with a status of a function of the library, which filled in the error. */
void check(dpl_status status);

/* What the first device is. */
struct device_facts {
    int n_processors;
    int major, minor;
    size_t l2_bytes;
    bool has_hopper; /* compare_hopper.cu can be used */
};
const device_facts &facts();

/* Streams and small buffers of one operation; kept for the next one. */
struct engine {
    cudaStream_t stream, side;
    cudaEvent_t events[4];
    unsigned char *pinned; /* of main memory */
    uint32_t *numbers;     /* a few counters on the device, zero */
};
enum { PINNED = 16 << 20, N_COUNTERS = 64 };

/* Takes an engine for the time of an operation. */
class lease
{
  public:
    lease();
    ~lease();
    lease(const lease &) = delete;
    engine *operator->() const
    {
        return e;
    }
    engine *get() const
    {
        return e;
    }

  private:
    engine *e;
};

/* Bytes of device memory that an operation may take. */
uint64_t device_memory(const dpl_device_host *host);

/* Memory of the device, in the order of a stream. */
template <class T>
class buffer
{
  public:
    buffer() : p(nullptr), n(0), stream(nullptr)
    {
    }
    ~buffer()
    {
        clear();
    }
    buffer(const buffer &) = delete;
    void make(size_t n_wanted, cudaStream_t s)
    {
        clear();
        stream = s;
        check(cudaMallocAsync((void **)&p, (n_wanted ? n_wanted : 1) * sizeof(T), s),
              "memory of the device");
        n = n_wanted;
    }
    void clear()
    {
        if (p)
            cudaFreeAsync(p, stream);
        p = nullptr;
        n = 0;
    }
    operator T *() const
    {
        return p;
    }
    T *get() const
    {
        return p;
    }
    size_t size() const
    {
        return n;
    }

  private:
    T *p;
    size_t n;
    cudaStream_t stream;
};

/* Copies to and from the device, in the order of a stream: by a few threads through memory that
 * is not paged, several times as fast as one call. The first returns when all is under way, the
 * second when it is done. */
void send(void *to, const void *from, size_t n_bytes, cudaStream_t stream);
void fetch(void *to, const void *from, size_t n_bytes, cudaStream_t stream);

/* The kernel for rows of a kind on this device. */
compare_fn *compare_for(kind k);

/* Sorts 64-bit numbers by bits [first, end); the result is in `a` or `b`. */
uint64_t *sort_numbers(buffer<unsigned char> &scratch, uint64_t *a, uint64_t *b, size_t n,
                       int first, int end, cudaStream_t stream);

/* Waits for an event, and asks the library meanwhile whether to go on. */
void wait_for(const dpl_device_host *host, cudaEvent_t event, const dpl_progress *progress,
              dpl_error *err, uint32_t *stop, cudaStream_t side);

} // namespace dpl
#endif
