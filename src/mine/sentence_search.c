/*
 * sentence_search.c - candidates of each sentence, scored by alignment and length.
 *
 * In: vectors, a lexicon. Out: the best of each sentence of both sides, as neighbours.c takes
 * them. Score of a pair: the mean log-likelihood ratio of a word, against its unigram
 * probability, in both directions, less a penalty for their difference (one sentence that is
 * part of the other) and for lengths that do not fit. Of a pair that the lexicon was trained on
 * its own counts are taken away first (leave one out), or wrong pairs would confirm themselves.
 *
 * Cost: two searches in the first round, one in each of the others; scoring a candidate is
 * linear in its words and in the links between them. Both sides of a pair come to the same
 * score: sums go by position in both.
 */
#include "mine/sentence_search.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "mine/params.h"
#include "mine/word_links.h"
#include "par/pool.h"
#include "vectors/vectors.h"

#include <math.h>

enum {
    CANDIDATES = 24, /* nearest by lexicon */
    SPELLED = 12,    /* nearest by spelling */
    MOST = CANDIDATES + SPELLED,
    BLOCK = 64 /* rows that a thread takes */
};

#define NONE UINT32_MAX

/* ---- what stays ------------------------------------------------------------------------- */

static size_t count_letters(dpl_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += ((unsigned char)text.data[i] & 0xC0) != 0x80;
    return n;
}

/* Languages differ in length: logarithms are taken from the mean of their side, which is summed
 * up in whole numbers: the order of documents does not matter. */
static void measure_lengths(dpl__sentence_search *s, const dpl_collection *c, int side)
{
    const double unit = 1048576;
    int64_t sum = 0;
    for (uint32_t doc = 0; doc < s->n_docs[side]; doc++) {
        double n = (double)count_letters(dpl_collection_doc(c, doc).text);
        s->length[side][doc] = (float)dpl__log(n + DPL__P(mine, length_offset));
        sum += (int64_t)((double)s->length[side][doc] * unit);
    }
    float mean = (float)((double)sum / unit / (double)s->n_docs[side]);
    for (uint32_t doc = 0; doc < s->n_docs[side]; doc++)
        s->length[side][doc] -= mean;
}

static dpl_status start_side(dpl__sentence_search *s, const dpl_collection *c, int side,
                             dpl_error *err)
{
    size_t n = s->n_docs[side] = dpl_collection_get_sizes(c)->n_docs;
    s->length[side] = dpl__alloc(s->ctx, (n + 1) * sizeof *s->length[side]);
    s->trained[side] = dpl__alloc(s->ctx, (n + 1) * sizeof *s->trained[side]);
    if (!s->length[side] || !s->trained[side])
        return dpl__fail_nomem(err);
    measure_lengths(s, c, side);
    for (size_t doc = 0; doc < n; doc++)
        s->trained[side][doc] = NONE;
    return DPL_OK;
}

dpl_status dpl__sentence_search_new(dpl__sentence_search **out, const dpl__comparable *p,
                                    const dpl_lexicon *given, dpl_error *err)
{
    dpl__sentence_search *s = *out = dpl__calloc(p->ctx, 1, sizeof *s);
    if (!s)
        return dpl__fail_nomem(err);
    s->ctx = p->ctx;
    dpl_status status = DPL_OK;
    for (int side = 0; side < 2 && status == DPL_OK; side++)
        status = start_side(s, p->c[side], side, err);
    if (status == DPL_OK)
        status = dpl__term_links_make(&s->prior, p->ctx, p->c[p->pivot], p->c[!p->pivot], given,
                                      err);
    if (status != DPL_OK) {
        dpl__sentence_search_free(s);
        *out = NULL;
    }
    return status;
}

static void free_spelled(dpl__sentence_search *s)
{
    for (int side = 0; side < 2; side++) {
        dpl__free(s->ctx, s->spelled[side],
                  s->spelled[side]
                      ? (size_t)s->n_docs[side] * SPELLED * sizeof *s->spelled[side]
                      : 0);
        s->spelled[side] = NULL;
    }
}

