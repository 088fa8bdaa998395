/*
 * hopper_halves.cu - rows of float16 numbers on sm_90a: one line is 64 of them.
 */
#include "compare_hopper.cuh"

namespace dpl
{

cudaError_t compare_halves_hopper(const job &j, int n_processors, cudaStream_t stream)
{
    return launch<HALVES, 0>(j, n_processors, stream);
}

} // namespace dpl
