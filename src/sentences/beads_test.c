#include "sentences/beads_test.h"

#include "sentences/bead_score.h"
#include "sentences/shape_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Beads as "1-1 2-1 ..."; valid until the next call. */
static const char *shape_of(const dpl_bead *beads, size_t n)
{
    static char out[1000];
    size_t at = 0;
    out[0] = 0;
    for (size_t i = 0; i < n && at + 20 < sizeof out; i++)
        at += (size_t)snprintf(out + at, sizeof out - at, "%s%u-%u", i ? " " : "",
                               beads[i].n_left, beads[i].n_right);
    return out;
}

/* Every sentence of both sides in one bead, in order. */
static void check_cover(const made *m, const dpl_bead *beads, size_t n)
{
    uint32_t i = 0, j = 0;
    for (size_t k = 0; k < n; k++) {
        CHECK_EQ(beads[k].left, i);
        CHECK_EQ(beads[k].right, j);
        CHECK(beads[k].n_left + beads[k].n_right > 0);
        i += beads[k].n_left;
        j += beads[k].n_right;
    }
    CHECK_EQ(i, m->docs[0].n);
    CHECK_EQ(j, m->docs[1].n);
}

static void check_shape(const char *left, const char *right, const char *priors)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    size_t n;
    made_model_init(&model, ctx, 500);
    made m = made_docs(ctx, left, right);
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    CHECK_OK(dpl__bead_aligner_align(b, m.docs, NULL, &test_err));
    const dpl_bead *beads = dpl__bead_aligner_beads(b, &n);
    check_cover(&m, beads, n);
    CHECK_STR(dpl__cstr(shape_of(beads, n)), priors);
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

/* ---- what is expected --------------------------------------------------------------- */

static double expected_of(dpl_ctx *ctx, const char *left, const char *right)
{
    made_model model;
    dpl__bow bow;
    made_model_init(&model, ctx, 500);
    made m = made_docs(ctx, left, right);
    CHECK_OK(dpl__bow_init(&bow, ctx, &model.model, &test_err));
    CHECK_OK(dpl__bow_load(&bow, m.docs, &test_err));
    const double expected = bow.side[DPL__LEFT].expected[0];
    dpl__bow_clear(&bow);
    made_clear(&m);
    made_model_clear(&model);
    return expected;
}

/* Linked or not: the paper's sets of words have each once. */
DPL_TEST(beads, a_word_that_recurs_is_expected_once)
{
    dpl_ctx *ctx = test_ctx(1);
    CHECK_EQ((long)expected_of(ctx, "50 60", "300"), 6); /* without links here */
    CHECK_EQ((long)expected_of(ctx, "50 60 60 60", "300"), 6);
    CHECK_EQ((long)expected_of(ctx, "50 60 60 60", "50 60"), 6); /* linked */
    test_ctx_done(ctx);
}

/* ---- by hand ------------------------------------------------------------------------ */

DPL_TEST(beads, sentences_with_the_same_words_belong_together)
{
    check_shape("50 51 52|60 61 62|70 71 72", "50 51 52|60 61 62|70 71 72", "1-1 1-1 1-1");
}

DPL_TEST(beads, what_is_split_on_one_side_is_one_bead)
{
    check_shape("50 51 52 60 61 62|70 71 72", "50 51 52|60 61 62|70 71 72", "1-2 1-1");
    check_shape("50 51 52|60 61 62|70 71 72", "50 51 52 60 61 62|70 71 72", "2-1 1-1");
    check_shape("50 51 52|60 61 62|70 71 72|75 76 77", "50 51 52 60 61 62 70 71 72 75 76 77",
                "4-1");
    check_shape("50 51 52|60 61 62 70 71 72", "50 51 52 60 61 62|70 71 72", "2-2");
}

