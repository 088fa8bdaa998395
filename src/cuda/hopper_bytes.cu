/*
 * hopper_bytes.cu - rows of signed bytes on sm_90a: one line is 128 of them.
 */
#include "compare_hopper.cuh"

namespace dpl
{

cudaError_t compare_bytes_hopper(const job &j, int n_processors, cudaStream_t stream)
{
    return j.n_lines == 4 ? launch<BYTES, 4>(j, n_processors, stream)
                          : launch<BYTES, 0>(j, n_processors, stream);
}

} // namespace dpl
