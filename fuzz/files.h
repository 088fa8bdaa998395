/*
 * files.h - what the fuzz targets of our files share: bytes as a file, checksums made right.
 * Needs _GNU_SOURCE for memfd_create.
 */
#ifndef DPL_FUZZ_FILES_H
#define DPL_FUZZ_FILES_H

#include "fuzz.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "doppel/doppel.h"
#include "io/container.h"
#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t fuzz_checksum; /* keeps reads alive */

static inline void fuzz_touch(dpl_str s)
{
    for (size_t i = 0; i < s.n; i++)
        fuzz_checksum += (unsigned char)s.data[i];
}

/* The bytes as a file without a name, until the next call. */
static inline int fuzz_file(const uint8_t *data, size_t n)
{
    static int fd = -1;
    if (fd < 0)
        REQUIRE((fd = memfd_create("fuzz", 0)) >= 0);
    REQUIRE(ftruncate(fd, 0) == 0 && pwrite(fd, data, n, 0) == (ssize_t)n);
    return fd;
}

static inline void fuzz_put32(uint8_t *p, uint32_t x)
{
    memcpy(p, &x, sizeof x);
}

/* Right sizes and checksums wherever the bytes allow. */
static inline void fuzz_repair(dpl_ctx *ctx, uint8_t *p, size_t n)
{
    if (n < DPL__CONTAINER_HEADER)
        return;
    uint64_t size = n, table = dpl__load64(p + 40), n_sections = dpl__load32(p + 12);
    memcpy(p + 32, &size, sizeof size);
    if (table <= n && n - table == n_sections * DPL__CONTAINER_ENTRY) {
        for (uint64_t i = 0; i < n_sections; i++) {
            uint8_t *e = p + table + i * DPL__CONTAINER_ENTRY;
            uint64_t offset = dpl__load64(e + 32), bytes = dpl__load64(e + 40);
            if (offset <= table && bytes <= table - offset)
                fuzz_put32(e + 56, ctx->kernels->crc32c(0, p + offset, bytes));
        }
        fuzz_put32(p + 56, ctx->kernels->crc32c(0, p + table, n - table));
    }
    fuzz_put32(p + 60, ctx->kernels->crc32c(0, p, 60));
}

/* Opens the bytes as they are, and once more with all checksums made right, so that the checks
 * behind them are reached. */
static inline void fuzz_open_both(const uint8_t *data, size_t n,
                                  void (*open_file)(dpl_ctx *ctx, const char *path))
{
    enum { MEMORY = 64 << 20 };
    static dpl_ctx *ctx;
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx,
                            &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1,
                                                       .memory = MEMORY),
                            NULL) == DPL_OK);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fuzz_file(data, n));
    open_file(ctx, path);
    uint8_t *copy = malloc(n + 1);
    REQUIRE(copy != NULL);
    memcpy(copy, data, n);
    fuzz_repair(ctx, copy, n);
    fuzz_file(copy, n);
    open_file(ctx, path);
    free(copy);
}

#endif
