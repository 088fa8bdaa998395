/*
 * compare.cuh - what the kernels that compare all rows take and give, and what they share: the
 * test of a tile, and how pairs leave it.
 *
 * Rows stand in tiles of 128, in an order that makes rows of a tile alike (rows.cuh). A kernel
 * compares blocks of left tiles with all right tiles of a range. Of the sums of a tile, a
 * thread has some of some rows; it holds the largest of each row against the least that could
 * do, and looks at single ones only where that is reached. What passes goes to places of the
 * output that a warp has reserved, a few hundred at a time.
 */
#ifndef DPL_CUDA_COMPARE_CUH
#define DPL_CUDA_COMPARE_CUH

#include "kinds.cuh"

#include <cuda_runtime.h>

namespace dpl
{

/* Two numbers of a row (kinds.cuh). */
template <kind K>
struct numbers {
    typename kind_of<K>::sum with, own;
};

enum {
    BINS = 64,    /* counts of a row's pairs, by distance */
    RESERVE = 256 /* places of the output that a warp takes at a time */
};
static const int FAR = 1 << 20; /* `with` and `own` of rows that only fill up a tile */

/* A pair in the output: places of its rows, and its distance in steps (below); all ones: no
 * pair. */
enum { STEP_BITS = 16, RIGHT_BITS = 28, LEFT_BITS = 20 };
static const uint64_t NO_PAIR = ~(uint64_t)0;

/* Rows of one side as the kernels want them. */
struct side {
    const unsigned char *tiles; /* [tile][line][row of the tile][LINE], swizzled */
    const void *numbers;        /* of each row */
    const void *least;          /* of each tile: the least `with` and the least `own` */
    /* For a search of the n nearest: how many of a row's pairs are in each of BINS ranges of
     * `width` steps, from `base` steps downwards; the last also has those still nearer. */
    uint32_t *counts;
    const uint16_t *base;
};

struct job {
    side left, right;
    uint32_t n_lines;
    uint32_t n_left;     /* tiles, a multiple of 2 */
    uint32_t first, end; /* tiles of right */
    int64_t diagonal;    /* >= 0: left's first tile is this one of right: pairs above it only */
    uint32_t slab;       /* tiles of right that stay in the cache while left passes */
    uint32_t *next;      /* item of work; 0 at the start */
    const uint32_t *stop; /* not 0: end early */
    uint64_t *out;
    unsigned long long cap,
        *n_out; /* places; reserved so far, may exceed cap: then some are lost */
    /* counts */
    bool refreshes; /* left's own numbers come from counts */
    bool counts;    /* what is found is counted */
    uint32_t n, width;
    uint32_t margin; /* steps by which a sum may be wrong: a row's cut is so much higher */
    int whole;       /* BYTES: product of equal rows */
    uint32_t shift;  /* BYTES: bits of a step */
};

/* ---- steps: distances as small whole numbers, the same for all kinds ------------------ */

static const float HALF_STEPS = 16384; /* HALVES: steps of 1 */

template <kind K>
__device__ __forceinline__ uint32_t steps_of(const job &j, typename kind_of<K>::sum sum,
                                             typename kind_of<K>::sum with_both)
{
    if constexpr (K == BITS)
        return (uint32_t)(with_both - 2 * sum);
    if constexpr (K == BYTES) {
        int far = j.whole - sum;
        return far <= 0 ? 0 : min((uint32_t)far >> j.shift, 0xFFFFu);
    }
    if constexpr (K == HALVES) {
        float far = (1 - sum) * HALF_STEPS;
        return far <= 0 ? 0 : far >= 65535.f ? 65535 : (uint32_t)far;
    }
    return 0;
}

/* `own` of a row that wants pairs of at most so many steps. */
template <kind K>
__device__ __forceinline__ typename kind_of<K>::sum
own_of(const job &j, typename kind_of<K>::sum with, uint32_t steps)
{
    if constexpr (K == BITS)
        return with - (int)steps;
    if constexpr (K == BYTES)
        return j.whole - (int)((steps + 1) << j.shift) + 1;
    if constexpr (K == HALVES)
        return 1 - (float)(steps + 1) / HALF_STEPS - 1e-6f;
    return 0;
}

/* ---- counts ---------------------------------------------------------------------------- */

/* One more pair of so many steps; base: of the row. */
__device__ __forceinline__ void count(const job &j, const side &s, uint32_t row, uint32_t base,
                                      uint32_t steps)
{
    if (steps <= base)
        atomicAdd(s.counts + (size_t)row * BINS + min((base - steps) / j.width, BINS - 1u), 1u);
}

/* The steps within which a row has n pairs by its counts; four lanes ask for the same row. */
__device__ __forceinline__ uint32_t cut_of_counts(const job &j, const side &s, uint32_t row,
                                                  unsigned lane)
{
    const uint32_t *counts = s.counts + (size_t)row * BINS + lane * (BINS / 4);
    uint32_t c[BINS / 4], sum = 0, above = 0;
#pragma unroll
    for (int i = 0; i < BINS / 4; i++) {
        c[i] = __ldcg(counts + i);
        sum += c[i];
    }
#pragma unroll
    for (unsigned i = 1; i < 4; i++) {
        const uint32_t other = __shfl_sync(~0u, sum, (lane + i) & 3, 4);
        above += lane + i < 4 ? other : 0;
    }
    int bin = -1;
#pragma unroll
    for (int i = BINS / 4 - 1; i >= 0; i--) {
        above += c[i];
        bin = bin < 0 && above >= j.n ? (int)lane * (BINS / 4) + i : bin;
    }
    bin = max(bin, __shfl_xor_sync(~0u, bin, 1, 4));
    bin = max(bin, __shfl_xor_sync(~0u, bin, 2, 4));
    return __ldg(s.base + row) - (bin > 0 ? (uint32_t)bin * j.width : 0);
}

/* ---- what a warp found ------------------------------------------------------------------ */

/* Places of the output, the same in all lanes. */
struct places {
    unsigned long long at, end;
};

__device__ __forceinline__ void close_places(const job &j, const places &p)
{
    for (unsigned long long i = p.at + threadIdx.x % 32; i < p.end && i < j.cap; i += 32)
        j.out[i] = NO_PAIR;
}

/* Places for one pair of each lane in the mask; that of this lane, if it is in it. */
__device__ __forceinline__ unsigned long long reserve(const job &j, places &p, unsigned mask)
{
    const unsigned lane = threadIdx.x % 32, n = __popc(mask);
    if (p.at + n > p.end) {
        close_places(j, p);
        if (lane == 0)
            p.at = atomicAdd(j.n_out, (unsigned long long)RESERVE);
        p.at = __shfl_sync(~0u, p.at, 0);
        p.end = p.at + RESERVE;
    }
    const unsigned long long mine = p.at + __popc(mask & ((1u << lane) - 1));
    p.at += n;
    return mine;
}

/* Sums of a thread: N, of LAYOUT::ROWS rows. LAYOUT::row(i) is the row of sum i among these,
 * LAYOUT::at(r) where that stands after the thread's first row, LAYOUT::column(i) the column
 * after the first. columns: of the thread's first column; all of the tile's follow. So do bases
 * (side::base) of rows and columns, in the kernel's own memory where it counts much: a warp
 * that waits for them keeps its group from the matrix units.
 *
 * LAYOUT::most(m, r) is the largest of row r in set m of 32 sums: of a tile with a near pair,
 * only the sets that may have it are looked at.
 *
 * What is done for single sums is one loop over copies in local memory: code for each of them
 * in registers does not fit into the instruction cache, and took 20 times as long. */
template <kind K, class LAYOUT, int N>
__device__ __forceinline__ void
take_sums(const job &j, places &p, const typename kind_of<K>::sum (&sums)[N],
          const numbers<K> (&rows)[LAYOUT::ROWS], const numbers<K> &least, uint32_t row,
          uint32_t column, const numbers<K> *columns, const uint16_t *row_bases,
          const uint16_t *column_bases)
{
    typedef typename kind_of<K>::sum sum;
    constexpr int TIMES = kind_of<K>::TIMES;
    constexpr int SETS = N / 32; /* of 32 sums each */
    sum bounds[LAYOUT::ROWS], most[SETS][LAYOUT::ROWS];
    bool is_near = false;
#pragma unroll
    for (int r = 0; r < LAYOUT::ROWS; r++) {
        const sum a = rows[r].own + least.with, b = rows[r].with + least.own;
        bounds[r] = a < b ? a : b;
#pragma unroll
        for (int m = 0; m < SETS; m++)
            most[m][r] = LAYOUT::template most<K>(sums, m, r);
        sum all = most[0][r];
#pragma unroll
        for (int m = 1; m < SETS; m++)
            all = most[m][r] > all ? most[m][r] : all;
        is_near |= TIMES * all >= bounds[r];
    }
    if (!__any_sync(~0u, is_near))
        return;
    sum copies[N];
    numbers<K> own_rows[LAYOUT::ROWS];
    uint32_t masks[SETS]; /* of those that may do */
#pragma unroll
    for (int r = 0; r < LAYOUT::ROWS; r++)
        own_rows[r] = rows[r];
#pragma unroll
    for (int m = 0; m < SETS; m++) {
        uint32_t mask = 0;
        is_near = false;
#pragma unroll
        for (int r = 0; r < LAYOUT::ROWS; r++)
            is_near |= TIMES * most[m][r] >= bounds[r];
        if (__any_sync(~0u, is_near)) {
#pragma unroll
            for (int i = 0; i < 32; i++) {
                const sum x = sums[m * 32 + i];
                copies[m * 32 + i] = x;
                mask |= TIMES * x >= bounds[LAYOUT::row(m * 32 + i)] ? 1u << i : 0;
            }
        }
        masks[m] = mask;
    }
    const int64_t after =
        j.diagonal < 0 ? (int64_t)1 << 40 : (int64_t)column - j.diagonal * TILE - row;
#pragma unroll 1
    for (int m = 0; m < SETS; m++)
#pragma unroll 1
        for (uint32_t mask = masks[m]; __any_sync(~0u, mask != 0); mask &= mask - 1) {
            const int i = mask ? m * 32 + __ffs(mask) - 1 : 0, r = LAYOUT::row(i);
            const sum x = copies[i];
            const numbers<K> c = columns[LAYOUT::column(i)], own = own_rows[r];
            const sum a = own.own + c.with, b = own.with + c.own;
            const bool is_pair = mask && TIMES * x >= (a < b ? a : b) &&
                                 after + LAYOUT::column(i) > LAYOUT::at(r);
            const unsigned found = __ballot_sync(~0u, is_pair);
            if (!found)
                continue;
            const unsigned long long at = reserve(j, p, found);
            if (is_pair) {
                const uint32_t left = row + LAYOUT::at(r), right = column + LAYOUT::column(i);
                const uint32_t steps = steps_of<K>(j, x, own.with + c.with);
                if (at < j.cap)
                    j.out[at] = (uint64_t)left << (RIGHT_BITS + STEP_BITS) |
                                (uint64_t)right << STEP_BITS | steps;
                if (j.counts) {
                    const uint32_t row_base = row_bases[LAYOUT::at(r)],
                                   column_base = column_bases[LAYOUT::column(i)];
                    if (TIMES * x >= a)
                        count(j, j.left, left, row_base, steps);
                    if (TIMES * x >= b)
                        count(j, j.right, right, column_base, steps);
                }
            }
            __syncwarp();
        }
}

/* The numbers of a row; four lanes of a warp ask for the same one. */
template <kind K>
__device__ __forceinline__ numbers<K> numbers_of(const job &j, uint32_t row, unsigned lane)
{
    numbers<K> n = ((const numbers<K> *)j.left.numbers)[row];
    if (j.refreshes) {
        const uint32_t cut = cut_of_counts(j, j.left, row, lane);
        if (n.own < (typename kind_of<K>::sum)FAR)
            n.own = own_of<K>(j, n.with, cut + j.margin);
    }
    return n;
}

/* Whether no more work should begin: the host says so, or pairs are lost already. Counts are
 * of use without the pairs. */
__device__ __forceinline__ bool is_stopped(const job &j)
{
    return *(const volatile uint32_t *)j.stop ||
           (!j.counts && *(const volatile unsigned long long *)j.n_out > j.cap);
}

/* Runs the job on a stream. */
typedef cudaError_t compare_fn(const job &j, int n_processors, cudaStream_t stream);
compare_fn compare_bits_hopper, compare_long_bits_hopper, compare_bytes_hopper,
    compare_halves_hopper;
compare_fn compare_bits_mma, compare_bytes_mma, compare_halves_mma;
/* Writes the distances, in steps, of all left tiles to all right ones: out[row * stride +
 * column]. BITS and HALVES. */
cudaError_t write_steps(kind k, const job &j, uint16_t *out, uint32_t stride, int n_processors,
                        cudaStream_t stream);

} // namespace dpl
#endif
