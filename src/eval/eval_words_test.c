#include "doppel/eval.h"

#include "base/hash.h"
#include "base/vec.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- helpers ------------------------------------------------------------------------ */

static const char *file(const char *name, const char *text)
{
    return test_write(name, text, strlen(text));
}

static dpl_eval_words eval(const char *gold, const char *found,
                           const dpl_eval_words_options *options)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_eval_words w = DPL_INIT(dpl_eval_words);
    CHECK_OK(dpl_eval_words_run(&w, ctx, file("gold", gold), file("found", found), options,
                                &test_err));
    test_ctx_done(ctx);
    return w;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static bool is_same(const dpl_eval_words *a, const dpl_eval_words *b)
{
    return a->n_rows == b->n_rows && a->n_sure == b->n_sure && a->n_possible == b->n_possible &&
           a->n_found == b->n_found && a->n_found_sure == b->n_found_sure &&
           a->n_found_possible == b->n_found_possible && is_near(a->aer, b->aer);
}

static void check_counts(dpl_eval_words w, uint64_t sure, uint64_t possible, uint64_t found,
                         uint64_t found_sure, uint64_t found_possible)
{
    CHECK_EQ(w.n_sure, sure);
    CHECK_EQ(w.n_possible, possible);
    CHECK_EQ(w.n_found, found);
    CHECK_EQ(w.n_found_sure, found_sure);
    CHECK_EQ(w.n_found_possible, found_possible);
}

/* ---- measures ----------------------------------------------------------------------- */

DPL_TEST(eval_words, the_measures_are_those_of_och_and_ney)
{
    /* S = {0-0 1-1 2-2}, P = S and {2-3 3-2}; A = {0-0 1-1 2-3 3-3}: A and S 2, A and P 3;
     * precision 3/4, recall 2/3, AER 1 - (2 + 3) / (4 + 3) */
    dpl_eval_words w = eval("0-0 1-1 2-2 2p3 3?2\n", "0-0 1-1 2-3 3-3\n", NULL);
    CHECK_EQ(w.n_rows, 1);
    check_counts(w, 3, 5, 4, 2, 3);
    CHECK(is_near(w.precision, 0.75) && is_near(w.recall, 2.0 / 3));
    CHECK(is_near(w.f1, 12.0 / 17) && is_near(w.aer, 2.0 / 7));
}

DPL_TEST(eval_words, sums_run_over_all_rows)
{
    /* rows apart: 0-0 of the first row is not 0-0 of the third */
    dpl_eval_words w = eval("0-0\n\n0-0 1-1\n", "0-0\n0-0\n1-1\n", NULL);
    CHECK_EQ(w.n_rows, 3);
    check_counts(w, 3, 3, 3, 2, 2);
    CHECK(is_near(w.aer, 1 - 4.0 / 6));
}

DPL_TEST(eval_words, a_link_counts_once_and_sure_is_stronger_than_possible)
{
    check_counts(eval("0-0 0p0 1p1 1-1 2p2 2?2\n", "0-0 0-0 2-2\n", NULL), 2, 3, 2, 1, 2);
    /* what was found is found, sure or not */
    check_counts(eval("0-0\n", "0p0 1?1\n", NULL), 1, 1, 2, 1, 1);
}

DPL_TEST(eval_words, nothing_found_or_nothing_true_is_no_failure)
{
    dpl_eval_words w = eval("0-0\n", "\n", NULL);
    CHECK(w.precision == 0 && w.recall == 0 && w.f1 == 0 && w.aer == 1);
    w = eval("\n\n", "0-0\n\n", NULL);
    CHECK(w.n_rows == 2 && w.precision == 0 && w.recall == 0 && w.aer == 1);
    w = eval("", "", NULL);
    CHECK(w.n_rows == 0 && w.aer == 0);
    w = eval("1 1 1\n", "", NULL); /* an empty file is of any format */
    CHECK(w.n_rows == 1 && w.n_found == 0 && w.aer == 1);
}

/* ---- formats ------------------------------------------------------------------------ */

