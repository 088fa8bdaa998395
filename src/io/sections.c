/*
 * sections.c - finds sections of a file, measures and checks them.
 */
#include "io/sections.h"

#include "base/ctx.h"
#include "base/lower_bound.h"
#include "kernels/kernels.h"

/* Elements that are checked before pages of a large file are given back. */
enum { AT_ONCE = 1 << 22 };

static dpl_status fail_kind(const dpl_file_info *about, const char *wanted, dpl_error *err)
{
    static const char *const codes[][2] = {{"collection", "not-a-collection"},
                                           {"lexicon", "not-a-lexicon"},
                                           {"vectors", "not-vectors"},
                                           {"phrases", "not-phrases"}};
    dpl__fail(err, DPL_E_USAGE, "'%s' is a %s file, not a %s file", about->path, about->kind,
              wanted);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i][0], wanted) == 0)
            dpl__code(err, DPL_E_USAGE, codes[i][1]);
    return DPL_E_USAGE;
}

dpl_status dpl__check_kind(const dpl_file *f, const char *kind, dpl_error *err)
{
    const dpl_file_info about = dpl_file_get_info(f);
    if (strcmp(about.kind, kind) != 0)
        return fail_kind(&about, kind, err);
    for (size_t i = 0; i < about.n_sections; i++) {
        dpl_section s = dpl_file_section(f, i);
        if (s.is_required && !dpl__is_known_section(kind, s.name))
            return dpl__fail_code(
                err, DPL_E_UNSUPPORTED, "unknown-section",
                "'%s': section '%s' is required, and this build does not know it", about.path,
                s.name);
    }
    return DPL_OK;
}

dpl_status dpl__damaged(const dpl_file *f, const char *section, const char *what,
                        dpl_error *err)
{
    return dpl__fail(err, DPL_E_FORMAT, "'%s': section '%s': %s", dpl_file_get_info(f).path,
                     section, what);
}

dpl_status dpl__get(const dpl_file *f, const char *name, uint32_t element, const void *out,
                    size_t *n, dpl_error *err)
{
    dpl_section s;
    if (!dpl_file_find(f, name, &s))
        return dpl__damaged(f, name, "missing", err);
    if (s.element != element)
        return dpl__damaged(f, name, "wrong element size", err);
    memcpy((void *)(uintptr_t)out, &s.data, sizeof s.data); /* any pointer type */
    *n = s.n_bytes / element;
    return DPL_OK;
}

dpl_status dpl__get_n(const dpl_file *f, const char *name, uint32_t element, const void *out,
                      size_t n, dpl_error *err)
{
    size_t have = 0;
    DPL_TRY(dpl__get(f, name, element, out, &have, err));
    return have == n ? DPL_OK : dpl__damaged(f, name, "wrong length", err);
}

static dpl_status check_offsets(const dpl_file *f, const char *name, const uint64_t *offsets,
                                size_t n, uint64_t end, dpl_error *err)
{
    bool is_good = offsets[0] == 0 && offsets[n] == end;
    for (size_t i = 0; i < n; i++)
        is_good &= offsets[i] <= offsets[i + 1];
    return is_good ? DPL_OK : dpl__damaged(f, name, "offsets out of order", err);
}

dpl_status dpl__check_below(const dpl_file *f, const char *name, const uint32_t *data, size_t n,
                            size_t bound, dpl_error *err)
{
    uint32_t most = 0;
    for (size_t begin = 0, end; begin < n; begin = end) {
        end = dpl__min(n, begin + AT_ONCE);
        for (size_t i = begin; i < end; i++)
            most = data[i] > most ? data[i] : most;
        dpl__file_ease(f);
    }
    return n == 0 || most < bound ? DPL_OK : dpl__damaged(f, name, "number out of range", err);
}

dpl_status dpl__get_offsets(const dpl_file *f, const char *name, const uint64_t **out, size_t n,
                            uint64_t end, dpl_error *err)
{
    DPL_TRY(dpl__get_n(f, name, 8, out, n + 1, err));
    return check_offsets(f, name, *out, n, end, err);
}

/* Piece by piece; a piece may end within a character. */
static bool is_utf8(const dpl_file *f, const uint8_t *bytes, size_t n)
{
    uint8_t most;
    for (size_t at = 0, got; at < n; at += got) {
        size_t piece = dpl__min(n - at, (size_t)AT_ONCE);
        got = dpl__file_ctx(f)->kernels->utf8_prefix(bytes + at, piece, &most);
        if (got == 0 || piece - got > 3 || (got < piece && at + piece == n))
            return false;
        dpl__file_ease(f);
    }
    return true;
}

dpl_status dpl__get_strings(const dpl_file *f, const char *offsets, const char *bytes,
                            dpl__strings *out, size_t n, dpl_error *err)
{
    size_t n_bytes, n_offsets;
    DPL_TRY(dpl__get(f, bytes, 1, &out->bytes, &n_bytes, err));
    DPL_TRY(dpl__get(f, offsets, 8, &out->offsets, &n_offsets, err));
    if (n_offsets == 0 || n_offsets - 1 > UINT32_MAX || (n != SIZE_MAX && n_offsets != n + 1))
        return dpl__damaged(f, offsets, "wrong length", err);
    out->n = n_offsets - 1;
    DPL_TRY(check_offsets(f, offsets, out->offsets, out->n, n_bytes, err));
    if (!is_utf8(f, (const uint8_t *)out->bytes, n_bytes))
        return dpl__damaged(f, bytes, "invalid UTF-8", err);
    for (size_t i = 0; i < out->n; i++) /* a string does not begin inside a character */
        if (out->offsets[i] < n_bytes && (out->bytes[out->offsets[i]] & 0xC0) == 0x80)
            return dpl__damaged(f, offsets, "a string begins inside a character", err);
    return DPL_OK;
}

bool dpl__find_string(const dpl__strings *s, const uint32_t *order, dpl_str what,
                      uint32_t *number)
{
    size_t at;
#define NUMBER (order ? order[at] : (uint32_t)at)
    DPL__LOWER_BOUND(at, s->n, dpl__str_cmp(dpl__string(s, NUMBER), what) < 0);
    if (at == s->n || !dpl__str_eq(dpl__string(s, NUMBER), what))
        return false;
    *number = NUMBER;
    return true;
#undef NUMBER
}