void dpl__sentence_search_free(dpl__sentence_search *s)
{
    if (!s)
        return;
    free_spelled(s);
    for (int side = 0; side < 2; side++) {
        size_t n = (size_t)s->n_docs[side] + 1;
        dpl__free(s->ctx, s->length[side], n * sizeof *s->length[side]);
        dpl__free(s->ctx, s->trained[side], n * sizeof *s->trained[side]);
    }
    dpl__term_links_clear(&s->prior);
    dpl__free(s->ctx, s, sizeof *s);
}

void dpl__sentence_search_note_trained(dpl__sentence_search *s, const dpl_doc_pair *pairs,
                                       size_t n_pairs)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t doc = 0; doc < s->n_docs[side]; doc++)
            s->trained[side][doc] = NONE;
    for (size_t i = 0; i < n_pairs; i++) {
        s->trained[0][pairs[i].left] = pairs[i].right;
        s->trained[1][pairs[i].right] = pairs[i].left;
    }
}

/* ---- candidates ---------------------------------------------------------------------------
 */

static dpl_status find(dpl_neighbours **out, const dpl__comparable *p, dpl_vectors *const v[2],
                       unsigned k, const dpl_pairs_options *options, dpl_error *err)
{
    dpl_pairs_side left = {.vectors = v[0]}, right = {.vectors = v[1]};
    dpl_neighbours_options o =
        DPL_INIT(dpl_neighbours_options, .method = options->method, .k = k,
                 .threshold = options->threshold, .search = options, .spill_dir = p->work);
    return dpl_neighbours_find(out, p->ctx, &left, &right, &o, err);
}

static const dpl_scored_row *list_of(const dpl_neighbours *n, int side, uint32_t row)
{
    return side ? dpl_neighbours_of_right(n, row) : dpl_neighbours_of_left(n, row);
}

/* Rows differ between vectors by spelling and by lexicon; documents do not. */
static dpl_status keep_spelled(dpl__sentence_search *s, const dpl_neighbours *found,
                               dpl_vectors *const v[2], dpl_error *err)
{
    free_spelled(s);
    for (int side = 0; side < 2; side++) {
        size_t n = (size_t)s->n_docs[side] * SPELLED;
        s->spelled[side] = dpl__alloc(s->ctx, n * sizeof *s->spelled[side]);
        if (!s->spelled[side])
            return dpl__fail_nomem(err);
        for (size_t i = 0; i < n; i++)
            s->spelled[side][i] = NONE;
        for (uint32_t row = 0; row < v[side]->rows.n_rows; row++) {
            const dpl_scored_row *list = list_of(found, side, row);
            uint32_t *to = s->spelled[side] + (size_t)v[side]->docs[row] * SPELLED;
            for (size_t i = 0; i < SPELLED && list[i].row != NONE; i++)
                to[i] = v[!side]->docs[list[i].row];
        }
    }
    return DPL_OK;
}

static uint32_t n_searched(const dpl__comparable *p)
{
    return p->is_sampling ? p->n_sampled : p->n_docs[p->sampled_side];
}

/* After a sample, all documents are searched by lexicon alone. */
static bool wants_spelled(const dpl__comparable *p)
{
    return !p->sample || p->is_sampling;
}

/* By spelling, where the first round has not done it: it was done by an earlier run, or with a
 * lexicon. */
static dpl_status find_spelled(const dpl__comparable *p, const dpl_pairs_options *options,
                               dpl_error *err)
{
    dpl__sentence_search *s = p->sentences;
    dpl_vectors *v[2] = {NULL, NULL};
    dpl_neighbours *found = NULL;
    double known;
    dpl_status status = DPL_OK;
    if (!wants_spelled(p) || (s->spelled[0] && s->n_spelled_docs == n_searched(p)))
        return DPL_OK;
    for (int side = 0; side < 2 && status == DPL_OK; side++)
        status =
            dpl__round_vectors(&v[side], &known, p, side, dpl__round_skip(p, side), NULL, err);
    if (status == DPL_OK)
        status = find(&found, p, v, SPELLED, options, err);
    if (status == DPL_OK)
        status = keep_spelled(s, found, v, err);
    s->n_spelled_docs = n_searched(p);
    dpl_neighbours_free(found);
    for (int side = 0; side < 2; side++)
        dpl_vectors_close(v[side]);
    return status;
}

