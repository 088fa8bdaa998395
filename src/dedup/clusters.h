/*
 * clusters.h - documents that pairs join, and which of them is kept. Owned.
 */
#ifndef DPL_DEDUP_CLUSTERS_H
#define DPL_DEDUP_CLUSTERS_H

#include "dedup/verify_edges.h"

typedef struct dpl__clusters {
    dpl_ctx *ctx;
    uint32_t n_docs, n_rows;
    uint32_t *root;   /* of each row: one row of its component; only_against: one row for all
                         that have or match an old document, and for any other one itself */
    uint32_t *center; /* of each document: the one that is kept of its cluster, or itself */
    float *score;     /* of each document: similarity with it, or the best of its pairs */
    uint8_t *kind;    /* of each document: a dpl_dedup_kind */
} dpl__clusters;

typedef struct dpl__cluster_rule {
    double threshold, translation; /* pairs below do not join */
    dpl_dedup_keep keep;
    const char *field;
    dpl_dedup_linkage linkage;
    bool only_against; /* a new document is removed if it matches an old one itself; there are
                          no clusters of new ones, and linkage does not matter */
} dpl__cluster_rule;

/* edges: pairs of rows, by left, then right. Zeroed memory may be cleared. */
dpl_status dpl__clusters_make(dpl__clusters *out, const dpl__dedup_docs *docs,
                              const dpl__edges *edges, const dpl__cluster_rule *rule,
                              dpl_error *err);
void dpl__clusters_clear(dpl__clusters *c);

/* Does the pair join two rows? */
static inline bool dpl__edge_joins(const dpl_dedup_edge *e, const dpl__cluster_rule *rule)
{
    return e->score >=
           (float)(e->kind == DPL_EDGE_TRANSLATION ? rule->translation : rule->threshold);
}

/* The raw JSON value of a field of the document, or an empty text. */
dpl_str dpl__doc_field(dpl_ctx *ctx, const dpl_doc *doc, const char *name);

#endif
