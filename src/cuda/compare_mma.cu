/*
 * compare_mma.cu - all left tiles against all right tiles with the matrix instructions of a
 * warp: for processors from sm_80 on that have no instructions of their own in
 * compare_hopper.cu.
 *
 * Eight warps compare 128 left rows with 128 right ones, 64 x 32 each. Lines of both are copied
 * into two stages of shared memory.
 */
#include "compare.cuh"

#include <cuda_fp16.h>

namespace dpl
{

namespace
{

enum {
    WARPS = 8,
    THREADS = 32 * WARPS,
    ROWS = 64, /* of a warp */
    COLUMNS = 32,
    STAGES = 2,
    SHARED = STAGES * 2 * SLICE
};

__device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ __forceinline__ void copy_slice(unsigned char *to, const unsigned char *from)
{
    for (int i = threadIdx.x; i < SLICE / 16; i += THREADS)
        asm volatile(
            "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to + i * 16)),
            "l"(from + i * 16)
            : "memory");
}

/* 16-byte piece c of a row of a slice. */
__device__ __forceinline__ uint32_t piece(uint32_t slice, uint32_t row, uint32_t c)
{
    return slice + row * LINE + ((c ^ (row & 7)) << 4);
}

__device__ __forceinline__ void load4(uint32_t (&r)[4], uint32_t address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

template <kind K>
__device__ __forceinline__ void mma(typename kind_of<K>::sum *d, const uint32_t (&a)[4],
                                    uint32_t b0, uint32_t b1)
{
    if constexpr (K == BITS)
        asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    if constexpr (K == BYTES)
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    if constexpr (K == HALVES)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* Sum i is (m, n, e): of 16 rows m, 8 columns n, four of their 128. */
struct mma_layout {
    enum { ROWS = 8 };
    __device__ static constexpr int row(int i)
    {
        return i / 16 * 2 + (i >> 1 & 1);
    }
    __device__ static constexpr int at(int r)
    {
        return r / 2 * 16 + r % 2 * 8;
    }
    __device__ static constexpr int column(int i)
    {
        return i / 4 % 4 * 8 + (i & 1);
    }
    /* The largest of row r: its sums stand together, whatever the set. */
    template <kind K>
    __device__ static __forceinline__ typename kind_of<K>::sum
    most(const typename kind_of<K>::sum (&s)[64], int, int r)
    {
        typename kind_of<K>::sum m = s[r / 2 * 16 + r % 2 * 2];
#pragma unroll
        for (int n = 0; n < 4; n++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
                const typename kind_of<K>::sum x = s[r / 2 * 16 + n * 4 + r % 2 * 2 + e];
                m = x > m ? x : m;
            }
        return m;
    }
};

/* All steps of a line for a warp. */
template <kind K>
__device__ __forceinline__ void multiply(typename kind_of<K>::sum (&sums)[64], uint32_t left,
                                         uint32_t right, uint32_t row, uint32_t column)
{
    const uint32_t lane = threadIdx.x % 32;
#pragma unroll
    for (int step = 0; step < STEPS; step++) {
        uint32_t b[2][4];
#pragma unroll
        for (int n = 0; n < 2; n++)
            load4(b[n], piece(right, column + n * 16 + lane % 8 + lane / 16 * 8,
                              step * 2 + lane / 8 % 2));
#pragma unroll
        for (int m = 0; m < 4; m++) {
            uint32_t a[4];
            load4(a, piece(left, row + m * 16 + lane % 16, step * 2 + lane / 16));
#pragma unroll
            for (int n = 0; n < 4; n++)
                mma<K>(&sums[m * 16 + n * 4], a, b[n / 2][n % 2 * 2], b[n / 2][n % 2 * 2 + 1]);
        }
    }
}

/* steps: all distances go there, and no pairs are taken. */
template <kind K>
__global__ void __launch_bounds__(THREADS, 1)
    compare(const __grid_constant__ job j, uint16_t *steps, uint32_t stride)
{
    extern __shared__ __align__(128) unsigned char stages[];
    __shared__ uint32_t shared_item;
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint32_t row = warp / 4 * ROWS, column = warp % 4 * COLUMNS;
    const uint32_t n_items = j.n_left * ((j.end - j.first + j.slab - 1) / j.slab);
    const uint32_t base = shared_address(stages);
    places p = {0, 0};
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0)
            shared_item = is_stopped(j) ? n_items : atomicAdd(j.next, 1);
        __syncthreads();
        const uint32_t item = shared_item;
        if (item >= n_items)
            break;
        const uint32_t tile = item % j.n_left;
        uint32_t first = j.first + item / j.n_left * j.slab;
        const uint32_t end = min(first + j.slab, j.end);
        if (j.diagonal >= 0)
            first = max(first, (uint32_t)j.diagonal + tile);
        if (first >= end)
            continue;
        const uint32_t my_row = tile * TILE + row + lane / 4;
        numbers<K> rows[8];
#pragma unroll
        for (int r = 0; r < 8; r++)
            rows[r] = numbers_of<K>(j, my_row + mma_layout::at(r), lane % 4);
        const unsigned char *left = j.left.tiles + (size_t)tile * j.n_lines * SLICE,
                            *right = j.right.tiles + (size_t)first * j.n_lines * SLICE;
        const uint32_t n_steps = (end - first) * j.n_lines;
        copy_slice(stages, left);
        copy_slice(stages + SLICE, right);
        asm volatile("cp.async.commit_group;" ::: "memory");
        typename kind_of<K>::sum sums[64];
        uint32_t line = 0, x = first;
        for (uint32_t i = 0; i < n_steps; i++) {
            const uint32_t next = line + 1 == j.n_lines ? 0 : line + 1;
            if (i + 1 < n_steps) {
                unsigned char *to = stages + (i + 1) % STAGES * 2 * SLICE;
                copy_slice(to, left + (size_t)next * SLICE);
                copy_slice(to + SLICE, right + (size_t)(i + 1) * SLICE);
            }
            asm volatile("cp.async.commit_group;\ncp.async.wait_group 1;" ::: "memory");
            __syncthreads();
            if (line == 0)
#pragma unroll
                for (int k = 0; k < 64; k++)
                    sums[k] = 0;
            const uint32_t from = base + i % STAGES * 2 * SLICE;
            multiply<K>(sums, from, from + SLICE, row, column);
            if (next == 0) {
                const uint32_t at = x * TILE + column + lane % 4 * 2;
                const numbers<K> *columns = (const numbers<K> *)j.right.numbers + at;
                if (steps)
#pragma unroll
                    for (int k = 0; k < 64; k += 2) {
                        const uint32_t c = mma_layout::column(k), r = mma_layout::row(k);
                        const uint32_t one = steps_of<K>(j, sums[k],
                                                         rows[r].with + columns[c].with),
                                       two = steps_of<K>(j, sums[k + 1],
                                                         rows[r].with + columns[c + 1].with);
                        *(uint32_t *)(steps + (size_t)(my_row + mma_layout::at(r)) * stride +
                                      at + c) = min(one, 0xFFFFu) | min(two, 0xFFFFu) << 16;
                    }
                else
                    take_sums<K, mma_layout, 64>(
                        j, p, sums, rows, ((const numbers<K> *)j.right.least)[x], my_row, at,
                        columns, j.left.base + my_row, j.right.base + at);
                x++;
            }
            line = next;
            __syncthreads();
        }
    }
    close_places(j, p);
}

template <kind K>
cudaError_t launch(const job &j, int n_processors, cudaStream_t stream,
                   uint16_t *steps = nullptr, uint32_t stride = 0)
{
    cudaError_t e =
        cudaFuncSetAttribute(compare<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    int per_processor = 1;
    if (e == cudaSuccess)
        e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, compare<K>, THREADS,
                                                          SHARED);
    if (e != cudaSuccess)
        return e;
    compare<K>
        <<<n_processors *(per_processor > 0 ? per_processor : 1), THREADS, SHARED, stream>>>(
            j, steps, stride);
    return cudaGetLastError();
}

} // namespace

cudaError_t compare_bits_mma(const job &j, int n_processors, cudaStream_t stream)
{
    return launch<BITS>(j, n_processors, stream);
}

cudaError_t compare_bytes_mma(const job &j, int n_processors, cudaStream_t stream)
{
    return launch<BYTES>(j, n_processors, stream);
}

cudaError_t compare_halves_mma(const job &j, int n_processors, cudaStream_t stream)
{
    return launch<HALVES>(j, n_processors, stream);
}

cudaError_t write_steps(kind k, const job &j, uint16_t *out, uint32_t stride, int n_processors,
                        cudaStream_t stream)
{
    return k == BITS ? launch<BITS>(j, n_processors, stream, out, stride)
                     : launch<HALVES>(j, n_processors, stream, out, stride);
}

} // namespace dpl
