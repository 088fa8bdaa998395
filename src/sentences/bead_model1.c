/*
 * bead_model1.c - Model 1 of sentence pairs, sparse.
 *
 * A row chains the links of its words by right word, so that a right sentence finds those that
 * matter by looking at each of its words once. Words without a counterpart cost nothing: their
 * share is the sentence's base. Products instead of sums of logarithms: one logarithm for a
 * sentence. Cost of a pair: words of the right sentence plus links, then max_side times the
 * hits for each direction.
 */
#include "sentences/bead_model1.h"

#include "base/maths.h"

#define NONE UINT32_MAX

void dpl__model1_init(dpl__model1 *h, dpl_ctx *ctx)
{
    *h = (dpl__model1){.ctx = ctx};
}

void dpl__model1_clear(dpl__model1 *h)
{
    for (size_t r = 0; r < DPL_LEN(h->rows); r++) {
        dpl__model1_row *row = &h->rows[r];
        for (int side = 0; side < 2; side++)
            dpl__vec_clear(h->ctx, &row->explained[side], &row->begin[side]);
        dpl__vec_clear(h->ctx, &row->forward, &row->backward, &row->gains);
    }
    dpl__vec_clear(h->ctx, &h->chains);
}

dpl_status dpl__model1_start(dpl__model1 *h, dpl__bow *bow, unsigned max_side, dpl_error *err)
{
    assert(max_side >= 1 && max_side <= DPL__MAX_SIDE);
    h->bow = bow;
    h->max_side = max_side;
    dpl__model1_begin(h, 0);
    const dpl__bow_side *s = bow->side;
    size_t n_right = s[DPL__RIGHT].n_words;
    uint32_t most = s[0].most > s[1].most ? s[0].most : s[1].most;
    h->heads = dpl__arena_alloc(&bow->arena, n_right * sizeof *h->heads);
    h->sums = dpl__arena_alloc(&bow->arena, s[DPL__LEFT].most * sizeof *h->sums);
    h->touched = dpl__arena_alloc(&bow->arena, ((size_t)most + 1) * sizeof *h->touched);
    h->met = dpl__arena_alloc(&bow->arena, ((size_t)most + 1) * sizeof *h->met);
    h->places = dpl__arena_alloc(&bow->arena, most * sizeof *h->places);
    h->worth = dpl__arena_alloc(&bow->arena, most * sizeof *h->worth);
    DPL_TRY(
        dpl__need(h->heads && h->sums && h->touched && h->met && h->places && h->worth, err));
    h->n_worth = 0;
    for (uint32_t k = 0; k < s[DPL__LEFT].most; k++)
        h->sums[k] = 0;
    for (uint32_t k = 0; k < most; k++)
        h->places[k] = NONE;
    if (n_right)
        memset(h->heads, 0, n_right * sizeof *h->heads);
    h->first_chain = 1;
    h->chains.n = 0;
    return DPL_OK;
}

/* ---- single pairs ------------------------------------------------------------------- */

/* Chains are numbered across rows, so that those of the row before need not be cleared. */
static void new_chains(dpl__model1 *h)
{
    if (h->first_chain > UINT32_MAX / 2) {
        memset(h->heads, 0, h->bow->side[DPL__RIGHT].n_words * sizeof *h->heads);
        h->first_chain = 1;
    }
    h->first_chain += (uint32_t)h->chains.n;
    h->chains.n = 0;
}

static dpl_status chain_links(dpl__model1 *h, uint32_t i, dpl_error *err)
{
    const dpl__bow *b = h->bow;
    const dpl__bow_side *s = &b->side[DPL__LEFT];
    new_chains(h);
    for (uint32_t at = s->begin[i]; at < s->begin[i + 1]; at++) {
        uint32_t word = s->words[at], begin = b->link_begin[word],
                 end = b->link_begin[word + 1];
        DPL_TRY(dpl__need(dpl__vec_reserve(h->ctx, &h->chains, end - begin), err));
        for (uint32_t k = begin; k < end; k++) {
            const dpl__bow_link *link = &b->links.data[k];
            h->chains.data[h->chains.n] = (struct dpl__model1_chain){
                at - s->begin[i], h->heads[link->right], s->counts[at] * link->p[DPL__LEFT],
                link->p[DPL__RIGHT]};
            h->heads[link->right] = h->first_chain + (uint32_t)h->chains.n++;
        }
    }
    return DPL_OK;
}

/* A product of factors, each at least 1. */
typedef struct product {
    double sum, factor;
} product;