DPL_TEST(beads, none_runs_into_another_section)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    size_t n;
    made_model_init(&model, ctx, 500);
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    static const uint8_t second[4] = {0, 1, 0, 0}, third[4] = {0, 0, 1, 0};
    static const struct {
        const uint8_t *left, *right;
        const char *shape;
    } cases[] = {{NULL, NULL, "2-2 1-1"},
                 {third, third, "2-2 1-1"},
                 {second, NULL, NULL},
                 {NULL, second, NULL},
                 {second, second, NULL}};
    for (size_t k = 0; k < DPL_LEN(cases); k++) {
        made m = made_docs(ctx, "50 51 52|60 61 62 70 71 72|80 81 82",
                           "50 51 52 60 61 62|70 71 72|80 81 82");
        m.docs[0].is_section = cases[k].left;
        m.docs[1].is_section = cases[k].right;
        CHECK_OK(dpl__bead_aligner_align(b, m.docs, NULL, &test_err));
        const dpl_bead *beads = dpl__bead_aligner_beads(b, &n);
        check_cover(&m, beads, n);
        if (cases[k].shape)
            CHECK_STR(dpl__cstr(shape_of(beads, n)), cases[k].shape);
        for (size_t i = 0; i < n; i++) {
            for (uint32_t j = 1; j < beads[i].n_left; j++)
                CHECK(!cases[k].left || !cases[k].left[beads[i].left + j]);
            for (uint32_t j = 1; j < beads[i].n_right; j++)
                CHECK(!cases[k].right || !cases[k].right[beads[i].right + j]);
        }
        made_clear(&m);
    }
    dpl__bead_aligner_free(b);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

DPL_TEST(beads, what_is_missing_on_one_side_is_alone)
{
    check_shape("50 51 52 53|60 61 62 63|70 71 72 73", "50 51 52 53|70 71 72 73",
                "1-1 1-0 1-1");
    check_shape("50 51 52 53|70 71 72 73", "50 51 52 53|60 61 62 63|70 71 72 73",
                "1-1 0-1 1-1");
}

DPL_TEST(beads, empty_documents_have_beads_too)
{
    check_shape("", "", "");
    check_shape("1|2", "", "1-0 1-0");
    check_shape("", "1|2|3", "0-1 0-1 0-1");
    check_shape("|", "|", "1-1 1-1"); /* sentences without words */
}

/* ---- the best there is -------------------------------------------------------------- */

static double log_words(const made_model *m, const made *t, int side, const dpl_bead *bead)
{
    const dpl__bead_doc *doc = &t->docs[side], *other = &t->docs[!side];
    uint32_t first = side ? bead->right : bead->left, n = side ? bead->n_right : bead->n_left;
    uint32_t o_first = side ? bead->left : bead->right;
    uint32_t o_n = side ? bead->n_left : bead->n_right;
    double sum = 0, n_other = 0;
    for (uint32_t i = o_first; i < o_first + o_n; i++)
        n_other +=
            other->begin[i + 1] > other->begin[i] ? other->begin[i + 1] - other->begin[i] : 1;
    for (uint32_t i = first; i < first + n; i++)
        for (uint32_t k = doc->begin[i]; k < doc->begin[i + 1]; k++) {
            uint32_t w = doc->tokens[k];
            bool is_repeated = false, is_linked = false;
            double p = 0;
            for (uint32_t at = doc->begin[i]; at < k; at++)
                is_repeated |= doc->tokens[at] == w;
            for (uint32_t o = 0; o < other->begin[other->n]; o++) {
                uint32_t v = other->tokens[o], left = side ? v : w, right = side ? w : v;
                bool is_inside = o >= other->begin[o_first] && o < other->begin[o_first + o_n];
                for (uint64_t l = m->begin[left]; l < m->begin[left + 1]; l++)
                    if (m->links[l].right == right) {
                        is_linked = true;
                        if (is_inside)
                            p += (double)m->links[l].p[!side];
                    }
            }
            double alone = m->is_known[w] ? (float)m->model.null_known : PF(null_unknown);
            if (!is_linked)
                sum +=
                    m->is_known[w] ? log(1 - P(absent_share) * (1 - m->model.null_known)) : 0;
            else if (!is_repeated)
                sum += log(alone + (1 - alone) * p / n_other / (double)m->p[w]);
        }
    return sum;
}

static double chars_of(const dpl__bead_doc *doc, uint32_t first, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = first; i < first + n; i++)
        sum += doc->chars[i] ? doc->chars[i] : 1;
    return sum;
}

static double flat(double off)
{
    return 0.5 * off / (1 + off / P(length_flat));
}