/* ---- scoring --------------------------------------------------------------------------------
 */

/* Words and their links occur in training pairs, which must not speak for themselves: of the
 * expected count of a link, what the pair of either sentence added is taken away. */

/* A word of the sentence at hand that is linked to a term of the other side. */
typedef struct node {
    uint32_t position, next;
    float p, back;
    float own_p, own_back; /* counts that the sentence's own training pair added to them */
} node;

/* Of a term of the other side: the words linked to it. */
typedef struct slot {
    uint32_t stamp, first, last;
} slot;

/* Of a term of a training pair: its likelihood there. */
typedef struct mark {
    uint32_t stamp;
    float sum;
} mark;

/* A thread's own memory. */
typedef struct scratch {
    slot *slots;    /* of each term of the other side */
    mark *marks[2]; /* of each term of our own and of the other side */
    uint32_t stamp;
    uint32_t mark_stamp[2];
    DPL_VEC(node) nodes;
    DPL_VEC(double) own, other; /* likelihood of each word, given the other sentence */
} scratch;

typedef struct ranking {
    const dpl__comparable *p;
    const dpl__sentence_search *s;
    const dpl__word_links *links;
    dpl_vectors *const *v;
    const dpl_neighbours *found;
    uint32_t *rows[2]; /* of each document: its row */
    /* Of each token of a training pair: the sum of its probabilities there; of each document in
     * one, where its tokens' are. */
    float *sums[2];
    uint64_t *first_sum[2], n_sums[2];
    dpl__neighbours *out;
    dpl__near *near[2]; /* lists of out */
    scratch *scratch;
    int side; /* whose lists are made */
} ranking;

typedef struct words {
    const uint32_t *terms;
    size_t n;
} words;

static words words_of(const ranking *r, int side, uint32_t doc)
{
    words w;
    w.terms = dpl_collection_tokens(r->p->c[side], doc, &w.n);
    return w;
}

/* Of the tokens of a document that was trained on. */
static float *sums_of(const ranking *r, int side, uint32_t doc)
{
    return r->sums[side] + r->first_sum[side][doc];
}

/* Marks the terms of a document that was trained on. */
static void mark_terms(scratch *x, const ranking *r, int side, uint32_t doc)
{
    int place = side != r->side;
    words w = words_of(r, side, doc);
    const float *sums = sums_of(r, side, doc);
    uint32_t stamp = ++x->mark_stamp[place];
    for (size_t i = 0; i < w.n; i++)
        if (x->marks[place][w.terms[i]].stamp != stamp)
            x->marks[place][w.terms[i]] = (mark){stamp, sums[i]};
}

static float marked(const scratch *x, int place, uint32_t term)
{
    const mark *m = &x->marks[place][term];
    return m->stamp == x->mark_stamp[place] ? m->sum : 0;
}

/* The sentence's words wait at the terms of the other side that they are linked to, in order.
 */
static bool load(scratch *x, const ranking *r, uint32_t doc, words w)
{
    const dpl__word_links *l = r->links;
    uint32_t partner = r->s->trained[r->side][doc];
    const float *sums = partner == NONE ? NULL : sums_of(r, r->side, doc);
    x->stamp++;
    x->nodes.n = 0;
    if (partner != NONE)
        mark_terms(x, r, !r->side, partner);
    for (size_t i = 0; i < w.n; i++) {
        uint32_t term = w.terms[i];
        uint64_t end = l->begin[r->side][term + 1];
        for (uint64_t k = l->begin[r->side][term]; k < end; k++) {
            const dpl__word_link *link = &l->links[r->side][k];
            slot *s = &x->slots[link->term];
            uint32_t at = (uint32_t)x->nodes.n;
            node new = {(uint32_t)i, NONE, link->p, link->back, 0, 0};
            float sum = partner == NONE ? 0 : marked(x, 1, link->term);
            if (sum > 0) {
                new.own_p = link->p / sum;
                new.own_back = link->back / sums[i];
            }
            if (!dpl__vec_push(r->p->ctx, &x->nodes, new))
                return false;
            if (s->stamp == x->stamp)
                x->nodes.data[s->last].next = at;
            else
                *s = (slot){x->stamp, at, at};
            s->last = at;
        }
    }
    return true;
}

