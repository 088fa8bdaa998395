/*
 * packed.c - numbers of a few bits, and offsets made of them: opened and made.
 */
#include "index/packed.h"

enum { HEADER = 16, OFFSETS_HEADER = 24, SLACK = 8 };

const char *dpl__packed_open(dpl__packed *out, const void *bytes, size_t n_bytes)
{
    const uint8_t *p = bytes;
    *out = (dpl__packed){0};
    if (n_bytes < HEADER + SLACK)
        return "too short";
    const uint64_t n = dpl__load64(p), width = dpl__load64(p + 8);
    if (width > DPL__PACKED_MOST || n > ((uint64_t)1 << 56) / (width + 1) ||
        HEADER + (n * width + 7) / 8 + SLACK != n_bytes)
        return "another size than its numbers say";
    *out = (dpl__packed){p + HEADER, n, (unsigned)width};
    return NULL;
}

const char *dpl__offsets_open(dpl__offsets *out, const void *bytes, size_t n_bytes,
                              uint64_t end)
{
    const uint8_t *p = bytes;
    *out = (dpl__offsets){0};
    if (n_bytes < OFFSETS_HEADER)
        return "too short";
    const uint64_t n = dpl__load64(p), width = dpl__load64(p + 8),
                   n_bases = dpl__load64(p + 16);
    if (width > DPL__PACKED_MOST || n >= ((uint64_t)1 << 56) / (width + 1) ||
        n_bases != n / DPL__OFFSET_BLOCK + 1 ||
        OFFSETS_HEADER + n_bases * 8 + ((n + 1) * width + 7) / 8 + SLACK != n_bytes)
        return "another size than its numbers say";
    dpl__offsets o = {.bases = (const uint64_t *)(const void *)(p + OFFSETS_HEADER), .n = n};
    o.rest = (dpl__packed){p + OFFSETS_HEADER + n_bases * 8, n + 1, (unsigned)width};
    uint64_t before = 0;
    bool is_good = dpl__offset(&o, 0) == 0;
    for (uint64_t i = 1; i <= n; i++) {
        const uint64_t at = dpl__offset(&o, i);
        is_good &= at >= before;
        before = at;
    }
    if (!is_good || before != end)
        return "offsets that do not rise to the end";
    *out = o;
    return NULL;
}

/* ---- making them -------------------------------------------------------------------- */

static bool grow_zeros(dpl_ctx *ctx, dpl__bytes *out, size_t n)
{
    if (!dpl__vec_reserve(ctx, out, n))
        return false;
    memset(out->data + out->n, 0, n);
    out->n += n;
    return true;
}

static void put_bits(uint8_t *bytes, uint64_t bit, uint64_t value)
{
    uint64_t x = dpl__load64(bytes + bit / 8) | value << bit % 8;
    memcpy(bytes + bit / 8, &x, 8);
}

bool dpl__packed_new(dpl_ctx *ctx, dpl__bytes *out, uint64_t n, unsigned width)
{
    const uint64_t header[2] = {n, width};
    assert(width <= DPL__PACKED_MOST);
    out->n = 0;
    return dpl__vec_append(ctx, out, (const char *)header, sizeof header) &&
           grow_zeros(ctx, out, (size_t)((n * width + 7) / 8) + SLACK);
}

void dpl__packed_put(dpl__bytes *out, uint64_t i, uint64_t value)
{
    const unsigned width = (unsigned)dpl__load64(out->data + 8);
    assert(i < dpl__load64(out->data) && value >> width == 0);
    put_bits((uint8_t *)out->data + HEADER, i * width, value);
}

dpl_status dpl__offsets_add(dpl__offsets_writer *w, uint64_t length, dpl_error *err)
{
    const uint64_t end = (w->ends.n ? w->ends.data[w->ends.n - 1] : 0) + length;
    return dpl__need(dpl__vec_push(w->ctx, &w->ends, end), err);
}

static uint64_t offset_of(const dpl__offsets_writer *w, uint64_t i)
{
    return i ? w->ends.data[i - 1] : 0;
}

dpl_status dpl__offsets_finish(dpl__offsets_writer *w, dpl__bytes *out, dpl_error *err)
{
    const uint64_t n = w->ends.n, n_bases = n / DPL__OFFSET_BLOCK + 1;
    uint64_t most = 0;
    for (uint64_t i = 0; i <= n; i++) {
        const uint64_t rest =
            offset_of(w, i) - offset_of(w, i / DPL__OFFSET_BLOCK * DPL__OFFSET_BLOCK);
        most = rest > most ? rest : most;
    }
    const unsigned width = dpl__width_of(most);
    if (width > DPL__PACKED_MOST)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "offsets of more than %d bits",
                         DPL__PACKED_MOST);
    const uint64_t header[3] = {n, width, n_bases};
    out->n = 0;
    const size_t n_bits = (size_t)(((n + 1) * width + 7) / 8);
    DPL_TRY(dpl__need(dpl__vec_append(w->ctx, out, (const char *)header, sizeof header) &&
                          grow_zeros(w->ctx, out, (size_t)n_bases * 8 + n_bits + SLACK),
                      err));
    uint8_t *p = (uint8_t *)out->data + OFFSETS_HEADER;
    for (uint64_t b = 0; b < n_bases; b++) {
        const uint64_t base = offset_of(w, b * DPL__OFFSET_BLOCK);
        memcpy(p + 8 * b, &base, 8);
    }
    for (uint64_t i = 0; i <= n; i++)
        put_bits(p + 8 * n_bases, i * width,
                 offset_of(w, i) - offset_of(w, i / DPL__OFFSET_BLOCK * DPL__OFFSET_BLOCK));
    return DPL_OK;
}

void dpl__offsets_clear(dpl__offsets_writer *w)
{
    if (w->ctx)
        dpl__vec_clear(w->ctx, &w->ends);
}
