/*
 * judgements.h - lines that say whether two documents are translations: what people found out,
 * for `gold` of dpl_mine_options and for the server that collects them.
 *
 *     left id <TAB> right id [<TAB> judgement [<TAB> left language <TAB> right language]]
 *
 * A judgement is `accept`, `reject` or `open`, which takes an earlier one back. Without one, or
 * with a number in its place, the pair is accepted: lists of gold pairs and a pairs.tsv will
 * do. Of several lines about a pair the last one counts.
 */
#ifndef DPL_LANGLINKS_JUDGEMENTS_H
#define DPL_LANGLINKS_JUDGEMENTS_H

#include "base/base.h"

typedef enum dpl__verdict_of_pair {
    DPL__JUDGED_OPEN = 0,
    DPL__JUDGED_ACCEPT,
    DPL__JUDGED_REJECT
} dpl__verdict_of_pair;

typedef struct dpl__judgement {
    dpl_str left_id, right_id;     /* of the line */
    dpl_str left_lang, right_lang; /* empty: not said */
    dpl__verdict_of_pair verdict;
} dpl__judgement;

/* "open", "accept", "reject"; NULL when out of range. Static text. */
const char *dpl__verdict_of_pair_name(unsigned verdict);

/* Takes a line apart; it has no line end. Returns what is wrong with it, static text, or NULL.
 * *is_empty: the line says nothing, or is a header, "left_id right_id ...". */
const char *dpl__judgement_parse(dpl__judgement *out, bool *is_empty, dpl_str line);

#endif
