/*
 * zim_file.c - reads the parts of a ZIM file.
 *
 * The file is mapped: entries lie anywhere in it and are looked at in the order of their
 * clusters. A cluster does not say where it ends, so its decoder is given the rest of the file
 * and asked for as many bytes as the offsets name. Cost: none but the pages looked at, and what
 * liblzma and libzstd take.
 */
#include "readers/zim/zim_file.h"

#include "io/input.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    N_HEADER = 72, /* and, in files with a checksum, its position */
    N_ENTRY = 8,   /* bytes of an entry before the part that depends on its type */
    MOST_TYPES = 0x8000,
    STEP = 256 << 10 /* bytes unpacked at a time */
};

static const char magic[] = {0x5A, 0x49, 0x4D, 0x04};

static uint64_t get(const char *p, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)(uint8_t)p[i] << 8 * i;
    return value;
}

bool dpl__is_zim(dpl_str start)
{
    return start.n >= sizeof magic && memcmp(start.data, magic, sizeof magic) == 0;
}

/* ---- opening -------------------------------------------------------------------------- */

static dpl_status refuse(dpl_error *err, const char *name, const char *what)
{
    return dpl__fail(err, DPL_E_FORMAT, "'%s': %s", name, what);
}

/* A list of n positions at `at`, within the file? */
static bool is_inside(const dpl__zim *z, uint64_t at, uint64_t n)
{
    return at <= z->bytes.n && n <= (z->bytes.n - at) / sizeof(uint64_t);
}

static dpl_status read_types(dpl__zim *z, const char *name, uint64_t at, dpl_error *err)
{
    while (at < z->bytes.n) {
        const char *p = z->bytes.data + at;
        const char *end = memchr(p, 0, z->bytes.n - (size_t)at);
        if (!end || z->types.n == MOST_TYPES)
            break;
        if (end == p)
            return DPL_OK;
        const dpl_str type = {p, (size_t)(end - p)};
        DPL_TRY(dpl__need(dpl__vec_push(z->ctx, &z->types, type), err));
        at += type.n + 1;
    }
    return refuse(err, name, "the list of media types does not end: it is damaged");
}

static dpl_status read_header(dpl__zim *z, const char *name, dpl_error *err)
{
    const char *p = z->bytes.data;
    if (!dpl__is_zim(z->bytes))
        return refuse(err, name, "not a ZIM file");
    if (z->bytes.n < N_HEADER)
        return refuse(err, name, "the ZIM file ends in its header");
    const unsigned major = (unsigned)get(p + 4, 2), minor = (unsigned)get(p + 6, 2);
    if (major != 5 && major != 6)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "'%s': ZIM version %u.%u; versions 5 and 6 are read", name, major,
                         minor);
    z->content = major == 6 && minor >= 1 ? 'C' : 'A';
    z->n_entries = (uint32_t)get(p + 24, 4);
    z->n_clusters = (uint32_t)get(p + 28, 4);
    z->path_list = get(p + 32, 8);
    z->cluster_list = get(p + 48, 8);
    if (!is_inside(z, z->path_list, z->n_entries) ||
        !is_inside(z, z->cluster_list, z->n_clusters))
        return refuse(err, name,
                      "a list of the ZIM file lies behind its end: it is truncated or one part "
                      "of several, which belong behind each other in one file");
    return read_types(z, name, get(p + 56, 8), err);
}

dpl_status dpl__zim_read(dpl__zim *z, dpl_ctx *ctx, const char *name, dpl_str bytes,
                         dpl_error *err)
{
    *z = (dpl__zim){.ctx = ctx, .bytes = bytes};
    const dpl_status status = read_header(z, name, err);
    if (status != DPL_OK)
        dpl__zim_close(z);
    return status;
}

static dpl_status map(dpl_str *out, int fd, const char *path, dpl_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return dpl__fail_errno(err, errno, "cannot open '%s'", path);
    if (!S_ISREG(st.st_mode))
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "cannot open '%s': a ZIM file is not read from a stream", path);
    if (st.st_size == 0)
        return refuse(err, path, "not a ZIM file");
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return dpl__fail_errno(err, errno, "cannot map '%s'", path);
    *out = (dpl_str){p, (size_t)st.st_size};
    return DPL_OK;
}