/* Mean over the words of log((share sum / n + rest unigram) / unigram). */
static double likelihood(const double *sums, words w, size_t n_given, const float *unigram,
                         const float *weight)
{
    double product = 1, sum = 0, prior = DPL__P(mine, prior_weight);
    for (size_t i = 0; i < w.n; i++) {
        double n = (double)weight[w.terms[i]] - prior;
        double rest = (DPL__P(mine, null_share) * n + DPL__P(mine, null_unknown)) / (n + 1);
        double share = (1 - rest) / (double)n_given;
        product *= rest + share * sums[i] / (double)unigram[w.terms[i]];
        if (product > 1e150 || product < 1e-150) {
            sum += dpl__log(product);
            product = 1;
        }
    }
    return (sum + dpl__log(product)) / ((double)w.n + DPL__P(mine, few_words));
}

/* The probability without so many pairs and the counts that they added. */
static double leave_out(float p, float weight, float counts, float n_pairs)
{
    float rest = p * weight - counts, n = weight - n_pairs, least = 0.1f;
    return rest > 0 ? (double)(rest / (n > least ? n : least)) : 0;
}

static bool make_room(scratch *x, dpl_ctx *ctx, size_t n_own, size_t n_other)
{
    x->own.n = x->other.n = 0;
    return dpl__vec_reserve(ctx, &x->own, n_own) && dpl__vec_reserve(ctx, &x->other, n_other);
}

/* Sums of each word's probabilities, given the words of the other sentence. */
static void add_up(scratch *x, const ranking *r, words own, uint32_t doc, uint32_t other_doc)
{
    int side = r->side;
    words other = words_of(r, !side, other_doc);
    uint32_t partner = r->s->trained[!side][other_doc];
    bool is_own_trained = r->s->trained[side][doc] != NONE,
         is_other_trained = partner != NONE && partner != doc;
    const float *sums = is_other_trained ? sums_of(r, !side, other_doc) : NULL;
    const float *weight[2] = {r->links->weight[side], r->links->weight[!side]};
    if (is_other_trained)
        mark_terms(x, r, side, partner);
    memset(x->own.data, 0, own.n * sizeof *x->own.data);
    for (size_t j = 0; j < other.n; j++) {
        const slot *s = &x->slots[other.terms[j]];
        double sum = 0;
        for (uint32_t at = s->stamp == x->stamp ? s->first : NONE; at != NONE;
             at = x->nodes.data[at].next) {
            const node *k = &x->nodes.data[at];
            uint32_t term = own.terms[k->position];
            float there = is_other_trained ? marked(x, 0, term) : 0;
            float p = k->own_p + (there > 0 ? k->p / sums[j] : 0);
            float back = k->own_back + (there > 0 ? k->back / there : 0);
            float n_own = (float)is_own_trained + (float)(there > 0),
                  n_other = (float)is_other_trained + (float)(k->own_p > 0);
            if (!is_own_trained && !is_other_trained) {
                sum += (double)k->p;
                x->own.data[k->position] += (double)k->back;
                continue;
            }
            sum += leave_out(k->p, weight[0][term], p, n_own);
            x->own.data[k->position] +=
                leave_out(k->back, weight[1][other.terms[j]], back, n_other);
        }
        x->other.data[j] = sum;
    }
}

/* Of the loaded sentence and one of the other side. */
static double score(scratch *x, const ranking *r, words own, uint32_t doc, uint32_t other_doc)
{
    int side = r->side;
    words other = words_of(r, !side, other_doc);
    if (own.n == 0 || other.n == 0)
        return DPL__P(mine, least_score);
    add_up(x, r, own, doc, other_doc);
    double a = likelihood(x->own.data, own, other.n, r->links->unigram[side],
                          r->links->weight[side]),
           b = likelihood(x->other.data, other, own.n, r->links->unigram[!side],
                          r->links->weight[!side]);
    double d = (double)r->s->length[side][doc] - (double)r->s->length[!side][other_doc];
    double s = DPL__P(mine, words_weight) * (a + b) -
               DPL__P(mine, difference_weight) * fabs(a - b) -
               DPL__P(mine, length_weight) * d * d;
    s = dpl__exp((s - DPL__P(mine, score_middle)) / DPL__P(mine, score_scale));
    return s < 1 ? fmax(s, DPL__P(mine, least_score)) : 1;
}

