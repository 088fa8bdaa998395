/*
 * zip.c - the members of a ZIP file that lies in memory.
 *
 * In: all bytes of the file. Out: a sorted list of members, and the bytes of the ones asked
 * for. Only the central directory counts, as for every other reader; each number in it is
 * checked against the file before it is used. A member may claim any length: it is refused
 * above the caller's limit before memory is taken, and when deflate cannot make so much of so
 * few bytes. The format: PKWARE's APPNOTE 6.3, sections 4.3 and 4.5.3 (sizes of 64 bits). Cost:
 * a sort of the names; zlib's inflate.
 */
#include "io/zip.h"

#include "base/lower_bound.h"
#include "base/order.h"
#include "io/codec.h"

#include <stdlib.h>
#include <zlib.h>

enum {
    LOCAL = 30,   /* bytes of a local header before the name */
    ENTRY = 46,   /* of an entry in the directory before the name */
    END = 22,     /* of the record behind the directory, without its comment */
    LOCATOR = 20, /* of what leads to its successor with sizes of 64 bits */
    END64 = 56,
    MOST_COMMENT = 0xFFFF,
    MOST_RATIO = 1032, /* of deflate: 258 bytes in two bits */
    STORED = 0,
    DEFLATED = 8,
    ENCRYPTED = 1 /* flag */
};
static const uint32_t IN_EXTRA = 0xFFFFFFFF; /* the number stands in an extra field */

static uint16_t u16(const char *p)
{
    const uint8_t *b = (const uint8_t *)p;
    return (uint16_t)(b[0] | b[1] << 8);
}

static uint32_t u32(const char *p)
{
    return u16(p) | (uint32_t)u16(p + 2) << 16;
}

static uint64_t u64(const char *p)
{
    return u32(p) | (uint64_t)u32(p + 4) << 32;
}

bool dpl__is_zip(dpl_str start)
{
    return start.n >= 4 &&
           (memcmp(start.data, "PK\3\4", 4) == 0 || memcmp(start.data, "PK\5\6", 4) == 0);
}

static dpl_status damaged(dpl_error *err, const char *what)
{
    return dpl__fail(err, DPL_E_FORMAT, "a damaged ZIP file: %s", what);
}

/* Where the directory lies. */
typedef struct directory {
    uint64_t n, n_bytes, offset;
} directory;

/* The record at the file's end; NULL when there is none. */
static const char *find_end(dpl_str bytes)
{
    if (bytes.n < END)
        return NULL;
    const size_t least = bytes.n - END - dpl__min(bytes.n - END, MOST_COMMENT);
    for (size_t at = bytes.n - END + 1; at-- > least;)
        if (memcmp(bytes.data + at, "PK\5\6", 4) == 0 &&
            u16(bytes.data + at + 20) <= bytes.n - at - END)
            return bytes.data + at;
    return NULL;
}

static bool read_end64(directory *d, dpl_str bytes, const char *end)
{
    if (end - bytes.data < LOCATOR || memcmp(end - LOCATOR, "PK\6\7", 4) != 0)
        return true; /* of the usual kind */
    const uint64_t at = u64(end - LOCATOR + 8);
    if (at > bytes.n || bytes.n - at < END64 || memcmp(bytes.data + at, "PK\6\6", 4) != 0)
        return false;
    *d = (directory){u64(bytes.data + at + 32), u64(bytes.data + at + 40),
                     u64(bytes.data + at + 48)};
    return true;
}

static dpl_status find_directory(directory *d, dpl_str bytes, dpl_error *err)
{
    const char *end = find_end(bytes);
    if (!end)
        return damaged(err, "its directory is missing, it may be cut off");
    *d = (directory){u16(end + 10), u32(end + 12), u32(end + 16)};
    if (!read_end64(d, bytes, end) || d->offset > bytes.n || d->n_bytes > bytes.n - d->offset ||
        d->n > d->n_bytes / ENTRY)
        return damaged(err, "its directory lies outside of the file");
    return DPL_OK;
}

/* Numbers that did not fit into 32 bits. */
static bool read_extra(dpl__zip_member *m, const char *p, size_t n)
{
    uint64_t *const wanted[] = {&m->n_bytes, &m->n_packed, &m->offset};
    bool is_needed = false;
    for (size_t i = 0; i < DPL_LEN(wanted); i++)
        is_needed |= *wanted[i] == IN_EXTRA;
    if (!is_needed)
        return true;
    while (n >= 4 && u16(p + 2) <= n - 4) {
        size_t n_field = u16(p + 2);
        const bool is_it = u16(p) == 1;
        p += 4;
        n -= 4;
        for (size_t i = 0, at = 0; is_it && i < DPL_LEN(wanted); i++)
            if (*wanted[i] == IN_EXTRA && at + 8 <= n_field) {
                *wanted[i] = u64(p + at);
                at += 8;
            }
        p += n_field;
        n -= n_field;
    }
    return true;
}

/* The entry at p, of n bytes at most; its length, 0: damaged. */
static size_t read_entry(dpl__zip_member *m, const char *p, size_t n)
{
    if (n < ENTRY || memcmp(p, "PK\1\2", 4) != 0)
        return 0;
    const size_t n_name = u16(p + 28), n_extra = u16(p + 30), n_comment = u16(p + 32);
    if (n - ENTRY < n_name + n_extra + n_comment)
        return 0;
    *m = (dpl__zip_member){.flags = u16(p + 8),
                           .method = u16(p + 10),
                           .crc = u32(p + 16),
                           .n_packed = u32(p + 20),
                           .n_bytes = u32(p + 24),
                           .offset = u32(p + 42),
                           .name = {p + ENTRY, n_name}};
    read_extra(m, p + ENTRY + n_name, n_extra);
    return ENTRY + n_name + n_extra + n_comment;
}

