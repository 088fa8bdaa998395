#include "vectors/dense.h"

#include "base/hash.h"
#include "base/vec.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- files -------------------------------------------------------------------------- */

/* A .npy file of this version, header and data. */
static const char *write_npy(const char *name, int version, const char *header,
                             const void *data, size_t n)
{
    static char bytes[1 << 16];
    size_t n_header = strlen(header), at = 8;
    CHECK(n_header + n + 12 < sizeof bytes);
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (char)version;
    bytes[7] = 0;
    for (int i = 0; i < (version == 1 ? 2 : 4); i++)
        bytes[at++] = (char)(n_header >> 8 * i);
    memcpy(bytes + at, header, n_header);
    if (n)
        memcpy(bytes + at + n_header, data, n);
    return test_write(name, bytes, at + n_header + n);
}

#define HEADER(type, shape)                                                                    \
    "{'descr': '" type "', 'fortran_order': False, 'shape': " shape ", }      \n"

static dpl_vectors *open_dense(dpl_ctx *ctx, const char *path)
{
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_vectors_open(&v, ctx, path, &test_err));
    return v;
}

static void check_refused(const char *path, dpl_status status, const char *message)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *v = NULL;
    dpl_status have = dpl_vectors_open(&v, ctx, path, &test_err);
    if (have != status || !strstr(test_err.text, message))
        dpl__test_fail(__FILE__, __LINE__, "%s: '%s', expected '%s'", dpl_status_name(have),
                       test_err.text, message);
    CHECK(!v);
    test_ctx_done(ctx);
}

/* ---- what is read ------------------------------------------------------------------- */

static const float rows[3][2] = {{3, 4}, {0, -2}, {1, 0}};

static void check_rows(const dpl_vectors *v)
{
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, 3);
    CHECK_EQ(dpl_vectors_get_sizes(v)->dim, 2);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_terms, 0);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_entries, 6);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_dropped, 0);
    CHECK(dpl_vectors_dense(v, 0)[0] == 0.6f && dpl_vectors_dense(v, 0)[1] == 0.8f);
    CHECK(dpl_vectors_dense(v, 1)[0] == 0 && dpl_vectors_dense(v, 1)[1] == -1);
    CHECK(dpl_vectors_dense(v, 2)[0] == 1 && dpl_vectors_dense(v, 2)[1] == 0);
    CHECK_STR(dpl_vectors_id(v, 0), "0");
    CHECK_STR(dpl_vectors_id(v, 2), "2");
    CHECK_STR(dpl_vectors_get_info(v).space, "dense 2");
    CHECK_STR(dpl_vectors_get_info(v).lang, "");
    CHECK(fabs(dpl_vectors_cosine(v, 0, v, 1) + 0.8) < 1e-6);
}

DPL_TEST(dense, npy_is_read_in_all_its_versions)
{
    dpl_ctx *ctx = test_ctx(2);
    for (int version = 1; version <= 3; version++) {
        const char *path =
            write_npy("x.npy", version, HEADER("<f4", "(3, 2)"), rows, sizeof rows);
        dpl_vectors *v = open_dense(ctx, path);
        check_rows(v);
        CHECK_STR(dpl_vectors_get_info(v).settings, "{\"format\":\"npy\",\"bits\":32}");
        dpl_vectors_close(v);
    }
    /* told by its first bytes; keys in any order, other quotes */
    const char *header = "{\"shape\":(3,2),\"fortran_order\":False,\"descr\":\"<f4\"}";
    dpl_vectors *v = open_dense(ctx, write_npy("x.data", 1, header, rows, sizeof rows));
    check_rows(v);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(dense, npy_of_half_precision_is_read)
{
    static const uint16_t halves[3][2] = {{0x4200, 0x4400}, {0x0000, 0xC000}, {0x3C00, 0x8000}};
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *v =
        open_dense(ctx, write_npy("x.npy", 1, HEADER("<f2", "(3, 2)"), halves, sizeof halves));
    check_rows(v);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(dense, half_precision_numbers_are_what_their_bits_say)
{
    for (uint32_t bits = 0; bits < 65536; bits++) {
        int exponent = bits >> 10 & 31, sign = bits >> 15 ? -1 : 1;
        double fraction = (bits & 1023) / 1024.0;
        float have = dpl__half((uint16_t)bits);
        if (exponent == 31) {
            CHECK(fraction > 0 ? isnan(have) : isinf(have) && (have > 0) == (sign > 0));
            continue;
        }
        double expected =
            sign * (exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14));
        CHECK((double)have == expected && !!signbit(have) == (sign < 0));
    }
}

static const char *write_fvecs(const char *name, const float *data, size_t n)
{
    char bytes[200];
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t dim = 2;
        memcpy(bytes + at, &dim, 4);
        memcpy(bytes + at + 4, data + 2 * i, 8);
        at += 12;
    }
    return test_write(name, bytes, at);
}

