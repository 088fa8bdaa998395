/*
 * select.c - which of the scored pairs stay.
 *
 * The paper keeps a pair when each document is among the n best of the other. Where a language
 * has near-duplicates this drops valid pairs: d's best may be a near-duplicate of its own
 * translation, whose best is a near-duplicate of d. NEAR keeps pairs whose score is nearly that
 * of the best of both documents, and then takes the best first, each document n times at the
 * most for each other group. Without near-duplicates the second best is far behind the best,
 * and both rules give the same pairs.
 */
#include "base/vec.h"
#include "ngram/settings.h"

#include <stdlib.h>

typedef struct selection {
    dpl_ctx *ctx;
    const dpl__ngram_settings *s;
    const dpl_ngram_groups *groups;
    float *best;  /* n_best scores of each document and group, falling; 0: none */
    size_t n_all; /* of them */
} selection;

static float *best_of(const selection *x, uint32_t doc, uint32_t group)
{
    return x->best + ((size_t)doc * x->groups->n_groups + group) * x->s->n_best;
}

static void offer(float *best, unsigned n, float score)
{
    if (score <= best[n - 1])
        return;
    unsigned i = n - 1;
    for (; i > 0 && best[i - 1] < score; i--)
        best[i] = best[i - 1];
    best[i] = score;
}

static float nth_best(const selection *x, uint32_t doc, uint32_t other)
{
    return best_of(x, doc, x->groups->group_of[other])[x->s->n_best - 1];
}

static bool is_kept(const selection *x, const dpl_ngram_pair *p)
{
    double left = (double)nth_best(x, p->left, p->right);
    double right = (double)nth_best(x, p->right, p->left), score = (double)p->score;
    switch (x->s->symmetry) {
    case DPL_NGRAM_PLAIN: return score >= left && score >= right;
    case DPL_NGRAM_ONE: return score >= left || score >= right;
    case DPL_NGRAM_NEAR:
        return score >= x->s->near_ratio * left && score >= x->s->near_ratio * right;
    default: return true;
    }
}

/* Best first; among equal scores by the documents. */
static int by_score(const void *a, const void *b)
{
    const dpl_ngram_pair *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    return x->right < y->right ? -1 : x->right > y->right;
}

static int by_left(const void *a, const void *b)
{
    const dpl_ngram_pair *x = a, *y = b;
    return x->left != y->left ? (x->left < y->left ? -1 : 1) : by_score(a, b);
}

/* Takes the best first; the places of the scores count what was taken. */
static size_t take_best(selection *x, dpl_ngram_pair *pairs, size_t n)
{
    if (x->n_all)
        memset(x->best, 0, x->n_all * sizeof *x->best);
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        dpl_ngram_pair p = pairs[i];
        unsigned last = x->s->n_best - 1;
        float *left = best_of(x, p.left, x->groups->group_of[p.right]);
        float *right = best_of(x, p.right, x->groups->group_of[p.left]);
        if (left[last] > 0 || right[last] > 0)
            continue;
        offer(left, x->s->n_best, p.score);
        offer(right, x->s->n_best, p.score);
        pairs[n_kept++] = p;
    }
    return n_kept;
}

static dpl_status check(const dpl_ngram_pair *pairs, size_t n, const dpl_ngram_groups *groups,
                        dpl_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (pairs[i].left >= pairs[i].right || pairs[i].right >= groups->n_docs)
            return dpl__fail(err, DPL_E_USAGE, "pair %zu is not of two documents, left first",
                             i);
    return DPL_OK;
}

static dpl_status begin(selection *x, dpl_error *err)
{
    x->n_all = (size_t)x->groups->n_docs * x->groups->n_groups * x->s->n_best;
    if (x->n_all * sizeof *x->best > dpl_ctx_memory(x->ctx)) {
        dpl__fail(err, DPL_E_LIMIT,
                  "the best scores of %u documents in %u groups do not fit "
                  "into memory",
                  x->groups->n_docs, x->groups->n_groups);
        return dpl__code(err, DPL_E_LIMIT, "memory");
    }
    x->best = x->n_all ? dpl__calloc(x->ctx, x->n_all, sizeof *x->best) : NULL;
    return x->best || !x->n_all ? DPL_OK : dpl__fail_nomem(err);
}

dpl_status dpl__ngram_select(dpl_ngram_pair_array *a, dpl_ctx *ctx,
                             const dpl_ngram_groups *groups, const dpl__ngram_settings *s,
                             dpl_error *err)
{
    selection x = {.ctx = ctx, .s = s, .groups = groups};
    dpl_ngram_pair *pairs = a->pairs;
    size_t n = a->n;
    if (s->symmetry != DPL_NGRAM_ALL) {
        DPL_TRY(begin(&x, err));
        for (size_t i = 0; i < n; i++) {
            const dpl_ngram_pair *p = &pairs[i];
            offer(best_of(&x, p->left, groups->group_of[p->right]), s->n_best, p->score);
            offer(best_of(&x, p->right, groups->group_of[p->left]), s->n_best, p->score);
        }
        size_t n_kept = 0;
        for (size_t i = 0; i < n; i++)
            if (is_kept(&x, &pairs[i]))
                pairs[n_kept++] = pairs[i];
        n = n_kept;
    }
    if (s->symmetry == DPL_NGRAM_NEAR && n) {
        qsort(pairs, n, sizeof *pairs, by_score);
        n = take_best(&x, pairs, n);
    }
    if (n)
        qsort(pairs, n, sizeof *pairs, by_left);
    a->n = n;
    dpl__free(ctx, x.best, x.n_all * sizeof *x.best);
    return DPL_OK;
}

dpl_status dpl_ngram_select(dpl_ngram_pair_array *pairs, dpl_ctx *ctx,
                            const dpl_ngram_groups *groups, const dpl_ngram_options *options,
                            dpl_error *err)
{
    dpl__ngram_settings s;
    DPL_TRY(dpl__ngram_settle(&s, options, err));
    DPL_TRY(check(pairs->pairs, pairs->n, groups, err));
    return dpl__ngram_select(pairs, ctx, groups, &s, err);
}