static inline void multiply(product *p, double by)
{
    p->factor *= by;
    if (p->factor > 1e200) {
        p->sum += dpl__log(p->factor);
        p->factor = 1;
    }
}

/* The entries of right sentence j that have links to the row, without an unpredictable branch.
 */
static uint32_t find_linked(dpl__model1 *h, uint32_t j)
{
    const dpl__bow_side *s = &h->bow->side[DPL__RIGHT];
    uint32_t begin = s->begin[j], n = s->begin[j + 1] - begin, n_met = 0;
    for (uint32_t entry = 0; entry < n; entry++) {
        h->met[n_met] = entry;
        n_met += h->heads[s->words[begin + entry]] >= h->first_chain;
    }
    return n_met;
}

/* Explains the words of right sentence j by left sentence i, and sums the links of the left
 * words; returns the gain. */
static double explain_right(dpl__model1 *h, dpl__explained_list *out, uint32_t i, uint32_t j,
                            uint32_t *n_touched)
{
    const dpl__bow_side *s = &h->bow->side[DPL__RIGHT];
    double share = 1 / h->bow->side[DPL__LEFT].n_tokens[i];
    uint32_t n_met = find_linked(h, j);
    product gain = {0, 1};
    for (uint32_t m = 0; m < n_met; m++) {
        uint32_t entry = h->met[m], at = s->begin[j] + entry;
        float p = 0, count = s->counts[at];
        for (uint32_t k = h->heads[s->words[at]]; k >= h->first_chain;) {
            const struct dpl__model1_chain *c = &h->chains.data[k - h->first_chain];
            k = c->next;
            p += c->forward;
            if (!(c->backward > 0))
                continue;
            h->touched[*n_touched] = c->entry;
            *n_touched += h->sums[c->entry] == 0;
            h->sums[c->entry] += count * c->backward;
        }
        out->data[out->n++] = (dpl__explained){entry, p};
        multiply(&gain, 1 + (double)s->gains[at] * (double)p * share);
    }
    return gain.sum + dpl__log(gain.factor);
}

/* The other direction, from the sums. */
static double explain_left(dpl__model1 *h, dpl__explained_list *out, uint32_t i, uint32_t j,
                           uint32_t n_touched)
{
    const dpl__bow_side *s = &h->bow->side[DPL__LEFT];
    double share = 1 / h->bow->side[DPL__RIGHT].n_tokens[j];
    product gain = {0, 1};
    for (uint32_t k = 0; k < n_touched; k++) {
        uint32_t entry = h->touched[k];
        float p = h->sums[entry];
        h->sums[entry] = 0;
        out->data[out->n++] = (dpl__explained){entry, p};
        multiply(&gain, 1 + (double)s->gains[s->begin[i] + entry] * (double)p * share);
    }
    return gain.sum + dpl__log(gain.factor);
}

static void add_up(dpl__model1 *h, dpl__model1_row *row, uint32_t i, uint32_t j, double gain)
{
    const dpl__model1_row *above =
        i > h->first && h->max_side > 1 ? dpl__model1_row_at(h, i - 1) : NULL;
    double *sums = row->gains.data + (size_t)(j - row->low) * h->max_side;
    sums[0] = gain;
    if (above && j < above->high) {
        const double *before = above->gains.data + (size_t)(j - above->low) * h->max_side;
        for (unsigned k = 1; k < h->max_side; k++)
            sums[k] = gain + before[k - 1];
    } else {
        for (unsigned k = 1; k < h->max_side; k++)
            sums[k] = gain;
    }
}

static bool score_pair(dpl__model1 *h, dpl__model1_row *row, uint32_t i, uint32_t j)
{
    const dpl__bow_side *s = h->bow->side;
    uint32_t n_touched = 0;
    size_t at = j - row->low;
    if (!dpl__vec_reserve(h->ctx, &row->explained[1], s[1].begin[j + 1] - s[1].begin[j]) ||
        !dpl__vec_reserve(h->ctx, &row->explained[0], s[0].begin[i + 1] - s[0].begin[i]))
        return false;
    double right = explain_right(h, &row->explained[DPL__RIGHT], i, j, &n_touched);
    double left = n_touched ? explain_left(h, &row->explained[DPL__LEFT], i, j, n_touched) : 0;
    row->forward.data[at * h->max_side] = s[DPL__RIGHT].base[j] + right;
    row->backward.data[at * h->max_side] = s[DPL__LEFT].base[i] + left;
    add_up(h, row, i, j, left + right);
    for (int side = 0; side < 2; side++)
        row->begin[side].data[at + 1] = (uint32_t)row->explained[side].n;
    return true;
}

