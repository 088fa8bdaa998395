/*
 * encoder.h - parallel text becomes numbers: rows through the tokens stage, words numbered.
 *
 *     DPL_TRY(dpl__encoder_new(&encoder, ctx, &options, err));
 *     while (rows) DPL_TRY(dpl__encoder_add(encoder, rows, n_rows, err));
 *     DPL_TRY(dpl__encoder_rows(&corpus, corpus, err));
 *
 * Owned. Punctuation marks and symbols (runs of the same one together) are words here, too,
 * because their positions help to align words; the tables do not contain them. Apostrophes
 * inside words are marks, and separate words (punctuation.h).
 */
#ifndef DPL_LEXICON_ENCODER_H
#define DPL_LEXICON_ENCODER_H

#include "doppel/lexicon.h"

#include "lexicon/encoded.h"
#include "lexicon/sort_words.h"
#include "tokens/segment.h"

typedef struct dpl__encoder dpl__encoder;

typedef struct dpl__encoder_options {
    const char *lang[2]; /* canonical; "" when not known */
    bool is_pretokenized, stem;
    bool has_spans;               /* keep the position of each word in its row */
    bool has_forms;               /* keep a text that each new word folds from */
    const dpl__strings *known[2]; /* words that have these numbers already, in byte order; NULL:
                                     none. Borrowed as long as the corpus lives */
} dpl__encoder_options;

dpl_status dpl__encoder_new(dpl__encoder **out, dpl_ctx *ctx,
                            const dpl__encoder_options *options, dpl_error *err);
void dpl__encoder_free(dpl__encoder *encoder);

/* Appends rows, on all threads. The numbers of new words follow from the order of rows alone.
 */
dpl_status dpl__encoder_add(dpl__encoder *encoder, const dpl_bitext_row *rows, size_t n,
                            dpl_error *err);
/* Drops the rows, keeps the vocabulary. */
void dpl__encoder_reset(dpl__encoder *encoder);
/* Frees the memory that only dpl__encoder_add needs: no more rows will be added. */
void dpl__encoder_end_reading(dpl__encoder *encoder);
/* Bytes of the rows and words, about. */
uint64_t dpl__encoder_bytes(const dpl__encoder *encoder);

/* All rows, with classes; borrowed until the corpus changes. */
dpl_status dpl__encoder_rows(dpl__encoded *out, dpl__encoder *encoder, dpl_error *err);
dpl_str dpl__encoder_word(const dpl__encoder *encoder, int side, uint32_t word);
/* The words of a side in byte order, to be freed with dpl__words_free; rank[word] (room for all
 * of them) receives the place of each. */
dpl_status dpl__encoder_words(dpl__strings *out, uint32_t *rank, const dpl__encoder *encoder,
                              int side, dpl_error *err);
/* With has_forms: each word of a side as it is written where it occurs first, if possible not
 * as the first of a row; known ones as in known, which may be empty. In the order of rank, to
 * be freed with dpl__words_free. */
dpl_status dpl__encoder_written(dpl__strings *out, const dpl__encoder *encoder, int side,
                                const uint32_t *rank, const dpl__strings *known,
                                dpl_error *err);
/* With has_spans: the span of each token in the text of its row, in the order of the tokens.
 */
const dpl__span *dpl__encoder_spans(const dpl__encoder *encoder, int side);

#endif