DPL_TEST(dense, fvecs_is_read)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *v = open_dense(ctx, write_fvecs("x.fvecs", &rows[0][0], 3));
    check_rows(v);
    CHECK_STR(dpl_vectors_get_info(v).settings, "{\"format\":\"fvecs\",\"bits\":32}");
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(dense, rows_of_zeros_are_dropped_and_the_others_keep_their_numbers)
{
    static const float some[5][2] = {{0, 0}, {3, 4}, {0, -0.0f}, {0, -2}, {1, 0}};
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *v = open_dense(ctx, write_fvecs("x.fvecs", &some[0][0], 5));
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, 3);
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_dropped, 2);
    CHECK_STR(dpl_vectors_id(v, 0), "1");
    CHECK_STR(dpl_vectors_id(v, 2), "4");
    CHECK(dpl_vectors_dense(v, 0)[1] == 0.8f);
    CHECK(dpl_vectors_dense(v, 1)[1] == -1);
    CHECK(dpl_vectors_dense(v, 2)[0] == 1);
    dpl_vectors_close(v);
    v = open_dense(ctx, write_npy("x.npy", 1, HEADER("<f4", "(0, 7)"), NULL, 0));
    CHECK_EQ(dpl_vectors_get_sizes(v)->n_rows, 0);
    CHECK_EQ(dpl_vectors_get_sizes(v)->dim, 7);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(dense, numbers_of_any_size_are_scaled)
{
    static const float some[3][2] = {{3e38f, 3e38f}, {1e-45f, 0}, {1e-30f, 1e30f}};
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = open_dense(ctx, write_fvecs("x.fvecs", &some[0][0], 3));
    CHECK(fabsf(dpl_vectors_dense(v, 0)[0] - 0.70710678f) < 1e-6f);
    CHECK(dpl_vectors_dense(v, 1)[0] == 1);
    CHECK(dpl_vectors_dense(v, 2)[0] == 0 && dpl_vectors_dense(v, 2)[1] == 1);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

/* ---- faults ------------------------------------------------------------------------- */

DPL_TEST(dense, numbers_that_are_none_are_told_with_row_and_column)
{
    float some[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    some[1][1] = NAN;
    check_refused(write_fvecs("x.fvecs", &some[0][0], 3), DPL_E_FORMAT,
                  "x.fvecs': NaN in row 1, column 1 (from 0)");
    CHECK_EQ(test_err.line, 2);
    CHECK_EQ(test_err.column, 2);
    some[0][0] = -INFINITY; /* the first one is told */
    check_refused(write_fvecs("x.fvecs", &some[0][0], 3), DPL_E_FORMAT,
                  "infinity in row 0, column 0");
    static const uint16_t halves[2] = {0, 0x7C00};
    check_refused(write_npy("x.npy", 1, HEADER("<f2", "(1, 2)"), halves, 4), DPL_E_FORMAT,
                  "infinity in row 0, column 1");
}

DPL_TEST(dense, npy_that_is_not_read_is_told_why)
{
    static const struct {
        const char *header, *message;
    } cases[] = {
        {HEADER(">f4", "(3, 2)"), "holds big-endian numbers of type '>f4'"},
        {HEADER("<f8", "(3, 2)"), "holds numbers of type '<f8', not '<f4' or '<f2'"},
        {HEADER("|u1", "(3, 2)"), "holds numbers of type '|u1'"},
        {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3,), }", "a record"},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }", "is in Fortran order"},
        {HEADER("<f4", "(6,)"), "has 1 dimension instead of 2"},
        {HEADER("<f4", "()"), "has 0 dimensions instead of 2"},
        {HEADER("<f4", "(3, 2, 1)"), "has 3 dimensions instead of 2"},
        {HEADER("<f4", "(3, 0)"), "rows of 0 numbers"},
        {HEADER("<f4", "(1, 99999999)"), "rows of 99999999 numbers"},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        check_refused(write_npy("x.npy", 1, cases[i].header, rows, sizeof rows),
                      DPL_E_UNSUPPORTED, cases[i].message);
    check_refused(write_npy("x.npy", 4, HEADER("<f4", "(3, 2)"), rows, sizeof rows),
                  DPL_E_UNSUPPORTED, "is version 4.0 of .npy");
}

DPL_TEST(dense, npy_that_is_damaged_is_refused)
{
    static const char *const headers[] = {
        "",
        "{",
        "{}",
        "[]",
        "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4",
        "{'descr' '<f4', 'fortran_order': False, 'shape': (3, 2)}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (3, 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-3, 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 2)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), 'more': 1}",
    };
    for (size_t i = 0; i < DPL_LEN(headers); i++)
        check_refused(write_npy("x.npy", 1, headers[i], rows, sizeof rows), DPL_E_FORMAT,
                      "header cannot be read");
    check_refused(write_npy("x.npy", 1, HEADER("<f4", "(4, 2)"), rows, sizeof rows),
                  DPL_E_FORMAT, "the file ends in row 3 of 4");
    check_refused(write_npy("x.npy", 1, HEADER("<f4", "(2, 2)"), rows, sizeof rows),
                  DPL_E_FORMAT, "bytes behind the last of 2 rows");
    check_refused(
        write_npy("x.npy", 1, HEADER("<f4", "(4611686018427387905, 2)"), rows, sizeof rows),
        DPL_E_FORMAT, "the file ends in row 3");
    check_refused(test_write("x.npy", "no magic at all", 15), DPL_E_FORMAT,
                  "does not begin like a .npy file");
    check_refused(test_write("x.npy", "", 0), DPL_E_FORMAT, "does not begin like");
    check_refused(test_write("x.npy", "\x93NUMPY\1", 7), DPL_E_FORMAT,
                  "ends inside its header");
    check_refused(test_write("x.npy", "\x93NUMPY\1\0\xFF\0{}", 12), DPL_E_FORMAT,
                  "ends inside its header");
    check_refused(test_write("x.npy", "\x93NUMPY\2\0\xFF\xFF\xFF\xFF", 12), DPL_E_FORMAT,
                  "a header of 4294967295 bytes");
}

DPL_TEST(dense, every_truncation_is_refused)
{
    size_t n;
    char *npy =
        test_read(write_npy("x.npy", 1, HEADER("<f4", "(3, 2)"), rows, sizeof rows), &n);
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    for (size_t i = 0; i < n; i++)
        CHECK_EQ(dpl_vectors_open(&v, ctx, test_write("t.npy", npy, i), &test_err),
                 DPL_E_FORMAT);
    free(npy);
    char *fvecs = test_read(write_fvecs("x.fvecs", &rows[0][0], 3), &n);
    for (size_t i = 0; i < n; i++) { /* cut between rows it is a shorter file */
        CHECK_EQ(dpl_vectors_open(&v, ctx, test_write("t.fvecs", fvecs, i), &test_err),
                 i && i % 12 == 0 ? DPL_OK : DPL_E_FORMAT);
        dpl_vectors_close(v);
    }
    free(fvecs);
    test_ctx_done(ctx);
}

DPL_TEST(dense, fvecs_that_is_damaged_is_refused)
{
    check_refused(test_write("x.fvecs", "\0\0\0\0", 4), DPL_E_FORMAT,
                  "row 0 says it has 0 numbers");
    check_refused(test_write("x.fvecs", "\xFF\xFF\xFF\xFF", 4), DPL_E_FORMAT,
                  "row 0 says it has 4294967295 numbers");
    check_refused(test_write("x.fvecs", "\1\0\0\0\0\0\x80\x3F\1\0\0\0\0", 13), DPL_E_FORMAT,
                  "the file ends in row 1 of 2");
    check_refused(test_write("x.fvecs", "\1\0\0\0\0\0\x80\x3F\2\0\0\0\0\0\x80\x3F", 16),
                  DPL_E_FORMAT, "row 1 says it has 2 numbers, row 0 1");
}

/* ---- memory ------------------------------------------------------------------------- */

DPL_TEST(dense, rows_are_the_same_in_memory_and_spilled_for_any_threads)
{
    enum { ROWS = 3000, DIM = 100 };
    static float data[ROWS * DIM];
    dpl__rng rng = {5};
    for (size_t i = 0; i < ROWS * DIM; i++)
        data[i] = (float)dpl__rng_below(&rng, 2001) - 1000;
    memset(data + 50 * DIM, 0, DIM * sizeof *data);
    FILE *f = fopen(test_path("x.npy"), "wb");
    const char *header = HEADER("<f4", "(3000, 100)");
    uint8_t head[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (uint8_t)strlen(header), 0};
    CHECK(f && fwrite(head, 1, 10, f) == 10 && fputs(header, f) >= 0);
    CHECK(fwrite(data, sizeof *data, ROWS * DIM, f) == ROWS * DIM && fclose(f) == 0);
    dpl_ctx *large = test_ctx(1), *small = NULL;
    CHECK_OK(dpl_ctx_new(
        &small, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 3, .memory = 1 << 20),
        &test_err));
    dpl_vectors *a = open_dense(large, test_path("x.npy"));
    dpl_vectors *b = open_dense(small, test_path("x.npy"));
    CHECK(!a->values.is_mapped && b->values.is_mapped);
    CHECK_EQ(a->dense.n_rows, ROWS - 1);
    CHECK(memcmp(a->dense.values, b->dense.values, (size_t)(ROWS - 1) * DIM * 4) == 0);
    CHECK_STR(dpl_vectors_id(b, 2998), "2999");
    for (uint32_t row = 0; row < ROWS - 1; row++)
        CHECK(fabs(dpl_vectors_cosine(a, row, b, row) - 1) < 1e-5);
    dpl_vectors_close(a);
    dpl_vectors_close(b);
    test_ctx_done(large);
    test_ctx_done(small);
}

static dpl_status open_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_vectors *v = NULL;
    dpl_status status = dpl_vectors_open(&v, ctx, user, err);
    dpl_vectors_close(v);
    return status;
}

DPL_TEST(dense, survives_every_failing_allocation)
{
    const char *path = write_npy("x.npy", 1, HEADER("<f4", "(3, 2)"), rows, sizeof rows);
    test_allocation_failures(open_body, (void *)(uintptr_t)path);
}
