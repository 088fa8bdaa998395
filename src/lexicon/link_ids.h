/*
 * link_ids.h - the cells of a corpus, each with the number of its link.
 *
 * A cell is a pair of a left and a right token of one row. Training reads every cell in every
 * iteration, and this number gives the probabilities of its two words. Numbers take four bytes
 * a cell and one or two nanoseconds, so a corpus with more cells than memory is processed in
 * blocks of rows, which are numbered again in each iteration.
 */
#ifndef DPL_LEXICON_LINK_IDS_H
#define DPL_LEXICON_LINK_IDS_H

#include "base/vec.h"
#include "lexicon/wordmodel.h"

/* Bounds of the tasks of some work: task t has [data[t], data[t + 1]). They do not depend
 * on the number of threads. */
typedef DPL_VEC(size_t) dpl__tasks;

static inline size_t dpl__tasks_n(const dpl__tasks *tasks)
{
    return tasks->n ? tasks->n - 1 : 0;
}

/* ---- occurrences of words ----------------------------------------------------------- */

/* A left token and the right side of its row. */
typedef struct dpl__occurrence {
    uint32_t token;   /* from the first row's first left token */
    uint32_t right;   /* the row's first right token, from the first row's */
    uint32_t n_right; /* right tokens of the row */
    uint32_t cell;    /* the token's first cell: it has n_right */
} dpl__occurrence;

/* Words [begin, end), from the first one, with so many cells. */
typedef struct dpl__word_task {
    uint32_t begin, end;
    uint64_t n_cells;
} dpl__word_task;

/* The left tokens of some rows, grouped by word. Owned. Zeroed memory with a context is an
 * empty one. */
typedef struct dpl__occurrences {
    dpl_ctx *ctx;
    size_t first, end;   /* rows */
    uint32_t first_word; /* word w has begin[w - first_word] ... */
    uint32_t n_words;
    uint32_t *begin;      /* n_words + 1 */
    dpl__occurrence *all; /* rising for each word */
    size_t cap_words, cap_occurrences;
    DPL_VEC(dpl__word_task)
    tasks; /* those with most cells first: a frequent word is not last */
} dpl__occurrences;

/* An occurrence a few behind the k-th, before end: occurrences of a word are far apart in
 * memory, so the data of later ones is prefetched. */
static inline const dpl__occurrence *dpl__occurrences_ahead(const dpl__occurrences *p,
                                                            uint32_t k, uint32_t end)
{
    enum { AHEAD = 6 };
    return &p->all[k + AHEAD < end ? k + AHEAD : k];
}

/* Some words of some rows; rows with more than max_tokens on a side have no occurrences. */
typedef struct dpl__occurrence_range {
    const dpl__encoded *corpus;
    size_t max_tokens;
    size_t first, end;             /* rows [first, end) */
    uint32_t first_word, end_word; /* words [first_word, end_word) */
    const uint32_t *places;        /* of each word, in place of its number; NULL: its number */
} dpl__occurrence_range;

dpl_status dpl__occurrences_fill(dpl__occurrences *occurrences,
                                 const dpl__occurrence_range *range, dpl_error *err);
void dpl__occurrences_clear(dpl__occurrences *occurrences);

/* ---- cells -------------------------------------------------------------------------- */

/* Owned. Zeroed memory is an empty one; fill in the fields above the line. */
typedef struct dpl__link_ids {
    dpl_ctx *ctx;
    const dpl__encoded *corpus;
    const dpl__wordmodel *model;
    size_t max_tokens;  /* rows with more on a side are skipped */
    uint64_t max_cells; /* in memory at a time, below 2^32 */
    /* For load_words: the left words in another order, and the place of each; NULL: the
     * corpus's own order. */
    const uint32_t *words, *places;
    /* ---- the block in memory */
    size_t first, end; /* rows */
    unsigned n_loads;  /* blocks loaded so far */
    uint32_t *begin;   /* end - first + 1: a row's cells in numbers */
    uint32_t *numbers; /* row by row; in a row, left token by left token. n_links: no link;
                          n_links + 1: none, but words of one class */
    size_t cap_rows, cap_cells;
    dpl__tasks tasks; /* of rows, from first */
    dpl__occurrences occurrences;
    uint32_t *maps; /* for each worker: the link of each right word */
    size_t cap_maps;
} dpl__link_ids;

/* Loads the block that begins at row `first`: as many rows as max_cells allow, at least one.
 * Nothing is done when it is there already; the model's links must not have changed. */
dpl_status dpl__link_ids_load(dpl__link_ids *cells, size_t first, dpl_error *err);
/* The same for rows [first, end), which have less than 2^32 cells. */
dpl_status dpl__link_ids_load_rows(dpl__link_ids *cells, size_t first, size_t end,
                                   dpl_error *err);
/* The same for the left words at places [first, end), in all rows: cells are numbered
 * occurrence by occurrence, and rows have none of their own. */
dpl_status dpl__link_ids_load_words(dpl__link_ids *cells, uint32_t first, uint32_t end,
                                    dpl_error *err);
void dpl__link_ids_clear(dpl__link_ids *cells);

static inline const uint32_t *dpl__link_ids_row(const dpl__link_ids *cells, size_t row)
{
    assert(row >= cells->first && row < cells->end);
    return cells->numbers + cells->begin[row - cells->first];
}

#endif
