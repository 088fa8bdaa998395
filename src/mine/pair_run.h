/*
 * pair_run.h - mining two languages: the values of a run, and its stages.
 */
#ifndef DPL_MINE_PAIR_RUN_H
#define DPL_MINE_PAIR_RUN_H

#include "mine/doc_numbers.h"
#include "mine/dropped.h"
#include "mine/final_beads.h"
#include "mine/folder.h"
#include "report/skipped.h"
#include "tokens/input_languages.h"
#include "tokens/open_inputs.h"

/* Options of mining with those they point to. */
typedef struct dpl__mine_settings {
    dpl_mine_options options; /* pointers lead to the following */
    dpl_reader_options read;
    dpl_pairs_options search;
    dpl_sentences_options sentences; /* without dropping repeats: that is for the end only */
    double min_score;                /* of sentence pairs in the end */
    unsigned formats;                /* of sentence pairs, as bits (sentence_files.h) */
} dpl__mine_settings;

/* Copies with defaults filled in; stays where it is from then on. */
dpl_status dpl__mine_settings_take(dpl__mine_settings *out, const dpl_mine_options *options,
                                   dpl_error *err);

typedef struct dpl__known_links dpl__known_links;

/* What is to be done. */
typedef struct dpl__run_task {
    double began;
    const char *dir;            /* of work/ and outputs */
    bool has_no_files;          /* nothing but work/ is written */
    bool is_of_many;            /* other languages are mined in other runs */
    const char *lexicon_path;   /* where the last lexicon goes, if that is all there is to do */
    const dpl_input *inputs[2]; /* borrowed while it runs */
    size_t langs[2];            /* is_of_many: numbers of the languages of both sides */
} dpl__run_task;

/* Stages read and clean: the documents as they were read and as they are mined. */
typedef struct dpl__run_documents {
    dpl_collection *owned[2];    /* opened here */
    bool is_clean[2];            /* text was left out (clean.h), and perhaps whole documents */
    dpl__doc_numbers numbers[2]; /* of documents as read and as mined */
    dpl__input_langs langs[2];
    char read_as[2][12]; /* language of a side that is mostly untranslated; "": as detected */
    struct dpl_skip_list skipped; /* records of the inputs that are in no collection */
} dpl__run_documents;

/* The values of a run, in the order in which its stages make them. Each is made by one stage
 * and frozen when it ends; later stages read it. */
typedef struct dpl__pair_run {
    dpl_ctx *parent; /* the caller's */
    dpl_ctx *ctx;    /* a job of it, which names the stages */
    dpl__stage stage;
    dpl__run_task task;
    dpl__mine_settings settings;
    dpl__out_folder folder;
    dpl__run_documents read;       /* read, clean */
    const dpl__unit *unit;         /* to begin with */
    dpl__comparable corpus;        /* prepare */
    dpl_collection *with_parts[2]; /* parts: of the corpus; NULL: it has words alone */
    struct dpl__gold *gold;        /* NULL: none was given */
    dpl_lexicon *given;            /* to start with; NULL: none */
    dpl_lexicon *composed;         /* of other runs, for the last rounds; NULL: none */
    /* [0]: with the unit of the run; [1]: with passages, if they were tried; [2]: from pairs
     * that runs of other languages support. */
    dpl__rounds rounds[3];
    dpl__rounds *last;          /* the result: one of these */
    const dpl_lexicon *lexicon; /* of the result; NULL: spelling */
    dpl__final_pairs final;     /* select */
    dpl__final_beads beads;     /* align */
    dpl__dropped dropped;       /* write */
    dpl__known_links *known;    /* links that were given (known_links.h); NULL: none */
    /* Figures. */
    dpl_mine_language sides[2];
    const dpl_mine_round *round_list[3 * DPL__MOST_ROUNDS];
    dpl_mine_run summary;
} dpl__pair_run;

/* What a run is about. */
typedef struct dpl__pair_run_input {
    const char *dir; /* NULL: a temporary one */
    const dpl_input *left, *right;
    const char *prefix;       /* of the names of stages, such as "de-en "; NULL: none */
    const char *lexicon_path; /* see above */
    bool has_no_files;        /* nothing but work/ is written */
    size_t langs[2];          /* see above */
    dpl_lexicon *given;       /* to start with; becomes the run's; NULL: what the options say */
    double n_implied;         /* pairs that other runs imply, about */
} dpl__pair_run_input;

/* Opens the folder. */
dpl_status dpl__pair_run_new(dpl__pair_run **out, dpl_ctx *ctx, const dpl__pair_run_input *in,
                             const dpl_mine_options *options, dpl_error *err);
void dpl__pair_run_free(dpl__pair_run *run);

/* comparable.c: the two collections, from the inputs or from an earlier run. */
dpl_status dpl__pair_run_import(dpl__pair_run *run, dpl_error *err);
/* A collection that lacks some text or documents of a side takes its place; it is the run's
 * from then on. */
dpl_status dpl__pair_run_replace(dpl__pair_run *run, int side, dpl_collection *rest,
                                 dpl_error *err);
/* The collections that were imported are removed again: the inputs are divided instead. */
void dpl__pair_run_discard(dpl__pair_run *run);
/* comparable.c: duplicates, languages, pivot. */
dpl_status dpl__pair_run_prepare(dpl__pair_run *run, dpl_error *err);
/* The figures and cosines of a round of the result, counted from the first one with documents.
 */
const dpl__histogram *dpl__pair_run_cosines(const dpl__pair_run *run, size_t round);

/* The time of the stages, up to here. */
void dpl__pair_run_end_stages(dpl__pair_run *run);

/* find_candidates.c: rounds, with the final confidence of what they found. */
dpl_status dpl__pair_run_find_candidates(dpl__pair_run *run, dpl_error *err);
/* mine.c: everything up to these. */
dpl_status dpl__pair_run_find(dpl__pair_run *run, dpl_error *err);
/* find_candidates.c: candidates once more, from those that are likely now. composed: a lexicon
 * through other languages, which becomes the run's; NULL: none. */
dpl_status dpl__pair_run_find_again(dpl__pair_run *run, dpl_lexicon *composed, double n_implied,
                                    dpl_error *err);
/* mine.c: everything that follows them. */
dpl_status dpl__pair_run_finish(dpl__pair_run *run, dpl_error *err);

#endif
