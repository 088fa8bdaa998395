/*
 * weights.c - term weightings, one row of a table each, and rows of length one.
 *
 * Below one occurrence, which only projection makes, tf-idf and idf go on with that share of
 * it.
 */
#include "vectors/weights.h"

#include "base/decimal.h"
#include "base/maths.h"

#include <math.h>
#include <stdio.h>

/* ---- BM25 (Robertson and Sparck Jones; Robertson et al., TREC-3) ------------------------- */

/* ln(1 + (N - df + 0.5) / (df + 0.5)): the one added inside the logarithm makes a term which
 * most documents hold worth little, but never less than nothing: cosines need weights of one
 * sign. */
static double bm25_idf(double n_docs, double df)
{
    assert(n_docs >= 0 && df >= 0);
    if (df > n_docs) /* several words of one document may stand for this one */
        df = n_docs;
    return dpl__log(1 + (n_docs - df + 0.5) / (df + 0.5));
}

/* idf (k1 + 1) tf / (tf + k1 (1 - b + b dl/avgdl)) */
static void weigh_bm25(const dpl__weigher *w, dpl__part *parts, size_t n)
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

static void describe_bm25(char *out, size_t n, const dpl_vectors_options *o)
{
    char k1[32], b[32];
    snprintf(out, n, " k1=%s b=%s", dpl__decimal(k1, o->k1), dpl__decimal(b, o->b));
}

/* ---- tf-idf: (1 + ln tf) ln(1 + N/df); binary idf: ln(1 + N/df) --------------------- */

static double plain_idf(double n_docs, double df)
{
    assert(n_docs >= 0);
    return dpl__log(1 + n_docs / (df > 1e-9 ? df : 1e-9));
}

static void weigh_tfidf(const dpl__weigher *w, dpl__part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double tf = parts[i].value;
        parts[i].value = w->idf[parts[i].term] * (tf < 1 ? tf : 1 + dpl__log(tf));
    }
}

static void weigh_idf(const dpl__weigher *w, dpl__part *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double tf = parts[i].value;
        parts[i].value = w->idf[parts[i].term] * (tf < 1 ? tf : 1);
    }
}

/* ---- the table --------------------------------------------------------------------------- */

/* In the order of dpl_weighting. */
static const dpl__weighting_ops table[] = {
    {.name = "bm25", .idf = bm25_idf, .weigh = weigh_bm25, .describe = describe_bm25},
    {.name = "tf-idf", .idf = plain_idf, .weigh = weigh_tfidf},
    {.name = "idf", .idf = plain_idf, .weigh = weigh_idf},
};

const dpl__weighting_ops *dpl__weighting(dpl_weighting weighting)
{
    return (unsigned)weighting < DPL_LEN(table) ? &table[weighting] : NULL;
}

const char *dpl__weighting_name(dpl_weighting weighting)
{
    const dpl__weighting_ops *ops = dpl__weighting(weighting);
    return ops ? ops->name : NULL;
}

void dpl__weigh(const dpl__weigher *w, dpl__part *parts, size_t n)
{
    assert(w->ops);
    w->ops->weigh(w, parts, n);
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += parts[i].value * parts[i].value;
    double norm = sqrt(squares);
    assert(n == 0 || norm > 0); /* parts occur, so they weigh something */
    for (size_t i = 0; i < n; i++)
        parts[i].value /= norm;
}
