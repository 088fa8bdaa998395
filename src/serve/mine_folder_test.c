#include "serve/serve_test.h"

DPL_TEST(mine_folder, pairs_have_their_sentences_and_documents)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__mine_folder *f = NULL;
    const char *folder = serve_test_folder("run");
    serve_test_documents(ctx, folder);
    CHECK_OK(dpl__mine_folder_open(&f, ctx, folder, false, &test_err));
    CHECK_EQ(f->pairs.n, 3);
    CHECK_EQ(f->pairs.data[0].n_sentences, 3);
    CHECK_EQ(f->pairs.data[1].n_sentences, 1);
    CHECK_EQ(f->pairs.data[2].n_sentences, 0);
    CHECK_EQ(f->by_confidence[0], 0);
    CHECK_EQ(f->by_confidence[1], 2);
    CHECK_EQ(f->pairs.data[2].docs[0], DPL__NO_DOC);
    CHECK_STR(dpl__served_doc(f, &f->pairs.data[0], 0).title, "<script>");
    CHECK_STR(dpl__served_doc(f, &f->pairs.data[0], 1).id, "x");
    dpl__mine_folder_close(f);
    test_ctx_done(ctx);
}

DPL_TEST(mine_folder, a_sentence_is_found_whatever_its_white_space)
{
    const dpl_str text = DPL_STR("Eins\n zwei. Drei. Eins zwei.");
    size_t at = 0, begin = 0, end = 0;
    CHECK(dpl__find_sentence(text, DPL_STR("Eins zwei."), &at, &begin, &end));
    CHECK(begin == 0 && end == 11 && at == 11);
    CHECK(dpl__find_sentence(text, DPL_STR(" Eins   zwei. "), &at, &begin, &end));
    CHECK(begin == 18 && end == 28);
    CHECK(dpl__find_sentence(text, DPL_STR("Drei."), &at, &begin,
                             &end)); /* from the start again */
    CHECK_EQ(begin, 12);
    CHECK(!dpl__find_sentence(text, DPL_STR("Vier"), &at, &begin, &end));
    CHECK(!dpl__find_sentence(text, DPL_STR(" "), &at, &begin, &end));
    CHECK(!dpl__find_sentence(text, DPL_STR("zwei. Drei. Eins zwei. x"), &at, &begin, &end));
}

DPL_TEST(mine_folder, what_is_no_folder_of_a_run_is_refused)
{
    static const char *const bad[] = {"",
                                      "{",
                                      "[]",
                                      "{\"left\": {\"lang\": \"..\"}}",
                                      "{\"runs\": [{\"left\": \"a/b\", \"right\": \"c\"}]}",
                                      "{\"runs\": 3}",
                                      "{\"left\": \"\xff\"}"};
    dpl_ctx *ctx = test_ctx(1);
    dpl__mine_folder *f = NULL;
    dpl_error err = {0};
    CHECK_EQ(dpl__mine_folder_open(&f, ctx, test_dir(), false, &err), DPL_E_USAGE);
    CHECK(strcmp(err.code, "not-a-run") == 0);
    const char *folder = serve_test_folder("bad");
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        test_write("bad/run.json", bad[i], strlen(bad[i]));
        CHECK_EQ(dpl__mine_folder_open(&f, ctx, folder, false, &err), DPL_E_FORMAT);
        CHECK(!f);
    }
    test_ctx_done(ctx);
}

DPL_TEST(mine_folder, files_with_anything_in_them_open)
{
    static const char junk[] =
        "\n\t\n\t\t\na\nb\tc\n\xff\t\xfe\tnan\n\n\tx\t1\r\nq\tr\t0.5\r\nlast\tline\t0.25";
    dpl_ctx *ctx = test_ctx(1);
    dpl__mine_folder *f = NULL;
    const char *folder = serve_test_folder("junk");
    test_write("junk/pairs.tsv", junk, sizeof junk - 1);
    test_write("junk/sentences.tsv", junk, sizeof junk - 1);
    test_write("junk/judgements.tsv", junk, sizeof junk - 1);
    CHECK_OK(dpl__mine_folder_open(&f, ctx, folder, false, &test_err));
    CHECK_EQ(f->pairs.n, 2);
    CHECK_STR(f->pairs.data[1].ids[1], "line");
    dpl__mine_folder_close(f);
    test_ctx_done(ctx);
}

static dpl_status open_folder(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__mine_folder *f = NULL;
    dpl_status status = dpl__mine_folder_open(&f, ctx, user, false, err);
    dpl__mine_folder_close(f);
    return status;
}

DPL_TEST(mine_folder, no_memory_leaks_nothing)
{
    static char folder[600];
    snprintf(folder, sizeof folder, "%s", serve_test_folder("nomem"));
    test_allocation_failures(open_folder, folder);
}