/* Of a run by chance. */
static double chance_of(const made_model *m, int side, unsigned n, double log_chars)
{
    const dpl__run_prior *r = &m->model.priors.runs[side][n];
    double x = log_chars - r->mean;
    return -0.5 * log(r->variance) - flat(x * x / r->variance);
}

/* What a bead is worth, by the book. */
static double naive_value(const made_model *m, const made *t, const dpl_bead *b)
{
    double prior = m->model.priors.log_p[b->n_left][b->n_right];
    if (!b->n_left || !b->n_right)
        return prior;
    dpl__shape_model shape;
    dpl__shape_model_init(&shape, &m->model.priors);
    double left = log(chars_of(&t->docs[0], b->left, b->n_left));
    double right = log(chars_of(&t->docs[1], b->right, b->n_right));
    unsigned bin = (unsigned)((left + right) * (0.5 * DPL__LENGTH_STEPS));
    double x = right - left - shape.log_ratio;
    double chance = chance_of(m, 0, b->n_left, left) + chance_of(m, 1, b->n_right, right);
    return m->model.weight * (log_words(m, t, 0, b) + log_words(m, t, 1, b)) +
           shape.bonus[bin] - flat(x * x * shape.precision[bin]) - chance / 2 + prior;
}

static double naive_best(const made_model *m, const made *t, unsigned max_side)
{
    uint32_t n = t->docs[0].n, n_right = t->docs[1].n;
    double *best = malloc((size_t)(n + 1) * (n_right + 1) * sizeof *best);
    CHECK(best != NULL);
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j <= n_right; j++) {
            double value = i + j ? -1e300 : 0;
            for (unsigned k = 0; k <= max_side && k <= i; k++)
                for (unsigned l = 0; l <= max_side && l <= j; l++) {
                    bool is_kind =
                        k && l ? k + l <= max_side + 1 || (k == 2 && l == 2) : k + l == 1;
                    if (!is_kind)
                        continue;
                    dpl_bead b = {.left = i - k, .n_left = k, .right = j - l, .n_right = l};
                    double here = best[(i - k) * (n_right + 1) + j - l] + naive_value(m, t, &b);
                    value = here > value ? here : value;
                }
            best[i * (n_right + 1) + j] = value;
        }
    double result = best[n * (n_right + 1) + n_right];
    free(best);
    return result;
}

static void check_best(uint64_t seed, uint32_t n, unsigned max_side, size_t max_cells)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    size_t n_beads;
    made_model_init(&model, ctx, 150);
    made m = made_text(ctx, seed, n, 150);
    dpl__bead_options o = {.max_side = max_side, .max_cells = max_cells};
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    CHECK_OK(dpl__bead_aligner_align(b, m.docs, &o, &test_err));
    const dpl_bead *beads = dpl__bead_aligner_beads(b, &n_beads);
    check_cover(&m, beads, n_beads);
    double sum = 0, best = naive_best(&model, &m, max_side);
    for (size_t i = 0; i < n_beads; i++)
        sum += naive_value(&model, &m, &beads[i]);
    if (fabs(sum - best) > 1e-4)
        dpl__test_fail(__FILE__, __LINE__, "seed %llu: sum is %f, best %f (%s)",
                       (unsigned long long)seed, sum, best, shape_of(beads, n_beads));
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

DPL_TEST(beads, nothing_is_better_than_what_is_found)
{
    for (uint64_t seed = 1; seed <= 20; seed++)
        check_best(seed, (uint32_t)(seed % 12), 1 + (unsigned)(seed % 5), 10000);
}

DPL_TEST(beads, the_band_misses_nothing)
{
    for (uint64_t seed = 100; seed < 104; seed++)
        check_best(seed, 22, 4, 1);
}

