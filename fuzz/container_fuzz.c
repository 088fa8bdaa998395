/*
 * container_fuzz.c - hostile container files.
 *
 * Each input is opened as it is, and once more with all checksums made right, so that the
 * checks behind them are reached. Property: what opens can be walked to its end; a collection
 * that opens holds valid text and rising rows.
 */
#define _GNU_SOURCE /* memfd_create */
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

static uint64_t checksum; /* keeps reads alive */

static void touch(dpl_str s)
{
    for (size_t i = 0; i < s.n; i++)
        checksum += (unsigned char)s.data[i];
}

static void walk_collection(const dpl_collection *c)
{
    const dpl_collection_sizes *size = dpl_collection_size(c);
    uint32_t number;
    for (uint32_t d = 0; d < size->n_docs; d++) {
        dpl_doc doc = dpl_collection_doc(c, d);
        touch(doc.id), touch(doc.lang), touch(doc.title), touch(doc.text), touch(doc.extra);
        (void)dpl_collection_find_doc(c, doc.id, &number);
        size_t n;
        const uint32_t *counts, *tokens = dpl_collection_tokens(c, d, &n);
        for (size_t i = 0; i < n; i++)
            touch(dpl_collection_term(c, tokens[i]));
        const uint32_t *terms = dpl_collection_row(c, d, &counts, &n);
        for (size_t i = 0; i < n; i++) {
            REQUIRE(i == 0 || terms[i] > terms[i - 1]);
            checksum += counts[i] + dpl_collection_doc_count(c, terms[i]);
        }
        for (size_t i = 0; i < dpl_collection_n_sentences(c, d); i++)
            touch(dpl_collection_sentence_text(c, d, i));
    }
    for (uint32_t t = 0; t < size->n_terms; t++)
        (void)dpl_collection_find_term(c, dpl_collection_term(c, t), &number);
}

static void open_bytes(dpl_ctx *ctx, const uint8_t *data, size_t n)
{
    static int fd = -1;
    if (fd < 0)
        REQUIRE((fd = memfd_create("fuzz", 0)) >= 0);
    REQUIRE(ftruncate(fd, 0) == 0 && pwrite(fd, data, n, 0) == (ssize_t)n);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    dpl_file *f = NULL;
    if (dpl_file_open(&f, ctx, path, NULL) == DPL_OK) {
        for (size_t i = 0; i < dpl_file_n_sections(f); i++) {
            dpl_section s = dpl_file_section(f, i);
            touch((dpl_str){s.data, s.n_bytes});
            REQUIRE((uintptr_t)s.data % DPL__CONTAINER_ALIGN == 0);
        }
        (void)dpl_file_check(f, NULL);
        dpl_file_close(f);
    }
    dpl_collection *c = NULL;
    if (dpl_collection_open(&c, ctx, path, NULL) == DPL_OK)
        walk_collection(c);
    dpl_collection_close(c);
}

static void put32(uint8_t *p, uint32_t x)
{
    memcpy(p, &x, sizeof x);
}

/* Right sizes and checksums wherever the bytes allow. */
static void repair(dpl_ctx *ctx, uint8_t *p, size_t n)
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
                put32(e + 56, ctx->kernels->crc32c(0, p + offset, bytes));
        }
        put32(p + 56, ctx->kernels->crc32c(0, p + table, n - table));
    }
    put32(p + 60, ctx->kernels->crc32c(0, p, 60));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx;
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &(dpl_ctx_options){.n_threads = 1}, NULL) == DPL_OK);
    open_bytes(ctx, data, n);
    uint8_t *copy = malloc(n + 1);
    REQUIRE(copy != NULL);
    memcpy(copy, data, n);
    repair(ctx, copy, n);
    open_bytes(ctx, copy, n);
    free(copy);
    return 0;
}
