#include "mine/confidence.h"
#include "mine/few_docs.h"
#include "mine/few_pairs.h"
#include "mine/mine_params.h"
#include "mine/random_sides_test.h"
#include "mine/unit.h"

#include <math.h>

enum { MOST = 1300, DOCS = 2000 };

/* Candidates and decoys of documents that have keys and no text. */
typedef struct world {
    dpl__comparable p;
    dpl__sample sample;
    dpl__round_input in;
    dpl__unit unit;
    dpl__doc_candidates found;
    dpl__doc_candidate pairs[MOST], decoys[MOST];
    dpl__alignment_features alignment[2 * MOST];
    uint64_t keys[2][DOCS];
} world;

static double random_share(dpl__rng *rng)
{
    return (double)dpl__rng_below(rng, 1000) / 1000;
}

static dpl__match random_match(dpl__rng *rng, bool is_right)
{
    const float score = (float)(0.1 + 0.4 * random_share(rng) + (is_right ? 0.4 : 0));
    return (dpl__match){.score = score,
                        .margin = 1 + score * (float)random_share(rng) * 2,
                        .lead = {1 + (float)random_share(rng) * score, 1 + score},
                        .taken = {DPL__NO_ROW, DPL__NO_ROW}};
}

static dpl__alignment_features random_alignment(dpl__rng *rng, bool is_right)
{
    const double share = is_right ? 0.5 + random_share(rng) / 2 : random_share(rng) / 2;
    return (dpl__alignment_features){.score = 0.1 + share / 2,
                                     .aligned = {share, fmin(share * 1.2, 1)},
                                     .words = {share * 9, 10 * random_share(rng)},
                                     .n_words = 20 + 100 * random_share(rng),
                                     .length = 0.1 + random_share(rng) / 2};
}

/* Two in three pairs are right. Some decoys are of the same documents. */
static void make_up(world *w, dpl_ctx *ctx, size_t n_pairs, size_t n_decoys, uint64_t seed,
                    int pivot)
{
    dpl__rng rng = {dpl__mix(seed)};
    memset(w, 0, sizeof *w);
    w->unit = dpl__unit_document;
    w->p = (dpl__comparable){.ctx = ctx, .n_docs = {DOCS - 100, DOCS}, .pivot = pivot};
    for (int side = 0; side < 2; side++) {
        w->p.keys[side] = w->keys[side];
        for (size_t i = 0; i < DOCS; i++)
            w->keys[side][i] = dpl__rng_next(&rng);
    }
    w->in = (dpl__round_input){.corpus = &w->p, .unit = &w->unit, .sample = &w->sample};
    w->found.pairs.data = w->pairs;
    w->found.decoys.data = w->decoys;
    w->found.pairs.n = n_pairs;
    w->found.decoys.n = n_decoys;
    for (size_t i = 0; i < n_pairs; i++) {
        const bool is_right = i % 3 > 0;
        w->pairs[i] = (dpl__doc_candidate){.docs = {(uint32_t)i, (uint32_t)(DOCS - 1 - i)},
                                           .match = random_match(&rng, is_right)};
        w->alignment[i] = random_alignment(&rng, is_right);
    }
    for (size_t i = 0; i < n_decoys; i++) {
        dpl__doc_candidate *d = &w->decoys[i];
        *d = (dpl__doc_candidate){
            .docs = {(uint32_t)dpl__rng_below(&rng, 40), (uint32_t)dpl__rng_below(&rng, 40)},
            .match = random_match(&rng, false)};
        for (int side = 0; side < 2; side++)
            if (dpl__rng_below(&rng, 3) && n_pairs)
                d->match.taken[side] = (uint32_t)dpl__rng_below(&rng, n_pairs);
        w->alignment[n_pairs + i] = random_alignment(&rng, false);
    }
}

/* ---- a naive fit ------------------------------------------------------------------------ */

