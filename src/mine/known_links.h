/*
 * known_links.h - pairs compared with links that are known: which are missing, which are wrong.
 */
#ifndef DPL_MINE_KNOWN_LINKS_H
#define DPL_MINE_KNOWN_LINKS_H

#include "doppel/links.h"
#include "mine/pair_run.h"
#include "mine/sample.h"

/* A link that may be wrong. */
typedef struct dpl__suspect {
    dpl_doc_pair docs;
    double probability; /* that it is wrong */
    double cosine;
    uint64_t key;
} dpl__suspect;

struct dpl__known_links {
    dpl_links *links;
    dpl_links_agreement summary;
    char site[2][1001]; /* what stands before a title in the address of a page; or empty */
    DPL_VEC(uint32_t) partner[2];   /* final pair of each document, or DPL__NO_PAIR */
    DPL_VEC(size_t) missing;        /* numbers of final pairs, by confidence */
    DPL_VEC(dpl__suspect) suspects; /* by probability */
};

/* Reads the links of the options, before documents change. Without any, nothing happens here
 * and in the following. */
dpl_status dpl__known_links_read(dpl__pair_run *run, dpl_error *err);
/* The links of documents that are mined, with their numbers there: once text was left out. */
dpl_status dpl__known_links_renumber(dpl__pair_run *run, dpl_error *err);
/* Linked documents that take part, to train on: as many as a round trains on. Empty without the
 * option. */
dpl_status dpl__known_links_train(dpl__doc_pairs *out, const dpl__pair_run *run,
                                  dpl_error *err);
/* Compares the final pairs with them. */
dpl_status dpl__known_links_compare(dpl__pair_run *run, dpl_error *err);
/* The final pair that a document is in; DPL__NO_PAIR: in none. */
uint32_t dpl__known_links_pair(const dpl__pair_run *run, int side, uint32_t doc);
/* The confidence of a final pair, shifted as the links want it. */
double dpl__known_links_confidence(const dpl__pair_run *run, size_t pair);
/* link_files.c: missing-links.tsv, suspicious-links.tsv and links.html. */
dpl_status dpl__known_links_write(const dpl__pair_run *run, dpl_error *err);
void dpl__known_links_clear(dpl__pair_run *run);

#endif
