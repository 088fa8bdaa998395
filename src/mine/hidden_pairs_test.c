#include "mine/hidden_pairs.h"

#include "mine/name_sides_test.h"

/* Rounds that ended with pairs of all documents; each right document is moved on by that many.
 */
static dpl__hidden_pairs hide(uint32_t moved, bool is_strict)
{
    dpl_mine_options options = DPL_INIT(dpl_mine_options);
    dpl_pairs_options search = DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT);
    dpl__comparable p = make_sides(test_ctx(2), false);
    dpl__hidden_pairs out;
    dpl__rounds r = {.unit = &dpl__unit_sentence, .is_strict = is_strict};
    options.search = &search;
    p.options = &options;
    p.unit = r.unit;
    snprintf(p.work, sizeof p.work, "%s", test_path("."));
    const dpl__round_input in = dpl__rounds_as_input(&r, &p);
    CHECK_OK(r.unit->begin(&r.state, &in, &test_err));
    for (uint32_t left = 0; left < N_DOCS; left++)
        for (uint32_t right = 0; right < N_DOCS; right++) {
            dpl__doc_candidate c = {.docs = {left, (right + moved) % N_DOCS}, .confidence = 1};
            if (!is_right(&p, (dpl_doc_pair){left, right}))
                continue;
            CHECK(dpl__vec_push(p.ctx, &r.pairs, c.docs));
            CHECK(dpl__vec_push(p.ctx, &r.found.pairs, c));
        }
    CHECK_EQ(r.pairs.n, N_DOCS);
    if (is_strict) { /* all candidates were counted, and got what was added up */
        double sum = 0;
        CHECK_OK(dpl__hidden_pairs_judge(&r, &p, &test_err));
        out = r.hidden;
        for (size_t i = 0; i < r.found.pairs.n; i++)
            sum += r.found.pairs.data[i].confidence;
        CHECK(sum > out.right - 1e-6 && sum < out.right + 1e-6);
    } else {
        CHECK_OK(dpl__hidden_pairs_search(&out, &r, &p, &test_err));
    }
    dpl__rounds_clear(&r, &p);
    clear_sides(&p);
    return out;
}

DPL_TEST(hidden_pairs, right_pairs_come_back_and_wrong_ones_do_not)
{
    const dpl__hidden_pairs right = hide(0, false), wrong = hide(1, false);
    CHECK_EQ((size_t)right.n_hidden, N_DOCS);
    CHECK_EQ((size_t)wrong.n_hidden, N_DOCS);
    CHECK(right.n_back >= 0.9 * N_DOCS);
    CHECK(wrong.n_back <= 0.2 * N_DOCS);
}

DPL_TEST(hidden_pairs, a_strict_lexicon_that_did_not_see_them_is_sure_of_right_pairs_alone)
{
    const dpl__hidden_pairs right = hide(0, true), wrong = hide(1, true);
    CHECK_EQ((size_t)right.n_hidden, N_DOCS);
    CHECK(right.right >= 0.8 * N_DOCS && right.right <= right.n_back);
    CHECK(wrong.right <= 0.1 * N_DOCS);
}
