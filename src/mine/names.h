/*
 * names.h - names of two collections that may be the same name.
 *
 *     dpl__names names;
 *     DPL_TRY(dpl__names_find(&names, corpus, err));
 *     ...
 *     dpl__names_clear(&names);
 *
 * A name is a word that is capitalised in at least name_capitals of its occurrences inside a
 * sentence; in scripts without capitals every word that is not frequent, or in Chinese every
 * n-gram. Numbers are not names. Two names are linked by their sounds, in Latin letters, and by
 * the number of documents that they are in. How likely a link is right follows from these
 * collections: the same names, spelled backwards, show how well chance links them.
 */
#ifndef DPL_MINE_NAMES_H
#define DPL_MINE_NAMES_H

#include "base/vec.h"
#include "mine/gram_names.h"

/* A name of the pivot and one of the other side; p: the probability that the link is right. */
typedef struct dpl__name_link {
    uint32_t term[2]; /* [0]: of the pivot */
    float p;
} dpl__name_link;

/* Frozen. */
typedef struct dpl__names {
    dpl_ctx *ctx;
    const dpl__comparable *corpus;
    dpl__gram_names
        grams[2];        /* where they are not empty, names are their numbers, else terms */
    uint8_t *is_name[2]; /* of each term or n-gram of a side */
    uint32_t n_terms[2];
    uint32_t n_names[2];           /* of each side */
    bool has_case[2];              /* names are known by their capitals */
    DPL_VEC(dpl__name_link) links; /* by term of the pivot, then of the other side */
} dpl__names;

dpl_status dpl__names_find(dpl__names *out, const dpl__comparable *corpus, dpl_error *err);
void dpl__names_clear(dpl__names *names);

/* The terms or n-grams of a document, numbers rising, and how many documents have one. */
const uint32_t *dpl__names_row(const dpl__names *names, int side, uint32_t doc, size_t *n);
uint32_t dpl__names_doc_count(const dpl__names *names, int side, uint32_t term);

#endif
