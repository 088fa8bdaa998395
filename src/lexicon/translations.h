/*
 * translations.h - the translations of one dictionary: numbered words and weighted pairs of
 * them.
 *
 *     DPL_TRY(dpl__translations_open(&g, ctx, err));
 *     DPL_TRY(dpl__translations_languages(&g, "de", "en", err));
 *     while (articles) DPL_TRY(dpl__translations_add_article(&g, &article, err));
 *
 * Owned. Words are folded as tokens are, not stemmed.
 */
#ifndef DPL_LEXICON_TRANSLATIONS_H
#define DPL_LEXICON_TRANSLATIONS_H

#include "lexicon/article.h"
#include "lexicon/cell_table.h"
#include "lexicon/encoded.h"
#include "tokens/fold.h"
#include "tokens/segment.h"
#include "tokens/terms.h"

typedef DPL_VEC(dpl__cell) dpl__cells;

typedef struct dpl__translations {
    dpl_ctx *ctx;
    char lang[2][12];    /* canonical; "" when not known */
    dpl__terms words[2]; /* [DPL__LEFT]: the dictionary's source */
    /* A row is a word, a column one of the other side. [DPL__LEFT]: p(right|left), or only in
     * proportion to it; [DPL__RIGHT]: p(left|right), if the dictionary has it. */
    dpl__cells cells[2];
    /* Words from translations of several words. They are added to p(right|left) only, not to
     * p(left|right). */
    dpl__cells parts;
    bool is_weighted;            /* cells are weights: rows do not add up to 1 */
    bool is_table;               /* made by a program: words may be stems already */
    bool is_stemmed;             /* words are stems, it is known */
    DPL_VEC(uint64_t) counts[2]; /* of each word; empty: not known */
    uint64_t n_read;             /* lines, articles or entries */
    uint64_t n_used, n_phrases, n_skipped;
    dpl_error first_skipped; /* of n_skipped; status DPL_OK: not known */
    /* Scratch. */
    dpl__folder *folders[2];
    dpl__segmenter *segmenter;
    dpl__spans spans;
    dpl__bytes padded, folded;
    DPL_VEC(uint32_t) heads;
} dpl__translations;

dpl_status dpl__translations_open(dpl__translations *g, dpl_ctx *ctx, dpl_error *err);
/* After a failure, too; all zero is fine. */
void dpl__translations_close(dpl__translations *g);
/* Canonical codes, "" when not known; before anything is added. */
dpl_status dpl__translations_languages(dpl__translations *g, const char *left,
                                       const char *right, dpl_error *err);

/* Every headword with every translation, first ones more (translations.c). Counts what it
 * leaves out, and the article. */
dpl_status dpl__translations_add_article(dpl__translations *g, const dpl__article *a,
                                         dpl_error *err);
/* Two single words, valid UTF-8; words that folding leaves nothing of are skipped.
 */
dpl_status dpl__translations_add_pair(dpl__translations *g, dpl_str left, dpl_str right,
                                      float p, dpl_error *err);

/* DPL_E_LIMIT when it holds more than the context allows; n_more: bytes of the caller. */
dpl_status dpl__translations_check_memory(const dpl__translations *g, uint64_t n_more,
                                          const char *name, dpl_error *err);

#endif
