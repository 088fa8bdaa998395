/*
 * doppel/lexicon.h - the third stage: probabilities of word translations.
 *
 * A lexicon holds p(y|x) for words x of one language and y of another, sparse; a .dpl holds
 * both directions, p(target|source) and p(source|target), with the frequency of each word, and
 * optionally the model that aligns the words of new text. It is trained on parallel text,
 * imported from dictionaries, made from entries in memory, or read from text, `source <TAB>
 * target <TAB> probability` a line.
 *
 *     const char *paths[] = {"news.de", "news.en"};
 *     dpl_bitext_options read =
 *         DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en");
 *     dpl_train_options o = DPL_INIT(dpl_train_options, .read = &read);
 *     DPL_TRY(dpl_lexicon_train(NULL, ctx, "de-en.dpl", paths, 2, &o, err));
 *     dpl_lexicon *lexicon = NULL;
 *     DPL_TRY(dpl_lexicon_open(&lexicon, ctx, "de-en.dpl", NULL, err));
 *     printf("%u words\n", dpl_lexicon_get_sizes(lexicon)->n_sources);
 *     dpl_lexicon_close(lexicon);
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

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_lexicon_options {
    size_t size;
    const char *source_lang; /* of the first column; NULL: not known, or as the .dpl says */
    const char *target_lang; /* of the second column; likewise */
    dpl_on_error on_error;   /* lines that cannot be read: FAIL if they are more than one in
                                1,000; SKIP: count them, however many */
} dpl_lexicon_options;

typedef struct dpl_lexicon_sizes {
    size_t size;
    uint32_t n_sources; /* distinct words in the first column */
    uint32_t n_targets;
    uint64_t n_entries; /* of p(target|source) */
    uint64_t n_back;    /* of p(source|target); 0 for text */
    uint64_t n_links;   /* of the model for alignment; 0: there is none */
    uint64_t n_skipped; /* lines that could not be read (on_error) */
} dpl_lexicon_sizes;

/* A .dpl of dpl_lexicon_train or dpl_lexicon_import, or text, compressed or not.
 *
 * Text: words are folded as tokens are, not stemmed. Words that fold to the same text become
 * one word: the targets of a source are added, the rows of sources averaged. Probabilities of
 * 0, and words that are empty after folding, are ignored.
 *
 * A probability outside [0,1], a line without three columns, an empty word, a control character
 * in a word, invalid UTF-8: DPL_E_FORMAT with file and line, if more than one line in 1,000 has
 * such an error; fewer are skipped and counted. A pair that occurs twice: DPL_E_FORMAT.
 * DPL_ON_ERROR_REPLACE is DPL_E_USAGE, and so are languages that are not those of the .dpl. */
DPL_API dpl_status dpl_lexicon_open(dpl_lexicon **out, dpl_ctx *ctx, const char *path,
                                    const dpl_lexicon_options *options, dpl_error *err);
DPL_API void dpl_lexicon_close(dpl_lexicon *lexicon);

/* Borrowed until the lexicon is closed. Words are numbered in byte order. */
DPL_API const dpl_lexicon_sizes *dpl_lexicon_get_sizes(const dpl_lexicon *lexicon);

/* Languages and settings. Layout fixed. */
typedef struct dpl_lexicon_info {
    const char *source_lang, *target_lang; /* "" when not known */
    dpl_str settings;                      /* of a .dpl: one JSON object; empty for text */
    bool is_stemmed; /* words are stems; false for text, of which it is not known */
} dpl_lexicon_info;

/* Borrowed until the lexicon is closed. */
DPL_API dpl_lexicon_info dpl_lexicon_get_info(const dpl_lexicon *lexicon);
DPL_API dpl_str dpl_lexicon_source(const dpl_lexicon *lexicon, uint32_t source);
DPL_API dpl_str dpl_lexicon_target(const dpl_lexicon *lexicon, uint32_t target);
DPL_API bool dpl_lexicon_find_source(const dpl_lexicon *lexicon, dpl_str word, uint32_t *out);
DPL_API bool dpl_lexicon_find_target(const dpl_lexicon *lexicon, dpl_str word, uint32_t *out);
/* How often the word occurs in the training text; 0: not known. */
DPL_API uint64_t dpl_lexicon_count(const dpl_lexicon *lexicon, bool is_target, uint32_t word);
/* The most frequent written form of the word, if words are stems and the lexicon was trained on
 * text; else the word itself. For display: several words may have the same form. */