dpl_status dpl__zim_map(dpl__zim *z, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_str bytes = {0};
    *z = (dpl__zim){0};
    const bool is_stream = strcmp(path, "-") == 0;
    const int fd = is_stream ? 0 : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return dpl__fail_errno(err, errno, "cannot open '%s'", path);
    dpl_status status = map(&bytes, fd, is_stream ? "(standard input)" : path, err);
    if (!is_stream)
        close(fd);
    DPL_TRY(status);
    status = dpl__zim_read(z, ctx, path, bytes, err);
    if (status != DPL_OK) {
        munmap((void *)(uintptr_t)bytes.data, bytes.n);
        return status;
    }
    z->is_mapped = true;
    dpl__mappings_add(ctx, &z->mapping, bytes.data, bytes.n);
    return DPL_OK;
}

void dpl__zim_close(dpl__zim *z)
{
    if (!z->ctx)
        return;
    if (z->is_mapped) {
        dpl__mappings_remove(z->ctx, &z->mapping);
        munmap((void *)(uintptr_t)z->bytes.data, z->bytes.n);
    }
    dpl__vec_clear(z->ctx, &z->types);
    *z = (dpl__zim){0};
}

/* ---- entries -------------------------------------------------------------------------- */

/* The text at `at`, which a zero byte ends; *at is behind it. */
static bool get_text(const dpl__zim *z, uint64_t *at, dpl_str *out)
{
    if (*at >= z->bytes.n)
        return false;
    const char *p = z->bytes.data + *at;
    const char *end = memchr(p, 0, z->bytes.n - (size_t)*at);
    if (!end)
        return false;
    *out = (dpl_str){p, (size_t)(end - p)};
    *at += out->n + 1;
    return true;
}

bool dpl__zim_entry_at(const dpl__zim *z, uint32_t i, dpl__zim_entry *out)
{
    assert(i < z->n_entries);
    *out = (dpl__zim_entry){0};
    uint64_t at = get(z->bytes.data + z->path_list + (size_t)i * 8, 8);
    if (at > z->bytes.n || z->bytes.n - at < N_ENTRY)
        return false;
    const char *p = z->bytes.data + at;
    out->type = (unsigned)get(p, 2);
    out->space = p[3];
    const unsigned n_more = out->type == DPL__ZIM_REDIRECT ? 4
                            : out->type < DPL__ZIM_DELETED ? 8
                                                           : 0;
    at += N_ENTRY + n_more;
    if (at > z->bytes.n)
        return false;
    if (n_more == 4)
        out->target = (uint32_t)get(p + N_ENTRY, 4);
    if (n_more == 8) {
        out->cluster = (uint32_t)get(p + N_ENTRY, 4);
        out->blob = (uint32_t)get(p + N_ENTRY + 4, 4);
    }
    if (!get_text(z, &at, &out->path) || !get_text(z, &at, &out->title))
        return false;
    if (!out->title.n)
        out->title = out->path;
    return true;
}

dpl_str dpl__zim_type(const dpl__zim *z, const dpl__zim_entry *entry)
{
    if (entry->type >= z->types.n)
        return (dpl_str){"", 0};
    dpl_str type = z->types.data[entry->type];
    const char *semicolon = memchr(type.data, ';', type.n);
    type.n = semicolon ? (size_t)(semicolon - type.data) : type.n;
    while (type.n && type.data[type.n - 1] == ' ')
        type.n--;
    return type;
}

/* ---- clusters ------------------------------------------------------------------------- */

dpl_str dpl__zim_cluster(const dpl__zim *z, uint32_t number)
{
    if (number >= z->n_clusters)
        return (dpl_str){"", 0};
    const uint64_t at = get(z->bytes.data + z->cluster_list + (size_t)number * 8, 8);
    return at < z->bytes.n ? (dpl_str){z->bytes.data + at, z->bytes.n - (size_t)at}
                           : (dpl_str){"", 0};
}

/* A failure of a decoder, without the name and the place that it knows. */
static dpl_status unpacking_failed(dpl_error *err, dpl_status status)
{
    if (status == DPL_E_NOMEM)
        return dpl__fail_nomem(err);
    if (status == DPL_E_LIMIT)
        return dpl__fail(err, status,
                         "its cluster takes more memory to unpack than there may be");
    return dpl__fail(err, DPL_E_FORMAT, "its cluster cannot be unpacked: it is damaged");
}

/* Makes the first n bytes available: unpacks them from `in`; NULL: they are there or missing.
 */