DPL__ORDER(compare, dpl__zip_member, DPL__BY_BYTES(name) DPL__RISING(name.data))

dpl_status dpl__zip_open(dpl__zip *zip, dpl__arena *arena, dpl_str bytes, dpl_error *err)
{
    *zip = (dpl__zip){.arena = arena, .bytes = bytes};
    directory d = {0};
    DPL_TRY(find_directory(&d, bytes, err));
    zip->members = dpl__arena_alloc(arena, (size_t)d.n * sizeof *zip->members);
    DPL_TRY(dpl__need(zip->members, err));
    const char *p = bytes.data + d.offset;
    size_t left = (size_t)d.n_bytes;
    for (; zip->n < d.n; zip->n++) {
        const size_t n = read_entry(&zip->members[zip->n], p, left);
        if (!n)
            return damaged(err, "its directory cannot be read");
        p += n;
        left -= n;
    }
    if (zip->n)
        qsort(zip->members, zip->n, sizeof *zip->members, compare);
    return DPL_OK;
}

const dpl__zip_member *dpl__zip_find(const dpl__zip *zip, dpl_str name)
{
    size_t at;
    DPL__LOWER_BOUND(at, zip->n, dpl__str_cmp(zip->members[at].name, name) < 0);
    return at < zip->n && dpl__str_eq(zip->members[at].name, name) ? &zip->members[at] : NULL;
}

static dpl_status bad_member(const dpl__zip_member *m, dpl_error *err, const char *what)
{
    return dpl__fail(err, DPL_E_FORMAT, "the member '%.*s' %s", (int)dpl__min(m->name.n, 200),
                     m->name.data, what);
}

static dpl_status unpack(const dpl__zip *zip, const dpl__zip_member *m, const char *from,
                         char *to, dpl_error *err)
{
    z_stream s = {.next_in = (Bytef *)(uintptr_t)from,
                  .avail_in = (uInt)m->n_packed,
                  .next_out = (Bytef *)to,
                  .avail_out = (uInt)m->n_bytes,
                  .zalloc = dpl__zlib_alloc,
                  .zfree = dpl__zlib_free,
                  .opaque = zip->arena->ctx};
    if (inflateInit2(&s, -MAX_WBITS) != Z_OK)
        return dpl__fail_nomem(err);
    const int result = inflate(&s, Z_FINISH);
    const uInt n_left = s.avail_out;
    inflateEnd(&s);
    if (result == Z_MEM_ERROR)
        return dpl__fail_nomem(err);
    if (result == Z_BUF_ERROR && !n_left)
        return bad_member(m, err, "is longer than the directory says");
    return result == Z_STREAM_END && !n_left ? DPL_OK : bad_member(m, err, "is damaged");
}

/* Where its bytes are; NULL: not in the file. */
static const char *packed_bytes(const dpl__zip *zip, const dpl__zip_member *m)
{
    const dpl_str b = zip->bytes;
    if (m->offset > b.n || b.n - m->offset < LOCAL ||
        memcmp(b.data + m->offset, "PK\3\4", 4) != 0)
        return NULL;
    const char *header = b.data + m->offset;
    const uint64_t at =
        m->offset + LOCAL + u16(header + 26) + u16(header + 28); /* name, extra fields */
    return at <= b.n && m->n_packed <= b.n - at ? b.data + at : NULL;
}

dpl_status dpl__zip_read(const dpl__zip *zip, const dpl__zip_member *m, uint64_t max_bytes,
                         dpl_str *out, dpl_error *err)
{
    if (m->flags & ENCRYPTED)
        return bad_member(m, err, "is encrypted");
    if (m->method != STORED && m->method != DEFLATED)
        return bad_member(m, err, "is compressed with a method other than deflate");
    const char *from = packed_bytes(zip, m);
    if (!from || (m->method == STORED && m->n_packed != m->n_bytes))
        return bad_member(m, err, "lies outside of the file, which may be cut off");
    if (m->n_bytes > dpl__min(max_bytes, INT32_MAX))
        return dpl__fail_code(err, DPL_E_LIMIT, "long-record",
                              "the member '%.*s' has %llu bytes, more than %llu",
                              (int)dpl__min(m->name.n, 200), m->name.data,
                              (unsigned long long)m->n_bytes, (unsigned long long)max_bytes);
    if (m->n_bytes > MOST_RATIO * (m->n_packed + 1))
        return bad_member(m, err, "is damaged: so few bytes cannot make so many");
    char *to = dpl__arena_alloc(zip->arena, (size_t)m->n_bytes + 1);
    DPL_TRY(dpl__need(to, err));
    if (m->method == DEFLATED)
        DPL_TRY(unpack(zip, m, from, to, err));
    else if (m->n_bytes)
        memcpy(to, from, (size_t)m->n_bytes);
    to[m->n_bytes] = 0;
    if (crc32(0, (const Bytef *)to, (uInt)m->n_bytes) != m->crc)
        return bad_member(m, err, "is damaged: its checksum is wrong");
    *out = (dpl_str){to, (size_t)m->n_bytes};
    return DPL_OK;
}
