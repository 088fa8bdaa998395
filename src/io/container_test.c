#include "io/container.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "io/sections.h"
#include "kernels/kernels.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static dpl_status write_sample(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__writer *w = NULL;
    DPL_TRY(dpl__writer_new(&w, ctx, user, "sample", err));
    static const uint32_t numbers[] = {1, 2, 3, 5, 8};
    unsigned reserved = 0;
    uint32_t crc[2];
    dpl_status s = dpl__writer_add(w, "numbers", 4, numbers, sizeof numbers, err);
    if (s == DPL_OK)
        s = dpl__writer_add(w, "empty", 1, NULL, 0, err);
    if (s == DPL_OK)
        s = dpl__writer_reserve(w, &reserved, "pieces", 1, 10, err);
    if (s == DPL_OK)
        s = dpl__writer_begin(w, "growing", 1, err);
    for (int i = 0; i < 50 && s == DPL_OK; i++)
        s = dpl__writer_append(w, "abcdefg", 7, err);
    if (s == DPL_OK)
        s = dpl__writer_put(w, (dpl__piece){reserved, 6, "WXYZ", 4}, &crc[1], err);
    if (s == DPL_OK)
        s = dpl__writer_put(w, (dpl__piece){reserved, 0, "PQRSTU", 6}, &crc[0], err);
    if (s == DPL_OK) {
        dpl__writer_join(w, reserved, crc[0], 6);
        dpl__writer_join(w, reserved, crc[1], 4);
        s = dpl__writer_finish(w, NULL, err);
    }
    dpl__writer_free(w);
    return s;
}

DPL_TEST(container, what_was_written_is_read_again)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *path = test_path("a.dpl");
    CHECK_OK(write_sample((void *)(uintptr_t)path, ctx, &test_err));
    dpl_file *f = NULL;
    CHECK_OK(dpl_file_open(&f, ctx, path, &test_err));
    CHECK_OK(dpl_file_check(f, &test_err));
    CHECK_STR(dpl__cstr(dpl_file_get_info(f).kind), "sample");
    CHECK_EQ(dpl_file_get_info(f).n_sections, 4);
    dpl_section s;
    CHECK(dpl_file_find(f, "numbers", &s));
    CHECK_EQ(s.n_bytes, 20);
    CHECK_EQ((uintptr_t)s.data % 64, 0);
    CHECK_EQ(((const uint32_t *)s.data)[4], 8);
    CHECK(dpl_file_find(f, "pieces", &s));
    CHECK_STR(((dpl_str){s.data, s.n_bytes}), "PQRSTUWXYZ");
    CHECK(dpl_file_find(f, "growing", &s));
    CHECK_EQ(s.n_bytes, 350);
    CHECK(!dpl_file_find(f, "other", &s));
    dpl_file_close(f);
    test_ctx_done(ctx);
}

/* Opening and checking must refuse the bytes, with a line that says where. */
static void check_refused(dpl_ctx *ctx, const char *path, const char *what, size_t at)
{
    dpl_file *f = NULL;
    dpl_error err = {0};
    dpl_status s = dpl_file_open(&f, ctx, path, &err);
    if (s == DPL_OK)
        s = dpl_file_check(f, &err);
    dpl_file_close(f);
    if (s != DPL_E_FORMAT && s != DPL_E_UNSUPPORTED)
        dpl__test_fail(__FILE__, __LINE__, "%s at %zu: %s", what, at, dpl_status_name(s));
    bool names_place = strstr(err.text, "section") || strstr(err.text, "header") ||
                       strstr(err.text, "version");
    if (!names_place)
        dpl__test_fail(__FILE__, __LINE__, "%s at %zu: '%s' names no place", what, at,
                       err.text);
}

DPL_TEST(container, every_truncation_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("a.dpl");
    CHECK_OK(write_sample((void *)(uintptr_t)path, ctx, &test_err));
    size_t n;
    char *bytes = test_read(path, &n);
    for (size_t keep = 0; keep < n; keep++)
        check_refused(ctx, test_write("cut.dpl", bytes, keep), "truncation", keep);
    free(bytes);
    test_ctx_done(ctx);
}

DPL_TEST(container, every_flipped_byte_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("a.dpl");
    CHECK_OK(write_sample((void *)(uintptr_t)path, ctx, &test_err));
    size_t n;
    char *bytes = test_read(path, &n);
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (char)(bytes[i] ^ (1 << (i % 8)));
        check_refused(ctx, test_write("flip.dpl", bytes, n), "flipped byte", i);
        bytes[i] = (char)(bytes[i] ^ (1 << (i % 8)));
    }
    free(bytes);
    test_ctx_done(ctx);
}