/* Of equals the one with the lower key. */
static void insert(dpl__near *near, const uint64_t *keys, uint32_t row, float value)
{
    size_t at = DPL__NEAREST;
    for (; at > 0 && (value > near[at - 1].score ||
                      (near[at - 1].row != NONE && value >= near[at - 1].score &&
                       keys[row] < keys[near[at - 1].row]));
         at--)
        if (at < DPL__NEAREST)
            near[at] = near[at - 1];
    if (at < DPL__NEAREST)
        near[at] = (dpl__near){row, value};
}

/* Rows of the other side to be scored. */
static size_t gather(uint32_t *out, const ranking *r, uint32_t row, uint32_t doc)
{
    size_t n = 0;
    const dpl_scored_row *list = list_of(r->found, r->side, row);
    for (size_t i = 0; i < CANDIDATES && list[i].row != NONE; i++)
        out[n++] = list[i].row;
    if (!wants_spelled(r->p))
        return n;
    const uint32_t *spelled = r->s->spelled[r->side] + (size_t)doc * SPELLED;
    for (size_t i = 0, n_first = n; i < SPELLED && spelled[i] != NONE; i++) {
        uint32_t other = r->rows[!r->side][spelled[i]];
        bool is_new = other != NONE;
        for (size_t k = 0; k < n_first && is_new; k++)
            is_new = out[k] != other;
        if (is_new)
            out[n++] = other;
    }
    return n;
}

static dpl_status rank_block(void *user, size_t block, unsigned worker, dpl_error *err)
{
    const ranking *r = user;
    scratch *x = &r->scratch[worker];
    size_t end = dpl__min((block + 1) * BLOCK, (size_t)r->out->n[r->side]);
    for (size_t row = block * BLOCK; row < end; row++) {
        uint32_t candidates[MOST], doc = r->v[r->side]->docs[row];
        dpl__near *near = r->near[r->side] + row * DPL__NEAREST;
        words own = words_of(r, r->side, doc);
        size_t n = gather(candidates, r, (uint32_t)row, doc);
        if (!load(x, r, doc, own))
            return dpl__fail_nomem(err);
        for (size_t i = 0; i < n; i++) {
            uint32_t other = r->v[!r->side]->docs[candidates[i]];
            if (!make_room(x, r->p->ctx, own.n, words_of(r, !r->side, other).n))
                return dpl__fail_nomem(err);
            insert(near, r->out->keys[!r->side], candidates[i],
                   (float)score(x, r, own, doc, other));
        }
    }
    return DPL_OK;
}

static void free_scratch(const ranking *r, unsigned n)
{
    dpl_ctx *ctx = r->p->ctx;
    size_t n_own = (size_t)r->links->n_terms[r->side] + 1,
           n_other = (size_t)r->links->n_terms[!r->side] + 1;
    for (unsigned i = 0; i < n; i++) {
        scratch *x = &r->scratch[i];
        dpl__vec_clear(ctx, &x->other);
        dpl__vec_clear(ctx, &x->own);
        dpl__vec_clear(ctx, &x->nodes);
        dpl__free(ctx, x->marks[1], x->marks[1] ? n_other * sizeof *x->marks[1] : 0);
        dpl__free(ctx, x->marks[0], x->marks[0] ? n_own * sizeof *x->marks[0] : 0);
        dpl__free(ctx, x->slots, x->slots ? n_other * sizeof *x->slots : 0);
    }
    dpl__free(ctx, r->scratch, n * sizeof *r->scratch);
}

