/*
 * rows.cuh - rows of words on the device, as the kernels want them.
 *
 * Rows of bits come in the order of how many are set, within each part that was appended: the
 * bound of compare.cuh is nearly the same for all rows of a tile then. Other rows keep theirs.
 */
#ifndef DPL_CUDA_ROWS_CUH
#define DPL_CUDA_ROWS_CUH

#include "engine.cuh"

namespace dpl
{

enum { ALIGN = 2 * TILE /* rows; parts begin at multiples of it */ };

inline uint64_t aligned(uint64_t n_rows)
{
    return (n_rows + ALIGN - 1) / ALIGN * ALIGN;
}

/* Rows of the same length, appended part by part. */
class rows
{
  public:
    /* Room for so many rows, parts filled up to multiples of ALIGN; of n_words words. */
    void make(kind k, uint64_t n_rows, uint32_t n_words, cudaStream_t stream);
    /* Copies rows from main memory; the first one's number is `first`. Returns their first
     * tile. */
    uint32_t append(const uint64_t *words, uint32_t n_rows, uint32_t first);
    /* HALVES: rows of dim numbers that are on the device already. */
    uint32_t append_numbers(const float *values, uint32_t dim, uint32_t n_rows, uint32_t first);
    void forget()
    {
        n_tiles = 0;
    }
    /* One cut for all rows, or that of each row by its number; from tile `tile` on. BYTES:
     * whole is the product of equal rows. */
    void set_cut(uint32_t cut, int whole, uint32_t tile, uint32_t n);
    void set_cuts(const uint32_t *cuts, uint32_t first, int whole, uint32_t tile, uint32_t n);
    /* Tiles from this one on, for a kernel. */
    side from(uint32_t tile) const;

    static uint64_t row_bytes(kind k, uint32_t n_words); /* of memory, for each row */
    static uint64_t part_bytes(uint64_t n_rows,
                               uint32_t n_words); /* while a part is appended */

    uint32_t n_lines, n_tiles;
    buffer<uint32_t> order; /* numbers of rows; UINT32_MAX: fills up a tile */
    buffer<unsigned char> tiles;
    buffer<int2> all_numbers, all_least;

  private:
    kind what;
    uint32_t n_words;
    cudaStream_t stream;
    buffer<uint64_t> raw;
    buffer<uint32_t> weights, ranks, bins;
};

/* Word w of the row at a place. */
__device__ __forceinline__ uint64_t word_at(const unsigned char *tiles, uint32_t n_lines,
                                            uint32_t place, uint32_t w)
{
    const uint32_t r = place % TILE, c = w % 16 / 2;
    const unsigned char *slice =
        tiles + ((size_t)(place / TILE) * n_lines + w / 16) * SLICE + (size_t)r * LINE;
    return *(const uint64_t *)(slice + ((c ^ (r & 7)) << 4) + w % 2 * 8);
}

/* BYTES: the dot product of two rows. */
__device__ __forceinline__ int product_of(const unsigned char *left, const unsigned char *right,
                                          uint32_t n_lines, uint32_t l, uint32_t r)
{
    int sum = 0;
    for (uint32_t w = 0; w < n_lines * 16; w++) {
        const uint64_t x = word_at(left, n_lines, l, w), y = word_at(right, n_lines, r, w);
        sum = __dp4a((int)(uint32_t)x, (int)(uint32_t)y, sum);
        sum = __dp4a((int)(x >> 32), (int)(y >> 32), sum);
    }
    return sum;
}

/* BYTES: the product of equal rows, in the unit of distances. */
inline int whole_of(uint32_t n_words)
{
    return 1024 * 8 * (int)n_words;
}

/* As dpl_dots_within says, by 16 lanes; in all of them. */
__device__ __forceinline__ float dot_of(const float *a, const float *b, uint32_t dim)
{
    const uint32_t lane = threadIdx.x % 16;
    float sum = 0;
    for (uint32_t i = lane; i < dim; i += 16)
        sum = __fadd_rn(sum, __fmul_rn(a[i], b[i]));
    for (int half = 8; half; half /= 2)
        sum = __fadd_rn(sum, __shfl_down_sync(~0u, sum, half, 16));
    return __shfl_sync(~0u, sum, 0, 16);
}

/* Copies dense rows; fails where one's length is above 1. most: a number on the device. */
void send_numbers(buffer<float> &to, const float *from, uint32_t n_rows, uint32_t dim,
                  int *most, cudaStream_t stream);

/* Ranges of tiles begin and end at even numbers. A job: n_tiles tiles of left from `tile` on
 * with tiles [first, end) of right, items of work as the cache and the processors want them.
 * The output is the caller's. */
job make_job(const rows &left, uint32_t tile, uint32_t n_tiles, const rows &right,
             uint32_t first, uint32_t end, int64_t diagonal);
uint64_t items_of(const job &j);
/* Bits that numbers below n need. */
int bits_of(uint64_t n);

} // namespace dpl
#endif
