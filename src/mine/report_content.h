/*
 * story.h - what the report tells: chosen pairs, their sentences, the words that match.
 */
#ifndef DPL_MINE_REPORT_CONTENT_H
#define DPL_MINE_REPORT_CONTENT_H

#include "mine/report.h"
#include "mine/round.h"

/* Everything about a run that is finished. Borrowed. */
typedef struct dpl__run {
    const dpl__comparable *corpus;
    const char *paths[2];
    const dpl_mine_summary *summary;
    const dpl__histogram (
        *rounds)[2]; /* of each round: cosines with the best, the second best */
    const dpl__doc_candidate_vec *pairs; /* that were taken */
    const dpl__histogram *confidence;    /* of all candidates */
    const dpl_lexicon *lexicon;
} dpl__run;

/* report.html in the folder. */
dpl_status dpl__write_report(const char *dir, const dpl__run *run, dpl_error *err);

#endif