static dpl_status rank_side(ranking *r, dpl_error *err)
{
    dpl_ctx *ctx = r->p->ctx;
    unsigned n = dpl_ctx_threads(ctx);
    size_t n_blocks = ((size_t)r->out->n[r->side] + BLOCK - 1) / BLOCK;
    size_t n_own = (size_t)r->links->n_terms[r->side] + 1,
           n_other = (size_t)r->links->n_terms[!r->side] + 1;
    r->scratch = dpl__calloc(ctx, n, sizeof *r->scratch);
    bool has_memory = r->scratch;
    for (unsigned i = 0; i < n && has_memory; i++) {
        scratch *x = &r->scratch[i];
        x->slots = dpl__calloc(ctx, n_other, sizeof *x->slots);
        x->marks[0] = dpl__calloc(ctx, n_own, sizeof *x->marks[0]);
        x->marks[1] = dpl__calloc(ctx, n_other, sizeof *x->marks[1]);
        has_memory = x->slots && x->marks[0] && x->marks[1];
    }
    dpl_status status = has_memory ? dpl__parallel_for(ctx, n_blocks, r, rank_block, err)
                                   : dpl__fail_nomem(err);
    if (r->scratch)
        free_scratch(r, n);
    return status;
}

/* ---- training pairs --------------------------------------------------------------------- */

static const dpl__word_link *find_link(const dpl__word_links *l, uint32_t left, uint32_t right)
{
    uint64_t low = l->begin[0][left], high = l->begin[0][left + 1], end = high;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (l->links[0][middle].term < right)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && l->links[0][low].term == right ? &l->links[0][low] : NULL;
}

/* What each word's probabilities in its training pair add up to. */
static dpl_status sum_block(void *user, size_t block, unsigned worker, dpl_error *err)
{
    const ranking *r = user;
    size_t end = dpl__min((block + 1) * BLOCK, (size_t)r->s->n_docs[0]);
    (void)worker;
    (void)err;
    for (size_t doc = block * BLOCK; doc < end; doc++) {
        uint32_t other = r->s->trained[0][doc];
        if (other == NONE)
            continue;
        words left = words_of(r, 0, (uint32_t)doc), right = words_of(r, 1, other);
        float *sums[2] = {sums_of(r, 0, (uint32_t)doc), sums_of(r, 1, other)};
        for (size_t i = 0; i < left.n; i++)
            for (size_t j = 0; j < right.n; j++) {
                const dpl__word_link *k = find_link(r->links, left.terms[i], right.terms[j]);
                if (k) {
                    sums[1][j] += k->p;
                    sums[0][i] += k->back;
                }
            }
    }
    return DPL_OK;
}

static dpl_status sum_training(ranking *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        size_t n = r->s->n_docs[side];
        r->first_sum[side] = dpl__alloc(r->p->ctx, (n + 1) * sizeof *r->first_sum[side]);
        if (!r->first_sum[side])
            return dpl__fail_nomem(err);
        for (uint32_t doc = 0; doc < n; doc++) {
            r->first_sum[side][doc] = r->n_sums[side];
            if (r->s->trained[side][doc] != NONE)
                r->n_sums[side] += words_of(r, side, doc).n;
        }
        r->sums[side] = dpl__calloc(r->p->ctx, r->n_sums[side] + 1, sizeof *r->sums[side]);
        if (!r->sums[side])
            return dpl__fail_nomem(err);
    }
    return dpl__parallel_for(r->p->ctx, ((size_t)r->s->n_docs[0] + BLOCK - 1) / BLOCK, r,
                             sum_block, err);
}

static void free_sums(ranking *r)
{
    dpl_ctx *ctx = r->p->ctx;
    for (int side = 0; side < 2; side++) {
        dpl__free(ctx, r->sums[side],
                  r->sums[side] ? (r->n_sums[side] + 1) * sizeof *r->sums[side] : 0);
        dpl__free(ctx, r->first_sum[side],
                  ((size_t)r->s->n_docs[side] + 1) * sizeof *r->first_sum[side]);
    }
}

/* ---- all of it -------------------------------------------------------------------------- */

static dpl_status make_lists(ranking *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        size_t n = (size_t)r->out->n[side] * DPL__NEAREST;
        r->out->near[side] = r->near[side] = dpl__alloc(r->p->ctx, n * sizeof *r->near[side]);
        if (n && !r->near[side])
            return dpl__fail_nomem(err);
        for (size_t i = 0; i < n; i++)
            r->near[side][i] = (dpl__near){NONE, 0};
    }
    return DPL_OK;
}

