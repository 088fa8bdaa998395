/*
 * name_pairs.h - documents that share names: the first pairs where spelling finds none.
 */
#ifndef DPL_MINE_NAME_PAIRS_H
#define DPL_MINE_NAME_PAIRS_H

#include "mine/names.h"

/* Two documents, each of which shares more names with the other than with any third; by the
 * share of their names that both have. */
typedef struct dpl__name_pair {
    dpl_doc_pair docs;
    float score;  /* shared weight of names divided by the mean of both documents, up to 1 */
    uint64_t key; /* doc_key.h: ties do not go by the order of documents */
} dpl__name_pair;

typedef DPL_VEC(dpl__name_pair) dpl__name_pairs;

/* Best first. Names count by their rarity and by how likely their link is right; at least
 * name_shared of them, and more than the second best document has by name_lead. */
dpl_status dpl__name_pairs_find(dpl__name_pairs *out, const dpl__comparable *corpus,
                                const dpl__names *names, dpl_error *err);

#endif
