#include "mine/growth.h"

#include "mine/mine_params.h"
#include "mine/random_sides_test.h"
#include "mine/shapes.h"
#include "mine/word_parts.h"

#include <math.h>

enum { DOCS = 70, TERMS = 90, MOST_TERMS = 500, MOST_ROUNDS = 20 };
#define NONE UINT32_MAX

/* ---- two sides, names and seeds -----------------------------------------------------------
 */

typedef struct world {
    dpl__comparable p;
    dpl__names names;
    dpl_doc_pair seeds[DOCS];
    size_t n_seeds;
    /* What is known of the round that comes next, and how many there were. */
    dpl_doc_pair pairs[DOCS + 1]; /* .left: of the pivot */
    size_t n_pairs, n_rounds, n_matches, n_taken[MOST_ROUNDS];
} world;

/* Documents are counterparts of those of the same number; a few seeds are wrong. */
static void begin(world *w, unsigned n_threads, uint64_t seed, int pivot)
{
    static const side_shape shape = {DOCS, 4, 7, TERMS, false, false};
    dpl__rng rng = {dpl__mix(seed)};
    *w = (world){.p = make_parallel_sides(test_ctx(n_threads), &rng, shape, pivot)};
    w->names = (dpl__names){.ctx = w->p.ctx, .corpus = &w->p};
    for (unsigned i = 0; i < TERMS; i += 4) {
        dpl__name_link link = {.p = 0.5f + (float)dpl__rng_below(&rng, 5) / 10};
        bool is_there = true;
        for (int side = 0; side < 2 && is_there; side++) {
            char word[16];
            const size_t n = put_random_word(word, i, side);
            is_there = dpl_collection_find_term(w->p.c[side], (dpl_str){word, n},
                                                &link.term[side != pivot]);
        }
        if (is_there)
            CHECK(dpl__vec_push(w->p.ctx, &w->names.links, link));
    }
    for (uint32_t doc = 0; doc < DOCS; doc += 3)
        w->seeds[w->n_seeds++] = (dpl_doc_pair){doc, doc % 15 == 12 ? (doc + 1) % DOCS : doc};
}

static void end(world *w)
{
    dpl__vec_clear(w->p.ctx, &w->names.links);
    close_sides(&w->p);
    test_ctx_done(w->p.ctx);
}

static uint32_t doc_at(const world *w, const dpl__match *m, int place)
{
    return m->row[place ? !w->p.pivot : w->p.pivot];
}

/* ---- a naive round ------------------------------------------------------------------------
 */

/* Places: [0] the pivot, [1] the other side. */
typedef struct naive_link {
    float ratio, sure;
    uint32_t both;
    bool is_there;
} naive_link;

typedef struct naive {
    const world *w;
    uint32_t n_terms[2];
    bool has[2][DOCS][MOST_TERMS]; /* documents and their terms */
    double df[2][MOST_TERMS];
    bool is_frequent[2][MOST_TERMS];
    uint32_t in_pairs[2][MOST_TERMS], partner[DOCS];
    naive_link links[MOST_TERMS][MOST_TERMS]; /* of the pivot's term and the other */
    double absent[2][MOST_TERMS], price[2][DOCS];
    double score[DOCS][DOCS];
} naive;

static int side_at(const world *w, int place)
{
    return place ? !w->p.pivot : w->p.pivot;
}

static bool takes_part(const world *w, int place, uint32_t doc)
{
    return !w->p.skip[side_at(w, place)][doc];
}

static void read_terms(naive *x, int place)
{
    const world *w = x->w;
    const int side = side_at(w, place);
    dpl__word_parts terms;
    CHECK_OK(dpl__word_parts_find(&terms, &w->p, side, place, &test_err));
    x->n_terms[place] = terms.n_terms;
    CHECK(terms.n_terms <= MOST_TERMS && terms.n_docs == DOCS);
    for (uint32_t doc = 0; doc < DOCS; doc++)
        for (uint64_t i = terms.begin[doc]; i < terms.begin[doc + 1]; i++)
            x->has[place][doc][terms.ids.data[i]] = true;
    for (uint32_t t = 0; t < terms.n_terms; t++) {
        x->df[place][t] = terms.df[t];
        x->is_frequent[place][t] = terms.df[t] > 0.25 * w->p.n_docs[side];
    }
    dpl__word_parts_clear(&terms);
}

