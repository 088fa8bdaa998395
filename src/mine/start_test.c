#include "mine/start.h"

#include "base/ctx.h"
#include "base/order.h"
#include "mine/gold.h"
#include "mine/growth.h"
#include "mine/name_pairs.h"
#include "mine/name_sides_test.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static size_t count_right(const dpl__comparable *p, const dpl__doc_pairs *pairs)
{
    size_t n = 0;
    for (size_t i = 0; i < pairs->n; i++)
        n += is_right(p, pairs->data[i]);
    return n;
}

static const dpl__doc_candidate_vec none_spelled = {0};

/* What a start finds; the caller frees data. */
typedef struct started {
    dpl_doc_pair *data;
    size_t n, n_right;
} started;

static started start_with(unsigned n_threads, bool is_swapped)
{
    dpl_ctx *ctx = test_ctx(n_threads);
    dpl__comparable p = make_sides(ctx, is_swapped);
    const dpl__sample sample = {0};
    const dpl__round_input in = {.corpus = &p, .sample = &sample};
    dpl__start start;
    CHECK_OK(dpl__start_by_names(&start, &in, &none_spelled, &test_err));
    CHECK(start.n_seeds >= 20 && start.n_links);
    const size_t n = start.pairs.n;
    const started found = {malloc(n * sizeof *found.data), n, count_right(&p, &start.pairs)};
    CHECK(n > 0 && found.data);
    memcpy(found.data, start.pairs.data, n * sizeof *found.data);
    dpl__vec_clear(ctx, &start.pairs);
    clear_sides(&p);
    return found;
}

DPL_TEST(start, grows_from_names_to_words)
{
    const started one = start_with(1, false), three = start_with(3, false),
                  swapped = start_with(2, true);
    CHECK(one.n >= 100 && one.n_right * 10 >= one.n * 9);
    CHECK_EQ(one.n, three.n);
    CHECK(!memcmp(one.data, three.data, one.n * sizeof *one.data));
    CHECK_EQ(one.n, swapped.n);
    CHECK_EQ(one.n_right, swapped.n_right);
    free(one.data);
    free(three.data);
    free(swapped.data);
}

/* Numbers of the documents of a pair, as in their ids. */
static unsigned numbers_of(const dpl__comparable *p, dpl_doc_pair docs)
{
    return (unsigned)(atoi(dpl_collection_doc(p->c[0], docs.left).id.data + 1) * 1000 +
                      atoi(dpl_collection_doc(p->c[1], docs.right).id.data + 1));
}

DPL__RISING_NUMBERS(rising, unsigned)

/* What is found in the documents in some order: pairs that share names, best first, and those
 * that grow from them. */
typedef struct ordered {
    unsigned seeds[N_DOCS], pairs[N_DOCS];
    size_t n_seeds, n_pairs;
} ordered;

static void start_in_order(ordered *out, unsigned step)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl__comparable p = make_ordered_sides(ctx, false, step);
    const dpl__sample sample = {0};
    const dpl__round_input in = {.corpus = &p, .sample = &sample};
    dpl__names names;
    dpl__name_pairs seeds = {0};
    dpl__start start;
    CHECK_OK(dpl__names_find(&names, &p, &test_err));
    CHECK_OK(dpl__name_pairs_find(&seeds, &p, &names, &test_err));
    CHECK_OK(dpl__start_by_names(&start, &in, &none_spelled, &test_err));
    *out = (ordered){.n_seeds = seeds.n, .n_pairs = start.pairs.n};
    CHECK(seeds.n >= 20 && seeds.n <= N_DOCS && start.pairs.n <= N_DOCS);
    for (size_t i = 0; i < seeds.n; i++)
        out->seeds[i] = numbers_of(&p, seeds.data[i].docs);
    for (size_t i = 0; i < start.pairs.n; i++)
        out->pairs[i] = numbers_of(&p, start.pairs.data[i]);
    qsort(out->pairs, out->n_pairs, sizeof *out->pairs, rising);
    dpl__start_clear(&start, ctx);
    dpl__vec_clear(ctx, &seeds);
    dpl__names_clear(&names);
    clear_sides(&p);
}

DPL_TEST(start, does_not_depend_on_the_order_of_documents)
{
    static const unsigned steps[] = {11, 399};
    ordered expected, found;
    start_in_order(&expected, 1);
    CHECK(expected.n_pairs >= 100);
    for (size_t i = 0; i < DPL_LEN(steps); i++) {
        start_in_order(&found, steps[i]);
        CHECK(!memcmp(&found, &expected, sizeof found));
    }
}

