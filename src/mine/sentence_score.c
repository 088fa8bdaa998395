/*
 * sentence_score.c - word alignment and length of two sentences become one score.
 *
 * Of a pair that the lexicon was trained on its own counts are taken away first (leave one
 * out), or wrong pairs would confirm themselves. A sentence that is part of the other one is
 * told by the difference of both directions. Cost: linear in the words and in the links between
 * them. Both sides of a pair come to the same score: sums go by position in both.
 */
#include "mine/sentence_score.h"

#include "base/ctx.h"
#include "base/lower_bound.h"
#include "base/maths.h"
#include "mine/mine_params.h"
#include "par/pool.h"

#include <math.h>

enum {
    PLACES = 32, /* of a sentence that positions are rounded to */
    BLOCK = 64   /* documents of a task */
};

#define NONE UINT32_MAX

/* A word of the sentence at hand that is linked to a term of the other side. */
typedef struct node {
    uint32_t position, next;
    float p, back;
    float own_p, own_back; /* counts that the sentence's own training pair added to them */
} node;

/* Slot of a term of the other side: the words linked to it. */
typedef struct slot {
    uint32_t stamp, first, last;
} slot;

/* Slot of a term of a training pair: its likelihood in that pair. */
typedef struct mark {
    uint32_t stamp;
    float sum;
} mark;

/* Two linked words: probability of the other one given ours, and of ours. */
typedef struct link {
    uint32_t own, other;
    double p, back;
} link;

typedef struct words {
    const uint32_t *terms;
    size_t n;
} words;

/* A thread's own memory. */
typedef struct scratch {
    slot *slots;    /* of each term of the other side */
    mark *marks[2]; /* of each term of our own and of the other side */
    uint32_t stamp;
    uint32_t mark_stamp[2];
    uint32_t doc; /* loaded */
    DPL_VEC(node) nodes;
    DPL_VEC(link) links;
    DPL_VEC(double) own, other; /* likelihood of each word, given the other sentence */
    DPL_VEC(double) covered[2]; /* share of each word that is linked from both sides */
} scratch;

/* Facts about a term as a word of one side. */
typedef struct term_facts {
    float null;        /* probability that it has no counterpart */
    float information; /* -log of its unigram probability */
} term_facts;

struct dpl__sentence_scorer {
    dpl_ctx *ctx;
    const dpl__comparable *p;
    const dpl__sentence_sides *sides;
    const dpl__word_links *links;
    term_facts *facts[2];
    /* Weight of a link by relative position on the given and on the explained side; mean 1 over
     * the given side. */
    float place[PLACES][PLACES];
    /* For each token of a training pair the sum of its probabilities in that pair; first_sum:
     * where those of each document begin. */
    float *sums[2];
    uint64_t *first_sum[2], n_sums[2];
    unsigned n_workers;
    int side; /* whose candidates are scored */
    scratch *scratch;
};

static words words_of(const dpl__sentence_scorer *s, int side, uint32_t doc)
{
    words w;
    w.terms = dpl_collection_tokens(s->p->c[side], doc, &w.n);
    return w;
}

/* ---- leaving one out ------------------------------------------------------------------ */

/* Words and their links occur in training pairs, which must not speak for themselves: of the
 * expected count of a link, what the pair of either sentence added is taken away. */

/* Sums of the tokens of a document that was trained on. */
static float *sums_of(const dpl__sentence_scorer *s, int side, uint32_t doc)
{
    return s->sums[side] + s->first_sum[side][doc];
}

static const dpl__word_link *find_link(const dpl__word_links *l, uint32_t left, uint32_t right)
{
    const dpl__word_link *links = l->links[0] + l->begin[0][left];
    const size_t n = (size_t)(l->begin[0][left + 1] - l->begin[0][left]);
    size_t at;
    DPL__LOWER_BOUND(at, n, links[at].term < right);
    return at < n && links[at].term == right ? &links[at] : NULL;
}

/* What each word's probabilities in its training pair add up to. */
static void sum_block(void *user, size_t block)
{
    const dpl__sentence_scorer *s = user;
    size_t end = dpl__min((block + 1) * BLOCK, (size_t)s->sides->n_docs[0]);
    for (size_t doc = block * BLOCK; doc < end; doc++) {
        uint32_t other = s->sides->trained[0][doc];
        if (other == NONE)
            continue;
        words left = words_of(s, 0, (uint32_t)doc), right = words_of(s, 1, other);
        float *sums[2] = {sums_of(s, 0, (uint32_t)doc), sums_of(s, 1, other)};
        for (size_t i = 0; i < left.n; i++)
            for (size_t j = 0; j < right.n; j++) {
                const dpl__word_link *k = find_link(s->links, left.terms[i], right.terms[j]);
                if (k) {
                    sums[1][j] += k->p;
                    sums[0][i] += k->back;
                }
            }
    }
}

