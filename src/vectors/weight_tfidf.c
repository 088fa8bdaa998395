/*
 * weight_tfidf.c - tf-idf: (1 + ln tf) ln(1 + N/df).
 *
 * Below one occurrence, which only projection makes, (1 + ln tf) goes on as tf, which meets it
 * with the same slope.
 */
#include "vectors/weights.h"

#include "base/maths.h"

static void weigh(const dpl__weigher *w, dpl__part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double tf = parts[i].value;
        parts[i].value = w->idf[parts[i].term] * (tf < 1 ? tf : 1 + dpl__log(tf));
    }
}

const dpl__weighting_ops dpl__weighting_tfidf = {
    .name = "tf-idf", .idf = dpl__plain_idf, .weigh = weigh};
