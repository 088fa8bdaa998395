/* Tables and figures of document mining on documents whose common runs of words are known. */
#include "lab/mining.h"

#include "lab/cells_test.h"
#include "lab/data.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Left document i and right document i begin with the same 6 + 2 i words. Of the first pairs,
 * which are gold, three have their text in another document of the right side. */
enum { DOCS = 30, GOLD = 20, FILLER = 40, MOST_WORDS = 6 + 2 * DOCS + FILLER, MOVED = 3 };

static const dpl_lab_experiment about = {.name = "mining-figures-test"};

typedef struct bench {
    dpl__lab lab;
    dpl_lab_options set;
    dpl_input inputs[2];
    dpl__lab_data data;
    unsigned words[2][DOCS][MOST_WORDS], n_words[DOCS];
    char json[2][DOCS * (MOST_WORDS * 8 + 80)];
    char gold[GOLD * 20];
} bench;

/* The right document that has the words of the left one. */
static unsigned counterpart(unsigned left)
{
    if (left % 4 == 2 && left / 4 < MOVED)
        return GOLD + left / 4;
    return left >= GOLD && left < GOLD + MOVED ? (left - GOLD) * 4 + 2 : left;
}

static void fill(bench *b, dpl__rng *rng)
{
    for (unsigned doc = 0; doc < DOCS; doc++) {
        const unsigned n = 6 + 2 * doc;
        b->n_words[doc] = n + FILLER;
        for (unsigned side = 0; side < 2; side++)
            for (unsigned i = 0; i < n + FILLER; i++)
                b->words[side][doc][i] =
                    i < n ? 1000 + doc * 100 + i : (unsigned)dpl__rng_below(rng, 25);
    }
}

static void write_side(bench *b, unsigned side)
{
    char *at = b->json[side];
    for (unsigned i = 0; i < DOCS; i++) {
        const unsigned doc = side ? counterpart(i) : i;
        at +=
            sprintf(at, "{\"id\":\"%c%02u\",\"lang\":\"en\",\"text\":\"", side ? 'r' : 'l', i);
        for (unsigned k = 0; k < b->n_words[doc]; k++)
            at += sprintf(at, "%sw%u", k ? " " : "", b->words[side][doc][k]);
        at += sprintf(at, "\"}\n");
    }
    b->inputs[side] = (dpl_input){.buffer = dpl__cstr(b->json[side])};
}

static bench *bench_open(void)
{
    bench *b = calloc(1, sizeof *b);
    dpl__rng rng = {81};
    char *gold = b->gold;
    b->set = (dpl_lab_options)DPL_INIT(dpl_lab_options, .repeats = 1, .small = true);
    fill(b, &rng);
    for (unsigned side = 0; side < 2; side++)
        write_side(b, side);
    for (unsigned i = 0; i < GOLD; i++)
        gold += sprintf(gold, "l%02u\tr%02u\n", i, i);
    b->set.gold = test_write("gold", b->gold, (size_t)(gold - b->gold));
    dpl_ctx *ctx = test_ctx(1);
    dpl__lab_data_init(&b->data, ctx);
    b->lab = (dpl__lab){.ctx = ctx,
                        .about = &about,
                        .set = &b->set,
                        .inputs = b->inputs,
                        .n_inputs = 2,
                        .data = &b->data,
                        .folder = test_dir(),
                        .scratch = test_dir()};
    dpl__arena_init(&b->lab.arena, ctx);
    for (unsigned side = 0; side < 2; side++) { /* as if it were translated already */
        dpl_collection *c = NULL;
        CHECK_OK(dpl__mining_words(&c, &b->lab, side, &test_err));
        CHECK_OK(dpl_collection_save(c, test_path(side ? "mining-1.dpl" : "mining-0.dpl"),
                                     &test_err));
        dpl_collection_close(c);
    }
    return b;
}

static void bench_close(bench *b)
{
    dpl__lab *lab = &b->lab;
    dpl_ctx *ctx = lab->ctx;
    dpl__lab_tables_clear(lab);
    dpl__vec_clear(ctx, &lab->findings, &lab->notes, &lab->plots, &lab->pictures);
    dpl__arena_clear(&lab->arena);
    dpl__lab_data_clear(&b->data);
    test_ctx_done(ctx);
    free(b);
}

