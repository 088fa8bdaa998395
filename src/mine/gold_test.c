#include "mine/gold.h"

#include "mine/unit.h"

#include "langlinks/judgements.h"
#include "test.h"

#include <stdio.h>

DPL_TEST(gold, lines_are_taken_apart)
{
    static const struct {
        const char *line;
        int verdict; /* -1: nothing said, -2: bad */
    } cases[] = {
        {"a\tb", DPL__JUDGED_ACCEPT},
        {"a\tb\taccept", DPL__JUDGED_ACCEPT},
        {"a\tb\t0.93", DPL__JUDGED_ACCEPT},
        {"a\tb\t", DPL__JUDGED_ACCEPT},
        {"a\tb\treject\tde\ten", DPL__JUDGED_REJECT},
        {"a\tb\topen", DPL__JUDGED_OPEN},
        {"", -1},
        {"left_id\tright_id\tjudgement", -1},
        {"a", -2},
        {"a\tb\tmaybe", -2},
        {"\tb", -2},
        {"a\t", -2},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl__judgement j;
        bool is_empty;
        const char *problem = dpl__judgement_parse(&j, &is_empty, dpl__cstr(cases[i].line));
        CHECK_EQ(problem != NULL, cases[i].verdict == -2);
        if (problem)
            continue;
        CHECK_EQ(is_empty, cases[i].verdict == -1);
        if (!is_empty)
            CHECK_EQ(j.verdict, cases[i].verdict);
    }
}

/* Documents "l0" to "l9" and "r0" to "r9". */
static dpl_collection *make_side(dpl_ctx *ctx, char letter)
{
    static char text[2000];
    size_t n = 0;
    dpl_collection *c = NULL;
    for (int i = 0; i < 10; i++)
        n +=
            (size_t)snprintf(text + n, sizeof text - n,
                             "{\"id\": \"%c%d\", \"lang\": \"%s\", \"text\": \"one two %d\"}\n",
                             letter, i, letter == 'l' ? "de" : "en", i);
    dpl_input in = {.buffer = {text, n}};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    return c;
}

typedef struct world {
    dpl_ctx *ctx;
    dpl_collection *c[2];
    dpl__comparable corpus;
    dpl__gold *gold;
} world;

static world begin(const char *lines)
{
    world w = {.ctx = test_ctx(1)};
    w.c[0] = make_side(w.ctx, 'l');
    w.c[1] = make_side(w.ctx, 'r');
    w.corpus = (dpl__comparable){.ctx = w.ctx, .c = {w.c[0], w.c[1]}, .lang = {"de", "en"}};
    CHECK_OK(dpl__gold_read(&w.gold, &w.corpus, NULL,
                            test_write("gold.tsv", lines, strlen(lines)), &test_err));
    w.corpus.gold = w.gold;
    return w;
}

static void end(world *w)
{
    dpl__gold_free(w->gold);
    dpl_collection_close(w->c[0]);
    dpl_collection_close(w->c[1]);
    test_ctx_done(w->ctx);
}

static bool forbids(const world *w, uint32_t left, uint32_t right)
{
    return dpl__gold_forbids(w->gold, (dpl_doc_pair){left, right});
}

DPL_TEST(gold, the_last_line_about_a_pair_counts)
{
    world w = begin("l1\tr1\treject\nl1\tr1\taccept\nl2\tr2\nl2\tr3\nl4\tr4\nl4\tr4\topen\n"
                    "l5\tr5\treject\nr6\tl6\taccept\ten\tde\nl7\tr7\taccept\tfr\ten\nx\ty\n");
    CHECK_EQ(w.gold->n_accepted, 3); /* 1-1, 2-3, 6-6 */
    CHECK_EQ(w.gold->accepted[1].right, 3);
    CHECK_EQ(w.gold->accepted[2].left, 6);
    CHECK_EQ(w.gold->n_rejected, 1);
    CHECK(w.gold->n_known == 8 && w.gold->n_unknown == 1 && w.gold->n_left_out == 0);
    CHECK_STR(dpl__cstr(w.gold->unknown.text), "'x'");
    CHECK(!forbids(&w, 1, 1) && forbids(&w, 1, 2) && forbids(&w, 0, 1));
    CHECK(forbids(&w, 5, 5) && !forbids(&w, 5, 4) && !forbids(&w, 4, 4) && !forbids(&w, 7, 7));
    end(&w);
}

/* A collection of documents from lines of id and text. */
static dpl_collection *import(dpl_ctx *ctx, const char *lines)
{
    dpl_collection *c = NULL;
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    const dpl_input in = {.buffer = {lines, strlen(lines)}};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, &o, &test_err));
    return c;
}

