/*
 * doppel/mine.h - the whole road: two piles of documents become pairs and aligned sentences.
 *
 *     dpl_mine_options o = {0};
 *     DPL_TRY(dpl_mine_run(&summary, ctx, "out", "docs.de.jsonl", "docs.en.jsonl", &o, err));
 *
 * Nothing but the documents is needed. What both sides spell alike gives first pairs, their
 * sentences are aligned, the sentences teach a lexicon, the lexicon finds better pairs, until
 * the pairs stay the same.
 */
#ifndef DOPPEL_MINE_H
#define DOPPEL_MINE_H

#include "doppel/sentences.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero in a field means its default. */
typedef struct dpl_mine_options {
    dpl_reader_options read;  /* of both sides; lang is ignored */
    const char *lang[2];      /* of LEFT and RIGHT; NULL: told from the text */
    bool has_no_stems;        /* words as they stand */
    const char *lexicon;      /* .dpl or text to begin with; NULL: spelling */
    const char *dictionary;   /* the same, of any kind that dpl_lexicon_import reads */
    unsigned rounds;          /* of learning, at most; default 5 */
    double confidence;        /* least probability that a pair is a translation; default 0.5 */
    dpl_pairs_options search; /* method, recall, signatures; the rest is set here */
    dpl_sentences_options sentences;
    bool resume;       /* go on where an earlier run with the same inputs and options stopped */
    const char *pivot; /* dpl_mine_many: the language that all others are paired with;
                          default: the one with the most words */
    bool has_header;   /* dpl_mine_many: groups.tsv begins with the languages' codes */
} dpl_mine_options;

enum { DPL_MINE_MOST_ROUNDS = 20 };

/* One round: what was searched with, what was found. */
typedef struct dpl_mine_round {
    uint64_t n_matches;     /* documents that are each other's best */
    uint64_t n_pairs;       /* of these, likely enough to learn from */
    uint64_t n_new, n_gone; /* against the round before */
    double cosine;          /* of the pairs: the mean */
    double known;           /* share of the words that the lexicon translates, 0 to 1 */
    double alone;           /* share of documents of the smaller side without counterpart */
    uint64_t n_rows;        /* sentence pairs learnt from; 0 in the first round */
    uint64_t n_entries;     /* of the lexicon; 0 in the first round without one */
    double align_seconds, train_seconds, search_seconds;
} dpl_mine_round;

typedef struct dpl_mine_summary {
    char lang[2][12];
    uint64_t n_docs[2], n_sentences[2];
    uint64_t n_duplicates[2]; /* documents with the words of an earlier one: left out */
    dpl_mine_round rounds[DPL_MINE_MOST_ROUNDS + 1];
    size_t n_rounds;
    bool is_stable; /* the last two rounds found the same */
    uint64_t n_pairs, n_sentence_pairs;
    double precision, recall; /* as the confidences have it */
    dpl_recall_check receipt; /* of the last search */
    dpl_sentences_summary sentences;
    double import_seconds, final_seconds, seconds;
} dpl_mine_summary;

/* left and right are documents in any form that dpl_reader_open reads, or collections.
 *
 * Leaves in the folder dir, which is made if it is not there: pairs.tsv (left id, right id,
 * confidence), sentences.tsv (left id, right id, left sentence, right sentence, score),
 * lexicon.tsv.zst, report.html, run.json and work/. Same bytes of pairs, sentences and lexicon
 * for any number of threads, and whether it was interrupted and resumed or not. */
DPL_API dpl_status dpl_mine_run(dpl_mine_summary *summary, dpl_ctx *ctx, const char *dir,
                                const char *left, const char *right,
                                const dpl_mine_options *options, dpl_error *err);

/* ---- a round, looked at afterwards --------------------------------------------------- */

/* One round as it stays in work/round-N.dpl. Frozen. */
typedef struct dpl_round dpl_round;

