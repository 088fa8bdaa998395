#include "serve/mine_links.h"

#include "serve/serve_test.h"

/* A folder with these lists of links; NULL: without one. */
static dpl__mine_folder *folder_with(dpl_ctx *ctx, const char *name, const char *missing,
                                     const char *suspicious)
{
    char path[700];
    const char *dir = serve_test_folder(name);
    dpl__mine_folder *f = NULL;
    snprintf(path, sizeof path, "%s/missing-links.tsv", name);
    if (missing)
        test_write(path, missing, strlen(missing));
    snprintf(path, sizeof path, "%s/suspicious-links.tsv", name);
    if (suspicious)
        test_write(path, suspicious, strlen(suspicious));
    CHECK_OK(dpl__mine_folder_open(&f, ctx, dir, true, &test_err));
    return f;
}

/* Of several links with the same probability the first line is first. */
DPL_TEST(mine_links, lines_that_are_no_link_are_passed_over_and_the_likeliest_is_first)
{
    static const char missing[] = "left_id\tright_id\tconfidence\tleft_title\n"
                                  "a\tx\t0.5\tA\tX\n"
                                  "p\tq\t1\n"
                                  "b\ty\t0\tB\tY\n"
                                  "q\tp\t1\tQ\n"
                                  "\tx\t0.5\n"
                                  "a\t\t0.5\n"
                                  "a\tx\n"
                                  "a\tx\t\n"
                                  "a\tx\t1.001\n"
                                  "a\tx\t-0.001\n"
                                  "a\tx\tnan\n"
                                  "a\tx\t0.5x\n"
                                  "\n"
                                  "c <b>\tz\t0.75";
    static const char suspicious[] = "a\tz\t0.25\n"
                                     "a\ty\t1.5\n"
                                     "b\tz\t0.5\n";
    static const struct {
        const char *left;
        float probability;
        bool is_suspicious, has_pair;
    } expected[] = {{"p", 1, false, false},        {"q", 1, false, false},
                    {"c <b>", 0.75f, false, true}, {"a", 0.5f, false, true},
                    {"b", 0, false, true},         {"b", 0.5f, true, false},
                    {"a", 0.25f, true, false}};
    dpl_ctx *ctx = test_ctx(1);
    dpl__mine_folder *f = folder_with(ctx, "order", missing, suspicious);
    CHECK_EQ(f->links.all.n, DPL_LEN(expected));
    CHECK_EQ(f->links.n_missing, 5);
    for (size_t i = 0; i < DPL_LEN(expected); i++) {
        const dpl__served_link *l = &f->links.all.data[i];
        CHECK_STR(dpl__link_line_of(l).ids[0], expected[i].left);
        CHECK(l->probability == expected[i].probability);
        CHECK_EQ(l->is_suspicious, expected[i].is_suspicious);
        CHECK_EQ(l->pair != DPL__NO_PAIR_OF_LINK, expected[i].has_pair);
    }
    dpl__mine_folder_close(f);
    test_ctx_done(ctx);
}

