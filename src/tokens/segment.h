/*
 * segment.h - where the words of a text are: exactly ICU's answer, most of it without ICU.
 */
#ifndef DPL_TOKENS_SEGMENT_H
#define DPL_TOKENS_SEGMENT_H

#include "base/vec.h"

typedef struct dpl__span {
    uint32_t begin, end; /* bytes in the text */
} dpl__span;

typedef DPL_VEC(dpl__span) dpl__spans;

/* Break iterators and buffers. Owned. */
typedef struct dpl__segmenter dpl__segmenter;

dpl_status dpl__segmenter_new(dpl__segmenter **out, dpl_ctx *ctx, dpl_error *err);
void dpl__segmenter_free(dpl__segmenter *seg);

/* The words of the text (valid UTF-8, under 2 GiB, followed by 64 readable bytes), in order:
 * segments that ICU's word iterator marks as words or numbers and that hold a letter or a
 * digit. Replaces what spans held. */
dpl_status dpl__segment(dpl__segmenter *seg, dpl_str text, const char *lang, dpl__spans *spans,
                        dpl_error *err);
/* The same by ICU alone: the specification. */
dpl_status dpl__segment_icu(dpl__segmenter *seg, dpl_str text, const char *lang,
                            dpl__spans *spans, dpl_error *err);

#endif
