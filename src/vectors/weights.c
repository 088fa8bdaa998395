/*
 * weights.c - BM25, tf-idf, idf.
 *
 * BM25 is that of Robertson and Sparck Jones with the one added inside the logarithm, so that a
 * term which most documents hold is worth little, but never less than nothing: cosines need
 * weights of one sign. Below one occurrence, which only projection makes, (1 + ln tf) goes on
 * as tf, which meets it with the same slope, and "occurs" is true by the share tf.
 */
#include "vectors/weights.h"

#include "base/maths.h"

#include <math.h>

double dpl__idf(dpl_weighting weighting, double n_docs, double df)
{
    if (weighting != DPL_WEIGHT_BM25)
        return dpl__log(1 + n_docs / (df > 1e-9 ? df : 1e-9));
    if (df > n_docs) /* several words of one document may stand for this one */
        df = n_docs;
    return dpl__log(1 + (n_docs - df + 0.5) / (df + 0.5));
}

static double sum_of(const dpl__part *parts, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += parts[i].value;
    return sum;
}

static void weigh(const dpl__weigher *w, dpl__part *parts, size_t n)
{
    double length = w->average > 0 ? sum_of(parts, n) / w->average : 1;
    double damp = w->k1 * (1 - w->b + w->b * length);
    for (size_t i = 0; i < n; i++) {
        double tf = parts[i].value, idf = w->idf[parts[i].term];
        switch (w->weighting) {
        case DPL_WEIGHT_BM25: parts[i].value = idf * (tf * (w->k1 + 1) / (tf + damp)); break;
        case DPL_WEIGHT_TFIDF: parts[i].value = idf * (tf < 1 ? tf : 1 + dpl__log(tf)); break;
        case DPL_WEIGHT_IDF: parts[i].value = idf * (tf < 1 ? tf : 1); break;
        }
    }
}

void dpl__weigh(const dpl__weigher *w, dpl__part *parts, size_t n)
{
    weigh(w, parts, n);
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += parts[i].value * parts[i].value;
    double norm = sqrt(squares);
    for (size_t i = 0; i < n; i++)
        parts[i].value /= norm;
}

const char *dpl_weighting_name(dpl_weighting weighting)
{
    static const char *const names[] = {"bm25", "tf-idf", "idf"};
    return (unsigned)weighting < DPL_LEN(names) ? names[weighting] : NULL;
}