static double part(double n, double expected)
{
    return n > 0 ? n * log(n / expected) : 0;
}

/* Dunning's, of a table of two words in n pairs; 0: they repel each other. */
static double likelihood_ratio(double both, double a, double b, double n)
{
    const double e = a * b / n;
    if (both <= e)
        return 0;
    return 2 * (part(both, e) + part(a - both, a - e) + part(b - both, b - e) +
                part(n - a - b + both, n - a - b + e));
}

static void count_pairs(naive *x)
{
    memset(x->in_pairs, 0, sizeof x->in_pairs);
    for (uint32_t doc = 0; doc < DOCS; doc++)
        x->partner[doc] = NONE;
    for (size_t k = 0; k < x->w->n_pairs; k++) {
        const uint32_t docs[2] = {x->w->pairs[k].left, x->w->pairs[k].right};
        x->partner[docs[1]] = docs[0];
        for (int place = 0; place < 2; place++)
            for (uint32_t t = 0; t < x->n_terms[place]; t++)
                x->in_pairs[place][t] += x->has[place][docs[place]][t];
    }
}

static void link_terms(naive *x)
{
    static float best[2][MOST_TERMS];
    const double n = (double)x->w->n_pairs;
    memset(x->links, 0, sizeof x->links);
    memset(best, 0, sizeof best);
    for (uint32_t e = 0; e < x->n_terms[0]; e++)
        for (uint32_t t = 0; t < x->n_terms[1]; t++) {
            naive_link *l = &x->links[e][t];
            if (x->is_frequent[0][e] || x->is_frequent[1][t])
                continue;
            for (size_t k = 0; k < x->w->n_pairs; k++)
                l->both +=
                    x->has[0][x->w->pairs[k].left][e] && x->has[1][x->w->pairs[k].right][t];
            l->ratio =
                (float)likelihood_ratio(l->both, x->in_pairs[1][t], x->in_pairs[0][e], n);
            l->is_there = l->both >= 2 && l->ratio >= 12;
            if (l->is_there) {
                best[0][e] = fmaxf(best[0][e], l->ratio);
                best[1][t] = fmaxf(best[1][t], l->ratio);
            }
        }
    for (uint32_t e = 0; e < x->n_terms[0]; e++)
        for (uint32_t t = 0; t < x->n_terms[1]; t++) {
            naive_link *l = &x->links[e][t];
            if (l->ratio < 0.7f * best[0][e] || l->ratio < 0.7f * best[1][t] || !l->is_there)
                *l = (naive_link){0, 0, 0, false};
        }
    for (size_t i = 0; i < x->w->names.links.n; i++) {
        const dpl__name_link *name = &x->w->names.links.data[i];
        naive_link *l = &x->links[name->term[0]][name->term[1]];
        l->is_there = true;
        l->sure = name->p;
    }
}

static double gain_of(const naive *x, uint32_t e, uint32_t t, bool is_own)
{
    const naive_link *l = &x->links[e][t];
    const double own = is_own && l->both;
    const double both = l->both - own,
                 in[2] = {x->in_pairs[0][e] - own, x->in_pairs[1][t] - own},
                 n_docs[2] = {x->w->p.n_docs[side_at(x->w, 0)],
                              x->w->p.n_docs[side_at(x->w, 1)]};
    double ratio = (double)l->ratio, gain = 0;
    if (is_own && l->both)
        ratio = both < 2 ? 0 : likelihood_ratio(both, in[1], in[0], (double)x->w->n_pairs - 1);
    const double right = ratio / (ratio + 20);
    if (ratio >= 12)
        gain = log(1 + right * both / (in[0] + 1) * n_docs[1] / x->df[1][t]) / 2 +
               log(1 + right * both / (in[1] + 1) * n_docs[0] / x->df[0][e]) / 2;
    return l->sure > 0 ? fmax(gain, log(1 + (double)l->sure * 0.7 * n_docs[1] / x->df[1][t]))
                       : gain;
}

