/*
 * rows.cuh - rows of words on the device, as the kernels want them.
 *
 * Rows of bits come in the order of how many are set, within each part that was appended: the
 * bound of compare.cuh is nearly the same for all rows of a tile then. Other rows keep theirs.
 */
#ifndef DPL_CUDA_ROWS_CUH
#define DPL_CUDA_ROWS_CUH

#include "engine.cuh"

namespace dpl {

enum { ALIGN = 2 * TILE /* rows; parts begin at multiples of it */ };

inline uint64_t aligned(uint64_t n_rows)
{
    return (n_rows + ALIGN - 1) / ALIGN * ALIGN;
}

/* Rows of the same length, appended part by part. */
class rows {
  public:
    /* Room for so many rows, parts filled up to multiples of ALIGN; of n_words words. */
    void make(kind k, uint64_t n_rows, uint32_t n_words, cudaStream_t stream);
    /* Copies rows from main memory; the first one's number is `first`. Returns their first
     * tile. */
    uint32_t append(const uint64_t *words, uint32_t n_rows, uint32_t first);
    void forget() { n_tiles = 0; }
    /* One cut for all rows, or that of each row by its number; from tile `tile` on. BYTES: whole
     * is the product of equal rows. */
    void set_cut(uint32_t cut, int whole, uint32_t tile, uint32_t n);
    void set_cuts(const uint32_t *cuts, uint32_t first, int whole, uint32_t tile, uint32_t n);
    /* Tiles from this one on, for a kernel. */
    side from(uint32_t tile) const;

    static uint64_t row_bytes(uint32_t n_words); /* of memory, for each row */
    static uint64_t part_bytes(uint64_t n_rows, uint32_t n_words); /* while a part is appended */

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

} // namespace dpl
#endif
