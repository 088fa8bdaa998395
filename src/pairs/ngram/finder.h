/*
 * finder.h - a search by n-grams on its way.
 */
#ifndef DPL_PAIRS_NGRAM_FINDER_H
#define DPL_PAIRS_NGRAM_FINDER_H

#include "pairs/ngram/extract.h"
#include "pairs/ngram/forward.h"
#include "pairs/ngram/postings.h"
#include "pairs/ngram/shared_pairs.h"
#include "pairs/recall_check.h"

enum { DPL__NGRAM_PER_SLOT = 2048 };

typedef struct dpl__extract_slot {
    uint32_t first, end; /* documents */
    dpl__ngram_postings postings;
    uint64_t n_unsampled, n_words;
    uint32_t n_translated;
} dpl__extract_slot;

typedef struct dpl__score_slot {
    dpl__ngram_shared candidates[DPL__NGRAM_PER_SLOT];
    size_t n;
    DPL_VEC(dpl_pair) found;
    dpl_ngram_summary counts;
} dpl__score_slot;

typedef struct dpl__find_scratch {
    dpl__extractor extractor;
    DPL_VEC(uint64_t) words;
    dpl__ngram_scratch shared;
    dpl__forward_copy copies[2];
    dpl__row rows[2];         /* of the pair scored last; they may lie in the copies */
    uint32_t left;            /* whose row the first one is; UINT32_MAX: none */
    dpl__ngram_places places; /* of that row */
} dpl__find_scratch;

typedef struct dpl__ngram_finder {
    dpl_ctx *ctx;
    dpl__ngram_settings settings;
    const dpl__ngram_settings *s; /* these */
    dpl_ngram_summary *summary;
    dpl__spill *spill;
    dpl__pair_sink pairs;          /* takes scored pairs */
    dpl__recall_check *check;      /* whose true pairs are found, too; NULL: none */
    double threshold;              /* of their scores */
    uint32_t first_right;          /* taken off the number of a right document */
    uint32_t first_left, end_left; /* left documents whose candidates are scored */
    size_t share;                  /* a quarter of the memory */
    const dpl_collection *sides[2];
    size_t n_sides;
    uint32_t first_of[3];     /* document of each side, and their number */
    uint64_t **words_of;      /* fingerprint of each term of each side */
    uint64_t **translated_of; /* that of its translation; NULL: there is no lexicon */
    uint32_t *group_of;       /* of each document */
    dpl__ngram_groups groups;
    dpl__shuffle *matching, *scoring; /* NULL before and after */
    dpl__bytes room;                  /* memory that the next stage may use */
    dpl__shared_pairs *candidates;
    dpl__shared_cap cap;
    dpl__forward forward;
    dpl__find_scratch *scratch; /* of each thread */
    dpl__extract_slot *extract;
    dpl__score_slot *score;
    size_t n_slots;
    uint32_t next_doc;
    uint64_t n_since; /* words read since pages were given back */
} dpl__ngram_finder;

/* Ready for its settings and sides; to be freed. */
dpl_status dpl__ngram_new(dpl__ngram_finder **out, dpl_ctx *ctx, dpl_ngram_summary *summary,
                          dpl__spill *spill, dpl_error *err);
void dpl__ngram_free(dpl__ngram_finder *f);
/* Numbers the documents of the sides, and finds their groups. */
dpl_status dpl__ngram_number_docs(dpl__ngram_finder *f, dpl_error *err);
/* Makes fingerprints of their words. */
dpl_status dpl__ngram_begin(dpl__ngram_finder *f, dpl_error *err);
/* All of it, after dpl__ngram_begin. */
dpl_status dpl__ngram_search(dpl__ngram_finder *f, dpl_error *err);

/* Once there is a forward index. Score and disorder of a pair; whether it is at or above the
 * threshold and in order, counted. */
dpl_status dpl__ngram_score_pair(const dpl__ngram_finder *f, dpl__find_scratch *x,
                                 dpl__ngram_pair *pair, dpl_error *err);
bool dpl__ngram_passes(const dpl__ngram_finder *f, const dpl__ngram_pair *pair,
                       dpl_ngram_summary *counts);
/* true_pairs.c: gives the check all pairs of its rows, whether or not they are candidates. */
dpl_status dpl__ngram_true_pairs(dpl__recall_check *check, dpl__ngram_finder *f,
                                 dpl_error *err);

#endif
