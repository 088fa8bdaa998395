/*
 * aligned.h - the beads of many document pairs, kept compactly: added once, read many times.
 *
 * Alignment is the expensive step; judging pairs, writing their sentences and reporting them
 * all read the same beads. A bead takes about 6 bytes. What exceeds the share of memory goes to
 * an unnamed temporary file.
 *
 *     dpl__aligned *aligned = NULL;
 *     DPL_TRY(dpl__aligned_new(&aligned, ctx, work_dir, share, err));
 *     status = dpl_sentences_align(..., dpl__aligned_add, aligned, err);
 *     status = dpl__aligned_each(aligned, numbers, n, dpl_beads_write, writer, err);
 *     dpl__aligned_free(aligned);
 */
#ifndef DPL_SENTENCES_ALIGNED_H
#define DPL_SENTENCES_ALIGNED_H

#include "base/vec.h"
#include "doppel/sentences.h"

/* Owned while pairs are added, then frozen: any number of threads may read. */
typedef struct dpl__aligned dpl__aligned;

/* Keeps up to `share` bytes in memory and the rest in a temporary file in dir; dir NULL: all in
 * memory. Besides, 8 bytes for each document pair. */
dpl_status dpl__aligned_new(dpl__aligned **out, dpl_ctx *ctx, const char *dir, size_t share,
                            dpl_error *err);
void dpl__aligned_free(dpl__aligned *aligned);

/* A dpl_aligned_docs_fn; aligned is a dpl__aligned. The first pair added has number 0. */
dpl_status dpl__aligned_add(void *aligned, const dpl_aligned_docs *docs, dpl_error *err);
/* Number of document pairs added. */
size_t dpl__aligned_size(const dpl__aligned *aligned);

/* What one thread decodes into. Zeroed memory is empty. Owned. */
typedef struct dpl__aligned_reader {
    dpl__bytes bytes;
    DPL_VEC(dpl_bead) beads;
    DPL_VEC(uint32_t) units[2];
} dpl__aligned_reader;

void dpl__aligned_reader_clear(dpl__aligned_reader *reader, dpl_ctx *ctx);
/* Document pair `number` as it was added; out->pair is the number. Borrowed from the reader
 * until its next call. */
dpl_status dpl__aligned_read(dpl_aligned_docs *out, dpl__aligned_reader *reader,
                             const dpl__aligned *aligned, size_t number, dpl_error *err);

/* Hands out the pairs with these numbers, in this order, as dpl_sentences_align would: the pair
 * numbers[i] with out->pair = i. numbers NULL: the first n pairs. */
dpl_status dpl__aligned_each(const dpl__aligned *aligned, const size_t *numbers, size_t n,
                             dpl_aligned_docs_fn *take, void *user, dpl_error *err);

/* Adds a document pair to the counts of a summary: pairs, units, beads, verdicts, kinds. */
void dpl__sentences_count(dpl_sentences_summary *summary, const dpl_aligned_docs *docs);

#endif
