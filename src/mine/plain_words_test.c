#include "mine/plain_words.h"

#include "base/hash.h"
#include "mine/mine_params.h"
#include "mine/name_sides_test.h"

#include <math.h>

enum { MOST_DOC = 120 };

/* Pairs of few documents, in the order of left ones, each in at most one pair. */
static void make_list(dpl__doc_candidate_vec *out, const dpl__comparable *p, dpl__rng *rng)
{
    bool taken[MOST_DOC] = {false};
    for (uint32_t left = 0; left < MOST_DOC; left++) {
        const uint32_t right = (left + (uint32_t)(dpl__rng_below(rng, 3))) % MOST_DOC;
        const dpl__doc_candidate c = {.docs = {left, right},
                                      .confidence = (double)(1 + dpl__rng_below(rng, 20)) / 20,
                                      .match.score = (float)(dpl__rng_below(rng, 100))};
        if (taken[right] || dpl__rng_below(rng, 3) == 0)
            continue;
        taken[right] = true;
        CHECK(dpl__vec_push(p->ctx, out, c));
    }
}

static double confidence_in(const dpl__doc_candidate_vec *list, dpl_doc_pair docs)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->data[i].docs.left == docs.left && list->data[i].docs.right == docs.right)
            return list->data[i].confidence;
    return 0;
}

/* Takes the best of all pairs whose documents are free, again and again. */
static size_t join_slowly(double out[MOST_DOC][MOST_DOC], const dpl__comparable *p,
                          const dpl__doc_candidate_vec *a, const dpl__doc_candidate_vec *b)
{
    const double weight = DPL__P(mine, likelier_lexicon);
    bool taken[2][MOST_DOC] = {{false}};
    memset(out, 0, MOST_DOC * sizeof *out);
    for (size_t n = 0;; n++) {
        double most = 0;
        dpl_doc_pair best = {0, 0};
        for (uint32_t l = 0; l < MOST_DOC; l++)
            for (uint32_t r = 0; r < MOST_DOC; r++) {
                const dpl_doc_pair docs = {l, r};
                const double x = confidence_in(a, docs), y = confidence_in(b, docs),
                             c = weight * fmax(x, y) + (1 - weight) * fmin(x, y);
                const bool is_first =
                    c > most ||
                    (c > 0 && !(c < most) && dpl__pair_key(p, docs) < dpl__pair_key(p, best));
                if (taken[0][l] || taken[1][r] || !is_first)
                    continue;
                most = c;
                best = docs;
            }
        if (!(most > 0))
            return n;
        out[best.left][best.right] = most;
        taken[0][best.left] = taken[1][best.right] = true;
    }
}

DPL_TEST(plain_words, joined_candidates_are_the_best_of_both_lists)
{
    static double expected[MOST_DOC][MOST_DOC];
    dpl__comparable p = make_sides(test_ctx(1), false);
    dpl__rng rng = {dpl__mix(20)};
    for (int turn = 0; turn < 3; turn++) {
        dpl__doc_candidate_vec a = {0}, b = {0};
        make_list(&a, &p, &rng);
        make_list(&b, &p, &rng);
        const size_t n = join_slowly(expected, &p, &a, &b);
        CHECK_OK(dpl__candidates_join(&a, &p, &b, &test_err));
        CHECK_EQ(a.n, n);
        for (size_t i = 0; i < a.n; i++) {
            const dpl_doc_pair docs = a.data[i].docs;
            CHECK(i == 0 || a.data[i - 1].docs.left < docs.left);
            CHECK(fabs(a.data[i].confidence - expected[docs.left][docs.right]) < 1e-12);
        }
        dpl__vec_clear(p.ctx, &a, &b);
    }
    clear_sides(&p);
}