/* Headers whose checksums are right but whose numbers are not: a hostile file. */
DPL_TEST(container, numbers_out_of_bounds_are_refused_even_with_good_checksums)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_path("a.dpl");
    CHECK_OK(write_sample((void *)(uintptr_t)path, ctx, &test_err));
    size_t n;
    char *bytes = test_read(path, &n);
    char *copy = malloc(n);
    CHECK(copy != NULL);
    size_t table = (size_t)dpl__load64(bytes + 40);
    dpl__rng rng = {5};
    for (int round = 0; round < 3000; round++) {
        memcpy(copy, bytes, n);
        static const uint64_t values[] = {0,         1,          63,       64,
                                          65,        1000,       1u << 31, UINT32_MAX,
                                          INT64_MAX, UINT64_MAX, 7,        UINT64_MAX - 63};
        uint64_t value = values[dpl__rng_below(&rng, DPL_LEN(values))];
        bool in_header = round % 4 == 0;
        size_t at = in_header ? 12 + 4 * dpl__rng_below(&rng, 11)
                              : table + 4 * dpl__rng_below(&rng, (n - table) / 4);
        size_t width = at + 8 <= (in_header ? 56u : n) && round % 2 ? 8 : 4;
        memcpy(copy + at, &value, width);
        uint32_t crc = ctx->kernels->crc32c(0, copy + table, n - table);
        memcpy(copy + 56, &crc, 4);
        crc = ctx->kernels->crc32c(0, copy, 60);
        memcpy(copy + 60, &crc, 4);
        dpl_file *f = NULL;
        if (dpl_file_open(&f, ctx, test_write("bad.dpl", copy, n), NULL) == DPL_OK) {
            for (size_t i = 0; i < dpl_file_get_info(f).n_sections;
                 i++) { /* every byte can be read */
                dpl_section s = dpl_file_section(f, i);
                (void)ctx->kernels->crc32c(0, s.data, s.n_bytes);
            }
            (void)dpl_file_check(f, NULL);
        }
        dpl_file_close(f);
    }
    free(copy);
    free(bytes);
    test_ctx_done(ctx);
}

DPL_TEST(container, a_failed_write_leaves_the_old_file_alone)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *path = test_write("old.dpl", "old", 3);
    dpl__writer *w = NULL;
    CHECK_OK(dpl__writer_new(&w, ctx, path, "sample", &test_err));
    CHECK_OK(dpl__writer_add(w, "x", 1, "abc", 3, &test_err));
    dpl__writer_free(w); /* no finish */
    size_t n;
    char *bytes = test_read(path, &n);
    CHECK_EQ(n, 3);
    free(bytes);
    CHECK_EQ(dpl__writer_new(&w, ctx, test_path("no/such/dir/x"), "sample", &test_err),
             DPL_E_IO);
    test_ctx_done(ctx);
}

DPL_TEST(container, survives_every_failing_allocation)
{
    test_allocation_failures(write_sample, (void *)(uintptr_t)test_path("a.dpl"));
}

static dpl_status detect_sample(void *path, dpl_ctx *ctx, dpl_error *err)
{
    char kind[DPL_FILE_KIND] = "untouched";
    const dpl_status status = dpl_file_detect(kind, ctx, path, err);
    CHECK_STR(dpl__cstr(kind), status == DPL_OK ? "sample" : "");
    return status;
}

DPL_TEST(container, a_kind_is_detected_or_the_file_is_damaged)
{
    dpl_ctx *ctx = test_ctx(1);
    char path[600], kind[DPL_FILE_KIND];
    snprintf(path, sizeof path, "%s", test_path("a.dpl"));
    CHECK_OK(write_sample(path, ctx, &test_err));
    CHECK_OK(detect_sample(path, ctx, &test_err));
    const char *others[] = {NULL, test_path("missing"), test_path("."),
                            test_write("empty", "", 0), test_write("text", "a text", 6)};
    for (size_t i = 0; i < DPL_LEN(others); i++) {
        CHECK_OK(dpl_file_detect(kind, ctx, others[i], &test_err));
        CHECK_STR(dpl__cstr(kind), "");
    }
    const char *cut = test_write("cut", DPL__CONTAINER_MAGIC "sample", 14);
    CHECK_EQ(dpl_file_detect(kind, ctx, cut, &test_err), DPL_E_FORMAT);
    CHECK_STR(dpl__cstr(kind), "");
    test_ctx_done(ctx);
    test_allocation_failures(detect_sample, path);
}

DPL_TEST(container, one_without_a_name_is_opened_and_saved)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__writer *w = NULL;
    dpl_file *f = NULL;
    CHECK_OK(dpl__writer_new(&w, ctx, NULL, "sample", &test_err));
    CHECK_OK(dpl__writer_add(w, "bytes", 1, "abc", 3, &test_err));
    CHECK_OK(dpl__writer_open(w, &f, &test_err));
    dpl__writer_free(w);
    CHECK_OK(dpl_file_check(f, &test_err));
    CHECK_STR(dpl__cstr(dpl_file_get_info(f).path), "(memory)");
    CHECK_OK(dpl__file_save(f, test_path("saved.dpl"), &test_err));
    dpl_file_close(f);
    CHECK_OK(dpl_file_open(&f, ctx, test_path("saved.dpl"), &test_err));
    CHECK_OK(dpl_file_check(f, &test_err));
    dpl_section s;
    CHECK(dpl_file_find(f, "bytes", &s));
    CHECK_STR(((dpl_str){s.data, s.n_bytes}), "abc");
    dpl_file_close(f);
    test_ctx_done(ctx);
}

DPL_TEST(container, an_unknown_section_that_is_required_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    for (int is_known = 0; is_known < 2; is_known++) {
        dpl__writer *w = NULL;
        dpl_file *f = NULL;
        CHECK_OK(dpl__writer_new(&w, ctx, NULL, "signatures", &test_err));
        CHECK_OK(dpl__writer_add(w, is_known ? "words" : "surprise", 1, "abc", 3, &test_err));
        CHECK_OK(dpl__writer_open(w, &f, &test_err));
        dpl__writer_free(w);
        CHECK_EQ(dpl__check_kind(f, "signatures", &test_err),
                 is_known ? DPL_OK : DPL_E_UNSUPPORTED);
        CHECK(is_known || strstr(test_err.text, "section 'surprise' is required"));
        CHECK_EQ(dpl__check_kind(f, "vectors", &test_err), DPL_E_USAGE);
        dpl_file_close(f);
    }
    test_ctx_done(ctx);
}
