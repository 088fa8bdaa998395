/*
 * mine_links.h - missing and suspicious links of a mine run that knew links: lines of two
 * lists, with their judgements.
 *
 * A missing link is a pair of the run, and has the judgement of that pair. A suspicious one is
 * none, and has its own. A link is taken apart when it is asked for: 40 bytes each are kept.
 */
#ifndef DPL_SERVE_MINE_LINKS_H
#define DPL_SERVE_MINE_LINKS_H

#include "serve/mine_folder.h"

/* The columns of a line, whichever list it is of; what it does not have is empty. */
typedef struct dpl__link_line {
    dpl_str ids[2], titles[2];
    dpl_str better_ids[2], better_titles[2]; /* [0]: right page that looks better for the left
                                                one; [1]: the other way round */
    dpl_str words[3];                        /* shared words of the link, and of [0] and [1] */
    /* Confidence of a missing link; of a suspicious link, [1] and [2] are those of the better
     * pairs. */
    double confidence[3];
    double share[3][2]; /* of the words of each page that are in aligned sentences */
    bool has_figures[3];
    double cosine; /* of a suspicious link */
} dpl__link_line;

dpl__link_line dpl__link_line_of(const dpl__served_link *link);

/* Reads the lists of all runs, after their pairs. */
dpl_status dpl__served_links_read(dpl__mine_folder *f, dpl_error *err);
void dpl__served_links_clear(dpl__mine_folder *f);

/* Takes a judgement about documents that are no pair. NULL: forget all. */
void dpl__served_links_judge(dpl__mine_folder *f, const dpl__judgement *judgement);
/* The dpl__verdict_of_pair of a link. */
unsigned dpl__served_link_state(const dpl__mine_folder *f, uint32_t link);

#endif