DPL_API dpl_str dpl_lexicon_written(const dpl_lexicon *lexicon, bool is_target, uint32_t word);
/* The targets of a source, numbers rising, and p(target|source) of each. */
DPL_API const uint32_t *dpl_lexicon_row(const dpl_lexicon *lexicon, uint32_t source,
                                        const float **probabilities, size_t *n);
/* The sources of a target, numbers rising, and p(source|target) of each; none for text. */
DPL_API const uint32_t *dpl_lexicon_back_row(const dpl_lexicon *lexicon, uint32_t target,
                                             const float **probabilities, size_t *n);

/* Writes a copy of a lexicon that has both directions to a .dpl, through a temporary name.
 * DPL_E_USAGE for one that was read from text. */
DPL_API dpl_status dpl_lexicon_save(const dpl_lexicon *lexicon, const char *path,
                                    dpl_error *err);

/* ---- entries ------------------------------------------------------------------------ */

/* One entry: p is p(target|source), or p(source|target) of the other table. Layout fixed. */
typedef struct dpl_lexicon_entry {
    dpl_str source, target;
    float p;
} dpl_lexicon_entry;

/* Entries in the order of the file: by source, then by target; with is_back those of
 * p(source|target), by target, then by source. Layout fixed.
 *
 *     dpl_lexicon_entry e;
 *     dpl_lexicon_entries it = dpl_lexicon_entries_begin(lexicon, false);
 *     while (dpl_lexicon_entries_next(&it, &e))
 *         use(e.source, e.target, e.p);
 */
typedef struct dpl_lexicon_entries {
    const dpl_lexicon *lexicon;
    uint64_t at;
    uint32_t row;
    bool is_back;
} dpl_lexicon_entries;

DPL_API dpl_lexicon_entries dpl_lexicon_entries_begin(const dpl_lexicon *lexicon, bool is_back);
/* False behind the last one. Words are borrowed until the lexicon is closed. */
DPL_API bool dpl_lexicon_entries_next(dpl_lexicon_entries *it, dpl_lexicon_entry *out);

/* How a table is written as text. Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_lexicon_tsv_options {
    size_t size;
    bool is_back;           /* p(source|target): target <TAB> source <TAB> probability */
    bool is_by_probability; /* the most probable of a row first; default: in byte order */
    bool is_exact;    /* enough digits to restore the same float; default: up to six decimals */
    double threshold; /* lowest probability of an entry */
} dpl_lexicon_tsv_options;

/* Takes some of the text; anything but DPL_OK ends the call with it. */
typedef dpl_status dpl_lexicon_text_fn(void *user, const char *text, size_t n, dpl_error *err);

/* Writes `source <TAB> target <TAB> probability` a line, which dpl_lexicon_open reads.
 * n_entries, which may be NULL, receives the number of lines. */
DPL_API dpl_status dpl_lexicon_write_tsv(uint64_t *n_entries, const dpl_lexicon *lexicon,
                                         const dpl_lexicon_tsv_options *options,
                                         dpl_lexicon_text_fn *write, void *user,
                                         dpl_error *err);

/* ---- pruning ------------------------------------------------------------------------ */

/* Of each row the most probable entries are kept until one of the bounds is reached; their
 * probabilities are not scaled up. Begin with DPL_INIT; zero in a field means its default, a
 * negative number no bound. */
typedef struct dpl_prune {
    size_t size;
    int top;           /* maximum number of entries of a row; default 15 */
    double cumulative; /* stop at the entry with which the sum reaches this; default 0.95 */
    double threshold;  /* lowest probability; default 0.001 */
    double min_count;  /* trained tables: lowest expected number of alignments; default 0.1 */
} dpl_prune;

/* ---- training ----------------------------------------------------------------------- */

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_train_options {
    size_t size;
    const dpl_bitext_options *read; /* left is the source, right the target. For rows from the
                                       caller only its languages are used */
    bool pretokenized;              /* words are separated by blanks; they are folded, too */
    bool stem;                      /* reduce words to their stems */
    const char *lexicon; /* .dpl of an earlier training to continue; NULL: none. Languages, stem
                            and pretokenized are those of the earlier training */
    unsigned model1;     /* iterations of IBM Model 1; default 5 */
    unsigned hmm;        /* iterations of the hidden Markov model; default 5 */
    bool no_hmm;         /* Model 1 only */
    unsigned max_words;  /* rows with more words on a side are skipped; default 200 */
    const dpl_prune *prune; /* of the tables; NULL: defaults */
    double min_link; /* drop links of the model with fewer expected alignments; default 1e-6,
                        which drops those never aligned; with no_hmm 0.01. Negative: none */
    bool no_model;   /* tables only: the lexicon can neither align nor be trained further */
} dpl_train_options;

