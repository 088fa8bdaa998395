/*
 * bleu_words.h - the words that BLEU counts: the "13a" tokenization of mteval and sacrebleu.
 */
#ifndef DPL_EVAL_BLEU_WORDS_H
#define DPL_EVAL_BLEU_WORDS_H

#include "base/vec.h"

typedef DPL_VEC(uint64_t) dpl__hashes;

/* Splits sentences into words. Owned. */
typedef struct dpl__bleu_words {
    dpl_ctx *ctx;
    bool is_lowercase, is_pretokenized;
    struct UCaseMap *case_map; /* NULL until it is needed */
    dpl__bytes text, other;    /* before and after a step */
} dpl__bleu_words;

void dpl__bleu_words_clear(dpl__bleu_words *w);
/* Hashes of the words of a sentence, in place of what is in out. */
dpl_status dpl__bleu_words_split(dpl__hashes *out, dpl__bleu_words *w, dpl_str sentence,
                                 dpl_error *err);
/* The sentence as it is tokenized: words with blanks between. Borrowed until the next call. */
dpl_status dpl__bleu_words_text(dpl_str *out, dpl__bleu_words *w, dpl_str sentence,
                                dpl_error *err);

#endif
