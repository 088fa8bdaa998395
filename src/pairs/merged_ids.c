/*
 * merged_ids.c - ids of rows: written with a part, found again in all of them.
 */
#include "pairs/merged_ids.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/map.h"
#include "readers/file_checks.h"

#include <stdio.h>

/* ---- writing ------------------------------------------------------------------------ */

bool dpl__row_set_init(dpl__row_set *s, dpl_ctx *ctx, uint32_t n_rows)
{
    s->n_rows = n_rows;
    s->bits = dpl__calloc(ctx, n_rows / 64 + 1, sizeof *s->bits);
    return s->bits != NULL;
}

void dpl__row_set_clear(dpl__row_set *s, dpl_ctx *ctx)
{
    dpl__free(ctx, s->bits);
    s->bits = NULL;
}

static bool has(const dpl__row_set *s, uint32_t row)
{
    return s->bits[row / 64] >> row % 64 & 1;
}

dpl_status dpl__row_set_write(const dpl__row_set *s, dpl__writer *w, const char *name,
                              dpl_str (*id_of)(const void *user, uint32_t row),
                              const void *user, dpl_error *err)
{
    char section[DPL__CONTAINER_NAME];
    uint64_t end = 0;
    snprintf(section, sizeof section, "%s.rows", name);
    DPL_TRY(dpl__writer_begin(w, section, 4, err));
    for (uint32_t row = 0; row < s->n_rows; row++)
        if (has(s, row))
            DPL_TRY(dpl__writer_append(w, &row, sizeof row, err));
    snprintf(section, sizeof section, "%s.offsets", name);
    DPL_TRY(dpl__writer_begin(w, section, 8, err));
    DPL_TRY(dpl__writer_append(w, &end, sizeof end, err));
    for (uint32_t row = 0; row < s->n_rows; row++)
        if (has(s, row)) {
            end += id_of(user, row).n;
            DPL_TRY(dpl__writer_append(w, &end, sizeof end, err));
        }
    snprintf(section, sizeof section, "%s.bytes", name);
    DPL_TRY(dpl__writer_begin(w, section, 1, err));
    for (uint32_t row = 0; row < s->n_rows; row++)
        if (has(s, row)) {
            const dpl_str id = id_of(user, row);
            DPL_TRY(dpl__writer_append(w, id.data, id.n, err));
        }
    return DPL_OK;
}

/* ---- finding ------------------------------------------------------------------------ */

static dpl_status read_part(dpl__merged_ids *m, unsigned side, uint32_t part, const char *name,
                            dpl_error *err)
{
    const dpl_file *file = dpl__parts_file(m->parts, part);
    dpl__strings *ids = &m->ids[side][part];
    char rows_name[DPL__CONTAINER_NAME], offsets[DPL__CONTAINER_NAME],
        bytes[DPL__CONTAINER_NAME];
    const uint32_t *rows = NULL;
    size_t n = 0;
    snprintf(rows_name, sizeof rows_name, "%s.rows", name);
    snprintf(offsets, sizeof offsets, "%s.offsets", name);
    snprintf(bytes, sizeof bytes, "%s.bytes", name);
    DPL_TRY(dpl__get(file, rows_name, 4, &rows, &n, err));
    DPL_TRY(dpl__check_below(file, rows_name, rows, n, m->n_rows[side], err));
    DPL_TRY(dpl__get_strings(file, offsets, bytes, ids, n, err));
    DPL_TRY(dpl__check_names(file, bytes, ids, err));
    for (size_t i = 0; i < n; i++) {
        if (i && rows[i - 1] >= rows[i])
            return dpl__damaged(file, rows_name, "out of order", err);
        const dpl_str other = dpl__merged_id(m, side, rows[i]);
        if (other.n && !dpl__str_eq(other, dpl__string(ids, i)))
            return dpl__damaged(file, bytes, "an id differs from that of another part", err);
        m->place[side][rows[i]] = (dpl__id_place){part, (uint32_t)i};
    }
    return DPL_OK;
}

/* Rows from 1 by their ids. */
typedef struct row_ids {
    const dpl__merged_ids *m;
    unsigned side;
} row_ids;

static bool is_used(const void *user, const uint32_t *slot)
{
    (void)user;
    return *slot != 0;
}

static bool has_id(const void *user, const uint32_t *slot, dpl_str id)
{
    const row_ids *r = user;
    return dpl__str_eq(dpl__merged_id(r->m, r->side, *slot - 1), id);
}

