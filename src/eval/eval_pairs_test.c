#include "doppel/eval.h"

#include "base/hash.h"
#include "base/vec.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

static const char *file(const char *name, const char *text)
{
    return test_write(name, text, strlen(text));
}

static dpl_status run_files(dpl_eval_pairs *out, dpl_ctx *ctx, const char *gold,
                            const char *found, const char *const *dups, size_t n_dups,
                            dpl_error *err)
{
    dpl_eval_pairs_input in =
        DPL_INIT(dpl_eval_pairs_input, .gold_path = gold, .found_path = found,
                 .dup_paths = dups, .n_dup_paths = n_dups);
    return dpl_eval_pairs_run(out, ctx, &in, err);
}

static dpl_eval_pairs eval(const char *gold, const char *found, const char *dups)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
    const char *groups = dups ? file("dups", dups) : NULL;
    CHECK_OK(run_files(&e, ctx, file("gold", gold), file("found", found), &groups, dups ? 1 : 0,
                       &test_err));
    test_ctx_done(ctx);
    return e;
}

static void check_counts(dpl_eval_pairs e, uint64_t gold, uint64_t found, uint64_t matching,
                         uint64_t touching)
{
    CHECK_EQ(e.n_gold, gold);
    CHECK_EQ(e.n_found, found);
    CHECK_EQ(e.n_matching, matching);
    CHECK_EQ(e.n_touching, touching);
    CHECK_EQ(e.n_other, found - matching - touching);
}

DPL_TEST(eval, the_measures_are_those_of_the_paper)
{
    /* matching: a A, b B; touching: c B (right), d X (left); other: x X */
    dpl_eval_pairs e = eval("a\tA\nb\tB\nc\tC\nd\tD\n", "a\tA\nb\tB\nc\tB\nd\tX\nx\tX\n", NULL);
    check_counts(e, 4, 5, 2, 2);
    CHECK(fabs(e.precision - 0.5) < 1e-12 && fabs(e.recall - 0.5) < 1e-12);
    CHECK(fabs(e.f1 - 0.5) < 1e-12 && fabs(e.strict_precision - 0.4) < 1e-12);
    CHECK(fabs(e.strict_f1 - 4.0 / 9) < 1e-12);
}

DPL_TEST(eval, pairs_count_once_and_further_columns_do_not_count)
{
    check_counts(
        eval("a\tA\t1\na\tA\t2\n", "left_id\tright_id\tscore\na\tA\t0.5\na\tA\n", NULL), 1, 1,
        1, 0);
    /* a header is one in the first line only */
    check_counts(eval("a\tA\n", "a\tA\nleft_id\tright_id\n", NULL), 1, 2, 1, 0);
}

DPL_TEST(eval, left_is_not_right)
{
    check_counts(eval("a\tb\n", "b\ta\n", NULL), 1, 1, 0, 0);
    check_counts(eval("a\tb\n", "b\tc\nc\ta\n", NULL), 1, 2, 0, 0);
    /* columns are columns: ids do not run together */
    check_counts(eval("ab\tc\n", "a\tbc\n", NULL), 1, 1, 0, 0);
}

DPL_TEST(eval, nothing_found_or_nothing_true_gives_zeros)
{
    dpl_eval_pairs e = eval("a\tA\n", "", NULL);
    check_counts(e, 1, 0, 0, 0);
    CHECK(e.precision == 0 && e.recall == 0 && e.f1 == 0 && e.strict_precision == 0);
    e = eval("", "a\tA\n", NULL);
    check_counts(e, 0, 1, 0, 0);
    CHECK(e.precision == 0 && e.recall == 0 && e.f1 == 0);
    e = eval("left_id\tright_id\n", "", "\n\n");
    check_counts(e, 0, 0, 0, 0);
}

