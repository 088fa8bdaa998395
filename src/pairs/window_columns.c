/*
 * window_columns.c - the signatures turned over: for 512 rows at a time and every bit position,
 * that bit of the rows. Any 32 positions give the keys of 512 rows from 32 short reads.
 *
 * Cost: as much memory as the signatures; one pass over them, once.
 */
#include "pairs/window.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "par/pool.h"

enum { ROWS = DPL__COLUMN_ROWS, ALIGN = 64 };

struct dpl__columns {
    dpl_ctx *ctx;
    const dpl__table_rows *rows;
    void *memory;
    uint64_t *words; /* [block][position][ROWS / 64], aligned */
};

static size_t block_words(const dpl__table_rows *rows)
{
    return (size_t)rows->n_words * 64 * (ROWS / 64);
}

static size_t n_blocks(const dpl__table_rows *rows)
{
    return ((size_t)rows->n + ROWS - 1) / ROWS;
}

size_t dpl__columns_bytes(const dpl__table_rows *rows)
{
    return n_blocks(rows) * block_words(rows) * sizeof(uint64_t) + ALIGN;
}

static void turn_block(void *user, size_t block)
{
    const dpl__columns *c = user;
    const uint64_t *rows[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        size_t number = block * ROWS + i;
        rows[i] = number < c->rows->n ? dpl__table_row(c->rows, (uint32_t)number) : NULL;
    }
    c->ctx->kernels->column_turn(c->words + block * block_words(c->rows), rows,
                                 c->rows->n_words);
}

dpl_status dpl__columns_new(dpl__columns **out, dpl_ctx *ctx, const dpl__table_rows *rows,
                            dpl_error *err)
{
    *out = NULL;
    dpl__columns *c = dpl__calloc(ctx, 1, sizeof *c);
    DPL_TRY(dpl__need(c, err));
    c->ctx = ctx;
    c->rows = rows;
    c->memory = dpl__alloc(ctx, dpl__columns_bytes(rows));
    if (!c->memory) {
        dpl__columns_free(c);
        return dpl__fail_nomem(err);
    }
    c->words = (uint64_t *)(((uintptr_t)c->memory + ALIGN - 1) / ALIGN * ALIGN);
    dpl_status status = dpl__parallel_each(ctx, n_blocks(rows), c, turn_block, err);
    if (status != DPL_OK) {
        dpl__columns_free(c);
        return status;
    }
    *out = c;
    return DPL_OK;
}

void dpl__columns_free(dpl__columns *c)
{
    if (!c)
        return;
    dpl__free(c->ctx, c->memory, c);
}

void dpl__columns_keys(const dpl__columns *c, uint32_t *keys, size_t block,
                       const uint32_t *positions)
{
    const uint64_t *words = c->words + block * block_words(c->rows);
    if (block + 1 < n_blocks(c->rows)) /* the reads are short and lie anywhere */
        for (unsigned i = 0; i < DPL__KEY_BITS; i++)
            DPL_PREFETCH(words + block_words(c->rows) + positions[i] * (ROWS / 64));
    c->ctx->kernels->column_keys(keys, words, positions);
}