DPL_TEST(mine_links, columns_of_both_lists_are_read_and_missing_ones_are_empty)
{
    static const char missing[] = "a\tx\t0.5\tA\tX\t7\t0.25\t0.75\tterms\tEins|One\n"
                                  "b\ty\t0.4\n";
    static const char suspicious[] =
        "a\tz\t0.9\tA\tZ\t0.04\tx\tX\tc\tC\tw0\tw1\tw2\t0.35\t0.5\t0.75\t0.6\t0.1\t0.2\n"
        "b\tz\t0.8\tB\tZ\tno\ty\tY\t\t\t\t\t\t\t\t\t0.3\t\t\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl__mine_folder *f = folder_with(ctx, "columns", missing, suspicious);
    CHECK_EQ(f->links.all.n, 4);
    dpl__link_line l = dpl__link_line_of(&f->links.all.data[0]);
    CHECK_STR(l.ids[1], "x");
    CHECK_STR(l.titles[0], "A");
    CHECK_STR(l.titles[1], "X");
    CHECK_STR(l.words[0], "Eins|One");
    CHECK(l.has_figures[0] && l.confidence[0] == 0.5 && l.cosine == 0);
    CHECK(l.share[0][0] == 0.25 && l.share[0][1] == 0.75);
    CHECK_EQ(l.better_ids[0].n + l.better_ids[1].n + l.words[1].n, 0);
    l = dpl__link_line_of(&f->links.all.data[1]);
    CHECK_EQ(l.titles[0].n + l.titles[1].n + l.words[0].n, 0);
    CHECK(l.has_figures[0] && l.share[0][0] == 0 && l.share[0][1] == 0);
    l = dpl__link_line_of(&f->links.all.data[2]);
    CHECK(l.cosine == 0.04 && !l.has_figures[0]);
    CHECK_STR(l.better_ids[0], "x");
    CHECK_STR(l.better_titles[0], "X");
    CHECK_STR(l.better_ids[1], "c");
    CHECK_STR(l.better_titles[1], "C");
    CHECK_STR(l.words[0], "w0");
    CHECK_STR(l.words[1], "w1");
    CHECK_STR(l.words[2], "w2");
    CHECK(l.has_figures[1] && l.confidence[1] == 0.35 && l.share[1][0] == 0.5 &&
          l.share[1][1] == 0.75);
    CHECK(l.has_figures[2] && l.confidence[2] == 0.6 && l.share[2][0] == 0.1 &&
          l.share[2][1] == 0.2);
    l = dpl__link_line_of(&f->links.all.data[3]);
    CHECK(l.cosine == 0 && !l.has_figures[1] && l.has_figures[2] && l.confidence[2] == 0.3);
    dpl__mine_folder_close(f);
    test_ctx_done(ctx);
}

/* Links that are no pairs have judgements of their own, all lines of the same ids one. */
DPL_TEST(mine_links, a_judgement_is_of_all_links_of_its_ids_and_languages)
{
    static const char suspicious[] = "b\tz\t0.9\tB\tZ\n"
                                     "a\ty\t0.8\tA\tY\n"
                                     "b\tz\t0.7\tB\tZ\n"
                                     "a\tx\t0.6\tA\tX\n";
    static const struct {
        const char *left, *right, *langs[2];
        dpl__verdict_of_pair verdict;
        unsigned states[4]; /* afterwards */
    } steps[] = {{"b", "z", {"de", "en"}, DPL__JUDGED_ACCEPT, {1, 0, 1, 0}},
                 {"a", "y", {"de", "fr"}, DPL__JUDGED_ACCEPT, {1, 0, 1, 0}},
                 {"a", "y", {"fr", "en"}, DPL__JUDGED_ACCEPT, {1, 0, 1, 0}},
                 {"y", "a", {"de", "en"}, DPL__JUDGED_ACCEPT, {1, 0, 1, 0}},
                 {"a", "y", {"", ""}, DPL__JUDGED_REJECT, {1, 2, 1, 0}},
                 {"b", "z", {"", "en"}, DPL__JUDGED_REJECT, {2, 2, 2, 0}},
                 {"a", "x", {"de", "en"}, DPL__JUDGED_REJECT, {2, 2, 2, 0}}, /* a pair */
                 {"b", "z", {"de", ""}, DPL__JUDGED_OPEN, {0, 2, 0, 0}}};
    dpl_ctx *ctx = test_ctx(1);
    dpl__mine_folder *f = folder_with(ctx, "judged", NULL, suspicious);
    CHECK_EQ(f->links.all.n, 4);
    for (size_t i = 0; i < DPL_LEN(steps); i++) {
        const dpl__judgement j = {.left_id = dpl__cstr(steps[i].left),
                                  .right_id = dpl__cstr(steps[i].right),
                                  .left_lang = dpl__cstr(steps[i].langs[0]),
                                  .right_lang = dpl__cstr(steps[i].langs[1]),
                                  .verdict = steps[i].verdict};
        dpl__served_links_judge(f, &j);
        for (uint32_t link = 0; link < 4; link++)
            CHECK_EQ(dpl__served_link_state(f, link), steps[i].states[link]);
    }
    dpl__served_links_judge(f, NULL);
    for (uint32_t link = 0; link < 4; link++)
        CHECK_EQ(dpl__served_link_state(f, link), DPL__JUDGED_OPEN);
    dpl__mine_folder_close(f);
    test_ctx_done(ctx);
}
