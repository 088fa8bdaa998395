/* Which document of a group the others are said to be copies of. */
#include "mine/copy_choice.h"

#include "base/ctx.h"
#include "mine/made_up_side_test.h"
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

/* ---- choosing ------------------------------------------------------------------------- */

/* Sentences first .. end of a text that both languages have. */
static size_t put_sentences(char *to, unsigned first, unsigned end)
{
    size_t n = 0;
    for (unsigned i = first; i < end; i++)
        n += (size_t)sprintf(to + n, "Anna%c %u Berlin%c %u moved %u%u again. ",
                             'a' + (int)(i % 7), 100 + 37 * i, 'a' + (int)(i % 11),
                             9000 - 71 * i, i, i);
    return n;
}

/* Left documents are two texts; right ones are both, and a copy of each with more behind it. */
static dpl_collection *make_texts(dpl_ctx *ctx, bool is_right)
{
    static char text[8000];
    size_t n = 0;
    for (unsigned i = 0; i < (is_right ? 4 : 2); i++) {
        const unsigned first = 50 * (i % 2);
        n += (size_t)sprintf(text + n, "%u\t", i);
        n += put_sentences(text + n, first, first + 12);
        if (i >= 2)
            n += put_sentences(text + n, first + 30, first + 40);
        text[n++] = '\n';
    }
    CHECK(n < sizeof text);
    return import_side(ctx, text, n, is_right);
}

/* What becomes of pairs, given by their left and right documents. */
static void choose(dpl_doc_pair *pairs, const double *confidence, size_t n)
{
    enum { LEFT = 2, RIGHT = 4 };
    dpl_ctx *ctx = test_ctx(2);
    const dpl_sentences_options sentences = DPL_INIT(dpl_sentences_options);
    const dpl_mine_options options =
        DPL_INIT(dpl_mine_options, .sentences = &sentences, .confidence = 0.6);
    uint64_t keys[2][RIGHT] = {{11, 12}, {21, 22, 23, 24}};
    uint32_t groups[RIGHT] = {0, 1, 0, 1};
    uint8_t skip[RIGHT] = {0};
    dpl__comparable p = {.ctx = ctx,
                         .c = {make_texts(ctx, false), make_texts(ctx, true)},
                         .keys = {keys[0], keys[1]},
                         .groups = {NULL, groups},
                         .skip = {skip, skip},
                         .n_docs = {LEFT, RIGHT},
                         .options = &options};
    dpl__rounds r = {.unit = &dpl__unit_document};
    dpl__doc_candidates found = {.likely = 0.5};
    snprintf(p.work, sizeof p.work, "%s", test_path("."));
    for (size_t i = 0; i < n; i++) {
        const dpl__doc_candidate c = {.docs = pairs[i], .confidence = confidence[i]};
        CHECK(dpl__vec_push(ctx, &found.pairs, c) && dpl__vec_push(ctx, &r.pairs, c.docs));
    }
    CHECK_OK(dpl__choose_copies(&found, &r, &p, &test_err));
    CHECK_EQ(found.pairs.n, n);
    for (size_t i = 0; i < n; i++)
        pairs[i] = found.pairs.data[i].docs;
    dpl__doc_candidates_clear(&found, ctx);
    dpl__rounds_clear(&r, &p);
    for (int side = 0; side < 2; side++)
        dpl_collection_close((dpl_collection *)(uintptr_t)p.c[side]);
    test_ctx_done(ctx);
}

DPL_TEST(copy_choice, the_member_that_aligns_best_is_paired)
{
    static const double sure[] = {0.9, 0.9}, unsure[] = {0.9, 0.5};
    dpl_doc_pair both[] = {{0, 2}, {1, 3}}, one[] = {{0, 0}, {1, 3}},
                 taken[] = {{0, 2}, {1, 0}};
    choose(both, sure, 2);
    CHECK(both[0].right == 0 && both[1].right == 1);
    choose(one, unsure, 2); /* what is not likely enough stays, as does what is best */
    CHECK(one[0].right == 0 && one[1].right == 3);
    choose(taken, sure, 2); /* a document is in one pair */
    CHECK(taken[0].right == 2 && taken[1].right == 0);
}
