/*
 * many.h - a run over more than two languages, and the result of any run, as their parts see
 * them.
 */
#ifndef DPL_MINE_MANY_H
#define DPL_MINE_MANY_H

#include "doppel/mine.h"

#include "base/arena.h"
#include "mine/pair_run.h"

/* Owns what the summary points to. */
struct dpl_mine_result {
    dpl_mine_summary summary;
    dpl_ctx *ctx;
    dpl__arena arena;
    dpl_mine_language *langs;
    dpl__pair_run **runs; /* of each language and the pivot, then of others; NULL: not yet */
    const dpl_mine_run **run_list;
    size_t n_runs;
    uint64_t *n_by_size;          /* groups by the number of their languages */
    struct dpl_skip_list skipped; /* of the collections of languages */
    uint32_t *groups;             /* n_langs documents each, DPL_MINE_NO_DOC: none */
};

/* Room for n languages and n_runs runs. */
dpl_status dpl__result_new(dpl_mine_result **out, dpl_ctx *ctx, dpl_error *err);
dpl_status dpl__result_reserve(dpl_mine_result *result, size_t n_langs, size_t n_runs,
                               dpl_error *err);
/* The documents of a language as they were read, from the runs. */
const dpl_collection *dpl__result_collection(const dpl_mine_result *result, size_t lang);

/* While it runs. */
typedef struct dpl__many_work {
    dpl_ctx *ctx;
    double began;
    const char *dir; /* as given; NULL: none */
    const dpl_input *inputs;
    size_t n_inputs;
    dpl__mine_settings settings;
    dpl__out_folder folder;
    dpl_mine_result *result;
    dpl__census census;
    char pivot[12];              /* that is asked for; "": none */
    char source[12], target[12]; /* languages of a lexicon or dictionary; "": none, or for the
                                    only two that there are */
    const char **collections;    /* paths, of each language */
    dpl_input *sources;          /* the same, as inputs */
    bool *is_new;                /* imported now, not taken from an earlier run */
} dpl__many_work;

/* "dir/de-en/name"; an empty name is the folder. */
void dpl__many_path(char out[4200], const dpl__many_work *w, const dpl_mine_run *run,
                    const char *name);

/* Whether every two of n_langs languages are mined, rather than each with the pivot. */
bool dpl__has_all_pairs(size_t n_langs);

/* Groups of documents that are paired with each other, and their counts. */
dpl_status dpl__find_groups(dpl_mine_result *result, dpl_error *err);
/* groups.tsv */
dpl_status dpl__write_groups(const dpl__many_work *work, dpl_error *err);
/* Do pairs.tsv and sentences.tsv of all runs have columns with the languages? With more than
 * two, ids do not tell them. */
bool dpl__has_lang_columns(const dpl__many_work *work);
/* pairs.tsv of all runs, one behind the other; then, of two languages that were not mined, what
 * follows from the pivot. */
dpl_status dpl__join_pairs(const dpl__many_work *work, dpl_error *err);
/* sentence_files.c: the sentence pairs of all runs in one file of each format; not moses. */
dpl_status dpl__join_sentences(const dpl__many_work *work, dpl_error *err);
/* report.html and run.json. */
dpl_status dpl__write_overview(const dpl__many_work *work, dpl_error *err);

#endif