/* By the keys of pairs, then by margin, then as they come. */
static void sort_naively(size_t *order, const world *w, const dpl__doc_candidate *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0; k--) {
            const dpl__doc_candidate *a = &of[order[k - 1]], *b = &of[order[k]];
            const uint64_t key[2] = {dpl__pair_key(&w->p, a->docs),
                                     dpl__pair_key(&w->p, b->docs)};
            if (key[0] < key[1] || (key[0] == key[1] && a->match.margin <= b->match.margin))
                break;
            const size_t x = order[k];
            order[k] = order[k - 1];
            order[k - 1] = x;
        }
}

typedef struct naive {
    size_t order[2][MOST], place[MOST];
    dpl__features pairs[MOST];
    dpl__decoy decoys[MOST];
    double p[MOST];
    dpl__confidence model;
} naive;

static void fit_naively(naive *x, const world *w, bool is_aligned, bool counts_whole)
{
    const size_t n = w->found.pairs.n, n_decoys = w->found.decoys.n;
    sort_naively(x->order[0], w, w->pairs, n);
    sort_naively(x->order[1], w, w->decoys, n_decoys);
    for (size_t k = 0; k < n; k++) {
        const size_t i = x->order[0][k];
        x->place[i] = k;
        x->pairs[k] =
            w->unit.features(&w->in, &w->pairs[i], is_aligned ? &w->alignment[i] : NULL);
    }
    for (size_t k = 0; k < n_decoys; k++) {
        const size_t i = x->order[1][k];
        x->decoys[k].features =
            w->unit.features(&w->in, &w->decoys[i], is_aligned ? &w->alignment[n + i] : NULL);
        for (int place = 0; place < 2; place++) { /* the side that is not the pivot first */
            const uint32_t taken = w->decoys[i].match.taken[place ? w->p.pivot : !w->p.pivot];
            x->decoys[k].taken[place] =
                counts_whole || taken == DPL__NO_ROW ? DPL__NO_PAIR : (uint32_t)x->place[taken];
        }
    }
    const uint32_t n_side[2] = {w->p.n_docs[0] - w->p.n_copies[0],
                                w->p.n_docs[1] - w->p.n_copies[1]};
    const uint32_t n_sampled = w->sample.n_docs;
    const bool has_sample = w->sample.is_used;
    const dpl__confidence_input in = {
        .pairs = x->pairs,
        .n_pairs = n,
        .decoys = x->decoys,
        .n_decoys = n_decoys,
        .n_features = w->unit.n_features + (is_aligned ? DPL__ALIGNMENT_FEATURES : 0),
        .n_docs = has_sample              ? n_sampled
                  : n_side[0] < n_side[1] ? n_side[0]
                                          : n_side[1],
        .n_side = {!w->unit.counts_unpaired            ? 0
                   : has_sample && w->sample.side == 0 ? n_sampled
                                                       : n_side[0],
                   !w->unit.counts_unpaired            ? 0
                   : has_sample && w->sample.side == 1 ? n_sampled
                                                       : n_side[1]},
        .is_cautious = w->unit.is_cautious};
    CHECK_OK(dpl__confidence_fit(&x->model, x->p, w->p.ctx, &in, &test_err));
}

static void check_fit(const naive *x, const world *w)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < w->found.pairs.n; i++) {
        CHECK(w->pairs[i].confidence == x->p[x->place[i]]);
        if (w->pairs[i].confidence >= w->found.likely) {
            sum += (double)w->pairs[i].match.score;
            n++;
        }
    }
    CHECK(w->found.alone == x->model.alone);
    CHECK(n > 0 && fabs(w->found.cosine - sum / n) < 1e-12);
    CHECK(!w->found.has_few && !w->found.has_few_docs);
}

