/*
 * doc_labels.c - whether numbers before documents are labels, and of different editions.
 *
 * Counterparts of verses have lengths that correlate by 0.8, other verses by 0. Where equal
 * numbers are on documents whose lengths do not correlate, they are no sign of counterparts.
 * Cost: a look at the beginning of each document; where all have numbers, a sort of them.
 */
#include "mine/doc_labels.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "base/order.h"
#include "mine/mine_params.h"
#include "sentences/line_labels.h"
#include "sentences/sentences_params.h"
#include "unicode/unicode.h"

#include <math.h>

/* A document with a number. */
typedef struct labelled {
    uint64_t number;
    double length; /* its logarithm, in bytes without the label */
} labelled;

typedef DPL_VEC(labelled) labelled_vec;

DPL__ORDER(by_number, labelled, DPL__RISING(number))

static bool is_line(dpl_str text)
{
    return text.n && !memchr(text.data, '\n', text.n);
}

static dpl_status list_labels(labelled_vec *out, dpl_ctx *ctx, const dpl_collection *c,
                              dpl_error *err)
{
    for (uint32_t i = 0; i < dpl_collection_get_sizes(c)->n_docs; i++) {
        const dpl_str text = dpl__trim(dpl_collection_doc(c, i).text);
        const dpl__line_label label = dpl__line_label_of(text);
        if (label.n_bytes && label.n_bytes < text.n && is_line(text)) {
            const labelled one = {label.number, dpl__log((double)(text.n - label.n_bytes))};
            DPL_TRY(dpl__need(dpl__vec_push(ctx, out, one), err));
        }
    }
    dpl__vec_sort(out, by_number);
    return DPL_OK;
}

/* Whether nearly all documents have one that no other has; repeated ones are left out. */
static bool are_labels(labelled_vec *all, uint32_t n_docs)
{
    size_t n = 0;
    for (size_t i = 0, end; i < all->n; i = end) {
        for (end = i + 1; end < all->n && all->data[end].number == all->data[i].number;)
            end++;
        if (end == i + 1)
            all->data[n++] = all->data[i];
    }
    all->n = n;
    return n_docs >= DPL__P(mine, label_docs) &&
           (double)n >= DPL__P(sentences, label_share) * n_docs;
}

/* Sums over documents with equal numbers. */
typedef struct sums {
    double n, of[2], squares[2], products;
} sums;

static void add(sums *s, double x, double y)
{
    s->n++;
    s->of[0] += x;
    s->of[1] += y;
    s->squares[0] += x * x;
    s->squares[1] += y * y;
    s->products += x * y;
}

/* By Fisher, the correlation of n pairs by chance has a deviation of about 1 / sqrt(n). */
static bool are_similar(const labelled_vec sides[2])
{
    sums s = {0};
    for (size_t i = 0, j = 0; i < sides[0].n && j < sides[1].n;) {
        const labelled *x = &sides[0].data[i], *y = &sides[1].data[j];
        if (x->number == y->number)
            add(&s, x->length, y->length);
        i += x->number <= y->number;
        j += y->number <= x->number;
    }
    if (s.n < 2)
        return false;
    const double variance = (s.squares[0] - s.of[0] * s.of[0] / s.n) *
                            (s.squares[1] - s.of[1] * s.of[1] / s.n),
                 covariance = s.products - s.of[0] * s.of[1] / s.n;
    return variance > 0 &&
           covariance / sqrt(variance) * sqrt(s.n) >= DPL__P(mine, label_deviations);
}

dpl_status dpl__have_other_labels(bool *out, dpl_ctx *ctx, const dpl_collection *const c[2],
                                  dpl_error *err)
{
    labelled_vec sides[2] = {{0}};
    dpl_status status = DPL_OK;
    *out = true;
    for (int side = 0; side < 2 && *out && status == DPL_OK; side++) {
        status = list_labels(&sides[side], ctx, c[side], err);
        *out = are_labels(&sides[side], dpl_collection_get_sizes(c[side])->n_docs);
    }
    *out = *out && !are_similar(sides);
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(ctx, &sides[side]);
    return status;
}
