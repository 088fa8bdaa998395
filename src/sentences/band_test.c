#include "sentences/band.h"

#include "base/hash.h"
#include "sentences/sentences_params.h"
#include "test.h"

enum { MOST = 400 };

/* Left word i stands for right word i. Sentence k of either side has the words of the things
 * that it says; some things are said on one side alone. */
typedef struct made {
    dpl__bead_model model;
    float p[MOST], expected[MOST];
    bool is_known[MOST];
    uint64_t begin[MOST + 1];
    dpl__bead_link links[MOST];
    uint32_t tokens[2][MOST], sentence[2][MOST + 1], chars[2][MOST], n[2];
    uint32_t right_of[MOST]; /* of each left sentence; UINT32_MAX: none */
    dpl__bead_doc docs[2];
} made;

static void make_up(made *m, dpl__rng *rng, uint32_t n_things, bool has_words)
{
    memset(m, 0, sizeof *m);
    for (uint32_t i = 0; i < MOST; i++) {
        m->p[i] = 1.0f / MOST;
        m->is_known[i] = true;
        m->links[i] = (dpl__bead_link){i, {0.9f, 0.9f}, 5};
        m->begin[i + 1] = i + 1;
    }
    for (uint32_t thing = 0; thing < n_things; thing++) {
        const uint64_t where = dpl__rng_below(rng, 8); /* 0: left, 1: right alone */
        if (where != 1)
            m->right_of[m->n[0]] = where == 0 ? UINT32_MAX : m->n[1];
        for (int side = 0; side < 2; side++) {
            if (where == (uint64_t)!side)
                continue;
            const uint32_t at = m->n[side]++;
            m->tokens[side][at] = thing;
            m->sentence[side][at + 1] = at + 1;
            m->chars[side][at] = 10 + (uint32_t)dpl__rng_below(rng, 60);
        }
    }
    for (int side = 0; side < 2; side++) {
        m->docs[side] = (dpl__bead_doc){.tokens = m->tokens[side],
                                        .begin = m->sentence[side],
                                        .chars = m->chars[side],
                                        .n = m->n[side]};
        m->model.terms[side] = (dpl__bead_terms){MOST, m->p, m->is_known, m->expected};
    }
    m->model.begin = m->begin;
    m->model.links = m->links;
    m->model.weight = has_words ? 0.4 : 0;
    m->model.null_known = P(null_known);
}

/* A band over two documents. */
typedef struct fixture {
    dpl_ctx *ctx;
    dpl__bow bow;
    dpl__band band;
} fixture;

static void find(fixture *f, const made *m, size_t max_cells)
{
    *f = (fixture){.ctx = test_ctx(1)};
    CHECK_OK(dpl__bow_init(&f->bow, f->ctx, &m->model, &test_err));
    CHECK_OK(dpl__bow_load(&f->bow, m->docs, &test_err));
    dpl__band_init(&f->band, f->ctx);
    CHECK_OK(dpl__band_find(&f->band, &f->bow, max_cells, &test_err));
}

static void done(fixture *f)
{
    dpl__band_clear(&f->band);
    dpl__bow_clear(&f->bow);
    test_ctx_done(f->ctx);
}

/* Rows neither fall nor part, and the path begins and ends in it. Returns its nodes. */
static size_t check_band(const fixture *f, const made *m)
{
    const uint32_t *low = f->band.low, *high = f->band.high;
    size_t n = 0;
    CHECK(low[0] == 0 && high[m->n[0]] == m->n[1]);
    for (uint32_t i = 0; i <= m->n[0]; i++) {
        CHECK(low[i] <= high[i] && high[i] <= m->n[1]);
        CHECK(i == 0 || (low[i] >= low[i - 1] && high[i] >= high[i - 1]));
        CHECK(i == 0 || low[i] <= high[i - 1]);
        n += high[i] - low[i] + 1;
    }
    return n;
}

static bool has_node(const fixture *f, uint32_t i, uint32_t j)
{
    return j >= f->band.low[i] && j <= f->band.high[i];
}

DPL_TEST(band, of_short_documents_has_all_nodes)
{
    dpl__rng rng = {dpl__mix(101)};
    static made m;
    for (uint32_t n = 1; n < 40; n++) {
        fixture f;
        make_up(&m, &rng, n, true);
        find(&f, &m, (size_t)m.n[0] * m.n[1]);
        CHECK_EQ(check_band(&f, &m), (size_t)(m.n[0] + 1) * (m.n[1] + 1));
        CHECK_EQ(f.band.areas.n, 0);
        done(&f);
    }
}

DPL_TEST(band, of_long_documents_is_narrow_around_what_is_said_on_both_sides)
{
    dpl__rng rng = {dpl__mix(102)};
    static made m;
    for (int turn = 0; turn < 20; turn++) {
        fixture f;
        make_up(&m, &rng, 150 + 10 * (uint32_t)turn, true);
        find(&f, &m, (size_t)m.n[0] * m.n[1] - 1);
        const size_t n = check_band(&f, &m);
        CHECK(n < (size_t)m.n[0] * 20);
        for (uint32_t i = 0; i < m.n[0]; i++)
            if (m.right_of[i] != UINT32_MAX) /* before and behind the bead */
                CHECK(has_node(&f, i, m.right_of[i]) && has_node(&f, i + 1, m.right_of[i] + 1));
        done(&f);
    }
}

