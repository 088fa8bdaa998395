/*
 * rows.cu - rows to tiles: bits are counted, rows ranked by their count, and placed.
 */
#include "rows.cuh"

#include <cuda_fp16.h>

namespace dpl
{

enum { LANES = 8 /* of a warp, for a row */ };

/* Bits of each row, and its rank among the rows with as many, in any order. */
static __global__ void weigh(const uint64_t *raw, uint32_t n_rows, uint32_t n_words,
                             uint32_t *weights, uint32_t *ranks, uint32_t *bins)
{
    const uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES,
                   lane = threadIdx.x % LANES;
    uint32_t n = 0;
    for (uint32_t w = lane; row < n_rows && w < n_words; w += LANES)
        n += __popcll(raw[(size_t)row * n_words + w]);
    for (int i = LANES / 2; i; i /= 2)
        n += __shfl_xor_sync(~0u, n, i, LANES);
    if (row < n_rows && lane == 0) {
        weights[row] = n;
        ranks[row] = atomicAdd(&bins[n], 1);
    }
}

/* Sums of all bins before each; one block. */
static __global__ void sum_bins(uint32_t *bins, uint32_t n)
{
    __shared__ uint32_t sums[1024];
    const uint32_t share = (n + 1023) / 1024, first = threadIdx.x * share,
                   end = min(first + share, n);
    uint32_t sum = 0;
    for (uint32_t i = first; i < end; i++)
        sum += bins[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (uint32_t step = 1; step < 1024; step *= 2) {
        const uint32_t before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    uint32_t before = sums[threadIdx.x] - sum;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t here = bins[i];
        bins[i] = before;
        before += here;
    }
}

/* Rows [0, n_placed) of a part: those behind n_rows are empty. weights NULL: in their order. */
static __global__ void place(const uint64_t *raw, uint32_t n_rows, uint32_t n_placed,
                             uint32_t n_words, uint32_t n_lines, const uint32_t *weights,
                             const uint32_t *ranks, const uint32_t *bins, uint32_t first,
                             unsigned char *tiles, uint32_t *order, int2 *numbers)
{
    const uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES,
                   c = threadIdx.x % LANES;
    if (row >= n_placed)
        return;
    const bool is_row = row < n_rows;
    const uint32_t weight = is_row && weights ? weights[row] : 0;
    const uint32_t to = is_row && weights ? bins[weight] + ranks[row] : row;
    const uint32_t r = to % TILE;
    for (uint32_t line = 0; line < n_lines; line++) {
        const uint32_t w = line * 16 + c * 2;
        ulonglong2 x = {0, 0};
        if (is_row && w < n_words)
            x.x = raw[(size_t)row * n_words + w];
        if (is_row && w + 1 < n_words)
            x.y = raw[(size_t)row * n_words + w + 1];
        *(ulonglong2 *)(tiles + ((size_t)(to / TILE) * n_lines + line) * SLICE +
                        (size_t)r * LINE + ((c ^ (r & 7)) << 4)) = x;
    }
    if (c == 0) {
        order[to] = is_row ? first + row : UINT32_MAX;
        numbers[to].x = is_row ? (int)weight : FAR;
    }
}

/* Numbers to float16, in their order. */
static __global__ void place_numbers(const float *values, uint32_t dim, uint32_t n_rows,
                                     uint32_t n_placed, uint32_t n_lines, uint32_t first,
                                     unsigned char *tiles, uint32_t *order, int2 *numbers)
{
    const uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES,
                   c = threadIdx.x % LANES;
    if (row >= n_placed)
        return;
    const bool is_row = row < n_rows;
    const uint32_t r = row % TILE;
    for (uint32_t line = 0; line < n_lines; line++) {
        __align__(16) __half x[8];
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t d = line * 64 + c * 8 + i;
            x[i] = __float2half_rn(is_row && d < dim ? values[(size_t)row * dim + d] : 0.f);
        }
        *(uint4 *)(tiles + ((size_t)(row / TILE) * n_lines + line) * SLICE + (size_t)r * LINE +
                   ((c ^ (r & 7)) << 4)) = *(const uint4 *)x;
    }
    if (c == 0) {
        const int far = __float_as_int((float)FAR);
        order[row] = is_row ? first + row : UINT32_MAX;
        numbers[row] = is_row ? make_int2(0, 0) : make_int2(far, far);
    }
}

/* `own` of all rows, and the least of each tile: a warp for a tile. */
static __global__ void set_own(kind k, int2 *numbers, int2 *least, const uint32_t *order,
                               uint32_t n_tiles, const uint32_t *cuts, uint32_t first,
                               uint32_t cut, int whole)
{
    const uint32_t tile = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (tile >= n_tiles)
        return;
    int with = FAR, own = FAR;
    for (uint32_t i = lane; i < TILE; i += 32) {
        const uint32_t at = tile * TILE + i, row = order[at];
        int2 n = {FAR, FAR};
        if (row != UINT32_MAX) {
            const uint32_t here = cuts ? cuts[row - first] : cut;
            n.x = numbers[at].x;
            n.y = k == BITS ? n.x - (int)min(here, 1u << 17)
                            : (int)max((long long)whole - (long long)here, -(1ll << 29));
        } else if (k == BYTES)
            n.x = 1 << 30, n.y = 1 << 29; /* beyond any product */
        numbers[at] = n;
        with = min(with, n.x);
        own = k == BYTES && i == lane ? n.y : min(own, n.y);
    }
    for (int i = 16; i; i /= 2) {
        with = min(with, __shfl_xor_sync(~0u, with, i));
        own = min(own, __shfl_xor_sync(~0u, own, i));
    }
    if (lane == 0)
        least[tile] = make_int2(with, own);
}

/* Kernels for bits have one of their own for rows of one line. */
static uint32_t lines_of(kind k, uint32_t n_words)
{
    const uint32_t n = (n_words + 15) / 16;
    return k != BITS && n < 2 ? 2 : n;
}

uint64_t rows::row_bytes(kind k, uint32_t n_words)
{
    return (uint64_t)lines_of(k, n_words) * LINE + 13;
}

uint64_t rows::part_bytes(uint64_t n_rows, uint32_t n_words)
{
    return n_rows * (n_words * 8ull + 8) + n_words * 64ull * 4 + 64;
}

void rows::make(kind k, uint64_t n_rows, uint32_t words, cudaStream_t s)
{
    what = k;
    n_words = words;
    n_lines = lines_of(k, words);
    n_tiles = 0;
    stream = s;
    n_rows = aligned(n_rows);
    tiles.make(n_rows * n_lines * LINE, s);
    order.make(n_rows, s);
    all_numbers.make(n_rows, s);
    all_least.make(n_rows / TILE, s);
}

uint32_t rows::append(const uint64_t *words, uint32_t n_rows, uint32_t first)
{
    const uint32_t tile = n_tiles, n_bins = n_words * 64 + 1;
    const uint32_t n_placed = (uint32_t)aligned(n_rows);
    if (raw.size() < (size_t)n_rows * n_words)
        raw.make((size_t)n_rows * n_words, stream);
    send(raw, words, (size_t)n_rows * n_words * 8, stream);
    if (what == BITS) {
        if (weights.size() < n_rows) {
            weights.make(n_rows, stream);
            ranks.make(n_rows, stream);
        }
        if (bins.size() < n_bins)
            bins.make(n_bins, stream);
        check(cudaMemsetAsync(bins, 0, n_bins * sizeof(uint32_t), stream), "bins");
        weigh<<<(n_rows * (uint64_t)LANES + 255) / 256, 256, 0, stream>>>(raw, n_rows, n_words,
                                                                          weights, ranks, bins);
        sum_bins<<<1, 1024, 0, stream>>>(bins, n_bins);
    }
    place<<<(n_placed * (uint64_t)LANES + 255) / 256, 256, 0, stream>>>(
        raw, n_rows, n_placed, n_words, n_lines, what == BITS ? weights.get() : nullptr, ranks,
        bins, first, tiles + (size_t)tile * n_lines * SLICE, order + (size_t)tile * TILE,
        all_numbers + (size_t)tile * TILE);
    check(cudaGetLastError(), "placement of rows");
    n_tiles += n_placed / TILE;
    return tile;
}

uint32_t rows::append_numbers(const float *values, uint32_t dim, uint32_t n_rows,
                              uint32_t first)
{
    const uint32_t tile = n_tiles, n_placed = (uint32_t)aligned(n_rows);
    place_numbers<<<(n_placed * (uint64_t)LANES + 255) / 256, 256, 0, stream>>>(
        values, dim, n_rows, n_placed, n_lines, first, tiles + (size_t)tile * n_lines * SLICE,
        order + (size_t)tile * TILE, all_numbers + (size_t)tile * TILE);
    check(cudaGetLastError(), "placement of rows");
    n_tiles += n_placed / TILE;
    return tile;
}

void rows::set_cut(uint32_t cut, int whole, uint32_t tile, uint32_t n)
{
    set_own<<<(n + 7) / 8, 256, 0, stream>>>(what, all_numbers + (size_t)tile * TILE,
                                             all_least + tile, order + (size_t)tile * TILE, n,
                                             nullptr, 0, cut, whole);
    check(cudaGetLastError(), "cuts");
}

void rows::set_cuts(const uint32_t *cuts, uint32_t first, int whole, uint32_t tile, uint32_t n)
{
    set_own<<<(n + 7) / 8, 256, 0, stream>>>(what, all_numbers + (size_t)tile * TILE,
                                             all_least + tile, order + (size_t)tile * TILE, n,
                                             cuts, first, 0, whole);
    check(cudaGetLastError(), "cuts");
}

side rows::from(uint32_t tile) const
{
    return {tiles + (size_t)tile * n_lines * SLICE, all_numbers + (size_t)tile * TILE,
            all_least + tile, nullptr, nullptr};
}

static __global__ void longest(const float *values, uint32_t n_rows, uint32_t dim, int *most)
{
    const uint32_t row = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
    if (row - threadIdx.x % 32 / 16 >= n_rows)
        return;
    const float *v = values + (size_t)min(row, n_rows - 1) * dim;
    const float square = dot_of(v, v, dim);
    if (threadIdx.x % 16 == 0 && !(square <= 1.0005f))
        atomicMax(most, 1);
}

void send_numbers(buffer<float> &to, const float *from, uint32_t n_rows, uint32_t dim,
                  int *most, cudaStream_t stream)
{
    int is_longer = 0;
    to.make((size_t)n_rows * dim, stream);
    check(cudaMemsetAsync(most, 0, sizeof *most, stream), "counters");
    send(to, from, to.size() * sizeof *from, stream);
    longest<<<(unsigned)((n_rows + 15ull) / 16), 256, 0, stream>>>(to, n_rows, dim, most);
    check(cudaGetLastError(), "copy of rows");
    check(cudaMemcpyAsync(&is_longer, most, sizeof *most, cudaMemcpyDeviceToHost, stream),
          "copy of rows");
    check(cudaStreamSynchronize(stream), "copy of rows");
    if (is_longer)
        fail(DPL_E_UNSUPPORTED, "rows of a length above 1");
}

job make_job(const rows &left, uint32_t tile, uint32_t n_tiles, const rows &right,
             uint32_t first, uint32_t end, int64_t diagonal)
{
    job j = {};
    j.left = left.from(tile);
    j.right = right.from(0);
    j.n_lines = right.n_lines;
    j.n_left = n_tiles;
    j.first = first;
    j.end = end;
    j.diagonal = diagonal;
    /* a slab takes a sixth of the cache; a few items for each processor at least */
    const uint64_t fits = facts().l2_bytes / 6 / (right.n_lines * SLICE);
    const uint64_t n_items = 8ull * facts().n_processors, n_blocks = (n_tiles + 1) / 2;
    const uint64_t n_slabs = (n_items + n_blocks - 1) / n_blocks, n = end - first;
    const uint64_t most = fits < 8 ? 8 : fits, even = (n + n_slabs - 1) / n_slabs;
    j.slab = (uint32_t)(even < most ? even : most);
    j.slab = (j.slab + 2) / 2 * 2; /* kernels may take two tiles at a time */
    return j;
}

uint64_t items_of(const job &j)
{
    return (uint64_t)j.n_left / (facts().has_hopper ? 2 : 1) *
           ((j.end - j.first + j.slab - 1) / j.slab);
}

int bits_of(uint64_t n)
{
    int bits = 1;
    while (bits < 63 && n > (uint64_t)1 << bits)
        bits++;
    return bits;
}

} // namespace dpl
