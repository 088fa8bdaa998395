/*
 * missed_docs.c - shares of documents that were found, by length; the curve that fits them.
 *
 * Documents by length, in BINS parts. The found share of a part is rho / (1 + exp((middle -
 * log length) / scale)), and of all rho that fit nearly as well as the best one the lowest is
 * taken: where long documents are not found more often than short ones, nothing was missed. The
 * best rho itself counts slow rises that are chance: with it the estimated recall was 0.12 to
 * 0.18 too low where three quarters of the documents had been kept. The leads of the pairs
 * were tried, too, for documents that are wholly translated as well: what fits to
 * 200 to 700 of them say changes several times over with the lead they begin at. Counts are
 * whole numbers, so that the order of documents does not matter. Cost: a sort by length, and
 * the grid.
 */
#include "mine/missed_docs.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "mine/copies.h"
#include "mine/mine_params.h"

#include <math.h>
#include <stdlib.h>

enum {
    BINS = 20,
    SHARES = 50, /* steps of rho, middle and scale */
    MIDDLES = 40,
    SCALES = 12
};

#define UNIT 1048576.0 /* of a confidence, as a whole number */

typedef struct lengths {
    double length[BINS]; /* logarithm of the mean */
    double n[BINS], found[BINS];
    double all, all_found;
} lengths;

static int by_length(const void *a, const void *b)
{
    const dpl__doc_found *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

static void fill_bins(lengths *out, const dpl__doc_found *docs, size_t n)
{
    *out = (lengths){.all = (double)n};
    for (size_t bin = 0; bin < BINS; bin++) {
        uint64_t words = 0, found = 0;
        size_t begin = n * bin / BINS, end = n * (bin + 1) / BINS;
        for (size_t i = begin; i < end; i++) {
            words += docs[i].length;
            found += (uint64_t)(docs[i].confidence * UNIT);
        }
        out->n[bin] = (double)(end - begin);
        out->found[bin] = (double)found / UNIT;
        out->length[bin] = dpl__log1p((double)words / out->n[bin]);
        out->all_found += out->found[bin];
    }
}

/* The lowest share that has a counterpart is what was found, the highest all. */
static double share_at(const lengths *l, int step)
{
    double found = l->all_found / l->all;
    return found + (1 - found) * step / SHARES;
}

/* Logarithm of the likelihood of what was found. */
static double fit_of(const lengths *l, double share, const double rise[BINS])
{
    double sum = 0;
    for (int bin = 0; bin < BINS; bin++) {
        double p = fmin(fmax(share * rise[bin], 1e-4), 1 - 1e-4);
        sum += l->found[bin] * dpl__log(p) + (l->n[bin] - l->found[bin]) * dpl__log(1 - p);
    }
    return sum;
}

double dpl__missed_of_side(dpl__doc_found *docs, size_t n)
{
    lengths l;
    double fit[SHARES + 1], best = -INFINITY;
    if (n < DPL__P(mine, missed_pairs))
        return 0;
    qsort(docs, n, sizeof *docs, by_length);
    fill_bins(&l, docs, n);
    if (l.all_found < DPL__P(mine, missed_pairs))
        return 0;
    double range = l.length[BINS - 1] - l.length[0], first = l.length[0] - range / 2;
    for (int step = 0; step <= SHARES; step++)
        fit[step] = -INFINITY;
    for (int i = 0; i <= MIDDLES; i++) {
        double middle = first + 1.2 * range * i / MIDDLES, scale = 0.1;
        for (int k = 0; k < SCALES; k++, scale *= 1.4) {
            double rise[BINS];
            for (int bin = 0; bin < BINS; bin++)
                rise[bin] = 1 / (1 + dpl__exp((middle - l.length[bin]) / scale));
            for (int step = 0; step <= SHARES; step++)
                fit[step] = fmax(fit[step], fit_of(&l, share_at(&l, step), rise));
        }
    }
    for (int step = 0; step <= SHARES; step++)
        best = fmax(best, fit[step]);
    int lowest = 0;
    while (fit[lowest] < best - DPL__P(mine, missed_fit))
        lowest++;
    return fmax(share_at(&l, lowest) * l.all - l.all_found, 0);
}

static dpl_status estimate_side(double *out, const dpl__comparable *p, int side,
                                const dpl__doc_candidates *found, dpl_error *err)
{
    const dpl_collection *c = p->c[side];
    const uint32_t *groups = p->groups[side];
    uint32_t n_docs = dpl_collection_get_sizes(c)->n_docs;
    size_t room = (size_t)n_docs + 1, n = 0;
    dpl__doc_found *docs = dpl__calloc(p->ctx, room, sizeof *docs);
    if (!docs)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < found->pairs.n; i++) {
        const dpl__doc_candidate *pair = &found->pairs.data[i];
        docs[side ? pair->docs.right : pair->docs.left].confidence = pair->confidence;
    }
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        size_t n_tokens;
        dpl_collection_tokens(c, doc, &n_tokens);
        if ((p->skip[side] && p->skip[side][doc]) || (groups && groups[doc] != DPL__NO_DOC))
            continue;
        docs[n++] = (dpl__doc_found){n_tokens, p->keys[side][doc], docs[doc].confidence};
    }
    *out = dpl__missed_of_side(docs, n);
    dpl__free(p->ctx, docs, room * sizeof *docs);
    return DPL_OK;
}

dpl_status dpl__missed_docs_estimate(double *out, const dpl__comparable *corpus,
                                     const dpl__doc_candidates *found, dpl_error *err)
{
    double missed[2];
    for (int side = 0; side < 2; side++)
        DPL_TRY(estimate_side(&missed[side], corpus, side, found, err));
    *out = (missed[0] + missed[1]) / 2;
    return DPL_OK;
}
