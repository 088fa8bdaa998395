/*
 * weights.c - the table of term weightings, and rows of length one.
 */
#include "vectors/weights.h"

#include "base/maths.h"

#include <math.h>

/* In the order of dpl_weighting. */
static const dpl__weighting_ops *const table[] = {&dpl__weighting_bm25, &dpl__weighting_tfidf,
                                                  &dpl__weighting_idf};

const dpl__weighting_ops *dpl__weighting(dpl_weighting weighting)
{
    return (unsigned)weighting < DPL_LEN(table) ? table[weighting] : NULL;
}

const char *dpl__weighting_name(dpl_weighting weighting)
{
    const dpl__weighting_ops *ops = dpl__weighting(weighting);
    return ops ? ops->name : NULL;
}

double dpl__plain_idf(double n_docs, double df)
{
    assert(n_docs >= 0);
    return dpl__log(1 + n_docs / (df > 1e-9 ? df : 1e-9));
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