/* Two documents that were each other's best. */
typedef struct dpl_round_pair {
    dpl_doc_pair docs; /* numbers in the collections of work/ */
    float cosine, margin;
    double confidence; /* that it is a translation, as far as this round could tell */
} dpl_round_pair;

/* Verifies everything; damage is DPL_E_FORMAT. */
DPL_API dpl_status dpl_round_open(dpl_round **out, dpl_ctx *ctx, const char *path,
                                  dpl_error *err);
DPL_API void dpl_round_close(dpl_round *round);

/* Borrowed until the round is closed. */
DPL_API const dpl_mine_round *dpl_round_figures(const dpl_round *round);
/* NULL: the round was interrupted after its lexicon, before its search. */
DPL_API const dpl_recall_check *dpl_round_receipt(const dpl_round *round);
/* i < n_matches, in the order of left documents. */
DPL_API dpl_round_pair dpl_round_match(const dpl_round *round, size_t i);
/* How many left documents have a best (or second best) counterpart with a cosine in each of *n
 * equal steps from 0 to 1; *n is 0 without a search. */
DPL_API const uint64_t *dpl_round_cosines(const dpl_round *round, bool of_second, size_t *n);

/* ---- the lexicon alone -------------------------------------------------------------- */

/* The same rounds, and only the last lexicon of them, a .dpl (doppel/lexicon.h). What is made
 * on the way is in the folder out_path.work as long as it takes. resume is DPL_E_USAGE. */
DPL_API dpl_status dpl_lexicon_learn(dpl_mine_summary *summary, dpl_ctx *ctx,
                                     const char *out_path, const char *left, const char *right,
                                     const dpl_mine_options *options, dpl_error *err);

/* ---- more than two languages -------------------------------------------------------- */

typedef struct dpl_mine_language {
    char code[12]; /* "und": could not be told */
    uint64_t n_docs, n_sentences;
    uint64_t n_tokens; /* 0 with two sides */
    uint64_t n_paired; /* documents that are in a group */
} dpl_mine_language;

/* A language and the pivot. */
typedef struct dpl_mine_many_run {
    const dpl_mine_language *left, *right;
    bool is_empty; /* nothing in common to begin with: no pairs, no report */
    dpl_mine_summary summary;
} dpl_mine_many_run;

typedef struct dpl_mine_many_summary {
    const dpl_mine_language *langs; /* in the order of their codes; two sides: left, right */
    size_t n_langs;
    const dpl_mine_many_run *runs; /* of each language but the pivot; two sides: one */
    size_t n_runs;
    double seconds;
    bool is_many;                      /* else there are two sides, and what follows is 0 */
    const dpl_mine_language *pivot;    /* one of langs */
    const dpl_mine_language *left_out; /* with too few documents to take part: code, n_docs */
    size_t n_left_out;
    const uint64_t *n_groups; /* by the number of their languages, 0 to n_langs */
} dpl_mine_many_summary;

/* Documents in two or more languages, in one or more files. Languages are those that documents
 * declare, or seem to be in.
 *
 * Two inputs, each in one language (or langs given): the same as dpl_mine_run. Else every
 * language becomes a collection, dir/work/LANG.dpl, and is paired with the pivot by
 * dpl_mine_run, in dir/LANG-PIVOT/; ids need only be unique within their language. dir then
 * holds pairs.tsv and sentences.tsv of all of them, one behind the other; groups.tsv: documents
 * that have the same counterpart in the pivot, one a column, the pivot first; report.html and
 * run.json. An input that is a collection must be in one language; a pipe cannot be read here.
 * A lexicon or a dictionary is used for the languages that it has.
 *
 * out may be NULL; free it with dpl_mine_many_free. */
DPL_API dpl_status dpl_mine_many(dpl_mine_many_summary **out, dpl_ctx *ctx, const char *dir,
                                 const char *const *paths, size_t n_paths,
                                 const dpl_mine_options *options, dpl_error *err);
DPL_API void dpl_mine_many_free(dpl_mine_many_summary *summary);

#ifdef __cplusplus
}
#endif
#endif
