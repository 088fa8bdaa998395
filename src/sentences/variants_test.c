#include "sentences/variants.h"

#include "base/hash.h"
#include "base/order.h"
#include "lexicon/encoded.h"
#include "sentences/sentences_params.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_TERMS = 120, OTHERS = 10 };

/* Words with common beginnings, in byte order; some are known, and have cells. */
typedef struct made {
    dpl_collection *c;
    uint32_t n, order[MOST_TERMS];
    bool is_known[MOST_TERMS];
    dpl__cell_list cells;
} made;

static const dpl_collection *sorted_by;

static int by_text(const void *a, const void *b)
{
    return dpl__str_cmp(dpl_collection_term(sorted_by, *(const uint32_t *)a),
                        dpl_collection_term(sorted_by, *(const uint32_t *)b));
}

static void make_up(made *m, dpl_ctx *ctx, dpl__rng *rng, int side)
{
    static const char *const stems[] = {"strasse", "strand", "stein", "wolke", "geb"};
    static char json[8000];
    *m = (made){.n = 0};
    size_t at = (size_t)sprintf(json, "{\"id\":\"a\",\"text\":\"");
    for (int i = 0; i < 80; i++) {
        at += (size_t)sprintf(json + at, "%s", stems[dpl__rng_below(rng, DPL_LEN(stems))]);
        for (uint64_t k = dpl__rng_below(rng, 9); k > 0; k--)
            json[at++] = "abn"[dpl__rng_below(rng, 3)];
        json[at++] = ' ';
    }
    at += (size_t)sprintf(json + at, "\"}\n");
    const dpl_input in = {.buffer = {json, at}};
    CHECK_OK(dpl_collection_from_inputs(&m->c, NULL, ctx, &in, 1, NULL, &test_err));
    m->n = dpl_collection_get_sizes(m->c)->n_terms;
    CHECK(m->n <= MOST_TERMS);
    for (uint32_t t = 0; t < m->n; t++) {
        m->order[t] = t;
        m->is_known[t] = dpl__rng_below(rng, 3) == 0;
        for (uint32_t other = 0; other < OTHERS && m->is_known[t]; other++) {
            const dpl__cell c = {.row = side == DPL__LEFT ? t : other,
                                 .col = side == DPL__LEFT ? other : t,
                                 .p = (float)(1 + dpl__rng_below(rng, 100)) / 200};
            if (dpl__rng_below(rng, 3) == 0)
                CHECK(dpl__vec_push(ctx, &m->cells, c));
        }
    }
    sorted_by = m->c;
    qsort(m->order, m->n, sizeof *m->order, by_text);
}

/* The share of the common prefix; 0: it is below five bytes or half of the longer word. */
static double naive_similarity(const made *m, uint32_t a, uint32_t b)
{
    const dpl_str x = dpl_collection_term(m->c, a), y = dpl_collection_term(m->c, b);
    const size_t longest = x.n > y.n ? x.n : y.n;
    size_t n = 0;
    while (n < x.n && n < y.n && x.data[n] == y.data[n])
        n++;
    return n >= 5 && 2 * n >= longest ? (double)n / (double)longest : 0;
}

/* The known word next in byte order, before (-1) or behind (1); UINT32_MAX: there is none. */
static uint32_t next_known(const made *m, uint32_t term, int way)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t t = 0; t < m->n; t++) {
        const dpl_str text = dpl_collection_term(m->c, t);
        if (!m->is_known[t] || way * dpl__str_cmp(text, dpl_collection_term(m->c, term)) < 0)
            continue;
        if (best == UINT32_MAX || way * dpl__str_cmp(text, dpl_collection_term(m->c, best)) < 0)
            best = t;
    }
    return best;
}

static bool has_cell(const dpl__cell_list *cells, size_t from, dpl__cell want)
{
    for (size_t i = from; i < cells->n; i++)
        if (cells->data[i].row == want.row && cells->data[i].col == want.col &&
            fabsf(cells->data[i].p - want.p) < 1e-6f)
            return true;
    return false;
}

DPL_TEST(variants, take_cells_of_the_known_word_that_is_most_alike)
{
    dpl__rng rng = {dpl__mix(91)};
    size_t n_all = 0;
    for (int turn = 0; turn < 40; turn++) {
        const int side = turn % 2 ? DPL__RIGHT : DPL__LEFT;
        dpl_ctx *ctx = test_ctx(1);
        made m;
        size_t n_new = 0;
        make_up(&m, ctx, &rng, side);
        const size_t n_before = m.cells.n;
        const dpl__variants v = {ctx, m.c, side, m.n, m.order, m.is_known};
        CHECK_OK(dpl__variants_add(&m.cells, &v, &test_err));
        for (uint32_t t = 0; t < m.n; t++) {
            double like[2] = {0, 0};
            uint32_t from[2];
            if (m.is_known[t])
                continue;
            for (int i = 0; i < 2; i++) {
                from[i] = next_known(&m, t, i ? 1 : -1);
                like[i] = from[i] == UINT32_MAX ? 0 : naive_similarity(&m, t, from[i]);
            }
            const int best = like[1] > like[0];
            for (size_t k = 0; k < n_before && like[best] > 0; k++) {
                dpl__cell c = m.cells.data[k];
                if ((side == DPL__LEFT ? c.row : c.col) != from[best])
                    continue;
                *(side == DPL__LEFT ? &c.row : &c.col) = t;
                c.p *= (float)(P(variant_weight) * like[best] * like[best]);
                if (c.p < 0.02f)
                    continue;
                CHECK(has_cell(&m.cells, n_before, c));
                n_new++;
            }
        }
        CHECK_EQ(m.cells.n, n_before + n_new);
        n_all += n_new;
        dpl__vec_clear(ctx, &m.cells);
        dpl_collection_close(m.c);
        test_ctx_done(ctx);
    }
    CHECK(n_all > 400);
}
