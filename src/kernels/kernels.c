/*
 * kernels.c - which instruction sets this machine has, and the table for each.
 */
#define _DEFAULT_SOURCE 1 /* syscall */
#include "kernels/kernels.h"

#include <pthread.h>

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

static dpl__kernels tables[DPL_CPU_AMX + 1];
static dpl_cpu best = DPL_CPU_SCALAR;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Whether there are tiles of signed bytes, and the system lets us use them: a process has to
 * ask, because they make its context larger. */
static bool has_amx(void)
{
#if defined(__x86_64__) && defined(__linux__) && defined(SYS_arch_prctl)
    enum { REQUEST_STATE = 0x1023, TILE_DATA = 18 };
    const unsigned tiles = 1u << 24, int8_tiles = 1u << 25;
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & tiles) && (d & int8_tiles) &&
           syscall(SYS_arch_prctl, REQUEST_STATE, TILE_DATA) == 0;
#else
    return false;
#endif
}

static void fill_tables(void)
{
    dpl__kernels_scalar(&tables[DPL_CPU_SCALAR]);
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool has_sse42 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    bool has_avx2 =
        has_sse42 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    bool has_avx512 =
        has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vnni");
    best = has_avx512 && has_amx() ? DPL_CPU_AMX
           : has_avx512            ? DPL_CPU_AVX512
           : has_avx2              ? DPL_CPU_AVX2
           : has_sse42             ? DPL_CPU_SSE42
                                   : DPL_CPU_SCALAR;
    static void (*const levels[])(dpl__kernels *) = {
        [DPL_CPU_SSE42] = dpl__kernels_sse42,
        [DPL_CPU_AVX2] = dpl__kernels_avx2,
        [DPL_CPU_AVX512] = dpl__kernels_avx512,
        [DPL_CPU_AMX] = dpl__kernels_amx,
    };
    /* A level above the best may use its instructions even to fill its table. */
    for (int level = DPL_CPU_SSE42; level <= (int)best; level++) {
        tables[level] = tables[level - 1];
        levels[level](&tables[level]);
    }
#endif
}

dpl_cpu dpl_cpu_best(void)
{
    pthread_once(&once, fill_tables);
    return best;
}

const dpl__kernels *dpl__kernels_for(dpl_cpu cpu)
{
    pthread_once(&once, fill_tables);
    assert(cpu > DPL_CPU_AUTO && cpu <= best);
    return &tables[cpu];
}

static const char *const names[] = {"auto", "scalar", "sse4.2", "avx2", "avx512", "amx"};

const char *dpl_cpu_name(dpl_cpu cpu)
{
    return (unsigned)cpu < DPL_LEN(names) ? names[cpu] : NULL;
}

/* ---- joining CRCs ------------------------------------------------------------------- */

/* a * b modulo the polynomial, bits reflected: bit 31 is x^0. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (uint32_t bit = 0x80000000u; bit; bit >>= 1) {
        if (a & bit)
            product ^= b;
        b = b >> 1 ^ (b & 1 ? DPL__CRC32C : 0);
    }
    return product;
}

uint32_t dpl__crc32c_join(uint32_t crc_a, uint32_t crc_b, uint64_t n_b)
{
    uint32_t power = 0x80000000u;  /* x^0 */
    uint32_t square = 0x00800000u; /* x^8: one byte */
    for (; n_b; n_b >>= 1) {
        if (n_b & 1)
            power = multiply(power, square);
        square = multiply(square, square);
    }
    return multiply(power, crc_a) ^ crc_b;
}
