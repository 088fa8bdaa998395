/* Which document of a group the others are said to be copies of. */
#include "mine/copy_choice.h"

#include "base/ctx.h"
#include "test.h"

enum { N = 6 };
#define NONE UINT32_MAX

static const char docs[] = "a\tone two three\nb\tone two four\nc\tone two five\n"
                           "d\tsix seven\ne\tsix seven\nf\teight nine ten\n";

/* Near-copies: the first three, whose group is named after the first. Duplicates: the next two,
 * of which one takes part. */
static void check_copies(const dpl_doc_pair *pairs, size_t n_pairs, unsigned first_skipped,
                         const uint32_t expected[N])
{
    dpl_ctx *ctx = test_ctx(1);
    const char *in = test_write("docs.tsv", docs, sizeof docs - 1), *path = test_path("d.dpl");
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = "en");
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    dpl_collection *c = NULL;
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    uint64_t keys[N] = {70, 20, 30, 40, 40, 60};
    uint32_t groups[N] = {0, 0, 0, NONE, NONE, NONE}, *copy_of[2] = {NULL, NULL};
    uint8_t skip[N] = {0, 0, 0, 1, 0, 0};
    skip[0] = first_skipped == 0;
    dpl__comparable p = {.ctx = ctx};
    p.c[0] = p.c[1] = c;
    for (int side = 0; side < 2; side++) {
        p.keys[side] = keys;
        p.groups[side] = groups;
        p.skip[side] = skip;
    }
    p.n_copies[0] = 2; /* the right side has none, and gets no list */
    const dpl__pair_list list = {pairs, n_pairs};
    CHECK_OK(dpl__list_copies(copy_of, &p, &list, &test_err));
    CHECK(copy_of[0] && !copy_of[1]);
    for (uint32_t doc = 0; doc < N; doc++)
        CHECK_EQ(copy_of[0][doc], expected[doc]);
    dpl__free(ctx, copy_of[0]);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(copy_choice, copies_are_of_the_paired_document)
{
    check_copies(&(dpl_doc_pair){1, 5}, 1, N, (const uint32_t[N]){1, NONE, 1, 4, NONE, NONE});
    const dpl_doc_pair two[] = {{0, 5}, {2, 4}}; /* paired ones are no copies */
    check_copies(two, 2, N, (const uint32_t[N]){NONE, 0, NONE, 4, NONE, NONE});
    const dpl_doc_pair skipped = {3, 5};
    check_copies(&skipped, 1, N, (const uint32_t[N]){NONE, 0, 0, NONE, 3, NONE});
}

DPL_TEST(copy_choice, copies_are_else_of_the_first_that_takes_part)
{
    check_copies(NULL, 0, N, (const uint32_t[N]){NONE, 0, 0, 4, NONE, NONE});
    check_copies(NULL, 0, 0, (const uint32_t[N]){1, NONE, 1, 4, NONE, NONE});
}