static bool has_line(dpl_ctx *ctx, dpl__bytes *lines, const char *text)
{
    CHECK(dpl__vec_push(ctx, lines, '\0'));
    const bool is_there = strstr(lines->data, text) != NULL;
    lines->n--;
    return is_there;
}

/* A curve of the script: rows whose first column has a name, and two columns of them. */
static void check_curve(bench *b, const char *title, const char *rows, unsigned x, unsigned y,
                        unsigned colour)
{
    char text[400];
    snprintf(text, sizeof text,
             "using (strcol(1) eq \"%s\" ? column(%u) : NaN):(strcol(1) eq \"%s\" ? column(%u) "
             ": NaN) with linespoints ls %u title \"%s\" noenhanced",
             rows, x, rows, y, colour, title);
    if (!has_line(b->lab.ctx, &b->lab.plots, text))
        dpl__test_fail(__FILE__, __LINE__, "no curve %s", text);
}

static void check_found(bench *b, const char *line)
{
    if (!has_line(b->lab.ctx, &b->lab.findings, line))
        dpl__test_fail(__FILE__, __LINE__, "nothing is found of: %s", line);
}

/* ---- precision and recall by the threshold ----------------------------------------- */

static const double thresholds[] = {0.06, 0.10, 0.12, 0.16, 0.20};

/* Counts of a search's pairs against gold: every `step`-th pair of the first GOLD ones. */
typedef struct counts {
    uint64_t n_found, n_right, n_touching, n_gold;
} counts;

static unsigned number_of(const dpl_collection *c, uint32_t doc)
{
    return (unsigned)atoi(dpl_collection_doc(c, doc).id.data + 1);
}

static bool is_gold(unsigned doc, unsigned step)
{
    return doc < GOLD && doc % step == 0;
}

static counts count(const dpl__mining_found *found, unsigned step, double threshold)
{
    counts n = {.n_gold = (GOLD + step - 1) / step};
    for (size_t i = 0; i < found->pairs.n; i++) {
        const dpl_pair *p = &found->pairs.data[i];
        const unsigned left = number_of(found->sides->c[0], p->left),
                       right = number_of(found->sides->c[1], p->right);
        if ((double)p->score < threshold)
            continue;
        n.n_found++;
        if (left == right && is_gold(left, step))
            n.n_right++;
        else
            n.n_touching += is_gold(left, step) || is_gold(right, step);
    }
    return n;
}

static void check_number(const dpl__lab_table *t, size_t row, unsigned column, double expected)
{
    if (fabs(test_number(t, row, column) - expected) > 5.1e-5)
        dpl__test_fail(__FILE__, __LINE__, "row %zu column %u: %g instead of %g", row, column,
                       test_number(t, row, column), expected);
}

/* What is said of the rows: at 0.10, from the first to the last, and the best. */
static void check_said(bench *b, const char *name, const char *what)
{
    const dpl__lab_table *t = test_table(&b->lab, NULL);
    const size_t first = test_row(t, name, 0), last = first + DPL_LEN(thresholds) - 1;
    size_t best = first;
    char line[500];
    for (size_t row = first; row <= last; row++) {
        CHECK(test_cell(t, row, 2).n > 0); /* every threshold has pairs */
        best = test_number(t, row, 4) > test_number(t, best, 4) ? row : best;
    }
    snprintf(line, sizeof line,
             "- %s: at threshold 0.10 precision %.3f and recall %.3f; from 0.06 to 0.20 "
             "precision goes from %.3f to %.3f, recall from %.3f to %.3f; F1 is best at %.2f "
             "(%.3f)\n",
             what, test_number(t, first + 1, 2), test_number(t, first + 1, 3),
             test_number(t, first, 2), test_number(t, last, 2), test_number(t, first, 3),
             test_number(t, last, 3), test_number(t, best, 1), test_number(t, best, 4));
    check_found(b, line);
}

