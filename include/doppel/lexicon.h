/*
 * doppel/lexicon.h - the third stage: which word of one language stands for which of another.
 *
 * A lexicon holds p(y|x) for words x of one language and y of another, sparse; a .dpl both ways
 * round, p(target|source) and p(source|target), with how often the words occurred, and perhaps
 * the model that aligns words of new text. It is trained on parallel text, imported from
 * dictionaries, or read from text, `source <TAB> target <TAB> probability` a line.
 *
 *     const char *paths[] = {"news.de", "news.en"};
 *     dpl_train_options o = {.read.left_lang = "de", .read.right_lang = "en"};
 *     DPL_TRY(dpl_lexicon_train(NULL, ctx, "de-en.dpl", paths, 2, &o, err));
 *     DPL_TRY(dpl_lexicon_open(&lexicon, ctx, "de-en.dpl", NULL, err));
 */
#ifndef DOPPEL_LEXICON_H
#define DOPPEL_LEXICON_H

#include "doppel/tokens.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a lexicon ---------------------------------------------------------------------- */

/* Frozen. */
typedef struct dpl_lexicon dpl_lexicon;

/* Zero in a field means its default. */
typedef struct dpl_lexicon_options {
    const char *source_lang; /* of the first column; NULL: not known, or as the .dpl says */
    const char *target_lang; /* of the second column; likewise */
    dpl_on_error on_error;   /* a line that cannot be read: fail, or skip and count */
} dpl_lexicon_options;

typedef struct dpl_lexicon_sizes {
    uint32_t n_sources; /* distinct words in the first column */
    uint32_t n_targets;
    uint64_t n_entries; /* of p(target|source) */
    uint64_t n_back;    /* of p(source|target); 0 for text */
    uint64_t n_links;   /* of the model for alignment; 0: there is none */
    uint64_t n_skipped; /* lines that could not be read (on_error) */
} dpl_lexicon_sizes;

/* A .dpl of dpl_lexicon_train or dpl_lexicon_import, or text, compressed or not.
 *
 * Text: words are folded as tokens are, not stemmed. Those that fold to the same text become
 * one: the targets of a source add up, the rows of sources become their mean. Probabilities of
 * 0 and words that folding leaves nothing of are passed over.
 *
 * A probability outside [0,1], a line without three columns, an empty word, invalid UTF-8, a
 * pair that stands there twice: DPL_E_FORMAT with file and line. DPL_ON_ERROR_REPLACE is
 * DPL_E_USAGE, and so are languages that are not those of the .dpl. */
DPL_API dpl_status dpl_lexicon_open(dpl_lexicon **out, dpl_ctx *ctx, const char *path,
                                    const dpl_lexicon_options *options, dpl_error *err);
DPL_API void dpl_lexicon_close(dpl_lexicon *lexicon);

/* Borrowed until the lexicon is closed. Words are numbered in byte order. */
DPL_API const dpl_lexicon_sizes *dpl_lexicon_size(const dpl_lexicon *lexicon);
/* "" when not known. */
DPL_API const char *dpl_lexicon_source_lang(const dpl_lexicon *lexicon);
DPL_API const char *dpl_lexicon_target_lang(const dpl_lexicon *lexicon);
/* How a .dpl was made, as one JSON object; empty for text. */
DPL_API dpl_str dpl_lexicon_settings(const dpl_lexicon *lexicon);
/* Its words are stems. Of text that is not known: false. */
DPL_API bool dpl_lexicon_is_stemmed(const dpl_lexicon *lexicon);
DPL_API dpl_str dpl_lexicon_source(const dpl_lexicon *lexicon, uint32_t source);
DPL_API dpl_str dpl_lexicon_target(const dpl_lexicon *lexicon, uint32_t target);
DPL_API bool dpl_lexicon_find_source(const dpl_lexicon *lexicon, dpl_str word, uint32_t *out);
DPL_API bool dpl_lexicon_find_target(const dpl_lexicon *lexicon, dpl_str word, uint32_t *out);
/* How often the word occurred in what the lexicon was trained on; 0 when not known. */
DPL_API uint64_t dpl_lexicon_source_count(const dpl_lexicon *lexicon, uint32_t source);
DPL_API uint64_t dpl_lexicon_target_count(const dpl_lexicon *lexicon, uint32_t target);
/* The targets of a source, numbers rising, and p(target|source) of each. */
DPL_API const uint32_t *dpl_lexicon_row(const dpl_lexicon *lexicon, uint32_t source,
                                        const float **probabilities, size_t *n);
/* The sources of a target, numbers rising, and p(source|target) of each; none for text. */
DPL_API const uint32_t *dpl_lexicon_back_row(const dpl_lexicon *lexicon, uint32_t target,
                                             const float **probabilities, size_t *n);

/* ---- what stays in the tables ------------------------------------------------------- */

/* The best of a row stay, most probable first, until one of the bounds is reached; what stays
 * is not scaled up. Zero in a field means its default, a negative number no bound. */
