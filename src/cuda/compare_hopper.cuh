/*
 * compare_hopper.cuh - all left tiles against all right tiles on sm_90a.
 *
 * A block of threads stays on its processor and takes items of work: 256 left rows against a
 * slab of right tiles, which stays in the L2 cache while all left rows pass. One thread copies
 * lines of tiles (16 KiB) into stages of shared memory; two warp groups multiply. Each has two
 * sets of sums, for 64 left rows each: while the instructions of one set run, the sums of the
 * other are looked at, so the matrix units never wait. Left rows of up to four lines stay in
 * shared memory; longer ones are copied again with each line of a right tile, for two blocks
 * together: they form a cluster, take the same left rows and every second right tile each, and
 * each copies one of the two left tiles into the memory of both.
 */
#ifndef DPL_CUDA_COMPARE_HOPPER_CUH
#define DPL_CUDA_COMPARE_HOPPER_CUH

#include "compare.cuh"
#include "hopper.cuh"

namespace dpl
{

enum {
    GROUPS = 2,
    BLOCK_TILES = 2,
    THREADS = 128 * (GROUPS + 1),
    INFO = TILE * 8, /* bytes: numbers of a right tile's rows */
    MOST_SHARED = 227 * 1024
};

template <int LINES>
struct plan { /* LINES 0: left rows are not kept */
    enum {
        BLOCKS = LINES ? 1 : 2, /* of a cluster */
        LEFT = BLOCK_TILES * LINES * SLICE,
        STAGE = SLICE + INFO + (LINES ? 0 : BLOCK_TILES * SLICE),
        STAGES_THAT_FIT = (MOST_SHARED - 2048 - LEFT) / STAGE,
        STAGES = STAGES_THAT_FIT < 8 ? STAGES_THAT_FIT : 8,
        SHARED = LEFT + STAGES * STAGE + 1024
    };
};

/* Where the sums of a thread stand. */
struct hopper_layout {
    enum { ROWS = 2 };
    __device__ static constexpr int row(int i)
    {
        return i >> 1 & 1;
    }
    __device__ static constexpr int at(int r)
    {
        return 8 * r;
    }
    __device__ static constexpr int column(int i)
    {
        return i / 4 * 8 + (i & 1);
    }
    /* The largest of row r among sums [32 m, 32 m + 32). */
    template <kind K, int N>
    __device__ static __forceinline__ typename kind_of<K>::sum
    most(const typename kind_of<K>::sum (&s)[N], int m, int r)
    {
        const int first = 32 * m + 2 * r;
        typename kind_of<K>::sum a = s[first], b = s[first + 1];
        if constexpr (K == HALVES) {
#pragma unroll
            for (int i = 4; i < 32; i += 4)
                a = fmaxf(a, s[first + i]), b = fmaxf(b, s[first + i + 1]);
            return fmaxf(a, b);
        } else {
            a = max(a, b);
#pragma unroll
            for (int i = 4; i < 32; i += 4)
                a = __vimax3_s32(a, s[first + i], s[first + i + 1]);
            return a;
        }
    }
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
struct work {
    uint32_t block, first, end; /* left block; right tiles */
};

/* Item i; false where it has no tiles. */
__device__ __forceinline__ bool work_of(const job &j, uint32_t i, work &w)
{
    const uint32_t n_blocks = j.n_left / BLOCK_TILES;
    w.block = i % n_blocks;
    w.first = j.first + i / n_blocks * j.slab;
    w.end = min(w.first + j.slab, j.end);
    if (j.diagonal >= 0)
        w.first = max(w.first, (uint32_t)j.diagonal + w.block * BLOCK_TILES);
    return w.first < w.end;
}

/* What is in shared memory besides operands. */
struct control {
    uint64_t full[8], empty[8], left_full[2], left_empty[2];
    uint32_t item[2];
};

/* The next item of work, for the first block of a cluster to say. */
__device__ __forceinline__ uint32_t next_item(const job &j, uint32_t n_items, work &w)
{
    uint32_t item;
    do
        item = is_stopped(j) ? n_items : atomicAdd(j.next, 1);
    while (item < n_items && !work_of(j, item, w));
    return item;
}

/* Takes an item and says which; false at the end. */
template <int LINES>
__device__ __forceinline__ bool take_item(const job &j, control *c, uint32_t turn,
                                          uint32_t rank, uint32_t n_items, work &w)
{
    typedef plan<LINES> P;
    if (P::BLOCKS == 1) {
        bar_wait(&c->left_empty[0], (turn & 1) ^ 1);
        const uint32_t item = next_item(j, n_items, w);
        c->item[turn & 1] = item;
        bar_expect(&c->left_full[0], item < n_items ? P::LEFT : 0);
        return item < n_items;
    }
    if (rank == 0) {
        bar_wait_cluster(&c->left_empty[0], (turn & 1) ^ 1);
        const uint32_t item = next_item(j, n_items, w);
        for (uint32_t r = 0; r < P::BLOCKS; r++) {
            store_of(&c->item[turn & 1], item, r);
            bar_arrive_of(&c->left_full[0], r);
        }
    }
    bar_wait_cluster(&c->left_full[0], turn & 1);
    const uint32_t item = c->item[turn & 1];
    return item < n_items && work_of(j, item, w);
}

template <int LINES>
__device__ __forceinline__ void copy_all(const job &j, control *c, unsigned char *left,
                                         unsigned char *stages, uint32_t rank, uint32_t n_items)
{
    typedef plan<LINES> P;
    const uint32_t n_lines = LINES ? LINES : j.n_lines;
    uint32_t stage = 0, phase = 0;
    work w;
    for (uint32_t turn = 0; take_item<LINES>(j, c, turn, rank, n_items, w); turn++) {
        const unsigned char *rows =
            j.left.tiles + (size_t)w.block * BLOCK_TILES * n_lines * SLICE;
        for (int i = 0; i < BLOCK_TILES * LINES; i++)
            bulk_copy(left + i * SLICE, rows + i * SLICE, SLICE, &c->left_full[0]);
        for (uint32_t x = w.first + rank; x < w.end; x += P::BLOCKS)
            for (uint32_t k = 0; k < n_lines; k++) {
                unsigned char *to = stages + stage * P::STAGE;
                const bool is_last = k == n_lines - 1;
                bar_wait(&c->empty[stage], phase ^ 1);
                bar_expect(&c->full[stage],
                           SLICE + (is_last ? INFO : 0) + (LINES ? 0 : BLOCK_TILES * SLICE));
                bulk_copy(to, j.right.tiles + ((size_t)x * n_lines + k) * SLICE, SLICE,
                          &c->full[stage]);
                if (is_last)
                    bulk_copy(to + SLICE, (const char *)j.right.numbers + (size_t)x * INFO,
                              INFO, &c->full[stage]);
                if (!LINES)
                    bulk_copy_both(to + SLICE + INFO + rank * SLICE,
                                   rows + ((size_t)rank * n_lines + k) * SLICE, SLICE,
                                   &c->full[stage]);
                if (++stage == P::STAGES)
                    stage = 0, phase ^= 1;
            }
    }
}

template <int STAGES>
__device__ __forceinline__ void advance(uint32_t &stage, uint32_t &phase)
{
    if (++stage == STAGES)
        stage = 0, phase ^= 1;
}

template <int STAGES>
__device__ __forceinline__ void next_stage(control *c, uint32_t &stage, uint32_t &phase)
{
    advance<STAGES>(stage, phase);
    bar_wait(&c->full[stage], phase);
}

/* A warp has read what it wanted: a line and, by its own lanes, the numbers of columns. All
 * that copy there are told. */
template <int BLOCKS>
__device__ __forceinline__ void release(uint64_t *empty)
{
    __syncwarp();
    if (BLOCKS > 1 && threadIdx.x % 32 < BLOCKS)
        bar_arrive_of(empty, threadIdx.x % 32);
    if (BLOCKS == 1 && threadIdx.x % 32 == 0)
        bar_arrive(empty);
}

/* Sums are not looked at before here: the compiler does not know that a wait concerns them. */
template <int N>
__device__ __forceinline__ void hold(int (&sums)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++)
        asm volatile("" : "+r"(sums[i])::"memory");
}

__device__ __forceinline__ void hold(float (&sums)[64])
{
#pragma unroll
    for (int i = 0; i < 64; i++)
        asm volatile("" : "+f"(sums[i])::"memory");
}

/* The instructions of line k for one of the two sets of sums. */
template <kind K, int LINES>
__device__ __forceinline__ void
    multiply_line(typename kind_of<K>::sum (&sums)[64], uint32_t kept, unsigned char *stages,
                  uint32_t stage, unsigned group, uint32_t k, int set)
{
    const uint32_t to = shared_address(stages) + stage * plan<LINES>::STAGE;
    const uint32_t from = LINES ? kept + k * SLICE : to + SLICE + INFO + group * SLICE;
    const uint64_t a = operand(from + set * SLICE / 2), b = operand(to);
    hold(sums);
    wgmma_fence();
    wgmma<K>(sums, a, b, k > 0);
#pragma unroll
    for (int i = 1; i < STEPS; i++)
        wgmma<K>(sums, a + 2 * i, b + 2 * i, 1);
    wgmma_commit();
}

template <kind K, int LINES>
__device__ __forceinline__ void multiply_all(const job &j, control *c, unsigned char *left,
                                             unsigned char *stages, uint32_t rank,
                                             uint32_t n_items)
{
    typedef plan<LINES> P;
    const uint32_t n_lines = LINES ? LINES : j.n_lines;
    const unsigned group = threadIdx.x / 128, t = threadIdx.x % 128;
    const uint32_t column = t % 4 * 2;
    uint32_t stage = 0, phase = 0;
    places p = {0, 0};
    typename kind_of<K>::sum a[64], b[64];
    for (uint32_t turn = 0;; turn++) {
        bar_wait_cluster(&c->left_full[0], turn & 1);
        const uint32_t item = c->item[turn & 1];
        if (item >= n_items)
            break;
        work w;
        work_of(j, item, w);
        const uint32_t row = w.block * BLOCK_TILES * TILE + group * TILE + t / 32 * 16 +
                             t % 32 / 4; /* of the first set; the other's is 64 behind */
        numbers<K> rows_a[2], rows_b[2];
#pragma unroll
        for (int r = 0; r < 2; r++) {
            rows_a[r] = numbers_of<K>(j, row + 8 * r, t % 4);
            rows_b[r] = numbers_of<K>(j, row + 64 + 8 * r, t % 4);
        }
        const uint32_t kept = shared_address(left) + group * LINES * SLICE;
        const numbers<K> *least = (const numbers<K> *)j.right.least;
        numbers<K> now = least[w.first + rank];
        bar_wait(&c->full[stage], phase);
        multiply_line<K, LINES>(a, kept, stages, stage, group, 0, 0);
        /* Here and at the end of each turn, the first line of set a is under way. The last
         * turn computes one for nothing. */
        for (uint32_t x = w.first + rank; x < w.end; x += P::BLOCKS) {
            const bool has_more = x + P::BLOCKS < w.end;
            const numbers<K> next = least[has_more ? x + P::BLOCKS : x];
            multiply_line<K, LINES>(b, kept, stages, stage, group, 0, 1);
            uint32_t k = 1, before = stage;
#pragma unroll(LINES ? LINES : 1)
            for (; k < n_lines - 1; k++) {
                next_stage<P::STAGES>(c, stage, phase);
                multiply_line<K, LINES>(a, kept, stages, stage, group, k, 0);
                wgmma_wait<1>(); /* the line before, of both sets */
                release<P::BLOCKS>(&c->empty[before]);
                multiply_line<K, LINES>(b, kept, stages, stage, group, k, 1);
                before = stage;
            }
            next_stage<P::STAGES>(c, stage, phase);
            multiply_line<K, LINES>(a, kept, stages, stage, group, n_lines - 1, 0);
            wgmma_wait<1>();
            release<P::BLOCKS>(&c->empty[before]);
            multiply_line<K, LINES>(b, kept, stages, stage, group, n_lines - 1, 1);
            wgmma_wait<1>(); /* set a */
            hold(a);
            const numbers<K> *columns =
                (const numbers<K> *)(stages + stage * P::STAGE + SLICE) + column;
            const uint32_t at = x * TILE + column;
            take_sums<K, hopper_layout, 64>(j, p, a, rows_a, now, row, at, columns,
                                            j.left.base + row, j.right.base + at);
            const uint32_t last = stage;
            if (has_more) {
                next_stage<P::STAGES>(c, stage, phase);
            }
            multiply_line<K, LINES>(a, kept, stages, stage, group, 0, 0);
            wgmma_wait<1>(); /* set b */
            hold(b);
            take_sums<K, hopper_layout, 64>(j, p, b, rows_b, now, row + 64, at, columns,
                                            j.left.base + row + 64, j.right.base + at);
            if (has_more)
                release<P::BLOCKS>(&c->empty[last]);
            now = next;
        }
        wgmma_wait<0>();
        hold(a);
        release<P::BLOCKS>(&c->empty[stage]);
        advance<P::STAGES>(stage, phase);
        release<P::BLOCKS>(&c->left_empty[0]);
    }
    close_places(j, p);
}
#endif

template <kind K, int LINES>
__global__ void __launch_bounds__(THREADS, 1) compare(const __grid_constant__ job j)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    typedef plan<LINES> P;
    extern __shared__ unsigned char raw[];
    unsigned char *left = (unsigned char *)(((uintptr_t)raw + 1023) & ~(uintptr_t)1023);
    unsigned char *stages = left + P::LEFT;
    __shared__ control c;
    const uint32_t n_items = j.n_left / BLOCK_TILES * ((j.end - j.first + j.slab - 1) / j.slab);
    if (threadIdx.x == 0) {
        for (int i = 0; i < P::STAGES; i++) {
            bar_init(&c.full[i], 1);
            bar_init(&c.empty[i], P::BLOCKS * GROUPS * 4);
        }
        for (int i = 0; i < 2; i++) {
            bar_init(&c.left_full[i], 1);
            bar_init(&c.left_empty[i], P::BLOCKS * GROUPS * 4);
        }
        bar_init_done();
    }
    const uint32_t rank = P::BLOCKS > 1 ? cluster_rank() : 0;
    if (P::BLOCKS > 1)
        cluster_sync();
    else
        __syncthreads();
    if (threadIdx.x / 128 == GROUPS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x % 128 == 0)
            copy_all<LINES>(j, &c, left, stages, rank, n_items);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        multiply_all<K, LINES>(j, &c, left, stages, rank, n_items);
    }
    if (P::BLOCKS > 1) /* the other block may still copy and arrive here */
        cluster_sync();
#endif
}

/* Rows of LINES lines, 0: any number from 2 on. */
template <kind K, int LINES>
static cudaError_t launch(const job &j, int n_processors, cudaStream_t stream)
{
    const int shared = plan<LINES>::SHARED;
    cudaError_t e = cudaFuncSetAttribute(compare<K, LINES>,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    if (e != cudaSuccess)
        return e;
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {plan<LINES>::BLOCKS, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = n_processors / plan<LINES>::BLOCKS * plan<LINES>::BLOCKS;
    config.blockDim = THREADS;
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, compare<K, LINES>, j);
}

} // namespace dpl
#endif
