/*
 * merged_ids.h - the ids of rows that are in pairs of parts. Frozen.
 */
#ifndef DPL_PAIRS_MERGED_IDS_H
#define DPL_PAIRS_MERGED_IDS_H

#include "io/parts.h"

/* Where the id of a row is; part UINT32_MAX: nowhere. */
typedef struct dpl__id_place {
    uint32_t part, at;
} dpl__id_place;

typedef struct dpl__merged_ids {
    const dpl_parts *parts;
    dpl__strings *ids[2];    /* of each part: left and right rows */
    dpl__id_place *place[2]; /* of each row */
    uint32_t n_rows[2];
} dpl__merged_ids;

/* Sections NAME.rows, NAME.offsets and NAME.bytes of all parts; names[1] NULL: one side. */
dpl_status dpl__merged_ids_new(dpl__merged_ids **out, const dpl_parts *parts,
                               const char *const names[2], const uint32_t n_rows[2],
                               dpl_error *err);
/* ids may be NULL. */
void dpl__merged_ids_free(dpl__merged_ids *ids, dpl_ctx *ctx);
/* Empty for a row that no part has. */
dpl_str dpl__merged_id(const dpl__merged_ids *ids, unsigned side, uint32_t row);

/* A set of rows, one bit each, and the sections of their ids. */
typedef struct dpl__row_set {
    uint64_t *bits;
    uint32_t n_rows;
} dpl__row_set;

bool dpl__row_set_init(dpl__row_set *s, dpl_ctx *ctx, uint32_t n_rows);
void dpl__row_set_clear(dpl__row_set *s, dpl_ctx *ctx);
static inline void dpl__row_set_add(dpl__row_set *s, uint32_t row)
{
    assert(row < s->n_rows);
    s->bits[row / 64] |= (uint64_t)1 << row % 64;
}
/* Writes the rows of the set and their ids as id_of(user, row) has them. */
dpl_status dpl__row_set_write(const dpl__row_set *s, dpl__writer *w, const char *name,
                              dpl_str (*id_of)(const void *user, uint32_t row),
                              const void *user, dpl_error *err);

#endif
