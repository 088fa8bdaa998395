/*
 * weight_idf.c - binary idf: ln(1 + N/df) for what occurs at all; below one occurrence, which
 * only projection makes, that share of it.
 */
#include "vectors/weights.h"

static void weigh(const dpl__weigher *w, dpl__part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double tf = parts[i].value;
        parts[i].value = w->idf[parts[i].term] * (tf < 1 ? tf : 1);
    }
}

const dpl__weighting_ops dpl__weighting_idf = {
    .name = "idf", .idf = dpl__plain_idf, .weigh = weigh};
