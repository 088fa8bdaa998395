/*
 * bzip2_fuzz.c - any bytes as a bzip2 file: the bytes and the success of libbz2, with every
 * instruction set, on one thread and on two. What does not begin like a file is put behind the
 * beginning of one, so that a block's header follows.
 */
#include "fuzz.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "io/input.h"

#include <bzlib.h>

enum { MOST = 400000 }; /* bytes of output looked at: a small file may unpack to any size */

typedef struct result {
    char out[MOST];
    size_t n;
    bool is_good;
} result;

static void read_with_libbz2(result *r, const char *p, size_t n)
{
    r->n = 0;
    r->is_good = true;
    while (n > 0 && r->is_good && r->n < MOST) {
        bz_stream s = {.next_in = (char *)(uintptr_t)p, .avail_in = (unsigned)n};
        REQUIRE(BZ2_bzDecompressInit(&s, 0, 1) == BZ_OK);
        int code;
        do {
            s.next_out = r->out + r->n;
            s.avail_out = (unsigned)(MOST - r->n);
            code = BZ2_bzDecompress(&s);
            r->n = MOST - s.avail_out;
        } while (code == BZ_OK && s.avail_in > 0 && r->n < MOST);
        p += n - s.avail_in;
        n = s.avail_in;
        BZ2_bzDecompressEnd(&s);
        r->is_good = code == BZ_STREAM_END;
    }
}

static void read_with_ours(result *r, dpl_ctx *ctx, const char *p, size_t n)
{
    dpl__input *in = NULL;
    dpl_error err = {0};
    size_t got = 1;
    r->n = 0;
    REQUIRE(dpl__input_open_memory(&in, ctx, "fuzz", p, n, NULL) == DPL_OK);
    dpl_status status = DPL_OK;
    while (status == DPL_OK && got > 0 && r->n < MOST) {
        status = dpl__input_read(in, r->out + r->n, MOST - r->n, &got, &err);
        r->n += status == DPL_OK ? got : 0;
    }
    r->is_good = status == DPL_OK;
    REQUIRE(r->is_good || (status == DPL_E_FORMAT && err.offset <= n));
    dpl__input_close(in);
}

static dpl_ctx *ctx_of(dpl_cpu cpu, unsigned n_threads)
{
    static dpl_ctx *all[DPL_CPU_AMX + 1][2];
    dpl_ctx **ctx = &all[cpu][n_threads - 1];
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = n_threads, .cpu = cpu);
    if (!*ctx)
        REQUIRE(dpl_ctx_new(ctx, &o, NULL) == DPL_OK);
    return *ctx;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char begin[] = "BZh11AY&SY\0\0\0"; /* and the last byte of the CRC */
    static result expected, ours;
    static char file[1 << 20];
    size_t n_begin = n > 4 && memcmp(data, "BZh", 3) == 0 ? 0 : sizeof begin;
    if (n + n_begin > sizeof file || (n_begin == 0 && (data[3] < '1' || data[3] > '9')))
        return 0;
    memcpy(file, begin, n_begin);
    if (n)
        memcpy(file + n_begin, data, n);
    n += n_begin;
    read_with_libbz2(&expected, file, n);
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        unsigned n_threads = n % 16 == (unsigned)cpu ? 2 : 1; /* few: threads take time */
        read_with_ours(&ours, ctx_of((dpl_cpu)cpu, n_threads), file, n);
        REQUIRE(ours.n == expected.n && memcmp(ours.out, expected.out, ours.n) == 0);
        REQUIRE(ours.n == MOST || ours.is_good == expected.is_good);
    }
    return 0;
}
