/*
 * article.h - one article of a dictionary: headwords, and their translations in order.
 */
#ifndef DPL_LEXICON_ARTICLE_H
#define DPL_LEXICON_ARTICLE_H

#include "base/vec.h"

/* One wording, bytes [begin, end) of the article's text; it may be several words. */
typedef struct dpl__wording {
    uint32_t begin, end;
    uint32_t sense, place; /* of a translation: from 1, the place among those of its sense */
} dpl__wording;

typedef DPL_VEC(dpl__wording) dpl__wordings;

/* Owned; all zero is empty. */
typedef struct dpl__article {
    dpl__bytes text; /* without grammar, pronunciation and notes */
    dpl__wordings heads, translations;
    uint32_t n_examples;
} dpl__article;

static inline dpl_str dpl__wording_text(const dpl__article *a, const dpl__wording *w)
{
    return (dpl_str){a->text.data + w->begin, w->end - w->begin};
}

/* The article of valid UTF-8 that the index has under these words. False: no memory. */
bool dpl__article_parse(dpl__article *a, dpl_ctx *ctx, dpl_str text, const dpl_str *indexed,
                        size_t n_indexed);
/* Appends the wordings of one line, with separators between them (",;", or other characters of
 * ASCII), to `to`, which is one of the article's. */
bool dpl__article_line(dpl__article *a, dpl_ctx *ctx, dpl__wordings *to, dpl_str line,
                       const char *separators, uint32_t sense);
void dpl__article_reset(dpl__article *a);
void dpl__article_clear(dpl__article *a, dpl_ctx *ctx);

#endif
