/*
 * rounds.h - search and training in turn, with one unit, until the pairs no longer change.
 *
 *     dpl__rounds_input in = {.corpus = corpus, .unit = &dpl__unit_document, ...};
 *     DPL_TRY(dpl__rounds_run(&rounds, &in, err));
 *     ...
 *     dpl__rounds_clear(&rounds, corpus);
 *
 * What comes out is a value: a run that tries passages as well has two of them, and chooses.
 */
#ifndef DPL_MINE_ROUNDS_H
#define DPL_MINE_ROUNDS_H

#include "mine/pair_beads.h"
#include "mine/unit.h"

enum { DPL__MOST_ROUNDS = DPL_MINE_MOST_ROUNDS + 1 };

/* What became of pairs that were hidden from the learning (hidden_pairs.h). */
typedef struct dpl__hidden_pairs {
    double n_hidden; /* pairs; 0: none, or not searched yet */
    double n_back;   /* of these, best matches of both sides again */
    double right;    /* sum of their confidences then */
} dpl__hidden_pairs;

/* Owned while they run, then frozen but for the final confidence. Stays where it is. Zeroed
 * memory may be cleared. */
typedef struct dpl__rounds {
    const dpl__unit *unit;
    void *state; /* of the unit */
    dpl__sample sample;
    size_t first, n; /* number of the first one in work/; how many were begun */
    dpl_mine_round figures[DPL__MOST_ROUNDS];
    dpl__histogram cosines[DPL__MOST_ROUNDS][2]; /* of each round */
    const dpl_lexicon *given;   /* to start with and to train with; NULL: none */
    dpl_lexicon *trained;       /* that of the last round; NULL: none was trained */
    const dpl_lexicon *lexicon; /* this one, or the one that was given; NULL: spelling */
    dpl__doc_candidates found;  /* by the last round */
    dpl__doc_pairs pairs;       /* of these, the ones likely enough to learn from */
    dpl__doc_pairs learnt;      /* the pairs of the round before, which it learnt from */
    dpl__hidden_pairs hidden;   /* where this was asked for */
    dpl__pair_beads *beads;     /* with the lexicon, of pairs that stages asked for */
    bool has_many;              /* few_pairs.h is not asked */
    bool is_stable;             /* the last two rounds found the same pairs */
    bool is_strict;             /* as asked for (strict_confidence.h); then: */
    bool trusts_given; /* the lexicon that was given knows much, and found more than names */
    dpl__reason why_empty; /* why there is no result; else empty */
} dpl__rounds;

typedef struct dpl__rounds_input {
    const dpl__comparable *corpus;
    const dpl__unit *unit;
    size_t first;             /* number of the first round: files of others are before it */
    const dpl_lexicon *given; /* to start with, and prior of those trained; NULL: none */
    dpl__pair_list links;     /* to start with, where no lexicon and no pairs are given */
    bool is_lexicon_only;     /* the lexicon is all that is wanted */
    bool is_strict;           /* few have a counterpart (strict_confidence.h) */
    bool is_again;            /* other languages changed the pairs of `before` */
    bool had_start;           /* strict ones: those before began with dpl__start */
    /* Whose pairs these begin with: strict ones and those again learn from them, and are one
     * round; others where spelling gives few. NULL: none. */
    const dpl__rounds *before;
    void (*tell)(void *user, const dpl__rounds *rounds); /* after each round; may be NULL */
    void *user;
} dpl__rounds_input;

dpl_status dpl__rounds_run(dpl__rounds *out, const dpl__rounds_input *in, dpl_error *err);
void dpl__rounds_clear(dpl__rounds *rounds, const dpl__comparable *corpus);

/* Whether their first pairs grew from names, spelling or shapes (start.h). */
bool dpl__rounds_had_start(const dpl__rounds *rounds);

/* Makes `beads`, without any pair, unless they are there: the pairs likely enough to learn from
 * are those of the last round. */
dpl_status dpl__rounds_open_beads(dpl__rounds *rounds, const dpl__comparable *corpus,
                                  dpl_error *err);

/* What stages after the rounds take of them. */
dpl__round_input dpl__rounds_as_input(const dpl__rounds *rounds, const dpl__comparable *corpus);
/* "work/WHAT-N.dpl" of the last round. */
void dpl__rounds_file(char out[4100], const dpl__rounds *rounds, const dpl__comparable *corpus,
                      const char *what);

#endif
