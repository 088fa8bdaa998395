#include "doppel/sentences.h"

#include "test.h"

typedef struct fixture {
    dpl_ctx *ctx;
    dpl_collection *left, *right;
    const char *path; /* of the pairs */
} fixture;

static dpl_collection *collection(dpl_ctx *ctx, const char *name, const char *tsv)
{
    const char *in = test_write("in.tsv", tsv, strlen(tsv)), *out = test_path(name);
    CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, NULL, &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, out, &test_err));
    return c;
}

static fixture fixture_new(const char *pairs)
{
    fixture f = {.ctx = test_ctx(1)};
    f.left = collection(f.ctx, "left.dpl", "a\tone\nb\ttwo\n");
    f.right = collection(f.ctx, "right.dpl", "y\tone\nz\ttwo\n");
    f.path = test_write("pairs.tsv", pairs, strlen(pairs));
    return f;
}

static void fixture_done(fixture *f)
{
    dpl_collection_close(f->left);
    dpl_collection_close(f->right);
    test_ctx_done(f->ctx);
}

static dpl_status read_pairs(void *user, dpl_ctx *ctx, dpl_error *err)
{
    fixture *f = user;
    dpl_doc_pair *pairs;
    size_t n;
    dpl_status status =
        dpl_doc_pairs_read(&pairs, &n, ctx, f->path, f->left, f->right, NULL, err);
    if (status == DPL_OK)
        dpl_doc_pairs_free(ctx, pairs, n);
    return status;
}

static void check_fails(const char *pairs, const char *text)
{
    fixture f = fixture_new(pairs);
    CHECK_EQ(read_pairs(&f, f.ctx, &test_err), DPL_E_FORMAT);
    const char *behind = strstr(test_err.text, "pairs.tsv' ");
    CHECK(behind != NULL);
    CHECK_STR(dpl__cstr(behind + strlen("pairs.tsv' ")), text);
    fixture_done(&f);
}

DPL_TEST(doc_pairs, ids_become_numbers_whatever_stands_behind_them)
{
    fixture f = fixture_new("left_id\tright_id\tscore\nb\ty\t0.5\na\tz\nb\ty\t1\tmore\r\n");
    dpl_doc_pair *pairs;
    size_t n;
    CHECK_OK(dpl_doc_pairs_read(&pairs, &n, f.ctx, f.path, f.left, f.right, NULL, &test_err));
    CHECK_EQ(n, 3);
    CHECK(pairs[0].left == 1 && pairs[0].right == 0);
    CHECK(pairs[1].left == 0 && pairs[1].right == 1);
    CHECK(pairs[2].left == 1 && pairs[2].right == 0);
    dpl_doc_pairs_free(f.ctx, pairs, n);
    fixture_done(&f);
}

DPL_TEST(doc_pairs, an_empty_file_has_none)
{
    fixture f = fixture_new("");
    dpl_doc_pair *pairs;
    size_t n;
    CHECK_OK(dpl_doc_pairs_read(&pairs, &n, f.ctx, f.path, f.left, f.right, NULL, &test_err));
    CHECK(pairs == NULL && n == 0);
    dpl_doc_pairs_free(f.ctx, pairs, n);
    fixture_done(&f);
}

DPL_TEST(doc_pairs, lines_that_name_no_documents_are_errors)
{
    check_fails("a\ty\nc\ty\n", "line 2: the left documents have no id 'c'");
    check_fails("a\tx\n", "line 1: the right documents have no id 'x'");
    check_fails("y\ta\n", "line 1: the left documents have no id 'y', the right ones have");
    check_fails("a\n", "line 1: no tab between two ids");
    check_fails("a\ty\n\n", "line 2: no tab between two ids");
}

DPL_TEST(doc_pairs, such_lines_can_be_skipped)
{
    fixture f = fixture_new("c\ty\na\tx\nb\n\nb\tz\n\t\n");
    dpl_doc_pair *pairs;
    size_t n;
    uint64_t n_skipped;
    CHECK_OK(
        dpl_doc_pairs_read(&pairs, &n, f.ctx, f.path, f.left, f.right, &n_skipped, &test_err));
    CHECK(n == 1 && pairs[0].left == 1 && pairs[0].right == 1);
    CHECK_EQ(n_skipped, 5);
    dpl_doc_pairs_free(f.ctx, pairs, n);
    fixture_done(&f);
}

DPL_TEST(doc_pairs, survive_failing_allocations)
{
    fixture f = fixture_new("a\ty\nb\tz\n");
    test_allocation_failures(read_pairs, &f);
    fixture_done(&f);
}
