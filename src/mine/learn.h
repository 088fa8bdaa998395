/*
 * learn.h - sentence pairs of two collections become a lexicon.
 *
 *     dpl__lesson lesson = {.ctx = ctx, .collection = {left, right}};
 *     while (pairs) DPL_TRY(dpl__lesson_add(&lesson, left_tokens, n, right_tokens, m, err));
 *     DPL_TRY(dpl__lesson_learn(&summary, &lesson, "lexicon.dpl", err));
 *     dpl__lesson_clear(&lesson);
 *
 * Words are the collections' terms, so nothing is tokenized again, and the lexicon meets the
 * terms it came from as they are.
 */
#ifndef DPL_SRC_LEARN_H
#define DPL_SRC_LEARN_H

#include "doppel/lexicon.h"

#include "base/vec.h"
#include "lexicon/encoded.h"

/* Rows, as term numbers of the two collections. Owned. */
typedef struct dpl__lesson {
    dpl_ctx *ctx;
    const dpl_collection *collection[2];
    const char *lang[2]; /* canonical */
    bool is_stemmed;     /* both collections */
    DPL_VEC(uint64_t) ends[2];
    DPL_VEC(uint32_t) tokens[2];
} dpl__lesson;

dpl_status dpl__lesson_add(dpl__lesson *lesson, const uint32_t *left, size_t n_left,
                           const uint32_t *right, size_t n_right, dpl_error *err);
void dpl__lesson_clear(dpl__lesson *lesson);

/* summary may be NULL; its `read` stays empty. */
dpl_status dpl__lesson_learn(dpl_train_summary *summary, dpl__lesson *lesson,
                             const char *out_path, dpl_error *err);

#endif
