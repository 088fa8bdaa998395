/*
 * reuse_run.h - what a search for reused text holds. [0] is the query, [1] the collection.
 */
#ifndef DPL_REUSE_REUSE_RUN_H
#define DPL_REUSE_REUSE_RUN_H

#include "base/vec.h"
#include "doppel/reuse.h"
#include "tokens/open_inputs.h"
#include "tokens/shingles.h"

typedef DPL_VEC(dpl_passage) dpl__passages;
typedef DPL_VEC(dpl_reuse_source) dpl__reuse_source_list;

struct dpl_reuse_result {
    dpl_ctx *ctx;
    dpl_reuse_options o; /* complete */
    dpl_collection *c[2];
    dpl__inputs in[2];
    dpl_tokens_options words[2]; /* how the collections were cut into words */
    bool is_stemmed;             /* the lexicon has stems */
    char langs[200];             /* of the lexicons, "de,en": sentences may be in any of them */
    dpl__sets sets[2];           /* shingles are seeds */
    dpl__passages passages;
    dpl__reuse_source_list sources;
    dpl_reuse_summary s;
};

/* Passages with common words, in any order; spans have tokens only. */
dpl_status dpl__reuse_words(dpl_reuse_result *r, dpl_error *err);
/* Translated ones. */
dpl_status dpl__reuse_translations(dpl_reuse_result *r, const dpl_lexicon *lexicon,
                                   dpl_error *err);

/* Ranks the documents with passages. */
dpl_status dpl__reuse_sources(dpl_reuse_result *r, dpl_error *err);

/* Sentences and bytes of spans from their tokens, on all passages. */
dpl_status dpl__reuse_locate(dpl_reuse_result *r, dpl_error *err);

#endif
