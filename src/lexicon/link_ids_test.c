#include "lexicon/link_ids.h"

#include "lexicon/corpus_links.h"
#include "lexicon/encoded_test.h"
#include "test.h"

static uint64_t number_of(const dpl__wordmodel *m, const corpus *c, uint32_t left,
                          uint32_t right)
{
    uint64_t number = link_of(m, left, right);
    bool is_alike = c->classes[DPL__LEFT][left] == c->classes[DPL__RIGHT][right];
    return number < m->n_links ? number : m->n_links + is_alike;
}

/* Every cell has the number of its link, in blocks of any size. */
static void check_numbers(const corpus *c, uint64_t max_links, size_t max_tokens)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl__wordmodel m;
    dpl__occurrences left_over = {0};
    dpl__links_options o = {.max_tokens = max_tokens,
                            .max_links = max_links,
                            .max_occurrences = UINT32_MAX,
                            .left_over = &left_over};
    uint64_t n_dropped;
    CHECK_OK(dpl__links_find(&m, &n_dropped, ctx, &c->encoded, &o, &test_err));
    for (uint64_t max_cells = 1; max_cells < 100000; max_cells = 10 * max_cells + 7) {
        dpl__link_ids cells = {.ctx = ctx,
                               .corpus = &c->encoded,
                               .model = &m,
                               .max_tokens = max_tokens,
                               .max_cells = max_cells,
                               .occurrences = left_over};
        left_over = (dpl__occurrences){0};
        size_t row = 0;
        while (row < c->encoded.n_rows) {
            if (row % 2)
                CHECK_OK(dpl__link_ids_load(&cells, row, &test_err));
            else
                CHECK_OK(dpl__link_ids_load_rows(
                    &cells, row, dpl__min(row + max_cells, c->encoded.n_rows), &test_err));
            for (; row < cells.end; row++) {
                size_t n = dpl__encoded_length(&c->encoded, DPL__RIGHT, row),
                       n_cells = dpl__encoded_cells(&c->encoded, row, max_tokens);
                for (size_t k = 0; k < n_cells; k++)
                    CHECK_EQ(dpl__link_ids_row(&cells, row)[k],
                             number_of(
                                 &m, c, dpl__encoded_tokens(&c->encoded, DPL__LEFT, row)[k / n],
                                 dpl__encoded_tokens(&c->encoded, DPL__RIGHT, row)[k % n]));
            }
        }
        dpl__link_ids_clear(&cells);
    }
    dpl__wordmodel_clear(&m);
    test_ctx_done(ctx);
}

DPL_TEST(cells, have_the_number_of_their_link)
{
    static corpus c;
    for (uint64_t seed = 1; seed < 4; seed++) {
        corpus_draw(&c, seed, 100, 12);
        check_numbers(&c, UINT32_MAX, 200);
        check_numbers(&c, 500, 200);
        check_numbers(&c, UINT32_MAX, 6);
    }
}