DPL_TEST(candidate_confidence, is_that_of_a_model_of_all_examples)
{
    static world w;
    static naive x;
    for (unsigned turn = 0; turn < 10; turn++) {
        dpl_ctx *ctx = test_ctx(1 + turn % 3);
        make_up(&w, ctx, turn % 2 ? MOST : 150, turn % 3 ? 1100 : 90, 900 + turn, turn % 2);
        w.found.is_by_spelling = turn == 3;
        w.unit.has_whole_decoys = turn == 4;
        w.unit.counts_unpaired = turn > 4;
        w.unit.is_cautious = turn == 6;
        w.p.n_copies[turn % 2] = turn > 6 ? 300 : 0;
        w.sample = (dpl__sample){.is_used = turn > 7, .side = turn % 2, .n_docs = 1400};
        fit_naively(&x, &w, false, turn == 3 || turn == 4);
        CHECK_OK(dpl__estimate_confidence(&w.found, &w.in, NULL, &test_err));
        CHECK(w.found.likely == DPL__P(mine, train_confidence));
        check_fit(&x, &w);
        test_ctx_done(ctx);
    }
}

/* With many documents; half of the confidence is likely, or what gives the best F1. */
DPL_TEST(candidate_confidence, goes_by_alignments_where_they_are_known)
{
    static world w;
    static naive x;
    static double p[MOST];
    dpl__rng rng = {dpl__mix(940)};
    size_t n_lower = 0;
    for (unsigned turn = 0; turn < 6; turn++) {
        dpl_ctx *ctx = test_ctx(2);
        make_up(&w, ctx, 900, 800, 950 + turn, turn % 2);
        w.p.n_docs[0] = w.p.n_docs[1] = 1000;          /* most have a counterpart */
        w.found.has_few = w.found.has_few_docs = true; /* of an estimate before this one */
        for (size_t i = 0; i < 900 && turn < 2; i++) { /* what is known does not agree */
            w.pairs[i].match = random_match(&rng, dpl__rng_below(&rng, 2));
            w.alignment[i] = random_alignment(&rng, dpl__rng_below(&rng, 4) > 0);
        }
        w.unit.score = turn > 3 ? DPL__SCORE_VOTES : DPL__SCORE_COSINE;
        fit_naively(&x, &w, true, false);
        CHECK(x.model.alone < DPL__P(mine, few_model_unpaired));
        CHECK_OK(dpl__estimate_confidence(&w.found, &w.in, w.alignment, &test_err));
        memcpy(p, x.p, sizeof p);
        const double cut = dpl__few_pairs_cut(p, w.found.pairs.n);
        CHECK(w.found.likely == (turn > 3 ? 0.5 : fmin(cut, 0.5)));
        n_lower += w.found.likely < 0.5;
        check_fit(&x, &w);
        test_ctx_done(ctx);
    }
    CHECK(n_lower > 0);
}

/* ---- few candidates --------------------------------------------------------------------- */

DPL_TEST(candidate_confidence, of_few_candidates_is_that_of_fixed_weights)
{
    static world w;
    for (size_t n = 58; n < 62; n++) {
        dpl_ctx *ctx = test_ctx(1);
        double odds[64], p[64], right = 0;
        make_up(&w, ctx, n, 50, 980, 1);
        w.p.n_docs[0] = 130;
        w.p.n_docs[1] = 120;
        w.p.n_copies[1] = 20;
        w.in.has_many = true;
        CHECK_OK(dpl__estimate_confidence(&w.found, &w.in, w.alignment, &test_err));
        CHECK_EQ(w.found.has_few_docs, n < 60);
        const double chance = dpl__few_docs_chance(w.alignment + n, 50);
        for (size_t i = 0; i < n; i++)
            odds[i] = dpl__few_docs_odds(&w.unit, &w.pairs[i].match, &w.alignment[i], chance);
        const double evidence = dpl__few_docs_fit(p, odds, n);
        for (size_t i = 0; i < n; i++)
            right += p[i];
        if (n < 60) {
            CHECK(fabs(w.found.evidence - evidence) < 1e-9);
            CHECK(fabs(w.found.alone - fmax(1 - right / 100, 0)) < 1e-9);
            CHECK_EQ(w.found.has_few, right < 25);
            for (size_t i = 0; i < n; i++)
                CHECK(fabs(w.pairs[i].confidence - p[i]) < 1e-9);
        }
        test_ctx_done(ctx);
    }
}

