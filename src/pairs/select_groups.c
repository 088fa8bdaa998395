/*
 * select_groups.c - which pairs of documents of several groups stay.
 *
 * The paper keeps a pair when each document is among the n best of the other. Where a language
 * has near-duplicates this drops valid pairs: d's best may be a near-duplicate of its own
 * translation, whose best is a near-duplicate of d. NEAR keeps pairs whose score is nearly that
 * of the best of both documents, and then takes the best first, each document n times at the
 * most for each other group. Without near-duplicates the second best is far behind the best,
 * and both rules give the same pairs.
 *
 * Pairs wait in a spool while the best scores of each document become known. Those that may
 * stay are sorted by score, and those that do by document, both within memory by runs in a
 * temporary file.
 */
#include "pairs/select_groups.h"

#include "base/ctx.h"
#include "io/temporary.h"

enum { BLOCK = 512, KEY = 12 };

static float *best_of(const dpl__group_selector *x, uint32_t doc, uint32_t group)
{
    return x->best + ((size_t)doc * x->rule.groups->n_groups + group) * x->rule.n_best;
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

static float nth_best(const dpl__group_selector *x, uint32_t doc, uint32_t other)
{
    return best_of(x, doc, x->rule.groups->group_of[other])[x->rule.n_best - 1];
}

static bool is_kept(const dpl__group_selector *x, const dpl_pair *p)
{
    if (x->rule.symmetry == DPL_NGRAM_ALL)
        return true;
    double left = (double)nth_best(x, p->left, p->right);
    double right = (double)nth_best(x, p->right, p->left), score = (double)p->score;
    switch (x->rule.symmetry) {
    case DPL_NGRAM_PLAIN: return score >= left && score >= right;
    case DPL_NGRAM_ONE: return score >= left || score >= right;
    default: return score >= x->rule.near_ratio * left && score >= x->rule.near_ratio * right;
    }
}

/* ---- adding ----------------------------------------------------------------------------- */

dpl_status dpl__group_selector_init(dpl__group_selector *x, dpl__spill *spill,
                                    const dpl__group_rule *rule, size_t share, dpl_error *err)
{
    const dpl__ngram_groups *groups = rule->groups;
    *x =
        (dpl__group_selector){.ctx = spill->ctx, .spill = spill, .rule = *rule, .share = share};
    dpl__spool_init(&x->pairs, spill, share);
    if (rule->symmetry == DPL_NGRAM_ALL)
        return DPL_OK;
    const double n_all = (double)groups->n_docs * groups->n_groups * rule->n_best;
    if (n_all * (double)sizeof *x->best > (double)dpl_ctx_memory(x->ctx)) {
        dpl__fail(err, DPL_E_LIMIT,
                  "the best scores of %u documents in %u groups do not fit into memory",
                  groups->n_docs, groups->n_groups);
        return dpl__code(err, DPL_E_LIMIT, "memory");
    }
    x->n_all = (size_t)n_all;
    x->best = x->n_all ? dpl__calloc(x->ctx, x->n_all, sizeof *x->best) : NULL;
    return x->best || !x->n_all ? DPL_OK : dpl__fail_nomem(err);
}

void dpl__group_selector_clear(dpl__group_selector *x)
{
    if (!x->ctx)
        return;
    dpl__spool_clear(&x->pairs);
    if (x->best)
        dpl__free(x->ctx, x->best, x->n_all * sizeof *x->best);
    *x = (dpl__group_selector){0};
}

dpl_status dpl__group_selector_add(dpl__group_selector *x, const dpl_pair *pairs, size_t n,
                                   dpl_error *err)
{
    for (size_t i = 0; x->best && i < n; i++) {
        const dpl_pair *p = &pairs[i];
        offer(best_of(x, p->left, x->rule.groups->group_of[p->right]), x->rule.n_best,
              p->score);
        offer(best_of(x, p->right, x->rule.groups->group_of[p->left]), x->rule.n_best,
              p->score);
    }
    return n ? dpl__spool_append(&x->pairs, pairs, n * sizeof *pairs, err) : DPL_OK;
}

/* ---- sorting ---------------------------------------------------------------------------- */

static void put32(char *to, uint32_t x)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (char)(x >> (24 - 8 * i));
}

