/*
 * prune.c - keeps the most probable entries of each row of a table.
 *
 * Most entries of a trained table are chance co-occurrences: one pass drops those below the
 * minimum probability or count. The others of a row are sorted, and the best are kept up to the
 * other two bounds.
 */
#include "lexicon/lexicon_params.h"

#include "base/order.h"
#include "lexicon/write_lexicon.h"

#include <float.h>
#include <stdlib.h>

typedef struct entry {
    float p;
    uint32_t col;
} entry;

DPL__ORDER(best_first, entry, DPL__FALLING(p) DPL__RISING(col))

DPL__ORDER(by_column, entry, DPL__RISING(col))

dpl_prune dpl__prune_defaults(const dpl_prune *options)
{
    dpl_prune o = options ? *options : (dpl_prune)DPL_INIT(dpl_prune);
    o.top = o.top ? o.top : (int)DPL__P(lexicon, max_entries);
    o.cumulative = o.cumulative != 0 ? o.cumulative : DPL__P(lexicon, cumulative);
    o.threshold = o.threshold != 0 ? o.threshold : DPL__P(lexicon, min_p);
    o.min_count = o.min_count != 0 ? o.min_count : DPL__P(lexicon, min_count);
    return o;
}

/* How many of the entries, best first, stay. The sum is compared as a float: 0.95f as a double
 * does not reach 0.95. */
static size_t count_best(const entry *entries, size_t n, const dpl_prune *o)
{
    size_t most = o->top < 0 ? n : dpl__min(n, (size_t)o->top), i = 0;
    float enough = o->cumulative < 0 ? FLT_MAX : (float)o->cumulative;
    double sum = 0;
    while (i < most && (float)sum < enough)
        sum += (double)entries[i++].p;
    assert(i < 2 || entries[i - 2].p >= entries[i - 1].p);
    return i;
}

static size_t longest_row(const dpl__table *t)
{
    uint64_t most = 0;
    for (uint32_t r = 0; r < t->n_rows; r++)
        most = dpl__max(most, t->offsets[r + 1] - t->offsets[r]);
    return (size_t)most;
}

/* Behind what has been kept so far. */
static void keep(dpl__table *t, entry *entries, size_t n)
{
    qsort(entries, n, sizeof *entries, by_column);
    for (size_t i = 0; i < n; i++) {
        t->cols[t->n] = entries[i].col;
        t->p[t->n++] = entries[i].p;
    }
}

dpl_status dpl__prune(dpl__table *t, dpl_ctx *ctx, const float *counts,
                      const dpl_prune *options, dpl_error *err)
{
    assert(t->offsets[t->n_rows] == t->n);
    dpl_prune o = dpl__prune_defaults(options);
    float min_p = o.threshold < FLT_MIN ? FLT_MIN : (float)o.threshold,
          min_count = (float)o.min_count;
    size_t room = longest_row(t) + 1;
    entry *entries = dpl__alloc(ctx, room * sizeof *entries);
    DPL_TRY(dpl__need(entries, err));
    t->n = 0;
    uint64_t at = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        uint64_t end = t->offsets[r + 1];
        size_t n = 0;
        for (; at < end; at++)
            if (t->p[at] >= min_p && (!counts || counts[at] >= min_count))
                entries[n++] = (entry){t->p[at], t->cols[at]};
        qsort(entries, n, sizeof *entries, best_first);
        keep(t, entries, count_best(entries, n, &o));
        t->offsets[r + 1] = t->n;
    }
    dpl__free(ctx, entries);
    return DPL_OK;
}