/* Areas cover both documents, one behind the other; anchors are one sentence on each side. */
DPL_TEST(band, areas_follow_each_other)
{
    dpl__rng rng = {dpl__mix(103)};
    static made m;
    for (int turn = 0; turn < 20; turn++) {
        fixture f;
        uint32_t left = 0, right = 0;
        size_t n_anchors = 0;
        make_up(&m, &rng, 300, true);
        find(&f, &m, 0);
        for (size_t k = 0; k < f.band.areas.n; k++) {
            const dpl__area *a = &f.band.areas.data[k];
            CHECK(a->left == left && a->right == right && a->n_left + a->n_right > 0);
            left += a->n_left;
            right += a->n_right;
            n_anchors += a->n_left == 1 && a->n_right == 1 && m.right_of[a->left] == a->right;
        }
        CHECK(left == m.n[0] && right == m.n[1]);
        CHECK(n_anchors > m.n[0] / 3);
        done(&f);
    }
}

static double length_before(const made *m, int side, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += m->chars[side][i];
    return sum;
}

/* Without words nodes are forty from the diagonal of the lengths, either way, or an eighth of
 * the shorter side. */
DPL_TEST(band, without_words_is_that_of_the_diagonal)
{
    dpl__rng rng = {dpl__mix(104)};
    static made m;
    static const uint32_t n_things[] = {170, 250, 399};
    for (size_t turn = 0; turn < DPL_LEN(n_things); turn++) {
        fixture f;
        make_up(&m, &rng, n_things[turn], false);
        find(&f, &m, 0);
        check_band(&f, &m);
        const uint32_t shorter = m.n[0] < m.n[1] ? m.n[0] : m.n[1],
                       wide = shorter / 8 > 40 ? shorter / 8 : 40;
        const double ratio = length_before(&m, 1, m.n[1]) / length_before(&m, 0, m.n[0]);
        for (uint32_t i = 0; i <= m.n[0]; i++) {
            const double at = length_before(&m, 0, i) * ratio;
            uint32_t j = 0;
            while (j < m.n[1] && length_before(&m, 1, j) < at - 1e-9)
                j++;
            const uint32_t low = j > wide ? j - wide : 0,
                           high = j + wide < m.n[1] ? j + wide : m.n[1];
            CHECK(f.band.low[i] <= low && f.band.high[i] >= high);
            CHECK(f.band.low[i] + 12 >= low && f.band.high[i] <= high + 12); /* hardly more */
        }
        done(&f);
    }
}

/* ---- areas of a band ----------------------------------------------------------------------
 */

/* What is reached from the rows of an area in `by` steps, within the area. */
DPL_TEST(band, is_widened_and_clipped_to_an_area)
{
    dpl__rng rng = {dpl__mix(105)};
    static made m;
    for (uint32_t turn = 0; turn < 60; turn++) {
        fixture f;
        static uint32_t low[MOST + 1], high[MOST + 1];
        const uint32_t by = turn % 4;
        make_up(&m, &rng, 120, turn % 2);
        find(&f, &m, turn % 3 ? 0 : MOST * MOST);
        dpl__area a = {.left = (uint32_t)dpl__rng_below(&rng, m.n[0]),
                       .right = (uint32_t)dpl__rng_below(&rng, m.n[1])};
        a.n_left = 1 + (uint32_t)dpl__rng_below(&rng, m.n[0] - a.left);
        a.n_right = 1 + (uint32_t)dpl__rng_below(&rng, m.n[1] - a.right);
        const uint32_t last = a.left + a.n_left, end = a.right + a.n_right;
        memcpy(low, f.band.low, sizeof(uint32_t) * (m.n[0] + 1));
        memcpy(high, f.band.high, sizeof(uint32_t) * (m.n[0] + 1));
        if (by)
            dpl__band_widen(&f.band, a, by);
        else
            dpl__band_clip(&f.band, a);
        for (uint32_t i = 0; i <= m.n[0]; i++) {
            uint32_t want_low = low[i], want_high = high[i];
            if (i >= a.left && i <= last) {
                const uint32_t before = i - a.left > by ? i - by : a.left,
                               behind = last - i > by ? i + by : last;
                want_low = low[before] > by ? low[before] - by : 0;
                want_low = i == a.left || want_low < a.right ? a.right : want_low;
                want_high = high[behind] + by;
                want_high = i == last || want_high > end ? end : want_high;
            }
            CHECK_EQ(f.band.low[i], want_low);
            CHECK_EQ(f.band.high[i], want_high);
        }
        done(&f);
    }
}

static dpl_status find_again(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const made *m = user;
    dpl__bow bow;
    dpl__band band;
    dpl__band_init(&band, ctx);
    dpl_status status = dpl__bow_init(&bow, ctx, &m->model, err);
    if (status == DPL_OK)
        status = dpl__bow_load(&bow, m->docs, err);
    if (status == DPL_OK)
        status = dpl__band_find(&band, &bow, 0, err);
    dpl__band_clear(&band);
    dpl__bow_clear(&bow);
    return status;
}

DPL_TEST(band, survives_every_failing_allocation)
{
    dpl__rng rng = {dpl__mix(106)};
    static made m;
    make_up(&m, &rng, 120, true);
    test_allocation_failures(find_again, &m);
}