typedef struct dpl_prune {
    int max_entries;   /* of a row; default 15 */
    double cumulative; /* entries behind the one with which the sum reaches it go; 0.95 */
    double min_p;      /* default 0.001 */
    double min_count;  /* of trained tables: how often the two were aligned; default 0.1 */
} dpl_prune;

/* ---- training ----------------------------------------------------------------------- */

/* Zero in a field means its default. */
typedef struct dpl_train_options {
    dpl_bitext_options read; /* left is the source, right the target */
    bool is_pretokenized;    /* words are what stands between blanks; folded all the same */
    bool stem;               /* words are stems */
    const char *start; /* .dpl of an earlier training to go on from; NULL: none. Languages,
                          stem and is_pretokenized are its */
    unsigned n_model1, n_hmm; /* iterations; default 5 and 5 */
    bool has_no_hmm;          /* Model 1 only */
    unsigned max_tokens;      /* rows with more words on a side are skipped; default 200 */
    dpl_prune prune;          /* the tables */
    double min_link;   /* links of the model aligned less often (expected) go; default 1e-6,
                          which are those never aligned; of Model 1 only: 0.01. Negative: none */
    bool has_no_model; /* tables only: it cannot align or be trained further */
} dpl_train_options;

typedef struct dpl_train_summary {
    dpl_bitext_counts read;
    uint64_t n_rows;  /* used */
    uint64_t n_empty; /* skipped: no words on a side */
    uint64_t n_long;  /* skipped: too many words on a side */
    uint64_t n_tokens[2];
    uint32_t n_words[2];  /* distinct */
    uint64_t n_links;     /* learnt */
    uint64_t n_dropped;   /* links left out for want of memory */
    unsigned n_blocks;    /* pieces that the corpus was cut into for want of memory */
    double perplexity[2]; /* of a right word given the left side; and vice versa */
    dpl_lexicon_sizes sizes;
    uint64_t n_output_bytes;
    double seconds, train_seconds; /* all of it, and without reading and writing */
} dpl_train_summary;

/* Model 1, then a hidden Markov model, both directions made to agree. Writes to out_path
 * through a temporary name; the same bytes for any number of threads and any instruction set,
 * and for any memory limit that holds all links (n_dropped is 0). summary may be NULL. */
DPL_API dpl_status dpl_lexicon_train(dpl_train_summary *summary, dpl_ctx *ctx,
                                     const char *out_path, const char *const *paths,
                                     size_t n_paths, const dpl_train_options *options,
                                     dpl_error *err);

/* ---- alignment ---------------------------------------------------------------------- */

typedef enum dpl_symmetry {
    DPL_SYMMETRY_POSTERIOR = 0, /* what both directions together believe in */
    DPL_SYMMETRY_INTERSECT,     /* the best alignment of each direction: what both have */
    DPL_SYMMETRY_UNION,
    DPL_SYMMETRY_GROW_DIAG,
    DPL_SYMMETRY_GDFA /* grow-diag-final-and */
} dpl_symmetry;

/* "posterior", "intersect", "union", "grow-diag", "gdfa"; NULL when out of range. */
DPL_API const char *dpl_symmetry_name(dpl_symmetry symmetry);

/* Zero in a field means its default. */
typedef struct dpl_align_options {
    dpl_bitext_options read; /* languages default to the lexicon's */
    bool is_pretokenized;    /* words are what stands between blanks */
    dpl_symmetry symmetry;
    double threshold;    /* of POSTERIOR: mean of both directions; default 0.5 */
    unsigned max_tokens; /* rows with more words on a side have no links; default 1000 */
} dpl_align_options;

/* Numbers of words in the row, from 0. */
typedef struct dpl_link {
    uint32_t left, right;
} dpl_link;

/* One row and its links, by left word, then by right word. Words are slices of the row's text,
 * as they stand there. Valid during the callback. */
typedef struct dpl_aligned_row {
    uint64_t row; /* from 0: none is left out */
    const dpl_str *left, *right;
    size_t n_left, n_right;
    const dpl_link *links;
    size_t n_links;
} dpl_aligned_row;

/* Called on the caller's thread, row by row; anything but DPL_OK ends the call with it. */
typedef dpl_status dpl_aligned_fn(void *user, const dpl_aligned_row *row, dpl_error *err);

typedef struct dpl_align_summary {
    dpl_bitext_counts read;
    uint64_t n_rows, n_links;
    uint64_t n_long;                    /* rows without links: too many words on a side */
    uint64_t n_tokens[2], n_unknown[2]; /* words, and those that the model does not have;
                                           is_pretokenized: of what pieces are made of, unless
                                           the model was trained on pieces, too */
    double seconds;
} dpl_align_summary;

/* Words of new text aligned by the lexicon's model; DPL_E_USAGE when it has none. */
DPL_API dpl_status dpl_lexicon_align(dpl_align_summary *summary, dpl_ctx *ctx,
                                     const dpl_lexicon *lexicon, const char *const *paths,
                                     size_t n_paths, const dpl_align_options *options,
                                     dpl_aligned_fn *take, void *user, dpl_error *err);

