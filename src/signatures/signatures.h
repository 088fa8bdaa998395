/*
 * signatures.h - what a set of signatures holds, as plain arrays. Frozen.
 */
#ifndef DPL_SIGNATURES_SIGNATURES_H
#define DPL_SIGNATURES_SIGNATURES_H

#include "doppel/file.h"
#include "doppel/signatures.h"

#include "io/scratch.h"
#include "io/sections.h"

/* Rows of n_words words each, one behind the other. */
typedef struct dpl__bits {
    uint32_t n_rows, n_words;
    const uint64_t *words;
} dpl__bits;

static inline const uint64_t *dpl__bits_row(const dpl__bits *b, uint32_t row)
{
    return b->words + (size_t)row * b->n_words;
}

struct dpl_signatures {
    dpl_ctx *ctx;
    char *path;
    dpl_signatures_sizes sizes;
    dpl__bits bits;
    dpl_str settings, space, lang, doc_lang;
    bool is_projected;
    dpl_file *file; /* where all of it lies; NULL for signatures that were made here: */
    const dpl_vectors *vectors; /* ids and texts are theirs */
    dpl__spill spill;
    dpl__scratch words;
    dpl__strings ids; /* of the file */
    dpl__bytes made_settings;
};

/* The bits of rp and simhash signatures; minhash has values instead (n_words covers them). */
const dpl__bits *dpl__signatures_bits(const dpl_signatures *s);

/* DPL_E_USAGE with the reason unless they have the same method, length, seed and come from
 * vectors that match. */
dpl_status dpl__signatures_check_match(const dpl_signatures *left, const dpl_signatures *right,
                                       dpl_error *err);

#endif