DPL_TEST(eval, ids_of_a_group_are_interchangeable)
{
    /* two variants of one gold pair are one pair */
    check_counts(eval("a\tA\nb\tB\n", "a2\tA\na\tA2\na\tA\n", "a\ta2\nA2\tA\tA3\n"), 2, 1, 1,
                 0);
    /* and so are they in gold */
    check_counts(eval("a\tA\na2\tA\n", "a3\tA\n", "a\ta2\ta3\n"), 1, 1, 1, 0);
    /* touching through a group */
    check_counts(eval("a\tA\n", "a2\tB\nx\tB\n", "a\ta2\n"), 1, 2, 0, 1);
    /* groups that share an id are one */
    check_counts(eval("a\tA\n", "d\tA\n", "a\tb\nc\td\nb\tc\n"), 1, 1, 1, 0);
    /* a group of one changes nothing */
    check_counts(eval("a\tA\n", "b\tA\n", "a\nb\n"), 1, 1, 0, 1);
}

DPL_TEST(eval, groups_may_come_from_several_files)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *dups[] = {file("one", "a\tb\n"), file("two", "b\tc\n")};
    dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
    CHECK_OK(run_files(&e, ctx, file("gold", "a\tA\n"), file("found", "c\tA\n"), dups, 2,
                       &test_err));
    check_counts(e, 1, 1, 1, 0);
    test_ctx_done(ctx);
}

DPL_TEST(eval, bad_lines_are_refused_with_file_and_line)
{
    static const struct {
        const char *gold, *found, *dups, *place;
    } cases[] = {
        {"a\tA\nb B\n", "", "", "gold' line 2: no tab between two ids"},
        {"a\tA\n", "a\tA\n\n", "", "found' line 2: no tab between two ids"},
        {"a\tA\n", "\tA\n", "", "found' line 1: an id is empty"},
        {"a\t\t0.5\n", "", "", "gold' line 1: an id is empty"},
        {"a\tA\n", "", "a\tb\nc\t\td\n", "dups' line 2: an id is empty"},
    };
    dpl_ctx *ctx = test_ctx(1);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
        const char *dups = file("dups", cases[i].dups);
        CHECK_EQ(run_files(&e, ctx, file("gold", cases[i].gold), file("found", cases[i].found),
                           &dups, 1, &test_err),
                 DPL_E_FORMAT);
        if (!strstr(test_err.text, cases[i].place))
            dpl__test_fail(__FILE__, __LINE__, "said: %s", test_err.text);
    }
    test_ctx_done(ctx);
}

DPL_TEST(eval, more_than_fits_into_memory_is_refused)
{
    dpl_ctx *ctx;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 1 << 20);
    dpl__bytes text = {0};
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    for (unsigned i = 0; i < 60000; i++) {
        char line[32];
        int n = snprintf(line, sizeof line, "%u\t%u\n", i, i);
        CHECK(dpl__vec_append(ctx, &text, line, (size_t)n));
    }
    const char *path = test_write("many", text.data, text.n);
    dpl__vec_clear(ctx, &text);
    dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
    CHECK_EQ(run_files(&e, ctx, path, path, NULL, 0, &test_err), DPL_E_LIMIT);
    test_ctx_done(ctx);
}

/* ---- against the naive version ------------------------------------------------------ */

enum { IDS = 6, PAIRS = 12 };

typedef struct pairs {
    unsigned at[PAIRS][2], n;
} pairs;

/* Pairs of ids below IDS, as text and as numbers. */
static pairs random_pairs(dpl__rng *rng, char *text, size_t n_text)
{
    pairs p = {.n = (unsigned)dpl__rng_below(rng, PAIRS + 1)};
    size_t n = 0;
    *text = 0;
    for (unsigned i = 0; i < p.n; i++) {
        p.at[i][0] = (unsigned)dpl__rng_below(rng, IDS);
        p.at[i][1] = (unsigned)dpl__rng_below(rng, IDS);
        n += (size_t)snprintf(text + n, n_text - n, "%u\t%u\n", p.at[i][0], p.at[i][1]);
    }
    return p;
}

/* Replaces every id by the lowest one of its group and drops what is there twice. */
static void settle(pairs *p, const unsigned *group)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->n; i++) {
        unsigned a = group[p->at[i][0]], b = group[p->at[i][1]], j = 0;
        while (j < n && (p->at[j][0] != a || p->at[j][1] != b))
            j++;
        p->at[j][0] = a;
        p->at[j][1] = b;
        n = j == n ? n + 1 : n;
    }
    p->n = n;
}

