/*
 * finder.h - a search on its way: what the whole of it, one part and the merge of parts share.
 */
#ifndef DPL_PAIRS_NGRAM_FINDER_H
#define DPL_PAIRS_NGRAM_FINDER_H

#include "io/parts.h"
#include "pairs/ngram/extract.h"
#include "pairs/ngram/forward.h"
#include "pairs/ngram/ngram_select.h"
#include "pairs/ngram/postings.h"
#include "pairs/ngram/shared_pairs.h"

enum { DPL__NGRAM_PER_SLOT = 2048, DPL__NGRAM_GIVEN = 256 };

struct dpl_ngram_pairs {
    dpl_ctx *ctx;
    dpl__ngram_settings s;
    dpl_ngram_summary summary;
    dpl__spill spill;
    dpl__spool pairs;
    uint64_t at; /* next one to be read from the spool */
    dpl_ngram_pair block[DPL__NGRAM_GIVEN];
    size_t n_block, block_at;
    struct dpl__merged_ids *ids; /* of pairs that were merged; else NULL */
};

typedef struct dpl__extract_slot {
    uint32_t first, end; /* documents */
    dpl__ngram_postings matching, scoring;
    uint64_t n_unsampled, n_words;
    uint32_t n_translated;
} dpl__extract_slot;

typedef struct dpl__score_slot {
    dpl_ngram_shared candidates[DPL__NGRAM_PER_SLOT];
    size_t n;
    DPL_VEC(dpl_ngram_pair) found;
    dpl_ngram_summary counts;
} dpl__score_slot;

typedef struct dpl__find_scratch {
    dpl__extractor extractor;
    DPL_VEC(uint64_t) words;
    dpl__ngram_scratch shared;
    dpl__forward_copy rows[2];
    uint32_t left; /* whose row the first copy is; UINT32_MAX: none */
} dpl__find_scratch;

typedef struct dpl__finder {
    dpl_ctx *ctx;
    const dpl__ngram_settings *s;
    dpl_ngram_pairs *out;
    size_t share; /* a quarter of the memory */
    const dpl_collection *const *sides;
    size_t n_sides;
    uint32_t *first_of;       /* document of each side, n_sides + 1 */
    uint64_t **words_of;      /* fingerprint of each term of each side */
    uint64_t **translated_of; /* that of its translation; NULL: there is no lexicon */
    uint32_t *group_of;       /* of each document */
    dpl_ngram_groups groups;
    dpl__shuffle *matching, *scoring;
    dpl__shared_pairs *candidates;
    dpl__shared_cap cap;
    dpl__forward forward;
    dpl__ngram_selector selector;
    dpl__find_scratch *scratch; /* of each thread */
    dpl__extract_slot *extract;
    dpl__score_slot *score;
    size_t n_slots;
    uint32_t next_doc;
    uint64_t n_since;     /* words read since pages were given back */
    const dpl_part *part; /* n-grams of one part only; NULL: all */
} dpl__finder;

/* An empty result with the settings; *f is ready to be filled and must be ended. */
dpl_status dpl__ngram_new(dpl_ngram_pairs **out, dpl__finder *f, dpl_ctx *ctx,
                          const dpl__ngram_settings *s, dpl_error *err);
/* Numbers the documents, makes fingerprints of their words and their groups. */
dpl_status dpl__ngram_begin(dpl__finder *f, dpl_error *err);
/* n-grams of all documents, those for matching sorted. */
dpl_status dpl__ngram_extract_all(dpl__finder *f, dpl_error *err);
/* Candidates from the matching n-grams. */
dpl_status dpl__ngram_match(dpl__finder *f, dpl_error *err);
/* How many candidates each document has. */
dpl_status dpl__ngram_count(dpl__finder *f, dpl_error *err);
/* Scores and selects, once there is a forward index. */
dpl_status dpl__ngram_finish(dpl__finder *f, dpl_error *err);
void dpl__ngram_end(dpl__finder *f);
/* Checks that there are enough sides. */
dpl_status dpl__ngram_check_sides(const dpl__ngram_settings *s, size_t n_sides, dpl_error *err);

#endif