/* Begin with DPL_INIT. */
typedef struct dpl_train_summary {
    size_t size;
    dpl_bitext_counts *read;  /* filled in when it is given; NULL: not wanted */
    dpl_lexicon_sizes *sizes; /* likewise */
    uint64_t n_rows;          /* used */
    uint64_t n_empty;         /* skipped: no words on a side */
    uint64_t n_long;          /* skipped: too many words on a side */
    uint64_t n_tokens[2];
    uint32_t n_words[2];  /* distinct */
    uint64_t n_links;     /* trained */
    uint64_t n_dropped;   /* links left out because of the memory limit */
    unsigned n_blocks;    /* blocks that the corpus was cut into because of the memory limit */
    double perplexity[2]; /* of a right word given the left side; and vice versa */
    uint64_t n_output_bytes;
    double seconds, train_seconds; /* all of it, and without reading and writing */
} dpl_train_summary;

/* Expectation-maximisation of IBM Model 1, then of a hidden Markov model, both directions
 * trained jointly. Writes to out_path through a temporary name; the same bytes for any number
 * of threads and any instruction set, and for any memory limit that holds all links (n_dropped
 * is 0). Rows without words on a side, or with more than max_words, are skipped; if no row is
 * left: DPL_E_NOTHING. summary may be NULL. */
DPL_API dpl_status dpl_lexicon_train(dpl_train_summary *summary, dpl_ctx *ctx,
                                     const char *out_path, const char *const *paths,
                                     size_t n_paths, const dpl_train_options *options,
                                     dpl_error *err);

/* The same from rows of the caller (dpl_bitext_open_source, or any reader), which are read to
 * their end, to a lexicon without a file. */
DPL_API dpl_status dpl_lexicon_train_rows(dpl_lexicon **out, dpl_train_summary *summary,
                                          dpl_ctx *ctx, dpl_bitext *rows,
                                          const dpl_train_options *options, dpl_error *err);

/* ---- alignment ---------------------------------------------------------------------- */

/* How the alignments of both directions are combined. */
typedef enum dpl_symmetry {
    DPL_SYMMETRY_POSTERIOR = 0, /* links whose mean posterior of both directions is high */
    DPL_SYMMETRY_INTERSECT,     /* links that the best alignments of both directions have */
    DPL_SYMMETRY_UNION,         /* links that one of them has */
    DPL_SYMMETRY_GROW_DIAG,
    DPL_SYMMETRY_GDFA /* grow-diag-final-and */
} dpl_symmetry;

/* Static; may get more fields at its end. */
typedef struct dpl_symmetry_info {
    const char *name;        /* "gdfa" */
    const char *also;        /* another name of it: "grow-diag-final-and"; NULL: none */
    const char *description; /* what it does, in a few words */
} dpl_symmetry_info;

/* NULL when out of range. */
DPL_API const dpl_symmetry_info *dpl_symmetry_get_info(dpl_symmetry symmetry);

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_align_options {
    size_t size;
    const dpl_bitext_options *read; /* languages default to the lexicon's. Not used for rows
                                       that the caller reads */
    bool pretokenized;              /* words are separated by blanks */
    dpl_symmetry symmetrize;
    double threshold;   /* of POSTERIOR: mean of both directions; default 0.5 */
    unsigned max_words; /* rows with more words on a side have no links; default 1000 */
} dpl_align_options;

/* Numbers of words in the row, from 0. Layout fixed. */
typedef struct dpl_link {
    uint32_t left, right;
} dpl_link;

/* One row and its links, by left word, then by right word. Words are slices of the row's text,
 * as they are written. Valid during the callback, or until the next row. Layout fixed. */
typedef struct dpl_aligned_row {
    uint64_t row; /* from 0: none is left out */
    const dpl_str *left, *right;
    size_t n_left, n_right;
    const dpl_link *links;
    size_t n_links;
} dpl_aligned_row;

/* Called on the caller's thread, row by row; anything but DPL_OK ends the call with it. */
typedef dpl_status dpl_aligned_fn(void *user, const dpl_aligned_row *row, dpl_error *err);

