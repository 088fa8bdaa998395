/*
 * doppel/translate.h - translation of sentences and documents, good enough to compare documents
 * in one language (doppel/ngram.h).
 *
 * Built in: phrase pairs from the word alignments of parallel text, a language model of the
 * target language, beam search. Words that no phrase pair has are translated one by one by the
 * lexicon, unknown ones are copied. From outside: any program that reads a sentence per line
 * and answers with a line.
 *
 *     const char *paths[] = {"news.de-en.tsv"};
 *     dpl_bitext_options read =
 *         DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en");
 *     dpl_phrases_options o = DPL_INIT(dpl_phrases_options, .read = &read);
 *     DPL_TRY(dpl_phrases_train(NULL, ctx, "de-en.phrases.dpl", paths, 1, &o, err));
 *     dpl_translator *translator = NULL;
 *     DPL_TRY(dpl_translator_open(&translator, ctx, "de-en.phrases.dpl", NULL, err));
 *     dpl_str in = {"das Haus ist alt", 16};
 *     dpl_translations out = {0};
 *     DPL_TRY(dpl_translator_run(&out, translator, &in, 1, err));
 *     printf("%.*s\n", (int)out.texts[0].n, out.texts[0].data);
 *     dpl_translations_clear(&out, translator);
 *     dpl_translator_close(translator);
 */
#ifndef DOPPEL_TRANSLATE_H
#define DOPPEL_TRANSLATE_H

#include "doppel/lexicon.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- training ----------------------------------------------------------------------- */

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_phrases_options {
    size_t size;
    const dpl_bitext_options *read; /* parallel text: format, columns, languages */
    const dpl_lexicon *lexicon;     /* aligns the words; must have a model. NULL: trained first,
                                       on the same text */
    bool to_left; /* from the right language into the left one; default: into the right
                     one */
    dpl_symmetry symmetrize; /* of the word alignments */
    unsigned max_phrase;     /* words on a side of a phrase pair, 1 to 8; default 4 */
    unsigned top; /* translations of a phrase that are kept; default 10, at most 100 */
    const dpl_input *pivot; /* more text in the target language, for the language model */
    size_t n_pivot;
    const char *temp; /* folder for temporary files; default: /tmp */
} dpl_phrases_options;

/* Begin with DPL_INIT. */
typedef struct dpl_phrases_summary {
    size_t size;
    uint64_t n_rows;        /* of parallel text */
    uint64_t n_words[2];    /* of the source and the target language in them */
    uint64_t n_pivot_words; /* of more text */
    uint64_t n_extracted;   /* phrase pairs, with repetitions */
    uint64_t n_phrases;     /* distinct source phrases */
    uint64_t n_options;     /* their translations kept */
    uint64_t n_bigrams, n_trigrams;
    uint64_t n_output_bytes;
    double seconds;
} dpl_phrases_summary;

/* Makes a phrase model from parallel text, which is read as dpl_lexicon_train reads it, twice
 * if there is no lexicon. Writes to out_path through a temporary name. Same bytes for any
 * number of threads and any memory limit that suffices. summary may be NULL. */
DPL_API dpl_status dpl_phrases_train(dpl_phrases_summary *summary, dpl_ctx *ctx,
                                     const char *out_path, const char *const *paths,
                                     size_t n_paths, const dpl_phrases_options *options,
                                     dpl_error *err);

/* ---- translators -------------------------------------------------------------------- */

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_translator_options {
    size_t size;
    unsigned beam;       /* partial translations kept at each step; default 8 */
    unsigned reordering; /* words that may be jumped over, 0 to 8; default 0: same order */
    double timeout;      /* a program's time for an answer, from the last one; default 60 */
    const char *cache;   /* folder for a program's answers; NULL: none are kept */
} dpl_translator_options;

/* Locked. */
typedef struct dpl_translator dpl_translator;

/* A phrase model. */
DPL_API dpl_status dpl_translator_open(dpl_translator **out, dpl_ctx *ctx, const char *path,
                                       const dpl_translator_options *options, dpl_error *err);
/* Word by word: each word becomes its most probable translation, unknown ones stay. The lexicon
 * is borrowed until the translator is closed. to_source: from its target language. */
DPL_API dpl_status dpl_translator_from_lexicon(dpl_translator **out, dpl_ctx *ctx,
                                               const dpl_lexicon *lexicon, bool to_source,
                                               dpl_error *err);
/* A program, run by /bin/sh: reads sentences, one per line, and answers each with a line, in
 * order. One that ends is started again, and the sentence that it did not answer is sent once
 * more; when it ends again at that sentence, or takes too long, or answers too much, it is
 * DPL_E_IO with the code "translator". */
DPL_API dpl_status dpl_translator_run_command(dpl_translator **out, dpl_ctx *ctx,
                                              const char *command,
                                              const dpl_translator_options *options,
                                              dpl_error *err);
DPL_API void dpl_translator_close(dpl_translator *translator);

/* Zero it first; free it with dpl_translations_clear. Layout fixed. */
typedef struct dpl_translations {
    dpl_str *texts; /* one for each sentence */
    size_t n;
    char *bytes;
    size_t n_bytes, n_room;
} dpl_translations;

/* Translates n sentences, on all threads; line breaks in them count as blanks. */
DPL_API dpl_status dpl_translator_run(dpl_translations *out, dpl_translator *translator,
                                      const dpl_str *sentences, size_t n, dpl_error *err);
DPL_API void dpl_translations_clear(dpl_translations *out, dpl_translator *translator);

typedef struct dpl_translator_counts {
    size_t size;
    uint64_t n_sentences, n_words;
    uint64_t n_unknown;  /* words that were copied */
    uint64_t n_cached;   /* a program's answers from the cache */
    uint64_t n_restarts; /* of a program */
} dpl_translator_counts;

/* So far. Begin counts with DPL_INIT. */
DPL_API void dpl_translator_count(const dpl_translator *translator,
                                  dpl_translator_counts *counts);

/* ---- documents ---------------------------------------------------------------------- */

/* A document and its translation, paragraph by paragraph, sentence by sentence. Valid during
 * the call. Anything but DPL_OK ends the translation with it. */
typedef dpl_status dpl_translated_fn(void *user, const dpl_doc *doc, dpl_str translation,
                                     dpl_error *err);

/* Reads documents and hands on each with its translation, in order. Documents in the language
 * that is translated into, if it is known, are handed on as they are. n_docs, which may be
 * NULL, receives their number. */
DPL_API dpl_status dpl_translate_docs(uint64_t *n_docs, dpl_translator *translator,
                                      const dpl_input *input, const dpl_reader_options *read,
                                      dpl_translated_fn *take, void *user, dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