DPL_TEST(beads, evidence_is_what_the_programme_adds_up)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    made_model_init(&model, ctx, 150);
    made m = made_text(ctx, 7, 12, 150);
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    CHECK_OK(dpl__bead_aligner_align(b, m.docs, NULL, &test_err));
    for (uint32_t i = 0; i + 2 <= m.docs[0].n; i++) {
        dpl_bead bead = {
            .left = i, .n_left = 1 + i % 2, .right = i % 9, .n_right = 1 + i / 2 % 2};
        dpl__bead_score e;
        CHECK_OK(dpl__bead_aligner_score(b, &bead, &e, &test_err));
        double words = log_words(&model, &m, 0, &bead) + log_words(&model, &m, 1, &bead);
        CHECK(fabs(e.words - words) < 1e-4);
        double value = naive_value(&model, &m, &bead) -
                       model.model.priors.log_p[bead.n_left][bead.n_right];
        CHECK(fabs(e.value - value) < 1e-4);
        for (int side = 0; side < 2; side++)
            CHECK(e.coverage[side] >= 0 && e.coverage[side] <= 1 && e.n_tokens[side] >= 1);
    }
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

/* ---- long texts --------------------------------------------------------------------- */

static size_t count_gold(const made *m, const dpl_bead *beads, size_t n)
{
    size_t n_right = 0;
    for (size_t i = 0, k = 0; i < m->gold.n; i++) {
        const dpl_bead *g = &m->gold.data[i];
        while (k < n && (beads[k].left < g->left ||
                         (beads[k].left == g->left && beads[k].right < g->right)))
            k++;
        n_right += k < n && memcmp(&beads[k], g, 4 * sizeof(uint32_t)) == 0;
    }
    return n_right;
}

/* Beads [from, to) lose a side. */
static made made_gap(dpl_ctx *ctx, uint64_t seed, uint32_t n, uint32_t gaps[2][2])
{
    made m = {.ctx = ctx};
    dpl__rng rng = {dpl__mix(seed)};
    for (uint32_t i = 0; i < n; i++) {
        bool no_right = i >= gaps[0][0] && i < gaps[0][1];
        bool no_left = i >= gaps[1][0] && i < gaps[1][1];
        made_bead(&m, &rng, 20000, !no_left, !no_right);
    }
    made_finish(&m);
    return m;
}

DPL_TEST(beads, a_chapter_may_be_missing)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    size_t n;
    uint32_t gaps[2][2] = {{300, 700}, {1500, 2000}};
    made_model_init(&model, ctx, 20000);
    made m = made_gap(ctx, 3, 3000, gaps);
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    CHECK_OK(dpl__bead_aligner_align(b, m.docs, NULL, &test_err));
    const dpl_bead *beads = dpl__bead_aligner_beads(b, &n);
    check_cover(&m, beads, n);
    CHECK(count_gold(&m, beads, n) >= 2990);
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

/* No word is rare, so that there are no anchors, and the way is off the straight line by more
 * than the band is wide. */
DPL_TEST(beads, the_band_is_widened_where_the_way_leaves_it)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    dpl__rng rng = {4};
    size_t n;
    made_model_init(&model, ctx, 200);
    made m = {.ctx = ctx};
    for (uint32_t i = 0; i < 1300; i++)
        made_bead(&m, &rng, 200, i < 1150, i >= 150);
    made_finish(&m);
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    CHECK_OK(dpl__bead_aligner_align(b, m.docs, NULL, &test_err));
    const dpl_bead *beads = dpl__bead_aligner_beads(b, &n);
    check_cover(&m, beads, n);
    CHECK(count_gold(&m, beads, n) >= 1290);
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

DPL_TEST(beads, a_sample_is_pieces_from_anchor_to_anchor)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    size_t n;
    made_model_init(&model, ctx, 20000);
    made m = made_text(ctx, 8, 5000, 20000);
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    dpl__bead_options o = {.sample = 900};
    CHECK_OK(dpl__bead_aligner_align(b, m.docs, &o, &test_err));
    const dpl_bead *beads = dpl__bead_aligner_beads(b, &n);
    CHECK(n > 800 && n < 1600);
    CHECK(beads[n - 1].left > 4000);
    CHECK(count_gold(&m, beads, n) >= n * 98 / 100);
    o.sample = 6000;
    CHECK_OK(dpl__bead_aligner_align(b, m.docs, &o, &test_err));
    beads = dpl__bead_aligner_beads(b, &n);
    check_cover(&m, beads, n);
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