static void price_terms(naive *x)
{
    memset(x->absent, 0, sizeof x->absent);
    memset(x->price, 0, sizeof x->price);
    for (uint32_t e = 0; e < x->n_terms[0]; e++)
        for (uint32_t t = 0; t < x->n_terms[1]; t++) {
            const naive_link *l = &x->links[e][t];
            const uint32_t term[2] = {e, t};
            for (int place = 0; place < 2 && l->is_there; place++) {
                const double ratio = (double)l->ratio,
                             p = fmax(ratio / (ratio + 20) * l->both /
                                          (x->in_pairs[place][term[place]] + 1),
                                      (double)l->sure * 0.7);
                x->absent[place][term[place]] =
                    fmax(x->absent[place][term[place]], -log(1 - fmin(p, 0.95)) / 2);
            }
        }
    for (int place = 0; place < 2; place++)
        for (uint32_t doc = 0; doc < DOCS; doc++)
            for (uint32_t t = 0; t < x->n_terms[place]; t++)
                x->price[place][doc] += x->has[place][doc][t] ? x->absent[place][t] : 0;
}

/* Of the words of a document of the pivot, the best that one of the other side translates to
 * each; shapes count, too. */
static void score_doc(naive *x, const dpl__shapes *shapes, uint32_t other)
{
    for (uint32_t doc = 0; doc < DOCS; doc++) {
        float gains[DPL__SHAPES_BLOCK];
        dpl__shapes_gains(gains, shapes, 0, doc, other / DPL__SHAPES_BLOCK);
        x->score[doc][other] =
            (double)gains[other % DPL__SHAPES_BLOCK] - x->price[0][doc] - x->price[1][other];
    }
    for (uint32_t e = 0; e < x->n_terms[0]; e++) {
        const bool is_own = x->partner[other] != NONE && x->has[0][x->partner[other]][e];
        double most = 0;
        for (uint32_t t = 0; t < x->n_terms[1]; t++) {
            if (!x->has[1][other][t] || !x->links[e][t].is_there)
                continue;
            const double gain = gain_of(x, e, t, is_own);
            most = gain > 0 ? fmax(most, gain + x->absent[0][e] + x->absent[1][t]) : most;
        }
        for (uint32_t doc = 0; doc < DOCS && !x->is_frequent[0][e]; doc++)
            x->score[doc][other] += x->has[0][doc][e] ? most : 0;
    }
}

static double score_at(const naive *x, int place, uint32_t doc, uint32_t other)
{
    return place ? x->score[other][doc] : x->score[doc][other];
}

/* The best of a document; NONE: none counts anything. *lead: how far it is before the next. */
static uint32_t best_of(const naive *x, int place, uint32_t doc, double *lead)
{
    uint32_t best = NONE;
    double first = 0, second = 0;
    for (uint32_t other = 0; other < DOCS; other++) {
        const double score = score_at(x, place, doc, other);
        if (!takes_part(x->w, !place, other) || score < 0)
            continue;
        if (best == NONE || score > first) {
            second = best == NONE ? 0 : first;
            first = score;
            best = other;
        } else {
            second = fmax(second, score);
        }
    }
    *lead = best == NONE ? 0 : first - second;
    return best;
}