/* Documents with text: siblings are counted within the sides. */
static void estimate_few(world *w, double n_implied, bool has_many)
{
    static const side_shape shape = {40, 3, 6, 60, false, false};
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {dpl__mix(990)};
    dpl__comparable sides = make_random_sides(ctx, &rng, shape, 0);
    make_up(w, ctx, 400, 390, 991, 0);
    for (size_t i = 0; i < 400; i++) { /* hardly any is right */
        w->pairs[i].match = random_match(&rng, i < 20);
        w->alignment[i] = random_alignment(&rng, i < 20);
    }
    for (int side = 0; side < 2; side++) {
        w->p.c[side] = sides.c[side];
        w->p.skip[side] = sides.skip[side];
        w->p.n_docs[side] = 800;
    }
    snprintf(w->p.work, sizeof w->p.work, "%s", test_dir());
    w->p.n_implied = n_implied;
    w->in.has_many = has_many;
    CHECK_OK(dpl__estimate_confidence(&w->found, &w->in, w->alignment, &test_err));
    if (w->found.has_few) {
        static double p[MOST], scores[MOST];
        static naive x;
        dpl__siblings siblings;
        CHECK_OK(dpl__siblings_find(&siblings, &w->p, &test_err));
        sort_naively(x.order[0], w, w->pairs, 400);
        for (size_t k = 0; k < 400; k++) {
            const size_t i = x.order[0][k];
            scores[k] = dpl__few_pairs_score(&w->unit, &w->pairs[i].match, &w->alignment[i]);
        }
        const double right = dpl__few_pairs_fit(p, scores, 400, &siblings, 800);
        CHECK(fabs(w->found.alone - (1 - right / 800)) < 1e-12);
        for (size_t k = 0; k < 400; k++)
            CHECK(fabs(w->pairs[x.order[0][k]].confidence - p[k]) < 1e-12);
        CHECK(w->found.likely == fmin(dpl__few_pairs_cut(p, 400), 0.5));
    }
    close_sides(&sides);
    test_ctx_done(ctx);
}

DPL_TEST(candidate_confidence, of_few_counterparts_is_that_of_few_pairs)
{
    static world w;
    estimate_few(&w, 0, false);
    CHECK(w.found.has_few && w.found.alone > 0.9);
    estimate_few(&w, 0, true); /* nobody asks */
    CHECK(!w.found.has_few);
    estimate_few(&w, 199, false); /* below a quarter of 800 documents */
    CHECK(w.found.has_few);
    estimate_few(&w, 200, false); /* other languages show that there are more */
    CHECK(!w.found.has_few);
}

DPL_TEST(candidate_confidence, other_languages_imply_many_from_a_share_on)
{
    dpl__comparable p = {.n_docs = {120, 100}, .n_copies = {10, 20}};
    for (int n = 0; n < 40; n++) {
        p.n_implied = n;
        CHECK(dpl__implies_many(&p) == (n >= 20)); /* a quarter of 80 */
    }
    p = (dpl__comparable){.n_docs = {10, 10}, .n_copies = {10, 10}};
    CHECK(!dpl__implies_many(&p));
}

static dpl_status estimate(void *user, dpl_ctx *ctx, dpl_error *err)
{
    world *w = user;
    w->p.ctx = ctx;
    return dpl__estimate_confidence(&w->found, &w->in, NULL, err);
}

DPL_TEST(candidate_confidence, survives_every_failing_allocation)
{
    static world w;
    make_up(&w, NULL, 40, 30, 999, 0);
    test_allocation_failures(estimate, &w);
}
