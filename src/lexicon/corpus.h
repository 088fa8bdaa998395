/*
 * corpus.h - parallel text becomes numbers: rows through the tokens stage, words numbered.
 *
 *     DPL_TRY(dpl__corpus_new(&corpus, ctx, &options, err));
 *     while (rows) DPL_TRY(dpl__corpus_add(corpus, rows, n_rows, err));
 *     DPL_TRY(dpl__corpus_bitext(&bitext, corpus, err));
 *
 * Owned. Marks (punctuation, symbols; runs of the same one together) are words here, too,
 * because they say where words belong; tables leave them out. So are apostrophes inside words,
 * and what stands on either side of them (marks.h).
 */
#ifndef DPL_SRC_CORPUS_H
#define DPL_SRC_CORPUS_H

#include "doppel/lexicon.h"

#include "lexicon/bitext.h"
#include "lexicon/words.h"
#include "tokens/segment.h"

typedef struct dpl__corpus dpl__corpus;

typedef struct dpl__corpus_options {
    const char *lang[2]; /* canonical; "" when not known */
    bool is_pretokenized, stem;
    bool has_places;              /* keep where each word stands in its row */
    const dpl__strings *known[2]; /* words that have these numbers already, in byte order; NULL:
                                     none. Borrowed as long as the corpus lives */
} dpl__corpus_options;

dpl_status dpl__corpus_new(dpl__corpus **out, dpl_ctx *ctx, const dpl__corpus_options *options,
                           dpl_error *err);
void dpl__corpus_free(dpl__corpus *corpus);

/* Appends rows, on all threads. The numbers of new words follow from the order of rows alone.
 */
dpl_status dpl__corpus_add(dpl__corpus *corpus, const dpl_bitext_row *rows, size_t n,
                           dpl_error *err);
/* Forgets the rows, not the words. */
void dpl__corpus_reset(dpl__corpus *corpus);
/* Gives back what only reading needs: no rows will be added any more. */
void dpl__corpus_settle(dpl__corpus *corpus);
/* Bytes of the rows and words, about. */
uint64_t dpl__corpus_bytes(const dpl__corpus *corpus);

/* All rows, with classes; borrowed until the corpus changes. */
dpl_status dpl__corpus_bitext(dpl__bitext *out, dpl__corpus *corpus, dpl_error *err);
dpl_str dpl__corpus_word(const dpl__corpus *corpus, int side, uint32_t word);
/* The words of a side in byte order, to be freed with dpl__words_free; rank[word] (room for all
 * of them) receives the place of each. */
dpl_status dpl__corpus_words(dpl__strings *out, uint32_t *rank, const dpl__corpus *corpus,
                             int side, dpl_error *err);
/* With has_places: where each token stands in its row's text, parallel to the bitext's tokens.
 */
const dpl__span *dpl__corpus_places(const dpl__corpus *corpus, int side);

#endif
