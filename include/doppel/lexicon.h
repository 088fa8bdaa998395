/*
 * doppel/lexicon.h - the third stage: which word of one language stands for which of another.
 *
 * A lexicon holds p(y|x) for words x of one language and y of another, sparse. It is read from
 * text, `source <TAB> target <TAB> probability` a line, where the probability is that of the
 * target given the source; gzip, zstd, bzip2 and xz are seen by magic.
 *
 *     dpl_lexicon_options o = {.source_lang = "de", .target_lang = "en"};
 *     DPL_TRY(dpl_lexicon_open(&lexicon, ctx, "de-en.tsv.zst", &o, err));
 */
#ifndef DOPPEL_LEXICON_H
#define DOPPEL_LEXICON_H

#include "doppel/tokens.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Frozen. */
typedef struct dpl_lexicon dpl_lexicon;

/* Zero in a field means its default. */
typedef struct dpl_lexicon_options {
    const char *source_lang; /* of the first column; NULL: not known */
    const char *target_lang; /* of the second column; NULL: not known */
    dpl_on_error on_error;   /* a line that cannot be read: fail, or skip and count */
} dpl_lexicon_options;

typedef struct dpl_lexicon_sizes {
    uint32_t n_sources; /* distinct words in the first column */
    uint32_t n_targets;
    uint64_t n_entries;
    uint64_t n_skipped; /* lines that could not be read (on_error) */
} dpl_lexicon_sizes;

/* Words are folded as tokens are, not stemmed. Those that fold to the same text become one: the
 * targets of a source add up, the rows of sources become their mean. Probabilities of 0 and
 * words that folding leaves nothing of are passed over.
 *
 * A probability outside [0,1], a line without three columns, an empty word, invalid UTF-8, a
 * pair that stands there twice: DPL_E_FORMAT with file and line. DPL_ON_ERROR_REPLACE is
 * DPL_E_USAGE. */
DPL_API dpl_status dpl_lexicon_open(dpl_lexicon **out, dpl_ctx *ctx, const char *path,
                                    const dpl_lexicon_options *options, dpl_error *err);
DPL_API void dpl_lexicon_close(dpl_lexicon *lexicon);

/* Borrowed until the lexicon is closed. Words are numbered in byte order. */
DPL_API const dpl_lexicon_sizes *dpl_lexicon_size(const dpl_lexicon *lexicon);
/* "" when not known. */
DPL_API const char *dpl_lexicon_source_lang(const dpl_lexicon *lexicon);
DPL_API const char *dpl_lexicon_target_lang(const dpl_lexicon *lexicon);
DPL_API dpl_str dpl_lexicon_source(const dpl_lexicon *lexicon, uint32_t source);
DPL_API dpl_str dpl_lexicon_target(const dpl_lexicon *lexicon, uint32_t target);
DPL_API bool dpl_lexicon_find_source(const dpl_lexicon *lexicon, dpl_str word, uint32_t *out);
DPL_API bool dpl_lexicon_find_target(const dpl_lexicon *lexicon, dpl_str word, uint32_t *out);
/* The targets of a source, numbers rising, and p(target|source) of each. */
DPL_API const uint32_t *dpl_lexicon_row(const dpl_lexicon *lexicon, uint32_t source,
                                        const float **probabilities, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