/* One word a sentence: hardly anything to go by, but it must come to an end. */
DPL_TEST(beads, ten_thousand_sentences_of_one_word)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    dpl__rng rng = {1};
    size_t n;
    made_model_init(&model, ctx, 1000);
    made m = {.ctx = ctx};
    for (uint32_t i = 0; i < 10000; i++) {
        uint32_t word = made_word(&rng, 1000);
        made_add(&m, DPL__LEFT, &word, 1, true);
        made_add(&m, DPL__RIGHT, &word, 1, true);
    }
    made_finish(&m);
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    CHECK_OK(dpl__bead_aligner_align(b, m.docs, NULL, &test_err));
    const dpl_bead *beads = dpl__bead_aligner_beads(b, &n);
    check_cover(&m, beads, n);
    CHECK(n > 9900 && n < 10100);
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

DPL_TEST(beads, one_giant_sentence)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    size_t n;
    made_model_init(&model, ctx, 1000);
    made m = made_text(ctx, 5, 2000, 1000);
    uint32_t begin[2] = {0, m.docs[0].begin[m.docs[0].n]};
    uint32_t chars[1] = {begin[1] * 5};
    m.docs[0].begin = begin;
    m.docs[0].chars = chars;
    m.docs[0].n = 1;
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    CHECK_OK(dpl__bead_aligner_align(b, m.docs, NULL, &test_err));
    const dpl_bead *beads = dpl__bead_aligner_beads(b, &n);
    check_cover(&m, beads, n);
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

DPL_TEST(beads, more_than_the_memory_is_an_error)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    made_model_init(&model, ctx, 1000);
    made m = made_text(ctx, 5, 300, 1000);
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    dpl__bead_options o = {.memory = 1000};
    CHECK_EQ(dpl__bead_aligner_align(b, m.docs, &o, &test_err), DPL_E_LIMIT);
    CHECK_OK(dpl__bead_aligner_align(b, m.docs, NULL, &test_err));
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

/* ---- both ways round ---------------------------------------------------------------- */

/* The model with left and right exchanged. */
static void turn(made_model *out, const made_model *m)
{
    made_model_init(out, m->ctx, m->n);
    uint64_t at = 0;
    for (uint32_t w = 0; w < m->n; w++) {
        out->begin[w] = at;
        for (uint32_t v = w ? w - 1 : 0; v <= w; v++)
            for (uint64_t l = m->begin[v]; l < m->begin[v + 1]; l++)
                if (m->links[l].right == w)
                    out->links[at++] = (dpl__bead_link){
                        v, {m->links[l].p[1], m->links[l].p[0]}, m->links[l].information};
    }
    out->begin[m->n] = at;
}

DPL_TEST(beads, swapped_documents_have_mirrored_beads)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model[2];
    made_model_init(&model[0], ctx, 400);
    turn(&model[1], &model[0]);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        made m = made_text(ctx, seed, 80, 400);
        dpl__bead_doc turned[2] = {m.docs[1], m.docs[0]};
        dpl__bead_aligner *b[2] = {NULL, NULL};
        size_t n[2];
        CHECK_OK(dpl__bead_aligner_new(&b[0], ctx, &model[0].model, &test_err));
        CHECK_OK(dpl__bead_aligner_new(&b[1], ctx, &model[1].model, &test_err));
        CHECK_OK(dpl__bead_aligner_align(b[0], m.docs, NULL, &test_err));
        CHECK_OK(dpl__bead_aligner_align(b[1], turned, NULL, &test_err));
        const dpl_bead *x = dpl__bead_aligner_beads(b[0], &n[0]),
                       *y = dpl__bead_aligner_beads(b[1], &n[1]);
        size_t n_same = 0;
        for (size_t i = 0, k = 0; i < n[0]; i++) {
            while (k < n[1] && y[k].right < x[i].left)
                k++;
            for (size_t at = k; at < n[1] && at < k + 3; at++)
                n_same += x[i].left == y[at].right && x[i].n_left == y[at].n_right &&
                          x[i].right == y[at].left && x[i].n_right == y[at].n_left;
        }
        /* 1-0 and 0-1 side by side may come in either order. */
        if (n[0] != n[1] || n_same + 4 < n[0])
            dpl__test_fail(__FILE__, __LINE__, "seed %llu: %zu of %zu, %zu beads",
                           (unsigned long long)seed, n_same, n[0], n[1]);
        dpl__bead_aligner_free(b[0]);
        dpl__bead_aligner_free(b[1]);
        made_clear(&m);
    }
    made_model_clear(&model[0]);
    made_model_clear(&model[1]);
    test_ctx_done(ctx);
}