static dpl_status sum_training(dpl__sentence_scorer *s, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        size_t n = s->sides->n_docs[side];
        s->first_sum[side] = dpl__alloc(s->ctx, (n + 1) * sizeof *s->first_sum[side]);
        DPL_TRY(dpl__need(s->first_sum[side], err));
        for (uint32_t doc = 0; doc < n; doc++) {
            s->first_sum[side][doc] = s->n_sums[side];
            if (s->sides->trained[side][doc] != NONE)
                s->n_sums[side] += words_of(s, side, doc).n;
        }
        s->sums[side] = dpl__calloc(s->ctx, s->n_sums[side] + 1, sizeof *s->sums[side]);
        DPL_TRY(dpl__need(s->sums[side], err));
    }
    return dpl__parallel_each(s->ctx, ((size_t)s->sides->n_docs[0] + BLOCK - 1) / BLOCK, s,
                              sum_block, err);
}

/* Marks the terms of a document that was trained on. */
static void mark_terms(scratch *x, const dpl__sentence_scorer *s, int side, uint32_t doc)
{
    int place = side != s->side;
    words w = words_of(s, side, doc);
    const float *sums = sums_of(s, side, doc);
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

/* The probability without so many pairs and the counts that they added. */
static double leave_out(float p, float weight, float counts, float n_pairs)
{
    float rest = p * weight - counts, n = weight - n_pairs, least = 0.1f;
    return rest > 0 ? (double)(rest / (n > least ? n : least)) : 0;
}

/* ---- new and free --------------------------------------------------------------------- */

/* exp(-decay |x - y|), divided by its mean over all x. */
static void weigh_places(dpl__sentence_scorer *s)
{
    double decay = DPL__P(mine, position_decay);
    for (int y = 0; y < PLACES; y++) {
        double sum = 0;
        for (int x = 0; x < PLACES; x++)
            sum += dpl__exp(-decay * fabs((double)(x - y)) / PLACES);
        for (int x = 0; x < PLACES; x++)
            s->place[x][y] =
                (float)(dpl__exp(-decay * fabs((double)(x - y)) / PLACES) * PLACES / sum);
    }
}

static dpl_status find_facts(dpl__sentence_scorer *s, int side, dpl_error *err)
{
    const dpl__word_links *l = s->links;
    size_t n = l->n_terms[side];
    s->facts[side] = dpl__alloc(s->ctx, (n + 1) * sizeof *s->facts[side]);
    DPL_TRY(dpl__need(s->facts[side], err));
    for (size_t term = 0; term < n; term++) {
        double count = (double)l->trained[side][term];
        s->facts[side][term] = (term_facts){
            (float)((DPL__P(mine, null_share) * count + DPL__P(mine, null_unknown)) /
                    (count + 1)),
            (float)-dpl__log((double)l->unigram[side][term])};
    }
    return DPL_OK;
}

dpl_status dpl__sentence_scorer_new(dpl__sentence_scorer **out, const dpl__comparable *p,
                                    const dpl__sentence_sides *sides,
                                    const dpl__word_links *links, dpl_error *err)
{
    dpl__sentence_scorer *s = *out = dpl__calloc(p->ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    s->ctx = p->ctx;
    s->p = p;
    s->sides = sides;
    s->links = links;
    weigh_places(s);
    dpl_status status = DPL_OK;
    for (int side = 0; side < 2 && status == DPL_OK; side++)
        status = find_facts(s, side, err);
    if (status == DPL_OK)
        status = sum_training(s, err);
    if (status != DPL_OK) {
        dpl__sentence_scorer_free(s);
        *out = NULL;
    }
    return status;
}

static void free_scratch(dpl__sentence_scorer *s)
{
    for (unsigned i = 0; i < s->n_workers && s->scratch; i++) {
        scratch *x = &s->scratch[i];
        for (int side = 0; side < 2; side++)
            dpl__vec_clear(s->ctx, &x->covered[side]);
        dpl__vec_clear(s->ctx, &x->other, &x->own, &x->links, &x->nodes);
        dpl__free(s->ctx, x->marks[1], x->marks[0], x->slots);
    }
    dpl__free(s->ctx, s->scratch);
    s->scratch = NULL;
}

void dpl__sentence_scorer_free(dpl__sentence_scorer *s)
{
    if (!s)
        return;
    free_scratch(s);
    for (int side = 0; side < 2; side++)
        dpl__free(s->ctx, s->sums[side], s->first_sum[side], s->facts[side]);
    dpl__free(s->ctx, s);
}

dpl_status dpl__sentence_scorer_turn(dpl__sentence_scorer *s, int side, dpl_error *err)
{
    free_scratch(s);
    s->side = side;
    s->n_workers = dpl_ctx_threads(s->ctx);
    size_t n_own = (size_t)s->links->n_terms[side] + 1,
           n_other = (size_t)s->links->n_terms[!side] + 1;
    s->scratch = dpl__calloc(s->ctx, s->n_workers, sizeof *s->scratch);
    bool has_memory = s->scratch;
    for (unsigned i = 0; i < s->n_workers && has_memory; i++) {
        scratch *x = &s->scratch[i];
        x->slots = dpl__calloc(s->ctx, n_other, sizeof *x->slots);
        x->marks[0] = dpl__calloc(s->ctx, n_own, sizeof *x->marks[0]);
        x->marks[1] = dpl__calloc(s->ctx, n_other, sizeof *x->marks[1]);
        has_memory = x->slots && x->marks[0] && x->marks[1];
    }
    return dpl__need(has_memory, err);
}

/* ---- one sentence --------------------------------------------------------------------- */

/* The sentence's words wait at the terms of the other side that they are linked to, in order.
 */
dpl_status dpl__sentence_scorer_load(dpl__sentence_scorer *s, unsigned worker, uint32_t doc,
                                     dpl_error *err)
{
    scratch *x = &s->scratch[worker];
    const dpl__word_links *l = s->links;
    words w = words_of(s, s->side, doc);
    uint32_t partner = s->sides->trained[s->side][doc];
    const float *sums = partner == NONE ? NULL : sums_of(s, s->side, doc);
    x->doc = doc;
    x->stamp++;
    x->nodes.n = 0;
    if (partner != NONE)
        mark_terms(x, s, !s->side, partner);
    for (size_t i = 0; i < w.n; i++) {
        uint32_t term = w.terms[i];
        uint64_t end = l->begin[s->side][term + 1];
        for (uint64_t k = l->begin[s->side][term]; k < end; k++) {
            const dpl__word_link *known = &l->links[s->side][k];
            slot *place = &x->slots[known->term];
            uint32_t at = (uint32_t)x->nodes.n;
            node new = {(uint32_t)i, NONE, known->p, known->back, 0, 0};
            float sum = partner == NONE ? 0 : marked(x, 1, known->term);
            if (sum > 0) {
                new.own_p = known->p / sum;
                new.own_back = known->back / sums[i];
            }
            DPL_TRY(dpl__need(dpl__vec_push(s->ctx, &x->nodes, new), err));
            if (place->stamp == x->stamp)
                x->nodes.data[place->last].next = at;
            else
                *place = (slot){x->stamp, at, at};
            place->last = at;
        }
    }
    return DPL_OK;
}

/* ---- two sentences -------------------------------------------------------------------- */

static unsigned place_of(size_t position, size_t n)
{
    return (unsigned)((2 * position + 1) * PLACES / (2 * n));
}

/* Links between the words of both, without what their training pairs added. */
static dpl_status find_links(scratch *x, const dpl__sentence_scorer *s, words own, words other,
                             uint32_t other_doc, dpl_error *err)
{
    int side = s->side;
    uint32_t partner = s->sides->trained[!side][other_doc];
    bool is_own_trained = s->sides->trained[side][x->doc] != NONE,
         is_other_trained = partner != NONE && partner != x->doc;
    const float *sums = is_other_trained ? sums_of(s, !side, other_doc) : NULL;
    const float *weight[2] = {s->links->weight[side], s->links->weight[!side]};
    x->links.n = 0;
    if (is_other_trained)
        mark_terms(x, s, side, partner);
    for (size_t j = 0; j < other.n; j++) {
        const slot *at_term = &x->slots[other.terms[j]];
        unsigned y = place_of(j, other.n);
        for (uint32_t at = at_term->stamp == x->stamp ? at_term->first : NONE; at != NONE;
             at = x->nodes.data[at].next) {
            const node *k = &x->nodes.data[at];
            unsigned place = place_of(k->position, own.n);
            link found = {k->position, (uint32_t)j, (double)k->p, (double)k->back};
            if (is_own_trained || is_other_trained) {
                uint32_t term = own.terms[k->position];
                float there = is_other_trained ? marked(x, 0, term) : 0;
                float n_own = (float)is_own_trained + (float)(there > 0),
                      n_other = (float)is_other_trained + (float)(k->own_p > 0);
                found.p = leave_out(k->p, weight[0][term],
                                    k->own_p + (there > 0 ? k->p / sums[j] : 0), n_own);
                found.back =
                    leave_out(k->back, weight[1][other.terms[j]],
                              k->own_back + (there > 0 ? k->back / there : 0), n_other);
            }
            found.p *= (double)s->place[place][y];
            found.back *= (double)s->place[y][place];
            DPL_TRY(dpl__need(dpl__vec_push(s->ctx, &x->links, found), err));
        }
    }
    return DPL_OK;
}

/* Mean over the words of log((1 - null) sum / n / unigram + null); sums become the inverse of
 * the probability of each word, times that of a link to it. */
static double likelihood(double *sums, words w, size_t n_given, const float *unigram,
                         const term_facts *facts)
{
    double product = 1, sum = 0;
    for (size_t i = 0; i < w.n; i++) {
        double null = (double)facts[w.terms[i]].null,
               factor = (1 - null) / ((double)n_given * (double)unigram[w.terms[i]]),
               ratio = null + factor * sums[i];
        product *= ratio;
        sums[i] = factor / ratio;
        if (product > 1e150 || product < 1e-150) {
            sum += dpl__log(product);
            product = 1;
        }
    }
    return (sum + dpl__log(product)) / ((double)w.n + DPL__P(mine, few_words));
}

/* Share of the sentence's information in words that are linked from both sides. */
static double coverage(const double *covered, words w, const term_facts *facts)
{
    double all = DPL__P(mine, few_information), sum = 0;
    for (size_t i = 0; i < w.n; i++) {
        double information = (double)facts[w.terms[i]].information;
        all += information;
        sum += information * (covered[i] < 1 ? covered[i] : 1);
    }
    return sum / all;
}

static bool make_room(scratch *x, dpl_ctx *ctx, size_t n_own, size_t n_other)
{
    return dpl__vec_reserve(ctx, &x->own, n_own) && dpl__vec_reserve(ctx, &x->other, n_other) &&
           dpl__vec_reserve(ctx, &x->covered[0], n_own) &&
           dpl__vec_reserve(ctx, &x->covered[1], n_other);
}

dpl_status dpl__sentence_scorer_score(double *out, dpl__sentence_scorer *s, unsigned worker,
                                      uint32_t other_doc, dpl_error *err)
{
    scratch *x = &s->scratch[worker];
    int side = s->side;
    words own = words_of(s, side, x->doc), other = words_of(s, !side, other_doc);
    *out = DPL__P(mine, least_score);
    if (own.n == 0 || other.n == 0)
        return DPL_OK;
    x->own.n = x->other.n = x->covered[0].n = x->covered[1].n = 0;
    DPL_TRY(dpl__need(make_room(x, s->ctx, own.n, other.n), err));
    DPL_TRY(find_links(x, s, own, other, other_doc, err));
    double *sums[2] = {x->own.data, x->other.data},
           *covered[2] = {x->covered[0].data, x->covered[1].data};
    for (int i = 0; i < 2; i++) {
        memset(sums[i], 0, (i ? other.n : own.n) * sizeof *sums[i]);
        memset(covered[i], 0, (i ? other.n : own.n) * sizeof *covered[i]);
    }
    for (size_t i = 0; i < x->links.n; i++) {
        const link *l = &x->links.data[i];
        sums[0][l->own] += l->back;
        sums[1][l->other] += l->p;
    }
    double a = likelihood(sums[0], own, other.n, s->links->unigram[side], s->facts[side]),
           b = likelihood(sums[1], other, own.n, s->links->unigram[!side], s->facts[!side]);
    for (size_t i = 0; i < x->links.n; i++) {
        const link *l = &x->links.data[i];
        double both = l->back * sums[0][l->own] * (l->p * sums[1][l->other]);
        covered[0][l->own] += both;
        covered[1][l->other] += both;
    }
    double c = coverage(covered[0], own, s->facts[side]),
           d = coverage(covered[1], other, s->facts[!side]);
    double length =
        (double)s->sides->length[side][x->doc] - (double)s->sides->length[!side][other_doc];
    double z = DPL__P(mine, words_weight) * (a + b) -
               DPL__P(mine, difference_weight) * fabs(a - b) +
               DPL__P(mine, cover_weight) * (c + d) -
               DPL__P(mine, cover_difference_weight) * fabs(c - d) -
               DPL__P(mine, length_weight) * length * length;
    z = dpl__exp((z - DPL__P(mine, score_middle)) / DPL__P(mine, score_scale));
    *out = z < 1 ? fmax(z, DPL__P(mine, least_score)) : 1;
    return DPL_OK;
}