DPL_SLOTS(rows_by_id, uint32_t, dpl_str, is_used, has_id);

/* Ids are unique within an input: in the rows of all parts together, too. */
static dpl_status check_unique(const dpl__merged_ids *m, unsigned side, const char *name,
                               dpl_error *err)
{
    dpl_ctx *ctx = dpl__parts_ctx(m->parts);
    const row_ids ids = {m, side};
    rows_by_id rows = {.n_slots = dpl__map_slots(m->n_rows[side]), .user = &ids};
    char section[DPL__CONTAINER_NAME];
    snprintf(section, sizeof section, "%s.bytes", name);
    rows.slots = dpl__calloc(ctx, rows.n_slots, sizeof *rows.slots);
    dpl_status status = dpl__need(rows.slots, err);
    for (uint32_t row = 0; row < m->n_rows[side] && status == DPL_OK; row++) {
        const dpl_str id = dpl__merged_id(m, side, row);
        if (!id.n)
            continue;
        uint32_t *slot = rows_by_id_find(&rows, dpl__hash(id.data, id.n, 13), id);
        if (*slot)
            status = dpl__damaged(dpl__parts_file(m->parts, m->place[side][row].part), section,
                                  "a string is there twice", err);
        *slot = row + 1;
    }
    dpl__free(ctx, rows.slots);
    return status;
}

/* A part has the ids of few rows, and says how many there are: nothing else in it bounds what
 * that takes. */
static dpl_status check_memory(const dpl__merged_ids *m, dpl_ctx *ctx, dpl_error *err)
{
    const size_t n_rows = (size_t)m->n_rows[0] + m->n_rows[1];
    const size_t n_slots = dpl__map_slots(dpl__max(m->n_rows[0], m->n_rows[1]));
    const double n_bytes =
        (double)n_rows * sizeof(dpl__id_place) + (double)n_slots * sizeof(uint32_t);
    if ((double)dpl__ctx_used(ctx) + n_bytes <= (double)ctx->memory)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_LIMIT, "memory",
                          "'%s': the ids of %zu rows do not fit into memory",
                          dpl_file_get_info(dpl__parts_file(m->parts, 0)).path, n_rows);
}

static dpl_status read_all(dpl__merged_ids *m, dpl_ctx *ctx, const char *const names[2],
                           dpl_error *err)
{
    const uint32_t n = dpl_parts_get_info(m->parts).n;
    for (unsigned side = 0; side < 2 && names[side]; side++) {
        m->ids[side] = dpl__calloc(ctx, n, sizeof *m->ids[side]);
        m->place[side] =
            dpl__alloc(ctx, dpl__max((size_t)m->n_rows[side], 1) * sizeof *m->place[side]);
        DPL_TRY(dpl__need(m->ids[side] && m->place[side], err));
        for (uint32_t row = 0; row < m->n_rows[side]; row++)
            m->place[side][row] = (dpl__id_place){UINT32_MAX, 0};
        for (uint32_t part = 0; part < n; part++)
            DPL_TRY(read_part(m, side, part, names[side], err));
        DPL_TRY(check_unique(m, side, names[side], err));
    }
    return DPL_OK;
}

dpl_status dpl__merged_ids_new(dpl__merged_ids **out, const dpl_parts *parts,
                               const char *const names[2], const uint32_t n_rows[2],
                               dpl_error *err)
{
    dpl_ctx *ctx = dpl__parts_ctx(parts);
    dpl__merged_ids *m = *out = dpl__calloc(ctx, 1, sizeof *m);
    DPL_TRY(dpl__need(m, err));
    m->parts = parts;
    m->n_rows[0] = n_rows[0];
    m->n_rows[1] = n_rows[1];
    DPL_TRY(check_memory(m, ctx, err));
    return read_all(m, ctx, names, err);
}

void dpl__merged_ids_free(dpl__merged_ids *m, dpl_ctx *ctx)
{
    if (!m)
        return;
    for (unsigned side = 0; side < 2; side++)
        dpl__free(ctx, m->ids[side], m->place[side]);
    dpl__free(ctx, m);
}

dpl_str dpl__merged_id(const dpl__merged_ids *m, unsigned side, uint32_t row)
{
    assert(row < m->n_rows[side]);
    const dpl__id_place at = m->place[side][row];
    return at.part == UINT32_MAX ? (dpl_str){"", 0}
                                 : dpl__string(&m->ids[side][at.part], at.at);
}