/* ---- failures ----------------------------------------------------------------------- */

typedef struct failing {
    const made *m;
    const dpl__bead_model *model;
} failing;

static dpl_status body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    failing *f = user;
    dpl__bead_aligner *b = NULL;
    dpl__bead_options o = {.max_cells = 1};
    DPL_TRY(dpl__bead_aligner_new(&b, ctx, f->model, err));
    dpl_status status = dpl__bead_aligner_align(b, f->m->docs, &o, err);
    if (status == DPL_OK)
        status = dpl__bead_aligner_match(b, f->m->docs, 1, err);
    dpl__bead_aligner_free(b);
    return status;
}

DPL_TEST(beads, every_failed_allocation_is_reported)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    made_model_init(&model, ctx, 400);
    made m = made_text(ctx, 9, 100, 400);
    failing f = {&m, &model.model};
    test_allocation_failures(body, &f);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

/* ---- in any order ------------------------------------------------------------------- */

DPL_TEST(beads, in_any_order_each_finds_its_own)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    size_t n;
    made_model_init(&model, ctx, 500);
    made m = made_docs(ctx, "50 51 52 53|60 61 62 63|70 71 72 73|80 81 82 83",
                       "70 71 72 73|90 91 92 93|50 51 52 53|80 81 82 83");
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    CHECK_OK(dpl__bead_aligner_match(b, m.docs, 1, &test_err));
    const dpl_bead *beads = dpl__bead_aligner_beads(b, &n);
    CHECK_STR(dpl__cstr(shape_of(beads, n)), "1-1 1-0 1-1 1-1 0-1");
    CHECK_EQ(beads[0].right, 2);
    CHECK_EQ(beads[2].right, 0);
    CHECK_EQ(beads[3].right, 3);
    CHECK_EQ(beads[4].left, 4);
    CHECK_EQ(beads[4].right, 1);
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

DPL_TEST(beads, in_any_order_a_sentence_that_is_there_twice_has_no_best)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    dpl__bead_aligner *b = NULL;
    size_t n;
    made_model_init(&model, ctx, 500);
    made m = made_docs(ctx, "50 51 52 53|60 61 62 63", "50 51 52 53|60 61 62 63|50 51 52 53");
    CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
    CHECK_OK(dpl__bead_aligner_match(b, m.docs, 1, &test_err));
    const dpl_bead *beads = dpl__bead_aligner_beads(b, &n);
    CHECK_STR(dpl__cstr(shape_of(beads, n)), "1-0 1-1 0-1 0-1");
    dpl__bead_aligner_free(b);
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}

DPL_TEST(beads, words_of_beads_have_a_likelihood_for_any_share_of_unaligned_words)
{
    dpl_ctx *ctx = test_ctx(1);
    made_model model;
    made_model_init(&model, ctx, 150);
    made m = made_text(ctx, 7, 12, 150);
    dpl_bead beads[2] = {{.left = 0, .n_left = 1, .right = 0, .n_right = 1},
                         {.left = 2, .n_left = 2, .right = 1, .n_right = 2}};
    for (double p = 0.4; p < 1; p += 0.2) { /* of words without counterpart */
        dpl__bead_aligner *b = NULL;
        double words[2];
        model.model.null_known = p;
        CHECK_OK(dpl__bead_aligner_new(&b, ctx, &model.model, &test_err));
        CHECK_OK(dpl__bead_aligner_words(b, m.docs, beads, 2, words, &test_err));
        for (int i = 0; i < 2; i++)
            CHECK(fabs(words[i] - log_words(&model, &m, 0, &beads[i]) -
                       log_words(&model, &m, 1, &beads[i])) < 1e-4);
        dpl__bead_aligner_free(b);
    }
    made_clear(&m);
    made_model_clear(&model);
    test_ctx_done(ctx);
}
