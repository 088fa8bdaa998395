#include "lexicon/renumber.h"

#include "lexicon/encoded_test.h"
#include "test.h"

static void draw_permutation(uint32_t *out, uint32_t n, dpl__rng *rng)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = (uint32_t)dpl__rng_below(rng, i + 1);
        out[i] = out[k];
        out[k] = i;
    }
}

/* Every link of one is under its new numbers in the other, or was weak. */
static void check_links(const dpl__wordmodel *from, const dpl__wordmodel *to,
                        uint32_t rank[2][CORPUS_WORDS], float least)
{
    uint64_t n = 0;
    for (uint32_t l = 0; l < from->n_words[DPL__LEFT]; l++)
        for (uint64_t k = from->begin[l]; k < from->begin[l + 1]; k++) {
            uint64_t at = link_of(to, rank[0][l], rank[1][from->right[k]]);
            CHECK_EQ(at < to->n_links, from->counts[k] >= least);
            if (at == to->n_links)
                continue;
            n++;
            CHECK(memcmp(&from->links[k], &to->links[at], sizeof(dpl__link_p)) == 0);
            CHECK(from->counts[k] == to->counts[at]);
        }
    CHECK_EQ(n, to->n_links);
    CHECK_EQ(to->begin[to->n_words[DPL__LEFT]], n);
    for (int i = 0; i < 2; i++)
        CHECK(memcmp(&from->links[from->n_links + (uint64_t)i], &to->links[n + (uint64_t)i],
                     sizeof(dpl__link_p)) == 0);
}

DPL_TEST(renumber, words_change_their_numbers_and_weak_links_go)
{
    static corpus c;
    static uint32_t rank[2][CORPUS_WORDS];
    dpl_ctx *ctx = test_ctx(2);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        dpl__rng rng = {seed};
        corpus_draw(&c, seed, CORPUS_ROWS, 12);
        dpl__wordmodel m, copy, same;
        CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
        for (int side = 0; side < 2; side++)
            draw_permutation(rank[side], CORPUS_WORDS, &rng);
        const uint32_t *const ranks[2] = {rank[0], rank[1]}, *const none[2] = {NULL, NULL};
        for (double least = 0; least < 5; least += 2) {
            CHECK_OK(dpl__wordmodel_renumber(&copy, &m, ranks, least, &test_err));
            check_links(&m, &copy, rank, (float)least);
            for (int side = 0; side < 2; side++)
                for (uint32_t w = 0; w < CORPUS_WORDS; w++) {
                    CHECK_EQ(copy.tokens[side][rank[side][w]], m.tokens[side][w]);
                    CHECK(copy.empty[!side][rank[side][w]] == m.empty[!side][w]);
                }
            dpl__wordmodel_clear(&copy);
        }
        CHECK_OK(dpl__wordmodel_renumber(&same, &m, none, 0, &test_err));
        CHECK(same_models(&m, &same));
        dpl__wordmodel_clear(&same);
        dpl__wordmodel_clear(&m);
    }
    test_ctx_done(ctx);
}
