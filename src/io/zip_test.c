#include "io/zip_test.h"

#include "io/zip.h"

#include "test.h"

#include <stdlib.h>
#include <zlib.h>

/* ---- making them ------------------------------------------------------------------------ */

static void put(char *to, uint32_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (char)(value >> 8 * i);
}

static size_t pack(char *to, size_t room, dpl_str bytes)
{
    z_stream s = {.next_in = (Bytef *)(uintptr_t)bytes.data,
                  .avail_in = (uInt)bytes.n,
                  .next_out = (Bytef *)to,
                  .avail_out = (uInt)room};
    CHECK_EQ(deflateInit2(&s, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    CHECK_EQ(deflate(&s, Z_FINISH), Z_STREAM_END);
    deflateEnd(&s);
    return room - s.avail_out;
}

void zip_add_bytes(zip_file *z, const char *name, dpl_str bytes, bool is_deflated)
{
    const size_t n_name = strlen(name), offset = z->n, at = offset + 30 + n_name;
    CHECK(at + (is_deflated ? 64 : bytes.n) < sizeof z->data);
    CHECK(z->n_directory + 46 + n_name < sizeof z->directory);
    size_t n = bytes.n;
    if (is_deflated)
        n = pack(z->data + at, sizeof z->data - at, bytes);
    else if (n)
        memcpy(z->data + at, bytes.data, n);
    const uint32_t crc = (uint32_t)crc32(0, (const Bytef *)bytes.data, (uInt)bytes.n);
    char *local = z->data + offset, *entry = z->directory + z->n_directory;
    memset(local, 0, 30);
    memcpy(local, "PK\3\4", 4);
    memset(entry, 0, 46);
    memcpy(entry, "PK\1\2", 4);
    put(local + 8, is_deflated ? 8 : 0, 2);
    put(entry + 10, is_deflated ? 8 : 0, 2);
    put(local + 26, (uint32_t)n_name, 2);
    put(entry + 28, (uint32_t)n_name, 2);
    const uint32_t numbers[] = {crc, (uint32_t)n, (uint32_t)bytes.n};
    for (size_t i = 0; i < 3; i++) {
        put(local + 14 + 4 * i, numbers[i], 4);
        put(entry + 16 + 4 * i, numbers[i], 4);
    }
    put(entry + 42, (uint32_t)offset, 4);
    memcpy(local + 30, name, n_name);
    memcpy(entry + 46, name, n_name);
    z->n = at + n;
    z->n_directory += 46 + n_name;
    z->n_members++;
}

void zip_add(zip_file *z, const char *name, const char *text, bool is_deflated)
{
    zip_add_bytes(z, name, dpl__cstr(text), is_deflated);
}

void zip_set(zip_file *z, size_t at, uint32_t value)
{
    char *last = NULL;
    for (size_t i = 0; i + 46 <= z->n_directory; i++)
        if (memcmp(z->directory + i, "PK\1\2", 4) == 0)
            last = z->directory + i;
    CHECK(last != NULL);
    put(last + at, value, 4);
}

dpl_str zip_end(zip_file *z)
{
    CHECK(z->n + z->n_directory + 22 < sizeof z->data);
    memcpy(z->data + z->n, z->directory, z->n_directory);
    char *end = z->data + z->n + z->n_directory;
    memset(end, 0, 22);
    memcpy(end, "PK\5\6", 4);
    put(end + 8, z->n_members, 2);
    put(end + 10, z->n_members, 2);
    put(end + 12, (uint32_t)z->n_directory, 4);
    put(end + 16, (uint32_t)z->n, 4);
    return (dpl_str){z->data, z->n + z->n_directory + 22};
}

/* ---- reading them ----------------------------------------------------------------------- */

/* Reads a member; its text, or the error's. */
static const char *read_member(dpl_str bytes, const char *name, uint64_t most)
{
    static char out[700];
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl__zip zip;
    dpl_error err = {0};
    dpl_str text = DPL_STR("(none)");
    dpl_status status = dpl__zip_open(&zip, &arena, bytes, &err);
    const dpl__zip_member *m = status == DPL_OK ? dpl__zip_find(&zip, dpl__cstr(name)) : NULL;
    if (m)
        status = dpl__zip_read(&zip, m, most, &text, &err);
    if (status != DPL_OK)
        text = dpl__cstr(err.text);
    CHECK(text.n < sizeof out);
    memcpy(out, text.data, text.n);
    out[text.n] = 0;
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
    return out;
}

#define CHECK_READ(bytes, name, expected)                                                      \
    CHECK_STR(dpl__cstr(read_member(bytes, name, 1000)), expected)

DPL_TEST(zip, stored_and_deflated_members_are_found_by_name)
{
    zip_file z = {0};
    zip_add(&z, "b/two", "two two two two two two", true);
    zip_add(&z, "a", "one", false);
    zip_add(&z, "empty", "", true);
    dpl_str bytes = zip_end(&z);
    CHECK_READ(bytes, "a", "one");
    CHECK_READ(bytes, "b/two", "two two two two two two");
    CHECK_READ(bytes, "empty", "");
    CHECK_READ(bytes, "two", "(none)");
}

DPL_TEST(zip, every_truncation_is_refused_and_never_read_past)
{
    zip_file z = {0};
    zip_add(&z, "a", "one two three", true);
    zip_add(&z, "b", "four", false);
    dpl_str bytes = zip_end(&z);
    for (size_t n = 0; n < bytes.n; n++) {
        char *copy = malloc(n ? n : 1);
        memcpy(copy, bytes.data, n);
        CHECK_READ(((dpl_str){copy, n}), "a",
                   "a damaged ZIP file: its directory is missing, it may be cut off");
        free(copy);
    }
}

DPL_TEST(zip, lies_about_lengths_are_refused_before_memory_is_taken)
{
    zip_file z = {0};
    zip_add(&z, "a", "one two three", true);
    zip_set(&z, 24, 0x7FFFFFFF);
    CHECK_READ(zip_end(&z), "a", "the member 'a' has 2147483647 bytes, more than 1000");
    zip_set(&z, 24, 900000);
    CHECK_STR(dpl__cstr(read_member(zip_end(&z), "a", 1 << 30)),
              "the member 'a' is damaged: so few bytes cannot make so many");
    zip_set(&z, 24, 5);
    CHECK_READ(zip_end(&z), "a", "the member 'a' is longer than the directory says");
    zip_set(&z, 24, 14);
    CHECK_READ(zip_end(&z), "a", "the member 'a' is damaged");
    zip_set(&z, 24, 13);
    zip_set(&z, 20, 0xFFFFFF);
    CHECK_READ(zip_end(&z), "a",
               "the member 'a' lies outside of the file, which may be cut off");
    zip_set(&z, 42, 0xFFFFFF);
    CHECK_READ(zip_end(&z), "a",
               "the member 'a' lies outside of the file, which may be cut off");
}

DPL_TEST(zip, what_cannot_be_read_is_named)
{
    zip_file z = {0};
    zip_add(&z, "a", "one", false);
    zip_set(&z, 16, 7);
    CHECK_READ(zip_end(&z), "a", "the member 'a' is damaged: its checksum is wrong");
    zip_set(&z, 8, 1);
    CHECK_READ(zip_end(&z), "a", "the member 'a' is encrypted");
    zip_set(&z, 8, 14 << 16);
    CHECK_READ(zip_end(&z), "a",
               "the member 'a' is compressed with a method other than deflate");
}