/* Begin with DPL_INIT. */
typedef struct dpl_align_summary {
    size_t size;
    dpl_bitext_counts *read; /* filled in when it is given; NULL: not wanted */
    uint64_t n_rows, n_links;
    uint64_t n_long;                    /* rows without links: too many words on a side */
    uint64_t n_tokens[2], n_unknown[2]; /* words, and those that the model does not have;
                                           pretokenized: tokens within words, unless the model
                                           was trained with it, too */
    double seconds;
} dpl_align_summary;

/* What is aligned, and what receives the rows. Begin with DPL_INIT; borrowed during the call.
 */
typedef struct dpl_align_input {
    size_t size;
    const dpl_lexicon *lexicon;
    const char *const *paths; /* files of parallel text, as for dpl_bitext_open */
    size_t n_paths;
    dpl_aligned_fn *take; /* called with user for each row */
    void *user;
} dpl_align_input;

/* Aligns the words of new text by the lexicon's model; DPL_E_USAGE when it has none. summary
 * may be NULL. */
DPL_API dpl_status dpl_lexicon_align(dpl_align_summary *summary, dpl_ctx *ctx,
                                     const dpl_align_input *input,
                                     const dpl_align_options *options, dpl_error *err);

/* The same, row by row, from rows of the caller, which must live as long. Owned.
 *
 *     dpl_aligned_row row;
 *     DPL_TRY(dpl_alignment_open(&alignment, ctx, lexicon, rows, NULL, err));
 *     while ((status = dpl_alignment_next(alignment, &row, err)) == DPL_OK)
 *         use(&row);
 *     dpl_alignment_close(alignment);
 */
typedef struct dpl_alignment dpl_alignment;

DPL_API dpl_status dpl_alignment_open(dpl_alignment **out, dpl_ctx *ctx,
                                      const dpl_lexicon *lexicon, dpl_bitext *rows,
                                      const dpl_align_options *options, dpl_error *err);
/* DPL_END behind the last row. */
DPL_API dpl_status dpl_alignment_next(dpl_alignment *alignment, dpl_aligned_row *row,
                                      dpl_error *err);
DPL_API void dpl_alignment_close(dpl_alignment *alignment);

/* ---- import and mixing -------------------------------------------------------------- */

typedef enum dpl_dictionary_format {
    DPL_DICTIONARY_AUTO = 0, /* detected by name and first bytes */
    DPL_DICTIONARY_LEXICON,  /* a .dpl made earlier */
    DPL_DICTIONARY_TSV,      /* source <TAB> target [<TAB> probability] */
    DPL_DICTIONARY_MOSES,    /* target source probability, blanks between, as Moses' lex.f2e has
                                them: probability of the target given the source */
    DPL_DICTIONARY_DICTD, /* NAME.index with NAME.dict or NAME.dict.dz beside it; either names
                             it, and so does NAME */
    DPL_DICTIONARY_DING,  /* words; words | words :: words; words | words, as trans-de-en has */
    DPL_DICTIONARY_MUSE,  /* source target, a blank between; no order */
    DPL_DICTIONARY_WIKTIONARY, /* extracts with tabs: a first line that names the columns word,
                                  translation, lang; or language, word, language, word */
    DPL_DICTIONARY_OMW,        /* Open Multilingual WordNet: synset <TAB> lemma <TAB> word, one
                                  file of each of the two languages */
    DPL_DICTIONARY_APERTIUM,   /* word<n>:word<n>, as lt-expand prints it */
    DPL_DICTIONARY_CEDICT,     /* CC-CEDICT: traditional simplified [pinyin] /gloss/ */
    DPL_DICTIONARY_JMDICT,     /* XML: Japanese; glosses of the target language, or English */
    DPL_DICTIONARY_TEI,        /* XML of FreeDict */
    DPL_DICTIONARY_EDICT       /* EDICT, EDICT2: word [reading] /gloss/, UTF-8 or EUC-JP */
} dpl_dictionary_format;

/* Static; may get more fields at its end. */
typedef struct dpl_dictionary_format_info {
    const char *name;        /* "tsv" */
    const char *description; /* what such a dictionary looks like, in a few words */
} dpl_dictionary_format_info;

/* NULL when out of range. */
DPL_API const dpl_dictionary_format_info *
dpl_dictionary_format_get_info(dpl_dictionary_format format);

