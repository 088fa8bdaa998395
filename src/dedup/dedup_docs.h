/*
 * dedup_docs.h - the documents of a run: new ones, then those that they are compared with; and
 * which of them are copies of each other.
 */
#ifndef DPL_DEDUP_DEDUP_DOCS_H
#define DPL_DEDUP_DEDUP_DOCS_H

#include "doppel/dedup.h"

#include "base/vec.h"
#include "tokens/open_inputs.h"
#include "tokens/shingles.h"

/* Documents with the same words in the same order share a row. */
typedef struct dpl__dedup_row {
    uint64_t key; /* hash of its words */
    uint32_t doc; /* the first of its documents */
    uint32_t n_docs;
    bool has_new, has_old;
} dpl__dedup_row;

/* Frozen once made, but for what it owns. */
typedef struct dpl__dedup_docs {
    dpl_ctx *ctx;
    const dpl__sets *sets;
    const dpl__inputs *in; /* new, then old */
    size_t n_new_inputs;
    uint32_t n_docs, n_new; /* documents below n_new are new */
    uint32_t *row_of;       /* of each document */
    dpl__dedup_row *rows;   /* by key: their order does not depend on that of the documents */
    uint32_t n_rows;
    uint32_t *in_order;      /* rows in the order of their first documents: as these are read */
    uint8_t *is_repeated_id; /* of each document: another one has its id, too; NULL: none */
} dpl__dedup_docs;

/* The documents have ids with numbers of inputs (number_inputs). Everything is borrowed until
 * it is cleared; zeroed memory may be cleared. */
dpl_status dpl__dedup_docs_init(dpl__dedup_docs *d, const dpl__sets *sets,
                                const dpl__inputs *in, size_t n_new_inputs, dpl_error *err);
void dpl__dedup_docs_clear(dpl__dedup_docs *d);

static inline dpl_doc dpl__dedup_doc(const dpl__dedup_docs *d, uint32_t doc)
{
    return dpl__doc_parts_doc(d->sets->docs, doc);
}
/* All documents as one collection, which searches of vectors need. */
static inline const dpl_collection *dpl__dedup_collection(const dpl__dedup_docs *d)
{
    assert(d->sets->docs->n == 1);
    return d->sets->docs->all[0];
}
/* The document's id as it was read. */
dpl_str dpl__dedup_bare_id(const dpl__dedup_docs *d, uint32_t doc);
size_t dpl__dedup_input_of(const dpl__dedup_docs *d, uint32_t doc);
/* The same, with "NAME:" in front if other inputs have it, too: in `room` then. */
dpl_str dpl__dedup_id(const dpl__dedup_docs *d, uint32_t doc, dpl__bytes *room);

/* Must the two rows be compared? */
static inline bool dpl__dedup_wants(const dpl__dedup_docs *d, bool only_against, uint32_t a,
                                    uint32_t b)
{
    const dpl__dedup_row *x = &d->rows[a], *y = &d->rows[b];
    return only_against ? (x->has_new && y->has_old) || (x->has_old && y->has_new)
                        : x->has_new || y->has_new;
}

/* Jaccard or containment of sets of a and b elements that share `both`. */
static inline double dpl__dedup_score(dpl_dedup_measure measure, size_t a, size_t b,
                                      size_t both)
{
    const size_t of = measure == DPL_DEDUP_CONTAINMENT ? dpl__min(a, b) : a + b - both;
    return of ? (double)both / (double)of : 0;
}

#endif