DPL_TEST(gold, a_document_of_one_sentence_has_both_names)
{
    world w = begin("");
    dpl__gold *g = NULL;
    dpl_collection *sentences = import(w.ctx, "a#1\tOne.\nb#1\tOne.\nb#2\tTwo.\n");
    w.corpus.c[0] = sentences;
    /* r3 is a document of one sentence, a and b are documents that were divided */
    static const char lines[] = "a\tr1\nb\tr2\nb#2\tr3#1\na#2\tr4\n";
    const char *path = test_write("names.tsv", lines, sizeof lines - 1);
    CHECK_OK(dpl__gold_read(&g, &w.corpus, NULL, path, &test_err));
    CHECK_EQ(g->n_accepted, 2);
    CHECK(g->accepted[0].left == 0 && g->accepted[0].right == 1);
    CHECK(g->accepted[1].left == 2 && g->accepted[1].right == 3);
    CHECK_EQ(g->n_unknown, 2);
    CHECK_STR(dpl__cstr(g->unknown.text), "'b', 'a#2'");
    dpl__gold_free(g);
    dpl_collection_close(sentences);
    end(&w);
}

DPL_TEST(gold, documents_that_are_not_mined_are_not_unknown)
{
    world w = begin("");
    dpl__gold *g = NULL;
    const dpl__doc_numbers numbers[2] = {{.read = w.c[0]}, {.read = NULL}};
    dpl_collection *mined = import(w.ctx, "l1\tone\nl2\ttwo\n");
    w.corpus.c[0] = mined;
    const char *path = test_write("left-out.tsv", "l0\tr1\nl2\tr2\nq\tr3\n", 17);
    CHECK_OK(dpl__gold_read(&g, &w.corpus, numbers, path, &test_err));
    CHECK(g->n_known == 1 && g->n_left_out == 1 && g->n_unknown == 1);
    CHECK(g->accepted[0].left == 1 && g->accepted[0].right == 2);
    dpl__gold_free(g);
    dpl_collection_close(mined);
    end(&w);
}

DPL_TEST(gold, a_bad_line_is_named)
{
    world w = begin("");
    dpl__gold *g = NULL;
    dpl_error err = {0};
    const char *path = test_write("bad.tsv", "l1\tr1\nl1 r1\n", 12);
    CHECK_EQ(dpl__gold_read(&g, &w.corpus, NULL, path, &err), DPL_E_FORMAT);
    CHECK(strstr(err.text, "line 2: no tab"));
    CHECK_EQ(dpl__gold_read(&g, &w.corpus, NULL, test_path("none.tsv"), &err), DPL_E_IO);
    end(&w);
}

DPL_TEST(gold, pairs_are_merged_in_order)
{
    world w = begin("l1\tr1\nl5\tr9\nl7\tr7\nl2\tr2\treject\n");
    dpl_doc_pair pairs[10] = {{0, 0}, {1, 2}, {2, 2}, {3, 9}, {6, 6}, {7, 7}, {8, 8}};
    static const uint32_t wanted[][2] = {{0, 0}, {1, 1}, {5, 9}, {6, 6}, {7, 7}, {8, 8}};
    size_t n = 7;
    dpl__gold_merge(pairs, &n, w.gold);
    CHECK_EQ(n, DPL_LEN(wanted));
    for (size_t i = 0; i < n; i++)
        CHECK(pairs[i].left == wanted[i][0] && pairs[i].right == wanted[i][1]);
    end(&w);
}

DPL_TEST(gold, candidates_keep_their_decoys)
{
    world w = begin("l1\tr1\nl5\tr9\nl2\tr2\treject\n");
    dpl__doc_candidates f = {0};
    static const uint32_t docs[][2] = {{0, 0}, {1, 2}, {2, 2}, {4, 4}};
    for (uint32_t i = 0; i < DPL_LEN(docs); i++) {
        dpl__doc_candidate c = {.docs = {docs[i][0], docs[i][1]},
                                .match = {.score = 0.5f, .margin = 1, .lead = {1, 1}},
                                .confidence = 0.7};
        CHECK(dpl__vec_push(w.ctx, &f.pairs, c));
        c.match.taken[0] = i;
        c.match.taken[1] = DPL__NO_ROW;
        CHECK(dpl__vec_push(w.ctx, &f.decoys, c));
    }
    const dpl__sample all = {0};
    const dpl__round_input in = {/* votes: no cosines */
                                 .corpus = &w.corpus,
                                 .unit = &dpl__unit_passage,
                                 .sample = &all};
    CHECK_OK(dpl__gold_apply(&f, &in, &test_err));
    static const uint32_t wanted[][2] = {{0, 0}, {1, 1}, {4, 4}, {5, 9}};
    CHECK_EQ(f.pairs.n, 4);
    for (size_t i = 0; i < 4; i++) {
        CHECK(f.pairs.data[i].docs.left == wanted[i][0] &&
              f.pairs.data[i].docs.right == wanted[i][1]);
        CHECK(f.pairs.data[i].confidence == (i % 2 ? 1 : 0.7));
    }
    CHECK_EQ(f.decoys.n, 2); /* of 0-0 and 4-4 */
    CHECK_EQ(f.decoys.data[1].match.taken[0], 2);
    dpl__doc_candidates_clear(&f, w.ctx);
    end(&w);
}

