/*
 * weight_bm25.c - BM25 (Robertson and Sparck Jones; Robertson et al., TREC-3).
 *
 * idf (k1 + 1) tf / (tf + k1 (1 - b + b dl/avgdl)), idf = ln(1 + (N - df + 0.5) / (df + 0.5)).
 * The one added inside the logarithm makes a term which most documents hold worth little, but
 * never less than nothing: cosines need weights of one sign.
 */
#include "vectors/weights.h"

#include "base/decimal.h"
#include "base/maths.h"

#include <stdio.h>

static double idf_of(double n_docs, double df)
{
    assert(n_docs >= 0 && df >= 0);
    if (df > n_docs) /* several words of one document may stand for this one */
        df = n_docs;
    return dpl__log(1 + (n_docs - df + 0.5) / (df + 0.5));
}

static void weigh(const dpl__weigher *w, dpl__part *parts, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += parts[i].value;
    double length = w->average > 0 ? sum / w->average : 1;
    double damp = w->k1 * (1 - w->b + w->b * length);
    for (size_t i = 0; i < n; i++) {
        double tf = parts[i].value, idf = w->idf[parts[i].term];
        assert(tf > 0);
        parts[i].value = idf * (tf * (w->k1 + 1) / (tf + damp));
    }
}

static void describe(char *out, size_t n, const dpl_vectors_options *o)
{
    char k1[32], b[32];
    snprintf(out, n, " k1=%s b=%s", dpl__decimal(k1, o->k1), dpl__decimal(b, o->b));
}

const dpl__weighting_ops dpl__weighting_bm25 = {
    .name = "bm25", .idf = idf_of, .weigh = weigh, .describe = describe};