static void check_rows(bench *b, const char *name, unsigned step,
                       const dpl__mining_sides *sides, dpl_select select)
{
    const dpl__lab_table *t = test_table(&b->lab, NULL);
    const dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .threshold = thresholds[0], .select = select);
    dpl__mining_found found = {0};
    CHECK_OK(dpl__mining_find(&found, &b->lab, sides, &o, &test_err));
    for (size_t i = 0; i < DPL_LEN(thresholds); i++) {
        const size_t row = test_row(t, name, i);
        const counts n = count(&found, step, thresholds[i]);
        const double precision = (double)n.n_right / (double)(n.n_right + n.n_touching),
                     recall = (double)n.n_right / (double)n.n_gold;
        double ends[2];
        CHECK(row != SIZE_MAX && n.n_right > 0);
        check_number(t, row, 1, thresholds[i]);
        check_number(t, row, 2, precision);
        check_number(t, row, 3, recall);
        check_number(t, row, 4, 2 * precision * recall / (precision + recall));
        CHECK_EQ(test_number(t, row, 5), n.n_found);
        for (unsigned k = 0; k < 2; k++) {
            dpl__lab_wilson(ends, n.n_right, k ? n.n_gold : n.n_right + n.n_touching);
            check_number(t, row, 6 + 2 * k, ends[0]);
            check_number(t, row, 7 + 2 * k, ends[1]);
        }
    }
    CHECK_EQ(test_row(t, name, DPL_LEN(thresholds)), SIZE_MAX);
    dpl__mining_found_clear(&found);
}

/* What the paper prints: no pairs and no intervals. */
static void check_paper(bench *b, double precision, double recall)
{
    const dpl__lab_table *t = test_table(&b->lab, NULL);
    for (size_t i = 0; i < DPL_LEN(thresholds); i++) {
        const size_t row = test_row(t, "paper", i);
        check_number(t, row, 1, thresholds[i]);
        for (unsigned column = 5; column < 10; column++)
            CHECK_EQ(test_cell(t, row, column).n, 0);
    }
    check_number(t, test_row(t, "paper", 0), 2, precision);
    check_number(t, test_row(t, "paper", 0), 3, recall);
}

DPL_TEST(mining_figures, precision_and_recall_are_those_of_the_pairs_at_each_threshold)
{
    bench *b = bench_open();
    dpl__mining_sides sides;
    CHECK_OK(dpl__lab_mining_table_1(&b->lab, &test_err));
    CHECK_OK(dpl__mining_sides_open(&sides, &b->lab, &test_err));
    check_paper(b, 0.92, 0.91);
    check_rows(b, "plain", 1, &sides, DPL_SELECT_MUTUAL);
    check_rows(b, "near", 1, &sides, DPL_SELECT_NEAR);
    const dpl__lab_table *t = test_table(&b->lab, NULL);
    const double recall = test_number(t, test_row(t, "plain", 0), 3);
    CHECK(recall > 0.5 && recall <= (GOLD - MOVED) / (double)GOLD);
    CHECK(test_number(t, test_row(t, "plain", 0), 2) < 1); /* moved texts touch gold */
    CHECK(has_line(b->lab.ctx, &b->lab.notes, "20 gold pairs; the paper: 7,286"));
    check_said(b, "plain", "the paper's rule");
    check_said(b, "near", "with near-duplicates kept");
    check_curve(b, "precision, plain rule", "plain", 2, 3, 1);
    check_curve(b, "recall, plain rule", "plain", 2, 4, 2);
    check_curve(b, "recall, near-duplicates kept", "near", 2, 4, 3);
    check_curve(b, "precision in the paper", "paper", 2, 3, 6);
    check_curve(b, "recall in the paper", "paper", 2, 4, 5);
    /* room below the lowest point, in tenths */
    double lowest = 0.83;
    for (size_t row = 0; row < t->n_rows; row++)
        if (test_row(t, "paper", 0) > row || test_row(t, "paper", 4) < row)
            lowest = fmin(lowest, fmin(test_number(t, row, 2), test_number(t, row, 3)));
    char range[60];
    snprintf(range, sizeof range, "set yrange [%g:1.02]\n",
             fmax(0, floor(10 * (lowest - 0.6 * (1 - lowest))) / 10));
    CHECK(has_line(b->lab.ctx, &b->lab.plots, range));
    dpl__mining_sides_close(&sides);
    bench_close(b);
}

