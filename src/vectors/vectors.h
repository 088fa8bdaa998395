/*
 * vectors.h - what a set of vectors holds, as plain arrays. Frozen.
 */
#ifndef DPL_VECTORS_VECTORS_H
#define DPL_VECTORS_VECTORS_H

#include "doppel/file.h"
#include "doppel/vectors.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "io/scratch.h"
#include "io/sections.h"
#include "kernels/kernels.h"

/* Sparse rows: row r has terms[offsets[r]] .. terms[offsets[r + 1] - 1], rising. */
typedef struct dpl__rows {
    uint32_t n_rows, n_terms;
    const uint64_t *offsets; /* n_rows + 1 */
    const uint32_t *terms;
    const float *weights;
} dpl__rows;

/* Dense rows: dim numbers each, one behind the other. */
typedef struct dpl__dense {
    uint32_t n_rows, dim;
    const float *values;
} dpl__dense;

struct dpl_vectors {
    dpl_ctx *ctx;
    char *path;
    dpl_file *file; /* NULL for dense rows from elsewhere */
    dpl_vectors_sizes sizes;
    dpl__rows rows;       /* sparse */
    dpl__dense dense;     /* dense */
    dpl__strings terms;   /* sparse; in byte order */
    dpl__strings ids;     /* of dense rows: their numbers in the file, as text */
    const uint32_t *docs; /* sparse: number of each row's document, rising */
    dpl_str settings, space, lang, doc_lang;
    bool is_projected;
    dpl__arena arena;    /* holds the path; dense: also ids and texts */
    dpl__spill spill;    /* dense: where values go that do not fit into memory */
    dpl__scratch values; /* dense: what dense.values points to */
};

/* Empty vectors with a name for messages, to be filled. */
dpl_status dpl__vectors_new(dpl_vectors **out, dpl_ctx *ctx, const char *path, dpl_error *err);
/* A file that was just written becomes vectors; its checksums are not verified again. It is
 * closed with them, or here after a failure. name is for messages; NULL: the file's path. */
dpl_status dpl__vectors_from_file(dpl_vectors **out, dpl_ctx *ctx, dpl_file *file,
                                  const char *name, dpl_error *err);

/* As dpl_vectors_from_collection, of the documents that options->skip leaves: all are in
 * `lang`, and they are weighed as if the others were not there. min_count is 1. */
dpl_status dpl__vectors_of_language(dpl_vectors **out, const dpl_collection *collection,
                                    const char *lang, const dpl_lexicon *lexicon,
                                    const dpl_vectors_options *options, dpl_error *err);

/* Rows [first, first + n) of v, as vectors of their own: a shallow copy, which is not closed
 * and lives no longer than v. */
dpl_vectors dpl__vectors_slice(const dpl_vectors *v, uint32_t first, uint32_t n);
/* A fingerprint of everything they hold (io/parts.h). */
uint64_t dpl__vectors_fingerprint(uint64_t so_far, const dpl_vectors *v);

/* No such term on the other side. */
#define DPL__NO_TERM UINT32_MAX

/* For each term of `from` its number in `to`, or DPL__NO_TERM; out has room for all of them.
 * Both vocabularies are in byte order, so the numbers that are there rise. */
void dpl__match_terms(uint32_t *out, const dpl__strings *from, const dpl__strings *to);

/* A 64-bit key of a term that is the same in every vocabulary: what hyperplanes and minima are
 * made from. Of a dense row's column: its number through dpl__mix. */
uint64_t dpl__term_key(dpl_str term);

/* The cosine of two dense rows, which have length one. Everything that scores dense rows ends
 * here: the order of the additions is fixed (kernels.h), so a score is the same bits on every
 * machine. */
static inline float dpl__dot(const dpl_ctx *ctx, const float *a, const float *b, size_t n)
{
    return ctx->kernels->dot(a, b, n);
}

/* DPL_E_USAGE with the reason unless rows of one can be compared with rows of the other: dense
 * with dense of the same dim, sparse of the same space, and when one of them is projected, both
 * in terms of the same language. */
dpl_status dpl__vectors_check_match(const dpl_vectors *left, const dpl_vectors *right,
                                    dpl_error *err);

#endif
