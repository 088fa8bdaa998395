/*
 * mph.c - uses a minimal perfect hash function, and checks its bytes.
 */
#include "index/mph.h"

enum { HEADER = 32, MOST_LOG = 18 };

static const char *check_part(const dpl__mph *m, const dpl__mph_part *part, uint64_t end)
{
    const uint64_t segment = (uint64_t)1 << part->log;
    const uint64_t n_cells = part->starts + 2 * segment;
    if (part->starts == 0 || part->starts % segment)
        return "impossible part";
    if (part->block > m->n_blocks || end > m->n_blocks ||
        (uint64_t)part->block * DPL__MPH_CELLS + n_cells > end * DPL__MPH_CELLS)
        return "part outside of its blocks";
    return NULL;
}

const char *dpl__mph_open(dpl__mph *out, const void *bytes, size_t n_bytes)
{
    const uint8_t *p = bytes;
    *out = (dpl__mph){0};
    if (n_bytes < HEADER)
        return "too short";
    dpl__mph m = {dpl__load64(p), dpl__load64(p + 8), dpl__load64(p + 16), NULL, NULL};
    if (m.n_keys > UINT32_MAX || m.n_parts > UINT32_MAX || m.n_blocks > UINT32_MAX ||
        (m.n_keys > 0 && m.n_parts == 0))
        return "impossible numbers";
    const uint64_t table = HEADER + m.n_parts * sizeof(dpl__mph_part);
    const uint64_t blocks = (table + DPL__MPH_BLOCK - 1) / DPL__MPH_BLOCK * DPL__MPH_BLOCK;
    if (blocks + m.n_blocks * DPL__MPH_BLOCK != n_bytes)
        return "another size than its numbers say";
    m.parts = (const dpl__mph_part *)(const void *)(p + HEADER);
    m.blocks = p + blocks;
    for (uint64_t i = 0; i < m.n_parts; i++) {
        if (m.parts[i].log > MOST_LOG)
            return "impossible part";
        const char *wrong =
            check_part(&m, &m.parts[i], i + 1 < m.n_parts ? m.parts[i + 1].block : m.n_blocks);
        if (wrong)
            return wrong;
    }
    *out = m;
    return NULL;
}

void dpl__mph_get_many(const dpl__mph *m, const uint64_t *keys, size_t n, uint64_t *out)
{
    enum { AHEAD = 16 };
    dpl__mph_place places[AHEAD];
    for (size_t first = 0; first < n; first += AHEAD) {
        const size_t n_now = dpl__min(AHEAD, n - first);
        for (size_t i = 0; i < n_now; i++) {
            places[i] = dpl__mph_find(m, keys[first + i]);
            dpl__mph_prefetch(&places[i]);
        }
        for (size_t i = 0; i < n_now; i++)
            out[first + i] = dpl__mph_number(m, &places[i]);
    }
}