/* The logarithm of the odds of the best of a document against the next seven, and none. */
static double odds_of(const naive *x, int place, uint32_t doc)
{
    double sum = x->w->p.n_docs[side_at(x->w, !place)], best = -1;
    bool is_used[DOCS] = {false};
    for (size_t i = 0; i < DPL__NEAREST; i++) {
        uint32_t at = NONE;
        for (uint32_t other = 0; other < DOCS; other++)
            if (!is_used[other] && takes_part(x->w, !place, other) &&
                score_at(x, place, doc, other) >= 0 &&
                (at == NONE || score_at(x, place, doc, other) > score_at(x, place, doc, at)))
                at = other;
        if (at == NONE)
            break;
        is_used[at] = true;
        if (i == 0)
            best = score_at(x, place, doc, at);
        else
            sum += exp(0.7 * score_at(x, place, doc, at));
    }
    return 0.7 * best - log(sum);
}

static void make_round(naive *x, const world *w)
{
    static dpl__shapes shapes;
    const int sides[2] = {w->p.pivot, !w->p.pivot};
    memset(x, 0, sizeof *x);
    x->w = w;
    for (int place = 0; place < 2; place++)
        read_terms(x, place);
    count_pairs(x);
    link_terms(x);
    price_terms(x);
    CHECK_OK(dpl__shapes_measure(&shapes, &w->p, sides, &test_err));
    dpl__shapes_learn(&shapes, w->pairs, w->n_pairs);
    for (uint32_t other = 0; other < DOCS; other++)
        score_doc(x, &shapes, other);
    dpl__shapes_clear(&shapes);
}

/* ---- what is told after each round ---------------------------------------------------------
 */

static void check_matches(const naive *x, const dpl__matches *found)
{
    const double slack = 1e-3; /* sums in another order */
    bool is_matched[2][DOCS] = {{false}};
    for (size_t i = 0; i < found->n; i++) {
        const dpl__match *m = &found->data[i];
        const uint32_t doc = doc_at(x->w, m, 0), other = doc_at(x->w, m, 1);
        double lead;
        CHECK(!is_matched[0][doc] && !is_matched[1][other]);
        is_matched[0][doc] = is_matched[1][other] = true;
        CHECK(takes_part(x->w, 0, doc) && takes_part(x->w, 1, other));
        CHECK(fabs((double)m->score - x->score[doc][other]) < slack);
        CHECK(fabs((double)m->margin - fmin(odds_of(x, 0, doc), odds_of(x, 1, other))) < slack);
        CHECK(best_of(x, 0, doc, &lead) == other || lead < slack);
        CHECK(best_of(x, 1, other, &lead) == doc || lead < slack);
        CHECK(i == 0 || m[-1].margin >= m->margin);
    }
    for (uint32_t doc = 0; doc < DOCS; doc++) {
        double leads[2];
        const uint32_t other = takes_part(x->w, 0, doc) ? best_of(x, 0, doc, &leads[0]) : NONE;
        if (other == NONE || best_of(x, 1, other, &leads[1]) != doc)
            continue;
        CHECK((is_matched[0][doc] && is_matched[1][other]) || fmin(leads[0], leads[1]) < slack);
    }
}

static void look(void *user, const dpl__matches *found, size_t n_taken)
{
    static naive x;
    world *w = user;
    make_round(&x, w);
    check_matches(&x, found);
    CHECK(w->n_rounds < MOST_ROUNDS && n_taken <= found->n);
    w->n_taken[w->n_rounds++] = n_taken;
    w->n_matches = found->n;
    w->n_pairs = n_taken;
    for (size_t i = 0; i < n_taken; i++)
        w->pairs[i] =
            (dpl_doc_pair){doc_at(w, &found->data[i], 0), doc_at(w, &found->data[i], 1)};
}

/* Grows, and compares each round with a naive one. */
static void grow(dpl__matches *out, size_t *n_taken, world *w)
{
    const dpl__growth_input in = {.corpus = &w->p,
                                  .names = &w->names,
                                  .seeds = {w->seeds, w->n_seeds},
                                  .tell = look,
                                  .user = w};
    w->n_pairs = w->n_seeds;
    for (size_t i = 0; i < w->n_seeds; i++)
        w->pairs[i] = (dpl_doc_pair){w->p.pivot ? w->seeds[i].right : w->seeds[i].left,
                                     w->p.pivot ? w->seeds[i].left : w->seeds[i].right};
    *out = (dpl__matches){0};
    CHECK_OK(dpl__grow(out, n_taken, &in, &test_err));
}