/* ---- whole runs
 * --------------------------------------------------------------------------------- */

static const char *sample(const char *name)
{
    static char paths[4][600];
    static int i;
    i = (i + 1) % 4;
    snprintf(paths[i], sizeof paths[i], "%s/examples/sample/%s", DPL_TEST_SOURCE, name);
    return paths[i];
}

static dpl_mine_result *mine(dpl_ctx *ctx, const char *gold, bool is_swapped)
{
    dpl_mine_result *result = NULL;
    dpl_input in[2] = {{.path = sample("de.jsonl")}, {.path = sample("en.jsonl")}};
    const dpl_input swapped[2] = {in[1], in[0]};
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .known = gold, .temp = test_dir());
    CHECK_OK(dpl_mine(&result, ctx, NULL, is_swapped ? swapped : in, 2, &o, &test_err));
    return result;
}

/* The partner of a left document; empty: none. */
static dpl_str partner(const dpl_mine_result *r, const char *left, double *confidence)
{
    const dpl_mine_run *run = dpl_mine_get_summary(r)->runs[0];
    for (size_t i = 0; i < run->n_pairs; i++) {
        const dpl_mine_pair p = dpl_mine_get_pair(r, 0, i);
        if (dpl__str_eq(p.left_id, dpl__cstr(left))) {
            *confidence = p.confidence;
            return p.right_id;
        }
    }
    return (dpl_str){0};
}

DPL_TEST(gold, a_run_does_what_people_said)
{
    dpl_ctx *ctx = test_ctx(2);
    double confidence;
    /* a right pair rejected, a wrong one accepted */
    static const char lines[] = "de-0001\ten-0050\treject\nde-0002\ten-0068\taccept\n";
    const char *path = test_write("gold.tsv", lines, sizeof lines - 1);
    dpl_mine_result *plain = mine(ctx, NULL, false), *judged = mine(ctx, path, false);
    CHECK_STR(partner(plain, "de-0001", &confidence), "en-0050");
    CHECK_STR(partner(plain, "de-0002", &confidence), "en-0025");
    CHECK_STR(partner(plain, "de-0004", &confidence), "en-0068");
    CHECK(!dpl__str_eq(partner(judged, "de-0001", &confidence), DPL_STR("en-0050")));
    CHECK_STR(partner(judged, "de-0002", &confidence), "en-0068");
    CHECK(confidence == 1);
    CHECK(!dpl__str_eq(partner(judged, "de-0004", &confidence), DPL_STR("en-0068")));
    CHECK(!dpl_mine_get_summary(plain)->runs[0]->has_known);
    CHECK_EQ(dpl_mine_get_summary(judged)->runs[0]->n_accepted, 1);
    CHECK_EQ(dpl_mine_get_summary(judged)->runs[0]->n_rejected, 1);
    dpl_mine_result_free(plain);
    dpl_mine_result_free(judged);
    test_ctx_done(ctx);
}

DPL_TEST(gold, swapped_sides_give_the_mirror_image)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_mine_result *straight = mine(ctx, sample("gold.de-en.tsv"), false),
                    *swapped = mine(ctx, sample("gold.de-en.tsv"), true);
    const dpl_mine_run *run = dpl_mine_get_summary(straight)->runs[0];
    CHECK_EQ(run->n_accepted, 70);
    CHECK(run->rounds[0]->n_lexicon_entries > 0); /* many: a lexicon to begin with */
    CHECK_EQ(dpl_mine_get_summary(swapped)->runs[0]->n_pairs, run->n_pairs);
    for (size_t i = 0; i < run->n_pairs; i++) {
        const dpl_mine_pair p = dpl_mine_get_pair(swapped, 0, i);
        char left[40];
        double confidence;
        snprintf(left, sizeof left, "%.*s", (int)p.right_id.n, p.right_id.data);
        CHECK(dpl__str_eq(partner(straight, left, &confidence), p.left_id));
        CHECK(confidence == p.confidence);
    }
    dpl_mine_result_free(straight);
    dpl_mine_result_free(swapped);
    test_ctx_done(ctx);
}
