/*
 * doppel-lab/synth.h - synthetic collections of any size: documents with natural term
 * statistics in two made-up languages, and vectors, both with planted pairs of known
 * similarity.
 *
 *     dpl_synth_options o = DPL_INIT(dpl_synth_options, .left = 100000, .right = 100000,
 *                                    .paired = 0.2, .translated = 0.5);
 *     dpl_synth_summary s = DPL_INIT(dpl_synth_summary);
 *     DPL_TRY(dpl_synth(&s, ctx, "out", &o, err));
 *
 * What is made depends on the options and the context's seed only; nothing but a few batches
 * is held in memory, however large it is.
 */
#ifndef DOPPEL_LAB_SYNTH_H
#define DOPPEL_LAB_SYNTH_H

#include "doppel/options.h"
#include "doppel/vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dpl_synth_format {
    DPL_SYNTH_JSONL = 0, /* documents: left.jsonl.zst, right.jsonl.zst */
    DPL_SYNTH_NPY,       /* dense vectors: left.npy, right.npy */
    DPL_SYNTH_FVECS,     /* dense vectors: left.fvecs, right.fvecs */
    DPL_SYNTH_SPARSE     /* sparse vectors: left.dpl, right.dpl */
} dpl_synth_format;

/* "jsonl", "npy", "fvecs", "sparse"; NULL when out of range. */
DPL_API const char *dpl_synth_format_name(unsigned format);

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_synth_options {
    size_t size;
    dpl_synth_format to;
    uint32_t left, right; /* documents or rows; default 10,000 each */
    double paired;        /* share of the smaller side that has a counterpart on the other;
                             default 0.5; any negative number means none */
    /* Documents. */
    double translated;    /* share of the sentences of a right document that are translations
                             of its counterpart's, in one piece; default 1 */
    double translated_to; /* if set, the share is drawn between the two, for each pair */
    double noise; /* share of the content words of a translation that are replaced by others;
                     default 0.05; any negative number means none */
    double same;  /* share of the words that are names, spelled alike in both languages; default
                     0.1; any negative number means none */
    unsigned words;   /* mean length of a document; default 200, or as measured */
    unsigned topics;  /* default 100 */
    const char *like; /* path of a collection (.dpl): frequencies of its words, growth of its
                         vocabulary, lengths of documents and sentences and how often words are
                         repeated are measured in it; default: as in English text */
    /* Vectors. */
    double cosine;    /* of planted pairs; default 0.7 */
    double cosine_to; /* if set, it is drawn between the two, for each pair */
    unsigned dims;    /* dense: default 256 */
    unsigned entries; /* sparse: mean number of entries in a row; default 120 */
    uint32_t terms;   /* sparse: vocabulary; default 100,000 */
} dpl_synth_options;

/* Begin with DPL_INIT. */
typedef struct dpl_synth_summary {
    size_t size;
    uint64_t n_left, n_right; /* documents or rows */
    uint64_t n_pairs;
    uint64_t n_words[2];      /* documents: of the left and right text; sparse: entries */
    uint64_t n_text_bytes[2]; /* documents: of the text, before compression */
    uint64_t n_lexicon;       /* documents: entries of the true lexicon */
    uint64_t n_output_bytes;  /* of all files */
    double seconds;
    /* The model of documents, as measured or by default. */
    double words;          /* mean length of a document */
    double sentence_words; /* mean length of a sentence */
    double heaps;          /* the vocabulary of n words grows as n to this power */
    double repeated;       /* probability that a content word repeats one of its document */
    uint32_t n_head;       /* words with a probability of their own; rarer ones follow a power
                              law */
} dpl_synth_summary;

/* Writes to the folder, which is made if it is not there:
 *
 *   documents: left.jsonl.zst, right.jsonl.zst: id, lang ("qaa", "qab", codes for private use)
 *              and text; gold.tsv: left id, right id, share of the right document's sentences
 *              that are translated; lexicon.tsv: left word, right word, p(right word|left
 * word), for the words that are likelier to occur than not vectors:   left, right: rows of
 * length one; gold.tsv: left row, right row (from 0, as ids), cosine. That of the float rows is
 * within 1e-6 of it.
 *
 * gold.tsv is in the order of the left side; which right documents belong to it does not follow
 * from their place. Numbers out of range, and a `like` that is not a collection, are
 * DPL_E_USAGE. summary may be NULL. Same bytes for any number of threads and any memory limit.
 */
DPL_API dpl_status dpl_synth(dpl_synth_summary *summary, dpl_ctx *ctx, const char *folder,
                             const dpl_synth_options *options, dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