static dpl_status number_rows(ranking *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        size_t n = r->s->n_docs[side];
        r->rows[side] = dpl__alloc(r->p->ctx, (n + 1) * sizeof *r->rows[side]);
        if (!r->rows[side])
            return dpl__fail_nomem(err);
        for (size_t doc = 0; doc < n; doc++)
            r->rows[side][doc] = NONE;
        for (uint32_t row = 0; row < r->v[side]->rows.n_rows; row++)
            r->rows[side][r->v[side]->docs[row]] = row;
    }
    return DPL_OK;
}

static dpl_status rank(dpl__neighbours *out, const dpl__comparable *p, dpl_vectors *const v[2],
                       const dpl_neighbours *found, const dpl_lexicon *lexicon, dpl_error *err)
{
    const dpl__sentence_search *s = p->sentences;
    dpl__word_links links;
    DPL_TRY(dpl__word_links_make(&links, p->ctx, p->c, p->pivot, lexicon, &s->prior, err));
    ranking r = {.p = p, .s = s, .links = &links, .v = v, .found = found, .out = out};
    dpl_status status = make_lists(&r, err);
    if (status == DPL_OK)
        status = number_rows(&r, err);
    if (status == DPL_OK)
        status = sum_training(&r, err);
    for (r.side = 0; r.side < 2 && status == DPL_OK; r.side++)
        status = rank_side(&r, err);
    for (int side = 0; side < 2; side++)
        dpl__free(p->ctx, r.rows[side], ((size_t)s->n_docs[side] + 1) * sizeof *r.rows[side]);
    free_sums(&r);
    dpl__word_links_clear(&links);
    return status;
}

dpl_status dpl__sentence_neighbours_find(dpl__neighbours *out, const dpl__comparable *p,
                                         dpl_vectors *const v[2], const dpl__row_docs *docs,
                                         const dpl_lexicon *lexicon,
                                         const dpl_pairs_options *options, dpl_error *err)
{
    dpl_neighbours *found = NULL;
    DPL_TRY(dpl__neighbours_new(out, p->ctx, v[0], v[1], docs, err));
    dpl_status status = find(&found, p, v, CANDIDATES, options, err);
    if (status == DPL_OK && !lexicon) {
        status = keep_spelled(p->sentences, found, v, err);
        p->sentences->n_spelled_docs = n_searched(p);
    }
    if (status == DPL_OK)
        status = find_spelled(p, options, err);
    if (status == DPL_OK) {
        out->recall_check = *dpl_neighbours_get_summary(found)->recall_check;
        out->threshold = DPL__P(mine, least_cosine);
        status = rank(out, p, v, found, lexicon, err);
    }
    dpl_neighbours_free(found);
    if (status != DPL_OK)
        dpl__neighbours_clear(out);
    return status;
}

/* ---- features --------------------------------------------------------------------------- */

/* The difference to the second best counts most, but not without bound: a sentence that is like
 * no other is not likelier to have a counterpart. */
dpl__features dpl__sentence_features(const dpl__comparable *p,
                                     const dpl__doc_candidate *candidate)
{
    const dpl__match *m = &candidate->match;
    double scale = DPL__P(mine, score_scale), lead[2], n_words = 1;
    size_t n;
    for (int side = 0; side < 2; side++) {
        lead[side] = fmax(scale * dpl__log((double)m->lead[side]), 0);
        (void)dpl_collection_tokens(p->c[side],
                                    side ? candidate->docs.right : candidate->docs.left, &n);
        n_words += (double)n;
    }
    double score = DPL__P(mine, score_middle) + scale * dpl__log((double)m->score);
    return (dpl__features){
        {DPL__P(mine, least_lead_weight) * dpl__log1p(fmin(lead[0], lead[1])) +
         DPL__P(mine, most_lead_weight) * dpl__log1p(fmax(lead[0], lead[1])) +
         DPL__P(mine, n_words_weight) * dpl__log(n_words) +
         DPL__P(mine, log_score_weight) *
             dpl__log1p(fmax(score + DPL__P(mine, score_offset), 0))}};
}
