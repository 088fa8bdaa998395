#include "mine/strict_confidence.h"

#include "mine/decoy_rates.h"
#include "mine/random_lists_test.h"
#include "mine/unit.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdlib.h>

/* Rows stand for documents of other numbers. */
typedef struct world {
    made lists;
    dpl__comparable p;
    uint32_t docs[2][MOST_ROWS];
    uint64_t doc_keys[2][2 * MOST_ROWS];
    dpl_vectors vectors[2];
    dpl_vectors *v[2];
    dpl__sample sample;
    dpl__round_input in;
    dpl__doc_candidates found;
} world;

/* The larger the better the documents fit, too. */
static dpl__features feature_of(const dpl__round_input *in, const dpl__doc_candidate *c,
                                const dpl__alignment_features *alignment)
{
    (void)in;
    CHECK(!alignment);
    return (dpl__features){
        {(double)c->match.score + (double)((c->docs.left + c->docs.right) % 5) / 100}};
}

static const dpl__unit unit = {.n_features = 1, .features = feature_of};

static void begin(world *w, dpl__rng *rng, int pivot)
{
    dpl_ctx *ctx = test_ctx(1);
    memset(w, 0, sizeof *w);
    make_lists(&w->lists, ctx, rng);
    memset(w->lists.absent, 0, sizeof w->lists.absent);
    w->p = (dpl__comparable){.ctx = ctx, .pivot = pivot, .n_docs = {30, 20}};
    for (int side = 0; side < 2; side++) {
        for (uint32_t row = 0; row < MOST_ROWS; row++)
            w->docs[side][row] = 2 * row + 1;
        for (uint32_t doc = 0; doc < 2 * MOST_ROWS; doc++)
            w->doc_keys[side][doc] = dpl__rng_next(rng);
        w->p.keys[side] = w->doc_keys[side];
        w->vectors[side].docs = w->docs[side];
        w->v[side] = &w->vectors[side];
    }
    w->in = (dpl__round_input){.corpus = &w->p, .unit = &unit, .sample = &w->sample};
}

static dpl_doc_pair docs_of(const world *w, const dpl__match *m)
{
    return (dpl_doc_pair){w->docs[0][m->row[0]], w->docs[1][m->row[1]]};
}

/* Mutual best pairs are the candidates. */
static void find_pairs(world *w)
{
    dpl__matches matches = {0};
    CHECK_OK(dpl__matches_find(&matches, &w->lists.c, NULL, 1, &test_err));
    w->found.train_confidence = 0.75;
    for (size_t i = 0; i < matches.n; i++) {
        const dpl__doc_candidate c = {.docs = docs_of(w, &matches.data[i]),
                                      .match = matches.data[i]};
        CHECK(dpl__vec_push(w->p.ctx, &w->found.pairs, c));
    }
    dpl__vec_clear(w->p.ctx, &matches);
}

static void end(world *w)
{
    dpl__doc_candidates_clear(&w->found, w->p.ctx);
    test_ctx_done(w->p.ctx);
}

/* ---- a naive estimate ---------------------------------------------------------------------
 */

typedef struct naive {
    size_t pair[MOST_ROWS], n; /* numbers of the pairs that are kept, by key */
    double scores[MOST_ROWS];
    dpl__scored_decoy decoys[2 * MOST_ROWS];
    size_t n_decoys;
    dpl__decoy_rate rates[MOST_ROWS];
} naive;

static bool is_in_half(const world *w, dpl_doc_pair docs)
{
    return !w->in.half || dpl__half_of(&w->p, docs) == w->in.half;
}