/* A fifth of the documents at most are reference: every fourth gold pair. */
DPL_TEST(mining_figures, among_others_the_reference_is_a_fifth_of_the_documents)
{
    enum { STEP = 4 };
    bench *b = bench_open();
    dpl__mining_sides all;
    CHECK_OK(dpl__lab_mining_table_3(&b->lab, &test_err));
    CHECK_OK(dpl__mining_sides_open(&all, &b->lab, &test_err));
    check_paper(b, 0.88, 0.68);
    check_rows(b, "all, plain", STEP, &all, DPL_SELECT_MUTUAL);
    check_rows(b, "all, near", STEP, &all, DPL_SELECT_NEAR);
    const dpl__lab_table *t = test_table(&b->lab, NULL);
    CHECK_EQ(test_number(t, test_row(t, "reference, plain", 0), 5), GOLD / STEP);
    check_number(t, test_row(t, "reference, plain", 0), 2, 1);
    check_number(t, test_row(t, "reference, plain", 0), 3, 1);
    CHECK(has_line(b->lab.ctx, &b->lab.notes,
                   "5 gold pairs are the reference, among 30 and 30 documents"));
    check_said(b, "reference, plain", "reference documents only");
    check_said(b, "all, plain", "among all documents");
    check_said(b, "all, near", "among all documents with near-duplicates kept");
    check_curve(b, "precision among all", "all, plain", 2, 3, 1);
    check_curve(b, "recall among all", "all, plain", 2, 4, 2);
    check_curve(b, "recall among all, near-duplicates kept", "all, near", 2, 4, 3);
    check_curve(b, "recall, reference documents only", "reference, plain", 2, 4, 4);
    char line[100];
    snprintf(line, sizeof line, "change the recall at 0.10 by %+.3f (",
             test_number(t, test_row(t, "all, plain", 1), 3) -
                 test_number(t, test_row(t, "reference, plain", 1), 3));
    check_found(b, line);
    dpl__mining_sides_close(&all);
    bench_close(b);
}

/* Two documents each, so that there are ten; the others become books of their own. */
DPL_TEST(mining_figures, documents_are_joined_to_at_least_ten_books)
{
    bench *b = bench_open();
    CHECK_OK(dpl__lab_mining_table_4(&b->lab, &test_err));
    check_paper(b, 0.95, 0.71);
    const dpl__lab_table *t = test_table(&b->lab, NULL);
    static const char *const rows[] = {"1/16, plain", "1/16, plain, any order", "all, plain"};
    for (size_t i = 0; i < DPL_LEN(rows); i++)
        for (size_t k = 0; k < DPL_LEN(thresholds); k++) {
            const size_t row = test_row(t, rows[i], k);
            CHECK(row != SIZE_MAX);
            check_number(t, row, 1, thresholds[k]);
            CHECK(test_number(t, row, 3) <= 1 && test_number(t, row, 5) <= 15);
            CHECK(k == 0 || test_number(t, row, 5) <= test_number(t, row - 1, 5));
        }
    /* three of ten books have half of their text in another book of the right side */
    check_number(t, test_row(t, "all, plain", 0), 3, 0.7);
    CHECK(test_number(t, test_row(t, "1/16, plain", 0), 5) <=
          test_number(t, test_row(t, "all, plain", 0), 5));
    CHECK(has_line(b->lab.ctx, &b->lab.notes, "2 consecutive documents are joined to a book"));
    CHECK(has_line(b->lab.ctx, &b->lab.notes, "15 and 15 books of "));
    CHECK(has_line(b->lab.ctx, &b->lab.notes, "10 of them pairs"));
    uint64_t n_words = 0;
    for (unsigned i = 0; i < DOCS; i++)
        n_words += b->n_words[i];
    char line[100];
    snprintf(line, sizeof line, "15 and 15 books of %u and %u words on average",
             (unsigned)n_words / 15, (unsigned)n_words / 15);
    CHECK(has_line(b->lab.ctx, &b->lab.notes, line));
    check_curve(b, "precision, one n-gram in 16", "1/16, plain", 2, 3, 1);
    check_curve(b, "recall, one n-gram in 16", "1/16, plain", 2, 4, 2);
    check_curve(b, "recall, all matching n-grams", "all, plain", 2, 4, 3);
    check_curve(b, "recall in the paper", "paper", 2, 4, 5);
    const size_t any = test_row(t, "1/16, plain, any order", 1);
    snprintf(line, sizeof line, "precision %.3f and recall %.3f at 0.10",
             test_number(t, any, 2), test_number(t, any, 3));
    check_found(b, line);
    bench_close(b);
}

/* ---- n-grams ----------------------------------------------------------------------- */

