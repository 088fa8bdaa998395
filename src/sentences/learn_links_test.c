#include "sentences/learn_links.h"

#include "base/hash.h"
#include "test.h"

enum { TERMS = 8, MOST_BEADS = 40, PER_UNIT = 4 };

/* ---- rows of beads ------------------------------------------------------------------------
 */

/* Documents of units of random words, and beads over them: some have one side alone. */
typedef struct made {
    uint32_t tokens[2][MOST_BEADS * PER_UNIT], begin[2][MOST_BEADS + 1];
    dpl__bead_doc docs[2];
    dpl_bead beads[MOST_BEADS];
    size_t n;
} made;

static void make_up(made *m, dpl__rng *rng)
{
    uint32_t at[2] = {0, 0};
    memset(m, 0, sizeof *m);
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < MOST_BEADS; i++) {
            const uint32_t n = (uint32_t)dpl__rng_below(rng, PER_UNIT + 1);
            for (uint32_t k = 0; k < n; k++)
                m->tokens[side][m->begin[side][i] + k] = (uint32_t)dpl__rng_below(rng, TERMS);
            m->begin[side][i + 1] = m->begin[side][i] + n;
        }
        m->docs[side] = (dpl__bead_doc){.tokens = m->tokens[side], .begin = m->begin[side]};
    }
    while (m->n < MOST_BEADS) {
        dpl_bead b = {.left = at[0],
                      .n_left = (uint16_t)dpl__rng_below(rng, 3),
                      .right = at[1],
                      .n_right = (uint16_t)dpl__rng_below(rng, 3)};
        at[0] += b.n_left;
        at[1] += b.n_right;
        if (at[0] > MOST_BEADS || at[1] > MOST_BEADS)
            break;
        m->beads[m->n++] = b;
    }
}

/* Every step-th bead of all, where it has both sides. */
static size_t check_rows(const dpl__bead_rows *rows, const made *m, size_t n_made, size_t step,
                         size_t n_before)
{
    size_t row = n_before, seen = 0;
    uint64_t at[2] = {0, 0};
    if (row)
        for (int side = 0; side < 2; side++)
            at[side] = rows->begin[side].data[row];
    for (size_t k = 0; k < n_made; k++)
        for (size_t i = 0; i < m[k].n; i++, seen++) {
            const dpl_bead *b = &m[k].beads[i];
            if ((step > 1 && seen % step) || !b->n_left || !b->n_right)
                continue;
            for (int side = 0; side < 2; side++) {
                const uint32_t first = side ? b->right : b->left,
                               n = side ? b->n_right : b->n_left,
                               begin = m[k].begin[side][first],
                               n_tokens = m[k].begin[side][first + n] - begin;
                CHECK_EQ(rows->begin[side].data[row], at[side]);
                CHECK(!n_tokens ||
                      !memcmp(rows->tokens[side].data + at[side], m[k].tokens[side] + begin,
                              n_tokens * sizeof(uint32_t)));
                at[side] += n_tokens;
                CHECK_EQ(rows->begin[side].data[row + 1], at[side]);
            }
            row++;
        }
    return row;
}

DPL_TEST(bead_rows, are_both_sides_of_every_step_th_bead)
{
    static made m[3];
    dpl__rng rng = {dpl__mix(121)};
    for (size_t step = 0; step < 5; step++) {
        dpl_ctx *ctx = test_ctx(1);
        dpl__bead_rows rows = {.step = step};
        size_t n_beads = 0;
        for (size_t k = 0; k < DPL_LEN(m); k++) {
            make_up(&m[k], &rng);
            n_beads += m[k].n;
            CHECK_OK(dpl__bead_rows_add(&rows, ctx, m[k].docs, m[k].beads, m[k].n, &test_err));
        }
        CHECK_EQ(rows.n_seen, n_beads);
        const size_t n = check_rows(&rows, m, DPL_LEN(m), step, 0);
        CHECK(n > 5 && rows.begin[0].n == n + 1 && rows.begin[1].n == n + 1);
        dpl__bead_rows_clear(&rows, ctx);
        test_ctx_done(ctx);
    }
}

DPL_TEST(bead_rows, of_others_come_behind)
{
    static made m[2];
    dpl__rng rng = {dpl__mix(122)};
    dpl_ctx *ctx = test_ctx(1);
    dpl__bead_rows first = {0}, more = {0}, none = {0};
    for (int k = 0; k < 2; k++) {
        make_up(&m[k], &rng);
        CHECK_OK(dpl__bead_rows_add(k ? &more : &first, ctx, m[k].docs, m[k].beads, m[k].n,
                                    &test_err));
    }
    const size_t n = first.begin[0].n - 1;
    CHECK(dpl__bead_rows_append(&first, ctx, &none) && first.begin[0].n == n + 1);
    CHECK(dpl__bead_rows_append(&first, ctx, &more));
    CHECK_EQ(check_rows(&first, &m[0], 1, 0, 0), n);
    CHECK_EQ(check_rows(&first, &m[1], 1, 0, n), n + more.begin[0].n - 1);
    CHECK(dpl__bead_rows_append(&none, ctx, &more));
    CHECK_EQ(check_rows(&none, &m[1], 1, 0, 0), more.begin[0].n - 1);
    dpl__bead_rows_clear(&first, ctx);
    dpl__bead_rows_clear(&more, ctx);
    dpl__bead_rows_clear(&none, ctx);
    test_ctx_done(ctx);
}
