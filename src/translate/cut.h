/*
 * cut.h - a sentence to words as word alignment has them: folded, with marks between. Owned.
 */
#ifndef DPL_TRANSLATE_CUT_H
#define DPL_TRANSLATE_CUT_H

#include "base/arena.h"
#include "tokens/fold.h"
#include "tokens/segment.h"

typedef struct dpl__cutter {
    dpl_ctx *ctx;
    dpl__folder *folder;
    dpl__segmenter *segmenter;
    dpl__arena arena; /* of a sentence that is not UTF-8: what it became */
    dpl__bytes text;  /* with readable bytes behind it */
    dpl__spans words, all;
    char lang[12];
} dpl__cutter;

dpl_status dpl__cutter_init(dpl__cutter *c, dpl_ctx *ctx, const char *lang, dpl_error *err);
void dpl__cutter_clear(dpl__cutter *c);
/* The spans of the words in c->text, a copy of the sentence without line breaks, in which bytes
 * that are not UTF-8 are U+FFFD; c->all. */
dpl_status dpl__cut(dpl__cutter *c, dpl_str sentence, dpl_error *err);
/* The word as it is looked up. Borrowed until the next call. */
dpl_status dpl__cut_fold(dpl__cutter *c, dpl_str word, dpl_str *folded, dpl_error *err);

static inline dpl_str dpl__cut_word(const dpl__cutter *c, size_t i)
{
    assert(i < c->all.n && c->all.data[i].end <= c->text.n);
    return (dpl_str){c->text.data + c->all.data[i].begin,
                     c->all.data[i].end - c->all.data[i].begin};
}

#endif
