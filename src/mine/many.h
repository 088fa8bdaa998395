/*
 * many.h - a run over more than two languages, as its parts see it.
 */
#ifndef DPL_MINE_MANY_H
#define DPL_MINE_MANY_H

#include "doppel/mine.h"

#include "base/arena.h"
#include "mine/folder.h"
#include "mine/languages.h"

/* Owns what the summary points to. */
typedef struct dpl__many {
    dpl_mine_many_summary summary; /* the first member: what the caller gets */
    dpl_ctx *ctx;
    dpl__arena arena;
    dpl_mine_language *langs;
    dpl_mine_many_run *runs;
    uint64_t *n_groups;
} dpl__many;

/* While it runs. */
typedef struct dpl__many_work {
    dpl_ctx *ctx;
    double began;
    const char *dir;
    dpl_mine_options options;
    dpl__folder folder;
    dpl__many *many;
    dpl__census census;
    char pivot[12];              /* that is asked for; "": none */
    char source[12], target[12]; /* languages of a lexicon or dictionary; "": none, or for the
                                    only two that there are */
    const char **collections;    /* paths, of each language */
    bool *is_new;                /* imported now, not taken from an earlier run */
} dpl__many_work;

/* "dir/de-en/name"; an empty name is the folder. */
void dpl__many_path(char out[4200], const dpl__many_work *w, const dpl_mine_many_run *run,
                    const char *name);

/* groups.tsv; counts them by size, and the documents of each language in them. */
dpl_status dpl__write_groups(dpl__many_work *work, dpl_error *err);
/* The same file of all runs, one behind the other. */
dpl_status dpl__join_runs(const dpl__many_work *work, const char *name, dpl_error *err);
/* report.html and run.json. */
dpl_status dpl__write_overview(const dpl__many_work *work, dpl_error *err);

#endif
