/*
 * doc_numbers.h - the numbers of documents as they were read and as they are mined.
 *
 * Cleaning (clean.h) imports the documents of a side again and may leave some of them out, so
 * that those behind them have other numbers. What was found before cleaning, such as links,
 * and what goes to the caller or is compared with another run has the numbers of documents as
 * read; everything between has those of documents as mined. This is the only place that turns
 * one into the other.
 */
#ifndef DPL_MINE_DOC_NUMBERS_H
#define DPL_MINE_DOC_NUMBERS_H

#include "doppel/mine.h"

/* The numbers of one side's documents. Zeroed: the same number in both collections. */
typedef struct dpl__doc_numbers {
    const dpl_collection *read; /* the documents as read; NULL: they are mined as they are */
    dpl_collection *owned;      /* the same, if it was opened here */
    uint32_t *as_mined;         /* of each document as read; DPL_MINE_NO_DOC: left out */
    uint32_t *as_read;          /* of each document as mined */
    uint32_t n_read, n_mined;
} dpl__doc_numbers;

/* mined has documents of `read`, in the same order. Clear it where this fails, too. */
dpl_status dpl__doc_numbers_init(dpl__doc_numbers *out, dpl_ctx *ctx,
                                 const dpl_collection *read, const dpl_collection *mined,
                                 dpl_error *err);
void dpl__doc_numbers_clear(dpl__doc_numbers *numbers, dpl_ctx *ctx);

static inline uint32_t dpl__doc_as_mined(const dpl__doc_numbers *n, uint32_t doc)
{
    return n->as_mined && doc != DPL_MINE_NO_DOC ? n->as_mined[doc] : doc;
}

static inline uint32_t dpl__doc_as_read(const dpl__doc_numbers *n, uint32_t doc)
{
    return n->as_read && doc != DPL_MINE_NO_DOC ? n->as_read[doc] : doc;
}

#endif
