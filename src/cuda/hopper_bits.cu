/*
 * hopper_bits.cu - rows of bits on sm_90a: one line is 1024 bits.
 *
 * Rows of one line have a kernel of their own: 256 columns at a time with one set of 128 sums,
 * of which two blocks of 64 rows take turns. While one warp group looks at its sums, the other
 * one's instructions run. With 128 columns and two sets for a group, as for longer rows, the
 * sums of so short rows take more time to look at than to compute: docs/methods/gpu.md.
 */
#include "compare_hopper.cuh"

namespace dpl
{

namespace
{

enum {
    PAIR = 2, /* right tiles of a stage: ranges of tiles are even */
    WIDE_STAGE = PAIR * (SLICE + INFO),
    WIDE_STAGES = 4,
    WIDE_LEFT = BLOCK_TILES * SLICE,
    LEFT_BASES = BLOCK_TILES * TILE, /* rows */
    PAIR_BASES = PAIR * TILE,
    WIDE_BASES = 2 * LEFT_BASES + WIDE_STAGES * PAIR_BASES, /* numbers of 16 bits */
    WIDE_SHARED = 2 * WIDE_LEFT + WIDE_STAGES * WIDE_STAGE + 2 * WIDE_BASES + 1024
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
__device__ __forceinline__ void copy_wide(const job &j, control *c, unsigned char *left,
                                          unsigned char *stages, uint16_t *bases,
                                          uint32_t n_items)
{
    uint32_t stage = 0, phase = 0;
    for (uint32_t turn = 0;; turn++) {
        const uint32_t buffer = turn % 2, turns = turn / 2;
        bar_wait(&c->left_empty[buffer], (turns & 1) ^ 1);
        work w;
        const uint32_t item = next_item(j, n_items, w);
        c->item[buffer] = item;
        if (item >= n_items) {
            bar_expect(&c->left_full[buffer], 0);
            return;
        }
        bar_expect(&c->left_full[buffer], WIDE_LEFT + (j.counts ? 2 * LEFT_BASES : 0));
        bulk_copy(left + buffer * WIDE_LEFT, j.left.tiles + (size_t)w.block * WIDE_LEFT,
                  WIDE_LEFT, &c->left_full[buffer]);
        if (j.counts)
            bulk_copy(bases + buffer * LEFT_BASES, j.left.base + (size_t)w.block * LEFT_BASES,
                      2 * LEFT_BASES, &c->left_full[buffer]);
        for (uint32_t x = w.first; x < w.end; x += PAIR) {
            unsigned char *to = stages + stage * WIDE_STAGE;
            bar_wait(&c->empty[stage], phase ^ 1);
            bar_expect(&c->full[stage], WIDE_STAGE + (j.counts ? 2 * PAIR_BASES : 0));
            bulk_copy(to, j.right.tiles + (size_t)x * SLICE, PAIR * SLICE, &c->full[stage]);
            bulk_copy(to + PAIR * SLICE, (const char *)j.right.numbers + (size_t)x * INFO,
                      PAIR * INFO, &c->full[stage]);
            if (j.counts)
                bulk_copy(bases + 2 * LEFT_BASES + stage * PAIR_BASES,
                          j.right.base + (size_t)x * TILE, 2 * PAIR_BASES, &c->full[stage]);
            advance<WIDE_STAGES>(stage, phase);
        }
    }
}

__device__ __forceinline__ void multiply_wide(const job &j, control *c, unsigned char *left,
                                              unsigned char *stages, const uint16_t *bases,
                                              uint32_t n_items)
{
    const unsigned group = threadIdx.x / 128, t = threadIdx.x % 128;
    const uint32_t column = t % 4 * 2;
    const numbers<BITS> *least = (const numbers<BITS> *)j.right.least;
    uint32_t stage = 0, phase = 0;
    places p = {0, 0};
    int sums[128];
    for (uint32_t turn = 0;; turn++) {
        const uint32_t buffer = turn % 2, turns = turn / 2;
        bar_wait(&c->left_full[buffer], turns & 1);
        const uint32_t item = c->item[buffer];
        if (item >= n_items)
            break;
        work w;
        work_of(j, item, w);
        const uint32_t row =
            w.block * BLOCK_TILES * TILE + group * TILE + t / 32 * 16 + t % 32 / 4;
        numbers<BITS> rows[2][2]; /* of two blocks of 64 rows */
#pragma unroll
        for (int r = 0; r < 4; r++)
            rows[r / 2][r % 2] = numbers_of<BITS>(j, row + r / 2 * 64 + r % 2 * 8, t % 4);
        const uint32_t kept = shared_address(left) + buffer * WIDE_LEFT + group * SLICE;
        const uint16_t *row_bases =
            bases + buffer * LEFT_BASES + row - w.block * BLOCK_TILES * TILE;
        for (uint32_t x = w.first; x < w.end; x += PAIR) {
            const numbers<BITS> one = least[x], two = least[x + 1];
            const numbers<BITS> lowest = {min(one.with, two.with), min(one.own, two.own)};
            const numbers<BITS> *columns =
                (const numbers<BITS> *)(stages + stage * WIDE_STAGE + PAIR * SLICE) + column;
            const uint16_t *column_bases = bases + 2 * LEFT_BASES + stage * PAIR_BASES + column;
            const uint64_t b = operand(shared_address(stages) + stage * WIDE_STAGE);
            bar_wait(&c->full[stage], phase);
#pragma unroll
            for (int q = 0; q < 2; q++) {
                const uint64_t a = operand(kept + q * SLICE / 2);
                hold(sums);
                wgmma_fence();
#pragma unroll
                for (int i = 0; i < STEPS; i++)
                    wgmma_wide(sums, a + 2 * i, b + 2 * i, i > 0);
                wgmma_commit();
                wgmma_wait<0>();
                hold(sums);
                take_sums<BITS, hopper_layout, 128>(j, p, sums, rows[q], lowest, row + q * 64,
                                                    x * TILE + column, columns,
                                                    row_bases + q * 64, column_bases);
            }
            release<1>(&c->empty[stage]);
            advance<WIDE_STAGES>(stage, phase);
        }
        release<1>(&c->left_empty[buffer]);
    }
    close_places(j, p);
}
#endif

__global__ void __launch_bounds__(THREADS, 1) compare_wide(const __grid_constant__ job j)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    extern __shared__ unsigned char raw[];
    unsigned char *left = (unsigned char *)(((uintptr_t)raw + 1023) & ~(uintptr_t)1023);
    unsigned char *stages = left + 2 * WIDE_LEFT;
    uint16_t *bases = (uint16_t *)(stages + WIDE_STAGES * WIDE_STAGE);
    __shared__ control c;
    const uint32_t n_items = j.n_left / BLOCK_TILES * ((j.end - j.first + j.slab - 1) / j.slab);
    if (threadIdx.x == 0) {
        for (int i = 0; i < WIDE_STAGES; i++) {
            bar_init(&c.full[i], 1);
            bar_init(&c.empty[i], GROUPS * 4);
        }
        for (int i = 0; i < 2; i++) {
            bar_init(&c.left_full[i], 1);
            bar_init(&c.left_empty[i], GROUPS * 4);
        }
        bar_init_done();
    }
    __syncthreads();
    if (threadIdx.x / 128 == GROUPS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x % 128 == 0)
            copy_wide(j, &c, left, stages, bases, n_items);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        multiply_wide(j, &c, left, stages, bases, n_items);
    }
#endif
}

} // namespace

cudaError_t compare_bits_hopper(const job &j, int n_processors, cudaStream_t stream)
{
    if (j.n_lines != 1)
        return compare_long_bits_hopper(j, n_processors, stream);
    cudaError_t e = cudaFuncSetAttribute(
        compare_wide, cudaFuncAttributeMaxDynamicSharedMemorySize, WIDE_SHARED);
    if (e != cudaSuccess)
        return e;
    compare_wide<<<n_processors, THREADS, WIDE_SHARED, stream>>>(j);
    return cudaGetLastError();
}

} // namespace dpl
