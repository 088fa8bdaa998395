/*
 * hopper_long_bits.cu - rows of more than 1024 bits on sm_90a; in a file of its own, because
 * these kernels take long to compile.
 */
#include "compare_hopper.cuh"

namespace dpl
{

cudaError_t compare_long_bits_hopper(const job &j, int n_processors, cudaStream_t stream)
{
    switch (j.n_lines) {
    case 2: return launch<BITS, 2>(j, n_processors, stream);
    case 4: return launch<BITS, 4>(j, n_processors, stream);
    }
    return launch<BITS, 0>(j, n_processors, stream);
}

} // namespace dpl