DPL_TEST(eval_words, text_may_stand_in_front_of_the_links)
{
    dpl_eval_words w =
        eval("das haus\tthe house\t0-0 1-1\r\n2 .\t2 .\t\r\n", "0-0\n0-0\n", NULL);
    CHECK_EQ(w.n_rows, 2);
    check_counts(w, 2, 2, 2, 1, 1);
    /* also where the text looks like links of the other format */
    w = eval("1 2\t3\t\n1 2 3\t4 5\t0-0\n", "\n0-0\n", NULL);
    CHECK(w.n_rows == 2 && w.n_found_sure == 1);
    w = eval("1 2 3\t0-0\n", "a b\tc\t 0-0  1-1 \n", NULL);
    CHECK(w.n_rows == 1 && w.n_found == 2 && w.n_found_sure == 1);
}

DPL_TEST(eval_words, links_of_the_shared_tasks_have_row_and_words_from_1)
{
    dpl_eval_words w = eval("0001 1 1 S\n0001 2 2 P\n0001 2 0\n2 1 2\n3 0 1\n",
                            "2\t1\t2\t0.5\n1 2 2 S 1e-3\n\n1 1 1 -.5\n1 3 0\n1 1 1\n", NULL);
    CHECK_EQ(w.n_rows, 3);
    check_counts(w, 2, 3, 3, 2, 3);
    CHECK(w.aer == 0);
}

DPL_TEST(eval_words, formats_mix)
{
    dpl_eval_words one = eval("0-0 1p2\n\n3-3\n", "0-0\n1-1\n3-3\n", NULL);
    dpl_eval_words two = eval("0-0 1p2\n\n3-3\n", "1 1 1\n2 2 2\n3 4 4\n", NULL);
    CHECK(is_same(&one, &two));
    two = eval("1 1 1 S\n1 2 3 P\n2 1 0\n3 4 4\n", "0-0\n1-1\n3-3\n", NULL);
    CHECK(is_same(&one, &two));
    /* rows without links need not stand in gold, wherever they are */
    two = eval("2 1 1\n", "\n0-0\n\n", NULL);
    CHECK(two.n_rows == 1 && two.aer == 0);
}

