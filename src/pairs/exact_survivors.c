/*
 * exact_survivors.c - pairs that may reach the threshold, to those that do.
 *
 * Survivors come block by block; they are put in the order of the queries and scored one query
 * at a time, rows to come fetched before.
 */
#include "pairs/exact.h"

#include "base/mappings.h"

enum { AHEAD = 2 };

uint32_t dpl__survivors_halve(dpl__survivors *s, uint32_t n_queries)
{
    size_t n = 0;
    n_queries = (n_queries + 1) / 2;
    for (size_t i = 0; i < s->all.n; i++)
        if (s->all.data[i].query < n_queries)
            s->all.data[n++] = s->all.data[i];
    s->all.n = n;
    return n_queries;
}

/* Rows of each query's survivors, in the order they came, which is rising. */
static bool sort(dpl__survivors *s, dpl_ctx *ctx, uint32_t n_queries)
{
    s->rows.n = s->ends.n = 0;
    if (!dpl__vec_reserve(ctx, &s->rows, s->all.n + 1) ||
        !dpl__vec_reserve(ctx, &s->ends, n_queries + (size_t)1))
        return false;
    uint32_t *ends = s->ends.data;
    memset(ends, 0, (n_queries + (size_t)1) * sizeof *ends);
    for (size_t i = 0; i < s->all.n; i++)
        ends[s->all.data[i].query + 1]++;
    for (uint32_t q = 0; q < n_queries; q++)
        ends[q + 1] += ends[q];
    for (size_t i = 0; i < s->all.n; i++)
        s->rows.data[ends[s->all.data[i].query]++] = s->all.data[i].row;
    s->rows.n = s->all.n;
    return true;
}

bool dpl__survivors_score(dpl__survivors *s, dpl_ctx *ctx, const dpl__join *join,
                          const uint32_t *queries, uint32_t n_queries, dpl__found *out)
{
    if (!s->scorer.sides && !dpl__scorer_init(&s->scorer, ctx, join->sides))
        return false;
    if (!sort(s, ctx, n_queries))
        return false;
    size_t i = 0;
    for (uint32_t q = 0; q < n_queries; q++) {
        if (i < s->ends.data[q])
            dpl__scorer_set(&s->scorer, queries[q]);
        for (; i < s->ends.data[q]; i++) {
            uint32_t row = s->rows.data[i];
            uint32_t next = s->rows.data[dpl__min(i + AHEAD, s->rows.n - 1)];
            dpl__mappings_ease_in_loop(ctx, i);
            float score = dpl__score(&s->scorer, row, next);
            if (dpl__is_pair(score, join->threshold) &&
                !dpl__vec_push(ctx, out, ((dpl_pair){queries[q], row, score})))
                return false;
        }
    }
    return true;
}

void dpl__survivors_clear(dpl__survivors *s, dpl_ctx *ctx)
{
    if (s->scorer.sides)
        dpl__scorer_clear(&s->scorer, ctx);
    dpl__vec_clear(ctx, &s->all, &s->rows, &s->ends);
}
