/*
 * window_seen.c - which pairs an earlier table has already had.
 *
 * A pair that is very much alike stands together in nearly every table. Where rows stood in the
 * first tables is remembered, so that such a pair is handed on once and not hundreds of times:
 * rows that were within the window then have been compared then. Pairs that the first tables
 * missed may still come more than once, but not often, else the first ones would have had them.
 *
 * Memory: 4 bytes for each row and table. Cost: one line of memory for each row of a pair.
 */
#include "pairs/window.h"

struct dpl__seen {
    dpl_ctx *ctx;
    unsigned n_tables;
    size_t n_places;
    uint32_t *places; /* [number][table] */
};

dpl_status dpl__seen_new(dpl__seen **out, dpl_ctx *ctx, uint32_t n_rows, unsigned n_tables,
                         dpl_error *err)
{
    *out = NULL;
    dpl__seen *s = dpl__calloc(ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    s->ctx = ctx;
    s->n_tables = n_tables;
    s->n_places = (size_t)n_rows * n_tables;
    s->places = dpl__alloc(ctx, s->n_places * sizeof *s->places);
    if (!s->places) {
        dpl__seen_free(s);
        return dpl__fail_nomem(err);
    }
    *out = s;
    return DPL_OK;
}

void dpl__seen_free(dpl__seen *s)
{
    if (!s)
        return;
    dpl__free(s->ctx, s->places, s);
}

void dpl__seen_add(dpl__seen *s, unsigned table, uint32_t place, const uint32_t *numbers,
                   size_t n)
{
    if (table < s->n_tables)
        for (size_t i = 0; i < n; i++)
            s->places[(size_t)numbers[i] * s->n_tables + table] = place + (uint32_t)i;
}

bool dpl__seen_has(const dpl__seen *s, unsigned table, unsigned window, uint32_t a, uint32_t b)
{
    assert(a != b);
    const uint32_t *x = s->places + (size_t)a * s->n_tables;
    const uint32_t *y = s->places + (size_t)b * s->n_tables;
    for (size_t t = 0; t < dpl__min(table, s->n_tables); t++)
        if ((x[t] < y[t] ? y[t] - x[t] : x[t] - y[t]) <= window)
            return true;
    return false;
}
