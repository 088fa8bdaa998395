/*
 * relatives.c - words next in byte order and parts of compounds lend their links.
 *
 * A relative that shares so much of its spelling counts for lent_weight times the square of
 * that share occurrences. The other direction, a seldom word given a counterpart of its
 * relative, is scaled by how often both occur. Cost: a few look-ups for each seldom word;
 * vocabularies above cognate_terms are left alone.
 */
#include "mine/relatives.h"

#include "base/order.h"
#include "io/sections.h"
#include "mine/mine_params.h"
#include "sentences/sentences_params.h"
#include "tokens/collection.h"

enum {
    NEAR = 4, /* words in byte order, either way, that are looked at */
    MOST = 2 * NEAR + 2
};

typedef struct relative {
    uint32_t term;
    float share; /* of the spelling */
} relative;

typedef struct lender {
    dpl_ctx *ctx;
    dpl__lent_links *out;
    dpl__word_links *links;
    const dpl_collection *c;
    const dpl__term_links *trained;
    int side;      /* of the collections */
    bool is_pivot; /* terms are left ones */
    uint32_t n;    /* terms */
    const uint32_t *order;
    uint64_t *begin; /* of each right term: its links in `numbers`; NULL: of left terms */
    uint64_t *numbers;
    uint32_t *lefts; /* of each link */
} lender;

/* ---- relatives -------------------------------------------------------------------------- */

static bool is_lender(const lender *l, uint32_t term)
{
    return l->links->trained[l->side][term] >= 1;
}

/* Length in bytes; 0: the word has digits or is too short. */
static size_t usable_length(dpl_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.data[i] >= '0' && text.data[i] <= '9')
            return 0;
    return text.n < PN(variant_letters) ? 0 : text.n;
}

static size_t find_near(relative *out, const lender *l, uint32_t at, dpl_str text)
{
    size_t n = 0;
    for (int way = -1; way < 2; way += 2)
        for (uint32_t i = 1; i <= NEAR; i++) {
            if (way < 0 ? at < i : at + i >= l->n)
                break;
            uint32_t other = l->order[way < 0 ? at - i : at + i];
            dpl_str its = dpl_collection_term(l->c, other);
            size_t common = 0, longest = dpl__max(text.n, its.n);
            while (common < text.n && common < its.n && text.data[common] == its.data[common])
                common++;
            if (common < PN(variant_letters))
                break;
            if (is_lender(l, other) && (double)common >= P(variant_share) * (double)longest)
                out[n++] = (relative){other, (float)common / (float)longest};
        }
    return n;
}

static bool find_lender(const lender *l, const char *text, size_t n, uint32_t *term)
{
    return dpl_collection_find_term(l->c, (dpl_str){text, n}, term) && is_lender(l, *term);
}

/* The longest known word at the end, behind one that covers half of the rest. */
static size_t find_parts(relative *out, const lender *l, dpl_str text)
{
    size_t least = (size_t)DPL__P(mine, part_letters);
    for (size_t at = least; at + least <= text.n; at++) {
        uint32_t tail, head;
        if (((unsigned char)text.data[at] & 0xC0) == 0x80 ||
            !find_lender(l, text.data + at, text.n - at, &tail))
            continue;
        for (size_t n = at; n >= least && 2 * n >= at; n--)
            if (find_lender(l, text.data, n, &head)) {
                float share = (float)DPL__P(mine, part_share);
                out[0] = (relative){head, share};
                out[1] = (relative){tail, share};
                return 2;
            }
    }
    return 0;
}

/* ---- lending -------------------------------------------------------------------------- */

/* Occurrences that a relative counts for. */
static float lent_count(relative from)
{
    return from.share * from.share * (float)DPL__P(mine, lent_weight);
}

static dpl_status lend_link(lender *l, uint32_t to, relative from, uint32_t left,
                            const dpl__bead_link *link, dpl_error *err)
{
    const float *unigram = l->links->unigram[l->side];
    int given = l->is_pivot ? 0 : 1;
    if (link->p[0] < PF(variant_least) && link->p[1] < PF(variant_least))
        return DPL_OK;
    dpl__lent_link lent = {left, link->right, {0, 0}, {0, 0}};
    *(l->is_pivot ? &lent.left : &lent.right) = to;
    lent.counts[given] = lent_count(from) * link->p[given];
    lent.p[!given] = (float)DPL__P(mine, lent_back) * (from.share * from.share) *
                     link->p[!given] * unigram[to] / unigram[from.term];
    return dpl__need(dpl__vec_push(l->ctx, l->out, lent), err);
}

