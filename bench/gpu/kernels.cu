// kernels.cu - times of the comparison kernels alone, beside the instruction rate of the same
// run.
//
//     kernels [SECONDS]      a table: job, milliseconds (median), bit products per second,
//     share
#include "../../src/cuda/hopper.cuh"
#include "../../src/cuda/rows.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace dpl;

static bool is_short;

static double median(std::vector<float> v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

template <class F>
static double time_of(F f, int n)
{
    cudaEvent_t a, b;
    check(cudaEventCreate(&a), "event");
    check(cudaEventCreate(&b), "event");
    std::vector<float> all;
    f();
    for (int i = 0; i < n; i++) {
        float ms;
        check(cudaEventRecord(a), "event");
        f();
        check(cudaEventRecord(b), "event");
        check(cudaEventSynchronize(b), "run");
        check(cudaEventElapsedTime(&ms, a, b), "event");
        all.push_back(ms);
    }
    return median(all);
}

/* ---- rate of the instruction --------------------------------------------------------- */

template <kind K>
static __global__ void __launch_bounds__(256, 1) rate(int *out, int n, const uint4 *from)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    extern __shared__ __align__(1024) unsigned char raw[];
    unsigned char *sm = (unsigned char *)(((uintptr_t)raw + 1023) & ~(uintptr_t)1023);
    for (int i = threadIdx.x; i < 4 * SLICE / 16; i += blockDim.x)
        ((uint4 *)sm)[i] = from[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const uint32_t base = shared_address(sm);
    const int group = threadIdx.x / 128;
    typename kind_of<K>::sum a[64] = {}, b[64] = {};
    const uint64_t first = operand(base + group * SLICE), other = first + SLICE / 2 / 16;
    for (int i = 0; i < n; i++) {
        const uint64_t tile = operand(base + (2 + i % 2) * SLICE);
        wgmma_fence();
#pragma unroll
        for (int k = 0; k < STEPS; k++)
            wgmma<K>(a, first + 2 * k, tile + 2 * k, 1);
        wgmma_commit();
#pragma unroll
        for (int k = 0; k < STEPS; k++)
            wgmma<K>(b, other + 2 * k, tile + 2 * k, 1);
        wgmma_commit();
        wgmma_wait<1>();
    }
    wgmma_wait<0>();
    typename kind_of<K>::sum s = 0;
#pragma unroll
    for (int i = 0; i < 64; i++)
        s += a[i] + b[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = (int)s;
#endif
}

/* Products per second of bits, bytes or halves. */
template <kind K>
static double peak(bool is_random)
{
    const int n = 40000, shared = 4 * SLICE + 1024, n_sm = facts().n_processors;
    std::vector<uint32_t> random(4 * SLICE / 4);
    uint64_t x = 1;
    for (uint32_t &r : random) {
        x = x * 6364136223846793005ull + 1442695040888963407ull;
        r = is_random ? (uint32_t)(x >> 32) : 0;
        if (K == HALVES && is_random)
            r = (r & 0x83FF83FFu) | 0x28002800u; /* about 0.04 */
    }
    buffer<int> out;
    buffer<uint4> from;
    out.make(n_sm * 256, 0);
    from.make(4 * SLICE / 16, 0);
    check(cudaMemcpy(from, random.data(), 4 * SLICE, cudaMemcpyHostToDevice), "copy");
    check(cudaFuncSetAttribute(rate<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
          "shared");
    const double ms = time_of([&] { rate<K><<<n_sm, 256, shared>>>(out, n, from); }, 7);
    check(cudaGetLastError(), "rate");
    const double products = 64.0 * 128 * 32 * (K == BITS ? 8 : K == BYTES ? 1 : 0.5);
    return n_sm * 2.0 * 2 * STEPS * n * products / (ms * 1e-3);
}

/* ---- jobs ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

/* Random rows; every thousandth is near a row of `like`. */
static std::vector<uint64_t> make_rows(uint32_t n, uint32_t n_words, uint64_t seed,
                                       const std::vector<uint64_t> *like)
{
    std::vector<uint64_t> v((size_t)n * n_words);
    std::vector<std::thread> threads;
    const unsigned n_threads = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned t = 0; t < n_threads; t++)
        threads.emplace_back([&, t] {
            for (uint64_t r = t; r < n; r += n_threads)
                for (uint32_t w = 0; w < n_words; w++) {
                    uint64_t x = mix(seed * 1000003 + r * n_words + w);
                    if (like && r % 1000 == 0)
                        x = (*like)[r / 1000 * n_words % like->size() + w] ^ (x & mix(x));
                    v[r * n_words + w] = x;
                }
        });
    for (std::thread &t : threads)
        t.join();
    return v;
}

static void compare_job(uint32_t n_left, uint32_t n_right, uint32_t n_words, uint32_t cut,
                        bool is_self, double rate, uint32_t chunk, int n_runs, int divide)
{
    std::vector<uint64_t> x = make_rows(n_left, n_words, 7, nullptr),
                          y = is_self ? std::vector<uint64_t>()
                                      : make_rows(n_right, n_words, 11, &x);
    rows left, right;
    std::vector<uint32_t> parts;
    left.make(BITS, n_left + ALIGN * (n_left / chunk + 1ull), n_words, 0);
    for (uint32_t at = 0; at < n_left; at += chunk)
        parts.push_back(
            left.append(x.data() + (size_t)at * n_words, std::min(chunk, n_left - at), at));
    left.set_cut(cut, 0, 0, left.n_tiles);
    if (!is_self) {
        right.make(BITS, n_right, n_words, 0);
        right.append(y.data(), n_right, 0);
        right.set_cut(cut, 0, 0, right.n_tiles);
    }
    parts.push_back(left.n_tiles);
    buffer<uint64_t> out;
    buffer<uint32_t> counters;
    out.make(1 << 24, 0);
    counters.make(64, 0);
    const rows &other = is_self ? left : right;
    for (uint32_t part : {6u, 3u}) {
        if (part == 3 && is_short)
            break;
        auto run = [&] {
            for (size_t i = 0; i + 1 < parts.size(); i++) {
                job j = {};
                j.left = left.from(parts[i]);
                j.right = other.from(0);
                j.n_lines = left.n_lines;
                j.n_left = parts[i + 1] - parts[i];
                j.first = is_self ? parts[i] : 0;
                j.end = other.n_tiles;
                j.diagonal = is_self ? (int64_t)parts[i] : -1;
                j.slab = std::max<uint32_t>(
                    2, std::min<uint32_t>(
                           (uint32_t)(facts().l2_bytes / part / (j.n_lines * SLICE)),
                           (j.end - j.first) / divide) /
                           2 * 2);
                j.next = counters;
                j.stop = counters + 63;
                j.n_out = (unsigned long long *)(counters + 4);
                j.out = out;
                j.cap = 1 << 24;
                check(cudaMemsetAsync(counters, 0, 256, 0), "counters");
                check(compare_for(BITS)(j, facts().n_processors, 0), "compare");
            }
        };
        const double ms = time_of(run, n_runs);
        unsigned long long n_out = 0;
        check(cudaMemcpy(&n_out, counters + 4, 8, cudaMemcpyDeviceToHost), "copy");
        const double n = is_self ? 0.5 * n_left * n_left : (double)n_left * n_right;
        printf(
            "%u x %u, %u bits, cut %u%s, slab L2/%u, chunk %u: %.3f ms, %.0f T bit products/s, "
            "%.1f %% of the rate (%llu places)\n",
            n_left, is_self ? n_left : n_right, 64 * n_words, cut, is_self ? ", one set" : "",
            part, chunk, ms, n * 64 * n_words / ms / 1e9,
            n * 64 * n_words / (ms * 1e-3) / rate * 100, n_out);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    is_short = argc > 1;
    (void)argv;
    try {
        const double zeros = peak<BITS>(false), bits = peak<BITS>(true);
        printf("rate of the binary instruction: %.0f T bit products/s (of zeros: %.0f)\n",
               bits / 1e12, zeros / 1e12);
        fflush(stdout);
        compare_job(100000, 100000, 16, 412, false, bits, 1 << 17, 9, 10);
        compare_job(1470000, 3440000, 16, 412, false, bits, 1 << 17, 3, 10);
        if (!is_short) {
            compare_job(1470000, 3440000, 16, 412, false, bits, 1 << 20, 3, 10);
            compare_job(3440000, 0, 16, 412, true, bits, 1 << 17, 3, 10);
            compare_job(400000, 1000000, 64, 1648, false, bits, 1 << 17, 3, 10);
        }
    } catch (const failure &f) {
        printf("failed: %s\n", f.text);
        return 1;
    }
    return 0;
}