/* Falling with the score, which is positive: the bits of such numbers are in their order. */
static uint32_t score_key(float score)
{
    uint32_t bits;
    memcpy(&bits, &score, sizeof bits);
    return ~bits;
}

/* Best first and then by documents, or by left document first. */
static dpl_status add_sorted(dpl__sorter *sorter, const dpl_pair *p, bool best_first,
                             dpl_error *err)
{
    char key[KEY];
    put32(key + (best_first ? 0 : 4), score_key(p->score));
    put32(key + (best_first ? 4 : 0), p->left);
    put32(key + 8, p->right);
    return dpl__sorter_add(sorter, (dpl_str){key, KEY}, (dpl_str){(const char *)p, sizeof *p},
                           err);
}

static dpl_status next_sorted(dpl__sorter *sorter, dpl_pair *p, dpl_error *err)
{
    dpl_str key, value;
    DPL_TRY(dpl__sorter_next(sorter, &key, &value, err));
    memcpy(p, value.data, sizeof *p);
    return DPL_OK;
}

static dpl_status filter(dpl__group_selector *x, dpl__sorter *out, bool best_first,
                         dpl_error *err)
{
    dpl_pair block[BLOCK];
    uint64_t n = dpl__spool_size(&x->pairs) / sizeof *block;
    for (uint64_t at = 0; at < n;) {
        size_t some = (size_t)dpl__min(n - at, BLOCK);
        DPL_TRY(
            dpl__spool_read(&x->pairs, at * sizeof *block, block, some * sizeof *block, err));
        for (size_t i = 0; i < some; i++)
            if (is_kept(x, &block[i]))
                DPL_TRY(add_sorted(out, &block[i], best_first, err));
        at += some;
    }
    dpl__spool_clear(&x->pairs);
    return dpl__sorter_sort(out, err);
}

/* Takes the best first; the places of the scores count what was taken. */
static dpl_status take_best(dpl__group_selector *x, dpl__sorter *in, dpl__sorter *out,
                            dpl_error *err)
{
    if (x->best)
        memset(x->best, 0, x->n_all * sizeof *x->best);
    dpl_pair p;
    dpl_status status;
    unsigned last = x->rule.n_best - 1;
    while ((status = next_sorted(in, &p, err)) == DPL_OK) {
        float *left = best_of(x, p.left, x->rule.groups->group_of[p.right]);
        float *right = best_of(x, p.right, x->rule.groups->group_of[p.left]);
        if (left[last] > 0 || right[last] > 0)
            continue;
        offer(left, x->rule.n_best, p.score);
        offer(right, x->rule.n_best, p.score);
        DPL_TRY(add_sorted(out, &p, false, err));
    }
    return status == DPL_END ? dpl__sorter_sort(out, err) : status;
}

dpl_status dpl__group_selector_end(dpl__group_selector *x, dpl__spool *out, dpl_error *err)
{
    dpl__sorter *best = NULL, *chosen = NULL;
    dpl_pair p;
    bool is_near = x->rule.symmetry == DPL_NGRAM_NEAR;
    dpl_status status = dpl__sorter_new(&chosen, x->spill, x->share, err);
    if (status != DPL_OK)
        goto done;
    if (is_near) {
        status = dpl__sorter_new(&best, x->spill, x->share, err);
        if (status != DPL_OK)
            goto done;
    }
    status = filter(x, is_near ? best : chosen, is_near, err);
    if (status != DPL_OK)
        goto done;
    if (is_near) {
        status = take_best(x, best, chosen, err);
        if (status != DPL_OK)
            goto done;
        dpl__sorter_free(best);
        best = NULL;
    }
    while ((status = next_sorted(chosen, &p, err)) == DPL_OK) {
        status = dpl__spool_append(out, &p, sizeof p, err);
        if (status != DPL_OK)
            break;
    }
done:
    dpl__sorter_free(best);
    dpl__sorter_free(chosen);
    return status == DPL_END ? DPL_OK : status;
}