/* ---- import and mixing -------------------------------------------------------------- */

typedef enum dpl_dictionary_format {
    DPL_DICTIONARY_AUTO = 0, /* by name and first bytes */
    DPL_DICTIONARY_LEXICON,  /* a .dpl made earlier */
    DPL_DICTIONARY_TSV,      /* source <TAB> target [<TAB> probability] */
    DPL_DICTIONARY_MOSES,    /* target source probability, blanks between, as Moses' lex.f2e has
                                them: probability of the target given the source */
    DPL_DICTIONARY_DICTD, /* NAME.index with NAME.dict or NAME.dict.dz beside it; either names
                             it, and so does NAME */
    DPL_DICTIONARY_DING   /* words; words | words :: words; words | words, as trans-de-en has */
} dpl_dictionary_format;

/* "auto", "lexicon", "tsv", "moses", "dictd", "ding"; NULL when out of range. */
DPL_API const char *dpl_dictionary_format_name(dpl_dictionary_format format);
DPL_API bool dpl_dictionary_format_parse(dpl_dictionary_format *out, const char *name);

typedef struct dpl_dictionary {
    const char *path;
    double weight; /* 0: as much as the others */
} dpl_dictionary;

/* Zero in a field means its default. */
typedef struct dpl_lexicon_import_options {
    dpl_dictionary_format format;
    const char
        *source_lang; /* default: what a .dpl or a dictionary's name says. A dictionary */
    const char *target_lang; /* of the other direction is turned round */
    bool stem;               /* words become stems */
    dpl_on_error on_error;
    dpl_prune prune;
} dpl_lexicon_import_options;

typedef struct dpl_lexicon_import_summary {
    uint64_t n_read;    /* lines, articles or entries of all dictionaries */
    uint64_t n_used;    /* of these, with a headword and a translation that could be taken */
    uint64_t n_phrases; /* translations of several words; their words have a share */
    uint64_t n_skipped; /* could not be read (on_error) */
    dpl_lexicon_sizes sizes;
    uint64_t n_output_bytes;
    double seconds;
} dpl_lexicon_import_summary;

/* Dictionaries become one lexicon. Words go through the same folding (and stemming) as tokens.
 * Translations without probabilities share what there is, the first ones more. A source that
 * stands in some of the dictionaries only is what these say; one that stands in several is
 * mixed by their weights. p(source|target) follows from p(target|source) where a dictionary
 * does not have it. Writes to out_path through a temporary name. summary may be NULL. */
DPL_API dpl_status dpl_lexicon_import(dpl_lexicon_import_summary *summary, dpl_ctx *ctx,
                                      const char *out_path, const dpl_dictionary *dictionaries,
                                      size_t n_dictionaries,
                                      const dpl_lexicon_import_options *options,
                                      dpl_error *err);

/* ---- looking at one ----------------------------------------------------------------- */

/* A word as the lexicon writes it. */
typedef struct dpl_lexicon_hit {
    char text[168]; /* ends with 0; "" when folding leaves nothing */
    size_t n;
    bool is_known;
    uint32_t number; /* when it is known */
} dpl_lexicon_hit;

/* Looks a word up as a person writes it: folded as tokens are, and stemmed where the lexicon's
 * words are stems, unless only the word as such is there. DPL_E_USAGE when it is not UTF-8. */
DPL_API dpl_status dpl_lexicon_look_up(dpl_lexicon_hit *out, dpl_ctx *ctx,
                                       const dpl_lexicon *lexicon, bool is_target, dpl_str word,
                                       dpl_error *err);

/* Words like this one, which is folded and valid UTF-8: up to three edits away, fewer for short
 * words; an ending more or less, of up to half the word, is at most two edits. Nearest first,
 * then most frequent (with most translations, where counts are not known), then in byte order;
 * not the word itself. out has room for n, and the answer is how many it holds then, at most
 * 256. */
DPL_API size_t dpl_lexicon_near(const dpl_lexicon *lexicon, bool is_target, dpl_str word,
                                uint32_t *out, size_t n);

/* One column of a lexicon as a whole. */
typedef struct dpl_lexicon_column {
    uint32_t n_words;
    uint32_t n_translated; /* words with at least one entry */
    uint64_t n_entries;
    double entropy;     /* of a word's translations, in bits, as shares of what is left of the
                           row: mean of the translated words */
    double perplexity;  /* 2 to the power of that */
    double mass;        /* mean sum of a row: what pruning left of 1 */
    double top;         /* mean probability of the best translation */
    uint32_t n_certain; /* words whose best translation has 0.5 or more */
} dpl_lexicon_column;

/* Of p(target|source), or with is_target of p(source|target). */
DPL_API dpl_lexicon_column dpl_lexicon_measure(const dpl_lexicon *lexicon, bool is_target);

#ifdef __cplusplus
}
#endif
#endif
