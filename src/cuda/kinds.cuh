/*
 * kinds.cuh - what rows hold, and how a sum of products says how near two rows are.
 *
 * A line is 128 bytes of a row. The kernels sum up products: shared bits (BITS), signed bytes
 * (BYTES), or float16 numbers (HALVES). A pair of rows a and b is near enough when
 *
 *     TIMES * sum >= min(own_a + with_b, with_a + own_b)
 *
 * where each row has two numbers. BITS: distance = |a| + |b| - 2 |a AND b|, at most the larger
 * of the cuts of a and b: with = |a|, own = |a| - cut. BYTES and HALVES: with = 0, own = the
 * least product.
 */
#ifndef DPL_CUDA_KINDS_CUH
#define DPL_CUDA_KINDS_CUH

#include <cstdint>

namespace dpl
{

enum kind { BITS, BYTES, HALVES };

template <kind K>
struct kind_of {
    typedef int sum;
    enum { TIMES = K == BITS ? 2 : 1 };
};
template <>
struct kind_of<HALVES> {
    typedef float sum;
    enum { TIMES = 1 };
};

enum {
    LINE = 128,          /* bytes */
    TILE = 128,          /* rows of a tile; rows are padded to whole tiles */
    SLICE = TILE * LINE, /* bytes of a line of all rows of a tile */
    STEPS = 4,           /* matrix instructions for a line */
};

} // namespace dpl
#endif
