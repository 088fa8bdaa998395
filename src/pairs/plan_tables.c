/*
 * plan_tables.c - where pairs stand in the first tables that the search will make.
 *
 * Few tables are a matter of luck: in a collection with groups of similar rows the pairs of a
 * group are found or lost together, and ten tables of one seed find several hundredths more or
 * less than ten of another. The permutations come from the context's seed, though, so the first
 * tables can be looked at. What they do to the sampled pairs is then known, and only the rest
 * is left to the model.
 *
 * Cost: sorting the tables, some ten nanoseconds for each row and table.
 */
#include "pairs/plan.h"

#include "base/ctx.h"
#include "pairs/window.h"

typedef struct tables {
    dpl_ctx *ctx;
    dpl__table_rows rows;
    dpl__columns *columns;
    dpl__order *order;
    uint32_t *numbers, *places;
} tables;

static dpl_status begin(tables *t, dpl__spill *spill, dpl_error *err)
{
    t->numbers = dpl__alloc(t->ctx, t->rows.n * sizeof *t->numbers);
    t->places = dpl__alloc(t->ctx, t->rows.n * sizeof *t->places);
    DPL_TRY(dpl__need(t->numbers && t->places, err));
    DPL_TRY(dpl__columns_new(&t->columns, t->ctx, &t->rows, err));
    t->rows.columns = t->columns;
    return dpl__order_new(&t->order, spill, &t->rows, SIZE_MAX / 4, false, err);
}

static void end(tables *t)
{
    dpl__order_free(t->order);
    dpl__columns_free(t->columns);
    dpl__free(t->ctx, t->places, t->numbers);
}

static dpl_status sort_table(tables *t, unsigned table, dpl_error *err)
{
    DPL_TRY(dpl__order_sort(t->order, t->ctx->seed, table, err));
    DPL_TRY(dpl__order_next(t->order, t->numbers, t->rows.n, err));
    for (uint32_t i = 0; i < t->rows.n; i++)
        t->places[t->numbers[i]] = i;
    return DPL_OK;
}

dpl_status dpl__tables_measure(dpl__row_sample *out, dpl_ctx *ctx, const dpl__bits *rows,
                               const uint32_t (*pairs)[2], dpl_error *err)
{
    tables t = {.ctx = ctx, .rows = {rows, NULL, rows->n_rows, rows->n_words, NULL}};
    dpl__spill spill;
    DPL_TRY(dpl__spill_init(&spill, ctx, "/tmp", err));
    dpl_status status;
    DPL__STEP(begin(&t, &spill, err));
    for (unsigned table = 0; table < out->n_tables; table++) {
        DPL__STEP(sort_table(&t, table, err));
        for (size_t i = 0; i < out->n_pairs; i++) {
            assert(pairs[i][0] < rows->n_rows && pairs[i][1] < rows->n_rows);
            uint32_t a = t.places[pairs[i][0]], b = t.places[pairs[i][1]];
            out->gaps[i * out->n_tables + table] = a < b ? b - a : a - b;
        }
    }
done:
    end(&t);
    dpl__spill_clear(&spill);
    return status;
}