static dpl_status lend(lender *l, uint32_t to, relative from, dpl_error *err)
{
    const dpl__term_links *t = l->trained;
    const uint64_t *begin = l->is_pivot ? t->begin : l->begin;
    l->links->weight[l->side][to] += lent_count(from);
    for (uint64_t k = begin[from.term]; k < begin[from.term + 1]; k++) {
        uint64_t number = l->is_pivot ? k : l->numbers[k];
        DPL_TRY(lend_link(l, to, from, l->is_pivot ? from.term : l->lefts[number],
                          &t->links[number], err));
    }
    return DPL_OK;
}

static dpl_status lend_all(lender *l, dpl_error *err)
{
    for (uint32_t at = 0; at < l->n; at++) {
        uint32_t term = l->order[at];
        dpl_str text = dpl_collection_term(l->c, term);
        relative found[MOST];
        if ((double)l->links->trained[l->side][term] >= DPL__P(mine, seldom) ||
            !usable_length(text))
            continue;
        size_t n = find_near(found, l, at, text);
        n += find_parts(found + n, l, text);
        for (size_t i = 0; i < n; i++)
            DPL_TRY(lend(l, term, found[i], err));
    }
    return DPL_OK;
}

/* Links of each right term. */
static dpl_status index_right(lender *l, dpl_error *err)
{
    const dpl__term_links *t = l->trained;
    l->begin = dpl__calloc(l->ctx, (size_t)l->n + 2, sizeof *l->begin);
    l->numbers = dpl__alloc(l->ctx, (t->n_links + 1) * sizeof *l->numbers);
    l->lefts = dpl__alloc(l->ctx, (t->n_links + 1) * sizeof *l->lefts);
    DPL_TRY(dpl__need(l->begin && l->numbers && l->lefts, err));
    for (uint64_t k = 0; k < t->n_links; k++)
        l->begin[t->links[k].right + 2]++;
    for (size_t i = 2; i < (size_t)l->n + 2; i++)
        l->begin[i] += l->begin[i - 1];
    for (uint32_t left = 0; left < t->n_terms[0]; left++)
        for (uint64_t k = t->begin[left]; k < t->begin[left + 1]; k++) {
            l->numbers[l->begin[t->links[k].right + 1]++] = k;
            l->lefts[k] = left;
        }
    return DPL_OK;
}

static dpl_status lend_side(lender *l, dpl_error *err)
{
    if ((double)l->n > P(cognate_terms))
        return DPL_OK;
    DPL_TRY(dpl__get_n(dpl__collection_file(l->c), "term.order", 4, &l->order, l->n, err));
    dpl_status status;
    if (!l->is_pivot)
        DPL__STEP(index_right(l, err));
    DPL__STEP(lend_all(l, err));
done:
    dpl__free(l->ctx, l->lefts, l->numbers, l->begin);
    return status;
}

/* Links of the same pair are ordered by the numbers that are added, so that sums do not depend
 * on the sort. */
DPL__ORDER(by_pair, dpl__lent_link,
           DPL__RISING(left) DPL__RISING(right) DPL__RISING(counts[0]) DPL__RISING(p[0])
               DPL__RISING(counts[1]) DPL__RISING(p[1]))

dpl_status dpl__relatives_lend(dpl__lent_links *out, dpl__word_links *links,
                               const dpl_collection *const c[2], int pivot,
                               const dpl__term_links *trained, dpl_error *err)
{
    size_t n = 0;
    for (int side = 0; side < 2; side++) {
        lender l = {.ctx = links->ctx,
                    .out = out,
                    .links = links,
                    .c = c[side],
                    .trained = trained,
                    .side = side,
                    .is_pivot = side == pivot,
                    .n = links->n_terms[side]};
        DPL_TRY(lend_side(&l, err));
    }
    dpl__vec_sort(out, by_pair);
    for (size_t i = 0; i < out->n; i++) {
        const dpl__lent_link *from = &out->data[i];
        dpl__lent_link *to = &out->data[n ? n - 1 : 0];
        if (n == 0 || to->left != from->left || to->right != from->right) {
            out->data[n++] = *from;
            continue;
        }
        for (int k = 0; k < 2; k++) {
            to->counts[k] += from->counts[k];
            to->p[k] += from->p[k];
        }
    }
    out->n = n;
    return DPL_OK;
}