DPL_TEST(eval, agrees_with_the_naive_version)
{
    for (unsigned seed = 0; seed < 300; seed++) {
        dpl__rng rng = {seed * 1000};
        char gold_text[300], found_text[300], dups_text[300] = "";
        pairs gold = random_pairs(&rng, gold_text, sizeof gold_text);
        pairs found = random_pairs(&rng, found_text, sizeof found_text);
        unsigned group[IDS];
        for (unsigned i = 0; i < IDS; i++)
            group[i] = i;
        for (uint64_t k = dpl__rng_below(&rng, 4); k-- > 0;) {
            unsigned a = (unsigned)dpl__rng_below(&rng, IDS);
            unsigned b = (unsigned)dpl__rng_below(&rng, IDS);
            snprintf(dups_text + strlen(dups_text), 20, "%u\t%u\n", a, b);
            for (unsigned i = 0, old = group[a]; i < IDS; i++)
                group[i] = group[i] == old ? group[b] : group[i];
        }
        settle(&gold, group);
        settle(&found, group);
        unsigned n_matching = 0, n_touching = 0;
        for (unsigned i = 0; i < found.n; i++) {
            bool matches = false, touches = false;
            for (unsigned j = 0; j < gold.n; j++) {
                bool left = found.at[i][0] == gold.at[j][0];
                bool right = found.at[i][1] == gold.at[j][1];
                matches |= left && right;
                touches |= left || right;
            }
            n_matching += matches;
            n_touching += touches && !matches;
        }
        dpl_eval_pairs e = eval(gold_text, found_text, dups_text);
        if (e.n_gold != gold.n || e.n_found != found.n || e.n_matching != n_matching ||
            e.n_touching != n_touching)
            dpl__test_fail(__FILE__, __LINE__, "seed %u", seed);
        CHECK(e.precision <= 1 && e.recall <= 1);
    }
}

static dpl_status body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const char *const *paths = user;
    dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
    return run_files(&e, ctx, paths[0], paths[1], &paths[2], 1, err);
}

DPL_TEST(eval, every_failed_allocation_is_reported)
{
    const char *paths[] = {file("gold", "a\tA\nb\tB\n"), file("found", "a\tA\n"),
                           file("dups", "a\tb\n")};
    test_allocation_failures(body, paths);
}

DPL_TEST(eval, arrays_are_measured_like_files)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_id_pair gold[] = {{DPL_STR("a"), DPL_STR("A")}, {DPL_STR("b"), DPL_STR("B")}};
    const dpl_id_pair found[] = {{DPL_STR("a"), DPL_STR("A2")},
                                 {DPL_STR("a"), DPL_STR("A")},
                                 {DPL_STR("b"), DPL_STR("C")},
                                 {DPL_STR("x"), DPL_STR("X")}};
    const dpl_str copies[] = {DPL_STR("A"), DPL_STR("A2")};
    const dpl_id_group group = {copies, 2};
    dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
    dpl_eval_pairs_input in =
        DPL_INIT(dpl_eval_pairs_input, .gold = gold, .n_gold = 2, .found = found, .n_found = 4);
    CHECK_OK(dpl_eval_pairs_run(&e, ctx, &in, &test_err));
    check_counts(e, 2, 4, 1, 2);
    in.dups = &group;
    in.n_dups = 1;
    CHECK_OK(dpl_eval_pairs_run(&e, ctx, &in, &test_err));
    check_counts(e, 2, 3, 1, 1);
    /* one from a file, the other from an array */
    in.gold_path = file("gold", "a\tA\nb\tB\n");
    CHECK_OK(dpl_eval_pairs_run(&e, ctx, &in, &test_err));
    check_counts(e, 2, 3, 1, 1);
    const dpl_id_pair empty = {DPL_STR(""), DPL_STR("A")};
    in.found = &empty;
    in.n_found = 1;
    CHECK_EQ(dpl_eval_pairs_run(&e, ctx, &in, NULL), DPL_E_USAGE);
    e.size = 0;
    CHECK_EQ(dpl_eval_pairs_run(&e, ctx, &in, NULL), DPL_E_USAGE);
    test_ctx_done(ctx);
}