/* Do the documents have a run of n words in common? */
static bool share_run(const bench *b, unsigned left, unsigned right, unsigned n)
{
    const unsigned doc = counterpart(right), *x = b->words[0][left], *y = b->words[1][doc];
    for (unsigned i = 0; i + n <= b->n_words[left]; i++)
        for (unsigned k = 0; k + n <= b->n_words[doc]; k++)
            if (memcmp(x + i, y + k, n * sizeof *x) == 0)
                return true;
    return false;
}

static unsigned count_sharing(const bench *b, unsigned n)
{
    unsigned n_pairs = 0;
    for (unsigned left = 0; left < DOCS; left++)
        for (unsigned right = 0; right < DOCS; right++)
            n_pairs += share_run(b, left, right, n);
    return n_pairs;
}

/* Runs of two words are in many documents here, but in no more than 50 of 60. */
DPL_TEST(mining_figures, comparisons_are_the_pairs_that_share_a_run_of_words)
{
    bench *b = bench_open();
    CHECK_OK(dpl__lab_mining_figure_3(&b->lab, &test_err));
    const dpl__lab_table *t = test_table(&b->lab, NULL);
    CHECK_EQ(t->n_rows, 4);
    for (unsigned n = 2; n <= 5; n++) {
        const size_t row = test_row(t, "measured", n - 2);
        CHECK_EQ(test_number(t, row, 1), n);
        CHECK_EQ(test_number(t, row, 2), count_sharing(b, n));
        CHECK(test_number(t, row, 3) <= test_number(t, row, 2));
        CHECK(test_number(t, row, 3) <= 20 * DOCS);
        CHECK_EQ(test_number(t, row, 5), 0);
    }
    CHECK(count_sharing(b, 2) > 10 * count_sharing(b, 5));
    CHECK(count_sharing(b, 5) >= DOCS);
    char line[200];
    snprintf(
        line, sizeof line,
        "of 5 words instead of 2 make %.1f times fewer comparisons (in the paper 42 times), "
        "of 5 instead of 4 %.1f times",
        (double)count_sharing(b, 2) / count_sharing(b, 5),
        (double)count_sharing(b, 4) / count_sharing(b, 5));
    check_found(b, line);
    snprintf(line, sizeof line, "doppel scores %.0f %% at 2 words and %.0f %% at 5",
             100 * test_number(t, 0, 3) / test_number(t, 0, 2),
             100 * test_number(t, 3, 3) / test_number(t, 3, 2));
    check_found(b, line);
    /* from the power of ten below the fewest to that above the most */
    CHECK(count_sharing(b, 2) >= 100 && count_sharing(b, 2) < 1000);
    CHECK(test_number(t, 3, 3) >= 10 && test_number(t, 3, 3) < 100);
    CHECK(has_line(b->lab.ctx, &b->lab.plots, "set yrange [10:1000]\n"));
    check_curve(b, "pairs that share a matching n-gram (the paper's comparisons)", "measured",
                2, 3, 1);
    check_curve(b, "pairs that doppel scores (20 of a document)", "measured", 2, 4, 2);
    bench_close(b);
}

DPL_TEST(mining_figures, every_order_of_matching_and_scoring_has_its_row)
{
    bench *b = bench_open();
    dpl__mining_sides sides;
    CHECK_OK(dpl__lab_mining_figure_2(&b->lab, &test_err));
    CHECK_OK(dpl__mining_sides_open(&sides, &b->lab, &test_err));
    const dpl__lab_table *t = test_table(&b->lab, NULL);
    size_t row = 0;
    double best = 0;
    for (unsigned matching = 2; matching <= 5; matching++)
        for (unsigned scoring = 2; scoring <= 5; scoring++, row++) {
            const dpl_ngram_options ngram =
                DPL_INIT(dpl_ngram_options, .matching = matching, .scoring = scoring);
            const dpl_pairs_options o =
                DPL_INIT(dpl_pairs_options, .select = DPL_SELECT_MUTUAL, .ngram = &ngram);
            dpl__mining_found found = {0};
            CHECK_OK(dpl__mining_find(&found, &b->lab, &sides, &o, &test_err));
            const counts n = count(&found, 1, 0);
            const double p = (double)n.n_right / (double)(n.n_right + n.n_touching),
                         r = (double)n.n_right / (double)n.n_gold;
            CHECK_EQ(test_number(t, row, 0), matching);
            CHECK_EQ(test_number(t, row, 1), scoring);
            check_number(t, row, 2, p);
            check_number(t, row, 3, r);
            check_number(t, row, 4, 2 * p * r / (p + r));
            CHECK_EQ(test_number(t, row, 5), found.counts.n_candidates);
            best = fmax(best, 2 * p * r / (p + r));
            dpl__mining_found_clear(&found);
        }
    CHECK_EQ(t->n_rows, row);
    char line[40];
    snprintf(line, sizeof line, "words: %.3f\n", best);
    check_found(b, line);
    for (unsigned n = 2; n <= 5; n++) {
        char title[20], rows[2] = {(char)('0' + n), 0};
        snprintf(title, sizeof title, "%u-gram matching", n);
        check_curve(b, title, rows, 2, 5, n - 1);
    }
    dpl__mining_sides_close(&sides);
    bench_close(b);
}