/* Half of the documents have no counterpart; pairs that are known stay. */
DPL_TEST(start, a_handful_of_known_pairs_is_enough)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = make_sides(ctx, false);
    const dpl__sample sample = {0};
    const dpl__round_input in = {.corpus = &p, .sample = &sample};
    dpl_doc_pair known[12];
    dpl__gold gold = {.accepted = known, .n_accepted = 12};
    dpl__start start;
    size_t n = 0;
    for (int side = 0; side < 2; side++) {
        gold.n_docs[side] = N_DOCS;
        gold.partner[side] = dpl__alloc(ctx, N_DOCS * sizeof(uint32_t));
        for (uint32_t i = 0; i < N_DOCS; i++)
            gold.partner[side][i] = UINT32_MAX;
    }
    for (uint32_t l = 0; l < N_DOCS && n < 12; l += 30)
        for (uint32_t r = 0; r < N_DOCS; r++)
            if (is_right(&p, (dpl_doc_pair){l, r}))
                known[n++] = (dpl_doc_pair){l, r};
    for (size_t i = 0; i < n; i++) {
        gold.partner[0][known[i].left] = known[i].right;
        gold.partner[1][known[i].right] = known[i].left;
    }
    p.gold = &gold;
    for (uint32_t i = 0; i < N_DOCS; i++)
        p.skip[1][i] = gold.partner[1][i] == UINT32_MAX && i % 2;
    CHECK_OK(dpl__start_by_names(&start, &in, &none_spelled, &test_err));
    for (size_t i = 0; i < n; i++) {
        bool is_there = false;
        for (size_t k = 0; k < start.pairs.n; k++)
            is_there = is_there || (start.pairs.data[k].left == known[i].left &&
                                    start.pairs.data[k].right == known[i].right);
        CHECK(is_there);
    }
    CHECK(start.pairs.n >= 40 && count_right(&p, &start.pairs) * 10 >= start.pairs.n * 8);
    dpl__start_clear(&start, ctx);
    for (int side = 0; side < 2; side++)
        dpl__free(ctx, gold.partner[side]);
    clear_sides(&p);
}

/* Every right pair is likely, every fourth document has a wrong one that is not. */
DPL_TEST(start, likely_pairs_by_spelling_are_seeds_beside_those_by_names)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = make_sides(ctx, false);
    const dpl__sample sample = {0};
    const dpl__round_input in = {.corpus = &p, .sample = &sample};
    dpl__doc_candidate_vec spelled = {0};
    dpl__start without, with;
    for (uint32_t i = 0; i < N_DOCS; i++)
        p.skip[1][i] = i % 3 != 0; /* few seeds by names */
    for (uint32_t l = 0; l < N_DOCS; l++)
        for (uint32_t r = 0; r < N_DOCS; r += 3) {
            const dpl_doc_pair docs = {l, r};
            dpl__doc_candidate c = {.docs = docs, .confidence = is_right(&p, docs) ? 0.9 : 0.4};
            if (is_right(&p, docs) || (l % 4 == 0 && r == l))
                CHECK(dpl__vec_push(ctx, &spelled, c));
        }
    CHECK_OK(dpl__start_by_names(&without, &in, &none_spelled, &test_err));
    CHECK_OK(dpl__start_by_names(&with, &in, &spelled, &test_err));
    CHECK_EQ(without.n_spelled, 0);
    CHECK_EQ(with.n_seeds, without.n_seeds);
    CHECK(with.n_spelled >= 5 && with.n_spelled <= N_DOCS / 3);
    CHECK(with.n_seeds + with.n_spelled <= 200);
    CHECK(count_right(&p, &with.pairs) >= count_right(&p, &without.pairs));
    CHECK(count_right(&p, &with.pairs) * 10 >= with.pairs.n * 9);
    dpl__start_clear(&without, ctx);
    dpl__start_clear(&with, ctx);
    dpl__vec_clear(ctx, &spelled);
    clear_sides(&p);
}

/* ---- in a run ------------------------------------------------------------------------- */

static const char *write_docs(const char *name, bool is_other)
{
    size_t n_bytes;
    char *text = put_docs(&n_bytes, is_other, is_other ? 7 : 1);
    const char *path = test_write(name, text, n_bytes);
    free(text);
    return path;
}

/* The next round aligns sentences with the lexicon of the start, so that a round without it is
 * not gone on from. */
DPL_TEST(start, its_lexicon_is_kept_with_the_round_and_found_again_where_it_is_gone)
{
    static const char *const removed[] = {"work/*-[1-9]*", "work/*-[1-9]* work/lexicon-0.dpl"};
    dpl_ctx *ctx = test_ctx(2);
    char paths[2][1000], dir[1000], file[1100], command[2500], *expected = NULL;
    size_t n, n_expected = 0;
    snprintf(paths[0], sizeof paths[0], "%s", write_docs("l.tsv", false));
    snprintf(paths[1], sizeof paths[1], "%s", write_docs("r.tsv", true));
    snprintf(dir, sizeof dir, "%s", test_path("out"));
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .read = &read, .langs = {"eo", "sw"});
    const dpl_input in[2] = {{.path = paths[0]}, {.path = paths[1]}};
    for (size_t i = 0; i < 3; i++) {
        dpl_mine_result *result = NULL;
        CHECK_OK(dpl_mine(&result, ctx, dir, in, 2, &o, &test_err));
        const dpl_mine_run *s = dpl_mine_get_summary(result)->runs[0];
        CHECK(s->n_rounds > 1 && s->rounds[0]->n_name_links && s->n_pairs > N_DOCS / 2);
        dpl_mine_result_free(result);
        snprintf(file, sizeof file, "%s/work/lexicon-0.dpl", dir);
        CHECK(access(file, R_OK) == 0);
        snprintf(file, sizeof file, "%s/pairs.tsv", dir);
        char *pairs = test_read(file, &n);
        if (i == 0) {
            expected = pairs;
            n_expected = n;
        } else {
            CHECK(n == n_expected && memcmp(pairs, expected, n) == 0);
            free(pairs);
        }
        if (i < 2) {
            snprintf(command, sizeof command, "cd '%s' && rm -f *.* %s", dir, removed[i]);
            CHECK(system(command) == 0);
        }
        o.resume = true;
    }
    free(expected);
    test_ctx_done(ctx);
}
