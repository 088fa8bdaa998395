/*
 * sort.cu - numbers in order, by the toolkit's radix sort.
 */
#include "engine.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace dpl
{

uint64_t *sort_numbers(buffer<unsigned char> &scratch, uint64_t *a, uint64_t *b, size_t n,
                       int first, int end, cudaStream_t stream)
{
    cub::DoubleBuffer<uint64_t> both(a, b);
    size_t n_bytes = 0;
    check(
        cub::DeviceRadixSort::SortKeys(nullptr, n_bytes, both, (int64_t)n, first, end, stream),
        "a sort");
    if (scratch.size() < n_bytes)
        scratch.make(n_bytes, stream);
    check(cub::DeviceRadixSort::SortKeys(scratch.get(), n_bytes, both, (int64_t)n, first, end,
                                         stream),
          "a sort");
    return both.Current();
}

} // namespace dpl