/* candidates: before any was left out. */
static void judge_naively(naive *x, const world *w, const dpl__doc_candidate *candidates,
                          size_t n)
{
    dpl__rank_decoys seconds = {0};
    x->n = x->n_decoys = 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_in_half(w, candidates[i].docs))
            continue;
        size_t at = x->n++;
        for (; at > 0 && dpl__pair_key(&w->p, candidates[x->pair[at - 1]].docs) >
                             dpl__pair_key(&w->p, candidates[i].docs);
             at--)
            x->pair[at] = x->pair[at - 1];
        x->pair[at] = i;
    }
    for (size_t k = 0; k < x->n; k++)
        x->scores[k] = feature_of(&w->in, &candidates[x->pair[k]], NULL).x[0];
    CHECK_OK(dpl__rank_decoys_find(&seconds, &w->lists.c, &test_err));
    for (size_t i = 0; i < seconds.n; i++) {
        const dpl__rank_decoy *d = &seconds.data[i];
        const dpl__doc_candidate is = {.docs = docs_of(w, &d->is), .match = d->is},
                                 raised = {.docs = is.docs, .match = d->raised};
        uint32_t above = DPL__NO_MATCH;
        for (uint32_t k = 0; k < x->n; k++)
            above = x->pair[k] == d->above ? k : above;
        /* one behind a pair of the other half goes with that */
        if (d->above == DPL__NO_ROW ? !is_in_half(w, is.docs) : above == DPL__NO_MATCH)
            continue;
        x->decoys[x->n_decoys++] = (dpl__scored_decoy){
            feature_of(&w->in, &is, NULL).x[0], feature_of(&w->in, &raised, NULL).x[0], above};
    }
    const dpl__decoy_rates_input in = {x->scores, x->n, x->decoys, x->n_decoys};
    CHECK_OK(dpl__decoy_rates_fit(x->rates, w->p.ctx, &in, &test_err));
    dpl__vec_clear(w->p.ctx, &seconds);
}

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void check_found(const world *w, const naive *x, const dpl__doc_candidate *candidates)
{
    double right = 0, p[MOST_ROWS], train = 0.75;
    size_t i = 0;
    CHECK_EQ(w->found.pairs.n, x->n);
    for (size_t k = 0; k < x->n; k++) {
        right += x->rates[k].p;
        p[k] = x->rates[k].p;
    }
    CHECK(fabs(w->found.alone - fmax(1 - right / 20, 0)) < 1e-12); /* of the smaller side */
    qsort(p, x->n, sizeof *p, falling);
    const size_t n_train = (size_t)(w->in.train_share * (double)x->n);
    if (n_train)
        train = fmin(train, p[n_train - 1]);
    CHECK(fabs(w->found.train_confidence - train) < 1e-12);
    for (size_t number = 0; number < MOST_ROWS; number++) /* in the order that they had */
        for (size_t k = 0; k < x->n; k++) {
            if (x->pair[k] != number)
                continue;
            const dpl__doc_candidate *c = &w->found.pairs.data[i++];
            CHECK(c->docs.left == candidates[number].docs.left);
            CHECK(c->docs.right == candidates[number].docs.right);
            CHECK(c->confidence == x->rates[k].p);
        }
}

DPL_TEST(strict_confidence, is_that_of_decoys_of_rank_two)
{
    static world w;
    static naive x;
    static const double shares[] = {0, 0.05, 0.3, 0.6, 1};
    dpl__rng rng = {dpl__mix(1600)};
    size_t n_lowered = 0, n_halves = 0;
    for (unsigned turn = 0; turn < 150; turn++) {
        dpl__doc_candidate candidates[MOST_ROWS];
        begin(&w, &rng, turn % 2);
        find_pairs(&w);
        const size_t n = w.found.pairs.n;
        if (n)
            memcpy(candidates, w.found.pairs.data, n * sizeof *candidates);
        w.in.half = turn % 3;
        w.in.train_share = shares[turn % DPL_LEN(shares)];
        judge_naively(&x, &w, candidates, n);
        CHECK_OK(dpl__estimate_strictly(&w.found, &w.in, &w.lists.c, w.v, &test_err));
        check_found(&w, &x, candidates);
        n_lowered += w.found.train_confidence < 0.75;
        n_halves += w.in.half && x.n && x.n < n;
        end(&w);
    }
    CHECK(n_lowered > 20 && n_halves > 30);
}

/* Both halves together are all pairs. */
DPL_TEST(strict_confidence, each_pair_is_in_one_half)
{
    static world w;
    dpl__rng rng = {dpl__mix(1601)};
    for (unsigned turn = 0; turn < 40; turn++) {
        const dpl__rng before = rng;
        size_t n[3];
        for (unsigned half = 0; half < 3; half++) {
            rng = before;
            begin(&w, &rng, turn % 2);
            find_pairs(&w);
            w.in.half = half;
            CHECK_OK(dpl__estimate_strictly(&w.found, &w.in, &w.lists.c, w.v, &test_err));
            n[half] = w.found.pairs.n;
            end(&w);
        }
        CHECK_EQ(n[1] + n[2], n[0]);
    }
}

static dpl_status estimate(void *user, dpl_ctx *ctx, dpl_error *err)
{
    world *w = user;
    dpl__doc_candidates found = {.train_confidence = 1};
    dpl_ctx *before = w->p.ctx;
    w->p.ctx = w->lists.c.ctx = ctx;
    w->in.half = 1;
    dpl_status status = dpl__doc_candidates_copy(&found, &w->found, ctx, err);
    if (status == DPL_OK)
        status = dpl__estimate_strictly(&found, &w->in, &w->lists.c, w->v, err);
    dpl__doc_candidates_clear(&found, ctx);
    w->p.ctx = w->lists.c.ctx = before;
    return status;
}

DPL_TEST(strict_confidence, survives_every_failing_allocation)
{
    static world w;
    dpl__rng rng = {dpl__mix(1602)};
    begin(&w, &rng, 0);
    find_pairs(&w);
    test_allocation_failures(estimate, &w);
    end(&w);
}
