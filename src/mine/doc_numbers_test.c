#include "mine/doc_numbers.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- two collections --------------------------------------------------------------------- */

static dpl_collection *import(dpl_ctx *ctx, const char *name, const char *lines)
{
    dpl_collection *c = NULL;
    char path[1000];
    snprintf(path, sizeof path, "%s", test_write(name, lines, strlen(lines)));
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    const dpl_input in = {.path = path};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, &o, &test_err));
    return c;
}

DPL_TEST(doc_numbers, follow_the_ids)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__doc_numbers n;
    dpl_collection *read = import(ctx, "read.tsv", "a\tx\nb\tx\nc\tx\nd\tx\ne\tx\n"),
                   *mined = import(ctx, "mined.tsv", "b\ty\nd\ty\n");
    CHECK_OK(dpl__doc_numbers_init(&n, ctx, read, mined, &test_err));
    n.owned = read;
    static const uint32_t wanted[] = {DPL_MINE_NO_DOC, 0, DPL_MINE_NO_DOC, 1, DPL_MINE_NO_DOC};
    for (uint32_t doc = 0; doc < DPL_LEN(wanted); doc++)
        CHECK_EQ(dpl__doc_as_mined(&n, doc), wanted[doc]);
    CHECK(dpl__doc_as_read(&n, 0) == 1 && dpl__doc_as_read(&n, 1) == 3);
    CHECK_EQ(dpl__doc_as_read(&n, DPL_MINE_NO_DOC), DPL_MINE_NO_DOC);
    dpl__doc_numbers_clear(&n, ctx);
    CHECK(dpl__doc_as_mined(&n, 7) == 7 && dpl__doc_as_read(&n, 7) == 7);
    dpl_collection_close(mined);
    test_ctx_done(ctx);
}

/* ---- a run --------------------------------------------------------------------------------
 */

enum { N_LEFT_OUT = 8 };

static char *read_sample(const char *lang)
{
    char path[1000];
    size_t n;
    snprintf(path, sizeof path, "%s/examples/sample/%s.jsonl", DPL_TEST_SOURCE, lang);
    return test_read(path, &n);
}

/* The sample, behind documents of the other language and before the first of them again. */
static void write_side(char out[1000], const char *lang, const char *other)
{
    char *own = read_sample(lang), *first = read_sample(other), *end = first;
    const size_t n_line = (size_t)(strchr(own, '\n') - own);
    for (int i = 0; i < N_LEFT_OUT; i++)
        end = strchr(end, '\n') + 1;
    *end = 0;
    const size_t n = strlen(first) + strlen(own) + n_line + 2;
    char *all = malloc(n), *id = NULL;
    const int n_all = snprintf(all, n, "%s%s%.*s\n", first, own, (int)n_line, own);
    CHECK(n_all > 0 && (size_t)n_all < n);
    for (char *p = all; (p = strstr(p, "-0001\"")) != NULL; p++)
        id = p; /* of the copy */
    memcpy(id, "-copy", 5);
    snprintf(out, 1000, "%s", test_write(lang, all, (size_t)n_all));
    free(all);
    free(first);
    free(own);
}

static dpl_str id_of(const dpl_mine_result *r, size_t lang, uint32_t doc)
{
    return dpl_collection_doc(dpl_mine_get_collection(r, lang), doc).id;
}

DPL_TEST(doc_numbers, a_result_has_those_of_documents_as_read)
{
    char paths[2][1000];
    write_side(paths[0], "de", "en");
    write_side(paths[1], "en", "de");
    dpl_ctx *ctx = test_ctx(2);
    dpl_mine_result *r = NULL;
    const dpl_input in[2] = {{.path = paths[0]}, {.path = paths[1]}};
    const dpl_mine_options o =
        DPL_INIT(dpl_mine_options, .langs = {"de", "en"}, .temp = test_dir());
    CHECK_OK(dpl_mine(&r, ctx, NULL, in, 2, &o, &test_err));
    const dpl_mine_run *run = dpl_mine_get_summary(r)->runs[0];
    CHECK(run->n_pairs >= 60);
    for (size_t i = 0; i < run->n_pairs; i++) {
        const dpl_mine_pair p = dpl_mine_get_pair(r, 0, i);
        CHECK(dpl__str_eq(id_of(r, 0, p.docs.left), p.left_id));
        CHECK(dpl__str_eq(id_of(r, 1, p.docs.right), p.right_id));
    }
    for (int side = 0; side < 2; side++) {
        const uint32_t n =
            dpl_collection_get_sizes(dpl_mine_get_collection(r, (size_t)side))->n_docs;
        CHECK_EQ(run->n_untranslated_docs[side], N_LEFT_OUT);
        CHECK_EQ(dpl_mine_get_copy_of(r, 0, side, 0), DPL_MINE_NO_DOC);
        const uint32_t a = dpl_mine_get_copy_of(r, 0, side, N_LEFT_OUT),
                       b = dpl_mine_get_copy_of(r, 0, side, n - 1);
        CHECK((a == n - 1 && b == DPL_MINE_NO_DOC) ||
              (b == N_LEFT_OUT && a == DPL_MINE_NO_DOC));
    }
    dpl_mine_result_free(r);
    test_ctx_done(ctx);
}