DPL_TEST(eval_words, the_format_may_be_given)
{
    dpl_eval_words_options o = DPL_INIT(dpl_eval_words_options, .gold_format = DPL_LINKS_NAACL,
                                        .found_format = DPL_LINKS_PHARAOH);
    dpl_eval_words w = eval("1 1 1\n", "0-0\n", &o);
    CHECK(w.aer == 0);
    dpl_ctx *ctx = test_ctx(1);
    CHECK_EQ(dpl_eval_words_run(&w, ctx, file("gold", "0-0\n"), file("found", "0-0\n"), &o,
                                &test_err),
             DPL_E_FORMAT);
    o.gold_format = (dpl_links_format)3;
    CHECK_EQ(dpl_eval_words_run(&w, ctx, "x", "y", &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

DPL_TEST(eval_words, words_may_be_numbered_from_1_and_sides_be_turned)
{
    dpl_eval_words_options o = DPL_INIT(dpl_eval_words_options, .found_first = 1);
    CHECK(eval("0-0 1-2\n", "1-1 2-3\n", &o).aer == 0);
    o = (dpl_eval_words_options)DPL_INIT(dpl_eval_words_options, .gold_first = 1,
                                         .turned = true);
    CHECK(eval("1-1 2-3\n", "0-0 2-1\n", &o).aer == 0);
    /* NAACL has its own numbers */
    CHECK(eval("1 1 1\n1 2 3\n", "1 1 1\n1 3 2\n", &o).aer == 0);
    dpl_ctx *ctx = test_ctx(1);
    dpl_eval_words w = DPL_INIT(dpl_eval_words);
    CHECK_EQ(
        dpl_eval_words_run(&w, ctx, file("gold", "1-0\n"), file("found", ""), &o, &test_err),
        DPL_E_FORMAT);
    CHECK(strstr(test_err.text, "gold' line 1: '1-0' has a word 0, but the first one is 1"));
    o.gold_first = 2;
    CHECK_EQ(dpl_eval_words_run(&w, ctx, "x", "y", &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

/* ---- faults ------------------------------------------------------------------------- */

DPL_TEST(eval_words, faults_are_told_with_file_and_line)
{
    static const struct {
        const char *gold, *found, *text;
        unsigned line;
    } cases[] = {
        {"0-0\n1_1\n", "", "gold' line 2: '1_1' is not a link", 2},
        {"0-0\n", "0-0 1-\n", "found' line 1: '1-' is not a link", 1},
        {"0-0\n", "-1-0\n", "found' line 1: '-1-0' is not a link", 1},
        {"0-0\n", "0-0-0\n", "found' line 1: '0-0-0' is not a link", 1},
        {"0-0\n", "7\n", "found' line 1: '7' is not a link", 1},
        {"a b\tc d\n", "", "gold' line 1: 'c' is not a link", 1},
        {"0-0\n", "0-4294967296\n",
         "found' line 1: '0-4294967296' has a number that is too large", 1},
        {"0-0\n", "99999999999999999999999-0\n", "has a number that is too large", 1},
        {"0-0\n1-1\n", "0-0\n", "found' ends after line 1, but '", 1},
        {"0-0\n1-1\n", "", "found' ends after line 0, but '", 0},
        {"0-0\n", "0-0\n1-1\n", "found' line 2: row 2 is not in '", 2},
        {"0-0\n", "0-0\n\n", "found' line 2: row 2 is not in '", 2},
        {"0-0\n", "\n\n", "found' ends after line 2, but '", 2},
        {"1 1 1\n2 1 1 X\n", "", "gold' line 2: '2 1 1 X' is not a link", 2},
        {"1 1 1\n2 1 1 S P\n", "", "gold' line 2: '2 1 1 S P' is not a link", 2},
        {"1 1 1\n2 1 1 S 1 1\n", "", "gold' line 2: '2 1 1 S 1 1' is not a link", 2},
        {"1 1 1\n2 1\n", "", "gold' line 2: '2 1' is not a link", 2},
        {"1 1 1\n0 1 1\n", "", "gold' line 2: rows are numbered from 1", 2},
        {"1 1 1\n4294967296 1 1\n", "", "gold' line 2: the row's number is too large", 2},
        {"1 1 1\n1 1 4294967296\n", "", "has a number that is too large", 2},
        {"1 1 1\n3 1 1\n", "1 1 1\n2 1 1\n", "found' line 2: row 2 is not in '", 2},
        {"1 1 1\n3 1 1\n", "0-0\n\n", "found' ends after line 2, but '", 2},
        {"1 1 1\n3 1 1\n", "0-0\n0-0\n\n", "found' line 2: row 2 is not in '", 2},
        {"0-0\n\n", "1 1 1\n3 1 1\n", "found' line 2: row 3 is not in '", 2},
    };
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_eval_words w = DPL_INIT(dpl_eval_words);
        CHECK_EQ(dpl_eval_words_run(&w, ctx, file("gold", cases[i].gold),
                                    file("found", cases[i].found), NULL, &test_err),
                 DPL_E_FORMAT);
        if (!strstr(test_err.text, cases[i].text) || test_err.line != cases[i].line)
            dpl__test_fail(__FILE__, __LINE__, "case %zu said: %s", i, test_err.text);
    }
    CHECK_EQ(dpl_eval_words_run(NULL, ctx, test_path("none"), "", NULL, &test_err), DPL_E_IO);
    test_ctx_done(ctx);
}

/* ---- against the naive version ------------------------------------------------------ */

enum { ROWS = 4, WORDS = 5, LINKS = 30 };

typedef struct matrix {
    char cells[ROWS][WORDS][WORDS]; /* 0, 'P' or 'S' */
} matrix;

static matrix random_matrix(dpl__rng *rng, bool has_possible)
{
    matrix m = {0};
    for (uint64_t n = dpl__rng_below(rng, LINKS); n-- > 0;) {
        char what = has_possible && dpl__rng_below(rng, 2) ? 'P' : 'S';
        uint64_t row = dpl__rng_below(rng, ROWS), left = dpl__rng_below(rng, WORDS);
        m.cells[row][left][dpl__rng_below(rng, WORDS)] = what;
    }
    return m;
}

static const char *as_pharaoh(char *text, const matrix *m)
{
    size_t n = 0;
    for (int row = 0; row < ROWS; row++) {
        for (int i = 0; i < WORDS; i++)
            for (int j = 0; j < WORDS; j++)
                if (m->cells[row][i][j])
                    n += (size_t)sprintf(text + n, "%d%c%d ", i,
                                         m->cells[row][i][j] == 'S' ? '-' : 'p', j);
        n += (size_t)sprintf(text + n, "\n");
    }
    return text;
}

/* With all rows in it, lines in any order. */
static const char *as_naacl(char *text, const matrix *m, dpl__rng *rng)
{
    enum { N = ROWS * (WORDS * WORDS + 1), LINE = 16 };
    static char lines[N][LINE];
    size_t n = 0;
    for (int row = 0; row < ROWS; row++) {
        sprintf(lines[n++], "%d 1 0\n", row + 1);
        for (int i = 0; i < WORDS; i++)
            for (int j = 0; j < WORDS; j++)
                if (m->cells[row][i][j])
                    sprintf(lines[n++], "%d %d %d %c\n", row + 1, i + 1, j + 1,
                            m->cells[row][i][j]);
    }
    *text = 0;
    for (; n > 0; n--) {
        size_t at = dpl__rng_below(rng, n);
        strcat(text, lines[at]);
        memcpy(lines[at], lines[n - 1], LINE);
    }
    return text;
}

static dpl_eval_words naive(const matrix *gold, const matrix *found)
{
    dpl_eval_words w = {.n_rows = ROWS};
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < WORDS; i++)
            for (int j = 0; j < WORDS; j++) {
                char what = gold->cells[row][i][j];
                bool is_found = found->cells[row][i][j];
                w.n_sure += what == 'S';
                w.n_possible += what != 0;
                w.n_found += is_found;
                w.n_found_sure += is_found && what == 'S';
                w.n_found_possible += is_found && what;
            }
    double most = (double)(w.n_found + w.n_sure);
    w.aer = most > 0 ? 1 - (double)(w.n_found_sure + w.n_found_possible) / most : 0;
    return w;
}

DPL_TEST(eval_words, agree_with_the_naive_version_in_every_format_and_order)
{
    for (unsigned seed = 0; seed < 100; seed++) {
        dpl__rng rng = {seed * 1000};
        static char texts[5][4000];
        matrix gold = random_matrix(&rng, true), found = random_matrix(&rng, true);
        const char *golds[] = {as_pharaoh(texts[0], &gold), as_naacl(texts[1], &gold, &rng)};
        const char *founds[] = {as_pharaoh(texts[2], &found), as_naacl(texts[3], &found, &rng),
                                as_naacl(texts[4], &found, &rng)};
        dpl_eval_words want = naive(&gold, &found);
        for (int i = 0; i < 6; i++) {
            dpl_eval_words have = eval(golds[i % 2], founds[i / 2], NULL);
            if (!is_same(&have, &want))
                dpl__test_fail(__FILE__, __LINE__, "seed %u, files %d", seed, i);
        }
    }
}

DPL_TEST(eval_words, gold_that_is_sure_makes_no_errors_against_itself)
{
    for (unsigned seed = 0; seed < 20; seed++) {
        dpl__rng rng = {seed};
        static char text[4000];
        matrix m = random_matrix(&rng, false);
        as_pharaoh(text, &m);
        dpl_eval_words w = eval(text, text, NULL);
        bool is_right = w.aer == 0 && w.n_found == w.n_sure &&
                        (w.n_found == 0 || (w.precision == 1 && w.recall == 1));
        if (!is_right)
            dpl__test_fail(__FILE__, __LINE__, "seed %u", seed);
    }
}

/* ---- failing memory ----------------------------------------------------------------- */

DPL_TEST(eval_words, more_than_fits_into_memory_is_refused)
{
    enum { N = 60000 };
    dpl_ctx *ctx;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 1 << 20);
    char *text = malloc(N * 8);
    size_t n = 0;
    CHECK(text != NULL);
    for (unsigned i = 0; i < N; i++)
        n += (size_t)sprintf(text + n, "%u-0\n", i);
    const char *path = test_write("many", text, n);
    free(text);
    dpl_eval_words w = DPL_INIT(dpl_eval_words);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    CHECK_EQ(dpl_eval_words_run(&w, ctx, path, path, NULL, &test_err), DPL_E_LIMIT);
    test_ctx_done(ctx);
}

static dpl_status body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const char *const *paths = user;
    dpl_eval_words w = DPL_INIT(dpl_eval_words);
    return dpl_eval_words_run(&w, ctx, paths[0], paths[1], NULL, err);
}

DPL_TEST(eval_words, every_failed_allocation_is_reported)
{
    const char *paths[] = {file("gold", "1 1 1\n1 2 2\n"), file("found", "0-0\n")};
    test_allocation_failures(body, paths);
}