/* ---- scores
 * ---------------------------------------------------------------------------------- */

/* Mutual best pairs of those that share a run of five words, by the score of a scheme. */
static void select_best(dpl__mining_found *out, const bench *b, const dpl__mining_grams *g,
                        dpl__mining_scheme scheme)
{
    double score[DOCS][DOCS] = {{0}};
    for (unsigned left = 0; left < DOCS; left++)
        for (unsigned right = 0; right < DOCS; right++)
            if (share_run(b, left, right, 5))
                score[left][right] =
                    (double)(float)dpl__mining_grams_score(g, left, DOCS + right, scheme);
    out->pairs.n = 0;
    for (unsigned left = 0; left < DOCS; left++)
        for (unsigned right = 0; right < DOCS; right++) {
            bool is_best = score[left][right] > 0;
            for (unsigned other = 0; other < DOCS; other++)
                is_best = is_best && score[left][other] <= score[left][right] &&
                          score[other][right] <= score[left][right];
            if (is_best)
                CHECK(dpl__vec_push(b->lab.ctx, &out->pairs,
                                    ((dpl_pair){left, right, (float)score[left][right]})));
        }
}

DPL_TEST(mining_figures, every_score_stands_at_the_threshold_that_is_best_for_it)
{
    static const char *const schemes[] = {"idf (the paper's)", "tf-idf", "BM25"};
    bench *b = bench_open();
    dpl__mining_sides sides;
    dpl__mining_grams g = {0};
    CHECK_OK(dpl__lab_mining_scores(&b->lab, &test_err));
    CHECK_OK(dpl__mining_sides_open(&sides, &b->lab, &test_err));
    CHECK_OK(dpl__mining_grams_make(&g, &b->lab, &sides, &test_err));
    const dpl__lab_table *t = test_table(&b->lab, NULL),
                         *d = test_table(&b->lab, "differences");
    dpl__mining_outcomes out;
    CHECK_EQ(t->n_rows, 3);
    CHECK_EQ(d->n_rows, 2);
    CHECK_OK(dpl__mining_outcomes_begin(&out, &b->lab, 3, &test_err));
    for (unsigned scheme = 0; scheme < 3; scheme++) {
        dpl__mining_found found = {.ctx = b->lab.ctx, .sides = &sides};
        counts best = {0};
        double f1 = -1, at = 0;
        select_best(&found, b, &g, scheme);
        for (unsigned i = 0; i < 40; i++) {
            const counts n = count(&found, 1, 0.005 * i);
            const double sum = (double)(2 * n.n_right + n.n_touching) +
                               (double)(n.n_gold - n.n_right),
                         now = 2 * (double)n.n_right / sum;
            if (now <= f1)
                continue;
            f1 = now;
            best = n;
            at = 0.005 * i;
        }
        const size_t row = test_row(t, schemes[scheme], 0);
        CHECK_EQ(row, scheme);
        check_number(t, row, 1, at);
        check_number(t, row, 2,
                     (double)best.n_right / (double)(best.n_right + best.n_touching));
        check_number(t, row, 3, (double)best.n_right / (double)best.n_gold);
        check_number(t, row, 4, f1);
        dpl__mining_outcomes_add(&out, &found, scheme, at);
        double bounds[2];
        CHECK_OK(dpl__mining_difference(bounds, &b->lab, &out, 0, scheme, &test_err));
        for (unsigned k = 0; scheme && k < 2; k++)
            check_number(d, scheme - 1, 2 + k, bounds[k]);
        if (scheme) {
            CHECK(dpl__str_eq(test_cell(d, scheme - 1, 0), dpl__cstr(schemes[scheme])));
            CHECK(fabs(test_number(d, scheme - 1, 1) - (f1 - test_number(t, 0, 4))) < 2e-4);
        }
        dpl__mining_found_clear(&found);
    }
    dpl__vec_clear(b->lab.ctx, &g.all);
    dpl__mining_sides_close(&sides);
    bench_close(b);
}