/* ---- runs of sentences -------------------------------------------------------------- */

/* Adds explained words to the gain of each word of the bag so far. */
static void add_explained(dpl__model1 *h, const float *gains, const dpl__explained *words,
                          uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t entry = words[k].entry, at = h->places[entry];
        double worth = (double)gains[entry] * (double)words[k].p;
        if (at == NONE) {
            at = h->places[entry] = h->n_worth++;
            h->touched[at] = entry;
            h->worth[at] = 0;
        }
        h->worth[at] += worth;
    }
}

/* The sum of log(1 + worth * share); clears the gains. */
static double take_gain(dpl__model1 *h, double share)
{
    enum { MOST = 24 }; /* factors without overflow: each is below 10^12 */
    double sum = 0;
    for (uint32_t k = 0; k < h->n_worth;) {
        uint32_t end = h->n_worth - k < MOST ? h->n_worth : k + MOST;
        double a = 1, b = 1, c = 1, d = 1;
        for (; k + 4 <= end; k += 4) {
            a *= 1 + h->worth[k] * share;
            b *= 1 + h->worth[k + 1] * share;
            c *= 1 + h->worth[k + 2] * share;
            d *= 1 + h->worth[k + 3] * share;
        }
        for (; k < end; k++)
            a *= 1 + h->worth[k] * share;
        sum += dpl__log(a * b * (c * d));
    }
    for (uint32_t k = 0; k < h->n_worth; k++)
        h->places[h->touched[k]] = NONE;
    h->n_worth = 0;
    return sum;
}

double dpl__model1_right(dpl__model1 *h, uint32_t i, unsigned k, uint32_t j)
{
    const dpl__bow_side *left = &h->bow->side[DPL__LEFT], *right = &h->bow->side[DPL__RIGHT];
    double n_tokens = 0;
    for (unsigned n = 0; n < k; n++) {
        const dpl__model1_row *row = dpl__model1_row_at(h, i - n);
        const uint32_t *begin = row->begin[DPL__RIGHT].data + (j - row->low);
        if (begin[1] > begin[0])
            add_explained(h, right->gains + right->begin[j],
                          row->explained[DPL__RIGHT].data + begin[0], begin[1] - begin[0]);
        n_tokens += left->n_tokens[i - n];
    }
    return right->base[j] + take_gain(h, 1 / n_tokens);
}

double dpl__model1_left(dpl__model1 *h, uint32_t i, uint32_t j, unsigned l)
{
    const dpl__bow_side *left = &h->bow->side[DPL__LEFT], *right = &h->bow->side[DPL__RIGHT];
    const dpl__model1_row *row = dpl__model1_row_at(h, i);
    double n_tokens = 0;
    for (unsigned n = 0; n < l; n++) {
        const uint32_t *begin = row->begin[DPL__LEFT].data + (j - n - row->low);
        if (begin[1] > begin[0])
            add_explained(h, left->gains + left->begin[i],
                          row->explained[DPL__LEFT].data + begin[0], begin[1] - begin[0]);
        n_tokens += right->n_tokens[j - n];
    }
    return left->base[i] + take_gain(h, 1 / n_tokens);
}

dpl_status dpl__model1_next(dpl__model1 *h, uint32_t low, uint32_t high, dpl_error *err)
{
    uint32_t i = h->n_rows++;
    size_t n = high - low, n_values = n * h->max_side;
    dpl__model1_row *row = &h->rows[i % h->max_side];
    row->low = low;
    row->high = high;
    row->explained[0].n = row->explained[1].n = row->begin[0].n = row->begin[1].n = 0;
    row->forward.n = row->backward.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(h->ctx, &row->begin[0], n + 1) &&
                          dpl__vec_reserve(h->ctx, &row->begin[1], n + 1) &&
                          dpl__vec_reserve(h->ctx, &row->forward, n_values) &&
                          dpl__vec_reserve(h->ctx, &row->backward, n_values) &&
                          dpl__vec_reserve(h->ctx, &row->gains, n_values),
                      err));
    for (size_t k = 0; k < n_values; k++)
        row->forward.data[k] = row->backward.data[k] = DPL__NOT_YET;
    row->begin[0].data[0] = row->begin[1].data[0] = 0;
    DPL_TRY(chain_links(h, i, err));
    for (uint32_t j = low; j < high; j++)
        DPL_TRY(dpl__need(score_pair(h, row, i, j), err));
    return DPL_OK;
}
