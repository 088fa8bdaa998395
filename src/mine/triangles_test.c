#include "mine/triangles.h"

#include "test.h"

#include <math.h>
#include <stdio.h>

/* Runs a-b, b-c and a-c of three languages with four documents each. */
typedef struct world {
    dpl_mine_result m;
    dpl_mine_language langs[3];
    dpl__pair_run runs[3], *run_list[3];
    dpl_collection *c;
    uint64_t keys[4];
    uint8_t skip[4];
} world;

enum { AB, BC, AC };

static void begin(world *w, dpl_ctx *ctx)
{
    static const size_t langs[][2] = {[AB] = {0, 1}, [BC] = {1, 2}, [AC] = {0, 2}};
    static const char docs[] = "1\tone\n2\ttwo\n3\tthree\n4\tfour\n";
    const char *in = test_write("docs.tsv", docs, sizeof docs - 1);
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .lang = "en");
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    *w = (world){.m = {.ctx = ctx, .langs = w->langs, .runs = w->run_list, .n_runs = 3},
                 .keys = {5, 6, 7, 8}};
    w->m.summary = (dpl_mine_summary){.n_langs = 3, .pivot = &w->langs[1]};
    CHECK_OK(dpl_import(NULL, ctx, test_path("docs.dpl"), &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&w->c, ctx, test_path("docs.dpl"), &test_err));
    for (size_t i = 0; i < 3; i++) {
        dpl__pair_run *r = w->run_list[i] = &w->runs[i];
        r->ctx = ctx;
        r->last = &r->rounds[0];
        for (int side = 0; side < 2; side++) {
            r->task.langs[side] = langs[i][side];
            r->corpus.c[side] = w->c;
            r->corpus.keys[side] = w->keys;
            r->corpus.skip[side] = w->skip;
        }
        snprintf(w->langs[i].code, sizeof w->langs[i].code, "%c%c", 'a' + (int)i, 'x');
    }
}

static void end(world *w, dpl_ctx *ctx)
{
    for (size_t i = 0; i < 3; i++)
        dpl__vec_clear(ctx, &w->runs[i].rounds[0].found.pairs, &w->runs[i].final.found.pairs);
    dpl_collection_close(w->c);
    test_ctx_done(ctx);
}

static void add(world *w, int run, uint32_t left, uint32_t right, double confidence)
{
    const dpl__doc_candidate c = {.docs = {left, right}, .confidence = confidence};
    CHECK(dpl__vec_push(w->m.ctx, &w->runs[run].rounds[0].found.pairs, c));
    CHECK(dpl__vec_push(w->m.ctx, &w->runs[run].final.found.pairs, c));
}

static const dpl__doc_candidate *find(const world *w, int run, uint32_t left, uint32_t right)
{
    const dpl__doc_candidate_vec *pairs = &w->runs[run].rounds[0].found.pairs;
    for (size_t i = 0; i < pairs->n; i++) {
        CHECK(i == 0 || pairs->data[i - 1].docs.left < pairs->data[i].docs.left);
        if (pairs->data[i].docs.left == left && pairs->data[i].docs.right == right)
            return &pairs->data[i];
    }
    return NULL;
}

DPL_TEST(triangles, pairs_support_and_exclude_each_other)
{
    static world w;
    dpl_ctx *ctx = test_ctx(1);
    begin(&w, ctx);
    for (uint32_t i = 0; i < 4; i++)
        add(&w, AB, i, i, 0.9);
    for (uint32_t i = 0; i < 3; i++)
        add(&w, BC, i, 3 - i, 0.9);
    add(&w, AC, 0, 3, 0.6); /* as the others say */
    add(&w, AC, 1, 1, 0.4); /* they say 1-2 and 2-1 */
    add(&w, AC, 3, 0, 0.7); /* they say nothing about it */
    CHECK_OK(dpl__support_candidates(&w.m, &test_err));
    CHECK_EQ(w.runs[AC].rounds[0].found.pairs.n, 4);
    CHECK(find(&w, AC, 0, 3)->confidence > 0.81);
    CHECK(!find(&w, AC, 1, 1));
    CHECK(find(&w, AC, 1, 2)->confidence > 0.5);
    CHECK(find(&w, AC, 2, 1)->confidence > 0.5);
    CHECK(find(&w, AC, 3, 0)->confidence == 0.7);
    CHECK(find(&w, AB, 0, 0)->confidence >= 0.9);
    CHECK(find(&w, BC, 3, 0)); /* through a */
    end(&w, ctx);
}

/* Of two pairs that exclude each other both cannot be right: of what is left, the likelier one
 * stays, with its share. */
DPL_TEST(triangles, of_two_pairs_that_exclude_each_other_the_likelier_stays)
{
    static const double own[] = {0.1, 0.4, 0.7, 0.95};
    for (size_t i = 0; i < DPL_LEN(own); i++) {
        static world w;
        dpl_ctx *ctx = test_ctx(1);
        const double implied = 0.9 * 0.9, only_own = own[i] * (1 - implied),
                     only_implied = implied * (1 - own[i]),
                     neither = (1 - own[i]) * (1 - implied),
                     all = only_own + only_implied + neither;
        const bool is_replaced = only_implied > only_own;
        begin(&w, ctx);
        add(&w, AB, 1, 1, 0.9);
        add(&w, BC, 1, 2, 0.9);
        add(&w, AC, 1, 1, own[i]);
        CHECK_OK(dpl__support_candidates(&w.m, &test_err));
        const dpl__doc_candidate *made = find(&w, AC, 1, 2), *was = find(&w, AC, 1, 1);
        CHECK((made != NULL) == is_replaced && (was != NULL) == !is_replaced);
        const double expected = (is_replaced ? only_implied : only_own) / all;
        CHECK(fabs((is_replaced ? made : was)->confidence - expected) < 1e-9);
        end(&w, ctx);
    }
}