static dpl_status want(dpl__zim_blobs *b, dpl_ctx *ctx, dpl__input *in, uint64_t n,
                       uint64_t n_most, dpl_error *err)
{
    if (n > n_most)
        return dpl__fail(err, DPL_E_LIMIT, "its cluster takes more than %llu bytes",
                         (unsigned long long)n_most);
    while (in && b->held.n < n) {
        size_t got = 0;
        DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &b->held, STEP), err));
        const dpl_status status =
            dpl__input_read(in, b->held.data + b->held.n, STEP, &got, err);
        if (status != DPL_OK)
            return unpacking_failed(err, status);
        if (!got)
            break;
        b->held.n += got;
        b->data = (dpl_str){b->held.data, b->held.n};
    }
    return b->data.n >= n ? DPL_OK
                          : dpl__fail(err, DPL_E_FORMAT, "its cluster ends before the blob");
}

static uint64_t offset_of(const dpl__zim_blobs *b, uint64_t i)
{
    return get(b->data.data + i * b->width, b->width);
}

static dpl_status read_blobs(dpl__zim_blobs *b, dpl_ctx *ctx, dpl__input *in, uint32_t last,
                             uint64_t n_most, dpl_error *err)
{
    DPL_TRY(want(b, ctx, in, b->width, n_most, err));
    const uint64_t n_list = offset_of(b, 0);
    if (n_list < b->width || n_list % b->width)
        return dpl__fail(err, DPL_E_FORMAT, "the offsets of its cluster are damaged");
    DPL_TRY(want(b, ctx, in, n_list, n_most, err));
    b->n = n_list / b->width - 1;
    if (!b->n)
        return DPL_OK;
    const uint64_t end = offset_of(b, last < b->n ? (uint64_t)last + 1 : b->n);
    return want(b, ctx, in, end, n_most, err);
}

/* The decoder that fits the first byte: *in is NULL for one that is not packed. */
static dpl_status open_packed(dpl__input **in, dpl_ctx *ctx, dpl_str cluster, dpl_error *err)
{
    static const char *const starts[16] = {[4] = "\xFD"
                                                 "7zXZ",
                                           [5] = "\x28\xB5\x2F\xFD"};
    const unsigned method = (uint8_t)cluster.data[0] & 0x0F;
    const dpl_str packed = {cluster.data + 1, cluster.n - 1};
    *in = NULL;
    if (method < 2)
        return DPL_OK;
    const char *start = starts[method];
    if (!start)
        return dpl__fail(err, DPL_E_FORMAT,
                         "its cluster is packed by method %u; xz and zstd are read", method);
    if (packed.n < strlen(start) || memcmp(packed.data, start, strlen(start)) != 0)
        return dpl__fail(err, DPL_E_FORMAT, "its cluster does not begin with %s data",
                         method == 4 ? "xz" : "zstd");
    return dpl__input_open_memory(in, ctx, "cluster", packed.data, packed.n, err);
}

dpl_status dpl__zim_blobs_open(dpl__zim_blobs *b, dpl_ctx *ctx, dpl_str cluster, uint32_t last,
                               uint64_t n_most, dpl_error *err)
{
    *b = (dpl__zim_blobs){0};
    dpl__input *in = NULL;
    dpl_status status;
    if (!cluster.n)
        return dpl__fail(err, DPL_E_FORMAT, "its cluster lies outside of the file");
    DPL__STEP(open_packed(&in, ctx, cluster, err));
    b->width = (uint8_t)cluster.data[0] & 0x10 ? 8 : 4;
    if (!in)
        b->data = (dpl_str){cluster.data + 1, cluster.n - 1};
    status = read_blobs(b, ctx, in, last, in ? n_most : UINT64_MAX, err);
done:
    dpl__input_close(in);
    return status;
}

bool dpl__zim_blob(const dpl__zim_blobs *b, uint32_t i, dpl_str *out)
{
    if (i >= b->n)
        return false;
    const uint64_t begin = offset_of(b, i), end = offset_of(b, (uint64_t)i + 1);
    if (begin > end || end > b->data.n)
        return false;
    *out = (dpl_str){b->data.data + begin, (size_t)(end - begin)};
    return true;
}

void dpl__zim_blobs_close(dpl__zim_blobs *b, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &b->held);
    *b = (dpl__zim_blobs){0};
}
