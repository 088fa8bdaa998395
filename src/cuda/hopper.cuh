/*
 * hopper.cuh - instructions of sm_90a: barriers in shared memory, bulk copies, and matrix
 * products of a warp group (64 rows x 128 columns x 32 bytes of each) from shared memory.
 *
 * Operands stand in lines of 128 bytes with the 128-byte swizzle: the 16-byte piece c of row r
 * is at c ^ (r & 7). Eight rows are 1024 bytes.
 */
#ifndef DPL_CUDA_HOPPER_CUH
#define DPL_CUDA_HOPPER_CUH

#include "kinds.cuh"

namespace dpl
{

__device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ __forceinline__ void bar_init(uint64_t *b, int n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(n));
}

__device__ __forceinline__ void bar_init_done()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void bar_expect(uint64_t *b, int n_bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(b)),
                 "r"(n_bytes)
                 : "memory");
}

__device__ __forceinline__ void bar_arrive(uint64_t *b)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}

__device__ __forceinline__ void bar_wait(uint64_t *b, int parity)
{
    asm volatile("{\n.reg .pred p;\nW:\n"
                 "mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
                 "@p bra D;\nbra W;\nD:\n}\n" ::"r"(shared_address(b)),
                 "r"(parity)
                 : "memory");
}

/* n_bytes from global to shared memory; the barrier counts them. */
__device__ __forceinline__ void bulk_copy(void *to, const void *from, int n_bytes, uint64_t *b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(n_bytes), "r"(shared_address(b))
                 : "memory");
}

/* The same into the shared memory of both blocks of a cluster, and the barrier of each. */
__device__ __forceinline__ void bulk_copy_both(void *to, const void *from, int n_bytes,
                                               uint64_t *b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(n_bytes), "r"(shared_address(b)), "h"((uint16_t)3)
                 : "memory");
}

/* ---- clusters of two blocks ------------------------------------------------------------ */

__device__ __forceinline__ uint32_t cluster_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* All threads of the cluster. */
__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

/* The same place in the shared memory of a block of the cluster. */
__device__ __forceinline__ uint32_t shared_of(const void *p, uint32_t rank)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there)
                 : "r"(shared_address(p)), "r"(rank));
    return there;
}

__device__ __forceinline__ void bar_arrive_of(uint64_t *b, uint32_t rank)
{
    asm volatile(
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(shared_of(b, rank))
        : "memory");
}

/* What a thread of another block wrote before it arrived is seen. */
__device__ __forceinline__ void bar_wait_cluster(uint64_t *b, int parity)
{
    asm volatile("{\n.reg .pred p;\nW:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
                 "@p bra D;\nbra W;\nD:\n}\n" ::"r"(shared_address(b)),
                 "r"(parity)
                 : "memory");
}

__device__ __forceinline__ void store_of(uint32_t *p, uint32_t value, uint32_t rank)
{
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(shared_of(p, rank)), "r"(value)
                 : "memory");
}

/* A matrix operand: 128-byte swizzle, 1024 bytes from eight rows to the next eight. Adding 2
 * goes to the next 32 bytes of every row. */
__device__ __forceinline__ uint64_t operand(uint32_t address)
{
    return (uint64_t)((address & 0x3FFFF) >> 4) | (uint64_t)1 << 16 |
           (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

__device__ __forceinline__ void wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
}

__device__ __forceinline__ void wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
}

/* Until at most N groups are under way. */
template <int N>
__device__ __forceinline__ void wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(N) : "memory");
}

#define DPL_ACC8_r(d, i)                                                                       \
    "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3]), "+r"(d[i + 4]),                \
        "+r"(d[i + 5]), "+r"(d[i + 6]), "+r"(d[i + 7])
#define DPL_ACC64_r(d)                                                                         \
    DPL_ACC8_r(d, 0), DPL_ACC8_r(d, 8), DPL_ACC8_r(d, 16), DPL_ACC8_r(d, 24),                  \
        DPL_ACC8_r(d, 32), DPL_ACC8_r(d, 40), DPL_ACC8_r(d, 48), DPL_ACC8_r(d, 56)
#define DPL_ACC8_f(d, i)                                                                       \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]),                \
        "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define DPL_ACC64_f(d)                                                                         \
    DPL_ACC8_f(d, 0), DPL_ACC8_f(d, 8), DPL_ACC8_f(d, 16), DPL_ACC8_f(d, 24),                  \
        DPL_ACC8_f(d, 32), DPL_ACC8_f(d, 40), DPL_ACC8_f(d, 48), DPL_ACC8_f(d, 56)

/* d = scale * d + a b, for 32 bytes of each row. */
template <kind K>
__device__ __forceinline__ void wgmma(typename kind_of<K>::sum (&d)[64], uint64_t a, uint64_t b,
                                      int scale);

template <>
__device__ __forceinline__ void wgmma<BITS>(int (&d)[64], uint64_t a, uint64_t b, int scale)
{
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k256.s32.b1.b1.and.popc "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "
        "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
        "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
        ", %64, %65, p;\n}\n"
        : DPL_ACC64_r(d)
        : "l"(a), "l"(b), "r"(scale));
}

template <>
__device__ __forceinline__ void wgmma<BYTES>(int (&d)[64], uint64_t a, uint64_t b, int scale)
{
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "
        "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
        "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
        ", %64, %65, p;\n}\n"
        : DPL_ACC64_r(d)
        : "l"(a), "l"(b), "r"(scale));
}

template <>
__device__ __forceinline__ void wgmma<HALVES>(float (&d)[64], uint64_t a, uint64_t b, int scale)
{
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "
        "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
        "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"
        ", %64, %65, p, 1, 1, 0, 0;\n}\n"
        : DPL_ACC64_f(d)
        : "l"(a), "l"(b), "r"(scale));
}

/* The same for bits and 256 columns. */
__device__ __forceinline__ void wgmma_wide(int (&d)[128], uint64_t a, uint64_t b, int scale)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k256.s32.b1.b1.and.popc "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, "
                 "%31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "
                 "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, "
                 "%61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, "
                 "%76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, "
                 "%91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, "
                 "%105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, "
                 "%117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}"
                 ", %128, %129, p;\n}\n"
                 : DPL_ACC64_r(d), DPL_ACC8_r(d, 64), DPL_ACC8_r(d, 72), DPL_ACC8_r(d, 80),
                   DPL_ACC8_r(d, 88), DPL_ACC8_r(d, 96), DPL_ACC8_r(d, 104), DPL_ACC8_r(d, 112),
                   DPL_ACC8_r(d, 120)
                 : "l"(a), "l"(b), "r"(scale));
}

#undef DPL_ACC8_r
#undef DPL_ACC64_r
#undef DPL_ACC8_f
#undef DPL_ACC64_f

} // namespace dpl
#endif
