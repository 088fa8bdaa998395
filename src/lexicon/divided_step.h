/*
 * divided_step.h - iterations of a training that processes share (io/shared_run.h).
 *
 * Rows are divided into as many parts as there are processes; each counts the rows of one. What
 * goes round next has to be little, for any number of processes, and most links occur in few
 * rows. Of Model 1, every link has a count: left classes are divided, too, with the links of
 * their words. Each process takes some: it finds their expected counts, tells the others what
 * they are for each right word, and makes their probabilities, of which who counts a part of
 * the rows reads those that its cells have. Of the hidden Markov model, few links have a count:
 * all processes get all of these, and find the probabilities of the links of their rows.
 *
 * The files of an iteration replace those of the one before. A process that comes late, or for
 * which others were too fast, goes on with the last ones that are complete.
 */
#ifndef DPL_LEXICON_DIVIDED_STEP_H
#define DPL_LEXICON_DIVIDED_STEP_H

#include "lexicon/train_model.h"

dpl_status dpl__divided_new(dpl__divided **out, dpl__trainer *t, dpl_error *err);
void dpl__divided_free(dpl__divided *d);

/* To the last iteration that is complete: t->n_left and the model are as behind it, or, where
 * counts are there but no probabilities, before it. false: there is none. */
bool dpl__divided_resume(dpl__divided *d);
/* Behind init_links: they have the probabilities of the beginning. */
void dpl__divided_restart(dpl__divided *d);
/* Whether a function below failed because other processes are further, or because of a part of
 * the rows that this process did not count before. */
bool dpl__divided_is_behind(dpl_status status, const dpl_error *err);

/* The key of a chunk of this iteration. */
uint64_t dpl__divided_key(const dpl__divided *d);
/* Links of the cells of a part of the rows, which t->link_ids holds, have their probabilities.
 * out: these links, n; borrowed. */
dpl_status dpl__divided_links(const uint32_t **out, size_t *n, dpl__divided *d, size_t part,
                              dpl_error *err);

/* Model 1, when rows are counted: links have their new probabilities, where they are needed. */
typedef struct dpl__divided_step {
    void *user;
    /* Expected counts of the links of a part become t->tallies[link].p. Called once for each
     * part that this process makes. */
    dpl_status (*tally)(void *user, dpl__class_range part, dpl_error *err);
    const char *counts; /* the name of the chunks of counted rows */
} dpl__divided_step;
dpl_status dpl__divided_maximize(dpl__divided *d, const dpl__divided_step *step,
                                 dpl_error *err);

/* The hidden Markov model: tallies are zero, before rows are counted; one more link has a
 * count; when rows are counted. */
dpl_status dpl__divided_begin_counts(dpl__divided *d, dpl_error *err);
void dpl__divided_note_count(dpl__divided *d, uint64_t link);
dpl_status dpl__divided_end_counts(dpl__divided *d, dpl_error *err);

#endif
