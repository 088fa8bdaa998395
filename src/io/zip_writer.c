/*
 * zip_writer.c - local headers, members, the directory and its end (PKWARE's APPNOTE 6.3).
 */
#include "io/zip_writer.h"

#include <zlib.h>

enum {
    VERSION = 20,
    UTF8_NAMES = 1 << 11, /* flag */
    NO_DATE = 0x21        /* 1 January 1980: there is none before */
};

static void put16(dpl__zip_writer *z, dpl__bytes *out, unsigned x)
{
    const char bytes[] = {(char)x, (char)(x >> 8)};
    if (!dpl__vec_append(z->ctx, out, bytes, sizeof bytes))
        z->has_failed = true;
}

static void put32(dpl__zip_writer *z, dpl__bytes *out, uint32_t x)
{
    put16(z, out, x & 0xFFFF);
    put16(z, out, x >> 16);
}

static void put_name(dpl__zip_writer *z, dpl__bytes *out, const char *name)
{
    if (!dpl__vec_append(z->ctx, out, name, strlen(name)))
        z->has_failed = true;
}

/* What both headers of a member have: from the version to the length of the name. */
static void put_common(dpl__zip_writer *z, dpl__bytes *out, const char *name, dpl_str bytes)
{
    put16(z, out, VERSION);
    put16(z, out, UTF8_NAMES);
    put16(z, out, 0); /* stored */
    put16(z, out, 0);
    put16(z, out, NO_DATE);
    put32(z, out, (uint32_t)crc32(0, (const Bytef *)bytes.data, (uInt)bytes.n));
    put32(z, out, (uint32_t)bytes.n);
    put32(z, out, (uint32_t)bytes.n);
    put16(z, out, (unsigned)strlen(name));
    put16(z, out, 0); /* no extra field */
}

static void write_bytes(dpl__zip_writer *z, const char *data, size_t n)
{
    if (n)
        z->put(z->user, data, n);
    z->n_bytes += n;
}

void dpl__zip_add(dpl__zip_writer *z, const char *name, dpl_str bytes)
{
    dpl__bytes head = {0};
    const uint64_t offset = z->n_bytes;
    assert(strlen(name) <= UINT16_MAX);
    if (bytes.n > UINT32_MAX - 1024 - dpl__min(offset, UINT32_MAX - 1024) ||
        z->n_members == UINT16_MAX)
        z->has_failed = true;
    if (z->has_failed)
        return;
    put32(z, &head, 0x04034B50);
    put_common(z, &head, name, bytes);
    put_name(z, &head, name);
    put32(z, &z->directory, 0x02014B50);
    put16(z, &z->directory, VERSION);
    put_common(z, &z->directory, name, bytes);
    put16(z, &z->directory, 0); /* no comment; disk 0; attributes */
    put16(z, &z->directory, 0);
    put16(z, &z->directory, 0);
    put32(z, &z->directory, 0);
    put32(z, &z->directory, (uint32_t)offset);
    put_name(z, &z->directory, name);
    write_bytes(z, head.data, head.n);
    write_bytes(z, bytes.data, bytes.n);
    z->n_members++;
    dpl__vec_clear(z->ctx, &head);
}

void dpl__zip_finish(dpl__zip_writer *z)
{
    const uint64_t at = z->n_bytes, n = z->directory.n;
    if (at + n > UINT32_MAX)
        z->has_failed = true;
    put32(z, &z->directory, 0x06054B50);
    put32(z, &z->directory, 0); /* one disk */
    put16(z, &z->directory, z->n_members);
    put16(z, &z->directory, z->n_members);
    put32(z, &z->directory, (uint32_t)n);
    put32(z, &z->directory, (uint32_t)at);
    put16(z, &z->directory, 0);
    if (!z->has_failed)
        write_bytes(z, z->directory.data, z->directory.n);
}

void dpl__zip_writer_clear(dpl__zip_writer *z)
{
    dpl__vec_clear(z->ctx, &z->directory);
}
