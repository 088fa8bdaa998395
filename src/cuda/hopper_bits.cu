/*
 * hopper_bits.cu - rows of bits on sm_90a: one line is 1024 bits.
 */
#include "compare_hopper.cuh"

namespace dpl
{

cudaError_t compare_bits_hopper(const job &j, int n_processors, cudaStream_t stream)
{
    return j.n_lines == 1 ? launch<BITS, 1>(j, n_processors, stream)
                          : compare_long_bits_hopper(j, n_processors, stream);
}

} // namespace dpl