/* Of matching n-grams: runs of five words. */
DPL_TEST(mining_figures, statistics_of_runs_of_words_are_shares_of_all_of_them)
{
    static const char *const names[] = {
        "matching n-grams of one document", "matching n-grams of one language",
        "matching n-grams in more than 50 documents", "scoring n-grams kept, by occurrences"};
    bench *b = bench_open();
    dpl__mining_sides sides;
    dpl__mining_found found = {0};
    const dpl_ngram_options ngram =
        DPL_INIT(dpl_ngram_options, .max_disorder = -1, .all_candidates = true);
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .threshold = 0.001,
                                         .select = DPL_SELECT_ALL, .ngram = &ngram);
    CHECK_OK(dpl__lab_mining_scores(&b->lab, &test_err));
    CHECK_OK(dpl__mining_sides_open(&sides, &b->lab, &test_err));
    CHECK_OK(dpl__mining_find(&found, &b->lab, &sides, &o, &test_err));
    const dpl_ngram_summary *s = &found.counts;
    const double shares[] = {(double)s->n_single / (double)s->n_matching,
                             (double)s->n_one_group / (double)s->n_matching,
                             (double)s->n_frequent / (double)s->n_matching,
                             (double)s->n_kept / (double)s->n_entries};
    const dpl__lab_table *t = test_table(&b->lab, "statistics");
    CHECK_EQ(t->n_rows, DPL_LEN(names));
    for (size_t i = 0; i < DPL_LEN(names); i++) {
        CHECK(dpl__str_eq(test_cell(t, i, 0), dpl__cstr(names[i])));
        CHECK(fabs(test_number(t, i, 1) - 100 * shares[i]) < 0.0051);
    }
    /* runs of words that a pair shares are in two documents, most others in one */
    CHECK(shares[0] > 0.5 && shares[0] < 1);
    char line[300];
    snprintf(
        line, sizeof line,
        "of %llu distinct matching n-grams (%.0f of a document; paper: 250) %.1f %% are in "
        "one document, %.1f %% in one language, %.2f %% too frequent",
        (unsigned long long)s->n_matching, (double)s->n_postings / s->n_docs, 100 * shares[0],
        100 * shares[1], 100 * shares[2]);
    check_found(b, line);
    dpl__mining_found_clear(&found);
    dpl__mining_sides_close(&sides);
    bench_close(b);
}

/* ---- growth
 * ---------------------------------------------------------------------------------- */

/* Smaller subsets are in larger ones; the last one is everything. */
DPL_TEST(mining_figures, subsets_grow_to_the_whole_collections)
{
    bench *b = bench_open();
    CHECK_OK(dpl__lab_mining_growth(&b->lab, &test_err));
    const dpl__lab_table *t = test_table(&b->lab, NULL), *p = test_table(&b->lab, "powers");
    CHECK_EQ(p->n_rows, 3);
    CHECK_EQ(t->n_rows % 3, 0);
    const size_t n = t->n_rows / 3;
    for (size_t i = 0; i < t->n_rows; i++) {
        CHECK(dpl__str_eq(test_cell(t, i, 0), test_cell(p, i / n, 0)));
        CHECK(i % n == 0 || test_number(t, i - 1, 1) <= test_number(t, i, 1));
        CHECK(i % n == 0 || i >= 2 * n || test_number(t, i - 1, 2) <= test_number(t, i, 2));
        const double each = 1000 * test_number(t, i, 2) / fmax(1, test_number(t, i, 1));
        CHECK(i >= 2 * n || fabs(test_number(t, i, 3) - each) < 1e-3);
    }
    CHECK_EQ(test_number(t, n - 1, 1), 2 * DOCS);
    for (size_t i = 0; i < n; i++)
        CHECK(test_number(t, n + i, 2) <= test_number(t, i, 2));
    CHECK(test_number(t, 2 * n - 1, 2) > 0);
    CHECK_EQ(test_number(t, n - 1, 2), count_sharing(b, 5));
    CHECK(test_number(t, 0, 1) < DOCS);
    bench_close(b);
}