DPL_TEST(growth, every_round_gives_the_matches_of_a_naive_one)
{
    static world w;
    for (unsigned turn = 0; turn < 4; turn++) {
        dpl__matches found;
        size_t n_taken, n_right = 0;
        begin(&w, 1 + turn, 500 + turn, turn % 2);
        for (uint32_t doc = 0; doc < DOCS && turn > 1; doc += 8)
            w.p.skip[turn % 2][doc + 1] = 1;
        grow(&found, &n_taken, &w);
        CHECK(w.n_rounds > 0 && n_taken == w.n_taken[w.n_rounds - 1]);
        CHECK_EQ(found.n, w.n_matches);
        for (size_t i = 0; i < n_taken; i++)
            n_right += found.data[i].row[0] == found.data[i].row[1];
        CHECK(n_taken > DOCS / 4 && n_right * 10 > n_taken * 8);
        dpl__vec_clear(w.p.ctx, &found);
        end(&w);
    }
}

/* Each round may take 1.4 times the pairs of the one before, of those that are likely; it ends
 * with a quarter of the documents. */
DPL_TEST(growth, takes_more_in_each_round_up_to_a_share_of_the_documents)
{
    static world w;
    static const size_t n_seeds[] = {8, 10, 14};
    for (size_t turn = 0; turn < DPL_LEN(n_seeds); turn++) {
        dpl__matches found;
        size_t n_taken;
        double wanted = (double)n_seeds[turn];
        begin(&w, 1, 600 + turn, 0);
        w.n_seeds = n_seeds[turn];
        grow(&found, &n_taken, &w);
        for (size_t i = 0; i < w.n_rounds; i++) {
            wanted *= 1.4;
            CHECK(w.n_taken[i] <= (size_t)wanted);
            CHECK((i + 1 < w.n_rounds) == (w.n_taken[i] < 0.25 * (DOCS + 1) && i < 14));
        }
        CHECK(w.n_rounds > (turn < 2));
        dpl__vec_clear(w.p.ctx, &found);
        end(&w);
    }
}

/* Without seeds shapes give the first pairs; where words do not make most of them likely,
 * nothing is taken. */
DPL_TEST(growth, without_seeds_begins_with_shapes)
{
    static world w;
    for (unsigned turn = 0; turn < 3; turn++) {
        dpl__matches found;
        size_t n_taken, n_sure = 0;
        begin(&w, 2, 700 + turn, turn % 2);
        w.n_seeds = turn == 2 ? 7 : 0; /* too few */
        grow(&found, &n_taken, &w);
        CHECK(w.n_taken[0] >= 7); /* a tenth of the documents, whatever their odds */
        for (size_t i = 0; i < found.n; i++)
            n_sure += found.data[i].margin >= 0;
        CHECK(n_taken == (n_sure < 0.1 * (DOCS + 1) ? 0 : w.n_taken[w.n_rounds - 1]));
        dpl__vec_clear(w.p.ctx, &found);
        end(&w);
    }
}

static dpl_status grow_and_clear(void *user, dpl_ctx *ctx, dpl_error *err)
{
    world *w = user;
    dpl_ctx *before = w->p.ctx;
    const dpl__growth_input in = {
        .corpus = &w->p, .names = &w->names, .seeds = {w->seeds, w->n_seeds}};
    dpl__matches found = {0};
    size_t n_taken;
    w->p.ctx = ctx;
    const dpl_status status = dpl__grow(&found, &n_taken, &in, err);
    dpl__vec_clear(ctx, &found);
    w->p.ctx = before;
    return status;
}

DPL_TEST(growth, survives_every_failing_allocation)
{
    static world w;
    begin(&w, 1, 800, 1);
    test_allocation_failures(grow_and_clear, &w);
    end(&w);
}