DPL_TEST(triangles, a_triangle_of_unsure_pairs_is_surer_than_each)
{
    static world w;
    dpl_ctx *ctx = test_ctx(1);
    double n_implied;
    begin(&w, ctx);
    add(&w, AB, 0, 0, 0.7); /* a triangle */
    add(&w, BC, 0, 0, 0.7);
    add(&w, AC, 0, 0, 0.4);
    add(&w, AB, 1, 1, 0.9); /* others contradict the third side */
    add(&w, BC, 1, 1, 0.9);
    add(&w, AC, 1, 2, 0.6);
    CHECK_OK(dpl__count_implied(&n_implied, &w.m, 0, 2, &test_err));
    CHECK(n_implied == 1);
    CHECK_OK(dpl__support_candidates(&w.m, &test_err));
    CHECK(find(&w, AC, 0, 0)->confidence > 0.6);
    CHECK(find(&w, AB, 0, 0)->confidence > 0.7);
    CHECK(!find(&w, AC, 1, 2));
    end(&w, ctx);
}

DPL_TEST(triangles, the_pivot_implies_pairs_of_the_others)
{
    static world w;
    dpl_ctx *ctx = test_ctx(1);
    dpl__implied_vec implied = {0};
    begin(&w, ctx);
    add(&w, AB, 0, 3, 0.5);
    add(&w, AB, 1, 2, 0.8);
    add(&w, AB, 2, 1, 0.8);
    add(&w, BC, 2, 0, 0.5);
    add(&w, BC, 3, 1, 1);
    CHECK_OK(dpl__implied_by_pivot(&implied, &w.m, 0, 2, &test_err));
    CHECK(implied.n == 2 && implied.data[0].docs.left == 0 && implied.data[0].docs.right == 1);
    CHECK(implied.data[0].confidence == 0.5 && implied.data[1].docs.right == 0);
    dpl__vec_clear(ctx, &implied);
    end(&w, ctx);
}

static dpl_lexicon *make_lexicon(dpl_ctx *ctx, const char *const words[][2], size_t n,
                                 const char *const langs[2])
{
    dpl_lexicon_entry entries[8];
    dpl_lexicon *l = NULL;
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = langs[0], .target_lang = langs[1]);
    for (size_t i = 0; i < n; i++)
        entries[i] = (dpl_lexicon_entry){dpl__cstr(words[i][0]), dpl__cstr(words[i][1]), 0.5f};
    CHECK_OK(dpl_lexicon_from_entries(&l, ctx, entries, n, &o, &test_err));
    return l;
}

DPL_TEST(triangles, lexicons_are_composed_in_either_direction)
{
    static const char *const there[][2] = {
        {"haus", "house"}, {"haus", "home"}, {"baum", "tree"}};
    static const char *const back[][2] = {
        {"maison", "house"}, {"maison", "home"}, {"eau", "water"}};
    static world w;
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *composed = NULL;
    begin(&w, ctx);
    snprintf(w.langs[0].code, sizeof w.langs[0].code, "de");
    snprintf(w.langs[2].code, sizeof w.langs[2].code, "fr");
    w.runs[BC].task.langs[0] = 2; /* fr-en: the other way round */
    w.runs[BC].task.langs[1] = 1;
    w.m.n_runs = 2;
    dpl_lexicon *lexicons[2] = {make_lexicon(ctx, there, 3, (const char *[]){"de", "en"}),
                                make_lexicon(ctx, back, 3, (const char *[]){"fr", "en"})};
    w.runs[AB].lexicon = lexicons[0];
    w.runs[BC].lexicon = lexicons[1];
    CHECK_OK(dpl__compose_lexicon(&composed, &w.m, 0, 2, 0, &test_err));
    CHECK(!composed); /* too few pairs */
    for (uint32_t i = 0; i < 20; i++) {
        add(&w, AB, i, i, 1);
        add(&w, BC, i, i, 1);
    }
    w.runs[AB].corpus.n_docs[0] = w.runs[AB].corpus.n_docs[1] = 100; /* of so many */
    CHECK_OK(dpl__compose_lexicon(&composed, &w.m, 0, 2, 0.4, &test_err));
    CHECK(!composed);
    CHECK_OK(dpl__compose_lexicon(&composed, &w.m, 0, 2, 0.2, &test_err));
    uint32_t word;
    const float *p;
    size_t n;
    CHECK(composed && dpl_lexicon_get_sizes(composed)->n_sources == 1);
    CHECK(dpl_lexicon_find_source(composed, DPL_STR("haus"), &word));
    const uint32_t *row = dpl_lexicon_row(composed, word, &p, &n);
    CHECK(n == 1 && p[0] > 0.9f);
    CHECK_STR(dpl_lexicon_target(composed, row[0]), "maison");
    for (size_t i = 0; i < 2; i++)
        dpl_lexicon_close(lexicons[i]);
    dpl_lexicon_close(composed);
    w.runs[AB].lexicon = w.runs[BC].lexicon = NULL;
    end(&w, ctx);
}