/* Layout fixed. */
typedef struct dpl_dictionary {
    const char *path;
    double weight; /* 0: as much as the others */
} dpl_dictionary;

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_lexicon_import_options {
    size_t size;
    dpl_dictionary_format from;
    const char *source_lang; /* default: from the .dpl or the name of a */
    const char *target_lang; /* dictionary. One in the other direction is reversed */
    bool stem;               /* reduce words to their stems */
    dpl_on_error on_error;   /* a line, article or entry: fail, or skip and count */
    const dpl_prune *prune;  /* NULL: defaults */
} dpl_lexicon_import_options;

/* Begin with DPL_INIT. */
typedef struct dpl_lexicon_import_summary {
    size_t size;
    dpl_lexicon_sizes *sizes; /* filled in when it is given; NULL: not wanted */
    uint64_t n_read;          /* lines, articles or entries of all dictionaries */
    uint64_t n_used;    /* of these, with a headword and a translation that could be used */
    uint64_t n_phrases; /* translations of several words, whose weight these share */
    uint64_t n_skipped; /* could not be read (on_error) */
    uint64_t n_output_bytes;
    double seconds;
    /* What was wrong with the first of n_skipped; status DPL_OK: none. */
    dpl_error first_skipped;
} dpl_lexicon_import_summary;

/* Makes one lexicon from several dictionaries. Words go through the same folding (and stemming)
 * as tokens. Translations without probabilities share the probability of their headword, the
 * first ones get more. A source word in several dictionaries gets the mean of their
 * probabilities, weighted; dictionaries without it do not count. p(source|target) is computed
 * from p(target|source) where a dictionary does not have it. Writes to out_path through a
 * temporary name. summary may be NULL. */
DPL_API dpl_status dpl_lexicon_import(dpl_lexicon_import_summary *summary, dpl_ctx *ctx,
                                      const char *out_path, const dpl_dictionary *dictionaries,
                                      size_t n_dictionaries,
                                      const dpl_lexicon_import_options *options,
                                      dpl_error *err);

/* The same to a lexicon without a file. */
DPL_API dpl_status dpl_lexicon_from_dictionaries(dpl_lexicon **out, dpl_ctx *ctx,
                                                 const dpl_dictionary *dictionaries,
                                                 size_t n_dictionaries,
                                                 const dpl_lexicon_import_options *options,
                                                 dpl_error *err);

/* A lexicon from p(target|source) in memory, as from a table in a file: words are folded, pairs
 * that are the same then are added, p(source|target) is computed, both tables are pruned. An
 * empty word, invalid UTF-8 or a probability outside [0,1] is DPL_E_FORMAT, or skipped
 * (on_error). */
DPL_API dpl_status dpl_lexicon_from_entries(dpl_lexicon **out, dpl_ctx *ctx,
                                            const dpl_lexicon_entry *entries, size_t n_entries,
                                            const dpl_lexicon_import_options *options,
                                            dpl_error *err);

/* ---- looking words up --------------------------------------------------------------- */

/* A word as the lexicon writes it. Layout fixed. */
typedef struct dpl_lexicon_hit {
    char text[168]; /* zero-terminated; "" if it is empty after folding */
    size_t n;
    bool is_known;
    uint32_t number; /* when it is known */
} dpl_lexicon_hit;

/* Looks up a word as a person writes it: folds it like a token, and stems it if the lexicon has
 * stems, unless the lexicon has only the unstemmed word. DPL_E_USAGE when it is not UTF-8. */
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

/* Statistics of one column. Begin with DPL_INIT. */
typedef struct dpl_lexicon_column {
    size_t size;
    uint32_t n_words;
    uint32_t n_translated; /* words with at least one entry */
    uint64_t n_entries;
    double entropy;    /* of a word's translations after pruning, in bits, with their sum scaled
                          to 1: mean over the translated words */
    double perplexity; /* 2 to the power of that */
    double mass;       /* mean sum of a row after pruning */
    double top;        /* mean probability of the best translation */
    uint32_t n_certain; /* words whose best translation has 0.5 or more */
} dpl_lexicon_column;

/* Of p(target|source), or with is_target of p(source|target). */
DPL_API dpl_status dpl_lexicon_measure(dpl_lexicon_column *out, const dpl_lexicon *lexicon,
                                       bool is_target, dpl_error *err);

#ifdef __cplusplus
}
#endif
#endif
