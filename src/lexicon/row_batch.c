/*
 * row_batch.c - rows copied from a reader, which keeps only the last one.
 */
#include "lexicon/row_batch.h"

enum { MOST_ROWS = 1 << 14, MOST_BYTES = 4 << 20 };

void dpl__row_batch_clear(dpl__row_batch *t)
{
    if (!t->ctx)
        return;
    dpl__vec_clear(t->ctx, &t->text, &t->rows);
}

static dpl_status add(dpl__row_batch *t, const dpl_bitext_row *row, dpl_error *err)
{
    bool has_room = dpl__vec_append(t->ctx, &t->text, row->left.data, row->left.n) &&
                    dpl__vec_append(t->ctx, &t->text, row->right.data, row->right.n) &&
                    dpl__vec_push(t->ctx, &t->rows, *row);
    return dpl__need(has_room, err);
}

/* The buffer may have moved while it grew, so pointers into it are set at the end. */
static void point_to_text(dpl__row_batch *t)
{
    assert(t->text.n <= t->text.cap);
    const char *at = t->text.data;
    for (size_t i = 0; i < t->rows.n; i++) {
        dpl_bitext_row *row = &t->rows.data[i];
        row->left.data = at;
        row->right.data = at ? at + row->left.n : at;
        at = at ? row->right.data + row->right.n : at;
    }
}

dpl_status dpl__row_batch_read(dpl__row_batch *t, dpl_bitext *reader, dpl_error *err)
{
    dpl_status status = DPL_OK;
    t->text.n = t->rows.n = 0;
    while (t->rows.n < MOST_ROWS && t->text.n < MOST_BYTES) {
        dpl_bitext_row row;
        DPL__STEP(dpl_bitext_next(reader, &row, err));
        DPL__STEP(add(t, &row, err));
    }
done:
    point_to_text(t);
    return status == DPL_END && t->rows.n > 0 ? DPL_OK : status;
}
