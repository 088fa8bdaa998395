#include "lexicon/mirror.h"

#include "lexicon/encoded_test.h"
#include "test.h"

DPL_TEST(mirror, every_link_has_its_sides_swapped)
{
    static corpus c;
    dpl_ctx *ctx = test_ctx(2);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        corpus_draw(&c, seed, CORPUS_ROWS, 12);
        dpl__wordmodel m, turned;
        CHECK_OK(dpl__train_model(&m, NULL, ctx, &c.encoded, NULL, &test_err));
        CHECK_OK(dpl__train_model(&turned, NULL, ctx, &c.encoded, NULL, &test_err));
        CHECK_OK(dpl__wordmodel_mirror(&turned, &test_err));
        CHECK_EQ(turned.n_links, m.n_links);
        CHECK_EQ(turned.begin[turned.n_words[DPL__LEFT]], m.n_links);
        for (int side = 0; side < 2; side++) {
            CHECK_EQ(turned.n_words[side], m.n_words[!side]);
            for (uint32_t w = 0; w < m.n_words[!side]; w++)
                CHECK_EQ(turned.tokens[side][w], m.tokens[!side][w]);
        }
        for (uint32_t left = 0; left < m.n_words[DPL__LEFT]; left++)
            for (uint64_t k = m.begin[left]; k < m.begin[left + 1]; k++) {
                uint64_t at = link_of(&turned, m.right[k], left);
                CHECK(at < turned.n_links && turned.counts[at] == m.counts[k]);
                for (int side = 0; side < 2; side++)
                    CHECK(turned.links[at].p[side] == m.links[k].p[!side]);
            }
        /* and back again */
        CHECK_OK(dpl__wordmodel_mirror(&turned, &test_err));
        CHECK(memcmp(turned.right, m.right, m.n_links * sizeof *m.right) == 0);
        CHECK(memcmp(turned.links, m.links, m.n_links * sizeof *m.links) == 0);
        dpl__wordmodel_clear(&turned);
        dpl__wordmodel_clear(&m);
    }
    test_ctx_done(ctx);
}
