/*
 * beads_blocks.c - beads of many document pairs are written on all threads.
 *
 * Where rows of a format depend on nothing else (TSV, JSON Lines), blocks of document pairs
 * become text on all threads, which goes to the file in their order; other formats are written
 * pair by pair.
 */
#include "base/ctx.h"
#include "par/pool.h"
#include "sentences/beads_writer.h"

enum { BLOCK_PAIRS = 64 };

typedef struct block {
    size_t first;
    dpl_beads_writer writer; /* a copy that writes to text */
    dpl__aligned_reader reader;
    dpl__bytes text;
    bool has_failed;
} block;

typedef struct writing {
    dpl_beads_writer *w;
    const dpl__aligned *aligned;
    size_t next, n; /* document pairs */
    block *slots;
} writing;

static bool has_rows_alone(const dpl_beads_writer *w)
{
    const dpl__beads_format *f = w->format;
    return f->row && !f->begin && !f->end && !f->info.is_corpus && !w->folder;
}

static void put(void *user, int side, const char *data, size_t n)
{
    block *b = user;
    (void)side;
    if (!dpl__vec_append(b->writer.ctx, &b->text, data, n))
        b->has_failed = true;
}

static dpl_status next_block(void *user, size_t slot, dpl_error *err)
{
    writing *x = user;
    (void)err;
    if (x->next >= x->n)
        return DPL_END;
    x->slots[slot].first = x->next;
    x->next += BLOCK_PAIRS;
    return DPL_OK;
}

static dpl_status write_block(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    writing *x = user;
    block *b = &x->slots[slot];
    const size_t end = dpl__min(b->first + BLOCK_PAIRS, x->n);
    (void)worker;
    b->text.n = 0;
    b->writer.n_pairs = b->writer.n_rows = 0;
    for (size_t i = b->first; i < end; i++) {
        dpl_aligned_docs docs;
        DPL_TRY(dpl__aligned_read(&docs, &b->reader, x->aligned, i, err));
        DPL_TRY(dpl_beads_write(&b->writer, &docs, err));
    }
    return dpl__need(!b->has_failed, err);
}

static dpl_status take_block(void *user, size_t slot, dpl_error *err)
{
    writing *x = user;
    const block *b = &x->slots[slot];
    (void)err;
    if (b->text.n)
        dpl__bead_put(x->w, 0, b->text.data, b->text.n);
    x->w->n_pairs += b->writer.n_pairs;
    x->w->n_rows += b->writer.n_rows;
    return DPL_OK;
}

dpl_status dpl__beads_write_all(dpl_beads_writer *w, const dpl__aligned *aligned, size_t n,
                                dpl_error *err)
{
    dpl_ctx *ctx = w->ctx;
    if (!has_rows_alone(w) || ctx->n_threads == 1)
        return dpl__aligned_each(aligned, NULL, n, dpl_beads_write, w, err);
    const size_t n_slots = 2 * (size_t)ctx->n_threads;
    writing x = {w, aligned, 0, n, dpl__calloc(ctx, n_slots, sizeof *x.slots)};
    DPL_TRY(dpl__need(x.slots, err));
    for (size_t i = 0; i < n_slots; i++) {
        block *b = &x.slots[i];
        b->writer = (dpl_beads_writer){
            .ctx = ctx, .c = {w->c[0], w->c[1]}, .options = w->options, .format = w->format};
        b->writer.options.put = put;
        b->writer.options.user = b;
        memcpy(b->writer.lang, w->lang, sizeof w->lang);
    }
    const dpl__pipeline p = {&x, n_slots, next_block, write_block, take_block};
    const dpl_status status = dpl__pipeline_run(ctx, &p, err);
    for (size_t i = 0; i < n_slots; i++) {
        block *b = &x.slots[i];
        dpl__aligned_reader_clear(&b->reader, ctx);
        dpl__vec_clear(ctx, &b->text, &b->writer.numbers[0], &b->writer.numbers[1]);
    }
    dpl__free(ctx, x.slots);
    return status;
}
