/*
 * parallel.h - parallel text for the benchmarks: rows of words as numbers, with what people say
 * about their alignment.
 */
#ifndef DPL_BENCH_PARALLEL_H
#define DPL_BENCH_PARALLEL_H

#include "base/vec.h"
#include "io/sections.h"
#include "lexicon/align_rows.h"

/* The words of a side. */
typedef struct vocabulary {
    dpl__bytes bytes;
    DPL_VEC(uint64_t) offsets; /* one more than words */
    uint32_t *slots;           /* word + 1; 0 is free */
    size_t n_slots;
} vocabulary;

/* A link that people agree on, or one that may be. */
typedef struct gold_link {
    uint32_t left, right;
    bool is_sure;
} gold_link;

typedef struct gold_row {
    size_t row; /* in the corpus */
    size_t begin, end;
    unsigned set; /* which file it is from */
} gold_row;

/* Zeroed memory with a context is an empty one. Owned. */
typedef struct parallel {
    dpl_ctx *ctx;
    vocabulary words[2];
    DPL_VEC(uint64_t) begin[2]; /* one more than rows */
    DPL_VEC(uint32_t) tokens[2];
    uint32_t *classes[2];
    uint32_t n_classes;
    DPL_VEC(gold_row) gold;
    DPL_VEC(gold_link) links;
} parallel;

void parallel_clear(parallel *p);

/* Adds two columns, counted from 0, of a tab-separated file, lower-cased. Words are runs of
 * letters and digits, everything else that is no white space a word for itself; or, when
 * is_tokenized, what stands between blanks. Rows without words on a side are left out.
 * DPL_E_UNSUPPORTED when the file is not there. */
dpl_status parallel_add_file(parallel *p, const char *path, unsigned left, unsigned right,
                             bool is_tokenized, dpl_error *err);
/* Adds a file of rows with links: left, right, "0-0 1p2 ...". */
dpl_status parallel_add_gold(parallel *p, const char *path, unsigned set, dpl_error *err);
/* A row of words separated by blanks. */
dpl_status parallel_add_row(parallel *p, dpl_str left, dpl_str right, dpl_error *err);
/* Adds rows again, the left side of each beside the right side of the one `by` rows on. */
dpl_status parallel_add_shifted(parallel *p, size_t n_rows, size_t by, dpl_error *err);

/* Finds the classes, and gives the corpus as the library wants it; borrowed, until more is
 * added. */
dpl_status parallel_corpus(dpl__encoded *out, parallel *p, dpl_error *err);

dpl_str parallel_word(const parallel *p, int side, uint32_t word);

/* ---- scores ------------------------------------------------------------------------- */

typedef struct score {
    double n_links, n_sure, n_right, n_sure_right;
} score;

/* Adds a row's links to the score of its set; rows without gold are ignored. */
void parallel_score(score *scores, const parallel *p, size_t row, const dpl__row_link *links,
                    size_t n);

static inline double score_aer(const score *s)
{
    return 1 - (s->n_sure_right + s->n_right) / (s->n_links + s->n_sure);
}

#endif
